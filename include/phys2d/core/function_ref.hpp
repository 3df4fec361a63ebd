// SPDX-License-Identifier: MIT
// FunctionRef: a callable that is called without its type being known, so that what takes it is
// compiled once. C++26 has it as std::function_ref.
#pragma once

#include <phys2d/core/abi.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

template <class Signature>
class FunctionRef;

/// Refers to a callable that must outlive it: a parameter type, not one to keep.
template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
public:
    template <class Function>
    constexpr FunctionRef(const Function& function) : function_(&function), call_(call<Function>) {}

    Result operator()(Arguments... arguments) const { return call_(function_, arguments...); }

private:
    template <class Function>
    static Result call(const void* function, Arguments... arguments) {
        return static_cast<Result>((*static_cast<const Function*>(function))(arguments...));
    }

    const void* function_;
    Result (*call_)(const void* function, Arguments... arguments);
};

/// A test that is true of nothing: makes a search for the first that passes a test visit all.
[[nodiscard]] constexpr auto visiting(auto& visit) {
    return [&visit](const auto&... found) {
        visit(found...);
        return false;
    };
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

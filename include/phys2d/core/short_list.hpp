// SPDX-License-Identifier: MIT
// ShortList: a list that is filled first and read afterwards, and is mostly short.
#pragma once

#include <phys2d/core/array.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Room for what most visits find.
inline constexpr std::size_t few_found = 64;

/// A list that allocates only for more elements than that.
template <class T>
class ShortList {
public:
    void push_back(const T& element) {
        if (count_ < few_found) {
            few_[count_++] = element;
        } else {
            more_.push_back(element);
        }
    }

    /// Calls visit(element) for each element, in order.
    void for_each(auto visit) const {
        for (std::size_t i = 0; i < count_; ++i) visit(few_[i]);
        for (const T& element : more_) visit(element);
    }

private:
    T few_[few_found];
    std::size_t count_ = 0;
    Array<T> more_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// Islands: which bodies are connected, directly or through others? Union-find with path halving.
// The root of an island is its lowest slot, for any order of the unions. [Tarjan1984]
#pragma once

#include <cstdint>

#include <phys2d/core/array.hpp>
#include <phys2d/math/scalar.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class Islands {
public:
    /// Starts with `count` bodies, each an island of its own.
    void begin(std::int32_t count) {
        parent_.resize(at(count));
        for (std::int32_t i = 0; i < count; ++i) parent_[i] = i;
    }

    [[nodiscard]] std::int32_t root(std::int32_t i) {
        while (parent_[i] != i) {
            parent_[i] = parent_[parent_[i]];
            i = parent_[i];
        }
        return i;
    }

    void unite(std::int32_t a, std::int32_t b) {
        a = root(a);
        b = root(b);
        parent_[larger_of(a, b)] = smaller_of(a, b);
    }

    void list_members(auto& archive) { archive(*this, parent_); }

private:
    Scratch<std::int32_t> parent_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

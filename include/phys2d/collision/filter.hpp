// SPDX-License-Identifier: MIT
// Filter: which colliders see each other?
#pragma once

#include <cstdint>

#include <phys2d/core/abi.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// What a collider is, and what it collides with. Two colliders do if each one's mask has a bit of the other's
/// category, unless they are of one group.
struct Filter {
    static constexpr std::uint64_t everything = ~std::uint64_t{0};

    std::uint64_t category = 1;       ///< what it is: usually one bit
    std::uint64_t mask = everything;  ///< what it collides with: any bits
    /// Colliders of one group, other than 0, decide by its sign alone: above 0 they collide, below they
    /// never do.
    std::int32_t group = 0;

    friend constexpr bool operator==(const Filter& a, const Filter& b) = default;
};

[[nodiscard]] constexpr bool can_collide(const Filter& a, const Filter& b) {
    if (a.group == b.group && a.group != 0) return a.group > 0;
    return (a.mask & b.category) != 0 && (b.mask & a.category) != 0;
}

}  // namespace phys2d::inline PHYS2D_ABI

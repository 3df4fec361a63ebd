// SPDX-License-Identifier: MIT
// Filter: which colliders see each other?
#pragma once

#include <cstdint>

#include <phys2d/core/abi.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// What a collider is, and what it collides with. Two colliders collide if each one's mask shares a
/// bit with the other's category, unless both are in one group other than 0.
struct Filter {
    static constexpr std::uint64_t everything = ~std::uint64_t{0};

    std::uint64_t category = 1;       ///< what the collider is: usually one bit
    std::uint64_t mask = everything;  ///< categories that it collides with: any bits
    /// If both groups are equal and not 0, the sign decides: positive collides, negative does not.
    std::int32_t group = 0;

    friend constexpr bool operator==(const Filter& a, const Filter& b) = default;
};

/// Whether two colliders see each other, in either order.
[[nodiscard]] constexpr bool can_collide(const Filter& a, const Filter& b) {
    if (a.group == b.group && a.group != 0) return a.group > 0;
    return (a.mask & b.category) != 0 && (b.mask & a.category) != 0;
}

}  // namespace phys2d::inline PHYS2D_ABI

// SPDX-License-Identifier: MIT
// Box: an axis-aligned rectangle, given by half its size.
#pragma once

#include <phys2d/shapes/aabb.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// A rectangle [m]. As a collider `center` is relative to the body's position.
struct Box {
    Vec2 half_extents{0.5f, 0.5f};
    Vec2 center{};
};

[[nodiscard]] constexpr AABB bounds(const Box& box) {
    return aabb_around(box.center, box.half_extents);
}

}  // namespace phys2d::inline PHYS2D_ABI

// SPDX-License-Identifier: MIT
// RoundedBox: a box with a radius around it, so that it slides over corners instead of catching.
#pragma once

#include <phys2d/shapes/aabb.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// The points within `radius` of a box of the given half extents [m]: the outer size is
/// 2 * (half_extents + radius). As a collider `center` is relative to the body's position.
struct RoundedBox {
    Vec2 half_extents{0.4f, 0.4f};
    float radius = 0.1f;
    Vec2 center{};
};

[[nodiscard]] constexpr AABB bounds(const RoundedBox& box) {
    return expand(aabb_around(box.center, box.half_extents), box.radius);
}

}  // namespace phys2d::inline PHYS2D_ABI

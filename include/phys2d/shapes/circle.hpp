// SPDX-License-Identifier: MIT
// Circle: the disc of the points within `radius` of `center`.
#pragma once

#include <phys2d/shapes/aabb.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// A disc [m]. As a collider `center` is relative to the body's position.
struct Circle {
    float radius = 0.5f;
    Vec2 center{};
};

[[nodiscard]] constexpr AABB bounds(const Circle& circle) {
    return aabb_around(circle.center, {circle.radius, circle.radius});
}

}  // namespace phys2d::inline PHYS2D_ABI

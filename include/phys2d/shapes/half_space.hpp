// SPDX-License-Identifier: MIT
// HalfSpace: all points on one side of a straight line and on the line: endless ground, or a wall
// with nothing behind it. [Ericson2005 §3.6]
// The normal points out of the solid side; the line is where dot(normal, p) == offset.
#pragma once

#include <phys2d/math/vec2.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// The points p with dot(normal, p) <= offset.
struct HalfSpace {
    Vec2 normal{0.0f, 1.0f};  ///< unit vector out of the solid side
    float offset = 0.0f;      ///< signed distance of the border from the origin along `normal` [m]

    friend constexpr bool operator==(const HalfSpace& a, const HalfSpace& b) = default;
};

/// The half-space below a line through `point`. `normal` may have any length; 0 counts as (0, 1).
[[nodiscard]] constexpr HalfSpace half_space_through(Vec2 point, Vec2 normal) {
    const Vec2 unit = normalized_or(normal, {0.0f, 1.0f});
    return {unit, dot(unit, point)};
}

/// Distance of a point from the border [m]; negative inside.
[[nodiscard]] constexpr float signed_distance(const HalfSpace& space, Vec2 point) {
    return dot(space.normal, point) - space.offset;
}

/// True inside and on the border.
[[nodiscard]] constexpr bool contains(const HalfSpace& space, Vec2 point) {
    return signed_distance(space, point) <= 0.0f;
}

[[nodiscard]] constexpr HalfSpace translate(HalfSpace space, Vec2 displacement) {
    space.offset += dot(space.normal, displacement);
    return space;
}

/// True for finite numbers and a normal of length 1, to rounding.
[[nodiscard]] constexpr bool is_valid(const HalfSpace& space) {
    return is_finite(space.offset) && abs(length(space.normal) - 1.0f) <= 1e-5f;
}

}  // namespace phys2d::inline PHYS2D_ABI

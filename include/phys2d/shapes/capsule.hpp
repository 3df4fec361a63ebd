// SPDX-License-Identifier: MIT
// Capsule: a vertical or horizontal segment with a radius around it, the usual platformer
// character.
#pragma once

#include <phys2d/shapes/aabb.hpp>

namespace phys2d::inline PHYS2D_ABI {

enum class Axis : unsigned char { X, Y };

/// The points within `radius` of a segment from `center` - `half_length` to `center` +
/// `half_length` along `axis` [m]; the whole capsule is 2 * (half_length + radius) long. As a
/// collider `center` is relative to the body's position; it comes last:
///
///     Capsule{0.5f, 0.3f, Axis::Y, {0.0f, 0.2f}}
struct Capsule {
    float half_length = 0.5f;
    float radius = 0.25f;
    Axis axis = Axis::Y;
    Vec2 center{};
};

[[nodiscard]] constexpr Vec2 core_half_extents(const Capsule& capsule) {
    return capsule.axis == Axis::X ? Vec2{capsule.half_length, 0.0f}
                                   : Vec2{0.0f, capsule.half_length};
}

[[nodiscard]] constexpr AABB bounds(const Capsule& capsule) {
    return expand(aabb_around(capsule.center, core_half_extents(capsule)), capsule.radius);
}

}  // namespace phys2d::inline PHYS2D_ABI

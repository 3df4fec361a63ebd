// SPDX-License-Identifier: MIT
// Circle, Box, Capsule, RoundedBox: the shapes that move; and Shape, the common form of them all, a
// rounded box.
//   Circle      half_extents = 0                Box         radius = 0
//   Capsule     one half extent = 0             RoundedBox  unchanged
// Nothing rotates, so the Minkowski sum of two shapes is again a shape, and one formula serves
// every pair (collision/separation.hpp). All convert implicitly, an AABB too.
// As a collider the `center` of each is relative to the body's position.
#pragma once

#include <phys2d/shapes/aabb.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// The points within `radius` of `center` [m].
struct Circle {
    float radius = 0.5f;
    Vec2 center{};
};

/// A rectangle, given by half its size [m].
struct Box {
    Vec2 half_extents{0.5f, 0.5f};
    Vec2 center{};
};

enum class Axis : unsigned char { X, Y };

/// The points within `radius` of a segment from `center` - `half_length` to `center` +
/// `half_length` along `axis` [m]: the usual platformer character. The whole capsule is
/// 2 * (half_length + radius) long. `center` comes last:
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

/// The points within `radius` of a box of the given half extents [m], so that it slides over
/// corners instead of catching: the outer size is 2 * (half_extents + radius).
struct RoundedBox {
    Vec2 half_extents{0.4f, 0.4f};
    float radius = 0.1f;
    Vec2 center{};
};

/// The points within `radius` of the box of `half_extents` around `center` [m].
struct Shape {
    Vec2 half_extents{};
    float radius = 0.0f;
    Vec2 center{};

    constexpr Shape() = default;
    constexpr Shape(const Circle& circle) : radius(circle.radius), center(circle.center) {}
    constexpr Shape(const Box& box) : half_extents(box.half_extents), center(box.center) {}
    constexpr Shape(const Capsule& capsule)
        : half_extents(core_half_extents(capsule)),
          radius(capsule.radius),
          center(capsule.center) {}
    constexpr Shape(const RoundedBox& box)
        : half_extents(box.half_extents), radius(box.radius), center(box.center) {}
    constexpr Shape(const AABB& box)
        : half_extents(phys2d::half_extents(box)), center(phys2d::center(box)) {}

    friend constexpr bool operator==(const Shape& a, const Shape& b) = default;
};

/// Half of the outer size [m].
[[nodiscard]] constexpr Vec2 outer_half_extents(const Shape& shape) {
    return shape.half_extents + Vec2{shape.radius, shape.radius};
}

/// Half of the smaller outer size [m].
[[nodiscard]] constexpr float smaller_half_extent(const Shape& shape) {
    const Vec2 outer = outer_half_extents(shape);
    return min(outer.x, outer.y);
}

[[nodiscard]] constexpr AABB bounds(const Shape& shape) {
    return aabb_around(shape.center, outer_half_extents(shape));
}

[[nodiscard]] constexpr Shape translate(Shape shape, Vec2 displacement) {
    shape.center += displacement;
    return shape;
}

namespace detail {

/// A shape whose sides are further in by `by` [m]: all of a rounded one, of others those across
/// `axes`.
[[nodiscard]] constexpr Shape shrunk(Shape shape, float by, Vec2 axes = {1.0f, 1.0f}) {
    if (shape.radius > 0.0f) {
        shape.radius = max(shape.radius - by, 0.0f);
    } else {
        shape.half_extents = max(shape.half_extents - axes * by, Vec2{});
    }
    return shape;
}

}  // namespace detail

/// Area [m²]: the core, four strips along its sides, and four quarters of a disc.
[[nodiscard]] constexpr float area(const Shape& shape) {
    constexpr float pi = 3.14159265358979f;
    const Vec2 h = shape.half_extents;
    const float r = shape.radius;
    return mul(4.0f, mul(h.x, h.y)) + mul(mul(4.0f, r), h.x + h.y) + mul(pi, square(r));
}

/// True for finite, non-negative numbers and an outer size above zero along both axes.
[[nodiscard]] constexpr bool is_valid(const Shape& shape) {
    const Vec2 h = shape.half_extents;
    const Vec2 outer = outer_half_extents(shape);
    return is_finite(shape.center) && is_finite(outer) && h.x >= 0.0f && h.y >= 0.0f &&
           shape.radius >= 0.0f && outer.x > 0.0f && outer.y > 0.0f;
}

}  // namespace phys2d::inline PHYS2D_ABI

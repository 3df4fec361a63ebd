// SPDX-License-Identifier: MIT
// overlap: do two shapes touch? Uses separating axes and squared distances, without square roots.
// Shapes are closed: touching exactly counts. What is at NaN touches nothing.
// [Ericson2005 §5.2.1, §5.2.5]
#pragma once

#include <phys2d/shapes/shape.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// Separating axes: two boxes are apart if they are apart along x or along y.
[[nodiscard]] constexpr bool overlaps(const AABB& a, const AABB& b) {
    return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y;
}

[[nodiscard]] constexpr bool overlaps(const Circle& a, const Circle& b) {
    return distance_sq(a.center, b.center) <= square(a.radius + b.radius);
}

[[nodiscard]] constexpr bool overlaps(const AABB& box, const Circle& circle) {
    const Vec2 below = max(Vec2{}, box.min - circle.center);
    const Vec2 above = max(Vec2{}, circle.center - box.max);
    return length_sq(below + above) <= square(circle.radius);  // NaN if one of them is
}

[[nodiscard]] constexpr bool overlaps(const Circle& circle, const AABB& box) {
    return overlaps(box, circle);
}

/// Any two shapes: compares the distance of their cores with the sum of their radii.
[[nodiscard]] constexpr bool overlaps(const Shape& a, const Shape& b) {
    const Vec2 gap = abs(b.center - a.center) - (a.half_extents + b.half_extents);
    return length_sq(max(Vec2{}, gap)) <= square(a.radius + b.radius);  // NaN if gap is
}

/// True inside the shape and on its border; false for NaN.
[[nodiscard]] constexpr bool contains(const Shape& shape, Vec2 point) {
    const Vec2 gap = abs(point - shape.center) - shape.half_extents;
    return length_sq(max(Vec2{}, gap)) <= square(shape.radius);  // NaN if gap is
}

}  // namespace phys2d::inline PHYS2D_ABI

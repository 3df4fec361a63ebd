// SPDX-License-Identifier: MIT
// AABB: the axis-aligned bounding box, closed: its border belongs to it.
// Valid when min <= max in both components; a point (min == max) is valid. [Ericson2005 §4.2]
#pragma once

#include <phys2d/math/vec2.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// The points p with min <= p <= max [m].
struct AABB {
    Vec2 min{};
    Vec2 max{};

    friend constexpr bool operator==(const AABB& a, const AABB& b) = default;
};

/// The box that extends by `half_extents` [m] around a centre; not valid if one is negative.
[[nodiscard]] constexpr AABB aabb_around(Vec2 center, Vec2 half_extents) {
    return {center - half_extents, center + half_extents};
}

/// True for finite corners in order; zero width or height is fine.
[[nodiscard]] constexpr bool is_valid(const AABB& box) {
    return is_finite(box.min) && is_finite(box.max) && box.min.x <= box.max.x &&
           box.min.y <= box.max.y;
}

/// Centre, size and half of that [m], and area [m²]. Pre: a valid box. Coordinates beyond 1e38 m
/// may make the first three infinite, and sides of more than 1e19 m the area.
[[nodiscard]] constexpr Vec2 center(const AABB& box) { return (box.min + box.max) * 0.5f; }
[[nodiscard]] constexpr Vec2 size(const AABB& box) { return box.max - box.min; }
[[nodiscard]] constexpr Vec2 half_extents(const AABB& box) { return size(box) * 0.5f; }
[[nodiscard]] constexpr float area(const AABB& box) { return mul(size(box).x, size(box).y); }

/// True inside and on the border; false for NaN.
[[nodiscard]] constexpr bool contains(const AABB& box, Vec2 point) {
    return box.min.x <= point.x && point.x <= box.max.x && box.min.y <= point.y &&
           point.y <= box.max.y;
}

/// True when no point of `inner` lies outside `outer`; a box contains itself.
template <class = void>  // a template, so that `{x, y}` goes to the overload for a point
[[nodiscard]] constexpr bool contains(const AABB& outer, const AABB& inner) {
    return contains(outer, inner.min) && contains(outer, inner.max);
}

/// The smallest box that contains both.
template <class = void>  // a template, so that `{x, y}` goes to the overload for a point
[[nodiscard]] constexpr AABB merge(const AABB& a, const AABB& b) {
    return {min(a.min, b.min), max(a.max, b.max)};
}

/// The smallest box that contains the box and the point.
[[nodiscard]] constexpr AABB merge(const AABB& box, Vec2 point) {
    return {min(box.min, point), max(box.max, point)};
}

/// The part that two boxes have in common; not valid if they are apart.
[[nodiscard]] constexpr AABB overlap(const AABB& a, const AABB& b) {
    return {max(a.min, b.min), min(a.max, b.max)};
}

/// The box with every side moved outwards by `margin` [m]; a negative margin shrinks it, and a box
/// shrunk by more than half its size is not valid.
[[nodiscard]] constexpr AABB expand(const AABB& box, float margin) {
    return {box.min - Vec2{margin, margin}, box.max + Vec2{margin, margin}};
}

[[nodiscard]] constexpr AABB translate(const AABB& box, Vec2 displacement) {
    return {box.min + displacement, box.max + displacement};
}

namespace detail {

/// Contains no point, and is not valid: merged with another box it gives that.
inline constexpr AABB no_box{
    {std::numeric_limits<float>::max(), std::numeric_limits<float>::max()},
    {std::numeric_limits<float>::lowest(), std::numeric_limits<float>::lowest()}};

/// The smallest box that contains the box at the start and at the end of its way.
[[nodiscard]] constexpr AABB box_along(const AABB& box, Vec2 way) {
    return merge(box, translate(box, way));
}

}  // namespace detail

/// The point of the box nearest to `point`: `point` itself if it is inside. [Ericson2005 §5.1.3]
[[nodiscard]] constexpr Vec2 closest_point(const AABB& box, Vec2 point) {
    return clamp(point, box.min, box.max);
}

}  // namespace phys2d::inline PHYS2D_ABI

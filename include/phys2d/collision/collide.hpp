// SPDX-License-Identifier: MIT
// collide: where and how deep do two shapes touch? Returns a Manifold for every pair.
// The named pairs are the classic special cases, written to be read [Gaul2013]; the last overload
// is one formula for any two shapes, and the tests compare the special cases with it. Sizes from
// 1e-18 to 1e18 m work; non-finite numbers give a meaningless manifold.
#pragma once

#include <phys2d/collision/manifold.hpp>
#include <phys2d/collision/separation.hpp>
#include <phys2d/shapes/shape.hpp>

namespace phys2d::inline PHYS2D_ABI {

namespace detail {

/// The unit vector of an axis with the sign of `direction`; zero counts as positive.
[[nodiscard]] constexpr Vec2 axis_x(float direction) { return {sign(direction), 0.0f}; }
[[nodiscard]] constexpr Vec2 axis_y(float direction) { return {0.0f, sign(direction)}; }
/// The direction along an axis that is closest to a vector.
[[nodiscard]] constexpr Vec2 main_axis(Vec2 v) {
    return abs(v.x) > abs(v.y) ? axis_x(v.x) : axis_y(v.y);
}

/// The point midway between the surfaces of two shapes: across the normal the middle of the overlap
/// of their cores, along it half the penetration below the surface of A, whose core ends at
/// `end_a`.
[[nodiscard]] constexpr Vec2 contact_point(const AABB& core_a, float radius_a, const AABB& core_b,
                                           Vec2 normal, float penetration) {
    const Vec2 between = center(overlap(core_a, core_b));
    const Vec2 end_a{normal.x < 0.0f ? core_a.min.x : core_a.max.x,
                     normal.y < 0.0f ? core_a.min.y : core_a.max.y};
    const float below = dot(end_a - between, normal) + radius_a - 0.5f * penetration;
    return between + normal * below;
}
[[nodiscard]] constexpr Vec2 contact_point(const Shape& a, const Shape& b, Vec2 normal,
                                           float penetration) {
    return contact_point(aabb_around(a.center, a.half_extents), a.radius,
                         aabb_around(b.center, b.half_extents), normal, penetration);
}

}  // namespace detail

/// Two circles touch along the line of their centres. Coincident centres give the normal (0, 1).
[[nodiscard]] constexpr Manifold collide(const Circle& a, const Circle& b) {
    const Vec2 way = b.center - a.center;
    const Vec2 normal = normalized_or(way, {0.0f, 1.0f});
    const float penetration = a.radius + b.radius - length(way);
    return {normal, penetration, a.center + normal * (a.radius - 0.5f * penetration)};
}

/// Two boxes touch along the axis of least penetration, y when both are equal. Boxes that are apart
/// along both axes are separated corner to corner.
[[nodiscard]] constexpr Manifold collide(const AABB& a, const AABB& b) {
    const Vec2 ahead = a.max - b.min;
    const Vec2 behind = b.max - a.min;
    const Vec2 way = behind - ahead;
    const Vec2 depth = min(ahead, behind);
    const Vec2 gap = max(-depth, Vec2{});
    Manifold result;
    if (gap.x > 0.0f && gap.y > 0.0f) {
        result.normal = normalized(gap) * Vec2{sign(way.x), sign(way.y)};
        result.penetration = -length(gap);
    } else if (depth.x < depth.y) {
        result.normal = detail::axis_x(way.x);
        result.penetration = depth.x;
    } else {
        result.normal = detail::axis_y(way.y);
        result.penetration = depth.y;
    }
    result.point = detail::contact_point(a, 0.0f, b, result.normal, result.penetration);
    return result;
}

/// A circle touches a box at the point of the box closest to its centre; with the centre inside,
/// the normal is that of the nearest face, top or bottom in ties.
[[nodiscard]] constexpr Manifold collide(const AABB& box, const Circle& circle) {
    const Vec2 way = circle.center - center(box);
    const Vec2 depth = half_extents(box) - abs(way);
    const Vec2 closest = closest_point(box, circle.center);
    Manifold result;
    if (closest != circle.center) {
        const Vec2 out = circle.center - closest;
        result.normal = normalized(out);
        result.penetration = circle.radius - length(out);
    } else if (depth.x < depth.y) {
        result.normal = detail::axis_x(way.x);
        result.penetration = circle.radius + depth.x;
    } else {
        result.normal = detail::axis_y(way.y);
        result.penetration = circle.radius + depth.y;
    }
    const AABB core{circle.center, circle.center};
    result.point = detail::contact_point(box, 0.0f, core, result.normal, result.penetration);
    return result;
}

/// The flipped result of collide(box, circle), in ties too.
[[nodiscard]] constexpr Manifold collide(const Circle& circle, const AABB& box) {
    return flipped(collide(box, circle));
}

/// Any two shapes, by one formula (collision/separation.hpp). If b is `Circle{0, p}`, the point of
/// a's border nearest to p is p + normal * penetration, for polygons and half-spaces as well.
[[nodiscard]] constexpr Manifold collide(const Shape& a, const Shape& b) {
    const detail::Separation<1> separation =
        detail::separate(detail::simd::in_lane(b.center - a.center),
                         detail::simd::in_lane(a.half_extents + b.half_extents),
                         detail::simd::Lanes<1>{a.radius + b.radius});
    const Vec2 normal{separation.normal.x.value, separation.normal.y.value};
    const float penetration = -separation.distance.value;
    return {normal, penetration, detail::contact_point(a, b, normal, penetration)};
}

}  // namespace phys2d::inline PHYS2D_ABI

// SPDX-License-Identifier: MIT
// Segment: the straight line between two points, both included.
// As a collider it is solid from both sides and has no thickness: a polygon of two vertices
// (shapes/polygon.hpp). In queries it is a ray of finite length.
#pragma once

#include <phys2d/shapes/aabb.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// The points between `from` and `to` [m].
struct Segment {
    Vec2 from{};
    Vec2 to{};

    friend constexpr bool operator==(const Segment& a, const Segment& b) = default;
};

[[nodiscard]] constexpr AABB bounds(const Segment& segment) {
    return {min(segment.from, segment.to), max(segment.from, segment.to)};
}

[[nodiscard]] constexpr Segment translate(const Segment& segment, Vec2 displacement) {
    return {segment.from + displacement, segment.to + displacement};
}

/// True for two finite, distinct ends.
[[nodiscard]] constexpr bool is_valid(const Segment& segment) {
    return is_finite(segment.from) && is_finite(segment.to) && segment.from != segment.to;
}

}  // namespace phys2d::inline PHYS2D_ABI

// SPDX-License-Identifier: MIT
// Segment: a straight line from one point to another, both of which belong to it.
// As something to bump into it is solid from both sides and has no thickness: a polygon of two vertices
// (shapes/polygon.hpp). As a question it is a ray that ends.
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

/// True for finite ends that are not the same point.
[[nodiscard]] constexpr bool is_valid(const Segment& segment) {
    return is_finite(segment.from) && is_finite(segment.to) && segment.from != segment.to;
}

}  // namespace phys2d::inline PHYS2D_ABI

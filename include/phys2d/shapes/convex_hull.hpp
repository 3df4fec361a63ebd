// SPDX-License-Identifier: MIT
// convex_hull: which convex polygon is around some points?
//
// Gift wrapping: after a corner comes the point to the right of whose direction there is no other,
// of several in line the furthest. [Jarvis1973] On which side of a line a point is, is computed in
// double, where differences and products of floats are nearly exact.
#pragma once

#include <phys2d/shapes/polygon.hpp>

namespace phys2d::inline PHYS2D_ABI {

namespace detail {

/// The height of `point` over the line from `from` to `to`, positive to its left, times the length
/// of that.
[[nodiscard]] constexpr double height_over_line(Vec2 from, Vec2 to, Vec2 point) {
    const auto way = [](float a, float b) {
        return static_cast<double>(b) - static_cast<double>(a);
    };
    return mul(way(from.x, to.x), way(from.y, point.y)) -
           mul(way(from.y, to.y), way(from.x, point.x));
}

/// The lowest point, of several the leftmost. Pre: there are some.
[[nodiscard]] constexpr Vec2 first_corner(Span<const Vec2> points) {
    Vec2 first = points.front();
    for (const Vec2 point : points) {
        if (point.y < first.y || (point.y == first.y && point.x < first.x)) first = point;
    }
    return first;
}

/// The corner after another one, counter-clockwise.
[[nodiscard]] constexpr Vec2 corner_after(Span<const Vec2> points, Vec2 corner) {
    Vec2 next = corner;
    for (const Vec2 point : points) {
        const double left = height_over_line(corner, next, point);
        const bool is_beyond = left == 0.0 && distance(corner, point) > distance(corner, next);
        if (left < 0.0 || is_beyond) next = point;
    }
    return next;
}

/// Whether a corner stands out by no more than rounding may make a point in line.
[[nodiscard]] constexpr bool is_flat(Vec2 before, Vec2 corner, Vec2 after) {
    constexpr double rounding = 1e-6;
    const double width = static_cast<double>(distance(before, after));
    return height_over_line(before, after, corner) >= -mul(mul(rounding, width), width);
}

/// Corners in a row, without flat ones between them.
struct HullCorners {
    static constexpr std::size_t most = Polygon::max_vertices + 2;  // both ends may be flat

    Vec2 at[most]{};
    std::size_t count = 0;

    /// Returns whether there was room.
    constexpr bool add(Vec2 corner) {
        while (count > 1 && is_flat(at[count - 2], at[count - 1], corner)) --count;
        if (count == most) return false;
        at[count++] = corner;
        return true;
    }

    /// Closes the row, and takes out flat corners at its ends.
    constexpr void close() {
        for (std::size_t i = 0; i < count && count > 2;) {
            if (is_flat(at[(i + count - 1) % count], at[i], at[(i + 1) % count])) {
                for (std::size_t k = i + 1; k < count; ++k) at[k - 1] = at[k];
                --count;
            } else {
                ++i;
            }
        }
    }
};

}  // namespace detail

/// The convex hull of points [m] in any order: those of them that are its corners, counter-
/// clockwise. Leaves out those in line with others, and those that stand out from an edge by no
/// more than a millionth of it. Without vertices, which is not valid, if all points are in line,
/// there are more than `Polygon::max_vertices` corners, or a number is not finite.
/// O(points · corners)
[[nodiscard]] constexpr Polygon convex_hull(Span<const Vec2> points) {
    for (const Vec2 point : points) {
        if (!is_finite(point)) return {};
    }
    if (points.empty()) return {};
    const Vec2 first = detail::first_corner(points);
    detail::HullCorners corners;
    Vec2 corner = first;
    for (std::size_t i = 0; i < points.size(); ++i) {  // none is a corner twice
        if (!corners.add(corner)) return {};
        corner = detail::corner_after(points, corner);
        if (corner == first) break;
    }
    corners.close();
    const Polygon hull(Span<const Vec2>(corners.at, corners.count));
    return is_valid(hull) ? hull : Polygon{};
}

}  // namespace phys2d::inline PHYS2D_ABI

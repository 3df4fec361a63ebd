// SPDX-License-Identifier: MIT
// Which polygons and segments do the property tests throw at the engine?
// Convex hulls of a few points, of about the size of the shapes in random_shapes.hpp: round ones,
// slivers, boxes; on the lattice with edges along the axes and exact numbers. All valid.
#pragma once

#include <phys2d/shapes/convex_hull.hpp>

#include "random_shapes.hpp"

namespace test {

/// Unlike `convex_hull` it keeps corners that are hardly any, and may have up to `capacity`.
/// Pre: count > 0. Not valid where the points are too few, in line, or nearly so.
inline phys2d::Polygon hull(const phys2d::Vec2* points, int count) {
    const phys2d::Span<const phys2d::Vec2> all(points, static_cast<std::size_t>(count));
    phys2d::Vec2 vertices[phys2d::Polygon::capacity]{phys2d::detail::first_corner(all)};
    for (std::size_t size = 1; size < phys2d::Polygon::capacity; ++size) {
        vertices[size] = phys2d::detail::corner_after(all, vertices[size - 1]);
        if (vertices[size] != vertices[0]) continue;
        return phys2d::Polygon(phys2d::Span<const phys2d::Vec2>(vertices, size));
    }
    return {};
}

/// The hull of `count` points that `make(random)` finds, at the first try that is valid.
template <class Make>
phys2d::Polygon random_hull(Random& random, int count, Make make) {
    phys2d::Polygon polygon;
    phys2d::Vec2 points[phys2d::Polygon::max_vertices];
    while (!is_valid(polygon)) {
        for (int i = 0; i < count; ++i) points[i] = make(random);
        polygon = hull(points, count);
    }
    return polygon;
}

inline phys2d::Polygon random_polygon(Random& random) {
    const phys2d::Vec2 center = random.point(3.0f);
    if (random.one_in(6)) return phys2d::Polygon(random_aabb(random));
    const phys2d::Vec2 flatness = random.one_in(4) ? random.direction() : phys2d::Vec2{};
    const float thin = random.one_in(2) ? 0.99f : 0.9f;
    const bool is_round = random.one_in(2);
    return random_hull(random, random.integer(3, 12), [=](Random& source) {
        const phys2d::Vec2 point = is_round ? source.direction() * 1.5f : source.point(1.5f);
        return center + point - flatness * (thin * dot(point, flatness));
    });
}

inline phys2d::Polygon lattice_polygon(Random& random) {
    const phys2d::Vec2 center = lattice_point(random);
    return random_hull(random, random.integer(3, 12),
                       [=](Random& source) { return center + lattice_point(source); });
}

inline phys2d::Segment random_segment(Random& random) {
    const phys2d::Vec2 from = random.point(3.0f);
    const float length = random.uniform(0.05f, 3.0f);
    return {from, from + random.direction() * length};
}

/// Along an axis every other time, or at any slope with numbers of the lattice.
inline phys2d::Segment lattice_segment(Random& random) {
    const phys2d::Vec2 from = lattice_point(random);
    phys2d::Vec2 to = lattice_point(random);
    if (random.one_in(2)) (random.one_in(2) ? to.x : to.y) = random.one_in(2) ? from.x : from.y;
    return from == to ? phys2d::Segment{from, from + phys2d::Vec2{1.0f, 0.0f}}
                      : phys2d::Segment{from, to};
}

}  // namespace test

// SPDX-License-Identifier: MIT
// Which polygons and segments do the property tests throw at the engine?
// Convex hulls of a few points, of about the size of the shapes in random_shapes.hpp: round ones,
// slivers, boxes; on the lattice with edges along the axes and exact numbers. All valid.
#pragma once

#include <phys2d/shapes/polygon.hpp>

#include "random_shapes.hpp"

namespace test {

/// The next vertex of a hull after `last`: no point lies to the right of the way to it, and none in
/// line lies further. [Jarvis1973, "On the identification of the convex hull"]
inline phys2d::Vec2 next_on_hull(const phys2d::Vec2* points, int count, phys2d::Vec2 last) {
    phys2d::Vec2 next = last;
    for (int i = 0; i < count; ++i) {
        const phys2d::Vec2 to_point = points[i] - last, to_next = next - last;
        const float right = phys2d::cross(to_point, to_next);
        const bool is_further = phys2d::length_sq(to_point) > phys2d::length_sq(to_next);
        if (next == last || right > 0.0f || (right == 0.0f && is_further)) next = points[i];
    }
    return next;
}

/// Pre: count > 0. Not valid where the points are too few, in line, or nearly so.
inline phys2d::Polygon hull(const phys2d::Vec2* points, int count) {
    phys2d::Vec2 vertices[phys2d::Polygon::capacity]{points[0]};
    for (int i = 1; i < count; ++i) {
        const phys2d::Vec2 p = points[i], lowest = vertices[0];
        if (p.y < lowest.y || (p.y == lowest.y && p.x < lowest.x)) vertices[0] = p;
    }
    for (std::size_t size = 1; size < phys2d::Polygon::capacity; ++size) {
        vertices[size] = next_on_hull(points, count, vertices[size - 1]);
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

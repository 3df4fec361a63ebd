// SPDX-License-Identifier: MIT
// How far are a polygon and a shape apart, and along which normal? By brute force, in double.
// Two convex polygons, of which the second is the core of the shape with its four corners:
// separating axes [Ericson2005 §5.2.1] tell whether they overlap, and how deep; if apart, every
// vertex of either is measured against every edge of the other. Neither the Minkowski sum nor any
// walk around it is used. A polygon of two vertices is a segment.
#pragma once

#include <cmath>

#include <phys2d/shapes/polygon.hpp>

#include "separation_oracle.hpp"

namespace test {

struct Point {
    double x, y;
};

/// Vertices in double, either way around.
struct Ring {
    Point points[phys2d::Polygon::capacity];
    int size = 0;

    [[nodiscard]] Point at(int i) const { return points[i % size]; }
};

inline Ring exact(const phys2d::Polygon& polygon) {
    Ring ring;
    for (const phys2d::Vec2 vertex : polygon.vertices()) {
        ring.points[ring.size++] = {vertex.x, vertex.y};
    }
    return ring;
}

inline Ring core_of(const Rounded& shape) {
    const double w = shape.half_width, h = shape.half_height;
    return {{{shape.x - w, shape.y - h},
             {shape.x + w, shape.y - h},
             {shape.x + w, shape.y + h},
             {shape.x - w, shape.y + h}},
            4};
}

/// The gap between the shadows of the two on the axis (x, y), from a to b; negative if they
/// overlap.
inline double gap_along(const Ring& a, const Ring& b, double x, double y) {
    double a_end = -HUGE_VAL, b_begin = HUGE_VAL;
    for (int i = 0; i < a.size; ++i) {
        a_end = std::fmax(a_end, a.points[i].x * x + a.points[i].y * y);
    }
    for (int i = 0; i < b.size; ++i) {
        b_begin = std::fmin(b_begin, b.points[i].x * x + b.points[i].y * y);
    }
    return b_begin - a_end;
}

/// From the segment a b to the point p.
inline Point way_to(Point a, Point b, Point p) {
    const double x = b.x - a.x, y = b.y - a.y, length_sq = x * x + y * y;
    double t = length_sq > 0.0 ? ((p.x - a.x) * x + (p.y - a.y) * y) / length_sq : 0.0;
    t = std::fmin(std::fmax(t, 0.0), 1.0);
    return {p.x - a.x - t * x, p.y - a.y - t * y};
}

/// The shortest way from any edge of `edges` to any vertex of `vertices`, if shorter than `best`.
inline Point shorter_way(const Ring& edges, const Ring& vertices, double turn, Point best) {
    for (int i = 0; i < edges.size; ++i) {
        for (int k = 0; k < vertices.size; ++k) {
            const Point way = way_to(edges.at(i), edges.at(i + 1), vertices.at(k));
            if (way.x * way.x + way.y * way.y >= best.x * best.x + best.y * best.y) continue;
            best = {turn * way.x, turn * way.y};
        }
    }
    return best;
}

/// Keeps the axes with the widest gap and the next to widest.
struct WidestGap {
    double gap = -HUGE_VAL, second = -HUGE_VAL, x = 0.0, y = 0.0;

    void see(const Ring& a, const Ring& b, double axis_x, double axis_y) {
        const double found = gap_along(a, b, axis_x, axis_y);
        const bool is_same = std::hypot(axis_x - x, axis_y - y) < 1e-9;
        if (found > gap) {
            if (!is_same) second = gap;
            gap = found;
            x = axis_x;
            y = axis_y;
        } else if (!is_same) {
            second = std::fmax(second, found);
        }
    }
};

/// The shape as seen from the polygon.
inline Truth separate(const Ring& polygon, const Rounded& shape) {
    const Ring core = core_of(shape);
    WidestGap widest;
    for (int i = 0; i < polygon.size; ++i) {
        const Point from = polygon.at(i), to = polygon.at(i + 1);
        const double x = to.x - from.x, y = to.y - from.y, length = std::sqrt(x * x + y * y);
        widest.see(polygon, core, y / length, -x / length);
    }
    widest.see(polygon, core, 1.0, 0.0);
    widest.see(polygon, core, -1.0, 0.0);
    widest.see(polygon, core, 0.0, 1.0);
    widest.see(polygon, core, 0.0, -1.0);
    // What has not even a thickness together lies on the polygon rather than in it.
    const bool touches = widest.gap > -1e-12 && widest.gap <= 0.0;
    if (widest.gap <= 0.0) {
        return {widest.gap - shape.radius, widest.x, widest.y,
                touches ? 0.0 : widest.gap - widest.second};
    }
    const Point way =
        shorter_way(core, polygon, -1.0, shorter_way(polygon, core, 1.0, {HUGE_VAL, 0.0}));
    const double distance = std::sqrt(way.x * way.x + way.y * way.y);
    if (distance == 0.0) return {-shape.radius, 0.0, 0.0, 0.0};
    return {distance - shape.radius, way.x / distance, way.y / distance, distance};
}

/// From a polygon's border to a point [m]; negative inside.
inline double distance_to(const phys2d::Polygon& polygon, phys2d::Vec2 point) {
    return separate(exact(polygon), exact(point)).separation;
}

/// How far the answer's normal separates them: never further than they are apart, and just as far
/// if it is a normal from the polygon to the shape.
inline double gap_along(const Ring& polygon, const Rounded& shape, phys2d::Vec2 normal) {
    const double length = std::hypot(double{normal.x}, double{normal.y});
    return gap_along(polygon, core_of(shape), normal.x / length, normal.y / length) - shape.radius;
}

}  // namespace test

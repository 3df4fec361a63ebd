// SPDX-License-Identifier: MIT
// collide_polygon: where and how deep does a shape touch a convex polygon, a segment or a
// half-space?
//
// A rounded box against a polygon is a point against the Minkowski sum of polygon and box, rounded
// by the radius. A segment is a polygon of two vertices; for a half-space the extent of the shape
// along the normal is subtracted from the distance. Outside, the nearest edge or vertex counts
// [Ericson2005 §5.1.2]; inside, the nearest face. Ties prefer the face that faces more up or down,
// then up, then right, as for two shapes. collide(shape, polygon) is the flipped result.
// Pre, for all functions: valid shapes, where a segment counts as a valid polygon, also one whose
// ends are the same; 1e-15 to 1e15 m.
#pragma once

#include <limits>

#include <phys2d/collision/manifold.hpp>
#include <phys2d/shapes/half_space.hpp>
#include <phys2d/shapes/polygon.hpp>
#include <phys2d/shapes/shape.hpp>

namespace phys2d::inline PHYS2D_ABI {

namespace detail {

/// Which of two normals is taken in a tie.
[[nodiscard]] constexpr bool is_preferred(Vec2 normal, Vec2 other) {
    if (abs(normal.y) != abs(other.y)) return abs(normal.y) > abs(other.y);
    return normal.y != other.y ? normal.y > other.y : normal.x > other.x;
}

/// A position on the border of a swept polygon: a fraction `part` from vertex `edge` to the next.
struct BorderPlace {
    std::size_t edge = 0;
    float part = 0.0f;
};

/// Distance and normal from a swept polygon to a point, and the nearest position on its border.
struct Clearance {
    float distance = 0.0f;  // negative inside
    Vec2 normal{};
    BorderPlace place{};
};

/// An edge of a swept polygon, relative to a point.
struct EdgeView {
    Vec2 direction, normal;
    Vec2 to_point;  // from the start of the edge
    float length;
    float above;  // height over the line of the edge; negative inside
    float along;  // position along the edge, from its start

    constexpr EdgeView(const SweptPolygon& polygon, std::size_t i, Vec2 point)
        : direction(polygon.direction(i)),
          normal(edge_normal(direction)),
          to_point(point - polygon.sum[i]),
          length(dot(polygon.sum[polygon.next(i)] - polygon.sum[i], direction)),
          above(dot(to_point, normal)),
          along(dot(to_point, direction)) {}

    [[nodiscard]] constexpr float part() const {
        return length > 0.0f ? clamp(along / length, 0.0f, 1.0f) : 0.0f;
    }
};

/// The features of a swept polygon nearest to a point, collected edge by edge.
struct BorderSearch {
    static constexpr float infinity = std::numeric_limits<float>::infinity();

    Clearance face{-infinity};   // the face that the point is furthest above, or least below
    Clearance front{infinity};   // nearest edge that the point is above
    Clearance vertex{infinity};  // nearest vertex whose next edge leads away from the point
    float behind = infinity;     // distance of the nearest edge that the point is below
    float longest_edge = 0.0f;

    constexpr void see(const EdgeView& edge, std::size_t i) {
        longest_edge = max(longest_edge, edge.length);
        const Clearance here{edge.above, edge.normal, {i, edge.part()}};
        const bool is_tie = edge.above == face.distance;
        if (edge.above > face.distance || (is_tie && is_preferred(edge.normal, face.normal))) {
            face = here;
        }
        if (edge.along < 0.0f || edge.length == 0.0f) {
            const float away = length(edge.to_point);
            if (away < vertex.distance) vertex = {away, edge.to_point, {i, 0.0f}};
        } else if (edge.along <= edge.length) {
            if (edge.above < 0.0f) behind = min(behind, -edge.above);
            if (edge.above >= 0.0f && edge.above < front.distance) front = here;
        }
    }
};

/// Inside, the point is below all faces, and no part of the border is nearer than the face it is
/// least below. The second condition excludes points that only rounding puts below all faces: those
/// in line with a flat polygon, beyond its end. Outside, a point above an edge is nearest to that
/// edge, and any other to a vertex: with distances alone, rounding would mix up the two where they
/// meet. At a vertex, to rounding, the normal is that of a face: the way there from the vertex may
/// lead into the polygon.
[[nodiscard]] constexpr Clearance find_clearance(const SweptPolygon& polygon, Vec2 point) {
    BorderSearch seen;
    for (std::size_t i = 0; i < polygon.size; ++i) seen.see(EdgeView(polygon, i, point), i);
    const float rounding = mul(4e-6f, seen.longest_edge);
    const float nearest = min(min(seen.front.distance, seen.vertex.distance), seen.behind);
    if (seen.face.distance <= 0.0f && nearest + seen.face.distance < rounding) {
        if (polygon.size < 3) seen.face.distance = 0.0f;
        return seen.face;
    }
    if (is_finite(seen.front.distance)) return seen.front;
    if (seen.behind < seen.vertex.distance) return seen.face;  // on the border, up to rounding
    const bool is_apart = seen.vertex.distance > rounding;
    seen.vertex.normal = is_apart ? normalized(seen.vertex.normal) : seen.face.normal;
    return seen.vertex;
}

/// A position on the border, relative to the world's origin.
[[nodiscard]] constexpr Vec2 border_point(const SweptPolygon& polygon, BorderPlace place) {
    return polygon.anchor +
           lerp(polygon.sum[place.edge], polygon.sum[polygon.next(place.edge)], place.part);
}

/// The point of the polygon itself that a box around `center` touches, if the swept polygon is
/// touched at `place`: the middle of the shared part where both have a side there.
[[nodiscard]] constexpr Vec2 touched_point(const SweptPolygon& polygon, BorderPlace place,
                                           Vec2 center, Vec2 half_extents) {
    const std::size_t next = polygon.next(place.edge);
    const Vec2 from = polygon.own[place.edge], to = polygon.own[next];
    const Vec2 way = polygon.sum[next] - polygon.sum[place.edge];
    if (place.part == 0.0f || (way.x != 0.0f && way.y != 0.0f)) return lerp(from, to, place.part);
    const Vec2 shared = phys2d::center(
        overlap(AABB{min(from, to), max(from, to)}, aabb_around(center, half_extents)));
    return way.x == 0.0f ? Vec2{from.x, shared.y} : Vec2{shared.x, from.y};
}

[[nodiscard]] constexpr Manifold collide(const SweptPolygon& polygon, const Shape& shape) {
    const Clearance found = find_clearance(polygon, shape.center - polygon.anchor);
    const float penetration = shape.radius - found.distance;
    const Vec2 point = touched_point(polygon, found.place, shape.center, shape.half_extents);
    return {found.normal, penetration, point - found.normal * (0.5f * penetration)};
}

/// The polygon's sum with a box of half extents h, relative to its first vertex.
[[nodiscard]] constexpr SweptPolygon swept(const Polygon& polygon, Vec2 half_extents) {
    return {polygon, half_extents, polygon.vertex(0)};
}

/// Offset from a shape's centre to its extreme point along `direction`, in the middle of a side
/// that faces it.
[[nodiscard]] constexpr Vec2 reach_towards(const Shape& shape, Vec2 direction) {
    const Vec2 corner{direction.x == 0.0f ? 0.0f : sign(direction.x),
                      direction.y == 0.0f ? 0.0f : sign(direction.y)};
    return shape.half_extents * corner + direction * shape.radius;
}

}  // namespace detail

/// A shape touches a polygon (or a segment) at an edge or a vertex. If its core is inside, the
/// normal is that of the nearest face; if a segment runs through its core, that of the nearest side
/// of their Minkowski sum.
[[nodiscard]] constexpr Manifold collide(const Polygon& a, const Shape& b) {
    return detail::collide(detail::swept(a, b.half_extents), b);
}
[[nodiscard]] constexpr Manifold collide(const Shape& a, const Polygon& b) {
    return flipped(collide(b, a));
}

/// A shape leaves a half-space along its normal, at any depth.
[[nodiscard]] constexpr Manifold collide(const HalfSpace& a, const Shape& b) {
    const Vec2 deepest = b.center + detail::reach_towards(b, -a.normal);
    const float penetration = -signed_distance(a, deepest);
    return {a.normal, penetration, deepest + a.normal * (0.5f * penetration)};
}
[[nodiscard]] constexpr Manifold collide(const Shape& a, const HalfSpace& b) {
    return flipped(collide(b, a));
}

/// True if they share a point, touching exactly included, as `collide` decides.
[[nodiscard]] constexpr bool overlaps(const Polygon& a, const Shape& b) {
    return static_cast<bool>(collide(a, b));
}
[[nodiscard]] constexpr bool overlaps(const Shape& a, const Polygon& b) { return overlaps(b, a); }
[[nodiscard]] constexpr bool overlaps(const HalfSpace& a, const Shape& b) {
    return static_cast<bool>(collide(a, b));
}
[[nodiscard]] constexpr bool overlaps(const Shape& a, const HalfSpace& b) { return overlaps(b, a); }

}  // namespace phys2d::inline PHYS2D_ABI

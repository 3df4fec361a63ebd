// SPDX-License-Identifier: MIT
// Where and how deep does a shape touch a convex polygon, a segment or a half-space?
//
// A rounded box against a polygon is a point against the Minkowski sum of polygon and box, rounded by
// the radius. A segment is a polygon of two vertices; a half-space is nearer by as far as the shape
// reaches. Outside, what counts is the nearest edge or vertex [Ericson2005 §5.1.2]; inside, the nearest
// face. Of faces as near as each other it is the one that faces more up or down, then the one that faces
// up, then the one that faces right: so it is for two shapes, and coincident centres give (0, 1). What is
// asked with the polygon second is that, flipped.
// Pre, for all functions: valid shapes, where a segment counts as a valid polygon; 1e-15 to 1e15 m.
#pragma once

#include <limits>

#include <phys2d/collision/manifold.hpp>
#include <phys2d/shapes/half_space.hpp>
#include <phys2d/shapes/polygon.hpp>
#include <phys2d/shapes/shape.hpp>

namespace phys2d::inline PHYS2D_ABI {

namespace detail {

/// Which of two normals is taken where nothing else tells the faces apart.
[[nodiscard]] constexpr bool is_preferred(Vec2 normal, Vec2 other) {
    if (abs(normal.y) != abs(other.y)) return abs(normal.y) > abs(other.y);
    return normal.y != other.y ? normal.y > other.y : normal.x > other.x;
}

/// A place on the border of a swept polygon: `part` of the way from vertex `edge` to the next.
struct BorderPlace {
    std::size_t edge = 0;
    float part = 0.0f;
};

/// How far a point is from a swept polygon, along which normal, and from which place of its border.
struct Clearance {
    float distance = 0.0f;  // negative inside
    Vec2 normal{};
    BorderPlace place{};
};

/// An edge of a swept polygon, seen from a point.
struct EdgeView {
    Vec2 direction, normal;
    Vec2 to_point;  // from the start of the edge
    float length;
    float above;  // the line of the edge; negative inside
    float along;  // the edge, from its start

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

/// What a point sees of a swept polygon as it goes around it.
struct BorderSearch {
    static constexpr float infinity = std::numeric_limits<float>::infinity();

    Clearance face{-infinity};   // of the line that the point is furthest above, or least below
    Clearance front{infinity};   // nearest edge that the point is above
    Clearance vertex{infinity};  // nearest vertex that the edge after it leads away from
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

/// Inside, the point is below all faces, and nothing of the border is nearer than the face it is least
/// below. The latter tells what is inside from what only rounding puts below the faces: a point in line
/// with something flat, beyond its end. Outside, what is above an edge is nearest to that edge, and all
/// else to a vertex: with distances alone, rounding would mix up the two where they meet.
[[nodiscard]] constexpr Clearance find_clearance(const SweptPolygon& polygon, Vec2 point) {
    BorderSearch seen;
    for (std::size_t i = 0; i < polygon.size; ++i) seen.see(EdgeView(polygon, i, point), i);
    const float rounding = mul(4e-6f, seen.longest_edge);
    const float nearest = min(min(seen.front.distance, seen.vertex.distance), seen.behind);
    if (seen.face.distance <= 0.0f && nearest + seen.face.distance <= rounding) {
        if (polygon.size < 3) seen.face.distance = 0.0f;
        return seen.face;
    }
    if (is_finite(seen.front.distance)) return seen.front;
    if (seen.behind < seen.vertex.distance) return seen.face;  // on the border, but for rounding
    seen.vertex.normal = normalized_or(seen.vertex.normal, seen.face.normal);
    if (seen.vertex.distance <= rounding && dot(seen.vertex.normal, seen.face.normal) <= 0.0f) {
        seen.vertex.normal = seen.face.normal;
    }
    return seen.vertex;
}

/// Where the place is, relative to the world's origin.
[[nodiscard]] constexpr Vec2 border_point(const SweptPolygon& polygon, BorderPlace place) {
    return polygon.anchor +
           lerp(polygon.sum[place.edge], polygon.sum[polygon.next(place.edge)], place.part);
}

/// The point of the polygon itself that a box around `center` touches, if the swept polygon is touched
/// at `place`: in the middle of what they share where both have a side there.
[[nodiscard]] constexpr Vec2 touched_point(const SweptPolygon& polygon, BorderPlace place,
                                           Vec2 center, Vec2 half_extents) {
    const std::size_t next = polygon.next(place.edge);
    const Vec2 from = polygon.own[place.edge], to = polygon.own[next];
    const Vec2 way = polygon.sum[next] - polygon.sum[place.edge];
    if (place.part == 0.0f || (way.x != 0.0f && way.y != 0.0f)) return lerp(from, to, place.part);
    const Vec2 shared = phys2d::center(
        AABB{max(min(from, to), center - half_extents), min(max(from, to), center + half_extents)});
    return way.x == 0.0f ? Vec2{from.x, shared.y} : Vec2{shared.x, from.y};
}

[[nodiscard]] constexpr Manifold collide(const SweptPolygon& polygon, const Shape& shape) {
    const Clearance found = find_clearance(polygon, shape.center - polygon.anchor);
    const float penetration = shape.radius - found.distance;
    const Vec2 point = touched_point(polygon, found.place, shape.center, shape.half_extents);
    return {found.normal, penetration, point - found.normal * (0.5f * penetration)};
}

/// For a shape of half extents h: the polygon's sum with it, around the polygon.
[[nodiscard]] constexpr SweptPolygon swept(const Polygon& polygon, Vec2 half_extents) {
    return {polygon, half_extents, polygon.vertex(0)};
}

/// How far a shape reaches towards `direction` from its centre, in the middle of a side that faces it.
[[nodiscard]] constexpr Vec2 reach_towards(const Shape& shape, Vec2 direction) {
    const Vec2 corner{direction.x == 0.0f ? 0.0f : sign(direction.x),
                      direction.y == 0.0f ? 0.0f : sign(direction.y)};
    return shape.half_extents * corner + direction * shape.radius;
}

}  // namespace detail

/// A shape touches a polygon (or a segment) at an edge or a vertex. With its core inside, it leaves by
/// the nearest face; a core that a segment runs through, to the nearest side of the two together.
[[nodiscard]] constexpr Manifold collide(const Polygon& a, const Shape& b) {
    return detail::collide(detail::swept(a, b.half_extents), b);
}
[[nodiscard]] constexpr Manifold collide(const Shape& a, const Polygon& b) {
    return flipped(collide(b, a));
}

/// A shape leaves a half-space along its normal, however deep it is.
[[nodiscard]] constexpr Manifold collide(const HalfSpace& a, const Shape& b) {
    const Vec2 deepest = b.center + detail::reach_towards(b, -a.normal);
    const float penetration = -signed_distance(a, deepest);
    return {a.normal, penetration, deepest + a.normal * (0.5f * penetration)};
}
[[nodiscard]] constexpr Manifold collide(const Shape& a, const HalfSpace& b) {
    return flipped(collide(b, a));
}

/// True when they share a point, touching exactly included: when `collide` says so.
[[nodiscard]] constexpr bool overlaps(const Polygon& a, const Shape& b) {
    return static_cast<bool>(collide(a, b));
}
[[nodiscard]] constexpr bool overlaps(const Shape& a, const Polygon& b) { return overlaps(b, a); }
[[nodiscard]] constexpr bool overlaps(const HalfSpace& a, const Shape& b) {
    return static_cast<bool>(collide(a, b));
}
[[nodiscard]] constexpr bool overlaps(const Shape& a, const HalfSpace& b) { return overlaps(b, a); }

}  // namespace phys2d::inline PHYS2D_ABI

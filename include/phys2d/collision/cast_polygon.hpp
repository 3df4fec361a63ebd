// SPDX-License-Identifier: MIT
// cast_polygon: when does a ray or a moving shape hit a convex polygon, a segment or a half-space?
//
// As in collision/cast.hpp, a moving shape is a point that moves past a sum, here a swept polygon
// rounded by r. Let u be the direction of the path, and c = cross(u, v - o) the distance of a point
// v to the left of it. The path enters through the face from a to b where c_a >= 0 >= c_b, at the
// fraction c_a / (c_a - c_b) of the face; if through no face, then through a circle of radius r
// around a vertex. Whether it passes left or right of a vertex is decided once for both faces
// there, so nothing slips through between them. The hit is a position on the border, as precise as
// the polygon, however long the path.
// Pre, for all functions: as in collision/collide_polygon.hpp.
#pragma once

#include <phys2d/collision/cast.hpp>
#include <phys2d/collision/collide_polygon.hpp>

namespace phys2d::inline PHYS2D_ABI {

namespace detail {

/// Where a line enters a rounded polygon.
struct LineEntry {
    static constexpr float nowhere = std::numeric_limits<float>::infinity();

    float fraction = nowhere;  // of the translation, may be negative
    Vec2 normal{};
    BorderPlace place{};
};

/// A straight line past a swept polygon. The side on which a point lies is computed from `way`
/// itself, which is exact where `direction` is not.
struct Line {
    Vec2 origin;  // relative to the polygon's anchor
    Vec2 way, direction;
    float whole;

    /// Pre: way is not zero.
    constexpr Line(const SweptPolygon& polygon, Vec2 from, Vec2 to_go)
        : origin(from - polygon.anchor),
          way(to_go),
          direction(normalized(to_go)),
          whole(length(to_go)) {}

    [[nodiscard]] constexpr float left_of(Vec2 point) const {
        return (cross(way, point) - cross(way, origin)) / whole;
    }
    /// The fraction of `way` at which the line is at one of its points, on a surface with this
    /// normal. Uses the coordinate that changes more; across an axis-aligned face that is exact.
    [[nodiscard]] constexpr float fraction_at(Vec2 point, Vec2 normal) const {
        const float telling_x = mul(abs(way.x), normal.y == 0.0f ? 8.0f : 1.0f);
        const float telling_y = mul(abs(way.y), normal.x == 0.0f ? 8.0f : 1.0f);
        return telling_x > telling_y ? (point.x - origin.x) / way.x : (point.y - origin.y) / way.y;
    }
};

/// True if the line misses the polygon, or, unless grazing hits, only grazes it.
[[nodiscard]] constexpr bool passes_by(const SweptPolygon& polygon, float radius, const Line& line,
                                       Grazing grazing) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    float rightmost = infinity, leftmost = -infinity;
    for (std::size_t i = 0; i < polygon.size; ++i) {
        const float left = line.left_of(polygon.sum[i]);
        rightmost = min(rightmost, left - radius);
        leftmost = max(leftmost, left + radius);
    }
    if (grazing == Grazing::Hits) return rightmost > 0.0f || leftmost < 0.0f;
    return rightmost >= 0.0f || leftmost <= 0.0f;
}

/// Entry through a face. Where two faces meet at the entry, `is_preferred` decides.
[[nodiscard]] constexpr LineEntry enter_face(const SweptPolygon& polygon, float radius,
                                             const Line& line) {
    LineEntry entry;
    for (std::size_t i = 0; i < polygon.size; ++i) {
        const Vec2 from = polygon.sum[i], to = polygon.sum[polygon.next(i)];
        const float left_from = line.left_of(from), left_to = line.left_of(to);
        if (!(left_from > left_to)) continue;
        const Vec2 normal = edge_normal(polygon.direction(i));
        const float aside = mul(radius, cross(line.direction, normal));
        if (left_from + aside < 0.0f || left_to + aside > 0.0f) continue;
        const float part = min((left_from + aside) / (left_from - left_to), 1.0f);
        const float fraction = line.fraction_at(lerp(from, to, part) + normal * radius, normal);
        const bool is_tie = fraction == entry.fraction;
        if (fraction < entry.fraction || (is_tie && is_preferred(normal, entry.normal))) {
            entry = {fraction, normal, {i, part}};
        }
    }
    return entry;
}

/// Entry through the circle around a vertex. With radius 0, only the ends of a flat polygon in line
/// with the path are left to hit.
[[nodiscard]] constexpr LineEntry enter_vertex(const SweptPolygon& polygon, float radius,
                                               const Line& line) {
    const float widest = mul(radius, 1.000001f);  // so that rounding leaves no gap next to a face
    LineEntry entry;
    for (std::size_t i = 0; i < polygon.size; ++i) {
        const float left = line.left_of(polygon.sum[i]);
        if (abs(left) > widest) continue;
        const float half = sqrt(max(square(radius) - square(left), 0.0f));
        const Vec2 out = -line.direction * half - perpendicular(line.direction) * left;
        const Vec2 normal = normalized_or(out, -line.direction);
        const float fraction = line.fraction_at(polygon.sum[i] + out, normal);
        if (fraction < entry.fraction) entry = {fraction, normal, {i, 0.0f}};
    }
    return entry;
}

/// Where a line first enters a polygon rounded by `radius`. A convex shape is entered only once, so
/// an entry through a face is the only one.
[[nodiscard]] constexpr LineEntry enter(const SweptPolygon& polygon, float radius, const Line& line,
                                        Grazing grazing) {
    if (passes_by(polygon, radius, line, grazing)) return {};
    const LineEntry entry = enter_face(polygon, radius, line);
    return is_finite(entry.fraction) ? entry : enter_vertex(polygon, radius, line);
}

/// Casts a shape that does not touch the polygon; `start` is what `collide` gives for it. It
/// approaches only if it moves against the normal from the polygon to it.
[[nodiscard]] constexpr CastHit cast_from_outside(const Shape& moving, Vec2 way,
                                                  const SweptPolygon& polygon,
                                                  const Manifold& start, Grazing grazing) {
    if (dot(way, start.normal) >= 0.0f) return {};
    const Line line(polygon, moving.center, way);
    const LineEntry entry = enter(polygon, moving.radius, line, grazing);
    if (entry.fraction > 1.0f) return {};
    if (entry.fraction <= 0.0f) {  // touches at its start, but for rounding
        if (leads_into(way, start.normal)) return {0.0f, entry.normal, start.point};
        return grazing == Grazing::Hits ? CastHit{0.0f, start.normal, start.point} : CastHit{};
    }
    const Vec2 core = border_point(polygon, entry.place) + entry.normal * moving.radius;
    return {entry.fraction, entry.normal,
            touched_point(polygon, entry.place, core, moving.half_extents)};
}

/// Whether a motion deepens the overlap of a shape with a polygon, where `collide` has this normal.
/// Out of a corner, or of the middle, where several faces are equally near, any of them leads.
[[nodiscard]] constexpr bool deepens(const SweptPolygon& polygon, const Shape& moving, Vec2 way,
                                     Vec2 normal) {
    constexpr float rounding = 1e-6f;
    if (!leads_into(way, normal)) return false;
    const Vec2 point = moving.center - polygon.anchor;
    const float nearest = find_clearance(polygon, point).distance;
    for (std::size_t i = 0; i < polygon.size; ++i) {
        const EdgeView edge(polygon, i, point);
        const bool is_nearest = edge.above >= nearest - mul(rounding, edge.length);
        if (is_nearest && dot(way, edge.normal) >= 0.0f) return false;
    }
    return true;
}

}  // namespace detail

/// The first hit of a ray from `origin` to `origin + translation` with a polygon or a segment. A
/// ray that starts inside or on the border (of a slanted edge, to rounding), of length zero too,
/// hits at fraction 0, with the normal of the nearest face.
/// A ray along an edge, or through a vertex only, hits: polygons are closed. Where two faces meet
/// at the hit, the one that faces more up or down is hit; at the end of a segment, hit head-on, the
/// normal is against the ray.
[[nodiscard]] constexpr CastHit ray_cast(Vec2 origin, Vec2 translation, const Polygon& polygon) {
    const detail::SweptPolygon swept = detail::swept(polygon, {});
    const detail::Clearance start = detail::find_clearance(swept, origin - swept.anchor);
    if (start.distance <= 0.0f) return {0.0f, start.normal, origin};
    return detail::cast_from_outside(Circle{0.0f, origin}, translation, swept,
                                     {start.normal, 0.0f, origin}, detail::Grazing::Hits);
}

/// The first hit of a shape that moves by `translation` with a polygon or a segment at rest; if
/// both move, pass the difference. Motion that slides along the surface, leaves it or only grazes
/// it does not hit, even if the two overlap at the start; motion that deepens an overlap hits at
/// fraction 0. A translation of zero hits nothing.
[[nodiscard]] constexpr CastHit shape_cast(const Shape& moving, Vec2 translation,
                                           const Polygon& polygon) {
    const detail::SweptPolygon swept = detail::swept(polygon, moving.half_extents);
    const Manifold start = detail::collide(swept, moving);
    if (!start) {
        return detail::cast_from_outside(moving, translation, swept, start,
                                         detail::Grazing::Misses);
    }
    if (!detail::deepens(swept, moving, translation, start.normal)) return {};
    return {0.0f, start.normal, start.point};
}

/// The first hit of a ray with a half-space. A ray that starts inside or on the border hits at
/// fraction 0.
[[nodiscard]] constexpr CastHit ray_cast(Vec2 origin, Vec2 translation, const HalfSpace& space) {
    const float above = signed_distance(space, origin);
    if (above <= 0.0f) return {0.0f, space.normal, origin};
    const float sinks = -dot(space.normal, translation);
    if (!(above <= sinks)) return {};
    const Vec2 there = origin + translation * (above / sinks);
    return {above / sinks, space.normal, there - space.normal * signed_distance(space, there)};
}

/// The first hit of a shape that moves by `translation` with a half-space: that of its deepest
/// point. Motion along the border or away from it does not hit; motion that deepens an overlap hits
/// at fraction 0.
[[nodiscard]] constexpr CastHit shape_cast(const Shape& moving, Vec2 translation,
                                           const HalfSpace& space) {
    const Manifold start = collide(space, moving);
    if (!start) {
        return ray_cast(moving.center + detail::reach_towards(moving, -space.normal), translation,
                        space);
    }
    if (!detail::leads_into(translation, space.normal)) return {};
    return {0.0f, space.normal, start.point};
}

namespace detail {

/// A polygon at a place in a world, and the functions for it. Vertices stay relative to the place,
/// and what meets them is brought there: far from the origin rounding would turn short edges, and
/// of a polygon that is not convex no point is inside. Must not outlive the polygon.
struct PlacedPolygon {
    const Polygon& polygon;
    Vec2 place{};
};

[[nodiscard]] constexpr Manifold collide(const PlacedPolygon& a, const Shape& b) {
    Manifold manifold = phys2d::collide(a.polygon, translate(b, -a.place));
    manifold.point += a.place;
    return manifold;
}

[[nodiscard]] constexpr bool overlaps(const PlacedPolygon& a, const Shape& b) {
    return phys2d::overlaps(a.polygon, translate(b, -a.place));
}

[[nodiscard]] constexpr CastHit ray_cast(Vec2 origin, Vec2 translation, const PlacedPolygon& at) {
    CastHit hit = phys2d::ray_cast(origin - at.place, translation, at.polygon);
    hit.point += at.place;
    return hit;
}

[[nodiscard]] constexpr CastHit shape_cast(const Shape& moving, Vec2 translation,
                                           const PlacedPolygon& at) {
    CastHit hit = phys2d::shape_cast(translate(moving, -at.place), translation, at.polygon);
    hit.point += at.place;
    return hit;
}

/// A solid in the coordinates of its world.
[[nodiscard]] constexpr Polygon in_world(const PlacedPolygon& solid) {
    return translate(solid.polygon, solid.place);
}
template <class Solid>
[[nodiscard]] constexpr const Solid& in_world(const Solid& solid) {
    return solid;
}

}  // namespace detail
}  // namespace phys2d::inline PHYS2D_ABI

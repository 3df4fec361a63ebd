// SPDX-License-Identifier: MIT
// intersect: where does a segment first meet the border of a convex polygon, from outside or
// inside? It leaves where it would enter if reversed: one formula (collision/cast_polygon.hpp).
//   from outside   the first point of the polygon; along an edge its first point, or just a vertex
//   from inside    the exit, if the segment reaches it
//   on the border  its start, in any direction
// Ends count: a segment that ends on the border meets it. A segment of length zero is a point, and
// meets the border only if it is on it. What is on a slanted edge is so to rounding. Where two
// faces meet, the one that faces more up or down is reported.
#pragma once

#include <phys2d/collision/cast_polygon.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// The result of `intersect`.
struct SegmentHit {
    static constexpr float nothing = CastHit::nothing;

    float t = nothing;         ///< 0 at `from`, 1 at `to`; `nothing` if there is no hit
    Vec2 point{};              ///< on the border [m]
    Vec2 normal{};             ///< unit vector out of the face, also if met from inside
    bool from_inside = false;  ///< the segment starts inside, and leaves here

    /// True for a hit: `if (const SegmentHit hit = intersect(...)) ...`
    constexpr explicit operator bool() const { return t <= 1.0f; }
};

namespace detail {

/// The exit of a segment that starts inside, found by looking back from beyond.
[[nodiscard]] constexpr SegmentHit leave(const SweptPolygon& polygon, Vec2 from, Vec2 way,
                                         const Clearance& start) {
    const Line line(polygon, from, -way);
    const LineEntry back = enter(polygon, 0.0f, line, Grazing::Hits);
    // No entry, because of rounding, if it starts at a vertex and not quite inside: 0, too.
    const float t = max(-back.fraction, 0.0f);
    if (t == 0.0f) return {0.0f, from, start.normal, true};
    if (t > 1.0f) return {};
    return {t, border_point(polygon, back.place), back.normal, true};
}

}  // namespace detail

/// The first point where a segment meets the border of a polygon. Pre: a finite segment, possibly
/// of length 0; a valid polygon, or a Segment, which is solid from both sides.
[[nodiscard]] constexpr SegmentHit intersect(const Segment& segment, const Polygon& polygon) {
    const detail::SweptPolygon swept = detail::swept(polygon, {});
    const Vec2 way = segment.to - segment.from;
    const detail::Clearance start = detail::find_clearance(swept, segment.from - swept.anchor);
    if (start.distance == 0.0f) return {0.0f, segment.from, start.normal, false};
    if (way == Vec2{}) return {};
    if (start.distance < 0.0f) return detail::leave(swept, segment.from, way, start);
    const CastHit hit =
        detail::cast_from_outside(Circle{0.0f, segment.from}, way, swept,
                                  {start.normal, 0.0f, segment.from}, detail::Grazing::Hits);
    return {hit.fraction, hit.point, hit.normal, false};
}

}  // namespace phys2d::inline PHYS2D_ABI

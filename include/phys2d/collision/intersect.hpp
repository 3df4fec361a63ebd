// SPDX-License-Identifier: MIT
// Where does a segment first meet the border of a convex polygon, from outside or from inside?
// It goes out where it would go in if it ran the other way: one formula (collision/cast_polygon.hpp).
//   from outside   the first point of the polygon; along an edge the first point on it, or just a vertex
//   from inside    where it goes out, if it does
//   on the border  its beginning, whichever way it runs; of slanted edges, as far as rounding lets a point be on one
// Ends count: a segment that ends on the border meets it. One of length zero is a point, and meets the
// border only there. Where two faces meet, the one that faces more up or down is met.
#pragma once

#include <phys2d/collision/cast_polygon.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// The answer of `intersect`.
struct SegmentHit {
    static constexpr float nothing = CastHit::nothing;

    float t = nothing;  ///< from 0 at `from` to 1 at `to`; `nothing` where there is no hit
    Vec2 point{};       ///< on the border [m]
    Vec2 normal{};      ///< unit vector out of the face that is met, be it from inside or outside
    bool from_inside = false;  ///< the segment began inside, and leaves here

    /// True for a hit: `if (const SegmentHit hit = intersect(...)) ...`
    constexpr explicit operator bool() const { return t <= 1.0f; }
};

namespace detail {

/// Where a way that begins inside goes out, by looking back from beyond.
[[nodiscard]] constexpr SegmentHit leave(const SweptPolygon& polygon, Vec2 from, Vec2 way,
                                         const Clearance& start) {
    const Line line(polygon, from, -way);
    const LineEntry back = enter(polygon, 0.0f, line, Grazing::Hits);
    // Nowhere, because of rounding, if it begins at a vertex and not quite inside.
    const float t = is_finite(back.fraction) ? max(-back.fraction, 0.0f) : 0.0f;
    if (t == 0.0f) return {0.0f, from, start.normal, true};
    if (t > 1.0f) return {};
    return {t, border_point(polygon, back.place), back.normal, true};
}

}  // namespace detail

/// Pre: valid ones both, but for the segment's length, which may be zero; the polygon may be a segment,
/// and is then solid from both sides.
[[nodiscard]] constexpr SegmentHit intersect(const Segment& segment, const Polygon& polygon) {
    const detail::SweptPolygon swept = detail::swept(polygon, {});
    const Vec2 way = segment.to - segment.from;
    const detail::Clearance start = detail::find_clearance(swept, segment.from - swept.anchor);
    if (start.distance == 0.0f) return {0.0f, segment.from, start.normal, false};
    if (way == Vec2{}) return {};
    if (start.distance < 0.0f) return detail::leave(swept, segment.from, way, start);
    const CastHit hit = detail::cast_from_outside(detail::point_shape(segment.from), way, swept,
                                                  start.normal, detail::Grazing::Hits);
    return {hit.fraction, hit.point, hit.normal, false};
}

}  // namespace phys2d::inline PHYS2D_ABI

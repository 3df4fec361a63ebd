// SPDX-License-Identifier: MIT
// touch_face: how does one shape touch one face of terrain, or hit it during its motion? Gives the
// results of touch_faces.hpp, which processes many of them at once, as a Manifold and a CastHit.
#pragma once

#include <phys2d/collision/collide_polygon.hpp>
#include <phys2d/collision/touch_faces.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Height of a shape above a plane through a point [m].
[[nodiscard]] constexpr float height_above(Vec2 point, Vec2 normal, const Shape& shape) {
    return dot(shape.center - point, normal) - dot(shape.half_extents, abs(normal)) - shape.radius;
}

/// Whether a shape stays more than `reach` [m] beyond one end of a face during its motion, or in
/// front of its corner there if it has no length.
[[nodiscard]] constexpr bool stays_beyond_end(const Face& face, const Shape& shape, Vec2 way,
                                              float reach) {
    const Vec2 along = perpendicular(face.normal);
    const float place = dot(shape.center - face.start, along);
    const float drift = dot(way, along);
    const float half_length = dot(shape.half_extents, abs(along)) + shape.radius + reach;
    return place + max(drift, 0.0f) + half_length < min(face.begin, 0.0f) ||
           max(face.end, 0.0f) < place + min(drift, 0.0f) - half_length;
}

/// Whether a shape may touch a face at most `margin` [m] away, or hit it during its motion, as far
/// as the plane and the ends tell: what stays in front of the plane, or beyond an end, cannot touch
/// the corner either. `flush`: with rounding.
[[nodiscard]] constexpr bool may_touch(const Face& face, const Shape& shape, Vec2 way, float margin,
                                       float flush) {
    const float approach = -dot(way, face.normal);
    return height_above(face.start, face.normal, shape) <= max(margin, approach) &&
           !stays_beyond_end(face, shape, way, margin + 4.0f * flush);
}

/// One face, and one shape that may touch it. `flush`: with rounding.
[[nodiscard]] constexpr FaceTouch<1> touch_near_face(const Face& face, const Shape& shape, Vec2 way,
                                                     float margin, float flush) {
    using Real = simd::Lanes<1>;
    const NearFace<1> body{.center = simd::in_lane(shape.center - face.start),
                           .half_extents = simd::in_lane(shape.half_extents),
                           .r = Real{shape.radius},
                           .way = simd::in_lane(way),
                           .free_way = simd::in_lane(way),
                           .slop = Real{0.0f},
                           .flush = Real{flush}};
    return touch_faces<1>(FaceLanes<1>::of(face), body, margin);
}

/// One face, and one shape, in world coordinates. `flush`: see `flush_slop`; add the rounding of
/// the terrain's position.
[[nodiscard]] constexpr FaceTouch<1> touch_face(const Face& face, const Shape& shape, Vec2 way,
                                                float margin, float flush) {
    const float near_end = flush + place_rounding(abs(shape.center) + abs(face.start));
    if (!may_touch(face, shape, way, margin, near_end)) return {};
    return touch_near_face(face, shape, way, margin, near_end);
}

/// Whether a shape touches a face, or is at most `reach` [m] away from it.
[[nodiscard]] constexpr bool touches(const Face& face, const Shape& shape, float reach) {
    return touch_face(face, shape, {}, reach, 0.0f).is_touched.set;
}

/// Half the length of the side of a shape that faces a direction; 0 if a vertex does [m].
[[nodiscard]] constexpr float flat_half(const Shape& shape, Vec2 normal) {
    if (is_slanted(normal)) return 0.0f;
    return normal.x == 0.0f ? shape.half_extents.x : shape.half_extents.y;
}

/// The point of contact between a face and a shape, `separation` apart: midway between the two, in
/// the middle of the shared part, or at the end of the face that the shape is past.
[[nodiscard]] constexpr Vec2 touched_point(const Face& face, const Shape& shape, Vec2 normal,
                                           float separation) {
    const Vec2 above = normal * (0.5f * separation);
    const bool is_corner = face.end < face.begin;
    if (is_corner || normal != face.normal) return face.start + above;
    const Vec2 lowest = shape.center + reach_towards(shape, -normal);
    const Vec2 along = perpendicular(normal);
    const float flat = flat_half(shape, normal);
    const float place = dot(lowest - face.start, along);
    const float middle = 0.5f * (clamp(place - flat, face.begin, face.end) +
                                 clamp(place + flat, face.begin, face.end));
    return lowest - above + along * (middle - place);
}

/// Distance of a shape from the end of a face that its lowest part is past, or from the corner that
/// it touches with `normal` [m]; the lowest float if it is past no end, or its box is around that.
[[nodiscard]] constexpr float distance_past_end(const Face& face, Vec2 normal, const Shape& shape) {
    const Vec2 along = perpendicular(face.normal);
    const Vec2 lowest = shape.center + reach_towards(shape, -face.normal);
    const bool at_corner = normal != face.normal;
    const float place = dot(lowest - face.start, along);
    const float nearest =
        at_corner ? 0.0f : clamp(place, min(face.begin, 0.0f), max(face.end, 0.0f));
    const bool is_past = at_corner || abs(place - nearest) > flat_half(shape, normal);
    const Vec2 from_end = shape.center - (face.start + along * nearest);
    const Vec2 apart = from_end - clamp(from_end, -shape.half_extents, shape.half_extents);
    if (!is_past || apart == Vec2{}) return -std::numeric_limits<float>::max();
    return length(apart) - shape.radius;
}

/// The contact of a shape with a face at most `reach` [m] away, with the normal out of the terrain;
/// penetration below -reach if there is none.
[[nodiscard]] constexpr Manifold collide_with_face(const Face& face, const Shape& shape,
                                                   float reach, float flush) {
    const FaceTouch<1> touch = touch_face(face, shape, {}, reach, flush);
    if (!touch.is_touched.set) return {{}, -std::numeric_limits<float>::max(), {}};
    const Vec2 normal{touch.normal.x.value, touch.normal.y.value};
    const float separation = touch.separation.value;
    return {normal, -separation, touched_point(face, shape, normal, separation)};
}

/// The hit of a ray with a face. The ray must start in front of the face, or at most `behind` [m]
/// behind it. It may miss an end of the face by `flush` [m], and by what rounding shifts the place
/// that it hits: more, the longer its way there and the flatter it comes in. Faces that meet must
/// have the same ends, up to rounding, as those of one terrain have before they are placed in the
/// world.
[[nodiscard]] constexpr CastHit ray_cast_at_face(const Face& face, Vec2 origin, Vec2 way,
                                                 float behind, float flush) {
    const float sinks = -dot(way, face.normal);
    if (!(sinks > 0.0f)) return {};
    const Vec2 from_start = origin - face.start;
    const float above = dot(from_start, face.normal);
    if (above < -behind || above > sinks) return {};
    const float fraction = max(above, 0.0f) / sinks;
    const Vec2 along = perpendicular(face.normal);
    const float drift = dot(way, along);
    const float place = dot(from_start, along) + mul(drift, fraction);
    const float flatness = min(abs(drift) / sinks, 16.0f);
    const float of_way = mul(4.0f * place_rounding(abs(from_start)), 1.0f + flatness);
    const float of_end =
        mul(place_rounding(abs(face.start)), is_slanted(face.normal) ? 1.0f + flatness : 1.0f);
    const float beyond = flush + of_way + of_end;
    if (place < -beyond || place > face.length + beyond) return {};
    return {fraction, face.normal, face.start + along * min(max(place, 0.0f), face.length)};
}

/// Whether the corner of a face is the end of something thin.
[[nodiscard]] constexpr bool turns_back(const Face& face) { return face.before == -face.normal; }

/// Whether a shape around the end of something thin leaves it sooner across than along `normal`.
[[nodiscard]] constexpr bool lies_across_end(const Face& face, Vec2 normal, const Shape& shape) {
    const float across = max(height_above(face.start, face.normal, shape),
                             height_above(face.start, -face.normal, shape));
    return height_above(face.start, normal, shape) < across;
}

/// Whether the way of a shape leads to a face from in front of it, or to its corner.
[[nodiscard]] constexpr bool leads_to_face(const Face& face, Vec2 way) {
    return dot(way, face.normal) < 0.0f || dot(way, face.before) < 0.0f || turns_back(face);
}

/// The hit of a shape with a face to which its way leads.
[[nodiscard]] constexpr CastHit cast_towards_face(const Face& face, const Shape& shape, Vec2 way,
                                                  float flush) {
    const FaceTouch<1> touch = touch_face(face, shape, way, 0.0f, flush);
    const Vec2 normal{touch.normal.x.value, touch.normal.y.value};
    if (!touch.is_touched.set || dot(way, normal) >= 0.0f) return {};
    const float fraction = touch.fraction.value;
    if (fraction == 0.0f && !leads_into(way, normal)) return {};
    if (turns_back(face) && fraction == 0.0f && lies_across_end(face, normal, shape)) return {};
    const Shape there = translate(shape, way * fraction);
    return {fraction, normal, touched_point(face, there, normal, 0.0f)};
}

/// The hit of a shape that moves by `way` with a face.
[[nodiscard]] constexpr CastHit cast_at_face(const Face& face, const Shape& shape, Vec2 way,
                                             float flush) {
    return leads_to_face(face, way) ? cast_towards_face(face, shape, way, flush) : CastHit{};
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

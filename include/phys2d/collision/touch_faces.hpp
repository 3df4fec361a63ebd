// SPDX-License-Identifier: MIT
// touch_faces: how do shapes touch faces of terrain? Processes W pairs at once.
//
//   plane    the half-space behind the face: separation = n·(c - p) - |n|·h - r. It is touched
//            if the closest part of the shape is between the ends of the face.
//   corner   the point at the start of the face, if the surface turns away there: the formula for
//            two shapes, for normals strictly between those of the two faces.
// A shape that overlaps a corner by less than a slop passes it, and the face that it gets onto
// holds it: bodies lie slightly below the floor that they slide on, and would run into every edge
// that is flush with it.
#pragma once

#include <phys2d/collision/cast.hpp>
#include <phys2d/collision/touch_planes.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Whether directions are strictly between the normals of the two faces that meet in a corner.
template <int Width>
PHYS2D_INLINE constexpr simd::LaneMask<Width> is_between_faces(const FaceLanes<Width>& face,
                                                               simd::Columns2<Width> direction) {
    const auto zero = simd::Lanes<Width>::fill(0.0f);
    return (zero < cross(face.before, direction)) & (zero < cross(direction, face.normal));
}

/// Distance of corners and shapes, with the normal out of the terrain. If a corner is inside a box
/// and the shorter way out of it leads into the terrain, the longer one is taken.
template <int Width>
PHYS2D_INLINE constexpr Separation<Width> separate_corners(const FaceLanes<Width>& face,
                                                           const NearFace<Width>& shape) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const auto nearest = separate(-shape.center, shape.half_extents, shape.r);
    const simd::Columns2<Width> normal = -nearest.normal;

    const simd::Columns2<Width> q = abs(shape.center) - shape.half_extents;
    const auto x_leads = q.y < q.x;
    const simd::Columns2<Width> other{select(x_leads, zero, sign(shape.center.x)),
                                      select(x_leads, sign(shape.center.y), zero)};
    const auto leads_in = (cross(face.before, normal) < zero) | (cross(normal, face.normal) < zero);
    const auto takes_other =
        leads_in & (max(q.x, q.y) < zero) & is_between_faces<Width>(face, other);
    return {select(takes_other, min(q.x, q.y) - shape.r, nearest.distance),
            select(takes_other, other, normal)};
}

/// A rounded shape that passes a corner with less overlap than the slop is held by the plane that
/// touches both at their closest approach, or by that of a face if it gets onto one:
///
///       ( c ) ->          the circle hits the corner o from the side, but passes above it:
///        `-' o======      the normal is that at the closest approach, with c above o
template <int Width>
PHYS2D_INLINE constexpr void let_pass_corners(const FaceLanes<Width>& face,
                                              const NearFace<Width>& shape,
                                              FaceTouch<Width>& touch) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const auto moves = touch.is_touched & (zero < min(shape.slop, shape.r)) &
                       (shape.slop < max(abs(shape.free_way.x), abs(shape.free_way.y)));
    if (!any(moves)) return;
    const simd::Columns2<Width> q = abs(shape.center) - shape.half_extents;
    const simd::Columns2<Width> from_corner{max(q.x, zero) * sign(shape.center.x),
                                            max(q.y, zero) * sign(shape.center.y)};
    const CastWay<Width> way(shape.free_way);
    const ClosestPass<Width> closest(from_corner, -way.d);
    const auto shrunk = cast_point<Width, Grazing::Misses>(shape.center, way, shape.half_extents,
                                                           shape.r - shape.slop);
    const auto passes = moves & (shape.r - shape.slop < closest.distance) & !shrunk.hits;

    const auto is_corner = is_between_faces<Width>(face, closest.normal);
    const auto is_before = dot(face.normal, closest.normal) < dot(face.before, closest.normal);
    const auto side = select(is_before, face.before, face.normal);
    const auto n = select(is_corner, closest.normal, side);
    touch.normal = select(passes, n, touch.normal);
    const Real separation = max(dot(from_corner, n) - shape.r, -shape.slop);
    touch.separation = select(passes, separation, touch.separation);
}

/// Whether shapes are in front of planes through the starts of faces, and stay there during their
/// motion.
template <int Width>
PHYS2D_INLINE constexpr simd::LaneMask<Width> stay_in_front(simd::Columns2<Width> normal,
                                                            const NearFace<Width>& shape) {
    const auto zero = simd::Lanes<Width>::fill(0.0f);
    const auto height = height_over<Width>(shape, shape.center, normal);
    return zero <= height + min(dot(shape.way, normal), zero);
}

/// How far a shape may be from what it touches in this step.
template <int Width>
PHYS2D_INLINE constexpr simd::Lanes<Width> longest_reach(const NearFace<Width>& shape,
                                                         float margin) {
    return max(abs(shape.way.x) + abs(shape.way.y), simd::Lanes<Width>::fill(margin));
}

/// How far shapes are from the corners of faces, as far as their bounds tell; very far from those
/// that have none.
template <int Width>
PHYS2D_INLINE constexpr simd::Lanes<Width> room_before_corners(const FaceLanes<Width>& face,
                                                               const NearFace<Width>& shape) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const auto turns =
        (zero < cross(face.before, face.normal)) | (dot(face.before, face.normal) < zero);
    const simd::Columns2<Width> gap = abs(shape.center) - shape.half_extents;
    return select(turns, max(gap.x, gap.y) - shape.r, Real::fill(endless_length));
}

/// Of two contacts in each lane the first where `takes_first`, else the second.
template <int Width>
PHYS2D_INLINE constexpr FaceTouch<Width> pick(simd::LaneMask<Width> takes_first,
                                              const FaceTouch<Width>& first,
                                              const FaceTouch<Width>& second) {
    const auto mask = [&](simd::LaneMask<Width> a, simd::LaneMask<Width> b)
                          PHYS2D_INLINED { return (takes_first & a) | (b & !takes_first); };
    return {select(takes_first, first.separation, second.separation),
            select(takes_first, first.fraction, second.fraction),
            select(takes_first, first.normal, second.normal),
            mask(first.is_touched, second.is_touched), mask(first.from_beside, second.from_beside)};
}

/// Contacts of sides of boxes, whose inner normals are `axis`, with corners: a corner is a face
/// without length, which leans where it turns to the faces beside it.
template <int Width>
PHYS2D_INLINE constexpr FaceTouch<Width> touch_with_sides(const FaceLanes<Width>& face,
                                                          const NearFace<Width>& shape,
                                                          float margin,
                                                          simd::Columns2<Width> axis) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const auto lean_to = [&](simd::Columns2<Width> side) PHYS2D_INLINED {
        const Real across = abs(cross(axis, side));
        const Real ahead = Real::fill(1.0f) + dot(axis, side);
        return -across / max(ahead, across);
    };
    FaceLanes<Width> corner = face;
    corner.normal = axis;
    corner.begin = corner.end = corner.half_thickness = zero;
    corner.lean_begin = lean_to(face.before);
    corner.lean_end = lean_to(face.normal);
    auto touch = touch_planes<Width>(corner, shape, margin);
    touch.is_touched = touch.is_touched & is_between_faces<Width>(face, axis);
    return touch;
}

/// Whether boxes that overlap corners by -`separation` leave them sooner through a face beside
/// them, which holds them: one that their centres are in front of, and that is in line with a side
/// of theirs, or a side of something thin.
template <int Width>
PHYS2D_INLINE constexpr simd::LaneMask<Width> are_held_by_faces(const FaceLanes<Width>& face,
                                                                const NearFace<Width>& shape,
                                                                simd::Lanes<Width> separation) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const Real turn = cross(face.before, face.normal);
    const auto holds = [&](simd::Columns2<Width> n) PHYS2D_INLINED {
        const auto is_in_line = min(abs(n.x * n.y), abs(turn)) <= zero;
        const auto is_in_front = zero <= dot(shape.center, n);
        return is_in_line & is_in_front & (separation < height_over<Width>(shape, shape.center, n));
    };
    return (separation < zero) & (holds(face.normal) | holds(face.before));
}

/// Contacts of boxes with corners. Two sides of a box face a corner. One along which they overlap
/// by less than the slop does not touch it; of those that do, the one in which the corner is less
/// deep holds the box.
template <int Width>
PHYS2D_INLINE constexpr FaceTouch<Width> touch_with_boxes(const FaceLanes<Width>& face,
                                                          const NearFace<Width>& shape,
                                                          float margin) {
    const auto zero = simd::Lanes<Width>::fill(0.0f);
    const auto upright = touch_with_sides<Width>(face, shape, margin, {sign(shape.center.x), zero});
    const auto level = touch_with_sides<Width>(face, shape, margin, {zero, sign(shape.center.y)});
    const auto takes_level =
        level.is_touched & ((upright.separation <= level.separation) | !upright.is_touched);
    auto touch = pick<Width>(takes_level, level, upright);
    touch.is_touched = touch.is_touched & !are_held_by_faces<Width>(face, shape, touch.separation);
    return touch;
}

/// Contacts of rounded shapes with corners, in the lanes of `candidates`.
template <int Width>
PHYS2D_INLINE constexpr FaceTouch<Width> touch_with_rounded(const FaceLanes<Width>& face,
                                                            const NearFace<Width>& shape,
                                                            float margin,
                                                            simd::LaneMask<Width> candidates) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const auto apart = separate_corners<Width>(face, shape);
    const auto is_near = apart.distance <= Real::fill(margin);
    const auto may_touch = candidates & (apart.distance <= longest_reach(shape, margin));
    PointCast<Width> meeting{zero, {zero, zero}, simd::LaneMask<Width>::none()};
    if (any(may_touch & !is_near)) {
        meeting = cast_point<Width, Grazing::Misses>(shape.center, CastWay<Width>(shape.way),
                                                     shape.half_extents, shape.r);
    }
    const auto normal = select(is_near, apart.normal, meeting.normal);
    const Real fraction = select(is_near, zero, meeting.fraction);
    const Real along = -dot(shape.way, normal);
    const auto is_between = is_between_faces<Width>(face, normal);
    FaceTouch<Width> touch{select(is_near, apart.distance, along * fraction), fraction, normal,
                           may_touch & (is_near | meeting.hits) & is_between, candidates};
    let_pass_corners(face, shape, touch);
    return touch;
}

/// Contacts with the corners at the starts of faces, in the lanes of `candidates`. A shape that
/// stays in front of one of the two faces cannot touch the corner, nor a box one where no side of a
/// box may lie.
template <int Width>
PHYS2D_INLINE constexpr FaceTouch<Width> touch_corners(const FaceLanes<Width>& face,
                                                       const NearFace<Width>& shape, float margin,
                                                       simd::LaneMask<Width> candidates) {
    const auto zero = simd::Lanes<Width>::fill(0.0f);
    const auto is_box = shape.r <= zero;
    const auto has_side = is_between_faces<Width>(face, {sign(shape.center.x), zero}) |
                          is_between_faces<Width>(face, {zero, sign(shape.center.y)});
    const auto may_touch = candidates & (has_side | !is_box) &
                           !stay_in_front<Width>(face.normal, shape) &
                           !stay_in_front<Width>(face.before, shape);
    FaceTouch<Width> touch{zero, zero, {zero, zero}, simd::LaneMask<Width>::none(), candidates};
    if (any(may_touch & is_box)) touch = touch_with_boxes<Width>(face, shape, margin);
    const auto rounded = may_touch & !is_box;
    if (any(rounded)) {
        touch =
            pick<Width>(rounded, touch_with_rounded<Width>(face, shape, margin, rounded), touch);
    }
    touch.is_touched = touch.is_touched & may_touch;
    return touch;
}

/// How far shapes are from touching faces, or less: from their planes, or beside the ends if they
/// are rounded, and no wide ones at a slope, and from their corners. Translations by less than that
/// lead to no contact. Most faces near a body at rest have room before them, and `touch_faces`
/// takes longer to tell.
template <int Width>
PHYS2D_INLINE constexpr simd::Lanes<Width> room_before_faces(const FaceLanes<Width>& face,
                                                             const NearFace<Width>& shape) {
    using Real = simd::Lanes<Width>;
    const auto motion = PlaneMotion<Width>::of(face, shape);
    const Real beside = max(face.begin - motion.place, motion.place - face.end) -
                        (shape.flush + motion.half_length);
    const auto is_rounded = (Real::fill(0.0f) < shape.r) & !is_wide_at_slope<Width>(face, shape);
    const Real plane = select(is_rounded, max(motion.separation, beside), motion.separation);
    return min(plane, room_before_corners<Width>(face, shape));
}

/// From the planes of faces to shapes [m].
template <int Width>
PHYS2D_INLINE constexpr simd::Lanes<Width> separation_from_planes(const FaceLanes<Width>& face,
                                                                  const NearFace<Width>& shape) {
    return PlaneMotion<Width>::of(face, shape).separation;
}

/// Which shapes lie on their faces, far from the ends, as most that touch terrain do: all that
/// `touch_faces` would tell is that they touch the planes, from above. Others may do so, too.
/// `drift`: with or without forces, translations are no longer than that [m].
template <int Width>
PHYS2D_INLINE constexpr simd::LaneMask<Width> lie_on_faces(const FaceLanes<Width>& face,
                                                           const NearFace<Width>& shape,
                                                           float margin, simd::Lanes<Width> drift) {
    using Real = simd::Lanes<Width>;
    const auto motion = PlaneMotion<Width>::of(face, shape);
    const Real zero = Real::fill(0.0f);
    const auto is_box = shape.r <= zero;
    const Real depth =
        max(-(motion.separation + shape.r), select(is_box, max(shape.slop, shape.flush), zero));
    const Real inset = depth + select(is_box, drift + shape.flush, zero) - motion.half_length;
    const auto is_over = (face.begin + inset <= motion.place) & (motion.place <= face.end - inset);
    const auto is_near = motion.separation <= Real::fill(margin);
    const auto is_in_front = zero <= motion.height;
    return is_over & is_near & is_in_front & !is_wide_at_slope<Width>(face, shape);
}

/// Contacts of W shapes with W faces. `margin`: largest distance at the start [m].
template <int Width>
PHYS2D_INLINE constexpr FaceTouch<Width> touch_faces(const FaceLanes<Width>& face,
                                                     const NearFace<Width>& shape, float margin) {
    const auto plane = touch_planes<Width>(face, shape, margin);
    const auto has_near_corner =
        room_before_corners<Width>(face, shape) <= longest_reach<Width>(shape, margin);
    const auto at_corner = has_near_corner & !plane.is_touched;
    if (!any(at_corner)) return plane;
    const auto corner = touch_corners<Width>(face, shape, margin, at_corner);
    auto touch = pick<Width>(plane.is_touched, plane, corner);
    touch.from_beside = plane.from_beside | at_corner;
    return touch;
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

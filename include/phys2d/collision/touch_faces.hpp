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
                                                               simd::Lanes<Width> x,
                                                               simd::Lanes<Width> y) {
    const auto zero = simd::Lanes<Width>::fill(0.0f);
    return (zero < face.before_x * y - face.before_y * x) &
           (zero < x * face.normal_y - y * face.normal_x);
}

/// Distance of corners and shapes, with the normal out of the terrain. If a corner is inside a box
/// and the shorter way out of it leads into the terrain, the longer one is taken.
template <int Width>
PHYS2D_INLINE constexpr Separation<Width> separate_corners(const FaceLanes<Width>& face,
                                                           const NearFace<Width>& shape) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const auto nearest = separate(zero - shape.x, zero - shape.y, shape.h_x, shape.h_y, shape.r);
    const Real normal_x = zero - nearest.normal_x;
    const Real normal_y = zero - nearest.normal_y;

    const Real q_x = abs(shape.x) - shape.h_x;
    const Real q_y = abs(shape.y) - shape.h_y;
    const auto x_leads = q_y < q_x;
    const Real other_x = select(x_leads, zero, sign(shape.x));
    const Real other_y = select(x_leads, sign(shape.y), zero);
    const auto leads_in = (face.before_x * normal_y - face.before_y * normal_x < zero) |
                          (normal_x * face.normal_y - normal_y * face.normal_x < zero);
    const auto takes_other =
        leads_in & (max(q_x, q_y) < zero) & is_between_faces<Width>(face, other_x, other_y);
    return {select(takes_other, min(q_x, q_y) - shape.r, nearest.distance),
            select(takes_other, other_x, normal_x), select(takes_other, other_y, normal_y)};
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
                       (shape.slop < max(abs(shape.free_x), abs(shape.free_y)));
    if (!any(moves)) return;
    const Real x = max(abs(shape.x) - shape.h_x, zero) * sign(shape.x);
    const Real y = max(abs(shape.y) - shape.h_y, zero) * sign(shape.y);
    const CastWay<Width> way(shape.free_x, shape.free_y);
    const ClosestPass<Width> closest(x, y, zero - way.x, zero - way.y);
    const auto shrunk = cast_point<Width, Grazing::Misses>(shape.x, shape.y, way, shape.h_x,
                                                           shape.h_y, shape.r - shape.slop);
    const auto passes = moves & (shape.r - shape.slop < closest.distance) & !shrunk.hits;

    const Real c_x = closest.normal_x;
    const Real c_y = closest.normal_y;
    const auto is_corner = is_between_faces<Width>(face, c_x, c_y);
    const auto is_before =
        face.normal_x * c_x + face.normal_y * c_y < face.before_x * c_x + face.before_y * c_y;
    const Real n_x = select(is_corner, c_x, select(is_before, face.before_x, face.normal_x));
    const Real n_y = select(is_corner, c_y, select(is_before, face.before_y, face.normal_y));
    touch.normal_x = select(passes, n_x, touch.normal_x);
    touch.normal_y = select(passes, n_y, touch.normal_y);
    const Real separation = max(x * n_x + y * n_y - shape.r, zero - shape.slop);
    touch.separation = select(passes, separation, touch.separation);
}

/// Whether shapes are in front of planes through the starts of faces, and stay there during their
/// motion.
template <int Width>
PHYS2D_INLINE constexpr simd::LaneMask<Width> stay_in_front(simd::Lanes<Width> normal_x,
                                                            simd::Lanes<Width> normal_y,
                                                            const NearFace<Width>& shape) {
    const auto zero = simd::Lanes<Width>::fill(0.0f);
    const auto height = height_over<Width>(shape, shape.x, shape.y, normal_x, normal_y);
    const auto rise = shape.way_x * normal_x + shape.way_y * normal_y;
    return zero <= height + min(rise, zero);
}

/// How far a shape may be from what it touches in this step.
template <int Width>
PHYS2D_INLINE constexpr simd::Lanes<Width> longest_reach(const NearFace<Width>& shape,
                                                         float margin) {
    return max(abs(shape.way_x) + abs(shape.way_y), simd::Lanes<Width>::fill(margin));
}

/// How far shapes are from the corners of faces, as far as their bounds tell; very far from those
/// that have none.
template <int Width>
PHYS2D_INLINE constexpr simd::Lanes<Width> room_before_corners(const FaceLanes<Width>& face,
                                                               const NearFace<Width>& shape) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const Real turn = face.before_x * face.normal_y - face.before_y * face.normal_x;
    const Real along = face.before_x * face.normal_x + face.before_y * face.normal_y;
    const Real apart = max(abs(shape.x) - shape.h_x, abs(shape.y) - shape.h_y) - shape.r;
    return select((zero < turn) | (along < zero), apart, Real::fill(endless_length));
}

/// Of two contacts in each lane the first where `takes_first`, else the second.
template <int Width>
PHYS2D_INLINE constexpr FaceTouch<Width> pick(simd::LaneMask<Width> takes_first,
                                              const FaceTouch<Width>& first,
                                              const FaceTouch<Width>& second) {
    const auto real = [&](simd::Lanes<Width> a, simd::Lanes<Width> b)
                          PHYS2D_INLINED { return select(takes_first, a, b); };
    const auto mask = [&](simd::LaneMask<Width> a, simd::LaneMask<Width> b)
                          PHYS2D_INLINED { return (takes_first & a) | (b & !takes_first); };
    return {real(first.separation, second.separation), real(first.fraction, second.fraction),
            real(first.normal_x, second.normal_x),     real(first.normal_y, second.normal_y),
            mask(first.is_touched, second.is_touched), mask(first.from_beside, second.from_beside)};
}

/// Contacts of sides of boxes, whose inner normals are `axis`, with corners: a corner is a face
/// without length, which leans where it turns to the faces beside it.
template <int Width>
PHYS2D_INLINE constexpr FaceTouch<Width> touch_with_sides(const FaceLanes<Width>& face,
                                                          const NearFace<Width>& shape,
                                                          float margin, simd::Lanes<Width> axis_x,
                                                          simd::Lanes<Width> axis_y) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const auto lean_to = [&](Real x, Real y) PHYS2D_INLINED {
        const Real across = abs(axis_x * y - axis_y * x);
        const Real ahead = Real::fill(1.0f) + (axis_x * x + axis_y * y);
        return zero - across / max(ahead, across);
    };
    FaceLanes<Width> corner = face;
    corner.normal_x = axis_x;
    corner.normal_y = axis_y;
    corner.begin = corner.end = corner.half_thickness = zero;
    corner.lean_begin = lean_to(face.before_x, face.before_y);
    corner.lean_end = lean_to(face.normal_x, face.normal_y);
    auto touch = touch_planes<Width>(corner, shape, margin);
    touch.is_touched = touch.is_touched & is_between_faces<Width>(face, axis_x, axis_y);
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
    const Real turn = face.before_x * face.normal_y - face.before_y * face.normal_x;
    const auto holds = [&](Real n_x, Real n_y) PHYS2D_INLINED {
        const auto is_in_line = min(abs(n_x * n_y), abs(turn)) <= zero;
        const auto is_in_front = zero <= shape.x * n_x + shape.y * n_y;
        return is_in_line & is_in_front &
               (separation < height_over<Width>(shape, shape.x, shape.y, n_x, n_y));
    };
    return (separation < zero) &
           (holds(face.normal_x, face.normal_y) | holds(face.before_x, face.before_y));
}

/// Contacts of boxes with corners. Two sides of a box face a corner. One along which they overlap
/// by less than the slop does not touch it; of those that do, the one in which the corner is less
/// deep holds the box.
template <int Width>
PHYS2D_INLINE constexpr FaceTouch<Width> touch_with_boxes(const FaceLanes<Width>& face,
                                                          const NearFace<Width>& shape,
                                                          float margin) {
    const auto zero = simd::Lanes<Width>::fill(0.0f);
    const auto upright = touch_with_sides<Width>(face, shape, margin, sign(shape.x), zero);
    const auto level = touch_with_sides<Width>(face, shape, margin, zero, sign(shape.y));
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
    PointCast<Width> meeting{zero, zero, zero, simd::LaneMask<Width>::none()};
    if (any(may_touch & !is_near)) {
        meeting = cast_point<Width, Grazing::Misses>(shape.x, shape.y,
                                                     CastWay<Width>(shape.way_x, shape.way_y),
                                                     shape.h_x, shape.h_y, shape.r);
    }
    const Real normal_x = select(is_near, apart.normal_x, meeting.normal_x);
    const Real normal_y = select(is_near, apart.normal_y, meeting.normal_y);
    const Real fraction = select(is_near, zero, meeting.fraction);
    const Real along = zero - (shape.way_x * normal_x + shape.way_y * normal_y);
    const auto is_between = is_between_faces<Width>(face, normal_x, normal_y);
    FaceTouch<Width> touch{
        select(is_near, apart.distance, along * fraction), fraction,  normal_x, normal_y,
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
    const auto has_side = is_between_faces<Width>(face, sign(shape.x), zero) |
                          is_between_faces<Width>(face, zero, sign(shape.y));
    const auto may_touch = candidates & (has_side | !is_box) &
                           !stay_in_front<Width>(face.normal_x, face.normal_y, shape) &
                           !stay_in_front<Width>(face.before_x, face.before_y, shape);
    FaceTouch<Width> touch{zero, zero, zero, zero, simd::LaneMask<Width>::none(), candidates};
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
    const Real depth = max(zero - (motion.separation + shape.r),
                           select(is_box, max(shape.slop, shape.flush), zero));
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

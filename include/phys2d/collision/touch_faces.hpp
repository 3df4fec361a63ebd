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
#include <phys2d/collision/face.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Sides of boxes that overlap a face by less than this along the face do not touch it, or by less
/// than the slop at corners if that is larger [m at length unit 1]: a box that falls along a wall
/// does not land on the corner at its foot. Rounded shapes and corners reach further by as much.
/// The possible rounding is added: there is no gap between a face and its corner.
inline constexpr float flush_slop = 1e-5f;

/// Distance by which rounding may separate the end of a face from the corner there. `x`, `y`: sums
/// of the absolute coordinates of everything that is added up to place the two: each is wrong by at
/// most half its epsilon, at either end of the face.
template <int Width>
PHYS2D_INLINE constexpr simd::Lanes<Width> place_rounding(simd::Lanes<Width> x,
                                                          simd::Lanes<Width> y) {
    return max(x, y) * simd::Lanes<Width>::fill(std::numeric_limits<float>::epsilon());
}
[[nodiscard]] constexpr float place_rounding(Vec2 place) {
    using Real = simd::Lanes<1>;
    return place_rounding<1>(Real{abs(place.x)}, Real{abs(place.y)}).value;
}

/// W faces in lanes.
template <int Width>
struct FaceLanes {
    using Real = simd::Lanes<Width>;
    Real start_x, start_y, normal_x, normal_y, before_x, before_y;
    Real begin, end, lean_begin, lean_end, half_thickness;

    PHYS2D_INLINE static FaceLanes load(const FaceBlock& block, int lane) {
        return {Real::load(block.start_x + lane),       Real::load(block.start_y + lane),
                Real::load(block.normal_x + lane),      Real::load(block.normal_y + lane),
                Real::load(block.before_x + lane),      Real::load(block.before_y + lane),
                Real::load(block.begin + lane),         Real::load(block.end + lane),
                Real::load(block.lean_begin + lane),    Real::load(block.lean_end + lane),
                Real::load(block.half_thickness + lane)};
    }
    /// One face.
    [[nodiscard]] static constexpr FaceLanes of(const Face& face) requires(Width == 1) {
        return {Real{face.start.x},  Real{face.start.y},       Real{face.normal.x},
                Real{face.normal.y}, Real{face.before.x},      Real{face.before.y},
                Real{face.begin},    Real{face.end},           Real{face.lean_begin},
                Real{face.lean_end}, Real{face.half_thickness}};
    }
};

/// W shapes near faces, and their motion in the step.
template <int Width>
struct NearFace {
    using Real = simd::Lanes<Width>;
    Real x, y;  ///< of the centre, from the start of the face
    Real h_x, h_y, r;
    Real way_x, way_y;
    /// The translation without forces. It decides where along a face a shape arrives: a body
    /// pressed onto a floor would otherwise seem to be deep in it at the end of the floor.
    Real free_x, free_y;
    Real slop;   ///< a shape that overlaps a corner by less passes it [m]
    Real flush;  ///< `flush_slop` plus rounding [m]
};

template <int Width>
struct FaceTouch {
    simd::Lanes<Width> separation;
    simd::Lanes<Width> fraction;            ///< of the translation, up to the contact
    simd::Lanes<Width> normal_x, normal_y;  ///< out of the terrain
    simd::LaneMask<Width> is_touched;       ///< closer than the margin, or hit during the motion
    simd::LaneMask<Width> from_beside;      ///< at a corner, or the face is not below the shape
};

/// The part of W shapes that is closest to faces: a vertex, or the middle of a side.
template <int Width>
struct LowestPart {
    simd::Lanes<Width> x, y;         ///< offset from the centre of the shape to it, negated
    simd::Lanes<Width> half_length;  ///< of the side; 0 for a vertex

    PHYS2D_INLINE static constexpr LowestPart of(const NearFace<Width>& shape,
                                                 const FaceLanes<Width>& face) {
        const auto zero = simd::Lanes<Width>::fill(0.0f);
        const auto leans_x = zero < abs(face.normal_x);
        const auto leans_y = zero < abs(face.normal_y);
        return {select(leans_x, sign(face.normal_x) * shape.h_x, zero),
                select(leans_y, sign(face.normal_y) * shape.h_y, zero),
                select(leans_x, zero, shape.h_x) + select(leans_y, zero, shape.h_y)};
    }
};

/// The interval along faces in which the lowest part of a shape touches them at this depth: both
/// ends move inwards, less by `flush`, but by at least `least`. So a box that overlaps an upright
/// corner by more than that touches one of the two faces that meet there.
template <int Width>
struct TouchedSpan {
    simd::Lanes<Width> begin, end;

    PHYS2D_INLINE static constexpr TouchedSpan of(const FaceLanes<Width>& face,
                                                  const LowestPart<Width>& lowest,
                                                  simd::Lanes<Width> depth,
                                                  simd::Lanes<Width> least,
                                                  simd::Lanes<Width> flush) {
        return {face.begin + max(face.lean_begin * depth - flush, least) - lowest.half_length,
                face.end - max(face.lean_end * depth - flush, least) + lowest.half_length};
    }
    PHYS2D_INLINE constexpr simd::LaneMask<Width> contains(simd::Lanes<Width> place) const {
        return (begin <= place) & (place < end);
    }
};

/// Position along faces of shapes that overlap them: the foot of the deepest vertex v, clamped to
/// the points b and s where the vertical and the horizontal line through the centre c meet the
/// plane. The tip of a tall, slim box may be deep below a slope far from the point where the box
/// crosses it, or beside the end of a slope that the box does not touch.
///
///       +---+      /
///       |   |    /        `place`: the foot of v
///       |   |  /          `below`: b, straight below c
///       | c |s            `beside`: s, straight beside c
///       |   /
///       | b |
///       /---v
///     /
template <int Width>
PHYS2D_INLINE constexpr simd::Lanes<Width> place_in(const FaceLanes<Width>& face,
                                                    simd::Lanes<Width> place,
                                                    simd::Lanes<Width> middle,
                                                    simd::Lanes<Width> height) {
    using Real = simd::Lanes<Width>;
    const Real least = Real::fill(1e-30f);
    const Real slant = face.normal_x * face.normal_y * max(height, Real::fill(0.0f));
    const Real below = middle - slant / max(face.normal_y * face.normal_y, least);
    const Real beside = middle + slant / max(face.normal_x * face.normal_x, least);
    return min(max(place, min(below, beside)), max(below, beside));
}

/// Contacts with the planes. A shape touches a face in one of three cases:
/// 1. At the start it is within `margin`, over the face.
/// 2. During its motion it hits the plane, over the face.
/// 3. It is a box and comes over an end of the face while it is less than the slop deep:
///
///       +-----+ ->
///       |     |=======     its lower side is less than the slop below the plane
///       +-----+            when it gets over the end
///
/// Case 3 allows `flush` more: a box that moves exactly into a corner gets over the ends of both
/// faces at just the slop, and rounding must not lose it.
template <int Width>
PHYS2D_INLINE constexpr FaceTouch<Width> touch_planes(const FaceLanes<Width>& face,
                                                      const NearFace<Width>& shape, float margin) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const Real one = Real::fill(1.0f);
    const Real least = Real::fill(1e-30f);
    const Real n_x = face.normal_x;
    const Real n_y = face.normal_y;
    const auto lowest = LowestPart<Width>::of(shape, face);

    const Real height = shape.x * n_x + shape.y * n_y;
    const Real separation = height - (lowest.x * n_x + lowest.y * n_y) - shape.r;
    const Real approach = zero - (shape.way_x * n_x + shape.way_y * n_y);
    const auto is_near = separation <= Real::fill(margin);
    const auto meets = (zero < separation) & (separation <= approach);
    const Real meeting = select(meets, separation / max(approach, least), zero);

    const Real place = (shape.y - lowest.y) * n_x - (shape.x - lowest.x) * n_y;
    const auto is_sharp = (zero < lowest.half_length) & (shape.r <= zero);
    const Real free_drift = shape.free_y * n_x - shape.free_x * n_y;
    const Real drift = select(is_sharp, free_drift, shape.way_y * n_x - shape.way_x * n_y);
    const Real slop = max(shape.flush, shape.slop);
    const Real depth = max(zero - (separation + shape.r), zero);
    const Real least_inset = select(is_sharp, slop, Real::fill(-endless_length));
    const auto span = TouchedSpan<Width>::of(face, lowest, depth, least_inset, shape.flush);
    const Real middle = shape.y * n_x - shape.x * n_y;
    const auto is_in_front = (zero <= height) | ((zero - face.half_thickness <= height) &
                                                 (face.begin <= middle) & (middle <= face.end));
    const Real free_approach = zero - (shape.free_x * n_x + shape.free_y * n_y);
    const Real to_slop = (separation + (slop + shape.flush)) / max(free_approach, least);
    const auto comes_in = (shape.r <= zero) & (zero <= to_slop);
    const auto is_over = span.contains(place_in<Width>(face, place, middle, height));
    const auto is_touched =
        (is_near & is_over) | (meets & span.contains(place + drift * meeting)) |
        ((is_near | meets) & comes_in & span.contains(place + free_drift * min(to_slop, one)));
    return {separation, select(is_near, zero, meeting), n_x,
            n_y,        is_in_front & is_touched,       !is_over};
}

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
PHYS2D_INLINE constexpr Separation<simd::Lanes<Width>> separate_corners(
    const FaceLanes<Width>& face, const NearFace<Width>& shape) {
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

/// A box that hits a corner with less than the slop of its side passes the corner. Its other side
/// touches the corner instead, unless a face holds the box:
///
///       +-----+ ->
///       |     |
///       |     o======     the corner o is less than the slop above the lower side of the box:
///       +-----+ #####     the normal is that of the lower side, not of the right one
template <int Width>
PHYS2D_INLINE constexpr void let_pass_sides(const FaceLanes<Width>& face,
                                            const NearFace<Width>& shape,
                                            simd::LaneMask<Width> meets, FaceTouch<Width>& touch) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const auto may_pass = meets & (shape.r <= zero) & (zero < shape.slop);
    if (bits(may_pass) == 0) return;
    const auto along_x = zero < abs(touch.normal_x);
    const CastWay<Width> way(select(along_x, shape.way_x, shape.free_x),
                             select(along_x, shape.free_y, shape.way_y));
    const Real h_x = select(along_x, shape.h_x, shape.h_x - shape.slop);
    const Real h_y = select(along_x, shape.h_y - shape.slop, shape.h_y);
    const auto shrunk =
        cast_point<Width, Grazing::Misses>(shape.x, shape.y, way, h_x, h_y, shape.r);
    const auto passes = may_pass & !shrunk.hits;

    const Real n_x = select(along_x, zero, sign(shape.x + way.x * touch.fraction));
    const Real n_y = select(along_x, sign(shape.y + way.y * touch.fraction), zero);
    const Real height = shape.x * n_x + shape.y * n_y - select(along_x, shape.h_y, shape.h_x);
    touch.normal_x = select(passes, n_x, touch.normal_x);
    touch.normal_y = select(passes, n_y, touch.normal_y);
    touch.separation = select(passes, max(height, zero - shape.slop), touch.separation);
    touch.is_touched = touch.is_touched & (is_between_faces<Width>(face, n_x, n_y) | !passes);
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
    if (bits(moves) == 0) return;
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
    const auto lowest = abs(normal_x) * shape.h_x + abs(normal_y) * shape.h_y + shape.r;
    const auto height = shape.x * normal_x + shape.y * normal_y - lowest;
    const auto rise = shape.way_x * normal_x + shape.way_y * normal_y;
    return zero <= height + min(rise, zero);
}

/// How far a shape may be from what it touches in this step.
template <int Width>
PHYS2D_INLINE constexpr simd::Lanes<Width> longest_reach(const NearFace<Width>& shape,
                                                         float margin) {
    return max(abs(shape.way_x) + abs(shape.way_y), simd::Lanes<Width>::fill(margin));
}

/// Which faces have a corner that shapes may get to in this step, as far as their bounds tell.
template <int Width>
PHYS2D_INLINE constexpr simd::LaneMask<Width> have_corners_near(const FaceLanes<Width>& face,
                                                                const NearFace<Width>& shape,
                                                                float margin) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const Real turn = face.before_x * face.normal_y - face.before_y * face.normal_x;
    const Real along = face.before_x * face.normal_x + face.before_y * face.normal_y;
    const Real apart = max(abs(shape.x) - shape.h_x, abs(shape.y) - shape.h_y) - shape.r;
    return ((zero < turn) | (along < zero)) & (apart <= longest_reach(shape, margin));
}

/// Contacts with the corners at the starts of faces, in the lanes of `candidates`. A box is near a
/// corner only if the corner is at least the slop inside the ends of its side; otherwise it has to
/// hit the corner during its motion. A shape that stays in front of one of the two faces cannot
/// touch the corner.
template <int Width>
PHYS2D_INLINE constexpr FaceTouch<Width> touch_corners(const FaceLanes<Width>& face,
                                                       const NearFace<Width>& shape, float margin,
                                                       simd::LaneMask<Width> candidates) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const auto apart = separate_corners<Width>(face, shape);
    const auto may_touch = candidates & (apart.distance <= longest_reach(shape, margin)) &
                           !stay_in_front<Width>(face.normal_x, face.normal_y, shape) &
                           !stay_in_front<Width>(face.before_x, face.before_y, shape);
    if (bits(may_touch) == 0) return {apart.distance, zero, zero, zero, may_touch, candidates};

    const Real across = (shape.h_x - abs(shape.x)) * abs(apart.normal_y) +
                        (shape.h_y - abs(shape.y)) * abs(apart.normal_x);
    const auto is_facing = (zero < shape.r) | (shape.slop <= zero) | (shape.slop <= across);
    const auto is_near = is_facing & (apart.distance <= Real::fill(margin));
    PointCast<Width> meeting{zero, zero, zero, zero < zero};
    if (bits(may_touch & !is_near) != 0) {
        meeting = cast_point<Width, Grazing::Misses>(shape.x, shape.y,
                                                     CastWay<Width>(shape.way_x, shape.way_y),
                                                     shape.h_x, shape.h_y, shape.r);
    }
    const Real normal_x = select(is_near, apart.normal_x, meeting.normal_x);
    const Real normal_y = select(is_near, apart.normal_y, meeting.normal_y);
    const Real fraction = select(is_near, zero, meeting.fraction);
    const Real along = zero - (shape.way_x * normal_x + shape.way_y * normal_y);
    FaceTouch<Width> touch{
        select(is_near, apart.distance, along * fraction),
        fraction,
        normal_x,
        normal_y,
        may_touch & (is_near | meeting.hits) & is_between_faces<Width>(face, normal_x, normal_y),
        candidates};
    let_pass_sides(face, shape, touch.is_touched & !is_near, touch);
    let_pass_corners(face, shape, touch);
    return touch;
}

/// Contacts of W shapes with W faces. `margin`: largest distance at the start [m].
template <int Width>
PHYS2D_INLINE constexpr FaceTouch<Width> touch_faces(const FaceLanes<Width>& face,
                                                     const NearFace<Width>& shape, float margin) {
    using Real = simd::Lanes<Width>;
    const auto plane = touch_planes<Width>(face, shape, margin);
    const auto at_corner = have_corners_near<Width>(face, shape, margin) & !plane.is_touched;
    if (bits(at_corner) == 0) return plane;
    const auto corner = touch_corners<Width>(face, shape, margin, at_corner);
    const auto pick = [&](Real a, Real b) { return select(plane.is_touched, a, b); };
    return {pick(plane.separation, corner.separation), pick(plane.fraction, corner.fraction),
            pick(plane.normal_x, corner.normal_x),     pick(plane.normal_y, corner.normal_y),
            plane.is_touched | corner.is_touched,      plane.from_beside | at_corner};
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// touch_planes: which shapes touch the planes of faces of terrain between their ends? Processes W
// pairs at once. touch_faces.hpp adds the corners.
#pragma once

#include <phys2d/collision/face.hpp>
#include <phys2d/collision/separation.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Sides of boxes that overlap a face by less than this along the face do not touch it, or by less
/// than the slop at corners if that is larger [m at length unit 1]: a box that falls along a wall
/// does not land on the corner at its foot. Rounded shapes and corners reach further by as much.
/// The possible rounding is added: there is no gap between a face and its corner.
inline constexpr float flush_slop = 1e-5f;

/// Distance by which rounding may separate the end of a face from the corner there. `sums`: of the
/// absolute coordinates of everything that is added up to place the two: each is wrong by at most
/// half its epsilon, at either end of the face.
template <int Width>
PHYS2D_INLINE constexpr simd::Lanes<Width> place_rounding(simd::Columns2<Width> sums) {
    return max(sums.x, sums.y) * simd::Lanes<Width>::fill(std::numeric_limits<float>::epsilon());
}
[[nodiscard]] constexpr float place_rounding(Vec2 place) {
    return place_rounding(abs(simd::in_lane(place))).value;
}

/// W faces in lanes.
template <int Width>
struct FaceLanes {
    using Real = simd::Lanes<Width>;
    simd::Columns2<Width> start, normal, before, after;
    Real begin, end, lean_begin, lean_end, half_thickness;

    PHYS2D_INLINE static FaceLanes load(const FaceBlock& block, int lane) {
        using Vector = simd::Columns2<Width>;
        return {Vector::load(block.start, lane),        Vector::load(block.normal, lane),
                Vector::load(block.before, lane),       Vector::load(block.after, lane),
                Real::load(block.begin + lane),         Real::load(block.end + lane),
                Real::load(block.lean_begin + lane),    Real::load(block.lean_end + lane),
                Real::load(block.half_thickness + lane)};
    }
    /// One face.
    [[nodiscard]] static constexpr FaceLanes of(const Face& face) requires(Width == 1) {
        return {simd::in_lane(face.start), simd::in_lane(face.normal), simd::in_lane(face.before),
                simd::in_lane(face.after), Real{face.begin},           Real{face.end},
                Real{face.lean_begin},     Real{face.lean_end},        Real{face.half_thickness}};
    }
};

/// W shapes near faces, and their motion in the step.
template <int Width>
struct NearFace {
    using Real = simd::Lanes<Width>;
    simd::Columns2<Width> center;  ///< from the start of the face
    simd::Columns2<Width> half_extents;
    Real r;
    simd::Columns2<Width> way;
    /// The translation without forces. It decides where along a face a shape arrives: a body
    /// pressed onto a floor would otherwise seem to be deep in it at the end of the floor.
    simd::Columns2<Width> free_way;
    Real slop;   ///< a shape that overlaps a corner by less passes it [m]
    Real flush;  ///< `flush_slop` plus rounding [m]
};

template <int Width>
struct FaceTouch {
    simd::Lanes<Width> separation;
    simd::Lanes<Width> fraction;        ///< of the translation, up to the contact
    simd::Columns2<Width> normal;       ///< out of the terrain
    simd::LaneMask<Width> is_touched;   ///< closer than the margin, or hit during the motion
    simd::LaneMask<Width> from_beside;  ///< at a corner, or the face is not below the shape
};

/// The interval along faces in which the middle of the lowest part of a shape, which extends by
/// `half_length` to either side, touches them at this depth. Both ends move inwards by `lean` per
/// metre of depth, less by `flush`, but at least by as much as at the depth `slop`: a box that is
/// deeper than that behind both faces at a corner touches the one behind which it is less deep.
template <int Width>
struct TouchedSpan {
    using Real = simd::Lanes<Width>;
    Real begin, end;

    PHYS2D_INLINE static constexpr TouchedSpan of(const FaceLanes<Width>& face, Real half_length,
                                                  Real depth, Real slop, Real flush) {
        const Real zero = Real::fill(0.0f);
        const Real longer = select(zero < min(slop, half_length), zero, flush);
        const auto inset = [&](Real lean) PHYS2D_INLINED {
            return max(lean * depth - flush, abs(lean) * slop - longer);
        };
        return {face.begin + inset(face.lean_begin) - half_length,
                face.end - inset(face.lean_end) + half_length};
    }
    PHYS2D_INLINE constexpr simd::LaneMask<Width> contains(Real place) const {
        return contains(place, place);
    }
    /// Each end is compared with a place of its own.
    PHYS2D_INLINE constexpr simd::LaneMask<Width> contains(Real from_begin, Real from_end) const {
        return (begin <= from_begin) & (from_end < end);
    }
};

/// Position along faces of shapes that overlap them: the foot of the deepest vertex v, clamped to
/// the points b and s where the vertical and the horizontal line through the centre c meet the
/// plane. The tip of a tall, slim box may be deep below a slope far from the point where the box
/// crosses it, or beside the end of a slope that the box does not touch. Ends that lean inwards are
/// compared with v itself: one of the two faces that meet there holds the box.
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
    const Real slant = face.normal.x * face.normal.y * max(height, Real::fill(0.0f));
    const Real below = middle - slant / max(face.normal.y * face.normal.y, least);
    const Real beside = middle + slant / max(face.normal.x * face.normal.x, least);
    return min(max(place, min(below, beside)), max(below, beside));
}

/// Where W shapes are relative to planes, and how they move along them. The lowest part of a shape
/// is what is closest to a plane: a vertex, or a side.
template <int Width>
struct PlaneMotion {
    using Real = simd::Lanes<Width>;
    Real half_length;    ///< of the lowest part; 0 for a vertex [m]
    Real height;         ///< of the centre [m]
    Real middle;         ///< the place of the centre, along the face [m]
    Real separation;     ///< [m]
    Real approach;       ///< in this step [m]
    Real place;          ///< of the middle of the lowest part, along the face [m]
    Real drift;          ///< along the face in this step [m]
    Real free_approach;  ///< `approach` without forces
    Real free_drift;     ///< `drift` without forces

    PHYS2D_INLINE static constexpr PlaneMotion of(const FaceLanes<Width>& face,
                                                  const NearFace<Width>& shape) {
        const Real zero = Real::fill(0.0f);
        const simd::Columns2<Width> n = face.normal;
        const auto leans_x = zero < abs(n.x);
        const auto leans_y = zero < abs(n.y);
        // From the lowest part to the centre.
        const simd::Columns2<Width> up{select(leans_x, sign(n.x) * shape.half_extents.x, zero),
                                       select(leans_y, sign(n.y) * shape.half_extents.y, zero)};
        const Real half_length = select(leans_x, zero, shape.half_extents.x) +
                                 select(leans_y, zero, shape.half_extents.y);
        const Real height = dot(shape.center, n);
        return {.half_length = half_length,
                .height = height,
                .middle = cross(n, shape.center),
                .separation = height - dot(up, n) - shape.r,
                .approach = -dot(shape.way, n),
                .place = cross(n, shape.center - up),
                .drift = cross(n, shape.way),
                .free_approach = -dot(shape.free_way, n),
                .free_drift = cross(n, shape.free_way)};
    }

    /// The place where shapes get to a depth without forces, or are at the end of the step.
    PHYS2D_INLINE constexpr Real place_at(Real depth) const {
        return place_after(separation + depth, free_approach);
    }
    /// The same, but for shapes that recede where they get further away than `reach`.
    PHYS2D_INLINE constexpr Real place_at(Real depth, Real reach) const {
        const Real left = max(reach - separation, Real::fill(0.0f));
        const auto recedes = free_approach < Real::fill(0.0f);
        return place_after(select(recedes, left, separation + depth), abs(free_approach));
    }

private:
    PHYS2D_INLINE constexpr Real place_after(Real way, Real way_in_step) const {
        const Real fraction = way / max(way_in_step, Real::fill(1e-30f));
        return place + free_drift * min(fraction, Real::fill(1.0f));
    }
};

/// Heights of shapes above planes with normals n. `center`: from a point of the plane.
template <int Width>
PHYS2D_INLINE constexpr simd::Lanes<Width> height_over(const NearFace<Width>& shape,
                                                       simd::Columns2<Width> center,
                                                       simd::Columns2<Width> n) {
    return dot(center, n) - (dot(abs(n), shape.half_extents) + shape.r);
}

/// Whether shapes come to faces from in front of a face beside them, where other ground may be that
/// is level with it: they may be sides of pieces of a floor.
template <int Width>
PHYS2D_INLINE constexpr simd::LaneMask<Width> come_from_neighbours(const FaceLanes<Width>& face,
                                                                   const NearFace<Width>& shape) {
    using Vectors = simd::Columns2<Width>;
    const auto zero = simd::Lanes<Width>::fill(0.0f);
    const auto is_before = [&](Vectors center, Vectors n) PHYS2D_INLINED {
        return zero <= height_over<Width>(shape, center, n) + max(shape.slop, shape.flush);
    };
    const auto has_before = zero < cross(face.before, face.normal);
    const auto has_after = zero < cross(face.normal, face.after);
    const Vectors from_end{shape.center.x + face.normal.y * face.end,
                           shape.center.y - face.normal.x * face.end};
    return (has_before & is_before(shape.center, face.before)) |
           (has_after & is_before(from_end, face.after));
}

/// Which shapes have a flat side or a vertex, and are near faces that are slopes, or end at one.
template <int Width>
PHYS2D_INLINE constexpr simd::LaneMask<Width> is_wide_at_slope(const FaceLanes<Width>& face,
                                                               const NearFace<Width>& shape) {
    const auto zero = simd::Lanes<Width>::fill(0.0f);
    const auto slants = [](simd::Columns2<Width> n) { return abs(n.x * n.y); };
    const auto at_slope = zero < slants(face.normal) + slants(face.before) + slants(face.after);
    return (zero < max(shape.half_extents.x, shape.half_extents.y)) & at_slope;
}

/// Where the lowest parts of shapes are over slopes.
template <int Width>
struct OnSlopes {
    using Mask = simd::LaneMask<Width>;
    Mask is_over;   ///< at the start
    Mask stays_on;  ///< it is a vertex of a box that gets to the slope, and away from its ends

    /// `depth`: at the start; `slop`: see `NearFace`; `span`: with the slop.
    PHYS2D_INLINE static constexpr OnSlopes of(const FaceLanes<Width>& face,
                                               const NearFace<Width>& shape,
                                               const PlaneMotion<Width>& motion,
                                               const TouchedSpan<Width>& span,
                                               simd::Lanes<Width> depth, simd::Lanes<Width> slop) {
        using Real = simd::Lanes<Width>;
        const Real zero = Real::fill(0.0f);
        const auto is_vertex = (shape.r <= zero) & (motion.half_length <= zero);
        const auto may_lie = is_vertex & (depth <= slop);
        const Real goes_in = min(max(select(may_lie, motion.free_approach, slop), zero), slop);
        const auto now =
            TouchedSpan<Width>::of(face, motion.half_length, depth, goes_in, shape.flush);
        const auto whole =
            TouchedSpan<Width>::of(face, motion.half_length, zero, zero, shape.flush);
        const Real met_at = motion.place_at(zero);
        const auto stays = ((zero <= motion.free_drift) | (span.begin <= met_at)) &
                           ((motion.free_drift <= zero) | (met_at < span.end));
        const Real within = place_in<Width>(face, motion.place, motion.middle, motion.height);
        return {now.contains(select(zero < face.lean_begin, motion.place, within),
                             select(zero < face.lean_end, motion.place, within)),
                is_vertex & whole.contains(met_at) & stays};
    }
};

/// Which centres, at places along faces behind which they are, are beside those faces: between the
/// ends, or past a corner of at least a right angle where both faces have the same vertex of a box
/// behind them. Something tall and slim with its feet deep below the top of a block has its centre
/// there, and leaves sideways; something wide at the upper end of a slope leaves upwards.
template <int Width>
PHYS2D_INLINE constexpr simd::LaneMask<Width> have_centres_beside(const FaceLanes<Width>& face,
                                                                  simd::Lanes<Width> middle) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const auto shares_vertex = [&](Real lean, simd::Columns2<Width> other) PHYS2D_INLINED {
        return (zero < lean) & (zero <= dot(face.normal, other));
    };
    const auto begins_beyond = shares_vertex(face.lean_begin, face.before);
    const auto ends_before = shares_vertex(face.lean_end, face.after);
    return ((face.begin <= middle) | begins_beyond) & ((middle <= face.end) | ends_before);
}

/// Contacts with the planes. A shape touches a face in one of four cases:
/// 1. At the start it is within `margin`, over the face; but cases 3 and 4 judge boxes that would
///    hit the plane in this step, since they may go past the end of the face meanwhile.
/// 2. It is rounded and hits the plane during its motion, over the face.
/// 3. It is a box near the plane, or hits it, and is over the face when it is as deep as the slop,
///    out of the margin again, or at the end of the step:
///
///       +-----+ ->
///       |     |=======     its lower side is less than the slop below the plane
///       +-----+            when it gets over the end
///
///    This allows `flush` more: a box that moves exactly into a corner gets over the ends of both
///    faces at just the slop, and rounding must not lose it.
/// 4. It is a vertex of a box that hits a slope, and moves away from the end that is near.
/// A vertex that does not go deeper lies on a slope up to its end in case 1, so that it does not
/// sink in where two slopes meet.
template <int Width>
PHYS2D_INLINE constexpr FaceTouch<Width> touch_planes(const FaceLanes<Width>& face,
                                                      const NearFace<Width>& shape, float margin) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const auto motion = PlaneMotion<Width>::of(face, shape);
    const Real separation = motion.separation;
    const auto is_near = separation <= Real::fill(margin);
    const auto meets = (zero < separation) & (separation <= motion.approach);
    const Real meeting = separation / max(motion.approach, Real::fill(1e-30f));

    const auto is_box = shape.r <= zero;
    const Real slop = select(is_box, max(shape.flush, shape.slop), zero);
    const Real depth = max(-(separation + shape.r), zero);
    const auto span = TouchedSpan<Width>::of(face, motion.half_length, depth, slop, shape.flush);
    auto is_over = span.contains(motion.place);
    auto arrives = meets & !is_box & span.contains(motion.place + motion.drift * meeting);
    auto from_beside = !is_over;
    const auto may_slide = is_wide_at_slope<Width>(face, shape);
    if (any(may_slide)) {
        const auto slopes = OnSlopes<Width>::of(face, shape, motion, span, depth, slop);
        is_over = slopes.is_over;
        arrives = arrives | (meets & slopes.stays_on);
        from_beside = (may_slide & come_from_neighbours<Width>(face, shape)) | !is_over;
    }
    const Real to_slop = slop + shape.flush;
    const auto comes_in = is_box & (is_near | meets) & (zero <= separation + to_slop) &
                          span.contains(motion.place_at(to_slop, Real::fill(margin)));
    const auto is_touched = (is_near & is_over & !(is_box & meets)) | arrives | comes_in;
    const auto is_behind = motion.height < zero;
    auto may_hold = -face.half_thickness <= motion.height;
    if (any(is_touched & may_hold & is_behind)) {
        may_hold = may_hold & (have_centres_beside<Width>(face, motion.middle) | !is_behind);
    }
    return {separation, select(is_near, zero, meeting), face.normal, may_hold & is_touched,
            from_beside};
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

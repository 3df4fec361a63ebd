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
    Real start_x, start_y, normal_x, normal_y, before_x, before_y, after_x, after_y;
    Real begin, end, lean_begin, lean_end, half_thickness;

    PHYS2D_INLINE static FaceLanes load(const FaceBlock& block, int lane) {
        return {Real::load(block.start_x + lane),       Real::load(block.start_y + lane),
                Real::load(block.normal_x + lane),      Real::load(block.normal_y + lane),
                Real::load(block.before_x + lane),      Real::load(block.before_y + lane),
                Real::load(block.after_x + lane),       Real::load(block.after_y + lane),
                Real::load(block.begin + lane),         Real::load(block.end + lane),
                Real::load(block.lean_begin + lane),    Real::load(block.lean_end + lane),
                Real::load(block.half_thickness + lane)};
    }
    /// One face.
    [[nodiscard]] static constexpr FaceLanes of(const Face& face) requires(Width == 1) {
        return {Real{face.start.x},       Real{face.start.y},    Real{face.normal.x},
                Real{face.normal.y},      Real{face.before.x},   Real{face.before.y},
                Real{face.after.x},       Real{face.after.y},    Real{face.begin},
                Real{face.end},           Real{face.lean_begin}, Real{face.lean_end},
                Real{face.half_thickness}};
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

/// The interval along faces in which the lowest part of a shape touches them at this depth. Both
/// ends move inwards by `lean` per metre of depth, less by `flush`, but at least by as much as at
/// the depth `slop`: a box that is deeper than that behind both faces at a corner touches the one
/// behind which it is less deep.
template <int Width>
struct TouchedSpan {
    using Real = simd::Lanes<Width>;
    Real begin, end;

    PHYS2D_INLINE static constexpr TouchedSpan of(const FaceLanes<Width>& face,
                                                  const LowestPart<Width>& lowest, Real depth,
                                                  Real slop, Real flush) {
        const Real zero = Real::fill(0.0f);
        const Real longer = select(zero < min(slop, lowest.half_length), zero, flush);
        const auto inset = [&](Real lean) {
            return max(lean * depth - flush, abs(lean) * slop - longer);
        };
        return {face.begin + inset(face.lean_begin) - lowest.half_length,
                face.end - inset(face.lean_end) + lowest.half_length};
    }
    PHYS2D_INLINE constexpr simd::LaneMask<Width> contains(Real place) const {
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

/// Where W shapes are relative to planes, and how they move along them.
template <int Width>
struct PlaneMotion {
    using Real = simd::Lanes<Width>;
    Real height;         ///< of the centre [m]
    Real separation;     ///< [m]
    Real approach;       ///< in this step [m]
    Real place;          ///< of the lowest part, along the face [m]
    Real drift;          ///< along the face in this step [m]
    Real free_approach;  ///< the same without forces
    Real free_drift;

    PHYS2D_INLINE static constexpr PlaneMotion of(const FaceLanes<Width>& face,
                                                  const NearFace<Width>& shape,
                                                  const LowestPart<Width>& lowest) {
        const Real zero = Real::fill(0.0f);
        const Real n_x = face.normal_x;
        const Real n_y = face.normal_y;
        const Real height = shape.x * n_x + shape.y * n_y;
        return {height,
                height - (lowest.x * n_x + lowest.y * n_y) - shape.r,
                zero - (shape.way_x * n_x + shape.way_y * n_y),
                (shape.y - lowest.y) * n_x - (shape.x - lowest.x) * n_y,
                shape.way_y * n_x - shape.way_x * n_y,
                zero - (shape.free_x * n_x + shape.free_y * n_y),
                shape.free_y * n_x - shape.free_x * n_y};
    }

    /// The place where shapes get to a depth without forces, or are at the end of the step.
    PHYS2D_INLINE constexpr Real place_at(Real depth) const {
        const Real fraction = (separation + depth) / max(free_approach, Real::fill(1e-30f));
        return place + free_drift * min(fraction, Real::fill(1.0f));
    }
};

/// Whether shapes come to faces on slopes from in front of a face beside them, where other ground
/// may be that is level with it: the slope may be the side of a piece of a floor.
template <int Width>
PHYS2D_INLINE constexpr simd::LaneMask<Width> come_from_neighbours(const FaceLanes<Width>& face,
                                                                   const NearFace<Width>& shape) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const auto is_before = [&](Real x, Real y, Real n_x, Real n_y) {
        const Real lowest = abs(n_x) * shape.h_x + abs(n_y) * shape.h_y + shape.r;
        return zero <= x * n_x + y * n_y - lowest + max(shape.slop, shape.flush);
    };
    const Real n_x = face.normal_x;
    const Real n_y = face.normal_y;
    const auto has_before = zero < face.before_x * n_y - face.before_y * n_x;
    const auto has_after = zero < n_x * face.after_y - n_y * face.after_x;
    return (has_before & is_before(shape.x, shape.y, face.before_x, face.before_y)) |
           (has_after & is_before(shape.x + n_y * face.end, shape.y - n_x * face.end, face.after_x,
                                  face.after_y));
}

/// Contacts with the planes. A shape touches a face in one of three cases:
/// 1. At the start it is within `margin`, over the face; but case 3 alone judges boxes that would
///    hit the plane in this step, since they may go past the end of the face meanwhile.
/// 2. It is rounded and hits the plane during its motion, over the face.
/// 3. It is a box near the plane, or hits it, and is over the face when it is as deep as the slop, or
///    at the end of the step:
///
///       +-----+ ->
///       |     |=======     its lower side is less than the slop below the plane
///       +-----+            when it gets over the end
///
/// Case 3 allows `flush` more: a box that moves exactly into a corner gets over the ends of both
/// faces at just the slop, and rounding must not lose it. In case 1 a vertex of a box that does not
/// go deeper lies on a slope up to its end, so that it does not sink in where two slopes meet.
template <int Width>
PHYS2D_INLINE constexpr FaceTouch<Width> touch_planes(const FaceLanes<Width>& face,
                                                      const NearFace<Width>& shape, float margin) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const auto lowest = LowestPart<Width>::of(shape, face);
    const auto motion = PlaneMotion<Width>::of(face, shape, lowest);
    const Real separation = motion.separation;
    const auto is_near = separation <= Real::fill(margin);
    const auto meets = (zero < separation) & (separation <= motion.approach);
    const Real meeting = select(meets, separation / max(motion.approach, Real::fill(1e-30f)), zero);

    const auto is_box = shape.r <= zero;
    const Real slop = select(is_box, max(shape.flush, shape.slop), zero);
    const Real depth = max(zero - (separation + shape.r), zero);
    const auto span = TouchedSpan<Width>::of(face, lowest, depth, slop, shape.flush);
    const Real middle = shape.y * face.normal_x - shape.x * face.normal_y;
    auto is_over = span.contains(motion.place);
    auto from_beside = !is_over;
    const auto on_slope =
        (zero < abs(face.normal_x * face.normal_y)) & (zero < max(shape.h_x, shape.h_y));
    if (bits(on_slope) != 0) {
        const Real goes_in = select(on_slope & is_box, max(motion.free_approach, zero), slop);
        const auto span_now =
            TouchedSpan<Width>::of(face, lowest, depth, min(goes_in, slop), shape.flush);
        is_over = span_now.contains(place_in<Width>(face, motion.place, middle, motion.height));
        from_beside = (on_slope & come_from_neighbours<Width>(face, shape)) | !is_over;
    }
    const auto touches_now = is_near & is_over & !(is_box & meets);
    const auto touches_later =
        meets & !is_box & span.contains(motion.place + motion.drift * meeting);
    const Real to_slop = slop + shape.flush;
    const auto comes_in = is_box & (is_near | meets) & (zero <= separation + to_slop) &
                          span.contains(motion.place_at(to_slop));
    const auto is_in_front =
        (zero <= motion.height) | ((zero - face.half_thickness <= motion.height) &
                                   (face.begin <= middle) & (middle <= face.end));
    return {separation,
            select(is_near, zero, meeting),
            face.normal_x,
            face.normal_y,
            is_in_front & (touches_now | touches_later | comes_in),
            from_beside};
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

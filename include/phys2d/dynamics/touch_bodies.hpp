// SPDX-License-Identifier: MIT
// How do two bodies touch, or when will they on their way through this step?
//
// A pair that is apart but will meet is a contact too, with the normal that it will have then, and the way
// along it as separation: the solver stops the bodies there, however fast they are. A plane that touches a
// convex shape has all of it on one side, so nothing gets past.
//
// Corners of boxes are the exception: what only just gets past one is not stopped by it, or all that slides
// over a row of boxes would catch on each.
#pragma once

#include <cstdint>

#include <phys2d/collision/touch_face.hpp>
#include <phys2d/dynamics/contacts.hpp>
#include <phys2d/math/lane_records.hpp>

namespace phys2d::detail::inline PHYS2D_ABI {

/// A body as the narrow phase sees it: half a cache line, two vector loads.
struct NarrowBody {
    simd::Record4 place;   ///< center x, y; core half extents x, y
    simd::Record4 motion;  ///< mean velocity x, y in this step; radius; inverse mass
};

[[nodiscard]] constexpr Vec2 middle_of(const NarrowBody& body) {
    return {body.place.x, body.place.y};
}
/// Where it is [m, world].
[[nodiscard]] constexpr Shape shape_of(const NarrowBody& body) {
    return RoundedBox{{body.place.z, body.place.w}, body.motion.z, middle_of(body)};
}

/// The bodies of a step by their slots, and how fast they are as it begins.
struct NarrowBodies {
    const NarrowBody* bodies;
    const simd::Record4* velocities;  ///< x, y [m/s] of moving slots, then one of zeros
    std::uint32_t moving_count;
};

/// What gets past the corner of a box, or of terrain, but for less than this does not touch it [m at length unit 1]. All
/// that slides over a row of boxes lies a hair below their tops, and would run into each one in turn.
inline constexpr float corner_slop = 2e-3f;

/// When a pair counts as a contact.
struct ContactReach {
    float margin = 0.0f;       ///< always, up to this separation [m]
    float dt = 0.0f;           ///< and if it meets in this time [s]
    float deep = 0.0f;         ///< overlap beyond this is worked off by moving the bodies [m]
    float flush_slop = 0.0f;   ///< see there [m]
    float corner_slop = 0.0f;  ///< see there [m]
    float quiet = 0.0f;        ///< see `quiet_speed` [m/s]
};

/// What the one formula says of W pairs of bodies.
template <int Width>
struct Touch {
    simd::Lanes<Width> separation, normal_x, normal_y;
    simd::LaneMask<Width> in_contact;
};

inline constexpr int halves_of_body = 4;  // half records a NarrowBody

/// W pairs of bodies as columns.
template <int Width>
struct BodyLanes {
    simd::Columns4<Width> place_a, place_b, motion_a, motion_b;

    PHYS2D_INLINE BodyLanes(const std::uint32_t* a, const std::uint32_t* b,
                            const NarrowBody* bodies)
        : place_a(simd::gather<Width, halves_of_body>(&bodies->place, a)),
          place_b(simd::gather<Width, halves_of_body>(&bodies->place, b)),
          motion_a(simd::gather<Width, halves_of_body>(&bodies->motion, a)),
          motion_b(simd::gather<Width, halves_of_body>(&bodies->motion, b)) {}

    /// Of a past b in this step.
    PHYS2D_INLINE simd::Columns2<Width> way(float dt) const {
        const auto time = simd::Lanes<Width>::fill(dt);
        return {(motion_a.x - motion_b.x) * time, (motion_a.y - motion_b.y) * time};
    }
};

/// The slop is at most this part of a half extent.
inline constexpr float slop_share = 0.25f;

/// That of sharp boxes.
template <int Width>
PHYS2D_INLINE simd::Lanes<Width> slop_of_boxes(const simd::Columns4<Width>& a,
                                               const simd::Columns4<Width>& b,
                                               const ContactReach& reach) {
    using Real = simd::Lanes<Width>;
    const Real narrowest = min(min(a.z, b.z), min(a.w, b.w));
    return min(Real::fill(reach.corner_slop), narrowest * Real::fill(slop_share));
}

/// W pairs as points in front of rounded boxes, their Minkowski sums, that are about to move past them.
template <int Width>
struct Approach {
    using Real = simd::Lanes<Width>;
    Real d_x, d_y;              ///< from a to b
    Real h_x, h_y, radius;      ///< of the sum
    Real q_x, q_y;              ///< |d| - h
    simd::Columns2<Width> way;  ///< of a past b in this step
    Real slop;                  ///< at corners of boxes, else 0: see `corner_slop`

    PHYS2D_INLINE Approach(const BodyLanes<Width>& pairs, const ContactReach& reach)
        : d_x(pairs.place_b.x - pairs.place_a.x),
          d_y(pairs.place_b.y - pairs.place_a.y),
          h_x(pairs.place_a.z + pairs.place_b.z),
          h_y(pairs.place_a.w + pairs.place_b.w),
          radius(pairs.motion_a.z + pairs.motion_b.z),
          q_x(abs(d_x) - h_x),
          q_y(abs(d_y) - h_y),
          way(pairs.way(reach.dt)) {
        const Real of_round = min(radius, min(h_x, h_y)) * Real::fill(slop_share);
        slop = select(Real::fill(0.0f) < radius, min(Real::fill(reach.corner_slop), of_round),
                      slop_of_boxes<Width>(pairs.place_a, pairs.place_b, reach));
    }

    /// Between the boxes around them, along the axis where that is more: they are no nearer.
    PHYS2D_INLINE Real at_least() const { return max(q_x, q_y) - radius; }
};

/// The way of a past b but for what forces add in this step: what rests on something is kept from that.
template <int Width>
PHYS2D_INLINE simd::Columns2<Width> way_without_forces(const std::uint32_t* a,
                                                       const std::uint32_t* b,
                                                       const NarrowBodies& bodies, float dt) {
    using Real = simd::Lanes<Width>;
    std::uint32_t places[2][Width];
    for (int i = 0; i < Width; ++i) {
        places[0][i] = 2 * (a[i] < bodies.moving_count ? a[i] : bodies.moving_count);
        places[1][i] = 2 * (b[i] < bodies.moving_count ? b[i] : bodies.moving_count);
    }
    const auto v_a = simd::gather_half<Width>(bodies.velocities, places[0]);
    const auto v_b = simd::gather_half<Width>(bodies.velocities, places[1]);
    return {(v_a.x - v_b.x) * Real::fill(dt), (v_a.y - v_b.y) * Real::fill(dt)};
}

/// Sharp boxes face each other if their sides overlap by more than the slop; round shapes always do.
template <int Width>
PHYS2D_INLINE simd::LaneMask<Width> are_facing(const Approach<Width>& pair) {
    const auto zero = simd::Lanes<Width>::fill(0.0f);
    return (zero < pair.radius) | (min(pair.q_x, pair.q_y) <= zero - pair.slop);
}

/// How a comes to b on a way, with so much taken off their sum.
template <int Width>
PHYS2D_INLINE PointCast<Width> cast_past(const Approach<Width>& pair,
                                         const simd::Columns2<Width>& way,
                                         const simd::Columns2<Width>& off_sides,
                                         simd::Lanes<Width> off_radius) {
    const auto zero = simd::Lanes<Width>::fill(0.0f);
    return cast_point<Width, Grazing::Misses>(zero - pair.d_x, zero - pair.d_y,
                                              CastWay<Width>(way.x, way.y), pair.h_x - off_sides.x,
                                              pair.h_y - off_sides.y, pair.radius - off_radius);
}

/// Something round near the corner of a box that will get past it is kept off the plane that touches the corner where
/// they come closest: the one that does now would slow it down.
template <int Width>
PHYS2D_INLINE void let_pass_corners(const Approach<Width>& pair, simd::LaneMask<Width> at_corner,
                                    const simd::Columns2<Width>& way, Touch<Width>& touch) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const auto moves = at_corner & (pair.slop < max(abs(way.x), abs(way.y)));
    if (bits(moves) == 0) return;
    const Real corner_x = pair.q_x * sign(pair.d_x);
    const Real corner_y = pair.q_y * sign(pair.d_y);
    const ClosestPass<Width> closest(corner_x, corner_y, way.x, way.y);
    const auto passes = moves & (pair.radius - pair.slop < closest.distance) &
                        !cast_past(pair, way, {zero, zero}, pair.slop).hits;
    const Real separation = corner_x * closest.normal_x + corner_y * closest.normal_y - pair.radius;
    touch.normal_x = select(passes, closest.normal_x, touch.normal_x);
    touch.normal_y = select(passes, closest.normal_y, touch.normal_y);
    touch.separation = select(passes, separation, touch.separation);
}

/// Which of the lanes that meet on their way do so with more than a corner of a box: a sharp one with as much of its side
/// as the slop, a round shape with a face or as deep as that. A face that forces drive a body into is met where they do;
/// past any other one they do not count.
template <int Width>
PHYS2D_INLINE simd::LaneMask<Width> meets_past_slop(const Approach<Width>& pair,
                                                    const PointCast<Width>& meeting,
                                                    const simd::Columns2<Width>& way) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const Real along_x = abs(meeting.normal_x);
    const Real along_y = abs(meeting.normal_y);
    const auto is_round = zero < pair.radius;
    const auto at_face = min(along_x, along_y) <= zero;
    const Real by_forces =
        (pair.way.x - way.x) * meeting.normal_x + (pair.way.y - way.y) * meeting.normal_y;
    const auto is_driven = at_face & (by_forces < zero);
    const simd::Columns2<Width> taken{select(is_driven, pair.way.x, way.x),
                                      select(is_driven, pair.way.y, way.y)};
    const Real of_sharp = select(is_round, zero, pair.slop);
    const auto hits =
        cast_past(pair, taken, {of_sharp * along_y, of_sharp * along_x}, pair.slop - of_sharp).hits;
    return hits | (is_round & at_face) | (pair.slop <= zero);
}

/// How W pairs of bodies touch, or are about to.
template <int Width>
PHYS2D_INLINE Touch<Width> measure(const std::uint32_t* a, const std::uint32_t* b,
                                   const NarrowBodies& bodies, const ContactReach& reach) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const Approach<Width> pair(BodyLanes<Width>(a, b, bodies.bodies), reach);
    const Real margin = Real::fill(reach.margin);
    const Real longest_way = abs(pair.way.x) + abs(pair.way.y);
    const auto may_touch = pair.at_least() <= max(longest_way, margin);
    if (bits(may_touch) == 0) return {pair.at_least(), zero, zero, may_touch};

    const auto now = separate(pair.d_x, pair.d_y, pair.h_x, pair.h_y, pair.radius);
    const auto faces = are_facing(pair);
    const auto is_near = faces & (now.distance <= margin);
    Touch<Width> touch{now.distance, now.normal_x, now.normal_y, is_near};
    const auto at_corner = is_near & (zero < min(pair.slop, pair.radius)) &
                           (zero < min(pair.q_x, pair.q_y)) & (zero < now.distance + pair.slop);
    if (bits(at_corner) != 0) {
        const auto way = way_without_forces<Width>(a, b, bodies, reach.dt);
        let_pass_corners(pair, at_corner, way, touch);
    }

    const Real distance = select(faces, now.distance, max(pair.q_x, pair.q_y) + pair.slop);
    const Real still_to_go = select(is_near, Real::fill(out_of_contact), distance);
    const auto may_meet = still_to_go <= longest_way;
    if (bits(may_meet) == 0) return touch;

    const auto meeting = cast_past(pair, pair.way, {zero, zero}, zero);
    auto meets = may_meet & meeting.hits;
    if (bits(meets & (zero < pair.slop)) != 0) {
        const auto way = way_without_forces<Width>(a, b, bodies, reach.dt);
        meets = meets & meets_past_slop(pair, meeting, way);
    }
    const Real along = zero - (pair.way.x * meeting.normal_x + pair.way.y * meeting.normal_y);
    return {select(meets, along * meeting.fraction, touch.separation),
            select(meets, zero - meeting.normal_x, touch.normal_x),
            select(meets, zero - meeting.normal_y, touch.normal_y), is_near | meets};
}

/// The same bits for half the work, for boxes that all face each other and are no further apart than the
/// margin, as in any stack; false for any others.
template <int Width>
PHYS2D_INLINE bool measure_stacked_boxes(const std::uint32_t* a, const std::uint32_t* b,
                                         const NarrowBody* bodies, const ContactReach& reach,
                                         Touch<Width>& touch) {
    using Real = simd::Lanes<Width>;
    const auto place_a = simd::gather<Width, halves_of_body>(&bodies->place, a);
    const auto place_b = simd::gather<Width, halves_of_body>(&bodies->place, b);
    const Real zero = Real::fill(0.0f);
    const Real one = Real::fill(1.0f);
    const Real d_x = place_b.x - place_a.x;
    const Real d_y = place_b.y - place_a.y;
    const Real q_x = abs(d_x) - (place_a.z + place_b.z);
    const Real q_y = abs(d_y) - (place_a.w + place_b.w);
    const Real slop = slop_of_boxes<Width>(place_a, place_b, reach);
    const auto x_leads = q_y < q_x;
    const Real leading = select(x_leads, q_x, q_y);
    const auto is_other = (zero - slop < min(q_x, q_y)) | (Real::fill(reach.margin) < leading);
    if (bits(is_other) != 0) return false;
    touch = {leading, select(x_leads, one, zero) * sign(d_x),
             select(x_leads, zero, one) * sign(d_y), leading <= Real::fill(reach.margin)};
    return true;
}

/// The way that says where W bodies come past faces: without forces, if these move it by less than `least`.
template <int Width>
PHYS2D_INLINE simd::Columns2<Width> way_past_faces(const simd::Columns2<Width>& way,
                                                   const simd::Columns2<Width>& without_forces,
                                                   simd::Lanes<Width> least) {
    const auto by_forces = max(abs(way.x - without_forces.x), abs(way.y - without_forces.y));
    const auto is_strong = least < by_forces;
    return {select(is_strong, way.x, without_forces.x), select(is_strong, way.y, without_forces.y)};
}

/// W bodies and faces of terrain, from `lane` on.
template <int Width>
PHYS2D_INLINE Touch<Width> measure_faces(const std::uint32_t* a, const std::uint32_t* b,
                                         const FaceBlock& faces, int lane,
                                         const NarrowBodies& bodies, const ContactReach& reach) {
    using Real = simd::Lanes<Width>;
    const BodyLanes<Width> pairs(a, b, bodies.bodies);
    const auto& body = pairs.place_a;
    const auto face = FaceLanes<Width>::load(faces, lane);
    const Real radius = pairs.motion_a.z;
    const Real zero = Real::fill(0.0f);
    const Real size = select(zero < radius, radius, min(body.z, body.w));
    const Real most = size * Real::fill(slop_share);
    const auto way = pairs.way(reach.dt);
    const auto free_way =
        way_past_faces<Width>(way, way_without_forces<Width>(a, b, bodies, reach.dt), most);
    const auto touch = touch_faces<Width>(
        face,
        {body.x - (pairs.place_b.x + face.start_x), body.y - (pairs.place_b.y + face.start_y),
         body.z, body.w, radius, way.x, way.y, free_way.x, free_way.y,
         min(Real::fill(reach.corner_slop), most)},
        reach.margin, reach.flush_slop);
    return {touch.separation, zero - touch.normal_x, zero - touch.normal_y, touch.is_touched};
}

/// The same for one pair, as bodies that no forces act on.
[[nodiscard]] inline bool are_in_contact(const NarrowBody& a, const NarrowBody& b,
                                         const ContactReach& reach) {
    const NarrowBody both[] = {a, b};
    const simd::Record4 velocities[] = {a.motion, b.motion};
    const std::uint32_t first = 0;
    const std::uint32_t second = 1;
    return measure<1>(&first, &second, {both, velocities, second}, reach).in_contact.set;
}

}  // namespace phys2d::detail::inline PHYS2D_ABI

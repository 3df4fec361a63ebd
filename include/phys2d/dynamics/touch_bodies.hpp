// SPDX-License-Identifier: MIT
// touch_bodies: how do two bodies touch, or when will they in this step?
//
// A pair that is apart but will meet is a contact too, with the normal at the time of impact and
// the distance along it as separation: the solver stops the bodies there, at any speed. A plane
// that touches a convex shape has all of it on one side, so nothing gets past.
//
// Corners of boxes are the exception: a body that only just passes a corner is not stopped by it,
// or a body that slides over a row of boxes would catch on each.
#pragma once

#include <cstdint>

#include <phys2d/collision/cast.hpp>
#include <phys2d/collision/separation.hpp>
#include <phys2d/dynamics/narrow_bodies.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The separation and normal of W pairs of bodies.
template <int Width>
struct Touch {
    simd::Lanes<Width> separation;
    simd::Columns2<Width> normal;
    simd::LaneMask<Width> in_contact;
    /// They meet at a corner, or only since they also move across the normal, or with sides that
    /// face each other no further than a body may sink into a floor.
    simd::LaneMask<Width> from_beside;
};

/// From the centres of W bodies to those of others, `relative` to them. Where they coincide but for
/// rounding, the way that the others move off in this step, so that what is created at one point
/// flies apart as it likes: along any other normal it would lose its speed.
template <int Width>
PHYS2D_INLINE simd::Columns2<Width> offset(const simd::Columns4<Width>& relative,
                                           const ContactReach& reach) {
    using Real = simd::Lanes<Width>;
    constexpr float rounding = 1.0f / 16384.0f;  // of the way
    const Real distance = abs(relative.x) + abs(relative.y);
    if (!any(distance <= Real::fill(reach.margin))) return relative.xy();
    const simd::Columns2<Width> way = relative.zw() * Real::fill(reach.dt);
    const auto coincide = distance <= (abs(way.x) + abs(way.y)) * Real::fill(rounding);
    return select(coincide, way, relative.xy());
}

/// W pairs as points in front of rounded boxes, their Minkowski sums.
template <int Width>
struct Approach {
    using Real = simd::Lanes<Width>;
    simd::Columns2<Width> d;  ///< from a to b
    simd::Columns2<Width> h;
    Real radius;
    simd::Columns2<Width> q;  ///< |d| - h
    Real sharp_slop;          ///< see `corner_slop`; 0 for round shapes

    PHYS2D_INLINE Approach(const simd::Columns4<Width>& relative, const PairForms<Width>& forms,
                           const ContactReach& reach)
        : Approach(offset(relative, reach), forms, reach) {}
    PHYS2D_INLINE Approach(simd::Columns2<Width> between, const PairForms<Width>& forms,
                           const ContactReach& reach)
        : d(between),
          h(forms.h),
          radius(forms.radius),
          q(abs(d) - h),
          sharp_slop(min(Real::fill(reach.corner_slop), forms.most_slop)) {}

    /// The separation of their bounds along the axis where it is larger: a lower bound.
    PHYS2D_INLINE Real at_least() const { return max(q.x, q.y) - radius; }

    /// Whether sides face each other: they overlap by more than the slop, if both shapes are boxes.
    PHYS2D_INLINE simd::LaneMask<Width> have_sides() const { return min(q.x, q.y) <= -sharp_slop; }
    /// Whether no more of their sides face each other than a body may sink into a floor: one may be
    /// the next piece of that.
    PHYS2D_INLINE simd::LaneMask<Width> are_hardly_facing(const ContactReach& reach) const {
        return Real::fill(-reach.deep) < min(q.x, q.y);
    }
    /// Whether the two can touch here; round shapes can touch at corners, too.
    PHYS2D_INLINE simd::LaneMask<Width> are_facing() const {
        return (Real::fill(0.0f) < radius) | have_sides();
    }
    /// The slop at corners of boxes, else 0.
    PHYS2D_INLINE Real slop(const ContactReach& reach) const {
        const Real round_slop = min(radius, min(h.x, h.y)) * Real::fill(slop_share);
        return select(Real::fill(0.0f) < radius, min(Real::fill(reach.corner_slop), round_slop),
                      sharp_slop);
    }
};

/// The translation of a relative to b without the forces of this step: a body at rest on another
/// does not move by its weight.
template <int Width>
PHYS2D_INLINE simd::Columns2<Width> way_without_forces(const PairPlaces& pairs,
                                                       const NarrowBodies& bodies, float dt) {
    return (simd::gather_half<Width>(bodies.velocities, pairs.solver_a) -
            simd::gather_half<Width>(bodies.velocities, pairs.solver_b)) *
           simd::Lanes<Width>::fill(dt);
}

/// How sides that face each other touch: the formula without corners, as in any stack.
template <int Width>
PHYS2D_INLINE Touch<Width> touch_sides(const Approach<Width>& pair, const ContactReach& reach) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const Real one = Real::fill(1.0f);
    const auto x_leads = pair.q.y < pair.q.x;
    const simd::Columns2<Width> normal{select(x_leads, one, zero) * sign(pair.d.x),
                                       select(x_leads, zero, one) * sign(pair.d.y)};
    return {pair.at_least(), normal, simd::LaneMask<Width>::all(), pair.are_hardly_facing(reach)};
}

/// Casts a against b, with their Minkowski sum reduced.
template <int Width>
PHYS2D_INLINE PointCast<Width> cast_past(const Approach<Width>& pair,
                                         const simd::Columns2<Width>& way,
                                         const simd::Columns2<Width>& off_sides,
                                         simd::Lanes<Width> off_radius) {
    return cast_point<Width, Grazing::Misses>(-pair.d, CastWay<Width>(way), pair.h - off_sides,
                                              pair.radius - off_radius);
}

/// A round shape near the corner of a box, or another round shape, that will pass it is held by the
/// plane that touches the corner at their closest approach: the plane at the start of the step
/// would slow it down. Returns the lanes that pass.
template <int Width>
PHYS2D_INLINE simd::LaneMask<Width> let_pass_corners(const Approach<Width>& pair,
                                                     simd::LaneMask<Width> at_corner,
                                                     const simd::Columns2<Width>& way,
                                                     simd::Lanes<Width> slop, Touch<Width>& touch) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const auto moves = at_corner & (slop < max(abs(way.x), abs(way.y)));
    if (!any(moves)) return moves;
    const simd::Columns2<Width> corner{pair.q.x * sign(pair.d.x), pair.q.y * sign(pair.d.y)};
    const ClosestPass<Width> closest(corner, way);
    const auto may_pass = moves & (pair.radius - slop < closest.distance);
    if (!any(may_pass)) return may_pass;
    const auto passes = may_pass & !cast_past(pair, way, {zero, zero}, slop).hits;
    const Real separation = dot(corner, closest.normal) - pair.radius;
    touch.normal = select(passes, closest.normal, touch.normal);
    touch.separation = select(passes, separation, touch.separation);
    return passes;
}

/// The lanes whose hit is more than a graze of a box corner: a box hits with at least the slop of
/// its side, a round shape hits a face or overlaps the corner by the slop. Forces count for a face
/// into which they drive a body, and are left out otherwise.
template <int Width>
PHYS2D_INLINE simd::LaneMask<Width> meets_past_slop(const Approach<Width>& pair,
                                                    const PointCast<Width>& meeting,
                                                    const simd::Columns2<Width>& way,
                                                    const simd::Columns2<Width>& free_way,
                                                    simd::Lanes<Width> slop) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const simd::Columns2<Width> along = abs(meeting.normal);
    const auto is_round = zero < pair.radius;
    const auto at_face = min(along.x, along.y) <= zero;
    const auto is_driven = at_face & (dot(way - free_way, meeting.normal) < zero);
    const auto taken = select(is_driven, way, free_way);
    const simd::Columns2<Width> off_sides{pair.sharp_slop * along.y, pair.sharp_slop * along.x};
    const auto hits = cast_past(pair, taken, off_sides, slop - pair.sharp_slop).hits;
    return hits | (is_round & at_face) | (slop <= zero);
}

/// Round shapes that are apart and move far for their size: within the step their normal turns.
template <int Width>
PHYS2D_INLINE simd::LaneMask<Width> are_flying(const Approach<Width>& pair,
                                               simd::Lanes<Width> distance, simd::Lanes<Width> slop,
                                               simd::Lanes<Width> way) {
    using Real = simd::Lanes<Width>;
    constexpr float long_way = 0.0625f;  // of the radius
    const Real zero = Real::fill(0.0f);
    const auto are_round = (slop <= zero) & !pair.have_sides();
    return are_round & (zero < distance) & (pair.radius * Real::fill(long_way) < way);
}

/// How W pairs of bodies touch where they are at the start of the step.
template <int Width>
PHYS2D_INLINE Touch<Width> touch_in_place(const Approach<Width>& pair, const PairPlaces& pairs,
                                          const NarrowBodies& bodies, const ContactReach& reach,
                                          const simd::Columns2<Width>& way) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const Real slop = pair.slop(reach);
    const auto now = separate(pair.d, pair.h, pair.radius);
    const auto is_close = pair.are_facing() & (now.distance <= Real::fill(reach.margin));
    const auto flies = is_close & are_flying(pair, now.distance, slop, abs(way.x) + abs(way.y));
    const auto is_near = is_close & !flies;
    const auto is_beyond_corner = is_near & (zero < slop) & (zero < min(pair.q.x, pair.q.y));
    const auto from_beside =
        is_beyond_corner | (is_near & pair.have_sides() & pair.are_hardly_facing(reach));
    Touch<Width> touch{now.distance, now.normal, is_near, from_beside};
    if (any(is_beyond_corner)) {
        const auto free_way = way_without_forces<Width>(pairs, bodies, reach.dt);
        let_pass_corners(pair, is_beyond_corner, free_way, slop, touch);
    }
    if (any(flies)) {
        touch.in_contact = is_near | let_pass_corners(pair, flies, way, slop, touch);
    }
    return touch;
}

/// Adds what W pairs of bodies that do not touch yet meet on their ways.
template <int Width>
PHYS2D_INLINE void meet_on_way(const Approach<Width>& pair, const PairPlaces& pairs,
                               const NarrowBodies& bodies, const ContactReach& reach,
                               const simd::Columns2<Width>& way, Touch<Width>& touch) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const Real slop = pair.slop(reach);
    const Real distance =
        select(pair.are_facing(), touch.separation, max(pair.q.x, pair.q.y) + slop);
    const Real still_to_go = select(touch.in_contact, Real::fill(out_of_contact), distance);
    const auto may_meet = still_to_go <= abs(way.x) + abs(way.y);
    if (!any(may_meet)) return;

    const auto meeting = cast_past(pair, way, {zero, zero}, zero);
    auto meets = may_meet & meeting.hits;
    if (any(meets & (zero < slop))) {
        const auto free_way = way_without_forces<Width>(pairs, bodies, reach.dt);
        meets = meets & meets_past_slop(pair, meeting, way, free_way, slop);
    }
    const Real along = -dot(way, meeting.normal);
    const auto hits_side = (min(abs(meeting.normal.x), abs(meeting.normal.y)) <= zero) &
                           !pair.are_hardly_facing(reach);
    touch = {select(meets, along * meeting.fraction, touch.separation),
             select(meets, -meeting.normal, touch.normal), touch.in_contact | meets,
             touch.from_beside | (meets & (zero < slop) & !hits_side)};
}

/// How W pairs of bodies touch, or are about to.
template <int Width>
PHYS2D_INLINE Touch<Width> measure(const PairPlaces& pairs, const PairForms<Width>& forms,
                                   const NarrowBodies& bodies, const ContactReach& reach) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const Real margin = Real::fill(reach.margin);
    const auto relative = gather_relative<Width>(bodies.motions, pairs.a, pairs.b);
    const Approach<Width> pair(relative, forms, reach);
    const auto side_on_side = pair.have_sides() & (pair.at_least() <= margin);
    if (all(side_on_side)) return touch_sides(pair, reach);

    const simd::Columns2<Width> way = -(relative.zw() * Real::fill(reach.dt));
    const auto may_touch = pair.at_least() <= max(abs(way.x) + abs(way.y), margin);
    if (!any(may_touch)) return {pair.at_least(), {zero, zero}, may_touch, may_touch};
    Touch<Width> touch = touch_in_place(pair, pairs, bodies, reach, way);
    meet_on_way(pair, pairs, bodies, reach, way, touch);
    return touch;
}

/// Whether two bodies without forces are in contact in a step; `measure` for one pair.
[[nodiscard]] inline bool are_in_contact(const NarrowBody& a, const NarrowBody& b,
                                         const ContactReach& reach) {
    const simd::Record4 motions[] = {a.motion, b.motion};
    const Vec2 velocity_a = velocity_of(a);
    const Vec2 velocity_b = velocity_of(b);
    const simd::Record4 velocities[] = {{velocity_a.x, velocity_a.y, 0.0f, 0.0f},
                                        {velocity_b.x, velocity_b.y, 0.0f, 0.0f}};
    const std::uint32_t slots[] = {0, 1};
    const std::uint32_t places[] = {simd::place_of_record(0), simd::place_of_record(1)};
    const auto forms =
        PairForms<1>::of_bodies(simd::load_records<1>(&a.form), simd::load_records<1>(&b.form));
    const PairPlaces pair{&slots[0], &slots[1], &places[0], &places[1]};
    return measure<1>(pair, forms, {motions, velocities}, reach).in_contact.set;
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

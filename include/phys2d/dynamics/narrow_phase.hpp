// SPDX-License-Identifier: MIT
// Which pairs are in contact in this step, how deep, and along which normal?
//
// `update_contacts` puts the pairs through the one formula W at a time, in place: 64 bytes of geometry
// and motion are gathered for a pair, 12 are written, and the blocks that have a contact are listed.
//
// A pair that is apart but will meet on its way through this step is a contact too, with the normal that
// it will have then, and the way along it as separation: the solver stops the bodies there, however fast
// they are. A plane that touches a convex shape has all of it on one side, so nothing gets past.
#pragma once

#include <bit>
#include <cstdint>

#include <phys2d/collision/touch_face.hpp>
#include <phys2d/dynamics/contacts.hpp>

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

/// What gets past the corner of a box but for less than this, and what gravity adds in a step, does not touch it [m at
/// length unit 1]. All that slides over a row of boxes lies a hair below their tops, and would run into each one in turn.
inline constexpr float corner_slop = 1e-3f;

/// When a pair counts as a contact.
struct ContactReach {
    float margin;       ///< always, up to this separation [m]
    float dt;           ///< and if it meets in this time [s]
    float deep;         ///< overlap beyond this is worked off by moving the bodies [m]
    float flush_slop;   ///< see there [m]
    float corner_slop;  ///< see there [m]
};

/// Bits of the lanes of a block.
struct TouchingLanes {
    unsigned active;
    unsigned deep;
};

/// What the one formula says of W pairs of bodies.
template <int Width>
struct Touch {
    simd::Lanes<Width> separation, normal_x, normal_y;
    simd::LaneMask<Width> in_contact;
};

inline constexpr int halves_of_body = 4;  // half records a NarrowBody

/// The slop is at most this part of a small shape.
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
    Real d_x, d_y;          ///< from a to b
    Real h_x, h_y, radius;  ///< of the sum
    Real q_x, q_y;          ///< |d| - h
    Real way_x, way_y;      ///< of a past b in this step
    Real slop;              ///< at corners of boxes, else 0: see `corner_slop`

    PHYS2D_INLINE Approach(const std::uint32_t* a, const std::uint32_t* b, const NarrowBody* bodies,
                           const ContactReach& reach) {
        const simd::Record4* records = &bodies->place;
        const auto place_a = simd::gather<Width, halves_of_body>(records, a);
        const auto place_b = simd::gather<Width, halves_of_body>(records, b);
        const auto motion_a = simd::gather<Width, halves_of_body>(records + 1, a);
        const auto motion_b = simd::gather<Width, halves_of_body>(records + 1, b);
        d_x = place_b.x - place_a.x;
        d_y = place_b.y - place_a.y;
        h_x = place_a.z + place_b.z;
        h_y = place_a.w + place_b.w;
        radius = motion_a.z + motion_b.z;
        q_x = abs(d_x) - h_x;
        q_y = abs(d_y) - h_y;
        way_x = (motion_a.x - motion_b.x) * Real::fill(reach.dt);
        way_y = (motion_a.y - motion_b.y) * Real::fill(reach.dt);
        const Real most = Real::fill(reach.corner_slop);
        const Real of_round = min(radius, min(h_x, h_y)) * Real::fill(slop_share);
        slop = select(Real::fill(0.0f) < radius, min(most, of_round),
                      slop_of_boxes<Width>(place_a, place_b, reach));
    }
};

/// Sharp boxes face each other if their sides overlap by more than the slop; round shapes always do.
template <int Width>
PHYS2D_INLINE simd::LaneMask<Width> are_facing(const Approach<Width>& pair) {
    const auto zero = simd::Lanes<Width>::fill(0.0f);
    return (zero < pair.radius) | (min(pair.q_x, pair.q_y) <= zero - pair.slop);
}

/// How a comes to b on its way, but for a slop.
template <int Width>
PHYS2D_INLINE PointCast<Width> cast_past(const Approach<Width>& pair, simd::Lanes<Width> slop) {
    const auto zero = simd::Lanes<Width>::fill(0.0f);
    const auto of_round = select(zero < pair.radius, slop, zero);
    const auto of_sharp = slop - of_round;
    return cast_point<Width, Grazing::Misses>(zero - pair.d_x, zero - pair.d_y, pair.way_x,
                                              pair.way_y, pair.h_x - of_sharp, pair.h_y - of_sharp,
                                              pair.radius - of_round);
}

/// Something round near the corner of a box that will get past it is kept off the plane that touches the corner where
/// they come closest: the one that does now would slow it down.
template <int Width>
PHYS2D_INLINE void let_pass_corners(const Approach<Width>& pair, Touch<Width>& touch) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const Real one = Real::fill(1.0f);
    const auto is_at_corner =
        (zero < min(pair.slop, pair.radius)) & (zero < min(pair.q_x, pair.q_y));
    const auto goes_far = pair.slop < max(abs(pair.way_x), abs(pair.way_y));
    const auto may_pass =
        touch.in_contact & is_at_corner & goes_far & (zero < touch.separation + pair.slop);
    if (bits(may_pass) == 0) return;
    const auto passes = may_pass & !cast_past(pair, pair.slop).hits;

    const Real corner_x = pair.q_x * sign(pair.d_x);
    const Real corner_y = pair.q_y * sign(pair.d_y);
    const Real way_sq = pair.way_x * pair.way_x + pair.way_y * pair.way_y;
    const Real ahead = corner_x * pair.way_x + corner_y * pair.way_y;
    const Real fraction = min(max(ahead / select(passes, way_sq, one), zero), one);
    const Real x = corner_x - pair.way_x * fraction;
    const Real y = corner_y - pair.way_y * fraction;
    const Real per_distance = one / select(passes, sqrt(x * x + y * y), one);
    const Real normal_x = x * per_distance;
    const Real normal_y = y * per_distance;
    const Real separation = corner_x * normal_x + corner_y * normal_y - pair.radius;
    touch.normal_x = select(passes, normal_x, touch.normal_x);
    touch.normal_y = select(passes, normal_y, touch.normal_y);
    touch.separation = select(passes, separation, touch.separation);
}

/// Which of the lanes that `may_meet` do so on their way, and more than a corner of a box.
template <int Width>
PHYS2D_INLINE void let_meet(const Approach<Width>& pair, simd::LaneMask<Width> may_meet,
                            Touch<Width>& touch) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const auto meeting = cast_past(pair, zero);
    auto meets = may_meet & meeting.hits;
    if (bits(meets & (zero < pair.slop)) != 0) meets = meets & cast_past(pair, pair.slop).hits;
    const Real along = zero - (pair.way_x * meeting.normal_x + pair.way_y * meeting.normal_y);
    touch = {select(meets, along * meeting.fraction, touch.separation),
             select(meets, zero - meeting.normal_x, touch.normal_x),
             select(meets, zero - meeting.normal_y, touch.normal_y), touch.in_contact | meets};
}

/// How W pairs of bodies touch, or are about to.
template <int Width>
PHYS2D_INLINE Touch<Width> measure(const std::uint32_t* a, const std::uint32_t* b,
                                   const NarrowBody* bodies, const ContactReach& reach) {
    using Real = simd::Lanes<Width>;
    const Approach<Width> pair(a, b, bodies, reach);
    const Real margin = Real::fill(reach.margin);
    const Real way = abs(pair.way_x) + abs(pair.way_y);
    const Real at_least = max(pair.q_x, pair.q_y) - pair.radius;
    const auto may_touch = at_least <= max(way, margin);
    const Real zero = Real::fill(0.0f);
    if (bits(may_touch) == 0) return {at_least, zero, zero, may_touch};

    const auto now = separate(pair.d_x, pair.d_y, pair.h_x, pair.h_y, pair.radius);
    const auto faces = are_facing(pair);
    Touch<Width> touch{now.distance, now.normal_x, now.normal_y, faces & (now.distance <= margin)};
    let_pass_corners(pair, touch);

    const Real distance = select(faces, now.distance, max(pair.q_x, pair.q_y) + pair.slop);
    const Real still_to_go = select(touch.in_contact, Real::fill(out_of_contact), distance);
    const auto may_meet = still_to_go <= way;
    if (bits(may_meet) != 0) let_meet(pair, may_meet, touch);
    return touch;
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

/// W bodies and faces of terrain, from `lane` on.
template <int Width>
PHYS2D_INLINE Touch<Width> measure_faces(const std::uint32_t* a, const std::uint32_t* b,
                                         const FaceBlock& faces, int lane, const NarrowBody* bodies,
                                         const ContactReach& reach) {
    using Real = simd::Lanes<Width>;
    const simd::Record4* records = &bodies->place;
    const auto place_a = simd::gather<Width, halves_of_body>(records, a);
    const auto place_b = simd::gather<Width, halves_of_body>(records, b);
    const auto motion_a = simd::gather<Width, halves_of_body>(records + 1, a);
    const auto motion_b = simd::gather<Width, halves_of_body>(records + 1, b);
    const auto face = FaceLanes<Width>::load(faces, lane);
    const Real dt = Real::fill(reach.dt);
    const auto touch = touch_faces<Width>(
        face,
        {place_a.x - (place_b.x + face.start_x), place_a.y - (place_b.y + face.start_y), place_a.z,
         place_a.w, motion_a.z, (motion_a.x - motion_b.x) * dt, (motion_a.y - motion_b.y) * dt},
        reach.margin, reach.flush_slop);
    const Real zero = Real::fill(0.0f);
    return {touch.separation, zero - touch.normal_x, zero - touch.normal_y, touch.is_touched};
}

[[nodiscard]] inline bool are_in_contact(const NarrowBody& a, const NarrowBody& b,
                                         const ContactReach& reach) {
    const NarrowBody both[] = {a, b};
    const std::uint32_t first = 0;
    const std::uint32_t second = 1;
    return measure<1>(&first, &second, both, reach).in_contact.set;
}

/// W pairs of a block, from `lane` on. Those that are not in contact forget their impulses.
template <int Width>
PHYS2D_INLINE TouchingLanes update_lanes(const PairBlock& pairs, bool are_boxes,
                                         const FaceBlock* faces, ContactBlock& block, int lane,
                                         const NarrowBody* bodies, const ContactReach& reach) {
    using Real = simd::Lanes<Width>;
    const std::uint32_t* a = pairs.a + lane;
    const std::uint32_t* b = pairs.b + lane;
    Touch<Width> touch;
    if (faces != nullptr) {
        touch = measure_faces<Width>(a, b, *faces, lane, bodies, reach);
    } else if (!are_boxes || !measure_stacked_boxes<Width>(a, b, bodies, reach, touch)) {
        touch = measure<Width>(a, b, bodies, reach);
    }
    const auto [separation, normal_x, normal_y, in_contact] = touch;
    const Real zero = Real::fill(0.0f);
    const auto exists = zero < Real::load(block.share_a + lane) + Real::load(block.share_b + lane);
    const auto active = exists & in_contact;
    normal_x.store(block.normal_x + lane);
    normal_y.store(block.normal_y + lane);
    select(active, separation, Real::fill(out_of_contact)).store(block.separation + lane);
    const auto keep = [&](float* impulse) {
        select(active, Real::load(impulse), zero).store(impulse);
    };
    keep(block.normal_impulse + lane);
    keep(block.tangent_impulse + lane);
    return {bits(active), bits(active & (separation < Real::fill(-reach.deep)))};
}

/// The pairs of blocks [begin, end).
template <int Width>
void update_blocks(Contacts& contacts, std::int32_t begin, std::int32_t end,
                   const NarrowBody* bodies, const ContactReach& reach) {
    for (std::size_t i = at(begin); i < at(end); ++i) {
        unsigned active = 0;
        unsigned deep = 0;
        for (int lane = 0; lane < block_size; lane += Width) {
            const TouchingLanes touching =
                update_lanes<Width>(contacts.pairs[i], contacts.are_boxes[i],
                                    contacts.face_block(static_cast<std::int32_t>(i)),
                                    contacts.blocks[i], lane, bodies, reach);
            active |= touching.active << lane;
            deep |= touching.deep;
        }
        contacts.lanes[i] = static_cast<std::uint8_t>(active);
        contacts.pushed[i] = 0;
        contacts.is_deep[i] = deep != 0;
    }
}

/// The lanes of a block that touch in a step: those that have pushed or overlapped, and those that touched
/// before and are no further apart than the margin.
template <int Width>
[[nodiscard]] unsigned touching_lanes(const Contacts& contacts, std::size_t index, float margin) {
    using Real = simd::Lanes<Width>;
    unsigned overlaps = 0;
    unsigned is_near = 0;
    for (int lane = 0; lane < block_size; lane += Width) {
        const Real separation = Real::load(contacts.blocks[index].separation + lane);
        overlaps |= bits(separation <= Real::fill(0.0f)) << lane;
        is_near |= bits(separation <= Real::fill(margin)) << lane;
    }
    const unsigned touched = contacts.touching[index] & is_near;
    return (contacts.pushed[index] | overlaps | touched) & contacts.lanes[index];
}

/// Lists the blocks that have a contact. To be called after all are up to date.
inline void list_active(Contacts& contacts) {
    contacts.active.resize_for_overwrite(contacts.blocks.size());
    contacts.active_colours.clear();
    contacts.contact_count = 0;
    contacts.any_deep = false;
    std::int32_t end = 0;
    for (const ColourRange& colour : contacts.colours) {
        const std::int32_t begin = end;
        for (std::int32_t i = colour.begin; i < colour.end; ++i) {
            const unsigned lanes = contacts.lanes[at(i)];
            contacts.active[at(end)] = i;
            end += lanes != 0 ? 1 : 0;
            contacts.contact_count += std::popcount(lanes);
            contacts.any_deep |= contacts.is_deep[at(i)];
        }
        if (end > begin) contacts.active_colours.push_back({begin, end, colour.order});
    }
    contacts.active.resize(at(end));
}

}  // namespace phys2d::detail::inline PHYS2D_ABI

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

/// When a pair counts as a contact.
struct ContactReach {
    float margin;  ///< always, up to this separation [m]
    float dt;      ///< and if it meets in this time [s]
    float deep;    ///< overlap beyond this is worked off by moving the bodies [m]
    float slop;    ///< see `flush_slop` [m]
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

template <int Width>
PHYS2D_INLINE Touch<Width> measure(const std::uint32_t* a, const std::uint32_t* b,
                                   const NarrowBody* bodies, const ContactReach& reach) {
    using Real = simd::Lanes<Width>;
    const simd::Record4* records = &bodies->place;
    const auto place_a = simd::gather<Width, halves_of_body>(records, a);
    const auto place_b = simd::gather<Width, halves_of_body>(records, b);
    const auto motion_a = simd::gather<Width, halves_of_body>(records + 1, a);
    const auto motion_b = simd::gather<Width, halves_of_body>(records + 1, b);

    const Real h_x = place_a.z + place_b.z;
    const Real h_y = place_a.w + place_b.w;
    const Real radius = motion_a.z + motion_b.z;
    const auto [separation, normal_x, normal_y] =
        separate(place_b.x - place_a.x, place_b.y - place_a.y, h_x, h_y, radius);

    const auto is_near = separation <= Real::fill(reach.margin);
    const Real way_x = (motion_a.x - motion_b.x) * Real::fill(reach.dt);
    const Real way_y = (motion_a.y - motion_b.y) * Real::fill(reach.dt);
    const auto may_meet =
        (Real::fill(reach.margin) < separation) & (separation <= abs(way_x) + abs(way_y));
    if (bits(may_meet) == 0) return {separation, normal_x, normal_y, is_near};

    const auto meeting = cast_point<Width, Grazing::Misses>(
        place_a.x - place_b.x, place_a.y - place_b.y, way_x, way_y, h_x, h_y, radius);
    const auto meets = may_meet & meeting.hits;
    const Real zero = Real::fill(0.0f);
    const Real along = zero - (way_x * meeting.normal_x + way_y * meeting.normal_y);
    return {select(meets, along * meeting.fraction, separation),
            select(meets, zero - meeting.normal_x, normal_x),
            select(meets, zero - meeting.normal_y, normal_y), is_near | meets};
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
    const auto x_leads = q_y < q_x;
    const Real leading = select(x_leads, q_x, q_y);
    const auto is_other = (zero < min(q_x, q_y)) | (Real::fill(reach.margin) < leading);
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
        reach.margin, reach.slop);
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

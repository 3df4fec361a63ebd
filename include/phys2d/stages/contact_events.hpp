// SPDX-License-Identifier: MIT
// Contact events: which pairs began to touch in this step, and which stopped touching?
//
// A pair begins to touch when its contact pushes or overlaps; it ends when it is further apart than
// the contact margin, so that resting contacts do not flicker.
#pragma once

#include <phys2d/stages/hits.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

[[nodiscard]] inline ContactEvent contact_event(const WorldState& world, ColliderId a, ColliderId b,
                                                Vec2 normal) {
    const auto [body_a, user_data_a] = world.name_of(a);
    const auto [body_b, user_data_b] = world.name_of(b);
    return {body_a, body_b, normal, user_data_a, user_data_b, a, b};
}

/// Whether a changed lane is the first beginning or the last end of its pair, which lasts from its
/// first touching lane to its last.
[[nodiscard]] inline bool is_news(const WorldState& world, LanePlace place) {
    const Contacts& contacts = world.contacts;
    const bool now = has_lane(contacts.touching, place);
    if (now == has_lane(contacts.touching_before, place)) return false;
    if (!contacts.has_face(place)) return true;
    return !world.broad_phase.any_lane_beside(contacts, place, [&](LanePlace other) {
        const bool touches = has_lane(contacts.touching, other);
        const bool touched = has_lane(contacts.touching_before, other);
        const bool is_earlier = other < place && touches == now && touched != now;
        return is_earlier || (now ? touched : touches);
    });
}

/// Decides whether a contact that begins is reported, and will be when it ends.
inline void decide_telling(WorldState& world, LanePlace place) {
    const Array<ContactTraits>& traits = world.bodies.traits;
    const std::uint32_t marks = traits[world.contacts.first_slot(place)].marks |
                                traits[world.contacts.second_slot(place)].marks;
    set_lane(world.contacts.has_events, place, (marks & ContactTraits::silent) == 0);
}

/// A face that joins a pair already touching is reported like the pair: as decided when the pair
/// began.
inline void adopt_telling(WorldState& world, LanePlace place) {
    Contacts& contacts = world.contacts;
    (void)world.broad_phase.any_lane_beside(contacts, place, [&](LanePlace other) {
        const bool touched = has_lane(contacts.touching_before, other);
        if (touched) set_lane(contacts.has_events, place, has_lane(contacts.has_events, other));
        return touched;
    });
}

/// Copies a column. The copy grows only when the column does, so that a world stops allocating once
/// it is warm.
inline void copy_column(const Array<std::uint8_t>& from, Array<std::uint8_t>& to) {
    to.reserve(from.capacity());
    to.assign(from.data(), from.size());
}

/// The lanes of a block that touch in a step, as bits: those that pushed or overlap, and those that
/// touched before and are within the margin.
template <int Width>
[[nodiscard]] unsigned touching_lanes(const Contacts& contacts, std::size_t index) {
    using Real = simd::Lanes<Width>;
    unsigned overlaps = 0;
    for (int lane = 0; lane < block_size; lane += Width) {
        const Real separation = Real::load(contacts.blocks[index].separation + lane);
        overlaps |= bits(separation <= Real::fill(0.0f)) << lane;
    }
    const unsigned touched = contacts.touching_before[index] & ~unsigned{contacts.from_afar[index]};
    return (contacts.pushed[index] | overlaps | touched) & contacts.lanes[index];
}

/// Finds the touching lanes; those of the previous step are in `touching_before`. Lanes that came
/// from beyond the margin, or that touch for another side, are hit again.
template <int Width>
void update_touching(Contacts& contacts) {
    const std::size_t count = contacts.touching.size();
    copy_column(contacts.touching, contacts.touching_before);
    copy_column(contacts.touching, contacts.known);
    contacts.touching.assign(count, 0);
    for (const std::int32_t index : contacts.active) {
        const std::size_t i = at(index);
        const unsigned touching = touching_lanes<Width>(contacts, i);
        const unsigned anew = touching & (contacts.from_afar[i] | contacts.heirs[i]);
        contacts.touching[i] = static_cast<std::uint8_t>(touching);
        contacts.known[i] = static_cast<std::uint8_t>(contacts.touching_before[i] & ~anew);
    }
}

/// Reports that a pair has begun or stopped touching.
inline void tell_contact(WorldState& world, LanePlace place) {
    const Contacts& contacts = world.contacts;
    const ColliderId a = world.bodies.ids[contacts.first_slot(place)];
    const ColliderId b = world.bodies.ids[contacts.second_slot(place)];
    if (!has_lane(contacts.touching, place)) {
        return world.events.ended.push_back(contact_event(world, a, b, {}));
    }
    world.events.began.push_back(contact_event(world, a, b, untilted(contacts.normal_at(place))));
}

/// Restarts the time to sleep of a body that has lost a contact: what held it may be gone, and it
/// may be slow only because it has just begun to move.
inline void restart_rest(Bodies& bodies, std::int32_t slot) {
    if (slot != SlotMap::no_slot) bodies.rests[slot].restart();
}
inline void restart_rests(WorldState& world, LanePlace place) {
    restart_rest(world.bodies, world.contacts.first_slot(place));
    restart_rest(world.bodies, world.contacts.second_slot(place));
}

/// Ends the contacts of what has been off since the previous step, also if it is on again: those
/// that go on begin anew.
inline void part_what_was_off(WorldState& world) {
    if (world.been_off.empty()) return;
    for_each_lane_in(world.contacts, world.contacts.touching, [&](LanePlace place) {
        const ColliderPair pair = world.broad_phase.ids_of(world.contacts, place);
        if (world.has_been_off(pair)) world.broad_phase.part(world.contacts, place);
    });
}

/// Ends the contacts of pairs that are not listed any more.
inline void tell_parted(WorldState& world) {
    Bodies& bodies = world.bodies;
    PartedPairs& parted = world.broad_phase.kept_contacts().parted;
    for (const PartedPair& ended : parted.all()) {
        const auto [a, b] = ended.pair;
        restart_rest(bodies, bodies.slots.slot_of(a));
        restart_rest(bodies, bodies.slots.slot_of(b));
        if (ended.has_events) world.events.ended.push_back(contact_event(world, a, b, {}));
    }
    parted.clear();
}

/// Reports the changes of a block. `changed`: its lanes that ended, began, or are hit again.
inline void tell_block(WorldState& world, std::int32_t i, unsigned changed) {
    const Contacts& contacts = world.contacts;
    const unsigned touching = contacts.touching[i];
    const unsigned touched = contacts.touching_before[i];
    for_each_bit(touched & ~touching, [&](int lane) { restart_rests(world, {i, lane}); });
    if (world.bodies.any_silent) {
        for_each_bit(touching & ~touched, [&](int lane) { decide_telling(world, {i, lane}); });
    }
    if (contacts.has_face({i, 0})) {
        for_each_bit(changed & touching, [&](int lane) { adopt_telling(world, {i, lane}); });
    }
    for_each_bit(changed & contacts.has_events[i], [&](int lane) {
        const LanePlace place{i, lane};
        if (is_news(world, place)) tell_contact(world, place);
        if (has_lane(contacts.pushed, place)) tell_hit(world, place);
    });
}

/// Reports the changes since the previous step.
template <int Width>
void tell_contacts(WorldState& world) {
    Contacts& contacts = world.contacts;
    part_what_was_off(world);
    tell_parted(world);
    update_touching<Width>(contacts);
    const auto differ = [](std::uint64_t now, std::uint64_t before) { return now ^ before; };
    for_each_block(contacts.touching, contacts.known, differ,
                   [&](std::int32_t i, unsigned changed) { tell_block(world, i, changed); });
    contacts.heirs.assign(contacts.touching.size(), 0);
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

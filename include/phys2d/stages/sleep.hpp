// SPDX-License-Identifier: MIT
// Sleep: which bodies have rested for so long that steps leave them out?
//
// Bodies connected by contacts are an island. An island falls asleep as a whole once each of its
// bodies has been slow for a while; its bodies leave the ranges of slots that a step visits, so
// that they cost nothing, and its contacts are stored with their impulses, so that it wakes with
// them (waking.hpp). A touching kinematic body that moves keeps an island awake.
#pragma once

#include <phys2d/stages/world_state.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Islands are searched once in this many steps, and so may fall asleep that much later.
inline constexpr std::uint64_t steps_between_sleeps = 8;

/// Whether a body falls freely: `after` differs from `before` + `gain`, where forces alone would
/// lead, by less than half of the gain.
[[nodiscard]] inline bool falls(Vec2 before, Vec2 gain, Vec2 after) {
    constexpr float part_held = 0.5f;
    return length_sq(before + gain - after) < square(part_held) * length_sq(gain);
}

/// Adds up the time for which each of the bodies [begin, end) has been slow, by its velocity or by
/// its way in the step: what has no room ends each step with a velocity that the next one stops. A
/// body in free fall does not count as slow, unless gravity is too weak to exceed sleep_speed
/// within time_to_sleep. To be called before the velocities of a step are stored.
inline void count_still_time(WorldState& world, std::int32_t begin, std::int32_t end) {
    const WorldConfig& config = world.config;
    if (config.time_to_sleep == 0.0f) return;
    const float speed = world.scaled(config.sleep_speed);
    const float weak_sq = square(mul(speed, config.time_step) / config.time_to_sleep);
    const float steps_per_second = 1.0f / config.time_step;
    const auto substeps = static_cast<float>(config.substeps);
    Bodies& bodies = world.bodies;
    const std::int32_t dynamic_end = smaller_of(end, bodies.ranges.dynamic_count);
    for (std::size_t i = at(begin); i < at(dynamic_end); ++i) {
        const simd::Record4& state = world.solver.state[i];
        const simd::Record4& drive = world.solver.drive[i];
        const Vec2 velocity{state.x, state.y};
        const Vec2 mean_velocity = Vec2{state.z, state.w} * steps_per_second;
        const Vec2 gain = Vec2{drive.x, drive.y} * substeps;
        const bool is_still =
            min(length_sq(velocity), length_sq(mean_velocity)) < square(speed) &&
            !(length_sq(gain) > weak_sq && falls(bodies.velocities[i], gain, velocity));
        float& time = bodies.rests[i].still_time;
        time = is_still ? time + config.time_step : min(time, 0.0f);
    }
}

/// Whether any body has been slow for long enough.
[[nodiscard]] inline bool any_is_tired(const Bodies& bodies, float time_to_sleep) {
    for (std::size_t i = 0; i < at(bodies.ranges.dynamic_count); ++i) {
        if (bodies.rests[i].still_time >= time_to_sleep) return true;
    }
    return false;
}

/// Whether a body has moved in this step, or will move in the next.
[[nodiscard]] inline bool moves(const Bodies& bodies, std::int32_t slot) {
    return bodies.velocities[slot] != Vec2{} || bodies.last_way(slot) != Vec2{};
}

/// Whether a body in a deep overlap is still being pushed out; one without room never comes out and
/// may sleep.
[[nodiscard]] inline bool gets_on(const WorldState& world, std::int32_t slot) {
    constexpr float share_of_sleep_speed = 0.1f;
    const WorldConfig& config = world.config;
    const float speed = world.scaled(mul(share_of_sleep_speed, config.sleep_speed));
    const Vec2 way = world.bodies.last_way(slot);
    return length_sq(way) > square(mul(speed, config.time_step));
}

/// Bodies that overlap by less than this may fall asleep while they are pushed apart
/// [m at length unit 1].
inline constexpr float unseen_overlap = 0.004f;

/// Marks the bodies that may not sleep yet, whatever they touch.
inline void mark_restless(WorldState& world) {
    const Bodies& bodies = world.bodies;
    const std::int32_t count = bodies.ranges.dynamic_count;
    world.is_restless.resize_for_overwrite(at(count));
    for (std::size_t i = 0; i < at(count); ++i) {
        world.is_restless[i] = bodies.rests[i].still_time < world.config.time_to_sleep;
    }
    for (const BodyImpulse& impulse : world.impulses) {
        const std::int32_t slot = bodies.slots.slot_of(impulse.body);
        if (slot != SlotMap::no_slot && slot < count) world.is_restless[slot] = true;
    }
}

/// Unites bodies in contact; marks those that something drags or pushes out.
inline void unite_contacts(WorldState& world) {
    const Bodies& bodies = world.bodies;
    const Contacts& contacts = world.contacts;
    const SlotRanges ranges = bodies.ranges;
    const float unseen = world.scaled(unseen_overlap);
    for_each_contact_lane(contacts, [&](LanePlace place) {
        const std::int32_t a = contacts.first_slot(place);
        const std::int32_t b = contacts.second_slot(place);
        if (ranges.is_dynamic(b)) {
            world.islands.unite(a, b);
        } else if (ranges.is_moving(b) && moves(bodies, b)) {
            world.is_restless[a] = true;
        }
        const bool is_in = contacts.separation(place) < -unseen;
        const bool is_pushed_out = is_in && (gets_on(world, a) || gets_on(world, b));
        const bool is_conveyed =
            contacts.surface_speed(place) != 0.0f && contacts.friction(place) != 0.0f;
        if (is_pushed_out || is_conveyed) world.is_restless[a] = true;
    });
}

/// Unites bodies in contact; marks islands in which a body may not sleep yet, at their roots.
inline void find_islands(WorldState& world) {
    const std::int32_t count = world.bodies.ranges.dynamic_count;
    world.islands.begin(count);
    mark_restless(world);
    for (const auto [slot, body] : world.bodies.limbs) {
        if (slot < count) world.islands.unite(slot, body);
    }
    unite_contacts(world);
    for (std::int32_t i = 0; i < count; ++i) {
        if (world.is_restless[i]) world.is_restless[world.islands.root(i)] = true;
    }
}

/// Links the bodies of resting islands to rings; they keep their slots.
inline void form_rings(WorldState& world) {
    Bodies& bodies = world.bodies;
    world.changing_sleep.clear();
    for (std::int32_t i = 0; i < bodies.ranges.dynamic_count; ++i) {
        const std::int32_t root = world.islands.root(i);
        if (world.is_restless[root]) continue;
        BodyRest& first = bodies.rests[root];
        BodyRest& rest = bodies.rests[i];
        rest.next_in_island = i == root ? index_of(bodies.ids[i]) : first.next_in_island;
        first.next_in_island = index_of(bodies.ids[i]);
        world.changing_sleep.push_back(bodies.ids[i]);
    }
}

/// Stores the contacts of bodies in rings.
inline void put_contacts_away(WorldState& world) {
    Bodies& bodies = world.bodies;
    Contacts& contacts = world.contacts;
    for_each_contact_lane(contacts, [&](LanePlace place) {
        BodyRest& rest = bodies.rests[contacts.first_slot(place)];
        if (rest.next_in_island == BodyRest::none) return;
        rest.first_contact =
            world.sleeping_contacts.keep({.a = bodies.ids[contacts.first_slot(place)],
                                          .b = bodies.ids[contacts.second_slot(place)],
                                          .memory = memory_of(contacts, place),
                                          .face = face_place_of(contacts, place),
                                          .next = rest.first_contact});
        contacts.clear_impulses(place);
        set_lane(contacts.touching, place, false);
        set_lane(contacts.lanes, place, false);
    });
}

/// Calls visit(contact) for each stored contact, body by body.
void for_each_sleeping_contact(const WorldState& world, auto visit) {
    const SlotRanges ranges = world.bodies.ranges;
    for (std::size_t slot = at(ranges.moving_count); slot < at(ranges.static_begin); ++slot) {
        std::int32_t i = world.bodies.rests[slot].first_contact;
        while (i != StoredContact::none) {
            const StoredContact& contact = world.sleeping_contacts.contact(i);
            visit(contact);
            i = contact.next;
        }
    }
}

/// Sends islands to sleep that have rested for long enough.
inline void sleep(WorldState& world) {
    const WorldConfig& config = world.config;
    if (config.time_to_sleep == 0.0f || world.step_count % steps_between_sleeps != 0) return;
    if (!any_is_tired(world.bodies, config.time_to_sleep)) return;
    find_islands(world);
    form_rings(world);
    if (world.changing_sleep.empty()) return;
    put_contacts_away(world);
    Bodies& bodies = world.bodies;
    for (const ColliderId id : world.changing_sleep) {
        const std::int32_t slot = bodies.slots.slot_of(id);
        bodies.velocities[slot] = {};
        bodies.previous_positions[slot] = bodies.positions[slot];
        if (!bodies.is_limb(slot)) world.events.fell_asleep.push_back(bodies.owners[slot]);
        bodies.regroup(slot);
    }
    world.broad_phase.add_sleepers(bodies, world.changing_sleep);
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// Encounters: when in a step do contacts come about, and were they there before?
#pragma once

#include <phys2d/stages/world_state.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Whether two colliders, the first one dynamic, had a contact in the last step. Contacts of bodies
/// that have woken since are kept apart.
[[nodiscard]] inline bool had_contact(const WorldState& world, std::int32_t a, std::int32_t b) {
    const BroadPhase& broad_phase = world.broad_phase;
    const ColliderId id_a = world.bodies.ids[a];
    const ColliderId id_b = world.bodies.ids[b];
    const auto is_it = [&](LanePlace place) {
        const ColliderPair pair = broad_phase.ids_of(world.contacts, place);
        return (pair.a == id_b || pair.b == id_b) && has_lane(world.contacts.lanes, place);
    };
    const bool has_lanes = broad_phase.has_lanes_of(world.contacts, world.bodies.owners[a]);
    if (has_lanes && broad_phase.any_lane_of(id_a, is_it)) return true;
    for (const StoredContact& kept : broad_phase.kept_contacts().all()) {
        if (kept.a == id_a && kept.b == id_b) return true;
        if (kept.a == id_b && kept.b == id_a) return true;
    }
    return false;
}

/// Whether the second body of a pair does not give way.
[[nodiscard]] inline bool is_on_fixed(const WorldState& world, LanePlace place) {
    return !world.bodies.ranges.is_dynamic(world.contacts.second_slot(place));
}

/// The translation of the first body of a pair relative to the second in this step [m].
[[nodiscard]] inline Vec2 way_past(const WorldState& world, LanePlace place) {
    const NarrowColumns& narrow = world.bodies.narrow;
    return (velocity_of(narrow[world.contacts.first_slot(place)]) -
            velocity_of(narrow[world.contacts.second_slot(place)])) *
           world.config.time_step;
}

/// How far the bodies of a contact approach each other in this step, if nothing stops them [m].
[[nodiscard]] inline float approach_at(const WorldState& world, LanePlace place) {
    return dot(way_past(world, place), world.contacts.normal_at(place));
}

/// At which fraction of the step a contact gets to a depth; more than 1 if it does not.
[[nodiscard]] inline float fraction_at(const WorldState& world, LanePlace place, float depth) {
    const float approach = approach_at(world, place);
    const float distance = world.contacts.separation(place) + depth;
    return approach > 0.0f ? max(distance, 0.0f) / approach : out_of_contact;
}
[[nodiscard]] inline Encounter encounter_of(const WorldState& world, LanePlace place) {
    return {fraction_at(world, place, 0.0f), place};
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// Waking: which sleeping bodies does a change, or a touch, wake?
//
// An island wakes as a whole, with the contacts that it fell asleep with: when a moving body comes
// into contact with one of its bodies, before that contact is solved; when a user changes one of
// them; and when a static or kinematic body on which they may lean changes.
#pragma once

#include <phys2d/stages/world_state.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Wakes the island of a collider; if it is awake, restarts its time to sleep.
inline void wake(WorldState& world, ColliderId id) {
    Bodies& bodies = world.bodies;
    const std::int32_t sleeper = bodies.slots.slot_of(id);
    if (sleeper == SlotMap::no_slot) return;
    bodies.rests[sleeper].restart();
    if (!bodies.is_asleep(sleeper)) return;
    auto index = static_cast<std::size_t>(id.index);
    while (true) {
        const std::int32_t slot = bodies.slots.slot_at(index);
        BodyRest& rest = bodies.rests[slot];
        if (rest.next_in_island == BodyRest::none) return;  // all of the ring is awake
        index = at(rest.next_in_island);
        for (std::int32_t i = rest.first_contact; i != StoredContact::none;) {
            world.broad_phase.kept_contacts().keep(world.sleeping_contacts.contact(i));
            i = world.sleeping_contacts.release(i);
        }
        rest = {};
        bodies.velocities[slot] = {};  // users may have written to the column
        bodies.renew(slot);            // it may have slept for less than a step
        if (!bodies.is_limb(slot)) world.events.woken_since_step.push_back(bodies.owners[slot]);
        world.broad_phase.note_change(bodies.ids[slot]);
        bodies.regroup(slot);
    }
}

inline void wake(WorldState& world, BodyId body) { wake(world, first_collider(body)); }

/// Wakes the bodies that may lean on a changed body with this box.
inline void wake_around(WorldState& world, const AABB& box) {
    if (world.bodies.sleeping_count() == 0) return;
    const float reach = 2.0f * world.contact_margin();
    world.broad_phase.for_each_sleeper(world.bodies, expand(box, reach), [&](std::int32_t slot) {
        wake(world, world.bodies.ids[slot]);
    });
}

/// Wakes the bodies that may lean on a collider that impulses do not move.
inline void wake_leaning(WorldState& world, std::int32_t slot) {
    const Bodies& bodies = world.bodies;
    const bool may_bear = bodies.is_enabled(slot) && !bodies.colliders[slot].is_sensor;
    if (may_bear) wake_around(world, box_of(bodies, slot));
}

/// Call it before a body changes, and after a change of its place, its shape or what it blocks:
/// wakes the body, and if impulses do not move it the bodies that may lean on it there. Returns its
/// slot, which waking may change.
inline std::int32_t wake_with_leaning(WorldState& world, BodyId body) {
    wake(world, body);
    const Bodies& bodies = world.bodies;
    const bool may_bear = bodies.dynamics[bodies.slots.slot_of(body)].inverse_mass == 0.0f;
    if (may_bear && bodies.sleeping_count() > 0) {
        bodies.for_each_of(body, [&](std::int32_t part) {
            if (!bodies.is_tile_kind(part)) wake_leaning(world, part);  // the map is a part, too
        });
    }
    return bodies.slots.slot_of(body);
}

/// The same for a collider. All of a dynamic body's are concerned, since its mass may change.
inline std::int32_t wake_with_leaning(WorldState& world, ColliderId id) {
    const Bodies& bodies = world.bodies;
    const std::int32_t slot = bodies.slots.slot_of(id);
    if (bodies.types[slot] == BodyType::Dynamic) {
        wake_with_leaning(world, bodies.owners[slot]);
    } else {
        wake_leaning(world, slot);
    }
    return bodies.slots.slot_of(id);
}

inline void wake_all(WorldState& world) {
    for (BodyRest& rest : world.bodies.rests) rest.restart();
    while (world.bodies.sleeping_count() > 0) {
        wake(world, world.bodies.ids[world.bodies.ranges.moving_count]);
    }
}

/// Whether a face of terrain touches a body.
[[nodiscard]] inline bool terrain_touches(const WorldState& world, std::int32_t terrain,
                                          std::int32_t body) {
    const Shape shape = world.bodies.placed_shape(body);
    const float margin = world.contact_margin();
    const AABB around = expand(bounds(shape), margin);
    return any_placed_face(world.bodies, terrain, around,
                           [&](const Face& face, std::int32_t owner) {
                               return world.may_touch(owner, body) && touches(face, shape, margin);
                           });
}

/// Whether a moving collider touches one that is asleep.
[[nodiscard]] inline bool touches_sleeper(const WorldState& world, std::int32_t slot,
                                          std::int32_t sleeper, const ContactReach& reach) {
    const Bodies& bodies = world.bodies;
    if (bodies.is_terrain(slot)) return terrain_touches(world, slot, sleeper);
    return are_in_contact(bodies.narrow[slot], bodies.narrow[sleeper], reach) &&
           world.may_touch(slot, sleeper);
}

/// Wakes the islands that a moving body touches; returns whether there were any.
inline bool wake_touched(WorldState& world, const ContactReach& reach) {
    Bodies& bodies = world.bodies;
    world.changing_sleep.clear();
    for (const auto [mover, index] : world.broad_phase.watches()) {
        const std::int32_t slot = bodies.slots.slot_at(at(mover));
        const std::int32_t sleeper = bodies.slots.slot_at(at(index));
        if (slot == SlotMap::no_slot || !bodies.ranges.is_moving(slot)) continue;
        if (sleeper == SlotMap::no_slot || !bodies.is_asleep(sleeper)) continue;
        const bool moves = bodies.ranges.is_dynamic(slot) || bodies.velocities[slot] != Vec2{};
        if (!moves || bodies.is_tile_kind(slot)) continue;
        if (touches_sleeper(world, slot, sleeper, reach)) {
            world.changing_sleep.push_back(bodies.ids[sleeper]);
        }
    }
    for (const ColliderId id : world.changing_sleep) wake(world, id);
    return !world.changing_sleep.empty();
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// Which pairs began to touch in this step, and which ceased to?
//
// A pair begins to touch when its contact has to push, or overlaps; it goes on until it is further apart than
// the contact margin, so that what rests on something does not blink.
#pragma once

#include <phys2d/world/world_state.hpp>

namespace phys2d::detail::inline PHYS2D_ABI {

/// What a collider is called that is alive or was when the step before ended.
inline ColliderName name_of(const WorldState& world, BodyId id) {
    const std::int32_t slot = world.bodies.slots.slot_of(id);
    if (slot == SlotMap::no_slot) return world.events.graves.name(id);
    return {world.bodies.owners[at(slot)], world.bodies.user_data[at(slot)]};
}

[[nodiscard]] inline ContactEvent contact_event(const WorldState& world, BodyId a, BodyId b) {
    const auto [body_a, user_data_a] = name_of(world, a);
    const auto [body_b, user_data_b] = name_of(world, b);
    return {body_a, body_b, user_data_a, user_data_b, as_collider(a), as_collider(b)};
}

/// Tells of a contact that began if it did so fast. To be called while the solver still knows the step.
inline void tell_hit(WorldState& world, std::int32_t index, int lane) {
    const PairBlock& pairs = world.contacts.pairs[at(index)];
    const ContactBlock& block = world.contacts.blocks[at(index)];
    const Bodies& bodies = world.bodies;
    const std::uint32_t a = pairs.a[lane];
    const std::uint32_t b = pairs.b[lane];
    const Vec2 normal{block.normal_x[lane], block.normal_y[lane]};
    const simd::Record4& motion_a = bodies.narrow[a].motion;
    const simd::Record4& motion_b = bodies.narrow[b].motion;
    const float speed = dot({motion_a.x - motion_b.x, motion_a.y - motion_b.y}, normal);
    if (speed <= mul(world.config.hit_speed, world.config.length_unit)) return;

    const simd::Record4& end_a = world.solver.state[a];
    const simd::Record4& end_b = world.solver.state[block.b[lane] / 2];
    const float parting = dot({end_b.x - end_a.x, end_b.y - end_a.y}, normal);
    const float reduced_mass =
        inverse_mass_of(bodies.dynamics[a].inverse_mass + bodies.dynamics[b].inverse_mass);
    world.events.hits.push_back({bodies.owners[a], bodies.owners[b], normal,
                                 collide(bodies.placed_shape(a), bodies.placed_shape(b)).point,
                                 speed, mul(speed + parting, reduced_mass),
                                 as_collider(bodies.ids[a]), as_collider(bodies.ids[b])});
}

/// Tells what has become of the pairs since the step before.
template <int Width>
void tell_contacts(WorldState& world) {
    Contacts& contacts = world.contacts;
    const Bodies& bodies = world.bodies;
    const float margin = world.contact_margin();
    EventLog& events = world.events;
    world.broad_phase.take_parted(world.parted);
    for (const auto [a, b] : world.parted) {
        events.ended.push_back(contact_event(world, a, b));
    }

    const auto count = static_cast<std::int32_t>(contacts.blocks.size());
    for (std::int32_t i = 0; i < count; ++i) {
        const unsigned before = contacts.touching[at(i)];
        if ((contacts.lanes[at(i)] | before) == 0) continue;
        const unsigned now = touching_lanes<Width>(contacts, at(i), margin);
        contacts.touching[at(i)] = static_cast<std::uint8_t>(now);
        const unsigned changed = (now ^ before) & contacts.has_events[at(i)];
        for_each_lane(changed, [&](int lane) {
            const PairBlock& pairs = contacts.pairs[at(i)];
            const bool began = (now >> lane & 1) != 0;
            (began ? events.began : events.ended)
                .push_back(
                    contact_event(world, bodies.ids[pairs.a[lane]], bodies.ids[pairs.b[lane]]));
            if (began) tell_hit(world, i, lane);
        });
    }
}

}  // namespace phys2d::detail::inline PHYS2D_ABI

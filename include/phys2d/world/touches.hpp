// SPDX-License-Identifier: MIT
// What touches what, as the last step has left it?
#pragma once

#include <phys2d/world/contact_events.hpp>
#include <phys2d/world/sleep.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// A contact of the last step, as it stands now.
struct WorldContact {
    BodyId a;
    BodyId b;
    Manifold manifold;  ///< of the bodies where they are now
    /// That a got along -normal and b along +normal in the step [N·s]: bounces, and the push of the last
    /// sub-step times the number of sub-steps. A box at rest shows its weight times the time step.
    float normal_impulse = 0.0f;
    float tangent_impulse = 0.0f;  ///< the same along perpendicular(normal), without bounces [N·s]
    ColliderId collider_a;
    ColliderId collider_b;
};

}  // namespace phys2d::inline PHYS2D_ABI

namespace phys2d::inline PHYS2D_ABI::detail {

/// Where no contact is that the last step has solved.
inline constexpr LanePlace nowhere{-1, 0};

/// A contact as users see it, from what is known of it beside the impulses of its bounces. Pre: both colliders live.
[[nodiscard]] inline WorldContact world_contact(const WorldState& world,
                                                const SleepingContact& contact, float impact,
                                                LanePlace place) {
    const Bodies& bodies = world.bodies;
    const std::size_t a = at(bodies.slots.slot_of(contact.a));
    const std::size_t b = at(bodies.slots.slot_of(contact.b));
    const float reduced_mass =
        inverse_mass_of(bodies.dynamics[a].inverse_mass + bodies.dynamics[b].inverse_mass);
    const auto substeps = static_cast<float>(world.config.substeps);
    return {bodies.owners[a],
            bodies.owners[b],
            manifold_of(world, a, b, place),
            mul(mul(contact.normal_impulse, substeps) + impact, reduced_mass),
            mul(mul(contact.tangent_impulse, substeps), reduced_mass),
            as_collider(contact.a),
            as_collider(contact.b)};
}

/// Calls visit(const WorldContact&) for the contacts of the last step, then for those that are put away, of which
/// concerns(body, body) says so.
template <class Concerns, class Visit>
void for_each_contact(const WorldState& world, Concerns concerns, Visit visit) {
    const SlotMap& slots = world.bodies.slots;
    const auto owner = [&](BodyId id) { return world.bodies.owners[at(slots.slot_of(id))]; };
    const auto tell = [&](const SleepingContact& contact, float impact, LanePlace place) {
        const bool are_there = slots.contains(contact.a) && slots.contains(contact.b);
        if (!are_there || !concerns(owner(contact.a), owner(contact.b))) return;
        visit(world_contact(world, contact, impact, place));
    };
    const Contacts& contacts = world.contacts;
    for_each_contact_lane(contacts, [&](std::int32_t index, int lane) {
        const PairBlock& pairs = contacts.pairs[at(index)];
        const ContactBlock& block = contacts.blocks[at(index)];
        const BodyId a = world.broad_phase.id_in_pairs(pairs.a[lane]);
        const BodyId b = world.broad_phase.id_in_pairs(pairs.b[lane]);
        if (world.bodies.is_asleep(slots.slot_of(a))) return;  // fell asleep after this: told below
        tell({.a = a,
              .b = b,
              .normal_impulse = block.normal_impulse[lane],
              .tangent_impulse = block.tangent_impulse[lane]},
             contacts.bounces[at(index)].impact[lane], {index, lane});
    });
    for_each_put_away(world, [&](const SleepingContact& contact) { tell(contact, 0.0f, nowhere); });
}

/// Calls visit(body) with the other body of each pair that touches, told or not, and of which both live.
template <class Visit>
void for_each_touching(const WorldState& world, BodyId body, Visit visit) {
    const Bodies& bodies = world.bodies;
    const auto see = [&](BodyId a, BodyId b) {
        const std::int32_t slot_a = bodies.slots.slot_of(a);
        const std::int32_t slot_b = bodies.slots.slot_of(b);
        if (slot_a == SlotMap::no_slot || slot_b == SlotMap::no_slot) return;
        const BodyId owner_a = bodies.owners[at(slot_a)];
        const BodyId owner_b = bodies.owners[at(slot_b)];
        if (owner_a == body || owner_b == body) visit(owner_a == body ? owner_b : owner_a);
    };
    const Contacts& contacts = world.contacts;
    for (std::size_t i = 0; i < contacts.touching.size(); ++i) {
        for_each_bit(contacts.touching[i], [&](int lane) {
            see(world.broad_phase.id_in_pairs(contacts.pairs[i].a[lane]),
                world.broad_phase.id_in_pairs(contacts.pairs[i].b[lane]));
        });
    }
    for_each_put_away(world, [&](const SleepingContact& contact) {
        if (contact.is_touching) see(contact.a, contact.b);
    });
}

/// Calls visit(body) for each collider in the sensors of a body, of those that live.
template <class Visit>
void for_each_visitor(const WorldState& world, BodyId body, Visit visit) {
    const Bodies& bodies = world.bodies;
    for (const auto [sensor, visitor] : world.visits) {
        const std::int32_t slot = bodies.slots.slot_of(sensor);
        const std::int32_t slot_of_visitor = bodies.slots.slot_of(visitor);
        if (slot == SlotMap::no_slot || slot_of_visitor == SlotMap::no_slot) continue;
        if (bodies.owners[at(slot)] == body) visit(bodies.owners[at(slot_of_visitor)]);
    }
}

/// Calls visit(collider) for each collider in a sensor, of those that live.
template <class Visit>
void for_each_visitor(const WorldState& world, ColliderId sensor, Visit visit) {
    for (const auto [eye, visitor] : world.visits) {
        const bool is_there = as_collider(eye) == sensor && world.bodies.slots.contains(visitor);
        if (is_there) visit(as_collider(visitor));
    }
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

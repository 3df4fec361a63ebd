// SPDX-License-Identifier: MIT
// Special pairs: contacts with a one-way side or a moving surface.
//
// They are few, so they are processed one by one, between finding the contacts of a step and
// solving them.
#pragma once

#include <initializer_list>

#include <phys2d/stages/one_way_side.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Ends a contact of this step before it is solved.
inline void let_through(Contacts& contacts, LanePlace place) {
    set_lane(contacts.lanes, place, false);
    ContactBlock& block = contacts.blocks[place.block];
    block.separation[place.lane] = out_of_contact;
    block.normal.set(place.lane, {});
    contacts.clear_impulses(place);
}

/// One special pair in this step.
class SpecialPair {
public:
    SpecialPair(WorldState& world, LanePlace place)
        : world_(world),
          place_(place),
          block_(world.contacts.blocks[place.block]),
          a_(world.contacts.first_slot(place)),
          b_(world.contacts.second_slot(place)) {}

    void judge() {
        if (!has_lane(world_.contacts.lanes, place_)) return;
        if (!meets({world_, place_, a_}) || !meets({world_, place_, b_})) {
            let_through(world_.contacts, place_);
            return;
        }
        const Vec2 ahead = world_.bodies.materials[a_].surface_velocity -
                           world_.bodies.materials[b_].surface_velocity;
        world_.contacts.surfaces[place_.block].speed[place_.lane] =
            dot(ahead, perpendicular(world_.contacts.normal_at(place_)));
    }

    /// Begins a contact if something has pushed a body in through the side and no contact kept it
    /// out. To be called once all bodies are at the end of the step.
    void note_crossing() {
        if (has_lane(world_.contacts.pushed, place_)) return;
        for (const std::int32_t collider : {a_, b_}) {
            const OneWaySide side(world_, place_, collider);
            if (const CastHit hit = side.crossing()) return begin(side, hit);
        }
    }

private:
    /// Whether a side holds the other collider. What it holds is in contact with that side: if it
    /// meets another one, inside of it, the contact turns.
    [[nodiscard]] bool meets(const OneWaySide& side) {
        if (side.out() == Vec2{}) return true;
        if (!side.holds_other()) return false;
        if (side.is_met()) return true;
        if (block_.separation[place_.lane] > 0.0f) return false;
        block_.normal.set(place_.lane, side.turned(side.out()));
        block_.separation[place_.lane] = side.distance_from_plane();
        return true;
    }

    /// Makes the pair a contact that has pushed in this step.
    void begin(const OneWaySide& side, const CastHit& hit) {
        const float distance = mul(hit.fraction, -dot(side.last_way(), hit.normal));
        Contacts& contacts = world_.contacts;
        if (contacts.lanes[place_.block] == 0) contacts.active.push_back(place_.block);
        set_lane(contacts.lanes, place_, true);
        set_lane(contacts.pushed, place_, true);
        block_.normal.set(place_.lane, side.turned(hit.normal));
        block_.separation[place_.lane] = distance;
        set_lane(contacts.from_afar, place_, distance > world_.contact_margin());
    }
    WorldState& world_;
    LanePlace place_;
    ContactBlock& block_;
    std::int32_t a_;
    std::int32_t b_;
};

/// To be called once the contacts of a step have been found.
inline void judge_special_pairs(WorldState& world) {
    for (const LanePlace place : world.contacts.specials) SpecialPair(world, place).judge();
}

/// To be called once all bodies are at the end of the step.
inline void note_crossings(WorldState& world) {
    for (const LanePlace place : world.contacts.specials) SpecialPair(world, place).note_crossing();
}

/// Whether a pair is one of a body, and with a one-way side.
[[nodiscard]] inline bool is_one_way_pair_of(const Bodies& bodies, BodyId body,
                                             const ColliderPair& pair) {
    const std::int32_t a = bodies.slots.slot_of(pair.a);
    const std::int32_t b = bodies.slots.slot_of(pair.b);
    if (a == SlotMap::no_slot || b == SlotMap::no_slot) return false;
    return (bodies.is_one_way(a) || bodies.is_one_way(b)) &&
           (bodies.owners[a] == body || bodies.owners[b] == body);
}

/// Whether a collider has just become one-way: then its pairs are not among the special ones yet.
enum class BecameOneWay : bool { No, Yes };

/// Ends the contacts of a body with one-way colliders, its own ones included, before it is
/// teleported or once its sides have changed.
inline void let_go(WorldState& world, BodyId body, BecameOneWay became = BecameOneWay::No) {
    const Bodies& bodies = world.bodies;
    if (bodies.one_way_count == 0) return;
    Contacts& contacts = world.contacts;
    BroadPhase& broad_phase = world.broad_phase;
    const auto end_contact = [&](LanePlace place) {
        if (!has_lane(contacts.touching, place)) return;
        const ColliderPair pair = broad_phase.ids_of(contacts, place);
        if (is_one_way_pair_of(bodies, body, pair)) broad_phase.part(contacts, place);
    };
    if (broad_phase.has_lanes_of(contacts, body)) {
        bodies.for_each_of(body, [&](std::int32_t slot) {
            broad_phase.for_each_lane_of(bodies.ids[slot], end_contact);
        });
    } else if (became == BecameOneWay::Yes) {
        for_each_lane_in(contacts, contacts.touching, end_contact);
    } else {
        for (const LanePlace place : contacts.specials) end_contact(place);
    }
    broad_phase.kept_contacts().part_if([&](const StoredContact& contact) {
        return is_one_way_pair_of(bodies, body, {contact.a, contact.b});
    });
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// ListedPairs: which pairs are listed, whose are their lanes, and what do those know that are not
// listed any more, or not yet again?
//
// Slots in the contacts are those of the time when pairs were last found; the ids of who was in
// them are kept here, since bodies may have other slots by now.
#pragma once

#include <phys2d/bodies/kept_contacts.hpp>
#include <phys2d/bodies/pair_slots.hpp>
#include <phys2d/dynamics/pair_builder.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class ListedPairs {
public:
    /// See PairLanes::fixed_slot.
    [[nodiscard]] std::int32_t fixed_slot() const { return builder_.fixed_slot(); }

    /// Whether a collider existed when pairs were last found, so that it may have contacts or
    /// visits.
    [[nodiscard]] bool has_met(ColliderId id) const { return slots_.has_met(id); }

    /// The id in a slot when pairs were last found.
    [[nodiscard]] ColliderId id_in_pairs(std::int32_t slot) const { return slots_.id_at(slot); }
    /// The ids of a pair when pairs were last found.
    [[nodiscard]] ColliderPair ids_of(const Contacts& contacts, LanePlace place) const {
        return {id_in_pairs(contacts.first_slot(place)), id_in_pairs(contacts.second_slot(place))};
    }

    /// Whether test(place) is true for any lane of a pair: with terrain it has one per face.
    [[nodiscard]] bool any_lane_of(std::int32_t a, std::int32_t b, auto test) const {
        return builder_.any_lane_of(a, b, test);
    }
    /// The same for the pair that a lane belongs to.
    [[nodiscard]] bool any_lane_beside(const Contacts& contacts, LanePlace place, auto test) const {
        return any_lane_of(contacts.first_slot(place), contacts.second_slot(place), test);
    }

    /// Whether `any_lane_of` asks of all lanes of a body in `contacts`: it was dynamic and awake
    /// when they were filled.
    [[nodiscard]] bool has_lanes_of(const Contacts& contacts, BodyId body) const {
        return builder_.has_written(contacts) &&
               builder_.is_dynamic(slots_.slot_of(first_collider(body)));
    }
    /// Whether test(place) is true for any lane of a dynamic body.
    [[nodiscard]] bool any_lane_of(std::int32_t body, auto test) const {
        return builder_.any_lane_of(body, test);
    }
    /// The same for a collider, between two steps. Pre: `has_lanes_of` its body.
    [[nodiscard]] bool any_lane_of(ColliderId collider, auto test) const {
        return any_lane_of(slots_.slot_of(collider), test);
    }
    /// Calls visit(place) for each of them.
    void for_each_lane_of(ColliderId collider, auto visit) const {
        (void)any_lane_of(collider, visiting(visit));
    }

    /// Ends a contact; that it did is told with the next events.
    void part(Contacts& contacts, LanePlace place) {
        note_lost(contacts, place);
        set_lane(contacts.touching, place, false);
    }

    /// Contacts whose pairs are not listed at present.
    [[nodiscard]] KeptContacts& kept_contacts() { return kept_contacts_; }
    [[nodiscard]] const KeptContacts& kept_contacts() const { return kept_contacts_; }

protected:
    /// Follows the colliders into the slots that they have now, and removes the pairs of those that
    /// are gone. Returns who has come, gone or moved. Pre: the builder has room for the bodies.
    SlotMoves& follow(Bodies& bodies, Contacts& contacts) {
        slots_.make_room(bodies);
        SlotMoves& moves = slots_.find_moves(bodies, builder_.ranges());
        const BodySlots body_slots(bodies.body_slots);
        builder_.prepare_to_follow(moves, bodies.ranges, contacts, body_slots,
                                   [&](LanePlace place) { put_aside(contacts, place); });
        builder_.follow(moves, bodies.ranges, contacts, body_slots);
        for (const Limb limb : bodies.limbs) {
            if (!bodies.changed_slots.contains(at(limb.body))) continue;
            builder_.write_slots_of(limb.slot, contacts, body_slots);
        }
        slots_.remember(bodies);
        return moves;
    }

    /// Gives the impulses of the pairs in `contacts` to those that have been found again.
    void take_over(const Contacts& contacts, const Bodies& bodies) {
        builder_.take_impulses(contacts, slots_.find_present(bodies),
                               [&](LanePlace place) { note_lost(contacts, place); });
    }

    /// Writes the pairs that the builder has got, with what was kept of them.
    template <int Width, class Team>
    void write(Bodies& bodies, const ContactReach& reach, Contacts& contacts, Team& team) {
        kept_contacts_.hand_over(bodies.slots,
                                 [&](std::int32_t a, std::int32_t b, const PairMemory& memory) {
                                     return builder_.give(a, b, memory);
                                 });
        builder_.write<Width>(contacts, bodies.narrow, reach, BodySlots(bodies.body_slots), team);
        slots_.remember(bodies);
    }

    KeptContacts kept_contacts_;  // BroadPhase lists these members among its own
    PairBuilder builder_;
    PairSlots slots_;

private:
    /// Notes the end of a pair that is no longer listed, if it touched. Pairs with faces end at
    /// each of these.
    void note_lost(const Contacts& contacts, LanePlace place) {
        if (!has_lane(contacts.touching, place)) return;
        const ColliderPair pair = ids_of(contacts, place);
        const bool has_events = has_lane(contacts.has_events, place);
        if (contacts.has_face(place)) {
            kept_contacts_.parted.add(pair, has_events);
        } else {
            kept_contacts_.parted.add_new(pair, has_events);
        }
    }

    /// Keeps what a pair knows that is about to be removed, until it is found again.
    void put_aside(const Contacts& contacts, LanePlace place) {
        const auto [a, b] = ids_of(contacts, place);
        const PairMemory memory = memory_of(contacts, place);
        if (!memory.is_touching && memory.normal_impulse == 0.0f) return;
        kept_contacts_.keep({a, b, memory, face_place_of(contacts, place), contacts.impact(place)});
    }
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// PairSlots: which colliders were in which slots when the pairs were made, and where are they now?
#pragma once

#include <phys2d/world/bodies.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class PairSlots {
public:
    /// The collider that had a slot.
    [[nodiscard]] ColliderId id_at(std::int32_t slot) const { return ids_[slot]; }

    /// The number of ids that have been in use.
    [[nodiscard]] std::size_t id_count() const { return met_.size(); }

    /// Whether a collider existed.
    [[nodiscard]] bool has_met(ColliderId id) const {
        return id.index < met_.size() && met_[id.index] == id.generation;
    }

    /// The slot that an existing collider had; `no_slot` if it did not exist.
    [[nodiscard]] std::int32_t slot_of(const Bodies& bodies, ColliderId id) const {
        const auto had = [&](std::size_t slot) { return slot < ids_.size() && ids_[slot] == id; };
        if (!has_met(id)) return SlotMap::no_slot;
        const std::int32_t slot = bodies.slots.slot_of(id);
        if (had(at(slot))) return slot;
        for (const std::uint32_t changed : bodies.changed_slots) {
            if (had(changed)) return static_cast<std::int32_t>(changed);
        }
        return SlotMap::no_slot;
    }

    /// Finds out which colliders have come, gone, or have other slots. Those that have another role
    /// than in `roles`, or whose pairs have to be made anew, have gone and come again. Returns per
    /// slot: the present one, or `no_slot` for those that have gone.
    [[nodiscard]] const std::int32_t* find_moves(const Bodies& bodies, const SlotRanges& roles,
                                                 SlotMoves& moves) {
        moves.clear();
        for (const std::uint32_t slot : bodies.changed_slots) {
            if (slot < ids_.size()) follow(bodies, roles, static_cast<std::int32_t>(slot), moves);
            if (slot < bodies.ids.size() && !has_met(bodies.ids[slot])) {
                moves.arrived.push_back(static_cast<std::int32_t>(slot));
            }
        }
        return present_.data();
    }

    /// Per slot: the present slot of the collider that had it, or `no_slot`. Slots of colliders
    /// that have come since are not in it.
    [[nodiscard]] const std::int32_t* find_present(const Bodies& bodies) {
        for (const std::uint32_t slot : bodies.changed_slots) {
            if (slot < ids_.size()) present_[slot] = bodies.slots.slot_of(ids_[slot]);
        }
        return present_.data();
    }

    /// Reserves memory for `remember`.
    void make_room(const Bodies& bodies) {
        ids_.reserve_twice(bodies.ids.size());
        present_.reserve_twice(bodies.ids.size());
        if (bodies.slots.size() > 0) met_.grow_to_hold(bodies.slots.size() - 1);
    }

    /// To be called when the pairs are made.
    void remember(Bodies& bodies) {
        make_room(bodies);
        ids_.resize(bodies.ids.size());
        present_.resize(bodies.ids.size());
        for (const std::uint32_t slot : bodies.changed_slots) {
            if (slot >= ids_.size()) continue;
            const ColliderId id = bodies.ids[slot];
            ids_[slot] = id;
            present_[slot] = static_cast<std::int32_t>(slot);
            met_[id.index] = id.generation;
        }
        bodies.changed_slots.clear();
        bodies.renewed.clear();
    }

private:
    void follow(const Bodies& bodies, const SlotRanges& roles, std::int32_t from,
                SlotMoves& moves) {
        const std::int32_t to = bodies.slots.slot_of(ids_[from]);
        const bool is_there = to != SlotMap::no_slot;
        const bool stays = is_there && roles.has_same_role(from, bodies.ranges, to) &&
                           !bodies.renewed.contains(ids_[from].index);
        present_[from] = stays ? to : SlotMap::no_slot;
        if (!stays) moves.gone.push_back(from);
        if (!stays && is_there) moves.arrived.push_back(to);
        if (stays && to != from) moves.moved.push_back({from, to});
    }

    Array<ColliderId> ids_;        // per slot
    Array<std::int32_t> present_;  // per slot: itself, but between finding and `remember`
    Array<std::uint32_t> met_;     // per id index: the generation
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

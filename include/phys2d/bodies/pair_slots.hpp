// SPDX-License-Identifier: MIT
// PairSlots: which colliders were in which slots when the pairs were made, and where are they now?
#pragma once

#include <phys2d/bodies/bodies.hpp>
#include <phys2d/dynamics/slot_moves.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class PairSlots {
public:
    /// The collider that had a slot.
    [[nodiscard]] ColliderId id_at(std::int32_t slot) const { return ids_[slot]; }

    /// The number of ids that have been in use.
    [[nodiscard]] std::size_t id_count() const { return met_.size(); }

    /// Whether a collider existed.
    [[nodiscard]] bool has_met(ColliderId id) const {
        return id.index < met_.size() && met_[id.index].generation == id.generation;
    }

    /// The slot that an existing collider had; `no_slot` if it did not exist.
    [[nodiscard]] std::int32_t slot_of(ColliderId id) const {
        return has_met(id) ? met_[id.index].slot : SlotMap::no_slot;
    }

    /// Finds out which colliders have come, gone, or have other slots. Those that have another role
    /// than in `roles`, or whose pairs have to be made anew, have gone and come again.
    [[nodiscard]] SlotMoves& find_moves(const Bodies& bodies, const SlotRanges& roles) {
        moves_.clear();
        for (const std::uint32_t slot : bodies.changed_slots) {
            if (slot < ids_.size()) follow(bodies, roles, static_cast<std::int32_t>(slot));
            if (slot < bodies.ids.size() && !has_met(bodies.ids[slot])) {
                moves_.arrived.push_back(static_cast<std::int32_t>(slot));
            }
        }
        return moves_;
    }

    /// Per slot: the present slot of the collider that had it, or `no_slot`. Slots of colliders
    /// that have come since are not in it.
    [[nodiscard]] Span<const std::int32_t> find_present(const Bodies& bodies) {
        for (const std::uint32_t slot : bodies.changed_slots) {
            if (slot < ids_.size()) moves_.now[slot] = bodies.slots.slot_of(ids_[slot]);
        }
        return moves_.now;
    }

    /// Reserves memory for `remember`.
    void make_room(const Bodies& bodies) {
        ids_.reserve_twice(bodies.ids.size());
        moves_.now.reserve_twice(bodies.ids.size());
        if (bodies.slots.size() > 0) met_.grow_to_hold(bodies.slots.size() - 1);
    }

    /// To be called when the pairs are made.
    void remember(Bodies& bodies) {
        make_room(bodies);
        ids_.resize(bodies.ids.size());
        moves_.now.resize(bodies.ids.size());
        for (const std::uint32_t slot : bodies.changed_slots) {
            if (slot >= ids_.size()) continue;
            const ColliderId id = bodies.ids[slot];
            ids_[slot] = id;
            moves_.now[slot] = static_cast<std::int32_t>(slot);
            met_[id.index] = {id.generation, static_cast<std::int32_t>(slot)};
        }
        bodies.changed_slots.clear();
        bodies.renewed.clear();
    }

    void list_members(auto& archive) { archive(*this, ids_, moves_, met_); }

private:
    struct Met {
        std::uint32_t generation;
        std::int32_t slot;
    };

    void follow(const Bodies& bodies, const SlotRanges& roles, std::int32_t from) {
        const std::int32_t to = bodies.slots.slot_of(ids_[from]);
        const bool is_there = to != SlotMap::no_slot;
        const bool stays = is_there && roles.role(from) == bodies.ranges.role(to) &&
                           !bodies.renewed.contains(ids_[from].index);
        moves_.now[from] = stays ? to : SlotMap::no_slot;
        if (!stays) moves_.gone.push_back(from);
        if (!stays && is_there) moves_.arrived.push_back(to);
        if (stays && to != from) moves_.moved.push_back({from, to});
    }

    Array<ColliderId> ids_;  // per slot
    SlotMoves moves_;        // each slot is where it was, but between finding and `remember`
    Array<Met> met_;         // per id index
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// PairSlots: which colliders were in which slots when the pairs were made, and where are they now?
#pragma once

#include <phys2d/world/bodies.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class PairSlots {
public:
    /// The collider that had a slot.
    [[nodiscard]] ColliderId id_at(std::uint32_t slot) const { return ids_[slot]; }

    /// The number of ids that have been in use.
    [[nodiscard]] std::size_t id_count() const { return met_.size(); }

    /// Whether a collider existed.
    [[nodiscard]] bool has_met(ColliderId id) const {
        return id.index < met_.size() && met_[id.index] == id.generation;
    }

    /// The slot that an existing collider had; `no_slot` if it did not exist.
    [[nodiscard]] std::int32_t slot_of(const Bodies& bodies, ColliderId id) const {
        const auto had = [&](std::size_t slot) { return slot < ids_.size() && ids_[slot] == id; };
        const std::int32_t slot = bodies.slots.slot_of(id);
        if (had(at(slot))) return slot;
        for (const std::uint32_t changed : bodies.changed_slots) {
            if (had(changed)) return static_cast<std::int32_t>(changed);
        }
        return SlotMap::no_slot;
    }

    /// Per slot: the present slot of the collider that had it, or `no_slot`. Slots of colliders
    /// that have come since are not in it.
    [[nodiscard]] const std::int32_t* find_present(const Bodies& bodies) {
        for (const std::uint32_t slot : bodies.changed_slots) {
            if (slot < ids_.size()) present_[slot] = bodies.slots.slot_of(ids_[slot]);
        }
        return present_.data();
    }

    /// To be called when the pairs are made.
    void remember(Bodies& bodies) {
        ids_.resize(bodies.ids.size());
        present_.resize(bodies.ids.size());
        for (const std::uint32_t slot : bodies.changed_slots) {
            if (slot >= ids_.size()) continue;
            const ColliderId id = bodies.ids[slot];
            ids_[slot] = id;
            present_[slot] = static_cast<std::int32_t>(slot);
            met_.grow_to_hold(id.index);
            met_[id.index] = id.generation;
        }
        bodies.changed_slots.clear();
    }

private:
    Array<ColliderId> ids_;        // per slot
    Array<std::int32_t> present_;  // per slot: itself between calls of find_present and remember
    Array<std::uint32_t> met_;     // per id index: the generation
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

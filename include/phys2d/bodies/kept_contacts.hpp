// SPDX-License-Identifier: MIT
// KeptContacts: the contacts of bodies that have woken or changed, until their pairs are found
// again; and which pairs have stopped touching.
#pragma once

#include <phys2d/bodies/parted_pairs.hpp>
#include <phys2d/core/slot_map.hpp>
#include <phys2d/dynamics/sleeping_contacts.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class KeptContacts {
public:
    /// The pairs that have stopped touching, and whose ends are still to be told; one that still
    /// touches begins again.
    PartedPairs parted;

    void keep(const StoredContact& contact) { contacts_.push_back(contact); }

    [[nodiscard]] Span<const StoredContact> all() const { return contacts_; }

    /// Ends the kept contacts for which test(contact) is true.
    void part_if(auto test) {
        for (StoredContact& contact : contacts_) {
            if (!contact.memory.is_touching || !test(contact)) continue;
            contact.memory.is_touching = false;
            parted.add({contact.a, contact.b}, contact.memory.has_events);
        }
    }

    /// Calls give(slot, slot, memory) for each contact, with `no_slot` for colliders that are gone,
    /// and keeps none. Where `give` returns false, there is no such pair any more.
    void hand_over(const SlotMap& slots, auto give) {
        for (const StoredContact& contact : contacts_) {
            const PairMemory& memory = contact.memory;
            const bool is_found = give(slots.slot_of(contact.a), slots.slot_of(contact.b), memory);
            const bool parts = memory.is_touching && !is_found;
            if (parts) parted.add({contact.a, contact.b}, memory.has_events);
        }
        contacts_.clear();
    }

    void list_members(auto& archive) { archive(*this, parted, contacts_); }

private:
    Array<StoredContact> contacts_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// SlotMap: maps ids of colliders, which never change, to slots, which do.
// Slots are indices in densely packed arrays, which move when bodies come and go; ids are what
// users keep. A look-up is one load and one comparison. Indices are reused last in, first out, so
// the same calls give the same ids.
#pragma once

#include <phys2d/core/array.hpp>
#include <phys2d/core/ids.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class SlotMap {
public:
    static constexpr std::int32_t no_slot = -1;

    /// Returns a new id for `slot`.
    ColliderId insert(std::int32_t slot) {
        if (free_.empty()) {
            entries_.push_back({1, slot});
            free_.reserve(entries_.capacity());  // so that erase need not allocate
            return {static_cast<std::uint32_t>(entries_.size() - 1), 1};
        }
        const std::uint32_t index = free_.back();
        free_.pop_back();
        entries_[index].slot = slot;
        return {index, entries_[index].generation};
    }

    /// Makes an id stale. Pre: it is alive.
    void erase(ColliderId id) {
        Entry& entry = entries_[id.index];
        entry.slot = no_slot;
        entry.generation = entry.generation == UINT32_MAX ? 1 : entry.generation + 1;
        free_.push_back(id.index);
    }

    /// Sets the slot of an index.
    void relocate(std::uint32_t index, std::int32_t slot) { entries_[index].slot = slot; }

    /// The slot of a living id; `no_slot` for any other.
    [[nodiscard]] std::int32_t slot_of(ColliderId id) const {
        if (id.index >= entries_.size()) return no_slot;
        const Entry& entry = entries_[id.index];
        return entry.generation == id.generation ? entry.slot : no_slot;
    }

    /// The slot of a body's first collider.
    [[nodiscard]] std::int32_t slot_of(BodyId id) const { return slot_of(first_collider(id)); }

    /// Whether the id is alive.
    [[nodiscard]] bool contains(ColliderId id) const { return slot_of(id) != no_slot; }
    [[nodiscard]] bool contains(BodyId id) const { return slot_of(id) != no_slot; }

    /// The number of indices, used or free.
    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    /// The slot of an index; `no_slot` if it is free.
    [[nodiscard]] std::int32_t slot_at(std::size_t index) const { return entries_[index].slot; }

    void list_members(auto& archive) { archive(*this, entries_, free_); }

private:
    struct Entry {
        std::uint32_t generation;
        std::int32_t slot;
    };
    Array<Entry> entries_;
    Array<std::uint32_t> free_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

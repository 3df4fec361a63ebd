// SPDX-License-Identifier: MIT
// BodyOrder: do dynamic bodies that are near each other lie near each other in memory?
#pragma once

#include <phys2d/bodies/bodies.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class BodyOrder {
public:
    /// Judges the slots of dynamic bodies. `by_place`: the slots of all moving bodies, neighbours
    /// in space one after the other.
    void judge(Span<const std::int32_t> by_place, std::int32_t dynamic_count) {
        is_disordered_ = jumps(by_place, dynamic_count) > by_place.size() / 4;
    }
    [[nodiscard]] bool is_disordered() const { return is_disordered_; }

    /// Sorts the dynamic bodies by their place then; slot_now(slot) is their present slot, or
    /// `no_slot`. Those that were not there come last.
    void restore(Bodies& bodies, Span<const std::int32_t> by_place, auto slot_now) {
        const auto count = at(bodies.ranges.dynamic_count);
        order_.clear();
        order_.reserve_twice(count);
        is_listed_.assign(count, false);
        const auto list = [&](std::int32_t slot) {
            if (slot == SlotMap::no_slot || at(slot) >= count || is_listed_[slot]) return;
            is_listed_[slot] = true;
            order_.push_back(slot);
        };
        for (const std::int32_t slot : by_place) list(slot_now(slot));
        for (std::size_t slot = 0; slot < count; ++slot) list(static_cast<std::int32_t>(slot));
        bodies.reorder(order_);
        is_disordered_ = false;
    }

    void list_members(auto& archive) { archive(*this, order_, is_listed_, is_disordered_); }

private:
    /// Slots closer than this share caches.
    static constexpr std::size_t short_way = 1024;

    /// How often dynamic bodies that are neighbours in space are far apart in memory: by an eighth
    /// of all bodies, so that layers falling through the rows of the grid keep their order.
    [[nodiscard]] static std::size_t jumps(Span<const std::int32_t> by_place,
                                           std::int32_t dynamic_count) {
        const std::size_t eighth = by_place.size() / 8;
        const std::size_t long_way = larger_of(eighth, short_way);
        std::size_t count = 0;
        std::int32_t last = 0;
        for (const std::int32_t slot : by_place) {
            if (slot >= dynamic_count) continue;
            count += at(slot < last ? last - slot : slot - last) > long_way ? 1u : 0u;
            last = slot;
        }
        return count;
    }

    Scratch<std::int32_t> order_;
    Scratch<bool> is_listed_;  // per dynamic slot, in order_
    bool is_disordered_ = false;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

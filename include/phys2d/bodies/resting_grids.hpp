// SPDX-License-Identifier: MIT
// RestingGrids: where are all bodies of a role in which nothing moves, statics or sleepers?
// Those that have come or changed lately are in a grid of their own, which is small and filled
// often; the grid of all others is filled the less often, the more there are.
#pragma once

#include <phys2d/bodies/resting_grid.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

enum class Resting { Asleep, Static };

class RestingGrids {
public:
    explicit RestingGrids(Resting role) : role_(role) {}

    /// A body has come into the role or has changed, by the index of its id; a static one may also
    /// be about to leave.
    void note(std::uint32_t index) { changed_.add(index); }
    /// Any may have come, changed or left.
    void forget() { is_forgotten_ = true; }

    [[nodiscard]] bool is_forgotten() const { return is_forgotten_; }
    [[nodiscard]] bool are_stale() const { return is_forgotten_ || !changed_.empty(); }

    /// Follows what has changed. n changes that are followed one by one cost O(n^1.5).
    void update(const Bodies& bodies) {
        constexpr std::size_t sort_cost = 16;  // sorting all, in sorts of the new ones
        const auto [begin, end] = slots(bodies);
        for (const std::uint32_t index : changed_) new_ones_.add(index);
        const std::size_t count = new_ones_.size();
        const bool sorts_all = is_forgotten_ || count * count > sort_cost * at(end - begin);
        is_forgotten_ = true;  // sorting may throw
        if (sorts_all) {
            grid_.build(bodies, begin, end);
            new_ones_.clear();
            new_grid_.clear();
        } else {
            new_grid_.build(bodies, new_ones_);
        }
        changed_.clear();
        is_forgotten_ = false;
    }

    /// Calls visit(grid) for both grids. See `slot_of`.
    void for_each_grid(auto visit) const {
        visit(grid_);
        visit(new_grid_);
    }

    /// The slot of the body at a place in one of the grids; `no_slot` if it has left the role, or
    /// if the other grid knows it better.
    [[nodiscard]] std::int32_t slot_of(const Bodies& bodies, const RestingGrid& grid,
                                       std::int32_t place) const {
        const std::int32_t slot = grid.slot_of(bodies, place);
        const auto [begin, end] = slots(bodies);
        if (slot < begin || slot >= end) return SlotMap::no_slot;
        const bool is_new = new_ones_.contains(at(grid.index_of(place)));
        return is_new == (&grid == &new_grid_) ? slot : SlotMap::no_slot;
    }

    /// Calls visit(slot) for each body whose box overlaps or touches `box`.
    void for_each_overlap(const Bodies& bodies, const AABB& box,
                          FunctionRef<void(std::int32_t slot)> visit) const {
        for_each_grid([&](const RestingGrid& grid) {
            grid.grid().for_each_overlap(box, [&](std::int32_t place) {
                const std::int32_t slot = slot_of(bodies, grid, place);
                if (slot != SlotMap::no_slot) visit(slot);
            });
        });
    }

    /// See GridRows.
    [[nodiscard]] float usual_size() const {
        return min(grid_.grid().usual_size(), new_grid_.grid().usual_size());
    }
    [[nodiscard]] bool is_all_in(const AABB& box) const {
        return grid_.grid().is_all_in(box) && new_grid_.grid().is_all_in(box);
    }

    void list_members(auto& archive) {
        archive(*this, role_, grid_, new_grid_, new_ones_, changed_, is_forgotten_);
    }

private:
    struct Slots {
        std::int32_t begin, end;
    };
    [[nodiscard]] Slots slots(const Bodies& bodies) const {
        const SlotRanges& ranges = bodies.ranges;
        return role_ == Resting::Static ? Slots{ranges.static_begin, ranges.static_end}
                                        : Slots{ranges.moving_count, ranges.static_begin};
    }

    Resting role_;
    RestingGrid grid_;      // some may have left the role or been destroyed since
    RestingGrid new_grid_;  // the same of those that have come or changed since that was filled
    IndexSet new_ones_;     // indices of their ids
    IndexSet changed_;      // those of the bodies that neither grid knows yet
    bool is_forgotten_ = true;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

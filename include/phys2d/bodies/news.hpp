// SPDX-License-Identifier: MIT
// News: which bodies were created or changed by a call, or left their ranges, since the grids were
// filled?
// They are in a list, so that answers are exact after any change without filling a grid again; for
// many searches those that are listed get a grid of their own, until they change again.
#pragma once

#include <phys2d/bodies/body_grid.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class News {
public:
    void add(ColliderId id) {
        all_.add(id.index);
        if (are_sorted_) changed_again_.add(id.index);
    }
    void clear() {
        all_.clear();
        changed_again_.clear();
        are_sorted_ = false;
        if (!grid_.empty()) grid_.clear();  // so that copies of the world do not have it
    }

    [[nodiscard]] bool contains(ColliderId id) const { return all_.contains(id.index); }

    /// Puts the listed bodies into a grid, too: for callers with many searches.
    void sort(const Bodies& bodies) {
        constexpr std::size_t few = 64;  // cheaper to search one by one than to sort
        if (unsorted().size() <= few) return;
        are_sorted_ = false;  // sorting may throw
        grid_.build(bodies, all_, 0, bodies.size());
        changed_again_.clear();
        are_sorted_ = true;
    }
    /// The same for callers that change and search by turns: the more bodies are listed, the less
    /// often it sorts, so that n changes, each with a search, cost O(n^1.5).
    void sort_at_times(const Bodies& bodies) {
        constexpr std::size_t sort_cost = 16;  // sorting one costs as much as testing so many
        const std::size_t count = unsorted().size();
        if (count * count > sort_cost * all_.size()) sort(bodies);
    }

    /// What the grid knows of those in it.
    [[nodiscard]] const RowGrid& grid() const { return grid_.grid(); }

    /// Calls visit(slot) for the bodies that walk(grid, see) finds in the grid, and for all others;
    /// `no_slot` for those that are gone.
    void for_each_found(const Bodies& bodies, auto walk, auto visit) const {
        if (are_sorted_) {
            walk(grid_.grid(), [&](std::int32_t place) {
                const bool is_there = !changed_again_.contains(at(grid_.index_of(place)));
                if (is_there) visit(grid_.slot_of(bodies, place));
            });
        }
        for (const std::uint32_t index : unsorted()) visit(bodies.slots.slot_at(index));
    }

    void list_members(auto& archive) { archive(*this, all_, changed_again_, grid_, are_sorted_); }

private:
    /// The listed bodies that are searched one by one.
    [[nodiscard]] const IndexSet& unsorted() const { return are_sorted_ ? changed_again_ : all_; }

    IndexSet all_;            // indices of the ids
    IndexSet changed_again_;  // of those that have changed since they were sorted
    BodyGrid grid_;           // of the others, if they are sorted
    bool are_sorted_ = false;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

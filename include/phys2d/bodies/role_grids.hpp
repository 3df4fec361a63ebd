// SPDX-License-Identifier: MIT
// RoleGrids: where are all bodies of a role: those that move, sleepers, or statics?
// Those that have come or changed lately are in a grid of their own, which is small and filled
// often; the grid of all others is filled the less often, the more there are.
#pragma once

#include <phys2d/bodies/body_grid.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// `Moving` with the dynamic ones.
enum class GridRole { Moving, Asleep, Static };

class RoleGrids {
public:
    explicit RoleGrids(GridRole role) : role_(role) {}

    /// Makes them hold the bodies of the first slots, one for each of these boxes.
    template <class Team>
    void build(const Bodies& bodies, Span<const AABB> boxes, Team& team) {
        main_grid_.build(bodies, 0, boxes, team);
        forget_new_ones();
    }
    /// Makes room for so many that are added. Pre: none has been since `build`.
    void reserve_new(const Bodies& bodies, std::size_t most) {
        new_ones_.reserve(most, bodies.slots.size());
        new_grid_.start_over(most);
    }
    /// A body has come into the role or has another box, by the index of its id.
    void add(std::uint32_t index) { new_ones_.add(index); }
    /// Fills the small grid with all that were added and are still in the role.
    void build_new(const Bodies& bodies, auto box_of) {
        const auto [begin, end] = slots(bodies);
        new_grid_.build(bodies, new_ones_, begin, end, box_of);
    }
    [[nodiscard]] std::size_t new_count() const { return new_ones_.size(); }
    /// The grid of all others.
    [[nodiscard]] const BodyGrid& main_grid() const { return main_grid_; }
    [[nodiscard]] const BodyGrid& new_grid() const { return new_grid_; }

    // Of roles in which nothing moves:

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
        for (const std::uint32_t index : changed_) add(index);
        const std::size_t count = new_count();
        const bool sorts_all = is_forgotten_ || count * count > sort_cost * at(end - begin);
        is_forgotten_ = true;  // sorting may throw
        if (sorts_all) {
            main_grid_.build(bodies, begin, end);
            forget_new_ones();
        } else {
            new_grid_.build(bodies, new_ones_, begin, end);
        }
        changed_.clear();
        is_forgotten_ = false;
    }

    /// Calls visit(grid) for both grids. See `slot_of`.
    void for_each_grid(auto visit) const {
        visit(main_grid_);
        visit(new_grid_);
    }

    /// The slot of the body at a place in one of the grids; `no_slot` if it has left the role, or
    /// if the other grid knows it better.
    [[nodiscard]] std::int32_t slot_of(const Bodies& bodies, const BodyGrid& grid,
                                       std::int32_t place) const {
        const std::int32_t slot = grid.slot_of(bodies, place);
        const auto [begin, end] = slots(bodies);
        if (slot < begin || slot >= end) return SlotMap::no_slot;
        const bool is_new = new_ones_.contains(at(grid.index_of(place)));
        return is_new == (&grid == &new_grid_) ? slot : SlotMap::no_slot;
    }

    /// Calls visit(slot) for the bodies that walk(grid, see) finds in each of the grids.
    void for_each_found(const Bodies& bodies, auto walk, auto visit) const {
        for_each_grid([&](const BodyGrid& grid) {
            if (grid.empty()) return;
            walk(grid.grid(), [&](std::int32_t place) {
                const std::int32_t slot = slot_of(bodies, grid, place);
                if (slot != SlotMap::no_slot) visit(slot);
            });
        });
    }
    /// Calls visit(slot) for each body whose box overlaps or touches `box`.
    void for_each_overlap(const Bodies& bodies, const AABB& box,
                          FunctionRef<void(std::int32_t slot)> visit) const {
        for_each_found(
            bodies, [&](const RowGrid& grid, const auto& see) { grid.for_each_overlap(box, see); },
            visit);
    }

    /// See GridRows.
    [[nodiscard]] float usual_size() const {
        return min(main_grid_.grid().usual_size(), new_grid_.grid().usual_size());
    }
    [[nodiscard]] bool is_all_in(const AABB& box) const {
        return main_grid_.grid().is_all_in(box) && new_grid_.grid().is_all_in(box);
    }

    void list_members(auto& archive) {
        archive(*this, role_, main_grid_, new_grid_, new_ones_, changed_, is_forgotten_);
    }

private:
    struct Slots {
        std::int32_t begin, end;
    };
    [[nodiscard]] Slots slots(const Bodies& bodies) const {
        const SlotRanges& ranges = bodies.ranges;
        if (role_ == GridRole::Static) return {ranges.static_begin, ranges.static_end};
        if (role_ == GridRole::Moving) return {0, ranges.moving_count};
        return {ranges.moving_count, ranges.static_begin};
    }

    void forget_new_ones() {
        new_ones_.clear();
        new_grid_.clear();
    }

    GridRole role_;
    BodyGrid main_grid_;  // some may have left the role or been destroyed since
    BodyGrid new_grid_;   // the same of those that have come or changed since that was filled
    IndexSet new_ones_;   // indices of their ids
    IndexSet changed_;    // of bodies at rest: those that neither grid knows yet
    bool is_forgotten_ = true;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

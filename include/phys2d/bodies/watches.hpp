// SPDX-License-Identifier: MIT
// Watches: which moving bodies may come near which sleepers, and wake them?
#pragma once

#include <phys2d/bodies/role_grids.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class Watches {
public:
    /// Pairs of a moving body and a sleeping one, by the indices of their ids. Some may have woken
    /// or been destroyed since.
    [[nodiscard]] Span<const IndexPair> all() const { return pairs_; }

    /// Finds all again: append(grid, list) appends those of a moving slot and a place in a grid of
    /// sleepers.
    void find_all(const Bodies& bodies, const RoleGrids& sleepers, auto append) {
        pairs_.start_over();
        add(bodies, sleepers, append);
        most_ = 2 * pairs_.size() + at(bodies.ranges.moving_count);
    }
    /// Adds more, in the same way.
    void add(const Bodies& bodies, const RoleGrids& sleepers, auto append) {
        sleepers.for_each_grid([&](const BodyGrid& grid) {
            const std::size_t first = pairs_.size();
            append(grid.grid(), pairs_);
            for (std::size_t i = first; i < pairs_.size(); ++i) {
                pairs_[i] = {index_of(bodies.ids[pairs_[i].first]),
                             grid.index_of(pairs_[i].second)};
            }
        });
    }
    /// Whether so many were added that too many must be of bodies that have moved on.
    [[nodiscard]] bool are_too_many() const { return pairs_.size() > most_; }

    /// Adds the moving bodies that may come near the sleepers in some slots.
    template <int Width>
    void add_near(const Bodies& bodies, Span<const std::int32_t> sleepers,
                  const RoleGrids& moving) {
        for (const std::int32_t sleeper : sleepers) {
            const AABB box = bounds(bodies.placed_shape(sleeper));
            const auto walk = [&](const RowGrid& grid, const auto& see) {
                grid.for_each_overlap<Width>(box, see);
            };
            moving.for_each_found(bodies, walk, [&](std::int32_t mover) {
                pairs_.push_back({index_of(bodies.ids[mover]), index_of(bodies.ids[sleeper])});
            });
        }
    }

    void list_members(auto& archive) { archive(*this, pairs_, most_); }

private:
    Array<IndexPair> pairs_;
    std::size_t most_ = 0;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// MovingPairs: which moving bodies come near each other in their ranges, and how many steps do
// these cover?
//
// The more steps, the longer the pairs are complete, and the more pairs there are: where bodies are
// crowded, ranges cover fewer.
#pragma once

#include <phys2d/bodies/layers.hpp>
#include <phys2d/bodies/ranges.hpp>
#include <phys2d/bodies/role_grids.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class MovingPairs {
public:
    /// Gives all moving bodies new ranges, fills their grids with their boxes in these, and finds
    /// the pairs. `pairs_before`: of all kinds, when they were last found.
    template <int Width, class Team>
    void find(const Bodies& bodies, const PairRules& rules, std::size_t pairs_before,
              Ranges& ranges, RoleGrids& grids, Team& team) {
        const std::size_t count = at(bodies.ranges.moving_count);
        const Layers layers(bodies, count, layer_of_);
        float steps = pairs_before > crowd * count ? steps_ahead_in_crowds : steps_ahead;
        for (;; steps = max(0.5f * steps, 1.0f)) {
            ranges.begin(count, steps);
            renew_all(bodies, rules, ranges, team);
            grids.build(bodies, ranges.bounds(), team);
            const RowGrid& grid = grids.main_grid().grid();
            found_.start_over();
            if (layers.are_one()) {
                grid.append_pairs<Width>(found_, team, parts_, AnyPair{});
            } else {
                grid.append_pairs<Width>(found_, team, parts_, layers);
            }
            if (found_.size() > throng * count) drop_strangers(bodies);
            if (found_.size() <= throng * count || steps <= 1.0f) return;
        }
    }

    /// By slots; some pairs may not touch.
    [[nodiscard]] Span<const IndexPair> all() const { return found_; }

    void list_members(auto& archive) { archive(*this, found_, layer_of_, parts_); }

private:
    /// Steps that a range covers. More: fewer rebuilds but more pairs, which cost most where bodies
    /// are crowded.
    static constexpr float steps_ahead = 6.0f;
    static constexpr float steps_ahead_in_crowds = 4.0f;
    /// Bodies are crowded from this number of pairs per body on.
    static constexpr std::size_t crowd = 4;
    /// From this number of pairs per body on they are found once more, with ranges of half as many
    /// steps: bodies that burst apart all at once had few pairs in the step before.
    static constexpr std::size_t throng = 16;

    template <class Team>
    static void renew_all(const Bodies& bodies, const PairRules& rules, Ranges& ranges,
                          Team& team) {
        team.for_each_part(bodies.ranges.moving_count, bodies_per_part,
                           [&](std::int32_t begin, std::int32_t end) {
                               for (std::size_t i = at(begin); i < at(end); ++i)
                                   ranges.renew(bodies, rules, i);
                           });
    }

    /// Drops the found pairs that may not touch, as far as the layers have left some: limbs of one
    /// body are no throng.
    void drop_strangers(const Bodies& bodies) {
        found_.remove_if([&](const IndexPair& pair) {
            const std::int32_t a = smaller_of(pair.first, pair.second);
            const std::int32_t b = larger_of(pair.first, pair.second);
            return !bodies.ranges.is_dynamic(a) || (bodies.has_shape(b) && !bodies.may_touch(a, b));
        });
    }

    Scratch<IndexPair> found_;
    Scratch<std::uint8_t> layer_of_;
    PairParts parts_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

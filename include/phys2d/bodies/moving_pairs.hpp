// SPDX-License-Identifier: MIT
// MovingPairs: which moving bodies come near each other in their ranges, and how many steps do
// these cover?
//
// The more steps, the longer the pairs are complete, and the more pairs there are: where bodies are
// crowded, ranges cover fewer. Where they last for a step or two only, as in a burst, they cover
// that step alone, and pairs that will not meet in it are left out: of bodies that fly apart side
// by side most are near each other in their ranges, and few on their ways.
#pragma once

#include <phys2d/bodies/layers.hpp>
#include <phys2d/bodies/ranges.hpp>
#include <phys2d/bodies/role_grids.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// What is known of the last pairs, of all kinds.
struct PairsBefore {
    std::size_t pairs;     ///< when they were last found
    std::size_t contacts;  ///< of them, in the last step
    int steps;             ///< that they were complete for until too many strayed; 0: forgotten
};

class MovingPairs {
public:
    /// Gives all moving bodies new ranges, fills their grids with their boxes in these, and finds
    /// the pairs.
    template <int Width, class Team>
    void find(const Bodies& bodies, const PairRules& rules, const PairsBefore& before,
              Ranges& ranges, RoleGrids& grids, Team& team) {
        const std::size_t count = at(bodies.ranges.moving_count);
        const Layers layers(bodies, count, layer_of_);
        const auto look_ahead = [&](float steps) {
            ranges.begin(count, steps);
            renew_all(bodies, rules, ranges, team);
            grids.build(bodies, ranges.bounds(), team);
            sweep<Width>(grids.main_grid().grid(), layers, team);
            if (found_.size() > throng * count) drop_strangers(bodies);
        };
        const bool tries_several = before.steps == 0 || brief_steps_ % most_brief_steps == 0;
        if (tries_several && looks_far_ahead(count, before, look_ahead)) {
            brief_steps_ = 0;
        } else {
            look_ahead(1.0f);
            drop_passing<Width>(bodies, rules);
            brief_steps_ = brief_steps_ % most_brief_steps + 1;
        }
    }

    /// Whether the pairs are complete for one step only.
    [[nodiscard]] bool are_brief() const { return brief_steps_ > 0; }

    /// By slots; some pairs may not touch.
    [[nodiscard]] Span<const IndexPair> all() const { return found_; }

    void list_members(auto& archive) { archive(*this, found_, layer_of_, parts_, brief_steps_); }

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

    /// After so many brief ones in a row, pairs for several steps are tried again.
    static constexpr int most_brief_steps = 16;

    /// Finds pairs for several steps, fewer where bodies are crowded. Returns whether that pays.
    bool looks_far_ahead(std::size_t count, const PairsBefore& before, auto look_ahead) {
        float steps = before.pairs > crowd * count ? steps_ahead_in_crowds : steps_ahead;
        look_ahead(steps);
        while (!is_brevity_cheaper(count, before, steps)) {
            if (found_.size() <= throng * count || steps <= 1.0f) return true;
            steps = max(0.5f * steps, 1.0f);
            look_ahead(steps);
        }
        return false;
    }

    template <int Width, class Team>
    void sweep(const RowGrid& grid, const Layers& layers, Team& team) {
        found_.start_over();
        if (layers.are_one()) {
            grid.append_pairs<Width>(found_, team, parts_, AnyPair{});
        } else {
            grid.append_pairs<Width>(found_, team, parts_, layers);
        }
    }

    template <class Team>
    static void renew_all(const Bodies& bodies, const PairRules& rules, Ranges& ranges,
                          Team& team) {
        team.for_each_part(bodies.ranges.moving_count, bodies_per_part,
                           [&](std::int32_t begin, std::int32_t end) {
                               for (std::size_t i = at(begin); i < at(end); ++i)
                                   ranges.renew(bodies, rules, i);
                           });
    }

    /// Whether pairs for one step would cost less than those found, which are for several, for each
    /// step that these will last: no more of them than the last ones did, unless those were brief,
    /// which does not tell.
    [[nodiscard]] bool is_brevity_cheaper(std::size_t count, const PairsBefore& before,
                                          float steps) const {
        // In times of what a pair costs in a sweep.
        constexpr std::size_t body = 2;
        constexpr std::size_t pair = 5;
        constexpr std::size_t contact = 8;  // with the near misses beside it
        if (before.steps == 0) return false;
        const int planned = static_cast<int>(steps);
        const int lasting = are_brief() || planned < before.steps ? planned : before.steps;
        return at(lasting) * (body * count + contact * before.contacts) <
               body * count + pair * found_.size();
    }

    /// Drops the found pairs of dynamic bodies that pass each other in this step, except at one-way
    /// sides: what has been pushed through one is looked for without a contact.
    template <int Width>
    void drop_passing(const Bodies& bodies, const PairRules& rules) {
        const auto has_side = [&](std::int32_t slot) {
            return bodies.one_way_count > 0 && bodies.is_one_way(slot);
        };
        const auto is_kept = [&](const IndexPair& pair) {
            const std::int32_t b = larger_of(pair.first, pair.second);
            return !bodies.ranges.is_dynamic(b) || has_side(pair.first) || has_side(pair.second);
        };
        std::size_t kept = 0;
        for (std::size_t i = 0; i < found_.size(); i += std::size_t{Width}) {
            const int count = smaller_of(static_cast<int>(found_.size() - i), Width);
            const unsigned meeting = may_meet<Width>(&found_[i], count, bodies.narrow, rules);
            for (int k = 0; k < count; ++k) {
                const IndexPair pair = found_[i + at(k)];
                found_[kept] = pair;
                const bool stays = (meeting >> k & 1u) != 0 || is_kept(pair);
                kept += std::size_t{stays};
            }
        }
        found_.resize(kept);
    }

    /// Which of up to W pairs come so near on their ways in this step that they may be in contact.
    template <int Width>
    [[nodiscard]] static unsigned may_meet(const IndexPair* pairs, int count,
                                           const NarrowColumns& bodies, const PairRules& rules) {
        using Real = simd::Lanes<Width>;
        std::uint32_t a[std::size_t{Width}];
        std::uint32_t b[std::size_t{Width}];
        for (int k = 0; k < Width; ++k) {
            const IndexPair& pair = pairs[k < count ? k : 0];
            a[k] = static_cast<std::uint32_t>(pair.first);
            b[k] = static_cast<std::uint32_t>(pair.second);
        }
        const auto [x, y, v_x, v_y] = gather_relative<Width>(bodies.motions.data(), a, b);
        const auto forms = PairForms<Width>::of_slots(bodies.forms.data(), a, b);
        const Real around = forms.radius + Real::fill(2.0f * rules.least_margin);
        const Real dt = Real::fill(rules.dt);
        const auto meet_along = [&](Real d, Real v, Real half_extents) {
            const Real way = v * dt;
            const Real reach = half_extents + around;
            return (min(d, d + way) <= reach) & (-reach <= max(d, d + way));
        };
        return bits(meet_along(x, v_x, forms.h.x) & meet_along(y, v_y, forms.h.y));
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
    int brief_steps_ = 0;  // for so many steps in a row the pairs have been brief
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

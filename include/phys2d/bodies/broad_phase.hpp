// SPDX-License-Identifier: MIT
// BroadPhase: keeps the list of pairs of bodies that may touch, and knows how long it is complete.
//
// Each moving body has a range: a box around the path of its position over the next steps, plus a
// margin. Pairs are all bodies whose ranges, extended by their shapes, overlap. As long as every
// body ends its step inside its range, no pair can be missing, so a settled scene costs one
// comparison per body. The few bodies that stray, come or change get new ranges and are looked up
// one by one; when they are many, or when none has strayed for a while, all pairs are found again.
// Where bodies burst apart they are in each step, without those that pass each other: MovingPairs.
// Statics are in a grid of their own that changes only when they do, and so are sleepers, which are
// watched instead of paired: a body that comes near may wake them.
//
// BodyGrids answer searches, and ListedPairs what is known of the pairs. This class decides when
// both are brought up to date, and how much of them.
#pragma once

#include <phys2d/bodies/body_grids.hpp>
#include <phys2d/bodies/body_order.hpp>
#include <phys2d/bodies/listed_pairs.hpp>
#include <phys2d/bodies/moving_pairs.hpp>
#include <phys2d/bodies/pair_adder.hpp>
#include <phys2d/bodies/watches.hpp>
#include <phys2d/core/crew.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class BroadPhase : public BodyGrids, public ListedPairs {
public:
    /// The surface of terrain has changed in a box, or what static colliders in it hold.
    void note_edit(const AABB& box) {
        edits_.add(box);
        disturbances_.boxes.add(box);
    }

    /// A step begins, and the pairs are a step older. Sorts dynamic bodies by position, if bodies
    /// near each other have come to lie far apart in memory. To be called before anything is loaded
    /// for the step, since it changes slots.
    void begin_step(Bodies& bodies) {
        age_ = smaller_of(age_ + 1, oldest);
        if (!order_.is_disordered() || pairs_are_stale_) return;
        const BodyGrid& grid = moving_.main_grid();
        order_.restore(bodies, grid.grid().order(),
                       [&](std::int32_t place) { return grid.slot_of(bodies, place); });
        forget_pairs();
    }

    /// The world has another origin, so that everything is moved by `way`: the grids do not know it
    /// until the pairs are updated, but for that of sleepers, whom something may wake before.
    void shift(const Bodies& bodies, Vec2 way) {
        for (const ColliderId id : bodies.ids) note_change(id);
        forget_statics();
        sleepers_.forget();
        sleepers_.update(bodies);
        disturbances_.boxes.shift(way);
        ranges_.shift(way);
    }

    /// See Watches::all.
    [[nodiscard]] Span<const IndexPair> watches() const { return watches_.all(); }

    /// A static collider has come, goes or changes: to be called with it there, also before a
    /// change of its place or shape.
    void note_static(Bodies& bodies, std::int32_t slot) {
        const std::uint32_t index = bodies.ids[slot].index;
        statics_.note(index);
        note_edit(box_of(bodies, slot));
        disturbances_.colliders.add(index);
        if (!pairs_are_stale_) bodies.renew(slot);
    }

    /// A body, or a collider, has changed in a way that its pairs depend on.
    void forget_pairs_of(Bodies& bodies, BodyId body) {
        bodies.for_each_of(body,
                           [&](std::int32_t slot) { forget_pairs_of(bodies, bodies.ids[slot]); });
    }
    void forget_pairs_of(Bodies& bodies, ColliderId id) {
        const std::int32_t slot = bodies.slots.slot_of(id);
        if (bodies.ranges.is_static(slot)) return note_static(bodies, slot);
        bodies.renew(slot);
        // Tiles are found by way of their map.
        if (bodies.is_tile_kind(slot)) bodies.renew(bodies.body_slot(slot));
    }

    [[nodiscard]] const Welds& welds() const { return welds_; }

    /// Notes the bodies that a step is about to move out of their ranges, so that searches until
    /// the next step need to look only a little beyond the grids' boxes. If there are many, those
    /// that move less than the margin are not noted, and searches look that much further.
    template <int Width, class Team>
    void note_outsiders(const Bodies& bodies, const simd::Record4* state, Team& team) {
        constexpr std::size_t most_noted = 4;  // each search tests them all
        const float margin = slack_;
        slack_ = 0.125f * margin;
        ranges_.list_outsiders<Width>(bodies, state, slack_, team);
        if (ranges_.listed().size() > most_noted) {
            slack_ = margin;
            ranges_.list_outsiders<Width>(bodies, state, slack_, team);
        }
        for (const std::int32_t slot : ranges_.listed()) note_change(bodies.ids[slot]);
    }

    /// Updates the pairs of `contacts` if necessary; returns whether all were found again. If a mix
    /// function throws, the next update finds all pairs again.
    template <int Width, class Team>
    bool update(Bodies& bodies, const PairRules& rules, Contacts& contacts, Team& team) {
        const bool could_stay = follow_changes(bodies, rules, contacts);
        slack_ = rules.margin;
        if (could_stay) {
            ranges_.list_strays<Width>(bodies, rules, team);
            ranges_.list_near(edits_, bodies);
        }
        const bool can_last = could_stay && !comes_to_rest();
        const bool are_over = moving_pairs_.are_brief() && age_ > 0;
        const bool can_stay = can_last && !are_over;
        const bool is_calm = can_stay && strays().empty();
        if (is_calm && kept_contacts_.all().empty() && fallen_asleep_.empty()) {
            forget_news();
            return false;
        }
        const bool too_many_stray = can_last && !strays_are_few();
        const bool finds_all = !can_stay || too_many_stray;
        if (finds_all) {
            find_all<Width>(
                bodies, rules,
                {builder_.size(), at(contacts.contact_count), too_many_stray ? age_ : 0}, team);
            take_over(contacts, bodies);
        } else {
            follow_strays<Width>(bodies, rules, contacts);
        }
        write<Width>(bodies, rules.reach(), contacts, team);
        forget_news();
        return finds_all;
    }

    /// Per moving slot at the time when the pairs were made: the positions for which they are
    /// complete.
    [[nodiscard]] Span<const AABB> ranges() const { return ranges_.all(); }

    void list_members(auto& archive) {
        archive(*this, static_cast<BodyGrids&>(*this), welds_, watches_, fallen_asleep_,
                kept_contacts_, builder_, edits_, moving_pairs_, found_, faces_, ranges_, slots_,
                order_, calm_steps_, age_);
    }

private:
    /// Strays are followed one by one while there is at most one per so many bodies.
    static constexpr std::size_t bodies_per_stray = 8;
    /// Pairs are written in at most this many parts, each with colours of its own: all of them,
    /// then those that a step adds.
    static constexpr int most_parts = 16;
    /// After so many steps without strays all pairs are found again, once: then all bodies are in
    /// one grid, in boxes that fit resting bodies, and contacts that bear load share blocks.
    static constexpr int calm = 32;
    /// Steps: pairs that have lasted longer than ranges are made for are not counted further.
    static constexpr int oldest = 8;
    /// Pairs stay if bodies have come to or left at most one per so many moving slots.
    static constexpr std::size_t slots_per_change = 2;

    /// Follows what has changed since the pairs were made. Returns whether other pairs can stay.
    bool follow_changes(Bodies& bodies, const PairRules& rules, Contacts& contacts) {
        const bool were_stale = pairs_are_stale_;
        pairs_are_stale_ = true;  // until the list is complete again
        fallen_asleep_.start_over();
        const bool can_stay =
            !were_stale && (bodies.changed_slots.empty() || follow_slots(bodies, contacts));
        return !follow_statics(bodies, rules, can_stay) && can_stay;
    }

    /// Follows static bodies and terrain. Returns whether a solid has become welded or alone: its
    /// listed pairs have or lack faces then. If pairs cannot stay anyway, many changes cost less
    /// when all welds are found again where bodies are.
    bool follow_statics(const Bodies& bodies, const PairRules& rules, bool can_stay) {
        const bool forgets = statics_.is_forgotten() || (!can_stay && edits_.are_many());
        if (statics_.are_stale()) statics_.update(bodies);
        if (forgets) {
            welds_.forget(bodies.slots.size(), rules.length_unit);
            return true;
        }
        welds_.make_room(bodies.slots.size());
        bool any_turned = false;
        for (const AABB& edit : edits_.all()) {
            any_turned = welds_.renew_near(bodies, statics_, edit) || any_turned;
        }
        return any_turned;
    }

    /// Counts the steps without strays. Returns whether this is the one after which all pairs are
    /// to be found again.
    bool comes_to_rest() {
        calm_steps_ = strays().empty() ? smaller_of(calm_steps_ + 1, calm + 1) : 0;
        return calm_steps_ == calm;
    }

    /// The list of pairs is complete.
    void forget_news() {
        pairs_are_stale_ = false;
        news_.clear();
        edits_.clear();
    }

    /// Follows the bodies into the slots that they have now, and removes the pairs of those that
    /// are gone; new ones are outside of their ranges. Returns whether all other pairs can stay.
    bool follow_slots(Bodies& bodies, Contacts& contacts) {
        const std::int32_t count = bodies.ranges.moving_count;
        if (bodies.changed_slots.size() * slots_per_change > at(count)) return false;
        if (!builder_.has_room_for(count)) return false;
        ranges_.make_room(count);
        SlotMoves& moves = follow(bodies, contacts);
        ranges_.follow(moves, count);
        for (const std::int32_t slot : moves.arrived) {
            if (bodies.is_asleep(slot)) fallen_asleep_.push_back(slot);
        }
        return true;
    }

    /// Bodies that leave their ranges in this step.
    [[nodiscard]] const Array<std::int32_t>& strays() const { return ranges_.listed(); }

    [[nodiscard]] bool strays_are_few() const {
        return (strays().size() + moving_.new_count()) * bodies_per_stray <= at(ranges_.count()) &&
               !watches_.are_too_many() && builder_.parts() < most_parts && !builder_.is_hollow();
    }

    [[nodiscard]] PairAdder adder(const Bodies& bodies, const PairRules& rules, Contacts* listed) {
        const FaceFinder faces(bodies, rules, ranges_, statics_, welds_, faces_);
        return {builder_, bodies, rules, faces, listed};
    }

    /// Finds all pairs again.
    template <int Width, class Team>
    void find_all(const Bodies& bodies, const PairRules& rules, const PairsBefore& before,
                  Team& team) {
        const std::size_t count = at(bodies.ranges.moving_count);
        moving_pairs_.find<Width>(bodies, rules, before, ranges_, moving_, team);
        age_ = 0;
        moving_.reserve_new(bodies, count / bodies_per_stray);
        order_.judge(moving_.main_grid().grid().order(), bodies.ranges.dynamic_count);
        kept_contacts_.parted.reserve(count, slots_.id_count());
        builder_.begin(bodies.ranges);
        PairAdder add = adder(bodies, rules, nullptr);
        for (const auto [i, j] : moving_pairs_.all()) add(i, j);
        statics_.for_each_grid([&](const BodyGrid& grid) {
            found_.start_over();
            moving_.main_grid().grid().append_pairs_with<Width>(grid.grid(), found_);
            for (const auto [i, place] : found_) {
                const std::int32_t fixed = statics_.slot_of(bodies, grid, place);
                if (fixed != SlotMap::no_slot) add.add_static(i, fixed);
            }
        });
        watches_.find_all(bodies, sleepers_, [&](const RowGrid& grid, Array<IndexPair>& found) {
            moving_.main_grid().grid().append_pairs_with<Width>(grid, found);
        });
    }

    /// Gives the strays new ranges and adds their new pairs.
    template <int Width>
    void follow_strays(const Bodies& bodies, const PairRules& rules, Contacts& contacts) {
        for (const std::int32_t stray : strays()) {
            ranges_.renew(bodies, rules, at(stray));
            moving_.add(bodies.ids[stray].index);
        }
        moving_.build_new(bodies, [&](std::int32_t slot) { return ranges_.bounds()[slot]; });
        PairAdder add = adder(bodies, rules, &contacts);
        meet_in<Width>(bodies, moving_, moving_.main_grid(),
                       [&](std::int32_t stray, std::int32_t other) { add(stray, other); });
        statics_.for_each_grid([&](const BodyGrid& grid) {
            meet_in<Width>(bodies, statics_, grid, [&](std::int32_t stray, std::int32_t fixed) {
                add.add_static(stray, fixed);
            });
        });
        add_pairs_of_new<Width>(bodies, add);
        watch_strays<Width>(bodies);
    }

    /// Calls meet(stray, slot) for each body of one of the grids of a role that the strays overlap.
    template <int Width>
    void meet_in(const Bodies& bodies, const RoleGrids& grids, const BodyGrid& grid, auto meet) {
        seek<Width>(grid.grid(), [&](std::int32_t stray, std::int32_t place) {
            const std::int32_t other = grids.slot_of(bodies, grid, place);
            if (other != SlotMap::no_slot) meet(stray, other);
        });
    }

    /// Adds the pairs of moving bodies that have all left their ranges since pairs were found.
    template <int Width>
    void add_pairs_of_new(const Bodies& bodies, PairAdder& add) {
        const BodyGrid& grid = moving_.new_grid();
        found_.start_over();
        grid.grid().append_pairs<Width>(found_);
        for (const auto [i, j] : found_) {
            const std::int32_t slot_i = moving_.slot_of(bodies, grid, i);
            const std::int32_t slot_j = moving_.slot_of(bodies, grid, j);
            if (slot_i != SlotMap::no_slot && slot_j != SlotMap::no_slot) add(slot_i, slot_j);
        }
    }

    /// Watches the sleepers near strays, and whoever is near those that have just fallen asleep.
    template <int Width>
    void watch_strays(const Bodies& bodies) {
        watches_.add(bodies, sleepers_, [&](const RowGrid& grid, Array<IndexPair>& found) {
            seek<Width>(grid, [&](std::int32_t stray, std::int32_t place) {
                found.push_back({stray, place});
            });
        });
        watches_.add_near<Width>(bodies, fallen_asleep_, moving_);
    }

    /// Calls visit(stray, place) for each body of a grid that the strays overlap.
    template <int Width>
    void seek(const RowGrid& grid, auto visit) const {
        if (grid.empty()) return;
        for (const std::int32_t stray : strays()) {
            grid.for_each_overlap<Width>(ranges_.bounds()[stray],
                                         [&](std::int32_t place) { visit(stray, place); });
        }
    }

    Welds welds_;
    Watches watches_;
    Scratch<std::int32_t> fallen_asleep_;  // slots: since pairs were updated
    ChangedBoxes edits_;                   // of terrain and statics, since pairs were found
    MovingPairs moving_pairs_;
    Scratch<IndexPair> found_;  // of other kinds
    FaceList faces_;            // of the current pair
    Ranges ranges_;
    BodyOrder order_;
    int calm_steps_ = 0;  // at most one more than `calm`
    int age_ = 0;         // of the pairs: steps since all were found
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

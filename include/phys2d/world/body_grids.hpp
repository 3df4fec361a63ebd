// SPDX-License-Identifier: MIT
// BodyGrids: which bodies may be in a box, or on the path of a cast?
//
// Moving bodies are in a grid at the positions that they had when all pairs were last found; bodies
// that have come or left their ranges since, the loose ones, are in a second grid, statics in a
// third and sleepers in a fourth, but for those that fell asleep lately, in a fifth. Bodies that
// were created or changed by a call since the last step are in a list, the news, so that answers
// are exact after any change without rebuilding a grid; for many searches the news get a grid, too.
#pragma once

#include <phys2d/world/disturbances.hpp>
#include <phys2d/world/resting_grid.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Which bodies a search looks at. Among the moving ones there may be others that were created or
/// changed lately.
enum class Among { All, Moving };

class BodyGrids {
public:
    /// Bodies were created or destroyed: others may have other slots.
    void forget_slots() { slots_are_stale_ = true; }
    /// What no list of changes covers has changed: pair filters, kinds of tiles, the order of slots.
    void forget_pairs() { slots_are_stale_ = pairs_are_stale_ = true; }
    /// A static tile map has grown or has another kind.
    void forget_statics() {
        statics_are_stale_ = true;
        forget_pairs();
    }
    /// Whether the grid of a type's bodies is stale already, so that changing more of them costs
    /// nothing.
    [[nodiscard]] bool has_forgotten(BodyType type) const {
        return pairs_are_stale_ && (type != BodyType::Static || statics_are_stale_);
    }
    /// Bodies have fallen asleep: from now on the grids of sleepers answer for them. The more there
    /// are, the less often all are sorted: n that fall asleep one after the other cost O(n^1.5).
    void add_sleepers(const Bodies& bodies, Span<const ColliderId> ids) {
        constexpr std::size_t sort_cost = 16;  // sorting all, in sorts of the new ones
        for (const ColliderId id : ids) {
            newly_asleep_.add(id.index);
            disturbances_.colliders.add(id.index);
        }
        const std::size_t count = newly_asleep_.size();
        if (count * count <= sort_cost * at(bodies.sleeping_count())) {
            new_sleepers_.build(bodies, newly_asleep_);
        } else {
            sleepers_.build(bodies, bodies.ranges.moving_count, bodies.ranges.static_begin);
            newly_asleep_.clear();
            new_sleepers_.clear();
        }
        forget_slots();
    }

    /// A body was created, moved by a call, changed, or has changed its group: the grids do not
    /// know it until the pairs are updated.
    void note_change(ColliderId id) {
        fresh_.add(id.index);
        if (news_are_sorted_) changed_again_.add(id.index);
    }

    /// What has changed among resting bodies since the last call of `forget_disturbances`.
    [[nodiscard]] const Disturbances& disturbances() const { return disturbances_; }
    void forget_disturbances() { disturbances_.clear(); }

    /// Puts the listed bodies into a grid, too, until they change again: for callers with many
    /// searches.
    void sort_news(const Bodies& bodies) {
        if (unsorted().size() <= few_news) return;
        news_are_sorted_ = false;  // sorting may throw
        news_.build(bodies, fresh_);
        changed_again_.clear();
        news_are_sorted_ = true;
    }
    /// The same for callers that change and search by turns: the more bodies are listed, the less
    /// often it sorts, so that n changes, each with a search, cost O(n^1.5).
    void sort_news_at_times(const Bodies& bodies) {
        constexpr std::size_t sort_cost = 16;  // sorting one costs as much as testing so many
        const std::size_t count = unsorted().size();
        if (count * count > sort_cost * fresh_.size()) sort_news(bodies);
    }

    /// The sleeping bodies whose boxes touch `box`.
    void find_sleepers(const Bodies& bodies, const AABB& box, Array<ColliderId>& found) const {
        found.clear();
        for (const RestingGrid* sleepers : {&sleepers_, &new_sleepers_}) {
            sleepers->grid().for_each_overlap(box, [&](std::int32_t place) {
                const std::int32_t slot = sleeper_at(bodies, *sleepers, place);
                if (slot != SlotMap::no_slot) found.push_back(bodies.ids[slot]);
            });
        }
    }

    /// The slots of the colliders that may be in `box` and for which is_sought(slot) holds, each
    /// once; of a tile map those of the kinds that are in it, or were when the map began its last
    /// motion.
    void find_near(const Bodies& bodies, const AABB& box, Array<std::int32_t>& slots,
                   FunctionRef<bool(std::int32_t slot)> is_sought, Among among = Among::All) const {
        slots.clear();
        const auto add = [&](std::int32_t slot) { slots.push_back(slot); };
        const auto any_tile = [](TileCoord, std::uint16_t) { return true; };
        const auto see = [&](std::int32_t slot) {
            if (bodies.is_tile_map(slot)) {
                const Vec2 way = bodies.last_way(slot);
                const AABB swept = merge(box, translate(box, way));
                for_each_kind_in(bodies, slot, swept, is_sought, any_tile, add);
            } else if (is_sought(slot)) {
                add(slot);
            }
        };
        for_each_body_in(bodies, box, see, among);
    }
    void find_near(const Bodies& bodies, const AABB& box, Array<std::int32_t>& slots) const {
        find_near(bodies, box, slots, [](std::int32_t) { return true; });
    }

    /// Calls visit(slot) once for each collider that may be in `box`. A tile map is visited as one.
    template <int Width = PHYS2D_LANES>
    void for_each_body_in(const Bodies& bodies, const AABB& box,
                          FunctionRef<void(std::int32_t slot)> visit,
                          Among among = Among::All) const {
        for_each_found(
            bodies, among,
            [&](const RowGrid& grid, const auto& see) {
                grid.for_each_overlap<Width>(expand(box, slack_), see);
            },
            visit);
    }

    /// Typical size of the bodies in the grids; that of the grid where it is smallest [m].
    [[nodiscard]] float usual_size() const {
        float size = min(moving_.usual_size(), news_.grid().usual_size());
        for (const RestingGrid* grid : {&statics_, &sleepers_, &new_sleepers_}) {
            size = min(size, grid->grid().usual_size());
        }
        return size;
    }
    /// Whether all bodies in the grids are inside a box.
    [[nodiscard]] bool is_all_in(const AABB& box) const {
        return moving_.is_all_in(box) && loose_grid_.is_all_in(box) &&
               statics_.grid().is_all_in(box) && sleepers_.grid().is_all_in(box) &&
               new_sleepers_.grid().is_all_in(box) && news_.grid().is_all_in(box);
    }

    /// A cast's path, wide enough to find bodies wherever they have moved since pairs were found.
    [[nodiscard]] GridWay way_of(const Shape& moving, Vec2 way) const {
        return {moving.center, way, outer_half_extents(moving) + Vec2{slack_, slack_}};
    }

    /// Calls visit(slot) once for each body that may be on a path; see RowGrid. A tile map is
    /// visited as one.
    template <int Width, class Visit>
    void for_each_on_way(const Bodies& bodies, const GridWay& way, Visit visit) const {
        for_each_found(
            bodies, Among::All,
            [&](const RowGrid& grid, const auto& see) { grid.for_each_on_way<Width>(way, see); },
            visit);
    }

protected:
    void build_statics(const Bodies& bodies) {
        statics_.build(bodies, bodies.ranges.static_begin, bodies.size());
        statics_are_stale_ = false;
    }

    /// Makes no body loose; reserves room for `most`, of `id_count` ids.
    void forget_loose(std::size_t id_count, std::size_t most) {
        for (const ColliderId id : loose_) loose_places_[id.index] = 0;
        loose_.clear();
        loose_.reserve(most);
        loose_boxes_.clear();
        loose_boxes_.reserve(most);
        loose_grid_.reserve(most);
        loose_grid_.build(loose_boxes_);
        if (id_count > 0) loose_places_.grow_to_hold(id_count - 1);
    }

    [[nodiscard]] bool is_loose(ColliderId id) const { return loose_places_[id.index] != 0; }

    /// The box of a loose body.
    [[nodiscard]] AABB& loose_box(ColliderId id) {
        return loose_boxes_[loose_places_[id.index] - 1];
    }

    /// Makes a body loose, with any box.
    void loosen(ColliderId id) {
        loose_places_.grow_to_hold(id.index);
        std::int32_t& place = loose_places_[id.index];
        if (place == 0) {
            loose_.push_back(id);
            loose_boxes_.push_back({});
            place = static_cast<std::int32_t>(loose_.size());
        }
        loose_[place - 1] = id;  // one that is gone may have had the index
    }

    /// The present slot of the body that had a slot when the grid of moving bodies was built.
    [[nodiscard]] std::int32_t slot_now(const Bodies& bodies, std::int32_t slot) const {
        return slots_are_stale_ ? bodies.slots.slot_of(moving_ids_[slot]) : slot;
    }

    /// The present slot of the body at a place in the grid of moving bodies; `no_slot` if it is
    /// loose by now, asleep, static or gone.
    [[nodiscard]] std::int32_t slot_in_grid(const Bodies& bodies, std::int32_t place) const {
        if (!loose_.empty() && is_loose(moving_ids_[place])) return SlotMap::no_slot;
        return if_moving(bodies, slot_now(bodies, place));
    }
    /// The present slot of a loose body; `no_slot` if it is asleep, static or gone.
    [[nodiscard]] std::int32_t slot_of_loose(const Bodies& bodies, std::int32_t place) const {
        return if_moving(bodies, bodies.slots.slot_of(loose_[place]));
    }

    /// The grids know the positions of all bodies.
    void forget_changes() {
        fresh_.clear();
        changed_again_.clear();
        news_are_sorted_ = false;
        if (!news_.empty()) news_.clear();  // so that copies of the world do not have it
    }

    RowGrid moving_;
    RowGrid loose_grid_;
    Array<ColliderId> loose_;           // some may have been destroyed since
    Array<AABB> loose_boxes_;           // boxes of the loose bodies
    Array<std::int32_t> loose_places_;  // per id index: 1 + its place in these, 0 if not loose
    RestingGrid statics_;
    RestingGrid sleepers_;          // some may have woken or been destroyed since
    RestingGrid new_sleepers_;      // the same of those that have fallen asleep since
    Array<ColliderId> moving_ids_;  // per slot, when moving_ was built: a step may throw after
    float slack_ = 0.0f;            // distance outside its range at which a body is still found [m]
    Disturbances disturbances_;
    bool pairs_are_stale_ = true;
    bool slots_are_stale_ = true;  // those of moving_
    bool statics_are_stale_ = true;

private:
    enum class Source { Moving, Loose, Statics, Sleepers, NewSleepers };

    /// The slot of the body that a grid knows as `i`; `no_slot` if it was destroyed, or if
    /// another grid or the list has it.
    [[nodiscard]] std::int32_t slot_seen(const Bodies& bodies, Source source,
                                         std::int32_t i) const {
        std::int32_t slot = SlotMap::no_slot;
        switch (source) {
            case Source::Moving: slot = slot_in_grid(bodies, i); break;
            case Source::Loose: slot = slot_of_loose(bodies, i); break;
            case Source::Statics: slot = statics_.slot_of(bodies, i); break;
            case Source::Sleepers: slot = sleeper_at(bodies, sleepers_, i); break;
            case Source::NewSleepers: slot = sleeper_at(bodies, new_sleepers_, i); break;
        }
        if (slot == SlotMap::no_slot || fresh_.empty()) return slot;
        return fresh_.contains(bodies.ids[slot].index) ? SlotMap::no_slot : slot;
    }

    [[nodiscard]] static std::int32_t if_moving(const Bodies& bodies, std::int32_t slot) {
        return slot < bodies.ranges.moving_count ? slot : SlotMap::no_slot;
    }

    /// The slot of the body at a place in a grid of sleepers; `no_slot` if it is not asleep, or has
    /// fallen asleep again since and is in the other one.
    [[nodiscard]] std::int32_t sleeper_at(const Bodies& bodies, const RestingGrid& sleepers,
                                          std::int32_t place) const {
        const std::int32_t slot = sleepers.slot_of(bodies, place);
        if (slot == SlotMap::no_slot || !bodies.is_asleep(slot)) return SlotMap::no_slot;
        const bool is_new = newly_asleep_.contains(at(sleepers.index_of(place)));
        return is_new == (&sleepers == &new_sleepers_) ? slot : SlotMap::no_slot;
    }

    /// Visits the slots that walk(grid, see) finds in each of the grids, and the listed ones.
    template <class Walk, class Visit>
    void for_each_found(const Bodies& bodies, Among among, Walk walk, Visit visit) const {
        const auto see = [&](std::int32_t slot) {
            if (slot != SlotMap::no_slot && !bodies.is_tile_kind(slot)) visit(slot);
        };
        const auto look_in = [&](const RowGrid& grid, Source source) {
            if (grid.empty()) return;
            walk(grid, [&](std::int32_t i) { see(slot_seen(bodies, source, i)); });
        };
        look_in(moving_, Source::Moving);
        look_in(loose_grid_, Source::Loose);
        if (among == Among::All) {
            look_in(statics_.grid(), Source::Statics);
            look_in(sleepers_.grid(), Source::Sleepers);
            look_in(new_sleepers_.grid(), Source::NewSleepers);
        }
        if (news_are_sorted_) {
            walk(news_.grid(), [&](std::int32_t i) {
                const bool is_there = !changed_again_.contains(at(news_.index_of(i)));
                if (is_there) see(news_.slot_of(bodies, i));
            });
        }
        for (const std::uint32_t index : unsorted()) see(bodies.slots.slot_at(index));
    }

    /// The listed bodies that are searched one by one.
    [[nodiscard]] const IndexSet& unsorted() const {
        return news_are_sorted_ ? changed_again_ : fresh_;
    }

    static constexpr std::size_t few_news = 64;  // cheaper to search one by one than to sort

    IndexSet newly_asleep_;   // id indices of the new sleepers
    IndexSet fresh_;          // id indices of the listed bodies: their grids are stale
    IndexSet changed_again_;  // of bodies that have changed since the listed ones were sorted
    RestingGrid news_;        // a grid of the other listed bodies, if sorted
    bool news_are_sorted_ = false;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

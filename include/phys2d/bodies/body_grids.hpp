// SPDX-License-Identifier: MIT
// BodyGrids: which bodies may be in a box, or on the path of a cast?
//
// Moving bodies are in a grid at the positions that they had when all pairs were last found, those
// that have come or left their ranges since among the loose bodies; statics and sleepers have grids
// of their own. For bodies that were created or changed by a call since the last step the news
// answer instead.
#pragma once

#include <phys2d/bodies/disturbances.hpp>
#include <phys2d/bodies/loose_bodies.hpp>
#include <phys2d/bodies/map_kinds.hpp>
#include <phys2d/bodies/news.hpp>
#include <phys2d/bodies/resting_grids.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Which bodies a search looks at.
enum class Among { All, Moving, Resting };

class BodyGrids {
public:
    /// Bodies were created or destroyed: others may have other slots.
    void forget_slots() { slots_are_stale_ = true; }
    /// What no list of changes covers has changed: pair filters, kinds of tiles, order of slots.
    void forget_pairs() { slots_are_stale_ = pairs_are_stale_ = true; }
    /// A static tile map has grown or has another kind.
    void forget_statics() {
        statics_.forget();
        forget_pairs();
    }
    /// Whether the grid of a type's bodies is to be filled anyway, so that changing more of them
    /// costs nothing.
    [[nodiscard]] bool has_forgotten(BodyType type) const {
        return pairs_are_stale_ && (type != BodyType::Static || statics_.is_forgotten());
    }
    /// Bodies have fallen asleep: from now on the grids of sleepers answer for them.
    void add_sleepers(const Bodies& bodies, Span<const ColliderId> ids) {
        for (const ColliderId id : ids) {
            disturbances_.colliders.add(id.index);
            sleepers_.note(id.index);
        }
        sleepers_.update(bodies);
        forget_slots();
    }

    /// A body was created, moved by a call, changed, or has changed its role: the grids do not
    /// know it until the pairs are updated.
    void note_change(ColliderId id) { news_.add(id); }
    /// For callers with many searches, and for those that change and search by turns.
    void sort_news(const Bodies& bodies) { news_.sort(bodies); }
    void sort_news_at_times(const Bodies& bodies) { news_.sort_at_times(bodies); }

    /// What has changed among resting bodies since the last call of `forget_disturbances`.
    [[nodiscard]] const Disturbances& disturbances() const { return disturbances_; }
    void forget_disturbances() { disturbances_.clear(); }

    /// Calls visit(slot) for the sleeping bodies whose boxes touch `box`; a visit may wake some.
    void for_each_sleeper(const Bodies& bodies, const AABB& box,
                          FunctionRef<void(std::int32_t slot)> visit) const {
        sleepers_.for_each_overlap(bodies, box, visit);
    }

    /// Calls visit(slot) once for each collider that may be in `box` and for which is_sought(slot)
    /// holds; of a tile map for those of the kinds that are in it, or were when the map began its
    /// last motion.
    void for_each_near(const Bodies& bodies, const AABB& box,
                       FunctionRef<bool(std::int32_t slot)> is_sought,
                       FunctionRef<void(std::int32_t slot)> visit, Among among = Among::All) const {
        const auto any_tile = [](TileCoord, std::uint16_t) { return true; };
        const auto see = [&](std::int32_t slot) {
            if (bodies.is_tile_map(slot)) {
                const AABB swept = box_along(box, bodies.last_way(slot));
                for_each_kind_in(bodies, slot, swept, is_sought, any_tile, visit);
            } else if (is_sought(slot)) {
                visit(slot);
            }
        };
        for_each_body_in(bodies, box, see, among);
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
        return min(min(moving_.usual_size(), news_.grid().usual_size()),
                   min(statics_.usual_size(), sleepers_.usual_size()));
    }
    /// Whether all bodies in the grids are inside a box.
    [[nodiscard]] bool is_all_in(const AABB& box) const {
        return moving_.is_all_in(box) && loose_.grid().is_all_in(box) && statics_.is_all_in(box) &&
               sleepers_.is_all_in(box) && news_.grid().is_all_in(box);
    }

    /// A cast's path, wide enough to find bodies wherever they have moved since pairs were found.
    [[nodiscard]] GridWay way_of(const Shape& moving, Vec2 way) const {
        return {moving.center, way, outer_half_extents(moving) + Vec2{slack_, slack_}};
    }

    /// Calls visit(slot) once for each body that may be on a path; see RowGrid. A tile map is
    /// visited as one.
    template <int Width>
    void for_each_on_way(const Bodies& bodies, const GridWay& way, auto visit) const {
        for_each_found(
            bodies, Among::All,
            [&](const RowGrid& grid, const auto& see) { grid.for_each_on_way<Width>(way, see); },
            visit);
    }

    void list_members(auto& archive) {
        archive(*this, moving_, moving_ids_, loose_, statics_, sleepers_, news_, slack_,
                disturbances_, pairs_are_stale_, slots_are_stale_);
    }

protected:
    /// The present slot of the body that had a slot when the grid of moving bodies was built.
    [[nodiscard]] std::int32_t slot_now(const Bodies& bodies, std::int32_t slot) const {
        return slots_are_stale_ ? bodies.slots.slot_of(moving_ids_[slot]) : slot;
    }

    /// The present slot of the body at a place in the grid of moving bodies; `no_slot` if it is
    /// loose by now, asleep, static or gone.
    [[nodiscard]] std::int32_t slot_in_grid(const Bodies& bodies, std::int32_t place) const {
        if (loose_.contains(moving_ids_[place])) return SlotMap::no_slot;
        return if_moving(bodies, slot_now(bodies, place));
    }
    /// The present slot of a loose body; `no_slot` if it is asleep, static or gone.
    [[nodiscard]] std::int32_t slot_of_loose(const Bodies& bodies, std::int32_t place) const {
        return if_moving(bodies, loose_.slot_of(bodies, place));
    }

    /// The present slot of the body at a place in a grid; `no_slot` if another one has it, or none.
    using SlotAt = FunctionRef<std::int32_t(std::int32_t place)>;

    /// Calls look_in(grid, slot_at) for each of the grids.
    void for_each_grid(const Bodies& bodies, Among among, auto look_in) const {
        if (among != Among::Resting) {
            look_in(moving_, [&](std::int32_t place) { return slot_in_grid(bodies, place); });
            look_in(loose_.grid(),
                    [&](std::int32_t place) { return slot_of_loose(bodies, place); });
        }
        if (among == Among::Moving) return;
        for (const RestingGrids* resting : {&statics_, &sleepers_}) {
            resting->for_each_grid([&](const RestingGrid& grid) {
                look_in(grid.grid(),
                        [&](std::int32_t place) { return resting->slot_of(bodies, grid, place); });
            });
        }
    }

    RowGrid moving_;
    Array<ColliderId> moving_ids_;  // per slot, when moving_ was built: a step may throw after
    LooseBodies loose_;
    RestingGrids statics_{Resting::Static};
    RestingGrids sleepers_{Resting::Asleep};
    News news_;
    float slack_ = 0.0f;  // distance outside its range at which a body is still found [m]
    Disturbances disturbances_;
    bool pairs_are_stale_ = true;
    bool slots_are_stale_ = true;  // those of moving_

private:
    [[nodiscard]] static std::int32_t if_moving(const Bodies& bodies, std::int32_t slot) {
        return bodies.ranges.is_moving(slot) ? slot : SlotMap::no_slot;
    }

    /// Visits the slots of the bodies that walk(grid, see) finds in each of the grids, or that are
    /// news.
    void for_each_found(const Bodies& bodies, Among among, auto walk, auto visit) const {
        const auto see = [&](std::int32_t slot) {
            if (!bodies.is_tile_kind(slot)) visit(slot);
        };
        for_each_grid(bodies, among, [&](const RowGrid& grid, SlotAt slot_at) {
            if (grid.empty()) return;
            walk(grid, [&](std::int32_t place) {
                const std::int32_t slot = slot_at(place);
                if (slot != SlotMap::no_slot && !news_.contains(bodies.ids[slot])) see(slot);
            });
        });
        news_.for_each_found(bodies, walk, [&](std::int32_t slot) {
            if (slot == SlotMap::no_slot || !bodies.is_enabled(slot)) return;
            const bool moves = bodies.ranges.is_moving(slot);
            if (among != (moves ? Among::Resting : Among::Moving)) see(slot);
        });
    }
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

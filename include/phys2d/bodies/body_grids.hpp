// SPDX-License-Identifier: MIT
// BodyGrids: which bodies may be in a box, or on the path of a cast?
//
// Moving bodies, sleepers and statics have grids of their own. Moving bodies are in theirs with the
// ranges that they had when all pairs were last found, those that have come or left these since
// with their present ones. For bodies that were created or changed by a call since the last step
// the news answer instead.
#pragma once

#include <phys2d/bodies/disturbances.hpp>
#include <phys2d/bodies/map_kinds.hpp>
#include <phys2d/bodies/news.hpp>
#include <phys2d/bodies/role_grids.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Which bodies a search looks at.
enum class Among { All, Moving, Resting };

class BodyGrids {
public:
    /// What no list of changes covers has changed: pair filters, kinds of tiles, order of slots.
    void forget_pairs() { pairs_are_stale_ = true; }
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
        return moving_.is_all_in(box) && statics_.is_all_in(box) && sleepers_.is_all_in(box) &&
               news_.grid().is_all_in(box);
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
        archive(*this, moving_, statics_, sleepers_, news_, slack_, disturbances_,
                pairs_are_stale_);
    }

protected:
    RoleGrids moving_{GridRole::Moving};
    RoleGrids statics_{GridRole::Static};
    RoleGrids sleepers_{GridRole::Asleep};
    News news_;
    float slack_ = 0.0f;  // distance outside its range at which a body is still found [m]
    Disturbances disturbances_;
    bool pairs_are_stale_ = true;

private:
    /// Visits the slots of the bodies that walk(grid, see) finds in each of the grids, or that are
    /// news.
    void for_each_found(const Bodies& bodies, Among among, auto walk, auto visit) const {
        const auto see = [&](std::int32_t slot) {
            if (!bodies.is_tile_kind(slot)) visit(slot);
        };
        for (const RoleGrids* grids : {&moving_, &statics_, &sleepers_}) {
            if (among == (grids == &moving_ ? Among::Resting : Among::Moving)) continue;
            grids->for_each_found(bodies, walk, [&](std::int32_t slot) {
                if (!news_.contains(bodies.ids[slot])) see(slot);
            });
        }
        news_.for_each_found(bodies, walk, [&](std::int32_t slot) {
            if (slot == SlotMap::no_slot || !bodies.is_enabled(slot)) return;
            const bool moves = bodies.ranges.is_moving(slot);
            if (among != (moves ? Among::Resting : Among::Moving)) see(slot);
        });
    }
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// Queries: what is at a place? Casts are in cast_search.hpp.
//
// Answers are exact for the current state, also right after a change: bodies changed since the last
// step are checked one by one, all others are found through the grids of the broad phase. Queries
// change nothing, so several threads may run them at once.
#pragma once

#include <limits>

#include <phys2d/stages/world_state.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// Which colliders a query sees: by default all except sensors. Groups are ignored.
struct QueryFilter {
    /// Category of the query: it sees colliders whose mask shares a bit with it.
    std::uint64_t category = Filter::everything;
    /// It sees colliders whose category shares a bit with this.
    std::uint64_t mask = Filter::everything;
    bool sensors = false;  ///< whether it sees sensors
    BodyId except{};       ///< a body that it does not see, usually the caller's
};

/// The first hit of a cast.
struct QueryHit {
    BodyId body{};                      ///< default id if there is no hit
    float fraction = CastHit::nothing;  ///< of the translation, in [0, 1]
    Vec2 normal{};                      ///< unit vector out of the body
    Vec2 point{};                       ///< [m, world]
    ColliderId collider{};              ///< of the body

    /// True for a hit.
    constexpr explicit operator bool() const { return fraction <= 1.0f; }
};

/// The body nearest to a point.
struct NearestBody {
    BodyId body{};  ///< default id if there is none
    /// To its surface, negative inside [m]; infinite if there is no body.
    float distance = std::numeric_limits<float>::infinity();
    Vec2 normal{};          ///< unit vector out of the body, towards the point
    Vec2 point{};           ///< of its surface, up to rounding [m, world]
    ColliderId collider{};  ///< of the body

    /// True if there is one.
    constexpr explicit operator bool() const { return body != BodyId{}; }
};

namespace detail {

[[nodiscard]] inline bool sees(const QueryFilter& filter, const Bodies& bodies, std::int32_t slot) {
    const ColliderDef& collider = bodies.colliders[slot];
    return (filter.sensors || !collider.is_sensor) &&
           (filter.mask & collider.filter.category) != 0 &&
           (filter.category & collider.filter.mask) != 0 && bodies.owners[slot] != filter.except;
}

/// For queries that see all bodies that their filter does.
struct AnyBody {
    constexpr bool operator()(BodyId) const { return true; }
};

/// What a query sees: of the bodies that the filter does those that pass a test of the caller's.
struct QuerySight {
    const QueryFilter& filter;
    FunctionRef<bool(BodyId)> accepts;

    [[nodiscard]] bool sees(const Bodies& bodies, std::int32_t slot) const {
        return detail::sees(filter, bodies, slot) && accepts(bodies.owners[slot]);
    }
};

/// Distance beyond its ends at which a face of terrain is still hit [m].
[[nodiscard]] inline float flush_at(const WorldState& world, std::int32_t terrain) {
    return world.scaled(flush_slop) + place_rounding(terrain_origin(world.bodies, terrain));
}

/// Calls visit(ColliderId) for each collider that overlaps or touches a shape.
template <int Width>
void for_each_overlap(const WorldState& world, const Shape& shape, const QueryFilter& filter,
                      FunctionRef<void(ColliderId)> visit) {
    const Bodies& bodies = world.bodies;
    const AABB box = bounds(shape);
    const auto is_seen = [&](std::int32_t slot) { return sees(filter, bodies, slot); };
    const auto tell = [&](std::int32_t slot) { visit(bodies.ids[slot]); };
    world.broad_phase.for_each_body_in<Width>(bodies, box, [&](std::int32_t slot) {
        if (bodies.is_tile_map(slot)) {
            const auto is_met = [&](TileCoord tile, std::uint16_t id) {
                const TileMap& map = bodies.terrain(slot).map;
                return overlaps(placed_tile(map, bodies.positions[slot], tile, id), shape);
            };
            for_each_kind_in(bodies, slot, box, is_seen, is_met, tell);
        } else if (is_seen(slot) && overlaps(bodies, slot, shape)) {
            tell(slot);
        }
    });
}
PHYS2D_COMPILED_ONCE(void for_each_overlap<PHYS2D_LANES>(const WorldState&, const Shape&,
                                                         const QueryFilter&,
                                                         FunctionRef<void(ColliderId)>));

/// Calls look(box) for boxes around a point until one contains `bounds` or everything within
/// `limit`, which a look may lower. The first box ends at `bounds`; each further one extends twice
/// as far beyond that.
void look_further_and_further(Vec2 point, float first_step, const AABB& bounds, const float& limit,
                              auto look) {
    const Vec2 gap = abs(closest_point(bounds, point) - point);
    for (float step = 0.0f;; step = max(2.0f * step, first_step)) {
        const float reach = max(gap.x, gap.y) + step;
        const float radius = max(min(reach, limit), 0.0f);
        const AABB box = aabb_around(point, {radius, radius});
        look(box);
        if (reach >= limit || contains(box, bounds)) return;
    }
}

/// Calls visit(solid, slot) for the solids of a terrain that a query sees and that may be within
/// `limit` of a point; a visit may lower the limit.
void for_each_near_solid(const Bodies& bodies, std::int32_t slot, Vec2 point,
                         const QuerySight& sight, const float& limit, auto visit) {
    const Terrain& terrain = bodies.terrain(slot);
    const auto is_seen = [&](std::int32_t i) { return sight.sees(bodies, i); };
    const auto look_around = [&](float first_step, auto look) {
        look_further_and_further(point, first_step, box_of(bodies, slot), limit, look);
    };
    if (terrain.is_map()) {
        const bool any_seen = terrain.map.any_kind(
            [&](std::size_t id) { return is_seen(bodies.slot_of_kind(terrain, id)); });
        if (!any_seen) return;
        look_around(terrain.map.tile_size,
                    [&](const AABB& box) { for_each_tile(bodies, slot, box, is_seen, visit); });
        return;
    }
    if (!is_seen(slot)) return;
    const auto look_at = [&](const AABB& box) {
        for_each_solid(bodies, slot, box, [&](const auto& solid) { visit(solid, slot); });
    };
    if (terrain.is_line()) {
        look_around(terrain.grid.usual_size(), look_at);
    } else {
        look_at({point, point});
    }
}

/// A lower bound of the distance of a point from a shape, also of the rounded one [m].
[[nodiscard]] constexpr float least_distance(const Shape& shape, Vec2 point) {
    const Vec2 gap = abs(point - shape.center) - shape.half_extents;
    return max(gap.x, gap.y) - shape.radius;
}

/// The body nearest to a point in the box that extends `within` around it. Adds the number of
/// colliders that are visited to `visits`.
template <int Width>
[[nodiscard]] NearestBody nearest_in_box(const WorldState& world, Vec2 point, float within,
                                         const QuerySight& sight, std::size_t& visits) {
    const Bodies& bodies = world.bodies;
    const Shape target = Circle{0.0f, point};
    NearestBody nearest;
    nearest.distance = within;
    const auto look_at = [&](const auto& solid, std::int32_t slot) {
        const ColliderId id = bodies.ids[slot];
        const Manifold manifold = collide(solid, target);
        const float distance = -manifold.penetration;
        const bool ties =
            distance == nearest.distance && (!nearest || id.index < nearest.collider.index);
        if (distance < nearest.distance || ties) {
            const Vec2 normal = manifold.normal;
            nearest = {bodies.owners[slot], distance, normal, point - normal * distance, id};
        }
    };
    const AABB box = aabb_around(point, {within, within});
    world.broad_phase.for_each_body_in<Width>(bodies, box, [&](std::int32_t slot) {
        ++visits;
        if (!bodies.has_shape(slot)) {
            for_each_near_solid(bodies, slot, point, sight, nearest.distance, look_at);
        } else if (sight.sees(bodies, slot)) {
            const Shape shape = bodies.placed_shape(slot);
            if (least_distance(shape, point) <= nearest.distance) look_at(shape, slot);
        }
    });
    return nearest ? nearest : NearestBody{};
}

/// The nearest body up to `within` away. Most have a much nearer neighbour, which smaller boxes
/// find; where they find none, all of them together visit no more than twice as many bodies.
template <int Width>
[[nodiscard]] NearestBody nearest(const WorldState& world, Vec2 point, float within,
                                  const QuerySight& sight) {
    std::size_t visits = 0;
    const auto is_done = [&](float reach) {
        return visits >= world.bodies.ids.size() ||
               world.broad_phase.is_all_in(aabb_around(point, {reach, reach}));
    };
    for (float reach = world.broad_phase.usual_size(); reach < within; reach *= 2.0f) {
        const NearestBody found = nearest_in_box<Width>(world, point, reach, sight, visits);
        if (found) return found;
        if (is_done(reach)) break;
    }
    return nearest_in_box<Width>(world, point, within, sight, visits);
}
PHYS2D_COMPILED_ONCE(NearestBody nearest<PHYS2D_LANES>(const WorldState&, Vec2, float,
                                                       const QuerySight&));

}  // namespace detail
}  // namespace phys2d::inline PHYS2D_ABI

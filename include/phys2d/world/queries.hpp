// SPDX-License-Identifier: MIT
// Queries: what is there, and what would be met on the way?
//
// Answers are exact for the bodies as they are at the moment, right after any change too: what has changed
// since the last step is looked at one by one, the rest through the grids of the broad phase. They change
// nothing, so any number of threads may ask at once.
#pragma once

#include <phys2d/core/shell_sort.hpp>
#include <phys2d/world/world_state.hpp>

namespace phys2d {

/// Which bodies a query sees: all, but for sensors.
struct QueryFilter {
    /// What asks: the masks of what is seen have one of its bits.
    std::uint64_t category = Filter::everything;
    /// What is seen: its category has one of these bits.
    std::uint64_t mask = Filter::everything;
    bool sensors = false;  ///< whether sensors are seen too
    BodyId except{};       ///< not seen: usually who asks
};

/// What a cast met first.
struct QueryHit {
    BodyId body{};                      ///< names nothing where there is no hit
    float fraction = CastHit::nothing;  ///< of the way, in [0, 1]
    Vec2 normal{};                      ///< unit vector out of the body
    Vec2 point{};                       ///< [m, world]
    ColliderId collider{};              ///< of the body

    /// True for a hit.
    constexpr explicit operator bool() const { return fraction <= 1.0f; }
};

/// The body nearest to a point.
struct NearestBody {
    BodyId body{};          ///< names nothing where there is none
    float distance = 0.0f;  ///< to its surface, negative inside [m]
    Vec2 normal{};          ///< unit vector out of the body, towards the point
    ColliderId collider{};  ///< of the body

    constexpr explicit operator bool() const { return body != BodyId{}; }
};

namespace detail::inline PHYS2D_ABI {

[[nodiscard]] inline bool sees(const QueryFilter& filter, const Bodies& bodies, std::size_t slot) {
    const ColliderDef& collider = bodies.colliders[slot];
    return (filter.sensors || !collider.is_sensor) &&
           (filter.mask & collider.filter.category) != 0 &&
           (filter.category & collider.filter.mask) != 0 && bodies.owners[slot] != filter.except;
}

/// Nearer first; of two equally near, the one with the lower index.
[[nodiscard]] inline bool comes_before(const QueryHit& a, const QueryHit& b) {
    return a.fraction < b.fraction ||
           (a.fraction == b.fraction && a.collider.index < b.collider.index);
}

/// What a cast is to tell: what it meets first, or all.
enum class Wanted { First, All };

/// Calls visit(hit, slot) for the first tile on a ray, and for those in front of it that are not seen.
template <class CastAt, class Visit>
void first_tile_on_ray(const Bodies& bodies, std::int32_t slot, Vec2 from, Vec2 way,
                       const float& limit, CastAt cast_at, Visit visit) {
    for_each_tile_on_ray(bodies, slot, from, way, limit,
                         [&](const Polygon& tile, std::int32_t owner) {
                             const CastHit hit = cast_at(tile);
                             if (hit) visit(hit, owner);
                             return !hit || hit.fraction < limit;
                         });
}

/// Calls visit(hit, slot) for what a cast meets in a terrain: faces, what is around its start if it is a ray, and
/// tiles that are only felt.
template <class CastAt, class Visit>
void for_each_hit_in_terrain(const WorldState& world, std::int32_t slot, const Shape& moving,
                             Vec2 way, bool sensors, const float& limit, CastAt cast_at,
                             Visit visit) {
    const Bodies& bodies = world.bodies;
    const float slop = mul(flush_slop, world.config.length_unit);
    for_each_terrain_hit(
        bodies, slot, moving, way, slop, limit,
        [&](const CastHit& hit, std::int32_t owner, const Face&) { visit(hit, owner); });
    const auto look_at = [&](const auto& solid, std::int32_t owner) {
        if (const CastHit hit = cast_at(solid)) visit(hit, owner);
    };
    const AABB start = bounds(moving);
    const bool is_ray = start.min == start.max;
    if (!bodies.is_tile_map(slot)) {
        if (!is_ray) return;
        for_each_solid(bodies, slot, start, [&](const auto& solid) {
            if (phys2d::overlaps(solid, moving)) look_at(solid, slot);
        });
        return;
    }
    if (is_ray) {
        for_each_tile(bodies, slot, start, [&](const Polygon& tile, std::int32_t owner) {
            if (contains(tile, moving.center)) look_at(tile, owner);
        });
    }
    if (!sensors) return;
    for_each_part_of_way(bodies, slot, moving, way, [&](const AABB& box, float end) {
        for_each_tile(bodies, slot, box, [&](const Polygon& tile, std::int32_t owner) {
            if (bodies.colliders[at(owner)].is_sensor) look_at(tile, owner);
        });
        return limit > end;
    });
}

/// Calls visit(hit) for what a cast meets; a visit that lowers `limit` spares what is beyond. `cast_at` is
/// the cast at one shape, polygon or half-space. Of a terrain several faces may be met.
template <class CastAt, class Visit>
void for_each_hit(const WorldState& world, const Shape& moving, Vec2 way, const QueryFilter& filter,
                  Wanted wanted, const float& limit, CastAt cast_at, Visit visit) {
    const Bodies& bodies = world.bodies;
    const bool is_first_on_ray = wanted == Wanted::First && outer_half_extents(moving) == Vec2{};
    const auto tell = [&](const CastHit& hit, std::int32_t slot) {
        if (!sees(filter, bodies, at(slot))) return;
        visit(QueryHit{bodies.owners[at(slot)], hit.fraction, hit.normal, hit.point,
                       as_collider(bodies.ids[at(slot)])});
    };
    world.broad_phase.for_each_on_way(bodies, moving, way, limit, [&](std::int32_t slot) {
        if (is_first_on_ray && bodies.is_tile_map(slot)) {
            first_tile_on_ray(bodies, slot, moving.center, way, limit, cast_at, tell);
        } else if (!bodies.is_plain(slot)) {
            for_each_hit_in_terrain(world, slot, moving, way, filter.sensors, limit, cast_at, tell);
        } else if (sees(filter, bodies, at(slot))) {
            if (const CastHit hit = cast_at(bodies.placed_shape(at(slot)))) tell(hit, slot);
        }
    });
}

template <class CastAt>
[[nodiscard]] QueryHit first_hit(const WorldState& world, const Shape& moving, Vec2 way,
                                 const QueryFilter& filter, CastAt cast_at) {
    QueryHit first;
    float limit = 1.0f;
    const auto take = [&](const QueryHit& hit) {
        if (!comes_before(hit, first)) return;
        first = hit;
        limit = hit.fraction;
    };
    for_each_hit(world, moving, way, filter, Wanted::First, limit, cast_at, take);
    return first;
}

/// Calls visit(BodyId) for each collider that overlaps or touches a shape.
template <class Visit>
void for_each_overlap(const WorldState& world, const Shape& shape, const QueryFilter& filter,
                      Visit visit) {
    const Bodies& bodies = world.bodies;
    world.broad_phase.for_each_in(bodies, bounds(shape), [&](std::int32_t slot) {
        const bool is_hit = sees(filter, bodies, at(slot)) && overlaps(bodies, slot, shape);
        if (is_hit) visit(bodies.owners[at(slot)]);
    });
}

/// The body nearest to a point among those in the box of `within` around it.
[[nodiscard]] inline NearestBody nearest_in_box(const WorldState& world, Vec2 point, float within,
                                                const QueryFilter& filter) {
    const Bodies& bodies = world.bodies;
    const Shape target = Circle{0.0f, point};
    NearestBody nearest;
    nearest.distance = within;
    const AABB box = aabb_around(point, {within, within});
    world.broad_phase.for_each_in(bodies, box, [&](std::int32_t slot) {
        if (!sees(filter, bodies, at(slot))) return;
        const ColliderId id = as_collider(bodies.ids[at(slot)]);
        const auto look_at = [&](const auto& solid) {
            const Manifold manifold = collide(solid, target);
            const float distance = -manifold.penetration;
            const bool ties =
                distance == nearest.distance && (!nearest || id.index < nearest.collider.index);
            if (distance < nearest.distance || ties) {
                nearest = {bodies.owners[at(slot)], distance, manifold.normal, id};
            }
        };
        if (bodies.is_plain(slot)) {
            look_at(bodies.placed_shape(at(slot)));
        } else {
            for_each_solid(bodies, slot, box, look_at);
        }
    });
    return nearest ? nearest : NearestBody{};
}

}  // namespace detail::inline PHYS2D_ABI
}  // namespace phys2d

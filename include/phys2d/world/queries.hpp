// SPDX-License-Identifier: MIT
// Queries: what is at a place? Casts are in cast_search.hpp.
//
// Answers are exact for the current state, also right after a change: bodies changed since the last
// step are checked one by one, all others are found through the grids of the broad phase. Queries
// change nothing, so several threads may run them at once.
#pragma once

#include <phys2d/world/world_state.hpp>

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
    BodyId body{};          ///< default id if there is none
    float distance = 0.0f;  ///< to its surface, negative inside [m]
    Vec2 normal{};          ///< unit vector out of the body, towards the point
    ColliderId collider{};  ///< of the body

    constexpr explicit operator bool() const { return body != BodyId{}; }
};

namespace detail {

[[nodiscard]] inline bool sees(const QueryFilter& filter, const Bodies& bodies, std::size_t slot) {
    const ColliderDef& collider = bodies.colliders[slot];
    return (filter.sensors || !collider.is_sensor) &&
           (filter.mask & collider.filter.category) != 0 &&
           (filter.category & collider.filter.mask) != 0 && bodies.owners[slot] != filter.except;
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

/// The body nearest to a point among those in a box that extends `within` around it.
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

/// The nearest body up to `within` away. Most have a much nearer neighbour, which smaller boxes
/// find.
[[nodiscard]] inline NearestBody nearest(const WorldState& world, Vec2 point, float within,
                                         const QueryFilter& filter) {
    constexpr int doublings = 6;
    float reach = within / static_cast<float>(1 << doublings);
    for (int i = 0; i < doublings; ++i, reach *= 2.0f) {
        const NearestBody found = nearest_in_box(world, point, reach, filter);
        if (found) return found;
    }
    return nearest_in_box(world, point, within, filter);
}

}  // namespace detail
}  // namespace phys2d::inline PHYS2D_ABI

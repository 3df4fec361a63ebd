// SPDX-License-Identifier: MIT
// Which bodies drop through one-way sides, and until when?
#pragma once

#include <limits>

#include <phys2d/world/apart.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// From one body to another [m].
[[nodiscard]] inline Vec2 offset_between(const Bodies& bodies, std::int32_t a, std::int32_t b) {
    return bodies.positions[bodies.body_slot(b)] - bodies.positions[bodies.body_slot(a)];
}

/// Lets a body fall through the one-way sides of a collider.
inline void drop_through(WorldState& world, BodyId body, std::int32_t platform) {
    Bodies& bodies = world.bodies;
    bodies.for_each_of(body, [&](std::int32_t part) {
        world.dropped_through.insert(bodies.ids[part], bodies.ids[platform], true,
                                     offset_between(bodies, part, platform));
    });
    world.broad_phase.forget_pairs_of(bodies, body);
}

/// The same for all one-way colliders that it touches.
inline void drop_through(WorldState& world, BodyId body) {
    const Bodies& bodies = world.bodies;
    bodies.for_each_of(body, [&](std::int32_t part) {
        const AABB box = expand(bounds(bodies.placed_shape(at(part))), world.contact_margin());
        world.broad_phase.find_near(bodies, box, world.nearby);
        for (const std::int32_t other : world.nearby) {
            const bool is_platform = bodies.is_one_way(other) && bodies.owners[other] != body;
            if (is_platform && !are_apart(world, part, other)) drop_through(world, body, other);
        }
    });
}

/// Boxes around a body's solid colliders and around their middles [m, world].
struct BodyBounds {
    AABB box, middles;

    /// How far the highest middle is above the lowest point [m]; `up` is an axis direction.
    [[nodiscard]] float height_of_middles(Vec2 up) const {
        const Vec2 reach = half_extents(box) + half_extents(middles);
        return dot(center(middles) - center(box), up) + dot(reach, abs(up));
    }
};
[[nodiscard]] inline BodyBounds bounds_of(const Bodies& bodies, BodyId body) {
    constexpr float endless = std::numeric_limits<float>::max();
    constexpr AABB nothing{{endless, endless}, {-endless, -endless}};
    BodyBounds found{nothing, nothing};
    bodies.for_each_of(body, [&](std::int32_t part) {
        if (!is_solid(bodies.colliders[part])) return;
        const Shape shape = bodies.placed_shape(at(part));
        found = {merge(found.box, bounds(shape)), merge(found.middles, shape.center)};
    });
    return found;
}

/// Whether a body rests on something that it does not drop through; `out` points up.
[[nodiscard]] inline bool rests_on_another(const WorldState& world, BodyId body, Vec2 out) {
    constexpr float least_rise = 0.5f;  // of the normal
    const BroadPhase& broad_phase = world.broad_phase;
    if (!broad_phase.has_lanes_of(world.contacts, world.bodies, body)) return false;
    bool any = false;
    world.bodies.for_each_of(body, [&](std::int32_t part) {
        const ColliderId id = world.bodies.ids[part];
        broad_phase.for_each_lane_of(world.bodies, id, [&](LanePlace place) {
            const auto [a, b] = broad_phase.ids_of(world.contacts, place);
            const float rise = dot(world.contacts.normal_at(place), b == id ? out : -out);
            const bool holds = has_lane(world.contacts.touching, place) && rise > least_rise;
            any = any || (holds && !world.dropped_through.contains(a, b));
        });
    });
    return any;
}

/// Whether a body no longer drops through a collider. `sunk`: its translation since it began.
[[nodiscard]] inline bool ends_drop(const WorldState& world, BodyId body, std::int32_t platform,
                                    Vec2 sunk) {
    const Vec2 out = direction_of(world.bodies.colliders[platform].one_way);
    const BodyBounds around = bounds_of(world.bodies, body);
    return dot(sunk, out) <= -around.height_of_middles(out) ||
           is_apart(world, around.box, platform) || rests_on_another(world, body, out);
}
/// The same for a pair, of which one is the platform.
[[nodiscard]] inline bool ends_drop(const WorldState& world, const IgnoredPair<ColliderId>& pair) {
    const Bodies& bodies = world.bodies;
    const std::int32_t a = bodies.slots.slot_of(pair.a);
    const std::int32_t b = bodies.slots.slot_of(pair.b);
    const Vec2 sunk = offset_between(bodies, a, b) - pair.offset;
    if (bodies.is_one_way(b)) return ends_drop(world, bodies.owners[a], b, -sunk);
    return !bodies.is_one_way(a) || ends_drop(world, bodies.owners[b], a, sunk);
}

/// Ends the drops for which test(pair) is true.
template <class Test>
void end_drops_if(WorldState& world, Test test) {
    world.dropped_through.remove_if([&](const IgnoredPair<ColliderId>& pair) {
        if (!test(pair)) return false;
        const Bodies& bodies = world.bodies;
        forget_pair(world, bodies.owners[bodies.slots.slot_of(pair.a)],
                    bodies.owners[bodies.slots.slot_of(pair.b)]);
        return true;
    });
}

/// Ends what a body drops through, and what drops through it, before it is teleported.
inline void forget_drops(WorldState& world, BodyId body) {
    const Bodies& bodies = world.bodies;
    const auto is_of_body = [&](ColliderId collider) {
        return bodies.owners[bodies.slots.slot_of(collider)] == body;
    };
    end_drops_if(world, [&](const IgnoredPair<ColliderId>& pair) {
        return is_of_body(pair.a) || is_of_body(pair.b);
    });
}

/// To be called before the pairs of a step are found.
inline void end_drops(WorldState& world) {
    end_drops_if(world,
                 [&](const IgnoredPair<ColliderId>& pair) { return ends_drop(world, pair); });
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

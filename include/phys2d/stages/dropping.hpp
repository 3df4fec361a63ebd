// SPDX-License-Identifier: MIT
// Which bodies drop through one-way sides, and until when?
#pragma once

#include <phys2d/stages/apart.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// From one body to another [m].
[[nodiscard]] inline Vec2 offset_between(const Bodies& bodies, std::int32_t a, std::int32_t b) {
    return bodies.positions[bodies.body_slot(b)] - bodies.positions[bodies.body_slot(a)];
}

/// Whether a body drops through a collider.
[[nodiscard]] inline bool drops_through(const WorldState& world, BodyId body,
                                        std::int32_t platform) {
    return world.dropped_through.contains(first_collider(body), world.bodies.ids[platform]);
}

/// Lets a body fall through the one-way sides of a collider; `moved` is its translation since it
/// began to drop, relative to the collider.
inline void drop_through(WorldState& world, BodyId body, std::int32_t platform, Vec2 moved = {}) {
    Bodies& bodies = world.bodies;
    bodies.for_each_of(body, [&](std::int32_t part) {
        world.dropped_through.insert(bodies.ids[part], bodies.ids[platform], true,
                                     offset_between(bodies, part, platform) + moved);
    });
    world.broad_phase.forget_pairs_of(bodies, body);
}

/// The same for all one-way colliders that it touches.
inline void drop_through(WorldState& world, BodyId body) {
    const Bodies& bodies = world.bodies;
    world.broad_phase.sort_news_at_times(bodies);
    bodies.for_each_of(body, [&](std::int32_t part) {
        const AABB box = expand(bounds(bodies.placed_shape(part)), world.contact_margin());
        const auto may_hold = [&](std::int32_t other) {
            const BodyId owner = bodies.owners[other];
            return bodies.is_one_way(other) && owner != body &&
                   !world.ignored.contains(body, owner) && !drops_through(world, body, other);
        };
        world.broad_phase.for_each_near(bodies, box, may_hold, [&](std::int32_t other) {
            if (!are_apart(world, part, other)) drop_through(world, body, other);
        });
    });
}

/// Boxes around a body's colliders but sensors, and around their middles [m, world].
struct BodyBounds {
    AABB box, middles;

    /// How far the highest middle is above the lowest point [m]; `up` is an axis direction.
    [[nodiscard]] float height_of_middles(Vec2 up) const {
        const Vec2 reach = half_extents(box) + half_extents(middles);
        return dot(center(middles) - center(box), up) + dot(reach, abs(up));
    }
};
[[nodiscard]] inline BodyBounds bounds_of(const Bodies& bodies, BodyId body) {
    BodyBounds found{no_box, no_box};
    bodies.for_each_of(body, [&](std::int32_t part) {
        if (bodies.colliders[part].is_sensor) return;
        const Shape shape = bodies.placed_shape(part);
        found = {merge(found.box, bounds(shape)), merge(found.middles, shape.center)};
    });
    return found;
}

/// Whether a body rests on something near that it does not drop through; `out` points up.
[[nodiscard]] inline bool rests_on_another(const WorldState& world, BodyId body, Vec2 out) {
    constexpr float least_rise = 0.5f;  // of the normal
    const Bodies& bodies = world.bodies;
    const BroadPhase& broad_phase = world.broad_phase;
    if (!broad_phase.has_lanes_of(world.contacts, body)) return false;
    const auto holds = [&](ColliderId a, ColliderId b) {
        const std::int32_t slot_a = bodies.slots.slot_of(a);
        const std::int32_t slot_b = bodies.slots.slot_of(b);
        return slot_a != SlotMap::no_slot && slot_b != SlotMap::no_slot &&
               !world.dropped_through.contains(a, b) && !are_apart(world, slot_a, slot_b);
    };
    return bodies.any_of(body, [&](std::int32_t part) {
        const ColliderId id = bodies.ids[part];
        return broad_phase.any_lane_of(id, [&](LanePlace place) {
            const auto [a, b] = broad_phase.ids_of(world.contacts, place);
            const float rise = dot(world.contacts.normal_at(place), b == id ? out : -out);
            const bool bears = has_lane(world.contacts.touching, place) && rise > least_rise;
            return bears && holds(a, b);
        });
    });
}

/// The drop of a pair, of which one is the platform: of two one-way colliders that of the body that
/// is not dynamic.
[[nodiscard]] inline Drop drop_of(const Bodies& bodies, const IgnoredPair<ColliderId>& pair) {
    const std::int32_t a = bodies.slots.slot_of(pair.a);
    const std::int32_t b = bodies.slots.slot_of(pair.b);
    const Vec2 moved = pair.offset - offset_between(bodies, a, b);
    const bool may_be_a = bodies.is_one_way(a) && bodies.types[b] == BodyType::Dynamic;
    if (bodies.is_one_way(b) && !may_be_a) return {bodies.owners[a], b, moved};
    return {bodies.owners[b], a, -moved};
}

[[nodiscard]] inline Vec2 direction_of(const Bodies& bodies, const Drop& drop) {
    return direction_of(bodies.colliders[drop.platform].one_way);
}

[[nodiscard]] inline bool is_over(const WorldState& world, const Drop& drop) {
    const Vec2 out = direction_of(world.bodies, drop);
    if (out == Vec2{}) return true;
    const BodyBounds around = bounds_of(world.bodies, drop.body);
    return dot(drop.moved, out) <= -around.height_of_middles(out) ||
           is_apart(world, around.box, drop.platform) || rests_on_another(world, drop.body, out);
}

/// The side of a box in an axis direction.
[[nodiscard]] inline AABB side_of(const AABB& box, Vec2 direction) {
    const Vec2 half = half_extents(box);
    return aabb_around(center(box) + half * direction, half * abs(perpendicular(direction)));
}

/// Where a body would have its feet in this step if it had not begun to drop.
[[nodiscard]] inline AABB ground_of(const WorldState& world, const Drop& drop) {
    const Bodies& bodies = world.bodies;
    const Vec2 out = direction_of(bodies, drop);
    const Vec2 velocity = bodies.velocity(bodies.slots.slot_of(drop.body)) -
                          bodies.velocity(bodies.body_slot(drop.platform));
    const Vec2 way = project(velocity * world.config.time_step, perpendicular(out));
    const Vec2 sunk = out * max(-dot(drop.moved, out), 0.0f);
    const AABB feet = translate(side_of(bounds_of(bodies, drop.body).box, -out), sunk);
    return expand(box_along(feet, way), world.contact_margin());
}

/// Whether some of the one-way side of a collider is in a box.
[[nodiscard]] inline bool has_side_in(const Bodies& bodies, std::int32_t collider,
                                      const AABB& box) {
    const Vec2 out = direction_of(bodies.colliders[collider].one_way);
    if (bodies.has_shape(collider)) {
        return overlaps(side_of(bounds(bodies.placed_shape(collider)), out), box);
    }
    return any_placed_face(bodies, collider, box, [&](const Face& face, std::int32_t owner) {
        return owner == collider && dot(face.normal, out) > 0.0f;
    });
}

/// Lists the drops: one for colliders of a body that follow each other in the list of pairs.
inline void list_drops(WorldState& world) {
    world.drops.clear();
    world.dropped_through.for_each([&](const IgnoredPair<ColliderId>& pair) {
        const Drop drop = drop_of(world.bodies, pair);
        if (world.drops.empty() || world.drops.back() != drop) world.drops.push_back(drop);
    });
}

/// Lets the colliders that a body gets while it drops drop along.
inline void join_drops(WorldState& world, BodyId body) {
    if (!world.dropped_through.may_have(first_collider(body))) return;
    list_drops(world);
    for (const Drop& drop : world.drops) {
        if (drop.body == body) drop_through(world, body, drop.platform, drop.moved);
    }
}

/// Lets bodies drop through what continues the ground through which they drop already.
inline void continue_drops(WorldState& world) {
    const Bodies& bodies = world.bodies;
    list_drops(world);
    for (const Drop& drop : world.drops) {
        const AABB ground = ground_of(world, drop);
        const OneWay side = bodies.colliders[drop.platform].one_way;
        const auto may_go_on = [&](std::int32_t slot) {
            return bodies.colliders[slot].one_way == side && bodies.owners[slot] != drop.body &&
                   !drops_through(world, drop.body, slot);
        };
        world.broad_phase.for_each_near(bodies, ground, may_go_on, [&](std::int32_t other) {
            if (has_side_in(bodies, other, ground)) {
                drop_through(world, drop.body, other, drop.moved);
            }
        });
    }
}

/// Ends the drops for which test(pair) is true.
void end_drops_if(WorldState& world, auto test) {
    world.dropped_through.remove_if([&](const IgnoredPair<ColliderId>& pair) {
        if (!test(pair)) return false;
        forget_pair(world, world.bodies.owner_of(pair.a), world.bodies.owner_of(pair.b));
        return true;
    });
}

/// Ends what a body drops through, and what drops through it, before it is teleported.
inline void forget_drops(WorldState& world, BodyId body) {
    const bool may_have_any = world.bodies.any_of(body, [&](std::int32_t slot) {
        return world.dropped_through.may_have(world.bodies.ids[slot]);
    });
    if (!may_have_any) return;
    end_drops_if(world, [&](const IgnoredPair<ColliderId>& pair) {
        return world.bodies.owner_of(pair.a) == body || world.bodies.owner_of(pair.b) == body;
    });
}

/// Ends the drops that are over. Asks once for colliders of a body that follow each other.
inline void end_drops(WorldState& world) {
    Drop last;
    bool ends = false;
    end_drops_if(world, [&](const IgnoredPair<ColliderId>& pair) {
        const Drop drop = drop_of(world.bodies, pair);
        if (drop != last) ends = is_over(world, drop);
        last = drop;
        return ends;
    });
}

/// To be called before the pairs of a step are found.
inline void update_drops(WorldState& world) {
    if (world.dropped_through.empty()) return;
    end_drops(world);
    continue_drops(world);
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

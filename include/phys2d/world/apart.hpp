// SPDX-License-Identifier: MIT
// Which bodies are apart, or have passed each other, so that they no longer ignore each other?
#pragma once

#include <phys2d/world/world_state.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Whether two colliders are apart; colliders that cannot touch count as apart.
[[nodiscard]] inline bool are_apart(const WorldState& world, std::int32_t a, std::int32_t b) {
    const Bodies& bodies = world.bodies;
    if (!bodies.may_touch(at(a), at(b))) return true;
    const bool is_terrain_b = !bodies.is_plain(b);
    if (is_terrain_b || !bodies.is_plain(a)) {
        Shape shape = bodies.placed_shape(at(is_terrain_b ? a : b));
        shape.radius += world.contact_margin();
        return !overlaps(bodies, is_terrain_b ? b : a, shape);
    }
    const Manifold manifold =
        collide(world.bodies.placed_shape(at(a)), world.bodies.placed_shape(at(b)));
    return -manifold.penetration > world.contact_margin();
}

/// Whether all colliders of two bodies are apart from each other.
[[nodiscard]] inline bool are_apart(const WorldState& world, BodyId a, BodyId b) {
    bool all = true;
    world.bodies.for_each_of(a, [&](std::int32_t slot_a) {
        world.bodies.for_each_of(
            b, [&](std::int32_t slot_b) { all = all && are_apart(world, slot_a, slot_b); });
    });
    return all;
}

/// From one body to another, by colliders of them [m].
[[nodiscard]] inline Vec2 offset_between(const Bodies& bodies, BodyId a, BodyId b) {
    const auto position = [&](BodyId collider) {
        const BodyId owner = bodies.owners[at(bodies.slots.slot_of(collider))];
        return bodies.positions[at(bodies.slots.slot_of(owner))];
    };
    return position(b) - position(a);
}

/// Whether a collider rests on something that it does not drop through; `out` points up.
[[nodiscard]] inline bool rests_on_another(const WorldState& world, BodyId collider, Vec2 out) {
    constexpr float least_rise = 0.5f;  // of the normal
    if (!world.broad_phase.has_lanes_of(world.contacts, world.bodies, collider)) return false;
    bool any = false;
    world.broad_phase.for_each_lane_of(world.bodies, collider, [&](LanePlace place) {
        const PairBlock& pairs = world.contacts.pairs[at(place.block)];
        const BodyId a = world.broad_phase.id_in_pairs(pairs.a[place.lane]);
        const BodyId b = world.broad_phase.id_in_pairs(pairs.b[place.lane]);
        const float rise =
            dot(world.contacts.normal_at(place), out) * (b == collider ? 1.0f : -1.0f);
        const bool holds = has_lane(world.contacts.touching, place) && rise > least_rise;
        any = any || (holds && !world.dropped_through.contains(a, b));
    });
    return any;
}

/// Whether a collider no longer drops through the one-way side of another: half of it has sunk in,
/// or it rests on something else. `sunk`: its translation since it began.
[[nodiscard]] inline bool ends_drop(const WorldState& world, BodyId platform, BodyId other,
                                    Vec2 sunk) {
    const Bodies& bodies = world.bodies;
    const Vec2 out = direction_of(bodies.colliders[at(bodies.slots.slot_of(platform))].one_way);
    if (out == Vec2{}) return false;
    const Shape& shape = bodies.shapes[at(bodies.slots.slot_of(other))];
    const float half = dot(outer_half_extents(shape), abs(out));
    return dot(sunk, out) <= -half || rests_on_another(world, other, out);
}

/// The same for a pair, whichever of the two drops.
[[nodiscard]] inline bool ends_drop(const WorldState& world, const IgnoredPair& pair) {
    const Vec2 sunk = offset_between(world.bodies, pair.a, pair.b) - pair.offset;
    return ends_drop(world, pair.a, pair.b, sunk) || ends_drop(world, pair.b, pair.a, -sunk);
}

/// To be called before the pairs of a step are found.
inline void forget_ignored_if_apart(WorldState& world) {
    const SlotMap& slots = world.bodies.slots;
    const bool any_body = world.ignored.remove_if([&](const IgnoredPair& pair) {
        return pair.until_apart && are_apart(world, pair.a, pair.b);
    });
    const bool any_collider = world.dropped_through.remove_if([&](const IgnoredPair& pair) {
        return are_apart(world, slots.slot_of(pair.a), slots.slot_of(pair.b)) ||
               ends_drop(world, pair);
    });
    if (any_body || any_collider) world.broad_phase.forget_pairs();
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// Which bodies are apart, so that they no longer ignore each other?
#pragma once

#include <phys2d/world/world_state.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Whether a shape [m, world] is more than `gap` away from a collider, or less than -`gap` inside.
[[nodiscard]] inline bool is_apart(const WorldState& world, Shape shape, std::int32_t collider,
                                   float gap) {
    const Bodies& bodies = world.bodies;
    if (bodies.has_shape(collider)) {
        return -collide(shape, bodies.placed_shape(collider)).penetration > gap;
    }
    if (gap < 0.0f) return !overlaps(bodies, collider, shrunk(shape, -gap));
    shape.radius += gap;
    return !overlaps(bodies, collider, shape);
}

/// Whether two colliders are that far apart; colliders that cannot touch count as apart, and so
/// does what is switched off.
[[nodiscard]] inline bool are_apart(const WorldState& world, std::int32_t a, std::int32_t b,
                                    float gap) {
    const Bodies& bodies = world.bodies;
    const bool are_there = bodies.is_enabled(a) && bodies.is_enabled(b);
    if (!are_there || !bodies.may_touch(a, b)) return true;
    return bodies.has_shape(a) ? is_apart(world, bodies.placed_shape(a), b, gap)
                               : is_apart(world, bodies.placed_shape(b), a, gap);
}
/// The same beyond the contact margin.
[[nodiscard]] inline bool are_apart(const WorldState& world, std::int32_t a, std::int32_t b) {
    return are_apart(world, a, b, world.contact_margin());
}

/// Whether all colliders of two bodies are that far apart from each other.
[[nodiscard]] inline bool are_apart(const WorldState& world, BodyId a, BodyId b, float gap) {
    bool all = true;
    world.bodies.for_each_of(a, [&](std::int32_t slot_a) {
        world.bodies.for_each_of(
            b, [&](std::int32_t slot_b) { all = all && are_apart(world, slot_a, slot_b, gap); });
    });
    return all;
}

/// Has the pairs of two bodies found again.
inline void forget_pair(WorldState& world, BodyId a, BodyId b) {
    Bodies& bodies = world.bodies;
    const bool a_responds = bodies.types[bodies.slots.slot_of(a)] == BodyType::Dynamic;
    world.broad_phase.forget_pairs_of(bodies, a_responds ? a : b);
}

/// To be called before the pairs of a step are found. What was inside is apart when it overlaps no
/// more, up to rounding; what only touched, when it is beyond the contact margin: it may be about
/// to pass through.
inline void forget_ignored_if_apart(WorldState& world) {
    const float inside = mul(-1e-3f, world.config.length_unit);
    world.ignored.remove_if([&](IgnoredPair<BodyId>& pair) {
        if (!pair.until_apart) return false;
        const bool is_out = are_apart(world, pair.a, pair.b, inside);
        pair.was_inside = pair.was_inside || !is_out;
        const bool is_apart =
            is_out && (pair.was_inside || are_apart(world, pair.a, pair.b, world.contact_margin()));
        if (!is_apart) return false;
        forget_pair(world, pair.a, pair.b);
        return true;
    });
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

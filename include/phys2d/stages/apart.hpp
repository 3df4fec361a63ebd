// SPDX-License-Identifier: MIT
// Which bodies are apart, so that they no longer ignore each other?
#pragma once

#include <phys2d/stages/world_state.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Whether a shape [m, world] is apart from a collider.
[[nodiscard]] inline bool is_apart(const WorldState& world, Shape shape, std::int32_t collider) {
    const Bodies& bodies = world.bodies;
    const float margin = world.contact_margin();
    if (bodies.has_shape(collider)) {
        return -collide(shape, bodies.placed_shape(collider)).penetration > margin;
    }
    shape.radius += margin;
    return !overlaps(bodies, collider, shape);
}

/// Whether two colliders are apart; colliders that cannot touch count as apart, and so does what is
/// switched off.
[[nodiscard]] inline bool are_apart(const WorldState& world, std::int32_t a, std::int32_t b) {
    const Bodies& bodies = world.bodies;
    const bool are_there = bodies.is_enabled(a) && bodies.is_enabled(b);
    if (!are_there || !bodies.may_touch(a, b)) return true;
    return bodies.has_shape(a) ? is_apart(world, bodies.placed_shape(a), b)
                               : is_apart(world, bodies.placed_shape(b), a);
}

/// Whether all colliders of two bodies are apart from each other.
[[nodiscard]] inline bool are_apart(const WorldState& world, BodyId a, BodyId b) {
    const Bodies& bodies = world.bodies;
    return !bodies.any_of(a, [&](std::int32_t slot_a) {
        return bodies.any_of(
            b, [&](std::int32_t slot_b) { return !are_apart(world, slot_a, slot_b); });
    });
}

/// Has the pairs of two bodies found again.
inline void forget_pair(WorldState& world, BodyId a, BodyId b) {
    Bodies& bodies = world.bodies;
    const bool a_responds = bodies.types[bodies.slots.slot_of(a)] == BodyType::Dynamic;
    world.broad_phase.forget_pairs_of(bodies, a_responds ? a : b);
}

/// To be called before the pairs of a step are found.
inline void forget_ignored_if_apart(WorldState& world) {
    world.ignored.remove_if([&](const IgnoredPair<BodyId>& pair) {
        if (!pair.until_apart || !are_apart(world, pair.a, pair.b)) return false;
        forget_pair(world, pair.a, pair.b);
        return true;
    });
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

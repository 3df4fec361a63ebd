// SPDX-License-Identifier: MIT
// Limbs: the further colliders of a body move as the body does.
//
// The solver moves bodies; their velocities and results are copied to their limbs before and after
// it.
#pragma once

#include <phys2d/stages/world_state.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// To be called before velocities are used for a step.
inline void hand_on_velocities(Bodies& bodies) {
    bodies.list_limbs();
    for (const auto [slot, body] : bodies.limbs) bodies.velocities[slot] = bodies.velocities[body];
}

/// To be called once the velocities that bodies gain in a step are known.
inline void hand_on_drive(WorldState& world) {
    for (const auto [slot, body] : world.bodies.limbs) {
        world.solver.drive[slot] = world.solver.drive[body];
        Array<simd::Record4>& motions = world.bodies.narrow.motions;
        motions[slot].z = motions[body].z;
        motions[slot].w = motions[body].w;
    }
}

/// To be called after the solver.
inline void hand_on_motion(WorldState& world) {
    for (const auto [slot, body] : world.bodies.limbs) {
        world.solver.state[slot] = world.solver.state[body];
    }
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

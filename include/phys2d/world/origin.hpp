// SPDX-License-Identifier: MIT
// Origin: how does a world get another origin?
#pragma once

#include <phys2d/stages/world_state.hpp>
#include <phys2d/world/checks.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

inline void require_in_reach(Vec2 place, Vec2 origin, const char* call) {
    const Vec2 seen = place - origin;
    require(is_finite(seen),
            "%s: what is at (%g, %g) comes to (%g, %g) by the origin (%g, %g), expected finite "
            "numbers",
            call, place.x, place.y, seen.x, seen.y, origin.x, origin.y);
}

/// Subtracts `origin` from all places [m].
inline void shift_origin(WorldState& world, Vec2 origin) {
    constexpr const char* call = "shift_origin";
    world.require_unlocked(call);
    require_finite(origin, call, "origin");
    Bodies& bodies = world.bodies;
    for (const Vec2 place : bodies.positions) require_in_reach(place, origin, call);
    for (const BodyTarget& target : world.targets) {
        require_in_reach(target.position, origin, call);
    }
    for (std::int32_t slot = 0; slot < bodies.size(); ++slot) {
        bodies.positions[slot] -= origin;
        bodies.previous_positions[slot] -= origin;
        bodies.refresh_narrow(slot);
    }
    for (const BodyTarget& target : world.targets) {
        world.targets.of(target.body).position -= origin;
    }
    world.broad_phase.shift(bodies, -origin);
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

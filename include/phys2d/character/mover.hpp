// SPDX-License-Identifier: MIT
// Mover: a character that goes where it is told, as far as the world lets it.
//
// It is a value beside the world, moved by one call a step: it slides along walls, climbs steps and slopes, stays on
// the ground downhill, rides platforms, pushes bodies, and knows what it stands on. What is around is asked of the
// world once; each stretch of the way is then cast exactly, so nothing is too fast and nothing catches at a seam. It
// keeps `skin` away from what it meets, so that rounding never decides whether it touches.
//   mover_state.hpp   what a Mover is                     mover_sight.hpp   what is around it, what it meets
//   mover_step.hpp    one move                            mover_ground.hpp  what it stands on
//   mover_way.hpp     how it goes along what it meets     mover_stops.hpp   what has stopped it
//   mover_yield.hpp   how it makes way                    mover_force.hpp   what it does to dynamic bodies
//   mover_ride.hpp    what takes it along
#pragma once

#include <phys2d/character/mover_step.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Of what is added up: sums stay numbers.
inline void require_moderate(float x, const char* call, const char* what) {
    constexpr float most = 1e30f;
    require(x >= 0.0f && x <= most, "%s: %s is %g, expected a number from 0 to %g", call, what, x,
            most);
}

inline void require_valid(const Mover& mover) {
    constexpr const char* call = "move";
    require_valid(mover.shape, call);
    require_finite(mover.position, call, "position");
    require_finite(mover.up, call, "up");
    require(abs(length_sq(mover.up) - 1.0f) < 1e-3f,
            "%s: up is (%g, %g), expected a vector of length 1", call, mover.up.x, mover.up.y);
    require(mover.steepest > 0.0f && mover.steepest <= 1.0f,
            "%s: steepest is %g, expected the cosine of an angle below 90 degrees", call,
            mover.steepest);
    require_moderate(mover.step_height, call, "step_height");
    require_moderate(mover.snap_distance, call, "snap_distance");
    require_moderate(mover.push_force, call, "push_force");
    require_positive(mover.skin, call, "skin");
    require_moderate(mover.edge_reach, call, "edge_reach");
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

namespace phys2d::inline PHYS2D_ABI {

/// Moves a character by velocity·dt [m/s, s] as far as the world lets it, and returns the velocity that is left: into
/// walls, ceilings and the ground it is 0. Say a velocity upwards to jump: it leaves the ground at once. On the ground
/// it walks: what of the velocity is level is its pace, uphill and downhill. Ground that is too steep is a wall: it
/// gives no way up, and what falls slides down on it. Call it once for each step of the world, before or after it; what
/// it stands on takes it along exactly, but not to where it was teleported further than the mover snaps. What is
/// kinematic pushes it. Dynamic bodies it pushes, and holds when they come to it, both in the step that comes and with
/// `push_force`; what that cannot bring to rest shoves it. It is no body itself: nothing dynamic stops at it but by that
/// force, and conveyors take it along only if you add their surface velocity to yours. A velocity that is not finite,
/// dt <= 0 and a mover whose members make no sense are errors.
///
///   velocity = move(world, hero, {speed, hero.ground.is_grounded ? 0 : velocity.y - 9.81f * dt}, dt);
inline Vec2 move(World& world, Mover& mover, Vec2 velocity, float dt) {
    detail::require_valid(mover);
    detail::require_finite(velocity, "move", "velocity");
    detail::require_positive(dt, "move", "dt");
    detail::require_moderate(length(velocity * dt), "move", "the length of velocity * dt");
    return detail::MoverStep(world, mover, velocity, dt).run();
}

}  // namespace phys2d::inline PHYS2D_ABI

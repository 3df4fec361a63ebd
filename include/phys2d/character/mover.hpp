// SPDX-License-Identifier: MIT
// Mover: a character controller that moves as far as the world allows.
//
// A mover is a value beside the world, moved by one call per step. It slides along walls, climbs
// steps and slopes, stays on the ground downhill, rides platforms, pushes bodies, and knows what it
// stands on. A move first lists the surfaces nearby, then casts each stretch of its path against
// them exactly, so it is never too fast and never catches at a seam. It keeps a gap of `skin` to
// every surface, so that rounding never decides whether they touch.
//   mover_state.hpp   the Mover itself                   mover_sight.hpp   surfaces nearby, hits
//   mover_step.hpp    one move                           mover_ground.hpp  ground, and riding on it
//   mover_way.hpp     sliding, climbing steps            mover_stops.hpp   surfaces that stopped it
//   mover_footing.hpp which surfaces are ground          mover_force.hpp   pushing dynamic bodies
//   mover_yield.hpp   making way for others              mover_drop.hpp    dropping through ground
//   mover_gap.hpp     gaps as wide as it is
#pragma once

#include <initializer_list>

#include <phys2d/character/mover_step.hpp>
#include <phys2d/world/checks.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

inline void require_valid(const Mover& mover) {
    constexpr const char* call = "move";
    require_valid(mover.shape, call);
    require_moderate(mover.shape.center, call, "the shape's center");
    require_moderate(outer_half_extents(mover.shape), call, "half the shape's size");
    require_moderate(mover.position, call, "position");
    require_finite(mover.last_way, call, "last_way");
    require_finite(mover.last_position, call, "last_position");
    require_finite(mover.last_shape.center, call, "last_shape.center");
    require_finite(mover.last_shape.half_extents, call, "last_shape.half_extents");
    require_finite(mover.last_shape.radius, call, "last_shape.radius");
    require_finite(mover.rounding, call, "rounding");
    require_finite(mover.platform_position, call, "platform_position");
    require_finite(mover.ground.normal, call, "ground.normal");
    require_finite(mover.up, call, "up");
    require(mover.up == Vec2{} || abs(length_sq(mover.up) - 1.0f) < 1e-3f,
            "%s: up is (%g, %g), expected a vector of length 1, or of 0 if seen from above", call,
            mover.up.x, mover.up.y);
    require_moderate(mover.max_slope, call, "max_slope");
    require_moderate(mover.step_height, call, "step_height");
    require_moderate(mover.snap_distance, call, "snap_distance");
    require_moderate(mover.push_force, call, "push_force");
    require_positive(mover.skin, call, "skin");
    require_moderate(mover.edge_reach, call, "edge_reach");
}

[[nodiscard]] constexpr Shape scale(Shape shape, float factor) {
    shape.half_extents *= factor;
    shape.radius = mul(shape.radius, factor);
    shape.center *= factor;
    return shape;
}

/// `phys2d::move`. A template so that it can be compiled once.
template <int Width>
Vec2 move(World& world, Mover& mover, Vec2 velocity, float dt) {
    require_valid(mover);
    require_finite(velocity, "move", "velocity");
    require_positive(dt, "move", "dt");
    require_moderate(length(velocity * dt), "move", "the length of velocity * dt");
    world.index_changes_for("move");
    return MoverStep(world, mover, velocity, dt).run();
}
PHYS2D_COMPILED_ONCE(Vec2 move<PHYS2D_LANES>(World&, Mover&, Vec2, float));

}  // namespace phys2d::inline PHYS2D_ABI::detail

namespace phys2d::inline PHYS2D_ABI {

/// A mover given in metres, seconds and kilograms, converted for a world with a length unit: all
/// its lengths and velocities times `length_unit`. `push_force` is multiplied by the cube, because
/// masses of the same density grow with the square; with masses of your own that stay the same, set
/// it to newtons * length_unit afterwards. Velocities for `move` are in your units.
/// Errors: length_unit not from 1e-30 to 1e30.
///
///   Mover hero = scaled({.shape = Capsule{0.5f, 0.3f}, .position = {2, 3}}, 16);  // of 16 pixels
[[nodiscard]] inline Mover scaled(const Mover& mover, float length_unit) {
    detail::require_positive(length_unit, "scaled", "length_unit");
    Mover result = mover;
    result.shape = detail::scale(mover.shape, length_unit);
    result.last_shape = detail::scale(mover.last_shape, length_unit);
    result.push_force = mul(mover.push_force, mul(square(length_unit), length_unit));
    for (Vec2* v : {&result.position, &result.last_way, &result.last_position, &result.rounding,
                    &result.platform_position, &result.ground.platform_velocity,
                    &result.wall.velocity, &result.ceiling.velocity, &result.drop.position}) {
        *v *= length_unit;
    }
    for (float* length :
         {&result.step_height, &result.snap_distance, &result.skin, &result.edge_reach,
          &result.ground.distance_to_edge, &result.crush.depth}) {
        *length = mul(*length, length_unit);
    }
    return result;
}

/// Moves a character by velocity * dt [m/s, s] as far as the world allows, and returns the
/// remaining velocity: components into walls, ceilings and the ground are removed, except for the
/// part with which it follows a wall, a crate or a ceiling that recedes. In the air the first
/// kinematic body that it meets in a move lends it its velocity, whether it recedes or comes:
/// components are removed from the velocity relative to that body, so that jumps in a ship that
/// sails are those in one at rest. Others that push it lend it theirs as far as they come to it. On
/// the ground it walks along the surface, uphill and downhill, as fast as the velocity is
/// horizontally: at 45° it gets ahead by 0.7 of that. An upward velocity jumps. Slopes steeper than
/// `max_slope` act as walls: it cannot climb them, and falling it slides down them, if the next
/// call is given the velocity that this one returned.
///
/// Call it once after each world step, as in the `after_step` of `World::advance`: its platform
/// carries it exactly then. Called before the step, it lags by what the platform moves in that
/// step. Who stands still for some steps, as in a hit-stop, need not be moved: the next call makes
/// up for the way of the platform. One that is teleported leaves it behind, if by more than the
/// snap distance for each step since the last call. It rides conveyors, too. On the ground, and in
/// the move that leaves it, velocities are relative to the platform or the belt; in the air they
/// are absolute. When it jumps or walks off either, add `ground.platform_velocity` from before that
/// move to the velocity that the move returns. When it lands, what the move returns across `up` is
/// still absolute: subtract that part of `ground.platform_velocity`, or it walks on over the
/// platform as fast as that moves.
///
/// A chain lets a mover pass from behind until its centre is in front, and then puts it out at
/// once: make platforms of chains one-way.
///
/// Kinematic bodies push the mover. It pushes dynamic bodies, and stops those that come to it, with
/// at most `push_force`, in the next step; a body that this force cannot stop pushes the mover.
/// What it stands on it does not push: it walks at the wall of a cart, and that stays. A mover is
/// not a body: dynamic bodies collide with it only through that force, and sensors do not see it.
/// To pick up coins, call `World::for_each_overlap` with its shape at its position and `sensors` in
/// the filter. To be seen it needs a kinematic sensor that follows it by `move_to` after each move,
/// which sensors that see sensors see a step later and however fast; name that in `filter.except`.
/// What the mover itself stops at, or pushes ahead of it, stays outside of that: read `wall`,
/// `ceiling` and `ground`, or leave it out of the mover's filter. When the mover is teleported,
/// teleport it too: `move_to` sweeps over all that is in between. Characters whose bodies are solid
/// push each other to and fro if they walk into each other while their bodies lag a step behind:
/// `teleport` these after each move instead, and they stop; then movers still ride on them, but
/// dynamic bodies do not. A rider whose body is solid below stops the mover under it on a lift that
/// rises: give such bodies three one-way colliders of one shape, for the top and both sides, and
/// move each one before its riders. A mover sees bodies where the step has brought them: what moves
/// further in it than about half of the mover's width may pass through.
///
/// Errors: non-finite velocity, dt not from 1e-30 to 1e30, velocity * dt longer than 1e30, invalid
/// members of the mover.
///
///   const float fall = hero.ground.is_grounded ? 0 : velocity.y - 9.81f * dt;
///   velocity = move(world, hero, {speed, fall}, dt);
inline Vec2 move(World& world, Mover& mover, Vec2 velocity, float dt) {
    return detail::move<PHYS2D_LANES>(world, mover, velocity, dt);
}

}  // namespace phys2d::inline PHYS2D_ABI

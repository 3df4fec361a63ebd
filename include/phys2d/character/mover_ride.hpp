// SPDX-License-Identifier: MIT
// MoverRide: how does a platform or a conveyor carry a mover, and how does it fall away when the
// mover drops through it?
#pragma once

#include <phys2d/character/mover_sight.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The motion of the ground of a mover.
struct MoverRide {
    Vec2 way{};       ///< translation of the platform since the last move [m]
    Vec2 velocity{};  ///< of the platform in the last step [m/s]
    Vec2 belt{};      ///< of the ground along itself, if it is a conveyor [m/s]
};

/// The number of steps since the last move; one if the world is an earlier state of that.
[[nodiscard]] inline float steps_since_move(const World& world, const Mover& mover) {
    const std::uint64_t now = world.step_count();
    return now < mover.platform_step ? 1.0f : static_cast<float>(now - mover.platform_step);
}

/// How the ground carries a mover in this move; zero in the air, and if the platform was
/// teleported, switched off or destroyed.
[[nodiscard]] inline MoverRide ride_on_platform(const World& world, const Mover& mover) {
    const GroundState& ground = mover.ground;
    if (!ground.is_grounded || !world.contains(ground.platform)) return {};
    const ConstBodyRef platform = world.body(ground.platform);
    if (!platform.is_enabled()) return {};
    const float step = world.config().time_step;
    const Vec2 way = platform.position() - mover.platform_position;
    const Vec2 last = last_shift(platform);
    const float steps = steps_since_move(world, mover);
    if (distance(way, last * steps) > mul(snap_reach(mover), max(steps, 1.0f))) return {};
    const bool is_there = world.contains(ground.collider);
    const Vec2 belt = is_there ? belt_velocity(world, ground.collider, ground.normal) : Vec2{};
    return {way, last / step, belt};
}

/// How fast the ground falls away below a mover that walks downhill [m/s]. A mover that drops
/// through it and falls more slowly would land on it again.
[[nodiscard]] constexpr Vec2 fall_of_ground(const Mover& mover, Vec2 velocity) {
    const GroundState& ground = mover.ground;
    if (!ground.is_grounded) return {};
    const Vec2 level = project(velocity, perpendicular(mover.up));
    const float speed = dot(level, ground.normal) / dot(ground.normal, mover.up);
    return mover.up * -max(speed, 0.0f);
}
/// How fast the platform sinks [m/s].
[[nodiscard]] constexpr Vec2 sinking(const Mover& mover, const MoverRide& ride) {
    return mover.up * min(dot(ride.velocity, mover.up), 0.0f);
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

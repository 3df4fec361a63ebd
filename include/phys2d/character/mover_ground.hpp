// SPDX-License-Identifier: MIT
// The ground of a mover: what does it stand on, how far does that extend, and how does it move the
// mover?
//
// Ground is made of many surfaces: it continues where the next one begins near the end of the last.
#pragma once

#include <utility>

#include <phys2d/character/mover_sight.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The end, in a direction, of the top of a surface.
[[nodiscard]] inline Vec2 end_of_top(const Mover& mover, const Surface& surface, Vec2 direction) {
    if (surface.is_face()) return end_towards(surface.segment(), direction);
    const Shape& shape = surface.shape();
    return top_of(shape, mover.up) + direction * dot(shape.half_extents, abs(direction));
}

/// Whether the top of a surface is ground.
[[nodiscard]] inline bool has_ground(const Mover& mover, const Surface& surface) {
    if (!surface.is_face()) return true;
    const auto [from, to] = surface.segment();
    return is_ground(mover, edge_normal(edge_direction(from, to)));
}

/// The widest gap in the ground that a mover does not notice [m].
[[nodiscard]] constexpr float missed_gap(const Mover& mover) {
    const Vec2 outer = outer_half_extents(mover.shape);
    return mul(0.05f, max(outer.x, outer.y));
}

/// Moves the end of the ground in a direction to the end of a surface that begins there, or begins
/// before and passes there; false if it does neither.
inline bool go_on_along(Vec2& end, const Mover& mover, const Surface& next, Vec2 direction) {
    const float gap = missed_gap(mover);
    const Vec2 ends = end_of_top(mover, next, direction);
    const float ahead = dot(ends - end, direction);
    if (ahead <= gap || !has_ground(mover, next)) return false;
    const Vec2 begins = end_of_top(mover, next, -direction);
    const float behind = max(dot(end - begins, direction), 0.0f);
    const Vec2 beside = lerp(begins, ends, behind / (behind + ahead));
    const bool goes_on = distance_sq(beside, end) <= square(gap);
    if (goes_on) end = ends;
    return goes_on;
}

/// How far the ground extends in a direction from the centre of a mover that stands on a surface,
/// followed from surface to surface [m]. Ground that slopes may leave what the mover has listed
/// around itself, which is flat: where it does, it is followed in the world. Of a side that is too
/// steep, on whose end it stands, that end alone is ground.
[[nodiscard]] inline float extent_of_ground(const World& world, const Mover& mover,
                                            const MoverSight& sight, const MoverHit& below,
                                            Vec2 direction) {
    Vec2 end = has_ground(mover, *below.surface) ? end_of_top(mover, *below.surface, direction)
                                                 : below.cast.point;
    bool goes_on = true;
    const auto follow = [&](const Surface& next) {
        goes_on = go_on_along(end, mover, next, direction) || goes_on;
    };
    while (std::exchange(goes_on, false)) {
        for (const Surface& next : mover.surroundings) follow(next);
    }
    const auto extent = [&] { return dot(end - placed_shape(mover).center, direction); };
    goes_on = !sight.has_listed_around(end, missed_gap(mover));
    while (extent() < mover.edge_reach && std::exchange(goes_on, false)) {
        world.for_each_surface(expand(AABB{end, end}, missed_gap(mover)), follow, mover.filter);
    }
    return max(extent(), 0.0f);
}

/// The ground that a mover has landed on; `mover.ground` still describes the one before the move.
[[nodiscard]] inline GroundState ground_on(const World& world, const Mover& mover,
                                           const MoverSight& sight, const MoverHit& below) {
    const GroundState& before = mover.ground;
    const Vec2 normal = below.cast.normal;
    const ColliderId collider = below.surface->collider;
    const Vec2 along = perpendicular(mover.up);
    const float ahead = extent_of_ground(world, mover, sight, below, along);
    const float behind = extent_of_ground(world, mover, sight, below, -along);
    const Vec2 to_edge = ahead < behind ? along : -along;
    const float distance = min(ahead, behind);
    return {.is_grounded = true,
            .normal = normal,
            .platform = below.surface->body,
            .collider = collider,
            .platform_velocity =
                sight.velocity_of(*below.surface) + belt_velocity(world, collider, normal),
            .steps_since_grounded = 0,
            .steps_since_landed = before.is_grounded ? before.steps_since_landed + 1 : 0,
            .distance_to_edge = min(distance, mover.edge_reach),
            .edge_direction = distance > mover.edge_reach ? Vec2{} : to_edge};
}

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

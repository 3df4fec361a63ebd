// SPDX-License-Identifier: MIT
// The ground of a mover: what does it stand on, and how far does that extend?
//
// Ground is made of many surfaces: it continues where the next one begins near the end of the last.
#pragma once

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

/// Moves the end of the ground in a direction to the end of a surface that begins there; false if
/// there is none.
inline bool go_on_from(Vec2& end, const Mover& mover, Vec2 direction) {
    constexpr float gap_it_misses = 0.05f;  // of its width
    const Vec2 outer = outer_half_extents(mover.shape);
    const float gap = mul(gap_it_misses, max(outer.x, outer.y));
    bool goes_on = false;
    for (const Surface& next : mover.surroundings) {
        const Vec2 begins = end_of_top(mover, next, -direction);
        const Vec2 ends = end_of_top(mover, next, direction);
        const bool continues = distance_sq(begins, end) <= square(gap) && has_ground(mover, next) &&
                               dot(ends - end, direction) > gap;
        if (!continues) continue;
        end = ends;
        goes_on = true;
    }
    return goes_on;
}

/// How far the ground extends in a direction from the centre of a mover that stands on a surface,
/// followed from surface to surface [m].
[[nodiscard]] inline float extent_of_ground(const Mover& mover, const Surface& below,
                                            Vec2 direction) {
    Vec2 end = end_of_top(mover, below, direction);
    while (go_on_from(end, mover, direction)) {}
    return max(dot(end - placed_shape(mover).center, direction), 0.0f);
}

/// The ground that a mover has landed on; `mover.ground` still describes the one before the move.
[[nodiscard]] inline GroundState ground_on(const World& world, const Mover& mover,
                                           const MoverHit& below) {
    const GroundState& before = mover.ground;
    const Vec2 normal = below.cast.normal;
    const ConstBodyRef platform = world.body(below.surface->body);
    const ColliderId collider = below.surface->collider;
    const Vec2 along = perpendicular(mover.up);
    const float ahead = extent_of_ground(mover, *below.surface, along);
    const float behind = extent_of_ground(mover, *below.surface, -along);
    const Vec2 to_edge = ahead < behind ? along : -along;
    const float distance = min(ahead, behind);
    return {.is_grounded = true,
            .normal = normal,
            .platform = platform.id(),
            .collider = collider,
            .platform_velocity = velocity_of(platform, world.config().time_step) +
                                 belt_velocity(world, collider, normal),
            .steps_since_grounded = 0,
            .steps_since_landed = before.is_grounded ? before.steps_since_landed + 1 : 0,
            .distance_to_edge = min(distance, mover.edge_reach),
            .edge_direction = distance > mover.edge_reach ? Vec2{} : to_edge};
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

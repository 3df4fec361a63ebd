// SPDX-License-Identifier: MIT
// MoverGround: what does a mover stand on, and how far does that ground extend?
//
// Ground is made of many surfaces: it continues where the next one begins near the end of the last.
#pragma once

#include <phys2d/character/mover_sight.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The ground that a mover has landed on; `mover.ground` still describes the one before the move.
class MoverGround {
public:
    MoverGround(const World& world, const Mover& mover, const MoverHit& below)
        : mover_(mover),
          below_(below),
          platform_(world.body(below.surface->body)),
          belt_(belt_velocity(world, below.surface->collider, below.cast.normal)) {}

    [[nodiscard]] GroundState state(float time_step) const {
        const GroundState& before = mover_.ground;
        const Edge edge = nearer_edge();
        return {.is_grounded = true,
                .normal = below_.cast.normal,
                .platform = platform_.id(),
                .collider = below_.surface->collider,
                .platform_velocity = velocity_of(platform_, time_step) + belt_,
                .steps_since_grounded = 0,
                .steps_since_landed = before.is_grounded ? before.steps_since_landed + 1 : 0,
                .distance_to_edge = edge.distance,
                .edge_direction = edge.direction};
    }
    [[nodiscard]] Vec2 platform_position() const { return platform_.position(); }

private:
    /// The nearer end of the ground, seen from the centre of the mover.
    struct Edge {
        float distance;  ///< [m]
        Vec2 direction;
    };
    [[nodiscard]] Edge nearer_edge() const {
        const Vec2 along = perpendicular(mover_.up);
        const float ahead = reach(along);
        const float behind = reach(-along);
        const float distance = min(ahead, behind);
        if (distance > mover_.edge_reach) return {mover_.edge_reach, {}};
        return {distance, ahead < behind ? along : -along};
    }

    /// Follows the ground from surface to surface in a direction; returns how far it extends [m].
    [[nodiscard]] float reach(Vec2 direction) const {
        Vec2 end = end_of(*below_.surface, direction);
        while (go_on(end, direction)) {}
        return max(dot(end - placed_shape(mover_).center, direction), 0.0f);
    }
    /// Moves the end of the ground to the end of a surface that begins there; false if there is
    /// none.
    bool go_on(Vec2& end, Vec2 direction) const {
        constexpr float gap_it_misses = 0.05f;  // of its width
        const Vec2 outer = outer_half_extents(mover_.shape);
        const float gap = mul(gap_it_misses, max(outer.x, outer.y));
        bool goes_on = false;
        for (const Surface& next : mover_.surroundings) {
            const Vec2 begins = end_of(next, -direction);
            const Vec2 ends = end_of(next, direction);
            const bool continues = distance_sq(begins, end) <= square(gap) && is_level(next) &&
                                   dot(ends - end, direction) > gap;
            if (!continues) continue;
            end = ends;
            goes_on = true;
        }
        return goes_on;
    }
    [[nodiscard]] bool is_level(const Surface& surface) const {
        if (!surface.is_face()) return true;
        const auto [from, to] = surface.segment();
        return is_ground(mover_, edge_normal(edge_direction(from, to)));
    }

    /// The end, in a direction, of the top of a surface.
    [[nodiscard]] Vec2 end_of(const Surface& surface, Vec2 direction) const {
        if (surface.is_face()) {
            const auto [from, to] = surface.segment();
            return dot(to - from, direction) > 0.0f ? to : from;
        }
        return top_of(surface, mover_.up) +
               direction * dot(surface.shape().half_extents, abs(direction));
    }

    const Mover& mover_;
    const MoverHit& below_;
    const ConstBodyRef platform_;
    const Vec2 belt_;  ///< [m/s]
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// MoverSurroundings: which surfaces are near a mover, and how do they move?
//
// The world is queried once for all surfaces that a move may reach.
#pragma once

#include <phys2d/character/mover_state.hpp>
#include <phys2d/stages/crushing.hpp>
#include <phys2d/world/world.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// How far a point is from the centre of a mover along perpendicular(up) [m].
[[nodiscard]] inline float place_aside(const Mover& mover, Vec2 point) {
    return dot(point - placed_shape(mover).center, perpendicular(mover.up));
}
/// How far a point is from the nearer one of a mover's two sides across its `up` [m].
[[nodiscard]] inline float distance_to_side(const Mover& mover, Vec2 point) {
    return dot(outer_half_extents(mover.shape), abs(perpendicular(mover.up))) -
           abs(place_aside(mover, point));
}

/// The translation of a body in the last step [m].
[[nodiscard]] inline Vec2 last_shift(const ConstBodyRef& body) {
    return body.position() - body.interpolated_position(0.0f);
}

/// The velocity along a surface, with a normal, of the conveyor that a collider is [m/s].
[[nodiscard]] inline Vec2 belt_velocity(const World& world, ColliderId id, Vec2 normal) {
    return project(world.collider(id).material().surface_velocity, perpendicular(normal));
}

[[nodiscard]] constexpr Vec2 end_towards(const Segment& face, Vec2 direction) {
    return dot(face.to - face.from, direction) > 0.0f ? face.to : face.from;
}
/// A point of a shape or a surface that is as far in a direction as any.
[[nodiscard]] constexpr Vec2 top_of(const Shape& shape, Vec2 direction) {
    return shape.center + reach_towards(shape, direction);
}
[[nodiscard]] inline Vec2 top_of(const Surface& surface, Vec2 direction) {
    return surface.is_face() ? end_towards(surface.segment(), direction)
                             : top_of(surface.shape(), direction);
}

/// Surfaces closer than this, or overlapping by less, touch a mover [m].
[[nodiscard]] constexpr float touching(const Mover& mover) { return mul(3.0f, mover.skin); }

class MoverSurroundings {
public:
    MoverSurroundings(const World& world, Mover& mover) : world_(world), mover_(mover) {}

    /// Lists all surfaces that it may reach when it moves by up to `reach` along the axes [m].
    /// Returns how far it may make way for moving bodies [m].
    float look_around(Vec2 reach) {
        list_surfaces(reach);
        const float seen_as_crush = mul(2.0f * crush_depth, world_.config().length_unit);
        const float room = max(mul(0.5f, snap_reach(mover_)), seen_as_crush);
        const float longest = longest_shift();
        anything_moves_ = longest > 0.0f;
        if (!anything_moves_) return room;
        const float more = room + 2.0f * longest;
        list_surfaces(reach + Vec2{more, more});
        return more;
    }

    /// Whether the mover has come too far from where it listed the surfaces.
    [[nodiscard]] bool has_come_far() const {
        const float spare = mul(0.5f, snap_reach(mover_)) + 2.0f * mover_.skin;
        return distance_sq(placed_shape(mover_).center, center(listed_)) > square(spare);
    }
    /// Lists the surfaces around the place where it is, as far as at the last one.
    void look_again() { list_surfaces(reach_); }

    /// Whether all surfaces up to `distance` from a point are listed [m].
    [[nodiscard]] bool has_listed_around(Vec2 point, float distance) const {
        return contains(expand(listed_, -distance), point);
    }

    void forget(BodyId body) {
        mover_.surroundings.remove_if(
            [body](const Surface& surface) { return surface.body == body; });
    }

    /// Whether any body near it moved in the last step.
    [[nodiscard]] bool anything_moves() const { return anything_moves_; }

    /// The translation of a surface's body in the last step [m].
    [[nodiscard]] Vec2 shift_of(const Surface& surface) const {
        return last_shift(world_.body(surface.body));
    }
    /// Whether a kinematic body moved by a translation in the last step, to within the skin.
    [[nodiscard]] bool moves_by(const Surface& surface, Vec2 way) const {
        return surface.type == BodyType::Kinematic &&
               distance_sq(shift_of(surface), way) < square(mover_.skin);
    }
    /// The velocity of a surface's body [m/s]. One that is moved by positions has none of its own
    /// between steps.
    [[nodiscard]] Vec2 velocity_of(const Surface& surface) const {
        const ConstBodyRef body = world_.body(surface.body);
        const Vec2 told = body.velocity();
        const bool is_told = told != Vec2{} || surface.type == BodyType::Dynamic;
        return is_told ? told : last_shift(body) / world_.config().time_step;
    }

    /// The translation by which a surface carries what meets it: dynamic ones have forces.
    [[nodiscard]] Vec2 shift_by(const Surface& surface) const {
        return surface.type == BodyType::Kinematic ? shift_of(surface) : Vec2{};
    }

protected:
    const World& world_;
    Mover& mover_;

private:
    void list_surfaces(Vec2 reach) {
        reach_ = reach;
        const float more = mul(1.5f, snap_reach(mover_)) + 4.0f * mover_.skin;
        const Vec2 side = abs(perpendicular(mover_.up));
        const Vec2 margin = max(reach + Vec2{more, more}, side * mover_.edge_reach);
        const AABB box = bounds(placed_shape(mover_));
        listed_ = {box.min - margin, box.max + margin};
        mover_.surroundings.clear();
        const auto list = [&](const Surface& surface) {
            mover_.surroundings.push_back_for_overwrite() = surface;
        };
        for_each_surface<PHYS2D_LANES>(world_.unlocked("move"), listed_, mover_.filter, list,
                                       &mover_.known_tiles);
        join_one_way_ground();
    }
    /// One-way ground of separate pieces is one ground.
    void join_one_way_ground() {
        const float slop = mul(level_slop, world_.config().length_unit);
        for (Surface& surface : mover_.surroundings) {
            if (surface.one_way == OneWay::No) continue;
            for (Surface& next : mover_.surroundings) surface.join(next, slop);
        }
    }

    [[nodiscard]] float longest_shift() const {
        float longest = 0.0f;
        BodyId last{};
        for (const Surface& surface : mover_.surroundings) {
            if (surface.body == last) continue;
            last = surface.body;
            longest = max(longest, length(shift_of(surface)));
        }
        return longest;
    }

    Vec2 reach_{};   // of the last list [m]
    AABB listed_{};  // around the mover then [m, world]
    bool anything_moves_ = false;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

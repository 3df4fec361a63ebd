// SPDX-License-Identifier: MIT
// MoverStep: one move of a mover, and whether it ends inside of terrain that does not push it out.
//
// The platform or the conveyor carries it, it makes way for moving bodies, leaves overlaps, and
// then moves by its own velocity: in the air it slides along surfaces, on the ground it walks, and
// climbs steps up to step_height.
#pragma once

#include <phys2d/character/mover_yield.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The body with terrain that a point is inside of; default id if there is none. On a line it is
/// inside of nothing.
[[nodiscard]] inline BodyId solid_at(const World& world, Vec2 point, QueryFilter filter) {
    filter.sensors = false;  // terrain that is a sensor has no surface
    BodyId solid;
    const auto look_at = [&](BodyId body, ColliderId id) {
        const ConstColliderRef collider = world.collider(id);
        if (!collider.is_terrain() || collider.def().one_way != OneWay::No) return;
        const auto is_it = [body](BodyId other) { return other == body; };
        if (world.nearest(point, 0.0f, filter, is_it).distance < 0.0f) solid = body;
    };
    world.for_each_overlap(Circle{0.0f, point}, look_at, filter);
    return solid;
}

/// The body with terrain that a mover's centre is inside of; default id if there is none, and in a
/// tile that it falls out of: nothing joins that tile below. Seen from above nothing falls.
[[nodiscard]] inline BodyId solid_around(const World& world, const Mover& mover) {
    const Vec2 center = placed_shape(mover).center;
    const BodyId solid = solid_at(world, center, mover.filter);
    const bool may_fall = mover.up != Vec2{};
    if (solid == BodyId{} || !may_fall || !world.is_tile_map(solid)) return solid;
    const ConstTileMapRef map = world.tile_map(solid);
    const AABB tile = map.bounds(map.tile_at(center));
    const AABB around = expand(tile, mul(2.0f * joint_overlap, map.tile_size()));
    const Vec2 further = center + main_axis(-mover.up) * (2.0f * map.tile_size());
    const Vec2 below = closest_point(around, further);
    return solid_at(world, below, mover.filter) == BodyId{} ? BodyId{} : solid;
}

class MoverStep : public MoverYield {
public:
    MoverStep(World& world, Mover& mover, Vec2 velocity, float dt)
        : MoverYield(world, mover, velocity, dt) {}

    /// Returns the remaining velocity [m/s].
    Vec2 run() {
        const Vec2 from = mover_.position;
        const Vec2 way = velocity_ * dt_;
        if (stands()) stay_on_feet();
        const MoverRide ride = ride_on_platform(world_, mover_);
        list_obstacles(ride, way);
        const bool walks = stands() && !jumps_ && !mover_.is_dropping;
        if (walks) sight_.begin_to_walk();
        mover_.wall = mover_.ceiling = {};  // nothing throws from here on
        mover_.crush = {};
        mover_.lifted = {};
        make_way(ride);
        unmoved_ = start();
        if (jumps_) lift_what_is_above(project(way, mover_.up));
        const bool drops = mover_.is_dropping && !jumps_;
        const Vec2 downhill = drops ? fall_of_ground(mover_, velocity_) : Vec2{};
        if (walks) walk(way, mover_.ground.normal);
        const bool is_on_foot = walks || fly(way_left_ + downhill * dt_);
        stand(is_on_foot ? snap_reach(mover_) : 0.0f);
        const BodyId solid = ground_ ? BodyId{} : solid_around(world_, mover_);
        if (solid != BodyId{}) stay_inside(solid);
        describe_ground();
        mover_.last_way = mover_.position - from;
        mover_.last_position = mover_.position;
        mover_.last_shape = mover_.shape;
        if (solid != BodyId{}) return {};
        const Vec2 left = velocity_left();
        return drops && !ground_ ? left + downhill + sinking(mover_, ride) : left;
    }

private:
    /// Whether it begins on its feet: its ground is a wall or a ceiling once `up` has been turned.
    [[nodiscard]] bool stands() const {
        return mover_.ground.is_grounded && dot(mover_.ground.normal, mover_.up) > 0.0f;
    }

    /// Rises by as much as a larger shape has brought its feet into the ground, as far as there is
    /// room: one-way ground, unlike other ground, lets through what is inside of it.
    void stay_on_feet() {
        const float grown =
            depth_of_feet(mover_, mover_.shape) - depth_of_feet(mover_, mover_.last_shape);
        const float raised = dot(mover_.position - mover_.last_position, mover_.up);
        const Vec2 rise = mover_.up * max(grown - max(raised, 0.0f), 0.0f);
        if (rise == Vec2{}) return;
        look_around(abs(rise));
        const auto gives_way = [](const Surface& surface) {
            return surface.type == BodyType::Dynamic;
        };
        advance(rise, sight_.first_hit(rise, gives_way));
    }

    /// Leaves it where it was before its own motion, inside of a body.
    void stay_inside(BodyId solid) {
        go_back_to(unmoved_);
        mover_.crush = {true, solid, solid, 2.0f * smaller_half_extent(mover_.shape)};
    }

    /// Lists all surfaces that it may reach, but for the one-way ground that it drops through: what
    /// it stands on after its ride, and what its own way could take it to from there.
    void list_obstacles(const MoverRide& ride, Vec2 way) {
        const Vec2 conveyed = ride.belt * dt_;
        const float longest = length(way) + length(conveyed);
        look_around(abs(ride.way) + Vec2{longest, longest});
        if (mover_.is_dropping) {
            drop_through(ride.way, project(way + conveyed, perpendicular(mover_.up)));
        }
        if (!mover_.is_dropping) mover_.drop = {};
    }

    /// Pushes bodies above it that its force can lift, and passes them.
    void lift_what_is_above(Vec2 way) {
        for (MoverHit hit = sight_.first_hit(way); hit; hit = sight_.first_hit(way)) {
            const BodyId body = hit.surface->body;
            if (!is_above(hit.cast.normal)) return;
            mover_.lifted = body;
            if (!force_.can_lift(hit, body == lifted_)) return;
            force_.push(hit, velocity_);
            name_stop(*hit.surface, hit.cast.normal);
            sight_.forget(body);
        }
    }

    /// Moves through the air; walks on where it lands. Returns whether it has landed. Where nothing
    /// is left of its way, as others have made up for it, it is not stuck.
    bool fly(Vec2 way) {
        bool lands = false;
        const bool is_held = slide_on(way, [this, &lands](const MoverHit& hit, Vec2 left) {
            const Vec2 ground = rises_off(hit) ? Vec2{} : sight_.ground_normal(hit);
            lands = ground != Vec2{};
            if (lands) {
                sight_.begin_to_walk();
                walk(left, ground);
            } else {
                run_into(hit, velocity_);
            }
            return !lands;
        });
        is_stuck_ = is_held && way != Vec2{};
        return lands;
    }

    /// Walks along the ground by the horizontal part of `way`, at the same speed on slopes, and up
    /// and down steps; up only in the direction requested, not in that in which it slid as it
    /// landed. It looks for the ground often enough not to leave it where it bends.
    void walk(Vec2 way, Vec2 ground) {
        constexpr int most_parts = 32;
        constexpr float rounding = 1e-6f;  // of the way: a fall straight down leads nowhere aside
        const Vec2 level = project(way, perpendicular(mover_.up));
        if (length_sq(level) < mul(square(rounding), length_sq(way))) return;
        const Vec2 direction = normalized(level);
        float left = length(level);
        const float longest = max(0.5f * snap_reach(mover_), left / static_cast<float>(most_parts));
        for (int i = 0; i < 2 * most_parts && left > 0.0f; ++i) {
            const Vec2 heading =
                perpendicular(ground) * sign(dot(perpendicular(ground), direction));
            const float part = min(left, longest);
            const Vec2 stretch = heading * part;
            const MoverHit hit = slip_and_hit(stretch);
            left = left - part + mul(part, advance(stretch, hit));
            if (left == 0.0f) return;
            if (!hit) {
                if (!stand(snap_reach(mover_))) return slide(direction * left);
                ground = ground_.cast.normal;
            } else if (is_ground(mover_, hit.cast.normal)) {
                ground = hit.cast.normal;
            } else if (gets_on(direction, heading, hit, left)) {
                ground = mover_.up;
            } else {
                blocked_ = heading;
                return run_into(hit, heading * (length(level) / dt_));
            }
        }
    }

    /// Whether it gets on in a direction from where it hits what is no ground: below a ceiling to
    /// which the ground leads it up, as a corner does at the mouth of a tunnel, or up a step.
    [[nodiscard]] bool gets_on(Vec2 direction, Vec2 heading, const MoverHit& hit, float& left) {
        const bool is_squeezed = dot(heading, mover_.up) > 0.0f && is_above(hit.cast.normal);
        if (is_squeezed && is_open(direction * left)) return true;
        return dot(direction, own_velocity_) > 0.0f && climb(direction, left);
    }

    [[nodiscard]] MoverHit ground_below(Vec2 down) const {
        const MoverHit hit = sight_.ground_below(down);
        return hit && !rises_off(hit) ? hit : MoverHit{};
    }
    /// Whether it goes up faster than a surface does. On the ground its velocity is relative. What
    /// sinks away from one that does not go up is still its ground.
    [[nodiscard]] bool rises_off(const MoverHit& hit) const {
        if (mover_.ground.is_grounded) return jumps_;
        const Vec2 relative = velocity_ - sight_.velocity_of(*hit.surface);
        return goes_up(mover_, relative) && (jumps_ || dot(relative, hit.cast.normal) <= 0.0f);
    }

    /// Goes down to the ground if it is at most `reach` below [m]; returns whether it is.
    bool stand(float reach) {
        const Vec2 down = mover_.up * -(reach + touching(mover_));
        ground_ = ground_below(down);
        const bool is_beside = distance_to_side(mover_, ground_.cast.point) < 2.0f * mover_.skin;
        if (is_beside && MoverGap(mover_, sight_, down, ground_).slip_in())
            ground_ = ground_below(down);
        if (ground_) advance(down, ground_);
        return ground_ || (!jumps_ && reach > 0.0f && slide_down(down));
    }

    /// Slides down the side of a step that is too steep to stand on, to ground at its foot; returns
    /// whether there is any. Who walks does not slide back to behind where the move began: it would
    /// climb the same step again and again.
    bool slide_down(Vec2 down) {
        const Start before = start();
        slide_on(down,
                 [this](const MoverHit& hit, Vec2) { return sight_.ground_normal(hit) == Vec2{}; });
        const Vec2 ahead = normalized(project(own_velocity_, perpendicular(mover_.up)));
        const bool is_back = dot(mover_.position - unmoved_.position, ahead) < -mover_.skin;
        if (!is_back) ground_ = ground_below(mover_.up * -touching(mover_));
        if (!ground_) go_back_to(before);
        return static_cast<bool>(ground_);
    }

    void describe_ground() {
        GroundState& ground = mover_.ground;
        if (!ground_) {
            ground = {.is_wedged = left_by(stops_.at_rest(), -mover_.up) == Vec2{},
                      .normal = mover_.up,
                      .steps_since_grounded =
                          smaller_of(ground.steps_since_grounded, GroundState::long_ago - 1) + 1};
            return;
        }
        ground = ground_on(world_, mover_, sight_, ground_);
        mover_.platform_position = world_.body(ground.platform).position();
        mover_.platform_step = world_.step_count();
        mover_.is_dropping = false;
    }

    /// The requested velocity without the parts that the ground, the walls and the ceiling stopped,
    /// seen from what carried it.
    [[nodiscard]] Vec2 velocity_left() const {
        const Vec2 carried = velocity_ - own_velocity_;
        if (mover_.ground.is_grounded) {
            return level_velocity_left() + project(carried, perpendicular(mover_.up));
        }
        const bool is_held = is_stuck_ && !stops_.any_moves();
        return carried + (is_held ? Vec2{} : left_by(stops_, own_velocity_));
    }
    /// On the ground it goes along that, or along the slope at which something has blocked it, and
    /// its velocity is the level part.
    [[nodiscard]] Vec2 level_velocity_left() const {
        const Vec2 level = stopped_by(mover_.up, own_velocity_);
        const Vec2 ahead = blocked_ != Vec2{} ? blocked_ : perpendicular(mover_.ground.normal);
        const Vec2 way = ahead * (sign(dot(level, ahead)) * length(level));
        return level - level * stops_.share_taken_of(way);
    }

    const bool jumps_ = goes_up(mover_, velocity_);
    // body above it that the last move lifted
    const BodyId lifted_ = mover_.ground.is_grounded ? BodyId{} : mover_.lifted;
    Start unmoved_{};        // where it was before its own motion
    MoverHit ground_{};      // ground after the move
    Vec2 blocked_{};         // direction along the ground in which it was stopped; or zero
    bool is_stuck_ = false;  // in the air: it cannot slide on
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

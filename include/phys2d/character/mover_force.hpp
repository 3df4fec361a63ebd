// SPDX-License-Identifier: MIT
// MoverForce: what does a mover do to dynamic bodies with its force?
//
// It pushes what is in its way and holds what comes to it, both as far as `push_force` goes. All of that is forces that
// act in the next step, so that friction, weight and other contacts have their say.
#pragma once

#include <phys2d/character/mover_sight.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class MoverForce {
public:
    MoverForce(World& world, const Mover& mover, Vec2 velocity, float dt)
        : world_(world), mover_(mover), velocity_(velocity), dt_(dt) {}

    /// Something carries the mover or pushes it, at a velocity [m/s]: its pace is that and its own.
    void be_carried(Vec2 velocity) { carried_ = velocity; }

    /// Has the next step bring a dynamic body in the way to the pace of the mover, as far as its force goes. Of a force,
    /// unlike an impulse, friction can hold all. Those that act the same way already count, so that no two moves push it
    /// twice; it makes up for none that acts against it, or of two movers the one that is moved last would win.
    void push(const MoverHit& hit) const {
        BodyRef body = world_.body(hit.surface->body);
        const float step = world_.config().time_step;
        const float gain = mul(body.inverse_mass(), step);  // of speed, by a force
        const Vec2 into = -hit.cast.normal;
        const float pushed = mul(max(dot(body.force(), into), 0.0f), gain);
        const float speed = dot(velocity_ + carried_ - body.velocity(), into) - pushed;
        const bool is_pushed = gain > 0.0f && speed > 0.0f && !is_ground(mover_, hit.cast.normal);
        if (!is_pushed) return;
        body.apply_force(into * min(speed / gain, mul(mover_.push_force, min(dt_ / step, 1.0f))));
    }

    /// Has the next step bring to rest, or to the pace of what carries the mover, a dynamic body that comes to the mover and is `depth` [m] in it, as far as the
    /// force goes; returns what of a way out the mover must go. What comes from below lifts it. What the force has not
    /// stopped, since others push that, stays in by a little, or it would be held and let go by turns.
    Vec2 way_from(const Surface& surface, Vec2 out, float depth) const {
        constexpr float soft = 0.1f;  // of the depth, that a step undoes
        const WorldConfig& config = world_.config();
        BodyRef body = world_.body(surface.body);
        const Vec2 away = normalized(out);
        if (body.inverse_mass() == 0.0f || is_ground(mover_, away)) return out;
        const float step = config.time_step;
        const float slack = 4.0f * mover_.skin;
        const float approach =
            dot(body.velocity() - carried_, away) - max(dot(velocity_, away), 0.0f);
        const float fall = mul(dot(config.gravity, away), mul(body.gravity_scale(), step));
        const float back = mul(soft, max(depth - slack, 0.0f)) / step;
        const float needed = max(approach + fall + back, 0.0f) / mul(body.inverse_mass(), step);
        const float force = min(needed, mover_.push_force) - max(-dot(body.force(), away), 0.0f);
        if (force > 0.0f) body.apply_force(away * -force);
        if (needed > mover_.push_force) return out;
        const bool comes = approach > mul(0.01f, config.length_unit);
        const bool was_in = depth - mul(approach, step) > slack;
        return comes && was_in ? away * max(depth - 2.0f * slack, 0.0f) : Vec2{};
    }

private:
    World& world_;
    const Mover& mover_;
    const Vec2 velocity_;
    const float dt_;
    Vec2 carried_{};  // [m/s]
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// MoverForce: what does a mover do to dynamic bodies with its force?
//
// It pushes bodies in its way and stops bodies that come to it, with at most `push_force`. It
// applies forces for the next step, so that friction, weight and other contacts take part.
#pragma once

#include <phys2d/character/mover_sight.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class MoverForce {
public:
    MoverForce(World& world, Mover& mover, Vec2 velocity, float dt)
        : world_(world), mover_(mover), velocity_(velocity), dt_(dt) {
        mover_.efforts.clear();
    }

    /// The velocity at which others carry or push the mover [m/s]; it adds to its own.
    void set_carried_velocity(Vec2 velocity) { carried_ = velocity; }

    /// Makes the next step bring a dynamic body in the way of a velocity to that speed, as far as
    /// the force allows. A force, unlike an impulse, can be held completely by friction. Forces
    /// already applied in the same direction count, so that two moves do not push a body twice.
    /// Opposing forces are not made up for, or of two movers the one moved last would win. What
    /// holding the body off takes of the force is not there to push it. What it stands on is not
    /// pushed: its feet would push that back as hard.
    void push(const MoverHit& hit, Vec2 velocity) const {
        BodyRef body = world_.body(hit.surface->body);
        const float gain = gain_of(body);
        if (gain == 0.0f || is_ground(mover_, hit.cast.normal) || stands_on(body.id())) return;
        const Vec2 into = -hit.cast.normal;
        apply(body, into, missing_speed(body, into, velocity) / gain);
    }

    /// Makes the next step stop a dynamic body that approaches the mover and is `depth` inside it
    /// [m], relative to whatever carries the mover, as far as the force allows. Returns the part of
    /// the translation `out` that the mover itself must move. A body from below lifts the mover.
    [[nodiscard]] Vec2 hold_off(const Surface& surface, Vec2 out, float depth) const {
        const WorldConfig& config = world_.config();
        BodyRef body = world_.body(surface.body);
        const Vec2 away = normalized(out);
        if (body.inverse_mass() == 0.0f || is_ground(mover_, away)) return out;
        const float step = config.time_step;
        const float approach = approach_at(body.velocity(), away);
        const float fall = gain_of_gravity(body, away);
        const float back = mul(soft, max(depth - slack(), 0.0f)) / step;
        const float needed = max(approach + fall + back, 0.0f) / gain_of(body);
        apply(body, -away, needed - max(-dot(body.force(), away), 0.0f));
        if (needed > mover_.push_force) return out;
        const bool leaves = -approach > 0.5f * back;
        return leaves ? Vec2{} : away * way_from_blocked(body, away, depth);
    }

    /// How far a body that is at rest falls in a direction in the next step [m].
    [[nodiscard]] float fall_in_step(const Surface& surface, Vec2 direction) const {
        const ConstBodyRef body = world_.body(surface.body);
        return mul(gain_of_gravity(body, direction), world_.config().time_step);
    }

    /// Whether the next step can bring a dynamic body in the way to the speed of the mover, and the
    /// last one did not fail to.
    [[nodiscard]] bool can_lift(const MoverHit& hit, bool was_lifted) const {
        constexpr float most_missing = 0.75f;  // of its speed, after a step that lifted it
        const ConstBodyRef body = world_.body(hit.surface->body);
        const Vec2 into = -hit.cast.normal;
        const float most = mul(most_missing, dot(velocity_ + carried_, into));
        const float missing = missing_speed(body, into, velocity_);
        if (was_lifted && missing > most) return false;
        return body.inverse_mass() > 0.0f && !stands_on(body.id()) &&
               missing <= mul(strongest(body, into), world_.config().time_step);
    }

    /// Whether the force can bring a body, which is `depth` inside the mover [m], to the speed of
    /// that in a direction, against gravity, before the body is half-way through it; not if
    /// something immovable holds the body.
    [[nodiscard]] bool can_bring_along(BodyId id, Vec2 into, float depth) const {
        const ConstBodyRef body = world_.body(id);
        const float half_way = dot(outer_half_extents(mover_.shape), abs(into));
        const Vec2 own = into * (own_speed(into) - own_speed(-into));
        const float missing = max(missing_speed(body, into, own), 0.0f);
        return body.inverse_mass() > 0.0f &&
               square(missing) <= mul(2.0f * strongest(body, into), half_way - depth) &&
               !is_blocked(id, into);
    }

private:
    static constexpr float soft = 0.1f;  // fraction of the depth that a step resolves

    /// Whether the mover stands on a body, another part of which may be beside or above it.
    [[nodiscard]] bool stands_on(BodyId body) const { return body == mover_.ground.platform; }

    /// Applies as much of a force that is needed in a direction as the mover has left [N]. Not one
    /// with which a World could not go on: an error would leave the move half-way.
    void apply(BodyRef body, Vec2 into, float needed) const {
        const Vec2 force = into * max(min(needed, force_left(body.id(), into)), 0.0f);
        const bool goes_on = is_moderate((body.force() + force) * body.inverse_mass());
        if (force == Vec2{} || !goes_on) return;
        mover_.efforts.push_back({body.id(), force});
        body.apply_force(force);
    }
    /// How much of its force the mover has left in this move for a body, in a direction [N]. The
    /// moves between two steps share the force.
    [[nodiscard]] float force_left(BodyId body, Vec2 into) const {
        Vec2 used{};
        for (const MoverEffort& effort : mover_.efforts) {
            if (effort.body == body) used += effort.force;
        }
        const float share = min(dt_ / world_.config().time_step, 1.0f);
        return mul(mover_.push_force, share) - max(dot(used, into), 0.0f);
    }

    /// Whether a body touches something immovable ahead.
    [[nodiscard]] bool is_blocked(BodyId id, Vec2 ahead) const {
        constexpr float straight = 0.7f;  // cosine of 45 degrees
        bool is_blocked = false;
        world_.for_each_contact(id, [&](const WorldContact& contact) {
            const BodyType other = world_.body(contact.b).type();
            const bool is_ahead = dot(contact.manifold.normal, ahead) > straight;
            const bool touches = contact.manifold.penetration >= -slack();
            is_blocked = is_blocked || (is_ahead && touches && other != BodyType::Dynamic);
        });
        return is_blocked;
    }

    /// How far the mover must move away from a body that its force has not pushed out, because
    /// others push or hold that body [m]. A little overlap stays, or the body would be held and
    /// released by turns; a body may also have just arrived.
    [[nodiscard]] float way_from_blocked(ConstBodyRef body, Vec2 away, float depth) const {
        const WorldConfig& config = world_.config();
        const float came =
            mul(approach_at(last_shift(body) / config.time_step, away), config.time_step);
        if (depth - came <= slack()) return 0.0f;
        const bool is_pushed = approach_at(body.velocity(), away) > mul(0.01f, config.length_unit);
        return mul(is_pushed ? 1.0f : soft, max(depth - 2.0f * slack(), 0.0f));
    }
    /// How fast a body with a velocity approaches the mover [m/s].
    [[nodiscard]] float approach_at(Vec2 velocity, Vec2 away) const {
        return dot(velocity - carried_, away) - own_speed(away);
    }
    /// How fast the mover goes in a direction by itself: as it is asked to, but no faster than it
    /// did, if something is in its way [m/s].
    [[nodiscard]] float own_speed(Vec2 direction) const {
        const float before = dot(mover_.last_way / dt_ - carried_, direction);
        return max(min(dot(velocity_, direction), before), 0.0f);
    }
    /// Overlap that is tolerated [m].
    [[nodiscard]] float slack() const { return 4.0f * mover_.skin; }

    /// The acceleration of a body in a direction by the force, against gravity [m/s²].
    [[nodiscard]] float strongest(ConstBodyRef body, Vec2 into) const {
        const float fall = mul(-dot(world_.config().gravity, into), body.gravity_scale());
        return mul(mover_.push_force, body.inverse_mass()) - max(fall, 0.0f);
    }
    /// Speed that gravity adds in a step, in a direction [m/s].
    [[nodiscard]] float gain_of_gravity(ConstBodyRef body, Vec2 direction) const {
        const WorldConfig& config = world_.config();
        return mul(dot(config.gravity, direction), mul(body.gravity_scale(), config.time_step));
    }
    /// Speed that a force adds in a step [s/kg].
    [[nodiscard]] float gain_of(ConstBodyRef body) const {
        return mul(body.inverse_mass(), world_.config().time_step);
    }
    /// Speed in a direction that a body lacks to match the mover's velocity, after the forces
    /// already applied to it [m/s].
    [[nodiscard]] float missing_speed(ConstBodyRef body, Vec2 into, Vec2 velocity) const {
        const float pushed = mul(max(dot(body.force(), into), 0.0f), gain_of(body));
        return dot(velocity + carried_ - body.velocity(), into) - pushed;
    }

    World& world_;
    Mover& mover_;
    const Vec2 velocity_;
    const float dt_;
    Vec2 carried_{};  // [m/s]
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// BodyRef: read and write access to one body of a World.
// A BodyRef is a pointer to the world and an id. It stays valid while other bodies come and go;
// after its body is destroyed, every call is an error that names the id. It must not outlive its
// World, nor be used after the World is moved from. Changes during a step are errors.
#pragma once

#include <phys2d/stages/dropping.hpp>
#include <phys2d/stages/special_pairs.hpp>
#include <phys2d/world/checks.hpp>
#include <phys2d/world/collider_ref.hpp>
#include <phys2d/world/queries.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// Read access to a body, O(1) a call unless noted. shape(), material(), collider_def(), filter()
/// and user_data() are those of its first collider. Values that a call of BodyRef can change are
/// returned as constants: `body.position() = place` would change nothing, and does not compile.
class ConstBodyRef {
public:
    ConstBodyRef(const detail::WorldState& state, BodyId id) : state_(&state), id_(id) {}

    [[nodiscard]] BodyId id() const { return id_; }
    [[nodiscard]] BodyType type() const { return state_->bodies.types[slot("type")]; }
    /// [m, world].
    [[nodiscard]] const Vec2 position() const { return state_->bodies.positions[slot("position")]; }
    /// Whether the body takes part in the world: see BodyRef::set_enabled.
    [[nodiscard]] bool is_enabled() const { return state_->bodies.is_enabled(slot("is_enabled")); }
    /// [m/s]. Zero for static bodies.
    [[nodiscard]] const Vec2 velocity() const { return state_->bodies.velocity(slot("velocity")); }
    /// Where to draw the body between the last two steps [m, world]; `alpha` is the result of
    /// `advance`, from 0 to 1; others extrapolate.
    [[nodiscard]] Vec2 interpolated_position(float alpha) const {
        const std::int32_t i = slot("interpolated_position");
        return lerp(state_->bodies.previous_positions[i], state_->bodies.positions[i], alpha);
    }
    /// Relative to position() [m]. Meaningless for terrain.
    [[nodiscard]] const Shape shape() const { return state_->bodies.shapes[slot("shape")]; }
    /// The box around all colliders [m, world]. O(colliders of the body).
    [[nodiscard]] AABB bounds() const {
        (void)slot("bounds");
        return detail::box_of(state_->bodies, id_);
    }
    [[nodiscard]] const Material material() const {
        return state_->bodies.materials[slot("material")];
    }
    [[nodiscard]] const ColliderDef collider_def() const {
        return state_->bodies.colliders[slot("collider_def")];
    }
    [[nodiscard]] const Filter filter() const {
        return state_->bodies.colliders[slot("filter")].filter;
    }
    /// For a query that sees what the first collider collides with by category and mask, and not
    /// the body itself: whether there is room for it, what is ahead of it.
    ///
    ///   const bool can_stand = !world.any_overlap(standing, body.query_filter());
    [[nodiscard]] QueryFilter query_filter() const {
        const Filter own = filter();
        return {.category = own.category, .mask = own.mask, .except = id_};
    }
    /// [kg]; 0 is infinite. Kept, but without effect, while the body is not dynamic.
    [[nodiscard]] float mass() const { return state_->bodies.dynamics[slot("mass")].mass; }
    /// [1/kg]; 0 for bodies that impulses do not move: those of infinite mass, that are not dynamic
    /// or that are switched off.
    [[nodiscard]] float inverse_mass() const {
        return state_->bodies.dynamics[slot("inverse_mass")].inverse_mass;
    }
    /// The sum of the forces for the next step [N], without gravity.
    [[nodiscard]] Vec2 force() const { return state_->bodies.forces[slot("force")]; }
    [[nodiscard]] float gravity_scale() const {
        return state_->bodies.dynamics[slot("gravity_scale")].gravity_scale;
    }
    [[nodiscard]] float linear_damping() const {
        return state_->bodies.dynamics[slot("linear_damping")].linear_damping;
    }
    /// Asleep: left out of steps until something wakes it.
    [[nodiscard]] bool is_asleep() const { return state_->bodies.is_asleep(slot("is_asleep")); }
    [[nodiscard]] bool can_sleep() const {
        return state_->bodies.rests[slot("can_sleep")].still_time != detail::BodyRest::never;
    }
    [[nodiscard]] std::uint64_t user_data() const {
        return state_->bodies.user_data[slot("user_data")];
    }

protected:
    [[nodiscard]] std::int32_t slot(const char* call) const { return state_->slot_of(id_, call); }

private:
    const detail::WorldState* state_;
    BodyId id_;
};

/// Read and write access to a body. Shape, material, definition and filter are those of its first
/// collider.
class BodyRef : public ConstBodyRef {
public:
    BodyRef(detail::WorldState& state, BodyId id) : ConstBodyRef(state, id), state_(&state) {}

    /// [m/s]. No effect on static bodies. Wakes the body, unless the velocity is zero. Bodies that
    /// rest on a kinematic body by friction get the same change of velocity along its surface.
    void set_velocity(Vec2 velocity) {
        require_unlocked("set_velocity");
        detail::require_moderate(velocity, "set_velocity", "velocity");
        call_off_move();
        change_velocity(velocity);
    }

    /// Moves the body at once, without collisions on the way, unseen there by sensors, and without
    /// interpolation [m, world]; its velocity stays, but for that of a `move_to`. One-way sides let
    /// go of it, and its own of others, even if it stays where it is: contacts with them that go on
    /// end and begin again in the next step, as no others do. O(colliders of the body) and what
    /// they touch; if it is not dynamic and anything in the world has a one-way side, O(contacts
    /// with such sides or with conveyors): 5 µs for a thousand.
    void teleport(Vec2 position) {
        require_unlocked("teleport");
        detail::require_finite(position, "teleport", "position");
        leave_place();
        detail::Bodies& bodies = state_->bodies;
        bodies.for_each_of(id(), [&](std::int32_t part) {
            state_->note_if_static(part);
            bodies.positions[part] = position;
            bodies.previous_positions[part] = position;
            state_->broad_phase.note_change(bodies.ids[part]);
            bodies.refresh_narrow(part);
            state_->note_if_static(part);
        });
        detail::wake_with_leaning(*state_, id());
    }

    /// Moves a kinematic body so that it is exactly at `position` [m, world] after the next step
    /// and at rest then, pushing and carrying others on the way, as fast as that takes: bound the
    /// way where a player drags something, or `teleport` it. Call it before every step (in the
    /// before_step of `World::advance`) to follow a path; velocity() is nonzero only until the end
    /// of that step. An error for other types. Cancelled by `set_velocity`, `set_type`, `teleport`
    /// and the next `move_to`.
    void move_to(Vec2 position) {
        const std::int32_t i = require_unlocked("move_to");
        detail::require_finite(position, "move_to", "position");
        detail::require(state_->bodies.types[i] == BodyType::Kinematic,
                        "move_to: body %u is not kinematic, expected a kinematic body", id().index);
        const Vec2 way = position - state_->bodies.positions[i];
        const Vec2 velocity = way / state_->config.time_step;
        detail::require_moderate(velocity, "move_to", "the velocity that it takes");
        change_velocity(velocity);
        state_->targets.of(id()) = {id(), position, velocity};
    }

    /// Adds a force [N] that acts during the next step; forces add up. With `World::advance` its
    /// place is before_step: added once a frame instead, it would act in one step of several, or
    /// several times in one. No effect where inverse_mass() is 0. Wakes the body, unless the force
    /// is zero.
    ///
    /// It is the same in all sub-steps. Springs, ropes and orbits, whose force depends on the
    /// place, gain energy by that if it is the force at position(): in a minute at 60 Hz an orbit
    /// of 7 s around a star grows by two fifths. They keep their energy with the force at the mean
    /// place of a step:
    ///
    ///   const float ahead = (0.5f - 0.5f / float(config.substeps)) * config.time_step;
    ///   const Vec2 place = body.position() + body.velocity() * ahead;
    ///   body.apply_force((anchor - place) * stiffness);
    void apply_force(Vec2 force) {
        const std::int32_t i = require_unlocked("apply_force");
        const Vec2 sum = state_->bodies.forces[i] + force;
        const float inverse_mass = state_->bodies.dynamics[i].inverse_mass;
        detail::require_valid_force(sum, inverse_mass, "apply_force");
        if (force != Vec2{}) detail::wake(*state_, id());
        if (inverse_mass > 0.0f) state_->bodies.forces[slot("apply_force")] = sum;
    }

    /// Changes the velocity at once by impulse / mass [N·s]. No effect where inverse_mass() is 0.
    /// Wakes the body, unless the impulse is zero.
    void apply_impulse(Vec2 impulse) {
        const std::int32_t i = require_unlocked("apply_impulse");
        detail::require_finite(impulse, "apply_impulse", "impulse");
        const float inverse_mass = state_->bodies.dynamics[i].inverse_mass;
        const Vec2 after = velocity() + impulse * inverse_mass;
        detail::require_moderate(after, "apply_impulse", "the velocity after it");
        if (impulse != Vec2{}) detail::wake(*state_, id());
        if (inverse_mass > 0.0f) state_->bodies.velocities[slot("apply_impulse")] = after;
    }

    /// Spreads an impulse [N·s] evenly over the steps of the next `duration` seconds, at least one:
    /// the total is the same for every time step. Several may act at once; they end with the body.
    /// What is due while inverse_mass() is 0 is lost. Wakes the body, unless the impulse is zero.
    /// Range of `duration`: [0, inf).
    void apply_impulse(Vec2 impulse, float duration) {
        const std::int32_t i = require_unlocked("apply_impulse");
        detail::require_finite(impulse, "apply_impulse", "impulse");
        detail::require_not_negative(duration, "apply_impulse", "duration");
        const float inverse_mass = state_->bodies.dynamics[i].inverse_mass;
        detail::require_moderate(impulse * inverse_mass, "apply_impulse", "impulse / mass");
        if (impulse == Vec2{}) return;
        detail::wake(*state_, id());
        state_->impulses.push_back({id(), {impulse, duration}});
        const Vec2 size = abs(impulse);
        state_->most_impulse = max(state_->most_impulse, max(size.x, size.y));
    }

    /// Multiplies gravity; any finite number that leaves it at most 1e30 m/s² along each axis.
    /// Wakes the body.
    void set_gravity_scale(float scale) {
        require_unlocked("set_gravity_scale");
        detail::require_finite(scale, "set_gravity_scale", "gravity scale");
        detail::require_valid_gravity(state_->config.gravity, scale, "set_gravity_scale");
        state_->bodies.dynamics[detail::wake_with_leaning(*state_, id())].gravity_scale = scale;
    }

    /// [1/s]; >= 0. See BodyDef. Wakes the body.
    void set_linear_damping(float damping) {
        require_unlocked("set_linear_damping");
        detail::require_not_negative(damping, "set_linear_damping", "linear damping");
        state_->bodies.dynamics[detail::wake_with_leaning(*state_, id())].linear_damping = damping;
    }

    /// [kg]; 0 is infinite, and the least other mass 1.2e-38. `mass_from_density`: the mass follows
    /// the densities of the colliders again. A mass too small for the forces and timed impulses
    /// that act on the body is an error. Wakes the body.
    void set_mass(float mass) {
        const std::int32_t i = require_unlocked("set_mass");
        detail::Bodies& bodies = state_->bodies;
        const bool by_density = mass == mass_from_density;
        const float asked = by_density ? bodies.mass_by_density(id()) : mass;
        const float checked = detail::checked_mass(asked, "set_mass");
        detail::require_bears(*state_, id(), checked, "set_mass");
        bodies.follows_density[i] = by_density;
        detail::wake_with_leaning(*state_, id());
        detail::give_mass(*state_, id(), checked);
    }

    /// A body that becomes static loses its velocity; one that becomes kinematic goes on with it.
    /// The mass is kept for when the body is dynamic again. A dynamic type is an error for terrain.
    void set_type(BodyType type) {
        require_unlocked("set_type");
        detail::require_valid(type, "set_type");
        detail::Bodies& bodies = state_->bodies;
        bodies.for_each_of(id(), [&](std::int32_t part) {
            detail::require(type != BodyType::Dynamic || bodies.has_shape(part),
                            "set_type: body %u has terrain and is to be dynamic, expected Static "
                            "or Kinematic",
                            id().index);
        });
        if (type == BodyType::Dynamic) {
            detail::require_bears(*state_, id(), mass(), "set_type");
        }
        if (call_off_move()) change_velocity({});
        detail::wake_with_leaning(*state_, id());
        const Vec2 kept = type == BodyType::Static ? Vec2{} : velocity();
        const float kept_mass = mass();
        change_role([&](std::int32_t part) {
            bodies.types[part] = type;
            bodies.velocities[part] = kept;
            bodies.dynamics[part].mass = kept_mass;
            if (type == BodyType::Static) bodies.previous_positions[part] = bodies.positions[part];
            bodies.regroup(part);
        });
    }

    /// Switches the body off or on. What is off is nowhere: it does not move, and steps, queries,
    /// sensors and movers do not meet it; queries do so at once, contacts and visits end in the
    /// next step, and begin again in it if the body is on by then. It keeps its id, place, velocity
    /// and all settings, which may be changed, and comes back with them as if it had been
    /// teleported there. Bodies that leaned on it wake.
    /// Forces on it and a `move_to` are cancelled; timed impulses pass without effect. Does nothing
    /// if the body is that way already. Costs as much as `teleport`.
    void set_enabled(bool enabled) {
        require_unlocked("set_enabled");
        if (enabled == is_enabled()) return;
        leave_place();
        state_->velocity_changes.erase(id());
        detail::Bodies& bodies = state_->bodies;
        change_role([&](std::int32_t part) {
            if (!enabled) state_->been_off.add(bodies.ids[part].index);
            bodies.previous_positions[part] = bodies.positions[part];
            bodies.switch_to(enabled, part);
        });
        detail::wake_with_leaning(*state_, id());
    }

    /// Replaces the shape of the first collider, which must not be terrain. The position stays: for
    /// the feet to stay as well, the center of a lower shape must be lower. Queries see it at once,
    /// contacts in the next step. Wakes the body, and what leans on it. Updates a mass that follows
    /// from density.
    void set_shape(const Shape& shape) { first("set_shape").set_shape(shape); }

    /// Replaces all of it, density too: to change one number, change what `material` returns. Takes
    /// effect in the next step; wakes the body. Updates a mass that follows from density. An error
    /// for a tile map, as `set_collider_def` and `set_filter` are: its kinds have colliders.
    void set_material(const Material& material) { first("set_material").set_material(material); }

    /// Replaces all of it, the filter too: to change one member, change what `collider_def`
    /// returns. Takes effect in the next step; wakes the body. Making one one-way whose body is not
    /// dynamic is O(contacts in the world).
    void set_collider_def(const ColliderDef& collider) {
        require_unlocked("set_collider_def");
        detail::set_collider(*state_, first_collider(id()), collider, "set_collider_def");
    }
    /// The same for the filter alone: all of it, the category too.
    void set_filter(const Filter& filter) { first("set_filter").set_filter(filter); }

    /// Rotates all shapes about the position by quarter turns, counter-clockwise; negative numbers
    /// turn clockwise. One-way sides and surface velocities stay as they are. Exact: four turns
    /// change nothing. An error for terrain. O(colliders).
    void turn(int quarters) {
        require_unlocked("turn");
        const detail::Bodies& bodies = state_->bodies;
        bodies.for_each_of(id(), [&](std::int32_t part) {
            detail::require(bodies.has_shape(part),
                            "turn: body %u has terrain, expected shapes alone", id().index);
        });
        const int forwards = (quarters % 4 + 4) % 4;
        if (forwards != 0) detail::turn(*state_, id(), forwards);
    }

    /// Lets the body fall through the one-way colliders that it touches, and those that continue
    /// them at the same height. This ends when they are apart; when the middles of its own
    /// colliders have sunk in, so that further rows of the same tile map hold it; when it rests on
    /// something else; and when it is teleported or switched off.
    void drop_through() {
        require_unlocked("drop_through");
        if (!is_enabled()) return;
        detail::wake_with_leaning(*state_, id());
        detail::drop_through(*state_, id());
    }

    /// Wakes the body and its island. Bodies wake by themselves when something touches or changes
    /// them.
    void wake() {
        require_unlocked("wake");
        detail::wake(*state_, id());
    }

    /// See BodyDef. Wakes the body.
    void set_can_sleep(bool can_sleep) {
        require_unlocked("set_can_sleep");
        detail::wake(*state_, id());
        state_->bodies.rests[slot("set_can_sleep")].still_time =
            can_sleep ? 0.0f : detail::BodyRest::never;
    }

    void set_user_data(std::uint64_t data) { first("set_user_data").set_user_data(data); }

private:
    /// Refuses a call during a step; returns the slot, which waking may change.
    std::int32_t require_unlocked(const char* call) const {
        state_->require_unlocked(call);
        return slot(call);
    }

    /// The first collider of the body. Refuses a call during a step.
    [[nodiscard]] ColliderRef first(const char* call) const {
        require_unlocked(call);
        return {*state_, first_collider(id())};
    }

    /// Ends what moves the body and what holds it, before it appears elsewhere or not at all.
    void leave_place() {
        if (call_off_move()) change_velocity({});
        detail::wake_with_leaning(*state_, id());
        detail::let_go(*state_, id());
        detail::forget_drops(*state_, id());
    }

    /// Calls change(slot) for each collider, which gives it another role.
    template <class Change>
    void change_role(Change change) {
        detail::Bodies& bodies = state_->bodies;
        bodies.for_each_of(id(), [&](std::int32_t part) { state_->note_if_static(part); });
        bodies.for_each_of(id(), [&](std::int32_t part) {
            state_->broad_phase.note_change(bodies.ids[part]);
            change(part);
        });
        state_->broad_phase.forget_pairs_of(bodies, id());
    }

    /// Wakes the body, unless the velocity is zero; and with a kinematic one that is on what rests
    /// on it, which goes along with the change.
    void change_velocity(Vec2 velocity) {
        detail::Bodies& bodies = state_->bodies;
        const std::int32_t i = slot("set_velocity");
        const Vec2 change = velocity - bodies.velocity(i);
        if (bodies.types[i] == BodyType::Kinematic && change != Vec2{} && bodies.is_enabled(i)) {
            state_->velocity_changes.of(id()).change += change;
            detail::wake_with_leaning(*state_, id());
        } else if (velocity != Vec2{}) {
            detail::wake(*state_, id());
        }
        const std::int32_t awake = slot("set_velocity");
        if (bodies.types[awake] != BodyType::Static) bodies.velocities[awake] = velocity;
    }

    /// Cancels `move_to`; returns whether there was one to cancel.
    bool call_off_move() { return type() == BodyType::Kinematic && state_->targets.erase(id()); }

    detail::WorldState* state_;
};

}  // namespace phys2d::inline PHYS2D_ABI

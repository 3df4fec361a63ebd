// SPDX-License-Identifier: MIT
// BodyRef: a body of a World in hand, to read and to change.
// A ref is an id and its world: it stays good while other bodies come and go, and turns into an error
// that names the id once its body is destroyed. It must not outlive or move with its World object.
// Changes are for between the steps; made during one they are an error and change nothing.
#pragma once

#include <phys2d/world/sleep.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// Reads a body. Each call is O(1): an index look-up.
class ConstBodyRef {
public:
    ConstBodyRef(const detail::WorldState& state, BodyId id) : state_(&state), id_(id) {}

    [[nodiscard]] BodyId id() const { return id_; }
    [[nodiscard]] BodyType type() const { return state_->bodies.types[slot("type")]; }
    [[nodiscard]] Vec2 position() const { return state_->bodies.positions[slot("position")]; }
    /// Zero for static bodies.
    [[nodiscard]] Vec2 velocity() const {
        return state_->bodies.velocity(static_cast<std::int32_t>(slot("velocity")));
    }
    /// Where to draw the body between the last two steps; `alpha` is what `advance` returned.
    [[nodiscard]] Vec2 interpolated_position(float alpha) const {
        const std::size_t i = slot("interpolated_position");
        return lerp(state_->bodies.previous_positions[i], state_->bodies.positions[i], alpha);
    }
    /// Relative to the position.
    [[nodiscard]] Shape shape() const { return state_->bodies.shapes[slot("shape")]; }
    [[nodiscard]] AABB bounds() const {
        const std::size_t i = slot("bounds");
        return translate(phys2d::bounds(state_->bodies.shapes[i]), state_->bodies.positions[i]);
    }
    [[nodiscard]] Material material() const { return state_->bodies.materials[slot("material")]; }
    [[nodiscard]] ColliderDef collider() const {
        return state_->bodies.colliders[slot("collider")];
    }
    [[nodiscard]] Filter filter() const { return collider().filter; }
    /// [kg]; 0 is infinite. Kept, but without effect, while the body is not dynamic.
    [[nodiscard]] float mass() const { return state_->bodies.dynamics[slot("mass")].mass; }
    /// [1/kg]; 0 for everything that impulses do not move.
    [[nodiscard]] float inverse_mass() const {
        return state_->bodies.dynamics[slot("inverse_mass")].inverse_mass;
    }
    [[nodiscard]] float gravity_scale() const {
        return state_->bodies.dynamics[slot("gravity_scale")].gravity_scale;
    }
    [[nodiscard]] float linear_damping() const {
        return state_->bodies.dynamics[slot("linear_damping")].linear_damping;
    }
    /// Resting, and out of the step until something wakes it.
    [[nodiscard]] bool is_asleep() const {
        return state_->bodies.is_asleep(static_cast<std::int32_t>(slot("is_asleep")));
    }
    [[nodiscard]] std::uint64_t user_data() const {
        return state_->bodies.user_data[slot("user_data")];
    }

protected:
    [[nodiscard]] std::size_t slot(const char* call) const {
        return detail::at(state_->slot_of(id_, call));
    }

private:
    const detail::WorldState* state_;
    BodyId id_;
};

/// Reads and changes a body.
class BodyRef : public ConstBodyRef {
public:
    BodyRef(detail::WorldState& state, BodyId id) : ConstBodyRef(state, id), state_(&state) {}

    /// [m/s]. Static bodies ignore it. What stands on a kinematic body and is held by friction goes along.
    void set_velocity(Vec2 velocity) {
        require_unlocked("set_velocity");
        detail::require_finite(velocity, "set_velocity", "velocity");
        if (velocity != Vec2{}) detail::wake(*state_, id());
        if (type() == BodyType::Kinematic) note_change_to(velocity);
        const std::size_t i = slot("set_velocity");
        if (state_->bodies.types[i] != BodyType::Static) state_->bodies.velocities[i] = velocity;
    }

    /// Puts the body somewhere else at once; the way there is neither swept nor interpolated.
    void teleport(Vec2 position) {
        require_unlocked("teleport");
        detail::require_finite(position, "teleport", "position");
        const std::size_t i = detail::rouse(*state_, id());
        state_->bodies.positions[i] = position;
        state_->bodies.previous_positions[i] = position;
        state_->broad_phase.note_change(id());
        state_->bodies.refresh_narrow(static_cast<std::int32_t>(i));
        state_->forget_statics_if(state_->bodies.types[i]);
        detail::rouse(*state_, id());
    }

    /// Has a kinematic body be at `position` [m] after the next step, exactly, and rest there: it moves at the
    /// speed that takes, pushes and carries what is in its way or on it. Called before each step it follows
    /// a path. Other bodies are an error. Called off by `set_velocity`, `teleport` and the next `move_to`.
    void move_to(Vec2 position) {
        require_unlocked("move_to");
        detail::require_finite(position, "move_to", "position");
        const std::size_t i = slot("move_to");
        detail::require(state_->bodies.types[i] == BodyType::Kinematic,
                        "move_to: body %u is not kinematic, expected a kinematic body", id().index);
        const Vec2 from = state_->bodies.positions[i];
        const Vec2 velocity = (position - from) / state_->config.time_step;
        set_velocity(velocity);
        state_->targets.push_back({id(), from, position, velocity});
    }

    /// Adds a force [N] that acts during the next step; forces add up. No effect on infinite mass.
    void apply_force(Vec2 force) {
        require_unlocked("apply_force");
        detail::require_finite(force, "apply_force", "force");
        if (force != Vec2{}) detail::wake(*state_, id());
        const std::size_t i = slot("apply_force");
        if (state_->bodies.dynamics[i].inverse_mass > 0.0f) state_->bodies.forces[i] += force;
    }

    /// Changes the velocity at once by impulse / mass [N·s]. No effect on infinite mass.
    void apply_impulse(Vec2 impulse) {
        require_unlocked("apply_impulse");
        detail::require_finite(impulse, "apply_impulse", "impulse");
        if (impulse != Vec2{}) detail::wake(*state_, id());
        const std::size_t i = slot("apply_impulse");
        state_->bodies.velocities[i] += impulse * state_->bodies.dynamics[i].inverse_mass;
    }

    /// Spreads an impulse [N·s] evenly over the steps of the next `duration` seconds: every time step
    /// sees the same total. Any number can be under way at once; they end with the body.
    void apply_impulse(Vec2 impulse, float duration) {
        require_unlocked("apply_impulse");
        detail::require_finite(impulse, "apply_impulse", "impulse");
        detail::require_not_negative(duration, "apply_impulse", "duration");
        detail::wake(*state_, id());
        state_->impulses.push_back({id(), {impulse, duration}});
    }

    void set_gravity_scale(float scale) {
        require_unlocked("set_gravity_scale");
        detail::require_finite(scale, "set_gravity_scale", "gravity scale");
        state_->bodies.dynamics[detail::rouse(*state_, id())].gravity_scale = scale;
    }

    /// [1/s]; >= 0.
    void set_linear_damping(float damping) {
        require_unlocked("set_linear_damping");
        detail::require_not_negative(damping, "set_linear_damping", "linear damping");
        state_->bodies.dynamics[detail::rouse(*state_, id())].linear_damping = damping;
    }

    /// [kg]; 0 is infinite, `mass_from_density` computes it.
    void set_mass(float mass) {
        const std::size_t before = require_unlocked("set_mass");
        detail::Bodies& bodies = state_->bodies;
        const float checked = detail::checked_mass(mass, bodies.shapes[before],
                                                   bodies.materials[before].density, "set_mass");
        const std::size_t i = detail::rouse(*state_, id());
        bodies.dynamics[i].mass = checked;
        regroup(i);
    }

    /// Static bodies lose their velocity. The mass is kept for when the body is dynamic again.
    void set_type(BodyType type) {
        require_unlocked("set_type");
        detail::require_valid(type, "set_type");
        const std::size_t i = detail::rouse(*state_, id());
        state_->forget_statics_if(state_->bodies.types[i]);
        state_->forget_statics_if(type);
        state_->bodies.types[i] = type;
        state_->bodies.velocities[i] = type == BodyType::Static ? Vec2{} : velocity();
        if (type == BodyType::Static) {
            state_->bodies.previous_positions[i] = state_->bodies.positions[i];
        }
        regroup(i);
    }

    /// The mass is kept: call `set_mass(mass_from_density)` if it is to follow.
    void set_shape(const Shape& shape) {
        require_unlocked("set_shape");
        detail::require_valid(shape, "set_shape");
        const std::size_t i = detail::rouse(*state_, id());
        state_->bodies.shapes[i] = shape;
        state_->broad_phase.note_change(id());
        state_->bodies.refresh_narrow(static_cast<std::int32_t>(i));
        state_->broad_phase.forget_pairs();
        state_->forget_statics_if(state_->bodies.types[i]);
        detail::rouse(*state_, id());
    }

    /// The mass is kept: call `set_mass(mass_from_density)` if it is to follow.
    void set_material(const Material& material) {
        require_unlocked("set_material");
        detail::require_valid(material, "set_material");
        state_->bodies.materials[detail::rouse(*state_, id())] = material;
        state_->broad_phase.forget_pairs();
    }

    /// Acts from the next step on, whether anything moves or not.
    void set_collider(const ColliderDef& collider) {
        require_unlocked("set_collider");
        detail::require_valid(collider, "set_collider");
        state_->bodies.colliders[detail::rouse(*state_, id())] = collider;
        if (collider.is_sensor) state_->sensors.push_back(id());
        state_->broad_phase.forget_pairs();
    }
    /// The same for the filter alone.
    void set_filter(const Filter& filter) {
        ColliderDef changed = collider();
        changed.filter = filter;
        set_collider(changed);
    }

    /// Lets the body fall through the one-way colliders that it touches, until it is apart from them.
    void drop_through() {
        require_unlocked("drop_through");
        detail::rouse(*state_, id());
        const detail::Bodies& bodies = state_->bodies;
        const auto i = static_cast<std::int32_t>(slot("drop_through"));
        const float reach = mul(state_->config.contact_margin, state_->config.length_unit);
        state_->broad_phase.find_near(bodies, expand(bounds(), reach), state_->near);
        for (const std::int32_t other : state_->near) {
            const bool is_platform = bodies.colliders[detail::at(other)].one_way != OneWay::No;
            const Manifold manifold =
                collide(bodies.placed_shape(detail::at(i)), bodies.placed_shape(detail::at(other)));
            if (other == i || !is_platform || -manifold.penetration > reach) continue;
            state_->ignored.insert(id(), bodies.ids[detail::at(other)], true);
            state_->broad_phase.forget_pairs();
        }
    }

    /// Wakes the body and all that rests with it. Bodies wake by themselves when they are touched or
    /// changed.
    void wake() {
        require_unlocked("wake");
        detail::wake(*state_, id());
    }

    void set_user_data(std::uint64_t data) {
        state_->bodies.user_data[require_unlocked("set_user_data")] = data;
    }

private:
    std::size_t require_unlocked(const char* call) const {
        state_->require_unlocked(call);
        return slot(call);
    }

    /// What stands on a kinematic body goes along.
    void note_change_to(Vec2 new_velocity) {
        const Vec2 change = new_velocity - velocity();
        if (change == Vec2{}) return;
        detail::rouse(*state_, id());
        state_->velocity_changes.push_back({id(), change});
    }

    void regroup(std::size_t slot) {
        state_->broad_phase.note_change(id());
        state_->bodies.regroup(static_cast<std::int32_t>(slot));
        state_->broad_phase.forget_pairs();
    }

    detail::WorldState* state_;
};

}  // namespace phys2d::inline PHYS2D_ABI

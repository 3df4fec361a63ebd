// SPDX-License-Identifier: MIT
// BodyState: the data of a body that impulse dynamics needs, for games with their own loop.
#pragma once

#include <phys2d/dynamics/material.hpp>
#include <phys2d/math/vec2.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// A body as a plain value, without shape: the game keeps the shapes.
struct BodyState {
    Vec2 position{};            ///< [m]
    Vec2 velocity{};            ///< [m/s]
    float inverse_mass = 0.0f;  ///< [1/kg]; 0 is infinite mass: impulses have no effect
    Material material{};
};

/// Changes the velocity by an impulse [N·s].
constexpr void apply_impulse(BodyState& body, Vec2 impulse) {
    body.velocity += impulse * body.inverse_mass;
}

/// Advances the velocity by `dt` seconds of `acceleration` [m/s²], then divides it by 1 +
/// linear_damping * dt, which is stable for any damping [1/s]. Bodies of infinite mass keep theirs.
/// Pre: dt > 0.
constexpr void integrate_velocity(BodyState& body, Vec2 acceleration, float dt,
                                  float linear_damping = 0.0f) {
    if (body.inverse_mass == 0.0f) return;
    body.velocity += acceleration * dt;
    body.velocity /= 1.0f + mul(linear_damping, dt);
}

/// Advances the position by `dt` seconds at the current velocity.
constexpr void integrate_position(BodyState& body, float dt) {
    body.position += body.velocity * dt;
}

/// One step of semi-implicit Euler: advances the velocity, then the position with the new velocity,
/// which bounds the energy of orbits and springs. With contacts, resolve them between the two.
constexpr void integrate(BodyState& body, Vec2 acceleration, float dt,
                         float linear_damping = 0.0f) {
    integrate_velocity(body, acceleration, dt, linear_damping);
    integrate_position(body, dt);
}

}  // namespace phys2d::inline PHYS2D_ABI

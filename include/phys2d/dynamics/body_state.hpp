// SPDX-License-Identifier: MIT
// BodyState: everything a body needs to take part in impulse dynamics when you own the loop.
#pragma once

#include <phys2d/dynamics/material.hpp>
#include <phys2d/math/vec2.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// A body as a plain value; shapes are kept where the game keeps them.
struct BodyState {
    Vec2 position{};            ///< [m]
    Vec2 velocity{};            ///< [m/s]
    float inverse_mass = 0.0f;  ///< [1/kg]; 0 is infinite mass: impulses do not move it
    Material material{};
};

/// Changes the velocity as an impulse [N·s] does.
constexpr void apply_impulse(BodyState& body, Vec2 impulse) {
    body.velocity += impulse * body.inverse_mass;
}

/// The velocity after `dt` seconds of `acceleration` [m/s²]. `linear_damping` [1/s] slows it by
/// 1/(1 + damping·dt), which is stable however large. Infinite mass keeps its velocity. Pre: dt > 0.
constexpr void integrate_velocity(BodyState& body, Vec2 acceleration, float dt,
                                  float linear_damping = 0.0f) {
    if (body.inverse_mass == 0.0f) return;
    body.velocity += acceleration * dt;
    body.velocity /= 1.0f + mul(linear_damping, dt);
}

/// The position after `dt` seconds at the present velocity.
constexpr void integrate_position(BodyState& body, float dt) {
    body.position += body.velocity * dt;
}

/// One step of semi-implicit Euler: velocity first, then the position with the new velocity, which
/// keeps the energy of orbits and springs bounded. With contacts, resolve them between the two.
constexpr void integrate(BodyState& body, Vec2 acceleration, float dt,
                         float linear_damping = 0.0f) {
    integrate_velocity(body, acceleration, dt, linear_damping);
    integrate_position(body, dt);
}

}  // namespace phys2d::inline PHYS2D_ABI

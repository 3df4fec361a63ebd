// SPDX-License-Identifier: MIT
// BodyState: everything a body needs to take part in impulse dynamics when you own the loop.
#pragma once

#include <phys2d/dynamics/material.hpp>
#include <phys2d/math/vec2.hpp>

namespace phys2d {

/// A body as a plain value; shapes are kept where the game keeps them.
struct BodyState {
    Vec2 position{};              ///< [m]
    Vec2 velocity{};              ///< [m/s]
    float inverse_mass = 0.0f;  ///< [1/kg]; 0 is infinite mass: impulses do not move it
    Material material{};
};

/// Changes the velocity as an impulse [N·s] does.
constexpr void apply_impulse(BodyState& body, Vec2 impulse) {
    body.velocity += impulse * body.inverse_mass;
}

/// One step of semi-implicit Euler: velocity first, then the position with the new velocity.
/// Stable, and exact in energy for oscillations on average; bodies of infinite mass ignore
/// `acceleration` [m/s²] and keep their velocity. `linear_damping` [1/s] slows by 1/(1 + damping·dt).
/// Pre: dt > 0.
constexpr void integrate(BodyState& body, Vec2 acceleration, float dt, float linear_damping = 0.0f) {
    if (body.inverse_mass > 0.0f) {
        body.velocity += acceleration * dt;
        body.velocity /= 1.0f + mul(linear_damping, dt);
    }
    body.position += body.velocity * dt;
}

}  // namespace phys2d

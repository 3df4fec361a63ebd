// SPDX-License-Identifier: MIT
// The classic impulse engine: what a contact does to its two bodies.
//   resolve_collision   makes them separate, with restitution
//   resolve_friction    slows their sliding, within Coulomb's bound
//   correct_positions   resolves the penetration that rounding and time stepping leave
// Call the first two in this order for each manifold of a frame; several passes over all manifolds
// hold stacks better. Call the third once for each, whatever the number of passes: a manifold does
// not know what has been corrected since, and twice too much makes stacks explode.
// Ground and walls are a BodyState, too, of inverse mass 0; nothing bounces off them unless they
// have a restitution of their own. [Gaul2013], [Catto2006]
//
// The limits of the classic engine: restitution returns what gravity has added in the step as well,
// so an elastic ball rises higher with each bounce, and tall stacks sink with any number of passes.
// World has neither.
#pragma once

#include <phys2d/collision/manifold.hpp>
#include <phys2d/dynamics/body_state.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// Impulse that makes two touching bodies separate with the smaller of their restitutions.
///   v_n = (v_b - v_a)·n,  e = min(e_a, e_b),  j = -(1 + e)·v_n / (1/m_a + 1/m_b)
/// Returns j [N·s], never negative, for the bound of `resolve_friction`. Does nothing and returns 0
/// when the bodies already separate, or when both have infinite mass. [Gaul2013, eq. 10]
/// Pre: `manifold.normal` is a unit vector from a to b, and the bodies touch.
constexpr float resolve_collision(BodyState& a, BodyState& b, const Manifold& manifold) {
    const float closing_speed = -dot(b.velocity - a.velocity, manifold.normal);
    const float inverse_mass_sum = a.inverse_mass + b.inverse_mass;
    if (closing_speed <= 0.0f || inverse_mass_sum == 0.0f) return 0.0f;

    const float restitution = mix_restitution(a.material.restitution, b.material.restitution);
    const float impulse = mul(1.0f + restitution, closing_speed) / inverse_mass_sum;
    apply_impulse(a, manifold.normal * -impulse);
    apply_impulse(b, manifold.normal * impulse);
    return impulse;
}

/// Friction impulse of a contact: stops sliding if that needs at most friction * normal_impulse
/// (the contact sticks), else equals that bound (it slides). Surface velocities are included.
/// Returns the signed impulse along `perpendicular(manifold.normal)` [N·s].
/// Pre: `normal_impulse` >= 0, as `resolve_collision` returned it.
constexpr float resolve_friction(BodyState& a, BodyState& b, const Manifold& manifold,
                                 float normal_impulse) {
    const float inverse_mass_sum = a.inverse_mass + b.inverse_mass;
    if (inverse_mass_sum == 0.0f) return 0.0f;

    const Vec2 tangent = perpendicular(manifold.normal);
    const Vec2 surface_a = a.velocity + a.material.surface_velocity;
    const Vec2 surface_b = b.velocity + b.material.surface_velocity;
    const float sticking = -dot(surface_b - surface_a, tangent) / inverse_mass_sum;
    const float friction = mix_friction(a.material.friction, b.material.friction);
    const float bound = mul(friction, normal_impulse);
    const float impulse = clamp(sticking, -bound, bound);
    apply_impulse(a, tangent * -impulse);
    apply_impulse(b, tangent * impulse);
    return impulse;
}

/// Parameters of `correct_positions`.
struct PositionCorrection {
    /// Fraction of the penetration removed per call. Usual range [0.2, 0.8]: a lower value sinks
    /// under load, a higher one makes stacks jitter.
    float fraction = 0.2f;
    /// Penetration that is not corrected [m]. Usual range [0.01, 0.1] for objects of about a metre:
    /// it keeps resting contacts in contact from frame to frame.
    float slop = 0.01f;
};

/// Moves two penetrating bodies apart, the lighter one further. Velocities do not change, so it
/// adds no energy. Does nothing within the slop, or when both have infinite mass. Once for each
/// manifold: called again with the same one, it removes the same depth again.
/// [Gaul2013, eq. 12]
constexpr void correct_positions(BodyState& a, BodyState& b, const Manifold& manifold,
                                 PositionCorrection correction = {}) {
    const float inverse_mass_sum = a.inverse_mass + b.inverse_mass;
    const float excess = manifold.penetration - correction.slop;
    if (excess <= 0.0f || inverse_mass_sum == 0.0f) return;

    const Vec2 push = manifold.normal * (mul(correction.fraction, excess) / inverse_mass_sum);
    a.position -= push * a.inverse_mass;
    b.position += push * b.inverse_mass;
}

}  // namespace phys2d::inline PHYS2D_ABI

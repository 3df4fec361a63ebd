// SPDX-License-Identifier: MIT
// Material: the properties of a surface in contact, and how those of two surfaces mix.
#pragma once

#include <phys2d/math/vec2.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// Surface and substance of a collider.
struct Material {
    /// Separation speed divided by approach speed: 0 stays together, 1 rebounds fully. In [0, 1].
    /// Of two materials the smaller one counts, unless `WorldConfig::mix_restitution` differs.
    float restitution = 0.0f;
    /// Coulomb's coefficient: the contact sticks up to a friction impulse of friction * normal
    /// impulse, and slides at that bound. Range [0, 1e18]; 0 is ice. A body that is driven against
    /// a wall hangs on it by friction: give a hero that is a dynamic body none, and add a collider
    /// with friction at its feet, a little narrower, by which platforms carry it.
    float friction = 0.6f;
    /// Mass per area [kg/m²]. Range [0, inf). A body whose colliders all have density 0 has
    /// infinite mass.
    float density = 1.0f;
    /// Velocity of the surface relative to the body [m/s]: a conveyor belt. Only the tangential
    /// part acts, so on a slope give it along the slope; a belt that runs around something takes a
    /// collider for each side. In a World at most 1e30 along each axis.
    Vec2 surface_velocity{};

    static constexpr float max_friction = 1e18f;

    friend constexpr bool operator==(const Material& a, const Material& b) = default;
};

/// Mixes the coefficients of two materials into that of their contact.
using MixFunction = float (*)(float a, float b);

/// The smaller one.
[[nodiscard]] constexpr float mix_restitution(float a, float b) { return min(a, b); }

/// Geometric mean: ice makes every contact slippery.
[[nodiscard]] constexpr float mix_friction(float a, float b) { return sqrt(mul(a, b)); }

/// True for finite numbers within the ranges of restitution, friction and density.
[[nodiscard]] constexpr bool is_valid(const Material& material) {
    return material.restitution >= 0.0f && material.restitution <= 1.0f &&
           material.friction >= 0.0f && material.friction <= Material::max_friction &&
           material.density >= 0.0f && is_finite(material.density) &&
           is_finite(material.surface_velocity);
}

}  // namespace phys2d::inline PHYS2D_ABI

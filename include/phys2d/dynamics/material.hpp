// SPDX-License-Identifier: MIT
// Material: what a surface does in a contact, and how the materials of two surfaces mix.
#pragma once

#include <phys2d/math/vec2.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// Surface and substance of a collider.
struct Material {
    /// 0: the pair stays together; 1: it separates as fast as it met. Range [0, 1].
    float restitution = 0.0f;
    /// Coulomb's coefficient: below friction * normal impulse the contact sticks (static behaviour),
    /// at that bound it slides (dynamic behaviour). Range [0, 1e18]; 0 is ice.
    float friction = 0.6f;
    /// Mass per area [kg/m²]. Range [0, inf); 0 weighs nothing, and a body of nothing else has infinite mass.
    float density = 1.0f;
    /// What touches the surface is dragged along as if it moved at this velocity, on top of the body's own
    /// [m/s]: a conveyor belt. Only its part along the surface counts.
    Vec2 surface_velocity{};

    static constexpr float most_friction = 1e18f;

    friend constexpr bool operator==(const Material& a, const Material& b) = default;
};

/// How the coefficients of two materials become the coefficient of their contact.
using MixFunction = float (*)(float a, float b);

/// The duller surface decides.
[[nodiscard]] constexpr float mix_restitution(float a, float b) { return min(a, b); }

/// Geometric mean: ice makes every contact slippery.
[[nodiscard]] constexpr float mix_friction(float a, float b) { return sqrt(mul(a, b)); }

[[nodiscard]] constexpr bool is_valid(const Material& material) {
    return material.restitution >= 0.0f && material.restitution <= 1.0f &&
           material.friction >= 0.0f && material.friction <= Material::most_friction &&
           material.density >= 0.0f && is_finite(material.density) &&
           is_finite(material.surface_velocity);
}

}  // namespace phys2d::inline PHYS2D_ABI

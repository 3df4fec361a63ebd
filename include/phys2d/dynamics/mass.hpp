// SPDX-License-Identifier: MIT
// mass: how heavy is a body? Mass is stored as its inverse, so that infinite mass is zero and no
// formula needs a special case.
#pragma once

#include <phys2d/shapes/shape.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// Mass [kg] of a shape of the given density [kg/m²].
[[nodiscard]] constexpr float mass_of(const Shape& shape, float density) {
    return mul(density, area(shape));
}

/// 1/mass [1/kg]; mass 0 means infinite and gives 0. Pre: mass is 0 or at least 3e-39.
[[nodiscard]] constexpr float inverse_mass_of(float mass) {
    return mass > 0.0f ? 1.0f / mass : 0.0f;
}

}  // namespace phys2d::inline PHYS2D_ABI

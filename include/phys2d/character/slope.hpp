// SPDX-License-Identifier: MIT
// Slope: which ground can a character walk on?
//
// Slopes are given as rise over run, which needs no trigonometry: 0 is level, 1 is 45 degrees.
#pragma once

#include <phys2d/math/vec2.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Whether ground with this unit normal is at most as steep as `max_slope`. Walls and ceilings are
/// steeper than any slope.
[[nodiscard]] constexpr bool is_walkable(Vec2 normal, Vec2 up, float max_slope) {
    constexpr float rounding = 2e-4f;
    const float height = dot(normal, up);
    return height > 0.0f && abs(cross(normal, up)) <= mul(max_slope, height) + rounding;
}

/// The height of the unit normal of a slope: the cosine of its angle.
[[nodiscard]] constexpr float height_of_normal(float slope) {
    return 1.0f / sqrt(1.0f + square(slope));
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

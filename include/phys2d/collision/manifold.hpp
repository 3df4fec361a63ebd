// SPDX-License-Identifier: MIT
// Manifold: where and how deep two shapes touch. This file defines the sign convention.
//   normal       unit vector, from A to B: moving B along +normal separates the pair
//   penetration  > 0 overlap, 0 touching exactly, < 0 apart by -penetration
// Because nothing rotates, one point and one depth describe any contact completely.
#pragma once

#include <phys2d/math/vec2.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// The result of `collide`. Pairs that are apart have one too: `penetration` is negative, and
/// `normal` points along the shortest line from A to B.
struct Manifold {
    Vec2 normal{0.0f, 1.0f};
    float penetration = 0.0f;  ///< [m]
    Vec2 point{};              ///< midway between the two surfaces [m, world]

    /// True when the shapes overlap or touch exactly: `if (const Manifold m = collide(a, b)) ...`
    constexpr explicit operator bool() const { return penetration >= 0.0f; }
};

/// The same contact with the two shapes exchanged.
[[nodiscard]] constexpr Manifold flipped(Manifold manifold) {
    manifold.normal = -manifold.normal;
    return manifold;
}

}  // namespace phys2d::inline PHYS2D_ABI

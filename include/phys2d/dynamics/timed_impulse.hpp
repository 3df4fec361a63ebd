// SPDX-License-Identifier: MIT
// TimedImpulse: an impulse handed out over a duration, so that every frame rate sees the same total.
#pragma once

#include <phys2d/math/vec2.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// What is left of an impulse that acts over time.
struct TimedImpulse {
    Vec2 impulse{};         ///< still to come [N·s]
    float duration = 0.0f;  ///< over which it comes [s]

    /// Takes the share of the next `dt` seconds: an even part, and all that is left in the last step.
    /// Pre: dt > 0.
    constexpr Vec2 take(float dt) {
        const bool last = duration <= mul(dt, 1.001f);  // a sliver more than dt is rounding
        const Vec2 share = last ? impulse : impulse * (dt / duration);
        impulse -= share;
        duration = last ? 0.0f : duration - dt;
        return share;
    }

    /// Nothing is left to come.
    [[nodiscard]] constexpr bool is_spent() const { return impulse == Vec2{}; }
};

}  // namespace phys2d::inline PHYS2D_ABI

// SPDX-License-Identifier: MIT
// TimedImpulse: an impulse spread over a duration, with the same total at every frame rate, up to
// rounding: a thousandth for 60,000 steps.
#pragma once

#include <phys2d/math/vec2.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// The remaining part of an impulse that acts over time.
struct TimedImpulse {
    Vec2 impulse{};         ///< remaining impulse [N·s]
    float duration = 0.0f;  ///< remaining time [s]

    /// Takes the share of the next `dt` seconds: in proportion to time, and all of the rest in the
    /// last step. Pre: dt > 0.
    [[nodiscard]] constexpr Vec2 take(float dt) {
        const bool last = duration <= mul(dt, 1.001f);  // a sliver more than dt is rounding
        const Vec2 share = last ? impulse : impulse * (dt / duration);
        impulse -= share;
        duration = last ? 0.0f : duration - dt;
        return share;
    }

    /// True if no impulse remains.
    [[nodiscard]] constexpr bool is_spent() const { return impulse == Vec2{}; }
};

}  // namespace phys2d::inline PHYS2D_ABI

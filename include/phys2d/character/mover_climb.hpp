// SPDX-License-Identifier: MIT
// MoverClimb: how does a mover climb a step?
#pragma once

#include <phys2d/character/mover_way.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class MoverClimb : public MoverWay {
protected:
    using MoverWay::MoverWay;

    /// Climbs a step in a direction; returns whether there was one. `left` is the rest of the way
    /// [m]. The centre goes no further than the edge of the step, or it would overstep a narrow
    /// one. If that gives no foothold, it goes only as far as gives one.
    bool climb(Vec2 direction, float& left) {
        constexpr float foothold = 0.01f;  // of the radius
        const float enough = 4.0f * mover_.skin + mul(foothold, mover_.shape.radius);
        const float half_width = dot(outer_half_extents(mover_.shape), abs(direction));
        for (const float ahead : {min(left, half_width), enough}) {
            const Vec2 start = mover_.position;
            if (const float gone = step_up(direction * ahead); gone > 0.0f) {
                left = max(left - gone, 0.0f);
                return true;
            }
            mover_.position = start;
        }
        return false;
    }

private:
    /// Goes up, along `way`, and down onto higher ground; returns the part of `way` done [m]; 0 if
    /// that is less than the skin, so that rounding does not decide about it.
    float step_up(Vec2 way) {
        const Vec2 start = mover_.position;
        const Vec2 lowest = top_of(placed_shape(mover_), -mover_.up);
        const Vec2 lift = mover_.up * mover_.step_height;
        advance(lift, sight_.first_hit(lift));
        const float raised = dot(mover_.position - start, mover_.up);
        const float gone = mul(1.0f - advance(way, sight_.first_hit(way)), length(way));
        const Vec2 down = mover_.up * -(raised + mover_.skin);
        const MoverHit landing = sight_.ground_below(down);
        advance(down, landing);
        const float height = dot(landing.cast.point - lowest, mover_.up);
        const bool stands =
            landing && height <= raised && dot(mover_.position - start, mover_.up) > mover_.skin;
        return stands && gone > mover_.skin ? gone : 0.0f;
    }
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// Collide and slide by casts.
#pragma once

#include <phys2d/collision/cast.hpp>

namespace test {

/// Moves a shape for some seconds; cast(shape, way) gives what it hits. `off`: how far it keeps off
/// that.
template <class Cast>
void slide(phys2d::Shape& moving, phys2d::Vec2 velocity, float seconds, Cast cast,
           float off = 0.0f) {
    for (int turn = 0; turn < 4; ++turn) {
        const phys2d::Vec2 way = velocity * seconds;
        const auto hit = cast(moving, way);
        moving.center += way * phys2d::min(hit.fraction, 1.0f);
        if (!hit) return;
        moving.center += hit.normal * off;
        seconds *= 1.0f - hit.fraction;
        velocity -= hit.normal * dot(velocity, hit.normal);
    }
}

}  // namespace test

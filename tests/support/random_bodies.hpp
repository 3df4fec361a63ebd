// SPDX-License-Identifier: MIT
// Which bodies do the tests of whole crowds use? Of very different sizes and speeds.
#pragma once

#include <phys2d/shapes/shape.hpp>

#include "random.hpp"

namespace test {

/// Half of the bodies are a few centimetres wide, some are metres wide.
inline float random_half_size(Random& random) {
    if (random.one_in(12)) return random.uniform(1.0f, 4.0f);
    return random.one_in(2) ? random.uniform(0.02f, 0.1f) : random.uniform(0.1f, 0.6f);
}

inline phys2d::Shape random_collider(Random& random) {
    const float width = random_half_size(random), height = random_half_size(random);
    const phys2d::Vec2 center = random.one_in(4) ? random.point(0.5f) : phys2d::Vec2{};
    if (random.one_in(2)) return phys2d::Circle{width, center};
    return phys2d::Box{{width, height}, center};
}

/// Most bodies creep; one in twelve flies, up to a metre in a step of 1/60 s.
inline phys2d::Vec2 random_velocity(Random& random) {
    return random.one_in(12) ? random.point(60.0f) : random.point(0.05f);
}

}  // namespace test

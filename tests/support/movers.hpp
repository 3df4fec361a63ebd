// SPDX-License-Identifier: MIT
// Which shapes do the tests send over terrain?
#pragma once

#include <cmath>

#include <phys2d/shapes/shape.hpp>

#include "random.hpp"

namespace test {

/// Of any kind, as flat or narrow as 2 : 1, around the origin. `half`: of its longer side.
inline phys2d::Shape random_mover(Random& random, float half) {
    using namespace phys2d;
    const float less = random.uniform(0.5f, 1.0f) * half;
    const Vec2 sides = random.one_in(2) ? Vec2{half, less} : Vec2{less, half};
    switch (random.integer(0, 4)) {
        case 0: return Box{sides};
        case 1: return Circle{half};
        case 2: return Capsule{half - 0.5f * less, 0.5f * less, Axis::X};
        case 3: return Capsule{half - 0.5f * less, 0.5f * less, Axis::Y};
        default: return RoundedBox{sides - Vec2{0.4f, 0.4f} * less, 0.4f * less};
    }
}

/// How far a shape around the origin reaches against a direction.
inline float reach(const phys2d::Shape& shape, phys2d::Vec2 n) {
    return std::fabs(n.x) * shape.half_extents.x + std::fabs(n.y) * shape.half_extents.y +
           shape.radius;
}

}  // namespace test

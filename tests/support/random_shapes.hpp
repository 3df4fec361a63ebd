// SPDX-License-Identifier: MIT
// Which shapes do the property tests throw at the engine?
// Centres within 3 m of the origin along each axis and half sizes of 0.05 to 1.5 m: a fifth to a
// third of the pairs overlap. Also lattice versions, whose numbers are multiples of 1/8, so that
// their sums and products are exact, and touching and ties are common.
#pragma once

#include <phys2d/shapes/shape.hpp>

#include "random.hpp"

namespace test {

inline float random_size(Random& random) { return random.uniform(0.05f, 1.5f); }

inline phys2d::Circle random_circle(Random& random) {
    const float radius = random_size(random);
    return {radius, random.point(3.0f)};
}

inline phys2d::AABB random_aabb(Random& random) {
    const float half_width = random_size(random);
    const float half_height = random_size(random);
    return phys2d::aabb_around(random.point(3.0f), {half_width, half_height});
}

inline phys2d::Shape random_shape(Random& random) {
    const float width = random_size(random);
    const float height = random_size(random);
    const float radius = random_size(random);
    const phys2d::Vec2 center = random.point(3.0f);
    switch (random.integer(0, 4)) {
        case 0: return phys2d::Circle{radius, center};
        case 1: return phys2d::Box{{width, height}, center};
        case 2: return phys2d::Capsule{width, radius, phys2d::Axis::X, center};
        case 3: return phys2d::Capsule{height, radius, phys2d::Axis::Y, center};
        default: return phys2d::RoundedBox{{width, height}, radius, center};
    }
}

/// The same shape in a scene so many times as large.
inline phys2d::Shape scaled(phys2d::Shape shape, float factor) {
    shape.half_extents *= factor;
    shape.radius *= factor;
    shape.center *= factor;
    return shape;
}

/// A multiple of 1/8 in [low/8, high/8].
inline float lattice(Random& random, int low, int high) {
    return static_cast<float>(random.integer(low, high)) * 0.125f;
}

inline phys2d::Vec2 lattice_point(Random& random) {
    const float x = lattice(random, -12, 12);
    return {x, lattice(random, -12, 12)};
}

inline phys2d::Circle lattice_circle(Random& random) {
    const float radius = lattice(random, 1, 8);
    return {radius, lattice_point(random)};
}

inline phys2d::AABB lattice_aabb(Random& random) {
    const float half_width = lattice(random, 1, 8);
    const float half_height = lattice(random, 1, 8);
    return phys2d::aabb_around(lattice_point(random), {half_width, half_height});
}

inline phys2d::Shape lattice_shape(Random& random) {
    phys2d::Shape shape = phys2d::Shape(lattice_aabb(random));
    switch (random.integer(0, 3)) {
        case 0: return phys2d::Circle{shape.half_extents.x, shape.center};
        case 1: return shape;
        case 2: shape.half_extents.x = 0.0f; break;
        default: break;
    }
    shape.radius = lattice(random, 1, 4);
    return shape;
}

}  // namespace test

// SPDX-License-Identifier: MIT
// Rays through a state, the same way for every engine.
#pragma once

#include "quality.hpp"
#include <phys2d/collision/overlap.hpp>
#include <scenes/random.hpp>

namespace peers {

/// Where the dynamic bodies are.
/// Pre: there are some.
inline phys2d::AABB bounds_of(const std::vector<Placed>& bodies) {
    phys2d::AABB bounds{{scenes::far_away, scenes::far_away},
                        {-scenes::far_away, -scenes::far_away}};
    for (const Placed& placed : bodies) {
        if (is_dynamic(*placed.body)) bounds = merge(bounds, placed.motion.position);
    }
    return bounds;
}

/// Does no body cover the point? Engines disagree about rays that begin inside of one.
inline bool is_free(const Neighbours& neighbours, Vec2 point) {
    bool is_free = true;
    neighbours.for_each_near(point, [&](const Placed& placed) {
        if (contains(translate(placed.body->shape, placed.motion.position), point)) is_free = false;
    });
    return is_free;
}

/// Rays of 5 to 50 m in all directions, from free places among the dynamic bodies.
inline std::vector<Ray> random_rays(const std::vector<Placed>& bodies, std::size_t count,
                                    scenes::Random& random) {
    const Neighbours neighbours(bodies);
    const phys2d::AABB bounds = bounds_of(bodies);
    std::vector<Ray> rays;
    while (rays.size() < count) {
        const float x = random.between(bounds.min.x, bounds.max.x);
        const float y = random.between(bounds.min.y, bounds.max.y);
        const float angle = random.between(0.0f, 6.2831853f);
        const Vec2 direction{std::cos(angle), std::sin(angle)};
        const Vec2 translation = direction * random.between(5.0f, 50.0f);
        if (is_free(neighbours, {x, y})) rays.push_back({{x, y}, translation});
    }
    return rays;
}

}  // namespace peers

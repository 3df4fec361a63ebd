// SPDX-License-Identifier: MIT
// scenes: the scenes that tests, benches and the showcase share, as Worlds.
#pragma once

#include <span>

#include "library.hpp"
#include <phys2d/phys2d.hpp>

namespace scenes {

/// A World of what is there before the first step.
inline phys2d::World build(const Scene& scene) {
    phys2d::World world(scene.config);
    const BodyRange present = scene.present_at_start();
    for (std::size_t i = present.first; i < present.last; ++i) {
        const SceneBody& body = scene.bodies[i];
        world.create_body(body.def, body.shape, body.material);
    }
    return world;
}

/// To be called before each step of a swarm.
inline void steer(phys2d::World& world, float arena) {
    const Vec2 target = swarm_target(arena, world.step_count());
    const std::span<const Vec2> positions = world.positions();
    const std::span<Vec2> velocities = world.velocities();
    for (std::size_t i = 0; i < velocities.size(); ++i)
        velocities[i] = steered(velocities[i], positions[i], target);
}

}  // namespace scenes

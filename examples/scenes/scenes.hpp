// SPDX-License-Identifier: MIT
// scenes: the scenes that tests, benches and the showcase share, as Worlds.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "library.hpp"
#include <phys2d/phys2d.hpp>

namespace scenes {

/// The tiles of a scene as one map.
/// Pre: there are some.
inline phys2d::BodyId add_tile_map(phys2d::World& world, const Scene& scene) {
    const phys2d::BodyId id = world.create_tile_map();
    phys2d::TileMapRef map = world.tile_map(id);
    map.define(1, {.material = scene.bodies[scene.tiles.first].material});
    for (std::size_t i = scene.tiles.first; i < scene.tiles.last; ++i) {
        const auto [x, y] = scene.bodies[i].def.position;
        map.set(
            {static_cast<std::int32_t>(std::floor(x)), static_cast<std::int32_t>(std::floor(y))},
            1);
    }
    return id;
}

/// A World of what is there before the first step.
inline phys2d::World build(const Scene& scene) {
    phys2d::World world(scene.config);
    if (scene.tiles.first < scene.tiles.last) add_tile_map(world, scene);
    const BodyRange present = scene.present_at_start();
    for (std::size_t i = present.first; i < present.last; ++i) {
        const SceneBody& body = scene.bodies[i];
        if (!scene.is_tile(i)) world.create_body(body.def, body.shape, body.material);
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

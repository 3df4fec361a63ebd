// SPDX-License-Identifier: MIT
// Which tiles do the tests of tile maps use? One of each shape; also in a map of a World.
#pragma once

#include <phys2d/phys2d.hpp>

namespace test {

/// The shapes of tiles by id; 0 is no tile.
inline const phys2d::Polygon tile_shapes[] = {
    {},
    phys2d::full_tile(),
    {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}},  // slopes: a floor that rises, one that falls,
    {{0.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 1.0f}},
    {{0.0f, 1.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}},  // a ceiling that falls, one that rises
    {{0.0f, 0.0f}, {1.0f, 1.0f}, {0.0f, 1.0f}},
    {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 0.5f}, {0.0f, 0.5f}},           // a half tile
    {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}, {0.0f, 0.5f}},           // a gentle slope
    {{0.25f, 0.25f}, {0.75f, 0.25f}, {0.75f, 0.75f}, {0.25f, 0.75f}}};  // a block in the air

constexpr phys2d::TileId full = 1, rising_slope = 2, falling_slope = 3, half_tile = 6,
                         gentle_slope = 7;
/// Kinds up to `grounded` reach the sides of their tile, all up to `tile_kinds` are defined.
constexpr phys2d::TileId grounded = gentle_slope, tile_kinds = 8;

/// A map with a kind for each shape, and 100 + id as its user data.
inline phys2d::TileMapRef add_tile_map(phys2d::World& world, const phys2d::TileMapDef& def = {},
                                       const phys2d::Material& material = {}) {
    phys2d::TileMapRef map = world.tile_map(world.create_tile_map(def));
    for (phys2d::TileId id = 1; id <= tile_kinds; ++id) {
        map.define(id, {.shape = tile_shapes[id], .material = material, .user_data = 100u + id});
    }
    return map;
}

}  // namespace test

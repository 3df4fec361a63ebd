// SPDX-License-Identifier: MIT
// The scenes, under the names used in the field, with the sizes for which figures are quoted. SI
// units, gravity -10, friction 0.6, restitution 0 and density 1 unless stated.
#pragma once

#include <initializer_list>

#include "random.hpp"
#include "scene.hpp"

namespace scenes {

/// Unit boxes in rows of base, base - 1, ... 1, centred over `foot`.
inline void add_pyramid(Scene& scene, int base, Vec2 foot) {
    for (int row = 0; row < base; ++row) {
        for (int i = 0; i < base - row; ++i) {
            const float left = -0.5f * static_cast<float>(base - row - 1);
            const Vec2 place{left + static_cast<float>(i), static_cast<float>(row) + 0.5f};
            scene.add(foot + place, phys2d::Box{{0.5f, 0.5f}});
        }
    }
}

/// One pyramid on a wide floor: base * (base + 1) / 2 boxes.
inline Scene pyramid(int base) {
    Scene scene{.name = "pyramid"};
    scene.bounds.min.y = 0.0f;
    scene.add_static({0.0f, -1.0f}, {200.0f, 1.0f});
    add_pyramid(scene, base, {});
    return scene;
}

/// Pyramids of base 10, `side` floors of `side` each, as in Box2D's benchmark of that name.
inline Scene many_pyramids(int side) {
    constexpr int base = 10;
    constexpr float pitch = 11.0f;
    Scene scene{.name = "many_pyramids"};
    scene.bounds.min.y = 0.0f;
    const float half_width = 0.5f * pitch * static_cast<float>(side);
    for (int storey = 0; storey < side; ++storey) {
        const float floor = pitch * static_cast<float>(storey);
        scene.add_static({0.0f, floor - 0.25f}, {half_width, 0.25f});
        for (int i = 0; i < side; ++i) {
            const float x = pitch * (static_cast<float>(i) + 0.5f) - half_width;
            add_pyramid(scene, base, {x, floor});
        }
    }
    return scene;
}

/// A circle or a box, chessboard fashion, of half size `small` to `large`.
inline phys2d::Shape mixed_shape(Random& random, bool circle, float small, float large) {
    const float x = random.between(small, large);
    if (circle) return phys2d::Circle{x};
    return phys2d::Box{{x, random.between(small, large)}};
}

/// Walls 1 m thick to both sides of x = 0, from 1 m below y = 0 up to `top`.
inline void add_walls(Scene& scene, float half_width, float top,
                      const phys2d::Material& material = {}) {
    const float half_height = 0.5f * (top + 1.0f);
    for (const float x : {-half_width - 0.5f, half_width + 0.5f})
        scene.add_static({x, top - half_height}, {0.5f, half_height}, material);
}

/// Circles and boxes dropped into a container 1.25 m a column wide; odd rows are `stagger` to the
/// right of even ones [m].
inline Scene heap(std::string_view name, int count, int columns, float stagger = 0.0f) {
    Scene scene{.name = name};
    Random random;
    const float half_width = 0.625f * static_cast<float>(columns);
    scene.bounds = {{-half_width, 0.0f}, {half_width, far_away}};
    scene.add_static({0.0f, -0.5f}, {half_width + 1.0f, 0.5f});
    add_walls(scene, half_width, 11.0f + phys2d::mul(1.2f, static_cast<float>(count / columns)));
    for (int i = 0; i < count; ++i) {
        const int row = i / columns;
        const int column = i % columns;
        const float aside = row % 2 == 0 ? -0.5f * stagger : 0.5f * stagger;
        const Vec2 place{-half_width + phys2d::mul(static_cast<float>(column) + 0.5f, 1.25f),
                         1.0f + phys2d::mul(1.2f, static_cast<float>(row))};
        const float x = aside + random.between(-0.05f, 0.05f);
        const float y = random.between(-0.05f, 0.05f);
        scene.add(place + Vec2{x, y}, mixed_shape(random, (row + column) % 2 == 0, 0.3f, 0.5f));
    }
    return scene;
}

/// A container 100 m wide. Nothing rotates, so that the columns remain 80 towers beside each other.
inline Scene pile(int count) { return heap("pile", count, 80); }

/// Rows lie over the gaps of those below, so that towers do not stand and a heap forms.
inline Scene pile_staggered(int count) { return heap("pile_staggered", count, 80, 0.625f); }

/// As wide as it takes for 125 rows: what a body costs can be compared between sizes.
inline Scene pile_wide(int count) { return heap("pile_wide", count, (count + 124) / 125); }

/// Circles that all chase one point; see `steered`. No gravity, no friction, no walls.
inline Scene swarm(int count) {
    Scene scene{.name = "swarm", .config = {.gravity = {}}};
    scene.arena = phys2d::sqrt(static_cast<float>(count));
    Random random;
    for (int i = 0; i < count; ++i) {
        const float x = phys2d::mul(random.unit() - 0.5f, scene.arena);
        const float y = phys2d::mul(random.unit() - 0.5f, scene.arena);
        scene.add({x, y}, phys2d::Circle{0.25f}, {.friction = 0.0f});
    }
    return scene;
}

/// Elastic circles flying through a box without gravity.
inline Scene gas(int count) {
    constexpr phys2d::Material elastic{.restitution = 1.0f, .friction = 0.0f};
    Scene scene{.name = "gas", .config = {.gravity = {}}};
    Random random;
    const float half = phys2d::sqrt(static_cast<float>(count));
    scene.bounds = {{-half, -half}, {half, half}};
    const int columns = static_cast<int>(std::ceil(half));
    scene.add_static({0.0f, -half - 0.5f}, {half + 1.0f, 0.5f}, elastic);
    scene.add_static({0.0f, half + 0.5f}, {half + 1.0f, 0.5f}, elastic);
    scene.add_static({-half - 0.5f, 0.0f}, {0.5f, half + 1.0f}, elastic);
    scene.add_static({half + 0.5f, 0.0f}, {0.5f, half + 1.0f}, elastic);
    const float pitch = 2.0f * half / static_cast<float>(columns);
    for (int i = 0; i < count; ++i) {
        const Vec2 place{phys2d::mul(static_cast<float>(i % columns) + 0.5f, pitch) - half,
                         phys2d::mul(static_cast<float>(i / columns) + 0.5f, pitch) - half};
        const float x = random.between(-5.0f, 5.0f);
        const float y = random.between(-5.0f, 5.0f);
        scene.add(place, phys2d::Circle{0.25f}, elastic, {x, y});
    }
    return scene;
}

inline constexpr phys2d::Material smooth{.friction = 0.3f};

/// Columns of static unit boxes, side by side from `left` on and from y = 0 up, `height` to
/// `height` + 4 of them in each.
inline void add_columns(Scene& scene, float left, int count, int height) {
    for (int column = 0; column < count; ++column) {
        for (int row = 0; row < height + 7919 * column % 5; ++row) {
            scene.add_static(
                {left + static_cast<float>(column) + 0.5f, static_cast<float>(row) + 0.5f},
                {0.5f, 0.5f}, smooth);
        }
    }
}

/// Circles and boxes dropped in rows of 500 on a thousand columns, each up to `jitter` to either
/// side [m].
inline Scene tile_field(std::string_view name, int count, float jitter = 0.0f) {
    constexpr int per_row = 500;
    Scene scene{.name = name};
    scene.bounds = {{-500.0f, 1.0f}, {500.0f, far_away}};
    Random random;
    add_walls(scene, 500.0f, 18.0f + phys2d::mul(1.2f, static_cast<float>(count / per_row)),
              smooth);
    add_columns(scene, -500.0f, 1000, 1);
    for (int i = 0; i < count; ++i) {
        const int row = i / per_row;
        const int column = i % per_row;
        const float aside = jitter > 0.0f ? random.between(-jitter, jitter) : 0.0f;
        const Vec2 place{-499.0f + phys2d::mul(2.0f, static_cast<float>(column)) + aside,
                         8.0f + phys2d::mul(1.2f, static_cast<float>(row))};
        scene.add(place, mixed_shape(random, (row + column) % 2 == 0, 0.3f, 0.45f), smooth);
    }
    return scene;
}

/// Each column is a tower over the seam of two tiles.
inline Scene tiles(int count) { return tile_field("tiles", count); }

/// Towers do not stand, and heaps form on the tiles.
inline Scene tiles_jittered(int count) { return tile_field("tiles_jittered", count, 0.5f); }

/// The columns of `tiles` as a tile map.
inline Scene tile_map(int count) {
    Scene scene = tile_field("tile_map", count);
    constexpr std::size_t walls = 2;  // come first
    scene.tiles = {walls, scene.bodies.size() - static_cast<std::size_t>(count)};
    return scene;
}

/// Balls on 290 times as many tiles.
inline Scene tile_world(int count) {
    Scene scene{.name = "tile_world"};
    scene.bounds.min.y = 38.0f;
    add_columns(scene, 0.0f, 29 * count / 4, 38);
    scene.tiles = {0, scene.bodies.size()};
    for (int i = 0; i < count; ++i)
        scene.add({4.0f + 7.25f * static_cast<float>(i), 45.0f}, phys2d::Circle{0.4f}, smooth);
    return scene;
}

/// Five storeys of small static boxes, a wave over all of them every 8 steps, and after `columns`
/// waves the first comes again. As in Box2D's benchmark of that name, but for what falls: there
/// groups of five jointed figures, here the same number of loose circles and boxes of limb size.
inline Scene rain(int columns) {
    constexpr int storeys = 5;
    constexpr float storey_height = 45.0f;
    constexpr float tile = 0.5f;
    constexpr float spacing = 6.25f;  // between groups
    Scene scene{.name = "rain"};
    scene.bounds.min.y = 0.0f;
    const float half_width = 0.5f * spacing * static_cast<float>(columns);
    const int tiles_a_storey = static_cast<int>(2.0f * half_width / tile) + 1;
    for (int i = 0; i < storeys * tiles_a_storey; ++i) {
        scene.add_static({tile * static_cast<float>(i % tiles_a_storey) - half_width,
                          storey_height * static_cast<float>(i / tiles_a_storey)},
                         {0.5f * tile, 0.5f * tile});
    }
    scene.waves = static_cast<std::size_t>(columns);
    scene.first_wave = scene.bodies.size();
    scene.steps_between_waves = 8;
    Random random;
    for (int i = 0; i < columns * storeys; ++i) {
        const Vec2 corner{spacing * (static_cast<float>(i / storeys) + 0.5f) - half_width,
                          storey_height * static_cast<float>(i % storeys) + 40.0f};
        for (int limb = 0; limb < 55; ++limb) {  // 11 rows of 5, uneven, so that they tumble
            const float x = 0.5f * static_cast<float>(limb % 5) + random.between(-0.1f, 0.1f);
            const float y = phys2d::mul(0.19f, static_cast<float>(limb / 5));
            if (limb % 2 == 0) scene.add(corner + Vec2{x, y}, phys2d::Circle{0.08f});
            if (limb % 2 == 1) scene.add(corner + Vec2{x, y}, phys2d::Box{{0.1f, 0.08f}});
        }
    }
    return scene;
}

/// A heavy box flies into a wall of small ones, two thirds as high as it is long, without gravity.
/// As in Box2D's benchmark of that name.
inline Scene smash(int columns) {
    constexpr float size = 0.4f;
    Scene scene{.name = "smash", .config = {.gravity = {}}};
    scene.add({-20.0f, 0.0f}, phys2d::Box{{4.0f, 4.0f}}, {.density = 8.0f}, {40.0f, 0.0f});
    const int rows = 2 * columns / 3;
    for (int i = 0; i < columns * rows; ++i) {
        const float column = static_cast<float>(i / rows);
        const float row = static_cast<float>(i % rows) - 0.5f * static_cast<float>(rows);
        scene.add(Vec2{30.0f, 0.0f} + Vec2{column, row} * size,
                  phys2d::Box{{0.5f * size, 0.5f * size}});
    }
    return scene;
}

/// A scene by name, with the size and the number of steps that figures are quoted for.
struct Listing {
    std::string_view name;
    Scene (*make)(int size);
    int size;        ///< what `make` takes: bodies, or a length in bodies
    int small_size;  ///< enough to see that everything works
    int steps;
};

inline constexpr Listing listings[] = {
    {"pyramid", pyramid, 100, 10, 400},
    {"many_pyramids", many_pyramids, 20, 2, 200},
    {"pile", pile, 10'000, 400, 600},
    {"pile_staggered", pile_staggered, 10'000, 400, 600},
    {"pile_wide", pile_wide, 100'000, 400, 400},
    {"large_pile", pile, 100'000, 800, 300},
    {"tiles", tiles, 10'000, 500, 600},
    {"tiles_jittered", tiles_jittered, 10'000, 500, 600},
    {"tile_map", tile_map, 10'000, 500, 600},
    {"tile_world", tile_world, 1'000, 40, 300},
    {"rain", rain, 40, 4, 1'000},
    {"smash", smash, 120, 24, 300},
    {"swarm", swarm, 10'000, 400, 400},
    {"crowd", swarm, 200'000, 800, 200},
    {"gas", gas, 10'000, 400, 400},
};

/// nullptr if there is none of that name.
inline const Listing* find_listing(std::string_view name) {
    for (const Listing& listing : listings) {
        if (listing.name == name) return &listing;
    }
    return nullptr;
}

}  // namespace scenes

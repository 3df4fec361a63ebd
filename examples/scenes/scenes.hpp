// SPDX-License-Identifier: MIT
// The scenes that tests, bench and showcase share, under the names that the field uses.
//
// A scene is a plain list of what is in it, so that any engine can be given the same; `build` makes a
// World of it. SI units, gravity -10, friction 0.6, restitution 0 and density 1 unless said.
#pragma once

#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "random.hpp"
#include <phys2d/phys2d.hpp>

namespace scenes {

using phys2d::BodyType;
using phys2d::Vec2;

struct SceneBody {
    phys2d::BodyDef def;
    phys2d::Shape shape;
    phys2d::Material material;
};

struct Scene {
    std::string_view name;
    phys2d::WorldConfig config{.gravity = {0.0f, -10.0f}};
    std::vector<SceneBody> bodies{};
    float arena = 0.0f;  ///< side of the square that `steer` works in; 0 if nothing steers

    void add_static(Vec2 position, Vec2 half_extents, const phys2d::Material& material = {}) {
        bodies.push_back({{.type = BodyType::Static, .position = position},
                          phys2d::Box{half_extents},
                          material});
    }
    void add(Vec2 position, const phys2d::Shape& shape, const phys2d::Material& material = {},
             Vec2 velocity = {}) {
        bodies.push_back({{.position = position, .velocity = velocity}, shape, material});
    }
};

inline phys2d::World build(const Scene& scene) {
    phys2d::World world(scene.config);
    for (const SceneBody& body : scene.bodies)
        world.create_body(body.def, body.shape, body.material);
    return world;
}

/// Unit boxes in rows of base, base - 1, ... 1 on a wide floor: base * (base + 1) / 2 of them.
inline Scene pyramid(int base) {
    Scene scene{.name = "pyramid"};
    scene.add_static({0.0f, -1.0f}, {200.0f, 1.0f});
    for (int row = 0; row < base; ++row) {
        for (int i = 0; i < base - row; ++i) {
            const float left = -0.5f * static_cast<float>(base - row - 1);
            scene.add({left + static_cast<float>(i), static_cast<float>(row) + 0.5f},
                      phys2d::Box{{0.5f, 0.5f}});
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

/// Circles and boxes dropped into a container 100 m wide, 80 to a row.
inline Scene pile(int count) {
    constexpr int columns = 80;
    Scene scene{.name = "pile"};
    Random random;
    const float top = 11.0f + phys2d::mul(1.2f, static_cast<float>(count / columns));
    const float half_height = 0.5f * (top + 1.0f);
    scene.add_static({0.0f, -0.5f}, {51.0f, 0.5f});
    scene.add_static({-50.5f, top - half_height}, {0.5f, half_height});
    scene.add_static({50.5f, top - half_height}, {0.5f, half_height});
    for (int i = 0; i < count; ++i) {
        const int row = i / columns;
        const int column = i % columns;
        const Vec2 place{-50.0f + phys2d::mul(static_cast<float>(column) + 0.5f, 1.25f),
                         1.0f + phys2d::mul(1.2f, static_cast<float>(row))};
        const float x = random.between(-0.05f, 0.05f);
        const float y = random.between(-0.05f, 0.05f);
        scene.add(place + Vec2{x, y}, mixed_shape(random, (row + column) % 2 == 0, 0.3f, 0.5f));
    }
    return scene;
}

/// Circles that all chase one point; see `steer`. No gravity, no friction, no walls.
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

/// To be called before each step of a swarm: every body turns 10 % of the way to 3 m/s towards a point
/// that runs round an ellipse in ten seconds.
inline void steer(phys2d::World& world, float arena) {
    constexpr double radians_per_step = 2.0 * 3.14159265358979 / 600.0;
    const double phase = static_cast<double>(world.step_count()) * radians_per_step;
    const Vec2 target{arena / 4.0f * static_cast<float>(std::cos(phase)),
                      arena / 8.0f * static_cast<float>(std::sin(phase))};
    const std::span<const Vec2> positions = world.positions();
    const std::span<Vec2> velocities = world.velocities();
    for (std::size_t i = 0; i < velocities.size(); ++i) {
        const Vec2 wanted = phys2d::normalized(target - positions[i]) * 3.0f;
        velocities[i] += (wanted - velocities[i]) * 0.1f;
    }
}

/// Elastic circles flying through a box without gravity.
inline Scene gas(int count) {
    constexpr phys2d::Material elastic{.restitution = 1.0f, .friction = 0.0f};
    Scene scene{.name = "gas", .config = {.gravity = {}}};
    Random random;
    const float half = phys2d::sqrt(static_cast<float>(count));
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

/// Circles and boxes dropped in rows of 500 on a thousand columns of static unit boxes.
inline Scene tiles(int count) {
    constexpr phys2d::Material smooth{.friction = 0.3f};
    constexpr int columns = 1000;
    constexpr int per_row = 500;
    Scene scene{.name = "tiles"};
    Random random;
    const float top = 18.0f + phys2d::mul(1.2f, static_cast<float>(count / per_row));
    const float half_height = 0.5f * (top + 1.0f);
    scene.add_static({-500.5f, top - half_height}, {0.5f, half_height}, smooth);
    scene.add_static({500.5f, top - half_height}, {0.5f, half_height}, smooth);
    for (int column = 0; column < columns; ++column) {
        for (int row = 0; row < 1 + 7919 * column % 5; ++row) {
            scene.add_static({static_cast<float>(column) - 499.5f, static_cast<float>(row) + 0.5f},
                             {0.5f, 0.5f}, smooth);
        }
    }
    for (int i = 0; i < count; ++i) {
        const int row = i / per_row;
        const int column = i % per_row;
        const Vec2 place{-499.0f + phys2d::mul(2.0f, static_cast<float>(column)),
                         8.0f + phys2d::mul(1.2f, static_cast<float>(row))};
        scene.add(place, mixed_shape(random, (row + column) % 2 == 0, 0.3f, 0.45f), smooth);
    }
    return scene;
}

}  // namespace scenes

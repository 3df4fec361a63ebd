// SPDX-License-Identifier: MIT
// Which scenes are held to golden hashes, and how are they played?
// Each is a world, and what is done to it before each step. Everything here is exact or goes
// through the engine's own products, so that no compiler can round it another way; no libm.
#pragma once

#include <vector>

#include <scenes/scenes.hpp>

#include "../support/landscape.hpp"
#include "../support/playground.hpp"
#include "../support/random.hpp"

namespace test {

/// A world in play.
struct Played {
    phys2d::World world;
    Random random{};
    std::vector<phys2d::BodyId> ids{};  ///< for scenes that address their bodies
    float arena = 0.0f;
    Playground playground{};
    Landscape landscape{};
};

/// How a scene begins, and what happens before each of its steps.
struct PlayedScene {
    const char* name;
    Played (*begin)();
    void (*before_step)(Played& played);
};

inline void nothing(Played&) {}

inline Played playing(const scenes::Scene& scene) {
    return {.world = scenes::build(scene), .arena = scene.arena};
}

/// `scenes::steer` with a target that runs round a diamond, without sine and cosine.
inline void steer(Played& played) {
    const auto phase = static_cast<int>(played.world.step_count() % 600);
    const auto along = static_cast<float>(phase < 300 ? phase - 150 : 450 - phase) / 150.0f;
    const float across = phase < 300 ? 1.0f - phys2d::abs(along) : phys2d::abs(along) - 1.0f;
    const phys2d::Vec2 target = phys2d::Vec2{along, 0.5f * across} * (played.arena * 0.25f);
    const std::span<const phys2d::Vec2> positions = played.world.positions();
    const std::span<phys2d::Vec2> velocities = played.world.velocities();
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const phys2d::Vec2 wanted = phys2d::normalized(target - positions[i]) * 3.0f;
        velocities[i] += (wanted - velocities[i]) * 0.1f;
    }
}

inline phys2d::BodyId add_random_body(Played& played) {
    const float size = played.random.uniform(0.2f, 0.6f);
    const float x = played.random.uniform(-8.0f, 8.0f);
    const phys2d::BodyDef def{.position = {x, played.random.uniform(3.0f, 12.0f)}};
    if (played.random.one_in(2)) return played.world.create_body(def, phys2d::Circle{size});
    return played.world.create_body(def, phys2d::Box{{size, played.random.uniform(0.2f, 0.6f)}});
}

/// A tray in which bodies come and go.
inline Played tray() {
    Played played{.world = phys2d::World({.gravity = {0.0f, -10.0f}})};
    const phys2d::BodyDef floor{.type = phys2d::BodyType::Static, .position = {0.0f, -1.0f}};
    played.world.create_body(floor, phys2d::Box{{10.0f, 1.0f}});
    for (const float x : {-10.0f, 10.0f}) {
        const phys2d::BodyDef wall{.type = phys2d::BodyType::Static, .position = {x, 5.0f}};
        played.world.create_body(wall, phys2d::Box{{1.0f, 8.0f}});
    }
    for (int i = 0; i < 60; ++i) played.ids.push_back(add_random_body(played));
    return played;
}

/// Every third step one goes and one comes; others change their type, mass, shape or place.
inline void churn(Played& played) {
    phys2d::World& world = played.world;
    if (world.step_count() % 3 != 0) return;
    const std::size_t victim = played.random.bits() % played.ids.size();
    world.destroy_body(played.ids[victim]);
    played.ids[victim] = add_random_body(played);
    phys2d::BodyRef other = world.body(played.ids[played.random.bits() % played.ids.size()]);
    switch (played.random.integer(0, 7)) {
        case 0: other.set_type(phys2d::BodyType::Static); break;
        case 1: other.set_type(phys2d::BodyType::Dynamic); break;
        case 2: other.set_mass(played.random.uniform(0.5f, 5.0f)); break;
        case 3: other.set_shape(phys2d::Circle{played.random.uniform(0.2f, 0.6f)}); break;
        case 4: other.teleport({played.random.uniform(-8.0f, 8.0f), 12.0f}); break;
        default: break;
    }
}

/// Bounces, friction, damping, gravity scales, kinematic sweepers and impulses over time at once.
inline Played everything() {
    Played played = tray();
    phys2d::World& world = played.world;
    for (int i = 0; i < 40; ++i) {
        const phys2d::Material material{.restitution = played.random.unit(),
                                        .friction = played.random.unit(),
                                        .density = played.random.uniform(0.2f, 5.0f)};
        const phys2d::BodyDef def{.position = played.random.point(7.0f) + phys2d::Vec2{0.0f, 10.0f},
                                  .velocity = played.random.point(6.0f),
                                  .gravity_scale = played.random.uniform(-0.2f, 1.5f),
                                  .linear_damping = played.random.uniform(0.0f, 1.0f)};
        played.ids.push_back(world.create_body(
            def, phys2d::RoundedBox{{0.25f, played.random.uniform(0.1f, 0.4f)}, 0.125f}, material));
    }
    for (const float x : {-6.0f, 5.0f}) {
        const phys2d::BodyDef sweeper{.type = phys2d::BodyType::Kinematic, .position = {x, 0.5f}};
        played.ids.push_back(world.create_body(
            sweeper, phys2d::Capsule{0.5f, 0.25f, phys2d::Axis::X}, {.restitution = 0.75f}));
    }
    return played;
}

inline void push_around(Played& played) {
    phys2d::World& world = played.world;
    const float way = world.step_count() % 120 < 60 ? 3.0f : -3.0f;
    for (std::size_t i = played.ids.size() - 2; i < played.ids.size(); ++i) {
        world.body(played.ids[i]).set_velocity({way, 0.0f});
    }
    phys2d::BodyRef body = world.body(played.ids[played.random.bits() % played.ids.size()]);
    const float duration = played.random.uniform(0.0f, 0.5f);
    body.apply_impulse(played.random.point(2.0f), duration);
    body.apply_force(played.random.point(20.0f));
    if (world.step_count() == 150) world.set_gravity({1.0f, -8.0f});
}

inline Played playground() {
    Playground playground;
    phys2d::World world = playground.begin();
    return {.world = world, .playground = playground};
}

inline Played landscape() {
    Landscape landscape;
    phys2d::World world = landscape.begin();
    return {.world = world, .landscape = landscape};
}

inline constexpr PlayedScene played_scenes[] = {
    {"pyramid", [] { return playing(scenes::pyramid(20)); }, nothing},
    {"pile", [] { return playing(scenes::pile(500)); }, nothing},
    {"swarm", [] { return playing(scenes::swarm(500)); }, steer},
    {"gas", [] { return playing(scenes::gas(500)); }, nothing},
    {"tiles", [] { return playing(scenes::tiles(300)); }, nothing},
    {"churn", tray, churn},
    {"everything", everything, push_around},
    {"playground", playground, [](Played& played) { played.playground.before_step(played.world); }},
    {"landscape", landscape, [](Played& played) { played.landscape.before_step(played.world); }},
};

inline void play(Played& played, const PlayedScene& scene, int steps) {
    for (int i = 0; i < steps; ++i) {
        scene.before_step(played);
        played.world.step();
    }
}

}  // namespace test

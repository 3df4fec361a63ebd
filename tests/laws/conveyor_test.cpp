// SPDX-License-Identifier: MIT
// Do surfaces that move take along what is on them?
#include <cmath>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

namespace conveyor_test {

using namespace phys2d;

namespace {

constexpr Material belt(Vec2 velocity) { return {.friction = 0.5f, .surface_velocity = velocity}; }

}  // namespace

TEST_CASE("a conveyor speeds up what is put on it by friction, to its own speed and no further") {
    for (const float speed : {-3.0f, 2.0f}) {
        World world({.gravity = {0.0f, -10.0f}});
        world.create_body({.type = BodyType::Static}, Box{{100.0f, 0.5f}}, belt({speed, 0.0f}));
        const BodyId box =
            world.create_body({.position = {0.0f, 1.0f}}, Box{{0.5f, 0.5f}}, {.friction = 0.5f});
        for (int i = 0; i < 10; ++i) world.step();
        // a = µ g
        CHECK(world.body(box).velocity().x ==
              doctest::Approx(std::copysign(5.0f * 10.0f / 60.0f, speed)).epsilon(0.02));
        for (int i = 0; i < 600; ++i) world.step();
        CHECK(world.body(box).velocity().x == doctest::Approx(speed).epsilon(1e-4));
    }
}

TEST_CASE("only the part of a surface's velocity along it counts") {
    World world({.gravity = {0.0f, -10.0f}});
    world.create_body({.type = BodyType::Static}, Box{{10.0f, 0.5f}}, belt({0.0f, 5.0f}));
    world.create_body({.type = BodyType::Static, .position = {4.0f, 2.0f}}, Box{{0.5f, 1.5f}},
                      belt({-5.0f, 0.0f}));
    const BodyId on_top = world.create_body({.position = {0.0f, 1.0f}}, Box{{0.5f, 0.5f}});
    const BodyId beside = world.create_body({.position = {3.0f, 1.0f}}, Box{{0.5f, 0.5f}});
    for (int i = 0; i < 120; ++i) world.step();
    CHECK(length(world.body(on_top).position() - Vec2{0.0f, 1.0f}) < 0.01f);
    CHECK(length(world.body(beside).position() - Vec2{3.0f, 1.0f}) < 0.01f);
}

TEST_CASE("a wall whose surface runs upwards lifts what is pressed against it") {
    World world({.gravity = {0.0f, -10.0f}});
    world.create_body({.type = BodyType::Static, .position = {1.0f, 0.0f}}, Box{{0.5f, 50.0f}},
                      {.friction = 1.0f, .surface_velocity = {0.0f, 2.0f}});
    const BodyId box = world.create_body({.mass = 1.0f}, Box{{0.5f, 0.5f}}, {.friction = 1.0f});
    for (int i = 0; i < 240; ++i) {
        world.body(box).apply_force({30.0f, 0.0f});
        world.step();
    }
    CHECK(world.body(box).velocity().y == doctest::Approx(2.0f).epsilon(0.01));
}

TEST_CASE("a belt on a moving platform runs on top of the platform's own velocity") {
    World world({.gravity = {0.0f, -10.0f}});
    world.create_body({.type = BodyType::Kinematic, .velocity = {1.0f, 0.0f}}, Box{{50.0f, 0.5f}},
                      belt({2.0f, 0.0f}));
    const BodyId box = world.create_body({.position = {0.0f, 1.0f}}, Box{{0.5f, 0.5f}});
    for (int i = 0; i < 240; ++i) world.step();
    CHECK(world.body(box).velocity().x == doctest::Approx(3.0f).epsilon(1e-3));
}

TEST_CASE("a dynamic body with a belt drives itself along the ground") {
    World world({.gravity = {0.0f, -10.0f}});
    world.create_body({.type = BodyType::Static}, Box{{100.0f, 0.5f}});
    const BodyId tank =
        world.create_body({.position = {0.0f, 1.0f}}, Box{{0.5f, 0.5f}}, belt({-2.0f, 0.0f}));
    for (int i = 0; i < 240; ++i) world.step();
    CHECK(world.body(tank).velocity().x == doctest::Approx(2.0f).epsilon(1e-3));
}

TEST_CASE("a belt that is switched on wakes what sleeps on it") {
    World world({.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.3f});
    const BodyId ground = world.create_body({.type = BodyType::Static}, Box{{100.0f, 0.5f}});
    const BodyId box = world.create_body({.position = {0.0f, 1.0f}}, Box{{0.5f, 0.5f}});
    for (int i = 0; i < 90; ++i) world.step();
    REQUIRE(world.body(box).is_asleep());
    world.body(ground).set_material(belt({1.0f, 0.0f}));
    for (int i = 0; i < 120; ++i) world.step();
    CHECK(world.body(box).velocity().x == doctest::Approx(1.0f).epsilon(1e-3));
}

}  // namespace conveyor_test

// SPDX-License-Identifier: MIT
// Are kinematic bodies where they were told to be, and do they take others with them?
#include <cmath>
#include <cstddef>
#include <string>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "support/random.hpp"

namespace kinematic_test {

using namespace phys2d;

TEST_CASE(
    "a kinematic body that is moved to a place is there after the step, to the bit, and rests") {
    test::Random random;
    World world;
    const BodyId body = world.create_body({.type = BodyType::Kinematic}, Box{{1.0f, 1.0f}});
    for (int i = 0; i < 1000; ++i) {
        const Vec2 target = random.point(1000.0f);
        world.body(body).move_to(target);
        world.step();
        CHECK(world.body(body).position() == target);
        CHECK(world.body(body).velocity() == Vec2{});
    }
}

TEST_CASE("a platform that is moved up and down carries what stands on it") {
    World world({.gravity = {0.0f, -10.0f}});
    const BodyId platform = world.create_body({.type = BodyType::Kinematic}, Box{{2.0f, 0.5f}});
    const BodyId rider = world.create_body({.position = {0.0f, 1.0f}}, Box{{0.5f, 0.5f}});
    for (int i = 0; i < 600; ++i) {  // at 4.5 m/s² at most: falling is faster
        const float height = 0.5f * std::sin(0.05f * static_cast<float>(i));
        world.body(platform).move_to({0.0f, height});
        world.step();
        CHECK(world.body(rider).position().y - height == doctest::Approx(1.0f).epsilon(0.02));
    }
}

TEST_CASE("a wall that is moved fast pushes what is in its way and does not pass it") {
    World world({.gravity = {0.0f, 0.0f}});
    const BodyId wall = world.create_body({.type = BodyType::Kinematic}, Box{{0.05f, 2.0f}});
    const BodyId ball = world.create_body({.position = {2.0f, 0.0f}}, Circle{0.1f});
    world.body(wall).move_to({10.0f, 0.0f});
    world.step();
    CHECK(world.body(ball).position().x >= 10.1f);
}

TEST_CASE("only kinematic bodies can be moved to a place") {
    World world;
    const BodyId body = world.create_body({}, Circle{0.5f});
    std::string sentence;
    try {
        world.body(body).move_to({1.0f, 0.0f});
    } catch (const Error& error) {
        sentence = error.what();
    }
    CHECK(sentence == "move_to: body 0 is not kinematic, expected a kinematic body");
    world.step();
    CHECK(world.body(body).position().x == 0.0f);
}

TEST_CASE("a move to a place is called off by whatever else moves the body before the step") {
    World world;
    const BodyId body = world.create_body({.type = BodyType::Kinematic}, Box{{1.0f, 1.0f}});
    world.body(body).move_to({5.0f, 0.0f});
    world.body(body).move_to({1.0f, 0.0f});
    world.step();
    CHECK(world.body(body).position() == Vec2{1.0f, 0.0f});

    world.body(body).move_to({5.0f, 0.0f});
    world.body(body).set_velocity({0.0f, 60.0f});
    world.step();
    CHECK(world.body(body).position().x == 1.0f);
    CHECK(world.body(body).position().y == doctest::Approx(1.0f));
    CHECK(world.body(body).velocity() == Vec2{0.0f, 60.0f});

    world.body(body).set_velocity({});
    world.body(body).move_to({5.0f, 0.0f});
    world.body(body).teleport({-3.0f, 0.0f});
    world.step();
    CHECK(world.body(body).position() == Vec2{-3.0f, 0.0f});
    CHECK(world.body(body).velocity() == Vec2{});

    world.body(body).move_to({5.0f, 0.0f});
    world.body(body).set_type(BodyType::Kinematic);
    for (int i = 0; i < 10; ++i) world.step();
    CHECK(world.body(body).position() == Vec2{-3.0f, 0.0f});

    world.body(body).move_to({5.0f, 0.0f});
    world.body(body).teleport({-3.0f, 0.0f});  // where it is
    world.step();
    CHECK(world.body(body).position() == Vec2{-3.0f, 0.0f});

    world.body(body).move_to({-2.0f, 0.0f});
    world.body(body).set_velocity(world.body(body).velocity());  // what it has
    for (int i = 0; i < 3; ++i) world.step();
    CHECK(world.body(body).position().x == doctest::Approx(0.0f));
}

TEST_CASE("a place that a body was told to be at is forgotten with its type") {
    World world({.gravity = {}});
    const BodyId body = world.create_body({.type = BodyType::Kinematic}, Box{{1.0f, 1.0f}});
    world.body(body).move_to({6.0f, 0.0f});
    world.body(body).set_type(BodyType::Dynamic);
    world.body(body).teleport({0.0f, 9.0f});
    world.body(body).set_type(BodyType::Kinematic);
    world.step();
    CHECK(world.body(body).position().y == 9.0f);
}

TEST_CASE(
    "a body of infinite mass goes through all but bodies of finite mass, as a kinematic does") {
    for (const BodyType type : {BodyType::Kinematic, BodyType::Dynamic}) {
        World world({.gravity = {}});
        const BodyId heavy = world.create_body(
            {.type = type, .velocity = {6.0f, 0.0f}, .mass = 0.0f}, Box{{0.5f, 0.5f}});
        float x = 2.0f;
        for (const BodyType other : {BodyType::Static, BodyType::Kinematic, BodyType::Dynamic}) {
            world.create_body({.type = other, .position = {x, 0.0f}, .mass = 0.0f},
                              Box{{0.5f, 2.0f}});
            x += 2.0f;
        }
        std::size_t touched = 0;
        const auto run = [&] {
            for (int i = 0; i < 120; ++i) {
                world.step();
                touched += world.events().began.size();
            }
        };
        run();
        CHECK(touched == 0);
        CHECK(world.body(heavy).position().x == doctest::Approx(12.0));
        const BodyId light = world.create_body({.position = {15.0f, 0.0f}}, Circle{0.5f});
        run();
        CHECK(touched == 1);
        CHECK(world.body(light).position().x > 24.0f);
    }
}

}  // namespace kinematic_test

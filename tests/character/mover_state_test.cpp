// SPDX-License-Identifier: MIT
// What does a mover begin with, what does a copy of it hold, and which of its numbers are refused?
#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

using namespace phys2d;

namespace {

constexpr float dt = 1.0f / 60.0f;

World floor_world(float unit = 1.0f) {
    World world({.gravity = {0.0f, -10.0f * unit}, .length_unit = unit});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -unit}},
                      Box{{50.0f * unit, unit}});
    return world;
}

}  // namespace

TEST_CASE("a mover that begins or is put in the air has not been on the ground just before") {
    World world = floor_world();
    const auto check_in_air = [&](Mover& mover) {
        CHECK(mover.ground.steps_since_grounded == GroundState::long_ago);
        for (int i = 0; i < 3; ++i) {
            move(world, mover, {}, dt);
            CHECK_FALSE(mover.ground.is_grounded);
            CHECK(mover.ground.steps_since_grounded == GroundState::long_ago);
        }
    };
    Mover mover{.position = {0.0f, 50.0f}};
    check_in_air(mover);
    mover.position = {0.0f, 0.801f};
    move(world, mover, {0.0f, -1.0f}, dt);
    REQUIRE(mover.ground.is_grounded);
    CHECK(mover.ground.steps_since_grounded == 0);
    mover.teleport({0.0f, 50.0f});
    check_in_air(mover);
}

TEST_CASE("a mover counts its moves since it was on the ground from its last one on it") {
    World world = floor_world();
    Mover mover{.position = {0.0f, 0.801f}};
    move(world, mover, {0.0f, -1.0f}, dt);
    REQUIRE(mover.ground.is_grounded);
    for (int i = 0; i < 4; ++i) {
        CHECK(mover.ground.steps_since_grounded == i);
        move(world, mover, {0.0f, 5.0f}, dt);
    }
}

TEST_CASE("a copy of a mover goes without what it has looked at, and on in the same way") {
    World world = floor_world();
    Mover mover{.position = {0.0f, 0.801f}};
    for (int i = 0; i < 5; ++i) move(world, mover, {3.0f, -1.0f}, dt);
    REQUIRE_FALSE(mover.surroundings.empty());
    Mover copy = mover;
    CHECK(copy.surroundings.empty());
    CHECK(copy.surroundings.capacity() == 0);
    for (int i = 0; i < 60; ++i) {
        const Vec2 velocity{3.0f, i == 30 ? 4.0f : -1.0f};
        CHECK(move(world, mover, velocity, dt) == move(world, copy, velocity, dt));
        CHECK(mover.position == copy.position);
        CHECK(mover.ground.distance_to_edge == copy.ground.distance_to_edge);
    }
}

TEST_CASE(
    "a move with a number that is none in what a mover keeps is an error and changes nothing") {
    World world = floor_world();
    const auto is_refused_with = [&](auto change, const char* what) {
        for (const float bad : {std::nanf(""), INFINITY}) {
            Mover mover{.position = {0.0f, 0.801f}};
            change(mover, Vec2{bad, 0.0f});
            std::string sentence;
            try {
                move(world, mover, {1.0f, 0.0f}, dt);
            } catch (const Error& error) {
                sentence = error.what();
            }
            CHECK(sentence.starts_with(std::string("move: ") + what + " is "));
            CHECK(mover.position == Vec2{0.0f, 0.801f});
        }
    };
    is_refused_with([](Mover& mover, Vec2 v) { mover.previous_position = v; }, "previous_position");
    is_refused_with([](Mover& mover, Vec2 v) { mover.rounding = v; }, "rounding");
    is_refused_with([](Mover& mover, Vec2 v) { mover.platform_position = v; }, "platform_position");
    is_refused_with([](Mover& mover, Vec2 v) { mover.ground.normal = v; }, "ground.normal");
}

TEST_CASE("a mover lists what it may come to alone, however many bodies have changed") {
    World world = floor_world();
    Mover mover{.position = {0.0f, 0.801f}};
    for (int i = 0; i < 500; ++i) {
        const float x = static_cast<float>(i) - 250.0f;
        const BodyId body =
            world.create_body({.type = BodyType::Kinematic, .position = {x, 20.0f}}, Circle{0.4f});
        move(world, mover, {0.0f, -1.0f}, dt);
        CHECK(mover.surroundings.size() <= 1);
        world.body(body).teleport({x, 3.0f});
    }
    move(world, mover, {0.0f, 300.0f}, dt);
    CHECK(mover.ceiling.is_touched);
}

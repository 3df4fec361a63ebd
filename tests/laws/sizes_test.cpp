// SPDX-License-Identifier: MIT
// Do bodies of any size live together, a centimetre beside a kilometre?
#include <initializer_list>

#include <doctest/doctest.h>

#include "measure.hpp"

namespace sizes_test {

using namespace phys2d;

TEST_CASE("1 cm bodies dropped on a body of 1 km rest on it") {
    for (const BodyType type : {BodyType::Static, BodyType::Kinematic}) {
        World world({.gravity = test::down});
        world.create_body({.type = type, .position = {0.0f, -500.0f}}, Box{{500.0f, 500.0f}});
        const BodyId box = world.create_body({.position = {3.0f, 0.105f}}, Box{{0.005f, 0.005f}});
        const BodyId ball = world.create_body({.position = {-3.0f, 0.105f}}, Circle{0.005f});
        test::run(world, 120);
        for (const BodyId id : {box, ball}) {
            CHECK(world.body(id).position().y == doctest::Approx(0.005).epsilon(0.05));
            CHECK(world.body(id).velocity().y == doctest::Approx(0.0));
        }
        CHECK(test::fastest(world) < 1e-3);
    }
}

TEST_CASE("1 cm balls beside a dynamic body of 1 km are pushed by it and by each other alone") {
    World world = test::weightless();
    const BodyId giant = world.create_body({.position = {-600.0f, 0.0f}, .velocity = {1.0f, 0.0f}},
                                           Box{{500.0f, 500.0f}});
    const BodyId hit = world.create_body({.position = {-99.0f, 20.0f}}, Circle{0.01f});
    const BodyId near = world.create_body({.position = {-99.0f, 21.0f}}, Circle{0.01f});
    const BodyId beside = world.create_body({.position = {-99.0f, 500.1f}}, Circle{0.01f});
    test::run(world, 120);
    for (const BodyId id : {hit, near}) {
        CHECK(world.body(id).velocity().x == doctest::Approx(1.0).epsilon(1e-3));
        CHECK(world.body(id).position().x == doctest::Approx(-98.0).epsilon(1e-3));
    }
    CHECK(world.body(beside).position() == Vec2{-99.0f, 500.1f});
    CHECK(world.body(giant).velocity().x == doctest::Approx(1.0).epsilon(1e-6));
}

TEST_CASE("a hundred sizes from 1 cm to 1 km, dropped side by side, all rest on the floor") {
    World world({.gravity = test::down});
    test::add_floor(world, 1e6f);
    float x = 0.0f;
    float size = 0.005f;
    for (int i = 0; i < 100; ++i) {
        x += 3.0f * size + 0.1f;
        world.create_body({.position = {x, size + 0.1f}}, Box{{size, size}});
        x += 3.0f * size;
        size *= 1.1233f;  // the 100th is 500 m
    }
    test::run(world, 300);
    for (std::size_t i = 0; i < world.body_count(); ++i) {
        if (world.types()[i] != BodyType::Dynamic) continue;
        const double half = world.shapes()[i].half_extents.y;
        CAPTURE(half);
        CHECK(std::fabs(world.positions()[i].y - half) < 0.005 + 1e-6 * half);
        CHECK(test::speed(world.velocities()[i]) < 1e-3);
    }
}

TEST_CASE("a heap of bodies of any size has about as many pairs, also as it bursts apart") {
    constexpr int columns = 20;
    for (const float radius : {0.5f, 0.1f, 0.03f, 0.01f}) {
        CAPTURE(radius);
        World world;
        world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}},
                          Box{{99.0f, 1.0f}});
        const auto of_balls = [&](float more) {
            return more * static_cast<float>(world.moving_count());
        };
        for (int i = 0; i < columns * columns; ++i) {
            const Vec2 place{static_cast<float>(i % columns), static_cast<float>(i / columns)};
            world.create_body({.position = (place * 2.05f + Vec2{0.0f, 1.0f}) * radius},
                              Circle{radius});
        }
        for (int i = 0; i < 60; ++i) world.step();
        CHECK(static_cast<float>(world.stats().pairs) < of_balls(30.0f));
        const Vec2 middle{columns * radius, columns * radius};
        for (std::size_t i = 0; i < world.moving_count(); ++i) {
            world.velocities()[i] = (world.positions()[i] - middle) * (2.0f / radius);
        }
        for (int i = 0; i < 10; ++i) {
            world.step();
            CHECK(static_cast<float>(world.stats().pairs) < of_balls(50.0f));
        }
    }
}

}  // namespace sizes_test

// SPDX-License-Identifier: MIT
// Is what stands behind something else safe from fast bodies? SCENES [12] [13]
#include <cmath>

#include <doctest/doctest.h>
#include <phys2d/phys2d.hpp>

#include "support/random.hpp"

namespace shadow_test {

using namespace phys2d;

namespace {

enum class Wall { Box, Tiles, Line, Polygon };

constexpr Wall walls[] = {Wall::Box, Wall::Tiles, Wall::Line, Wall::Polygon};

/// An upright wall, at most 0.2 m thick, whose right side is at x = 0.
void add_wall(World& world, Wall wall) {
    const BodyDef fixed{.type = BodyType::Static};
    const AABB whole{{-0.2f, -1.0f}, {0.0f, 1.0f}};
    switch (wall) {
        case Wall::Box: world.create_body(fixed, whole); break;
        case Wall::Line: world.create_body(fixed, Segment{{0.0f, -1.0f}, {0.0f, 1.0f}}); break;
        case Wall::Polygon: world.create_body(fixed, Polygon(whole)); break;
        case Wall::Tiles: {
            TileMapRef map =
                world.tile_map(world.create_tile_map({.position = whole.min, .tile_size = 0.2f}));
            map.define(1);
            map.fill({{0, 0}, {0, 9}}, 1);
        }
    }
}

}  // namespace

TEST_CASE("what stands behind a wall is not hit through it") {
    for (const Wall wall : walls) {
        for (const float speed : {5.0f, 20.0f, 60.0f, 120.0f, 180.0f, 240.0f, 300.0f}) {
            for (int i = 0; i < 30; ++i) {
                World world({.gravity = {}});
                const BodyId target =
                    world.create_body({.position = {0.35f, 0.0f}, .mass = 1.0f}, Box{{0.3f, 0.3f}});
                add_wall(world, wall);
                const BodyDef shot{.position = {-0.4f - 0.1f * static_cast<float>(i), 0.05f},
                                   .velocity = {speed, 0.0f},
                                   .mass = 0.05f};
                const BodyId bullet = world.create_body(shot, Circle{0.1f});
                for (int step = 0; step < 60; ++step) {
                    world.step();
                    CHECK_FALSE(world.are_touching(bullet, target));
                }
                INFO("wall ", static_cast<int>(wall), ", speed ", speed, ", start ", i);
                CHECK(world.body(target).velocity() == Vec2{});
                CHECK(world.body(bullet).position().x < 0.0f);
            }
        }
    }
}

TEST_CASE("a bullet gives a row of crates the same, in whichever order they were created") {
    for (const float speed : {60.0f, 150.0f, 300.0f, 600.0f}) {
        for (int shot = 0; shot < 40; ++shot) {
            const bool is_reverse = shot % 2 == 1;
            World world({.gravity = {}});
            BodyId crates[5];
            for (int i = 0; i < 5; ++i) {
                const int place = is_reverse ? 4 - i : i;
                crates[place] = world.create_body(
                    {.position = {0.7f * static_cast<float>(place), 0.0f}, .mass = 100.0f},
                    Box{{0.1f, 0.3f}});
            }
            const float start = -0.5f - 0.2f * static_cast<float>(shot / 2);
            world.create_body({.position = {start, 0.0f}, .velocity = {speed, 0.0f}, .mass = 0.05f},
                              Circle{0.05f});
            for (int i = 0; i < 6; ++i) world.step();
            const float expected = speed * 0.05f / 100.05f;  // an inelastic impact with the first
            INFO("speed ", speed, ", shot ", shot);
            CHECK(world.body(crates[0]).velocity().x == doctest::Approx(expected));
            for (int i = 1; i < 5; ++i) CHECK(world.body(crates[i]).velocity() == Vec2{});
        }
    }
}

TEST_CASE("a fast body does not get through a wall behind something that gives way") {
    test::Random random;
    for (int i = 0; i < test::many / 200; ++i) {
        World world({.gravity = {}});
        const float half = random.uniform(0.05f, 0.4f);
        const float gap = random.uniform(0.0f, 0.4f);
        world.create_body({.position = {-0.2f - gap - half, random.uniform(-0.5f, 0.5f)},
                           .mass = random.uniform(0.01f, 2.0f)},
                          Box{{half, half}});
        add_wall(world, walls[random.integer(0, 3)]);
        const float start = 0.8f + gap + 2.0f * half + random.uniform(0.0f, 3.0f);
        const BodyId bullet = world.create_body(
            {.position = {-start, 0.0f},
             .velocity = {random.uniform(10.0f, 400.0f), random.uniform(-10.0f, 10.0f)},
             .mass = random.uniform(0.05f, 10.0f)},
            Circle{0.1f});
        for (int step = 0; step < 10; ++step) {
            world.step();
            const Vec2 place = world.body(bullet).position();
            INFO("shot ", i, ", step ", step);
            CHECK((place.x < 0.0f || std::fabs(place.y) > 1.0f));
        }
    }
}

TEST_CASE("few shots at a crate touch the wall behind it") {
    test::Random random;
    constexpr int shots = test::many / 500;
    int touched = 0;
    for (int i = 0; i < shots; ++i) {
        World world({.gravity = {}});
        const float half = random.uniform(0.1f, 0.5f);
        const float gap = random.uniform(0.0f, 0.3f);
        world.create_body({.position = {-0.2f - gap - half, 0.0f}, .mass = 2.0f},
                          Box{{half, half}});
        add_wall(world, Wall::Box);
        const float start = 0.4f + gap + 2.0f * half + random.uniform(0.0f, 3.0f);
        const BodyId bullet =
            world.create_body({.position = {-start, 0.5f * random.uniform(-half, half)},
                               .velocity = {random.uniform(30.0f, 300.0f), 0.0f},
                               .mass = 0.5f},
                              Circle{0.05f});
        for (int step = 0; step < 8; ++step) {
            world.step();
            for (const ContactEvent& event : world.events().began) {
                const bool is_bullet = event.a == bullet || event.b == bullet;
                const BodyId other = event.a == bullet ? event.b : event.a;
                touched += is_bullet && world.body(other).type() == BodyType::Static ? 1 : 0;
            }
        }
    }
    CHECK(touched < shots / 50);  // measured 16 of 2,000
}

}  // namespace shadow_test

// SPDX-License-Identifier: MIT
// Static boxes that abut, overlap, or lie beside tiles behave as their union. SCENES [1] [2] [4]
// [12]
#include <cmath>
#include <vector>

#include <doctest/doctest.h>
#include <phys2d/phys2d.hpp>

#include "../support/random.hpp"

namespace union_test {

using namespace phys2d;

namespace {

constexpr Material slippery{.friction = 0.0f};

BodyId add_box(World& world, Vec2 low, Vec2 high) {
    return world.create_body({.type = BodyType::Static, .position = (low + high) * 0.5f},
                             Box{(high - low) * 0.5f}, slippery);
}

/// A floor whose top is at y = 0, from x = -400 to 400.
World floor_of(int kind) {
    World world({.gravity = {0.0f, -10.0f}});
    test::Random random;
    const BodyId maps[] = {world.create_tile_map({.position = {0.0f, -1.0f}}),
                           world.create_tile_map({.position = {0.0f, -1.0f}})};
    for (const BodyId map : maps) world.tile_map(map).define(1, {.material = slippery});
    float x = -400.0f;
    for (int i = 0; x < 400.0f; ++i) {
        const float gap = kind == 1 ? std::nextafter(std::fabs(x), 1e9f) - std::fabs(x) : 0.0f;
        float width = 1.0f;
        if (kind == 2) width = static_cast<float>(random.integer(1, 8)) * 0.5f;
        const float depth = kind == 2 ? random.uniform(0.2f, 3.0f) : 1.0f;
        if (kind == 5 || (kind == 3 && i % 3 != 0)) {
            const BodyId map = maps[kind == 5 ? i % 2 : 0];
            world.tile_map(map).set({static_cast<std::int32_t>(x), 0}, 1);
        } else {
            const float overlap = kind == 4 ? 0.3f : 0.0f;
            add_box(world, {x + gap, -depth}, {x + width + overlap, 0.0f});
        }
        x += width;
    }
    return world;
}

Shape slider(int kind) {
    switch (kind) {
        case 0: return Box{{0.2f, 0.2f}};
        case 1: return Circle{0.3f};
        case 2: return Capsule{0.4f, 0.2f};
        default: return Box{{1.5f, 0.5f}};
    }
}

}  // namespace

TEST_CASE(
    "what slides over abutting boxes, over some that overlap, over tiles between them, and over "
    "the "
    "tiles of two maps in turn, keeps its speed") {
    for (int floor = 0; floor < 6; ++floor) {
        World world = floor_of(floor);
        for (int k = 0; k < 4; ++k) {
            for (const float speed : {0.5f, -20.0f, 200.0f}) {
                CAPTURE(floor);
                CAPTURE(k);
                CAPTURE(speed);
                const float height = outer_half_extents(slider(k)).y;
                const float start = speed < 0.0f ? 300.0f : -300.0f;
                const BodyId body = world.create_body(
                    {.position = {start, height}, .velocity = {speed, 0.0f}}, slider(k), slippery);
                float lost = 0.0f;
                float off = 0.0f;
                for (int i = 0; i < 150; ++i) {
                    world.step();
                    lost = std::fmax(lost, std::fabs(world.body(body).velocity().x - speed));
                    off = std::fmax(off, std::fabs(world.body(body).position().y - height));
                }
                CHECK(lost <= 1e-3f * std::fabs(speed));
                CHECK(off < 0.001f);  // a tenth of a millimetre of sinking, and none of it in jumps
                world.destroy_body(body);
            }
        }
    }
}

TEST_CASE("a box pressed into a wall of many boxes falls along it as along one") {
    World world({.gravity = {0.0f, -10.0f}});
    for (int i = 0; i < 60; ++i) {
        const auto y = static_cast<float>(i);
        add_box(world, {0.0f, -y - 1.0f}, {1.0f + static_cast<float>(i % 3), -y});
    }
    const BodyId body = world.create_body({.position = {-0.5f, 2.0f}}, Box{{0.5f, 0.4f}}, slippery);
    for (int i = 0; i < 180; ++i) {
        world.body(body).apply_force({400.0f, 0.0f});
        world.step();
    }
    CHECK(world.body(body).velocity().y == doctest::Approx(-30.0).epsilon(1e-3));
}

namespace {

/// Boxes at rest far away: few of all bodies move.
void add_resting_boxes(World& world) {
    add_box(world, {50.0f, -1.0f}, {150.0f, 0.0f});
    for (int i = 0; i < 20; ++i) {
        world.create_body({.position = {60.0f + 2.0f * static_cast<float>(i), 0.5f}},
                          Box{{0.5f, 0.5f}});
    }
}

}  // namespace

TEST_CASE("a box from which tiles are dug away is whole again for what rests on it") {
    for (const int edits_elsewhere : {0, 40}) {
        World world;
        add_box(world, {-2.0f, -1.0f}, {2.0f, 0.0f});
        TileMapRef map = world.tile_map(world.create_tile_map({.position = {-2.0f, 0.0f}}));
        map.define('#');
        map.fill({{0, 0}, {1, 1}}, '#');
        map.set({142, 0}, '#');
        add_resting_boxes(world);
        const BodyId body =
            world.create_body({.position = {0.6f, 0.5f}}, Box{{0.4f, 0.5f}}, slippery);
        for (int i = 0; i < 100; ++i) {
            if (i < edits_elsewhere) map.set({140, 0}, i % 2 == 0 ? '#' : TileId{0});
            world.step();
        }
        map.fill({{0, 0}, {1, 1}}, 0);
        world.body(body).set_velocity({-1.0f, 0.0f});
        for (int i = 0; i < 90; ++i) {
            world.step();
            REQUIRE(world.body(body).position().y > 0.49f);
        }
    }
}

TEST_CASE("a tile that comes and goes beside a box is welded to it and taken off it") {
    int steps_below = 0;
    for (int round = 0; round < 20; ++round) {
        test::Random random;
        for (int i = 0; i < round; ++i) static_cast<void>(random.one_in(2));
        World world;
        add_box(world, {-2.0f, -1.0f}, {2.0f, 0.0f});
        TileMapRef map = world.tile_map(world.create_tile_map({.position = {2.0f, -1.0f}}));
        map.define('#');
        map.set({8, 0}, '#');
        add_resting_boxes(world);
        const BodyId ball = world.create_body({.position = {1.7f, 0.5f}}, Circle{0.5f}, slippery);
        for (int i = 0; i < 400; ++i) {
            if (random.one_in(8)) map.set({0, 0}, random.one_in(2) ? '#' : TileId{0});
            if (random.one_in(8))
                world.body(ball).set_velocity(
                    {random.uniform(-3.0f, 3.0f), random.uniform(-9.0f, 9.0f)});
            if (random.one_in(24))
                world.body(ball).teleport({random.uniform(1.0f, 1.9f), random.uniform(0.5f, 0.8f)});
            world.step();
            const Vec2 place = world.body(ball).position();
            const bool is_below = abs(place.x) < 1.9f && place.y > -0.9f && place.y < 0.45f;
            steps_below += is_below ? 1 : 0;
        }
    }
    CHECK(steps_below == 0);
}

TEST_CASE("a side that a tile gives free holds also if all pairs are found anew in that step") {
    World world;
    add_box(world, {-2.0f, -1.0f}, {2.0f, 0.0f});
    TileMapRef map = world.tile_map(world.create_tile_map({.position = {2.0f, -1.0f}}));
    map.define('#');
    map.set({0, 0}, '#');
    const BodyId ball = world.create_body({.position = {1.9f, 0.4f}}, Circle{0.4f});
    for (int i = 0; i < 30; ++i) world.step();
    map.set({0, 0}, TileId{0});
    world.body(ball).teleport({2.5f, -0.5f});
    world.body(ball).set_velocity({-5.0f, 0.0f});
    std::vector<BodyId> guests;
    for (int i = 0; i < 9; ++i) guests.push_back(world.create_body({}, Circle{}));
    for (const BodyId guest : guests) world.destroy_body(guest);
    world.step();
    REQUIRE(world.stats().pairs_rebuilt);
    for (int i = 0; i < 10; ++i) world.step();
    CHECK(world.body(ball).position().x > 2.39f);
}

TEST_CASE("boxes that come and go are welded and cut as they do") {
    World world({.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.2f});
    std::vector<BodyId> floor;
    for (int i = 0; i < 40; ++i) {
        const auto x = static_cast<float>(i);
        floor.push_back(add_box(world, {x, -1.0f}, {x + 1.0f, 0.0f}));
    }
    const BodyId body = world.create_body({.position = {20.5f, 0.4f}}, Box{{0.4f, 0.4f}});
    for (int i = 0; i < 60; ++i) world.step();
    CHECK(world.body(body).is_asleep());
    world.destroy_body(floor[20]);
    for (int i = 0; i < 60; ++i) world.step();
    CHECK(world.body(body).position().y < -1.0f);  // through a hole as wide as itself and a fifth
    add_box(world, {20.0f, -1.0f}, {21.0f, 0.0f});
    const BodyId next = world.create_body({.position = {10.0f, 0.4f}, .velocity = {12.0f, 0.0f}},
                                          Box{{0.4f, 0.4f}}, slippery);
    for (int i = 0; i < 90; ++i) world.step();
    CHECK(world.body(next).velocity().x == doctest::Approx(12.0).epsilon(1e-3));
    world.body(floor[35]).teleport({35.5f, 0.3f});
    for (int i = 0; i < 60; ++i) world.step();
    CHECK(world.body(next).position().x < 34.61f);  // a step of 0.8 m is a wall
}

TEST_CASE(
    "a box or tile that becomes a sensor, one-way or of another filter uncovers the box beside "
    "it") {
    const ColliderDef changes[] = {
        {.filter = {.category = 2, .mask = 2}}, {.is_sensor = true}, {.one_way = OneWay::Up}};
    for (const ColliderDef& change : changes) {
        for (const bool is_tile : {false, true}) {
            World world({.gravity = {0.0f, 0.0f}});
            add_box(world, {0.0f, -1.0f}, {1.0f, 0.0f});
            BodyId beside;
            if (is_tile) {
                beside = world.create_tile_map({.position = {1.0f, -1.0f}});
                world.tile_map(beside).define(1);
                world.tile_map(beside).set({0, 0}, 1);
            } else {
                beside = add_box(world, {1.0f, -1.0f}, {2.0f, 0.0f});
            }
            world.create_body({.position = {0.5f, 0.3f}}, Circle{0.3f});  // has the box welded
            for (int i = 0; i < 10; ++i) world.step();
            const ColliderId collider = is_tile ? world.tile_map(beside).collider(1)
                                                : ColliderId{beside.index, beside.generation};
            world.collider(collider).set_def(change);
            const BodyId ball = world.create_body(
                {.position = {3.5f, -0.5f}, .velocity = {-4.0f, 0.0f}}, Circle{0.3f});
            for (int i = 0; i < 120; ++i) world.step();
            CAPTURE(is_tile);
            CHECK(world.body(ball).position().x == doctest::Approx(1.3).epsilon(0.005));
        }
    }
}

TEST_CASE("nothing leaves a room of boxes, however thin it is and fast") {
    test::Random random;
    int out = 0;
    for (int i = 0; i < test::many / 100; ++i) {
        World world({.gravity = {0.0f, -10.0f}});
        add_box(world, {-0.5f, -0.25f}, {3.5f, 0.0f});
        add_box(world, {-0.5f, 3.0f}, {3.5f, 3.25f});
        add_box(world, {-0.25f, -0.5f}, {0.0f, 3.5f});
        add_box(world, {3.0f, -0.5f}, {3.25f, 3.5f});
        const float half = random.uniform(0.0125f, 0.2f);
        const Vec2 place{random.uniform(0.3f, 2.7f), random.uniform(0.3f, 2.7f)};
        const float speed = random.log_uniform(1.0f, 3.2e3f);
        const BodyId body =
            world.create_body({.position = place, .velocity = random.point(1.0f) * speed},
                              Box{{half, half}}, slippery);
        for (int k = 0; k < 40; ++k) world.step();
        const Vec2 end = world.body(body).position();
        if (!(end.x > 0.0f && end.y > 0.0f && end.x < 3.0f && end.y < 3.0f)) ++out;
    }
    CHECK(out == 0);
}

}  // namespace union_test

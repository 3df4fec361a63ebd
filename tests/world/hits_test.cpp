// SPDX-License-Identifier: MIT
// Is each impact told as a hit, once, with the point in which it was? SCENES [25]
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "support/random.hpp"

using namespace phys2d;

namespace {

constexpr Material smooth(float restitution) {
    return {.restitution = restitution, .friction = 0.0f};
}

/// Adds a floor whose top is at y = 0, and which moves.
using AddFloor = void (*)(World& world, Vec2 velocity, const Material& material);

const AddFloor floors[] = {
    [](World& world, Vec2 velocity, const Material& material) {
        world.create_body(
            {.type = BodyType::Kinematic, .position = {0.0f, -1.0f}, .velocity = velocity},
            Box{{50.0f, 1.0f}}, material);
    },
    [](World& world, Vec2 velocity, const Material& material) {
        const Vec2 points[] = {{50.0f, 0.0f}, {-50.0f, 0.0f}};
        world.create_body({.type = BodyType::Kinematic, .velocity = velocity}, Chain{points},
                          material);
    },
    [](World& world, Vec2 velocity, const Material& material) {
        const BodyId body = world.create_tile_map({.type = BodyType::Kinematic});
        world.body(body).set_velocity(velocity);
        TileMapRef map = world.tile_map(body);
        map.define(1, {.material = material});
        map.fill({{-50, -1}, {50, -1}}, 1);
    },
};

std::vector<HitEvent> hits_in(World& world, int steps) {
    std::vector<HitEvent> hits;
    for (int i = 0; i < steps; ++i) {
        world.step();
        for (const HitEvent& hit : world.events().hits) hits.push_back(hit);
    }
    return hits;
}

}  // namespace

TEST_CASE("the point of a hit is where a ball or a box meets a floor, at rest or on its way") {
    const Vec2 velocities[] = {{0.0f, -60.0f}, {40.0f, -40.0f}, {-60.0f, -15.0f}, {12.0f, -7.0f}};
    const Vec2 floor_velocities[] = {{}, {3.0f, 0.0f}, {-2.0f, 4.0f}, {1.0f, -5.0f}};
    const Shape shapes[] = {Circle{0.25f}, Box{{0.4f, 0.25f}}, RoundedBox{{0.1f, 0.15f}, 0.1f}};
    for (const AddFloor add_floor : floors) {
        for (const float restitution : {0.0f, 0.5f, 1.0f}) {
            for (const Vec2 velocity : velocities) {
                for (const Vec2 floor_velocity : floor_velocities) {
                    for (const Shape& shape : shapes) {
                        World world({.gravity = {}});
                        add_floor(world, floor_velocity, smooth(restitution));
                        const Vec2 start{0.2f, 0.97f};
                        world.create_body({.position = start, .velocity = velocity}, shape,
                                          smooth(restitution));
                        const float time = (start.y - 0.25f) / (floor_velocity.y - velocity.y);
                        const std::vector<HitEvent> hits = hits_in(world, 40);
                        REQUIRE(!hits.empty());
                        const Vec2 met{start.x + velocity.x * time, floor_velocity.y * time};
                        CHECK(distance(hits[0].point, met) < 1e-3f);
                    }
                }
            }
        }
    }
}

TEST_CASE("the point of a hit of two balls is where they meet, however they fly apart") {
    for (const float restitution : {0.0f, 0.5f, 1.0f}) {
        for (const float aside : {0.0f, 0.2f, 0.35f, 0.5f}) {
            for (const float mass : {0.05f, 1.0f, 60.0f}) {
                World world({.gravity = {}});
                world.create_body({.velocity = {90.0f, 3.0f}, .mass = 1.0f}, Circle{0.1f},
                                  smooth(restitution));
                world.create_body(
                    {.position = {10.0f, aside}, .velocity = {-20.0f, 3.0f}, .mass = mass},
                    Circle{0.5f}, smooth(restitution));
                const float ahead = std::sqrt(0.6f * 0.6f - aside * aside);
                const float time = (10.0f - ahead) / 110.0f;
                const Vec2 met = Vec2{90.0f, 3.0f} * time + Vec2{ahead, aside} * (0.1f / 0.6f);
                const std::vector<HitEvent> hits = hits_in(world, 20);
                REQUIRE(hits.size() == 1);
                CHECK(distance(hits[0].point, met) < 1e-3f);
            }
        }
    }
}

TEST_CASE("what touches as it starts is hit where it touches") {
    for (const AddFloor add_floor : floors) {
        World world({.gravity = {}});
        add_floor(world, {}, smooth(1.0f));
        world.create_body({.position = {0.2f, 0.25f}, .velocity = {30.0f, -20.0f}}, Circle{0.25f},
                          smooth(1.0f));
        const std::vector<HitEvent> hits = hits_in(world, 5);
        REQUIRE(hits.size() == 1);
        CHECK(distance(hits[0].point, {0.2f, 0.0f}) < 1e-4f);
    }
}

TEST_CASE("a little behind the point of a hit there is the tile that was hit") {
    World world({.gravity = {}});
    TileMapRef map = world.tile_map(world.create_tile_map());
    map.define(1, {.material = smooth(1.0f)});
    test::Random random;
    for (int x = -30; x <= 30; ++x) {
        for (int y = -30; y <= 30; ++y) {
            const bool is_border = x == -30 || x == 30 || y == -30 || y == 30;
            if (is_border || random.one_in(6)) map.set({x, y}, 1);
        }
    }
    for (int i = 0; i < test::many / 500; ++i) {
        const TileCoord tile{random.integer(-29, 29), random.integer(-29, 29)};
        if (map.at(tile) != 0) continue;
        const Vec2 center{static_cast<float>(tile.x) + 0.5f, static_cast<float>(tile.y) + 0.5f};
        world.create_body({.position = center, .velocity = random.point(30.0f)}, Circle{0.25f},
                          smooth(1.0f), {.filter = {.category = 2, .mask = 1}});
    }
    int hits = 0, wrong = 0;
    for (const HitEvent& hit : hits_in(world, 30)) {
        ++hits;
        wrong += map.at(map.tile_at(hit.point + hit.normal * 0.02f)) == 0 ? 1 : 0;
    }
    CHECK(hits > test::many / 500);
    CHECK(wrong <= hits / 100);
}

// SPDX-License-Identifier: MIT
// Do movers ride conveyors as they ride platforms?
#include <cmath>
#include <functional>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "support/random.hpp"

namespace mover_belt_test {

using namespace phys2d;

namespace {

constexpr float dt = 1.0f / 60.0f;
constexpr float belt_speed = 2.0f;
const Material belt{.friction = 1.0f, .surface_velocity = {belt_speed, 0.0f}};

const Shape shapes[] = {Box{{0.3f, 0.8f}}, Circle{0.4f}, Capsule{0.5f, 0.3f}};

float half_height(const Shape& shape) { return outer_half_extents(shape).y; }

/// Level ground at y = 0, all of it a belt.
struct Ground {
    const char* name;
    std::function<BodyId(World&)> add;
};
const Ground grounds[] = {
    {"static box",
     [](World& world) {
         return world.create_body({.type = BodyType::Static, .position = {0.0f, -0.5f}},
                                  Box{{50.0f, 0.5f}}, belt);
     }},
    {"kinematic box at rest",
     [](World& world) {
         return world.create_body({.type = BodyType::Kinematic, .position = {0.0f, -0.5f}},
                                  Box{{50.0f, 0.5f}}, belt);
     }},
    {"moving box",
     [](World& world) {
         return world.create_body(
             {.type = BodyType::Kinematic, .position = {0.0f, -0.5f}, .velocity = {1.0f, 0.5f}},
             Box{{50.0f, 0.5f}}, belt);
     }},
    {"chain",
     [](World& world) {
         const Vec2 points[] = {{50.0f, 0.0f}, {3.0f, 0.0f}, {-50.0f, 0.0f}};
         return world.create_body({.type = BodyType::Static}, Chain{points}, belt);
     }},
    {"tiles",
     [](World& world) {
         const BodyId id = world.create_tile_map();
         TileMapRef map = world.tile_map(id);
         map.define('=', {.material = belt});
         for (std::int32_t x = -50; x < 50; ++x) map.set({x, -1}, '=');
         return id;
     }},
};

/// A world with one ground, and a mover that has just landed on it.
struct Ride {
    World world{WorldConfig{.gravity = {0.0f, -10.0f}}};
    BodyId ground;
    Mover mover;

    Ride(const Ground& what, const Shape& shape) : ground(what.add(world)) {
        mover.shape = shape;
        mover.position = {0.0f, half_height(shape) + mover.skin};
        move(world, mover, {0.0f, -0.1f}, dt);
        REQUIRE(mover.ground.is_grounded);
    }

    [[nodiscard]] Vec2 place() const { return mover.position - world.body(ground).position(); }
    Vec2 go(Vec2 velocity) {
        world.step();
        return move(world, mover, velocity, dt);
    }
};

}  // namespace

TEST_CASE("a mover keeps its place on a conveyor, and walks on it at its pace") {
    for (const Ground& ground : grounds) {
        for (const Shape& shape : shapes) {
            for (const float pace : {0.0f, 3.0f, -belt_speed, -5.0f}) {
                CAPTURE(ground.name);
                CAPTURE(pace);
                Ride ride(ground, shape);
                const Vec2 start = ride.place();
                for (int i = 1; i <= 120; ++i) {
                    const Vec2 left = ride.go({pace, 0.0f});
                    const float way = (belt_speed + pace) * dt * static_cast<float>(i);
                    REQUIRE(distance(ride.place(), start + Vec2{way, 0.0f}) < 2e-4f);
                    REQUIRE(left == Vec2{pace, 0.0f});
                    REQUIRE(ride.mover.ground.is_grounded);
                }
                const Vec2 told = ride.mover.ground.platform_velocity;
                CHECK(distance(told, ride.world.body(ride.ground).velocity() +
                                         Vec2{belt_speed, 0.0f}) < 1e-6f);
            }
        }
    }
}

TEST_CASE("a conveyor carries a mover as fast as a box that rests on it") {
    for (const Ground& ground : grounds) {
        CAPTURE(ground.name);
        Ride ride(ground, shapes[0]);
        const BodyId box = ride.world.create_body({.position = {10.0f, 0.5f}}, Box{{0.5f, 0.5f}});
        for (int i = 0; i < 120; ++i) ride.go({});
        const float ahead = ride.world.body(box).position().x - ride.mover.position.x;
        for (int i = 0; i < 120; ++i) ride.go({});
        const float later = ride.world.body(box).position().x - ride.mover.position.x;
        CHECK(later == doctest::Approx(ahead).epsilon(1e-3));
    }
}

TEST_CASE("a mover stands on that of two level grounds on which more of it is, left or right") {
    for (const Shape& shape : shapes) {
        for (const float belt_side : {-1.0f, 1.0f}) {
            for (const bool is_tiled : {false, true}) {
                for (float over = -0.28f; over < 0.3f; over += 0.08f) {  // towards the belt
                    CAPTURE(belt_side);
                    CAPTURE(over);
                    World world;
                    if (is_tiled) {
                        TileMapRef tiles = world.tile_map(world.create_tile_map());
                        tiles.define(1);
                        tiles.define(2, {.material = belt});
                        tiles.fill({{-9, -1}, {-1, -1}}, belt_side < 0.0f ? 2 : 1);
                        tiles.fill({{0, -1}, {8, -1}}, belt_side < 0.0f ? 1 : 2);
                    } else {
                        for (const float side : {-1.0f, 1.0f}) {
                            world.create_body(
                                {.type = BodyType::Static, .position = {9.0f * side, -0.5f}},
                                Box{{9.0f, 0.5f}}, side == belt_side ? belt : Material{});
                        }
                    }
                    Mover mover{.shape = shape,
                                .position = {over * belt_side, half_height(shape) + 0.01f}};
                    world.step();
                    (void)move(world, mover, {0.0f, -1.0f}, dt);
                    REQUIRE(mover.ground.is_grounded);
                    CHECK(mover.ground.platform_velocity.x == (over > 0.0f ? belt_speed : 0.0f));
                }
            }
        }
    }
}

TEST_CASE("a conveyor on a slope carries a mover along the slope, upwards and downwards") {
    const Vec2 along = normalized(Vec2{4.0f, 3.0f});
    for (const float speed : {belt_speed, -belt_speed}) {
        for (const Shape& shape : shapes) {
            World world;
            const Vec2 points[] = {along * 40.0f, along * -40.0f};
            world.create_body({.type = BodyType::Static}, Chain{points},
                              {.surface_velocity = along * speed});
            Mover mover{.shape = shape, .position = {0.0f, 2.0f}};
            for (int i = 0; i < 60; ++i) move(world, mover, {0.0f, -5.0f}, dt);
            REQUIRE(mover.ground.is_grounded);
            const Vec2 start = mover.position;
            for (int i = 0; i < 120; ++i) {
                move(world, mover, {}, dt);
                REQUIRE(mover.ground.is_grounded);
            }
            CHECK(distance(mover.position, start + along * (2.0f * speed)) < 1e-3f);
        }
    }
}

TEST_CASE("a jump from a conveyor goes on with its velocity if that is added as it leaves it") {
    for (const Ground& ground : grounds) {
        CAPTURE(ground.name);
        Ride ride(ground, shapes[2]);
        const float start = ride.place().x;
        Vec2 velocity{0.0f, 6.0f};
        for (int i = 1; i <= 40; ++i) {
            const Vec2 before = ride.mover.ground.platform_velocity;
            velocity = ride.go(velocity);
            REQUIRE_FALSE(ride.mover.ground.is_grounded);
            velocity += before;
            velocity.y -= 10.0f * dt;
            const float way = belt_speed * dt * static_cast<float>(i);
            CHECK(ride.place().x - start == doctest::Approx(way).epsilon(1e-3));
        }
    }
}

TEST_CASE("a conveyor carries a mover no further than to a wall or a crate that is too heavy") {
    for (const BodyType type : {BodyType::Static, BodyType::Dynamic}) {
        for (const Shape& shape : shapes) {
            Ride ride(grounds[0], shape);
            const BodyId wall =
                ride.world.create_body({.type = type, .position = {3.0f, 1.0f}, .mass = 1e6f},
                                       Box{{1.0f, 1.0f}}, {.friction = 0.0f});
            float deepest = 0.0f;
            for (int i = 0; i < 180; ++i) {
                ride.go({});
                const float face = ride.world.body(wall).position().x - 1.0f;
                const float front = ride.mover.position.x + outer_half_extents(shape).x;
                deepest = std::fmax(deepest, front - face);
            }
            CHECK(deepest < 0.001f);
            CHECK(deepest > -0.002f);  // it got there
            CHECK(ride.mover.ground.is_grounded);
            CHECK(ride.mover.wall.body == wall);
        }
    }
}

TEST_CASE("a conveyor carries a mover no further than to a wall of the same body") {
    for (const Shape& shape : shapes) {
        World world;
        const BodyId level = world.create_tile_map();
        TileMapRef map = world.tile_map(level);
        const ColliderId tiles = map.define('=');
        map.load(
            "=      =\n"
            "=      =\n"
            "========\n");
        for (const float speed : {belt_speed, -belt_speed}) {
            world.collider(tiles).set_material({.surface_velocity = {speed, 0.0f}});
            Mover mover{.shape = shape, .position = {4.0f, 1.0f + half_height(shape)}};
            for (int i = 0; i < 180; ++i) {
                world.step();
                move(world, mover, {0.0f, mover.ground.is_grounded ? 0.0f : -1.0f}, dt);
            }
            const float room = 3.0f - outer_half_extents(shape).x;
            const float way = mover.position.x - 4.0f;
            CHECK(std::fabs(way) == doctest::Approx(room).epsilon(1e-3));
            CHECK((way > 0.0f) == (speed > 0.0f));
            CHECK(mover.wall.body == level);
            CHECK(mover.ground.is_grounded);
        }
    }
}

TEST_CASE("a conveyor carries no mover into its own corners and slopes") {
    test::Random random;
    float deepest = 0.0f;
    for (int scene = 0; scene < 300; ++scene) {
        World world;
        const Polygon roof{{2.0f, 0.0f}, {0.0f, 1.0f}, {-2.0f, 0.0f}};
        const Polygon block{{1.0f, 0.5f}, {-1.0f, 0.5f}, {-1.0f, -0.5f}, {1.0f, -0.5f}};
        std::vector<Polygon> grounds_here;
        for (int i = 0; i < 12; ++i) {
            const Vec2 place{random.uniform(-9.0f, 9.0f), random.uniform(-1.0f, 3.0f)};
            grounds_here.push_back(translate(i % 2 == 0 ? roof : block, place));
            world.create_body({.type = BodyType::Static}, grounds_here.back(),
                              {.surface_velocity = random.point(4.0f)});
        }
        Mover mover{.shape = shapes[scene % 3], .position = {random.uniform(-8.0f, 8.0f), 7.0f}};
        float fall = 0.0f;
        for (int i = 0; i < 200; ++i) {
            fall = move(world, mover, {random.uniform(-6.0f, 6.0f), fall}, dt).y - 10.0f * dt;
            if (mover.ground.is_grounded) fall = 0.0f;
            for (const Polygon& ground : grounds_here) {
                const Manifold overlap = collide(ground, translate(mover.shape, mover.position));
                deepest = std::fmax(deepest, overlap.penetration);
            }
        }
    }
    CHECK(deepest < 1e-3f);
}

TEST_CASE("a conveyor that stops, or whose collider goes, carries no further") {
    Ride ride(grounds[0], shapes[0]);
    for (int i = 0; i < 60; ++i) ride.go({});
    ride.world.body(ride.ground).set_material({});
    const float stopped = ride.mover.position.x;
    for (int i = 0; i < 60; ++i) ride.go({});
    CHECK(ride.mover.position.x == stopped);

    const ColliderId top =
        ride.world.add_collider(ride.ground, Box{{50.0f, 0.05f}, {0.0f, 0.55f}}, belt);
    for (int i = 0; i < 60; ++i) ride.go({});
    CHECK(ride.mover.ground.collider == top);
    CHECK(ride.mover.position.x > stopped + 1.0f);
    ride.world.destroy_collider(top);
    const float gone = ride.mover.position.x;
    for (int i = 0; i < 60; ++i) ride.go({});
    CHECK(ride.mover.position.x == gone);
    CHECK(ride.mover.ground.is_grounded);
}

}  // namespace mover_belt_test

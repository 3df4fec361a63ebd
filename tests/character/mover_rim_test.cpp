// SPDX-License-Identifier: MIT
// Does a round mover stand still on the rim of a ledge, until it walks off?
#include <cmath>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

namespace mover_rim_test {

using namespace phys2d;

namespace {

constexpr float dt = 1.0f / 60.0f;

const Shape shapes[] = {Circle{0.4f}, Capsule{0.3f, 0.25f}, RoundedBox{{0.1f, 0.2f}, 0.2f}};

/// A mover on a ledge that ends at x = 0, high above a floor.
struct Ledge {
    World world;
    Mover mover;

    explicit Ledge(const Shape& shape) : mover{.shape = shape} {
        const BodyDef fixed{.type = BodyType::Static};
        world.create_body(fixed, AABB{{-9.0f, -1.0f}, {0.0f, 0.0f}});
        world.create_body(fixed, AABB{{-9.0f, -9.0f}, {9.0f, -8.0f}});
        mover.position = {-1.0f, outer_half_extents(shape).y + 0.001f};
    }

    void go(float speed) {
        world.step();
        move(world, mover, {speed, mover.ground.is_grounded ? 0.0f : -1.0f}, dt);
    }
    /// Walks until its centre is so far beyond the rim.
    void walk_to(float beyond) {
        for (int i = 0; i < 120; ++i) go(std::fmin((beyond - mover.position.x) / dt, 1.0f));
    }
};

}  // namespace

TEST_CASE("a mover that stops on a rim stands still there, however far it overhangs") {
    for (const Shape& shape : shapes) {
        for (const float part : {0.5f, 0.9f, 0.97f, 0.98f, 0.99f, 0.995f}) {
            CAPTURE(shape.radius);
            CAPTURE(part);
            Ledge ledge(shape);
            ledge.walk_to(shape.half_extents.x + part * shape.radius);
            REQUIRE(ledge.mover.ground.is_grounded);
            const Vec2 place = ledge.mover.position;
            for (int i = 0; i < 600; ++i) ledge.go(0.0f);
            CHECK(ledge.mover.ground.is_grounded);
            CHECK(distance(ledge.mover.position, place) < 1e-5f);
        }
    }
}

TEST_CASE("a mover that walks off a rim, however slowly, is on the ground until it falls") {
    for (const Shape& shape : shapes) {
        for (const float speed : {0.01f, 0.1f, 1.0f, 5.0f}) {
            CAPTURE(shape.radius);
            CAPTURE(speed);
            const Vec2 half = outer_half_extents(shape);
            Ledge ledge(shape);
            ledge.walk_to(shape.half_extents.x + 0.95f * shape.radius);
            REQUIRE(ledge.mover.ground.is_grounded);
            while (ledge.mover.ground.is_grounded) ledge.go(speed);
            CHECK(ledge.mover.position.x > half.x - 1e-4f);
            for (int i = 0; i < 30; ++i) ledge.go(speed);
            CHECK(!ledge.mover.ground.is_grounded);
            CHECK(ledge.mover.position.y < half.y - 0.4f);
        }
    }
}

TEST_CASE("a round mover that walks over the tip of a ramp does not go up as it leaves it") {
    for (const Shape& shape : shapes) {
        for (const float slope : {0.3f, 0.6f, 1.0f}) {
            for (const float speed : {0.5f, 4.0f, 8.0f}) {
                CAPTURE(shape.radius);
                CAPTURE(slope);
                CAPTURE(speed);
                World world;
                world.create_body({.type = BodyType::Static},
                                  Polygon{{-3.0f, -3.0f * slope}, {0.0f, -9.0f}, {0.0f, 0.0f}});
                const Vec2 half = outer_half_extents(shape);
                Mover mover{.shape = shape, .position = {-1.5f, half.y}};
                Vec2 velocity{};
                for (int i = 0; i < 60; ++i) {
                    velocity = move(world, mover, {0.0f, velocity.y - 10.0f * dt}, dt);
                }
                REQUIRE(mover.ground.is_grounded);
                while (mover.ground.is_grounded) {
                    const float height = mover.position.y;
                    move(world, mover, {speed, 0.0f}, dt);
                    if (mover.position.x > half.x) CHECK(mover.position.y < height + 1e-4f);
                    if (mover.position.x > shape.half_extents.x + 0.02f) {
                        CHECK(mover.ground.normal.x >= 0.0f);
                    }
                }
                CHECK(mover.position.x > half.x);
            }
        }
    }
}

}  // namespace mover_rim_test

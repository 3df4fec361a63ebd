// SPDX-License-Identifier: MIT
// Rows and walls of boxes that move, or are free to, catch nothing with their corners. SCENES [1] [2]
#include <cmath>

#include <doctest/doctest.h>
#include <phys2d/phys2d.hpp>

using namespace phys2d;

namespace {

constexpr Material slippery{.friction = 0.0f};

enum class Floor { Resting, Rising, Sliding, Free };

/// Boxes of 0.7 m from x = -49 to 49, with their tops at y = 0 to begin with, and what they move at.
Vec2 add_floor(World& world, Floor floor) {
    constexpr float half = 0.35f;
    Vec2 velocity{};
    if (floor == Floor::Rising) velocity = {0.0f, 0.5f};
    if (floor == Floor::Sliding) velocity = {-3.0f, 0.0f};
    const bool is_free = floor == Floor::Free;
    for (int i = -70; i < 70; ++i) {
        world.create_body({.type = is_free ? BodyType::Dynamic : BodyType::Kinematic,
                           .position = {2.0f * half * (static_cast<float>(i) + 0.5f), -half},
                           .velocity = velocity},
                          Box{{half, half}}, slippery);
    }
    if (is_free) {
        world.create_body({.type = BodyType::Static, .position = {0.0f, -2.0f * half - 1.0f}},
                          Box{{60.0f, 1.0f}}, slippery);
    }
    return velocity;
}

/// The largest part of its speed that a shape loses within 40 m over a floor, or two seconds.
float lost_over(Floor floor, const Shape& shape, float speed, float rate) {
    World world({.gravity = {0.0f, -10.0f}, .time_step = 1.0f / rate});
    const Vec2 carried = add_floor(world, floor);
    const float height = outer_half_extents(shape).y;
    const BodyId body = world.create_body(
        {.position = {-20.0f, height}, .velocity = {speed + carried.x, carried.y}}, shape,
        slippery);
    float slowest = speed;
    for (int i = 0; i < 2 * static_cast<int>(rate); ++i) {
        if (world.body(body).position().x > 20.0f) break;
        world.step();
        slowest = std::fmin(slowest, world.body(body).velocity().x - carried.x);
    }
    return 1.0f - slowest / speed;
}

/// How many of 600 steps a body takes to fall 30 m along a wall whose corners it overlaps.
int steps_along_wall(BodyType type, float overlap) {
    World world({.gravity = {0.0f, -10.0f}});
    for (int i = 0; i < 40; ++i) {
        const float y = -0.5f - static_cast<float>(i);
        world.create_body(
            {.type = type, .position = {-0.5f, y}, .mass = 0.0f, .gravity_scale = 0.0f},
            Box{{0.5f, 0.5f}}, slippery);
    }
    const BodyId body =
        world.create_body({.position = {0.25f - overlap, 0.25f}}, Box{{0.25f, 0.25f}}, slippery);
    int count = 0;
    for (; world.body(body).position().y > -30.0f && count < 600; ++count) world.step();
    return count;
}

}  // namespace

TEST_CASE("boxes that slide over a row of boxes that move or are free to keep their speed") {
    for (const Floor floor : {Floor::Resting, Floor::Rising, Floor::Sliding, Floor::Free}) {
        for (const float rate : {30.0f, 60.0f, 240.0f}) {
            for (const Box& box : {Box{{0.3f, 0.3f}}, Box{{1.2f, 0.2f}}}) {
                for (float speed = 0.5f; speed < 200.0f; speed *= 1.3f) {
                    CAPTURE(static_cast<int>(floor));
                    CAPTURE(rate);
                    CAPTURE(box.half_extents.x);
                    CAPTURE(speed);
                    CHECK(lost_over(floor, box, speed, rate) <= 1e-4f);
                }
            }
        }
    }
}

TEST_CASE("what is round loses no more than a few thousandths over such a row") {
    for (const Floor floor : {Floor::Resting, Floor::Rising, Floor::Sliding, Floor::Free}) {
        for (const Shape& shape : {Shape(Circle{0.3f}), Shape(Capsule{0.4f, 0.2f})}) {
            for (float speed = 0.5f; speed < 200.0f; speed *= 1.3f) {
                CAPTURE(static_cast<int>(floor));
                CAPTURE(shape.half_extents.y);
                CAPTURE(speed);
                // free boxes lie at different depths below what rolls over them
                CHECK(lost_over(floor, shape, speed, 60.0f) <=
                      (floor == Floor::Free ? 0.02f : 0.003f));
            }
        }
    }
}

TEST_CASE("what falls along a wall of boxes that do not rest lands on none of them") {
    const int free_fall = static_cast<int>(60.0 * std::sqrt(2.0 * 30.25 / 10.0)) + 2;
    for (const BodyType type : {BodyType::Kinematic, BodyType::Dynamic}) {
        for (const float overlap : {-1e-4f, 0.0f, 1e-4f, 1e-3f}) {
            CAPTURE(static_cast<int>(type));
            CAPTURE(overlap);
            CHECK(steps_along_wall(type, overlap) <= free_fall);
        }
    }
    CHECK(steps_along_wall(BodyType::Kinematic, 0.02f) == 600);  // far more than the slop: it lands
}

TEST_CASE("a small box lands on what it overlaps by more than a quarter of its size") {
    for (const float size : {1e-3f, 1e-2f, 1e-1f}) {
        for (const float share : {0.3f, 0.7f, 1.0f}) {
            World world({.gravity = {0.0f, -10.0f}});
            world.create_body({.type = BodyType::Kinematic, .position = {-1.0f, -1.0f}},
                              Box{{1.0f, 1.0f}}, slippery);
            const float x = (1.0f - 2.0f * share) * size;
            const BodyId body = world.create_body({.position = {x, size}}, Box{{size, size}});
            for (int i = 0; i < 60; ++i) world.step();
            CAPTURE(size);
            CAPTURE(share);
            CHECK(std::fabs(world.body(body).position().y - size) < 1e-3f);
        }
    }
}

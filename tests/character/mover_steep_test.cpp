// SPDX-License-Identifier: MIT
// Do movers slide down slopes of separate pieces, too steep to stand on, as down slopes in one
// piece, and get over steps whose sides are such slopes?
#include <cmath>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "../support/movers.hpp"
#include "../support/turn.hpp"

namespace mover_steep_test {

using namespace phys2d;

namespace {

constexpr float dt = 1.0f / 60.0f;
constexpr float gravity = 10.0f;
constexpr float top = 12.0f;

enum class Pieces { One, Polygons, KinematicPolygons, Segments };

/// The part of a slope between two heights, which goes up to the right from the origin.
Polygon layer(float slope, float from, float to) {
    return {{from / slope, from},
            {from / slope + 20.0f, from},
            {to / slope + 20.0f, to},
            {to / slope, to}};
}

World world_with_slope(float slope, Pieces pieces, test::Random& random) {
    World world({.gravity = {0.0f, -gravity}});
    const BodyType type =
        pieces == Pieces::KinematicPolygons ? BodyType::Kinematic : BodyType::Static;
    float to = 0.0f;
    for (float from = 0.0f; from < top; from = to) {
        to = pieces == Pieces::One ? top : from + random.uniform(0.3f, 1.5f);
        const Polygon piece = layer(slope, from, to);
        if (pieces == Pieces::Segments) {
            world.create_body({.type = type}, Segment{piece.vertex(0), piece.vertex(3)});
        } else {
            world.create_body({.type = type}, piece);
        }
    }
    return world;
}

/// Whether a mover that falls onto a slope is never on the ground before it is at its foot, and how
/// many moves it takes to get there.
struct Slide {
    bool is_grounded = false;
    int moves = 0;

    Slide(World world, float slope, const Shape& shape, float height) {
        const Vec2 start{height / slope - outer_half_extents(shape).x - 0.3f, height};
        Mover mover{.shape = shape, .position = start};
        Vec2 velocity{2.0f, 0.0f};
        for (; moves < 600 && mover.position.y > 1.5f; ++moves) {
            world.step();
            velocity = move(world, mover, velocity - Vec2{0.0f, gravity * dt}, dt);
            is_grounded = is_grounded || mover.ground.is_grounded;
        }
    }
};

}  // namespace

TEST_CASE("a mover slides down separate pieces of steep ground as down one") {
    test::Random random(1);
    for (int i = 0; i < 300; ++i) {
        CAPTURE(i);
        const float slope = random.uniform(1.05f, 5.0f);
        const float height = random.uniform(5.0f, 9.0f);
        const Shape shape = test::random_mover(random, random.uniform(0.2f, 0.6f));
        const Slide one(world_with_slope(slope, Pieces::One, random), slope, shape, height);
        REQUIRE(!one.is_grounded);
        for (const Pieces pieces :
             {Pieces::Polygons, Pieces::KinematicPolygons, Pieces::Segments}) {
            CAPTURE(static_cast<int>(pieces));
            const Slide slide(world_with_slope(slope, pieces, random), slope, shape, height);
            CHECK(!slide.is_grounded);
            CHECK(std::abs(slide.moves - one.moves) <= 1);
        }
    }
}

TEST_CASE("a mover walks over stones with steep sides at any pace and stays on the ground") {
    for (const Shape& shape : {Shape(Box{{0.3f, 0.8f}}), Shape(Capsule{0.5f, 0.3f})}) {
        for (const float height : {0.02f, 0.1f, 0.15f}) {
            for (const float slope : {1.2f, 2.0f, 4.0f, 50.0f}) {
                for (const float speed : {0.1f, 1.0f, 5.0f, -0.3f}) {
                    CAPTURE(shape.radius);
                    CAPTURE(height);
                    CAPTURE(slope);
                    CAPTURE(speed);
                    const float foot = height / slope;
                    const Vec2 ground[] = {
                        {9.0f, 0.0f}, {foot, 0.0f}, {0.0f, height}, {-foot, 0.0f}, {-9.0f, 0.0f}};
                    World world;
                    world.create_body({.type = BodyType::Static}, Chain{ground});
                    const float start = speed > 0.0f ? -0.6f : 0.6f;
                    Mover mover{.shape = shape, .position = {start, 0.801f}};
                    bool is_grounded = true;
                    for (int i = 0; i < static_cast<int>(1.2f / (std::abs(speed) * dt)); ++i) {
                        move(world, mover, {speed, 0.0f}, dt);
                        is_grounded = is_grounded && mover.ground.is_grounded;
                    }
                    CHECK(is_grounded);
                    CHECK(mover.position.x * start < -0.3f);
                    CHECK(std::abs(mover.position.x + start) < 3.0f * foot + 0.1f);
                }
            }
        }
    }
}

TEST_CASE("a mover that is pressed into a notch of a steep side and a corner stands still") {
    const Shape shape = Capsule{0.3f, 0.5f, Axis::X};
    for (const float speed : {-0.5f, -1.0f, -3.0f}) {
        CAPTURE(speed);
        World world({.gravity = {0.0f, -gravity}});
        const BodyDef fixed{.type = BodyType::Static};
        world.create_body(fixed, Polygon{{-1.0f, 0.0f}, {-0.5f, 0.0f}, {-1.0f, 1.0f}});
        world.create_body(fixed, Polygon{{1.0f, 0.0f}, {2.0f, -1.0f}, {2.0f, 0.0f}});
        Mover mover{.shape = shape, .position = {0.6f, 1.5f}};
        Vec2 velocity{};
        Vec2 place{};
        for (int i = 0; i < 200; ++i) {
            const float fall = mover.ground.is_grounded ? 0.0f : velocity.y - gravity * dt;
            velocity = move(world, mover, {speed, fall}, dt);
            if (i == 150) place = mover.position;
            if (i >= 150) CHECK(mover.ground.is_grounded);
        }
        CHECK(distance(mover.position, place) < 1e-4f);
    }
}

TEST_CASE("a mover that slides down the side of a step stops at the ground at its foot") {
    constexpr float height = 0.05f;
    for (const Shape& shape : {Shape(Box{{0.3f, 0.8f}}), Shape(Capsule{0.5f, 0.3f})}) {
        for (const float slope : {0.2f, 0.5f, 0.9f}) {
            for (const float side : {1.2f, 2.0f, 4.0f}) {
                for (const float speed : {0.1f, 1.0f, 4.0f}) {
                    CAPTURE(shape.radius);
                    CAPTURE(slope);
                    CAPTURE(side);
                    CAPTURE(speed);
                    const float foot = height / side;
                    const Vec2 ground[] = {{foot + 9.0f, -height - 9.0f * slope},
                                           {foot, -height},
                                           {0.0f, 0.0f},
                                           {-5.0f, 0.0f}};
                    World world;
                    world.create_body({.type = BodyType::Static}, Chain{ground});
                    Mover mover{.shape = shape, .position = {-0.5f, 0.801f}};
                    const float longest = length(Vec2{foot, height}) + 2.0f * speed * dt + 0.01f;
                    for (int i = 0; i < static_cast<int>(1.5f / (speed * dt)); ++i) {
                        const Vec2 before = mover.position;
                        move(world, mover, {speed, 0.0f}, dt);
                        CHECK(distance(mover.position, before) < longest);
                        CHECK(mover.ground.is_grounded);
                    }
                }
            }
        }
    }
}

TEST_CASE("a mover that walks does not slide back down the step that it has climbed") {
    for (const float speed : {1.0f, 2.0f, 5.0f}) {
        for (const float pace : {dt, 0.25f * dt}) {
            CAPTURE(speed);
            CAPTURE(pace);
            World world;
            world.create_body({.type = BodyType::Static}, AABB{{-9.0f, -1.0f}, {9.0f, 0.0f}});
            for (const float foot : {0.0f, 0.8f}) {
                world.create_body({.type = BodyType::Static},
                                  Segment{{foot, 0.0f}, {foot - 0.15f, 0.3f}}, {},
                                  {.one_way = OneWay::Up});
            }
            Mover mover{.shape = Capsule{0.3f, 0.135f, Axis::X},
                        .position = {0.6f, 0.136f},
                        .step_height = 0.5f};
            Vec2 velocity{};
            for (int i = 0; i < static_cast<int>(3.0f / (speed * pace)); ++i) {
                const float fall = mover.ground.is_grounded ? 0.0f : velocity.y - gravity * pace;
                const float before = mover.position.x;
                velocity = move(world, mover, {-speed, fall}, pace);
                CHECK(mover.position.x < before + 1e-3f);
            }
            CHECK(mover.position.x < -1.0f);
        }
    }
}

TEST_CASE("a mover that slides down a side and lands climbs only steps that it walks to") {
    const BodyDef fixed{.type = BodyType::Static};
    for (const float start : {-0.05f, -0.04f, -0.03f, -0.02f}) {
        for (const float speed : {0.0f, 0.3f, 1.0f}) {
            CAPTURE(start);
            CAPTURE(speed);
            World world;
            world.create_body(fixed, AABB{{-9.0f, -2.0f}, {9.0f, 0.0f}});
            world.create_body(fixed, Polygon{{-2.0f, 0.0f}, {-0.76f, 0.0f}, {-1.1f, 1.0f}});
            world.create_body(fixed, Polygon{{0.742f, 0.0f}, {2.0f, 0.0f}, {0.942f, 0.3f}});
            Mover mover{.shape = Box{{0.75f, 0.95f}}, .position = {start, 1.05f}};
            Vec2 velocity{-speed, -2.0f};
            for (int i = 0; i < 60; ++i) {
                const float fall = mover.ground.is_grounded ? 0.0f : velocity.y - gravity * dt;
                velocity = move(world, mover, {-speed, fall}, dt);
                CHECK(mover.position.x < 0.0f);
            }
            CHECK(mover.ground.is_grounded);
            CHECK(mover.position.y < 0.96f);
        }
    }
}

TEST_CASE("a mover that climbs a step with steep corners goes no further than its way up there") {
    for (const float angle : {0.0f, 0.3f, 0.785f, 2.5f}) {
        for (const float speed : {1.0f, 2.0f, 3.0f, 6.9f}) {
            for (const float height : {0.08f, 0.13f, 0.17f, 0.25f}) {
                CAPTURE(angle);
                CAPTURE(speed);
                CAPTURE(height);
                const test::Turn turn(angle);
                const Vec2 points[] = {turn({9.0f, height}), turn({0.0f, height}), turn({}),
                                       turn({-9.0f, 0.0f})};
                World world;
                world.create_body({.type = BodyType::Static}, Chain{.points = points});
                Mover mover{.shape = Circle{0.3f},
                            .position = turn({-0.5f, 0.3005f}),
                            .up = turn({0.0f, 1.0f}),
                            .max_slope = 0.35f};
                for (int i = 0; i < 60; ++i) {
                    const Vec2 before = mover.position;
                    move(world, mover, turn.level * speed, dt);
                    CHECK(dot(mover.position - before, turn.level) < speed * dt + 1e-4f);
                }
            }
        }
    }
}

TEST_CASE("a mover that falls straight onto a corner stays there though its way is rounded") {
    for (const float radius : {0.3f, 0.42f}) {
        for (const float beside : {0.5f, 0.65f, 0.7f, 0.75f, 0.8f, 0.85f, 0.9f}) {
            for (const float speed : {0.5f, 2.0f, 4.2f}) {
                CAPTURE(radius);
                CAPTURE(beside);
                CAPTURE(speed);
                World world;
                const Vec2 points[] = {{0.0f, -2.0f}, {0.0f, 0.0f}, {-9.0f, 4.5f}};
                world.create_body({.type = BodyType::Static}, Chain{.points = points});
                const float height =
                    0.001f + (radius + 0.0005f) * std::sqrt(1.0f - beside * beside);
                const Vec2 start{radius * beside, height};
                Mover mover{.shape = Circle{radius}, .position = start};
                move(world, mover, Vec2{-1e-7f, -1.0f} * speed, dt);
                CHECK(mover.position.x == doctest::Approx(start.x));
            }
        }
    }
}

TEST_CASE("a mover slides down a steep roof of a train that leaves it as down one at rest") {
    for (const Vec2 velocity : {Vec2{0.5f, 0.0f}, Vec2{5.0f, 0.0f}, Vec2{3.0f, 1.0f},
                                Vec2{2.0f, -2.0f}, Vec2{0.0f, -3.0f}, Vec2{-1.0f, -3.0f}}) {
        for (const Shape& shape : {Shape(Box{{0.3f, 0.5f}}), Shape(Circle{0.4f})}) {
            CAPTURE(velocity.x);
            CAPTURE(velocity.y);
            World world;
            const BodyId train = world.create_body(
                {.type = BodyType::Kinematic, .velocity = velocity},
                Polygon{{0.0f, 0.0f}, {20.0f, 0.0f}, {20.0f, 40.0f}});  // goes up to the right
            const float beside = test::reach(shape, normalized(Vec2{-2.0f, 1.0f}));
            Mover mover{.shape = shape,
                        .position = Vec2{10.0f, 20.0f} +
                                    normalized(Vec2{-2.0f, 1.0f}) * (beside + 0.0005f)};
            const Vec2 start = mover.position;
            Vec2 left = velocity;
            for (int i = 1; i <= 60; ++i) {
                world.step();
                left = move(world, mover, left - Vec2{0.0f, gravity * dt}, dt);
                const float speed = gravity * dt * static_cast<float>(i) * std::sqrt(0.8f);
                CHECK(length(left - velocity) == doctest::Approx(speed).epsilon(0.01));
                CHECK(mover.wall);
            }
            const Vec2 way = mover.position - world.body(train).position() - start;
            CHECK(length(way) == doctest::Approx(0.5f * std::sqrt(0.8f) * gravity).epsilon(0.03));
        }
    }
}

}  // namespace mover_steep_test

// SPDX-License-Identifier: MIT
// Are chains, segments, polygons and half-spaces solid where they should be, smooth, and nowhere
// else? SCENES [1] [12] [19], over slopes in any direction.
#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "measure.hpp"
#include "support/movers.hpp"

namespace outline_test {

using namespace phys2d;
using test::reach;

namespace {

/// Ground through the origin whose normal is `up`, from `far` to the right of it to as far to the
/// left.
enum Ground {
    HalfSpaceGround,
    PolygonGround,
    SegmentGround,
    ChainGround,
    TwoSidedGround,
    LoopGround,
    grounds
};

Outline ground_of(int kind, Vec2 up, float far) {
    const Vec2 right = -perpendicular(up);
    const auto chain = [&](std::vector<Vec2> points, bool is_loop, bool is_two_sided) {
        return Outline(
            Chain{Span<const Vec2>(points.data(), points.size()), is_loop, is_two_sided});
    };
    switch (kind) {
        case HalfSpaceGround: return half_space_through({}, up);
        case PolygonGround:
            return Polygon{right * far, right * -far, right * -far - up * 9.0f,
                           right * far - up * 9.0f};
        case SegmentGround: return Segment{right * far, right * -far};
        case LoopGround:
            return chain(
                {right * far, {}, right * -far, right * -far - up * 9.0f, right * far - up * 9.0f},
                true, false);
        default: {
            std::vector<Vec2> points;  // every 0.5 m a vertex where nothing turns
            for (float x = far; x >= -far; x -= 0.5f) points.push_back(right * x);
            return chain(points, false, kind == TwoSidedGround);
        }
    }
}

}  // namespace

TEST_CASE("on ground of any kind, in any direction, a body rests on the surface") {
    test::Random random;
    for (int i = 0; i < test::many / 1000; ++i) {
        const int kind = random.integer(0, grounds - 1);
        const Vec2 up = random.one_in(2) ? direction_of(static_cast<OneWay>(random.integer(1, 4)))
                                         : random.direction();
        const Shape shape = test::random_mover(random, random.uniform(0.1f, 1.5f));
        World world({.gravity = up * -10.0f});
        world.create_body({.type = BodyType::Static}, ground_of(kind, up, 20.0f));
        const Vec2 start =
            perpendicular(up) * random.uniform(-9.0f, 9.0f) + up * (reach(shape, up) + 0.3f);
        const BodyId body = world.create_body({.position = start}, shape);
        test::run(world, 120);
        const Vec2 moved = world.body(body).position() - start;
        CAPTURE(i);
        CHECK(std::fabs(dot(moved, up) + 0.3f) < 1e-3f);  // sinks in by 0.1 mm
        CHECK(std::fabs(cross(moved, up)) < 1e-3f);
    }
}

TEST_CASE(
    "on a slope of any kind a body slides with g (sin phi - friction cos phi), over all vertices") {
    test::Random random;
    for (int i = 0; i < test::many / 2000; ++i) {
        const int kind = random.integer(0, grounds - 1);
        const float phi = random.uniform(0.1f, 1.3f), side = random.one_in(2) ? 1.0f : -1.0f;
        const float share = random.one_in(3) ? 0.0f : random.uniform(0.1f, 0.95f);
        const Vec2 up{side * std::sin(phi), std::cos(phi)},
            along{side * std::cos(phi), -std::sin(phi)};
        const Shape shape = test::random_mover(random, random.uniform(0.1f, 1.5f));
        const Material material{.friction = share * std::tan(phi)};
        World world({.gravity = {0.0f, -10.0f}});
        world.create_body({.type = BodyType::Static}, ground_of(kind, up, 60.0f), material);
        const BodyId body = world.create_body({.position = along * -40.0f + up * reach(shape, up)},
                                              shape, material);
        const double expected = 10.0 * (1.0 - double{share}) * std::sin(double{phi});
        CAPTURE(i);
        Vec2 before{};
        for (int k = 0; k < 200; ++k) {
            world.step();
            const Vec2 v = world.body(body).velocity();
            // 30 m/s in floats are 2e-6 apart: 2e-4 m/s^2 in a step
            if (k >= 3)
                REQUIRE(dot(v - before, along) * 60.0f == doctest::Approx(expected).epsilon(0.002));
            REQUIRE(std::fabs(dot(v, up)) < 0.01f);
            before = v;
        }
    }
}

TEST_CASE("a body sticks to a slope of any kind where friction exceeds its tangent") {
    test::Random random;
    for (int i = 0; i < test::many / 10'000; ++i) {
        const float phi = random.uniform(0.1f, 1.2f);
        const Vec2 up{std::sin(phi), std::cos(phi)};
        const Shape shape = test::random_mover(random, random.uniform(0.1f, 1.5f));
        const Material material{.friction = 1.02f * std::tan(phi)};
        World world({.gravity = {0.0f, -10.0f}});
        world.create_body({.type = BodyType::Static},
                          ground_of(random.integer(0, grounds - 1), up, 20.0f), material);
        const BodyId body = world.create_body({.position = up * reach(shape, up)}, shape, material);
        test::run(world, 60);
        const Vec2 before = world.body(body).position();
        CHECK(length(before - up * reach(shape, up)) < 2e-3f);
        test::run(world, 500);
        CHECK(length(world.body(body).position() - before) <
              2e-4f);  // sliding would be 0.1 m or more
    }
}

TEST_CASE(
    "at a vertex where a chain turns up a body keeps its speed times the cosine, else all of it") {
    test::Random random;
    for (int i = 0; i < test::many / 1000; ++i) {
        const float a = random.uniform(-0.7f, 0.7f), b = random.uniform(-0.7f, 0.7f);
        const Vec2 first{std::cos(a), std::sin(a)}, second{std::cos(b), std::sin(b)};
        const bool turns_up = b > a;
        if (std::fabs(a - b) < 0.02f) continue;
        const Vec2 points[] = {second * 30.0f, {}, first * -30.0f};
        World world({.gravity = {}});
        world.create_body({.type = BodyType::Static}, Chain{.points = Span<const Vec2>(points, 3),
                                                            .is_two_sided = random.one_in(2)});
        const Shape shape = test::random_mover(random, random.uniform(0.1f, 1.0f));
        const float speed = random.uniform(1.0f, 20.0f);
        const Vec2 up = perpendicular(first);
        const BodyId body = world.create_body(
            {.position = first * -6.0f + up * reach(shape, up), .velocity = first * speed}, shape,
            {.friction = 0.0f});
        for (int k = 0;
             k < 1200 && dot(world.body(body).position(), first) < 4.0f * dot(first, second); ++k)
            world.step();
        const Vec2 expected = turns_up ? second * (speed * dot(first, second)) : first * speed;
        CAPTURE(i);
        CHECK(length(world.body(body).velocity() - expected) < 0.005f * speed);
    }
}

TEST_CASE("a frictionless circle keeps its energy within 1.5 % over a hill of a fine chain") {
    for (const int pieces : {200, 1000}) {
        std::vector<Vec2> points{
            {40.0f, 0.0f}};  // a cosine hill, 32 m long and 1 m high, between two flat ends
        for (int i = pieces; i >= 0; --i) {
            const float x = 32.0f * static_cast<float>(i) / static_cast<float>(pieces) - 16.0f;
            points.push_back({x, 0.5f + 0.5f * std::cos(0.19634954f * x)});
        }
        points.push_back({-40.0f, 0.0f});
        World world({.gravity = {0.0f, -10.0f}});
        world.create_body({.type = BodyType::Static},
                          Chain{.points = Span<const Vec2>(points.data(), points.size())});
        const float speed = 5.5f;
        const BodyId body =
            world.create_body({.position = {-18.0f, 0.5f}, .velocity = {speed, 0.0f}}, Circle{0.5f},
                              {.friction = 0.0f});
        // A step turns the surface by 0.003 at the feet, and takes the square of it from the
        // energy; so does a vertex.
        for (int k = 0; k < 1000 && world.body(body).position().x < 18.0f; ++k) {
            world.step();
            const Vec2 at = world.body(body).position(), v = world.body(body).velocity();
            REQUIRE(0.5f * length_sq(v) + 10.0f * (at.y - 0.5f) ==
                    doctest::Approx(0.5f * speed * speed).epsilon(0.015));
        }
        CHECK(world.body(body).position().x >= 18.0f);
    }
}

TEST_CASE("nothing is too fast for any outline, and what is one-sided is open from behind") {
    test::Random random;
    for (int i = 0; i < test::many / 100; ++i) {
        const int kind = random.integer(0, grounds - 1);
        const Vec2 up = random.one_in(3) ? direction_of(static_cast<OneWay>(random.integer(1, 4)))
                                         : random.direction();
        const Shape shape = test::random_mover(random, random.uniform(0.05f, 1.0f));
        const bool is_from_behind =
            (kind == ChainGround || kind == SegmentGround || kind == TwoSidedGround) &&
            random.one_in(2);
        const float front = is_from_behind ? -1.0f : 1.0f;
        World world({.gravity = {}});
        world.create_body({.type = BodyType::Static}, ground_of(kind, up, 40.0f));
        const Vec2 target = perpendicular(up) * random.uniform(-10.0f, 10.0f);
        const Vec2 way = up * -front + perpendicular(up) * random.uniform(-1.0f, 1.0f);
        const float distance = reach(shape, up) + random.uniform(0.1f, 8.0f);
        const float speed = random.log_uniform(10.0f, 1e4f);
        const BodyId body =
            world.create_body({.position = target - way * distance, .velocity = way * speed}, shape,
                              {.friction = 0.0f});
        test::run(world, 60);
        const float height = dot(world.body(body).position(), up) * front;
        const bool is_open = kind == ChainGround && is_from_behind;
        CAPTURE(i);
        if (is_open) CHECK(world.body(body).velocity() == way * speed);
        if (!is_open) CHECK(height > reach(shape, up) - 0.3f * std::fmin(1.0f, reach(shape, up)));
    }
}

TEST_CASE("what falls on a peak of a chain, however fast, is held by its vertex") {
    test::Random random;
    for (int i = 0; i < test::many / 1000; ++i) {
        const Vec2 points[] = {
            {20.0f, -random.uniform(5.0f, 40.0f)}, {}, {-20.0f, -random.uniform(5.0f, 40.0f)}};
        const Shape shape = test::random_mover(random, random.uniform(0.2f, 1.0f));
        const float height = outer_half_extents(shape).y, speed = random.log_uniform(1.0f, 1e3f);
        World world({.gravity = {0.0f, -10.0f}});
        world.create_body({.type = BodyType::Static}, Chain{.points = Span<const Vec2>(points, 3)});
        const bool is_flat = shape.half_extents.x > 0.0f;
        const Vec2 start{is_flat ? random.uniform(-0.9f, 0.9f) * shape.half_extents.x : 0.0f,
                         height + random.uniform(0.0f, 5.0f)};
        const BodyId body =
            world.create_body({.position = start, .velocity = {0.0f, -speed}}, shape);
        float lowest = start.y;
        for (int k = 0; k < 120; ++k) {
            world.step();
            const Vec2 at = world.body(body).position();
            if (is_flat || std::fabs(at.x) < 0.01f * shape.radius) lowest = std::fmin(lowest, at.y);
        }
        CAPTURE(i);
        CHECK(lowest >
              height - 0.02f - 0.1f * height);  // one that is fast is in by a part of its size
        if (is_flat) CHECK(std::fabs(world.body(body).position().y - height) < 1e-3f);
    }
}

TEST_CASE("what rests on a straight chain touches the pieces under it, however many there are") {
    for (const Vec2 right : {Vec2{1.0f, 0.0f}, Vec2{0.96f, 0.28f}}) {
        World world;
        std::vector<Vec2> points;
        for (int i = 500; i >= 0; --i) points.push_back(right * static_cast<float>(i));
        world.create_body({.type = BodyType::Static}, Chain{points});
        for (int i = 0; i < 100; ++i) {
            const Vec2 foot = right * (2.5f + 4.0f * static_cast<float>(i));
            world.create_body({.position = foot + perpendicular(right) * 0.5f}, Circle{0.5f});
        }
        for (int i = 0; i < 10; ++i) {
            world.step();
            CHECK(world.stats().contacts >= 100);
            CHECK(world.stats().contacts <= 300);
        }
    }
}

TEST_CASE("what rests in a finely divided hollow touches few of its pieces") {
    World world;
    std::vector<Vec2> points;
    const float radius = 200.0f;
    for (int i = 1'000; i >= -1'000; --i) {
        const float x = 0.1f * static_cast<float>(i);
        points.push_back({x, radius - std::sqrt(radius * radius - x * x)});
    }
    world.create_body({.type = BodyType::Static}, Chain{points});
    world.create_body({.position = {0.0f, 0.5f}}, Circle{0.5f});
    for (int i = 0; i < 10; ++i) world.step();
    CHECK(world.stats().contacts >= 1);
    CHECK(world.stats().contacts <= 20);
}

TEST_CASE(
    "a body in the middle of a valley makes no pairs with its slopes, of any kind of ground") {
    for (int kind = 0; kind < grounds; ++kind) {
        for (const float turn : {1.0f, -1.0f}) {
            World world({.gravity = {}});
            for (const Vec2 up : {Vec2{0.6f, 0.8f}, Vec2{-0.6f, 0.8f}}) {
                world.create_body({.type = BodyType::Static}, ground_of(kind, up * turn, 50.0f));
            }
            world.create_body({.position = {0.0f, 20.0f * turn}}, Box{{0.5f, 0.5f}});
            world.step();
            CAPTURE(kind);
            CHECK(world.stats().pairs == 0);
        }
    }
}

}  // namespace outline_test

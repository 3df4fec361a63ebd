// SPDX-License-Identifier: MIT
// Do corners between slanted faces hold boxes, and do they let pass what only grazes them?
// SCENES [2] [12]
#include <cmath>

#include <doctest/doctest.h>
#include <phys2d/phys2d.hpp>

#include "support/polygon_oracle.hpp"
#include "support/random.hpp"
#include "support/random_polygons.hpp"

namespace slanted_corner_test {

using namespace phys2d;

namespace {

constexpr float slop = 2e-3f;  // see docs/conventions.md, Corners of boxes

BodyId add_solid(World& world, const Polygon& polygon, bool is_loop) {
    const BodyDef fixed{.type = BodyType::Static};
    if (!is_loop) return world.create_body(fixed, polygon);
    return world.create_body(fixed, Chain{.points = polygon.vertices(), .is_loop = true});
}

/// How deep a box gets into a polygon within some steps [m].
double deepest(World& world, BodyId body, Vec2 half, const Polygon& polygon, int steps) {
    const test::Ring solid = test::exact(polygon);
    double depth = 0.0;
    for (int i = 0; i < steps; ++i) {
        world.step();
        const Shape there = Box{half, world.body(body).position()};
        depth = std::fmax(depth, -test::separate(solid, test::exact(there)).separation);
    }
    return depth;
}

}  // namespace

TEST_CASE("a box that flies at a corner of a polygon, or of a loop, stops at it") {
    for (const bool is_loop : {false, true}) {
        test::Random random;
        for (int i = 0; i < test::many / 50; ++i) {
            const Polygon polygon = test::random_polygon(random);
            const auto corner =
                static_cast<std::size_t>(random.integer(0, static_cast<int>(polygon.size()) - 1));
            const Vec2 half{random.uniform(0.04f, 0.6f), random.uniform(0.04f, 0.6f)};
            const Vec2 out{random.one_in(2) ? 1.0f : -1.0f, random.one_in(2) ? 1.0f : -1.0f};
            const Vec2 vertex = polygon.vertex(corner) + random.point(2.0f * slop);
            Vec2 velocity =
                random.direction() * random.uniform(0.0f, random.one_in(2) ? 8.0f : 60.0f);
            if (dot(velocity, out) > 0.0f) velocity = -velocity;
            const Vec2 start =
                vertex + out * half - velocity * (random.uniform(0.0f, 3.0f) / 60.0f);
            const Shape box = Box{half, start};
            if (test::separate(test::exact(polygon), test::exact(box)).separation < -slop) continue;

            World world({.gravity = {0.0f, random.one_in(2) ? -10.0f : 0.0f}});
            add_solid(world, polygon, is_loop);
            const BodyId body =
                world.create_body({.position = start, .velocity = velocity}, Box{half});
            INFO("loop ", is_loop, ", box ", i);
            CHECK(deepest(world, body, half, polygon, 6) < 2.0f * slop);
        }
    }
}

TEST_CASE("a box that flies at an end of a slanted line stops at it, or passes all of it") {
    test::Random random;
    for (int i = 0; i < test::many / 100; ++i) {
        const float angle = random.uniform(0.1f, 1.4f) * (random.one_in(2) ? 1.0f : -1.0f);
        const Vec2 along{std::cos(angle), std::sin(angle)};
        const Vec2 points[] = {along, -along};  // open above
        const Vec2 out = perpendicular(along);
        const Vec2 half{random.uniform(0.05f, 0.5f), random.uniform(0.05f, 0.5f)};
        const Vec2 end = random.one_in(2) ? along : -along;
        const Vec2 vertex{out.x > 0.0f ? -half.x : half.x, -half.y};
        const float speed = random.uniform(1.0f, 60.0f);
        const Vec2 start = end - vertex + along * random.uniform(-2.0f * slop, 2.0f * slop) +
                           out * (0.01f + speed * random.uniform(0.0f, 2.0f) / 60.0f);
        World world({.gravity = {}});
        world.create_body({.type = BodyType::Static}, Chain{.points = points});
        const BodyId body =
            world.create_body({.position = start, .velocity = out * -speed}, Box{half});
        INFO("line ", i);
        CHECK(deepest(world, body, half, Segment{along, -along}, 4) < 2.0f * slop);
    }
}

TEST_CASE("a box that only grazes a peak with its vertex goes on past it, from either side") {
    constexpr Vec2 half{0.3f, 0.3f};
    const Vec2 peak[] = {{3.0f, -6.0f}, {0.0f, 0.0f}, {-3.0f, -6.0f}};
    for (const float way : {1.0f, -1.0f}) {
        for (const float speed : {0.5f, 2.0f, 7.0f, 23.0f}) {
            for (int i = 0; i < 15; ++i) {
                const float depth = 0.1f * slop * static_cast<float>(1 + i % 3);
                const float before = speed / 60.0f * static_cast<float>(i) / 15.0f;
                World world({.gravity = {}});
                world.create_body({.type = BodyType::Static}, Chain{.points = peak});
                const BodyId body = world.create_body(
                    {.position = {-way * (2.0f * half.x + before), half.y - depth},
                     .velocity = {way * speed, 0.0f}},
                    Box{half});
                INFO("way ", way, ", speed ", speed, ", run ", i);
                const int steps = static_cast<int>(80.0f / speed);
                for (int step = 0; step <= steps + 2; ++step) world.step();
                CHECK(world.body(body).position().x * way > half.x);
                CHECK(world.body(body).velocity().x == doctest::Approx(way * speed).epsilon(1e-5));
            }
        }
    }
}

TEST_CASE("a box whose vertex stands on two slopes where they meet stays there") {
    constexpr Vec2 half{0.3f, 0.3f};
    const Vec2 falls[] = {{2.0f, -1.8f}, {0.0f, 0.0f}, {-2.0f, 0.4f}};
    const Vec2 rises[] = {{2.0f, 0.4f}, {0.0f, 0.0f}, {-2.0f, -1.8f}};
    for (const float way : {1.0f, -1.0f}) {
        for (int i = -4; i <= 4; ++i) {
            const float past = 0.1f * slop * static_cast<float>(i);
            World world;
            world.create_body({.type = BodyType::Static},
                              Chain{.points = way > 0.0f ? falls : rises}, {.friction = 2.0f});
            const Vec2 vertex{way * past, -(past > 0.0f ? 0.9f : 0.2f) * past};
            const Vec2 start = vertex + Vec2{way * half.x, half.y};
            const BodyId body =
                world.create_body({.position = start}, Box{half}, {.friction = 2.0f});
            for (int step = 0; step < 120; ++step) world.step();
            INFO("way ", way, ", place ", i);
            const float moved = length(world.body(body).position() - start);  // sinks in by 0.13 mm
            CHECK(moved < 0.1f * slop);
        }
    }
}

TEST_CASE("a box stands on the high end of a top that falls gently, however far it hangs over") {
    constexpr Vec2 half{0.25f, 0.25f};
    for (const float fall : {0.001f, 0.01f, 0.05f, 0.2f}) {
        for (const float undercut : {-0.3f, 0.0f, 9e-4f, 0.003f, 0.3f}) {
            const Polygon polygon{{-2.0f, -2.0f * fall}, {-2.0f, -3.0f}, {undercut, -3.0f}, {}};
            for (int i = -2; i <= 20; ++i) {
                const float over = i <= 12 ? 0.25f * slop * static_cast<float>(i)
                                           : 0.05f * static_cast<float>(i - 12);
                World world;
                add_solid(world, polygon, false);
                const BodyId body =
                    world.create_body({.position = Vec2{over, 0.0f} + Vec2{-half.x, half.y}},
                                      Box{half}, {.friction = 1.0f});
                INFO("fall ", fall, ", undercut ", undercut, ", over ", over);
                CHECK(deepest(world, body, half, polygon, 120) < 1.5f * slop);
            }
        }
    }
}

TEST_CASE("boxes keep their speed where pieces of a floor meet at any slant") {
    constexpr Material slippery{.friction = 0.0f};
    for (const float lean : {-2.0f, -1.0f, -0.3f, -0.002f, 0.002f, 0.3f, 1.0f, 2.0f}) {
        for (const float speed : {0.5f, 2.0f, 10.0f}) {
            for (int phase = 0; phase < 10; ++phase) {
                World world;
                for (int i = -3; i < 14; ++i) {
                    const auto x = static_cast<float>(i);
                    const float foot = x - 0.5f * lean;
                    world.create_body(
                        {.type = BodyType::Static},
                        Polygon{{foot, -0.5f}, {foot + 1.0f, -0.5f}, {x + 1.0f, 0.0f}, {x, 0.0f}},
                        slippery);
                }
                const Vec2 start{0.3f + 0.037f * static_cast<float>(phase), 0.25f};
                const BodyId body = world.create_body(
                    {.position = start, .velocity = {speed, 0.0f}}, Box{{0.25f, 0.25f}}, slippery);
                for (int i = 0; i < static_cast<int>(480.0f / speed); ++i) world.step();
                INFO("lean ", lean, ", speed ", speed, ", phase ", phase);
                CHECK(world.body(body).velocity().x == speed);
                CHECK(world.body(body).position().x > 8.0f);
            }
        }
    }
}

TEST_CASE("boxes pressed onto a tilted floor of blocks slide over their joints") {
    constexpr Material slippery{.friction = 0.0f};
    test::Random random;
    for (int i = 0; i < test::many / 2'000; ++i) {
        const float angle = random.uniform(-0.6f, 0.6f);
        const Vec2 along{std::cos(angle), std::sin(angle)};
        const Vec2 out = perpendicular(along);
        const float size = random.uniform(0.08f, 0.5f);
        World world({.gravity = out * -random.uniform(1.0f, 30.0f)});
        for (int k = -10; static_cast<float>(k) * size < 6.0f; ++k) {
            const Vec2 left = along * (size * static_cast<float>(k));
            const Vec2 right = along * (size * static_cast<float>(k + 1));
            world.create_body({.type = BodyType::Static},
                              Polygon{left - out, right - out, right, left}, slippery);
        }
        const Vec2 half{random.uniform(0.1f, 0.4f), random.uniform(0.1f, 0.4f)};
        const float reach = half.x * std::fabs(out.x) + half.y * std::fabs(out.y);
        const float speed = random.uniform(0.5f, 6.0f);
        const BodyId body = world.create_body(
            {.position = along * random.unit() + out * reach, .velocity = along * speed}, Box{half},
            slippery);
        for (int step = 0; step < 45; ++step) world.step();
        INFO("floor ", i);
        CHECK(dot(world.body(body).velocity(), along) > 0.9f * speed);
        CHECK(dot(world.body(body).position(), out) - reach < 5.0f * slop);
    }
}

TEST_CASE("boxes that land uphill on a slope of pieces go on as on one of one piece") {
    constexpr Material slippery{.friction = 0.0f};
    constexpr float slope = 0.25f;
    test::Random random;
    for (int i = 0; i < test::many / 500; ++i) {
        World pieces, whole;
        const auto add = [&](World& world, float from, float to) {
            const Vec2 left{from, slope * from}, right{to, slope * to};
            const Vec2 down{0.0f, -1.0f};
            world.create_body({.type = BodyType::Static},
                              Polygon{left + down, right + down, right, left}, slippery);
        };
        for (int k = 0; k < 40; ++k)
            add(pieces, 0.5f * static_cast<float>(k), 0.5f * static_cast<float>(k + 1));
        add(whole, 0.0f, 20.0f);
        const Vec2 half{random.uniform(0.05f, 0.4f), random.uniform(0.05f, 0.4f)};
        const Vec2 foot{random.uniform(1.0f, 3.0f), random.uniform(0.0f, 0.3f)};
        const Vec2 start{foot.x, slope * (foot.x + half.x) + half.y + foot.y};
        const BodyDef def{.position = start, .velocity = {random.uniform(2.0f, 20.0f), 0.0f}};
        const BodyId a = pieces.create_body(def, Box{half}, slippery);
        const BodyId b = whole.create_body(def, Box{half}, slippery);
        for (int step = 0; step < 30; ++step) {
            pieces.step();
            whole.step();
        }
        INFO("landing ", i);
        CHECK(std::fabs(pieces.body(a).velocity().x - whole.body(b).velocity().x) <
              0.05f * def.velocity.x);
    }
}

}  // namespace slanted_corner_test

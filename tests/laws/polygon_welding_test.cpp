// SPDX-License-Identifier: MIT
// Static polygons that abut or overlap, with boxes and tiles among them, behave as their union.
// SCENES [1] [2] [4]
#include <cmath>
#include <vector>

#include <doctest/doctest.h>
#include <phys2d/phys2d.hpp>

#include "../support/random.hpp"

namespace polygon_welding_test {

using namespace phys2d;

namespace {

constexpr Material slippery{.friction = 0.0f};
constexpr BodyDef fixed{.type = BodyType::Static};

const Shape bodies[] = {Box{{0.2f, 0.25f}}, Circle{0.25f}, Capsule{0.2f, 0.2f},
                        RoundedBox{{0.15f, 0.15f}, 0.1f}};

using Points = std::vector<Vec2>;

/// The surface of a landscape from left to right, with bends of up to `most_turn` [rad] either way,
/// up to slopes of half a radian, and level stretches.
Points landscape(test::Random& random, float most_turn) {
    Points points{{0.0f, 0.0f}};
    float angle = random.uniform(-0.3f, 0.3f);
    while (points.back().x < 24.0f) {
        const float length = random.uniform(0.2f, 1.5f);
        const float turn = random.uniform(-most_turn, most_turn);
        angle = random.one_in(5) ? 0.0f : clamp(angle + turn, -0.5f, 0.5f);
        points.push_back(points.back() + Vec2{std::cos(angle), std::sin(angle)} * length);
    }
    return points;
}

/// Ground below it: one chain.
void add_chain(World& world, const Points& points) {
    const Points reversed(points.rbegin(), points.rend());
    world.create_body(fixed, Chain{.points = {reversed.data(), reversed.size()}}, slippery);
}

/// The same of a polygon for each of its edges, with joints that lean either way, or a box where it
/// is level.
void add_pieces(World& world, const Points& points, test::Random& random) {
    constexpr Vec2 down{0.0f, -0.8f};
    Vec2 foot = down;
    bool may_be_box = true;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const Vec2 from = points[i];
        const Vec2 to = points[i + 1];
        if (from.y == to.y && may_be_box) {
            world.create_body(fixed, AABB{from + down, to}, slippery);
            foot = down;
        } else {
            may_be_box = random.one_in(2);
            const Vec2 aside{may_be_box ? 0.0f : random.uniform(-0.05f, 0.05f), 0.0f};
            world.create_body(fixed, Polygon{from, from + foot, to + down + aside, to}, slippery);
            foot = down + aside;
        }
    }
}

}  // namespace

TEST_CASE("what lands and slides on a landscape of pieces keeps its speed as on one chain") {
    int slowed = 0;
    int off = 0;
    constexpr int runs = test::many / 500;
    for (int seed = 1; seed <= runs; ++seed) {
        test::Random random(static_cast<std::uint64_t>(seed));
        const Points points = landscape(random, 0.2f);
        const Shape& shape = bodies[random.integer(0, 3)];
        const Vec2 start{random.uniform(1.0f, 4.0f), 3.0f};
        const Vec2 velocity{random.uniform(0.0f, 20.0f), random.uniform(-5.0f, 0.0f)};
        World whole, pieces;
        add_chain(whole, points);
        add_pieces(pieces, points, random);
        const BodyDef def{.position = start, .velocity = velocity};
        const BodyRef expected = whole.body(whole.create_body(def, shape, slippery));
        const BodyRef body = pieces.body(pieces.create_body(def, shape, slippery));
        float most_lost = 0.0f;
        float most_apart = 0.0f;
        for (int i = 0; i < 90; ++i) {
            whole.step();
            pieces.step();
            if (expected.position().x < 1.0f || expected.position().x > 23.0f) break;
            const float lost = length(expected.velocity()) - length(body.velocity());
            most_lost = std::fmax(most_lost, lost);
            most_apart = std::fmax(most_apart, distance(expected.position(), body.position()));
        }
        slowed += most_lost > 2.0f ? 1 : 0;
        off += most_apart > 0.1f ? 1 : 0;
    }
    CHECK(slowed == 0);
    CHECK(off <= runs / 40);  // hops at corners end earlier or later by rounding
}

namespace {

/// A floor with its top at y = 0 from x = -40 to 40, of polygons, boxes and tiles in turn; joints
/// of polygons lean.
void add_mixed_floor(World& world, std::uint64_t seed) {
    test::Random random(seed);
    TileMapRef map = world.tile_map(world.create_tile_map({.position = {0.0f, -1.0f}}));
    map.define(1, {.material = slippery});
    float lean = 0.0f;
    for (int x = -40; x < 40; ++x) {
        const auto left = static_cast<float>(x);
        const bool is_upright = lean == 0.0f;
        const int kind = is_upright ? random.integer(0, 2) : 0;
        const AABB square{{left, -1.0f}, {left + 1.0f, 0.0f}};
        if (kind == 1) world.create_body(fixed, square, slippery);
        if (kind == 2) map.set({x, 0}, 1);
        if (kind > 0) continue;
        const float next = random.one_in(2) ? random.uniform(-0.6f, 0.4f) : 0.0f;
        world.create_body(fixed,
                          Polygon{square.min + Vec2{lean, 0.0f},
                                  {left + 1.0f + next, -1.0f},
                                  square.max,
                                  {left, 0.0f}},
                          slippery);
        lean = next;
    }
}

}  // namespace

TEST_CASE("what is pressed onto a floor of polygons, boxes and tiles slides as on one box") {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        for (const Shape& shape : bodies) {
            for (const float speed : {0.5f, -6.0f, 25.0f}) {
                World whole, pieces;
                whole.create_body(fixed, AABB{{-40.0f, -1.0f}, {40.0f, 0.0f}}, slippery);
                add_mixed_floor(pieces, seed);
                const Vec2 start{speed < 0.0f ? 35.0f : -35.0f, outer_half_extents(shape).y};
                const BodyDef def{.position = start, .velocity = {speed, 0.0f}};
                BodyRef expected = whole.body(whole.create_body(def, shape, slippery));
                BodyRef body = pieces.body(pieces.create_body(def, shape, slippery));
                float most = 0.0f;
                for (int i = 0; i < 160; ++i) {
                    expected.apply_force({0.0f, -20.0f});
                    body.apply_force({0.0f, -20.0f});
                    whole.step();
                    pieces.step();
                    most = std::fmax(most, distance(body.position(), expected.position()));
                }
                CAPTURE(seed);
                CAPTURE(speed);
                CAPTURE(shape.radius);
                CHECK(most < 2e-3f);  // two pieces sink in less than one
            }
        }
    }
}

TEST_CASE("polygons that come and go are welded and cut as they do") {
    World world;
    const auto ramp = [&](float x) {
        return world.create_body(
            fixed, Polygon{{x, -1.0f}, {x + 1.0f, -1.0f}, {x + 1.0f, 0.0f}, {x, 0.0f}}, slippery);
    };
    ramp(-1.0f);
    BodyId middle = ramp(0.0f);
    ramp(1.0f);
    BodyRef box =
        world.body(world.create_body({.position = {0.5f, 0.3f}}, Box{{0.3f, 0.3f}}, slippery));
    for (int round = 0; round < 4; ++round) {
        for (int i = 0; i < 30; ++i) world.step();
        CHECK(box.position().y == doctest::Approx(0.3).epsilon(0.01));
        world.destroy_body(middle);
        for (int i = 0; i < 20; ++i) world.step();
        CHECK(box.position().y < 0.0f);
        box.set_velocity({3.0f, 0.0f});  // against the side of the next one, which is bare now
        for (int i = 0; i < 10; ++i) world.step();
        CHECK(box.position().x == doctest::Approx(0.7).epsilon(0.01));
        box.teleport({-0.6f, 0.31f});
        middle = ramp(0.0f);
        box.set_velocity({2.0f, 0.0f});
        for (int i = 0; i < 33; ++i) world.step();
        CHECK(box.velocity().x == doctest::Approx(2.0));
        box.set_velocity({});
    }
}

TEST_CASE("joints do not hold what a load presses in by more than half a centimetre") {
    for (const bool is_polygon : {false, true}) {
        World world;
        for (int x = -40; x < 40; ++x) {
            const AABB piece{{static_cast<float>(x), -1.0f}, {static_cast<float>(x) + 1.0f, 0.0f}};
            if (is_polygon) world.create_body(fixed, Polygon(piece), slippery);
            if (!is_polygon) world.create_body(fixed, piece, slippery);
        }
        BodyRef body = world.body(world.create_body(
            {.position = {35.0f, 0.25f}, .velocity = {-6.0f, 0.0f}}, bodies[0], slippery));
        float deepest = 0.0f;
        for (int i = 0; i < 160; ++i) {
            body.apply_force({0.0f, -300.0f});
            world.step();
            deepest = std::fmax(deepest, 0.25f - body.position().y);
        }
        CAPTURE(is_polygon);
        CHECK(deepest > 0.005f);
        CHECK(body.velocity().x == doctest::Approx(-6.0));
        CHECK(std::fabs(body.position().x - 19.0f) < 0.1f);  // the way of a step
    }
}

TEST_CASE("a box whose edge comes down at a ridge of pieces some millimetres apart stays on it") {
    constexpr float gap = detail::weld_gap;
    test::Random random;
    int fallen = 0;
    for (int run = 0; run < test::many / 200; ++run) {
        Vec2 top{random.uniform(0.0f, gap), 0.0f};
        if (run % 3 == 1) top = random.point(gap);
        if (run % 3 == 2) top = random.point(3.0f * gap);
        const float slope = random.uniform(0.05f, 1.2f);
        const float half = random.uniform(0.05f, 0.4f);
        World world;
        world.create_body(fixed, AABB{{-5.0f, -3.0f}, {0.0f, 0.0f}}, slippery);
        world.create_body(
            fixed,
            Polygon{top + Vec2{0.0f, -9.0f}, {4.0f, -9.0f}, {4.0f, top.y - 4.0f * slope}, top},
            slippery);
        const Vec2 velocity{random.uniform(-30.0f, 30.0f), random.uniform(-60.0f, -10.0f)};
        const float before = random.uniform(0.0f, 1.0f / 60.0f);
        const Vec2 edge{random.uniform(-0.006f, 0.004f), 0.001f};
        const BodyRef box = world.body(world.create_body(
            {.position = edge + Vec2{half, half} - velocity * before, .velocity = velocity},
            Box{{half, half}}, slippery));
        for (int i = 0; i < 6; ++i) {
            world.step();
            const float left = box.position().x - half;
            const float ground = left < 0.0f ? 0.0f : -slope * left;
            fallen +=
                left < 3.0f && left > -4.0f && box.position().y - half < ground - 0.1f ? 1 : 0;
        }
    }
    CHECK(fallen <= 1);
}

TEST_CASE("a fan of triangles bears as much as the square that they make up") {
    for (const Shape& shape : {Shape(Box{{0.05f, 0.05f}}), Shape(Circle{0.05f})}) {
        for (int place = -4; place <= 4; ++place) {
            World world;
            const Vec2 corners[] = {{-1.0f, -2.0f}, {1.0f, -2.0f}, {1.0f, 0.0f}, {-1.0f, 0.0f}};
            for (int i = 0; i < 4; ++i) {
                world.create_body(fixed, Polygon{{0.1f, -0.9f}, corners[i], corners[(i + 1) % 4]});
            }
            const auto x = 0.2f * static_cast<float>(place);
            const BodyRef small = world.body(world.create_body({.position = {x, 0.05f}}, shape));
            world.create_body({.position = {x, 0.6f}, .mass = 3000.0f}, Box{{0.5f, 0.5f}});
            for (int i = 0; i < 120; ++i) world.step();
            CAPTURE(place);
            CHECK(small.position().y > -0.5f);
        }
    }
}

}  // namespace polygon_welding_test

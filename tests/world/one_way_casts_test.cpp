// SPDX-License-Identifier: MIT
// Are shapes that are cast stopped by one-way colliders as bodies are, whatever these are made of?
// What they would hit if nothing were one-way is told by the same world without one-way sides.
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "support/random.hpp"
#include "support/tiles.hpp"

namespace one_way_casts_test {

using namespace phys2d;

namespace {

constexpr float half = 0.5f;

enum class Ground { Box, Circle, Polygon, Segment, HalfSpace, Tile };
constexpr Ground grounds[] = {Ground::Box,     Ground::Circle,    Ground::Polygon,
                              Ground::Segment, Ground::HalfSpace, Ground::Tile};

/// A square of 1 m around the origin, a circle in it, its side in a direction, or all behind that.
World world_of(Ground ground, Vec2 out, OneWay one_way) {
    World world{{.gravity = {}}};
    const ColliderDef collider{.one_way = one_way};
    const auto create = [&](const auto& shape) {
        (void)world.create_body({.type = BodyType::Static}, shape, {}, collider);
    };
    const Vec2 along = perpendicular(out) * half;
    switch (ground) {
        case Ground::Box: create(Box{{half, half}}); break;
        case Ground::Circle: create(Circle{half}); break;
        case Ground::Polygon: create(Polygon(AABB{{-half, -half}, {half, half}})); break;
        case Ground::Segment: create(Segment{out * half + along, out * half - along}); break;
        case Ground::HalfSpace: create(HalfSpace{out, half}); break;
        case Ground::Tile:
            TileMapRef map = world.tile_map(world.create_tile_map({.position = {-half, -half}}));
            map.define(1, {.collider = collider});
            map.set({0, 0}, 1);
            break;
    }
    return world;
}

Shape cast_shape(test::Random& random) {
    const Vec2 center = random.point(2.0f);
    switch (random.integer(0, 2)) {
        case 0: return Circle{random.uniform(0.1f, 0.5f), center};
        case 1: return Box{{random.uniform(0.1f, 0.5f), random.uniform(0.1f, 0.5f)}, center};
        default:
            return Capsule{random.uniform(0.1f, 0.4f), random.uniform(0.1f, 0.4f), Axis::Y, center};
    }
}

/// How far a shape is in front of the side [m].
float height_above_side(const Shape& shape, Vec2 out) {
    const AABB box = bounds(shape);
    return std::fmin(dot(box.min, out), dot(box.max, out)) - half;
}

constexpr OneWay sides[] = {OneWay::Up, OneWay::Down, OneWay::Left, OneWay::Right};

}  // namespace

TEST_CASE("shapes that are cast hit one-way colliders from in front, and not from elsewhere") {
    test::Random random;
    int hits = 0, passes = 0;
    for (const Ground ground : grounds) {
        for (const OneWay side : sides) {
            const Vec2 out = direction_of(side);
            const World solid = world_of(ground, out, OneWay::No);
            const World open = world_of(ground, out, side);
            for (int i = 0; i < test::many / 100; ++i) {
                const Shape shape = cast_shape(random);
                const float height = height_above_side(shape, out);
                if (std::fabs(height) < 0.01f) continue;
                const Vec2 way = random.point(3.0f);
                const QueryHit expected = solid.shape_cast(shape, way);
                const QueryHit hit = open.shape_cast(shape, way);
                CAPTURE(static_cast<int>(ground));
                CAPTURE(static_cast<int>(side));
                const bool is_stopped =
                    height > 0.0f && expected && dot(expected.normal, out) > 0.0f;
                REQUIRE(static_cast<bool>(hit) == is_stopped);
                if (hit) CHECK(std::fabs(hit.fraction - expected.fraction) < 1e-5f);
                (hit ? hits : passes) += expected ? 1 : 0;
            }
        }
    }
    CHECK(hits > test::many / 100);
    CHECK(passes > test::many / 100);
}

TEST_CASE("a shape that is cast stands on a one-way slope and passes through from below") {
    for (const bool is_chain : {false, true}) {
        World world{{.gravity = {}}};
        const ColliderDef one_way{.one_way = OneWay::Up};
        const Vec2 slope[] = {{0.0f, 0.0f}, {4.0f, 0.0f}, {4.0f, 2.0f}};
        if (is_chain) {
            const Vec2 line[] = {{4.0f, 2.0f}, {0.0f, 0.0f}};
            (void)world.create_body({.type = BodyType::Static}, Chain{line}, {}, one_way);
        } else {
            (void)world.create_body({.type = BodyType::Static}, Polygon(slope), {}, one_way);
        }
        CAPTURE(is_chain);
        const Circle ball{0.25f, {2.0f, 3.0f}};
        const QueryHit on_slope = world.shape_cast(ball, {0.0f, -6.0f});
        CHECK(on_slope);
        CHECK(on_slope.normal.y > 0.8f);
        CHECK_FALSE(world.shape_cast(translate(Shape(ball), {0.0f, -6.0f}), {0.0f, 6.0f}));
        CHECK_FALSE(world.shape_cast(translate(Shape(ball), {0.0f, -2.0f}), {0.0f, -4.0f}));
        const QueryHit uphill = world.shape_cast(Circle{0.25f, {-1.0f, 1.0f}}, {4.0f, 0.0f});
        CHECK(uphill);
    }
}

TEST_CASE("rays hit one-way colliders from all sides") {
    for (const Ground ground : grounds) {
        const World world = world_of(ground, {0.0f, 1.0f}, OneWay::Up);
        CAPTURE(static_cast<int>(ground));
        CHECK(world.ray_cast({0.0f, 3.0f}, {0.0f, -6.0f}));
        CHECK(world.ray_cast({0.0f, -3.0f}, {0.0f, 6.0f}));
    }
}

TEST_CASE("the side of a sensor means nothing to shapes that are cast") {
    for (const Ground ground : {Ground::Box, Ground::Polygon, Ground::Tile}) {
        World world = world_of(ground, {0.0f, 1.0f}, OneWay::Up);
        world.for_each_collider([&](ColliderId id) {
            ColliderRef collider = world.collider(id);
            if (collider.def().one_way == OneWay::No) return;
            ColliderDef def = collider.def();
            def.is_sensor = true;
            collider.set_def(def);
        });
        CAPTURE(static_cast<int>(ground));
        const Circle ball{0.25f, {0.0f, -3.0f}};
        CHECK(world.shape_cast(ball, {0.0f, 6.0f}, {.sensors = true}));
        CHECK_FALSE(world.shape_cast(ball, {0.0f, 6.0f}));
    }
}

}  // namespace one_way_casts_test

// SPDX-License-Identifier: MIT
// Terrain that begins flush with other terrain, or stands on it, catches nothing that slides onto
// it. SCENES [1] [2]
#include <cmath>
#include <initializer_list>

#include <doctest/doctest.h>
#include <phys2d/phys2d.hpp>

namespace seam_test {

using namespace phys2d;

namespace {

constexpr Material slippery{.friction = 0.0f};
constexpr BodyDef fixed{.type = BodyType::Static};

const Shape sliders[] = {Box{{0.4f, 0.4f}}, Box{{0.05f, 0.3f}}, Circle{0.4f}, Capsule{0.2f, 0.2f},
                         RoundedBox{{0.3f, 0.3f}, 0.1f}};

float height_of(const Shape& shape) { return outer_half_extents(shape).y; }

void add_tiles(World& world, TileRect rect) {
    TileMapRef map = world.tile_map(world.create_tile_map());
    map.define(1, {.material = slippery});
    map.fill(rect, 1);
}

void add_polygon(World& world, float from, float to, float top = 0.0f) {
    world.create_body(fixed, Polygon{{from, -1.0f}, {to, -1.0f}, {to, top}, {from, top}}, slippery);
}

enum Floor { BoxFloor, HalfSpaceFloor, TileFloor, ChainFloor, floors };

/// A floor with its top at y = 0.
void add_floor(World& world, int floor) {
    const Vec2 points[] = {{60.0f, 0.0f}, {-60.0f, 0.0f}};
    if (floor == BoxFloor) {
        world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{60.0f, 1.0f}},
                          slippery);
    }
    if (floor == HalfSpaceFloor) world.create_body(fixed, HalfSpace{}, slippery);
    if (floor == TileFloor) add_tiles(world, {{-60, -1}, {60, -1}});
    if (floor == ChainFloor) world.create_body(fixed, Chain{{points, 2}}, slippery);
}

/// A ramp that begins at the origin and rises by a tenth to one side.
void add_ramp(World& world, float side, bool is_chain) {
    const Vec2 foot{};
    const Vec2 top{20.0f * side, 2.0f};
    const Vec2 chain[] = {side > 0.0f ? top : foot, side > 0.0f ? foot : top};
    const Vec2 below{20.0f * side, 0.0f};
    if (is_chain) {
        world.create_body(fixed, Chain{{chain, 2}}, slippery);
    } else {
        const Polygon polygon = side > 0.0f ? Polygon{foot, below, top} : Polygon{foot, top, below};
        world.create_body(fixed, polygon, slippery);
    }
}

enum class Row { Polygons, Colliders, PolygonThenTiles, TilesThenPolygon };

/// A floor from x = -30 to 30, with its top at y = 0, of things that abut.
void add_row(World& world, Row row) {
    if (row == Row::PolygonThenTiles) {
        add_polygon(world, -30.0f, 0.0f);
        add_tiles(world, {{0, -1}, {29, -1}});
    } else if (row == Row::TilesThenPolygon) {
        add_tiles(world, {{-30, -1}, {-1, -1}});
        add_polygon(world, 0.0f, 30.0f);
    } else {
        BodyId body{};
        for (int i = -30; i < 30; ++i) {
            const auto x = static_cast<float>(i);
            const Polygon piece{{x, -1.0f}, {x + 1.0f, -1.0f}, {x + 1.0f, 0.0f}, {x, 0.0f}};
            if (row == Row::Polygons || i == -30) {
                body = world.create_body(fixed, piece, slippery);
            } else {
                world.add_collider(body, piece, slippery);
            }
        }
    }
}

/// Where a body is and how fast, once it is beyond x = `end` or two seconds have passed.
BodyRef slide(World& world, BodyId body, float rate, float end) {
    for (int i = 0; i < 2 * static_cast<int>(rate); ++i) {
        if (std::fabs(world.body(body).position().x) > end) break;
        world.step();
    }
    return world.body(body);
}

}  // namespace

TEST_CASE(
    "at the foot of a ramp that stands on a floor a body keeps the part of its speed along it") {
    constexpr float cosine = 0.99503719f;
    for (int floor = 0; floor < floors; ++floor) {
        for (const bool is_chain : {false, true}) {
            for (const float rate : {30.0f, 60.0f, 120.0f, 240.0f}) {
                for (const float speed : {2.0f, 8.0f, 30.0f}) {
                    for (const Shape& shape : sliders) {
                        for (const float side : {-1.0f, 1.0f}) {
                            World world({.gravity = {0.0f, -10.0f}, .time_step = 1.0f / rate});
                            add_floor(world, floor);
                            add_ramp(world, side, is_chain);
                            const float height = height_of(shape);
                            const BodyId body =
                                world.create_body({.position = {-0.9f * side, height},
                                                   .velocity = {speed * side, 0.0f}},
                                                  shape, slippery);
                            const BodyRef there = slide(world, body, rate, 1.0f);
                            const float rise = there.position().y - height;
                            const float expected =
                                std::sqrt(speed * speed * cosine * cosine - 20.0f * rise);
                            INFO("floor ", floor, ", chain ", is_chain, ", rate ", rate);
                            INFO("speed ", speed, ", radius ", shape.radius, ", side ", side);
                            CHECK(there.position().x * side > 1.0f);
                            // a step late or early along the ramp
                            CHECK(std::fabs(length(there.velocity()) - expected) <
                                  1.5f / rate + 1e-3f * speed);
                        }
                    }
                }
            }
        }
    }
}

TEST_CASE("over terrain that abuts a body keeps its speed") {
    for (const Row row :
         {Row::Polygons, Row::Colliders, Row::PolygonThenTiles, Row::TilesThenPolygon}) {
        for (const float rate : {30.0f, 60.0f, 120.0f, 240.0f}) {
            for (const float speed : {0.5f, 2.0f, 8.0f, 30.0f}) {
                for (const Shape& shape : sliders) {
                    World world({.gravity = {0.0f, -10.0f}, .time_step = 1.0f / rate});
                    add_row(world, row);
                    const float start = speed > 8.0f ? -25.0f : -0.7f;
                    const BodyId body = world.create_body(
                        {.position = {start, height_of(shape)}, .velocity = {speed, 0.0f}}, shape,
                        slippery);
                    const BodyRef there = slide(world, body, rate, 26.0f);
                    INFO("row ", static_cast<int>(row), ", rate ", rate, ", speed ", speed);
                    INFO("radius ", shape.radius, ", half width ", shape.half_extents.x);
                    const float most = shape.radius > 0.0f ? 2e-3f : 1e-5f;
                    CHECK(std::fabs(there.velocity().x - speed) <= most * speed);
                    CHECK(std::fabs(there.position().y - height_of(shape)) < 6e-4f);
                }
            }
        }
    }
}

TEST_CASE("a box that is pushed over terrain that abuts gains all that the force gives it") {
    for (const float rate : {30.0f, 60.0f, 240.0f}) {
        for (const float push : {1.0f, 5.0f, 20.0f, 100.0f}) {
            World world({.gravity = {0.0f, -10.0f}, .time_step = 1.0f / rate});
            add_row(world, Row::Polygons);
            const BodyId body =
                world.create_body({.position = {0.0f, 0.4f}}, Box{{0.4f, 0.4f}}, slippery);
            const int steps = static_cast<int>(rate * std::sqrt(40.0f / push));
            for (int i = 0; i < steps; ++i) {
                world.body(body).apply_force({push / world.body(body).inverse_mass(), 0.0f});
                world.step();
            }
            CAPTURE(rate);
            CAPTURE(push);
            CHECK(world.body(body).velocity().x ==
                  doctest::Approx(push * static_cast<float>(steps) / rate).epsilon(1e-4));
        }
    }
}

TEST_CASE("a step up in terrain stops a box if it is higher than the slop, else it is slid over") {
    for (const float step : {5e-4f, 1e-3f, 1.5e-3f, 2.5e-3f, 5e-3f, 0.02f, 0.3f}) {
        for (const float speed : {0.5f, 4.0f, 30.0f, 300.0f}) {
            World world({.gravity = {0.0f, -10.0f}});
            add_floor(world, BoxFloor);
            add_polygon(world, 1.0f, 50.0f, step);
            const BodyId body = world.create_body(
                {.position = {0.0f, 0.4f}, .velocity = {speed, 0.0f}}, Box{{0.4f, 0.4f}}, slippery);
            const BodyRef there = slide(world, body, 60.0f, 20.0f);
            CAPTURE(step);
            CAPTURE(speed);
            const bool passes = step < 2e-3f;
            CHECK(there.velocity().x == doctest::Approx(passes ? speed : 0.0f).epsilon(1e-4));
            CHECK(std::fabs(there.position().y - 0.4f - (passes ? step : 0.0f)) < 1e-3f);
        }
    }
}

TEST_CASE("what comes over the end of terrain from above, however fast, does not get into it") {
    for (const float rate : {30.0f, 60.0f}) {
        for (const float speed : {1.0f, 10.0f, 100.0f, 1000.0f}) {
            for (const Shape& shape : sliders) {
                for (int i = 0; i < 40; ++i) {  // past the corner, by up to 4 mm above or below it
                    const Vec2 ahead{0.98058068f, -0.19611614f};
                    const float height = height_of(shape) + 1e-4f * static_cast<float>(2 * i - 40);
                    const Vec2 corner{-outer_half_extents(shape).x, height};
                    World world({.gravity = {0.0f, -10.0f}, .time_step = 1.0f / rate});
                    add_polygon(world, 0.0f, 50.0f);
                    const BodyId body = world.create_body(
                        {.position = corner - ahead * (0.013f * static_cast<float>(i)),
                         .velocity = ahead * speed},
                        shape, slippery);
                    float lowest = 1.0f;
                    for (int k = 0; k < 20; ++k) {
                        world.step();
                        const Vec2 at = world.body(body).position();
                        if (at.x > 0.0f && at.x < 50.0f) lowest = std::fmin(lowest, at.y);
                    }
                    INFO("rate ", rate, ", speed ", speed, ", radius ", shape.radius, ", i ", i);
                    CHECK(lowest > height_of(shape) - 5e-3f);
                }
            }
        }
    }
}

}  // namespace seam_test

// SPDX-License-Identifier: MIT
// Does one-way ground that bends hold as solid ground does?
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "support/picture.hpp"

namespace one_way_hill_test {

using namespace phys2d;

namespace {

constexpr float dt = 1.0f / 60.0f;
const Shape shapes[] = {Box{{0.3f, 0.8f}}, Circle{0.4f}, Capsule{0.5f, 0.3f}};

/// What turns up into the direction of a one-way side.
Vec2 turned(Vec2 point, OneWay side) {
    const Vec2 up = direction_of(side);
    return up * point.y - perpendicular(up) * point.x;
}
Shape turned(Shape shape, OneWay side) {
    const bool is_level = side == OneWay::Left || side == OneWay::Right;
    if (is_level) shape.half_extents = {shape.half_extents.y, shape.half_extents.x};
    return shape;
}

void add_chain(World& world, const std::vector<Vec2>& points, OneWay one_way,
               const Material& material = {}) {
    world.create_body({.type = BodyType::Static}, Chain{points}, material, {.one_way = one_way});
}

/// A hill with its tip at (0, 0) that falls as (1, 0.5) to both sides, of tiles.
void add_hill_of_tiles(World& world, OneWay one_way, const Material& material = {}) {
    TileMapRef map = world.tile_map(world.create_tile_map({.position = {0.0f, -10.0f}}));
    const Polygon shapes_of_tiles[] = {{{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 0.5f}},
                                       {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}, {0.0f, 0.5f}},
                                       {{0.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 0.5f}},
                                       {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 0.5f}, {0.0f, 1.0f}}};
    for (TileId id = 1; id <= 4; ++id) {
        map.define(id, {.shape = shapes_of_tiles[id - 1],
                        .material = material,
                        .collider = {.one_way = one_way}});
    }
    for (int i = 0; i < 8; ++i) {
        map.set({-1 - i, 9 - i / 2}, i % 2 == 0 ? 2 : 1);
        map.set({i, 9 - i / 2}, i % 2 == 0 ? 4 : 3);
    }
}

enum class Hill { Chain, Polygon, Tiles, Chains, Polygons };
constexpr Hill hills[] = {Hill::Chain, Hill::Polygon, Hill::Tiles, Hill::Chains, Hill::Polygons};

/// A hill with its tip at (0, 0) that falls as (1, slope) to both sides. Of tiles the slope is 0.5.
void add_hill(World& world, Hill hill, float slope, OneWay one_way, const Material& material) {
    const Vec2 right{8.0f, -8.0f * slope}, left{-8.0f, -8.0f * slope};
    if (hill == Hill::Chain) add_chain(world, {right, {}, left}, one_way, material);
    if (hill == Hill::Chains) {
        add_chain(world, {right, {}}, one_way, material);
        add_chain(world, {{}, left}, one_way, material);
    }
    if (hill == Hill::Polygons) {
        const BodyDef fixed{.type = BodyType::Static};
        const Vec2 foot{0.0f, left.y};
        world.create_body(fixed, Polygon{{}, left, foot}, material, {.one_way = one_way});
        world.create_body(fixed, Polygon{{}, foot, right}, material, {.one_way = one_way});
    }
    if (hill == Hill::Polygon) {
        world.create_body({.type = BodyType::Static}, Polygon{right, {}, left}, material,
                          {.one_way = one_way});
    }
    if (hill == Hill::Tiles) add_hill_of_tiles(world, one_way, material);
}

std::vector<Vec2> zigzag(float step, float height, int count) {
    std::vector<Vec2> points;
    for (int i = count; i >= -count; --i) {
        points.push_back({static_cast<float>(i) * step, i % 2 != 0 ? height : 0.0f});
    }
    return points;
}

}  // namespace

TEST_CASE("what is dropped on the tip of a one-way hill stays on it") {
    for (const Hill hill : hills) {
        for (const float slope : {0.1f, 0.25f, 0.5f, 1.0f}) {
            if (hill == Hill::Tiles && slope != 0.5f) continue;
            int through = 0;
            for (const Shape& shape : shapes) {
                for (int i = -40; i <= 40; ++i) {
                    World world({.gravity = {0.0f, -10.0f}, .time_step = dt});
                    add_hill(world, hill, slope, OneWay::Up, {.friction = 1.0f});
                    const BodyId body =
                        world.create_body({.position = {0.02f * static_cast<float>(i), 2.0f}},
                                          shape, {.friction = 1.0f});
                    for (int k = 0; k < 150; ++k) world.step();
                    const Vec2 place = world.body(body).position();
                    through += place.y < -slope * std::fabs(place.x) ? 1 : 0;
                }
            }
            CAPTURE(static_cast<int>(hill));
            CAPTURE(slope);
            CHECK(through == 0);
        }
    }
}

TEST_CASE("a crate rests on the tip of a one-way roof") {
    for (const Hill hill : hills) {
        World world({.gravity = {0.0f, -10.0f}, .time_step = dt});
        add_hill(world, hill, 0.5f, OneWay::Up, {});
        const BodyId crate = world.create_body({.position = {0.1f, 1.0f}}, Box{{0.3f, 0.3f}});
        for (int i = 0; i < 120; ++i) world.step();
        CHECK_IN(world, world.body(crate).position().y == doctest::Approx(0.3f).epsilon(0.02));
    }
}

TEST_CASE("what slides over a one-way hill or hollow goes where it goes on solid ground") {
    for (const float slope : {-0.4f, -0.2f, -0.05f, 0.05f, 0.2f, 0.4f}) {
        for (const float speed : {0.5f, 2.0f, 5.0f}) {
            for (const Shape& shape : shapes) {
                const auto end_on = [&](OneWay one_way) {
                    World world({.gravity = {0.0f, -10.0f}, .time_step = dt});
                    add_chain(world, {{30.0f, -30.0f * slope}, {}, {-30.0f, -30.0f * slope}},
                              one_way, {.friction = 0.0f});
                    const Vec2 start{-2.0f, 1.2f - 2.0f * slope};
                    const BodyId body =
                        world.create_body({.position = start}, shape, {.friction = 0.0f});
                    for (int i = 0; i < 400 && world.body(body).position().x < 2.0f; ++i) {
                        const float fall = world.body(body).velocity().y;
                        world.body(body).set_velocity({i < 40 ? 0.0f : speed, fall});
                        world.step();
                    }
                    return world.body(body).position();
                };
                const Vec2 apart = end_on(OneWay::Up) - end_on(OneWay::No);
                CAPTURE(slope);
                CAPTURE(speed);
                CHECK(length(apart) < 0.01f);
            }
        }
    }
}

TEST_CASE("what slides over a one-way zigzag that faces any way stays on it") {
    for (const OneWay side : {OneWay::Up, OneWay::Down, OneWay::Left, OneWay::Right}) {
        for (const float step : {0.25f, 0.5f, 1.0f}) {
            for (const float height : {0.1f, 0.3f}) {
                if (height > 0.5f * step) continue;
                for (const Shape& shape : shapes) {
                    World world({.gravity = turned({0.0f, -10.0f}, side), .time_step = dt});
                    std::vector<Vec2> points = zigzag(step, height, 60);
                    for (Vec2& point : points) point = turned(point, side);
                    add_chain(world, points, side, {.friction = 0.0f});
                    const BodyId body = world.create_body({.position = turned({-5.0f, 1.5f}, side)},
                                                          turned(shape, side), {.friction = 0.0f});
                    const Vec2 up = direction_of(side);
                    float lowest = 2.0f;
                    for (int i = 0; i < 300; ++i) {
                        const float fall = dot(world.body(body).velocity(), up);
                        world.body(body).set_velocity(turned({i < 60 ? 0.0f : 2.0f, fall}, side));
                        world.step();
                        lowest = std::fmin(lowest, dot(world.body(body).position(), up));
                    }
                    CAPTURE(static_cast<int>(side));
                    CAPTURE(step);
                    CHECK_IN(world, lowest > 0.25f);
                }
            }
        }
    }
}

TEST_CASE("a body that another one presses deep into a one-way hill of many pieces stays on it") {
    std::vector<Vec2> points;
    for (int i = 60; i >= -60; --i) {
        const float x = 0.15f * static_cast<float>(i);
        points.push_back({x, -0.03f * x * x});
    }
    int through = 0;
    for (const float weight : {1.0f, 5.0f, 20.0f}) {
        for (const float fall : {10.0f, 20.0f, 30.0f}) {
            for (int i = -10; i <= 10; ++i) {
                World world({.gravity = {0.0f, -10.0f}, .time_step = dt});
                add_chain(world, points, OneWay::Up, {.friction = 0.0f});
                const float x = 0.1f * static_cast<float>(i);
                const BodyId body =
                    world.create_body({.position = {x, 0.5f}, .velocity = {3.0f, 0.0f}},
                                      Circle{0.3f}, {.friction = 0.0f});
                world.create_body(
                    {.position = {x + 0.2f, 2.5f}, .velocity = {3.0f, -fall}, .mass = weight},
                    Box{{0.3f, 0.3f}});
                for (int k = 0; k < 60; ++k) world.step();
                const Vec2 place = world.body(body).position();
                through += place.y < -0.03f * place.x * place.x ? 1 : 0;
            }
        }
    }
    CHECK(through == 0);
}

TEST_CASE("what another body knocks onto the tip of a one-way hill is held by it") {
    int through = 0;
    for (const Hill hill : hills) {
        for (const float fall : {10.0f, 20.0f, 30.0f}) {
            for (int i = -10; i <= 10; ++i) {
                World world({.gravity = {0.0f, -10.0f}, .time_step = dt});
                add_hill(world, hill, 0.5f, OneWay::Up, {.friction = 1.0f});
                const float x = 0.025f * static_cast<float>(i);
                const BodyId body = world.create_body({.position = {x, 0.6f}}, Box{{0.3f, 0.3f}},
                                                      {.friction = 1.0f});
                world.create_body({.position = {x, 2.0f}, .velocity = {0.0f, -fall}, .mass = 5.0f},
                                  Box{{0.3f, 0.3f}});
                for (int k = 0; k < 60; ++k) world.step();
                const Vec2 place = world.body(body).position();
                through += place.y < -0.5f * std::fabs(place.x) ? 1 : 0;
            }
        }
    }
    CHECK(through == 0);
}

TEST_CASE("a mover that walks over a one-way hill stays on it") {
    for (const Hill hill : hills) {
        for (const Shape& shape : shapes) {
            for (const float speed : {-8.0f, -3.0f, -1.0f, 1.0f, 3.0f, 8.0f}) {
                World world({.gravity = {0.0f, -10.0f}, .time_step = dt});
                add_hill(world, hill, 0.5f, OneWay::Up, {});
                Mover mover{.shape = shape, .position = {speed < 0.0f ? 3.0f : -3.0f, 1.0f}};
                Vec2 velocity{};
                bool is_above = true;
                for (int i = 0; i < 500 && mover.position.x / speed < 3.0f / std::fabs(speed);
                     ++i) {
                    const float fall = mover.ground.is_grounded ? 0.0f : velocity.y - 10.0f * dt;
                    velocity = move(world, mover, {i < 60 ? 0.0f : speed, fall}, dt);
                    is_above = is_above && mover.position.y > -0.5f * std::fabs(mover.position.x);
                }
                CAPTURE(static_cast<int>(hill));
                CAPTURE(speed);
                CHECK_IN(world, is_above);
            }
        }
    }
}

TEST_CASE("a mover that comes down on the tip of a one-way hill and walks there stays on it") {
    for (const Hill hill : hills) {
        for (const float slope : {0.1f, 0.25f, 0.5f, 1.0f}) {
            if (hill == Hill::Tiles && slope != 0.5f) continue;
            int through = 0;
            for (const Shape& shape : shapes) {
                for (int i = -20; i <= 20; ++i) {
                    World world;
                    add_hill(world, hill, slope, OneWay::Up, {});
                    Mover mover{.shape = shape, .position = {0.02f * static_cast<float>(i), 2.0f}};
                    float fall = 0.0f;
                    for (int k = 0; k < 150; ++k) {
                        const float pace = k < 50 ? 0.0f : k / 20 % 2 == 0 ? 1.0f : -1.0f;
                        fall = mover.ground.is_grounded ? 0.0f : fall - 10.0f * dt;
                        fall = move(world, mover, {pace, fall}, dt).y;
                    }
                    through += mover.position.y < -slope * std::fabs(mover.position.x) ? 1 : 0;
                }
            }
            CAPTURE(static_cast<int>(hill));
            CAPTURE(slope);
            CHECK(through == 0);
        }
    }
}

TEST_CASE("a jump up through a one-way hill is a flight like any other until it lands, on top") {
    for (const Hill hill : hills) {
        for (const Shape& shape : shapes) {
            for (int i = -20; i <= 20; ++i) {
                World world({.gravity = {0.0f, -10.0f}, .time_step = dt});
                World empty({.gravity = {0.0f, -10.0f}, .time_step = dt});
                add_hill(world, hill, 0.5f, OneWay::Up, {.friction = 1.0f});
                const BodyDef def{.position = {0.05f * static_cast<float>(i), -2.5f},
                                  .velocity = {0.02f * static_cast<float>(i), 10.0f}};
                const BodyId jumper = world.create_body(def, shape, {.friction = 1.0f});
                const BodyId free = empty.create_body(def, shape);
                bool has_landed = false;
                for (int k = 0; k < 200; ++k) {
                    world.step();
                    empty.step();
                    has_landed = has_landed ||
                                 world.body(jumper).velocity().y > empty.body(free).velocity().y;
                    if (has_landed) continue;
                    CHECK(world.body(jumper).position() == empty.body(free).position());
                }
                const Vec2 place = world.body(jumper).position();
                CAPTURE(static_cast<int>(hill));
                CAPTURE(i);
                CHECK(has_landed);
                CHECK_IN(world, place.y > -0.5f * std::fabs(place.x));
            }
        }
    }
}

}  // namespace one_way_hill_test

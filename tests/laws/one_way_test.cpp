// SPDX-License-Identifier: MIT
// Do one-way colliders hold what comes from the one side, and nothing else?
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "support/picture.hpp"
#include "support/random.hpp"
#include "support/shortest_step.hpp"

namespace one_way_test {

using namespace phys2d;

namespace {

constexpr ColliderDef platform_facing(OneWay side) { return {.one_way = side}; }

BodyId add_platform(World& world, Vec2 position, Vec2 half, OneWay side = OneWay::Up,
                    BodyType type = BodyType::Static) {
    return world.create_body({.type = type, .position = position}, Box{half}, {},
                             platform_facing(side));
}

bool stands(const World& world, BodyId body) {
    bool any = false;
    world.for_each_touching(body, [&](BodyId) { any = true; });
    return any;
}

constexpr Material slippery{.friction = 0.0f};
const Shape round_shapes[] = {Circle{0.4f}, Capsule{0.1f, 0.3f}, Capsule{0.3f, 0.3f, Axis::X},
                              RoundedBox{{0.3f, 0.2f}, 0.1f}};

/// What turns up into the direction of a one-way side.
Vec2 turned(Vec2 point, OneWay side) {
    const Vec2 up = direction_of(side);
    return up * point.y - perpendicular(up) * point.x;
}

enum class Ground { Box, Segment, Chain, Polygon, Tiles };
constexpr Ground grounds[] = {Ground::Box, Ground::Segment, Ground::Chain, Ground::Polygon,
                              Ground::Tiles};

/// Ground from one x to another, with its top at y = 0 and `side` up.
void add_ground(World& world, Ground ground, OneWay side, float from = -2.0f, float to = 2.0f) {
    const ColliderDef def = platform_facing(side);
    const BodyDef fixed{.type = BodyType::Static};
    const Vec2 top[] = {turned({to, 0.0f}, side), turned({from, 0.0f}, side)};
    const Vec2 below[] = {turned({from, -1.0f}, side), turned({to, -1.0f}, side)};
    const AABB box{min(top[1], below[1]), max(top[1], below[1])};
    if (ground == Ground::Box) {
        world.create_body({.type = BodyType::Static, .position = center(box)},
                          Box{half_extents(box)}, {}, def);
    }
    if (ground == Ground::Segment) world.create_body(fixed, Segment{top[0], top[1]}, {}, def);
    if (ground == Ground::Chain) world.create_body(fixed, Chain{{top, 2}}, {}, def);
    if (ground == Ground::Polygon) {
        world.create_body(fixed, Polygon{top[0], top[1], below[0], below[1]}, {}, def);
    }
    if (ground == Ground::Tiles) {
        TileMapRef tiles = world.tile_map(world.create_tile_map());
        tiles.define(1, {.collider = def});
        const auto cell = [](Vec2 point) {
            return TileCoord{static_cast<int>(std::floor(point.x)),
                             static_cast<int>(std::floor(point.y))};
        };
        const Vec2 inner{0.5f, 0.5f};
        tiles.fill({cell(box.min + inner), cell(box.max - inner)}, 1);
    }
}

}  // namespace

TEST_CASE("a ball thrown up through a one-way platform passes it, lands and stays on it") {
    World world({.gravity = {0.0f, -10.0f}});
    add_platform(world, {}, {2.0f, 0.1f});
    const BodyId ball =
        world.create_body({.position = {0.0f, -3.0f}, .velocity = {0.0f, 12.0f}}, Circle{0.25f});
    float top = -3.0f;
    for (int i = 0; i < 300; ++i) {
        world.step();
        top = std::fmax(top, world.body(ball).position().y);
    }
    CHECK(top > 3.5f);
    CHECK_IN(world, world.body(ball).position().y == doctest::Approx(0.35f).epsilon(0.02));
    CHECK_IN(world, stands(world, ball));
}

TEST_CASE(
    "one-way colliders in all four directions hold from one side and let through from three") {
    const OneWay sides[] = {OneWay::Up, OneWay::Down, OneWay::Left, OneWay::Right};
    const Shape shapes[] = {Circle{0.25f}, Box{{0.25f, 0.25f}}, Capsule{0.1f, 0.15f},
                            RoundedBox{{0.2f, 0.2f}, 0.05f}};
    for (const OneWay side : sides) {
        for (const OneWay from : sides) {
            for (const Shape& shape : shapes) {
                for (const float speed : {0.5f, 7.0f, 900.0f}) {
                    World world({.gravity = {0.0f, 0.0f}});
                    add_platform(world, {}, {1.0f, 1.0f}, side);
                    const Vec2 start = direction_of(from) * 2.0f;
                    const BodyId body = world.create_body(
                        {.position = start, .velocity = direction_of(from) * -speed}, shape);
                    const int steps = static_cast<int>(300.0f / speed) + 2;
                    for (int i = 0; i < steps; ++i) world.step();
                    const float left = dot(world.body(body).position(), direction_of(from));
                    INFO(static_cast<int>(side), " from ", static_cast<int>(from), " at ", speed);
                    if (side == from) CHECK_IN(world, left > 1.0f);
                    if (side != from) CHECK_IN(world, left < -2.0f);
                }
            }
        }
    }
}

TEST_CASE("a rising one-way platform carries a box and a circle at ten half heights a step") {
    const float dt = 1.0f / 60.0f;
    World world({.gravity = {0.0f, -10.0f}, .time_step = dt});
    const BodyId platform = add_platform(world, {}, {3.0f, 0.1f}, OneWay::Up, BodyType::Kinematic);
    const BodyId box = world.create_body({.position = {-1.0f, 0.6f}}, Box{{0.5f, 0.5f}});
    const BodyId ball = world.create_body({.position = {1.0f, 0.6f}}, Circle{0.5f});
    float lowest = 1.0f;
    for (int i = 0; i < 10000; ++i) {
        const float most = 0.1f / dt;  // half heights a step
        const float speed = most * std::fmin(10.0f, 0.01f * static_cast<float>(i));
        world.body(platform).set_velocity({0.0f, i < 9000 ? speed * 0.1f : speed});
        world.step();
        const float top = world.body(platform).position().y + 0.1f;
        lowest = std::fmin(lowest, world.body(box).position().y - top);
        lowest = std::fmin(lowest, world.body(ball).position().y - top);
    }
    CHECK(lowest > 0.4f);
    CHECK(stands(world, box));
    CHECK_IN(world, stands(world, ball));
}

TEST_CASE("jumps through one-way platforms are flights like any other until they land, on top") {
    test::Random random;
    const float half = 0.4f;
    int landings = 0;
    for (int jump = 0; jump < test::many / 1000; ++jump) {
        World world({.gravity = {0.0f, -20.0f}});
        World empty({.gravity = {0.0f, -20.0f}});
        float tops[6];
        for (int i = 0; i < 6; ++i) {
            const Vec2 center{0.0f, 0.7f * static_cast<float>(i) + random.uniform(0.0f, 0.5f)};
            add_platform(world, center, {2.0f, 0.05f});
            tops[i] = center.y + 0.05f;
        }
        const BodyDef def{.position = {random.uniform(-3.0f, 3.0f), -2.0f},
                          .velocity = {random.uniform(-2.0f, 2.0f), random.uniform(0.0f, 17.0f)}};
        const Shape shape = random.one_in(2) ? Shape(Box{{half, half}}) : Shape(Circle{half});
        const BodyId jumper = world.create_body(def, shape);
        const BodyId free = empty.create_body(def, shape);
        bool same = true;
        for (int i = 0; i < 150; ++i) {
            const Vec2 before = world.body(jumper).position();
            world.step();
            empty.step();
            if (stands(world, jumper)) {
                ++landings;
                CHECK(world.body(jumper).position().y < before.y + 0.002f);
                float nearest = 1.0f;
                for (const float top : tops) {
                    const float gap = world.body(jumper).position().y - half - top;
                    if (std::fabs(gap) < std::fabs(nearest)) nearest = gap;
                }
                const bool on_edge = std::fabs(world.body(jumper).position().x) > 2.0f;
                if (!on_edge) CHECK(std::fabs(nearest) < 0.02f);
                break;
            }
            same = same && world.body(jumper).position() == empty.body(free).position();
        }
        CHECK(same);
    }
    CHECK(landings > test::many / 4000);
}

TEST_CASE("one that passes does not disturb one that stands there") {
    World world({.gravity = {0.0f, -10.0f}});
    add_platform(world, {}, {3.0f, 0.1f});
    const BodyId standing = world.create_body({.position = {-1.0f, 0.6f}}, Box{{0.5f, 0.5f}});
    for (int i = 0; i < 60; ++i) world.step();
    const Vec2 before = world.body(standing).position();
    world.create_body({.position = {1.0f, -2.0f}, .velocity = {0.0f, 9.0f}}, Box{{0.5f, 0.5f}});
    for (int i = 0; i < 60; ++i) {
        world.step();
        CHECK(length(world.body(standing).position() - before) < 1e-4f);
    }
}

TEST_CASE("a descent that starts inside a one-way platform goes on down") {
    World world({.gravity = {0.0f, -10.0f}});
    add_platform(world, {}, {3.0f, 0.1f});
    const BodyId body = world.create_body({.position = {0.0f, 0.45f}}, Box{{0.5f, 0.5f}});
    float before = 0.45f;
    for (int i = 0; i < 60; ++i) {
        world.step();
        CHECK(world.body(body).position().y < before);
        before = world.body(body).position().y;
    }
    CHECK_IN(world, before < -3.0f);
}

TEST_CASE("what drops through a one-way platform lands on the next one, and can come back") {
    World world({.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.3f});
    add_platform(world, {0.0f, 0.0f}, {3.0f, 0.1f});
    add_platform(world, {0.0f, 2.0f}, {3.0f, 0.1f});
    const BodyId body = world.create_body({.position = {0.0f, 2.6f}}, Box{{0.5f, 0.5f}});
    for (int i = 0; i < 60; ++i) world.step();
    REQUIRE(world.body(body).is_asleep());
    world.body(body).drop_through();
    int ended = 0;
    for (int i = 0; i < 120; ++i) {
        world.step();
        ended += static_cast<int>(world.events().ended.size());
    }
    CHECK(ended == 1);
    CHECK_IN(world, world.body(body).position().y == doctest::Approx(0.6f).epsilon(0.01));
    world.body(body).set_velocity({0.0f, 9.0f});
    for (int i = 0; i < 120; ++i) world.step();
    CHECK_IN(world, world.body(body).position().y == doctest::Approx(2.6f).epsilon(0.01));
}

TEST_CASE(
    "a body drops through one row of a tile map, however near the next ones are, or on a lift") {
    for (const Shape& shape : {Shape(Box{{0.5f, 0.5f}}), Shape(Circle{0.5f})}) {
        for (const OneWay side : {OneWay::Up, OneWay::Left}) {
            for (const float speed : {0.0f, -2.0f}) {
                World world({.gravity = turned({0.0f, -10.0f}, side)});
                const BodyId rows = world.create_tile_map({.type = BodyType::Kinematic});
                world.tile_map(rows).define('-', {.collider = platform_facing(side)});
                world.tile_map(rows).fill({{-20, -20}, {19, 19}}, '-');
                world.body(rows).set_velocity(turned({0.0f, speed}, side));
                const BodyId body =
                    world.create_body({.position = turned({0.5f, 20.5f}, side)}, shape);
                const auto height = [&] {
                    const Vec2 up = turned({0.0f, 1.0f}, side);
                    return dot(world.body(body).position() - world.body(rows).position(), up);
                };
                for (int i = 0; i < 60; ++i) world.step();
                CHECK_IN(world, height() == doctest::Approx(20.5f).epsilon(0.001));
                world.body(body).drop_through();
                for (int i = 0; i < 60; ++i) world.step();
                CHECK_IN(world, height() == doctest::Approx(19.5f).epsilon(0.001));
            }
        }
    }
}

TEST_CASE(
    "a body at the joint of two platforms drops through both, beside solid ground through none") {
    for (const Shape& shape : {Shape(Box{{0.5f, 0.5f}}), Shape(Circle{0.5f})}) {
        for (const OneWay left : {OneWay::Up, OneWay::No}) {
            World world({.gravity = {0.0f, -10.0f}});
            for (const float x : {-5.0f, 5.0f}) {
                world.create_body({.type = BodyType::Static, .position = {x, -0.5f}},
                                  Box{{5.0f, 0.5f}}, {},
                                  platform_facing(x < 0.0f ? left : OneWay::Up));
            }
            const BodyId body = world.create_body({.position = {0.0f, 0.5f}}, shape, slippery);
            for (int i = 0; i < 30; ++i) world.step();
            world.body(body).drop_through();
            for (int i = 0; i < 30; ++i) world.step();
            CHECK_IN(world, (world.body(body).position().y < -0.5f) == (left == OneWay::Up));
            if (left == OneWay::Up) continue;
            world.body(body).set_velocity({2.0f, 0.0f});
            for (int i = 0; i < 60; ++i) world.step();
            CHECK_IN(world, world.body(body).position().x > 1.9f);
            CHECK_IN(world, world.body(body).position().y == doctest::Approx(0.5f).epsilon(0.01));
        }
    }
}

namespace {

constexpr int row_begin = -5, row_end = 40;

void add_row_of_one_body(World& world, OneWay side) {
    BodyId body{};
    for (int i = row_begin; i < row_end; ++i) {
        const Box box{{0.5f, 0.5f}, turned({static_cast<float>(i) + 0.5f, -0.5f}, side)};
        if (i == row_begin) {
            body = world.create_body({.type = BodyType::Static}, box, {}, platform_facing(side));
        } else {
            world.add_collider(body, box, {}, platform_facing(side));
        }
    }
}

void add_row_of_two_kinds(World& world, OneWay side) {
    TileMapRef map = world.tile_map(world.create_tile_map());
    for (const TileId kind : {TileId{1}, TileId{2}}) {
        map.define(kind, {.collider = platform_facing(side)});
    }
    for (int i = row_begin; i < row_end; ++i) {
        const Vec2 middle = turned({static_cast<float>(i) + 0.5f, -0.5f}, side);
        map.set(map.tile_at(middle), i % 2 == 0 ? TileId{1} : TileId{2});
    }
}

/// Worlds with platforms of a length of 1 side by side, with their tops at y = 0 and `side` up.
std::vector<World> worlds_with_rows(OneWay side) {
    const World empty({.gravity = turned({0.0f, -10.0f}, side)});
    std::vector<World> worlds;
    for (const Ground ground : grounds) {
        worlds.push_back(empty);
        for (int i = row_begin; i < row_end; ++i) {
            const auto x = static_cast<float>(i);
            add_ground(worlds.back(), ground, side, x, x + 1.0f);
        }
    }
    worlds.push_back(empty);
    add_row_of_one_body(worlds.back(), side);
    worlds.push_back(empty);
    add_row_of_two_kinds(worlds.back(), side);
    return worlds;
}

}  // namespace

TEST_CASE("a body that runs along a row of one-way platforms drops through them, at any speed") {
    const Shape shapes[] = {Box{{0.4f, 0.4f}}, Circle{0.4f}, RoundedBox{{0.3f, 0.3f}, 0.1f}};
    for (const OneWay side : {OneWay::Up, OneWay::Left}) {
        for (const World& row : worlds_with_rows(side)) {
            for (const float speed : {0.0f, 3.0f, 12.0f}) {
                World world = row;
                std::vector<BodyId> bodies;
                for (int i = 0; i < 60; ++i) {  // they do not meet each other
                    const Vec2 place{static_cast<float>(i) / 30.0f, 0.4f};
                    const BodyDef def{.position = turned(place, side),
                                      .velocity = turned({speed, 0.0f}, side)};
                    bodies.push_back(
                        world.create_body(def, shapes[i % 3], slippery, {.filter = {.group = -1}}));
                }
                for (int i = 0; i < 30; ++i) world.step();
                for (const BodyId body : bodies) world.body(body).drop_through();
                for (int i = 0; i < 40; ++i) world.step();
                int held = 0;
                for (const BodyId body : bodies) {
                    held += dot(world.body(body).position(), turned({0.0f, 1.0f}, side)) > -1.0f;
                }
                CAPTURE(speed);
                CHECK_IN(world, held == 0);
            }
        }
    }
}

TEST_CASE("a body with a foot drops through the platforms beside the one on which that stands") {
    for (World& world : worlds_with_rows(OneWay::Up)) {
        const BodyId body = world.create_body({.position = {0.7f, 0.7f}}, Box{{0.4f, 0.3f}});
        world.add_collider(body, Circle{0.2f, {0.0f, -0.3f}});
        for (int i = 0; i < 60; ++i) world.step();
        CHECK_IN(world, world.body(body).position().y == doctest::Approx(0.5f).epsilon(0.01));
        world.body(body).drop_through();
        for (int i = 0; i < 60; ++i) world.step();
        CHECK_IN(world, world.body(body).position().y < -2.0f);
    }
}

TEST_CASE("a body that is teleported while it drops stands on the platform where it comes") {
    for (const float height : {0.5f, 0.52f, 3.5f}) {
        for (const int steps : {0, 1, 5, 10}) {
            World world({.gravity = {0.0f, -10.0f}});
            TileMapRef map = world.tile_map(world.create_tile_map());
            map.define('-', {.collider = platform_facing(OneWay::Up)});
            for (const std::int32_t row : {-1, 2}) map.fill({{-10, row}, {10, row}}, '-');
            const BodyId body = world.create_body({.position = {0.0f, 0.5f}}, Box{{0.4f, 0.5f}});
            for (int i = 0; i < 30; ++i) world.step();
            world.body(body).drop_through();
            for (int i = 0; i < steps; ++i) world.step();
            world.body(body).teleport({5.0f, height});
            world.body(body).set_velocity({});
            for (int i = 0; i < 30; ++i) world.step();
            const float ground = height < 3.0f ? 0.5f : 3.5f;
            CHECK_IN(world, world.body(body).position().y == doctest::Approx(ground).epsilon(0.01));
        }
    }
}

TEST_CASE("a body of several colliders drops through with all of them") {
    const Shape others[] = {Circle{0.3f, {0.0f, 0.7f}}, Box{{0.4f, 0.3f}, {0.0f, 0.6f}},
                            Box{{0.2f, 0.1f}, {0.5f, 0.2f}}};
    for (const Shape& other : others) {
        for (const Ground ground : grounds) {
            World world({.gravity = {0.0f, -10.0f}});
            add_ground(world, ground, OneWay::Up);
            const BodyId body = world.create_body({.position = {0.0f, 0.3f}}, Box{{0.3f, 0.3f}});
            world.add_collider(body, other);
            for (int i = 0; i < 30; ++i) world.step();
            CHECK_IN(world, world.body(body).position().y == doctest::Approx(0.3f).epsilon(0.01));
            world.body(body).drop_through();
            for (int i = 0; i < 60; ++i) world.step();
            CHECK_IN(world, world.body(body).position().y < -2.0f);
        }
    }
}

TEST_CASE("a body whose own feet are one-way drops through one platform and lands on the next") {
    const auto add_body = [](World& world, bool has_torso) {
        const BodyDef def{.position = {0.0f, 0.4f}};
        const ColliderDef foot = platform_facing(OneWay::Down);
        if (!has_torso) return world.create_body(def, Box{{0.4f, 0.4f}}, {}, foot);
        const BodyId body = world.create_body(def, Box{{0.4f, 0.3f}, {0.0f, 0.1f}});
        world.add_collider(body, Box{{0.3f, 0.2f}, {0.0f, -0.2f}}, {}, foot);
        return body;
    };
    const auto add_platforms = [](World& world, Ground ground) {
        if (ground == Ground::Box) {
            for (const float y : {-0.1f, -1.1f}) add_platform(world, {0.0f, y}, {2.0f, 0.1f});
            return;
        }
        TileMapRef map = world.tile_map(world.create_tile_map());
        map.define('-', {.collider = platform_facing(OneWay::Up)});
        map.fill({{-2, -3}, {2, -1}}, '-');
    };
    for (const bool is_first : {false, true}) {
        for (const bool has_torso : {false, true}) {
            for (const Ground ground : {Ground::Box, Ground::Tiles}) {
                World world({.gravity = {0.0f, -10.0f}});
                if (!is_first) add_platforms(world, ground);
                const BodyId body = add_body(world, has_torso);
                if (is_first) add_platforms(world, ground);
                const auto run = [&](int steps) {
                    for (int i = 0; i < steps; ++i) world.step();
                };
                const auto is_at = [&](float y) {
                    return std::abs(world.body(body).position().y - y) < 0.01f;
                };
                run(30);
                CHECK_IN(world, is_at(0.4f));
                world.body(body).drop_through();
                run(60);
                CHECK_IN(world, is_at(-0.6f));
                world.body(body).set_velocity({0.0f, 6.0f});
                run(90);
                CHECK_IN(world, is_at(0.4f));
            }
        }
    }
}

TEST_CASE("a collider that a body gets while it drops through drops along") {
    for (const Ground ground : grounds) {
        for (int steps = 0; steps < 14; ++steps) {  // until it gets the collider
            World world({.gravity = {0.0f, -10.0f}});
            add_ground(world, ground, OneWay::Up);
            const BodyId body = world.create_body({.position = {0.0f, 0.8f}}, Box{{0.3f, 0.8f}});
            for (int i = 0; i < 30; ++i) world.step();
            world.body(body).drop_through();
            for (int i = 0; i < steps; ++i) world.step();
            world.add_collider(body, Box{{0.2f, 0.2f}, {0.4f, 0.3f}});
            for (int i = 0; i < 60; ++i) world.step();
            CHECK_IN(world, world.body(body).position().y < -2.0f);
        }
    }
}

TEST_CASE("a body of which a collider is on its way through is not held by the others") {
    test::Random random;
    const Shape shapes_of_feet[] = {Circle{0.1f}, Box{{0.1f, 0.1f}},
                                    RoundedBox{{0.1f, 0.05f}, 0.05f}};
    int hanging = 0, fallen = 0, standing = 0;
    for (const Shape& feet : shapes_of_feet) {
        for (const Ground ground : grounds) {
            for (const OneWay side : {OneWay::Up, OneWay::Down, OneWay::Left, OneWay::Right}) {
                for (int i = 0; i < test::many / 50'000; ++i) {
                    World world({.gravity = turned({0.0f, -10.0f}, side)});
                    add_ground(world, ground, side);
                    const float apex = random.uniform(-0.2f, 0.05f);  // of the soles
                    const float speed = std::sqrt(20.0f * (apex + 1.9f));
                    const BodyId body = world.create_body({.position = turned({0.0f, -1.5f}, side),
                                                           .velocity = turned({0.0f, speed}, side)},
                                                          Box{{0.3f, 0.3f}});
                    world.add_collider(body, translate(feet, turned({0.0f, -0.3f}, side)));
                    for (int step = 0; step < 120; ++step) world.step();
                    const float height =
                        dot(world.body(body).position(), turned({0.0f, 1.0f}, side));
                    fallen += height < -2.0f ? 1 : 0;
                    standing += std::fabs(height - 0.4f) < 0.01f ? 1 : 0;
                    hanging += std::fabs(height - 0.3f) < 0.05f ? 1 : 0;
                }
            }
        }
    }
    CHECK(hanging == 0);
    CHECK(fallen > standing);
    CHECK(standing > 0);
}

TEST_CASE("a body whose head is on its way through a row stands on the row below with its feet") {
    for (const float fall : {0.01f, 0.1f, 0.5f}) {
        World world({.gravity = {0.0f, -10.0f}});
        TileMapRef map = world.tile_map(world.create_tile_map());
        map.define('-', {.collider = platform_facing(OneWay::Up)});
        for (const std::int32_t row : {-1, 1}) map.fill({{-10, row}, {10, row}}, '-');
        const BodyId body = world.create_body({.position = {0.7f, 0.2f + fall}}, Box{{0.2f, 0.2f}});
        world.add_collider(body, Box{{0.4f, 0.6f}, {0.0f, 0.8f}});
        for (int i = 0; i < 60; ++i) world.step();
        CHECK_IN(world, world.body(body).position().y == doctest::Approx(0.2f).epsilon(0.02));
    }
}

TEST_CASE("a lift takes along a body by its torso whose feet stand on another platform") {
    World world({.gravity = {0.0f, -10.0f}});
    const ColliderDef platform = platform_facing(OneWay::Up);
    world.create_body({.type = BodyType::Static, .position = {0.0f, -0.1f}}, Box{{0.5f, 0.1f}}, {},
                      platform);
    const BodyId body = world.create_body({.position = {0.0f, 0.2f}}, Box{{0.2f, 0.2f}});
    world.add_collider(body, Box{{1.5f, 0.2f}, {0.0f, 0.8f}});
    for (int i = 0; i < 30; ++i) world.step();
    const BodyId lift = world.create_body(
        {.type = BodyType::Kinematic, .position = {1.1f, 0.5f}, .velocity = {0.0f, 1.0f}},
        Box{{0.4f, 0.1f}}, {}, platform);
    for (int i = 0; i < 60; ++i) world.step();
    const float top = world.body(lift).position().y + 0.1f;
    CHECK_IN(world, world.body(body).position().y + 0.6f == doctest::Approx(top).epsilon(0.001));
}

TEST_CASE(
    "dropping through a platform of a level that is one body spares the floor of that level") {
    World world({.gravity = {0.0f, -10.0f}});
    const BodyId level = world.create_body({.type = BodyType::Static}, Box{{5.0f, 0.5f}});
    world.add_collider(level, Box{{2.0f, 0.1f}, {0.0f, 3.0f}}, {}, platform_facing(OneWay::Up));
    const BodyId body = world.create_body({.position = {0.0f, 3.6f}}, Box{{0.5f, 0.5f}});
    for (int i = 0; i < 30; ++i) world.step();
    world.body(body).drop_through();
    for (int i = 0; i < 120; ++i) world.step();
    CHECK_IN(world, world.body(body).position().y == doctest::Approx(1.0f).epsilon(0.01));
}

TEST_CASE("what does not block from below falls through one-way ground, as through any other") {
    for (const Ground ground : grounds) {
        for (const OneWay own : {OneWay::Up, OneWay::Left, OneWay::Right}) {
            for (const float speed : {0.0f, 10.0f, 100.0f}) {
                CAPTURE(static_cast<int>(ground));
                CAPTURE(static_cast<int>(own));
                CAPTURE(speed);
                World world;
                add_ground(world, ground, OneWay::Up);
                const BodyId falling =
                    world.create_body({.position = {0.0f, 1.0f}, .velocity = {0.0f, -speed}},
                                      Circle{0.3f}, {}, platform_facing(own));
                for (int i = 0; i < 120; ++i) world.step();
                CHECK(world.body(falling).position().y < -10.0f);
            }
        }
    }
}

TEST_CASE(
    "a crate that blocks with its underside alone slides out of a wall on the floor of that") {
    for (const float half : {0.2f, 0.3f, 0.5f}) {
        for (const float place : {-0.5f, 0.0f, 0.5f, 0.9f, 1.1f}) {
            CAPTURE(half);
            CAPTURE(place);
            World world;
            const BodyDef fixed{.type = BodyType::Static};
            world.create_body(fixed, AABB{{-9.0f, -1.0f}, {9.0f, 0.0f}}, slippery);
            world.create_body(fixed, AABB{{-1.0f, 0.0f}, {1.0f, 2.0f}}, slippery);
            const BodyId crate =
                world.create_body({.position = {place, half}, .velocity = {1.0f, 0.0f}},
                                  Box{{half, half}}, slippery, platform_facing(OneWay::Down));
            float furthest = 0.0f;
            for (int i = 0; i < 240; ++i) {
                world.step();
                furthest = std::fmax(furthest, std::fabs(world.body(crate).position().y - half));
            }
            CHECK(furthest < 0.001f);
            CHECK(world.body(crate).position().x == doctest::Approx(place + 4.0f));
        }
    }
}

TEST_CASE("a body walks off a one-way platform and falls as if from any other") {
    for (const Shape& shape : {Shape(Box{{0.5f, 0.5f}}), Shape(Circle{0.5f})}) {
        World world({.gravity = {0.0f, -10.0f}});
        add_platform(world, {}, {2.0f, 0.1f});
        World solid({.gravity = {0.0f, -10.0f}});
        solid.create_body({.type = BodyType::Static}, Box{{2.0f, 0.1f}});
        const BodyDef def{.position = {0.0f, 0.6f}};
        const BodyId body = world.create_body(def, shape, {.friction = 0.0f});
        const BodyId other = solid.create_body(def, shape, {.friction = 0.0f});
        for (int i = 0; i < 120; ++i) {
            world.body(body).set_velocity({2.0f, world.body(body).velocity().y});
            solid.body(other).set_velocity({2.0f, solid.body(other).velocity().y});
            world.step();
            solid.step();
        }
        CHECK(world.body(body).position().y < 0.0f);
        CHECK(length(world.body(body).position() - solid.body(other).position()) < 0.2f);
    }
}

TEST_CASE("a body pressed hard onto a one-way platform by another does not get through") {
    World world({.gravity = {0.0f, -10.0f}});
    add_platform(world, {}, {2.0f, 0.1f});
    const BodyId body = world.create_body({.position = {0.0f, 0.3f}}, Box{{0.2f, 0.2f}});
    for (int i = 0; i < 30; ++i) world.step();
    const BodyId hammer = world.create_body(
        {.position = {0.0f, 5.0f}, .velocity = {0.0f, -60.0f}, .mass = 20.0f}, Box{{0.2f, 0.2f}});
    for (int i = 0; i < 240; ++i) world.step();
    CHECK_IN(world, world.body(body).position().y > 0.2f);
    CHECK(world.body(hammer).position().y > 0.5f);
}

TEST_CASE("what another body knocks onto one-way ground of any kind is held as by solid ground") {
    int through = 0;
    for (const OneWay side : {OneWay::Up, OneWay::Down, OneWay::Left, OneWay::Right}) {
        for (const Ground ground : grounds) {
            for (const float speed : {4.0f, 15.0f}) {
                for (int phase = 0; phase < 40; ++phase) {
                    World world({.gravity = turned({0.0f, -10.0f}, side)});
                    add_ground(world, ground, side);
                    const float height = 0.21f + 0.005f * static_cast<float>(phase % 20);
                    const float above = height + 0.41f + 0.05f * static_cast<float>(phase % 7);
                    const Shape shape = phase < 20 ? Shape(Box{{0.2f, 0.2f}}) : Shape(Circle{0.2f});
                    const BodyId low =
                        world.create_body({.position = turned({0.0f, height}, side)}, shape);
                    world.create_body({.position = turned({0.0f, above}, side),
                                       .velocity = turned({0.0f, -speed}, side)},
                                      shape);
                    for (int i = 0; i < 60; ++i) world.step();
                    through += dot(world.body(low).position(), direction_of(side)) < 0.0f ? 1 : 0;
                }
            }
        }
    }
    CHECK(through == 0);
}

TEST_CASE(
    "a box pressed into the end of a one-way platform, deeper than it juts in, comes up again") {
    for (const float side : {-1.0f, 1.0f}) {
        World world({.gravity = {0.0f, -10.0f}});
        world.create_body({.type = BodyType::Static, .position = {0.0f, -0.02f}},
                          Box{{0.3f, 0.02f}}, {}, {.one_way = OneWay::Up});
        const BodyId box = world.create_body({.position = {side * 0.47f, 0.2f}}, Box{{0.2f, 0.2f}});
        const BodyId press = world.create_body(
            {.type = BodyType::Kinematic, .position = {side * 0.47f, 0.9f}}, Box{{0.2f, 0.4f}});
        for (int i = 0; i < 30; ++i) world.step();
        world.body(press).set_velocity({0.0f, -0.5f});
        for (int i = 0; i < 30; ++i) world.step();
        CHECK(world.body(box).position().y < 0.2f - 0.04f);  // it juts in by 0.03 m
        world.body(press).set_velocity({0.0f, 1.0f});
        for (int i = 0; i < 90; ++i) world.step();
        CHECK(world.body(box).position().x == doctest::Approx(side * 0.47f));
        CHECK(world.body(box).position().y == doctest::Approx(0.2).epsilon(0.005));
    }
}

TEST_CASE("a one-way platform that comes to be where something is lets it through") {
    for (const bool is_new : {false, true}) {
        World world({.gravity = {0.0f, -10.0f}});
        const BodyId body = world.create_body(
            {.position = {0.0f, 0.55f}, .velocity = {0.0f, -20.0f}}, Box{{0.3f, 0.3f}});
        BodyId platform{};
        if (!is_new) platform = add_platform(world, {50.0f, 0.0f}, {2.0f, 0.1f});
        world.step();  // it was above, and is in the place of the platform now
        if (is_new) {
            platform = add_platform(world, {}, {2.0f, 0.1f});
        } else {
            world.body(platform).teleport({});
        }
        for (int i = 0; i < 30; ++i) world.step();
        CHECK(world.body(body).position().y < -5.0f);
    }
}

TEST_CASE("solid ground that becomes one-way lets go of what is not in front of its side") {
    const auto way_of = [](BodyType type, const auto& shape, OneWay side) {
        World world({.gravity = {0.0f, -10.0f}});
        const BodyId ground = world.create_body({.type = type, .position = {0.0f, -1.0f}}, shape);
        const BodyId box = world.create_body({.position = {0.5f, 0.4f}}, Box{{0.4f, 0.4f}});
        world.step();
        ColliderDef changed = world.body(ground).collider_def();
        changed.one_way = side;
        world.body(ground).set_collider_def(changed);
        const Vec2 before = world.body(box).position();
        for (int i = 0; i < 30; ++i) world.step();
        return world.body(box).position() - before;
    };
    const auto check = [&](BodyType type, const auto& shape) {
        CHECK(length(way_of(type, shape, OneWay::Up)) < 1e-3f);
        for (const OneWay side : {OneWay::Down, OneWay::Left, OneWay::Right}) {
            CAPTURE(static_cast<int>(side));
            const Vec2 way = way_of(type, shape, side);
            CHECK(way.x == 0.0f);
            CHECK(way.y == doctest::Approx(-1.25).epsilon(0.02));  // free fall for half a second
        }
    };
    for (const BodyType type : {BodyType::Static, BodyType::Kinematic}) {
        check(type, Box{{6.0f, 1.0f}});
        check(type, Polygon(AABB{{-6.0f, -1.0f}, {6.0f, 1.0f}}));
    }
}

TEST_CASE("a one-way side that is none of the five is refused") {
    World world;
    std::string sentence;
    try {
        world.create_body({}, Circle{0.5f}, {}, {.one_way = static_cast<OneWay>(7)});
    } catch (const Error& error) {
        sentence = error.what();
    }
    CHECK(sentence == "create_body: one_way is 7, expected one of OneWay");
    CHECK(world.body_count() == 0);
}

/// How deep a body that is pressed down with `press` times its mass gets into one-way ground, one
/// piece or many, while it goes over that; infinite if it does not get to the end.
float depth_over(Ground ground, bool is_one, const Shape& shape, float press) {
    World world({.gravity = {}});
    const float length = is_one ? 6.0f : 1.0f;
    for (float from = 0.0f; from < 6.0f; from += length) {
        add_ground(world, ground, OneWay::Up, from, from + length);
    }
    const float middle = outer_half_extents(shape).y;
    const BodyId body = world.create_body({.position = {0.5f, middle}}, shape, slippery);
    float depth = 0.0f;
    for (int i = 0; i < 150; ++i) {
        BodyRef ref = world.body(body);
        ref.apply_force({0.0f, -press * ref.mass()});
        ref.set_velocity({2.0f, ref.velocity().y});
        world.step();
        depth = std::fmax(depth, middle - ref.position().y);
    }
    const bool has_arrived = world.body(body).position().x > 5.4f;
    return has_arrived ? depth : std::numeric_limits<float>::infinity();
}

TEST_CASE("what is pressed into a row of one-way pieces goes over them as over one") {
    for (const Ground ground : {Ground::Box, Ground::Segment, Ground::Polygon}) {
        for (const Shape& shape : {Shape(Box{{0.2f, 0.2f}}), Shape(Circle{0.2f})}) {
            for (const float press : {100.0f, 1000.0f, 3000.0f}) {
                CAPTURE(static_cast<int>(ground));
                CAPTURE(shape.radius);
                CAPTURE(press);
                const float over_one = depth_over(ground, true, shape, press);
                CHECK(over_one < 0.05f);
                CHECK(depth_over(ground, false, shape, press) < 1.01f * over_one);
            }
        }
    }
}

TEST_CASE("what walks off one-way ground into the side of more that stands at its height falls") {
    for (const Ground ground : {Ground::Box, Ground::Segment, Ground::Polygon}) {
        for (const Shape& shape : {Shape(Box{{0.2f, 0.2f}}), Shape(Circle{0.2f})}) {
            CAPTURE(static_cast<int>(ground));
            CAPTURE(shape.radius);
            World world({.gravity = {0.0f, -10.0f}});
            add_ground(world, ground, OneWay::Up, -3.0f, 1.0f);
            const Polygon next(AABB{{1.0f, 0.0f}, {6.0f, 1.0f}});
            world.create_body({.type = BodyType::Static}, next, {}, platform_facing(OneWay::Up));
            const BodyId body = world.create_body(
                {.position = {-1.0f, 0.2f}, .velocity = {2.0f, 0.0f}}, shape, slippery);
            for (int i = 0; i < 60; ++i) world.step();
            CHECK_IN(world, world.body(body).position().y == doctest::Approx(0.2f).epsilon(0.01));
            for (int i = 0; i < 60; ++i) world.step();
            CHECK_IN(world, world.body(body).position().y < -1.0f);
        }
    }
}

TEST_CASE("a tower that is pressed into one-way platforms goes over the seams between them") {
    for (const float density : {1.0f, 10.0f}) {
        World world({.gravity = {0.0f, -10.0f}});
        for (int i = 0; i < 20; ++i) {
            world.create_body(
                {.type = BodyType::Static, .position = {static_cast<float>(i), -0.1f}},
                Box{{0.5f, 0.1f}}, {.surface_velocity = {2.0f, 0.0f}}, platform_facing(OneWay::Up));
        }
        BodyId bottom{};
        for (int i = 0; i < 4; ++i) {
            const BodyId box =
                world.create_body({.position = {1.0f, 0.5f + static_cast<float>(i)}},
                                  Box{{0.5f, 0.5f}}, {.density = i == 0 ? 1.0f : density});
            if (i == 0) bottom = box;
        }
        for (int i = 0; i < 400; ++i) world.step();
        CHECK_IN(world, world.body(bottom).position().y > 0.45f);
        CHECK(world.body(bottom).position().x > 8.0f);
    }
}

TEST_CASE(
    "a body that is teleported under a one-way platform, or away and back, is not held by it") {
    World world({.gravity = {0.0f, -10.0f}});
    const BodyId platform = world.create_body({.type = BodyType::Static}, Box{{2.0f, 0.1f}}, {},
                                              platform_facing(OneWay::Up));
    const BodyId body = world.create_body({.position = {0.0f, 0.6f}}, Box{{0.5f, 0.5f}});
    for (int i = 0; i < 30; ++i) world.step();
    REQUIRE(world.are_touching(body, platform));
    world.body(body).teleport({0.0f, -0.3f});
    world.step();
    CHECK(world.events().ended.size() == 1);
    for (int i = 0; i < 60; ++i) world.step();
    CHECK_IN(world, world.body(body).position().y < -3.0f);
}

TEST_CASE("sensors of a body neither drop through platforms nor keep it from landing there again") {
    World world({.gravity = {0.0f, -10.0f}});
    for (const float y : {0.0f, 2.0f, 4.0f}) add_platform(world, {0.0f, y}, {3.0f, 0.1f});
    const BodyId body = world.create_body({.position = {0.0f, 4.6f}}, Box{{0.5f, 0.5f}});
    world.add_collider(body, Circle{5.0f}, {}, {.is_sensor = true});
    for (int i = 0; i < 30; ++i) world.step();
    world.body(body).drop_through();
    for (int i = 0; i < 90; ++i) world.step();
    CHECK_IN(world, world.body(body).position().y == doctest::Approx(2.6f).epsilon(0.01));
    world.body(body).set_velocity({0.0f, 9.0f});
    for (int i = 0; i < 120; ++i) world.step();
    CHECK_IN(world, world.body(body).position().y == doctest::Approx(4.6f).epsilon(0.01));
}

TEST_CASE("what a body ignores anyway lets it drop through nothing else") {
    for (const bool is_ignored : {false, true}) {
        World world({.gravity = {0.0f, -10.0f}});
        const BodyId ghost = add_platform(world, {0.0f, 1.0f}, {3.0f, 2.0f});
        add_platform(world, {5.0f, -0.1f}, {4.0f, 0.1f});
        const BodyId body = world.create_body({.position = {0.0f, 0.51f}, .velocity = {5.0f, 0.9f}},
                                              Box{{0.3f, 0.5f}});
        if (is_ignored) world.ignore(ghost, body);
        world.body(body).drop_through();
        for (int i = 0; i < 60; ++i) world.step();
        CHECK_IN(world, stands(world, body) == is_ignored);
    }
}

TEST_CASE("what comes from beside a one-way surface of any kind flies past both of its ends") {
    for (const OneWay side : {OneWay::Up, OneWay::Down, OneWay::Left, OneWay::Right}) {
        for (const Ground ground : grounds) {
            for (const Shape& shape :
                 {Shape(Circle{0.4f}), Shape(RoundedBox{{0.2f, 0.2f}, 0.2f})}) {
                for (const float speed : {-30.0f, -2.0f, 2.0f, 30.0f}) {
                    for (const float depth : {0.02f, 0.2f, 0.38f, 0.5f}) {  // of its lowest point
                        World world({.gravity = {0.0f, 0.0f}});
                        add_ground(world, ground, side);
                        const Vec2 start{speed > 0.0f ? -6.0f : 6.0f, 0.4f - depth};
                        const Vec2 velocity = turned({speed, 0.0f}, side);
                        const BodyId body = world.create_body(
                            {.position = turned(start, side), .velocity = velocity}, shape);
                        const int steps = static_cast<int>(720.0f / std::fabs(speed));
                        for (int i = 0; i < steps; ++i) world.step();
                        CAPTURE(static_cast<int>(side));
                        CAPTURE(static_cast<int>(ground));
                        CAPTURE(speed);
                        CAPTURE(depth);
                        CHECK_IN(world, world.body(body).velocity() == velocity);
                    }
                }
            }
        }
    }
}

TEST_CASE("what falls past an end of a one-way surface falls as if there was none") {
    for (const Ground ground : grounds) {
        for (const float speed : {0.5f, 1.0f, 5.0f, 20.0f}) {
            for (const float depth : {0.05f, 0.1f, 0.3f, 0.4f}) {  // where it gets to the end
                World world({.gravity = {0.0f, -10.0f}});
                World empty({.gravity = {0.0f, -10.0f}});
                add_ground(world, ground, OneWay::Up);
                const float time = 0.2f;
                const BodyDef def{
                    .position = {-2.4f - speed * time, 0.4f - depth + 5.0f * time * time},
                    .velocity = {speed, 0.0f}};
                const BodyId body = world.create_body(def, Circle{0.4f});
                const BodyId free = empty.create_body(def, Circle{0.4f});
                for (int i = 0; i < 60; ++i) {
                    world.step();
                    empty.step();
                }
                CAPTURE(static_cast<int>(ground));
                CAPTURE(speed);
                CAPTURE(depth);
                CHECK_IN(world, world.body(body).position() == empty.body(free).position());
            }
        }
    }
}

TEST_CASE("what passes an end of a one-way surface as narrowly as a corner flies on") {
    const Shape shapes[] = {Box{{0.5f, 0.5f}},
                            Box{{0.1f, 0.1f}},
                            RoundedBox{{0.4f, 0.4f}, 0.1f},
                            Capsule{0.2f, 0.3f},
                            Capsule{0.2f, 0.3f, Axis::X},
                            Circle{0.4f}};
    for (const OneWay side : {OneWay::Up, OneWay::Down, OneWay::Left, OneWay::Right}) {
        for (const Ground ground : grounds) {
            for (const Shape& shape : shapes) {
                for (const float overlap : {0.0003f, 0.001f, 0.0018f}) {
                    for (const float speed : {0.3f, 2.0f, 10.0f, 60.0f}) {
                        World world({.gravity = {}});
                        add_ground(world, ground, side);
                        const Vec2 half = outer_half_extents(shape);
                        const Vec2 along = abs(perpendicular(direction_of(side)));
                        const float beside = 2.0f + dot(half, along) - overlap;
                        const float above = dot(half, abs(direction_of(side))) + 0.31f;
                        const Vec2 velocity = turned({0.0f, -speed}, side);
                        const BodyId body = world.create_body(
                            {.position = turned({-beside, above}, side), .velocity = velocity},
                            shape);
                        std::size_t began = 0;
                        for (int i = 0; i < static_cast<int>(240.0f / speed) + 10; ++i) {
                            world.step();
                            began += world.events().began.size();
                        }
                        CAPTURE(static_cast<int>(side));
                        CAPTURE(static_cast<int>(ground));
                        CAPTURE(half.x);
                        CAPTURE(shape.radius);
                        CAPTURE(overlap);
                        CAPTURE(speed);
                        CHECK_IN(world, world.body(body).velocity() == velocity);
                        CHECK(began == 0);
                    }
                }
            }
        }
    }
}

TEST_CASE("a crate that ends where two kinds of one-way tiles meet touches one of them for good") {
    World world({.gravity = {0.0f, -10.0f}, .time_step = 1.0f / 240.0f});
    const BodyId lift = world.create_tile_map({.type = BodyType::Kinematic});
    TileMapRef tiles = world.tile_map(lift);
    for (const TileId kind : {TileId{1}, TileId{2}}) {
        tiles.define(kind, {.collider = platform_facing(OneWay::Up)});
        tiles.set({kind - 1, -1}, kind);
    }
    world.create_body({.position = {0.5f, 0.5f}}, Box{{0.5f, 0.5f}});
    std::size_t began = 0;
    for (int i = 1; i <= 2'400; ++i) {
        world.body(lift).move_to({0.0f, std::sin(static_cast<float>(i) / 185.0f)});
        world.step();
        began += world.events().began.size();
        REQUIRE(world.events().ended.size() == 0);
    }
    CHECK(began == 1);
}

TEST_CASE("what bounces off a wall beside the end of a one-way surface flies back through it") {
    const Material elastic{.restitution = 1.0f, .friction = 0.0f};
    for (const Ground ground : grounds) {
        for (int i = 0; i < 50; ++i) {
            const float start = 4.0f + 0.02f * static_cast<float>(i);
            const auto end_beside = [&](bool has_ground) {
                World world({.gravity = {0.0f, 0.0f}});
                if (has_ground) add_ground(world, ground, OneWay::Up);
                world.create_body({.type = BodyType::Static, .position = {-4.0f, 0.0f}},
                                  Box{{1.0f, 5.0f}}, elastic);
                const BodyId ball = world.create_body(
                    {.position = {start, 0.1f}, .velocity = {-60.0f, 0.0f}}, Circle{0.4f}, elastic);
                for (int k = 0; k < 20; ++k) world.step();
                return world.body(ball).position();
            };
            CAPTURE(static_cast<int>(ground));
            CAPTURE(i);
            CHECK(end_beside(true) == end_beside(false));
        }
    }
}

TEST_CASE("what is round and lands on a row of one-way boxes goes over the joints at its speed") {
    for (const Shape& shape : round_shapes) {
        for (int i = 0; i < 100; ++i) {
            World world({.gravity = {0.0f, -10.0f}});
            for (int k = -1; k < 10; ++k) {
                add_platform(world, {static_cast<float>(k) + 0.5f, -0.1f}, {0.5f, 0.1f});
            }
            const float part = 0.01f * static_cast<float>(i);
            const float speed = 0.2f + 2.0f * part;
            const BodyId body = world.create_body(
                {.position = {0.0f, 0.5f + part}, .velocity = {speed, 0.0f}}, shape, slippery);
            float lost = 0.0f;
            float highest = 0.0f;
            for (int k = 0; k < 240; ++k) {
                world.step();
                const Vec2 velocity = world.body(body).velocity();
                lost = std::fmax(lost, std::fabs(velocity.x - speed));
                highest = std::fmax(highest, velocity.y);
            }
            CAPTURE(shape.half_extents.x);
            CAPTURE(speed);
            CHECK(lost <= 5e-3f * speed);
            CHECK(highest <= 2e-3f);
            CHECK(world.body(body).position().y > 0.25f);
        }
    }
}

TEST_CASE("what is round and jumps through a row of one-way boxes goes over the joints as well") {
    for (const Shape& shape : round_shapes) {
        World world({.gravity = {0.0f, -10.0f}, .time_step = 1.0f / 60.0f});
        for (int k = -5; k < 5; ++k) {
            add_platform(world, {static_cast<float>(k) + 0.5f, -0.1f}, {0.5f, 0.1f});
        }
        const BodyId body = world.create_body(
            {.position = {-2.13f, -3.0f}, .velocity = {0.7f, 12.0f}}, shape, slippery);
        for (int i = 0; i < 300; ++i) {
            world.step();
            CHECK(world.body(body).velocity().x == doctest::Approx(0.7f).epsilon(5e-3));
        }
        CHECK_IN(world, stands(world, body));
    }
}

TEST_CASE("a ball that falls into a gap between two one-way boxes is not carried over it") {
    World world({.gravity = {0.0f, -10.0f}});
    for (const float side : {-1.0f, 1.0f}) add_platform(world, {1.3f * side, -0.1f}, {1.0f, 0.1f});
    const BodyId ball =
        world.create_body({.position = {0.0f, 0.45f}, .velocity = {0.0f, -20.0f}}, Circle{0.4f});
    for (int i = 0; i < 120; ++i) world.step();
    const float height = std::sqrt(0.16f - 0.09f);
    CHECK_IN(world, world.body(ball).position().y == doctest::Approx(height).epsilon(0.02));
}

TEST_CASE(
    "a ball goes at its speed from one one-way surface to another that begins where it ends") {
    for (const bool from_box : {false, true}) {
        for (int i = 0; i < 100; ++i) {
            World world({.gravity = {0.0f, -10.0f}});
            const ColliderDef def = platform_facing(OneWay::Up);
            const BodyDef fixed{.type = BodyType::Static};
            const Vec2 left[] = {{2.0f, 0.0f}, {-5.0f, 0.0f}};
            const Vec2 right[] = {{12.0f, 0.0f}, {2.0f, 0.0f}};
            if (from_box) add_platform(world, {-3.0f, -0.5f}, {5.0f, 0.5f});
            if (!from_box) world.create_body(fixed, Chain{{left, 2}}, {}, def);
            world.create_body(fixed, Chain{{right, 2}}, {}, def);
            const float part = 0.01f * static_cast<float>(i);
            const float speed = 0.5f + 2.0f * part;
            const BodyId ball =
                world.create_body({.position = {0.0f, 0.5f + part}, .velocity = {speed, 0.0f}},
                                  Circle{0.4f}, slippery);
            for (int k = 0; k < 240; ++k) world.step();
            CAPTURE(from_box);
            CAPTURE(speed);
            CHECK_IN(world, stands(world, ball));
            CHECK(world.body(ball).velocity().x == doctest::Approx(speed).epsilon(5e-3));
        }
    }
}

TEST_CASE("a ball rolls over a vertex of a one-way chain either way and stays on it") {
    for (const float way : {-1.0f, 1.0f}) {
        for (const float slope : {0.1f, 0.3f, 0.6f, 1.0f}) {
            World world({.gravity = {0.0f, -10.0f}});
            const Vec2 flat{-4.0f * way, 0.0f};
            const Vec2 low{4.0f * way, -4.0f * slope};
            const Vec2 points[] = {way > 0.0f ? low : flat, {}, way > 0.0f ? flat : low};
            world.create_body({.type = BodyType::Static}, Chain{{points, 3}}, {},
                              platform_facing(OneWay::Up));
            const BodyId ball =
                world.create_body({.position = {-way, 0.41f}, .velocity = {0.3f * way, 0.0f}},
                                  Circle{0.4f}, slippery);
            for (int i = 0; i < 400 && world.body(ball).position().x * way < 3.0f; ++i) {
                world.step();
                const Vec2 place = world.body(ball).position();
                const float surface = -slope * std::fmax(place.x * way, 0.0f);
                CAPTURE(way);
                CAPTURE(slope);
                CHECK(place.y > surface + 0.38f);
            }
            CHECK_IN(world, world.body(ball).position().x * way >= 3.0f);
        }
    }
}

TEST_CASE("what flies along a one-way slope, half in front of it, flies past both of its ends") {
    for (const float slope : {0.2f, 1.0f, 3.0f, -0.2f, -1.0f, -3.0f}) {
        for (const float way : {-1.0f, 1.0f}) {
            World world({.gravity = {0.0f, 0.0f}});
            const Vec2 points[] = {{2.0f, 2.0f * slope}, {-2.0f, -2.0f * slope}};
            world.create_body({.type = BodyType::Static}, Chain{{points, 2}}, {},
                              platform_facing(OneWay::Up));
            const Vec2 along = Vec2{1.0f, slope} * (way / std::sqrt(1.0f + slope * slope));
            const Vec2 above = perpendicular(along) * (0.05f * way);
            const BodyId ball = world.create_body(
                {.position = above - along * 10.0f, .velocity = along * 3.0f}, Circle{0.4f});
            for (int i = 0; i < 400; ++i) world.step();
            CAPTURE(slope);
            CAPTURE(way);
            CHECK_IN(world, world.body(ball).velocity() == along * 3.0f);
        }
    }
}

TEST_CASE("a box that comes down on the upper end of a one-way slope lands on it") {
    for (const float slope : {0.2f, 0.5f, 1.0f, 2.0f}) {
        for (const float way : {-1.0f, 1.0f}) {
            const Vec2 tip{}, foot{-2.0f * way, -2.0f * slope}, below{0.0f, -2.0f * slope};
            const Vec2 right[] = {foot, below, tip};
            const Vec2 left[] = {below, foot, tip};
            const Vec2* const corners = way > 0.0f ? right : left;
            const Vec2 points[] = {way > 0.0f ? tip : foot, way > 0.0f ? foot : tip};
            for (const Outline& ground :
                 {Outline(Segment{tip, foot}), Outline(Segment{foot, tip}),
                  Outline(Chain{{points, 2}}), Outline(Polygon{{corners, 3}})}) {
                for (const float out : {-0.1f, 0.0f, 0.25f}) {
                    World world({.gravity = {0.0f, -10.0f}});
                    world.create_body({.type = BodyType::Static}, ground, {},
                                      platform_facing(OneWay::Up));
                    const BodyId box = world.create_body({.position = {out * way, 0.4f}},
                                                         Box{{0.3f, 0.3f}}, slippery);
                    for (int i = 0; i < 60; ++i) world.step();
                    CAPTURE(slope);
                    CAPTURE(way);
                    CAPTURE(out);
                    CHECK_IN(world, world.body(box).position().y > 0.299f);
                }
            }
        }
    }
}

TEST_CASE("one-way platforms let go of a body that is teleported, and of no other") {
    detail::WorldState world;
    constexpr int count = 20;
    std::vector<BodyId> boxes;
    for (int i = 0; i < count; ++i) {
        const float x = 2.0f * static_cast<float>(i);
        (void)detail::create_body(world, {.type = BodyType::Static, .position = {x, -0.2f}},
                                  Box{{0.5f, 0.2f}}, {}, {.one_way = OneWay::Up});
        boxes.push_back(
            detail::create_body(world, {.position = {x, 0.5f}}, Box{{0.4f, 0.5f}}, {}, {}));
    }
    detail::Alone alone;
    for (int i = 0; i < 30; ++i) detail::step<PHYS2D_LANES>(world, alone);
    const auto held = [&] {
        int sum = 0;
        for (const BodyId box : boxes) {
            world.broad_phase.for_each_lane_of(first_collider(box), [&](detail::LanePlace place) {
                sum += detail::has_lane(world.contacts.touching, place) ? 1 : 0;
            });
        }
        return sum;
    };
    CHECK(held() == count);
    for (int i = 0; i < count; ++i) {
        int own = 0;
        world.broad_phase.for_each_lane_of(first_collider(boxes[static_cast<std::size_t>(i)]),
                                           [&](detail::LanePlace) { ++own; });
        CHECK(own == 1);
        BodyRef box(world, boxes[static_cast<std::size_t>(i)]);
        box.teleport(box.position() - Vec2{0.0f, 0.1f});
        CHECK(held() == count - i - 1);
    }
}

TEST_CASE("what is knocked through a one-way side hits it where it is") {
    World world({.gravity = {}});
    const BodyId ground = world.create_body({.type = BodyType::Static}, Box{{8.0f, 0.1f}}, {},
                                            {.one_way = OneWay::Up});
    const Material elastic{.restitution = 1.0f};
    const BodyId ball = world.create_body({.position = {0.25f, 0.5f}, .velocity = {0.0f, -5.0f}},
                                          Circle{0.25f}, elastic);
    world.create_body({.position = {0.25f, 1.0f}, .velocity = {0.0f, -10.0f}}, Circle{0.25f},
                      elastic);
    world.step();
    int hits = 0;
    for (const HitEvent& hit : world.events().hits) {
        if (hit.a != ground && hit.b != ground) continue;
        ++hits;
        CHECK((hit.a == ball || hit.b == ball));
        CHECK(hit.point.x == doctest::Approx(0.25f).epsilon(1e-3));
        CHECK(hit.point.y == doctest::Approx(0.1f).epsilon(0.05));
    }
    CHECK(hits == 1);
}

TEST_CASE("what stands on one one-way platform passes the other sides of another") {
    for (const Ground ground : grounds) {
        for (int i = 0; i < 20; ++i) {
            World world;
            add_platform(world, {-4.0f, -1.5f}, {2.0f, 0.1f});
            add_ground(world, ground, OneWay::Up);
            const float gap = 0.001f * static_cast<float>(i);
            const BodyId crate =
                world.create_body({.position = {-2.31f - gap, -1.1f}, .velocity = {0.05f, 0.0f}},
                                  Box{{0.3f, 0.3f}}, slippery);
            float highest = -2.0f;
            for (int k = 0; k < 120; ++k) {
                world.step();
                highest = std::fmax(highest, world.body(crate).position().y);
            }
            INFO(static_cast<int>(ground), " at ", gap);
            CHECK(highest < -1.09f);
        }
    }
}

TEST_CASE("a rising one-way lift takes a ball up into any one-way ground") {
    for (const Ground ground : grounds) {
        World world;
        add_ground(world, ground, OneWay::Up);
        const BodyId lift =
            add_platform(world, {0.5f, -1.8f}, {1.0f, 0.1f}, OneWay::Up, BodyType::Kinematic);
        world.body(lift).set_velocity({0.0f, 0.05f});
        const BodyId ball = world.create_body({.position = {0.5f, -1.4f}}, Circle{0.3f});
        float furthest = 0.0f;
        for (int i = 0; i < 600; ++i) {
            world.step();
            const float height = world.body(ball).position().y - world.body(lift).position().y;
            furthest = std::fmax(furthest, std::fabs(height - 0.4f));
        }
        INFO(static_cast<int>(ground));
        CHECK(furthest < 0.01f);
    }
}

TEST_CASE("a raft of hundreds of colliders drops through for about what it costs where it stands") {
    World world({.gravity = {0.0f, -10.0f}});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -2.0f}}, Box{{100.0f, 2.0f}},
                      {}, {.one_way = OneWay::Up});
    const BodyId raft = world.create_body({.position = {0.0f, 0.1f}}, Box{{0.1f, 0.1f}});
    for (int i = 1; i < 900; ++i) {
        const Vec2 place{static_cast<float>(i % 30), static_cast<float>(i / 30)};
        world.add_collider(raft, Box{{0.1f, 0.1f}, place * 0.2f});
    }
    for (int i = 0; i < 20; ++i) world.step();
    const double standing = test::shortest_step(world, 8);
    world.body(raft).drop_through();
    const double dropping = test::shortest_step(world, 8);
    CAPTURE(standing);
    CHECK(dropping < 40.0 * standing);  // 300 if each collider asks all of them
    CHECK(world.body(raft).position().y < 0.05f);
}

}  // namespace one_way_test

// SPDX-License-Identifier: MIT
// Does terrain keep in what is thrown around in it? SCENES [2] [12]
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "support/loops.hpp"
#include "support/random.hpp"

namespace enclosure_test {

using namespace phys2d;

namespace {

Shape dropped_shape(test::Random& random) {
    const float size = random.uniform(0.1f, 0.9f);
    switch (random.integer(0, 4)) {
        case 0: return Box{{0.5f * size, 0.5f * size}};
        case 1: return Box{{0.25f * size, 0.5f * size}};
        case 2: return Circle{0.5f * size};
        case 3: return Capsule{0.25f * size, 0.25f * size};
        default: return RoundedBox{{0.3f * size, 0.2f * size}, 0.15f * size};
    }
}

/// Up to `count` bodies of random shapes that meet nothing but terrain, where there is room for
/// them between `low` and `high`, at speeds log-uniform from 1 m/s to `fastest`.
std::vector<BodyId> throw_bodies(World& world, test::Random& random, int count, Vec2 low, Vec2 high,
                                 float fastest) {
    std::vector<BodyId> bodies;
    for (int i = 0; i < count; ++i) {
        const Shape shape = dropped_shape(random);
        const Vec2 start{random.uniform(low.x, high.x), random.uniform(low.y, high.y)};
        bool is_free = true;
        world.for_each_overlap(translate(shape, start), [&](BodyId) { is_free = false; },
                               {.mask = 2});
        if (!is_free) continue;
        const Vec2 velocity = random.direction() * std::pow(fastest, random.unit());
        const float restitution = random.one_in(2) ? 0.0f : random.unit();
        bodies.push_back(world.create_body({.position = start, .velocity = velocity}, shape,
                                           {.restitution = restitution},
                                           {.filter = {.group = -1}}));
    }
    return bodies;
}

constexpr ColliderDef terrain{.filter = {.category = 2}};

/// Full tiles, slopes of three angles both ways up, and half tiles.
const Polygon tiles[] = {full_tile(),
                         {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}},
                         {{0.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 1.0f}},
                         {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 0.5f}, {0.0f, 0.5f}},
                         {{0.0f, 1.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}},
                         {{0.0f, 0.0f}, {1.0f, 1.0f}, {0.0f, 1.0f}},
                         {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 0.25f}, {0.0f, 0.75f}}};

constexpr int room = 12;  // tiles each way

BodyId add_room_of_tiles(World& world, test::Random& random) {
    const BodyId id = world.create_tile_map();
    TileMapRef map = world.tile_map(id);
    TileId kinds = 0;
    for (const Polygon& tile : tiles) map.define(++kinds, {.shape = tile, .collider = terrain});
    map.fill({{-1, -1}, {room, room}}, 1);
    map.fill({{0, 0}, {room - 1, room - 1}}, 0);
    const int most = random.one_in(3) ? 1 : kinds;
    for (int i = 0; i < 25; ++i) {
        const TileCoord tile{random.integer(0, room - 1), random.integer(0, room - 1)};
        map.set(tile, static_cast<TileId>(random.integer(1, most)));
    }
    return id;
}

bool is_in_the_open(const ConstTileMapRef& map, Vec2 point) {
    const TileCoord tile = map.tile_at(point);
    const TileId id = map.at(tile);
    const Vec2 corner{static_cast<float>(tile.x), static_cast<float>(tile.y)};
    const bool is_inside = point.x > 0.0f && point.y > 0.0f && point.x < room && point.y < room;
    return is_inside && (id == 0 || !contains(tiles[id - 1], point - corner));
}

/// The corners of a room that can be seen from its middle, clockwise.
std::vector<Vec2> random_cave(test::Random& random) {
    const int count = random.integer(3, 24);
    const float roughness = random.uniform(0.0f, 0.5f);
    std::vector<Vec2> corners;
    for (int i = 0; i < count; ++i) {
        const float angle = -6.2831853f * static_cast<float>(i) / static_cast<float>(count);
        const float radius = 6.0f * (1.0f - roughness * random.unit());
        corners.push_back(Vec2{std::cos(angle), std::sin(angle)} * radius);
    }
    return corners;
}

}  // namespace

TEST_CASE(
    "nothing thrown at up to 10,000 m/s leaves a room of random tiles or ends in one of them") {
    test::Random random;
    for (int i = 0; i < test::many / 8000; ++i) {
        World world({.gravity = {0.0f, random.one_in(2) ? -10.0f : 0.0f}});
        const BodyId map = add_room_of_tiles(world, random);
        const auto bodies = throw_bodies(world, random, 250, {0.0f, 0.0f}, {room, room}, 10000.0f);
        for (int step = 0; step < 70; ++step) world.step();
        for (const BodyId body : bodies) {
            CAPTURE(i);
            CHECK(is_in_the_open(world.tile_map(map), world.body(body).position()));
        }
    }
}

// Ten in a million do, at thousands of metres a second.
TEST_CASE(
    "of what is thrown at up to 10,000 m/s one in 10,000 at most leaves a cave of random chains") {
    test::Random random;
    int thrown = 0, outside = 0;
    for (int i = 0; i < test::many / 8000; ++i) {
        World world({.gravity = {0.0f, random.one_in(2) ? -10.0f : 0.0f}});
        const std::vector<Vec2> cave = random_cave(random);
        world.create_body({.type = BodyType::Static},
                          Chain{.points = {cave.data(), cave.size()}, .is_loop = true}, {},
                          terrain);
        const auto bodies =
            throw_bodies(world, random, 250, {-1.0f, -1.0f}, {1.0f, 1.0f}, 10000.0f);
        for (int step = 0; step < 100; ++step) world.step();
        for (const BodyId body : bodies) {
            ++thrown;
            outside += test::is_within(cave, world.body(body).position()) ? 0 : 1;
        }
    }
    CHECK(thrown > test::many / 40);
    CHECK(10'000 * outside <= thrown);
}

TEST_CASE("a box that falls along a wall lands on the slope at its foot, pressed into it or not") {
    for (const bool is_chain : {false, true}) {
        for (const float pressed : {0.0f, 1e-6f, 1e-5f, 1e-4f, 1e-3f, 4e-3f}) {
            World world;
            if (is_chain) {
                const Vec2 points[] = {{1.0f, 0.25f}, {0.0f, 0.75f}, {0.0f, 5.0f}};
                world.create_body({.type = BodyType::Static}, Chain{.points = {points, 3}});
            } else {
                const BodyId map = world.create_tile_map();
                world.tile_map(map).define(1);
                world.tile_map(map).define(2, {.shape = tiles[6]});
                world.tile_map(map).fill({{-1, 0}, {-1, 5}}, 1);
                world.tile_map(map).set({0, 0}, 2);
            }
            const BodyId box =
                world.create_body({.position = {0.2f - pressed, 3.0f}}, Box{{0.2f, 0.2f}});
            float lowest = 3.0f;
            for (int i = 0; i < 45; ++i) {
                world.step();
                lowest = std::fmin(lowest, world.body(box).position().y);
            }
            CAPTURE(is_chain);
            CAPTURE(pressed);
            CHECK(lowest > 0.93f);
        }
    }
}

TEST_CASE(
    "a box lands on the tip of a slope that its edge is flush with, or past by less than it "
    "sinks in") {
    for (const float past : {-1e-4f, -1e-6f, 0.0f, 1e-6f, 1e-5f, 1e-4f}) {
        World world;
        const BodyId map = world.create_tile_map();
        world.tile_map(map).define(1, {.shape = tiles[6]});
        world.tile_map(map).set({0, 0}, 1);
        const float half = 0.2f;
        const BodyId box = world.create_body({.position = {half - past, 1.5f}}, Box{{half, half}});
        float lowest = 1.5f;
        for (int i = 0; i < 60; ++i) {
            world.step();
            lowest = std::fmin(lowest, world.body(box).position().y);
        }
        CAPTURE(past);
        CHECK(lowest > 0.75f + half - 0.01f);
    }
}

TEST_CASE("no box that is thrown into a corner gets out, with one sub-step as with many") {
    constexpr float degree = 3.14159265f / 180.0f;
    int escaped = 0;
    for (const int substeps : {1, 2, 4}) {
        for (const float hertz : {30.0f, 60.0f, 120.0f}) {
            for (int i = 0; i < 600; ++i) {
                const float speed = 15.0f + 3.0f * static_cast<float>(i % 97);
                const float angle = mul(20.0f + static_cast<float>(i % 51), degree);
                const Vec2 from{-std::cos(angle), -std::sin(angle)};
                World world({.gravity = {}, .time_step = 1.0f / hertz, .substeps = substeps});
                world.create_body({.type = BodyType::Static, .position = {-1.0f, 20.0f}},
                                  Box{{1.0f, 25.0f}});
                world.create_body({.type = BodyType::Static, .position = {20.0f, -1.0f}},
                                  Box{{25.0f, 1.0f}});
                const float away = 1.0f + 0.01f * static_cast<float>(i);
                const BodyId box = world.create_body(
                    {.position = Vec2{0.3f, 2.0f} - from * away, .velocity = from * speed},
                    Box{{0.25f, 0.25f}});
                for (int k = 0; k < 30; ++k) world.step();
                const Vec2 place = world.body(box).position();
                escaped += place.x < 0.0f || place.y < 0.0f ? 1 : 0;
            }
        }
    }
    CHECK(escaped == 0);
}

TEST_CASE("no ball of a crowd gets into the walls of its room, at kilometres a second") {
    test::Random random;
    for (int round = 0; round < test::many / 10'000; ++round) {
        World world({.gravity = {}, .time_step = 1.0f / 30.0f});
        const float thickness = random.uniform(0.2f, 1.0f);
        const Material material{.restitution = 1.0f, .friction = 0.0f};
        for (const Vec2 out :
             {Vec2{-1.0f, 0.0f}, Vec2{1.0f, 0.0f}, Vec2{0.0f, -1.0f}, Vec2{0.0f, 1.0f}}) {
            const Vec2 half = abs(out) * thickness + abs(perpendicular(out)) * 8.0f;
            world.create_body({.type = BodyType::Static, .position = out * (5.0f + thickness)},
                              Box{half}, material);
        }
        const float fastest = std::exp(random.uniform(4.0f, 9.0f));
        std::vector<BodyId> balls;
        for (int i = 0; i < 60; ++i) {
            balls.push_back(world.create_body(
                {.position = random.point(4.0f), .velocity = random.point(fastest)},
                Circle{random.uniform(0.05f, 0.4f)}, material));
        }
        int out = 0;
        for (int step = 0; step < 200; ++step) {
            world.step();
            for (const BodyId ball : balls) {
                const Vec2 place = abs(world.body(ball).position());
                out += place.x > 5.05f || place.y > 5.05f ? 1 : 0;
            }
        }
        INFO("round ", round, ", up to ", fastest, " m/s");
        CHECK(out == 0);
    }
}

namespace {

constexpr float inside = 0.2f;  // half of the inner width of a cage [m]
constexpr float wall = 0.1f;

/// A closed kinematic cage around its position: a body of four boxes, tiles, or a chain.
BodyId add_cage(World& world, int kind, Vec2 velocity, const Material& material) {
    const BodyDef def{.type = BodyType::Kinematic, .velocity = velocity};
    constexpr float away = inside + 0.5f * wall;
    if (kind == 0) {
        const Box upright{{0.5f * wall, away}, {away, 0.0f}};
        const BodyId cage = world.create_body(def, upright, material);
        const Box left{upright.half_extents, -upright.center};
        const Box level{{away + 0.5f * wall, 0.5f * wall}, {0.0f, away}};
        for (const Box& box : {left, level, Box{level.half_extents, -level.center}}) {
            world.add_collider(cage, box, material);
        }
        return cage;
    }
    if (kind == 1) {
        const BodyId cage = world.create_tile_map({.type = BodyType::Kinematic, .tile_size = wall});
        world.tile_map(cage).define('#', {.material = material});
        world.tile_map(cage).load("######\n#    #\n#    #\n#    #\n#    #\n######\n", {-3, -3});
        world.body(cage).set_velocity(velocity);
        return cage;
    }
    const Vec2 corners[] = {
        {-inside, -inside}, {-inside, inside}, {inside, inside}, {inside, -inside}};
    return world.create_body(def, Chain{.points = corners, .is_loop = true}, material);
}

}  // namespace

TEST_CASE("what is thrown about in a closed cage stays in it, however fast the cage moves") {
    test::Random random;
    for (int run = 0; run < 120; ++run) {
        const int kind = run % 3;
        const float speed = run % 2 == 0 ? 0.0f : random.uniform(4.0f, 40.0f);
        CAPTURE(kind);
        CAPTURE(speed);
        World world({.gravity = {}});
        const Material material{.restitution = run % 4 < 2 ? 0.8f : 0.0f};
        const Vec2 drift = random.direction() * speed;
        const BodyId cage = add_cage(world, kind, drift, material);
        std::vector<BodyId> bodies;
        for (int i = 0; i < 9; ++i) {
            const Vec2 place{0.11f * static_cast<float>(i % 3 - 1),
                             0.11f * static_cast<float>(i / 3 - 1)};
            bodies.push_back(
                world.create_body({.position = place, .velocity = drift + random.point(4.0f)},
                                  Box{{0.044f, 0.05f}}, material));
        }
        float furthest = 0.0f;
        for (int step = 0; step < 120; ++step) {
            world.step();
            for (const BodyId body : bodies) {
                const Vec2 place = abs(world.body(body).position() - world.body(cage).position());
                furthest = max(furthest, max(place.x, place.y));
            }
        }
        CHECK(furthest < inside);
    }
}

TEST_CASE("what is in a closed cage stays in it when the cage starts, turns and stops at once") {
    test::Random random;
    for (int run = 0; run < 600; ++run) {
        const int kind = run % 3;
        const float fastest = random.uniform(2.0f, 60.0f);  // 1 m a step: more than its width
        CAPTURE(kind);
        CAPTURE(fastest);
        World world({.gravity = {}});
        const Material material{.restitution = run % 2 == 0 ? 0.3f : 0.0f};
        const BodyId cage = add_cage(world, kind, {}, material);
        std::vector<BodyId> bodies;
        for (int i = 0; i < 1 + run % 5; ++i) {
            const Vec2 place{0.11f * static_cast<float>(i % 3 - 1),
                             0.11f * static_cast<float>(i / 3 - 1)};
            bodies.push_back(world.create_body({.position = place}, Circle{0.045f}, material));
        }
        float furthest = 0.0f;
        for (int step = 0; step < 60; ++step) {
            if (step % 10 == 0) world.body(cage).set_velocity(random.direction() * fastest);
            world.step();
            for (const BodyId body : bodies) {
                const Vec2 place = abs(world.body(body).position() - world.body(cage).position());
                furthest = max(furthest, max(place.x, place.y));
            }
        }
        CHECK(furthest < inside);
    }
}

TEST_CASE("what crosses a fast cage takes few of those that are in it along") {
    constexpr float half = 1.0f;  // of the inner width of the cage [m]
    const Material material{.restitution = 0.0f, .friction = 0.0f};
    test::Random random;
    int out = 0;
    for (int run = 0; run < 2'000; ++run) {
        World world({.gravity = {}});
        const Vec2 drift{random.uniform(8.0f, 30.0f), 0.0f};
        const BodyId cage = world.create_body({.type = BodyType::Kinematic, .velocity = drift},
                                              Box{{1.4f, 0.2f}, {0.0f, half + 0.2f}}, material);
        world.add_collider(cage, Box{{1.4f, 0.2f}, {0.0f, -half - 0.2f}}, material);
        world.add_collider(cage, Box{{0.2f, half}, {half + 0.2f, 0.0f}}, material);
        world.add_collider(cage, Box{{0.2f, half}, {-half - 0.2f, 0.0f}}, material);
        world.create_body({.type = BodyType::Kinematic,
                           .position = {random.uniform(-2.0f, 2.0f), 0.6f},
                           .velocity = {-5.0f, 0.0f}},
                          Box{{0.1f, 0.3f}}, material);
        const Vec2 thrown = random.direction() * random.log_uniform(5.0f, 120.0f);
        const BodyId ball = world.create_body({.velocity = drift + thrown}, Circle{0.1f}, material);
        for (int step = 0; step < 8; ++step) world.step();
        const Vec2 place = abs(world.body(ball).position() - world.body(cage).position());
        out += max(place.x, place.y) > half ? 1 : 0;
    }
    CHECK(out < 180);  // one in eleven: some are pressed between the two
}

TEST_CASE("what is in a room at rest stays in it while a body moves that reaches around the room") {
    for (const int kind : {0, 1, 2, 3, 4}) {
        CAPTURE(kind);
        World world({.gravity = {}});
        const Material smooth{.restitution = 1.0f, .friction = 0.0f};
        world.create_body({.type = BodyType::Static}, Box{{0.1f, 5.0f}}, smooth);
        const BodyDef moving{.type = BodyType::Kinematic, .velocity = {-60.0f, 0.0f}};
        if (kind == 0) {  // an enemy nearby that sees far
            const BodyId enemy = world.create_body({.type = BodyType::Kinematic,
                                                    .position = {-0.6f, 0.75f},
                                                    .velocity = {-20.0f, 0.0f}},
                                                   Box{{1.0f, 0.5f}});
            world.add_collider(enemy, Circle{30.0f}, {}, {.is_sensor = true});
        } else if (kind == 1) {  // plates far above and below
            const BodyId plates = world.create_body(moving, Box{{40.0f, 1.0f}, {0.0f, 20.0f}});
            world.add_collider(plates, Box{{40.0f, 1.0f}, {0.0f, -20.0f}});
        } else if (kind == 3) {  // slow plates, a little further away than the wall
            const BodyId plates =
                world.create_body({.type = BodyType::Kinematic, .velocity = {-20.0f, 0.0f}},
                                  Box{{40.0f, 1.0f}, {0.0f, 1.75f}});
            world.add_collider(plates, Box{{40.0f, 1.0f}, {0.0f, -1.75f}});
        } else if (kind == 4) {  // plates close by that sweep past
            const BodyId plates = world.create_body(moving, Box{{40.0f, 1.0f}, {0.0f, 1.15f}});
            world.add_collider(plates, Box{{40.0f, 1.0f}, {0.0f, -1.15f}});
        } else {  // everything below a height
            world.create_body({.type = BodyType::Kinematic, .velocity = {-20.0f, 0.0f}},
                              HalfSpace{{0.0f, 1.0f}, -0.2f});
        }
        const BodyId ball = world.create_body(
            {.position = {-0.5f, 0.0f}, .velocity = {60.0f, 0.0f}}, Circle{0.1f}, smooth);
        const BodyId resting = world.create_body({.position = {-0.8f, 0.0f}}, Circle{0.1f}, smooth);
        world.step();
        CHECK(world.body(resting).position() == Vec2{-0.8f, 0.0f});
        CHECK(world.body(ball).position().x > -0.61f);
        CHECK(world.body(ball).position().x < -0.19f);
    }
}

TEST_CASE("walls that sweep through a room at rest take few of those in it out along with them") {
    constexpr float half = 2.0f;  // of the inner width of the room [m]
    const Material smooth{.restitution = 0.0f, .friction = 0.0f};
    test::Random random;
    int out = 0;
    for (int run = 0; run < 4'000; ++run) {
        World world({.gravity = {}, .time_step = 1.0f / 30.0f});
        for (const Vec2 away : {Vec2{1.0f, 0.0f}, Vec2{0.0f, 1.0f}}) {
            const Box side{away + abs(perpendicular(away)) * (half + 2.0f)};
            for (const Vec2 place : {away * (half + 1.0f), away * (-half - 1.0f)}) {
                world.create_body({.type = BodyType::Static, .position = place}, side, smooth);
            }
        }
        const Vec2 drift = random.direction() * 180.0f;
        const Box left{{0.1f, 2.0f * half}, {random.uniform(-3.0f, -0.5f), 0.0f}};
        const Box right{{0.1f, 2.0f * half}, {random.uniform(0.5f, 3.0f), 0.0f}};
        const BodyId walls =
            world.create_body({.type = BodyType::Kinematic, .velocity = drift}, left, smooth);
        world.add_collider(walls, right, smooth);
        const BodyId ball = world.create_body({.position = {0.0f, random.uniform(-1.5f, 1.5f)},
                                               .velocity = {0.0f, random.uniform(-150.0f, 150.0f)}},
                                              Circle{0.1f}, smooth);
        for (int step = 0; step < 3; ++step) world.step();
        const Vec2 place = abs(world.body(ball).position());
        out += max(place.x, place.y) > half ? 1 : 0;
    }
    CHECK(out < 120);  // one in thirty: some are pressed through the room's walls
}

TEST_CASE("a loop that sweeps through a room at rest takes few of those in it out along with it") {
    constexpr float half = 0.4f;  // of the inner width of the room [m]
    const Material material{.restitution = 0.0f};
    test::Random random;
    int out = 0;
    for (int run = 0; run < 500; ++run) {
        World world({.gravity = {}});
        for (const Vec2 away : {Vec2{1.0f, 0.0f}, Vec2{0.0f, 1.0f}}) {
            const Box side{away * 0.1f + abs(perpendicular(away)) * (half + 0.2f)};
            for (const Vec2 place : {away * (half + 0.1f), away * (-half - 0.1f)}) {
                world.create_body({.type = BodyType::Static, .position = place}, side, material);
            }
        }
        const float speed = random.uniform(2.0f, 40.0f);
        const float size = random.uniform(0.1f, 1.2f);
        const Vec2 corners[] = {{-size, -size}, {-size, size}, {size, size}, {size, -size}};
        world.create_body({.type = BodyType::Kinematic,
                           .position = {-0.3f * speed, random.uniform(-0.3f, 0.3f)},
                           .velocity = {speed, 0.0f}},
                          Chain{.points = corners, .is_loop = true}, material);
        std::vector<BodyId> bodies;
        for (int i = 0; i < 6; ++i) {
            bodies.push_back(
                world.create_body({.position = random.point(0.3f), .velocity = random.point(6.0f)},
                                  Box{{random.uniform(0.01f, 0.045f), 0.04f}}, material));
        }
        for (int step = 0; step < 40; ++step) world.step();
        for (const BodyId body : bodies) {
            const Vec2 place = abs(world.body(body).position());
            out += max(place.x, place.y) > half ? 1 : 0;
        }
    }
    CHECK(out < 250);  // of 3,000: some are pressed through the walls of the room
}

}  // namespace enclosure_test

// SPDX-License-Identifier: MIT
// What holds for a mover that stands still holds for one that presses against something, too.
#include <cmath>
#include <utility>

#include <doctest/doctest.h>
#include <phys2d/phys2d.hpp>

#include "support/movers.hpp"
#include "support/random.hpp"

namespace mover_pressed_test {

using namespace phys2d;

namespace {

constexpr float dt = 1.0f / 60.0f;

const Shape shapes[] = {Box{{0.3f, 0.5f}}, Circle{0.4f}, Capsule{0.3f, 0.25f}};

/// How deep a crate that slides at a mover gets into it, while the mover presses against a wall.
float deepest_crate(const Shape& shape, float press, float speed) {
    World world({.gravity = {}});
    const BodyDef fixed{.type = BodyType::Static};
    world.create_body(fixed, AABB{{-9.0f, -1.0f}, {9.0f, 0.0f}});
    world.create_body(fixed, AABB{{-2.0f, 0.0f}, {-1.0f, 9.0f}});
    const Vec2 half = outer_half_extents(shape);
    Mover mover{.shape = shape, .position = Vec2{-1.0f, 0.0f} + half + Vec2{0.001f, 0.001f}};
    const Box crate{{0.25f, 0.25f}};
    const BodyId body = world.create_body(
        {.position = {2.0f, half.y}, .velocity = {-speed, 0.0f}, .mass = 1.0f}, crate);
    float depth = 0.0f;
    for (int i = 0; i < 180; ++i) {
        world.step();
        move(world, mover, {-press, 0.0f}, dt);
        const float left = world.body(body).position().x - crate.half_extents.x;
        depth = std::fmax(depth, mover.position.x + half.x - left);
    }
    return depth;
}

/// Where a wall that advances has pushed a mover that stands before a kerb.
Mover pushed_onto_kerb(const Shape& shape, float kerb, float speed) {
    World world;
    const BodyDef fixed{.type = BodyType::Static};
    world.create_body(fixed, AABB{{-9.0f, -1.0f}, {9.0f, 0.0f}});
    world.create_body(fixed, AABB{{1.0f, -1.0f}, {9.0f, kerb}});
    const BodyDef advances{.type = BodyType::Kinematic, .velocity = {speed, 0.0f}};
    world.create_body(advances, AABB{{-3.0f, 0.01f}, {-1.0f, 5.0f}});
    Mover mover{.shape = shape, .position = {0.0f, outer_half_extents(shape).y + 0.001f}};
    for (float way = 0.0f; way < 4.0f && !mover.crush; way += speed * dt) {
        world.step();
        move(world, mover, {}, dt);
    }
    return mover;
}

/// How deep a crate gets into a mover that its ground, a conveyor or a platform, holds to a wall,
/// and brings the crate to.
float deepest_carried_crate(const Shape& shape, BodyType ground, float speed) {
    World world;
    const Vec2 left{-speed, 0.0f};
    const bool is_belt = ground == BodyType::Static;
    world.create_body({.type = ground, .velocity = is_belt ? Vec2{} : left},
                      AABB{{-30.0f, -1.0f}, {30.0f, 0.0f}},
                      {.surface_velocity = is_belt ? left : Vec2{}});
    world.create_body({.type = BodyType::Static}, AABB{{-2.0f, 0.1f}, {-1.0f, 9.0f}});
    const Vec2 half = outer_half_extents(shape);
    Mover mover{.shape = shape, .position = Vec2{-0.9f, 0.001f} + half, .push_force = 400.0f};
    const Box crate{{0.25f, 0.25f}};
    const BodyId body =
        world.create_body({.position = {2.0f, 0.25f}, .velocity = left, .mass = 5.0f}, crate);
    float depth = 0.0f;
    for (int i = 0; i < 400; ++i) {
        world.step();
        move(world, mover, {}, dt);
        const float nearest = world.body(body).position().x - crate.half_extents.x;
        depth = std::fmax(depth, mover.position.x + half.x - nearest);
    }
    return depth;
}

}  // namespace

TEST_CASE("a mover that presses against a wall stops a crate as one that does not") {
    for (const Shape& shape : shapes) {
        for (const float speed : {1.0f, 3.0f}) {
            const float at_rest = deepest_crate(shape, 0.0f, speed);
            for (const float press : {1.0f, 4.0f, 8.0f}) {
                INFO("radius ", shape.radius, ", speed ", speed, ", press ", press);
                CHECK(deepest_crate(shape, press, speed) < at_rest + 0.01f);
            }
        }
    }
}

TEST_CASE("a mover that its ground holds to a wall stops a crate that the ground brings") {
    for (const Shape& shape : {Shape(Box{{0.3f, 0.5f}}), Shape(Capsule{0.3f, 0.25f})}) {
        for (const BodyType ground : {BodyType::Static, BodyType::Kinematic}) {
            for (const float speed : {0.5f, 1.0f, 1.5f}) {
                INFO("radius ", shape.radius, ", type ", int(ground), ", speed ", speed);
                CHECK(deepest_carried_crate(shape, ground, speed) < 0.05f);
            }
        }
    }
}

TEST_CASE("a crate that its conveyor brings half-way through a mover at a wall crushes it") {
    for (const float step : {dt, 1.0f / 144.0f}) {
        for (const float force : {20.0f, 80.0f, 200.0f, 400.0f}) {
            for (const float mass : {3.0f, 12.0f, 30.0f}) {
                CAPTURE(step);
                CAPTURE(force);
                CAPTURE(mass);
                World world({.time_step = step});
                const BodyDef fixed{.type = BodyType::Static};
                world.create_body(fixed, AABB{{-8.0f, -1.0f}, {8.0f, 0.0f}},
                                  {.surface_velocity = {-1.5f, 0.0f}});
                world.create_body(fixed, AABB{{-2.0f, 0.0f}, {-1.0f, 9.0f}});
                Mover mover{.shape = shapes[0], .position = {-0.699f, 0.501f}, .push_force = force};
                const Box box{{0.35f, 0.35f}};
                const BodyId crate = world.create_body({.position = {2.0f, 0.35f}, .mass = mass},
                                                       box, {.friction = 0.5f});
                bool is_crushed = false;
                float depth = 0.0f;
                for (int i = 0; i < 576; ++i) {
                    world.step();
                    move(world, mover, {}, step);
                    is_crushed = is_crushed || mover.crush;
                    depth =
                        std::fmax(depth, mover.position.x - world.body(crate).position().x + 0.65f);
                }
                CHECK(is_crushed == (depth > 0.3f));
            }
        }
    }
}

TEST_CASE("a crate rests on the head of a mover that is told to fall while it stands") {
    for (const float down : {0.0f, 0.164f, 2.0f, 8.0f}) {
        World world;
        world.create_body({.type = BodyType::Static}, AABB{{-9.0f, -1.0f}, {9.0f, 0.0f}});
        Mover mover{.shape = shapes[0], .position = {0.0f, 0.5f}};
        const BodyId crate =
            world.create_body({.position = {0.0f, 1.3f}, .mass = 5.0f}, Box{{0.25f, 0.25f}});
        for (int i = 0; i < 300; ++i) {
            world.step();
            move(world, mover, {0.0f, -down}, dt);
        }
        INFO("down ", down);
        CHECK(mover.ground.is_grounded);
        CHECK(world.body(crate).position().y - 0.25f > mover.position.y + 0.5f - 0.01f);
    }
}

TEST_CASE("a mover that presses against a wall of pieces falls along it without end") {
    constexpr int height = 40;
    World polygons, kinds, loops;
    const BodyDef fixed{.type = BodyType::Static};
    TileMapRef map = kinds.tile_map(kinds.create_tile_map());
    map.define(1);
    map.define(2, {.collider = {.filter = {.category = 2}}});
    for (int y = 0; y < height; ++y) {
        const auto low = static_cast<float>(y);
        const Polygon piece(AABB{{0.0f, low}, {1.0f, low + 1.0f}});
        polygons.create_body(fixed, piece);
        loops.create_body(fixed, Chain{.points = piece.vertices(), .is_loop = true});
        map.set({0, y}, static_cast<TileId>(1 + y % 2));
    }
    for (const World* world : {&polygons, &kinds, &loops}) {
        World walls = *world;
        test::Random random;
        for (int i = 0; i < test::many / 2'500; ++i) {
            Mover mover{.shape = Box{{0.4f, 0.5f}},
                        .position = {-0.42f, random.uniform(38.0f, 39.0f)}};
            const Vec2 velocity{random.uniform(0.5f, 4.0f), -random.uniform(0.3f, 4.0f)};
            bool goes_on = true;
            for (int k = 0; k < 600 && goes_on && mover.position.y > 2.0f; ++k) {
                const float before = mover.position.y;
                move(walls, mover, velocity, dt);
                goes_on = k < 2 || mover.position.y < before;
            }
            INFO("run ", i, ", at ", mover.position.y);
            CHECK(goes_on);
        }
    }
}

TEST_CASE("round movers climb stairs of separate lines, in whichever order they were created") {
    test::Random random;
    for (int i = 0; i < test::many / 5'000; ++i) {
        World world;
        const Vec2 foot{random.uniform(-20.0f, 20.0f), random.uniform(-9.0f, 9.0f)};
        const float rise = random.uniform(0.05f, 0.2f), run = random.uniform(0.3f, 0.6f);
        const bool treads_first = random.one_in(2);
        const BodyDef fixed{.type = BodyType::Static};
        world.create_body(fixed, Segment{foot, foot - Vec2{5.0f, 0.0f}});
        for (int k = 0; k < 8; ++k) {
            const Vec2 edge = foot + Vec2{run, rise} * static_cast<float>(k);
            const Vec2 top = edge + Vec2{0.0f, rise};
            const Vec2 end = top + Vec2{k == 7 ? 5.0f : run, 0.0f};
            if (treads_first) world.create_body(fixed, Segment{top, end});
            world.create_body(fixed, Segment{edge, top});
            if (!treads_first) world.create_body(fixed, Segment{top, end});
        }
        const Shape& shape = shapes[random.integer(1, 2)];
        const float height = outer_half_extents(shape).y;
        Mover mover{
            .shape = shape, .position = foot + Vec2{-1.0f, height + 0.001f}, .step_height = 0.3f};
        const float speed = random.uniform(0.5f, 4.0f);
        for (int k = 0; k < static_cast<int>(60.0f * (8.0f * run + 3.0f) / speed); ++k) {
            world.step();
            move(world, mover, {speed, mover.ground.is_grounded ? 0.0f : -1.0f}, dt);
        }
        INFO("stairs ", i);
        CHECK(mover.position.y - height > foot.y + 7.9f * rise);
    }
}

TEST_CASE(
    "a wall that advances pushes a mover up a step that it can climb, and crushes it at others") {
    test::Random random;
    for (int i = 0; i < test::many / 5'000; ++i) {
        INFO("run ", i);
        const Shape shape = test::random_mover(random, random.uniform(0.3f, 0.5f));
        const float step_height = Mover{}.step_height;
        const float low = random.uniform(0.02f, 0.95f) * step_height;
        const float high = outer_half_extents(shape).y + step_height;
        const float speed = random.uniform(0.5f, 4.0f);
        const Mover climber = pushed_onto_kerb(shape, low, speed);
        CHECK(!climber.crush);
        CHECK(climber.position.x > 2.0f);
        CHECK(pushed_onto_kerb(shape, high, speed).crush);
    }
}

TEST_CASE("a door of pieces pushes a round mover straight") {
    test::Random random;
    for (int i = 0; i < 200; ++i) {
        World world;
        const float half = random.uniform(0.1f, 0.4f);
        const float speed = random.uniform(0.3f, 6.0f);
        for (int k = 0; k < 12; ++k) {
            const float y = half * static_cast<float>(2 * k + 1);
            world.create_body(
                {.type = BodyType::Kinematic, .position = {-1.0f, y}, .velocity = {speed, 0.0f}},
                Box{{1.0f, half}});
        }
        const float radius = random.uniform(0.15f, 0.45f);
        Mover mover{.shape = Capsule{random.uniform(0.0f, 0.6f), radius},
                    .position = {radius + 0.05f, 12.0f * half}};
        float furthest = 0.0f;
        Vec2 expected = mover.position;
        for (int k = 0; k < 20; ++k) {
            const float fall = -9.81f * dt * static_cast<float>(k);
            world.step();
            move(world, mover, {0.0f, fall}, dt);
            expected.y += fall * dt;
            furthest = std::fmax(furthest, std::fabs(mover.position.y - expected.y));
        }
        CHECK(furthest < 1e-3f);
        const float pushed = radius + std::fmax(0.05f, 20.0f * speed * dt);
        CHECK(mover.position.x == doctest::Approx(pushed).epsilon(2e-3));
    }
}

namespace {

using Types = std::pair<BodyType, BodyType>;

/// Two rows of unit boxes along an axis, `1 + spare` apart.
World two_rows(Vec2 along, float spare, Types types = {BodyType::Static, BodyType::Static}) {
    World world;
    const Vec2 side = perpendicular(along) * (1.0f + 0.5f * spare);
    const Box box{{0.5f, 0.5f}};
    for (int i = -8; i < 12; ++i) {
        const Vec2 middle = along * static_cast<float>(i);
        world.create_body({.type = types.first, .position = middle + side}, box);
        world.create_body({.type = types.second, .position = middle - side}, box);
    }
    return world;
}

}  // namespace

TEST_CASE("a mover passes between two rows of boxes that are just as far apart as it is large") {
    const Shape sizes[] = {Box{{0.5f, 0.5f}}, Circle{0.5f}, RoundedBox{{0.3f, 0.3f}, 0.2f}};
    for (const Shape& shape : sizes) {
        for (const float spare : {-2e-5f, 0.0f, 1e-4f, 4e-4f, 0.002f}) {
            for (const Vec2 along : {Vec2{1.0f, 0.0f}, Vec2{0.0f, 1.0f}}) {
                CAPTURE(spare);
                CAPTURE(along.x);
                World world = two_rows(along, spare);
                Mover mover{.shape = shape};
                const Vec2 down{0.0f, along.x == 1.0f ? -0.5f : 0.0f};
                for (int i = 0; i < 120; ++i) move(world, mover, along * 5.0f + down, dt);
                CHECK(dot(mover.position, along) == doctest::Approx(10.0));
                world.create_body({.type = BodyType::Static, .position = along * 12.0f},
                                  Box{{0.5f, 0.5f}});
                for (int i = 0; i < 60; ++i) move(world, mover, along * 5.0f + down, dt);
                CHECK(dot(mover.position, along) ==
                      doctest::Approx(11.0f - mover.skin).epsilon(1e-5));
            }
        }
    }
}

TEST_CASE("a mover passes between two rows of kinematic boxes, or of these and of static ones") {
    constexpr auto resting = BodyType::Static, moving = BodyType::Kinematic;
    const Shape sizes[] = {Box{{0.5f, 0.5f}}, Circle{0.5f}, RoundedBox{{0.3f, 0.3f}, 0.2f}};
    for (const Types& types : {Types{resting, moving}, {moving, resting}, {moving, moving}}) {
        for (const Shape& shape : sizes) {
            for (const float spare : {-2e-5f, 0.0f, 1e-4f}) {
                for (const Vec2 along : {Vec2{1.0f, 0.0f}, Vec2{0.0f, 1.0f}}) {
                    CAPTURE(spare);
                    CAPTURE(along.x);
                    World world = two_rows(along, spare, types);
                    Mover mover{.shape = shape};
                    for (int i = 0; i < 120; ++i) move(world, mover, along * 5.0f, dt);
                    CHECK(dot(mover.position, along) == doctest::Approx(10.0));
                }
            }
        }
    }
}

TEST_CASE("a round mover that squeezes over a row of boxes does not walk on their corners") {
    for (const float narrower : {0.0f, 6e-5f, 2.4e-4f}) {
        for (const float heading : {-1.0f, 1.0f}) {
            CAPTURE(narrower);
            CAPTURE(heading);
            World world = two_rows({1.0f, 0.0f}, -narrower);
            Mover mover{.shape = RoundedBox{{0.3f, 0.3f}, 0.2f}};
            for (int i = 0; i < 144; ++i) {
                move(world, mover, {5.0f * heading, 0.0f}, 1.0f / 144.0f);
                CHECK(mover.ground.normal == Vec2{0.0f, 1.0f});
            }
            CHECK(heading * mover.position.x == doctest::Approx(5.0));
        }
    }
}

TEST_CASE(
    "a mover around which ground is set is crushed by it, stays, and falls once it is dug out") {
    for (const Shape& shape : shapes) {
        World world;
        TileMapRef tiles = world.tile_map(world.create_tile_map());
        tiles.define(1);
        tiles.fill({{-9, -9}, {9, 9}}, 1);
        const Vec2 start{0.4f, 0.6f};
        Mover mover{.shape = shape, .position = start};
        for (int i = 0; i < 60; ++i) CHECK(move(world, mover, {3.0f, -9.0f}, dt) == Vec2{});
        CHECK(mover.position == start);
        CHECK(mover.crush.by == tiles.id());
        CHECK_FALSE(mover.ground.is_grounded);
        tiles.fill({{-5, -5}, {5, 5}}, 0);
        for (int i = 0; i < 60; ++i) (void)move(world, mover, {0.0f, -9.0f}, dt);
        CHECK_FALSE(mover.crush);
        CHECK(mover.ground.is_grounded);
        CHECK(mover.position.y - outer_half_extents(shape).y ==
              doctest::Approx(-5.0f).epsilon(0.01));
    }
}

TEST_CASE("a mover is crushed in the ground, also where it is inside of a one-way body as well") {
    for (const bool is_first : {false, true}) {
        World world;
        const auto add_platform = [&] {
            world.create_body({.type = BodyType::Static}, Box{{2.0f, 2.0f}}, {},
                              {.one_way = OneWay::Up});
        };
        if (is_first) add_platform();
        TileMapRef tiles = world.tile_map(world.create_tile_map());
        tiles.define(1);
        tiles.fill({{-9, -9}, {9, 9}}, 1);
        if (!is_first) add_platform();
        const Vec2 start{0.4f, 0.6f};
        Mover mover{.shape = Circle{0.3f}, .position = start};
        for (int i = 0; i < 60; ++i) (void)move(world, mover, {0.0f, -3.0f}, dt);
        CHECK(mover.position == start);
        CHECK(mover.rounding == Vec2{});
        CHECK(mover.crush.by == tiles.id());
    }
}

TEST_CASE("a mover in a shaft is crushed by a tile that is set at its head, and free without it") {
    for (const float height : {1.1f, 1.8f, 2.5f}) {
        for (const bool is_round : {false, true}) {
            CAPTURE(height);
            CAPTURE(is_round);
            const float half = 0.5f * height;
            World world;
            TileMapRef tiles = world.tile_map(world.create_tile_map());
            tiles.define(1);
            tiles.fill({{-3, -1}, {3, 3}}, 1);
            tiles.fill({{0, 0}, {0, 3}}, 0);
            Mover mover{
                .shape = is_round ? Shape(Capsule{half - 0.3f, 0.3f}) : Shape(Box{{0.3f, half}}),
                .position = {0.5f, half + 0.001f}};
            const auto stand = [&] {
                for (int i = 0; i < 10; ++i) move(world, mover, {0.0f, -1.0f}, dt);
            };
            stand();
            CHECK_FALSE(mover.crush);
            tiles.set({0, 1}, 1);
            stand();
            CHECK(mover.crush);
            CHECK(mover.crush.by == tiles.id());
            CHECK(mover.crush.depth == doctest::Approx(height - 1.0f).epsilon(0.01));
            tiles.set({0, 1}, 0);
            stand();
            CHECK_FALSE(mover.crush);
            CHECK(mover.ground.is_grounded);
        }
    }
}

TEST_CASE("a mover that stays in a body between whose sides it nearly fits is crushed there") {
    test::Random random;
    for (int i = 0; i < 300; ++i) {
        World world;
        const BodyDef fixed{.type = BodyType::Static};
        world.create_body(fixed, AABB{{-9.0f, -1.0f}, {9.0f, 0.0f}});
        const Shape shape = shapes[i % 3];
        const Vec2 half = outer_half_extents(shape);
        Mover mover{.shape = shape, .position = {0.0f, half.y + 0.001f}};
        world.step();
        move(world, mover, {0.0f, -0.1f}, dt);

        const float side = half.x - random.uniform(0.05f, 0.2f);  // of the box that it is in
        const float gap = 2.0f * half.x - random.uniform(0.002f, 0.038f);
        const BodyType type = random.one_in(2) ? BodyType::Static : BodyType::Kinematic;
        const BodyId body = world.create_body({.type = type}, Box{{0.5f, 2.0f}, {side + 0.5f, 2}});
        (void)world.add_collider(body, Box{{0.5f, 2.0f}, {side - gap - 0.5f, 2.0f}});
        for (int k = 0; k < 5; ++k) {
            world.step();
            move(world, mover, {0.0f, -0.1f}, dt);
        }
        const float right = mover.position.x + half.x - side;
        const float left = side - gap - (mover.position.x - half.x);
        CAPTURE(i);
        CHECK(bool(mover.crush) == (std::fmax(left, right) > 0.04f));
    }
}

TEST_CASE("a mover between a slope, a wall and a tile that is set at its head is crushed there") {
    for (const float side : {1.0f, -1.0f}) {
        for (const bool is_round : {false, true}) {
            CAPTURE(side);
            CAPTURE(is_round);
            World world;
            TileMapRef tiles = world.tile_map(world.create_tile_map());
            tiles.define('#');
            tiles.define('\\', {.shape = {{0.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 1.0f}}});
            tiles.define('/', {.shape = {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}}});
            tiles.load(side > 0.0f ? "##\\##\n#####\n" : "##/##\n#####\n", {-2, -1});
            Mover mover{.shape = is_round ? Shape(Capsule{0.6f, 0.3f}) : Shape(Box{{0.3f, 0.8f}}),
                        .position = {0.5f + 0.19f * side, 1.5f}};
            const auto press = [&](int moves) {
                for (int i = 0; i < moves; ++i) move(world, mover, {2.0f * side, -1.0f}, dt);
            };
            press(30);
            CHECK_FALSE(mover.crush);
            tiles.set({0, 2}, '#');
            press(1);
            const Vec2 before = mover.position;
            for (int i = 0; i < 60; ++i) {
                press(1);
                CHECK(mover.crush);
                CHECK(mover.crush.by == tiles.id());
                CHECK(distance(mover.position, before) < 0.002f);
            }
            tiles.set({0, 2}, 0);
            press(2);
            CHECK_FALSE(mover.crush);
            CHECK(mover.ground.is_grounded);
        }
    }
}

TEST_CASE("a mover that stands up in a vent of a ship stays where it is, and is crushed") {
    for (const Vec2 velocity : {Vec2{}, Vec2{3.0f, 0.0f}, Vec2{-2.0f, 2.0f}, Vec2{0.0f, -2.0f}}) {
        for (const float height : {1.1f, 1.2f, 1.7f}) {
            CAPTURE(velocity.y);
            CAPTURE(height);
            World world;
            const BodyId ship = world.create_tile_map({.type = BodyType::Kinematic});
            world.body(ship).set_velocity(velocity);
            TileMapRef tiles = world.tile_map(ship);
            tiles.define('#');
            tiles.load("######\n      \n######\n");
            const auto shape = [](float high) {
                return Box{{0.3f, 0.5f * high}, {0.0f, 0.5f * high}};
            };
            Mover mover{.shape = shape(0.8f), .position = {3.0f, 1.001f}};
            const auto feet_on_ship = [&] {
                world.step();
                const Vec2 falling = velocity + Vec2{0.0f, -1.0f};
                move(world, mover, mover.ground.is_grounded ? Vec2{} : falling, dt);
                return mover.position - world.body(ship).position();
            };
            for (int i = 0; i < 10; ++i) feet_on_ship();
            const Vec2 before = feet_on_ship();
            mover.shape = shape(height);
            for (int i = 0; i < 60; ++i) {
                CHECK(distance(feet_on_ship(), before) < 0.002f);
                CHECK(mover.crush);
                CHECK(mover.crush.by == ship);
                CHECK(mover.crush.against == ship);
            }
            mover.shape = shape(0.8f);
            CHECK(distance(feet_on_ship(), before) < 0.002f);
            CHECK_FALSE(mover.crush);
        }
    }
}

TEST_CASE("a mover falls out of a tile that is set on it if nothing joins that below") {
    constexpr Polygon low_slope{{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 0.5f}};
    for (const bool is_joined : {false, true}) {
        World world;
        TileMapRef tiles = world.tile_map(world.create_tile_map());
        tiles.define(1);
        tiles.define(2, {.shape = low_slope});
        tiles.fill({{-5, -5}, {5, -5}}, 1);
        const Vec2 start{0.5f, 0.24f};
        Mover mover{.shape = Circle{0.4f}, .position = start};
        tiles.set({0, 0}, 2);
        if (is_joined) tiles.fill({{-5, -5}, {5, -1}}, 1);
        Vec2 velocity;
        for (int i = 0; i < 120; ++i) {
            velocity = move(world, mover, velocity + Vec2{0.0f, -0.16f}, dt);
            if (!is_joined) CHECK_FALSE(mover.crush);
        }
        CHECK((mover.position.y < -3.5f) == !is_joined);
    }
}

TEST_CASE("a mover on a floor of pieces stays there when a box is set on it, and is crushed") {
    for (const float width : {0.5f, 1.0f, 4.5f, 9.0f}) {
        for (const bool has_boxes : {false, true}) {
            for (const Shape& shape : {Shape(Box{{0.45f, 0.45f}}), Shape(Circle{0.2f})}) {
                for (const float place : {0.0f, 0.3f, 0.5f, 1.1f}) {
                    CAPTURE(width);
                    CAPTURE(has_boxes);
                    CAPTURE(place);
                    World world;
                    const BodyDef fixed{.type = BodyType::Static};
                    for (float left = -4.5f; left < 4.5f; left += width) {
                        const AABB piece{{left, -1.0f}, {left + width, 0.0f}};
                        if (has_boxes) {
                            world.create_body(fixed, piece);
                        } else {
                            world.create_body(fixed, Polygon(piece));
                        }
                    }
                    const Vec2 start{place, outer_half_extents(shape).y + 0.001f};
                    Mover mover{.shape = shape, .position = start};
                    world.create_body(fixed, AABB{{-3.0f, 0.0f}, {3.0f, 2.0f}});
                    for (int i = 0; i < 60; ++i) {
                        (void)move(world, mover, {0.0f, -3.0f}, dt);
                        CHECK(mover.crush);
                    }
                    CHECK(distance(mover.position, start) < 0.01f);
                }
            }
        }
    }
}

TEST_CASE("a box that is set on a mover does not push it through the line on which it stands") {
    const Vec2 line[] = {{4.0f, 0.0f}, {-4.0f, 0.0f}};
    for (const Shape& shape : shapes) {
        for (const float place : {-1.7f, 0.0f, 1.3f}) {
            World world;
            world.create_body({.type = BodyType::Static}, Chain{.points = line});
            const Vec2 start{place, outer_half_extents(shape).y + 0.001f};
            Mover mover{.shape = shape, .position = start};
            const BodyId box =
                world.create_body({.type = BodyType::Static}, AABB{{-3.5f, 0.0f}, {3.5f, 2.0f}});
            const auto fall = [&] {
                for (int i = 0; i < 60; ++i) (void)move(world, mover, {0.0f, -3.0f}, dt);
            };
            fall();
            CHECK(mover.crush.by == box);
            world.destroy_body(box);
            fall();
            CHECK(mover.ground.is_grounded);
            CHECK(distance(mover.position, start) < 0.01f);
        }
    }
}

TEST_CASE("a mover that a box set on it puts into a kinematic wall is crushed in that move") {
    for (const Shape& shape : shapes) {
        for (const float missing : {-0.1f, 0.1f, 0.3f}) {
            CAPTURE(missing);
            World world({.gravity = {}});
            const float half = outer_half_extents(shape).x;
            const BodyId wall =
                world.create_body({.type = BodyType::Kinematic}, AABB{{half, -9.0f}, {9.0f, 9.0f}});
            Mover mover{.shape = shape, .position = {-0.2f, 0.0f}, .up = {}};
            const BodyId box = world.create_body({.type = BodyType::Static},
                                                 AABB{{-9.0f, -9.0f}, {missing - half, 9.0f}});
            (void)move(world, mover, {}, dt);
            CHECK(bool(mover.crush) == (missing > 0.0f));
            CHECK(mover.crush.by == (missing > 0.0f ? wall : BodyId{}));
            CHECK(mover.crush.against == (missing > 0.0f ? box : BodyId{}));
            if (mover.crush) CHECK(mover.crush.depth == doctest::Approx(missing).epsilon(0.01));
        }
    }
}

TEST_CASE("a mover that sees sensors flies through terrain that is one") {
    for (const bool is_tiled : {false, true}) {
        World world;
        if (is_tiled) {
            TileMapRef tiles = world.tile_map(world.create_tile_map());
            tiles.define(1, {.collider = {.is_sensor = true}});
            tiles.fill({{-9, -9}, {9, 9}}, 1);
        } else {
            world.create_body({.type = BodyType::Static},
                              Polygon{{-9.0f, -9.0f}, {9.0f, -9.0f}, {9.0f, 9.0f}, {-9.0f, 9.0f}},
                              {}, {.is_sensor = true});
        }
        Mover mover{.shape = Circle{0.4f}, .filter = {.sensors = true}};
        for (int i = 0; i < 60; ++i) CHECK(move(world, mover, {0.0f, -6.0f}, dt).y == -6.0f);
        CHECK_FALSE(mover.crush);
    }
}

TEST_CASE("a mover that comes through a chain from behind passes even with its centre on it") {
    constexpr float exact_dt = 1.0f / 64.0f;
    const Vec2 line[] = {{9.0f, 0.0f}, {-9.0f, 0.0f}};
    World world;
    world.create_body({.type = BodyType::Static}, Chain{line});
    Mover mover{.shape = Circle{0.25f}, .position = {0.0f, -1.0f}};
    for (int i = 0; i < 16; ++i) {
        CHECK(move(world, mover, {0.0f, 8.0f}, exact_dt).y == 8.0f);
        CHECK_FALSE(mover.crush);
    }
    CHECK(mover.position.y > 0.5f);
}

TEST_CASE("a mover flies through one-way ground, however thick that is") {
    World world;
    world.create_body({.type = BodyType::Static},
                      Polygon{{-9.0f, 0.0f}, {9.0f, 0.0f}, {9.0f, 9.0f}, {-9.0f, 9.0f}}, {},
                      {.one_way = OneWay::Up});
    Mover mover{.shape = Circle{0.4f}, .position = {0.0f, -1.0f}};
    for (int i = 0; i < 120; ++i) CHECK(move(world, mover, {0.0f, 6.0f}, dt).y == 6.0f);
    CHECK(mover.position.y == doctest::Approx(11.0f));
}

TEST_CASE("a mover that comes out of a tile that is set on it gets into none beside that") {
    const Shape low_shapes[] = {Box{{0.4f, 0.2f}}, Circle{0.4f}, Capsule{0.2f, 0.2f, Axis::X}};
    for (const Shape& shape : low_shapes) {
        for (const float speed : {0.0f, -3.0f, -20.0f, -50.0f}) {
            for (const float x : {1.45f, 1.2f, 1.05f}) {
                World world;
                const BodyId map = world.create_tile_map();
                TileMapRef tiles = world.tile_map(map);
                tiles.define(1);
                tiles.fill({{-3, 0}, {5, 0}}, 1);
                tiles.fill({{-3, 2}, {0, 4}}, 1);
                const float height = 1.0005f + outer_half_extents(shape).y;
                Mover mover{.shape = shape, .position = {x, height}};
                move(world, mover, {}, dt);
                tiles.set({1, 1}, 1);
                world.step();
                INFO("from ", x, " at ", speed);
                for (int i = 0; i < 3; ++i) {
                    move(world, mover, {speed, 0.0f}, dt);
                    Shape smaller = translate(mover.shape, mover.position);
                    smaller.half_extents *= 0.99f;
                    smaller.radius *= 0.99f;
                    CHECK_FALSE(world.any_overlap(smaller));
                }
            }
        }
    }
}

TEST_CASE("a crate beside a mover that its force holds off is no wall") {
    for (const Shape& shape : shapes) {
        World world({.gravity = {}});
        world.create_body({.type = BodyType::Static}, AABB{{-9.0f, -1.0f}, {9.0f, 0.0f}});
        const Vec2 half = outer_half_extents(shape);
        world.create_body(
            {.position = {half.x + 0.3f, 0.3f}, .velocity = {-1.0f, 0.0f}, .mass = 1.0f},
            Box{{0.25f, 0.25f}});
        Mover mover{.shape = shape, .position = {0.0f, half.y + 0.001f}};
        for (int i = 0; i < 60; ++i) {
            world.step();
            move(world, mover, {}, dt);
            CHECK(!mover.wall);
        }
    }
}

TEST_CASE("a beam that does not touch the head of a mover is no ceiling, however near") {
    for (const Shape& shape : shapes) {
        World world;
        const BodyDef fixed{.type = BodyType::Static};
        const float half = outer_half_extents(shape).y;
        const float below = 2.0f * half + 0.002f;
        world.create_body(fixed, AABB{{-9.0f, -1.0f}, {9.0f, 0.0f}});
        world.create_body(fixed, AABB{{-4.0f, 0.0f}, {-2.0f, below}});
        world.create_body(fixed, AABB{{2.0f, 0.0f}, {4.0f, below}});
        world.create_body({.position = {0.0f, below + 0.3f}}, Box{{3.0f, 0.3f}});
        Mover mover{.shape = shape, .position = {0.0f, half + 0.001f}};
        for (int i = 0; i < 120; ++i) {
            world.step();
            move(world, mover, {i < 60 ? 1.0f : -1.0f, -0.1f}, dt);
            CHECK(!mover.ceiling);
        }
        CHECK(mover.ground.is_grounded);
    }
}

TEST_CASE("a mover comes out of a tile that is set on it in a ship as in one at rest") {
    for (const Shape& shape : shapes) {
        for (const float depth : {0.1f, 0.18f, 0.25f, 0.35f}) {
            for (const Vec2 sails : {Vec2{}, Vec2{2.0f, 1.0f}}) {
                World world;
                const BodyId ship = world.create_tile_map({.type = BodyType::Kinematic});
                TileMapRef tiles = world.tile_map(ship);
                tiles.define(1);
                tiles.fill({{-4, -1}, {4, -1}}, 1);
                world.body(ship).set_velocity(sails);
                const Vec2 half = outer_half_extents(shape);
                Mover mover{.shape = shape, .position = {-half.x + depth, half.y + 0.0005f}};
                move(world, mover, {}, dt);
                tiles.set({0, 0}, 1);
                world.step();
                move(world, mover, {}, dt);
                INFO(depth, " deep");
                CHECK_FALSE(mover.crush);
                const float beside = mover.position.x + half.x - world.body(ship).position().x;
                CHECK(beside == doctest::Approx(0.0f).epsilon(0.001));
            }
        }
    }
}

}  // namespace mover_pressed_test

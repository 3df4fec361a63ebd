// SPDX-License-Identifier: MIT
// Do movers go over one-way ground that bends as over solid ground, and up through it?
#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "support/random.hpp"

namespace mover_one_way_test {

using namespace phys2d;

namespace {

constexpr float dt = 1.0f / 60.0f;

/// Moves at a pace, and falls in the air.
Vec2 go(World& world, Mover& mover, float pace, Vec2 velocity) {
    const float fall = mover.ground.is_grounded ? 0.0f : velocity.y - 10.0f * dt;
    return move(world, mover, {pace, fall}, dt);
}

/// Where a mover is after each of its moves: a second without a pace, then on to x = `end`.
std::vector<Vec2> walk(World& world, Mover mover, float pace, float end) {
    std::vector<Vec2> places;
    Vec2 velocity{};
    for (int i = 0; i < 1000 && mover.position.x < end; ++i) {
        velocity = go(world, mover, i < 60 ? 0.0f : pace, velocity);
        places.push_back(mover.position);
    }
    return places;
}

void add_chain(World& world, const std::vector<Vec2>& points, OneWay one_way) {
    world.create_body({.type = BodyType::Static}, Chain{points}, {}, {.one_way = one_way});
}

constexpr float half_height(const Shape& shape) { return shape.half_extents.y + shape.radius; }

/// How deep a mover falls in half a second after it was to drop through a chain, from x = `start`
/// [m].
float dropped_way(const Shape& shape, const std::vector<Vec2>& points, float start) {
    World world;
    add_chain(world, points, OneWay::Up);
    Mover mover{.shape = shape, .position = {start, 2.0f}};
    Vec2 velocity{};
    for (int i = 0; i < 60; ++i) velocity = go(world, mover, 0.0f, velocity);
    REQUIRE(mover.ground.is_grounded);
    const float height = mover.position.y;
    mover.drop_through();
    for (int i = 0; i < 30; ++i) velocity = go(world, mover, 0.0f, velocity);
    return height - mover.position.y;
}

}  // namespace

TEST_CASE("a walker that has sunk into a one-way valley by rounding walks on") {
    World world;
    add_chain(world, {{2.0f, 1.62807202f}, {0.0f, 0.0f}, {-2.0f, 0.606662273f}}, OneWay::Up);
    Mover mover{.shape = Circle{0.4f}, .position = {0.169743747f, 0.491633624f}};
    for (int i = 0; i < 120; ++i) {
        (void)move(world, mover, {-2.0f, mover.ground.is_grounded ? 0.0f : -1.0f}, dt);
    }
    CHECK(mover.position.x < -2.0f);
}

TEST_CASE(
    "whether a walker before a wall steps up onto a one-way plank does not hang on rounding") {
    const auto end_of = [](float wall, float height, float pace, float start, Vec2 shift) {
        World world;
        const auto add = [&](Vec2 position, Vec2 half, OneWay one_way = OneWay::No) {
            world.create_body({.type = BodyType::Static, .position = position + shift}, Box{half},
                              {}, {.one_way = one_way});
        };
        add({0.0f, -1.0f}, {5.0f, 1.0f});
        add({wall + 0.5f, 2.0f}, {0.5f, 2.0f});
        add({wall - 0.6f, height - 0.02f}, {0.5f, 0.02f}, OneWay::Up);
        Mover mover{.position = Vec2{start, 0.8005f} + shift};
        for (int i = 0; i < 240; ++i) {
            (void)move(world, mover, {pace, i < 2 ? -1.0f : 0.0f}, dt);
        }
        return mover.position - shift;
    };
    test::Random random;
    int parted = 0;
    for (int i = 0; i < 200; ++i) {
        const float wall = random.uniform(1.0f, 3.0f);
        const float height = random.uniform(0.05f, 0.25f);
        const float pace = random.uniform(1.0f, 5.0f);
        const float start = random.uniform(-1.5f, -1.0f);
        const Vec2 here = end_of(wall, height, pace, start, {});
        const Vec2 there = end_of(wall, height, pace, start, {16.0f, 8.0f});
        parted += distance(here, there) > 0.01f ? 1 : 0;
    }
    CHECK(parted == 0);
}

TEST_CASE("a mover that stands at a bend of one-way ground drops through it") {
    for (const Shape& shape :
         {Shape(Capsule{0.5f, 0.3f}), Shape(Box{{0.3f, 0.6f}}), Shape(Circle{0.4f})}) {
        for (const float bend : {0.2f, 0.05f, 0.01f, 0.002f, -0.002f, -0.01f, -0.05f, -0.2f}) {
            for (int i = -50; i <= 50; ++i) {
                const float start = 0.01f * static_cast<float>(i);
                const std::vector<Vec2> points = {{3.0f, -3.0f * bend}, {}, {-3.0f, -3.0f * bend}};
                INFO("bend ", bend, " at ", start);
                CHECK(dropped_way(shape, points, start) > 0.9f);
            }
        }
    }
}

TEST_CASE("a mover that stands on a one-way bridge that sags or arches drops through it") {
    for (const Shape& shape :
         {Shape(Capsule{0.5f, 0.3f}), Shape(Box{{0.3f, 0.6f}}), Shape(Circle{0.4f})}) {
        for (const float rise : {-0.6f, 0.6f}) {
            std::vector<Vec2> points;
            for (int i = 6; i >= -6; --i) {
                const float x = 0.5f * static_cast<float>(i);
                points.push_back({x, rise * (1.0f - x * x / 9.0f)});
            }
            for (int i = -50; i <= 50; ++i) {
                const float start = 0.04f * static_cast<float>(i);
                INFO("rise ", rise, " at ", start);
                CHECK(dropped_way(shape, points, start) > 0.9f);
            }
        }
    }
}

TEST_CASE("a mover drops through one-way ground, and lands on other ground of any distance below") {
    for (const Shape& shape :
         {Shape(Capsule{0.5f, 0.3f}), Shape(Box{{0.3f, 0.6f}}), Shape(Circle{0.4f})}) {
        for (const float below : {0.05f, 0.2f, 0.35f}) {
            World world;
            add_chain(world, {{3.0f, 0.0f}, {-3.0f, 0.0f}}, OneWay::Up);
            add_chain(world, {{3.0f, -below}, {-3.0f, -below}}, OneWay::Up);
            Mover mover{.shape = shape, .position = {0.0f, half_height(shape) + 0.01f}};
            Vec2 velocity{};
            const auto lands_at = [&](float height) {
                for (int i = 0; i < 30; ++i) velocity = go(world, mover, 0.0f, velocity);
                const float feet = mover.position.y - half_height(shape);
                CHECK(feet == doctest::Approx(height + mover.skin).epsilon(1e-4));
            };
            lands_at(0.0f);
            mover.drop_through();
            lands_at(-below);
        }
    }
}

namespace {

constexpr float row_pitch = 0.5f;

/// One-way rows below y = 0, in one tile map or as boxes of their own. They move up at `speed`.
void add_rows(World& world, bool in_one_map, float speed) {
    const auto type = BodyType::Kinematic;
    const BodyId map = world.create_tile_map({.type = type, .tile_size = row_pitch});
    world.body(map).set_velocity({0.0f, speed});
    world.tile_map(map).define('-', {.collider = {.one_way = OneWay::Up}});
    for (std::int32_t row = -20; row < 0; ++row) {
        const float y = (static_cast<float>(row) + 0.5f) * row_pitch;
        if (in_one_map) {
            world.tile_map(map).fill({{-3, row}, {2, row}}, '-');
        } else {
            world.create_body({.type = type, .position = {0.0f, y}, .velocity = {0.0f, speed}},
                              Box{{1.5f, 0.5f * row_pitch}}, {}, {.one_way = OneWay::Up});
        }
    }
}

}  // namespace

TEST_CASE("a mover drops through one row of many, at rest or on a lift, however fast it falls") {
    for (const bool in_one_map : {false, true}) {
        for (const float speed : {0.0f, 1.0f, -1.0f}) {
            for (const float fall : {0.0f, 3.0f, 6.0f, 9.0f, 12.0f}) {
                World world;
                add_rows(world, in_one_map, speed);
                Mover mover{.shape = Capsule{0.5f, 0.3f},
                            .position = {0.0f, 0.81f},
                            .step_height = 0.9f * row_pitch};
                Vec2 velocity{};
                float rows = 0.0f;  // where they have moved to
                const auto step = [&] {
                    world.step();
                    rows += speed * dt;
                    velocity = go(world, mover, 0.0f, velocity);
                };
                for (int i = 0; i < 30; ++i) step();
                REQUIRE(mover.ground.is_grounded);
                mover.drop_through();
                world.step();
                rows += speed * dt;
                velocity = move(world, mover, {0.0f, -fall}, dt);
                while (!mover.ground.is_grounded && mover.position.y > -9.0f) step();
                INFO("in one map ", in_one_map, " speed ", speed, " fall ", fall);
                CHECK(std::fabs(mover.position.y - rows - (0.8f - row_pitch)) < 0.01f);
            }
        }
    }
}

namespace {

/// A mover on a one-way platform whose top is at y = 0.
struct OnPlatform {
    World world;
    BodyId platform = world.create_body({.type = BodyType::Static, .position = {0.0f, -0.1f}},
                                        Box{{3.0f, 0.1f}}, {}, {.one_way = OneWay::Up});
    Mover mover{.shape = Box{{0.3f, 0.6f}}, .position = {0.0f, 0.61f}};
    Vec2 velocity{};

    OnPlatform() {
        fall(10);
        REQUIRE(mover.ground.is_grounded);
    }
    void fall(int moves) {
        for (int i = 0; i < moves; ++i) velocity = go(world, mover, 0.0f, velocity);
    }
};

}  // namespace

TEST_CASE(
    "a mover in the air that is to drop through lands on the ground it dropped through before") {
    OnPlatform on;
    on.mover.drop_through();
    on.fall(10);
    on.mover.position = {0.0f, 0.8f};
    on.mover.drop_through();
    on.fall(30);
    CHECK(on.mover.ground.is_grounded);
}

TEST_CASE("a mover in the air that is to drop through lands on a lift, whether that sinks or not") {
    for (const float speed : {0.0f, -0.2f, -1.0f, -2.0f}) {
        CAPTURE(speed);
        World world;
        const BodyId lift =
            world.create_body({.type = BodyType::Kinematic, .velocity = {0.0f, speed}},
                              Box{{3.0f, 0.1f}}, {}, {.one_way = OneWay::Up});
        Mover mover{.shape = Box{{0.3f, 0.6f}}, .position = {0.0f, 0.9f}};
        Vec2 velocity{0.0f, -2.5f};
        for (int i = 0; i < 40; ++i) {
            world.step();
            if (i == 1) mover.drop_through();
            velocity = go(world, mover, 0.0f, velocity);
        }
        CHECK(mover.ground.platform == lift);
    }
}

TEST_CASE(
    "a mover drops from a lift as from one at rest if what of its pace is not down is added") {
    const auto dropped_from = [](Vec2 pace) {
        World world;
        const BodyId lift = world.create_body({.type = BodyType::Kinematic, .velocity = pace},
                                              Box{{3.0f, 0.1f}}, {}, {.one_way = OneWay::Up});
        Mover mover{.shape = Box{{0.3f, 0.6f}}, .position = {0.0f, 0.701f}};
        (void)move(world, mover, {0.0f, -1.0f}, dt);
        REQUIRE(mover.ground.is_grounded);
        mover.drop_through();
        Vec2 velocity{};
        for (int i = 0; i < 30; ++i) {
            const Vec2 told = mover.ground.platform_velocity;
            world.step();
            velocity = go(world, mover, velocity.x, velocity);
            velocity += Vec2{told.x, max(told.y, 0.0f)};
        }
        return mover.position - world.body(lift).position();
    };
    const Vec2 at_rest = dropped_from({});
    for (const Vec2 pace : {Vec2{4.0f, 0.0f}, {-2.0f, 1.5f}, {3.0f, -1.5f}, {0.0f, -6.0f}}) {
        CAPTURE(pace.y);
        CHECK(distance(dropped_from(pace), at_rest) < 1e-3f);
    }
}

TEST_CASE("a mover that is teleported while it drops knows no ground that it drops through") {
    OnPlatform on;
    on.mover.drop_through();
    on.fall(1);
    REQUIRE(!on.mover.ground.is_grounded);
    on.mover.teleport({0.0f, 0.7f});
    on.mover.drop_through();
    on.fall(30);
    CHECK(on.mover.ground.is_grounded);
}

TEST_CASE("a mover falls on when the ground that it drops through is destroyed") {
    for (const int moves : {0, 1, 2, 5}) {
        OnPlatform on;
        on.mover.drop_through();
        on.fall(moves);
        on.world.destroy_body(on.platform);
        on.fall(60);
        CHECK(on.mover.position.y < -3.0f);
        CHECK_FALSE(on.mover.is_dropping);
    }
}

TEST_CASE("a mover walks up one-way tiles onto a one-way deck as onto a solid one") {
    for (const float pace : {1.0f, 2.0f, 3.0f, 5.0f, 8.0f}) {
        const auto walk_on = [&](OneWay one_way) {
            World world;
            TileMapRef map = world.tile_map(world.create_tile_map());
            map.define('-', {.collider = {.one_way = one_way}});
            map.define('/', {.shape = {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}},
                             .collider = {.one_way = one_way}});
            map.load("     /--------\n    /         \n----          \n", {0, 0});
            return walk(world, Mover{.position = {2.0f, 2.0f}}, pace, 12.0f);
        };
        CAPTURE(pace);
        CHECK(walk_on(OneWay::Up) == walk_on(OneWay::No));
        CHECK(walk_on(OneWay::Up).back().x >= 12.0f);
    }
}

TEST_CASE("a box mover walks over a one-way hill as over a solid one") {
    for (const float half_width : {0.2f, 0.3f, 0.5f}) {
        for (const float slope : {0.2f, 0.5f, 0.9f}) {
            for (const float pace : {0.5f, 2.0f, 6.0f}) {
                const auto walk_on = [&](OneWay one_way) {
                    World world;
                    add_chain(world, {{9.0f, -9.0f * slope}, {}, {-9.0f, -9.0f * slope}}, one_way);
                    const Mover mover{.shape = Box{{half_width, 0.8f}},
                                      .position = {-2.0f, 1.5f - 2.0f * slope}};
                    return walk(world, mover, pace, 2.0f);
                };
                CAPTURE(slope);
                CAPTURE(pace);
                CHECK(walk_on(OneWay::Up) == walk_on(OneWay::No));
            }
        }
    }
}

TEST_CASE("movers of any shape walk over one-way bumps as over solid ones") {
    for (const Shape& shape :
         {Shape(Capsule{0.5f, 0.3f}), Shape(Box{{0.3f, 0.8f}}), Shape(Circle{0.4f})}) {
        for (const float step : {0.1f, 0.25f, 0.5f}) {
            for (const float pace : {2.0f, 8.0f}) {
                const auto walk_on = [&](OneWay one_way) {
                    World world;
                    std::vector<Vec2> points;
                    for (int i = 60; i >= -60; --i) {
                        const bool is_bump = i > 4 && i % 2 != 0;
                        points.push_back({static_cast<float>(i) * step, is_bump ? 0.05f : 0.0f});
                    }
                    add_chain(world, points, one_way);
                    const Mover mover{.shape = shape, .position = {0.0f, 0.9f}};
                    return walk(world, mover, pace, 50.0f * step);
                };
                CAPTURE(step);
                CAPTURE(pace);
                CHECK(walk_on(OneWay::Up) == walk_on(OneWay::No));
                CHECK(walk_on(OneWay::Up).back().x >= 50.0f * step);
            }
        }
    }
}

TEST_CASE("a mover jumps up through a one-way hill as through the air, and lands on top") {
    for (const Shape& shape :
         {Shape(Capsule{0.5f, 0.3f}), Shape(Box{{0.3f, 0.8f}}), Shape(Circle{0.4f})}) {
        for (int i = -20; i <= 20; ++i) {
            World world;
            World empty;
            add_chain(world, {{9.0f, -4.5f}, {}, {-9.0f, -4.5f}}, OneWay::Up);
            Mover mover{.shape = shape, .position = {0.05f * static_cast<float>(i), -2.5f}};
            Mover free = mover;
            Vec2 velocity{0.0f, 10.0f}, free_velocity = velocity;
            for (int k = 0; k < 120; ++k) {
                velocity = go(world, mover, 0.5f, velocity);
                free_velocity = go(empty, free, 0.5f, free_velocity);
                const bool rises = free_velocity.y > 0.0f;
                if (rises) CHECK(mover.position == free.position);
            }
            CAPTURE(i);
            CHECK(mover.ground.is_grounded);
            CHECK(mover.position.y > -0.5f * std::fabs(mover.position.x));
        }
    }
}

TEST_CASE("a one-way lift that rises picks up the rider of one that sinks") {
    constexpr float speed = 6.0f;
    constexpr ColliderDef one_way{.one_way = OneWay::Up};
    for (int i = 0; i < 50; ++i) {
        World world;
        const float below = 1.0f + speed * dt * static_cast<float>(i) / 25.0f;
        world.create_body(
            {.type = BodyType::Kinematic, .position = {-0.5f, 0.0f}, .velocity = {0.0f, -speed}},
            Box{{0.6f, 0.1f}}, {}, one_way);
        const BodyId lift = world.create_body(
            {.type = BodyType::Kinematic, .position = {0.5f, -below}, .velocity = {0.0f, speed}},
            Box{{0.6f, 0.1f}}, {}, one_way);
        Mover mover{.shape = Box{{0.3f, 0.6f}}, .position = {0.0f, 0.7005f}, .step_height = 0.0f};
        move(world, mover, {0.0f, -0.01f}, dt);
        for (int step = 0; step < 20; ++step) {
            world.step();
            move(world, mover, {}, dt);
        }
        INFO("from ", below, " m below");
        CHECK(mover.ground.platform == lift);
    }
}

TEST_CASE(
    "what a round mover falls along beside a one-way ledge takes no part of its way unnoticed") {
    int unnoticed = 0;
    for (float beyond = 0.02f; beyond < 0.26f; beyond += 0.02f) {
        for (float height = 1.0f; height < 1.5f; height += 0.03f) {
            World world;
            world.create_body({.type = BodyType::Static, .position = {-1.0f, -0.1f}},
                              Box{{1.0f, 0.1f}}, {}, {.one_way = OneWay::Up});
            Mover mover{.shape = Circle{0.4f}, .position = {beyond, height}};
            Vec2 velocity{};
            for (int i = 0; i < 60 && !mover.ground.is_grounded; ++i) {
                const Vec2 wanted{0.0f, velocity.y - 10.0f * dt};
                const float before = mover.position.y;
                velocity = move(world, mover, wanted, dt);
                const float missing = mover.position.y - before - wanted.y * dt;
                if (!mover.ground.is_grounded && missing > 0.004f && velocity == wanted)
                    ++unnoticed;
            }
        }
    }
    CHECK(unnoticed == 0);
}

TEST_CASE("a one-way plate that sinks through a mover on solid ground does not take it along") {
    const Shape shapes[] = {Box{{0.3f, 0.6f}}, Circle{0.4f}, Capsule{0.3f, 0.25f}};
    for (const Shape& shape : shapes) {
        for (const float speed : {0.05f, 0.2f, 0.8f, 3.0f}) {
            for (const float drift : {0.0f, -0.5f, 2.0f}) {
                CAPTURE(speed);
                CAPTURE(drift);
                World world;
                world.create_body({.type = BodyType::Static}, AABB{{-9.0f, -1.0f}, {9.0f, 0.0f}});
                const BodyDef sinks{.type = BodyType::Kinematic,
                                    .position = {0.0f, 0.15f},
                                    .velocity = {drift, -speed}};
                const BodyId plate = world.create_body(sinks, AABB{{-9.0f, -0.1f}, {9.0f, 0.0f}},
                                                       {}, {.one_way = OneWay::Up});
                Mover mover{.shape = shape, .position = {0.0f, half_height(shape) + 0.001f}};
                int carried = 0;
                for (float way = 0.0f; way < 0.3f; way += speed * dt) {
                    world.step();
                    move(world, mover, {}, dt);
                    CHECK(mover.ground.is_grounded);
                    carried += mover.ground.platform == plate ? 1 : 0;
                }
                CHECK(carried <= 1);  // where their tops are level
                CHECK(std::fabs(mover.position.x) <= std::fabs(drift) * dt + 1e-4f);
            }
        }
    }
}

TEST_CASE("a one-way platform that comes from beside passes a mover, however low it is") {
    const Shape forms[] = {Box{{0.3f, 0.6f}}, Capsule{0.5f, 0.3f}, Circle{0.35f}};
    for (const Shape& shape : forms) {
        for (const float top : {0.003f, 0.01f, 0.03f, 0.074f, 0.12f}) {
            World world;
            world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}},
                              Box{{30.0f, 1.0f}});
            world.create_body({.type = BodyType::Kinematic,
                               .position = {-2.0f, top - 0.25f},
                               .velocity = {1.0f, 0.0f}},
                              Box{{1.0f, 0.25f}}, {}, {.one_way = OneWay::Up});
            const Vec2 start{0.0f, outer_half_extents(shape).y + Mover{}.skin};
            Mover mover{.shape = shape, .position = start};
            float furthest = 0.0f;
            for (int i = 0; i < 240; ++i) {
                world.step();
                move(world, mover, {0.0f, -0.1f}, 1.0f / 60.0f);
                furthest = std::fmax(furthest, length(mover.position - start));
            }
            INFO(top);
            CHECK(furthest < 1e-3f);
        }
    }
}

TEST_CASE("a mover that stops over the upper end of a one-way slope stands on it") {
    for (const float slope : {0.1f, 0.3f, 0.8f}) {
        for (const float way : {-1.0f, 1.0f}) {
            for (const float out : {0.05f, 0.2f}) {
                const Vec2 foot{-3.0f * way, -3.0f * slope};
                World world;
                world.create_body({.type = BodyType::Static}, Segment{foot, {}}, {},
                                  {.one_way = OneWay::Up});
                Mover mover{.shape = Box{{0.3f, 0.6f}}, .position = foot * 0.5f + Vec2{0.0f, 0.9f}};
                Vec2 velocity{};
                for (int i = 0; i < 240; ++i) {
                    const float left = (out * way - mover.position.x) / dt;
                    velocity = go(world, mover, std::clamp(left, -1.0f, 1.0f), velocity);
                    world.step();
                }
                CAPTURE(slope);
                CAPTURE(way);
                CAPTURE(out);
                CHECK(mover.ground.is_grounded);
                CHECK(mover.position.y > 0.59f);
            }
        }
    }
}

TEST_CASE("a one-way lift that takes a mover to a ceiling lets it through uncrushed") {
    const Shape shapes[] = {Box{{0.3f, 0.5f}}, Circle{0.4f}, Capsule{0.2f, 0.3f}};
    for (const Shape& shape : shapes) {
        for (const float speed : {0.3f, 2.0f, 6.0f}) {
            World world;
            world.create_body({.type = BodyType::Static, .position = {0.0f, 3.0f}},
                              Box{{5.0f, 1.0f}});
            const BodyId lift =
                world.create_body({.type = BodyType::Kinematic, .velocity = {0.0f, speed}},
                                  Box{{2.0f, 0.1f}}, {}, {.one_way = OneWay::Up});
            Mover mover{.shape = shape, .position = {0.0f, 0.101f + half_height(shape)}};
            Vec2 velocity{};
            while (world.body(lift).position().y < 1.8f) {
                world.step();
                velocity = go(world, mover, 0.0f, velocity);
                CHECK_FALSE(mover.crush);
            }
            INFO("at ", speed);
            CHECK_FALSE(mover.ground.is_grounded);
            CHECK(mover.position.y + half_height(shape) < 2.0f);
        }
    }
}

TEST_CASE("a mover drops through beside a tile that is set on it as it begins to") {
    for (const float x : {5.2f, 5.5f, 5.8f}) {
        World world;
        const BodyId map = world.create_tile_map();
        TileMapRef tiles = world.tile_map(map);
        tiles.define(1);
        tiles.define(2, {.collider = {.one_way = OneWay::Up}});
        tiles.fill({{0, -1}, {10, -1}}, 2);
        Mover mover{.shape = Box{{0.3f, 0.45f}}, .position = {x, 0.451f}};
        world.step();
        Vec2 velocity = go(world, mover, 0.0f, {});
        REQUIRE(mover.ground.is_grounded);
        tiles.set({5, 0}, 1);
        mover.drop_through();
        for (int i = 0; i < 30; ++i) velocity = go(world, mover, 0.0f, velocity);
        CAPTURE(x);
        CHECK(std::abs(mover.position.x - 5.5f) > 0.8f);
        CHECK(mover.position.y < -0.5f);
    }
}

TEST_CASE("a mover that grows about its middle stays on one-way ground as on solid ground") {
    const auto height_after = [](BodyType type, OneWay one_way, Vec2 up, float by, float raised) {
        World world;
        world.create_body({.type = type, .velocity = {1.0f, 0.0f}}, Box{{20.0f, 0.1f}}, {},
                          {.one_way = one_way});
        Mover mover{.shape = Capsule{0.2f, 0.3f}, .position = up * 0.7f, .up = up};
        const auto go_on = [&](int moves) {
            for (int i = 0; i < moves; ++i) {
                world.step();
                const float fall = mover.ground.is_grounded ? 0.0f : -1.0f;
                (void)move(world, mover, Vec2{2.0f, 0.0f} + up * fall, dt);
            }
        };
        go_on(30);
        mover.shape = Capsule{0.2f + by, 0.3f};
        mover.position += up * raised;
        go_on(1);
        const float at_once = dot(mover.position, up);
        go_on(30);
        CHECK(dot(mover.position, up) == doctest::Approx(at_once).epsilon(1e-4));
        CHECK(mover.ground.is_grounded);
        return at_once;
    };
    for (const BodyType type : {BodyType::Static, BodyType::Kinematic}) {
        for (const float by : {0.05f, 0.2f, 0.6f}) {
            for (const float raised : {0.0f, by}) {  // by the game itself
                CAPTURE(by);
                CAPTURE(raised);
                const float height = 0.6f + by;
                CHECK(height_after(type, OneWay::No, {0.0f, 1.0f}, by, raised) ==
                      doctest::Approx(height).epsilon(0.002));
                CHECK(height_after(type, OneWay::Up, {0.0f, 1.0f}, by, raised) ==
                      doctest::Approx(height).epsilon(0.002));
                CHECK(height_after(type, OneWay::Down, {0.0f, -1.0f}, by, raised) ==
                      doctest::Approx(height).epsilon(0.002));
            }
        }
    }
}

}  // namespace mover_one_way_test

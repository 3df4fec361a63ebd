// SPDX-License-Identifier: MIT
// Do riders stay where they are on a platform, whatever it does, and what happens to those in its
// way?
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "support/shortest_step.hpp"

namespace carrying_test {

using namespace phys2d;

namespace {

struct Ride {
    explicit Ride(float hertz, const Material& material = {})
        : world(WorldConfig{.gravity = {0.0f, -10.0f}, .time_step = 1.0f / hertz}) {
        platform = world.create_body({.type = BodyType::Kinematic}, Box{{3.0f, 0.25f}}, material);
        for (int i = 0; i < 5; ++i) {
            const auto k = static_cast<float>(i);
            riders[i] = world.create_body({.position = {0.3f + 0.05f * k, 0.65f + 0.8f * k}},
                                          Box{{0.5f, 0.4f}}, material);
        }
        for (int i = 0; i < 30; ++i) world.step();
        for (int i = 0; i < 5; ++i) starts[i] = place(i);
    }

    [[nodiscard]] float place(int rider) const {
        return world.body(riders[rider]).position().x - world.body(platform).position().x;
    }
    [[nodiscard]] float drift() const {
        float most = 0.0f;
        for (int i = 0; i < 5; ++i) most = std::fmax(most, std::fabs(place(i) - starts[i]));
        return most;
    }

    World world;
    BodyId platform{};
    BodyId riders[5];
    float starts[5];
};

}  // namespace

TEST_CASE("a tower of five keeps its place on a platform that runs to and fro, at any rate") {
    for (const float hertz : {30.0f, 60.0f, 120.0f, 240.0f}) {
        for (const float speed : {1.0f, 4.0f}) {
            Ride ride(hertz);
            float most = 0.0f;
            for (int i = 0; i < static_cast<int>(60.0f * hertz); ++i) {
                const bool goes_right = i / static_cast<int>(hertz) % 2 == 0;
                ride.world.body(ride.platform).set_velocity({goes_right ? speed : -speed, 0.0f});
                ride.world.step();
                most = std::fmax(most, ride.drift());
            }
            CHECK(most < 1e-5f);
        }
    }
}

TEST_CASE("a tower of five keeps its place on a platform that is moved around") {
    Ride ride(60.0f);
    for (int i = 0; i < 3600; ++i) {
        const float t = static_cast<float>(i) / 60.0f;
        const Vec2 place{2.0f * std::sin(t), 1.0f - std::cos(1.3f * t)};
        ride.world.body(ride.platform).move_to(place);
        ride.world.step();
        CHECK(ride.drift() < 2e-5f);
    }
}

TEST_CASE(
    "what stands on a lift that moves aside too keeps its place, however hard that falls away") {
    for (const float time_step : {1.0f / 30.0f, 1.0f / 60.0f}) {
        for (const float turns_a_second : {0.3f, 0.4f, 0.45f}) {
            CAPTURE(time_step);
            CAPTURE(turns_a_second);
            World world({.time_step = time_step});
            const BodyId lift = world.create_body({.type = BodyType::Kinematic}, Box{{5.0f, 0.5f}});
            const BodyId box = world.create_body({.position = {0.0f, 1.0f}}, Box{{0.5f, 0.5f}});
            for (int i = 0; i < 60; ++i) world.step();
            float drift = 0.0f;
            for (int i = 1; i < 600; ++i) {
                const float angle = 6.2831853f * turns_a_second * time_step * static_cast<float>(i);
                const float way = 1.0f - std::cos(angle);
                world.body(lift).move_to({way, way});
                world.step();
                drift = std::fmax(
                    drift, std::fabs(world.body(box).position().x - world.body(lift).position().x));
            }
            CHECK(drift < 1e-4f);
        }
    }
}

TEST_CASE("what stands on the ground goes along with no platform that is only near") {
    const Box ground{{2.0f, 0.5f}, {-2.0f, -0.5f}};
    for (const float lower : {0.0005f, 0.005f, 0.019f}) {  // a roof under what overhangs the ground
        World world;
        world.create_body({.type = BodyType::Static}, ground);
        const BodyId train = world.create_body(
            {.type = BodyType::Kinematic, .position = {5.05f, -0.5f - lower}}, Box{{5.0f, 0.5f}});
        const BodyId box = world.create_body({.position = {-0.3f, 0.5f}}, Box{{0.5f, 0.5f}});
        for (int i = 0; i < 60; ++i) world.step();
        world.body(train).set_velocity({3.0f, 0.0f});
        for (int i = 0; i < 60; ++i) world.step();
        CHECK(std::fabs(world.body(box).position().x + 0.3f) < 1e-5f);
    }
    for (const float gap : {0.0f, 0.02f}) {  // beside ground that ends flush with it
        for (const Vec2 velocity : {Vec2{3.0f, 0.0f}, {0.0f, -3.0f}}) {
            for (int place = 1; place < 60; ++place) {
                World world;
                world.create_body({.type = BodyType::Static}, ground);
                const BodyId lift = world.create_body(
                    {.type = BodyType::Kinematic, .position = {2.0f + gap, -0.5f}},
                    Box{{2.0f, 0.5f}});
                const float x = -0.005f * static_cast<float>(place);
                const BodyId ball = world.create_body({.position = {x, 0.25f}}, Circle{0.25f});
                for (int i = 0; i < 60; ++i) world.step();
                world.body(lift).set_velocity(velocity);
                for (int i = 0; i < 60; ++i) world.step();
                CHECK(std::fabs(world.body(ball).position().x - x) < 1e-4f);
            }
        }
    }
}

TEST_CASE("round riders keep their place beside the seams of a platform of several pieces") {
    const Shape riders[] = {Circle{0.25f}, Capsule{0.2f, 0.25f}, RoundedBox{{0.2f, 0.2f}, 0.2f}};
    const Box left{{2.0f, 0.5f}, {-2.0f, -0.5f}}, right{{2.0f, 0.5f}, {2.0f, -0.5f}};
    for (const bool are_two_bodies : {false, true}) {
        for (const Shape& shape : riders) {
            for (int place = -60; place <= 60; ++place) {
                World world;
                const Vec2 velocity{place % 2 == 0 ? 3.0f : -3.0f, 0.0f};
                const BodyDef def{.type = BodyType::Kinematic};
                const BodyId platform = world.create_body(def, left);
                BodyId next = platform;
                if (are_two_bodies) next = world.create_body(def, right);
                if (!are_two_bodies) (void)world.add_collider(platform, right);
                const Vec2 start{0.005f * static_cast<float>(place), outer_half_extents(shape).y};
                const BodyId rider = world.create_body({.position = start}, shape);
                for (int i = 0; i < 60; ++i) world.step();
                const Vec2 rest = world.body(rider).position();
                for (const BodyId piece : {platform, next}) {
                    world.body(piece).set_velocity(velocity);
                }
                for (int i = 0; i < 60; ++i) world.step();
                const Vec2 seen = world.body(rider).position() - world.body(platform).position();
                CHECK(distance(seen, rest) < 2e-5f);
            }
        }
    }
}

TEST_CASE("a beam that rests on two boxes on a platform goes along once") {
    World world({.gravity = {0.0f, -10.0f}});
    const BodyId platform = world.create_body({.type = BodyType::Kinematic}, Box{{3.0f, 0.25f}});
    for (const float x : {-1.0f, 1.0f}) {
        world.create_body({.position = {x, 0.65f}}, Box{{0.4f, 0.4f}});
    }
    const BodyId beam = world.create_body({.position = {0.0f, 1.25f}}, Box{{1.5f, 0.2f}});
    for (int i = 0; i < 30; ++i) world.step();
    for (int i = 0; i < 120; ++i) {
        const float t = static_cast<float>(i) / 60.0f;
        world.body(platform).move_to({t * t, 0.0f});
        world.step();
        CHECK(world.body(beam).position().x ==
              doctest::Approx(world.body(platform).position().x).epsilon(1e-4));
    }
}

TEST_CASE(
    "a crate that a ledge and a platform bear alike stays on the ledge as the platform leaves") {
    for (const float side : {-1.0f, 1.0f}) {
        for (const float overhang : {0.02f, 0.5f, 0.98f}) {
            for (const bool is_moved : {false, true}) {
                World world({.gravity = {0.0f, -10.0f}});
                world.create_body({.type = BodyType::Static, .position = {-5.0f * side, -0.5f}},
                                  Box{{5.0f, 0.5f}});
                const BodyId platform = world.create_body(
                    {.type = BodyType::Kinematic, .position = {2.0f * side, -0.5f}},
                    Box{{2.0f, 0.5f}});
                const float x = side * (overhang - 0.5f);
                const BodyId crate = world.create_body({.position = {x, 0.5f}}, Box{{0.5f, 0.5f}});
                for (int i = 0; i < 60; ++i) world.step();
                for (int i = 1; i <= 60; ++i) {
                    const Vec2 place{side * (2.0f + 0.02f * static_cast<float>(i)), -0.5f};
                    if (is_moved) world.body(platform).move_to(place);
                    if (!is_moved) world.body(platform).set_velocity({1.2f * side, 0.0f});
                    world.step();
                }
                CAPTURE(overhang);
                CHECK(std::fabs(world.body(crate).position().x - x) < 1e-3f);
            }
        }
    }
}

namespace {

/// A crate that juts out by half a metre over the end of a platform, and what lies beside that.
struct Dock {
    World world{{.gravity = {0.0f, -10.0f}}};
    BodyId platform{};
    BodyId crate{};

    /// `x`: of the platform's end, which may be anywhere to the left of 0, where the dock begins.
    explicit Dock(float x) {
        platform = world.create_body({.type = BodyType::Kinematic, .position = {x - 3.0f, -0.5f}},
                                     Box{{3.0f, 0.5f}});
        crate = world.create_body({.position = {x, 0.5f}}, Box{{0.5f, 0.5f}});
    }
    void lay_box(const Material& material, const ColliderDef& collider) {
        world.create_body({.type = BodyType::Static, .position = {3.0f, -0.5f}}, Box{{3.0f, 0.5f}},
                          material, collider);
    }
    void lay_tiles(const Material& material, const ColliderDef& collider) {
        const BodyId map = world.create_tile_map({.position = {0.0f, -1.0f}});
        world.tile_map(map).define(1, {.material = material, .collider = collider});
        world.tile_map(map).fill({{0, 0}, {5, 0}}, 1);
    }
    /// Sets the velocity of the platform; returns by how much the crate slips on it in a second.
    float slip(float speed) {
        const float before = place();
        world.body(platform).set_velocity({speed, 0.0f});
        for (int i = 0; i < 60; ++i) world.step();
        return std::fabs(place() - before);
    }
    [[nodiscard]] float place() const {
        return world.body(crate).position().x - world.body(platform).position().x;
    }
};

}  // namespace

TEST_CASE("a crate that juts out at the front of a platform stops with it at a dock as high") {
    for (const bool has_tiles : {false, true}) {
        for (const float speed : {1.0f, 4.0f}) {
            CAPTURE(speed);
            Dock dock(-speed);
            has_tiles ? dock.lay_tiles({}, {}) : dock.lay_box({}, {});
            (void)dock.slip(0.0f);
            CHECK(dock.slip(speed) < 1e-4f);
            CHECK(dock.slip(0.0f) < 1e-4f);
        }
    }
}

TEST_CASE("a dock of boxes or tiles keeps a crate from a platform only if it bears and grips it") {
    struct Beside {
        Material material;
        ColliderDef collider;
        bool keeps;
    };
    for (const bool has_tiles : {false, true}) {
        for (const Beside& beside :
             {Beside{{}, {}, true}, Beside{{}, {.one_way = OneWay::Up}, true},
              Beside{{}, {.one_way = OneWay::Down}, false},
              Beside{{}, {.one_way = OneWay::Left}, false},
              Beside{{}, {.one_way = OneWay::Right}, false}, Beside{{}, {.is_sensor = true}, false},
              Beside{{}, {.filter = {.mask = 2}}, false}, Beside{{.friction = 0.0f}, {}, false},
              Beside{{.surface_velocity = {-2.0f, 0.0f}}, {}, false}}) {
            Dock dock(0.0f);
            has_tiles ? dock.lay_tiles(beside.material, beside.collider)
                      : dock.lay_box(beside.material, beside.collider);
            dock.world.step();  // then the platform leaves, with the crate unless the dock keeps it
            CAPTURE(static_cast<int>(beside.collider.one_way));
            const float slip = dock.slip(-2.0f);
            CHECK((beside.keeps ? slip > 1.9f : slip < 1e-3f));
        }
    }
}

TEST_CASE("a ledge keeps a crate from a platform of tiles, however large the box of its map is") {
    for (const bool is_large : {false, true}) {
        World world({.gravity = {0.0f, -10.0f}});
        const BodyId platform = world.create_tile_map({.type = BodyType::Kinematic});
        world.tile_map(platform).define(1);
        world.tile_map(platform).fill({{-3, -1}, {-1, -1}}, 1);
        if (is_large) world.tile_map(platform).set({20, 9}, 1);
        world.create_body({.type = BodyType::Static, .position = {3.0f, -0.5f}}, Box{{3.0f, 0.5f}});
        const BodyId crate = world.create_body({.position = {0.0f, 0.5f}}, Box{{0.5f, 0.5f}});
        for (int i = 0; i < 60; ++i) world.step();
        world.body(platform).set_velocity({-2.0f, 0.0f});
        for (int i = 0; i < 60; ++i) world.step();
        CHECK(std::fabs(world.body(crate).position().x) < 1e-3f);
    }
}

TEST_CASE(
    "a crate that juts out into one-way ground that lets it through goes along, asleep or not") {
    for (const float time_to_sleep : {0.0f, 0.2f}) {
        for (const float friction : {0.1f, 0.6f}) {
            World world({.gravity = {0.0f, -10.0f}, .time_to_sleep = time_to_sleep});
            const Material material{.friction = friction};
            const BodyId platform =
                world.create_body({.type = BodyType::Kinematic, .position = {-2.0f, -0.1f}},
                                  Box{{2.0f, 0.1f}}, material);
            world.create_body({.type = BodyType::Static, .position = {3.0f, -0.1f}},
                              Box{{4.0f, 0.2f}}, material, {.one_way = OneWay::Up});
            const BodyId crate =
                world.create_body({.position = {0.0f, 0.5f}}, Box{{0.5f, 0.5f}}, material);
            for (int i = 0; i < 60; ++i) world.step();
            CHECK(world.body(crate).is_asleep() == (time_to_sleep > 0.0f));
            const Vec2 start = world.body(crate).position() - world.body(platform).position();
            for (int i = 0; i < 120; ++i) {
                world.body(platform).set_velocity({i / 30 % 2 == 0 ? 1.0f : -1.0f, 0.0f});
                world.step();
                const Vec2 place = world.body(crate).position() - world.body(platform).position();
                CHECK(distance(place, start) < 1e-5f);
            }
        }
    }
}

TEST_CASE("a beam on two platforms goes along with both or with neither, in any order") {
    for (const bool is_left_first : {false, true}) {
        for (const float other : {-1.0f, 0.0f, 1.0f}) {  // of the velocity of the first one
            World world({.gravity = {0.0f, -10.0f}});
            BodyId platforms[2];
            for (int i = 0; i < 2; ++i) {
                const float x = (i == 0) == is_left_first ? -2.0f : 2.0f;
                platforms[i] = world.create_body(
                    {.type = BodyType::Kinematic, .position = {x, -0.5f}}, Box{{1.5f, 0.5f}});
            }
            const BodyId beam = world.create_body({.position = {0.0f, 0.25f}}, Box{{1.8f, 0.25f}});
            for (int i = 0; i < 60; ++i) world.step();
            const Vec2 start = world.body(platforms[0]).position();
            float most = 0.0f;  // platforms move by 0.67 m to either side
            for (int i = 0; i < 300; ++i) {
                const float speed = std::sin(0.05f * static_cast<float>(i));
                world.body(platforms[0]).set_velocity({speed, 0.0f});
                world.body(platforms[1]).set_velocity({other * speed, 0.0f});
                world.step();
                const Vec2 moved = world.body(platforms[0]).position() - start;
                const float expected = other == 1.0f ? moved.x : 0.0f;
                most = std::fmax(most, std::fabs(world.body(beam).position().x - expected));
            }
            CAPTURE(other);
            CHECK(most < (other == 1.0f ? 1e-5f : 0.02f));
        }
    }
}

TEST_CASE("a platform slips away under a rider if either has no friction") {
    for (const bool is_rider_smooth : {false, true}) {
        World world;
        const Material smooth{.friction = 0.0f};
        const BodyId platform = world.create_body({.type = BodyType::Kinematic}, Box{{3.0f, 0.25f}},
                                                  is_rider_smooth ? Material{} : smooth);
        const BodyId rider = world.create_body({.position = {0.0f, 0.65f}}, Box{{0.5f, 0.4f}},
                                               is_rider_smooth ? smooth : Material{});
        for (int i = 0; i < 60; ++i) {
            if (i == 30) world.body(platform).set_velocity({1.0f, 0.0f});
            world.step();
        }
        CHECK(std::fabs(world.body(rider).position().x) < 1e-5f);
    }
}

TEST_CASE("a platform slips away under what is on it without friction") {
    Ride ride(60.0f, {.friction = 0.0f});
    const float before = ride.world.body(ride.riders[0]).position().x;
    ride.world.body(ride.platform).set_velocity({2.0f, 0.0f});
    for (int i = 0; i < 60; ++i) ride.world.step();
    CHECK(ride.world.body(ride.riders[0]).position().x == before);
}

TEST_CASE("what sleeps on a platform is taken along from its first step on") {
    World world({.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.3f});
    const BodyId platform = world.create_body({.type = BodyType::Kinematic}, Box{{3.0f, 0.25f}});
    const BodyId box = world.create_body({.position = {0.0f, 0.75f}}, Box{{0.5f, 0.5f}});
    for (int i = 0; i < 90; ++i) world.step();
    REQUIRE(world.body(box).is_asleep());
    world.body(platform).set_velocity({3.0f, 0.0f});
    for (int i = 0; i < 60; ++i) world.step();
    CHECK(world.body(box).position().x ==
          doctest::Approx(world.body(platform).position().x).epsilon(1e-5));
}

TEST_CASE("a rider that is carried into a wall stops there, and comes along on the way back") {
    World world({.gravity = {0.0f, -10.0f}});
    const BodyId platform = world.create_body({.type = BodyType::Kinematic}, Box{{3.0f, 0.25f}});
    world.create_body({.type = BodyType::Static, .position = {3.0f, 2.0f}}, Box{{0.5f, 1.5f}});
    const BodyId box = world.create_body({.position = {0.0f, 0.75f}}, Box{{0.5f, 0.5f}});
    world.body(platform).set_velocity({2.0f, 0.0f});
    for (int i = 0; i < 120; ++i) {
        world.step();
        CHECK(world.body(box).position().x < 2.01f);
    }
    CHECK(world.body(box).position().x == doctest::Approx(2.0f).epsilon(0.01));
    world.body(platform).set_velocity({-2.0f, 0.0f});
    for (int i = 0; i < 60; ++i) world.step();
    CHECK(world.body(box).velocity().x == doctest::Approx(-2.0f));
    CHECK(world.body(box).position().x < 0.5f);
}

TEST_CASE("a platform does not take along what flies over it or stands beside it") {
    World world({.gravity = {0.0f, -10.0f}});
    const BodyId platform = world.create_body({.type = BodyType::Kinematic}, Box{{3.0f, 0.25f}});
    world.create_body({.type = BodyType::Static, .position = {4.0f, 0.0f}}, Box{{1.0f, 0.25f}});
    const BodyId flying = world.create_body({.position = {0.0f, 1.0f}}, Box{{0.5f, 0.5f}});
    const BodyId beside = world.create_body({.position = {4.5f, 0.75f}}, Box{{0.5f, 0.5f}});
    world.body(platform).set_velocity({-1.0f, 0.0f});
    world.step();
    CHECK(world.body(flying).velocity().x == 0.0f);
    for (int i = 0; i < 10; ++i) world.step();
    CHECK(world.body(beside).velocity().x == 0.0f);
}

TEST_CASE("a platform does not take along what flies up through it or jumps off as it starts") {
    World world({.gravity = {0.0f, -10.0f}});
    const BodyId lift = world.create_body({.type = BodyType::Kinematic}, Box{{3.0f, 0.1f}}, {},
                                          {.one_way = OneWay::Up});
    const BodyId flying =
        world.create_body({.position = {-1.0f, 0.6f}, .velocity = {0.0f, 10.0f}}, Circle{0.5f});
    const BodyId jumping = world.create_body({.position = {1.0f, 0.6f}}, Box{{0.5f, 0.5f}});
    for (int i = 0; i < 30; ++i) world.step();
    world.body(flying).teleport({-1.0f, 0.6f});
    world.body(flying).set_velocity({0.0f, 10.0f});
    world.body(jumping).set_velocity({0.0f, 6.0f});
    world.body(lift).set_velocity({5.0f, 0.0f});
    for (int i = 0; i < 10; ++i) world.step();
    CHECK(world.body(flying).velocity().x == 0.0f);
    CHECK(world.body(jumping).velocity().x == 0.0f);
}

TEST_CASE("a press that hits for one step crushes against what was out of reach before") {
    for (const float speed : {20.0f, 40.0f, 100.0f}) {
        CAPTURE(speed);
        World world({.gravity = {0.0f, 0.0f}});
        world.create_body({.type = BodyType::Static, .position = {2.0f, 0.0f}}, Box{{0.5f, 5.0f}});
        const float room = 0.3f * speed / 60.0f;
        world.create_body({.position = {1.0f - room, 0.0f}}, Box{{0.5f, 0.5f}});
        const BodyId press = world.create_body(
            {.type = BodyType::Kinematic, .position = {-room, 0.0f}}, Box{{0.5f, 0.5f}});
        for (int i = 0; i < 30; ++i) world.step();
        int crushed = 0;
        for (const float way : {speed, -speed, 0.0f, 0.0f}) {
            world.body(press).set_velocity({way, 0.0f});
            world.step();
            crushed += static_cast<int>(world.events().crushed.size());
        }
        CHECK(crushed == 1);
    }
}

TEST_CASE("a press crushes against a body of infinite mass as against a wall, whoever came first") {
    for (const bool anvil_is_first : {false, true}) {
        World world({.gravity = {0.0f, 0.0f}});
        const auto add = [&](float x, float mass) {
            return world.create_body({.position = {x, 0.0f}, .mass = mass}, Box{{0.5f, 0.5f}});
        };
        BodyId anvil = anvil_is_first ? add(2.0f, 0.0f) : BodyId{};
        const BodyId body = add(1.0f, 1.0f);
        if (!anvil_is_first) anvil = add(2.0f, 0.0f);
        const BodyId press = world.create_body(
            {.type = BodyType::Kinematic, .velocity = {1.0f, 0.0f}}, Box{{0.5f, 0.5f}});
        int crushed = 0;
        for (int i = 0; i < 10; ++i) {
            world.step();
            for (const CrushEvent& crush : world.events().crushed) {
                ++crushed;
                CHECK(crush.body == body);
                CHECK(crush.by == press);
                CHECK(crush.against == anvil);
            }
        }
        CHECK(crushed == 1);
    }
}

TEST_CASE("a press tells once, and at once, that it crushes a body, against what") {
    for (const float speed : {0.5f, 1.0f, 3.0f, 40.0f}) {
        for (const Shape& shape : {Shape(Box{{0.5f, 0.5f}}), Shape(Circle{0.5f})}) {
            World world({.gravity = {0.0f, -10.0f}});
            const BodyId floor = world.create_body({.type = BodyType::Static}, Box{{5.0f, 0.5f}});
            const BodyId press = world.create_body(
                {.type = BodyType::Kinematic, .position = {0.0f, 3.0f}}, Box{{5.0f, 0.5f}});
            const BodyId body =
                world.create_body({.position = {0.0f, 1.0f}, .user_data = 7}, shape);
            int told = 0;
            for (int i = 0; i < 300; ++i) {
                const float height = world.body(press).position().y;
                const bool pauses = i % 2 == 1;
                const float low = pauses ? height : std::fmax(1.5f, height - speed / 60.0f);
                world.body(press).move_to({0.0f, low});
                world.step();
                const float missing = 2.0f - low;  // room for the body
                CHECK(told + static_cast<int>(world.events().crushed.size()) ==
                      (missing > 0.04f ? 1 : 0));
                for (const CrushEvent& crush : world.events().crushed) {
                    ++told;
                    CHECK(crush.body == body);
                    CHECK(crush.by == press);
                    CHECK(crush.against == floor);
                    CHECK(crush.user_data == 7);
                    CHECK(crush.depth > 0.04f);
                }
            }
            CHECK(told == 1);
            CHECK(world.body(body).position().y > 0.5f);
            CHECK(world.body(body).position().y < 1.5f);
        }
    }
}

TEST_CASE("that a body is crushed is not told again once it has slept") {
    World world({.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.5f});
    world.create_body({.type = BodyType::Static}, Box{{5.0f, 0.5f}});
    const BodyId press = world.create_body({.type = BodyType::Kinematic, .position = {0.0f, 2.1f}},
                                           Box{{5.0f, 0.5f}});
    const BodyId body = world.create_body({.position = {0.0f, 1.0f}}, Box{{0.5f, 0.5f}});
    world.body(press).move_to({0.0f, 1.9f});
    int told = 0;
    for (int i = 0; i < 240; ++i) {
        if (i == 200) {
            CHECK(world.body(body).is_asleep());
            world.body(body).wake();
        }
        world.step();
        told += static_cast<int>(world.events().crushed.size());
    }
    CHECK(told == 1);
}

TEST_CASE("a press that leaves no room at all crushes, however fast it comes down") {
    for (const float speed : {10.0f, 30.0f, 50.0f, 100.0f, 500.0f}) {
        CAPTURE(speed);
        for (int phase = 0; phase < 10; ++phase) {
            World world;
            world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}},
                              Box{{10.0f, 1.0f}});
            world.create_body({.position = {0.0f, 0.5f}}, Box{{0.5f, 0.5f}});
            float height = 1.35f + speed / 60.0f * (1.0f + static_cast<float>(phase) / 10.0f);
            const BodyId press = world.create_body(
                {.type = BodyType::Kinematic, .position = {0.0f, height}}, Box{{2.0f, 0.3f}});
            bool is_told = false;
            for (; height > 0.3f; is_told = is_told || world.events().crushed.size() > 0) {
                height = std::fmax(height - speed / 60.0f, 0.3f);
                world.body(press).move_to({0.0f, height});
                world.step();
            }
            CHECK(is_told);
        }
    }
}

TEST_CASE("what stands deep in the side of a platform is not crushed by that and the floor") {
    World world({.gravity = {0.0f, -10.0f}});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -0.5f}}, Box{{9.0f, 0.5f}});
    const BodyId pusher = world.create_body({.type = BodyType::Kinematic, .position = {0.0f, 1.1f}},
                                            Box{{1.0f, 1.0f}});
    world.create_body({.position = {1.3f, 0.49f}}, Box{{0.5f, 0.5f}});
    world.body(pusher).set_velocity({2.0f, 0.0f});
    for (int i = 0; i < 60; ++i) {
        world.step();
        CHECK(world.events().crushed.size() == 0);
    }
}

TEST_CASE("of two kinematic bodies that crush a body the one that moves is told to press") {
    for (const bool press_comes_first : {false, true}) {
        World world;
        const auto add = [&](float height) {
            return world.create_body({.type = BodyType::Kinematic, .position = {0.0f, height}},
                                     Box{{5.0f, 0.5f}});
        };
        const BodyId first = add(press_comes_first ? 2.6f : 0.0f);
        const BodyId second = add(press_comes_first ? 0.0f : 2.6f);
        const BodyId press = press_comes_first ? first : second;
        world.create_body({.position = {0.0f, 1.0f}}, Box{{0.5f, 0.5f}});
        int told = 0;
        for (float height = 2.6f; height > 1.7f; height -= 0.01f) {
            world.body(press).move_to({0.0f, height});
            world.step();
            for (const CrushEvent& crush : world.events().crushed) {
                ++told;
                CHECK(crush.by == press);
                CHECK(crush.against == (press_comes_first ? second : first));
            }
        }
        CHECK(told == 1);
    }
}

TEST_CASE("nothing is crushed that stands on a lift, or fits under a ceiling") {
    World world({.gravity = {0.0f, -10.0f}});
    const BodyId lift = world.create_body({.type = BodyType::Kinematic}, Box{{5.0f, 0.5f}});
    world.create_body({.type = BodyType::Static, .position = {0.0f, 4.0f}}, Box{{5.0f, 0.5f}});
    for (int i = 0; i < 5; ++i) {
        world.create_body({.position = {static_cast<float>(i) - 2.0f, 1.0f}}, Box{{0.45f, 0.5f}});
    }
    for (int i = 0; i < 600; ++i) {
        world.body(lift).move_to({0.0f, 1.0f - std::cos(static_cast<float>(i) * 0.02f)});
        world.step();
        CHECK(world.events().crushed.size() == 0);
    }
}

TEST_CASE("a lift that pushes a loaded rider up through a one-way platform crushes nothing") {
    for (const float speed : {0.5f, 3.0f, 12.0f}) {
        for (const Shape& shape : {Shape(Box{{0.5f, 0.5f}}), Shape(Circle{0.5f})}) {
            CAPTURE(speed);
            World world({.gravity = {0.0f, -10.0f}});
            world.create_body({.type = BodyType::Static, .position = {0.0f, 3.0f}},
                              Box{{3.0f, 0.25f}}, {}, {.one_way = OneWay::Up});
            const BodyId lift = world.create_body({.type = BodyType::Kinematic}, Box{{1.0f, 0.5f}});
            const BodyId rider = world.create_body({.position = {0.0f, 1.0f}, .mass = 1.0f}, shape);
            world.create_body({.position = {0.0f, 2.0f}, .mass = 120.0f}, Box{{0.5f, 0.5f}});
            float deepest = 0.0f;
            const auto ride_to = [&](float height, float by) {
                while (world.body(lift).position().y != height) {
                    const float y = world.body(lift).position().y;
                    const bool is_near = std::fabs(height - y) <= std::fabs(by);
                    world.body(lift).move_to({0.0f, is_near ? height : y + by});
                    world.step();
                    const float top = world.body(lift).position().y + 0.5f;
                    deepest = std::fmax(deepest, top - world.body(rider).position().y + 0.5f);
                    CHECK(world.events().crushed.size() == 0);
                }
            };
            ride_to(3.0f, speed / 60.0f);  // its top is above that of the platform
            CHECK(deepest > 0.01f);        // pressed hard enough to be crushed by what holds it
            for (int i = 0; i < 300; ++i) world.step();
            ride_to(0.0f, -speed / 60.0f);
            for (int i = 0; i < 60; ++i) world.step();
            CHECK(world.body(rider).position().y == doctest::Approx(3.75f).epsilon(0.005));
        }
    }
}

TEST_CASE("what is on its way up through one-way ground is not crushed by what comes down on it") {
    for (const bool is_box : {false, true}) {
        for (const float speed : {0.5f, 2.0f}) {
            for (const float height : {2.9f, 3.1f, 3.3f}) {  // of what comes down, at first
                World world({.gravity = {0.0f, -10.0f}});
                const BodyDef fixed{.type = BodyType::Static, .position = {0.0f, 2.0f}};
                const ColliderDef up{.one_way = OneWay::Up};
                if (is_box) world.create_body(fixed, Box{{3.0f, 0.1f}}, {}, up);
                if (!is_box) world.create_body(fixed, Segment{{3.0f, 0.1f}, {-3.0f, 0.1f}}, {}, up);
                world.create_body({.type = BodyType::Kinematic,
                                   .position = {0.0f, height + 1.0f},
                                   .velocity = {0.0f, -speed}},
                                  Box{{2.0f, 1.0f}});
                const BodyId hero = world.create_body(
                    {.position = {0.0f, 1.0f}, .velocity = {0.0f, 7.0f}}, Box{{0.4f, 0.8f}});
                for (int i = 0; i < 120; ++i) {
                    world.step();
                    CHECK(world.events().crushed.empty());
                }
                CHECK(world.body(hero).position().y < -2.0f);
            }
        }
    }
}

TEST_CASE("towers go along whole, however deep their load presses them, at any contact margin") {
    struct Setting {
        WorldConfig config;
        int count;
        float mass_on_top;  // of the others: 1 kg
    };
    const Setting settings[] = {
        {{.contact_margin = 0.0f}, 5, 1.0f},
        {{.substeps = 2}, 50, 1.0f},
        {{.time_step = 1.0f / 30.0f, .substeps = 1}, 8, 1.0f},
        {{}, 2, 150.0f},
    };
    for (const auto& [config, count, mass_on_top] : settings) {
        World world(config);
        const BodyId platform = world.create_body(
            {.type = BodyType::Kinematic, .position = {0.0f, -0.25f}}, Box{{5.0f, 0.25f}});
        std::vector<BodyId> tower;
        for (int i = 0; i < count; ++i) {
            const Vec2 place{0.0f, 0.5f + static_cast<float>(i)};
            const float mass = i + 1 == count ? mass_on_top : 1.0f;
            tower.push_back(
                world.create_body({.position = place, .mass = mass}, Box{{0.5f, 0.5f}}));
        }
        for (int i = 0; i < 240; ++i) world.step();
        world.body(platform).set_velocity({3.0f, 0.0f});
        for (int i = 0; i < 60; ++i) world.step();
        const float moved = world.body(platform).position().x;
        for (const BodyId box : tower) {
            CHECK(world.body(box).position().x == doctest::Approx(moved).epsilon(1e-3));
        }
    }
}

TEST_CASE("a pair filter that throws while riders are looked for changes nothing") {
    struct Guard {
        bool is_closed = false;
        static bool open(void* context, BodyId, BodyId) {
            if (static_cast<Guard*>(context)->is_closed) throw 7;
            return true;
        }
    } guard;
    World world(
        {.gravity = {0.0f, -10.0f}, .pair_filter = &Guard::open, .pair_filter_context = &guard});
    const BodyId platform = world.create_body({.type = BodyType::Kinematic}, Box{{3.0f, 0.25f}});
    const BodyId box = world.create_body({.position = {0.0f, 0.75f}}, Box{{0.5f, 0.5f}});
    for (int i = 0; i < 30; ++i) world.step();
    world.body(platform).set_velocity({3.0f, 0.0f});
    const std::uint64_t before = world.state_hash();
    guard.is_closed = true;
    CHECK_THROWS(world.step());
    CHECK(world.state_hash() == before);
    guard.is_closed = false;
    for (int i = 0; i < 60; ++i) world.step();
    CHECK(world.body(box).position().x == doctest::Approx(3.0f).epsilon(1e-5));
}

TEST_CASE("a pair filter that throws while bodies are stopped off their course changes nothing") {
    struct Guard {
        int calls_left = -1, calls = 0;
        static bool ask(void* context, BodyId, BodyId) {
            auto& guard = *static_cast<Guard*>(context);
            ++guard.calls;
            if (guard.calls_left == 0) throw 7;
            if (guard.calls_left > 0) --guard.calls_left;
            return true;
        }
    } guard;
    World world({.pair_filter = &Guard::ask, .pair_filter_context = &guard});
    const BodyId lift = world.create_body({.type = BodyType::Kinematic, .position = {100.0f, 0.0f}},
                                          Box{{3.0f, 0.5f}});
    const BodyId rider = world.create_body({.position = {100.0f, 1.0f}}, Box{{0.5f, 0.5f}});
    for (int i = 0; i < 60; ++i) world.step();
    const Material elastic{.restitution = 1.0f};
    for (int i = 0; i < 20; ++i) {  // in a closed room
        const auto k = static_cast<float>(i);
        world.create_body({.position = {0.5f * static_cast<float>(i % 5), 0.125f * k},
                           .velocity = {60.0f + 7.0f * k, 90.0f - 11.0f * k}},
                          Circle{0.05f}, elastic);
    }
    for (const float side : {-4.0f, 4.0f}) {
        world.create_body({.type = BodyType::Static, .position = {2.0f + side, 1.0f}},
                          Box{{0.5f, 5.0f}}, elastic);
        world.create_body({.type = BodyType::Static, .position = {2.0f, 1.0f + side}},
                          Box{{5.0f, 0.5f}}, elastic);
    }
    for (int step = 0; step < 20; ++step) {
        world.body(lift).set_velocity({step % 2 == 0 ? 2.0f : -2.0f, 0.0f});
        World whole = world;
        guard.calls = 0;
        whole.step();
        const int calls = guard.calls;
        for (int i = 0; i < calls; ++i) {
            World refused = world;
            guard.calls_left = i;
            CHECK_THROWS(refused.step());
            guard.calls_left = -1;
            CHECK(refused.state_hash() == world.state_hash());
            CHECK(refused.body(rider).velocity() == world.body(rider).velocity());
        }
        world = whole;
    }
}

TEST_CASE(
    "a pair filter is not asked any more once a step has been taken, so that it cannot lose what "
    "is told") {
    struct Guard {
        int calls_left = -1;
        static bool ask(void* context, BodyId, BodyId) {
            int& left = static_cast<Guard*>(context)->calls_left;
            if (left == 0) throw 7;
            if (left > 0) --left;
            return true;
        }
    } guard;
    World world({.pair_filter = &Guard::ask, .pair_filter_context = &guard});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{5.0f, 1.0f}});
    world.create_body({.position = {0.0f, 0.5f}}, Box{{0.5f, 0.5f}});
    world.create_body(
        {.type = BodyType::Kinematic, .position = {0.0f, 2.6f}, .velocity = {0.0f, -1.0f}},
        Box{{1.0f, 1.0f}});
    int crushed = 0, late = 0;
    for (int i = 0; i < 90; ++i) {
        for (int calls = 0;; ++calls) {  // until it is asked no more
            const std::uint64_t steps = world.step_count();
            guard.calls_left = calls;
            try {
                world.step();
            } catch (int) {
                late += world.step_count() != steps ? 1 : 0;
                continue;
            }
            break;
        }
        crushed += static_cast<int>(world.events().crushed.size());
    }
    CHECK(late == 0);
    CHECK(crushed == 1);
}

TEST_CASE("a platform with a belt carries its load beside conveying it") {
    World world({.gravity = {0.0f, -10.0f}});
    const BodyId platform = world.create_body({.type = BodyType::Kinematic}, Box{{9.0f, 0.25f}},
                                              {.surface_velocity = {0.5f, 0.0f}});
    const BodyId box = world.create_body({.position = {-4.0f, 0.75f}}, Box{{0.5f, 0.5f}});
    for (int i = 0; i < 60; ++i) world.step();
    const float start = world.body(box).position().x;
    for (int i = 0; i < 600; ++i) {
        world.body(platform).set_velocity({i / 30 % 2 == 0 ? 2.0f : -2.0f, 0.0f});
        world.step();
    }
    const float way = world.body(box).position().x - world.body(platform).position().x - start;
    CHECK(way == doctest::Approx(5.0f).epsilon(1e-3));
}

TEST_CASE("what hangs under a platform by its own gravity rides along, what floats does not") {
    World world({.gravity = {0.0f, -10.0f}});
    const BodyId platform = world.create_body({.type = BodyType::Kinematic}, Box{{3.0f, 0.25f}});
    const BodyId balloon =
        world.create_body({.position = {0.0f, -0.75f}, .gravity_scale = -1.0f}, Box{{0.5f, 0.5f}});
    const BodyId floating =
        world.create_body({.position = {0.0f, 0.76f}, .gravity_scale = 0.0f}, Box{{0.5f, 0.5f}});
    for (int i = 0; i < 30; ++i) world.step();
    world.body(platform).set_velocity({2.0f, 0.0f});
    for (int i = 0; i < 60; ++i) world.step();
    CHECK(world.body(balloon).position().x == doctest::Approx(2.0f).epsilon(1e-4));
    CHECK(world.body(floating).position().x == 0.0f);
}

TEST_CASE("a body of two colliders is crushed as one, and none is against what lets it through") {
    World world({.gravity = {0.0f, -10.0f}});
    const BodyId ceiling =
        world.create_body({.type = BodyType::Static, .position = {0.0f, 3.5f}}, Box{{3.0f, 0.5f}});
    world.create_body({.type = BodyType::Static, .position = {0.0f, 1.2f}}, Box{{3.0f, 0.1f}}, {},
                      {.one_way = OneWay::Up});
    const BodyId lift = world.create_body({.type = BodyType::Kinematic}, Box{{3.0f, 0.1f}});
    const BodyId hero = world.create_body({.position = {0.0f, 0.6f}}, Box{{0.5f, 0.5f}});
    world.add_collider(hero, Box{{0.3f, 0.3f}, {0.0f, 0.8f}});
    int told = 0;
    for (int i = 0; i < 300; ++i) {
        world.body(lift).move_to({0.0f, std::fmin(0.02f * static_cast<float>(i), 1.7f)});
        world.step();
        for (const CrushEvent& crush : world.events().crushed) {
            CHECK(crush.body == hero);
            CHECK(crush.against == ceiling);
            ++told;
        }
    }
    CHECK(told == 1);
}

TEST_CASE("whether it may ride is asked of what is near alone, in a crowd of new platforms too") {
    int asked = 0;
    World world(
        {.gravity = {0.0f, -10.0f},
         .pair_filter = [](void* count, BodyId, BodyId) { return ++*static_cast<int*>(count) > 0; },
         .pair_filter_context = &asked});
    std::vector<BodyId> platforms;
    for (int i = 0; i < 300; ++i) {
        platforms.push_back(world.create_body(
            {.type = BodyType::Kinematic, .position = {3.0f * static_cast<float>(i), 0.0f}},
            Box{{1.0f, 0.25f}}));
    }
    world.create_body({.position = {0.0f, 500.0f}}, Box{{0.5f, 0.5f}});
    for (const BodyId platform : platforms) world.body(platform).set_velocity({1.0f, 0.0f});
    world.step();
    CHECK(asked < 10);
}

TEST_CASE("each of a crowd of new platforms carries what stands on it, and what stands on that") {
    World world({.gravity = {0.0f, -10.0f}});
    std::vector<BodyId> platforms, riders;
    for (int i = 0; i < 100; ++i) {
        const float x = 3.0f * static_cast<float>(i);
        platforms.push_back(world.create_body({.type = BodyType::Kinematic, .position = {x, 0.0f}},
                                              Box{{1.0f, 0.25f}}));
        riders.push_back(world.create_body({.position = {x, 0.75f}}, Box{{0.5f, 0.5f}}));
        riders.push_back(world.create_body({.position = {x, 1.75f}}, Box{{0.5f, 0.5f}}));
    }
    for (const BodyId platform : platforms) world.body(platform).set_velocity({1.0f, 0.0f});
    world.step();
    int left_behind = 0;
    for (const BodyId rider : riders) left_behind += world.body(rider).velocity().x < 0.99f ? 1 : 0;
    CHECK(left_behind == 0);
}

TEST_CASE(
    "what is moved after a pair filter has thrown in a crowd of new platforms is found there") {
    int asked = 0;  // the first searches for riders look at all that is new, then it is sorted
    const PairFilter throws_late = [](void* count, BodyId, BodyId) {
        if (++*static_cast<int*>(count) > 8) throw 7;
        return true;
    };
    World world(
        {.gravity = {0.0f, -10.0f}, .pair_filter = throws_late, .pair_filter_context = &asked});
    std::vector<BodyId> platforms;
    for (int i = 0; i < 100; ++i) {
        platforms.push_back(world.create_body(
            {.type = BodyType::Kinematic, .position = {3.0f * static_cast<float>(i), 0.0f}},
            Box{{1.0f, 0.25f}}));
    }
    world.create_body({.position = {297.0f, 0.75f}}, Box{{0.5f, 0.5f}});
    for (const BodyId platform : platforms) world.body(platform).set_velocity({1.0f, 0.0f});
    CHECK_THROWS(world.step());
    CHECK(asked == 9);
    world.body(platforms[0]).teleport({0.0f, 900.0f});
    CHECK(world.nearest({0.0f, 901.0f}, 2.0f).body == platforms[0]);
}

TEST_CASE("a platform that is told many speeds between two steps carries by their sum") {
    World world({.gravity = {0.0f, -10.0f}});
    const BodyId platform = world.create_body({.type = BodyType::Kinematic}, Box{{3.0f, 0.25f}});
    const BodyId box = world.create_body({.position = {0.0f, 0.75f}}, Box{{0.5f, 0.5f}});
    for (int i = 0; i < 30; ++i) world.step();
    for (int i = 0; i < 100; ++i)
        world.body(platform).move_to({0.25f * static_cast<float>(i), 0.0f});
    world.body(platform).set_velocity({2.0f, 0.0f});
    world.step();
    CHECK(world.body(box).velocity().x == doctest::Approx(2.0f).epsilon(1e-4));
}

TEST_CASE("of the teeth of a press that crush a body at once, the one that is deepest is told") {
    for (const float speed : {10.0f, 20.0f, 30.0f}) {
        for (int teeth = 2; teeth <= 6; ++teeth) {
            World world({.gravity = {0.0f, -10.0f}});
            world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}},
                              Box{{20.0f, 1.0f}});
            const BodyId body = world.create_body({.position = {0.0f, 0.5f}}, Box{{4.0f, 0.5f}});
            const BodyId press = world.create_body(
                {.type = BodyType::Kinematic, .position = {0.0f, 3.0f}, .velocity = {0.0f, -speed}},
                Box{{0.2f, 0.5f}, {-3.0f, 0.0f}});
            for (int i = 1; i < teeth; ++i) {
                const auto place = static_cast<float>(i);
                world.add_collider(press, Box{{0.2f, 0.5f}, {place - 3.0f, -0.05f * place}});
            }
            while (world.events().crushed.empty()) world.step();
            const float lowest =
                world.body(press).position().y - 0.5f - 0.05f * static_cast<float>(teeth - 1);
            CAPTURE(speed);
            CAPTURE(teeth);
            CHECK(world.events().crushed[0].body == body);
            CHECK(world.events().crushed[0].depth == doctest::Approx(1.0f - lowest).epsilon(1e-3));
        }
    }
}

TEST_CASE(
    "a raft of hundreds of colliders costs about as much on a lift that rises as on one at rest") {
    World world({.gravity = {0.0f, -10.0f}});
    const BodyId lift = world.create_body({.type = BodyType::Kinematic, .position = {0.0f, -0.5f}},
                                          Box{{100.0f, 0.5f}});
    const BodyId raft = world.create_body({.position = {-80.0f, 0.1f}}, Box{{0.1f, 0.1f}});
    for (int i = 1; i < 800; ++i) {
        world.add_collider(raft, Box{{0.1f, 0.1f}, {0.2f * static_cast<float>(i), 0.0f}});
    }
    for (int i = 0; i < 20; ++i) world.step();
    const double at_rest = test::shortest_step(world, 20);
    world.body(lift).set_velocity({0.0f, 1.0f});
    const double rising = test::shortest_step(world, 20);
    CAPTURE(at_rest);
    CHECK(rising < 60.0 * at_rest);  // 600 if all of it is searched for each contact
}

}  // namespace carrying_test

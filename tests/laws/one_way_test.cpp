// SPDX-License-Identifier: MIT
// Do one-way colliders hold what comes from the one side, and nothing else?
#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "support/picture.hpp"
#include "support/random.hpp"

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

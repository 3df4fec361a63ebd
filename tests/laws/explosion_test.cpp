// SPDX-License-Identifier: MIT
// What does an explosion do to the bodies around it?
#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

namespace explosion_test {

using namespace phys2d;

namespace {

/// The speed that a ball of 2 kg gets whose surface is so far from the blast.
Vec2 velocity_at(float distance, Vec2 direction, const Explosion& explosion) {
    World world({.gravity = {0.0f, 0.0f}});
    const BodyId ball = world.create_body(
        {.position = explosion.center + direction * (distance + 0.5f), .mass = 2.0f}, Circle{0.5f});
    world.explode(explosion);
    return world.body(ball).velocity();
}

}  // namespace

TEST_CASE("an explosion throws bodies straight away, at full strength within its radius") {
    const Explosion explosion{{3.0f, -1.0f}, 2.0f, 4.0f, 10.0f};
    CHECK(velocity_at(1.0f, {1.0f, 0.0f}, explosion) == Vec2{5.0f, 0.0f});
    CHECK(velocity_at(1.0f, {0.0f, -1.0f}, explosion) == Vec2{0.0f, -5.0f});
    CHECK(velocity_at(-0.2f, {0.0f, 1.0f}, explosion).y == doctest::Approx(5.0f));
}

TEST_CASE("beyond its radius an explosion weakens evenly, down to nothing") {
    const Explosion explosion{{}, 2.0f, 4.0f, 10.0f};
    CHECK(velocity_at(3.0f, {1.0f, 0.0f}, explosion).x == doctest::Approx(5.0f * 0.75f));
    CHECK(velocity_at(5.0f, {1.0f, 0.0f}, explosion).x == doctest::Approx(5.0f * 0.25f));
    CHECK(velocity_at(6.5f, {1.0f, 0.0f}, explosion) == Vec2{});
    CHECK(velocity_at(2.5f, {1.0f, 0.0f}, {{}, 2.0f, 0.0f, 10.0f}) == Vec2{});
}

TEST_CASE("an explosion inside a body pushes it away from the side nearest to that") {
    const auto velocity_of = [](const Box& box, Vec2 center) {
        World world({.gravity = {0.0f, 0.0f}});
        const BodyId body = world.create_body({.mass = 2.0f}, box);
        world.explode({.center = center, .impulse = 10.0f});
        return world.body(body).velocity();
    };
    CHECK(velocity_of({{2.0f, 1.0f}}, {1.8f, 0.5f}) == Vec2{-5.0f, 0.0f});
    CHECK(velocity_of({{2.0f, 1.0f}}, {1.8f, -0.9f}) == Vec2{0.0f, 5.0f});
    CHECK(velocity_of({{2.0f, 1.0f}}, {}) == Vec2{0.0f, 5.0f});
    CHECK(velocity_of({{1.0f, 2.0f}}, {}) == Vec2{5.0f, 0.0f});
}

TEST_CASE("an explosion wakes sleepers, and leaves statics, kinematics and the filtered alone") {
    World world({.gravity = {0.0f, 0.0f}, .time_to_sleep = 0.2f});
    world.create_body({.type = BodyType::Static, .position = {1.0f, 1.0f}}, Circle{0.3f});
    const BodyId lift =
        world.create_body({.type = BodyType::Kinematic, .position = {-1.0f, 1.0f}}, Circle{0.3f});
    const BodyId sleeper = world.create_body({.position = {1.0f, 0.0f}}, Circle{0.3f});
    const BodyId ghost = world.create_body({.position = {-1.0f, 0.0f}}, Circle{0.3f}, {},
                                           {.filter = {.category = 2}});
    for (int i = 0; i < 60; ++i) world.step();
    REQUIRE(world.body(sleeper).is_asleep());
    world.explode({.radius = 5.0f, .impulse = 1.0f, .filter = {.mask = 1}});
    CHECK_FALSE(world.body(sleeper).is_asleep());
    CHECK(world.body(sleeper).velocity().x > 0.0f);
    CHECK(world.body(ghost).velocity() == Vec2{});
    CHECK(world.body(lift).velocity() == Vec2{});
    CHECK_THROWS_AS(world.explode({.radius = -1.0f}), Error);
}

TEST_CASE("an explosion that one body cannot take throws none") {
    World world({.gravity = {0.0f, 0.0f}});
    const BodyId ball = world.create_body({.position = {1.0f, 0.0f}, .mass = 1.0f}, Circle{0.3f});
    world.create_body({.position = {-1.0f, 0.0f}, .mass = 1e-36f}, Circle{0.3f});
    CHECK_THROWS_WITH_AS(world.explode({.radius = 3.0f, .impulse = 1'000.0f}),
                         doctest::Contains("explode: the velocity after it is (-inf"), Error);
    CHECK(world.body(ball).velocity() == Vec2{});
}

TEST_CASE("what acts on a region looks at bodies that it can move, and at no others") {
    detail::WorldState world;
    const auto add = [&](BodyType type, float mass) {
        return detail::create_body(world, {.type = type, .mass = mass}, Circle{1.0f}, {}, {});
    };
    add(BodyType::Static, 1.0f);
    add(BodyType::Kinematic, 1.0f);
    add(BodyType::Dynamic, 0.0f);
    const BodyId dynamic = add(BodyType::Dynamic, 1.0f);
    (void)detail::add_collider(world, dynamic, Circle{0.5f}, {}, {});
    const Shape region = Box{{5.0f, 5.0f}};
    const detail::Array<BodyId>& inside = detail::bodies_in(world, region, {});
    CHECK(inside.size() == 1);
    CHECK(inside[0] == dynamic);
}

}  // namespace explosion_test

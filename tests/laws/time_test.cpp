// SPDX-License-Identifier: MIT
// Is the simulation the same whatever the frames, the time scale and the pauses? SCENES [33]
#include <initializer_list>

#include <doctest/doctest.h>

#include <scenes/scenes.hpp>

#include "../support/random.hpp"
#include "measure.hpp"

namespace time_test {

using namespace phys2d;

namespace {

World small_pile() { return scenes::build(scenes::pile(60)); }

std::uint64_t hash_after(int steps) {
    World world = small_pile();
    test::run(world, steps);
    return world.state_hash();
}

}  // namespace

TEST_CASE("render rates of 7 to 144 Hz give the same simulation after the same number of steps") {
    const std::uint64_t expected = hash_after(120);
    for (const double rate : {7.0, 20.0, 24.0, 30.0, 59.94, 60.0, 75.0, 90.0, 120.0, 144.0}) {
        CAPTURE(rate);
        World world = small_pile();
        world.set_paused(false);
        std::uint64_t hash = 0;
        while (world.step_count() < 120) {
            world.advance(1.0 / rate, [&] {
                if (world.step_count() == 120) hash = world.state_hash();
            });
        }
        if (world.step_count() == 120) hash = world.state_hash();
        CHECK(hash == expected);
    }
}

TEST_CASE("a second of frames is 60 steps at every render rate") {
    for (const double rate : {8.0, 20.0, 24.0, 30.0, 50.0, 60.0, 75.0, 90.0, 100.0, 120.0, 144.0}) {
        CAPTURE(rate);
        World world;
        for (int i = 0; i < static_cast<int>(rate) * 10; ++i) world.advance(1.0 / rate);
        // 1/60 is no binary fraction: the float step is 1.5e-9 of itself longer, so that one step
        // of ten seconds may be owed still
        CHECK(world.step_count() >= 599);
        CHECK(world.step_count() <= 600);
    }
}

TEST_CASE("frames of irregular length give the same simulation") {
    test::Random random;
    World world = small_pile();
    while (world.step_count() < 100) world.advance(double{random.uniform(0.0f, 0.03f)});
    CHECK(world.state_hash() == hash_after(static_cast<int>(world.step_count())));
}

TEST_CASE("time scale 0.1 is the same path at a tenth of the pace") {
    World slow = small_pile();
    World fast = small_pile();
    slow.set_time_scale(0.1f);
    CHECK(slow.time_scale() == 0.1f);
    for (int i = 0; i < 60; ++i) {
        fast.advance(1.0 / 60.0);
        for (int k = 0; k < 10; ++k) slow.advance(1.0 / 60.0);
        CHECK(slow.step_count() == fast.step_count());
        CHECK(slow.state_hash() == fast.state_hash());
    }
    CHECK(fast.step_count() >= 59);
}

TEST_CASE("slow motion is drawn along the path: ten frames share the way of one step evenly") {
    World world = test::weightless();
    const BodyId body = world.create_body({.velocity = {6.0f, 0.0f}}, Circle{0.5f});
    world.set_time_scale(0.1f);
    for (int i = 0; i < 15; ++i) world.advance(1.0 / 60.0);
    float drawn = world.body(body).interpolated_position(world.advance(0.0)).x;
    for (int i = 0; i < 40; ++i) {
        const float next = world.body(body).interpolated_position(world.advance(1.0 / 60.0)).x;
        CHECK(next - drawn == doctest::Approx(0.01).epsilon(1e-3));
        drawn = next;
    }
}

TEST_CASE("time scale 0 stands still, and so does a pause, whose alpha stays where it was") {
    World world = small_pile();
    const float alpha = world.advance(2.5 / 60.0);
    const std::uint64_t hash = world.state_hash();
    world.set_time_scale(0.0f);
    for (int i = 0; i < 100; ++i) CHECK(world.advance(1.0) == alpha);
    world.set_time_scale(1.0f);
    world.set_paused(true);
    CHECK(world.is_paused());
    for (int i = 0; i < 100; ++i) CHECK(world.advance(1.0) == alpha);
    CHECK(world.state_hash() == hash);
    CHECK(world.step_count() == 2);
    world.set_paused(false);
    world.advance(0.5001 / 60.0);  // what was owed before the pause is owed after it
    CHECK(world.step_count() == 3);
}

TEST_CASE("a paused world still steps when it is told to") {
    World world = small_pile();
    world.set_paused(true);
    test::run(world, 30);
    CHECK(world.state_hash() == hash_after(30));
}

TEST_CASE("the picture lies between the last two steps, by alpha") {
    World world = test::weightless();
    const BodyId body = world.create_body({.velocity = {60.0f, -30.0f}}, Circle{0.5f});
    world.step();
    const Vec2 before = world.body(body).position();
    world.step();
    const Vec2 after = world.body(body).position();
    CHECK(world.body(body).interpolated_position(0.0f) == before);
    CHECK(world.body(body).interpolated_position(1.0f) == after);
    const Vec2 half = world.body(body).interpolated_position(0.5f);
    CHECK(half.x == doctest::Approx(0.5 * (double{before.x} + double{after.x})));
    CHECK(half.y == doctest::Approx(0.5 * (double{before.y} + double{after.y})));
}

TEST_CASE("a teleport does not smear the interpolation, at once and after the next step") {
    World world = test::weightless();
    const BodyId body = world.create_body({.velocity = {60.0f, 0.0f}}, Circle{0.5f});
    test::run(world, 3);
    world.body(body).teleport({500.0f, 7.0f});
    for (const float alpha : {0.0f, 0.3f, 1.0f}) {
        CHECK(distance(world.body(body).interpolated_position(alpha), {500.0f, 7.0f}) < 1e-4f);
    }
    world.step();
    CHECK(world.body(body).interpolated_position(0.0f) == Vec2{500.0f, 7.0f});
    CHECK(world.body(body).interpolated_position(1.0f).x == doctest::Approx(501.0));
}

TEST_CASE("a body that becomes static is drawn where it stands from the next step on") {
    World world = test::weightless();
    const BodyId body = world.create_body({.velocity = {60.0f, 0.0f}}, Circle{0.5f});
    test::run(world, 3);
    world.body(body).set_type(BodyType::Static);
    world.step();
    CHECK(world.body(body).interpolated_position(0.0f) == world.body(body).position());
}

}  // namespace time_test

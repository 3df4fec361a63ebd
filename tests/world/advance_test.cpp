// SPDX-License-Identifier: MIT
// Does `advance` take the steps that frames owe, no more, no fewer, and tell where the present is?
#include <initializer_list>
#include <string>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "../support/random.hpp"

namespace advance_test {

using namespace phys2d;

TEST_CASE("steps come when a whole one is owed, and what is left waits") {
    World world({.time_step = 0.25f});
    CHECK(world.advance(0.125) == 0.5f);
    CHECK(world.step_count() == 0);
    CHECK(world.advance(0.125) == 0.0f);
    CHECK(world.step_count() == 1);
    CHECK(world.advance(0.5625) == 0.25f);
    CHECK(world.step_count() == 3);
    CHECK(world.advance(0.0) == 0.25f);
    CHECK(world.step_count() == 3);
}

TEST_CASE("alpha is in [0, 1] and steps agree with the sum of frames, whatever the frames") {
    test::Random random;
    World world({.time_step = 1.0f / 64.0f, .max_steps_per_advance = 1'000});
    double total = 0.0;
    for (int i = 0; i < 10'000; ++i) {
        const double frame = random.one_in(10) ? 0.0 : double{random.uniform(0.0f, 0.1f)};
        total += frame;
        const float alpha = world.advance(frame);
        const bool in_range = alpha >= 0.0f && alpha <= 1.0f;
        const double owed = total * 64.0 - static_cast<double>(world.step_count());
        // 1e-6 of a step: rounding of 10,000 sums below 1,000, and what counts as a whole step
        const bool right = owed > -1e-6 && owed < 1.0 + 1e-6;
        if (!in_range || !right) {
            CHECK(in_range);
            CHECK(right);
        }
    }
    CHECK(world.step_count() > 10'000);
}

TEST_CASE("a frame that owes too much takes the most steps and drops the rest") {
    World world({.time_step = 0.125f, .max_steps_per_advance = 3});
    const float alpha = world.advance(10.0);
    CHECK(world.step_count() == 3);
    CHECK(alpha >= 0.0f);
    CHECK(alpha <= 1.0f);
    world.advance(0.125);
    CHECK(world.step_count() <= 5);
    world.advance(0.0);
    CHECK(world.step_count() <= 5);  // nothing of the ten seconds comes back
}

TEST_CASE("a frame of just the most steps drops nothing") {
    World world({.time_step = 0.125f, .max_steps_per_advance = 3});
    CHECK(world.advance(0.375 + 0.0625) == 0.5f);
    CHECK(world.step_count() == 3);
}

TEST_CASE("before_step is called ahead of each step, and may push, create and destroy") {
    World world({.gravity = {}, .time_step = 0.25f});
    const BodyId ball = world.create_body({.mass = 1.0f}, Circle{0.5f});
    int calls = 0;
    world.advance(1.0, [&] {
        CHECK(world.step_count() == static_cast<std::uint64_t>(calls));
        ++calls;
        world.body(ball).apply_force({4.0f, 0.0f});
        const BodyId passing = world.create_body({.position = {50.0f, 50.0f}}, Circle{0.5f});
        if (calls % 2 == 0) world.destroy_body(passing);
    });
    CHECK(calls == 4);
    CHECK(world.body(ball).velocity().x == 4.0f);  // 4 N on 1 kg, four times a quarter of a second
    CHECK(world.body_count() == 3);
    world.advance(0.125, [&] { ++calls; });
    CHECK(calls == 4);
}

TEST_CASE("after_step is called behind each step, and a call that pauses the world is the last") {
    World world({.time_step = 0.25f, .max_steps_per_advance = 10});
    std::string calls;
    world.advance(
        1.0, [&] { calls += std::to_string(world.step_count()); },
        [&] { calls += std::to_string(world.step_count()); });
    CHECK(calls == "01122334");
    world.advance(
        1.0, [&] { calls += '-'; },
        [&] {
            calls += '+';
            world.set_paused(world.step_count() == 6);
        });
    CHECK(calls == "01122334-+-+");
    CHECK(world.step_count() == 6);
}

TEST_CASE(
    "a mover that moves after each step is drawn in its place on a platform at any frame rate") {
    World world;
    const BodyId lift = world.create_body(
        {.type = BodyType::Kinematic, .position = {0.0f, -0.1f}, .velocity = {3.0f, 0.0f}},
        Box{{2.0f, 0.1f}});
    Mover mover{.position = {0.0f, 0.801f}};
    Vec2 velocity;
    (void)move(world, mover, {0.0f, -1.0f}, 1.0f / 60.0f);
    REQUIRE(mover.ground.is_grounded);
    for (const double frame : {0.002, 0.03, 0.0166, 0.1, 0.05, 0.001}) {
        const float alpha = world.advance(frame, {}, [&] {
            velocity = move(world, mover, {0.0f, -0.1f}, 1.0f / 60.0f);
        });
        const Vec2 drawn = world.body(lift).interpolated_position(alpha);
        CHECK(mover.interpolated_position(alpha).x == doctest::Approx(drawn.x).epsilon(1e-5));
    }
    CHECK(world.step_count() > 10);
}

TEST_CASE("step takes exactly one step, paused or not, and owes and pays no time") {
    World world({.time_step = 0.25f});
    world.advance(0.125);
    world.step();
    CHECK(world.step_count() == 1);
    CHECK(world.advance(0.0) == 0.5f);
    world.set_paused(true);
    world.step();
    CHECK(world.step_count() == 2);
}

TEST_CASE("a call before a step that pauses the world is not followed by that step") {
    World world({.time_step = 0.25f, .max_steps_per_advance = 10});
    int calls = 0;
    world.advance(1.0, [&] {
        if (++calls == 3) world.set_paused(true);
    });
    CHECK(calls == 3);
    CHECK(world.step_count() == 2);
}

TEST_CASE("a frame takes the same steps on an executor") {
    const auto play = [](auto advance) {
        World world;
        world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{9.0f, 1.0f}});
        const BodyId box = world.create_body({.position = {0.0f, 0.5f}}, Box{{0.5f, 0.5f}});
        for (int i = 0; i < 40; ++i) {
            advance(world, [&] { world.body(box).apply_force({9.0f, 0.0f}); });
        }
        return world.state_hash();
    };
    const auto one_by_one = [](int count, auto&& task) {
        for (int i = 0; i < count; ++i) task(i);
    };
    CHECK(play([](World& world, auto before) { world.advance(0.03, before); }) ==
          play([&](World& world, auto before) { world.advance(0.03, before, {}, one_by_one); }));
    CHECK(play([](World& world, auto) { world.advance(0.03); }) ==
          play([&](World& world, auto) { world.advance(0.03, {}, {}, one_by_one); }));
}

TEST_CASE("a frame that an exception ends keeps the steps that it has taken, and owes no more") {
    World world({.time_step = 0.25f});
    int calls = 0;
    CHECK_THROWS(world.advance(1.0, [&] {
        if (++calls == 3) throw 7;
    }));
    CHECK(world.step_count() == 2);
    CHECK(world.advance(0.125) == 0.5f);
    CHECK(world.step_count() == 2);
}

}  // namespace advance_test

// SPDX-License-Identifier: MIT
// Do gravity, damping, forces and impulses, at once and spread over time, add up to what they must?
// Semi-implicit Euler in n sub-steps a step has closed forms, against which all of this is held.
#include <algorithm>
#include <cmath>
#include <initializer_list>

#include <doctest/doctest.h>

#include "measure.hpp"

namespace forces_test {

using namespace phys2d;

namespace {

constexpr double dt = 1.0 / 60.0;

BodyId add_ball(World& world, const BodyDef& def = {}) {
    return world.create_body(def, Circle{0.5f});
}

}  // namespace

TEST_CASE("free fall of k sub-steps of h takes k h g in speed and k (k + 1) / 2 h^2 g in way") {
    for (const int substeps : {1, 2, 4, 8}) {
        CAPTURE(substeps);
        World world({.gravity = test::down, .substeps = substeps});
        const BodyId ball = add_ball(world, {.velocity = {2.0f, 0.0f}});
        test::run(world, 60);
        const double k = 60.0 * substeps, h = dt / substeps;
        // k roundings of at most 2^-24 of a speed of 10 m/s
        CHECK(world.body(ball).velocity().y == doctest::Approx(-10.0 * k * h).epsilon(2e-5));
        CHECK(world.body(ball).position().y ==
              doctest::Approx(-10.0 * h * h * k * (k + 1) / 2).epsilon(2e-5));
        CHECK(world.body(ball).position().x == doctest::Approx(2.0).epsilon(1e-5));
    }
}

TEST_CASE("gravity scale multiplies gravity, 0 and negative included") {
    for (const float scale : {-2.0f, 0.0f, 0.5f, 1.0f, 3.0f}) {
        World world({.gravity = test::down});
        const BodyId ball = add_ball(world, {.gravity_scale = scale});
        test::run(world, 60);
        CHECK(world.body(ball).velocity().y ==
              doctest::Approx(-10.0 * double{scale}).epsilon(2e-5));
        world.body(ball).set_gravity_scale(0.0f);
        const Vec2 velocity = world.body(ball).velocity();
        test::run(world, 10);
        CHECK(world.body(ball).velocity() == velocity);
    }
}

TEST_CASE("linear damping leaves v0 / (1 + c h)^n after n sub-steps of h") {
    for (const float damping : {0.0f, 0.1f, 1.0f, 10.0f}) {
        for (const int substeps : {1, 4}) {
            World world({.gravity = {}, .substeps = substeps});
            const BodyId ball =
                add_ball(world, {.velocity = {3.0f, -4.0f}, .linear_damping = damping});
            test::run(world, 30);
            const double left = std::pow(1.0 + double{damping} * dt / substeps, -30.0 * substeps);
            CHECK(world.body(ball).velocity().x == doctest::Approx(3.0 * left).epsilon(3e-5));
            CHECK(world.body(ball).velocity().y == doctest::Approx(-4.0 * left).epsilon(3e-5));
        }
    }
}

TEST_CASE("a force acts for one step, forces add up, and the next step has none") {
    World world = test::weightless();
    const BodyId ball = add_ball(world, {.mass = 4.0f});
    world.body(ball).apply_force({60.0f, 0.0f});
    world.body(ball).apply_force({60.0f, -240.0f});
    CHECK(world.body(ball).velocity() == Vec2{});  // not before the step
    world.step();
    const Vec2 velocity = world.body(ball).velocity();
    CHECK(velocity.x == doctest::Approx(120.0 / 4.0 * dt).epsilon(1e-6));
    CHECK(velocity.y == doctest::Approx(-240.0 / 4.0 * dt).epsilon(1e-6));
    test::run(world, 10);
    CHECK(world.body(ball).velocity() == velocity);
}

TEST_CASE("a spring keeps its swing if its force is that at the mean place of each step") {
    constexpr float stiffness = 25.0f;  // per kilogram: 5 radians a second
    constexpr int steps = 3600;
    for (const int substeps : {1, 2, 4, 8}) {
        for (const bool at_mean_place : {true, false}) {
            CAPTURE(substeps);
            CAPTURE(at_mean_place);
            World world({.gravity = {}, .substeps = substeps});
            const WorldConfig& config = world.config();
            const float ahead =
                (0.5f - 0.5f / static_cast<float>(config.substeps)) * config.time_step;
            const BodyId ball = add_ball(world, {.position = {0.0f, 1.0f}, .mass = 1.0f});
            float swing = 0.0f;
            for (int i = 0; i < steps; ++i) {
                BodyRef body = world.body(ball);
                const Vec2 mean_place = body.position() + body.velocity() * ahead;
                body.apply_force((at_mean_place ? mean_place : body.position()) * -stiffness);
                world.step();
                if (i > steps - 100) swing = std::max(swing, std::fabs(body.position().y));
            }
            // A step multiplies the area in phase space by 1 + (ahead / dt) (omega dt)^2, or by 1.
            const double area = 1.0 + double{ahead} * dt * double{stiffness};
            const double growth = at_mean_place ? 1.0 : std::pow(area, 0.5 * steps);
            CHECK(double{swing} == doctest::Approx(growth).epsilon(0.03));
        }
    }
}

TEST_CASE("acceleration of a region moves what is in it as gravity would, whatever its mass") {
    for (const int substeps : {1, 4}) {
        CAPTURE(substeps);
        World world({.gravity = test::down, .substeps = substeps});
        const BodyId light = add_ball(world, {.mass = 0.01f});
        const BodyId heavy = add_ball(world, {.position = {4.0f, 0.0f}, .mass = 1e4f});
        world.add_collider(heavy, Circle{0.5f, {1.0f, 0.0f}});  // counts once
        for (int i = 0; i < 60; ++i) {
            world.apply_acceleration(Box{{9.0f, 1.0f}}, {3.0f, 10.0f});  // and gravity is undone
            world.step();
        }
        const double k = 60.0 * substeps, h = dt / substeps;
        for (const BodyId id : {light, heavy}) {
            const float start = id == heavy ? 4.0f : 0.0f;
            // k roundings of a speed of 3 m/s, and of what is left of 10 - 10
            CHECK(world.body(id).velocity().x == doctest::Approx(3.0 * k * h).epsilon(2e-5));
            CHECK(world.body(id).position().x - start ==
                  doctest::Approx(3.0 * h * h * k * (k + 1) / 2).epsilon(2e-5));
            CHECK(std::fabs(world.body(id).velocity().y) < 1e-5f);
        }
        const Vec2 velocity = world.body(light).velocity();
        world.set_gravity({});
        test::run(world, 10);  // it acts for one step
        CHECK(world.body(light).velocity() == velocity);
    }
}

TEST_CASE(
    "acceleration of a region leaves alone what is beside it, filtered or of no finite mass") {
    World world = test::weightless();
    const BodyId beside = add_ball(world, {.position = {1.51f, 0.0f}});
    const BodyId touching = add_ball(world, {.position = {0.0f, 1.49f}});
    const BodyId lift = add_ball(world, {.type = BodyType::Kinematic});
    const BodyId rock = add_ball(world, {.position = {0.2f, -1.4f}, .mass = 0.0f});
    const BodyId ghost = world.create_body({.position = {-1.4f, 0.0f}}, Circle{0.5f}, {},
                                           {.filter = {.category = 2}});
    world.apply_acceleration(Box{{1.0f, 1.0f}}, {0.0f, 6.0f}, {.mask = 1});
    world.step();
    CHECK(world.body(touching).velocity().y == doctest::Approx(6.0 * dt).epsilon(1e-6));
    for (const BodyId id : {beside, lift, rock, ghost}) CHECK(world.body(id).velocity() == Vec2{});
}

TEST_CASE("a force on a body of infinite mass is gone after its step, whatever the body becomes") {
    for (const BodyType type : {BodyType::Static, BodyType::Kinematic, BodyType::Dynamic}) {
        CAPTURE(static_cast<int>(type));
        World world = test::weightless();
        const BodyId ball = add_ball(world, {.type = type, .mass = 0.0f});
        world.body(ball).apply_force({60.0f, 0.0f});
        world.body(ball).apply_impulse({1.0f, 0.0f}, 0.1f);
        test::run(world, 60);
        world.body(ball).set_mass(1.0f);
        world.body(ball).set_type(BodyType::Dynamic);
        test::run(world, 2);
        CHECK(world.body(ball).velocity() == Vec2{});
    }
}

TEST_CASE("an impulse changes the velocity at once by impulse / mass") {
    World world = test::weightless();
    const BodyId ball = add_ball(world, {.velocity = {1.0f, 0.0f}, .mass = 8.0f});
    world.body(ball).apply_impulse({4.0f, -2.0f});
    CHECK(world.body(ball).velocity() == Vec2{1.5f, -0.25f});
    world.step();
    CHECK(world.body(ball).velocity() == Vec2{1.5f, -0.25f});
}

TEST_CASE("a timed impulse gives the same velocity in the same time at every time step") {
    for (const float rate : {30.0f, 50.0f, 60.0f, 120.0f, 144.0f}) {
        for (const float duration : {0.0f, 0.005f, 0.1f, 0.5f, 1.0f}) {
            CAPTURE(rate);
            CAPTURE(duration);
            World world({.gravity = {}, .time_step = 1.0f / rate});
            const BodyId ball = add_ball(world, {.mass = 2.0f});
            world.body(ball).apply_impulse({3.0f, -1.0f}, duration);
            const int steps = static_cast<int>(std::ceil(double{duration} * double{rate})) + 1;
            test::run(world, steps);
            const Vec2 velocity = world.body(ball).velocity();
            CHECK(velocity.x == doctest::Approx(1.5).epsilon(2e-5));
            CHECK(velocity.y == doctest::Approx(-0.5).epsilon(2e-5));
            test::run(world, 10);
            CHECK(world.body(ball).velocity() == velocity);
        }
    }
}

TEST_CASE("against damping a timed impulse does as much as the force that it is") {
    for (const float damping : {2.0f, 20.0f, 200.0f}) {
        for (const int substeps : {1, 4}) {
            World world({.gravity = {0.0f, 0.0f}, .substeps = substeps});
            const BodyDef def{.mass = 1.0f, .linear_damping = damping};
            const BodyId pushed = world.create_body(def, Circle{0.3f});
            const BodyId timed = world.create_body(def, Circle{0.3f, {0.0f, 5.0f}});
            world.body(timed).apply_impulse({100.0f, 0.0f}, 10.0f);
            for (int i = 0; i < 300; ++i) {
                world.body(pushed).apply_force({10.0f, 0.0f});
                world.step();
            }
            CHECK(world.body(timed).velocity().x == doctest::Approx(10.0f / damping).epsilon(1e-3));
            CHECK(world.body(timed).velocity().x ==
                  doctest::Approx(world.body(pushed).velocity().x).epsilon(1e-5));
        }
    }
}

TEST_CASE("a timed impulse is spread evenly: after a third of its time a third has come") {
    World world = test::weightless();
    const BodyId ball = add_ball(world, {.mass = 1.0f});
    world.body(ball).apply_impulse({6.0f, 0.0f}, 0.5f);  // 30 steps
    for (int step = 1; step <= 30; ++step) {
        world.step();
        CHECK(world.body(ball).velocity().x == doctest::Approx(6.0 * step / 30.0).epsilon(1e-4));
    }
}

TEST_CASE("a body carries a thousand timed impulses at once, and none is dropped") {
    World world = test::weightless();
    const BodyId ball = add_ball(world, {.mass = 1.0f});
    double x = 0.0;
    for (int i = 0; i < 1'000; ++i) {
        const float part = 0.001f * static_cast<float>(i % 7);
        world.body(ball).apply_impulse({part, 0.0f}, 0.01f * static_cast<float>(i % 50));
        x += double{part};
    }
    test::run(world, 40);
    CHECK(world.body(ball).velocity().x == doctest::Approx(x).epsilon(1e-4));
}

TEST_CASE("a timed impulse ends with its body and does not pass to the next one of that index") {
    World world = test::weightless();
    const BodyId first = add_ball(world, {.mass = 1.0f});
    world.body(first).apply_impulse({100.0f, 0.0f}, 10.0f);
    world.step();
    world.destroy_body(first);
    const BodyId second = add_ball(world, {.mass = 1.0f});
    CHECK(second.index == first.index);
    test::run(world, 10);
    CHECK(world.body(second).velocity() == Vec2{});
}

TEST_CASE("a kinematic body pushes others and is pushed by none") {
    World world = test::weightless();
    const BodyId pusher = world.create_body(
        {.type = BodyType::Kinematic, .position = {-3.0f, 0.0f}, .velocity = {2.0f, 0.0f}},
        Box{{0.5f, 0.5f}});
    const BodyId heavy = world.create_body({.mass = 1e6f}, Box{{0.5f, 0.5f}});
    world.body(pusher).apply_impulse({1000.0f, 1000.0f});
    for (int i = 0; i < 180; ++i) {
        world.step();
        CHECK(world.body(pusher).velocity() == Vec2{2.0f, 0.0f});
    }
    CHECK(world.body(pusher).position().x == doctest::Approx(3.0).epsilon(1e-5));
    CHECK(world.body(heavy).velocity().x == doctest::Approx(2.0).epsilon(1e-4));
    CHECK(world.body(heavy).position().x == doctest::Approx(4.0).epsilon(0.002));
}

TEST_CASE("gravity, damping and contacts do not touch kinematic bodies or each other's kind") {
    World world({.gravity = test::down});
    const BodyDef def{
        .type = BodyType::Kinematic, .velocity = {1.0f, 0.0f}, .linear_damping = 5.0f};
    const BodyId a = add_ball(world, def);
    const BodyId b = add_ball(world, {.type = BodyType::Kinematic, .position = {2.0f, 0.0f}});
    add_ball(world, {.type = BodyType::Static, .position = {1.0f, 0.0f}});
    test::run(world, 120);
    CHECK(world.body(a).velocity() == Vec2{1.0f, 0.0f});
    CHECK(world.body(a).position().x == doctest::Approx(2.0).epsilon(1e-5));
    CHECK(world.body(b).position() == Vec2{2.0f, 0.0f});
    CHECK(world.stats().pairs == 0);
}

TEST_CASE("static bodies never move, whatever falls on them, is applied to them or set") {
    World world({.gravity = test::down});
    const Vec2 place{0.1f, -0.3f};
    const BodyId rock = add_ball(
        world,
        {.type = BodyType::Static, .position = place, .velocity = {5.0f, 5.0f}, .mass = 1.0f});
    for (int i = 0; i < 20; ++i) {
        add_ball(world,
                 {.position = {0.01f * static_cast<float>(i), 1.0f + static_cast<float>(i)}});
    }
    for (int i = 0; i < 120; ++i) {
        world.body(rock).set_velocity({1.0f, 1.0f});
        world.body(rock).apply_force({1e6f, 0.0f});
        world.body(rock).apply_impulse({1e6f, 0.0f});
        world.step();
        CHECK(world.body(rock).position() == place);
        CHECK(world.body(rock).velocity() == Vec2{});
    }
}

TEST_CASE("a dynamic body of mass 0 moves with its velocity and nothing changes that") {
    World world({.gravity = test::down});
    const BodyId ball = add_ball(world, {.position = {-3.0f, 0.0f},
                                         .velocity = {2.0f, 0.0f},
                                         .mass = 0.0f,
                                         .linear_damping = 3.0f});
    const BodyId dust = world.create_body({.type = BodyType::Dynamic, .position = {9.0f, 9.0f}},
                                          Circle{0.5f}, {.density = 0.0f});
    add_ball(world, {.position = {0.0f, 0.0f}, .mass = 1e6f});
    add_ball(world, {.type = BodyType::Static});
    world.body(ball).apply_impulse({1e6f, 0.0f});
    world.body(ball).apply_force({1e6f, 0.0f});
    test::run(world, 120);
    CHECK(world.body(ball).inverse_mass() == 0.0f);
    CHECK(world.body(ball).velocity() == Vec2{2.0f, 0.0f});
    CHECK(world.body(ball).position().x == doctest::Approx(1.0).epsilon(1e-5));
    CHECK(world.body(dust).mass() == 0.0f);
    CHECK(world.body(dust).position() == Vec2{9.0f, 9.0f});
}

TEST_CASE("the smallest and the lightest bodies fall like any other") {
    for (const float radius : {1e-3f, 1e-10f, 1e-18f, 1e-19f}) {
        CAPTURE(radius);
        World world({.gravity = test::down});
        const BodyId dust = world.create_body({}, Circle{radius});
        test::run(world, 60);
        CHECK(world.body(dust).velocity().y == doctest::Approx(-10.0).epsilon(2e-5));
    }
}

}  // namespace forces_test

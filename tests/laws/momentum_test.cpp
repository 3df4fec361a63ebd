// SPDX-License-Identifier: MIT
// Is momentum kept in collisions of free bodies, whatever their masses? SCENES [20]
#include <initializer_list>

#include <doctest/doctest.h>

#include <scenes/scenes.hpp>

#include "../support/random_shapes.hpp"
#include "measure.hpp"

namespace momentum_test {

using namespace phys2d;

namespace {

/// A random body on a circle of 4 m, on its way to the other body.
void add_random_body(World& world, test::Random& random, Vec2 from) {
    const Shape shape = test::random_shape(random);
    const Material material{.restitution = random.one_in(3) ? 0.0f : random.unit(),
                            .friction = random.uniform(0.0f, 1.0f)};
    const float mass = random.one_in(2) ? 1.0f : random.uniform(0.001f, 1000.0f);
    const Vec2 spread = random.point(1.0f);
    world.create_body({.position = from - shape.center,
                       .velocity = from * -random.uniform(0.2f, 5.0f) + spread,
                       .mass = mass},
                      shape, material);
}

void check_kept(const test::Momentum& before, const World& world, double tolerance) {
    const test::Momentum after = test::momentum(world);
    CHECK(std::fabs(after.x - before.x) <= tolerance * before.scale);
    CHECK(std::fabs(after.y - before.y) <= tolerance * before.scale);
}

}  // namespace

TEST_CASE("two free bodies keep their momentum to rounding, whatever they are and how they meet") {
    test::Random random;
    int met = 0;
    for (int i = 0; i < (test::is_fast_build ? 2'000 : 200); ++i) {
        World world = test::weightless();
        const Vec2 side = random.direction() * 4.0f;
        add_random_body(world, random, side);
        add_random_body(world, random, -side);
        const test::Momentum before = test::momentum(world);
        const Vec2 velocity = world.velocities()[0];
        test::run(world, 60);
        if (world.velocities()[0] != velocity) ++met;
        // some 500 changes of velocity, each rounded to 2^-24 of it, which mostly cancel
        check_kept(before, world, 5e-6);  // measured: at most 3.7e-6
    }
    CHECK(met > (test::is_fast_build ? 1'000 : 100));
}

TEST_CASE("a crowd of free bodies keeps its momentum to rounding") {
    for (const float restitution : {0.0f, 0.7f}) {
        World world = test::weightless();
        scenes::Random random;
        for (int i = 0; i < 400; ++i) {
            const Vec2 place{0.55f * static_cast<float>(i % 20),
                             0.55f * static_cast<float>(i / 20)};
            const float x = random.between(-3.0f, 3.0f) + (i % 20 < 10 ? 4.0f : -4.0f);
            world.create_body({.position = place, .velocity = {x, random.between(-3.0f, 3.0f)}},
                              Circle{0.25f}, {.restitution = restitution});
        }
        const test::Momentum before = test::momentum(world);
        test::run(world, 200);
        check_kept(before, world, 2e-6);
        CHECK(test::kinetic_energy(world) > 0.0);
    }
}

TEST_CASE("an elastic head-on collision of equal masses exchanges the velocities") {
    World world = test::weightless();
    const Material elastic{.restitution = 1.0f};
    const BodyId a = world.create_body({.position = {-2.0f, 0.0f}, .velocity = {3.0f, 0.0f}},
                                       Circle{0.5f}, elastic);
    const BodyId b = world.create_body({.position = {2.0f, 0.0f}, .velocity = {-1.0f, 0.0f}},
                                       Circle{0.5f}, elastic);
    test::run(world, 120);
    CHECK(world.body(a).velocity().x == doctest::Approx(-1.0).epsilon(1e-5));
    CHECK(world.body(b).velocity().x == doctest::Approx(3.0).epsilon(1e-5));
}

TEST_CASE("a plastic collision goes on at the common speed of both masses") {
    for (const float mass : {0.001f, 0.5f, 1.0f, 20.0f, 1000.0f}) {
        CAPTURE(mass);
        World world = test::weightless();
        const BodyId a = world.create_body(
            {.position = {-2.0f, 0.0f}, .velocity = {3.0f, 0.0f}, .mass = mass}, Circle{0.5f});
        const BodyId b = world.create_body(
            {.position = {2.0f, 0.0f}, .velocity = {-1.0f, 0.0f}, .mass = 1.0f}, Circle{0.5f});
        test::run(world, 120);
        const double common = (3.0 * double{mass} - 1.0) / (double{mass} + 1.0);
        CHECK(world.body(a).velocity().x == doctest::Approx(common).epsilon(1e-4));
        CHECK(world.body(b).velocity().x == doctest::Approx(common).epsilon(1e-4));
    }
}

}  // namespace momentum_test

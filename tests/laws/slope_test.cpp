// SPDX-License-Identifier: MIT
// Does friction hold exactly up to its cone, and slow by the right amount beyond it? SCENES [19]
// A slope of angle phi is a flat floor under gravity turned by phi.
#include <initializer_list>

#include <doctest/doctest.h>

#include "measure.hpp"

namespace slope_test {

using namespace phys2d;

namespace {

constexpr double gravity = 10.0;
constexpr double degree = 3.14159265358979 / 180.0;

/// A body on a slope whose friction is `share` of the tangent of its angle.
struct Slope {
    double angle;
    double friction;
    World world;
    BodyId body;

    Slope(double degrees, double share, const Shape& shape)
        : angle(degrees * degree),
          friction(share * std::tan(angle)),
          world({.gravity = {static_cast<float>(gravity * std::sin(angle)),
                             static_cast<float>(-gravity * std::cos(angle))}}) {
        const Material material{.friction = static_cast<float>(friction)};
        test::add_floor(world, 1000.0f, material);
        body = world.create_body({.position = {0.0f, 0.5f}}, shape, material);
    }

    [[nodiscard]] double acceleration() const {
        return gravity * (std::sin(angle) - friction * std::cos(angle));
    }
};

const Shape shapes[] = {Box{{0.5f, 0.5f}}, Circle{0.5f}, Capsule{0.3f, 0.5f, Axis::X}};

}  // namespace

TEST_CASE("a body on a slope slides with g (sin phi - friction cos phi)") {
    for (const Shape& shape : shapes) {
        for (const double degrees : {10.0, 20.0, 30.0, 45.0}) {
            for (const double share : {0.0, 0.5, 0.9}) {
                CAPTURE(degrees);
                CAPTURE(share);
                Slope slope(degrees, share, shape);
                test::run(slope.world, 60);
                const double before = slope.world.body(slope.body).velocity().x;
                test::run(slope.world, 120);
                const double gained = slope.world.body(slope.body).velocity().x - before;
                // 1 % by the law; measured 3e-5
                CHECK(gained / 2.0 == doctest::Approx(slope.acceleration()).epsilon(0.002));
            }
        }
    }
}

TEST_CASE("a body slides iff the tangent of the slope exceeds the friction") {
    for (const Shape& shape : shapes) {
        for (const double degrees : {10.0, 20.0, 30.0, 45.0}) {
            CAPTURE(degrees);
            Slope slides(degrees, 0.98, shape);
            test::run(slides.world, 180);
            const double distance = 0.5 * slides.acceleration() * 9.0;
            CHECK(slides.world.body(slides.body).position().x > 0.9 * distance);

            Slope sticks(degrees, 1.02, shape);
            test::run(sticks.world, 60);
            const Vec2 rest = sticks.world.body(sticks.body).position();
            CHECK(rest.x < 1e-4f);  // while the contact takes up the load
            test::run(sticks.world, 600);
            CHECK(sticks.world.body(sticks.body).position().x == rest.x);
        }
    }
}

TEST_CASE("a sliding body stops after v^2 / (2 friction g)") {
    for (const Shape& shape : shapes) {
        World world = test::world_with_floor();
        const BodyId body =
            world.create_body({.position = {0.0f, 0.5f}, .velocity = {6.0f, 0.0f}}, shape);
        test::run(world, 120);
        const double distance = 6.0 * 6.0 / (2.0 * 0.6 * gravity);
        CHECK(world.body(body).velocity().x == 0.0f);
        // one sub-step of the first speed, 6/240 m, for the steps in which it slows
        CHECK(std::fabs(world.body(body).position().x - distance) < 0.025);
    }
}

}  // namespace slope_test

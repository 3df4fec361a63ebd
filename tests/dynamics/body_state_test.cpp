// SPDX-License-Identifier: MIT
// Does a body follow Newton: impulses change its velocity by impulse / mass, and semi-implicit
// Euler carries it along the closed-form path of that method?
#include <cmath>
#include <initializer_list>

#include <doctest/doctest.h>

#include <phys2d/dynamics/body_state.hpp>

namespace body_state_test {

using namespace phys2d;

namespace {

constexpr Vec2 gravity{0.0f, -10.0f};

constexpr BodyState after_an_impulse(BodyState body, Vec2 impulse) {
    apply_impulse(body, impulse);
    return body;
}

constexpr BodyState after_a_step(BodyState body, Vec2 acceleration, float dt) {
    integrate(body, acceleration, dt);
    return body;
}

static_assert(after_an_impulse({.inverse_mass = 0.5f}, {4.0f, 0.0f}).velocity == Vec2{2.0f, 0.0f});
static_assert(after_a_step({.inverse_mass = 1.0f}, gravity, 0.5f).position == Vec2{0.0f, -2.5f});

}  // namespace

TEST_CASE("an impulse changes the velocity by impulse / mass and moves nothing yet") {
    BodyState body{.position = {1.0f, 2.0f}, .velocity = {3.0f, -1.0f}, .inverse_mass = 0.25f};
    apply_impulse(body, {8.0f, 4.0f});
    CHECK(body.velocity == Vec2{5.0f, 0.0f});
    CHECK(body.position == Vec2{1.0f, 2.0f});
}

TEST_CASE("no impulse moves a body of infinite mass") {
    BodyState wall{.velocity = {3.0f, -1.0f}};
    apply_impulse(wall, {1e30f, -1e30f});
    CHECK(wall.velocity == Vec2{3.0f, -1.0f});
}

TEST_CASE("a step changes the velocity first, and the new velocity carries the body") {
    BodyState body{.position = {1.0f, 8.0f}, .velocity = {2.0f, 0.0f}, .inverse_mass = 3.0f};
    integrate(body, gravity, 0.5f);
    CHECK(body.velocity == Vec2{2.0f, -5.0f});
    CHECK(body.position == Vec2{2.0f, 5.5f});
}

TEST_CASE("after n steps of free fall v = g n dt and y = g dt² n (n + 1) / 2") {
    for (const int rate : {30, 60, 144, 240}) {
        CAPTURE(rate);
        const float dt = 1.0f / static_cast<float>(rate);
        BodyState body{.inverse_mass = 1.0f};
        for (int step = 0; step < rate; ++step) integrate(body, gravity, dt);
        // each step adds a rounding of a number below 16, 2^-21, and 240 of them mostly cancel
        CHECK(body.velocity.y == doctest::Approx(-10.0).epsilon(1e-5));
        CHECK(body.position.y == doctest::Approx(-5.0 * (rate + 1) / rate).epsilon(1e-5));
        CHECK(body.position.x == 0.0f);
    }
}

TEST_CASE("a body of infinite mass ignores acceleration and damping, and keeps its velocity") {
    BodyState platform{.position = {1.0f, 1.0f}, .velocity = {2.0f, -4.0f}};
    integrate(platform, gravity, 0.25f, 3.0f);
    CHECK(platform.velocity == Vec2{2.0f, -4.0f});
    CHECK(platform.position == Vec2{1.5f, 0.0f});
    BodyState ground{.position = {7.0f, 7.0f}};
    integrate(ground, gravity, 0.25f);
    CHECK(ground.position == Vec2{7.0f, 7.0f});
}

TEST_CASE("n steps with damping c leave v / (1 + c dt)^n, and never reverse the motion") {
    for (const float damping : {0.0f, 0.5f, 10.0f, 1000.0f}) {
        CAPTURE(damping);
        BodyState body{.velocity = {8.0f, -4.0f}, .inverse_mass = 1.0f};
        for (int step = 0; step < 10; ++step) integrate(body, {}, 0.0625f, damping);
        const double factor = std::pow(1.0 + double{damping} * 0.0625, -10);
        // 10 steps with three roundings each
        CHECK(body.velocity.x == doctest::Approx(8.0 * factor).epsilon(2e-6));
        CHECK(body.velocity.y == doctest::Approx(-4.0 * factor).epsilon(2e-6));
    }
}

TEST_CASE("an oscillator keeps its energy for 100,000 steps, up to what the method sways within") {
    constexpr float dt = 1.0f / 60.0f;
    constexpr double stiffness = 25.0;  // [1/s²]: 5 rad/s
    BodyState body{.position = {1.0f, 0.0f}, .inverse_mass = 1.0f};
    // Semi-implicit Euler keeps v² + k x² - k dt x v exactly (its shadow energy).
    const auto shadow_energy = [&] {
        const double x = body.position.x, v = body.velocity.x;
        return v * v + stiffness * x * x - stiffness * double{dt} * x * v;
    };
    const double before = shadow_energy();
    double worst = 0.0;
    for (int step = 0; step < 100'000; ++step) {
        integrate(body, body.position * -static_cast<float>(stiffness), dt);
        worst = std::fmax(worst, std::fabs(shadow_energy() / before - 1.0));
    }
    // a random walk of 300,000 roundings of 2^-24 each, several times over
    CHECK(worst < 3e-4);
    CHECK(body.position.y == 0.0f);
}

}  // namespace body_state_test

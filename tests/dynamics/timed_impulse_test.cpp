// SPDX-License-Identifier: MIT
// Does every frame rate receive the same impulse in total, in even parts, over the same time?
#include <cmath>
#include <initializer_list>

#include <doctest/doctest.h>

#include <phys2d/dynamics/timed_impulse.hpp>

#include "../support/random.hpp"

namespace timed_impulse_test {

using namespace phys2d;

namespace {

constexpr Vec2 whole{3.0f, -1.0f};

struct Handout {
    double x = 0.0, y = 0.0;  ///< total [N·s]
    int steps = 0;
    double largest = 0.0;  ///< shares [N·s], the last ones apart
    double smallest = 1e9;
};

/// Takes shares until none is left.
Handout hand_out(float duration, float dt) {
    TimedImpulse pending{whole, duration};
    Handout handout;
    while (!pending.is_spent() && handout.steps < 100'000) {
        const bool full = pending.duration > 1.5f * dt;
        const Vec2 share = pending.take(dt);
        handout.x += share.x;
        handout.y += share.y;
        ++handout.steps;
        if (full) handout.largest = std::fmax(handout.largest, share.x);
        if (full) handout.smallest = std::fmin(handout.smallest, share.x);
    }
    return handout;
}

constexpr Vec2 total_of_four_quarters() {
    TimedImpulse pending{{8.0f, 4.0f}, 1.0f};
    Vec2 total{};
    for (int i = 0; i < 4; ++i) total += pending.take(0.25f);
    return pending.is_spent() ? total : Vec2{};
}
static_assert(total_of_four_quarters() == Vec2{8.0f, 4.0f});

}  // namespace

TEST_CASE("every frame rate receives the whole impulse, whether it divides the duration or not") {
    for (const float rate : {30.0f, 60.0f, 144.0f, 240.0f}) {
        for (const float duration : {0.004f, 0.01f, 0.1f, 0.25f, 0.3333f, 1.0f, 1.2345f, 10.0f}) {
            CAPTURE(rate);
            CAPTURE(duration);
            const Handout handout = hand_out(duration, 1.0f / rate);
            // each share is rounded once, to 2^-25 of itself, and at most 2,400 add up
            CHECK(handout.x == doctest::Approx(3.0).epsilon(2e-5));
            CHECK(handout.y == doctest::Approx(-1.0).epsilon(2e-5));
        }
    }
}

TEST_CASE("of an impulse over 60,000 steps a thousandth at most is lost to rounding") {
    for (const float dt : {0.001f, 1.0f / 144.0f, 1.0f / 60.0f, 1.0f / 30.0f}) {
        CAPTURE(dt);
        const Handout handout = hand_out(60'000.0f * dt, dt);
        CHECK(handout.x == doctest::Approx(3.0).epsilon(1e-3));
        CHECK(handout.y == doctest::Approx(-1.0).epsilon(1e-3));
    }
}

TEST_CASE("the impulse comes within its duration, and a step of rounding") {
    for (const float rate : {30.0f, 60.0f, 144.0f, 240.0f}) {
        for (const float duration : {0.004f, 0.01f, 0.1f, 0.25f, 0.3333f, 1.0f, 1.2345f, 10.0f}) {
            CAPTURE(rate);
            CAPTURE(duration);
            const int steps = hand_out(duration, 1.0f / rate).steps;
            const double exact = double{duration} * rate;
            CHECK(steps >= exact - 0.01);
            CHECK(steps <= std::ceil(exact) + 1.0);
        }
    }
}

TEST_CASE("the shares are even: impulse * dt / duration each, but for the last") {
    for (const float rate : {30.0f, 60.0f, 144.0f, 240.0f}) {
        for (const float duration : {0.25f, 0.3333f, 1.0f, 1.2345f, 10.0f}) {
            CAPTURE(rate);
            CAPTURE(duration);
            const Handout handout = hand_out(duration, 1.0f / rate);
            const double share = 3.0 / (double{rate} * duration);
            // rounding left over from all steps before weighs most in the last full one
            CHECK(handout.smallest == doctest::Approx(share).epsilon(0.005));
            CHECK(handout.largest == doctest::Approx(share).epsilon(0.005));
        }
    }
}

TEST_CASE("four quarters of a second hand out four exact quarters") {
    TimedImpulse pending{{8.0f, -4.0f}, 1.0f};
    for (int i = 0; i < 4; ++i) {
        CHECK_FALSE(pending.is_spent());
        CHECK(pending.take(0.25f) == Vec2{2.0f, -1.0f});
    }
    CHECK(pending.is_spent());
    CHECK(pending.impulse == Vec2{});
    CHECK(pending.take(0.25f) == Vec2{});
}

TEST_CASE("what is not a multiple of the step ends with the smaller rest") {
    TimedImpulse pending{{10.0f, 0.0f}, 0.625f};
    CHECK(pending.take(0.25f) == Vec2{4.0f, 0.0f});
    CHECK(pending.take(0.25f) == Vec2{4.0f, 0.0f});
    CHECK(pending.take(0.25f) == Vec2{2.0f, 0.0f});
    CHECK(pending.is_spent());
}

TEST_CASE("an impulse shorter than a step, or of no duration, comes at once and once only") {
    for (const float duration : {0.0f, 1e-6f, 0.001f, 1.0f / 60.0f}) {
        CAPTURE(duration);
        TimedImpulse pending{whole, duration};
        CHECK(pending.take(1.0f / 60.0f) == whole);
        CHECK(pending.is_spent());
        CHECK(pending.take(1.0f / 60.0f) == Vec2{});
    }
}

TEST_CASE("an impulse is spent only when it has been taken, whatever its duration") {
    CHECK(TimedImpulse{}.is_spent());
    CHECK_FALSE(TimedImpulse{whole, 1.0f}.is_spent());
    CHECK_FALSE(TimedImpulse{whole, 0.0f}.is_spent());
}

TEST_CASE("steps of changing length receive the whole impulse, each in proportion to its length") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < 1'000; ++i) {
        TimedImpulse pending{whole, 1.0f};
        double total = 0.0;
        for (int step = 0; step < 300 && !pending.is_spent(); ++step) {
            const float dt = random.uniform(0.004f, 0.1f);
            const bool last = pending.duration <= 1.001f * dt;
            const float share = pending.take(dt).x;
            total += share;
            // 1e-4: what is left of the time carries the roundings of 250 steps at most
            if (!last && std::fabs(share / (3.0 * dt) - 1.0) > 1e-4) ++wrong;
        }
        if (std::fabs(total / 3.0 - 1.0) > 2e-5) ++wrong;
    }
    CHECK(wrong == 0);
}

}  // namespace timed_impulse_test

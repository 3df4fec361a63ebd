// SPDX-License-Identifier: MIT
// Does the accumulator of time work without a World, and at compile time?
#include <doctest/doctest.h>

#include <phys2d/stages/fixed_stepper.hpp>

namespace fixed_stepper_test {

using namespace phys2d;

namespace {

constexpr int steps_of_three_frames() {
    FixedStepper stepper(0.25, 8);
    int steps = 0;
    for (int i = 0; i < 3; ++i) steps += stepper.advance(0.375);
    return steps;
}
static_assert(steps_of_three_frames() == 4);

}  // namespace

TEST_CASE("a million frames at the rate of the steps are a million steps") {
    FixedStepper stepper(1.0 / 60.0, 8);
    int steps = 0;
    for (int i = 0; i < 1'000'000; ++i) steps += stepper.advance(1.0 / 60.0);
    CHECK(steps == 1'000'000);
}

TEST_CASE("ten frames of a tenth of a step are a step, though their sum falls short of it") {
    FixedStepper stepper(1.0, 8);
    int steps = 0;
    for (int i = 0; i < 10; ++i) steps += stepper.advance(0.1);
    CHECK(steps == 1);
    CHECK(stepper.alpha() == 0.0f);
}

TEST_CASE("a time scale stretches the frames") {
    FixedStepper stepper(0.25, 8);
    CHECK(stepper.advance(1.0, 0.5) == 2);
    CHECK(stepper.advance(1.0, 0.0) == 0);
    CHECK(stepper.advance(0.25, 3.0) == 3);
}

TEST_CASE("time owed beyond the most steps is dropped, and alpha stays below 1") {
    FixedStepper stepper(0.25, 2);
    CHECK(stepper.advance(100.0) == 2);
    CHECK(stepper.alpha() < 1.0f);
    CHECK(stepper.advance(0.0) == 0);
    CHECK(stepper.advance(1e9) == 2);
    CHECK(stepper.alpha() < 1.0f);
}

}  // namespace fixed_stepper_test

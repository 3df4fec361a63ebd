// SPDX-License-Identifier: MIT
// Whatever happens in a world: do rollbacks, other lane widths and other threads end with the same
// bits? SCENES [29]
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <doctest/doctest.h>

#include "../support/commotion.hpp"
#include "../support/step_widths.hpp"

namespace commotion_test {

using namespace phys2d;

namespace {

constexpr int steps = 150;
constexpr std::uint64_t worlds = test::many / 20'000;

/// The hashes after each of so many steps.
template <class Step>
std::vector<std::uint64_t> play(test::Commotion& played, int count, Step step) {
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < count; ++i) {
        played.before_step();
        step(played.world);
        hashes.push_back(played.world.state_hash());
    }
    return hashes;
}

void step_alone(World& world) { world.step(); }

void step_one_lane_at_a_time(World& world) { world.step<1>(); }

void step_backwards(World& world) {
    world.step([](int count, const std::function<void(int)>& task) {
        for (int i = count; i-- > 0;) task(i);
    });
}

/// In a copy, which has nothing in its caches.
void step_a_copy(World& world) {
    World copy = world;
    copy.step();
    world = copy;
}

/// Plays copies made at random moments.
template <class Step>
void check_replays(Step step) {
    for (std::uint64_t seed = 1; seed <= worlds; ++seed) {
        CAPTURE(seed);
        test::Random random(seed);
        test::Commotion played(seed);
        for (int left = steps; left > 0;) {
            const int count = random.integer(1, 30);
            left -= count;
            test::Commotion copy = played;
            const std::vector<std::uint64_t> expected = play(played, count, step_alone);
            REQUIRE(play(copy, count, step) == expected);
            if (random.one_in(2)) played = copy;
        }
    }
}

}  // namespace

TEST_CASE("whatever happens, what is rolled back happens again bit for bit") {
    check_replays(step_alone);
}

TEST_CASE("whatever happens, one lane at a time gives the same bits") {
    check_replays(step_one_lane_at_a_time);
}

TEST_CASE("whatever happens, a world that forgets what it keeps to save work gives the same bits") {
    check_replays(step_a_copy);
}

TEST_CASE("whatever happens, other threads give the same bits") { check_replays(step_backwards); }

}  // namespace commotion_test

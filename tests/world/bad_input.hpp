// SPDX-License-Identifier: MIT
// What does a World answer to a broken precondition?
// A sentence that names the call, the value and the expectation; and it is the world it was before.
#pragma once

#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

namespace test {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_finite[] = {not_a_number, infinity, -infinity};

/// What phys2d::Error says when `call` is made; empty if it does not say anything.
template <class Call>
std::string error_of(Call call) {
    try {
        call();
    } catch (const phys2d::Error& error) {
        return error.what();
    }
    return {};
}

inline bool says(const std::string& sentence, std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words) {
        if (sentence.find(word) == std::string::npos) return false;
    }
    return true;
}

/// Checks that `call` fails with a sentence that has all `words` in it.
template <class Call>
void check_error(Call call, std::initializer_list<std::string_view> words) {
    const std::string sentence = error_of(call);
    CAPTURE(sentence);
    CHECK(says(sentence, words));
}

/// A world in motion, with contacts and a timed impulse under way, and a copy made beforehand.
struct WitnessedWorld {
    phys2d::World world{phys2d::WorldConfig{}};
    phys2d::BodyId floor, box, ball, stale;
    phys2d::World before;

    WitnessedWorld() {
        floor = world.create_body({.type = phys2d::BodyType::Static, .position = {0.0f, -1.0f}},
                                  phys2d::Box{{50.0f, 1.0f}});
        box = world.create_body({.position = {0.0f, 0.6f}, .user_data = 7},
                                phys2d::Box{{0.5f, 0.5f}});
        ball = world.create_body({.position = {0.1f, 1.7f}}, phys2d::Circle{0.5f},
                                 {.restitution = 0.5f});
        stale = world.create_body({.position = {5.0f, 1.0f}}, phys2d::Circle{0.5f});
        world.destroy_body(stale);
        for (int i = 0; i < 10; ++i) world.step();
        world.body(ball).apply_impulse({0.1f, 0.0f}, 0.5f);
        world.body(ball).apply_force({0.3f, 0.0f});
        before = world;
    }

    /// Whether the world is what it was and goes on like the copy.
    [[nodiscard]] bool is_unchanged() {
        bool same = world.state_hash() == before.state_hash() &&
                    world.body_count() == before.body_count() &&
                    world.step_count() == before.step_count();
        phys2d::World copy = before;
        for (int i = 0; i < 30 && same; ++i) {
            copy.advance(1.0 / 60.0);
            world.advance(1.0 / 60.0);
            same = world.state_hash() == copy.state_hash();
        }
        world = before;
        return same;
    }

    /// Checks that call(world) fails, saying all `words`, and changes nothing.
    template <class Call>
    void check_refuses(Call call, std::initializer_list<std::string_view> words) {
        check_error([&] { call(world); }, words);
        CHECK(is_unchanged());
    }
};

}  // namespace test

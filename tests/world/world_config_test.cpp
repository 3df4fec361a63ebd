// SPDX-License-Identifier: MIT
// Is a World that cannot work refused when it is made?
#include <utility>

#include "bad_input.hpp"

namespace world_config_test {

using namespace phys2d;
using test::check_error;
using test::infinity;
using test::not_a_number;

namespace {

void check_refused(const WorldConfig& config, std::initializer_list<std::string_view> words) {
    check_error([&] { const World world(config); }, words);
}

}  // namespace

TEST_CASE("the defaults work: earthly gravity, 60 steps a second, 4 sub-steps, metres") {
    const World world;
    CHECK(world.config().gravity == Vec2{0.0f, -9.81f});
    CHECK(world.config().time_step == 1.0f / 60.0f);
    CHECK(world.config().substeps == 4);
    CHECK(world.config().length_unit == 1.0f);
    CHECK(world.body_count() == 0);
}

TEST_CASE("a time step of zero, below, NaN or infinity is refused") {
    for (const float dt : {0.0f, -1.0f / 60.0f, not_a_number, infinity}) {
        check_refused({.time_step = dt}, {"World", "time_step", "1e-30 to 1e+09"});
    }
}

TEST_CASE("the ends of the range that is named are in it, and what is beside it is refused") {
    for (const float good : {1e-30f, 1e9f}) {
        CHECK(World({.gravity = {}, .time_step = good}).config().time_step == good);
    }
    for (const float bad : {0.9e-30f, 1.1e9f, 1e20f}) {
        check_refused({.time_step = bad}, {"World", "time_step", "1e-30 to 1e+09"});
    }
    for (const float good : {1e-30f, 1e30f}) {
        CHECK(World({.length_unit = good}).config().length_unit == good);
    }
    for (const float bad : {0.9e-30f, 1.1e30f}) {
        check_refused({.length_unit = bad}, {"World", "length_unit", "1e-30 to 1e+30"});
    }
}

TEST_CASE("what falls for a hundred of the longest steps stays at numbers") {
    World world({.time_step = 1e9f});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{9.0f, 1.0f}});
    world.create_body({.position = {0.0f, 2.0f}}, Circle{0.5f}, {.restitution = 1.0f});
    const BodyId body = world.create_body({.position = {20.0f, 0.0f}}, Box{{0.5f, 0.5f}});
    for (int i = 0; i < 100; ++i) world.step();
    for (const Vec2 position : world.positions()) CHECK(is_finite(position));
    CHECK(world.body(body).velocity().y == doctest::Approx(-9.81e11));
}

TEST_CASE("fewer than one sub-step, or more than a thousand, are refused") {
    for (const int substeps : {0, -4, 1'001, std::numeric_limits<int>::max()}) {
        check_refused({.substeps = substeps},
                      {"World", "substeps is " + std::to_string(substeps), "1 to 1000"});
    }
}

TEST_CASE("a length unit of zero, below, NaN or infinity is refused") {
    for (const float unit : {0.0f, -1.0f, not_a_number, infinity}) {
        check_refused({.length_unit = unit}, {"World", "length_unit", "1e-30 to 1e+30"});
    }
}

TEST_CASE("gravity that is not finite is refused") {
    for (const float x : test::not_finite) {
        check_refused({.gravity = {x, 0.0f}}, {"World", "gravity", "finite"});
    }
}

TEST_CASE("contact constants out of their range are refused") {
    for (const float x : {-1.0f, not_a_number, infinity}) {
        check_refused({.contact_hertz = x}, {"World", "contact_hertz"});
        check_refused({.contact_damping_ratio = x}, {"World", "contact_damping_ratio"});
        check_refused({.contact_push_speed = x}, {"World", "contact_push_speed"});
        check_refused({.restitution_threshold = x}, {"World", "restitution_threshold"});
        check_refused({.contact_margin = x}, {"World", "contact_margin"});
    }
    check_refused({.contact_hertz = 0.0f}, {"World", "contact_hertz is 0"});
    check_refused({.contact_damping_ratio = 0.0f}, {"World", "contact_damping_ratio is 0"});
}

TEST_CASE("fewer than one step an advance is refused") {
    check_refused({.max_steps_per_advance = 0}, {"World", "max_steps_per_advance is 0"});
}

TEST_CASE("null mix functions are refused") {
    check_refused({.mix_friction = nullptr}, {"World", "mix_friction is null", "expected"});
    check_refused({.mix_restitution = nullptr}, {"World", "mix_restitution is null", "expected"});
}

TEST_CASE("custom mix functions decide about the contact") {
    World world({.gravity = {0.0f, -10.0f},
                 .mix_friction = [](float, float) { return 0.0f; },
                 .mix_restitution = [](float a, float b) { return a > b ? a : b; }});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{50.0f, 1.0f}});
    const BodyId ball = world.create_body({.position = {0.0f, 2.5f}, .velocity = {1.0f, 0.0f}},
                                          Circle{0.5f}, {.restitution = 1.0f});
    for (int i = 0; i < 45; ++i) world.step();  // down for 38 steps
    CHECK(world.body(ball).velocity().x == 1.0f);
    CHECK(world.body(ball).velocity().y > 4.0f);
}

TEST_CASE("the spring of a contact is no stiffer than a part of the sub-step rate") {
    const auto softness = [](float hertz, int substeps) {
        return detail::solver_config({.substeps = substeps, .contact_hertz = hertz}).softness;
    };
    for (const auto& [substeps, stiffest] : {std::pair{4, 44.4f}, std::pair{1, 15.0f}}) {
        const detail::ContactSoftness limited = softness(1e6f, substeps);
        const detail::ContactSoftness least = softness(stiffest, substeps);
        CHECK(limited.bias_rate == doctest::Approx(least.bias_rate).epsilon(1e-6));
        CHECK(limited.mass_scale == doctest::Approx(least.mass_scale).epsilon(1e-6));
        CHECK(limited.bias_rate > softness(0.99f * stiffest, substeps).bias_rate);
    }
}

}  // namespace world_config_test

// SPDX-License-Identifier: MIT
// How do two materials mix in a contact, and which materials are none?
#include <cmath>
#include <initializer_list>
#include <limits>

#include <doctest/doctest.h>

#include <phys2d/dynamics/material.hpp>

#include "../support/random.hpp"

namespace material_test {

using namespace phys2d;

static_assert(mix_restitution(0.25f, 0.75f) == 0.25f);
static_assert(mix_friction(0.25f, 1.0f) == 0.5f);
static_assert(is_valid(Material{}) && !is_valid(Material{.restitution = 1.5f}));

TEST_CASE("the restitution of a contact is the smaller one, in either order") {
    CHECK(mix_restitution(0.25f, 0.75f) == 0.25f);
    CHECK(mix_restitution(0.75f, 0.25f) == 0.25f);
    CHECK(mix_restitution(0.0f, 1.0f) == 0.0f);
    CHECK(mix_restitution(1.0f, 1.0f) == 1.0f);
}

TEST_CASE("the friction of a contact is the geometric mean of the two") {
    CHECK(mix_friction(0.25f, 1.0f) == 0.5f);
    CHECK(mix_friction(4.0f, 0.25f) == 1.0f);
    CHECK(mix_friction(0.0f, 3.0f) == 0.0f);
    CHECK(mix_friction(3.0f, 0.0f) == 0.0f);
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < 10'000; ++i) {
        const float a = random.uniform(0.0f, 2.0f);
        const float b = random.uniform(0.0f, 2.0f);
        const double exact = std::sqrt(double{a} * b);
        // the product and the root are rounded: a half and one unit in the last place
        if (std::fabs(mix_friction(a, b) - exact) > exact * 1.5 * 0x1p-24) ++wrong;
        if (mix_friction(a, b) != mix_friction(b, a)) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("a material is valid with restitution from 0 to 1, friction and density from 0 up") {
    CHECK(is_valid(Material{}));
    CHECK(is_valid(Material{.restitution = 0.0f, .friction = 0.0f, .density = 0.0f}));
    CHECK(is_valid(Material{.restitution = 1.0f, .friction = 7.0f, .density = 1e6f}));
    CHECK_FALSE(is_valid(Material{.restitution = -0.01f}));
    CHECK_FALSE(is_valid(Material{.restitution = 1.01f}));
    CHECK_FALSE(is_valid(Material{.friction = -0.01f}));
    CHECK_FALSE(is_valid(Material{.density = -0.01f}));
}

TEST_CASE("a material with a number that is not finite is invalid") {
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        CHECK_FALSE(is_valid(Material{.restitution = bad}));
        CHECK_FALSE(is_valid(Material{.friction = bad}));
        CHECK_FALSE(is_valid(Material{.density = bad}));
        CHECK_FALSE(is_valid(Material{.surface_velocity = {0.0f, bad}}));
    }
}

TEST_CASE("materials are equal when all of their numbers are") {
    CHECK(Material{} == Material{});
    CHECK(Material{} != Material{.restitution = 0.5f});
    CHECK(Material{} != Material{.friction = 0.5f});
    CHECK(Material{} != Material{.density = 0.5f});
}

}  // namespace material_test

// SPDX-License-Identifier: MIT
// Is the height of a shape above a corner the most in any direction between the two faces?
#include <cmath>

#include <doctest/doctest.h>

#include <phys2d/collision/in_front.hpp>

#include "../support/movers.hpp"
#include "../support/random.hpp"

namespace in_front_test {

using namespace phys2d;

namespace {

constexpr Vec2 up{0.0f, 1.0f};

Vec2 towards(float angle) { return {std::cos(angle), std::sin(angle)}; }

/// The left side of a roof, whose tip is at the origin; both sides fall as (1, slope).
detail::Face left_side_of_roof(float slope) {
    detail::Face face;
    const float along = std::sqrt(1.0f + slope * slope);
    face.normal = Vec2{-slope, 1.0f} / along;
    face.before = Vec2{slope, 1.0f} / along;
    face.length = face.end = 10.0f;
    return face;
}

}  // namespace

TEST_CASE("a shape is as high above a corner as the best direction between its faces says") {
    test::Random random;
    for (int i = 0; i < test::many / 100; ++i) {
        const float first = random.uniform(-3.0f, 3.0f);
        const float turn = random.uniform(0.01f, 3.1f);
        const Vec2 before = towards(first), normal = towards(first + turn);
        const Vec2 corner = random.point(2.0f);
        const Shape shape = translate(test::random_mover(random, 1.0f), random.point(3.0f));
        float most = -100.0f;
        for (int k = 0; k <= 2000; ++k) {
            const Vec2 between = towards(first + turn * static_cast<float>(k) / 2000.0f);
            most = std::fmax(most, detail::height_above(corner, between, shape));
        }
        const float height = detail::height_above_corner(corner, before, normal, shape);
        CHECK(height >= most - 1e-5f);
        CHECK(height <= most + 5e-3f);  // directions are 1.5 mrad apart, corners at most 3 m away
    }
}

TEST_CASE("what rests on a tip is in front of it, though it is behind both of its sides") {
    for (const float slope : {0.1f, 0.5f, 1.0f, 3.0f}) {
        const detail::Face face = left_side_of_roof(slope);
        const Shape box = Box{{0.5f, 0.5f}, {0.1f, 0.5f}};
        const Shape ball = Circle{0.5f, {0.0f, 0.5f}};
        for (const Shape& shape : {box, ball}) {
            CHECK(detail::height_above({}, face.normal, shape) < 0.0f);
            CHECK(detail::height_above({}, face.before, shape) < 0.0f);
            CHECK(detail::height_in_front(face, up, face.normal, shape) == 0.0f);
            CHECK(detail::height_in_front(face, up, up, shape) == 0.0f);
        }
    }
}

TEST_CASE("the tip is at the end of the other side as well") {
    const float slope = 0.5f;
    const detail::Face left = left_side_of_roof(slope);
    detail::Face right;
    right.normal = right.before = left.before;
    right.after = left.normal;
    right.length = right.end = 10.0f;
    right.start = -perpendicular(right.normal) * 10.0f;
    const Shape ball = Circle{0.5f, {0.0f, 0.5f}};
    CHECK(detail::height_above(right.start, right.normal, ball) < -0.01f);
    CHECK(detail::height_in_front(right, up, right.normal, ball) ==
          doctest::Approx(0.0f).epsilon(1e-5));
}

TEST_CASE("at a corner of which one side does not hold the height is that above the other") {
    detail::Face top;  // of a box, from its right side on
    top.before = {1.0f, 0.0f};
    top.length = top.end = 2.0f;
    const Shape ball = Circle{0.5f, {0.4f, 0.4f}};
    const Vec2 met = towards(0.7f);
    CHECK(detail::height_in_front(top, up, met, ball) == doctest::Approx(-0.1f));
    detail::Face steep = left_side_of_roof(3.0f);
    begin_open(steep);
    CHECK(detail::height_in_front(steep, up, met, ball) ==
          doctest::Approx(detail::height_above({}, steep.normal, ball)));
}

}  // namespace in_front_test

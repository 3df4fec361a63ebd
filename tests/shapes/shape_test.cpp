// SPDX-License-Identifier: MIT
// Is every shape the rounded box it says it is: the same points, the same bounds, valid alike?
#include <cmath>
#include <initializer_list>
#include <limits>

#include <doctest/doctest.h>

#include <phys2d/collision/overlap.hpp>
#include <phys2d/shapes/shape.hpp>

#include "../support/random_shapes.hpp"
#include "../support/separation_oracle.hpp"

namespace shape_test {

using namespace phys2d;

namespace {

constexpr Circle circle{0.5f, {1.0f, 2.0f}};
constexpr Box box{{0.5f, 0.25f}, {1.0f, 2.0f}};
constexpr Capsule upright{0.75f, 0.25f, Axis::Y, {1.0f, 2.0f}};
constexpr Capsule lying{0.75f, 0.25f, Axis::X, {1.0f, 2.0f}};
constexpr RoundedBox rounded{{0.5f, 0.25f}, 0.125f, {1.0f, 2.0f}};

static_assert(Shape(circle).radius == 0.5f && Shape(box).half_extents == Vec2{0.5f, 0.25f});
static_assert(bounds(Shape(upright)) == bounds(upright));
static_assert(is_valid(Shape(rounded)) && !is_valid(Shape{}));

}  // namespace

TEST_CASE("a circle is a point with a radius, a box a core without one") {
    CHECK(Shape(circle).half_extents == Vec2{});
    CHECK(Shape(circle).radius == 0.5f);
    CHECK(Shape(circle).center == Vec2{1.0f, 2.0f});
    CHECK(Shape(box).half_extents == Vec2{0.5f, 0.25f});
    CHECK(Shape(box).radius == 0.0f);
    CHECK(Shape(box).center == Vec2{1.0f, 2.0f});
    CHECK(Shape(rounded).half_extents == Vec2{0.5f, 0.25f});
    CHECK(Shape(rounded).radius == 0.125f);
    CHECK(Shape(rounded).center == Vec2{1.0f, 2.0f});
}

TEST_CASE("the core of a capsule lies along its axis") {
    CHECK(core_half_extents(upright) == Vec2{0.0f, 0.75f});
    CHECK(core_half_extents(lying) == Vec2{0.75f, 0.0f});
    CHECK(Shape(upright).half_extents == Vec2{0.0f, 0.75f});
    CHECK(Shape(lying).half_extents == Vec2{0.75f, 0.0f});
    CHECK(Shape(lying).radius == 0.25f);
    CHECK(Shape(lying).center == Vec2{1.0f, 2.0f});
}

TEST_CASE("an AABB becomes the box with its centre and half extents") {
    const Shape shape(AABB{{-1.0f, 2.0f}, {3.0f, 2.5f}});
    CHECK(shape == Shape(Box{{2.0f, 0.25f}, {1.0f, 2.25f}}));
    CHECK(bounds(shape) == AABB{{-1.0f, 2.0f}, {3.0f, 2.5f}});
}

TEST_CASE("bounds reach to the outermost points, for the shape as for what it was made from") {
    CHECK(bounds(circle) == AABB{{0.5f, 1.5f}, {1.5f, 2.5f}});
    CHECK(bounds(box) == AABB{{0.5f, 1.75f}, {1.5f, 2.25f}});
    CHECK(bounds(upright) == AABB{{0.75f, 1.0f}, {1.25f, 3.0f}});
    CHECK(bounds(lying) == AABB{{0.0f, 1.75f}, {2.0f, 2.25f}});
    CHECK(bounds(rounded) == AABB{{0.375f, 1.625f}, {1.625f, 2.375f}});
    CHECK(bounds(Shape(circle)) == bounds(circle));
    CHECK(bounds(Shape(box)) == bounds(box));
    CHECK(bounds(Shape(upright)) == bounds(upright));
    CHECK(bounds(Shape(lying)) == bounds(lying));
    CHECK(bounds(Shape(rounded)) == bounds(rounded));
    CHECK(outer_half_extents(rounded) == Vec2{0.625f, 0.375f});
}

TEST_CASE("a shape contains the points within its radius of its core, and no others") {
    test::Random random;
    int wrong = 0;
    int inside = 0;
    int skipped = 0;
    for (int i = 0; i < 100'000; ++i) {
        const Shape shape = test::random_shape(random);
        const Vec2 point = shape.center + random.point(3.0f);
        const double distance = test::separate(test::exact(shape), test::exact(point)).separation;
        if (std::fabs(distance) < test::rounding) {
            ++skipped;
        } else if (contains(shape, point) != (distance < 0.0)) {
            ++wrong;
        }
        if (distance < 0.0) ++inside;
    }
    CHECK(wrong == 0);
    CHECK(skipped <= 20);  // of 100,000: the border is narrow
    CHECK(inside > 10'000);
}

TEST_CASE("bounds contain every point of the shape, and each of their sides touches it") {
    test::Random random;
    int outside = 0;
    int loose = 0;
    for (int i = 0; i < 10'000; ++i) {
        const Shape shape = test::lattice_shape(random);
        const AABB box_around = bounds(shape);
        const Vec2 point = random.point(4.0f);
        if (contains(shape, point) && !contains(box_around, point)) ++outside;
        const Vec2 middle = shape.center;
        if (!contains(shape, Vec2{box_around.min.x, middle.y})) ++loose;
        if (!contains(shape, Vec2{box_around.max.x, middle.y})) ++loose;
        if (!contains(shape, Vec2{middle.x, box_around.min.y})) ++loose;
        if (!contains(shape, Vec2{middle.x, box_around.max.y})) ++loose;
    }
    CHECK(outside == 0);
    CHECK(loose == 0);
}

TEST_CASE("translate moves the centre and nothing else") {
    const Shape moved = translate(rounded, {-3.0f, 0.5f});
    CHECK(moved.center == Vec2{-2.0f, 2.5f});
    CHECK(moved.half_extents == Shape(rounded).half_extents);
    CHECK(moved.radius == Shape(rounded).radius);
    CHECK(moved != Shape(rounded));
    CHECK(translate(moved, {3.0f, -0.5f}) == Shape(rounded));
}

TEST_CASE("a shape is valid when it is finite, not negative, and wide and high") {
    CHECK(is_valid(Shape(circle)));
    CHECK(is_valid(Shape(box)));
    CHECK(is_valid(Shape(upright)));
    CHECK(is_valid(Shape(lying)));
    CHECK_FALSE(is_valid(Shape(Circle{0.0f})));
    CHECK_FALSE(is_valid(Shape(Box{{0.0f, 1.0f}})));
    CHECK_FALSE(is_valid(Shape(Box{{1.0f, 0.0f}})));
    CHECK_FALSE(is_valid(Shape(RoundedBox{{-0.25f, 1.0f}, 0.5f})));
    CHECK_FALSE(is_valid(Shape(RoundedBox{{1.0f, -0.25f}, 0.5f})));
    CHECK_FALSE(is_valid(Shape(RoundedBox{{1.0f, 1.0f}, -0.25f})));
}

TEST_CASE("a shape with a number that is not finite is invalid") {
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
          -std::numeric_limits<float>::infinity()}) {
        CHECK_FALSE(is_valid(Shape(Circle{bad})));
        CHECK_FALSE(is_valid(Shape(Circle{1.0f, {bad, 0.0f}})));
        CHECK_FALSE(is_valid(Shape(Circle{1.0f, {0.0f, bad}})));
        CHECK_FALSE(is_valid(Shape(Box{{bad, 1.0f}})));
        CHECK_FALSE(is_valid(Shape(Box{{1.0f, bad}})));
    }
}

}  // namespace shape_test

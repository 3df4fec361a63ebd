// SPDX-License-Identifier: MIT
// How large and how heavy is a shape: by the formulas of school, and by counting points?
#include <cmath>
#include <initializer_list>
#include <limits>

#include <doctest/doctest.h>

#include <phys2d/collision/overlap.hpp>
#include <phys2d/dynamics/mass.hpp>

#include "../support/random_shapes.hpp"

namespace mass_test {

using namespace phys2d;

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double rounding = 4e-7;  // relative: half a dozen roundings, all of positive numbers

static_assert(mass_of(Box{{0.5f, 2.0f}}, 3.0f) == 12.0f);
static_assert(inverse_mass_of(4.0f) == 0.25f && inverse_mass_of(0.0f) == 0.0f);

}  // namespace

TEST_CASE("the area of a circle is pi times the squared radius") {
    for (float radius = 0.1f; radius < 10.0f; radius *= 1.5f) {
        const Shape circle = Circle{radius, {3.0f, 4.0f}};
        CHECK(area(circle) == doctest::Approx(pi * radius * radius).epsilon(rounding));
    }
}

TEST_CASE("the area of a box is width times height") {
    CHECK(area(Shape(Box{{0.5f, 2.0f}, {3.0f, 4.0f}})) == 4.0f);
    CHECK(area(Shape(AABB{{-1.0f, 2.0f}, {2.0f, 4.0f}})) == 6.0f);
}

TEST_CASE("the area of a capsule is that of a box between two half discs, along either axis") {
    const double expected = 2 * 1.5 * 2 * 0.25 + pi * 0.25 * 0.25;
    for (const Axis axis : {Axis::X, Axis::Y}) {
        const Shape capsule = Capsule{1.5f, 0.25f, axis};
        CHECK(area(capsule) == doctest::Approx(expected).epsilon(rounding));
    }
}

TEST_CASE("the area of a rounded box is its outer size less what the corners lack") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < 10'000; ++i) {
        const Shape shape = test::random_shape(random);
        const double width = 2.0 * (double{shape.half_extents.x} + shape.radius);
        const double height = 2.0 * (double{shape.half_extents.y} + shape.radius);
        const double expected = width * height - (4.0 - pi) * shape.radius * shape.radius;
        if (std::fabs(area(shape) - expected) > rounding * expected) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("the area of a shape is the share of the points of a grid that it contains") {
    constexpr int cells = 200;
    const Shape shapes[] = {Circle{0.75f}, Box{{0.5f, 0.75f}}, Capsule{0.5f, 0.25f},
                            RoundedBox{{0.25f, 0.5f}, 0.375f}};
    for (const Shape& shape : shapes) {
        const AABB box = bounds(shape);
        int inside = 0;
        for (int column = 0; column < cells; ++column) {
            for (int row = 0; row < cells; ++row) {
                const Vec2 share{(static_cast<float>(column) + 0.5f) / cells,
                                 (static_cast<float>(row) + 0.5f) / cells};
                if (contains(shape, box.min + size(box) * share)) ++inside;
            }
        }
        const float counted = area(box) * static_cast<float>(inside) / (cells * cells);
        // each of the four arcs crosses at most 200 cells; errors of both signs mostly cancel
        CHECK(counted == doctest::Approx(area(shape)).epsilon(0.002));
    }
}

TEST_CASE("mass is area times density") {
    CHECK(mass_of(Box{{0.5f, 2.0f}}, 3.0f) == 12.0f);
    CHECK(mass_of(Box{{0.5f, 2.0f}}, 0.0f) == 0.0f);
    CHECK(mass_of(Circle{0.5f}, 2.0f) == doctest::Approx(pi / 2).epsilon(rounding));
}

TEST_CASE("mass 0 and infinite mass have the inverse 0, everything else 1/mass") {
    CHECK(inverse_mass_of(0.0f) == 0.0f);
    CHECK(inverse_mass_of(-0.0f) == 0.0f);
    CHECK(inverse_mass_of(std::numeric_limits<float>::infinity()) == 0.0f);
    CHECK(inverse_mass_of(4.0f) == 0.25f);
    CHECK(inverse_mass_of(1e-6f) == 1.0f / 1e-6f);
    CHECK(inverse_mass_of(mass_of(Box{{0.5f, 0.5f}}, 0.0f)) == 0.0f);
}

}  // namespace mass_test

// SPDX-License-Identifier: MIT
// Do the yes-or-no tests know which shapes touch: against brute force, on the border, at any size,
// in either order?
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <limits>

#include <doctest/doctest.h>

#include <phys2d/collision/overlap.hpp>

#include "../support/random_shapes.hpp"
#include "../support/separation_oracle.hpp"

namespace overlap_test {

using namespace phys2d;

namespace {

constexpr AABB unit{{0.0f, 0.0f}, {1.0f, 1.0f}};

static_assert(overlaps(unit, AABB{{1.0f, 0.5f}, {2.0f, 2.0f}}));
static_assert(!overlaps(unit, AABB{{1.25f, 0.5f}, {2.0f, 2.0f}}));
static_assert(overlaps(Circle{2.0f}, Circle{3.0f, {3.0f, 4.0f}}));
static_assert(!overlaps(Circle{2.0f}, Circle{2.75f, {3.0f, 4.0f}}));
static_assert(overlaps(unit, Circle{5.0f, {4.0f, 5.0f}}));
static_assert(overlaps(Shape(Box{{1.0f, 1.0f}}), Shape(Circle{5.0f, {4.0f, 5.0f}})));
static_assert(contains(Shape(Circle{5.0f}), {3.0f, 4.0f}));

struct Tally {
    int wrong = 0;
    int skipped = 0;
    int overlapping = 0;
};

/// The answers of `overlaps` against the oracle's; pairs that touch within rounding are skipped.
template <class A, class B>
Tally hold_against_brute_force(A (*make_a)(test::Random&), B (*make_b)(test::Random&)) {
    test::Random random;
    Tally tally;
    for (int i = 0; i < test::many; ++i) {
        const A a = make_a(random);
        const B b = make_b(random);
        const double separation = test::separate(test::exact(a), test::exact(b)).separation;
        if (separation < 0.0) ++tally.overlapping;
        if (std::fabs(separation) < test::rounding) {
            ++tally.skipped;
        } else if (overlaps(a, b) != (separation < 0.0)) {
            ++tally.wrong;
        }
    }
    return tally;
}

void check(const Tally& tally) {
    CHECK(tally.wrong == 0);
    CHECK(tally.skipped <= 20);  // a border 6e-6 m wide, in a space of several metres
    CHECK(tally.overlapping > test::many / 10);
    CHECK(tally.overlapping < test::many / 2);
}

/// As `hold_against_brute_force`, but on a lattice, where the squared distance of the cores and the
/// square of the radii are whole numbers, and nothing needs to be skipped.
bool overlaps_in_integers(const Shape& a, const Shape& b) {
    const auto whole = [](float x) { return static_cast<int>(x * 8.0f); };
    int gap_x = std::abs(whole(b.center.x) - whole(a.center.x));
    int gap_y = std::abs(whole(b.center.y) - whole(a.center.y));
    gap_x -= whole(a.half_extents.x) + whole(b.half_extents.x);
    gap_y -= whole(a.half_extents.y) + whole(b.half_extents.y);
    const int reach = whole(a.radius) + whole(b.radius);
    const int distance_sq = (gap_x > 0 ? gap_x * gap_x : 0) + (gap_y > 0 ? gap_y * gap_y : 0);
    return distance_sq <= reach * reach;
}

}  // namespace

TEST_CASE("two AABBs overlap exactly when brute force says so") {
    check(hold_against_brute_force(test::random_aabb, test::random_aabb));
}

TEST_CASE("two circles overlap exactly when brute force says so") {
    check(hold_against_brute_force(test::random_circle, test::random_circle));
}

TEST_CASE("an AABB and a circle overlap exactly when brute force says so") {
    check(hold_against_brute_force(test::random_aabb, test::random_circle));
}

TEST_CASE("two shapes of any kind overlap exactly when brute force says so") {
    check(hold_against_brute_force(test::random_shape, test::random_shape));
}

TEST_CASE("on a lattice, where touching is common, every answer is that of whole numbers") {
    test::Random random;
    int wrong = 0;
    int overlapping = 0;
    for (int i = 0; i < test::many; ++i) {
        const Shape a = test::lattice_shape(random);
        const Shape b = test::lattice_shape(random);
        if (overlaps(a, b) != overlaps_in_integers(a, b)) ++wrong;
        const Circle circle_a = test::lattice_circle(random);
        const Circle circle_b = test::lattice_circle(random);
        if (overlaps(circle_a, circle_b) != overlaps_in_integers(circle_a, circle_b)) ++wrong;
        const AABB box_a = test::lattice_aabb(random);
        const AABB box_b = test::lattice_aabb(random);
        if (overlaps(box_a, box_b) != overlaps_in_integers(Shape(box_a), Shape(box_b))) ++wrong;
        const bool expected = overlaps_in_integers(Shape(box_a), circle_b);
        if (overlaps(box_a, circle_b) != expected || overlaps(circle_b, box_a) != expected) ++wrong;
        if (expected) ++overlapping;
    }
    CHECK(wrong == 0);
    CHECK(overlapping > test::many / 10);
    CHECK(overlapping < test::many * 9 / 10);
}

TEST_CASE("the order of the two parties does not matter") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < test::many; ++i) {
        const Shape a = test::random_shape(random);
        const Shape b = test::random_shape(random);
        const AABB box = test::random_aabb(random);
        const Circle circle = test::random_circle(random);
        if (overlaps(a, b) != overlaps(b, a)) ++wrong;
        if (overlaps(box, circle) != overlaps(circle, box)) ++wrong;
        if (overlaps(box, bounds(a)) != overlaps(bounds(a), box)) ++wrong;
        if (overlaps(circle, Circle{1.0f}) != overlaps(Circle{1.0f}, circle)) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("AABBs that share a side or a corner overlap, those one float apart do not") {
    CHECK(overlaps(unit, AABB{{1.0f, 0.0f}, {2.0f, 1.0f}}));
    CHECK(overlaps(unit, AABB{{-1.0f, 0.0f}, {0.0f, 1.0f}}));
    CHECK(overlaps(unit, AABB{{0.0f, 1.0f}, {1.0f, 2.0f}}));
    CHECK(overlaps(unit, AABB{{0.0f, -1.0f}, {1.0f, 0.0f}}));
    CHECK(overlaps(unit, AABB{{1.0f, 1.0f}, {2.0f, 2.0f}}));
    CHECK(overlaps(unit, AABB{{-1.0f, 1.0f}, {0.0f, 2.0f}}));
    const float above_one = std::nextafter(1.0f, 2.0f);
    const float below_zero = std::nextafter(0.0f, -1.0f);
    CHECK_FALSE(overlaps(unit, AABB{{above_one, 0.0f}, {2.0f, 1.0f}}));
    CHECK_FALSE(overlaps(unit, AABB{{-1.0f, 0.0f}, {below_zero, 1.0f}}));
    CHECK_FALSE(overlaps(unit, AABB{{0.0f, above_one}, {1.0f, 2.0f}}));
    CHECK_FALSE(overlaps(unit, AABB{{0.0f, -1.0f}, {1.0f, below_zero}}));
}

TEST_CASE("AABBs that share a side overlap whatever number the side has") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < 10'000; ++i) {
        const float side = random.uniform(-10.0f, 10.0f);
        const AABB left{{side - random.unit(), 0.1f}, {side, 0.7f}};
        const AABB right{{side, 0.7f}, {side + random.unit(), 0.9f}};
        if (!overlaps(left, right) || !overlaps(right, left)) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("circles touch at the sum of their radii, not at its square or root") {
    CHECK(overlaps(Circle{2.0f, {1.0f, 1.0f}}, Circle{3.0f, {4.0f, 5.0f}}));
    CHECK(overlaps(Circle{0.25f}, Circle{0.25f, {0.0f, -0.5f}}));
    CHECK_FALSE(overlaps(Circle{0.25f}, Circle{0.25f, {0.0f, -0.50001f}}));
    CHECK_FALSE(overlaps(Circle{2.0f}, Circle{3.0f, {3.0f, 4.00001f}}));
    CHECK(overlaps(Circle{1.0f, {2.0f, 2.0f}}, Circle{1.0f, {2.0f, 2.0f}}));
}

TEST_CASE("a circle touches a box at a face, at a corner and when its centre is inside") {
    CHECK(overlaps(unit, Circle{0.5f, {1.5f, 0.5f}}));
    CHECK(overlaps(unit, Circle{0.5f, {0.25f, -0.5f}}));
    CHECK_FALSE(overlaps(unit, Circle{0.5f, {1.50001f, 0.5f}}));
    CHECK(overlaps(unit, Circle{5.0f, {-3.0f, 5.0f}}));
    CHECK_FALSE(overlaps(unit, Circle{5.0f, {-3.0f, 5.00001f}}));
    CHECK(overlaps(unit, Circle{0.001f, {0.5f, 0.25f}}));
    // The bounding boxes overlap, the corner of the box is out of reach.
    CHECK_FALSE(overlaps(unit, Circle{1.0f, {1.75f, 1.75f}}));
}

TEST_CASE("points overlap what contains them and each other where they coincide") {
    CHECK(overlaps(Circle{0.0f, {1.0f, 0.3f}}, Circle{0.0f, {1.0f, 0.3f}}));
    CHECK_FALSE(overlaps(Circle{0.0f, {1.0f, 0.3f}}, Circle{0.0f, {1.0f, 0.4f}}));
    CHECK(overlaps(unit, Circle{0.0f, {1.0f, 0.3f}}));
    CHECK(overlaps(unit, AABB{{1.0f, 0.3f}, {1.0f, 0.3f}}));
    CHECK_FALSE(overlaps(unit, AABB{{1.5f, 0.3f}, {1.5f, 0.3f}}));
    CHECK(contains(Shape(unit), Vec2{1.0f, 0.3f}));
    CHECK_FALSE(contains(Shape(unit), Vec2{1.0f, 1.3f}));
}

TEST_CASE("the answers are the same for sizes of 1e-15 and 1e15 as for a metre") {
    for (const float scale : {1e-15f, 1e-6f, 1.0f, 1e6f, 1e15f}) {
        CAPTURE(scale);
        const AABB box{{0.0f, 0.0f}, {scale, scale}};
        CHECK(overlaps(Circle{scale}, Circle{scale, {1.9f * scale, 0.0f}}));
        CHECK_FALSE(overlaps(Circle{scale}, Circle{scale, {1.5f * scale, 1.5f * scale}}));
        CHECK(overlaps(box, Circle{scale, {1.6f * scale, 1.6f * scale}}));
        CHECK_FALSE(overlaps(box, Circle{scale, {1.8f * scale, 1.8f * scale}}));
        CHECK(overlaps(box, translate(box, {0.9f * scale, -0.9f * scale})));
        CHECK_FALSE(overlaps(box, translate(box, {0.9f * scale, -1.1f * scale})));
        const Shape capsule = Capsule{scale, scale};
        CHECK(overlaps(capsule, translate(capsule, {0.0f, 3.9f * scale})));
        CHECK_FALSE(overlaps(capsule, translate(capsule, {1.5f * scale, 3.5f * scale})));
    }
}

TEST_CASE("what is at NaN touches nothing and is in nothing") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const Circle ball{0.5f};
    for (const Vec2 nowhere : {Vec2{nan, nan}, {nan, 0.0f}, {0.0f, nan}}) {
        CAPTURE(nowhere.x);
        CHECK_FALSE(overlaps(ball, Circle{0.5f, nowhere}));
        CHECK_FALSE(overlaps(bounds(ball), Circle{0.5f, nowhere}));
        for (const Shape& shape : {Shape(ball), Shape(Box{}), Shape(Capsule{}), Shape(unit)}) {
            CHECK_FALSE(overlaps(shape, translate(shape, nowhere)));
            CHECK_FALSE(overlaps(translate(shape, nowhere), shape));
            CHECK_FALSE(contains(shape, nowhere));
        }
        for (const AABB& box : {AABB{nowhere, {0.2f, 0.2f}}, AABB{{-0.2f, -0.2f}, nowhere}}) {
            CHECK_FALSE(overlaps(box, ball));
            CHECK_FALSE(overlaps(ball, box));
            CHECK_FALSE(overlaps(box, bounds(ball)));
        }
    }
}

}  // namespace overlap_test

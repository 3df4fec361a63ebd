// SPDX-License-Identifier: MIT
// Is an AABB a closed set of points: what belongs to it, what contains, merges and grows it, what
// do two have in common, and which of its points is nearest?
#include <cmath>
#include <initializer_list>
#include <limits>

#include <doctest/doctest.h>

#include <phys2d/collision/overlap.hpp>
#include <phys2d/shapes/aabb.hpp>

#include "../support/random_shapes.hpp"

namespace aabb_test {

using namespace phys2d;

namespace {

constexpr AABB unit{{0.0f, 0.0f}, {1.0f, 1.0f}};

static_assert(aabb_around({1.0f, 2.0f}, {0.5f, 1.0f}) == AABB{{0.5f, 1.0f}, {1.5f, 3.0f}});
static_assert(contains(unit, Vec2{0.5f, 1.0f}) && !contains(unit, Vec2{0.5f, 1.5f}));
static_assert(merge(unit, Vec2{2.0f, -1.0f}) == AABB{{0.0f, -1.0f}, {2.0f, 1.0f}});
static_assert(contains(unit, {0.5f, 1.0f}) && contains(unit, {{0.5f, 0.0f}, {0.5f, 1.0f}}));
static_assert(merge(unit, {2.0f, -1.0f}) == merge(unit, {{2.0f, -1.0f}, {2.0f, -1.0f}}));
static_assert(closest_point(unit, {3.0f, 0.25f}) == Vec2{1.0f, 0.25f});
static_assert(is_valid(unit) && area(expand(unit, 0.5f)) == 4.0f);

}  // namespace

TEST_CASE("a box around a centre has that centre, those half extents, their size and area") {
    const AABB box = aabb_around({3.0f, -2.0f}, {0.5f, 1.5f});
    CHECK(box == AABB{{2.5f, -3.5f}, {3.5f, -0.5f}});
    CHECK(center(box) == Vec2{3.0f, -2.0f});
    CHECK(half_extents(box) == Vec2{0.5f, 1.5f});
    CHECK(size(box) == Vec2{1.0f, 3.0f});
    CHECK(area(box) == 3.0f);
    CHECK(box != translate(box, {0.0f, 1.0f}));
    CHECK_FALSE(is_valid(aabb_around({3.0f, -2.0f}, {0.5f, -1.5f})));
}

TEST_CASE("what two boxes have in common is in both, and not valid if they are apart") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < test::many; ++i) {
        const AABB a = test::lattice_aabb(random), b = test::lattice_aabb(random);
        const Vec2 point = test::lattice_point(random);
        const AABB both = overlap(a, b);
        const bool is_in_both = contains(a, point) && contains(b, point);
        wrong += is_valid(both) == overlaps(a, b) && contains(both, point) == is_in_both ? 0 : 1;
    }
    CHECK(wrong == 0);
    CHECK(overlap(unit, AABB{{0.5f, -1.0f}, {3.0f, 0.25f}}) == AABB{{0.5f, 0.0f}, {1.0f, 0.25f}});
}

TEST_CASE("a box is valid when its corners are finite and in order, a point included") {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
    CHECK(is_valid(AABB{}));
    CHECK(is_valid(AABB{{1.0f, 1.0f}, {1.0f, 2.0f}}));
    CHECK_FALSE(is_valid(AABB{{1.0f, 0.0f}, {0.0f, 1.0f}}));
    CHECK_FALSE(is_valid(AABB{{0.0f, 1.0f}, {1.0f, 0.0f}}));
    CHECK_FALSE(is_valid(AABB{{0.0f, 0.0f}, {infinity, 1.0f}}));
    CHECK_FALSE(is_valid(AABB{{0.0f, -infinity}, {1.0f, 1.0f}}));
    CHECK_FALSE(is_valid(AABB{{not_a_number, 0.0f}, {1.0f, 1.0f}}));
    CHECK_FALSE(is_valid(AABB{{0.0f, 0.0f}, {1.0f, not_a_number}}));
}

TEST_CASE("a box contains its border and nothing one float beyond it") {
    for (const Vec2 corner : {Vec2{0.0f, 0.0f}, Vec2{1.0f, 0.0f}, Vec2{0.0f, 1.0f}, unit.max}) {
        CHECK(contains(unit, corner));
    }
    CHECK(contains(unit, Vec2{0.5f, 0.5f}));
    const float above_one = std::nextafter(1.0f, 2.0f);
    const float below_zero = std::nextafter(0.0f, -1.0f);
    CHECK_FALSE(contains(unit, Vec2{above_one, 0.5f}));
    CHECK_FALSE(contains(unit, Vec2{0.5f, above_one}));
    CHECK_FALSE(contains(unit, Vec2{below_zero, 0.5f}));
    CHECK_FALSE(contains(unit, Vec2{0.5f, below_zero}));
}

TEST_CASE("a box contains another when no side of it sticks out, and therefore itself") {
    CHECK(contains(unit, unit));
    CHECK(contains(unit, AABB{{0.25f, 0.0f}, {0.5f, 1.0f}}));
    CHECK_FALSE(contains(unit, AABB{{-0.25f, 0.0f}, {0.5f, 1.0f}}));
    CHECK_FALSE(contains(unit, AABB{{0.25f, -0.5f}, {0.5f, 1.0f}}));
    CHECK_FALSE(contains(unit, AABB{{0.25f, 0.0f}, {1.5f, 1.0f}}));
    CHECK_FALSE(contains(unit, AABB{{0.25f, 0.0f}, {0.5f, 1.5f}}));
}

TEST_CASE("merge contains both boxes and no side of it can move inwards") {
    CHECK(merge(unit, AABB{{2.0f, -1.0f}, {3.0f, 0.5f}}) == AABB{{0.0f, -1.0f}, {3.0f, 1.0f}});
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < 10'000; ++i) {
        const AABB a = test::random_aabb(random);
        const AABB b = test::random_aabb(random);
        const AABB both = merge(a, b);
        if (!contains(both, a) || !contains(both, b) || merge(b, a) != both) ++wrong;
        if (both.min.x != a.min.x && both.min.x != b.min.x) ++wrong;
        if (both.min.y != a.min.y && both.min.y != b.min.y) ++wrong;
        if (both.max.x != a.max.x && both.max.x != b.max.x) ++wrong;
        if (both.max.y != a.max.y && both.max.y != b.max.y) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("merge with a point reaches just to the point, and ignores one inside") {
    CHECK(merge(unit, Vec2{0.5f, 0.5f}) == unit);
    CHECK(merge(unit, Vec2{-2.0f, 0.5f}) == AABB{{-2.0f, 0.0f}, {1.0f, 1.0f}});
    CHECK(merge(unit, Vec2{3.0f, 4.0f}) == AABB{{0.0f, 0.0f}, {3.0f, 4.0f}});
}

TEST_CASE("expand moves every side, and a box shrunk by more than half its size is invalid") {
    CHECK(expand(unit, 0.25f) == AABB{{-0.25f, -0.25f}, {1.25f, 1.25f}});
    CHECK(expand(unit, -0.5f) == AABB{{0.5f, 0.5f}, {0.5f, 0.5f}});
    CHECK(is_valid(expand(unit, -0.5f)));
    CHECK_FALSE(is_valid(expand(unit, -0.75f)));
}

TEST_CASE("translate moves the box and keeps its size") {
    CHECK(translate(unit, {2.0f, -3.0f}) == AABB{{2.0f, -3.0f}, {3.0f, -2.0f}});
    CHECK(size(translate(unit, {2.0f, -3.0f})) == size(unit));
}

TEST_CASE("no point of a box is nearer than the closest one, found by trying many") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < 1'000; ++i) {
        const AABB box = test::random_aabb(random);
        const Vec2 point = random.point(4.0f);
        const Vec2 closest = closest_point(box, point);
        if (!contains(box, closest)) ++wrong;
        if (contains(box, point) && closest != point) ++wrong;
        const float nearest = distance(closest, point);
        for (int k = 0; k < 64; ++k) {
            const Vec2 other{random.uniform(box.min.x, box.max.x),
                             random.uniform(box.min.y, box.max.y)};
            // 1e-6: the two distances, below 10, are rounded
            if (distance(other, point) < nearest - 1e-6f) ++wrong;
        }
    }
    CHECK(wrong == 0);
    CHECK(closest_point(unit, {-1.0f, 2.0f}) == Vec2{0.0f, 1.0f});
    CHECK(closest_point(unit, {0.25f, 0.75f}) == Vec2{0.25f, 0.75f});
}

}  // namespace aabb_test

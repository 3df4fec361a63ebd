// SPDX-License-Identifier: MIT
// Is the convex hull of points the one valid polygon around them whose vertices are among them, and
// is there none where there can be none?
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/shapes/convex_hull.hpp>

#include "../support/random_shapes.hpp"

namespace convex_hull_test {

using namespace phys2d;

namespace {

constexpr Vec2 in_any_order[] = {{1.0f, 0.0f}, {0.5f, 0.5f}, {0.0f, 1.0f},
                                 {1.0f, 1.0f}, {0.5f, 0.0f}, {0.0f, 0.0f}};
static_assert(convex_hull(in_any_order) == Polygon(AABB{{0.0f, 0.0f}, {1.0f, 1.0f}}));

bool is_one_of(const std::vector<Vec2>& points, Vec2 vertex) {
    return std::find(points.begin(), points.end(), vertex) != points.end();
}

bool are_all_in(const Polygon& polygon, const std::vector<Vec2>& points) {
    return std::all_of(points.begin(), points.end(),
                       [&](Vec2 point) { return contains(polygon, point); });
}

bool are_in_line(const std::vector<Vec2>& points) {
    for (const Vec2 a : points) {
        for (const Vec2 b : points) {
            if (cross(a - points[0], b - points[0]) != 0.0f) return false;
        }
    }
    return true;
}

/// The corners of a regular polygon, and `between` points on each of its edges.
std::vector<Vec2> ring(int corners, int between, Vec2 center, float radius, float turned) {
    std::vector<Vec2> points;
    const auto corner = [&](int i) {
        const float angle =
            turned + 6.2831853f * static_cast<float>(i) / static_cast<float>(corners);
        return center + Vec2{std::cos(angle), std::sin(angle)} * radius;
    };
    for (int i = 0; i < corners; ++i) {
        for (int k = 0; k <= between; ++k) {
            const float part = static_cast<float>(k) / static_cast<float>(between + 1);
            points.push_back(lerp(corner(i), corner(i + 1), part));
        }
    }
    return points;
}

void shuffle(std::vector<Vec2>& points, test::Random& random) {
    for (std::size_t i = points.size(); i > 1; --i) {
        std::swap(points[i - 1],
                  points[static_cast<std::size_t>(random.integer(0, static_cast<int>(i) - 1))]);
    }
}

}  // namespace

// On a lattice, where everything is exact. There is one such polygon only.
TEST_CASE("a hull is valid, contains all points, and has its corners among them") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < test::many / 50; ++i) {
        std::vector<Vec2> points(static_cast<std::size_t>(random.integer(1, 14)));
        for (Vec2& point : points) point = test::lattice_point(random);
        const Polygon hull = convex_hull(points);
        if (hull.size() == 0) {
            wrong += are_in_line(points) ? 0 : 1;
            continue;
        }
        bool is_right = is_valid(hull) && are_all_in(hull, points);
        for (const Vec2 vertex : hull.vertices()) is_right &= is_one_of(points, vertex);
        wrong += is_right ? 0 : 1;
    }
    CHECK(wrong == 0);
}

TEST_CASE("a hull does not depend on the order of the points, or on points that are there twice") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < test::many / 200; ++i) {
        std::vector<Vec2> points(static_cast<std::size_t>(random.integer(3, 12)));
        for (Vec2& point : points) point = random.point(2.0f);
        const Polygon hull = convex_hull(points);
        points.push_back(points.front());
        shuffle(points, random);
        wrong += convex_hull(points) == hull ? 0 : 1;
    }
    CHECK(wrong == 0);
}

// Rounding puts half of the points on slanted edges outside of the polygon of the corners.
TEST_CASE("points on the edges of a polygon do not become corners") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < test::many / 500; ++i) {
        const int corners = random.integer(3, 12);
        std::vector<Vec2> points =
            ring(corners, random.integer(0, 20), random.point(3.0f),
                 random.log_uniform(1.0f, 100.0f), random.uniform(0.0f, 6.0f));
        shuffle(points, random);
        const Polygon hull = convex_hull(points);
        wrong += hull.size() == static_cast<std::size_t>(corners) ? 0 : 1;
    }
    CHECK(wrong == 0);
}

TEST_CASE("there is no hull of too few points, of points in line, of too many corners, or of NaN") {
    constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
    CHECK(convex_hull({}).size() == 0);
    CHECK(convex_hull(std::array{Vec2{1.0f, 2.0f}}).size() == 0);
    CHECK(convex_hull(std::array{Vec2{1.0f, 2.0f}, Vec2{3.0f, 2.0f}}).size() == 0);
    const std::array slanted{Vec2{0.0f, 0.0f}, Vec2{0.1f, 0.3f}, Vec2{0.7f, 2.1f},
                             Vec2{0.2f, 0.6f}};
    CHECK(convex_hull(slanted).size() == 0);
    CHECK(convex_hull(ring(12, 3, {}, 1.0f, 0.1f)).size() == 12);
    CHECK(convex_hull(ring(13, 0, {}, 1.0f, 0.1f)).size() == 0);
    CHECK(convex_hull(ring(1'000, 0, {}, 1.0f, 0.1f)).size() == 0);
    CHECK(convex_hull(std::array{Vec2{0.0f, 0.0f}, Vec2{1.0f, not_a_number}, Vec2{0.0f, 1.0f},
                                 Vec2{1.0f, 0.0f}})
              .size() == 0);
}

TEST_CASE("points of any finite size have a valid hull or none") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < test::many / 100; ++i) {
        std::vector<Vec2> points(static_cast<std::size_t>(random.integer(3, 8)));
        for (Vec2& point : points) point = {random.any_finite_float(), random.any_finite_float()};
        const Polygon hull = convex_hull(points);
        wrong += hull.size() == 0 || is_valid(hull) ? 0 : 1;
    }
    CHECK(wrong == 0);
}

}  // namespace convex_hull_test

// SPDX-License-Identifier: MIT
// Is a polygon the closed set of points that its vertices span, refused where they do not span a
// convex one, and is its sum with a box what the box covers? And are segments and half-spaces what
// they say?
#include <cmath>
#include <initializer_list>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/collision/collide_polygon.hpp>
#include <phys2d/shapes/half_space.hpp>
#include <phys2d/shapes/polygon.hpp>

#include "../support/polygon_oracle.hpp"
#include "../support/random_polygons.hpp"

namespace polygon_test {

using namespace phys2d;

namespace {

constexpr Polygon ramp{{0.0f, 0.0f}, {2.0f, 0.0f}, {2.0f, 1.0f}};

static_assert(is_valid(ramp) && area(ramp) == 1.0f && ramp.size() == 3);
static_assert(ramp.normal(0) == Vec2{0.0f, -1.0f} && ramp.normal(1) == Vec2{1.0f, 0.0f});
static_assert(contains(ramp, {1.0f, 0.5f}) && !contains(ramp, {1.0f, 0.625f}));
static_assert(Polygon(AABB{{0.0f, 0.0f}, {1.0f, 2.0f}}).vertex(2) == Vec2{1.0f, 2.0f});
static_assert(minkowski_sum(ramp, {}) == ramp);
static_assert(bounds(translate(ramp, {1.0f, 1.0f})) == AABB{{1.0f, 1.0f}, {3.0f, 2.0f}});
static_assert(__is_trivially_copyable(Polygon));

constexpr Vec2 ramp_corners[] = {{0.0f, 0.0f}, {2.0f, 0.0f}, {2.0f, 1.0f}};
static_assert(Polygon(ramp_corners) == ramp && Span<const Vec2>(ramp_corners).size() == 3);

constexpr int some = test::many / 10;

/// Vertices in the same order, wherever it begins.
bool is_same_ring(const Polygon& a, const Polygon& b) {
    for (std::size_t shift = 0; shift < a.size() && a.size() == b.size(); ++shift) {
        std::size_t same = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (a.vertex(i) == b.vertex((i + shift) % b.size())) ++same;
        }
        if (same == a.size()) return true;
    }
    return false;
}

/// The hull of the corners of the box around each vertex: on the lattice, exactly the sum.
Polygon sum_by_hull(const Polygon& polygon, Vec2 half_extents) {
    std::vector<Vec2> corners;
    for (const Vec2 vertex : polygon.vertices()) {
        for (const float x : {-half_extents.x, half_extents.x}) {
            for (const float y : {-half_extents.y, half_extents.y}) {
                corners.push_back(vertex + Vec2{x, y});
            }
        }
    }
    return test::hull(corners.data(), static_cast<int>(corners.size()));
}

/// A quarter of the time no width, a quarter no height.
Vec2 lattice_half_extents(test::Random& random) {
    const float width = test::lattice(random, 1, 8), height = test::lattice(random, 1, 8);
    return {random.one_in(4) ? 0.0f : width, random.one_in(4) ? 0.0f : height};
}

}  // namespace

TEST_CASE("a polygon is built from a list, a vector, a box or a segment, and keeps the order") {
    const std::vector<Vec2> vertices{{0.0f, 0.0f}, {2.0f, 0.0f}, {2.0f, 1.0f}};
    CHECK(Polygon(vertices) == ramp);
    CHECK(ramp.vertices().size() == 3);
    CHECK(ramp.vertices()[1] == Vec2{2.0f, 0.0f});
    CHECK(ramp.edge(2) == Segment{{2.0f, 1.0f}, {0.0f, 0.0f}});
    CHECK(ramp.next(1) == 2);
    CHECK(ramp.next(2) == 0);
    CHECK(area(Polygon(AABB{{-1.0f, 0.0f}, {1.0f, 3.0f}})) == 6.0f);
    CHECK(Polygon(Segment{{0.0f, 0.0f}, {1.0f, 1.0f}}).size() == 2);
    CHECK(Polygon().size() == 0);
    CHECK(Polygon(std::vector<Vec2>(Polygon::capacity + 1)).size() == 0);
}

TEST_CASE(
    "a polygon is valid if it is finite, strictly convex, counter-clockwise and around once") {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
    CHECK_FALSE(is_valid(Polygon{}));
    CHECK_FALSE(is_valid(Polygon{{0.0f, 0.0f}, {1.0f, 0.0f}}));
    CHECK_FALSE(is_valid(Polygon{{0.0f, 0.0f}, {2.0f, 1.0f}, {2.0f, 0.0f}}));
    CHECK_FALSE(is_valid(Polygon{{0.0f, 0.0f}, {1.0f, 0.0f}, {2.0f, 0.0f}, {2.0f, 1.0f}}));
    CHECK_FALSE(is_valid(Polygon{{0.0f, 0.0f}, {2.0f, 0.0f}, {2.0f, 0.0f}, {2.0f, 1.0f}}));
    CHECK_FALSE(is_valid(Polygon{{0.0f, 0.0f}, {2.0f, 0.0f}, {2.0f, 1.0f}, {1.75f, 0.25f}}));
    CHECK_FALSE(is_valid(Polygon{{0.0f, 0.0f}, {not_a_number, 0.0f}, {2.0f, 1.0f}}));
    CHECK_FALSE(is_valid(Polygon{{0.0f, 0.0f}, {2.0f, 0.0f}, {2.0f, infinity}}));
    CHECK_FALSE(is_valid(Polygon{{0.0f, -1.0f}, {infinity, 0.0f}, {0.0f, 1.0f}}));
    // A pentagram turns left at each vertex, but goes around twice.
    CHECK_FALSE(is_valid(
        Polygon{{10.0f, 0.0f}, {-8.0f, 6.0f}, {3.0f, -10.0f}, {3.0f, 10.0f}, {-8.0f, -6.0f}}));
    CHECK(is_valid(
        Polygon{{10.0f, 0.0f}, {3.0f, 10.0f}, {-8.0f, 6.0f}, {-8.0f, -6.0f}, {3.0f, -10.0f}}));
}

TEST_CASE("twelve vertices are valid and thirteen are not") {
    for (const int count : {12, 13}) {
        std::vector<Vec2> vertices;
        for (int i = 0; i < count; ++i) {
            const double angle = 6.28318530717958 * i / count;
            vertices.push_back(
                {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))});
        }
        CHECK(Polygon(vertices).size() == static_cast<std::size_t>(count));
        CHECK(is_valid(Polygon(vertices)) == (count == 12));
    }
}

TEST_CASE(
    "normals are unit vectors out of the polygon, square to the edges, and exact along axes") {
    test::Random random;
    int wrong = 0, exact = 0;
    for (int i = 0; i < some; ++i) {
        const bool on_lattice = random.one_in(2);
        const Polygon polygon =
            on_lattice ? test::lattice_polygon(random) : test::random_polygon(random);
        for (std::size_t k = 0; k < polygon.size(); ++k) {
            const Vec2 edge = polygon.edge(k).to - polygon.edge(k).from, normal = polygon.normal(k);
            const double length = std::hypot(double{edge.x}, double{edge.y});
            const double off = std::hypot(normal.x - edge.y / length, normal.y + edge.x / length);
            if (off > 2e-7) ++wrong;
            if (edge.x != 0.0f && edge.y != 0.0f) continue;
            ++exact;
            if (abs(normal.x) + abs(normal.y) != 1.0f) ++wrong;
            if (std::signbit(normal.x) != (normal.x < 0.0f)) ++wrong;
            if (std::signbit(normal.y) != (normal.y < 0.0f)) ++wrong;
        }
    }
    CHECK(wrong == 0);
    CHECK(exact > some / 2);
}

TEST_CASE("a polygon contains its border, what is inside, and nothing else") {
    test::Random random;
    int wrong = 0, inside = 0;
    for (int i = 0; i < some; ++i) {
        const Polygon polygon = test::random_polygon(random);
        const Vec2 point = polygon.vertex(0) + random.point(2.0f);
        const double away = test::separate(test::exact(polygon), test::exact(point)).separation;
        if (std::fabs(away) < 1e-6) continue;
        if (away < 0.0) ++inside;
        if (contains(polygon, point) != (away < 0.0)) ++wrong;
    }
    for (int i = 0; i < some; ++i) {
        const Polygon polygon = test::lattice_polygon(random);
        const Segment edge = polygon.edge(0);
        if (!contains(polygon, edge.from) || !contains(polygon, lerp(edge.from, edge.to, 0.5f))) {
            ++wrong;
        }
        if (contains(polygon, edge.from + polygon.normal(0) * 1e-5f)) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(inside > some / 20);
}

TEST_CASE("a segment contains its points, and nothing else of its line") {
    constexpr Segment segment{{0.0f, 0.0f}, {2.0f, 1.0f}};
    CHECK(contains(segment, {0.0f, 0.0f}));
    CHECK(contains(segment, {1.0f, 0.5f}));
    CHECK(contains(segment, {2.0f, 1.0f}));
    CHECK_FALSE(contains(segment, {4.0f, 2.0f}));
    CHECK_FALSE(contains(segment, {1.0f, 0.625f}));
    CHECK_FALSE(contains(Segment{{0.0f, 0.0f}, {2.0f, 0.0f}}, {2.125f, 0.0f}));
    CHECK(bounds(Segment{{2.0f, 0.0f}, {0.0f, 1.0f}}) == AABB{{0.0f, 0.0f}, {2.0f, 1.0f}});
    CHECK(translate(segment, {1.0f, 1.0f}) == Segment{{1.0f, 1.0f}, {3.0f, 2.0f}});
    CHECK(is_valid(segment));
    CHECK_FALSE(is_valid(Segment{{1.0f, 1.0f}, {1.0f, 1.0f}}));
    CHECK_FALSE(is_valid(Segment{{1.0f, 1.0f}, {1.0f, std::numeric_limits<float>::infinity()}}));
    CHECK_FALSE(is_valid(Segment{{1.0f, std::numeric_limits<float>::quiet_NaN()}, {1.0f, 1.0f}}));
}

TEST_CASE("a half-space contains its border, and is valid if its normal has length one") {
    const HalfSpace slope = half_space_through({1.0f, 2.0f}, {-3.0f, 4.0f});
    CHECK(slope == HalfSpace{{-0.6f, 0.8f}, 1.0f});
    CHECK(contains(HalfSpace{{0.0f, 1.0f}, 2.0f}, {50.0f, 2.0f}));
    CHECK_FALSE(contains(HalfSpace{{0.0f, 1.0f}, 2.0f}, {50.0f, 2.125f}));
    CHECK(signed_distance(slope, {1.0f, 7.0f}) == doctest::Approx(4.0));
    CHECK(translate(HalfSpace{{0.0f, 1.0f}, 2.0f}, {5.0f, 1.0f}).offset == 3.0f);
    CHECK(is_valid(slope));
    CHECK_FALSE(is_valid(HalfSpace{{0.0f, 0.0f}, 0.0f}));
    CHECK_FALSE(is_valid(HalfSpace{{0.75f, 0.75f}, 0.0f}));
    CHECK_FALSE(is_valid(HalfSpace{{0.0f, 1.0f}, std::numeric_limits<float>::quiet_NaN()}));
    CHECK_FALSE(is_valid(HalfSpace{{std::numeric_limits<float>::quiet_NaN(), 1.0f}, 0.0f}));
    CHECK_FALSE(is_valid(HalfSpace{{std::numeric_limits<float>::infinity(), 0.0f}, 0.0f}));
}

TEST_CASE(
    "the area is that of the trapezoids below the edges, and grows with the square of the scale") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < some; ++i) {
        const Polygon polygon = test::random_polygon(random);
        const test::Ring ring = test::exact(polygon);
        double expected = 0.0;
        for (int k = 0; k < ring.size; ++k) {
            const test::Point from = ring.at(k), to = ring.at(k + 1);
            expected += (from.x - to.x) * (from.y + to.y) / 2;
        }
        if (std::fabs(area(polygon) - expected) > 1e-5) ++wrong;
        if (area(scale(polygon, 4.0f)) != 16.0f * area(polygon)) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("the sum with a box is the hull of its corners at every vertex, vertex for vertex") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < some; ++i) {
        const Polygon polygon = random.one_in(4) ? Polygon(test::lattice_segment(random))
                                                 : test::lattice_polygon(random);
        const Vec2 half_extents = lattice_half_extents(random);
        const Polygon sum = minkowski_sum(polygon, half_extents);
        if (!is_same_ring(sum, sum_by_hull(polygon, half_extents))) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("the sum reaches as far as polygon and box together, in every direction") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < some; ++i) {
        const Polygon polygon = test::random_polygon(random);
        const Vec2 half_extents{random.uniform(0.0f, 2.0f), random.uniform(0.0f, 2.0f)};
        const Polygon sum = minkowski_sum(polygon, half_extents);
        if (sum.size() > polygon.size() + 4) ++wrong;
        const Vec2 way = random.direction();
        float reach = -HUGE_VALF, sum_reach = -HUGE_VALF;
        for (const Vec2 vertex : polygon.vertices()) reach = max(reach, dot(vertex, way));
        for (const Vec2 vertex : sum.vertices()) sum_reach = max(sum_reach, dot(vertex, way));
        if (std::fabs(sum_reach - reach - dot(half_extents, abs(way))) > 4e-6f) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("a box of no size adds nothing, a flat one two vertices, and a box to a box none") {
    constexpr Polygon diamond{{0.0f, -1.0f}, {1.0f, 0.0f}, {0.0f, 1.0f}, {-1.0f, 0.0f}};
    CHECK(minkowski_sum(diamond, {}) == diamond);
    CHECK(minkowski_sum(diamond, {1.0f, 0.0f}).size() == 6);
    CHECK(minkowski_sum(diamond, {0.0f, 1.0f}).size() == 6);
    CHECK(minkowski_sum(diamond, {1.0f, 1.0f}).size() == 8);
    const AABB box{{0.0f, 0.0f}, {2.0f, 1.0f}};
    CHECK(minkowski_sum(Polygon(box), {1.0f, 0.5f}) == Polygon(AABB{{-1.0f, -0.5f}, {3.0f, 1.5f}}));
    CHECK(minkowski_sum(Segment{{0.0f, 0.0f}, {2.0f, 0.0f}}, {1.0f, 0.0f}).size() == 2);
    CHECK(minkowski_sum(Segment{{0.0f, 0.0f}, {2.0f, 1.0f}}, {1.0f, 1.0f}).size() == 6);
    // Too small to tell from nothing beside such large numbers.
    CHECK(minkowski_sum(translate(diamond, {4096.0f, 0.0f}), {1e-6f, 0.0f}).size() == 4);
}

TEST_CASE("a vertex that rounding has put in line with its neighbours does no harm") {
    const Polygon roof{{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}, {0.5f, 1.00001f}, {0.0f, 1.0f}};
    REQUIRE(is_valid(roof));
    const Polygon far = translate(roof, {1'000.0f, 1'000.0f});
    const Box box{{0.25f, 0.25f}, {1'000.5f, 1'000.5f}};
    CHECK(collide(far, box).penetration == doctest::Approx(0.75));
    const Polygon wide = minkowski_sum(roof, {1'000.0f, 1'000.0f});
    CHECK(collide(wide, Box{{0.5f, 0.5f}, {0.5f, 500.5f}}).penetration == doctest::Approx(501.0));
    for (const Vec2 middle : {Vec2{0.5f, 0.0f}, {1.0f, 0.5f}, {0.5f, 1.0f}, {0.0f, 0.5f}}) {
        const Vec2 corners[] = {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}, {0.0f, 1.0f}};
        Vec2 vertices[5];
        std::size_t count = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            vertices[count++] = corners[i];
            if (middle == (corners[i] + corners[(i + 1) % 4]) * 0.5f) vertices[count++] = middle;
        }
        const Polygon square{Span<const Vec2>(vertices, count)};
        REQUIRE(square.size() == 5);
        CHECK(collide(square, Box{{0.1f, 0.1f}, {0.5f, 0.75f}}).penetration ==
              doctest::Approx(0.35));
    }
}

}  // namespace polygon_test

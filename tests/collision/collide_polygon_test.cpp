// SPDX-License-Identifier: MIT
// Does `collide` say how deep, along which normal and where shapes touch polygons, segments and
// half-spaces: against brute force in double, against the shapes that some of them are, on ties, at
// any scale?
#include <cmath>
#include <initializer_list>

#include <doctest/doctest.h>

#include <phys2d/collision/collide.hpp>
#include <phys2d/collision/collide_polygon.hpp>
#include <phys2d/collision/overlap.hpp>

#include "../support/polygon_oracle.hpp"
#include "../support/random_polygons.hpp"

namespace collide_polygon_test {

using namespace phys2d;
using test::distance_to, test::near, test::scaled;

namespace {

constexpr Polygon ramp{{0.0f, 0.0f}, {2.0f, 0.0f}, {2.0f, 1.0f}};

static_assert(collide(ramp, Circle{1.0f, {1.0f, -0.5f}}).penetration == 0.5f);
static_assert(collide(Box{{1.0f, 1.0f}, {2.75f, 0.5f}}, ramp).normal == Vec2{-1.0f, 0.0f});
static_assert(overlaps(ramp, Circle{1.0f, {3.0f, 0.5f}}));
static_assert(overlaps(Segment{{0.0f, 0.0f}, {2.0f, 0.0f}}, Circle{1.0f, {1.0f, -1.0f}}));
static_assert(collide(HalfSpace{}, Box{{1.0f, 1.0f}}).penetration == 1.0f);

constexpr int some = test::many / 10;
constexpr double tolerance = 1e-5;  // [m] numbers below 10 are rounded a dozen times

struct Tally {
    int wrong_depth = 0, wrong_normal = 0, wrong_point = 0, overlapping = 0, unclear = 0;

    void check(const Polygon& polygon, const Shape& shape) {
        const test::Truth truth = test::separate(test::exact(polygon), test::exact(shape));
        const Manifold found = collide(polygon, shape);
        if (truth.separation < 0.0) ++overlapping;
        if (std::fabs(found.penetration + truth.separation) > tolerance) ++wrong_depth;
        check_normal(found.normal, truth, test::exact(polygon), test::exact(shape));
        // Half the penetration from either surface; no surface bounds what is cut through.
        const Vec2 half = found.normal * (0.5f * found.penetration);
        if (distance_to(polygon, found.point + half) > tolerance) ++wrong_point;
        if (distance_to(shape, found.point - half) > tolerance) ++wrong_point;
    }

    void check_normal(Vec2 normal, const test::Truth& truth, const test::Ring& polygon,
                      const test::Rounded& shape) {
        if (std::fabs(length(normal) - 1.0f) > 3e-7f) ++wrong_normal;
        const double gap = test::gap_along(polygon, shape, normal);
        if (std::fabs(gap - truth.separation) > tolerance) ++wrong_normal;
        if (truth.clarity < 1e-3) {
            ++unclear;
        } else if (std::hypot(normal.x - truth.normal_x, normal.y - truth.normal_y) >
                   2.0 * test::normal_tolerance(truth)) {
            ++wrong_normal;
        }
    }
};

bool is_near(const Manifold& a, const Manifold& b, float limit) {
    return std::fabs(a.penetration - b.penetration) <= limit && near(a.normal, b.normal, limit) &&
           near(a.point, b.point, limit);
}

/// A box below the line, so large that its other sides are out of reach.
Shape huge_box_below(float top) { return AABB{{-4096.0f, top - 4096.0f}, {4096.0f, top}}; }

}  // namespace

TEST_CASE("shapes and polygons touch as separating axes and every edge and vertex say") {
    test::Random random;
    Tally tally;
    for (int i = 0; i < some; ++i) {
        tally.check(test::random_polygon(random), test::random_shape(random));
    }
    CHECK(tally.wrong_depth == 0);
    CHECK(tally.wrong_normal == 0);
    CHECK(tally.wrong_point == 0);
    CHECK(tally.overlapping > some / 10);
    CHECK(tally.overlapping < some / 2);
    CHECK(tally.unclear < some / 50);
}

TEST_CASE("shapes and segments touch likewise, from both sides and at the ends") {
    test::Random random;
    Tally tally;
    for (int i = 0; i < some; ++i) {
        tally.check(test::random_segment(random), test::random_shape(random));
    }
    CHECK(tally.wrong_depth == 0);
    CHECK(tally.wrong_normal == 0);
    CHECK(tally.wrong_point == 0);
    CHECK(tally.overlapping > some / 20);
    CHECK(tally.unclear < some / 5);
}

TEST_CASE("on the lattice, where edges are in line and corners meet, depths are right as well") {
    test::Random random;
    Tally tally;
    int touching = 0, disagreeing = 0;
    for (int i = 0; i < some; ++i) {
        const Polygon polygon = random.one_in(3) ? Polygon(test::lattice_segment(random))
                                                 : test::lattice_polygon(random);
        const Shape shape = test::lattice_shape(random);
        tally.check(polygon, shape);
        const Manifold found = collide(polygon, shape);
        if (found.penetration == 0.0f) ++touching;
        if (overlaps(polygon, shape) != static_cast<bool>(found)) ++disagreeing;
        if (overlaps(shape, polygon) != static_cast<bool>(found)) ++disagreeing;
        if (!is_near(flipped(collide(shape, polygon)), found, 0.0f)) ++disagreeing;
    }
    CHECK(tally.wrong_depth == 0);
    CHECK(tally.wrong_normal == 0);
    CHECK(tally.wrong_point == 0);
    CHECK(touching > some / 500);
    CHECK(disagreeing == 0);
}

TEST_CASE("a polygon that is a box answers what the box does, ties included") {
    test::Random random;
    int wrong = 0, wrong_on_lattice = 0, disagreeing = 0;
    for (int i = 0; i < some; ++i) {
        const AABB box = test::random_aabb(random);
        const Shape shape = test::random_shape(random);
        const Manifold expected = collide(box, shape);
        const test::Truth truth = test::separate(test::exact(box), test::exact(shape));
        if (truth.clarity > 1e-2 && !is_near(collide(Polygon(box), shape), expected, 1e-4f))
            ++wrong;
    }
    for (int i = 0; i < some; ++i) {
        const AABB box = test::lattice_aabb(random);
        const Shape shape = test::lattice_shape(random);
        if (!is_near(collide(Polygon(box), shape), collide(box, shape), 1e-6f)) ++wrong_on_lattice;
        const float gap = std::fabs(collide(box, shape).penetration);
        if (gap > 0.0f && gap < 1e-6f) continue;  // overlaps() takes no root, and rounds otherwise
        if (overlaps(Polygon(box), shape) != overlaps(Shape(box), shape)) ++disagreeing;
    }
    CHECK(wrong == 0);
    CHECK(wrong_on_lattice == 0);
    CHECK(disagreeing == 0);
}

TEST_CASE("coincident centres part upwards, or to the right where that is shorter") {
    const Polygon square(AABB{{-1.0f, -1.0f}, {1.0f, 1.0f}});
    const Polygon tall(AABB{{-1.0f, -2.0f}, {1.0f, 2.0f}});
    const Polygon diamond{{0.0f, -1.0f}, {1.0f, 0.0f}, {0.0f, 1.0f}, {-1.0f, 0.0f}};
    CHECK(collide(square, Circle{0.5f}).normal == Vec2{0.0f, 1.0f});
    CHECK(collide(tall, Box{}).normal == Vec2{1.0f, 0.0f});
    CHECK(collide(tall, Box{}).penetration == 1.5f);
    const Vec2 normal = collide(diamond, Circle{0.5f}).normal;
    CHECK(normal.x > 0.0f);
    CHECK(normal.y == normal.x);
    CHECK(collide(Segment{{-1.0f, 0.0f}, {1.0f, 0.0f}}, Circle{0.5f}).normal == Vec2{0.0f, 1.0f});
    CHECK(collide(Segment{{0.0f, 1.0f}, {0.0f, -1.0f}}, Circle{0.5f}).normal == Vec2{1.0f, 0.0f});
}

TEST_CASE("with which vertex a polygon begins makes no difference on the lattice") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < some; ++i) {
        const Polygon polygon = test::lattice_polygon(random);
        const Shape shape = test::lattice_shape(random);
        Vec2 turned[Polygon::capacity];
        for (std::size_t k = 0; k < polygon.size(); ++k)
            turned[polygon.next(k)] = polygon.vertex(k);
        const Polygon same(Span<const Vec2>(turned, polygon.size()));
        const Manifold found = collide(polygon, shape), again = collide(same, shape);
        if (std::fabs(found.penetration - again.penetration) > 1e-6f) ++wrong;
        const test::Truth truth = test::separate(test::exact(polygon), test::exact(shape));
        // Slopes that are as near as each other are, but for rounding; axes exactly.
        const bool is_axis = truth.normal_x == 0.0 || truth.normal_y == 0.0;
        const bool is_clear = is_axis ? truth.clarity == 0.0 : truth.clarity > 1e-5;
        if (is_clear && !near(found.normal, again.normal, 1e-6f)) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE(
    "the same scene 2^k times as large gives the same answer, 2^k times as large, to the bit") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < some; ++i) {
        const Polygon polygon = test::random_polygon(random);
        const Shape shape = test::random_shape(random);
        const Manifold found = collide(polygon, shape);
        for (const float factor : {0x1p-40f, 0x1p-7f, 0x1p10f, 0x1p40f}) {
            const Manifold large = collide(scale(polygon, factor), scaled(shape, factor));
            if (large.normal != found.normal) ++wrong;
            if (large.penetration != found.penetration * factor) ++wrong;
            if (large.point != found.point * factor) ++wrong;
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("far from the origin the answer is as good as the places are") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < some; ++i) {
        // Multiples of 1/8 have room in a float at 8 km: the places are moved without rounding.
        const float x = test::lattice(random, -64, 64), y = test::lattice(random, -64, 64);
        const Vec2 far = Vec2{x, y} * 1024.0f;
        const Polygon polygon = test::lattice_polygon(random);
        Shape shape = test::random_shape(random);
        shape.center = test::lattice_point(random);
        const Manifold here = collide(polygon, shape);
        const Manifold there = collide(translate(polygon, far), translate(shape, far));
        if (there.penetration != here.penetration || there.normal != here.normal) ++wrong;
        if (!near(there.point, here.point + far, 0x1p-9f)) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("below a vertex that hardly turns what is inside stays inside, small or large") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < some; ++i) {
        const Vec2 along = random.direction(), up = perpendicular(along);
        const float size = random.one_in(2) ? 1.0f : 1000.0f,
                    turn = random.one_in(2) ? 1e-6f : 1e-3f;
        const Vec2 top = up * (turn * size), left = along * -size, right = along * size;
        const Polygon roof{left - up * size, right - up * size, right, top, left};
        if (!is_valid(roof)) continue;
        const Vec2 point = top - up * (size * random.uniform(0.0f, 0.5f));
        const test::Truth truth = test::separate(test::exact(roof), test::exact(point));
        const Manifold found = collide(roof, Circle{0.0f, point});
        if (std::fabs(found.penetration + truth.separation) > 1e-6 * size) ++wrong;
        if (dot(found.normal, up) < 0.99f) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("what is in line with a sliver or a segment, beyond its end, is as far as the end") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < some; ++i) {
        const Vec2 along = random.direction(), from = random.point(3.0f);
        const Vec2 to = from + along * random.uniform(0.5f, 3.0f);
        const Polygon sliver{from, to, lerp(from, to, 0.5f) + perpendicular(along) * 1e-6f};
        const float beyond = random.uniform(1e-3f, 5.0f);
        const Circle circle{0.5f, to + along * beyond};
        const Manifold found = collide(Segment{from, to}, circle);
        if (std::fabs(found.penetration - (0.5f - beyond)) > 1e-5f) ++wrong;
        if (!near(found.normal, along, 2e-3f)) ++wrong;
        if (!is_valid(sliver)) continue;
        if (std::fabs(collide(sliver, circle).penetration - (0.5f - beyond)) > 1e-5f) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("a segment whose ends are the same is a point") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < some; ++i) {
        const Vec2 point = random.point(3.0f);
        const Shape shape = translate(test::random_shape(random), random.point(2.0f));
        const Manifold found = collide(Segment{point, point}, shape);
        if (!is_near(found, collide(Circle{0.0f, point}, shape), 1e-5f)) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("in or beside a box of any size, polygons and segments that vanish there are points") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < some; ++i) {
        const float size = random.log_uniform(1e8f, 1e15f);
        const Box box{{size, size * random.uniform(0.1f, 1.0f)}, random.point(2.0f) * size};
        const Segment segment = test::random_segment(random);
        const float depth = collide(Circle{0.0f}, box).penetration;
        for (const Polygon& polygon : {test::random_polygon(random), Polygon(segment)}) {
            if (!(std::fabs(collide(polygon, box).penetration - depth) < 1e-6f * size)) ++wrong;
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("a half-space below is a huge box, deep inside as well") {
    test::Random random;
    int wrong = 0, overlapping = 0;
    for (int i = 0; i < some; ++i) {
        const float top = test::lattice(random, -16, 16);
        const Shape shape = test::random_shape(random), box = huge_box_below(top);
        const HalfSpace ground{{0.0f, 1.0f}, top};
        const Manifold found = collide(ground, shape), expected = collide(box, shape);
        if (found) ++overlapping;
        if (!is_near(found, expected, 1e-3f)) ++wrong;  // a box of 4 km is rounded to 0.5 mm
        if (std::fabs(found.penetration - (top - bounds(shape).min.y)) > 2e-6f) ++wrong;
        if (overlaps(ground, shape) != static_cast<bool>(found)) ++wrong;
        if (!is_near(flipped(collide(shape, ground)), found, 0.0f)) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(overlapping > some / 4);
}

TEST_CASE("a half-space at any slope is as deep as the deepest of many points of the shape") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < some; ++i) {
        const HalfSpace space = half_space_through(random.point(3.0f), random.direction());
        const Shape shape = test::random_shape(random);
        const Manifold found = collide(space, shape);
        const test::Ring core = test::core_of(test::exact(shape));
        double lowest = HUGE_VAL;
        for (int k = 0; k < core.size; ++k) {
            const double height = core.points[k].x * space.normal.x +
                                  core.points[k].y * space.normal.y - space.offset - shape.radius;
            lowest = std::fmin(lowest, height);
        }
        if (std::fabs(found.penetration + lowest) > tolerance) ++wrong;
        const Vec2 half = found.normal * (0.5f * found.penetration);
        if (std::fabs(signed_distance(space, found.point + half)) > 1e-5f) ++wrong;
        if (distance_to(shape, found.point - half) > tolerance) ++wrong;
        if (found.normal != space.normal || !overlaps(shape, space) != !found) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("with a point as the other shape the normal leads to the nearest point of the border") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < some; ++i) {
        const Vec2 p = random.point(4.0f);
        const auto border_near = [p](const auto& solid) {
            const Manifold found = collide(solid, Circle{0.0f, p});
            return p + found.normal * found.penetration;
        };
        const HalfSpace space = half_space_through(random.point(3.0f), random.direction());
        if (std::fabs(signed_distance(space, border_near(space))) > 1e-5f) ++wrong;
        const auto is_on_border = [&](const auto& solid) {
            return std::fabs(distance_to(solid, border_near(solid))) < tolerance;
        };
        if (!is_on_border(test::random_shape(random))) ++wrong;
        if (!is_on_border(test::random_polygon(random))) ++wrong;
    }
    CHECK(wrong == 0);
}

}  // namespace collide_polygon_test

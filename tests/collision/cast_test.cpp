// SPDX-License-Identifier: MIT
// Do casts meet shapes where and when they should, however far and fast? SCENES [3]
#include <cmath>

#include <doctest/doctest.h>

#include <phys2d/collision/cast.hpp>
#include <phys2d/collision/overlap.hpp>

#include "support/random.hpp"
#include "support/random_shapes.hpp"

using namespace phys2d;

namespace {

/// Signed distance in double precision.
double distance_at(const Shape& shape, double x, double y) {
    const double q_x = std::fabs(x - shape.center.x) - shape.half_extents.x;
    const double q_y = std::fabs(y - shape.center.y) - shape.half_extents.y;
    return std::hypot(std::fmax(q_x, 0.0), std::fmax(q_y, 0.0)) +
           std::fmin(std::fmax(q_x, q_y), 0.0) - shape.radius;
}

struct Walk {
    bool hits = false;
    double way = 0.0;      ///< to the hit
    double nearest = 1e9;  ///< it has ever been
};

/// Steps along a ray that are as long as nothing can be nearer. [Hart1996, sphere tracing]
Walk walk(const Shape& shape, Vec2 origin, Vec2 way) {
    const double whole = std::hypot(way.x, way.y);
    Walk walk;
    for (int i = 0; i < 2000 && walk.way <= whole; ++i) {
        const double part = walk.way / whole;
        const double distance =
            distance_at(shape, origin.x + part * way.x, origin.y + part * way.y);
        walk.nearest = std::fmin(walk.nearest, distance);
        walk.hits = distance < 1e-9;
        if (walk.hits) break;
        walk.way += distance;
    }
    return walk;
}

}  // namespace

TEST_CASE("rays meet shapes where stepping along them does, from near and from kilometres away") {
    test::Random random;
    int hits = 0, wrong = 0;
    for (int i = 0; i < test::many / 5; ++i) {
        const Shape shape = test::random_shape(random);
        const Vec2 origin = random.point(6.0f);
        const Vec2 way = random.point(8.0f) * (random.one_in(5) ? 1000.0f : 1.0f);
        if (distance_at(shape, origin.x, origin.y) < 1e-5) continue;
        const Walk expected = walk(shape, origin, way);
        const bool is_close_call =
            expected.nearest < 2e-5 || std::fabs(expected.way - length(way)) < 1e-3;
        const CastHit hit = ray_cast(shape, origin, way);
        if (static_cast<bool>(hit) != expected.hits) {
            wrong += is_close_call ? 0 : 1;
        } else if (hit) {
            ++hits;
            const double part = static_cast<double>(hit.fraction);
            const double off = distance_at(shape, origin.x + part * way.x, origin.y + part * way.y);
            wrong += std::fabs(off) < 1e-5 * (1.0 + 1e-2 * length(way)) ? 0 : 1;
            wrong += std::fabs(length(hit.normal) - 1.0f) < 1e-5f ? 0 : 1;
            wrong += dot(hit.normal, way) < 0.0f ? 0 : 1;
        }
    }
    CHECK(wrong == 0);
    CHECK(hits > test::many / 100);
}

TEST_CASE("a shape that is cast touches what it hits, and does not before") {
    test::Random random;
    int wrong = 0, hits = 0;
    for (int i = 0; i < test::many / 10; ++i) {
        const Shape moving = translate(test::random_shape(random), random.point(5.0f));
        const Shape other = test::random_shape(random);
        const Vec2 way = random.point(12.0f);
        if (overlaps(moving, other)) continue;
        const CastHit hit = shape_cast(moving, way, other);
        if (!hit) continue;
        ++hits;
        const Manifold there = collide(other, translate(moving, way * hit.fraction));
        wrong += std::fabs(there.penetration) < 1e-5f ? 0 : 1;
        wrong += dot(hit.normal, way) < 0.0f ? 0 : 1;
        const Shape before = translate(moving, way * mul(hit.fraction, 0.99f));
        wrong += overlaps(before, other) && hit.fraction > 1e-3f ? 1 : 0;
    }
    CHECK(wrong == 0);
    CHECK(hits > test::many / 200);
}

TEST_CASE("to cast a past b is to cast b past a the other way") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < test::many / 10; ++i) {
        const Shape a = test::random_shape(random), b = test::random_shape(random);
        const Vec2 way = random.point(8.0f);
        const CastHit there = shape_cast(a, way, b), back = shape_cast(b, -way, a);
        wrong += there.fraction == back.fraction && there.normal == -back.normal ? 0 : 1;
    }
    CHECK(wrong == 0);
}

TEST_CASE("a box over abutting tiles meets their tops squarely, and slides along them freely") {
    for (float x = -3.0f; x < 3.0f; x += 0.0625f) {
        const Shape box = Box{{0.4f, 0.4f}, {x, 0.9f}};
        CastHit down, along;
        for (int tile = -5; tile <= 5; ++tile) {
            const Shape ground = Box{{0.5f, 0.5f}, {static_cast<float>(tile), 0.0f}};
            const CastHit hit = shape_cast(translate(box, {0.0f, 1.0f}), {0.0f, -2.0f}, ground);
            if (hit.fraction < down.fraction) down = hit;
            const CastHit slide = shape_cast(box, {4.0f, 0.0f}, ground);
            if (slide) along = slide;
        }
        CHECK(down.normal == Vec2{0.0f, 1.0f});
        CHECK(down.fraction == doctest::Approx(0.5f));
        CHECK_FALSE(along);
    }
}

TEST_CASE("a ray on the seam of two tiles, or along a face, hits") {
    const Shape left = Box{{0.5f, 0.5f}, {-0.5f, 0.0f}}, right = Box{{0.5f, 0.5f}, {0.5f, 0.0f}};
    CHECK((ray_cast(left, {0.0f, 5.0f}, {0.0f, -9.0f}) ||
           ray_cast(right, {0.0f, 5.0f}, {0.0f, -9.0f})));
    CHECK(ray_cast(left, {-5.0f, 0.5f}, {9.0f, 0.0f}));
}

TEST_CASE("a ray from inside hits at once, with the nearest way out") {
    const CastHit hit = ray_cast(Box{{1.0f, 2.0f}}, {0.9f, 0.5f}, {-3.0f, 0.0f});
    CHECK(hit.fraction == 0.0f);
    CHECK(hit.normal == Vec2{1.0f, 0.0f});
    CHECK(hit.point == Vec2{0.9f, 0.5f});
}

TEST_CASE("an overlap stops what would deepen it, and nothing else") {
    const Shape ground = Box{{5.0f, 1.0f}};
    const Shape foot = Circle{0.5f, {0.0f, 1.4f}};
    CHECK(shape_cast(foot, {0.0f, -1.0f}, ground).fraction == 0.0f);
    CHECK_FALSE(shape_cast(foot, {3.0f, 0.0f}, ground));
    CHECK_FALSE(shape_cast(foot, {1.0f, 1.0f}, ground));
}

TEST_CASE("no way at all meets what is there already, and nothing else") {
    CHECK_FALSE(ray_cast(Circle{1.0f}, {2.0f, 0.0f}, {}));
    CHECK(ray_cast(Circle{1.0f}, {0.5f, 0.0f}, {}));
    CHECK_FALSE(shape_cast(Circle{1.0f, {3.0f, 0.0f}}, {}, Circle{1.0f}));
}

TEST_CASE("casts are constant expressions") {
    static_assert(ray_cast(Circle{1.0f}, {-3.0f, 0.0f}, {4.0f, 0.0f}).fraction == 0.5f);
    static_assert(
        shape_cast(Box{{0.5f, 0.5f}, {-3.0f, 0.0f}}, {2.0f, 0.0f}, Box{{0.5f, 0.5f}}).normal ==
        Vec2{-1.0f, 0.0f});
}

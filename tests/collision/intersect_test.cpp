// SPDX-License-Identifier: MIT
// Does `intersect` find where a segment first meets the border of a polygon, from outside, from
// inside, from the border itself, along it, at a vertex, or with no length at all: against every
// edge, one by one?
#include <cmath>

#include <doctest/doctest.h>

#include <phys2d/collision/intersect.hpp>

#include "../support/polygon_oracle.hpp"
#include "../support/random_polygons.hpp"

namespace intersect_test {

using namespace phys2d;
using test::distance_to;

namespace {

constexpr Polygon ramp{{0.0f, 0.0f}, {2.0f, 0.0f}, {2.0f, 1.0f}};

static_assert(intersect({{4.0f, 0.5f}, {0.0f, 0.5f}}, ramp).t == 0.5f);
static_assert(intersect({{1.5f, 0.25f}, {3.5f, 0.25f}}, ramp).from_inside);
static_assert(!intersect({{1.5f, 0.25f}, {1.75f, 0.25f}}, ramp));

constexpr int some = test::many / 10;

/// Where the way from p to q crosses the edge from a to b: how far along each, from 0 to 1.
struct Crossing {
    double t, part;
};

double cross(test::Point a, test::Point b) { return a.x * b.y - a.y * b.x; }

Crossing crossing(test::Point p, test::Point q, test::Point a, test::Point b) {
    const test::Point way{q.x - p.x, q.y - p.y}, edge{b.x - a.x, b.y - a.y};
    const test::Point to_edge{a.x - p.x, a.y - p.y};
    const double turn = cross(way, edge);
    return {cross(to_edge, edge) / turn, cross(to_edge, way) / turn};
}

/// What the edges, one by one, say about a segment, and how far they are from saying something
/// else.
struct FirstCrossing {
    double t = 2.0, clarity = HUGE_VAL;
    Vec2 normal{};

    FirstCrossing(const Segment& segment, const Polygon& polygon) {
        const test::Point p{segment.from.x, segment.from.y}, q{segment.to.x, segment.to.y};
        const test::Ring ring = test::exact(polygon);
        for (int i = 0; i < ring.size; ++i) {
            const Crossing found = crossing(p, q, ring.at(i), ring.at(i + 1));
            const double ends = std::fmin(std::fabs(found.part), std::fabs(1.0 - found.part));
            const double tips = std::fmin(std::fabs(found.t), std::fabs(1.0 - found.t));
            clarity =
                std::fmin(clarity, std::fmax(ends, tips) < 1e-3 ? 0.0 : std::fmin(ends, tips));
            if (found.part < 0.0 || found.part > 1.0 || found.t < 0.0 || found.t > 1.0) continue;
            if (found.t >= t) continue;
            t = found.t;
            normal = polygon.normal(static_cast<std::size_t>(i));
        }
    }
};

void check_hit(const SegmentHit& hit, float t, Vec2 point, Vec2 normal) {
    CHECK(hit.t == t);
    CHECK(hit.point == point);
    CHECK(hit.normal == normal);
}

}  // namespace

TEST_CASE("a segment first meets the border where the first of all edges crosses it") {
    test::Random random;
    int wrong = 0, from_outside = 0, from_inside = 0, misses = 0;
    for (int i = 0; i < some; ++i) {
        const Polygon polygon = test::random_polygon(random);
        const Vec2 from =
            random.one_in(2) ? polygon.vertex(0) + random.point(1.0f) : random.point(6.0f);
        const Segment segment{from, from + random.point(9.0f)};
        const FirstCrossing expected(segment, polygon);
        if (expected.clarity < 1e-4) continue;
        const SegmentHit hit = intersect(segment, polygon);
        const bool is_inside = distance_to(polygon, segment.from) < 0.0;
        if (static_cast<bool>(hit) != (expected.t <= 1.0)) ++wrong;
        if (!hit) ++misses;
        if (!hit || expected.t > 1.0) continue;
        ++(is_inside ? from_inside : from_outside);
        const Vec2 way = segment.to - segment.from;
        const double flat = length(way) / std::fabs(dot(way, expected.normal));
        if (std::fabs(hit.t - expected.t) * length(way) > 1e-5 * flat) ++wrong;
        if (hit.from_inside != is_inside || hit.normal != expected.normal) ++wrong;
        if ((dot(hit.normal, way) > 0.0f) != is_inside) ++wrong;
        if (std::fabs(distance_to(polygon, hit.point)) > 2e-6) ++wrong;
        if (length(hit.point - lerp(segment.from, segment.to, hit.t)) > 1e-5f) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(from_outside > some / 20);
    CHECK(from_inside > some / 20);
    CHECK(misses > some / 20);
}

TEST_CASE(
    "a segment through a polygon leaves at the same place that it enters by the other way round") {
    test::Random random;
    int wrong = 0, through = 0;
    for (int i = 0; i < some; ++i) {
        const Polygon polygon = test::random_polygon(random);
        const Vec2 inside =
            lerp(lerp(polygon.vertex(0), polygon.vertex(1), 0.5f), polygon.vertex(2), 0.5f);
        const Vec2 way = random.direction() * random.log_uniform(10.0f, 1e6f);
        const float rounding = 1e-5f + 3e-7f * length(way);
        if (-distance_to(polygon, inside) < rounding)
            continue;  // so much the far end may be beside the line
        const SegmentHit out = intersect({inside, inside + way}, polygon);
        const SegmentHit in = intersect({inside + way, inside}, polygon);
        if (!in || !out) ++wrong;
        ++through;
        if (!out.from_inside || in.from_inside) ++wrong;
        const float flat = 1.0f / abs(dot(in.normal, normalized(way)));
        const bool is_same_face = in.normal == out.normal;
        if (is_same_face && length(in.point - out.point) > rounding * flat) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(through > some / 2);
}

TEST_CASE("a segment along an edge meets it at its first point") {
    const SegmentHit from_left = intersect({{-1.0f, 0.0f}, {3.0f, 0.0f}}, ramp);
    check_hit(from_left, 0.25f, {0.0f, 0.0f}, ramp.normal(2));
    CHECK_FALSE(from_left.from_inside);
    check_hit(intersect({{4.0f, 0.0f}, {-4.0f, 0.0f}}, ramp), 0.25f, {2.0f, 0.0f}, {1.0f, 0.0f});
    check_hit(intersect({{0.5f, 0.0f}, {1.5f, 0.0f}}, ramp), 0.0f, {0.5f, 0.0f}, {0.0f, -1.0f});
    CHECK_FALSE(intersect({{-2.0f, 0.0f}, {-1.0f, 0.0f}}, ramp));
}

TEST_CASE("a segment that touches nothing but a vertex meets it, on its way or at its end") {
    check_hit(intersect({{1.0f, 1.0f}, {3.0f, 1.0f}}, ramp), 0.5f, {2.0f, 1.0f}, ramp.normal(2));
    CHECK(intersect({{-1.0f, 1.0f}, {1.0f, -1.0f}}, ramp).point == Vec2{0.0f, 0.0f});
    const SegmentHit ending = intersect({{4.0f, 3.0f}, {2.0f, 1.0f}}, ramp);
    CHECK(ending.t == 1.0f);
    CHECK(ending.point == Vec2{2.0f, 1.0f});
    CHECK_FALSE(intersect({{4.0f, 3.0f}, {2.125f, 1.125f}}, ramp));
}

TEST_CASE("a segment that ends on the border meets it, from either side") {
    const SegmentHit from_outside = intersect({{5.0f, 2.75f}, {2.0f, 0.5f}}, ramp);
    CHECK(from_outside.t == 1.0f);
    CHECK(from_outside.normal == Vec2{1.0f, 0.0f});
    const SegmentHit from_inside = intersect({{1.5f, 0.125f}, {2.0f, 0.5f}}, ramp);
    CHECK(from_inside.t == 1.0f);
    CHECK(from_inside.from_inside);
    CHECK(from_inside.normal == Vec2{1.0f, 0.0f});
    CHECK_FALSE(intersect({{1.5f, 0.125f}, {1.9375f, 0.5f}}, ramp));
}

TEST_CASE("a segment that begins on the border meets it there, whichever way it runs") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < some; ++i) {
        const AABB box = test::lattice_aabb(random);
        const Vec2 start{box.max.x, center(box).y};
        const SegmentHit hit = intersect({start, start + random.point(9.0f)}, Polygon(box));
        if (hit.t != 0.0f || hit.point != start || hit.from_inside) ++wrong;
        if (hit.normal != Vec2{1.0f, 0.0f}) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("a segment of length zero meets the border if it is on it, and nothing else") {
    CHECK_FALSE(intersect({{1.5f, 0.25f}, {1.5f, 0.25f}}, ramp));
    CHECK_FALSE(intersect({{0.5f, 0.5f}, {0.5f, 0.5f}}, ramp));
    CHECK(intersect({{2.0f, 0.5f}, {2.0f, 0.5f}}, ramp).t == 0.0f);
    CHECK(intersect({{2.0f, 1.0f}, {2.0f, 1.0f}}, ramp).t == 0.0f);
}

TEST_CASE("two segments meet where they cross, and are solid from both sides") {
    const Segment wall{{0.0f, 0.0f}, {0.0f, 2.0f}};
    const SegmentHit from_left = intersect({{-1.0f, 1.0f}, {3.0f, 1.0f}}, wall);
    CHECK(from_left.t == 0.25f);
    CHECK(from_left.normal == Vec2{-1.0f, 0.0f});
    CHECK(intersect({{1.0f, 1.0f}, {-1.0f, 1.0f}}, wall).normal == Vec2{1.0f, 0.0f});
    CHECK(intersect({{0.0f, 1.0f}, {1.0f, 1.0f}}, wall).t == 0.0f);
    CHECK_FALSE(intersect({{0.0f, 1.0f}, {1.0f, 1.0f}}, wall).from_inside);
    CHECK(intersect({{0.0f, 4.0f}, {0.0f, 0.0f}}, wall).point == Vec2{0.0f, 2.0f});
    CHECK_FALSE(intersect({{-1.0f, 2.125f}, {3.0f, 2.125f}}, wall));
}

TEST_CASE("what begins on a segment is not inside, however that slants") {
    test::Random random;
    int inside = 0;
    for (int i = 0; i < some; ++i) {
        const Segment wall = test::random_segment(random);
        const Vec2 from = lerp(wall.from, wall.to, random.unit());
        if (intersect({from, from + random.direction()}, wall).from_inside) ++inside;
    }
    CHECK(inside == 0);
}

TEST_CASE("a segment that ends before it meets the border, outside or inside, tells of nothing") {
    const Polygon square(AABB{{0.0f, 0.0f}, {4.0f, 4.0f}});
    for (const Vec2 from : {Vec2{-3.0f, 2.0f}, {1.0f, 2.0f}}) {
        const SegmentHit hit = intersect({from, from + Vec2{2.0f, 0.0f}}, square);
        CHECK(hit.t == SegmentHit::nothing);
        CHECK(hit.normal == Vec2{});
    }
}

TEST_CASE("a segment that begins within rounding of the border cannot slip through it") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < some; ++i) {
        const Polygon polygon = test::random_polygon(random);
        const std::size_t edge = static_cast<std::size_t>(random.integer(0, 2));
        const float part = random.uniform(0.1f, 0.9f);
        const Vec2 on_border = lerp(polygon.edge(edge).from, polygon.edge(edge).to, part);
        const Vec2 from = on_border + polygon.normal(edge) * random.uniform(-1e-6f, 1e-6f);
        const Vec2 way = random.point(9.0f);
        const SegmentHit hit = intersect({from, from + way}, polygon);
        if (hit && std::fabs(distance_to(polygon, hit.point)) > 2e-6) ++wrong;
        // Straight in, it cannot be past the border without having met it.
        const SegmentHit inwards = intersect({from, from - polygon.normal(edge) * 9.0f}, polygon);
        if (!inwards) ++wrong;
        // What counts as inside cannot get outside either.
        const SegmentHit outwards = intersect({from, from + polygon.normal(edge) * 9.0f}, polygon);
        if (ray_cast(from, {}, polygon) && !outwards) ++wrong;
    }
    CHECK(wrong == 0);
}

}  // namespace intersect_test

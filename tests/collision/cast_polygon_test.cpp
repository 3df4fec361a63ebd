// SPDX-License-Identifier: MIT
// Do casts say when and where moving things meet polygons, segments and half-spaces: against the
// distance by brute force in double, against the shapes that some of them are, along edges, into
// corners, at any speed, and from touching and overlapping starts?
#include <cmath>
#include <initializer_list>

#include <doctest/doctest.h>

#include <phys2d/collision/cast_polygon.hpp>
#include <phys2d/collision/intersect.hpp>

#include "../support/polygon_oracle.hpp"
#include "../support/random_polygons.hpp"
#include "../support/slide.hpp"

namespace cast_polygon_test {

using namespace phys2d;
using test::distance_to, test::near, test::scaled;

namespace {

constexpr Polygon ramp{{0.0f, 0.0f}, {2.0f, 0.0f}, {2.0f, 1.0f}};
constexpr HalfSpace ground{{0.0f, 1.0f}, 0.0f};

static_assert(ray_cast({4.0f, 0.5f}, {-4.0f, 0.0f}, ramp).fraction == 0.5f);
static_assert(ray_cast({1.0f, 1.5f}, {0.0f, -2.0f}, ramp).point == Vec2{1.0f, 0.5f});
static_assert(!ray_cast({4.0f, 0.5f}, {-1.75f, 0.0f}, ramp));
static_assert(shape_cast(Box{{1.0f, 1.0f}, {1.0f, -3.0f}}, {0.0f, 4.0f}, ramp).fraction == 0.5f);
static_assert(shape_cast(Circle{1.0f, {0.0f, 3.0f}}, {0.0f, -4.0f}, ground).fraction == 0.5f);
static_assert(shape_cast(Circle{1.0f, {1.0f, -3.0f}}, {0.0f, 4.0f},
                         Segment{{0.0f, 0.0f}, {2.0f, 0.0f}})
                  .point == Vec2{1.0f, 0.0f});

constexpr int some = test::many / 10;

/// A polygon and a shape that moves past it, in double.
struct Scene {
    test::Ring polygon;
    test::Rounded shape;
    double way_x, way_y;

    Scene(const Polygon& obstacle, const Shape& moving, Vec2 way)
        : polygon(test::exact(obstacle)), shape(test::exact(moving)), way_x(way.x), way_y(way.y) {}

    [[nodiscard]] double whole() const { return std::hypot(way_x, way_y); }
    [[nodiscard]] test::Rounded moved(double part) const {
        test::Rounded there = shape;
        there.x += part * way_x;
        there.y += part * way_y;
        return there;
    }
    [[nodiscard]] double gap(double part) const {
        return test::separate(polygon, moved(part)).separation;
    }
    /// The least gap on the way, or any below `enough`. It is convex: thirds close in on it.
    [[nodiscard]] double least_gap(double enough) const {
        double low = 0.0, high = 1.0, least = std::fmin(gap(0.0), gap(1.0));
        for (int i = 0; i < 70 && least >= enough; ++i) {
            const double left = low + (high - low) / 3, right = high - (high - low) / 3;
            const double gap_left = gap(left), gap_right = gap(right);
            (gap_left > gap_right ? low : high) = gap_left > gap_right ? left : right;
            least = std::fmin(least, std::fmin(gap_left, gap_right));
            if (least - (high - low) * whole() > 1e-4) break;  // it falls no further than that
        }
        return least;
    }
};

struct Tally {
    int wrong_answer = 0, wrong_place = 0, wrong_normal = 0, wrong_point = 0, hits = 0, unclear = 0;

    /// `border`: nearer than this to a touch [m], rounding may decide.
    void check(const Scene& scene, const CastHit& hit, double border) {
        if (scene.gap(0.0) < border) return;
        if (!hit) {
            if (hit.fraction != CastHit::nothing) ++wrong_answer;
            if (scene.least_gap(-border) < -border) ++wrong_answer;
            return;
        }
        ++hits;
        const double there = scene.gap(hit.fraction);
        if (std::fabs(there) > border)
            ++(scene.least_gap(border) > border ? wrong_answer : wrong_place);
        if (scene.gap(0.99 * hit.fraction) < -0.1 * border) ++wrong_place;
        check_touch(scene, hit, border);
    }

    void check_touch(const Scene& scene, const CastHit& hit, double border) {
        const test::Rounded there = scene.moved(hit.fraction);
        const double steep = hit.normal.x * scene.way_x + hit.normal.y * scene.way_y;
        if (std::fabs(length(hit.normal) - 1.0f) > 3e-7f || !(steep < 0.0)) ++wrong_normal;
        // A normal is one exactly if it keeps the two apart.
        if (std::fabs(test::gap_along(scene.polygon, there, hit.normal)) > border) ++wrong_normal;
        const test::Rounded point = test::exact(hit.point);
        const double off_shape = test::separate(test::exact(hit.point), there).separation;
        if (std::fabs(test::separate(scene.polygon, point).separation) > 1e-5) ++wrong_point;
        if (std::fabs(off_shape) > border) ++wrong_point;
        check_round_normal(scene, there, hit.normal);
    }

    /// Of a shape with a radius, the normal is that from the polygon to the core.
    void check_round_normal(const Scene& scene, test::Rounded there, Vec2 normal) {
        const double radius = there.radius;
        there.radius = 0.0;
        const test::Truth truth = test::separate(scene.polygon, there);
        const double off = std::hypot(normal.x - truth.normal_x, normal.y - truth.normal_y);
        if (radius < 0.05) return;
        if (truth.clarity < 0.04) {
            ++wrong_place;
        } else if (off > 1e-3) {
            ++wrong_normal;
        }
    }

    void check_none_wrong() const {
        CHECK(wrong_answer == 0);
        CHECK(wrong_place == 0);
        CHECK(wrong_normal == 0);
        CHECK(wrong_point == 0);
    }
};

Shape point_at(Vec2 point) { return Circle{0.0f, point}; }

bool is_near(const CastHit& a, const CastHit& b, float tolerance) {
    return std::fabs(a.fraction - b.fraction) <= tolerance && near(a.normal, b.normal, tolerance) &&
           near(a.point, b.point, tolerance);
}

Polygon polygon_or_segment(test::Random& random) {
    if (random.one_in(3)) return test::random_segment(random);
    return test::random_polygon(random);
}

/// Of all points of the polygon the mean of three: well inside.
Vec2 inside_of(test::Random& random, const Polygon& polygon) {
    const std::size_t last = polygon.size() - 1;
    const Vec2 between = lerp(polygon.vertex(0), polygon.vertex(1), random.uniform(0.2f, 0.8f));
    return lerp(between, polygon.vertex(last), random.uniform(0.2f, 0.8f));
}

}  // namespace

TEST_CASE("a ray meets a polygon where brute force does, or passes it") {
    test::Random random;
    Tally tally;
    for (int i = 0; i < some; ++i) {
        const Polygon polygon = test::random_polygon(random);
        const Vec2 origin = random.point(6.0f), way = random.point(9.0f);
        tally.check({polygon, point_at(origin), way}, ray_cast(origin, way, polygon), 2e-5);
    }
    tally.check_none_wrong();
    CHECK(tally.hits > some / 20);
}

TEST_CASE("a shape meets a polygon where brute force does, or passes it") {
    test::Random random;
    Tally tally;
    for (int i = 0; i < some; ++i) {
        const Polygon polygon = test::random_polygon(random);
        const Shape moving = translate(test::random_shape(random), random.point(3.0f));
        const Vec2 way = random.point(9.0f);
        tally.check({polygon, moving, way}, shape_cast(moving, way, polygon), 2e-5);
    }
    tally.check_none_wrong();
    CHECK(tally.hits > some / 10);
}

TEST_CASE("a shape or a ray meets a segment where brute force does, from either side") {
    test::Random random;
    Tally tally;
    for (int i = 0; i < some; ++i) {
        const Segment segment = test::random_segment(random);
        const Shape moving = random.one_in(3)
                                 ? point_at(random.point(4.0f))
                                 : translate(test::random_shape(random), random.point(3.0f));
        const Vec2 way = random.point(9.0f);
        const bool is_point = outer_half_extents(moving) == Vec2{};
        tally.check(
            {segment, moving, way},
            is_point ? ray_cast(moving.center, way, segment) : shape_cast(moving, way, segment),
            2e-5);
    }
    tally.check_none_wrong();
    CHECK(tally.hits > some / 20);
}

TEST_CASE("a shape meets a segment whose ends are the same as it meets a point") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < some; ++i) {
        const Vec2 point = random.point(3.0f), way = random.point(6.0f);
        const Shape moving = translate(test::random_shape(random), random.point(2.0f));
        const CastHit found = shape_cast(moving, way, Segment{point, point});
        const CastHit expected = shape_cast(moving, way, Circle{0.0f, point});
        if (std::fabs(found.fraction - expected.fraction) > 1e-4f) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("sizes of 1 cm to 1 km and ways of up to 1000 km are cast as exactly as floats are") {
    test::Random random;
    Tally tally;
    for (int i = 0; i < some; ++i) {
        const float size = random.log_uniform(0.01f, 1000.0f);
        const Polygon polygon = scale(test::random_polygon(random), size);
        const Shape moving =
            random.one_in(2) ? point_at({}) : scaled(test::random_shape(random), size);
        const Vec2 way = random.direction() * random.log_uniform(size, 1e6f);
        const Vec2 aim = inside_of(random, polygon) + random.point(size);
        const Shape fired = translate(moving, aim - way * random.unit() - moving.center);
        const CastHit hit = moving == Shape{} ? ray_cast(fired.center, way, polygon)
                                              : shape_cast(fired, way, polygon);
        const Scene scene(polygon, fired, way);
        const double border = 3e-5 * size + 4e-7 * scene.whole();
        if (scene.gap(0.0) < border) continue;
        const double there = hit ? scene.gap(hit.fraction) : 0.0;
        if (hit) ++tally.hits;
        if (hit && std::fabs(there) > border) ++tally.wrong_place;
        if (!hit && scene.least_gap(-border) < -border) ++tally.wrong_answer;
        if (hit && std::fabs(distance_to(polygon, hit.point)) > 1e-5 * size) {
            ++tally.wrong_point;
        }
    }
    tally.check_none_wrong();
    CHECK(tally.hits > some / 4);
}

TEST_CASE("no target that is aimed at is missed") {
    test::Random random;
    int missed = 0;
    for (int i = 0; i < test::many / 2; ++i) {
        const Polygon polygon = test::random_polygon(random);
        const Vec2 aim = inside_of(random, polygon);
        const double depth = -distance_to(polygon, aim);
        const Vec2 way = random.direction() * random.log_uniform(0.01f, 1e6f);
        if (depth < 4e-7 * length(way) + 1e-6) continue;
        const Vec2 origin = aim - way * random.unit();
        if (!ray_cast(origin, way, polygon)) ++missed;
        const Shape bullet = Box{{0.01f, 0.02f}, origin};
        const Manifold start = collide(polygon, bullet);
        if (!start && !shape_cast(bullet, way, polygon)) ++missed;
    }
    CHECK(missed == 0);
}

TEST_CASE("a polygon that is a box is met as the box is, corner to corner as well on the lattice") {
    test::Random random;
    int wrong = 0, wrong_on_lattice = 0, grazed = 0, hits = 0;
    for (int i = 0; i < some; ++i) {
        const AABB box = test::random_aabb(random);
        const Shape moving = translate(test::random_shape(random), random.point(3.0f));
        const Vec2 way = random.point(9.0f);
        const CastHit hit = shape_cast(moving, way, Polygon(box));
        const CastHit expected = shape_cast(moving, way, Shape(box));
        const bool is_steep = dot(expected.normal, way) < -1.0f;  // else the fraction is uncertain
        if (is_steep && std::fabs(hit.fraction - expected.fraction) > 2e-5f) ++wrong;
    }
    for (int i = 0; i < some; ++i) {
        const AABB box = test::lattice_aabb(random);
        const Shape moving = translate(test::lattice_shape(random), test::lattice_point(random));
        const Vec2 way = test::lattice_point(random) * 2.0f;
        const CastHit hit = shape_cast(moving, way, Polygon(box));
        const CastHit expected = shape_cast(moving, way, Shape(box));
        const CastHit ray = ray_cast(moving.center, way, Polygon(box));
        const CastHit expected_ray = ray_cast(moving.center, way, Shape(box));
        if (hit) ++hits;
        // What touches only in passing, polygons let pass.
        const bool is_grazed =
            !hit && expected && Scene(Polygon(box), moving, way).least_gap(-1e-6) > -1e-6;
        if (!is_grazed && !is_near(hit, expected, 1e-5f)) ++wrong_on_lattice;
        if (is_grazed) ++grazed;
        if (!is_near(ray, expected_ray, 1e-6f)) ++wrong_on_lattice;
    }
    CHECK(wrong == 0);
    CHECK(wrong_on_lattice == 0);
    CHECK(grazed < some / 100);
    CHECK(hits > some / 10);
}

TEST_CASE("a half-space is met as the top of a huge box is") {
    test::Random random;
    int wrong = 0, hits = 0;
    for (int i = 0; i < some; ++i) {
        const Shape box = AABB{{-512.0f, -1024.0f}, {512.0f, 0.0f}};
        const Shape moving = translate(test::random_shape(random), random.point(3.0f));
        const Vec2 way = random.point(9.0f);
        const CastHit hit = shape_cast(moving, way, ground),
                      expected = shape_cast(moving, way, box);
        const CastHit ray = ray_cast(moving.center, way, ground);
        const CastHit expected_ray = ray_cast(moving.center, way, box);
        if (hit) ++hits;
        if (way.y < -0.5f && !is_near(hit, expected, 1e-3f)) ++wrong;
        if (way.y < -0.5f && !is_near(ray, expected_ray, 1e-3f)) ++wrong;
        if (way.y >= 0.0f && (hit || (ray && moving.center.y > 0.0f))) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(hits > some / 10);
}

TEST_CASE("where a shape hits a half-space at any slope it touches, and never below it") {
    test::Random random;
    int wrong = 0, hits = 0;
    for (int i = 0; i < some; ++i) {
        const HalfSpace space = half_space_through(random.point(3.0f), random.direction());
        const Shape moving = test::random_shape(random);
        const Vec2 way = random.direction() * random.log_uniform(0.01f, 1e6f);
        const Manifold start = collide(space, moving);
        const CastHit hit = shape_cast(moving, way, space);
        const float sinks = -dot(way, space.normal), rounding = 1e-5f + 2e-7f * length(way);
        const bool reaches = sinks > 0.0f && sinks >= -start.penetration;
        if (std::fabs(sinks + start.penetration) < rounding) continue;
        if (static_cast<bool>(hit) != reaches) ++wrong;
        if (!hit || start) continue;
        ++hits;
        const Manifold touch = collide(space, translate(moving, way * hit.fraction));
        if (hit.normal != space.normal || std::fabs(touch.penetration) > rounding) ++wrong;
        if (std::fabs(signed_distance(space, hit.point)) > rounding) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(hits > some / 10);
}

TEST_CASE(
    "a ray that starts inside a polygon hits at once, with the normal of the nearest way out") {
    test::Random random;
    int wrong = 0, clear = 0;
    for (int i = 0; i < some; ++i) {
        const Polygon polygon = test::random_polygon(random);
        const Vec2 origin = inside_of(random, polygon);
        const test::Truth truth = test::separate(test::exact(polygon), test::exact(origin));
        if (truth.separation > -1e-5) continue;
        const CastHit hit = ray_cast(origin, random.point(9.0f), polygon);
        if (hit.fraction != 0.0f || hit.point != origin) ++wrong;
        if (ray_cast(origin, {}, polygon).fraction != 0.0f) ++wrong;
        if (truth.clarity < 1e-3) continue;
        ++clear;
        const double off = std::hypot(hit.normal.x - truth.normal_x, hit.normal.y - truth.normal_y);
        if (off > 2.0 * test::normal_tolerance(truth)) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(clear > some / 2);
}

TEST_CASE(
    "a cast from an overlap with a polygon is stopped at once by going deeper, and by nothing "
    "else") {
    test::Random random;
    int wrong = 0, overlapping = 0;
    for (int i = 0; i < some; ++i) {
        const Polygon obstacle = polygon_or_segment(random);
        const Shape moving = test::random_shape(random);
        const test::Truth truth = test::separate(test::exact(obstacle), test::exact(moving));
        if (truth.separation > -1e-4 || truth.clarity < 1e-2) continue;
        ++overlapping;
        const Vec2 out{static_cast<float>(truth.normal_x), static_cast<float>(truth.normal_y)};
        const Vec2 way = random.direction() * random.log_uniform(1e-3f, 1e3f);
        const float outwards = dot(normalized(way), out);
        const CastHit hit = shape_cast(moving, way, obstacle);
        if (outwards > 1e-3f && hit) ++wrong;
        if (outwards < -1e-3f && (hit.fraction != 0.0f || !near(hit.normal, out, 1e-3f))) ++wrong;
        if (shape_cast(moving, {}, obstacle)) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(overlapping > some / 10);
}

TEST_CASE("a ray along an edge hits, a shape that slides along it does not") {
    test::Random random;
    int rays_missed = 0, shapes_stopped = 0, let_through = 0, tried = 0;
    for (int i = 0; i < some; ++i) {
        const Polygon polygon = random.one_in(4) ? Polygon(test::lattice_segment(random))
                                                 : test::lattice_polygon(random);
        const Segment edge = polygon.edge(0);
        const Vec2 along = edge.to - edge.from;
        if (!ray_cast(edge.from - along, along * 3.0f, polygon)) ++rays_missed;
        if (!ray_cast(edge.to + along, along * -3.0f, polygon)) ++rays_missed;
        if (along.x != 0.0f && along.y != 0.0f) continue;
        ++tried;
        const Vec2 normal = polygon.normal(0);
        Shape moving = test::lattice_shape(random);
        const Vec2 gap = normal * dot(outer_half_extents(moving), abs(normal));
        for (const float side : {-1.0f, 1.0f}) {
            const Vec2 way = normalized(along) * (16.0f * side);
            moving.center = lerp(edge.from, edge.to, 0.5f) + gap - way * 0.5f;
            if (shape_cast(moving, way, polygon)) ++shapes_stopped;
            moving.center -= normal * 0.015625f;
            if (!shape_cast(moving, way, polygon)) ++let_through;
        }
    }
    CHECK(rays_missed == 0);
    CHECK(shapes_stopped == 0);
    CHECK(let_through == 0);
    CHECK(tried > some / 10);
}

TEST_CASE("where two faces meet, the one that faces more up or down is hit") {
    const Polygon diamond{{0.0f, -1.0f}, {2.0f, 0.0f}, {0.0f, 1.0f}, {-2.0f, 0.0f}};
    const Polygon house{{0.0f, 0.0f}, {2.0f, 0.0f}, {2.0f, 2.0f}, {0.0f, 1.0f}};
    CHECK(ray_cast({-4.0f, 0.0f}, {4.0f, 0.0f}, diamond).normal == diamond.normal(2));
    CHECK(ray_cast({4.0f, 0.0f}, {-4.0f, 0.0f}, diamond).normal == diamond.normal(1));
    CHECK(ray_cast({-1.0f, 2.0f}, {2.0f, -2.0f}, house).normal == house.normal(2));
    CHECK(shape_cast(Box{{0.5f, 0.5f}, {3.5f, 3.5f}}, {-2.0f, -2.0f}, house).normal ==
          Vec2{0.0f, 1.0f});
}

TEST_CASE("a ray that touches nothing but a vertex hits it, and a segment head-on at its end") {
    const Polygon diamond{{0.0f, -1.0f}, {2.0f, 0.0f}, {0.0f, 1.0f}, {-2.0f, 0.0f}};
    const CastHit touch = ray_cast({-3.0f, 1.0f}, {4.0f, 0.0f}, diamond);
    CHECK(touch.fraction == 0.75f);
    CHECK(touch.point == Vec2{0.0f, 1.0f});
    CHECK(touch.normal == diamond.normal(2));
    const CastHit oblique = ray_cast({-2.0f, 2.0f}, {3.0f, -1.5f}, diamond);
    CHECK(oblique.point == Vec2{0.0f, 1.0f});
    const Segment segment{{0.0f, 0.0f}, {2.0f, 0.0f}};
    const CastHit end = ray_cast({3.0f, 0.0f}, {-4.0f, 0.0f}, segment);
    CHECK(end.fraction == 0.25f);
    CHECK(end.normal == Vec2{1.0f, 0.0f});
    CHECK(end.point == Vec2{2.0f, 0.0f});
    CHECK_FALSE(shape_cast(Box{{1.0f, 1.0f}, {-3.0f, 2.0f}}, {5.0f, 0.0f}, diamond));
}

TEST_CASE("a shape cast at a polygon again from where it hit goes no deeper, and leaves freely") {
    test::Random random;
    int sank = 0, held = 0, hits = 0;
    for (int i = 0; i < some; ++i) {
        const Polygon polygon = polygon_or_segment(random);
        const Shape moving = translate(test::random_shape(random), random.point(2.0f));
        const Vec2 way = random.point(9.0f);
        const CastHit first = shape_cast(moving, way, polygon);
        if (!first || first.fraction == 0.0f) continue;
        const Shape there = translate(moving, way * first.fraction);
        const Vec2 normal = collide(polygon, there).normal;  // a sharp corner may have two
        if (!near(normal, first.normal, 1e-3f)) continue;
        ++hits;
        const Vec2 inwards = perpendicular(normal) * random.uniform(-1.0f, 1.0f) - normal;
        const CastHit deeper = shape_cast(there, inwards, polygon);
        if (!(deeper.fraction >= 0.0f && deeper.fraction < 1e-4f)) ++sank;
        if (shape_cast(there, inwards + normal * 2.0f, polygon)) ++held;
    }
    CHECK(sank == 0);
    CHECK(held == 0);
    CHECK(hits > some / 20);
}

TEST_CASE("a ray at a seam of two polygons does not pass between them") {
    test::Random random;
    int passed = 0;
    for (int i = 0; i < some; ++i) {
        const float x = random.uniform(-900.0f, 900.0f), y = random.uniform(-900.0f, 900.0f);
        const float left_y = y + random.uniform(-2.0f, 2.0f),
                    right_y = y + random.uniform(-2.0f, 2.0f);
        const Polygon left{{x - 3.0f, y - 9.0f}, {x, y - 9.0f}, {x, y}, {x - 3.0f, left_y}};
        const Polygon right{{x, y - 9.0f}, {x + 2.0f, y - 9.0f}, {x + 2.0f, right_y}, {x, y}};
        const Vec2 above{x, y + random.uniform(0.5f, 9.0f)};
        const Vec2 way{0.0f, -30.0f};
        if (!ray_cast(above, way, left) && !ray_cast(above, way, right)) ++passed;
        const Vec2 askew = above + random.point(3.0f);
        const Vec2 at_seam = (Vec2{x, y} - askew) * 1.5f;
        const bool is_steep = at_seam.y < -1.1f * abs(at_seam.x) - 0.1f;  // steeper than both tops
        if (is_steep && !ray_cast(askew, at_seam, left) && !ray_cast(askew, at_seam, right))
            ++passed;
    }
    CHECK(passed == 0);
}

TEST_CASE("a shape that collides and slides goes on along slanted faces, at its full pace") {
    constexpr float step = 1.0f / 60.0f;
    test::Random random;
    int late = 0;
    for (int i = 0; i < 600; ++i) {
        const Vec2 along = random.direction(), out = perpendicular(along);
        const Vec2 place = random.point(random.one_in(2) ? 1.0f : 300.0f);
        const Segment face{place + along * 50.0f, place - along * 50.0f};
        const Polygon thick{face.from, face.to, face.to - out * 20.0f, face.from - out * 20.0f};
        const HalfSpace endless = half_space_through(place, out);
        Shape moving = test::random_shape(random);
        moving.center = place - along * 20.0f + out * 4.0f;
        moving.center += out * collide(endless, moving).penetration;
        const Vec2 start = moving.center;
        for (int k = 0; k < 300; ++k) {
            const Vec2 velocity = along * 5.0f - out * 2.0f;  // pressed to the face
            test::slide(moving, velocity, step, [&](const Shape& shape, Vec2 way) {
                return i % 3 == 0   ? shape_cast(shape, way, thick)
                       : i % 3 == 1 ? shape_cast(shape, way, Polygon(face))
                                    : shape_cast(shape, way, endless);
            });
        }
        if (dot(moving.center - start, along) < 24.5f) ++late;  // of 25
    }
    CHECK(late == 0);
}

TEST_CASE("a ray from a vertex, or from a float beside it, into the polygon hits it there") {
    test::Random random;
    int missed = 0;
    for (int i = 0; i < test::many; ++i) {
        const Vec2 tip = random.point(3.0f), b = tip + random.direction(),
                   c = tip + random.direction() * random.uniform(0.5f, 2.0f);
        if (cross(b - tip, c - tip) < 0.1f) continue;
        const float nearby = 1.0f + static_cast<float>(random.integer(-1, 1)) * 1e-7f;
        const Vec2 from{tip.x * nearby, tip.y};
        const CastHit hit = ray_cast(from, lerp(b, c, 0.5f) - tip, Polygon{tip, b, c});
        if (!(hit.fraction < 1e-5f)) ++missed;
    }
    CHECK(missed == 0);
}

TEST_CASE("a ray that starts at a slanted edge and runs along it hits there or not at all") {
    test::Random random;
    int elsewhere = 0, other_face = 0, hits = 0;
    for (int i = 0; i < some; ++i) {
        const Vec2 from = random.point(50.0f),
                   way = random.direction() * random.uniform(1.0f, 100.0f);
        const Polygon flat(Segment{from, from + way});
        const Polygon thick{from, from + way, from + way * 0.5f + perpendicular(way)};
        const Polygon& polygon = random.one_in(2) ? flat : thick;
        const Vec2 origin = lerp(from, from + way, random.uniform(0.1f, 0.9f));
        const float pace = random.one_in(2) ? random.uniform(-1.0f, 1.0f) : 0.1f / length(way);
        const Vec2 ahead = way * pace;
        const CastHit hit = ray_cast(origin, ahead, polygon);
        const SegmentHit met = intersect(Segment{origin, origin + ahead}, polygon);
        if (hit && !near(hit.point, origin + ahead * hit.fraction, 0.003f)) ++elsewhere;
        if (met && !near(met.point, origin + ahead * met.t, 0.003f)) ++elsewhere;
        if (hit && hit.fraction == 0.0f && abs(dot(hit.normal, normalized(way))) > 1e-3f) {
            ++other_face;
        }
        if (hit) ++hits;
    }
    CHECK(elsewhere == 0);
    CHECK(other_face == 0);
    CHECK(hits > some / 10);
}

}  // namespace cast_polygon_test

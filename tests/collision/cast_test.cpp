// SPDX-License-Identifier: MIT
// Do casts say when and where moving things meet a shape: against sphere tracing in double, at any
// speed, from touching and overlapping starts, across seams, mirrored, and in the frame of either?
#include <cmath>
#include <initializer_list>
#include <limits>

#include <doctest/doctest.h>

#include <phys2d/collision/cast_polygon.hpp>
#include <phys2d/collision/one_way.hpp>
#include <phys2d/collision/overlap.hpp>

#include "../support/random_shapes.hpp"
#include "../support/separation_oracle.hpp"
#include "../support/slide.hpp"

namespace cast_test {

using namespace phys2d;
using test::near, test::scaled;

namespace {

static_assert(ray_cast({-3.0f, 0.0f}, {4.0f, 0.0f}, Circle{1.0f}).fraction == 0.5f);
static_assert(!ray_cast({-3.0f, 0.0f}, {1.75f, 0.0f}, Circle{1.0f}));
static_assert(shape_cast(Circle{1.0f, {0.0f, 4.0f}}, {0.0f, -4.0f}, Box{{1.0f, 1.0f}}).normal ==
              Vec2{0.0f, 1.0f});

constexpr int some = test::many / 10;
constexpr double border = 2e-5;  // [m] nearer than this to a touch, rounding may decide

double signed_distance(const Shape& shape, double x, double y) {
    const double q_x = std::fabs(x - shape.center.x) - shape.half_extents.x;
    const double q_y = std::fabs(y - shape.center.y) - shape.half_extents.y;
    return std::hypot(std::fmax(q_x, 0.0), std::fmax(q_y, 0.0)) +
           std::fmin(std::fmax(q_x, q_y), 0.0) - shape.radius;
}

double signed_distance(const Shape& shape, Vec2 point) {
    return signed_distance(shape, point.x, point.y);
}

/// `part` of the way from the origin, in double: where the ray is, not where a float can be.
double signed_distance(const Shape& shape, Vec2 origin, Vec2 way, double part) {
    return signed_distance(shape, origin.x + part * way.x, origin.y + part * way.y);
}

/// The least signed distance along a way. It is convex, as the shape is: thirds close in on it.
double least_distance(const Shape& shape, Vec2 origin, Vec2 way) {
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 80; ++i) {
        const double left = low + (high - low) / 3, right = high - (high - low) / 3;
        const bool falls =
            signed_distance(shape, origin, way, left) > signed_distance(shape, origin, way, right);
        (falls ? low : high) = falls ? left : right;
    }
    return std::fmin(std::fmin(signed_distance(shape, origin, way, 0.0),
                               signed_distance(shape, origin, way, 1.0)),
                     signed_distance(shape, origin, way, (low + high) / 2));
}

/// How far [m] to the surface: steps as long as nothing can be nearer. [Hart1996, "Sphere tracing"]
/// Pre: it is met, and not just grazed.
double trace(const Shape& shape, Vec2 origin, Vec2 way) {
    const double whole = std::hypot(way.x, way.y);
    double gone = 0.0;
    for (int i = 0; i < 20'000; ++i) {
        const double distance = signed_distance(shape, origin, way, gone / whole);
        if (distance < 1e-10) break;
        gone += distance;
    }
    return gone;
}

/// A point well inside of a shape: 1 cm and more below its surface.
Vec2 point_inside(test::Random& random, const Shape& shape) {
    const Vec2 point = shape.center + outer_half_extents(shape) * random.point(1.0f);
    return signed_distance(shape, point) < -0.01 ? point : shape.center;
}

Shape mirrored(Shape shape, Vec2 mirror) {
    shape.center = shape.center * mirror;
    return shape;
}

bool is_mirrored(const CastHit& hit, const CastHit& image, Vec2 mirror) {
    return hit.fraction == image.fraction && hit.normal * mirror == image.normal &&
           hit.point * mirror == image.point;
}

/// True if the cores are corner to corner and sharp: which face is hit is then for rounding to say.
bool is_sharp_corner(const Shape& a, const Shape& b, float tolerance) {
    const Vec2 q = abs(a.center - b.center) - (a.half_extents + b.half_extents);
    return a.radius + b.radius == 0.0f && min(q.x, q.y) > -tolerance;
}

}  // namespace

TEST_CASE("a ray hits what sphere tracing hits, and where it does") {
    test::Random random;
    int wrong_answer = 0, wrong_place = 0, wrong_normal = 0, hits = 0, skipped = 0;
    for (int i = 0; i < some; ++i) {
        const Shape shape = test::random_shape(random);
        const Vec2 origin = random.point(6.0f), way = random.point(9.0f);
        if (signed_distance(shape, origin) < border) continue;
        const double least = least_distance(shape, origin, way);
        const double whole = std::hypot(way.x, way.y);
        const double gone = least < -border ? trace(shape, origin, way) : 0.0;
        if (std::fabs(least) <= border || whole - gone < 1e-3) {
            ++skipped;
            continue;
        }
        const CastHit hit = ray_cast(origin, way, shape);
        if (static_cast<bool>(hit) != (least < 0.0)) ++wrong_answer;
        if (!hit && hit.fraction != CastHit::nothing) ++wrong_answer;
        if (!hit || least > 0.0) continue;
        ++hits;
        const double part = hit.fraction;
        const double steep = -double{dot(hit.normal, way)} / whole;
        if (std::fabs(signed_distance(shape, hit.point)) > 1e-5) ++wrong_place;
        if (std::fabs(signed_distance(shape, origin, way, part)) > 1e-5) ++wrong_place;
        if (std::fabs(part * whole - gone) * steep > 1e-5) ++wrong_place;
        if (steep <= 0.0 || std::fabs(length(hit.normal) - 1.0f) > 1e-6f) ++wrong_normal;
    }
    CHECK(wrong_answer == 0);
    CHECK(wrong_place == 0);
    CHECK(wrong_normal == 0);
    CHECK(hits > some / 20);
    CHECK(skipped < some / 500);
}

TEST_CASE("the normal of a ray's hit is that of the surface there") {
    test::Random random;
    int wrong = 0, hits = 0;
    for (int i = 0; i < some; ++i) {
        const Shape shape = test::random_shape(random);
        const Vec2 origin = random.point(6.0f), way = random.point(9.0f);
        const CastHit hit = ray_cast(origin, way, shape);
        if (!hit || hit.fraction == 0.0f) continue;
        Shape point;
        point.center = hit.point;
        if (is_sharp_corner(point, shape, 1e-4f)) continue;
        ++hits;
        const Manifold touch = collide(shape, point);
        if (!near(hit.normal, touch.normal, 1e-4f)) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(hits > some / 20);
}

TEST_CASE("no target that is aimed at is missed, at ways of up to ten kilometres") {
    test::Random random;
    int missed = 0, off_surface = 0;
    for (int i = 0; i < test::many; ++i) {
        const Shape target = test::random_shape(random);
        const Shape bullet =
            scaled(test::random_shape(random), random.one_in(2) ? 1.0f : 0.015625f);
        const Vec2 aim = point_inside(random, target);
        const Vec2 way = random.direction() * random.log_uniform(1e-2f, 1e4f);
        const Vec2 origin = aim - way * random.unit();
        const CastHit hit = ray_cast(origin, way, target);
        const double rounding = 1e-5 + 2e-7 * length(way);
        if (!hit) ++missed;
        const double off = signed_distance(target, origin, way, double{hit.fraction});
        if (hit && hit.fraction > 0.0f && std::fabs(off) > rounding) ++off_surface;
        const Shape fired = translate(bullet, origin - bullet.center);
        const Manifold start = collide(target, fired);
        if (start) continue;
        if (!shape_cast(fired, way, target)) ++missed;
    }
    CHECK(missed == 0);
    CHECK(off_surface == 0);
}

TEST_CASE("what starts between a round corner and the bounds of the shape meets the corner") {
    for (const float side : {-1.0f, 1.0f}) {
        CAPTURE(side);
        const Vec2 origin{0.9f * side, 0.5f}, way{0.2f * side, -0.9f};
        const CastHit ray = ray_cast(origin, way, Circle{1.0f});
        CHECK(ray.fraction == doctest::Approx(0.14355));  // 0.85 t² - 0.54 t + 0.06 = 0
        const CastHit cast = shape_cast(Circle{0.25f, origin}, way, Circle{0.75f});
        CHECK(cast.fraction == doctest::Approx(0.14355));
        CHECK_FALSE(ray_cast(origin, {0.9f * side, -0.9f}, Circle{1.0f}));
    }
}

TEST_CASE("where a cast shape hits it touches, and a hundredth of the way earlier it is apart") {
    test::Random random;
    int not_touching = 0, wrong_normal = 0, wrong_point = 0, too_late = 0, hits = 0;
    for (int i = 0; i < some; ++i) {
        const float scale = random.one_in(2) ? 1.0f : (random.one_in(2) ? 0x1p-10f : 0x1p10f);
        const Shape moving =
            scaled(translate(test::random_shape(random), random.point(5.0f)), scale);
        const Shape other = scaled(test::random_shape(random), scale);
        const Vec2 way = random.point(12.0f) * scale;
        if (overlaps(moving, other)) continue;
        const CastHit hit = shape_cast(moving, way, other);
        if (!hit) continue;
        ++hits;
        const Shape moved = translate(moving, way * hit.fraction);
        const Manifold touch = collide(moved, other);
        const double rounding = 1e-5 * scale;
        if (std::fabs(touch.penetration) > 1e-5f * scale) ++not_touching;
        if (std::fabs(signed_distance(moved, hit.point)) > rounding) ++wrong_point;
        if (std::fabs(signed_distance(other, hit.point)) > rounding) ++wrong_point;
        const bool is_sharp = is_sharp_corner(moved, other, 1e-4f * scale);
        if (!is_sharp && !near(hit.normal, -touch.normal, 1e-4f)) ++wrong_normal;
        if (dot(hit.normal, way) >= 0.0f) ++wrong_normal;
        const Shape before = translate(moving, way * (0.99f * hit.fraction));
        if (collide(before, other).penetration > 2e-6f * scale) ++too_late;
    }
    CHECK(not_touching == 0);
    CHECK(wrong_normal == 0);
    CHECK(wrong_point == 0);
    CHECK(too_late == 0);
    CHECK(hits > some / 20);
}

TEST_CASE("a shape is cast as a point is past the sum of the two, and misses what that misses") {
    test::Random random;
    int wrong = 0, hits = 0;
    for (int i = 0; i < some; ++i) {
        const Shape moving = test::random_shape(random), other = test::random_shape(random);
        const Vec2 way = random.point(9.0f);
        Shape sum = other;
        sum.half_extents += moving.half_extents;
        sum.radius += moving.radius;
        const double start = signed_distance(sum, moving.center);
        const double least = least_distance(sum, moving.center, way);
        if (start < border || std::fabs(least) <= border) continue;
        if (least < 0.0) ++hits;
        const CastHit hit = shape_cast(moving, way, other);
        if (static_cast<bool>(hit) != (least < 0.0)) ++wrong;
        if (!hit || least > 0.0) continue;
        const double gone = trace(sum, moving.center, way), whole = std::hypot(way.x, way.y);
        const double steep = -double{dot(hit.normal, way)} / whole;
        if (std::fabs(double{hit.fraction} * whole - gone) * steep > 1e-5) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(hits > some / 20);
}

TEST_CASE("a box slides over abutting boxes freely, and falls on them squarely at every x") {
    test::Random random;
    int stopped = 0, tilted = 0, fell_through = 0;
    for (int i = 0; i < 2'000; ++i) {
        const float half = random.uniform(0.05f, 1.0f);
        const float x = i % 2 == 0 ? test::lattice(random, -24, 24) : random.uniform(-3.0f, 3.0f);
        const Shape box = Box{{half, half}, {x, half}};
        const Shape above = Box{{half, half}, {x, half + random.uniform(0.01f, 2.0f)}};
        CastHit down, aslant;
        for (int tile = -12; tile <= 12; ++tile) {
            const Shape ground = Box{{0.25f, 0.5f}, {0.5f * static_cast<float>(tile), -0.5f}};
            for (const float way : {-5.0f, -0.01f, 0.01f, 5.0f}) {
                if (shape_cast(box, {way, 0.0f}, ground)) ++stopped;
            }
            const CastHit straight = shape_cast(above, {0.0f, -4.0f}, ground);
            if (straight && straight.normal != Vec2{0.0f, 1.0f}) ++tilted;
            if (straight.fraction < down.fraction) down = straight;
            const CastHit askew = shape_cast(above, {0.75f, -4.0f}, ground);
            if (askew.fraction < aslant.fraction) aslant = askew;
        }
        if (!down || !aslant) ++fell_through;
        if (aslant && aslant.normal != Vec2{0.0f, 1.0f}) ++tilted;
    }
    CHECK(stopped == 0);
    CHECK(tilted == 0);
    CHECK(fell_through == 0);
}

TEST_CASE("a ray that starts inside hits at once, with the normal of the nearest way out") {
    test::Random random;
    int wrong = 0, clear = 0;
    for (int i = 0; i < some; ++i) {
        const Shape shape = test::random_shape(random);
        const Vec2 origin = point_inside(random, shape);
        const CastHit hit = ray_cast(origin, random.point(9.0f), shape);
        if (hit.fraction != 0.0f || hit.point != origin) ++wrong;
        const test::Truth truth = test::separate(test::exact(shape), test::exact(origin));
        if (truth.clarity < 1e-3) continue;
        ++clear;
        const double off = std::hypot(hit.normal.x - truth.normal_x, hit.normal.y - truth.normal_y);
        if (off > test::normal_tolerance(truth)) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(clear > some / 2);
}

TEST_CASE("a ray along a face hits, a shape that slides along it does not") {
    test::Random random;
    int rays_missed = 0, shapes_stopped = 0;
    for (int i = 0; i < some; ++i) {
        const Shape shape = test::lattice_shape(random);
        const Shape slider = test::lattice_shape(random);
        const Vec2 outer = outer_half_extents(shape);
        const Vec2 gap = outer + outer_half_extents(slider);
        const float side = random.one_in(2) ? 1.0f : -1.0f, ahead = random.one_in(2) ? 9.0f : -9.0f;
        const Vec2 beside_x{side * outer.x, -0.5f * ahead}, beside_y{-0.5f * ahead, side * outer.y};
        if (!ray_cast(shape.center + beside_x, {0.0f, ahead}, shape)) ++rays_missed;
        if (!ray_cast(shape.center + beside_y, {ahead, 0.0f}, shape)) ++rays_missed;
        Shape moving = slider;
        moving.center = shape.center + Vec2{side * gap.x, -0.5f * ahead};
        if (shape_cast(moving, {0.0f, ahead}, shape)) ++shapes_stopped;
        moving.center = shape.center + Vec2{-0.5f * ahead, side * gap.y};
        if (shape_cast(moving, {ahead, 0.0f}, shape)) ++shapes_stopped;
    }
    CHECK(rays_missed == 0);
    CHECK(shapes_stopped == 0);
}

TEST_CASE("a ray hits what has no height or width, head-on and across") {
    const Shape flat = AABB{{1.0f, 3.0f}, {5.0f, 3.0f}};
    const Shape thin = AABB{{3.0f, 1.0f}, {3.0f, 5.0f}};
    const Shape point = Circle{0.0f, {1.0f, 3.0f}};
    const auto meets = [](const Shape& shape, Vec2 origin, Vec2 way, float fraction, Vec2 normal) {
        const CastHit hit = ray_cast(origin, way, shape);
        return hit.fraction == fraction && hit.normal == normal;
    };
    CHECK(meets(flat, {-3.0f, 3.0f}, {8.0f, 0.0f}, 0.5f, {-1.0f, 0.0f}));
    CHECK(meets(flat, {9.0f, 3.0f}, {-8.0f, 0.0f}, 0.5f, {1.0f, 0.0f}));
    CHECK(meets(thin, {3.0f, 9.0f}, {0.0f, -8.0f}, 0.5f, {0.0f, 1.0f}));
    CHECK(meets(flat, {3.0f, 1.0f}, {0.0f, 4.0f}, 0.5f, {0.0f, -1.0f}));
    CHECK(meets(point, {-3.0f, 3.0f}, {8.0f, 0.0f}, 0.5f, {-1.0f, 0.0f}));
    CHECK(meets(point, {1.0f, 1.0f}, {0.0f, 4.0f}, 0.5f, {0.0f, -1.0f}));
    CHECK_FALSE(ray_cast({-3.0f, 3.0625f}, {8.0f, 0.0f}, flat));
    CHECK_FALSE(ray_cast({6.0f, 3.0f}, {8.0f, 0.0f}, flat));
    CHECK_FALSE(ray_cast({-3.0f, 3.0f}, {3.5f, 0.0f}, point));
}

TEST_CASE("a ray straight at the seam of two abutting boxes does not pass between them") {
    test::Random random;
    int passed = 0, tilted = 0;
    for (int i = 0; i < some; ++i) {
        const float seam = test::lattice(random, -80, 80), top = test::lattice(random, -8, 8);
        const float left_width = test::lattice(random, 1, 8),
                    right_width = test::lattice(random, 1, 8);
        const Shape left = AABB{{seam - left_width, top - 1.0f}, {seam, top}};
        const Shape right = AABB{{seam, top - 1.0f}, {seam + right_width, top}};
        const Vec2 origin{seam, top + random.uniform(0.1f, 5.0f)}, way{0.0f, -9.0f};
        const CastHit on_left = ray_cast(origin, way, left),
                      on_right = ray_cast(origin, way, right);
        if (!on_left && !on_right) ++passed;
        if (on_left && on_left.normal != Vec2{0.0f, 1.0f}) ++tilted;
        if (on_right && on_right.normal != Vec2{0.0f, 1.0f}) ++tilted;
        const CastHit up_left = ray_cast({seam, top - 3.0f}, -way, left);
        if (!up_left && !ray_cast({seam, top - 3.0f}, -way, right)) ++passed;
    }
    CHECK(passed == 0);
    CHECK(tilted == 0);
}

TEST_CASE("a cast from an overlap is stopped at once by going deeper, and by nothing else") {
    test::Random random;
    int held = 0, let_through = 0, slid = 0, overlapping = 0;
    for (int i = 0; i < some; ++i) {
        const Shape other = test::random_shape(random), moving = test::random_shape(random);
        const test::Truth truth = test::separate(test::exact(other), test::exact(moving));
        if (truth.separation > -1e-4 || truth.clarity < 1e-2) continue;
        ++overlapping;
        const Vec2 out{static_cast<float>(truth.normal_x), static_cast<float>(truth.normal_y)};
        const Vec2 way = random.direction() * random.log_uniform(1e-3f, 1e3f);
        const float outwards = dot(normalized(way), out);
        const CastHit hit = shape_cast(moving, way, other);
        if (outwards > 1e-3f && hit) ++held;
        if (outwards < -1e-3f && (hit.fraction != 0.0f || !near(hit.normal, out, 1e-3f))) {
            ++let_through;
        }
        // Only along an axis is sliding exact.
        const Vec2 axis{std::round(out.x), std::round(out.y)};
        if (axis == out && shape_cast(moving, perpendicular(out) * way.x, other)) ++slid;
    }
    CHECK(held == 0);
    CHECK(let_through == 0);
    CHECK(slid == 0);
    CHECK(overlapping > some / 10);
}

TEST_CASE("a shape in the middle of another moves out of it either way") {
    const Box wide{{2.0f, 1.0f}}, tall{{1.0f, 2.0f}};
    const RoundedBox round{{0.5f, 0.75f}, 0.25f};
    for (const Shape& moving : {Shape(wide), Shape(tall), Shape(round), Shape(Circle{0.5f})}) {
        for (const Shape& other : {Shape(wide), Shape(tall), Shape(round), Shape(Circle{0.5f})}) {
            for (const Vec2 way : {Vec2{1.0f, 2.0f}, Vec2{-1.0f, 2.0f}, Vec2{3.0f, 0.0f}}) {
                CHECK_FALSE(shape_cast(moving, way, other));
                CHECK_FALSE(shape_cast(moving, -way, other));
                CHECK_FALSE(shape_cast(moving, way, Polygon(bounds(other))));
                CHECK_FALSE(shape_cast(moving, -way, Polygon(bounds(other))));
            }
        }
    }
}

TEST_CASE("a shape cast again from where it hit goes no deeper, and leaves freely") {
    test::Random random;
    int sank = 0, held = 0, hits = 0;
    for (int i = 0; i < some; ++i) {
        const Shape moving = test::random_shape(random), other = test::random_shape(random);
        const Vec2 way = random.point(9.0f);
        const CastHit first = shape_cast(moving, way, other);
        if (!first || first.fraction == 0.0f) continue;
        const Shape there = translate(moving, way * first.fraction);
        if (is_sharp_corner(there, other, 1e-4f)) continue;
        ++hits;
        // Never quite along the surface: what is left of so flat a way is long.
        const Vec2 inwards =
            perpendicular(first.normal) * random.uniform(-1.0f, 1.0f) - first.normal;
        const CastHit deeper = shape_cast(there, inwards, other);
        if (!(deeper.fraction < 1e-4f)) ++sank;
        const Vec2 outwards = inwards + first.normal * 2.0f;
        if (shape_cast(there, outwards, other)) ++held;
    }
    CHECK(sank == 0);
    CHECK(held == 0);
    CHECK(hits > some / 20);
}

TEST_CASE("no way at all hits from inside and misses from outside") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < some; ++i) {
        const Shape shape = test::random_shape(random), other = test::random_shape(random);
        const Vec2 inside = point_inside(random, shape), anywhere = random.point(6.0f);
        const CastHit hit = ray_cast(inside, {}, shape);
        if (hit.fraction != 0.0f || hit.point != inside) ++wrong;
        if (signed_distance(shape, anywhere) > border && ray_cast(anywhere, {}, shape)) ++wrong;
        if (shape_cast(shape, {}, other)) ++wrong;
        const Vec2 axis_aligned{shape.center.x, anywhere.y};
        if (signed_distance(shape, axis_aligned) > border && ray_cast(axis_aligned, {}, shape))
            ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("a mirrored scene gives the mirrored answer bit for bit") {
    test::Random random;
    int wrong = 0, hits = 0;
    for (int i = 0; i < some; ++i) {
        const bool on_lattice = random.one_in(2);
        const auto make = on_lattice ? test::lattice_shape : test::random_shape;
        const Shape shape = make(random), moving = make(random);
        const Vec2 origin = on_lattice ? test::lattice_point(random) * 4.0f : random.point(6.0f);
        const Vec2 way = on_lattice ? test::lattice_point(random) * 4.0f : random.point(9.0f);
        const Vec2 apart = shape.center - moving.center, off = shape.center - origin;
        // Zero has no mirror image: it counts as positive.
        if (way.x == 0.0f || way.y == 0.0f || apart.x == 0.0f || apart.y == 0.0f) continue;
        if (off.x == 0.0f || off.y == 0.0f) continue;
        const CastHit ray = ray_cast(origin, way, shape), cast = shape_cast(moving, way, shape);
        if (ray && cast) ++hits;
        for (const Vec2 mirror : {Vec2{-1.0f, 1.0f}, Vec2{1.0f, -1.0f}, Vec2{-1.0f, -1.0f}}) {
            const Shape image = mirrored(shape, mirror), moving_image = mirrored(moving, mirror);
            const CastHit ray_image = ray_cast(origin * mirror, way * mirror, image);
            if (!is_mirrored(ray, ray_image, mirror)) ++wrong;
            const CastHit cast_image = shape_cast(moving_image, way * mirror, image);
            if (!is_mirrored(cast, cast_image, mirror)) ++wrong;
        }
    }
    CHECK(wrong == 0);
    CHECK(hits > some / 50);
}

TEST_CASE("to cast a past b is to cast b past a the other way") {
    test::Random random;
    int wrong = 0, wrong_point = 0, hits = 0;
    for (int i = 0; i < some; ++i) {
        const Shape a = test::random_shape(random), b = test::random_shape(random);
        const Vec2 way = random.point(8.0f);
        const CastHit there = shape_cast(a, way, b), back = shape_cast(b, -way, a);
        if (static_cast<bool>(there) != static_cast<bool>(back)) ++wrong;
        if (!there || !back) continue;
        ++hits;
        if (std::fabs(there.fraction - back.fraction) > 1e-5f) ++wrong;
        if (!near(there.normal, -back.normal, 1e-6f)) ++wrong;
        if (!near(there.point, back.point + way * there.fraction, 1e-5f)) ++wrong_point;
    }
    CHECK(wrong == 0);
    CHECK(wrong_point == 0);
    CHECK(hits > some / 20);
}

TEST_CASE(
    "what starts exactly at a corner is hit only by going in, and a corner is passed exactly") {
    const Box at_corner{{0.5f, 0.5f}, {1.5f, 1.5f}}, box{{0.5f, 0.5f}, {0.5f, 0.5f}};
    const Polygon polygon{AABB{{0.0f, 0.0f}, {1.0f, 1.0f}}};
    for (int x = -4; x <= 4; ++x) {
        for (int y = -4; y <= 4; ++y) {
            const Vec2 way{0.25f * static_cast<float>(x), 0.25f * static_cast<float>(y)};
            CAPTURE(way.x);
            CAPTURE(way.y);
            const bool goes_in = x < 0 && y < 0;
            CHECK(static_cast<bool>(shape_cast(at_corner, way, box)) == goes_in);
            CHECK(static_cast<bool>(shape_cast(at_corner, way, polygon)) == goes_in);
            const Box deep{{0.5f, 0.5f}, {1.25f, 1.25f}};  // as deep along both axes
            CHECK(static_cast<bool>(shape_cast(deep, way, box)) == goes_in);
            CHECK(static_cast<bool>(shape_cast(deep, way, polygon)) == goes_in);
        }
    }
    const Box passing{{0.5f, 0.5f}, {-1.5f, 0.5f}};
    CHECK_FALSE(shape_cast(passing, {2.0f, 2.0f}, box));
    CHECK_FALSE(shape_cast(passing, {2.0f, 2.0f}, polygon));
    CHECK(shape_cast(passing, {2.0f, 1.75f}, box));
    CHECK(shape_cast(Circle{0.0f, {-1.0f, 0.5f}}, {2.0f, 0.0f}, Box{{0.0f, 1.0f}}));
}

TEST_CASE("normals are unit vectors, also at the round ends of long thin shapes") {
    test::Random random;
    float worst = 0.0f;
    for (int i = 0; i < test::many / 100; ++i) {
        const float radius = random.log_uniform(1e-3f, 1.0f);
        const Capsule capsule{random.log_uniform(1.0f, 500.0f), radius};
        const Vec2 origin{random.uniform(-radius, radius), 2.0f * capsule.half_length};
        const CastHit hit = ray_cast(origin, {0.0f, -origin.y}, capsule);
        if (hit) worst = max(worst, abs(length(hit.normal) - 1.0f));
    }
    CHECK(worst < 1e-6f);
}

TEST_CASE("what comes straight at the middle of a round shape meets it squarely, to the bit") {
    test::Random random;
    int tilted = 0;
    for (int i = 0; i < test::many / 100; ++i) {
        const Vec2 center = random.point(100.0f);
        const float radius = random.log_uniform(0.01f, 10.0f);
        const Shape round = random.one_in(2) ? Shape(Circle{radius, center})
                                             : translate(Capsule{random.unit(), radius}, center);
        for (const Vec2 out : {Vec2{1.0f, 0.0f}, {-1.0f, 0.0f}, {0.0f, 1.0f}, {0.0f, -1.0f}}) {
            const Vec2 origin = center + out * random.uniform(20.0f, 500.0f);
            const CastHit ray = ray_cast(origin, out * -1e3f, round);
            const CastHit ball = shape_cast(Circle{radius, origin}, out * -1e3f, round);
            tilted += ray.normal != out || ball.normal != out ? 1 : 0;
        }
    }
    CHECK(tilted == 0);
}

TEST_CASE("a shape that keeps a millimetre off slides over a floor of boxes and does not catch") {
    constexpr float step = 1.0f / 60.0f;
    test::Random random;
    int late = 0;
    for (int i = 0; i < 200; ++i) {
        const Vec2 place = random.point(300.0f);
        const float width = random.uniform(0.3f, 1.0f);
        const auto cast_at_floor = [&](const Shape& moving, Vec2 way) {
            CastHit first;
            for (int k = 0; k < 30; ++k) {
                const float left = place.x + width * static_cast<float>(k);
                const AABB piece{{left, place.y - 1.0f}, {left + width, place.y}};
                const CastHit hit = shape_cast(moving, way, piece);
                if (hit.fraction < first.fraction) first = hit;
            }
            return first;
        };
        Shape moving = test::random_shape(random);
        moving.center = place + Vec2{width, outer_half_extents(moving).y + 0.01f};
        const float start = moving.center.x;
        const int steps = static_cast<int>(25.0f * width / (5.0f * step));
        for (int k = 0; k < steps; ++k) {
            test::slide(moving, {5.0f, -2.0f}, step, cast_at_floor, 1e-3f);
        }
        if (moving.center.x - start < 24.5f * width) ++late;  // of 25
    }
    CHECK(late == 0);
}

TEST_CASE("what is at NaN or moves by NaN hits nothing, but for rays from inside") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const Vec2 above{0.0f, 5.0f}, down{0.0f, -10.0f};
    const auto check = [&](const auto& obstacle) {
        for (const Vec2 bad : {Vec2{nan, nan}, {nan, 0.0f}, {0.0f, nan}}) {
            CHECK(ray_cast(above + bad, down, obstacle).fraction == CastHit::nothing);
            CHECK(ray_cast(bad, down, obstacle).fraction == CastHit::nothing);
            CHECK(ray_cast(above, down + bad, obstacle).fraction == CastHit::nothing);
            CHECK(ray_cast({0.0f, -0.1f}, bad, obstacle).fraction == 0.0f);
            for (const Shape& shape : {Shape(Circle{}), Shape(Box{}), Shape(RoundedBox{})}) {
                const Shape moving = translate(shape, above), nowhere = translate(shape, bad);
                CHECK(shape_cast(moving, down + bad, obstacle).fraction == CastHit::nothing);
                CHECK(shape_cast(nowhere, down, obstacle).fraction == CastHit::nothing);
            }
        }
    };
    check(Shape(Circle{}));
    check(Shape(Box{}));
    check(Shape(RoundedBox{}));
    check(Polygon(bounds(Box{})));
    check(HalfSpace{});
}

TEST_CASE("a one-way plank holds what has come through, and lets fall back what has not") {
    constexpr Vec2 out = direction_of(OneWay::Up);
    constexpr float dt = 1.0f / 60.0f;
    const Shape plank = Box{{5.0f, 0.1f}, {0.0f, 3.0f}};
    const auto cast = [&](const Shape& moving, Vec2 way) {
        const CastHit hit = shape_cast(moving, way, plank);
        return dot(hit.normal, out) > 0.0f && !overlaps(moving, plank) ? hit : CastHit{};
    };
    for (const Shape& shape : {Shape(Box{}), Shape(Circle{}), Shape(Capsule{})}) {
        const float stands = 3.1f + outer_half_extents(shape).y;
        for (float jump = 5.0f; jump < 12.0f; jump += 0.1f) {
            CAPTURE(jump);
            Shape moving = shape;
            float speed = jump, highest = 0.0f;
            for (int i = 0; i < 240; ++i) {
                speed -= 10.0f * dt;
                const float before = moving.center.y;
                test::slide(moving, {0.0f, speed}, dt, cast, 1e-3f);
                if (moving.center.y > before + speed * dt + 1e-4f) speed = 0.0f;
                highest = max(highest, moving.center.y);
            }
            const bool is_held = std::fabs(moving.center.y - stands) < 0.01f;
            CHECK(is_held == (highest > stands));
            CHECK((is_held || moving.center.y < 0.0f));
        }
    }
}

}  // namespace cast_test

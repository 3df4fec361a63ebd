// SPDX-License-Identifier: MIT
// Does `collide` tell where, how deep and along which unit normal two shapes touch? The named pairs
// are held against brute force in double and against the one formula; the border cases (touching,
// ties, coincident centres, centres inside, corners, any size) against closed forms.
#include <cmath>
#include <initializer_list>

#include <doctest/doctest.h>

#include <phys2d/collision/collide.hpp>
#include <phys2d/collision/overlap.hpp>

#include "../support/random_shapes.hpp"
#include "../support/separation_oracle.hpp"

namespace collide_test {

using namespace phys2d;

namespace {

constexpr AABB unit{{-1.0f, -1.0f}, {1.0f, 1.0f}};
constexpr Vec2 right{1.0f, 0.0f};
constexpr Vec2 left{-1.0f, 0.0f};
constexpr Vec2 up{0.0f, 1.0f};
constexpr Vec2 down{0.0f, -1.0f};

static_assert(collide(Circle{4.0f}, Circle{3.0f, {3.0f, 4.0f}}).penetration == 2.0f);
static_assert(collide(unit, AABB{{0.5f, -9.0f}, {9.0f, 9.0f}}).normal == right);
static_assert(collide(unit, Circle{1.0f, {0.0f, 2.0f}}));
static_assert(!collide(unit, Circle{0.5f, {0.0f, 2.0f}}));
static_assert(collide(Circle{1.0f, {0.0f, 2.0f}}, unit).normal == down);
static_assert(collide(Shape(unit), Shape(Circle{1.0f, {2.0f, 0.0f}})).penetration == 0.0f);

double true_length(Vec2 v) { return std::hypot(double{v.x}, double{v.y}); }
double along(Vec2 v, Vec2 n) { return double{v.x} * n.x + double{v.y} * n.y; }

/// How far a shape reaches from its centre along n, without and with its radius.
double core_reach(const Shape& shape, Vec2 n) { return along(shape.half_extents, abs(n)); }
double reach(const Shape& shape, Vec2 n) { return core_reach(shape, n) + shape.radius; }

struct Tally {
    int bent = 0;          ///< normals that are not unit vectors
    int wrong_depth = 0;   ///< penetrations that are not the oracle's
    int wrong_normal = 0;  ///< normals that are not the oracle's
    int odd = 0;           ///< manifolds other than the one formula's
    int overlapping = 0;
};

bool alike(const Manifold& m, const Manifold& other, double normal_tolerance) {
    return std::fabs(double{m.penetration} - other.penetration) <= test::rounding &&
           true_length(m.normal - other.normal) <= normal_tolerance &&
           true_length(m.point - other.point) <= test::rounding + 2.0 * normal_tolerance;
}

/// Manifolds of random pairs against the oracle and against the one formula.
template <class A, class B>
Tally hold_against_brute_force(A (*make_a)(test::Random&), B (*make_b)(test::Random&)) {
    test::Random random;
    Tally tally;
    for (int i = 0; i < test::many; ++i) {
        const A a = make_a(random);
        const B b = make_b(random);
        const test::Truth truth = test::separate(test::exact(a), test::exact(b));
        const double tolerance = test::normal_tolerance(truth);
        const Manifold m = collide(a, b);
        const double off = std::hypot(m.normal.x - truth.normal_x, m.normal.y - truth.normal_y);
        if (std::fabs(true_length(m.normal) - 1.0) > 3e-7) ++tally.bent;  // five roundings
        if (std::fabs(m.penetration + truth.separation) > test::rounding) ++tally.wrong_depth;
        if (off > tolerance) ++tally.wrong_normal;
        if (!alike(m, collide(Shape(a), Shape(b)), tolerance)) ++tally.odd;
        if (m) ++tally.overlapping;
    }
    return tally;
}

void check(const Tally& tally) {
    CHECK(tally.bent == 0);
    CHECK(tally.wrong_depth == 0);
    CHECK(tally.wrong_normal == 0);
    CHECK(tally.odd == 0);
    CHECK(tally.overlapping > test::many / 10);
    CHECK(tally.overlapping < test::many / 2);
}

/// The special case gives the normal and the depth of the one formula, bit for bit.
template <class A, class B>
bool is_special_case(const A& a, const B& b) {
    const Manifold special = collide(a, b);
    const Manifold formula = collide(Shape(a), Shape(b));
    return special.normal == formula.normal && special.penetration == formula.penetration;
}

/// Pushing B by normal * penetration makes the pair touch.
template <class A, class B>
bool pushed_apart(const A& a, const B& b) {
    const Manifold m = collide(a, b);
    test::Rounded moved = test::exact(b);
    moved.x += double{m.normal.x} * m.penetration;
    moved.y += double{m.normal.y} * m.penetration;
    return std::fabs(test::separate(test::exact(a), moved).separation) <= 2.0 * test::rounding;
}

/// Two circles, two boxes, and a box with a circle, whose size is `scale` and whose overlap a tenth
/// of that.
bool overlap_by_a_tenth(float scale) {
    const auto is = [&](const Manifold& m, Vec2 normal) {
        const bool unit_normal = std::fabs(true_length(m.normal) - 1.0) < 1e-6;
        return unit_normal && true_length(m.normal - normal) < 1e-5 &&
               std::fabs(m.penetration / scale - 0.1) < 1e-5 && is_finite(m.point / scale);
    };
    const AABB box{{-scale, -scale}, {scale, scale}};
    const Vec2 beside{1.9f * scale, 0.5f * scale};
    const Circle a{scale};
    const Circle b{scale, Vec2{0.6f, 0.8f} * (1.9f * scale)};
    const Circle corner{scale, Vec2{scale, -scale} + Vec2{0.6f, -0.8f} * (0.9f * scale)};
    return is(collide(a, b), {0.6f, 0.8f}) && is(collide(box, translate(box, beside)), right) &&
           is(collide(box, Circle{scale, beside}), right) &&
           is(collide(box, corner), {0.6f, -0.8f}) && is(collide(Shape(a), Shape(b)), {0.6f, 0.8f});
}

}  // namespace

TEST_CASE("two circles meet as brute force and the one formula say") {
    check(hold_against_brute_force(test::random_circle, test::random_circle));
}

TEST_CASE("two AABBs meet as brute force and the one formula say") {
    check(hold_against_brute_force(test::random_aabb, test::random_aabb));
}

TEST_CASE("an AABB and a circle meet as brute force and the one formula say") {
    check(hold_against_brute_force(test::random_aabb, test::random_circle));
}

TEST_CASE("two shapes of any kind meet as brute force says") {
    check(hold_against_brute_force(test::random_shape, test::random_shape));
}

TEST_CASE("on a lattice, ties and touching included, the special cases have the formula's bits") {
    test::Random random;
    int odd = 0;
    int touching = 0;
    for (int i = 0; i < test::many / 2; ++i) {
        const Circle circle = test::lattice_circle(random);
        const AABB box = test::lattice_aabb(random);
        if (!is_special_case(circle, test::lattice_circle(random))) ++odd;
        if (!is_special_case(box, test::lattice_aabb(random))) ++odd;
        if (!is_special_case(box, circle)) ++odd;
        if (collide(box, circle).penetration == 0.0f) ++touching;
    }
    CHECK(odd == 0);
    CHECK(touching > test::many / 500);
}

TEST_CASE("on a lattice, a manifold is true exactly when the shapes overlap") {
    test::Random random;
    int odd = 0;
    for (int i = 0; i < test::many / 2; ++i) {
        const Circle circle = test::lattice_circle(random);
        const AABB box = test::lattice_aabb(random);
        const Circle circle_b = test::lattice_circle(random);
        const AABB box_b = test::lattice_aabb(random);
        if (static_cast<bool>(collide(circle, circle_b)) != overlaps(circle, circle_b)) ++odd;
        if (static_cast<bool>(collide(box, box_b)) != overlaps(box, box_b)) ++odd;
        if (static_cast<bool>(collide(box, circle)) != overlaps(box, circle)) ++odd;
    }
    CHECK(odd == 0);
}

TEST_CASE("pushing B by normal * penetration makes any pair touch exactly") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < test::many / 5; ++i) {
        const Circle circle = test::random_circle(random);
        const AABB box = test::random_aabb(random);
        const Shape shape = test::random_shape(random);
        if (!pushed_apart(circle, test::random_circle(random))) ++wrong;
        if (!pushed_apart(box, test::random_aabb(random))) ++wrong;
        if (!pushed_apart(shape, test::random_shape(random))) ++wrong;
        if (!pushed_apart(box, circle) || !pushed_apart(circle, box)) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("exchanging the parties flips the normal and nothing else") {
    test::Random random;
    int wrong = 0;
    const auto hold = [&](const Manifold& m, const Manifold& exchanged) {
        if (exchanged.normal != -m.normal || exchanged.penetration != m.penetration) ++wrong;
        if (true_length(exchanged.point - m.point) > test::rounding) ++wrong;
    };
    for (int i = 0; i < test::many / 5; ++i) {
        const Circle circle = test::random_circle(random);
        const Circle circle_b = test::random_circle(random);
        const AABB box = test::random_aabb(random);
        const AABB box_b = test::random_aabb(random);
        const Shape shape = test::random_shape(random);
        hold(collide(circle, circle_b), collide(circle_b, circle));
        hold(collide(box, box_b), collide(box_b, box));
        hold(collide(box, circle), collide(circle, box));
        hold(collide(shape, Shape(circle)), collide(Shape(circle), shape));
    }
    CHECK(wrong == 0);
    CHECK(flipped(Manifold{right, 0.5f, {1.0f, 2.0f}}).point == Vec2{1.0f, 2.0f});
}

TEST_CASE("penetration grows no faster than the shapes move, across corners and centres too") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < test::many / 5; ++i) {
        const AABB box = test::random_aabb(random);
        const Circle circle = test::random_circle(random);
        const Vec2 step = random.direction() * random.uniform(0.0f, 0.5f);
        const Circle moved{circle.radius, circle.center + step};
        const float change = collide(box, moved).penetration - collide(box, circle).penetration;
        if (std::fabs(change) > true_length(step) + 2.0 * test::rounding) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("penetration of circles is the sum of the radii less the distance, nothing squared") {
    const Manifold m = collide(Circle{4.0f, {1.0f, 1.0f}}, Circle{3.0f, {4.0f, 5.0f}});
    CHECK(m.penetration == 2.0f);
    CHECK(m.normal.x == doctest::Approx(0.6).epsilon(1e-6));
    CHECK(m.normal.y == doctest::Approx(0.8).epsilon(1e-6));
    // the surfaces are 4 and 2 along the normal: midway is 3
    CHECK(m.point.x == doctest::Approx(2.8).epsilon(1e-6));
    CHECK(m.point.y == doctest::Approx(3.4).epsilon(1e-6));
    CHECK(collide(Circle{0.25f}, Circle{0.25f, {0.0f, 0.25f}}).penetration == 0.25f);
    CHECK(collide(unit, Circle{0.25f, {1.125f, 0.0f}}).penetration == 0.125f);
    CHECK(collide(unit, Circle{10.0f, {4.0f, 5.0f}}).penetration == 5.0f);
}

TEST_CASE("boxes leave along the axis of least penetration, on the side where B is") {
    const Manifold to_the_right = collide(unit, AABB{{0.75f, 0.5f}, {3.0f, 3.0f}});
    CHECK(to_the_right.normal == right);
    CHECK(to_the_right.penetration == 0.25f);
    CHECK(collide(unit, AABB{{-3.0f, 0.5f}, {-0.75f, 3.0f}}).normal == left);
    CHECK(collide(unit, AABB{{0.5f, 0.75f}, {3.0f, 3.0f}}).normal == up);
    CHECK(collide(unit, AABB{{0.5f, -3.0f}, {3.0f, -0.75f}}).normal == down);
    CHECK(collide(unit, AABB{{0.5f, -3.0f}, {3.0f, -0.75f}}).penetration == 0.25f);
    // contained, nearest to the left side
    CHECK(collide(unit, AABB{{-0.75f, -0.25f}, {-0.25f, 0.5f}}).normal == left);
    CHECK(collide(unit, AABB{{-0.75f, -0.25f}, {-0.25f, 0.5f}}).penetration == 0.75f);
}

TEST_CASE("no translation along an axis frees overlapping boxes sooner than their penetration") {
    test::Random random;
    int wrong = 0;
    int overlapping = 0;
    for (int i = 0; i < test::many / 5; ++i) {
        const AABB a = test::random_aabb(random);
        const AABB b = test::random_aabb(random);
        if (!overlaps(a, b)) continue;
        ++overlapping;
        const double x = std::fmin(double{a.max.x} - b.min.x, double{b.max.x} - a.min.x);
        const double y = std::fmin(double{a.max.y} - b.min.y, double{b.max.y} - a.min.y);
        const double penetration = collide(a, b).penetration;
        if (std::fabs(penetration - std::fmin(x, y)) > test::rounding) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(overlapping > test::many / 50);
}

TEST_CASE("touching exactly is a penetration of exactly 0, and a manifold that is true") {
    const auto touching = [](const Manifold& m, Vec2 normal) {
        return m.penetration == 0.0f && m && true_length(m.normal - normal) < 1e-6;
    };
    CHECK(touching(collide(Circle{2.0f}, Circle{3.0f, {3.0f, 4.0f}}), {0.6f, 0.8f}));
    CHECK(touching(collide(Circle{0.25f}, Circle{0.5f, {0.0f, -0.75f}}), down));
    CHECK(touching(collide(unit, AABB{{1.0f, -0.5f}, {3.0f, 0.5f}}), right));
    CHECK(touching(collide(unit, AABB{{-3.0f, -0.5f}, {-1.0f, 0.5f}}), left));
    CHECK(touching(collide(unit, AABB{{-0.5f, 1.0f}, {0.5f, 3.0f}}), up));
    CHECK(touching(collide(unit, AABB{{1.0f, 1.0f}, {2.0f, 2.0f}}), up));
    CHECK(touching(collide(unit, Circle{0.5f, {-1.5f, 0.25f}}), left));
    CHECK(touching(collide(unit, Circle{5.0f, {4.0f, -5.0f}}), {0.6f, -0.8f}));
    CHECK(touching(collide(Circle{0.5f, {0.25f, 1.5f}}, unit), down));
    const Shape capsule = Capsule{1.0f, 0.5f};
    CHECK(touching(collide(capsule, translate(capsule, {0.0f, 3.0f})), up));
    CHECK(touching(collide(capsule, translate(capsule, {-1.0f, 0.5f})), left));
    const RoundedBox rounded{{1.0f, 1.0f}, 5.0f, {5.0f, 6.0f}};
    CHECK(touching(collide(Shape(unit), rounded), {0.6f, 0.8f}));
}

TEST_CASE("boxes that share a side touch exactly, whatever number the side has") {
    test::Random random;
    int apart = 0;
    for (int i = 0; i < 10'000; ++i) {
        const float side = random.uniform(-10.0f, 10.0f);
        const AABB a{{side - random.uniform(0.1f, 1.0f), 0.0f}, {side, 1.0f}};
        const AABB b{{side, 0.0f}, {side + random.uniform(0.1f, 1.0f), 1.0f}};
        const Manifold m = collide(a, b);
        if (!m || m.penetration != 0.0f || m.normal != right) ++apart;
    }
    CHECK(apart == 0);
}

TEST_CASE("a pair that is apart has its distance as negative penetration") {
    CHECK(collide(Circle{1.0f}, Circle{1.0f, {3.0f, 4.0f}}).penetration == -3.0f);
    CHECK(collide(unit, Circle{2.0f, {4.0f, 5.0f}}).penetration == -3.0f);
    CHECK(collide(unit, AABB{{3.0f, 0.0f}, {5.0f, 1.0f}}).penetration == -2.0f);
    CHECK(collide(unit, AABB{{3.0f, 0.0f}, {5.0f, 1.0f}}).normal == right);
    CHECK_FALSE(collide(unit, AABB{{3.0f, 0.0f}, {5.0f, 1.0f}}));
    const Manifold corner = collide(unit, AABB{{-6.0f, 4.0f}, {-5.0f, 9.0f}});
    CHECK(corner.penetration == -5.0f);
    CHECK(true_length(corner.normal - Vec2{-0.8f, 0.6f}) < 1e-6);
    CHECK(corner.point == Vec2{-3.0f, 2.5f});
}

TEST_CASE("coincident centres give up, or right where the pair is less deep along x") {
    const auto is = [](const Manifold& m, Vec2 normal, float penetration) {
        return m.normal == normal && m.penetration == penetration;
    };
    const Vec2 here{2.0f, -3.0f};
    const AABB square = aabb_around(here, {1.0f, 1.0f});
    const AABB tall = aabb_around(here, {0.5f, 2.0f});
    const Circle disc{0.25f, here};
    const Capsule upright{1.0f, 0.25f, Axis::Y, here};
    CHECK(is(collide(disc, disc), up, 0.5f));
    CHECK(is(collide(square, square), up, 2.0f));
    CHECK(is(collide(tall, tall), right, 1.0f));
    CHECK(is(collide(square, disc), up, 1.25f));
    CHECK(is(collide(disc, square), down, 1.25f));
    CHECK(is(collide(tall, disc), right, 0.75f));
    CHECK(is(collide(Shape(disc), Shape(disc)), up, 0.5f));
    CHECK(is(collide(Shape(upright), Shape(upright)), right, 0.5f));
    CHECK(is(collide(Circle{0.0f, here}, Circle{0.0f, here}), up, 0.0f));
}

TEST_CASE("ties are settled for good: equal depths take y, a zero offset counts as positive") {
    CHECK(collide(unit, AABB{{0.5f, 0.5f}, {2.0f, 2.0f}}).normal == up);
    CHECK(collide(unit, AABB{{-2.0f, -2.0f}, {-0.5f, -0.5f}}).normal == down);
    CHECK(collide(unit, AABB{{0.5f, -1.0f}, {2.0f, 1.0f}}).normal == right);
    CHECK(collide(unit, AABB{{-1.0f, 0.5f}, {1.0f, 2.0f}}).normal == up);
    CHECK(collide(unit, Circle{0.5f, {0.5f, 0.5f}}).normal == up);
    CHECK(collide(unit, Circle{0.5f, {0.5f, -0.5f}}).normal == down);
    CHECK(collide(unit, Circle{0.5f, {1.0f, -1.0f}}).normal == down);
    CHECK(collide(unit, Circle{0.5f, {1.0f, 0.0f}}).normal == right);
    CHECK(collide(AABB{{-1.0f, -2.0f}, {1.0f, 2.0f}}, Circle{0.5f}).normal == right);
    CHECK(collide(AABB{{-2.0f, -1.0f}, {2.0f, 1.0f}}, Circle{0.5f}).normal == up);
}

TEST_CASE("the normal is a unit vector from A to B wherever a circle lies about a box") {
    int wrong = 0;
    for (int x = -24; x <= 24; ++x) {
        for (int y = -24; y <= 24; ++y) {
            const Vec2 offset = Vec2{static_cast<float>(x), static_cast<float>(y)} * 0.125f;
            const Circle circle{0.5f, Vec2{7.0f, -5.0f} + offset};
            const AABB box = translate(unit, {7.0f, -5.0f});
            for (const Manifold& m :
                 {collide(box, circle), flipped(collide(circle, box)),
                  collide(Shape(box), Shape(circle)), collide(box, bounds(circle)),
                  collide(Circle{1.0f, center(box)}, circle)}) {
                if (std::fabs(true_length(m.normal) - 1.0) > 3e-7) ++wrong;
                if (dot(m.normal, offset) < 0.0f) ++wrong;
            }
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("a circle deep in a box leaves by the nearest face") {
    const auto leaves = [](Vec2 center, Vec2 normal, float penetration) {
        const AABB box{{0.0f, 0.0f}, {8.0f, 4.0f}};
        const Manifold m = collide(box, Circle{0.5f, center});
        return m.normal == normal && m.penetration == penetration;
    };
    CHECK(leaves({7.0f, 2.0f}, right, 1.5f));
    CHECK(leaves({1.0f, 1.5f}, left, 1.5f));
    CHECK(leaves({4.0f, 3.0f}, up, 1.5f));
    CHECK(leaves({6.0f, 0.25f}, down, 0.75f));
    CHECK(leaves({7.75f, 3.5f}, right, 0.75f));
    CHECK(leaves({4.0f, 2.0f}, up, 2.5f));
    CHECK(leaves({8.0f, 2.0f}, right, 0.5f));
}

TEST_CASE("round a corner the normal turns with the circle, and never jumps to a face") {
    constexpr int steps = 20'000;
    constexpr double quarter = 1.5707963267948966;
    for (const double distance : {0.01, 0.7}) {
        // the centre, near 1, is rounded to a float: an angle of at most 2^-24 / distance, twice
        const double tolerance = 5e-7 + 0x1p-23 / distance;
        int wrong = 0;
        Vec2 before = right;
        for (int i = 0; i <= steps; ++i) {
            const double angle = quarter * i / steps;
            const double cosine = std::cos(angle), sine = std::sin(angle);
            const Circle circle{1.0f,
                                {static_cast<float>(1.0 + distance * cosine),
                                 static_cast<float>(1.0 + distance * sine)}};
            const Manifold m = collide(unit, circle);
            const Manifold formula = collide(Shape(unit), circle);
            const double off = std::hypot(m.normal.x - cosine, m.normal.y - sine);
            if (off > tolerance) ++wrong;
            if (true_length(m.normal - before) > quarter / steps + 2.0 * tolerance) ++wrong;
            if (std::fabs(m.penetration - (1.0 - distance)) > 3e-7) ++wrong;
            if (true_length(collide(circle, unit).normal + m.normal) > 0.0) ++wrong;
            if (true_length(formula.normal - m.normal) > 2.0 * tolerance) ++wrong;
            before = m.normal;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("sizes from 1e-18 to 1e18 metres collide like those of a metre") {
    for (const float scale : {1e-18f, 1e-15f, 1e-6f, 1.0f, 1e6f, 1e15f, 1e18f}) {
        CAPTURE(scale);
        CHECK(overlap_by_a_tenth(scale));
    }
}

TEST_CASE("a tiny circle and a huge box meet with a unit normal and the depth of the tiny one") {
    const AABB ground{{-1e15f, -1e15f}, {1e15f, 0.0f}};
    const Manifold m = collide(ground, Circle{1e-3f, {0.0f, 0.5e-3f}});
    CHECK(m.normal == up);
    CHECK(m.penetration == 0.5e-3f);
    const Manifold far_apart = collide(Circle{1e-15f}, Circle{1e-15f, {3e15f, 4e15f}});
    CHECK(far_apart.penetration == doctest::Approx(-5e15).epsilon(1e-6));
    CHECK(true_length(far_apart.normal - Vec2{0.6f, 0.8f}) < 1e-6);
}

TEST_CASE("the contact point of shapes apart is as far from the one as from the other") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < test::many / 5; ++i) {
        const Shape a = test::random_shape(random);
        const Shape b = test::random_shape(random);
        const Manifold m = collide(a, b);
        if (m) continue;
        const double from_a = test::separate(test::exact(a), test::exact(m.point)).separation;
        const double from_b = test::separate(test::exact(b), test::exact(m.point)).separation;
        if (std::fabs(from_a + m.penetration / 2) > test::rounding) ++wrong;
        if (std::fabs(from_b + m.penetration / 2) > test::rounding) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("the contact point of shapes that overlap a little is in both, midway along the normal") {
    test::Random random;
    int wrong = 0;
    int little = 0;
    for (int i = 0; i < test::many / 5; ++i) {
        const Shape a = test::random_shape(random);
        const Shape b = test::random_shape(random);
        const Manifold m = collide(a, b);
        const Vec2 thickness = min(outer_half_extents(a), outer_half_extents(b));
        if (!m || m.penetration > phys2d::min(thickness.x, thickness.y)) continue;
        const double way = along(b.center, m.normal) - along(a.center, m.normal);
        const double core_a = core_reach(a, m.normal), core_b = core_reach(b, m.normal);
        if (way < std::fabs(core_a - core_b)) continue;  // a core inside the other one
        ++little;
        const double surface_a = along(a.center, m.normal) + reach(a, m.normal);
        const double surface_b = along(b.center, m.normal) - reach(b, m.normal);
        const double midway = (surface_a + surface_b) / 2;
        if (std::fabs(along(m.point, m.normal) - midway) > 2.0 * test::rounding) ++wrong;
        const auto from = [&](const Shape& shape) {
            return test::separate(test::exact(shape), test::exact(m.point)).separation;
        };
        if (from(a) > test::rounding || from(b) > test::rounding) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(little > test::many / 50);
}

TEST_CASE("the contact point is midway between the surfaces also when one is deep in the other") {
    CHECK(collide(unit, Circle{0.25f, {0.5f, 0.0f}}).point == Vec2{0.625f, 0.0f});
    CHECK(collide(Shape(unit), Shape(Circle{0.25f, {0.5f, 0.0f}})).point == Vec2{0.625f, 0.0f});
    CHECK(collide(unit, AABB{{0.5f, -0.25f}, {0.75f, 0.25f}}).point == Vec2{0.75f, 0.0f});
    CHECK(collide(Circle{1.0f}, Circle{0.25f, {0.5f, 0.0f}}).point == Vec2{0.625f, 0.0f});
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < test::many / 5; ++i) {
        const Shape a = test::random_shape(random);
        const Shape b = test::random_shape(random);
        const Manifold m = collide(a, b);
        const double surface_a = along(a.center, m.normal) + reach(a, m.normal);
        const double surface_b = along(b.center, m.normal) - reach(b, m.normal);
        const double midway = (surface_a + surface_b) / 2;
        if (std::fabs(along(m.point, m.normal) - midway) > 2.0 * test::rounding) ++wrong;
    }
    CHECK(wrong == 0);
}

}  // namespace collide_test

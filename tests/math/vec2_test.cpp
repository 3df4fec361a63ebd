// SPDX-License-Identifier: MIT
// Does Vec2 do plane geometry: lengths at every size, unit vectors from any direction, turns,
// mirrors and shadows, with sums of products that are never fused?
#include <cmath>
#include <limits>
#include <utility>

#include <doctest/doctest.h>

#include <phys2d/math/vec2.hpp>

#include "../support/random.hpp"

namespace vec2_test {

using namespace phys2d;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr double half_ulp = 0x1p-24;  // largest relative error of one rounding

static_assert(Vec2{1.0f, 2.0f} + Vec2{3.0f, 4.0f} == Vec2{4.0f, 6.0f});
static_assert(length(Vec2{3.0f, -4.0f}) == 5.0f && distance({1.0f, 1.0f}, {4.0f, 5.0f}) == 5.0f);
static_assert(normalized(Vec2{0.0f, -3.0f}) == Vec2{0.0f, -1.0f});
static_assert(reflect({1.0f, -1.0f}, {0.0f, 1.0f}) == Vec2{1.0f, 1.0f});
static_assert(move_towards({0.0f, 0.0f}, {6.0f, 8.0f}, 5.0f) == Vec2{3.0f, 4.0f});
static_assert(clamp_length({6.0f, 8.0f}, 5.0f) == Vec2{3.0f, 4.0f});
static_assert(rotate({1.0f, 2.0f}, 0.0f, 1.0f) == perpendicular({1.0f, 2.0f}));

double true_length(Vec2 v) { return std::hypot(double{v.x}, double{v.y}); }

/// Any direction, and a length from 1e-30 to 1e30.
Vec2 vector_of_any_size(test::Random& random) {
    return random.direction() * std::pow(10.0f, random.uniform(-30.0f, 30.0f));
}

}  // namespace

TEST_CASE("vectors add, subtract and scale by components") {
    const Vec2 a{1.0f, -2.0f};
    const Vec2 b{0.5f, 4.0f};
    CHECK(a + b == Vec2{1.5f, 2.0f});
    CHECK(a - b == Vec2{0.5f, -6.0f});
    CHECK(-a == Vec2{-1.0f, 2.0f});
    CHECK(a * 3.0f == Vec2{3.0f, -6.0f});
    CHECK(3.0f * a == Vec2{3.0f, -6.0f});
    CHECK(a * b == Vec2{0.5f, -8.0f});
    CHECK(a / 4.0f == Vec2{0.25f, -0.5f});
    CHECK(Vec2{} == Vec2{0.0f, 0.0f});
    CHECK(a != b);
}

TEST_CASE("compound assignment does what the binary operator does and returns the vector itself") {
    Vec2 v{1.0f, 2.0f};
    CHECK(&(v += Vec2{2.0f, 3.0f}) == &v);
    CHECK(v == Vec2{3.0f, 5.0f});
    CHECK(&(v -= Vec2{1.0f, 1.0f}) == &v);
    CHECK(v == Vec2{2.0f, 4.0f});
    CHECK(&(v *= 2.0f) == &v);
    CHECK(v == Vec2{4.0f, 8.0f});
    CHECK(&(v /= 8.0f) == &v);
    CHECK(v == Vec2{0.5f, 1.0f});
}

TEST_CASE("nothing is added by mistake to what a call returns by value") {
    const auto velocity = [] { return Vec2{1.0f, 2.0f}; };
    const auto adds = [](auto&& v) {
        return requires { std::forward<decltype(v)>(v) += Vec2{}; };
    };
    Vec2 v = velocity();
    CHECK(adds(v));
    CHECK_FALSE(adds(velocity()));
}

TEST_CASE("dot and cross round each product once: the cross of a vector with itself is exactly 0") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < 100'000; ++i) {
        const Vec2 a = random.point(4.0f);
        const Vec2 b = random.point(4.0f);
        const float xx = test::product_rounded_once(a.x, b.x);
        const float xy = test::product_rounded_once(a.x, b.y);
        const float yx = test::product_rounded_once(a.y, b.x);
        const float yy = test::product_rounded_once(a.y, b.y);
        if (dot(a, b) != xx + yy || cross(a, b) != xy - yx || cross(a, a) != 0.0f) ++wrong;
        if (a * b - Vec2{xx, yy} != Vec2{}) ++wrong;
        if (a * b.x - Vec2{xx, yx} != Vec2{}) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("cross is positive for counter-clockwise turns, and perpendicular is a quarter of one") {
    CHECK(cross({1.0f, 0.0f}, {0.0f, 1.0f}) == 1.0f);
    CHECK(cross({0.0f, 1.0f}, {1.0f, 0.0f}) == -1.0f);
    CHECK(dot({2.0f, 3.0f}, {4.0f, -5.0f}) == -7.0f);
    CHECK(perpendicular({1.0f, 0.0f}) == Vec2{0.0f, 1.0f});
    CHECK(perpendicular({0.0f, 1.0f}) == Vec2{-1.0f, 0.0f});
    CHECK(cross({2.0f, 3.0f}, perpendicular({2.0f, 3.0f})) == length_sq({2.0f, 3.0f}));
}

TEST_CASE("length and distance are those of Pythagoras") {
    CHECK(length({3.0f, 4.0f}) == 5.0f);
    CHECK(length({-4.0f, 3.0f}) == 5.0f);
    CHECK(length({0.0f, -2.5f}) == 2.5f);
    CHECK(length({}) == 0.0f);
    CHECK(length_sq({3.0f, 4.0f}) == 25.0f);
    CHECK(distance({1.0f, -1.0f}, {-2.0f, 3.0f}) == 5.0f);
    CHECK(distance_sq({1.0f, -1.0f}, {-2.0f, 3.0f}) == 25.0f);
}

TEST_CASE("length neither overflows nor vanishes where its square would") {
    CHECK(length({3e30f, 4e30f}) == doctest::Approx(5e30f).epsilon(1e-6));
    CHECK(length({3e-30f, 4e-30f}) == doctest::Approx(5e-30f).epsilon(1e-6));
    CHECK(length({1e-45f, 0.0f}) == 1e-45f);
    CHECK(length({0.0f, -3e38f}) == 3e38f);
    test::Random random;
    double worst = 0.0;
    for (int i = 0; i < 100'000; ++i) {
        const Vec2 v = vector_of_any_size(random);
        worst = std::fmax(worst, std::fabs(length(v) / true_length(v) - 1.0));
    }
    // ratio, square and sum count at most a half each below the root; root and product count whole.
    CHECK(worst <= 3.5 * half_ulp);
}

TEST_CASE("a vector with NaN in it has no length, and nothing is at a distance from it") {
    for (const Vec2 v : {Vec2{not_a_number, 0.0f},
                         {0.0f, not_a_number},
                         {not_a_number, 1.0f},
                         {-1.0f, not_a_number},
                         {not_a_number, not_a_number}}) {
        CAPTURE(v.y);
        CHECK(std::isnan(length(v)));
        CHECK(std::isnan(distance(v, {3.0f, 4.0f})));
        CHECK(std::isnan(distance({3.0f, 4.0f}, v)));
    }
}

TEST_CASE("a normalized vector has length 1 and its old direction, whatever its size") {
    test::Random random;
    double worst_length = 0.0;
    double worst_turn = 0.0;
    for (int i = 0; i < 100'000; ++i) {
        const Vec2 v = vector_of_any_size(random);
        const Vec2 n = normalized(v);
        worst_length = std::fmax(worst_length, std::fabs(true_length(n) - 1.0));
        const double turn = (double{n.x} * v.y - double{n.y} * v.x) / true_length(v);
        worst_turn = std::fmax(worst_turn, std::fabs(turn));
        if (dot(n, v) < 0.0f) worst_turn = 2.0;
    }
    CHECK(worst_length <= 4.0 * half_ulp);  // two roundings a component, three of the divisor
    CHECK(worst_turn <= 4.0 * half_ulp);
    CHECK(normalized({0.0f, 1e-45f}) == Vec2{0.0f, 1.0f});
    CHECK(normalized({-3e38f, 0.0f}) == Vec2{-1.0f, 0.0f});
}

TEST_CASE("the zero vector has no direction: it stays zero or becomes the fallback") {
    CHECK(normalized({}) == Vec2{});
    CHECK(normalized({-0.0f, 0.0f}) == Vec2{});
    CHECK(normalized_or({}, {0.0f, 1.0f}) == Vec2{0.0f, 1.0f});
    CHECK(normalized_or({0.0f, -2.0f}, {1.0f, 0.0f}) == Vec2{0.0f, -1.0f});
}

TEST_CASE("min, max, abs and clamp work by components") {
    CHECK(min(Vec2{1.0f, 5.0f}, Vec2{2.0f, -3.0f}) == Vec2{1.0f, -3.0f});
    CHECK(max(Vec2{1.0f, 5.0f}, Vec2{2.0f, -3.0f}) == Vec2{2.0f, 5.0f});
    CHECK(abs(Vec2{-1.0f, 2.0f}) == Vec2{1.0f, 2.0f});
    CHECK(clamp(Vec2{-5.0f, 9.0f}, {0.0f, 1.0f}, {2.0f, 3.0f}) == Vec2{0.0f, 3.0f});
    CHECK(clamp(Vec2{1.0f, 2.0f}, {0.0f, 1.0f}, {2.0f, 3.0f}) == Vec2{1.0f, 2.0f});
}

TEST_CASE("clamp_length shortens what is too long and leaves the rest alone") {
    CHECK(clamp_length({3.0f, 4.0f}, 5.0f) == Vec2{3.0f, 4.0f});
    CHECK(clamp_length({3.0f, 4.0f}, 0.0f) == Vec2{});
    CHECK(clamp_length({}, 0.0f) == Vec2{});
    CHECK(clamp_length({-6.0f, 8.0f}, 5.0f) == Vec2{-3.0f, 4.0f});
    test::Random random;
    double worst = 0.0;
    for (int i = 0; i < 10'000; ++i) {
        const Vec2 v = random.point(10.0f);
        const float longest = random.uniform(0.1f, 5.0f);
        const double expected = std::fmin(true_length(v), longest);
        const Vec2 clamped = clamp_length(v, longest);
        worst = std::fmax(worst, std::fabs(true_length(clamped) / expected - 1.0));
    }
    CHECK(worst <= 6.0 * half_ulp);  // the length, a quotient and a product
}

TEST_CASE("lerp meets both ends exactly and its middle is the midpoint") {
    const Vec2 a{0.1f, -7.3f};
    const Vec2 b{1e6f, 3.3f};
    CHECK(lerp(a, b, 0.0f) == a);
    CHECK(lerp(a, b, 1.0f) == b);
    CHECK(lerp(Vec2{1.0f, 2.0f}, Vec2{3.0f, -2.0f}, 0.5f) == Vec2{2.0f, 0.0f});
}

TEST_CASE("reflect turns the part along the normal round, keeps the rest, and twice is nothing") {
    CHECK(reflect({2.0f, -3.0f}, {0.0f, 1.0f}) == Vec2{2.0f, 3.0f});
    CHECK(reflect({2.0f, -3.0f}, {-1.0f, 0.0f}) == Vec2{-2.0f, -3.0f});
    test::Random random;
    float worst = 0.0f;
    for (int i = 0; i < 10'000; ++i) {
        const Vec2 v = random.point(1.0f);
        const Vec2 normal = random.direction();
        const Vec2 mirrored = reflect(v, normal);
        worst = phys2d::max(worst, phys2d::abs(dot(mirrored, normal) + dot(v, normal)));
        worst = phys2d::max(worst, phys2d::abs(cross(mirrored, normal) - cross(v, normal)));
        worst = phys2d::max(worst, length(reflect(mirrored, normal) - v));
    }
    CHECK(worst <= 2e-6f);  // a dozen roundings of numbers below 3
}

TEST_CASE("project gives the shadow: parallel to the line, with a rest at right angles to it") {
    CHECK(project({3.0f, 4.0f}, {10.0f, 0.0f}) == Vec2{3.0f, 0.0f});
    CHECK(project({3.0f, 4.0f}, {0.0f, -1e-30f}) == Vec2{0.0f, 4.0f});
    CHECK(project({3.0f, 4.0f}, {}) == Vec2{});
    test::Random random;
    double worst = 0.0;
    for (int i = 0; i < 10'000; ++i) {
        const Vec2 v = random.point(1.0f);
        const Vec2 line = vector_of_any_size(random);
        const Vec2 shadow = project(v, line);
        const Vec2 rest = v - shadow;
        const double line_length = true_length(line);
        worst = std::fmax(
            worst, std::fabs(double{shadow.x} * line.y - double{shadow.y} * line.x) / line_length);
        worst = std::fmax(
            worst, std::fabs(double{rest.x} * line.x + double{rest.y} * line.y) / line_length);
    }
    CHECK(worst <= 1e-6);  // a dozen roundings of numbers below 1.5
}

TEST_CASE("move_towards goes straight by one step, arrives exactly and never passes") {
    CHECK(move_towards({1.0f, 1.0f}, {4.0f, 5.0f}, 2.5f) == Vec2{2.5f, 3.0f});
    CHECK(move_towards({1.0f, 1.0f}, {1.0f, 1.0f}, 0.0f) == Vec2{1.0f, 1.0f});
    CHECK(move_towards({1.0f, 1.0f}, {9.0f, 1.0f}, 0.0f) == Vec2{1.0f, 1.0f});
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < 1'000; ++i) {
        Vec2 position = random.point(10.0f);
        const Vec2 target = random.point(10.0f);
        const float step = random.uniform(0.5f, 2.0f);
        const int steps = static_cast<int>(distance(position, target) / step);
        for (int k = 0; k < steps; ++k) {
            const float before = distance(position, target);
            position = move_towards(position, target, step);
            // 1e-5: some roundings of coordinates up to 10
            if (phys2d::abs(before - step - distance(position, target)) > 1e-5f) ++wrong;
        }
        position = move_towards(move_towards(position, target, step), target, step);
        if (position != target) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("rotate turns counter-clockwise, keeps lengths, and turns add up") {
    CHECK(rotate({1.0f, 2.0f}, 0.0f, 1.0f) == Vec2{-2.0f, 1.0f});
    CHECK(rotate({1.0f, 2.0f}, 1.0f, 0.0f) == Vec2{1.0f, 2.0f});
    CHECK(rotate({5.0f, 0.0f}, 0.6f, 0.8f) == Vec2{3.0f, 4.0f});
    Vec2 v{1.0f, 0.0f};
    const float cosine = std::cos(0.01f);
    const float sine = std::sin(0.01f);
    for (int i = 0; i < 100; ++i) v = rotate(v, cosine, sine);
    // 100 turns of 0.01 rad are one radian; each adds at most two roundings
    CHECK(v.x == doctest::Approx(std::cos(1.0)).epsilon(2e-5));
    CHECK(v.y == doctest::Approx(std::sin(1.0)).epsilon(2e-5));
}

TEST_CASE("a vector is finite when both components are") {
    CHECK(is_finite(Vec2{1.0f, -3e38f}));
    CHECK_FALSE(is_finite(Vec2{not_a_number, 0.0f}));
    CHECK_FALSE(is_finite(Vec2{0.0f, not_a_number}));
    CHECK_FALSE(is_finite(Vec2{infinity, 0.0f}));
    CHECK_FALSE(is_finite(Vec2{0.0f, -infinity}));
}

}  // namespace vec2_test

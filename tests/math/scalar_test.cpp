// SPDX-License-Identifier: MIT
// Is the scalar arithmetic exact where it says so: rounded once, never fused, and its square root
// the same in constant expressions as at run time?
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include <phys2d/math/scalar.hpp>

#include "../support/random.hpp"

namespace scalar_test {

using namespace phys2d;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float largest = std::numeric_limits<float>::max();
constexpr float smallest = std::numeric_limits<float>::denorm_min();

constexpr unsigned bits_of(float x) { return __builtin_bit_cast(unsigned, x); }

// Constant expressions, perfect squares first: their roots leave no room for an error.
static_assert(phys2d::sqrt(0.0f) == 0.0f && phys2d::sqrt(1.0f) == 1.0f);
static_assert(phys2d::sqrt(4.0f) == 2.0f && phys2d::sqrt(0.25f) == 0.5f);
static_assert(phys2d::sqrt(16769025.0f) == 4095.0f);
static_assert(phys2d::sqrt(0x1p-148f) == 0x1p-74f && phys2d::sqrt(0x1p126f) == 0x1p63f);
static_assert(phys2d::sqrt(2.0f) == 0x1.6a09e6p0f && phys2d::sqrt(3.0f) == 0x1.bb67aep0f);
static_assert(phys2d::sqrt(smallest) == 0x1.6a09e6p-75f);
static_assert(phys2d::sqrt(largest) == 0x1.fffffep63f);
static_assert(phys2d::sqrt(infinity) == infinity);
static_assert(bits_of(phys2d::sqrt(-0.0f)) == bits_of(-0.0f));
static_assert(phys2d::sqrt(not_a_number) != phys2d::sqrt(not_a_number));
static_assert(mul(3.0f, 0.5f) == 1.5f && square(-3.0f) == 9.0f);
static_assert(phys2d::clamp(5.0f, 0.0f, 1.0f) == 1.0f && phys2d::abs(-2.0f) == 2.0f);

constexpr int table_size = 1000;

constexpr auto table_of_squares = [] {
    std::array<float, table_size> values{};
    test::Random random;
    for (float& value : values) value = phys2d::abs(random.any_finite_float());
    return values;
}();

constexpr auto table_of_roots = [] {
    std::array<float, table_size> values{};
    for (std::size_t i = 0; i < table_size; ++i) values[i] = phys2d::sqrt(table_of_squares[i]);
    return values;
}();

}  // namespace

TEST_CASE("sqrt in constant expressions has the bits of sqrt at run time") {
    int wrong = 0;
    for (std::size_t i = 0; i < table_size; ++i) {
        if (bits_of(table_of_roots[i]) != bits_of(std::sqrt(table_of_squares[i]))) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("sqrt at run time is the correctly rounded root") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < 100'000; ++i) {
        const float x = phys2d::abs(random.any_finite_float());
        const float root = phys2d::sqrt(x);
        // A product of two floats is exact in double; halfway to the neighbours is one bit more.
        const double below = (double{root} + std::nextafterf(root, 0.0f)) / 2;
        const double above = (double{root} + std::nextafterf(root, largest)) / 2;
        if (below * below > x || above * above < x) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("mul is rounded before it is summed up, whatever the compiler fuses") {
    test::Random random;
    int fused = 0;
    for (int i = 0; i < 100'000; ++i) {
        const float a = random.uniform(-2.0f, 2.0f);
        const float b = random.uniform(-2.0f, 2.0f);
        // An FMA would leave what rounding has cut off.
        if (mul(a, b) - test::product_rounded_once(a, b) != 0.0f) ++fused;
        if (test::product_rounded_once(b, a) - mul(b, a) != 0.0f) ++fused;
        if (square(a) - test::product_rounded_once(a, a) != 0.0f) ++fused;
    }
    CHECK(fused == 0);
}

TEST_CASE("min and max order numbers and return the second argument for NaN") {
    CHECK(phys2d::min(1.0f, 2.0f) == 1.0f);
    CHECK(phys2d::min(2.0f, 1.0f) == 1.0f);
    CHECK(phys2d::max(1.0f, 2.0f) == 2.0f);
    CHECK(phys2d::max(2.0f, 1.0f) == 2.0f);
    CHECK(phys2d::min(not_a_number, 7.0f) == 7.0f);
    CHECK(phys2d::max(not_a_number, 7.0f) == 7.0f);
    CHECK(std::isnan(phys2d::min(7.0f, not_a_number)));
    CHECK(std::isnan(phys2d::max(7.0f, not_a_number)));
    CHECK(phys2d::min(-infinity, infinity) == -infinity);
    CHECK(phys2d::max(-infinity, infinity) == infinity);
}

TEST_CASE("abs drops the sign of everything, zero included, and keeps NaN") {
    CHECK(phys2d::abs(-3.5f) == 3.5f);
    CHECK(phys2d::abs(3.5f) == 3.5f);
    CHECK_FALSE(std::signbit(phys2d::abs(-0.0f)));
    CHECK(phys2d::abs(-infinity) == infinity);
    CHECK(phys2d::abs(-smallest) == smallest);
    CHECK(std::isnan(phys2d::abs(not_a_number)));
}

TEST_CASE("sign never loses a direction: zero of either sign counts as positive") {
    CHECK(sign(-2.0f) == -1.0f);
    CHECK(sign(2.0f) == 1.0f);
    CHECK(sign(0.0f) == 1.0f);
    CHECK(sign(-0.0f) == 1.0f);
    CHECK(sign(-smallest) == -1.0f);
    CHECK(sign(-infinity) == -1.0f);
}

TEST_CASE("clamp is the middle one of low, x and high") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < 10'000; ++i) {
        const float x = random.uniform(-4.0f, 4.0f);
        const float low = random.uniform(-3.0f, 1.0f);
        const float high = random.uniform(low, 3.0f);
        const float expected = x < low ? low : (high < x ? high : x);
        if (phys2d::clamp(x, low, high) != expected) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(phys2d::clamp(infinity, -1.0f, 1.0f) == 1.0f);
    CHECK(phys2d::clamp(-infinity, -1.0f, 1.0f) == -1.0f);
    CHECK(phys2d::clamp(5.0f, 2.0f, 2.0f) == 2.0f);
    CHECK(phys2d::clamp(not_a_number, -1.0f, 1.0f) == -1.0f);
}

TEST_CASE("floor_within is the floor in double, held between its bounds") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < 100'000; ++i) {
        const float x = random.one_in(2) ? random.any_finite_float() : random.uniform(-9.0f, 9.0f);
        const std::int32_t low = random.integer(-10, 10);
        const std::int32_t high = random.integer(low, 10);
        const double expected = std::clamp(std::floor(double{x}), double(low), double(high));
        if (floor_within(x, low, high) != expected) ++wrong;
    }
    CHECK(wrong == 0);
    constexpr std::int32_t far = std::numeric_limits<std::int32_t>::max();
    CHECK(floor_within(infinity, -far, far) == far);
    CHECK(floor_within(-infinity, -far, far) == -far);
    CHECK(floor_within(not_a_number, -3, 3) == -3);
    CHECK(floor_within(-smallest, -3, 3) == -1);
    CHECK(floor_within(-0.0f, -3, 3) == 0);
    CHECK(floor_within(2147483520.0f, -far, far) == 2147483520);
    CHECK(floor_within(-2147483648.0f, -far - 1, far) == -far - 1);
    CHECK(floor_within(16777216.0f, 0, 16777217) == 16777216);  // bounds that are no floats
    CHECK(floor_within(16777220.0f, 16777219, far) == 16777220);
}

TEST_CASE("beside the functions of <math.h> no name of this header is ambiguous") {
    using namespace std;  // in C++20 <math.h> has `lerp`, too
    CHECK(lerp(2.0f, 6.0f, 0.25f) == 3.0f);
    CHECK(abs(-2.0f) == 2.0f);
    CHECK(sqrt(4.0f) == 2.0f);
}

TEST_CASE("lerp meets both ends exactly and extrapolates beyond them") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < 10'000; ++i) {
        const float a = random.any_finite_float();
        const float b = random.any_finite_float();
        if (phys2d::lerp(a, b, 0.0f) != a || phys2d::lerp(a, b, 1.0f) != b) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(phys2d::lerp(2.0f, 6.0f, 0.25f) == 3.0f);
    CHECK(phys2d::lerp(2.0f, 6.0f, 2.0f) == 10.0f);
    CHECK(phys2d::lerp(2.0f, 6.0f, -1.0f) == -2.0f);
}

TEST_CASE("is_finite is false for NaN and infinities and true for every other bit pattern") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < 100'000; ++i) {
        const float x = random.any_float();
        if (is_finite(x) != std::isfinite(x)) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK_FALSE(is_finite(not_a_number));
    CHECK_FALSE(is_finite(infinity));
    CHECK_FALSE(is_finite(-infinity));
    CHECK(is_finite(largest));
    CHECK(is_finite(-largest));
    CHECK(is_finite(smallest));
}

}  // namespace scalar_test

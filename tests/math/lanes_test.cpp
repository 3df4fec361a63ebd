// SPDX-License-Identifier: MIT
// Do 4 and 8 lanes give the bits of the scalar, and is data moved in and out of them whole?
#include <cstdint>
#include <cstring>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/math/lanes.hpp>

#include "../support/random.hpp"

using namespace phys2d;
namespace simd = phys2d::detail::simd;

namespace {

std::uint32_t bits_of(float x) { return __builtin_bit_cast(std::uint32_t, x); }

/// Equal bits, or NaN both: which NaN comes out of an operation is the processor's choice.
bool same(float a, float b) { return bits_of(a) == bits_of(b) || (a != a && b != b); }

/// Zeros, infinities, NaN and denormals among numbers of all sizes.
float awkward(test::Random& random) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    switch (random.integer(0, 11)) {
        case 0: return 0.0f;
        case 1: return -0.0f;
        case 2: return infinity;
        case 3: return -infinity;
        case 4: return std::numeric_limits<float>::quiet_NaN();
        case 5: return __builtin_bit_cast(float, static_cast<std::uint32_t>(random.integer(0, 99)));
        case 6: return 1.0f;
        case 7: return random.any_float();
        default: return random.uniform(-10.0f, 10.0f);
    }
}

constexpr int widest = 8;

/// Checks that operation(lanes a, lanes b) does to every lane what expected(a, b) does to floats.
template <int Width, class Operation, class Expected>
int wrong_lanes(Operation operation, Expected expected) {
    using Real = simd::Lanes<Width>;
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < test::many / 20; ++i) {
        float a[widest], b[widest], result[widest];
        for (float& x : a) x = awkward(random);
        for (float& x : b) x = random.one_in(8) ? a[&x - b] : awkward(random);
        operation(Real::load(a), Real::load(b)).store(result);
        for (int lane = 0; lane < Width; ++lane) {
            if (!same(result[lane], expected(a[lane], b[lane]))) ++wrong;
        }
    }
    return wrong;
}

template <class Operation, class Expected>
void check_all_widths(Operation operation, Expected expected) {
    CHECK(wrong_lanes<1>(operation, expected) == 0);
    CHECK(wrong_lanes<4>(operation, expected) == 0);
    CHECK(wrong_lanes<8>(operation, expected) == 0);
}

/// Rounded to float whatever the compiler would like to keep.
float kept(float x) {
    const volatile float hidden = x;
    return hidden;
}

}  // namespace

TEST_CASE("sums, differences, products and quotients of all widths have the bits of the scalar") {
    check_all_widths([](auto a, auto b) { return a + b; },
                     [](float a, float b) { return kept(a + b); });
    check_all_widths([](auto a, auto b) { return a - b; },
                     [](float a, float b) { return kept(a - b); });
    check_all_widths([](auto a, auto b) { return a * b; },
                     [](float a, float b) { return kept(a * b); });
    check_all_widths([](auto a, auto b) { return a / b; },
                     [](float a, float b) { return kept(a / b); });
}

TEST_CASE("min and max of all widths have the bits of the scalar, b where either is NaN") {
    check_all_widths([](auto a, auto b) { return min(a, b); },
                     [](float a, float b) { return phys2d::min(a, b); });
    check_all_widths([](auto a, auto b) { return max(a, b); },
                     [](float a, float b) { return phys2d::max(a, b); });
}

TEST_CASE("square roots of all widths have the bits of the scalar") {
    check_all_widths([](auto a, auto) { return sqrt(abs(a)); },
                     [](float a, float) { return phys2d::sqrt(phys2d::abs(a)); });
}

TEST_CASE("sizes and signs of all widths are those of the scalar, of either zero too") {
    check_all_widths([](auto a, auto) { return abs(a); },
                     [](float a, float) { return phys2d::abs(a); });
    check_all_widths([](auto a, auto) { return sign(a); },
                     [](float a, float) { return phys2d::sign(a); });
}

TEST_CASE("comparisons choose lane by lane, false where either is NaN") {
    check_all_widths([](auto a, auto b) { return select(a < b, a, b); },
                     [](float a, float b) { return a < b ? a : b; });
    check_all_widths([](auto a, auto b) { return select(a <= b, a, b); },
                     [](float a, float b) { return a <= b ? a : b; });
    check_all_widths([](auto a, auto b) { return select((a < b) & (b <= a + a), a, b); },
                     [](float a, float b) { return a < b && b <= kept(a + a) ? a : b; });
    check_all_widths([](auto a, auto b) { return select((a < b) | (b <= a + a), a, b); },
                     [](float a, float b) { return a < b || b <= kept(a + a) ? a : b; });
}

TEST_CASE("fill sets every lane to the bits it is given") {
    check_all_widths([]<class Real>(Real, Real) { return Real::fill(1.0f) + Real::fill(-0.25f); },
                     [](float, float) { return 0.75f; });
    check_all_widths([]<class Real>(Real, Real) { return Real::fill(0.0f); },
                     [](float, float) { return 0.0f; });
}

TEST_CASE("a product is not fused with the sum or the difference that follows") {
    check_all_widths([](auto a, auto b) { return a * b + a; },
                     [](float a, float b) { return kept(test::product_rounded_once(a, b) + a); });
    check_all_widths([](auto a, auto b) { return b - a * b; },
                     [](float a, float b) { return kept(b - test::product_rounded_once(a, b)); });
    check_all_widths(
        [](auto a, auto b) { return a * a + b * b; },
        [](float a, float b) {
            return kept(test::product_rounded_once(a, a) + test::product_rounded_once(b, b));
        });
    check_all_widths(
        [](auto a, auto b) { return a * a - b * b; },
        [](float a, float b) {
            return kept(test::product_rounded_once(a, a) - test::product_rounded_once(b, b));
        });
}

TEST_CASE("bit i of a mask is its lane i") {
    const float low[widest] = {0, 1, 0, 1, 1, 0, 0, 1};
    const float half[widest] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f};
    const auto mask = [&]<int Width>(simd::Lanes<Width>) {
        return bits(simd::Lanes<Width>::load(half) < simd::Lanes<Width>::load(low));
    };
    CHECK(mask(simd::Lanes<1>{}) == 0u);
    CHECK(mask(simd::Lanes<4>{}) == 0b1010u);
    CHECK(mask(simd::Lanes<8>{}) == 0b10011010u);
}

namespace {

/// Sixteen records, all of whose numbers differ.
struct Records {
    alignas(16) simd::Record4 at[16];

    Records() {
        for (int i = 0; i < 16; ++i) {
            const float x = 4.0f * static_cast<float>(i);
            at[i] = {x, x + 1.0f, x + 2.0f, x + 3.0f};
        }
    }
};

template <int Width, int Stride>
int wrong_gathers() {
    const Records records;
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < 1'000; ++i) {
        std::int32_t index[Width];
        for (std::int32_t& place : index) place = random.integer(0, 16 / Stride - 1);
        const auto columns = simd::gather<Width, Stride>(records.at, index);
        float x[Width], y[Width], z[Width], w[Width];
        columns.x.store(x), columns.y.store(y), columns.z.store(z), columns.w.store(w);
        for (int lane = 0; lane < Width; ++lane) {
            const simd::Record4& record = records.at[index[lane] * Stride];
            if (x[lane] != record.x || y[lane] != record.y) ++wrong;
            if (z[lane] != record.z || w[lane] != record.w) ++wrong;
        }
    }
    return wrong;
}

template <simd::Half half, int Width>
int wrong_scatters() {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < 1'000; ++i) {
        Records records, expected;
        std::int32_t index[Width];
        float x[Width], y[Width];
        for (int lane = 0; lane < Width; ++lane) {  // in order: the last of equal places stays
            index[lane] = random.integer(0, 15);
            x[lane] = random.any_float(), y[lane] = random.any_float();
            simd::Record4& record = expected.at[index[lane]];
            (half == simd::Half::XY ? record.x : record.z) = x[lane];
            (half == simd::Half::XY ? record.y : record.w) = y[lane];
        }
        using Real = simd::Lanes<Width>;
        simd::scatter<half>(records.at, index, Real::load(x), Real::load(y));
        if (std::memcmp(records.at, expected.at, sizeof records.at) != 0) ++wrong;
    }
    return wrong;
}

/// For every mask: the chosen numbers, packed, in order.
template <int Width>
int wrong_packings() {
    test::Random random;
    int wrong = 0;
    for (unsigned mask = 0; mask < (1u << Width); ++mask) {
        float from[Width], stored[Width] = {};
        std::int32_t integers[Width], copied[Width] = {};
        std::vector<float> floats_expected;
        std::vector<std::int32_t> integers_expected;
        for (int lane = 0; lane < Width; ++lane) {
            from[lane] = random.any_float();
            integers[lane] = static_cast<std::int32_t>(random.bits() >> 32);
            if ((mask >> lane & 1u) == 0) continue;
            floats_expected.push_back(from[lane]);
            integers_expected.push_back(integers[lane]);
        }
        const simd::Packer<Width> packer(mask);
        packer.store(stored, simd::Lanes<Width>::load(from));
        packer.copy(copied, integers);
        const std::size_t bytes = floats_expected.size() * sizeof(float);
        if (bytes == 0) continue;
        if (std::memcmp(stored, floats_expected.data(), bytes) != 0) ++wrong;
        if (std::memcmp(copied, integers_expected.data(), bytes) != 0) ++wrong;
    }
    return wrong;
}

}  // namespace

TEST_CASE("gathering turns the records of the indices into columns") {
    CHECK(wrong_gathers<1, 1>() == 0);
    CHECK(wrong_gathers<4, 1>() == 0);
    CHECK(wrong_gathers<8, 1>() == 0);
    CHECK(wrong_gathers<1, 2>() == 0);
    CHECK(wrong_gathers<4, 2>() == 0);
    CHECK(wrong_gathers<8, 2>() == 0);
}

TEST_CASE("scattering writes one half of each record, the last lane last, and nothing else") {
    CHECK(wrong_scatters<simd::Half::XY, 1>() == 0);
    CHECK(wrong_scatters<simd::Half::XY, 4>() == 0);
    CHECK(wrong_scatters<simd::Half::XY, 8>() == 0);
    CHECK(wrong_scatters<simd::Half::ZW, 1>() == 0);
    CHECK(wrong_scatters<simd::Half::ZW, 4>() == 0);
    CHECK(wrong_scatters<simd::Half::ZW, 8>() == 0);
}

TEST_CASE("packing keeps the chosen lanes, in order, for every mask") {
    CHECK(wrong_packings<1>() == 0);
    CHECK(wrong_packings<4>() == 0);
    CHECK(wrong_packings<8>() == 0);
}

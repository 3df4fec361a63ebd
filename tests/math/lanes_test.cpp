// SPDX-License-Identifier: MIT
// Do 4 and 8 lanes give the bits of the scalar, and is data moved in and out of them whole?
#include <array>
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

template <int Width>
std::array<std::uint32_t, Width> random_places(test::Random& random, int count) {
    std::array<std::uint32_t, Width> places;
    for (std::uint32_t& place : places) {
        place = static_cast<std::uint32_t>(random.integer(0, count - 1));
    }
    return places;
}

/// Records that start at a place are gathered, whole or the first half; places count halves.
template <int Width, int Scale>
int wrong_gathers() {
    const Records records;
    const float* floats = &records.at[0].x;
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < 1'000; ++i) {
        const auto places = random_places<Width>(random, 30 / Scale);
        const auto columns = simd::gather<Width, Scale>(records.at, places.data());
        const auto halves = simd::gather_half<Width>(records.at, places.data());
        float x[Width], y[Width], z[Width], w[Width], half_x[Width], half_y[Width];
        columns.x.store(x), columns.y.store(y), columns.z.store(z), columns.w.store(w);
        halves.x.store(half_x), halves.y.store(half_y);
        for (std::size_t lane = 0; lane < Width; ++lane) {
            const float* record = floats + 2 * places[lane] * Scale;
            if (x[lane] != record[0] || y[lane] != record[1]) ++wrong;
            if (z[lane] != record[2] || w[lane] != record[3]) ++wrong;
            const float* half = floats + 2 * places[lane];
            if (half_x[lane] != half[0] || half_y[lane] != half[1]) ++wrong;
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
        const auto places = random_places<Width>(random, 30);
        float x[Width], y[Width];
        for (std::size_t lane = 0; lane < Width;
             ++lane) {  // in order: the last of equal places stays
            x[lane] = random.any_float(), y[lane] = random.any_float();
            float* to = &expected.at[0].x + 2 * places[lane] + (half == simd::Half::XY ? 0 : 2);
            to[0] = x[lane], to[1] = y[lane];
        }
        using Real = simd::Lanes<Width>;
        simd::scatter<half>(records.at, places.data(), Real::load(x), Real::load(y));
        if (std::memcmp(records.at, expected.at, sizeof records.at) != 0) ++wrong;
    }
    return wrong;
}

/// What is done to whole records side by side, against the same field by field.
template <int Width>
int wrong_records() {
    using Real = simd::Lanes<Width>;
    const Records records;
    const Real all = Real::load(&records.at[0].x);
    float first[Width], second[Width], third[Width], loaded[Width], stored[Width] = {};
    simd::first_halves(all, -1.0f).store(first);
    simd::first_halves_second(all, -1.0f).store(second);
    simd::third_fields(all).store(third);
    simd::load_halves<Width>(&records.at[0].x).store(loaded);
    simd::store_halves(all, stored);
    int wrong = 0;
    for (int lane = 0; lane < Width; ++lane) {
        const simd::Record4& record = records.at[lane / 4];
        const float fields[] = {record.x, record.y, record.z, record.w};
        const int field = lane % 4;
        const float pair = (&records.at[0].x)[2 * (lane / 4) + field % 2];
        if (first[lane] != (field < 2 ? fields[field] : -1.0f)) ++wrong;
        if (second[lane] != (field < 2 ? -1.0f : fields[field - 2])) ++wrong;
        if (third[lane] != record.z) ++wrong;
        if (loaded[lane] != (field < 2 ? pair : 0.0f)) ++wrong;
        if (field < 2 && stored[2 * (lane / 4) + field] != fields[field]) ++wrong;
    }
    for (int i = Width / 2; i < Width; ++i) wrong += stored[i] != 0.0f;
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

TEST_CASE("halves of records that lie side by side are taken apart and put together") {
    CHECK(wrong_records<4>() == 0);
    CHECK(wrong_records<8>() == 0);
}

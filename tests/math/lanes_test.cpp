// SPDX-License-Identifier: MIT
// Do lanes of all widths give the bits of the scalar, and is data moved in and out of them whole?
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <doctest/doctest.h>

#include <phys2d/math/lane_records.hpp>

#include "../support/random.hpp"
#include "../support/widest_lanes.hpp"

namespace lanes_test {

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

constexpr int widest = test::widest_lanes;

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
    CHECK(wrong_lanes<widest>(operation, expected) == 0);
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
    check_all_widths([](auto a, auto b) { return select(!(a < b), a, b); },
                     [](float a, float b) { return !(a < b) ? a : b; });
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

TEST_CASE("a mask of all lanes has each of them, and that of none has none") {
    const auto check = [](auto width) {
        constexpr int count = decltype(width)::value;
        CHECK(bits(simd::LaneMask<count>::all()) == (1u << count) - 1);
        CHECK(bits(simd::LaneMask<count>::none()) == 0u);
    };
    check(std::integral_constant<int, 1>{});
    check(std::integral_constant<int, 4>{});
    check(std::integral_constant<int, 8>{});
}

TEST_CASE("a mask of bits has those of its lanes") {
    const auto keeps = [](auto width, unsigned lanes) {
        constexpr int count = decltype(width)::value;
        return bits(simd::mask_of<count>(lanes)) == (lanes & ((1u << count) - 1));
    };
    for (unsigned lanes = 0; lanes < 512; ++lanes) {
        REQUIRE(keeps(std::integral_constant<int, 1>{}, lanes));
        REQUIRE(keeps(std::integral_constant<int, 4>{}, lanes));
        REQUIRE(keeps(std::integral_constant<int, 8>{}, lanes));
    }
}

namespace {

constexpr int record_count = 16;

/// Records of any bits; as floats in a row, of which place p begins at float 2 p.
struct Records {
    simd::Record4 records[record_count];

    explicit Records(test::Random& random) {
        for (auto& [x, y, z, w] : records) {
            x = random.any_float(), y = random.any_float();
            z = random.any_float(), w = random.any_float();
        }
    }

    [[nodiscard]] const float* floats() const { return &records[0].x; }
    [[nodiscard]] float* floats() { return &records[0].x; }
};

int wrong_floats(const float* found, const float* expected, int count) {
    int wrong = 0;
    for (int i = 0; i < count; ++i) wrong += bits_of(found[i]) != bits_of(expected[i]) ? 1 : 0;
    return wrong;
}

template <int Width>
std::array<std::uint32_t, Width> random_places(test::Random& random, int last) {
    std::array<std::uint32_t, Width> places;
    for (std::uint32_t& place : places) place = static_cast<std::uint32_t>(random.integer(0, last));
    return places;
}

/// Whole records, at every `Scale`th half record.
template <int Width, int Scale>
int wrong_gathers() {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < 1'000; ++i) {
        const Records records(random);
        const auto places = random_places<Width>(random, (2 * record_count - 2) / Scale);
        const simd::Columns4<Width> columns =
            simd::gather<Width, Scale>(records.records, places.data());
        float x[Width], y[Width], z[Width], w[Width];
        columns.x.store(x), columns.y.store(y), columns.z.store(z), columns.w.store(w);
        for (std::size_t lane = 0; lane < Width; ++lane) {
            const float found[] = {x[lane], y[lane], z[lane], w[lane]};
            wrong += wrong_floats(found, records.floats() + 2 * places[lane] * Scale, 4);
        }
    }
    return wrong;
}

template <int Width>
int wrong_half_gathers() {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < 1'000; ++i) {
        const Records records(random);
        const auto places = random_places<Width>(random, 2 * record_count - 2);
        const simd::Columns2<Width> columns =
            simd::gather_half<Width>(records.records, places.data());
        float x[Width], y[Width];
        columns.x.store(x), columns.y.store(y);
        for (std::size_t lane = 0; lane < Width; ++lane) {
            const float found[] = {x[lane], y[lane]};
            wrong += wrong_floats(found, records.floats() + 2 * places[lane], 2);
        }
    }
    return wrong;
}

template <simd::Half half, int Width>
int wrong_scatters() {
    using Real = simd::Lanes<Width>;
    constexpr int first = half == simd::Half::XY ? 0 : 2;
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < 1'000; ++i) {
        Records records(random);
        Records expected = records;
        const auto places = random_places<Width>(random, 2 * record_count - 2);
        float x[Width], y[Width];
        for (std::size_t lane = 0; lane < Width; ++lane) {  // the last of equal places stays
            float* to = expected.floats() + 2 * places[lane] + first;
            to[0] = x[lane] = random.any_float();
            to[1] = y[lane] = random.any_float();
        }
        simd::scatter<half>(records.records, places.data(),
                            simd::Columns2<Width>{Real::load(x), Real::load(y)});
        wrong += wrong_floats(records.floats(), expected.floats(), 4 * record_count);
    }
    return wrong;
}

/// Checks that take(records side by side) makes a record of each, as expected(record) does.
template <int Width, class Take, class Expected>
int wrong_records(Take take, Expected expected) {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < 1'000; ++i) {
        const Records records(random);
        float found[Width];
        take(simd::Lanes<Width>::load(records.floats())).store(found);
        for (int record = 0; record < Width / 4; ++record) {
            const simd::Record4 wanted = expected(records.records[record]);
            wrong += wrong_floats(found + 4 * record, &wanted.x, 4);
        }
    }
    return wrong;
}

template <class Take, class Expected>
void check_records(Take take, Expected expected) {
    CHECK(wrong_records<4>(take, expected) == 0);
    CHECK(wrong_records<8>(take, expected) == 0);
    CHECK(wrong_records<widest>(take, expected) == 0);
}

/// Pairs side by side become records whose second half is zero.
template <int Width>
int wrong_loads() {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < 1'000; ++i) {
        float pairs[Width / 2], found[Width];
        for (float& x : pairs) x = random.any_float();
        simd::load_halves<Width>(pairs).store(found);
        for (int pair = 0; pair < Width / 4; ++pair) {
            const float expected[] = {pairs[2 * pair], pairs[2 * pair + 1], 0.0f, 0.0f};
            wrong += wrong_floats(found + 4 * pair, expected, 4);
        }
    }
    return wrong;
}

/// Pairs that are members of things side by side become first halves of records.
template <int Width>
int wrong_members() {
    struct Thing {
        float before;
        Vec2 pair;
        float after;
    };
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < 1'000; ++i) {
        Thing things[Width / 4];
        for (Thing& thing : things) {
            thing = {1.0f, {random.any_float(), random.any_float()}, 2.0f};
        }
        float found[Width];
        simd::load_halves_of<Width>(things, &Thing::pair).store(found);
        for (int k = 0; k < Width / 4; ++k) {
            const float expected[] = {things[k].pair.x, things[k].pair.y, 0.0f, 0.0f};
            wrong += wrong_floats(found + 4 * k, expected, 4);
        }
    }
    return wrong;
}

/// First halves of records become pairs side by side, and nothing is written behind them.
template <int Width>
int wrong_stores() {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < 1'000; ++i) {
        const Records records(random);
        float found[Width], expected[Width];
        for (float& x : found) x = random.any_float();
        std::memcpy(expected, found, sizeof found);
        for (int pair = 0; pair < Width / 4; ++pair) {
            std::memcpy(expected + 2 * pair, &records.records[pair], 2 * sizeof(float));
        }
        simd::store_halves(simd::Lanes<Width>::load(records.floats()), found);
        wrong += wrong_floats(found, expected, Width);
    }
    return wrong;
}

}  // namespace

TEST_CASE("gathering turns records that begin at any half record into columns") {
    CHECK(wrong_gathers<1, 1>() == 0);
    CHECK(wrong_gathers<4, 1>() == 0);
    CHECK(wrong_gathers<8, 1>() == 0);
}

TEST_CASE("places of larger things are scaled") {
    CHECK(wrong_gathers<1, 2>() == 0);
    CHECK(wrong_gathers<4, 2>() == 0);
    CHECK(wrong_gathers<8, 2>() == 0);
    CHECK(wrong_gathers<1, 4>() == 0);
    CHECK(wrong_gathers<4, 4>() == 0);
    CHECK(wrong_gathers<8, 4>() == 0);
}

TEST_CASE("gathering halves turns the first halves of the records at any place into columns") {
    CHECK(wrong_half_gathers<1>() == 0);
    CHECK(wrong_half_gathers<4>() == 0);
    CHECK(wrong_half_gathers<8>() == 0);
}

TEST_CASE("scattering writes one half of each record, the last lane last, and nothing else") {
    CHECK(wrong_scatters<simd::Half::XY, 1>() == 0);
    CHECK(wrong_scatters<simd::Half::XY, 4>() == 0);
    CHECK(wrong_scatters<simd::Half::XY, 8>() == 0);
    CHECK(wrong_scatters<simd::Half::ZW, 1>() == 0);
    CHECK(wrong_scatters<simd::Half::ZW, 4>() == 0);
    CHECK(wrong_scatters<simd::Half::ZW, 8>() == 0);
}

TEST_CASE("of records side by side the first half is kept or moved, and the rest filled") {
    for (const float rest : {-0.0f, 0.0f, 3.5f}) {
        check_records([=](auto records) { return simd::first_halves(records, rest); },
                      [=](const simd::Record4& record) {
                          return simd::Record4{record.x, record.y, rest, rest};
                      });
        check_records([=](auto records) { return simd::first_halves_second(records, rest); },
                      [=](const simd::Record4& record) {
                          return simd::Record4{rest, rest, record.x, record.y};
                      });
    }
}

TEST_CASE("of records side by side one field is spread over each") {
    check_records([](auto records) { return simd::spread_field<0>(records); },
                  [](const simd::Record4& record) {
                      return simd::Record4{record.x, record.x, record.x, record.x};
                  });
    check_records([](auto records) { return simd::spread_field<2>(records); },
                  [](const simd::Record4& record) {
                      return simd::Record4{record.z, record.z, record.z, record.z};
                  });
    check_records([](auto records) { return simd::spread_field<3>(records); },
                  [](const simd::Record4& record) {
                      return simd::Record4{record.w, record.w, record.w, record.w};
                  });
}

TEST_CASE("of two records each, the first halves stand one after the other") {
    check_records(
        [](auto records) { return simd::first_halves_of(records, simd::spread_field<2>(records)); },
        [](const simd::Record4& record) {
            return simd::Record4{record.x, record.y, record.z, record.z};
        });
}

TEST_CASE("a record is repeated in all lanes") {
    constexpr simd::Record4 one{1.0f, -2.0f, 3.0f, 0.0f};
    check_records([&](auto records) { return simd::repeat<sizeof(records) / sizeof(float)>(one); },
                  [&](const simd::Record4&) { return one; });
}

TEST_CASE("halves of members become records side by side, and records members") {
    CHECK(wrong_members<4>() == 0);
    CHECK(wrong_members<8>() == 0);
    CHECK(wrong_members<widest>() == 0);
}

TEST_CASE("halves side by side become records, and records halves, with nothing written behind") {
    CHECK(wrong_loads<4>() == 0);
    CHECK(wrong_loads<8>() == 0);
    CHECK(wrong_loads<widest>() == 0);
    CHECK(wrong_stores<4>() == 0);
    CHECK(wrong_stores<8>() == 0);
    CHECK(wrong_stores<widest>() == 0);
}

}  // namespace lanes_test

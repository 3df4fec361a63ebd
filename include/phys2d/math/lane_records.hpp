// SPDX-License-Identifier: MIT
// lane_records: how do records in memory become lanes, and lanes records?
//
// A record is four floats, loaded as one vector. `gather` turns W of them, one per lane, into
// columns; `scatter` writes columns back. `first_halves` and the functions below it work on W / 4
// records side by side.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include <phys2d/math/lanes.hpp>

namespace phys2d::inline PHYS2D_ABI::detail::simd {

/// Four floats that are loaded as one vector; the unit of gathering.
struct alignas(16) Record4 {
    float x, y, z, w;
};

/// Half of a Record4. A `place` counts in halves, since addresses can be scaled by 8 bytes but not
/// by 16: see `place_of_record`.
struct HalfRecord {
    float x, y;
};
enum class Half { XY, ZW };

/// The place of the record with an index, and the index of the record at a place.
[[nodiscard]] constexpr std::uint32_t place_of_record(std::int32_t i) {
    return 2 * static_cast<std::uint32_t>(i);
}
[[nodiscard]] constexpr std::size_t record_at(std::uint32_t place) { return place / 2; }

/// The same fields of W records, one record per lane.
template <int Width>
struct Columns4 {
    Lanes<Width> x, y, z, w;

    PHYS2D_INLINE constexpr Columns2<Width> xy() const { return {x, y}; }
    PHYS2D_INLINE constexpr Columns2<Width> zw() const { return {z, w}; }
};

/// Address of a place, or of the half after it. (Indices of floats would be twice as large, and
/// clang doubles them eight at a time in vectors, which it then takes apart again.)
template <Half Part>
PHYS2D_INLINE float* half_at(Record4* base, std::size_t place) {
    return &(reinterpret_cast<HalfRecord*>(base) + (Part == Half::ZW ? 1 : 0))[place].x;
}
PHYS2D_INLINE const float* half_at(const Record4* base, std::size_t place) {
    return half_at<Half::XY>(const_cast<Record4*>(base), place);
}

#if PHYS2D_GNU_EXTENSIONS
/// Two half records, each moved as one unit of 8 bytes.
using TwoHalves [[gnu::vector_size(16)]] = double;

PHYS2D_INLINE double load_half(const float* from) {
    double xy;
    std::memcpy(&xy, from, sizeof xy);
    return xy;
}
PHYS2D_INLINE void store_half(double xy, float* to) { std::memcpy(to, &xy, sizeof xy); }

template <int... Of, int Width, int... Lane>
PHYS2D_INLINE Lanes<Width> pick_lanes(Lanes<Width> a, Lanes<Width> b,
                                      std::integer_sequence<int, Lane...>) {
    constexpr int of[] = {Of...};
    return {__builtin_shufflevector(
        a.value, b.value,
        (of[Lane % 4] < 4 ? of[Lane % 4] : of[Lane % 4] - 4 + Width) + Lane / 4 * 4 ...)};
}
/// Takes lanes of each group of four: of a (0 to 3) and of the group of b beside it (4 to 7).
template <int First, int Second, int Third, int Fourth, int Width>
PHYS2D_INLINE Lanes<Width> pick(Lanes<Width> a, Lanes<Width> b) {
    return pick_lanes<First, Second, Third, Fourth>(a, b, std::make_integer_sequence<int, Width>{});
}

/// The records at the places of lanes `low`, `low + 4`, ... side by side.
template <int Width, int Scale>
PHYS2D_INLINE Lanes<Width> rows_of(const Record4* base, const std::uint32_t* place, int low) {
    if constexpr (Width == 4) {
        return Lanes<4>::load(half_at(base, std::size_t{place[low]} * Scale));
    } else {
        return beside(rows_of<Width / 2, Scale>(base, place, low),
                      rows_of<Width / 2, Scale>(base, place, low + Width / 2));
    }
}

/// The columns of rows of records: those of lanes 0, 4, ..., of lanes 1, 5, ..., and so on.
template <int Width>
PHYS2D_INLINE Columns4<Width> columns_of(Lanes<Width> r0, Lanes<Width> r1, Lanes<Width> r2,
                                         Lanes<Width> r3) {
    const auto xy01 = pick<0, 4, 1, 5>(r0, r1);
    const auto zw01 = pick<2, 6, 3, 7>(r0, r1);
    const auto xy23 = pick<0, 4, 1, 5>(r2, r3);
    const auto zw23 = pick<2, 6, 3, 7>(r2, r3);
    return {pick<0, 1, 4, 5>(xy01, xy23), pick<2, 3, 6, 7>(xy01, xy23),
            pick<0, 1, 4, 5>(zw01, zw23), pick<2, 3, 6, 7>(zw01, zw23)};
}
#endif

/// Lane i takes the record at `place[i] * Scale`: records become columns.
template <int Width, int Scale = 1>
PHYS2D_INLINE Columns4<Width> gather(const Record4* base, const std::uint32_t* place) {
    if constexpr (Width == 1) {
        const float* r = half_at(base, std::size_t{place[0]} * Scale);
        return {{r[0]}, {r[1]}, {r[2]}, {r[3]}};
    }
#if PHYS2D_GNU_EXTENSIONS
    else {
        const auto row = [&](int low)
                             PHYS2D_INLINED { return rows_of<Width, Scale>(base, place, low); };
        return columns_of(row(0), row(1), row(2), row(3));
    }
#endif
}

/// The records at `place[i] * Scale` minus those at `from[i] * Scale`: half of the shuffles of two
/// calls of `gather`.
template <int Width, int Scale = 1>
PHYS2D_INLINE Columns4<Width> gather_differences(const Record4* base, const std::uint32_t* from,
                                                 const std::uint32_t* place) {
    if constexpr (Width == 1) {
        const auto a = gather<1, Scale>(base, from);
        const auto b = gather<1, Scale>(base, place);
        return {b.x - a.x, b.y - a.y, b.z - a.z, b.w - a.w};
    }
#if PHYS2D_GNU_EXTENSIONS
    else {
        const auto row = [&](int low) PHYS2D_INLINED {
            return rows_of<Width, Scale>(base, place, low) - rows_of<Width, Scale>(base, from, low);
        };
        return columns_of(row(0), row(1), row(2), row(3));
    }
#endif
}

/// Lane i takes the first half of the record at `place[i]`. (Loading halves takes as many loads,
/// and twice as many shuffles.)
template <int Width>
PHYS2D_INLINE Columns2<Width> gather_half(const Record4* base, const std::uint32_t* place) {
    return gather<Width>(base, place).xy();
}

inline constexpr std::uint32_t side_by_side[] = {0, 1, 2, 3, 4, 5, 6, 7};

/// W consecutive records.
template <int Width>
PHYS2D_INLINE Columns4<Width> load_records(const Record4* from) {
    return gather<Width, 2>(from, side_by_side);
}
/// W consecutive pairs (x, y).
template <int Width>
PHYS2D_INLINE Columns2<Width> load_pairs(const float* from) {
    if constexpr (Width == 1) return {{from[0]}, {from[1]}};
#if PHYS2D_GNU_EXTENSIONS
    else {
        const auto* records = reinterpret_cast<const Record4*>(from);
        const auto pairs01 = rows_of<Width, 1>(records, side_by_side, 0);
        const auto pairs23 = rows_of<Width, 1>(records, side_by_side, 2);
        return {pick<0, 2, 4, 6>(pairs01, pairs23), pick<1, 3, 5, 7>(pairs01, pairs23)};
    }
#endif
}

#if PHYS2D_GNU_EXTENSIONS
/// For each group of four lanes from `first` on: r01 holds (x, y) of the first two lanes, r23 of
/// the other two.
template <Half Part, int Width>
PHYS2D_INLINE void scatter_rows(Record4* base, const std::uint32_t* place, Lanes<Width> r01,
                                Lanes<Width> r23, int first) {
    if constexpr (Width == 4) {
        const auto xy01 = reinterpret_cast<TwoHalves>(r01.value);
        const auto xy23 = reinterpret_cast<TwoHalves>(r23.value);
        store_half(xy01[0], half_at<Part>(base, place[first]));
        store_half(xy01[1], half_at<Part>(base, place[first + 1]));
        store_half(xy23[0], half_at<Part>(base, place[first + 2]));
        store_half(xy23[1], half_at<Part>(base, place[first + 3]));
    } else {
        scatter_rows<Part>(base, place, low_half(r01), low_half(r23), first);
        scatter_rows<Part>(base, place, high_half(r01), high_half(r23), first + Width / 2);
    }
}
#endif

/// Writes lane i of `pairs` to one half of the record at `place[i]`, in the order of the lanes.
template <Half Part, int Width>
PHYS2D_INLINE void scatter(Record4* base, const std::uint32_t* place, Columns2<Width> pairs) {
    const auto [x, y] = pairs;
    if constexpr (Width == 1) {
        x.store(half_at<Part>(base, place[0]));
        y.store(half_at<Part>(base, place[0]) + 1);
    }
#if PHYS2D_GNU_EXTENSIONS
    else {
        scatter_rows<Part>(base, place, pick<0, 4, 1, 5>(x, y), pick<2, 6, 3, 7>(x, y), 0);
    }
#endif
}

// -------------------------------------------------------------- whole records, W / 4 side by side

#if PHYS2D_GNU_EXTENSIONS

/// W / 4 copies of one record.
template <int Width>
PHYS2D_INLINE Lanes<Width> repeat(const Record4& record) {
    if constexpr (Width == 4) {
        return Lanes<4>::load(&record.x);
    } else {
        return beside(repeat<Width / 2>(record), repeat<Width / 2>(record));
    }
}

/// The first halves of two records each: (a.x, a.y, b.x, b.y).
template <int Width>
PHYS2D_INLINE Lanes<Width> first_halves_of(Lanes<Width> a, Lanes<Width> b) {
    return pick<0, 1, 4, 5>(a, b);
}

/// (x, y, z, w) of each record becomes (x, y, rest, rest).
template <int Width>
PHYS2D_INLINE Lanes<Width> first_halves(Lanes<Width> records, float rest) {
    return first_halves_of(records, Lanes<Width>::fill(rest));
}

/// (x, y, z, w) becomes (rest, rest, x, y).
template <int Width>
PHYS2D_INLINE Lanes<Width> first_halves_second(Lanes<Width> records, float rest) {
    return first_halves_of(Lanes<Width>::fill(rest), records);
}

/// (x, y, z, w) becomes (z, w, x, y).
template <int Width>
PHYS2D_INLINE Lanes<Width> second_halves_first(Lanes<Width> records) {
    return pick<2, 3, 0, 1>(records, records);
}

/// Copies one field of each record to all four: field z turns (x, y, z, w) into (z, z, z, z).
template <int Field, int Width>
PHYS2D_INLINE Lanes<Width> spread_field(Lanes<Width> records) {
    return pick<Field, Field, Field, Field>(records, records);
}

template <int Width, int... Lane>
PHYS2D_INLINE Lanes<Width> spread_halves(Lanes<Width / 2> pairs,
                                         std::integer_sequence<int, Lane...>) {
    const auto zero = Lanes<Width / 2>::fill(0.0f);
    return {__builtin_shufflevector(pairs.value, zero.value,
                                    (Lane % 4 < 2 ? Lane / 4 * 2 + Lane % 4 : Width / 2)...)};
}
template <int Width, int... Lane>
PHYS2D_INLINE Lanes<Width / 2> close_halves(Lanes<Width> records,
                                            std::integer_sequence<int, Lane...>) {
    return {__builtin_shufflevector(records.value, records.value, (Lane / 2 * 4 + Lane % 2)...)};
}

/// Loads W / 4 consecutive pairs (x, y) as records (x, y, 0, 0), and stores them back.
template <int Width>
PHYS2D_INLINE Lanes<Width> load_halves(const float* from) {
    if constexpr (Width == 4) {
        return {reinterpret_cast<Lanes<4>::Vector>(TwoHalves{load_half(from), 0.0})};
    } else {
        return spread_halves<Width>(Lanes<Width / 2>::load(from),
                                    std::make_integer_sequence<int, Width>{});
    }
}
template <int Width>
PHYS2D_INLINE void store_halves(Lanes<Width> records, float* to) {
    if constexpr (Width == 4) {
        store_half(reinterpret_cast<TwoHalves>(records.value)[0], to);
    } else {
        close_halves(records, std::make_integer_sequence<int, Width / 2>{}).store(to);
    }
}

/// Loads pairs that are members of consecutive objects.
template <int Width, class Thing, class Pair>
PHYS2D_INLINE Lanes<Width> load_halves_of(const Thing* from, Pair Thing::*pair) {
    if constexpr (Width == 4) {
        return load_halves<4>(&(from->*pair).x);
    } else {
        return beside(load_halves_of<Width / 2>(from, pair),
                      load_halves_of<Width / 2>(from + Width / 8, pair));
    }
}
#endif

}  // namespace phys2d::inline PHYS2D_ABI::detail::simd

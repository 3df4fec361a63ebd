// SPDX-License-Identifier: MIT
// Lanes<W>: W floats worked on at once, W = 1, 4 or 8, with equal bits at every width.
// This file is the only one that knows vector types, built-ins of a target, or how data is moved in
// and out of vectors. It uses the compilers' vector extensions (g++ >= 12, clang >= 14); elsewhere
// only Lanes<1> exists, which is plain C++ and constexpr.
//
// Comparisons give a LaneMask; `select(mask, a, b)` takes a where the mask is set. Nothing branches.
// `min` and `max` return b when either is NaN, like the scalar ones.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include <phys2d/core/abi.hpp>
#include <phys2d/core/float_guard.hpp>
#include <phys2d/math/scalar.hpp>

// Functions, and lambdas (between their parameters and their body), that are compiled where they are called.
#if defined(__GNUC__)
#define PHYS2D_INLINE [[gnu::always_inline]] inline
#define PHYS2D_INLINED __attribute__((always_inline))
#else
#define PHYS2D_INLINE inline
#define PHYS2D_INLINED
#endif

namespace phys2d::detail::simd::inline PHYS2D_ABI {

template <int Width>
struct LaneMask;
template <int Width>
struct Lanes;

// ---------------------------------------------------------------------------------- one lane

template <>
struct LaneMask<1> {
    bool set;

    friend constexpr LaneMask operator&(LaneMask a, LaneMask b) {
        return {static_cast<bool>(a.set & b.set)};
    }
    friend constexpr LaneMask operator|(LaneMask a, LaneMask b) {
        return {static_cast<bool>(a.set | b.set)};
    }
    friend constexpr LaneMask operator!(LaneMask a) { return {!a.set}; }
};

template <>
struct Lanes<1> {
    float value;

    static constexpr Lanes fill(float x) { return {x}; }
    static constexpr Lanes load(const float* from) { return {*from}; }
    constexpr void store(float* to) const { *to = value; }

    friend constexpr Lanes operator+(Lanes a, Lanes b) { return {a.value + b.value}; }
    friend constexpr Lanes operator-(Lanes a, Lanes b) { return {a.value - b.value}; }
    friend constexpr Lanes operator*(Lanes a, Lanes b) {
        PHYS2D_NO_CONTRACT
        return {rounded(a.value * b.value)};
    }
    friend constexpr Lanes operator/(Lanes a, Lanes b) { return {a.value / b.value}; }
    friend constexpr LaneMask<1> operator<(Lanes a, Lanes b) { return {a.value < b.value}; }
    friend constexpr LaneMask<1> operator<=(Lanes a, Lanes b) { return {a.value <= b.value}; }
};

constexpr Lanes<1> select(LaneMask<1> mask, Lanes<1> a, Lanes<1> b) {
    return {mask.set ? a.value : b.value};
}
constexpr Lanes<1> min(Lanes<1> a, Lanes<1> b) { return {a.value < b.value ? a.value : b.value}; }
constexpr Lanes<1> max(Lanes<1> a, Lanes<1> b) { return {a.value > b.value ? a.value : b.value}; }
constexpr Lanes<1> sqrt(Lanes<1> a) { return {phys2d::sqrt(a.value)}; }
constexpr unsigned bits(LaneMask<1> mask) { return mask.set ? 1u : 0u; }

// -------------------------------------------------------------------------------- many lanes

#if defined(__GNUC__)

template <int Width>
struct LaneMask {
    using Vector [[gnu::vector_size(Width * sizeof(float))]] = std::int32_t;
    Vector set;

    PHYS2D_INLINE friend LaneMask operator&(LaneMask a, LaneMask b) { return {a.set & b.set}; }
    PHYS2D_INLINE friend LaneMask operator|(LaneMask a, LaneMask b) { return {a.set | b.set}; }
    PHYS2D_INLINE friend LaneMask operator!(LaneMask a) { return {~a.set}; }
};

template <int Width>
struct Lanes {
    using Vector [[gnu::vector_size(Width * sizeof(float))]] = float;
    using Mask = LaneMask<Width>;
    Vector value;

    PHYS2D_INLINE static Lanes fill(float x) { return {x - Vector{}}; }
    PHYS2D_INLINE static Lanes load(const float* from) {
        Lanes lanes;
        std::memcpy(&lanes.value, from, sizeof(Vector));
        return lanes;
    }
    PHYS2D_INLINE void store(float* to) const { std::memcpy(to, &value, sizeof(Vector)); }

    PHYS2D_INLINE friend Lanes operator+(Lanes a, Lanes b) { return {a.value + b.value}; }
    PHYS2D_INLINE friend Lanes operator-(Lanes a, Lanes b) { return {a.value - b.value}; }
    PHYS2D_INLINE friend Lanes operator*(Lanes a, Lanes b) {
        PHYS2D_NO_CONTRACT
        Vector product = a.value * b.value;
        PHYS2D_ROUND_LANES(product)
        return {product};
    }
    PHYS2D_INLINE friend Lanes operator/(Lanes a, Lanes b) { return {a.value / b.value}; }
    PHYS2D_INLINE friend Mask operator<(Lanes a, Lanes b) { return {a.value < b.value}; }
    PHYS2D_INLINE friend Mask operator<=(Lanes a, Lanes b) { return {a.value <= b.value}; }
};

template <int Width>
PHYS2D_INLINE Lanes<Width> select(LaneMask<Width> mask, Lanes<Width> a, Lanes<Width> b) {
    return {mask.set ? a.value : b.value};
}

template <int Width>
PHYS2D_INLINE Lanes<Width> min(Lanes<Width> a, Lanes<Width> b) {
#if defined(__AVX__)
    if constexpr (Width == 8) return {__builtin_ia32_minps256(a.value, b.value)};
#endif
#if defined(__SSE__)
    if constexpr (Width == 4) return {__builtin_ia32_minps(a.value, b.value)};
#endif
    return {a.value < b.value ? a.value : b.value};
}

template <int Width>
PHYS2D_INLINE Lanes<Width> max(Lanes<Width> a, Lanes<Width> b) {
#if defined(__AVX__)
    if constexpr (Width == 8) return {__builtin_ia32_maxps256(a.value, b.value)};
#endif
#if defined(__SSE__)
    if constexpr (Width == 4) return {__builtin_ia32_maxps(a.value, b.value)};
#endif
    return {a.value > b.value ? a.value : b.value};
}

template <int Width>
PHYS2D_INLINE Lanes<Width> sqrt(Lanes<Width> a) {
#if defined(__AVX__)
    if constexpr (Width == 8) return {__builtin_ia32_sqrtps256(a.value)};
#endif
#if defined(__SSE__)
    if constexpr (Width == 4) return {__builtin_ia32_sqrtps(a.value)};
#endif
    for (int lane = 0; lane < Width; ++lane) a.value[lane] = phys2d::sqrt(a.value[lane]);
    return a;
}

/// Bit i is lane i of the mask.
template <int Width>
PHYS2D_INLINE unsigned bits(LaneMask<Width> mask) {
    using Floats = typename Lanes<Width>::Vector;
#if defined(__AVX__)
    if constexpr (Width == 8) {
        return static_cast<unsigned>(
            __builtin_ia32_movmskps256(reinterpret_cast<Floats>(mask.set)));
    }
#endif
#if defined(__SSE__)
    if constexpr (Width == 4) {
        return static_cast<unsigned>(__builtin_ia32_movmskps(reinterpret_cast<Floats>(mask.set)));
    }
#endif
    unsigned result = 0;
    for (int lane = 0; lane < Width; ++lane) {
        result |= (static_cast<unsigned>(mask.set[lane]) & 1u) << lane;
    }
    return result;
}

#endif

// ------------------------------------------------------------------- the same at every width

template <int Width>
PHYS2D_INLINE constexpr Lanes<Width> abs(Lanes<Width> a) {
    return max(a, Lanes<Width>::fill(0.0f) - a);
}

/// -1 in lanes below zero, else +1.
template <int Width>
PHYS2D_INLINE constexpr Lanes<Width> sign(Lanes<Width> a) {
    using L = Lanes<Width>;
    return select(a < L::fill(0.0f), L::fill(-1.0f), L::fill(1.0f));
}

// ------------------------------------------------------------------------- records and lanes

/// Four floats that are loaded as one vector; the unit of gathering.
struct alignas(16) Record4 {
    float x, y, z, w;
};

/// Half of a Record4. Places are counted in halves, since 8 bytes is what an address can be scaled by:
/// record i is at place 2 i.
struct HalfRecord {
    float x, y;
};
enum class Half { XY, ZW };

/// The same fields of W records, one record a lane.
template <int Width>
struct Columns2 {
    Lanes<Width> x, y;
};
template <int Width>
struct Columns4 {
    Lanes<Width> x, y, z, w;
};

/// Where a place is, or its second half. (Indices of floats are twice as large, and clang doubles them eight at a time
/// in vectors, which it then takes to pieces.)
PHYS2D_INLINE const float* half_at(const Record4* base, std::uint32_t place, Half half = Half::XY) {
    const auto* halves = reinterpret_cast<const HalfRecord*>(base) + (half == Half::ZW ? 1 : 0);
    return &halves[place].x;
}

#if defined(__GNUC__)
// Functions, since lambdas cannot be told to be inlined, and g++ leaves off once they are used in many places.
template <int Scale>
PHYS2D_INLINE Lanes<4> row_of(const Record4* base, const std::uint32_t* place, int lane) {
    return Lanes<4>::load(half_at(base, place[lane] * Scale));
}
/// The record of lane `low` beside that of lane `low + 4`.
template <int Scale>
PHYS2D_INLINE Lanes<8> rows_of(const Record4* base, const std::uint32_t* place, int low) {
    const Lanes<4> here = row_of<Scale>(base, place, low);
    const Lanes<4> there = row_of<Scale>(base, place, low + 4);
#if defined(__AVX__) && !defined(__clang__)  // g++ does not make one load of the other
    return {__builtin_ia32_vinsertf128_ps256(__builtin_ia32_ps256_ps(here.value), there.value, 1)};
#else
    return {__builtin_shufflevector(here.value, there.value, 0, 1, 2, 3, 4, 5, 6, 7)};
#endif
}
#endif

/// Lane i takes the record at `place[i] * Scale`: records become columns.
template <int Width, int Scale = 1>
PHYS2D_INLINE Columns4<Width> gather(const Record4* base, const std::uint32_t* place) {
    if constexpr (Width == 1) {
        const float* r = half_at(base, place[0] * Scale);
        return {{r[0]}, {r[1]}, {r[2]}, {r[3]}};
    }
#if defined(__GNUC__)
    if constexpr (Width == 4) {
        using Quad = Lanes<4>::Vector;
        const Quad r0 = row_of<Scale>(base, place, 0).value;
        const Quad r1 = row_of<Scale>(base, place, 1).value;
        const Quad r2 = row_of<Scale>(base, place, 2).value;
        const Quad r3 = row_of<Scale>(base, place, 3).value;
        const Quad xy01 = __builtin_shufflevector(r0, r1, 0, 4, 1, 5);
        const Quad zw01 = __builtin_shufflevector(r0, r1, 2, 6, 3, 7);
        const Quad xy23 = __builtin_shufflevector(r2, r3, 0, 4, 1, 5);
        const Quad zw23 = __builtin_shufflevector(r2, r3, 2, 6, 3, 7);
        return {{__builtin_shufflevector(xy01, xy23, 0, 1, 4, 5)},
                {__builtin_shufflevector(xy01, xy23, 2, 3, 6, 7)},
                {__builtin_shufflevector(zw01, zw23, 0, 1, 4, 5)},
                {__builtin_shufflevector(zw01, zw23, 2, 3, 6, 7)}};
    }
    if constexpr (Width == 8) {
        using Oct = Lanes<8>::Vector;
        const Oct r0 = rows_of<Scale>(base, place, 0).value;
        const Oct r1 = rows_of<Scale>(base, place, 1).value;
        const Oct r2 = rows_of<Scale>(base, place, 2).value;
        const Oct r3 = rows_of<Scale>(base, place, 3).value;
        const Oct xy01 = __builtin_shufflevector(r0, r1, 0, 8, 1, 9, 4, 12, 5, 13);
        const Oct zw01 = __builtin_shufflevector(r0, r1, 2, 10, 3, 11, 6, 14, 7, 15);
        const Oct xy23 = __builtin_shufflevector(r2, r3, 0, 8, 1, 9, 4, 12, 5, 13);
        const Oct zw23 = __builtin_shufflevector(r2, r3, 2, 10, 3, 11, 6, 14, 7, 15);
        return {{__builtin_shufflevector(xy01, xy23, 0, 1, 8, 9, 4, 5, 12, 13)},
                {__builtin_shufflevector(xy01, xy23, 2, 3, 10, 11, 6, 7, 14, 15)},
                {__builtin_shufflevector(zw01, zw23, 0, 1, 8, 9, 4, 5, 12, 13)},
                {__builtin_shufflevector(zw01, zw23, 2, 3, 10, 11, 6, 7, 14, 15)}};
    }
#endif
}

/// Lane i takes the half record at `place[i]`.
template <int Width>
PHYS2D_INLINE Columns2<Width> gather_half(const Record4* base, const std::uint32_t* place) {
    if constexpr (Width == 1) {
        const float* r = half_at(base, place[0]);
        return {{r[0]}, {r[1]}};
    }
#if defined(__GNUC__)
    const auto pair = [&](int lane) {  // moved as one unit of 8 bytes
        double xy;
        std::memcpy(&xy, half_at(base, place[lane]), sizeof xy);
        return xy;
    };
    if constexpr (Width == 4) {
        using Pairs [[gnu::vector_size(16)]] = double;
        using Quad = typename Lanes<4>::Vector;
        const Quad low = (Quad)Pairs{pair(0), pair(1)}, high = (Quad)Pairs{pair(2), pair(3)};
        return {{__builtin_shufflevector(low, high, 0, 2, 4, 6)},
                {__builtin_shufflevector(low, high, 1, 3, 5, 7)}};
    }
    if constexpr (Width == 8) {
        using Pairs [[gnu::vector_size(32)]] = double;
        using Oct = typename Lanes<8>::Vector;
        const Oct low = (Oct)Pairs{pair(0), pair(1), pair(4), pair(5)};
        const Oct high = (Oct)Pairs{pair(2), pair(3), pair(6), pair(7)};
        return {{__builtin_shufflevector(low, high, 0, 2, 8, 10, 4, 6, 12, 14)},
                {__builtin_shufflevector(low, high, 1, 3, 9, 11, 5, 7, 13, 15)}};
    }
#endif
}

inline constexpr std::uint32_t side_by_side[] = {0, 1, 2, 3, 4, 5, 6, 7};

/// W records that lie side by side, from every `Scale`-th half record on.
template <int Width, int Scale = 2>
PHYS2D_INLINE Columns4<Width> load_records(const Record4* from) {
    return gather<Width, Scale>(from, side_by_side);
}
/// W pairs (x, y) that lie side by side.
template <int Width>
PHYS2D_INLINE Columns2<Width> load_pairs(const float* from) {
    return gather_half<Width>(reinterpret_cast<const Record4*>(from), side_by_side);
}

/// Lane i of (x, y) goes to one half of the record at `place[i]`, in the order of the lanes.
template <Half Part, int Width>
PHYS2D_INLINE void scatter(Record4* base, const std::uint32_t* place, Lanes<Width> x,
                           Lanes<Width> y) {
    const auto to = [&](int lane) { return const_cast<float*>(half_at(base, place[lane], Part)); };
    if constexpr (Width == 1) {
        x.store(to(0));
        y.store(to(0) + 1);
    }
#if defined(__GNUC__)
    const auto put = [&](int lane, double xy) { std::memcpy(to(lane), &xy, sizeof xy); };
    if constexpr (Width == 4) {
        using Pairs [[gnu::vector_size(16)]] = double;  // each (x, y) moved as one unit of 8 bytes
        const Pairs low = (Pairs)__builtin_shufflevector(x.value, y.value, 0, 4, 1, 5);
        const Pairs high = (Pairs)__builtin_shufflevector(x.value, y.value, 2, 6, 3, 7);
        for (int i = 0; i < 2; ++i) put(i, low[i]);
        for (int i = 0; i < 2; ++i) put(2 + i, high[i]);
    }
    if constexpr (Width == 8) {
        using Pairs [[gnu::vector_size(32)]] = double;
        const Pairs low =
            (Pairs)__builtin_shufflevector(x.value, y.value, 0, 8, 1, 9, 4, 12, 5, 13);
        const Pairs high =
            (Pairs)__builtin_shufflevector(x.value, y.value, 2, 10, 3, 11, 6, 14, 7, 15);
        for (int i = 0; i < 2; ++i) put(i, low[i]);
        for (int i = 0; i < 2; ++i) put(2 + i, high[i]);
        for (int i = 0; i < 2; ++i) put(4 + i, low[2 + i]);
        for (int i = 0; i < 2; ++i) put(6 + i, high[2 + i]);
    }
#endif
}

// -------------------------------------------------------------- whole records, W / 4 side by side

#if defined(__GNUC__)

/// (x, y, z, w) of each record becomes (x, y, rest, rest).
template <int Width>
PHYS2D_INLINE Lanes<Width> first_halves(Lanes<Width> records, float rest) {
    const auto other = Lanes<Width>::fill(rest).value;
    if constexpr (Width == 4) return {__builtin_shufflevector(records.value, other, 0, 1, 4, 5)};
    if constexpr (Width == 8) {
        return {__builtin_shufflevector(records.value, other, 0, 1, 8, 9, 4, 5, 12, 13)};
    }
}

/// (x, y, z, w) becomes (rest, rest, x, y).
template <int Width>
PHYS2D_INLINE Lanes<Width> first_halves_second(Lanes<Width> records, float rest) {
    const auto other = Lanes<Width>::fill(rest).value;
    if constexpr (Width == 4) return {__builtin_shufflevector(other, records.value, 0, 1, 4, 5)};
    if constexpr (Width == 8) {
        return {__builtin_shufflevector(other, records.value, 0, 1, 8, 9, 4, 5, 12, 13)};
    }
}

/// (x, y, z, w) becomes (z, z, z, z).
template <int Width>
PHYS2D_INLINE Lanes<Width> third_fields(Lanes<Width> records) {
    const auto value = records.value;
    if constexpr (Width == 4) return {__builtin_shufflevector(value, value, 2, 2, 2, 2)};
    if constexpr (Width == 8) {
        return {__builtin_shufflevector(value, value, 2, 2, 2, 2, 6, 6, 6, 6)};
    }
}

/// W / 4 pairs (x, y) that lie side by side become records (x, y, 0, 0); and back.
template <int Width>
PHYS2D_INLINE Lanes<Width> load_halves(const float* from) {
    if constexpr (Width == 4) {
        using Pair [[gnu::vector_size(16)]] =
            double;  // a pair of floats moved as one unit of 8 bytes
        double pair;
        std::memcpy(&pair, from, sizeof pair);
        return {(typename Lanes<4>::Vector)Pair{pair, 0.0}};
    }
    if constexpr (Width == 8) {
        const auto pairs = Lanes<4>::load(from).value;
        const auto zero = Lanes<4>::fill(0.0f).value;
        return {__builtin_shufflevector(pairs, zero, 0, 1, 4, 5, 2, 3, 6, 7)};
    }
}
template <int Width>
PHYS2D_INLINE void store_halves(Lanes<Width> records, float* to) {
    const auto value = records.value;
    if constexpr (Width == 4) std::memcpy(to, &value, 2 * sizeof(float));
    if constexpr (Width == 8) {
        const auto pairs = __builtin_shufflevector(value, value, 0, 1, 4, 5);
        std::memcpy(to, &pairs, 4 * sizeof(float));
    }
}

#endif

}  // namespace phys2d::detail::simd::inline PHYS2D_ABI

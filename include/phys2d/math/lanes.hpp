// SPDX-License-Identifier: MIT
// Lanes<W>: W floats processed at once, W = 1, 4 or 8 (16 in streaming loops), with the same bits
// at every width.
// Only this file and lane_records.hpp, which moves records in and out of lanes, use vector types or
// built-ins of a target. They use the compilers' vector extensions (g++ >= 12, clang >= 14); other
// compilers have only Lanes<1>, which is plain C++ and constexpr.
//
// Comparisons give a LaneMask; `select(mask, a, b)` takes a where the mask is set. Nothing
// branches. `min` and `max` return b when either is NaN, like the scalar ones. Columns2 are vectors
// in lanes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include <phys2d/core/float_guard.hpp>
#include <phys2d/math/vec2.hpp>

// For functions, and for lambdas (between parameters and body), that are inlined at every call.
// What is not optimised, or is instrumented, compiles several times as fast without that.
#if PHYS2D_GNU_EXTENSIONS && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
#define PHYS2D_INLINE [[gnu::always_inline]] inline
#define PHYS2D_INLINED __attribute__((always_inline))
#else
#define PHYS2D_INLINE inline
#define PHYS2D_INLINED
#endif

namespace phys2d::inline PHYS2D_ABI::detail::simd {

template <int Width>
struct LaneMask;
template <int Width>
struct Lanes;

/// Width of loops that run through records from end to end: twice as wide where registers are,
/// which does not pay where records are gathered. (The first processors with AVX-512 slow down for
/// it; later ones also have VBMI2.)
template <int Width>
inline constexpr int streaming_width = Width;
#if defined(__AVX512F__) && defined(__AVX512VBMI2__)
template <>
inline constexpr int streaming_width<8> = 16;
#endif

// ---------------------------------------------------------------------------------- one lane

template <>
struct LaneMask<1> {
    bool set;

    static constexpr LaneMask none() { return {false}; }
    static constexpr LaneMask all() { return {true}; }

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

#if PHYS2D_GNU_EXTENSIONS

template <int Width>
struct LaneMask {
    using Vector [[gnu::vector_size(Width * sizeof(float))]] = std::int32_t;
    using Pairs [[gnu::vector_size(Width * sizeof(float))]] = std::uint64_t;
    Vector set;

    PHYS2D_INLINE static constexpr LaneMask none() { return {Vector{}}; }
    PHYS2D_INLINE static constexpr LaneMask all() { return {~Vector{}}; }
    /// Bit i in lane i.
    PHYS2D_INLINE static constexpr LaneMask bit_of_each() {
        return bit_of(std::make_integer_sequence<int, Width>{});
    }
    template <int... Lane>
    PHYS2D_INLINE static constexpr LaneMask bit_of(std::integer_sequence<int, Lane...>) {
        return {Vector{(1 << Lane)...}};
    }

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
#if __has_builtin(__builtin_elementwise_sqrt)
    return {__builtin_elementwise_sqrt(a.value)};
#else
#if defined(__AVX__)
    if constexpr (Width == 8) return {__builtin_ia32_sqrtps256(a.value)};
#endif
#if defined(__SSE__)
    if constexpr (Width == 4) return {__builtin_ia32_sqrtps(a.value)};
#endif
    for (int lane = 0; lane < Width; ++lane) a.value[lane] = phys2d::sqrt(a.value[lane]);
    return a;
#endif
}

/// Consecutive lanes from `First` on, out of the lanes of `low` followed by those of `high`.
template <int First, int Width, int... Lane>
PHYS2D_INLINE Lanes<static_cast<int>(sizeof...(Lane))> cut_lanes(
    Lanes<Width> low, Lanes<Width> high, std::integer_sequence<int, Lane...>) {
    return {__builtin_shufflevector(low.value, high.value, (First + Lane)...)};
}

/// The lanes of both, those of `low` first.
template <int Width>
PHYS2D_INLINE Lanes<2 * Width> beside(Lanes<Width> low, Lanes<Width> high) {
#if defined(__AVX__) && !defined(__clang__)  // g++ does not turn the other form into one load
    if constexpr (Width == 4) {
        return {
            __builtin_ia32_vinsertf128_ps256(__builtin_ia32_ps256_ps(low.value), high.value, 1)};
    }
#endif
    return cut_lanes<0>(low, high, std::make_integer_sequence<int, 2 * Width>{});
}
template <int Width>
PHYS2D_INLINE Lanes<Width / 2> low_half(Lanes<Width> lanes) {
    return cut_lanes<0>(lanes, lanes, std::make_integer_sequence<int, Width / 2>{});
}
template <int Width>
PHYS2D_INLINE Lanes<Width / 2> high_half(Lanes<Width> lanes) {
    return cut_lanes<Width / 2>(lanes, lanes, std::make_integer_sequence<int, Width / 2>{});
}

/// Bit i is lane i of the mask.
template <int Width>
PHYS2D_INLINE unsigned bits(LaneMask<Width> mask) {
    using Floats [[maybe_unused]] = typename Lanes<Width>::Vector;
#if defined(__AVX512DQ__)
    if constexpr (Width == 16) return __builtin_ia32_cvtd2mask512(mask.set);
#endif
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
    using Mask = LaneMask<Width>;
    const auto pairs = reinterpret_cast<typename Mask::Pairs>((mask & Mask::bit_of_each()).set);
    std::uint64_t pair = 0;
    for (int i = 0; i < Width / 2; ++i) pair |= pairs[i];
    return static_cast<unsigned>(pair | pair >> 32);
}

#endif

// ------------------------------------------------------------------- the same at every width

/// The mask whose lane i is bit i; there may be more bits.
template <int Width>
[[nodiscard]] PHYS2D_INLINE LaneMask<Width> mask_of(unsigned bits) {
    if constexpr (Width == 1) {
        return {(bits & 1u) != 0};
    } else {
        const auto own = LaneMask<Width>::bit_of_each().set;
        return {(own & static_cast<std::int32_t>(bits)) == own};
    }
}

/// Whether a mask is set in any lane, or in all of them.
template <int Width>
[[nodiscard]] PHYS2D_INLINE constexpr bool any(LaneMask<Width> mask) {
    return bits(mask) != 0;
}
template <int Width>
[[nodiscard]] PHYS2D_INLINE constexpr bool all(LaneMask<Width> mask) {
    return !any(!mask);
}

/// -1 in lanes below zero, else +1.
template <int Width>
PHYS2D_INLINE constexpr Lanes<Width> sign(Lanes<Width> a) {
    using L = Lanes<Width>;
    return select(a < L::fill(0.0f), L::fill(-1.0f), L::fill(1.0f));
}

/// Zeros become positive.
template <int Width>
PHYS2D_INLINE constexpr Lanes<Width> operator-(Lanes<Width> a) {
    return Lanes<Width>::fill(0.0f) - a;
}

template <int Width>
PHYS2D_INLINE constexpr Lanes<Width> abs(Lanes<Width> a) {
    return max(a, -a);
}

/// Vectors in memory, as Columns2 load and store them.
template <std::size_t Size>
struct VectorBlock {
    float x[Size], y[Size];

    [[nodiscard]] Vec2 operator[](int i) const { return {x[i], y[i]}; }
    void set(int i, Vec2 v) { x[i] = v.x, y[i] = v.y; }
};

/// W vectors, or the first two fields of W records, one per lane.
template <int Width>
struct Columns2 {
    Lanes<Width> x, y;

    /// W vectors of a block, from `first` on.
    template <std::size_t Size>
    PHYS2D_INLINE static Columns2 load(const VectorBlock<Size>& block, int first) {
        return {Lanes<Width>::load(block.x + first), Lanes<Width>::load(block.y + first)};
    }
    template <std::size_t Size>
    PHYS2D_INLINE void store(VectorBlock<Size>& block, int first) const {
        x.store(block.x + first), y.store(block.y + first);
    }

    PHYS2D_INLINE friend constexpr Columns2 operator-(Columns2 a) { return {-a.x, -a.y}; }
    PHYS2D_INLINE friend constexpr Columns2 operator+(Columns2 a, Columns2 b) {
        return {a.x + b.x, a.y + b.y};
    }
    PHYS2D_INLINE friend constexpr Columns2 operator-(Columns2 a, Columns2 b) {
        return {a.x - b.x, a.y - b.y};
    }
    PHYS2D_INLINE friend constexpr Columns2 operator*(Columns2 a, Lanes<Width> factor) {
        return {a.x * factor, a.y * factor};
    }
    PHYS2D_INLINE friend constexpr Columns2 operator/(Columns2 a, Lanes<Width> divisor) {
        return {a.x / divisor, a.y / divisor};
    }
};
/// A vector in one lane.
[[nodiscard]] constexpr Columns2<1> in_lane(Vec2 v) { return {{v.x}, {v.y}}; }

template <int Width>
PHYS2D_INLINE constexpr Lanes<Width> dot(Columns2<Width> a, Columns2<Width> b) {
    return a.x * b.x + a.y * b.y;
}
template <int Width>
PHYS2D_INLINE constexpr Lanes<Width> cross(Columns2<Width> a, Columns2<Width> b) {
    return a.x * b.y - a.y * b.x;
}
template <int Width>
PHYS2D_INLINE constexpr Columns2<Width> abs(Columns2<Width> a) {
    return {abs(a.x), abs(a.y)};
}
template <int Width>
PHYS2D_INLINE constexpr Columns2<Width> select(LaneMask<Width> mask, Columns2<Width> a,
                                               Columns2<Width> b) {
    return {select(mask, a.x, b.x), select(mask, a.y, b.y)};
}

}  // namespace phys2d::inline PHYS2D_ABI::detail::simd

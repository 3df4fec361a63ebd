// SPDX-License-Identifier: MIT
// scalar: the scalar arithmetic of the engine: constexpr, and the same bits on every machine.
// Only correctly rounded operations (+ - * / sqrt) are used; `mul` is a product that is never fused
// into an FMA (see core/float_guard.hpp).
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include <phys2d/core/float_guard.hpp>

#if !PHYS2D_GNU_EXTENSIONS
#include <cmath>  // for sqrt; costs more than all else, so built-ins are used where they exist
#endif

namespace phys2d::inline PHYS2D_ABI {

/// Product, rounded by itself: never fused with a following sum.
[[nodiscard]] constexpr float mul(float a, float b) {
    PHYS2D_NO_CONTRACT
    return detail::rounded(a * b);
}
[[nodiscard]] constexpr double mul(double a, double b) {
    PHYS2D_NO_CONTRACT
    return detail::rounded(a * b);
}

[[nodiscard]] constexpr float square(float x) { return mul(x, x); }

/// The smaller of the two; `b` when either is NaN.
[[nodiscard]] constexpr float min(float a, float b) { return a < b ? a : b; }

/// The larger of the two; `b` when either is NaN.
[[nodiscard]] constexpr float max(float a, float b) { return a > b ? a : b; }

/// Templates lose to the functions of <math.h> in overload resolution, so that
/// `using namespace phys2d` is never ambiguous. They accept only float, so that a double is not
/// truncated.
template <class Float>
concept JustFloat = std::is_same_v<Float, float>;

[[nodiscard]] constexpr float abs(JustFloat auto x) {
#if PHYS2D_GNU_EXTENSIONS
    return __builtin_fabsf(x);
#else
    return x < 0.0f ? -x : (x == 0.0f ? 0.0f : x);
#endif
}

/// -1 for negative x, +1 otherwise, also for zero of either sign: never 0.
[[nodiscard]] constexpr float sign(float x) { return x < 0.0f ? -1.0f : 1.0f; }

/// x, or the nearer end of [low, high]; `low` for NaN. Pre: low <= high.
[[nodiscard]] constexpr float clamp(float x, float low, float high) {
    return min(max(x, low), high);
}

/// The largest integer that is not above x, clamped to [low, high]; `low` for NaN.
[[nodiscard]] constexpr std::int32_t floor_within(float x, std::int32_t low, std::int32_t high) {
    constexpr float beyond = 2147483648.0f;
    if (!(x >= -beyond)) return low;
    if (x >= beyond) return high;
    const auto whole = static_cast<std::int32_t>(x);
    const std::int32_t floor = static_cast<float>(whole) > x ? whole - 1 : whole;
    return floor < low ? low : (floor > high ? high : floor);
}

/// a at t = 0 and b at t = 1, both exactly, and a wherever a == b; t outside [0, 1] extrapolates.
/// Pre: b - a is finite.
[[nodiscard]] constexpr float lerp(JustFloat auto a, JustFloat auto b, JustFloat auto t) {
    return t == 1.0f ? b : a + mul(b - a, t);
}

/// False for NaN and both infinities.
[[nodiscard]] constexpr bool is_finite(float x) {
    return x >= -std::numeric_limits<float>::max() && x <= std::numeric_limits<float>::max();
}

/// Square root, correctly rounded, also in constant expressions. Pre: x >= 0.
[[nodiscard]] constexpr float sqrt(JustFloat auto x) {
    if (!std::is_constant_evaluated()) {
#if PHYS2D_GNU_EXTENSIONS
        return __builtin_sqrtf(x);
#else
        return std::sqrt(x);
#endif
    }
    if (!(x > 0.0f) || !is_finite(x)) return x;
    double root = x > 1.0f ? static_cast<double>(x) : 1.0;
    for (double next = 0.0; true; root = next) {  // Newton from above: falls until it has converged
        next = 0.5 * (root + static_cast<double>(x) / root);
        if (next >= root) return static_cast<float>(root);
    }
}

namespace detail {

/// Of all other numbers: slots, counts, doubles.
template <class Number>
[[nodiscard]] constexpr Number smaller_of(Number a, Number b) {
    return a < b ? a : b;
}
template <class Number>
[[nodiscard]] constexpr Number larger_of(Number a, Number b) {
    return a > b ? a : b;
}

/// A part of a line; none if it ends before it begins.
struct Interval {
    float low = 0.0f;
    float high = 0.0f;

    [[nodiscard]] constexpr bool is_within(const Interval& other) const {
        return other.low <= low && high <= other.high;
    }
};

}  // namespace detail

}  // namespace phys2d::inline PHYS2D_ABI

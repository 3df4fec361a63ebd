// SPDX-License-Identifier: MIT
// Where do the random numbers of the tests come from?
// From xorshift64 [Marsaglia2003, "Xorshift RNGs"] with a fixed seed: every run, on every machine,
// sees the same numbers. Floats use the top 24 bits, so that each of them is exact.
#pragma once

#include <cmath>
#include <cstdint>

#include <phys2d/math/vec2.hpp>

namespace test {

/// Random cases of a property test. Unoptimised builds, whose calls cost twenty times as much and
/// more with sanitizers, see the first tenth of them.
#if defined(__OPTIMIZE__) || defined(NDEBUG)
constexpr int many = 1'000'000;
#else
constexpr int many = 100'000;
#endif

class Random {
public:
    static constexpr std::uint64_t default_seed = 0x9E3779B97F4A7C15u;

    /// Pre: seed is not 0.
    constexpr explicit Random(std::uint64_t seed = default_seed) : state_(seed) {}

    constexpr std::uint64_t bits() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return state_;
    }

    /// In [0, 1).
    constexpr float unit() { return static_cast<float>(bits() >> 40) * 0x1p-24f; }

    /// In [low, high].
    constexpr float uniform(float low, float high) { return low + phys2d::mul(high - low, unit()); }

    /// In [low, high], all powers of ten alike. Pre: low > 0.
    float log_uniform(float low, float high) { return low * std::pow(high / low, unit()); }

    /// In [low, high], both included. Pre: low <= high.
    constexpr int integer(int low, int high) {
        const auto count = static_cast<std::uint64_t>(high - low + 1);
        return low + static_cast<int>((bits() >> 32) % count);
    }

    constexpr bool one_in(int n) { return integer(1, n) == 1; }

    /// Any float: every bit pattern is as likely, NaN and infinities included.
    constexpr float any_float() {
        return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits() >> 32));
    }

    constexpr float any_finite_float() {
        float x = any_float();
        while (!phys2d::is_finite(x)) x = any_float();
        return x;
    }

    /// In the square from -reach to +reach.
    constexpr phys2d::Vec2 point(float reach) {
        const float x = uniform(-reach, reach);
        return {x, uniform(-reach, reach)};
    }

    /// A unit vector, all directions alike.
    constexpr phys2d::Vec2 direction() {
        phys2d::Vec2 v = point(1.0f);
        while (phys2d::length_sq(v) > 1.0f || phys2d::length_sq(v) < 0.01f) v = point(1.0f);
        return phys2d::normalized(v);
    }

private:
    std::uint64_t state_;
};

/// a * b rounded once, by way of double, where it is exact. All is hidden from the optimiser, which
/// could fuse this product with a sum as well, or share it with the one it is compared with.
inline float product_rounded_once(float a, float b) {
    const volatile float hidden_a = a;
    const volatile float hidden_b = b;
    const volatile float product = static_cast<float>(double{hidden_a} * double{hidden_b});
    return product;
}

}  // namespace test

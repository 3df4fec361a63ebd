// SPDX-License-Identifier: MIT
// The random numbers of the scenes: xorshift64, the same on every machine. [Marsaglia2003]
#pragma once

#include <cstdint>

#include <phys2d/math/scalar.hpp>

namespace scenes {

class Random {
public:
    /// Uniform in [0, 1): the top 24 bits, which a float holds exactly.
    float unit() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<float>(state_ >> 40) / 16777216.0f;
    }

    /// Uniform between the two.
    float between(float low, float high) { return low + phys2d::mul(high - low, unit()); }

private:
    std::uint64_t state_ = 0x9E3779B97F4A7C15u;
};

}  // namespace scenes

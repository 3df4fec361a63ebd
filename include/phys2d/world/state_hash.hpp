// SPDX-License-Identifier: MIT
// StateHash: a 64-bit hash of a sequence of values; a change of any one value changes it.
// Not cryptographic. Finds the step in which two machines diverge.
#pragma once

#include <cstdint>

#include <phys2d/core/bits.hpp>
#include <phys2d/math/vec2.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// Adds words one after the other; their order counts.
class StateHash {
public:
    constexpr void add(std::uint64_t word) { value_ = detail::mixed(value_ ^ word); }
    /// Adds the bits of both components: -0 differs from 0.
    constexpr void add(Vec2 v) {
        add(std::uint64_t{__builtin_bit_cast(std::uint32_t, v.x)} << 32 |
            __builtin_bit_cast(std::uint32_t, v.y));
    }
    [[nodiscard]] constexpr std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0x9E3779B97F4A7C15u;
};

}  // namespace phys2d::inline PHYS2D_ABI

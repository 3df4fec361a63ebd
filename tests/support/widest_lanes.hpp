// SPDX-License-Identifier: MIT
// How many lanes can be tested on this target?
#pragma once

namespace test {

/// Lanes wider than a register are taken to pieces, but for products where there is FMA: what keeps
/// them from being fused wants them in a register.
#if defined(__FMA__) && !defined(__AVX512F__)
inline constexpr int widest_lanes = 8;
#else
inline constexpr int widest_lanes = 16;
#endif

}  // namespace test

// SPDX-License-Identifier: MIT
// radix_sort: sorts 64-bit words by a range of their bits, in as few passes as the range needs.
// Least significant digit first, stable, without comparisons. [Knuth1998 §5.2.5]
#pragma once

#include <cstdint>

#include <phys2d/core/array.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Sorts the first `count` words by their bits [first_bit, first_bit + bit_count); `scratch` must
/// be as large. Pre: the bits above are zero. O(count) per 11 bits.
inline void radix_sort(Array<std::uint64_t>& words, Array<std::uint64_t>& scratch,
                       std::size_t count, int first_bit, int bit_count) {
    constexpr int widest_digit = 11;
    const int passes = (bit_count + widest_digit - 1) / widest_digit;
    if (passes == 0) return;
    const int digit_bits = (bit_count + passes - 1) / passes;
    const std::uint64_t digit_mask = (std::uint64_t{1} << digit_bits) - 1;

    for (int pass = 0; pass < passes; ++pass) {
        const int shift = first_bit + pass * digit_bits;
        std::uint32_t place[1 << widest_digit] = {};
        for (std::size_t i = 0; i < count; ++i) ++place[words[i] >> shift & digit_mask];
        std::uint32_t sum = 0;
        for (std::uint64_t digit = 0; digit <= digit_mask; ++digit) {
            const std::uint32_t here = place[digit];
            place[digit] = sum;
            sum += here;
        }
        for (std::size_t i = 0; i < count; ++i) {
            scratch[place[words[i] >> shift & digit_mask]++] = words[i];
        }
        words.swap(scratch);
    }
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

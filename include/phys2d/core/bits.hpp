// SPDX-License-Identifier: MIT
// bits: which bits of a word are set? And how are they mixed?
#pragma once

#include <bit>
#include <cstdint>

#include <phys2d/core/abi.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Calls visit(int) for the index of each set bit, from the lowest up.
constexpr void for_each_bit(std::uint64_t word, auto visit) {
    for (; word != 0; word &= word - 1) visit(std::countr_zero(word));
}

/// The same, from the highest down if `descends`.
constexpr void for_each_bit(std::uint32_t word, bool descends, auto visit) {
    while (word != 0) {
        const int i = descends ? 31 - std::countl_zero(word) : std::countr_zero(word);
        word ^= 1u << i;
        visit(i);
    }
}

/// The last part of SplitMix64: words that differ in one bit give numbers that look unrelated, and
/// no two words the same one. [Steele2014]
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t word) {
    word *= 0xBF58476D1CE4E5B9u;
    word = (word ^ word >> 27) * 0x94D049BB133111EBu;
    return word ^ word >> 31;
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

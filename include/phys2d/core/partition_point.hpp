// SPDX-License-Identifier: MIT
// partition_point: where in a sorted range does an element belong?
#pragma once

#include <phys2d/core/abi.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The first index of [begin, end) for which is_before(index) is false; `end` if there is none.
/// Pre: true up to there, false from there on.
template <class Index>
[[nodiscard]] constexpr Index partition_point(Index begin, Index end, auto is_before) {
    for (Index count = end - begin; count > 0;) {
        const Index half = count / 2;
        const bool before = is_before(begin + half);
        begin = before ? begin + half + 1 : begin;
        count = before ? count - half - 1 : half;
    }
    return begin;
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// What is left of a line when an interval is cut out of each of its pieces, the plain way?
#pragma once

#include <vector>

#include <phys2d/bodies/sorted_intervals.hpp>

namespace test {

/// Cuts an interval out of all pieces; what is left beyond it becomes the last piece.
inline void cut(std::vector<phys2d::detail::Interval>& pieces, phys2d::detail::Interval out) {
    const std::size_t count = pieces.size();
    for (std::size_t i = 0; i < count; ++i) {
        const phys2d::detail::Interval piece = pieces[i];
        if (out.high <= piece.low || piece.high <= out.low) continue;
        pieces[i].high = phys2d::max(piece.low, out.low);
        if (out.high < piece.high) pieces.push_back({out.high, piece.high});
    }
}

}  // namespace test

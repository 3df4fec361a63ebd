// SPDX-License-Identifier: MIT
// How do tests let bodies come, go and trade slots?
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <phys2d/dynamics/slot_moves.hpp>
#include <phys2d/dynamics/slot_ranges.hpp>

#include "random.hpp"

namespace test {

struct MovedSlots {
    phys2d::detail::SlotMoves moves{};
    phys2d::detail::SlotRanges ranges;
};

/// One moving body in eight goes, some come, and some trade slots with others of their role; what
/// is static stays, in slots that close the gaps. None sleeps.
inline MovedSlots random_moves(Random& random, const phys2d::detail::SlotRanges& before,
                               std::int32_t all) {
    constexpr std::int32_t nobody = -1;
    MovedSlots result;
    result.moves.now.assign(static_cast<std::size_t>(all), nobody);
    std::vector<std::int32_t> formerly;  // per present slot
    const auto add_role = [&](std::int32_t begin, std::int32_t end, bool is_static) {
        const std::size_t first = formerly.size();
        for (std::int32_t slot = begin; slot < end; ++slot) {
            const bool goes = !is_static && random.one_in(8);
            if (goes) result.moves.gone.push_back(slot);
            if (!goes) formerly.push_back(slot);
        }
        while (!is_static && random.one_in(2)) formerly.push_back(nobody);
        const int last = static_cast<int>(formerly.size() - first) - 1;
        for (int i = random.integer(0, 10); last > 0 && i > 0; --i) {
            std::swap(formerly[first + static_cast<std::size_t>(random.integer(0, last))],
                      formerly[first + static_cast<std::size_t>(random.integer(0, last))]);
        }
        return static_cast<std::int32_t>(formerly.size());
    };
    result.ranges.dynamic_count = add_role(0, before.dynamic_count, false);
    result.ranges.moving_count = add_role(before.dynamic_count, before.moving_count, false);
    result.ranges.static_begin = result.ranges.moving_count;
    (void)add_role(before.moving_count, all, true);
    for (std::size_t i = 0; i < formerly.size(); ++i) {
        const auto slot = static_cast<std::int32_t>(i);
        if (formerly[i] == nobody) result.moves.arrived.push_back(slot);
        if (formerly[i] == nobody) continue;
        result.moves.now[static_cast<std::size_t>(formerly[i])] = slot;
        if (formerly[i] != slot) result.moves.moved.push_back({formerly[i], slot});
    }
    return result;
}

}  // namespace test

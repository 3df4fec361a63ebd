// SPDX-License-Identifier: MIT
// SlotRanges: which part do the bodies of which slots have in a step?
#pragma once

#include <cstdint>

#include <phys2d/core/abi.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// In the order of slots.
enum class Role { Dynamic, Moving, Asleep, Static, Off };

/// Ranges of slots by the role of the bodies.
struct SlotRanges {
    std::int32_t dynamic_count = 0;  ///< [0, dynamic_count): respond to impulses
    std::int32_t moving_count = 0;   ///< up to here: move, without responding
    std::int32_t static_begin = 0;   ///< up to here: asleep
    std::int32_t static_end = 0;     ///< up to here: static; the rest is switched off

    // Of a body's slot, not `no_slot`.
    [[nodiscard]] bool is_dynamic(std::int32_t slot) const { return slot < dynamic_count; }
    [[nodiscard]] bool is_moving(std::int32_t slot) const { return slot < moving_count; }
    [[nodiscard]] bool is_asleep(std::int32_t slot) const {
        return slot >= moving_count && slot < static_begin;
    }
    [[nodiscard]] bool is_static(std::int32_t slot) const {
        return slot >= static_begin && slot < static_end;
    }
    [[nodiscard]] Role role(std::int32_t slot) const {
        return static_cast<Role>(int{slot >= dynamic_count} + int{slot >= moving_count} +
                                 int{slot >= static_begin} + int{slot >= static_end});
    }
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

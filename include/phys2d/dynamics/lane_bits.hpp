// SPDX-License-Identifier: MIT
// lane_bits: which pairs have a property that is stored as a bit per lane, in a byte per block?
#pragma once

#include <compare>
#include <cstdint>
#include <cstring>

#include <phys2d/core/array.hpp>
#include <phys2d/core/bits.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Pairs per block: the widest lanes. The layout is the same at every width.
inline constexpr int block_size = 8;

/// The position of a pair.
struct LanePlace {
    std::int32_t block;
    std::int32_t lane;

    friend constexpr auto operator<=>(const LanePlace& a, const LanePlace& b) = default;
};

/// Whether a pair's bit is set in a column with a bit per lane.
[[nodiscard]] inline bool has_lane(const Array<std::uint8_t>& column, LanePlace place) {
    return (column[place.block] >> place.lane & 1) != 0;
}
inline void set_lane(Array<std::uint8_t>& column, LanePlace place, bool value) {
    const unsigned others = column[place.block] & ~(1u << place.lane);
    column[place.block] = static_cast<std::uint8_t>(others | (value ? 1u : 0u) << place.lane);
}

/// Calls visit(block, lanes) for each block of [begin, end) where combine(a, b), of two columns
/// with a bit per lane, is not zero.
void for_each_block(const Array<std::uint8_t>& a, const Array<std::uint8_t>& b, std::int32_t begin,
                    std::int32_t end, auto combine, auto visit) {
    constexpr std::int32_t some = sizeof(std::uint64_t);  // blocks looked at together
    for (std::int32_t i = begin; i < end;) {
        std::uint64_t bits_a = a[i];
        std::uint64_t bits_b = b[i];
        const bool are_many = i + some <= end;
        if (are_many) {
            std::memcpy(&bits_a, &a[i], sizeof(bits_a));
            std::memcpy(&bits_b, &b[i], sizeof(bits_b));
        }
        if (combine(bits_a, bits_b) == 0) {
            i += are_many ? some : 1;
        } else {
            const auto lanes = static_cast<std::uint8_t>(combine(a[i], b[i]));
            if (lanes != 0) visit(i, unsigned{lanes});
            ++i;
        }
    }
}
/// The same for all blocks.
void for_each_block(const Array<std::uint8_t>& a, const Array<std::uint8_t>& b, auto combine,
                    auto visit) {
    for_each_block(a, b, 0, static_cast<std::int32_t>(a.size()), combine, visit);
}

/// Calls visit(block, lanes) for each block of [begin, end) that has bits in a column.
void for_each_block_in(const Array<std::uint8_t>& column, std::int32_t begin, std::int32_t end,
                       auto visit) {
    const auto as_they_are = [](std::uint64_t bits, std::uint64_t) { return bits; };
    for_each_block(column, column, begin, end, as_they_are, visit);
}

/// Calls visit(place) for each lane of some blocks whose bit is set in a column.
void for_each_lane_in(const Array<std::uint8_t>& column, std::int32_t begin, std::int32_t end,
                      auto visit) {
    for_each_block_in(column, begin, end, [&](std::int32_t i, unsigned lanes) {
        for_each_bit(lanes, [&](int lane) { visit(LanePlace{i, lane}); });
    });
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// tile_parts: which tiles of a rectangle are in which chunk?
#pragma once

#include <phys2d/terrain/tile_chunks.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The tiles of a rectangle that are in one chunk.
struct TilePart {
    TileCoord first;      ///< the lower left one
    std::int32_t width;   ///< 1 to 64; 0 if there are none
    std::int32_t height;  ///< 1 to 64; 0 if there are none
};

/// The part of a rectangle in the chunk of `tile`; empty if the two do not meet.
[[nodiscard]] inline TilePart tile_part(const TileRect& rect, TileCoord tile) {
    constexpr std::int32_t last = TileChunks::side - 1;
    const TileCoord corner{tile.x & ~last, tile.y & ~last};
    const TileCoord end{corner.x + last, corner.y + last};
    const TileRect part{{rect.min.x > corner.x ? rect.min.x : corner.x,
                         rect.min.y > corner.y ? rect.min.y : corner.y},
                        {rect.max.x < end.x ? rect.max.x : end.x,  //
                         rect.max.y < end.y ? rect.max.y : end.y}};
    return {part.min, static_cast<std::int32_t>(part.width()),
            static_cast<std::int32_t>(part.height())};
}

[[nodiscard]] inline bool is_in_one_chunk(const TileRect& rect) {
    const std::int32_t differ = (rect.min.x ^ rect.max.x) | (rect.min.y ^ rect.max.y);
    return (differ & ~(TileChunks::side - 1)) == 0 && !rect.is_empty();
}

/// The part of a rectangle that is in one chunk.
[[nodiscard]] inline TilePart whole_part(const TileRect& rect) {
    return {rect.min, rect.max.x - rect.min.x + 1, rect.max.y - rect.min.y + 1};
}

/// Calls visit(part) for each chunk that a rectangle overlaps, row by row from below, each from
/// left to right, until it returns false; returns false if it did.
template <class Visit>
bool for_each_tile_part(const TileRect& rect, Visit visit) {
    constexpr std::int32_t last = TileChunks::side - 1;
    if (rect.is_empty()) return true;
    if (is_in_one_chunk(rect)) return visit(whole_part(rect));
    for (std::int64_t y = rect.min.y; y <= rect.max.y; y = (y | last) + 1) {
        for (std::int64_t x = rect.min.x; x <= rect.max.x; x = (x | last) + 1) {
            const TileCoord tile{static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)};
            if (!visit(tile_part(rect, tile))) return false;
        }
    }
    return true;
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

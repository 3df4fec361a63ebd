// SPDX-License-Identifier: MIT
// tile_parts: which tiles of a rectangle are in which chunk?
//
// Where a rectangle covers more chunks than there are, those that exist are gone through instead of
// looking all up.
#pragma once

#include <phys2d/core/shell_sort.hpp>
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
    const TileRect part = overlap(rect, {corner, end});
    return {part.min, static_cast<std::int32_t>(part.width()),
            static_cast<std::int32_t>(part.height())};
}

/// Calls visit(part) for each chunk that a rectangle overlaps, row by row from below, each from
/// left to right, until it returns false; returns false if it did.
bool for_each_tile_part(const TileRect& rect, auto visit) {
    constexpr std::int32_t last = TileChunks::side - 1;
    if (rect.is_empty()) return true;
    for (std::int64_t y = rect.min.y; y <= rect.max.y; y = (y | last) + 1) {
        for (std::int64_t x = rect.min.x; x <= rect.max.x; x = (x | last) + 1) {
            const TileCoord tile{static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)};
            if (!visit(tile_part(rect, tile))) return false;
        }
    }
    return true;
}

/// Whether looking up all chunks in a rectangle costs more than going through those that exist.
[[nodiscard]] inline bool is_mostly_air(const TileChunks& chunks, const TileRect& rect) {
    constexpr std::int32_t side = TileChunks::side;
    const std::int64_t columns = std::int64_t{rect.max.x / side} - rect.min.x / side + 2;
    const std::int64_t rows = std::int64_t{rect.max.y / side} - rect.min.y / side + 2;
    return columns * rows > 16 + std::int64_t{chunks.end()};
}

/// Calls visit(chunk, part) for each existing chunk that a rectangle with few chunks overlaps, by
/// rows of chunks from below, each from left to right, until it returns false; returns false if it
/// did.
bool for_each_part_looked_up(const TileChunks& chunks, const TileRect& rect, auto& visit) {
    return for_each_tile_part(rect, [&](const TilePart& part) {
        const std::int32_t chunk = chunks.find(part.first);
        return chunk == TileChunks::none || visit(chunk, part);
    });
}

/// The same for any rectangle, in an unspecified order. `visit` may remove its chunk.
bool for_each_part(const TileChunks& chunks, const TileRect& rect, auto visit) {
    if (!is_mostly_air(chunks, rect)) return for_each_part_looked_up(chunks, rect, visit);
    for (std::int32_t chunk = 0; chunk < chunks.end(); ++chunk) {
        if (chunks.rows(chunk) == 0) continue;
        const TilePart part = tile_part(rect, TileChunks::corner_of(chunks.key(chunk)));
        if (part.width > 0 && !visit(chunk, part)) return false;
    }
    return true;
}

/// The keys of the existing chunks that a rectangle overlaps.
[[nodiscard]] inline Array<std::uint64_t> sorted_keys(const TileChunks& chunks,
                                                      const TileRect& rect) {
    Array<std::uint64_t> keys;
    keys.reserve(chunks.count());
    (void)for_each_part(chunks, rect, [&](std::int32_t chunk, const TilePart&) {
        keys.push_back(chunks.key(chunk));
        return true;
    });
    shell_sort(keys);
    return keys;
}

/// The same in the order of `for_each_part_looked_up`; allocates if the rectangle is mostly air.
bool for_each_part_in_order(const TileChunks& chunks, const TileRect& rect, auto visit) {
    if (!is_mostly_air(chunks, rect)) return for_each_part_looked_up(chunks, rect, visit);
    for (const std::uint64_t key : sorted_keys(chunks, rect)) {
        const TileCoord corner = TileChunks::corner_of(key);
        if (!visit(chunks.find(corner), tile_part(rect, corner))) return false;
    }
    return true;
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

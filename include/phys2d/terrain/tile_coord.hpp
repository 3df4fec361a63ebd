// SPDX-License-Identifier: MIT
// TileCoord, TileRect: coordinates of tiles, and rectangles of them.
#pragma once

#include <cstdint>

#include <phys2d/core/abi.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// A tile by its column and row; y grows upwards. Every pair of numbers is a valid tile
/// of a TileGrid; maps in a World end at +-2^22.
struct TileCoord {
    std::int32_t x = 0;
    std::int32_t y = 0;

    friend constexpr bool operator==(TileCoord a, TileCoord b) = default;
};

/// The tiles from `min` to `max`, both included; none if max < min in x or y.
struct TileRect {
    TileCoord min{};
    TileCoord max{};

    [[nodiscard]] constexpr bool is_empty() const { return max.x < min.x || max.y < min.y; }
    /// In tiles; 0 if the rectangle is empty.
    [[nodiscard]] constexpr std::int64_t width() const {
        return is_empty() ? 0 : std::int64_t{max.x} - min.x + 1;
    }
    [[nodiscard]] constexpr std::int64_t height() const {
        return is_empty() ? 0 : std::int64_t{max.y} - min.y + 1;
    }
    [[nodiscard]] constexpr bool contains(TileCoord tile) const {
        return min.x <= tile.x && tile.x <= max.x && min.y <= tile.y && tile.y <= max.y;
    }

    /// Pre: `inner` is not empty.
    [[nodiscard]] constexpr bool contains(const TileRect& inner) const {
        return contains(inner.min) && contains(inner.max);
    }

    friend constexpr bool operator==(const TileRect& a, const TileRect& b) = default;
};

/// The tiles that are in both rectangles.
[[nodiscard]] constexpr TileRect overlap(const TileRect& a, const TileRect& b) {
    return {{a.min.x > b.min.x ? a.min.x : b.min.x, a.min.y > b.min.y ? a.min.y : b.min.y},
            {a.max.x < b.max.x ? a.max.x : b.max.x, a.max.y < b.max.y ? a.max.y : b.max.y}};
}

}  // namespace phys2d::inline PHYS2D_ABI

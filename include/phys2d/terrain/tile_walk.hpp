// SPDX-License-Identifier: MIT
// tile_walk: which tiles does a segment meet, and in which order?
//
// Tiles are closed squares: tile (x, y) extends from x to x + 1, borders included. So a segment
// meets the tiles on both sides of a border that it runs along or ends on, and all four around a
// corner that it passes through. The result misses no tile, is the same for the reversed and the
// mirrored segment, and lets nothing slip between two tiles that touch at a corner.
// The arithmetic is exact: coordinates are integers in units of 2^-32 tiles. Which border comes
// first is decided by comparing integer products, updated by additions. [Amanatides1987]
#pragma once

#include <cstdint>

#include <phys2d/math/vec2.hpp>
#include <phys2d/terrain/tile_coord.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// An unsigned integer of 128 bits.
struct Wide {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    constexpr Wide& operator+=(const Wide& other) {
        low += other.low;
        high += other.high + (low < other.low ? 1 : 0);
        return *this;
    }
    friend constexpr bool operator<(const Wide& a, const Wide& b) {
        return a.high != b.high ? a.high < b.high : a.low < b.low;
    }
};

[[nodiscard]] constexpr Wide times_two_to_32(std::uint64_t a) { return {a >> 32, a << 32}; }

/// The product, from halves of 32 bits.
[[nodiscard]] constexpr Wide wide_product(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t half = 0xFFFFFFFFu;
    Wide product{(a >> 32) * (b >> 32), (a & half) * (b & half)};
    product += times_two_to_32((a >> 32) * (b & half));
    product += times_two_to_32((a & half) * (b >> 32));
    return product;
}

/// One axis of a walk: the columns (or rows) that the moving point touches, and the borders ahead.
class WalkAxis {
public:
    /// Coordinates must be nearer to 0 than this.
    static constexpr float reach = 0x1p30f;

    WalkAxis(float from, float to) {
        const std::int64_t a = fixed(from);
        const std::int64_t b = fixed(to);
        last = tile_from(a);
        first = -tile_from(-a) - 1;  // the tile before, if it starts on a border
        if (a < b) head(1, tile_from(b) - last, one - (a & (one - 1)), b - a);
        if (b < a) head(-1, -tile_from(-a) + tile_from(-b), one - (-a & (one - 1)), a - b);
    }

    /// Leaves the border on which it starts, unless it runs along it.
    void set_out() {
        if (step > 0) first = last;
        if (step < 0) last = first;
    }
    /// Moves to the next border, and touches only the tile behind it.
    void advance() {
        first = last = last + step;
        --borders;
    }

    std::int32_t first, last;     // tiles touched at the moment: one, or the two at a border
    std::int32_t step = 0;        // +1, -1, or 0 if it does not move
    std::int64_t borders = 0;     // number of borders ahead
    std::uint64_t to_border = 1;  // from the start to the next one; > 0 if at rest [2^-32 tiles]
    std::uint64_t length = 0;     // of the segment [2^-32 tiles]

private:
    static constexpr std::int64_t one = std::int64_t{1} << 32;

    /// In units of 2^-32, rounded down.
    [[nodiscard]] static std::int64_t fixed(float x) {
        const double scaled = static_cast<double>(x) * 0x1p32;
        const auto truncated = static_cast<std::int64_t>(scaled);
        return static_cast<double>(truncated) > scaled ? truncated - 1 : truncated;
    }
    [[nodiscard]] static std::int32_t tile_from(std::int64_t x) {
        return static_cast<std::int32_t>(x >> 32);
    }

    void head(std::int32_t where, std::int32_t count, std::int64_t distance, std::int64_t way) {
        step = where;
        borders = count;
        to_border = static_cast<std::uint64_t>(distance);
        length = static_cast<std::uint64_t>(way);
    }
};

[[nodiscard]] inline bool is_in_walks(Vec2 point) {
    return abs(point.x) < WalkAxis::reach && abs(point.y) < WalkAxis::reach;  // false for NaN
}

/// Visits all tiles that both axes touch, row by row from below.
bool visit_touched(const WalkAxis& x, const WalkAxis& y, auto& visit) {
    for (std::int32_t row = y.first; row <= y.last; ++row) {
        for (std::int32_t column = x.first; column <= x.last; ++column) {
            if (!visit(TileCoord{column, row})) return false;
        }
    }
    return true;
}

/// At a corner: the horizontal neighbour, the vertical one, the diagonal one.
bool walk_through_corner(WalkAxis& x, WalkAxis& y, auto& visit) {
    const WalkAxis x_before = x;
    const WalkAxis y_before = y;
    x.advance();
    y.advance();
    return visit_touched(x, y_before, visit) && visit_touched(x_before, y, visit) &&
           visit_touched(x, y, visit);
}

/// Walks a segment from border to border. The times of the next borders of both axes are compared
/// as products of distances: to_x / length_x < to_y / length_y if to_x · length_y < to_y ·
/// length_x.
bool walk(WalkAxis& x, WalkAxis& y, auto& visit) {
    if (x.borders == 0 && y.borders == 0) return true;
    Wide x_time = wide_product(x.to_border, y.length);
    Wide y_time = wide_product(y.to_border, x.length);
    const Wide x_interval = times_two_to_32(y.length);
    const Wide y_interval = times_two_to_32(x.length);
    while (x.borders > 0 || y.borders > 0) {
        const bool x_comes = !(y_time < x_time);
        const bool y_comes = !(x_time < y_time);
        if (x_comes) x_time += x_interval;
        if (y_comes) y_time += y_interval;
        if (x_comes && y_comes) {
            if (!walk_through_corner(x, y, visit)) return false;
            continue;
        }
        (x_comes ? x : y).advance();
        if (!visit_touched(x, y, visit)) return false;
    }
    return true;
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

namespace phys2d::inline PHYS2D_ABI {

/// Calls visit(TileCoord) once for each tile that a segment meets, in order, until it returns
/// false; returns false if it did. Lengths are in tiles: tile (x, y) is the closed square from
/// (x, y) to (x + 1, y + 1). Order of tiles met at once: at the start row by row from below, each
/// from left to right; at a corner the horizontal neighbour, the vertical one, the diagonal one;
/// along a border the lower or left one first. Coordinates are rounded down to multiples of 2^-32
/// (which changes only those nearer to 0 than 2^-9). NaN, or 2^30 or more from 0, visits nothing.
/// O(tiles visited).
template <class Visit>
bool for_each_tile_on_segment(Vec2 from, Vec2 to, Visit visit) {
    if (!detail::is_in_walks(from) || !detail::is_in_walks(to)) return true;
    detail::WalkAxis x(from.x, to.x);
    detail::WalkAxis y(from.y, to.y);
    if (!detail::visit_touched(x, y, visit)) return false;
    x.set_out();
    y.set_out();
    return detail::walk(x, y, visit);
}

}  // namespace phys2d::inline PHYS2D_ABI

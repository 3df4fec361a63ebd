// SPDX-License-Identifier: MIT
// tile_border: which part of an edge on the border of a tile is not covered by the tile beyond?
//
// A tile is the unit square with a corner at the origin. Lengths are in tiles.
#pragma once

#include <phys2d/shapes/polygon.hpp>
#include <phys2d/terrain/tile_coord.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The borders of a tile, as integers; -1 is none of them.
struct TileBorder {
    enum : int { Left, Right, Bottom, Top };  ///< opposite: `border ^ 1`
};

[[nodiscard]] constexpr bool is_upright(int border) { return border <= TileBorder::Right; }

/// Whether a point is on the line of a border.
[[nodiscard]] constexpr bool is_on(int border, Vec2 point) {
    return (is_upright(border) ? point.x : point.y) == ((border & 1) != 0 ? 1.0f : 0.0f);
}
/// The border that contains an edge of the tile, or -1.
[[nodiscard]] constexpr int border_of(const Segment& edge) {
    for (int border = TileBorder::Left; border <= TileBorder::Top; ++border) {
        if (is_on(border, edge.from) && is_on(border, edge.to)) return border;
    }
    return -1;
}

/// Position of a point along a border.
[[nodiscard]] constexpr float along_border(int border, Vec2 point) {
    return is_upright(border) ? point.y : point.x;
}
/// `point` moved along its border to a position.
[[nodiscard]] constexpr Vec2 put_on_border(int border, Vec2 point, float place) {
    return is_upright(border) ? Vec2{point.x, place} : Vec2{place, point.y};
}

/// The interval of a border that a polygon in the tile covers; it has a length if that is an edge.
[[nodiscard]] constexpr Interval cover_of(const Polygon& solid, int border) {
    Interval cover{1.0f, 0.0f};
    for (const Vec2 vertex : solid.vertices()) {
        if (!is_on(border, vertex)) continue;
        cover.low = min(cover.low, along_border(border, vertex));
        cover.high = max(cover.high, along_border(border, vertex));
    }
    return cover;
}

/// The lower left corner of a tile.
[[nodiscard]] constexpr Vec2 corner_of(TileCoord tile) {
    return {static_cast<float>(tile.x), static_cast<float>(tile.y)};
}

/// The tile beyond a border.
[[nodiscard]] constexpr TileCoord tile_beyond(TileCoord tile, int border) {
    const std::int32_t step = (border & 1) != 0 ? 1 : -1;
    return is_upright(border) ? TileCoord{tile.x + step, tile.y} : TileCoord{tile.x, tile.y + step};
}

/// Calls visit(part) for the uncovered parts of an edge, at most two. Pre: if `cover` has a length,
/// the edge is on `border`.
void for_each_uncovered(const Segment& edge, int border, Interval cover, auto visit) {
    if (cover.high <= cover.low) return visit(edge);
    const float from = along_border(border, edge.from);
    const float to = along_border(border, edge.to);
    const auto see = [&](float low, float high) {
        if (high <= low) return;
        visit(Segment{put_on_border(border, edge.from, from < to ? low : high),
                      put_on_border(border, edge.from, from < to ? high : low)});
    };
    see(min(from, to), min(max(from, to), cover.low));
    see(max(min(from, to), cover.high), max(from, to));
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

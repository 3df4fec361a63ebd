// SPDX-License-Identifier: MIT
// tile_faces: which parts of a tile's faces are exposed in a world of tiles?
//
// The part of a side that a neighbour covers is not a face, so a character that slides along a
// floor meets no seams. Lengths are in tiles.
#pragma once

#include <type_traits>

#include <phys2d/collision/collide_polygon.hpp>
#include <phys2d/terrain/tile_border.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// A world of tiles: `solid_at(TileCoord)` returns the convex polygon that fills a tile, or nullptr
/// for air. Its coordinates are in tiles, from (0, 0) at the tile's lower left to (1, 1). An edge
/// is on a side of the tile if its coordinates are exactly 0 or 1 there; only such edges are hidden
/// by neighbours.
///
///     struct Level {
///         const Polygon* solid_at(TileCoord tile) const { return shapes[grid.at(tile)]; }
///         const TileGrid& grid;
///         const Polygon* const* shapes;  // by tile id
///     };
template <class Tiles>
concept TileSource = requires(const Tiles& tiles, TileCoord tile) {
    requires std::is_convertible_v<decltype(tiles.solid_at(tile)), const Polygon*>;
};

namespace detail {

/// An edge of a tile's polygon, or a part of it; solid on its left.
struct TileFace {
    TileCoord tile{};
    Segment edge{};

    [[nodiscard]] constexpr Vec2 normal() const {
        return edge_normal(edge_direction(edge.from, edge.to));
    }
};

/// Whether test(part) is true for any part of a face that no neighbour covers.
template <TileSource Tiles, class Test>
[[nodiscard]] bool any_exposed(const Tiles& tiles, const TileFace& face, Test test) {
    const int border = border_of(face.edge);
    Interval cover;
    if (border >= 0) {
        const Polygon* const beyond = tiles.solid_at(tile_beyond(face.tile, border));
        if (beyond != nullptr) cover = cover_of(*beyond, border ^ 1);
    }
    bool any = false;
    for_each_uncovered(face.edge, border, cover,
                       [&](const Segment& part) { any = any || test(part); });
    return any;
}

}  // namespace detail
}  // namespace phys2d::inline PHYS2D_ABI

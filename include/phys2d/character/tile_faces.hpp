// SPDX-License-Identifier: MIT
// tile_faces: which parts of a tile's faces are exposed in a world of tiles?
//
// The part of a side that a neighbour covers is not a face, so a character that slides along a
// floor meets no seams. Lengths are in tiles.
#pragma once

#include <type_traits>

#include <phys2d/collision/collide_polygon.hpp>
#include <phys2d/terrain/tile_coord.hpp>

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

/// The parts of an edge that no neighbour covers: at most one at each end.
struct ExposedParts {
    Segment parts[2]{};
    int count = 0;

    [[nodiscard]] constexpr const Segment* begin() const { return parts; }
    [[nodiscard]] constexpr const Segment* end() const { return parts + count; }
    constexpr void add(const Segment& part) { parts[count++] = part; }
};

/// An interval along a side of a tile; empty if max < min.
struct SideCover {
    float min = 2.0f;
    float max = -1.0f;

    constexpr void add(float x) {
        min = phys2d::min(min, x);
        max = phys2d::max(max, x);
    }
};

/// The part of the shared side that a neighbour covers, by its edge or vertex on x (or y) = `line`.
[[nodiscard]] constexpr SideCover cover_by(const Polygon* neighbour, bool is_upright, float line) {
    SideCover cover;
    if (neighbour == nullptr) return cover;
    for (const Vec2 vertex : neighbour->vertices()) {
        if (is_upright && vertex.x == line) cover.add(vertex.y);
        if (!is_upright && vertex.y == line) cover.add(vertex.x);
    }
    return cover;
}

/// An axis-aligned edge without its covered part. Edges that run against the axis are cut with all
/// signs changed.
[[nodiscard]] constexpr ExposedParts cut(const Segment& edge, bool is_upright, SideCover cover) {
    const float from = is_upright ? edge.from.y : edge.from.x;
    const float to = is_upright ? edge.to.y : edge.to.x;
    const float turn = from < to ? 1.0f : -1.0f;
    const float begin = mul(turn, from), end = mul(turn, to);
    const float first = mul(turn, turn > 0.0f ? cover.min : cover.max);
    const float last = mul(turn, turn > 0.0f ? cover.max : cover.min);
    const auto at = [&](float along) {
        const float place = mul(turn, along);
        return is_upright ? Vec2{edge.from.x, place} : Vec2{place, edge.from.y};
    };
    ExposedParts exposed;
    if (begin < first) exposed.add({edge.from, at(min(end, first))});
    if (last < end) exposed.add({at(max(begin, last)), edge.to});
    return exposed;
}

/// Whether both ends of an edge have the same coordinate, on a side of the tile.
[[nodiscard]] constexpr bool is_on_side(float from, float to) {
    return from == to && (from == 0.0f || from == 1.0f);
}

/// The parts of a face that no neighbour covers.
template <TileSource Tiles>
[[nodiscard]] ExposedParts exposed_parts(const Tiles& tiles, const TileFace& face) {
    const auto [from, to] = face.edge;
    ExposedParts whole;
    whole.add(face.edge);
    const bool is_upright = is_on_side(from.x, to.x);
    if (!is_upright && !is_on_side(from.y, to.y)) return whole;
    const float line = is_upright ? from.x : from.y;
    TileCoord beyond = face.tile;
    (is_upright ? beyond.x : beyond.y) += line == 0.0f ? -1 : 1;
    const SideCover cover = cover_by(tiles.solid_at(beyond), is_upright, 1.0f - line);
    return cover.max < cover.min ? whole : cut(face.edge, is_upright, cover);
}

}  // namespace detail
}  // namespace phys2d::inline PHYS2D_ABI

// SPDX-License-Identifier: MIT
// tile_sides: which parts of a tile's sides are not covered by its neighbours, and what holds a
// body on which tiles have been set?
//
// Rays hit the open sides of tiles of all kinds from all sides: tiles of one group are one solid,
// including one-way tiles and sensors. Open sides also push out what is not too deep behind them.
// Between tiles there are none, so what is deeper, or in the thin end of a slope, would fall
// through the solid meanwhile; the border of its tile is its floor instead. Lengths are in metres,
// relative to the map.
#pragma once

#include <phys2d/collision/collide.hpp>
#include <phys2d/collision/collide_polygon.hpp>
#include <phys2d/terrain/tile_map.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The part of a border that the tile beyond covers.
[[nodiscard]] inline Interval cover_beyond(const TileMap& map, TileCoord tile, const TileKind& kind,
                                           int border) {
    if (border < 0) return {};
    return kind.cover_by(map.kind_at(tile_beyond(tile, border)), border);
}

/// Calls visit(face) for the open parts of those sides of a tile for which is_wanted(normal).
void for_each_open_side(const TileMap& map, TileCoord tile, const TileKind& kind, auto is_wanted,
                        auto visit) {
    for (std::size_t i = 0; i < kind.shape.size(); ++i) {
        const TileKind::Side& side = kind.sides[i];
        if (!is_wanted(side.normal)) continue;
        const Interval cover = cover_beyond(map, tile, kind, side.border);
        for_each_uncovered(side.edge, side.border, cover, [&](const Segment& part) {
            const float length = dot(part.to - part.from, perpendicular(side.normal));
            visit(plain_face((corner_of(tile) + part.from) * map.tile_size, side.normal,
                             mul(length, map.tile_size)));
        });
    }
}

/// The nearest open side of the tiles that contain a point.
struct WayOut {
    Vec2 normal{};                                    ///< zero if none is open
    float depth = std::numeric_limits<float>::max();  ///< of the point behind the side [m]
};

/// Of two that are equally short the one that leads more along `way`.
[[nodiscard]] constexpr WayOut shorter(const WayOut& a, const WayOut& b, Vec2 way) {
    if (a.depth != b.depth) return a.depth < b.depth ? a : b;
    const float along_a = dot(a.normal, way), along_b = dot(b.normal, way);
    if (along_a != along_b) return along_a > along_b ? a : b;
    return is_preferred(a.normal, b.normal) ? a : b;
}

/// The nearest open side of one tile for a point that moves by `way`.
[[nodiscard]] inline WayOut way_out(const TileMap& map, TileCoord tile, const TileKind& kind,
                                    Vec2 point, Vec2 way) {
    WayOut out;
    for_each_open_side(
        map, tile, kind, [](Vec2) { return true; },
        [&](const Face& face) {
            out = shorter(out, {face.normal, dot(face.start - point, face.normal)}, way);
        });
    return out;
}

/// The border of a tile to which a direction leads.
[[nodiscard]] constexpr int border_towards(Vec2 direction) {
    if (abs(direction.x) > abs(direction.y)) {
        return direction.x < 0.0f ? TileBorder::Left : TileBorder::Right;
    }
    return direction.y < 0.0f ? TileBorder::Bottom : TileBorder::Top;
}

/// Whether the tile beyond a border hides all of the side that a tile of a kind has there.
[[nodiscard]] inline bool is_side_hidden(const TileMap& map, TileCoord tile, const TileKind& kind,
                                         int border) {
    const Interval side = kind.covers[border];
    return kind.hides && side.low < side.high &&
           side.is_within(cover_beyond(map, tile, kind, border));
}

/// The border of a tile as a face with a normal into the tile, as thick as half of it [tiles].
[[nodiscard]] inline Face inner_face(TileCoord tile, Vec2 normal) {
    const Vec2 middle = corner_of(tile) + Vec2{0.5f, 0.5f} - normal * 0.5f;
    Face face = plain_face(middle - perpendicular(normal) * 0.5f, normal, 1.0f);
    face.half_thickness = 0.5f;
    face.feature = tile_feature(face.normal, face.start);
    return face;
}

/// Calls visit(face, id) for the border of a tile to which `pull` leads a point inside of it, if
/// the tile has no open side there. Lengths in metres, relative to the map.
void find_floor_inside(const TileMap& map, Vec2 point, Vec2 pull, auto visit) {
    if (pull == Vec2{}) return;
    const TileCoord tile = map.tile_at(point, map.extent);
    const std::uint16_t id = map.grid.at(tile);
    if (!map.is_kind(id)) return;
    const TileKind& kind = map.kinds[id];
    if (!contains(kind.shape, point / map.tile_size - corner_of(tile))) return;
    const int border = border_towards(pull);
    if (!is_side_hidden(map, tile, kind, border)) return;
    visit(scale(inner_face(tile, main_axis(-pull)), map.tile_size), id);
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

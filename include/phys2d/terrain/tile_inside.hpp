// SPDX-License-Identifier: MIT
// tile_inside: what holds a body on which tiles have been set?
//
// The open sides of tiles push out what is not too deep behind them. Between tiles there are no
// sides, so what is deeper, or in the thin end of a slope, would fall through the solid meanwhile;
// the border of its tile is its floor instead.
#pragma once

#include <phys2d/collision/collide.hpp>
#include <phys2d/terrain/tile_sides.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

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
template <class Visit>
void find_floor_inside(const TileMap& map, Vec2 point, Vec2 pull, Visit visit) {
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

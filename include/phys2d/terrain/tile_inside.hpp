// SPDX-License-Identifier: MIT
// tile_inside: what holds a body around which tiles have been set?
//
// The surface of the tiles pushes out what is in a tile with an open side. Deeper inside there is
// no surface, so a body would fall through the solid; the border of its tile is its floor instead.
#pragma once

#include <phys2d/terrain/tile_map.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Whether a tile and its four neighbours are full and of one group.
[[nodiscard]] inline bool is_inside(const TileMap& map, TileCoord tile) {
    const TileKind& kind = map.kind_at(tile);
    bool is_inside = kind.is_full;
    for (int border = TileBorder::Left; border <= TileBorder::Top; ++border) {
        const TileKind& beyond = map.kind_at(tile_beyond(tile, border));
        is_inside = is_inside && beyond.is_full && beyond.group == kind.group;
    }
    return is_inside;
}

/// Calls visit(face, id) for the border of a tile to which `pull` leads a point that is inside, if
/// it is. Lengths in metres, relative to the map.
template <class Visit>
void find_floor_inside(const TileMap& map, Vec2 point, Vec2 pull, Visit visit) {
    if (pull == Vec2{} || !contains(map.bounds(), point)) return;
    const TileCoord tile = map.tile_at(point, map.extent);
    if (!is_inside(map, tile)) return;
    const bool is_level = abs(pull.x) > abs(pull.y);
    Face face;
    face.normal = is_level ? Vec2{-sign(pull.x), 0.0f} : Vec2{0.0f, -sign(pull.y)};
    face.before = face.normal;
    face.length = face.end = 1.0f;
    face.half_thickness = 0.5f;
    const Vec2 middle = corner_of(tile) + Vec2{0.5f, 0.5f} - face.normal * 0.5f;
    face.start = middle - perpendicular(face.normal) * 0.5f;
    face.feature = tile_feature(face.normal, face.start);
    visit(scale(face, map.tile_size), map.grid.at(tile));
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// tile_sides: which parts of a tile's sides are not covered by its neighbours?
//
// For rays, which hit tiles of all kinds from all sides: tiles of one group are one solid,
// including one-way tiles and sensors. Lengths are in metres, relative to the map.
#pragma once

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
template <class Predicate, class Visit>
void for_each_open_side(const TileMap& map, TileCoord tile, const TileKind& kind,
                        Predicate is_wanted, Visit visit) {
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

}  // namespace phys2d::inline PHYS2D_ABI::detail

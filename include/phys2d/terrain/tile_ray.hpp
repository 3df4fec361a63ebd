// SPDX-License-Identifier: MIT
// Which tiles of a map does a ray meet?
//
// Most of its way is air. So it is looked at in pieces: what rows hold tiles in the chunks around a piece says how much
// of it has to be walked from tile to tile.
#pragma once

#include <phys2d/terrain/tile_map.hpp>
#include <phys2d/terrain/tile_walk.hpp>
#include <phys2d/terrain/way_part.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// How long a piece of a ray is [tiles]. Longer: fewer looks at chunks; shorter: less that is walked.
inline constexpr float ray_piece = 32.0f;

/// The box of tiles [tiles].
[[nodiscard]] constexpr AABB box_of_tiles(const TileRect& rect) {
    return {{static_cast<float>(rect.min.x), static_cast<float>(rect.min.y)},
            {static_cast<float>(rect.max.x) + 1.0f, static_cast<float>(rect.max.y) + 1.0f}};
}
/// And of those around them.
[[nodiscard]] constexpr AABB box_around_tiles(const TileRect& rect) {
    return expand(box_of_tiles(rect), 1.0f);
}

/// Calls visit(tile, id) for the tiles with a kind that a ray meets in a map no further than a fraction `limit` of its
/// way, near ones first and some twice. A visit that lowers `limit` spares what is beyond; what begins as near as what
/// it has met is still visited. The ray is relative to the map [m].
template <class Visit>
void for_each_tile_on_ray(const TileMap& map, Vec2 from, Vec2 way, const float& limit,
                          Visit visit) {
    if (map.extent.is_empty()) return;
    const Vec2 start = from / map.tile_size;
    const Vec2 step = way / map.tile_size;
    const WayPart whole{0.0f, limit};
    const auto is_beyond = [&](TileCoord tile) {
        return limit < whole.end &&
               WayPart{0.0f, limit}.inside(box_of_tiles({tile, tile}), start, step).is_empty();
    };
    const auto look_at = [&](TileCoord tile) {
        if (is_beyond(tile)) return false;
        const std::uint16_t id = map.grid.at(tile);
        if (map.is_kind(id)) visit(tile, id);
        return true;
    };
    const auto walk = [&](const WayPart& piece) {
        const Vec2 a = from + way * piece.begin;
        const Vec2 b = from + way * piece.end;
        const TileRect around = map.tiles_in(expand(AABB{min(a, b), max(a, b)}, map.tile_size));
        const TileRect rows = map.grid.trim_rows(around);
        if (rows.is_empty()) return piece.end <= limit;
        const WayPart part = piece.inside(box_around_tiles(rows), start, step);
        return part.is_empty() || for_each_tile_on_segment(start + step * part.begin,
                                                           start + step * part.end, look_at);
    };
    const float longest = max(max(abs(step.x), abs(step.y)), 1e-30f);
    whole.inside(box_around_tiles(map.extent), start, step)
        .for_each_piece(ray_piece / longest, walk);
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

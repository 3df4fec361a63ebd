// SPDX-License-Identifier: MIT
// tile_ray: which tiles of a map may a ray hit?
//
// Most of its path is air, so the path is divided into pieces. The rows that hold tiles in the
// chunks around a piece limit the part of it that is walked, column by column, or row by row if it
// is steep. Tiles that the ray misses by no more than rounding are visited as well: the sides of
// the tiles decide what is hit, not the walk.
#pragma once

#include <phys2d/collision/touch_planes.hpp>
#include <phys2d/terrain/tile_map.hpp>
#include <phys2d/terrain/way_part.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Length of a piece of a ray [tiles]. Longer: fewer chunks are looked up. Shorter: less is walked.
inline constexpr float ray_piece = 32.0f;

/// The box around some tiles and their neighbours [tiles].
[[nodiscard]] constexpr AABB box_around_tiles(const TileRect& rect) {
    return expand({corner_of(rect.min), corner_of(rect.max) + Vec2{1.0f, 1.0f}}, 1.0f);
}

/// Swaps x and y if `exchanges`.
[[nodiscard]] constexpr Vec2 exchanged(Vec2 v, bool exchanges) {
    return exchanges ? Vec2{v.y, v.x} : v;
}
[[nodiscard]] constexpr TileCoord exchanged(TileCoord tile, bool exchanges) {
    return exchanges ? TileCoord{tile.y, tile.x} : tile;
}

/// A straight path through tiles [tiles], at most 45 degrees steep; else x and y are swapped.
class TileColumns {
public:
    /// `reach`: largest distance of tiles from the path; `within`: the tiles that count. Pre:
    /// `within` is not empty.
    TileColumns(Vec2 from, Vec2 to, float reach, const TileRect& within)
        : is_steep_(abs(to.x - from.x) < abs(to.y - from.y)),
          reach_(reach),
          from_(exchanged(from, is_steep_)),
          to_(exchanged(to, is_steep_)),
          within_{exchanged(within.min, is_steep_), exchanged(within.max, is_steep_)} {
        const Vec2 way = to_ - from_;
        slope_ = way.x == 0.0f ? 0.0f : way.y / way.x;
        ahead_ = way.x < 0.0f ? -1 : 1;
    }

    /// Calls visit(TileCoord) for the tiles near the path, near columns first, up to the current
    /// last_point(); returns whether it reached the end of the path.
    bool for_each_tile(auto last_point, auto visit) const {
        const auto ahead = static_cast<float>(ahead_);
        const float outwards = mul(ahead, reach_);
        const std::int32_t last = column_at(to_.x + outwards);
        float y = from_.y;
        for (std::int32_t column = column_at(from_.x - outwards);; column += ahead_) {
            const auto low = static_cast<float>(column);
            const float begin = ahead_ > 0 ? low : low + 1.0f;
            const float beyond = begin - outwards - exchanged(last_point(), is_steep_).x;
            if (mul(beyond, ahead) > 0.0f) return false;
            const float next = y_at(begin + ahead);
            visit_rows(column, y, next, visit);
            if (column == last) return true;
            y = next;
        }
    }

private:
    [[nodiscard]] std::int32_t column_at(float x) const {
        return floor_within(x, within_.min.x, within_.max.x);
    }
    [[nodiscard]] float y_at(float x) const {
        const float y = from_.y + mul(x - from_.x, slope_);
        return clamp(y, min(from_.y, to_.y), max(from_.y, to_.y));
    }

    void visit_rows(std::int32_t column, float from, float to, auto& visit) const {
        const float more = 2.0f * reach_;  // the path extends as far on both sides of the column
        const std::int32_t lowest =
            floor_within(min(from, to) - more, within_.min.y, within_.max.y);
        const std::int32_t highest =
            floor_within(max(from, to) + more, within_.min.y, within_.max.y);
        for (std::int32_t row = lowest; row <= highest; ++row) {
            visit(exchanged(TileCoord{column, row}, is_steep_));
        }
    }

    bool is_steep_;
    float reach_;
    Vec2 from_, to_;
    TileRect within_;
    float slope_ = 0.0f;
    std::int32_t ahead_ = 1;
};

/// A ray, and the distance up to which it hits things [m].
struct WideRay {
    Vec2 from;
    Vec2 way;
    float reach;
};

/// Calls visit(tile, id) for the defined tiles of a map that a ray meets, up to a fraction `limit`
/// of it, near ones first and some twice. `visit` may lower `limit` to skip tiles beyond. The ray
/// is relative to the map.
void for_each_tile_on_ray(const TileMap& map, const WideRay& ray, const float& limit, auto visit) {
    const Vec2 start = ray.from / map.tile_size;
    const Vec2 step = ray.way / map.tile_size;
    const auto last_point = [&] { return start + step * limit; };
    const auto look_at = [&](TileCoord tile) {
        const std::uint16_t id = map.grid.at(tile);
        if (map.is_kind(id)) visit(tile, id);
    };
    const auto walk = [&](const WayPart& piece) {
        const Vec2 a = start + step * piece.begin;
        const Vec2 b = start + step * piece.end;
        const TileRect rows = map.grid.trim_rows(map.tiles_around({min(a, b), max(a, b)}));
        if (rows.is_empty()) return piece.end <= limit;
        const WayPart part = piece.inside(box_around_tiles(rows), start, step);
        if (part.is_empty()) return true;
        const float rounding = 4.0f * place_rounding(abs(a) + abs(b));
        const float reach = min(ray.reach / map.tile_size + rounding, 1.0f);
        return TileColumns(start + step * part.begin, start + step * part.end, reach, rows)
            .for_each_tile(last_point, look_at);
    };
    WayPart{0.0f, limit}
        .inside(box_around_tiles(map.extent), start, step)
        .for_each_piece(step, ray_piece, walk);
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

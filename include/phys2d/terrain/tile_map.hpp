// SPDX-License-Identifier: MIT
// TileMap: a grid of tiles in the plane, their kinds and their size. Only the tiles are stored;
// their faces are made on demand.
#pragma once

#include <phys2d/core/function_ref.hpp>
#include <phys2d/terrain/known_tiles.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The range of tile coordinates, in either direction.
inline constexpr std::int32_t furthest_tile = 1 << 22;
inline constexpr TileRect all_tiles{{-furthest_tile, -furthest_tile},
                                    {furthest_tile - 1, furthest_tile - 1}};

/// The tile that contains a point [tiles], or the nearest one in `within`.
[[nodiscard]] constexpr TileCoord tile_at(Vec2 point, const TileRect& within) {
    return {floor_within(point.x, within.min.x, within.max.x),
            floor_within(point.y, within.min.y, within.max.y)};
}

using TileTest = FunctionRef<bool(TileCoord tile, std::uint16_t id)>;

struct TileMap {
    TileGrid grid{};
    Array<TileKind> kinds{};            ///< by id; kind 0 is air
    float tile_size = 1.0f;             ///< [m]
    TileRect extent{{0, 0}, {-1, -1}};  ///< contains all tiles ever set
    std::uint64_t kinds_hash = 0;       ///< of what faces depend on

    /// Relative error of a coordinate that is converted to tiles; a bound.
    static constexpr float rounding = 2.5e-7f;

    /// The tiles within `extent` that a box meets. Tiles are closed squares, so a box that begins
    /// on a border meets the tiles before it. Never misses one because of rounding, but may add
    /// some that the box does not quite reach.
    [[nodiscard]] TileRect tiles_in(const AABB& box) const {
        const Vec2 reach = reach_around(box) + Vec2{joint_overlap, joint_overlap} * tile_size;
        return tiles_between((box.min - reach) / tile_size, (box.max + reach) / tile_size);
    }
    /// The same for a box in tiles, with their neighbours.
    [[nodiscard]] TileRect tiles_around(const AABB& box) const {
        const Vec2 reach = reach_around(box) + Vec2{1.0f, 1.0f};
        return tiles_between(box.min - reach, box.max + reach);
    }

    /// The tile that contains a point, or the nearest one in `within`.
    [[nodiscard]] TileCoord tile_at(Vec2 point, const TileRect& within) const {
        return detail::tile_at(point / tile_size, within);
    }

    /// The box around some tiles; a point for the extent of an empty map.
    [[nodiscard]] AABB box_of(const TileRect& rect) const {
        const auto point = [&](std::int64_t x, std::int64_t y) {
            return Vec2{static_cast<float>(x), static_cast<float>(y)} * tile_size;
        };
        return {point(rect.min.x, rect.min.y),
                point(std::int64_t{rect.max.x} + 1, std::int64_t{rect.max.y} + 1)};
    }
    [[nodiscard]] AABB bounds() const { return box_of(extent); }

    /// Whether an id has been defined; tiles of other ids are air.
    [[nodiscard]] bool is_kind(std::uint16_t id) const {
        return id < kinds.size() && !kinds[id].is_air();
    }

    /// Whether test(id) holds for any defined id, asked from the lowest up to the first.
    [[nodiscard]] bool any_kind(auto test) const {
        for (std::size_t id = 1; id < kinds.size(); ++id) {
            if (!kinds[id].is_air() && test(id)) return true;
        }
        return false;
    }

    /// The kind of a tile; air for undefined ids.
    [[nodiscard]] const TileKind& kind_at(TileCoord tile) const {
        static constexpr TileKind air{};
        const std::uint16_t id = grid.at(tile);
        return is_kind(id) ? kinds[id] : air;
    }

    /// Calls visit(rect) for pieces of a rectangle that are small enough for a TileSurface, of a
    /// large rectangle only where there are tiles.
    void for_each_piece(const TileRect& rect, auto visit) const {
        constexpr double many = 64.0 * 64.0 * 64.0;
        const double tiles =
            mul(static_cast<double>(rect.width()), static_cast<double>(rect.height()));
        if (tiles <= many) return cut_up(rect, visit);
        grid.for_each_chunk(rect, [&](const TileRect& part) { cut_up(part, visit); });
    }

    /// Whether test(tile, id) holds for any of the defined tiles that a box meets; stops at the
    /// first one.
    [[nodiscard]] bool any_tile(const AABB& box, TileTest test) const {
        return grid.any_tile(tiles_in(box), [&](TileCoord tile, std::uint16_t id) {
            return is_kind(id) && test(tile, id);
        });
    }
    /// Calls visit(tile, id) for each of these tiles.
    void for_each_tile(const AABB& box, FunctionRef<void(TileCoord, std::uint16_t)> visit) const {
        (void)any_tile(box, visiting(visit));
    }

    /// Calls visit(face, id) for the faces of the tiles that a box meets. A face that leaves the
    /// box may be clipped there, and visited in several pieces. `known`: faces that are not made
    /// again; or null.
    void for_each_face(const AABB& box, Pinching pinching, auto visit,
                       KnownTiles* known = nullptr) const {
        for_each_piece(tiles_in(box), [&](const TileRect& piece) {
            if (known == nullptr) return make_faces(piece, pinching, visit);
            const KnownTiles::Source source{piece, pinching, tile_size, grid.hash(), kinds_hash};
            const auto make = [&](auto add) { make_faces(piece, pinching, add); };
            for (const auto& [face, id] : known->faces_of(source, make)) visit(face, id);
        });
    }

    void list_members(auto& archive) { archive(*this, grid, kinds, tile_size, extent, kinds_hash); }

private:
    /// Pre: `piece` is small enough for a TileSurface.
    void make_faces(const TileRect& piece, Pinching pinching, auto& visit) const {
        if (grid.is_empty(piece)) return;
        TileSurface surface(grid, kinds, piece, pinching);
        surface.for_each_face(
            [&](const Face& face, std::uint16_t id) { visit(scale(face, tile_size), id); });
    }

    void cut_up(const TileRect& rect, auto& visit) const {
        constexpr std::int32_t most = TileSurface::most;
        for (std::int32_t y = rect.min.y; y <= rect.max.y; y += most) {
            for (std::int32_t x = rect.min.x; x <= rect.max.x; x += most) {
                visit(overlap(rect, {{x, y}, {x + most - 1, y + most - 1}}));
            }
        }
    }

    /// What rounding may take from the corners of a box.
    [[nodiscard]] static Vec2 reach_around(const AABB& box) {
        return max(abs(box.min), abs(box.max)) * rounding;
    }
    /// The tiles within `extent` from one point to another [tiles].
    [[nodiscard]] TileRect tiles_between(Vec2 low, Vec2 high) const {
        const TileCoord beyond{extent.max.x + 1, extent.max.y + 1};
        const TileCoord before{extent.min.x - 1, extent.min.y - 1};
        return {detail::tile_at(low, {extent.min, beyond}),
                detail::tile_at(high, {before, extent.max})};
    }
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

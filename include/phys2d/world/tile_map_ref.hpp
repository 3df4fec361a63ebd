// SPDX-License-Identifier: MIT
// Tile maps of a world: how they are made, read and changed.
//
// A tile map is a body, and each kind of tile is one of its colliders, with material, filter, user
// data, one-way side or sensor flag like any other; events name the kind. A body has at most one
// contact per direction with a row of tiles of one kind. Kinds with equal filters hide the faces
// between their tiles, unless they are one-way or sensors.
#pragma once

#include <phys2d/core/short_list.hpp>
#include <phys2d/stages/sensor_list.hpp>
#include <phys2d/world/checks.hpp>
#include <phys2d/world/tile_edits.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// The id of a kind of tile; 0 is air.
using TileId = std::uint16_t;

/// The shape of a full tile.
[[nodiscard]] constexpr Polygon full_tile() { return Polygon(AABB{{0.0f, 0.0f}, {1.0f, 1.0f}}); }

/// Properties of all tiles with one id.
struct TileKindDef {
    /// Solid part of the tile: convex, at most 8 vertices, within (0, 0) to (1, 1), in tiles.
    Polygon shape = full_tile();
    Material material{};
    ColliderDef collider{};
    std::uint64_t user_data = 0;
};

/// What a tile map is made from.
struct TileMapDef {
    BodyType type = BodyType::Static;  ///< or Kinematic
    Vec2 position{};                   ///< lower left corner of tile (0, 0) [m, world]
    float tile_size = 1.0f;            ///< [m]; 1e-30 to 1e30
    int bytes_per_tile = 1;            ///< 1: ids up to 255; 2: up to 65,535
    std::uint64_t user_data = 0;
};

namespace detail {

/// The slot of a tile map; any other body is an error.
[[nodiscard]] inline std::int32_t slot_of_map(const WorldState& world, BodyId id,
                                              const char* call) {
    const std::int32_t slot = world.slot_of(id, call);
    require(world.bodies.is_tile_map(slot),
            "%s: body %u has no tiles, expected one from create_tile_map", call, id.index);
    return slot;
}

/// Calls visit(character, column, row) for each character of a drawing, from the upper left on; row
/// 0 is the top one. Returns the number of rows.
std::int32_t for_each_drawn(const char* text, auto visit) {
    std::int32_t row = 0, column = 0;
    for (; *text != '\0'; ++text) {
        if (*text == '\r') continue;  // of a Windows line break
        if (*text == '\n') {
            column = 0;
            ++row;
        } else {
            visit(*text, column++, row);
        }
    }
    return column > 0 ? row + 1 : row;
}

}  // namespace detail

/// Read access to a tile map.
class ConstTileMapRef {
public:
    ConstTileMapRef(const detail::WorldState& state, BodyId id) : state_(&state), id_(id) {}

    [[nodiscard]] BodyId id() const { return id_; }
    [[nodiscard]] float tile_size() const { return map("tile_size").tile_size; }
    /// All tiles, for reading many at once. Valid until the map or the World is destroyed or
    /// assigned to.
    [[nodiscard]] const TileGrid& grid() const { return map("grid").grid; }
    /// The id of a tile; 0 where there is none.
    [[nodiscard]] TileId at(TileCoord tile) const { return map("at").grid.at(tile); }

    /// The tile that contains a point [m, world]. On a border rounding decides: offset the point
    /// into the tile you mean. Points beyond the range of tiles give the nearest tile, NaN the
    /// lowest.
    [[nodiscard]] TileCoord tile_at(Vec2 point) const {
        const Vec2 origin = state_->bodies.positions[slot("tile_at")];
        return map("tile_at").tile_at(point - origin, detail::all_tiles);
    }
    /// The tile of a kind that is nearest to a point [m, world], as far as a tile away: which tile
    /// a ray has hit, or a mover with its head. Where several are equally near, a point slightly
    /// inside tells which one. If there is none, the tile at the point. Errors: the collider is not
    /// one of this map's kinds, the point is not finite.
    ///
    ///   TileCoord block = map.nearest_tile(hit.collider, hit.point - hit.normal * 0.01f);
    [[nodiscard]] TileCoord nearest_tile(ColliderId kind, Vec2 point) const {
        (void)slot("nearest_tile");
        const std::int32_t place = state_->slot_of(kind, "nearest_tile");
        const detail::Bodies& bodies = state_->bodies;
        detail::require(bodies.is_tile_kind(place) && bodies.owners[place] == id_,
                        "nearest_tile: collider %u of generation %u is no kind of the map's tiles, "
                        "expected one that `collider` gives",
                        kind.index, kind.generation);
        detail::require_finite(point, "nearest_tile", "point");
        return detail::nearest_tile(bodies, place, point - bodies.positions[place]);
    }
    /// Calls visit(TileCoord, TileId) for each tile of a defined kind that overlaps or touches a
    /// shape [m, world], in a deterministic order: which coins a hero gets, how deep he is in
    /// water. `visit` may change the world: tiles that it removes are not visited, nor any more of
    /// a map that it destroys. Allocates if it finds more than `World::few_found` tiles.
    ///
    ///   map.for_each_overlap(world.body(hero).bounds(), [&](TileCoord tile, TileId id) {
    ///       if (id == coin) map.set(tile, 0), ++coins;
    ///   });
    template <class Visit>
    void for_each_overlap(const Shape& shape, Visit visit) const {
        constexpr const char* call = "for_each_overlap";
        const detail::TileMap& tiles = map(call);
        detail::require_no_negative_size(shape, call);
        const Vec2 origin = state_->bodies.positions[slot(call)];
        detail::ShortList<TileCoord> found;
        tiles.for_each_tile(translate(phys2d::bounds(shape), -origin),
                            [&](TileCoord tile, TileId id) {
                                if (overlaps(detail::placed_tile(tiles, origin, tile, id), shape))
                                    found.push_back(tile);
                            });
        found.for_each([&](TileCoord tile) {
            if (!is_there()) return;
            const TileId id = at(tile);
            if (is_defined(id)) visit(tile, id);
        });
    }
    /// The box of a tile [m, world].
    [[nodiscard]] AABB bounds(TileCoord tile) const {
        return detail::box_of(state_->bodies, slot("bounds"), {tile, tile});
    }
    /// Whether `define` has been called for an id.
    [[nodiscard]] bool is_defined(TileId id) const { return map("is_defined").is_kind(id); }
    /// The collider of all tiles with an id; an error if the id is not defined.
    [[nodiscard]] ColliderId collider(TileId id) const {
        detail::require(map("collider").is_kind(id),
                        "collider: tile id %d has no kind, expected a defined one", int{id});
        return terrain("collider").collider_of[id];
    }

protected:
    /// The id may name another body once the world has been assigned to.
    [[nodiscard]] std::int32_t slot(const char* call) const {
        return detail::slot_of_map(*state_, id_, call);
    }
    [[nodiscard]] const detail::Terrain& terrain(const char* call) const {
        return state_->bodies.terrain(slot(call));
    }
    [[nodiscard]] const detail::TileMap& map(const char* call) const { return terrain(call).map; }

private:
    /// Whether the map still exists.
    [[nodiscard]] bool is_there() const {
        const std::int32_t slot = state_->bodies.slots.slot_of(id_);
        return slot != detail::SlotMap::no_slot && state_->bodies.is_tile_map(slot);
    }

    const detail::WorldState* state_;
    BodyId id_;
};

/// Read and write access to a tile map, whose tiles have coordinates from -4,194,304 to 4,194,303.
/// Queries see changes at once, bodies in the next step; bodies near changed tiles wake. Tiles push
/// out bodies that are where they are set; one that is too deep for that stays inside them, and a
/// mover is crushed. A tile beyond that range is an error, unless `set`, `fill` or `unload` make it
/// 0, and so is an id above grid().largest_id(). Empty rectangles change nothing.
class TileMapRef : public ConstTileMapRef {
public:
    TileMapRef(detail::WorldState& state, BodyId id) : ConstTileMapRef(state, id), state_(&state) {}

    /// Defines the tiles with an id, in 1 to grid().largest_id(), once per id, and returns their
    /// collider; change that to change them later. Tiles of undefined ids are air. Wakes bodies on
    /// the map. This and such changes cost O(kinds), and more where many kinds hold unlike bodies.
    ColliderId define(TileId id, const TileKindDef& kind = {});

    /// Sets the id of a tile, defined or not; 0 removes it. O(1), plus the cost for the bodies near
    /// the tile.
    void set(TileCoord tile, TileId id) {
        change(affected({tile, tile}, id, "set"), "set",
               [&](TileGrid& grid) { grid.set(tile, id); });
    }
    /// Sets all tiles of a rectangle to one id.
    void fill(const TileRect& rect, TileId id) {
        const TileRect part = affected(rect, id, "fill");
        change(part, "fill", [&](TileGrid& grid) { grid.fill(part, id); });
    }
    /// Sets the tiles of a rectangle, row by row from the bottom, each from left to right. Fewer
    /// ids than width x height are an error.
    void load(const TileRect& rect, Span<const TileId> ids) {
        change(rect, "load", [&](TileGrid& grid) { grid.load(rect, ids); });
    }
    void load(const TileRect& rect, Span<const std::uint8_t> ids) {
        change(rect, "load", [&](TileGrid& grid) { grid.load(rect, ids); });
    }
    /// Sets tiles from text, not null: each character is a tile id, as an unsigned char; spaces and
    /// dots are 0. The last line is row `lower_left.y`; a trailing newline is ignored. Tiles to the
    /// right of a short line are not changed. Undefined ids are air: markers for what is put there.
    /// Where y is down, hand in the lines from the last to the first.
    void load(const char* text, TileCoord lower_left = {});
    /// The same from a std::string.
    template <class String>
    auto load(const String& text, TileCoord lower_left = {}) -> decltype(text.c_str(), void()) {
        load(text.c_str(), lower_left);
    }
    /// Sets all tiles of a rectangle, of any size, to 0 and releases their memory for reuse.
    void unload(const TileRect& rect) {
        const TileRect part = affected(rect, 0, "unload");
        change(part, "unload", [&](TileGrid& grid) { grid.unload(part); });
    }

private:
    /// Where setting the tiles of a rectangle to an id may change some.
    [[nodiscard]] TileRect affected(const TileRect& rect, TileId id, const char* call) const {
        return id == 0 ? overlap(rect, map(call).extent) : rect;
    }

    template <class Change>
    void change(const TileRect& rect, const char* call, Change edit) {
        state_->require_unlocked(call);
        const std::int32_t slot = this->slot(call);
        if (rect.is_empty()) return;
        detail::TileMap& map = state_->bodies.terrain(slot).map;
        const bool fits = map.extent.contains(rect);
        if (!fits) require_near(rect, call);
        edit(map.grid);
        if (!fits) detail::grow_extent(*state_, slot, rect);
        detail::note_edit(*state_, slot, rect);
    }

    static void require_near(const TileRect& rect, const char* call) {
        detail::require(detail::all_tiles.contains(rect),
                        "%s: the tiles go from (%d, %d) to (%d, %d), expected -%d to %d", call,
                        rect.min.x, rect.min.y, rect.max.x, rect.max.y, detail::furthest_tile,
                        detail::furthest_tile - 1);
    }

    detail::WorldState* state_;
};

inline ColliderId TileMapRef::define(TileId id, const TileKindDef& kind) {
    constexpr const char* call = "define";
    state_->require_unlocked(call);
    const TileId largest = map(call).grid.largest_id();
    detail::require(id > 0 && id <= largest, "%s: the tile id is %d, expected 1 to %d", call,
                    int{id}, int{largest});
    detail::require(!is_defined(id), "%s: tile id %d has a kind already, expected a new one", call,
                    int{id});
    detail::require_valid_tile(kind.shape, call);
    detail::require_valid(kind.material, call);
    detail::require_valid(kind.collider, call);
    detail::Bodies& bodies = state_->bodies;
    detail::wake_leaning(*state_, slot(call));
    const std::int32_t place = bodies.terrain_of(slot(call));
    detail::Terrain& tiles = bodies.terrains[place];
    const float half = 0.5f * tiles.map.tile_size;
    const ColliderId collider =
        bodies.insert_limb(slot(call), {Box{{half, half}}, kind.material, kind.collider,
                                        kind.user_data, detail::Bodies::kind_in(place)});
    while (tiles.collider_of.size() <= id) tiles.collider_of.push_back({});
    while (tiles.map.kinds.size() <= id) tiles.map.kinds.push_back({});
    tiles.collider_of[id] = collider;
    tiles.map.kinds[id] = detail::tile_kind(kind.shape);
    if (kind.collider.is_sensor) detail::list_sensor(*state_, collider);
    detail::refresh_kinds(*state_, place);
    state_->forget_statics_if(bodies.types[slot(call)]);
    return collider;
}

inline void TileMapRef::load(const char* text, TileCoord lower_left) {
    state_->require_unlocked("load");
    (void)slot("load");
    std::int32_t columns = 0;
    const std::int32_t rows = detail::for_each_drawn(
        text, [&](char, std::int32_t x, std::int32_t) { columns = x < columns ? columns : x + 1; });
    if (columns == 0) return;
    require_near({lower_left, lower_left}, "load");  // so that the sums below do not overflow
    const TileCoord upper_right{lower_left.x + columns - 1, lower_left.y + rows - 1};
    change({lower_left, upper_right}, "load", [&](TileGrid& grid) {
        detail::for_each_drawn(text, [&](char c, std::int32_t x, std::int32_t y) {
            const bool is_air = c == ' ' || c == '.';
            grid.set({lower_left.x + x, upper_right.y - y},
                     is_air ? TileId{0} : TileId{static_cast<unsigned char>(c)});
        });
    });
}

}  // namespace phys2d::inline PHYS2D_ABI

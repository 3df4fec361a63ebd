// SPDX-License-Identifier: MIT
// Tile edits: what has to follow where tiles of a map, or kinds of them, change?
#pragma once

#include <phys2d/stages/waking.hpp>
#include <phys2d/world/state_hash.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// A hash of all that faces of tiles depend on in their kinds.
[[nodiscard]] inline std::uint64_t hash_of(const Array<TileKind>& kinds) {
    StateHash hash;
    for (const TileKind& kind : kinds) {
        hash.add(std::uint64_t{kind.shape.size()} << 32 | static_cast<std::uint32_t>(kind.group));
        hash.add(kind.hides ? 1 : 0);
        for (const Vec2 vertex : kind.shape.vertices()) hash.add(vertex);
        for (const std::uint8_t sides : kind.seen_beside) hash.add(sides);
    }
    return hash.value();
}

/// Updates a terrain's data about its kinds from their colliders.
inline void refresh_kinds(WorldState& world, std::int32_t terrain) {
    const Bodies& bodies = world.bodies;
    Terrain& tiles = world.bodies.terrains[terrain];
    const auto def_of = [&](std::size_t id) -> const ColliderDef& {
        return bodies.colliders[bodies.slot_of_kind(tiles, id)];
    };
    const auto group_of = [&](std::size_t id) {
        for (std::size_t i = 1; i < id; ++i) {
            const TileKind& kind = tiles.map.kinds[i];
            if (!kind.is_air() && hold_alike(def_of(i), def_of(id))) return kind.group;
        }
        return static_cast<std::int32_t>(id);
    };
    for (std::size_t id = 1; id < tiles.collider_of.size(); ++id) {
        TileKind& kind = tiles.map.kinds[id];
        if (kind.is_air()) continue;
        const ColliderDef& def = def_of(id);
        kind.set_faces(def.is_sensor, direction_of(def.one_way), group_of(id));
    }
    tiles.map.kinds_hash = hash_of(tiles.map.kinds);
    world.broad_phase.note_edit(box_of(bodies, bodies.slots.slot_of(tiles.collider_of[0])));
    world.broad_phase.forget_pairs();
}

/// The box of a rectangle of tiles of a map [m, world].
[[nodiscard]] inline AABB box_of(const Bodies& bodies, std::int32_t map, const TileRect& rect) {
    return translate(bodies.terrain(map).map.box_of(rect), bodies.positions[map]);
}

/// Extends the box by which the broad phase knows a map to a rectangle of tiles. If the broad phase
/// has to rebuild for it, the box grows by whole chunks and by at least half its size, so that a
/// growing map does so rarely.
inline void grow_extent(WorldState& world, std::int32_t slot, const TileRect& rect) {
    Bodies& bodies = world.bodies;
    TileMap& map = bodies.terrain(slot).map;
    TileRect& extent = map.extent;
    const BodyType type = bodies.types[slot];
    const bool is_free = world.broad_phase.has_forgotten(type);
    const std::int32_t chunk = is_free ? 1 : 64;
    const auto grow = [&](std::int32_t& low, std::int32_t& high, std::int32_t min,
                          std::int32_t max) {
        const bool is_new = high < low;
        const std::int32_t more = is_new || is_free ? 0 : (high - low + 1) / 2;
        if (is_new || min < low) low = (min & ~(chunk - 1)) - more;
        if (is_new || max > high) high = (max | (chunk - 1)) + more;
        if (low < -furthest_tile) low = -furthest_tile;
        if (high >= furthest_tile) high = furthest_tile - 1;
    };
    grow(extent.min.x, extent.max.x, rect.min.x, rect.max.x);
    grow(extent.min.y, extent.max.y, rect.min.y, rect.max.y);
    bodies.shapes[slot] = map.bounds();
    bodies.refresh_narrow(slot);
    world.broad_phase.note_change(bodies.ids[slot]);
    world.broad_phase.forget_pairs();
    world.forget_statics_if(type);
}

/// Wakes the bodies near changed tiles and has their faces found again.
inline void note_edit(WorldState& world, std::int32_t map, const TileRect& rect) {
    if (!world.bodies.is_enabled(map)) return;
    const TileRect around{{rect.min.x - 1, rect.min.y - 1}, {rect.max.x + 1, rect.max.y + 1}};
    const AABB box = box_of(world.bodies, map, around);
    wake_around(world, box);
    world.broad_phase.note_edit(box);
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

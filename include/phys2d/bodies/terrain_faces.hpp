// SPDX-License-Identifier: MIT
// Terrain faces: how do shapes meet the colliders of a world, terrain or not?
//
// A collider is a shape, an outline, or a kind of tile. What has to do with all three asks here.
#pragma once

#include <limits>

#include <phys2d/bodies/bodies.hpp>
#include <phys2d/collision/cast_polygon.hpp>
#include <phys2d/collision/touch_face.hpp>
#include <phys2d/terrain/tile_ray.hpp>
#include <phys2d/terrain/tile_sides.hpp>
#include <phys2d/terrain/way_part.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The box of a shape around a range of positions, within the range of a grid.
[[nodiscard]] inline AABB box_around(const AABB& range, const Shape& shape) {
    constexpr Vec2 furthest{1e18f, 1e18f};
    const Vec2 outer = outer_half_extents(shape);
    return {clamp(range.min + shape.center - outer, -furthest, furthest),
            clamp(range.max + shape.center + outer, -furthest, furthest)};
}

/// The origin of a terrain's faces [m, world].
[[nodiscard]] inline Vec2 terrain_origin(const Bodies& bodies, std::int32_t slot) {
    const bool is_map = bodies.terrain(slot).is_map();
    const Vec2 position = bodies.positions[slot];
    return is_map ? position : position + bodies.shapes[slot].center;
}

/// Is told of faces, and of the slots of the colliders to which they belong.
using FaceVisitor = FunctionRef<void(const Face& face, std::int32_t slot)>;

/// Calls visit(face, slot) for the faces of a terrain that a box meets. Box and faces are relative
/// to `terrain_origin`. `known`: see `TileMap::for_each_face`.
inline void for_each_face(const Bodies& bodies, std::int32_t terrain_slot, const AABB& box,
                          Pinching pinching, FaceVisitor visit, KnownTiles* known = nullptr) {
    const Terrain& terrain = bodies.terrain(terrain_slot);
    if (!terrain.is_map()) {
        terrain.grid.for_each_overlap(
            box, [&](std::int32_t i) { visit(terrain.outline[i], terrain_slot); });
        return;
    }
    const auto visit_tile_face = [&](const Face& face, std::uint16_t id) {
        visit(face, bodies.slot_of_kind(terrain, id));
    };
    terrain.map.for_each_face(box, pinching, visit_tile_face, known);
}

/// The same with box and faces in world coordinates.
inline void for_each_placed_face(const Bodies& bodies, std::int32_t slot, const AABB& box,
                                 FaceVisitor visit, KnownTiles* known = nullptr) {
    const Vec2 origin = terrain_origin(bodies, slot);
    const auto place = [&](const Face& face, std::int32_t owner) {
        visit(translate(face, origin), owner);
    };
    for_each_face(bodies, slot, translate(box, -origin), Pinching::No, place, known);
}
/// Whether test(face, slot) is true for any of them.
[[nodiscard]] bool any_placed_face(const Bodies& bodies, std::int32_t slot, const AABB& box,
                                   auto test) {
    bool any = false;
    for_each_placed_face(bodies, slot, box, [&](const Face& face, std::int32_t owner) {
        any = any || test(face, owner);
    });
    return any;
}

/// The polygon of a tile of a map [m, world]. Pre: the id is defined.
[[nodiscard]] inline Polygon placed_tile(const TileMap& map, Vec2 origin, TileCoord tile,
                                         std::uint16_t id) {
    return changed(map.kinds[id].shape, [&](Vec2 vertex) {
        return origin + (corner_of(tile) + vertex) * map.tile_size;
    });
}

/// Calls visit(polygon, slot) for each tile of a map that a box meets [m, world] and for whose kind
/// is_sought(slot) holds.
inline void for_each_tile(const Bodies& bodies, std::int32_t map_slot, const AABB& box,
                          FunctionRef<bool(std::int32_t slot)> is_sought,
                          FunctionRef<void(const Polygon& tile, std::int32_t slot)> visit) {
    const Terrain& terrain = bodies.terrain(map_slot);
    const Vec2 origin = bodies.positions[map_slot];
    terrain.map.for_each_tile(translate(box, -origin), [&](TileCoord tile, std::uint16_t id) {
        const std::int32_t slot = bodies.slot_of_kind(terrain, id);
        if (is_sought(slot)) visit(placed_tile(terrain.map, origin, tile, id), slot);
    });
}

/// The tile of a kind that is nearest to a place, of those whose boxes are at most a tile from it;
/// if there is none, the tile at the place. `place`: relative to the map [m].
[[nodiscard]] inline TileCoord nearest_tile(const Bodies& bodies, std::int32_t kind, Vec2 place) {
    const Terrain& terrain = bodies.terrain(kind);
    const TileMap& map = terrain.map;
    TileCoord nearest = map.tile_at(place, all_tiles);
    float least = std::numeric_limits<float>::infinity();
    const auto look_within = [&](float reach) {
        map.for_each_tile(
            aabb_around(place, {reach, reach}), [&](TileCoord tile, std::uint16_t id) {
                if (terrain.collider_of[id] != bodies.ids[kind]) return;
                const Polygon solid = placed_tile(map, {}, tile, id);
                const float distance = -collide(solid, Circle{0.0f, place}).penetration;
                if (distance < least) nearest = tile;
                least = min(least, distance);
            });
    };
    look_within(0.0f);
    if (least > 0.0f) look_within(map.tile_size);
    return nearest;
}

/// Whether test(solid) holds for any of the convex pieces of a terrain collider that a box meets:
/// polygons, placed ones of outlines, or a half-space, and segments for terrain without an inside.
/// Stops at the first one.
[[nodiscard]] bool any_solid(const Bodies& bodies, std::int32_t slot, const AABB& box, auto test) {
    const Terrain& terrain = bodies.terrain(slot);
    if (bodies.is_tile_kind(slot)) {
        const Vec2 origin = bodies.positions[slot];
        const ColliderId kind = bodies.ids[slot];
        return terrain.map.any_tile(translate(box, -origin), [&](TileCoord tile, std::uint16_t id) {
            return terrain.collider_of[id] == kind &&
                   test(placed_tile(terrain.map, origin, tile, id));
        });
    }
    const Vec2 origin = terrain_origin(bodies, slot);
    if (terrain.solid.size() > 0) return test(PlacedPolygon{terrain.solid, origin});
    if (terrain.is_half_space()) {
        const Face face = translate(terrain.outline[0], origin);
        return test(HalfSpace{face.normal, dot(face.normal, face.start)});
    }
    return any_placed_face(bodies, slot, box, [&](const Face& face, std::int32_t) {
        return face.length > 0.0f && test(Polygon(segment_of(face)));
    });
}

/// Calls visit(solid) for each of these pieces.
void for_each_solid(const Bodies& bodies, std::int32_t slot, const AABB& box, auto visit) {
    (void)any_solid(bodies, slot, box, visiting(visit));
}

/// The box around a collider [m, world]; for a kind of tile, around its map.
[[nodiscard]] inline AABB box_of(const Bodies& bodies, std::int32_t slot) {
    if (!bodies.is_tile_kind(slot)) return bounds(bodies.placed_shape(slot));
    return translate(bodies.terrain(slot).map.bounds(), bodies.positions[slot]);
}

/// The box around all colliders of a body [m, world].
[[nodiscard]] inline AABB box_of(const Bodies& bodies, BodyId body) {
    AABB box = box_of(bodies, bodies.slots.slot_of(body));
    bodies.for_each_of(body, [&](std::int32_t part) { box = merge(box, box_of(bodies, part)); });
    return box;
}

/// Whether a shape overlaps or touches a collider.
[[nodiscard]] inline bool overlaps(const Bodies& bodies, std::int32_t slot, const Shape& shape) {
    if (bodies.has_shape(slot)) return phys2d::overlaps(shape, bodies.placed_shape(slot));
    return any_solid(bodies, slot, bounds(shape),
                     [&](const auto& solid) { return overlaps(solid, shape); });
}

/// Calls visit(manifold, face) for each face of a terrain that a shape touches or is at most
/// `reach` away from, with the normal out of the terrain.
void for_each_touched_face(const Bodies& bodies, std::int32_t slot, const Shape& shape, float reach,
                           auto visit) {
    const AABB box = expand(bounds(shape), reach);
    for_each_placed_face(bodies, slot, box, [&](const Face& face, std::int32_t owner) {
        if (owner != slot) return;
        const Manifold touch = collide_with_face(face, shape, reach, 0.0f);
        if (touch.penetration >= -reach) visit(touch, face);
    });
}

/// Calls visit(manifold) for each contact of a shape with a collider, with the normal out of the
/// collider: once for a shape, at any distance, and for terrain once for each face at most `reach`
/// away.
void for_each_touch(const Bodies& bodies, std::int32_t slot, const Shape& shape, float reach,
                    auto visit) {
    if (bodies.has_shape(slot)) return visit(collide(bodies.placed_shape(slot), shape));
    for_each_touched_face(bodies, slot, shape, reach,
                          [&](const Manifold& touch, const Face&) { visit(touch); });
}

/// Calls visit_tile(box) for the tiles of a map that a ray may meet, widened by rounding, near ones
/// first, and if is_sought(slot) holds for their kind, visit_side(face, slot) for those of their
/// open sides that look against it, relative to the map. A visit that lowers `limit` skips what is
/// beyond.
void for_each_tile_on_ray(const Bodies& bodies, std::int32_t map_slot, const WideRay& ray,
                          const float& limit, auto is_sought, auto visit_tile, auto visit_side) {
    const Terrain& terrain = bodies.terrain(map_slot);
    const TileMap& map = terrain.map;
    const Vec2 origin = bodies.positions[map_slot];
    const auto is_met = [&](Vec2 normal) { return dot(ray.way, normal) < 0.0f; };
    const float rounding = 4.0f * place_rounding(abs(origin) + abs(ray.from));
    const WideRay in_map{ray.from - origin, ray.way, ray.reach + rounding};
    for_each_tile_on_ray(map, in_map, limit, [&](TileCoord tile, std::uint16_t id) {
        visit_tile(translate(map.box_of({tile, tile}), origin));
        const std::int32_t slot = bodies.slot_of_kind(terrain, id);
        if (!is_sought(slot)) return;
        for_each_open_side(map, tile, map.kinds[id], is_met,
                           [&](const Face& face) { visit_side(face, slot); });
    });
}

/// Calls visit(polygon, slot, way_out) for each tile of a map that contains a point; way_out(way)
/// finds its nearest open side for a point that moves by `way`.
void for_each_tile_around(const Bodies& bodies, std::int32_t map_slot, Vec2 point, auto visit) {
    const Terrain& terrain = bodies.terrain(map_slot);
    const TileMap& map = terrain.map;
    const Vec2 origin = bodies.positions[map_slot];
    const Vec2 place = point - origin;
    map.for_each_tile({place, place}, [&](TileCoord tile, std::uint16_t id) {
        const Polygon solid = placed_tile(map, origin, tile, id);
        if (!contains(solid, point)) return;
        visit(solid, bodies.slot_of_kind(terrain, id),
              [&](Vec2 way) { return way_out(map, tile, map.kinds[id], place, way); });
    });
}

/// Length of the parts in which a cast through a tile map is searched [tiles]; half the shape and a
/// tile more if that is longer.
inline constexpr float tiles_per_part = 2.0f;

/// Calls visit(box, part) for successive parts of a cast through a terrain, with a box around the
/// shape on each; until visit returns false.
inline void for_each_part_of_way(const Bodies& bodies, std::int32_t slot, const Shape& shape,
                                 Vec2 way,
                                 FunctionRef<bool(const AABB& box, const WayPart& part)> visit) {
    const Terrain& terrain = bodies.terrain(slot);
    const AABB start = bounds(shape);
    if (!terrain.is_map()) {
        visit(box_along(start, way), WayPart{});
        return;
    }
    const float tile_size = terrain.map.tile_size;
    const Vec2 reach = half_extents(start) + Vec2{tile_size, tile_size};
    const AABB box = box_of(bodies, slot);
    const float length = max(mul(tiles_per_part, tile_size), max(reach.x, reach.y));
    WayPart{}
        .inside({box.min - reach, box.max + reach}, shape.center, way)
        .for_each_piece(way, length, [&](const WayPart& part) {
            return visit(
                merge(translate(start, way * part.begin), translate(start, way * part.end)), part);
        });
}

/// Bodies meet faces that continue in the solid behind their neighbours; queries meet only their
/// visible parts.
enum class Seeker : bool { Body, Query };

/// Calls visit(hit, slot, face) for the faces of a terrain that a moving shape hits, with the
/// collider to which each belongs. A visit that lowers `limit` skips the faces beyond. In each part
/// of the way it hits only what it does not come from: corners that earlier parts have shown to be
/// hidden may be at the rim of a later one.
inline void for_each_terrain_hit(
    const Bodies& bodies, std::int32_t terrain, const Shape& shape, Vec2 way, float flush,
    Seeker seeker, const float& limit,
    FunctionRef<void(const CastHit& hit, std::int32_t slot, const Face& face)> visit) {
    const float reach = flush + place_rounding(terrain_origin(bodies, terrain));
    for_each_part_of_way(bodies, terrain, shape, way, [&](const AABB& box, const WayPart& part) {
        const AABB seen = expand(box, reach);
        for_each_placed_face(bodies, terrain, seen, [&](const Face& face, std::int32_t slot) {
            const Face met = seeker == Seeker::Query ? seen_part(face) : face;
            const CastHit hit = cast_at_face(met, shape, way, reach);
            if (hit && hit.fraction >= part.begin) visit(hit, slot, met);
        });
        return limit > part.end;
    });
}

/// What a shape that moves as a body does meets of a collider; often no hit.
struct Meeting {
    CastHit hit;
    std::int32_t other;  ///< slot: of terrain, that of what has the face
    const Face* face;    ///< of terrain; else null
};

/// Calls visit(meeting) for what a shape that moves relative to a collider may meet, up to `limit`.
void for_each_meeting(const Bodies& bodies, std::int32_t other, const Shape& shape, Vec2 way,
                      float flush, const float& limit, auto visit) {
    if (bodies.has_shape(other)) {
        return visit(Meeting{shape_cast(shape, way, bodies.placed_shape(other)), other, nullptr});
    }
    for_each_terrain_hit(bodies, other, shape, way, flush, Seeker::Body, limit,
                         [&](const CastHit& hit, std::int32_t owner, const Face& face) {
                             visit(Meeting{hit, owner, &face});
                         });
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// The inside of terrain: is a mover where no side of tiles or of a polygon pushes it out?
#pragma once

#include <phys2d/character/mover_state.hpp>
#include <phys2d/world/world.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The body with terrain that a point is inside of; default id if there is none. On a line it is
/// inside of nothing.
[[nodiscard]] inline BodyId solid_at(const World& world, Vec2 point, QueryFilter filter) {
    filter.sensors = false;  // terrain that is a sensor has no surface
    BodyId solid;
    const auto look_at = [&](BodyId body, ColliderId id) {
        const ConstColliderRef collider = world.collider(id);
        if (!collider.is_terrain() || collider.def().one_way != OneWay::No) return;
        const auto is_it = [body](BodyId other) { return other == body; };
        if (world.nearest(point, 0.0f, filter, is_it).distance < 0.0f) solid = body;
    };
    world.for_each_overlap(Circle{0.0f, point}, look_at, filter);
    return solid;
}

/// A point in a box, moved `little` beyond the border to which a direction leads [m].
[[nodiscard]] constexpr Vec2 beyond_border(const AABB& box, Vec2 point, Vec2 direction,
                                           float little) {
    switch (border_towards(direction)) {
        case TileBorder::Left: return {box.min.x - little, point.y};
        case TileBorder::Right: return {box.max.x + little, point.y};
        case TileBorder::Bottom: return {point.x, box.min.y - little};
        default: return {point.x, box.max.y + little};
    }
}

/// The body with terrain that a mover's centre is inside of; default id if there is none, and in a
/// tile that it falls out of: nothing joins that tile below.
[[nodiscard]] inline BodyId solid_around(const World& world, const Mover& mover) {
    const Vec2 center = placed_shape(mover).center;
    const BodyId solid = solid_at(world, center, mover.filter);
    if (solid == BodyId{} || !world.is_tile_map(solid)) return solid;
    const ConstTileMapRef map = world.tile_map(solid);
    const AABB tile = map.bounds(map.tile_at(center));
    const float little = mul(2.0f * joint_overlap, map.tile_size());
    const Vec2 below = beyond_border(tile, center, -mover.up, little);
    return solid_at(world, below, mover.filter) == BodyId{} ? BodyId{} : solid;
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

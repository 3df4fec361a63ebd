// SPDX-License-Identifier: MIT
// Vehicles: in which vehicle is a body?
//
// What is thrown about in a closed cage that moves is stopped relative to the cage. A kinematic
// body of tiles, of an outline or of several colliders is such a vehicle for what is inside of it
// and has nothing immovable nearer.
#pragma once

#include <initializer_list>
#include <limits>

#include <phys2d/stages/world_state.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The displacement of a body in this step.
[[nodiscard]] inline Vec2 way_of(const WorldState& world, std::int32_t slot) {
    if (!world.bodies.ranges.is_moving(slot)) return {};
    const simd::Record4& state = world.solver.state[slot];
    return {state.z, state.w};
}

/// The distance of a body from an immovable collider, or kinds of tiles, that it may touch [m];
/// `beyond` if it is further away.
[[nodiscard]] inline float distance_from(const WorldState& world, std::int32_t slot,
                                         std::int32_t other, float beyond) {
    const Bodies& bodies = world.bodies;
    const Shape shape = bodies.placed_shape(slot);
    if (bodies.has_shape(other)) {
        if (!world.may_touch(slot, other)) return beyond;
        return min(-collide(bodies.placed_shape(other), shape).penetration, beyond);
    }
    float distance = beyond;
    const AABB around = expand(bounds(shape), max(beyond, 0.0f));
    for_each_placed_face(bodies, other, around, [&](const Face& face, std::int32_t owner) {
        const float depth = collide_with_face(face, shape, distance, 0.0f).penetration;
        if (-depth < distance && world.may_touch(slot, owner)) distance = -depth;
    });
    return distance;
}

/// The box around the solid colliders of a body that has an inside: of tiles, an outline, or
/// several colliders. No valid box for others.
[[nodiscard]] inline AABB inside_of(const Bodies& bodies, std::int32_t slot) {
    const bool is_terrain = !bodies.has_shape(slot);
    if (is_terrain && bodies.terrain(slot).is_half_space()) return no_box;
    AABB box = no_box;
    int solids = 0;
    bodies.for_each_of(slot, [&](std::int32_t part) {
        if (!is_solid(bodies.colliders[part])) return;
        box = merge(box, box_of(bodies, part));
        ++solids;
    });
    return is_terrain || solids > 1 ? box : no_box;
}

/// Finds the kinematic bodies that move and have an inside.
inline void find_vehicles(WorldState& world) {
    const Bodies& bodies = world.bodies;
    const SlotRanges& ranges = bodies.ranges;
    OffCourse& off_course = world.off_course;
    off_course.vehicles.clear();
    off_course.vehicle_boxes.clear();
    for (std::int32_t slot = ranges.dynamic_count; slot < ranges.moving_count; ++slot) {
        if (bodies.is_limb(slot) || way_of(world, slot) == Vec2{}) continue;
        const AABB inside = inside_of(bodies, slot);
        if (!is_valid(inside)) continue;
        off_course.vehicles.push_back(slot);
        off_course.vehicle_boxes.push_back(inside);
    }
    if (off_course.vehicles.empty()) return;
    off_course.vehicle_grid.build(off_course.vehicle_boxes);
    off_course.vehicle_ways.assign(at(ranges.dynamic_count), VehicleWay{});
}

/// The distance of a body from a vehicle [m]; `beyond` if it is further away.
[[nodiscard]] inline float distance_from_vehicle(const WorldState& world, std::int32_t slot,
                                                 std::int32_t vehicle, float beyond) {
    const Bodies& bodies = world.bodies;
    float distance = beyond;
    bodies.for_each_of(vehicle, [&](std::int32_t part) {
        if (!bodies.is_tile_kind(part)) distance = distance_from(world, slot, part, distance);
    });
    return distance;
}

/// Whether test(slot) is true for any immovable collider in a box that moves otherwise than a
/// vehicle.
[[nodiscard]] bool any_obstacle(const WorldState& world, const AABB& box, Vec2 way, auto test) {
    const Bodies& bodies = world.bodies;
    bool any = false;
    world.broad_phase.for_each_body_in(bodies, box, [&](std::int32_t slot) {
        const bool gives_way = bodies.ranges.is_dynamic(slot) || bodies.is_asleep(slot);
        any = any || (!gives_way && way_of(world, slot) != way && test(slot));
    });
    return any;
}

/// Whether an obstacle is nearer to a body than `limit`.
[[nodiscard]] inline bool is_nearer_to_others(const WorldState& world, std::int32_t slot, Vec2 way,
                                              float limit) {
    const AABB around = expand(box_of(world.bodies, slot), max(limit, 0.0f));
    return any_obstacle(world, around, way, [&](std::int32_t other) {
        return distance_from(world, slot, other, limit) < limit;
    });
}

/// Whether a body that moves by `way` hits a collider, or kinds of tiles, that it may touch.
[[nodiscard]] inline bool runs_into(const WorldState& world, std::int32_t slot, std::int32_t other,
                                    Vec2 way) {
    const Bodies& bodies = world.bodies;
    const float flush = world.scaled(flush_slop);
    float limit = 1.0f;
    bool any = false;
    for_each_meeting(bodies, other, bodies.placed_shape(slot), way, flush, limit,
                     [&](const Meeting& meeting) {
                         any = any || (meeting.hit && world.may_touch(slot, meeting.other));
                         if (any) limit = 0.0f;
                     });
    return any;
}

[[nodiscard]] inline bool runs_into_vehicle(const WorldState& world, std::int32_t slot,
                                            std::int32_t vehicle, Vec2 way) {
    const Bodies& bodies = world.bodies;
    return bodies.any_of(bodies.owners[vehicle], [&](std::int32_t part) {
        return !bodies.is_tile_kind(part) && runs_into(world, slot, part, way);
    });
}

/// Whether a vehicle is ahead of a body, behind it and at both of its sides, as seen along the
/// vehicle's way: it cannot get past the body.
[[nodiscard]] inline bool is_around(const WorldState& world, std::int32_t slot,
                                    std::int32_t vehicle, const AABB& box, Vec2 way) {
    const Vec2 through = normalized(way) * length(box.max - box.min);
    for (const Vec2 out : {through, -through, perpendicular(through), -perpendicular(through)}) {
        if (!runs_into_vehicle(world, slot, vehicle, out)) return false;
    }
    return true;
}

/// Whether an obstacle keeps a body from going along with a vehicle.
[[nodiscard]] inline bool is_held_back(const WorldState& world, std::int32_t slot, Vec2 way) {
    const AABB path = box_along(box_of(world.bodies, slot), way);
    return any_obstacle(world, path, way, [&](std::int32_t other) {
        return runs_into(world, slot, other, way - way_of(world, other));
    });
}

/// Whether what moves by `way` sweeps past a body that moves by `own`: it moves far for the size of
/// the body, which is slower in the world than in there.
[[nodiscard]] inline bool sweeps_past(const Bodies& bodies, std::int32_t slot, Vec2 own, Vec2 way) {
    constexpr float most_half_extents = 4.0f;
    const float short_way = mul(most_half_extents, smaller_half_extent(bodies.shapes[slot]));
    return length(way) > short_way && length_sq(own - way) > length_sq(own);
}

/// Whether a body is in the vehicle that has a place in the list. One that this sweeps past is not,
/// unless it is all around the body, which nothing holds back. The same goes for a body that has
/// sunk a little into the walls: those of a chain have no thickness.
[[nodiscard]] inline bool is_in_vehicle(const WorldState& world, std::int32_t slot,
                                        std::int32_t place) {
    const Bodies& bodies = world.bodies;
    const AABB box = box_of(bodies, slot);
    const AABB& inside = world.off_course.vehicle_boxes[place];
    if (!contains(expand(inside, smaller_half_extent(bodies.shapes[slot])), box)) return false;
    const std::int32_t vehicle = world.off_course.vehicles[place];
    const Vec2 way = way_of(world, vehicle);
    const Vec2 own = bodies.velocities[slot] * world.config.time_step;
    if (contains(inside, box) && !sweeps_past(bodies, slot, own, way)) return true;
    return is_around(world, slot, vehicle, inside, way) && !is_held_back(world, slot, way);
}

/// The way of the nearest vehicle in which a body is, if nothing immovable is nearer. Often zero.
[[nodiscard]] inline Vec2 find_vehicle_way(const WorldState& world, std::int32_t slot) {
    const OffCourse& off_course = world.off_course;
    Vec2 found{};
    float nearest = std::numeric_limits<float>::infinity();
    off_course.vehicle_grid.for_each_overlap(box_of(world.bodies, slot), [&](std::int32_t place) {
        if (!is_in_vehicle(world, slot, place)) return;
        const std::int32_t vehicle = off_course.vehicles[place];
        const Vec2 way = way_of(world, vehicle);
        const float reach = min(2.0f * length(way), nearest);
        const float distance = distance_from_vehicle(world, slot, vehicle, reach);
        if (distance >= reach) return;
        nearest = distance;
        found = way;
    });
    const bool is_outside = found != Vec2{} && is_nearer_to_others(world, slot, found, nearest);
    return is_outside ? Vec2{} : found;
}

/// The same, found once in a step; none for a body that something immovable blocks.
[[nodiscard]] inline Vec2 vehicle_way_of(WorldState& world, std::int32_t slot) {
    OffCourse& off_course = world.off_course;
    const bool is_dynamic = world.bodies.ranges.is_dynamic(slot);
    if (!is_dynamic || off_course.vehicles.empty()) return {};
    if (off_course.pushes[slot] == Push::Blocked) return {};
    VehicleWay& known = off_course.vehicle_ways[slot];
    if (!known.is_found) known = {find_vehicle_way(world, slot), true};
    return known.way;
}

/// The displacement of a body in this step, as seen from where it is.
[[nodiscard]] inline Vec2 own_way_of(WorldState& world, std::int32_t slot) {
    return way_of(world, slot) - vehicle_way_of(world, slot);
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

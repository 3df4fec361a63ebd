// SPDX-License-Identifier: MIT
// Surroundings: in which vehicle is a body?
//
// What is thrown about in a closed cage that moves is stopped relative to the cage. A kinematic
// body of tiles, of an outline or of several colliders is such a vehicle for what is inside of it
// and has nothing immovable nearer.
#pragma once

#include <phys2d/world/world_state.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The displacement of a body in this step.
[[nodiscard]] inline Vec2 way_of(const WorldState& world, std::int32_t slot) {
    if (slot >= world.bodies.ranges.moving_count) return {};
    const simd::Record4& state = world.solver.state[slot];
    return {state.z, state.w};
}

/// The longest way of a kinematic body in this step, along either axis [m].
[[nodiscard]] inline float longest_kinematic_way(const WorldState& world) {
    const SlotRanges& ranges = world.bodies.ranges;
    float longest = 0.0f;
    for (std::int32_t slot = ranges.dynamic_count; slot < ranges.moving_count; ++slot) {
        const Vec2 way = abs(way_of(world, slot));
        longest = max(longest, max(way.x, way.y));
    }
    return longest;
}

/// The distance of a body from an immovable collider, or kinds of tiles, that it may touch [m];
/// `beyond` if it is further away.
[[nodiscard]] inline float distance_from(const WorldState& world, std::int32_t slot,
                                         std::int32_t other, float beyond) {
    const Bodies& bodies = world.bodies;
    const Shape shape = bodies.placed_shape(at(slot));
    if (bodies.has_shape(other)) {
        if (!world.may_touch(slot, other)) return beyond;
        return min(-collide(bodies.placed_shape(at(other)), shape).penetration, beyond);
    }
    float distance = beyond;
    const AABB around = expand(bounds(shape), beyond);
    for_each_placed_face(bodies, other, around, [&](const Face& face, std::int32_t owner) {
        const float depth = collide_with_face(face, shape, distance, 0.0f).penetration;
        if (-depth < distance && world.may_touch(slot, owner)) distance = -depth;
    });
    return distance;
}

/// Whether a kinematic body has an inside, and a box is in it: the body is tiles, an outline, or
/// several colliders.
[[nodiscard]] inline bool is_inside(const Bodies& bodies, std::int32_t kinematic, const AABB& box) {
    AABB whole = box_of(bodies, kinematic);
    const bool is_terrain = !bodies.has_shape(kinematic);
    bool has_inside = is_terrain && !bodies.terrain(kinematic).is_half_space;
    bodies.for_each_of(bodies.owners[kinematic], [&](std::int32_t part) {
        if (part == kinematic || !is_solid(bodies.colliders[part])) return;
        has_inside = true;
        whole = merge(whole, box_of(bodies, part));
    });
    return has_inside && contains(whole, box);
}

/// Calls visit(slot, distance) for the immovable colliders that are nearer to a body than `limit`,
/// which a visit may lower, and for whose way is_sought(way) holds.
template <class IsSought, class Visit>
void for_each_immovable_near(const WorldState& world, std::int32_t slot, Among among,
                             const float& limit, IsSought is_sought, Visit visit) {
    const Bodies& bodies = world.bodies;
    const auto look_at = [&](std::int32_t other) {
        const bool gives_way = other < bodies.ranges.dynamic_count || bodies.is_asleep(other);
        if (gives_way || !is_sought(way_of(world, other))) return;
        const float distance = distance_from(world, slot, other, limit);
        if (distance < limit) visit(other, distance);
    };
    const AABB around = expand(box_of(bodies, slot), limit);
    world.broad_phase.for_each_body_in(bodies, around, look_at, among);
}

/// The way of the vehicle in which a body is: of a kinematic body around it, if nothing immovable
/// is nearer or blocks it. Zero for most.
[[nodiscard]] inline Vec2 way_of_surroundings(const WorldState& world, std::int32_t slot) {
    float nearest = world.off_course.reach;
    if (nearest == 0.0f || world.off_course.pushes[slot] == Push::Blocked) return {};
    std::int32_t vehicle = SlotMap::no_slot;
    const auto moves = [](Vec2 way) { return way != Vec2{}; };
    for_each_immovable_near(world, slot, Among::Moving, nearest, moves,
                            [&](std::int32_t other, float distance) {
                                nearest = distance;
                                vehicle = other;
                            });
    if (vehicle == SlotMap::no_slot) return {};
    if (!is_inside(world.bodies, vehicle, box_of(world.bodies, slot))) return {};
    const Vec2 way = way_of(world, vehicle);
    bool is_outside = false;
    const auto moves_otherwise = [way](Vec2 other) { return other != way; };
    for_each_immovable_near(world, slot, Among::All, nearest, moves_otherwise,
                            [&](std::int32_t, float) { is_outside = true; });
    return is_outside ? Vec2{} : way;
}

/// The displacement of a body in this step, as seen from where it is.
[[nodiscard]] inline Vec2 own_way_of(const WorldState& world, std::int32_t slot) {
    return way_of(world, slot) - way_of_surroundings(world, slot);
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// What about a body that is thrown off its course in the middle of a step?
//
// Contacts are looked for along the way that a body would take undisturbed. One that bounces and flies on
// for further than its own size may come to something that was not on that way. Such bodies are few; each
// is cast along the straight line from where it was to where it would end, past all that is not in its way
// already, and stops at the first thing it would go into. It keeps its velocity for the next step.
#pragma once

#include <phys2d/world/world_state.hpp>

namespace phys2d::detail::inline PHYS2D_ABI {

/// A part of a body's smallest half extent; what moves and strays less cannot get past anything that it
/// has not met.
inline constexpr float safe_part = 0.5f;

/// How much smaller a body is taken, so that what it rests on does not stop it [m at length unit 1].
inline constexpr float stop_slop = 0.005f;

/// How far the solver has moved a body along either axis.
[[nodiscard]] inline float moved(const simd::Record4& state) {
    return max(abs(state.z), abs(state.w));
}

/// Whether that is far for its size, and elsewhere than it was going.
[[nodiscard]] inline bool is_off_course(const simd::Record4& state, const NarrowBody& body,
                                        float dt) {
    const float size = min(body.place.z, body.place.w) + body.motion.z;
    const float safe = mul(safe_part, size);
    const float off_x = abs(state.z - mul(body.motion.x, dt));
    const float off_y = abs(state.w - mul(body.motion.y, dt));
    return min(moved(state), max(off_x, off_y)) > safe;
}

/// Lists the dynamic bodies that are off their course, in the order of their slots.
template <class Team>
void find_off_course(WorldState& world, Team& team) {
    const std::int32_t count = world.bodies.ranges.dynamic_count;
    const float surely_safe = mul(safe_part, world.bodies.smallest_half_extent);
    world.is_off_course.make_room(count);
    world.off_course.reserve(at(count));
    world.near.reserve(256);
    team.for_each_part(count, bodies_per_part, [&](std::int32_t begin, std::int32_t end) {
        world.is_off_course.mark(begin, end, [&](std::size_t i) {
            const simd::Record4& state = world.solver.state[i];
            return moved(state) > surely_safe &&
                   is_off_course(state, world.bodies.narrow[i], world.config.time_step);
        });
    });
    world.is_off_course.list(count, world.off_course);
}

/// How far a body moves in this step.
[[nodiscard]] inline Vec2 way_of(const WorldState& world, std::int32_t slot) {
    if (slot >= world.bodies.ranges.moving_count) return {};
    const simd::Record4& state = world.solver.state[at(slot)];
    return {state.z, state.w};
}

/// The part of its way that a body can go before it meets something.
inline float free_part(WorldState& world, std::int32_t slot) {
    const Bodies& bodies = world.bodies;
    const Vec2 way = way_of(world, slot);
    Shape shape = translate(bodies.shapes[at(slot)], bodies.positions[at(slot)]);
    const AABB box = bounds(shape);
    world.broad_phase.find_near(bodies, merge(box, translate(box, way)), world.near);

    const float slop = mul(stop_slop, world.config.length_unit);
    shape.half_extents = max(shape.half_extents - Vec2{slop, slop}, Vec2{});
    shape.radius = max(shape.radius - slop, 0.0f);
    float part = 1.0f;
    for (const std::int32_t other : world.near) {
        if (other == slot || !bodies.may_touch(at(slot), at(other))) continue;
        const Shape target = translate(bodies.shapes[at(other)], bodies.positions[at(other)]);
        const CastHit hit = shape_cast(shape, way - way_of(world, other), target);
        if (hit) part = min(part, hit.fraction);
    }
    return part;
}

/// Stops what would go into something that it has not met. To be called once the solver is done.
template <class Team>
void stop_off_course(WorldState& world, Team& team) {
    find_off_course(world, team);
    for (const std::int32_t slot : world.off_course) {
        const float part = free_part(world, slot);
        simd::Record4& state = world.solver.state[at(slot)];
        state.z = mul(state.z, part);
        state.w = mul(state.w, part);
    }
}

}  // namespace phys2d::detail::inline PHYS2D_ABI

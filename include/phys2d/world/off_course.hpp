// SPDX-License-Identifier: MIT
// Bodies off course: which bodies leave their predicted paths in a step, and what is near their
// ways?
#pragma once

#include <phys2d/world/world_state.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// A body that moves, and deviates from its path, by less than this fraction of its smaller half
/// extent cannot get past anything that it has not met.
inline constexpr float safe_part = 0.5f;

/// Limits of the checks in a step: `fewest_looks` in any case, and up to `most_looks_each` more for
/// each dynamic body.
inline constexpr std::size_t fewest_looks = 64;
inline constexpr std::size_t most_looks_each = 2;

/// Copies of column pointers, so that the compiler need not reload them after each store.
struct Courses {
    const simd::Record4* state;  ///< at the end of the step
    const Vec2* velocities;      ///< before it
    const simd::Record4* motions;
    const simd::Record4* forms;
    float dt;
    float surely_safe;  ///< no body is off course that moves less [m]
};

[[nodiscard]] inline Courses courses_of(const WorldState& world) {
    const Bodies& bodies = world.bodies;
    return {world.solver.state.data(),    bodies.velocities.data(),
            bodies.narrow.motions.data(), bodies.narrow.forms.data(),
            world.config.time_step,       mul(safe_part, bodies.smallest_half_extent)};
}

/// Which of W bodies from i on end far off their predicted path for their size.
template <int Width>
PHYS2D_INLINE unsigned are_off_course(const Courses& courses, std::size_t i) {
    using Real = simd::Lanes<Width>;
    const Real time = Real::fill(courses.dt);
    const auto [v_x, v_y, x, y] = simd::load_records<Width>(&courses.state[i]);
    const auto before = simd::load_pairs<Width>(&courses.velocities[i].x);
    const Real moved = max(abs(x), abs(y));
    const Real meant = max(abs(before.x), abs(before.y)) * time;
    const auto may_be_off = Real::fill(courses.surely_safe) < max(moved, meant);
    if (bits(may_be_off) == 0) return 0;
    const auto [c_x, c_y, mean_x, mean_y] = simd::load_records<Width>(&courses.motions[i]);
    const auto [half_x, half_y, radius, inverse_mass] =
        simd::load_records<Width>(&courses.forms[i]);
    const Real safe = (min(half_x, half_y) + radius) * Real::fill(safe_part);
    return bits(may_be_off & (safe < max(abs(x - mean_x * time), abs(y - mean_y * time))));
}

/// Lists the dynamic bodies that are off course, in the order of their slots.
template <int Width, class Team>
void find_off_course(WorldState& world, Team& team) {
    const std::int32_t count = world.bodies.ranges.dynamic_count;
    const Courses courses = courses_of(world);
    OffCourse& off_course = world.off_course;
    off_course.marks.make_room(count);
    off_course.slots.reserve(fewest_looks + most_looks_each * at(count));
    team.for_each_part(count, bodies_per_part, [&](std::int32_t begin, std::int32_t end) {
        off_course.marks.mark<Width>(
            begin, end, [&]<int W>(std::size_t i) { return are_off_course<W>(courses, i); });
    });
    off_course.marks.list(count, off_course.slots);
}

/// The displacement of a body in this step.
[[nodiscard]] inline Vec2 way_of(const WorldState& world, std::int32_t slot) {
    if (slot >= world.bodies.ranges.moving_count) return {};
    const simd::Record4& state = world.solver.state[slot];
    return {state.z, state.w};
}

/// How far a body can move without getting past anything unnoticed.
[[nodiscard]] inline float safe_way(const Bodies& bodies, std::int32_t slot) {
    return mul(safe_part, smaller_half_extent(bodies.shapes[slot]));
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

/// The way of the vehicle in which a body is: of a kinematic body around it, if nothing immovable
/// is nearer or blocks it. Zero for most.
[[nodiscard]] inline Vec2 way_of_surroundings(const WorldState& world, std::int32_t slot) {
    const Bodies& bodies = world.bodies;
    const SlotRanges& ranges = bodies.ranges;
    const float reach = world.off_course.reach;
    if (reach == 0.0f || world.off_course.pushes[slot] == Push::Blocked) return {};
    const AABB box = box_of(bodies, slot);
    float nearest = reach;
    std::int32_t vehicle = SlotMap::no_slot;
    const auto seek = [&](Among among, auto is_sought, auto found) {
        world.broad_phase.for_each_body_in(
            bodies, expand(box, nearest),
            [&](std::int32_t other) {
                const bool is_immovable = other >= ranges.dynamic_count && !bodies.is_asleep(other);
                if (!is_immovable || !is_sought(way_of(world, other))) return;
                const float distance = distance_from(world, slot, other, nearest);
                if (distance < nearest) found(other, distance);
            },
            among);
    };
    seek(
        Among::Moving, [](Vec2 way) { return way != Vec2{}; },
        [&](std::int32_t other, float distance) { nearest = distance, vehicle = other; });
    if (vehicle == SlotMap::no_slot || !is_inside(bodies, vehicle, box)) return {};
    const Vec2 way = way_of(world, vehicle);
    bool is_outside = false;
    seek(
        Among::All, [way](Vec2 other) { return other != way; },
        [&](std::int32_t, float) { is_outside = true; });
    return is_outside ? Vec2{} : way;
}

/// The displacement of a body in this step, as seen from where it is.
[[nodiscard]] inline Vec2 own_way_of(const WorldState& world, std::int32_t slot) {
    return way_of(world, slot) - way_of_surroundings(world, slot);
}

[[nodiscard]] inline bool moves_far(const WorldState& world, std::int32_t slot) {
    const Vec2 moved = abs(own_way_of(world, slot));
    return max(moved.x, moved.y) > safe_way(world.bodies, slot);
}

/// The box around a body at the start of this step, and where `way` takes it.
[[nodiscard]] inline AABB box_along(const Bodies& bodies, std::int32_t slot, Vec2 way) {
    const AABB box = box_of(bodies, slot);
    return merge(box, translate(box, way));
}

/// Makes the grid of the bodies that are off course: the other grids do not know where they are.
inline void build_off_course_grid(WorldState& world) {
    OffCourse& off_course = world.off_course;
    off_course.boxes.clear();
    off_course.boxes.reserve_twice(off_course.slots.size());
    for (const std::int32_t slot : off_course.slots) {
        off_course.boxes.push_back(box_along(world.bodies, slot, way_of(world, slot)));
    }
    off_course.grid.build(off_course.boxes);
}

inline void clear_off_course_grid(OffCourse& off_course) {
    off_course.boxes.clear();
    off_course.grid.build(off_course.boxes);
}

/// Calls visit(other) for each body whose box comes near that of a body on their ways in this step,
/// and for terrain near its path.
inline void for_each_near_way(const WorldState& world, std::int32_t slot,
                              FunctionRef<void(std::int32_t other)> visit) {
    const Bodies& bodies = world.bodies;
    const Vec2 way = way_of(world, slot);
    const AABB path = box_along(bodies, slot, way);
    const OffCourse& off_course = world.off_course;
    const auto visit_if_near = [&](std::int32_t other) {
        const AABB past = box_along(bodies, slot, way - way_of(world, other));
        if (overlaps(expand(past, world.contact_margin()), box_of(bodies, other))) visit(other);
    };
    world.broad_phase.for_each_body_in(bodies, path, [&](std::int32_t other) {
        if (!bodies.has_shape(other)) return visit(other);
        const bool is_dynamic = other < bodies.ranges.dynamic_count;
        if (!is_dynamic || !off_course.marks.contains(other)) visit_if_near(other);
    });
    off_course.grid.for_each_overlap(
        path, [&](std::int32_t place) { visit_if_near(off_course.slots[place]); });
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

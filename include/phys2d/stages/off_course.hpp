// SPDX-License-Identifier: MIT
// Bodies off course: which bodies leave their predicted paths in a step, and what is near their
// ways?
#pragma once

#include <phys2d/stages/vehicles.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// A body that moves, and deviates from its path, by less than this fraction of its smaller half
/// extent cannot get past anything that it has not met.
inline constexpr float safe_part = 0.5f;

/// Limits of the checks in a step: `fewest_looks` in any case, and up to `most_looks_each` more for
/// each dynamic body.
inline constexpr std::size_t fewest_looks = 64;
inline constexpr std::size_t most_looks_each = 2;

/// Which of W bodies from i on end far off their predicted path for their size.
template <int Width>
PHYS2D_INLINE unsigned are_off_course(const WorldState& world, std::size_t i) {
    using Real = simd::Lanes<Width>;
    const Bodies& bodies = world.bodies;
    const float surely_safe = mul(safe_part, bodies.smallest_half_extent);  // for any size [m]
    const Real time = Real::fill(world.config.time_step);
    const auto [v_x, v_y, x, y] = simd::load_records<Width>(&world.solver.state[i]);
    const auto before = simd::load_pairs<Width>(&bodies.velocities[i].x);
    const Real moved = max(abs(x), abs(y));
    const Real meant = max(abs(before.x), abs(before.y)) * time;
    const auto may_be_off = Real::fill(surely_safe) < max(moved, meant);
    if (!any(may_be_off)) return 0;
    const auto [c_x, c_y, mean_x, mean_y] = simd::load_records<Width>(&bodies.narrow.motions[i]);
    const auto [half_x, half_y, radius, inverse_mass] =
        simd::load_records<Width>(&bodies.narrow.forms[i]);
    const Real safe = (min(half_x, half_y) + radius) * Real::fill(safe_part);
    return bits(may_be_off & (safe < max(abs(x - mean_x * time), abs(y - mean_y * time))));
}

/// Lists the dynamic bodies that are off course, in the order of their slots.
template <int Width, class Team>
void find_off_course(WorldState& world, Team& team) {
    const std::int32_t count = world.bodies.ranges.dynamic_count;
    OffCourse& off_course = world.off_course;
    off_course.marks.make_room(count);
    off_course.slots.reserve(fewest_looks + most_looks_each * at(count));
    team.for_each_part(count, bodies_per_part, [&](std::int32_t begin, std::int32_t end) {
        off_course.marks.mark<Width>(
            begin, end, [&]<int W>(std::size_t i) { return are_off_course<W>(world, i); });
    });
    for (const std::int32_t slot : off_course.stopped_early) off_course.marks.add(slot);
    off_course.marks.list(count, off_course.slots);
}

/// How far a body can move without getting past anything unnoticed.
[[nodiscard]] inline float safe_way(const Bodies& bodies, std::int32_t slot) {
    return mul(safe_part, smaller_half_extent(bodies.shapes[slot]));
}

[[nodiscard]] inline bool moves_far(WorldState& world, std::int32_t slot) {
    const Vec2 moved = abs(own_way_of(world, slot));
    return max(moved.x, moved.y) > safe_way(world.bodies, slot);
}

/// Makes the grid of some bodies on their ways. It has those that are off course, since the other
/// grids do not know where they are.
inline void place_on_ways(WorldState& world, Span<const std::int32_t> slots) {
    OffCourse& off_course = world.off_course;
    off_course.boxes.clear();
    off_course.boxes.reserve_twice(slots.size());
    for (const std::int32_t slot : slots) {
        off_course.boxes.push_back(box_along(box_of(world.bodies, slot), way_of(world, slot)));
    }
    off_course.grid.build(off_course.boxes);
}

/// The same with all moving bodies: what is near a way in this step is found sooner there than
/// among ranges, which reach several steps ahead.
inline void place_all(WorldState& world) {
    const Bodies& bodies = world.bodies;
    Scratch<std::int32_t>& all = world.off_course.all;
    all.reserve_twice(at(bodies.ranges.moving_count));
    for (std::int32_t slot = 0; slot < bodies.ranges.moving_count; ++slot) {
        if (!bodies.is_tile_kind(slot)) all.push_back(slot);
    }
    place_on_ways(world, all);
}

/// Empties the grids, so that copies of the world do not have them.
inline void clear_grids(OffCourse& off_course) {
    off_course.all.clear();
    off_course.boxes.clear();
    off_course.grid.build(off_course.boxes);
    if (!off_course.vehicles.empty()) off_course.vehicle_grid.build(off_course.boxes);
}

/// Calls visit(other) for each body that the filter of a body lets touch it, and whose box comes
/// near its own on their ways in this step; and for terrain near its path.
inline void for_each_near_way(const WorldState& world, std::int32_t slot,
                              FunctionRef<void(std::int32_t other)> visit) {
    const Bodies& bodies = world.bodies;
    const Vec2 way = way_of(world, slot);
    const AABB box = box_of(bodies, slot);
    const AABB path = box_along(box, way);
    const float margin = world.contact_margin();
    const OffCourse& off_course = world.off_course;
    const auto visit_if_near = [&](std::int32_t other) {
        if (!bodies.has_shape(other)) return visit(other);
        if (!bodies.may_touch(slot, other)) return;
        const AABB past = box_along(box, way - way_of(world, other));
        if (overlaps(expand(past, margin), box_of(bodies, other))) visit(other);
    };
    const bool has_all = !off_course.all.empty();
    const auto visit_unplaced = [&](std::int32_t other) {
        const bool is_placed = bodies.ranges.is_dynamic(other) && off_course.marks.contains(other);
        if (!is_placed) visit_if_near(other);
    };
    world.broad_phase.for_each_body_in(bodies, path, visit_unplaced,
                                       has_all ? Among::Resting : Among::All);
    const Span<const std::int32_t> placed = has_all ? off_course.all : off_course.slots;
    off_course.grid.for_each_overlap(path,
                                     [&](std::int32_t place) { visit_if_near(placed[at(place)]); });
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

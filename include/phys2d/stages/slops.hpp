// SPDX-License-Identifier: MIT
// Slops: by how much may bodies overlap what does not stop them?
#pragma once

#include <phys2d/stages/world_state.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// One-way sides at most this far apart are in one plane [m at length unit 1].
inline constexpr float level_slop = 0.001f;

/// A tolerance [m at length unit 1] for a shape: at most `slop_share` of its half extent [m].
[[nodiscard]] inline float slop_of(const WorldState& world, const Shape& shape, float most) {
    return min(world.scaled(most), mul(slop_share, smaller_half_extent(shape)));
}

/// How much smaller a body is when it is stopped off course, so that the ground it rests on does
/// not stop it; see `slop_of`.
inline constexpr float stop_slop = 0.005f;

/// A shape as it is stopped: its core and its radius are both smaller by that.
[[nodiscard]] inline Shape stop_shape(const WorldState& world, Shape shape) {
    const float slop = slop_of(world, shape, stop_slop);
    shape.half_extents = max(shape.half_extents - Vec2{slop, slop}, Vec2{});
    shape.radius = max(shape.radius - slop, 0.0f);
    return shape;
}

/// By how much a shape may overlap the corners that it passes [m].
[[nodiscard]] inline float corner_slop_of(const WorldState& world, const Shape& shape) {
    return slop_of(world, shape, corner_slop);
}

/// A shape that passes the ends of a one-way side like the corners of boxes: narrower by
/// `corner_slop`, with its front where it is.
[[nodiscard]] inline Shape narrowed(const WorldState& world, Shape shape, Vec2 out) {
    const float slop = corner_slop_of(world, shape);
    if (shape.radius >= slop) {
        shape.radius -= slop;
        shape.center -= out * slop;
    } else {
        shape.half_extents = max(shape.half_extents - abs(perpendicular(out)) * slop, Vec2{});
    }
    return shape;
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

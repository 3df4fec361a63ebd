// SPDX-License-Identifier: MIT
// What about a body that is thrown off its course in the middle of a step?
//
// Contacts are looked for along the way that a body would take undisturbed. One that bounces and flies on
// for further than its own size may come to something that was not on that way. Such bodies are few; each
// is cast along the straight line from where it was to where it would end, past all that is not in its way
// already, and stops at the first thing it would go into. It keeps its velocity for the next step.
#pragma once

#include <phys2d/world/special_pairs.hpp>

namespace phys2d::detail::inline PHYS2D_ABI {

/// A part of a body's smallest half extent; what moves and strays less cannot get past anything that it
/// has not met.
inline constexpr float safe_part = 0.5f;

/// How much smaller a body is taken, so that what it rests on does not stop it [m at length unit 1]; at most
/// `slop_share` of its half extent.
inline constexpr float stop_slop = 0.005f;

/// Which of W bodies the solver has moved far for their size, and elsewhere than they were going.
template <int Width>
PHYS2D_INLINE unsigned are_off_course(const simd::Record4* state, const NarrowBody* body, float dt,
                                      float surely_safe) {
    using Real = simd::Lanes<Width>;
    const auto [v_x, v_y, x, y] = simd::load_records<Width>(state);
    const Real moved = max(abs(x), abs(y));
    if (bits(Real::fill(surely_safe) < moved) == 0) return 0;
    const auto place = simd::load_records<Width, halves_of_body>(&body->place);
    const auto motion = simd::load_records<Width, halves_of_body>(&body->motion);
    const Real safe = (min(place.z, place.w) + motion.z) * Real::fill(safe_part);
    const Real off_x = abs(x - motion.x * Real::fill(dt));
    const Real off_y = abs(y - motion.y * Real::fill(dt));
    return bits(safe < min(moved, max(off_x, off_y)));
}

/// Lists the dynamic bodies that are off their course, in the order of their slots.
template <int Width, class Team>
void find_off_course(WorldState& world, Team& team) {
    const std::int32_t count = world.bodies.ranges.dynamic_count;
    const float surely_safe = mul(safe_part, world.bodies.smallest_half_extent);
    world.is_off_course.make_room(count);
    world.off_course.reserve(at(count));
    team.for_each_part(count, bodies_per_part, [&](std::int32_t begin, std::int32_t end) {
        world.is_off_course.mark<Width>(begin, end, [&]<int W>(std::size_t i) {
            return are_off_course<W>(&world.solver.state[i], &world.bodies.narrow[i],
                                     world.config.time_step, surely_safe);
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

/// What a body meets on its way.
struct Meeting {
    CastHit hit;
    std::int32_t other;
    const Face* face;  ///< with terrain, else null
};

/// Whether a contact is with what a body meets: a face of terrain or of a welded box that looks the same way, and of
/// terrain, on the same line. `out`: the normal of the contact towards the body.
[[nodiscard]] inline bool is_contact_with(const WorldState& world, const Meeting& meeting,
                                          LanePlace place, Vec2 out) {
    constexpr float same_way = 0.99f;
    const FaceBlock* faces = world.contacts.face_block(place.block);
    if (faces == nullptr) return true;
    if (dot(out, meeting.hit.normal) <= same_way) return false;
    if (meeting.face == nullptr) return true;
    const std::size_t terrain = world.contacts.pairs[at(place.block)].b[place.lane];
    const Vec2 start = faces->face(place.lane).start + middle_of(world.bodies.narrow[terrain]);
    const float between = dot(start - meeting.face->start, meeting.hit.normal);
    return abs(between) <= mul(stop_slop, world.config.length_unit);
}

/// Whether a contact of this step has kept a body from what it meets, but for a depth. What comes in fast between two
/// things may get through to either: then it has not.
[[nodiscard]] inline bool is_met(const WorldState& world, std::int32_t slot, const Meeting& meeting,
                                 float depth) {
    const Contacts& contacts = world.contacts;
    const std::int32_t a = slot < meeting.other ? slot : meeting.other;
    const std::int32_t b = slot < meeting.other ? meeting.other : slot;
    const Vec2 passing = way_of(world, b) - way_of(world, a);
    bool any = false;
    world.broad_phase.for_each_lane_of(a, b, [&](LanePlace place) {
        const ContactBlock& block = contacts.blocks[at(place.block)];
        const Vec2 normal{block.normal_x[place.lane], block.normal_y[place.lane]};
        const float end = block.separation[place.lane] + dot(passing, normal);
        any = any || (has_lane(contacts.lanes, place) && end >= -depth &&
                      is_contact_with(world, meeting, place, slot == a ? -normal : normal));
    });
    return any;
}

/// Calls visit(meeting) for what a shape meets on its way relative to a collider, no further than `limit`.
template <class Visit>
void for_each_meeting(const WorldState& world, std::int32_t other, const Shape& shape, Vec2 way,
                      float slop, const float& limit, Visit visit) {
    const Bodies& bodies = world.bodies;
    if (bodies.is_plain(other)) {
        const CastHit hit = shape_cast(shape, way, bodies.placed_shape(at(other)));
        if (hit) visit(Meeting{hit, other, nullptr});
        return;
    }
    for_each_terrain_hit(bodies, other, shape, way, slop, limit,
                         [&](const CastHit& hit, std::int32_t owner, const Face& face) {
                             visit(Meeting{hit, owner, &face});
                         });
}

/// The part of its way that a body can go before it meets something that it had no contact with: contacts
/// have stopped it already, as far as they do.
[[nodiscard]] inline float free_part(const WorldState& world, std::int32_t slot,
                                     const ContactReach& reach) {
    const Bodies& bodies = world.bodies;
    const Vec2 way = way_of(world, slot);
    Shape shape = bodies.placed_shape(at(slot));
    const AABB box = bounds(shape);
    const Vec2 outer = outer_half_extents(shape);
    const float thickness = min(outer.x, outer.y);
    const float slop = min(mul(stop_slop, world.config.length_unit), mul(slop_share, thickness));
    const float depth = min(reach.deep, mul(safe_part, thickness));
    shape.half_extents = max(shape.half_extents - Vec2{slop, slop}, Vec2{});
    shape.radius = max(shape.radius - slop, 0.0f);

    float part = 1.0f;
    const AABB path = merge(box, translate(box, way));
    world.broad_phase.for_each_body_in(bodies, path, [&](std::int32_t other) {
        const auto look_at = [&](const Meeting& meeting) {
            const auto& [hit, collider, face] = meeting;
            const bool stops = hit.fraction < part && world.may_touch(slot, collider) &&
                               !is_met(world, slot, meeting, depth) &&
                               holds(world, at(collider), at(slot), hit, hit.normal) &&
                               holds(world, at(slot), at(collider), hit, -hit.normal);
            if (stops) part = hit.fraction;
        };
        const Vec2 relative = way - way_of(world, other);
        for_each_meeting(world, other, shape, relative, reach.flush_slop, part, look_at);
    });
    return part;
}

/// Stops what would go into something that it has not met. To be called once the solver is done.
template <int Width, class Team>
void stop_off_course(WorldState& world, const ContactReach& reach, Team& team) {
    find_off_course<Width>(world, team);
    for (const std::int32_t slot : world.off_course) {
        const float part = free_part(world, slot, reach);
        world.bodies.for_each_of(world.bodies.owners[at(slot)], [&](std::int32_t other) {
            simd::Record4& state = world.solver.state[at(other)];
            state.z = mul(state.z, part);
            state.w = mul(state.w, part);
        });
    }
}

}  // namespace phys2d::detail::inline PHYS2D_ABI

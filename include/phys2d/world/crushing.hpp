// SPDX-License-Identifier: MIT
// Crushing: which bodies has a kinematic body left without room?
//
// A body is crushed if it is deep in a kinematic body and, on its opposite side, in another body
// that does not give way. The game decides what happens to it; the engine holds it as well as it
// can.
//
// A body that has hardly any room is squeezed. Its contacts could push harder against each other in
// each step, and what has been pushed harder for a second is shot off when one of them ends. So
// their impulses are not kept from step to step.
#pragma once

#include <utility>

#include <phys2d/core/partition_point.hpp>
#include <phys2d/core/shell_sort.hpp>
#include <phys2d/world/encounters.hpp>
#include <phys2d/world/world_state.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Sum of penetrations from which on a body is crushed [m at length unit 1].
inline constexpr float crush_depth = 0.04f;
/// The same for squeezed bodies: more than what rests is deep.
inline constexpr float squeeze_depth = 0.002f;

/// Whether two colliders hold each other, the first one dynamic. A user's pair filter is not called
/// again, since it might throw and the step is done: with one, they do if they were a pair at the
/// start of the step.
[[nodiscard]] inline bool are_solid(const WorldState& world, std::int32_t a, std::int32_t b) {
    if (world.config.pair_filter == nullptr) return world.may_touch(a, b);
    bool any = false;
    world.broad_phase.for_each_lane_of(a, b, [&](LanePlace) { any = true; });
    return any;
}

/// How deep a collider is in an immovable one against which it is pressed; 0 if it is not.
[[nodiscard]] inline float depth_against(const WorldState& world, std::int32_t collider,
                                         std::int32_t other, Vec2 pressed) {
    const Bodies& bodies = world.bodies;
    const bool gives_way = bodies.dynamics[other].inverse_mass > 0.0f;
    if (gives_way || !are_solid(world, collider, other)) return 0.0f;
    const Vec2 out = direction_of(bodies.colliders[other].one_way);
    float depth = 0.0f;
    for_each_touch(bodies, other, bodies.placed_shape(collider), 0.0f, [&](const Manifold& touch) {
        const bool is_opposed = dot(pressed, touch.normal) < -0.5f;
        if (is_opposed && blocks(out, touch.normal)) depth = max(depth, touch.penetration);
    });
    return depth;
}

/// Penetration of a kinematic body into another body, and the direction in which it presses.
struct Press {
    float depth;
    Vec2 normal;
    float way;  ///< of the kinematic body in this step, along the normal
};

/// The press of a contact at the end of the step, along the contact's normal: during the step the
/// contact may begin and pass the middle of the body.
[[nodiscard]] inline Press press_of(const WorldState& world, LanePlace place) {
    const Contacts& contacts = world.contacts;
    const Vec2 normal = contacts.normal_at(place);
    const Vec2 way_a = world.bodies.last_way(contacts.first_slot(place));
    const Vec2 way_b = world.bodies.last_way(contacts.second_slot(place));
    return {-(contacts.separation(place) + dot(way_b - way_a, normal)), -normal,
            -dot(way_b, normal)};
}

/// Whether a press may crush. One that moves towards the body may press it into the other and
/// hardly be in it itself; so may one that stands still if it crushed a body before. What else
/// rests on kinematic bodies need not be looked at.
[[nodiscard]] inline bool may_crush(const WorldState& world, const Press& press) {
    const bool may_just_touch = press.way > 0.0f || world.crushed_before.size() > 0;
    const float least = mul(may_just_touch ? -0.05f : 0.25f, crush_depth);
    return press.depth >= mul(least, world.config.length_unit);
}

/// Whether a neighbour on the other side of a body moves faster towards it than a press.
[[nodiscard]] inline bool presses_faster(const Bodies& bodies, std::int32_t other,
                                         const Press& press) {
    const bool may_move = bodies.ranges.is_moving(other);
    return may_move && press.way < -dot(bodies.last_way(other), press.normal);
}

/// The hardest press of a body against another immovable neighbour; depth 0 if nothing squeezes it.
/// Of two that may move the faster one is named as what presses.
[[nodiscard]] inline CrushEvent find_crush(WorldState& world, LanePlace place, const Press& press) {
    const Bodies& bodies = world.bodies;
    const BodyId body = bodies.owners[world.contacts.first_slot(place)];
    const BodyId by = bodies.owners[world.contacts.second_slot(place)];
    float deepest = mul(squeeze_depth, world.config.length_unit);
    CrushEvent crush;
    bodies.for_each_of(body, [&](std::int32_t collider) {
        world.broad_phase.find_near(bodies, bounds(bodies.placed_shape(collider)), world.nearby);
        for (const std::int32_t other : world.nearby) {
            if (bodies.owners[other] == by) continue;
            const float opposed = depth_against(world, collider, other, press.normal);
            const float depth = press.depth + opposed;
            if (opposed == 0.0f || depth <= deepest) continue;
            deepest = depth;
            crush = {body, by, bodies.owners[other], depth,
                     bodies.user_data[bodies.slots.slot_of(body)]};
            if (presses_faster(bodies, other, press)) std::swap(crush.by, crush.against);
        }
    });
    return crush;
}

/// The lanes of a block that are contacts with kinematic bodies.
[[nodiscard]] inline unsigned kinematic_lanes(const PairBlock& pairs, const SlotRanges& ranges) {
    const auto first = static_cast<std::uint32_t>(ranges.dynamic_count);
    const auto count = static_cast<std::uint32_t>(ranges.moving_count - ranges.dynamic_count);
    unsigned lanes = 0;
    for (int lane = block_size; lane-- > 0;) {
        lanes = lanes << 1 | (pairs.b[lane] - first < count ? 1u : 0u);
    }
    return lanes;
}

/// Lists the crushed and the squeezed bodies.
inline void find_crushed(WorldState& world) {
    const Contacts& contacts = world.contacts;
    const SlotRanges ranges = world.bodies.ranges;
    const float least = mul(crush_depth, world.config.length_unit);
    world.crushed.clear();
    world.squeezed.clear();
    if (ranges.moving_count == ranges.dynamic_count) return;
    for (const ColourRange& colour : contacts.active_colours) {
        if (colour.order == SolvingOrder::Dynamic) continue;
        for (std::int32_t i = colour.begin; i < colour.end; ++i) {
            const std::int32_t block = contacts.active[i];
            const unsigned lanes =
                kinematic_lanes(contacts.pairs[block], ranges) & contacts.lanes[block];
            for_each_bit(lanes, [&](int lane) {
                const LanePlace place{block, lane};
                const Press press = press_of(world, place);
                if (!may_crush(world, press)) return;
                const CrushEvent crush = find_crush(world, place, press);
                if (crush.depth > 0.0f) world.squeezed.push_back(crush.body);
                if (crush.depth > least) world.crushed.push_back(crush);
            });
        }
    }
}

/// Whether a body was crushed in the previous step.
[[nodiscard]] inline bool was_crushed(const WorldState& world, BodyId body) {
    const Array<CrushEvent>& before = world.crushed_before;
    const std::size_t place = partition_point(std::size_t{0}, before.size(), [&](std::size_t i) {
        return before[i].body.index < body.index;
    });
    return place < before.size() && before[place].body == body;
}

/// Reports the bodies that began to be crushed in this step.
inline void tell_crushed(WorldState& world) {
    world.crushed_before.swap(world.crushed);
    find_crushed(world);
    for (const CrushEvent& crush : world.crushed_before) {
        const bool sleeps = world.bodies.is_asleep(world.bodies.slots.slot_of(crush.body));
        if (sleeps) world.crushed.push_back(crush);
    }
    shell_sort(world.crushed, [](const CrushEvent& a, const CrushEvent& b) {
        return a.body.index < b.body.index ||
               (a.body.index == b.body.index && a.by.index < b.by.index);
    });
    BodyId last;
    for (const CrushEvent& crush : world.crushed) {
        const bool is_new = crush.body != last && !was_crushed(world, crush.body);
        if (is_new) world.events.crushed.push_back(crush);
        last = crush.body;
    }
}

/// Lets the contacts of bodies that were squeezed in the step before begin without impulses. To be
/// called once the contacts of a step are found.
inline void release_squeezed(WorldState& world) {
    const Bodies& bodies = world.bodies;
    Contacts& contacts = world.contacts;
    for (const BodyId body : world.squeezed) {
        if (!bodies.slots.contains(body)) continue;
        bodies.for_each_of(body, [&](std::int32_t collider) {
            (void)world.broad_phase.any_lane_of(collider, [&](LanePlace place) {
                if (is_on_fixed(world, place)) contacts.clear_impulses(place);
                return false;
            });
        });
    }
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

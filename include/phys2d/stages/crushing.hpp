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
#include <phys2d/stages/encounters.hpp>
#include <phys2d/stages/world_state.hpp>

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
    return world.broad_phase.any_lane_of(a, b, [](LanePlace) { return true; });
}

/// Whether a collider lets another one through that is not in front of its one-way side. The two
/// have a contact if it holds that.
[[nodiscard]] inline bool lets_through(const WorldState& world, std::int32_t collider,
                                       std::int32_t other) {
    return world.bodies.is_one_way(collider) && !had_contact(world, other, collider);
}

/// Whether a collider does not give way to what presses against it.
[[nodiscard]] inline bool is_immovable(const Bodies& bodies, std::int32_t slot) {
    return bodies.dynamics[slot].inverse_mass == 0.0f;
}

/// Whether two immovable bodies may hold a body: it has pairs with both, or has been pushed to
/// where its pairs are not complete.
[[nodiscard]] inline bool may_be_between(const WorldState& world, BodyId body) {
    const Bodies& bodies = world.bodies;
    BodyId first;
    const auto is_second = [&](LanePlace place) {
        const std::int32_t other = world.contacts.second_slot(place);
        if (!is_immovable(bodies, other)) return false;
        if (first == BodyId{}) first = bodies.owners[other];
        return bodies.owners[other] != first;
    };
    return bodies.any_of(body, [&](std::int32_t collider) {
        const AABB& range = world.broad_phase.ranges()[at(collider)];
        const bool has_strayed = !contains(range, bodies.positions[collider]);
        return has_strayed || world.broad_phase.any_lane_of(collider, is_second);
    });
}

/// Lists where immovable bodies hold a body, if two may. To be done once for all that
/// presses it: of either there may be as much as it has colliders.
inline void list_holds(WorldState& world, BodyId body) {
    const Bodies& bodies = world.bodies;
    world.holds.clear();
    if (!may_be_between(world, body)) return;
    bodies.for_each_of(body, [&](std::int32_t collider) {
        const Shape shape = bodies.placed_shape(collider);
        const auto list = [&](std::int32_t other) {
            if (!are_solid(world, collider, other)) return;
            if (lets_through(world, other, collider)) return;
            for_each_touch(bodies, other, shape, 0.0f, [&](const Manifold& touch) {
                const bool is_deep = touch.penetration > 0.0f && bodies.blocks(other, touch.normal);
                if (is_deep) world.holds.push_back({other, touch.normal, touch.penetration});
            });
        };
        const auto may_hold = [&](std::int32_t slot) { return is_immovable(bodies, slot); };
        world.broad_phase.for_each_near(bodies, bounds(shape), may_hold, list);
    });
}

/// The press of a contact at the end of the step, along the contact's normal: during the step the
/// contact may begin and pass the middle of the body.
[[nodiscard]] inline Press press_of(const WorldState& world, LanePlace place) {
    const Contacts& contacts = world.contacts;
    const Vec2 normal = contacts.normal_at(place);
    const std::int32_t a = contacts.first_slot(place);
    const std::int32_t b = contacts.second_slot(place);
    const Vec2 way_b = world.bodies.last_way(b);
    return {.body = world.bodies.owners[a],
            .by = world.bodies.owners[b],
            .depth = -(contacts.separation(place) + dot(way_b - world.bodies.last_way(a), normal)),
            .normal = -normal,
            .way = -dot(way_b, normal)};
}

/// Whether a press may crush. One that moves towards the body may press it into the other and
/// hardly be in it itself; so may one that stands still if it crushed a body before. What else
/// rests on kinematic bodies need not be looked at.
[[nodiscard]] inline bool may_crush(const WorldState& world, const Press& press) {
    const bool may_just_touch = press.way > 0.0f || world.crushed_before.size() > 0;
    const float least = mul(may_just_touch ? -0.05f : 0.25f, crush_depth);
    return press.depth >= world.scaled(least);
}

/// Whether a neighbour on the other side of a body moves faster towards it than a press.
[[nodiscard]] inline bool presses_faster(const Bodies& bodies, std::int32_t other,
                                         const Press& press) {
    const bool may_move = bodies.ranges.is_moving(other);
    return may_move && press.way < -dot(bodies.last_way(other), press.normal);
}

/// What a press does to its body, against what holds that most from the opposite side; depth 0 if
/// nothing squeezes it. Of two that may move the faster one is named as what presses.
/// Pre: `list_holds` has been called for the body.
[[nodiscard]] inline CrushEvent crush_of(const WorldState& world, const Press& press) {
    const Bodies& bodies = world.bodies;
    float deepest = world.scaled(squeeze_depth);
    CrushEvent crush;
    for (const Hold& hold : world.holds) {
        const bool is_opposed = dot(press.normal, hold.normal) < -0.5f;
        const float depth = press.depth + hold.depth;
        if (bodies.owners[hold.by] == press.by || !is_opposed || depth <= deepest) continue;
        deepest = depth;
        crush = {press.body, press.by, bodies.owners[hold.by], depth,
                 bodies.user_data[bodies.slots.slot_of(press.body)]};
        if (presses_faster(bodies, hold.by, press)) std::swap(crush.by, crush.against);
    }
    return crush;
}

/// Lists the presses that may crush, those of each body one after the other.
inline void list_presses(WorldState& world) {
    const Contacts& contacts = world.contacts;
    const SlotRanges ranges = world.bodies.ranges;
    world.presses.clear();
    if (ranges.moving_count == ranges.dynamic_count) return;
    for (const ColourRange& colour : contacts.active_colours) {
        if (colour.order == SolvingOrder::Dynamic) continue;
        for (std::int32_t i = colour.begin; i < colour.end; ++i) {
            const std::int32_t block = contacts.active[i];
            for_each_bit(contacts.lanes[block], [&](int lane) {
                const std::int32_t by = contacts.second_slot({block, lane});
                if (ranges.is_dynamic(by) || !ranges.is_moving(by)) return;
                const Press press = press_of(world, {block, lane});
                if (may_crush(world, press)) world.presses.push_back(press);
            });
        }
    }
    shell_sort(world.presses,
               [](const Press& a, const Press& b) { return a.body.index < b.body.index; });
}

/// Lists the crushed and the squeezed bodies.
inline void find_crushed(WorldState& world) {
    const float least = world.scaled(crush_depth);
    world.crushed.clear();
    world.squeezed.clear();
    list_presses(world);
    BodyId held;
    for (const Press& press : world.presses) {
        if (press.body != held) list_holds(world, press.body);
        held = press.body;
        const CrushEvent crush = crush_of(world, press);
        if (crush.depth > 0.0f) world.squeezed.push_back(crush.body);
        if (crush.depth > least) world.crushed.push_back(crush);
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
        if (a.body.index != b.body.index) return a.body.index < b.body.index;
        return a.by.index < b.by.index || (a.by.index == b.by.index && a.depth > b.depth);
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
            world.broad_phase.for_each_lane_of(bodies.ids[collider], [&](LanePlace place) {
                if (is_on_fixed(world, place)) contacts.clear_impulses(place);
            });
        });
    }
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

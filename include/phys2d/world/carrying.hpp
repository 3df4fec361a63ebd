// SPDX-License-Identifier: MIT
// What stands on a kinematic body goes along when that changes its velocity.
//
// Friction alone would let riders slip whenever a platform starts, stops or turns around. So a change of
// velocity is handed on, ahead of the step, to what rests on the platform, and to what rests on that: whoever
// moves along with it and is held by friction keeps its velocity relative to it. Only the part along the
// contact is: up and down, contacts do it.
#pragma once

#include <phys2d/core/shell_sort.hpp>
#include <phys2d/world/world_state.hpp>

namespace phys2d::detail::inline PHYS2D_ABI {

/// What is slower than this relative to its support rests on it [m/s at length unit 1].
inline constexpr float riding_speed = 0.1f;

/// How steep a contact may be to be stood on: the cosine of its normal's angle to gravity.
inline constexpr float standing_cosine = 0.7f;

/// Sums the changes of each body up, in the order of the bodies' indices; drops those who are gone.
inline void merge_changes(WorldState& world) {
    Array<VelocityChange>& changes = world.velocity_changes;
    shell_sort(changes, [](const VelocityChange& a, const VelocityChange& b) {
        return a.body.index < b.body.index;
    });
    std::size_t kept = 0;
    for (const VelocityChange& change : changes) {
        if (world.bodies.slots.slot_of(change.body) == SlotMap::no_slot) continue;
        const bool continues = kept > 0 && changes[kept - 1].body == change.body;
        if (continues) {
            changes[kept - 1].change += change.change;
        } else {
            changes[kept++] = change;
        }
    }
    changes.resize(kept);
}

/// The normal of the contact through which one collider stands on another, up out of the support; zero if it
/// does not, or slides. `slip` is its velocity relative to the support.
[[nodiscard]] inline Vec2 support_normal(const WorldState& world, std::size_t support,
                                         std::size_t rider, Vec2 slip) {
    const Bodies& bodies = world.bodies;
    const WorldConfig& config = world.config;
    if (length_sq(slip) > square(mul(riding_speed, config.length_unit))) return {};
    const auto [normal, penetration, point] =
        collide(bodies.placed_shape(support), bodies.placed_shape(rider));
    const float reach = mul(config.contact_margin, config.length_unit);
    const bool is_standing =
        abs(penetration) <= reach &&
        -dot(normal, config.gravity) > mul(standing_cosine, length(config.gravity));
    const bool is_held =
        is_standing && config.mix_friction(bodies.materials[support].friction,
                                           bodies.materials[rider].friction) > 0.0f;
    return is_held ? normal : Vec2{};
}

/// Hands the change of one body's velocity on to what stands on one of its colliders, and lists them.
inline void carry_riders_of(WorldState& world, const VelocityChange& carrier, std::size_t support) {
    Bodies& bodies = world.bodies;
    const float reach = mul(world.config.contact_margin, world.config.length_unit);
    const std::size_t carrier_slot = at(bodies.slots.slot_of(carrier.body));
    const Vec2 before = bodies.velocities[carrier_slot] - carrier.change;
    world.broad_phase.find_near(bodies, expand(bounds(bodies.placed_shape(support)), reach),
                                world.near);
    for (const std::int32_t rider : world.near) {
        const std::size_t body = at(bodies.body_slot(rider));
        const bool may_ride = rider < bodies.ranges.dynamic_count && !world.is_carried[body] &&
                              world.may_touch(static_cast<std::int32_t>(support), rider);
        if (!may_ride) continue;
        const Vec2 slip = bodies.velocities[body] - before;
        const Vec2 tangent = perpendicular(support_normal(world, support, at(rider), slip));
        const Vec2 along = tangent * dot(carrier.change, tangent);
        if (along == Vec2{}) continue;
        world.is_carried[body] = true;
        bodies.velocities[body] += along;
        world.velocity_changes.push_back({bodies.owners[body], along});
    }
}

/// Hands the changes of kinematic bodies' velocities on. To be called before anything is loaded for a step.
inline void carry_riders(WorldState& world) {
    Array<VelocityChange>& changes = world.velocity_changes;
    if (changes.empty()) return;
    merge_changes(world);
    world.is_carried.assign(world.bodies.ids.size(), false);
    for (std::size_t i = 0; i < changes.size(); ++i) {  // grows by those who are carried
        const VelocityChange carrier = changes[i];
        if (carrier.change == Vec2{}) continue;
        world.bodies.for_each_of(carrier.body, [&](std::int32_t support) {
            carry_riders_of(world, carrier, at(support));
        });
    }
    changes.clear();
}

}  // namespace phys2d::detail::inline PHYS2D_ABI

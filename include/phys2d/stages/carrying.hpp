// SPDX-License-Identifier: MIT
// Carrying: bodies that stand on a kinematic body get its changes of velocity.
//
// By friction alone riders would slip whenever a platform starts, stops or turns around. So before
// the step a change of velocity is applied to the bodies that rest on the platform, and to those
// that rest on them: every body that moves along with its support and is held by friction keeps its
// velocity relative to it. Only the part along the contact is applied: contacts do the rest.
#pragma once

#include <phys2d/core/shell_sort.hpp>
#include <phys2d/stages/encounters.hpp>
#include <phys2d/stages/world_state.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Bodies slower than this relative to their support rest on it [m/s at length unit 1].
inline constexpr float riding_speed = 0.1f;

/// Bodies rest in their support no deeper than this, however heavy: contacts are springs up to half
/// of it [m at length unit 1].
inline constexpr float riding_depth = 0.13f;

/// How steep a contact may be to stand on it: the cosine of the angle between its normal and the
/// direction against gravity.
inline constexpr float standing_cosine = 0.7f;

/// Lists the bodies whose velocity has changed, in the order of their indices; none if nothing
/// could ride on them.
inline void list_carriers(WorldState& world) {
    const Bodies& bodies = world.bodies;
    world.carriers.clear();
    if (bodies.ranges.dynamic_count == 0 || world.config.gravity == Vec2{}) return;
    for (const auto& [body, change] : world.velocity_changes) {
        const std::int32_t slot = bodies.slots.slot_of(body);
        if (slot == SlotMap::no_slot || change == Vec2{}) continue;
        world.carriers.push_back({body, bodies.velocities[slot] - change, change, 0.0f});
    }
    shell_sort(world.carriers,
               [](const Carrier& a, const Carrier& b) { return a.body.index < b.body.index; });
}

/// How one collider stands on another: not at all if the normal is zero.
struct Standing {
    Vec2 normal{};  ///< out of the support
    float depth;    ///< in it [m]
};

/// How deep a collider is in another one that may support it: less than 0 if it is only near, for
/// instance because a lift falls away below it.
[[nodiscard]] inline Standing standing_on(const WorldState& world, std::int32_t support,
                                          std::int32_t rider) {
    const Bodies& bodies = world.bodies;
    const float reach = world.contact_margin();
    const float deepest = max(reach, world.scaled(riding_depth));
    const std::int32_t body = bodies.body_slot(rider);
    const Vec2 gravity = world.config.gravity * bodies.dynamics[body].gravity_scale;
    Standing standing{{}, -reach};
    for_each_touch(bodies, support, bodies.placed_shape(rider), reach, [&](const Manifold& touch) {
        const bool holds = touch.penetration >= standing.depth && touch.penetration <= deepest &&
                           -dot(touch.normal, gravity) > mul(standing_cosine, length(gravity)) &&
                           bodies.blocks(support, touch.normal) &&
                           bodies.blocks(rider, -touch.normal);
        if (holds) standing = {touch.normal, touch.penetration};
    });
    return standing;
}

/// Whether of two supports of a rider the second one bears about as much as the first one. They are
/// as springs, so the loads are as the depths.
[[nodiscard]] inline bool bears_as_well(const Standing& first, const Standing& second) {
    constexpr float least_part = 0.5f;
    return !is_slanted(second.normal) && second.depth >= mul(least_part, first.depth);
}

/// How fast a support moves the surfaces on it, with its change of velocity in this step [m/s]:
/// that of a rider is not applied yet.
[[nodiscard]] inline Vec2 surface_velocity_of(const WorldState& world, std::int32_t support) {
    const Bodies& bodies = world.bodies;
    const std::int32_t body = bodies.body_slot(support);
    const std::int32_t place = world.carrier_of[body];
    const Vec2 velocity = place == no_carrier
                              ? bodies.velocity(body)
                              : world.carriers[place].before + world.carriers[place].change;
    return velocity + bodies.materials[support].surface_velocity;
}

/// Whether friction on a support takes a rider along with most of a change of its velocity.
[[nodiscard]] inline bool goes_along(const WorldState& world, std::int32_t support,
                                     std::int32_t rider, Vec2 change) {
    const Bodies& bodies = world.bodies;
    const Vec2 own =
        bodies.velocities[bodies.body_slot(rider)] + bodies.materials[rider].surface_velocity;
    const Vec2 ahead = surface_velocity_of(world, support) - own;
    return 2.0f * dot(ahead, change) >= length_sq(change);
}

/// Whether a collider may reach beyond an end of a platform that it stands on, so that something
/// beside that may bear it, too.
[[nodiscard]] inline bool juts_out(const Bodies& bodies, std::int32_t support, std::int32_t rider,
                                   Vec2 normal) {
    if (bodies.ranges.is_dynamic(support)) return false;
    if (!bodies.has_shape(support)) return true;  // its box may be wider than the platform
    const AABB below = box_of(bodies, support);
    const AABB above = bounds(bodies.placed_shape(rider));
    const Vec2 beyond = max(below.min - above.min, above.max - below.max);
    return dot(beyond, abs(perpendicular(normal))) > 0.0f;
}

/// Whether a collider may bear another one: one-way sides may let that through.
[[nodiscard]] inline bool may_bear(const WorldState& world, std::int32_t support,
                                   std::int32_t rider) {
    const Bodies& bodies = world.bodies;
    const bool may_pass = bodies.is_one_way(support) || bodies.is_one_way(rider);
    return world.may_touch(support, rider) && (!may_pass || had_contact(world, rider, support));
}

/// Whether something else keeps a collider that may stand on `support` from going along with that:
/// it stands deeper there, and is only near the support, or would stand on its corner; or it stands
/// on both alike, and friction on both does not take it along: then neither prevails.
[[nodiscard]] inline bool stands_elsewhere(const WorldState& world, std::int32_t support,
                                           std::int32_t rider, const Standing& standing,
                                           Vec2 change) {
    const Bodies& bodies = world.bodies;
    const bool is_firm = standing.depth >= 0.0f && !is_slanted(standing.normal);
    if (is_firm && !juts_out(bodies, support, rider, standing.normal)) return false;
    const bool is_taken = is_firm && goes_along(world, support, rider, change);
    bool elsewhere = false;
    const AABB box = expand(bounds(bodies.placed_shape(rider)), world.contact_margin());
    const auto may_hold = [&](std::int32_t other) {
        return !elsewhere && other != support && bodies.owners[other] != bodies.owners[rider] &&
               may_bear(world, other, rider);
    };
    const auto prevails = [&](std::int32_t other) {
        const Standing there = standing_on(world, other, rider);
        if (there.normal == Vec2{}) return false;
        if (!is_firm) return there.depth > standing.depth;
        const bool grips = bodies.materials[other].friction > 0.0f;
        const bool goes_the_same_way = is_taken && goes_along(world, other, rider, change);
        return bears_as_well(standing, there) && grips && !goes_the_same_way;
    };
    world.broad_phase.for_each_near(bodies, box, may_hold, [&](std::int32_t other) {
        elsewhere = elsewhere || prevails(other);
    });
    return elsewhere;
}

/// Whether friction holds a collider on its support: without any it slides, and so it does if it is
/// faster. `slip` is its velocity relative to the support. Pre: the support has friction.
[[nodiscard]] inline bool is_held_on(const WorldState& world, std::int32_t support,
                                     std::int32_t rider, Vec2 normal, Vec2 slip) {
    const WorldConfig& config = world.config;
    const Material& below = world.bodies.materials[support];
    const Material& above = world.bodies.materials[rider];
    const Vec2 tangent = perpendicular(normal);
    const float conveyed = dot(below.surface_velocity - above.surface_velocity, tangent);
    const float sliding = dot(slip, tangent) - conveyed;
    return above.friction > 0.0f && abs(sliding) <= world.scaled(riding_speed) &&
           mul(dot(slip, normal), config.time_step) <= world.contact_margin();
}

/// Lists a rider, in place of what is listed of it: it stands deeper here.
inline void add_rider(WorldState& world, std::int32_t slot, const Carrier& rider) {
    std::int32_t& place = world.carrier_of[slot];
    if (place == no_carrier) {
        place = static_cast<std::int32_t>(world.carriers.size());
        world.carriers.push_back(rider);
    } else {
        world.carriers[place] = rider;
    }
}

/// Lists a collider if it rides on one of a carrier, the `index`-th of the list.
inline void add_if_it_rides(WorldState& world, std::int32_t index, std::int32_t support,
                            std::int32_t rider) {
    const Bodies& bodies = world.bodies;
    const Carrier& carrier = world.carriers[index];
    const std::int32_t body = bodies.body_slot(rider);
    const std::int32_t known = world.carrier_of[body];
    const bool may_ride = (known == no_carrier || known > index) && world.may_touch(support, rider);
    if (!may_ride) return;
    const Vec2 velocity = bodies.velocities[body];
    const Standing standing = standing_on(world, support, rider);
    const Vec2 tangent = perpendicular(standing.normal);
    const Vec2 along = tangent * dot(carrier.change, tangent);
    const bool is_better = known == no_carrier || standing.depth > world.carriers[known].depth;
    const bool rides =
        along != Vec2{} && is_better &&
        is_held_on(world, support, rider, standing.normal, velocity - carrier.before) &&
        !stands_elsewhere(world, support, rider, standing, along);
    if (rides) add_rider(world, body, {bodies.owners[body], velocity, along, standing.depth});
}

/// Lists the riders that stand on one collider of a carrier.
inline void find_riders(WorldState& world, std::int32_t index, std::int32_t support) {
    const Bodies& bodies = world.bodies;
    if (bodies.materials[support].friction == 0.0f) return;
    const AABB box = expand(box_of(bodies, support), world.contact_margin());
    const auto may_ride = [&](std::int32_t slot) { return bodies.ranges.is_dynamic(slot); };
    const auto add = [&](std::int32_t rider) { add_if_it_rides(world, index, support, rider); };
    world.broad_phase.for_each_near(bodies, box, may_ride, add, Among::Moving);
}

/// Lists all riders of the listed carriers, directly or on other riders.
inline void find_all_riders(WorldState& world) {
    constexpr int few = 8;  // searches up to this number cost less than sorting the news
    const Bodies& bodies = world.bodies;
    if (world.carriers.empty()) return;
    world.carrier_of.assign(bodies.ids.size(), no_carrier);
    int searches = 0;
    for (std::size_t i = 0; i < world.carriers.size(); ++i) {  // grows by the riders
        bodies.for_each_of(world.carriers[i].body, [&](std::int32_t support) {
            if (searches++ == few) world.broad_phase.sort_news(bodies);
            find_riders(world, static_cast<std::int32_t>(i), support);
        });
    }
}

/// Applies the changes of kinematic bodies' velocities to their riders, before anything is loaded
/// for a step. Restores the riders' velocities if the step is left before `settle`. If a pair
/// filter throws in the constructor, nothing has changed.
class Carrying {
public:
    explicit Carrying(WorldState& world) : world_(world) {
        list_carriers(world);
        first_rider_ = world.carriers.size();
        find_all_riders(world);
        for_each_rider([](Vec2& velocity, const Carrier& rider) { velocity += rider.change; });
    }
    ~Carrying() {
        if (is_settled_) return;
        for_each_rider([](Vec2& velocity, const Carrier& rider) { velocity = rider.before; });
    }
    Carrying(const Carrying&) = delete;
    Carrying& operator=(const Carrying&) = delete;

    /// Keeps the changes: from here on the destructor restores nothing.
    void settle() {
        is_settled_ = true;
        world_.velocity_changes.clear();
    }

private:
    /// Calls visit(velocity, rider).
    void for_each_rider(auto visit) {
        Bodies& bodies = world_.bodies;
        for (std::size_t i = first_rider_; i < world_.carriers.size(); ++i) {
            const Carrier& rider = world_.carriers[i];
            visit(bodies.velocities[bodies.slots.slot_of(rider.body)], rider);
        }
    }

    WorldState& world_;
    std::size_t first_rider_ = 0;
    bool is_settled_ = false;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

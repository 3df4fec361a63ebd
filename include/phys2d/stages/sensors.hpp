// SPDX-License-Identifier: MIT
// Sensors: which colliders entered the sensors in this step, and which left them?
//
// A sensor sees every collider whose filter agrees, moving, resting, asleep or static, but other
// sensors only if it `sees_sensors`. The paths of both are cast against each other, so that nothing
// is too fast to be seen: a body that only passed in a step, or was inside as it began and is new
// to the sensor, begins in this step and ends in the next. Paths are straight from the start of a
// step to its end.
#pragma once

#include <phys2d/core/partition_point.hpp>
#include <phys2d/core/shell_sort.hpp>
#include <phys2d/stages/sensor_list.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The relation of two colliders in a step: `Met` if they overlap at its end or passed each other,
/// `Left` if they overlapped at its start only.
enum class Passage : std::uint8_t { Apart, Met, Left };

[[nodiscard]] inline Passage passage_of_shapes(const Bodies& bodies, std::int32_t a,
                                               std::int32_t b) {
    if (overlaps(bodies.placed_shape(a), bodies.placed_shape(b))) return Passage::Met;
    const Shape start_a = translate(bodies.shapes[a], bodies.previous_positions[a]);
    const Shape start_b = translate(bodies.shapes[b], bodies.previous_positions[b]);
    if (overlaps(start_a, start_b)) return Passage::Left;
    const Vec2 way_a = bodies.last_way(a);
    const Vec2 way_b = bodies.last_way(b);
    const CastHit hit = cast<Grazing::Misses>(start_a, way_a - way_b, start_b);
    return hit ? Passage::Met : Passage::Apart;
}

/// The same for a shape and terrain.
[[nodiscard]] inline Passage passage_of_terrain(const Bodies& bodies, std::int32_t shape,
                                                std::int32_t terrain) {
    if (overlaps(bodies, terrain, bodies.placed_shape(shape))) return Passage::Met;
    const Vec2 way = bodies.last_way(shape) - bodies.last_way(terrain);
    if (way == Vec2{}) return Passage::Apart;
    const Shape start = translate(bodies.placed_shape(shape), -way);
    if (overlaps(bodies, terrain, start)) return Passage::Left;
    const AABB path = box_along(bounds(start), way);
    const bool is_hit = any_solid(bodies, terrain, path, [&](const auto& solid) {
        return static_cast<bool>(shape_cast(start, way, solid));
    });
    return is_hit ? Passage::Met : Passage::Apart;
}

/// The same for any two colliders, of which at least one is a shape.
[[nodiscard]] inline Passage passage_of(const Bodies& bodies, std::int32_t a, std::int32_t b) {
    if (!bodies.has_shape(a)) return passage_of_terrain(bodies, b, a);
    if (!bodies.has_shape(b)) return passage_of_terrain(bodies, a, b);
    return passage_of_shapes(bodies, a, b);
}

/// Calls visit(visitor) for each collider in a sensor that exists, in the order of ids.
void for_each_visitor(const WorldState& world, ColliderId sensor, auto visit) {
    const Array<ColliderPair>& visits = world.visits;
    std::size_t i = partition_point(std::size_t{0}, visits.size(),
                                    [&](std::size_t k) { return visits[k].a < sensor; });
    for (; i < visits.size() && visits[i].a == sensor; ++i) {
        if (world.bodies.slots.contains(visits[i].b)) visit(visits[i].b);
    }
}

/// Whether a visitor was in a sensor in the previous step.
[[nodiscard]] inline bool was_in(const WorldState& world, ColliderId sensor, ColliderId visitor) {
    const Array<ColliderPair>& visits = world.visits;
    const ColliderPair visit{sensor, visitor};
    const std::size_t place = partition_point(std::size_t{0}, visits.size(),
                                              [&](std::size_t i) { return visits[i] < visit; });
    return place < visits.size() && visits[place] == visit;
}

/// Whether a collider counts as inside the sensor of a slot in this step. Pre: the sensor sees it.
[[nodiscard]] inline bool visits(const WorldState& world, std::int32_t slot, std::int32_t sensor) {
    const Passage passage = passage_of(world.bodies, sensor, slot);
    if (passage != Passage::Left) return passage == Passage::Met;
    return !was_in(world, world.bodies.ids[sensor], world.bodies.ids[slot]);
}

/// Whether a sensor sees the collider of a slot, wherever that is. Terrain does not see terrain.
[[nodiscard]] inline bool sees(const Bodies& bodies, std::int32_t sensor, std::int32_t slot) {
    const ColliderDef& eye = bodies.colliders[sensor];
    const ColliderDef& visitor = bodies.colliders[slot];
    return (bodies.has_shape(sensor) || bodies.has_shape(slot)) &&
           (eye.sees_sensors || !visitor.is_sensor) && visitor.has_events &&
           bodies.owners[slot] != bodies.owners[sensor] && can_collide(visitor.filter, eye.filter);
}

/// Whether a sensor tells of its visitors.
[[nodiscard]] inline bool is_on(const Bodies& bodies, std::int32_t sensor) {
    return bodies.colliders[sensor].has_events && bodies.is_enabled(sensor);
}

/// The box around the collider of a slot and its way in the last step.
[[nodiscard]] inline AABB path_of(const Bodies& bodies, std::int32_t slot) {
    return box_along(box_of(bodies, slot), -bodies.last_way(slot));
}

/// Whether the collider of a slot has rested, unchanged, since the sensors looked.
[[nodiscard]] inline bool has_rested(const WorldState& world, std::int32_t slot) {
    return !world.bodies.ranges.is_moving(slot) &&
           !world.broad_phase.disturbances().colliders.contains(world.bodies.ids[slot].index);
}

/// Lists the visitors of a sensor in a box.
inline void list_visitors_in(WorldState& world, std::int32_t sensor, const AABB& box, Among among) {
    const Bodies& bodies = world.bodies;
    const auto is_seen = [&](std::int32_t slot) { return sees(bodies, sensor, slot); };
    const auto list = [&](std::int32_t slot) {
        if (visits(world, slot, sensor)) world.visitors.push_back(bodies.ids[slot]);
    };
    world.broad_phase.for_each_near(bodies, box, is_seen, list, among);
}

/// Lists the resting visitors that a resting sensor had, unless something has changed for them.
inline void list_former_visitors(WorldState& world, std::int32_t sensor) {
    const Bodies& bodies = world.bodies;
    const ChangedBoxes& changed = world.broad_phase.disturbances().boxes;
    for_each_visitor(world, bodies.ids[sensor], [&](ColliderId id) {
        const std::int32_t slot = bodies.slots.slot_of(id);
        if (bodies.ranges.is_moving(slot) || !bodies.is_enabled(slot)) return;
        const bool has_changed = !changed.empty() && changed.meet(box_of(bodies, slot));
        const bool is_sure = has_rested(world, slot) && !has_changed;
        if (is_sure || (sees(bodies, sensor, slot) && visits(world, slot, sensor)))
            world.visitors.push_back(id);
    });
}

/// Lists the visitors of the sensor in a slot, each once, in the order of their ids; without those
/// that move if these find the sensor. Nobody comes to a resting sensor but what moves, and what
/// rests where something has changed.
inline void find_visitors(WorldState& world, std::int32_t sensor, bool is_found) {
    const Bodies& bodies = world.bodies;
    const AABB path = path_of(bodies, sensor);
    world.visitors.clear();
    if (is_found) {
        list_visitors_in(world, sensor, path, Among::Resting);
    } else if (!has_rested(world, sensor)) {
        list_visitors_in(world, sensor, path, Among::All);
    } else {
        list_visitors_in(world, sensor, path, Among::Moving);
        list_former_visitors(world, sensor);
        for (const AABB& changed : world.broad_phase.disturbances().boxes.all()) {
            if (!overlaps(changed, path)) continue;
            list_visitors_in(world, sensor, overlap(changed, path), Among::Resting);
        }
    }
    shell_sort(world.visitors);
    world.visitors.remove_repeats();
}

/// Whether the collider of a slot is a sensor that moving shapes find as well as it finds them.
[[nodiscard]] inline bool can_be_found(const Bodies& bodies, std::int32_t slot) {
    const ColliderDef& collider = bodies.colliders[slot];
    return bodies.ranges.is_moving(slot) && bodies.has_shape(slot) && collider.is_sensor &&
           collider.has_events && !collider.sees_sensors;
}

/// Whether there are more such sensors than anything else that moves, as of bullets: then these
/// look for the sensors. Not where terrain moves, which is large.
[[nodiscard]] inline bool are_found_by_visitors(const WorldState& world) {
    const Bodies& bodies = world.bodies;
    const std::int32_t moving = bodies.ranges.moving_count;
    if (2 * world.sensors.size() <= at(moving)) return false;
    std::int32_t sensors = 0;
    for (std::int32_t slot = 0; slot < moving; ++slot) {
        if (!bodies.has_shape(slot)) return false;
        sensors += can_be_found(bodies, slot) ? 1 : 0;
    }
    return 2 * sensors > moving;
}

/// Lists the visits of the collider in a slot to such sensors in `new_visits`.
inline void find_visited(WorldState& world, std::int32_t visitor) {
    const Bodies& bodies = world.bodies;
    const auto sees_it = [&](std::int32_t sensor) {
        return can_be_found(bodies, sensor) && sees(bodies, sensor, visitor);
    };
    const auto list = [&](std::int32_t sensor) {
        if (!visits(world, visitor, sensor)) return;
        world.new_visits.push_back({bodies.ids[sensor], bodies.ids[visitor]});
    };
    const AABB path = path_of(bodies, visitor);
    world.broad_phase.for_each_near(bodies, path, sees_it, list, Among::Moving);
}

/// Lists {sensor, visitor} for all sensors in `new_visits`, sorted.
inline void find_visits(WorldState& world) {
    const Bodies& bodies = world.bodies;
    Scratch<ColliderPair>& found = world.new_visits;
    found.clear();
    const bool by_visitors = are_found_by_visitors(world);
    for (const ColliderId sensor : world.sensors) {
        const std::int32_t slot = bodies.slots.slot_of(sensor);
        if (!is_on(bodies, slot)) continue;
        find_visitors(world, slot, by_visitors && can_be_found(bodies, slot));
        for (const ColliderId visitor : world.visitors) found.push_back({sensor, visitor});
    }
    if (!by_visitors) return;
    for (std::int32_t slot = 0; slot < bodies.ranges.moving_count; ++slot) {
        const ColliderDef& collider = bodies.colliders[slot];
        if (!collider.is_sensor && collider.has_events) find_visited(world, slot);
    }
    shell_sort(found);
}

/// Reports the visits that are in one of two sorted lists only. Those in both end and begin if the
/// sensor or the visitor has been off meanwhile.
inline void tell_visits(WorldState& world, Span<const ColliderPair> before,
                        Span<const ColliderPair> now) {
    const auto tell = [&](Array<SensorEvent>& events, const ColliderPair& visit) {
        const ColliderName sensor = world.name_of(visit.a);
        const ColliderName visitor = world.name_of(visit.b);
        events.push_back(
            {sensor.body, visitor.body, sensor.user_data, visitor.user_data, visit.a, visit.b});
    };
    for (std::size_t i = 0, k = 0; i < before.size() || k < now.size();) {
        const bool ended = k == now.size() || (i < before.size() && before[i] < now[k]);
        const bool began = i == before.size() || (k < now.size() && now[k] < before[i]);
        const bool goes_on = !ended && !began && !world.has_been_off(now[k]);
        if (!began && !goes_on) tell(world.events.sensor_ended, before[i]);
        if (!ended && !goes_on) tell(world.events.sensor_began, now[k]);
        i += began ? 0 : 1;
        k += ended ? 0 : 1;
    }
}

/// To be called once all bodies are at the end of this step.
inline void tell_sensors(WorldState& world) {
    if (!world.sensors.empty() || !world.visits.empty()) {
        sort_sensors(world);
        find_visits(world);
        tell_visits(world, world.visits, world.new_visits);
        world.visits.swap(world.new_visits);
    }
    world.been_off.clear();
    world.broad_phase.forget_disturbances();
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

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
#include <phys2d/world/contact_events.hpp>
#include <phys2d/world/sensor_list.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The relation of two colliders in a step: `Met` if they overlap at its end or passed each other,
/// `Left` if they overlapped at its start only.
enum class Passage : std::uint8_t { Apart, Met, Left };

[[nodiscard]] inline Passage passage_of_shapes(const Bodies& bodies, std::size_t a, std::size_t b) {
    if (overlaps(bodies.placed_shape(a), bodies.placed_shape(b))) return Passage::Met;
    const Shape start_a = translate(bodies.shapes[a], bodies.previous_positions[a]);
    const Shape start_b = translate(bodies.shapes[b], bodies.previous_positions[b]);
    if (overlaps(start_a, start_b)) return Passage::Left;
    const Vec2 way_a = bodies.last_way(a);
    const Vec2 way_b = bodies.last_way(b);
    const CastHit hit = cast<Grazing::Misses>(start_a, cast_way(way_a - way_b), start_b);
    return hit ? Passage::Met : Passage::Apart;
}

/// The same for a shape and terrain.
[[nodiscard]] inline Passage passage_of_terrain(const Bodies& bodies, std::size_t shape,
                                                std::int32_t terrain) {
    if (overlaps(bodies, terrain, bodies.placed_shape(shape))) return Passage::Met;
    const Vec2 way_of_shape = bodies.last_way(shape);
    const Vec2 way_of_terrain = bodies.last_way(terrain);
    const Vec2 way = way_of_shape - way_of_terrain;
    const Shape start = translate(bodies.placed_shape(shape), -way);
    if (way == Vec2{}) return Passage::Apart;
    if (overlaps(bodies, terrain, start)) return Passage::Left;
    const AABB path = merge(bounds(start), translate(bounds(start), way));
    bool any = false;
    for_each_solid(bodies, terrain, path, [&](const auto& solid) {
        any = any || static_cast<bool>(shape_cast(start, way, solid));
    });
    return any ? Passage::Met : Passage::Apart;
}

/// The same for any two colliders; two of terrain never meet.
[[nodiscard]] inline Passage passage_of(const Bodies& bodies, std::int32_t a, std::int32_t b) {
    if (bodies.has_shape(a) && bodies.has_shape(b)) return passage_of_shapes(bodies, at(a), at(b));
    if (bodies.has_shape(a)) return passage_of_terrain(bodies, at(a), b);
    return bodies.has_shape(b) ? passage_of_terrain(bodies, at(b), a) : Passage::Apart;
}

/// Lists the slots that may be in a sensor and for which is_sought(slot) holds. A sensor kind of
/// tile may be anywhere in its map, and does not see terrain.
inline void find_near_sensor(WorldState& world, std::int32_t sensor,
                             FunctionRef<bool(std::int32_t slot)> is_sought) {
    const Bodies& bodies = world.bodies;
    const Vec2 way = bodies.last_way(sensor);
    const AABB end = box_of(bodies, sensor);
    const bool sees_terrain = bodies.has_shape(sensor);
    world.broad_phase.find_near(
        bodies, merge(end, translate(end, -way)), world.nearby, [&](std::int32_t slot) {
            return (sees_terrain || bodies.has_shape(slot)) && is_sought(slot);
        });
}

/// Whether a visitor was in a sensor in the previous step.
[[nodiscard]] inline bool was_in(const WorldState& world, ColliderId sensor, ColliderId visitor) {
    const Array<ColliderPair>& visits = world.visits_before;
    const ColliderPair visit{sensor, visitor};
    const std::size_t place = partition_point(std::size_t{0}, visits.size(),
                                              [&](std::size_t i) { return visits[i] < visit; });
    return place < visits.size() && visits[place] == visit;
}

/// Whether a collider counts as inside the sensor of a slot in this step.
[[nodiscard]] inline bool visits(const WorldState& world, std::int32_t slot, std::int32_t sensor) {
    const Passage passage = passage_of(world.bodies, sensor, slot);
    if (passage != Passage::Left) return passage == Passage::Met;
    return !was_in(world, world.bodies.ids[sensor], world.bodies.ids[slot]);
}

/// Lists the visitors of the sensor in a slot, in the order of their ids.
inline void find_visitors(WorldState& world, std::size_t sensor) {
    const Bodies& bodies = world.bodies;
    const auto slot_of_sensor = static_cast<std::int32_t>(sensor);
    const ColliderDef& eye = bodies.colliders[sensor];
    world.visitors.clear();
    find_near_sensor(world, slot_of_sensor, [&](std::int32_t slot) {
        const ColliderDef& visitor = bodies.colliders[slot];
        return (eye.sees_sensors || !visitor.is_sensor) && visitor.has_events &&
               bodies.owners[slot] != bodies.owners[sensor] &&
               can_collide(visitor.filter, eye.filter);
    });
    for (const std::int32_t slot : world.nearby) {
        if (visits(world, slot, slot_of_sensor)) world.visitors.push_back(bodies.ids[slot]);
    }
    shell_sort(world.visitors, [](ColliderId a, ColliderId b) { return a < b; });
}

/// Lists {sensor, visitor} for all sensors, sorted.
inline void find_visits(WorldState& world) {
    world.visits.clear();
    for (const ColliderId sensor : world.sensors) {
        const std::size_t slot = at(world.bodies.slots.slot_of(sensor));
        if (!world.bodies.colliders[slot].has_events) continue;
        find_visitors(world, slot);
        for (const ColliderId visitor : world.visitors) world.visits.push_back({sensor, visitor});
    }
}

/// To be called once all bodies are at the end of this step.
inline void tell_sensors(WorldState& world) {
    if (world.sensors.empty() && world.visits.empty()) return;
    sort_sensors(world);
    world.visits_before.swap(world.visits);
    find_visits(world);

    const auto tell = [&](Array<SensorEvent>& events, const ColliderPair& visit) {
        const ColliderName sensor = name_of(world, visit.a);
        const ColliderName visitor = name_of(world, visit.b);
        events.push_back(
            {sensor.body, visitor.body, sensor.user_data, visitor.user_data, visit.a, visit.b});
    };
    const Array<ColliderPair>& before = world.visits_before;
    const Array<ColliderPair>& now = world.visits;
    for (std::size_t i = 0, k = 0; i < before.size() || k < now.size();) {
        const bool ended = k == now.size() || (i < before.size() && before[i] < now[k]);
        const bool began = i == before.size() || (k < now.size() && now[k] < before[i]);
        if (ended) tell(world.events.sensor_ended, before[i]);
        if (began) tell(world.events.sensor_began, now[k]);
        i += began ? 0 : 1;
        k += ended ? 0 : 1;
    }
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

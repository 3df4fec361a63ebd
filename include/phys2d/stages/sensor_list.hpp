// SPDX-License-Identifier: MIT
// The list of sensors: which colliders are sensors?
#pragma once

#include <phys2d/core/shell_sort.hpp>
#include <phys2d/stages/world_state.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Sorts the sensors by id, each once; removes those that are destroyed or not sensors.
inline void sort_sensors(WorldState& world) {
    shell_sort(world.sensors);
    world.sensors.remove_repeats();
    world.sensors.remove_if([&](ColliderId id) {
        const std::int32_t slot = world.bodies.slots.slot_of(id);
        return slot == SlotMap::no_slot || !world.bodies.colliders[slot].is_sensor;
    });
}

/// Lists a collider that has become a sensor. Stale entries are removed before the list would grow.
inline void list_sensor(WorldState& world, ColliderId id) {
    Array<ColliderId>& sensors = world.sensors;
    if (sensors.size() == sensors.capacity()) {
        sort_sensors(world);
        if (2 * sensors.size() > sensors.capacity()) sensors.reserve(2 * sensors.capacity());
    }
    sensors.push_back(id);
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

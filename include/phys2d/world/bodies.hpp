// SPDX-License-Identifier: MIT
// Bodies: the storage of a World, one column a property, in slot order.
//
// Slots are dense and grouped by how bodies take part in a step, so that every stage is a loop over a
// range without a question in it:
//   [0, dynamic_count)              dynamic, finite mass: respond to impulses
//   [dynamic_count, moving_count)   kinematic, and dynamic of infinite mass: only move
//   [moving_count, size)            static
// Creating, destroying and changing the type of a body exchanges at most two bodies' slots; ids stay.
#pragma once

#include <cstdint>
#include <utility>

#include <phys2d/core/slot_map.hpp>
#include <phys2d/dynamics/mass.hpp>
#include <phys2d/dynamics/pair_builder.hpp>
#include <phys2d/world/world_config.hpp>

namespace phys2d::detail::inline PHYS2D_ABI {

/// A body's answer to forces.
struct BodyDynamics {
    float mass = 0.0f;          ///< [kg], whatever the type; 0 is infinite
    float inverse_mass = 0.0f;  ///< [1/kg]; 0 outside the dynamic group
    float gravity_scale = 1.0f;
    float linear_damping = 0.0f;  ///< [1/s]
};

struct Bodies {
    Array<Vec2> positions;
    Array<Vec2> velocities;
    Array<Vec2> previous_positions;
    Array<Vec2> forces;
    Array<BodyDynamics> dynamics;
    Array<NarrowBody> narrow;
    Array<Shape> shapes;
    Array<Material> materials;
    Array<BodyType> types;
    Array<BodyId> ids;
    Array<std::uint64_t> user_data;

    SlotMap slots;
    SlotRanges ranges;

    [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(ids.size()); }

    /// The column may hold anything for static bodies: it is open to users.
    [[nodiscard]] Vec2 velocity(std::int32_t slot) const {
        return slot < ranges.moving_count ? velocities[at(slot)] : Vec2{};
    }

    BodyId insert(const BodyDef& def, const Shape& shape, const Material& material, float mass) {
        const std::int32_t slot = size();
        const BodyId id = slots.insert(slot);
        positions.push_back(def.position);
        velocities.push_back(def.type == BodyType::Static ? Vec2{} : def.velocity);
        previous_positions.push_back(def.position);
        forces.push_back({});
        dynamics.push_back({mass, 0.0f, def.gravity_scale, def.linear_damping});
        narrow.push_back({});
        shapes.push_back(shape);
        materials.push_back(material);
        types.push_back(def.type);
        ids.push_back(id);
        user_data.push_back(def.user_data);
        regroup(slot);
        return id;
    }

    void erase(std::int32_t slot) {
        exchange(sink(slot), size() - 1);
        slots.erase(ids.back());
        for_each_column([](auto& column) { column.pop_back(); });
    }

    /// Brings a body whose type or mass has changed into its group; one that is there already stays in
    /// its slot.
    void regroup(std::int32_t slot) {
        const BodyType type = types[at(slot)];
        BodyDynamics& properties = dynamics[at(slot)];
        const bool is_dynamic = type == BodyType::Dynamic && properties.mass > 0.0f;
        const bool is_moving = type != BodyType::Static;
        properties.inverse_mass = is_dynamic ? inverse_mass_of(properties.mass) : 0.0f;
        if (!is_dynamic) forces[at(slot)] = {};
        const bool is_there = is_dynamic == (slot < ranges.dynamic_count) &&
                              is_moving == (slot < ranges.moving_count);
        if (!is_there) {
            slot = sink(slot);
            if (is_moving) slot = exchange(slot, ranges.moving_count++);
            if (is_dynamic) slot = exchange(slot, ranges.dynamic_count++);
        }
        refresh_narrow(slot);
    }

    /// Tells the narrow phase of a new place, shape, velocity or mass.
    void refresh_narrow(std::int32_t slot) {
        const std::size_t i = at(slot);
        const Shape& shape = shapes[i];
        const Vec2 center = positions[i] + shape.center;
        const Vec2 moving = velocity(slot);
        narrow[i] = {{center.x, center.y, shape.half_extents.x, shape.half_extents.y},
                     {moving.x, moving.y, shape.radius, dynamics[i].inverse_mass}};
    }

private:
    template <class Visit>
    void for_each_column(Visit visit) {
        visit(positions), visit(velocities), visit(previous_positions), visit(forces);
        visit(dynamics), visit(narrow), visit(shapes), visit(materials), visit(types), visit(ids);
        visit(user_data);
    }

    /// Moves a body down into the static group; returns its slot there.
    std::int32_t sink(std::int32_t slot) {
        if (slot < ranges.dynamic_count) slot = exchange(slot, --ranges.dynamic_count);
        if (slot < ranges.moving_count) slot = exchange(slot, --ranges.moving_count);
        return slot;
    }

    /// Swaps two bodies; returns `to`.
    std::int32_t exchange(std::int32_t from, std::int32_t to) {
        if (from == to) return to;
        for_each_column([&](auto& column) { std::swap(column[at(from)], column[at(to)]); });
        slots.relocate(ids[at(from)].index, from);
        slots.relocate(ids[at(to)].index, to);
        return to;
    }
};

}  // namespace phys2d::detail::inline PHYS2D_ABI

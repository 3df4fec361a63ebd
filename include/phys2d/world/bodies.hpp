// SPDX-License-Identifier: MIT
// Bodies: the storage of a World, one column a property, in slot order.
//
// Slots are dense and grouped by how bodies take part in a step, so that every stage is a loop over a
// range without a question in it:
//   [0, dynamic_count)              dynamic, finite mass: respond to impulses
//   [dynamic_count, moving_count)   kinematic, and dynamic of infinite mass: only move
//   [moving_count, static_begin)    dynamic, asleep
//   [static_begin, size)            static
// Creating, destroying, retyping, waking a body exchanges a few bodies' slots; ids stay.
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

/// Where a body is on its way to sleep. The bodies of a sleeping island form a ring.
struct BodyRest {
    static constexpr std::int32_t none = -1;

    float still_time = 0.0f;             ///< [s]
    std::int32_t next_in_island = none;  ///< index of an id; `none` for a body that is awake
    std::int32_t first_contact = none;   ///< of those put away while it sleeps
};

struct Bodies {
    Array<Vec2> positions;
    Array<Vec2> velocities;
    Array<Vec2> previous_positions;
    Array<Vec2> forces;
    Array<BodyDynamics> dynamics;
    Array<NarrowBody> narrow;
    Array<BodyRest> rests;
    Array<Shape> shapes;
    Array<Material> materials;
    Array<ColliderDef> colliders;
    Array<BodyType> types;
    Array<BodyId> ids;
    Array<std::uint64_t> user_data;

    SlotMap slots;
    SlotRanges ranges;
    /// No body is smaller than twice this, both ways [m].
    float smallest_half_extent = std::numeric_limits<float>::max();
    Array<unsigned char> scratch;
    Array<std::int32_t> changed_slots;  ///< that got another body since they were read last

    [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(ids.size()); }

    /// The column may hold anything for static bodies: it is open to users.
    [[nodiscard]] Vec2 velocity(std::int32_t slot) const {
        return slot < ranges.moving_count ? velocities[at(slot)] : Vec2{};
    }

    BodyId insert(const BodyDef& def, const Shape& shape, const Material& material,
                  const ColliderDef& collider, float mass) {
        const std::int32_t slot = size();
        const BodyId id = slots.insert(slot);
        positions.push_back(def.position);
        velocities.push_back(def.type == BodyType::Static ? Vec2{} : def.velocity);
        previous_positions.push_back(def.position);
        forces.push_back({});
        dynamics.push_back({mass, 0.0f, def.gravity_scale, def.linear_damping});
        narrow.push_back({});
        rests.push_back({});
        shapes.push_back(shape);
        materials.push_back(material);
        colliders.push_back(collider);
        types.push_back(def.type);
        ids.push_back(id);
        user_data.push_back(def.user_data);
        changed_slots.push_back(slot);
        regroup(slot);
        return id;
    }

    void erase(std::int32_t slot) {
        exchange(move_to(Group::Static, slot), size() - 1);
        slots.erase(ids.back());
        changed_slots.push_back(size() - 1);
        for_each_column([](auto& column) { column.pop_back(); });
    }

    /// Gives slot i the body of slot order[i]. Pre: a permutation of the dynamic slots.
    void reorder(const Array<std::int32_t>& order) {
        for_each_column([&](auto& column) {
            reorder_records(column.data(), sizeof(*column.data()), order, scratch);
        });
        for (std::size_t i = 0; i < order.size(); ++i) {
            slots.relocate(ids[i].index, static_cast<std::int32_t>(i));
            changed_slots.push_back(static_cast<std::int32_t>(i));
        }
    }

    [[nodiscard]] std::int32_t sleeping_count() const {
        return ranges.static_begin - ranges.moving_count;
    }
    [[nodiscard]] bool is_asleep(std::int32_t slot) const {
        return slot >= ranges.moving_count && slot < ranges.static_begin;
    }

    /// The shape of a body where it is [m, world].
    [[nodiscard]] Shape placed_shape(std::size_t slot) const {
        return translate(shapes[slot], positions[slot]);
    }

    /// Whether the colliders of two bodies let contacts between them be solved.
    [[nodiscard]] bool may_touch(std::size_t a, std::size_t b) const {
        const ColliderDef& collider_a = colliders[a];
        const ColliderDef& collider_b = colliders[b];
        return !collider_a.is_sensor && !collider_b.is_sensor &&
               can_collide(collider_a.filter, collider_b.filter);
    }

    /// Whether its contacts have more to them than shapes and materials.
    [[nodiscard]] bool is_special(std::size_t slot) const {
        return colliders[slot].one_way != OneWay::No || materials[slot].surface_velocity != Vec2{};
    }

    /// Brings a body whose type, mass or sleep has changed into its group; one that is there already
    /// stays in its slot.
    void regroup(std::int32_t slot) {
        const Group group = group_of(at(slot));
        const bool responds = group == Group::Dynamic || group == Group::Asleep;
        BodyDynamics& properties = dynamics[at(slot)];
        properties.inverse_mass = responds ? inverse_mass_of(properties.mass) : 0.0f;
        if (group != Group::Dynamic) forces[at(slot)] = {};
        refresh_narrow(move_to(group, slot));
    }

    /// Tells the narrow phase of a new place, shape, velocity or mass.
    void refresh_narrow(std::int32_t slot) {
        const std::size_t i = at(slot);
        const Shape& shape = shapes[i];
        const Vec2 center = positions[i] + shape.center;
        const Vec2 moving = velocity(slot);
        const Vec2 outer = outer_half_extents(shape);
        smallest_half_extent = min(smallest_half_extent, min(outer.x, outer.y));
        narrow[i] = {{center.x, center.y, shape.half_extents.x, shape.half_extents.y},
                     {moving.x, moving.y, shape.radius, dynamics[i].inverse_mass}};
    }

private:
    template <class Visit>
    void for_each_column(Visit visit) {
        visit(positions), visit(velocities), visit(previous_positions), visit(forces);
        visit(dynamics), visit(narrow), visit(rests), visit(shapes), visit(materials),
            visit(colliders);
        visit(types), visit(ids), visit(user_data);
    }

    enum class Group { Dynamic, Moving, Asleep, Static };

    [[nodiscard]] Group group_of(std::size_t slot) const {
        if (types[slot] == BodyType::Static) return Group::Static;
        const bool responds = types[slot] == BodyType::Dynamic && dynamics[slot].mass > 0.0f;
        if (!responds) return Group::Moving;
        return rests[slot].next_in_island == BodyRest::none ? Group::Dynamic : Group::Asleep;
    }

    /// Moves a body from group to neighbouring group, always across a border; returns its slot.
    std::int32_t move_to(Group group, std::int32_t slot) {
        const auto is_below = [&](Group g, std::int32_t end) { return group > g && slot < end; };
        const auto is_above = [&](Group g, std::int32_t end) { return group <= g && slot >= end; };
        auto& [dynamic_end, moving_end, asleep_end] = ranges;
        if (is_below(Group::Dynamic, dynamic_end)) slot = exchange(slot, --dynamic_end);
        if (is_below(Group::Moving, moving_end)) slot = exchange(slot, --moving_end);
        if (is_below(Group::Asleep, asleep_end)) slot = exchange(slot, --asleep_end);
        if (is_above(Group::Asleep, asleep_end)) slot = exchange(slot, asleep_end++);
        if (is_above(Group::Moving, moving_end)) slot = exchange(slot, moving_end++);
        if (is_above(Group::Dynamic, dynamic_end)) slot = exchange(slot, dynamic_end++);
        return slot;
    }

    /// Swaps two bodies; returns `to`.
    std::int32_t exchange(std::int32_t from, std::int32_t to) {
        if (from == to) return to;
        for_each_column([&](auto& column) { std::swap(column[at(from)], column[at(to)]); });
        slots.relocate(ids[at(from)].index, from);
        slots.relocate(ids[at(to)].index, to);
        changed_slots.push_back(from);
        changed_slots.push_back(to);
        return to;
    }
};

}  // namespace phys2d::detail::inline PHYS2D_ABI

// SPDX-License-Identifier: MIT
// Bodies: the storage of a World, one column per property, in slot order.
//
// A slot holds a collider and the body it belongs to. The first collider of a body stands for the
// body; further colliders are its limbs, which have slots of the same role and copy the motion of
// the body. So every stage except the solver, which knows only bodies, treats all slots alike.
//
// Slots are dense and grouped by how bodies take part in a step, so that every stage is a loop over
// a range without a test in it:
//   [0, dynamic_count)              dynamic, finite mass: respond to impulses
//   [dynamic_count, moving_count)   kinematic, and dynamic of infinite mass: only move
//   [moving_count, static_begin)    dynamic, asleep
//   [static_begin, static_end)      static
//   [static_end, size)              switched off: no stage and no grid knows them
// Creating, destroying, retyping, waking or switching a body exchanges a few bodies' slots; ids
// stay.
#pragma once

#include <cstdint>
#include <utility>

#include <phys2d/bodies/contact_traits.hpp>
#include <phys2d/bodies/world_config.hpp>
#include <phys2d/core/index_set.hpp>
#include <phys2d/core/pool.hpp>
#include <phys2d/core/slot_map.hpp>
#include <phys2d/dynamics/mass.hpp>
#include <phys2d/dynamics/narrow_bodies.hpp>
#include <phys2d/dynamics/sleeping_contacts.hpp>
#include <phys2d/dynamics/slot_ranges.hpp>
#include <phys2d/terrain/terrain.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// How a body responds to forces.
struct BodyDynamics {
    float mass = 0.0f;          ///< [kg], whatever the type; 0 is infinite
    float inverse_mass = 0.0f;  ///< [1/kg]; 0 unless dynamic, finite and switched on
    float gravity_scale = 1.0f;
    float linear_damping = 0.0f;  ///< [1/s]
};

/// Progress of a body towards sleep. The bodies of a sleeping island form a ring.
struct BodyRest {
    static constexpr std::int32_t none = -1;
    static constexpr float never = -std::numeric_limits<float>::infinity();

    float still_time = 0.0f;             ///< [s]; `never` for a body that may not sleep
    std::int32_t next_in_island = none;  ///< index of an id; `none` for a body that is awake
    /// Of those stored while it sleeps, or StoredContact::none.
    std::int32_t first_contact = StoredContact::none;

    void restart() { still_time = min(still_time, 0.0f); }
};

/// The index of an id, as lists of indices store it.
[[nodiscard]] constexpr std::int32_t index_of(ColliderId id) {
    return static_cast<std::int32_t>(id.index);
}
/// The body that a collider is the first one of.
[[nodiscard]] constexpr BodyId body_with_first(ColliderId id) { return {id.index, id.generation}; }

/// Whether a collider stops bodies from any side.
[[nodiscard]] constexpr bool is_solid(const ColliderDef& collider) {
    return !collider.is_sensor && collider.one_way == OneWay::No;
}
/// Whether two colliders hold the same bodies from the same sides.
[[nodiscard]] constexpr bool hold_alike(const ColliderDef& a, const ColliderDef& b) {
    return a.filter == b.filter && a.is_sensor == b.is_sensor && a.one_way == b.one_way;
}

/// A collider about to be added.
struct NewCollider {
    static constexpr std::int32_t no_terrain = -1;

    Shape shape;
    Material material{};
    ColliderDef def{};
    std::uint64_t user_data = 0;
    std::int32_t terrain = no_terrain;  ///< see `Bodies::terrain_places`
};

/// The slot of a limb and the slot of its body.
struct Limb {
    std::int32_t slot;
    std::int32_t body;
};

struct Bodies {
    Array<Vec2> positions;
    Array<Vec2> velocities;
    Array<Vec2> previous_positions;
    Array<Vec2> forces;
    Array<BodyDynamics> dynamics;
    NarrowColumns narrow;
    Array<BodyRest> rests;
    Array<Shape> shapes;
    Array<Material> materials;
    Array<ColliderDef> colliders;
    Array<ContactTraits> traits;  ///< from collider and material; see `refresh_traits`
    Array<BodyType> types;
    Array<ColliderId> ids;
    Array<BodyId> owners;              ///< the bodies of the colliders
    Array<std::int32_t> next_of_body;  ///< the colliders of a body form a ring: indices of ids
    Array<bool> follows_density;       ///< of bodies: whether the mass does
    Array<std::uint64_t> user_data;
    Array<std::int32_t> terrain_places;  ///< no_terrain, or see `terrain_of`

    SlotMap slots;
    Pool<Terrain> terrains;
    SlotRanges ranges;
    /// Half extents of all bodies are at least this, in both directions [m].
    float smallest_half_extent = std::numeric_limits<float>::max();
    Scratch<unsigned char> scratch;
    IndexSet changed_slots;  ///< slots that have another body, or one of another role, by now
    IndexSet renewed;        ///< indices of ids: of bodies whose pairs have to be made anew

    std::int32_t one_way_count = 0;  ///< of colliders
    bool any_silent = false;         ///< whether a collider has, or had, no events
    std::size_t limb_count = 0;
    Array<Limb> limbs;               ///< moving limbs, once listed
    Array<std::int32_t> body_slots;  ///< per moving slot: the slot of its body; empty without limbs
    bool limbs_are_listed = false;

    [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(ids.size()); }

    /// Zero for bodies at rest: users may write to the column, so that it may hold anything there.
    [[nodiscard]] Vec2 velocity(std::int32_t slot) const {
        const bool would_move = !is_enabled(slot) && types[slot] != BodyType::Static;
        return ranges.is_moving(slot) || would_move ? velocities[slot] : Vec2{};
    }

    /// The translation in the last step [m].
    [[nodiscard]] Vec2 last_way(std::int32_t slot) const {
        return positions[slot] - previous_positions[slot];
    }

    /// Adds a body with its first collider.
    BodyId insert(const BodyDef& def, const NewCollider& collider, float mass) {
        const ColliderId id = slots.insert(size());
        owners.push_back(body_with_first(id));
        next_of_body.push_back(index_of(id));
        push_back(id, def, collider, mass);
        switch_to(true, size() - 1);
        return body_with_first(id);
    }

    /// Adds a collider to the body in a slot; that slot may change.
    ColliderId insert_limb(std::int32_t body, const NewCollider& collider) {
        const std::size_t i = at(body);
        const BodyDef def{.type = types[i],
                          .position = positions[i],
                          .velocity = velocities[i],
                          .mass = 0.0f,
                          .gravity_scale = dynamics[i].gravity_scale,
                          .linear_damping = dynamics[i].linear_damping};
        const ColliderId id = slots.insert(size());
        owners.push_back(owners[i]);
        next_of_body.push_back(next_of_body[i]);
        next_of_body[i] = index_of(id);
        push_back(id, def, collider, dynamics[i].mass);
        ++limb_count;
        switch_to(is_enabled(body), size() - 1);
        return id;
    }

    static constexpr std::int32_t no_terrain = NewCollider::no_terrain;
    /// The `terrain_places` entry of the collider of a tile kind. It stands for all tiles of the
    /// kind and has no place of its own. Applied to the entry it gives the terrain.
    [[nodiscard]] static constexpr std::int32_t kind_in(std::int32_t terrain) {
        return -2 - terrain;
    }
    /// Whether a collider is the surface of an outline or of a tile map.
    [[nodiscard]] bool is_terrain(std::int32_t slot) const {
        return terrain_places[slot] > no_terrain;
    }
    [[nodiscard]] bool is_tile_kind(std::int32_t slot) const {
        return terrain_places[slot] < no_terrain;
    }
    /// The terrain to which a collider belongs, as a surface or as a tile kind; else `no_terrain`.
    [[nodiscard]] std::int32_t terrain_of(std::int32_t slot) const {
        const std::int32_t place = terrain_places[slot];
        return place < no_terrain ? kind_in(place) : place;
    }

    /// Whether a collider is a shape.
    [[nodiscard]] bool has_shape(std::int32_t slot) const {
        return terrain_places[slot] == no_terrain;
    }
    [[nodiscard]] bool is_tile_map(std::int32_t slot) const {
        return is_terrain(slot) && terrain(slot).is_map();
    }
    /// Pre: !has_shape(slot).
    [[nodiscard]] const Terrain& terrain(std::int32_t slot) const {
        return terrains[terrain_of(slot)];
    }
    [[nodiscard]] Terrain& terrain(std::int32_t slot) { return terrains[terrain_of(slot)]; }
    /// The slot of what stands for the tiles of a map that have an id. Pre: the id is defined.
    [[nodiscard]] std::int32_t slot_of_kind(const Terrain& map, std::size_t id) const {
        return slots.slot_of(map.collider_of[id]);
    }

    /// Whether test(slot) is true for any collider of an existing body; asks its first collider
    /// first, and stops at the first one for which it is. `test` may change slots.
    [[nodiscard]] bool any_of(BodyId body, auto test) const {
        const std::int32_t first = index_of(first_collider(body));
        std::int32_t index = first;
        do {
            const std::int32_t slot = slots.slot_at(at(index));
            index = next_of_body[slot];
            if (test(slot)) return true;
        } while (index != first);
        return false;
    }
    /// Calls visit(slot) for each of them.
    void for_each_of(BodyId body, auto visit) const { (void)any_of(body, visiting(visit)); }
    /// The same for the body to which the collider in a slot belongs.
    void for_each_of(std::int32_t slot, auto visit) const { for_each_of(owners[slot], visit); }

    /// The mass of the collider in a slot [kg]; terrain and sensors added to a body have none.
    [[nodiscard]] float collider_mass(std::int32_t slot, const Shape& shape,
                                      const Material& material, const ColliderDef& collider) const {
        const bool is_added_sensor = collider.is_sensor && is_limb(slot);
        const bool has_mass = !is_added_sensor && has_shape(slot);
        return has_mass ? mass_of(shape, material.density) : 0.0f;
    }
    [[nodiscard]] float collider_mass(std::int32_t slot) const {
        return collider_mass(slot, shapes[slot], materials[slot], colliders[slot]);
    }
    /// The mass of all colliders of a body [kg].
    [[nodiscard]] float mass_by_density(BodyId body) const {
        float mass = 0.0f;
        for_each_of(body, [&](std::int32_t slot) { mass += collider_mass(slot); });
        return mass;
    }

    [[nodiscard]] bool is_one_way(std::int32_t slot) const {
        return (traits[slot].marks & ContactTraits::one_way) != 0;
    }
    /// Whether a collider blocks what meets it with a normal, which points out of it.
    [[nodiscard]] bool blocks(std::int32_t slot, Vec2 normal) const {
        return detail::blocks(direction_of(colliders[slot].one_way), normal);
    }
    [[nodiscard]] bool is_limb(std::int32_t slot) const {
        return ids[slot] != first_collider(owners[slot]);
    }
    [[nodiscard]] std::int32_t body_slot(std::int32_t slot) const {
        return slots.slot_of(owners[slot]);
    }
    /// The body of an existing collider.
    [[nodiscard]] BodyId owner_of(ColliderId id) const { return owners[slots.slot_of(id)]; }

    /// The mass against which an impulse between two colliders acts [kg]; 0 is infinite.
    [[nodiscard]] float reduced_mass(std::int32_t a, std::int32_t b) const {
        return inverse_mass_of(dynamics[a].inverse_mass + dynamics[b].inverse_mass);
    }

    /// Lists the moving limbs. To be called before a step uses `limbs` and `body_slots`.
    void list_limbs() {
        if (limbs_are_listed) return;
        limbs_are_listed = true;
        limbs.clear();
        body_slots.clear();
        if (limb_count == 0) return;
        for (std::int32_t slot = 0; slot < ranges.moving_count; ++slot) {
            body_slots.push_back(body_slot(slot));
            if (is_limb(slot)) limbs.push_back({slot, body_slots.back()});
        }
    }

    /// Erases a limb, or a body without limbs.
    void erase(std::int32_t slot) {
        if (is_limb(slot)) {
            unlink(slot);
            --limb_count;
        }
        exchange(move_to(Role::Off, slot), size() - 1);
        if (is_terrain(size() - 1)) terrains.remove(terrain_places.back());
        one_way_count -= is_one_way(size() - 1) ? 1 : 0;
        slots.erase(ids.back());
        for_each_column([](auto& column) { column.pop_back(); });
    }

    /// Erases a body and all its limbs.
    void erase_all_of(BodyId body) {
        while (true) {
            const std::int32_t slot = slots.slot_of(body);
            const auto next = at(next_of_body[slot]);
            erase(slots.slot_at(next));
            if (next == body.index) return;
        }
    }

    /// Gives slot i the body of slot order[i]. Pre: a permutation of the dynamic slots.
    void reorder(const Array<std::int32_t>& order) {
        limbs_are_listed = false;
        for_each_column([&](auto& column) {
            reorder_records(column.data(), sizeof(*column.data()), order, scratch);
        });
        for (std::size_t i = 0; i < order.size(); ++i) {
            slots.relocate(ids[i].index, static_cast<std::int32_t>(i));
            changed_slots.add(i);
        }
    }

    /// Has the pairs of a collider made anew.
    void renew(std::int32_t slot) {
        changed_slots.add(at(slot));
        renewed.add(ids[slot].index);
    }

    [[nodiscard]] std::int32_t sleeping_count() const {
        return ranges.static_begin - ranges.moving_count;
    }
    [[nodiscard]] bool is_asleep(std::int32_t slot) const { return ranges.is_asleep(slot); }

    /// Whether a body takes part in the world.
    [[nodiscard]] bool is_enabled(std::int32_t slot) const { return slot < ranges.static_end; }

    /// The shape of a collider at its position [m, world].
    [[nodiscard]] Shape placed_shape(std::int32_t slot) const {
        return translate(shapes[slot], positions[slot]);
    }

    /// Whether contacts between two colliders may be solved.
    [[nodiscard]] PHYS2D_INLINE bool may_touch(std::int32_t a, std::int32_t b) const {
        const std::uint32_t marks = traits[a].marks | traits[b].marks;
        const bool is_sensor_pair = (marks & ContactTraits::sensor) != 0;
        const bool is_one_body = (marks & ContactTraits::limb) != 0 && owners[a] == owners[b];
        return !is_sensor_pair && !is_one_body &&
               can_collide(traits[a].filter(), traits[b].filter());
    }

    /// Updates the traits of a slot from its collider and its material.
    void refresh_traits(std::int32_t slot) {
        const std::uint32_t marks = (is_limb(slot) ? ContactTraits::limb : 0) |
                                    (is_terrain(slot) ? ContactTraits::terrain : 0) |
                                    (is_tile_kind(slot) ? ContactTraits::tile_kind : 0);
        one_way_count -= is_one_way(slot) ? 1 : 0;
        traits[slot] = contact_traits(colliders[slot], materials[slot], marks);
        one_way_count += is_one_way(slot) ? 1 : 0;
        any_silent = any_silent || (traits[slot].marks & ContactTraits::silent) != 0;
    }

    /// Moves a body whose type, mass or sleep has changed among those of its role; a body that is
    /// already there, or is switched off, stays in its slot.
    void regroup(std::int32_t slot) { switch_to(is_enabled(slot), slot); }

    /// Switches a body on or off: moves it among those of its role, or behind all others.
    void switch_to(bool on, std::int32_t slot) {
        const Role role = on ? role_of(at(slot)) : Role::Off;
        const bool responds = role == Role::Dynamic || role == Role::Asleep;
        BodyDynamics& properties = dynamics[slot];
        properties.inverse_mass = responds ? inverse_mass_of(properties.mass) : 0.0f;
        if (role != Role::Dynamic) forces[slot] = {};
        refresh_narrow(move_to(role, slot));
    }

    /// Gives a collider of a dynamic body another mass [kg]. Pre: both are finite, so that it keeps
    /// its role.
    void set_finite_mass(std::int32_t slot, float mass) {
        const float inverse_mass = is_enabled(slot) ? inverse_mass_of(mass) : 0.0f;
        dynamics[slot].mass = mass;
        dynamics[slot].inverse_mass = inverse_mass;
        narrow.forms[slot].w = inverse_mass;
    }

    /// Updates the narrow phase's copy of position, shape, velocity and mass.
    void refresh_narrow(std::int32_t slot) {
        const std::size_t i = at(slot);
        const Shape& shape = shapes[i];
        const Vec2 center = positions[i] + shape.center;
        const Vec2 moving = velocity(slot);
        if (has_shape(slot)) {
            smallest_half_extent = min(smallest_half_extent, smaller_half_extent(shape));
        }
        narrow.motions[i] = {center.x, center.y, moving.x, moving.y};
        narrow.forms[i] = {shape.half_extents.x, shape.half_extents.y, shape.radius,
                           dynamics[i].inverse_mass};
    }

    void list_members(auto& archive) {
        with_columns([&](auto&... columns) {
            archive(*this, columns..., slots, terrains, ranges, smallest_half_extent, scratch,
                    changed_slots, renewed, one_way_count, any_silent, limb_count, limbs,
                    body_slots, limbs_are_listed);
        });
    }

private:
    void push_back(ColliderId id, const BodyDef& def, const NewCollider& collider, float mass) {
        changed_slots.add(at(size()));
        positions.push_back(def.position);
        velocities.push_back(def.type == BodyType::Static ? Vec2{} : def.velocity);
        previous_positions.push_back(def.position);
        forces.push_back({});
        dynamics.push_back({mass, 0.0f, def.gravity_scale, def.linear_damping});
        narrow.motions.push_back({});
        narrow.forms.push_back({});
        rests.push_back({.still_time = def.can_sleep ? 0.0f : BodyRest::never});
        shapes.push_back(collider.shape);
        materials.push_back(collider.material);
        colliders.push_back(collider.def);
        types.push_back(def.type);
        ids.push_back(id);
        follows_density.push_back(def.mass == mass_from_density);
        user_data.push_back(collider.user_data);
        terrain_places.push_back(collider.terrain);
        traits.push_back({});
        refresh_traits(size() - 1);
    }

    /// Takes a limb out of the ring of its body.
    void unlink(std::int32_t limb) {
        const std::int32_t index = index_of(ids[limb]);
        std::int32_t before = body_slot(limb);
        while (next_of_body[before] != index) {
            before = slots.slot_at(at(next_of_body[before]));
        }
        next_of_body[before] = next_of_body[limb];
    }

    /// Calls work(columns...) with all columns, in the order in which they are saved.
    void with_columns(auto work) {
        work(positions, velocities, previous_positions, forces, dynamics, narrow.motions,
             narrow.forms, rests, shapes, materials, colliders, traits, types, ids, owners,
             next_of_body, follows_density, user_data, terrain_places);
    }
    void for_each_column(auto visit) {
        with_columns([&](auto&... columns) { (visit(columns), ...); });
    }

    /// The role of a body that is on.
    [[nodiscard]] Role role_of(std::size_t slot) const {
        if (types[slot] == BodyType::Static) return Role::Static;
        const bool responds = types[slot] == BodyType::Dynamic && dynamics[slot].mass > 0.0f;
        if (!responds) return Role::Moving;
        return rests[slot].next_in_island == BodyRest::none ? Role::Dynamic : Role::Asleep;
    }

    /// Moves a body among those of a role, across one border after the other; returns its slot.
    std::int32_t move_to(Role role, std::int32_t slot) {
        limbs_are_listed = false;
        std::int32_t* const ends[] = {&ranges.dynamic_count, &ranges.moving_count,
                                      &ranges.static_begin, &ranges.static_end};
        const auto before = static_cast<std::size_t>(role);  // ends before that role
        for (std::size_t i = 0; i < before; ++i) {
            if (slot < *ends[i]) slot = exchange(slot, --*ends[i]);
        }
        for (auto i = static_cast<std::size_t>(Role::Off); i-- > before;) {
            if (slot >= *ends[i]) slot = exchange(slot, (*ends[i])++);
        }
        return slot;
    }

    /// Swaps two bodies; returns `to`.
    std::int32_t exchange(std::int32_t from, std::int32_t to) {
        changed_slots.add(at(from));
        changed_slots.add(at(to));
        if (from == to) return to;
        for_each_column([&](auto& column) { std::swap(column[from], column[to]); });
        slots.relocate(ids[from].index, from);
        slots.relocate(ids[to].index, to);
        return to;
    }
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

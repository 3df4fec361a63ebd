// SPDX-License-Identifier: MIT
// Lifetime: how are bodies and colliders created and destroyed?
#pragma once

#include <phys2d/stages/dropping.hpp>
#include <phys2d/world/body_ref.hpp>
#include <phys2d/world/checks.hpp>
#include <phys2d/world/tile_map_ref.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Adds a body whose arguments have been checked.
inline BodyId insert_body(WorldState& world, const BodyDef& def, const NewCollider& collider,
                          float mass) {
    const bool is_immovable = def.type != BodyType::Dynamic || mass == 0.0f;
    const bool may_carry = is_immovable && !collider.def.is_sensor;
    if (may_carry) wake_around(world, translate(bounds(collider.shape), def.position));
    const BodyId id = world.bodies.insert(def, collider, mass);
    world.broad_phase.note_change(first_collider(id));
    world.note_if_static(world.bodies.slots.slot_of(id));
    if (collider.def.is_sensor) list_sensor(world, first_collider(id));
    return id;
}

inline BodyId create_body(WorldState& world, const BodyDef& def, const Shape& shape,
                          const Material& material, const ColliderDef& collider) {
    constexpr const char* call = "create_body";
    world.require_unlocked(call);
    require_valid(def, world.config.gravity, call);
    require_valid(shape, call);
    require_valid(material, call);
    require_valid(collider, call);
    const bool by_density = def.mass == mass_from_density;
    const float mass = by_density ? checked_mass(mass_of(shape, material.density), shape, call)
                                  : checked_mass(def.mass, call);
    return insert_body(world, def, {shape, material, collider, def.user_data}, mass);
}

inline BodyId create_body(WorldState& world, const BodyDef& def, const Outline& outline,
                          const Material& material, const ColliderDef& collider) {
    constexpr const char* call = "create_body";
    world.require_unlocked(call);
    require_valid(def, world.config.gravity, call);
    require_immovable(def.type, call);
    require_valid(material, call);
    require_valid(collider, call);
    const float mass = def.mass == mass_from_density ? 0.0f : checked_mass(def.mass, call);
    const std::int32_t terrain =
        world.bodies.terrains.add(Terrain(outline, world.config.length_unit));
    return insert_body(world, def, {outline.bounds(), material, collider, def.user_data, terrain},
                       mass);
}

inline BodyId create_tile_map(WorldState& world, const TileMapDef& def) {
    constexpr const char* call = "create_tile_map";
    world.require_unlocked(call);
    const BodyDef body{
        .type = def.type, .position = def.position, .mass = 0.0f, .user_data = def.user_data};
    require_valid(body, world.config.gravity, call);
    require_immovable(def.type, call);
    require_positive(def.tile_size, call, "tile_size");
    require(def.bytes_per_tile == 1 || def.bytes_per_tile == 2,
            "%s: bytes_per_tile is %d, expected 1 or 2", call, def.bytes_per_tile);
    TileGrid grid(def.bytes_per_tile);
    const std::int32_t place = world.bodies.terrains.add({});
    const float half = 0.5f * def.tile_size;
    const NewCollider map{.shape = Box{{half, half}}, .user_data = def.user_data, .terrain = place};
    const BodyId id = insert_body(world, body, map, 0.0f);
    Terrain& terrain = world.bodies.terrains[place];
    terrain.collider_of.push_back(first_collider(id));
    terrain.map.kinds.push_back({});
    terrain.map.tile_size = def.tile_size;
    terrain.map.grid = static_cast<TileGrid&&>(grid);
    return id;
}

/// Adds a collider whose arguments have been checked; the body's mass becomes `mass`.
inline ColliderId insert_collider(WorldState& world, BodyId body, const NewCollider& collider,
                                  float mass) {
    Bodies& bodies = world.bodies;
    wake(world, body);
    std::int32_t slot = bodies.slots.slot_of(body);
    const bool is_immovable = bodies.dynamics[slot].inverse_mass == 0.0f;
    if (is_immovable && bodies.is_enabled(slot) && !collider.def.is_sensor) {
        wake_around(world, translate(bounds(collider.shape), bodies.positions[slot]));
        slot = bodies.slots.slot_of(body);
    }
    const ColliderId id = bodies.insert_limb(slot, collider);
    world.broad_phase.note_change(id);
    if (collider.def.is_sensor) list_sensor(world, id);
    world.broad_phase.forget_pairs_of(bodies, id);
    join_drops(world, body);
    give_mass(world, body, mass);
    return id;
}

inline ColliderId add_collider(WorldState& world, BodyId body, const Shape& shape,
                               const Material& material, const ColliderDef& def) {
    constexpr const char* call = "add_collider";
    world.require_unlocked(call);
    const Bodies& bodies = world.bodies;
    const std::int32_t before = world.slot_of(body, call);
    require_valid(shape, call);
    require_valid(material, call);
    require_valid(def, call);
    const bool grows = bodies.follows_density[before] && !def.is_sensor;
    const float more = grows ? mass_of(shape, material.density) : 0.0f;
    const float mass = checked_mass(bodies.dynamics[before].mass + more, shape, call);
    require_bears(world, body, mass, call);
    return insert_collider(world, body, {shape, material, def, bodies.user_data[before]}, mass);
}

inline ColliderId add_collider(WorldState& world, BodyId body, const Outline& outline,
                               const Material& material, const ColliderDef& def) {
    constexpr const char* call = "add_collider";
    world.require_unlocked(call);
    const std::int32_t before = world.slot_of(body, call);
    require_immovable(world.bodies.types[before], call);
    require_valid(material, call);
    require_valid(def, call);
    const std::int32_t terrain =
        world.bodies.terrains.add(Terrain(outline, world.config.length_unit));
    const std::uint64_t user_data = world.bodies.user_data[before];
    return insert_collider(world, body, {outline.bounds(), material, def, user_data, terrain},
                           world.bodies.dynamics[before].mass);
}

/// Remembers a collider for its last events before it is destroyed, if it has been in a step.
inline void remember_for_events(WorldState& world, ColliderId id) {
    if (world.broad_phase.has_met(id)) {
        world.events.gone.add(id.index, {id, world.name_of(id)});
    }
    world.dropped_through.forget(id);
}

inline void destroy_collider(WorldState& world, ColliderId id) {
    constexpr const char* call = "destroy_collider";
    world.require_unlocked(call);
    Bodies& bodies = world.bodies;
    const std::int32_t before = world.slot_of(id, call);
    require(bodies.is_limb(before),
            "%s: collider %u is the first of its body, expected one that was added", call,
            id.index);
    require(!bodies.is_tile_kind(before),
            "%s: collider %u stands for tiles of a map, expected one that was added to its body",
            call, id.index);
    const float mass = mass_if(world, before, bodies.shapes[before], 0.0f, call);
    const std::int32_t slot = wake_with_leaning(world, id);
    const BodyId body = bodies.owners[slot];
    remember_for_events(world, id);
    world.note_if_static(slot);
    bodies.erase(slot);
    give_mass(world, body, mass);
}

inline void destroy_body(WorldState& world, BodyId id) {
    world.require_unlocked("destroy_body");
    (void)world.slot_of(id, "destroy_body");
    wake_with_leaning(world, id);
    world.bodies.for_each_of(id, [&](std::int32_t part) {
        remember_for_events(world, world.bodies.ids[part]);
        world.note_if_static(part);
    });
    world.ignored.forget(id);
    world.bodies.erase_all_of(id);
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

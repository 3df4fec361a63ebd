// SPDX-License-Identifier: MIT
// ColliderRef: read and write access to one collider of a World; everything that holds for a
// BodyRef and its body holds for it.
#pragma once

#include <phys2d/stages/sensor_list.hpp>
#include <phys2d/stages/special_pairs.hpp>
#include <phys2d/stages/waking.hpp>
#include <phys2d/world/checks.hpp>
#include <phys2d/world/tile_edits.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Sets the mass [kg] of a body; all its colliders store it while it is dynamic, and their pairs
/// depend on it.
inline void give_mass(WorldState& world, BodyId body, float mass) {
    Bodies& bodies = world.bodies;
    const std::int32_t first = bodies.slots.slot_of(body);
    const float before = bodies.dynamics[first].mass;
    if (mass == before) return;
    bodies.dynamics[first].mass = mass;
    if (bodies.types[first] != BodyType::Dynamic) return;
    const bool changes_group = (mass == 0.0f) != (before == 0.0f);
    // What no step has met has no pairs: a body is built collider by collider.
    const bool is_met = world.broad_phase.has_met(first_collider(body));
    if (is_met) world.broad_phase.forget_pairs_of(bodies, body);
    bodies.for_each_of(body, [&](std::int32_t slot) {
        if (!changes_group) return bodies.set_finite_mass(slot, mass);
        world.broad_phase.note_change(bodies.ids[slot]);
        bodies.dynamics[slot].mass = mass;
        bodies.regroup(slot);
    });
}

/// Refuses a mass [kg] so small that what acts on the body in the next steps would accelerate it
/// too much.
inline void require_bears(const WorldState& world, BodyId body, float mass, const char* call) {
    const Bodies& bodies = world.bodies;
    const float inverse_mass = inverse_mass_of(mass);
    require_valid_force(bodies.forces[bodies.slots.slot_of(body)], inverse_mass, call);
    // Nearly always all of them are far from too much.
    if (mul(world.most_impulse, inverse_mass) <= most_moderate) return;
    for (const BodyImpulse& impulse : world.impulses) {
        if (impulse.body != body) continue;
        require_moderate(impulse.rest.impulse * inverse_mass, call, "impulse / mass");
    }
}

/// The mass [kg] of a body if one of its colliders, of `shape`, had the mass `part`. A mass that
/// does not follow from densities is unchanged.
[[nodiscard]] inline float mass_if(const WorldState& world, std::int32_t slot, const Shape& shape,
                                   float part, const char* call) {
    const Bodies& bodies = world.bodies;
    const BodyId body = bodies.owners[slot];
    const std::int32_t first = bodies.slots.slot_of(body);
    if (!bodies.follows_density[first]) return bodies.dynamics[first].mass;
    float sum = 0.0f;
    bodies.for_each_of(body, [&](std::int32_t other) {
        sum += other == slot ? part : bodies.collider_mass(other);
    });
    const float mass = checked_mass(sum, shape, call);
    require_bears(world, body, mass, call);
    return mass;
}
/// The same if the collider were replaced.
[[nodiscard]] inline float mass_with(const WorldState& world, std::int32_t slot, const Shape& shape,
                                     const Material& material, const ColliderDef& collider,
                                     const char* call) {
    const float part = world.bodies.collider_mass(slot, shape, material, collider);
    return mass_if(world, slot, shape, part, call);
}

inline void set_shape(WorldState& world, ColliderId id, const Shape& shape) {
    require_valid(shape, "set_shape");
    Bodies& bodies = world.bodies;
    const std::int32_t before = bodies.slots.slot_of(id);
    require(bodies.has_shape(before),
            "set_shape: collider %u is terrain, expected one that has a shape", id.index);
    const float mass = mass_with(world, before, shape, bodies.materials[before],
                                 bodies.colliders[before], "set_shape");
    const std::int32_t i = wake_with_leaning(world, id);
    world.note_if_static(i);
    bodies.shapes[i] = shape;
    world.broad_phase.note_change(id);
    bodies.refresh_narrow(i);
    wake_with_leaning(world, id);
    world.broad_phase.forget_pairs_of(bodies, id);
    give_mass(world, bodies.owner_of(id), mass);
}

/// Rotates all shapes of a body about its position by quarter turns, counter-clockwise. No mass
/// changes by that. Pre: the body has no terrain.
inline void turn(WorldState& world, BodyId body, int quarters) {
    Bodies& bodies = world.bodies;
    wake_with_leaning(world, body);
    bodies.for_each_of(body, [&](std::int32_t part) {
        world.note_if_static(part);
        for (int i = 0; i < quarters; ++i) {
            const Shape& shape = bodies.shapes[part];
            const Vec2 half{shape.half_extents.y, shape.half_extents.x};
            bodies.shapes[part] = RoundedBox{half, shape.radius, perpendicular(shape.center)};
        }
        world.broad_phase.note_change(bodies.ids[part]);
        bodies.refresh_narrow(part);
    });
    wake_with_leaning(world, body);
    world.broad_phase.forget_pairs_of(bodies, body);
}

inline void require_no_tile_map(const Bodies& bodies, std::int32_t slot, const char* call) {
    require(!bodies.is_tile_map(slot),
            "%s: body %u is a tile map, expected the collider of one of its kinds", call,
            bodies.ids[slot].index);
}

/// Restarts the time to sleep of the bodies near a collider: on another surface they may begin to
/// slide, slowly at first.
inline void restart_rests_around(WorldState& world, std::int32_t slot) {
    if (world.config.time_to_sleep == 0.0f) return;
    Bodies& bodies = world.bodies;
    world.broad_phase.sort_news_at_times(bodies);
    world.broad_phase.for_each_body_in(
        bodies, expand(box_of(bodies, slot), 2.0f * world.contact_margin()),
        [&](std::int32_t other) { bodies.rests[other].restart(); }, Among::Moving);
}

inline void set_material(WorldState& world, ColliderId id, const Material& material) {
    require_valid(material, "set_material");
    Bodies& bodies = world.bodies;
    const std::int32_t before = bodies.slots.slot_of(id);
    require_no_tile_map(bodies, before, "set_material");
    const float mass = mass_with(world, before, bodies.shapes[before], material,
                                 bodies.colliders[before], "set_material");
    const std::int32_t i = wake_with_leaning(world, id);
    restart_rests_around(world, i);
    bodies.materials[i] = material;
    bodies.refresh_traits(i);
    world.broad_phase.forget_pairs_of(bodies, id);
    give_mass(world, bodies.owners[i], mass);
}

inline void set_collider(WorldState& world, ColliderId id, const ColliderDef& collider,
                         const char* call) {
    require_valid(collider, call);
    Bodies& bodies = world.bodies;
    const std::int32_t before = bodies.slots.slot_of(id);
    require_no_tile_map(bodies, before, call);
    const float mass =
        mass_with(world, before, bodies.shapes[before], bodies.materials[before], collider, call);
    const std::int32_t i = wake_with_leaning(world, id);
    const OneWay side = bodies.colliders[i].one_way;
    bodies.colliders[i] = collider;
    bodies.refresh_traits(i);
    if (side != collider.one_way) {
        const auto became = side == OneWay::No ? BecameOneWay::Yes : BecameOneWay::No;
        let_go(world, bodies.owners[i], became);
    }
    if (collider.is_sensor) list_sensor(world, id);
    if (bodies.is_tile_kind(i)) {
        refresh_kinds(world, bodies.terrain_of(i));
    }
    world.broad_phase.forget_pairs_of(bodies, id);
    give_mass(world, bodies.owners[i], mass);
    wake_with_leaning(world, id);
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

namespace phys2d::inline PHYS2D_ABI {

/// Read access to a collider, O(1) a call unless noted. Values that a call of ColliderRef can
/// change are returned as constants, as those of a body are.
class ConstColliderRef {
public:
    ConstColliderRef(const detail::WorldState& state, ColliderId id) : state_(&state), id_(id) {}

    [[nodiscard]] ColliderId id() const { return id_; }
    [[nodiscard]] BodyId body() const { return state_->bodies.owners[slot("body")]; }
    /// Relative to the body's position [m]. Meaningless for terrain.
    [[nodiscard]] const Shape shape() const { return state_->bodies.shapes[slot("shape")]; }
    /// True for outlines, tile maps and kinds of tiles, whose shape() is meaningless.
    [[nodiscard]] bool is_terrain() const { return !state_->bodies.has_shape(slot("is_terrain")); }
    /// [m, world]. For a kind of tile, the box of its whole map.
    [[nodiscard]] AABB bounds() const { return detail::box_of(state_->bodies, slot("bounds")); }
    /// Calls visit(piece) for each convex piece of terrain that overlaps or touches a box [m,
    /// world]: a HalfSpace, or a Polygon, which for a segment has two vertices. The pieces of a
    /// kind of tile are tiles, those of the first collider of a map the open sides of all tiles,
    /// those of a chain its segments, if it has two sides each once a side. An error for a collider
    /// with a shape. `visit` must not change the world.
    template <class Visit>
    void for_each_piece(const AABB& box, Visit visit) const {
        constexpr const char* call = "for_each_piece";
        detail::require_valid(box, call);
        const std::int32_t terrain = slot(call);
        detail::require(!state_->bodies.has_shape(terrain),
                        "%s: collider %u has a shape, expected terrain", call, id_.index);
        detail::for_each_solid(state_->bodies, terrain, box, [&](const auto& solid) {
            if (!overlaps(solid, Shape(box))) return;
            const auto piece = detail::in_world(solid);
            visit(piece);
        });
    }
    [[nodiscard]] const Material material() const {
        return state_->bodies.materials[slot("material")];
    }
    [[nodiscard]] const ColliderDef def() const { return state_->bodies.colliders[slot("def")]; }
    [[nodiscard]] const Filter filter() const {
        return state_->bodies.colliders[slot("filter")].filter;
    }
    [[nodiscard]] std::uint64_t user_data() const {
        return state_->bodies.user_data[slot("user_data")];
    }

protected:
    [[nodiscard]] std::int32_t slot(const char* call) const { return state_->slot_of(id_, call); }

private:
    const detail::WorldState* state_;
    ColliderId id_;
};

/// Read and write access to a collider.
class ColliderRef : public ConstColliderRef {
public:
    ColliderRef(detail::WorldState& state, ColliderId id)
        : ConstColliderRef(state, id), state_(&state) {}

    /// See BodyRef::set_shape.
    void set_shape(const Shape& shape) {
        require_unlocked("set_shape");
        detail::set_shape(*state_, id(), shape);
    }

    /// See BodyRef::set_material.
    void set_material(const Material& material) {
        require_unlocked("set_material");
        detail::set_material(*state_, id(), material);
    }

    /// See BodyRef::set_collider_def.
    void set_def(const ColliderDef& def) {
        require_unlocked("set_def");
        detail::set_collider(*state_, id(), def, "set_def");
    }
    /// The same for the filter alone.
    void set_filter(const Filter& filter) {
        ColliderDef changed = state_->bodies.colliders[require_unlocked("set_filter")];
        changed.filter = filter;
        detail::set_collider(*state_, id(), changed, "set_filter");
    }

    void set_user_data(std::uint64_t data) {
        state_->bodies.user_data[require_unlocked("set_user_data")] = data;
    }

private:
    /// Refuses a call during a step; returns the slot, which waking may change.
    std::int32_t require_unlocked(const char* call) const {
        state_->require_unlocked(call);
        return slot(call);
    }

    detail::WorldState* state_;
};

}  // namespace phys2d::inline PHYS2D_ABI

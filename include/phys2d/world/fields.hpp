// SPDX-License-Identifier: MIT
// Explosions and accelerations: what acts on all bodies in a region?
#pragma once

#include <phys2d/world/body_ref.hpp>
#include <phys2d/world/checks.hpp>
#include <phys2d/world/queries.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// An explosion: see `World::explode`. `radius` and `falloff` are >= 0, and their sum is from 1e-30
/// to 1e30.
struct Explosion {
    Vec2 center{};         ///< [m, world]
    float radius = 1.0f;   ///< full impulse up to this distance from the center to the surface [m]
    float falloff = 1.0f;  ///< beyond `radius` the impulse falls linearly to 0 within this [m]
    float impulse = 1.0f;  ///< per body, whatever its size; negative attracts [N·s]
    QueryFilter filter{};  ///< which colliders it reaches; of dynamic bodies
};

namespace detail {

inline void require_valid(const Explosion& explosion, const char* call) {
    require_finite(explosion.center, call, "center");
    require_not_negative(explosion.radius, call, "radius");
    require_not_negative(explosion.falloff, call, "falloff");
    require_finite(explosion.impulse, call, "impulse");
    require_positive(static_cast<double>(explosion.radius) + static_cast<double>(explosion.falloff),
                     call, "radius + falloff");
}

/// The bodies of finite mass that overlap or touch a shape, each once, in the order of their
/// indices; valid until the next call.
[[nodiscard]] inline const Array<BodyId>& bodies_in(WorldState& world, const Shape& shape,
                                                    const QueryFilter& filter) {
    Array<BodyId>& found = world.found;
    found.clear();
    const Bodies& bodies = world.bodies;
    world.broad_phase.sort_news_at_times(bodies);
    world.broad_phase.for_each_body_in(bodies, bounds(shape), [&](std::int32_t slot) {
        const bool is_in = bodies.dynamics[slot].inverse_mass > 0.0f &&
                           sees(filter, bodies, slot) && overlaps(bodies, slot, shape);
        if (is_in) found.push_back(bodies.owners[slot]);
    });
    shell_sort(found);
    found.remove_repeats();
    return found;
}

/// The manifold of a shape with the collider of a body that it is nearest to or deepest in, among
/// those that a filter sees.
[[nodiscard]] inline Manifold nearest_of(const Bodies& bodies, BodyId body, const Shape& shape,
                                         const QueryFilter& filter) {
    Manifold nearest{{}, -std::numeric_limits<float>::max(), {}};
    bodies.for_each_of(body, [&](std::int32_t slot) {
        if (!sees(filter, bodies, slot)) return;
        const Manifold manifold = collide(shape, bodies.placed_shape(slot));
        if (manifold.penetration > nearest.penetration) nearest = manifold;
    });
    return nearest;
}

/// The impulse of an explosion on a body.
[[nodiscard]] inline Vec2 impulse_on(const Bodies& bodies, BodyId id, const Explosion& explosion) {
    const Circle center{0.0f, explosion.center};
    const Manifold manifold = nearest_of(bodies, id, center, explosion.filter);
    const float beyond = max(-manifold.penetration - explosion.radius, 0.0f);
    const float part = beyond == 0.0f ? 1.0f : 1.0f - beyond / explosion.falloff;
    return manifold.normal * mul(explosion.impulse, max(part, 0.0f));
}

inline void explode(WorldState& world, const Explosion& explosion) {
    constexpr const char* call = "explode";
    world.require_unlocked(call);
    require_valid(explosion, call);
    const Shape reach = Circle{explosion.radius + explosion.falloff, explosion.center};
    const Array<BodyId>& inside = bodies_in(world, reach, explosion.filter);
    for (const BodyId id : inside) {
        const ConstBodyRef body(world, id);
        const Vec2 change = impulse_on(world.bodies, id, explosion) * body.inverse_mass();
        require_moderate(body.velocity() + change, call, "the velocity after it");
    }
    for (const BodyId id : inside) {
        BodyRef(world, id).apply_impulse(impulse_on(world.bodies, id, explosion));
    }
}

inline void accelerate(WorldState& world, const Shape& region, Vec2 acceleration,
                       const QueryFilter& filter) {
    constexpr const char* call = "apply_acceleration";
    world.require_unlocked(call);
    require_valid(region, call);
    require_finite(acceleration, call, "acceleration");
    const Array<BodyId>& inside = bodies_in(world, region, filter);
    for (const BodyId id : inside) {
        const ConstBodyRef body(world, id);
        const Vec2 force = acceleration * body.mass();
        require_finite(force, call, "acceleration * mass");
        require_valid_force(body.force() + force, body.inverse_mass(), call);
    }
    for (const BodyId id : inside) {
        BodyRef body(world, id);
        body.apply_force(acceleration * body.mass());
    }
}

}  // namespace detail
}  // namespace phys2d::inline PHYS2D_ABI

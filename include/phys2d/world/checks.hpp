// SPDX-License-Identifier: MIT
// Checks: which arguments of public calls are errors, and with which message?
#pragma once

#include <phys2d/bodies/world_config.hpp>
#include <phys2d/core/error.hpp>
#include <phys2d/shapes/shape.hpp>
#include <phys2d/terrain/tile_map.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

inline void require_finite(Vec2 v, const char* call, const char* what) {
    require(is_finite(v), "%s: %s is (%g, %g), expected finite numbers", call, what, v.x, v.y);
}

inline void require_finite(float x, const char* call, const char* what) {
    require(is_finite(x), "%s: %s is %g, expected a finite number", call, what, x);
}

template <class Real>
void require_between(Real x, Real least, Real most, const char* call, const char* what) {
    require(x >= least && x <= most, "%s: %s is %g, expected a number from %g to %g", call, what, x,
            least, most);
}

/// The most that speeds [m/s], accelerations [m/s²] and what a mover has may be, along each axis:
/// bounces of what is faster may overflow, and sums over all steps of a game stay finite.
inline constexpr float most_moderate = 1e30f;

[[nodiscard]] constexpr bool is_moderate(Vec2 v) {
    return is_finite(v) && max(abs(v.x), abs(v.y)) <= most_moderate;
}

inline void require_moderate(Vec2 v, const char* call, const char* what) {
    require(is_moderate(v), "%s: %s is (%g, %g), expected finite numbers from %g to %g", call, what,
            v.x, v.y, -most_moderate, most_moderate);
}

/// The same for what is not negative.
inline void require_moderate(float x, const char* call, const char* what) {
    require_between(x, 0.0f, most_moderate, call, what);
}

inline void require_not_negative(float x, const char* call, const char* what) {
    require(is_finite(x) && x >= 0.0f, "%s: %s is %g, expected a finite number >= 0", call, what,
            x);
}

template <class Real>
void require_positive(Real x, const char* call, const char* what) {
    require_between(x, static_cast<Real>(1e-30), static_cast<Real>(1e30), call, what);
}

/// Accepts a box that is a point.
inline void require_valid(const AABB& box, const char* call) {
    require(is_valid(box) && is_finite(size(box)) && is_finite(center(box)),
            "%s: the box goes from (%g, %g) to (%g, %g), expected a finite one with min <= max",
            call, box.min.x, box.min.y, box.max.x, box.max.y);
}

/// Accepts a shape that is a point.
inline void require_no_negative_size(const Shape& shape, const char* call) {
    require_finite(shape.center, call, "the shape's center");
    require_not_negative(shape.radius, call, "the shape's radius");
    require_not_negative(shape.half_extents.x, call, "the shape's half extent x");
    require_not_negative(shape.half_extents.y, call, "the shape's half extent y");
}

inline void require_valid(const Shape& shape, const char* call) {
    require_no_negative_size(shape, call);
    const Vec2 outer = outer_half_extents(shape);
    require(is_valid(shape), "%s: the shape is %g by %g, expected a finite size > 0 both ways",
            call, 2.0f * outer.x, 2.0f * outer.y);
}

inline void require_valid(const Material& material, const char* call) {
    require_between(material.restitution, 0.0f, 1.0f, call, "restitution");
    require_between(material.friction, 0.0f, Material::max_friction, call, "friction");
    require_not_negative(material.density, call, "density");
    require_moderate(material.surface_velocity, call, "surface velocity");
}

/// The mass [kg], if it is valid; 0 is infinite.
inline float checked_mass(float mass, const char* call) {
    require_not_negative(mass, call, "mass");
    require(mass == 0.0f || mass >= std::numeric_limits<float>::min(),
            "%s: mass is %g, expected 0 or at least %g", call, mass,
            std::numeric_limits<float>::min());
    return mass;
}

/// The mass [kg] that a shape contributes to, if it is valid.
inline float checked_mass(float mass, const Shape& shape, const char* call) {
    const Vec2 outer = outer_half_extents(shape);
    require(is_finite(mass) || is_finite(area(shape)),
            "%s: the shape is %g by %g, expected an area that is a finite number", call,
            2.0f * outer.x, 2.0f * outer.y);
    return checked_mass(mass, call);
}

/// Longest step [s]: in much longer ones what falls comes to infinity.
inline constexpr float longest_step = 1e9f;

/// The config, if all its values are valid.
inline const WorldConfig& checked(const WorldConfig& config) {
    constexpr const char* call = "World";
    require_moderate(config.gravity, call, "gravity");
    require_between(config.time_step, 1e-30f, longest_step, call, "time_step");
    require_positive(config.length_unit, call, "length_unit");
    require_positive(config.contact_hertz, call, "contact_hertz");
    require_positive(config.contact_damping_ratio, call, "contact_damping_ratio");
    require_not_negative(config.contact_push_speed, call, "contact_push_speed");
    require_not_negative(config.restitution_threshold, call, "restitution_threshold");
    require_not_negative(config.contact_margin, call, "contact_margin");
    require_not_negative(config.time_to_sleep, call, "time_to_sleep");
    require_not_negative(config.sleep_speed, call, "sleep_speed");
    require_not_negative(config.hit_speed, call, "hit_speed");
    require(config.substeps >= 1 && config.substeps <= config.most_substeps,
            "%s: substeps is %d, expected 1 to %d", call, config.substeps, config.most_substeps);
    require(config.max_steps_per_advance >= 1,
            "%s: max_steps_per_advance is %d, expected at least 1", call,
            config.max_steps_per_advance);
    require(config.mix_friction != nullptr, "%s: mix_friction is null, expected a function", call);
    require(config.mix_restitution != nullptr, "%s: mix_restitution is null, expected a function",
            call);
    return config;
}

inline void require_valid(BodyType type, const char* call) {
    require(type <= BodyType::Dynamic, "%s: type is %d, expected one of BodyType", call,
            static_cast<int>(type));
}

inline void require_valid(const ColliderDef& collider, const char* call) {
    require(collider.one_way <= OneWay::Right, "%s: one_way is %d, expected one of OneWay", call,
            static_cast<int>(collider.one_way));
}

/// Terrain cannot be dynamic.
inline void require_immovable(BodyType type, const char* call) {
    require(type != BodyType::Dynamic,
            "%s: the body has terrain and is to be dynamic, expected Static or Kinematic; circles, "
            "boxes, capsules and rounded boxes may be dynamic",
            call);
}

inline void require_valid_tile(const Polygon& shape, const char* call) {
    require_convex(shape, TileKind::most_corners, call, "the tile");
    const AABB box = bounds(shape);
    require(box.min.x >= 0.0f && box.min.y >= 0.0f && box.max.x <= 1.0f && box.max.y <= 1.0f,
            "%s: the tile goes from (%g, %g) to (%g, %g), expected it within (0, 0) and (1, 1)",
            call, box.min.x, box.min.y, box.max.x, box.max.y);
}

/// The sum of the forces on a body.
inline void require_valid_force(Vec2 sum, float inverse_mass, const char* call) {
    require_finite(sum, call, "the sum of forces");
    require_moderate(sum * inverse_mass, call, "the sum of forces / mass");
}

inline void require_valid_gravity(Vec2 gravity, float gravity_scale, const char* call) {
    require_moderate(gravity * gravity_scale, call, "gravity * gravity scale");
}

inline void require_valid(const BodyDef& def, Vec2 gravity, const char* call) {
    require_valid(def.type, call);
    require_finite(def.position, call, "position");
    require_moderate(def.velocity, call, "velocity");
    require_finite(def.gravity_scale, call, "gravity scale");
    require_valid_gravity(gravity, def.gravity_scale, call);
    require_not_negative(def.linear_damping, call, "linear damping");
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// WorldState: everything a World is, as one value without pointers, and the checks at its door.
#pragma once


#include <phys2d/core/error.hpp>
#include <phys2d/dynamics/timed_impulse.hpp>
#include <phys2d/world/broad_phase.hpp>
#include <phys2d/world/fixed_stepper.hpp>
#include <phys2d/world/step_stats.hpp>

namespace phys2d::detail::inline PHYS2D_ABI {

struct BodyImpulse {
    BodyId body;
    TimedImpulse rest;
};

struct WorldState {
    WorldConfig config;
    Bodies bodies;
    BroadPhase broad_phase;
    ContactPairs pairs;
    Contacts contacts;
    SolverBodies solver;
    Array<BodyImpulse> impulses;
    FixedStepper stepper{1.0, 1};
    StepStats stats;
    std::uint64_t step_count = 0;
    double time_scale = 1.0;
    bool is_paused = false;
    bool is_stepping = false;

    /// The slot of a living body; any other id is an error that names itself and the `call`.
    [[nodiscard]] std::int32_t slot_of(BodyId id, const char* call) const {
        const std::int32_t slot = bodies.slots.slot_of(id);
        require(slot != SlotMap::no_slot,
                "%s: body %u of generation %u does not exist, expected the id of a living body", call,
                id.index, id.generation);
        return slot;
    }

    /// To be called before anything is changed.
    void require_unlocked(const char* call) const {
        require(!is_stepping, "%s: the world is inside step(), expected a call between two steps",
                call);
    }

    void forget_statics_if(BodyType type) {
        if (type == BodyType::Static) broad_phase.forget_statics();
    }
};

inline void require_finite(Vec2 v, const char* call, const char* what) {
    require(is_finite(v), "%s: %s is (%g, %g), expected finite numbers", call, what, v.x, v.y);
}

inline void require_finite(float x, const char* call, const char* what) {
    require(is_finite(x), "%s: %s is %g, expected a finite number", call, what, x);
}

inline void require_not_negative(float x, const char* call, const char* what) {
    require(is_finite(x) && x >= 0.0f, "%s: %s is %g, expected a finite number >= 0", call, what, x);
}

inline void require_positive(double x, const char* call, const char* what) {
    require(x > 0.0 && x <= 1e30, "%s: %s is %g, expected a finite number > 0", call, what, x);
}

inline void require_valid(const Shape& shape, const char* call) {
    require_finite(shape.center, call, "the shape's center");
    require_not_negative(shape.radius, call, "the shape's radius");
    require_not_negative(shape.half_extents.x, call, "the shape's half extent x");
    require_not_negative(shape.half_extents.y, call, "the shape's half extent y");
    const Vec2 outer = outer_half_extents(shape);
    require(is_valid(shape), "%s: the shape is %g by %g, expected a finite size > 0 both ways", call,
            2.0f * outer.x, 2.0f * outer.y);
}

inline void require_valid(const Material& material, const char* call) {
    require(material.restitution >= 0.0f && material.restitution <= 1.0f,
            "%s: restitution is %g, expected a number from 0 to 1", call, material.restitution);
    require_not_negative(material.friction, call, "friction");
    require_not_negative(material.density, call, "density");
}

/// The mass [kg] that a definition asks for; 0 is infinite.
inline float checked_mass(float mass, const Shape& shape, float density, const char* call) {
    if (mass == mass_from_density) mass = mass_of(shape, density);
    require_not_negative(mass, call, "mass");
    return mass;
}

}  // namespace phys2d::detail::inline PHYS2D_ABI

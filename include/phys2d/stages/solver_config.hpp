// SPDX-License-Identifier: MIT
// The numbers of the solver, from those of the World: how long a sub-step is, how stiff contacts
// are, how deep springs reach, what counts as an impact.
#pragma once

#include <phys2d/bodies/world_config.hpp>
#include <phys2d/dynamics/bounces.hpp>
#include <phys2d/dynamics/contact_solver.hpp>
#include <phys2d/math/scalar.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Contacts with slow impacts bounce only if they are closer than this [m at length unit 1]: far
/// above rounding, below anything visible.
inline constexpr float touching_distance = 0.005f;

/// Depth up to which contacts are springs [m at length unit 1]; deeper overlaps are removed by
/// moving bodies. Larger: bodies spawned inside each other are thrown apart faster. Smaller: under
/// heavy loads bodies are moved more and the spring settles less.
inline constexpr float spring_depth = 0.056f;

/// Impacts faster than this are relaxed among themselves first [m/s at length unit 1]: more than
/// what stacks begin with.
inline constexpr float struck_speed = 0.5f;

/// Length of a sub-step [s].
inline float substep(const WorldConfig& config) {
    return config.time_step / static_cast<float>(config.substeps);
}

/// The displacement of a body in a step is (velocity + mean_gain * gain of a sub-step) * time_step.
inline float mean_gain(const WorldConfig& config) {
    return mul(0.5f, static_cast<float>(config.substeps + 1));
}

/// Numbers that the solver's passes share in a step.
struct SolverConfig {
    ContactSoftness softness;
    float spring_depth;
    float longest_push;  ///< for removing a deep overlap [m]
    ImpactLimits impacts;
    float struck_speed;
    int bias_passes;  ///< a sub-step; what one contact lets go, the others stop in the next pass
};

/// Passes with the bias in a sub-step.
[[nodiscard]] inline int bias_passes(const WorldConfig& config) {
    return config.substeps == 1 ? 2 : 1;
}

/// Contacts get stiffer with the rate of the sub-steps, from where their damping allows it [1/s].
/// Beyond a part of that rate some stacks never come to rest, depending on the order in which their
/// contacts are solved.
[[nodiscard]] inline float contact_hertz(const WorldConfig& config) {
    constexpr float usual_rate = 256.0f;  // of sub-steps
    const float rate = 1.0f / substep(config);
    const float stiffest = bias_passes(config) == 1 ? 0.185f : 0.25f;
    return min(mul(config.contact_hertz, max(rate / usual_rate, 1.0f)), mul(stiffest, rate));
}

inline SolverConfig solver_config(const WorldConfig& config) {
    const float unit = config.length_unit;
    const float depth = mul(spring_depth, unit);
    const ContactSoftness softness = contact_softness(
        contact_hertz(config), config.contact_damping_ratio, substep(config), depth);
    const float push_speed = mul(config.contact_push_speed, unit) - softness.push_speed;
    return {.softness = softness,
            .spring_depth = depth,
            .longest_push = mul(max(push_speed, 0.0f), config.time_step),
            .impacts = {.threshold = mul(config.restitution_threshold, unit),
                        .touching_distance = mul(touching_distance, unit),
                        .time_step = config.time_step},
            .struck_speed = mul(struck_speed, unit),
            .bias_passes = bias_passes(config)};
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// Loading: with which values do the solver and the narrow phase begin a step?
//
// 48 bytes are read per body (velocity, position, forces, masses and the center of its shape) and
// 56 written. Records lie side by side, so that W / 4 bodies are loaded at once; the remaining
// bodies are loaded one by one, with the same operations.
#pragma once

#include <phys2d/bodies/bodies.hpp>
#include <phys2d/core/crew.hpp>
#include <phys2d/dynamics/solver_bodies.hpp>
#include <phys2d/stages/solver_config.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Drive that is common to all bodies.
struct Drive {
    Vec2 gravity;  ///< [m/s²]
    float h;       ///< [s]
    float mean;    ///< see `mean_gain`
};

/// Copies of column pointers, so that the compiler need not reload them after each store.
struct LoadColumns {
    const Vec2* velocities;
    const Vec2* positions;
    const Shape* shapes;
    const Vec2* forces;
    const BodyDynamics* dynamics;
    simd::Record4* motions;
    simd::Record4* state;
    simd::Record4* drive;
    Vec2* free_velocity;

    LoadColumns(Bodies& bodies, SolverBodies& solver)
        : velocities(bodies.velocities.data()),
          positions(bodies.positions.data()),
          shapes(bodies.shapes.data()),
          forces(bodies.forces.data()),
          dynamics(bodies.dynamics.data()),
          motions(bodies.narrow.motions.data()),
          state(solver.state.data()),
          drive(solver.drive.data()),
          free_velocity(solver.free_velocity.data()) {}
};

/// The velocity that a body gains in a sub-step, and its damping factor twice.
[[nodiscard]] inline simd::Record4 drive_of(const BodyDynamics& body, Vec2 force,
                                            const Drive& all) {
    const float damping = 1.0f / (1.0f + mul(body.linear_damping, all.h));
    const Vec2 acceleration = all.gravity * body.gravity_scale + force * body.inverse_mass;
    const Vec2 gained = acceleration * all.h * damping;
    return {gained.x, gained.y, damping, damping};
}

inline void load_body(const LoadColumns& columns, std::size_t i, const simd::Record4& drive,
                      float mean_gain) {
    const Vec2 velocity = columns.velocities[i];
    const Vec2 center = columns.positions[i] + columns.shapes[i].center;
    const Vec2 mean = velocity + Vec2{drive.x, drive.y} * mean_gain;
    columns.state[i] = {velocity.x, velocity.y, 0.0f, 0.0f};
    columns.free_velocity[i] = velocity;
    columns.drive[i] = drive;
    columns.motions[i] = {center.x, center.y, mean.x, mean.y};
}

#if PHYS2D_GNU_EXTENSIONS
/// The same for W / 4 bodies from i on.
template <int Width>
class SideBySide {
    using Real = simd::Lanes<Width>;

public:
    SideBySide(const LoadColumns& columns, const Drive& all)
        : columns_(columns),
          gravity_(simd::repeat<Width>({all.gravity.x, all.gravity.y, 0.0f, 0.0f})),
          h_(Real::fill(all.h)),
          mean_gain_(Real::fill(all.mean)) {}

    PHYS2D_INLINE void load(std::size_t i) const {
        const Real drive = drives_of(i);
        const Real velocity = simd::load_halves<Width>(&columns_.velocities[i].x);
        const Real center = simd::load_halves<Width>(&columns_.positions[i].x) +
                            simd::load_halves_of<Width>(&columns_.shapes[i], &Shape::center);
        const Real mean = velocity + drive * mean_gain_;
        velocity.store(&columns_.state[i].x);
        simd::store_halves(velocity, &columns_.free_velocity[i].x);
        drive.store(&columns_.drive[i].x);
        simd::first_halves_of(center, mean).store(&columns_.motions[i].x);
    }

private:
    PHYS2D_INLINE Real drives_of(std::size_t i) const {
        static_assert(sizeof(BodyDynamics) == sizeof(simd::Record4));
        const Real body = Real::load(&columns_.dynamics[i].mass);
        const Real inverse_mass = simd::spread_field<1>(body);
        const Real gravity_scale = simd::spread_field<2>(body);
        const Real linear_damping = simd::spread_field<3>(body);
        const Real one = Real::fill(1.0f);
        Real damping = one;
        if (any(Real::fill(0.0f) < linear_damping)) damping = one / (one + linear_damping * h_);
        const Real force = simd::load_halves<Width>(&columns_.forces[i].x);
        const Real gained = (gravity_ * gravity_scale + force * inverse_mass) * h_ * damping;
        return simd::first_halves_of(gained, damping);
    }

    LoadColumns columns_;
    Real gravity_, h_, mean_gain_;
};
#endif

/// Loads the bodies [begin, end), all dynamic.
template <int Width>
void load_bodies(const LoadColumns& columns, const Drive& all, std::int32_t begin,
                 std::int32_t end) {
    std::size_t i = at(begin);
#if PHYS2D_GNU_EXTENSIONS
    if constexpr (Width > 1) {
        const SideBySide<Width> group(columns, all);
        constexpr std::size_t at_once = Width / 4;
        for (; i + at_once <= at(end); i += at_once) group.load(i);
    }
#endif
    for (; i < at(end); ++i)
        load_body(columns, i, drive_of(columns.dynamics[i], columns.forces[i], all), all.mean);
}

/// Loads all moving bodies; those that do not respond to forces keep their velocity.
template <int Width, class Team>
void load_solver(Bodies& bodies, const WorldConfig& config, SolverBodies& solver, Team& team) {
    const Drive all{config.gravity, substep(config), mean_gain(config)};
    const LoadColumns columns(bodies, solver);
    const SlotRanges& ranges = bodies.ranges;
    team.for_each_part(ranges.dynamic_count, bodies_per_part,
                       [&](std::int32_t begin, std::int32_t end) {
                           load_bodies<simd::streaming_width<Width>>(columns, all, begin, end);
                       });
    for (std::size_t i = at(ranges.dynamic_count); i < at(ranges.moving_count); ++i) {
        load_body(columns, i, {0.0f, 0.0f, 1.0f, 1.0f}, all.mean);
    }
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

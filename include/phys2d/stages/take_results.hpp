// SPDX-License-Identifier: MIT
// Taking results: which positions and velocities do bodies have after a step?
//
// 24 bytes are read per body (the solver's state and the old position) and 32 written. Records lie
// side by side, so that W / 4 bodies are stored at once.
#pragma once

#include <phys2d/bodies/bodies.hpp>
#include <phys2d/dynamics/solver_bodies.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Copies of column pointers, so that the compiler need not reload them after each store.
struct ResultColumns {
    const simd::Record4* state;
    Vec2* velocities;
    Vec2* forces;
    Vec2* previous_positions;
    Vec2* positions;

    ResultColumns(const SolverBodies& solver, Bodies& bodies)
        : state(solver.state.data()),
          velocities(bodies.velocities.data()),
          forces(bodies.forces.data()),
          previous_positions(bodies.previous_positions.data()),
          positions(bodies.positions.data()) {}
};

inline void take_position(const ResultColumns& columns, std::size_t i) {
    columns.previous_positions[i] = columns.positions[i];
    columns.positions[i] += Vec2{columns.state[i].z, columns.state[i].w};
}

inline void take_result(const ResultColumns& columns, std::size_t i) {
    columns.velocities[i] = {columns.state[i].x, columns.state[i].y};
    columns.forces[i] = {};
    take_position(columns, i);
}

#if PHYS2D_GNU_EXTENSIONS
/// The same for W / 4 bodies from i on.
template <int Width>
PHYS2D_INLINE void take_results_at(const ResultColumns& columns, std::size_t i) {
    const auto state = simd::Lanes<Width>::load(&columns.state[i].x);
    const auto position = simd::load_halves<Width>(&columns.positions[i].x);
    simd::store_halves(state, &columns.velocities[i].x);
    simd::store_halves(simd::Lanes<Width>::fill(0.0f), &columns.forces[i].x);
    simd::store_halves(position, &columns.previous_positions[i].x);
    simd::store_halves(position + simd::second_halves_first(state), &columns.positions[i].x);
}
#endif

/// Stores the solver's results in the moving bodies [begin, end). Those that do not respond to
/// forces keep their velocity.
template <int Width>
void take_results(const SolverBodies& solver, Bodies& bodies, std::int32_t begin,
                  std::int32_t end) {
    const ResultColumns columns(solver, bodies);
    const std::int32_t dynamic_end = smaller_of(end, bodies.ranges.dynamic_count);
    std::size_t i = at(begin);
#if PHYS2D_GNU_EXTENSIONS
    if constexpr (Width > 1) {
        constexpr std::size_t at_once = Width / 4;
        for (; i + at_once <= at(dynamic_end); i += at_once) take_results_at<Width>(columns, i);
    }
#endif
    for (; i < at(dynamic_end); ++i) take_result(columns, i);
    for (; i < at(end); ++i) take_position(columns, i);
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

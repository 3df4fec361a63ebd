// SPDX-License-Identifier: MIT
// SolverBodies: the bodies as the solver sees them, and how they move in a sub-step.
//
// A body is 16 bytes of state, which contacts read and write, 16 of its acceleration and damping,
// and 8 of the velocity that it would have without contacts: see contact_solver.hpp on warm
// starting.
#pragma once

#include <phys2d/core/array.hpp>
#include <phys2d/math/lane_records.hpp>
#include <phys2d/math/vec2.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Adding and subtracting this rounds speeds to a very fine grid, on which only negligible speeds
/// become zero [m/s at length unit 1]. A body that friction brings to rest gets slower by a factor
/// in each pass and never stops: its speed would become denormal, which some processors handle many
/// times slower.
inline constexpr float quiet_speed = 0x1p-60f;

/// How many moving bodies may come before the solver's slot for everything that is fixed has to
/// move, and all pairs with it.
[[nodiscard]] constexpr std::int32_t spare_slots(std::int32_t moving_count) {
    return 32 + moving_count / 8;
}

/// The bodies of the solver: one per moving body; and behind them, with some room between, a fixed
/// one for everything static, and for the lanes without a pair an idle one per block, so that no
/// two threads write to the same.
struct SolverBodies {
    Scratch<simd::Record4> state;  ///< velocity x, y [m/s]; displacement in this step x, y [m]
    Scratch<simd::Record4> drive;  ///< velocity gained per sub-step x, y; damping factor, twice
    Scratch<Vec2> free_velocity;   ///< of this sub-step, before contacts acted
    std::int32_t count = 0;        ///< number of moving bodies
    float quiet = 0.0f;            ///< see `quiet_speed` [m/s]

    void make_room(std::int32_t moving_count) {
        constexpr std::int32_t most_at_once = 4;  // vectors may extend past the end
        count = moving_count;
        const std::size_t size = at(count + most_at_once);
        state.make_room(size);
        drive.make_room(size);
        free_velocity.make_room(size);
        hold_still(at(count), size);
    }

    /// Makes the fixed body, and an idle one for each block of contacts. Keeps the other bodies.
    void make_fixed(std::int32_t fixed_slot, std::size_t blocks) {
        const std::size_t end = at(fixed_slot) + 1 + blocks;
        state.grow_to_hold(end - 1);
        drive.grow_to_hold(end - 1);
        free_velocity.grow_to_hold(end - 1);
        hold_still(at(fixed_slot), end);
    }

    void list_members(auto& archive) { archive(*this, state, drive, free_velocity, count, quiet); }

private:
    void hold_still(std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            state[i] = {0.0f, 0.0f, 0.0f, 0.0f};
            drive[i] = {0.0f, 0.0f, 1.0f, 1.0f};
            free_velocity[i] = {};
        }
    }
};

/// v = free velocity of the next sub-step + change by contacts in the last one. The first sub-step
/// of a step has no such change: its bodies start with `free_velocity` equal to the velocity. For
/// bodies [begin, end), both multiples of 4 or the end of all. The other fields add -0 and subtract
/// 0, which changes nothing.
template <int Width>
void integrate_velocities(SolverBodies& bodies, std::int32_t begin, std::int32_t end) {
    if constexpr (Width == 1) {
        for (std::size_t i = at(begin); i < at(end); ++i) {
            simd::Record4& state = bodies.state[i];
            const simd::Record4& drive = bodies.drive[i];
            const Vec2 velocity{state.x, state.y};
            const Vec2 free = velocity * drive.z + Vec2{drive.x, drive.y};
            const Vec2 solved = free + (velocity - bodies.free_velocity[i]);
            bodies.free_velocity[i] = free;
            state.x = solved.x + bodies.quiet - bodies.quiet;
            state.y = solved.y + bodies.quiet - bodies.quiet;
        }
    }
#if PHYS2D_GNU_EXTENSIONS
    else {
        simd::Record4* const states = bodies.state.data();
        const simd::Record4* const drives = bodies.drive.data();
        Vec2* const free_velocities = bodies.free_velocity.data();
        const auto quiet = simd::Lanes<Width>::fill(bodies.quiet);
        const auto up = simd::first_halves(quiet, -0.0f);
        const auto down = simd::first_halves(quiet, 0.0f);
        for (std::size_t i = at(begin); i < at(end); i += Width / 4) {
            const auto state = simd::Lanes<Width>::load(&states[i].x);
            const auto drive = simd::Lanes<Width>::load(&drives[i].x);
            const auto by_contacts = state - simd::load_halves<Width>(&free_velocities[i].x);
            const auto free = simd::first_halves(state, -0.0f) * simd::spread_field<2>(drive) +
                              simd::first_halves(drive, -0.0f);
            simd::store_halves(free, &free_velocities[i].x);
            (free + by_contacts + up - down).store(&states[i].x);
        }
    }
#endif
}

/// Adds the displacement of a sub-step of h seconds. Pre: h > 0.
template <int Width>
void integrate_positions(SolverBodies& bodies, float h, std::int32_t begin, std::int32_t end) {
    if constexpr (Width == 1) {
        for (std::size_t i = at(begin); i < at(end); ++i) {
            simd::Record4& state = bodies.state[i];
            state.z += mul(state.x, h);
            state.w += mul(state.y, h);
        }
    }
#if PHYS2D_GNU_EXTENSIONS
    else {
        simd::Record4* const states = bodies.state.data();
        for (std::size_t i = at(begin); i < at(end); i += Width / 4) {
            const auto state = simd::Lanes<Width>::load(&states[i].x);
            const auto step = simd::first_halves_second(state, -0.0f) * simd::Lanes<Width>::fill(h);
            (state + step).store(&states[i].x);
        }
    }
#endif
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

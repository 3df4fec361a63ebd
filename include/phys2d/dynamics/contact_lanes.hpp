// SPDX-License-Identifier: MIT
// ContactLanes: W contacts in lanes, and access to their bodies.
//
// The contacts of a block share no body, so all may read their bodies before any of them writes.
#pragma once

#include <phys2d/dynamics/contacts.hpp>
#include <phys2d/dynamics/solver_bodies.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// For worlds without conveyors.
inline constexpr SurfaceBlock still_surfaces{};

/// Copies of the pointers that a pass uses: the compiler need not reload them after each store.
struct SolverColumns {
    ContactBlock* blocks;
    BounceBlock* bounces;
    std::uint8_t* pushed;
    std::uint8_t* hit;
    const SurfaceBlock* surfaces;
    std::size_t surface_mask;  ///< 0 if one block stands for all
    const std::int32_t* active;
    simd::Record4* bodies;

    SolverColumns(Contacts& contacts, SolverBodies& solver)
        : blocks(contacts.blocks.data()),
          bounces(contacts.bounces.data()),
          pushed(contacts.pushed.data()),
          hit(contacts.hit.data()),
          surfaces(contacts.surfaces.empty() ? &still_surfaces : contacts.surfaces.data()),
          surface_mask(contacts.surfaces.empty() ? 0 : ~std::size_t{0}),
          active(contacts.active.data()),
          bodies(solver.state.data()) {}
};

/// W contacts in lanes of one block, and access to their bodies. The state of a body is its
/// velocity (x, y) and its displacement in this step (z, w).
template <int W>
struct ContactLanes {
    using Real = simd::Lanes<W>;
    using Vector = simd::Columns2<W>;
    using State = simd::Columns4<W>;

    ContactBlock& block;
    BounceBlock& bounce;
    const SurfaceBlock& surface;
    std::uint8_t& pushed;
    std::uint8_t& hit;
    int lane;
    bool moves_b;  ///< false if all bodies b are immovable
    simd::Record4* bodies;
    Vector normal;

    PHYS2D_INLINE ContactLanes(const SolverColumns& columns, std::size_t index, int first_lane,
                               bool b_is_movable)
        : block(columns.blocks[index]),
          bounce(columns.bounces[index]),
          surface(columns.surfaces[index & columns.surface_mask]),
          pushed(columns.pushed[index]),
          hit(columns.hit[index]),
          lane(first_lane),
          moves_b(b_is_movable),
          bodies(columns.bodies),
          normal(Vector::load(block.normal, lane)) {}

    PHYS2D_INLINE Real load(const float* column) const { return Real::load(column + lane); }
    PHYS2D_INLINE void store(Real value, float* column) const { value.store(column + lane); }
    PHYS2D_INLINE Vector velocity(const std::uint32_t* places) const {
        return simd::gather_half<W>(bodies, places + lane);
    }
    PHYS2D_INLINE State state(const std::uint32_t* places) const {
        return simd::gather<W>(bodies, places + lane);
    }

    /// The speed of b relative to a along the normal and across it, from their velocities.
    PHYS2D_INLINE Real normal_speed(Vector a, Vector b) const { return dot(b - a, normal); }
    PHYS2D_INLINE Real tangent_speed(Vector a, Vector b) const { return cross(normal, b - a); }
    PHYS2D_INLINE Real separation(const State& a, const State& b) const {
        return load(block.separation) + dot(b.zw() - a.zw(), normal);
    }

    /// Changes the velocities of both bodies by impulses, according to their shares.
    PHYS2D_INLINE void apply(Real along_normal, Real along_tangent, Vector a, Vector b) const {
        const Vector impulse{normal.x * along_normal - normal.y * along_tangent,
                             normal.y * along_normal + normal.x * along_tangent};
        put<simd::Half::XY>(block.a, a - impulse * load(block.share_a));
        if (moves_b) put<simd::Half::XY>(block.b, b + impulse * load(block.share_b));
    }
    /// Moves the bodies apart along the normal, according to their shares.
    PHYS2D_INLINE void displace(Real distance, const State& a, const State& b) const {
        put<simd::Half::ZW>(block.a, a.zw() - normal * (distance * load(block.share_a)));
        if (!moves_b) return;
        put<simd::Half::ZW>(block.b, b.zw() + normal * (distance * load(block.share_b)));
    }

private:
    template <simd::Half Part>
    PHYS2D_INLINE void put(const std::uint32_t* places, Vector vectors) const {
        simd::scatter<Part>(bodies, places + lane, vectors);
    }
};

/// Calls work(ContactLanes) for the blocks of `part`, which have one colour, W contacts at a time;
/// one at a time if they may share bodies, which lanes side by side would overwrite.
template <int W>
PHYS2D_INLINE void for_each_contact(Contacts& contacts, ColourRange part, SolverBodies& bodies,
                                    auto work) {
    if constexpr (W > 1) {
        if (!part.is_independent()) return for_each_contact<1>(contacts, part, bodies, work);
    }
    const SolverColumns columns(contacts, bodies);
    const bool moves_b = part.order != SolvingOrder::Immovable;
    for (std::size_t i = at(part.begin); i < at(part.end); ++i) {
        const std::size_t block = at(columns.active[i]);
        for (int lane = 0; lane < block_size; lane += W) {
            work(ContactLanes<W>(columns, block, lane, moves_b));
        }
    }
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

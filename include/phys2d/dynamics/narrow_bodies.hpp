// SPDX-License-Identifier: MIT
// narrow_bodies: what does the narrow phase know about bodies and pairs?
//
// Each step loads the motion of bodies again. Their forms stay the same; pairs store the
// combination of their forms beside the slots, so that a step gathers 16 bytes per body.
#pragma once

#include <cstdint>

#include <phys2d/core/array.hpp>
#include <phys2d/dynamics/contacts.hpp>
#include <phys2d/math/lane_records.hpp>
#include <phys2d/shapes/shape.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// A body in the narrow phase.
struct NarrowBody {
    simd::Record4 motion;  ///< center x, y [m, world]; mean velocity x, y in this step [m/s]
    simd::Record4 form;    ///< core half extents x, y [m]; radius [m]; inverse mass [1/kg]
};

/// The bodies of a world in columns by slot: motions are loaded in each step, forms are copied by
/// pairs when they are written.
struct NarrowColumns {
    Array<simd::Record4> motions;
    Array<simd::Record4> forms;

    template <class Slot>
    [[nodiscard]] NarrowBody operator[](Slot slot) const {
        return {motions[slot], forms[slot]};
    }

    void list_members(auto& archive) { archive(*this, motions, forms); }
};

[[nodiscard]] constexpr Vec2 middle_of(const NarrowBody& body) {
    return {body.motion.x, body.motion.y};
}
[[nodiscard]] constexpr Vec2 velocity_of(const NarrowBody& body) {
    return {body.motion.z, body.motion.w};
}
/// Its shape in the world [m].
[[nodiscard]] constexpr Shape shape_of(const NarrowBody& body) {
    return RoundedBox{{body.form.x, body.form.y}, body.form.z, middle_of(body)};
}

/// The bodies of a step.
struct NarrowBodies {
    const simd::Record4* motions;  ///< by slot
    /// By solver place: x and y are the velocity at the start of the step [m/s].
    const simd::Record4* velocities;
};

/// Slots and solver places of the bodies of consecutive pairs.
struct PairPlaces {
    const std::uint32_t* a;  ///< slots
    const std::uint32_t* b;
    const std::uint32_t* solver_a;  ///< places in the solver
    const std::uint32_t* solver_b;
};

/// A shape that would clear the corner of a box, or of terrain, if it were smaller by this much
/// does not touch it [m at length unit 1]. A body that slides along a row of boxes lies slightly
/// below their tops, and would otherwise catch on each of them.
inline constexpr float corner_slop = 2e-3f;

/// The conditions for a pair to be a contact.
struct ContactReach {
    float margin = 0.0f;       ///< a contact up to this separation [m]
    float dt = 0.0f;           ///< or if the two meet within this time [s]
    float deep = 0.0f;         ///< deeper overlaps are reduced by moving the bodies [m]
    float flush_slop = 0.0f;   ///< see `flush_slop` [m]
    float corner_slop = 0.0f;  ///< see `corner_slop` [m]
    float quiet = 0.0f;        ///< see `quiet_speed` [m/s]
};

/// Motions or forms of W bodies.
template <int Width>
PHYS2D_INLINE simd::Columns4<Width> gather_slots(const simd::Record4* column,
                                                 const std::uint32_t* slots) {
    constexpr int halves_of_record = 2;
    return simd::gather<Width, halves_of_record>(column, slots);
}

/// How W bodies `b` are placed and move relative to others.
template <int Width>
PHYS2D_INLINE simd::Columns4<Width> gather_relative(const simd::Record4* motions,
                                                    const std::uint32_t* a,
                                                    const std::uint32_t* b) {
    constexpr int halves_of_record = 2;
    return simd::gather_differences<Width, halves_of_record>(motions, a, b);
}

/// The translation of a relative to b in this step.
template <int Width>
PHYS2D_INLINE simd::Columns2<Width> way_past(const simd::Columns4<Width>& a,
                                             const simd::Columns4<Width>& b, float dt) {
    return (a.zw() - b.zw()) * simd::Lanes<Width>::fill(dt);
}

/// Largest slop, as a fraction of a half extent.
inline constexpr float slop_share = 0.25f;

/// The combined forms of W pairs.
template <int Width>
struct PairForms {
    using Real = simd::Lanes<Width>;
    simd::Columns2<Width> h;  ///< half extents of the Minkowski sum
    Real radius;              ///< of it
    Real most_slop;           ///< of boxes: upper bound of `corner_slop`; 0 for round shapes

    PHYS2D_INLINE static PairForms of_bodies(const simd::Columns4<Width>& a,
                                             const simd::Columns4<Width>& b) {
        const Real radius = a.z + b.z;
        const Real zero = Real::fill(0.0f);
        const Real narrowest = min(min(a.x, b.x), min(a.y, b.y));
        const Real sharp_slop = narrowest * Real::fill(slop_share);
        return {a.xy() + b.xy(), radius, select(zero < radius, zero, sharp_slop)};
    }
    /// The same by their slots.
    PHYS2D_INLINE static PairForms of_slots(const simd::Record4* forms, const std::uint32_t* a,
                                            const std::uint32_t* b) {
        return of_bodies(gather_slots<Width>(forms, a), gather_slots<Width>(forms, b));
    }
    /// A face of terrain has no extent, and its own slops.
    PHYS2D_INLINE static PairForms at_face(const simd::Columns4<Width>& body) {
        return {body.xy(), body.z, Real::fill(0.0f)};
    }
    PHYS2D_INLINE static PairForms load(const PairBlock& pairs, int lane) {
        return {simd::Columns2<Width>::load(pairs.h, lane), Real::load(pairs.radius + lane),
                Real::load(pairs.most_slop + lane)};
    }
    PHYS2D_INLINE void store(PairBlock& pairs, int lane) const {
        h.store(pairs.h, lane);
        radius.store(pairs.radius + lane), most_slop.store(pairs.most_slop + lane);
    }
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

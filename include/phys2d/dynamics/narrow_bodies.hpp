// SPDX-License-Identifier: MIT
// What does the narrow phase know of bodies and their pairs?
//
// A step loads anew how bodies move. Their forms stay, and so does what the forms of a pair come to: pairs have that
// beside the slots, so that a step gathers 16 bytes a body.
#pragma once

#include <cstdint>

#include <phys2d/dynamics/contacts.hpp>
#include <phys2d/math/lane_records.hpp>
#include <phys2d/shapes/shape.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// A body as the narrow phase sees it: what each step loads anew, and what pairs take over when they are written.
struct NarrowBody {
    simd::Record4 motion;  ///< center x, y [m, world]; mean velocity x, y in this step [m/s]
    simd::Record4 form;    ///< core half extents x, y [m]; radius [m]; inverse mass [1/kg]
};

[[nodiscard]] constexpr Vec2 middle_of(const NarrowBody& body) {
    return {body.motion.x, body.motion.y};
}
[[nodiscard]] constexpr Vec2 velocity_of(const NarrowBody& body) {
    return {body.motion.z, body.motion.w};
}
/// Where it is [m, world].
[[nodiscard]] constexpr Shape shape_of(const NarrowBody& body) {
    return RoundedBox{{body.form.x, body.form.y}, body.form.z, middle_of(body)};
}

/// The bodies of a step.
struct NarrowBodies {
    const NarrowBody* bodies;  ///< by their slots
    /// By their places in the solver: x, y, how fast they are as the step begins [m/s].
    const simd::Record4* velocities;
};

/// Where the bodies of pairs are found, one after the other.
struct PairPlaces {
    const std::uint32_t* a;  ///< slots
    const std::uint32_t* b;
    const std::uint32_t* solver_a;  ///< places in the solver
    const std::uint32_t* solver_b;
};

/// A shape that would clear the corner of a box, or of terrain, if it were smaller by this much does not touch it [m at
/// length unit 1]. Whatever slides along a row of boxes lies a hair below their tops, and would catch on each of them.
inline constexpr float corner_slop = 2e-3f;

/// When a pair counts as a contact.
struct ContactReach {
    float margin = 0.0f;       ///< always, up to this separation [m]
    float dt = 0.0f;           ///< and if it meets in this time [s]
    float deep = 0.0f;         ///< overlap beyond this is worked off by moving the bodies [m]
    float flush_slop = 0.0f;   ///< see there [m]
    float corner_slop = 0.0f;  ///< see there [m]
    float quiet = 0.0f;        ///< see `quiet_speed` [m/s]
};

inline constexpr int halves_of_body = 4;  // half records a NarrowBody

/// Places of W bodies and how they move, as columns.
template <int Width>
PHYS2D_INLINE simd::Columns4<Width> motions_of(const NarrowBody* bodies,
                                               const std::uint32_t* slots) {
    return simd::gather<Width, halves_of_body>(&bodies->motion, slots);
}
/// And their forms.
template <int Width>
PHYS2D_INLINE simd::Columns4<Width> forms_of(const NarrowBody* bodies, const std::uint32_t* slots) {
    return simd::gather<Width, halves_of_body>(&bodies->form, slots);
}

/// The way of a past b in this step.
template <int Width>
PHYS2D_INLINE simd::Columns2<Width> way_past(const simd::Columns4<Width>& a,
                                             const simd::Columns4<Width>& b, float dt) {
    const auto time = simd::Lanes<Width>::fill(dt);
    return {(a.z - b.z) * time, (a.w - b.w) * time};
}

/// The slop is at most this part of a half extent.
inline constexpr float slop_share = 0.25f;

/// What the two forms of a pair come to, W side by side.
template <int Width>
struct PairForms {
    using Real = simd::Lanes<Width>;
    Real h_x, h_y, radius;  ///< of the Minkowski sum
    Real most_slop;         ///< of sharp boxes: what `corner_slop` is at most; 0 for round shapes

    PHYS2D_INLINE static PairForms of_bodies(const simd::Columns4<Width>& a,
                                             const simd::Columns4<Width>& b) {
        const Real radius = a.z + b.z;
        const Real zero = Real::fill(0.0f);
        const Real narrowest = min(min(a.x, b.x), min(a.y, b.y));
        const Real sharp_slop = narrowest * Real::fill(slop_share);
        return {a.x + b.x, a.y + b.y, radius, select(zero < radius, zero, sharp_slop)};
    }
    /// A face of terrain has no extent, and slops of its own.
    PHYS2D_INLINE static PairForms at_face(const simd::Columns4<Width>& body) {
        return {body.x, body.y, body.z, Real::fill(0.0f)};
    }
    PHYS2D_INLINE static PairForms load(const PairBlock& pairs, int lane) {
        return {Real::load(pairs.h_x + lane), Real::load(pairs.h_y + lane),
                Real::load(pairs.radius + lane), Real::load(pairs.most_slop + lane)};
    }
    PHYS2D_INLINE void store(PairBlock& pairs, int lane) const {
        h_x.store(pairs.h_x + lane), h_y.store(pairs.h_y + lane);
        radius.store(pairs.radius + lane), most_slop.store(pairs.most_slop + lane);
    }
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

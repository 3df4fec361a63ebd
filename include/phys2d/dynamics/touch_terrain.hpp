// SPDX-License-Identifier: MIT
// touch_terrain: how do bodies touch faces of terrain, or when will they in this step?
//
// collision/touch_faces.hpp tells, from where they are and how they move. Here is how they pass
// corners: with which slop, and with or without the forces of the step.
#pragma once

#include <phys2d/collision/touch_faces.hpp>
#include <phys2d/dynamics/contacts.hpp>
#include <phys2d/dynamics/touch_bodies.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The translation that decides where W bodies pass faces: without forces, if these change it by
/// less than `least`.
template <int Width>
PHYS2D_INLINE simd::Columns2<Width> way_past_faces(const simd::Columns2<Width>& way,
                                                   const simd::Columns2<Width>& without_forces,
                                                   simd::Lanes<Width> least) {
    const auto by_forces = max(abs(way.x - without_forces.x), abs(way.y - without_forces.y));
    const auto is_strong = least < by_forces;
    return {select(is_strong, way.x, without_forces.x), select(is_strong, way.y, without_forces.y)};
}

/// Largest slop at corners of terrain, by the size of bodies [m].
template <int Width>
PHYS2D_INLINE simd::Lanes<Width> most_slop_of(const PairForms<Width>& forms) {
    using Real = simd::Lanes<Width>;
    const auto is_rounded = Real::fill(0.0f) < forms.radius;
    return select(is_rounded, forms.radius, min(forms.h_x, forms.h_y)) * Real::fill(slop_share);
}

/// W bodies near faces, with one translation for both ways.
template <int Width>
PHYS2D_INLINE NearFace<Width> near_faces(const simd::Columns4<Width>& body,
                                         const simd::Columns4<Width>& terrain,
                                         const PairForms<Width>& forms,
                                         const FaceLanes<Width>& face,
                                         const simd::Columns2<Width>& way,
                                         const ContactReach& reach) {
    using Real = simd::Lanes<Width>;
    const Real most = most_slop_of(forms);
    const Real rounding = place_rounding<Width>(abs(body.x) + abs(terrain.x) + abs(face.start_x),
                                                abs(body.y) + abs(terrain.y) + abs(face.start_y));
    const Real most_rounding = select(Real::fill(0.0f) < forms.radius, most, rounding);
    return {.x = body.x - (terrain.x + face.start_x),
            .y = body.y - (terrain.y + face.start_y),
            .h_x = forms.h_x,
            .h_y = forms.h_y,
            .r = forms.radius,
            .way_x = way.x,
            .way_y = way.y,
            .free_x = way.x,
            .free_y = way.y,
            .slop = min(Real::fill(reach.corner_slop), most),
            .flush = Real::fill(reach.flush_slop) + min(rounding, most_rounding)};
}

/// W bodies and faces of terrain, from `lane` on.
template <int Width>
PHYS2D_INLINE Touch<Width> measure_faces(const PairPlaces& pairs, const PairForms<Width>& forms,
                                         const FaceBlock& faces, int lane,
                                         const NarrowBodies& bodies, const ContactReach& reach) {
    const auto zero = simd::Lanes<Width>::fill(0.0f);
    const auto body = gather_slots<Width>(bodies.motions, pairs.a);
    const auto terrain = gather_slots<Width>(bodies.motions, pairs.b);
    const auto face = FaceLanes<Width>::load(faces, lane);
    const auto way = way_past(body, terrain, reach.dt);
    auto shape = near_faces(body, terrain, forms, face, way, reach);
    const auto is_clear = stay_clear<Width>(face, shape, reach.margin);
    if (all(is_clear)) {
        const auto none = simd::LaneMask<Width>::none();
        return {zero, zero, zero, none, none};
    }

    const auto without_forces = way_without_forces<Width>(pairs, bodies, reach.dt);
    const auto free_way = way_past_faces<Width>(way, without_forces, most_slop_of(forms));
    shape.free_x = free_way.x;
    shape.free_y = free_way.y;
    const auto touch = touch_faces<Width>(face, shape, reach.margin);
    return {touch.separation, zero - touch.normal_x, zero - touch.normal_y, touch.is_touched,
            touch.from_beside};
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

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
    return select(is_rounded, forms.radius, min(forms.h.x, forms.h.y)) * Real::fill(slop_share);
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
    const Real rounding = place_rounding(abs(body.xy()) + abs(terrain.xy()) + abs(face.start));
    const Real most_rounding = select(Real::fill(0.0f) < forms.radius, most, rounding);
    return {.center = body.xy() - (terrain.xy() + face.start),
            .half_extents = forms.h,
            .r = forms.radius,
            .way = way,
            .free_way = way,
            .slop = min(Real::fill(reach.corner_slop), most),
            .flush = Real::fill(reach.flush_slop) + min(rounding, most_rounding)};
}

/// Whether bodies stay within the room that was before their faces. `place`: from the centre of the
/// terrain [m].
template <int Width>
PHYS2D_INLINE simd::LaneMask<Width> stay_in_room(const RoomBlock& rooms, int lane,
                                                 const simd::Columns2<Width>& place,
                                                 const simd::Columns2<Width>& way) {
    using Real = simd::Lanes<Width>;
    const auto moved = abs(place - simd::Columns2<Width>::load(rooms.place, lane));
    return moved.x + moved.y + (abs(way.x) + abs(way.y)) < Real::load(rooms.room + lane);
}

/// Whether bodies do not get to their faces in this step; notes the room that they have.
template <int Width>
PHYS2D_INLINE bool have_room(const FaceLanes<Width>& face, const NearFace<Width>& shape,
                             float margin, const simd::Columns2<Width>& place, RoomBlock& rooms,
                             int lane) {
    using Real = simd::Lanes<Width>;
    const Real room = room_before_faces<Width>(face, shape);
    if (!all(longest_reach<Width>(shape, margin) < room)) return false;
    place.store(rooms.place, lane);
    (room - (Real::fill(margin) + shape.flush + shape.flush)).store(rooms.room + lane);
    return true;
}

/// W bodies and faces of terrain, from `lane` on.
template <int Width>
PHYS2D_INLINE Touch<Width> measure_faces(const PairPlaces& pairs, const PairForms<Width>& forms,
                                         const TerrainBlock& block, int lane,
                                         const NarrowBodies& bodies, const ContactReach& reach) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const auto none = simd::LaneMask<Width>::none();
    const Touch<Width> apart{zero, {zero, zero}, none, none};
    const auto body = gather_slots<Width>(bodies.motions, pairs.a);
    const auto terrain = gather_slots<Width>(bodies.motions, pairs.b);
    const auto way = way_past(body, terrain, reach.dt);
    const simd::Columns2<Width> place = body.xy() - terrain.xy();
    if (all(stay_in_room<Width>(*block.rooms, lane, place, way))) return apart;

    const auto face = FaceLanes<Width>::load(*block.faces, lane);
    auto shape = near_faces(body, terrain, forms, face, way, reach);
    const Real most_slop = most_slop_of(forms);
    const Real drift = abs(way.x) + abs(way.y) + (most_slop + most_slop);
    if (all(lie_on_faces<Width>(face, shape, reach.margin, drift))) {
        return {separation_from_planes<Width>(face, shape), -face.normal,
                simd::LaneMask<Width>::all(), none};
    }
    if (have_room<Width>(face, shape, reach.margin, place, *block.rooms, lane)) return apart;

    const auto without_forces = way_without_forces<Width>(pairs, bodies, reach.dt);
    shape.free_way = way_past_faces<Width>(way, without_forces, most_slop);
    const auto touch = touch_faces<Width>(face, shape, reach.margin);
    return {touch.separation, -touch.normal, touch.is_touched, touch.from_beside};
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// Stops: where is a body that is off course stopped?
//
// It is cast along its actual way, relative to each body near that, and at the faces of terrain.
// What its contacts hold does not stop it once more.
#pragma once

#include <phys2d/stages/off_course.hpp>
#include <phys2d/stages/special_pairs.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Whether a contact is with the thing that a body meets: a contact with a face looks the same way,
/// and if the body meets a face, too, lies in the same plane. `out`: the normal of the contact
/// towards the body.
[[nodiscard]] inline bool is_contact_with(const WorldState& world, const Meeting& meeting,
                                          LanePlace place, Vec2 out) {
    if (!world.contacts.has_face(place)) return true;
    if (!are_alike(out, meeting.hit.normal)) return false;
    if (meeting.face == nullptr) return true;
    const Vec2 start = face_at(world, place).start;
    const float between = dot(start - meeting.face->start, meeting.hit.normal);
    return abs(between) <= world.scaled(stop_slop);
}

/// Whether a contact of this step has held a body against the thing that it meets, to within
/// `depth`. A body that comes in fast between two things may get through to either: then the
/// contact has not held it.
[[nodiscard]] inline bool is_met(const WorldState& world, std::int32_t slot, const Meeting& meeting,
                                 float depth) {
    const Contacts& contacts = world.contacts;
    const Vec2 passing = way_of(world, slot) - way_of(world, meeting.other);
    return world.broad_phase.any_lane_of(slot, meeting.other, [&](LanePlace place) {
        const bool is_first = slot == contacts.first_slot(place);
        const Vec2 out = is_first ? -contacts.normal_at(place) : contacts.normal_at(place);
        const float end = contacts.separation(place) + dot(passing, out);
        return has_lane(contacts.lanes, place) && end >= -depth &&
               is_contact_with(world, meeting, place, out);
    });
}

/// Whether a collider is a static solid whose visible faces are known. What is static no longer may
/// have the index of one that was.
[[nodiscard]] inline bool is_known_weld(const WorldState& world, std::int32_t slot) {
    return world.bodies.ranges.is_static(slot) &&
           world.broad_phase.welds().is_known(index_of(world.bodies.ids[slot]));
}

/// Calls visit(meeting) for each face of a welded solid that a shape may meet.
void for_each_meeting_of_weld(const WorldState& world, std::int32_t other, const Shape& shape,
                              Vec2 way, float flush, auto visit) {
    const Bodies& bodies = world.bodies;
    const Vec2 origin = bodies.placed_shape(other).center;
    const AABB start = translate(bounds(shape), -origin);
    const AABB seen = expand(box_along(start, way), flush);
    const auto meet = [&](const Face& face) {
        const Face placed = translate(face, origin);
        visit(Meeting{cast_at_face(placed, shape, way, flush), other, &placed});
    };
    world.broad_phase.welds().for_each_known_face(index_of(bodies.ids[other]), seen, meet);
}

/// Whether a body and the thing that it meets hold each other, given where they were at the start
/// of the step.
[[nodiscard]] inline bool hold_each_other(const WorldState& world, std::int32_t body,
                                          const Meeting& meeting) {
    const Bodies& bodies = world.bodies;
    const NarrowColumns& narrow = bodies.narrow;
    const Vec2 normal = meeting.hit.normal;
    const auto is_held = [&](std::int32_t other, std::int32_t collider, Vec2 out_of_it) {
        const Vec2 out = direction_of(bodies.colliders[collider].one_way);
        const float distance =
            meeting.face == nullptr
                ? distance_in_front(narrow[other], narrow[collider], out)
                : height_in_front(*meeting.face, out, normal, shape_of(narrow[body]));
        return holds(world, collider, other, out_of_it, distance);
    };
    return is_held(body, meeting.other, normal) && is_held(meeting.other, body, -normal);
}

/// Where a body meets something that no contact holds it off: what one does has stopped it already.
struct Stop {
    float fraction = 1.0f;  ///< of the displacement
    std::int32_t by = SlotMap::no_slot;
    Vec2 normal{};  ///< out of the obstacle

    explicit operator bool() const { return by != SlotMap::no_slot; }
};

/// Which of the bodies that a body overlaps as the step begins do not stop it, since they are many?
/// Contacts press a crowd apart; if all stopped each other in there, it would stay for long.
class Crowd {
public:
    Crowd(const Bodies& bodies, std::int32_t slot)
        : bodies_(bodies), slot_(slot), size_(smaller_half_extent(bodies.shapes[slot])) {}

    /// Whether another body is one of them. To be asked once of each that is near.
    [[nodiscard]] bool has(std::int32_t other) {
        if (!bodies_.ranges.is_dynamic(other) || ++seen_ <= few) return false;
        const bool is_small = smaller_half_extent(bodies_.shapes[other]) < mul(0.5f, size_);
        const bool is_in_it = !is_small && overlaps(box_of(bodies_, slot_), box_of(bodies_, other));
        overlapped_ += is_in_it ? 1 : 0;
        return is_in_it && overlapped_ > few;
    }

private:
    static constexpr int few = 8;  // once that many are seen, so many more

    const Bodies& bodies_;
    std::int32_t slot_;
    float size_;
    int seen_ = 0;
    int overlapped_ = 0;
};

/// Where a body is stopped. Calls runs_into(other) for each body that would run into it and must be
/// stopped itself.
[[nodiscard]] Stop find_stop(WorldState& world, std::int32_t slot, const ContactReach& reach,
                             auto runs_into) {
    const Bodies& bodies = world.bodies;
    const Vec2 way = way_of(world, slot);
    const Vec2 own = own_way_of(world, slot);
    const Shape whole = bodies.placed_shape(slot);
    const Shape shape = stop_shape(world, whole);
    const float slop = slop_of(world, whole, stop_slop);
    const float depth = min(reach.deep, safe_way(bodies, slot));
    // What it passes through would hide others.
    const bool heeds_welds = !world.touch_rules().passes_any(
        bodies, slot, [&](const auto& visit) { for_each_near_way(world, slot, visit); });

    Crowd crowd(bodies, slot);
    Stop stop;
    for_each_near_way(world, slot, [&](std::int32_t other) {
        if (crowd.has(other)) return;
        const Vec2 relative = way - way_of(world, other);
        const auto look_at = [&](const Meeting& meeting) {
            const CastHit& hit = meeting.hit;
            const bool goes_in = hit.fraction > 0.0f || dot(relative, hit.normal) < -slop;
            const bool stops =
                hit.fraction < stop.fraction && goes_in && world.may_touch(slot, meeting.other) &&
                !is_met(world, slot, meeting, depth) && hold_each_other(world, slot, meeting);
            if (!stops) return;
            const bool gives_way = bodies.ranges.is_dynamic(other);
            if (gives_way && dot(own, hit.normal) >= 0.0f) return runs_into(other);
            stop = {hit.fraction, meeting.other, hit.normal};
        };
        if (heeds_welds && is_known_weld(world, other)) {
            for_each_meeting_of_weld(world, other, shape, relative, reach.flush_slop, look_at);
        } else {
            for_each_meeting(bodies, other, shape, relative, reach.flush_slop, stop.fraction,
                             look_at);
        }
    });
    return stop;
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

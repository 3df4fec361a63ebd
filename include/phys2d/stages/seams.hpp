// SPDX-License-Identifier: MIT
// Seams: which contacts of a body with a floor or a wall of several pieces would not come about,
// because it touches another piece before?
//
// Each pair is measured as if there were no other. A body that lands on a floor, or is pressed onto
// it, would run into the side of the next piece, below the top that it slides on; one that is
// pressed against a wall would land on its pieces. So the way to a piece that is met from beside is
// bent where another piece stops it: if what is left of it meets nothing, the body passes.
#pragma once

#include <phys2d/core/shell_sort.hpp>
#include <phys2d/stages/encounters.hpp>
#include <phys2d/stages/special_pairs.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The contact of a dynamic body with one that is not, which it meets from beside.
class SeamContact {
public:
    SeamContact(const WorldState& world, LanePlace place, std::int32_t& looks_left)
        : world_(world),
          looks_left_(looks_left),
          place_(place),
          body_(world.contacts.first_slot(place_)),
          shape_(shape_of(world.bodies.narrow[body_])),
          way_(way_past(world, place_)),
          smaller_(reduced(shape_)),
          met_(min(fraction_at(world, place_, corner_slop_of(world, shape_)), 1.0f)),
          crosses_plane_(shape_.radius > 0.0f && !is_flat(place_)) {}

    /// Whether another contact leads the body past. Those from beside that come about earlier are
    /// to be judged before.
    [[nodiscard]] bool is_passed() {
        bool is_passed = false;
        (void)any_lane([&](LanePlace place) {
            const bool is_other = place != place_ && has_lane(world_.contacts.lanes, place);
            if (!is_other || !is_on_fixed(world_, place)) return false;
            const Encounter guide = encounter_of(world_, place);
            is_passed = comes_before(guide) && leads_past(guide);
            return is_passed;
        });
        return is_passed;
    }

private:
    /// Whether test(place) is true for any lane of the body, or the body has been looked at for so
    /// long that it is not worth while.
    [[nodiscard]] bool any_lane(auto test) const {
        return world_.broad_phase.any_lane_of(
            body_, [&](LanePlace place) { return --looks_left_ < 0 || test(place); });
    }

    /// Whether a contact is with a flat side, along which the body slides past what it would meet,
    /// as soon as it is out of that side.
    [[nodiscard]] bool leads_past(const Encounter& guide) const {
        const Vec2 normal = world_.contacts.normal_at(guide.place);
        if (!is_flat(guide.place) || bears_alike(normal)) return false;
        const Vec2 into = normal * dot(way_past(world_, guide.place), normal);
        const Vec2 rest = (way_ - into) * (1.0f - guide.fraction);
        const Vec2 out = normal * min(world_.contacts.separation(guide.place), 0.0f);
        const Shape start = translate(smaller_, way_ * guide.fraction + out);
        return is_outside(start) && !meets(start, further(rest)) &&
               (!has_lane(world_.contacts.touching, place_) || is_level(start, normal));
    }

    /// Whether a shape meets the second body of this contact on a way.
    [[nodiscard]] bool meets(const Shape& shape, Vec2 way) const {
        return any_hit(shape, way, [](const CastHit& hit) { return bool(hit); });
    }
    /// Whether a shape that slides along a side meets the second body neither way: what touches it
    /// already may rest between the two, and then the little that it moves leads anywhere.
    [[nodiscard]] bool is_level(const Shape& shape, Vec2 normal) const {
        const Vec2 along = perpendicular(normal) * smaller_half_extent(shape_);
        return !meets(shape, along) && !meets(shape, -along);
    }

    /// Whether this contact holds the body in the same direction as one with this normal.
    [[nodiscard]] bool bears_alike(Vec2 normal) const {
        constexpr float nearly_one = 0.99999f;
        return dot(world_.contacts.normal_at(place_), normal) > nearly_one;
    }

    /// Whether a shape, which may be deep in the second body of this contact, is not in that.
    [[nodiscard]] bool is_outside(const Shape& shape) const {
        if (world_.contacts.separation(place_) > -corner_slop_of(world_, shape_)) return true;
        if (!world_.contacts.has_face(place_)) return !overlaps(shape, second_shape());
        return !any_face([&](const Face& face) { return touches(face, shape, 0.0f); });
    }

    /// Whether a contact comes about before the body meets what it would pass. Of a corner it may
    /// cross the plane long before.
    [[nodiscard]] bool comes_before(const Encounter& guide) {
        if (guide.fraction > met_ && crosses_plane_) {
            crosses_plane_ = false;
            met_ = fraction_at_hit();
        }
        return guide.fraction <= met_;
    }
    /// At which fraction of the step the body meets what it would pass; 1 if it does not.
    [[nodiscard]] float fraction_at_hit() const {
        float first = 1.0f;
        (void)any_hit(smaller_, way_, [&](const CastHit& hit) {
            first = min(first, hit.fraction);
            return false;
        });
        return first;
    }

    /// Whether a contact is not with a corner.
    [[nodiscard]] bool is_flat(LanePlace place) const {
        const Vec2 normal = world_.contacts.normal_at(place);
        const Vec2 side = world_.contacts.side(place);
        return side == Vec2{} ? !is_slanted(normal) : normal == -side;
    }

    /// The shape as it passes corners.
    [[nodiscard]] Shape reduced(const Shape& shape) const {
        const Vec2 side = perpendicular(world_.contacts.normal_at(place_));
        return shrunk(shape, corner_slop_of(world_, shape), abs(side));
    }

    /// A way and, beyond its end, as far again as the body is large: what it slides into later it
    /// does not pass either.
    [[nodiscard]] Vec2 further(Vec2 way) const {
        return way + normalized(way) * smaller_half_extent(shape_);
    }

    [[nodiscard]] Shape second_shape() const {
        return shape_of(world_.bodies.narrow[world_.contacts.second_slot(place_)]);
    }
    /// Whether test(face) is true for any of the faces of the second body that are near.
    [[nodiscard]] bool any_face(auto test) const {
        const std::int32_t second = world_.contacts.second_slot(place_);
        return any_lane([&](LanePlace place) {
            return world_.contacts.second_slot(place) == second &&
                   world_.contacts.has_face(place) && test(face_at(world_, place));
        });
    }

    /// Asks test(CastHit) for the hits of a shape with the second body of this contact, on a way
    /// relative to that, up to the first for which it holds: with each of its faces that are near.
    [[nodiscard]] bool any_hit(const Shape& shape, Vec2 way, auto test) const {
        if (!world_.contacts.has_face(place_)) return test(shape_cast(shape, way, second_shape()));
        const float flush = world_.scaled(flush_slop);
        return any_face(
            [&](const Face& face) { return test(cast_at_face(face, shape, way, flush)); });
    }

    const WorldState& world_;
    std::int32_t& looks_left_;
    LanePlace place_;
    std::int32_t body_;
    Shape shape_;
    Vec2 way_;  ///< relative to the second body [m]
    Shape smaller_;
    float met_;  ///< fraction of the step at which the body meets the other by more than the slop
    bool crosses_plane_;  ///< whether that is the plane at a corner, which may be met later
};

/// Whether a contact is with something that its body is apart from at the start of the step. At a
/// corner of terrain the separation may be that from a plane which the body has passed already.
[[nodiscard]] inline bool begins_apart(const WorldState& world, LanePlace place) {
    const float slop = world.scaled(corner_slop);
    if (world.contacts.separation(place) > slop) return true;
    if (!world.contacts.has_face(place)) return false;
    const Face face = face_at(world, place);
    const Shape shape = shape_of(world.bodies.narrow[world.contacts.first_slot(place)]);
    const Vec2 beyond = max(abs(face.start - shape.center) - shape.half_extents, Vec2{});
    const bool is_corner = shape.radius > 0.0f && world.contacts.normal_at(place) != -face.normal;
    return is_corner && length(beyond) > shape.radius + slop;
}

/// Whether another contact may prevent one from beside: if it comes about in this step; or if it
/// does not but its body is apart from it.
[[nodiscard]] inline bool may_pass(const WorldState& world, const Encounter& encounter) {
    return is_on_fixed(world, encounter.place) &&
           (encounter.fraction <= 1.0f || begins_apart(world, encounter.place));
}

/// Lists the contacts from beside with bodies that do not give way, body by body, in the order in
/// which they come about.
inline void list_encounters(WorldState& world) {
    const Contacts& contacts = world.contacts;
    world.encounters.clear();
    for (const ColourRange& colour : contacts.colours) {
        if (colour.order == SolvingOrder::Dynamic) continue;
        for_each_lane_in(contacts.met_beside, colour.begin, colour.end, [&](LanePlace place) {
            if (!has_lane(contacts.lanes, place)) return;
            const Encounter encounter = encounter_of(world, place);
            if (may_pass(world, encounter)) world.encounters.push_back(encounter);
        });
    }
    shell_sort(world.encounters, [&](const Encounter& a, const Encounter& b) {
        const std::int32_t body_a = world.contacts.first_slot(a.place);
        const std::int32_t body_b = world.contacts.first_slot(b.place);
        return body_a != body_b ? body_a < body_b : a < b;
    });
}

/// Ends the contacts that others prevent. To be called once the contacts of a step are found, with
/// one-way sides judged. Of a body with many thousands of contacts not all are looked at.
inline void pass_seams(WorldState& world) {
    constexpr std::int32_t most_looks = 1 << 19;  // at pairs of a body: some milliseconds
    list_encounters(world);
    std::int32_t last = 0;
    std::int32_t looks_left = most_looks;
    for (const Encounter& encounter : world.encounters) {
        const std::int32_t body = world.contacts.first_slot(encounter.place);
        if (body != last) looks_left = most_looks;
        last = body;
        if (SeamContact(world, encounter.place, looks_left).is_passed()) {
            let_through(world.contacts, encounter.place);
        }
    }
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

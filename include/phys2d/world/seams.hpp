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
#include <phys2d/world/special_pairs.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

[[nodiscard]] inline std::size_t second_of(const WorldState& world, LanePlace place) {
    return world.contacts.pairs[place.block].b[place.lane];
}

/// Whether the second body of a pair does not give way.
[[nodiscard]] inline bool is_on_fixed(const WorldState& world, LanePlace place) {
    return second_of(world, place) >= at(world.bodies.ranges.dynamic_count);
}

/// The translation of the first body of a pair relative to the second in this step [m].
[[nodiscard]] inline Vec2 way_past(const WorldState& world, LanePlace place) {
    const PairBlock& pairs = world.contacts.pairs[place.block];
    const NarrowColumns& narrow = world.bodies.narrow;
    return (velocity_of(narrow[pairs.a[place.lane]]) - velocity_of(narrow[pairs.b[place.lane]])) *
           world.config.time_step;
}

/// When a contact comes about.
[[nodiscard]] inline Encounter encounter_of(const WorldState& world, LanePlace place) {
    const float approach = dot(way_past(world, place), world.contacts.normal_at(place));
    const float distance = world.contacts.blocks[place.block].separation[place.lane];
    return {approach > 0.0f ? max(distance, 0.0f) / approach : out_of_contact, place};
}

/// The contact of a dynamic body with one that is not, which it meets from beside.
class SeamContact {
public:
    SeamContact(const WorldState& world, const Encounter& encounter)
        : world_(world),
          encounter_(encounter),
          place_(encounter.place),
          body_(world.contacts.pairs[place_.block].a[place_.lane]),
          shape_(shape_of(world.bodies.narrow[body_])),
          way_(way_past(world, place_)) {}

    /// Whether another contact leads the body past. Those from beside that come about earlier are
    /// to be judged before.
    [[nodiscard]] bool is_passed() const {
        return world_.broad_phase.any_lane_of(
            static_cast<std::int32_t>(body_), [&](LanePlace place) {
                return place != place_ && has_lane(world_.contacts.lanes, place) &&
                       is_on_fixed(world_, place) && leads_past(encounter_of(world_, place));
            });
    }

private:
    /// Whether a contact comes about first, and the body slides from there past what it would meet.
    [[nodiscard]] bool leads_past(const Encounter& guide) const {
        const Vec2 way = way_past(world_, guide.place);
        const float meeting = min(cast_at_second(less_slop(), way_).fraction, 1.0f);
        if (!comes_first(guide, meeting) || !is_in_front(guide.place, way * meeting)) return false;
        const Vec2 out = -world_.contacts.normal_at(guide.place);
        const Vec2 along = (way_ - out * dot(way, out)) * (1.0f - guide.fraction);
        return !cast_at_second(translate(less_slop(), way_ * guide.fraction), further(along));
    }

    /// Whether a contact comes about before the body meets the other by more than the slop. Of two
    /// from beside only one comes first.
    [[nodiscard]] bool comes_first(const Encounter& guide, float meeting) const {
        const bool is_beside = has_lane(world_.contacts.met_beside, guide.place);
        return is_beside ? guide < encounter_ : guide.fraction <= meeting;
    }

    /// Whether the body is in front of the second body of a contact, at the end of a way past that.
    [[nodiscard]] bool is_in_front(LanePlace place, Vec2 way) const {
        const Vec2 middle = shape_.center + way;
        const Vec2 side = perpendicular(world_.contacts.normal_at(place));
        const float reach = half_width(shape_, side);
        if (world_.contacts.face_block(place.block) == nullptr) {
            const Shape piece = shape_of(world_.bodies.narrow[second_of(world_, place)]);
            return abs(dot(middle - piece.center, side)) < reach + half_width(piece, side);
        }
        const Face face = face_at(world_, place);
        const float from_start = dot(middle - face.start, perpendicular(face.normal));
        return face.begin - reach < from_start && from_start < face.end + reach;
    }

    [[nodiscard]] static float half_width(const Shape& shape, Vec2 side) {
        return dot(shape.half_extents, abs(side)) + shape.radius;
    }

    /// The body's shape as it passes corners.
    [[nodiscard]] Shape less_slop() const {
        const float slop = corner_slop_of(world_, shape_);
        const Vec2 side = perpendicular(world_.contacts.normal_at(place_));
        Shape shape = shape_;
        if (shape.radius > 0.0f) {
            shape.radius = max(shape.radius - slop, 0.0f);
        } else {
            shape.half_extents = max(shape.half_extents - abs(side) * slop, Vec2{});
        }
        return shape;
    }

    /// A way and, beyond its end, as far again as the body is large: what it slides into later it
    /// does not pass either.
    [[nodiscard]] Vec2 further(Vec2 way) const {
        const Vec2 outer = outer_half_extents(shape_);
        return way + normalized(way) * min(outer.x, outer.y);
    }

    /// Casts a shape at the second body of this contact, on a way relative to that.
    [[nodiscard]] CastHit cast_at_second(const Shape& shape, Vec2 way) const {
        if (world_.contacts.face_block(place_.block) != nullptr) {
            return cast_at_face(face_at(world_, place_), shape, way, 0.0f);
        }
        return shape_cast(shape, way, shape_of(world_.bodies.narrow[second_of(world_, place_)]));
    }

    const WorldState& world_;
    Encounter encounter_;
    LanePlace place_;
    std::size_t body_;
    Shape shape_;
    Vec2 way_;  ///< relative to the second body [m]
};

/// Lists the contacts from beside with bodies that do not give way, in the order in which they come
/// about.
inline void list_encounters(WorldState& world) {
    const Contacts& contacts = world.contacts;
    world.encounters.clear();
    for (const ColourRange& colour : contacts.colours) {
        if (colour.order == SolvingOrder::Dynamic) continue;
        for (std::int32_t i = colour.begin; i < colour.end; ++i) {
            for_each_bit(contacts.met_beside[i] & contacts.lanes[i], [&](int lane) {
                const LanePlace place{i, lane};
                if (is_on_fixed(world, place)) {
                    world.encounters.push_back(encounter_of(world, place));
                }
            });
        }
    }
    shell_sort(world.encounters, [](const Encounter& a, const Encounter& b) { return a < b; });
}

/// Ends the contacts that others prevent. To be called once the contacts of a step are found, with
/// one-way sides judged.
inline void pass_seams(WorldState& world) {
    list_encounters(world);
    for (const Encounter& encounter : world.encounters) {
        if (SeamContact(world, encounter).is_passed()) let_through(world.contacts, encounter.place);
    }
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

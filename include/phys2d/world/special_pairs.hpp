// SPDX-License-Identifier: MIT
// Special pairs: contacts with a one-way side or a moving surface.
//
// They are few, so they are processed one by one, between finding the contacts of a step and
// solving them.
//
// A one-way side holds a body that was in front of it at the start of the step and meets it from
// there, that was pushed in from there since, or that it already holds. All other bodies pass
// through. So no state is needed beyond the touching pairs, which are known.
#pragma once

#include <phys2d/collision/in_front.hpp>
#include <phys2d/world/slops.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Distance of a body in front of the outermost plane of another in an axis direction, at the start
/// of the step [m].
[[nodiscard]] inline float distance_in_front(const NarrowBody& body, const NarrowBody& plane,
                                             Vec2 direction) {
    const Vec2 between = middle_of(body) - middle_of(plane);
    const Vec2 half{body.form.x + plane.form.x, body.form.y + plane.form.y};
    return dot(between, direction) - abs(dot(half, direction)) - (body.form.z + plane.form.z);
}

/// How far behind a one-way side a body that moves into it may be [m]: the depth at which bodies
/// are stopped off course, plus rounding.
[[nodiscard]] inline float depth_in_front(const WorldState& world, const NarrowBody& body,
                                          Vec2 normal) {
    const Shape shape = shape_of(body);
    const Shape smaller = shrunk(world, shape);
    const float depth = dot(shape.half_extents - smaller.half_extents, abs(normal));
    return mul(1.1f, depth + shape.radius - smaller.radius);
}

/// Whether a collider holds another that meets it with `normal`, which points out of it; `distance`
/// is how far in front of it the other was at the start of the step [m].
[[nodiscard]] inline bool holds(const WorldState& world, std::int32_t collider, std::int32_t other,
                                Vec2 normal, float distance) {
    const Bodies& bodies = world.bodies;
    const Vec2 out = direction_of(bodies.colliders[collider].one_way);
    if (out == Vec2{}) return true;
    if (dot(normal, out) <= 0.0f) return false;
    const Vec2 motion = velocity_of(bodies.narrow[other]) - velocity_of(bodies.narrow[collider]);
    const bool grazes = distance >= -depth_in_front(world, bodies.narrow[other], normal);
    return distance >= 0.0f || (grazes && dot(motion, normal) < 0.0f);
}

/// Ends a contact of this step before it is solved.
inline void let_through(Contacts& contacts, LanePlace place) {
    set_lane(contacts.lanes, place, false);
    contacts.blocks[place.block].separation[place.lane] = out_of_contact;
    contacts.clear_impulses(place);
}

/// The face of a pair [m, world]. Pre: it has one.
[[nodiscard]] inline Face face_at(const WorldState& world, LanePlace place) {
    return translate(world.contacts.face(place),
                     middle_of(world.bodies.narrow[world.contacts.second_slot(place)]));
}

/// One special pair in this step.
class SpecialPair {
public:
    SpecialPair(WorldState& world, LanePlace place)
        : world_(world),
          place_(place),
          block_(world.contacts.blocks[place.block]),
          a_(world.contacts.first_slot(place)),
          b_(world.contacts.second_slot(place)) {}

    void judge() {
        if (!has_lane(world_.contacts.lanes, place_)) return;
        if (!meets(side_of(a_, b_)) || !meets(side_of(b_, a_))) {
            let_through(world_.contacts, place_);
            return;
        }
        const Vec2 ahead = world_.bodies.materials[a_].surface_velocity -
                           world_.bodies.materials[b_].surface_velocity;
        world_.contacts.surfaces[place_.block].speed[place_.lane] =
            dot(ahead, perpendicular(world_.contacts.normal_at(place_)));
    }

    /// Begins a contact if something has pushed a body in through the side and no contact kept it
    /// out. To be called once all bodies are at the end of the step.
    void note_crossing() {
        if (has_lane(world_.contacts.pushed, place_)) return;
        if (const Crossing crossing = crossing_of(side_of(a_, b_))) {
            return begin(crossing.out, crossing);
        }
        if (const Crossing crossing = crossing_of(side_of(b_, a_))) begin(-crossing.out, crossing);
    }

private:
    /// The side of a collider from which it blocks another one.
    struct Side {
        std::int32_t collider, other;
        Vec2 out;  ///< its direction; zero if the collider blocks from all sides
    };
    [[nodiscard]] Side side_of(std::int32_t collider, std::int32_t other) const {
        return {collider, other, direction_of(world_.bodies.colliders[collider].one_way)};
    }

    /// How a collider has entered another one in this step through its one-way side.
    struct Crossing {
        Vec2 out{};             ///< normal out of the other one; zero if it has not
        float distance = 0.0f;  ///< to it along the normal, at the start of the step [m]

        explicit operator bool() const { return out != Vec2{}; }
    };
    [[nodiscard]] Crossing crossing_of(const Side& side) const {
        const NarrowColumns& narrow = world_.bodies.narrow;
        const Vec2 way = world_.bodies.last_way(side.other) - world_.bodies.last_way(side.collider);
        if (dot(way, side.out) >= 0.0f) return {};
        const Shape shape = shape_of(narrow[side.other]);
        const Shape narrow_shape = narrowed(world_, shape, side.out);
        const Vec2 back = side_of(side.other, side.collider).out;
        const auto crossing = [&](const CastHit& hit) {
            if (!blocks(side.out, hit.normal) || !blocks(back, -hit.normal)) return Crossing{};
            return Crossing{hit.normal, mul(hit.fraction, -dot(way, hit.normal))};
        };
        if (!has_face(place_)) {
            const CastHit hit = shape_cast(narrow_shape, way, shape_of(narrow[side.collider]));
            const bool was_in_front = distance_at(place_, side) >= 0.0f;
            return was_in_front ? crossing(hit) : Crossing{};
        }
        if (side.collider != b_) return {};
        const Face face = face_at(world_, place_);
        const CastHit hit = cast_at_face(face, narrow_shape, way, 0.0f);
        const bool was_in_front = height_in_front(face, side.out, hit.normal, shape) >=
                                  -depth_in_front(world_, narrow[side.other], hit.normal);
        return was_in_front ? crossing(hit) : Crossing{};
    }

    /// Makes the pair a contact that has pushed in this step.
    void begin(Vec2 normal, const Crossing& crossing) {
        Contacts& contacts = world_.contacts;
        if (contacts.lanes[place_.block] == 0) contacts.active.push_back(place_.block);
        set_lane(contacts.lanes, place_, true);
        set_lane(contacts.pushed, place_, true);
        set_normal(normal);
        block_.separation[place_.lane] = crossing.distance;
        set_lane(contacts.from_afar, place_, crossing.distance > world_.contact_margin());
    }
    void set_normal(Vec2 normal) {
        block_.normal_x[place_.lane] = normal.x;
        block_.normal_y[place_.lane] = normal.y;
    }

    /// Makes this the contact with a one-way side, if it is one; returns false if the side does not
    /// hold the other collider.
    bool meets(const Side& side) {
        if (side.out == Vec2{}) return true;
        const Vec2 met = normal_out_of(side.collider, place_);
        if (!is_held_by(side, met)) return false;
        if (met == side.out || (dot(met, side.out) > 0.0f && !is_carried_beside(side))) return true;
        if (block_.separation[place_.lane] > 0.0f) return false;
        const Vec2 normal = side.collider == a_ ? side.out : -side.out;
        set_normal(normal);
        block_.separation[place_.lane] = distance_at(place_, side, normal);
        return true;
    }

    /// A side also keeps holding what it already holds, however deep, and what a row carries over
    /// its joints.
    [[nodiscard]] bool is_held_by(const Side& side, Vec2 met) const {
        return has_lane(world_.contacts.touching, place_) ||
               holds(world_, side.collider, side.other, met, distance_in_front_of(side)) ||
               is_held_beside(side);
    }

    /// Whether a neighbour with the same side already holds a body, in the same plane or around
    /// corners: a body that is pressed into a row of platforms or into a hill passes from one to
    /// the next.
    [[nodiscard]] bool is_held_beside(const Side& side) const {
        const auto holds_level = [&](LanePlace place, const Side& beside) {
            return has_lane(world_.contacts.touching, place) && is_level(side, place, beside);
        };
        const bool is_held_level = looks_out(side) && any_alike(side, holds_level);
        const auto ahead = [&](const Face& from, const Face& to) {
            return turns_into(from, to, side.out, slop());
        };
        const auto back = [&](const Face& from, const Face& to) { return ahead(to, from); };
        return is_held_level || is_held_around(side, ahead) || is_held_around(side, back);
    }

    /// Whether what the body meets here looks the way that a side blocks. The other faces of a
    /// one-way polygon do not, however far the body is from their planes.
    [[nodiscard]] bool looks_out(const Side& side) const {
        if (!has_face(place_)) return true;
        const Vec2 out = side.collider == b_ ? side.out : -side.out;
        return dot(side_met(face_at(world_, place_), out, normal_out_of(b_, place_)), out) > 0.0f;
    }

    /// Whether this face leads around corners, of which leads(from, to) judges each, to a face that
    /// already holds the body.
    [[nodiscard]] bool is_held_around(
        const Side& side, FunctionRef<bool(const Face& from, const Face& to)> leads) const {
        constexpr int most_corners = 16;
        if (!has_face(place_)) return false;
        Face last = face_at(world_, place_);
        bool is_held = false;
        const auto goes_on = [&](LanePlace place, const Side&) {
            if (!has_face(place)) return false;
            const Face face = face_at(world_, place);
            if (!leads(last, face)) return false;
            last = face;
            is_held = has_lane(world_.contacts.touching, place);
            return true;
        };
        for (int i = 0; i < most_corners && !is_held; ++i) {
            if (!any_alike(side, goes_on)) return false;
        }
        return is_held;
    }

    /// Whether a neighbour in the same plane meets the body with the same side: then there is no
    /// corner at the joint.
    [[nodiscard]] bool is_carried_beside(const Side& side) const {
        const bool is_flat = !has_face(place_) || side_met(face_at(world_, place_), side.out,
                                                           normal_out_of(b_, place_)) == side.out;
        return is_flat && any_alike(side, [&](LanePlace place, const Side& beside) {
                   return has_lane(world_.contacts.lanes, place) &&
                          normal_out_of(beside.collider, place) == side.out &&
                          is_level(side, place, beside);
               });
    }

    /// Whether the side of a neighbour, in its own lane, is in the same plane as a side.
    [[nodiscard]] bool is_level(const Side& side, LanePlace place, const Side& beside) const {
        return abs(distance_at(place, beside) - distance_at(place_, side)) <= slop();
    }

    [[nodiscard]] float slop() const { return mul(level_slop, world_.config.length_unit); }
    [[nodiscard]] bool has_face(LanePlace place) const { return world_.contacts.has_face(place); }

    /// Whether is_it(place, beside) for any pair of a body with a collider that has the same side;
    /// only for dynamic bodies, since others are not pressed in.
    template <class Predicate>
    [[nodiscard]] bool any_alike(const Side& side, Predicate is_it) const {
        const Array<ColliderDef>& colliders = world_.bodies.colliders;
        return world_.broad_phase.any_lane_of(side.other, [&](LanePlace place) {
            const std::int32_t a = world_.contacts.first_slot(place);
            const std::int32_t beside = a == side.other ? world_.contacts.second_slot(place) : a;
            const bool is_alike = colliders[beside].one_way == colliders[side.collider].one_way;
            return is_alike && is_it(place, Side{beside, side.other, side.out});
        });
    }

    /// The normal of a contact out of one of its two colliders.
    [[nodiscard]] Vec2 normal_out_of(std::int32_t collider, LanePlace place) const {
        const Vec2 normal = world_.contacts.normal_at(place);
        return collider == world_.contacts.first_slot(place) ? normal : -normal;
    }

    /// How far the other collider was in front of a side at the start of the step [m].
    [[nodiscard]] float distance_in_front_of(const Side& side) const {
        if (!has_face(place_)) return distance_at(place_, side);
        return height_in_front(joined_face(side), side.out, normal_out_of(b_, place_),
                               shape_of(world_.bodies.narrow[a_]));
    }

    /// The face of this pair; ground of other pieces that the body is near goes on from it around
    /// corners as in one chain.
    [[nodiscard]] Face joined_face(const Side& side) const {
        Face face = face_at(world_, place_);
        const auto look_at = [&](LanePlace place, const Side&) {
            if (place == place_ || !has_face(place)) return false;
            Face beside = face_at(world_, place);
            if (turns_into(face, beside, side.out, slop())) join(face, beside);
            if (turns_into(beside, face, side.out, slop())) join(beside, face);
            return false;
        };
        (void)any_alike(side, look_at);
        return face;
    }

    /// The distance from the plane of a side alone, which has its contact in a lane [m].
    [[nodiscard]] float distance_at(LanePlace place, const Side& side) const {
        return distance_at(place, side, world_.contacts.normal_at(place));
    }
    /// The same if the contact had another normal.
    [[nodiscard]] float distance_at(LanePlace place, const Side& side, Vec2 normal) const {
        const NarrowColumns& narrow = world_.bodies.narrow;
        if (!has_face(place)) {
            return distance_in_front(narrow[side.other], narrow[side.collider], side.out);
        }
        const Face face = face_at(world_, place);
        return height_above(face.start, side_met(face, side.out, -normal),
                            shape_of(narrow[world_.contacts.first_slot(place)]));
    }

    WorldState& world_;
    LanePlace place_;
    ContactBlock& block_;
    std::int32_t a_;
    std::int32_t b_;
};

/// To be called once the contacts of a step have been found.
inline void judge_special_pairs(WorldState& world) {
    for (const LanePlace place : world.contacts.specials) SpecialPair(world, place).judge();
}

/// To be called once all bodies are at the end of the step.
inline void note_crossings(WorldState& world) {
    for (const LanePlace place : world.contacts.specials) SpecialPair(world, place).note_crossing();
}

/// Whether the pairs of a body with one-way colliders were special ones in the last step.
enum class WereSpecial : bool { No, Yes };

/// Ends the contacts of a body with one-way colliders, its own ones included, before it is
/// teleported or once its sides have changed.
inline void let_go(WorldState& world, BodyId body, WereSpecial were = WereSpecial::Yes) {
    const Bodies& bodies = world.bodies;
    if (bodies.one_way_count == 0) return;
    const auto concerns = [&](ColliderId a, ColliderId b) {
        const std::int32_t slot_a = bodies.slots.slot_of(a);
        const std::int32_t slot_b = bodies.slots.slot_of(b);
        if (slot_a == SlotMap::no_slot || slot_b == SlotMap::no_slot) return false;
        const bool is_one_way = bodies.is_one_way(slot_a) || bodies.is_one_way(slot_b);
        return is_one_way && (bodies.owners[slot_a] == body || bodies.owners[slot_b] == body);
    };
    const auto end_contact = [&](LanePlace place) {
        if (!has_lane(world.contacts.touching, place)) return;
        const auto [a, b] = world.broad_phase.ids_of(world.contacts, place);
        if (!concerns(a, b)) return;
        set_lane(world.contacts.touching, place, false);
        world.broad_phase.kept_contacts().note_parted({a, b},
                                                      has_lane(world.contacts.has_events, place));
    };
    if (world.broad_phase.has_lanes_of(world.contacts, bodies, body)) {
        bodies.for_each_of(body, [&](std::int32_t slot) {
            world.broad_phase.for_each_lane_of(bodies, bodies.ids[slot], end_contact);
        });
    } else if (were == WereSpecial::Yes) {
        for (const LanePlace place : world.contacts.specials) end_contact(place);
    } else {
        for_each_lane_in(world.contacts, world.contacts.touching, end_contact);
    }
    world.broad_phase.kept_contacts().part_if(
        [&](const StoredContact& contact) { return concerns(contact.a, contact.b); });
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

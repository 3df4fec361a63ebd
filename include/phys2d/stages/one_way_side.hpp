// SPDX-License-Identifier: MIT
// One-way sides: does a collider with such a side hold another one that meets it?
//
// It holds a body that was in front of the side at the start of the step and meets it from there,
// that was pushed in from there since, or that it already holds. All other bodies pass through, all
// of their colliders. So no state is needed beyond the touching pairs, which are known.
#pragma once

#include <phys2d/collision/in_front.hpp>
#include <phys2d/stages/slops.hpp>

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
    const Shape smaller = stop_shape(world, shape);
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

/// The face of a pair [m, world]. Pre: it has one.
[[nodiscard]] inline Face face_at(const WorldState& world, LanePlace place) {
    return translate(world.contacts.face(place),
                     middle_of(world.bodies.narrow[world.contacts.second_slot(place)]));
}

/// A collider of a pair, and the side from which it blocks the other one.
class OneWaySide {
public:
    OneWaySide(const WorldState& world, LanePlace place, std::int32_t collider)
        : world_(world),
          place_(place),
          collider_(collider),
          other_(is_first() ? world.contacts.second_slot(place) : world.contacts.first_slot(place)),
          out_(direction_of(world.bodies.colliders[collider].one_way)) {}

    /// Its direction; zero if the collider blocks from all sides.
    [[nodiscard]] Vec2 out() const { return out_; }

    /// A normal out of the collider as the contact has it, which is out of the first one; and the
    /// other way round.
    [[nodiscard]] Vec2 turned(Vec2 normal) const { return is_first() ? normal : -normal; }

    /// Whether it holds the other collider. It keeps holding what it already holds, however deep,
    /// and what a row carries over its joints.
    [[nodiscard]] bool holds_other() const {
        const bool is_met_from_front =
            holds(world_, collider_, other_, normal(), distance_from_ground());
        return is_touching() || (is_met_from_front && !is_passed_by_limb()) || is_held_beside();
    }

    /// Whether the contact is with this side, or with one of its corners.
    [[nodiscard]] bool is_met() const {
        return normal() == out_ || (dot(normal(), out_) > 0.0f && !is_carried_beside());
    }

    /// How far the other collider was in front of the plane of this side alone, at the start of the
    /// step [m].
    [[nodiscard]] float distance_from_plane() const {
        return distance_from_plane(has_face() ? world_.contacts.first_slot(place_) : other_);
    }

    /// The translation of the other collider relative to this one in the last step [m].
    [[nodiscard]] Vec2 last_way() const {
        return world_.bodies.last_way(other_) - world_.bodies.last_way(collider_);
    }
    /// Where on that way the other collider entered this one through the side, if it did.
    [[nodiscard]] CastHit crossing() const {
        if (dot(last_way(), out_) >= 0.0f) return {};
        const CastHit hit = hit_by_other();
        const Vec2 back = direction_of(world_.bodies.colliders[other_].one_way);
        const bool is_blocked = blocks(out_, hit.normal) && blocks(back, -hit.normal);
        const bool enters = is_blocked && was_in_front(hit.normal) && !is_passed_by_limb();
        return enters ? hit : CastHit{};
    }

private:
    [[nodiscard]] bool is_first() const { return collider_ == world_.contacts.first_slot(place_); }
    /// Whether the two touch here: an heir does for another side of the terrain.
    [[nodiscard]] bool is_touching() const {
        const Contacts& contacts = world_.contacts;
        return has_lane(contacts.touching, place_) && !has_lane(contacts.heirs, place_);
    }
    [[nodiscard]] bool has_face() const { return world_.contacts.has_face(place_); }
    [[nodiscard]] Face face() const { return face_at(world_, place_); }
    [[nodiscard]] Vec2 normal() const { return turned(world_.contacts.normal_at(place_)); }
    [[nodiscard]] Vec2 normal_out_of_face() const { return -world_.contacts.normal_at(place_); }
    /// The shape of a pair with a face.
    [[nodiscard]] Shape first_shape() const {
        return shape_of(world_.bodies.narrow[world_.contacts.first_slot(place_)]);
    }
    /// How far a collider was in front of the side's plane at the start of the step [m].
    [[nodiscard]] float distance_from_plane(std::int32_t limb) const {
        const NarrowColumns& narrow = world_.bodies.narrow;
        if (!has_face()) return distance_in_front(narrow[limb], narrow[collider_], out_);
        return height_above(face().start, front(), shape_of(narrow[limb]));
    }
    [[nodiscard]] float slop() const { return world_.scaled(level_slop); }

    /// The direction in which the side looks where the contact is; that of a face, or of the end of
    /// one, may be another than `out`.
    [[nodiscard]] Vec2 front() const {
        return has_face() ? side_met(face(), out_, normal_out_of_face()) : out_;
    }

    /// Where on its way the other collider hits this one. Terrain is not pressed into others.
    [[nodiscard]] CastHit hit_by_other() const {
        const NarrowColumns& narrow = world_.bodies.narrow;
        const Shape shape = narrowed(world_, shape_of(narrow[other_]), out_);
        if (!has_face()) return shape_cast(shape, last_way(), shape_of(narrow[collider_]));
        return is_first() ? CastHit{} : cast_at_face(face(), shape, last_way(), 0.0f);
    }
    /// Whether the other collider was in front at the start of the step, where a hit has a normal.
    [[nodiscard]] bool was_in_front(Vec2 normal) const {
        if (!has_face()) return distance_from_plane() >= 0.0f;
        return height_in_front(face(), out_, normal, first_shape()) >=
               -depth_in_front(world_, world_.bodies.narrow[other_], normal);
    }

    /// Whether test(beside) is true for the side of any collider that blocks from the same side and
    /// is near the other collider; only if that is dynamic, since others are not pressed in.
    [[nodiscard]] bool any_alike(auto test) const { return any_alike_near(other_, test); }
    /// The same near a collider of the same body as the other one.
    [[nodiscard]] bool any_alike_near(std::int32_t limb, auto test) const {
        return world_.broad_phase.any_lane_of(limb, [&](LanePlace place) {
            const std::int32_t a = world_.contacts.first_slot(place);
            const std::int32_t beside = a == limb ? world_.contacts.second_slot(place) : a;
            const OneWaySide side(world_, place, beside);
            return side.out_ == out_ && test(side);
        });
    }
    /// Whether another side is in the same plane.
    [[nodiscard]] bool is_level_with(const OneWaySide& beside) const {
        return abs(beside.distance_from_plane() - distance_from_plane()) <= slop();
    }

    /// Whether a neighbour with the same side already holds the other collider, in the same plane
    /// or around corners: what is pressed into a row of platforms or into a hill passes from one to
    /// the next.
    [[nodiscard]] bool is_held_beside() const {
        const auto ahead = [&](const Face& from, const Face& to) {
            return turns_into(from, to, out_, slop());
        };
        const auto back = [&](const Face& from, const Face& to) { return ahead(to, from); };
        return is_held_level() || is_held_around(ahead) || is_held_around(back);
    }
    /// The same in the plane. Faces of a one-way polygon that do not look the way that it blocks
    /// are not in a row, however far the other collider is from their planes.
    [[nodiscard]] bool is_held_level() const {
        const bool looks_out = dot(front(), out_) > 0.0f;
        return looks_out && any_alike([&](const OneWaySide& beside) {
                   return beside.is_touching() && is_level_with(beside);
               });
    }
    /// The same around corners, of which leads(from, to) judges each.
    [[nodiscard]] bool is_held_around(
        FunctionRef<bool(const Face& from, const Face& to)> leads) const {
        constexpr int most_corners = 16;
        if (!has_face()) return false;
        Face last = face();
        bool is_held = false;
        const auto goes_on = [&](const OneWaySide& beside) {
            if (!beside.has_face() || !leads(last, beside.face())) return false;
            last = beside.face();
            is_held = beside.is_touching();
            return true;
        };
        for (int i = 0; i < most_corners && !is_held; ++i) {
            if (!any_alike(goes_on)) return false;
        }
        return is_held;
    }

    /// Whether a shape overlaps this collider, both at the start of the step.
    [[nodiscard]] bool has_inside(const Shape& shape) const {
        const Bodies& bodies = world_.bodies;
        const Vec2 start = middle_of(bodies.narrow[collider_]);
        const Vec2 moved = bodies.placed_shape(collider_).center - start;
        return overlaps(bodies, collider_, translate(shape, moved));
    }
    /// Whether the body of the other collider is on its way through: another collider of it is
    /// behind this side, and in one that blocks alike without holding it.
    [[nodiscard]] bool is_passed_by_limb() const {
        const Bodies& bodies = world_.bodies;
        if (bodies.types[other_] != BodyType::Dynamic) return false;
        return bodies.any_of(bodies.owners[other_], [&](std::int32_t limb) {
            if (limb == other_) return false;
            const float depth = depth_in_front(world_, bodies.narrow[limb], front());
            if (distance_from_plane(limb) >= -depth) return false;
            Shape sunk = narrowed(world_, shape_of(bodies.narrow[limb]), out_);
            sunk.half_extents += abs(out_) * (2.0f * depth);  // what follows it may be as deep
            const auto is_around = [&](const OneWaySide& side) { return side.has_inside(sunk); };
            const auto is_holding = [](const OneWaySide& side) { return side.is_touching(); };
            return any_alike_near(limb, is_around) && !any_alike_near(limb, is_holding);
        });
    }

    /// Whether a neighbour in the same plane meets the other collider with the same side: then
    /// there is no corner at the joint.
    [[nodiscard]] bool is_carried_beside() const {
        return front() == out_ && any_alike([&](const OneWaySide& beside) {
                   return has_lane(world_.contacts.lanes, beside.place_) &&
                          beside.normal() == out_ && is_level_with(beside);
               });
    }

    /// How far the other collider was in front of the ground at the start of the step [m].
    [[nodiscard]] float distance_from_ground() const {
        if (!has_face()) return distance_from_plane();
        return height_in_front(joined_face(), out_, normal_out_of_face(), first_shape());
    }
    /// The face of this pair; ground of other pieces that the body is near goes on from it around
    /// corners as in one chain.
    [[nodiscard]] Face joined_face() const {
        Face joined = face();
        (void)any_alike([&](const OneWaySide& side) {
            if (side.place_ == place_ || !side.has_face()) return false;
            Face beside = side.face();
            if (turns_into(joined, beside, out_, slop())) join(joined, beside);
            if (turns_into(beside, joined, out_, slop())) join(beside, joined);
            return false;
        });
        return joined;
    }

    const WorldState& world_;
    LanePlace place_;
    std::int32_t collider_;
    std::int32_t other_;
    Vec2 out_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// Surface: one thing that may be bumped into, taken out of a world: a shape, or a face of terrain.
// For controllers of your own: ask a world once for what is around, then cast and touch as often as you like.
#pragma once

#include <phys2d/collision/in_front.hpp>
#include <phys2d/world/queries.hpp>

namespace phys2d::inline PHYS2D_ABI {

class Surface {
public:
    BodyId body{};
    ColliderId collider{};
    BodyType type = BodyType::Static;  ///< of the body
    OneWay one_way = OneWay::No;

    Surface() = default;
    explicit Surface(const Shape& shape) : shape_(shape) {}
    /// `flush`: sides that reach over an end of the face by less than that do not touch it [m].
    Surface(const detail::Face& face, float flush)
        : face_(seen_part(face)), flush_(flush), is_face_(true) {}

    /// Where a shape that moves by `way` meets it; see `phys2d::shape_cast`.
    [[nodiscard]] CastHit cast(const Shape& moving, Vec2 translation) const {
        if (!is_face_) return shape_cast(moving, translation, shape_);
        return detail::cast_at_face(face_, moving, translation, flush_);
    }

    /// How it touches a shape that is no further away than `reach` [m], with the normal out of the surface; a
    /// penetration below -reach where it does not.
    [[nodiscard]] Manifold touch(const Shape& other, float reach) const {
        if (!is_face_) return collide(shape_, other);
        return detail::collide_with_face(face_, other, reach, flush_);
    }

    /// Of the flat sides that meet where something with `normal` was hit, the normal nearest to a direction; `normal`
    /// itself where the surface is round.
    [[nodiscard]] Vec2 side_towards(Vec2 direction, Vec2 normal) const {
        if (is_face_) {
            return normal == face_.normal ? normal : detail::side_at_corner(face_, direction);
        }
        const bool is_corner = detail::is_slanted(normal) && shape_.radius == 0.0f;
        if (!is_corner) return normal;
        const Vec2 x = detail::axis_x(normal.x);
        const Vec2 y = detail::axis_y(normal.y);
        return dot(x, direction) > dot(y, direction) ? x : y;
    }

    /// How far a shape that meets it with `normal` is in front of what of it looks in a direction [m]: over its flat side,
    /// or over the corner of two.
    [[nodiscard]] float height_in_front(Vec2 direction, Vec2 normal, const Shape& other) const {
        if (is_face_) return detail::height_in_front(face_, direction, normal, other);
        const Vec2 flat = side_towards(direction, normal);
        return detail::height_above(shape_.center + detail::reach_towards(shape_, flat), flat,
                                    other);
    }

    /// True for a straight piece of terrain, and for the corner at its open end, which has no length.
    [[nodiscard]] bool is_face() const { return is_face_; }
    /// From end to end, of a face; solid is on its left.
    [[nodiscard]] Segment segment() const { return segment_of(face_); }
    /// Of anything else.
    [[nodiscard]] const Shape& shape() const { return shape_; }

private:
    detail::Face face_{};
    Shape shape_{};
    float flush_ = 0.0f;
    bool is_face_ = false;
};

namespace detail {

/// Calls visit(Surface) for what a filter sees in a box.
template <class Visit>
void for_each_surface(const WorldState& world, const AABB& box, const QueryFilter& filter,
                      Visit visit) {
    const Bodies& bodies = world.bodies;
    const float flush = mul(flush_slop, world.config.length_unit);
    const auto tell = [&](std::int32_t slot, Surface surface) {
        if (!sees(filter, bodies, at(slot))) return;
        surface.body = bodies.owners[at(slot)];
        surface.collider = as_collider(bodies.ids[at(slot)]);
        surface.type = bodies.types[at(slot)];
        surface.one_way = bodies.colliders[at(slot)].one_way;
        visit(surface);
    };
    world.broad_phase.for_each_body_in(bodies, box, [&](std::int32_t slot) {
        if (bodies.is_plain(slot)) return tell(slot, Surface(bodies.placed_shape(at(slot))));
        for_each_placed_face(bodies, slot, box, [&](const Face& face, std::int32_t owner) {
            tell(owner, Surface(face, flush + place_rounding(terrain_origin(bodies, slot))));
        });
    });
}

}  // namespace detail
}  // namespace phys2d::inline PHYS2D_ABI

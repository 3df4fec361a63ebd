// SPDX-License-Identifier: MIT
// Surface: a copy of one shape or terrain face of a World.
// For character controllers of your own: query the world once, then cast against the copies.
#pragma once

#include <phys2d/collision/in_front.hpp>
#include <phys2d/world/queries.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// A shape, or one straight face of terrain, in world coordinates [m]. A copy: it stays what it was
/// when the world changes.
class Surface {
public:
    BodyId body{};
    ColliderId collider{};
    BodyType type = BodyType::Static;  ///< of the body
    OneWay one_way = OneWay::No;

    /// A point at the origin.
    Surface() = default;
    /// The surface of a shape [m].
    explicit Surface(const Shape& shape) : shape_(shape) {}
    /// `flush`: sides that overlap the end of the face by less do not touch it [m].
    Surface(const detail::Face& face, float flush)
        : face_(seen_part(face)), flush_(flush), is_face_(true) {}

    /// The first hit of a shape that moves by `translation` [m]; see `phys2d::shape_cast`.
    [[nodiscard]] CastHit cast(const Shape& moving, Vec2 translation) const {
        if (!is_face_) return shape_cast(moving, translation, shape_);
        return detail::cast_at_face(face_, moving, translation, flush_);
    }

    /// How it touches a shape at most `reach` [m] away; the normal points out of the surface. A
    /// penetration below -reach means that it does not.
    [[nodiscard]] Manifold touch(const Shape& other, float reach) const {
        if (!is_face_) return collide(shape_, other);
        return detail::collide_with_face(face_, other, reach, flush_);
    }

    /// Of the flat sides that meet where a cast has hit with `normal`, the normal nearest to
    /// `direction`; `normal` itself where the surface is round.
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

    /// Distance of a shape, which meets the surface with `normal`, in front of the side that faces
    /// `direction`, along an axis [m]: from the plane of that side, or from the corner of two such
    /// sides; from the outermost plane of a shape.
    [[nodiscard]] float height_in_front(Vec2 direction, Vec2 normal, const Shape& other) const {
        if (!is_face_) return detail::height_in_front(shape_, direction, other);
        return detail::height_in_front(face_, direction, normal, other);
    }

    /// Makes one-way ground that turns away into other one-way ground, at most `slop` apart [m], go
    /// on as in one chain.
    void join(Surface& next, float slop) {
        const bool are_alike = is_face_ && next.is_face_ && one_way == next.one_way;
        if (are_alike && detail::turns_into(face_, next.face_, direction_of(one_way), slop)) {
            detail::join(face_, next.face_);
        }
    }

    /// True for a face of terrain, and for the corner at its open end, which has no length.
    [[nodiscard]] bool is_face() const { return is_face_; }
    /// The face from end to end, solid on its left [m, world]. Pre: is_face().
    [[nodiscard]] Segment segment() const { return segment_of(face_); }
    /// [m, world]. Pre: !is_face().
    [[nodiscard]] const Shape& shape() const { return shape_; }

private:
    detail::Face face_{};
    Shape shape_{};
    float flush_ = 0.0f;
    bool is_face_ = false;
};

namespace detail {

/// Calls visit(Surface) for each surface in a box that a filter sees. `known`: see
/// `TileMap::for_each_face`.
template <int Width>
void for_each_surface(const WorldState& world, const AABB& box, const QueryFilter& filter,
                      FunctionRef<void(const Surface&)> visit, KnownTiles* known = nullptr) {
    const Bodies& bodies = world.bodies;
    const auto tell = [&](std::int32_t slot, Surface surface) {
        if (!sees(filter, bodies, slot)) return;
        surface.body = bodies.owners[slot];
        surface.collider = bodies.ids[slot];
        surface.type = bodies.types[slot];
        surface.one_way = bodies.colliders[slot].one_way;
        visit(surface);
    };
    world.broad_phase.for_each_body_in<Width>(bodies, box, [&](std::int32_t slot) {
        if (bodies.has_shape(slot)) {
            const Shape shape = bodies.placed_shape(slot);
            if (overlaps(bounds(shape), box)) tell(slot, Surface(shape));
            return;
        }
        const float flush = flush_at(world, slot);
        const auto tell_face = [&](const Face& face, std::int32_t owner) {
            tell(owner, Surface(face, flush));
        };
        for_each_placed_face(bodies, slot, box, tell_face, known);
    });
}
PHYS2D_COMPILED_ONCE(void for_each_surface<PHYS2D_LANES>(const WorldState&, const AABB&,
                                                         const QueryFilter&,
                                                         FunctionRef<void(const Surface&)>,
                                                         KnownTiles*));

}  // namespace detail
}  // namespace phys2d::inline PHYS2D_ABI

// SPDX-License-Identifier: MIT
// in_front: how far is a shape in front of one-way ground?
//
// One-way ground blocks with the sides that face its direction. A shape is in front of a flat side
// if it is above its plane. Where two such sides meet at a convex corner, it is in front if any
// direction between their two normals separates it from the corner: a shape that rests on a tip is
// below both planes. At the end of a one-way line there is only one plane, and the level one on
// which the flat side of a box comes down.
#pragma once

#include <phys2d/collision/touch_face.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Height of a shape in front of the outermost plane of another in an axis direction [m].
[[nodiscard]] constexpr float height_in_front(const Shape& ground, Vec2 direction,
                                              const Shape& shape) {
    return height_above(ground.center + reach_towards(ground, direction), direction, shape);
}

/// Height of a shape above a corner [m]: the largest along any direction between the normals of the
/// two faces.
[[nodiscard]] constexpr float height_above_corner(Vec2 corner, Vec2 before, Vec2 normal,
                                                  const Shape& shape) {
    const Vec2 middle = shape.center - corner;
    const Vec2 nearest = middle - clamp(middle, -shape.half_extents, shape.half_extents);
    float height = max(height_above(corner, before, shape), height_above(corner, normal, shape));
    const Vec2 directions[] = {
        {1.0f, 0.0f}, {-1.0f, 0.0f}, {0.0f, 1.0f}, {0.0f, -1.0f}, normalized(nearest)};
    for (const Vec2 between : directions) {
        const bool is_between = cross(before, between) > 0.0f && cross(between, normal) > 0.0f;
        if (is_between) height = max(height, height_above(corner, between, shape));
    }
    return height;
}

/// The side of a face at which a contact with this normal blocks, or is blocked, along a direction.
[[nodiscard]] constexpr Vec2 side_met(const Face& face, Vec2 direction, Vec2 normal) {
    if (normal == face.normal) return normal;
    return side_at_corner(face, dot(normal, direction) < 0.0f ? -direction : direction);
}

/// The end of a face; that of an endless face is far away.
[[nodiscard]] constexpr Vec2 end_of(const Face& face) {
    return face.start + perpendicular(face.normal) * face.end;
}

/// Whether ground that blocks in a direction turns away at the end of a face and goes on with
/// another one, at most `slop` apart.
[[nodiscard]] constexpr bool turns_into(const Face& face, const Face& next, Vec2 direction,
                                        float slop) {
    const bool blocks = dot(face.normal, direction) > 0.0f && dot(next.normal, direction) > 0.0f;
    return blocks && next.corner != CornerKind::OpenEnd && cross(face.normal, next.normal) > 0.0f &&
           distance_sq(end_of(face), next.start) <= square(slop);
}

/// Makes two faces of different pieces that turn into each other neighbours.
constexpr void join(Face& face, Face& next) {
    face.after = next.normal;
    next.before = face.normal;
    next.corner = CornerKind::Joined;
}

/// Height of a shape in front of the ground, where it touches a face with this normal [m].
/// `direction`: that of the one-way ground, or of the shape if the shape is one-way.
[[nodiscard]] constexpr float height_in_front(const Face& face, Vec2 direction, Vec2 normal,
                                              const Shape& shape) {
    const Vec2 ahead = dot(normal, direction) < 0.0f ? -direction : direction;
    const auto looks_ahead = [&](Vec2 side) { return dot(side, ahead) > 0.0f; };
    float height = height_above(face.start, side_met(face, direction, normal), shape);
    const bool is_joined = face.corner == CornerKind::Joined;
    if (is_joined && looks_ahead(face.before) && looks_ahead(face.normal)) {
        height = max(height, height_above_corner(face.start, face.before, face.normal, shape));
    }
    if (normal == face.normal && looks_ahead(face.after)) {
        height = max(height, height_above_corner(end_of(face), normal, face.after, shape));
    }
    return normal == ahead ? max(height, height_above(face.start, normal, shape)) : height;
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

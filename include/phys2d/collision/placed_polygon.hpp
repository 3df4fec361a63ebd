// SPDX-License-Identifier: MIT
// PlacedPolygon: a polygon at a place in a world, and the functions of collide_polygon.hpp and
// cast_polygon.hpp for it.
//
// Vertices stay relative to the place, and what meets them is brought there: far from the origin
// rounding would turn short edges, and of a polygon that is not convex no point is inside.
#pragma once

#include <phys2d/collision/cast_polygon.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Must not outlive the polygon.
struct PlacedPolygon {
    const Polygon& polygon;
    Vec2 place{};
};

[[nodiscard]] constexpr Manifold collide(const PlacedPolygon& a, const Shape& b) {
    Manifold manifold = phys2d::collide(a.polygon, translate(b, -a.place));
    manifold.point += a.place;
    return manifold;
}

[[nodiscard]] constexpr bool overlaps(const PlacedPolygon& a, const Shape& b) {
    return phys2d::overlaps(a.polygon, translate(b, -a.place));
}

[[nodiscard]] constexpr CastHit ray_cast(Vec2 origin, Vec2 translation, const PlacedPolygon& at) {
    CastHit hit = phys2d::ray_cast(origin - at.place, translation, at.polygon);
    hit.point += at.place;
    return hit;
}

[[nodiscard]] constexpr CastHit shape_cast(const Shape& moving, Vec2 translation,
                                           const PlacedPolygon& at) {
    CastHit hit = phys2d::shape_cast(translate(moving, -at.place), translation, at.polygon);
    hit.point += at.place;
    return hit;
}

/// A solid in the coordinates of its world.
[[nodiscard]] constexpr Polygon in_world(const PlacedPolygon& solid) {
    return translate(solid.polygon, solid.place);
}
template <class Solid>
[[nodiscard]] constexpr const Solid& in_world(const Solid& solid) {
    return solid;
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

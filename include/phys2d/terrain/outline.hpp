// SPDX-License-Identifier: MIT
// Outline: the surface of a terrain collider: a segment, a chain, a convex polygon or a half-space.
// All become faces that know their neighbours, so that nothing catches at an inner vertex.
//
// Solid is on the left of a chain, in the order of its points, as in a polygon: ground runs from
// right to left.
#pragma once

#include <phys2d/collision/face.hpp>
#include <phys2d/core/array.hpp>
#include <phys2d/core/error.hpp>
#include <phys2d/core/span.hpp>
#include <phys2d/shapes/half_space.hpp>
#include <phys2d/shapes/polygon.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Thickness of a polygon behind one of its vertices, against `normal`; never negative, where
/// rounding has a vertex in front of an edge that is nearly in line with it either.
[[nodiscard]] constexpr float thickness_behind(const Polygon& polygon, std::size_t vertex,
                                               Vec2 normal) {
    float thickness = std::numeric_limits<float>::max();
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec2 other = polygon.normal(i);
        const float ahead = -dot(other, normal);
        if (ahead <= 1e-6f) continue;
        const bool is_adjacent = i == vertex || polygon.next(i) == vertex;
        const float distance = max(dot(other, polygon.vertex(i) - polygon.vertex(vertex)), 0.0f);
        thickness = min(thickness, is_adjacent ? 0.0f : distance / ahead);
    }
    return thickness;
}

/// Half the thickness of a polygon behind an edge, where it is thinnest: at one of its ends.
[[nodiscard]] constexpr float half_thickness(const Polygon& polygon, std::size_t edge) {
    const Vec2 normal = polygon.normal(edge);
    return 0.5f * min(thickness_behind(polygon, edge, normal),
                      thickness_behind(polygon, polygon.next(edge), normal));
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

namespace phys2d::inline PHYS2D_ABI {

/// A polyline; nothing catches at its vertices. Solid is on its left: ground runs from right to
/// left, ceilings from left to right, loops counter-clockwise around islands and clockwise around
/// rooms. A one-sided chain lets bodies pass from behind, and so do its ends: what is not in front
/// of it passes them from beside. Once its centre is in front, or a box has the end of a slope
/// inside it, a body is put out: platforms to jump through are `one_way`.
struct Chain {
    /// At least 2 (3 for a loop), consecutive ones distinct [m]. An Outline copies them.
    Span<const Vec2> points;
    bool is_loop = false;       ///< the last point is joined to the first
    bool is_two_sided = false;  ///< both sides are surfaces; not for loops
};

/// A sequence of connected faces, relative to the body, with coordinates of at most 1e15 m. Any of
/// these converts to it; one that is not valid is an error.
class Outline {
public:
    /// Solid from both sides.
    Outline(const Segment& segment) {
        detail::require(
            is_valid(segment) && is_near(segment.from) && is_near(segment.to),
            "Outline: the segment goes from (%g, %g) to (%g, %g), expected two different "
            "points with coordinates from %g to %g",
            segment.from.x, segment.from.y, segment.to.x, segment.to.y, -farthest, farthest);
        const Vec2 points[] = {segment.from, segment.to};
        add_strip(points, true);
    }
    /// Counter-clockwise and convex.
    Outline(const Polygon& polygon) {
        detail::require_convex(polygon, Polygon::max_vertices, "Outline", "the polygon");
        for (const Vec2 vertex : polygon.vertices()) {
            detail::require(is_near(vertex),
                            "Outline: a vertex of the polygon is (%g, %g), expected coordinates "
                            "from %g to %g",
                            vertex.x, vertex.y, -farthest, farthest);
        }
        solid_ = polygon;
        add_strip(polygon.vertices(), true);
        for (std::size_t i = 0; i < polygon.size(); ++i) {
            faces_[i].half_thickness = detail::half_thickness(polygon, i);
        }
    }
    /// Relative to the body as well.
    Outline(const HalfSpace& half_space) {
        detail::require(
            is_valid(half_space),
            "Outline: the half-space has the normal (%g, %g) and the offset %g, expected a "
            "unit vector and a finite number",
            half_space.normal.x, half_space.normal.y, half_space.offset);
        detail::Face face = detail::plain_face(half_space.normal * half_space.offset,
                                               half_space.normal, detail::endless_length);
        face.begin = -detail::endless_length;
        face.half_thickness = detail::endless_length;
        face.feature = 1;
        faces_.push_back(face);
        bounds_ = aabb_around({}, {detail::endless_length, detail::endless_length});
    }
    /// See Chain.
    Outline(const Chain& chain) {
        require_valid(chain);
        detail::Array<Vec2> points;
        points.assign(chain.points.data(), chain.points.size());
        if (chain.is_two_sided) {
            for (std::size_t i = points.size() - 2; i > 0; --i) points.push_back(chain.points[i]);
        }
        add_strip(points, chain.is_loop || chain.is_two_sided);
    }

    /// Relative to `center(bounds())`.
    [[nodiscard]] const detail::Array<detail::Face>& faces() const { return faces_; }
    /// Relative to the body [m].
    [[nodiscard]] const AABB& bounds() const { return bounds_; }
    /// The polygon it was made of; without vertices for other outlines.
    [[nodiscard]] const Polygon& solid() const { return solid_; }

private:
    static constexpr float farthest = 1e15f;  // largest coordinate, relative to the body [m]

    static bool is_near(Vec2 point) { return max(abs(point.x), abs(point.y)) <= farthest; }

    static void require_valid(const Chain& chain) {
        const std::size_t count = chain.points.size();
        detail::require(count >= (chain.is_loop ? 3u : 2u),
                        "Outline: the chain has %u points, expected at least %u",
                        static_cast<unsigned>(count), chain.is_loop ? 3u : 2u);
        detail::require(!(chain.is_loop && chain.is_two_sided),
                        "Outline: the chain of %u points is a loop with two sides, expected one",
                        static_cast<unsigned>(count));
        for (std::size_t i = 0; i < count; ++i) {
            const Vec2 point = chain.points[i];
            const bool repeats = i > 0 ? point == chain.points[i - 1]
                                       : chain.is_loop && point == chain.points[count - 1];
            detail::require(
                is_finite(point) && is_near(point) && !repeats,
                "Outline: point %u of the chain is (%g, %g), expected one with coordinates from "
                "%g to %g that is not the one before; the last one of a loop comes before the "
                "first",
                static_cast<unsigned>(i), point.x, point.y, -farthest, farthest);
        }
    }

    /// Adds the faces from point to point, back to the first one if closed.
    void add_strip(Span<const Vec2> points, bool is_closed) {
        bounds_ = {points[0], points[0]};
        for (const Vec2 point : points) bounds_ = merge(bounds_, point);
        const Vec2 middle = center(bounds_);
        const std::size_t edges = is_closed ? points.size() : points.size() - 1;
        for (std::size_t i = 0; i < edges; ++i) {
            const Vec2 from = points[i] - middle;
            const Vec2 to = points[(i + 1) % points.size()] - middle;
            const Vec2 normal = detail::edge_normal(detail::edge_direction(from, to));
            const float length = dot(to - from, perpendicular(normal));
            detail::Face face = detail::plain_face(from, normal, length);
            face.feature = static_cast<std::uint32_t>(i) + 1;
            faces_.push_back(face);
        }
        join_faces(is_closed);
        if (!is_closed) {
            faces_.push_back(detail::corner_at_end(faces_.back().normal, points[edges] - middle));
            faces_.back().feature = static_cast<std::uint32_t>(edges) + 1;
        }
    }

    void join_faces(bool is_closed) {
        const std::size_t joints = is_closed ? faces_.size() : faces_.size() - 1;
        for (std::size_t i = 0; i < joints; ++i) {
            detail::Face& face = faces_[i];
            detail::Face& after = faces_[(i + 1) % faces_.size()];
            detail::join_before(face, after.normal, mul(detail::joint_overlap, face.length));
            detail::join_after(after, face.normal, mul(detail::joint_overlap, after.length));
        }
        if (is_closed) return;
        detail::begin_open(faces_[0]);
        detail::end_open(faces_.back());
    }

    detail::Array<detail::Face> faces_;
    AABB bounds_{};
    Polygon solid_{};
};

}  // namespace phys2d::inline PHYS2D_ABI

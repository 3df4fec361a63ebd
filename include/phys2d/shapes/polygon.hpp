// SPDX-License-Identifier: MIT
// Polygon: a convex polygon of 3 to 12 vertices, counter-clockwise, closed: its border belongs to
// it.
//
// Edge i runs from vertex i to vertex i + 1, the last one back to vertex 0; outside is to its
// right. Nothing rotates, so a box that moves past a polygon is a point that moves past their
// Minkowski sum: the polygon's edges, each moved outwards by the corner of the box that is furthest
// along its normal, and the box's own edges between them. One walk around finds it.
// [Ericson2005 §3.11]
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include <phys2d/core/error.hpp>
#include <phys2d/core/span.hpp>
#include <phys2d/shapes/aabb.hpp>
#include <phys2d/shapes/segment.hpp>

namespace phys2d::inline PHYS2D_ABI {

namespace detail {

/// Unit vector along an edge. An edge of length zero runs to the left: its normal points up.
[[nodiscard]] constexpr Vec2 edge_direction(Vec2 from, Vec2 to) {
    return normalized_or(to - from, {-1.0f, 0.0f});
}

/// Unit vector out of an edge, to its right; never a negative zero.
[[nodiscard]] constexpr Vec2 edge_normal(Vec2 direction) {
    return Vec2{direction.y, -direction.x} + Vec2{};
}

}  // namespace detail

/// A convex polygon [m]: ground and walls for shapes, rays and segments; no function is for two of
/// them. Plain data without allocation. Constructors accept any vertices; see `is_valid`,
/// and `convex_hull` for points in any order.
struct Polygon {
    static constexpr std::size_t max_vertices = 12;            ///< of a valid polygon
    static constexpr std::size_t capacity = max_vertices + 4;  ///< room for its sum with a box

    /// Without vertices, which is not valid.
    constexpr Polygon() = default;
    /// Vertices counter-clockwise; none are stored if there are more than `capacity`.
    constexpr Polygon(std::initializer_list<Vec2> vertices)
        : Polygon(Span<const Vec2>(vertices.begin(), vertices.size())) {}
    constexpr explicit Polygon(Span<const Vec2> vertices) {
        if (vertices.size() > capacity) return;
        for (const Vec2 vertex : vertices) vertices_[size_++] = vertex;
    }
    /// Vertex 0 is the lower left. Pre: the box has width and height.
    constexpr explicit Polygon(const AABB& box)
        : Polygon({box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}}) {}
    /// A degenerate polygon of two vertices: not valid, but collide, overlaps, intersect and the
    /// casts accept it as a two-sided segment.
    constexpr Polygon(const Segment& segment) : Polygon({segment.from, segment.to}) {}

    [[nodiscard]] constexpr std::size_t size() const { return size_; }
    /// Valid as long as the polygon is.
    [[nodiscard]] constexpr Span<const Vec2> vertices() const { return {vertices_, size_}; }
    /// Pre: i < size().
    [[nodiscard]] constexpr Vec2 vertex(std::size_t i) const { return vertices_[i]; }
    /// The index of the vertex after vertex i.
    [[nodiscard]] constexpr std::size_t next(std::size_t i) const {
        return i + 1 < size_ ? i + 1 : 0;
    }
    /// From vertex i to the next one. Pre: i < size().
    [[nodiscard]] constexpr Segment edge(std::size_t i) const {
        return {vertices_[i], vertices_[next(i)]};
    }
    /// Unit vector out of edge i; exact for axis-aligned edges. Takes a square root at each call.
    /// Pre: i < size().
    [[nodiscard]] constexpr Vec2 normal(std::size_t i) const {
        return detail::edge_normal(detail::edge_direction(vertices_[i], vertices_[next(i)]));
    }

    friend constexpr bool operator==(const Polygon& a, const Polygon& b) = default;

private:
    Vec2 vertices_[capacity]{};
    std::uint32_t size_ = 0;
};

/// Pre: at least one vertex.
[[nodiscard]] constexpr AABB bounds(const Polygon& polygon) {
    AABB box{polygon.vertex(0), polygon.vertex(0)};
    for (const Vec2 vertex : polygon.vertices()) box = merge(box, vertex);
    return box;
}

namespace detail {

/// The polygon with each vertex replaced by `change(vertex)`.
[[nodiscard]] constexpr Polygon changed(const Polygon& polygon, auto change) {
    Vec2 vertices[Polygon::capacity];
    for (std::size_t i = 0; i < polygon.size(); ++i) vertices[i] = change(polygon.vertex(i));
    return Polygon(Span<const Vec2>(vertices, polygon.size()));
}

}  // namespace detail

[[nodiscard]] constexpr Polygon translate(const Polygon& polygon, Vec2 displacement) {
    return detail::changed(polygon, [=](Vec2 vertex) { return vertex + displacement; });
}

/// Scales a polygon about the origin. Pre: factor > 0.
[[nodiscard]] constexpr Polygon scale(const Polygon& polygon, float factor) {
    return detail::changed(polygon, [=](Vec2 vertex) { return vertex * factor; });
}

/// Area [m²], as a fan of triangles around vertex 0. Negative for clockwise vertices.
[[nodiscard]] constexpr float area(const Polygon& polygon) {
    float doubled = 0.0f;
    for (std::size_t i = 2; i < polygon.size(); ++i) {
        doubled +=
            cross(polygon.vertex(i - 1) - polygon.vertex(0), polygon.vertex(i) - polygon.vertex(0));
    }
    return 0.5f * doubled;
}

/// True inside and on the border; on slanted edges to rounding.
[[nodiscard]] constexpr bool contains(const Polygon& polygon, Vec2 point) {
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Segment edge = polygon.edge(i);
        if (cross(edge.to - edge.from, point - edge.from) < 0.0f) return false;
    }
    return polygon.size() > 0 && contains(bounds(polygon), point);
}

/// True for 3 to `max_vertices` finite vertices in strictly convex, counter-clockwise order,
/// without repeated or collinear ones.
[[nodiscard]] constexpr bool is_valid(const Polygon& polygon) {
    if (polygon.size() < 3 || polygon.size() > Polygon::max_vertices) return false;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Segment edge = polygon.edge(i);
        if (!is_finite(edge.from)) return false;
        for (std::size_t k = polygon.next(polygon.next(i)); k != i; k = polygon.next(k)) {
            if (!(cross(edge.to - edge.from, polygon.vertex(k) - edge.from) > 0.0f)) return false;
        }
    }
    return true;
}

namespace detail {

/// The Minkowski sum of a polygon and a box around the origin, and the polygon vertex that each
/// vertex of it comes from. `sum` is relative to `anchor`: numbers as small as the polygon lose the
/// least precision. Edges of the polygon are not in it where they vanish beside a huge box.
struct SweptPolygon {
    Vec2 sum[Polygon::capacity]{};
    Vec2 own[Polygon::capacity]{};
    bool ends_own[Polygon::capacity]{};  // whether the edge that ends there is the polygon's
    std::size_t size = 0;
    Vec2 anchor{};

    /// Pre: a valid polygon, of which rounding may have put vertices in line, or a segment, which
    /// may be a point.
    constexpr SweptPolygon(const Polygon& polygon, Vec2 half_extents, Vec2 at) : anchor(at) {
        for (std::size_t i = 0; i < polygon.size(); ++i) {
            const Vec2 vertex = polygon.vertex(i);
            const Vec2 before = polygon.vertex(i > 0 ? i - 1 : polygon.size() - 1);
            const unsigned last = corner_before(polygon.vertex(polygon.next(i)) - vertex);
            unsigned corner = corner_after(vertex - before);
            bool is_own = vertex != before;
            const bool is_straight = is_own && corner == (last + 1) % 4;  // up to rounding
            if (is_straight) corner = last;
            for (; corner != last; corner = (corner + 1) % 4, is_own = false) {
                add(vertex, half_extents, corner, is_own);
            }
            add(vertex, half_extents, last, is_own);
        }
        for (; size > 1 && sum[size - 1] == sum[0]; --size) ends_own[0] = ends_own[size - 1];
    }

    [[nodiscard]] constexpr std::size_t next(std::size_t i) const {
        return i + 1 < size ? i + 1 : 0;
    }
    /// Direction of edge i: exactly that of the polygon edge it comes from, or a side of the box.
    [[nodiscard]] constexpr Vec2 direction(std::size_t i) const {
        return ends_own[next(i)] ? edge_direction(own[i], own[next(i)])
                                 : edge_direction(sum[i], sum[next(i)]);
    }

private:
    /// Corners of the box, counter-clockwise from the lower right. An edge in the direction of the
    /// first quadrant touches corner 0, of the second corner 1, and so on; an axis-aligned edge
    /// touches two, `corner_before` at its beginning and `corner_after` at its end.
    [[nodiscard]] static constexpr unsigned corner_after(Vec2 edge) {
        if (edge.x > 0.0f && edge.y >= 0.0f) return 0;
        if (edge.x <= 0.0f && edge.y > 0.0f) return 1;
        return edge.x < 0.0f ? 2 : 3;
    }
    [[nodiscard]] static constexpr unsigned corner_before(Vec2 edge) {
        if (edge.x >= 0.0f && edge.y > 0.0f) return 0;
        if (edge.x < 0.0f && edge.y >= 0.0f) return 1;
        return edge.x > 0.0f ? 3 : 2;
    }

    constexpr void add(Vec2 vertex, Vec2 half_extents, unsigned corner, bool is_own) {
        const Vec2 outwards{corner < 2 ? half_extents.x : -half_extents.x,
                            corner == 1 || corner == 2 ? half_extents.y : -half_extents.y};
        const Vec2 there = vertex - anchor + outwards;
        if (size == Polygon::capacity || (size > 0 && sum[size - 1] == there)) return;
        sum[size] = there;
        ends_own[size] = is_own;
        own[size++] = vertex;
    }
};

}  // namespace detail

/// The area swept by a box whose centre moves over the polygon: up to four more vertices, none
/// repeated, also for boxes without width or height. It may have too many vertices for `is_valid`;
/// every other function accepts it. Pre: a valid polygon or a segment; half_extents >= 0.
[[nodiscard]] constexpr Polygon minkowski_sum(const Polygon& polygon, Vec2 half_extents) {
    const detail::SweptPolygon swept(polygon, half_extents, {});
    return Polygon(Span<const Vec2>(swept.sum, swept.size));
}

namespace detail {

/// Throws an Error about the first vertex of `what` that is not finite, or not to the left of an
/// edge that it is no end of.
inline void fail_at_vertex(const Polygon& polygon, const char* call, const char* what) {
    for (const Vec2 vertex : polygon.vertices()) {
        require(is_finite(vertex), "%s: a vertex of %s is (%g, %g), expected finite numbers", call,
                what, vertex.x, vertex.y);
    }
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const auto [from, to] = polygon.edge(i);
        for (std::size_t k = polygon.next(polygon.next(i)); k != i; k = polygon.next(k)) {
            const Vec2 vertex = polygon.vertex(k);
            require(cross(to - from, vertex - from) > 0.0f,
                    "%s: vertex %u of %s is (%g, %g), expected it to the left of the edge from "
                    "(%g, %g) to (%g, %g): convex, counter-clockwise, none repeated or in line",
                    call, static_cast<unsigned>(k), what, vertex.x, vertex.y, from.x, from.y, to.x,
                    to.y);
        }
    }
}

/// Throws an Error about `what` unless it is a valid polygon of at most `most` vertices.
inline void require_convex(const Polygon& polygon, std::size_t most, const char* call,
                           const char* what) {
    const auto count = static_cast<unsigned>(polygon.size());
    const auto limit = static_cast<unsigned>(most);
    require(count > 0, "%s: %s has no vertices, or more than %u, expected 3 to %u", call, what,
            static_cast<unsigned>(Polygon::capacity), limit);
    require(count >= 3 && count <= limit, "%s: %s has %u vertices, expected 3 to %u", call, what,
            count, limit);
    if (!is_valid(polygon)) fail_at_vertex(polygon, call, what);
}

}  // namespace detail
}  // namespace phys2d::inline PHYS2D_ABI

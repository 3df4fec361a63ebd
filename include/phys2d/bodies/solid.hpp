// SPDX-License-Identifier: MIT
// Solid: a convex polygon as the edges around it. What of a line is inside, and how far is it from
// another one?
#pragma once

#include <limits>

#include <phys2d/math/scalar.hpp>
#include <phys2d/shapes/polygon.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// An edge of a solid, along perpendicular(normal) like a face.
struct SolidEdge {
    Vec2 from{};
    Vec2 normal{};
    float length = 0.0f;  ///< [m]

    [[nodiscard]] Vec2 along() const { return perpendicular(normal); }
    [[nodiscard]] Vec2 to() const { return from + along() * length; }
    [[nodiscard]] float height(Vec2 point) const { return dot(point - from, normal); }
    [[nodiscard]] float place(Vec2 point) const { return dot(point - from, along()); }
};

/// The edges of a convex polygon, worked out once.
class Solid {
public:
    explicit Solid(const Polygon& polygon) : size_(polygon.size()) {
        for (std::size_t i = 0; i < size_; ++i) {
            const Segment edge = polygon.edge(i);
            const Vec2 normal = polygon.normal(i);
            edges_[i] = {edge.from, normal, dot(edge.to - edge.from, perpendicular(normal))};
        }
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] const SolidEdge& operator[](std::size_t i) const { return edges_[i]; }
    [[nodiscard]] const SolidEdge* begin() const { return edges_; }
    [[nodiscard]] const SolidEdge* end() const { return edges_ + size_; }

private:
    SolidEdge edges_[Polygon::max_vertices];
    std::size_t size_;
};

/// Whether an edge of `a` keeps two solids further apart than a distance [m].
[[nodiscard]] inline bool is_apart(const Solid& a, const Solid& b, float distance) {
    for (const SolidEdge& edge : a) {
        float lowest = std::numeric_limits<float>::max();
        for (const SolidEdge& other : b) lowest = min(lowest, edge.height(other.from));
        if (lowest > distance) return true;
    }
    return false;
}

/// The interval of a line in which a solid contains it, in lengths of `way` from `from`; ends
/// before it begins if there is none.
[[nodiscard]] inline Interval part_within(const Solid& solid, Vec2 from, Vec2 way) {
    constexpr float far_off = 1e30f;
    constexpr float level = 1e-6f;
    Interval part{-far_off, far_off};
    for (const SolidEdge& edge : solid) {
        const float height = edge.height(from);
        const float rise = dot(way, edge.normal);
        if (rise > level) part.high = min(part.high, -height / rise);
        if (rise < -level) part.low = max(part.low, -height / rise);
        if (abs(rise) <= level && height > 0.0f) part.high = -far_off;
    }
    return part;
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

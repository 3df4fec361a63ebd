// SPDX-License-Identifier: MIT
// Hollows: how far do the faces of an outline continue in the solid, below neighbours at concave
// corners?
//
// A body that moves along a hollow meets the faces ahead before it is above them. A slope continues
// a little at any concave corner, so that it holds the vertex of a box that is pressed into the
// other side. The continuation stays in the solid: it is never deep, ends where the surface above
// it ends, and at half the distance to where it would leave the solid.
#pragma once

#include <phys2d/collision/face.hpp>
#include <phys2d/collision/row_grid.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Largest depth of a face below its neighbours [m at length unit 1]. Less: fast bodies get out of
/// hollows. More: chains are felt further behind them, where the thickness of the solid is unknown.
inline constexpr float hollow_depth = 0.1f;

/// Most neighbours on either side below which a face goes on. More: bodies in finely divided
/// hollows touch more faces at once.
inline constexpr int hollow_neighbours = 8;

/// Neighbours that turn by less [rad] lie on one line; neither goes on below the other.
inline constexpr float straight_turn = 1e-5f;

/// Whether two faces differ by at most 30 degrees.
[[nodiscard]] constexpr bool is_shallow(Vec2 normal, Vec2 other) {
    return abs(cross(normal, other)) <= 0.5f && dot(normal, other) > 0.0f;
}

/// How far a face continues below the next one, which turns towards it, until that ends or is
/// `deepest` above it [m].
[[nodiscard]] constexpr float reach_below(Vec2 normal, Vec2 next, float next_length,
                                          float deepest) {
    if (is_shallow(normal, next)) {
        const float climb = mul(next_length, abs(cross(next, normal)));
        const float reach = mul(next_length, dot(next, normal));
        return climb > deepest ? mul(reach, deepest / climb) : reach;
    }
    if (!is_slanted(normal)) return 0.0f;
    const bool leans_away = dot(normal, next) > 0.0f;
    const float depth_per_metre = leans_away ? abs(cross(normal, next)) : 1.0f;
    return min(deepest / depth_per_metre, next_length);
}

/// The faces of an outline, in a grid of their bounds.
[[nodiscard]] inline RowGrid grid_of(const Array<Face>& faces) {
    Array<AABB> boxes;
    for (const Face& face : faces) boxes.push_back(bounds(face));
    RowGrid grid;
    grid.build(boxes);
    return grid;
}

/// The hollows between consecutive faces; the last may be followed by the first.
class Hollows {
public:
    /// Keeps a reference to the faces. `depth`: largest depth of a continuation [m].
    Hollows(const Array<Face>& faces, float depth)
        : faces_(faces), grid_(grid_of(faces)), deepest_(depth) {}

    static constexpr float ahead = 1.0f;  // directions along the faces
    static constexpr float back = -1.0f;

    /// How far a face continues beyond its end in a direction.
    [[nodiscard]] float beyond(std::size_t i, float direction) const {
        const auto [start, end] = segment_of(faces_[i]);
        const Vec2 way = perpendicular(faces_[i].normal) * direction;
        return within_solid(direction == ahead ? end : start, way, below(i, direction));
    }

private:
    /// How far a face continues below consecutive neighbours that turn towards it by little in
    /// total.
    [[nodiscard]] float below(std::size_t i, float direction) const {
        const Face& face = faces_[i];
        float length = 0.0f;
        float depth = 0.0f;
        std::size_t k = i;
        for (int count = 0; count < hollow_neighbours; ++count) {
            const std::size_t n = next(k, direction);
            const Face& above = faces_[n];
            const float turn = mul(direction, cross(above.normal, faces_[k].normal));
            if (turn < straight_turn) break;  // as at an open end: its corner turns away
            if (k != i && !is_shallow(face.normal, above.normal)) break;
            length += reach_below(face.normal, above.normal, above.length, deepest_ - depth);
            depth += mul(above.length, abs(cross(above.normal, face.normal)));
            if (depth > deepest_ || !is_shallow(face.normal, above.normal)) break;
            k = n;
        }
        return length;
    }

    [[nodiscard]] std::size_t next(std::size_t i, float direction) const {
        const std::size_t last = faces_.size() - 1;
        if (direction == ahead) return i < last ? i + 1 : 0;
        return i > 0 ? i - 1 : last;
    }

    /// `length`, limited to half the distance at which the line leaves the solid.
    [[nodiscard]] float within_solid(Vec2 from, Vec2 direction, float length) const {
        float out = 2.0f * length;
        const Vec2 to = from + direction * out;
        grid_.for_each_overlap({min(from, to), max(from, to)}, [&](std::int32_t i) {
            out = min(out, way_out(faces_[i], from, direction));
        });
        return 0.5f * out;
    }

    /// The distance at which a line leaves the solid through a face.
    [[nodiscard]] static float way_out(const Face& face, Vec2 from, Vec2 direction) {
        constexpr float never = std::numeric_limits<float>::max();
        const float leaving = dot(direction, face.normal);
        if (leaving <= 0.0f) return never;
        const float distance = dot(face.start - from, face.normal) / leaving;
        const Vec2 met = from + direction * distance;
        const float place = dot(met - face.start, perpendicular(face.normal));
        const bool is_met = distance >= 0.0f && face.begin <= place && place <= face.end;
        return is_met ? distance : never;
    }

    const Array<Face>& faces_;
    RowGrid grid_;
    float deepest_;
};

/// Makes the faces of a chain continue in hollows and concave corners, at most `depth` deep [m].
inline void extend_into_hollows(Array<Face>& faces, float depth) {
    const Array<Face> ending = faces;
    const Hollows hollows(ending, depth);
    for (std::size_t i = 0; i < faces.size(); ++i) {
        faces[i].begin -= hollows.beyond(i, Hollows::back);
        faces[i].end += hollows.beyond(i, Hollows::ahead);
    }
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// Hollows: how far do the faces of an outline go on in the solid, below neighbours that turn towards them?
//
// What moves along a hollow meets the pieces ahead before it is above them. A slope goes on a little at any nook: so
// it holds the vertex of a box that is pressed into the other side. What goes on stays in the solid: it is never deep,
// ends where the surface above it ends, and at half of the way to where it would come out.
#pragma once

#include <phys2d/collision/row_grid.hpp>
#include <phys2d/terrain/outline.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// How deep a face may go on below its neighbours [m at length unit 1]. With less, what runs fast in a hollow gets out;
/// with more, chains are felt further behind them where nothing says how thick the solid is.
inline constexpr float hollow_depth = 0.1f;

/// Below how many neighbours a face may go on to either side: what moves along a finely divided hollow touches few faces.
inline constexpr int hollow_neighbours = 8;

/// Neighbours that turn by less lie on one line, and neither goes on below the other.
inline constexpr float straight_turn = 1e-5f;

/// The faces of an outline, by the boxes around what they touch.
[[nodiscard]] inline RowGrid grid_of(const Array<Face>& faces) {
    Array<AABB> boxes;
    for (const Face& face : faces) boxes.push_back(bounds(face));
    RowGrid grid;
    grid.build(boxes);
    return grid;
}

/// The hollows between faces of which each follows the one before, the first perhaps the last.
class Hollows {
public:
    /// Reads the faces as long as it lives. `depth`: how deep they may go on [m].
    Hollows(const Array<Face>& faces, float depth)
        : faces_(faces), grid_(grid_of(faces)), deepest_(depth) {}

    /// How far a face goes on beyond its beginning.
    [[nodiscard]] float before(std::size_t i) const {
        const Vec2 back = -perpendicular(faces_[i].normal);
        return within_solid(faces_[i].start, back, below(i, faces_.size() - 1));
    }
    /// And beyond its end.
    [[nodiscard]] float after(std::size_t i) const {
        const Vec2 along = perpendicular(faces_[i].normal);
        return within_solid(segment_of(faces_[i]).to, along, below(i, 1));
    }

private:
    /// How far a face goes on below neighbours that turn towards it one after the other, and by not much all together.
    /// `step`: 1 ahead, one less than there are faces back.
    [[nodiscard]] float below(std::size_t i, std::size_t step) const {
        const Face& face = faces_[i];
        const float side = step == 1 ? 1.0f : -1.0f;
        float length = 0.0f;
        float depth = 0.0f;
        std::size_t k = i;
        for (int count = 0; count < hollow_neighbours; ++count) {
            const std::size_t n = next(k, step);
            if (n == i) break;
            const Face& above = faces_[n];
            const float turn = mul(side, cross(above.normal, faces_[k].normal));
            if (turn < straight_turn) break;  // as at an open end: its corner turns away
            if (!is_shallow(face.normal, above.normal)) {
                const bool is_nook = k == i && turn > 0.0f && is_slanted(face.normal);
                return is_nook ? behind(face, above) : length;
            }
            const float climb = mul(above.length, abs(cross(above.normal, face.normal)));
            const float reach = mul(above.length, dot(above.normal, face.normal));
            if (depth + climb > deepest_) return length + mul(reach, (deepest_ - depth) / climb);
            depth += climb;
            length += reach;
            k = n;
        }
        return length;
    }

    /// How far a slope goes on behind the other side of a nook.
    [[nodiscard]] float behind(const Face& slope, const Face& other) const {
        const bool leans_away = dot(slope.normal, other.normal) > 0.0f;
        const float depth_per_metre = leans_away ? abs(cross(slope.normal, other.normal)) : 1.0f;
        return min(deepest_ / depth_per_metre, other.length);
    }

    [[nodiscard]] std::size_t next(std::size_t i, std::size_t step) const {
        return (i + step) % faces_.size();
    }

    /// Whether faces turn by no more than 30 degrees.
    [[nodiscard]] static bool is_shallow(Vec2 normal, Vec2 other) {
        return abs(cross(normal, other)) <= 0.5f && dot(normal, other) > 0.0f;
    }

    /// So much of a way in the solid as is at most half of that to where it comes out.
    [[nodiscard]] float within_solid(Vec2 from, Vec2 direction, float length) const {
        float out = 2.0f * length;
        const Vec2 to = from + direction * out;
        grid_.for_each_overlap({min(from, to), max(from, to)}, [&](std::int32_t i) {
            out = min(out, way_out(faces_[at(i)], from, direction));
        });
        return 0.5f * out;
    }

    /// How far it is to where one comes out of the solid through a face.
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

/// Has the faces of a chain go on in hollows and nooks, at most so deep [m].
inline void extend_into_hollows(Array<Face>& faces, float depth) {
    const Array<Face> ending = faces;
    const Hollows hollows(ending, depth);
    for (std::size_t i = 0; i < faces.size(); ++i) {
        faces[i].begin -= hollows.before(i);
        faces[i].end += hollows.after(i);
    }
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

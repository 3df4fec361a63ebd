// SPDX-License-Identifier: MIT
// TileSurface: the surface of the union of tiles. Makes the faces near a box on demand, one of each
// run of edges (terrain/tile_edges.hpp).
#pragma once

#include <phys2d/terrain/tile_edges.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Whether faces begin slightly later where another surface goes straight past, and corners lie
/// slightly deeper where tiles of another group meet them: bodies that rest on those, and so press
/// into them, must not catch here. Casts need no pinching, and no features.
enum class Pinching : bool { No, Yes };

/// The feature of a face [tiles]: the same number for all faces on one line with the same normal.
[[nodiscard]] inline std::uint32_t tile_feature(Vec2 normal, Vec2 start) {
    constexpr float parts = 16.0f;  // of a tile: nearer lines are the same, up to rounding
    const auto number = [](float x) {
        constexpr std::int32_t beyond = 1 << 30;
        return static_cast<std::uint32_t>(floor_within(x, -beyond, beyond));
    };
    const std::uint32_t line = number(mul(dot(start, normal), parts) + 0.5f);
    const std::uint32_t side =
        number(mul(normal.x, 1024.0f) + 4096.0f) * 8192u + number(mul(normal.y, 1024.0f) + 4096.0f);
    return (side ^ line * 0x9E3779B9u) | 1u;
}

class TileSurface {
public:
    static constexpr std::int32_t most = TileEdges::most;  ///< columns and rows at once

    /// The surface of the tiles in `rect`. Pre: 1 to `most` columns and rows.
    TileSurface(const TileGrid& grid, const Array<TileKind>& kinds, const TileRect& rect,
                Pinching pinching)
        : edges_(grid, kinds, rect),
          origin_(corner_of({rect.min.x - 1, rect.min.y - 1})),
          pinch_(pinching == Pinching::Yes ? pinch : 0.0f) {}

    /// Calls visit(face, id) for each face that belongs partly or wholly to a tile of the
    /// rectangle; a second call visits none. Lengths are in tiles.
    void for_each_face(auto visit) {
        edges_.for_each_run([&](const Edges::Run& run) { tell_face(run, visit); });
    }

private:
    using Edges = TileEdges;
    static constexpr float pinch = 0.005f;
    /// How far slopes are extended where tiles meet in a corner alone [tiles]: no further, so that
    /// what hits them there is near the tile that the hit names.
    static constexpr float furthest_at_meeting = 0.1f;

    /// Visits the face of a run, and corners at its ends that are apart from it.
    void tell_face(const Edges::Run& run, auto& visit) const {
        const std::uint16_t id = edges_[run.first].id;
        Face face = face_of(run);
        if (pinch_ > 0.0f && face.before != face.normal && has_shared_corner(run.first)) {
            visit(corner_before(face), id);
            face.before = face.normal;
            face.corner = CornerKind::Joined;
        }
        visit(face, id);
        if (has_open_end(run.last)) visit(corner_after(run.last), id);
    }

    [[nodiscard]] Face face_of(const Edges::Run& run) const {
        const Vec2 from = edges_[run.first].at[Edges::From];
        const Vec2 way = edges_[run.last].at[Edges::To] - from;
        const Vec2 normal = edges_[run.first].normal;
        Face face = plain_face(origin_ + from, normal, dot(way, perpendicular(normal)));
        face.half_thickness = run.half_thickness;
        if (pinch_ > 0.0f) face.feature = tile_feature(face.normal, face.start);
        begin_face(run.first, face);
        end_face(run.last, face);
        return face;
    }

    [[nodiscard]] bool has_open_end(std::int32_t i) const {
        return edges_[i].after == Edges::none && !edges_.is_at_rim(edges_[i].at[Edges::To]);
    }

    void begin_face(std::int32_t first, Face& face) const {
        const std::int32_t before = edges_[first].before;
        Turn turn = Turn::Away;
        if (before != Edges::none) {
            turn = join_after(face, edges_[before].normal, joint_overlap);
        } else if (edges_.is_at_rim(edges_[first].at[Edges::From])) {
            face.begin = -joint_overlap;
        } else {
            begin_open(face);
        }
        if (meets_tiles(edges_[first].begin, turn, face.normal)) face.lean_begin = 1.0f;
        face.begin += inset(edges_[first].begin, turn, face.normal, before);
    }

    void end_face(std::int32_t last, Face& face) const {
        const std::int32_t after = edges_[last].after;
        Turn turn = Turn::Away;
        if (after != Edges::none) {
            turn = join_before(face, edges_[after].normal, joint_overlap);
        } else if (edges_.is_at_rim(edges_[last].at[Edges::To])) {
            face.end += joint_overlap;
        } else {
            end_open(face);
        }
        if (meets_tiles(edges_[last].end, turn, face.normal)) face.lean_end = 1.0f;
        face.end -= inset(edges_[last].end, turn, face.normal, after);
    }

    /// Whether the surface turns from a level or upright face to that of a tile that its own meets
    /// in a corner alone. What is deep behind it may be less deep behind the other side of its tile
    /// there.
    [[nodiscard]] static bool meets_tiles(Edges::Joint joint, Turn turn, Vec2 normal) {
        return turn == Turn::Towards && joint == Edges::Joint::Others && !is_slanted(normal);
    }

    /// How much earlier a face ends because of the joint at its end, where the surface turns to the
    /// edge `beyond`. At a concave corner a slope is extended instead, into the solid beyond, so
    /// that it holds the vertex of a box that is pressed into `beyond`, or would get into it.
    [[nodiscard]] float inset(Edges::Joint joint, Turn turn, Vec2 normal,
                              std::int32_t beyond) const {
        if (turn == Turn::Straight) return 0.0f;
        if (joint == Edges::Joint::StraightLine) return pinch_;
        if (turn == Turn::Away || !is_slanted(normal)) return 0.0f;
        const float solid = edges_[beyond].half_thickness;
        return joint == Edges::Joint::Others ? -min(furthest_at_meeting, solid) : -solid;
    }

    /// Whether tiles of another group meet the corner at the start of a face.
    [[nodiscard]] bool has_shared_corner(std::int32_t first) const {
        const std::int32_t before = edges_[first].before;
        return edges_[first].is_shared[Edges::From] ||
               (before != Edges::none && edges_[before].is_shared[Edges::To]);
    }

    /// The corner at the start of a face, without the face.
    [[nodiscard]] Face corner_before(const Face& face) const {
        Face corner = no_face;
        corner.start = face.start;
        corner.normal = face.normal;
        corner.before = face.before;
        corner.corner = face.corner;
        corner.feature = tile_feature(face.normal + face.before, face.start);
        return sunk(corner);
    }

    /// The corner moved deeper behind both of its faces.
    [[nodiscard]] Face sunk(Face corner) const {
        constexpr float sharpest = 0.01f;  // angles below 8 degrees: not as deep
        const float ahead = max(1.0f + dot(corner.before, corner.normal), sharpest);
        corner.start -= (corner.before + corner.normal) * (pinch_ / ahead);
        return corner;
    }

    [[nodiscard]] Face corner_after(std::int32_t last) const {
        Face corner = corner_at_end(edges_[last].normal, origin_ + edges_[last].at[Edges::To]);
        corner.feature = tile_feature(corner.normal, corner.start);
        return edges_[last].is_shared[Edges::To] ? sunk(corner) : corner;
    }

    Edges edges_;
    const Vec2 origin_;  // of the coordinates of edges
    const float pinch_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

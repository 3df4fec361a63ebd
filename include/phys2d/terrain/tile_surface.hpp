// SPDX-License-Identifier: MIT
// TileSurface: the surface of the union of tiles.
//
// Makes the faces near a box on demand: the edges of its tiles without the parts that neighbours
// cover, linked where one begins at the end of another, and merged where they are straight. If
// several edges begin at the same point, the surface continues with the one that turns most towards
// the open side, so that tiles which meet only in a corner are two solids. Tiles that do not block
// the same bodies from the same sides are always separate solids, each with its own corners: a body
// that one of them lets in meets the corners of the other.
#pragma once

#include <phys2d/core/bits.hpp>
#include <phys2d/terrain/tile_grid.hpp>
#include <phys2d/terrain/tile_kind.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Whether faces begin slightly later where another surface goes straight past, and corners lie
/// slightly deeper where tiles of another group meet them: bodies that rest on those, and so press
/// into them, must not catch here. Casts need no pinching.
enum class Pinching : bool { No, Yes };

/// The surface of the tiles of a few columns and rows.
class TileSurface {
public:
    static constexpr std::int32_t most = 8;  ///< columns and rows at once

    TileSurface(const TileSurface&) = delete;  // it points into itself
    TileSurface& operator=(const TileSurface&) = delete;

    /// The surface of the tiles in `rect`. Pre: 1 to `most` columns and rows.
    TileSurface(const TileGrid& grid, const Array<TileKind>& kinds, const TileRect& rect,
                Pinching pinching)
        : kinds_(kinds), rect_(rect), pinch_(pinching == Pinching::Yes ? pinch : 0.0f) {
        ids_width_ = static_cast<std::int32_t>(rect.width()) + 2 * outer;
        const TileRect seen{{rect.min.x - outer, rect.min.y - outer},
                            {rect.max.x + outer, rect.max.y + outer}};
        grid.read(seen, Span<std::uint16_t>(ids_, max_ids));
        columns_ = static_cast<std::int32_t>(rect.width()) + 2;
        rows_ = static_cast<std::int32_t>(rect.height()) + 2;
        find_edges();
        list_ends();
        for (std::int32_t i = 0; i < count_; ++i) link(i);
    }

    /// Calls visit(face, id) for each face that belongs partly or wholly to a tile of the
    /// rectangle. Lengths are in tiles.
    template <class Visit>
    void for_each_face(Visit visit) {
        for (std::int32_t i = 0; i < count_; ++i) {
            if (edges_[i].is_inside && !edges_[i].is_told) tell_face(first_of_run(i), visit);
        }
    }

private:
    /// Rings of tiles around the rectangle: one whose edges are linked, one that covers edges.
    static constexpr std::int32_t outer = 2;
    static constexpr std::int32_t max_ids = (most + 2 * outer) * (most + 2 * outer);
    static constexpr std::int32_t max_cells = (most + 2) * (most + 2);
    /// Neighbours may leave two pieces of each border.
    static constexpr std::int32_t max_edges = max_cells * (TileKind::most_corners + 4);
    static constexpr std::int32_t none = -1;
    static constexpr float pinch = 0.005f;

    /// What else is at an end of an edge, besides the edge with which the surface continues.
    enum class Joint : std::uint8_t {
        Nothing,
        Others,        ///< edges that end or begin at this point
        StraightLine,  ///< a surface that goes straight past
    };

    struct Cell {
        std::int32_t x, y;
        unsigned sides;  // of its tile that are not hidden, as bits
    };

    enum End { From, To };

    struct Edge {
        Vec2 at[2];  // by End: relative to the lower left of the outer tiles
        Vec2 normal;
        float half_thickness;
        std::int32_t before, after;
        std::int32_t next[2];  // by End: in the list of its cell
        std::uint16_t id;
        Joint begin, end;
        bool is_shared[2];  // by End: with tiles of another group
        bool is_inside;     // in the rectangle, not only beside it
        bool is_told;
    };

    /// Pointer to the id of a tile, with those of its neighbours around it.
    [[nodiscard]] const std::uint16_t* id_at(std::int32_t x, std::int32_t y) const {
        return &ids_[(y + 1) * ids_width_ + x + 1];
    }
    [[nodiscard]] const TileKind& kind_of(std::uint16_t id) const {
        static constexpr TileKind empty{};
        return id < kinds_.size() ? kinds_[id] : empty;
    }

    /// The part of a border that the tile beyond covers; nothing if that tile is of another group.
    [[nodiscard]] BorderCover cover_of(const Cell& cell, int border, const TileKind& kind) const {
        if (border < 0 || !kind.hides) return {};
        const std::int32_t to_beyond[] = {-1, 1, -ids_width_, ids_width_};
        const TileKind& beyond = kind_of(id_at(cell.x, cell.y)[to_beyond[border]]);
        return beyond.group == kind.group ? beyond.covers[border ^ 1] : BorderCover{};
    }

    /// The sides of a tile that no tile of its own kind hides, as bits: none for most tiles.
    [[nodiscard]] unsigned sides_seen(const std::uint16_t* id) const {
        const TileKind& kind = kind_of(*id);
        const auto hidden = [&](int border, std::int32_t to_beyond) {
            return unsigned{*id == id[to_beyond]} * kind.self_hidden[border];
        };
        return kind.faces &
               ~(hidden(TileBorder::Left, -1) | hidden(TileBorder::Right, 1) |
                 hidden(TileBorder::Bottom, -ids_width_) | hidden(TileBorder::Top, ids_width_));
    }

    /// Which tiles have visible sides is unpredictable: all are written, most are overwritten.
    void find_edges() {
        Cell cells[max_cells];
        std::int32_t count = 0;
        for (std::int32_t y = 0; y < rows_; ++y) {
            for (std::int32_t x = 0; x < columns_; ++x) {
                const unsigned sides = sides_seen(id_at(x, y));
                cells[count] = {x, y, sides};
                count += sides != 0 ? 1 : 0;
            }
        }
        for (std::int32_t i = 0; i < count; ++i) add_edges(cells[i]);
    }

    void add_edges(const Cell& cell) {
        const TileKind& kind = kind_of(*id_at(cell.x, cell.y));
        for_each_bit(cell.sides, [&](int i) {
            const TileKind::Side& side = kind.sides[i];
            for_each_uncovered(side.edge, side.border, cover_of(cell, side.border, kind),
                               [&](const Segment& part) { add_edge(cell, side, part); });
        });
    }

    void add_edge(const Cell& cell, const TileKind::Side& side, const Segment& part) {
        Edge& edge = edges_[count_++];
        const Vec2 corner{static_cast<float>(cell.x), static_cast<float>(cell.y)};
        edge.at[From] = corner + part.from;
        edge.at[To] = corner + part.to;
        edge.normal = side.normal;
        edge.half_thickness = side.half_thickness;
        edge.before = edge.after = none;
        edge.id = *id_at(cell.x, cell.y);
        edge.begin = edge.end = Joint::Nothing;
        edge.is_shared[From] = edge.is_shared[To] = false;
        edge.is_inside = 0 < cell.x && cell.x + 1 < columns_ && 0 < cell.y && cell.y + 1 < rows_;
        edge.is_told = false;
    }

    [[nodiscard]] Vec2 direction(std::int32_t i) const { return perpendicular(edges_[i].normal); }

    /// Links an edge to the one with which the surface continues at its end.
    void link(std::int32_t i) {
        float sharpest = 3.0f;
        std::int32_t others = 0;
        for_each_edge_at(From, edges_[i].at[To], [&](std::int32_t k) {
            ++others;
            if (!hold_alike(i, k)) {
                edges_[i].is_shared[To] = edges_[k].is_shared[From] = true;
                return;
            }
            const float turn = sharpness(direction(i), direction(k));
            if (turn >= sharpest) return;
            sharpest = turn;
            edges_[i].after = k;
        });
        if (edges_[i].after != none) {
            --others;
            edges_[edges_[i].after].before = i;
        }
        if (others > 0) note_meeting(edges_[i].at[To]);
    }

    /// Marks all edges at a point as not alone there.
    void note_meeting(Vec2 point) {
        std::int32_t in = none;  // and out: a pair that is straight
        std::int32_t out = none;
        for_each_edge_at(To, point, [&](std::int32_t i) {
            for_each_edge_at(From, point, [&](std::int32_t k) {
                if (is_straight(i, k)) in = i, out = k;
            });
        });
        const Joint joint = in == none ? Joint::Others : Joint::StraightLine;
        for_each_edge_at(To, point, [&](std::int32_t i) {
            if (i != in) edges_[i].end = joint;
        });
        for_each_edge_at(From, point, [&](std::int32_t k) {
            if (k != out) edges_[k].begin = joint;
        });
    }

    /// The cell of a point; on a border, the cell beyond, so there is one more column and row.
    [[nodiscard]] std::int32_t cell_of(Vec2 point) const {
        return static_cast<std::int32_t>(point.y) * (columns_ + 1) +
               static_cast<std::int32_t>(point.x);
    }

    /// Lists the edges by the cells of their ends, each list in the order of the edges.
    void list_ends() {
        for (const End end : {From, To}) {
            for (std::int32_t cell = 0; cell < (columns_ + 1) * (rows_ + 1); ++cell) {
                first_[end][cell] = none;
            }
            for (std::int32_t i = count_; i-- > 0;) {
                std::int32_t& first = first_[end][cell_of(edges_[i].at[end])];
                edges_[i].next[end] = first;
                first = i;
            }
        }
    }

    /// Calls visit(i) for each edge with this end at a point.
    template <class Visit>
    void for_each_edge_at(End end, Vec2 point, Visit visit) const {
        for (std::int32_t i = first_[end][cell_of(point)]; i != none; i = edges_[i].next[end]) {
            if (edges_[i].at[end] == point) visit(i);
        }
    }

    [[nodiscard]] bool is_straight(std::int32_t i, std::int32_t after) const {
        return goes_straight(edges_[i].normal, edges_[after].normal);
    }

    /// Whether two edges block the same bodies from the same sides.
    [[nodiscard]] bool hold_alike(std::int32_t i, std::int32_t k) const {
        return kind_of(edges_[i].id).group == kind_of(edges_[k].id).group;
    }

    /// Increases with the angle by which one direction turns left into another, from -2 to 2.
    [[nodiscard]] static float sharpness(Vec2 a, Vec2 b) {
        const float ahead = dot(a, b);
        return cross(a, b) < 0.0f ? ahead - 1.0f : 1.0f - ahead;
    }

    /// Whether two edges are parts of one face.
    [[nodiscard]] bool are_one(std::int32_t i, std::int32_t after) const {
        return edges_[i].after == after && edges_[after].before == i &&
               edges_[i].id == edges_[after].id && edges_[i].normal == edges_[after].normal;
    }

    [[nodiscard]] std::int32_t first_of_run(std::int32_t i) const {
        while (edges_[i].before != none && are_one(edges_[i].before, i)) i = edges_[i].before;
        return i;
    }

    /// Whether a point is at the rim, beyond which edges are unknown.
    [[nodiscard]] bool is_at_rim(Vec2 point) const {
        return point.x <= 0.0f || point.y <= 0.0f || point.x >= static_cast<float>(columns_) ||
               point.y >= static_cast<float>(rows_);
    }

    template <class Visit>
    void tell_face(std::int32_t first, Visit visit) {
        std::int32_t last = first;
        float half_thickness = edges_[first].half_thickness;
        edges_[first].is_told = true;
        while (edges_[last].after != none && are_one(last, edges_[last].after)) {
            last = edges_[last].after;
            edges_[last].is_told = true;
            half_thickness = min(half_thickness, edges_[last].half_thickness);
        }
        const Vec2 normal = edges_[first].normal;
        const std::uint16_t id = edges_[first].id;
        const Vec2 way = edges_[last].at[To] - edges_[first].at[From];
        Face face;
        face.start = in_map(edges_[first].at[From]);
        face.normal = face.before = normal;
        face.length = face.end = dot(way, perpendicular(normal));
        face.half_thickness = half_thickness;
        face.feature = feature_of(normal, face.start);
        begin_face(first, face);
        end_face(last, face);
        if (pinch_ > 0.0f && face.before != face.normal && has_shared_corner(first)) {
            visit(corner_before(face), id);
            face.before = face.normal;
            face.corner = CornerKind::Joined;
        }
        visit(face, id);
        if (has_open_end(last)) visit(corner_after(last), id);
    }

    [[nodiscard]] Vec2 in_map(Vec2 point) const {
        return {static_cast<float>(rect_.min.x - 1) + point.x,
                static_cast<float>(rect_.min.y - 1) + point.y};
    }

    /// One-way surfaces have open ends.
    [[nodiscard]] bool is_open(std::int32_t i) const {
        return kind_of(edges_[i].id).one_way != Vec2{};
    }
    [[nodiscard]] bool has_open_end(std::int32_t i) const {
        return edges_[i].after == none && is_open(i) && !is_at_rim(edges_[i].at[To]);
    }

    void begin_face(std::int32_t first, Face& face) const {
        const std::int32_t before = edges_[first].before;
        Turn turn = Turn::Away;
        if (before != none) {
            turn = join_after(face, plain_face(before), joint_overlap);
        } else if (is_at_rim(edges_[first].at[From])) {
            face.begin = -joint_overlap;
        } else if (is_open(first)) {
            begin_open(face);
        } else {
            face.lean_begin = 1.0f;
        }
        face.begin += inset(edges_[first].begin, turn, face.normal, before);
    }

    void end_face(std::int32_t last, Face& face) const {
        const std::int32_t after = edges_[last].after;
        Turn turn = Turn::Away;
        if (after != none) {
            turn = join_before(face, plain_face(after), joint_overlap);
        } else if (is_at_rim(edges_[last].at[To])) {
            face.end += joint_overlap;
        } else if (is_open(last)) {
            end_open(face);
        } else {
            face.lean_end = 1.0f;
        }
        face.end -= inset(edges_[last].end, turn, face.normal, after);
    }

    /// How much earlier a face ends because of the joint at its end, where the surface turns to the
    /// edge `beyond`. At a concave corner a slope is extended instead, into the solid beyond, so
    /// that it holds the vertex of a box that is pressed into `beyond`.
    [[nodiscard]] float inset(Joint joint, Turn turn, Vec2 normal, std::int32_t beyond) const {
        if (turn == Turn::Straight) return 0.0f;
        if (joint == Joint::StraightLine) return pinch_;
        if (turn == Turn::Away || !is_slanted(normal)) return 0.0f;
        return joint == Joint::Others ? -pinch : -edges_[beyond].half_thickness;
    }

    /// Whether tiles of another group meet the corner at the start of a face.
    [[nodiscard]] bool has_shared_corner(std::int32_t first) const {
        const std::int32_t before = edges_[first].before;
        return edges_[first].is_shared[From] || (before != none && edges_[before].is_shared[To]);
    }

    /// The corner at the start of a face, without the face.
    [[nodiscard]] Face corner_before(const Face& face) const {
        Face corner = no_face;
        corner.start = face.start;
        corner.normal = face.normal;
        corner.before = face.before;
        corner.corner = face.corner;
        corner.feature = feature_of(face.normal + face.before, face.start);
        return sunk(corner);
    }

    /// The corner moved deeper behind both of its faces.
    [[nodiscard]] Face sunk(Face corner) const {
        constexpr float sharpest = 0.01f;  // angles below 8 degrees: not as deep
        const float ahead = max(1.0f + dot(corner.before, corner.normal), sharpest);
        corner.start -= (corner.before + corner.normal) * (pinch_ / ahead);
        return corner;
    }

    [[nodiscard]] Face plain_face(std::int32_t i) const {
        Face face;
        face.normal = edges_[i].normal;
        return face;
    }

    [[nodiscard]] Face corner_after(std::int32_t last) const {
        Face corner = corner_at_end(plain_face(last), in_map(edges_[last].at[To]));
        corner.feature = feature_of(corner.normal, corner.start);
        return edges_[last].is_shared[To] ? sunk(corner) : corner;
    }

    /// The same number for all faces on one line with the same normal.
    [[nodiscard]] static std::uint32_t feature_of(Vec2 normal, Vec2 start) {
        constexpr float parts = 16.0f;  // of a tile: nearer lines are the same, up to rounding
        const auto number = [](float x) {
            constexpr std::int32_t beyond = 1 << 30;
            return static_cast<std::uint32_t>(floor_within(x, -beyond, beyond));
        };
        const std::uint32_t line = number(mul(dot(start, normal), parts) + 0.5f);
        const std::uint32_t side = number(mul(normal.x, 1024.0f) + 4096.0f) * 8192u +
                                   number(mul(normal.y, 1024.0f) + 4096.0f);
        return (side ^ line * 0x9E3779B9u) | 1u;
    }

    const Array<TileKind>& kinds_;
    const TileRect rect_;
    const float pinch_;
    std::int32_t ids_width_ = 0;
    std::int32_t columns_ = 0;
    std::int32_t rows_ = 0;
    std::int32_t count_ = 0;
    std::uint16_t ids_[max_ids];
    std::int32_t first_[2][(most + 3) * (most + 3)];  // edge by End in each cell
    union Room {  // only those below `count_` are initialised: the others would take longest
        Room() {}
        Edge edges[max_edges];
    };
    Room room_;
    Edge* const edges_ = room_.edges;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

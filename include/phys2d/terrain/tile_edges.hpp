// SPDX-License-Identifier: MIT
// TileEdges: which edges of tiles are part of the surface of their union, and where does it go on?
//
// The edges of the tiles without the parts that neighbours cover, linked where one begins at the
// end of another. If several edges begin at the same point, the surface continues with the one that
// turns most towards the open side, so that tiles which meet only in a corner are two solids. Tiles
// that do not block the same bodies from the same sides are always separate solids, each with its
// own corners: a body that one of them lets in meets the corners of the other.
#pragma once

#include <phys2d/core/bits.hpp>
#include <phys2d/terrain/tile_grid.hpp>
#include <phys2d/terrain/tile_kind.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The edges of the tiles of a few columns and rows, and of the ring of tiles around them.
class TileEdges {
public:
    static constexpr std::int32_t most = 8;  ///< columns and rows at once
    static constexpr std::int32_t none = -1;

    /// What else is at an end of an edge, besides the edge with which the surface continues.
    enum class Joint : std::uint8_t {
        Nothing,
        Others,        ///< edges that end or begin at this point
        StraightLine,  ///< a surface that goes straight past
    };

    enum End { From, To };

    struct Edge {
        Vec2 at[2];  // by End: relative to the lower left of the outer tiles
        Vec2 normal;
        float half_thickness;        // of its tile
        std::int32_t before, after;  // none at the rim, and at ends of one-way surfaces
        std::int32_t next[2];        // by End: in the list of its cell
        std::uint16_t id;
        Joint begin, end;
        bool is_shared[2];  // by End: with tiles of another group
        bool is_inside;     // in the rectangle, not only beside it
        bool is_told;
    };

    /// Edges that make one straight face.
    struct Run {
        std::int32_t first, last;
        float half_thickness;  // of the solid behind it, where it is thinnest
    };

    /// Pre: `rect` has 1 to `most` columns and rows; kind 0 is air.
    TileEdges(const TileGrid& grid, const Array<TileKind>& kinds, const TileRect& rect)
        : kinds_(kinds),
          columns_(static_cast<std::int32_t>(rect.width()) + 2),
          rows_(static_cast<std::int32_t>(rect.height()) + 2) {
        read_ids(grid, {rect.min.x - outer, rect.min.y - outer});
        find_edges();
        list_ends(From);
        for (std::int32_t i = 0; i < count_; ++i) link(i);
    }
    TileEdges(const TileEdges&) = delete;  // it points into itself
    TileEdges& operator=(const TileEdges&) = delete;

    [[nodiscard]] const Edge& operator[](std::int32_t i) const { return edges_[i]; }

    /// Calls visit(run) for each run with an edge in the rectangle; a second call visits none.
    void for_each_run(auto visit) {
        for (std::int32_t i = 0; i < count_; ++i) {
            if (edges_[i].is_inside && !edges_[i].is_told) visit(run_from(first_of_run(i)));
        }
    }

    /// Whether a point is at the rim, beyond which edges are unknown.
    [[nodiscard]] bool is_at_rim(Vec2 point) const {
        return point.x <= 0.0f || point.y <= 0.0f || point.x >= static_cast<float>(columns_) ||
               point.y >= static_cast<float>(rows_);
    }

private:
    /// Rings of tiles around the rectangle: one whose edges are linked, one that covers edges.
    static constexpr std::int32_t outer = 2;
    static constexpr std::int32_t ids_width = most + 2 * outer;  // of any rectangle: it is cheaper
    static constexpr std::int32_t max_ids = ids_width * ids_width;
    static constexpr std::int32_t max_cells = (most + 2) * (most + 2);
    /// Neighbours may leave two pieces of each border.
    static constexpr std::int32_t max_edges = max_cells * (TileKind::most_corners + 4);

    struct Cell {
        std::int32_t x, y;
        unsigned sides;  // of its tile that are not hidden, as bits
    };

    /// Distances from the id of a tile to those of its neighbours, by TileBorder.
    static constexpr std::int32_t to_beyond[] = {-1, 1, -ids_width, ids_width};

    /// Pointer to the id of a tile, with those of its neighbours around it.
    [[nodiscard]] const std::uint16_t* id_at(std::int32_t x, std::int32_t y) const {
        return &ids_[(y + 1) * ids_width + x + 1];
    }
    [[nodiscard]] const TileKind& kind_of(std::uint16_t id) const { return kinds_[id]; }

    /// Reads the ids from a tile on; those that are not defined are air.
    void read_ids(const TileGrid& grid, TileCoord from) {
        const std::int32_t rows = rows_ + 2 * (outer - 1);
        grid.read({from, {from.x + (ids_width - 1), from.y + (rows - 1)}},
                  Span<std::uint16_t>(ids_, max_ids));
        const auto last = static_cast<std::uint16_t>(kinds_.size() - 1);
        for (std::int32_t i = 0; i < rows * ids_width; ++i) {
            ids_[i] = ids_[i] <= last ? ids_[i] : std::uint16_t{0};
        }
    }

    /// The part of a border that the tile beyond hides.
    [[nodiscard]] Interval cover_of(const Cell& cell, int border, const TileKind& kind) const {
        if (border < 0 || !kind.hides) return {};
        return kind.cover_by(kind_of(id_at(cell.x, cell.y)[to_beyond[border]]), border);
    }

    /// The borders beyond which is a tile with the same id, as bits.
    [[nodiscard]] static std::uint16_t borders_of_same(const std::uint16_t* id) {
        const auto if_same = [id](std::int32_t other, unsigned bit) {
            return *id == id[other] ? bit : 0u;
        };
        return static_cast<std::uint16_t>(
            if_same(to_beyond[TileBorder::Left], 1u << TileBorder::Left) |
            if_same(to_beyond[TileBorder::Right], 1u << TileBorder::Right) |
            if_same(to_beyond[TileBorder::Bottom], 1u << TileBorder::Bottom) |
            if_same(to_beyond[TileBorder::Top], 1u << TileBorder::Top));
    }

    /// Which tiles have visible sides is unpredictable: all are written, most are overwritten.
    void find_edges() {
        Cell cells[max_cells];
        std::int32_t count = 0;
        for (std::int32_t y = 0; y < rows_; ++y) {
            const std::uint16_t* const ids = id_at(0, y);
            std::uint16_t same[ids_width - 2];
            for (std::int32_t x = 0; x < ids_width - 2; ++x) same[x] = borders_of_same(ids + x);
            for (std::int32_t x = 0; x < columns_; ++x) {
                const unsigned sides = kind_of(ids[x]).seen_beside[same[x]];
                cells[count] = {x, y, sides};
                count += sides != 0 ? 1 : 0;
            }
        }
        for (std::int32_t i = 0; i < count; ++i) add_edges(cells[i]);
    }

    void add_edges(const Cell& cell) {
        const TileKind& kind = kind_of(*id_at(cell.x, cell.y));
        const bool is_in = is_inside(cell);
        for_each_bit(cell.sides, [&](int i) {
            const TileKind::Side& side = kind.sides[i];
            for_each_uncovered(side.edge, side.border, cover_of(cell, side.border, kind),
                               [&](Segment part) { add_edge(cell, side, part, is_in); });
        });
    }

    /// Whether a cell is in the rectangle; without branches, as that is unpredictable.
    [[nodiscard]] bool is_inside(const Cell& cell) const {
        return smaller_of(smaller_of(cell.x, columns_ - 1 - cell.x),
                          smaller_of(cell.y, rows_ - 1 - cell.y)) > 0;
    }

    void add_edge(const Cell& cell, const TileKind::Side& side, Segment part, bool is_in) {
        Edge& edge = edges_[count_++];
        const Vec2 corner = corner_of({cell.x, cell.y});
        edge.at[From] = corner + part.from;
        edge.at[To] = corner + part.to;
        edge.normal = side.normal;
        edge.half_thickness = side.half_thickness;
        edge.before = edge.after = none;
        edge.id = *id_at(cell.x, cell.y);
        edge.begin = edge.end = Joint::Nothing;
        edge.is_shared[From] = edge.is_shared[To] = false;
        edge.is_inside = is_in;
        edge.is_told = false;
    }

    /// Links an edge to the one with which the surface continues at its end.
    void link(std::int32_t i) {
        std::int32_t others = 0;
        const auto turn_to = [&](std::int32_t k) {
            return turn_of(edges_[i].normal, edges_[k].normal);
        };
        for_each_edge_at(From, edges_[i].at[To], [&](std::int32_t k) {
            ++others;
            if (!hold_alike(i, k)) {
                edges_[i].is_shared[To] = edges_[k].is_shared[From] = true;
                return;
            }
            std::int32_t& after = edges_[i].after;
            if (after == none || turn_to(k) < turn_to(after)) after = k;
        });
        if (edges_[i].after != none) {
            --others;
            edges_[edges_[i].after].before = i;
        }
        if (others > 0) note_meeting(edges_[i].at[To]);
    }

    /// Marks all edges at a point as not alone there.
    void note_meeting(Vec2 point) {
        if (!is_listed_[To]) list_ends(To);
        std::int32_t in = none;  // and out: a pair that is straight
        std::int32_t out = none;
        for_each_edge_at(To, point, [&](std::int32_t i) {
            for_each_edge_at(From, point, [&](std::int32_t k) {
                if (goes_straight(edges_[i].normal, edges_[k].normal)) in = i, out = k;
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

    /// Lists the edges by the cells of these ends, each list in the order of the edges.
    void list_ends(End end) {
        for (std::int32_t cell = 0; cell < (columns_ + 1) * (rows_ + 1); ++cell) {
            first_[end][cell] = none;
        }
        for (std::int32_t i = count_; i-- > 0;) {
            std::int32_t& first = first_[end][cell_of(edges_[i].at[end])];
            edges_[i].next[end] = first;
            first = i;
        }
        is_listed_[end] = true;
    }

    /// Calls visit(i) for each edge with this end at a point.
    void for_each_edge_at(End end, Vec2 point, auto visit) const {
        for (std::int32_t i = first_[end][cell_of(point)]; i != none; i = edges_[i].next[end]) {
            if (edges_[i].at[end] == point) visit(i);
        }
    }

    /// Whether two edges block the same bodies from the same sides.
    [[nodiscard]] bool hold_alike(std::int32_t i, std::int32_t k) const {
        return kind_of(edges_[i].id).group == kind_of(edges_[k].id).group;
    }

    /// Whether two edges are parts of one face.
    [[nodiscard]] bool are_one(std::int32_t i, std::int32_t after) const {
        return edges_[after].before == i && edges_[i].id == edges_[after].id &&
               edges_[i].normal == edges_[after].normal;
    }

    [[nodiscard]] std::int32_t first_of_run(std::int32_t i) const {
        while (edges_[i].before != none && are_one(edges_[i].before, i)) i = edges_[i].before;
        return i;
    }

    Run run_from(std::int32_t first) {
        Run run{first, first, half_thickness_at(edges_[first])};
        edges_[first].is_told = true;
        while (edges_[run.last].after != none && are_one(run.last, edges_[run.last].after)) {
            run.last = edges_[run.last].after;
            edges_[run.last].is_told = true;
            run.half_thickness = min(run.half_thickness, half_thickness_at(edges_[run.last]));
        }
        return run;
    }

    /// Half the thickness of the solid behind an edge: of full tiles up to two, of others up to one
    /// where it is no more in their own tile.
    [[nodiscard]] float half_thickness_at(const Edge& edge) const {
        const TileKind& kind = kind_of(edge.id);
        if (!kind.hides) return edge.half_thickness;
        if (!kind.is_full)
            return is_backed(edge) ? max(edge.half_thickness, 0.5f) : edge.half_thickness;
        const Vec2 behind = (edge.at[From] + edge.at[To]) * 0.5f - edge.normal * 1.5f;
        const TileKind& next = kind_at(cell_around(behind));
        const bool is_doubled = next.is_full && next.group == kind.group;
        return is_doubled ? 2.0f * edge.half_thickness : edge.half_thickness;
    }

    /// Whether there is a tile's thickness of solid behind an edge, as far as six places tell: the
    /// thin end of a slope is thick where other tiles lie behind it. They are just short of
    /// borders, where the tile beyond a gap would tell.
    [[nodiscard]] bool is_backed(const Edge& edge) const {
        const Vec2 way = edge.at[To] - edge.at[From];
        for (const float place : {0.05f, 0.5f, 0.95f}) {
            const Vec2 point = edge.at[From] + way * place;
            for (const float depth : {0.49f, 0.99f}) {
                if (!is_solid_at(point - edge.normal * depth, kind_of(edge.id).group)) return false;
            }
        }
        return true;
    }
    [[nodiscard]] bool is_solid_at(Vec2 point, std::int32_t group) const {
        const TileCoord cell = cell_around(point);
        const TileKind& kind = kind_at(cell);
        const bool is_in = kind.is_full || contains(kind.shape, point - corner_of(cell));
        return is_in && kind.group == group;
    }

    /// The cell of a point that may be in the ring of tiles around the cells.
    [[nodiscard]] static TileCoord cell_around(Vec2 point) {
        return {static_cast<std::int32_t>(point.x + 1.0f) - 1,
                static_cast<std::int32_t>(point.y + 1.0f) - 1};
    }
    [[nodiscard]] const TileKind& kind_at(TileCoord cell) const {
        return kind_of(*id_at(cell.x, cell.y));
    }

    const Array<TileKind>& kinds_;
    const std::int32_t columns_, rows_;  // with the ring
    std::int32_t count_ = 0;
    std::uint16_t ids_[max_ids];
    bool is_listed_[2]{};                             // by End
    std::int32_t first_[2][(most + 3) * (most + 3)];  // edge by End in each cell
    // only those below `count_` are initialised: the others would take longest
    alignas(Edge) unsigned char room_[sizeof(Edge) * max_edges];
    Edge* const edges_ = std::launder(reinterpret_cast<Edge*>(room_));
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

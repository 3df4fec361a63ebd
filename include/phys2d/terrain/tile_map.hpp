// SPDX-License-Identifier: MIT
// TileMap: a grid of tiles, and the surface of what they are together.
//
// Nothing is stored but the tiles. The faces near a box are made when they are asked for: the edges of its tiles,
// less what tiles beside them cover, linked where one begins at the other's end, and joined where they go
// straight on. Of several that begin at the same point, the surface goes on with the one that turns most
// towards the open side, so that tiles which meet in a corner only are two solids.
#pragma once

#include <phys2d/collision/face.hpp>
#include <phys2d/terrain/outline.hpp>
#include <phys2d/terrain/tile_grid.hpp>

namespace phys2d::detail::inline PHYS2D_ABI {

/// What the tiles with one id are like. Lengths are in tiles.
struct TileKind {
    /// Part of a border of a tile that it fills; none if high <= low.
    struct Cover {
        float low = 0.0f;
        float high = 0.0f;
    };
    enum Border { Left, Right, Below, Above };
    static constexpr std::size_t most_corners = 8;

    /// An edge of the polygon.
    struct Side {
        Vec2 from, to;
        Vec2 normal;
        float half_thickness;
        int border;  ///< on which it lies, or -1
    };

    Polygon shape{};  ///< in the unit square; without vertices for an id that is no kind
    Side sides[most_corners]{};
    Cover covers[4]{};       ///< by Border
    Vec2 one_way{};          ///< the only side that holds, or zero
    std::int32_t group = 0;  ///< tiles of one group hide the faces between them; of group 0, never
    bool has_faces = false;  ///< false for what is only felt
    unsigned whole_borders = 0;  ///< a bit for each Border that it fills
};

/// The border that two points of a unit square both lie on, or -1.
[[nodiscard]] constexpr int border_of(Vec2 a, Vec2 b) {
    if (a.x == 0.0f && b.x == 0.0f) return TileKind::Left;
    if (a.x == 1.0f && b.x == 1.0f) return TileKind::Right;
    if (a.y == 0.0f && b.y == 0.0f) return TileKind::Below;
    if (a.y == 1.0f && b.y == 1.0f) return TileKind::Above;
    return -1;
}

/// Where a point of a border is along it.
[[nodiscard]] constexpr float along_border(int border, Vec2 point) {
    return border <= TileKind::Right ? point.y : point.x;
}

/// Pre: a valid polygon of at most `most_corners`.
[[nodiscard]] constexpr TileKind tile_kind(const Polygon& shape) {
    TileKind kind;
    kind.shape = shape;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const auto [from, to] = shape.edge(i);
        const Vec2 normal = shape.normal(i);
        const int border = border_of(from, to);
        kind.sides[i] = {from, to, normal, half_thickness(shape, i), border};
        if (border < 0) continue;
        const float a = along_border(border, from);
        const float b = along_border(border, to);
        kind.covers[border] = {min(a, b), max(a, b)};
        kind.whole_borders |= (abs(a - b) == 1.0f ? 1u : 0u) << border;
    }
    return kind;
}

/// Whether faces begin a little later where another surface goes straight past: what presses into that one, as
/// bodies do that lie on it, is not to catch at this one. For casts they do not.
enum class Pinching : bool { No, Yes };

/// The surface of the tiles of a few columns and rows.
class TileSurface {
public:
    static constexpr std::int32_t most = 8;  ///< columns and rows at once

    /// The surface of the tiles in `rect`. Pre: at most `most` of them each way, not none.
    TileSurface(const TileGrid& grid, const Array<TileKind>& kinds, const TileRect& rect,
                Pinching pinching)
        : kinds_(kinds), rect_(rect), pinch_(pinching == Pinching::Yes ? pinch : 0.0f) {
        ids_width_ = static_cast<std::int32_t>(rect.width()) + 2 * outer;
        const TileRect seen{{rect.min.x - outer, rect.min.y - outer},
                            {rect.max.x + outer, rect.max.y + outer}};
        grid.read(seen, Span<std::uint16_t>(ids_, max_ids));
        columns_ = static_cast<std::int32_t>(rect.width()) + 2;
        rows_ = static_cast<std::int32_t>(rect.height()) + 2;
        for (std::int32_t y = 0; y < rows_; ++y) {
            for (std::int32_t x = 0; x < columns_; ++x) {
                first_[y * columns_ + x] = count_;
                add_edges(x, y);
            }
        }
        first_[rows_ * columns_] = count_;
        for (std::int32_t i = 0; i < count_; ++i) link(i);
    }

    /// Calls visit(face, id) for each face that a tile of the rectangle has a part in. Lengths in tiles.
    template <class Visit>
    void for_each_face(Visit visit) {
        for (std::int32_t y = 1; y + 1 < rows_; ++y) {
            const std::int32_t row = y * columns_;
            for (std::int32_t i = first_[row + 1]; i < first_[row + columns_ - 1]; ++i) {
                if (!edges_[i].is_told) tell_face(first_of_run(i), visit);
            }
        }
    }

private:
    static constexpr std::int32_t outer =
        2;  // tiles around: one whose edges are linked, one that covers
    static constexpr std::int32_t max_ids = (most + 2 * outer) * (most + 2 * outer);
    static constexpr std::int32_t max_cells = (most + 2) * (most + 2);
    static constexpr std::int32_t max_edges =
        max_cells * (TileKind::most_corners + 4);  // tiles beside may leave two pieces of a border
    static constexpr std::int32_t none = -1;
    static constexpr unsigned all_borders = 15;
    static constexpr float pinch = 0.005f;

    struct Edge {
        Vec2 from, to;  // from the lower left of the outer tiles
        Vec2 normal;
        float half_thickness;
        std::int32_t before, after;
        std::uint16_t id;
        bool is_told;
        bool is_begin_pinched, is_end_pinched;
    };

    [[nodiscard]] std::uint16_t id_at(std::int32_t x, std::int32_t y) const {
        return ids_[(y + 1) * ids_width_ + x + 1];
    }
    [[nodiscard]] const TileKind& kind_of(std::uint16_t id) const {
        static constexpr TileKind empty{};
        return id < kinds_.size() ? kinds_[id] : empty;
    }

    /// A bit for each Border of a tile behind which the next tile is of the same group and fills all of it.
    [[nodiscard]] unsigned hidden_borders(std::int32_t x, std::int32_t y,
                                          std::int32_t group) const {
        if (group == 0) return 0;
        const auto hides = [&](std::int32_t step_x, std::int32_t step_y, unsigned by, unsigned of) {
            const std::uint16_t id = id_at(x + step_x, y + step_y);
            if (id == 0) return 0u;
            const TileKind& beyond = kind_of(id);
            return beyond.group == group && (beyond.whole_borders >> by & 1u) != 0 ? 1u << of : 0u;
        };
        return hides(-1, 0, TileKind::Right, TileKind::Left) |
               hides(1, 0, TileKind::Left, TileKind::Right) |
               hides(0, -1, TileKind::Above, TileKind::Below) |
               hides(0, 1, TileKind::Below, TileKind::Above);
    }

    /// What the tile beyond a border covers of it.
    [[nodiscard]] TileKind::Cover cover_beyond(std::int32_t x, std::int32_t y, int border,
                                               std::int32_t group) const {
        constexpr std::int32_t step_x[] = {-1, 1, 0, 0};
        constexpr std::int32_t step_y[] = {0, 0, -1, 1};
        constexpr int opposite[] = {TileKind::Right, TileKind::Left, TileKind::Above,
                                    TileKind::Below};
        const TileKind& beyond = kind_of(id_at(x + step_x[border], y + step_y[border]));
        const bool hides = group > 0 && beyond.group == group;
        return hides ? beyond.covers[opposite[border]] : TileKind::Cover{};
    }

    void add_edges(std::int32_t x, std::int32_t y) {
        const std::uint16_t id = id_at(x, y);
        if (id == 0) return;
        const TileKind& kind = kind_of(id);
        if (!kind.has_faces) return;
        const unsigned hidden = hidden_borders(x, y, kind.group);
        if ((hidden & kind.whole_borders) == all_borders) return;
        const Vec2 corner{static_cast<float>(x), static_cast<float>(y)};
        for (std::size_t i = 0; i < kind.shape.size(); ++i) {
            const TileKind::Side& side = kind.sides[i];
            const bool is_hidden = side.border >= 0 && (hidden >> side.border & 1) != 0;
            const bool is_open = kind.one_way != Vec2{} && dot(kind.one_way, side.normal) <= 0.0f;
            if (is_hidden || is_open) continue;
            const auto cover =
                side.border < 0 ? TileKind::Cover{} : cover_beyond(x, y, side.border, kind.group);
            add_uncovered(side, id, corner, cover);
        }
    }

    /// What is left of an edge: up to two pieces.
    void add_uncovered(const TileKind::Side& side, std::uint16_t id, Vec2 corner,
                       TileKind::Cover cover) {
        const Vec2 from = side.from;
        const Vec2 to = side.to;
        const int border = side.border;
        const auto add = [&](Vec2 begin, Vec2 end) {
            Edge& edge = edges_[count_++];
            edge.from = corner + begin;
            edge.to = corner + end;
            edge.normal = side.normal;
            edge.half_thickness = side.half_thickness;
            edge.before = edge.after = none;
            edge.id = id;
            edge.is_told = edge.is_begin_pinched = edge.is_end_pinched = false;
        };
        if (cover.high <= cover.low) return add(from, to);
        const float a = along_border(border, from);
        const float b = along_border(border, to);
        const auto point = [&](float along) {
            return border <= TileKind::Right ? Vec2{from.x, along} : Vec2{along, from.y};
        };
        if (a < b) {
            if (a < cover.low) add(from, point(min(b, cover.low)));
            if (cover.high < b) add(point(max(a, cover.high)), to);
        } else {
            if (cover.high < a) add(from, point(max(b, cover.high)));
            if (b < cover.low) add(point(min(a, cover.low)), to);
        }
    }

    [[nodiscard]] Vec2 direction(std::int32_t i) const { return perpendicular(edges_[i].normal); }

    /// Links an edge to the one with which the surface goes on at its end. Where several begin, solids or one-way
    /// surfaces touch in a point: those are pinched there.
    void link(std::int32_t i) {
        float sharpest = 3.0f;
        std::int32_t other = none;
        for_each_edge_from(edges_[i].to, [&](std::int32_t k) {
            const bool is_pinched = other != none;
            if (is_pinched) {
                edges_[i].is_end_pinched = true;
                edges_[k].is_begin_pinched = edges_[other].is_begin_pinched = true;
            }
            other = k;
            const float turn = turn_between(direction(i), direction(k));
            const bool goes_on = is_open(i) == is_open(k) || is_straight(i, k);
            if (!goes_on || turn >= sharpest) return;
            sharpest = turn;
            edges_[i].after = k;
        });
        if (edges_[i].after != none) edges_[edges_[i].after].before = i;
    }

    /// Calls visit(i) for each edge that begins at a point.
    template <class Visit>
    void for_each_edge_from(Vec2 point, Visit visit) const {
        for_each_cell_at(point, [&](std::int32_t cell) {
            for (std::int32_t k = first_[cell]; k < first_[cell + 1]; ++k) {
                if (edges_[k].from == point) visit(k);
            }
        });
    }

    [[nodiscard]] bool is_straight(std::int32_t i, std::int32_t after) const {
        return goes_straight(edges_[i].normal, edges_[after].normal);
    }

    /// Calls visit(cell) for each cell that a point is in or on the border of.
    template <class Visit>
    void for_each_cell_at(Vec2 point, Visit visit) const {
        const auto x = static_cast<std::int32_t>(point.x);
        const auto y = static_cast<std::int32_t>(point.y);
        const std::int32_t left = static_cast<float>(x) == point.x ? x - 1 : x;
        const std::int32_t low = static_cast<float>(y) == point.y ? y - 1 : y;
        for (std::int32_t row = low; row <= y; ++row) {
            for (std::int32_t column = left; column <= x; ++column) {
                const bool is_there = row >= 0 && row < rows_ && column >= 0 && column < columns_;
                if (is_there) visit(row * columns_ + column);
            }
        }
    }

    /// Grows with the angle by which one direction turns left into another, from -2 to 2.
    [[nodiscard]] static float turn_between(Vec2 a, Vec2 b) {
        const float ahead = dot(a, b);
        return cross(a, b) < 0.0f ? ahead - 1.0f : 1.0f - ahead;
    }

    /// Whether two edges are one face.
    [[nodiscard]] bool are_one(std::int32_t i, std::int32_t after) const {
        return edges_[i].after == after && edges_[after].before == i &&
               edges_[i].id == edges_[after].id && edges_[i].normal == edges_[after].normal;
    }

    [[nodiscard]] std::int32_t first_of_run(std::int32_t i) const {
        while (edges_[i].before != none && are_one(edges_[i].before, i)) i = edges_[i].before;
        return i;
    }

    /// Whether a point lies where edges beyond may go on that are not known.
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
        const Vec2 way = edges_[last].to - edges_[first].from;
        Face face;
        face.start = in_map(edges_[first].from);
        face.normal = face.before = normal;
        face.length = face.end = dot(way, perpendicular(normal));
        face.half_thickness = half_thickness;
        face.feature = feature_of(normal, face.start);
        begin_face(first, face);
        end_face(last, face);
        visit(face, id);
        if (has_open_end(last)) visit(corner_after(last), id);
    }

    [[nodiscard]] Vec2 in_map(Vec2 point) const {
        return {static_cast<float>(rect_.min.x - 1) + point.x,
                static_cast<float>(rect_.min.y - 1) + point.y};
    }

    /// One-way surfaces end in the open.
    [[nodiscard]] bool is_open(std::int32_t i) const {
        return kind_of(edges_[i].id).one_way != Vec2{};
    }
    [[nodiscard]] bool has_open_end(std::int32_t i) const {
        return edges_[i].after == none && is_open(i) && !is_at_rim(edges_[i].to);
    }

    void begin_face(std::int32_t first, Face& face) const {
        const std::int32_t before = edges_[first].before;
        if (before != none) {
            join_after(face, plain_face(before), overlap_of(before, first));
            if (is_straight(before, first)) return;
        } else if (is_at_rim(edges_[first].from)) {
            face.begin = -joint_overlap;
        } else if (is_open(first)) {
            begin_open(face);
        } else {
            face.lean_begin = 1.0f;
        }
        if (edges_[first].is_begin_pinched) face.begin += pinch_;
    }

    void end_face(std::int32_t last, Face& face) const {
        const std::int32_t after = edges_[last].after;
        if (after != none) {
            join_before(face, plain_face(after), overlap_of(last, after));
            if (is_straight(last, after)) return;
        } else if (is_at_rim(edges_[last].to)) {
            face.end += joint_overlap;
        } else if (!is_open(last)) {
            face.lean_end = 1.0f;
        }
        if (edges_[last].is_end_pinched) face.end -= pinch_;
    }

    /// What holds from all sides is not continued by what holds from one.
    [[nodiscard]] float overlap_of(std::int32_t i, std::int32_t after) const {
        return is_open(i) == is_open(after) ? joint_overlap : 0.0f;
    }

    [[nodiscard]] Face plain_face(std::int32_t i) const {
        Face face;
        face.normal = edges_[i].normal;
        return face;
    }

    [[nodiscard]] Face corner_after(std::int32_t last) const {
        Face corner = corner_at_end(plain_face(last), in_map(edges_[last].to));
        corner.feature = feature_of(corner.normal, corner.start);
        return corner;
    }

    /// The same for all faces on one line that look the same way.
    [[nodiscard]] static std::uint32_t feature_of(Vec2 normal, Vec2 start) {
        constexpr float parts = 16.0f;  // of a tile: nearer lines are the same but for rounding
        const auto number = [](float x) {
            return static_cast<std::uint32_t>(static_cast<std::int64_t>(x));
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
    std::int32_t first_[max_cells + 1];  // edge of each cell, and one beyond
    union Room {  // only those below `count_` are anything: to begin the rest would take longest
        Room() {}
        Edge edges[max_edges];
    };
    Room room_;
    Edge* const edges_ = room_.edges;
};

/// Tiles, what they are like, and how large they are.
struct TileMap {
    TileGrid grid{};
    Array<TileKind> kinds{};            ///< by id; the first is for empty tiles
    float tile_size = 1.0f;             ///< [m]
    TileRect extent{{0, 0}, {-1, -1}};  ///< no tile was ever set outside

    /// The tiles that a box meets, of those within `extent`.
    [[nodiscard]] TileRect tiles_in(const AABB& box) const {
        return {{tile_at(box.min.x, extent.min.x, extent.max.x + 1),
                 tile_at(box.min.y, extent.min.y, extent.max.y + 1)},
                {tile_at(box.max.x, extent.min.x - 1, extent.max.x),
                 tile_at(box.max.y, extent.min.y - 1, extent.max.y)}};
    }

    [[nodiscard]] AABB bounds() const {
        const auto point = [&](std::int32_t x, std::int32_t y) {
            return Vec2{static_cast<float>(x), static_cast<float>(y)} * tile_size;
        };
        if (extent.is_empty()) return {};
        return {point(extent.min.x, extent.min.y), point(extent.max.x + 1, extent.max.y + 1)};
    }

    /// Calls visit(rect) for pieces of a rectangle that are small enough for a TileSurface and not empty.
    template <class Visit>
    void for_each_piece(const TileRect& rect, Visit visit) const {
        constexpr std::int32_t most = TileSurface::most;
        for (std::int32_t y = rect.min.y; y <= rect.max.y; y += most) {
            for (std::int32_t x = rect.min.x; x <= rect.max.x; x += most) {
                const TileRect piece{{x, y},
                                     {x + most <= rect.max.x ? x + most - 1 : rect.max.x,
                                      y + most <= rect.max.y ? y + most - 1 : rect.max.y}};
                if (!grid.is_empty(piece)) visit(piece);
            }
        }
    }

    /// Calls visit(tile, id) for the tiles with a kind that a box meets.
    template <class Visit>
    void for_each_tile(const AABB& box, Visit visit) const {
        for_each_piece(tiles_in(box), [&](const TileRect& piece) {
            for (TileCoord tile = piece.min; tile.y <= piece.max.y; ++tile.y) {
                for (tile.x = piece.min.x; tile.x <= piece.max.x; ++tile.x) {
                    const std::uint16_t id = grid.at(tile);
                    if (id < kinds.size() && kinds[id].shape.size() > 0) visit(tile, id);
                }
            }
        });
    }

    /// Calls visit(face, id) for the faces of the tiles that a box meets. A face that leaves it may be cut
    /// there, and told in several pieces.
    template <class Visit>
    void for_each_face(const AABB& box, Pinching pinching, Visit visit) const {
        for_each_piece(tiles_in(box), [&](const TileRect& piece) {
            TileSurface surface(grid, kinds, piece, pinching);
            surface.for_each_face([&](Face face, std::uint16_t id) {
                face.start *= tile_size;
                face.begin = mul(face.begin, tile_size);
                face.end = mul(face.end, tile_size);
                face.length = mul(face.length, tile_size);
                face.half_thickness = mul(face.half_thickness, tile_size);
                visit(face, id);
            });
        });
    }

private:
    /// Within [low, high].
    [[nodiscard]] std::int32_t tile_at(float x, std::int32_t low, std::int32_t high) const {
        const float place = x / tile_size;
        if (!(place > static_cast<float>(low))) return low;
        if (place >= static_cast<float>(high)) return high;
        const auto whole = static_cast<std::int32_t>(place);
        return static_cast<float>(whole) > place ? whole - 1 : whole;
    }
};

}  // namespace phys2d::detail::inline PHYS2D_ABI

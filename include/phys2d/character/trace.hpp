// SPDX-License-Identifier: MIT
// trace: where does a point that moves in a straight line first hit a world of tiles?
//
// Faces are solid from outside only, and there are none where neighbours cover them: a point that
// slides along a floor meets no seams. The stopping position is pulled back until it is `epsilon`
// in front of the face, so that rounding cannot bring it, or a motion that starts there, inside.
// Lengths are in tiles. On which side of the path a corner lies is computed in double from its
// world position: every tile that shares the corner gets the same bits, so nothing slips through
// where two faces meet.
#pragma once

#include <type_traits>

#include <phys2d/collision/cast.hpp>
#include <phys2d/collision/collide_polygon.hpp>
#include <phys2d/terrain/tile_border.hpp>
#include <phys2d/terrain/tile_walk.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// A world of tiles: `solid_at(TileCoord)` returns the convex polygon that fills a tile, or nullptr
/// for air. Its coordinates are in tiles, from (0, 0) at the tile's lower left to (1, 1). An edge
/// is on a side of the tile if its coordinates are exactly 0 or 1 there; only such edges are hidden
/// by neighbours.
///
///     struct Level {
///         const Polygon* solid_at(TileCoord tile) const { return shapes[grid.at(tile)]; }
///         const TileGrid& grid;
///         const Polygon* const* shapes;  // by tile id
///     };
template <class Tiles>
concept TileSource = requires(const Tiles& tiles, TileCoord tile) {
    requires std::is_convertible_v<decltype(tiles.solid_at(tile)), const Polygon*>;
};

/// The result of `trace`.
struct ProbeHit {
    static constexpr float nothing = CastHit::nothing;

    /// Fraction of the path up to `point`, in [0, 1]; `nothing` if there is no hit.
    float fraction = nothing;
    float free = 1.0f;  ///< fraction of the path up to `place`, in [0, fraction]
    Vec2 place{};       ///< where it stops: `epsilon` off the face; the end if there is no hit
    Vec2 point{};       ///< where the path meets the face
    Vec2 normal{};      ///< unit vector out of the face
    float gap = 0.0f;   ///< distance of the start from the line of the face; negative inside
    TileCoord tile{};   ///< the tile of the face

    /// True for a hit: `if (const ProbeHit hit = trace(...)) ...`
    constexpr explicit operator bool() const { return fraction <= 1.0f; }
};

namespace detail {

/// An edge of a tile's polygon, or a part of it; solid on its left.
struct TileFace {
    TileCoord tile{};
    Segment edge{};

    [[nodiscard]] constexpr Vec2 normal() const {
        return edge_normal(edge_direction(edge.from, edge.to));
    }
};

/// Whether test(part) is true for any part of a face that no neighbour covers.
template <TileSource Tiles, class Test>
[[nodiscard]] bool any_exposed(const Tiles& tiles, const TileFace& face, Test test) {
    const int border = border_of(face.edge);
    Interval cover;
    if (border >= 0) {
        const Polygon* const beyond = tiles.solid_at(tile_beyond(face.tile, border));
        if (beyond != nullptr) cover = cover_of(*beyond, border ^ 1);
    }
    bool any = false;
    for_each_uncovered(face.edge, border, cover,
                       [&](const Segment& part) { any = any || test(part); });
    return any;
}

/// A point or a vector in the world of tiles, precise enough for a tile and a position in it.
struct FinePoint {
    double x = 0.0;
    double y = 0.0;

    constexpr FinePoint() = default;
    constexpr FinePoint(double px, double py) : x(px), y(py) {}
    constexpr explicit FinePoint(Vec2 v)
        : x(static_cast<double>(v.x)), y(static_cast<double>(v.y)) {}
    constexpr FinePoint(TileCoord tile, Vec2 v)
        : x(tile.x + static_cast<double>(v.x)), y(tile.y + static_cast<double>(v.y)) {}
};

[[nodiscard]] constexpr FinePoint operator-(FinePoint a, FinePoint b) {
    return {a.x - b.x, a.y - b.y};
}
[[nodiscard]] constexpr double fine_dot(FinePoint a, FinePoint b) {
    return mul(a.x, b.x) + mul(a.y, b.y);
}
[[nodiscard]] constexpr double fine_cross(FinePoint a, FinePoint b) {
    return mul(a.x, b.y) - mul(a.y, b.x);
}

[[nodiscard]] constexpr bool is_next_to(TileCoord a, TileCoord b) {
    return a.x - b.x <= 1 && b.x - a.x <= 1 && a.y - b.y <= 1 && b.y - a.y <= 1;
}

/// The tile that contains a point, or on whose lower or left border it lies.
/// Pre: is_in_walks(point).
[[nodiscard]] constexpr TileCoord tile_around(Vec2 point) {
    constexpr std::int32_t reach = 1 << 30;
    return {floor_within(point.x, -reach, reach), floor_within(point.y, -reach, reach)};
}
[[nodiscard]] constexpr bool is_on_border(Vec2 point, TileCoord tile) {
    return point.x == static_cast<float>(tile.x) || point.y == static_cast<float>(tile.y);
}

/// The same as `for_each_tile_on_segment`. Most paths of a step lie in one tile or in two that
/// share a side; these need no computation.
template <class Visit>
void for_each_tile_of_way(const Segment& way, Visit visit) {
    if (!is_in_walks(way.from) || !is_in_walks(way.to)) return;
    const TileCoord first = tile_around(way.from), last = tile_around(way.to);
    const bool is_same_column = first.x == last.x, is_same_row = first.y == last.y;
    const bool is_short = (is_same_column || is_same_row) && is_next_to(first, last);
    if (!is_short || is_on_border(way.from, first) || is_on_border(way.to, last)) {
        for_each_tile_on_segment(way.from, way.to, visit);
    } else if (visit(first) && first != last) {
        visit(last);
    }
}

/// Finds the first face through which a path enters a tile. Of two faces hit at the same fraction,
/// prefers the one that faces more up or down.
template <TileSource Tiles>
class FaceSearch {
public:
    FaceSearch(const Tiles& tiles, const Segment& way, float epsilon)
        : tiles_(tiles), from_(way.from), way_(FinePoint(way.to) - from_), epsilon_(epsilon) {}

    [[nodiscard]] bool has_found() const { return fraction_ <= 1.0; }
    [[nodiscard]] TileCoord tile() const { return face_.tile; }

    /// Checks whether the path enters a tile's polygon, or starts inside by less than epsilon.
    void enter(TileCoord tile) {
        const Polygon* const solid = tiles_.solid_at(tile);
        if (solid == nullptr || solid->size() == 0) return;
        double left_from = left_of({tile, solid->vertex(0)});
        for (std::size_t i = 0; i < solid->size(); ++i) {
            const double left_to = left_of({tile, solid->vertex(solid->next(i))});
            if (left_from >= 0.0 && left_to <= 0.0 && left_from > left_to) {
                cross_face({tile, solid->edge(i)}, left_from - left_to);
            }
            left_from = left_to;
        }
        if (contains_start(tile)) enter_at_start(*solid, tile);
    }

    /// What has been found on the path `way`.
    [[nodiscard]] ProbeHit result(const Segment& way) const {
        ProbeHit hit;
        hit.place = way.to;
        if (!has_found()) return hit;
        const double size = length_of(face_);
        const double free = fraction_ - mul(static_cast<double>(epsilon_), size) / approach(face_);
        hit.fraction = static_cast<float>(fraction_);
        hit.free = max(static_cast<float>(free), 0.0f);
        hit.place = way.from + (way.to - way.from) * hit.free;
        hit.point = {static_cast<float>(from_.x + mul(way_.x, fraction_)),
                     static_cast<float>(from_.y + mul(way_.y, fraction_))};
        hit.normal = face_.normal();
        hit.gap = static_cast<float>(outside(face_) / size);
        hit.tile = face_.tile;
        return hit;
    }

private:
    [[nodiscard]] double left_of(FinePoint point) const { return fine_cross(way_, point - from_); }

    /// Distance of the start from the line of a face, times the face's length; negative inside.
    [[nodiscard]] double outside(const TileFace& face) const {
        const FinePoint from{face.tile, face.edge.from};
        return fine_cross(from_ - from, FinePoint(face.tile, face.edge.to) - from);
    }
    /// How much nearer the whole path comes, times the length of the face as well.
    [[nodiscard]] double approach(const TileFace& face) const {
        return left_of({face.tile, face.edge.from}) - left_of({face.tile, face.edge.to});
    }

    /// Pre: the line of the path enters through the face, which the path approaches by `nearer`.
    void cross_face(const TileFace& face, double nearer) {
        const double off = outside(face);
        if (!(off >= 0.0 && off <= nearer)) return;
        const double fraction = off / nearer;
        if (fraction > fraction_) return;
        if (fraction == fraction_ && !is_preferred(face.normal(), face_.normal())) return;
        const auto is_crossed = [&](const Segment& part) {
            return left_of({face.tile, part.from}) >= 0.0 && left_of({face.tile, part.to}) <= 0.0;
        };
        if (!any_exposed(tiles_, face, is_crossed)) return;
        fraction_ = fraction;
        face_ = face;
    }

    [[nodiscard]] bool contains_start(TileCoord tile) const {
        const FinePoint in_tile = from_ - FinePoint(tile, {});
        return in_tile.x >= 0.0 && in_tile.x <= 1.0 && in_tile.y >= 0.0 && in_tile.y <= 1.0;
    }
    /// Whether the start projects onto the face, between its two ends.
    [[nodiscard]] bool faces_start(const TileFace& face) const {
        const FinePoint from{face.tile, face.edge.from};
        const FinePoint edge = FinePoint(face.tile, face.edge.to) - from;
        const double along = fine_dot(from_ - from, edge);
        return along >= 0.0 && along <= fine_dot(edge, edge);
    }
    [[nodiscard]] bool is_exposed_at_start(const TileFace& face) const {
        return any_exposed(tiles_, face, [&](const Segment& part) {
            return faces_start({face.tile, part});
        });
    }
    [[nodiscard]] static double length_of(const TileFace& face) {
        return static_cast<double>(distance(face.edge.from, face.edge.to));
    }

    /// A start inside by at most epsilon counts as on the nearest face, if that is exposed.
    void enter_at_start(const Polygon& solid, TileCoord tile) {
        double least = static_cast<double>(epsilon_);
        TileFace nearest{};  // without length: nothing approaches it
        for (std::size_t i = 0; i < solid.size(); ++i) {
            const TileFace face{tile, solid.edge(i)};
            const double inside = -outside(face) / length_of(face);
            if (!(inside >= 0.0)) return;
            if (inside > least || !is_exposed_at_start(face)) continue;
            least = inside;
            nearest = face;
        }
        if (!(approach(nearest) > 0.0)) return;
        fraction_ = 0.0;
        face_ = nearest;
    }

    const Tiles& tiles_;
    FinePoint from_, way_;
    float epsilon_;
    double fraction_ = 2.0;
    TileFace face_{};
};

}  // namespace detail

/// The first hit of a point that moves from `way.from` to `way.to` with the world of tiles [tiles].
/// `place` is pulled back along the path until it is `epsilon` off the face, but not past `from`. A
/// path along a face does not hit it; one that touches a corner from outside may. A start inside by
/// at most epsilon counts as on the face: a path further in hits at fraction 0. From deeper inside
/// the path leaves freely, and hits the first face that it enters after that. Segments of length 0,
/// NaN, and coordinates of 2^30 or more hit nothing. Pre: epsilon > 0, and several times the
/// rounding of the coordinates: 1/1024 is good up to 4,096 tiles from the origin.
/// O(tiles up to the hit).
template <TileSource Tiles>
[[nodiscard]] ProbeHit trace(const Tiles& tiles, const Segment& way, float epsilon) {
    detail::FaceSearch search(tiles, way, epsilon);
    detail::for_each_tile_of_way(way, [&](TileCoord tile) {
        if (search.has_found() && !detail::is_next_to(tile, search.tile())) return false;
        search.enter(tile);
        return true;
    });
    return search.result(way);
}

}  // namespace phys2d::inline PHYS2D_ABI

// SPDX-License-Identifier: MIT
// TileKind: the properties of tiles with one id: the solid part of the tile, and how much of its
// borders it covers. A tile is the unit square with a corner at the origin.
#pragma once

#include <phys2d/terrain/outline.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The properties of tiles with one id. Lengths are in tiles.
struct TileKind {
    /// The covered interval of a border of the tile; none if high <= low.
    struct Cover {
        float low = 0.0f;
        float high = 0.0f;

        [[nodiscard]] constexpr bool is_within(const Cover& other) const {
            return other.low <= low && high <= other.high;
        }
    };
    enum Border { Left, Right, Bottom, Top };  ///< opposite: `border ^ 1`
    static constexpr std::size_t most_corners = 8;

    /// An edge of the polygon.
    struct Side {
        Vec2 from, to;
        Vec2 normal;
        float half_thickness;
        int border;  ///< that contains it, or -1
    };

    Polygon shape{};  ///< in the unit square; without vertices for an undefined id
    Side sides[most_corners]{};
    Cover covers[4]{};       ///< by Border
    Vec2 one_way{};          ///< direction of the only blocking side, or zero
    std::int32_t group = 0;  ///< tiles of one group block the same bodies from the same sides
    bool hides = false;      ///< whether it hides the faces between it and others of its group
    std::uint8_t faces = 0;  ///< bit i: side i blocks unless a neighbour hides it
    /// By Border: bit i is set if a neighbour of the same kind beyond that border hides side i.
    std::uint8_t self_hidden[4]{};

    [[nodiscard]] bool is_air() const { return shape.size() == 0; }

    /// Determines which sides block. `is_sensor`: none does.
    constexpr void set_faces(bool is_sensor, Vec2 only_side, std::int32_t of_group) {
        one_way = only_side;
        group = of_group;
        faces = 0;
        hides = !is_sensor && only_side == Vec2{};
        for (std::uint8_t& hidden : self_hidden) hidden = 0;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            const auto bit = static_cast<std::uint8_t>(1u << i);
            const int border = sides[i].border;
            const bool is_open = one_way != Vec2{} && dot(one_way, sides[i].normal) <= 0.0f;
            if (!is_sensor && !is_open) faces |= bit;
            if (hides && border >= 0 && covers[border].is_within(covers[border ^ 1])) {
                self_hidden[border] = bit;
            }
        }
    }
};

/// The border of the unit square that contains two points, or -1.
[[nodiscard]] constexpr int border_of(Vec2 a, Vec2 b) {
    if (a.x == 0.0f && b.x == 0.0f) return TileKind::Left;
    if (a.x == 1.0f && b.x == 1.0f) return TileKind::Right;
    if (a.y == 0.0f && b.y == 0.0f) return TileKind::Bottom;
    if (a.y == 1.0f && b.y == 1.0f) return TileKind::Top;
    return -1;
}

/// Position of a point along a border.
[[nodiscard]] constexpr float along_border(int border, Vec2 point) {
    return border <= TileKind::Right ? point.y : point.x;
}
/// `point` moved along its border to a position.
[[nodiscard]] constexpr Vec2 put_on_border(int border, Vec2 point, float place) {
    return border <= TileKind::Right ? Vec2{point.x, place} : Vec2{place, point.y};
}

/// Calls visit(from, to) for the uncovered parts of a side, at most two. Lengths are in tiles.
template <class Visit>
void for_each_uncovered(const TileKind::Side& side, TileKind::Cover cover, Visit visit) {
    if (cover.high <= cover.low) return visit(side.from, side.to);
    const float from = along_border(side.border, side.from);
    const float to = along_border(side.border, side.to);
    const auto see = [&](float low, float high) {
        if (high <= low) return;
        visit(put_on_border(side.border, side.from, from < to ? low : high),
              put_on_border(side.border, side.from, from < to ? high : low));
    };
    see(min(from, to), min(max(from, to), cover.low));
    see(max(min(from, to), cover.high), max(from, to));
}

/// The kind of tiles with this shape. Pre: a valid polygon of at most `most_corners` vertices.
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
    }
    return kind;
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

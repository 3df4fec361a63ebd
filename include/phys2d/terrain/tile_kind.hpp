// SPDX-License-Identifier: MIT
// TileKind: what the tiles with one id are like: which part of a tile is solid, and what it covers of the borders.
// A tile is the unit square, its corner at the origin.
#pragma once

#include <phys2d/terrain/outline.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// What the tiles with one id are like. Lengths are in tiles.
struct TileKind {
    /// Part of a border of a tile that it fills; none if high <= low.
    struct Cover {
        float low = 0.0f;
        float high = 0.0f;

        [[nodiscard]] constexpr bool is_within(const Cover& other) const {
            return other.low <= low && high <= other.high;
        }
    };
    enum Border { Left, Right, Bottom, Top };  ///< the one opposite is `border ^ 1`
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
    std::int32_t group = 0;  ///< tiles of one group hold the same bodies from the same sides
    bool hides = false;      ///< the faces between it and others of its group
    std::uint8_t faces = 0;  ///< the sides that hold where nothing hides them, as bits
    /// By Border: the sides that a tile of the same kind beyond it hides, as bits.
    std::uint8_t self_hidden[4]{};

    [[nodiscard]] bool is_air() const { return shape.size() == 0; }

    /// Says which sides hold. `is_felt`: none does, since it is a sensor.
    constexpr void set_faces(bool is_felt, Vec2 only_side, std::int32_t of_group) {
        one_way = only_side;
        group = of_group;
        faces = 0;
        hides = !is_felt && only_side == Vec2{};
        for (std::uint8_t& hidden : self_hidden) hidden = 0;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            const auto bit = static_cast<std::uint8_t>(1u << i);
            const int border = sides[i].border;
            const bool is_open = one_way != Vec2{} && dot(one_way, sides[i].normal) <= 0.0f;
            if (!is_felt && !is_open) faces |= bit;
            if (hides && border >= 0 && covers[border].is_within(covers[border ^ 1])) {
                self_hidden[border] = bit;
            }
        }
    }
};

/// The border that two points of a unit square both lie on, or -1.
[[nodiscard]] constexpr int border_of(Vec2 a, Vec2 b) {
    if (a.x == 0.0f && b.x == 0.0f) return TileKind::Left;
    if (a.x == 1.0f && b.x == 1.0f) return TileKind::Right;
    if (a.y == 0.0f && b.y == 0.0f) return TileKind::Bottom;
    if (a.y == 1.0f && b.y == 1.0f) return TileKind::Top;
    return -1;
}

/// Where a point of a border is along it.
[[nodiscard]] constexpr float along_border(int border, Vec2 point) {
    return border <= TileKind::Right ? point.y : point.x;
}
/// `point` moved along its border to a place.
[[nodiscard]] constexpr Vec2 put_on_border(int border, Vec2 point, float place) {
    return border <= TileKind::Right ? Vec2{point.x, place} : Vec2{place, point.y};
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
    }
    return kind;
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

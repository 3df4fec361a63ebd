// SPDX-License-Identifier: MIT
// TileKind: the properties of tiles with one id: the solid part of the tile, and how much of its
// borders it covers. A tile is the unit square with a corner at the origin.
#pragma once

#include <phys2d/terrain/outline.hpp>
#include <phys2d/terrain/tile_border.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The properties of tiles with one id. Lengths are in tiles.
struct TileKind {
    static constexpr std::size_t most_corners = 8;

    struct Side {
        Segment edge;
        Vec2 normal;
        float half_thickness;
        int border;  ///< that contains it, or -1
    };

    Polygon shape{};  ///< in the unit square; without vertices for an undefined id
    Side sides[most_corners]{};
    Interval covers[4]{};    ///< of the borders, by TileBorder; of no length if none
    std::int32_t group = 0;  ///< tiles of one group block the same bodies from the same sides
    bool is_full = false;    ///< whether it is the whole square
    bool hides = false;      ///< whether it hides the faces between it and others of its group
    /// By the borders beyond which is a tile of the same kind, as bits: bit i is set if side i
    /// blocks, and none of these tiles hides it.
    std::uint8_t seen_beside[16]{};

    [[nodiscard]] bool is_air() const { return shape.size() == 0; }

    /// The part of a border that a tile of kind `beyond` covers there; none if it is of another
    /// group.
    [[nodiscard]] constexpr Interval cover_by(const TileKind& beyond, int border) const {
        return beyond.group == group ? beyond.covers[border ^ 1] : Interval{};
    }

    /// Determines which sides block. `is_sensor`: none does; `one_way`: direction of the only one
    /// that does, or zero.
    constexpr void set_faces(bool is_sensor, Vec2 one_way, std::int32_t of_group) {
        group = of_group;
        hides = !is_sensor && one_way == Vec2{};
        for (unsigned same = 0; same < 16; ++same) {
            seen_beside[same] = 0;
            for (std::size_t i = 0; i < shape.size(); ++i) {
                const bool is_open = one_way != Vec2{} && dot(one_way, sides[i].normal) <= 0.0f;
                const bool blocks = !is_sensor && !is_open;
                if (blocks && !hides_own(same, sides[i].border)) {
                    seen_beside[same] |= static_cast<std::uint8_t>(1u << i);
                }
            }
        }
    }

private:
    /// Whether one of the same tiles beyond some borders hides a side on a border.
    [[nodiscard]] constexpr bool hides_own(unsigned same, int border) const {
        return hides && border >= 0 && (same >> border & 1u) != 0 &&
               covers[border].is_within(covers[border ^ 1]);
    }
};

/// The kind of tiles with this shape. Pre: a valid polygon of at most `most_corners` vertices.
[[nodiscard]] constexpr TileKind tile_kind(const Polygon& shape) {
    TileKind kind;
    kind.shape = shape;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const Segment edge = shape.edge(i);
        kind.sides[i] = {edge, shape.normal(i), half_thickness(shape, i), border_of(edge)};
    }
    for (int border = TileBorder::Left; border <= TileBorder::Top; ++border) {
        kind.covers[border] = cover_of(shape, border);
    }
    constexpr Interval all{0.0f, 1.0f};
    kind.is_full = all.is_within(kind.covers[TileBorder::Left]) &&
                   all.is_within(kind.covers[TileBorder::Right]);
    return kind;
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

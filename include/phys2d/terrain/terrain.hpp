// SPDX-License-Identifier: MIT
// Terrain: the geometry of a collider that is not a Shape: a list of faces, or a tile map.
#pragma once

#include <phys2d/core/ids.hpp>
#include <phys2d/terrain/hollows.hpp>
#include <phys2d/terrain/outline.hpp>
#include <phys2d/terrain/tile_map.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

struct Terrain {
    Array<Face> outline{};  ///< relative to the centre of the collider's shape
    RowGrid grid{};         ///< of the outline's faces
    Polygon solid{};        ///< the polygon that the outline surrounds, or without vertices
    TileMap map{};          ///< relative to the position of the body
    /// By id of a kind of tile: what stands for its tiles; at 0 the map. Empty for an outline.
    Array<ColliderId> collider_of{};

    Terrain() = default;
    Terrain(const Outline& around, float length_unit)
        : outline(around.faces()), solid(translate(around.solid(), -center(around.bounds()))) {
        const bool may_have_hollows = is_line() && !is_two_sided_line();
        if (may_have_hollows) extend_into_hollows(outline, mul(hollow_depth, length_unit));
        grid = grid_of(outline);
    }

    [[nodiscard]] bool is_map() const { return !collider_of.empty(); }
    [[nodiscard]] bool is_half_space() const { return !is_map() && is_endless(outline[0]); }
    /// True for a segment or a chain.
    [[nodiscard]] bool is_line() const {
        return !is_map() && !is_half_space() && solid.size() == 0;
    }
    /// True for a segment or a chain with two sides, whose last face turns back into the first one.
    [[nodiscard]] bool is_two_sided_line() const {
        return is_line() && outline[0].before == -outline[0].normal;
    }

    void list_members(auto& archive) { archive(*this, outline, grid, solid, map, collider_of); }
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

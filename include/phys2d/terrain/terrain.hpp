// SPDX-License-Identifier: MIT
// Terrain: the geometry of a collider that is not a Shape: a list of faces, or a tile map.
#pragma once

#include <phys2d/core/ids.hpp>
#include <phys2d/core/pool.hpp>
#include <phys2d/core/shell_sort.hpp>
#include <phys2d/terrain/hollows.hpp>
#include <phys2d/terrain/tile_map.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

struct Terrain {
    Array<Face> outline{};  ///< relative to the centre of the collider's shape
    RowGrid grid{};         ///< of the outline's faces
    Polygon solid{};        ///< the polygon that the outline surrounds, or without vertices
    bool is_half_space = false;
    TileMap map{};              ///< relative to the position of the body
    Array<ColliderId> kinds{};  ///< represent the tiles, by id of the kind; empty for an outline

    Terrain() = default;
    Terrain(const Outline& around, float length_unit)
        : outline(around.faces()),
          solid(translate(around.solid(), -center(around.bounds()))),
          is_half_space(around.is_half_space()) {
        if (around.may_have_hollows()) extend_into_hollows(outline, mul(hollow_depth, length_unit));
        grid = grid_of(outline);
    }

    [[nodiscard]] bool is_map() const { return !kinds.empty(); }
    /// True for a segment or a chain.
    [[nodiscard]] bool is_line() const { return !is_map() && !is_half_space && solid.size() == 0; }
    /// True for a segment or a chain with two sides, whose last face turns back into the first one.
    [[nodiscard]] bool is_two_sided_line() const {
        return is_line() && outline[0].before == -outline[0].normal;
    }
};

using Terrains = Pool<Terrain>;

/// The faces near a shape, and the slots of their colliders.
class FaceList {
public:
    struct Entry {
        Face face;
        std::int32_t slot;
        std::int32_t order;  // in which it was added
        bool is_used;
    };

    void clear() { entries_.clear(); }
    [[nodiscard]] Span<Entry> entries() { return entries_; }

    /// Adds a face; merges it with one that it continues.
    void add(const Face& face, std::int32_t slot) {
        for (Entry& entry : entries_) {
            const bool is_alike = entry.slot == slot && entry.face.feature == face.feature &&
                                  entry.face.normal == face.normal;
            if (is_alike && join(entry.face, face)) return;
        }
        entries_.push_back({face, slot, static_cast<std::int32_t>(entries_.size()), false});
    }

    /// Brings faces that point up to the front, and those that point down to the end, so that the
    /// solving order is the same in a mirrored world.
    void sort() {
        shell_sort(entries_, [](const Entry& a, const Entry& b) {
            if (a.face.normal.y != b.face.normal.y) return a.face.normal.y > b.face.normal.y;
            return a.order < b.order;
        });
    }

private:
    /// Merges two faces on one line, if they meet.
    static bool join(Face& face, const Face& other) {
        const bool is_corner = other.length == 0.0f || face.length == 0.0f;
        if (is_corner) return other.start == face.start;
        const float shift = dot(other.start - face.start, perpendicular(face.normal));
        if (face.end < shift + other.begin || shift + other.end < face.begin) return false;
        face = shift + other.begin < face.begin ? joined(other, face, -shift)
                                                : joined(face, other, shift);
        return true;
    }

    /// The face from the beginning of `first` to the end of the one that extends further. `shift`:
    /// offset between their starts.
    [[nodiscard]] static Face joined(Face first, const Face& last, float shift) {
        if (first.end < shift + last.end) {
            first.end = shift + last.end;
            first.length = shift + last.length;
            first.lean_end = last.lean_end;
            first.after = last.after;
        }
        first.half_thickness = min(first.half_thickness, last.half_thickness);
        return first;
    }

    Array<Entry> entries_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

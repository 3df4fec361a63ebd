// SPDX-License-Identifier: MIT
// SolidNeighbours: which static solids lie beside a solid or a map, and what do they leave of its
// faces?
//
// Solids are boxes, polygons, and the tiles of static maps; those with one filter are one solid.
// Where all are boxes, and the face is a side of a box, intervals decide; else their union as
// solids of any form.
#pragma once

#include <phys2d/bodies/box_union.hpp>
#include <phys2d/bodies/role_grids.hpp>
#include <phys2d/bodies/solid_union.hpp>
#include <phys2d/terrain/face_list.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Solids no further apart than this abut [m at length unit 1]: far above rounding, below anything
/// visible.
inline constexpr float weld_gap = 1e-3f;

class SolidNeighbours {
public:
    /// Whether a body passes through the static collider of a slot although its filter does not:
    /// then this covers nothing for that body.
    using PassTest = FunctionRef<bool(std::int32_t slot)>;

    /// To be called first.
    void begin(float length_unit) {
        gap_ = mul(weld_gap, length_unit);
        box_union_.begin(gap_);
        union_.begin(gap_, mul(hollow_depth, length_unit));
    }
    [[nodiscard]] float gap() const { return gap_; }

    /// Whether a static collider may be part of a union.
    [[nodiscard]] bool can_weld(const Bodies& bodies, std::int32_t slot) const {
        if (!is_solid(bodies.colliders[slot])) return false;
        if (bodies.has_shape(slot)) return bodies.shapes[slot].radius == 0.0f;
        return is_polygon(bodies, slot) && is_exact(box_of(bodies, slot));
    }

    /// All of a static box or polygon, or a tile.
    struct Piece {
        Polygon solid;       ///< [m, world]
        Vec2 origin;         ///< of its faces
        std::int32_t slot;   ///< of what has the faces: of the kind of the tile
        std::int32_t whole;  ///< the same slot, or that of the map
    };
    [[nodiscard]] static Piece piece_of(const Bodies& bodies, std::int32_t slot) {
        return {solid_of(bodies, slot), bodies.placed_shape(slot).center, slot, slot};
    }

    /// Finds the neighbours of a solid; returns whether there are any.
    bool find(const Bodies& bodies, const RoleGrids& statics, std::int32_t slot, PassTest passes) {
        const Piece piece = piece_of(bodies, slot);
        find_in(bodies, statics, bounds(piece.solid), piece, passes);
        if (!solids_.empty() || is_polygon(bodies, slot)) leave_out_apart(piece.solid);
        return !empty();
    }
    /// Prepares `cut_side` for that solid, which is returned relative to its middle.
    [[nodiscard]] Solid unite(const Bodies& bodies, std::int32_t slot) {
        const Vec2 origin = bodies.placed_shape(slot).center;
        if (!bodies.has_shape(slot) || !solids_.empty()) unite(origin);
        return Solid(translate(solid_of(bodies, slot), -origin));
    }
    /// Calls see(piece) for what they leave of a side of that solid, `own`, relative to its middle.
    void cut_side(const Bodies& bodies, std::int32_t slot, const Solid& own, std::uint32_t side,
                  PieceVisitor see) {
        const bool is_box = bodies.has_shape(slot);
        const AABB box = bounds(bodies.placed_shape(slot));
        if (is_box && solids_.empty()) {
            box_union_.cut(side_of_box(box, side), box, boxes_, see);
        } else if (is_box) {
            union_.cut(side_of_box(box, side), own, see);
        } else {
            for (const Face& face : bodies.terrain(slot).outline) {
                if (side_of(face.normal) == side) union_.cut(face, own, see);
            }
        }
    }

    /// How far a place in a piece is from the next solid that a unit vector leads to [m], if that
    /// begins before the piece ends; else infinite, as for a place outside.
    [[nodiscard]] float distance_to_next(const Bodies& bodies, const RoleGrids& statics,
                                         const Piece& piece, Vec2 place, Vec2 way,
                                         PassTest passes) {
        constexpr float none = std::numeric_limits<float>::infinity();
        const Interval own = part_within(Solid(piece.solid), place, way);
        if (own.low > 0.0f || own.high < 0.0f) return none;
        find_in(bodies, statics, box_along({place, place}, way * own.high), piece, passes);
        float nearest = none;
        for_each_neighbour([&](const Polygon& solid) {
            const Interval part = part_within(Solid(solid), place, way);
            const bool is_ahead = 0.0f <= part.low && part.low <= min(part.high, own.high + gap_);
            if (is_ahead) nearest = min(nearest, part.low);
        });
        return nearest;
    }

    /// Removes the parts that solids and the tiles of other maps cover from the faces of a static
    /// map near `box`, and lets the rest continue in their faces.
    void cut_map(const Bodies& bodies, const RoleGrids& statics, std::int32_t map, const AABB& box,
                 PassTest passes, FaceList& faces) {
        const AABB around = expand(box, gap_);
        list_company(bodies, statics, around, map, passes);
        if (company_.empty()) return;
        const Vec2 origin = terrain_origin(bodies, map);
        uncut_.clear();
        for (const FaceList::Entry& entry : faces.entries()) uncut_.push_back(entry);
        faces.clear();
        const Filter* filter = nullptr;  // of the listed neighbours
        for (const FaceList::Entry& entry : uncut_) {
            const ColliderDef& collider = bodies.colliders[entry.slot];
            if (!is_solid(collider) || entry.face.length == 0.0f) {
                faces.add(entry.face, entry.slot);
                continue;
            }
            if (filter == nullptr || !(*filter == collider.filter)) {
                filter = &collider.filter;
                choose(bodies, around, *filter);
            }
            cut_face(entry.face, origin, [&](const Face& part) { faces.add(part, entry.slot); });
        }
    }

    void list_members(auto& archive) {
        archive(*this, gap_, company_, boxes_, solids_, box_union_, union_, uncut_);
    }

private:
    /// Calls see(piece) for what the neighbours leave of a face of a map at `origin`.
    void cut_face(const Face& face, Vec2 origin, PieceVisitor see) {
        if (empty()) {
            see(face);
        } else if (solids_.empty() && !is_slanted(face.normal)) {
            box_union_.cut(face, bounds(translate(segment_of(face), origin)), boxes_, see);
        } else {
            if (union_.empty()) unite(origin);
            union_.cut(face, skin_of(face), see);
        }
    }

    /// Whether coordinates in a box are so small that vertices which abut do so after rounding.
    [[nodiscard]] bool is_exact(const AABB& box) const {
        return place_rounding(max(abs(box.min), abs(box.max))) <= 2.0f * gap_;
    }
    [[nodiscard]] static bool is_polygon(const Bodies& bodies, std::int32_t slot) {
        return bodies.is_terrain(slot) && bodies.terrain(slot).solid.size() > 0;
    }

    /// The solid of a box or a polygon [m, world].
    [[nodiscard]] static Polygon solid_of(const Bodies& bodies, std::int32_t slot) {
        if (bodies.has_shape(slot)) return Polygon(bounds(bodies.placed_shape(slot)));
        return translate(bodies.terrain(slot).solid, terrain_origin(bodies, slot));
    }

    /// Finds the neighbours of a piece in a box.
    void find_in(const Bodies& bodies, const RoleGrids& statics, const AABB& box,
                 const Piece& piece, PassTest passes) {
        const AABB around = expand(box, gap_);
        list_company(bodies, statics, around, piece.whole, passes);
        choose(bodies, around, bodies.colliders[piece.slot].filter);
    }
    /// Lists the static boxes, polygons and maps that meet `box`, except one collider and those
    /// that are passed through.
    void list_company(const Bodies& bodies, const RoleGrids& statics, const AABB& box,
                      std::int32_t except, PassTest passes) {
        company_.clear();
        statics.for_each_overlap(bodies, box, [&](std::int32_t slot) {
            const bool may_weld = bodies.is_tile_map(slot) || can_weld(bodies, slot);
            if (slot != except && may_weld && !passes(slot)) company_.push_back(slot);
        });
    }

    /// Lists the solids and tiles among them that meet `box` and have the filter.
    void choose(const Bodies& bodies, const AABB& box, const Filter& filter) {
        boxes_.clear();
        solids_.clear();
        union_.clear();
        const auto is_alike = [&](std::int32_t slot) {
            return is_solid(bodies.colliders[slot]) && bodies.colliders[slot].filter == filter;
        };
        for (const std::int32_t slot : company_) {
            if (bodies.is_tile_map(slot)) {
                for_each_tile(bodies, slot, box, is_alike,
                              [&](const Polygon& tile, std::int32_t) { add_neighbour(tile); });
            } else if (is_alike(slot)) {
                add_neighbour(solid_of(bodies, slot));
            }
        }
    }
    void add_neighbour(const Polygon& solid) {
        const AABB box = bounds(solid);
        if (solid == Polygon(box)) {
            boxes_.push_back(box);
        } else {
            solids_.push_back(solid);
        }
    }
    [[nodiscard]] bool empty() const { return boxes_.empty() && solids_.empty(); }
    /// Leaves out those whose bounds only are near a polygon.
    void leave_out_apart(const Polygon& polygon) {
        const Solid solid(polygon);
        const auto is_out = [&](const Polygon& neighbour) {
            const Solid other(neighbour);
            return is_apart(solid, other, gap_) || is_apart(other, solid, gap_);
        };
        (void)boxes_.remove_if([&](const AABB& box) { return is_out(Polygon(box)); });
        (void)solids_.remove_if(is_out);
    }

    /// Calls visit(solid) for each [m, world].
    void for_each_neighbour(auto visit) const {
        for (const AABB& box : boxes_) visit(Polygon(box));
        for (const Polygon& solid : solids_) visit(solid);
    }
    void unite(Vec2 origin) {
        for_each_neighbour([&](const Polygon& solid) { union_.add(translate(solid, -origin)); });
        union_.build_grid();
    }

    /// A solid behind a face of a map, thinner than any tile.
    [[nodiscard]] Solid skin_of(const Face& face) const {
        const auto [from, to] = segment_of(face);
        const Vec2 inwards = face.normal * (-8.0f * gap_);
        return Solid({from, to, to + inwards, from + inwards});
    }
    /// The side of a box that is closest to a normal.
    [[nodiscard]] static std::uint32_t side_of(Vec2 normal) {
        if (abs(normal.x) > abs(normal.y)) return normal.x < 0.0f ? 1 : 3;
        return normal.y < 0.0f ? 2 : 0;
    }

    static constexpr Vec2 box_normals[] = {
        {0.0f, 1.0f}, {-1.0f, 0.0f}, {0.0f, -1.0f}, {1.0f, 0.0f}};

    /// A complete side of a box, relative to its middle.
    [[nodiscard]] static Face side_of_box(const AABB& box, std::uint32_t i) {
        const BoxSide side{box, box_normals[i]};
        const Interval whole = side.along(box);
        Face face = plain_face(side.normal * side.height() + perpendicular(side.normal) * whole.low,
                               side.normal, whole.high - whole.low);
        face.half_thickness = side.height();
        face.feature = 1 + i;
        begin_open(face);
        face.lean_begin = face.lean_end = 1.0f;
        return face;
    }

    float gap_ = 0.0f;
    Scratch<std::int32_t> company_;  // slots of solids and maps that may be neighbours
    Scratch<AABB> boxes_;            // neighbours that are boxes
    Scratch<Polygon> solids_;        // and those that are not
    BoxUnion box_union_;
    SolidUnion union_;  // of all of them, if any face needs it
    Scratch<FaceList::Entry> uncut_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

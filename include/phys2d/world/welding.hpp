// SPDX-License-Identifier: MIT
// Welds: static boxes and polygons that abut or overlap behave as their union.
//
// The sides of such a solid become faces of terrain, without the parts that its neighbours cover;
// they have corners where the surface turns away and none where it continues. They are found when a
// body comes near the solid, and kept until static bodies or tiles near it change. Solids that
// touch nothing stay what they are. Tiles of static maps count as solids for their neighbours, and
// faces of such maps lose the parts that static boxes and polygons cover.
#pragma once

#include <phys2d/world/box_union.hpp>
#include <phys2d/world/resting_grids.hpp>
#include <phys2d/world/solid_union.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Solids no further apart than this abut [m at length unit 1]: far above rounding, below anything
/// visible.
inline constexpr float weld_gap = 1e-3f;

class Welds {
public:
    /// Any static colliders have changed; their ids have indices below `ids`.
    void forget(std::size_t ids, float length_unit) {
        gap_ = mul(weld_gap, length_unit);
        depth_ = mul(hollow_depth, length_unit);
        weld_of_.assign(ids, unknown);
        forget_faces();
    }
    /// Makes room for further colliders.
    void make_room(std::size_t ids) {
        if (ids > weld_of_.size()) weld_of_.resize(ids);
    }
    /// What static colliders cover has changed in a box. Returns whether a solid has become welded
    /// or alone since it was asked for.
    [[nodiscard]] bool renew_near(const Bodies& bodies, const RestingGrids& statics,
                                  const AABB& box) {
        const float rounding = place_rounding(max(abs(box.min), abs(box.max)));
        bool any_turned = false;
        statics.for_each_overlap(bodies, expand(box, gap_ + rounding), [&](std::int32_t slot) {
            std::int32_t& weld = weld_of_[index_of(bodies.ids[slot])];
            if (weld == unknown) return;
            const bool was_welded = weld != alone;
            if (weld > 0) unused_ += 1 + welds_[weld - 1].begin[4] - welds_[weld - 1].begin[0];
            weld = unknown;
            any_turned = any_turned || is_welded(bodies, statics, slot) != was_welded;
        });
        if (2 * unused_ > welds_.size() + faces_.size()) {
            for (std::int32_t& weld : weld_of_) weld = weld > 0 ? welded : weld;
            forget_faces();
        }
        return any_turned;
    }

    /// Whether a static collider is welded to others.
    [[nodiscard]] bool is_welded(const Bodies& bodies, const RestingGrids& statics,
                                 std::int32_t slot) {
        std::int32_t& weld = weld_of_[index_of(bodies.ids[slot])];
        if (weld == unknown || weld == welded) weld = find_weld(bodies, statics, slot);
        return weld != alone;
    }

    /// Calls visit(face) for each of its visible faces that overlaps `box`, both relative to its
    /// middle, for the index of its id. Pre: it is known to be welded.
    template <class Visit>
    void for_each_face(std::int32_t index, const AABB& box, Visit visit) {
        near_.clear();
        for_each_index(index, box, [&](std::size_t i) { near_.push_back(i); });
        shell_sort(near_, [](std::size_t a, std::size_t b) { return a < b; });
        for (const std::size_t i : near_) visit(faces_[i]);
    }

    /// The same in any order.
    template <class Visit>
    void for_each_known_face(std::int32_t index, const AABB& box, Visit visit) const {
        for_each_index(index, box, [&](std::size_t i) { visit(faces_[i]); });
    }
    [[nodiscard]] bool is_known(std::int32_t index) const {
        return at(index) < weld_of_.size() && weld_of_[index] > 0;
    }

    /// Removes the parts that static solids and the tiles of other maps cover from the faces of a
    /// static map near `box`, and lets the rest continue in their faces.
    void weld_map(const Bodies& bodies, const RestingGrids& statics, std::int32_t map,
                  const AABB& box, FaceList& faces) {
        const AABB around = expand(box, gap_);
        list_company(bodies, statics, around, map);
        if (company_.empty()) return;
        const Vec2 origin = terrain_origin(bodies, map);
        uncut_.clear();
        for (const FaceList::Entry& entry : faces.entries()) uncut_.push_back(entry);
        faces.clear();
        const Filter* filter = nullptr;  // of the listed neighbours
        for (const FaceList::Entry& entry : uncut_) {
            const Face& face = entry.face;
            const ColliderDef& collider = bodies.colliders[entry.slot];
            if (!is_solid(collider) || face.length == 0.0f) {
                faces.add(face, entry.slot);
                continue;
            }
            if (filter == nullptr || !(*filter == collider.filter)) {
                filter = &collider.filter;
                find_neighbours(bodies, around, *filter);
            }
            const auto see = [&](const Face& part) { faces.add(part, entry.slot); };
            if (!has_neighbours()) {
                see(face);
            } else if (solids_.empty() && !is_slanted(face.normal)) {
                const AABB line = bounds(translate(segment_of(face), origin));
                boxes_.cut(face, {line, face.normal}, see);
            } else {
                if (union_.empty()) unite_neighbours(origin);
                union_.cut(face, skin_of(face), see);
            }
        }
    }

private:
    /// Calls visit(i) for the indices of the faces of a weld that overlap a box, relative to its
    /// middle.
    template <class Visit>
    void for_each_index(std::int32_t index, const AABB& box, Visit visit) const {
        const Weld& weld = welds_[weld_of_[index] - 1];
        for (std::uint32_t side = 0; side < 4; ++side) {
            const std::size_t begin = weld.begin[side];
            for_each_near({places_.data() + begin, weld.begin[side + 1] - begin},
                          extent_along(side, box), [&](std::uint32_t order) {
                              if (overlaps(bounds(faces_[begin + order]), box)) {
                                  visit(begin + order);
                              }
                          });
        }
    }

    void forget_faces() {
        unused_ = 0;
        welds_.clear();
        welds_.reserve(64);
        faces_.clear();
        faces_.reserve(256);
        places_.clear();
        places_.reserve(256);
        company_.reserve(64);
        boxes_.reserve(64);
        solids_.reserve(64);
        union_.reserve(64);
        extents_.reserve(64);
        near_.reserve(64);
    }

    // In place of 1 + the index of a weld.
    static constexpr std::int32_t unknown = 0;
    static constexpr std::int32_t alone = -1;
    static constexpr std::int32_t welded = -2;  // its faces are to be found again

    struct Weld {
        /// Where the faces of each side begin in faces_ and places_, and where the last ones end.
        std::size_t begin[5];
    };

    /// Whether a static collider may be part of a union.
    [[nodiscard]] bool can_weld(const Bodies& bodies, std::int32_t slot) const {
        if (!is_solid(bodies.colliders[slot])) return false;
        if (bodies.has_shape(slot)) return bodies.shapes[slot].radius == 0.0f;
        return is_polygon(bodies, slot) && is_exact(box_of(bodies, slot));
    }
    /// Whether coordinates in a box are so small that vertices which abut do so after rounding.
    [[nodiscard]] bool is_exact(const AABB& box) const {
        return place_rounding(max(abs(box.min), abs(box.max))) <= 2.0f * gap_;
    }
    [[nodiscard]] static bool is_polygon(const Bodies& bodies, std::int32_t slot) {
        return bodies.is_terrain(slot) && bodies.terrain(slot).solid.size() > 0;
    }

    /// Lists the static boxes, polygons and maps that meet `box`, except one collider.
    void list_company(const Bodies& bodies, const RestingGrids& statics, const AABB& box,
                      std::int32_t except) {
        company_.clear();
        statics.for_each_overlap(bodies, box, [&](std::int32_t slot) {
            const bool may_weld = bodies.is_tile_map(slot) || can_weld(bodies, slot);
            if (slot != except && may_weld) company_.push_back(slot);
        });
    }

    /// Lists the solids and tiles among them that meet `box` and have the filter.
    void find_neighbours(const Bodies& bodies, const AABB& box, const Filter& filter) {
        boxes_.clear(gap_);
        solids_.clear();
        union_.clear(gap_, depth_);
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
            boxes_.add(box);
        } else {
            solids_.push_back(solid);
        }
    }
    [[nodiscard]] bool has_neighbours() const {
        return !boxes_.boxes().empty() || !solids_.empty();
    }
    /// Leaves out those whose bounds only are near a polygon.
    void leave_out_apart(const Polygon& polygon) {
        const Solid solid(polygon);
        const auto is_out = [&](const Polygon& neighbour) {
            const Solid other(neighbour);
            return is_apart(solid, other, gap_) || is_apart(other, solid, gap_);
        };
        boxes_.remove_if([&](const AABB& box) { return is_out(Polygon(box)); });
        (void)solids_.remove_if(is_out);
    }

    /// The solid of a box or a polygon [m, world].
    [[nodiscard]] static Polygon solid_of(const Bodies& bodies, std::int32_t slot) {
        if (bodies.has_shape(slot)) return Polygon(bounds(bodies.placed_shape(slot)));
        return translate(bodies.terrain(slot).solid, terrain_origin(bodies, slot));
    }

    std::int32_t find_weld(const Bodies& bodies, const RestingGrids& statics, std::int32_t slot) {
        if (!can_weld(bodies, slot)) return alone;
        const Polygon solid = solid_of(bodies, slot);
        const AABB box = bounds(solid);
        list_company(bodies, statics, expand(box, gap_), slot);
        find_neighbours(bodies, expand(box, gap_), bodies.colliders[slot].filter);
        if (!solids_.empty() || is_polygon(bodies, slot)) leave_out_apart(solid);
        if (!has_neighbours()) return alone;
        const Vec2 origin = bodies.placed_shape(slot).center;
        if (!bodies.has_shape(slot) || !solids_.empty()) unite_neighbours(origin);
        const Solid own(translate(solid, -origin));
        Weld found{};
        for (std::uint32_t side = 0; side < 4; ++side) {
            found.begin[side] = faces_.size();
            find_faces(bodies, slot, own, side);
        }
        found.begin[4] = faces_.size();
        welds_.push_back(found);
        return static_cast<std::int32_t>(welds_.size());
    }
    /// Appends what the listed neighbours leave of a side of a solid.
    void find_faces(const Bodies& bodies, std::int32_t slot, const Solid& own, std::uint32_t side) {
        const bool is_box = bodies.has_shape(slot);
        const AABB box = bounds(bodies.placed_shape(slot));
        extents_.clear();
        const auto see = [&](const Face& face) {
            faces_.push_back(face);
            extents_.add(extent_along(side, bounds(face)));
        };
        if (is_box && solids_.empty()) {
            boxes_.cut(side_of_box(box, side), {box, box_normals[side]}, see);
        } else if (is_box) {
            union_.cut(side_of_box(box, side), own, see);
        } else {
            for (const Face& face : bodies.terrain(slot).outline) {
                if (side_of(face.normal) == side) union_.cut(face, own, see);
            }
        }
        extents_.sort();
        for (const SortedInterval& extent : extents_.sorted()) places_.push_back(extent);
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

    void unite_neighbours(Vec2 origin) {
        for (const AABB& box : boxes_.boxes()) union_.add(Polygon(translate(box, -origin)));
        for (const Polygon& solid : solids_) union_.add(translate(solid, -origin));
        union_.build_grid();
    }

    /// Where a box is along a side of `box_normals`, in the world's direction.
    [[nodiscard]] static Interval extent_along(std::uint32_t side, const AABB& box) {
        const bool is_level = side % 2 == 0;
        return is_level ? Interval{box.min.x, box.max.x} : Interval{box.min.y, box.max.y};
    }

    static constexpr Vec2 box_normals[] = {
        {0.0f, 1.0f}, {-1.0f, 0.0f}, {0.0f, -1.0f}, {1.0f, 0.0f}};

    /// A complete side of a box, relative to its middle.
    [[nodiscard]] static Face side_of_box(const AABB& box, std::uint32_t i) {
        const BoxSide side{box, box_normals[i]};
        const Interval whole = side.along(box);
        Face face;
        face.normal = side.normal;
        face.start = side.normal * side.height() + perpendicular(side.normal) * whole.low;
        face.length = face.end = whole.high - whole.low;
        face.half_thickness = side.height();
        face.feature = 1 + i;
        begin_open(face);
        face.lean_begin = face.lean_end = 1.0f;
        return face;
    }

    float gap_ = weld_gap;
    float depth_ = hollow_depth;
    Array<std::int32_t> weld_of_;  // per index of an id: see `unknown`
    Array<Weld> welds_;
    Array<Face> faces_;
    Array<SortedInterval> places_;   // of the faces of each side, along it
    std::size_t unused_ = 0;         // of welds_ and faces_
    Scratch<std::int32_t> company_;  // slots of boxes and maps that may be neighbours
    BoxUnion boxes_;                 // neighbours of the current solid or map that are boxes
    Scratch<Polygon> solids_;        // and those that are not
    SolidUnion union_;               // of all of them, if any face needs it
    SortedIntervals extents_;        // of the faces of a side
    Scratch<std::size_t> near_;      // faces that a body may meet
    Scratch<FaceList::Entry> uncut_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// FaceFinder: which faces of terrain, or of a solid that is welded to others, may a body meet while
// it is in its range?
//
// Faces hold what is not too deep behind them. What is deeper, inside of tiles or solids, would
// fall through them: for that there are ways out, and floors.
#pragma once

#include <limits>

#include <phys2d/bodies/pair_rules.hpp>
#include <phys2d/bodies/ranges.hpp>
#include <phys2d/bodies/welding.hpp>
#include <phys2d/collision/collide.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Whether something in a box may meet a face: not if all of the box is in front of it, as the
/// middle of a valley is of its slopes, or deeper behind it than it holds.
[[nodiscard]] constexpr bool may_meet(const AABB& box, const Face& face) {
    const Shape all(box);
    const float rounding = 4.0f * place_rounding(max(abs(box.min), abs(box.max)) + abs(face.start));
    const float lowest = height_above(face.start, face.normal, all);
    const float highest = -height_above(face.start, -face.normal, all);
    return lowest <= rounding && highest >= -face.half_thickness - rounding;
}

class FaceFinder {
public:
    /// `ranges`: positions that moving bodies may have; `faces`: the list that each search fills.
    FaceFinder(const Bodies& bodies, const PairRules& rules, const Ranges& ranges,
               const RoleGrids& statics, Welds& welds, FaceList& faces)
        : bodies_(bodies),
          rules_(rules),
          ranges_(ranges),
          statics_(statics),
          welds_(welds),
          faces_(faces) {}

    /// Whether a static collider is a solid with faces, since it is welded to others.
    [[nodiscard]] bool is_welded(std::int32_t slot) const {
        return welds_.is_welded(bodies_, statics_, slot);
    }

    /// The faces of terrain that a body may meet within its range and that of the terrain.
    FaceList& of_terrain(std::int32_t a, std::int32_t terrain) {
        faces_.clear();
        const AABB box = box_of_range(a);
        const Vec2 origin = terrain_origin(bodies_, terrain);
        const Vec2 position = bodies_.positions[terrain];
        const AABB range =
            bodies_.ranges.is_moving(terrain) ? ranges_[terrain] : AABB{position, position};
        const AABB seen{box.min - (origin + (range.max - position)),
                        box.max - (origin + (range.min - position))};
        for_each_face(bodies_, terrain, seen, Pinching::Yes,
                      [&](const Face& face, std::int32_t slot) {
                          if (may_meet(seen, face) && may_touch(a, slot)) faces_.add(face, slot);
                      });
        if (!bodies_.is_tile_map(terrain)) {
            list_way_out_of_polygon(a, terrain);
            return faces_;
        }
        const bool is_inside = is_in_tile(a, terrain);
        if (is_inside) list_way_out_of_slope(a, terrain);
        if (bodies_.ranges.is_static(terrain)) {
            const auto is_passed = [&](std::int32_t slot) { return passes(a, slot); };
            welds_.neighbours().cut_map(bodies_, statics_, terrain, box, is_passed, faces_);
        }
        if (is_inside) add_floor_inside_map(a, terrain);
        return faces_;
    }

    /// The faces of a welded solid that a body may meet. What the body passes through hides none of
    /// them.
    FaceList& of_weld(std::int32_t a, std::int32_t b) {
        faces_.clear();
        const AABB box = box_of_range(a);
        const bool passes_any = rules_.touch.passes_any(
            bodies_, a, [&](const auto& visit) { statics_.for_each_overlap(bodies_, box, visit); });
        const auto is_passed = [&](std::int32_t slot) { return passes(a, slot); };
        const auto list = [&](const AABB& seen) {
            const auto see = [&](const Face& face) {
                if (may_meet(seen, face)) faces_.add(face, b);
            };
            if (passes_any) {
                welds_.for_each_face_left(bodies_, statics_, b, seen, is_passed, see);
            } else {
                welds_.for_each_face(index_of(bodies_.ids[b]), seen, see);
            }
        };
        list(translate(box, -(bodies_.placed_shape(b).center)));
        if (!contains(box_of(bodies_, b), bodies_.placed_shape(a).center)) return faces_;
        const Vec2 held = add_floor_inside_solid(a, SolidNeighbours::piece_of(bodies_, b));
        if (bodies_.has_shape(b)) {
            list_nearest_sides(a, b, held, list);
        } else {
            list_way_out_of_weld(a, b, held);
        }
        return faces_;
    }

private:
    [[nodiscard]] bool may_touch(std::int32_t a, std::int32_t b) const {
        return rules_.touch.may_touch(bodies_, a, b);
    }
    [[nodiscard]] bool passes(std::int32_t a, std::int32_t b) const {
        return rules_.touch.passes(bodies_, a, b);
    }
    /// The box of all that a body may meet in its range.
    [[nodiscard]] AABB box_of_range(std::int32_t a) const {
        return expand(ranges_.bounds()[a], rules_.margin);
    }
    /// What drives a body in this step, gravity and forces; of interest is the direction.
    [[nodiscard]] Vec2 pull_on(std::int32_t a) const {
        return {rules_.drive[a].x, rules_.drive[a].y};
    }

    /// Lists what holds a body that is inside the tiles of a map, against what drives it: the next
    /// solid beside the map, or else the border of its tile.
    void add_floor_inside_map(std::int32_t a, std::int32_t map) {
        const Terrain& terrain = bodies_.terrain(map);
        const Vec2 center = bodies_.placed_shape(a).center;
        const Vec2 origin = bodies_.positions[map];
        if (bodies_.ranges.is_static(map) && add_floor_beside_map(a, map, center)) return;
        find_floor_inside(terrain.map, center - origin, pull_on(a),
                          [&](const Face& face, std::uint16_t id) {
                              const std::int32_t slot = bodies_.slot_of_kind(terrain, id);
                              if (may_touch(a, slot)) faces_.add(face, slot);
                          });
    }
    /// Returns whether there is any.
    bool add_floor_beside_map(std::int32_t a, std::int32_t map, Vec2 center) {
        bool any = false;
        for_each_tile_around(
            bodies_, map, center, [&](const Polygon& tile, std::int32_t slot, const auto&) {
                if (any || !is_solid(bodies_.colliders[slot]) || !may_touch(a, slot)) return;
                const Vec2 origin = bodies_.positions[map];
                any = add_floor_inside_solid(a, {tile, origin, slot, map}) != Vec2{};
            });
        return any;
    }

    /// Lists the nearest sides of a box that a body's centre is in, but none beyond a floor in the
    /// direction `held`: they hold it from afar.
    template <class List>
    void list_nearest_sides(std::int32_t a, std::int32_t b, Vec2 held, List list) const {
        const Vec2 half = half_extents(box_of(bodies_, b));
        const Vec2 place = bodies_.placed_shape(a).center - bodies_.placed_shape(b).center;
        const Vec2 beside{mul(sign(place.x), half.x), place.y};
        const Vec2 above{place.x, mul(sign(place.y), half.y)};
        for (const Vec2 foot : {beside, above}) {
            if (dot(foot - place, held) <= 0.0f) list({foot, foot});
        }
    }

    /// Lists the side by which a body that is in a polygon leaves it soonest.
    void list_way_out_of_polygon(std::int32_t a, std::int32_t polygon) {
        if (!is_in_polygon(a, polygon)) return;
        list_way_out(a, bodies_.placed_shape(polygon).center, [&](auto see) {
            for (const Face& face : bodies_.terrain(polygon).outline) see(face, polygon);
        });
    }
    /// The same for one that is welded to others, which may hide the nearest sides: but none that
    /// is further than half of its box, or beyond a floor in the direction `held`.
    void list_way_out_of_weld(std::int32_t a, std::int32_t polygon, Vec2 held) {
        if (!is_in_polygon(a, polygon)) return;
        const Vec2 origin = bodies_.placed_shape(polygon).center;
        const Vec2 place = bodies_.placed_shape(a).center - origin;
        const AABB box = translate(box_of(bodies_, polygon), -origin);
        list_way_out(a, origin, [&](auto see) {
            welds_.for_each_face(index_of(bodies_.ids[polygon]), box, [&](const Face& face) {
                const float half = dot(half_extents(box), abs(face.normal));
                const bool is_near = depth_behind(face, place) <= half;
                if (is_near && dot(face.normal, held) <= 0.0f) see(face, polygon);
            });
        });
    }
    /// The same for a tile that is not full.
    void list_way_out_of_slope(std::int32_t a, std::int32_t terrain) {
        const TileMap& map = bodies_.terrain(terrain).map;
        const Vec2 origin = bodies_.positions[terrain];
        const Vec2 place = bodies_.placed_shape(a).center - origin;
        const TileCoord tile = map.tile_at(place, map.extent);
        const TileKind& kind = map.kind_at(tile);
        if (kind.is_full || !contains(kind.shape, place / map.tile_size - corner_of(tile))) return;
        list_way_out(a, origin, [&](auto see) {
            for_each_face(bodies_, terrain, map.box_of({tile, tile}), Pinching::Yes, see);
        });
    }

    /// Whether a body's centre is in a tile of a map that is not air, or on the border of one.
    [[nodiscard]] bool is_in_tile(std::int32_t a, std::int32_t map) const {
        const Vec2 place = bodies_.placed_shape(a).center - bodies_.positions[map];
        const auto any = [](TileCoord, std::uint16_t) { return true; };
        return bodies_.terrain(map).map.any_tile({place, place}, any);
    }
    [[nodiscard]] bool is_in_polygon(std::int32_t a, std::int32_t terrain) const {
        const Vec2 place = bodies_.placed_shape(a).center - bodies_.placed_shape(terrain).center;
        return contains(bodies_.terrain(terrain).solid, place);
    }
    [[nodiscard]] static float depth_behind(const Face& face, Vec2 place) {
        return dot(face.start - place, face.normal);
    }

    /// Lists the nearest of the sides behind which a body's centre is. Until pairs are found again
    /// it holds the body however deep that is, at its ends, too: solids may be thin there.
    template <class EachSide>
    void list_way_out(std::int32_t a, Vec2 origin, EachSide for_each_side) {
        const Shape body = bodies_.placed_shape(a);
        const Vec2 place = body.center - origin;
        Face nearest;
        std::int32_t owner = SlotMap::no_slot;
        float least = std::numeric_limits<float>::infinity();
        for_each_side([&](const Face& face, std::int32_t slot) {
            const float depth = depth_behind(face, place);
            const float along = dot(place - face.start, perpendicular(face.normal));
            const bool is_beside = face.begin <= along && along <= face.end;
            const bool is_nearer = is_beside && 0.0f <= depth && depth < least;
            if (!is_nearer || !is_solid(bodies_.colliders[slot]) || !may_touch(a, slot)) return;
            nearest = face;
            owner = slot;
            least = depth;
        });
        if (owner == SlotMap::no_slot) return;
        nearest.lean_begin = nearest.lean_end = 0.0f;
        nearest.half_thickness = least + length(outer_half_extents(body));
        faces_.put(nearest, owner);
    }

    /// Lists what holds a body in a piece of a solid against what drives it: the surface of the
    /// next solid, which this one hides, as wide as the body's range. Returns the direction to it;
    /// zero if there is none.
    Vec2 add_floor_inside_solid(std::int32_t a, const SolidNeighbours::Piece& piece) {
        const Vec2 pull = pull_on(a);
        if (pull == Vec2{}) return {};
        const Vec2 up = main_axis(-pull);
        const Vec2 along = perpendicular(up);
        const Vec2 place = bodies_.placed_shape(a).center;
        const auto is_passed = [&](std::int32_t slot) { return passes(a, slot); };
        const float depth =
            welds_.neighbours().distance_to_next(bodies_, statics_, piece, place, -up, is_passed);
        if (depth == std::numeric_limits<float>::infinity()) return {};
        const AABB range = translate(ranges_[a], bodies_.shapes[a].center);
        const float half_length = dot(half_extents(range), abs(along));
        const Vec2 middle = place - up * depth + along * dot(center(range) - place, along);
        const Vec2 start = middle - along * half_length - piece.origin;
        Face floor = plain_face(start, up, 2.0f * half_length);
        floor.feature = floor_feature;
        faces_.add(floor, piece.slot);
        return -up;
    }

    static constexpr std::uint32_t floor_feature = 1 << 19;  // no side of a solid has it

    const Bodies& bodies_;
    const PairRules& rules_;
    const Ranges& ranges_;
    const RoleGrids& statics_;
    Welds& welds_;
    FaceList& faces_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

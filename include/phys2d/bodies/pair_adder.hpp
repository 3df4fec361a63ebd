// SPDX-License-Identifier: MIT
// PairAdder: turns two colliders near each other into pairs of the list.
//
// Most become one pair. With terrain, or a solid that is welded to others, they become one pair for
// each of its faces near the body.
#pragma once

#include <limits>

#include <phys2d/bodies/pair_rules.hpp>
#include <phys2d/bodies/ranges.hpp>
#include <phys2d/bodies/welding.hpp>
#include <phys2d/collision/collide.hpp>
#include <phys2d/dynamics/pair_builder.hpp>

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

/// Adds pairs of slots, in either order; pairs without a dynamic body are left out.
class PairAdder {
public:
    /// `ranges`: positions that moving bodies may have; `faces`: scratch; `listed`: contacts in
    /// which pairs may already be, which are not added again; null if there are none.
    PairAdder(PairBuilder& builder, const Bodies& bodies, const PairRules& rules,
              const Ranges& ranges, const RestingGrids& statics, Welds& welds, FaceList& faces,
              Contacts* listed)
        : builder_(builder),
          bodies_(bodies),
          rules_(rules),
          mixer_(rules),
          reach_(rules.reach()),
          ranges_(ranges),
          statics_(statics),
          welds_(welds),
          faces_(faces),
          listed_(listed) {}

    void operator()(std::int32_t i, std::int32_t j) {
        const std::int32_t a = smaller_of(i, j);
        const std::int32_t b = larger_of(i, j);
        if (!bodies_.ranges.is_dynamic(a)) return;
        const std::uint32_t marks = bodies_.traits[b].marks;
        if ((marks & ContactTraits::tile_kind) != 0) return;
        if ((marks & ContactTraits::terrain) != 0) {
            find_faces(a, b);
            add_faces(a, b);
        } else if (!is_listed(a, b) && rules_.touch.may_touch(bodies_, a, b)) {
            builder_.add(a, b, traits(a, b));
        }
    }

    /// The same for a moving and a static collider.
    void add_static(std::int32_t a, std::int32_t b) {
        if (!bodies_.ranges.is_dynamic(a)) return;
        if (!welds_.is_welded(bodies_, statics_, b)) {
            (*this)(a, b);
        } else if (rules_.touch.may_touch(bodies_, a, b)) {
            find_faces_of_weld(a, b);
            add_faces(a, b);
        }
    }

private:
    /// See Welds::PassTest.
    [[nodiscard]] auto pass_test_of(std::int32_t a) const {
        return [this, a](std::int32_t b) { return rules_.touch.passes(bodies_, a, b); };
    }

    /// The box of all that a body may meet in its range.
    [[nodiscard]] AABB box_of_range(std::int32_t a) const {
        return expand(box_around(ranges_[a], bodies_.shapes[a]), rules_.margin);
    }
    /// What drives a body in this step, gravity and forces; of interest is the direction.
    [[nodiscard]] Vec2 pull_on(std::int32_t a) const {
        return {rules_.drive[a].x, rules_.drive[a].y};
    }

    [[nodiscard]] bool is_listed(std::int32_t a, std::int32_t b) const {
        return listed_ != nullptr && builder_.contains(a, b);
    }

    [[nodiscard]] PHYS2D_INLINE PairTraits traits(std::int32_t a, std::int32_t b) {
        const ContactTraits& traits_a = bodies_.traits[a];
        const ContactTraits& traits_b = bodies_.traits[b];
        const std::uint32_t marks = traits_a.marks | traits_b.marks;
        mixer_.mix(traits_a, traits_b);
        return {mixer_.friction(), mixer_.restitution(), (marks & ContactTraits::special) != 0};
    }

    /// Lists the faces of terrain that a body may meet within its range and that of the terrain.
    void find_faces(std::int32_t a, std::int32_t terrain) {
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
                          if (may_meet(seen, face) && rules_.touch.may_touch(bodies_, a, slot))
                              faces_.add(face, slot);
                      });
        if (!bodies_.is_tile_map(terrain)) return;
        if (bodies_.ranges.is_static(terrain)) {
            welds_.neighbours().cut_map(bodies_, statics_, terrain, box, pass_test_of(a), faces_);
        }
        add_floor_inside(a, terrain);
    }

    /// Lists what holds a body that is inside the tiles of a map, against what drives it: the next
    /// solid beside the map, or else the border of its tile.
    void add_floor_inside(std::int32_t a, std::int32_t map) {
        const Terrain& terrain = bodies_.terrain(map);
        const Vec2 center = bodies_.placed_shape(a).center;
        const Vec2 origin = bodies_.positions[map];
        if (bodies_.ranges.is_static(map) && add_floor_beside_map(a, map, center)) return;
        find_floor_inside(terrain.map, center - origin, pull_on(a),
                          [&](const Face& face, std::uint16_t id) {
                              const std::int32_t slot = bodies_.slot_of_kind(terrain, id);
                              if (rules_.touch.may_touch(bodies_, a, slot)) faces_.add(face, slot);
                          });
    }
    /// Returns whether there is any.
    bool add_floor_beside_map(std::int32_t a, std::int32_t map, Vec2 center) {
        bool any = false;
        for_each_tile_around(
            bodies_, map, center, [&](const Polygon& tile, std::int32_t slot, const auto&) {
                if (any || !is_solid(bodies_.colliders[slot])) return;
                if (!rules_.touch.may_touch(bodies_, a, slot)) return;
                const Vec2 origin = bodies_.positions[map];
                any = add_floor_inside_solid(a, {tile, origin, slot, map}) != Vec2{};
            });
        return any;
    }

    /// Lists the faces of a welded solid that a body may meet. What the body passes through hides
    /// none of them.
    void find_faces_of_weld(std::int32_t a, std::int32_t b) {
        faces_.clear();
        const AABB box = box_of_range(a);
        const bool passes_any = rules_.touch.passes_any(
            bodies_, a, [&](const auto& visit) { statics_.for_each_overlap(bodies_, box, visit); });
        const auto list = [&](const AABB& seen) {
            const auto see = [&](const Face& face) {
                if (may_meet(seen, face)) faces_.add(face, b);
            };
            if (passes_any) {
                welds_.for_each_face_left(bodies_, statics_, b, seen, pass_test_of(a), see);
            } else {
                welds_.for_each_face(index_of(bodies_.ids[b]), seen, see);
            }
        };
        list(translate(box, -(bodies_.placed_shape(b).center)));
        if (!contains(box_of(bodies_, b), bodies_.placed_shape(a).center)) return;
        const Vec2 held = add_floor_inside_solid(a, SolidNeighbours::piece_of(bodies_, b));
        if (bodies_.has_shape(b)) list_nearest_sides(a, b, held, list);
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

    /// Lists what holds a body in a piece of a solid against what drives it: the surface of the next
    /// solid, which this one hides, as wide as the body's range. Returns the direction to it; zero
    /// if there is none.
    Vec2 add_floor_inside_solid(std::int32_t a, const SolidNeighbours::Piece& piece) {
        const Vec2 pull = pull_on(a);
        if (pull == Vec2{}) return {};
        const Vec2 up = main_axis(-pull);
        const Vec2 along = perpendicular(up);
        const Vec2 place = bodies_.placed_shape(a).center;
        const float depth = welds_.neighbours().distance_to_next(bodies_, statics_, piece, place,
                                                                 -up, pass_test_of(a));
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

    /// Adds the listed faces. Faces whose pair exists are updated instead, and pairs with other
    /// faces of that terrain are removed.
    void add_faces(std::int32_t a, std::int32_t terrain) {
        faces_.sort();
        if (listed_ != nullptr) {
            builder_.replace_faces(a, *listed_, [&](std::int32_t slot, const Face& face) {
                return is_part_of(slot, terrain) ? take_face(slot, face.feature) : face;
            });
        }
        for (const FaceList::Entry& entry : faces_.entries()) {
            if (entry.is_used) continue;
            builder_.add_face(a, entry.slot, entry.face, bodies_.narrow, reach_,
                              traits(a, entry.slot));
        }
    }

    /// Whether a slot has the faces of a terrain: it is the terrain, or a kind of its tiles.
    [[nodiscard]] bool is_part_of(std::int32_t slot, std::int32_t terrain) const {
        const bool is_kind_of =
            bodies_.is_terrain(terrain) && bodies_.terrain_of(slot) == bodies_.terrain_of(terrain);
        return slot == terrain || is_kind_of;
    }

    /// The listed face with a feature, once; `no_face` if there is none.
    [[nodiscard]] Face take_face(std::int32_t slot, std::uint32_t feature) {
        for (FaceList::Entry& entry : faces_.entries()) {
            const bool is_it =
                !entry.is_used && entry.slot == slot && entry.face.feature == feature;
            if (!is_it) continue;
            entry.is_used = true;
            return entry.face;
        }
        return no_face;
    }

    static constexpr std::uint32_t floor_feature = 1 << 19;  // no side of a solid has it

    PairBuilder& builder_;
    const Bodies& bodies_;
    const PairRules& rules_;
    MaterialMixer mixer_;
    ContactReach reach_;
    const Ranges& ranges_;
    const RestingGrids& statics_;
    Welds& welds_;
    FaceList& faces_;
    Contacts* listed_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// CastSearch: which colliders does a moving shape or a ray hit in a world?
//
// Rays hit the sides of tiles that no tiles of the same group cover, and the pieces of outlines,
// from in front; a ray that misses the end of one by no more than rounding hits it, so that there
// is no gap between two. Shapes hit the faces that bodies touch, as far as they are visible. A cast
// that begins inside a solid hits it at fraction 0, except a shape that moves out of it or along
// it. One-way colliders stop shapes as they stop bodies, from in front; rays hit them from all
// sides.
#pragma once

#include <phys2d/collision/in_front.hpp>
#include <phys2d/core/shell_sort.hpp>
#include <phys2d/stages/slops.hpp>
#include <phys2d/world/queries.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Nearer hits first; at equal fractions the lower index, and within one collider the normal that
/// points more up or down.
[[nodiscard]] inline bool comes_before(const QueryHit& a, const QueryHit& b) {
    if (a.fraction != b.fraction) return a.fraction < b.fraction;
    if (a.collider != b.collider) return a.collider.index < b.collider.index;
    return is_preferred(a.normal, b.normal);
}

/// One cast through a world: of a shape, or of a ray, which is a circle of radius 0.
class CastSearch {
public:
    CastSearch(const WorldState& world, const Shape& moving, Vec2 way, const QuerySight& sight)
        : world_(world),
          bodies_(world.bodies),
          moving_(moving),
          way_(way),
          grid_way_(world.broad_phase.way_of(moving, way)),
          sight_(sight),
          is_ray_(outer_half_extents(moving) == Vec2{}) {}

    /// The first hit.
    template <int Width>
    [[nodiscard]] QueryHit first() {
        search<Width>();
        return first_;
    }

    /// All hits, nearest first: of a ray one for each place where it enters a collider, of a shape
    /// the first one with each collider.
    template <int Width>
    [[nodiscard]] Array<QueryHit> all() {
        Array<QueryHit> hits;
        all_ = &hits;
        search<Width>();
        drop_repeats(hits);
        shell_sort(hits, comes_before);
        return hits;
    }

private:
    template <int Width>
    void search() {
        world_.broad_phase.for_each_on_way<Width>(bodies_, grid_way_, [this](std::int32_t slot) {
            bodies_.has_shape(slot) ? meet_shape(slot) : meet_terrain(slot);
        });
    }

    // Not inlined: it would slow down the rays that meet none.
    PHYS2D_NOINLINE void meet_terrain(std::int32_t slot) {
        const bool is_map = bodies_.is_tile_map(slot);
        if (is_map) return is_ray_ ? meet_tiles(slot) : meet_tiles_as_shape(slot);
        if (!sight_.sees(bodies_, slot)) return;
        const Terrain& terrain = bodies_.terrain(slot);
        if (!is_ray_ && is_one_way(slot)) return meet_faces(slot);
        if (terrain.is_half_space() || begins_in_polygon(slot)) return meet_solid(slot);
        if (!is_ray_) return meet_faces(slot);
        return terrain.is_line() ? meet_line(slot) : meet_polygon(slot);
    }

    void meet_shape(std::int32_t slot) {
        const Shape shape = bodies_.placed_shape(slot);
        if (!grid_way_.meets(bounds(shape))) return;
        const CastHit hit = cast_at(shape);
        const auto height = [&](Vec2 out) { return height_in_front(shape, out, moving_); };
        if (hit && (is_ray_ || stops(slot, hit, height))) tell(hit, slot);
    }

    /// Half-spaces and polygons are solid throughout.
    void meet_solid(std::int32_t slot) {
        for_each_solid(bodies_, slot, bounds(moving_),
                       [&](const auto& solid) { meet(solid, slot); });
    }
    /// Whether the cast begins in a polygon; a shape counts only if it is deeper than a resting
    /// body.
    [[nodiscard]] bool begins_in_polygon(std::int32_t slot) const {
        const Terrain& terrain = bodies_.terrain(slot);
        if (terrain.solid.size() == 0) return false;
        const PlacedPolygon solid{terrain.solid, terrain_origin(bodies_, slot)};
        if (is_ray_) return overlaps(solid, moving_);
        return collide(solid, moving_).penetration > flush_at(world_, slot);
    }

    /// Rays enter a polygon at most once.
    void meet_polygon(std::int32_t slot) {
        CastHit first;
        for_each_face_on_ray(slot, [&](const Face&, const CastHit& hit) {
            const bool is_tie = hit.fraction == first.fraction;
            if (is_tie ? is_preferred(hit.normal, first.normal) : hit.fraction < first.fraction) {
                first = hit;
            }
        });
        if (first) tell(first, slot);
    }
    /// Rays hit lines from in front, and also where a ray begins on one, or reaches an end of one
    /// along it, which no face detects.
    void meet_line(std::int32_t slot) {
        for_each_face_on_ray(slot, [&](const Face& face, const CastHit& hit) {
            if (hit) tell(hit, slot);
            meet_end(face, slot);
        });
        for_each_solid(bodies_, slot, bounds(moving_), [&](const auto& piece) {
            if (overlaps(piece, moving_)) meet(piece, slot);
        });
    }
    /// Calls visit(face, hit) for the faces of an outline near a ray, whether it hits them or not.
    void for_each_face_on_ray(std::int32_t slot, auto visit) const {
        const Vec2 origin = terrain_origin(bodies_, slot);
        const AABB path = box_along(bounds(moving_), way_);
        const AABB seen = translate(expand(path, flush_at(world_, slot)), -origin);
        for_each_face(bodies_, slot, seen, Pinching::No, [&](const Face& face, std::int32_t) {
            visit(translate(face, origin), hit_on_ray(face, origin));
        });
    }
    /// The hit of a ray with a face that is relative to the origin of its terrain, where rounding
    /// shifts it least.
    [[nodiscard]] CastHit hit_on_ray(const Face& face, Vec2 origin) const {
        const float flush = world_.scaled(flush_slop);
        const float behind = place_rounding(abs(moving_.center) + abs(origin) + abs(face.start));
        CastHit hit = ray_cast_at_face(face, moving_.center - origin, way_, behind, flush);
        hit.point += origin;
        return hit;
    }
    /// Hits the beginning of a line along which the ray runs.
    void meet_end(const Face& face, std::int32_t slot) {
        const float rounding = mul(1e-6f, length(way_));
        const Vec2 into = face.length > 0.0f ? perpendicular(face.normal) : -face.normal;
        if (dot(way_, into) <= 0.0f || abs(cross(way_, into)) > rounding) return;
        const AABB end{face.start, face.start};
        const WayPart there = WayPart{}.inside(end, moving_.center, way_);
        if (!there.is_empty()) tell({there.begin, -normalized(way_), face.start}, slot);
    }

    /// Rays hit tiles from all sides, except between tiles of one group.
    void meet_tiles(std::int32_t map) {
        const float flush = flush_at(world_, map);
        const auto is_seen = [&](std::int32_t kind) { return sees(sight_.filter, bodies_, kind); };
        bool begins_in_tile = false;
        const auto meet_tile = [&](const AABB& box) {
            if (begins_in_tile || !contains(box, moving_.center)) return;
            begins_in_tile = true;
            meet_tiles_at_start(map);
        };
        const Vec2 origin = terrain_origin(bodies_, map);
        const auto meet_side = [&](const Face& face, std::int32_t kind) {
            if (const CastHit hit = hit_on_ray(face, origin)) tell(hit, kind);
        };
        for_each_tile_on_ray(bodies_, map, {moving_.center, way_, flush}, grid_way_.limit(),
                             is_seen, meet_tile, meet_side);
    }
    void meet_tiles_at_start(std::int32_t map) {
        const WayOut out = way_out_of_tiles(map);
        for_each_tile_around(bodies_, map, moving_.center,
                             [&](const Polygon& tile, std::int32_t kind, auto) {
                                 if (out.normal == Vec2{}) return meet(tile, kind);
                                 tell({0.0f, out.normal, moving_.center}, kind);
                             });
    }
    /// Shapes hit tiles face by face.
    void meet_tiles_as_shape(std::int32_t map) {
        meet_tiles_around(map);
        meet_faces(map);
        if (sight_.filter.sensors) meet_felt_tiles(map);
    }
    /// A shape whose center is in tiles, deeper than a resting body, hits at once unless it moves
    /// out.
    void meet_tiles_around(std::int32_t map) {
        const WayOut out = way_out_of_tiles(map);
        if (way_ == Vec2{} || out.depth <= flush_at(world_, map)) return;
        const Vec2 normal = out.normal == Vec2{} ? Vec2{} - normalized(way_) : out.normal;
        if (dot(way_, normal) >= 0.0f) return;
        for_each_tile_around(bodies_, map, moving_.center,
                             [&](const Polygon&, std::int32_t kind, auto) {
                                 if (!is_solid_kind(kind)) return;
                                 tell({0.0f, normal, moving_.center}, kind);
                             });
    }
    /// The nearest open side of the tiles that contain the shape's center; of several that are
    /// equally near, a shape leaves through the one that its way leads to.
    [[nodiscard]] WayOut way_out_of_tiles(std::int32_t map) const {
        WayOut out;
        const Vec2 way = is_ray_ ? Vec2{} : way_;
        for_each_tile_around(bodies_, map, moving_.center,
                             [&](const Polygon&, std::int32_t kind, auto way_out_of_tile) {
                                 if (!is_solid_kind(kind)) return;
                                 out = shorter(out, way_out_of_tile(way), way);
                             });
        return out;
    }
    /// Whether tiles of a kind are solid for the cast.
    [[nodiscard]] bool is_solid_kind(std::int32_t kind) const {
        return sight_.sees(bodies_, kind) && (is_ray_ || is_solid(bodies_.colliders[kind]));
    }
    /// Tiles that are sensors have no faces.
    void meet_felt_tiles(std::int32_t map) {
        for_each_part_of_way(
            bodies_, map, moving_, way_, [&](const AABB& box, const WayPart& part) {
                for_each_tile(
                    bodies_, map, box,
                    [this](std::int32_t kind) { return bodies_.colliders[kind].is_sensor; },
                    [this](const Polygon& tile, std::int32_t kind) { meet(tile, kind); });
                return grid_way_.limit() > part.end;
            });
    }

    void meet_faces(std::int32_t terrain) {
        const float flush = world_.scaled(flush_slop);
        for_each_terrain_hit(bodies_, terrain, moving_, way_, flush, Seeker::Query,
                             grid_way_.limit(),
                             [&](const CastHit& hit, std::int32_t owner, const Face& face) {
                                 const auto height = [&](Vec2 out) {
                                     return height_in_front(face, out, hit.normal, moving_);
                                 };
                                 const bool is_free = leaves_middle(terrain, face, hit);
                                 if (!is_free && stops(owner, hit, height)) tell(hit, owner);
                             });
    }
    /// Whether the shape starts in the middle, to rounding, of a line with two sides or of a tile,
    /// as deep behind a face that it hits as behind the opposite one: either way leads out.
    [[nodiscard]] bool leaves_middle(std::int32_t slot, const Face& face,
                                     const CastHit& hit) const {
        const float rounding = place_rounding(abs(moving_.center) + abs(face.start));
        const float depth = dot(face.start - moving_.center, face.normal);
        const bool has_back =
            face.half_thickness > rounding || bodies_.terrain(slot).is_two_sided_line();
        return has_back && hit.fraction == 0.0f && hit.normal == face.normal &&
               abs(depth - face.half_thickness) <= rounding;
    }
    /// Whether a collider blocks from one side only; a sensor has no such side.
    [[nodiscard]] bool is_one_way(std::int32_t slot) const {
        return bodies_.is_one_way(slot) && !bodies_.colliders[slot].is_sensor;
    }
    /// Whether a collider stops the shape, which hits it from a height(out) in front of its side.
    [[nodiscard]] bool stops(std::int32_t slot, const CastHit& hit, auto height) const {
        if (!is_one_way(slot)) return true;
        const Vec2 out = direction_of(bodies_.colliders[slot].one_way);
        const float slop = world_.scaled(stop_slop);
        return blocks(out, hit.normal) && height(out) >= -slop;
    }
    template <class Solid>
    [[nodiscard]] CastHit cast_at(const Solid& solid) const {
        return is_ray_ ? ray_cast(moving_.center, way_, solid) : shape_cast(moving_, way_, solid);
    }
    template <class Solid>
    void meet(const Solid& solid, std::int32_t slot) {
        if (const CastHit hit = cast_at(solid)) tell(hit, slot);
    }
    void tell(const CastHit& met, std::int32_t slot) {
        if (met.fraction > grid_way_.limit() || !sight_.sees(bodies_, slot)) return;
        const QueryHit hit{bodies_.owners[slot], met.fraction, met.normal, met.point,
                           bodies_.ids[slot]};
        if (all_ != nullptr) return all_->push_back(hit);
        if (!comes_before(hit, first_)) return;
        first_ = hit;
        grid_way_.shorten(hit.fraction);
    }

    /// Of the hits of a collider in one place, by a shape in any places, keeps the nearest.
    void drop_repeats(Array<QueryHit>& hits) const {
        shell_sort(hits, [](const QueryHit& a, const QueryHit& b) {
            const bool is_same = a.collider == b.collider;
            return is_same ? comes_before(a, b) : a.collider.index < b.collider.index;
        });
        QueryHit last;
        hits.remove_if([&](const QueryHit& hit) {
            const bool is_told =
                hit.collider == last.collider && (!is_ray_ || are_in_one_place(hit, last));
            if (!is_told) last = hit;
            return is_told;
        });
    }
    [[nodiscard]] bool are_in_one_place(const QueryHit& a, const QueryHit& b) const {
        const float rounding = place_rounding(abs(a.point) + abs(moving_.center));
        const float same = world_.scaled(4.0f * flush_slop) + 8.0f * rounding;
        return mul(abs(a.fraction - b.fraction), length(way_)) <= same &&
               distance(a.point, b.point) <= same;
    }

    const WorldState& world_;
    const Bodies& bodies_;
    const Shape moving_;
    const Vec2 way_;
    GridWay grid_way_;  // shortened to the nearest hit so far
    const QuerySight& sight_;
    const bool is_ray_;
    Array<QueryHit>* all_ = nullptr;  // the list of hits, if all are wanted
    QueryHit first_{};
};

/// The first hit of a shape that moves by `way`, or of a ray.
template <int Width>
[[nodiscard]] QueryHit first_hit(const WorldState& world, const Shape& moving, Vec2 way,
                                 const QuerySight& sight) {
    return CastSearch(world, moving, way, sight).first<Width>();
}
PHYS2D_COMPILED_ONCE(QueryHit first_hit<PHYS2D_LANES>(const WorldState&, const Shape&, Vec2,
                                                      const QuerySight&));

/// All hits of a shape that moves by `way`, or of a ray, nearest first.
template <int Width>
[[nodiscard]] Array<QueryHit> all_hits(const WorldState& world, const Shape& moving, Vec2 way,
                                       const QuerySight& sight) {
    return CastSearch(world, moving, way, sight).all<Width>();
}
PHYS2D_COMPILED_ONCE(Array<QueryHit> all_hits<PHYS2D_LANES>(const WorldState&, const Shape&, Vec2,
                                                            const QuerySight&));

}  // namespace phys2d::inline PHYS2D_ABI::detail

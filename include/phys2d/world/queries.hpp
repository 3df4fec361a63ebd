// SPDX-License-Identifier: MIT
// Queries: what is there, and what would be met on the way?
//
// Answers are exact for the bodies as they are at the moment, right after any change too: what has changed
// since the last step is looked at one by one, the rest through the grids of the broad phase. They change
// nothing, so any number of threads may ask at once.
#pragma once

#include <utility>

#include <phys2d/core/shell_sort.hpp>
#include <phys2d/world/world_state.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// Which bodies a query sees: all, but for sensors.
struct QueryFilter {
    /// What asks: the masks of what is seen have one of its bits.
    std::uint64_t category = Filter::everything;
    /// What is seen: its category has one of these bits.
    std::uint64_t mask = Filter::everything;
    bool sensors = false;  ///< whether sensors are seen too
    BodyId except{};       ///< not seen: usually who asks
};

/// What a cast met first.
struct QueryHit {
    BodyId body{};                      ///< names nothing where there is no hit
    float fraction = CastHit::nothing;  ///< of the way, in [0, 1]
    Vec2 normal{};                      ///< unit vector out of the body
    Vec2 point{};                       ///< [m, world]
    ColliderId collider{};              ///< of the body

    /// True for a hit.
    constexpr explicit operator bool() const { return fraction <= 1.0f; }
};

/// The body nearest to a point.
struct NearestBody {
    BodyId body{};          ///< names nothing where there is none
    float distance = 0.0f;  ///< to its surface, negative inside [m]
    Vec2 normal{};          ///< unit vector out of the body, towards the point
    ColliderId collider{};  ///< of the body

    constexpr explicit operator bool() const { return body != BodyId{}; }
};

namespace detail {

[[nodiscard]] inline bool sees(const QueryFilter& filter, const Bodies& bodies, std::size_t slot) {
    const ColliderDef& collider = bodies.colliders[slot];
    return (filter.sensors || !collider.is_sensor) &&
           (filter.mask & collider.filter.category) != 0 &&
           (filter.category & collider.filter.mask) != 0 && bodies.owners[slot] != filter.except;
}

/// Nearer first; of two equally near, the one with the lower index.
[[nodiscard]] inline bool comes_before(const QueryHit& a, const QueryHit& b) {
    return a.fraction < b.fraction ||
           (a.fraction == b.fraction && a.collider.index < b.collider.index);
}

/// One cast through a world: of a shape, or of a ray, which is a circle of radius 0.
class CastSearch {
public:
    CastSearch(const WorldState& world, const Shape& moving, Vec2 way, const QueryFilter& filter)
        : world_(world),
          bodies_(world.bodies),
          moving_(moving),
          way_(way),
          cast_way_(cast_way(way)),
          grid_way_(world.broad_phase.way_of(moving, way)),
          filter_(filter),
          is_ray_(outer_half_extents(moving) == Vec2{}) {}

    /// What it meets first.
    [[nodiscard]] QueryHit first() {
        search();
        return first_;
    }

    /// All that it meets, from near to far. Of a terrain it may meet several faces, but one in each place.
    [[nodiscard]] Array<QueryHit> all() {
        Array<QueryHit> hits;
        all_ = &hits;
        search();
        shell_sort(hits, [](const QueryHit& a, const QueryHit& b) { return comes_before(a, b); });
        QueryHit last;
        last.fraction = -1.0f;
        hits.remove_if(
            [&](const QueryHit& hit) { return !comes_before(std::exchange(last, hit), hit); });
        return hits;
    }

private:
    void search() {
        world_.broad_phase.for_each_on_way(bodies_, grid_way_,
                                           [this](std::int32_t slot) { look_at(slot); });
    }

    void look_at(std::int32_t slot) {
        if (bodies_.is_plain(slot)) {
            meet_shape(slot);
        } else if (bodies_.is_tile_map(slot)) {
            look_at_map(slot);
        } else if (sees(filter_, bodies_, at(slot))) {
            meet_faces(slot);
            if (!is_ray_) return;
            meet_solids_at_start(slot);
            meet_ends(slot);
        }
    }
    void look_at_map(std::int32_t map) {
        if (is_ray_ && all_ == nullptr) return meet_first_tile(map);
        meet_faces(map);
        if (is_ray_) meet_tiles_at_start(map);
        if (is_ray_ || filter_.sensors) meet_whole_tiles(map);
    }

    void meet_shape(std::int32_t slot) {
        const Shape shape = bodies_.placed_shape(at(slot));
        if (grid_way_.meets(bounds(shape))) meet(shape, slot);
    }
    void meet_faces(std::int32_t terrain) {
        const float flush = mul(flush_slop, world_.config.length_unit);
        for_each_terrain_hit(bodies_, terrain, moving_, way_, flush, Seeker::Query,
                             grid_way_.limit(),
                             [this](const CastHit& hit, std::int32_t owner, const Face&) {
                                 if (!is_met_whole(owner)) tell(hit, owner);
                             });
    }
    void meet_solids_at_start(std::int32_t slot) {
        for_each_solid(bodies_, slot, bounds(moving_), [&](const auto& solid) {
            if (phys2d::overlaps(solid, moving_)) meet(solid, slot);
        });
    }
    /// Lines that a ray runs along are met where they begin on its way, which no face sees.
    void meet_ends(std::int32_t slot) {
        if (!bodies_.terrain(slot).is_line()) return;
        const float rounding = mul(1e-6f, length(way_));
        const AABB path = merge(bounds(moving_), translate(bounds(moving_), way_));
        for_each_placed_face(bodies_, slot, path, [&](const Face& face, std::int32_t) {
            const Vec2 into = face.length > 0.0f ? perpendicular(face.normal) : -face.normal;
            if (dot(way_, into) <= 0.0f || abs(cross(way_, into)) > rounding) return;
            const AABB end{face.start, face.start};
            const WayPart there = WayPart{}.inside(end, moving_.center, way_);
            if (!there.is_empty()) tell({there.begin, -normalized(way_), face.start}, slot);
        });
    }
    void meet_tiles_at_start(std::int32_t map) {
        for_each_tile(bodies_, map, bounds(moving_), [&](const Polygon& tile, std::int32_t kind) {
            if (contains(tile, moving_.center)) meet(tile, kind);
        });
    }
    /// Tiles that are only felt have no faces, and one-way tiles have that of their side, which is all that shapes meet.
    [[nodiscard]] bool is_met_whole(std::int32_t kind) const {
        if (!bodies_.is_tile_kind(kind)) return false;
        const ColliderDef& collider = bodies_.colliders[at(kind)];
        return collider.is_sensor || (is_ray_ && collider.one_way != OneWay::No);
    }
    void meet_whole_tiles(std::int32_t map) {
        for_each_part_of_way(bodies_, map, moving_, way_, [&](const AABB& box, float end) {
            for_each_tile(bodies_, map, box, [&](const Polygon& tile, std::int32_t kind) {
                if (is_met_whole(kind)) meet(tile, kind);
            });
            return grid_way_.limit() > end;
        });
    }
    /// From tile to tile up to the first that is seen.
    void meet_first_tile(std::int32_t map) {
        for_each_tile_on_ray(bodies_, map, moving_.center, way_, grid_way_.limit(),
                             [&](const Polygon& tile, std::int32_t kind) { meet(tile, kind); });
    }

    template <class Solid>
    [[nodiscard]] CastHit cast_at(const Solid& solid) const {
        return is_ray_ ? ray_cast(solid, moving_.center, way_) : shape_cast(moving_, way_, solid);
    }
    [[nodiscard]] CastHit cast_at(const Shape& shape) const {
        return is_ray_ ? detail::ray_cast(shape, moving_.center, cast_way_)
                       : detail::shape_cast(moving_, cast_way_, shape);
    }
    template <class Solid>
    void meet(const Solid& solid, std::int32_t slot) {
        if (const CastHit hit = cast_at(solid)) tell(hit, slot);
    }
    void tell(const CastHit& met, std::int32_t slot) {
        if (met.fraction > grid_way_.limit() || !sees(filter_, bodies_, at(slot))) return;
        const QueryHit hit{bodies_.owners[at(slot)], met.fraction, met.normal, met.point,
                           as_collider(bodies_.ids[at(slot)])};
        if (all_ != nullptr) return all_->push_back(hit);
        if (!comes_before(hit, first_)) return;
        first_ = hit;
        grid_way_.shorten(hit.fraction);
    }

    const WorldState& world_;
    const Bodies& bodies_;
    const Shape moving_;
    const Vec2 way_;
    const CastWay<1> cast_way_;
    GridWay grid_way_;  // as far as something nearer than what has been met may be
    const QueryFilter& filter_;
    const bool is_ray_;
    Array<QueryHit>* all_ = nullptr;  // where they go, if all are wanted
    QueryHit first_{};
};

/// Calls visit(BodyId) for each collider that overlaps or touches a shape.
template <class Visit>
void for_each_overlap(const WorldState& world, const Shape& shape, const QueryFilter& filter,
                      Visit visit) {
    const Bodies& bodies = world.bodies;
    world.broad_phase.for_each_in(bodies, bounds(shape), [&](std::int32_t slot) {
        const bool is_hit = sees(filter, bodies, at(slot)) && overlaps(bodies, slot, shape);
        if (is_hit) visit(bodies.owners[at(slot)]);
    });
}

/// The body nearest to a point among those in the box of `within` around it.
[[nodiscard]] inline NearestBody nearest_in_box(const WorldState& world, Vec2 point, float within,
                                                const QueryFilter& filter) {
    const Bodies& bodies = world.bodies;
    const Shape target = Circle{0.0f, point};
    NearestBody nearest;
    nearest.distance = within;
    const AABB box = aabb_around(point, {within, within});
    world.broad_phase.for_each_in(bodies, box, [&](std::int32_t slot) {
        if (!sees(filter, bodies, at(slot))) return;
        const ColliderId id = as_collider(bodies.ids[at(slot)]);
        const auto look_at = [&](const auto& solid) {
            const Manifold manifold = collide(solid, target);
            const float distance = -manifold.penetration;
            const bool ties =
                distance == nearest.distance && (!nearest || id.index < nearest.collider.index);
            if (distance < nearest.distance || ties) {
                nearest = {bodies.owners[at(slot)], distance, manifold.normal, id};
            }
        };
        if (bodies.is_plain(slot)) {
            look_at(bodies.placed_shape(at(slot)));
        } else {
            for_each_solid(bodies, slot, box, look_at);
        }
    });
    return nearest ? nearest : NearestBody{};
}

/// The same in the whole reach. Most have a neighbour that is far nearer, which smaller boxes find.
[[nodiscard]] inline NearestBody nearest(const WorldState& world, Vec2 point, float within,
                                         const QueryFilter& filter) {
    constexpr int doublings = 6;
    float reach = within / static_cast<float>(1 << doublings);
    for (int i = 0; i < doublings; ++i, reach *= 2.0f) {
        const NearestBody found = nearest_in_box(world, point, reach, filter);
        if (found) return found;
    }
    return nearest_in_box(world, point, within, filter);
}

}  // namespace detail
}  // namespace phys2d::inline PHYS2D_ABI

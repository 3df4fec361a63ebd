// SPDX-License-Identifier: MIT
// Hits: which contacts began fast in this step, where, and how hard?
//
// A hit is told once for each side of terrain that a body meets, however many faces that has.
#pragma once

#include <phys2d/stages/encounters.hpp>
#include <phys2d/stages/one_way_side.hpp>
#include <phys2d/stages/solver_config.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The translations of two bodies from the start of a step to where they meet.
struct WaysToMeet {
    Vec2 a, b;         ///< [m]
    float separation;  ///< remaining distance along the normal [m]
};

/// Parts of their undisturbed motion, or of their actual motion if the undisturbed one does not
/// bring them together, as when a third body pushes one of them.
[[nodiscard]] inline WaysToMeet ways_to_meet(const WorldState& world, std::int32_t a,
                                             std::int32_t b, LanePlace place) {
    const Bodies& bodies = world.bodies;
    const Vec2 normal = world.contacts.normal_at(place);
    const float separation = world.contacts.separation(place);
    if (separation <= 0.0f) return {{}, {}, separation};
    const float dt = world.config.time_step;
    Vec2 way_a = velocity_of(bodies.narrow[a]) * dt;
    Vec2 way_b = velocity_of(bodies.narrow[b]) * dt;
    if (dot(way_a - way_b, normal) < separation) {
        way_a = bodies.last_way(a);
        way_b = bodies.last_way(b);
    }
    const float approach = dot(way_a - way_b, normal);
    const float part = separation < approach ? separation / approach : 1.0f;
    return {way_a * part, way_b * part, separation - mul(approach, part)};
}

/// Where the surfaces of a contact met in this step [m, world], moved along with b if that does not
/// give way.
[[nodiscard]] inline Vec2 meeting_point(const WorldState& world, std::int32_t a, std::int32_t b,
                                        LanePlace place) {
    const auto [way_a, way_b, separation] = ways_to_meet(world, a, b, place);
    const Vec2 normal = world.contacts.normal_at(place);
    const Vec2 since = is_on_fixed(world, place) ? world.bodies.last_way(b) - way_b : Vec2{};
    const Shape shape_a = translate(shape_of(world.bodies.narrow[a]), way_a + since);
    const Shape shape_b = translate(shape_of(world.bodies.narrow[b]), way_b + since);
    if (world.contacts.has_face(place)) {
        const Face face = translate(world.contacts.face(place), shape_b.center);
        return touched_point(face, shape_a, -normal, height_above(face.start, -normal, shape_a));
    }
    return contact_point(shape_a, shape_b, normal, -separation);
}

/// The normal of a lane from the first body to the second, also if it left contact in this step.
[[nodiscard]] inline Vec2 normal_or_side(const Contacts& contacts, LanePlace place) {
    const Vec2 normal = contacts.normal_at(place);
    return normal != Vec2{} ? normal : -contacts.side(place);
}

/// Whether two faces of terrain may belong to one surface: their distance along a normal is no more
/// than a slight slope between them makes.
[[nodiscard]] inline bool may_be_level(const WorldState& world, LanePlace place, LanePlace other,
                                       Vec2 normal) {
    constexpr float steepest = 0.15f;
    const Vec2 between = world.contacts.face(other).start - world.contacts.face(place).start;
    const float along = abs(dot(between, perpendicular(normal)));
    return abs(dot(between, normal)) <= mul(steepest, along) + world.contact_margin();
}

/// Whether the face of a lane with this normal was beyond the margin as the step began.
[[nodiscard]] inline bool was_apart(const WorldState& world, LanePlace place, Vec2 normal) {
    const Shape shape = shape_of(world.bodies.narrow[world.contacts.first_slot(place)]);
    return height_above(face_at(world, place).start, -normal, shape) > world.contact_margin();
}

/// Whether a pair already touches the side of terrain to which a lane belongs: as the step began,
/// or in an earlier lane of this step.
[[nodiscard]] inline bool is_known_side(const WorldState& world, LanePlace place) {
    constexpr float much_alike = 0.9f;
    const Contacts& contacts = world.contacts;
    if (!contacts.has_face(place)) return has_lane(contacts.known, place);
    const Vec2 normal = contacts.normal_at(place);
    return world.broad_phase.any_lane_beside(contacts, place, [&](LanePlace other) {
        const bool has_face = contacts.feature(other) != 0;  // it may be gone
        const bool known = has_face && has_lane(contacts.known, other);
        const bool is_heir = has_lane(contacts.heirs, other);  // of another side
        const bool began = has_lane(contacts.touching, other) && !known && other < place;
        const Vec2 side = normal_or_side(contacts, other);
        const bool is_same = known && !is_heir && are_alike(side, normal) &&
                             may_be_level(world, place, other, normal) &&
                             !was_apart(world, other, side);
        return is_same || (began && dot(side, normal) > much_alike);
    });
}

/// The velocity of a collider at the start of the step, without the forces of the step: these are
/// no approach of resting bodies.
[[nodiscard]] inline Vec2 velocity_before(const WorldState& world, std::int32_t slot) {
    const Vec2 mean = velocity_of(world.bodies.narrow[slot]);
    if (slot >= world.solver.count) return mean;
    const simd::Record4& drive = world.solver.drive[slot];
    return mean - Vec2{drive.x, drive.y} * mean_gain(world.config);
}

/// The tile of a kind that was hit at a point of a side, with a normal into it: the one nearest to
/// a place slightly behind the side, on whose border or beyond whose end the point may be. All
/// relative to the map.
[[nodiscard]] inline TileCoord tile_hit_at(const Bodies& bodies, std::int32_t kind,
                                           const Face& side, Vec2 point, Vec2 normal) {
    constexpr float slightly = 0.01f;  // [tiles]
    const Vec2 along = perpendicular(side.normal);
    const float from_start =
        clamp(dot(point - side.start, along), min(side.begin, 0.0f), max(side.end, 0.0f));
    const float depth = mul(slightly, bodies.terrain(kind).map.tile_size);
    return nearest_tile(bodies, kind, side.start + along * from_start + normal * depth);
}

/// Reports a hit if a contact that has pushed began fast. To be called while the solver still has
/// the step's velocities.
inline void tell_hit(WorldState& world, LanePlace place) {
    const ContactBlock& block = world.contacts.blocks[place.block];
    const Bodies& bodies = world.bodies;
    const std::int32_t a = world.contacts.first_slot(place);
    const std::int32_t b = world.contacts.second_slot(place);
    const Vec2 normal = world.contacts.normal_at(place);
    const simd::Record4& end_a = world.solver.state[a];
    const simd::Record4& end_b = world.solver.state[simd::record_at(block.b[place.lane])];
    const float parting = max(dot({end_b.x - end_a.x, end_b.y - end_a.y}, normal), 0.0f);
    const float approach = dot(velocity_before(world, a) - velocity_before(world, b), normal);
    const float speed = max(approach, parting);
    if (speed <= world.scaled(world.config.hit_speed)) return;
    if (is_known_side(world, place)) return;

    const Vec2 point = meeting_point(world, a, b, place);
    TileCoord tile{};
    if (bodies.is_tile_kind(b)) {
        const Vec2 in_map = point - bodies.positions[b];
        tile = tile_hit_at(bodies, b, world.contacts.face(place), in_map, normal);
    }
    world.events.hits.push_back({.a = bodies.owners[a],
                                 .b = bodies.owners[b],
                                 .normal = untilted(normal),
                                 .point = point,
                                 .approach_speed = speed,
                                 .impulse = mul(speed + parting, bodies.reduced_mass(a, b)),
                                 .user_data_a = bodies.user_data[a],
                                 .user_data_b = bodies.user_data[b],
                                 .collider_a = bodies.ids[a],
                                 .collider_b = bodies.ids[b],
                                 .tile = tile});
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

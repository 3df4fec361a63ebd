// SPDX-License-Identifier: MIT
// Contact events: which pairs began to touch in this step, and which stopped touching?
//
// A pair begins to touch when its contact pushes or overlaps; it ends when it is further apart than
// the contact margin, so that resting contacts do not flicker.
#pragma once

#include <phys2d/stages/encounters.hpp>
#include <phys2d/stages/one_way_side.hpp>
#include <phys2d/stages/solver_config.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Owner and user data of a collider, also if it was destroyed since the last step.
inline ColliderName name_of(const WorldState& world, ColliderId id) {
    const std::int32_t slot = world.bodies.slots.slot_of(id);
    if (slot == SlotMap::no_slot) return world.events.gone.name(id);
    return {world.bodies.owners[slot], world.bodies.user_data[slot]};
}

[[nodiscard]] inline ContactEvent contact_event(const WorldState& world, ColliderId a, ColliderId b,
                                                Vec2 normal) {
    const auto [body_a, user_data_a] = name_of(world, a);
    const auto [body_b, user_data_b] = name_of(world, b);
    return {body_a, body_b, normal, user_data_a, user_data_b, a, b};
}

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

/// Calls visit(place) for each lane of the pair to which a lane belongs: with terrain one per face.
template <class Visit>
void for_each_lane_beside(const WorldState& world, LanePlace place, Visit visit) {
    world.broad_phase.for_each_lane_of(world.contacts.first_slot(place),
                                       world.contacts.second_slot(place), visit);
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
    bool any = false;
    for_each_lane_beside(world, place, [&](LanePlace other) {
        const bool has_face = contacts.feature(other) != 0;  // it may be gone
        const bool known = has_face && has_lane(contacts.known, other);
        const bool is_heir = has_lane(contacts.heirs, other);  // of another side
        const bool began = has_lane(contacts.touching, other) && !known && other < place;
        const Vec2 side = normal_or_side(contacts, other);
        const bool is_same = known && !is_heir && are_alike(side, normal) &&
                             may_be_level(world, place, other, normal) &&
                             !was_apart(world, other, side);
        any = any || is_same || (began && dot(side, normal) > much_alike);
    });
    return any;
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

/// Whether a changed lane is the first beginning or the last end of its pair, which lasts from its
/// first touching lane to its last.
[[nodiscard]] inline bool is_news(const WorldState& world, LanePlace place) {
    const Contacts& contacts = world.contacts;
    const bool now = has_lane(contacts.touching, place);
    if (now == has_lane(contacts.touching_before, place)) return false;
    if (!contacts.has_face(place)) return true;
    bool is_first = true;  // among the lanes with this change
    bool is_alone = true;
    for_each_lane_beside(world, place, [&](LanePlace other) {
        const bool touches = has_lane(contacts.touching, other);
        const bool touched = has_lane(contacts.touching_before, other);
        is_alone = is_alone && !(now ? touched : touches);
        if (other < place && touches == now && touched != now) is_first = false;
    });
    return is_first && is_alone;
}

/// Decides whether a contact that begins is reported, and will be when it ends.
inline void decide_telling(WorldState& world, LanePlace place) {
    const Array<ContactTraits>& traits = world.bodies.traits;
    const std::uint32_t marks = traits[world.contacts.first_slot(place)].marks |
                                traits[world.contacts.second_slot(place)].marks;
    set_lane(world.contacts.has_events, place, (marks & ContactTraits::silent) == 0);
}

/// A face that joins a pair already touching is reported like the pair: as decided when the pair
/// began.
inline void adopt_telling(WorldState& world, LanePlace place) {
    Contacts& contacts = world.contacts;
    bool is_told = has_lane(contacts.has_events, place);
    for_each_lane_beside(world, place, [&](LanePlace other) {
        if (has_lane(contacts.touching_before, other))
            is_told = has_lane(contacts.has_events, other);
    });
    set_lane(contacts.has_events, place, is_told);
}

/// Copies a column. The copy grows only when the column does, so that a world stops allocating once
/// it is warm.
inline void copy_column(const Array<std::uint8_t>& from, Array<std::uint8_t>& to) {
    to.reserve(from.capacity());
    to.assign(from.data(), from.size());
}

/// The lanes of a block that touch in a step, as bits: those that pushed or overlap, and those that
/// touched before and are within the margin.
template <int Width>
[[nodiscard]] unsigned touching_lanes(const Contacts& contacts, std::size_t index) {
    using Real = simd::Lanes<Width>;
    unsigned overlaps = 0;
    for (int lane = 0; lane < block_size; lane += Width) {
        const Real separation = Real::load(contacts.blocks[index].separation + lane);
        overlaps |= bits(separation <= Real::fill(0.0f)) << lane;
    }
    const unsigned touched = contacts.touching_before[index] & ~unsigned{contacts.from_afar[index]};
    return (contacts.pushed[index] | overlaps | touched) & contacts.lanes[index];
}

/// Finds the touching lanes; those of the previous step are in `touching_before`. Lanes that came
/// from beyond the margin, or that touch for another side, are hit again.
template <int Width>
void update_touching(Contacts& contacts) {
    const std::size_t count = contacts.touching.size();
    copy_column(contacts.touching, contacts.touching_before);
    copy_column(contacts.touching, contacts.known);
    contacts.touching.assign(count, 0);
    for (const std::int32_t index : contacts.active) {
        const std::size_t i = at(index);
        const unsigned touching = touching_lanes<Width>(contacts, i);
        const unsigned anew = touching & (contacts.from_afar[i] | contacts.heirs[i]);
        contacts.touching[i] = static_cast<std::uint8_t>(touching);
        contacts.known[i] = static_cast<std::uint8_t>(contacts.touching_before[i] & ~anew);
    }
}

/// Reports that a pair has begun or stopped touching.
inline void tell_contact(WorldState& world, LanePlace place) {
    const Contacts& contacts = world.contacts;
    const ColliderId a = world.bodies.ids[contacts.first_slot(place)];
    const ColliderId b = world.bodies.ids[contacts.second_slot(place)];
    if (!has_lane(contacts.touching, place)) {
        return world.events.ended.push_back(contact_event(world, a, b, {}));
    }
    world.events.began.push_back(contact_event(world, a, b, untilted(contacts.normal_at(place))));
}

/// Restarts the time to sleep of a body that has lost a contact: what held it may be gone, and it
/// may be slow only because it has just begun to move.
inline void restart_rest(Bodies& bodies, std::int32_t slot) {
    if (slot != SlotMap::no_slot) bodies.rests[slot].restart();
}
inline void restart_rests(WorldState& world, LanePlace place) {
    restart_rest(world.bodies, world.contacts.first_slot(place));
    restart_rest(world.bodies, world.contacts.second_slot(place));
}

/// Ends the contacts of what has been off since the previous step, also if it is on again: those
/// that go on begin anew.
inline void part_what_was_off(WorldState& world) {
    if (world.been_off.empty()) return;
    for_each_lane_in(world.contacts, world.contacts.touching, [&](LanePlace place) {
        const ColliderPair pair = world.broad_phase.ids_of(world.contacts, place);
        if (world.has_been_off(pair)) world.broad_phase.part(world.contacts, place);
    });
}

/// Ends the contacts of pairs that are not listed any more.
inline void tell_parted(WorldState& world) {
    Bodies& bodies = world.bodies;
    PartedPairs& parted = world.broad_phase.kept_contacts().parted;
    for (const PartedPair& ended : parted.all()) {
        const auto [a, b] = ended.pair;
        restart_rest(bodies, bodies.slots.slot_of(a));
        restart_rest(bodies, bodies.slots.slot_of(b));
        if (ended.has_events) world.events.ended.push_back(contact_event(world, a, b, {}));
    }
    parted.clear();
}

/// Reports the changes of a block. `changed`: its lanes that ended, began, or are hit again.
inline void tell_block(WorldState& world, std::int32_t i, unsigned changed) {
    const Contacts& contacts = world.contacts;
    const unsigned touching = contacts.touching[i];
    const unsigned touched = contacts.touching_before[i];
    for_each_bit(touched & ~touching, [&](int lane) { restart_rests(world, {i, lane}); });
    if (world.bodies.any_silent) {
        for_each_bit(touching & ~touched, [&](int lane) { decide_telling(world, {i, lane}); });
    }
    if (contacts.has_face({i, 0})) {
        for_each_bit(changed & touching, [&](int lane) { adopt_telling(world, {i, lane}); });
    }
    for_each_bit(changed & contacts.has_events[i], [&](int lane) {
        const LanePlace place{i, lane};
        if (is_news(world, place)) tell_contact(world, place);
        if (has_lane(contacts.pushed, place)) tell_hit(world, place);
    });
}

/// Reports the changes since the previous step.
template <int Width>
void tell_contacts(WorldState& world) {
    Contacts& contacts = world.contacts;
    part_what_was_off(world);
    tell_parted(world);
    update_touching<Width>(contacts);
    const auto differ = [](std::uint64_t now, std::uint64_t before) { return now ^ before; };
    for_each_block(contacts.touching, contacts.known, differ,
                   [&](std::int32_t i, unsigned changed) { tell_block(world, i, changed); });
    contacts.heirs.assign(contacts.touching.size(), 0);
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// Continuity: what happens to a body that leaves its predicted path within a step?
//
// Contacts come from the undisturbed paths of the bodies. A body that bounces, or is stopped early,
// may reach a collider outside that path. Such bodies are few: each is cast once more along the
// straight line of its actual motion, ignoring what its contacts already hold, and stopped at the
// first hit. It keeps its velocity. Bodies that might then run into it are checked in turn. Bodies
// driven by a kinematic body push what they meet instead of stopping.
#pragma once

#include <phys2d/world/special_pairs.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// A body that moves, and deviates from its path, by less than this fraction of its smaller half
/// extent cannot get past anything that it has not met.
inline constexpr float safe_part = 0.5f;

/// Limits of the checks in a step: `fewest_looks` in any case, and up to `most_looks_each` more for
/// each dynamic body.
inline constexpr std::size_t fewest_looks = 64;
inline constexpr std::size_t most_looks_each = 2;

/// Copies of column pointers, so that the compiler need not reload them after each store.
struct Courses {
    const simd::Record4* state;  ///< at the end of the step
    const Vec2* velocities;      ///< before it
    const simd::Record4* motions;
    const simd::Record4* forms;
    float dt;
    float surely_safe;  ///< no body is off course that moves less [m]
};

[[nodiscard]] inline Courses courses_of(const WorldState& world) {
    const Bodies& bodies = world.bodies;
    return {world.solver.state.data(),    bodies.velocities.data(),
            bodies.narrow.motions.data(), bodies.narrow.forms.data(),
            world.config.time_step,       mul(safe_part, bodies.smallest_half_extent)};
}

/// Which of W bodies from i on end far off their predicted path for their size.
template <int Width>
PHYS2D_INLINE unsigned are_off_course(const Courses& courses, std::size_t i) {
    using Real = simd::Lanes<Width>;
    const Real time = Real::fill(courses.dt);
    const auto [v_x, v_y, x, y] = simd::load_records<Width>(&courses.state[i]);
    const auto before = simd::load_pairs<Width>(&courses.velocities[i].x);
    const Real moved = max(abs(x), abs(y));
    const Real meant = max(abs(before.x), abs(before.y)) * time;
    const auto may_be_off = Real::fill(courses.surely_safe) < max(moved, meant);
    if (bits(may_be_off) == 0) return 0;
    const auto [c_x, c_y, mean_x, mean_y] = simd::load_records<Width>(&courses.motions[i]);
    const auto [half_x, half_y, radius, inverse_mass] =
        simd::load_records<Width>(&courses.forms[i]);
    const Real safe = (min(half_x, half_y) + radius) * Real::fill(safe_part);
    return bits(may_be_off & (safe < max(abs(x - mean_x * time), abs(y - mean_y * time))));
}

/// Lists the dynamic bodies that are off course, in the order of their slots.
template <int Width, class Team>
void find_off_course(WorldState& world, Team& team) {
    const std::int32_t count = world.bodies.ranges.dynamic_count;
    const Courses courses = courses_of(world);
    OffCourse& off_course = world.off_course;
    off_course.marks.make_room(count);
    off_course.slots.reserve(fewest_looks + most_looks_each * at(count));
    team.for_each_part(count, bodies_per_part, [&](std::int32_t begin, std::int32_t end) {
        off_course.marks.mark<Width>(
            begin, end, [&]<int W>(std::size_t i) { return are_off_course<W>(courses, i); });
    });
    off_course.marks.list(count, off_course.slots);
}

/// The displacement of a body in this step.
[[nodiscard]] inline Vec2 way_of(const WorldState& world, std::int32_t slot) {
    if (slot >= world.bodies.ranges.moving_count) return {};
    const simd::Record4& state = world.solver.state[slot];
    return {state.z, state.w};
}

/// A hit of a body's cast.
struct Meeting {
    CastHit hit;
    std::int32_t other;
    const Face* face;  ///< of terrain; else null
};

/// Whether a contact is with the thing that a body meets: with terrain or a welded box, a face in
/// the same direction, and with terrain also in the same plane. `out`: the normal of the contact
/// towards the body.
[[nodiscard]] inline bool is_contact_with(const WorldState& world, const Meeting& meeting,
                                          LanePlace place, Vec2 out) {
    const FaceBlock* faces = world.contacts.face_block(place.block);
    if (faces == nullptr) return true;
    if (!are_alike(out, meeting.hit.normal)) return false;
    if (meeting.face == nullptr) return true;
    const std::size_t terrain = world.contacts.pairs[place.block].b[place.lane];
    const Vec2 start = faces->face(place.lane).start + middle_of(world.bodies.narrow[terrain]);
    const float between = dot(start - meeting.face->start, meeting.hit.normal);
    return abs(between) <= mul(stop_slop, world.config.length_unit);
}

/// Whether a contact of this step has held a body against the thing that it meets, to within
/// `depth`. A body that comes in fast between two things may get through to either: then the
/// contact has not held it.
[[nodiscard]] inline bool is_met(const WorldState& world, std::int32_t slot, const Meeting& meeting,
                                 float depth) {
    const Contacts& contacts = world.contacts;
    const Vec2 passing = way_of(world, slot) - way_of(world, meeting.other);
    bool any = false;
    world.broad_phase.for_each_lane_of(slot, meeting.other, [&](LanePlace place) {
        const bool is_first = at(slot) == contacts.pairs[place.block].a[place.lane];
        const Vec2 out = is_first ? -contacts.normal_at(place) : contacts.normal_at(place);
        const float end = contacts.blocks[place.block].separation[place.lane] + dot(passing, out);
        any = any || (has_lane(contacts.lanes, place) && end >= -depth &&
                      is_contact_with(world, meeting, place, out));
    });
    return any;
}

/// Calls visit(meeting) for each hit of a shape that moves relative to a collider, up to `limit`.
template <class Visit>
void for_each_meeting(const WorldState& world, std::int32_t other, const Shape& shape, Vec2 way,
                      float flush, const float& limit, Visit visit) {
    const Bodies& bodies = world.bodies;
    if (bodies.has_shape(other)) {
        const CastHit hit = shape_cast(shape, way, bodies.placed_shape(at(other)));
        if (hit) visit(Meeting{hit, other, nullptr});
        return;
    }
    for_each_terrain_hit(bodies, other, shape, way, flush, Seeker::Body, limit,
                         [&](const CastHit& hit, std::int32_t owner, const Face& face) {
                             visit(Meeting{hit, owner, &face});
                         });
}

/// Whether a body and the thing that it meets hold each other, given where they were at the start
/// of the step.
[[nodiscard]] inline bool hold_each_other(const WorldState& world, std::size_t body,
                                          const Meeting& meeting) {
    const Bodies& bodies = world.bodies;
    const NarrowColumns& narrow = bodies.narrow;
    const Vec2 normal = meeting.hit.normal;
    const auto is_held = [&](std::size_t other, std::size_t collider, Vec2 out_of_it) {
        const Vec2 out = direction_of(bodies.colliders[collider].one_way);
        const float distance =
            meeting.face == nullptr
                ? distance_in_front(narrow[other], narrow[collider], out)
                : height_in_front(*meeting.face, out, normal, shape_of(narrow[body]));
        return holds(world, collider, other, out_of_it, distance);
    };
    const std::size_t met = at(meeting.other);
    return is_held(body, met, normal) && is_held(met, body, -normal);
}

/// Where a body meets something for which it has no contact: contacts have stopped it already.
struct Stop {
    float fraction = 1.0f;  ///< of the displacement
    std::int32_t by = SlotMap::no_slot;
    Vec2 normal{};  ///< out of the obstacle

    explicit operator bool() const { return by != SlotMap::no_slot; }
};

/// The box around a body at the start of this step, and where `way` takes it.
[[nodiscard]] inline AABB box_along(const Bodies& bodies, std::int32_t slot, Vec2 way) {
    const AABB box = box_of(bodies, slot);
    return merge(box, translate(box, way));
}

/// Makes the grid of the bodies that are off course: the other grids do not know where they are.
inline void build_off_course_grid(WorldState& world) {
    OffCourse& off_course = world.off_course;
    off_course.boxes.clear();
    off_course.boxes.reserve_twice(off_course.slots.size());
    for (const std::int32_t slot : off_course.slots) {
        off_course.boxes.push_back(box_along(world.bodies, slot, way_of(world, slot)));
    }
    off_course.grid.build(off_course.boxes);
}

inline void clear_off_course_grid(OffCourse& off_course) {
    off_course.boxes.clear();
    off_course.grid.build(off_course.boxes);
}

/// Calls visit(other) for each body whose box comes near that of a body on their ways in this step,
/// and for terrain near its path.
inline void for_each_near_way(const WorldState& world, std::int32_t slot,
                              FunctionRef<void(std::int32_t other)> visit) {
    const Bodies& bodies = world.bodies;
    const Vec2 way = way_of(world, slot);
    const AABB path = box_along(bodies, slot, way);
    const OffCourse& off_course = world.off_course;
    const auto visit_if_near = [&](std::int32_t other) {
        const AABB past = box_along(bodies, slot, way - way_of(world, other));
        if (overlaps(expand(past, world.contact_margin()), box_of(bodies, other))) visit(other);
    };
    world.broad_phase.for_each_body_in(bodies, path, [&](std::int32_t other) {
        if (!bodies.has_shape(other)) return visit(other);
        const bool is_dynamic = other < bodies.ranges.dynamic_count;
        if (!is_dynamic || !off_course.marks.contains(other)) visit_if_near(other);
    });
    off_course.grid.for_each_overlap(
        path, [&](std::int32_t place) { visit_if_near(off_course.slots[place]); });
}

/// The smaller half extent of a body.
[[nodiscard]] inline float thickness(const Bodies& bodies, std::int32_t slot) {
    const Vec2 outer = outer_half_extents(bodies.shapes[slot]);
    return min(outer.x, outer.y);
}

/// How far a body can move without getting past anything unnoticed.
[[nodiscard]] inline float safe_way(const Bodies& bodies, std::int32_t slot) {
    return mul(safe_part, thickness(bodies, slot));
}

/// Where a body is stopped. Calls runs_into(other) for each body that would run into it and must be
/// stopped itself.
template <class RunsInto>
[[nodiscard]] Stop find_stop(const WorldState& world, std::int32_t slot, const ContactReach& reach,
                             RunsInto runs_into) {
    const Bodies& bodies = world.bodies;
    const Vec2 way = way_of(world, slot);
    const Shape whole = bodies.placed_shape(at(slot));
    const Shape shape = shrunk(world, whole);
    const float slop = stop_slop_of(world, whole);
    const float depth = min(reach.deep, safe_way(bodies, slot));

    Stop stop;
    for_each_near_way(world, slot, [&](std::int32_t other) {
        const Vec2 relative = way - way_of(world, other);
        const auto look_at = [&](const Meeting& meeting) {
            const bool goes_in =
                meeting.hit.fraction > 0.0f || dot(relative, meeting.hit.normal) < -slop;
            const bool stops = meeting.hit.fraction < stop.fraction && goes_in &&
                               world.may_touch(slot, meeting.other) &&
                               !is_met(world, slot, meeting, depth) &&
                               hold_each_other(world, at(slot), meeting);
            if (!stops) return;
            const CastHit& hit = meeting.hit;
            const bool is_hit = other < bodies.ranges.dynamic_count && dot(way, hit.normal) >= 0.0f;
            if (is_hit) return runs_into(other);
            stop = {hit.fraction, meeting.other, hit.normal};
        };
        for_each_meeting(world, other, shape, relative, reach.flush_slop, stop.fraction, look_at);
    });
    return stop;
}

/// Sets the displacement of a body and its limbs in this step.
inline void set_way(WorldState& world, std::int32_t slot, Vec2 way) {
    world.bodies.for_each_of(world.bodies.owners[slot], [&](std::int32_t part) {
        simd::Record4& state = world.solver.state[part];
        state.z = way.x, state.w = way.y;
    });
}

/// Sets for a body and its limbs whether they are pushed.
inline void set_push(WorldState& world, std::int32_t slot, Push push) {
    world.bodies.for_each_of(world.bodies.owners[slot],
                             [&](std::int32_t part) { world.off_course.pushes[part] = push; });
}

[[nodiscard]] inline bool moves_far(const WorldState& world, std::int32_t slot) {
    const Vec2 moved = abs(way_of(world, slot));
    return max(moved.x, moved.y) > safe_way(world.bodies, slot);
}

/// Marks the kinematic bodies that move far in this step, and the bodies that they push, directly
/// or through others.
inline void find_driven(WorldState& world) {
    constexpr int longest_chain = 16;
    const SlotRanges& ranges = world.bodies.ranges;
    world.off_course.pushes.assign(at(ranges.moving_count), Push::Free);
    bool goes_on = false;
    for (std::int32_t slot = ranges.dynamic_count; slot < ranges.moving_count; ++slot) {
        if (!moves_far(world, slot)) continue;
        world.off_course.pushes[slot] = Push::Driven;
        goes_on = true;
    }
    const auto drives = [&](std::uint32_t driver, std::uint32_t body, Vec2 ahead) {
        const auto slot = static_cast<std::int32_t>(body);
        return world.off_course.pushes[driver] == Push::Driven && slot < ranges.dynamic_count &&
               world.off_course.pushes[body] == Push::Free &&
               dot(way_of(world, static_cast<std::int32_t>(driver)), ahead) >
                   safe_way(world.bodies, slot);
    };
    for (int i = 0; goes_on && i < longest_chain; ++i) {
        goes_on = false;
        for (const std::int32_t index : world.contacts.active) {
            const PairBlock& pairs = world.contacts.pairs[index];
            for_each_bit(world.contacts.pushed[index], [&](int lane) {
                const std::uint32_t a = pairs.a[lane];
                const std::uint32_t b = pairs.b[lane];
                if (b >= world.off_course.pushes.size()) return;
                const Vec2 normal = world.contacts.normal_at({index, lane});
                const bool is_a = drives(b, a, -normal);
                const bool is_b = drives(a, b, normal);
                if (is_a) set_push(world, static_cast<std::int32_t>(a), Push::Driven);
                if (is_b) set_push(world, static_cast<std::int32_t>(b), Push::Driven);
                goes_on = goes_on || is_a || is_b;
            });
        }
    }
}

/// Stops listed bodies one after the other; the list grows by the bodies that may run into a
/// stopped one.
class Stopper {
public:
    Stopper(WorldState& world, const ContactReach& reach)
        : world_(world), reach_(reach), most_(most_looks(world)) {}

    void stop_all() {
        Array<std::int32_t>& list = world_.off_course.slots;
        find_driven(world_);
        world_.off_course.is_listed.assign(at(world_.bodies.ranges.dynamic_count), false);
        for (const std::int32_t slot : list) world_.off_course.is_listed[slot] = true;
        for (std::size_t i = 0; i < list.size(); ++i) {
            const std::int32_t slot = list[i];
            world_.off_course.is_listed[slot] = false;
            const Stop stop = find_stop(world_, slot, reach_,
                                        [this](std::int32_t other) { look_again_at(other); });
            if (stop) stop_at(slot, stop);
        }
    }

private:
    /// The limit on checks; bodies that keep pushing each other are left as they are at the end.
    [[nodiscard]] static std::size_t most_looks(const WorldState& world) {
        constexpr std::size_t looks_each = 16;  // per body off course
        const std::size_t wanted = looks_each * world.off_course.slots.size();
        const std::size_t most = most_looks_each * at(world.bodies.ranges.dynamic_count);
        return fewest_looks + (wanted < most ? wanted : most);
    }

    /// A driven body pushes movable things ahead, unless they are blocked; others are halted.
    void stop_at(std::int32_t slot, const Stop& stop) {
        const bool can_yield = stop.by < world_.bodies.ranges.dynamic_count;
        if (can_yield && world_.off_course.pushes[slot] == Push::Driven &&
            world_.off_course.pushes[stop.by] != Push::Blocked) {
            push_ahead(slot, stop);
        } else {
            halt(slot, stop, can_yield);
        }
    }

    /// What the body would enter moves on as fast as the body.
    void push_ahead(std::int32_t slot, const Stop& stop) {
        const Vec2 way_of_other = way_of(world_, stop.by);
        const float faster = dot(way_of(world_, slot) - way_of_other, stop.normal);
        set_way(world_, stop.by, way_of_other + stop.normal * mul(1.0f - stop.fraction, faster));
        set_push(world_, stop.by, Push::Driven);
        look_again_at(stop.by);
    }

    /// Stops a body at the thing that it would enter; it moves on with that thing if this leads
    /// away or cannot be stopped.
    void halt(std::int32_t slot, const Stop& stop, bool can_yield) {
        const float along = mul(1.0f - stop.fraction, dot(way_of(world_, stop.by), stop.normal));
        const Push push = world_.off_course.pushes[slot];
        const bool is_pushed = !can_yield && along > 0.0f;
        if (is_pushed && push == Push::Blocked) return;
        if (is_pushed) set_push(world_, slot, Push::Driven);
        if (!is_pushed && push == Push::Driven) set_push(world_, slot, Push::Blocked);
        const bool follows = can_yield && along < 0.0f;
        const float with_other = can_yield && !follows ? 0.0f : along;
        const Vec2 way = way_of(world_, slot) * stop.fraction + stop.normal * with_other;
        if (follows) {  // it may enter something else
            give_way(slot, way);
            list(slot);
        } else {
            set_way(world_, slot, way);
        }
        look_again_around(slot);
    }

    /// Looks again at what may run into a body that was stopped, or into its limbs.
    void look_again_around(std::int32_t slot) {
        for_each_part(slot, [&](std::int32_t part) {
            for_each_near_way(world_, part, [&](std::int32_t other) {
                if (world_.bodies.owners[other] == world_.bodies.owners[slot]) return;
                if (other < world_.bodies.ranges.dynamic_count) {
                    look_again_at(other);
                } else if (other < world_.bodies.ranges.moving_count &&
                           world_.off_course.pushes[other] == Push::Driven) {
                    list(slot);
                }
            });
        });
    }

    /// Looks again at a body if it may get past something.
    void look_again_at(std::int32_t slot) {
        if (slot >= world_.bodies.ranges.dynamic_count) return;
        for_each_part(slot, [&](std::int32_t part) {
            if (moves_far(world_, part)) list_part(part);
        });
    }
    /// Gives a body a new way, which has to be looked at. If too many have been, it goes no further
    /// than it can without getting past the immovable things that are near.
    void give_way(std::int32_t slot, Vec2 way) {
        set_way(world_, slot, way);
        if (world_.off_course.is_listed[slot] || !is_full() || is_free(slot)) return;
        set_way(world_, slot, clamp_length(way, safe_way(world_.bodies, slot)));
    }
    /// Whether nothing immovable is near the way of a body.
    [[nodiscard]] bool is_free(std::int32_t slot) const {
        bool is_free = true;
        for_each_part(slot, [&](std::int32_t part) {
            for_each_near_way(world_, part, [&](std::int32_t other) {
                is_free = is_free && other < world_.bodies.ranges.dynamic_count;
            });
        });
        return is_free;
    }
    [[nodiscard]] bool is_full() const { return world_.off_course.slots.size() >= most_; }
    void list(std::int32_t slot) {
        for_each_part(slot, [this](std::int32_t part) { list_part(part); });
    }
    void list_part(std::int32_t slot) {
        if (world_.off_course.is_listed[slot] || is_full()) return;
        world_.off_course.is_listed[slot] = true;
        world_.off_course.slots.push_back(slot);
    }
    /// Calls visit(part) for the slots of a body and its limbs.
    template <class Visit>
    void for_each_part(std::int32_t slot, Visit visit) const {
        world_.bodies.for_each_of(world_.bodies.owners[slot], visit);
    }

    WorldState& world_;
    const ContactReach& reach_;
    const std::size_t most_;
};

/// Stops bodies that would enter something that they have no contact with. To be called after the
/// solver.
template <int Width, class Team>
void stop_off_course(WorldState& world, const ContactReach& reach, Team& team) {
    find_off_course<Width>(world, team);
    if (world.off_course.slots.empty()) return;
    build_off_course_grid(world);
    Stopper(world, reach).stop_all();
    clear_off_course_grid(world.off_course);
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

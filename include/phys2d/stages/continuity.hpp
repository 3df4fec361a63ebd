// SPDX-License-Identifier: MIT
// Continuity: what happens to a body that leaves its predicted path within a step?
//
// Contacts come from the undisturbed paths of the bodies. A body that bounces, or is stopped early,
// may reach a collider outside that path. Such bodies are few: each is cast once more along the
// straight line of its actual motion, ignoring what its contacts already hold, and stopped at the
// first hit. It keeps its velocity. Bodies that might then run into it are checked in turn. Bodies
// driven by a kinematic body push what they meet instead of stopping.
#pragma once

#include <phys2d/stages/stops.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Sets the displacement of a body and its limbs in this step. One that gets shorter by a factor
/// each time the body is halted becomes zero, as speeds do: see `quiet_speed`.
inline void set_way(WorldState& world, std::int32_t slot, Vec2 way) {
    const float quiet = mul(world.solver.quiet, world.config.time_step);
    const Vec2 rounded{way.x + quiet - quiet, way.y + quiet - quiet};
    world.bodies.for_each_of(slot, [&](std::int32_t part) {
        simd::Record4& state = world.solver.state[part];
        state.z = rounded.x, state.w = rounded.y;
    });
}

/// Sets for a body and its limbs whether they are pushed.
inline void set_push(WorldState& world, std::int32_t slot, Push push) {
    world.bodies.for_each_of(slot,
                             [&](std::int32_t part) { world.off_course.pushes[part] = push; });
}

/// Marks a body as driven if a driven one pushes it ahead, along a normal, and far for its size.
/// Returns whether it has become so.
inline bool mark_driven(WorldState& world, std::int32_t driver, std::int32_t body, Vec2 normal) {
    const Scratch<Push>& pushes = world.off_course.pushes;
    const bool may_be = world.bodies.ranges.is_dynamic(body) && pushes[driver] == Push::Driven &&
                        pushes[body] == Push::Free;
    if (!may_be) return false;
    const Vec2 ahead = way_of(world, driver) - vehicle_way_of(world, body);
    if (dot(ahead, normal) <= safe_way(world.bodies, body)) return false;
    set_push(world, body, Push::Driven);
    return true;
}

/// Marks the bodies that driven ones push; returns whether there are more than before.
inline bool mark_neighbours(WorldState& world) {
    const Contacts& contacts = world.contacts;
    bool any = false;
    for (const std::int32_t block : contacts.active) {
        for_each_bit(contacts.pushed[block], [&](int lane) {
            const LanePlace place{block, lane};
            const std::int32_t a = contacts.first_slot(place);
            const std::int32_t b = contacts.second_slot(place);
            if (!world.bodies.ranges.is_moving(b)) return;
            const Vec2 normal = contacts.normal_at(place);
            any = mark_driven(world, b, a, -normal) || any;
            any = mark_driven(world, a, b, normal) || any;
        });
    }
    return any;
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
    for (int i = 0; goes_on && i < longest_chain; ++i) goes_on = mark_neighbours(world);
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
        const std::size_t among_ranges = looks_among_ranges(world_);
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (i == among_ranges) place_all(world_);
            const std::int32_t slot = list[i];
            world_.off_course.is_listed[slot] = false;
            const Stop stop = find_stop(world_, slot, reach_,
                                        [this](std::int32_t other) { look_again_at(other); });
            if (stop) stop_at(slot, stop);
        }
    }

private:
    /// The number of looks from which on they have cost as much as the grid with which each costs
    /// less.
    [[nodiscard]] static std::size_t looks_among_ranges(const WorldState& world) {
        constexpr std::size_t bodies_per_look = 64;
        return 16 + at(world.bodies.ranges.moving_count) / bodies_per_look;
    }

    /// The limit on checks; bodies that keep pushing each other are left as they are at the end.
    [[nodiscard]] static std::size_t most_looks(const WorldState& world) {
        constexpr std::size_t looks_each = 16;  // per body off course
        const std::size_t wanted = looks_each * world.off_course.slots.size();
        const std::size_t most = most_looks_each * at(world.bodies.ranges.dynamic_count);
        return fewest_looks + smaller_of(wanted, most);
    }

    /// What is driven, or breaks through, pushes movable things ahead, unless they are blocked;
    /// other bodies are halted.
    void stop_at(std::int32_t slot, const Stop& stop) {
        if (!world_.bodies.ranges.is_dynamic(stop.by)) {
            halt_at_immovable(slot, stop);
        } else if (push_of(stop.by) != Push::Blocked &&
                   (push_of(slot) == Push::Driven || breaks_through(slot, stop.by))) {
            push_ahead(slot, stop);
        } else {
            halt_at_movable(slot, stop);
        }
    }

    /// Whether a body is so much heavier than another one, or shoved by one that is, that this does
    /// not keep it: halted by all that is light, it would stand still in a wall of boxes, however
    /// fast it is. Both must be looked at again, for what else is on their ways.
    [[nodiscard]] bool breaks_through(std::int32_t slot, std::int32_t other) const {
        constexpr float much = 50.0f;
        const auto& bodies = world_.bodies.dynamics;
        const bool is_heavy = mul(bodies[slot].inverse_mass, much) < bodies[other].inverse_mass;
        return (is_heavy || push_of(slot) == Push::Shoved) && can_list(slot, other);
    }
    [[nodiscard]] bool can_list(std::int32_t slot, std::int32_t other) const {
        std::size_t parts = 0;
        for (const std::int32_t body : {slot, other})
            world_.bodies.for_each_of(body, [&](std::int32_t) { ++parts; });
        return world_.off_course.slots.size() + parts <= most_;
    }

    /// What the body would enter moves on as fast as the body.
    void push_ahead(std::int32_t slot, const Stop& stop) {
        const Vec2 way_of_other = way_of(world_, stop.by);
        const float faster = dot(way_of(world_, slot) - way_of_other, stop.normal);
        set_way(world_, stop.by, way_of_other + stop.normal * mul(1.0f - stop.fraction, faster));
        if (push_of(slot) == Push::Driven) {
            set_push(world_, stop.by, Push::Driven);
            look_again_at(stop.by);
        } else {
            set_push(world_, stop.by, Push::Shoved);
            list(stop.by);
            list(slot);
        }
    }

    /// Stops a body at something immovable, with which it moves on, unless it is held between two.
    void halt_at_immovable(std::int32_t slot, const Stop& stop) {
        const Vec2 around = vehicle_way_of(world_, slot);
        const float along = left_along(stop, around);
        const bool is_pushed = along > 0.0f;
        if (is_pushed && push_of(slot) == Push::Blocked) return;
        const bool is_between = around != Vec2{} && way_of(world_, stop.by) != around;
        if (is_between || (!is_pushed && push_of(slot) != Push::Free)) {
            set_push(world_, slot, Push::Blocked);
        } else if (is_pushed) {
            set_push(world_, slot, Push::Driven);
        }
        end_way(slot, way_up_to(slot, stop, around) + stop.normal * along, around != Vec2{});
    }
    /// Stops a body at something movable, with which it moves on if that leads away.
    void halt_at_movable(std::int32_t slot, const Stop& stop) {
        const Vec2 around = vehicle_way_of(world_, slot);
        const float along = min(left_along(stop, around), 0.0f);
        if (push_of(slot) != Push::Free) set_push(world_, slot, Push::Blocked);
        end_way(slot, way_up_to(slot, stop, around) + stop.normal * along,
                along < 0.0f || around != Vec2{});
    }

    [[nodiscard]] Push push_of(std::int32_t slot) const { return world_.off_course.pushes[slot]; }

    /// How far what stops a body moves out of it in the rest of the step, relative to what is
    /// around the body.
    [[nodiscard]] float left_along(const Stop& stop, Vec2 around) const {
        return mul(1.0f - stop.fraction, dot(way_of(world_, stop.by) - around, stop.normal));
    }
    /// The way of a body that is stopped and moves on with what is around it.
    [[nodiscard]] Vec2 way_up_to(std::int32_t slot, const Stop& stop, Vec2 around) const {
        return around + (way_of(world_, slot) - around) * stop.fraction;
    }
    /// Gives a body that was stopped its way. One that has turned may enter something else.
    void end_way(std::int32_t slot, Vec2 way, bool has_turned) {
        const Vec2 before = way_of(world_, slot);
        if (has_turned) {
            give_way(slot, way);
        } else {
            set_way(world_, slot, way);
        }
        if (is_little(slot, way_of(world_, slot) - before)) return;
        if (has_turned) list(slot);
        look_again_around(slot);
    }
    /// Whether a change of a body's way is nothing beside the slop with which it is stopped. What
    /// moves on with its obstacle meets that again and again, to rounding.
    [[nodiscard]] bool is_little(std::int32_t slot, Vec2 change) const {
        constexpr float part_of_slop = 0.01f;
        const float slop = slop_of(world_, world_.bodies.shapes[slot], stop_slop);
        return length_sq(change) <= square(mul(part_of_slop, slop));
    }

    /// Calls visit(other) for what is near the ways of a body and its limbs in this step.
    void for_each_near(std::int32_t slot, FunctionRef<void(std::int32_t other)> visit) const {
        world_.bodies.for_each_of(
            slot, [&](std::int32_t part) { for_each_near_way(world_, part, visit); });
    }

    /// Looks again at what may run into a body that was stopped, or into its limbs.
    void look_again_around(std::int32_t slot) {
        for_each_near(slot, [&](std::int32_t other) {
            if (world_.bodies.owners[other] == world_.bodies.owners[slot]) return;
            if (world_.bodies.ranges.is_dynamic(other)) {
                look_again_at(other);
            } else if (world_.bodies.ranges.is_moving(other) && push_of(other) == Push::Driven) {
                list(slot);
            }
        });
    }

    /// Looks again at a dynamic body if it may get past something.
    void look_again_at(std::int32_t slot) {
        world_.bodies.for_each_of(slot, [&](std::int32_t part) {
            if (moves_far(world_, part)) list_part(part);
        });
    }
    /// Gives a body a new way, which has to be looked at. If too many have been, it goes no further
    /// than it can without getting past the immovable things that are near.
    void give_way(std::int32_t slot, Vec2 way) {
        set_way(world_, slot, way);
        if (world_.off_course.is_listed[slot] || !is_full() || is_free(slot)) return;
        const Vec2 around = vehicle_way_of(world_, slot);
        set_way(world_, slot, around + clamp_length(way - around, safe_way(world_.bodies, slot)));
    }
    /// Whether nothing immovable is near the way of a body.
    [[nodiscard]] bool is_free(std::int32_t slot) const {
        bool is_free = true;
        for_each_near(slot, [&](std::int32_t other) {
            is_free = is_free && world_.bodies.ranges.is_dynamic(other);
        });
        return is_free;
    }
    [[nodiscard]] bool is_full() const { return world_.off_course.slots.size() >= most_; }
    void list(std::int32_t slot) {
        world_.bodies.for_each_of(slot, [this](std::int32_t part) { list_part(part); });
    }
    void list_part(std::int32_t slot) {
        if (world_.off_course.is_listed[slot] || is_full()) return;
        world_.off_course.is_listed[slot] = true;
        world_.off_course.slots.push_back(slot);
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
    find_vehicles(world);
    place_on_ways(world, world.off_course.slots);
    Stopper(world, reach).stop_all();
    clear_grids(world.off_course);
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

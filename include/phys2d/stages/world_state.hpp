// SPDX-License-Identifier: MIT
// WorldState: the complete state of a World. Nothing in it points into itself, so it can be copied.
#pragma once

#include <phys2d/bodies/broad_phase.hpp>
#include <phys2d/core/error.hpp>
#include <phys2d/core/id_list.hpp>
#include <phys2d/core/index_set.hpp>
#include <phys2d/dynamics/islands.hpp>
#include <phys2d/dynamics/solver_bodies.hpp>
#include <phys2d/dynamics/timed_impulse.hpp>
#include <phys2d/stages/fixed_stepper.hpp>
#include <phys2d/stages/step_stats.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

struct BodyImpulse {
    BodyId body;
    TimedImpulse rest;
};

/// The position of a kinematic body at the end of the next step.
struct BodyTarget {
    BodyId body;
    Vec2 position{};
    Vec2 velocity{};
};

/// The sum of the changes of a body's velocity between two steps.
struct VelocityChange {
    BodyId body;
    Vec2 change{};
};

/// Who decides where a body goes in this step.
enum class Push : std::uint8_t {
    Free,
    Driven,   ///< a kinematic body that moves far, or what one pushes along
    Shoved,   ///< a much heavier body pushes it along
    Blocked,  ///< something that does not give way holds it, or two things do from both sides
};

/// The way of the vehicle in which a body is, once that has been found.
struct VehicleWay {
    Vec2 way{};  ///< [m]
    bool is_found = false;
};

/// Bodies that left their predicted paths in this step, and others that they may meet.
struct OffCourse {
    Scratch<std::int32_t> slots;          ///< to be looked at; those that left, then the others
    Marks marks;                          ///< those that left
    Scratch<std::int32_t> stopped_early;  ///< slots: have lost a contact, see shadows.hpp
    Scratch<std::int32_t> all;            ///< slots of all that move, once these are in the grid
    Scratch<AABB> boxes;                  ///< around the ways of those in the grid
    RowGrid grid;                         ///< of these boxes; empty between steps
    Scratch<bool> is_listed;              ///< per dynamic slot: whether it is still to be looked at
    Scratch<Push> pushes;                 ///< per moving slot
    Scratch<std::int32_t> vehicles;       ///< slots
    Scratch<AABB> vehicle_boxes;          ///< around their solid colliders
    RowGrid vehicle_grid;                 ///< of these boxes; empty between steps
    Scratch<VehicleWay> vehicle_ways;     ///< per dynamic slot, if there are vehicles

    void list_members(auto& archive) {
        archive(*this, slots, marks, stopped_early, all, boxes, grid, is_listed, pushes, vehicles,
                vehicle_boxes, vehicle_grid, vehicle_ways);
    }
};

/// A body that passes a change of velocity on to the bodies that stand on it.
struct Carrier {
    BodyId body;
    Vec2 before;  ///< its velocity before the change
    Vec2 change;
    float depth;  ///< of a rider in what it stands on [m]
};

/// In `WorldState::carrier_of`: of a body that is no rider.
inline constexpr std::int32_t no_carrier = -1;

/// A body that falls through a one-way collider.
struct Drop {
    BodyId body;
    std::int32_t platform = -1;  ///< slot
    Vec2 moved;                  ///< translation of the body since, relative to the platform [m]

    friend constexpr bool operator==(const Drop& a, const Drop& b) = default;
};

/// A contact that comes about in this step.
struct Encounter {
    float fraction;  ///< of the step, until then; more than 1 if it does not
    LanePlace place;

    friend constexpr auto operator<=>(const Encounter& a, const Encounter& b) = default;
};

/// A kinematic body presses another body.
struct Press {
    BodyId body;
    BodyId by;    ///< the kinematic one
    float depth;  ///< penetration at the end of the step [m]
    Vec2 normal;  ///< the direction in which it presses
    float way;    ///< of the kinematic body in this step, along the normal [m]
};

/// An immovable collider holds a body.
struct Hold {
    std::int32_t by;  ///< slot
    Vec2 normal;      ///< the direction in which it holds
    float depth;      ///< penetration at the end of the step [m]
};

struct WorldState {
    WorldConfig config{};
    Bodies bodies{};
    BroadPhase broad_phase{};
    Contacts contacts{};
    SolverBodies solver{};
    SleepingContacts sleeping_contacts{};
    Islands islands{};
    Scratch<bool> is_restless{};           ///< per dynamic slot
    Scratch<ColliderId> changing_sleep{};  ///< to wake or to send to sleep
    OffCourse off_course{};
    Scratch<BodyId> found{};  ///< bodies in the current region
    Array<BodyImpulse> impulses{};
    float most_impulse = 0.0f;  ///< bound of the components of these [N·s]
    IdList<BodyTarget> targets{};
    IdList<VelocityChange> velocity_changes{};  ///< of kinematic bodies
    Scratch<Carrier> carriers{};                ///< changed kinematic bodies, then their riders
    Scratch<std::int32_t> carrier_of{};         ///< per slot: its place in these, or no_carrier
    IgnoredPairs<BodyId> ignored{};
    IgnoredPairs<ColliderId> dropped_through{};
    Scratch<Drop> drops{};            ///< of these pairs, in the current step
    Scratch<Encounter> encounters{};  ///< from beside, see seams.hpp
    EventLog events{};
    Array<CrushEvent> crushed{};  ///< at the end of the step, in the order of body indices
    Scratch<CrushEvent> crushed_before{};
    Scratch<Press> presses{};      ///< that may crush, in the order of body indices
    Scratch<Hold> holds{};         ///< of the current body
    Array<BodyId> squeezed{};      ///< at the end of the step, see crushing.hpp
    IndexSet been_off{};           ///< indices of colliders switched off since the previous step
    Array<ColliderId> sensors{};   ///< all, and some stale entries
    Array<ColliderPair> visits{};  ///< {sensor, visitor}, sorted
    Scratch<ColliderPair> new_visits{};
    Scratch<ColliderId> visitors{};  ///< of the current sensor
    FixedStepper stepper{static_cast<double>(config.time_step), config.max_steps_per_advance};
    StepStats stats{};
    std::uint64_t step_count = 0;
    double time_scale = 1.0;
    bool is_paused = false;
    bool is_stepping = false;

    /// The slot of an existing body; any other id is an error that names it and the `call`.
    [[nodiscard]] std::int32_t slot_of(BodyId id, const char* call) const {
        const std::int32_t slot = bodies.slots.slot_of(id);
        require(slot != SlotMap::no_slot && !bodies.is_limb(slot),
                "%s: body %u of generation %u does not exist, expected the id of a living body",
                call, id.index, id.generation);
        return slot;
    }

    /// The same for a collider.
    [[nodiscard]] std::int32_t slot_of(ColliderId id, const char* call) const {
        const std::int32_t slot = bodies.slots.slot_of(id);
        require(
            slot != SlotMap::no_slot,
            "%s: collider %u of generation %u does not exist, expected the id of a living collider",
            call, id.index, id.generation);
        return slot;
    }

    /// Owner and user data of a collider, also if it was destroyed since the last step.
    [[nodiscard]] ColliderName name_of(ColliderId id) const {
        const std::int32_t slot = bodies.slots.slot_of(id);
        if (slot == SlotMap::no_slot) {
            const auto is_it = [&](const GoneCollider& gone) { return gone.id == id; };
            return events.gone.find(id.index, is_it)->name;
        }
        return {bodies.owners[slot], bodies.user_data[slot]};
    }

    /// Whether one of two colliders has been switched off since the previous step.
    [[nodiscard]] bool has_been_off(const ColliderPair& pair) const {
        return been_off.contains(pair.a.index) || been_off.contains(pair.b.index);
    }

    /// Whether contacts between the bodies of two slots are solved.
    [[nodiscard]] bool may_touch(std::int32_t a, std::int32_t b) const {
        return touch_rules().may_touch(bodies, a, b);
    }
    [[nodiscard]] TouchRules touch_rules() const {
        return {config.pair_filter, config.pair_filter_context, ignored, dropped_through};
    }

    /// A length [m] or a speed [m/s] of this world, from that at length unit 1.
    [[nodiscard]] float scaled(float at_unit_1) const { return mul(at_unit_1, config.length_unit); }
    /// Pairs closer than this become contacts [m].
    [[nodiscard]] float contact_margin() const { return scaled(config.contact_margin); }

    /// To be called before any change.
    void require_unlocked(const char* call) const {
        require(!is_stepping, "%s: the world is inside step(), expected a call between two steps",
                call);
    }

    /// See BroadPhase::note_static.
    void note_if_static(std::int32_t slot) {
        if (bodies.ranges.is_static(slot)) broad_phase.note_static(bodies, slot);
    }
    void forget_statics_if(BodyType type) {
        if (type == BodyType::Static) broad_phase.forget_statics();
    }

    void list_members(auto& archive) {
        archive(*this, config, bodies, broad_phase, contacts, solver, sleeping_contacts, islands,
                is_restless, changing_sleep, off_course, found, impulses, most_impulse, targets,
                velocity_changes, carriers, carrier_of, ignored, dropped_through, drops, encounters,
                events, crushed, crushed_before, presses, holds, squeezed, been_off, sensors,
                visits, new_visits, visitors, stepper, stats, step_count, time_scale, is_paused,
                is_stepping);
    }
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// WorldState: the complete state of a World. Nothing in it points into itself, so it can be copied.
#pragma once

#include <phys2d/core/id_list.hpp>
#include <phys2d/dynamics/islands.hpp>
#include <phys2d/dynamics/timed_impulse.hpp>
#include <phys2d/world/broad_phase.hpp>
#include <phys2d/world/checks.hpp>
#include <phys2d/world/fixed_stepper.hpp>
#include <phys2d/world/step_stats.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

struct BodyImpulse {
    BodyId body;
    TimedImpulse rest;
};

/// Where a kinematic body is to be at the end of the next step.
struct BodyTarget {
    BodyId body;
    Vec2 position{};
    Vec2 velocity{};
};

/// How much faster a body has become between two steps, in all.
struct VelocityChange {
    BodyId body;
    Vec2 change{};
};

/// Driven: a kinematic body pushes it along in this step. Blocked: and it cannot get out of the way.
enum class Push : std::uint8_t { Free, Driven, Blocked };

/// Who hands a change of velocity on to what stands on it.
struct Carrier {
    BodyId body;
    Vec2 before;  ///< its velocity
    Vec2 change;
};

struct WorldState {
    WorldConfig config{};
    Bodies bodies{};
    BroadPhase broad_phase{};
    Contacts contacts{};
    SolverBodies solver{};
    SleepingContacts sleeping_contacts{};
    Islands islands{};
    Scratch<std::uint8_t> is_restless{};  ///< per dynamic slot
    Scratch<BodyId> touched{};            ///< bodies to wake or to send to sleep
    Scratch<std::int32_t> off_course{};   ///< slots of bodies that bounced off their course
    Marks is_off_course{};                ///< the same, marked
    Scratch<Push> pushes{};               ///< per moving slot, where bodies are off their course
    Scratch<bool> is_listed{};            ///< per dynamic slot: whether it is to be stopped yet
    Scratch<std::int32_t> nearby{};       ///< slots of bodies near the one at hand
    Scratch<BodyId> found{};              ///< bodies in the region at hand
    Array<BodyImpulse> impulses{};
    IdList<BodyTarget> targets{};
    IdList<VelocityChange> velocity_changes{};  ///< of kinematic bodies
    Scratch<Carrier> carriers{};                ///< these in this step, then their riders
    Scratch<bool> is_carried{};                 ///< per slot: whether it is one of these riders
    IgnoredPairs ignored{};                     ///< bodies
    IgnoredPairs dropped_through{};             ///< ids of slots: colliders, until they are apart
    EventLog events{};
    Array<CrushEvent> crushed{};  ///< at the end of the step, by the indices of the bodies
    Scratch<CrushEvent> crushed_before{};
    Scratch<BodyPair> parted{};  ///< touched, and are not near each other any more
    Array<BodyId> sensors{};     ///< all, and some that were
    Array<BodyPair> visits{};    ///< {sensor, visitor}, sorted
    Scratch<BodyPair> visits_before{};
    Scratch<BodyId> visitors{};  ///< of the sensor at hand
    FixedStepper stepper{static_cast<double>(config.time_step), config.max_steps_per_advance};
    StepStats stats{};
    std::uint64_t step_count = 0;
    double time_scale = 1.0;
    bool is_paused = false;
    bool is_stepping = false;

    /// The slot of a living body; any other id is an error that names itself and the `call`.
    [[nodiscard]] std::int32_t slot_of(BodyId id, const char* call) const {
        const std::int32_t slot = bodies.slots.slot_of(id);
        require(slot != SlotMap::no_slot && !bodies.is_limb(slot),
                "%s: body %u of generation %u does not exist, expected the id of a living body",
                call, id.index, id.generation);
        return slot;
    }

    /// The same for a collider.
    [[nodiscard]] std::int32_t slot_of(ColliderId id, const char* call) const {
        const std::int32_t slot = bodies.slots.slot_of(as_body(id));
        require(
            slot != SlotMap::no_slot,
            "%s: collider %u of generation %u does not exist, expected the id of a living collider",
            call, id.index, id.generation);
        return slot;
    }

    /// Whether contacts between two bodies are solved, by slots.
    [[nodiscard]] bool may_touch(std::int32_t a, std::int32_t b) const {
        return touch_rules().may_touch(bodies, a, b);
    }
    [[nodiscard]] TouchRules touch_rules() const {
        return {config.pair_filter, config.pair_filter_context, &ignored, &dropped_through};
    }

    /// Pairs closer than this count as contacts [m].
    [[nodiscard]] float contact_margin() const {
        return mul(config.contact_margin, config.length_unit);
    }

    /// To be called before anything is changed.
    void require_unlocked(const char* call) const {
        require(!is_stepping, "%s: the world is inside step(), expected a call between two steps",
                call);
    }

    void forget_statics_if(BodyType type) {
        if (type == BodyType::Static) broad_phase.forget_statics();
    }
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

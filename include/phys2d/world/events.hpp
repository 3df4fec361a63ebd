// SPDX-License-Identifier: MIT
// Events: what has happened in the last step?
//
// They are told as spans, in an order that depends on nothing but the state of the world, and are there
// until the next step, whatever happens to the bodies: anything may be created, destroyed and changed while
// looping over them. What goes on between a beginning and its end is not told again and again: ask
// `World::for_each_contact` for all contacts, and `World::ids()` up to `moving_count()` for all that moves.
// Beginnings and ends are bookends: each pair that began to touch ends once, be it that
// the bodies part, or that one is destroyed, filtered out or made static. Falling asleep ends nothing.
#pragma once

#include <phys2d/core/array.hpp>
#include <phys2d/core/ids.hpp>
#include <phys2d/core/span.hpp>
#include <phys2d/math/vec2.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// Two colliders began or ceased to touch. One that is gone by now still has its user data here.
struct ContactEvent {
    BodyId a;
    BodyId b;
    Vec2 normal{};                  ///< from a to b, as they began; (0, 0) at the end
    std::uint64_t user_data_a = 0;  ///< of the collider: the body's for its first
    std::uint64_t user_data_b = 0;
    ColliderId collider_a;
    ColliderId collider_b;
};

/// Two colliders met at more than `WorldConfig::hit_speed`, or a collider another side of a terrain that it touches. What
/// touches already hits no more: what it bears is in `World::for_each_contact`.
struct HitEvent {
    BodyId a;
    BodyId b;
    Vec2 normal{};  ///< from a to b
    Vec2 point{};   ///< [m, world]
    /// Along the normal, as the step began, or at which they part if that is more: it came up in the step [m/s].
    float approach_speed = 0.0f;
    float impulse =
        0.0f;  ///< that turned the approach around, as if no other contact had helped [N·s]
    std::uint64_t user_data_a = 0;  ///< of the colliders
    std::uint64_t user_data_b = 0;
    ColliderId collider_a;
    ColliderId collider_b;
};

/// A body has no room any more between one that moves and another that it cannot push away, and is deep in both. What is
/// pressed through others in between is not told.
struct CrushEvent {
    BodyId body;
    BodyId by;                    ///< kinematic
    BodyId against;               ///< kinematic or static
    float depth = 0.0f;           ///< how much room is missing [m]
    std::uint64_t user_data = 0;  ///< of the body
};

/// A collider came into a sensor or left it.
struct SensorEvent {
    BodyId sensor;  ///< the body that it belongs to
    BodyId visitor;
    std::uint64_t sensor_user_data = 0;  ///< of the collider: the body's for its first
    std::uint64_t visitor_user_data = 0;
    ColliderId sensor_collider;
    ColliderId visitor_collider;
};

/// Of the last `step`, or of all steps of the last `advance`.
struct Events {
    Span<const ContactEvent> began;
    Span<const ContactEvent> ended;
    Span<const HitEvent> hits;
    Span<const CrushEvent> crushed;  ///< told once for as long as it lasts
    Span<const SensorEvent> sensor_began;
    Span<const SensorEvent> sensor_ended;
    Span<const BodyId> woke;  ///< since the step before; some may be gone
    Span<const BodyId> fell_asleep;
};

namespace detail {

struct BodyPair {
    BodyId a;
    BodyId b;
};

/// What events tell of a collider.
struct ColliderName {
    BodyId body;
    std::uint64_t user_data;
};

/// What was told of colliders that are gone, until their last events have been.
class Graves {
public:
    void bury(BodyId id, ColliderName name) {
        if (id.index >= newest_.size()) newest_.resize(2 * (id.index + 1u));
        std::int32_t& newest = newest_[id.index];  // 1 + place in all_, 0 for none
        all_.push_back({id, name, newest});
        newest = static_cast<std::int32_t>(all_.size());
    }

    /// Pre: the collider was buried since the last `clear`.
    [[nodiscard]] ColliderName name(BodyId id) const {
        std::int32_t place = newest_[id.index];
        while (all_[at(place - 1)].id != id) place = all_[at(place - 1)].before;
        return all_[at(place - 1)].name;
    }

    void clear() {
        for (const Grave& grave : all_) newest_[grave.id.index] = 0;
        all_.clear();
    }

private:
    struct Grave {
        BodyId id;
        ColliderName name;
        std::int32_t before;  // of the same index
    };
    Array<Grave> all_;
    Array<std::int32_t> newest_;
};

struct EventLog {
    Array<ContactEvent> began{};
    Array<ContactEvent> ended{};
    Array<HitEvent> hits{};
    Array<CrushEvent> crushed{};
    Array<SensorEvent> sensor_began{};
    Array<SensorEvent> sensor_ended{};
    Array<BodyId> woke{};
    Array<BodyId> fell_asleep{};

    Array<BodyId> woken{};  ///< to be told after the step at hand
    Graves graves{};

    void clear() {
        began.clear();
        ended.clear();
        hits.clear();
        crushed.clear();
        sensor_began.clear();
        sensor_ended.clear();
        woke.clear();
        fell_asleep.clear();
    }

    [[nodiscard]] Events told() const {
        return {began, ended, hits, crushed, sensor_began, sensor_ended, woke, fell_asleep};
    }
};

}  // namespace detail
}  // namespace phys2d::inline PHYS2D_ABI

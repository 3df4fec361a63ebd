// SPDX-License-Identifier: MIT
// Events: what happened during the last step?
//
// Events are spans, in a deterministic order, valid until the next step, or until the world is
// assigned to, whatever happens to the bodies: you may create, destroy and change anything while
// you iterate over them. Later events may name what you have destroyed, as when two bullets hit one
// enemy: `World::contains` tells. Only beginnings and ends are reported; for ongoing contacts use
// `World::for_each_contact`, and for the bodies that move `World::ids()` up to `moving_count()`.
// Every began event is followed by exactly one ended event, also if a body is destroyed, filtered
// out or made static. Falling asleep ends no contact.
#pragma once

#include <phys2d/core/array.hpp>
#include <phys2d/core/chained_list.hpp>
#include <phys2d/core/ids.hpp>
#include <phys2d/core/span.hpp>
#include <phys2d/math/vec2.hpp>
#include <phys2d/terrain/tile_coord.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// Two colliders began or stopped touching in the step: a contact that ends in it by the bodies'
/// motion is told with the next step. User data are kept even if a collider has been destroyed
/// since. Which of the two is a may differ between began and ended events, if one of them has slept
/// or changed its type or mass meanwhile.
struct ContactEvent {
    BodyId a;
    BodyId b;
    Vec2 normal{};                  ///< from a to b when they began; (0, 0) in ended events
    std::uint64_t user_data_a = 0;  ///< of collider a; of the body for its first collider
    std::uint64_t user_data_b = 0;
    ColliderId collider_a;
    ColliderId collider_b;

    /// The same with a and b exchanged if the body is b. If the body is one of the two, then it is
    /// the `a` of what is returned, and the normal points away from it.
    [[nodiscard]] constexpr ContactEvent seen_from(BodyId body) const {
        if (body != b) return *this;
        return {b, a, -normal, user_data_b, user_data_a, collider_b, collider_a};
    }
};

/// Two colliders met at more than `WorldConfig::hit_speed`, or a collider met another side of
/// terrain that it touches. Ongoing contacts produce no hits, unless the two were further apart
/// than the contact margin at the start of the step; `World::for_each_contact` gives their load.
/// What is created inside something, or touches it more slowly, begins a contact without a hit: a
/// bullet has reached what either list names.
struct HitEvent {
    BodyId a;
    BodyId b;
    Vec2 normal{};  ///< from a to b
    /// Where the surfaces met in the step [m, world]; if b is kinematic, moved along with it since.
    Vec2 point{};
    /// Closing speed along the normal at the start of the step; the speed of separation if that is
    /// higher, since it was reached during the step [m/s].
    float approach_speed = 0.0f;
    /// Impulse that stops the approach and adds the rebound of the restitution, were this the only
    /// contact [N·s]. A body that lands on two floors at once has a hit with each, both with all of
    /// it: of hits with one normal count the largest, not the sum.
    float impulse = 0.0f;
    std::uint64_t user_data_a = 0;  ///< of collider a
    std::uint64_t user_data_b = 0;
    ColliderId collider_a;
    ColliderId collider_b;
    /// The tile that was hit, if b is a tile map: of the kind that collider b is, the nearest to
    /// the point of those that have the side that was hit.
    TileCoord tile{};

    /// As `ContactEvent::seen_from`:
    ///
    ///   for (const HitEvent& event : world.events().hits) {
    ///       const HitEvent hit = event.seen_from(hero);
    ///       if (hit.a == hero) hurt(hit.b, hit.approach_speed);
    ///   }
    [[nodiscard]] constexpr HitEvent seen_from(BodyId body) const {
        if (body != b) return *this;
        return {b,           a,          -normal,    point, approach_speed, impulse, user_data_b,
                user_data_a, collider_b, collider_a, tile};
    }
};

/// A body is squeezed between a kinematic body and another that it cannot push away, and penetrates
/// both. Squeezing through intermediate bodies is not reported.
struct CrushEvent {
    BodyId body;
    BodyId by;                    ///< kinematic, or dynamic of infinite mass
    BodyId against;               ///< static, or as `by` and no faster
    float depth = 0.0f;           ///< sum of both penetrations, where they are deepest [m]
    std::uint64_t user_data = 0;  ///< of the body
};

/// A collider entered or left a sensor. Those of one step are not in the order in which something
/// fast met them: a bullet that pierces finds that with `World::for_each_on_cast`.
struct SensorEvent {
    BodyId sensor;  ///< the body of the sensor
    BodyId visitor;
    std::uint64_t sensor_user_data = 0;  ///< of the collider, as in ContactEvent
    std::uint64_t visitor_user_data = 0;
    ColliderId sensor_collider;
    ColliderId visitor_collider;
};

/// What happened during a step or all steps of an `advance`: see `World::events`. What ended and
/// began again is in both lists, which do not tell in which order: within one step it ended first;
/// over several, ask the world how it is now.
struct Events {
    Span<const ContactEvent> began;
    Span<const ContactEvent> ended;
    Span<const HitEvent> hits;
    Span<const CrushEvent> crushed;  ///< each reported once, until it ends
    Span<const SensorEvent> sensor_began;
    Span<const SensorEvent> sensor_ended;
    Span<const BodyId> woke;  ///< since the previous step; some may be destroyed
    Span<const BodyId> fell_asleep;
};

namespace detail {

struct ColliderPair {
    ColliderId a;
    ColliderId b;

    friend constexpr auto operator<=>(const ColliderPair& i, const ColliderPair& k) = default;
};

/// What events report of a collider.
struct ColliderName {
    BodyId body;
    std::uint64_t user_data;
};

/// A destroyed collider whose last events are still to be reported.
struct GoneCollider {
    ColliderId id;
    ColliderName name;
};

/// The events of one kind in a frame.
template <class Event>
class EventList : public Array<Event> {
public:
    void clear() {
        Array<Event>::clear();
        tell_all();
    }
    /// Tells no more of the steps so far.
    void tell_from_here() { first_told_ = this->size(); }
    void tell_all() { first_told_ = 0; }

    [[nodiscard]] Span<const Event> told() const {
        return {this->data() + first_told_, this->size() - first_told_};
    }

    void list_members(auto& archive) {
        archive(*this, static_cast<Array<Event>&>(*this), first_told_);
    }

private:
    std::size_t first_told_ = 0;
};

struct EventLog {
    EventList<ContactEvent> began{};
    EventList<ContactEvent> ended{};
    EventList<HitEvent> hits{};
    EventList<CrushEvent> crushed{};
    EventList<SensorEvent> sensor_began{};
    EventList<SensorEvent> sensor_ended{};
    EventList<BodyId> woke{};
    EventList<BodyId> fell_asleep{};

    Array<BodyId> woken_since_step{};  ///< to be reported after this step
    ChainedList<GoneCollider> gone{};

    void for_each_list(auto visit) {
        visit(began), visit(ended), visit(hits), visit(crushed);
        visit(sensor_began), visit(sensor_ended), visit(woke), visit(fell_asleep);
    }
    void clear() {
        for_each_list([](auto& list) { list.clear(); });
    }

    [[nodiscard]] Events told() const {
        return {began.told(),        ended.told(),        hits.told(), crushed.told(),
                sensor_began.told(), sensor_ended.told(), woke.told(), fell_asleep.told()};
    }

    void list_members(auto& archive) {
        archive(*this, began, ended, hits, crushed, sensor_began, sensor_ended, woke, fell_asleep,
                woken_since_step, gone);
    }
};

/// Has the events of all steps of a frame told once it has ended, however it ends; until then those
/// since the last call of `tell_from_here`.
class FrameOfEvents {
public:
    explicit FrameOfEvents(EventLog& log) : log_(log) {}
    FrameOfEvents(const FrameOfEvents&) = delete;
    FrameOfEvents& operator=(const FrameOfEvents&) = delete;
    ~FrameOfEvents() {
        log_.for_each_list([](auto& list) { list.tell_all(); });
    }
    void tell_from_here() {
        log_.for_each_list([](auto& list) { list.tell_from_here(); });
    }

private:
    EventLog& log_;
};

}  // namespace detail
}  // namespace phys2d::inline PHYS2D_ABI

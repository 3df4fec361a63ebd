// SPDX-License-Identifier: MIT
// WorldConfig and BodyDef: what a World and a body are made from. Every default works.
#pragma once

#include <cstdint>
#include <limits>

#include <phys2d/collision/filter.hpp>
#include <phys2d/collision/one_way.hpp>
#include <phys2d/core/ids.hpp>
#include <phys2d/dynamics/material.hpp>
#include <phys2d/math/vec2.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// Whether two bodies whose filters agree may collide. Both are alive. Asked when they come near each other
/// and now and then while they stay there, in the middle of a step: it can read bodies and contacts, but changes and
/// queries are errors.
using PairFilter = bool (*)(void* context, BodyId a, BodyId b);

/// How a World behaves. Fixed for its lifetime, but for gravity.
struct WorldConfig {
    /// Acceleration of every dynamic body, times its gravity scale [m/s²].
    Vec2 gravity{0.0f, -9.81f};
    /// Length of a step [s]. Shorter is stiffer and costs more.
    float time_step = 1.0f / 60.0f;
    /// Sub-steps a step: more make tall stacks and heavy-on-light stiffer, at a proportional cost.
    int substeps = 4;
    /// How many units of yours an object of about a metre is long: 100 for "100 px = 1 m".
    /// Scales every tolerance with a length in it; gravity is given in your units.
    float length_unit = 1.0f;

    /// Stiffness of contacts [1/s]. Higher: less sinking under load; beyond a quarter of the sub-step
    /// rate it has no effect, and near it tall stacks begin to breathe.
    float contact_hertz = 45.0f;
    /// Damping of contacts, 1 being critical. Higher: tall piles stop breathing sooner, penetration is
    /// worked off more slowly.
    float contact_damping_ratio = 12.0f;
    /// Fastest push-out of deep overlaps [m/s at length unit 1]; it leaves no velocity behind. Lower:
    /// what is spawned inside each other comes apart more gently.
    float contact_push_speed = 3.0f;
    /// Impacts slower than this, and than what both bodies gain in a tenth of a second, do not bounce [m/s at length unit
    /// 1]. Lower: bouncing takes longer to come to rest. Without gravity and forces everything bounces.
    float restitution_threshold = 1.0f;
    /// Pairs closer than this count as contacts [m at length unit 1], with the normal that they have as a step begins:
    /// small for what is small and fast, or balls of a few centimetres part up to 15 degrees off.
    float contact_margin = 0.02f;

    /// Bodies that have been slow for so long fall asleep, with all that they touch [s]: they cost nothing
    /// until something wakes them. 0: nothing ever sleeps. Shorter: more sleeps, and may stop what has
    /// only paused.
    float time_to_sleep = 0.0f;
    /// What counts as slow [m/s at length unit 1].
    float sleep_speed = 0.05f;

    /// Meetings faster than this are told as hits [m/s at length unit 1].
    float hit_speed = 1.0f;
    /// Has the last word on which bodies collide; null: all whose filters agree. `World::filter_again` has it
    /// asked anew.
    PairFilter pair_filter = nullptr;
    void* pair_filter_context = nullptr;  ///< handed to it

    /// Most steps that one `advance` takes; time owed beyond is dropped.
    int max_steps_per_advance = 8;

    /// How two materials make a contact's coefficients. Called while the world steps, so they must
    /// not call back into it. Pre: finite, not negative results.
    MixFunction mix_friction = phys2d::mix_friction;
    MixFunction mix_restitution = phys2d::mix_restitution;
};

enum class BodyType : std::uint8_t {
    Static,     ///< never moves; costs nothing while it is not touched
    Kinematic,  ///< moves with its velocity and is stopped by nothing
    Dynamic,    ///< moves by forces, impulses and contacts
};

/// Mass follows from density times area.
inline constexpr float mass_from_density = std::numeric_limits<float>::lowest();

/// What a body is made from.
struct BodyDef {
    BodyType type = BodyType::Dynamic;
    Vec2 position{};  ///< [m]
    Vec2 velocity{};  ///< [m/s]
    /// [kg]; 0 is infinite: the body moves with its velocity and nothing changes that.
    float mass = mass_from_density;
    float gravity_scale = 1.0f;
    float linear_damping = 0.0f;  ///< [1/s]; velocity is divided by 1 + damping·dt; >= 0
    std::uint64_t user_data = 0;  ///< yours: an index, an entity, a pointer
};

/// How a body's shape takes part, beside its material.
struct ColliderDef {
    Filter filter{};
    /// Touches nothing, and tells of all that it overlaps, walls too, unless a mask says what it is for: see
    /// `Events::sensor_began`. Ways are taken as straight: what bounces off inside a step may be missed. Filters apply to it, but neither
    /// `WorldConfig::pair_filter` nor `World::ignore`.
    bool is_sensor = false;
    /// Whether `Events` name it; a sensor that they do not name knows no visitors. Contacts are told if both colliders
    /// want it when they begin to touch, and then to their end.
    bool has_events = true;
    /// Which side holds. See `BodyRef::drop_through`.
    OneWay one_way = OneWay::No;
};

}  // namespace phys2d::inline PHYS2D_ABI

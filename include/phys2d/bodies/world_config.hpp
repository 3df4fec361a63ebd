// SPDX-License-Identifier: MIT
// WorldConfig, BodyDef and ColliderDef: what a World, a body and a collider are made from. Every
// default works.
#pragma once

#include <cstdint>
#include <limits>

#include <phys2d/collision/filter.hpp>
#include <phys2d/collision/one_way.hpp>
#include <phys2d/core/ids.hpp>
#include <phys2d/dynamics/material.hpp>
#include <phys2d/math/vec2.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// Has the final say on whether two bodies whose filters agree collide. Must be symmetric and give
/// the same answer until `World::filter_again`. Called during a step, from one thread, when the two
/// come near each other and occasionally later. It may read bodies and contacts; changes and
/// queries are errors. For what depends on the side, see `OneWay`; on the moment,
/// `World::ignore`.
using PairFilter = bool (*)(void* context, BodyId a, BodyId b);

/// How a World behaves. Fixed for its lifetime, except for gravity. All numbers are finite;
/// `length_unit`, `contact_hertz` and `contact_damping_ratio` from 1e-30 to 1e30, `time_step` from
/// 1e-30 to 1e9, counts at least 1, everything but gravity at least 0.
struct WorldConfig {
    static constexpr int most_substeps = 1'000;

    /// Acceleration of dynamic bodies, multiplied by their gravity_scale [m/s²].
    Vec2 gravity{0.0f, -9.81f};
    /// Length of a step [s]. Shorter: stiffer contacts, higher cost.
    float time_step = 1.0f / 60.0f;
    /// Sub-steps per step, 1 to `most_substeps`. More: stiffer tall stacks and heavy bodies on
    /// light ones, at a proportional cost.
    int substeps = 4;
    /// Length of one metre in your units: 100 for "100 px = 1 m". Multiplies every tolerance that
    /// is given "at length unit 1". All else is in your units: gravity, whose default is in metres,
    /// positions, sizes, and density, of which a box of 100 by 100 px and density 1 has 10,000 kg.
    float length_unit = 1.0f;

    /// Stiffness of contacts at up to 256 sub-steps per second [1/s]; above, it rises in proportion
    /// to their rate. Higher: less sinking under load, which grows with gravity / length_unit.
    /// Limited to 0.185 of the sub-step rate, beyond which some stacks never come to rest; to 0.25
    /// with one sub-step, which solves contacts twice.
    float contact_hertz = 44.0f;
    /// Damping of contacts; 1 is critical. Higher: towers stop swinging sooner, penetration is
    /// removed more slowly, and from 10 on some pyramids never come to rest.
    float contact_damping_ratio = 9.0f;
    /// Highest speed at which two bodies that overlap deeply are pushed apart [m/s at length unit
    /// 1]. Two stop once they are apart. In a cluster pushes add up, and what is outside drifts on:
    /// of 10 bodies at rest at one point at up to 2 m/s, of 50 at 10, but at 1.4 and 2.8 if spread
    /// over half their size. Lower: what is spawned inside each other separates more gently.
    /// What is spawned at rest at one point, one after the other, is pushed into a line, and the
    /// ends of that through walls: spawn each aside at random, by up to a tenth of its size.
    float contact_push_speed = 3.0f;
    /// An impact slower than this does not bounce if it is also slower than the speed that the
    /// faster accelerating of the two bodies gains in 0.1 s [m/s at length unit 1]. Lower: bodies
    /// take longer to come to rest; higher than the latter: no effect. Without gravity and forces
    /// everything bounces.
    float restitution_threshold = 1.0f;
    /// Pairs closer than this become contacts, with their normal at the start of the step [m at
    /// length unit 1]; balls that move further in it than a sixteenth of their radii, with their
    /// normal at impact.
    float contact_margin = 0.02f;

    /// Bodies nearer than `contact_margin` to each other that all stay slower than `sleep_speed`
    /// for this long fall asleep together [s]. Sleeping bodies cost nothing until something wakes
    /// them. 0: nothing sleeps. Shorter: bodies that only pause may fall asleep.
    float time_to_sleep = 0.0f;
    /// See `time_to_sleep` [m/s at length unit 1].
    float sleep_speed = 0.05f;

    /// Contacts that begin faster than this are reported as hits [m/s at length unit 1].
    float hit_speed = 1.0f;
    /// Decides last whether two bodies collide, see PairFilter; null: the filters decide.
    PairFilter pair_filter = nullptr;
    void* pair_filter_context = nullptr;  ///< first argument of pair_filter

    /// Most steps that one `advance` takes; time beyond that is dropped, so that the game slows
    /// down instead of stalling. The default is for 60 Hz: with time steps below 2 ms, frames of
    /// 1/60 s need more.
    int max_steps_per_advance = 8;

    /// Combine two materials' coefficients. Must be pure and symmetric: results are cached, and the
    /// order of the two is unspecified. Called during a step, from one thread; must not call into
    /// the world. A result that is negative or not finite is an error of that step; a restitution
    /// above 1, as of bumpers, adds speed.
    MixFunction mix_friction = phys2d::mix_friction;
    MixFunction mix_restitution = phys2d::mix_restitution;
};

enum class BodyType : std::uint8_t {
    Static,     ///< never moves; costs nothing while nothing touches it and none is edited
    Kinematic,  ///< moves with its velocity; nothing stops it, and it touches dynamic bodies alone
    Dynamic,    ///< moves by forces, impulses and contacts
};

/// The mass follows from density times area.
inline constexpr float mass_from_density = std::numeric_limits<float>::lowest();

/// What a body is made from.
struct BodyDef {
    BodyType type = BodyType::Dynamic;
    Vec2 position{};  ///< [m]
    Vec2 velocity{};  ///< [m/s]
    /// [kg]; 0 is infinite: gravity, forces, impulses and contacts do not change its velocity, and
    /// it touches bodies of finite mass alone. Walls do not stop it.
    float mass = mass_from_density;
    /// Multiplies gravity; any finite number that leaves it at most 1e30 m/s² along each axis.
    float gravity_scale = 1.0f;
    /// Each sub-step of dt divides the velocity by 1 + damping·dt [1/s]; >= 0.
    float linear_damping = 0.0f;
    /// Whether it may fall asleep; one that may not keeps awake whatever dynamic body it touches.
    bool can_sleep = true;
    std::uint64_t user_data = 0;  ///< yours: an index, an entity, a pointer as std::uintptr_t
};

/// Everything of a collider except its shape, material and user data.
struct ColliderDef {
    Filter filter{};
    /// A sensor: no contacts, but reports every collider that it overlaps and whose filter agrees
    /// (walls too), see `Events::sensor_began`. Paths within a step are taken as straight: a
    /// collider that bounces inside the step may be missed. `pair_filter` and `World::ignore` do
    /// not apply. A sensor that is terrain itself does not see terrain: a zone that is to report
    /// moving maps is a box.
    bool is_sensor = false;
    /// Of a sensor, else ignored: whether it reports other sensors, too, as a hit box reports hurt
    /// boxes. Two that both do report each other.
    bool sees_sensors = false;
    /// Whether Events report it. A contact is reported from its beginning to its end if both
    /// colliders had this set when it began. A sensor without events has no visitors, and what has
    /// none visits no sensor: to make a hurt box invulnerable, switch it off for a while.
    bool has_events = true;
    /// The side that blocks; bodies from any other side pass through. See OneWay and
    /// `BodyRef::drop_through`. Means nothing for a sensor. A dynamic body that is to be jumped
    /// through needs another collider to stand on: one with `Up` alone falls through every floor.
    OneWay one_way = OneWay::No;
};

}  // namespace phys2d::inline PHYS2D_ABI

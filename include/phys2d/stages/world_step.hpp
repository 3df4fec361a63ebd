// SPDX-License-Identifier: MIT
// The step: what happens to a world in one time step, stage by stage.
// `step`, at the end, is the table of contents; the stages stand above it, in order.
#pragma once

#include <phys2d/core/crew.hpp>
#include <phys2d/dynamics/bounces.hpp>
#include <phys2d/dynamics/narrow_phase.hpp>
#include <phys2d/stages/apart.hpp>
#include <phys2d/stages/carrying.hpp>
#include <phys2d/stages/contact_events.hpp>
#include <phys2d/stages/continuity.hpp>
#include <phys2d/stages/crushing.hpp>
#include <phys2d/stages/dropping.hpp>
#include <phys2d/stages/limbs.hpp>
#include <phys2d/stages/load_solver.hpp>
#include <phys2d/stages/seams.hpp>
#include <phys2d/stages/sensors.hpp>
#include <phys2d/stages/shadows.hpp>
#include <phys2d/stages/sleep.hpp>
#include <phys2d/stages/solver_config.hpp>
#include <phys2d/stages/special_pairs.hpp>
#include <phys2d/stages/take_results.hpp>
#include <phys2d/stages/waking.hpp>
#include <phys2d/stages/world_state.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Locks the world while it exists, also when a callback throws.
class StepLock {
public:
    explicit StepLock(WorldState& world) : world_(world) { world_.is_stepping = true; }
    ~StepLock() { world_.is_stepping = false; }
    StepLock(const StepLock&) = delete;
    StepLock& operator=(const StepLock&) = delete;

private:
    WorldState& world_;
};

/// Margin around the path of a body in which its pairs stay complete, but for small bodies [m at
/// length unit 1]. More: fewer rebuilds of the pairs, and more pairs.
inline constexpr float range_margin = 0.08f;

/// Adds this step's share of every timed impulse to the bodies' drive; `finish` takes the shares
/// off.
inline void add_timed_impulses(WorldState& world) {
    const WorldConfig& config = world.config;
    Bodies& bodies = world.bodies;
    for (const BodyImpulse& impulse : world.impulses) {
        const std::int32_t slot = bodies.slots.slot_of(impulse.body);
        if (slot == SlotMap::no_slot || !bodies.ranges.is_dynamic(slot)) continue;
        TimedImpulse rest = impulse.rest;
        simd::Record4& drive = world.solver.drive[slot];
        const Vec2 gained = rest.take(config.time_step) * bodies.dynamics[slot].inverse_mass /
                            static_cast<float>(config.substeps) * drive.z;
        drive.x += gained.x;
        drive.y += gained.y;
        simd::Record4& motion = bodies.narrow.motions[slot];
        motion.z += mul(gained.x, mean_gain(config));
        motion.w += mul(gained.y, mean_gain(config));
    }
}

/// Takes the step's share off every timed impulse; removes those that are spent or whose body is
/// destroyed.
inline void spend_timed_impulses(WorldState& world) {
    world.impulses.remove_if([&](BodyImpulse& impulse) {
        (void)impulse.rest.take(world.config.time_step);
        return impulse.rest.is_spent() || !world.bodies.slots.contains(impulse.body);
    });
    if (world.impulses.empty()) world.most_impulse = 0.0f;
}

/// Puts kinematic bodies with a `move_to` at their targets, at rest; those that are switched off
/// come to rest where they are.
inline void arrive(WorldState& world) {
    Bodies& bodies = world.bodies;
    for (const BodyTarget& target : world.targets) {
        const std::int32_t slot = bodies.slots.slot_of(target.body);
        if (slot == SlotMap::no_slot || bodies.types[slot] != BodyType::Kinematic) continue;
        if (bodies.velocities[slot] != target.velocity)
            continue;  // users may have written to the column
        const bool is_on = bodies.is_enabled(slot);
        if (is_on) world.velocity_changes.of(target.body).change -= target.velocity;
        bodies.for_each_of(target.body, [&](std::int32_t part) {
            if (is_on) bodies.positions[part] = target.position;
            bodies.velocities[part] = {};
        });
    }
    world.targets.clear();
}

/// Loads the solver and the narrow phase. Positions and velocities of bodies stay as they are until
/// `finish`, since a mix function or a filter may throw when pairs are found.
template <int Width, class Team>
void apply_forces(WorldState& world, Team& team) {
    const std::int32_t count = world.bodies.ranges.moving_count;
    hand_on_velocities(world.bodies);
    world.solver.make_room(count);
    world.solver.quiet = world.scaled(quiet_speed);
    load_solver<Width>(world.bodies, world.config, world.solver, team);
    add_timed_impulses(world);
    hand_on_drive(world);
}

/// Returns whether all pairs were found again.
template <int Width, class Team>
bool find_pairs(WorldState& world, Team& team) {
    const WorldConfig& config = world.config;
    const float for_contacts = mul(0.5f, world.contact_margin());
    const float margin = world.scaled(range_margin) + for_contacts;
    const PairRules rules{.dt = config.time_step,
                          .substeps = config.substeps,
                          .drive = world.solver.drive.data(),
                          .margin = margin,
                          .mix_friction = config.mix_friction,
                          .mix_restitution = config.mix_restitution,
                          .length_unit = config.length_unit,
                          .touch = world.touch_rules(),
                          .least_margin = for_contacts};
    const bool all = world.broad_phase.update<Width>(world.bodies, rules, world.contacts, team);
    world.solver.make_fixed(world.broad_phase.fixed_slot(), world.contacts.blocks.size());
    return all;
}

inline ContactReach contact_reach(const WorldState& world) {
    return {.margin = world.contact_margin(),
            .dt = world.config.time_step,
            .deep = world.scaled(spring_depth),
            .flush_slop = world.scaled(flush_slop),
            .corner_slop = world.scaled(corner_slop),
            .quiet = world.scaled(quiet_speed)};
}

/// Wakes touched islands, and finds the pairs of woken bodies, which may touch other sleepers.
/// Returns whether all pairs were found again.
template <int Width, class Team>
bool wake_islands(WorldState& world, Team& team) {
    bool all = false;
    while (wake_touched(world, contact_reach(world))) {
        apply_forces<Width>(world, team);
        all = find_pairs<Width>(world, team) || all;
    }
    return all;
}

template <int Width, class Team>
void update_contacts(WorldState& world, Team& team) {
    Contacts& contacts = world.contacts;
    const auto count = static_cast<std::int32_t>(contacts.blocks.size());
    contacts.rooms.resize(contacts.faces.size());
    const NarrowBodies bodies{world.bodies.narrow.motions.data(), world.solver.state.data()};
    team.for_each_part(count, blocks_per_part, [&](std::int32_t begin, std::int32_t end) {
        update_blocks<Width>(contacts, begin, end, bodies, contact_reach(world));
    });
    judge_special_pairs(world);
    pass_seams(world);
    end_shadowed(world);
    list_active(contacts);
}

/// Calls work(part) for all contacts, colour after colour; parts of a colour run in parallel.
template <class Team, class Work>
void for_each_colour(const Contacts& contacts, Team& team, Work work) {
    for (const ColourRange& colour : contacts.active_colours) {
        const std::int32_t count = colour.end - colour.begin;
        const std::int32_t grain = colour.is_independent() ? blocks_per_part : count;
        team.for_each_part(count, grain, [&](std::int32_t begin, std::int32_t end) {
            work(ColourRange{colour.begin + begin, colour.begin + end, colour.order});
        });
    }
}

template <int Width, class Team>
void solve_substep(Contacts& contacts, SolverBodies& bodies, const SolverConfig& config,
                   bool is_first, Team& team) {
    const auto for_contacts = [&](auto pass) { for_each_colour(contacts, team, pass); };
    const auto for_bodies = [&](auto pass) {
        team.for_each_part(bodies.count, bodies_per_part, pass);
    };
    if (contacts.any_restitution) {
        for_contacts([&](ColourRange part) {
            prepare_rebounds<Width>(contacts, part, bodies, config.softness, config.impacts);
        });
    }
    for_bodies([&](std::int32_t begin, std::int32_t end) {
        integrate_velocities<simd::streaming_width<Width>>(bodies, begin, end);
    });
    if (is_first) {
        for_contacts([&](ColourRange part) { warm_start<Width>(contacts, part, bodies); });
    }
    for (int i = 0; i < config.bias_passes; ++i) {
        for_contacts([&](ColourRange part) {
            solve_with_bias<Width>(contacts, part, bodies, config.softness, config.struck_speed);
        });
    }
    for_bodies([&](std::int32_t begin, std::int32_t end) {
        integrate_positions<simd::streaming_width<Width>>(bodies, config.softness.h, begin, end);
    });
    relax_impacts<Width>(contacts, bodies);
    for_contacts([&](ColourRange part) { relax<Width>(contacts, part, bodies); });
    forget_impacts(contacts, bodies);
    if (contacts.any_restitution) {
        for_contacts([&](ColourRange part) {
            find_bounces<Width>(contacts, part, bodies, config.impacts.touching_distance,
                                config.softness.h);
        });
        apply_bounces<Width>(contacts, bodies);
    }
}

template <int Width, class Team>
void solve(WorldState& world, Team& team) {
    Contacts& contacts = world.contacts;
    SolverBodies& bodies = world.solver;
    const SolverConfig config = solver_config(world.config);
    if (contacts.any_deep) {
        for_each_colour(contacts, team, [&](ColourRange part) {
            separate_deep_overlaps<Width>(contacts, part, bodies, config.spring_depth,
                                          config.longest_push);
        });
    }
    if (contacts.any_restitution) clear_impacts(contacts);
    for (int i = 0; i < world.config.substeps; ++i) {
        solve_substep<Width>(contacts, bodies, config, i == 0, team);
    }
}

template <int Width, class Team>
void finish(WorldState& world, Team& team) {
    Bodies& bodies = world.bodies;
    world.broad_phase.note_outsiders<Width>(bodies, world.solver.state.data(), team);
    team.for_each_part(
        bodies.ranges.moving_count, bodies_per_part, [&](std::int32_t begin, std::int32_t end) {
            count_still_time(world, begin, end);
            take_results<simd::streaming_width<Width>>(world.solver, bodies, begin, end);
        });
    arrive(world);
    world.broad_phase.sort_news(bodies);  // outsiders may be many, and so may sensors and queries
    note_crossings(world);
    spend_timed_impulses(world);
    ++world.step_count;
}

/// Reports what happened since the previous step.
template <int Width>
void tell_events(WorldState& world) {
    EventLog& events = world.events;
    tell_contacts<Width>(world);
    tell_crushed(world);
    tell_sensors(world);
    events.woke.append(events.woken_since_step);
    events.woken_since_step.clear();
    events.gone.clear();
}

inline void count_work(const WorldState& world, StepStats& stats) {
    stats.bodies = world.bodies.size();
    stats.moving_bodies = world.bodies.ranges.moving_count;
    stats.sleeping_bodies = world.bodies.sleeping_count();
    stats.pairs = world.contacts.pair_count;
    stats.contacts = world.contacts.contact_count;
    stats.colours = static_cast<std::int32_t>(world.contacts.active_colours.size());
}

/// One time step; `Width` contacts are solved at a time.
template <int Width, class Team>
void step(WorldState& world, Team& team, Timing timing = Timing::On) {
    const StepLock lock(world);
    StageClock clock(timing);
    StepStats stats;
    Carrying carrying(world);
    forget_ignored_if_apart(world);
    update_drops(world);
    world.broad_phase.begin_step(world.bodies);
    apply_forces<Width>(world, team);
    stats.apply_forces = clock.lap();
    stats.pairs_rebuilt = find_pairs<Width>(world, team);
    stats.pairs_rebuilt |= wake_islands<Width>(world, team);
    stats.find_pairs = clock.lap();
    update_contacts<Width>(world, team);
    release_squeezed(world);
    stats.update_contacts = clock.lap();
    solve<Width>(world, team);
    stats.solve = clock.lap();
    hand_on_motion(world);
    stop_off_course<Width>(world, contact_reach(world), team);
    carrying.settle();
    finish<Width>(world, team);
    stats.finish = clock.lap();
    tell_events<Width>(world);
    stats.tell_events = clock.lap();
    sleep(world);
    stats.sleep = clock.lap();
    stats.total = clock.total();
    count_work(world, stats);
    world.stats = stats;
}

PHYS2D_COMPILED_ONCE(void step<PHYS2D_LANES>(WorldState&, Alone&, Timing));
PHYS2D_COMPILED_ONCE(void step<PHYS2D_LANES>(WorldState&, Crew&, Timing));

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// What does a frame cost? One step of each scene, while things fall, after they have come to rest,
// and while a ball comes and one goes beside what rests; and one among bullets that pass through
// each other. Names: world_step/<scene>/<phase>/<size>. Sleep is not involved: every body takes
// part.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "../examples/scenes/scenes.hpp"

namespace {

using phys2d::World;

constexpr int falling_steps = 200;  // then the scene starts over
constexpr int settling_steps = 400;

void advance(World& world, const scenes::Scene& scene) {
    if (scene.arena > 0.0f) scenes::steer(world, scene.arena);
    world.step();
}

/// What the stages of the steps took, in microseconds a step.
class StageTotals {
public:
    void add(const phys2d::StepStats& stats) {
        find_pairs_ += stats.find_pairs;
        update_contacts_ += stats.update_contacts;
        solve_ += stats.solve;
        contacts_ = stats.contacts;
    }
    void report(benchmark::State& state) const {
        const double microseconds = 1e3 / static_cast<double>(state.iterations());
        state.counters["pairs_us"] = find_pairs_ * microseconds;
        state.counters["contacts_us"] = update_contacts_ * microseconds;
        state.counters["solve_us"] = solve_ * microseconds;
        state.counters["contacts"] = contacts_;
    }

private:
    double find_pairs_ = 0.0;
    double update_contacts_ = 0.0;
    double solve_ = 0.0;
    double contacts_ = 0.0;
};

/// No speed counts if the result is wrong: bodies must be finite, and contacts on average no deeper
/// than `most_depth` [m].
const char* flaw(const World& world, double most_depth) {
    for (const phys2d::Vec2 position : world.positions()) {
        if (!phys2d::is_finite(position)) return "a body is nowhere";
    }
    double sum = 0.0;
    int contacts = 0;
    world.for_each_contact([&](const phys2d::WorldContact& contact) {
        sum += static_cast<double>(phys2d::max(contact.manifold.penetration, 0.0f));
        ++contacts;
    });
    return sum > most_depth * contacts ? "contacts are too deep" : nullptr;
}

void finish(benchmark::State& state, const World& world, const StageTotals& totals,
            double most_depth) {
    if (const char* reason = flaw(world, most_depth)) state.SkipWithError(reason);
    totals.report(state);
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(world.body_count()));
}

using MakeScene = scenes::Scene (*)(int);

/// A limit for the depth of contacts on average is one and a half times what any step has: the pile
/// while it falls, the swarm at its start, which has overlaps.
struct TimedScene {
    const char* name;
    double most_depth;  // [m]
};

constexpr TimedScene timed_scenes[] = {
    {"pyramid", 0.007}, {"pile", 0.1}, {"swarm", 0.2}, {"gas", 0.001}, {"tiles", 0.015}};

void falling(benchmark::State& state, MakeScene make, double most_depth) {
    const scenes::Scene scene = make(static_cast<int>(state.range(0)));
    const World start = scenes::build(scene);
    World world = start;
    StageTotals totals;
    for (auto step : state) {
        advance(world, scene);
        totals.add(world.stats());
        if (world.step_count() == falling_steps) {
            state.PauseTiming();
            world = start;
            state.ResumeTiming();
        }
    }
    finish(state, world, totals, most_depth);
}

void settled(benchmark::State& state, MakeScene make, double most_depth) {
    const scenes::Scene scene = make(static_cast<int>(state.range(0)));
    World world = scenes::build(scene);
    for (int i = 0; i < settling_steps; ++i) advance(world, scene);
    StageTotals totals;
    for (auto step : state) {
        advance(world, scene);
        totals.add(world.stats());
    }
    finish(state, world, totals, most_depth);
}

/// Balls that fly high above the scene, so many at a time.
class Flock {
public:
    void renew_one(World& world) {
        phys2d::BodyId& oldest = balls_[next_];
        next_ = (next_ + 1) % balls_.size();
        if (world.contains(oldest)) world.destroy_body(oldest);
        const float x = random_.between(-50.0f, 50.0f);
        const float y = random_.between(500.0f, 600.0f);
        oldest =
            world.create_body({.position = {x, y}, .velocity = {x, 0.0f}, .gravity_scale = 0.0f},
                              phys2d::Circle{0.1f});
    }

private:
    scenes::Random random_;
    std::array<phys2d::BodyId, 100> balls_{};
    std::size_t next_ = 0;
};

void spawning(benchmark::State& state, MakeScene make, double most_depth) {
    const scenes::Scene scene = make(static_cast<int>(state.range(0)));
    World world = scenes::build(scene);
    Flock flock;
    for (int i = 0; i < settling_steps; ++i) {
        advance(world, scene);
        flock.renew_one(world);
    }
    StageTotals totals;
    for (auto step : state) {
        flock.renew_one(world);
        advance(world, scene);
        totals.add(world.stats());
    }
    finish(state, world, totals, most_depth);
}

/// Rings of bullets around five turrets, which touch a hero alone. The oldest make room for new
/// ones.
class Barrage {
public:
    explicit Barrage(std::size_t count) : bullets_(count) {}

    /// How many steps of a bullet's life pass until all are fired.
    [[nodiscard]] std::size_t lifetime() const {
        return steps_per_ring * bullets_.size() / (turrets * bullets_per_ring);
    }
    /// To be called before each step.
    void fire(World& world) {
        if (world.step_count() % steps_per_ring != 0) return;
        turn_ += 0.05f;
        for (std::size_t turret = 0; turret < turrets; ++turret) {
            const phys2d::Vec2 center{4.0f * static_cast<float>(turret), 8.0f};
            for (std::size_t i = 0; i < bullets_per_ring; ++i) {
                const float angle = turn_ + 6.2831853f * static_cast<float>(i) / bullets_per_ring;
                renew_one(world, center, {std::cos(angle), std::sin(angle)});
            }
        }
    }

private:
    static constexpr std::size_t turrets = 5;
    static constexpr std::size_t bullets_per_ring = 40;
    static constexpr std::size_t steps_per_ring = 3;

    void renew_one(World& world, phys2d::Vec2 center, phys2d::Vec2 direction) {
        phys2d::BodyId& oldest = bullets_[next_];
        next_ = (next_ + 1) % bullets_.size();
        if (world.contains(oldest)) world.destroy_body(oldest);
        oldest =
            world.create_body({.position = center + direction * 0.1f, .velocity = direction * 8.0f},
                              phys2d::Circle{0.1f}, {}, {.filter = {.category = 2, .mask = 1}});
    }

    std::vector<phys2d::BodyId> bullets_;
    std::size_t next_ = 0;
    float turn_ = 0.0f;
};

void barrage(benchmark::State& state) {
    constexpr double most_depth = 0.01;  // of bullets in the hero, on average [m]
    World world({.gravity = {}});
    world.create_body({.position = {8.0f, -8.0f}}, phys2d::Circle{0.3f});
    Barrage bullets(static_cast<std::size_t>(state.range(0)));
    StageTotals totals;
    const auto play = [&] {
        bullets.fire(world);
        world.step();
    };
    for (std::size_t i = 0; i < bullets.lifetime(); ++i) play();
    for (auto step : state) {
        play();
        totals.add(world.stats());
    }
    finish(state, world, totals, most_depth);
}

}  // namespace

int main(int argc, char** argv) {
    for (const TimedScene& scene : timed_scenes) {
        const scenes::Listing& listing = *scenes::find_listing(scene.name);
        const std::string name = std::string("world_step/") + scene.name;
        const auto add = [&](const char* phase, auto play) {
            benchmark::RegisterBenchmark((name + phase).c_str(), play, listing.make,
                                         scene.most_depth)
                ->Arg(listing.size)
                ->Unit(benchmark::kMicrosecond);
        };
        add("/falling", falling);
        add("/settled", settled);
        add("/spawning", spawning);
    }
    benchmark::RegisterBenchmark("world_step/bullets", barrage)
        ->Arg(10'000)
        ->Unit(benchmark::kMicrosecond);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
}

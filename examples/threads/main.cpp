// SPDX-License-Identifier: MIT
// One large world and many small ones, on one thread and on all of them: how much faster is it, and
// are the results the same?
//   threads [--quick] [THREADS]
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <string_view>
#include <vector>

#include "thread_pool.hpp"
#include <phys2d/phys2d.hpp>
#include <scenes/scenes.hpp>
#if defined(WITH_TBB)
#include "tbb_executor.hpp"
#endif

namespace {

using phys2d::World;

/// Median time of a call, in milliseconds.
template <class Call>
double median_ms(int calls, Call call) {
    std::vector<double> times;
    for (int i = 0; i < calls; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        call();
        const std::chrono::duration<double, std::milli> time =
            std::chrono::steady_clock::now() - begin;
        times.push_back(time.count());
    }
    std::nth_element(times.begin(), times.begin() + calls / 2, times.end());
    return times[static_cast<std::size_t>(calls / 2)];
}

struct Result {
    double ms;
    std::uint64_t hash;
};

/// Steps a copy of the world. `step` takes one step.
template <class Step>
Result result_of(World world, int steps, Step step) {
    const double ms = median_ms(steps, [&] { step(world); });
    return {ms, world.state_hash()};
}

bool report(const char* name, const Result& alone, const Result& result) {
    const bool is_same = result.hash == alone.hash;
    std::printf("%-12s %8.3f ms a step, %.2f times as fast, %s\n", name, result.ms,
                alone.ms / result.ms, is_same ? "the same bits" : "OTHER BITS");
    return is_same;
}

bool play_large_world(threads::ThreadPool& pool, bool quick) {
    const World world = scenes::build(scenes::pyramid(quick ? 40 : 200));
    const int steps = quick ? 20 : 200;
    std::printf("One pyramid of %zu boxes\n", world.body_count() - 1);
    const Result alone = result_of(world, steps, [](World& w) { w.step(); });
    report("alone", alone, alone);
    bool same =
        report("thread pool", alone, result_of(world, steps, [&](World& w) { w.step(pool); }));
#if defined(WITH_TBB)
    const threads::TbbExecutor tbb;
    const Result on_tbb = result_of(world, steps, [&](World& w) { w.step(tbb); });
    same = report("oneTBB", alone, on_tbb) && same;
#endif
    return same;
}

bool play_many_worlds(threads::ThreadPool& pool, bool quick) {
    const World world = scenes::build(scenes::pile(50));
    std::vector<World> alone(quick ? 100 : 10'000, world);
    std::vector<World> shared = alone;
    const int steps = quick ? 5 : 30;
    std::printf("%zu piles of 50 bodies\n", alone.size());
    const double alone_ms = median_ms(steps, [&] {
        for (World& each : alone) each.step();
    });
    const double shared_ms = median_ms(steps, [&] { phys2d::step_many(shared, pool); });
    return report("thread pool", {alone_ms, alone.back().state_hash()},
                  {shared_ms, shared.back().state_hash()});
}

bool read_thread_count(std::string_view text, unsigned& count) {
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, count);
    return error == std::errc() && stop == end && count >= 1 && count <= 256;
}

}  // namespace

int main(int argc, char** argv) {
    bool quick = false;
    unsigned thread_count = std::max(2u, std::thread::hardware_concurrency());
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument == "--quick") {
            quick = true;
        } else if (!read_thread_count(argument, thread_count)) {
            std::fprintf(stderr, "usage: threads [--quick] [THREADS], 1 to 256\n");
            return 2;
        }
    }
    std::printf("%u threads\n", thread_count);
    threads::ThreadPool pool(thread_count);
    const bool large_is_same = play_large_world(pool, quick);
    const bool many_are_same = play_many_worlds(pool, quick);
    return large_is_same && many_are_same ? 0 : 1;
}

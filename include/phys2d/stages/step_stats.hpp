// SPDX-License-Identifier: MIT
// StepStats: where did the time of the last step go, and how much was there to do?
#pragma once

#include <cstdint>
#include <ctime>

#include <phys2d/core/abi.hpp>
#include <phys2d/math/scalar.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// Wall-clock time of each stage of `World::step` [ms], 0 after `step_many`, and sizes. Colliders
/// count as bodies.
struct StepStats {
    double apply_forces = 0.0;
    double find_pairs = 0.0;
    double update_contacts = 0.0;
    double solve = 0.0;
    double finish = 0.0;
    double tell_events = 0.0;
    double sleep = 0.0;
    double total = 0.0;

    std::int32_t bodies = 0;         ///< all, asleep and static ones too
    std::int32_t moving_bodies = 0;  ///< awake and not static
    std::int32_t sleeping_bodies = 0;
    std::int32_t pairs = 0;     ///< near each other
    std::int32_t contacts = 0;  ///< pairs that touch or are about to touch
    std::int32_t colours = 0;   ///< batches solved one after the other
    bool pairs_rebuilt = false;
};

namespace detail {

/// Whether the stages of a step are timed, which takes a tenth of that of a world of 50 bodies.
enum class Timing : bool { Off, On };

/// Returns the time since its last call. (<chrono> would double the cost of including phys2d.)
class StageClock {
public:
    explicit StageClock(Timing timing) : timing_(timing), begin_(now()), last_(begin_) {}

    double lap() {
        const double before = last_;
        last_ = now();
        return last_ - before;
    }
    [[nodiscard]] double total() const { return last_ - begin_; }

private:
    [[nodiscard]] double now() const {
        if (timing_ == Timing::Off) return 0.0;
        timespec time{};
#if defined(CLOCK_MONOTONIC)
        clock_gettime(CLOCK_MONOTONIC, &time);
#else
        timespec_get(&time, TIME_UTC);
#endif
        return mul(static_cast<double>(time.tv_sec), 1e3) +
               mul(static_cast<double>(time.tv_nsec), 1e-6);
    }

    Timing timing_;
    double begin_;
    double last_;
};

}  // namespace detail
}  // namespace phys2d::inline PHYS2D_ABI

// SPDX-License-Identifier: MIT
// FixedStepper: how many fixed steps does this frame owe? [Fiedler2004, "Fix Your Timestep!"]
// Frames come as they come; the simulation only ever sees whole steps of the same length, so that it
// is the same at every frame rate. What is left of a frame waits for the next one, and tells how far
// between the last two steps a picture should be drawn.
#pragma once

#include <phys2d/math/scalar.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// An accumulator of time. Usable without a World.
class FixedStepper {
public:
    /// Pre: time_step > 0 [s]; most_steps >= 1: what a frame owes beyond is dropped, so that a slow
    /// frame does not make the next one slower still (no spiral of death).
    constexpr FixedStepper(double time_step, int most_steps)
        : time_step_(time_step), most_steps_(most_steps) {}

    /// Adds a frame and returns the number of steps to take now. `frame_seconds` must be finite and
    /// not negative; `time_scale` 0.1 is slow motion at a tenth of the pace.
    constexpr int advance(double frame_seconds, double time_scale = 1.0) {
        owed_ += mul(frame_seconds, time_scale);
        int steps = 0;
        for (; owed_ >= time_step_ * (1.0 - rounding) && steps < most_steps_; ++steps) {
            owed_ -= time_step_;
        }
        if (owed_ >= time_step_ * (1.0 - rounding)) owed_ = 0.0;
        if (owed_ < 0.0) owed_ = 0.0;
        return steps;
    }

    /// Where the present lies between the last two steps: 0 at the one before, towards 1 at the last.
    [[nodiscard]] constexpr float alpha() const { return static_cast<float>(owed_ / time_step_); }

private:
    /// Sums of frame times, and a time step that was a float, miss a whole step by up to this part of
    /// one; it counts all the same.
    static constexpr double rounding = 1e-6;

    double time_step_;
    int most_steps_;
    double owed_ = 0.0;
};

}  // namespace phys2d::inline PHYS2D_ABI

// SPDX-License-Identifier: MIT
// FixedStepper: how many fixed steps does this frame owe? [Fiedler2004, "Fix Your Timestep!"]
// Frames have any length; the simulation sees only whole steps of one length, so that it is the
// same at every frame rate. The rest of a frame is kept for the next one, and gives the fraction at
// which to draw between the last two steps.
#pragma once

#include <phys2d/core/archive.hpp>
#include <phys2d/math/scalar.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// An accumulator of time. Can be used without a World.
class FixedStepper {
public:
    /// Pre: time_step > 0 [s]; most_steps >= 1. Time beyond `most_steps` is dropped, so that a slow
    /// frame does not make the next one slower still (no spiral of death).
    constexpr FixedStepper(double time_step, int most_steps)
        : time_step_(time_step), most_steps_(most_steps) {}

    /// Adds a frame and returns the number of steps to take. Pre: `frame_seconds` is finite and
    /// not negative. `time_scale` 0.1 is slow motion at a tenth of the speed.
    [[nodiscard]] constexpr int advance(double frame_seconds, double time_scale = 1.0) {
        const double due = time_step_ * (1.0 - rounding);
        owed_ += mul(frame_seconds, time_scale);
        int steps = 0;
        for (; owed_ >= due && steps < most_steps_; ++steps) owed_ -= time_step_;
        if (owed_ < 0.0 || owed_ >= due) owed_ = 0.0;
        return steps;
    }

    /// Fraction of a step that has passed since the last one, in [0, 1): the alpha for
    /// interpolation.
    [[nodiscard]] constexpr float alpha() const { return static_cast<float>(owed_ / time_step_); }

private:
    template <class Stream>
    friend class detail::Archive;
    void list_members(auto& archive) { archive(*this, time_step_, most_steps_, owed_); }

    /// Sums of frame times, and a time step that was a float, may fall short of a whole step by
    /// this fraction of one; the step is taken all the same.
    static constexpr double rounding = 1e-6;

    double time_step_;
    int most_steps_;
    double owed_ = 0.0;
};

}  // namespace phys2d::inline PHYS2D_ABI

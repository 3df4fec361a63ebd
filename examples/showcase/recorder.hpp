// SPDX-License-Identifier: MIT
// Recorder: where was every body, every few steps of a run? Keeps bodies in the world's own order,
// which is stable while none is created or destroyed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <phys2d/phys2d.hpp>

namespace showcase {

/// An impulse that a body was given, for the page to point at.
struct Kick {
    std::uint64_t frame;
    std::size_t body;
    phys2d::Vec2 impulse;
};

class Recorder {
public:
    /// Keeps the world as it is now, as the first frame, and then each `steps_per_frame`-th step.
    Recorder(const phys2d::World& world, int steps_per_frame)
        : steps_per_frame_(static_cast<std::uint64_t>(steps_per_frame)),
          shapes_(world.shapes().begin(), world.shapes().end()),
          types_(world.types().begin(), world.types().end()) {
        keep(world);
    }

    /// To be called after each step.
    void after_step(const phys2d::World& world) {
        if (world.step_count() % steps_per_frame_ == 0) keep(world);
    }

    /// To be called before the step in which the impulse begins.
    void add_kick(const phys2d::World& world, std::size_t body, phys2d::Vec2 impulse) {
        kicks_.push_back({world.step_count() / steps_per_frame_, body, impulse});
    }

    [[nodiscard]] std::uint64_t steps_per_frame() const { return steps_per_frame_; }
    [[nodiscard]] std::size_t body_count() const { return shapes_.size(); }
    [[nodiscard]] std::size_t frame_count() const { return positions_.size() / body_count(); }
    [[nodiscard]] const std::vector<phys2d::Shape>& shapes() const { return shapes_; }
    [[nodiscard]] const std::vector<phys2d::BodyType>& types() const { return types_; }
    [[nodiscard]] const std::vector<Kick>& kicks() const { return kicks_; }
    /// Frame after frame, all bodies each.
    [[nodiscard]] const std::vector<phys2d::Vec2>& positions() const { return positions_; }

private:
    void keep(const phys2d::World& world) {
        positions_.insert(positions_.end(), world.positions().begin(), world.positions().end());
    }

    std::uint64_t steps_per_frame_;
    std::vector<phys2d::Shape> shapes_;
    std::vector<phys2d::BodyType> types_;
    std::vector<phys2d::Vec2> positions_;
    std::vector<Kick> kicks_;
};

}  // namespace showcase

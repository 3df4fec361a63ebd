// SPDX-License-Identifier: MIT
// acts: which scenes are shown, for how long, and which part of them is in the picture?
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "kicks.hpp"
#include "recorder.hpp"
#include "scenes/scenes.hpp"

namespace showcase {

using BeforeStep = std::function<void(phys2d::World& world, Recorder& recorder)>;

struct Act {
    scenes::Scene scene;
    std::string_view caption;
    phys2d::AABB view;  ///< [m]
    int steps;
    int steps_per_frame;
    BeforeStep before_step = [](phys2d::World&, Recorder&) {};
};

inline Act pyramid(int base, int steps) {
    const float half = 0.5f * static_cast<float>(base);
    return {.scene = scenes::pyramid(base),
            .caption = "Unit boxes on one another. What ought to happen is nothing, and it does.",
            .view = {{-1.1f * half, -2.0f}, {1.1f * half, 2.1f * half}},
            .steps = steps,
            .steps_per_frame = 4};
}

/// The pile of the scene library falls in columns, and as nothing here topples, towers are what it
/// comes to. A little speed to the side mixes it.
inline Act mixed_pile(int count, int steps) {
    const float top = 10.0f + static_cast<float>(count) / 125.0f;
    Act act{.scene = scenes::pile(count),
            .caption = "Circles and boxes rain into a container and settle.",
            .view = {{-51.0f, -1.0f}, {51.0f, top}},
            .steps = steps,
            .steps_per_frame = 4};
    act.scene.name = "mixed pile";
    scenes::Random random;
    for (scenes::SceneBody& body : act.scene.bodies) {
        body.def.velocity.x = random.between(-3.0f, 3.0f);
    }
    return act;
}

inline Act swarm(int count, int steps) {
    Act act{.scene = scenes::swarm(count),
            .caption = "Everyone chases one point that runs round an ellipse; nobody gets through.",
            .view = {},
            .steps = steps,
            .steps_per_frame = 4};
    const float arena = act.scene.arena;
    act.view = phys2d::aabb_around({}, Vec2{0.5f, 0.42f} * arena);
    act.before_step = [arena](phys2d::World& world, Recorder&) { scenes::steer(world, arena); };
    return act;
}

inline Act gas(int count, int steps) {
    const float half = phys2d::sqrt(static_cast<float>(count)) + 1.0f;
    return {.scene = scenes::gas(count),
            .caption = "Elastic circles fly about in a box, without gravity.",
            .view = {{-half, -half}, {half, half}},
            .steps = steps,
            .steps_per_frame = 4};
}

inline Act kicks(int steps) {
    return {.scene = yard(),
            .caption = "Once a second some are kicked, by impulses that last ten steps each.",
            .view = {{-25.0f, -1.0f}, {25.0f, 24.0f}},
            .steps = steps,
            .steps_per_frame = 2,
            .before_step = [kicker = Kicker()](phys2d::World& world, Recorder& recorder) mutable {
                kicker.before_step(world, recorder);
            }};
}

inline std::vector<Act> all_acts() {
    return {pyramid(100, 480), mixed_pile(10'000, 600), swarm(10'000, 720), gas(10'000, 600),
            kicks(900)};
}

/// The same in small, to see quickly that everything works.
inline std::vector<Act> quick_acts() {
    return {pyramid(20, 120), mixed_pile(800, 240), swarm(400, 240), gas(400, 120), kicks(240)};
}

}  // namespace showcase

// SPDX-License-Identifier: MIT
// Scene: a plain list of its bodies, and of changes before each step. Values only and no World, so
// that every engine can load the same scene (scenes.hpp, bench/peers).
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include <phys2d/bodies/world_config.hpp>
#include <phys2d/shapes/shape.hpp>

namespace scenes {

using phys2d::BodyType;
using phys2d::Vec2;

struct SceneBody {
    phys2d::BodyDef def;
    phys2d::Shape shape;
    phys2d::Material material;
};

inline constexpr float far_away = 1e30f;  ///< where nothing gets to [m]

/// Consecutive bodies of a list, `last` excluded.
struct BodyRange {
    std::size_t first = 0;
    std::size_t last = 0;
};

struct Scene {
    std::string_view name;
    phys2d::WorldConfig config{.gravity = {0.0f, -10.0f}};
    std::vector<SceneBody> bodies{};
    float arena = 0.0f;  ///< side of the square that a swarm is steered in; 0 if nothing steers

    /// Where the centres of the bodies should stay, as far as walls and floors see to it [m].
    phys2d::AABB bounds{{-far_away, -far_away}, {far_away, far_away}};

    /// Static unit boxes of one material with whole numbers for corners: one tile map, in engines
    /// that have it.
    BodyRange tiles{};

    /// The last of the bodies come in `waves` equal waves; 0 if all are there from the start.
    std::size_t waves = 0;
    std::size_t first_wave = 0;  ///< index of its first body
    int steps_between_waves = 0;

    void add_static(Vec2 position, Vec2 half_extents, const phys2d::Material& material = {}) {
        bodies.push_back({{.type = BodyType::Static, .position = position},
                          phys2d::Box{half_extents},
                          material});
    }
    void add(Vec2 position, const phys2d::Shape& shape, const phys2d::Material& material = {},
             Vec2 velocity = {}) {
        bodies.push_back({{.position = position, .velocity = velocity}, shape, material});
    }

    /// Those that are there before the first step.
    [[nodiscard]] BodyRange present_at_start() const {
        return {0, waves == 0 ? bodies.size() : first_wave};
    }

    [[nodiscard]] bool is_tile(std::size_t index) const {
        return tiles.first <= index && index < tiles.last;
    }

    /// Those to be created anew before a step, after they have been destroyed if they were there.
    /// The waves come one after the other, again and again.
    [[nodiscard]] BodyRange arriving(int step) const {
        if (waves == 0 || step % steps_between_waves != 0) return {};
        const std::size_t wave_size = (bodies.size() - first_wave) / waves;
        const auto arrived = static_cast<std::size_t>(step / steps_between_waves);
        const std::size_t first = first_wave + arrived % waves * wave_size;
        return {first, first + wave_size};
    }
};

/// What a swarm chases in a step: a point that runs round an ellipse in ten seconds.
inline Vec2 swarm_target(float arena, std::uint64_t step) {
    constexpr double radians_per_step = 2.0 * 3.14159265358979 / 600.0;
    const double phase = static_cast<double>(step) * radians_per_step;
    return {arena / 4.0f * static_cast<float>(std::cos(phase)),
            arena / 8.0f * static_cast<float>(std::sin(phase))};
}

/// A velocity turned 10 % of the way to 3 m/s towards the target.
inline Vec2 steered(Vec2 velocity, Vec2 position, Vec2 target) {
    const Vec2 wanted = phys2d::normalized(target - position) * 3.0f;
    return velocity + (wanted - velocity) * 0.1f;
}

}  // namespace scenes

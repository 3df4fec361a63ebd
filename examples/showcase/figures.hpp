// SPDX-License-Identifier: MIT
// figures: what did a run cost, and what was the result? The numbers of a run, and their table.
#pragma once

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <phys2d/phys2d.hpp>

namespace showcase {

struct Figures {
    std::string_view scene;
    std::int32_t bodies = 0;    ///< that can move
    std::int32_t contacts = 0;  ///< of the last step
    double median_ms = 0.0;     ///< of all steps
    double worst_ms = 0.0;
    std::uint64_t hash = 0;  ///< of the last step
};

/// Pre: `step_ms` is not empty.
inline Figures figures_of(std::string_view scene, const phys2d::World& world,
                          std::vector<double> step_ms) {
    std::sort(step_ms.begin(), step_ms.end());
    return {.scene = scene,
            .bodies = world.stats().moving_bodies,
            .contacts = world.stats().contacts,
            .median_ms = step_ms[step_ms.size() / 2],
            .worst_ms = step_ms.back(),
            .hash = world.state_hash()};
}

/// 12345 as 12,345.
inline std::string grouped(std::int32_t number) {
    std::string text = std::to_string(number);
    for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
    return text;
}

/// As C++, JSON and people write it.
inline std::string hexadecimal(std::uint64_t number) {
    char text[19];
    std::snprintf(text, sizeof text, "0x%016" PRIx64, number);
    return text;
}

inline void print_table(const std::vector<Figures>& runs) {
    std::printf("%-10s %8s %9s %10s %9s  %s\n", "scene", "bodies", "contacts", "ms a step",
                "worst ms", "state hash");
    for (const Figures& run : runs) {
        std::printf("%-10.*s %8s %9s %10.3f %9.3f  %s\n", static_cast<int>(run.scene.size()),
                    run.scene.data(), grouped(run.bodies).c_str(), grouped(run.contacts).c_str(),
                    run.median_ms, run.worst_ms, hexadecimal(run.hash).c_str());
    }
}

}  // namespace showcase

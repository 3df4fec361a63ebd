// SPDX-License-Identifier: MIT
// What does a step of a world cost, whatever else the machine does?
#pragma once

#include <algorithm>

#include <phys2d/phys2d.hpp>

namespace test {

/// The shortest of some steps [ms].
inline double shortest_step(phys2d::World& world, int steps) {
    double shortest = 1e9;
    for (int i = 0; i < steps; ++i) {
        world.step();
        shortest = std::min(shortest, world.stats().total);
    }
    return shortest;
}

}  // namespace test

// SPDX-License-Identifier: MIT
// For check_refused.cmake: a step of some seconds, as in other engines.
#include <phys2d/phys2d.hpp>

void step(phys2d::World& world) { world.step(SECONDS); }

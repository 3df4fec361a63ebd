// SPDX-License-Identifier: MIT
// The step, compiled once.
//
// Every source file that steps a World compiles the whole engine, which takes seconds. In a program
// with many such files define PHYS2D_SEPARATE_STEP for all of them and compile this file with the
// same options; with CMake, link phys2d::separate_step instead of phys2d::phys2d. The results have
// the same bits.
#include <phys2d/world/world_step.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

template void step<PHYS2D_LANES>(WorldState&, Alone&);
template void step<PHYS2D_LANES>(WorldState&, Crew&);

}  // namespace phys2d::inline PHYS2D_ABI::detail

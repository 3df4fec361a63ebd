// SPDX-License-Identifier: MIT
// The step, compiled once.
//
// Whatever file steps a World compiles all of the physics, which takes seconds. In a program of many such files define
// PHYS2D_SEPARATE_STEP for all of them and compile this one beside them, with the same options; with CMake, link
// phys2d::separate_step instead of phys2d::phys2d. The steps have the same bits.
#include <phys2d/world/world_step.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

template void step<PHYS2D_LANES>(WorldState&, Alone&);
template void step<PHYS2D_LANES>(WorldState&, Crew&);

}  // namespace phys2d::inline PHYS2D_ABI::detail

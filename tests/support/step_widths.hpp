// SPDX-License-Identifier: MIT
// The step at the widths that the build does not have by default, compiled once in step_widths.cpp.
#pragma once

#include <phys2d/stages/world_step.hpp>

#if !defined(STEP_INSTANCE)
#define STEP_INSTANCE extern template
#endif

namespace phys2d::inline PHYS2D_ABI::detail {

#if PHYS2D_LANES != 1
STEP_INSTANCE void step<1>(WorldState&, Alone&, Timing);
#endif
#if PHYS2D_LANES != 4
STEP_INSTANCE void step<4>(WorldState&, Alone&, Timing);
#endif
#if PHYS2D_LANES != 8
STEP_INSTANCE void step<8>(WorldState&, Alone&, Timing);
#endif

}  // namespace phys2d::inline PHYS2D_ABI::detail

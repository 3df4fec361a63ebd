// SPDX-License-Identifier: MIT
#include "step_widths.hpp"

namespace phys2d::inline PHYS2D_ABI::detail {

#if PHYS2D_LANES != 1
template void step<1>(WorldState&, Alone&);
#endif
#if PHYS2D_LANES != 4
template void step<4>(WorldState&, Alone&);
#endif
#if PHYS2D_LANES != 8
template void step<8>(WorldState&, Alone&);
#endif

}  // namespace phys2d::inline PHYS2D_ABI::detail

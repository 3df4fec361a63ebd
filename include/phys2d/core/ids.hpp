// SPDX-License-Identifier: MIT
// How are bodies named? By an index and a generation, so that a name outlives its body harmlessly:
// the index may be used again, the generation never is.
#pragma once

#include <cstdint>

namespace phys2d {

/// Names one body of one World, for ever. A default-made id names nothing.
struct BodyId {
    std::uint32_t index = 0;
    std::uint32_t generation = 0;  ///< 0 names nothing

    friend constexpr bool operator==(BodyId a, BodyId b) = default;
};

}  // namespace phys2d

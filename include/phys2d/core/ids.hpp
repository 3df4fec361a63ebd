// SPDX-License-Identifier: MIT
// How are bodies and colliders named? By an index and a generation, so that a name outlives its owner
// harmlessly: the index may be used again, with another generation (of 2^32).
#pragma once

#include <cstdint>

#include <phys2d/core/abi.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// Names one body of one World, for ever. A default-made id names nothing.
struct BodyId {
    std::uint32_t index = 0;
    std::uint32_t generation = 0;  ///< 0 names nothing

    friend constexpr bool operator==(BodyId a, BodyId b) = default;
};

/// Names one collider of one World, for ever. Bodies and colliders share indices: the first collider of a
/// body has the numbers of the body.
struct ColliderId {
    std::uint32_t index = 0;
    std::uint32_t generation = 0;  ///< 0 names nothing

    friend constexpr bool operator==(ColliderId a, ColliderId b) = default;
};

/// The collider that a body was created with; it lives as long as the body.
[[nodiscard]] constexpr ColliderId first_collider(BodyId body) {
    return {body.index, body.generation};
}

}  // namespace phys2d::inline PHYS2D_ABI

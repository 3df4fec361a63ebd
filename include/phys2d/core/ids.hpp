// SPDX-License-Identifier: MIT
// BodyId, ColliderId: an index and a generation. An id may outlive its body or collider: the index
// is reused with the next generation (which wraps after 2^32 reuses).
#pragma once

#include <cstdint>

#include <phys2d/core/abi.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// Identifies a body of one World. A default-constructed id refers to no body.
struct BodyId {
    std::uint32_t index = 0;
    std::uint32_t generation = 0;  ///< 0 refers to no body

    friend constexpr bool operator==(BodyId a, BodyId b) = default;
};

/// Identifies a collider of one World. Bodies and colliders share indices: the first collider of a
/// body has the same index and generation as the body.
struct ColliderId {
    std::uint32_t index = 0;
    std::uint32_t generation = 0;  ///< 0 refers to no collider

    friend constexpr bool operator==(ColliderId a, ColliderId b) = default;
};

/// The collider that a body was created with; it lives as long as the body.
[[nodiscard]] constexpr ColliderId first_collider(BodyId body) {
    return {body.index, body.generation};
}

}  // namespace phys2d::inline PHYS2D_ABI

// SPDX-License-Identifier: MIT
// BodyId, ColliderId: an index and a generation. An id may outlive its body or collider: the index
// is reused with the next generation (which wraps after 2^32 reuses). Assigning a saved world also
// restores the next ids: one kept from the future that was discarded may name another body then.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <typeindex>  // std::hash

#include <phys2d/core/abi.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// Identifies a body of one World. A default-constructed id refers to no body. Ids are ordered and
/// have a std::hash: they may be keys of maps.
struct BodyId {
    std::uint32_t index = 0;
    std::uint32_t generation = 0;  ///< 0 refers to no body

    friend constexpr auto operator<=>(BodyId a, BodyId b) = default;
};

/// Identifies a collider of one World. Bodies and colliders share indices: the first collider of a
/// body has the same index and generation as the body.
struct ColliderId {
    std::uint32_t index = 0;
    std::uint32_t generation = 0;  ///< 0 refers to no collider

    friend constexpr auto operator<=>(ColliderId a, ColliderId b) = default;
};

/// The collider that a body was created with; it lives as long as the body.
[[nodiscard]] constexpr ColliderId first_collider(BodyId body) {
    return {body.index, body.generation};
}

}  // namespace phys2d::inline PHYS2D_ABI

template <>
struct std::hash<phys2d::BodyId> {
    std::size_t operator()(phys2d::BodyId id) const noexcept {
        return static_cast<std::size_t>(std::uint64_t{id.generation} << 32 | id.index);
    }
};

template <>
struct std::hash<phys2d::ColliderId> {
    std::size_t operator()(phys2d::ColliderId id) const noexcept {
        return std::hash<phys2d::BodyId>{}({id.index, id.generation});
    }
};

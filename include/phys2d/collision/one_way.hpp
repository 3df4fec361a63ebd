// SPDX-License-Identifier: MIT
// OneWay: which side of a collider blocks?
#pragma once

#include <cstdint>

#include <phys2d/math/vec2.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// The side from which a collider blocks. Bodies from any other side pass through, and are blocked
/// once they have left on the blocking side. `Up` is a jump-through platform.
enum class OneWay : std::uint8_t { No, Up, Down, Left, Right };

/// Unit vector out of the blocking side; zero for `No`. In a loop of your own, let what a
/// `shape_cast` hits block if dot(normal, direction) > 0 and the two did not overlap before it: a
/// shape that falls back on its way through would hang halfway. That takes the millimetre of room
/// that `shape_cast` tells of, for touching counts as overlap.
[[nodiscard]] constexpr Vec2 direction_of(OneWay one_way) {
    switch (one_way) {
        case OneWay::Up: return {0.0f, 1.0f};
        case OneWay::Down: return {0.0f, -1.0f};
        case OneWay::Left: return {-1.0f, 0.0f};
        case OneWay::Right: return {1.0f, 0.0f};
        case OneWay::No: break;
    }
    return {};
}

}  // namespace phys2d::inline PHYS2D_ABI

namespace phys2d::inline PHYS2D_ABI::detail {

/// Whether a side with this direction, zero for all sides, blocks where a normal points out of it.
[[nodiscard]] constexpr bool blocks(Vec2 out, Vec2 normal) {
    return out == Vec2{} || dot(normal, out) > 0.0f;
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

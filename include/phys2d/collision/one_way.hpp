// SPDX-License-Identifier: MIT
// OneWay: which side of a collider holds?
#pragma once

#include <cstdint>

#include <phys2d/math/vec2.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// The side of a collider that holds what comes from there; from everywhere else it is passed through.
/// A platform to stand on and to jump through from below is `Up`. What came through is held once it has
/// left on that side.
enum class OneWay : std::uint8_t { No, Up, Down, Left, Right };

/// Unit vector out of the side that holds; zero where all do.
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

// SPDX-License-Identifier: MIT
// What is the same, turned by an angle around the origin?
#pragma once

#include <cmath>

#include <phys2d/math/vec2.hpp>

namespace test {

class Turn {
public:
    phys2d::Vec2 level;  ///< to where it turns the x axis

    explicit Turn(float angle) : level{std::cos(angle), std::sin(angle)} {}

    phys2d::Vec2 operator()(phys2d::Vec2 v) const {
        return level * v.x + perpendicular(level) * v.y;
    }
    /// Turns back.
    [[nodiscard]] phys2d::Vec2 undo(phys2d::Vec2 v) const {
        return {dot(v, level), cross(level, v)};
    }
};

}  // namespace test

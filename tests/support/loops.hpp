// SPDX-License-Identifier: MIT
// Which points are within a closed line?
#pragma once

#include <vector>

#include <phys2d/math/vec2.hpp>

namespace test {

/// By the number of pieces between a point and the right.
inline bool is_within(const std::vector<phys2d::Vec2>& corners, phys2d::Vec2 point) {
    bool is_inside = false;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const phys2d::Vec2 a = corners[i];
        const phys2d::Vec2 b = corners[(i + 1) % corners.size()];
        const bool crosses = (a.y > point.y) != (b.y > point.y) &&
                             point.x < a.x + (b.x - a.x) * (point.y - a.y) / (b.y - a.y);
        is_inside = is_inside != crosses;
    }
    return is_inside;
}

}  // namespace test

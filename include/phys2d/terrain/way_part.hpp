// SPDX-License-Identifier: MIT
// WayPart: a part of a straight path, from one fraction of it to another. Which part is inside a
// box, and how is it divided into pieces?
#pragma once

#include <phys2d/shapes/aabb.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

struct WayPart {
    float begin = 0.0f;
    float end = 1.0f;  ///< empty if below `begin`

    [[nodiscard]] constexpr bool is_empty() const { return !(begin <= end); }

    /// The part in which a coordinate, from `start` by `way`, is between two bounds.
    /// [Ericson2005 §5.3.3]
    [[nodiscard]] constexpr WayPart between(float low, float high, float start, float way) const {
        if (way == 0.0f) return low <= start && start <= high ? *this : WayPart{1.0f, 0.0f};
        const float to_low = (low - start) / way;
        const float to_high = (high - start) / way;
        return {max(begin, min(to_low, to_high)), min(end, max(to_low, to_high))};
    }
    [[nodiscard]] constexpr WayPart inside(const AABB& box, Vec2 start, Vec2 way) const {
        return between(box.min.x, box.max.x, start.x, way.x)
            .between(box.min.y, box.max.y, start.y, way.y);
    }

    /// Calls visit(piece) for consecutive pieces of a path by `way` in which it goes at most
    /// `length` along either axis, until it returns false. If `length` is too small to change a
    /// fraction, the rest is one piece.
    void for_each_piece(Vec2 way, float length, auto visit) const {
        const float part = length / max(max(abs(way.x), abs(way.y)), 1e-30f);
        for (float from = begin; from <= end;) {
            const float to = from + part > from ? min(from + part, end) : end;
            if (!visit(WayPart{from, to}) || to >= end) return;
            from = to;
        }
    }
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

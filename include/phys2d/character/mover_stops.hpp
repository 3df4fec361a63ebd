// SPDX-License-Identifier: MIT
// MoverStops: what has stopped a mover, and is it in a corner?
//
// A way goes on along what it meets. Where it then goes into what it met before, there is no way on.
#pragma once

#include <phys2d/core/abi.hpp>
#include <phys2d/math/vec2.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// What has stopped a mover, in the order in which it came there.
class MoverStops {
public:
    static constexpr int most = 16;

    struct Stop {
        Vec2 normal{};
        Vec2 place{};  ///< of the mover [m]
    };

    void add(Vec2 normal, Vec2 place) {
        if (count_ < most) stops_[count_++] = {normal, place};
    }
    [[nodiscard]] const Stop* begin() const { return stops_; }
    [[nodiscard]] const Stop* end() const { return stops_ + count_; }

    /// Whether a way from a place goes into what it has come to and not left by more than `gap` [m].
    [[nodiscard]] bool hold(Vec2 way, Vec2 place, float gap) const {
        const float rounding = mul(1e-5f, length(way));
        for (const Stop& stop : *this) {
            const bool is_there = dot(place - stop.place, stop.normal) <= gap;
            if (is_there && dot(way, stop.normal) < -rounding) return true;
        }
        return false;
    }

private:
    Stop stops_[most]{};
    int count_ = 0;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

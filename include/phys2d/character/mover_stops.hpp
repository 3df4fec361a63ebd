// SPDX-License-Identifier: MIT
// MoverStops: what has stopped a mover, and what do they leave of its way?
//
// A way goes on along what it meets. Where each way along one thing goes into another, there is no way on.
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

    /// What they leave of a vector at a place, whichever of those there was met first. One that has been left by more
    /// than `gap` [m] takes only what still goes into it then.
    [[nodiscard]] Vec2 left_of(Vec2 v, Vec2 place, float gap) const {
        v = nearest_free(v, place, gap);
        for (const Stop& stop : *this) v = stopped_by(stop.normal, v);
        return nearest_free(v, place, gap);
    }

private:
    /// Of all vectors that go into nothing at a place the nearest to one.
    [[nodiscard]] Vec2 nearest_free(Vec2 v, Vec2 place, float gap) const {
        const float rounding = mul(1e-5f, length(v));
        if (is_free(v, place, gap, rounding)) return v;
        Vec2 nearest{};
        for (const Stop& stop : *this) {
            if (!is_at(stop, place, gap)) continue;
            const Vec2 along = stopped_by(stop.normal, v);
            const bool is_nearer = length_sq(along) > length_sq(nearest);
            if (is_nearer && is_free(along, place, gap, rounding)) nearest = along;
        }
        return nearest;
    }
    [[nodiscard]] bool is_free(Vec2 v, Vec2 place, float gap, float rounding) const {
        for (const Stop& stop : *this) {
            if (is_at(stop, place, gap) && dot(v, stop.normal) < -rounding) return false;
        }
        return true;
    }
    [[nodiscard]] static bool is_at(const Stop& stop, Vec2 place, float gap) {
        return dot(place - stop.place, stop.normal) <= gap;
    }

    Stop stops_[most]{};
    int count_ = 0;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// MoverStops: which surfaces stopped a mover, and what do they leave of a vector?
//
// A motion continues along the surfaces that it hits. If each direction along one surface goes into
// another, it ends.
#pragma once

#include <phys2d/core/abi.hpp>
#include <phys2d/math/vec2.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The surfaces that stopped a mover, in the order of the hits.
class MoverStops {
public:
    static constexpr int most = 16;

    struct Stop {
        Vec2 normal{};
        Vec2 place{};  ///< position of the mover [m]
    };

    void add(Vec2 normal, Vec2 place) {
        if (count_ < most) stops_[count_++] = {normal, place};
    }
    [[nodiscard]] const Stop* begin() const { return stops_; }
    [[nodiscard]] const Stop* end() const { return stops_ + count_; }

    /// What the stops at a position leave of a vector, independent of their order. A stop further
    /// away than `gap` [m] takes away only what then still goes into it.
    [[nodiscard]] Vec2 left_of(Vec2 v, Vec2 place, float gap) const {
        v = nearest_free(v, place, gap);
        for (const Stop& stop : *this) v = stopped_by(stop.normal, v);
        return nearest_free(v, place, gap);
    }

private:
    /// The vector nearest to `v` that goes into none of the stops at a position.
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

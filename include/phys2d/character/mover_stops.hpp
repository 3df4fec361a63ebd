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
        Vec2 place{};          ///< position of the mover [m]
        float recedes = 0.0f;  ///< how fast the surface recedes from the mover [m/s]
    };

    void add(Vec2 normal, Vec2 place, float recedes = 0.0f) {
        if (count_ < most) stops_[count_++] = {normal, place, recedes};
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

    /// What is left of a velocity, with the part of it that follows surfaces that recede.
    [[nodiscard]] Vec2 following(Vec2 left, Vec2 velocity) const {
        const float rounding = rounding_of(velocity);
        for (const Stop& stop : *this) {
            const float now = dot(left, stop.normal);
            const float wanted = max(dot(velocity, stop.normal), -stop.recedes);
            const Vec2 faster = left + stop.normal * (wanted - now);
            const bool is_held = wanted < min(now, 0.0f) && now <= rounding;
            if (is_held && catches_none(faster, rounding)) left = faster;
        }
        return left;
    }

private:
    [[nodiscard]] static float rounding_of(Vec2 v) { return mul(1e-5f, length(v)); }

    /// Whether a velocity catches up with none of the stops.
    [[nodiscard]] bool catches_none(Vec2 velocity, float rounding) const {
        for (const Stop& stop : *this) {
            if (dot(velocity, stop.normal) < -stop.recedes - rounding) return false;
        }
        return true;
    }
    /// The vector nearest to `v` that goes into none of the stops at a position.
    [[nodiscard]] Vec2 nearest_free(Vec2 v, Vec2 place, float gap) const {
        const float rounding = rounding_of(v);
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

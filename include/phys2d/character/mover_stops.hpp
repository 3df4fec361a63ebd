// SPDX-License-Identifier: MIT
// MoverStops: which surfaces stopped a mover, and what do they leave of a vector?
//
// A motion continues along the surfaces that it hits. If each direction along one surface goes into
// another, it ends.
#pragma once

#include <limits>

#include <phys2d/math/vec2.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The surfaces that stopped a mover, in the order of the hits. What goes into a surface no faster
/// than that recedes is not stopped. One that recedes at less than 0 m/s gives it its velocity.
class MoverStops {
public:
    static constexpr int most = 16;  ///< further ones are left out

    struct Stop {
        Vec2 normal{};
        Vec2 place{};          ///< position of the mover [m]
        Vec2 velocity{};       ///< of the surface, seen from the ground [m/s]
        float recedes = 0.0f;  ///< how fast the surface recedes, or < 0 comes [m/s]

        /// How fast a vector goes into the surface.
        [[nodiscard]] float approach(Vec2 v) const { return -dot(v, normal) - recedes; }
        /// A vector without what goes into the surface.
        [[nodiscard]] Vec2 left_of(Vec2 v) const { return v + normal * max(approach(v), 0.0f); }
    };

    /// One that recedes more slowly than `slowest` counts as receding at that speed [m/s].
    void add(Vec2 normal, Vec2 place, Vec2 velocity = {}, float slowest = 0.0f) {
        const float recedes = max(-dot(velocity, normal), slowest);
        if (count_ < most) stops_[count_++] = {normal, place, velocity, recedes};
    }
    [[nodiscard]] const Stop* begin() const { return stops_; }
    [[nodiscard]] const Stop* end() const { return stops_ + count_; }

    /// The same surfaces, as if none moved.
    [[nodiscard]] MoverStops at_rest() const {
        MoverStops still;
        for (const Stop& stop : *this) still.add(stop.normal, stop.place);
        return still;
    }
    [[nodiscard]] bool any_moves() const {
        for (const Stop& stop : *this) {
            if (stop.recedes != 0.0f) return true;
        }
        return false;
    }

    /// What the stops at a position leave of a vector, independent of their order. A stop further
    /// away than `gap` [m] takes away only what then still goes into it.
    [[nodiscard]] Vec2 left_of(Vec2 v, Vec2 place, float gap) const {
        if (count_ == 0) return v;
        v = nearest_free(v, place, gap);
        for (const Stop& stop : *this) v = stop.left_of(v);
        return nearest_free(v, place, gap);
    }

    /// The share of a velocity that the stops take away if it must not turn.
    [[nodiscard]] float share_taken_of(Vec2 velocity) const {
        float share = 0.0f;
        for (const Stop& stop : *this) {
            const float into = -dot(velocity, stop.normal);
            const float approach = min(stop.approach(velocity), into);
            if (approach > rounding_of(velocity)) share = max(share, approach / into);
        }
        return share;
    }

private:
    [[nodiscard]] static float rounding_of(Vec2 v) { return mul(1e-5f, length(v)); }

    /// The vector nearest to `v` that goes into none of the stops at a position: `v`, what one of
    /// them leaves of it, where two of them meet, or zero; `v` if they leave none.
    [[nodiscard]] Vec2 nearest_free(Vec2 v, Vec2 place, float gap) const {
        const float rounding = rounding_of(v);
        if (is_free(v, place, gap, rounding)) return v;
        Vec2 nearest = v;
        float nearness = std::numeric_limits<float>::lowest();
        const auto consider = [&](Vec2 u) {
            const float nearness_of_u = dot(u, v + v - u);
            if (nearness_of_u <= nearness || !is_free(u, place, gap, rounding)) return;
            nearness = nearness_of_u;
            nearest = u;
        };
        consider({});
        for (const Stop& a : *this) {
            if (!is_at(a, place, gap)) continue;
            consider(a.left_of(v));
            for (const Stop& b : *this) {
                if (is_at(b, place, gap)) consider(following(a, b));
            }
        }
        return nearest;
    }
    /// The vector that goes into both of two surfaces as fast as they recede; zero if they are
    /// nearly parallel, or if one comes to the mover: two that close would throw it out.
    [[nodiscard]] static Vec2 following(const Stop& a, const Stop& b) {
        constexpr float least_turn = 1e-3f;  // sine of the angle between them
        const float turn = cross(a.normal, b.normal);
        if (abs(turn) < least_turn || min(a.recedes, b.recedes) < 0.0f) return {};
        return (perpendicular(b.normal) * a.recedes - perpendicular(a.normal) * b.recedes) / turn;
    }
    [[nodiscard]] bool is_free(Vec2 v, Vec2 place, float gap, float rounding) const {
        for (const Stop& stop : *this) {
            if (is_at(stop, place, gap) && stop.approach(v) > rounding) return false;
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

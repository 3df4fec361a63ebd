// SPDX-License-Identifier: MIT
// GridWay: the path of a box that moves in a straight line, for queries of a grid. The path may be
// shortened during a query. Tests are slightly generous, so that rounding never hides a hit:
// results must be tested exactly.
#pragma once

#include <phys2d/collision/grid_levels.hpp>
#include <phys2d/math/lanes.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class GridWay {
public:
    /// The path from `origin` to `origin + way` of a box with half extents `reach`.
    GridWay(Vec2 origin, Vec2 way, Vec2 reach)
        : origin_(origin), way_(way), inverse_{inverse(way.x), inverse(way.y)}, reach_(reach) {
        const Vec2 size = abs(origin) + abs(way) + reach;
        const float slack = mul(max(size.x, size.y), 2e-6f);
        reach_ += Vec2{slack, slack};
    }

    /// Ends the path at this fraction.
    void shorten(float limit) { limit_ = limit; }
    /// The fraction at which the path ends; the reference follows `shorten`.
    [[nodiscard]] const float& limit() const { return limit_; }

    [[nodiscard]] AABB bounds() const {
        const Vec2 end = origin_ + way_ * limit_;
        return {min(origin_, end) - reach_, max(origin_, end) + reach_};
    }

    [[nodiscard]] bool runs_left() const { return way_.x < 0.0f; }
    [[nodiscard]] bool runs_down() const { return way_.y < 0.0f; }

    struct Part {
        float begin, end;
    };
    /// The part of the path within an interval of y; begin > end if there is none.
    [[nodiscard]] Part within(const GridAxis::Span& y) const {
        const float one = mul(static_cast<float>(y.low) - reach_.y - origin_.y, inverse_.y);
        const float other = mul(static_cast<float>(y.high) + reach_.y - origin_.y, inverse_.y);
        return {max(min(one, other), 0.0f), max(one, other)};
    }

    struct Interval {
        float low, high;
    };
    /// The interval of x that a part of the path covers, up to the limit.
    [[nodiscard]] Interval covered(const Part& part) const {
        const float a = origin_.x + mul(part.begin, way_.x);
        const float b = origin_.x + mul(min(part.end, limit_), way_.x);
        return {min(a, b) - reach_.x, max(a, b) + reach_.x};
    }

    [[nodiscard]] bool meets(const AABB& box) const {
        return meets<1>(&box.min.x, &box.min.y, &box.max.x, &box.max.y) != 0;
    }

    /// Which of W boxes the path meets: bit i is box i. [Ericson2005 §5.3.3]
    template <int Width>
    [[nodiscard]] PHYS2D_INLINE unsigned meets(const float* min_x, const float* min_y,
                                               const float* max_x, const float* max_y) const {
        using Real = simd::Lanes<Width>;
        const auto axis = [](const float* low, const float* high, float origin, float inverse,
                             float reach) {
            const Real rate = Real::fill(inverse);
            const Real to_low = (Real::load(low) - Real::fill(origin + reach)) * rate;
            const Real to_high = (Real::load(high) - Real::fill(origin - reach)) * rate;
            struct {
                Real enter, leave;
            } times{min(to_low, to_high), max(to_low, to_high)};
            return times;
        };
        const auto x = axis(min_x, max_x, origin_.x, inverse_.x, reach_.x);
        const auto y = axis(min_y, max_y, origin_.y, inverse_.y, reach_.y);
        const Real enter = max(max(x.enter, y.enter), Real::fill(0.0f));
        const Real leave = min(min(x.leave, y.leave), Real::fill(limit_));
        return bits(enter <= leave);
    }

private:
    /// 1 / x for x that is never quite 0, so that 0 times the result is not NaN.
    [[nodiscard]] static float inverse(float x) {
        constexpr float least = 1e-30f;
        return 1.0f / (abs(x) > least ? x : least);
    }

    Vec2 origin_;
    Vec2 way_;
    Vec2 inverse_;
    Vec2 reach_;
    float limit_ = 1.0f;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

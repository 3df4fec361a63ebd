// SPDX-License-Identifier: MIT
// GridWay: a box that moves in a straight line, as the grid sees it.
// Everything is a little generous, so that rounding never hides a hit: what it finds is looked at exactly.
#pragma once

#include <phys2d/collision/grid_levels.hpp>
#include <phys2d/math/lanes.hpp>

namespace phys2d::detail::inline PHYS2D_ABI {

class GridWay {
public:
    /// From `origin` to `origin + way * limit`, with half extents `reach`.
    GridWay(Vec2 origin, Vec2 way, Vec2 reach, float limit)
        : origin_(origin), whole_(way), way_(way * limit), limit_(limit) {
        const Vec2 size = abs(origin) + abs(way_) + reach;
        const float slack = mul(max(size.x, size.y), 2e-6f);
        reach_ = reach + Vec2{slack, slack};
    }

    /// Returns whether the limit has changed.
    bool shorten(float limit) {
        const bool changes = limit != limit_;
        limit_ = limit;
        way_ = whole_ * limit;
        return changes;
    }

    [[nodiscard]] AABB bounds() const {
        const Vec2 end = origin_ + way_;
        return {min(origin_, end) - reach_, max(origin_, end) + reach_};
    }

    [[nodiscard]] bool runs_left() const { return way_.x < 0.0f; }

    struct Interval {
        float low, high;
    };
    /// The x it covers while it is within a span of y; empty (low > high) if it never is.
    [[nodiscard]] Interval within(const GridAxis::Span& y) const {
        const double low = y.low - reach_.y - origin_.y;
        const double high = y.high + reach_.y - origin_.y;
        const double rise = way_.y;
        double enter = low > 0.0 || high < 0.0 ? 1.0 : 0.0;
        double leave = 1.0 - enter;
        if (rise != 0.0) {
            const double first = (rise > 0.0 ? low : high) / rise;
            const double last = (rise > 0.0 ? high : low) / rise;
            enter = first > 0.0 ? first : 0.0;
            leave = last < 1.0 ? last : 1.0;
        }
        if (enter > leave) return {1.0f, 0.0f};
        const float a = origin_.x + static_cast<float>(phys2d::mul(enter, double{way_.x}));
        const float b = origin_.x + static_cast<float>(phys2d::mul(leave, double{way_.x}));
        return {min(a, b) - reach_.x, max(a, b) + reach_.x};
    }

    /// Whether it ends before it comes to a span of y.
    [[nodiscard]] bool stops_short_of(const GridAxis::Span& y) const {
        const AABB box = bounds();
        return way_.y < 0.0f ? y.high < box.min.y : box.max.y < y.low;
    }

    /// Which of W boxes it meets: bit i is box i. [Ericson2005 §5.3.3]
    template <int Width>
    [[nodiscard]] PHYS2D_INLINE unsigned meets(const float* min_x, const float* min_y,
                                               const float* max_x, const float* max_y) const {
        using Real = simd::Lanes<Width>;
        const auto axis = [](const float* low, const float* high, float origin, float way,
                             float reach) {
            const Real from = Real::fill(origin);
            const Real grown = Real::fill(reach);
            const Real direction = Real::fill(way < 0.0f ? -1.0f : 1.0f);
            const Real size = Real::fill(max(abs(way), 1e-30f));
            const Real to_low = (Real::load(low) - grown - from) * direction;
            const Real to_high = (Real::load(high) + grown - from) * direction;
            struct {
                Real enter, leave;
            } times{min(to_low, to_high) / size, max(to_low, to_high) / size};
            return times;
        };
        const auto x = axis(min_x, max_x, origin_.x, way_.x, reach_.x);
        const auto y = axis(min_y, max_y, origin_.y, way_.y, reach_.y);
        const Real enter = max(max(x.enter, y.enter), Real::fill(0.0f));
        const Real leave = min(min(x.leave, y.leave), Real::fill(1.0f));
        return bits(enter <= leave);
    }

private:
    Vec2 origin_;
    Vec2 whole_;
    Vec2 way_;
    Vec2 reach_;
    float limit_;
};

}  // namespace phys2d::detail::inline PHYS2D_ABI

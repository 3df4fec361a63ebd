// SPDX-License-Identifier: MIT
// GridWay: the path of a box that moves in a straight line, for queries of a grid. The path may be
// shortened during a query. Tests are slightly generous, so that rounding never hides a hit:
// results must be tested exactly. LevelWay: such a path in the rows and columns of one level.
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
        low_ = origin_ - reach_;
        high_ = origin_ + reach_;
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

    [[nodiscard]] bool meets(const AABB& box) const {
        return meets<1>(&box.min.x, &box.min.y, &box.max.x, &box.max.y) != 0;
    }

    /// Which of W boxes the path meets: bit i is box i. [Ericson2005 §5.3.3]
    template <int Width>
    [[nodiscard]] PHYS2D_INLINE unsigned meets(const float* min_x, const float* min_y,
                                               const float* max_x, const float* max_y) const {
        using Real = simd::Lanes<Width>;
        const auto axis = [](const float* min, const float* max, float low, float high,
                             float inverse) {
            const Real rate = Real::fill(inverse);
            const Real one = (Real::load(min) - Real::fill(high)) * rate;
            const Real other = (Real::load(max) - Real::fill(low)) * rate;
            struct {
                Real enter, leave;
            } times{simd::min(one, other), simd::max(one, other)};
            return times;
        };
        const auto x = axis(min_x, max_x, low_.x, high_.x, inverse_.x);
        const auto y = axis(min_y, max_y, low_.y, high_.y, inverse_.y);
        const Real enter = max(max(x.enter, y.enter), Real::fill(0.0f));
        const Real leave = min(min(x.leave, y.leave), Real::fill(limit_));
        return bits(enter <= leave);
    }

private:
    friend class LevelWay;

    /// 1 / x for x that is never quite 0, so that 0 times the result is not NaN.
    [[nodiscard]] static float inverse(float x) {
        constexpr float least = 1e-30f;
        return 1.0f / (abs(x) > least ? x : least);
    }

    Vec2 origin_;
    Vec2 way_;
    Vec2 inverse_;
    Vec2 reach_;
    Vec2 low_, high_;  // corners of the box at the start
    float limit_ = 1.0f;
};

/// A path in rows and columns, which it crosses at a steady rate.
class LevelWay {
public:
    LevelWay(const GridLevel& level, const GridWay& way)
        : left_(level.columns.places_to(way.low_.x)),
          right_(level.columns.places_to(way.high_.x)),
          bottom_(level.rows.places_to(way.low_.y)),
          top_(level.rows.places_to(way.high_.y)),
          columns_(mul(static_cast<double>(way.way_.x), level.columns.per_metre)),
          per_row_(mul(level.rows.pitch, static_cast<double>(way.inverse_.y))),
          row_count_(level.rows.count),
          last_column_(static_cast<double>(level.columns.count - 1)) {}

    /// A part of the path, in fractions of it.
    struct Part {
        double begin, end;
    };
    /// Where the path may meet boxes of a row, which extend into the next one. The first and the
    /// last row have boxes anywhere beyond them, too. Pre: the row is not behind the start.
    [[nodiscard]] Part in_row(std::int32_t row) const {
        constexpr double endless = 1e300;  // however low the rows are
        const double low = row == 0 ? -endless : static_cast<double>(row);
        const double high = row + 2 >= row_count_ ? endless : static_cast<double>(row + 2);
        const double one = mul(low - top_, per_row_);
        const double other = mul(high - bottom_, per_row_);
        return {larger_of(smaller_of(one, other), 0.0), larger_of(one, other)};
    }

    struct Columns {
        std::int32_t first, last;
    };
    /// The columns that a part of the path covers, up to a fraction `limit` of it.
    [[nodiscard]] Columns columns(const Part& part, float limit) const {
        const double begin = mul(part.begin, columns_);
        const double end = mul(smaller_of(part.end, static_cast<double>(limit)), columns_);
        return {column(left_ + smaller_of(begin, end)), column(right_ + larger_of(begin, end))};
    }

private:
    [[nodiscard]] std::int32_t column(double place) const {
        return static_cast<std::int32_t>(smaller_of(larger_of(place, 0.0), last_column_));
    }

    double left_, right_, bottom_, top_;  // of the box at the start, in columns and rows
    double columns_;                      // along the whole path; negative if it runs left
    double per_row_;                      // fraction
    std::int32_t row_count_;
    double last_column_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

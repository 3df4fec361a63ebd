// SPDX-License-Identifier: MIT
// GridQueries: which boxes of a grid overlap a given box, and which may a moving box hit?
//
// Tests a window of neighbours in each row, W boxes at a time.
#pragma once

#include <phys2d/collision/grid_rows.hpp>
#include <phys2d/collision/grid_way.hpp>
#include <phys2d/collision/overlap.hpp>
#include <phys2d/core/bits.hpp>
#include <phys2d/math/lanes.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class GridQueries : public GridRows {
public:
    /// Calls visit(i) for each box i that overlaps or touches `box`.
    template <int Width = PHYS2D_LANES>
    void for_each_overlap(const AABB& box, const auto& visit) const {
        for (std::size_t level = 0; level < row_ranges_.size(); ++level) {
            for_each_overlap_in<Width>(level, box, visit);
        }
    }

    /// Calls visit(i) for each box i that the path may hit, roughly from near to far.
    template <int Width = PHYS2D_LANES>
    void for_each_on_way(const GridWay& way, const auto& visit) const {
        for (const std::size_t level : fullest_first_) {  // a hit is likely there
            const Range boxes = members(level);
            const bool are_few = boxes.end - boxes.begin <= at_once<Width>;
            if (are_few) {  // testing all is faster than searching rows
                for_each_met<Width>(boxes, way, visit);
            } else if (overlaps(way.bounds(), level_at(level).bounds)) {
                for_each_in_rows_on_way<Width>(level, way, visit);
            }
        }
    }

protected:
    /// Calls visit(i) for each box i of a level that overlaps or touches `box`.
    template <int Width>
    void for_each_overlap_in(std::size_t level, const AABB& box, const auto& visit) const {
        const auto& [rows, columns, bounds, first_key] = level_at(level);
        if (!overlaps(box, bounds)) return;
        const std::int32_t last_row = rows.place(box.max.y);
        const std::int32_t last_column = columns.place(box.max.x);
        const std::int32_t first_column =
            columns.place(box.min.x) - GridLevels::columns_per_row_height;
        const Range range = row_ranges_[level];
        std::int32_t row = first_row_from(range, rows.place(box.min.y) - 1);
        for (; row < range.end && rows_[row].y <= last_row; ++row) {
            for_each_in_window<Width>(box, window(rows_[row], first_column, last_column), visit);
        }
    }

private:
    /// Tests a window, W boxes at a time.
    template <int Width>
    void for_each_in_window(const AABB& box, Range window, const auto& visit) const {
        using Real = simd::Lanes<Width>;
        const Real low_x = Real::fill(box.min.x);
        const Real low_y = Real::fill(box.min.y);
        const Real high_x = Real::fill(box.max.x);
        const Real high_y = Real::fill(box.max.y);
        for (std::int32_t j = window.begin; j < window.end; j += Width) {
            const auto overlaps =
                (Real::load(&min_x_[j]) <= high_x) & (low_x <= Real::load(&max_x_[j])) &
                (Real::load(&min_y_[j]) <= high_y) & (low_y <= Real::load(&max_y_[j]));
            const unsigned found = bits(overlaps) & lanes_in<Width>({j, window.end});
            for_each_bit(found, [&](int i) { visit(index_[j + i]); });
        }
    }

    /// The bits of W lanes that hold the first boxes of a range.
    template <int Width>
    [[nodiscard]] static unsigned lanes_in(Range places) {
        return (1u << smaller_of(places.end - places.begin, Width)) - 1u;
    }

    /// The boxes of a level on a path, row by row.
    template <int Width>
    void for_each_in_rows_on_way(std::size_t level, const GridWay& way, const auto& visit) const {
        const LevelWay there(level_at(level), way);
        const auto [begin, end] = row_ranges_[level];
        const std::int32_t step = way.runs_down() ? -1 : 1;
        for (std::int32_t i = first_row_on_way(level, way); i >= begin && i < end; i += step) {
            const LevelWay::Part part = there.in_row(rows_[i].y);
            if (part.begin > static_cast<double>(way.limit())) break;
            for_each_in_row_on_way<Width>(there, rows_[i], part, way, visit);
        }
    }

    /// The row where a path begins, among those whose boxes may be on it.
    [[nodiscard]] std::int32_t first_row_on_way(std::size_t level, const GridWay& way) const {
        const AABB box = way.bounds();
        const GridAxis& rows = level_at(level).rows;
        const Range range = row_ranges_[level];
        if (way.runs_down()) return first_row_from(range, rows.place(box.max.y) + 1) - 1;
        return first_row_from(range, rows.place(box.min.y) - 1);
    }

    /// The range of the boxes of a row that may be on a part of a path.
    [[nodiscard]] Range window_on_way(const LevelWay& there, const Row& row,
                                      const LevelWay::Part& part, float limit) const {
        const auto [first, last] = there.columns(part, limit);
        return window(row, first - GridLevels::columns_per_row_height, last);
    }

    /// Boxes tested before it is decided what to do with them: fewer decisions are guessed wrong.
    template <int Width>
    static constexpr std::int32_t at_once = 2 * Width;

    /// Calls visit(i) for those of the first boxes in a range that are on a path, from near to far.
    template <int Width>
    PHYS2D_INLINE void for_each_met(Range places, const GridWay& way, const auto& visit) const {
        unsigned met = 0;
        for (int k = 0; k < at_once<Width>; k += Width) {
            const std::size_t j = at(places.begin + k);
            met |= way.meets<Width>(&min_x_[j], &min_y_[j], &max_x_[j], &max_y_[j]) << k;
        }
        for_each_bit(met & lanes_in<at_once<Width>>(places), way.runs_left(),
                     [&](int i) { visit(index_[places.begin + i]); });
    }

    /// The boxes of a row on a part of a path, from near to far.
    template <int Width>
    void for_each_in_row_on_way(const LevelWay& there, const Row& row, const LevelWay::Part& part,
                                const GridWay& way, const auto& visit) const {
        const bool runs_left = way.runs_left();
        const std::int32_t cut_before = runs_left ? 0 : at_once<Width>;
        Range left = window_on_way(there, row, part, way.limit());
        while (left.begin < left.end) {
            const float limit = way.limit();
            const std::int32_t last = larger_of(left.end - at_once<Width>, row.begin);
            for_each_met<Width>({runs_left ? last : left.begin, left.end}, way, visit);
            left = {left.begin + cut_before, left.end - (at_once<Width> - cut_before)};
            if (left.begin < left.end && way.limit() < limit) {
                left = overlap(left, window_on_way(there, row, part, way.limit()));
            }
        }
    }
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

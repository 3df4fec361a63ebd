// SPDX-License-Identifier: MIT
// GridQueries: which of many boxes overlap a given one, and which may something meet on its way?
//
// Of each row a window of neighbours is tested, W boxes at a time.
#pragma once

#include <phys2d/collision/grid_rows.hpp>
#include <phys2d/collision/grid_way.hpp>
#include <phys2d/collision/overlap.hpp>
#include <phys2d/math/lanes.hpp>

namespace phys2d::detail::inline PHYS2D_ABI {

class GridQueries : public GridRows {
public:
    /// Calls visit(i) for each box i that overlaps or touches `box`.
    template <int Width = PHYS2D_LANES, class Visit>
    void for_each_overlap(const AABB& box, Visit visit) const {
        for (std::size_t level = 0; level < row_ranges_.size(); ++level) {
            for_each_overlap_in<Width>(level, box, visit);
        }
    }

    /// Calls visit(i) for each box i that something may meet on its way, roughly from near to far; the way gets
    /// shorter as `limit` does.
    template <int Width = PHYS2D_LANES, class Visit>
    void for_each_on_way(GridWay left, const float& limit, Visit visit) const {
        for (const std::size_t level : fullest_first_) {  // where something is met soon
            left.shorten(limit);
            if (!overlaps(left.bounds(), level_at(level).bounds)) continue;
            const Range boxes = members(level);
            if (boxes.end - boxes.begin <= Width) {  // sooner tested than looked for in rows
                for_each_met<Width>(boxes, left, visit);
                continue;
            }
            const auto [begin, end] = rows_on_way(level, left);
            for (std::int32_t k = 0; k < end - begin; ++k) {
                const Row& row = rows_[at(left.runs_down() ? end - 1 - k : begin + k)];
                const GridAxis::Span heights = level_at(level).rows.span_of(row.y, 2);
                left.shorten(limit);
                if (left.stops_short_of(heights)) break;
                for_each_in_row_on_way<Width>(level_at(level).columns, row, heights, left, limit,
                                              visit);
            }
        }
    }

protected:
    /// Calls visit(i) for each box i of a level that overlaps or touches `box`.
    template <int Width, class Visit>
    void for_each_overlap_in(std::size_t level, const AABB& box, Visit visit) const {
        const auto& [rows, columns, bounds, first_key] = level_at(level);
        if (!overlaps(box, bounds)) return;
        const std::int32_t last_row = rows.place(box.max.y);
        const std::int32_t end_column = columns.place(box.max.x);
        const std::int32_t first_column =
            columns.place(box.min.x) - GridLevels::columns_per_row_height;
        const Range range = row_ranges_[level];
        std::int32_t row = first_row_from(range, rows.place(box.min.y) - 1);
        for (; row < range.end && rows_[at(row)].y <= last_row; ++row) {
            const Range window{first_place_from(rows_[at(row)], first_column), rows_[at(row)].end};
            for_each_in_window<Width>(box, window, end_column, visit);
        }
    }

private:
    /// Tests a window as far as its columns reach up to `end_column`, W boxes at a time.
    template <int Width, class Visit>
    void for_each_in_window(const AABB& box, Range window, std::int32_t end_column,
                            Visit visit) const {
        using Real = simd::Lanes<Width>;
        const Real low_x = Real::fill(box.min.x);
        const Real low_y = Real::fill(box.min.y);
        const Real high_x = Real::fill(box.max.x);
        const Real high_y = Real::fill(box.max.y);
        for (std::int32_t j = window.begin; j < window.end && column_[at(j)] <= end_column;
             j += Width) {
            const auto overlaps =
                (Real::load(&min_x_[at(j)]) <= high_x) & (low_x <= Real::load(&max_x_[at(j)])) &
                (Real::load(&min_y_[at(j)]) <= high_y) & (low_y <= Real::load(&max_y_[at(j)]));
            for_each_found<Width>(bits(overlaps), {j, window.end}, visit);
        }
    }

    /// Calls visit(i) for the first W places in a range whose bits are set.
    template <int Width, class Visit>
    PHYS2D_INLINE void for_each_found(unsigned found, Range places, Visit visit) const {
        const std::int32_t count = places.end - places.begin;
        if (count < Width) found &= (1u << count) - 1u;
        for (; found != 0; found &= found - 1) {
            visit(index_[at(places.begin + std::countr_zero(found))]);
        }
    }

    /// The rows whose boxes may be on a way.
    [[nodiscard]] Range rows_on_way(std::size_t level, const GridWay& way) const {
        const AABB box = way.bounds();
        const auto& [rows, columns, bounds, first_key] = level_at(level);
        const Range range = row_ranges_[level];
        const std::int32_t begin = first_row_from(range, rows.place(box.min.y) - 1);
        return {begin, first_row_from({begin, range.end}, rows.place(box.max.y) + 1)};
    }

    struct Columns {
        std::int32_t first, last;
    };
    /// The columns of the boxes of a row that may be on a way.
    [[nodiscard]] static Columns columns_on_way(const GridAxis& columns,
                                                const GridAxis::Span& heights, const GridWay& way) {
        const auto [low, high] = way.within(heights);
        if (!(low <= high)) return {1, 0};
        return {columns.place(low) - GridLevels::columns_per_row_height, columns.place(high)};
    }

    /// Calls visit(i) for those of the first W places in a range that are on a way.
    template <int Width, class Visit>
    PHYS2D_INLINE void for_each_met(Range places, const GridWay& way, Visit visit) const {
        const std::size_t j = at(places.begin);
        const unsigned met = way.meets<Width>(&min_x_[j], &min_y_[j], &max_x_[j], &max_y_[j]);
        for_each_found<Width>(met, places, visit);
    }

    /// The boxes of a row on a way, W at a time, from near to far; the way gets shorter as `limit` does.
    template <int Width, class Visit>
    void for_each_in_row_on_way(const GridAxis& columns, const Row& row,
                                const GridAxis::Span& heights, GridWay way, const float& limit,
                                Visit visit) const {
        Columns reach = columns_on_way(columns, heights, way);
        if (reach.first > reach.last) return;
        const auto meet = [&](std::int32_t j, std::int32_t end) {
            for_each_met<Width>({j, end}, way, visit);
            if (way.shorten(limit)) reach = columns_on_way(columns, heights, way);
        };
        if (way.runs_left()) {
            std::int32_t end = first_place_from(row, reach.last + 1);
            while (end > row.begin && column_[at(end - 1)] >= reach.first) {
                const std::int32_t j = end - Width > row.begin ? end - Width : row.begin;
                meet(j, end);
                end = j;
            }
        } else {
            std::int32_t j = first_place_from(row, reach.first);
            for (; j < row.end && column_[at(j)] <= reach.last; j += Width) meet(j, row.end);
        }
    }
};

}  // namespace phys2d::detail::inline PHYS2D_ABI

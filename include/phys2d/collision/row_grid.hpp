// SPDX-License-Identifier: MIT
// RowGrid: which of many boxes overlap each other, and which overlap a given box?
//
// Boxes lie in horizontal rows by their lower edge, a row at least as high as any of its boxes, and
// within a row they are sorted by their left edge. So a box can only meet boxes of its own row and of
// the rows above and below, and there only a window of neighbours in sorted order, which is tested
// W boxes at a time. Boxes of very different sizes live in levels of their own, each half as high as
// the one before: a box of a fine level looks into the coarser ones, never the other way round. The
// grid is rebuilt by one radix sort; nothing depends on where in the world the boxes are, and empty
// space costs nothing.
//
// Data: per box 16 bytes of corners in four columns, 4 of its window position, 4 of its index.
// [Ericson2005 §7.1 grids, §7.1.6 hierarchies; Baraff1992 sweep and prune]
#pragma once

#include <bit>
#include <climits>
#include <cstdint>
#include <limits>
#include <span>

#include <phys2d/core/array.hpp>
#include <phys2d/core/radix_sort.hpp>
#include <phys2d/math/lanes.hpp>
#include <phys2d/shapes/aabb.hpp>

namespace phys2d::detail::inline PHYS2D_ABI {

class RowGrid {
public:
    /// Holds these boxes from now on; they are known by their index. Pre: valid boxes.
    void build(std::span<const AABB> boxes) {
        measure_levels(boxes);
        sort_into_rows(boxes);
        fill_columns(boxes);
    }

    /// Calls visit(i, j) once for each pair of boxes that overlap or touch, in an order that depends
    /// on nothing but the boxes.
    template <class Visit>
    void for_each_pair(Visit visit) const {
        for (const Level& level : levels_) {
            for (std::size_t row = level.first_row; row < level.end_row; ++row) {
                visit_pairs_within(level, rows_[row], visit);
                const bool above = row + 1 < level.end_row && rows_[row + 1].y == rows_[row].y + 1;
                if (above) visit_pairs_between(level, rows_[row], rows_[row + 1], visit);
            }
            for (const Level* coarser = levels_.data(); coarser != &level; ++coarser) {
                join(level, *coarser, *this, visit);
            }
        }
    }

    /// Calls visit(i, j) once for each box i of this grid and j of the other that overlap or touch.
    template <class Visit>
    void for_each_pair_with(const RowGrid& other, Visit visit) const {
        for (const Level& mine : levels_) {
            for (const Level& theirs : other.levels_) join(mine, theirs, other, visit);
        }
    }

    /// Calls visit(i) for each box that overlaps or touches `box`.
    template <class Visit>
    void for_each_overlap(const AABB& box, Visit visit) const {
        for (const Level& level : levels_) visit_overlaps(level, box, visit);
    }

private:
    static constexpr int level_limit = 32;
    static constexpr int columns_per_cell = 4;  // finer columns: tighter windows, more bits to sort
    static constexpr int width = PHYS2D_LANES;
    using Real = simd::Lanes<width>;

    /// Rows and columns of one size class. A column is a quarter of a row's height.
    struct Level {
        double rows_per_metre;
        float columns_per_metre;
        Vec2 origin;
        AABB bounds;
        std::int32_t row_count;
        std::int32_t column_count;
        std::uint64_t first_key;
        std::size_t first_row, end_row;  // in rows_

        [[nodiscard]] std::int32_t row_at(float y) const {
            return place((static_cast<double>(y) - origin.y) * rows_per_metre, row_count);
        }
        [[nodiscard]] std::int32_t column_at(float x) const {
            return place((static_cast<double>(x) - origin.x) * (rows_per_metre * columns_per_cell),
                         column_count);
        }
        /// Beyond the ends the first and the last place stand for everything further out.
        [[nodiscard]] static std::int32_t place(double offset, std::int32_t count) {
            const double from_zero = offset > 0.0 ? offset : 0.0;
            return from_zero < count ? static_cast<std::int32_t>(from_zero) : count - 1;
        }
    };

    struct Span {
        std::int32_t begin, end;  // in the columns
    };
    struct Row : Span {
        std::int32_t y;
    };

    [[nodiscard]] static int index_bits_for(std::size_t count) {
        return static_cast<int>(std::bit_width(count));
    }

    [[nodiscard]] static float extent(const AABB& box) { return max(size(box).x, size(box).y); }

    /// How often `largest` can be halved and still cover `box`.
    [[nodiscard]] static int level_of(const AABB& box, float largest) {
        const float ratio = largest / max(extent(box), std::numeric_limits<float>::min());
        const int exponent = static_cast<int>(__builtin_bit_cast(std::uint32_t, ratio) >> 23) - 127;
        return exponent < 0 ? 0 : (exponent < level_limit ? exponent : level_limit - 1);
    }

    void measure_levels(std::span<const AABB> boxes) {
        constexpr float infinity = std::numeric_limits<float>::infinity();
        constexpr AABB nothing{{infinity, infinity}, {-infinity, -infinity}};
        AABB bounds[level_limit];
        for (AABB& box : bounds) box = nothing;
        largest_ = 0.0f;
        for (const AABB& box : boxes) largest_ = max(extent(box), largest_);
        for (const AABB& box : boxes) {
            AABB& level = bounds[level_of(box, largest_)];
            level = merge(box, level);
        }

        levels_.clear();
        const int index_bits = index_bits_for(boxes.size());
        const int side_bits = (64 - index_bits - 5) / 2;  // 5 bits for the levels
        std::uint64_t first_key = 0;
        for (int i = 0; i < level_limit; ++i) {
            level_at_[i] = static_cast<std::int32_t>(levels_.size());
            if (bounds[i].min.x > bounds[i].max.x) continue;
            levels_.push_back(make_level(bounds[i], i, side_bits < 30 ? side_bits : 30, boxes));
            levels_.back().first_key = first_key;
            first_key += static_cast<std::uint64_t>(levels_.back().row_count) *
                         static_cast<std::uint64_t>(levels_.back().column_count);
        }
        key_bits_ = static_cast<int>(std::bit_width(first_key));
    }

    /// Rows are a hair higher than the largest box of the level, so that rounding never matters.
    [[nodiscard]] Level make_level(const AABB& bounds, int halvings, int side_bits,
                                   std::span<const AABB> boxes) const {
        const double height = static_cast<double>(max(largest_, std::numeric_limits<float>::min())) /
                              static_cast<double>(std::uint64_t{1} << halvings) * 1.0001;
        const double places = static_cast<double>(std::int32_t{1} << side_bits);
        const double rows = (static_cast<double>(bounds.max.y) - bounds.min.y) / height + 1.0;
        const double columns =
            (static_cast<double>(bounds.max.x) - bounds.min.x) / height * columns_per_cell + 1.0;
        Level level{1.0 / height,
                    static_cast<float>(columns_per_cell / height),
                    bounds.min,
                    bounds,
                    0, 0, 0, 0, 0};
        if (rows > places || columns > places) level.origin = origin_around_most(boxes, height, places);
        level.row_count = static_cast<std::int32_t>(rows < places ? rows : places);
        level.column_count = static_cast<std::int32_t>(columns < places ? columns : places);
        return level;
    }

    /// Bodies scattered further than the keys reach: the window goes around the median of a sample,
    /// so that strays share an edge place and the rest stays spread out.
    [[nodiscard]] static Vec2 origin_around_most(std::span<const AABB> boxes, double height,
                                                 double places) {
        constexpr std::size_t sample_size = 31;
        float x[sample_size];
        float y[sample_size];
        for (std::size_t i = 0; i < sample_size; ++i) {
            const AABB& box = boxes[i * boxes.size() / sample_size];
            insert_sorted(x, i, box.min.x);
            insert_sorted(y, i, box.min.y);
        }
        const double half = 0.5 * places * height;
        return {static_cast<float>(x[sample_size / 2] - half / columns_per_cell),
                static_cast<float>(y[sample_size / 2] - half)};
    }

    static void insert_sorted(float* sorted, std::size_t count, float value) {
        for (; count > 0 && value < sorted[count - 1]; --count) sorted[count] = sorted[count - 1];
        sorted[count] = value;
    }

    void sort_into_rows(std::span<const AABB> boxes) {
        const int index_bits = index_bits_for(boxes.size());
        words_.make_room(boxes.size());
        word_scratch_.make_room(boxes.size());
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const Level& level = level_for(boxes[i]);
            const auto row = static_cast<std::uint64_t>(level.row_at(boxes[i].min.y));
            const auto column = static_cast<std::uint64_t>(level.column_at(boxes[i].min.x));
            const auto columns = static_cast<std::uint64_t>(level.column_count);
            words_[i] = (level.first_key + row * columns + column) << index_bits | i;
        }
        radix_sort(words_, word_scratch_, boxes.size(), index_bits, key_bits_);
    }

    [[nodiscard]] const Level& level_for(const AABB& box) const {
        return levels_.size() == 1 ? levels_[0]
                                   : levels_[static_cast<std::size_t>(
                                         level_at_[level_of(box, largest_)])];
    }

    void fill_columns(std::span<const AABB> boxes) {
        const int index_bits = index_bits_for(boxes.size());
        const std::uint64_t index_mask = (std::uint64_t{1} << index_bits) - 1;
        const std::size_t count = boxes.size();
        for (Array<float>* column : {&min_x_, &min_y_, &max_x_, &max_y_}) {
            column->make_room(count + width);
        }
        column_.make_room(count + width);
        index_.make_room(count);
        rows_.clear();

        std::size_t next_level = 0;
        std::uint64_t row_end_key = 0;
        std::uint64_t row_key = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t key = words_[i] >> index_bits;
            const std::uint64_t box_index = words_[i] & index_mask;
            if (key >= row_end_key) {
                next_level = begin_row(key, i, next_level);
                const auto columns = static_cast<std::uint64_t>(levels_[next_level - 1].column_count);
                row_key = levels_[next_level - 1].first_key +
                          static_cast<std::uint64_t>(rows_.back().y) * columns;
                row_end_key = row_key + columns;
            }
            const AABB& box = boxes[box_index];
            min_x_[i] = box.min.x;
            min_y_[i] = box.min.y;
            max_x_[i] = box.max.x;
            max_y_[i] = box.max.y;
            column_[i] = static_cast<std::int32_t>(key - row_key);
            index_[i] = static_cast<std::int32_t>(box_index);
        }
        end_rows(count);
    }

    /// Opens the row of `key` at place i, entering its level if that is a new one.
    std::size_t begin_row(std::uint64_t key, std::size_t i, std::size_t next_level) {
        while (next_level < levels_.size() && key >= levels_[next_level].first_key) {
            levels_[next_level].first_row = rows_.size();
            ++next_level;
        }
        const Level& level = levels_[next_level - 1];
        const auto columns = static_cast<std::uint64_t>(level.column_count);
        const auto y = static_cast<std::int32_t>((key - level.first_key) / columns);
        rows_.push_back({{static_cast<std::int32_t>(i), 0}, y});
        return next_level;
    }

    void end_rows(std::size_t count) {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            rows_[i].end = i + 1 < rows_.size() ? rows_[i + 1].begin : static_cast<std::int32_t>(count);
        }
        for (std::size_t i = 0; i < levels_.size(); ++i) {
            levels_[i].end_row = i + 1 < levels_.size() ? levels_[i + 1].first_row : rows_.size();
        }
        for (std::size_t i = count; i < count + width; ++i) column_[i] = INT_MAX;  // ends every window
    }

    /// The last column that the box at place i can reach into, rounding included.
    [[nodiscard]] std::int32_t last_column(const Level& level, std::int32_t i) const {
        const float width_in_columns = (max_x_[at(i)] - min_x_[at(i)]) * level.columns_per_metre;
        return column_[at(i)] + static_cast<std::int32_t>(width_in_columns) + 1;
    }

    template <class Visit>
    void visit_pairs_within(const Level& level, const Row& row, Visit& visit) const {
        for (std::int32_t i = row.begin; i < row.end; ++i) {
            visit_window(box_at(i), i + 1, row.end, last_column(level, i),
                         [&](std::int32_t j) { visit(index_[at(i)], index_[at(j)]); });
        }
    }

    template <class Visit>
    void visit_pairs_between(const Level& level, const Row& row, const Row& above,
                             Visit& visit) const {
        std::int32_t begin = above.begin;
        for (std::int32_t i = row.begin; i < row.end; ++i) {
            const std::int32_t first = column_[at(i)] - columns_per_cell;
            while (begin < above.end && column_[at(begin)] < first) ++begin;
            visit_window(box_at(i), begin, above.end, last_column(level, i),
                         [&](std::int32_t j) { visit(index_[at(i)], index_[at(j)]); });
        }
    }

    /// Pairs of one level of this grid and one of another (or another level of this): the boxes of the
    /// smaller level look for theirs in the larger one.
    template <class Visit>
    void join(const Level& mine, const Level& theirs, const RowGrid& other, Visit& visit) const {
        const bool swapped = other.population(theirs) < population(mine);
        const RowGrid& small = swapped ? other : *this;
        const RowGrid& large = swapped ? *this : other;
        const Level& searched = swapped ? mine : theirs;
        const Span seekers = small.members(swapped ? theirs : mine);
        for (std::int32_t i = seekers.begin; i < seekers.end; ++i) {
            const std::int32_t seeker = small.index_[at(i)];
            large.visit_overlaps(searched, small.box_at(i), [&](std::int32_t found) {
                visit(swapped ? found : seeker, swapped ? seeker : found);
            });
        }
    }

    [[nodiscard]] Span members(const Level& level) const {
        return {rows_[level.first_row].begin, rows_[level.end_row - 1].end};
    }
    [[nodiscard]] std::int32_t population(const Level& level) const {
        return members(level).end - members(level).begin;
    }

    template <class Visit>
    void visit_overlaps(const Level& level, const AABB& box, Visit visit) const {
        if (!(box.min.x <= level.bounds.max.x && level.bounds.min.x <= box.max.x &&
              box.min.y <= level.bounds.max.y && level.bounds.min.y <= box.max.y)) {
            return;
        }
        const std::int32_t last_row = level.row_at(box.max.y);
        const std::int32_t first_column = level.column_at(box.min.x) - columns_per_cell;
        const std::int32_t end_column = level.column_at(box.max.x);
        std::size_t row = first_row_from(level, level.row_at(box.min.y) - 1);
        for (; row < level.end_row && rows_[row].y <= last_row; ++row) {
            const std::int32_t begin = first_from(rows_[row], first_column);
            visit_window(box, begin, rows_[row].end, end_column,
                         [&](std::int32_t j) { visit(index_[at(j)]); });
        }
    }

    /// Tests [begin, end) as far as their columns reach up to `end_column`, W boxes at a time.
    template <class Visit>
    PHYS2D_INLINE void visit_window(const AABB& box, std::int32_t begin, std::int32_t end,
                                    std::int32_t end_column, Visit visit) const {
        const Real low_x = Real::fill(box.min.x);
        const Real low_y = Real::fill(box.min.y);
        const Real high_x = Real::fill(box.max.x);
        const Real high_y = Real::fill(box.max.y);
        for (std::int32_t j = begin; j < end && column_[at(j)] <= end_column; j += width) {
            const auto hits = (Real::load(&min_x_[at(j)]) <= high_x) &
                              (low_x <= Real::load(&max_x_[at(j)])) &
                              (Real::load(&min_y_[at(j)]) <= high_y) &
                              (low_y <= Real::load(&max_y_[at(j)]));
            unsigned found = bits(hits);
            if (end - j < width) found &= (1u << (end - j)) - 1u;
            for (; found != 0; found &= found - 1) visit(j + std::countr_zero(found));
        }
    }

    [[nodiscard]] std::size_t first_row_from(const Level& level, std::int32_t y) const {
        std::size_t low = level.first_row;
        for (std::size_t count = level.end_row - low; count > 0;) {
            const std::size_t half = count / 2;
            const bool before = rows_[low + half].y < y;
            low = before ? low + half + 1 : low;
            count = before ? count - half - 1 : half;
        }
        return low;
    }

    [[nodiscard]] std::int32_t first_from(const Row& row, std::int32_t column) const {
        std::int32_t low = row.begin;
        for (std::int32_t count = row.end - low; count > 0;) {
            const std::int32_t half = count / 2;
            const bool before = column_[at(low + half)] < column;
            low = before ? low + half + 1 : low;
            count = before ? count - half - 1 : half;
        }
        return low;
    }

    [[nodiscard]] AABB box_at(std::int32_t i) const {
        return {{min_x_[at(i)], min_y_[at(i)]}, {max_x_[at(i)], max_y_[at(i)]}};
    }

    Array<Level> levels_;  // coarse to fine
    Array<Row> rows_;
    Array<float> min_x_, min_y_, max_x_, max_y_;
    Array<std::int32_t> column_;
    Array<std::int32_t> index_;
    Array<std::uint64_t> words_, word_scratch_;
    std::int32_t level_at_[level_limit] = {};
    float largest_ = 0.0f;
    int key_bits_ = 0;
};

}  // namespace phys2d::detail::inline PHYS2D_ABI

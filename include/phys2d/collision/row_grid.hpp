// SPDX-License-Identifier: MIT
// RowGrid: which of many boxes overlap each other, and which overlap a given box?
//
// Boxes lie in horizontal rows by their lower edge, a row at least as high as any of its boxes, and
// within a row they are sorted by their left edge. So a box can only meet boxes of its own row and of
// the rows above and below, and there only a window of neighbours in sorted order, which is tested
// W boxes at a time. Boxes of very different sizes live in levels of their own, each an eighth as high
// as the one before; of two levels, the boxes of the one with fewer look into the other. The grid is
// rebuilt by one radix sort, boxes may be anywhere in the world, and empty space costs nothing.
//
// Data: per box 16 bytes of corners in four columns, 4 of its window position, 4 of its index.
// [Ericson2005 §7.1 grids, §7.1.6 hierarchies; Baraff1992 sweep and prune]
#pragma once

#include <bit>
#include <climits>
#include <cstdint>
#include <initializer_list>

#include <phys2d/collision/grid_levels.hpp>
#include <phys2d/collision/grid_way.hpp>
#include <phys2d/collision/overlap.hpp>
#include <phys2d/core/radix_sort.hpp>
#include <phys2d/core/shell_sort.hpp>
#include <phys2d/math/lanes.hpp>

namespace phys2d::detail::inline PHYS2D_ABI {

struct IndexPair {
    std::int32_t first, second;
};

class RowGrid {
public:
    /// Holds these boxes from now on; they are known by their index. Pre: valid boxes.
    void build(Span<const AABB> boxes) {
        const int index_bits = static_cast<int>(std::bit_width(boxes.size()));
        count_ = boxes.size();
        reserve(count_);
        levels_.measure(boxes, 64 - index_bits);
        sort_words(boxes, index_bits);
        fill_columns(boxes, index_bits);
        find_rows(boxes.size(), index_bits);
    }

    /// Makes room for so many boxes, so that building does not allocate. What it holds is lost.
    void reserve(std::size_t count) {
        for (Array<float>* corner : {&min_x_, &min_y_, &max_x_, &max_y_}) {
            corner->make_room(count + slack);
        }
        column_.make_room(count + slack);
        index_.make_room(count);
        words_.make_room(count);
        word_scratch_.make_room(count);
        rows_.resize_for_overwrite(count);
        rows_.clear();
    }

    /// The boxes' indices in the order in which they lie: row by row.
    [[nodiscard]] Span<const std::int32_t> order() const { return {index_.data(), count_}; }

    /// Appends each pair of boxes that overlap or touch, once, in an order that depends on nothing but
    /// the boxes.
    template <int Width = PHYS2D_LANES>
    void append_pairs(Array<IndexPair>& pairs) const {
        for (std::size_t level = 0; level < row_ranges_.size(); ++level) {
            const auto [first, end] = row_ranges_[level];
            for (std::int32_t row = first; row < end; ++row)
                append_pairs_of<Width>(row, end, pairs);
            for (std::size_t coarser = 0; coarser < level; ++coarser) {
                join<Width>(level, coarser, *this, pairs);
            }
        }
    }

    /// Appends each pair of a box of this grid and one of the other that overlap or touch.
    template <int Width = PHYS2D_LANES>
    void append_pairs_with(const RowGrid& other, Array<IndexPair>& pairs) const {
        for (std::size_t mine = 0; mine < row_ranges_.size(); ++mine) {
            for (std::size_t theirs = 0; theirs < other.row_ranges_.size(); ++theirs) {
                join<Width>(mine, theirs, other, pairs);
            }
        }
    }

    /// Appends {seeker, i} for each box i that overlaps or touches `box`.
    template <int Width = PHYS2D_LANES>
    void append_overlaps(const AABB& box, std::int32_t seeker, Array<IndexPair>& pairs) const {
        for_each_overlap<Width>(box, Appender{seeker, pairs});
    }

    /// Calls visit(i) for each box i that overlaps or touches `box`.
    template <int Width = PHYS2D_LANES, class Visit>
    void for_each_overlap(const AABB& box, Visit visit) const {
        for (std::size_t level = 0; level < row_ranges_.size(); ++level) {
            for_each_overlap_in<Width>(level, box, visit);
        }
    }

    /// Calls visit(i) for each box i that a box of half extents `reach` may meet on its way from `origin` to
    /// `origin + way * limit`; roughly from near to far, so that a visit that lowers `limit` spares others.
    template <int Width = PHYS2D_LANES, class Visit>
    void for_each_on_way(Vec2 origin, Vec2 way, Vec2 reach, const float& limit, Visit visit) const {
        GridWay left(origin, way, reach, limit);
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

private:
    static constexpr std::size_t slack = 8;  // places behind the last box, for the widest lanes
    static constexpr std::int32_t widest =
        GridLevels::columns_per_row_height + 1;  // box, in columns

    /// What appends to a list.
    struct Appender {
        std::int32_t seeker;
        Array<IndexPair>& pairs;

        void operator()(std::int32_t i) const { pairs.push_back({seeker, i}); }
    };

    struct Range {
        std::int32_t begin, end;
    };
    struct Row : Range {  // of places in the columns
        std::int32_t y;
    };

    /// Up to eight boxes in a row, to be compared with one box after the other.
    template <int Width>
    struct Octet {
        using Real = simd::Lanes<Width>;
        static constexpr int size = 8;
        static constexpr int batches = size / Width;

        Real min_x[batches], min_y[batches], max_x[batches], max_y[batches];
        std::int32_t first, last;  // places
        unsigned lanes;            // that hold a box

        struct Hit {
            std::int32_t place;
            unsigned lanes;
        };
        static constexpr int hit_room = 64;
        Hit hits[hit_room];
        int hit_count = 0;

        PHYS2D_INLINE Octet(const RowGrid& grid, std::int32_t begin, std::int32_t end)
            : first(begin) {
            for (int k = 0; k < batches; ++k) {
                const std::size_t place = at(first + k * Width);
                min_x[k] = Real::load(&grid.min_x_[place]);
                min_y[k] = Real::load(&grid.min_y_[place]);
                max_x[k] = Real::load(&grid.max_x_[place]);
                max_y[k] = Real::load(&grid.max_y_[place]);
            }
            const std::int32_t count = end - first < size ? end - first : size;
            last = first + count - 1;
            lanes = (1u << count) - 1u;
        }

        /// Notes the boxes of `chosen` lanes that overlap the one at place j. Most do not: writing without
        /// asking costs less than guessing wrong.
        PHYS2D_INLINE void meet(const RowGrid& grid, std::int32_t j, unsigned chosen,
                                Array<IndexPair>& pairs) {
            const unsigned found = overlaps(grid, at(j)) & chosen;
            hits[hit_count] = {j, found};
            hit_count += found != 0 ? 1 : 0;
            if (hit_count == hit_room) flush(grid, pairs);
        }

        void flush(const RowGrid& grid, Array<IndexPair>& pairs) {
            for (int k = 0; k < hit_count; ++k) {
                for (unsigned left = hits[k].lanes; left != 0; left &= left - 1) {
                    pairs.push_back({grid.index_[at(first + std::countr_zero(left))],
                                     grid.index_[at(hits[k].place)]});
                }
            }
            hit_count = 0;
        }

    private:
        PHYS2D_INLINE unsigned overlaps(const RowGrid& grid, std::size_t j) const {
            const Real low_x = Real::fill(grid.min_x_[j]);
            const Real low_y = Real::fill(grid.min_y_[j]);
            const Real high_x = Real::fill(grid.max_x_[j]);
            const Real high_y = Real::fill(grid.max_y_[j]);
            unsigned found = 0;
            for (int k = 0; k < batches; ++k) {
                const auto lanes_hit = (min_x[k] <= high_x) & (low_x <= max_x[k]) &
                                       (min_y[k] <= high_y) & (low_y <= max_y[k]);
                found |= bits(lanes_hit) << (k * Width);
            }
            return found;
        }
    };

    /// One word a box, its key above its index, in the order of the keys.
    void sort_words(Span<const AABB> boxes, int index_bits) {
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            words_[i] = levels_.key_of(boxes[i]) << index_bits | i;
        }
        radix_sort(words_, word_scratch_, boxes.size(), index_bits, levels_.key_bits());
    }

    void fill_columns(Span<const AABB> boxes, int index_bits) {
        const std::size_t count = boxes.size();
        const std::uint64_t index_mask = (std::uint64_t{1} << index_bits) - 1;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t index = words_[i] & index_mask;
            const AABB& box = boxes[index];
            min_x_[i] = box.min.x;
            min_y_[i] = box.min.y;
            max_x_[i] = box.max.x;
            max_y_[i] = box.max.y;
            index_[i] = static_cast<std::int32_t>(index);
        }
    }

    /// Cuts the sorted boxes into rows and levels, and notes each one's column in its row.
    void find_rows(std::size_t count, int index_bits) {
        rows_.clear();
        row_ranges_.clear();
        std::uint64_t row_key = 0;
        std::uint64_t row_end_key = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t key = words_[i] >> index_bits;
            if (key >= row_end_key) {
                const GridLevel& level = open_row(key, static_cast<std::int32_t>(i));
                row_key = level.key_of_row(rows_.back().y);
                row_end_key = level.key_of_row(rows_.back().y + 1);
            }
            column_[i] = static_cast<std::int32_t>(key - row_key);
            rows_.back().end = static_cast<std::int32_t>(i) + 1;
        }
        for (std::size_t i = count; i < count + slack; ++i)
            column_[i] = INT_MAX;  // ends every window
        sort_levels();
    }

    void sort_levels() {
        fullest_first_.clear();
        for (std::size_t level = 0; level < row_ranges_.size(); ++level) {
            fullest_first_.push_back(level);
        }
        const auto count_in = [&](std::size_t level) {
            return members(level).end - members(level).begin;
        };
        shell_sort(fullest_first_,
                   [&](std::size_t a, std::size_t b) { return count_in(a) > count_in(b); });
    }

    /// Begins the row of `key` at `place`, in the level to which the key belongs.
    const GridLevel& open_row(std::uint64_t key, std::int32_t place) {
        const Array<GridLevel>& levels = levels_.all();
        const auto next_row = static_cast<std::int32_t>(rows_.size());
        while (row_ranges_.size() < levels.size() && levels[row_ranges_.size()].first_key <= key) {
            row_ranges_.push_back({next_row, next_row});
        }
        const GridLevel& level = levels[row_ranges_.size() - 1];
        rows_.push_back({{place, place}, level.row_of_key(key)});
        row_ranges_.back().end = next_row + 1;
        return level;
    }

    [[nodiscard]] const GridLevel& level_at(std::size_t level) const {
        return levels_.all()[level];
    }

    /// Pairs within a row, and of the row with the one above. The row is taken eight boxes at a time, at
    /// every width, so that pairs are found in the same order.
    template <int Width>
    void append_pairs_of(std::int32_t row, std::int32_t end_row, Array<IndexPair>& pairs) const {
        const Row& here = rows_[at(row)];
        const bool is_above = row + 1 < end_row && rows_[at(row + 1)].y == here.y + 1;
        Range above = is_above ? Range(rows_[at(row + 1)]) : Range{};
        for (std::int32_t i = here.begin; i < here.end; i += Octet<Width>::size) {
            Octet<Width> octet(*this, i, here.end);
            const std::int32_t first_column = column_[at(i)] - widest;
            const std::int32_t last_column = column_[at(octet.last)] + widest;
            while (above.begin < above.end && column_[at(above.begin)] < first_column) {
                ++above.begin;
            }
            for (std::int32_t j = i + 1; j < here.end && column_[at(j)] <= last_column; ++j) {
                const int before = j - i < Octet<Width>::size ? j - i : Octet<Width>::size;
                octet.meet(*this, j, octet.lanes & ((1u << before) - 1u), pairs);
            }
            for (std::int32_t j = above.begin; j < above.end && column_[at(j)] <= last_column;
                 ++j) {
                octet.meet(*this, j, octet.lanes, pairs);
            }
            octet.flush(*this, pairs);
        }
    }

    /// Pairs of one level of this grid and one of another (or another level of this): the boxes of the
    /// smaller level look for theirs in the larger one.
    template <int Width>
    void join(std::size_t mine, std::size_t theirs, const RowGrid& other,
              Array<IndexPair>& pairs) const {
        const Range members_here = members(mine);
        const Range members_there = other.members(theirs);
        const bool swapped =
            members_there.end - members_there.begin < members_here.end - members_here.begin;
        const RowGrid& small = swapped ? other : *this;
        const RowGrid& large = swapped ? *this : other;
        const auto [begin, end] = swapped ? members_there : members_here;
        const std::size_t first = pairs.size();
        for (std::int32_t i = begin; i < end; ++i) {
            large.for_each_overlap_in<Width>(swapped ? mine : theirs, small.box_at(i),
                                             Appender{small.index_[at(i)], pairs});
        }
        for (std::size_t i = first; swapped && i < pairs.size(); ++i) {
            pairs[i] = {pairs[i].second, pairs[i].first};
        }
    }

    [[nodiscard]] Range members(std::size_t level) const {
        const auto [first, end] = row_ranges_[level];
        return {rows_[at(first)].begin, rows_[at(end - 1)].end};
    }

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

    /// The first of `range` for which is_before(i) is false. Pre: true before, false after.
    template <class IsBefore>
    [[nodiscard]] static std::int32_t partition_point(Range range, IsBefore is_before) {
        std::int32_t low = range.begin;
        for (std::int32_t count = range.end - low; count > 0;) {
            const std::int32_t half = count / 2;
            const bool before = is_before(low + half);
            low = before ? low + half + 1 : low;
            count = before ? count - half - 1 : half;
        }
        return low;
    }
    /// Rows seldom have gaps: the one that would be it without any is looked at first.
    [[nodiscard]] std::int32_t first_row_from(Range rows, std::int32_t y) const {
        const auto is_before = [&](std::int32_t row) { return rows_[at(row)].y < y; };
        if (rows.begin == rows.end || !is_before(rows.begin)) return rows.begin;
        const std::int32_t there = rows.begin + (y - rows_[at(rows.begin)].y);
        const std::int32_t last = there < rows.end ? there : rows.end;
        return is_before(last - 1) ? last : partition_point({rows.begin, last - 1}, is_before);
    }
    /// Begins where the column would be if the row were evenly filled.
    [[nodiscard]] std::int32_t first_place_from(const Row& row, std::int32_t column) const {
        const std::int32_t low = column_[at(row.begin)];
        const std::int32_t high = column_[at(row.end - 1)];
        if (column <= low) return row.begin;
        if (column > high) return row.end;
        const auto part = static_cast<float>(column - low) / static_cast<float>(high - low + 1);
        const auto guess =
            static_cast<std::int32_t>(mul(part, static_cast<float>(row.end - row.begin)));
        const auto is_before = [&](std::int32_t i) { return column_[at(i)] < column; };
        const std::int32_t there = row.begin + guess < row.end ? row.begin + guess : row.end - 1;
        Range range{there, there};
        for (std::int32_t way = 4; range.end < row.end && is_before(range.end); way *= 2) {
            range = {range.end, range.end + way < row.end ? range.end + way : row.end};
        }
        for (std::int32_t way = 4; range.begin > row.begin && !is_before(range.begin); way *= 2) {
            range = {range.begin - way > row.begin ? range.begin - way : row.begin, range.begin};
        }
        return partition_point(range, is_before);
    }

    [[nodiscard]] AABB box_at(std::int32_t i) const {
        return {{min_x_[at(i)], min_y_[at(i)]}, {max_x_[at(i)], max_y_[at(i)]}};
    }

    std::size_t count_ = 0;
    GridLevels levels_;
    Array<Range> row_ranges_;           // per level: its rows
    Array<std::size_t> fullest_first_;  // the levels
    Array<Row> rows_;                   // that hold boxes, in the order of their keys
    Array<float> min_x_, min_y_, max_x_, max_y_;
    Array<std::int32_t> column_;
    Array<std::int32_t> index_;
    Array<std::uint64_t> words_, word_scratch_;
};

}  // namespace phys2d::detail::inline PHYS2D_ABI

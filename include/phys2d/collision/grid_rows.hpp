// SPDX-License-Identifier: MIT
// GridRows: boxes sorted so that neighbours are found by testing few.
//
// Boxes are sorted into horizontal rows by their lower edge, and within a row by their left edge. A
// row is at least as high as any of its boxes. So a box can only touch boxes of its own row and of
// the rows above and below, and there only a window of neighbours in sorted order. Boxes of very
// different sizes are in separate levels, each an eighth as high as the one before. The grid is
// rebuilt by one radix sort; boxes may be anywhere in the world, and empty space costs nothing.
//
// Data: per box 16 bytes of corners in four columns, 4 of its column, 4 of its index, and up to 12
// for the sections of rows, which give the position of a column in its row without a search.
// [Ericson2005 §7.1 grids, §7.1.6 hierarchies; Baraff1992 sweep and prune]
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>

#include <phys2d/collision/grid_levels.hpp>
#include <phys2d/core/crew.hpp>
#include <phys2d/core/partition_point.hpp>
#include <phys2d/core/radix_sort.hpp>
#include <phys2d/core/shell_sort.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class GridRows {
public:
    /// Replaces the contents by these boxes, identified by their index. Pre: valid boxes.
    void build(Span<const AABB> boxes) {
        Alone alone;
        build(boxes, alone);
    }
    template <class Team>
    void build(Span<const AABB> boxes, Team& team) {
        const int index_bits = static_cast<int>(std::bit_width(boxes.size()));
        count_ = boxes.size();
        reserve(count_);
        levels_.measure(boxes, 64 - index_bits);
        sort_words(boxes, index_bits, team);
        fill_columns(boxes, index_bits, team);
        find_rows(index_bits);
    }

    /// Makes room for `count` boxes, so that building does not allocate. The contents are undefined
    /// until then.
    void reserve(std::size_t count) {
        for (Array<float>* corner : {&min_x_, &min_y_, &max_x_, &max_y_}) {
            corner->resize_for_overwrite(count + slack);
            for (std::size_t i = count; i < count + slack; ++i) (*corner)[i] = 0.0f;
        }
        column_.resize_for_overwrite(count);
        index_.resize_for_overwrite(count);
        words_.make_room(count);
        word_scratch_.make_room(count);
        rows_.reserve_twice(count);
        section_begins_.reserve_twice(3 * count);
    }

    [[nodiscard]] bool empty() const { return count_ == 0; }

    /// The indices of the boxes in sorted order, row by row.
    [[nodiscard]] Span<const std::int32_t> order() const { return {index_.data(), count_}; }

    /// What most boxes fit into, as a level tells; endless if there are none.
    [[nodiscard]] float usual_size() const {
        if (fullest_first_.empty()) return std::numeric_limits<float>::max();
        return static_cast<float>(level_at(fullest_first_[0]).rows.pitch);
    }
    [[nodiscard]] bool is_all_in(const AABB& box) const {
        bool all = true;
        for (const GridLevel& level : levels_.all()) all = all && contains(box, level.bounds);
        return all;
    }

    void list_members(auto& archive) {
        archive(*this, count_, levels_, row_ranges_, fullest_first_, rows_, section_begins_, min_x_,
                min_y_, max_x_, max_y_, column_, index_, words_, word_scratch_);
    }

protected:
    struct Range {
        std::int32_t begin, end;
    };
    [[nodiscard]] static Range overlap(Range a, Range b) {
        return {larger_of(a.begin, b.begin), smaller_of(a.end, b.end)};
    }
    /// Its columns are divided into sections of equal width, with the position of each.
    struct Row : Range {  // of boxes in sorted order
        std::int32_t y;
        std::int32_t low = 0, high = 0;  // columns
        std::int32_t first_section = 0;  // index in `section_begins_`
        int section_bits = 0;            // a section is 2^section_bits columns wide

        [[nodiscard]] std::int32_t section_of(std::int32_t column) const {
            return (column - low) >> section_bits;
        }
    };

    [[nodiscard]] const GridLevel& level_at(std::size_t level) const {
        return levels_.all()[level];
    }

    /// The range of the boxes of a level.
    [[nodiscard]] Range members(std::size_t level) const {
        const auto [first, end] = row_ranges_[level];
        return {rows_[first].begin, rows_[end - 1].end};
    }

    [[nodiscard]] AABB box_at(std::int32_t i) const {
        return {{min_x_[i], min_y_[i]}, {max_x_[i], max_y_[i]}};
    }

    /// The first row of a level at `y` or above. Rows seldom have gaps: the index without gaps is
    /// tried first.
    [[nodiscard]] std::int32_t first_row_from(Range rows, std::int32_t y) const {
        const auto is_before = [&](std::int32_t row) { return rows_[row].y < y; };
        if (!is_before(rows.begin)) return rows.begin;
        const std::int32_t there = rows.begin + (y - rows_[rows.begin].y);
        const std::int32_t last = smaller_of(there, rows.end);
        return is_before(last - 1) ? last : partition_point(rows.begin, last - 1, is_before);
    }
    /// The range of a row with the boxes of columns [first, last], and maybe a few neighbours.
    [[nodiscard]] Range window(const Row& row, std::int32_t first, std::int32_t last) const {
        first = larger_of(first, row.low);
        last = smaller_of(last, row.high);
        if (first > last) return {row.begin, row.begin};
        constexpr std::int32_t few = 32;
        const std::int32_t* begins = &section_begins_[row.first_section];
        const Range sections{begins[row.section_of(first)], begins[row.section_of(last) + 1]};
        if (sections.end - sections.begin <= few) return sections;
        return {places_around(row, first).begin, places_around(row, last).end};
    }

    std::size_t count_ = 0;
    GridLevels levels_;
    Array<Range> row_ranges_;             // rows of each level
    Array<std::uint32_t> fullest_first_;  // levels
    Array<Row> rows_;                     // that hold boxes, sorted by key
    Array<std::int32_t> section_begins_;  // per row: begin of each section, and its end
    Array<float> min_x_, min_y_, max_x_, max_y_;
    Array<std::int32_t> column_;
    Array<std::int32_t> index_;

private:
    /// The range of a column's section; if that is crowded, the range of the column.
    [[nodiscard]] Range places_around(const Row& row, std::int32_t column) const {
        constexpr std::int32_t crowd = 16;
        const std::int32_t* begins = &section_begins_[row.first_section + row.section_of(column)];
        const Range section{begins[0], begins[1]};
        if (section.end - section.begin <= crowd) return section;
        const std::int32_t first = partition_point(
            section.begin, section.end, [&](std::int32_t i) { return column_[i] < column; });
        return {first, partition_point(first, section.end,
                                       [&](std::int32_t i) { return column_[i] <= column; })};
    }

    static constexpr std::size_t slack = 16;  // elements behind the last box, tested with it

    /// One word per box, the key in the high bits and the index in the low ones, sorted by key.
    template <class Team>
    void sort_words(Span<const AABB> boxes, int index_bits, Team& team) {
        for_each_box(
            team, [&](std::size_t i) { words_[i] = levels_.key_of(boxes[i]) << index_bits | i; });
        radix_sort(words_, word_scratch_, boxes.size(), index_bits, levels_.key_bits());
    }

    template <class Team>
    void fill_columns(Span<const AABB> boxes, int index_bits, Team& team) {
        const std::uint64_t index_mask = (std::uint64_t{1} << index_bits) - 1;
        for_each_box(team, [&](std::size_t i) {
            const std::uint64_t index = words_[i] & index_mask;
            const AABB& box = boxes[index];
            min_x_[i] = box.min.x;
            min_y_[i] = box.min.y;
            max_x_[i] = box.max.x;
            max_y_[i] = box.max.y;
            index_[i] = static_cast<std::int32_t>(index);
        });
    }

    template <class Team>
    void for_each_box(Team& team, auto work) {
        team.for_each_part(static_cast<std::int32_t>(count_), bodies_per_part,
                           [&](std::int32_t begin, std::int32_t end) {
                               for (std::int32_t i = begin; i < end; ++i) work(at(i));
                           });
    }

    /// Divides the sorted boxes into rows and levels, and stores the column of each box.
    void find_rows(int index_bits) {
        rows_.clear();
        row_ranges_.clear();
        std::uint64_t row_key = 0;
        std::uint64_t row_end_key = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            const std::uint64_t key = words_[i] >> index_bits;
            if (key >= row_end_key) {
                const GridLevel& level = open_row(key, static_cast<std::int32_t>(i));
                row_key = level.key_of_row(rows_.back().y);
                row_end_key = level.key_of_row(rows_.back().y + 1);
            }
            column_[i] = static_cast<std::int32_t>(key - row_key);
            rows_.back().end = static_cast<std::int32_t>(i) + 1;
        }
        section_begins_.clear();
        for (Row& row : rows_) divide(row);
        sort_levels();
    }

    /// Divides a row into sections, at most twice as many as it has boxes.
    void divide(Row& row) {
        row.low = column_[row.begin];
        row.high = column_[row.end - 1];
        const auto width = static_cast<std::uint32_t>(row.high - row.low);
        const auto count = static_cast<std::uint32_t>(row.end - row.begin);
        row.section_bits = static_cast<int>(std::bit_width(width / (2 * count)));
        row.first_section = static_cast<std::int32_t>(section_begins_.size());
        const std::int32_t sections = row.section_of(row.high) + 1;
        section_begins_.resize_for_overwrite(section_begins_.size() + at(sections) + 1);
        std::int32_t* begins = &section_begins_[row.first_section];
        for (std::int32_t i = 0; i <= sections; ++i) begins[i] = row.begin;
        for (std::int32_t place = row.begin; place < row.end; ++place) {
            begins[row.section_of(column_[place]) + 1] = place + 1;
        }
        // Empty sections end where the previous one does.
        for (std::int32_t i = 1; i <= sections; ++i) {
            begins[i] = larger_of(begins[i], begins[i - 1]);
        }
    }

    void sort_levels() {
        fullest_first_.clear();
        for (std::size_t level = 0; level < row_ranges_.size(); ++level) {
            fullest_first_.push_back(static_cast<std::uint32_t>(level));
        }
        const auto count_in = [&](std::size_t level) {
            return members(level).end - members(level).begin;
        };
        shell_sort(fullest_first_,
                   [&](std::size_t a, std::size_t b) { return count_in(a) > count_in(b); });
    }

    /// Starts the row of `key` at `place`, in the level of the key.
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

    Scratch<std::uint64_t> words_, word_scratch_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// RowGrid: which of many boxes overlap each other, or those of another grid?
//
// Compares eight boxes of a row with one neighbour after the other. For two levels, or two grids,
// the boxes of the one with fewer are searched for in the other.
#pragma once

#include <phys2d/collision/grid_queries.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

struct IndexPair {
    std::int32_t first, second;
};

/// Pairs found by the parts of a sweep, except the first part.
// clang-tidy 14 complains about the index with which the compiler copies the array.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
struct PairParts {
    static constexpr std::int32_t most = 32;

    Scratch<IndexPair> lists[most - 1];

    void list_members(auto& archive) { archive(*this, lists); }
};

/// Which boxes may make a pair if they overlap: any.
struct AnyPair {
    [[nodiscard]] bool operator()(std::int32_t /*a*/, std::int32_t /*b*/) const { return true; }

    /// Up to eight boxes that are asked about together.
    struct Group {
        Group(const AnyPair& /*any*/, const std::int32_t* /*boxes*/, int /*count*/) {}
        /// One bit for each that may make a pair with a box.
        [[nodiscard]] unsigned lanes_with(std::int32_t /*box*/) const { return ~0u; }
    };
};

class RowGrid : public GridQueries {
public:
    /// Appends each pair of boxes that overlap or touch, once. The order depends only on the boxes.
    template <int Width = PHYS2D_LANES>
    void append_pairs(Array<IndexPair>& pairs) const {
        Alone alone;
        PairParts none;
        append_pairs<Width>(pairs, alone, none, AnyPair{});
    }
    /// Of those that may make a pair: see AnyPair.
    template <int Width, class Team>
    void append_pairs(Array<IndexPair>& pairs, Team& team, PairParts& parts,
                      const auto& may_pair) const {
        for (std::size_t level = 0; level < row_ranges_.size(); ++level) {
            append_pairs_in_rows<Width>(row_ranges_[level], pairs, team, parts, may_pair);
            for (std::size_t coarser = 0; coarser < level; ++coarser) {
                join<Width>(level, coarser, *this, pairs, may_pair);
            }
        }
    }

    /// Appends each pair of a box of this grid and one of the other that overlap or touch.
    template <int Width = PHYS2D_LANES>
    void append_pairs_with(const RowGrid& other, Array<IndexPair>& pairs) const {
        for (std::size_t mine = 0; mine < row_ranges_.size(); ++mine) {
            for (std::size_t theirs = 0; theirs < other.row_ranges_.size(); ++theirs) {
                join<Width>(mine, theirs, other, pairs, AnyPair{});
            }
        }
    }

private:
    static constexpr std::int32_t widest = GridLevels::columns_per_row_height + 1;  // box [columns]

    /// Up to eight boxes of a row, to be compared with one box after the other.
    template <int Width, class MayPair>
    struct Octet {
        using Real = simd::Lanes<Width>;
        static constexpr int size = 8;
        static constexpr int batches = size / Width;
        using Reals = Real[std::size_t{batches}];

        Reals min_x, min_y, max_x, max_y;
        std::int32_t first, last;  // in sorted order
        unsigned lanes;            // that hold a box
        typename MayPair::Group group;

        struct Hit {
            std::int32_t place;
            unsigned lanes;
        };
        static constexpr int hit_room = 64;
        Hit hits[hit_room];
        int hit_count = 0;

        PHYS2D_INLINE Octet(const RowGrid& grid, std::int32_t begin, std::int32_t end,
                            const MayPair& may_pair)
            : first(begin),
              last(smaller_of(end, begin + size) - 1),
              lanes((1u << (last + 1 - first)) - 1u),
              group(may_pair, &grid.index_[first], last + 1 - first) {
            for (int k = 0; k < batches; ++k) {
                const std::size_t place = at(first + k * Width);
                min_x[k] = Real::load(&grid.min_x_[place]);
                min_y[k] = Real::load(&grid.min_y_[place]);
                max_x[k] = Real::load(&grid.max_x_[place]);
                max_y[k] = Real::load(&grid.max_y_[place]);
            }
        }

        /// Records the boxes of `chosen` lanes that overlap box j. Most do not: writing
        /// unconditionally costs less than a mispredicted branch.
        PHYS2D_INLINE void meet(const RowGrid& grid, std::int32_t j, unsigned chosen,
                                Array<IndexPair>& pairs) {
            const unsigned found =
                overlaps(grid, at(j)) & chosen & group.lanes_with(grid.index_[j]);
            hits[hit_count] = {j, found};
            hit_count += found != 0 ? 1 : 0;
            if (hit_count == hit_room) flush(grid, pairs);
        }

        void flush(const RowGrid& grid, Array<IndexPair>& pairs) {
            for (int k = 0; k < hit_count; ++k) {
                for_each_bit(hits[k].lanes, [&](int i) {
                    pairs.push_back({grid.index_[first + i], grid.index_[hits[k].place]});
                });
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

    /// The first part, or the only one, appends to `pairs`, the others to their own lists.
    template <int Width, class Team>
    void append_pairs_in_rows(Range rows, Array<IndexPair>& pairs, Team& team, PairParts& parts,
                              const auto& may_pair) const {
        const std::int32_t count = rows.end - rows.begin;
        const std::int32_t rows_per_part = (count + PairParts::most - 1) / PairParts::most;
        for (Array<IndexPair>& list : parts.lists) list.start_over();
        team.for_each_part(count, rows_per_part, [&](std::int32_t begin, std::int32_t end) {
            const bool is_all = end - begin == count;
            for (std::int32_t row = begin; row < end; ++row) {
                const std::int32_t part = is_all ? 0 : row / rows_per_part;
                append_pairs_of<Width>(rows.begin + row, rows.end,
                                       part == 0 ? pairs : parts.lists[part - 1], may_pair);
            }
        });
        for (const Array<IndexPair>& list : parts.lists) pairs.append(list);
    }

    /// Pairs within a row, and of the row with the one above. Takes eight boxes of the row at a
    /// time, at every width, so that the order of pairs is the same.
    template <int Width, class MayPair>
    void append_pairs_of(std::int32_t row, std::int32_t end_row, Array<IndexPair>& pairs,
                         const MayPair& may_pair) const {
        using Boxes = Octet<Width, MayPair>;
        const Row& here = rows_[row];
        const bool is_above = row + 1 < end_row && rows_[row + 1].y == here.y + 1;
        Range above = is_above ? Range(rows_[row + 1]) : Range{};
        for (std::int32_t i = here.begin; i < here.end; i += Boxes::size) {
            Boxes octet(*this, i, here.end, may_pair);
            const std::int32_t first_column = column_[i] - widest;
            const std::int32_t last_column = column_[octet.last] + widest;
            while (above.begin < above.end && column_[above.begin] < first_column) {
                ++above.begin;
            }
            for (std::int32_t j = i + 1; j < here.end && column_[j] <= last_column; ++j) {
                const int before = smaller_of(j - i, Boxes::size);
                octet.meet(*this, j, octet.lanes & ((1u << before) - 1u), pairs);
            }
            for (std::int32_t j = above.begin; j < above.end && column_[j] <= last_column; ++j) {
                octet.meet(*this, j, octet.lanes, pairs);
            }
            octet.flush(*this, pairs);
        }
    }

    /// Pairs of one level of this grid and one of another (or another level of this grid): searches
    /// for the boxes of the smaller level in the larger one.
    template <int Width>
    void join(std::size_t mine, std::size_t theirs, const RowGrid& other, Array<IndexPair>& pairs,
              const auto& may_pair) const {
        const Range members_here = members(mine);
        const Range members_there = other.members(theirs);
        const bool swapped =
            members_there.end - members_there.begin < members_here.end - members_here.begin;
        const RowGrid& smaller = swapped ? other : *this;
        const RowGrid& larger = swapped ? *this : other;
        const auto [begin, end] = swapped ? members_there : members_here;
        const std::size_t first = pairs.size();
        for (std::int32_t i = begin; i < end; ++i) {
            const std::int32_t seeker = smaller.index_[i];
            larger.for_each_overlap_in<Width>(swapped ? mine : theirs, smaller.box_at(i),
                                              [&](std::int32_t found) {
                                                  if (may_pair(seeker, found))
                                                      pairs.push_back({seeker, found});
                                              });
        }
        for (std::size_t i = first; swapped && i < pairs.size(); ++i) {
            pairs[i] = {pairs[i].second, pairs[i].first};
        }
    }
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

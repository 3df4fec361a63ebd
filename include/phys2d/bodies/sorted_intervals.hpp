// SPDX-License-Identifier: MIT
// SortedIntervals: which parts of a line do intervals cover, and which do they leave free?
//
// They are sorted by their low ends, each with the furthest high end so far, so that those at a
// coordinate are found by binary search. Ends belong to the intervals.
#pragma once

#include <phys2d/core/partition_point.hpp>
#include <phys2d/core/shell_sort.hpp>
#include <phys2d/core/span.hpp>
#include <phys2d/math/scalar.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// An interval among others, in the order of their low ends.
struct SortedInterval {
    float low, high;
    float furthest;       ///< the largest high end up to this one
    std::uint32_t order;  ///< how many were added before it
};

/// The first interval that does not end before a coordinate; their number if there is none.
[[nodiscard]] inline std::size_t first_from(Span<const SortedInterval> sorted, float place) {
    return partition_point(std::size_t{0}, sorted.size(),
                           [&](std::size_t i) { return sorted[i].furthest < place; });
}

/// Calls visit(order) for the intervals that meet another one, and for those between them in the
/// order of low ends.
void for_each_near(Span<const SortedInterval> sorted, Interval other, auto visit) {
    std::size_t i = first_from(sorted, other.low);
    for (; i < sorted.size() && sorted[i].low <= other.high; ++i) visit(sorted[i].order);
}

/// Part of a line that is free of intervals.
struct Gap {
    Interval place;
    std::uint32_t order;  ///< 1 + that of the interval at which it begins; 0 where the whole begins
};

class SortedIntervals {
public:
    void clear() { sorted_.clear(); }
    void add(Interval interval) {
        const auto order = static_cast<std::uint32_t>(sorted_.size());
        sorted_.push_back({interval.low, interval.high, interval.high, order});
    }
    /// To be called when all are added.
    void sort() {
        shell_sort(sorted_, [](const SortedInterval& a, const SortedInterval& b) {
            return a.low < b.low || (a.low == b.low && a.order < b.order);
        });
        for (std::size_t i = 1; i < sorted_.size(); ++i) {
            sorted_[i].furthest = max(sorted_[i].furthest, sorted_[i - 1].furthest);
        }
    }

    [[nodiscard]] Span<const SortedInterval> sorted() const { return sorted_; }

    /// Whether an interval contains a coordinate.
    [[nodiscard]] bool contains(float place) const {
        const std::size_t first = first_from(sorted_, place);
        return first < sorted_.size() && sorted_[first].low <= place;
    }

    /// Lists the parts of a whole that no interval covers, in the order in which cutting the
    /// intervals out one by one, as they were added, makes them.
    void list_gaps(Interval whole, Array<Gap>& gaps) const {
        gaps.clear();
        Gap gap{whole, 0};
        for (const SortedInterval& next : sorted_) {
            if (next.low >= whole.high) break;
            gap.place.high = next.low;
            if (gap.place.low < gap.place.high) gaps.push_back(gap);
            const bool is_beyond = gap.place.low < next.high;
            const bool is_earlier = gap.place.low == next.high && next.order < gap.order;
            if (is_beyond || is_earlier) gap = {{next.high, whole.high}, next.order + 1};
        }
        gap.place.high = whole.high;
        if (gap.place.low < gap.place.high) gaps.push_back(gap);
        shell_sort(gaps, [](const Gap& a, const Gap& b) { return a.order < b.order; });
    }

    void list_members(auto& archive) { archive(*this, sorted_); }

private:
    Scratch<SortedInterval> sorted_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

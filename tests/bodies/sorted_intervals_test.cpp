// SPDX-License-Identifier: MIT
// Do sorted intervals leave of a line what cutting them out one by one leaves, and find what meets
// a place without looking at the rest?
#include <algorithm>
#include <cstring>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/bodies/sorted_intervals.hpp>

#include "../support/intervals.hpp"
#include "../support/random.hpp"

namespace sorted_intervals_test {

using namespace phys2d;
using detail::Interval;

namespace {

/// Ends are among few places, so that many are equal; some intervals are points.
std::vector<Interval> random_intervals(test::Random& random) {
    std::vector<Interval> intervals;
    for (int i = random.integer(0, 12); i > 0; --i) {
        const auto low = static_cast<float>(random.integer(-12, 12));
        const auto length = static_cast<float>(random.integer(0, random.one_in(4) ? 12 : 3));
        intervals.push_back({low == 0.0f && random.one_in(2) ? -0.0f : low, low + length});
    }
    return intervals;
}

detail::SortedIntervals sorted(const std::vector<Interval>& intervals) {
    detail::SortedIntervals sorted;
    for (const Interval& interval : intervals) sorted.add(interval);
    sorted.sort();
    return sorted;
}

/// What is left of a whole when the intervals are cut out one by one.
std::vector<Interval> cut_one_by_one(Interval whole, const std::vector<Interval>& intervals) {
    std::vector<Interval> pieces{whole};
    for (const Interval& out : intervals) test::cut(pieces, out);
    std::erase_if(pieces, [](const Interval& piece) { return piece.high <= piece.low; });
    return pieces;
}

bool has_same_bits(Interval a, Interval b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }

}  // namespace

TEST_CASE("sorted intervals leave the gaps that cutting them out one by one leaves, in its order") {
    test::Random random;
    detail::Array<detail::Gap> gaps;
    int wrong = 0;
    for (int i = 0; i < test::many / 10; ++i) {
        const std::vector<Interval> intervals = random_intervals(random);
        const Interval whole{-10.0f, 10.0f};
        const std::vector<Interval> expected = cut_one_by_one(whole, intervals);
        sorted(intervals).list_gaps(whole, gaps);
        const bool is_right = std::equal(
            gaps.begin(), gaps.end(), expected.begin(), expected.end(),
            [](const detail::Gap& a, const Interval& b) { return has_same_bits(a.place, b); });
        wrong += is_right ? 0 : 1;
    }
    CHECK(wrong == 0);
}

TEST_CASE("sorted intervals contain the places that one of them contains") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < test::many / 100; ++i) {
        const std::vector<Interval> intervals = random_intervals(random);
        const detail::SortedIntervals all = sorted(intervals);
        for (float place = -14.0f; place < 26.0f; place += 0.5f) {
            const bool expected = std::any_of(
                intervals.begin(), intervals.end(),
                [&](const Interval& one) { return one.low <= place && place <= one.high; });
            wrong += all.contains(place) == expected ? 0 : 1;
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("sorted intervals that meet another one are all found") {
    test::Random random;
    int missed = 0;
    for (int i = 0; i < test::many / 100; ++i) {
        const std::vector<Interval> intervals = random_intervals(random);
        const detail::SortedIntervals all = sorted(intervals);
        const float low = random.uniform(-14.0f, 26.0f);
        const Interval other{low, low + random.uniform(0.0f, 5.0f)};
        std::vector<int> seen(intervals.size());
        detail::for_each_near(all.sorted(), other, [&](std::uint32_t order) { ++seen[order]; });
        for (std::size_t k = 0; k < intervals.size(); ++k) {
            const bool meets = intervals[k].low <= other.high && other.low <= intervals[k].high;
            missed += seen[k] > 1 || (meets && seen[k] == 0) ? 1 : 0;
        }
    }
    CHECK(missed == 0);
}

TEST_CASE("a place among many intervals side by side is found without looking at the others") {
    std::vector<Interval> intervals;
    for (int i = 0; i < 10'000; ++i) {
        const auto low = static_cast<float>(i * 7919 % 10'000);  // each place once, in no order
        intervals.push_back({low, low + 0.75f});
    }
    const detail::SortedIntervals all = sorted(intervals);
    for (const float place : {0.5f, 4321.25f, 9999.5f}) {
        int seen = 0;
        detail::for_each_near(all.sorted(), {place - 1.0f, place + 1.0f},
                              [&](std::uint32_t) { ++seen; });
        CHECK(seen >= 2);
        CHECK(seen <= 3);
    }
}

}  // namespace sorted_intervals_test

// SPDX-License-Identifier: MIT
// Does the shell sort sort, and is it fit for long lists as well?
#include <algorithm>
#include <bit>

#include <doctest/doctest.h>

#include <phys2d/core/shell_sort.hpp>

#include "../support/random.hpp"

namespace shell_sort_test {

using namespace phys2d;

TEST_CASE("shell sort sorts lists of any length, and compares about as often as n log n") {
    test::Random random;
    for (const int count : {0, 1, 2, 9, 500, 4'000, 40'000}) {
        CAPTURE(count);
        detail::Array<int> values;
        for (int i = 0; i < count; ++i) values.push_back(random.integer(0, 1 << 30));
        int comparisons = 0;
        detail::shell_sort(values, [&](int a, int b) {
            ++comparisons;
            return a < b;
        });
        CHECK(std::is_sorted(values.begin(), values.end()));
        const auto digits = static_cast<int>(std::bit_width(static_cast<unsigned>(count)));
        CHECK(comparisons <= 2 * digits * count);
    }
}

TEST_CASE("shell sort sorts in ascending order if it is not told how") {
    detail::Array<int> values;
    for (const int value : {3, 1, 2, 1}) values.push_back(value);
    detail::shell_sort(values);
    CHECK(std::is_sorted(values.begin(), values.end()));
}

}  // namespace shell_sort_test

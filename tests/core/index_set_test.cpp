// SPDX-License-Identifier: MIT
// Does an index set hold what a plain model of it holds, in the order in which it came?
#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/core/index_set.hpp>

#include "../support/random.hpp"

namespace index_set_test {

using namespace phys2d;
using detail::IndexSet;

TEST_CASE(
    "an index set holds each index once, in the order in which they came, until it is cleared") {
    test::Random random;
    IndexSet set;
    std::vector<std::uint32_t> model;
    int wrong = 0;
    for (int i = 0; i < test::many / 10; ++i) {
        if (random.integer(1, 100) == 1) {
            set.clear();
            model.clear();
        }
        const auto index = static_cast<std::uint32_t>(random.integer(0, 150));
        const bool is_new = std::find(model.begin(), model.end(), index) == model.end();
        if (set.contains(index) == is_new) ++wrong;
        set.add(index);
        if (is_new) model.push_back(index);
        if (!std::equal(set.begin(), set.end(), model.begin(), model.end())) ++wrong;
        if (set.size() != model.size() || set.empty() != model.empty()) ++wrong;
    }
    CHECK(wrong == 0);
}

}  // namespace index_set_test

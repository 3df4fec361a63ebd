// SPDX-License-Identifier: MIT
// Is each pair that has parted listed once, in the order in which they came?
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/bodies/parted_pairs.hpp>

#include "support/random.hpp"

namespace parted_pairs_test {

using namespace phys2d;
using detail::ColliderPair;

TEST_CASE("pairs that have parted are listed once, in their order, until they are told") {
    test::Random random;
    detail::PartedPairs parted;
    const auto is_same = [](const ColliderPair& a, const ColliderPair& b) {
        return a.a == b.a && a.b == b.b;
    };
    int wrong = 0;
    for (int round = 0; round < test::many / 10'000; ++round) {
        std::vector<ColliderPair> expected;
        for (int i = 0; i < 50; ++i) {
            const auto id = [&] {
                return ColliderId{static_cast<std::uint32_t>(random.integer(0, 9)),
                                  static_cast<std::uint32_t>(random.integer(1, 2))};
            };
            const ColliderPair pair{id(), id()};
            bool is_known = false;
            for (const ColliderPair& other : expected) is_known = is_known || is_same(other, pair);
            if (!is_known) expected.push_back(pair);
            if (is_known || random.integer(0, 1) == 0) {
                parted.add(pair, true);
            } else {
                parted.add_new(pair, true);
            }
        }
        REQUIRE(parted.all().size() == expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            wrong += is_same(parted.all()[i].pair, expected[i]) ? 0 : 1;
        }
        parted.clear();
    }
    CHECK(wrong == 0);
}

}  // namespace parted_pairs_test

// SPDX-License-Identifier: MIT
// Is the pair of two bodies found among thousands, whichever of them has fewer? Held against a
// plain list.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/dynamics/pair_links.hpp>

#include "../support/random_moves.hpp"

namespace pair_links_test {

using namespace phys2d;
using detail::PairLinks;

namespace {

using Pair = std::pair<std::int32_t, std::int32_t>;

constexpr std::int32_t dynamic_count = 40;
constexpr std::int32_t all = 60;

/// Pairs, some of them several times; slots 0 and 39 have far more than the others.
std::vector<Pair> random_list(test::Random& random, int count) {
    std::vector<Pair> pairs;
    while (static_cast<int>(pairs.size()) < count) {
        const int hub = random.integer(0, 3);
        const std::int32_t i = hub == 0 ? 0 : random.integer(0, dynamic_count - 1);
        const std::int32_t j = hub == 1 ? dynamic_count - 1 : random.integer(0, all - 1);
        if (i != j) pairs.emplace_back(std::min(i, j), std::max(i, j));
    }
    return pairs;
}

}  // namespace

TEST_CASE("links find the newest pair that passes a test, and all of a body") {
    test::Random random;
    PairLinks links;
    int wrong = 0, found = 0;
    for (int round = 0; round < 20; ++round) {
        const std::vector<Pair> pairs = random_list(random, random.integer(0, 600));
        links.begin(dynamic_count, 100);
        for (const auto& [a, b] : pairs) links.add(a, b);
        PairLinks indexed = links;
        indexed.index_long_chains();
        const int divisor = random.integer(1, 3);
        const auto passes = [&](std::int32_t pair) { return pair % divisor == 0; };
        for (std::int32_t a = 0; a < all; ++a) {
            std::vector<std::int32_t> of_a, expected_of_a;
            for (std::int32_t b = a + 1; b < all; ++b) {
                std::int32_t expected = PairLinks::none;
                for (std::size_t i = 0; i < pairs.size(); ++i) {
                    const auto place = static_cast<std::int32_t>(i);
                    if (pairs[i] == Pair{a, b} && passes(place)) expected = place;
                }
                wrong += links.find(a, b, passes) == expected ? 0 : 1;
                wrong +=
                    indexed.find_by_index(b, a, passes) == expected || b >= dynamic_count ? 0 : 1;
                wrong += indexed.find_by_index(a, b, passes) == expected ? 0 : 1;
                found += expected == PairLinks::none ? 0 : 1;
            }
            if (a >= dynamic_count) {
                wrong += links.any_of(a, [](std::int32_t) { return true; }) ? 1 : 0;
                links.for_each_of(a, [&](std::int32_t) { ++wrong; });
                continue;
            }
            for (std::size_t i = pairs.size(); i-- > 0;) {
                const bool is_of_a = pairs[i].first == a || pairs[i].second == a;
                if (is_of_a) expected_of_a.push_back(static_cast<std::int32_t>(i));
            }
            links.for_each_of(a, [&](std::int32_t pair) { of_a.push_back(pair); });
            wrong += of_a == expected_of_a ? 0 : 1;
            const bool any = std::any_of(of_a.begin(), of_a.end(), passes);
            wrong += links.any_of(a, passes) == any ? 0 : 1;
        }
    }
    CHECK(wrong == 0);
    CHECK(found > 1'000);
}

TEST_CASE("links follow bodies into other slots, and those of bodies that are gone are left") {
    test::Random random;
    int wrong = 0, kept = 0;
    for (int round = 0; round < 50; ++round) {
        const std::vector<Pair> pairs = random_list(random, random.integer(0, 400));
        PairLinks links;
        links.begin(dynamic_count, 100);
        for (const auto& [a, b] : pairs) links.add(a, b);
        test::MovedSlots moved =
            test::random_moves(random, {dynamic_count, dynamic_count, dynamic_count}, all);
        const std::int32_t count = moved.ranges.dynamic_count;
        const auto now = [&](std::int32_t slot) { return moved.moves.now[detail::at(slot)]; };
        std::vector<std::vector<std::int32_t>> expected(detail::at(count));
        for (std::size_t i = pairs.size(); i-- > 0;) {
            const auto [a, b] = pairs[i];
            const auto pair = static_cast<std::int32_t>(i);
            const bool stays = now(a) != -1 && now(b) != -1;

            for (const std::int32_t slot : {a, b}) {
                if (stays || now(slot) == -1 || slot >= dynamic_count) continue;
                links.remove_if(slot, [&](std::int32_t other) { return other == pair; });
            }
            if (!stays) continue;
            ++kept;
            if (b >= dynamic_count) links.rename_second(pair, now(b));
            expected[detail::at(now(a))].push_back(pair);
            if (b < dynamic_count) expected[detail::at(now(b))].push_back(pair);
        }
        links.follow(moved.moves, count);
        for (std::int32_t slot = 0; slot < count; ++slot) {
            std::vector<std::int32_t> found;
            links.for_each_of(slot, [&](std::int32_t pair) {
                found.push_back(pair);
                const auto [a, b] = pairs[detail::at(pair)];
                wrong += links.first_of(pair) != now(a) || links.second_of(pair) != now(b);
                const auto is_it = [&](std::int32_t other) { return other == pair; };
                wrong += links.find(now(a), now(b), is_it) != pair;
            });
            wrong += found != expected[detail::at(slot)];
        }
    }
    CHECK(wrong == 0);
    CHECK(kept > 5'000);
}

}  // namespace pair_links_test

// SPDX-License-Identifier: MIT
// Are pairs coloured so that contacts of a colour are independent, and do they keep their impulses?
#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/dynamics/contact_pairs.hpp>

#include "../support/random.hpp"

using namespace phys2d;
using detail::ColourRange;
using detail::ContactPairs;
using detail::PairBuilder;
using detail::SlotRanges;

namespace {

using Pair = std::pair<std::int32_t, std::int32_t>;

ContactPairs built_from(SlotRanges ranges, const std::vector<Pair>& pairs) {
    PairBuilder builder;
    builder.begin(ranges);
    for (const auto& [a, b] : pairs) builder.add(a, b, 0.5f, 0.0f);
    ContactPairs result;
    builder.finish(result);
    return result;
}

/// Random pairs, each once, whose lower slot is dynamic.
std::vector<Pair> random_pairs(test::Random& random, SlotRanges ranges, int all, int count) {
    std::set<Pair> pairs;
    for (int i = 0; i < count; ++i) {
        const std::int32_t a = random.integer(0, ranges.dynamic_count - 1);
        const std::int32_t b = random.integer(0, all - 1);
        if (a != b) pairs.emplace(std::min(a, b), std::max(a, b));
    }
    return {pairs.begin(), pairs.end()};
}

/// Colours follow each other without gap, and in an independent one no dynamic slot appears twice.
bool colours_are_sound(const ContactPairs& pairs, SlotRanges ranges) {
    std::int32_t end = 0;
    bool sound = true;
    for (const ColourRange& colour : pairs.colours) {
        sound = sound && colour.begin == end && colour.end > colour.begin;
        end = colour.end;
        std::set<std::int32_t> seen;
        for (std::int32_t i = colour.begin; colour.independent && i < colour.end; ++i) {
            for (const std::int32_t slot : {pairs.a[detail::at(i)], pairs.b[detail::at(i)]}) {
                if (slot < ranges.dynamic_count) sound = sound && seen.insert(slot).second;
            }
        }
    }
    return sound && end == pairs.count;
}

std::vector<Pair> sorted_pairs(const ContactPairs& pairs) {
    std::vector<Pair> result;
    for (std::size_t i = 0; i < detail::at(pairs.count); ++i) {
        result.emplace_back(pairs.a[i], pairs.b[i]);
    }
    std::sort(result.begin(), result.end());
    return result;
}

/// Pairs that found no colour.
int overflow_of(const ContactPairs& pairs) {
    int count = 0;
    for (const ColourRange& colour : pairs.colours) {
        if (!colour.independent) count += colour.end - colour.begin;
    }
    return count;
}

}  // namespace

TEST_CASE("every pair is there once, and within a colour no dynamic body appears twice") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < test::many / 5'000; ++i) {
        const SlotRanges ranges{random.integer(1, 80), random.integer(80, 100)};
        const std::vector<Pair> pairs = random_pairs(random, ranges, 130, random.integer(0, 1'000));
        const ContactPairs result = built_from(ranges, pairs);
        if (!colours_are_sound(result, ranges) || sorted_pairs(result) != pairs) ++wrong;
        if (overflow_of(result) != 0 && pairs.size() < 64) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("pairs with an immovable body come last, and those that found no colour first") {
    test::Random random;
    const SlotRanges ranges{40, 50};
    const ContactPairs pairs = built_from(ranges, random_pairs(random, ranges, 120, 3'000));
    CHECK(overflow_of(pairs) > 0);
    CHECK_FALSE(pairs.colours[0].independent);
    bool immovable_seen = false;
    for (std::size_t c = 1; c < pairs.colours.size(); ++c) {
        CHECK(pairs.colours[c].independent);
        for (std::int32_t i = pairs.colours[c].begin; i < pairs.colours[c].end; ++i) {
            const bool immovable = pairs.b[detail::at(i)] >= ranges.dynamic_count;
            CHECK(immovable >= immovable_seen);
            immovable_seen = immovable;
        }
    }
    CHECK(immovable_seen);
}

TEST_CASE("a body with 100 dynamic neighbours fills 64 colours, the rest overflows") {
    std::vector<Pair> pairs;
    for (std::int32_t i = 1; i <= 100; ++i) pairs.emplace_back(0, i);
    const ContactPairs result = built_from({101, 101}, pairs);
    CHECK(result.colours.size() == 65);
    CHECK(overflow_of(result) == 36);
    CHECK(colours_are_sound(result, {101, 101}));
    CHECK(sorted_pairs(result) == pairs);
}

TEST_CASE("a body on 50 static ones fills 32 colours, the rest overflows") {
    std::vector<Pair> pairs;
    for (std::int32_t i = 1; i <= 50; ++i) pairs.emplace_back(0, i);
    const ContactPairs result = built_from({1, 1}, pairs);
    CHECK(result.colours.size() == 33);
    CHECK(overflow_of(result) == 18);
    CHECK(sorted_pairs(result) == pairs);
}

TEST_CASE("a thousand boxes on one floor are one colour") {
    std::vector<Pair> pairs;
    for (std::int32_t i = 0; i < 1'000; ++i) pairs.emplace_back(i, 1'000);
    CHECK(built_from({1'000, 1'000}, pairs).colours.size() == 1);
}

TEST_CASE("the solver sees moving bodies in their slots and everything static in one") {
    const ContactPairs pairs = built_from({2, 3}, {{0, 1}, {0, 2}, {1, 3}, {1, 7}});
    std::map<Pair, std::int32_t> solver_b;
    for (std::size_t i = 0; i < 4; ++i) solver_b[{pairs.a[i], pairs.b[i]}] = pairs.solver_b[i];
    CHECK(solver_b[{0, 1}] == 1);
    CHECK(solver_b[{0, 2}] == 2);
    CHECK(solver_b[{1, 3}] == 3);
    CHECK(solver_b[{1, 7}] == 3);
}

TEST_CASE("each pair keeps its own friction and restitution") {
    PairBuilder builder;
    builder.begin({20, 20});
    for (std::int32_t i = 0; i < 19; ++i) {
        builder.add(i, i + 1, 0.125f * static_cast<float>(i), i == 7 ? 0.5f : 0.0f);
    }
    ContactPairs pairs;
    builder.finish(pairs);
    CHECK(pairs.any_restitution);
    for (std::size_t i = 0; i < 19; ++i) {
        CHECK(pairs.friction[i] == 0.125f * static_cast<float>(pairs.a[i]));
        CHECK(pairs.restitution[i] == (pairs.a[i] == 7 ? 0.5f : 0.0f));
    }
    builder.begin({20, 20});
    builder.add(0, 1, 0.5f, 0.0f);
    builder.finish(pairs);
    CHECK_FALSE(pairs.any_restitution);
}

namespace {

/// A number for a pair of bodies, however their slots change.
float impulse_of(std::int32_t one, std::int32_t other) {
    return static_cast<float>(std::min(one, other) * 1'000 + std::max(one, other) + 1);
}

}  // namespace

TEST_CASE("impulses survive a rebuild and a change of slots, and new pairs have none") {
    test::Random random;
    int wrong = 0, kept = 0;
    for (int round = 0; round < test::many / 5'000; ++round) {
        const SlotRanges ranges{60, 60};
        ContactPairs pairs = built_from(ranges, random_pairs(random, ranges, 60, 300));
        for (std::size_t i = 0; i < detail::at(pairs.count); ++i) {
            pairs.normal_impulse[i] = impulse_of(pairs.a[i], pairs.b[i]);
            pairs.tangent_impulse[i] = -impulse_of(pairs.a[i], pairs.b[i]);
        }
        const std::vector<Pair> before = sorted_pairs(pairs);
        std::vector<std::int32_t> now(60), was(60, -1);
        for (std::int32_t i = 0; i < 60; ++i) now[detail::at(i)] = i;
        for (std::size_t i = 59; i > 0; --i) std::swap(now[i], now[random.bits() % (i + 1)]);
        for (std::int32_t& slot : now) slot = random.one_in(10) ? -1 : slot;  // has died
        for (std::int32_t i = 0; i < 60; ++i) {
            if (now[detail::at(i)] >= 0) was[detail::at(now[detail::at(i)])] = i;
        }
        PairBuilder builder;
        builder.begin(ranges);
        for (const auto& [a, b] : random_pairs(random, ranges, 60, 900)) {
            builder.add(a, b, 0.0f, 0.0f);
        }
        builder.take_impulses(pairs, now.data());
        builder.finish(pairs);
        for (std::size_t i = 0; i < detail::at(pairs.count); ++i) {
            const std::int32_t a = was[detail::at(pairs.a[i])], b = was[detail::at(pairs.b[i])];
            const bool known = a >= 0 && b >= 0 &&
                               std::binary_search(before.begin(), before.end(),
                                                  Pair{std::min(a, b), std::max(a, b)});
            const float expected = known ? impulse_of(a, b) : 0.0f;
            kept += known ? 1 : 0;
            if (pairs.normal_impulse[i] != expected || pairs.tangent_impulse[i] != -expected)
                ++wrong;
        }
    }
    CHECK(wrong == 0);
    CHECK(kept > test::many / 5'000);
}

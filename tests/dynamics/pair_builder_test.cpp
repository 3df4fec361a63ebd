// SPDX-License-Identifier: MIT
// Are pairs coloured so that contacts of a colour are independent, and do they keep their impulses?
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/dynamics/pair_builder.hpp>

#include "../support/random.hpp"

using namespace phys2d;
using detail::at;
using detail::block_size;
using detail::ColourRange;
using detail::ContactBlock;
using detail::Contacts;
using detail::NarrowBody;
using detail::PairBuilder;
using detail::SlotRanges;
using detail::SolvingOrder;

namespace {

using Pair = std::pair<std::int32_t, std::int32_t>;

constexpr float reach = 0.1f;

/// Unit boxes of mass 1 in a row, five metres apart: none touches another.
std::vector<NarrowBody> row_of_bodies(std::int32_t count) {
    std::vector<NarrowBody> bodies;
    for (std::int32_t i = 0; i < count; ++i) {
        bodies.push_back(
            {{5.0f * static_cast<float>(i), 0.0f, 0.5f, 0.5f}, {0.0f, 0.0f, 0.0f, 1.0f}});
    }
    return bodies;
}

void add(PairBuilder& builder, const std::vector<Pair>& pairs,
         const std::vector<NarrowBody>& bodies) {
    for (const auto& [a, b] : pairs) builder.add(a, b, bodies.data(), reach, 0.5f, 0.0f);
}

Contacts built_from(SlotRanges ranges, const std::vector<Pair>& pairs) {
    PairBuilder builder;
    builder.begin(ranges);
    add(builder, pairs, row_of_bodies(1'010));
    Contacts result;
    builder.write(result);
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

bool holds_pair(const ContactBlock& block, int lane) {
    return block.share_a[lane] + block.share_b[lane] > 0.0f;
}

/// Calls visit(block, lane, pair) for each pair of the blocks [begin, end).
template <class Visit>
void for_each_pair(const Contacts& contacts, std::int32_t begin, std::int32_t end, Visit visit) {
    for (std::size_t i = at(begin); i < at(end); ++i) {
        for (int lane = 0; lane < block_size; ++lane) {
            if (!holds_pair(contacts.blocks[i], lane)) continue;
            visit(i, lane,
                  Pair{static_cast<std::int32_t>(contacts.pairs[i].a[lane]),
                       static_cast<std::int32_t>(contacts.pairs[i].b[lane])});
        }
    }
}

template <class Visit>
void for_each_pair(const Contacts& contacts, Visit visit) {
    for_each_pair(contacts, 0, static_cast<std::int32_t>(contacts.blocks.size()), visit);
}

/// Colours cover all blocks in solving order; in one no dynamic slot appears twice, but for the overflow,
/// which has one pair a block.
bool colours_are_sound(const Contacts& contacts, SlotRanges ranges) {
    std::size_t blocks = 0;
    bool sound = true;
    SolvingOrder order = SolvingOrder::Overflow;
    for (const ColourRange& colour : contacts.colours) {
        sound = sound && colour.end > colour.begin && colour.order >= order;
        order = colour.order;
        blocks += at(colour.end - colour.begin);
        std::set<std::int32_t> seen;
        std::size_t pairs = 0;
        for_each_pair(contacts, colour.begin, colour.end, [&](std::size_t, int, Pair pair) {
            ++pairs;
            if (colour.order == SolvingOrder::Overflow) return;
            for (const std::int32_t slot : {pair.first, pair.second}) {
                if (slot < ranges.dynamic_count) sound = sound && seen.insert(slot).second;
            }
        });
        if (colour.order == SolvingOrder::Overflow) {
            sound = sound && pairs == at(colour.end - colour.begin);
        }
    }
    return sound && blocks == contacts.blocks.size();
}

std::vector<Pair> sorted_pairs(const Contacts& contacts) {
    std::vector<Pair> result;
    for_each_pair(contacts, [&](std::size_t, int, Pair pair) { result.push_back(pair); });
    std::sort(result.begin(), result.end());
    return result;
}

/// Pairs that found no colour.
int overflow_of(const Contacts& contacts) {
    int count = 0;
    for (const ColourRange& colour : contacts.colours) {
        if (colour.order == SolvingOrder::Overflow) count += colour.end - colour.begin;
    }
    return count;
}

}  // namespace

TEST_CASE("every pair is there once, and within a colour no dynamic body appears twice") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < test::many / 5'000; ++i) {
        const std::int32_t moving = random.integer(80, 100);
        const SlotRanges ranges{random.integer(1, 80), moving, moving};
        const std::vector<Pair> pairs = random_pairs(random, ranges, 130, random.integer(0, 1'000));
        const Contacts result = built_from(ranges, pairs);
        if (!colours_are_sound(result, ranges) || sorted_pairs(result) != pairs) ++wrong;
        if (overflow_of(result) != 0 && pairs.size() < 64) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("pairs with an immovable body come last, and those that found no colour first") {
    test::Random random;
    const SlotRanges ranges{40, 50, 50};
    const Contacts pairs = built_from(ranges, random_pairs(random, ranges, 120, 3'000));
    CHECK(overflow_of(pairs) > 0);
    CHECK(pairs.colours[0].order == SolvingOrder::Overflow);
    CHECK(pairs.colours[pairs.colours.size() - 1].order == SolvingOrder::Immovable);
    for (const ColourRange& colour : pairs.colours) {
        if (colour.order == SolvingOrder::Overflow) continue;
        for_each_pair(pairs, colour.begin, colour.end, [&](std::size_t, int, Pair pair) {
            const bool immovable = pair.second >= ranges.dynamic_count;
            CHECK(immovable == (colour.order == SolvingOrder::Immovable));
        });
    }
    CHECK(colours_are_sound(pairs, ranges));
}

TEST_CASE("a body with 100 dynamic neighbours fills 64 colours, the rest overflows") {
    std::vector<Pair> pairs;
    for (std::int32_t i = 1; i <= 100; ++i) pairs.emplace_back(0, i);
    const Contacts result = built_from({101, 101, 101}, pairs);
    CHECK(result.colours.size() == 65);
    CHECK(overflow_of(result) == 36);
    CHECK(colours_are_sound(result, {101, 101, 101}));
    CHECK(sorted_pairs(result) == pairs);
}

TEST_CASE("a body on 50 static ones fills 32 colours, the rest overflows") {
    std::vector<Pair> pairs;
    for (std::int32_t i = 1; i <= 50; ++i) pairs.emplace_back(0, i);
    const Contacts result = built_from({1, 1, 1}, pairs);
    CHECK(result.colours.size() == 33);
    CHECK(overflow_of(result) == 18);
    CHECK(sorted_pairs(result) == pairs);
}

TEST_CASE("a thousand boxes on one floor are one colour") {
    std::vector<Pair> pairs;
    for (std::int32_t i = 0; i < 1'000; ++i) pairs.emplace_back(i, 1'000);
    CHECK(built_from({1'000, 1'000, 1'000}, pairs).colours.size() == 1);
}

TEST_CASE("the solver sees moving bodies in their slots and everything static in one") {
    const Contacts pairs = built_from({2, 3, 3}, {{0, 1}, {0, 2}, {1, 3}, {1, 7}});
    std::map<Pair, std::uint32_t> place;  // two a record
    for_each_pair(pairs, [&](std::size_t i, int lane, Pair pair) {
        place[pair] = pairs.blocks[i].b[lane];
        CHECK(pairs.blocks[i].a[lane] == 2 * static_cast<std::uint32_t>(pair.first));
    });
    CHECK(place[{0, 1}] == 2);
    CHECK(place[{0, 2}] == 4);
    CHECK(place[{1, 3}] == 6);
    CHECK(place[{1, 7}] == 6);
}

TEST_CASE("lanes without a pair hold the fixed body and have no share") {
    const Contacts contacts = built_from({30, 30, 30}, {{0, 1}, {1, 2}, {2, 3}, {3, 40}});
    int empty = 0;
    for (const ContactBlock& block : contacts.blocks) {
        for (int lane = 0; lane < block_size; ++lane) {
            if (holds_pair(block, lane)) continue;
            ++empty;
            CHECK(block.a[lane] == 60);
            CHECK(block.b[lane] == 60);
            CHECK(block.normal_impulse[lane] == 0.0f);
        }
    }
    CHECK(empty == 3 * block_size - 4);
}

TEST_CASE("shares are those of the masses") {
    std::vector<NarrowBody> bodies = row_of_bodies(3);
    bodies[1].motion.w = 3.0f;
    bodies[2].motion.w = 0.0f;
    PairBuilder builder;
    builder.begin({2, 2, 2});
    add(builder, {{0, 1}, {0, 2}}, bodies);
    Contacts contacts;
    builder.write(contacts);
    for_each_pair(contacts, [&](std::size_t i, int lane, Pair pair) {
        CHECK(contacts.blocks[i].share_a[lane] == (pair.second == 1 ? 0.25f : 1.0f));
        CHECK(contacts.blocks[i].share_b[lane] == (pair.second == 1 ? 0.75f : 0.0f));
    });
}

TEST_CASE(
    "within a colour, pairs that bear load come first, then those that touch, then the rest") {
    const std::int32_t count = 60;
    std::vector<NarrowBody> bodies = row_of_bodies(count);
    for (std::int32_t i = 20; i < 40; ++i) bodies[at(i)].place.x = static_cast<float>(i);  // touch
    std::vector<Pair> pairs;
    for (std::int32_t i = 0; i < count; i += 2) pairs.emplace_back(i, i + 1);
    PairBuilder builder;
    builder.begin({count, count, count});
    add(builder, pairs, bodies);
    for (std::int32_t i = 50; i < count; i += 2) builder.give_impulses(i + 1, i, 1.0f, 0.0f);
    Contacts contacts;
    builder.write(contacts);
    REQUIRE(contacts.colours.size() == 1);
    std::vector<std::int32_t> order;
    for_each_pair(contacts, [&](std::size_t, int, Pair pair) { order.push_back(pair.first); });
    for (std::size_t i = 0; i < 5; ++i) CHECK(order[i] >= 50);
    for (std::size_t i = 5; i < 15; ++i) CHECK((order[i] >= 20 && order[i] < 40));
    CHECK(order.size() == 30);
}

TEST_CASE(
    "what is added later is appended in sound colours of its own, and nothing new changes "
    "nothing") {
    test::Random random;
    const SlotRanges ranges{40, 50, 50};
    const std::vector<NarrowBody> bodies = row_of_bodies(120);
    const std::vector<Pair> all = random_pairs(random, ranges, 120, 900);
    const auto half = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    PairBuilder builder;
    builder.begin(ranges);
    add(builder, {all.begin(), half}, bodies);
    Contacts contacts;
    builder.write(contacts);
    const Contacts before = contacts;
    builder.write(contacts);
    CHECK(builder.parts() == 1);
    CHECK(contacts.blocks.size() == before.blocks.size());
    add(builder, {half, all.end()}, bodies);
    builder.write(contacts);
    CHECK(builder.parts() == 2);
    CHECK(contacts.pair_count == static_cast<std::int32_t>(all.size()));
    CHECK(sorted_pairs(contacts) == all);
    CHECK(colours_are_sound(contacts, ranges));
    for (std::size_t i = 0; i < before.blocks.size(); ++i) {
        CHECK(std::memcmp(&contacts.pairs[i], &before.pairs[i], sizeof(detail::PairBlock)) == 0);
    }
    CHECK(builder.contains(all.front().first, all.front().second));
    CHECK(builder.contains(all.back().first, all.back().second));
    CHECK_FALSE(builder.contains(0, 119'000));
}

TEST_CASE("each pair keeps its own friction and restitution") {
    const std::vector<NarrowBody> bodies = row_of_bodies(20);
    PairBuilder builder;
    builder.begin({20, 20, 20});
    for (std::int32_t i = 0; i < 19; ++i) {
        builder.add(i, i + 1, bodies.data(), reach, 0.125f * static_cast<float>(i),
                    i == 7 ? 0.5f : 0.0f);
    }
    Contacts pairs;
    builder.write(pairs);
    CHECK(pairs.any_restitution);
    for_each_pair(pairs, [&](std::size_t i, int lane, Pair pair) {
        CHECK(pairs.blocks[i].friction[lane] == 0.125f * static_cast<float>(pair.first));
        CHECK(pairs.bounces[i].restitution[lane] == (pair.first == 7 ? 0.5f : 0.0f));
    });
    builder.begin({20, 20, 20});
    add(builder, {{0, 1}}, bodies);
    builder.write(pairs);
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
        const SlotRanges ranges{60, 60, 60};
        Contacts pairs = built_from(ranges, random_pairs(random, ranges, 60, 300));
        for_each_pair(pairs, [&](std::size_t i, int lane, Pair pair) {
            pairs.blocks[i].normal_impulse[lane] = impulse_of(pair.first, pair.second);
            pairs.blocks[i].tangent_impulse[lane] = -impulse_of(pair.first, pair.second);
        });
        for (std::size_t i = 0; i < pairs.blocks.size(); ++i) {  // all are in contact
            pairs.active.push_back(static_cast<std::int32_t>(i));
        }
        const std::vector<Pair> before = sorted_pairs(pairs);
        std::vector<std::int32_t> now(60), was(60, -1);
        for (std::int32_t i = 0; i < 60; ++i) now[at(i)] = i;
        for (std::size_t i = 59; i > 0; --i) std::swap(now[i], now[random.bits() % (i + 1)]);
        for (std::int32_t& slot : now) slot = random.one_in(10) ? -1 : slot;  // has died
        for (std::int32_t i = 0; i < 60; ++i) {
            if (now[at(i)] >= 0) was[at(now[at(i)])] = i;
        }
        PairBuilder builder;
        builder.begin(ranges);
        add(builder, random_pairs(random, ranges, 60, 900), row_of_bodies(60));
        builder.take_impulses(pairs, now.data());
        builder.write(pairs);
        for_each_pair(pairs, [&](std::size_t i, int lane, Pair pair) {
            const std::int32_t a = was[at(pair.first)], b = was[at(pair.second)];
            const bool known = a >= 0 && b >= 0 &&
                               std::binary_search(before.begin(), before.end(),
                                                  Pair{std::min(a, b), std::max(a, b)});
            const float expected = known ? impulse_of(a, b) : 0.0f;
            kept += known ? 1 : 0;
            if (pairs.blocks[i].normal_impulse[lane] != expected) ++wrong;
            if (pairs.blocks[i].tangent_impulse[lane] != -expected) ++wrong;
        });
    }
    CHECK(wrong == 0);
    CHECK(kept > test::many / 5'000);
}

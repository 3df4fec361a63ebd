// SPDX-License-Identifier: MIT
// Are pairs coloured so that contacts of a colour are independent, and do they keep their impulses?
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/dynamics/pair_builder.hpp>

#include "../support/narrow_columns.hpp"
#include "../support/random.hpp"
#include "../support/random_moves.hpp"

namespace pair_builder_test {

using namespace phys2d;
using detail::at;
using detail::block_size;
using detail::BodySlots;
using detail::ColourRange;
using detail::ContactBlock;
using detail::Contacts;
using detail::NarrowBody;
using detail::PairBuilder;
using detail::SlotRanges;
using detail::SolvingOrder;

namespace {

using Pair = std::pair<std::int32_t, std::int32_t>;

constexpr detail::ContactReach reach{.margin = 0.1f, .corner_slop = 2e-3f};

/// Unit boxes of mass 1 in a row, five metres apart: none touches another.
std::vector<NarrowBody> row_of_bodies(std::int32_t count) {
    std::vector<NarrowBody> bodies;
    for (std::int32_t i = 0; i < count; ++i) {
        bodies.push_back(
            {{5.0f * static_cast<float>(i), 0.0f, 0.0f, 0.0f}, {0.5f, 0.5f, 0.0f, 1.0f}});
    }
    return bodies;
}

void add(PairBuilder& builder, const std::vector<Pair>& pairs) {
    for (const auto& [a, b] : pairs) builder.add(a, b, {0.5f, 0.0f});
}

template <int Width = block_size>
void write(PairBuilder& builder, Contacts& contacts, const std::vector<NarrowBody>& bodies,
           BodySlots body_slots = BodySlots()) {
    detail::Alone alone;
    builder.write<Width>(contacts, test::columns_of(bodies), reach, body_slots, alone);
}

Contacts built_from(SlotRanges ranges, const std::vector<Pair>& pairs) {
    const std::vector<NarrowBody> bodies = row_of_bodies(1'010);
    PairBuilder builder;
    builder.begin(ranges);
    add(builder, pairs);
    Contacts result;
    write(builder, result, bodies);
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

/// Each block is of one colour, and colours are in solving order; in one no dynamic slot appears
/// twice, but for the overflow.
bool colours_are_sound(const Contacts& contacts, SlotRanges ranges) {
    std::vector<int> times(contacts.blocks.size(), 0);
    bool sound = true;
    SolvingOrder order = SolvingOrder::Overflow;
    for (const ColourRange& colour : contacts.colours) {
        sound = sound && colour.end > colour.begin && colour.order >= order;
        order = colour.order;
        for (std::int32_t i = colour.begin; i < colour.end; ++i) ++times.at(at(i));
        std::set<std::int32_t> seen;
        std::vector<int> pairs_of(times.size(), 0);
        for_each_pair(contacts, colour.begin, colour.end, [&](std::size_t block, int, Pair pair) {
            ++pairs_of[block];
            if (colour.order == SolvingOrder::Overflow) return;
            for (const std::int32_t slot : {pair.first, pair.second}) {
                if (slot < ranges.dynamic_count) sound = sound && seen.insert(slot).second;
            }
        });
        for (std::int32_t i = colour.begin; i < colour.end; ++i) {
            sound = sound && pairs_of[at(i)] >= 1 && pairs_of[at(i)] <= block_size;
        }
    }
    return sound && std::count(times.begin(), times.end(), 1) == std::ptrdiff_t(times.size());
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
        if (colour.order != SolvingOrder::Overflow) continue;
        for_each_pair(contacts, colour.begin, colour.end, [&](std::size_t, int, Pair) { ++count; });
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
        CHECK(pairs.blocks[i].a[lane] == detail::simd::place_of_record(pair.first));
    });
    CHECK(place[{0, 1}] == 2);
    CHECK(place[{0, 2}] == 4);
    const std::uint32_t fixed = detail::simd::place_of_record(3 + detail::spare_slots(3));
    CHECK(place[{1, 3}] == fixed);
    CHECK(place[{1, 7}] == fixed);
}

TEST_CASE(
    "lanes without a pair are their block's idle body with itself, without share, load or bounce") {
    test::Random random;
    const SlotRanges ranges{40, 50, 60};
    const std::vector<Pair> pairs = random_pairs(random, ranges, 120, 3'000);
    const Contacts contacts = built_from(ranges, pairs);
    REQUIRE(overflow_of(contacts) > 0);
    // two places a record; the idle ones are behind the fixed one
    const auto first_idle = static_cast<std::uint32_t>(50 + detail::spare_slots(50) + 1);
    int wrong = 0;
    std::size_t empty = 0;
    for (std::size_t i = 0; i < contacts.blocks.size(); ++i) {
        const ContactBlock& block = contacts.blocks[i];
        const detail::BounceBlock& bounces = contacts.bounces[i];
        const std::uint32_t idle = 2 * (first_idle + static_cast<std::uint32_t>(i));
        for (int lane = 0; lane < block_size; ++lane) {
            if (holds_pair(block, lane)) continue;
            ++empty;
            wrong += block.a[lane] != idle || block.b[lane] != idle;
            wrong += contacts.pairs[i].a[lane] != 0 || contacts.pairs[i].b[lane] != 0;
            wrong += block.share_a[lane] != 0.0f || block.share_b[lane] != 0.0f;
            wrong += block.friction[lane] != 0.0f;
            wrong += block.normal_impulse[lane] != 0.0f || block.tangent_impulse[lane] != 0.0f;
            wrong += bounces.restitution[lane] != 0.0f || bounces.rebound[lane] != 0.0f;
        }
    }
    CHECK(wrong == 0);
    CHECK(empty == contacts.blocks.size() * block_size - pairs.size());
}

TEST_CASE("shares are those of the masses") {
    std::vector<NarrowBody> bodies = row_of_bodies(3);
    bodies[1].form.w = 3.0f;
    bodies[2].form.w = 0.0f;
    PairBuilder builder;
    builder.begin({2, 2, 2});
    add(builder, {{0, 1}, {0, 2}});
    Contacts contacts;
    write(builder, contacts, bodies);
    for_each_pair(contacts, [&](std::size_t i, int lane, Pair pair) {
        CHECK(contacts.blocks[i].share_a[lane] == (pair.second == 1 ? 0.25f : 1.0f));
        CHECK(contacts.blocks[i].share_b[lane] == (pair.second == 1 ? 0.75f : 0.0f));
    });
}

TEST_CASE("blocks are filled with the same bits at every width") {
    test::Random random;
    const SlotRanges ranges{40, 50, 50};
    std::vector<NarrowBody> bodies = row_of_bodies(120);
    for (std::size_t i = 0; i < 40; ++i) bodies[i].form.w = random.uniform(0.01f, 5.0f);
    PairBuilder builder;
    builder.begin(ranges);
    for (const auto& [a, b] : random_pairs(random, ranges, 120, 400)) {
        builder.add(a, b, {random.unit(), random.unit()});
        builder.give(a, b,
                     {.normal_impulse = random.unit(),
                      .tangent_impulse = random.unit(),
                      .is_touching = random.one_in(2)});
    }
    PairBuilder same[] = {builder, builder};
    Contacts eight, others[2];
    write<8>(builder, eight, bodies);
    write<4>(same[0], others[0], bodies);
    write<1>(same[1], others[1], bodies);
    int wrong = 0;
    for (const Contacts& other : others) {
        REQUIRE(other.blocks.size() == eight.blocks.size());
        for_each_pair(eight, [&](std::size_t i, int lane, Pair) {
            const ContactBlock &a = eight.blocks[i], &b = other.blocks[i];
            wrong += a.a[lane] != b.a[lane] || a.b[lane] != b.b[lane];
            wrong += a.share_a[lane] != b.share_a[lane] || a.share_b[lane] != b.share_b[lane];
            wrong += a.friction[lane] != b.friction[lane];
            wrong += a.normal_impulse[lane] != b.normal_impulse[lane];
            wrong += a.tangent_impulse[lane] != b.tangent_impulse[lane];
            wrong += eight.bounces[i].restitution[lane] != other.bounces[i].restitution[lane];
            wrong += eight.pairs[i].a[lane] != other.pairs[i].a[lane];
            wrong += eight.pairs[i].b[lane] != other.pairs[i].b[lane];
        });
        wrong += sorted_pairs(eight) != sorted_pairs(other);
    }
    CHECK(wrong == 0);
}

namespace {

/// Boxes and balls in a heap, in which some pairs touch.
std::vector<NarrowBody> heap_of_bodies(test::Random& random, std::int32_t count) {
    std::vector<NarrowBody> bodies;
    for (std::int32_t i = 0; i < count; ++i) {
        const Vec2 place = random.point(5.0f);
        const float size = random.uniform(0.1f, 1.0f);
        const bool round = random.one_in(2);
        bodies.push_back(
            {{place.x, place.y, 0.0f, 0.0f},
             {round ? 0.0f : size, round ? 0.0f : 0.5f * size, round ? size : 0.0f, 1.0f}});
    }
    return bodies;
}

bool bears_load(Pair pair) { return (pair.first + pair.second) % 4 == 0; }

/// 0 for a pair that bears load, 1 for one whose boxes are closer than the margin and, if they are
/// sharp, face each other, 2 for the rest.
int rank_of(const std::vector<NarrowBody>& bodies, Pair pair) {
    const NarrowBody &a = bodies[at(pair.first)], &b = bodies[at(pair.second)];
    const double radius = double{a.form.z} + b.form.z;
    const double x = std::fabs(double{a.motion.x} - b.motion.x) - a.form.x - b.form.x - radius;
    const double y = std::fabs(double{a.motion.y} - b.motion.y) - a.form.y - b.form.y - radius;
    if (bears_load(pair)) return 0;
    const bool faces = radius > 0.0 || std::min(x, y) <= -double{reach.corner_slop};
    return std::max(x, y) < reach.margin && faces ? 1 : 2;
}

Contacts loaded_from(SlotRanges ranges, const std::vector<Pair>& pairs,
                     const std::vector<NarrowBody>& bodies) {
    PairBuilder builder;
    builder.begin(ranges);
    add(builder, pairs);
    for (const auto& [a, b] : pairs) {
        if (!bears_load({a, b})) continue;
        constexpr std::uint32_t no_feature = 0;
        builder.give(b, a, {.feature = no_feature, .normal_impulse = 1.0f});  // in either order
    }
    Contacts contacts;
    write(builder, contacts, bodies);
    return contacts;
}

/// Of each pair that bears load: its colour, counted among those of the same kind.
std::map<Pair, int> colours_of_load(const Contacts& contacts) {
    std::map<Pair, int> result;
    std::map<SolvingOrder, int> counts;
    for (const ColourRange& colour : contacts.colours) {
        const int number = counts[colour.order]++;
        for_each_pair(contacts, colour.begin, colour.end, [&](std::size_t, int, Pair pair) {
            if (bears_load(pair)) result[pair] = number;
        });
    }
    return result;
}

}  // namespace

TEST_CASE("within a colour, pairs come by what they bear: load, then touch, then nothing") {
    test::Random random;
    int wrong = 0, steps_down = 0;
    for (int round = 0; round < test::many / 20'000; ++round) {
        const SlotRanges ranges{60, 70, 70};
        const std::vector<NarrowBody> bodies = heap_of_bodies(random, 120);
        const std::vector<Pair> pairs = random_pairs(random, ranges, 120, 2'000);
        const Contacts contacts = loaded_from(ranges, pairs, bodies);
        for (const ColourRange& colour : contacts.colours) {
            int rank = 0, lanes = 0;
            for_each_pair(contacts, colour.begin, colour.end, [&](std::size_t i, int lane, Pair p) {
                const int next = rank_of(bodies, p);
                wrong += next < rank;
                steps_down += next > rank;
                rank = next;
                if (!colour.is_independent()) return;  // whose lanes are not packed
                wrong +=
                    lanes++ != static_cast<int>(i) * block_size + lane - colour.begin * block_size;
            });
        }
    }
    CHECK(wrong == 0);
    CHECK(steps_down > test::many / 20'000);
}

TEST_CASE("among many bodies, the pairs of a colour come region after region") {
    test::Random random;
    for (const std::int32_t count : {1, 4'096, 4'097, 20'000, 65'536, 65'537, 200'000}) {
        CAPTURE(count);
        const detail::Regions regions(count);
        CHECK((regions.count() > 1) == (count > 4'096));
        CHECK(regions.of(count - 1) + 1 == regions.count());
        REQUIRE(regions.count() <= detail::Regions::most);
        const SlotRanges ranges{count, count, count};
        const std::vector<NarrowBody> bodies = row_of_bodies(count + 1);
        const std::vector<Pair> pairs = random_pairs(random, ranges, count + 1, 2'000);
        PairBuilder builder;
        builder.begin(ranges);
        add(builder, pairs);
        Contacts contacts;
        write(builder, contacts, bodies);
        CHECK(colours_are_sound(contacts, ranges));
        CHECK(sorted_pairs(contacts) == pairs);
        for (const ColourRange& colour : contacts.colours) {
            std::vector<std::size_t> places;
            for_each_pair(contacts, colour.begin, colour.end, [&](std::size_t, int, Pair pair) {
                places.push_back(regions.of(pair.first));
            });
            CHECK(std::is_sorted(places.begin(), places.end()));
        }
    }
}

TEST_CASE("pairs that bear load are coloured as if there were no others") {
    test::Random random;
    for (int round = 0; round < 10; ++round) {
        const SlotRanges ranges{60, 70, 70};
        const std::vector<NarrowBody> bodies = heap_of_bodies(random, 120);
        const std::vector<Pair> pairs = random_pairs(random, ranges, 120, 1'000);
        std::vector<Pair> loaded;
        std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(loaded), bears_load);
        CHECK(colours_of_load(loaded_from(ranges, pairs, bodies)) ==
              colours_of_load(loaded_from(ranges, loaded, bodies)));
    }
}

namespace {

template <class T>
bool begins_with(const detail::Array<T>& all, const detail::Array<T>& first) {
    if (first.empty()) return true;
    return all.size() >= first.size() &&
           std::memcmp(all.data(), first.data(), first.size() * sizeof(T)) == 0;
}

/// The blocks of `before` are the first of `after`, to the bit.
bool is_appended(const Contacts& after, const Contacts& before) {
    return begins_with(after.blocks, before.blocks) && begins_with(after.bounces, before.bounces) &&
           begins_with(after.pairs, before.pairs);
}

/// How many colours lie in the blocks [begin, end); -1 if one lies across a border.
int colours_within(const Contacts& contacts, std::size_t begin, std::size_t end) {
    int count = 0;
    for (const ColourRange& colour : contacts.colours) {
        const bool begins = at(colour.begin) >= begin && at(colour.begin) < end;
        const bool ends = at(colour.end) > begin && at(colour.end) <= end;
        if (begins != ends) return -1;
        count += begins ? 1 : 0;
    }
    return count;
}

}  // namespace

TEST_CASE("what is added later is appended behind the rest, in sound colours of its own") {
    test::Random random;
    const SlotRanges ranges{40, 50, 50};
    const std::vector<NarrowBody> bodies = row_of_bodies(120);
    std::vector<Pair> all = random_pairs(random, ranges, 120, 900);
    REQUIRE(all.size() > 601);
    for (std::size_t i = all.size() - 1; i > 0; --i)
        std::swap(all[i], all[random.bits() % (i + 1)]);
    PairBuilder builder;
    builder.begin(ranges);
    Contacts contacts;
    std::vector<Pair> added;
    for (int part = 1; part <= 5; ++part) {
        const Contacts before = contacts;
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(added.size());
        const std::vector<Pair> more(first, first + (part == 3 ? 1 : 150));
        add(builder, more);
        added.insert(added.end(), more.begin(), more.end());
        write(builder, contacts, bodies);
        CHECK(builder.parts() == part);
        CHECK(is_appended(contacts, before));
        CHECK(colours_are_sound(contacts, ranges));
        const std::size_t border = before.blocks.size(), end = contacts.blocks.size();
        CHECK(colours_within(contacts, 0, border) == static_cast<int>(before.colours.size()));
        CHECK(colours_within(contacts, border, end) > 0);
        CHECK(contacts.pair_count == static_cast<std::int32_t>(added.size()));
    }
    std::sort(added.begin(), added.end());
    CHECK(sorted_pairs(contacts) == added);
}

TEST_CASE("a body may meet 30 static and 60 dynamic ones in each part without any overflow") {
    const std::vector<NarrowBody> bodies = row_of_bodies(300);
    const SlotRanges ranges{200, 200, 200};
    for (const std::int32_t body : {0, 199}) {  // the first of its pairs, or the second
        PairBuilder builder;
        builder.begin(ranges);
        Contacts contacts;
        for (std::int32_t part = 0; part < 3; ++part) {
            std::vector<Pair> pairs;
            for (std::int32_t i = 1 + 60 * part; i < 61 + 60 * part; ++i) {
                pairs.emplace_back(body == 0 ? 0 : i, body == 0 ? i : body);
            }
            for (std::int32_t i = 0; body == 0 && i < 30; ++i) {
                pairs.emplace_back(body, 200 + 30 * part + i);
            }
            add(builder, pairs);
            write(builder, contacts, bodies);
            CHECK(overflow_of(contacts) == 0);
            CHECK(colours_are_sound(contacts, ranges));
        }
    }
}

TEST_CASE("pairs with faces of terrain share no block with others, in the overflow either") {
    const std::vector<NarrowBody> bodies = row_of_bodies(120);
    const std::int32_t terrain = 119;
    PairBuilder builder;
    builder.begin({110, 110, 110});
    for (std::int32_t i = 1; i <= 81; ++i) {
        builder.add(0, i, {});
        const detail::Face face{.feature = static_cast<std::uint32_t>(i)};
        builder.add_face(0, terrain, face, test::columns_of(bodies), reach, {});
    }
    Contacts contacts;
    write(builder, contacts, bodies);
    CHECK(overflow_of(contacts) == 81 - 64 + 81 - 32);
    for_each_pair(contacts, [&](std::size_t block, int, Pair pair) {
        const auto index = static_cast<std::int32_t>(block);
        CHECK(contacts.has_face({index, 0}) == (pair.second == terrain));
    });
}

TEST_CASE("a block knows what the forms of its pairs come to, of terrain those of the body alone") {
    test::Random random;
    const SlotRanges ranges{60, 60, 60};
    std::vector<NarrowBody> bodies = row_of_bodies(120);
    for (NarrowBody& body : bodies) {
        body.form = {random.unit(), random.unit(), random.one_in(2) ? random.unit() : 0.0f, 1.0f};
    }
    PairBuilder builder;
    builder.begin(ranges);
    add(builder, random_pairs(random, ranges, 110, 900));
    const std::int32_t terrain = 119;
    for (std::int32_t body = 0; body < 60; ++body) {
        builder.add_face(body, terrain, detail::Face{.feature = 1}, test::columns_of(bodies), reach,
                         {});
    }
    Contacts contacts;
    write(builder, contacts, bodies);
    int wrong = 0, faces = 0;
    for_each_pair(contacts, [&](std::size_t i, int lane, Pair pair) {
        const auto& a = bodies[at(pair.first)].form;
        const bool is_face = pair.second == terrain;
        const detail::simd::Record4 none{};
        const auto& b = is_face ? none : bodies[at(pair.second)].form;
        const float radius = a.z + b.z;
        const float narrowest = std::min(std::min(a.x, b.x), std::min(a.y, b.y));
        const auto forms = detail::PairForms<1>::load(contacts.pairs[i], lane);
        faces += is_face ? 1 : 0;
        wrong += forms.h.x.value == a.x + b.x && forms.h.y.value == a.y + b.y &&
                         forms.radius.value == radius &&
                         forms.most_slop.value == (radius > 0.0f ? 0.0f : 0.25f * narrowest)
                     ? 0
                     : 1;
    });
    CHECK(wrong == 0);
    CHECK(faces == 60);
}

TEST_CASE("writing again with nothing new changes nothing and is no part") {
    test::Random random;
    const SlotRanges ranges{40, 50, 50};
    const std::vector<NarrowBody> bodies = row_of_bodies(120);
    PairBuilder builder;
    Contacts contacts = built_from(ranges, random_pairs(random, ranges, 120, 100));
    builder.begin(ranges);
    write(builder, contacts, bodies);  // in place of what was there, although it is empty
    CHECK(contacts.blocks.empty());
    CHECK(contacts.colours.empty());
    CHECK(contacts.pair_count == 0);
    builder.begin(ranges);
    add(builder, random_pairs(random, ranges, 120, 400));
    write(builder, contacts, bodies);
    const Contacts before = contacts;
    write(builder, contacts, bodies);
    CHECK(builder.parts() == 1);
    CHECK(contacts.blocks.size() == before.blocks.size());
    CHECK(is_appended(contacts, before));
    CHECK(contacts.pair_count == before.pair_count);
    CHECK(contacts.colours.size() == before.colours.size());
    CHECK(begins_with(contacts.colours, before.colours));
}

TEST_CASE("the list contains what was added, written or not, until it begins anew") {
    test::Random random;
    const SlotRanges ranges{40, 50, 50};
    const std::vector<NarrowBody> bodies = row_of_bodies(120);
    const std::vector<Pair> all = random_pairs(random, ranges, 120, 900);
    const auto half = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    PairBuilder builder;
    Contacts contacts;
    const auto wrong_answers = [&](const std::set<Pair>& pairs) {
        int wrong = 0;
        for (std::int32_t a = 0; a < 120; ++a) {
            for (std::int32_t b = a + 1; b < 120; ++b) {
                wrong += builder.contains(a, b) != (pairs.count({a, b}) == 1);
            }
        }
        return wrong;
    };
    builder.begin(ranges);
    CHECK(wrong_answers({}) == 0);
    add(builder, {all.begin(), half});
    write(builder, contacts, bodies);
    add(builder, {half, all.end()});
    CHECK(wrong_answers({all.begin(), all.end()}) == 0);
    builder.begin(ranges);
    CHECK(wrong_answers({}) == 0);
}

TEST_CASE("each pair keeps its own friction and restitution") {
    const std::vector<NarrowBody> bodies = row_of_bodies(20);
    PairBuilder builder;
    builder.begin({20, 20, 20});
    for (std::int32_t i = 0; i < 19; ++i) {
        builder.add(i, i + 1, {0.125f * static_cast<float>(i), i == 7 ? 0.5f : 0.0f});
    }
    Contacts pairs;
    write(builder, pairs, bodies);
    CHECK(pairs.any_restitution);
    for_each_pair(pairs, [&](std::size_t i, int lane, Pair pair) {
        CHECK(pairs.blocks[i].friction[lane] == 0.125f * static_cast<float>(pair.first));
        CHECK(pairs.bounces[i].restitution[lane] == (pair.first == 7 ? 0.5f : 0.0f));
        pairs.bounces[i].rebound[lane] = pairs.bounces[i].impact[lane] = 3.0f;  // of a step
    });
    builder.begin({20, 20, 20});
    for (std::int32_t i = 0; i < 20; i += 2) builder.add(i, i + 1, {0.5f, 0.0f});
    write(builder, pairs, bodies);
    CHECK_FALSE(pairs.any_restitution);
    for_each_pair(pairs, [&](std::size_t i, int lane, Pair) {
        CHECK(pairs.bounces[i].rebound[lane] == 0.0f);
        CHECK(pairs.bounces[i].impact[lane] == 0.0f);
    });
}

namespace {

/// A number for a pair of bodies, however their slots change.
float impulse_of(std::int32_t one, std::int32_t other) {
    return static_cast<float>(std::min(one, other) * 1'000 + std::max(one, other) + 1);
}

}  // namespace

TEST_CASE("impulses survive a rebuild and a change of slots, and new pairs have none") {
    test::Random random;
    const std::vector<NarrowBody> bodies = row_of_bodies(60);
    int wrong = 0, kept = 0;
    for (int round = 0; round < test::many / 5'000; ++round) {
        const SlotRanges ranges{60, 60, 60};
        Contacts pairs = built_from(ranges, random_pairs(random, ranges, 60, 300));
        for_each_pair(pairs, [&](std::size_t i, int lane, Pair pair) {
            pairs.blocks[i].normal_impulse[lane] = impulse_of(pair.first, pair.second);
            pairs.blocks[i].tangent_impulse[lane] = -impulse_of(pair.first, pair.second);
        });
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
        add(builder, random_pairs(random, ranges, 60, 900));
        builder.take_impulses(pairs, now, [](detail::LanePlace) {});
        write(builder, pairs, bodies);
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

TEST_CASE("what is known of a pair is in the bits of its lane, in later parts too") {
    test::Random random;
    const SlotRanges ranges{40, 50, 50};
    const std::vector<NarrowBody> bodies = row_of_bodies(120);
    const auto is_silent = [](Pair pair) { return (pair.first + pair.second) % 3 == 0; };
    const auto touches = [](Pair pair) { return (pair.first + pair.second) % 4 == 0; };
    const auto is_special = [](Pair pair) { return (pair.first + pair.second) % 5 == 0; };
    const std::vector<Pair> all = random_pairs(random, ranges, 120, 600);
    PairBuilder builder;
    builder.begin(ranges);
    Contacts contacts;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto [a, b] = all[i];
        builder.add(a, b, {0.5f, 0.0f, is_special(all[i])});
        builder.give(a, b, {.is_touching = touches(all[i]), .has_events = !is_silent(all[i])});
        if (i == all.size() / 2 || i + 1 == all.size()) write(builder, contacts, bodies);
    }
    int wrong = 0;
    std::set<std::pair<std::int32_t, int>> specials;
    for (const detail::LanePlace place : contacts.specials)
        specials.emplace(place.block, place.lane);
    for_each_pair(contacts, [&](std::size_t i, int lane, Pair pair) {
        const auto block = static_cast<std::int32_t>(i);
        const bool is_told = !touches(pair) || !is_silent(pair);  // else not decided yet
        wrong += has_lane(contacts.has_events, {block, lane}) != is_told;
        wrong += has_lane(contacts.touching, {block, lane}) != touches(pair);
        wrong += (specials.count({block, lane}) == 1) != is_special(pair);
        int found = 0;
        (void)builder.any_lane_of(pair.first, pair.second, [&](detail::LanePlace place) {
            found += place.block == block && place.lane == lane ? 1 : 100;
            return false;
        });
        wrong += found != 1;
    });
    CHECK(wrong == 0);
    CHECK(specials.size() == contacts.specials.size());
}

TEST_CASE(
    "pairs with faces know theirs, in later parts too, and the new ones that take their places") {
    const std::vector<NarrowBody> bodies = row_of_bodies(12);
    constexpr std::int32_t terrain = 11;
    const auto face_of = [](std::int32_t body, std::uint32_t feature) {
        detail::Face face;
        face.start = {static_cast<float>(body), -3.0f};
        face.length = face.end = static_cast<float>(feature);
        face.feature = feature;
        return face;
    };
    PairBuilder builder;
    builder.begin({10, 10, 10});
    Contacts contacts;
    const auto written_face = [&](std::int32_t body, std::uint32_t feature) {
        detail::Face found = detail::no_face;
        (void)builder.any_lane_of(body, terrain, [&](detail::LanePlace place) {
            if (contacts.feature(place) != feature) return false;
            found = contacts.face(place);
            return true;
        });
        return found;
    };
    for (const std::uint32_t feature : {1u, 2u}) {  // each in a part of its own
        for (std::int32_t body = 0; body < 10; ++body) {
            builder.add_face(body, terrain, face_of(body, feature), test::columns_of(bodies), reach,
                             {});
        }
        builder.add(static_cast<std::int32_t>(feature), 10, {});
        write(builder, contacts, bodies);
    }
    for (std::int32_t body = 0; body < 10; ++body) {
        CHECK(written_face(body, 1).start.x == static_cast<float>(body));
        CHECK(written_face(body, 2).end == 2.0f);
    }

    builder.replace_faces(3, contacts, [&](std::int32_t other, const detail::Face& face) {
        CHECK(other == terrain);
        return face.feature == 1 ? face_of(33, 1) : detail::no_face;
    });
    CHECK(written_face(3, 1).start.x == 33.0f);
    CHECK(written_face(3, 2).feature == 0);
    CHECK(written_face(4, 1).start.x == 4.0f);
    CHECK(written_face(4, 2).end == 2.0f);
}

TEST_CASE("a face that is gone passes its touch on to one alike, or to any as its heir") {
    constexpr std::int32_t terrain = 1;
    const std::vector<NarrowBody> bodies = row_of_bodies(2);
    const Vec2 up{0.0f, 1.0f};
    const Vec2 right{1.0f, 0.0f};
    const auto written = [&](std::vector<detail::PairMemory> memories) {
        PairBuilder builder;
        builder.begin({1, 1, 1});
        for (const Vec2 normal : {up, right}) {
            detail::Face face;
            face.normal = face.before = normal;
            face.feature = normal == up ? 1 : 2;
            builder.add_face(0, terrain, face, test::columns_of(bodies), reach, {});
        }
        for (const detail::PairMemory& memory : memories) CHECK(builder.give(0, terrain, memory));
        Contacts contacts;
        write(builder, contacts, bodies);
        std::vector<std::pair<std::uint32_t, bool>> touching;  // features, and whether heirs
        (void)builder.any_lane_of(0, terrain, [&](detail::LanePlace place) {
            if (!detail::has_lane(contacts.touching, place)) return false;
            touching.emplace_back(contacts.feature(place), detail::has_lane(contacts.heirs, place));
            return false;
        });
        return touching;
    };
    using Touching = std::vector<std::pair<std::uint32_t, bool>>;
    const detail::PairMemory own{.feature = 2, .side = right, .is_touching = true};
    const detail::PairMemory alike{.feature = 7, .side = up, .is_touching = true};
    const detail::PairMemory other{.feature = 8, .side = -up, .is_touching = true};
    CHECK(written({own}) == Touching{{2, false}});
    CHECK(written({alike}) == Touching{{1, false}});
    CHECK(written({other}) == Touching{{2, true}});
    CHECK(written({other, own}) == Touching{{2, false}});
    CHECK(written({own, other}) == Touching{{2, false}});
    CHECK(written({{.feature = 9, .side = up}}).empty());
}

TEST_CASE("what a pair without a face pushed does not push from a face of the same pair") {
    const std::vector<NarrowBody> bodies = row_of_bodies(2);
    PairBuilder builder;
    builder.begin({1, 1, 1});
    detail::Face wall;
    wall.normal = wall.before = {1.0f, 0.0f};
    wall.feature = 2;
    builder.add_face(0, 1, wall, test::columns_of(bodies), reach, {});
    CHECK(builder.give(0, 1, {.normal_impulse = 1.0f, .is_touching = true}));
    Contacts contacts;
    write(builder, contacts, bodies);
    CHECK(contacts.touching[0] == 1);
    CHECK(contacts.blocks[0].normal_impulse[0] == 0.0f);
}

TEST_CASE("a limb is solved as its body, and shares its colours") {
    const std::vector<NarrowBody> bodies = row_of_bodies(120);
    const SlotRanges ranges{40, 40, 40};
    std::vector<std::int32_t> body_of(40);
    for (std::int32_t i = 0; i < 40; ++i) body_of[at(i)] = i - i % 2;  // each odd slot is a limb
    PairBuilder builder;
    builder.begin(ranges);
    std::vector<Pair> pairs;
    for (std::int32_t i = 0; i < 38; i += 2) {
        for (const Pair& pair : {Pair{i, i + 2}, {i + 1, i + 3}, {i, 100}, {i + 1, 101}}) {
            pairs.push_back(pair);
        }
    }
    add(builder, pairs);
    Contacts contacts;
    write(builder, contacts, bodies, BodySlots(body_of));
    const std::int32_t fixed = builder.fixed_slot();
    int wrong = 0;
    for (const ColourRange& colour : contacts.colours) {
        std::set<std::uint32_t> seen;
        for_each_pair(contacts, colour.begin, colour.end, [&](std::size_t i, int lane, Pair pair) {
            const ContactBlock& block = contacts.blocks[i];
            const std::int32_t b = pair.second < 40 ? body_of[at(pair.second)] : fixed;
            wrong += block.a[lane] != detail::simd::place_of_record(body_of[at(pair.first)]);
            wrong += block.b[lane] != detail::simd::place_of_record(b);
            wrong += !seen.insert(block.a[lane]).second;
            wrong += b < 40 && !seen.insert(block.b[lane]).second;
        });
    }
    CHECK(wrong == 0);
    CHECK(sorted_pairs(contacts).size() == pairs.size());
}

TEST_CASE(
    "pairs follow bodies into other slots with all they know, and nothing is left of those that "
    "go") {
    test::Random random;
    int wrong = 0, kept = 0, all_lost = 0;
    for (int round = 0; round < 20; ++round) {
        const SlotRanges ranges{40, 50, 50};
        const std::vector<NarrowBody> bodies = row_of_bodies(120);
        const std::vector<Pair> pairs = random_pairs(random, ranges, 120, 800);
        PairBuilder builder;
        builder.begin(ranges);
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const bool is_special = i % 5 == 0;
            builder.add(pairs[i].first, pairs[i].second, {static_cast<float>(i), 0.0f, is_special});
        }
        Contacts contacts;
        write(builder, contacts, bodies);
        test::MovedSlots moved = test::random_moves(random, ranges, 120);
        const auto now = [&](std::int32_t slot) { return moved.moves.now[at(slot)]; };
        REQUIRE(builder.has_room_for(moved.ranges.moving_count));
        int lost = 0;
        builder.prepare_to_follow(moved.moves, moved.ranges, contacts, BodySlots(),
                                  [&](detail::LanePlace) { ++lost; });
        builder.follow(moved.moves, moved.ranges, contacts, BodySlots());

        const auto fixed = static_cast<std::uint32_t>(builder.fixed_slot());
        std::size_t specials = 0;
        int found = 0;
        for_each_pair(contacts, [&](std::size_t block, int lane, Pair pair) {
            const ContactBlock& contact = contacts.blocks[block];
            const auto i = static_cast<std::size_t>(contact.friction[lane]);
            const Pair expected{now(pairs[i].first), now(pairs[i].second)};
            const auto a = static_cast<std::uint32_t>(pair.first);
            const auto b = static_cast<std::uint32_t>(pair.second);
            wrong += pair != expected || contact.a[lane] != 2 * a;
            wrong += contact.b[lane] != 2 * (pair.second < moved.ranges.moving_count ? b : fixed);
            int lanes = 0;
            (void)builder.any_lane_of(pair.first, pair.second, [&](detail::LanePlace place) {
                lanes += place.block == static_cast<std::int32_t>(block) && place.lane == lane;
                return false;
            });
            wrong += lanes != 1;
            specials += i % 5 == 0 ? 1 : 0;
            ++found;
        });
        wrong += specials != contacts.specials.size();
        for (const detail::LanePlace place : contacts.specials) wrong += contacts.is_empty(place);
        for (std::int32_t i = 0; at(i) < contacts.blocks.size(); ++i) {
            const auto idle = 2 * (fixed + 1 + static_cast<std::uint32_t>(i));
            for (int lane = 0; lane < block_size; ++lane) {
                wrong += contacts.is_empty({i, lane}) && contacts.blocks[i].a[lane] != idle;
            }
        }
        wrong += found != contacts.pair_count || !builder.has_written(contacts);
        wrong += found + lost != static_cast<int>(pairs.size());
        kept += found;
        all_lost += lost;
    }
    CHECK(wrong == 0);
    CHECK(kept > 5'000);
    CHECK(all_lost > 1'000);
}

namespace {

/// A list of pairs whose bodies go, as a World tells it of them.
struct Following {
    PairBuilder builder;
    Contacts contacts;
    std::vector<NarrowBody> bodies = row_of_bodies(120);

    void follow(test::MovedSlots& moved) {
        builder.prepare_to_follow(moved.moves, moved.ranges, contacts, BodySlots(),
                                  [](detail::LanePlace) {});
        builder.follow(moved.moves, moved.ranges, contacts, BodySlots());
    }
};

}  // namespace

TEST_CASE("pairs that come after the last special one has gone have a surface, too") {
    Following list;
    list.builder.begin({3, 3, 3});
    list.builder.add(0, 1, {0.5f, 0.0f, true});
    write(list.builder, list.contacts, list.bodies);
    REQUIRE(list.contacts.surfaces.size() == list.contacts.blocks.size());
    test::MovedSlots moved{.ranges = {2, 2, 2}};
    for (const std::int32_t slot : {-1, 0, 1}) moved.moves.now.push_back(slot);
    moved.moves.gone.push_back(0);
    moved.moves.moved.push_back({1, 0});
    moved.moves.moved.push_back({2, 1});
    list.follow(moved);
    CHECK(list.contacts.specials.empty());
    list.builder.add(0, 1, {0.5f, 0.0f});
    write(list.builder, list.contacts, list.bodies);
    CHECK(list.contacts.blocks.size() == 2);
    CHECK(list.contacts.surfaces.size() == 2);
}

TEST_CASE("lanes whose bodies have all gone stay empty, whatever comes and goes then") {
    Following list;
    list.builder.begin({1, 20, 20});
    for (std::int32_t b = 1; b < 20; ++b) list.builder.add(0, b, {0.5f, 0.0f});
    write(list.builder, list.contacts, list.bodies);
    for (std::size_t i = 0; i < list.contacts.lanes.size(); ++i) {  // each a colour of its own
        list.contacts.lanes[i] = list.contacts.pushed[i] = 1;
    }
    test::MovedSlots moved{.ranges = {0, 19, 19}};
    moved.moves.now.push_back(-1);
    moved.moves.gone.push_back(0);
    for (std::int32_t slot = 1; slot < 20; ++slot) {
        moved.moves.now.push_back(slot - 1);
        moved.moves.moved.push_back({slot, slot - 1});
    }
    list.follow(moved);
    CHECK(list.contacts.pair_count == 0);
    for (std::size_t i = 0; i < list.contacts.lanes.size(); ++i) {
        CHECK(list.contacts.lanes[i] == 0);
        CHECK(list.contacts.pushed[i] == 0);
    }
    for (int times = 0; times < 3; ++times) {
        test::MovedSlots again{.ranges = {0, 19, 19}};  // the first and the last trade slots
        again.moves.now.push_back(18);
        for (std::int32_t slot = 1; slot < 19; ++slot) again.moves.now.push_back(slot % 18);
        again.moves.moved.push_back({0, 18});
        again.moves.moved.push_back({18, 0});
        list.follow(again);
        for (std::size_t i = 0; i < list.contacts.blocks.size(); ++i) {
            for (int lane = 0; lane < block_size; ++lane) {
                CHECK(list.contacts.is_empty({static_cast<std::int32_t>(i), lane}));
                CHECK(list.contacts.pairs[i].b[lane] == 0);
            }
        }
    }
}

}  // namespace pair_builder_test

// SPDX-License-Identifier: MIT
// Does RowGrid find every pair of overlapping boxes, and each once? Held against brute force.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/collision/overlap.hpp>
#include <phys2d/collision/row_grid.hpp>

#include "../support/backward_team.hpp"
#include "../support/random.hpp"

namespace row_grid_test {

using namespace phys2d;
using detail::IndexPair;
using detail::RowGrid;

namespace {

using Pairs = std::vector<std::pair<std::int32_t, std::int32_t>>;

RowGrid grid_of(const std::vector<AABB>& boxes) {
    RowGrid grid;
    grid.build(boxes);
    return grid;
}

Pairs pairs_by_brute_force(const std::vector<AABB>& boxes) {
    Pairs pairs;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        for (std::size_t j = i + 1; j < boxes.size(); ++j) {
            if (boxes[i].min.x <= boxes[j].max.x && boxes[j].min.x <= boxes[i].max.x &&
                boxes[i].min.y <= boxes[j].max.y && boxes[j].min.y <= boxes[i].max.y) {
                pairs.emplace_back(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j));
            }
        }
    }
    return pairs;
}

/// In the order in which the grid finds them.
template <int Width = PHYS2D_LANES>
Pairs pairs_in_order(const RowGrid& grid) {
    detail::Array<IndexPair> found;
    grid.append_pairs<Width>(found);
    Pairs pairs;
    for (const auto [i, j] : found) pairs.emplace_back(i, j);
    return pairs;
}

Pairs pairs_by_grid(const RowGrid& grid) {
    Pairs pairs = pairs_in_order(grid);
    for (auto& [i, j] : pairs) {
        if (i > j) std::swap(i, j);
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

std::vector<std::int32_t> overlaps_of(const RowGrid& grid, const AABB& query) {
    std::vector<std::int32_t> found;
    grid.for_each_overlap(query, [&](std::int32_t i) { found.push_back(i); });
    return found;
}

/// Each box asks the grid for what it overlaps, with itself among it.
Pairs pairs_by_queries(const RowGrid& grid, const std::vector<AABB>& boxes) {
    Pairs pairs;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const auto own = static_cast<std::int32_t>(i);
        for (const std::int32_t j : overlaps_of(grid, boxes[i])) {
            if (own <= j) pairs.emplace_back(own, j);
        }
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

/// All answers of the grid are those of brute force, each given once.
bool is_right(const std::vector<AABB>& boxes) {
    const RowGrid grid = grid_of(boxes);
    Pairs expected = pairs_by_brute_force(boxes);
    if (pairs_by_grid(grid) != expected) return false;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        expected.emplace_back(static_cast<std::int32_t>(i), static_cast<std::int32_t>(i));
    }
    std::sort(expected.begin(), expected.end());
    return pairs_by_queries(grid, boxes) == expected;
}

/// Whether a segment meets a box that is made larger by so much on all sides [m].
bool meets(Vec2 from, Vec2 way, const AABB& box, double margin) {
    double enter = 0.0, leave = 1.0;
    const auto cut = [&](double origin, double along, double low, double high) {
        const double one = (low - margin - origin) / along,
                     other = (high + margin - origin) / along;
        enter = std::fmax(enter, std::fmin(one, other));
        leave = std::fmin(leave, std::fmax(one, other));
    };
    const auto never_zero = [](float along) { return along == 0.0f ? 1e-30 : double{along}; };
    cut(from.x, never_zero(way.x), box.min.x, box.max.x);
    cut(from.y, never_zero(way.y), box.min.y, box.max.y);
    return enter <= leave;
}

template <class Make>
int wrong_scenes(int scenes, int most_boxes, Make make) {
    test::Random random;
    int wrong = 0;
    for (int scene = 0; scene < scenes; ++scene) {
        std::vector<AABB> boxes(static_cast<std::size_t>(random.integer(0, most_boxes)));
        for (AABB& box : boxes) box = make(random);
        if (!is_right(boxes)) ++wrong;
    }
    return wrong;
}

constexpr int scene_count = test::many / 5'000;  // 200, or 20 without optimisation

}  // namespace

TEST_CASE("an empty grid has no pairs and overlaps nothing") {
    RowGrid grid = grid_of({});
    const AABB everything{{-1e18f, -1e18f}, {1e18f, 1e18f}};
    CHECK(pairs_in_order(grid).empty());
    CHECK(overlaps_of(grid, everything).empty());
    grid.build(std::vector<AABB>{{{0.0f, 0.0f}, {1.0f, 1.0f}}});
    CHECK(overlaps_of(grid, everything).size() == 1);
    grid.build(std::vector<AABB>{});
    CHECK(overlaps_of(grid, everything).empty());
}

TEST_CASE("a grid of one box has no pairs, and the box overlaps itself and what touches it") {
    const AABB box{{1.0f, 2.0f}, {3.0f, 4.0f}};
    CHECK(is_right({box}));
    const RowGrid grid = grid_of({box});
    const auto hits = [&](const AABB& query) { return overlaps_of(grid, query).size(); };
    CHECK(hits({{3.0f, 4.0f}, {5.0f, 5.0f}}) == 1);  // at a corner
    CHECK(hits({{3.0f, 0.0f}, {9.0f, 9.0f}}) == 1);  // at a side
    CHECK(hits({{3.00001f, 0.0f}, {9.0f, 9.0f}}) == 0);
    CHECK(hits({{2.0f, 3.0f}, {2.0f, 3.0f}}) == 1);  // a point inside
}

TEST_CASE("boxes of like size are found as brute force finds them") {
    CHECK(wrong_scenes(scene_count, 300, [](test::Random& random) {
              const Vec2 size{random.uniform(0.3f, 0.6f), random.uniform(0.3f, 0.6f)};
              return aabb_around(random.point(5.0f), size);
          }) == 0);
}

TEST_CASE("boxes from a millimetre to a kilometre are found as brute force finds them") {
    CHECK(wrong_scenes(scene_count, 300, [](test::Random& random) {
              const float width = random.log_uniform(1e-3f, 1e3f);
              const float height = random.log_uniform(1e-3f, 1e3f);
              return aabb_around(random.point(random.one_in(2) ? 10.0f : 2000.0f), {width, height});
          }) == 0);
}

TEST_CASE("long thin boxes are found as brute force finds them") {
    CHECK(wrong_scenes(scene_count, 200, [](test::Random& random) {
              const bool wide = random.one_in(2);
              const float length = random.uniform(1.0f, 20.0f);
              return aabb_around(random.point(20.0f),
                                 wide ? Vec2{length, 0.01f} : Vec2{0.01f, length});
          }) == 0);
}

TEST_CASE("boxes a thousand kilometres out are found as brute force finds them") {
    CHECK(wrong_scenes(scene_count, 200, [](test::Random& random) {
              const Vec2 corner{random.one_in(2) ? 1e6f : -1e6f, 1e6f};
              const float size = random.log_uniform(1e-2f, 10.0f);
              return aabb_around(corner + random.point(10.0f), {size, size});
          }) == 0);
}

TEST_CASE("outliers at 1e9 m and beyond neither vanish nor hide the boxes between them") {
    CHECK(wrong_scenes(scene_count, 200, [](test::Random& random) {
              Vec2 place = random.point(5.0f);
              const float size = random.log_uniform(1e-3f, 1.0f);
              if (random.one_in(20)) place = random.point(4e9f);
              if (random.one_in(50)) place = random.direction() * 1e17f;
              return aabb_around(place, {size, size});
          }) == 0);
}

TEST_CASE("boxes of sizes that no levels can tell apart are found as brute force finds them") {
    CHECK(wrong_scenes(scene_count, 200, [](test::Random& random) {
              const float usual = random.uniform(0.2f, 20.0f);
              if (!random.one_in(8)) return aabb_around(random.point(20.0f), {usual, usual});
              const float width = random.log_uniform(1e-30f, 1e18f);
              const float height = random.log_uniform(1e-30f, 1e18f);
              return aabb_around(random.point(20.0f), {width, height});
          }) == 0);
}

TEST_CASE("endless boxes and points leave boxes of usual size in rows of their size") {
    test::Random random;
    for (const float size : {0.01f, 1.0f, 100.0f}) {
        std::vector<AABB> boxes;
        for (int i = 0; i < 300; ++i) {
            boxes.push_back(aabb_around(random.point(20.0f), {size, size}));
        }
        boxes.push_back(aabb_around({}, {1e18f, 1e18f}));
        CHECK(grid_of(boxes).usual_size() < 17.0f * size);
        boxes.push_back(aabb_around({}, {0.0f, 0.0f}));
        CHECK(grid_of(boxes).usual_size() < 17.0f * size);
        CHECK(is_right(boxes));
    }
}

TEST_CASE("boxes at equal places, some of equal size, are each found once") {
    CHECK(wrong_scenes(scene_count, 60, [](test::Random& random) {
              const float size = random.one_in(2) ? 0.5f : random.uniform(0.1f, 2.0f);
              return aabb_around({3.0f, -7.0f}, {size, size});
          }) == 0);
}

TEST_CASE("boxes of no size are points that touch what holds them") {
    CHECK(wrong_scenes(scene_count, 100, [](test::Random& random) {
              const Vec2 place{static_cast<float>(random.integer(0, 5)),
                               static_cast<float>(random.integer(0, 5))};
              const float size = random.one_in(3) ? static_cast<float>(random.integer(0, 2)) : 0.0f;
              return aabb_around(place, {size, size});
          }) == 0);
    CHECK(is_right(std::vector<AABB>(50, AABB{{1.0f, 1.0f}, {1.0f, 1.0f}})));
}

TEST_CASE("boxes on a lattice, most of which touch exactly, are found as brute force finds them") {
    for (const float cell : {1.0f, 0.1f, 1.0f / 3.0f, 1e-3f, 1e5f}) {
        CHECK(wrong_scenes(scene_count / 5, 200, [cell](test::Random& random) {
                  const auto corner = [&](int low, int high) {
                      return cell * static_cast<float>(random.integer(low, high));
                  };
                  const Vec2 low{corner(-8, 8), corner(-8, 8)};
                  return AABB{low, low + Vec2{corner(0, 3), corner(0, 3)}};
              }) == 0);
    }
}

TEST_CASE("queries of any size and place find what brute force finds") {
    test::Random random;
    std::vector<AABB> boxes;
    for (int i = 0; i < 400; ++i) {
        const float size = random.log_uniform(1e-3f, 10.0f);
        boxes.push_back(aabb_around(random.point(20.0f), {size, 2.0f * size}));
    }
    const RowGrid grid = grid_of(boxes);
    int wrong = 0;
    for (int i = 0; i < 10 * scene_count; ++i) {
        const float size = random.log_uniform(1e-4f, 1e4f);
        const AABB query = aabb_around(random.point(random.one_in(5) ? 1e5f : 25.0f), {size, size});
        std::vector<std::int32_t> found = overlaps_of(grid, query), expected;
        for (std::size_t j = 0; j < boxes.size(); ++j) {
            if (overlaps(query, boxes[j])) expected.push_back(static_cast<std::int32_t>(j));
        }
        std::sort(found.begin(), found.end());
        if (found != expected) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("a grid built again holds the new boxes only") {
    test::Random random;
    RowGrid grid;
    bool right = true;
    for (const std::size_t count : {200u, 10u, 0u, 500u, 1u, 300u}) {
        std::vector<AABB> boxes(count);
        for (AABB& box : boxes) {
            const float size = random.log_uniform(1e-2f, 10.0f);
            box = aabb_around(random.point(10.0f), {size, size});
        }
        grid.build(boxes);
        right = right && pairs_by_grid(grid) == pairs_by_brute_force(boxes);
    }
    CHECK(right);
}

TEST_CASE("the same boxes give the same pairs in the same order") {
    test::Random random;
    std::vector<AABB> boxes(500);
    for (AABB& box : boxes) box = aabb_around(random.point(10.0f), {0.5f, 0.5f});
    RowGrid used = grid_of(std::vector<AABB>(900, AABB{{0.0f, 0.0f}, {3.0f, 3.0f}}));
    used.build(boxes);
    CHECK(pairs_in_order(used) == pairs_in_order(grid_of(boxes)));
}

TEST_CASE("whoever does the parts, the pairs are the same in the same order") {
    test::Random random;
    test::BackwardTeam team;
    detail::PairParts parts;
    for (const std::size_t count : {0u, 1u, 40u, 700u, 3'000u}) {
        std::vector<AABB> boxes(count);
        for (AABB& box : boxes) {  // of several levels
            const float size = random.log_uniform(1e-2f, 1.0f);
            box = aabb_around(random.point(20.0f), {size, size});
        }
        RowGrid grid;
        grid.build(boxes, team);
        detail::Array<IndexPair> found;
        found.push_back({-1, -2});
        grid.append_pairs<PHYS2D_LANES>(found, team, parts, detail::AnyPair{});
        Pairs pairs;
        for (const auto [i, j] : found) pairs.emplace_back(i, j);
        REQUIRE(pairs.front() == std::pair{-1, -2});
        pairs.erase(pairs.begin());
        CHECK(pairs == pairs_in_order(grid_of(boxes)));
    }
}

namespace {

/// All that a grid can be asked for, in the order in which it answers.
template <int Width>
Pairs answers(const RowGrid& grid, const RowGrid& other, const std::vector<AABB>& queries) {
    detail::Array<IndexPair> found;
    grid.append_pairs<Width>(found);
    grid.append_pairs_with<Width>(other, found);
    other.append_pairs_with<Width>(grid, found);
    for (std::size_t i = 0; i < queries.size(); ++i) {
        grid.for_each_overlap<Width>(queries[i], [&](std::int32_t box) {
            found.push_back({static_cast<std::int32_t>(i), box});
        });
    }
    Pairs pairs;
    for (const auto [i, j] : found) pairs.emplace_back(i, j);
    return pairs;
}

/// Whether the widths agree on half of the boxes, on pairs with the other half, and on queries for
/// them.
bool widths_agree(const std::vector<AABB>& boxes) {
    const auto half = boxes.begin() + static_cast<std::ptrdiff_t>(boxes.size() / 2);
    const RowGrid grid = grid_of({boxes.begin(), half}), other = grid_of({half, boxes.end()});
    const Pairs expected = answers<1>(grid, other, boxes);
    return answers<4>(grid, other, boxes) == expected && answers<8>(grid, other, boxes) == expected;
}

/// The most boxes behind a box that overlap it.
std::size_t most_neighbours(const std::vector<AABB>& boxes) {
    std::vector<std::size_t> count(boxes.size());
    for (const auto& [i, j] : pairs_by_brute_force(boxes)) ++count[static_cast<std::size_t>(i)];
    return *std::max_element(count.begin(), count.end());
}

/// Boxes between two sizes, within a square.
std::vector<AABB> crowd(test::Random& random, std::size_t count, float low, float high,
                        float reach) {
    std::vector<AABB> boxes(count);
    for (AABB& box : boxes) {
        const float size = random.log_uniform(low, high);
        box = aabb_around(random.point(reach), {size, 0.5f * size});
    }
    return boxes;
}

}  // namespace

TEST_CASE("every width gives the same answers in the same order, however many boxes there are") {
    test::Random random;
    int wrong = 0;
    for (std::size_t count = 0; count < 100; ++count) {  // rows that end in any lane
        wrong += widths_agree(crowd(random, count, 0.1f, 0.3f, 1.0f)) ? 0 : 1;
    }
    CHECK(wrong == 0);
}

TEST_CASE("every width gives the same answers in the same order, on many levels of sizes") {
    test::Random random;
    CHECK(widths_agree(crowd(random, 2'000, 1e-3f, 1e3f, 300.0f)));
    CHECK(widths_agree(crowd(random, 1'000, 1e-2f, 10.0f, 3.0f)));
}

TEST_CASE("rows so dense that a box overlaps hundreds are right, and alike at every width") {
    // hits are noted by 64 at a time, for eight boxes at once
    test::Random random;
    const std::vector<AABB> one_level = crowd(random, 500, 1.0f, 1.25f, 1.0f);
    const std::vector<AABB> levels = crowd(random, 600, 0.1f, 10.0f, 5.0f);
    const std::vector<AABB> one_place(130, AABB{{1.0f, 1.0f}, {2.0f, 2.0f}});
    for (const std::vector<AABB>& boxes : {one_level, levels, one_place}) {
        CHECK(most_neighbours(boxes) > 128);
        CHECK(is_right(boxes));
        CHECK(widths_agree(boxes));
    }
}

namespace {

/// Pairs of a box of the one and a box of the other, by brute force.
Pairs pairs_between(const std::vector<AABB>& mine, const std::vector<AABB>& theirs) {
    Pairs pairs;
    for (std::size_t i = 0; i < mine.size(); ++i) {
        for (std::size_t j = 0; j < theirs.size(); ++j) {
            if (!overlaps(mine[i], theirs[j])) continue;
            pairs.emplace_back(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j));
        }
    }
    return pairs;
}

Pairs sorted_pairs_with(const RowGrid& mine, const RowGrid& theirs) {
    detail::Array<IndexPair> found;
    mine.append_pairs_with(theirs, found);
    Pairs pairs;
    for (const auto [i, j] : found) pairs.emplace_back(i, j);
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

}  // namespace

TEST_CASE("pairs of two grids are those of brute force, the box of the asking grid first") {
    test::Random random;
    int wrong = 0;
    for (int scene = 0; scene < scene_count; ++scene) {
        // few small ones among many large ones and the other way round, or none at all
        const auto some = [&] { return static_cast<std::size_t>(random.integer(0, 200)); };
        const std::vector<AABB> mine = crowd(random, some(), 1e-2f, 3.0f, 10.0f);
        const std::vector<AABB> theirs = crowd(random, some(), 0.1f, 10.0f, 20.0f);
        const RowGrid my_grid = grid_of(mine), their_grid = grid_of(theirs);
        wrong += sorted_pairs_with(my_grid, their_grid) != pairs_between(mine, theirs);
        wrong += sorted_pairs_with(their_grid, my_grid) != pairs_between(theirs, mine);
    }
    CHECK(wrong == 0);
}

TEST_CASE(
    "boxes on a way are found as brute force finds them, each once, in crowds with outliers too") {
    test::Random random;
    int wrong = 0;
    for (int scene = 0; scene < scene_count; ++scene) {
        std::vector<AABB> boxes = crowd(random, 300, 0.05f, 0.5f, random.one_in(2) ? 2.0f : 30.0f);
        for (int i = 0; i < 10; ++i)
            boxes[detail::at(i)] = translate(boxes[detail::at(i)], random.point(1e5f));
        const RowGrid grid = grid_of(boxes);
        for (int i = 0; i < 20; ++i) {
            const Vec2 from = random.point(30.0f);
            const Vec2 way =
                random.one_in(8) ? Vec2{random.point(40.0f).x, 0.0f} : random.point(40.0f);
            const Vec2 reach = random.one_in(2) ? Vec2{} : Vec2{0.3f, 0.2f};
            std::vector<int> visits(boxes.size());
            grid.for_each_on_way(detail::GridWay(from, way, reach),
                                 [&](std::int32_t found) { ++visits[detail::at(found)]; });
            for (std::size_t j = 0; j < boxes.size(); ++j) {
                const AABB box{boxes[j].min - reach, boxes[j].max + reach};
                const int least = meets(from, way, box, -1e-3) ? 1 : 0;
                const int most = meets(from, way, box, 1e-3) ? 1 : 0;
                wrong += visits[j] < least || visits[j] > most;
            }
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("answers are appended, and what was in the list stays") {
    const std::vector<AABB> boxes(3, AABB{{0.0f, 0.0f}, {1.0f, 1.0f}});
    const RowGrid grid = grid_of(boxes);
    detail::Array<IndexPair> found;
    found.push_back({-7, -8});
    grid.append_pairs(found);
    CHECK(found.size() == 1 + 3);
    grid.append_pairs_with(grid, found);
    CHECK(found.size() == 1 + 3 + 9);
    CHECK(found[0].first == -7);
    CHECK(found[0].second == -8);
}

}  // namespace row_grid_test

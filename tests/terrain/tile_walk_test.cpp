// SPDX-License-Identifier: MIT
// Does a walk along a segment meet all tiles that it touches, each once, from the first to the
// last?
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/terrain/tile_walk.hpp>

#include "../support/random.hpp"

namespace tile_walk_test {

using namespace phys2d;

namespace {

using Tiles = std::vector<std::pair<int, int>>;

Tiles walk(Vec2 from, Vec2 to) {
    Tiles tiles;
    CHECK(for_each_tile_on_segment(from, to, [&](TileCoord tile) {
        tiles.emplace_back(tile.x, tile.y);
        return true;
    }));
    return tiles;
}

Tiles sorted(Tiles tiles) {
    std::sort(tiles.begin(), tiles.end());
    return tiles;
}

/// The time from which on low <= a + t (b - a) <= low + 1 and that up to which it holds.
std::pair<double, double> times_within(double a, double b, double low) {
    if (a == b) return {0.0, low <= a && a <= low + 1.0 ? 1.0 : -1.0};
    const double one = (low - a) / (b - a);
    const double other = (low + 1.0 - a) / (b - a);
    return {std::min(one, other), std::max(one, other)};
}

double time_of_entry(Vec2 from, Vec2 to, std::pair<int, int> tile) {
    return std::max({0.0, times_within(double{from.x}, double{to.x}, tile.first).first,
                     times_within(double{from.y}, double{to.y}, tile.second).first});
}

/// Whether a closed square has a point of the segment: their boxes overlap, and the corners are not
/// all on one side of the line. Exact between multiples of 2^-18: the products have at most 50
/// bits.
bool meets(Vec2 from, Vec2 to, int x, int y) {
    const double ax = double{from.x}, ay = double{from.y};
    const double bx = double{to.x}, by = double{to.y};
    if (std::max(ax, bx) < x || std::min(ax, bx) > x + 1) return false;
    if (std::max(ay, by) < y || std::min(ay, by) > y + 1) return false;
    bool some_left = false, some_right = false;
    for (const int corner : {0, 1, 2, 3}) {
        const double side = (bx - ax) * (y + corner / 2 - ay) - (by - ay) * (x + corner % 2 - ax);
        some_left = some_left || side >= 0.0;
        some_right = some_right || side <= 0.0;
    }
    return some_left && some_right;
}

/// All tiles around the box of the segment are asked.
Tiles met_by_brute_force(Vec2 from, Vec2 to) {
    const Vec2 low = min(from, to), high = max(from, to);
    Tiles tiles;
    for (int x = int(std::floor(low.x)) - 2; x <= int(high.x) + 2; ++x) {
        for (int y = int(std::floor(low.y)) - 2; y <= int(high.y) + 2; ++y) {
            if (meets(from, to, x, y)) tiles.emplace_back(x, y);
        }
    }
    return tiles;
}

/// A multiple of 1 / parts between -reach and reach.
Vec2 point_of_lattice(test::Random& random, int reach, int parts) {
    const auto coordinate = [&] {
        return float(random.integer(-reach * parts, reach * parts)) / float(parts);
    };
    const float x = coordinate();
    return {x, coordinate()};
}

void check_against_brute_force(int reach, int parts, int count) {
    test::Random random;
    int wrong = 0, out_of_order = 0;
    for (int i = 0; i < count; ++i) {
        const Vec2 from = point_of_lattice(random, reach, parts);
        const Vec2 to = point_of_lattice(random, reach, parts);
        const Tiles tiles = walk(from, to);
        if (sorted(tiles) != met_by_brute_force(from, to)) ++wrong;
        for (std::size_t k = 1; k < tiles.size(); ++k) {
            const double before = time_of_entry(from, to, tiles[k - 1]);
            if (time_of_entry(from, to, tiles[k]) < before - 1e-12) ++out_of_order;  // rounding
        }
    }
    CHECK(wrong == 0);
    CHECK(out_of_order == 0);
}

}  // namespace

TEST_CASE("a walk meets the tiles that brute force finds, in order, through many corners") {
    check_against_brute_force(4, 1, test::many / 50);
    check_against_brute_force(6, 2, test::many / 50);
    check_against_brute_force(9, 16, test::many / 50);
}

TEST_CASE(
    "a walk meets the tiles that brute force finds, in order, between points of 2^-18 tiles") {
    check_against_brute_force(20, 1 << 18, test::many / 100);
    check_against_brute_force(2, 1 << 18, test::many / 50);
}

TEST_CASE("within a tile there is that tile, and over one border there are two") {
    CHECK(walk({0.25f, 0.25f}, {0.75f, 0.5f}) == Tiles{{0, 0}});
    CHECK(walk({-0.25f, -0.5f}, {-0.25f, -0.5f}) == Tiles{{-1, -1}});
    CHECK(walk({0.5f, 0.5f}, {1.5f, 0.75f}) == Tiles{{0, 0}, {1, 0}});
    CHECK(walk({0.5f, 0.5f}, {0.75f, -0.25f}) == Tiles{{0, 0}, {0, -1}});
}

TEST_CASE("along a border both sides are met, and at the end what it touches") {
    CHECK(walk({0.5f, 1.0f}, {1.5f, 1.0f}) == Tiles{{0, 0}, {0, 1}, {1, 0}, {1, 1}});
    CHECK(walk({2.0f, 1.5f}, {2.0f, 0.5f}) == Tiles{{1, 1}, {2, 1}, {1, 0}, {2, 0}});
    CHECK(walk({0.5f, 0.5f}, {1.0f, 0.5f}) == Tiles{{0, 0}, {1, 0}});
    CHECK(walk({1.0f, 0.5f}, {0.5f, 0.5f}) == Tiles{{0, 0}, {1, 0}});
    CHECK(walk({1.0f, 2.0f}, {1.0f, 2.0f}) == Tiles{{0, 1}, {1, 1}, {0, 2}, {1, 2}});
}

TEST_CASE(
    "through a corner all four tiles are met: the one beside, the one above, the one across") {
    CHECK(walk({0.5f, 0.5f}, {1.5f, 1.5f}) == Tiles{{0, 0}, {1, 0}, {0, 1}, {1, 1}});
    CHECK(walk({1.5f, 0.5f}, {0.5f, 1.5f}) == Tiles{{1, 0}, {0, 0}, {1, 1}, {0, 1}});
    CHECK(walk({0.5f, 0.5f}, {1.0f, 1.0f}) == Tiles{{0, 0}, {1, 0}, {0, 1}, {1, 1}});
}

TEST_CASE("a corner missed by 2^-31 of a tile is not a corner") {
    const float near = 0x1p-9f + 0x1p-31f;
    // Past the corner at 0 on its lower right, through it, and past it on its upper left.
    const Vec2 to{-0x1p-9f, -0x1p-9f};
    CHECK(sorted(walk({near, 0x1p-9f}, to)) == Tiles{{-1, -1}, {0, -1}, {0, 0}});
    CHECK(sorted(walk({0x1p-9f, 0x1p-9f}, to)) == Tiles{{-1, -1}, {-1, 0}, {0, -1}, {0, 0}});
    CHECK(sorted(walk({0x1p-9f, near}, to)) == Tiles{{-1, -1}, {-1, 0}, {0, 0}});
}

TEST_CASE("whatever is left of a border, however little, is in the tile on its left") {
    CHECK(walk({-1e-20f, 0.5f}, {-1e-20f, 0.5f}) == Tiles{{-1, 0}});
    CHECK(walk({0.5f, -1e-20f}, {0.25f, -1e-20f}) == Tiles{{0, -1}});
}

TEST_CASE("there and back meet the same tiles") {
    test::Random random;
    int different = 0;
    for (int i = 0; i < test::many / 20; ++i) {
        const Vec2 from = random.point(30.0f), to = random.point(30.0f);
        if (sorted(walk(from, to)) != sorted(walk(to, from))) ++different;
    }
    CHECK(different == 0);
}

TEST_CASE("a walk of a million tiles crosses each border once") {
    const Vec2 from{-499'999.5f, -299'999.25f}, to{500'000.5f, 300'000.75f};
    TileCoord last{-500'000, -300'000};
    int tiles = 0, jumps = 0;
    for_each_tile_on_segment(from, to, [&](TileCoord tile) {
        const int way = std::abs(tile.x - last.x) + std::abs(tile.y - last.y);
        if (way != (tiles == 0 ? 0 : 1)) ++jumps;
        last = tile;
        ++tiles;
        return true;
    });
    CHECK(tiles == 1'000'000 + 600'000 + 1);
    CHECK(jumps == 0);
    CHECK(last == TileCoord{500'000, 300'000});
}

TEST_CASE("a walk stops when it is told to, and says so") {
    int tiles = 0;
    CHECK_FALSE(for_each_tile_on_segment({0.5f, 0.5f}, {1e6f, 9e5f},
                                         [&](TileCoord) { return ++tiles < 5; }));
    CHECK(tiles == 5);
    CHECK_FALSE(for_each_tile_on_segment({0.5f, 0.5f}, {1e6f, 0.5f},
                                         [&](TileCoord) { return ++tiles < 9; }));
    CHECK(tiles == 9);
    for (int most = 1; most <= 13; ++most) {  // through corners
        tiles = 0;
        CHECK_FALSE(
            for_each_tile_on_segment({}, {3.5f, 3.5f}, [&](TileCoord) { return ++tiles < most; }));
        CHECK(tiles == most);
    }
}

TEST_CASE("what is not a number or too far away meets no tiles, any other pair of points ends") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    for (const float bad : {nan, infinity, -infinity, 0x1p30f, -0x1p30f}) {
        CHECK(walk({bad, 0.5f}, {1.5f, 0.5f}).empty());
        CHECK(walk({0.5f, bad}, {1.5f, 0.5f}).empty());
        CHECK(walk({0.5f, 0.5f}, {bad, 0.5f}).empty());
        CHECK(walk({0.5f, 0.5f}, {0.5f, bad}).empty());
    }
    test::Random random;
    const auto any_point = [&] { return Vec2{random.any_float(), random.any_float()}; };
    for (int i = 0; i < test::many / 10; ++i) {
        int tiles = 0;
        for_each_tile_on_segment(any_point(), any_point(), [&](TileCoord) { return ++tiles < 50; });
    }
    const float far = 0x1p30f - 64.0f;
    TileCoord first{};
    for_each_tile_on_segment({-far, far}, {far, -far}, [&](TileCoord tile) {
        first = tile;
        return false;
    });
    CHECK(first == TileCoord{-(1 << 30) + 63, (1 << 30) - 65});
}

}  // namespace tile_walk_test

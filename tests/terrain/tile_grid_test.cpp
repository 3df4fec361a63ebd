// SPDX-License-Identifier: MIT
// Does a grid know which tile lies where, however tiles come and go, in little memory?
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/terrain/tile_grid.hpp>

#include "../support/random.hpp"

namespace tile_grid_test {

using namespace phys2d;

namespace {

/// A grid as a map of its tiles.
class Model {
public:
    std::uint16_t at(TileCoord tile) const {
        const auto found = tiles_.find({tile.y, tile.x});
        return found == tiles_.end() ? std::uint16_t{0} : found->second;
    }
    std::uint16_t set(TileCoord tile, std::uint16_t id) {
        const std::uint16_t before = at(tile);
        tiles_.erase({tile.y, tile.x});
        if (id != 0) tiles_[{tile.y, tile.x}] = id;
        return before;
    }
    std::size_t size() const { return tiles_.size(); }

    std::vector<std::uint16_t> read(const TileRect& rect) const {
        std::vector<std::uint16_t> ids;
        for_each(rect, [&](TileCoord tile) { ids.push_back(at(tile)); });
        return ids;
    }
    template <class Ids>
    void load(const TileRect& rect, const Ids& ids) {
        std::size_t i = 0;
        for_each(rect, [&](TileCoord tile) { set(tile, ids[i++]); });
    }

    /// Row by row from below.
    template <class Visit>
    static void for_each(const TileRect& rect, Visit visit) {
        for (std::int64_t y = rect.min.y; y <= rect.max.y; ++y) {
            for (std::int64_t x = rect.min.x; x <= rect.max.x; ++x) {
                visit(TileCoord{static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)});
            }
        }
    }

    /// The same tiles, set in the order of this map.
    TileGrid rebuilt(int bytes_per_tile) const {
        TileGrid grid(bytes_per_tile);
        for (const auto& [place, id] : tiles_) grid.set({place.second, place.first}, id);
        return grid;
    }
    /// The places of chunks of 64 x 64, by y and x.
    std::set<std::pair<int, int>> chunks() const {
        std::set<std::pair<int, int>> chunks;
        for (const auto& [place, id] : tiles_) chunks.emplace(place.first >> 6, place.second >> 6);
        return chunks;
    }

private:
    std::map<std::pair<std::int32_t, std::int32_t>, std::uint16_t> tiles_;  // by y and x
};

std::vector<std::uint16_t> read(const TileGrid& grid, const TileRect& rect) {
    std::vector<std::uint16_t> ids(static_cast<std::size_t>(rect.width() * rect.height()), 77);
    grid.read(rect, ids);
    return ids;
}

std::vector<std::pair<int, int>> chunks_of(const TileGrid& grid) {
    std::vector<std::pair<int, int>> chunks;
    grid.for_each_chunk(
        [&](const TileRect& rect) { chunks.emplace_back(rect.min.y >> 6, rect.min.x >> 6); });
    return chunks;
}

/// Random operations on a grid and its model, near the origin, far away and at the edges of the
/// plane.
class Play {
public:
    explicit Play(int bytes_per_tile) : grid(bytes_per_tile) {}

    void act() {
        const int dice = random_.integer(1, 100);
        if (dice <= 50) {
            const TileCoord where = tile();
            const std::uint16_t what = id();
            if (grid.set(where, what) != model.set(where, what)) ++wrong;
        } else if (dice <= 90) {
            look_at(rect(12));
        } else if (dice <= 94) {
            change(rect(12));
        } else if (dice <= 97) {
            unload(rect(140));
        } else {
            fill(rect(20), id());
        }
        if (grid.tile_count() != model.size()) ++wrong;
    }

    TileGrid grid;
    Model model;
    int wrong = 0;

private:
    std::uint16_t id() {
        if (random_.one_in(3)) return 0;
        return static_cast<std::uint16_t>(random_.integer(1, grid.largest_id()));
    }
    std::int32_t coordinate() {
        constexpr std::int32_t edge = std::numeric_limits<std::int32_t>::max();
        const int place = random_.integer(-70, 70);
        switch (random_.integer(1, 8)) {
            case 1: return edge - (place < 0 ? -place : place);
            case 2: return -edge - 1 + (place < 0 ? -place : place);
            case 3: return (1 << 30) + place;
            case 4: return place / 10 * 1'000;
            default: return place;
        }
    }
    TileCoord tile() {
        const std::int32_t x = coordinate();
        return {x, coordinate()};
    }
    /// Some are empty.
    TileRect rect(int most) {
        const TileCoord min = tile();
        const auto end = [&](std::int32_t begin) {
            const std::int64_t last = std::int64_t{begin} + random_.integer(-1, most - 1);
            const std::int64_t edge = std::numeric_limits<std::int32_t>::max();
            return static_cast<std::int32_t>(last < edge ? last : edge);
        };
        if (min.x < -edge_zone || min.y < -edge_zone) return {min, min};  // begin - 1 may not exist
        const std::int32_t x = end(min.x);
        return {min, {x, end(min.y)}};
    }
    static constexpr std::int32_t edge_zone = 2'000'000'000;

    void look_at(const TileRect& rect) {
        const std::vector<std::uint16_t> expected = model.read(rect);
        if (read(grid, rect) != expected) ++wrong;
        const std::vector<std::uint16_t> nothing(expected.size(), 0);
        if (grid.is_empty(rect) != (expected == nothing)) ++wrong;
        if (grid.at(rect.min) != model.at(rect.min)) ++wrong;
        look_at_rows(rect, expected);
        std::vector<std::uint16_t> seen(expected.size(), 0);
        grid.for_each_tile(rect, [&](TileCoord tile, std::uint16_t id) {
            const std::int64_t row = std::int64_t{tile.y} - rect.min.y;
            const std::int64_t place = row * rect.width() + (std::int64_t{tile.x} - rect.min.x);
            seen[static_cast<std::size_t>(place)] = id;
        });
        if (seen != expected) ++wrong;
    }
    /// All rows with tiles are among those that are left, and nothing is added.
    void look_at_rows(const TileRect& rect, const std::vector<std::uint16_t>& ids) {
        const TileRect rows = grid.trim_rows(rect);
        if (!rows.is_empty() && (rows.min.y < rect.min.y || rows.max.y > rect.max.y)) ++wrong;
        const auto width = static_cast<std::size_t>(rect.width());
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const std::int32_t y = rect.min.y + static_cast<std::int32_t>(i / width);
            if (ids[i] != 0 && (y < rows.min.y || y > rows.max.y)) ++wrong;
        }
    }
    void change(const TileRect& rect) {
        const std::size_t count = model.read(rect).size();
        if (random_.one_in(2)) {
            std::vector<std::uint8_t> ids(count);
            for (std::uint8_t& each : ids) each = static_cast<std::uint8_t>(id() & 255);
            grid.load(rect, ids);
            model.load(rect, ids);
        } else {
            std::vector<std::uint16_t> ids(count);
            for (std::uint16_t& each : ids) each = id();
            grid.load(rect, ids);
            model.load(rect, ids);
        }
    }
    void fill(const TileRect& rect, std::uint16_t what) {
        grid.fill(rect, what);
        Model::for_each(rect, [&](TileCoord where) { model.set(where, what); });
    }
    void unload(const TileRect& rect) {
        grid.unload(rect);
        Model::for_each(rect, [&](TileCoord where) { model.set(where, 0); });
    }

    test::Random random_;
};

void play(int bytes_per_tile) {
    Play play(bytes_per_tile);
    for (int i = 0; i < test::many / 10; ++i) {
        play.act();
        if (i % 1'000 != 0) continue;
        const std::set<std::pair<int, int>> chunks = play.model.chunks();
        CHECK(chunks_of(play.grid) == std::vector(chunks.begin(), chunks.end()));
        CHECK(play.grid.hash() == play.model.rebuilt(2).hash());
    }
    CHECK(play.wrong == 0);
    CHECK(play.grid.tile_count() > 100);
    play.grid.fill({{-2'147'483'647 - 1, -2'147'483'647 - 1}, {2'147'483'647, 2'147'483'647}}, 0);
    CHECK(play.grid.tile_count() == 0);
    CHECK(play.grid.hash() == 0);
    CHECK(chunks_of(play.grid).empty());
}

}  // namespace

TEST_CASE("a grid of bytes does what a map does in 100,000 random operations") { play(1); }

TEST_CASE("a grid of 2 bytes a tile does what a map does in 100,000 random operations") { play(2); }

TEST_CASE("a full grid takes at most 1.02 bytes a tile") {
    TileGrid grid;
    grid.fill({{0, 0}, {4'095, 4'095}}, 1);
    CHECK(grid.tile_count() == 4'096u * 4'096u);
    CHECK(grid.memory() <= 4'096u * 4'096u * 102 / 100);
    const TileGrid copy = grid;
    CHECK(copy.memory() <= grid.memory());
    CHECK(copy.hash() == grid.hash());
}

TEST_CASE("a small grid, such as a platform that moves, takes little beside its one chunk") {
    TileGrid grid;
    grid.fill({{0, 0}, {5, 1}}, 1);
    CHECK(grid.memory() <= 4'096u + 512u);
    const std::size_t chunk = 64;
    for (std::size_t i = 1; i < 20; ++i) {
        const auto x = static_cast<int>(i * chunk);
        grid.fill({{x, 0}, {x, 0}}, 1);
        CHECK(grid.memory() >= (i + 1) * chunk * chunk);
    }
    CHECK(grid.tile_count() == 12 + 19);
}

TEST_CASE("memory is used again, and given back by clear") {
    TileGrid grid;
    const std::size_t at_first = grid.memory();
    grid.fill({{0, 0}, {639, 639}}, 5);
    const std::size_t full = grid.memory();
    CHECK(full >= 640 * 640);
    for (int x = 0; x < 100 * 64; x += 64) {  // a window of ten chunks wanders along
        grid.unload({{x, 0}, {x + 63, 639}});
        grid.fill({{x + 640, 0}, {x + 703, 639}}, 6);
    }
    CHECK(grid.memory() == full);
    CHECK(grid.tile_count() == 640 * 640);
    grid.clear();
    CHECK(grid.memory() == at_first);
    CHECK(grid.is_empty({{0, 0}, {10'000, 10'000}}));
    CHECK(grid.trim_rows({{0, 0}, {10'000, 10'000}}).is_empty());
    CHECK(grid.hash() == 0);
    grid.load({{0, 0}, {99, 99}}, std::vector<std::uint8_t>(10'000));
    grid.fill({{0, 0}, {99, 99}}, 0);
    CHECK(grid.memory() == at_first);  // emptiness takes none
}

TEST_CASE("chunks that are emptied by loading, filling or setting make room for others") {
    const std::vector<std::uint8_t> air(64 * 64);
    TileGrid grid;
    grid.set({0, 0}, 1);
    const std::size_t for_one = grid.memory();
    for (std::int32_t x = 0; x < 100 * 64; x += 64) {
        switch (x / 64 % 3) {
            case 0: grid.load({{x, 0}, {x + 63, 63}}, air); break;
            case 1: grid.fill({{x, 0}, {x + 63, 63}}, 0); break;
            default: grid.set({x, 0}, 0);
        }
        grid.set({x + 64, 0}, 1);
    }
    CHECK(grid.memory() == for_one);
}

TEST_CASE("a copy is a value of its own, and a grid that was moved from is empty") {
    TileGrid grid;
    grid.fill({{-100, -100}, {100, 100}}, 3);
    TileGrid copy = grid;
    copy.set({0, 0}, 9);
    copy.unload({{-100, -100}, {-1, 100}});
    CHECK(grid.at({0, 0}) == 3);
    CHECK(grid.tile_count() == 201 * 201);
    copy = grid;  // into memory that is there
    CHECK(copy.at({0, 0}) == 3);
    CHECK(copy.hash() == grid.hash());
    const std::uint64_t hash = grid.hash();
    TileGrid moved = static_cast<TileGrid&&>(grid);
    CHECK(moved.hash() == hash);
    CHECK(grid.tile_count() == 0);
    grid.set({5, 5}, 1);
    CHECK(grid.tile_count() == 1);
    copy = TileGrid(2);
    copy.set({1, 1}, 1'000);
    moved = copy;
    CHECK(moved.at({1, 1}) == 1'000);
    CHECK(moved.bytes_per_tile() == 2);
}

TEST_CASE("the hash tells tiles by place and id, and not the order in which they came") {
    TileGrid grid;
    std::set<std::uint64_t> hashes{grid.hash()};
    for (int y = -20; y <= 20; ++y) {
        for (int x = -20; x <= 20; ++x) {
            for (const auto id : std::vector<std::uint16_t>{1, 2, 3, 255}) {
                grid.set({x, y}, id);
                hashes.insert(grid.hash());
            }
            grid.set({x, y}, 0);
        }
    }
    CHECK(hashes.size() == 1 + 41 * 41 * 4);
    CHECK(grid.hash() == 0);

    TileGrid other(2);
    for (const int x : {1, 500, -70}) grid.set({x, 2 * x}, 7);
    for (const int x : {-70, 1, 3, 500}) other.set({x, 2 * x}, 7);
    CHECK(grid.hash() != other.hash());
    other.set({3, 6}, 0);
    CHECK(grid.hash() == other.hash());
}

TEST_CASE("bounds are those of the chunks that hold tiles") {
    TileGrid grid;
    CHECK(grid.bounds().is_empty());
    grid.set({-1, 70}, 1);
    CHECK(grid.bounds() == TileRect{{-64, 64}, {-1, 127}});
    grid.set({64, -1}, 1);
    CHECK(grid.bounds() == TileRect{{-64, -64}, {127, 127}});
    grid.set({-1, 70}, 0);
    CHECK(grid.bounds() == TileRect{{64, -64}, {127, -1}});
}

TEST_CASE("what was saved is loaded, and nothing around it changes") {
    TileGrid grid;
    test::Random random;
    Model::for_each({{-80, -80}, {80, 80}}, [&](TileCoord tile) {
        grid.set(tile, static_cast<std::uint16_t>(random.integer(0, 3)));
    });
    const TileRect rect{{-70, -10}, {30, 65}};
    std::vector<std::uint8_t> saved(static_cast<std::size_t>(rect.width() * rect.height()));
    grid.read(rect, saved);
    const std::uint64_t hash = grid.hash();
    grid.unload(rect);
    CHECK(grid.is_empty(rect));
    CHECK_FALSE(grid.is_empty({{-71, -11}, {31, 66}}));
    CHECK(grid.hash() != hash);
    grid.load(rect, saved);
    CHECK(grid.hash() == hash);
    std::vector<std::uint16_t> wide(saved.size());
    grid.read(rect, wide);
    CHECK(wide == std::vector<std::uint16_t>(saved.begin(), saved.end()));
}

TEST_CASE("what does not fit is an error that says so, and changes nothing") {
    TileGrid grid;
    grid.set({1, 1}, 255);
    const std::uint64_t hash = grid.hash();
    const TileRect rect{{0, 0}, {2, 1}};
    std::vector<std::uint16_t> ids{1, 2, 3, 4, 5, 256};
    CHECK_THROWS_WITH_AS(grid.set({1, 1}, 256), "set: the id is 256, expected at most 255", Error);
    CHECK_THROWS_AS(grid.fill(rect, 256), Error);
    CHECK_THROWS_AS(grid.load(rect, ids), Error);
    ids.pop_back();
    CHECK_THROWS_WITH_AS(grid.load(rect, ids),
                         "load: the span holds 5 ids, expected at least 3 x 2", Error);
    CHECK_THROWS_AS(grid.read(rect, ids), Error);
    const TileRect all{{-2'147'483'647 - 1, -2'147'483'647 - 1}, {2'147'483'647, 2'147'483'647}};
    CHECK_THROWS_AS(grid.read(all, ids), Error);
    CHECK(grid.hash() == hash);
    CHECK_THROWS_WITH_AS(TileGrid(3), "TileGrid: bytes_per_tile is 3, expected 1 or 2", Error);
    std::vector<std::uint8_t> bytes(6);
    CHECK_THROWS_AS(TileGrid(2).read(rect, bytes), Error);
    bytes.pop_back();
    CHECK_THROWS_WITH_AS(grid.read(rect, bytes),
                         "read: the span holds 5 ids, expected at least 3 x 2", Error);
}

TEST_CASE("few tiles on a huge plane are found at once, from below and from left to right") {
    TileGrid grid;
    constexpr std::int32_t far = 1'000'000'000;
    const TileCoord tiles[] = {{-far, -far}, {far, -far}, {-3, 0}, {70, 0}, {0, far}};
    for (const TileCoord tile : tiles) grid.set(tile, 7);
    std::vector<TileCoord> found;
    const auto note = [&](TileCoord tile, std::uint16_t) { found.push_back(tile); };
    grid.for_each_tile({{-far, -far}, {far, far}}, note);
    CHECK(found == std::vector<TileCoord>(std::begin(tiles), std::end(tiles)));
    found.clear();
    grid.for_each_tile({{-far, -5}, {far, 5}}, note);
    CHECK(found == std::vector<TileCoord>{{-3, 0}, {70, 0}});
    int parts = 0;
    grid.for_each_chunk({{-far, -5}, {65, 5}}, [&](const TileRect& part) {
        ++parts;
        CHECK((part == TileRect{{-64, 0}, {-1, 5}} || part == TileRect{{64, 0}, {65, 5}}));
    });
    CHECK(parts == 2);
    CHECK(grid.is_empty({{-far, 1}, {far, far - 1}}));
    CHECK(grid.trim_rows({{1'000, -5}, {far, 5}}).is_empty());
    CHECK_FALSE(grid.is_empty({{-far, 1}, {far, far}}));
    int asked = 0;
    CHECK(grid.any_tile({{-far, -far}, {far, far}},
                        [&](TileCoord, std::uint16_t) { return ++asked == 2; }));
    CHECK(asked == 2);
}

}  // namespace tile_grid_test

// SPDX-License-Identifier: MIT
// Do probes stop where the first face of a tile world is, and does a character made of them walk,
// fall and stand in it without getting in, losing its pace or drifting?
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/character/probes.hpp>

#include "../support/random.hpp"

namespace probes_test {

using namespace phys2d;

namespace {

constexpr int some = test::many / 10;
constexpr float epsilon = 0x1p-10f;
constexpr float dt = 1.0f / 60.0f;
constexpr Vec2 half_size{0.4f, 0.9f};

const Polygon full{{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}, {0.0f, 1.0f}};
const Polygon shapes[] = {
    full,
    {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 0.5f}, {0.0f, 0.5f}},  // half tiles
    {{0.0f, 0.5f}, {1.0f, 0.5f}, {1.0f, 1.0f}, {0.0f, 1.0f}},
    {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}},  // slopes
    {{0.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 1.0f}},
    {{1.0f, 0.0f}, {1.0f, 1.0f}, {0.0f, 1.0f}},
    {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 0.5f}},
    {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}, {0.0f, 0.5f}},
    {{0.5f, 0.25f}, {0.75f, 0.5f}, {0.5f, 0.75f}, {0.25f, 0.5f}},  // a lozenge in the air
};

/// A square of tiles around the origin; air around it.
struct Level {
    static constexpr int reach = 40;

    [[nodiscard]] const Polygon* solid_at(TileCoord tile) const {
        if (tile.x < -reach || tile.x >= reach || tile.y < -reach || tile.y >= reach)
            return nullptr;
        return tiles[place_of(tile.x, tile.y)];
    }
    [[nodiscard]] const Polygon*& at(int x, int y) { return tiles[place_of(x, y)]; }
    [[nodiscard]] static std::size_t place_of(int x, int y) {
        return std::size_t((y + reach) * 2 * reach + x + reach);
    }
    std::vector<const Polygon*> tiles = std::vector<const Polygon*>(4 * reach * reach);
};
static_assert(TileSource<Level>);

/// One tile in `rarity` is not air.
Level random_level(test::Random& random, int rarity, int kinds) {
    Level level;
    for (const Polygon*& tile : level.tiles) {
        if (random.one_in(rarity)) tile = &shapes[random.integer(0, kinds - 1)];
    }
    return level;
}

/// What lies below y = slope * x for x >= 0, and below y = 0 for x < 0, of tiles between -1 and 60.
class Hill {
public:
    explicit Hill(double slope) : tiles_(61 * 61) {
        for (int x = 0; x < 60; ++x) {
            for (int y = 0; y < 60; ++y) fill(x, y, slope * x - y, slope * (x + 1) - y, slope);
        }
    }
    [[nodiscard]] const Polygon* solid_at(TileCoord tile) const {
        if (tile.y < 0) return &full;
        if (tile.x < 0 || tile.x >= 60 || tile.y >= 60) return nullptr;
        const Polygon& solid = tiles_[std::size_t(tile.y * 61 + tile.x)];
        return solid.size() > 0 ? &solid : nullptr;
    }

private:
    void fill(int x, int y, double left, double right, double slope) {
        if (right <= 0.0) return;
        std::vector<Vec2> corners;
        const auto add = [&](double px, double py) { corners.push_back({float(px), float(py)}); };
        add(left >= 0.0 ? 0.0 : -left / slope, 0.0);
        add(1.0, 0.0);
        add(1.0, right < 1.0 ? right : 1.0);
        if (right > 1.0 && left < 1.0) add((1.0 - left) / slope, 1.0);
        if (left > 0.0) add(0.0, left < 1.0 ? left : 1.0);
        tiles_[std::size_t(y * 61 + x)] = Polygon(Span<const Vec2>(corners));
    }
    std::vector<Polygon> tiles_;
};

/// Solid below `ground`, from `wall` on to the right, and from `ceiling` on upwards.
struct Plain {
    [[nodiscard]] const Polygon* solid_at(TileCoord tile) const {
        return tile.y < ground || tile.x >= wall || tile.y >= ceiling ? &full : nullptr;
    }
    int wall = 1 << 20;
    int ceiling = 1 << 20;
    int ground = 0;
};

/// A level at another place, where floats are coarse.
struct FarLevel {
    static constexpr int away = 16'384;

    [[nodiscard]] const Polygon* solid_at(TileCoord tile) const {
        return level.solid_at({tile.x - away, tile.y - away});
    }
    const Level& level;
};

/// From when to when a segment is inside a tile's polygon, by cutting it at each edge, in double.
std::pair<double, double> times_inside(const Segment& way, const Polygon& solid, int x, int y) {
    double enter = -HUGE_VAL, leave = HUGE_VAL;
    for (std::size_t i = 0; i < solid.size(); ++i) {
        const Vec2 a = solid.edge(i).from, b = solid.edge(i).to;
        const double ex = double{b.x} - double{a.x}, ey = double{b.y} - double{a.y};
        const auto inside = [&](Vec2 p) {
            return ex * (double{p.y} - y - double{a.y}) - ey * (double{p.x} - x - double{a.x});
        };
        const double from = inside(way.from), change = inside(way.to) - from;
        if (change == 0.0 && from < 0.0) return {2.0, -1.0};
        if (change > 0.0) enter = std::fmax(enter, -from / change);
        if (change < 0.0) leave = std::fmin(leave, -from / change);
    }
    return {std::fmax(enter, 0.0), std::fmin(leave, 1.0)};
}

/// The times that a segment spends in solid tiles, out of all that are around it.
std::vector<std::pair<double, double>> all_times_inside(const Level& level, const Segment& way) {
    std::vector<std::pair<double, double>> times;
    const AABB box = bounds(way);
    for (int x = int(std::floor(box.min.x)) - 1; x <= int(box.max.x) + 1; ++x) {
        for (int y = int(std::floor(box.min.y)) - 1; y <= int(box.max.y) + 1; ++y) {
            const Polygon* const solid = level.solid_at({x, y});
            if (solid == nullptr) continue;
            const auto time = times_inside(way, *solid, x, y);
            if (time.first <= time.second + 1e-12) times.push_back(time);
        }
    }
    return times;
}

/// When a segment first goes in from outside, after it has left what it begins in; 2 for never.
double first_entry(const std::vector<std::pair<double, double>>& times) {
    constexpr double seam = 1e-9;
    double out_at = -1.0;
    for (std::size_t rounds = 0; rounds <= times.size(); ++rounds) {
        for (const auto& [enter, leave] : times) {
            if (enter <= std::fmax(out_at + seam, 0.0)) out_at = std::fmax(out_at, leave);
        }
    }
    double first = 2.0;
    for (const auto& [enter, leave] : times) {
        if (leave >= enter + seam && leave > out_at) first = std::fmin(first, enter);
    }
    return first;
}

/// How deep a point is in the tile that is there; negative outside.
double depth(const Polygon& solid, TileCoord tile, Vec2 point) {
    double least = HUGE_VAL;
    for (std::size_t i = 0; i < solid.size(); ++i) {
        const auto [a, b] = solid.edge(i);
        const double ex = double{b.x} - double{a.x}, ey = double{b.y} - double{a.y};
        const double px = double{point.x} - tile.x - double{a.x};
        const double py = double{point.y} - tile.y - double{a.y};
        least = std::fmin(least, (ex * py - ey * px) / std::hypot(ex, ey));
    }
    return least;
}

TileCoord tile_of(Vec2 point) {
    return {std::int32_t(std::floor(point.x)), std::int32_t(std::floor(point.y))};
}

template <class Tiles>
bool is_inside(const Tiles& tiles, Vec2 point) {
    const TileCoord tile = tile_of(point);
    const Polygon* const solid = tiles.solid_at(tile);
    return solid != nullptr && depth(*solid, tile, point) > 1e-12;
}

template <class Tiles>
bool is_inside(const Tiles& tiles, const ProbeSet& set, Vec2 position) {
    for (const SweptProbe& probe : set.swept) {
        if (is_inside(tiles, position + probe.offset)) return true;
    }
    return false;
}

/// Whether a box, a little smaller, overlaps a tile of a level of full tiles.
bool overlaps_tile(const Level& level, Vec2 position) {
    const Vec2 half = half_size - Vec2{1e-4f, 1e-4f};
    const Vec2 low = position - half, high = position + half;
    for (int x = int(std::floor(low.x)); x <= int(std::floor(high.x)); ++x) {
        for (int y = int(std::floor(low.y)); y <= int(std::floor(high.y)); ++y) {
            if (level.solid_at({x, y}) != nullptr) return true;
        }
    }
    return false;
}

float standing_height() { return half_size.y + epsilon; }

/// Where it stands at the left side of a wall.
float place_at(float wall) { return wall - half_size.x - epsilon; }

const BoxProbes box(half_size);

template <class Tiles>
void go(const Tiles& tiles, PlacedCharacter& character, Vec2 way) {
    character = place(tiles, box.set(), character.position, character.position + way);
}

/// Lets a box fall, gives it a second to settle, and then nothing moves it, with or without
/// gravity.
template <class Tiles>
void check_stands(const Tiles& tiles, Vec2 start) {
    PlacedCharacter character{start};
    Vec2 place_of_rest{};
    int moved = 0;
    for (int i = 0; i < 10'500; ++i) {
        if (i == 500) place_of_rest = character.position;
        const Vec2 way{0.0f, i < 500 ? -0.13f : i % 2 == 0 ? 0.0f : -9.81f * dt * dt};
        go(tiles, character, way);
        if (i >= 500 && (character.position != place_of_rest || !character.is_on_ground)) ++moved;
    }
    CHECK(moved == 0);
}

static_assert(keep_pace({2.0f, 0.0f}, {0.0f, 1.0f}) == Vec2{2.0f, 0.0f});
static_assert(keep_pace({2.0f, -3.0f}, {0.0f, 1.0f}) == Vec2{2.0f, 0.0f});
static_assert(keep_pace({2.0f, 3.0f}, {0.0f, 1.0f}) == Vec2{2.0f, 3.0f});
static_assert(keep_pace({2.0f, -3.0f}, {-1.0f, 0.0f}) == Vec2{0.0f, -3.0f});
static_assert(keep_pace({2.0f, 3.0f}, {0.0f, -1.0f}) == Vec2{2.0f, 0.0f});
static_assert(keep_pace({2.0f, 3.0f}, {}) == Vec2{2.0f, 3.0f});
static_assert(keep_pace({5.0f, 0.0f}, {-0.8f, 0.6f}, 1.3f) == Vec2{0.0f, 0.0f});
static_assert(keep_pace({5.0f, 0.0f}, {-0.8f, 0.6f}, 1.4f).y > 3.9f);  // rises 4 over 3

}  // namespace

TEST_CASE("a trace meets the first face that brute force over all tiles finds") {
    test::Random random;
    const Level level = random_level(random, 6, 9);
    int wrong = 0, hits = 0;
    for (int i = 0; i < some; ++i) {
        const Vec2 from = random.point(30.0f);
        const Segment way{from, from + random.point(random.one_in(2) ? 2.0f : 20.0f)};
        if (is_inside(level, from)) continue;
        const ProbeHit hit = trace(level, way, epsilon);
        const double expected = first_entry(all_times_inside(level, way));
        const double length = double{distance(way.from, way.to)};
        if (bool(hit) != (expected <= 1.0)) ++wrong;
        if (!hit) continue;
        ++hits;
        if (std::fabs(double{hit.fraction} - expected) * length > 1e-5) ++wrong;
        if (dot(hit.normal, way.to - way.from) >= 0.0f || is_inside(level, hit.place)) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(hits > some / 5);
}

TEST_CASE("nothing slips through corners and seams that a trace passes exactly") {
    test::Random random;
    const Level level = random_level(random, 3, 9);
    int wrong = 0, hits = 0;
    for (int i = 0; i < some; ++i) {
        const auto lattice = [&](int reach) {
            const float x = float(random.integer(-4 * reach, 4 * reach)) / 4.0f;
            return Vec2{x, float(random.integer(-4 * reach, 4 * reach)) / 4.0f};
        };
        const Vec2 from = lattice(20);
        const Segment way{from, from + lattice(9)};
        const auto times = all_times_inside(level, way);
        bool starts_outside = true, touches = false;
        for (const auto& time : times) starts_outside = starts_outside && time.first > 0.0;
        if (!starts_outside) continue;
        const ProbeHit hit = trace(level, way, epsilon);
        const double expected = first_entry(times);
        if (double{hit.fraction} > expected + 1e-6) ++wrong;
        for (const auto& time : times) {
            touches = touches || std::fabs(time.first - double{hit.fraction}) < 1e-6;
        }
        if (hit && !touches) ++wrong;
        hits += hit ? 1 : 0;
    }
    CHECK(wrong == 0);
    CHECK(hits > some / 10);
}

TEST_CASE("a trace from deep inside a tile goes out freely and meets what comes after") {
    test::Random random;
    const Level level = random_level(random, 3, 9);
    int wrong = 0, starts = 0;
    for (int i = 0; i < some; ++i) {
        const Vec2 from = random.point(20.0f);
        const Segment way{from, from + random.point(9.0f)};
        const TileCoord tile = tile_of(from);
        const Polygon* const solid = level.solid_at(tile);
        if (solid == nullptr || depth(*solid, tile, from) < 2.0 * double{epsilon}) continue;
        ++starts;
        const ProbeHit hit = trace(level, way, epsilon);
        const double expected = first_entry(all_times_inside(level, way));
        if (bool(hit) != (expected <= 1.0)) ++wrong;
        if (hit && std::fabs(double{hit.fraction} - expected) > 1e-5) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(starts > some / 10);
}

TEST_CASE("the place is pulled back along the way until it is epsilon off the face") {
    test::Random random;
    for (int i = 0; i < 1000; ++i) {
        const Vec2 from{random.uniform(-9.0f, 9.0f), random.uniform(0.1f, 9.0f)};
        const Segment way{from, {random.uniform(-9.0f, 9.0f), -random.uniform(0.1f, 9.0f)}};
        const ProbeHit hit = trace(Plain{}, way, epsilon);
        CHECK(hit.place.y == doctest::Approx(double{epsilon}).epsilon(1e-2));
        CHECK(std::fabs(cross(hit.place - way.from, normalized(way.to - way.from))) < 1e-5f);
        CHECK(std::fabs(hit.point.y) < 1e-6f);
        CHECK(hit.gap == from.y);
    }
    CHECK(trace(Plain{}, {{0.5f, 0.5f}, {0.5f, 0.0f}}, epsilon).fraction == 1.0f);
    CHECK(trace(Plain{}, {{0.5f, 0.0005f}, {0.5f, -1.0f}}, epsilon).place == Vec2{0.5f, 0.0005f});
}

TEST_CASE("a point that slides along a floor of tiles never stops at a seam") {
    for (const float height : {0.0f, -1e-7f, -1e-5f, -0.0005f, -0.01f, 1e-7f}) {
        for (const float x : {-50.0f, -49.5f, -49.99f}) {
            CHECK_FALSE(trace(Plain{}, {{x, height}, {50.0f, height}}, epsilon));
            CHECK_FALSE(trace(Plain{}, {{50.0f, height}, {x, height}}, epsilon));
        }
        const bool holds = height > -epsilon;
        CHECK(bool(trace(Plain{}, {{1.0f, height}, {2.0f, -3.0f}}, epsilon)) == holds);
    }
}

TEST_CASE("a half tile hides only half of the side of the tile beside it") {
    Level level;
    level.at(0, 0) = &shapes[1];
    level.at(1, 0) = &full;
    CHECK(trace(level, {{0.25f, 0.75f}, {1.5f, 0.75f}}, epsilon).point == Vec2{1.0f, 0.75f});
    CHECK(trace(level, {{0.25f, 0.5f}, {1.5f, 0.5f}}, epsilon).point == Vec2{1.0f, 0.5f});
    CHECK_FALSE(trace(level, {{0.25f, 0.25f}, {1.5f, 0.25f}}, epsilon));
}

TEST_CASE("a character walks 1,000 tiles both ways at any speed and keeps its pace and height") {
    for (const float speed : {0.5f, 3.0f, 17.0f, 200.0f, -0.5f, -200.0f}) {
        for (const float gravity : {0.0f, -9.81f}) {
            PlacedCharacter character{{speed > 0.0f ? 0.0f : 1000.0f, standing_height()}};
            const float height = character.position.y;
            const int steps = int(1000.0f / (std::fabs(speed) * dt));
            int late = 0, astray = 0;
            for (int i = 0; i < steps; ++i) {
                const Vec2 way = Vec2{speed, gravity * dt} * dt;
                const Vec2 wanted = character.position + way;
                character = place(Plain{}, box.set(), character.position, wanted);
                if (character.position.x != wanted.x) ++late;
                if (character.position.y != height || !character.is_on_ground) ++astray;
            }
            CHECK(late == 0);
            CHECK(astray == 0);
        }
    }
}

TEST_CASE("a character falls and lands exactly epsilon above the ground") {
    test::Random random;
    for (int i = 0; i < 1000; ++i) {
        Vec2 velocity{random.uniform(-9.0f, 9.0f), 0.0f};
        PlacedCharacter character{{random.uniform(-9.0f, 9.0f), random.uniform(1.0f, 20.0f)}};
        int steps = 0;
        for (; steps < 1000 && !character.is_on_ground; ++steps) {
            velocity.y -= 9.81f * dt;
            go(Plain{}, character, velocity * dt);
        }
        CHECK(steps < 300);
        CHECK(character.ground_normal == Vec2{0.0f, 1.0f});
        CHECK(std::fabs(character.position.y - standing_height()) < epsilon / 15.0f);
    }
}

TEST_CASE(
    "the pace on a slope is the level speed uphill and downhill, and turning it again keeps it") {
    test::Random random;
    for (int i = 0; i < some; ++i) {
        const float angle = random.uniform(0.01f, 0.78f);
        const Vec2 normal{-std::sin(angle), std::cos(angle)};
        const float speed = random.uniform(0.01f, 20.0f);
        const float fall = random.one_in(3) ? 0.0f : random.uniform(0.0f, 5.0f);
        const bool goes_along = std::fabs(fall / speed - std::tan(angle)) < 0.01f;
        if (goes_along) continue;  // then the slope is as good a guess as gravity
        for (const float heading : {1.0f, -1.0f}) {
            const Vec2 turned = keep_pace({heading * speed, -fall}, normal);
            CHECK(length(turned) == doctest::Approx(speed).epsilon(1e-5));
            CHECK(dot(turned, normal) == doctest::Approx(0.0f).scale(speed).epsilon(1e-5));
            CHECK(turned.x * heading > 0.0f);
            CHECK(distance(keep_pace(turned, normal), turned) < 1e-5f * speed);
        }
    }
}

TEST_CASE(
    "a character walks up and down slopes with the same speed along them, with gravity or "
    "without") {
    for (const double degrees : {22.5, 26.565051, 45.0}) {
        const Hill hill(std::tan(degrees * 3.14159265358979 / 180.0));
        for (const Vec2 velocity : {Vec2{1.0f, 0.0f},
                                    {1.0f, -9.81f * dt},
                                    {6.0f, 0.0f},
                                    {6.0f, -9.81f * dt},
                                    {6.0f, -4.0f},
                                    {60.0f, 0.0f},
                                    {60.0f, -9.81f * dt}}) {
            const float stride = velocity.x * dt;
            PlacedCharacter character{{-3.0f, standing_height()}};
            for (const float heading : {1.0f, -1.0f}) {
                int wrong = 0, strides = 0;
                double walked = 0.0;
                for (int i = 0; i < int(33.0f / stride); ++i) {
                    const Vec2 old = character.position;
                    go(hill, character, {heading * stride, velocity.y * dt});
                    const Vec2 way = character.position - old;
                    if (!character.is_on_ground || is_inside(hill, box.set(), character.position))
                        ++wrong;
                    if (min(old.x, character.position.x) < 0.0f) continue;
                    ++strides;
                    walked += double{length(way)};
                    if (way.y * heading <= 0.0f) ++wrong;
                    // What rounding has changed of the distance to the slope is put right now and
                    // then.
                    if (std::fabs(length(way) - stride) > 1e-3f * stride + epsilon / 10.0f) ++wrong;
                }
                CHECK(wrong == 0);
                CHECK(std::fabs(walked / (double{stride} * strides) - 1.0) < 1e-3);
            }
            CHECK(character.position.x < 1.0f);
        }
    }
}

TEST_CASE("a character stays on the ground over the top of a hill, and not off a ledge") {
    Level level;
    for (int x = -30; x < 20; ++x) level.at(x, -1) = &full;
    level.at(0, 0) = &shapes[3];
    level.at(1, 0) = &full;
    level.at(2, 0) = &shapes[4];
    for (const float speed : {0.5f, 6.0f, 20.0f}) {
        for (const float heading : {1.0f, -1.0f}) {
            PlacedCharacter character{{1.5f - 6.0f * heading, standing_height()}};
            int in_the_air = 0;
            float highest = 0.0f;
            for (int i = 0; i < int(12.0f / (speed * dt)); ++i) {
                go(level, character, {heading * speed * dt, 0.0f});
                if (!character.is_on_ground) ++in_the_air;
                highest = max(highest, character.position.y);
            }
            CHECK(in_the_air == 0);
            CHECK(highest > 1.0f + standing_height() - epsilon);
            CHECK(highest < 1.3f + standing_height());
            CHECK(std::fabs(character.position.y - standing_height()) < epsilon);
        }
    }
    const PlacedCharacter off =
        place(level, box.set(), {20.3f, standing_height()}, {20.5f, standing_height()});
    CHECK_FALSE(off.is_on_ground);
    CHECK(off.position.y == standing_height());
}

TEST_CASE("a character that crosses the tip of a hill of 45 degrees anywhere stays on the ground") {
    Level level;
    for (int x = 0; x < 4; ++x) {
        for (int y = 0; y < 3 - x; ++y) level.at(x, y) = level.at(-1 - x, y) = &full;
        level.at(x, 3 - x) = &shapes[4];
        level.at(-1 - x, 3 - x) = &shapes[3];
    }
    test::Random random;
    int in_the_air = 0, crossings = 0;
    for (int i = 0; i < some / 100; ++i) {
        const float heading = random.one_in(2) ? 1.0f : -1.0f;
        const float stride = random.log_uniform(0.5f, 14.0f) * dt;
        PlacedCharacter character{{heading * random.uniform(-2.0f, -1.0f), 6.0f}};
        for (int k = 0; k < 60; ++k) go(level, character, {0.0f, -0.1f});
        while (character.position.x * heading < 1.0f) {
            go(level, character, {heading * stride, -9.81f * dt * dt});
            if (!character.is_on_ground) ++in_the_air;
        }
        ++crossings;
    }
    CHECK(in_the_air == 0);
    CHECK(crossings == some / 100);
}

TEST_CASE("a slope of 60 degrees stops a character, and lets it slide down") {
    const Hill hill(std::tan(60.0 * 3.14159265358979 / 180.0));
    PlacedCharacter character{{-3.0f, standing_height()}};
    for (int i = 0; i < 200; ++i) {
        go(hill, character, {6.0f * dt, -0.1f * dt});
    }
    CHECK(character.is_at_right_wall);
    CHECK(character.is_on_ground);
    CHECK(character.position.x == doctest::Approx(double{-half_size.x}).epsilon(0.01));
    CHECK(std::fabs(character.position.y - standing_height()) < 2.0f * epsilon);

    character.position = {10.0f, 30.0f};
    for (int i = 0; i < 2000; ++i) {
        go(hill, character, {0.0f, -6.0f * dt});
    }
    CHECK(character.is_on_ground);
    CHECK(std::fabs(character.position.y - standing_height()) < 2.0f * epsilon);
}

TEST_CASE("a jump leaves slopes and keeps all of its way") {
    const Hill hill(1.0);
    PlacedCharacter character{{9.0f, 20.0f}};
    while (!character.is_on_ground) go(hill, character, {0.0f, -0.1f});
    for (const Vec2 way : {Vec2{-0.05f, 0.1f}, {0.0f, 0.1f}, {0.05f, 0.1f}, {0.0f, 0.001f}}) {
        const Vec2 wanted = character.position + way;
        const PlacedCharacter after = place(hill, box.set(), character.position, wanted);
        CHECK(after.position == wanted);
        CHECK_FALSE(after.is_on_ground);
    }
}

TEST_CASE("probes never end in a solid tile, however far they are moved") {
    test::Random random;
    int inside = 0, overlapping = 0, moves = 0;
    for (int map = 0; map < 10; ++map) {
        const bool is_full = map % 2 == 0;
        const Level level = random_level(random, 8 + 6 * map, is_full ? 1 : 9);
        Vec2 position{100.0f, 100.0f};
        for (int i = 0; i < some / 10; ++i) {
            const bool is_lost = i % 50 == 0 || length(position) > 60.0f;
            for (bool seeks = is_lost; seeks; seeks = is_inside(level, box.set(), position) ||
                                                      (is_full && overlaps_tile(level, position))) {
                position = random.point(30.0f);
            }
            const float reach = random.one_in(3) ? 0.2f : random.one_in(2) ? 3.0f : 35.0f;
            const Vec2 wanted = position + random.point(reach);
            const PlacedCharacter after = place(level, box.set(), position, wanted);
            position = after.position;
            if (is_inside(level, box.set(), position)) ++inside;
            if (is_full && overlaps_tile(level, position)) ++overlapping;
            ++moves;
        }
    }
    CHECK(moves >= some - 10);
    CHECK(inside == 0);
    CHECK(overlapping == 0);
}

TEST_CASE("a ceiling and a wall stop a character where they are, and are told apart") {
    const Plain room{5, 4};
    const PlacedCharacter up = place(room, box.set(), {0.0f, 2.0f}, {1.0f, 30.0f});
    CHECK(up.position.y == doctest::Approx(double{4.0f - standing_height()}).epsilon(1e-6));
    CHECK(up.position.x == 1.0f);
    CHECK(up.is_at_ceiling);
    CHECK_FALSE(up.is_at_right_wall);
    CHECK_FALSE(up.is_on_ground);
    const PlacedCharacter right = place(room, box.set(), {0.0f, 2.0f}, {30.0f, 2.0f});
    CHECK(right.position.x == doctest::Approx(double{place_at(5.0f)}).epsilon(1e-6));
    CHECK(right.position.y == 2.0f);
    CHECK(right.is_at_right_wall);
    CHECK_FALSE(right.is_at_left_wall);
    CHECK_FALSE(right.is_at_ceiling);
    CHECK(right.swept_hits != 0);
    const PlacedCharacter corner = place(room, box.set(), {0.0f, 2.0f}, {30.0f, -20.0f});
    CHECK(corner.is_on_ground);
    CHECK(corner.is_at_right_wall);
    CHECK(corner.position.x == doctest::Approx(double{right.position.x}).epsilon(1e-3));
    CHECK(corner.position.y == doctest::Approx(double{standing_height()}).epsilon(1e-6));
}

TEST_CASE("standing still does not drift, on the flat, on a slope or in a corner") {
    const Hill hill(1.0);
    const Hill steep(std::tan(1.0));
    check_stands(hill, {-5.0f, 30.0f});
    check_stands(hill, {17.3f, 30.0f});
    check_stands(steep, {-0.6f, 30.0f});
    check_stands(steep, {3.0f, 30.0f});
    for (const int ground : {-1000, -3, -2, -1, 0, 1, 100, 4000}) {
        check_stands(Plain{1 << 20, 1 << 20, ground}, {0.3f, float(ground) + 7.7f});
    }
}

TEST_CASE("in a shaft as wide as itself a character falls and jumps, pressed to a wall or not") {
    for (const float spare :
         {0.0f, 0.1f * epsilon, 0.7f * epsilon, 1.5f * epsilon, 3.0f * epsilon}) {
        Level level;
        for (int y = -10; y < 10; ++y) level.at(-1, y) = level.at(1, y) = &full;
        const BoxProbes snug({0.5f - 0.5f * spare, 0.9f});
        for (const float heading : {0.0f, 0.1f, -0.1f}) {
            CAPTURE(spare);
            CAPTURE(heading);
            PlacedCharacter character{{0.5f, 5.0f}};
            for (const float fall : {-0.25f, 0.125f}) {
                const float start = character.position.y;
                for (int i = 0; i < 20; ++i) {
                    const Vec2 wanted = character.position + Vec2{heading, fall};
                    character = place(level, snug.set(), character.position, wanted);
                }
                CHECK(character.position.y == doctest::Approx(start + 20.0f * fall));
                CHECK(std::fabs(character.position.x - 0.5f) <= 0.5f * spare + 1e-6f);
            }
        }
    }
}

TEST_CASE("a character that touches a wall is set epsilon off it when it presses against it") {
    for (const float gap : {0.0f, 0.25f * epsilon, -0.5f * epsilon}) {
        const Vec2 start{5.0f - half_size.x - gap, 3.0f};
        const PlacedCharacter after = place(Plain{5}, box.set(), start, start + Vec2{0.5f, 0.0f});
        CHECK(std::fabs(place_at(5.0f) - after.position.x) < 1e-6f);
        CHECK(after.is_at_right_wall);
    }
}

TEST_CASE("rounding far from the origin lets no probe into a tile") {
    test::Random random;
    const Level level = random_level(random, 12, 9);
    const FarLevel world{level};
    constexpr Vec2 middle{float(FarLevel::away), float(FarLevel::away)};
    int inside = 0;
    Vec2 position{};
    for (int i = 0; i < some / 2; ++i) {
        for (bool seeks = i % 50 == 0 || distance(position, middle) > 60.0f; seeks;
             seeks = is_inside(world, box.set(), position)) {
            position = middle + random.point(30.0f);
        }
        const Vec2 wanted = position + random.point(random.one_in(3) ? 0.01f : 3.0f);
        position = place(world, box.set(), position, wanted).position;
        if (is_inside(world, box.set(), position)) ++inside;
    }
    CHECK(inside == 0);
}

TEST_CASE("repelling probes push a character out of what has closed on it") {
    const Vec2 sunk{0.3f, half_size.y - 0.25f};
    const PlacedCharacter up = place(Plain{}, box.set(), sunk, sunk);
    CHECK(up.position.x == sunk.x);
    CHECK(up.position.y == doctest::Approx(double{standing_height()}).epsilon(1e-6));
    CHECK(up.repelling_hits != 0);
    CHECK(up.is_on_ground);
    const Vec2 in_wall{5.0f - half_size.x + 0.125f, 3.0f};
    const PlacedCharacter left = place(Plain{5}, box.set(), in_wall, in_wall);
    CHECK(left.position.x == doctest::Approx(double{place_at(5.0f)}).epsilon(1e-6));
    CHECK(left.position.y == in_wall.y);
    const RepellingProbe probe{{0.0f, 0.5f}, {0.0f, -0.5f}};
    CHECK(repel(Plain{}, probe, {0.5f, 0.75f}, epsilon) == Vec2{});
    CHECK(repel(Plain{}, probe, {0.5f, 0.25f}, epsilon).y ==
          doctest::Approx(double{0.25f + epsilon}));
    CHECK(repel(Plain{}, probe, {0.5f, -0.75f}, epsilon) == Vec2{});
}

TEST_CASE("repelling probes do not push the character into a ceiling") {
    const Plain low{1 << 20, 2};
    const Vec2 sunk{0.3f, half_size.y - 0.25f};
    for (const float lower : {0.0f, 0.1f}) {
        const PlacedCharacter squeezed = place(low, box.set(), sunk, {0.3f, sunk.y - lower});
        CHECK(squeezed.position.y + half_size.y < 2.0f);
    }
}

TEST_CASE(
    "neighbouring probes of a box are no further apart than asked, and there is one at each "
    "corner") {
    for (const Vec2 half : {Vec2{0.1f, 0.2f}, {0.4f, 0.9f}, {2.0f, 3.5f}}) {
        const BoxProbes probes(half);
        int corners = 0;
        float widest = 0.0f;
        for (const SweptProbe& probe : probes.set().swept) {
            corners += abs(probe.offset) == half ? 1 : 0;
            float nearest = 99.0f;
            for (const SweptProbe& other : probes.set().swept) {
                const float apart = distance(other.offset, probe.offset);
                const bool is_ahead = cross(probe.offset, other.offset) > 0.0f;
                if (is_ahead && apart > 0.0f) nearest = min(nearest, apart);
            }
            widest = max(widest, nearest);
        }
        CHECK(corners == 4);
        CHECK(widest < 0.500001f);
    }
    CHECK_THROWS_WITH_AS(BoxProbes(Vec2{9.0f, 9.0f}),
                         "BoxProbes: half extents (9, 9) take more than 64 probes at a spacing of "
                         "0.5, expected a wider spacing",
                         Error);
    CHECK_THROWS_WITH_AS(BoxProbes(Vec2{0.0f, 1.0f}),
                         "BoxProbes: half extents (0, 1) with spacing 0.5, expected numbers > 0",
                         Error);
    CHECK_THROWS_AS(BoxProbes(Vec2{1.0f, 1.0f}, std::numeric_limits<float>::quiet_NaN()), Error);
}

TEST_CASE("what is not a number meets nothing and moves nothing") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const Vec2 start{0.5f, standing_height()};
    for (const float bad : {nan, infinity, -infinity, 0x1p30f, 3e38f}) {
        for (const Vec2 place_of_it : {Vec2{bad, 0.0f}, {0.0f, bad}, {bad, bad}}) {
            CHECK_FALSE(trace(Plain{}, {start, place_of_it}, epsilon));
            CHECK_FALSE(trace(Plain{}, {place_of_it, start}, epsilon));
            const PlacedCharacter after = place(Plain{}, box.set(), start, place_of_it);
            CHECK(after.position == start);
            CHECK_FALSE(after.is_on_ground);
            static_cast<void>(place(Plain{}, box.set(), place_of_it, start));
        }
        ProbeSet odd = box.set();
        odd.epsilon = odd.max_slope = odd.put_down = bad;
        static_cast<void>(place(Plain{}, odd, start, {9.0f, -9.0f}));
    }
    CHECK_FALSE(trace(Plain{}, {start, start}, epsilon));
}

}  // namespace probes_test

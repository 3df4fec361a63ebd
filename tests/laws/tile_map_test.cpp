// SPDX-License-Identifier: MIT
// Is the surface of a tile map one surface? SCENES [1] [2] [3] [4] [10] [12] [19]
// Nothing catches on a joint, nothing falls through a crack, nothing tunnels, whatever way is down.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <scenes/scenes.hpp>

#include "measure.hpp"
#include "support/movers.hpp"
#include "support/tiles.hpp"

namespace tile_map_test {

using namespace phys2d;
using test::reach;

namespace {

constexpr OneWay sides[] = {OneWay::Up, OneWay::Down, OneWay::Left, OneWay::Right};

float one_of(test::Random& random, std::initializer_list<float> values) {
    return values.begin()[random.bits() % values.size()];
}

/// Turns and mirrors tiles and points, about the lower left corner of tile (0, 0).
struct Turn {
    bool swaps, mirrors_x, mirrors_y;

    explicit Turn(test::Random& random)
        : swaps(random.one_in(2)), mirrors_x(random.one_in(2)), mirrors_y(random.one_in(2)) {}
    [[nodiscard]] Vec2 point(Vec2 p) const {
        if (swaps) std::swap(p.x, p.y);
        return {mirrors_x ? -p.x : p.x, mirrors_y ? -p.y : p.y};
    }
    [[nodiscard]] TileCoord tile(int x, int y) const {
        if (swaps) std::swap(x, y);
        return {mirrors_x ? -1 - x : x, mirrors_y ? -1 - y : y};
    }
    /// Of a polygon in a tile.
    [[nodiscard]] Polygon shape(std::vector<Vec2> vertices) const {
        for (Vec2& vertex : vertices) {
            vertex = point(vertex);
            vertex += Vec2{mirrors_x ? 1.0f : 0.0f, mirrors_y ? 1.0f : 0.0f};
        }
        if (swaps != (mirrors_x != mirrors_y)) std::reverse(vertices.begin(), vertices.end());
        return Polygon(Span<const Vec2>(vertices.data(), vertices.size()));
    }
};

/// A box that rests in a corner, between a wall to its left and a floor.
struct Corner {
    int with_floor = 0, with_wall = 0, others = 0;  ///< contacts

    Corner(World& world, float half) {
        const BodyId body =
            world.create_body({.position = {half, half}}, Box{{half, half}}, {.friction = 0.0f});
        test::run(world, 30);
        Vec2 push{};
        world.for_each_contact([&](const WorldContact& contact) {
            const Vec2 out = contact.manifold.normal * (contact.a == body ? -1.0f : 1.0f);
            push += out * contact.normal_impulse;
            ++(out == Vec2{0.0f, 1.0f} ? with_floor : out == Vec2{1.0f, 0.0f} ? with_wall : others);
        });
        const float weight = 10.0f / 60.0f * 4.0f * half * half;
        CHECK(length(push - Vec2{weight, weight}) < 0.02f * weight);
        CHECK(others == 0);
    }
};

/// A map with tiles that do not all hold the same: '#' holds from all sides, '=' from above, 'f'
/// only what has the category 2, and '^' is a wedge with a sharp corner at its upper right.
TileMapRef add_mixed_map(World& world, const char* text, TileCoord lower_left = {}) {
    TileMapRef map = world.tile_map(world.create_tile_map());
    map.define('#');
    map.define('=', {.collider = {.one_way = OneWay::Up}});
    map.define('f', {.collider = {.filter = {.category = 2, .mask = 2}}});
    map.define('^', {.shape = {{0.0f, 1.0f}, {0.5f, 0.2f}, {1.0f, 1.0f}}});
    map.load(text, lower_left);
    return map;
}

/// Met by all kinds of such a map, and by all but 'f'.
constexpr Filter met_by_all{.category = 3}, not_met_by_f{.category = 1, .mask = 1};

/// A row of such tiles, over and over.
struct MixedRow {
    const char* tiles;
    Filter filter;  ///< of what slides over it

    /// How much of its speed a shape loses on it, as a share.
    [[nodiscard]] float loss(const Shape& shape, float velocity) const {
        World world({.gravity = {0.0f, -10.0f}});
        std::string text;
        while (text.size() < 256) text += tiles;
        add_mixed_map(world, text.c_str(), {-128, -1});
        const BodyId body = world.create_body(
            {.position = {0.37f, reach(shape, {0.0f, 1.0f})}, .velocity = {velocity, 0.0f}}, shape,
            {.friction = 0.0f}, {.filter = filter});
        float lost = 0.0f;
        for (int i = 0; i < 240; ++i) {
            world.step();
            lost = std::fmax(lost, std::fabs(world.body(body).velocity().x - velocity));
        }
        return lost / std::fabs(velocity);
    }
};

/// Counts what is told of contacts.
struct Told {
    int began = 0, ended = 0;

    void step(World& world) {
        world.step();
        began += static_cast<int>(world.events().began.size());
        ended += static_cast<int>(world.events().ended.size());
    }
};

}  // namespace

TEST_CASE("a floor, wall or ceiling of a thousand tiles is one surface to whatever slides on it") {
    test::Random random;
    for (int i = 0; i < test::many / 500; ++i) {
        const Vec2 up = direction_of(sides[random.integer(0, 3)]);
        const Vec2 along = perpendicular(up) * (random.one_in(2) ? 1.0f : -1.0f);
        const float size = one_of(random, {0.25f, 1.0f, 16.0f});
        const Vec2 place = random.one_in(2) ? Vec2{1e4f, -1e4f} : Vec2{};
        const float tiles_wide = random.one_in(4) ? 0.5f : random.uniform(0.1f, 1.5f);
        const Shape shape = test::random_mover(random, tiles_wide * size);
        const float speed = one_of(random, {0.5f, 2.0f, 9.0f, 40.0f, 200.0f});
        CAPTURE(i);
        World world({.gravity = up * -10.0f});
        TileMapRef map = test::add_tile_map(world, {.position = place, .tile_size = size});
        const bool is_flat = up.x == 0.0f;
        map.fill(is_flat ? TileRect{{-500, -1}, {500, 0}} : TileRect{{-1, -500}, {0, 500}}, 1);
        const Vec2 surface = place + up * size;
        const BodyId body = world.create_body(
            {.position = surface + up * reach(shape, up) - along * (490.0f * size),
             .velocity = along * speed},
            shape, {.friction = 0.0f});
        Told told;
        float highest = 0.0f, lost = 0.0f;
        const int steps = std::min(test::is_fast_build ? 1000 : 300,
                                   static_cast<int>(980.0f * size * 60.0f / speed));
        for (int k = 0; k < steps; ++k) {
            told.step(world);
            const float height = dot(world.body(body).position() - surface, up) - reach(shape, up);
            highest = std::fmax(highest, std::fabs(height));
            lost = std::fmax(lost, std::fabs(dot(world.body(body).velocity(), along) - speed));
        }
        CHECK(lost <= 1e-3f * speed);
        CHECK(highest < 0.02f);  // the contact margin; numbers at 1e4 m are 1 mm apart
        CHECK(told.began == 1);
        CHECK(told.ended == 0);
    }
}

TEST_CASE("half tiles, tiles of another kind and static boxes make one floor with full tiles") {
    test::Random random;
    for (int i = 0; i < test::many / 5000; ++i) {
        const float speed = one_of(random, {0.5f, 3.0f, 20.0f, 100.0f});
        const Shape shape = test::random_mover(random, random.uniform(0.1f, 1.5f));
        World world({.gravity = {0.0f, -10.0f}});
        TileMapRef map = test::add_tile_map(world);
        constexpr TileId upper_half = 20, also_full = 21;
        map.define(upper_half, {.shape = {{0.0f, 0.5f}, {1.0f, 0.5f}, {1.0f, 1.0f}, {0.0f, 1.0f}}});
        map.define(also_full);
        for (int x = -10; x < 300; ++x) {
            const auto left = static_cast<float>(x);
            switch (random.integer(0, 3)) {
                case 0: map.set({x, -1}, test::full); break;
                case 1: map.set({x, -1}, upper_half); break;
                case 2: map.set({x, -1}, also_full); break;
                default:
                    world.create_body({.type = BodyType::Static, .position = {left + 0.5f, -0.25f}},
                                      Box{{0.5f, 0.25f}});
                    break;
            }
            if (random.one_in(2)) map.set({x, -2}, test::full);
        }
        const BodyId body = world.create_body(
            {.position = {0.0f, reach(shape, {0.0f, 1.0f})}, .velocity = {speed, 0.0f}}, shape,
            {.friction = 0.0f});
        const float height = world.body(body).position().y;
        CAPTURE(i);
        for (int k = 0; k < 400 && world.body(body).position().x < 290.0f; ++k) {
            world.step();
            REQUIRE(world.body(body).velocity().x == doctest::Approx(speed).epsilon(1e-3));
            REQUIRE(std::fabs(world.body(body).position().y - height) < 0.006f);
        }
    }
}

TEST_CASE("what slides over tiles that do not hold the same keeps its speed, both ways") {
    const Shape wide[] = {Box{{1.3f, 0.5f}}, Capsule{1.0f, 0.3f, Axis::X}};
    const Shape narrow[] = {Box{{0.4f, 0.4f}}, Circle{0.4f}, Circle{1.5f}, Capsule{0.4f, 0.3f}};
    for (const float velocity : {0.5f, -0.5f, 3.0f, -3.0f, 10.0f, -10.0f, 30.0f, -30.0f}) {
        for (const char* tiles : {"##==", "#=", "#f", "=f"}) {
            CAPTURE(std::string(tiles));
            CAPTURE(velocity);
            for (const Shape& shape : wide)
                CHECK(MixedRow{tiles, met_by_all}.loss(shape, velocity) < 1e-3f);
            for (const Shape& shape : narrow)
                CHECK(MixedRow{tiles, met_by_all}.loss(shape, velocity) < 1e-3f);
        }
        for (const Shape& shape : wide)  // over gaps, so that it has to be wider than they are
            CHECK(MixedRow{"#f", not_met_by_f}.loss(shape, velocity) < 1e-3f);
    }
}

TEST_CASE("the corner of a tile stops a ball beside one that does not hold the ball") {
    constexpr float radius = 0.4f;
    for (const char* tiles : {"#.", "#f", "#=", "^f", "^="}) {
        CAPTURE(std::string(tiles));
        World world({.gravity = {0.0f, -10.0f}});
        add_mixed_map(world, tiles);
        const Vec2 corner{1.0f, 1.0f};
        const QueryHit hit = world.shape_cast(Circle{radius, {1.8f, 1.1f}}, {-1.0f, 0.0f},
                                              {.category = 1, .mask = 1});
        CHECK(hit.fraction == doctest::Approx(0.8f - std::sqrt(0.15f)).epsilon(1e-4));

        const BodyId ball = world.create_body({.position = {1.6f, 1.4f}}, Circle{radius},
                                              {.friction = 0.0f}, {.filter = not_met_by_f});
        world.step();
        world.body(ball).drop_through();
        world.body(ball).set_velocity({-2.0f, 0.0f});
        float nearest = radius;
        for (int i = 0; i < 60; ++i) {
            world.step();
            nearest = std::fmin(nearest, distance(world.body(ball).position(), corner));
        }
        CHECK(nearest > radius - 0.012f);  // 5 mm behind both its faces: of a wedge that is 1 cm
    }
}

TEST_CASE("a wedge stops a box with its corner beside a one-way tile that has let the box in") {
    for (const char* tiles : {"^.", "^="}) {
        CAPTURE(std::string(tiles));
        World world({.gravity = {}});
        add_mixed_map(world, tiles);
        const Box box{{0.3f, 0.8f}};
        const QueryHit hit = world.shape_cast(translate(Shape(box), {1.6f, 1.1f}), {-3.0f, 0.0f});
        CHECK(hit.fraction == doctest::Approx(0.1f).epsilon(1e-4));
        CHECK(hit.normal == Vec2{1.0f, 0.0f});
        const BodyId body =
            world.create_body({.position = {1.6f, 1.1f}, .velocity = {-3.0f, 0.0f}}, box);
        test::run(world, 60);
        CHECK(world.body(body).position().x == doctest::Approx(1.3f).epsilon(0.008));
    }
}

TEST_CASE("a cast over a row of tiles meets faces along the axes, and nothing on its way along") {
    test::Random random;
    for (int i = 0; i < test::many / 100; ++i) {
        const float size = one_of(random, {0.25f, 1.0f, 16.0f});
        World world;
        TileMapRef map = test::add_tile_map(world, {.tile_size = size});
        map.fill({{-60, -2}, {20, -1}}, 1);
        map.fill({{15, 0}, {16, 9}}, 1);
        const float half = random.uniform(0.1f, 1.5f) * size;
        const float high = random.one_in(2) ? 0.0f : random.uniform(0.0f, 2.0f) * size;
        const Box box{{half, half}, {random.uniform(-10.0f, 10.0f) * size, half + high}};
        const Vec2 way{random.uniform(-20.0f, 20.0f) * size,
                       high == 0.0f ? 0.0f : random.uniform(-9.0f, 0.0f) * size};
        const QueryHit hit = world.shape_cast(box, way);
        const float to_wall = way.x > 0.0f ? (15.0f * size - half - box.center.x) / way.x : 2.0f;
        const float to_floor = way.y < 0.0f ? -high / way.y : 2.0f;
        const float expected = std::fmin(to_wall, to_floor);
        if (std::fabs(to_wall - to_floor) < 1e-4f || std::fabs(expected - 1.0f) < 1e-5f) continue;
        REQUIRE(static_cast<bool>(hit) == (expected <= 1.0f));
        if (!hit) continue;
        CHECK(hit.fraction == doctest::Approx(expected).epsilon(1e-4));
        CHECK(hit.normal == (to_wall < to_floor ? Vec2{-1.0f, 0.0f} : Vec2{0.0f, 1.0f}));
    }
}

TEST_CASE(
    "what falls on the crack between two tiles, or two that meet in a corner, stays in front") {
    test::Random random;
    for (int i = 0; i < test::many / 1000; ++i) {
        const Turn turn(random);
        const bool is_corner = random.one_in(2);  // a concave one, of tiles that only meet there
        const Shape shape = test::random_mover(random, random.uniform(0.1f, 0.5f));
        const Vec2 down = is_corner ? Vec2{1.0f, 1.0f} : Vec2{0.0f, 1.0f};
        World world({.gravity = turn.point(down) * 10.0f});
        TileMapRef map = test::add_tile_map(world);
        map.set(turn.tile(-1, 0), 1);
        map.set(turn.tile(0, is_corner ? -1 : 0), 1);
        const Vec2 outer = outer_half_extents(shape);
        const Vec2 h = turn.swaps ? Vec2{outer.y, outer.x} : outer;
        const Vec2 rest = is_corner ? -h : Vec2{0.0f, -h.y};
        const Vec2 start = rest - down * random.uniform(0.0f, 0.4f);
        const float speed = one_of(random, {0.0f, 1.0f, 20.0f, 400.0f});
        const BodyId body = world.create_body(
            {.position = turn.point(start), .velocity = turn.point(down) * speed}, shape);
        test::run(world, 120);
        CAPTURE(i);
        CHECK(length(world.body(body).position() - turn.point(rest)) <
              2e-3f);  // sinks in by 0.2 mm
    }
}

TEST_CASE("what falls right on the joint of a flat tile and a slope lands, wherever that is") {
    constexpr float radius = 0.4f;
    test::Random random;
    int missed = 0, unseen = 0, fallen = 0;
    for (int i = 0; i < test::many / 250; ++i) {
        const float size = one_of(random, {0.3f, 0.7f, 1.1f, 1.6f});
        const int column = random.integer(-1000, 1000);
        const float joint = static_cast<float>(column) * size;
        const Vec2 place{one_of(random, {0.0f, -joint, random.uniform(-1e3f, 1e3f)}),
                         random.uniform(-300.0f, 300.0f)};
        World world;
        TileMapRef map = test::add_tile_map(world, {.position = place, .tile_size = size});
        const bool rises = random.one_in(2);
        map.set({column, 0}, rises ? test::full : test::falling_slope);
        map.set({column - 1, 0}, rises ? test::rising_slope : test::full);
        Vec2 start = place + Vec2{joint, size + radius + 0.01f};
        for (int k = random.integer(0, 3); k > 0; --k) start.x = std::nextafter(start.x, joint);

        const Circle ball{radius, start};
        missed += !world.shape_cast(ball, {0.0f, -0.5f});
        bool is_seen = false;
        world.for_each_surface(expand(bounds(ball), 0.5f), [&](const Surface& surface) {
            is_seen = is_seen || surface.cast(ball, {0.0f, -0.5f});
        });
        unseen += !is_seen;
        const BodyId body = world.create_body({.position = start}, Circle{radius});
        test::run(world, 10);
        fallen += world.body(body).position().y < start.y - 0.05f;
    }
    CHECK(missed == 0);
    CHECK(unseen == 0);
    CHECK(fallen == 0);
}

TEST_CASE(
    "over a staircase of slope tiles a body goes as on one slope, and sticks where it should") {
    test::Random random;
    for (int i = 0; i < test::many / 1000; ++i) {
        const Turn turn(random);
        const int n = random.integer(1, 4);  // tiles a step of the staircase
        const float size = one_of(random, {0.25f, 1.0f, 16.0f});
        const double phi = std::atan2(1.0, n);
        const float share = one_of(random, {0.0f, 0.5f, 0.95f, 1.05f});
        const auto friction = share * static_cast<float>(std::tan(phi));
        World world({.gravity = turn.point({0.0f, -10.0f})});
        TileMapRef map = world.tile_map(world.create_tile_map({.tile_size = size}));
        map.define(9, {.material = {.friction = friction}});
        for (int k = 0; k < n; ++k) {
            const float left = static_cast<float>(n - k) / static_cast<float>(n);
            const float right = static_cast<float>(n - k - 1) / static_cast<float>(n);
            std::vector<Vec2> vertices{{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, right}, {0.0f, left}};
            if (k == n - 1) vertices.erase(vertices.begin() + 2);
            map.define(static_cast<TileId>(1 + k),
                       {.shape = turn.shape(vertices), .material = {.friction = friction}});
        }
        const bool is_backed = random.one_in(2);
        for (int x = -8 * n; x < 200; ++x) {
            const int k = (x + 8 * n) % n, row = -1 - (x - k) / n;
            map.set(turn.tile(x, row), static_cast<TileId>(1 + k));
            if (is_backed) map.set(turn.tile(x, row - 1), 9);
        }
        const auto c = static_cast<float>(std::cos(phi)), s = static_cast<float>(std::sin(phi));
        const Vec2 along = turn.point({c, -s}), up = turn.point({s, c});
        const Shape shape = test::random_mover(random, random.uniform(0.1f, 1.5f) * size);
        const BodyId body =
            world.create_body({.position = along * (0.3f * size) + up * reach(shape, up)}, shape,
                              {.friction = friction});
        const double expected = share > 1.0f ? 0.0 : 10.0 * (s - double{friction} * c);
        CAPTURE(i);
        Vec2 before{};
        for (int k = 0; k < 240 && dot(world.body(body).position(), along) < 190.0f * size; ++k) {
            world.step();
            const Vec2 v = world.body(body).velocity();
            REQUIRE(world.are_touching(body, map.id()));
            REQUIRE(std::fabs(dot(world.body(body).position(), up) - reach(shape, up)) < 1e-3f);
            // 40 m/s in floats are 4e-6 apart: 1e-3 m/s^2 in a step
            if (k >= 3)
                REQUIRE(dot(v - before, along) * 60.0f == doctest::Approx(expected).epsilon(0.002));
            before = v;
        }
    }
}

TEST_CASE(
    "at the foot of a slope a body goes on with the part of its speed that is along the floor") {
    test::Random random;
    for (int i = 0; i < test::many / 2000; ++i) {
        const Turn turn(random);
        const Shape shape = test::random_mover(random, random.uniform(0.1f, 1.5f));
        World world({.gravity = {}});
        TileMapRef map = test::add_tile_map(world);
        map.define(9, {.shape = turn.shape({{0.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 1.0f}})});
        for (int x = -40; x < 0; ++x) map.set(turn.tile(x, -1 - x), 9);
        for (int x = -40; x < 60; ++x) map.set(turn.tile(x, std::max(-1, -2 - x)), 1);
        const float half = std::sqrt(0.5f);
        const Vec2 along = turn.point({half, -half}), up = turn.point({half, half});
        const float speed = random.uniform(1.0f, 30.0f);
        const BodyId body = world.create_body(
            {.position = along * -9.0f + up * reach(shape, up), .velocity = along * speed}, shape,
            {.friction = 0.0f});
        const Vec2 floor = turn.point({1.0f, 0.0f});
        for (int k = 0; k < 3000 && dot(world.body(body).position(), floor) < 10.0f; ++k)
            world.step();
        CAPTURE(i);
        CHECK(dot(world.body(body).velocity(), floor) ==
              doctest::Approx(speed * half).epsilon(0.002));
        const float height = dot(world.body(body).position(), turn.point({0.0f, 1.0f}));
        CHECK(std::fabs(height - reach(shape, turn.point({0.0f, 1.0f}))) < 5e-3f);
    }
}

TEST_CASE("a body that walks over the top of a slope is not held by it, and keeps its speed") {
    test::Random random;
    for (int i = 0; i < test::many / 2000; ++i) {
        const Shape shape = test::random_mover(random, random.uniform(0.1f, 1.5f));
        const float speed = random.uniform(1.0f, 30.0f);
        World world({.gravity = {}});
        TileMapRef map = test::add_tile_map(world);
        for (int x = -30; x < 0; ++x) map.set({x, -1}, 1);  // and down from x = 0
        for (int x = 0; x < 30; ++x) map.set({x, -1 - x}, test::falling_slope);
        const BodyId body = world.create_body(
            {.position = {-5.0f, reach(shape, {0.0f, 1.0f})}, .velocity = {speed, 0.0f}}, shape,
            {.friction = 0.0f});
        for (int k = 0; k < 600 && world.body(body).position().x < 5.0f; ++k) world.step();
        CHECK(world.body(body).position().x >= 5.0f);
        CHECK(length(world.body(body).velocity() - Vec2{speed, 0.0f}) < 1e-4f * speed);
    }
}

TEST_CASE("a tile map that moves carries what stands on it, until it has stopped") {
    test::Random random;
    for (int i = 0; i < test::many / 5000; ++i) {
        World world({.gravity = {0.0f, -10.0f}});
        TileMapRef map = test::add_tile_map(world, {.type = BodyType::Kinematic});
        map.fill({{-40, -1}, {40, -1}}, 1);
        const Shape shape = test::random_mover(random, random.uniform(0.2f, 1.5f));
        const Vec2 start{random.uniform(-5.0f, 5.0f), reach(shape, {0.0f, 1.0f}) + 0.01f};
        const BodyId body = world.create_body({.position = start}, shape);
        test::run(world, 60);
        const BodyId ground = map.id();
        const Vec2 stood = world.body(body).position() - world.body(ground).position();
        const bool by_place = random.one_in(2);
        const Vec2 velocity{random.uniform(-6.0f, 6.0f), random.uniform(0.0f, 6.0f)};
        for (int k = 0; k < 60; ++k) {
            if (by_place)
                world.body(ground).move_to(world.body(ground).position() +
                                           velocity * (1.0f / 60.0f));
            if (!by_place) world.body(ground).set_velocity(velocity);
            world.step();
        }
        CAPTURE(i);
        CHECK(length(world.body(ground).position() - velocity) < 1e-3f);
        CHECK(length(world.body(body).position() - world.body(ground).position() - stood) < 1e-3f);
        world.body(ground).set_velocity({});  // what rises flies on, for 1.2 s at most
        test::run(world, 120);
        CHECK(length(world.body(body).position() - world.body(ground).position() - stood) < 1e-3f);
    }
}

TEST_CASE("what rests on any joint of tiles stays where it is for a thousand steps") {
    test::Random random;
    for (int i = 0; i < test::many / 5000; ++i) {
        World world({.gravity = {0.0f, -10.0f}});
        TileMapRef map = test::add_tile_map(world, {}, {.friction = 2.0f});
        map.fill({{-9, -3}, {9, -2}}, 1);
        for (int x = -9; x <= 9; ++x)
            map.set({x, -1}, static_cast<TileId>(random.integer(0, test::grounded)));
        map.fill({{-10, -3}, {-10, 5}}, 1);
        map.fill({{10, -3}, {10, 5}}, 1);
        const Shape shape = test::random_mover(random, random.uniform(0.1f, 1.5f));
        const BodyId body = world.create_body({.position = {random.uniform(-8.0f, 8.0f), 2.0f}},
                                              shape, {.friction = 2.0f});
        test::run(world, 300);
        const Vec2 before = world.body(body).position();
        test::run(world, test::is_fast_build ? 1000 : 100);
        CAPTURE(i);
        CHECK(length(world.body(body).position() - before) < 1e-4f);
        int contacts = 0;
        world.for_each_touching(body, [&](BodyId) { ++contacts; });
        CHECK(contacts >= 1);
    }
}

TEST_CASE("a body that rests on many tiles in a corner has one contact a direction") {
    for (const float half : {0.3f, 2.3f, 6.4f}) {
        World world({.gravity = {-10.0f, -10.0f}});
        TileMapRef map = test::add_tile_map(world);
        map.fill({{-1, -1}, {20, -1}}, test::full);
        map.fill({{-1, 0}, {-1, 20}}, test::full);
        const Corner corner(world, half);
        CHECK(corner.with_floor == 1);
        CHECK(corner.with_wall == 1);
    }
}

TEST_CASE("a body across full tiles, half tiles and a box beside them has one contact with each") {
    World world({.gravity = {-10.0f, -10.0f}});
    TileMapRef map = test::add_tile_map(world);
    map.fill({{-1, -1}, {1, -1}}, test::full);
    map.fill({{-1, 0}, {-1, 20}}, test::full);
    map.define(20, {.shape = {{0.0f, 0.5f}, {1.0f, 0.5f}, {1.0f, 1.0f}, {0.0f, 1.0f}}});
    map.fill({{2, -1}, {4, -1}}, 20);
    world.create_body({.type = BodyType::Static, .position = {7.0f, -0.5f}}, Box{{2.0f, 0.5f}});
    const Corner corner(world, 3.3f);
    CHECK(corner.with_floor == 3);
    CHECK(corner.with_wall == 1);
}

TEST_CASE("bodies fall on a tile map as on a box a tile, bit for bit") {
    World on_boxes = scenes::build(scenes::tiles(1'000));
    World on_map = scenes::build(scenes::tile_map(1'000));
    REQUIRE(on_map.body_count() < on_boxes.body_count() - 2'000);
    REQUIRE(on_map.moving_count() == on_boxes.moving_count());
    int different = 0;
    for (int i = 0; i < 200; ++i) {
        on_boxes.step();
        on_map.step();
        for (std::size_t k = 0; k < on_map.moving_count(); ++k) {
            if (on_map.positions()[k] != on_boxes.positions()[k]) ++different;
            if (on_map.velocities()[k] != on_boxes.velocities()[k]) ++different;
        }
    }
    CHECK(different == 0);
    CHECK(on_map.stats().contacts == 1'000);
}

TEST_CASE(
    "what stands in a hole that is filled comes out on top, and beside a tile set on a floor") {
    for (const float size : {0.4f, 0.6f, 0.8f, 1.0f}) {
        for (const bool is_round : {false, true}) {
            for (const bool is_hole : {true, false}) {
                CAPTURE(size);
                CAPTURE(is_round);
                CAPTURE(is_hole);
                World world({.gravity = {0.0f, -10.0f}});
                const BodyId id = world.create_tile_map();
                TileMapRef map = world.tile_map(id);
                map.define(1);
                map.fill({{-8, -3}, {8, is_hole ? 0 : -1}}, 1);
                map.set({0, 0}, 0);
                const float half = 0.5f * size;
                const Shape shape = is_round ? Shape(Circle{half}) : Shape(Box{{half, half}});
                const BodyId body = world.create_body({.position = {0.5f, half}}, shape);
                for (int i = 0; i < 30; ++i) world.step();
                map.set({0, 0}, 1);
                float fastest = 0.0f;
                for (int i = 0; i < 120; ++i) {
                    world.step();
                    fastest = std::fmax(fastest, length(world.body(body).velocity()));
                }
                const Vec2 place = world.body(body).position();
                const float aside = std::fabs(place.x - 0.5f);
                CHECK(aside == doctest::Approx(is_hole ? 0.0f : 0.5f + half).epsilon(0.01));
                CHECK(place.y == doctest::Approx(is_hole ? 1.0f + half : half).epsilon(0.01));
                CHECK(fastest < 4.0f);
            }
        }
    }
}

TEST_CASE("a tall body or mover comes out aside where a tile is set at its feet") {
    for (const float half_height : {1.02f, 1.3f, 2.2f}) {
        for (const float x : {0.1f, 0.4f, 0.7f}) {
            for (const bool is_round : {false, true}) {
                CAPTURE(half_height);
                CAPTURE(x);
                CAPTURE(is_round);
                const Shape shape = is_round ? Shape(Capsule{half_height - 0.3f, 0.3f})
                                             : Shape(Box{{0.3f, half_height}});
                World world({.gravity = {0.0f, -10.0f}});
                TileMapRef map = test::add_tile_map(world);
                map.fill({{-8, -3}, {8, -1}}, test::full);
                const Vec2 start{x, half_height};
                const BodyId body = world.create_body({.position = start}, shape);
                Mover mover{.shape = shape, .position = start, .filter = {.except = body}};
                map.set({0, 0}, test::full);
                for (int i = 0; i < 60; ++i) {
                    world.step();
                    move(world, mover, {0.0f, -1.0f}, 1.0f / 60.0f);
                    CHECK_FALSE(mover.crush);
                }
                const Vec2 aside{x < 0.5f ? -0.3f : 1.3f, half_height};
                CHECK(length(world.body(body).position() - aside) < 0.02f);
                CHECK(length(mover.position - aside) < 0.02f);
            }
        }
    }
}

TEST_CASE("what is deep in the upper end of a slope and the flat beyond comes out, tall or wide") {
    for (const Vec2 half : {Vec2{0.4f, 0.4f}, {0.2f, 0.8f}, {0.6f, 0.3f}, {0.1f, 0.5f}}) {
        for (const float side : {1.0f, -1.0f}) {
            for (int i = 0; i < 24; ++i) {
                const Vec2 start{side * (0.5f + 0.13f * static_cast<float>(i % 6)),
                                 0.55f + 0.12f * static_cast<float>(i / 6)};
                CAPTURE(half.x);
                CAPTURE(start.x);
                CAPTURE(start.y);
                World world({.gravity = {0.0f, -10.0f}});
                TileMapRef map = test::add_tile_map(world);
                map.fill({{-8, -2}, {7, -1}}, test::full);
                map.fill(side > 0.0f ? TileRect{{1, 0}, {7, 0}} : TileRect{{-8, 0}, {-2, 0}},
                         test::full);
                map.set({side > 0.0f ? 0 : -1, 0},
                        side > 0.0f ? test::rising_slope : test::falling_slope);
                const BodyId body = world.create_body({.position = start}, Box{half});
                Mover mover{.shape = Box{half}, .position = start, .filter = {.except = body}};
                for (int k = 0; k < 120; ++k) {
                    world.step();
                    move(world, mover, {0.0f, -1.0f}, 1.0f / 60.0f);
                }
                const Vec2 inner = half - Vec2{0.03f, 0.03f};
                for (const Vec2 end : {world.body(body).position(), mover.position}) {
                    CHECK_FALSE(world.any_overlap(aabb_around(end, inner), {.except = body}));
                }
            }
        }
    }
}

TEST_CASE("what falls along a tile does not get into a slope that meets it in a corner alone") {
    const Shape shapes[] = {Box{{0.12f, 0.17f}}, Circle{0.15f}, RoundedBox{{0.1f, 0.2f}, 0.05f}};
    for (const Shape& shape : shapes) {
        for (const float side : {1.0f, -1.0f}) {
            for (const float fall : {10.0f, 20.0f, 40.0f, 76.0f}) {
                for (const float inwards : {0.0f, 0.5f, 1.7f, 5.0f}) {
                    for (const float gap : {0.0f, 0.001f, 0.01f, 0.04f}) {
                        CAPTURE(shape.radius);
                        CAPTURE(side);
                        CAPTURE(fall);
                        CAPTURE(inwards);
                        CAPTURE(gap);
                        World world({.gravity = {}});
                        TileMapRef map = test::add_tile_map(world);
                        const bool is_right = side > 0.0f;
                        map.set({is_right ? -1 : 0, 0}, test::full);
                        map.set({is_right ? 0 : -1, -1},
                                is_right ? test::falling_slope : test::rising_slope);
                        const float x = outer_half_extents(shape).x + gap;
                        const BodyId body = world.create_body(
                            {.position = {side * x, 0.9f}, .velocity = {-side * inwards, -fall}},
                            shape, {.friction = 0.0f});
                        for (int i = 0; i < 8; ++i) {
                            world.step();
                            const Vec2 place = world.body(body).position();
                            const bool is_beside = side * place.x > 1.0f;
                            CHECK((is_beside || place.y > -side * place.x));
                        }
                    }
                }
            }
        }
    }
}

TEST_CASE("a half tile pushes a body out of its nearer side, whatever lies beyond the gap there") {
    for (const Vec2 out :
         {Vec2{0.0f, 1.0f}, Vec2{0.0f, -1.0f}, Vec2{1.0f, 0.0f}, Vec2{-1.0f, 0.0f}}) {
        for (const bool has_ceiling : {false, true}) {
            CAPTURE(out);
            CAPTURE(has_ceiling);
            const Vec2 middle{0.5f, 0.5f};
            const AABB whole{middle - Vec2{0.5f, 0.5f}, middle + Vec2{0.5f, 0.5f}};
            AABB half = whole;  // without the half towards `out`
            (out.x + out.y > 0.0f ? half.max : half.min) -= out * 0.5f;
            World world({.gravity = {}});
            TileMapRef map = test::add_tile_map(world);
            constexpr TileId slab = 20;
            map.define(slab, {.shape = Polygon(half)});
            map.set({0, 0}, slab);
            if (has_ceiling) {
                map.set({static_cast<int>(out.x), static_cast<int>(out.y)}, test::full);
            }
            const BodyId body = world.create_body({.position = middle - out * 0.24f}, Circle{0.2f});
            for (int i = 0; i < 60; ++i) world.step();
            CHECK(dot(world.body(body).position() - middle, out) ==
                  doctest::Approx(0.2f).epsilon(0.02));
        }
    }
}

TEST_CASE("what stands at the end of a ledge comes out of a tile set at the corner of that") {
    test::Random random(131);
    for (int run = 0; run < 40; ++run) {
        const Turn turn(random);
        const float overlap = random.uniform(0.01f, 0.45f);
        const Vec2 half{0.26f, 0.47f};
        const Vec2 place{1.0f - overlap + half.x, half.y + 0.0005f};
        const Shape box = Box{abs(turn.point(half))};
        World world({.gravity = {}});
        TileMapRef map = test::add_tile_map(world);
        map.set(turn.tile(1, -1), test::full);
        const BodyId body = world.create_body({.position = turn.point(place)}, box);
        Mover mover{.shape = box,
                    .position = turn.point(place),
                    .up = turn.point({0.0f, 1.0f}),
                    .filter = {.except = body}};
        map.set(turn.tile(0, 0), test::full);
        for (int i = 0; i < 30; ++i) {
            world.step();
            move(world, mover, {}, world.config().time_step);
        }
        CAPTURE(overlap);
        for (const Vec2 now : {world.body(body).position(), mover.position}) {
            CHECK(dot(now, turn.point({1.0f, 0.0f})) > 1.0f + half.x - 0.01f);
            CHECK(dot(now, turn.point({0.0f, 1.0f})) == doctest::Approx(place.y).epsilon(0.01));
        }
    }
}

}  // namespace tile_map_test

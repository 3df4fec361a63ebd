// SPDX-License-Identifier: MIT
// Does a mover seen from above, with no `up`, go in all directions alike?
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "../support/movers.hpp"
#include "../support/random.hpp"

namespace mover_above_test {

using namespace phys2d;

namespace {

constexpr float dt = 1.0f / 60.0f;

/// Some quarter turns to the left.
struct Turns {
    int count = 0;

    [[nodiscard]] Vec2 operator()(Vec2 v) const {
        for (int i = 0; i < count; ++i) v = perpendicular(v);
        return v;
    }
    [[nodiscard]] Vec2 back(Vec2 v) const { return Turns{4 - count}(v); }
    [[nodiscard]] Shape operator()(Shape shape) const {
        if (count % 2 != 0) shape.half_extents = {shape.half_extents.y, shape.half_extents.x};
        return shape;
    }
};

/// A walled room, 12 m wide, with boxes, rounded ones and triangles in it, turned as a whole.
World random_room(test::Random& random, Turns turned) {
    World world({.gravity = {}});
    const auto add = [&](Vec2 place, const auto& shape) {
        world.create_body({.type = BodyType::Static, .position = turned(place)}, shape);
    };
    for (int side = 0; side < 4; ++side) {
        add(Turns{side}({0.0f, -6.5f}), turned(Turns{side}(Shape(Box{{6.5f, 0.5f}}))));
    }
    for (int i = 0; i < 25; ++i) {
        const Vec2 place = random.point(5.5f);
        const Vec2 half{random.uniform(0.2f, 1.0f), random.uniform(0.2f, 1.0f)};
        const float lean = random.uniform(-0.5f, 0.5f);
        const int kind = random.integer(0, 2);
        if (length(place) < 2.0f) continue;
        if (kind == 0) add(place, turned(Shape(Box{half})));
        if (kind == 1) add(place, turned(Shape(RoundedBox{half, 0.2f})));
        if (kind == 2) {
            add(place, Polygon{turned({-half.x, 0.0f}), turned({half.x, 0.2f * lean}),
                               turned({lean, half.y + 0.5f})});
        }
    }
    return world;
}

/// The way of a mover from the middle of a random room, turned back. Where a game leaves it to its
/// velocity, that follows the wish slowly.
std::vector<Vec2> way_in_room(std::uint64_t seed, Turns turned, bool has_momentum) {
    test::Random random(seed);
    World world = random_room(random, turned);
    Mover mover{.shape = turned(test::random_mover(random, 0.45f)), .up = {}};
    std::vector<Vec2> way;
    Vec2 wish{}, velocity{};
    for (int i = 0; i < 400; ++i) {
        if (i % 20 == 0) wish = random.point(6.0f);
        if (i % 60 == 0) wish.y = 0.0f;
        velocity = lerp(velocity, turned(wish), has_momentum ? 0.1f : 1.0f);
        velocity = move(world, mover, velocity, dt);
        CHECK_FALSE(mover.ground.is_grounded);
        CHECK_FALSE(mover.ceiling);
        way.push_back(turned.back(mover.position));
    }
    return way;
}

}  // namespace

TEST_CASE("seen from above, a mover goes in a turned room the turned way, bit for bit") {
    for (std::uint64_t seed = 1; seed <= test::many / 20'000; ++seed) {
        CAPTURE(seed);
        for (const bool has_momentum : {false, true}) {
            const std::vector<Vec2> way = way_in_room(seed, {}, has_momentum);
            for (int turns = 1; turns < 4; ++turns)
                CHECK(way_in_room(seed, {turns}, has_momentum) == way);
        }
    }
}

TEST_CASE("seen from above, a mover keeps beside any wall what goes along that") {
    for (int turns = 0; turns < 4; ++turns) {
        const Turns turned{turns};
        World world({.gravity = {}});
        world.create_body({.type = BodyType::Static, .position = turned({0.0f, -1.0f})},
                          turned(Shape(Box{{20.0f, 0.5f}})));
        Mover mover{.shape = Circle{0.4f}, .up = {}};
        Vec2 left{};
        for (int i = 0; i < 60; ++i) left = move(world, mover, turned({3.0f, -2.0f}), dt);
        CHECK(left == turned({3.0f, 0.0f}));
        CHECK(turned.back(mover.position).x == doctest::Approx(3.0f));
        CHECK(mover.wall.normal == turned({0.0f, 1.0f}));
    }
}

TEST_CASE("seen from above, a mover pushes a row of crates along a corridor in each direction") {
    for (int turns = 0; turns < 4; ++turns) {
        CAPTURE(turns);
        const Turns turned{turns};
        World world({.gravity = {}});
        for (const float side : {-1.0f, 1.0f}) {
            world.create_body({.type = BodyType::Static, .position = turned({0.0f, side})},
                              turned(Shape(Box{{20.0f, 0.5f}})));
        }
        std::vector<BodyId> crates;
        for (const float x : {2.0f, 3.0f, 4.0f}) {
            crates.push_back(world.create_body(
                {.position = turned({x, 0.0f}), .linear_damping = 4.0f}, Box{{0.48f, 0.48f}}));
        }
        Mover mover{.shape = Circle{0.4f}, .up = {}};
        for (int i = 0; i < 240; ++i) {
            world.step();
            move(world, mover, turned({2.0f, 0.0f}), dt);
        }
        CHECK(turned.back(mover.position).x > 6.5f);
        for (const BodyId crate : crates) {
            const Vec2 place = turned.back(world.body(crate).position());
            CHECK(place.x > turned.back(mover.position).x + 0.85f);
            CHECK(std::fabs(place.y) < 0.021f);
        }
    }
}

TEST_CASE("seen from above, a wall that comes pushes a mover, from whichever side") {
    for (int turns = 0; turns < 4; ++turns) {
        const Turns turned{turns};
        World world({.gravity = {}});
        const BodyId wall = world.create_body({.type = BodyType::Kinematic,
                                               .position = turned({-1.0f, 0.0f}),
                                               .velocity = turned({3.0f, 0.0f})},
                                              turned(Shape(Box{{0.5f, 2.0f}})));
        Mover mover{.shape = Circle{0.4f}, .up = {}};
        for (int i = 0; i < 60; ++i) {
            world.step();
            move(world, mover, turned({0.0f, 1.0f}), dt);
        }
        const Vec2 place = turned.back(mover.position);
        const Vec2 side = turned.back(world.body(wall).position()) + Vec2{0.9f, 0.0f};
        CHECK(place.x == doctest::Approx(side.x).epsilon(0.001));
        CHECK(place.y == doctest::Approx(1.0f));
    }
}

TEST_CASE("seen from above, one-way sides let a mover pass from behind alone") {
    const OneWay sides[] = {OneWay::Right, OneWay::Up, OneWay::Left, OneWay::Down};
    for (int turns = 0; turns < 4; ++turns) {
        const Turns turned{turns};
        World world({.gravity = {}});
        world.create_body({.type = BodyType::Static}, turned(Shape(Box{{0.2f, 2.0f}})), {},
                          {.one_way = sides[turns]});
        Mover mover{.shape = Circle{0.4f}, .position = turned({-1.0f, 0.0f}), .up = {}};
        for (int i = 0; i < 60; ++i) move(world, mover, turned({2.0f, 0.0f}), dt);
        CHECK(turned.back(mover.position).x == doctest::Approx(1.0f).epsilon(0.001));
        mover.drop_through();  // which is for ground
        for (int i = 0; i < 60; ++i) move(world, mover, turned({-2.0f, 0.0f}), dt);
        CHECK(turned.back(mover.position).x == doctest::Approx(0.6f).epsilon(0.002));
    }
}

TEST_CASE("seen from above, a mover in a slope is held alike, whichever way the tiles lie") {
    for (int turns = 0; turns < 4; ++turns) {
        const Turns turned{turns};
        const Vec2 middle{0.5f, 0.5f};
        const auto in_tile = [&](Vec2 place) { return middle + turned(place - middle); };
        World world({.gravity = {}});
        TileMapRef map = world.tile_map(world.create_tile_map());
        const Polygon slope{in_tile({0.0f, 0.0f}), in_tile({1.0f, 0.0f}), in_tile({1.0f, 1.0f})};
        map.define(1, {.shape = slope});
        map.define(2);
        map.set({0, 0}, 1);
        map.set(map.tile_at(in_tile({1.5f, 0.5f})), 2);
        Mover mover{.shape = Circle{0.3f}, .position = in_tile({0.874f, 0.653f}), .up = {}};
        const Vec2 start = mover.position;
        move(world, mover, turned({-0.29f, -1.82f}), dt);
        CHECK(mover.crush);
        CHECK(mover.position == start);
    }
}

TEST_CASE("a mover whose up is neither of length 1 nor none is refused in words") {
    World world;
    for (const Vec2 up : {Vec2{0.0f, 0.5f}, Vec2{1.0f, 1.0f}, Vec2{1e-20f, 0.0f}}) {
        Mover mover{.up = up};
        CHECK_THROWS_WITH_AS((void)move(world, mover, {1.0f, 0.0f}, dt),
                             doctest::Contains("expected a vector of length 1, or of 0 if seen"),
                             Error);
        CHECK(mover.position == Vec2{});
    }
}

}  // namespace mover_above_test

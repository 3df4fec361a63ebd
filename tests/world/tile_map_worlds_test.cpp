// SPDX-License-Identifier: MIT
// Are worlds with tiles values, the same at every width, in every unit and in a mirror, and cheap
// to edit? SCENES [21] [29] [34]
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "support/random.hpp"
#include "support/step_widths.hpp"
#include "support/tiles.hpp"

namespace tile_map_worlds_test {

using namespace phys2d;

namespace {

/// A pit of tiles of all kinds with bodies in it; mirrored, or in other units, if wanted.
struct Pit {
    World world;
    BodyId map{};
    std::vector<BodyId> bodies;

    explicit Pit(float unit = 1.0f, float side = 1.0f, bool has_slopes = true)
        : world({.gravity = {0.0f, -10.0f * unit}, .length_unit = unit, .time_to_sleep = 0.5f}) {
        test::Random random;
        map = world.create_tile_map({.tile_size = unit});
        TileMapRef ref = world.tile_map(map);
        for (TileId id = 1; id <= test::tile_kinds; ++id) {
            ref.define(id, {.shape = side > 0.0f ? test::tile_shapes[id]
                                                 : mirrored(test::tile_shapes[id])});
        }
        const auto set = [&](int x, int y, int id) {
            ref.set({side > 0.0f ? x : -1 - x, y}, static_cast<TileId>(id));
        };
        for (int x = -9; x <= 8; ++x) {
            for (int y = -2; y <= 12; ++y) {
                const bool is_wall = x == -9 || x == 8 || y < 0;
                if (is_wall) set(x, y, 1);
                if (!is_wall && y < 3 && random.one_in(3)) {
                    const int flat = random.one_in(2) ? test::full : test::half_tile;
                    set(x, y, has_slopes ? random.integer(1, test::tile_kinds) : flat);
                }
            }
        }
        for (int i = 0; i < 40; ++i) {
            const Vec2 place{random.uniform(-7.0f, 7.0f), random.uniform(4.0f, 12.0f)};
            const float half = random.uniform(0.1f, 0.5f) * unit;
            const Vec2 velocity = random.point(9.0f);
            const BodyDef def{.position = Vec2{place.x * side, place.y} * unit,
                              .velocity = Vec2{velocity.x * side, velocity.y} * unit};
            bodies.push_back(world.create_body(
                def, i % 2 == 0 ? Shape(Box{{half, half}}) : Shape(Circle{half})));
        }
    }
    static Polygon mirrored(const Polygon& shape) {
        Vec2 vertices[Polygon::capacity];
        for (std::size_t i = 0; i < shape.size(); ++i) {
            const Vec2 vertex = shape.vertex(shape.size() - 1 - i);
            vertices[i] = {1.0f - vertex.x, vertex.y};
        }
        return Polygon(Span<const Vec2>(vertices, shape.size()));
    }
    /// Digs in the ground, one tile a step.
    template <int Lanes = PHYS2D_LANES>
    void step(int count, int first = 0) {
        for (int i = first; i < first + count; ++i) {
            if (i % 3 == 0) {
                const TileCoord tile{7 * i % 16 - 8, 5 * i % 3};
                TileMapRef ref = world.tile_map(map);
                ref.set(tile, ref.at(tile) == 1 ? TileId{0} : TileId{1});
            }
            world.step<Lanes>();
        }
    }
};

}  // namespace

TEST_CASE("a world with tiles that is copied, and assigned back, goes on to the same bits") {
    Pit pit;
    pit.step(100);
    World saved = pit.world;
    pit.step(203, 100);
    const std::uint64_t hash = pit.world.state_hash();
    CHECK(saved.state_hash() != hash);
    pit.world = saved;
    pit.step(203, 100);
    CHECK(pit.world.state_hash() == hash);
    CHECK(pit.world.tile_map(pit.map).grid().tile_count() !=
          saved.tile_map(pit.map).grid().tile_count());
}

TEST_CASE(
    "what is kept to save work is forgotten where tiles change, and the same bits come about") {
    test::Random random;
    for (int run = 0; run < 60; ++run) {
        CAPTURE(run);
        World world({.gravity = {}});
        const BodyId cave = world.create_tile_map({.type = BodyType::Kinematic});
        world.body(cave).set_velocity(random.point(0.5f));
        TileMapRef tiles = world.tile_map(cave);
        tiles.define('#');
        tiles.fill({{0, 0}, {10, 10}}, '#');
        tiles.fill({{1, 1}, {9, 9}}, 0);
        for (int i = 0; i < 12; ++i) {
            (void)world.create_body(
                {.position = Vec2{5.0f, 5.0f} + random.point(3.5f), .velocity = random.point(1.0f)},
                Circle{random.uniform(0.1f, 0.4f)});
        }
        World forgets = world;
        for (int step = 0; step < 200; ++step) {
            const TileCoord tile{random.integer(1, 8), random.integer(1, 8)};
            for (World* const edited : {&world, &forgets}) {
                TileMapRef ref = edited->tile_map(cave);
                ref.set(tile, ref.at(tile) == '#' ? 0 : '#');
            }
            world.step();
            const World copy = forgets;
            forgets = copy;
            forgets.step();
            REQUIRE(world.state_hash() == forgets.state_hash());
        }
    }
}

TEST_CASE("tiles and what moves among them are the same bits at every number of lanes") {
    Pit one, four, eight;
    for (int i = 0; i < 300; ++i) {
        one.step<1>(1, i);
        four.step<4>(1, i);
        eight.step<8>(1, i);
        REQUIRE(one.world.state_hash() == four.world.state_hash());
        REQUIRE(one.world.state_hash() == eight.world.state_hash());
    }
}

TEST_CASE("among tiles in other units of length a world goes the same way, bit for bit") {
    for (const float unit : {1.0f / 128.0f, 128.0f}) {
        Pit plain, scaled(unit);
        plain.step(300);
        scaled.step(300);
        for (std::size_t i = 0; i < plain.bodies.size(); ++i) {
            const Vec2 expected = plain.world.body(plain.bodies[i]).position() * unit;
            REQUIRE(scaled.world.body(scaled.bodies[i]).position() == expected);
        }
    }
}

TEST_CASE("among mirrored full and half tiles a body goes the mirrored way") {
    for (std::size_t only = 0; only < 40; ++only) {
        Pit plain(1.0f, 1.0f, false), mirror(1.0f, -1.0f, false);
        for (std::size_t i = 0; i < 40; ++i) {
            if (i == only) continue;
            plain.world.destroy_body(plain.bodies[i]);
            mirror.world.destroy_body(mirror.bodies[i]);
        }
        for (int i = 0; i < 300; ++i) {
            plain.world.step();
            mirror.world.step();
        }
        const Vec2 at = plain.world.body(plain.bodies[only]).position();
        const Vec2 mirrored = mirror.world.body(mirror.bodies[only]).position();
        CHECK(length(at - Vec2{-mirrored.x, mirrored.y}) < 1e-5f);
    }
}

TEST_CASE("one edit a step in a million tiles leaves the pairs of a hundred bodies alone") {
    World world({.gravity = {0.0f, -10.0f}});
    TileMapRef map = test::add_tile_map(world);
    map.fill({{-500, -1000}, {499, -1}}, 1);
    for (int i = 0; i < 100; ++i) {
        world.create_body({.position = {static_cast<float>(9 * i - 450), 0.45f}},
                          Box{{0.4f, 0.4f}});
    }
    for (int i = 0; i < 30; ++i) world.step();
    int rebuilt = 0;
    for (int i = 0; i < 300; ++i) {
        map.set({(37 * i) % 900 - 450, -1 - i % 5}, static_cast<TileId>(i % 2));
        world.step();
        rebuilt += world.stats().pairs_rebuilt ? 1 : 0;
    }
    CHECK(map.grid().tile_count() > 999'000);
    CHECK(rebuilt < 30);
}

}  // namespace tile_map_worlds_test

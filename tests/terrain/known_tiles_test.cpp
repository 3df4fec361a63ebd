// SPDX-License-Identifier: MIT
// Are the faces that are known of tiles those that the tiles have, and are they made only once?
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "../support/random.hpp"
#include "../support/tiles.hpp"

namespace known_tiles_test {

using namespace phys2d;
using detail::Face;
using detail::KnownTiles;
using detail::Pinching;

namespace {

constexpr float dt = 1.0f / 60.0f;

/// Faces that tell by their length from where they are.
class Source {
public:
    int times_made = 0;

    /// Those of a row that begins at x, which has x faces.
    std::vector<float> ask(KnownTiles& known, int x) {
        const auto make = [&](auto add) {
            ++times_made;
            for (int i = 0; i < x; ++i) {
                add(Face{.length = static_cast<float>(100 * x + i)}, std::uint16_t{1});
            }
        };
        const KnownTiles::Source row{{{x, 0}, {x + 2, 0}}, Pinching::No, 1.0f, 7, 8};
        std::vector<float> lengths;
        for (const auto& [face, id] : known.faces_of(row, make)) {
            lengths.push_back(face.length);
        }
        return lengths;
    }
};

std::vector<float> expected(int x) {
    std::vector<float> lengths;
    for (int i = 0; i < x; ++i) lengths.push_back(static_cast<float>(100 * x + i));
    return lengths;
}

/// A level of random tiles, with a lid of a map of its own that moves.
struct Level {
    World world{{.gravity = {0.0f, -10.0f}}};
    BodyId ground, lid;

    Level(test::Random random, float tile_size) {
        ground = test::add_tile_map(world, {.tile_size = tile_size}).id();
        TileMapRef tiles = world.tile_map(ground);
        tiles.fill({{-1, -1}, {16, 12}}, test::full);
        tiles.fill({{0, 0}, {15, 11}}, 0);
        for (int i = 0; i < 40; ++i) set_one(random);
        const TileMapDef moving{.type = BodyType::Kinematic, .position = {5.0f, 3.0f}};
        lid = test::add_tile_map(world, moving).id();
        world.tile_map(lid).fill({{0, 0}, {2, 0}}, test::full);
    }

    void set_one(test::Random& random) {
        const TileCoord place{random.integer(0, 15), random.integer(0, 11)};
        const int id = random.one_in(2) ? 0 : random.integer(1, test::tile_kinds);
        world.tile_map(ground).set(place, static_cast<TileId>(id));
    }
    void change_a_kind(test::Random& random) {
        TileMapRef tiles = world.tile_map(ground);
        const auto id = static_cast<TileId>(random.integer(2, test::tile_kinds));
        ColliderDef def = world.collider(tiles.collider(id)).def();
        if (random.one_in(2)) {
            def.one_way = random.one_in(2) ? OneWay::Up : OneWay::No;
        } else {
            def.is_sensor = random.one_in(4);
        }
        world.collider(tiles.collider(id)).set_def(def);
    }
    void change(test::Random& random) {
        if (random.one_in(3)) set_one(random);
        if (random.one_in(20)) change_a_kind(random);
        if (random.one_in(20)) world.body(ground).teleport({random.one_in(2) ? 0.0f : 0.25f, 0.0f});
        if (random.one_in(20))
            world.body(lid).set_velocity(Vec2{random.uniform(-2.0f, 2.0f), 0.5f});
        world.step();
    }
};

}  // namespace

TEST_CASE("faces of tiles are made once for each of a few rectangles, in any order") {
    KnownTiles known;
    Source source;
    for (const int x : {3, 4, 0, 9, 4, 3, 9, 0, 4}) CHECK(source.ask(known, x) == expected(x));
    CHECK(source.times_made == 4);
}

TEST_CASE("faces of tiles are right however many rectangles were asked for, and few are kept") {
    KnownTiles known;
    Source source;
    test::Random random;
    for (int i = 0; i < 1'000; ++i) {
        const int x = random.integer(0, 12);
        REQUIRE(source.ask(known, x) == expected(x));
    }
    CHECK(source.times_made > 500);
    CHECK(source.times_made < 900);
}

TEST_CASE("each thing that faces of tiles depend on makes them anew") {
    const auto with = [](TileRect rect, Pinching pinching, float size, int tiles, int kinds) {
        return KnownTiles::Source{rect, pinching, size, static_cast<std::uint64_t>(tiles),
                                  static_cast<std::uint64_t>(kinds)};
    };
    const TileRect rect{{0, 0}, {2, 1}};
    const KnownTiles::Source all[] = {
        with(rect, Pinching::No, 1.0f, 7, 8),  with({{0, 0}, {2, 2}}, Pinching::No, 1.0f, 7, 8),
        with(rect, Pinching::Yes, 1.0f, 7, 8), with(rect, Pinching::No, 0.5f, 7, 8),
        with(rect, Pinching::No, 1.0f, 6, 8),  with(rect, Pinching::No, 1.0f, 7, 9)};
    for (const KnownTiles::Source& source : all) {
        KnownTiles known;
        int times_made = 0;
        const auto make = [&](auto) { ++times_made; };
        (void)known.faces_of(all[0], make);
        (void)known.faces_of(source, make);
        CHECK(times_made == (source == all[0] ? 1 : 2));
    }
}

TEST_CASE("a mover that knows the tiles around it goes as one that sees them for the first time") {
    test::Random random;
    int grounded = 0;
    for (int game = 0; game < test::many / 50'000; ++game) {
        CAPTURE(game);
        std::vector<Level> levels;  // visited in turn; alike at first, but for their tile size
        for (const float tile_size : {1.0f, 1.0f, 0.9f}) levels.emplace_back(random, tile_size);
        Mover mover{.shape = Box{{0.3f, 0.45f}}, .position = {6.0f, 5.0f}};
        Vec2 velocity{};
        std::size_t at = 0;
        for (int i = 0; i < 600; ++i) {
            if (random.one_in(10)) at = static_cast<std::size_t>(random.integer(0, 2));
            World& world = levels[at].world;
            if (i > 60) levels[at].change(random);
            if (random.one_in(20)) velocity = random.point(6.0f);
            velocity.y -= 10.0f * dt;
            Mover first = mover;
            first.known_tiles = {};
            World same = world;
            const Vec2 left = move(same, first, velocity, dt);
            velocity = move(world, mover, velocity, dt);
            REQUIRE(velocity == left);
            REQUIRE(mover.position == first.position);
            REQUIRE(mover.ground.distance_to_edge == first.ground.distance_to_edge);
            REQUIRE(mover.ground.collider == first.ground.collider);
            REQUIRE(mover.wall.collider == first.wall.collider);
            REQUIRE(mover.crush.is_crushed == first.crush.is_crushed);
            grounded += mover.ground.is_grounded ? 1 : 0;
            const AABB room{{0.5f, 0.5f}, {12.0f, 9.0f}};
            if (mover.crush || !contains(room, mover.position)) mover.teleport({6.0f, 5.0f});
        }
    }
    CHECK(grounded > 100);
}

}  // namespace known_tiles_test

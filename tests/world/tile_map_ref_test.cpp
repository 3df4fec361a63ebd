// SPDX-License-Identifier: MIT
// Do tile maps of a world answer, change and tell what they should, at every moment? SCENES [24]
// [25]
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "bad_input.hpp"
#include "support/movers.hpp"
#include "support/tiles.hpp"

namespace tile_map_ref_test {

using namespace phys2d;

namespace {

/// A floor of full tiles whose top is at y 0, and a box on it.
struct Standing {
    World world{{.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.5f}};
    BodyId map = test::add_tile_map(world).id();
    BodyId box{};
    int began = 0, ended = 0;

    explicit Standing(int steps) {
        world.tile_map(map).fill({{-20, -2}, {20, -1}}, 1);
        box = world.create_body({.position = {0.5f, 0.4f}, .user_data = 7}, Box{{0.4f, 0.4f}});
        step(steps);
    }
    void step(int count) {
        for (; count > 0; --count) {
            world.step();
            began += static_cast<int>(world.events().began.size());
            ended += static_cast<int>(world.events().ended.size());
        }
    }
    [[nodiscard]] float height() const { return world.body(box).position().y; }
};

void run(World& world, int steps) {
    for (; steps > 0; --steps) world.step();
}

/// The books of contacts and visits: each beginning has one end.
struct Books {
    using Key = std::pair<std::uint64_t, std::uint64_t>;
    std::set<Key> open, visits;
    int began = 0, wrong = 0;

    static std::uint64_t name(ColliderId id) {
        return std::uint64_t{id.generation} << 32 | id.index;
    }
    static Key key(const ContactEvent& event) {
        return std::minmax(name(event.collider_a), name(event.collider_b));
    }
    static Key key(const SensorEvent& event) {
        return {name(event.sensor_collider), name(event.visitor_collider)};
    }
    void keep(const Events& events) {
        for (const auto& event : events.ended) wrong += open.erase(key(event)) == 1 ? 0 : 1;
        for (const auto& event : events.began) wrong += open.insert(key(event)).second ? 0 : 1;
        for (const auto& event : events.sensor_ended) wrong += visits.erase(key(event)) ? 0 : 1;
        for (const auto& event : events.sensor_began)
            wrong += visits.insert(key(event)).second ? 0 : 1;
        began += static_cast<int>(events.began.size() + events.sensor_began.size());
    }
};

}  // namespace

TEST_CASE("the nearest tile of a kind is the one that a ray has hit, and a mover with its head") {
    World world;
    const Vec2 origin{10.0f, -5.0f};
    TileMapRef map = test::add_tile_map(
        world, {.type = BodyType::Kinematic, .position = origin, .tile_size = 2.0f});
    for (int x = 0; x < 20; x += 2) map.set({x, 3}, 1);
    map.set({1, 3}, 2);
    const ColliderId solid = map.collider(1);
    const auto place = [&](float x, float y) { return origin + Vec2{x, y} * 2.0f; };
    CHECK(map.nearest_tile(solid, place(2.5f, 2.9f)) == TileCoord{2, 3});
    CHECK(map.nearest_tile(solid, place(1.9f, 2.9f)) ==
          TileCoord{2, 3});  // of the kind, not below 1
    CHECK(map.nearest_tile(map.collider(2), place(1.9f, 2.9f)) == TileCoord{1, 3});
    CHECK(map.nearest_tile(solid, place(3.5f, 2.5f)) ==
          TileCoord{2, 3});  // equally near, the first
    CHECK(map.nearest_tile(solid, place(3.2f, 5.1f)) == TileCoord{3, 5});  // none within a tile
    CHECK(map.nearest_tile(solid, {3e38f, -3e38f}) == map.tile_at({3e38f, -3e38f}));

    for (float x = 0.1f; x < 18.0f; x += 0.37f) {
        const QueryHit hit = world.ray_cast(place(x, 0.0f), {0.0f, 20.0f});
        if (!hit) continue;
        const TileCoord tile = map.nearest_tile(hit.collider, hit.point - hit.normal * 0.01f);
        CHECK(tile == TileCoord{static_cast<int>(x), 3});
    }
    Mover hero{.shape = Capsule{0.5f, 0.3f},
               .position = place(5.95f, 2.5f)};  // a corner of its head
    (void)move(world, hero, {0.0f, 10.0f}, 0.05f);
    REQUIRE(hero.ceiling);
    const Vec2 head = hero.position + Vec2{0.0f, 0.8f};
    CHECK(map.at(map.tile_at(head + Vec2{0.0f, 0.1f})) == 0);
    CHECK(map.nearest_tile(hero.ceiling.collider, head) == TileCoord{6, 3});
}

TEST_CASE("the nearest tile of a kind is one than which none around a point is nearer") {
    test::Random random;
    World world;
    TileMapRef map = test::add_tile_map(world);
    constexpr float far_off = 9.0f;
    int inside = 0;
    for (int i = 0; i < test::many / 100; ++i) {
        const TileCoord place{random.integer(0, 9), random.integer(0, 9)};
        map.set(place, static_cast<TileId>(random.integer(0, test::tile_kinds)));
        const TileId kind = static_cast<TileId>(random.integer(1, test::tile_kinds));
        const Vec2 point = random.point(6.0f) + Vec2{5.0f, 5.0f};
        const auto distance = [&](TileCoord tile) {
            const Vec2 in_tile =
                point - Vec2{static_cast<float>(tile.x), static_cast<float>(tile.y)};
            const bool is_kind = map.at(tile) == kind;
            return is_kind ? -collide(test::tile_shapes[kind], Circle{0.0f, in_tile}).penetration
                           : far_off;
        };
        const TileCoord center = map.tile_at(point);
        float least = far_off;
        for (int y = center.y - 1; y <= center.y + 1; ++y) {
            for (int x = center.x - 1; x <= center.x + 1; ++x) least = min(least, distance({x, y}));
        }
        const TileCoord nearest = map.nearest_tile(map.collider(kind), point);
        if (least < 1.0f) CHECK(distance(nearest) < least + 1e-5f);
        if (least == far_off) CHECK((nearest == center || distance(nearest) > 1.0f));
        inside += least < 0.0f ? 1 : 0;
    }
    CHECK(inside > test::many / 10'000);
}

TEST_CASE("the tiles under a shape are those that it overlaps, wherever the map is") {
    test::Random random;
    int found = 0;
    for (int i = 0; i < test::many / 1'000; ++i) {
        World world;
        TileMapRef map = test::add_tile_map(
            world, {.position = random.point(9.0f), .tile_size = random.uniform(0.5f, 2.0f)});
        for (int k = 0; k < 60; ++k) {
            const TileId id = static_cast<TileId>(random.bits() % 11);  // two are not defined
            map.set({static_cast<int>(random.bits() % 9), static_cast<int>(random.bits() % 9)}, id);
        }
        const Shape shape = translate(test::random_mover(random, random.uniform(0.05f, 3.0f)),
                                      center(map.bounds({4, 4})) + random.point(6.0f));
        std::set<std::pair<int, int>> told;
        map.for_each_overlap(shape, [&](TileCoord tile, TileId id) {
            CHECK(map.at(tile) == id);
            CHECK(told.insert({tile.x, tile.y}).second);
        });
        map.grid().for_each_tile({{0, 0}, {8, 8}}, [&](TileCoord tile, TileId id) {
            if (!map.is_defined(id)) return;
            const Vec2 corner = map.bounds(tile).min;
            std::vector<Vec2> vertices;
            for (const Vec2 vertex : test::tile_shapes[id].vertices()) {
                vertices.push_back(corner + vertex * map.tile_size());
            }
            const float depth = collide(Polygon(vertices), shape).penetration;
            if (std::fabs(depth) > 1e-4f) CHECK((depth > 0.0f) == told.contains({tile.x, tile.y}));
        });
        found += static_cast<int>(told.size());
    }
    CHECK(found > test::many / 1'000);
}

TEST_CASE("a visit of tiles may remove them, and is not told of those that it has removed") {
    World world;
    TileMapRef map = test::add_tile_map(world);
    map.fill({{-20, 0}, {20, 9}}, test::full);
    int visits = 0;
    map.for_each_overlap(AABB{{-15.5f, 2.5f}, {15.5f, 6.5f}}, [&](TileCoord tile, TileId) {
        ++visits;
        map.set(tile, 0);
        map.set({-tile.x - 1, tile.y}, 0);  // as much on the other side
    });
    CHECK(visits == 80);
    CHECK(map.grid().tile_count() == 410 - 160);
    map.for_each_overlap(Circle{0.0f, {18.5f, 0.5f}}, [&](TileCoord tile, TileId id) {
        ++visits;
        CHECK(tile == TileCoord{18, 0});
        CHECK(id == test::full);
    });
    CHECK(visits == 81);
    const auto ignore = [](TileCoord, TileId) {};
    CHECK(test::says(test::error_of([&] { map.for_each_overlap(Circle{-1.0f}, ignore); }),
                     {"for_each_overlap: the shape's radius is -1"}));
    world.destroy_body(map.id());
    CHECK(test::says(test::error_of([&] { map.for_each_overlap(Circle{1.0f}, ignore); }),
                     {"for_each_overlap: body", "does not exist"}));
}

TEST_CASE("a tile map reads back what was set, filled, drawn and unloaded") {
    World world;
    TileMapRef ref =
        test::add_tile_map(world, {.position = {10.0f, -5.0f}, .tile_size = 0.5f, .user_data = 3});
    const BodyId map = ref.id();
    ref.set({-70, 4}, 2);
    ref.fill({{0, 0}, {3, 1}}, 1);
    CHECK(ref.at({-70, 4}) == 2);
    CHECK(ref.at({3, 1}) == 1);
    CHECK(ref.at({4, 1}) == 0);
    CHECK(ref.grid().tile_count() == 9);
    CHECK(ref.bounds({-70, 4}) == AABB{{-25.0f, -3.0f}, {-24.5f, -2.5f}});
    const TileCoord last{std::numeric_limits<std::int32_t>::max(), 4};
    CHECK(ref.bounds(last).max.x >= ref.bounds(last).min.x);
    CHECK(ref.tile_at({-24.75f, -2.75f}) == TileCoord{-70, 4});
    CHECK(ref.tile_at({9.99f, -5.01f}) == TileCoord{-1, -1});
    CHECK(ref.tile_at({1e30f, -1e30f}) == TileCoord{(1 << 22) - 1, -(1 << 22)});
    ref.unload({{-100, -100}, {1, 100}});
    CHECK(ref.grid().tile_count() == 4);
    const std::uint8_t bytes[] = {0, 2, 3, 4};
    ref.load({{0, 0}, {1, 1}}, Span<const std::uint8_t>(bytes, 4));
    CHECK(ref.at({1, 0}) == 2);
    CHECK(ref.at({0, 1}) == 3);
    ref.load(std::string("\x01.\n \x02\n"), {5, 7});
    CHECK(ref.at({5, 8}) == 1);
    CHECK(ref.at({6, 7}) == 2);
    CHECK(ref.at({6, 8}) == 0);
    CHECK(ref.is_defined(test::tile_kinds));
    CHECK_FALSE(ref.is_defined(test::tile_kinds + 1));
    CHECK(world.collider(ref.collider(2)).user_data() == 102);
    CHECK(world.collider(ref.collider(2)).body() == map);
    CHECK(world.body(map).user_data() == 3);
}

TEST_CASE("what a tile map cannot be is refused by a sentence, and nothing has changed") {
    World world;
    const BodyId map = test::add_tile_map(world).id();
    const BodyId box = world.create_body({}, Box{{0.5f, 0.5f}});
    CHECK(world.is_tile_map(map));
    CHECK_FALSE(world.is_tile_map(box));
    world.tile_map(map).fill({{0, 0}, {5, 5}}, 1);
    const std::uint64_t hash = world.state_hash();
    const std::size_t count = world.ids().size();
    const auto refuses = [&](auto call, const char* sentence) {
        CHECK(test::error_of([&] { call(world.tile_map(map)); }) == sentence);
        CHECK(world.tile_map(map).grid().tile_count() == 36);
        CHECK(world.ids().size() == count);
        CHECK(world.state_hash() == hash);
    };
    refuses([](TileMapRef ref) { ref.define(0); }, "define: the tile id is 0, expected 1 to 255");
    refuses([](TileMapRef ref) { ref.define(300); },
            "define: the tile id is 300, expected 1 to 255");
    refuses([](TileMapRef ref) { ref.define(2); },
            "define: tile id 2 has a kind already, expected a new one");
    refuses(
        [](TileMapRef ref) {
            ref.define(9, {.shape = {{0.0f, 0.0f}, {1.0f, 0.0f}}});
        },
        "define: the tile has 2 vertices, expected 3 to 8");
    refuses(
        [](TileMapRef ref) {
            ref.define(9, {.shape = {{0.0f, 0.0f}, {0.0f, 1.0f}, {1.0f, 1.0f}}});
        },
        "define: vertex 2 of the tile is (1, 1), expected it to the left of the edge from (0, 0) "
        "to (0, 1): convex, counter-clockwise, none repeated or in line");
    refuses(
        [](TileMapRef ref) {
            ref.define(9, {.shape = {{0.0f, 0.0f}, {2.0f, 0.0f}, {0.0f, 1.0f}}});
        },
        "define: the tile goes from (0, 0) to (2, 1), expected it within (0, 0) and (1, 1)");
    refuses([](TileMapRef ref) { ref.define(9, {.material = {.restitution = 2.0f}}); },
            "define: restitution is 2, expected a number from 0 to 1");
    refuses(
        [](TileMapRef ref) {
            ref.set({1 << 22, 0}, 1);
        },
        "set: the tiles go from (4194304, 0) to (4194304, 0), expected -4194304 to 4194303");
    refuses(
        [](TileMapRef ref) {
            ref.fill({{0, 0}, {0, -5'000'000 + 10'000'000}}, 1);
        },
        "fill: the tiles go from (0, 0) to (0, 5000000), expected -4194304 to 4194303");
    refuses(
        [](TileMapRef ref) {
            for (const TileId id : {TileId{1}, TileId{0}}) ref.set({(1 << 22) - 1, 0}, id);
            ref.set({1 << 22, 0}, 1);  // beyond a map that reaches as far as it can
        },
        "set: the tiles go from (4194304, 0) to (4194304, 0), expected -4194304 to 4194303");
    refuses([](TileMapRef ref) { (void)ref.collider(77); },
            "collider: tile id 77 has no kind, expected a defined one");
    refuses([&](TileMapRef ref) { (void)ref.nearest_tile(first_collider(box), {}); },
            "nearest_tile: collider 9 of generation 1 is no kind of the map's tiles, expected one "
            "that `collider` gives");
    refuses(
        [&](TileMapRef ref) {
            (void)ref.nearest_tile(ref.collider(1), {std::numeric_limits<float>::infinity(), 0.0f});
        },
        "nearest_tile: point is (inf, 0), expected finite numbers");
    refuses([&](TileMapRef) { (void)world.tile_map(box); },
            "tile_map: body 9 has no tiles, expected one from create_tile_map");
    refuses([&](TileMapRef) { world.create_tile_map({.tile_size = 0.0f}); },
            "create_tile_map: tile_size is 0, expected a number from 1e-30 to 1e+30");
    const auto says = [&](auto call, std::initializer_list<std::string_view> words) {
        test::check_error([&] { call(world.tile_map(map)); }, words);
        CHECK(world.tile_map(map).grid().tile_count() == 36);
        CHECK(world.ids().size() == count);
    };
    says([](TileMapRef ref) { ref.set({0, 0}, 256); }, {"set: the id is 256", "255"});
    says([](TileMapRef ref) { ref.fill({{0, 0}, {9, 9}}, 999); }, {"fill: the id is 999", "255"});
    says(
        [](TileMapRef ref) {
            ref.load({{0, 0}, {9, 9}}, Span<const TileId>());
        },
        {"load: the span holds 0 ids", "10 x 10"});
    says([&](TileMapRef) { world.create_tile_map({.bytes_per_tile = 3}); },
         {"create_tile_map: bytes_per_tile is 3, expected 1 or 2"});
    says([&](TileMapRef) { world.create_tile_map({.type = BodyType::Dynamic}); },
         {"create_tile_map", "Static or Kinematic"});
    says([&](TileMapRef) { world.body(map).set_type(BodyType::Dynamic); },
         {"set_type", "Static or Kinematic"});
    says([&](TileMapRef ref) { world.destroy_collider(ref.collider(1)); },
         {"destroy_collider", "tiles of a map"});
    says([&](TileMapRef ref) { world.collider(ref.collider(1)).set_shape(Circle{1.0f}); },
         {"set_shape", "terrain"});
    TileMapRef stale = world.tile_map(map);
    world.destroy_body(map);
    const auto names_itself = [](auto call, const std::string& name) {
        CHECK(test::says(test::error_of(call), {name + ": body", "does not exist"}));
    };
    names_itself([&] { stale.set({0, 0}, 1); }, "set");
    names_itself([&] { stale.fill({}, 0); }, "fill");
    names_itself([&] { stale.unload({}); }, "unload");
    names_itself([&] { stale.load("#"); }, "load");
    names_itself([&] { stale.load(""); }, "load");
    names_itself([&] { stale.define(9); }, "define");
    names_itself([&] { (void)stale.collider(1); }, "collider");
    names_itself([&] { (void)stale.at({0, 0}); }, "at");
    names_itself([&] { (void)world.is_tile_map(stale.id()); }, "is_tile_map");
}

TEST_CASE("a tile that is taken from under a body lets it fall in the next step, asleep or awake") {
    for (const int steps : {5, 200}) {
        Standing scene(steps);
        CHECK(scene.world.body(scene.box).is_asleep() == (steps == 200));
        scene.world.tile_map(scene.map).fill({{0, -2}, {0, -1}}, 0);
        const float before = scene.height();
        scene.step(1);
        CHECK(scene.ended == 1);
        CHECK(scene.height() == doctest::Approx(before - 10.0f / 3600.0f).epsilon(0.001));
        scene.step(60);
        CHECK(scene.height() < -3.0f);
        CHECK(scene.began == 1);
    }
}

TEST_CASE("a tile that is set in front of a body stops it, however fast it is") {
    for (const float speed : {1.0f, 50.0f, 5000.0f}) {
        Standing scene(30);
        scene.world.tile_map(scene.map).set({2, 0}, 1);
        scene.world.body(scene.box).set_velocity({speed, 0.0f});
        for (int i = 0; i < 120 && speed == 1.0f; ++i) {
            scene.world.body(scene.box).set_velocity({speed, 0.0f});
            scene.step(1);
        }
        scene.step(10);
        CHECK(scene.world.body(scene.box).position().x == doctest::Approx(1.6f).epsilon(0.01));
        CHECK(scene.began == 1);  // the floor and the wall are of one kind
    }
}

TEST_CASE("what tiles are set around stays inside them until it is dug out, whatever pulls it") {
    for (const Vec2 gravity :
         {Vec2{0.0f, -10.0f}, Vec2{0.0f, 10.0f}, Vec2{3.0f, 1.0f}, Vec2{-3.0f, 1.0f}, Vec2{}}) {
        for (const float unit : {1.0f, 32.0f}) {
            for (const Shape shape : {Shape(Circle{0.3f}), Shape(Box{{0.4f, 0.2f}})}) {
                World world{{.gravity = gravity * unit, .length_unit = unit}};
                TileMapRef tiles = world.tile_map(world.create_tile_map({.tile_size = unit}));
                tiles.define(1);
                const Vec2 start = Vec2{0.5f, 0.8f} * unit;
                const BodyId body =
                    world.create_body({.position = start}, detail::scale(shape, unit));
                tiles.fill({{-5, -5}, {5, 5}}, 1);
                run(world, 300);
                const Vec2 moved = world.body(body).position() - start;
                CHECK(length(moved) < unit);
                CHECK((gravity != Vec2{} || moved == Vec2{}));
                CHECK(length(world.body(body).velocity()) < 1e-3f * unit);
                CHECK(std::abs(dot(moved, perpendicular(gravity))) < 0.01f * unit);
                tiles.fill({{-5, -5}, {5, 5}}, 0);
                run(world, 60);
                const Vec2 fallen = world.body(body).position() - start - moved;
                CHECK(length(fallen - gravity * (0.5f * unit)) < 0.1f * unit);
            }
        }
    }
}

TEST_CASE("what is too large for the tile around it comes out of the ground at walking pace") {
    World world{{.gravity = {0.0f, -10.0f}}};
    TileMapRef tiles = test::add_tile_map(world);
    const BodyId body = world.create_body({.position = {0.5f, -10.0f}}, Box{{0.4f, 1.2f}});
    tiles.fill({{-5, -30}, {5, -1}}, 1);
    float fastest = 0.0f;
    for (int i = 0; i < 1'200; ++i) {
        world.step();
        fastest = std::max(fastest, length(world.body(body).velocity()));
    }
    CHECK(world.body(body).position().y == doctest::Approx(1.2f).epsilon(0.01));
    CHECK(fastest < 5.0f);
}

TEST_CASE(
    "what is inside tiles that do not hold it there, or near an open side of them, gets out") {
    const auto height_after_a_second = [](float gravity, const ColliderDef& def, TileRect tiles) {
        World world{{.gravity = {0.0f, gravity}}};
        TileMapRef map = world.tile_map(world.create_tile_map());
        map.define(1, {.collider = def});
        const BodyId body = world.create_body({.position = {0.5f, 0.3f}}, Circle{0.2f});
        map.fill(tiles, 1);
        run(world, 60);
        return world.body(body).position().y;
    };
    const TileRect around{{-5, -5}, {5, 5}};
    CHECK(height_after_a_second(10.0f, {.is_sensor = true}, around) > 4.0f);
    CHECK(height_after_a_second(10.0f, {.one_way = OneWay::Up}, around) > 4.0f);
    CHECK(height_after_a_second(10.0f, {.filter = {.mask = 2}}, around) > 4.0f);
    CHECK(height_after_a_second(-10.0f, {}, {{-5, 0}, {5, 5}}) < -4.0f);
    CHECK(height_after_a_second(-10.0f, {}, {{0, -5}, {5, 5}}) < -2.0f);

    for (const int beside : {0, 5}) {
        World world{{.gravity = {0.0f, -10.0f}}};
        TileMapRef map = world.tile_map(world.create_tile_map());
        map.define(1);
        map.define(2, {.collider = {.filter = {.mask = 2}}});
        const BodyId body = world.create_body({.position = {0.5f, 0.3f}}, Circle{0.2f});
        map.fill(around, 2);
        map.fill({{-beside, 0}, {beside, 0}}, 1);
        run(world, 60);
        CHECK(world.body(body).position().y < -4.0f);
    }
}

TEST_CASE("what is deep in a full tile comes out at its top if it lies on another full one") {
    for (const float height : {0.5f, 1.0f}) {  // of the tiles below
        World world{{.gravity = {0.0f, -10.0f}}};
        TileMapRef map = world.tile_map(world.create_tile_map());
        map.define(1);
        map.define(2, {.shape = Polygon(AABB{{0.0f, 1.0f - height}, {1.0f, 1.0f}})});
        const BodyId body = world.create_body({.position = {0.5f, 0.3f}}, Circle{0.2f});
        map.fill({{-5, -1}, {5, -1}}, 2);
        map.fill({{-5, 0}, {5, 0}}, 1);
        run(world, 300);
        const float place = height == 1.0f ? 1.2f : 0.2f;
        CHECK(world.body(body).position().y == doctest::Approx(place).epsilon(0.01));
    }
}

TEST_CASE("a slope that is set on a body or a mover on the ground does not let it sink into that") {
    constexpr Polygon slopes[] = {Polygon{{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}},
                                  Polygon{{0.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 0.5f}},
                                  Polygon{{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}, {0.0f, 0.5f}},
                                  Polygon{{0.0f, 0.0f}, {1.0f, 0.0f}, {0.5f, 1.0f}}};
    constexpr float half = 0.3f;
    for (const Polygon& slope : slopes) {
        for (const Shape shape : {Shape(Circle{half}), Shape(Box{{half, half}})}) {
            for (float x = 0.02f; x < 1.0f; x += 0.07f) {
                World world{{.gravity = {0.0f, -10.0f}}};
                TileMapRef tiles = world.tile_map(world.create_tile_map());
                tiles.define(1);
                tiles.define(2, {.shape = slope});
                tiles.fill({{-5, -1}, {5, -1}}, 1);
                const Vec2 start{x, half + 0.001f};
                const BodyId body =
                    world.create_body({.position = start}, shape, {}, {.filter = {.category = 2}});
                Mover mover{.shape = shape, .position = start, .filter = {.mask = 1}};
                tiles.set({0, 0}, 2);
                Vec2 velocity;
                for (int i = 0; i < 60; ++i) {
                    world.step();
                    velocity = move(world, mover, velocity + Vec2{0.0f, -0.16f}, 1.0f / 60.0f);
                }
                CHECK(world.body(body).position().y > half - 0.01f);
                CHECK(mover.position.y > half - 0.01f);
            }
        }
    }
}

TEST_CASE("each way of taking a tile away from a body ends their contact once") {
    using Change = void (*)(Standing&, TileMapRef);
    const Change changes[] = {
        [](Standing&, TileMapRef map) {
            map.fill({{-1, -1}, {1, -1}}, 0);
        },
        [](Standing&, TileMapRef map) {
            map.unload({{-64, -64}, {64, 64}});
        },
        [](Standing& s, TileMapRef) { s.world.destroy_body(s.map); },
        [](Standing& s, TileMapRef) {
            s.world.body(s.map).teleport({0.0f, -9.0f});
        },
        [](Standing& s, TileMapRef map) {
            s.world.collider(map.collider(1)).set_filter({.mask = 0});
        },
        [](Standing& s, TileMapRef map) {
            s.world.collider(map.collider(1)).set_def({.is_sensor = true});
        },
        [](Standing& s, TileMapRef map) {
            s.world.collider(map.collider(1)).set_def({.one_way = OneWay::Down});
        },
        [](Standing& s, TileMapRef) { s.world.ignore(s.map, s.box); },
        [](Standing& s, TileMapRef) { s.world.destroy_body(s.box); },
    };
    for (const Change change : changes) {
        for (const int steps : {1, 5, 200}) {
            Standing scene(steps);
            REQUIRE(scene.began == 1);
            change(scene, scene.world.tile_map(scene.map));
            scene.step(3);
            CHECK(scene.began == 1);
            CHECK(scene.ended == 1);
        }
    }
}

TEST_CASE("a floor whose kind becomes a sensor, one-way and solid again lets through and holds") {
    Standing scene(30);
    ColliderRef kind = scene.world.collider(scene.world.tile_map(scene.map).collider(1));
    kind.set_def({.is_sensor = true});
    scene.step(10);
    CHECK(scene.height() < 0.3f);
    CHECK(scene.world.events().sensor_began.size() == 0);  // it has begun before
    scene.world.body(scene.box).teleport({0.5f, 1.0f});
    kind.set_def({.one_way = OneWay::Up});
    scene.step(60);
    CHECK(scene.height() == doctest::Approx(0.4f).epsilon(0.01));
    scene.world.body(scene.box).drop_through();
    scene.step(40);
    CHECK(scene.height() == doctest::Approx(-0.6f).epsilon(0.01));  // on the row below
    scene.world.body(scene.box).drop_through();
    scene.step(40);
    CHECK(scene.height() < -2.0f);
    scene.world.body(scene.box).teleport({0.5f, 1.0f});
    kind.set_def({});
    scene.step(60);
    CHECK(scene.height() == doctest::Approx(0.4f).epsilon(0.01));
}

TEST_CASE("what passes through sensor tiles comes in once and goes out once, at any speed") {
    for (const float speed : {2.0f, 60.0f, 3000.0f}) {
        World world({.gravity = {}});
        const BodyId map = world.create_tile_map();
        world.tile_map(map).define(1, {.collider = {.is_sensor = true}, .user_data = 5});
        world.tile_map(map).fill({{0, -3}, {3, 3}}, 1);
        world.create_body({.position = {-1.0f, 0.2f}, .velocity = {speed, 0.0f}, .user_data = 6},
                          Circle{0.3f});
        int began = 0, ended = 0;
        for (int i = 0; i < static_cast<int>(400.0f / speed) + 3; ++i) {
            world.step();
            for (const SensorEvent& event : world.events().sensor_began) {
                ++began;
                CHECK(event.sensor == map);
                CHECK(event.sensor_user_data == 5);
                CHECK(event.visitor_user_data == 6);
            }
            ended += static_cast<int>(world.events().sensor_ended.size());
        }
        CHECK(began == 1);
        CHECK(ended == 1);
        CHECK(world.velocities()[0] == Vec2{speed, 0.0f});
    }
}

TEST_CASE("each kind of tile has a restitution, a conveyor and a name of its own") {
    World world({.gravity = {0.0f, -10.0f}});
    const BodyId map = world.create_tile_map();
    TileMapRef ref = world.tile_map(map);
    ref.define(1, {.material = {.restitution = 0.5f}, .user_data = 11});
    ref.define(2, {.material = {.surface_velocity = {2.0f, 0.0f}}, .user_data = 12});
    ref.fill({{0, -1}, {9, -1}}, 1);
    ref.fill({{10, -1}, {39, -1}}, 2);
    const BodyId ball = world.create_body({.position = {5.0f, 2.5f}, .user_data = 1}, Circle{0.5f},
                                          {.restitution = 1.0f});
    const BodyId box =
        world.create_body({.position = {12.0f, 0.5f}, .user_data = 2}, Box{{0.5f, 0.5f}});
    float top = 0.0f;
    bool has_hit = false;
    for (int i = 0; i < 120; ++i) {
        world.step();
        for (const ContactEvent& event : world.events().began) {
            const std::uint64_t tile = event.a == map ? event.user_data_a : event.user_data_b;
            const std::uint64_t body = event.a == map ? event.user_data_b : event.user_data_a;
            CHECK(tile == 10 + body);
            has_hit = has_hit || body == 1;
        }
        if (has_hit) top = std::fmax(top, world.body(ball).position().y);
    }
    CHECK(top == doctest::Approx(0.5f + 0.25f * 2.0f).epsilon(0.02));  // e^2 h, as in bounce_test
    CHECK(world.body(box).velocity().x == doctest::Approx(2.0f));
}

TEST_CASE("whatever is done to maps and bodies near them, each beginning has one end") {
    test::Random random;
    World world({.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.2f});
    std::vector<BodyId> maps, bodies;
    Books books;
    const auto any = [&](std::vector<BodyId>& ids) -> BodyId& {
        return ids[random.bits() % ids.size()];
    };
    const auto change_map = [&](BodyId& id) {
        TileMapRef ref = world.tile_map(id);
        const TileCoord tile{random.integer(-5, 5), random.integer(-5, 5)};
        const auto kind = static_cast<TileId>(random.integer(0, test::tile_kinds));
        switch (random.integer(0, 9)) {
            case 0: world.body(id).teleport(random.point(1.0f)); break;
            case 1: world.body(id).set_velocity(random.point(0.5f)); break;
            case 2: ref.fill({tile, {tile.x + 2, tile.y + 2}}, kind); break;
            case 3:
                world
                    .collider(
                        ref.collider(static_cast<TileId>(random.integer(1, test::tile_kinds))))
                    .set_def({.filter = {.mask = random.one_in(3) ? 0 : ~std::uint64_t{0}},
                              .is_sensor = random.one_in(4),
                              .one_way = random.one_in(3) ? OneWay::Up : OneWay::No});
                break;
            case 4:
                if (!random.one_in(5)) break;
                world.destroy_body(id);
                ref = test::add_tile_map(
                    world, {.type = random.one_in(2) ? BodyType::Kinematic : BodyType::Static});
                id = ref.id();
                ref.fill({{-5, -5}, {5, -4}}, 1);
                break;
            default: ref.set(tile, kind); break;
        }
    };
    const auto any_mover = [&] { return test::random_mover(random, random.uniform(0.05f, 1.5f)); };
    const auto change_body = [&](BodyId& id) {
        switch (random.integer(0, 5)) {
            case 0: world.body(id).teleport(random.point(5.0f)); break;
            case 1:
                world.body(id).set_velocity(random.point(random.one_in(9) ? 900.0f : 9.0f));
                break;
            case 2: world.body(id).drop_through(); break;
            case 3: world.ignore_until_apart(id, any(maps)); break;
            case 4: world.body(id).set_shape(any_mover()); break;
            default:
                world.destroy_body(id);
                id = world.create_body({.position = random.point(5.0f)}, any_mover());
                break;
        }
    };
    for (int i = 0; i < 2; ++i)
        maps.push_back(test::add_tile_map(world, {.type = BodyType::Kinematic}).id());
    for (int i = 0; i < 20; ++i)
        bodies.push_back(world.create_body({.position = random.point(5.0f)}, Circle{0.3f}));
    for (int i = 0; i < test::many / 50; ++i) {
        if (random.one_in(2)) change_map(any(maps));
        if (random.one_in(2)) change_body(any(bodies));
        if (random.one_in(60)) world = World(world);
        for (int rest = random.one_in(30) ? 30 : 1; rest > 0; --rest) {
            world.step();
            books.keep(world.events());
        }
    }
    for (const BodyId id : maps) world.destroy_body(id);
    for (const BodyId id : bodies) world.destroy_body(id);
    world.step();
    books.keep(world.events());
    CHECK(books.began > test::many / 200);
    CHECK(books.wrong == 0);
    CHECK(books.open.empty());
    CHECK(books.visits.empty());
}

TEST_CASE("a drawing is loaded whole or not at all, with line breaks of any system") {
    World world;
    const BodyId id = test::add_tile_map(world, {}).id();
    TileMapRef map = world.tile_map(id);
    const TileCoord corner{detail::furthest_tile - 1, 0};
    test::check_error([&] { map.load("##", corner); }, {"load", "tiles go from", "4194303"});
    CHECK(map.at(corner) == 0);
    test::check_error([&] { map.load("#\n#", {0, 2147483647}); }, {"load", "2147483647"});
    map.load("#\r\n #\r\n", {3, -7});
    CHECK(map.at({3, -6}) == '#');
    CHECK(map.at({4, -6}) == 0);
    CHECK(map.at({4, -7}) == '#');
    map.load("", {0, 0});
    map.load("\n\n", {0, 0});
}

TEST_CASE("of lines of any lengths all tiles are loaded, and nothing right of them is changed") {
    World world;
    const BodyId id = world.create_tile_map();
    TileMapRef tiles = world.tile_map(id);
    tiles.define('#');
    tiles.load(
        "####\n"
        "#.##########\n"
        "## #\n");
    for (int x = 0; x < 12; ++x) {
        CAPTURE(x);
        CHECK((tiles.at({x, 1}) == '#') == (x != 1));
        CHECK(world.ray_cast({static_cast<float>(x) + 0.5f, 3.5f}, {0.0f, -2.0f}).collider ==
              tiles.collider('#'));
    }
    CHECK(tiles.at({2, 0}) == 0);
    CHECK(tiles.at({3, 0}) == '#');
    tiles.load("  \n");
    CHECK(tiles.at({1, 0}) == 0);
    CHECK(tiles.at({3, 0}) == '#');
}

TEST_CASE("the bounds of a body with tiles are those of its tiles") {
    World world;
    const BodyId id = world.create_tile_map({.position = {100.0f, 100.0f}});
    world.tile_map(id).define(1);
    world.tile_map(id).fill({{10, 10}, {12, 12}}, 1);
    const AABB box = world.body(id).bounds();
    CHECK(box.min == Vec2{110.0f, 110.0f});
    CHECK(box.max == Vec2{113.0f, 113.0f});
}

TEST_CASE("emptying what lies beyond the tiles, however far, changes nothing") {
    World world;
    const BodyId id = world.create_tile_map({});
    TileMapRef tiles = world.tile_map(id);
    tiles.define(1);
    tiles.fill({{10, 10}, {12, 12}}, 1);
    world.step();
    const AABB box = world.body(id).bounds();
    const std::uint64_t hash = world.state_hash();
    tiles.set({1'000, 0}, 0);
    tiles.fill({{-5'000, -5'000}, {9, 9}}, 0);
    constexpr std::int32_t end = std::numeric_limits<std::int32_t>::max();
    tiles.unload({{13, -end}, {end, end}});
    CHECK(world.body(id).bounds() == box);
    CHECK(world.state_hash() == hash);
    world.step();
    CHECK_FALSE(world.stats().pairs_rebuilt);
    tiles.unload({{-end, -end}, {end, end}});
    CHECK(tiles.grid().tile_count() == 0);
}

TEST_CASE("what tiles are made of is said of their kinds, not of the map") {
    World world;
    const BodyId id = world.create_tile_map({});
    test::check_error([&] { world.body(id).set_material({}); },
                      {"set_material", "tile map", "kinds"});
    test::check_error([&] { world.body(id).set_filter({}); }, {"set_filter", "tile map", "kinds"});
    const ColliderId kind = world.tile_map(id).define(1);
    world.collider(kind).set_material({.friction = 0.1f});
}

TEST_CASE("tiles with the last of all ids are seen") {
    World world;
    const BodyId id = world.create_tile_map({.bytes_per_tile = 2});
    constexpr TileId last = 65535;
    world.tile_map(id).define(last);
    world.tile_map(id).set({0, 0}, last);
    int found = 0;
    world.for_each_overlap(Circle{0.1f, {0.5f, 0.5f}}, [&](BodyId) { ++found; });
    CHECK(found == 1);
    CHECK(world.nearest({0.5f, 1.5f}, 2.0f).distance == doctest::Approx(0.5));
}

TEST_CASE("a visit of tiles may destroy their map, or load another level") {
    World world;
    const BodyId id = world.create_tile_map();
    TileMapRef tiles = world.tile_map(id);
    tiles.define(1);
    tiles.fill({{0, 0}, {9, 9}}, 1);
    World next;
    REQUIRE(next.create_body({}, Circle{1.0f}) == id);
    const World level = world;
    int visits = 0;
    tiles.for_each_overlap(Box{{5.0f, 5.0f}}, [&](TileCoord, TileId) {
        world = next;
        ++visits;
    });
    CHECK(visits == 1);
    world = level;
    tiles.for_each_overlap(Box{{5.0f, 5.0f}}, [&](TileCoord, TileId) {
        world.destroy_body(id);
        ++visits;
    });
    CHECK(visits == 2);
}

TEST_CASE("tiles of a body that has none in the world assigned since are an error") {
    World world;
    const BodyId id = world.create_tile_map();
    TileMapRef tiles = world.tile_map(id);
    tiles.define(1);
    World next;
    REQUIRE(next.create_body({}, Circle{1.0f}) == id);
    world = next;
    const std::uint64_t hash = world.state_hash();
    const char* const none = "body 0 has no tiles";
    test::check_error([&] { (void)tiles.at({0, 0}); }, {"at", none});
    test::check_error([&] { tiles.set({0, 0}, 1); }, {"set", none});
    test::check_error([&] { tiles.fill({{0, 0}, {1, 1}}, 1); }, {"fill", none});
    test::check_error([&] { tiles.load("#", {}); }, {"load", none});
    test::check_error([&] { tiles.define(2); }, {"define", none});
    test::check_error([&] { (void)tiles.tile_at({}); }, {"tile_at", none});
    test::check_error([&] { (void)tiles.bounds({0, 0}); }, {"bounds", none});
    CHECK(world.state_hash() == hash);
}

}  // namespace tile_map_ref_test

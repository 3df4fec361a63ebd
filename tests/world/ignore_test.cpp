// SPDX-License-Identifier: MIT
// Do two bodies that are to ignore each other do so, for as long as they are to?
#include <string>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "support/random.hpp"

namespace ignore_test {

using namespace phys2d;

namespace {

struct FloorAndBox {
    World world{WorldConfig{.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.3f}};
    BodyId floor = world.create_body({.type = BodyType::Static}, Box{{5.0f, 0.5f}});
    BodyId box = world.create_body({.position = {0.0f, 1.0f}}, Box{{0.5f, 0.5f}});

    void run(int steps) {
        for (int i = 0; i < steps; ++i) world.step();
    }
    [[nodiscard]] float height() const { return world.body(box).position().y; }
};

}  // namespace

TEST_CASE("a body falls through one that it ignores, awake or asleep, and the contact ends once") {
    for (const int rest : {10, 120}) {
        FloorAndBox scene;
        scene.run(rest);
        scene.world.ignore(scene.box, scene.floor);
        scene.world.step();
        CHECK(scene.world.events().ended.size() == 1);
        scene.run(60);
        CHECK(scene.height() < -2.0f);
    }
}

TEST_CASE("bodies that ignored each other until they were apart meet again") {
    FloorAndBox scene;
    scene.run(10);
    scene.world.ignore_until_apart(scene.floor, scene.box);
    scene.run(60);
    REQUIRE(scene.height() < -2.0f);
    scene.world.body(scene.box).teleport({0.0f, 3.0f});
    scene.world.body(scene.box).set_velocity({});
    scene.run(120);
    CHECK(scene.height() == doctest::Approx(1.0f).epsilon(0.01));
}

TEST_CASE("ignoring for ever outlasts parting, and ends when it is told to") {
    FloorAndBox scene;
    scene.world.ignore(scene.floor, scene.box);
    scene.world.ignore_until_apart(scene.floor, scene.box);  // changes nothing
    scene.run(60);
    scene.world.body(scene.box).teleport({0.0f, 3.0f});
    scene.run(60);
    CHECK(scene.height() < 0.0f);
    scene.world.body(scene.box).teleport({0.0f, 3.0f});
    scene.world.body(scene.box).set_velocity({});
    scene.world.stop_ignoring(scene.box, scene.floor);
    scene.run(120);
    CHECK(scene.height() == doctest::Approx(1.0f).epsilon(0.01));
}

TEST_CASE("a bullet leaves the one who shot it, and hits others") {
    World world({.gravity = {0.0f, 0.0f}});
    const BodyId shooter = world.create_body({}, Circle{0.5f});
    const BodyId victim = world.create_body({.position = {3.0f, 0.0f}}, Circle{0.5f});
    const BodyId bullet =
        world.create_body({.velocity = {100.0f, 0.0f}, .mass = 0.1f}, Circle{0.1f});
    world.ignore_until_apart(shooter, bullet);
    for (int i = 0; i < 10; ++i) world.step();
    CHECK(world.body(shooter).velocity() == Vec2{});
    CHECK(world.body(victim).velocity().x > 1.0f);
}

namespace {

/// A doorway: a door stands on the ground, flush with it, and a lintel on the door.
struct Doorway {
    World world;
    BodyId door{};

    explicit Doorway(const WorldConfig& config = {}) : world(config) {
        door = add_wall({{0.0f, 0.0f}, {0.5f, 2.0f}});
        add_wall({{0.0f, 2.0f}, {0.5f, 4.0f}});
    }
    BodyId add_wall(const AABB& box) {
        return world.create_body({.type = BodyType::Static, .position = center(box)},
                                 Box{half_extents(box)});
    }
    void add_box_ground() { add_wall({{-10.0f, -1.0f}, {10.0f, 0.0f}}); }
    void add_polygon_ground() {
        world.create_body({.type = BodyType::Static},
                          Polygon{{-10.0f, -1.0f}, {10.0f, -1.0f}, {10.0f, 0.0f}, {-10.0f, 0.0f}});
    }
    void add_map_ground() {
        TileMapRef map = world.tile_map(world.create_tile_map());
        map.define(1);
        map.fill({{-10, -1}, {9, -1}}, 1);
    }

    /// Goes through the doorway without friction at 2 m/s, or not at all.
    BodyId add_hero(const Shape& shape) {
        return world.create_body(
            {.position = {-2.0f, shape.half_extents.y + shape.radius}, .velocity = {2.0f, 0.0f}},
            shape, {.friction = 0.0f});
    }
    /// How deep it gets into the ground on its way [m]; requires that it passes the doorway.
    [[nodiscard]] float deepest(BodyId hero) {
        float depth = 0.0f;
        for (int i = 0; i < 180; ++i) {
            world.step();
            depth = max(depth, -world.body(hero).bounds().min.y);
        }
        CHECK(world.body(hero).position().x > 3.0f);
        return depth;
    }
};

using AddGround = void (Doorway::*)();
const AddGround grounds[] = {&Doorway::add_box_ground, &Doorway::add_polygon_ground,
                             &Doorway::add_map_ground};
const Shape heroes[] = {Circle{0.5f}, Box{{0.4f, 0.5f}}, Capsule{0.3f, 0.3f}};

/// The bodies that a filter keeps apart.
struct Two {
    BodyId a, b;
};
bool are_not_those(void* those, BodyId a, BodyId b) {
    const Two& two = *static_cast<const Two*>(those);
    return !(a == two.a && b == two.b) && !(a == two.b && b == two.a);
}

}  // namespace

TEST_CASE(
    "what ignores a door stands on the ground below it, of whatever kind, and nothing else gets "
    "in") {
    for (const AddGround add_ground : grounds) {
        for (const Shape& shape : heroes) {
            Doorway scene;
            (scene.*add_ground)();
            const BodyId hero = scene.add_hero(shape);
            scene.world.ignore(hero, scene.door);
            CHECK(scene.deepest(hero) < 0.002f);

            Two apart{};
            Doorway filtered({.pair_filter = are_not_those, .pair_filter_context = &apart});
            (filtered.*add_ground)();
            apart = {filtered.door, filtered.add_hero(shape)};
            CHECK(filtered.deepest(apart.b) < 0.002f);

            Doorway closed;
            (closed.*add_ground)();
            const BodyId other = closed.add_hero(shape);
            for (int i = 0; i < 180; ++i) closed.world.step();
            CHECK(closed.world.body(other).position().x < 0.0f);
        }
    }
}

TEST_CASE("bodies are apart, and meet again, though one has a sensor limb that the other is in") {
    for (const bool is_on_ball : {false, true}) {
        CAPTURE(is_on_ball);
        World world({.gravity = {0.0f, 0.0f}});
        const BodyId post = world.create_body({.type = BodyType::Static}, Circle{0.5f});
        const BodyId ball =
            world.create_body({.position = {-0.25f, 0.0f}, .velocity = {3.0f, 0.0f}}, Circle{0.5f},
                              {.restitution = 1.0f});
        world.add_collider(is_on_ball ? ball : post, Circle{9.0f}, {}, {.is_sensor = true});
        world.ignore_until_apart(ball, post);
        int felt = 0;
        for (int i = 0; i < 30; ++i) {
            world.step();
            CHECK(world.body(ball).velocity() == Vec2{3.0f, 0.0f});  // it passes in peace
            felt += static_cast<int>(world.events().sensor_began.size());
        }
        CHECK(felt == 1);
        world.body(ball).set_velocity({-3.0f, 0.0f});
        for (int i = 0; i < 30; ++i) {
            world.step();
            CHECK(world.body(ball).position().x > 0.95f);
        }
    }
}

TEST_CASE("a new body of an old index is not ignored") {
    FloorAndBox scene;
    scene.world.ignore(scene.floor, scene.box);
    scene.world.destroy_body(scene.box);
    scene.box = scene.world.create_body({.position = {0.0f, 1.0f}}, Box{{0.5f, 0.5f}});
    scene.run(60);
    CHECK(scene.height() == doctest::Approx(1.0f).epsilon(0.01));
}

TEST_CASE("a list of ignored pairs is a set") {
    test::Random random;
    detail::IgnoredPairs<BodyId> pairs;
    bool expected[20][20] = {};
    const auto id = [](int i) { return BodyId{static_cast<std::uint32_t>(i), 1}; };
    for (int i = 0; i < 2000; ++i) {
        const int a = random.integer(0, 19);
        const int b = random.integer(0, 19);
        if (a == b) continue;
        const bool insert = random.one_in(2);
        if (insert) pairs.insert(id(a), id(b), false);
        if (!insert) CHECK(pairs.erase(id(a), id(b)) == expected[a][b]);
        expected[a][b] = expected[b][a] = insert;
        const int c = random.integer(0, 19);
        const int d = random.integer(0, 19);
        if (c != d) CHECK(pairs.contains(id(c), id(d)) == expected[c][d]);
    }
}

TEST_CASE("a pair that is erased and ignored again is ignored for the new time alone") {
    detail::IgnoredPairs<BodyId> pairs;
    const BodyId a{1, 1}, b{2, 1}, c{3, 1};
    pairs.insert(a, b, false);
    pairs.insert(b, c, false);
    CHECK(pairs.erase(a, b));
    CHECK(pairs.erase(c, b));
    CHECK_FALSE(pairs.erase(a, b));
    pairs.insert(b, a, true, {1.0f, 0.0f});
    int count = 0;
    const auto look = [&](const detail::IgnoredPair<BodyId>& pair) {
        ++count;
        return pair.a == a && pair.b == b && pair.until_apart && pair.offset == Vec2{-1.0f, 0.0f};
    };
    pairs.for_each([&](const auto& pair) { CHECK(look(pair)); });
    CHECK(count == 1);
    pairs.remove_if(look);
    CHECK(count == 2);
    CHECK(pairs.empty());
}

TEST_CASE("what is gone is forgotten with all its pairs, whoever has its index next") {
    constexpr int count = 12;
    test::Random random;
    detail::IgnoredPairs<BodyId> pairs;
    bool expected[count][count] = {};
    std::uint32_t generations[count] = {};
    const auto id = [&](int i) { return BodyId{static_cast<std::uint32_t>(i), generations[i]}; };
    int wrong = 0;
    for (int i = 0; i < test::many / 50; ++i) {
        const int a = random.integer(0, count - 1);
        const int b = (a + random.integer(1, count - 1)) % count;
        const int dice = random.integer(0, 5);
        if (dice == 0) {
            pairs.forget(id(a));
            ++generations[a];
            for (int k = 0; k < count; ++k) expected[a][k] = expected[k][a] = false;
        } else if (dice == 1) {
            if (pairs.erase(id(a), id(b)) != expected[a][b]) ++wrong;
            expected[a][b] = expected[b][a] = false;
        } else if (dice < 4) {
            pairs.insert(id(a), id(b), false);
            expected[a][b] = expected[b][a] = true;
        }
        if (random.one_in(10)) {
            pairs.remove_if([&](const auto& pair) {
                const int k = static_cast<int>(pair.a.index), m = static_cast<int>(pair.b.index);
                if (pair.a != id(k) || pair.b != id(m) || !expected[k][m]) ++wrong;
                return false;
            });
        }
        for (int k = 0; k < count; ++k) {
            for (int m = 0; m < k; ++m) {
                if (pairs.contains(id(k), id(m)) != expected[k][m]) ++wrong;
            }
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("a body cannot ignore itself or one that is gone") {
    FloorAndBox scene;
    const auto sentence_of = [&](BodyId a, BodyId b) {
        try {
            scene.world.ignore(a, b);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(sentence_of(scene.box, scene.box) == "ignore: both are body 1, expected two bodies");
    const BodyId gone = scene.box;
    scene.world.destroy_body(gone);
    CHECK(sentence_of(scene.floor, gone) ==
          "ignore: body 1 of generation 1 does not exist, expected the id of a living body");
}

}  // namespace ignore_test

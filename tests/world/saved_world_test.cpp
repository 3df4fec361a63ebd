// SPDX-License-Identifier: MIT
// Is a world that was saved as bytes the same world where they are loaded? SCENES [31]
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <scenes/scenes.hpp>

#include "../support/commotion.hpp"

namespace saved_world_test {

using namespace phys2d;

namespace {

std::string saved(const World& world) {
    std::string bytes;
    world.save(bytes);
    return bytes;
}

/// A bit of everything that a World stores.
World varied_world() {
    World world;
    world.create_body({.type = BodyType::Static},
                      Chain{std::vector<Vec2>{{9.0f, 1.0f}, {0.0f, 0.0f}, {-9.0f, 1.0f}}});
    world.create_body({.type = BodyType::Static, .position = {3.0f, 1.0f}},
                      Polygon{{-1.0f, -1.0f}, {1.0f, -1.0f}, {0.0f, 1.0f}});
    const BodyId map = world.create_tile_map({.position = {-9.0f, 2.0f}});
    world.tile_map(map).define('#');
    for (int x = 0; x < 5; ++x) world.tile_map(map).set({x, 0}, '#');
    const BodyId lift = world.create_body({.type = BodyType::Kinematic, .position = {0.0f, 3.0f}},
                                          Box{{2.0f, 0.2f}});
    world.body(lift).set_velocity({0.0f, 0.5f});
    for (int i = 0; i < 12; ++i) {
        const auto x = static_cast<float>(i);
        const BodyId body =
            world.create_body({.position = {x - 6.0f, 6.0f + 0.3f * x}}, Circle{0.3f});
        world.body(body).set_user_data(static_cast<std::uint64_t>(i) << 40);
        if (i % 3 == 0) world.add_collider(body, Box{{0.2f, 0.2f}}, {}, {.is_sensor = true});
    }
    for (int i = 0; i < 60; ++i) world.step();
    return world;
}

bool none_collide(void* calls, BodyId /*a*/, BodyId /*b*/) {
    ++*static_cast<int*>(calls);
    return false;
}

}  // namespace

TEST_CASE("whatever happens, a loaded world goes on with the same bits and saves the same bytes") {
    for (std::uint64_t seed = 1; seed <= test::many / 10'000; ++seed) {
        CAPTURE(seed);
        test::Commotion played(seed);
        test::Random random(seed);
        for (int part = 0; part < 4; ++part) {
            test::Commotion loaded = played;
            loaded.world = World();
            loaded.world.load(saved(played.world));
            for (int left = random.integer(1, 40); left > 0; --left) {
                for (test::Commotion* each : {&played, &loaded}) {
                    each->before_step();
                    each->world.step();
                }
                REQUIRE(loaded.world.state_hash() == played.world.state_hash());
            }
            REQUIRE(saved(loaded.world) == saved(played.world));
        }
    }
}

TEST_CASE("a loaded world has the ids, events, user data, tiles and time of the saved one") {
    World world = varied_world();
    world.set_time_scale(0.5f);
    world.advance(0.051);
    World loaded;
    loaded.load(saved(world));
    CHECK(loaded.body_count() == world.body_count());
    CHECK(loaded.step_count() == world.step_count());
    CHECK(loaded.time_scale() == 0.5f);
    CHECK(loaded.stats().contacts == world.stats().contacts);
    CHECK(loaded.events().began.size() == world.events().began.size());
    world.for_each_body([&](BodyId id) {
        REQUIRE(loaded.contains(id));
        CHECK(loaded.body(id).user_data() == world.body(id).user_data());
        CHECK(loaded.is_tile_map(id) == world.is_tile_map(id));
        if (world.is_tile_map(id)) CHECK(loaded.tile_map(id).at({4, 0}) == '#');
    });
    const BodyId next = world.create_body({}, Circle{1.0f});
    CHECK(loaded.create_body({}, Circle{1.0f}) == next);
    for (int i = 0; i < 20; ++i) CHECK(loaded.advance(0.013) == world.advance(0.013));
    CHECK(loaded.state_hash() == world.state_hash());
}

TEST_CASE("a loaded world is paused, solid below the ground, and lets go what is teleported") {
    World world;
    world.create_body({.type = BodyType::Static}, HalfSpace{});
    world.create_body({.type = BodyType::Static, .position = {0.0f, 2.0f}}, Box{{1.0f, 0.1f}}, {},
                      {.one_way = OneWay::Up});
    const BodyId ball = world.create_body({.position = {0.0f, 2.4f}}, Circle{0.3f});
    for (int i = 0; i < 30; ++i) world.step();
    world.set_paused(true);
    World loaded;
    loaded.load(saved(world));
    CHECK(loaded.is_paused());
    CHECK(loaded.ray_cast({0.0f, -5.0f}, {1.0f, 0.0f}));
    loaded.body(ball).teleport({0.0f, 2.3f});
    for (int i = 0; i < 60; ++i) loaded.step();
    CHECK(loaded.body(ball).position().y < 1.0f);
}

TEST_CASE("queries find in a loaded world what they find in the saved one") {
    const World world = varied_world();
    World loaded;
    loaded.load(saved(world));
    for (int i = 0; i < 100; ++i) {
        const Vec2 from{0.2f * static_cast<float>(i) - 10.0f, 20.0f};
        const auto there = world.ray_cast(from, {0.0f, -30.0f});
        const auto here = loaded.ray_cast(from, {0.0f, -30.0f});
        CHECK(here.body == there.body);
        CHECK(here.fraction == there.fraction);
    }
}

TEST_CASE("the functions of the config are those of the world that loads") {
    WorldConfig config;
    int calls = 0;
    config.pair_filter = none_collide;
    config.pair_filter_context = &calls;
    World loaded(config);
    World world = scenes::build(scenes::pile(20));
    loaded.load(saved(world));
    CHECK(loaded.config().gravity == world.config().gravity);
    CHECK((loaded.config().pair_filter == &none_collide));
    CHECK(loaded.config().pair_filter_context == &calls);
    for (int i = 0; i < 60; ++i) loaded.step();
    CHECK(calls > 0);
}

TEST_CASE("any container of bytes takes a world, and its contents are replaced") {
    const World world = scenes::build(scenes::pile(20));
    const std::string expected = saved(world);
    std::vector<std::byte> bytes(3);
    world.save(bytes);
    REQUIRE(bytes.size() == expected.size());
    CHECK(std::memcmp(bytes.data(), expected.data(), bytes.size()) == 0);
    World loaded;
    loaded.load(Span<const std::byte>(bytes.data(), bytes.size()));
    CHECK(saved(loaded) == expected);
}

TEST_CASE("a world without bodies can be saved and loaded") {
    World world = varied_world();
    world.load(saved(World()));
    CHECK(world.body_count() == 0);
    world.step();
}

TEST_CASE("bodies, maps and chains that come and go leave nothing behind in the bytes") {
    World world;
    std::vector<Vec2> hills;
    for (int i = 0; i < 500; ++i) hills.push_back({-0.5f * static_cast<float>(i), 0.0f});
    std::size_t first = 0;
    for (int round = 0; round < 20; ++round) {
        const BodyId map = world.create_tile_map();
        world.tile_map(map).define('#');
        world.tile_map(map).fill({{0, 0}, {99, 0}}, '#');
        const BodyId chain = world.create_body({.type = BodyType::Static}, Chain{hills});
        const BodyId ball = world.create_body({.position = {-9.0f, 0.5f}}, Circle{0.5f});
        for (int i = 0; i < 20; ++i) world.step();
        for (const BodyId body : {map, chain, ball}) world.destroy_body(body);
        for (int i = 0; i < 3; ++i) world.step();
        if (round == 0) first = saved(world).size();
    }
    CHECK(saved(world).size() == first);
}

TEST_CASE("a world may be loaded in a visit of its bodies: those that it then has are visited") {
    const std::string one = saved(scenes::build(scenes::pile(1)));
    World world = scenes::build(scenes::pile(1000));
    int visits = 0;
    world.for_each_body([&](BodyId id) {
        REQUIRE(world.contains(id));
        if (++visits == 1) world.load(one);
    });
    CHECK(visits == static_cast<int>(world.body_count()));
}

TEST_CASE("damaged bytes are refused, and change nothing") {
    const World other = varied_world();
    const std::string bytes = saved(other);
    World world = scenes::build(scenes::pile(20));
    const std::string before = saved(world);
    test::Random random;
    for (int i = 0; i < 300; ++i) {
        std::string damaged = bytes;
        const auto place =
            static_cast<std::size_t>(random.integer(0, static_cast<int>(bytes.size()) - 1));
        damaged[place] = static_cast<char>(damaged[place] ^ 1 << random.integer(0, 7));
        CHECK_THROWS_AS(world.load(damaged), Error);
        CHECK_THROWS_AS(world.load(bytes.substr(0, place)), Error);
    }
    CHECK_THROWS_AS(world.load(bytes + '\0'), Error);
    CHECK(saved(world) == before);
}

TEST_CASE("bytes that are no world, or one of another version, are refused in words") {
    World world;
    CHECK_THROWS_WITH_AS(world.load(std::string()),
                         "load: 0 bytes do not begin as a world, expected what `save` has written",
                         Error);
    CHECK_THROWS_WITH_AS(
        world.load(std::string(1000, 'x')),
        "load: 1000 bytes do not begin as a world, expected what `save` has written", Error);
    std::string bytes = saved(world);
    bytes[8] = 7;
    CHECK_THROWS_WITH_AS(world.load(bytes),
                         "load: the world is of phys2d 7.1.0, expected " PHYS2D_VERSION_STRING,
                         Error);
}

TEST_CASE("a world is not saved inside of its own step") {
    struct Caller {
        World* world;
        int calls;
        static bool save(void* self, BodyId /*a*/, BodyId /*b*/) {
            auto& caller = *static_cast<Caller*>(self);
            ++caller.calls;
            CHECK_THROWS_WITH_AS(
                (void)saved(*caller.world),
                "save: the world is inside step(), expected a call between two steps", Error);
            return true;
        }
    } caller{nullptr, 0};
    WorldConfig config;
    config.pair_filter = &Caller::save;
    config.pair_filter_context = &caller;
    World world(config);
    caller.world = &world;
    world.create_body({}, Circle{1.0f});
    world.create_body({}, Circle{1.0f});
    world.step();
    CHECK(caller.calls > 0);
}

}  // namespace saved_world_test

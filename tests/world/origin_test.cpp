// SPDX-License-Identifier: MIT
// Does a world go on as before once it has another origin?
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "../support/commotion.hpp"
#include "bad_input.hpp"

namespace origin_test {

using namespace phys2d;

namespace {

constexpr float dt = 1.0f / 60.0f;
const Vec2 far_away{2048.0f, -1024.0f};

/// The bodies that are in contact, as a set: the order of contacts is that of their pairs.
using Pairs = std::vector<std::pair<BodyId, BodyId>>;
Pairs contacts_of(const World& world) {
    Pairs pairs;
    world.for_each_contact([&](const WorldContact& contact) {
        if (contact.is_touching) pairs.emplace_back(contact.a, contact.b);
    });
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

std::vector<ColliderId> overlaps_of(const World& world, const Shape& shape) {
    std::vector<ColliderId> found;
    world.for_each_overlap(shape, [&](BodyId, ColliderId id) { found.push_back(id); });
    std::sort(found.begin(), found.end());
    return found;
}

/// A played world, moved far away, and a copy of it whose origin follows: exactly, as its
/// coordinates do not get larger by it.
struct Followed {
    World world;
    World seen;

    explicit Followed(const World& played) : world(played) {
        world.shift_origin(-far_away);
        seen = world;
        seen.shift_origin(far_away);
    }
};

Followed followed_commotion(std::uint64_t seed) {
    test::Commotion played(seed);
    for (int i = 0; i < 80; ++i) {
        played.before_step();
        played.world.step();
    }
    played.before_step();
    return Followed(played.world);
}

bool is_quiet(const Events& events) {
    return events.began.empty() && events.ended.empty() && events.hits.empty() &&
           events.sensor_began.empty() && events.sensor_ended.empty() && events.woke.empty() &&
           events.fell_asleep.empty() && events.crushed.empty();
}

/// Something of everything, at rest or going on evenly, far from the origin.
struct Quiet {
    World world{{.time_to_sleep = 0.5f}};
    BodyId lift{};
    BodyId rider{};
    BodyId sleeper{};

    explicit Quiet(Vec2 o) {
        const BodyId map = world.create_tile_map({.position = o});
        world.tile_map(map).define('#');
        world.tile_map(map).define('-', {.collider = {.one_way = OneWay::Up}});
        world.tile_map(map).define('/', {.shape = {{0, 0}, {1, 0}, {1, 1}}});
        world.tile_map(map).load(
            "             \n"
            "   --      / \n"
            "##########/##\n");
        const Vec2 points[] = {o + Vec2{-1.0f, 2.0f}, o + Vec2{-6.0f, 3.0f}, o + Vec2{-9.0f, 3.0f}};
        world.create_body({.type = BodyType::Static}, Chain{points});
        world.create_body({.type = BodyType::Static, .position = o + Vec2{0.0f, -20.0f}},
                          HalfSpace{{0.0f, 1.0f}, 0.0f});
        world.create_body({.type = BodyType::Static, .position = o + Vec2{6.0f, 2.0f}},
                          Box{{2.0f, 2.0f}}, {}, {.is_sensor = true});
        for (int i = 0; i < 6; ++i) {
            const float y = 1.5f + 1.01f * static_cast<float>(i);
            sleeper = world.create_body({.position = o + Vec2{6.5f, y}}, Box{{0.5f, 0.5f}});
        }
        world.create_body({.position = o + Vec2{4.0f, 2.6f}}, Circle{0.4f});
        world.create_body({.position = o + Vec2{-7.0f, 3.6f}}, Box{{0.5f, 0.5f}});
        lift = world.create_body({.type = BodyType::Kinematic, .position = o + Vec2{20.0f, 0.0f}},
                                 Box{{2.0f, 0.25f}});
        rider = world.create_body({.position = o + Vec2{20.5f, 0.75f}}, Box{{0.5f, 0.5f}});
        for (int i = 0; i < 240; ++i) step(o);
    }

    void step(Vec2 o) {
        const float height = 0.01f * static_cast<float>(world.step_count() + 1);
        world.body(lift).move_to(o + Vec2{20.0f, height});
        world.step();
    }
};

/// What a mover does that walks on a train for ten seconds.
struct Walk {
    float way = 0.0f;  ///< relative to the train [m]
    int steps_in_air = 0;
    int shifts = 0;
};

/// `follows`: whether the origin follows it, every eight metres.
Walk walk_on_train(float pace, bool follows) {
    World world;
    const BodyId train = world.create_body(
        {.type = BodyType::Kinematic, .position = {0.0f, -0.5f}, .velocity = {pace, 0.0f}},
        Box{{200.0f, 0.5f}});
    Mover mover{.shape = Capsule{0.4f, 0.3f}, .position = {0.0f, 0.72f}};
    Walk walk;
    Vec2 velocity{};
    for (int i = 0; i < 600; ++i) {
        world.step();
        velocity = move(world, mover, {3.0f, velocity.y - 9.81f * dt}, dt);
        walk.steps_in_air += mover.ground.is_grounded ? 0 : 1;
        if (!follows || mover.position.x < 8.0f) continue;
        world.shift_origin({8.0f, 0.0f});
        mover.shift_origin({8.0f, 0.0f});
        ++walk.shifts;
    }
    walk.way = mover.position.x - world.body(train).position().x;
    return walk;
}

/// Where a ball and a mover come to in two seconds on the stairs of slopes that begin at a column
/// of a map, seen from there.
std::pair<Vec2, Vec2> go_down_hill(std::int32_t column) {
    World world;
    const Vec2 o{static_cast<float>(column), 0.0f};
    const BodyId map = world.create_tile_map();
    TileMapRef tiles = world.tile_map(map);
    tiles.define(1);
    tiles.define(2, {.shape = {{0, 0}, {1, 0}, {0, 1}}});
    for (std::int32_t x = 0; x < 40; ++x) {
        tiles.set({column + x, 40 - x}, 2);
        tiles.fill({{column + x, 37 - x}, {column + x, 39 - x}}, 1);
    }
    world.shift_origin(o);
    const BodyId ball = world.create_body({.position = {1.3f, 41.0f}}, Circle{0.4f});
    Mover mover{.shape = Capsule{0.4f, 0.3f}, .position = {8.2f, 34.0f}};
    Vec2 velocity{};
    for (int i = 0; i < 120; ++i) {
        world.step();
        velocity = move(world, mover, {3.0f, velocity.y - 9.81f * dt}, dt);
    }
    return {world.body(ball).position(), mover.position};
}

}  // namespace

TEST_CASE("a world with another origin is what it was, seen from there") {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        const auto [world, seen] = followed_commotion(seed);
        REQUIRE(seen.positions().size() == world.positions().size());
        bool is_same = true;
        for (std::size_t i = 0; i < world.positions().size(); ++i) {
            is_same = is_same && seen.ids()[i] == world.ids()[i] &&
                      seen.positions()[i] == world.positions()[i] - far_away &&
                      seen.previous_positions()[i] == world.previous_positions()[i] - far_away;
        }
        CHECK(is_same);
        CHECK(contacts_of(seen) == contacts_of(world));
        CHECK(seen.stats().sleeping_bodies == world.stats().sleeping_bodies);
    }
}

TEST_CASE("queries find in a world with another origin what they found before, at once") {
    int differ = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const Followed worlds = followed_commotion(seed);
        const World& world = worlds.world;
        const World& seen = worlds.seen;
        test::Random random(seed * test::Random::default_seed);
        for (int i = 0; i < 50; ++i) {
            // On a lattice, so that both are the same up to the last bit.
            const auto place = [&] {
                return Vec2{0.125f * static_cast<float>(random.integer(-100, 100)),
                            0.125f * static_cast<float>(random.integer(-10, 100))};
            };
            const Vec2 from = place();
            const Vec2 way = place() - from;
            const QueryHit there = world.ray_cast(from + far_away, way);
            const QueryHit here = seen.ray_cast(from, way);
            const bool hits_alike =
                here.collider == there.collider && std::abs(here.fraction - there.fraction) < 1e-3f;
            const Box box{{0.7f, 0.4f}};
            const bool overlaps_alike = overlaps_of(seen, translate(Shape(box), from)) ==
                                        overlaps_of(world, translate(Shape(box), from + far_away));
            const bool nears_alike =
                seen.nearest(from, 5.0f).body == world.nearest(from + far_away, 5.0f).body;
            differ += hits_alike && overlaps_alike && nears_alike ? 0 : 1;
        }
    }
    CHECK(differ == 0);  // what they graze
}

TEST_CASE("nothing begins, ends, or wakes because a world gets another origin") {
    for (const Vec2 o : {Vec2{512.0f, 256.0f}, Vec2{-2048.0f, 1024.0f}, Vec2{8192.0f, 0.0f}}) {
        CAPTURE(o.x);
        Quiet quiet(o);
        REQUIRE(is_quiet(quiet.world.events()));
        REQUIRE(quiet.world.body(quiet.sleeper).is_asleep());
        const Pairs contacts = contacts_of(quiet.world);
        REQUIRE(contacts.size() == 9);
        const std::vector<Vec2> before(quiet.world.positions().begin(),
                                       quiet.world.positions().end());
        const std::vector<BodyId> ids(quiet.world.ids().begin(), quiet.world.ids().end());
        quiet.world.shift_origin(o);
        bool is_all_quiet = true;
        for (int i = 0; i < 60; ++i) {
            quiet.step({});
            is_all_quiet = is_all_quiet && is_quiet(quiet.world.events()) &&
                           contacts_of(quiet.world) == contacts;
        }
        CHECK(is_all_quiet);
        float furthest = 0.0f;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const ConstBodyRef body = std::as_const(quiet.world).body(ids[i]);
            const bool rises = ids[i] == quiet.lift || ids[i] == quiet.rider;
            const Vec2 risen = rises ? Vec2{0.0f, 0.6f} : Vec2{};
            furthest = std::max(furthest, distance(body.position(), before[i] - o + risen));
        }
        CHECK(furthest < 2e-3f);
    }
}

TEST_CASE("what hits a sleeper once the origin has changed wakes it") {
    const Vec2 o{512.0f, 256.0f};
    Quiet quiet(o);
    const Vec2 place = quiet.world.body(quiet.sleeper).position() - o;
    REQUIRE(quiet.world.body(quiet.sleeper).is_asleep());
    quiet.world.shift_origin(o);
    quiet.world.create_body({.position = place + Vec2{3.0f, 0.2f}, .velocity = {-8.0f, 0.0f}},
                            Circle{0.4f}, {.density = 5.0f});
    for (int i = 0; i < 30; ++i) quiet.step({});
    CHECK(quiet.world.body(quiet.sleeper).position().x < place.x - 0.1f);
}

TEST_CASE("a sensor at rest sees what was put into it before the origin changed") {
    World world;
    const Vec2 place{512.0f, 0.0f};
    world.create_body({.type = BodyType::Static, .position = place}, Box{{1.0f, 1.0f}}, {},
                      {.is_sensor = true});
    for (int i = 0; i < 10; ++i) world.step();
    world.create_body({.type = BodyType::Static, .position = place}, Circle{0.5f});
    world.shift_origin(place);
    world.step();
    CHECK(world.events().sensor_began.size() == 1);
}

TEST_CASE("the ranges of bodies are seen from the new origin, too") {
    World world({.gravity = {}});
    world.create_body({.position = {512.0f, 256.0f}}, Circle{0.5f});
    world.step();
    world.shift_origin({512.0f, 256.0f});
    world.for_each_range([](const AABB& range) {
        CHECK(contains(range, Vec2{}));
        CHECK(length(size(range)) < 10.0f);
    });
}

TEST_CASE("a mover on one-way ground that grows as the origin changes stays on its feet") {
    World world;
    world.create_body({.type = BodyType::Static, .position = {0.0f, 99.5f}}, Box{{5.0f, 0.5f}}, {},
                      {.one_way = OneWay::Up});
    Mover mover{.shape = Capsule{0.2f, 0.3f}, .position = {0.0f, 100.51f}};
    for (int i = 0; i < 10; ++i) {
        world.step();
        (void)move(world, mover, {0.0f, -1.0f}, dt);
    }
    REQUIRE(mover.ground.is_grounded);
    world.shift_origin({0.0f, -64.0f});
    mover.shift_origin({0.0f, -64.0f});
    mover.shape = Capsule{0.4f, 0.3f};
    world.step();
    (void)move(world, mover, {0.0f, -1.0f}, dt);
    CHECK(mover.ground.is_grounded);
    CHECK(mover.position.y == doctest::Approx(164.7f).epsilon(1e-4));
}

TEST_CASE("a move_to goes on to its target, seen from the new origin") {
    World world({.gravity = {}});
    const BodyId lift = world.create_body(
        {.type = BodyType::Kinematic, .position = {1024.0f, 0.0f}}, Box{{1.0f, 0.5f}});
    world.body(lift).move_to({1024.5f, 0.25f});
    world.shift_origin({1024.0f, 0.0f});
    world.step();
    CHECK(world.body(lift).position() == Vec2{0.5f, 0.25f});
}

TEST_CASE("what is too slow for coarse coordinates moves once the origin is near") {
    World world({.gravity = {}});
    const Vec2 coarse{16384.0f, 0.0f};
    const BodyId snail =
        world.create_body({.position = coarse, .velocity = {0.02f, 0.0f}}, Circle{0.5f});
    for (int i = 0; i < 60; ++i) world.step();
    REQUIRE(world.body(snail).position() == coarse);
    world.shift_origin(coarse);
    for (int i = 0; i < 60; ++i) world.step();
    CHECK(world.body(snail).position().x == doctest::Approx(0.02f).epsilon(1e-3));
}

TEST_CASE(
    "a map is as fine millions of tiles from its own origin, once that of the world is there") {
    const auto [ball, mover] = go_down_hill(0);
    REQUIRE(ball.x > 5.0f);
    REQUIRE(mover.x > 12.0f);
    for (const std::int32_t column : {1024, -65536, 1048576, 4000000}) {
        CAPTURE(column);
        const auto [far_ball, far_mover] = go_down_hill(column);
        CHECK(distance(far_ball, ball) < 1e-5f);
        CHECK(distance(far_mover, mover) < 1e-5f);
    }
}

TEST_CASE("a mover rides and walks on while the origin follows it") {
    for (const float pace : {0.0f, 2.0f, 5.0f}) {
        CAPTURE(pace);
        const Walk stays = walk_on_train(pace, false);
        const Walk follows = walk_on_train(pace, true);
        CHECK(stays.shifts == 0);
        CHECK(follows.shifts >= 3);
        CHECK(follows.steps_in_air == stays.steps_in_air);
        CHECK(follows.way == doctest::Approx(stays.way).epsilon(1e-5));
    }
}

TEST_CASE("an origin that is not finite, or from which places are not, is refused") {
    World world;
    const BodyId ball = world.create_body({.position = {2e38f, 0.0f}}, Circle{1.0f});
    for (const float x : test::not_finite) {
        test::check_error([&] { world.shift_origin({0.0f, x}); }, {"shift_origin", "finite"});
    }
    test::check_error(
        [&] {
            world.shift_origin({-3e38f, 0.0f});
        },
        {"shift_origin", "what is at (2e+38, 0) comes to (inf, 0)", "finite"});
    CHECK(world.body(ball).position() == Vec2{2e38f, 0.0f});
}

}  // namespace origin_test

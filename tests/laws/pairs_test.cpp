// SPDX-License-Identifier: MIT
// Is all that touches a contact, whatever has happened to the bodies, and only that disturbed?
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "../support/random_bodies.hpp"
#include "../support/separation_oracle.hpp"

namespace pairs_test {

using namespace phys2d;

namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // of indices, lower one first

/// Float against double: four roundings of 2^-15 m, since some get out and fall for up to 500 m.
constexpr double rounding = 4 * 0x1p-15;

/// A room of bodies that fall, fly, come, go, sleep and are teleported. What is deep in others is
/// led past corners by them, and is not asked about.
class Room {
public:
    explicit Room(std::uint64_t seed) : random_(seed) {
        const Vec2 walls[] = {{0.0f, -11.0f}, {-11.0f, 0.0f}, {11.0f, 0.0f}, {0.0f, 11.0f}};
        std::int32_t unlike = 0;  // walls that other bodies meet are not welded
        for (const Vec2 place : walls) {
            const Vec2 half = place.x == 0.0f ? Vec2{12.0f, 1.0f} : Vec2{1.0f, 12.0f};
            world_.create_body({.type = BodyType::Static, .position = place}, Box{half}, {},
                               {.filter = {.group = ++unlike}});
        }
        for (int i = 0; i < 60; ++i) spawn();
    }

    void change() {
        if (random_.one_in(20)) spawn();
        if (random_.one_in(20)) world_.destroy_body(world_.ids()[random_index()]);
        if (random_.one_in(4)) random_body().teleport(random_.point(9.0f));
        if (random_.one_in(4)) random_body().set_velocity(test::random_velocity(random_));
    }

    void step() {
        const std::vector<BodyId> ids(world_.ids().begin(), world_.ids().end());
        std::vector<std::pair<BodyId, BodyId>> expected;
        Pairs found;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            for (std::size_t j = i + 1; j < ids.size(); ++j) {
                if (must_touch(ids[i], ids[j])) expected.emplace_back(ids[i], ids[j]);
            }
        }
        world_.step();
        std::vector<std::uint32_t> sunk;
        world_.for_each_contact([&](const WorldContact& contact) {
            found.push_back(ordered({contact.a, contact.b}));
            if (contact.manifold.penetration > 0.25f) {
                sunk.push_back(contact.a.index), sunk.push_back(contact.b.index);
            }
        });
        std::sort(found.begin(), found.end());
        const auto last = std::unique(found.begin(), found.end());
        twice += static_cast<int>(found.end() - last);
        found.erase(last, found.end());
        const auto is_sunk = [&](BodyId body) {
            return std::find(sunk.begin(), sunk.end(), body.index) != sunk.end();
        };
        for (const auto& pair : expected) {
            if (is_sunk(pair.first) || is_sunk(pair.second)) continue;
            if (!must_touch(pair.first, pair.second)) continue;
            ++overlaps;
            missing += std::binary_search(found.begin(), found.end(), ordered(pair)) ? 0 : 1;
        }
        asleep += world_.stats().sleeping_bodies;
    }

    int overlaps = 0, missing = 0, twice = 0, asleep = 0;

private:
    static Pairs::value_type ordered(std::pair<BodyId, BodyId> pair) {
        return {std::min(pair.first.index, pair.second.index),
                std::max(pair.first.index, pair.second.index)};
    }

    [[nodiscard]] bool must_touch(BodyId i, BodyId j) const {
        const ConstBodyRef a = world_.body(i), b = world_.body(j);
        if (a.inverse_mass() == 0.0f && b.inverse_mass() == 0.0f) return false;
        const auto placed = [](const ConstBodyRef& body) {
            test::Rounded shape = test::exact(body.shape());
            shape.x += double{body.position().x};
            shape.y += double{body.position().y};
            return shape;
        };
        const test::Rounded first = placed(a), second = placed(b);
        return test::separate(first, second).separation < -rounding && !graze(first, second);
    }

    /// Whether two overlap by no more than a corner, by less than the slop and, if they are boxes,
    /// what gravity adds in a step.
    static bool graze(const test::Rounded& a, const test::Rounded& b) {
        const double q_x = std::fabs(a.x - b.x) - (a.half_width + b.half_width);
        const double q_y = std::fabs(a.y - b.y) - (a.half_height + b.half_height);
        const double slop{detail::corner_slop};
        if (a.radius + b.radius == 0.0) return std::min(q_x, q_y) > -slop - 10.0 / 3600.0;
        return std::min(q_x, q_y) > 0.0 && test::separate(a, b).separation > -slop;
    }

    void spawn() {
        const BodyType type = random_.one_in(12) ? BodyType::Kinematic : BodyType::Dynamic;
        const BodyDef def{.type = type,
                          .position = random_.point(9.0f),
                          .velocity = test::random_velocity(random_)};
        world_.create_body(def, test::random_collider(random_));
    }

    [[nodiscard]] std::size_t random_index() { return random_.bits() % world_.body_count(); }
    [[nodiscard]] BodyRef random_body() { return world_.body(world_.ids()[random_index()]); }

    test::Random random_;
    World world_{{.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.2f}};
};

}  // namespace

TEST_CASE("what overlaps before and after a step is among its contacts, and none is there twice") {
    constexpr int worlds = test::many / 50'000;  // 20, or 2 without optimisation
    constexpr int steps = 300;
    int overlaps = 0, missing = 0, twice = 0, asleep = 0;
    for (int seed = 1; seed <= worlds; ++seed) {
        Room room(static_cast<std::uint64_t>(seed));
        for (int step = 0; step < steps; ++step) {
            room.change();
            room.step();
        }
        overlaps += room.overlaps;
        missing += room.missing;
        twice += room.twice;
        asleep += room.asleep;
    }
    CHECK(missing == 0);
    CHECK(twice == 0);
    CHECK(overlaps > worlds * steps * 10);  // that was put to the test
    CHECK(asleep > worlds * steps);
}

TEST_CASE("a pile at rest does not notice that something wakes far away") {
    for (const std::uint64_t seed : {2u, 3u}) {
        World world({.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.5f});
        world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}},
                          Box{{200.0f, 1.0f}});
        const BodyId sleeper = world.create_body({.position = {100.0f, 0.5f}}, Box{{0.5f, 0.5f}});
        test::Random random(seed * test::Random::default_seed);
        std::vector<BodyId> pile;
        for (int i = 0; i < 100; ++i) {
            const Vec2 place{random.uniform(-3.0f, 3.0f), 3.0f + 0.6f * static_cast<float>(i)};
            pile.push_back(world.create_body({.position = place}, Box{{0.3f, 0.3f}}));
            // a nudge of no effect but to stay awake
            world.body(pile.back()).apply_impulse({1.0f, 0.0f}, 1e6f);
        }
        for (int i = 0; i < 900; ++i) world.step();
        REQUIRE(world.body(sleeper).is_asleep());
        REQUIRE_FALSE(world.body(pile[0]).is_asleep());
        world.create_body({.position = {100.0f, 1.5f}}, Circle{0.5f});
        world.step();
        CHECK_FALSE(world.body(sleeper).is_asleep());
        // at rest they creep at 1e-5 m/s; without what carries them they fall at g h = 0.04 m/s
        float fastest = 0.0f;
        for (const BodyId id : pile) fastest = max(fastest, length(world.body(id).velocity()));
        CHECK(fastest < 1e-3f);
    }
}

namespace {

/// Twenty columns of twenty boxes, at rest, which do not touch each other.
std::vector<BodyId> add_pile(World& world) {
    std::vector<BodyId> pile;
    for (int i = 0; i < 400; ++i) {
        const Vec2 place{1.5f * static_cast<float>(i % 20), 0.5f + static_cast<float>(i / 20)};
        pile.push_back(world.create_body({.position = place}, Box{{0.49f, 0.5f}}));
    }
    for (int i = 0; i < 200; ++i) world.step();
    return pile;
}

float fastest_of(const World& world, const std::vector<BodyId>& bodies) {
    float fastest = 0.0f;
    for (const BodyId id : bodies) fastest = max(fastest, length(world.body(id).velocity()));
    return fastest;
}

/// At rest they creep at 1e-5 m/s; without what carries them they fall at g h = 0.04 m/s.
constexpr float creep = 1e-3f;

}  // namespace

TEST_CASE("a pile at rest does not notice bodies that come and go, and few pairs are found again") {
    World world({.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.0f});
    const BodyId floor = world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}},
                                           Box{{200.0f, 1.0f}});
    world.create_body({.type = BodyType::Kinematic, .position = {-40.0f, 0.0f}}, Box{{1.0f, 1.0f}});
    const std::vector<BodyId> pile = add_pile(world);
    std::vector<BodyId> guests;
    int found_again = 0, began = 0, ended = 0;
    float fastest = 0.0f;
    for (int step = 0; step < 300; ++step) {
        const BodyType type = step % 10 == 0 ? BodyType::Kinematic : BodyType::Dynamic;
        const Vec2 place{60.0f + 3.0f * static_cast<float>(step % 8), 0.5f};
        guests.push_back(world.create_body({.type = type, .position = place}, Circle{0.5f}));
        if (guests.size() == 8) {
            world.destroy_body(guests.front());
            guests.erase(guests.begin());
        }
        world.step();
        found_again += world.stats().pairs_rebuilt;
        for (const ContactEvent& event : world.events().began)
            began += event.a == floor || event.b == floor;
        for (const ContactEvent& event : world.events().ended)
            ended += event.a == floor || event.b == floor;
        fastest = max(fastest, fastest_of(world, pile));
    }
    CHECK(fastest < creep);
    CHECK(found_again < 300 / 10);
    CHECK(began == 270);  // of the dynamic guests, each in its first step
    CHECK(ended == 263);  // and in that after which it went
}

TEST_CASE(
    "a body in a pile that is told again and again what it is rests on, and so do the others") {
    World world({.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.0f});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{200.0f, 1.0f}});
    const std::vector<BodyId> pile = add_pile(world);
    test::Random random;
    int found_again = 0;
    std::size_t events = 0;
    float fastest = 0.0f;
    for (int step = 0; step < 300; ++step) {
        BodyRef body = world.body(pile[random.bits() % pile.size()]);
        switch (step % 5) {
            case 0: body.set_filter(body.collider_def().filter); break;
            case 1: body.set_mass(body.mass()); break;
            case 2: body.set_shape(body.shape()); break;
            case 3: body.set_material(body.material()); break;
            default: body.set_type(BodyType::Dynamic); break;
        }
        world.step();
        found_again += world.stats().pairs_rebuilt;
        events += world.events().began.size() + world.events().ended.size();
        fastest = max(fastest, fastest_of(world, pile));
    }
    CHECK(fastest < creep);
    CHECK(found_again < 300 / 10);
    CHECK(events == 0);
}

TEST_CASE("islands that wake one by one rest on, and not all pairs are found again") {
    World world({.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.5f});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{200.0f, 1.0f}});
    const std::vector<BodyId> pile = add_pile(world);
    for (int i = 0; i < 1'000; ++i) {  // that stay awake
        const Vec2 place{-150.0f + 0.25f * static_cast<float>(i), 30.0f};
        world.create_body({.position = place, .velocity = {0.0f, 1.0f}, .gravity_scale = 0.0f},
                          Circle{0.1f});
    }
    for (int i = 0; i < 43; ++i) world.step();
    REQUIRE(world.stats().sleeping_bodies == 400);
    int found_again = 0;
    float fastest = 0.0f;
    for (const BodyId id : {pile[0], pile[1], pile[2], pile[3], pile[4]}) {
        world.body(id).apply_impulse({0.0f, 1e-6f});
        world.step();
        CHECK_FALSE(world.body(id).is_asleep());
        found_again += world.stats().pairs_rebuilt;
        fastest = max(fastest, fastest_of(world, pile));
    }
    CHECK(world.stats().sleeping_bodies == 300);
    CHECK(fastest < creep);
    CHECK(found_again <= 1);  // when those that stay awake leave their ranges, all at once
}

TEST_CASE("what bursts among sleepers has few pairs that do not meet, while it wakes one by one") {
    World world({.gravity = {}, .time_to_sleep = 0.3f});
    for (int i = 0; i < 600; ++i) {
        const Vec2 place{static_cast<float>(i % 20), static_cast<float>(i / 20) - 15.0f};
        world.create_body({.position = Vec2{16.0f, 0.0f} + 1.5f * place}, Circle{0.1f});
    }
    for (int i = 0; i < 60; ++i) world.step();
    for (int i = 0; i < 1'000; ++i) {
        const Vec2 place{static_cast<float>(i % 40 - 20), static_cast<float>(i / 40 - 12)};
        world.create_body({.position = 0.21f * place, .velocity = 4.0f * place}, Circle{0.1f});
    }
    int steps_with_many = 0;  // seldom: pairs for several steps are tried again
    int steps_with_wakes = 0;
    for (int step = 0; step < 40; ++step) {
        world.step();
        steps_with_many += world.stats().pairs > 1'000 ? 1 : 0;
        steps_with_wakes += world.events().woke.empty() ? 0 : 1;
    }
    CHECK(steps_with_wakes > 15);
    CHECK(steps_with_many < 5);
}

TEST_CASE("what is pushed onto a one-way side that it would have passed is held, in a burst, too") {
    World world({.gravity = {}});
    std::vector<BodyId> platforms, held;
    for (int i = 0; i < 40; ++i) {  // each is struck from above, sooner or later in a step
        const float x = 4.0f * static_cast<float>(i), above = 0.7f + 0.02f * static_cast<float>(i);
        platforms.push_back(world.create_body({.position = {x, -0.5f}, .mass = 1e4f},
                                              Box{{1.0f, 0.5f}}, {}, {.one_way = OneWay::Up}));
        held.push_back(
            world.create_body({.position = {x, 0.23f}, .mass = 1.0f}, Box{{0.2f, 0.2f}}));
        world.create_body({.position = {x, above}, .velocity = {0.0f, -5.0f}, .mass = 20.0f},
                          Box{{0.2f, 0.2f}});
    }
    for (int i = 0; i < 400; ++i) {
        const Vec2 place{static_cast<float>(i % 20 - 10), static_cast<float>(i / 20 - 10)};
        const Vec2 position = Vec2{0.0f, 100.0f} + 0.21f * place;
        world.create_body({.position = position, .velocity = 4.0f * place}, Circle{0.1f});
    }
    for (int step = 0; step < 14; ++step) world.step();
    for (std::size_t i = 0; i < held.size(); ++i) {
        CAPTURE(i);
        const Vec2 platform = world.body(platforms[i]).position();
        CHECK(world.body(held[i]).position().y - platform.y > 0.65f);
    }
}

TEST_CASE("what bursts in a room that moves stays in it, whatever the room is made of") {
    const auto add_tiles = [](World& world) {
        const BodyId room = world.create_tile_map({.type = BodyType::Kinematic});
        TileMapRef tiles = world.tile_map(room);
        tiles.define(1, {});
        tiles.fill({{-6, -6}, {5, 5}}, 1);
        tiles.fill({{-5, -5}, {4, 4}}, 0);
        return room;
    };
    const auto add_boxes = [](World& world) {
        const BodyId room = world.create_body({.type = BodyType::Kinematic, .position = {}},
                                              Box{{0.5f, 6.0f}, {-5.5f, 0.0f}});
        world.add_collider(room, Box{{0.5f, 6.0f}, {5.5f, 0.0f}});
        world.add_collider(room, Box{{6.0f, 0.5f}, {0.0f, -5.5f}});
        world.add_collider(room, Box{{6.0f, 0.5f}, {0.0f, 5.5f}});
        return room;
    };
    const auto add_chain = [](World& world) {
        const Vec2 points[] = {{-5.0f, -5.0f}, {-5.0f, 5.0f}, {5.0f, 5.0f}, {5.0f, -5.0f}};
        return world.create_body({.type = BodyType::Kinematic},
                                 Chain{.points = points, .is_loop = true});
    };
    const auto check_burst_in = [](auto add_room) {
        World world({.gravity = {}});
        const BodyId room = add_room(world);
        world.body(room).set_velocity({3.0f, 2.0f});
        std::vector<BodyId> balls;
        for (int i = 0; i < 400; ++i) {
            const Vec2 place{static_cast<float>(i % 20) - 9.5f, static_cast<float>(i / 20) - 9.5f};
            balls.push_back(world.create_body({.position = 0.41f * place, .velocity = 8.0f * place},
                                              Circle{0.2f}, {.restitution = 1.0f}));
        }
        int brief = 0;
        for (int step = 0; step < 60; ++step) {
            world.step();
            brief += world.stats().pairs_rebuilt ? 1 : 0;
        }
        CHECK(brief > 20);
        for (const BodyId ball : balls) {
            const Vec2 place = world.body(ball).position() - world.body(room).position();
            CHECK(max(abs(place.x), abs(place.y)) < 5.0f);
        }
    };
    SUBCASE("tiles") { check_burst_in(add_tiles); }
    SUBCASE("boxes") { check_burst_in(add_boxes); }
    SUBCASE("a chain") { check_burst_in(add_chain); }
}

}  // namespace pairs_test

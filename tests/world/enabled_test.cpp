// SPDX-License-Identifier: MIT
// Is what is switched off nowhere, for everything else, and does it come back as it was?
#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>
#include <phys2d/world/debug_draw.hpp>

#include "../support/commotion.hpp"

namespace enabled_test {

using namespace phys2d;

namespace {

const Box unit_box{{0.5f, 0.5f}};
constexpr float dt = 1.0f / 60.0f;

void run(World& world, int steps) {
    for (int i = 0; i < steps; ++i) world.step();
}

/// A floor whose top is at y = 0, and a box that rests on it.
struct Resting {
    World world;
    BodyId floor = world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}},
                                     Box{{10.0f, 1.0f}});
    BodyId box = world.create_body({.position = {0.0f, 0.5f}}, unit_box);

    explicit Resting(float time_to_sleep = 0.0f) : world({.time_to_sleep = time_to_sleep}) {
        run(world, 90);
    }
};

bool is_on_ray(const World& world, BodyId body) {
    const Vec2 origin = world.body(body).position() + Vec2{-3.0f, 0.0f};
    return world.ray_cast(origin, {6.0f, 0.0f}).body == body;
}
bool is_in_overlap(const World& world, BodyId body) {
    bool found = false;
    world.for_each_overlap(world.body(body).bounds(),
                           [&](BodyId other) { found = found || other == body; });
    return found;
}
bool is_nearest(const World& world, BodyId body) {
    const Vec2 above = world.body(body).position() + Vec2{0.0f, 0.7f};
    return world.nearest(above, 0.5f).body == body;
}

/// The bodies of events, as sets: their order follows the slots of terrain and of what rests.
using Pairs = std::vector<std::pair<BodyId, BodyId>>;
Pairs pairs_of(Span<const ContactEvent> events) {
    Pairs pairs;
    for (const ContactEvent& event : events) pairs.emplace_back(event.a, event.b);
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}
Pairs pairs_of(Span<const SensorEvent> events) {
    Pairs pairs;
    for (const SensorEvent& event : events) pairs.emplace_back(event.sensor, event.visitor);
    return pairs;
}
bool tell_the_same(const Events& a, const Events& b) {
    return pairs_of(a.began) == pairs_of(b.began) && pairs_of(a.ended) == pairs_of(b.ended) &&
           pairs_of(a.sensor_began) == pairs_of(b.sensor_began) &&
           pairs_of(a.sensor_ended) == pairs_of(b.sensor_ended);
}

/// Changes a body that is switched off in ways that nobody else may notice.
void change_unseen(World& world, BodyId id, test::Random& random) {
    BodyRef body = world.body(id);
    if (random.one_in(3)) body.teleport(random.point(6.0f));
    if (random.one_in(3)) body.set_velocity(random.point(9.0f));
    if (random.one_in(4)) body.apply_impulse(random.point(1.0f));
    if (random.one_in(4)) body.apply_force(random.point(1.0f));
    if (random.one_in(4)) body.set_gravity_scale(0.5f);
    if (random.one_in(4)) body.wake();
    if (body.type() == BodyType::Kinematic && random.one_in(2)) body.move_to(random.point(6.0f));
}

bool is_compound(const World& world, BodyId body) {
    int colliders = 0;
    world.for_each_collider(body, [&](ColliderId) { ++colliders; });
    return colliders > 1;
}

/// Whether some bodies are in the same order in two worlds, so that the same is solved first.
bool are_in_one_order(const World& a, const World& b, const std::vector<BodyId>& bodies) {
    const auto order_in = [&](const World& world) {
        std::vector<BodyId> order;
        for (const BodyId id : world.ids()) {
            if (std::find(bodies.begin(), bodies.end(), id) != bodies.end()) order.push_back(id);
        }
        return order;
    };
    return order_in(a) == order_in(b);
}

}  // namespace

TEST_CASE("for all others a body that is switched off is as one that was destroyed") {
    constexpr int worlds = test::many / 5'000;
    int compared = 0;
    for (std::uint64_t seed = 1; seed <= worlds; ++seed) {
        CAPTURE(seed);
        test::Commotion played(seed);
        for (int i = 0; i < 60; ++i) {
            played.before_step();
            played.world.step();
        }
        test::Random random(seed);
        std::vector<BodyId> off, on;
        bool any_compound = false;  // whose colliders are destroyed in another order of slots
        played.world.for_each_body([&](BodyId id) {
            (random.one_in(5) ? off : on).push_back(id);
            any_compound = any_compound || is_compound(played.world, id);
        });
        World world = played.world, other = played.world;
        for (const BodyId id : off) {
            world.body(id).set_enabled(false);
            other.destroy_body(id);
            change_unseen(world, id, random);
        }
        if (any_compound || !are_in_one_order(world, other, on)) continue;
        for (int i = 0; i < 60; ++i) {
            world.step();
            other.step();
            // in one of them so many slots may have changed that all pairs are found, in their
            // order
            if (world.stats().pairs_rebuilt != other.stats().pairs_rebuilt) break;
            REQUIRE(tell_the_same(world.events(), other.events()));
            for (const BodyId id : on) {
                REQUIRE(world.body(id).position() == other.body(id).position());
                REQUIRE(world.body(id).velocity() == other.body(id).velocity());
                REQUIRE(world.body(id).is_asleep() == other.body(id).is_asleep());
                ++compared;
            }
        }
    }
    CHECK(compared > worlds * 60 * 10);
}

TEST_CASE("queries miss what is switched off at once, and meet it again at once") {
    for (const BodyType type : {BodyType::Static, BodyType::Kinematic, BodyType::Dynamic}) {
        for (const int steps : {0, 3}) {
            World world({.gravity = {}});
            const BodyId body =
                world.create_body({.type = type, .position = {2.0f, 1.0f}}, unit_box);
            run(world, steps);
            world.body(body).set_enabled(false);
            CHECK_FALSE(world.body(body).is_enabled());
            for (int i = 0; i < 2; ++i) {  // before a step and after it
                CHECK_FALSE(is_on_ray(world, body));
                CHECK_FALSE(is_in_overlap(world, body));
                CHECK_FALSE(is_nearest(world, body));
                run(world, 1);
            }
            world.body(body).set_enabled(true);
            for (int i = 0; i < 2; ++i) {
                CHECK(is_on_ray(world, body));
                CHECK(is_in_overlap(world, body));
                CHECK(is_nearest(world, body));
                run(world, 1);
            }
        }
    }
}

TEST_CASE("what is switched off stays where it is, and falls on with its velocity afterwards") {
    World world({.gravity = {0.0f, -10.0f}});
    const BodyId ball = world.create_body({.velocity = {3.0f, 4.0f}}, Circle{0.5f});
    world.step();
    const Vec2 place = world.body(ball).position();
    const Vec2 velocity = world.body(ball).velocity();
    world.body(ball).apply_force({100.0f, 0.0f});  // is cancelled
    world.body(ball).set_enabled(false);
    world.body(ball).set_enabled(false);  // it is already
    run(world, 10);
    CHECK(world.body(ball).position() == place);
    CHECK(world.body(ball).interpolated_position(0.5f) == place);
    CHECK(world.body(ball).velocity() == velocity);
    CHECK(world.moving_count() == 0);
    world.body(ball).set_velocity({1.0f, 0.0f});
    CHECK(world.body(ball).velocity() == Vec2{1.0f, 0.0f});
    world.body(ball).teleport({5.0f, 5.0f});
    world.body(ball).set_enabled(true);
    CHECK(world.body(ball).interpolated_position(0.0f) == Vec2{5.0f, 5.0f});
    run(world, 60);
    CHECK(world.body(ball).velocity().x == 1.0f);
    CHECK(world.body(ball).velocity().y == doctest::Approx(-10.0f).epsilon(1e-4));
    CHECK(world.body(ball).position().x == doctest::Approx(6.0f).epsilon(1e-4));
}

TEST_CASE("who stands on a floor falls when that is switched off, asleep or awake") {
    for (const float time_to_sleep : {0.0f, 0.3f}) {
        Resting scene(time_to_sleep);
        REQUIRE(scene.world.body(scene.box).is_asleep() == (time_to_sleep > 0.0f));
        scene.world.body(scene.floor).set_enabled(false);
        CHECK_FALSE(scene.world.body(scene.box).is_asleep());
        scene.world.step();
        CHECK(scene.world.events().ended.size() == 1);
        CHECK_FALSE(scene.world.are_touching(scene.box, scene.floor));
        run(scene.world, 5);
        CHECK(scene.world.body(scene.box).velocity().y < -0.9f);
        scene.world.body(scene.box).teleport({0.0f, 0.5f});
        scene.world.body(scene.box).set_velocity({});
        scene.world.body(scene.floor).set_enabled(true);
        scene.world.step();
        CHECK(scene.world.events().began.size() == 1);
        run(scene.world, 60);
        CHECK(scene.world.body(scene.box).position().y == doctest::Approx(0.5f).epsilon(0.005));
    }
}

TEST_CASE("what sleeps wakes to be switched off, and so does its island") {
    Resting scene(0.3f);
    const BodyId upper = scene.world.create_body({.position = {0.0f, 1.5f}}, unit_box);
    run(scene.world, 90);
    REQUIRE(scene.world.body(upper).is_asleep());
    scene.world.body(scene.box).set_enabled(false);
    CHECK_FALSE(scene.world.body(upper).is_asleep());
    CHECK_FALSE(scene.world.body(scene.box).is_asleep());
    run(scene.world, 120);
    CHECK(scene.world.body(upper).position().y == doctest::Approx(0.5f).epsilon(0.005));
    CHECK(scene.world.body(upper).is_asleep());
    CHECK(scene.world.stats().sleeping_bodies == 1);
}

TEST_CASE("a sleeper does not notice what changes on a platform or a map that is switched off") {
    Resting scene(0.3f);
    const BodyId platform = scene.world.create_body(
        {.type = BodyType::Kinematic, .position = {0.0f, 3.0f}}, Box{{2.0f, 0.1f}});
    const BodyId map = scene.world.create_tile_map();
    scene.world.tile_map(map).define('#');
    scene.world.body(platform).set_enabled(false);
    scene.world.body(map).set_enabled(false);
    run(scene.world, 60);
    REQUIRE(scene.world.body(scene.box).is_asleep());
    scene.world.body(platform).teleport({0.0f, 0.5f});
    scene.world.body(platform).set_shape(Box{{3.0f, 0.1f}});
    scene.world.body(platform).set_velocity({1.0f, 0.0f});
    scene.world.add_collider(platform, Box{{1.0f, 1.0f}});
    scene.world.tile_map(map).set({0, 0}, '#');
    scene.world.tile_map(map).define('+');
    scene.world.step();
    CHECK(scene.world.body(scene.box).is_asleep());
    scene.world.body(platform).set_enabled(true);
    CHECK_FALSE(scene.world.body(scene.box).is_asleep());
}

TEST_CASE("move_to ends with being switched off, and has no effect before the body is on again") {
    World world;
    const BodyId lift = world.create_body({.type = BodyType::Kinematic}, Box{{2.0f, 0.1f}});
    const BodyId rider = world.create_body({.position = {0.0f, 0.6f}}, unit_box);
    run(world, 30);
    const float before = world.body(rider).position().x;
    world.body(lift).move_to({0.1f, 0.0f});
    world.body(lift).set_enabled(false);
    CHECK(world.body(lift).velocity() == Vec2{});
    world.step();
    world.body(lift).move_to({0.2f, 0.0f});
    run(world, 2);
    CHECK(world.body(lift).position() == Vec2{});
    CHECK(world.body(rider).position().x == before);
    world.body(lift).set_velocity({});
    world.body(lift).set_enabled(true);
    world.body(lift).move_to({0.3f, 0.0f});
    world.step();
    CHECK(world.body(lift).position() == Vec2{0.3f, 0.0f});
}

TEST_CASE("a move_to while it is off leaves no velocity behind") {
    World world({.gravity = {}});
    const BodyId lift = world.create_body({.type = BodyType::Kinematic}, Box{{2.0f, 0.1f}});
    world.body(lift).set_enabled(false);
    world.body(lift).move_to({1.0f, 0.0f});
    world.step();
    CHECK(world.body(lift).velocity() == Vec2{});
    CHECK(world.body(lift).position() == Vec2{});
    world.body(lift).set_enabled(true);
    run(world, 10);
    CHECK(world.body(lift).position() == Vec2{});
}

TEST_CASE("a body that has been off drops through nothing, nor does one through a platform") {
    for (const int scene : {0, 1, 2}) {
        CAPTURE(scene);
        World world;
        const BodyId platform =
            world.create_body({.type = BodyType::Static, .position = {0.0f, -0.5f}},
                              Box{{5.0f, 0.5f}}, {}, {.one_way = OneWay::Up});
        const BodyId box = world.create_body({.position = {0.0f, 0.5f}}, unit_box);
        run(world, 20);
        const BodyId off = scene == 2 ? platform : box;
        if (scene == 1) world.body(off).set_enabled(false);
        world.body(box).drop_through();
        world.body(off).set_enabled(false);
        if (scene < 2) run(world, 3);
        world.body(off).set_enabled(true);
        run(world, 60);
        CHECK(world.body(box).position().y == doctest::Approx(0.5f).epsilon(0.005));
    }
}

TEST_CASE("a body drops through its platform though it stood on another that is off now") {
    World world;
    world.create_body({.type = BodyType::Static, .position = {0.0f, -0.5f}}, Box{{5.0f, 0.5f}}, {},
                      {.one_way = OneWay::Up});
    const BodyId stool =
        world.create_body({.type = BodyType::Static, .position = {0.4f, -0.5f}}, Box{{0.1f, 0.5f}});
    const BodyId box = world.create_body({.position = {0.0f, 0.5f}}, unit_box);
    run(world, 20);
    REQUIRE(world.are_touching(box, stool));
    world.body(box).drop_through();
    world.body(stool).set_enabled(false);
    run(world, 60);
    CHECK(world.body(box).position().y < -1.0f);
}

TEST_CASE("a one-way side that was off for less than a step lets go, as one that was teleported") {
    for (const bool is_platform : {false, true}) {
        World world;
        const BodyId platform =
            world.create_body({.type = BodyType::Static, .position = {0.0f, -0.5f}},
                              Box{{5.0f, 0.5f}}, {}, {.one_way = OneWay::Up});
        const BodyId box = world.create_body({.position = {0.0f, 0.5f}}, unit_box);
        const BodyId press = world.create_body(
            {.type = BodyType::Kinematic, .position = {0.0f, 1.52f}, .velocity = {0.0f, -0.5f}},
            unit_box);
        run(world, 40);
        REQUIRE(world.body(box).position().y < 0.45f);
        world.destroy_body(press);
        const BodyId off = is_platform ? platform : box;
        world.body(off).set_enabled(false);
        world.body(off).set_enabled(true);
        world.step();
        CHECK(world.events().ended.size() == 2);
        run(world, 60);
        CHECK(world.body(box).position().y < -1.0f);
    }
}

TEST_CASE("a bullet of a pool that hits the same wall twice running is told twice") {
    World world({.gravity = {}});
    const BodyId wall =
        world.create_body({.type = BodyType::Static, .position = {5.0f, 0.0f}}, Box{{0.5f, 5.0f}});
    const BodyId bullet = world.create_body({.velocity = {60.0f, 0.0f}}, Circle{0.1f});
    world.body(bullet).teleport({4.0f, 0.0f});
    world.step();
    REQUIRE(world.events().began.size() == 1);
    for (int shot = 0; shot < 5; ++shot) {
        BodyRef body = world.body(shot % 2 == 0 ? bullet : wall);
        body.set_enabled(false);
        body.set_enabled(true);
        world.body(bullet).teleport({4.0f, 0.0f});
        world.body(bullet).set_velocity({60.0f, 0.0f});
        world.step();
        CHECK(world.events().ended.size() == 1);
        CHECK(world.events().began.size() == 1);
        CHECK(world.events().hits.size() == 1);
        CHECK(world.are_touching(bullet, wall));
    }
    world.step();
    CHECK(world.events().ended.size() == 0);
    CHECK(world.events().began.size() == 0);
}

TEST_CASE("a contact or visit of what was off for less than a step ends and begins, else none") {
    Resting scene;
    const BodyId other = scene.world.create_body({.position = {3.0f, 0.5f}}, unit_box);
    const BodyId eye = scene.world.create_body({.type = BodyType::Static}, Box{{4.0f, 0.2f}}, {},
                                               {.filter = {.mask = 2}, .is_sensor = true});
    for (const BodyId id : {scene.box, other}) scene.world.body(id).set_filter({.category = 3});
    run(scene.world, 10);
    for (const BodyId off : {scene.box, eye, scene.floor}) {
        scene.world.body(off).set_enabled(false);
        scene.world.body(off).set_enabled(true);
        scene.world.step();
        const Events events = scene.world.events();
        const std::size_t contacts = off == eye ? 0 : off == scene.box ? 1 : 2;
        const std::size_t visits = off == eye ? 2 : off == scene.box ? 1 : 0;
        CHECK(events.ended.size() == contacts);
        CHECK(events.began.size() == contacts);
        CHECK(events.sensor_ended.size() == visits);
        CHECK(events.sensor_began.size() == visits);
        run(scene.world, 5);
        CHECK(scene.world.events().began.size() == 0);
    }
}

TEST_CASE("a platform that changed its velocity while it was off takes nobody along at once") {
    Resting scene;
    const BodyId platform = scene.world.create_body(
        {.type = BodyType::Kinematic, .position = {0.0f, -1.0f}}, Box{{10.0f, 1.0f}});
    scene.world.body(platform).set_enabled(false);
    scene.world.step();
    scene.world.body(platform).set_velocity({3.0f, 0.0f});
    scene.world.body(platform).set_enabled(true);
    scene.world.destroy_body(scene.floor);
    scene.world.step();
    CHECK(scene.world.body(scene.box).velocity().x > 0.0f);
    CHECK(scene.world.body(scene.box).velocity().x < 0.2f);  // by friction, as on a new platform
}

TEST_CASE("a velocity that a platform gets just before it is switched off is none for its rider") {
    World world;
    const BodyId lift = world.create_body({.type = BodyType::Kinematic}, Box{{2.0f, 0.1f}});
    const BodyId rider = world.create_body({.position = {0.0f, 0.6f}}, unit_box);
    run(world, 30);
    world.body(lift).set_velocity({3.0f, 0.0f});
    world.body(lift).set_enabled(false);
    world.step();
    CHECK(world.body(rider).velocity().x == 0.0f);
    CHECK(world.body(lift).velocity() == Vec2{3.0f, 0.0f});
}

TEST_CASE("visits end when the sensor or the visitor is switched off, and begin again") {
    for (const bool is_sensor : {false, true}) {
        for (const BodyType type : {BodyType::Static, BodyType::Kinematic, BodyType::Dynamic}) {
            World world({.gravity = {}});
            const BodyId eye =
                world.create_body({.type = BodyType::Static}, unit_box, {}, {.is_sensor = true});
            const BodyId visitor = world.create_body({.type = type}, Circle{0.2f});
            run(world, 3);
            world.body(is_sensor ? eye : visitor).set_enabled(false);
            world.step();
            REQUIRE(world.events().sensor_ended.size() == 1);
            CHECK(world.events().sensor_ended[0].visitor == visitor);
            run(world, 3);
            CHECK(world.events().sensor_began.size() == 0);
            world.body(is_sensor ? eye : visitor).set_enabled(true);
            world.step();
            CHECK(world.events().sensor_began.size() == 1);
        }
    }
}

TEST_CASE("all colliders of a body go, also one that was added meanwhile, and all come back") {
    Resting scene;
    const BodyId table = scene.world.create_body(
        {.type = BodyType::Static, .position = {0.0f, 3.0f}}, Box{{0.5f, 0.1f}});
    scene.world.add_collider(table, Box{{0.5f, 0.1f}, {3.0f, 0.0f}});
    scene.world.body(table).set_enabled(false);
    scene.world.add_collider(table, Box{{0.5f, 0.1f}, {6.0f, 0.0f}});
    const auto heights = [&] {
        std::vector<float> found;
        for (const float x : {0.0f, 3.0f, 6.0f}) {
            found.push_back(scene.world.ray_cast({x, 8.0f}, {0.0f, -20.0f}).point.y);
        }
        return found;
    };
    for (const bool is_on : {false, true}) {
        scene.world.body(table).set_enabled(is_on);
        for (int i = 0; i < 2; ++i) {
            for (const float height : heights()) CHECK((height > 3.0f) == is_on);
            scene.world.step();
        }
    }
}

TEST_CASE("a tile map that is switched off can be edited, and holds bodies as edited afterwards") {
    for (const BodyType type : {BodyType::Static, BodyType::Kinematic}) {
        World world;
        const BodyId map = world.create_tile_map({.type = type});
        TileMapRef tiles = world.tile_map(map);
        tiles.define('#');
        tiles.load("####");
        const BodyId left = world.create_body({.position = {0.5f, 1.5f}}, unit_box);
        const BodyId right = world.create_body({.position = {2.5f, 1.5f}}, unit_box);
        run(world, 10);
        world.body(map).set_enabled(false);
        run(world, 10);
        for (const BodyId box : {left, right}) {
            CHECK(world.body(box).velocity().y < -1.0f);
            world.body(box).teleport({box == left ? 0.5f : 2.5f, 1.5f});
            world.body(box).set_velocity({});
        }
        tiles.set({2, 0}, 0);
        world.body(map).set_enabled(true);
        run(world, 30);
        CHECK(world.body(left).position().y == doctest::Approx(1.5f).epsilon(0.005));
        CHECK(world.body(right).position().y < 0.5f);  // falls through the gap
    }
}

TEST_CASE("where a piece of a floor is switched off its neighbours have sides") {
    World world;
    const auto piece = [&](float x) {
        return world.create_body({.type = BodyType::Static, .position = {x, -0.5f}}, unit_box);
    };
    piece(-0.5f);
    const BodyId middle = piece(0.5f);
    piece(1.5f);
    run(world, 1);
    world.body(middle).set_enabled(false);
    const BodyId ball = world.create_body({.position = {0.5f, -0.5f}, .velocity = {9.0f, 0.0f}},
                                          Circle{0.2f}, {.restitution = 1.0f});
    world.body(ball).set_gravity_scale(0.0f);
    run(world, 60);
    CHECK(std::abs(world.body(ball).position().x - 0.5f) < 0.31f);  // between the two others
    world.destroy_body(ball);
    world.body(middle).set_enabled(true);
    const BodyId slider = world.create_body({.position = {-0.7f, 0.2f}, .velocity = {3.0f, 0.0f}},
                                            Box{{0.2f, 0.2f}}, {.friction = 0.0f});
    run(world, 30);
    CHECK(world.body(slider).velocity().x == doctest::Approx(3.0f).epsilon(1e-4));
}

TEST_CASE("a mover neither stands on what is switched off nor is stopped by it") {
    Resting scene;
    const BodyId wall = scene.world.create_body(
        {.type = BodyType::Static, .position = {3.0f, 1.0f}}, Box{{0.5f, 1.0f}});
    scene.world.destroy_body(scene.box);
    Mover mover{.shape = Box{{0.3f, 0.5f}}, .position = {0.0f, 0.5f}};
    const auto walk = [&](int steps) {
        for (int i = 0; i < steps; ++i) (void)move(scene.world, mover, {3.0f, -1.0f}, dt);
    };
    walk(60);
    CHECK(mover.position.x < 2.21f);
    CHECK(mover.ground.is_grounded);
    scene.world.body(wall).set_enabled(false);
    walk(60);
    CHECK(mover.position.x > 5.0f);
    scene.world.body(scene.floor).set_enabled(false);
    walk(3);
    CHECK_FALSE(mover.ground.is_grounded);
    CHECK(mover.position.y < 0.49f);
}

TEST_CASE("a platform or a conveyor that is switched off does not carry its mover once more") {
    for (const bool is_on : {false, true}) {
        World world;
        const BodyId platform = world.create_body(
            {.type = BodyType::Kinematic, .position = {0.0f, -0.5f}, .velocity = {3.0f, 0.0f}},
            Box{{9.0f, 0.5f}}, {.surface_velocity = {2.0f, 0.0f}});
        Mover mover{.shape = Box{{0.3f, 0.5f}}, .position = {0.0f, 0.5f}};
        for (int i = 0; i < 30; ++i) {
            world.step();
            (void)move(world, mover, {0.0f, -1.0f}, dt);
        }
        REQUIRE(mover.position.x == doctest::Approx(2.5f).epsilon(0.05));
        world.step();
        const float before = mover.position.x;
        world.body(platform).set_enabled(is_on);
        (void)move(world, mover, {0.0f, -1.0f}, dt);
        CHECK(mover.ground.is_grounded == is_on);
        CHECK((mover.position.x > before) == is_on);
    }
}

TEST_CASE("bodies that ignore each other until they are apart are when one is switched off") {
    World world({.gravity = {}});
    const BodyId shooter = world.create_body({.type = BodyType::Static}, Circle{1.0f});
    const BodyId bullet = world.create_body({.velocity = {0.1f, 0.0f}}, Circle{0.1f});
    world.ignore_until_apart(shooter, bullet);
    run(world, 5);
    CHECK_FALSE(world.are_touching(shooter, bullet));
    world.body(bullet).set_enabled(false);
    world.step();
    world.body(bullet).set_enabled(true);
    run(world, 2);
    CHECK(world.are_touching(shooter, bullet));
}

TEST_CASE("its type, mass and shape can be changed while it is switched off") {
    World world({.gravity = {0.0f, -10.0f}});
    const BodyId body = world.create_body({.type = BodyType::Static}, unit_box);
    world.step();
    world.body(body).set_enabled(false);
    world.body(body).set_type(BodyType::Dynamic);
    world.body(body).set_mass(7.0f);
    world.body(body).set_shape(Circle{0.25f});
    CHECK_FALSE(world.body(body).is_enabled());
    CHECK(world.body(body).inverse_mass() == 0.0f);
    run(world, 3);
    CHECK(world.body(body).position() == Vec2{});
    world.body(body).set_enabled(true);
    CHECK(world.body(body).inverse_mass() == 1.0f / 7.0f);
    run(world, 6);
    CHECK(world.body(body).velocity().y == doctest::Approx(-1.0f).epsilon(1e-4));
    CHECK(world.ray_cast({-2.0f, world.body(body).position().y}, {4.0f, 0.0f}).point.x ==
          doctest::Approx(-0.25f).epsilon(1e-5));
}

TEST_CASE("what is switched off is not drawn") {
    struct Counter {
        int shapes = 0;
        void shape(const Shape&, DebugRole) { ++shapes; }
        void segment(Vec2, Vec2, DebugRole) {}
        void point(Vec2, DebugRole) {}
        void text(Vec2, const char*, DebugRole) {}
    };
    Resting scene;
    scene.world.body(scene.box).set_enabled(false);
    Counter counter;
    debug_draw(scene.world, counter);
    CHECK(counter.shapes == 1);
}

}  // namespace enabled_test

// SPDX-License-Identifier: MIT
// Do sensors see everything, however fast or slow, and once? SCENES [14]
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "support/commotion.hpp"
#include "support/random.hpp"
#include "support/random_bodies.hpp"

namespace sensors_test {

using namespace phys2d;

namespace {

struct Count {
    int began = 0, ended = 0;

    void step(World& world, int steps) {
        for (; steps > 0; --steps) {
            world.step();
            began += static_cast<int>(world.events().sensor_began.size());
            ended += static_cast<int>(world.events().sensor_ended.size());
        }
    }
};

constexpr ColliderDef sensor{.is_sensor = true};

/// What a sensor can be.
enum class Sensor { Circle, Polygon, Chain, Tiles };
constexpr Sensor kinds[] = {Sensor::Circle, Sensor::Polygon, Sensor::Chain, Sensor::Tiles};

/// Adds one about a metre wide around a point. A chain is only its line.
void add_sensor(World& world, Sensor kind, Vec2 center) {
    const Vec2 square[] = {{-0.5f, -0.5f}, {0.5f, -0.5f}, {0.5f, 0.5f}, {-0.5f, 0.5f}};
    const BodyDef def{.type = BodyType::Static, .position = center};
    switch (kind) {
        case Sensor::Circle: world.create_body(def, Circle{0.5f}, {}, sensor); break;
        case Sensor::Polygon: world.create_body(def, Polygon(square), {}, sensor); break;
        case Sensor::Chain: world.create_body(def, Chain{square, true}, {}, sensor); break;
        case Sensor::Tiles: {
            TileMapRef map =
                world.tile_map(world.create_tile_map({.position = center - Vec2{0.5f, 0.5f}}));
            map.define(1, {.collider = sensor});
            map.set({0, 0}, 1);
        }
    }
}

using Visit = std::pair<ColliderId, ColliderId>;  // of a sensor and its visitor
using Visits = std::set<Visit>;

/// Whether a sensor tells of a visitor, wherever that is.
bool sees(const World& world, ColliderId by, ColliderId visitor) {
    const ConstColliderRef eye = world.collider(by), seen = world.collider(visitor);
    return eye.def().is_sensor && eye.def().has_events && seen.def().has_events &&
           (eye.def().sees_sensors || !seen.def().is_sensor) && eye.body() != seen.body() &&
           can_collide(eye.filter(), seen.filter());
}

/// Who is in which sensor, as queries see it.
Visits overlapping(const World& world) {
    Visits visits;
    const auto find = [&](ColliderId id) {
        const ConstColliderRef collider = world.collider(id);
        const ConstBodyRef body = world.body(collider.body());
        if (collider.is_terrain() || !body.is_enabled()) return;
        const auto note = [&](BodyId, ColliderId other) {
            if (sees(world, id, other)) visits.insert({id, other});
            if (sees(world, other, id)) visits.insert({other, id});
        };
        const Shape shape = translate(collider.shape(), body.position());
        world.for_each_overlap(shape, note, {.sensors = true});
    };
    for (const BodyId body : world.ids()) world.for_each_collider(body, find);
    return visits;
}

bool contains(const Visits& visits, const Visit& visit) { return visits.count(visit) == 1; }

/// Whether one of the two may have passed the other in the last step.
bool has_moved(const World& world, const Visit& visit) {
    const auto moved = [&](ColliderId id) {
        const ConstBodyRef body = world.body(world.collider(id).body());
        return body.interpolated_position(0.0f) != body.position();
    };
    return moved(visit.first) || moved(visit.second);
}

}  // namespace

TEST_CASE("a small sensor is crossed at any speed with one beginning and one end") {
    for (const float speed : {0.7f, 20.0f, 300.0f, 2'000.0f}) {
        for (const bool sensor_moves : {false, true}) {
            World world({.gravity = {0.0f, 0.0f}});
            const Vec2 start{-3.1f, 0.0f}, velocity{speed, 0.0f};
            const BodyDef still{.type = BodyType::Static};
            const BodyDef moving{.position = start, .velocity = velocity};
            world.create_body(sensor_moves ? moving : still, Circle{0.1f}, {}, sensor);
            const BodyId body = world.create_body(sensor_moves ? still : moving, Circle{0.05f});
            Count count;
            count.step(world, static_cast<int>(6.0f / speed * 60.0f) + 3);
            CHECK(count.began == 1);
            CHECK(count.ended == 1);
            CHECK(world.body(body).velocity() == (sensor_moves ? Vec2{} : velocity));
        }
    }
}

TEST_CASE("a small sensor is crossed by a tile map at any speed, with one beginning and one end") {
    for (const float speed : {20.0f, 100.0f, 220.0f, 600.0f, 5'000.0f}) {
        for (int phase = 0; phase < 10; ++phase) {
            World world({.gravity = {0.0f, 0.0f}});
            world.create_body({.type = BodyType::Static}, Circle{0.25f}, {}, sensor);
            const float start = -3.0f - 0.1f * speed / 60.0f * static_cast<float>(phase);
            const BodyId map = world.create_tile_map(
                {.type = BodyType::Kinematic, .position = {start, -0.5f}, .tile_size = 0.5f});
            world.tile_map(map).define('#');
            world.tile_map(map).load("##\n##");
            world.body(map).set_velocity({speed, 0.0f});
            Count count;
            count.step(world, static_cast<int>(8.0f / speed * 60.0f) + 4);
            CAPTURE(speed);
            CHECK(count.began == 1);
            CHECK(count.ended == 1);
        }
    }
}

TEST_CASE(
    "what is in a sensor as a step begins and out as it ends is told of, if it was not before") {
    for (const float speed : {3.0f, 30.0f, 60.0f, 2'000.0f}) {
        for (const Sensor kind : kinds) {
            CAPTURE(speed);
            CAPTURE(kind);
            World world({.gravity = {0.0f, 0.0f}});
            world.create_body({.velocity = {speed, 0.0f}}, Circle{0.1f});
            world.step();
            add_sensor(world, kind, {speed / 60.0f, 0.0f});
            Count count;
            count.step(world, 80);
            CHECK(count.began == 1);
            CHECK(count.ended == 1);
        }
    }
}

TEST_CASE("however many bodies bounce through sensors within a step, each is seen") {
    constexpr int count = 100;  // more than are searched one by one
    World world({.gravity = {}});
    world.create_body({.type = BodyType::Static}, Box{{200.0f, 1.0f}}, {.restitution = 1.0f});
    for (int i = 0; i < count; ++i) {
        const float x = static_cast<float>(i);
        const Material elastic{.restitution = 1.0f};
        world.create_body({.position = {x, 1.6f}, .velocity = {0.0f, -150.0f}}, Circle{0.1f},
                          elastic);
        world.create_body({.type = BodyType::Static, .position = {x, 2.0f}}, Box{{0.2f, 0.01f}}, {},
                          {.is_sensor = true});
    }
    Count visits;
    visits.step(world, 1);
    CHECK(world.positions()[0].y > 2.5f);
    CHECK(visits.began == count);
    visits.step(world, 1);
    CHECK(visits.ended == count);
}

TEST_CASE("what leaves a sensor has left in the same step") {
    for (const float speed : {0.5f, 3.0f, 30.0f}) {
        for (const Sensor kind : kinds) {
            CAPTURE(speed);
            CAPTURE(kind);
            World world({.gravity = {0.0f, 0.0f}});
            add_sensor(world, kind, {});
            const BodyId body = world.create_body(
                {.position = {-1.0f, 0.0f}, .velocity = {speed, 0.0f}}, Circle{0.1f});
            const QueryFilter felt{.sensors = true, .except = body};
            const auto is_in = [&] {
                return world.any_overlap(translate(Circle{0.1f}, world.body(body).position()),
                                         felt);
            };
            Count count;
            for (float left = 3.0f; left > 0.0f; left -= speed / 60.0f) {
                const bool was_in = is_in();
                count.step(world, 1);
                if (was_in) CHECK(count.began - count.ended == (is_in() ? 1 : 0));
            }
            CHECK(count.ended == (kind == Sensor::Chain ? 2 : 1));
        }
    }
}

TEST_CASE("what is teleported past a sensor is not seen there, what is moved past it is") {
    for (const BodyType type : {BodyType::Static, BodyType::Kinematic, BodyType::Dynamic}) {
        for (const bool is_sensor_moved : {false, true}) {
            World world({.gravity = {}});
            const BodyId moved =
                world.create_body({.type = type, .position = {-5.0f, 0.0f}}, Circle{0.3f}, {},
                                  {.is_sensor = is_sensor_moved});
            world.create_body({.type = BodyType::Static}, Box{{1.0f, 1.0f}}, {},
                              {.is_sensor = !is_sensor_moved});
            world.step();
            world.body(moved).teleport({5.0f, 0.0f});
            world.step();
            CHECK(world.events().sensor_began.empty());
            world.body(moved).set_type(BodyType::Kinematic);
            world.body(moved).move_to({-5.0f, 0.0f});
            world.step();
            CHECK(world.events().sensor_began.size() == 1);
            world.step();
            CHECK(world.events().sensor_ended.size() == 1);
        }
    }
}

TEST_CASE("terrain does not see terrain, moving or not, but what moves past it") {
    const Vec2 outline[] = {{0.0f, 0.0f}, {2.0f, 0.0f}, {2.0f, 2.0f}, {0.0f, 2.0f}};
    World world({.gravity = {0.0f, 0.0f}});
    const auto add_map = [&](Vec2 place, const ColliderDef& collider, Vec2 velocity) {
        const BodyId map = world.create_tile_map({.type = BodyType::Kinematic, .position = place});
        world.tile_map(map).define(1, {.collider = collider});
        world.tile_map(map).fill({{0, 0}, {3, 3}}, 1);
        world.body(map).set_velocity(velocity);
    };
    add_map({}, sensor, {});
    add_map({-4.0f, 0.0f}, {}, {3.0f, 0.0f});
    world.create_body({.type = BodyType::Kinematic, .velocity = {1.0f, 0.0f}}, Polygon(outline), {},
                      sensor);
    world.create_body({.type = BodyType::Static}, Polygon(outline));
    Count count;
    count.step(world, 120);
    CHECK(count.began == 0);
    world.create_body({.position = {1.5f, 1.5f}}, Circle{0.2f});
    count.step(world, 1);
    CHECK(count.began > 0);
}

TEST_CASE("visitors that are destroyed are no visitors at once, whoever takes their place") {
    World world({.gravity = {0.0f, 0.0f}});
    const BodyId eye = world.create_body({.type = BodyType::Static}, Circle{1.0f}, {}, sensor);
    std::vector<BodyId> bodies;
    for (int i = 0; i < 4; ++i) bodies.push_back(world.create_body({}, Circle{0.1f}));
    world.step();
    const auto visitors = [&] {
        std::vector<BodyId> found;
        world.for_each_visitor(eye, [&](BodyId id) { found.push_back(id); });
        return found;
    };
    REQUIRE(visitors() == bodies);
    world.destroy_body(bodies[1]);
    world.create_body({}, Circle{0.1f});
    bodies.erase(bodies.begin() + 1);
    CHECK(visitors() == bodies);
    world.destroy_body(bodies[2]);
    bodies.pop_back();
    CHECK(visitors() == bodies);
}

TEST_CASE("of several sensors of a body each knows its own visitors") {
    World world({.gravity = {0.0f, 0.0f}});
    const BodyId hero = world.create_body({}, Box{{0.3f, 0.5f}});
    const ColliderId feet = world.add_collider(hero, Box{{0.2f, 0.1f}, {0.0f, -0.6f}}, {}, sensor);
    const ColliderId hand = world.add_collider(hero, Box{{0.1f, 0.1f}, {0.5f, 0.0f}}, {}, sensor);
    const BodyId crate = world.create_body({.position = {1.0f, 0.0f}}, Box{{0.45f, 0.45f}});
    world.step();
    int at_feet = 0, at_hand = 0, in_all = 0;
    world.for_each_visitor(feet, [&](ColliderId) { ++at_feet; });
    world.for_each_visitor(hand, [&](ColliderId visitor) {
        ++at_hand;
        CHECK(visitor == first_collider(crate));
    });
    world.for_each_visitor(hero, [&](BodyId) { ++in_all; });
    CHECK(at_feet == 0);
    CHECK(at_hand == 1);
    CHECK(in_all == 1);
    world.destroy_body(crate);
    world.for_each_visitor(hand, [&](ColliderId) { CHECK(false); });
    CHECK_THROWS_AS(world.for_each_visitor(first_collider(crate), [](ColliderId) {}), Error);
}

TEST_CASE("a sensor without events tells nothing, and one that loses them ends what it told") {
    World world({.gravity = {0.0f, 0.0f}});
    const BodyId eye =
        world.create_body({}, Circle{1.0f}, {}, {.is_sensor = true, .has_events = false});
    world.create_body({}, Circle{0.1f});
    Count count;
    count.step(world, 2);
    CHECK(count.began == 0);
    world.collider(first_collider(eye)).set_def(sensor);
    count.step(world, 2);
    CHECK(count.began == 1);
    CHECK(count.ended == 0);
    world.collider(first_collider(eye)).set_def({.is_sensor = true, .has_events = false});
    count.step(world, 2);
    CHECK(count.began == 1);
    CHECK(count.ended == 1);
}

TEST_CASE("a sensor sees other sensors if it says so, of shapes and of tiles, at any speed") {
    constexpr ColliderDef hit_box{.is_sensor = true, .sees_sensors = true};
    for (const bool of_tiles : {false, true}) {
        World world({.gravity = {}});
        const BodyId map = world.create_tile_map();
        world.tile_map(map).define(1, {.collider = sensor});
        if (of_tiles) world.tile_map(map).set({0, 0}, 1);
        if (!of_tiles) {
            world.create_body({.type = BodyType::Static, .position = {0.5f, 0.5f}},
                              Box{{0.5f, 0.5f}}, {}, sensor);
        }
        world.create_body({.position = {-5.0f, 0.5f}, .velocity = {600.0f, 0.0f}}, Circle{0.1f}, {},
                          hit_box);
        Count count;
        count.step(world, 5);
        CHECK(count.began == 1);
        CHECK(count.ended == 1);
    }
    World world({.gravity = {}});
    world.create_body({}, Circle{0.5f}, {}, hit_box);
    world.create_body({}, Circle{0.5f}, {}, hit_box);
    world.create_body({}, Circle{0.5f}, {}, sensor);
    Count count;
    count.step(world, 3);
    CHECK(count.began == 4);  // the two see each other and the third, which sees nothing
    CHECK(count.ended == 0);
}

TEST_CASE("a sensor sees statics, kinematics and sleepers, and no other sensor unless it says so") {
    for (const BodyType type : {BodyType::Static, BodyType::Kinematic, BodyType::Dynamic}) {
        World world({.gravity = {0.0f, 0.0f}, .time_to_sleep = 0.2f});
        world.create_body({.type = BodyType::Static}, Box{{0.3f, 0.3f}});
        world.create_body({.type = BodyType::Kinematic, .position = {1.0f, 0.0f}}, Circle{0.3f});
        world.create_body({.position = {-1.0f, 0.0f}}, Circle{0.3f});
        world.create_body({.position = {0.0f, 1.0f}}, Circle{0.3f}, {}, sensor);
        for (int i = 0; i < 60; ++i) world.step();
        REQUIRE(world.stats().sleeping_bodies >= 1);
        const BodyId eye = world.create_body({.type = type}, Box{{2.0f, 2.0f}}, {}, sensor);
        Count count;
        count.step(world, 60);
        CHECK(count.began == 3);
        CHECK(count.ended == 0);
        int inside = 0;
        world.for_each_visitor(eye, [&](BodyId) { ++inside; });
        CHECK(inside == 3);
        world.destroy_body(eye);
        count.step(world, 1);
        CHECK(count.ended == 3);
    }
}

TEST_CASE("a tile that is a sensor sees what touches it on any side") {
    World world({.gravity = {}});
    TileMapRef map = world.tile_map(world.create_tile_map());
    map.define(1, {.collider = sensor});
    map.set({0, 0}, 1);
    for (const Vec2 out : {Vec2{1.0f, 0.0f}, {-1.0f, 0.0f}, {0.0f, 1.0f}, {0.0f, -1.0f}}) {
        world.create_body({.type = BodyType::Static, .position = Vec2{0.5f, 0.5f} + out},
                          Box{{0.5f, 0.5f}});
    }
    Count count;
    count.step(world, 2);
    CHECK(count.began == 4);
    CHECK(count.ended == 0);
}

TEST_CASE("sensors know at each step exactly what overlaps them") {
    test::Random random;
    World world({.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.3f});
    for (int i = 0; i < 60; ++i) {
        world.create_body({.type = random.one_in(4) ? BodyType::Static : BodyType::Dynamic,
                           .position = random.point(6.0f),
                           .velocity = random.point(5.0f)},
                          test::random_collider(random), {},
                          {.is_sensor = i % 6 == 0, .sees_sensors = i % 12 == 0});
    }
    int inside = 0, missing = 0;
    for (int step = 0; step < 300; ++step) {
        world.step();
        const Events events = world.events();
        inside += static_cast<int>(events.sensor_began.size());
        inside -= static_cast<int>(events.sensor_ended.size());
        int overlapping = 0;
        for (const BodyId a : world.ids()) {
            for (const BodyId b : world.ids()) {
                const ConstBodyRef eye = world.body(a), seen = world.body(b);
                const ColliderDef sees = eye.collider_def();
                if (a == b || !sees.is_sensor) continue;
                if (seen.collider_def().is_sensor && !sees.sees_sensors) continue;
                overlapping += overlaps(translate(eye.shape(), eye.position()),
                                        translate(seen.shape(), seen.position()))
                                   ? 1
                                   : 0;
            }
        }
        // more are in it for a step if they have only passed
        missing += inside < overlapping ? 1 : 0;
        missing += inside > overlapping + 3 ? 1 : 0;
    }
    CHECK(missing == 0);
}

TEST_CASE("a sensor that is moved away and made static at once has no visitors left") {
    for (const BodyType type : {BodyType::Kinematic, BodyType::Dynamic}) {
        for (const bool is_swept : {false, true}) {
            World world({.gravity = {}});
            world.create_body({.type = BodyType::Static}, Box{{0.1f, 1.0f}});
            const BodyId eye = world.create_body(
                {.type = type, .position = {-1.0f, 0.0f}, .velocity = {120.0f, 0.0f}}, Circle{0.5f},
                {}, sensor);
            if (!is_swept) world.body(eye).set_velocity({30.0f, 0.0f});
            Count count;
            count.step(world, 1);
            if (!is_swept) world.body(eye).teleport({50.0f, 0.0f});
            world.body(eye).set_type(BodyType::Static);
            count.step(world, 2);
            CHECK(count.began == 1);
            CHECK(count.ended == 1);
        }
    }
}

TEST_CASE("what passed a sensor as it fell asleep has left it") {
    constexpr float tiny = 0.00002f;
    World world({.gravity = {}, .time_to_sleep = 0.5f});
    for (int i = 0; i < 300; ++i) {
        world.create_body(
            {.type = BodyType::Static, .position = {0.0001f * static_cast<float>(i), 0.0f}},
            Circle{tiny}, {}, sensor);
    }
    world.create_body({.velocity = {0.03f, 0.0f}}, Circle{tiny});
    Count count;
    while (world.events().fell_asleep.empty()) count.step(world, 1);
    count.step(world, 2);
    CHECK(count.began > 100);
    CHECK(count.began - count.ended == static_cast<int>(overlapping(world).size()));
}

TEST_CASE("whatever happens, sensors tell of what overlaps them, and for one step of what passed") {
    int wrong = 0;
    std::size_t most = 0;
    for (std::uint64_t seed = 1; seed <= test::many / 20'000; ++seed) {
        test::Commotion played(seed);
        Visits told;
        for (int step = 0; step < 150; ++step) {
            played.before_step();
            played.world.step();
            Visits fresh;
            for (const SensorEvent& event : played.world.events().sensor_ended) {
                wrong += told.erase({event.sensor_collider, event.visitor_collider}) == 1 ? 0 : 1;
            }
            for (const SensorEvent& event : played.world.events().sensor_began) {
                fresh.insert({event.sensor_collider, event.visitor_collider});
            }
            const Visits inside = overlapping(played.world);
            for (const Visit& visit : fresh) wrong += told.insert(visit).second ? 0 : 1;
            for (const Visit& visit : inside) wrong += contains(told, visit) ? 0 : 1;
            for (const Visit& visit : told) {
                const bool may_be = contains(fresh, visit) || has_moved(played.world, visit);
                wrong += may_be || contains(inside, visit) ? 0 : 1;
            }
            most = std::max(most, told.size());
        }
    }
    CHECK(wrong == 0);
    CHECK(most > 20);
}

namespace {

/// The visits that a list of events tells of, without those of others than the first so many ids.
Visits told_in(Span<const SensorEvent> events, std::size_t ids) {
    Visits visits;
    for (const SensorEvent& event : events) {
        if (event.sensor_collider.index < ids) {
            visits.insert({event.sensor_collider, event.visitor_collider});
        }
    }
    return visits;
}

/// Whether the bodies of a world are where they are in another one.
bool are_alike(const World& world, const World& other) {
    bool alike = true;
    world.for_each_body([&](BodyId id) {
        alike = alike && world.body(id).position() == other.body(id).position();
    });
    return alike;
}

}  // namespace

TEST_CASE("visits are the same whether sensors look for visitors or, being more, are looked for") {
    int told = 0, compared = 0, different = 0;
    for (std::uint64_t seed = 1; seed <= 64; ++seed) {
        test::Commotion play(seed);
        test::Random random(seed * test::Random::default_seed);
        for (int i = 0; i < 20; ++i) {
            const BodyId body = play.world.create_body(
                {.type = i % 2 == 0 ? BodyType::Kinematic : BodyType::Dynamic,
                 .position = random.point(8.0f) + Vec2{0.0f, 6.0f},
                 .velocity = random.point(random.one_in(4) ? 150.0f : 8.0f),
                 .gravity_scale = 0.0f},
                Circle{random.uniform(0.1f, 1.5f)}, {}, sensor);
            if (i % 5 == 0) (void)play.world.add_collider(body, Box{{0.2f, 0.1f}, {1.0f, 0.0f}});
        }
        for (int step = 0; step < 30; ++step) {
            play.before_step();
            World crowded = play.world;
            std::size_t ids = 0;
            crowded.for_each_body([&](BodyId id) {
                crowded.for_each_collider(id, [&](ColliderId collider) {
                    ids = std::max(ids, std::size_t{collider.index} + 1);
                });
            });
            for (std::size_t i = 0; i < ids + 1; ++i) {
                crowded.create_body({.type = BodyType::Kinematic,
                                     .position = {1000.0f, 1000.0f},
                                     .velocity = {1.0f, 0.0f}},
                                    Circle{0.1f}, {}, sensor);
            }
            play.world.step();
            crowded.step();
            if (!are_alike(play.world, crowded)) continue;  // more bodies, another order
            ++compared;
            const Events some = play.world.events(), all = crowded.events();
            const Visits began = told_in(some.sensor_began, ids);
            told += static_cast<int>(began.size());
            different += began == told_in(all.sensor_began, ids) ? 0 : 1;
            different += told_in(some.sensor_ended, ids) == told_in(all.sensor_ended, ids) ? 0 : 1;
        }
    }
    CHECK(told > 1000);
    CHECK(compared > 1000);
    CHECK(different == 0);
}

}  // namespace sensors_test

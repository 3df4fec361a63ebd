// SPDX-License-Identifier: MIT
// Do events tell what has happened, once each, whatever is done between the steps? SCENES [24] [25]
#include <array>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "support/random.hpp"
#include "support/random_bodies.hpp"

namespace events_test {

using namespace phys2d;

namespace {

using Key = std::pair<std::uint64_t, std::uint64_t>;

std::uint64_t name_of(ColliderId id) { return std::uint64_t{id.generation} << 32 | id.index; }

Key key_of(ColliderId a, ColliderId b) {
    return {std::min(name_of(a), name_of(b)), std::max(name_of(a), name_of(b))};
}

/// Keeps the books: what began and has not ended.
struct Books {
    std::set<Key> open;
    std::set<Key> open_visits;
    int began = 0, ended = 0, wrong = 0;

    void keep(const Events& events) {
        for (const ContactEvent& end : events.ended)
            close(open, key_of(end.collider_a, end.collider_b));
        for (const ContactEvent& begin : events.began)
            enter(open, key_of(begin.collider_a, begin.collider_b));
        for (const SensorEvent& end : events.sensor_ended) {
            close(open_visits, {name_of(end.sensor_collider), name_of(end.visitor_collider)});
        }
        for (const SensorEvent& begin : events.sensor_began) {
            enter(open_visits, {name_of(begin.sensor_collider), name_of(begin.visitor_collider)});
        }
    }

private:
    void enter(std::set<Key>& books, Key key) {
        ++began;
        wrong += books.insert(key).second ? 0 : 1;
    }
    void close(std::set<Key>& books, Key key) {
        ++ended;
        wrong += books.erase(key) == 1 ? 0 : 1;
    }
};

/// A box at rest on the ground, after so many steps.
struct Resting {
    World world{{.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.5f}};
    BodyId ground =
        world.create_body({.type = BodyType::Static, .user_data = 1}, Box{{9.0f, 1.0f}});
    BodyId box = world.create_body({.position = {0.0f, 1.5f}, .user_data = 2}, Box{{0.5f, 0.5f}});
    Books books;

    void step(int count) {
        for (; count > 0; --count) {
            world.step();
            books.keep(world.events());
        }
    }
};

}  // namespace

TEST_CASE("a box on the ground begins to touch it once, and goes on asleep and awake") {
    Resting scene;
    scene.step(200);
    REQUIRE(scene.world.body(scene.box).is_asleep());
    scene.world.body(scene.box).wake();
    scene.step(10);
    CHECK(scene.books.began == 1);
    CHECK(scene.books.ended == 0);
    CHECK(scene.books.wrong == 0);
}

TEST_CASE("each way of taking a contact apart ends it once, awake or asleep") {
    using Change = void (*)(Resting&);
    const Change changes[] = {
        [](Resting& s) { s.world.destroy_body(s.box); },
        [](Resting& s) { s.world.destroy_body(s.ground); },
        [](Resting& s) {
            s.world.body(s.box).teleport({100.0f, 50.0f});
        },
        [](Resting& s) {
            s.world.body(s.ground).teleport({100.0f, 50.0f});
        },
        [](Resting& s) { s.world.body(s.box).set_filter({.mask = 0}); },
        [](Resting& s) { s.world.body(s.ground).set_filter({.category = 0}); },
        [](Resting& s) { s.world.body(s.box).set_type(BodyType::Static); },
        [](Resting& s) { s.world.body(s.box).set_enabled(false); },
        [](Resting& s) { s.world.body(s.ground).set_enabled(false); },
        [](Resting& s) { s.world.body(s.box).set_shape(Circle{0.1f}); },
        [](Resting& s) { s.world.body(s.box).set_collider_def({.is_sensor = true}); },
        [](Resting& s) { s.world.body(s.box).set_mass(0.0f); },
    };
    for (const Change change : changes) {
        for (const int steps : {1, 5, 200}) {
            Resting scene;
            scene.step(steps);
            REQUIRE(scene.books.open.size() == 1);
            change(scene);
            scene.step(5);
            CHECK(scene.books.open.empty());
            CHECK(scene.books.ended == 1);
            CHECK(scene.books.wrong == 0);
        }
    }
}

TEST_CASE("the end of a contact knows the user data of a body that is gone, and of its heir") {
    Resting scene;
    scene.step(5);
    scene.world.destroy_body(scene.box);
    const BodyId heir =
        scene.world.create_body({.position = {5.0f, 9.0f}, .user_data = 3}, Circle{});
    REQUIRE(heir.index == scene.box.index);
    scene.world.step();
    const Events events = scene.world.events();
    REQUIRE(events.ended.size() == 1);
    CHECK(events.ended[0].a == scene.box);
    CHECK(events.ended[0].user_data_a == 2);
    CHECK(events.ended[0].user_data_b == 1);
}

TEST_CASE("a hit tells the speed of the approach, and the impulse that turned it around") {
    for (const float restitution : {0.0f, 0.5f, 1.0f}) {
        World world({.gravity = {0.0f, 0.0f}});
        const Material material{.restitution = restitution};
        world.create_body({.type = BodyType::Static}, Box{{1.0f, 9.0f}}, material);
        const BodyId ball =
            world.create_body({.position = {-5.0f, 2.0f}, .velocity = {30.0f, 4.0f}, .mass = 2.0f},
                              Circle{0.5f}, {.restitution = restitution, .friction = 0.0f});
        int hits = 0;
        for (int i = 0; i < 20; ++i) {
            world.step();
            for (const HitEvent& hit : world.events().hits) {
                ++hits;
                CHECK(hit.a == ball);
                CHECK(hit.normal == Vec2{1.0f, 0.0f});
                CHECK(hit.approach_speed == doctest::Approx(30.0f));
                CHECK(hit.impulse == doctest::Approx(60.0f * (1.0f + restitution)));
                CHECK(distance(hit.point, {-1.0f, 2.0f + 4.0f * 3.5f / 30.0f}) < 1e-3f);
            }
        }
        CHECK(hits == 1);
    }
}

namespace {

/// The hits of a box that slides at 20 m/s along the bottom of something into its right side, at x
/// = 8.
template <class AddGround>
std::vector<HitEvent> hits_on_wall(AddGround add_ground) {
    World world({.gravity = {0.0f, -10.0f}});
    add_ground(world);
    const BodyId box =
        world.create_body({.position = {0.0f, 0.4f}}, Box{{0.4f, 0.4f}}, {.friction = 0.0f});
    for (int i = 0; i < 30; ++i) world.step();
    world.body(box).set_velocity({20.0f, 0.0f});
    std::vector<HitEvent> hits;
    for (int i = 0; i < 60; ++i) {
        world.step();
        for (const HitEvent& hit : world.events().hits) hits.push_back(hit);
    }
    return hits;
}

}  // namespace

TEST_CASE("a wall is hit also by what touches the floor that is of the same terrain") {
    const std::vector<HitEvent> on_tiles = hits_on_wall([](World& world) {
        TileMapRef map = world.tile_map(world.create_tile_map({.position = {-2.0f, -1.0f}}));
        map.define('#');
        map.load(
            "          #\n"
            "          #\n"
            "###########");
    });
    const std::vector<HitEvent> on_chain = hits_on_wall([](World& world) {
        const Vec2 points[] = {{8.0f, 3.0f}, {8.0f, 0.0f}, {-2.0f, 0.0f}};
        world.create_body({.type = BodyType::Static}, Chain{{points, 3}});
    });
    for (const std::vector<HitEvent>& hits : {on_tiles, on_chain}) {
        REQUIRE(hits.size() == 1);
        CHECK(std::fabs(hits[0].normal.x) == doctest::Approx(1.0));
        CHECK(hits[0].approach_speed == doctest::Approx(20.0));
    }
}

TEST_CASE("what slides over the joints of a floor hits nothing, however hard it is pressed on") {
    World world({.gravity = {0.0f, -10.0f}, .hit_speed = 0.1f});
    TileMapRef map = world.tile_map(world.create_tile_map({.position = {0.0f, -1.0f}}));
    map.define('a');
    map.define('b', {.collider = {.filter = {.category = 3}}});
    map.load("abababababababababababababababababababab");
    const BodyId box =
        world.create_body({.position = {2.0f, 0.5f}}, Box{{1.6f, 0.5f}}, {.friction = 0.0f});
    for (int i = 0; i < 60; ++i) world.step();
    world.body(box).set_velocity({5.0f, 0.0f});
    int hits = 0;
    for (int i = 0; i < 300; ++i) {
        world.body(box).apply_force({0.0f, -130.0f * world.body(box).mass()});
        world.step();
        hits += static_cast<int>(world.events().hits.size());
    }
    CHECK(hits == 0);
}

TEST_CASE("a blow that arrives through another body is a hit, and names the colliders' user data") {
    const Material elastic{.restitution = 1.0f, .friction = 0.0f};
    for (int phase = 0; phase < 20; ++phase) {
        CAPTURE(phase);
        World world({.gravity = {0.0f, 0.0f}});
        const float start = -3.0f + 0.0025f * static_cast<float>(phase);
        world.create_body({.position = {start, 0.0f}, .velocity = {3.0f, 0.0f}}, Circle{0.5f},
                          elastic);
        const BodyId middle = world.create_body({.user_data = 7}, Circle{0.5f}, elastic);
        const BodyId last =
            world.create_body({.position = {1.01f, 0.0f}, .user_data = 8}, Circle{0.5f}, elastic);
        int hits = 0;
        for (int i = 0; i < 60; ++i) {
            world.step();
            for (const HitEvent& hit : world.events().hits) {
                if (hit.a != middle || hit.b != last) continue;
                ++hits;
                CHECK(hit.approach_speed == doctest::Approx(3.0f));
                CHECK(hit.user_data_a == 7);
                CHECK(hit.user_data_b == 8);
            }
        }
        CHECK(hits == 1);
    }
}

TEST_CASE("what a force presses on from a hair above hits nothing") {
    World world({.gravity = {0.0f, 0.0f}, .hit_speed = 0.1f});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{5.0f, 1.0f}});
    const BodyId box = world.create_body({.position = {0.0f, 0.5f}}, Box{{0.5f, 0.5f}});
    int hits = 0, began = 0;
    for (int i = 0; i < 10; ++i) {
        world.body(box).apply_force({0.0f, -130.0f * world.body(box).mass()});
        world.step();
        hits += static_cast<int>(world.events().hits.size());
        began += static_cast<int>(world.events().began.size());
    }
    CHECK(began == 1);
    CHECK(hits == 0);
}

TEST_CASE("what slides from crest to crest of one chain hits it where it has left it, no more") {
    int hits = 0;
    for (const float speed : {0.08f, 0.09f, 0.1f, 0.11f, 0.12f, 0.15f, 0.2f}) {
        World world({.gravity = {0.0f, -130.0f}, .length_unit = 0.01f});
        Vec2 waves[97];
        for (int i = 0; i < 97; ++i) {
            waves[i] = {0.01f * static_cast<float>(96 - i),
                        0.001f * std::sin(0.7f * static_cast<float>(i))};
        }
        world.create_body({.type = BodyType::Static}, Chain{waves});
        const BodyId box = world.create_body({.position = {0.03f, 0.0055f}}, Box{{0.016f, 0.004f}},
                                             {.friction = 0.0f});
        for (int i = 0; i < 60; ++i) world.step();
        world.body(box).set_velocity({speed, 0.0f});
        for (int i = 0; i < 400; ++i) {
            world.step();
            hits += static_cast<int>(world.events().hits.size());
        }
    }
    CHECK(hits < 50);  // of 2,800 steps; some 700 times its lower side meets another crest
}

TEST_CASE("what lands on two peaks of a chain at once hits it once") {
    World world({.gravity = {0.0f, -10.0f}});
    const Vec2 points[] = {
        {9.0f, -3.0f}, {1.0f, 0.0f}, {0.0f, -0.3f}, {-1.0f, 0.0f}, {-9.0f, -3.0f}};
    world.create_body({.type = BodyType::Static}, Chain{{points, 5}});
    world.create_body({.position = {0.0f, 5.0f}}, Box{{2.0f, 0.5f}});
    int hits = 0;
    for (int i = 0; i < 120; ++i) {
        world.step();
        hits += static_cast<int>(world.events().hits.size());
    }
    CHECK(hits == 1);
}

TEST_CASE("a hit against what is pressed on tells what would turn the approach around alone") {
    for (const float mass : {1.0f, 5.0f, 20.0f, 1'000.0f}) {
        CAPTURE(mass);
        World world({.gravity = {0.0f, -10.0f}});
        world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{5.0f, 1.0f}});
        world.create_body({.position = {0.0f, 0.5f}, .mass = 1.0f}, Box{{0.5f, 0.5f}});
        const BodyId hitter = world.create_body(
            {.position = {0.0f, 3.0f}, .velocity = {0.0f, -5.0f}, .mass = mass}, Circle{0.5f});
        int hits = 0;
        for (int i = 0; i < 30; ++i) {
            world.step();
            for (const HitEvent& hit : world.events().hits) {
                if (hit.a != hitter && hit.b != hitter) continue;
                ++hits;
                const float reduced_mass = mass / (mass + 1.0f);
                CHECK(hit.impulse >= 0.999f * hit.approach_speed * reduced_mass);
                CHECK(hit.impulse <= 2.0f * hit.approach_speed * reduced_mass);
            }
        }
        CHECK(hits >= 1);
    }
}

TEST_CASE("events of all steps of a frame are told, and none of a frame without a step") {
    Resting scene;
    scene.world.advance(0.1);
    CHECK(scene.world.events().began.size() == 1);
    scene.world.advance(0.0);
    CHECK(scene.world.events().began.empty());
    scene.world.set_paused(true);
    scene.world.advance(0.1);
    CHECK(scene.world.events().began.empty());
}

TEST_CASE("in after_step the events of each step are told once, and behind advance all of them") {
    World world({.gravity = {}, .time_step = 0.25f});
    world.create_body({.type = BodyType::Static}, Box{{0.5f, 0.5f}}, {}, {.is_sensor = true});
    world.create_body({.position = {-3.0f, 0.0f}, .velocity = {8.0f, 0.0f}}, Circle{0.5f});
    std::size_t began = 0, ended = 0, told_behind = 0;
    const auto count = [&] {
        began += world.events().sensor_began.size();
        ended += world.events().sensor_ended.size();
    };
    world.advance(1.0, {}, count);
    CHECK(began == 1);
    CHECK(ended == 1);
    CHECK(world.events().sensor_began.size() == 1);
    CHECK(world.events().sensor_ended.size() == 1);

    world.create_body({.position = {-3.0f, 0.0f}, .velocity = {8.0f, 0.0f}}, Circle{0.5f});
    CHECK_THROWS(world.advance(1.0, {}, [&] {
        told_behind = world.events().sensor_began.size();
        if (!world.events().sensor_ended.empty()) throw 1;
    }));
    CHECK(told_behind == 0);  // by the step in which it left
    CHECK(world.events().sensor_began.size() == 1);
    CHECK(world.events().sensor_ended.size() == 1);
}

TEST_CASE("a collider without events is not named, and is solved all the same") {
    Resting scene;
    scene.world.body(scene.box).set_collider_def({.has_events = false});
    scene.step(30);
    CHECK(scene.books.began == 0);
    CHECK(scene.world.body(scene.box).position().y == doctest::Approx(1.5f).epsilon(1e-3));
    CHECK(scene.world.are_touching(scene.box, scene.ground));
    scene.step(200);
    CHECK(scene.world.body(scene.box).is_asleep());
    CHECK(scene.world.are_touching(scene.box, scene.ground));
    scene.world.destroy_body(scene.box);
    scene.step(2);
    CHECK(scene.books.ended == 0);
}

TEST_CASE("who touches whom is told at once, awake and asleep, but for those that are gone") {
    Resting scene;
    const auto touching = [&] {
        std::vector<BodyId> others;
        scene.world.for_each_touching(scene.ground, [&](BodyId id) { others.push_back(id); });
        return others;
    };
    CHECK(touching().empty());
    for (const int steps : {3, 200}) {
        scene.step(steps);
        CHECK(touching() == std::vector<BodyId>{scene.box});
        CHECK(scene.world.are_touching(scene.ground, scene.box));
        CHECK(scene.world.are_touching(scene.box, scene.ground));
    }
    REQUIRE(scene.world.body(scene.box).is_asleep());
    scene.world.body(scene.box).wake();
    CHECK(touching() == std::vector<BodyId>{scene.box});
    scene.world.destroy_body(scene.box);
    CHECK(touching().empty());
    CHECK_THROWS_AS((void)scene.world.are_touching(scene.box, scene.ground), Error);
}

TEST_CASE("what a one-way side has let go of touches it until the end of the contact is told") {
    using Change = void (*)(Resting&);
    const Change changes[] = {
        [](Resting& scene) {
            scene.world.body(scene.box).teleport({0.0f, 9.0f});
        },
        [](Resting& scene) {
            scene.world.body(scene.ground).teleport({0.0f, -9.0f});
        },
        [](Resting& scene) {
            scene.world.body(scene.ground).set_collider_def({.one_way = OneWay::Down});
        },
    };
    for (const bool is_asleep : {false, true}) {
        for (const Change change : changes) {
            Resting scene;
            scene.world.body(scene.ground).set_collider_def({.one_way = OneWay::Up});
            scene.step(is_asleep ? 200 : 10);
            REQUIRE(scene.world.body(scene.box).is_asleep() == is_asleep);
            change(scene);
            CHECK(scene.books.open.size() == 1);
            CHECK(scene.world.are_touching(scene.box, scene.ground));
            CHECK(scene.world.are_touching(scene.ground, scene.box));
            scene.step(1);
            CHECK(scene.books.open.empty());
            CHECK_FALSE(scene.world.are_touching(scene.box, scene.ground));
        }
    }
}

TEST_CASE("a ball that rises and falls in a platform's rhythm begins to touch it once") {
    World world({.gravity = {0.0f, -10.0f}});
    const BodyId platform = world.create_body({.type = BodyType::Kinematic}, Box{{2.0f, 0.1f}});
    world.create_body({.position = {0.0f, 0.6f}}, Circle{0.5f});
    Books books;
    for (int i = 0; i < 2000; ++i) {
        world.body(platform).set_velocity({0.0f, std::sin(static_cast<float>(i) * 0.05f)});
        world.step();
        books.keep(world.events());
    }
    CHECK(books.began == 1);
    CHECK(books.ended == 0);
}

TEST_CASE("a contact goes on to be told, or not, as when it began, whatever colliders want since") {
    Resting told;
    told.step(20);
    told.world.body(told.box).set_collider_def({.has_events = false});
    told.step(5);
    told.world.destroy_body(told.box);
    told.step(1);
    CHECK(told.books.began == 1);
    CHECK(told.books.ended == 1);

    Resting untold;
    untold.world.body(untold.box).set_collider_def({.has_events = false});
    untold.step(20);
    untold.world.body(untold.box).set_collider_def({});
    untold.step(5);
    untold.world.destroy_body(untold.box);
    untold.step(1);
    CHECK(untold.books.began == 0);
    CHECK(untold.books.ended == 0);
}

TEST_CASE("a contact that begins anew is told, or not, as colliders want then, after any hop") {
    for (const bool is_told : {false, true}) {
        for (const float hop : {0.7f, 1.0f, 3.0f}) {
            Resting resting;
            resting.world.body(resting.box).set_collider_def({.has_events = !is_told});
            resting.step(20);
            resting.world.body(resting.box).set_collider_def({.has_events = is_told});
            for (int i = 0; i < 3; ++i) {
                resting.world.body(resting.box).set_velocity({0.0f, hop});
                resting.step(60);
            }
            INFO("told ", is_told, ", hop ", hop);
            CHECK(resting.books.began == (is_told ? 3 : 1));
            CHECK(resting.books.ended == (is_told ? 2 : 1));
        }
    }
}

TEST_CASE("it goes on so from face to face of one terrain") {
    for (const bool is_told : {false, true}) {
        CAPTURE(is_told);
        World world;
        const std::array<Vec2, 3> valley{{{10.0f, 5.0f}, {0.0f, 0.0f}, {-10.0f, 5.0f}}};
        const BodyId ground = world.create_body({.type = BodyType::Static}, Chain{valley},
                                                {.friction = 0.0f}, {.has_events = is_told});
        const BodyId ball =
            world.create_body({.position = {-2.0f, 1.7f}}, Circle{0.4f}, {.friction = 0.0f});
        std::size_t began = 0, ended = 0;
        const auto step = [&](int count) {
            for (; count > 0; --count) {
                world.step();
                began += world.events().began.size();
                ended += world.events().ended.size();
            }
        };
        step(20);
        REQUIRE(world.are_touching(ground, ball));
        world.collider(first_collider(ground)).set_def({.has_events = !is_told});
        step(45);
        REQUIRE(world.body(ball).position().x > 0.0f);  // it has come to the other side
        CHECK(began == (is_told ? 1 : 0));
        CHECK(ended == 0);
        world.destroy_body(ball);
        step(2);
        CHECK(began == (is_told ? 1 : 0));
        CHECK(ended == began);
    }
}

TEST_CASE("whatever is done to bodies, inside event loops too, each beginning has one end") {
    test::Random random;
    World world({.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.3f});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -6.0f}}, Box{{9.0f, 1.0f}});
    Books books;
    const auto any = [&] { return world.ids()[random.bits() % world.ids().size()]; };
    const auto random_def = [&]() -> ColliderDef {
        return {
            .filter = {.category = 1u << random.integer(0, 2)},
            .is_sensor = random.one_in(6),
            .one_way = random.one_in(3) ? static_cast<OneWay>(random.integer(1, 4)) : OneWay::No};
    };
    const auto change_body = [&](BodyRef body) {
        switch (random.integer(0, 13)) {
            case 0: body.teleport(random.point(5.0f)); break;
            case 1: body.set_type(static_cast<BodyType>(random.integer(0, 2))); break;
            case 2: body.set_filter({.mask = random.bits() % 8}); break;
            case 3: body.set_shape(test::random_collider(random)); break;
            case 4: body.set_collider_def(random_def()); break;
            case 5: body.set_velocity(random.point(100.0f)); break;
            case 6: body.set_mass(random.one_in(3) ? 0.0f : mass_from_density); break;
            case 7: body.set_material({.surface_velocity = random.point(3.0f)}); break;
            case 8: body.drop_through(); break;
            case 9: body.turn(random.integer(-3, 3)); break;
            case 10:
                if (body.type() == BodyType::Kinematic) body.move_to(random.point(5.0f));
                break;
            case 11: body.set_enabled(!body.is_enabled()); break;
            case 12: world.shift_origin(random.point(0.3f)); break;
            default: body.wake(); break;
        }
    };
    const auto change_colliders = [&](BodyId body) {
        ColliderId last = first_collider(body);
        world.for_each_collider(body, [&](ColliderId id) { last = id; });
        const bool is_first = last == first_collider(body);
        if (is_first || random.one_in(2)) {
            world.add_collider(body, test::random_collider(random), {}, random_def());
        } else if (random.one_in(2)) {
            world.collider(last).set_def(random_def());
        } else {
            world.destroy_collider(last);
        }
    };
    const auto change_pair = [&](BodyId a, BodyId b) {
        if (a == b) return;
        switch (random.integer(0, 2)) {
            case 0: world.ignore(a, b); break;
            case 1: world.ignore_until_apart(a, b); break;
            default: world.stop_ignoring(a, b); break;
        }
    };
    const auto change_something = [&] {
        if (world.body_count() < 40 || random.one_in(3)) {
            world.create_body({.type = static_cast<BodyType>(random.integer(0, 2)),
                               .position = random.point(5.0f),
                               .velocity = random.point(20.0f)},
                              test::random_collider(random), {}, random_def());
        }
        if (world.body_count() > 60 || random.one_in(3)) world.destroy_body(any());
        change_body(world.body(any()));
        if (random.one_in(4)) change_colliders(any());
        if (random.one_in(4)) change_pair(any(), any());
        if (random.one_in(30)) world.explode({.center = random.point(5.0f), .radius = 3.0f});
        if (random.one_in(50)) world = World(world);
    };
    for (int i = 0; i < test::many / 25; ++i) {  // each with one to three operations
        change_something();
        world.step();
        books.keep(world.events());
        for (const ContactEvent& event : world.events().began) {
            if (random.one_in(20) && world.contains(event.a)) world.destroy_body(event.a);
        }
    }
    while (world.body_count() > 0) world.destroy_body(world.ids()[0]);
    world.step();
    books.keep(world.events());
    CHECK(books.began > test::many / 1000);
    CHECK(books.wrong == 0);
    CHECK(books.open.empty());
    CHECK(books.open_visits.empty());
    CHECK(world.ids().size() == 0);
}

TEST_CASE("a beginning tells from which side, an end does not") {
    World world({.gravity = {}});
    const BodyId wall =
        world.create_body({.type = BodyType::Static, .position = {2.0f, 0.0f}}, Box{{0.5f, 5.0f}});
    const BodyId ball =
        world.create_body({.velocity = {6.0f, 0.0f}}, Circle{0.5f}, {.restitution = 1.0f});
    world.body(wall).set_material({.restitution = 1.0f});
    int began = 0, ended = 0;
    for (int i = 0; i < 60; ++i) {
        world.step();
        for (const ContactEvent& event : world.events().began) {
            ++began;
            CHECK(event.a == ball);
            CHECK(event.normal == Vec2{1.0f, 0.0f});
        }
        for (const ContactEvent& event : world.events().ended) {
            ++ended;
            CHECK(event.normal == Vec2{});
        }
    }
    CHECK(began == 1);
    CHECK(ended == 1);
}

TEST_CASE("what two bodies do is seen from each of them, and by others as it is told") {
    World world({.gravity = {0.0f, -10.0f}});
    const BodyId map = world.create_tile_map();
    world.tile_map(map).define('#', {.user_data = 4});
    world.tile_map(map).fill({{-3, -1}, {3, -1}}, '#');
    const BodyId ball = world.create_body({.position = {1.5f, 2.0f}, .user_data = 7}, Circle{0.5f});
    while (world.events().hits.empty()) world.step();

    const auto check = [&](const auto& told, const auto& by_a, const auto& by_b) {
        CHECK(told.a == ball);
        CHECK(by_a.b == map);
        CHECK(by_b.a == map);
        CHECK(by_b.b == ball);
        CHECK(by_b.collider_a == told.collider_b);
        CHECK(by_b.collider_b == told.collider_a);
    };
    const ContactEvent began = world.events().began[0];
    check(began, began.seen_from(ball), began.seen_from(map));
    CHECK(began.seen_from(ball).normal == Vec2{0.0f, -1.0f});
    CHECK(began.seen_from(map).normal == Vec2{0.0f, 1.0f});
    CHECK(began.seen_from(map).user_data_a == 4);
    CHECK(began.seen_from(map).user_data_b == 7);

    const HitEvent hit = world.events().hits[0];
    check(hit, hit.seen_from(ball), hit.seen_from(map));
    const HitEvent turned = hit.seen_from(map);
    CHECK(turned.normal == Vec2{0.0f, 1.0f});
    CHECK(turned.user_data_a == 4);
    CHECK(turned.user_data_b == 7);
    CHECK(turned.point == hit.point);
    CHECK(turned.approach_speed == hit.approach_speed);
    CHECK(turned.impulse == hit.impulse);
    CHECK(turned.tile == TileCoord{1, -1});
    CHECK(hit.seen_from(BodyId{}).normal == hit.normal);

    world.for_each_contact([&](const WorldContact& contact) {
        check(contact, contact.seen_from(ball), contact.seen_from(map));
        CHECK(contact.seen_from(map).manifold.normal == Vec2{0.0f, 1.0f});
        CHECK(contact.seen_from(map).manifold.penetration == contact.manifold.penetration);
        CHECK(contact.seen_from(map).normal_impulse == contact.normal_impulse);
        CHECK(contact.seen_from(map).is_touching == contact.is_touching);
    });
}

TEST_CASE("whether something touches what is gone is an error, whichever is named first") {
    World world;
    const BodyId a = world.create_body({}, Circle{0.5f});
    const BodyId gone = world.create_body({}, Circle{0.5f});
    world.destroy_body(gone);
    CHECK_THROWS_AS((void)world.are_touching(a, gone), Error);
    CHECK_THROWS_AS((void)world.are_touching(gone, a), Error);
}

TEST_CASE("hundreds of contacts with several faces of one ground end once each when it is gone") {
    constexpr int count = 400;
    World world{{.gravity = {0.0f, -10.0f}}};
    std::vector<Vec2> corners;
    for (int x = 2 * count + 5; x >= -5; --x) {
        corners.push_back({static_cast<float>(x), x % 2 == 0 ? 0.02f : 0.0f});
    }
    const BodyId ground = world.create_body({.type = BodyType::Static}, Chain{corners});
    for (int i = 0; i < count; ++i) {
        const BodyDef def{.position = {2.0f * static_cast<float>(i) + 1.0f, 0.53f}};
        world.create_body(def, Box{{0.9f, 0.5f}});
    }
    std::set<Key> open;
    for (int i = 0; i < 60; ++i) {
        world.step();
        for (const ContactEvent& event : world.events().began) {
            CHECK(open.insert(key_of(event.collider_a, event.collider_b)).second);
        }
    }
    CHECK(open.size() == count);
    world.destroy_body(ground);
    world.step();
    for (const ContactEvent& event : world.events().ended) {
        CHECK(open.erase(key_of(event.collider_a, event.collider_b)) == 1);
    }
    CHECK(open.empty());
}

}  // namespace events_test

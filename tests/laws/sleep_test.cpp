// SPDX-License-Identifier: MIT
// What falls asleep, what wakes it, and is it as if nothing had been?
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "measure.hpp"
#include "support/step_widths.hpp"

namespace sleep_test {

using namespace phys2d;

namespace {

constexpr float time_to_sleep = 0.5f;
constexpr int steps_to_sleep =
    60;  // half a second, settling, and up to 8 steps until islands are looked for
const Box unit_box{{0.5f, 0.5f}};

World sleepy_world(Vec2 gravity = test::down) {
    return World({.gravity = gravity, .time_to_sleep = time_to_sleep});
}

/// A floor, and a stack of boxes that sleeps on it.
struct SleepingStack {
    World world = sleepy_world();
    BodyId floor = test::add_floor(world);
    std::vector<BodyId> boxes;

    explicit SleepingStack(int count = 3, float x = 0.0f) {
        for (int i = 0; i < count; ++i) {
            boxes.push_back(
                world.create_body({.position = {x, 0.5f + static_cast<float>(i)}}, unit_box));
        }
        test::run(world, 2 * steps_to_sleep);
        REQUIRE(sleepers() == count);
    }
    [[nodiscard]] int sleepers() const { return world.stats().sleeping_bodies; }
    [[nodiscard]] bool all_awake() const {
        for (const BodyId box : boxes) {
            if (world.body(box).is_asleep()) return false;
        }
        return true;
    }
};

}  // namespace

TEST_CASE("a stack falls asleep as a whole, half a second after it has come to rest, not before") {
    World world = sleepy_world();
    test::add_floor(world);
    const BodyId low = world.create_body({.position = {0.0f, 0.5f}}, unit_box);
    const BodyId high = world.create_body({.position = {0.0f, 1.5f}}, unit_box);
    test::run(world, 29);
    CHECK_FALSE(world.body(low).is_asleep());
    while (!world.body(low).is_asleep() && world.step_count() < 200) world.step();
    CHECK(world.step_count() < 100);
    CHECK(world.body(high).is_asleep());
    CHECK(world.body(low).velocity() == Vec2{});
}

TEST_CASE("nothing sleeps unless it is asked for") {
    World world = test::world_with_floor();
    const BodyId box = world.create_body({.position = {0.0f, 0.5f}}, unit_box);
    test::run(world, 600);
    CHECK_FALSE(world.body(box).is_asleep());
}

TEST_CASE("an impact wakes the whole island, and no other one") {
    SleepingStack stack;
    const BodyId other = stack.world.create_body({.position = {20.0f, 0.5f}}, unit_box);
    test::run(stack.world, 2 * steps_to_sleep);
    REQUIRE(stack.world.body(other).is_asleep());
    stack.world.create_body({.position = {-3.0f, 2.5f}, .velocity = {8.0f, 2.0f}}, Circle{0.3f});
    test::run(stack.world, 25);
    CHECK(stack.all_awake());
    CHECK(stack.world.body(other).is_asleep());
}

TEST_CASE("an impact slower than what counts as rest still hands over its momentum") {
    World world = sleepy_world({});
    const BodyId target = world.create_body({}, unit_box);
    test::run(world, 2 * steps_to_sleep);
    REQUIRE(world.body(target).is_asleep());
    const float slow = 0.04f;  // below sleep_speed
    const BodyId hitter =
        world.create_body({.position = {-1.005f, 0.0f}, .velocity = {slow, 0.0f}}, unit_box);
    for (int i = 0; i < 25; ++i) {
        world.step();
        const float sum = world.body(target).velocity().x + world.body(hitter).velocity().x;
        CHECK(sum == doctest::Approx(slow).epsilon(1e-5));
    }
    CHECK(world.body(target).velocity().x == doctest::Approx(0.5f * slow).epsilon(1e-3));
}

TEST_CASE("a slow kinematic body wakes what it touches and pushes it along") {
    SleepingStack stack(1);
    const BodyId pusher = stack.world.create_body(
        {.type = BodyType::Kinematic, .position = {-1.1f, 0.5f}, .velocity = {0.03f, 0.0f}},
        unit_box);
    test::run(stack.world, 600);  // 0.3 m, of which 0.1 m is the gap
    CHECK(stack.all_awake());
    const float gap = stack.world.body(stack.boxes[0]).position().x -
                      stack.world.body(pusher).position().x - 1.0f;
    CHECK(std::fabs(gap) < 0.02f);
}

TEST_CASE("drifting at 0.3 m/s never sleeps, at 0.03 m/s it may") {
    World world = sleepy_world({});
    const BodyId fast = world.create_body({.velocity = {0.3f, 0.0f}}, unit_box);
    const BodyId slow =
        world.create_body({.position = {0.0f, 9.0f}, .velocity = {0.03f, 0.0f}}, unit_box);
    test::run(world, 600);
    CHECK_FALSE(world.body(fast).is_asleep());
    CHECK(world.body(slow).is_asleep());
}

TEST_CASE("a support that starts to move wakes its rider and carries it") {
    for (const bool by_span : {false, true}) {
        World world = sleepy_world();
        const BodyId lift = world.create_body(
            {.type = BodyType::Kinematic, .position = {0.0f, -0.5f}}, Box{{3.0f, 0.5f}});
        const BodyId rider = world.create_body({.position = {0.0f, 0.5f}}, unit_box);
        test::run(world, 2 * steps_to_sleep);
        REQUIRE(world.body(rider).is_asleep());
        if (by_span) {
            for (std::size_t i = 0; i < world.body_count(); ++i) {
                if (world.ids()[i] == lift) world.velocities()[i] = {0.0f, 1.0f};
            }
        } else {
            world.body(lift).set_velocity({0.0f, 1.0f});
        }
        test::run(world, 300);  // longer than it takes to fall asleep
        CHECK_FALSE(world.body(rider).is_asleep());
        CHECK(world.body(rider).position().y == doctest::Approx(5.5).epsilon(0.01));
    }
}

TEST_CASE("what stands on a support falls once that is gone, moved, shrunk or set free") {
    const auto falls_after = [](auto change) {
        SleepingStack stack;
        change(stack.world, stack.floor);
        test::run(stack.world, 60);
        return stack.all_awake() && stack.world.body(stack.boxes[0]).position().y < -1.0f;
    };
    CHECK(falls_after([](World& world, BodyId floor) { world.destroy_body(floor); }));
    CHECK(falls_after([](World& world, BodyId floor) {
        world.body(floor).teleport({0.0f, -90.0f});
    }));
    CHECK(falls_after([](World& world, BodyId floor) {
        world.body(floor).set_shape(Box{{0.1f, 0.1f}, {50.0f, 0.0f}});
    }));
    CHECK(falls_after([](World& world, BodyId floor) {
        world.body(floor).set_type(BodyType::Dynamic);
        world.body(floor).set_velocity({0.0f, -30.0f});
    }));
}

TEST_CASE("what stands on a support that is moved away falls, in whichever step that is") {
    for (int when = 24; when < 48; ++when) {
        CAPTURE(when);
        World world = sleepy_world();
        const BodyId support =
            world.create_body({.type = BodyType::Kinematic}, unit_box, {.friction = 0.0f});
        const BodyId load = world.create_body({.position = {0.0f, 1.0f}}, unit_box);
        test::run(world, when);
        world.body(support).move_to({10.0f, 0.0f});
        test::run(world, 60);
        CHECK(world.body(load).position().y < 0.0f);
    }
}

TEST_CASE(
    "what loses its support after it has long been still does not fall asleep as it begins to "
    "fall") {
    const auto falls = [](World& world, BodyId load) {
        const float before = world.body(load).position().y;
        test::run(world, 240);
        return !world.body(load).is_asleep() && world.body(load).position().y < before - 1.0f;
    };
    for (int when = 120; when < 136; ++when) {  // islands are looked for in one step of eight
        CAPTURE(when);
        World world({.gravity = {0.0f, -1.6f}, .time_to_sleep = time_to_sleep});
        const auto add_static = [&](Vec2 position, Box box, Material material = {}) {
            return world.create_body({.type = BodyType::Static, .position = position}, box,
                                     material);
        };
        const auto add_box = [&](Vec2 position, float gravity_scale = 1.0f) {
            return world.create_body({.position = position, .gravity_scale = gravity_scale},
                                     unit_box);
        };
        add_static({-4.0f, 1.5f}, {{0.5f, 3.0f}}, {.friction = 0.0f});
        const BodyId belt =
            add_static({-3.0f, 0.0f}, unit_box, {.surface_velocity = {-1.0f, 0.0f}});
        const BodyId held = add_box({-3.0f, 1.0f});
        add_static({1.5f, 1.5f}, {{0.5f, 1.0f}}, {.friction = 0.0f});
        const BodyId shelf = world.create_body(
            {.type = BodyType::Kinematic, .velocity = {1.0f, 0.0f}}, Box{{4.0f, 0.5f}});
        const BodyId crate = add_box({0.5f, 1.0f});
        const BodyId feather = add_box({0.5f, 2.0f}, 0.3f);
        test::run(world, when);
        REQUIRE_FALSE(world.body(held).is_asleep());
        REQUIRE_FALSE(world.body(feather).is_asleep());
        REQUIRE(world.body(held).position().y == doctest::Approx(1.0f).epsilon(0.01));
        world.destroy_body(belt);
        world.destroy_body(when % 2 == 0 ? shelf : crate);
        CHECK(falls(world, held));
        CHECK(world.body(feather).position().y < 1.5f);
    }
}

TEST_CASE("what lies on a slope slides once its stopper is gone, in whichever step that is") {
    using Removal = void (*)(World&, BodyId stopper);
    const Removal removals[] = {
        [](World& world, BodyId stopper) { world.destroy_body(stopper); },
        [](World& world, BodyId stopper) {
            world.body(stopper).teleport({0.0f, 50.0f});
        },
        [](World& world, BodyId stopper) { world.body(stopper).set_filter({.mask = 0}); },
        [](World& world, BodyId stopper) {
            world.body(stopper).apply_impulse({-90.0f, 0.0f});
        }};
    const Vec2 slope[] = {{20.0f, 1.2f}, {-20.0f, -1.2f}};
    int stuck = 0;
    for (const bool has_events : {true, false}) {
        for (const Removal& remove : removals) {
            for (int when = 20; when < 44; ++when) {
                World world({.time_to_sleep = 0.5f});
                world.create_body({.type = BodyType::Static}, Chain{slope});
                const BodyId stopper = world.create_body(
                    {.position = {-1.02f, 0.45f}, .mass = 9.0f}, Box{{0.5f, 0.5f}});
                const BodyId ball =
                    world.create_body({.position = {0.0f, 0.501f}}, Circle{0.5f},
                                      {.friction = 0.0f}, {.has_events = has_events});
                for (int i = 0; i < when; ++i) world.step();
                remove(world, stopper);
                for (int i = 0; i < 60; ++i) world.step();
                stuck += world.body(ball).is_asleep() ? 1 : 0;  // 0.6 m/s² for a second
            }
        }
    }
    CHECK(stuck == 0);
}

TEST_CASE("what lies on a slope slides once that is ice, in whichever step that is") {
    const Vec2 slope[] = {{20.0f, 0.8f}, {-20.0f, -0.8f}};
    int stuck = 0;
    for (const BodyType type : {BodyType::Static, BodyType::Kinematic}) {
        for (int when = 20; when < 60; ++when) {
            World world = sleepy_world({0.0f, -9.81f});
            const BodyId ground = world.create_body({.type = type}, Chain{slope});
            const BodyId ball = world.create_body({.position = {0.0f, 0.501f}}, Circle{0.5f});
            test::run(world, when);
            world.body(ground).set_material({.friction = 0.0f});
            test::run(world, 60);
            stuck += world.body(ball).is_asleep() ? 1 : 0;  // 0.4 m/s² for a second
        }
    }
    CHECK(stuck == 0);
}

TEST_CASE("what lies still slides once gravity leans, in whichever step that is") {
    for (int when = 20; when < 44; ++when) {
        CAPTURE(when);
        World world = sleepy_world({0.0f, -9.81f});
        test::add_floor(world);
        const BodyId ball =
            world.create_body({.position = {0.0f, 0.5f}}, Circle{0.5f}, {.friction = 0.0f});
        test::run(world, when);
        world.set_gravity({0.6f, -9.81f});
        test::run(world, 60);
        CHECK(world.body(ball).position().x > 0.2f);
    }
}

TEST_CASE("what other gravity lifts before it would have slept rises") {
    for (int when = 24; when < 48; ++when) {
        CAPTURE(when);
        World world = sleepy_world({0.0f, -1.6f});
        test::add_floor(world);
        const BodyId box = world.create_body({.position = {0.0f, 0.5f}}, unit_box);
        test::run(world, when);
        world.set_gravity({0.0f, 1.6f});
        test::run(world, 60);
        CHECK(world.body(box).position().y > 1.0f);
    }
}

TEST_CASE("what a force or an impulse acts on does not sleep, however slow it is") {
    World world = sleepy_world({});
    const BodyId pushed = world.create_body({}, unit_box, {}, {});
    const BodyId hit = world.create_body({.position = {0.0f, 5.0f}}, unit_box);
    const float mass = world.body(pushed).mass();
    const float acceleration = 0.08f;  // 0.04 m/s in the time to sleep
    for (int i = 0; i < 600; ++i) {
        world.body(pushed).apply_force({mass * acceleration, 0.0f});
        world.body(hit).apply_impulse({mass * acceleration / 60.0f, 0.0f});
        world.step();
    }
    CHECK(world.body(pushed).velocity().x == doctest::Approx(10.0f * acceleration));
    CHECK(world.body(hit).velocity().x == doctest::Approx(10.0f * acceleration));
}

TEST_CASE("whatever a user does to a body wakes its island, and doing nothing does not") {
    const auto wakes = [](auto act) {
        SleepingStack stack;
        act(stack.world.body(stack.boxes[1]));
        return stack.all_awake();
    };
    CHECK(wakes([](BodyRef body) { body.apply_force({1.0f, 0.0f}); }));
    CHECK(wakes([](BodyRef body) { body.apply_impulse({0.1f, 0.0f}); }));
    CHECK(wakes([](BodyRef body) { body.apply_impulse({0.1f, 0.0f}, 1.0f); }));
    CHECK(wakes([](BodyRef body) { body.set_velocity({0.0f, 0.1f}); }));
    CHECK(wakes([](BodyRef body) { body.teleport({5.0f, 5.0f}); }));
    CHECK(wakes([](BodyRef body) { body.set_mass(3.0f); }));
    CHECK(wakes([](BodyRef body) { body.set_shape(Circle{0.5f}); }));
    CHECK(wakes([](BodyRef body) { body.set_material({.friction = 0.1f}); }));
    CHECK(wakes([](BodyRef body) { body.set_gravity_scale(0.5f); }));
    CHECK(wakes([](BodyRef body) { body.set_linear_damping(0.5f); }));
    CHECK(wakes([](BodyRef body) { body.set_type(BodyType::Kinematic); }));
    CHECK(wakes([](BodyRef body) { body.set_can_sleep(true); }));
    CHECK(wakes([](BodyRef body) { body.wake(); }));
    CHECK_FALSE(wakes([](BodyRef body) { body.apply_force({}); }));
    CHECK_FALSE(wakes([](BodyRef body) { body.set_velocity({}); }));
    CHECK_FALSE(wakes([](BodyRef body) { body.set_user_data(7); }));
}

TEST_CASE(
    "a body that may not sleep keeps its island awake, whatever happens to it, and no other") {
    World world = sleepy_world();
    test::add_floor(world);
    const BodyId lamp = world.create_body({.position = {0.0f, 0.5f}, .can_sleep = false}, unit_box);
    const BodyId on_it = world.create_body({.position = {0.0f, 1.5f}}, unit_box);
    const BodyId apart = world.create_body({.position = {5.0f, 0.5f}}, unit_box);
    const auto rests_for_a_while = [&] {
        test::run(world, 4 * steps_to_sleep);
        return world.stats().sleeping_bodies;
    };
    CHECK(rests_for_a_while() == 1);
    CHECK(world.body(apart).is_asleep());

    World copy = world;
    test::run(copy, 4 * steps_to_sleep);
    CHECK_FALSE(copy.body(lamp).is_asleep());
    world.body(lamp).wake();
    world.body(lamp).apply_impulse({0.5f, 0.0f});
    world.step();
    world.body(lamp).set_material({.friction = 0.1f});
    world.body(lamp).set_type(BodyType::Static);
    world.body(lamp).set_type(BodyType::Dynamic);
    world.body(lamp).set_enabled(false);
    world.step();
    world.body(lamp).set_enabled(true);
    world.add_collider(lamp, Box{{0.25f, 0.25f}, {0.0f, 0.75f}});
    CHECK_FALSE(world.body(lamp).can_sleep());
    rests_for_a_while();
    CHECK_FALSE(world.body(lamp).is_asleep());
    CHECK_FALSE(world.body(on_it).is_asleep());

    world.body(lamp).set_can_sleep(true);
    CHECK(world.body(lamp).can_sleep());
    CHECK(rests_for_a_while() == 4);  // colliders
    world.body(lamp).set_can_sleep(false);
    CHECK_FALSE(world.body(lamp).is_asleep());
    CHECK_FALSE(world.body(on_it).is_asleep());
    CHECK(rests_for_a_while() == 1);
}

TEST_CASE(
    "what was written to the velocity column of a sleeper is not there when an impulse wakes it") {
    SleepingStack stack(1);
    const World before = stack.world;
    for (std::size_t i = 0; i < stack.world.ids().size(); ++i) {
        if (stack.world.ids()[i] == stack.boxes[0]) stack.world.velocities()[i] = {50.0f, 0.0f};
    }
    World blown = stack.world;
    stack.world.body(stack.boxes[0]).apply_impulse({0.001f, 0.0f});
    CHECK(stack.world.body(stack.boxes[0]).velocity().x == doctest::Approx(0.001f));
    World copy = before;
    copy.body(stack.boxes[0]).apply_impulse({0.001f, 0.0f});
    CHECK(stack.world.state_hash() == copy.state_hash());
    blown.explode({.center = {-1.0f, 0.5f}, .impulse = 0.001f});
    CHECK(blown.body(stack.boxes[0]).velocity().x == doctest::Approx(0.001f));
}

TEST_CASE("a change of one collider of a level wakes what stands on that, and nothing else") {
    const auto change = [](World& world, ColliderId collider, int way) {
        switch (way) {
            case 0: world.destroy_collider(collider); break;
            case 1: world.collider(collider).set_shape(Box{{0.5f, 0.25f}}); break;
            case 2: world.collider(collider).set_material({.friction = 0.1f}); break;
            default: world.collider(collider).set_def({.is_sensor = true}); break;
        }
    };
    for (const BodyType type : {BodyType::Static, BodyType::Kinematic}) {
        for (const int way : {0, 1, 2, 3}) {
            World world = sleepy_world();
            const BodyId level =
                world.create_body({.type = type, .position = {-9.0f, 0.0f}}, unit_box);
            std::vector<ColliderId> floor;
            std::vector<BodyId> boxes;
            for (int i = 0; i < 20; ++i) {
                const float x = 2.0f * static_cast<float>(i);
                const Vec2 offset{x + 9.0f, 0.0f};
                floor.push_back(world.add_collider(level, Box{{0.5f, 0.5f}, offset}));
                boxes.push_back(world.create_body({.position = {x, 1.0f}}, unit_box));
            }
            test::run(world, 2 * steps_to_sleep);
            REQUIRE(world.stats().sleeping_bodies == 20);
            change(world, floor[7], way);
            CHECK_FALSE(world.body(boxes[7]).is_asleep());
            world.step();
            CHECK(world.stats().sleeping_bodies == 19);
            test::run(world, 30);
            CHECK((world.body(boxes[7]).position().y < 0.99f) == (way != 2));
        }
    }
}

TEST_CASE("other gravity wakes everything, the same gravity nothing") {
    SleepingStack stack;
    stack.world.set_gravity(test::down);
    CHECK_FALSE(stack.all_awake());
    stack.world.set_gravity({0.0f, -5.0f});
    CHECK(stack.all_awake());
}

TEST_CASE("a pyramid wakes as it fell asleep: with its impulses, and still") {
    World world = sleepy_world();
    test::add_floor(world);
    BodyId any{};
    for (int row = 0; row < 10; ++row) {
        for (int i = 0; i < 10 - row; ++i) {
            const float x = static_cast<float>(i) - 0.5f * static_cast<float>(9 - row);
            any = world.create_body({.position = {x, 0.5f + static_cast<float>(row)}}, unit_box);
        }
    }
    while (!world.body(any).is_asleep() && world.step_count() < 600) world.step();
    REQUIRE(world.stats().sleeping_bodies == 55);
    test::run(world, 10);
    const Vec2 top = world.body(any).position();
    world.body(any).wake();
    CHECK(world.body(any).velocity() == Vec2{});
    for (int i = 0; i < 20; ++i) {
        world.step();
        CHECK(test::rms_speed(world) < 1e-3);  // as when it fell asleep; from cold it is 0.07
    }
    CHECK(length(world.body(any).position() - top) < 1e-4f);
}

TEST_CASE("one among many falls asleep without new pairs for all, and wakes at once as it was") {
    World world({.gravity = test::down, .time_to_sleep = 0.25f});
    test::add_floor(world, 200.0f);
    std::vector<BodyId> others;
    for (int i = 0; i < 40; ++i) {
        const Vec2 place{3.0f * static_cast<float>(i + 1), 0.5f};
        others.push_back(world.create_body({.position = place}, unit_box));
    }
    const BodyId low = world.create_body({.position = {0.0f, 0.5f}}, unit_box);
    const BodyId high = world.create_body({.position = {0.0f, 1.5f}}, unit_box);
    const auto step = [&] {
        for (const BodyId other : others) world.body(other).apply_force({0.0f, 0.01f});
        world.step();
    };
    const auto impulse = [&] {
        float normal_impulse = 0.0f;
        world.for_each_contact(
            high, [&](const WorldContact& contact) { normal_impulse = contact.normal_impulse; });
        return normal_impulse;
    };
    while (!world.body(high).is_asleep() && world.step_count() < 200) step();
    REQUIRE(world.stats().sleeping_bodies == 2);
    const float before = impulse();

    SUBCASE("asleep") {
        step();
        CHECK_FALSE(world.stats().pairs_rebuilt);
        CHECK(world.stats().pairs == 40);
        CHECK(world.stats().sleeping_bodies == 2);
    }
    SUBCASE("woken between two steps") {
        world.body(low).wake();
        CHECK(impulse() == before);
        step();
        CHECK_FALSE(world.stats().pairs_rebuilt);
        CHECK(world.stats().pairs == 42);
        CHECK(impulse() == doctest::Approx(before).epsilon(1e-3));
    }
    CHECK(world.events().began.empty());
    CHECK(world.events().ended.empty());
}

TEST_CASE("contacts are told once also in the step in which they fall asleep") {
    World world = sleepy_world();
    test::add_floor(world);
    for (int i = 0; i < 3; ++i) {
        world.create_body({.position = {0.0f, 0.5f + static_cast<float>(i)}}, unit_box);
    }
    test::run(world, 10);
    for (int step = 0; step < 2 * steps_to_sleep; ++step) {
        world.step();
        int told = 0;
        world.for_each_contact([&](const WorldContact&) { ++told; });
        CHECK(told == 3);
    }
    CHECK(world.stats().sleeping_bodies == 3);
}

TEST_CASE("contacts of sleepers are still told, with the weight they bear") {
    SleepingStack stack(2);
    int count = 0;
    stack.world.for_each_contact([&](const WorldContact& contact) {
        ++count;
        const float above = contact.b == stack.floor || contact.a == stack.floor ? 2.0f : 1.0f;
        CHECK(contact.normal_impulse == doctest::Approx(above * 10.0f / 60.0f).epsilon(0.02));
    });
    CHECK(count == 2);
}

TEST_CASE("a body destroyed in its sleep wakes its neighbours, and ids stay good") {
    SleepingStack stack;
    stack.world.destroy_body(stack.boxes[0]);
    CHECK_FALSE(stack.world.contains(stack.boxes[0]));
    CHECK_FALSE(stack.world.body(stack.boxes[1]).is_asleep());
    test::run(stack.world, 4 * steps_to_sleep);
    CHECK(stack.sleepers() == 2);
    CHECK(stack.world.body(stack.boxes[2]).position().y == doctest::Approx(1.5).epsilon(0.02));
}

TEST_CASE("what comes to rest on sleepers joins them") {
    SleepingStack stack;
    const BodyId late = stack.world.create_body({.position = {0.0f, 5.0f}}, unit_box);
    test::run(stack.world, 5 * steps_to_sleep);
    CHECK(stack.world.body(late).is_asleep());
    CHECK(stack.sleepers() == 4);
}

TEST_CASE("an impulse under way keeps a body awake") {
    World world = sleepy_world({});
    const BodyId body = world.create_body({}, unit_box);
    world.body(body).apply_impulse({0.001f, 0.0f}, 5.0f);
    test::run(world, 200);
    CHECK_FALSE(world.body(body).is_asleep());
    test::run(world, 200);
    CHECK(world.body(body).is_asleep());
}

TEST_CASE("a world in which nothing sleeps yet has the bits of one that never sleeps") {
    World never = test::world_with_floor();
    World sleepy = sleepy_world();
    test::add_floor(sleepy);
    for (World* world : {&never, &sleepy}) {
        for (int i = 0; i < 20; ++i) {
            world->create_body(
                {.position = {0.1f * static_cast<float>(i % 3), 1.0f + static_cast<float>(i)}},
                Circle{0.4f}, {.restitution = 0.3f});
        }
    }
    while (sleepy.stats().sleeping_bodies == 0 && sleepy.step_count() < 1'000) {
        CHECK(never.state_hash() == sleepy.state_hash());
        never.step();
        sleepy.step();
    }
    CHECK(sleepy.step_count() > 30);
}

TEST_CASE("a copy of sleepers goes on to the same bits, at every width") {
    SleepingStack stack(5);
    World worlds[] = {stack.world, stack.world, stack.world};
    for (World& world : worlds) {
        world.create_body({.position = {-4.0f, 1.0f}, .velocity = {9.0f, 3.0f}}, Circle{0.5f});
    }
    for (int i = 0; i < 200; ++i) {
        worlds[0].step<1>();
        worlds[1].step<4>();
        worlds[2].step<8>();
        CHECK(worlds[0].state_hash() == worlds[1].state_hash());
        CHECK(worlds[0].state_hash() == worlds[2].state_hash());
    }
}

TEST_CASE("a step only goes through what is awake") {
    World world = sleepy_world();
    test::add_floor(world, 6'000.0f);
    for (int i = 0; i < 5'000; ++i) {
        world.create_body({.position = {2.0f * static_cast<float>(i) - 5'000.0f, 0.5f}}, unit_box);
    }
    test::run(world, 2 * steps_to_sleep);
    for (int i = 0; i < 100; ++i) {
        world.create_body({.position = {static_cast<float>(i), 30.0f}}, Circle{0.2f});
    }
    world.step();
    CHECK(world.stats().sleeping_bodies == 5'000);
    CHECK(world.stats().moving_bodies == 100);
    CHECK(world.stats().pairs == 0);
}

TEST_CASE("nothing sleeps while it is pushed out of a deep overlap, or conveyed however slowly") {
    World world({.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.3f});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -5.0f}}, Box{{5.0f, 5.0f}});
    world.create_body({.type = BodyType::Static, .position = {9.0f, -0.5f}}, Box{{3.0f, 0.5f}},
                      {.surface_velocity = {0.04f, 0.0f}});
    const BodyId deep = world.create_body({.position = {0.0f, -1.5f}}, Box{{0.5f, 0.5f}});
    const BodyId conveyed = world.create_body({.position = {9.0f, 0.5f}}, Box{{0.5f, 0.5f}});
    test::run(world, 300);
    CHECK(world.body(deep).position().y > 0.4f);
    CHECK(world.body(conveyed).position().x == doctest::Approx(9.2f).epsilon(0.001));
}

TEST_CASE("a belt keeps awake what it drags, if only against a wall, and nothing on ice") {
    for (const float friction : {0.0f, 0.6f}) {
        World world({.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.3f});
        world.create_body({.type = BodyType::Static, .position = {0.0f, -0.5f}}, Box{{3.0f, 0.5f}},
                          {.surface_velocity = {2.0f, 0.0f}});
        world.create_body({.type = BodyType::Static, .position = {2.0f, 1.0f}}, Box{{0.5f, 1.0f}});
        const BodyId crate = world.create_body({.position = {1.0f, 0.5f}}, Box{{0.5f, 0.5f}},
                                               {.friction = friction});
        test::run(world, 300);
        CHECK(world.body(crate).is_asleep() == (friction == 0.0f));
    }
}

TEST_CASE("nothing falls asleep with more than 4 mm of an overlap that it comes out of") {
    for (const float seconds : {0.05f, 0.2f, 0.5f}) {
        for (const float overlap : {0.06f, 0.2f, 0.45f, 0.9f}) {
            for (const float damping_ratio : {12.0f, 50.0f}) {
                World world({.gravity = {},
                             .contact_damping_ratio = damping_ratio,
                             .time_to_sleep = seconds});
                const BodyId a = world.create_body({}, Box{{0.5f, 0.5f}});
                const BodyId b =
                    world.create_body({.position = {1.0f - overlap, 0.01f}}, Box{{0.5f, 0.5f}});
                for (int i = 0; i < 600; ++i) world.step();
                CHECK(world.body(a).is_asleep());
                const float apart = world.body(b).position().x - world.body(a).position().x;
                CHECK(apart > 1.0f - 0.004f);
            }
        }
    }
}

TEST_CASE("what has no room to come out of a deep overlap sleeps as it is") {
    World world({.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.3f});
    test::add_floor(world);
    const BodyId crate = world.create_body({.position = {0.0f, 0.5f}}, unit_box);
    const BodyId neighbour = world.create_body({.position = {1.0f, 0.5f}}, unit_box);
    const BodyId press =
        world.create_body({.type = BodyType::Kinematic, .position = {0.0f, 2.0f}}, unit_box);
    for (int i = 1; i <= 60; ++i) {
        world.body(press).move_to({0.0f, 2.0f - 0.7f * static_cast<float>(i) / 60.0f});
        world.step();
    }
    const BodyId under_load = world.create_body({.position = {5.0f, 0.5f}, .mass = 1.0f}, unit_box);
    world.create_body({.position = {5.0f, 1.5f}, .mass = 1'000.0f}, unit_box);
    test::run(world, 600);
    CHECK(world.body(crate).is_asleep());
    CHECK(world.body(neighbour).is_asleep());
    CHECK(world.body(under_load).is_asleep());
}

TEST_CASE("a stack that has no room under a ceiling sleeps, and what leans on it") {
    for (const float overlap : {0.1f, 0.2f, 0.3f, 0.4f}) {
        World world({.time_to_sleep = 0.3f});
        test::add_floor(world);
        float y = 0.5f;
        for (const float mass : {3.0f, 1.0f, 3.0f}) {
            world.create_body({.position = {0.0f, y}, .mass = mass}, unit_box);
            y += 1.0f;
        }
        world.create_body({.position = {1.0f, 0.5f}}, unit_box);
        world.create_body({.type = BodyType::Static, .position = {0.0f, y - overlap}}, unit_box);
        test::run(world, 600);
        CHECK(world.stats().moving_bodies == 0);
    }
}

TEST_CASE("a ball that another one presses against the corner of a step sleeps") {
    int awake = 0;
    for (int run = 0; run < 40; ++run) {
        const float side = run % 2 == 0 ? -1.0f : 1.0f;
        const float height = 0.2f + 0.01f * static_cast<float>(run / 2);
        World world({.time_to_sleep = 0.3f});
        test::add_floor(world);
        TileMapRef map = world.tile_map(world.create_tile_map({.tile_size = height}));
        map.define(1);
        map.set({side < 0.0f ? -1 : 0, 0}, 1);
        const BodyDef wall{.type = BodyType::Static, .position = {-2.0f * side, 2.0f}};
        world.create_body(wall, Box{{0.5f, 2.0f}});
        const Material smooth{.friction = 0.1f};
        world.create_body({.position = {-0.5f * side, 0.5f}}, Circle{0.5f}, smooth);
        world.create_body({.position = {-0.95f * side, 1.5f}}, Circle{0.5f}, smooth);
        test::run(world, 600);
        awake += world.stats().moving_bodies;
    }
    CHECK(awake == 0);
}

TEST_CASE("contacts of what has just woken are there before the next step") {
    World world({.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.3f});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -5.0f}}, Box{{5.0f, 5.0f}});
    const BodyId box = world.create_body({.position = {0.0f, 0.5f}}, Box{{0.5f, 0.5f}});
    test::run(world, 90);
    REQUIRE(world.body(box).is_asleep());
    world.body(box).wake();
    int contacts = 0;
    world.for_each_contact([&](const WorldContact&) { ++contacts; });
    CHECK(contacts == 1);
}

TEST_CASE("sensors come, move and go over sleepers without waking them, but wake them as solids") {
    for (const BodyType type : {BodyType::Static, BodyType::Kinematic}) {
        World world({.time_to_sleep = 0.2f});
        world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}},
                          Box{{10.0f, 1.0f}});
        const BodyRef crate =
            world.body(world.create_body({.position = {0.0f, 0.5f}}, Box{{0.5f, 0.5f}}));
        for (int i = 0; i < 60; ++i) world.step();
        REQUIRE(crate.is_asleep());
        const BodyId trigger = world.create_body({.type = type, .position = {0.0f, 1.0f}},
                                                 Circle{1.0f}, {}, {.is_sensor = true});
        world.add_collider(trigger, Box{{0.5f, 0.5f}}, {}, {.is_sensor = true});
        world.step();
        world.body(trigger).teleport({0.2f, 1.0f});
        world.step();
        CHECK(crate.is_asleep());
        world.collider(first_collider(trigger)).set_def({});
        world.step();
        CHECK(!crate.is_asleep());
    }
}

TEST_CASE("an impulse of nothing, at once or spread over a time, wakes nobody") {
    World world({.time_to_sleep = 0.2f});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{9.0f, 1.0f}});
    const BodyId box = world.create_body({.position = {0.0f, 0.5f}}, Box{{0.5f, 0.5f}});
    for (int i = 0; i < 60; ++i) world.step();
    REQUIRE(world.body(box).is_asleep());
    world.body(box).apply_impulse({});
    world.body(box).apply_impulse({}, 1.0f);
    world.body(box).apply_force({});
    CHECK(world.body(box).is_asleep());
}

}  // namespace sleep_test

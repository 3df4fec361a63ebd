// SPDX-License-Identifier: MIT
// Does the code in docs/porting.md compile and do what its row says?
#include <cstddef>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <debug_draw/svg_sink.hpp>
#include <phys2d/phys2d.hpp>
#include <phys2d/world/debug_draw.hpp>

namespace porting_test {

using namespace phys2d;

namespace {

void steps(World& world, int count) {
    for (int i = 0; i < count; ++i) world.step();
}

}  // namespace

TEST_CASE("porting: bodies of all kinds fall, rest, ride and are told about") {
    const double frame_seconds = 1.0 / 60.0;
    const Vec2 points[] = {{40.0f, 0.0f}, {30.0f, 3.0f}, {20.0f, 0.0f}};
    World world({.gravity = {0.0f, -9.81f}});
    BodyId ground = world.create_body({.type = BodyType::Static}, Box{{10.0f, 1.0f}});
    BodyId ball = world.create_body({.position = {0.0f, 9.0f}}, Circle{0.5f});
    BodyId hero = world.create_body({.position = {3.0f, 9.0f}}, Capsule{0.5f, 0.3f});
    BodyId hills = world.create_body({.type = BodyType::Static}, Chain{points});
    BodyId rock = world.create_body({.type = BodyType::Static, .position = {-60.0f, 0.0f}},
                                    convex_hull(points));
    ColliderId foot = world.add_collider(hero, Box{{0.2f, 0.1f}, {0.0f, -0.8f}});
    world.body(ball).set_material({.restitution = 0.8f, .friction = 0.2f});
    CHECK(world.collider(foot).body() == hero);
    CHECK(world.nearest({30.0f, 4.0f}, 2.0f).body == hills);
    CHECK(world.nearest({-30.0f, 4.0f}, 2.0f).body == rock);

    std::vector<std::pair<BodyId, BodyId>> touched;
    const auto on_touch = [&](BodyId a, BodyId b) { touched.emplace_back(a, b); };
    float hardest = 0.0f;
    const auto on_hit = [&](Vec2 point, float speed) {
        CHECK(point.y == doctest::Approx(1.0).epsilon(0.01));
        hardest = max(hardest, speed);
    };
    world.step();
    float alpha = world.advance(frame_seconds);
    CHECK(alpha < 1.0f);
    for (int i = 0; i < 240; ++i) {
        world.step();
        for (const ContactEvent& event : world.events().began) on_touch(event.a, event.b);
        for (const HitEvent& hit : world.events().hits) on_hit(hit.point, hit.approach_speed);
    }
    REQUIRE_FALSE(touched.empty());
    CHECK(touched.front() == std::pair{hero, ground});
    CHECK(hardest == doctest::Approx(12.1).epsilon(0.05));  // 7.1 and 7.5 m of fall

    bool stands = world.is_touching(hero, {0.0f, -1.0f});
    CHECK(stands);
    world.body(ground).set_material({.surface_velocity = {2.0f, 0.0f}});
    steps(world, 60);
    CHECK(world.body(hero).velocity().x == doctest::Approx(2.0).epsilon(0.01));
    CHECK(world.body(ball).position().x > 0.5f);

    touched.clear();
    world.for_each_touching(ball, [&](BodyId other) { on_touch(ball, other); });
    REQUIRE(touched.size() == 1);
    CHECK(touched.front() == std::pair{ball, ground});

    world.body(ball).set_mass(3.0f);
    world.body(ball).set_gravity_scale(0.5f);
    world.body(ball).teleport({5.0f, 9.0f});
    world.body(ball).set_velocity({1.0f, 0.0f});
    world.body(ball).apply_impulse({0.0f, 4.0f});
    world.body(ball).apply_force({0.0f, 20.0f});
    world.step();
    CHECK(world.body(ball).velocity().y ==
          doctest::Approx(4.0 / 3 + (20.0 / 3 - 0.5 * 9.81) / 60).epsilon(1e-5));
    const Vec2 before = world.body(ball).position();
    world.shift_origin({1024.0f, 0.0f});
    CHECK(world.body(ball).position() == before - Vec2{1024.0f, 0.0f});

    world.body(hero).set_user_data(42);
    CHECK(world.body(hero).user_data() == 42);
    world.destroy_body(ball);
    CHECK_FALSE(world.contains(ball));
}

TEST_CASE("porting: platforms, filters, sensors and queries") {
    World world({.gravity = {0.0f, -9.81f}});
    const BodyId lift =
        world.create_body({.type = BodyType::Kinematic}, Box{{2.0f, 0.1f}}, {.friction = 1.0f});
    const BodyId hero = world.create_body({.position = {0.0f, 0.9f}}, Capsule{0.5f, 0.3f});
    world.body(lift).set_collider_def({.one_way = OneWay::Up});
    const auto path = [](float seconds) { return Vec2{0.0f, seconds}; };
    for (int i = 1; i <= 60; ++i) {
        const float seconds = static_cast<float>(i) / 60.0f;
        world.body(lift).move_to(path(seconds));
        world.step();
    }
    steps(world, 60);
    CHECK(world.body(hero).position().y == doctest::Approx(1.9).epsilon(0.001));
    world.body(hero).drop_through();
    steps(world, 60);
    CHECK(world.body(hero).position().y < 0.0f);

    constexpr std::uint64_t balls = 1, walls = 2;
    const BodyId ball =
        world.create_body({.position = {10.0f, 0.0f}, .gravity_scale = 0.0f}, Circle{0.5f});
    world.body(ball).set_filter({.category = balls, .mask = walls});
    const BodyId other = world.create_body({.position = {9.5f, 0.0f}, .gravity_scale = 0.0f},
                                           Circle{0.5f}, {}, {.filter = {.category = balls}});
    world.body(hero).set_gravity_scale(0.0f);
    world.body(hero).set_velocity({});
    world.body(hero).teleport({10.0f, 0.2f});
    world.ignore(ball, hero);
    world.ignore(other, hero);
    world.step();
    CHECK(world.body(ball).position() == Vec2{10.0f, 0.0f});

    std::vector<std::pair<BodyId, BodyId>> visits;
    const auto on_visit = [&](BodyId a, BodyId b) { visits.emplace_back(a, b); };
    BodyId coin =
        world.create_body({.type = BodyType::Static}, Circle{0.3f}, {}, {.is_sensor = true});
    world.body(hero).teleport({0.0f, 0.0f});
    world.step();
    for (const SensorEvent& event : world.events().sensor_began)
        on_visit(event.sensor, event.visitor);
    REQUIRE(visits.size() == 1);
    CHECK(visits.front() == std::pair{coin, hero});
    world.body(coin).set_enabled(false);
    CHECK_FALSE(world.body(coin).is_enabled());

    const Vec2 eye{-10.0f, 0.0f};
    QueryHit hit = world.ray_cast(eye, {20.0f, 0.0f});
    CHECK(hit.body == hero);
    CHECK(hit.point.x == doctest::Approx(-0.3));
    QueryHit swept = world.shape_cast(Circle{0.5f, eye}, {20.0f, 0.0f});
    CHECK(swept.body == hero);
    CHECK(swept.fraction < hit.fraction);
    NearestBody nearest = world.nearest(eye, 10.0f);
    CHECK(nearest.body == lift);
    CHECK(nearest.distance == doctest::Approx(8.05).epsilon(0.001));
    CHECK(length(eye - nearest.point) == doctest::Approx(nearest.distance));

    world.body(hero).teleport(eye);
    visits.clear();
    world.for_each_overlap(Circle{2.0f, eye}, [&](BodyId body) { on_visit(hero, body); });
    CHECK(visits == std::vector{std::pair{hero, hero}});
    world.body(hero).teleport(eye + Vec2{2.0f, 0.0f});
    world.explode({.center = eye, .radius = 1.0f, .falloff = 4.0f, .impulse = 5.0f});
    CHECK(world.body(hero).velocity().x > 1.0f);
}

TEST_CASE("porting: worlds in pixels, asleep, saved, on threads, drawn, and with tiles") {
    World pixels({.gravity = {0.0f, -980.0f}, .length_unit = 100.0f});
    pixels.step();
    CHECK(pixels.step_count() == 1);

    World sleepy({.time_to_sleep = 0.5f});
    sleepy.create_body({.type = BodyType::Static}, Box{{10.0f, 1.0f}});
    const BodyId box = sleepy.create_body({.position = {0.0f, 1.5f}}, Box{{0.5f, 0.5f}});
    steps(sleepy, 60);
    CHECK(sleepy.body(box).is_asleep());

    const float dt = 1.0f / 60.0f;
    World world({.gravity = {0.0f, -9.81f}});
    const BodyId level = world.create_tile_map();
    world.tile_map(level).define('#');
    world.tile_map(level).load("##  ##\n######\n");
    Mover walker{.shape = Capsule{0.5f, 0.3f}, .position = {0.5f, 2.9f}};
    Vec2 velocity{};
    for (int i = 0; i < 60; ++i) {
        velocity += Vec2{2.0f - velocity.x, -9.81f * dt};
        velocity = move(world, walker, velocity, dt);
    }
    CHECK(walker.position.x > 1.5f);
    CHECK(walker.position.y < 2.9f);  // in the dip

    const auto executor = [](int count, auto&& task) {
        for (int i = 0; i < count; ++i) task(i);
    };
    world.create_body({.position = {3.0f, 5.0f}}, Circle{0.5f});
    World saved = world;
    std::vector<std::byte> bytes;
    world.save(bytes);
    world.load(bytes);
    world.step(executor);
    saved.step();
    CHECK(world.state_hash() == saved.state_hash());

    svg::SvgSink sink({{-1.0f, -1.0f}, {7.0f, 7.0f}});
    const std::size_t blank = sink.picture().size();
    debug_draw(world, sink);
    CHECK(sink.picture().size() > blank);
}

TEST_CASE("porting: a character seen from above slides along walls, and no sensor sees it") {
    const float dt = 1.0f / 60.0f;
    World world({.gravity = {}});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -2.0f}}, Box{{5.0f, 1.0f}});
    world.create_body({.type = BodyType::Static}, Circle{0.3f}, {}, {.is_sensor = true});
    Mover explorer{.shape = Circle{0.4f}, .up = {}};
    Vec2 velocity;
    for (int i = 0; i < 60; ++i) {
        world.step();
        CHECK(world.events().sensor_began.empty());
        velocity = move(world, explorer, {2.0f, -2.0f}, dt);
    }
    CHECK(explorer.position.x == doctest::Approx(2.0));
    CHECK(explorer.position.y == doctest::Approx(-0.6).epsilon(0.001));
    CHECK(velocity == Vec2{2.0f, 0.0f});
    CHECK(explorer.wall.normal == Vec2{0.0f, 1.0f});
    CHECK_FALSE(explorer.ground.is_grounded);
}

}  // namespace porting_test

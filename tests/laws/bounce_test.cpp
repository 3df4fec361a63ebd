// SPDX-License-Identifier: MIT
// Do balls bounce as high as they should, keep their energy when elastic, and come to rest when
// not? SCENES [18]
#include <cmath>
#include <initializer_list>
#include <vector>

#include <doctest/doctest.h>

#include <scenes/scenes.hpp>

#include "../support/random.hpp"
#include "measure.hpp"

namespace bounce_test {

using namespace phys2d;

namespace {

constexpr float drop_height = 2.0f;

/// A ball of radius 0.5 whose lowest point is `drop_height` above a floor of the same restitution.
struct Drop {
    World world;
    BodyId ball;

    explicit Drop(float restitution) : world(test::world_with_floor({.restitution = restitution})) {
        ball = world.create_body({.position = {0.0f, drop_height + 0.5f}}, Circle{0.5f},
                                 {.restitution = restitution});
    }

    /// Height of the lowest point over the floor [m].
    [[nodiscard]] float height() const { return world.body(ball).position().y - 0.5f; }

    /// Steps to the next top of the path; its height, 0 if the ball has come to rest.
    float next_apex() {
        for (int i = 0; i < 600 && world.body(ball).velocity().y <= 0.0f; ++i) world.step();
        float top = 0.0f;
        while (world.body(ball).velocity().y > 0.0f) {
            top = max(top, height());
            world.step();
        }
        return max(top, height());
    }
};

/// Balls of radius 0.4 let fall into a bucket 10 m wide.
World bucket_of_balls(const Material& material) {
    World world = test::world_with_floor(material);
    for (const float x : {-6.0f, 6.0f}) {
        world.create_body({.type = BodyType::Static, .position = {x, 10.0f}}, Box{{1.0f, 12.0f}},
                          material);
    }
    scenes::Random random;
    for (int i = 0; i < 60; ++i) {
        const float x = -4.0f + 1.5f * static_cast<float>(i % 6) + random.between(-0.1f, 0.1f);
        world.create_body({.position = {x, 1.0f + 1.2f * static_cast<float>(i / 6)}}, Circle{0.4f},
                          material);
    }
    return world;
}

}  // namespace

TEST_CASE("a ball rebounds to the square of its restitution times the height it fell from") {
    for (const float restitution : {0.0f, 0.25f, 0.5f, 0.8f, 1.0f}) {
        CAPTURE(restitution);
        Drop drop(restitution);
        const double rebound = double{drop.next_apex()} / double{drop_height};
        const double expected = double{restitution} * double{restitution};
        // of the 0.005, up to 0.0002 is how far the top is from the nearest step: g dt^2 / 8
        CHECK(std::fabs(rebound - expected) < 0.005);
    }
}

TEST_CASE("a ball bounces as high in a world that many bodies have left as in one they never saw") {
    Drop quiet(0.8f);
    Drop left(0.8f);
    std::vector<BodyId> guests;
    for (int i = 0; i < 60; ++i) {
        const Vec2 place{100.0f + 2.0f * static_cast<float>(i), 50.0f};
        guests.push_back(left.world.create_body({.position = place}, Circle{0.5f}));
    }
    quiet.world.step();
    left.world.step();
    for (const BodyId guest : guests) left.world.destroy_body(guest);
    for (int i = 0; i < 5; ++i) CHECK(left.next_apex() == quiet.next_apex());
}

TEST_CASE("the duller of two surfaces decides about a bounce") {
    World world = test::world_with_floor({.restitution = 0.0f});
    const BodyId ball =
        world.create_body({.position = {0.0f, 2.5f}}, Circle{0.5f}, {.restitution = 1.0f});
    test::run(world, 60);  // falls for 38 steps
    CHECK(world.body(ball).position().y == doctest::Approx(0.5).epsilon(0.002));
}

TEST_CASE("a ball with restitution 1 keeps its energy within 1e-3 over 10,000 bounces") {
    Drop drop(1.0f);
    const int bounces = test::is_fast_build ? 10'000 : 300;
    double lowest = HUGE_VAL, highest = 0.0;
    for (int i = 0; i < bounces; ++i) {
        const double apex = drop.next_apex();
        lowest = std::fmin(lowest, apex);
        highest = std::fmax(highest, apex);
    }
    CHECK(std::fabs(lowest / double{drop_height} - 1.0) < 1e-3);
    CHECK(std::fabs(highest / double{drop_height} - 1.0) < 1e-3);
}

TEST_CASE("a ball between two elastic walls keeps its speed to rounding over 10,000 bounces") {
    World world = test::weightless();
    const Material elastic{.restitution = 1.0f};
    for (const float x : {-3.0f, 3.0f}) {
        world.create_body({.type = BodyType::Static, .position = {x, 0.0f}}, Box{{1.0f, 5.0f}},
                          elastic);
    }
    const BodyId ball = world.create_body({.velocity = {7.3f, 0.0f}}, Circle{0.5f}, elastic);
    const int steps = test::is_fast_build ? 250'000 : 10'000;  // 25 steps from wall to wall
    int turns = 0;
    double slowest = HUGE_VAL, fastest = 0.0;
    for (int i = 0; i < steps; ++i) {
        const float before = world.body(ball).velocity().x;
        world.step();
        const float after = world.body(ball).velocity().x;
        if ((before < 0.0f) != (after < 0.0f)) ++turns;
        slowest = std::fmin(slowest, test::speed(world.body(ball).velocity()));
        fastest = std::fmax(fastest, test::speed(world.body(ball).velocity()));
    }
    CHECK(turns >= steps / 27);
    CHECK(slowest > 7.3 * (1.0 - 1e-5));
    CHECK(fastest < 7.3 * (1.0 + 1e-5));
    CHECK(world.body(ball).velocity().y == 0.0f);
}

TEST_CASE("a bucket of balls with restitution 0.9 comes to rest") {
    World world = bucket_of_balls({.restitution = 0.9f});
    test::run(world, 3'000);
    CHECK(test::rms_speed(world) < 1e-3);  // the same as for stacks
    CHECK(test::deepest(world) < 0.02);
}

TEST_CASE("a bucket of balls with restitution 0.5 comes to rest") {
    World world = bucket_of_balls({.restitution = 0.5f});
    test::run(world, 3'000);
    CHECK(test::rms_speed(world) < 1e-3);
    CHECK(test::deepest(world) < 0.02);
}

TEST_CASE("a bucket of balls that do not bounce comes to rest") {
    World world = bucket_of_balls({});
    test::run(world, 600);
    CHECK(test::rms_speed(world) < 1e-4);  // measured 4e-6
    CHECK(test::deepest(world) < 0.01);
}

TEST_CASE("a gas of elastic circles keeps its energy within 1 % over 400 steps") {
    World world = scenes::build(scenes::gas(2'000));
    const double before = test::kinetic_energy(world);
    test::run(world, 400);
    CHECK(test::kinetic_energy(world) == doctest::Approx(before).epsilon(0.01));
    CHECK(test::deepest(world) < 0.1);  // at up to 14 m/s against each other, 0.06 m a sub-step
}

TEST_CASE("a ball that falls straight into a notch comes straight back with all its energy") {
    for (const float degrees : {10.0f, 20.0f, 40.0f, 60.0f, 70.0f}) {
        for (const float speed : {3.0f, 12.0f}) {
            CAPTURE(degrees);
            CAPTURE(speed);
            World world({.gravity = {0.0f, 0.0f}});
            const float rise = 3.0f * std::tan(degrees * 0.0174532925f);
            const Vec2 notch[] = {{3.0f, rise}, {0.0f, 0.0f}, {-3.0f, rise}};
            const Material elastic{.restitution = 1.0f, .friction = 0.0f};
            world.create_body({.type = BodyType::Static}, Chain{notch}, elastic);
            const BodyId ball = world.create_body(
                {.position = {0.0f, 5.0f}, .velocity = {0.0f, -speed}}, Circle{0.25f}, elastic);
            for (int i = 0; i < 150 && world.body(ball).velocity().y < 0.0f; ++i) world.step();
            CHECK(std::fabs(world.body(ball).velocity().x) < 1e-3f * speed);
            CHECK(world.body(ball).velocity().y == doctest::Approx(speed).epsilon(1e-3));
        }
    }
}

TEST_CASE(
    "two touching balls that are hit dead centre part alike, with the energy of the closed form") {
    for (const float restitution : {1.0f, 0.9f, 0.5f}) {
        World world({.gravity = {0.0f, 0.0f}});
        const Material material{.restitution = restitution, .friction = 0.0f};
        const float half = 0.5f, back = std::sqrt(0.75f);
        const BodyId upper = world.create_body({.position = {0.0f, half}}, Circle{0.5f}, material);
        const BodyId lower = world.create_body({.position = {0.0f, -half}}, Circle{0.5f}, material);
        const BodyId ball = world.create_body(
            {.position = {-back - 2.0f, 0.0f}, .velocity = {9.0f, 0.0f}}, Circle{0.5f}, material);
        for (int i = 0; i < 60; ++i) world.step();
        // both at once: the ball loses 2 J cos 30 along its way, each closes at (9 - 2 J cos 30)
        // cos 30 - J = -e 9 cos 30
        const float impulse = (1.0f + restitution) * 9.0f * back / 2.5f;
        CHECK(world.body(upper).velocity().x == doctest::Approx(impulse * back).epsilon(1e-3));
        CHECK(world.body(upper).velocity().y == doctest::Approx(impulse * half).epsilon(1e-3));
        CHECK(world.body(lower).velocity().y == doctest::Approx(-impulse * half).epsilon(1e-3));
        CHECK(world.body(ball).velocity().x ==
              doctest::Approx(9.0f - 2.0f * impulse * back).epsilon(1e-3));
        CHECK(std::fabs(world.body(ball).velocity().y) < 0.01f);
    }
}

TEST_CASE("bodies that another hits both at once part alike, however heavy and fast it is") {
    int runs = 0;
    for (const float restitution : {1.0f, 0.8f, 0.4f, 0.1f, 0.0f}) {
        for (const float density : {0.3f, 1.0f, 3.0f, 10.0f}) {
            for (const float speed : {3.0f, 8.0f, 16.0f, 30.0f}) {
                for (const float way : {1.0f, 1.05f, 1.1f, 1.15f}) {
                    World world({.gravity = {0.0f, 0.0f}});
                    const Material light{.restitution = restitution, .friction = 0.0f};
                    Material material = light;
                    material.density = density;
                    const bool is_round = runs++ % 2 == 0;
                    const Shape target = is_round ? Shape(Circle{0.5f}) : Shape(Box{{0.5f, 0.5f}});
                    const BodyId left =
                        world.create_body({.position = {-0.5f, 0.0f}}, target, light);
                    const BodyId right =
                        world.create_body({.position = {0.5f, 0.0f}}, target, light);
                    const BodyId ball = world.create_body(
                        {.position = {0.0f, 1.0f + way}, .velocity = {0.0f, -speed}}, Circle{0.5f},
                        material);
                    for (int i = 0; i < 60; ++i) world.step();
                    const Vec2 one = world.body(left).velocity(),
                               other = world.body(right).velocity();
                    CAPTURE(density);
                    CAPTURE(speed);
                    CAPTURE(is_round);
                    const bool bounces = restitution > 0.0f;  // else there are a few passes
                    const float alike = speed * (bounces ? 2e-3f : 7e-2f);
                    CHECK(length(one - other * Vec2{-1.0f, 1.0f}) < alike);
                    CHECK(std::fabs(world.body(ball).velocity().x) < alike);
                }
            }
        }
    }
    CHECK(runs == 320);
}

TEST_CASE("an elastic ball leaves a notch with the energy it came with, from wherever it came") {
    constexpr float degree = 0.0174532925f;
    const Material elastic{.restitution = 1.0f, .friction = 0.0f};
    int runs = 0;
    for (const float slope : {5.0f, 10.0f, 20.0f, 30.0f, 40.0f}) {
        const float rise = 3.0f * std::tan(slope * degree);
        const Vec2 notch[] = {{3.0f, rise}, {0.0f, 0.0f}, {-3.0f, rise}};
        for (const float tilt : {3.0f, 7.0f, 12.0f, 25.0f}) {
            const Vec2 way{std::sin(tilt * degree), -std::cos(tilt * degree)};
            for (const float speed : {12.0f, 25.0f, 50.0f}) {
                for (const float from : {3.0f, 3.1f, 3.2f, 3.3f}) {
                    World world({.gravity = {0.0f, 0.0f}});
                    world.create_body({.type = BodyType::Static}, Chain{notch}, elastic);
                    const Vec2 bottom{0.0f, 0.25f / std::cos(slope * degree)};
                    const BodyId ball = world.create_body(
                        {.position = bottom - way * from, .velocity = way * speed}, Circle{0.25f},
                        elastic);
                    for (int i = 0; i < 60; ++i) world.step();
                    CAPTURE(slope);
                    CAPTURE(tilt);
                    CAPTURE(speed);
                    CHECK(length(world.body(ball).velocity()) ==
                          doctest::Approx(speed).epsilon(1e-3));
                    ++runs;
                }
            }
        }
    }
    CHECK(runs == 240);
}

TEST_CASE("a bounce has the friction of its whole impulse, on belts too") {
    for (const float restitution : {0.0f, 0.5f, 1.0f}) {
        for (const float friction : {0.1f, 0.3f}) {
            for (const float belt : {0.0f, 20.0f}) {
                World world({.gravity = {0.0f, 0.0f}});
                const Material material{.restitution = restitution, .friction = friction};
                Material moving = material;
                moving.surface_velocity = {belt, 0.0f};
                world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}},
                                  Box{{50.0f, 1.0f}}, moving);
                const BodyId ball = world.create_body(
                    {.position = {0.0f, 2.0f}, .velocity = {10.0f, -5.0f}}, Circle{0.5f}, material);
                for (int i = 0; i < 40; ++i) world.step();
                const float change = friction * (1.0f + restitution) * 5.0f;
                CAPTURE(restitution);
                CAPTURE(friction);
                CAPTURE(belt);
                CHECK(world.body(ball).velocity().x ==
                      doctest::Approx(belt > 10.0f ? 10.0f + change : 10.0f - change));
            }
        }
    }
}

TEST_CASE("what another hits both at once parts alike with friction too") {
    constexpr float degree = 0.0174532925f;
    int runs = 0;
    for (const float restitution : {1.0f, 0.7f}) {
        for (const float friction : {0.1f, 0.3f}) {
            for (const float speed : {3.0f, 8.0f, 16.0f, 30.0f}) {
                for (const float way : {1.0f, 1.05f, 1.1f, 1.15f}) {
                    const Material material{.restitution = restitution, .friction = friction};
                    const bool is_round = runs++ % 2 == 0;
                    const Shape target = is_round ? Shape(Circle{0.5f}) : Shape(Box{{0.5f, 0.5f}});
                    CAPTURE(restitution);
                    CAPTURE(friction);
                    CAPTURE(speed);
                    CAPTURE(is_round);

                    World world({.gravity = {0.0f, 0.0f}});
                    const auto add = [&](Vec2 position, const Shape& shape, float fall) {
                        return world.create_body({.position = position, .velocity = {0.0f, -fall}},
                                                 shape, material);
                    };
                    const BodyId left = add({-0.55f, 0.0f}, target, 0.0f);
                    const BodyId right = add({0.55f, 0.0f}, target, 0.0f);
                    const BodyId ball = add({0.0f, 1.0f + way}, Circle{0.5f}, speed);
                    // and a ball straight into a notch, too steep to hold it by friction
                    const float slope = (20.0f + 5.0f * static_cast<float>(runs % 6)) * degree;
                    const Vec2 notch[] = {{9.0f, 2.0f * std::sin(slope)},
                                          {9.0f - 2.0f * std::cos(slope), 0.0f},
                                          {9.0f - 4.0f * std::cos(slope), 2.0f * std::sin(slope)}};
                    world.create_body({.type = BodyType::Static}, Chain{notch}, material);
                    const BodyId other = add({notch[1].x, 1.0f + way}, Circle{0.25f}, speed);
                    for (int i = 0; i < 40; ++i) world.step();

                    const Vec2 one = world.body(left).velocity(),
                               mirrored = world.body(right).velocity() * Vec2{-1.0f, 1.0f};
                    CHECK(length(one - mirrored) < 2e-3f * speed);
                    CHECK(std::fabs(world.body(ball).velocity().x) < 2e-3f * speed);
                    CHECK(std::fabs(world.body(other).velocity().x) < 2e-3f * speed);
                }
            }
        }
    }
    CHECK(runs == 64);
}

namespace {

/// The most speed that a body without restitution gains in a step after it was thrown into a notch
/// between two slippery slopes, as a part of the speed at which it was thrown.
float most_gain_in_a_notch(test::Random& random, float speed) {
    World world({.gravity = {}});
    const Vec2 tip{0.0f, 0.0f}, left{-10.0f, random.uniform(2.0f, 25.0f)},
        right{10.0f, random.uniform(2.0f, 25.0f)};
    const Material ice{.friction = 0.0f};
    world.create_body({.type = BodyType::Static}, Segment{right, tip}, ice);
    world.create_body({.type = BodyType::Static}, Segment{tip, left}, ice);
    const float size = random.uniform(0.1f, 0.5f);
    const Shape shape = random.one_in(2) ? Shape(Circle{size}) : Shape(Box{{size, size}});
    const Vec2 way = normalized(Vec2{random.uniform(-0.3f, 0.3f), -1.0f});
    const BodyId body = world.create_body(
        {.position = Vec2{0.0f, 3.0f} - way * 3.0f, .velocity = way * speed}, shape, ice);
    float most = 0.0f;
    for (int i = 0; i < static_cast<int>(600.0f / speed) + 20; ++i) {
        const float before = length(world.body(body).velocity());
        world.step();
        most = max(most, length(world.body(body).velocity()) - before);
    }
    return most / speed;
}

}  // namespace

TEST_CASE("what lands in a notch without restitution is not thrown back out of it") {
    test::Random random;
    int thrown = 0;
    for (int i = 0; i < test::many / 100; ++i) {
        const float speed = random.log_uniform(2.0f, 60.0f);
        thrown += most_gain_in_a_notch(random, speed) > 0.1f ? 1 : 0;
    }
    CHECK(thrown == 0);
}

namespace {

/// The fastest that the top of a stack of touching boxes gets after the stack has fallen onto a
/// floor, as a part of the speed of the fall.
float rebound_of_a_stack(int boxes, float speed, const Material& material) {
    World world = test::world_with_floor(material);
    BodyId top{};
    for (int i = 0; i < boxes; ++i) {
        top = world.create_body(
            {.position = {0.0f, 0.6f + static_cast<float>(i)}, .velocity = {0.0f, -speed}},
            Box{{0.5f, 0.5f}}, material);
    }
    float fastest = 0.0f;
    for (int i = 0; i < 60; ++i) {
        world.step();
        fastest = max(fastest, world.body(top).velocity().y);
    }
    return fastest / speed;
}

/// The mean for stacks of 2 to 6 boxes at 2 to 16 m/s.
float mean_rebound_of_stacks(const Material& material) {
    float sum = 0.0f;
    int runs = 0;
    for (int boxes = 2; boxes <= 6; ++boxes) {
        for (float speed = 2.0f; speed <= 16.0f; speed += 2.0f) {
            sum += rebound_of_a_stack(boxes, speed, material);
            ++runs;
        }
    }
    return sum / static_cast<float>(runs);
}

}  // namespace

TEST_CASE("stacks with little restitution leave the floor at less than a fifth of their speed") {
    for (const float restitution : {0.0f, 0.01f, 0.1f}) {
        CAPTURE(restitution);
        CHECK(mean_rebound_of_stacks({.restitution = restitution}) < 0.2f);
    }
}

}  // namespace bounce_test

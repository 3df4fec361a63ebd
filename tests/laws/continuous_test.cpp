// SPDX-License-Identifier: MIT
// Does anything ever get through anything, however fast it is? SCENES [12] [13] [15]
#include <array>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "scenes/library.hpp"
#include "support/random.hpp"

namespace continuous_test {

using namespace phys2d;

namespace {

constexpr Material elastic{.restitution = 1.0f, .friction = 0.0f};

/// Four walls of the given thickness around a room.
void build_room(World& world, Vec2 half, float thickness) {
    const float t = 0.5f * thickness;
    const Vec2 wide{half.x + thickness, t}, high{t, half.y + thickness};
    for (const float side : {-1.0f, 1.0f}) {
        world.create_body({.type = BodyType::Static, .position = {0.0f, side * (half.y + t)}},
                          Box{wide}, elastic);
        world.create_body({.type = BodyType::Static, .position = {side * (half.x + t), 0.0f}},
                          Box{high}, elastic);
    }
}

Shape thrown_shape(test::Random& random) {
    const float x = random.uniform(0.05f, 1.5f);
    const float y = random.uniform(0.05f, 1.5f);
    switch (random.integer(0, 3)) {
        case 0: return Circle{x};
        case 1: return Box{{x, y}};
        case 2: return Capsule{x, y};
        default: return RoundedBox{{x, y}, 0.3f};
    }
}

}  // namespace

TEST_CASE("a bullet of 400 m/s stops in front of a thin wall, or bounces off it") {
    for (const float restitution : {0.0f, 1.0f}) {
        World world({.gravity = {0.0f, 0.0f}});
        const Material material{.restitution = restitution};
        world.create_body({.type = BodyType::Static}, Box{{0.1f, 5.0f}}, material);
        const BodyId bullet = world.create_body({.position = {-17.3f, 0.1f}, .velocity = {400, 0}},
                                                Circle{0.2f}, material);
        float furthest = -17.3f;
        for (int i = 0; i < 20; ++i) {
            world.step();
            furthest = std::fmax(furthest, world.body(bullet).position().x);
        }
        CHECK(furthest <= -0.3f + 1e-4f);
        CHECK(world.body(bullet).velocity().x == doctest::Approx(-400.0f * restitution));
    }
}

TEST_CASE("two bullets that fly at each other meet in the middle") {
    World world({.gravity = {0.0f, 0.0f}});
    const auto shoot = [&](float side) {
        return world.create_body({.position = {10.0f * side, 0.0f}, .velocity = {-400 * side, 0}},
                                 Circle{0.2f});
    };
    const BodyId left = shoot(-1.0f), right = shoot(1.0f);
    for (int i = 0; i < 10; ++i) world.step();
    CHECK(world.body(left).position().x == doctest::Approx(-0.2f));
    CHECK(world.body(right).position().x == doctest::Approx(0.2f));
}

TEST_CASE("no shot at a body that cannot move misses it, up to 10,000 m/s") {
    test::Random random;
    int missed = 0;
    for (int i = 0; i < test::many / 50; ++i) {
        World world({.gravity = {0.0f, 0.0f}});
        world.create_body({.type = BodyType::Static}, thrown_shape(random));
        const float speed = random.log_uniform(3.0f, 1e4f);
        const Vec2 direction = normalized_or(random.point(1.0f), {1.0f, 0.0f});
        const float distance = random.uniform(6.0f, 30.0f);
        const Vec2 aside = perpendicular(direction) * random.uniform(-0.09f, 0.09f);
        const BodyId shot = world.create_body(
            {.position = aside - direction * distance, .velocity = direction * speed},
            thrown_shape(random));
        for (int k = static_cast<int>(distance / speed * 60.0f) + 2; k > 0; --k) world.step();
        missed += world.body(shot).velocity() == direction * speed ? 1 : 0;
    }
    CHECK(missed == 0);
}

TEST_CASE(
    "two bodies that fly into each other, however fast, both of any shape, do so and it is told") {
    test::Random random;
    const auto random_velocity = [&] {
        const float speed = random.log_uniform(3.0f, 1e4f);
        return normalized_or(random.point(1.0f), {1.0f, 0.0f}) * speed;
    };
    int shots = 0, untold = 0, undisturbed = 0;
    for (int i = 0; i < test::many / 5; ++i) {
        World world({.gravity = {0.0f, 0.0f}});
        const Shape shapes[] = {thrown_shape(random), thrown_shape(random)};
        const Vec2 velocities[] = {random_velocity(),
                                   random.one_in(3) ? Vec2{} : random_velocity()};
        const float time = random.uniform(0.5f, 3.5f) / 60.0f;  // until their centers nearly meet
        const Vec2 places[] = {velocities[0] * -time, velocities[1] * -time + random.point(0.04f)};
        if (overlaps(translate(shapes[0], places[0]), translate(shapes[1], places[1]))) continue;
        BodyId first{};
        for (int k = 1; k >= 0; --k) {
            first = world.create_body({.position = places[k],
                                       .velocity = velocities[k],
                                       .mass = random.log_uniform(0.1f, 10.0f)},
                                      shapes[k]);
        }
        std::size_t told = 0;
        for (int k = 0; k < 5; ++k) {
            world.step();
            told += world.events().began.size();
        }
        ++shots;
        untold += told == 0 ? 1 : 0;
        undisturbed += world.body(first).velocity() == velocities[0] ? 1 : 0;
    }
    CHECK(shots > test::many / 10);
    CHECK(untold == 0);
    CHECK(undisturbed == 0);
}

TEST_CASE("a ball that bounces between four walls never gets out and keeps its speed") {
    World world({.gravity = {0.0f, 0.0f}, .length_unit = 100.0f});
    build_room(world, {400.0f, 300.0f}, 20.0f);
    const Vec2 start{800.0f, 1000.0f};
    const BodyId ball = world.create_body({.velocity = start}, Circle{8.0f}, elastic);
    for (int i = 0; i < test::many / 10; ++i) {
        world.step();
        const Vec2 position = abs(world.body(ball).position());
        if (position.x > 393.0f || position.y > 293.0f) FAIL("the ball is outside");
    }
    CHECK(length(world.body(ball).velocity()) == doctest::Approx(length(start)).epsilon(1e-3));
}

TEST_CASE("bullets that bounce several times a step stay inside their room") {
    test::Random random;
    World world;
    build_room(world, {10.0f, 10.0f}, 0.2f);
    for (int i = 0; i < 20; ++i) {
        world.create_body({.type = BodyType::Static, .position = random.point(8.0f)},
                          Box{{0.3f, 0.05f}}, elastic);
    }
    std::vector<BodyId> bullets;
    for (int i = 0; i < 100; ++i) {
        bullets.push_back(
            world.create_body({.position = random.point(9.0f), .velocity = random.point(300.0f)},
                              Circle{0.1f}, elastic));
    }
    for (int i = 0; i < test::many / 1000; ++i) world.step();
    for (const BodyId bullet : bullets) {
        const Vec2 position = abs(world.body(bullet).position());
        CHECK(max(position.x, position.y) < 10.0f);
    }
}

TEST_CASE("the smallest bodies stay in rooms of chains and of segments") {
    test::Random random;
    const std::array<Vec2, 4> corners{{{0.0f, 0.0f}, {0.0f, 1.0f}, {1.0f, 1.0f}, {1.0f, 0.0f}}};
    for (const bool are_segments : {false, true}) {
        World world;
        const Material material{.restitution = 0.5f};
        if (are_segments) {
            for (std::size_t i = 0; i < 4; ++i) {
                world.create_body({.type = BodyType::Static},
                                  Segment{corners[i], corners[(i + 1) % 4]}, material);
            }
        } else {
            world.create_body({.type = BodyType::Static}, Chain{corners, true}, material);
        }
        std::vector<BodyId> ids;
        for (int i = 0; i < 1'000; ++i) {
            const Shape shape = random.one_in(2) ? Shape(Box{{0.005f, 0.005f}}) : Circle{0.005f};
            const Vec2 velocity = random.point(random.one_in(2) ? 20.0f : 1'000.0f);
            ids.push_back(world.create_body(
                {.position = Vec2{0.5f, 0.5f} + random.point(0.2f), .velocity = velocity}, shape,
                material, {.filter = {.group = -1}}));
        }
        for (int i = 0; i < 60; ++i) world.step();
        int outside = 0;
        for (const BodyId id : ids) {
            const Vec2 place = world.body(id).position();
            outside += !contains(AABB{{0.0f, 0.0f}, {1.0f, 1.0f}}, place);
        }
        CHECK(outside == 0);
    }
}

TEST_CASE("a circle that is pushed at a gap narrower than itself never passes") {
    World world({.gravity = {0.0f, 0.0f}});
    for (const float side : {-1.0f, 1.0f}) {
        world.create_body({.type = BodyType::Static, .position = {0.0f, 1.45f * side}},
                          Box{{0.1f, 1.0f}});
    }
    const BodyId circle = world.create_body({.position = {-3.0f, 0.2f}}, Circle{0.5f});
    for (int i = 0; i < 600; ++i) {
        world.body(circle).set_velocity({i % 2 == 0 ? 5.0f : 100.0f, 0.0f});
        world.step();
    }
    CHECK(world.body(circle).position().x < 0.0f);
}

TEST_CASE("what is driven against a wall in every step does not get through it, at any rate") {
    for (const float hertz : {60.0f, 240.0f, 1'000.0f}) {
        for (const float speed : {5.0f, 20.0f, 50.0f, 100.0f, 200.0f}) {
            World world({.gravity = {}, .time_step = 1.0f / hertz});
            world.create_body({.type = BodyType::Static, .position = {0.0f, 0.1f}},
                              Box{{4.0f, 0.1f}});
            const BodyId box = world.create_body({.position = {0.3f, 3.0f}}, Box{{0.5f, 0.5f}});
            for (float seconds = 0.0f; seconds < 2.0f; seconds += 1.0f / hertz) {
                world.body(box).set_velocity({0.0f, -speed});
                world.step();
            }
            CHECK(world.body(box).position().y > 0.5f);
        }
    }
}

TEST_CASE("crowds of small bodies that fall on tiles at 28 m/s do not fall through") {
    constexpr float storey_height = 45.0f;
    const scenes::Scene scene = scenes::rain(3);
    World world(scene.config);
    std::vector<BodyId> ids;
    for (const scenes::SceneBody& body : scene.bodies) {
        ids.push_back(world.create_body(body.def, body.shape, body.material));
    }
    for (int i = 0; i < 200; ++i) world.step();  // down after 170
    float end_of_floors = 0.0f;
    for (const scenes::SceneBody& body : scene.bodies) {
        if (body.def.type != BodyType::Static) continue;
        end_of_floors = std::fmax(end_of_floors, body.def.position.x);
    }
    int lost = 0, fallen = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const float start = scene.bodies[i].def.position.y;
        const float floor = std::floor((start - 39.0f) / storey_height) * storey_height;
        const float height = world.body(ids[i]).position().y - floor;
        if (scene.bodies[i].def.type != BodyType::Dynamic) continue;
        fallen += height < 3.0f ? 1 : 0;
        const bool is_beside = std::fabs(world.body(ids[i]).position().x) > end_of_floors;
        lost += height < 0.0f && !is_beside ? 1 : 0;
    }
    CHECK(fallen > 350);  // the others lie on top of them
    CHECK(lost == 0);
}

namespace {

/// Balls in a row, 0.7 m from middle to middle, the first one at 0.
std::vector<BodyId> add_row(World& world, int count) {
    std::vector<BodyId> balls;
    for (int i = 0; i < count; ++i) {
        const Vec2 place{0.7f * static_cast<float>(i), 0.0f};
        balls.push_back(world.create_body({.position = place, .mass = 1.0f}, Circle{0.2f}));
    }
    return balls;
}

bool are_in_order(const World& world, const std::vector<BodyId>& bodies) {
    for (std::size_t i = 1; i < bodies.size(); ++i) {
        const float before = world.body(bodies[i - 1]).position().x;
        if (before > world.body(bodies[i]).position().x) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("bodies that hit one another from behind do not drive the first through a line") {
    const Vec2 ends[] = {{1000.0f, 0.0f}, {-1000.0f, 0.0f}};
    int under = 0, columns = 0;
    const auto fall = [&](bool on_chain, float radius, float speed, int count, float gap) {
        World world;
        const BodyDef ground{.type = BodyType::Static};
        if (on_chain) world.create_body(ground, Chain{ends});
        if (!on_chain) world.create_body(ground, Segment{ends[0], ends[1]});
        std::vector<BodyId> balls;
        for (int i = 0; i < count; ++i) {
            const float height = radius + 0.2f + static_cast<float>(i) * (2.0f * radius + gap);
            balls.push_back(world.create_body(
                {.position = {0.0f, height}, .velocity = {0.0f, -speed}}, Circle{radius}));
        }
        for (int i = 0; i < 100; ++i) world.step();
        for (const BodyId ball : balls) under += world.body(ball).position().y < 0.0f ? 1 : 0;
        ++columns;
    };
    for (const bool on_chain : {true, false}) {
        for (const float radius : {0.02f, 0.1f}) {
            for (const float speed : {20.0f, 40.0f, 100.0f, 200.0f}) {
                for (const int count : {4, 8, 12, 16, 20}) {
                    for (const float gap : {0.0f, 0.003f, 0.5f, 2.0f})
                        fall(on_chain, radius, speed, count, gap);
                }
            }
        }
    }
    CHECK(columns == 320);
    CHECK(under == 0);
}

TEST_CASE("one impact after the other in a step: nothing in a row is passed by what hits it") {
    for (const float mass :
         {0.0f, 1.0f, 10.0f, 100.0f}) {  // 0: a kinematic wall, which nothing stops
        for (const float speed : {30.0f, 60.0f, 100.0f, 400.0f}) {
            CAPTURE(mass);
            CAPTURE(speed);
            int passed = 0;
            for (int phase = 0; phase < 25; ++phase) {
                World world({.gravity = {0.0f, 0.0f}});
                const float early = speed / 60.0f * static_cast<float>(phase) / 25.0f;
                const bool is_wall = mass == 0.0f;
                const BodyDef def{.type = is_wall ? BodyType::Kinematic : BodyType::Dynamic,
                                  .position = {-1.0f - early, 0.0f},
                                  .velocity = {speed, 0.0f},
                                  .mass = mass};
                std::vector<BodyId> bodies{world.create_body(
                    def, is_wall ? Shape(Box{{0.1f, 2.0f}}) : Shape(Circle{0.2f}))};
                for (const BodyId ball : add_row(world, 2 + phase % 4)) bodies.push_back(ball);
                for (int i = 0; i < 30; ++i) {
                    world.step();
                    passed += are_in_order(world, bodies) ? 0 : 1;
                }
            }
            CHECK(passed == 0);
        }
    }
}

TEST_CASE(
    "a bullet does not pass a crate that stops at a wall in the same step, or the one after") {
    struct Shot {
        float mass, speed;
    };
    for (const Shot shot : {Shot{1.0f, 100.0f}, {0.2f, 400.0f}, {0.05f, 1000.0f}}) {
        const float speed = shot.speed;
        CAPTURE(speed);
        int passed = 0;
        for (int phase = 0; phase < 100; ++phase) {
            World world({.gravity = {0.0f, 0.0f}});
            world.create_body({.type = BodyType::Static, .position = {11.0f, 0.0f}},
                              Box{{0.5f, 2.0f}});
            const BodyId crate =
                world.create_body({.position = {9.5f, 0.0f}, .mass = 1.0f}, Box{{0.5f, 0.5f}});
            const float start = 5.0f - speed / 60.0f * static_cast<float>(phase) / 100.0f;
            const BodyId bullet = world.create_body(
                {.position = {start, 0.0f}, .velocity = {speed, 0.0f}, .mass = shot.mass},
                Circle{0.05f});
            for (int i = 0; i < 20; ++i) {
                world.step();
                passed += are_in_order(world, {bullet, crate}) ? 0 : 1;
            }
        }
        CHECK(passed == 0);
    }
}

TEST_CASE("two balls that meet beside a thin wall do not knock each other through it") {
    test::Random random;
    int through = 0;
    for (int shot = 0; shot < test::many / 25; ++shot) {
        World world({.gravity = {0.0f, 0.0f}});
        if (shot % 2 == 0) {
            world.create_body({.type = BodyType::Static}, Box{{0.05f, 50.0f}, {0.05f, 0.0f}});
        } else {
            world.create_body({.type = BodyType::Static}, Segment{{0.0f, -50.0f}, {0.0f, 50.0f}});
        }
        BodyId balls[2];
        for (BodyId& ball : balls) {
            // overlapping to begin with, too
            const Vec2 place{random.uniform(-0.8f, -0.11f), random.uniform(-1.0f, 1.0f)};
            ball = world.create_body({.position = place, .velocity = random.point(200.0f)},
                                     Circle{0.1f}, {.restitution = random.one_in(2) ? 1.0f : 0.0f});
        }
        for (int i = 0; i < 6; ++i) world.step();
        for (const BodyId ball : balls) through += world.body(ball).position().x > 0.0f ? 1 : 0;
    }
    CHECK(through == 0);
}

TEST_CASE("what a kinematic wall drives into a static one does not get into that") {
    for (const float speed : {30.0f, 60.0f, 100.0f}) {
        CAPTURE(speed);
        float deepest = 0.0f;
        for (int phase = 0; phase < 25; ++phase) {
            World world({.gravity = {0.0f, 0.0f}});
            const float early = speed / 60.0f * static_cast<float>(phase) / 25.0f;
            world.create_body({.type = BodyType::Kinematic,
                               .position = {-1.0f - early, 0.0f},
                               .velocity = {speed, 0.0f}},
                              Box{{0.1f, 2.0f}});
            const std::vector<BodyId> row = add_row(world, 3);
            world.create_body({.type = BodyType::Static, .position = {5.0f, 0.0f}},
                              Box{{3.0f, 2.0f}});
            for (int i = 0; i < 120 && world.body(row[0]).position().x < 0.7f; ++i) world.step();
            deepest = std::fmax(deepest, world.body(row[2]).position().x + 0.2f - 2.0f);
        }
        CHECK(deepest < 0.07f);
    }
}

TEST_CASE(
    "two balls that bounce off walls meet in the same step, among as many others as there may be") {
    for (const int cells : {1, 40, 400}) {
        CAPTURE(cells);
        World world({.gravity = {}});
        std::vector<BodyId> balls;
        for (int i = 0; i < cells; ++i) {
            const float y = 3.0f * static_cast<float>(i);
            for (const float side : {-1.0f, 1.0f}) {
                world.create_body({.type = BodyType::Static, .position = {side * 5.5f, y}},
                                  Box{{0.5f, 1.0f}}, elastic);
                balls.push_back(world.create_body(
                    {.position = {side * 4.0f, y}, .velocity = {side * 400.0f, 0.0f}},
                    Circle{0.25f}, elastic));
            }
        }
        int passed = 0;
        for (int step = 0; step < 8; ++step) {
            world.step();
            for (std::size_t i = 0; i < balls.size(); i += 2) {
                passed += world.body(balls[i]).position().x > world.body(balls[i + 1]).position().x;
            }
        }
        CHECK(passed == 0);
    }
}

TEST_CASE("no limb of what is driven gets through a thin wall, whichever of its limbs is hit") {
    for (const float speed : {20.0f, 60.0f, 200.0f, 400.0f}) {
        for (const float hit_at : {0.0f, 5.0f}) {
            CAPTURE(speed);
            CAPTURE(hit_at);
            World world({.gravity = {}});
            world.create_body({.type = BodyType::Kinematic,
                               .position = {-1.0f, hit_at},
                               .velocity = {speed, 0.0f}},
                              Box{{0.5f, 0.5f}});
            world.create_body({.position = {0.0f, hit_at}}, Circle{0.25f});
            const BodyId driven = world.create_body({.position = {0.9f, 0.0f}}, Circle{0.25f});
            world.add_collider(driven, Circle{0.25f, {0.0f, 5.0f}});
            world.create_body({.type = BodyType::Static, .position = {1.5f, 5.0f - hit_at}},
                              Box{{0.02f, 1.0f}});
            for (int i = 0; i < 3; ++i) world.step();
            CHECK(world.body(driven).position().x < 1.5f);
        }
    }
}

TEST_CASE("no limb of a crowd of bodies gets out of its room, at up to 1,000 m/s") {
    constexpr Material lively{.restitution = 0.9f};
    test::Random random;
    int outside = 0;
    for (int round = 0; round < test::many / 20'000; ++round) {
        World world({.gravity = {}});
        build_room(world, {10.0f, 10.0f}, 0.1f);
        const float fastest = random.log_uniform(100.0f, 1000.0f);
        for (int i = 0; i < 25; ++i) {
            const Vec2 place{-8.0f + 4.0f * static_cast<float>(i % 5),
                             -8.0f + 4.0f * static_cast<float>(i / 5)};
            const BodyId body = world.create_body(
                {.position = place, .velocity = random.point(fastest)}, Circle{0.3f}, lively);
            for (int limbs = random.integer(1, 4); limbs > 0; --limbs) {
                Shape limb = Box{random.point(0.15f) + Vec2{0.3f, 0.3f}};
                limb.center = random.point(1.2f);
                world.add_collider(body, limb, lively);
            }
        }
        for (int i = 0; i < 120; ++i) {
            for (Vec2& velocity : world.velocities()) {
                const bool is_slow = length(velocity) < 0.3f * fastest;
                if (is_slow && random.one_in(20)) velocity = random.direction() * fastest;
            }
            world.step();
        }
        world.for_each_collider([&](ColliderId id) {
            const AABB box = world.collider(id).bounds();
            const Vec2 middle = abs(0.5f * (box.min + box.max));
            outside += world.body(world.collider(id).body()).type() == BodyType::Dynamic &&
                       max(middle.x, middle.y) > 10.0f;
        });
    }
    CHECK(outside == 0);
}

TEST_CASE("a ball between two walls that move together stays between them") {
    for (const float speed : {100.0f, 400.0f, 1000.0f}) {
        CAPTURE(speed);
        for (int place = 0; place < 20; ++place) {
            World world({.gravity = {0.0f, 0.0f}});
            const auto add_wall = [&](float x) {
                return world.create_body(
                    {.type = BodyType::Kinematic, .position = {x, 0.0f}, .velocity = {speed, 0.0f}},
                    Box{{0.1f, 2.0f}}, elastic);
            };
            const BodyId rear = add_wall(-2.0f);
            const float x = -1.6f + 3.2f * static_cast<float>(place) / 20.0f;
            const BodyId ball = world.create_body({.position = {x, 0.0f}}, Circle{0.2f},
                                                  {.restitution = 0.9f, .friction = 0.0f});
            const BodyId front = add_wall(2.0f);
            bool stays = true;
            for (int i = 0; i < 60; ++i) {
                world.step();
                stays = stays && are_in_order(world, {rear, ball, front});
            }
            CHECK(stays);
        }
    }
}

TEST_CASE("a box that meets a corner of terrain right with its own does not get in") {
    constexpr float size = 10.0f;
    for (const bool is_map : {false, true}) {
        World block({.gravity = {}});
        if (is_map) {
            TileMapRef map = block.tile_map(block.create_tile_map());
            map.define(1);
            map.fill({{0, 0}, {9, 9}}, 1);
        } else {
            block.create_body({.type = BodyType::Static}, scale(full_tile(), size));
        }
        for (const Vec2 way : {Vec2{-1.0f, 1.0f}, {-0.5f, 1.0f}, {-1.0f, 0.25f}}) {
            for (int i = 0; i < 8 * 80; ++i) {
                const Vec2 to_corner = way * (0.1f + 0.02f * static_cast<float>(i / 8));
                const float speed = 15.0f * static_cast<float>(i % 8 + 1);
                World world = block;
                const Vec2 start = Vec2{size + 0.25f, -0.25f} - to_corner;
                const BodyId body = world.create_body({.position = start, .velocity = way * speed},
                                                      Box{{0.25f, 0.25f}});
                for (int step = 0; step < 20; ++step) world.step();
                const Vec2 end = world.body(body).position();
                CHECK((end.x > size || end.y < 0.0f));
            }
        }
    }
}

TEST_CASE("what flies past something without touching it is not deflected") {
    World world({.gravity = {0.0f, 0.0f}});
    world.create_body({.type = BodyType::Static}, Circle{1.0f});
    const Vec2 velocity{300.0f, 0.0f};
    for (const float height : {1.101f, 1.2f, -1.5f}) {
        const BodyId bullet =
            world.create_body({.position = {-7.0f, height}, .velocity = velocity}, Circle{0.1f});
        for (int i = 0; i < 4; ++i) world.step();
        CHECK(world.body(bullet).velocity() == velocity);
        world.destroy_body(bullet);
    }
}

TEST_CASE(
    "balls bounce along the line of their centers at impact, and those that miss do not touch") {
    test::Random random;
    for (const float radius : {0.03f, 0.1f, 0.25f}) {
        for (const float speed : {5.0f, 20.0f, 60.0f}) {
            float worst = 0.0f;
            int touched = 0;
            for (int i = 0; i < test::many / 50; ++i) {
                World world({.gravity = {}});
                const Material smooth{.restitution = 1.0f, .friction = 0.0f};
                world.create_body({.type = BodyType::Static}, Circle{radius}, smooth);
                const float aside = random.uniform(-3.0f, 3.0f) * radius;
                const Vec2 start{-2.0f * radius - random.unit() * speed / 30.0f, aside};
                const BodyId ball = world.create_body(
                    {.position = start, .velocity = {speed, 0.0f}}, Circle{radius}, smooth);
                const CastHit hit = ray_cast(start, {1e3f, 0.0f}, Circle{2.0f * radius});
                const Vec2 expected = Vec2{1.0f, 0.0f} - hit.normal * (2.0f * hit.normal.x);
                for (int step = 0; step < 8; ++step) world.step();
                const Vec2 direction = world.body(ball).velocity() / speed;
                if (!hit && direction != Vec2{1.0f, 0.0f}) ++touched;
                if (hit) worst = std::fmax(worst, length(direction - expected));
            }
            INFO(radius, " m at ", speed);
            CHECK(touched == 0);
            CHECK(worst < 0.01f);
        }
    }
}

TEST_CASE("a ball that bounces off a wall meets what follows it in the same step, at any speed") {
    test::Random random;
    for (const float radius : {0.01f, 0.1f, 0.3f}) {
        for (const float speed : {40.0f, 100.0f, 300.0f, 600.0f}) {
            int passed = 0;
            for (int i = 0; i < test::many / 500; ++i) {
                World world({.gravity = {}});
                world.create_body({.type = BodyType::Static, .position = {-1.0f, 0.0f}},
                                  Box{{1.0f, 5.0f}}, {.restitution = 1.0f});
                const float pace_a = speed * random.uniform(0.3f, 1.0f);
                const float pace_b = speed * random.uniform(0.0f, 1.0f);
                const float a_at = radius + random.uniform(0.0f, 4.0f) * pace_a / 60.0f;
                const float gap = random.uniform(0.0f, 0.8f) * (pace_a + pace_b) / 60.0f;
                const BodyId a =
                    world.create_body({.position = {a_at, 0.0f}, .velocity = {-pace_a, 0.0f}},
                                      Circle{radius}, {.restitution = 1.0f});
                const BodyId b = world.create_body(
                    {.position = {a_at + 2.0f * radius + gap, 0.0f}, .velocity = {-pace_b, 0.0f}},
                    Circle{radius}, {.restitution = 1.0f});
                for (int step = 0; step < 8; ++step) world.step();
                passed += world.body(b).position().x < world.body(a).position().x ? 1 : 0;
            }
            INFO(radius, " m at ", speed);
            CHECK(passed == 0);
        }
    }
}

TEST_CASE("a ball that breaks through a wall of light boxes goes as far as its velocity says") {
    for (const float speed : {60.0f, 120.0f, 240.0f}) {
        World world({.gravity = {}});
        const Vec2 start{-2.0f, 0.0f};
        const BodyId ball = world.create_body({.position = start, .velocity = {speed, 0.0f}},
                                              Circle{1.0f}, {.density = 4.0f});
        for (int i = 0; i < 20; ++i) {
            for (int row = -20; row <= 20; ++row) {
                const Vec2 place{0.1f + 0.2f * static_cast<float>(i),
                                 0.2f * static_cast<float>(row)};
                world.create_body({.position = place}, Box{{0.1f, 0.1f}});
            }
        }
        float meant = 0.0f;
        for (int step = 0; step < 20; ++step) {
            world.step();
            meant += world.body(ball).velocity().x / 60.0f;
        }
        const float part = (world.body(ball).position().x - start.x) / meant;
        CAPTURE(speed);
        CHECK(part > 0.85f);  // measured 0.90 to 1.02; halted by each box 0.32 to 0.48
        CHECK(part < 1.15f);
    }
}

}  // namespace continuous_test

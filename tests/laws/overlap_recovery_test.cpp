// SPDX-License-Identifier: MIT
// What happens to bodies that start inside each other? SCENES [22] [23]
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "../support/random.hpp"
#include "measure.hpp"

namespace overlap_recovery_test {

using namespace phys2d;

namespace {

World coincident_circles(int count) {
    World world = test::weightless();
    for (int i = 0; i < count; ++i) world.create_body({}, Circle{0.25f});
    return world;
}

/// A pyramid of unit boxes whose neighbours overlap by a quarter along x, y or both.
World overlapped_pyramid(int base, Vec2 pitch) {
    World world = test::world_with_floor();
    for (int row = 0; row < base; ++row) {
        for (int i = 0; i < base - row; ++i) {
            const Vec2 place{static_cast<float>(i) - 0.5f * static_cast<float>(base - row - 1),
                             static_cast<float>(row) + 0.5f};
            world.create_body({.position = place * pitch}, Box{{0.5f, 0.5f}});
        }
    }
    return world;
}

// Floors of pieces 1 m wide and 0.5 m thick, the top at y = 0.

void add_floor_of_boxes(World& world) {
    for (int i = -8; i < 8; ++i) {
        world.create_body(
            {.type = BodyType::Static, .position = {static_cast<float>(i) + 0.5f, -0.25f}},
            Box{{0.5f, 0.25f}});
    }
}

void add_floor_of_polygons(World& world) {
    for (int i = -8; i < 8; ++i) {
        world.create_body({.type = BodyType::Static, .position = {static_cast<float>(i), -0.5f}},
                          Polygon{{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 0.5f}, {0.0f, 0.5f}});
    }
}

void add_floor_of_tiles(World& world) {
    const BodyId map = world.create_tile_map({.tile_size = 0.5f});
    TileMapRef tiles = world.tile_map(map);
    tiles.define('#');
    for (int i = -16; i < 16; ++i) tiles.set({i, -1}, '#');
}

enum Appearing { BoxAppears, PolygonAppears, TilesAppear };

/// A static solid that fills a box.
void appear(World& world, Appearing solid, const AABB& box) {
    const BodyDef fixed{.type = BodyType::Static};
    if (solid == BoxAppears) {
        world.create_body(fixed, box);
    } else if (solid == PolygonAppears) {
        world.create_body(fixed, Polygon(box));
    } else {
        TileMapRef map = world.tile_map(world.create_tile_map({.position = box.min}));
        map.define(1);
        const Vec2 size = box.max - box.min;
        map.fill({{0, 0}, {static_cast<int>(size.x) - 1, static_cast<int>(size.y) - 1}}, 1);
    }
}

}  // namespace

TEST_CASE("300 coincident circles are finite at each step and apart within 120 steps") {
    World world = coincident_circles(300);
    bool finite = true;
    for (int i = 0; i < 120; ++i) {
        world.step();
        finite = finite && test::all_finite(world);
    }
    CHECK(finite);
    CHECK(test::deepest(world) < 0.005);  // the slop; measured 4e-3, and 1e-4 twenty steps later
}

TEST_CASE("300 coincident circles come apart the same way each time") {
    World first = coincident_circles(300);
    World second = coincident_circles(300);
    test::run(first, 120);
    test::run(second, 120);
    CHECK(first.state_hash() == second.state_hash());
}

TEST_CASE("200 coins that are spawned within half a metre do not hold each other in there") {
    World world = test::weightless();
    test::Random random;
    for (int i = 0; i < 200; ++i) {
        world.create_body({.position = random.point(0.25f)}, Circle{0.1f});
    }
    test::run(world, 28);
    CHECK(test::deepest(world) < 0.005);  // measured 0.003; 0.034 where all are stopped by all
}

TEST_CASE(
    "two coincident bodies come apart in opposite directions at no more than the push speed") {
    World world = test::weightless();
    const BodyId a = world.create_body({}, Circle{0.5f});
    const BodyId b = world.create_body({}, Circle{0.5f});
    for (int i = 0; i < 120; ++i) {
        const Vec2 before = world.body(b).position() - world.body(a).position();
        world.step();
        const Vec2 after = world.body(b).position() - world.body(a).position();
        // contact_push_speed of 3 m/s, and 0.8 m/s of the spring: its rate of 14.4/s at 0.056 m
        CHECK(after.y - before.y <= (3.0f + 0.82f) / 60.0f);
        CHECK(world.body(a).position() == -world.body(b).position());
    }
    CHECK(test::deepest(world) < 0.005);
    CHECK(test::fastest(world) < 1e-4);  // the push-out leaves no velocity behind
}

TEST_CASE("what is created at one point flies apart with the velocities that it was given") {
    for (const Shape& shape : {Shape(Circle{0.1f}), Shape(Box{{0.1f, 0.1f}})}) {
        for (const int count : {2, 5, 10}) {
            for (const float speed : {2.0f, 10.0f, 100.0f}) {
                CAPTURE(count);
                CAPTURE(speed);
                World world = test::weightless();
                std::vector<Vec2> velocities;
                for (int i = 0; i < count; ++i) {
                    const float angle =
                        6.2831853f * (static_cast<float>(i) + 0.3f) / static_cast<float>(count);
                    velocities.push_back(Vec2{std::cos(angle), std::sin(angle)} * speed);
                    world.create_body({.position = {3.0f, 4.0f}, .velocity = velocities.back()},
                                      shape, {.friction = 0.6f});
                }
                test::run(world, 60);
                for (std::size_t i = 0; i < velocities.size(); ++i) {
                    CHECK(length(world.velocities()[i] - velocities[i]) < 1e-3f * speed);
                }
            }
        }
    }
}

TEST_CASE(
    "what is shot from the middle of a body leaves it at full speed, with its contact ended") {
    for (const BodyType type : {BodyType::Static, BodyType::Kinematic, BodyType::Dynamic}) {
        for (const Vec2 rounding : {Vec2{}, Vec2{-1e-6f, 2e-6f}}) {
            World world = test::weightless();
            const BodyId gun = world.create_body({.type = type}, Box{{0.5f, 0.8f}});
            const Vec2 muzzle{18.0f, -24.0f};
            const BodyId shot =
                world.create_body({.position = rounding, .velocity = muzzle}, Circle{0.1f});
            test::run(world, 30);
            CHECK(world.body(shot).velocity() == muzzle);
            CHECK(world.body(gun).velocity() == Vec2{});
            CHECK(!world.are_touching(gun, shot));
        }
    }
}

TEST_CASE("what bounces, created at rest where it has no room, is pushed out and not thrown") {
    for (const Shape& shape : {Shape(Circle{0.2f}), Shape(Box{{0.2f, 0.2f}})}) {
        for (const float width : {0.5f, 0.6f, 0.7f}) {
            for (const float restitution : {0.1f, 1.0f}) {
                for (const int count : {8, 20}) {
                    CAPTURE(width);
                    CAPTURE(restitution);
                    CAPTURE(count);
                    World world = test::weightless();
                    for (const float x : {-2.0f, width + 2.0f}) {
                        world.create_body({.type = BodyType::Static, .position = {x, 9.0f}},
                                          Box{{2.0f, 50.0f}});
                    }
                    world.create_body({.type = BodyType::Static}, Box{{9.0f, 1.0f}});
                    for (int i = 0; i < count; ++i) {
                        const Vec2 aside{static_cast<float>(i * 7 % count),
                                         static_cast<float>(i * 3 % count)};
                        world.create_body({.position = Vec2{0.5f * width - 0.01f, 1.5f} +
                                                       aside * (0.02f / static_cast<float>(count))},
                                          shape, {.restitution = restitution, .friction = 0.4f});
                    }
                    float fastest = 0.0f;
                    for (int i = 0; i < 200; ++i) {
                        world.step();
                        fastest = max(fastest, static_cast<float>(test::fastest(world)));
                    }
                    CHECK(fastest < 20.0f);  // 1e8 if what was inside before bounced
                }
            }
        }
    }
}

TEST_CASE("a static door that appears where a crate stands puts it out at its side, on the floor") {
    for (const float half : {0.1f, 0.3f, 0.45f}) {
        for (const float place : {0.1f, 0.2f, 0.3f, 0.4f, 0.6f}) {
            for (const float side : {-1.0f, 1.0f}) {
                CAPTURE(half);
                CAPTURE(place);
                CAPTURE(side);
                World world = test::world_with_floor();
                const BodyId crate =
                    world.create_body({.position = {side * place, half}}, Box{{half, half}});
                test::run(world, 30);
                world.create_body({.type = BodyType::Static, .position = {0.0f, 1.0f}},
                                  Box{{0.5f, 1.0f}});
                test::run(world, 120);
                const Vec2 out = world.body(crate).position();
                CHECK(out.x * side == doctest::Approx(max(0.5f + half, place)).epsilon(0.01));
                CHECK(out.y == doctest::Approx(half).epsilon(0.01));
            }
        }
    }
}

TEST_CASE("nothing falls through the floor on which a static solid appears, whatever both are") {
    for (const auto add_floor : {add_floor_of_boxes, add_floor_of_polygons, add_floor_of_tiles}) {
        for (const Appearing solid : {BoxAppears, PolygonAppears, TilesAppear}) {
            for (const float bottom : {0.01f, 0.0f, -0.2f, -0.7f}) {
                // The open side of a tile pushes down what is in the tile.
                if (solid == TilesAppear && bottom < -0.5f) continue;
                CAPTURE(solid);
                CAPTURE(bottom);
                World world;
                add_floor(world);
                std::vector<BodyId> crates;
                for (int i = 0; i < 12; ++i) {
                    const float half = i % 2 == 0 ? 0.05f : 0.2f;
                    const Vec2 place{0.5f * static_cast<float>(i) - 2.75f, half};
                    crates.push_back(world.create_body(
                        {.position = place},
                        i % 3 == 0 ? Shape(Circle{half}) : Shape(Box{{half, half}})));
                }
                test::run(world, 30);
                appear(world, solid, {{-3.0f, bottom}, {3.0f, 3.0f + bottom}});
                test::run(world, 240);
                for (const BodyId crate : crates) CHECK(world.body(crate).position().y > 0.0f);
                CHECK(test::fastest(world) < 1e-3);
            }
        }
    }
}

TEST_CASE("a small overlapped pyramid recovers: no body rises above where the top belongs") {
    for (const Vec2 pitch : {Vec2{0.75f, 1.0f}, Vec2{1.0f, 0.75f}, Vec2{0.75f, 0.75f}}) {
        CAPTURE(pitch.x);
        CAPTURE(pitch.y);
        World world = overlapped_pyramid(3, pitch);
        double top = 0.0;
        for (int i = 0; i < 600; ++i) {
            world.step();
            top = std::fmax(top, test::highest(world));
        }
        CHECK(top < 3.0);  // it belongs at 2.5: half a box of overshoot
        CHECK(test::rms_speed(world) < 1e-3);
        CHECK(test::deepest(world) < 0.01);
    }
}

TEST_CASE("a pyramid of base 20, spawned 25 % overlapped, recovers without launching anything") {
    constexpr int base = 20;
    for (const Vec2 pitch : {Vec2{0.75f, 1.0f}, Vec2{1.0f, 0.75f}, Vec2{0.75f, 0.75f}}) {
        CAPTURE(pitch.x);
        CAPTURE(pitch.y);
        World world = overlapped_pyramid(base, pitch);
        double top = 0.0;
        for (int i = 0; i < 1'200; ++i) {
            world.step();
            top = std::fmax(top, test::highest(world));
        }
        // the top box belongs at base - 0.5: two boxes above is a hop, ten are a launch
        CHECK(top < base + 1.5);
        CHECK(test::rms_speed(world) < 1e-3);
        CHECK(test::deepest(world) < 0.03);  // 3 % of a box in the heap it ends as; measured 0.022
    }
}

TEST_CASE("a circle deep in a box leaves by the nearest face, straight") {
    struct Case {
        Vec2 start;
        Vec2 exit;
    };
    for (const auto& [start, exit] :
         {Case{{1.5f, 0.3f}, {1.0f, 0.0f}},  //
          Case{{-1.5f, -0.3f}, {-1.0f, 0.0f}}, Case{{0.5f, 1.4f}, {0.0f, 1.0f}},
          Case{{-1.2f, -1.4f}, {0.0f, -1.0f}}}) {
        World world = test::weightless();
        world.create_body({.type = BodyType::Static}, Box{{2.0f, 2.0f}});
        const BodyId ball = world.create_body({.position = start}, Circle{0.25f});
        test::run(world, 120);
        const Vec2 way = world.body(ball).position() - start;
        CHECK(dot(way, perpendicular(exit)) == 0.0f);
        CHECK(dot(world.body(ball).position(), exit) == doctest::Approx(2.25).epsilon(0.003));
    }
}

TEST_CASE("the normal turns smoothly as a circle goes round the corner of a box") {
    World world = test::weightless();
    world.create_body({.type = BodyType::Static}, Box{{1.0f, 1.0f}});
    const BodyId ball = world.create_body({.position = {3.0f, 0.0f}}, Circle{0.5f});
    for (int i = 0; i <= 360; ++i) {
        const double angle = 3.14159265358979 / 2.0 * i / 360.0;
        const Vec2 exact{static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
        world.body(ball).teleport(Vec2{1.0f, 1.0f} + exact * 0.5f);
        world.body(ball).set_velocity({});
        world.step();
        int contacts = 0;
        world.for_each_contact([&](const WorldContact& contact) {
            ++contacts;
            const Vec2 outwards =
                contact.a == ball ? -contact.manifold.normal : contact.manifold.normal;
            CHECK(distance(outwards, exact) < 1e-5f);  // four roundings of 2^-23 over 0.5 m
        });
        CHECK(contacts == 1);
    }
}

TEST_CASE("what is wholly in a half-space comes out of it, whichever way it looks") {
    for (const Vec2 out : {Vec2{0.0f, 1.0f}, {1.0f, 0.0f}, {-1.0f, 0.0f}, {0.6f, 0.8f}}) {
        for (const float depth : {0.4f, 0.9f, 1.5f, 3.0f}) {
            World world;
            world.create_body({.type = BodyType::Static}, HalfSpace{out, 2.0f});
            const Vec2 start = out * (2.0f - depth);
            const BodyId ball = world.create_body({.position = start}, Circle{0.5f});
            Mover mover{.shape = Circle{0.5f}, .position = start};
            for (int i = 0; i < 240; ++i) {
                (void)move(world, mover, out * -1.0f, world.config().time_step);
                world.step();
            }
            CHECK(dot(world.body(ball).position(), out) > 2.49f);
            CHECK(dot(mover.position, out) > 2.49f);
        }
    }
}

TEST_CASE("what is far in front of a half-space along an axis is no pair with it") {
    World world;
    world.create_body({.type = BodyType::Static}, HalfSpace{});
    for (int i = 0; i < 10; ++i) {
        world.create_body({.position = {3.0f * static_cast<float>(i), 20.0f}}, Circle{0.5f});
    }
    world.step();
    CHECK(world.stats().pairs == 0);
}

}  // namespace overlap_recovery_test

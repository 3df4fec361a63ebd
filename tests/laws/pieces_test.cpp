// SPDX-License-Identifier: MIT
// A floor or a wall of pieces is one floor or one wall, however a body gets to it. SCENES [1] [2]
#include <cmath>
#include <initializer_list>

#include <doctest/doctest.h>
#include <phys2d/phys2d.hpp>

#include "../support/random.hpp"

namespace pieces_test {

using namespace phys2d;

namespace {

constexpr Material slippery{.friction = 0.0f};

const Shape bodies[] = {Box{{0.2f, 0.25f}}, Circle{0.25f}, Capsule{0.2f, 0.2f},
                        RoundedBox{{0.15f, 0.15f}, 0.1f}};

enum class Pieces {
    Whole,
    Kinematic,
    Polygons,
    LeaningLeft,
    LeaningRight,
    Segments,
    Chains,
    TileKinds,
    TileMaps
};

const Pieces kinds[] = {Pieces::Kinematic,    Pieces::Polygons, Pieces::LeaningLeft,
                        Pieces::LeaningRight, Pieces::Segments, Pieces::Chains,
                        Pieces::TileKinds,    Pieces::TileMaps};

/// Ground with the surface from one point to another, half a metre deep, whose sides lean by as
/// much as `foot` is away from straight down.
Polygon leaning_piece(Vec2 from, Vec2 to, Vec2 foot) { return {from, to, to + foot, from + foot}; }

/// The unit square with this lower left corner, as ground whose side `out` is bare.
void add_piece(World& world, Pieces pieces, Vec2 corner, Vec2 out) {
    const Vec2 middle = corner + Vec2{0.5f, 0.5f};
    const Vec2 face = middle + out * 0.5f;
    const Vec2 along = perpendicular(out) * 0.5f;
    const Vec2 points[] = {face - along, face, face + along};
    const BodyDef fixed{.type = BodyType::Static};
    const AABB square{corner, corner + Vec2{1.0f, 1.0f}};
    switch (pieces) {
        case Pieces::Kinematic:
            world.create_body({.type = BodyType::Kinematic}, square, slippery);
            break;
        case Pieces::Polygons: world.create_body(fixed, Polygon(square), slippery); break;
        case Pieces::LeaningLeft:
        case Pieces::LeaningRight: {
            const Vec2 aside = along * (pieces == Pieces::LeaningLeft ? 0.6f : -0.6f);
            const Polygon piece = leaning_piece(points[0], points[2], aside - out * 0.5f);
            world.create_body(fixed, piece, slippery);
            break;
        }
        case Pieces::Segments:
            world.create_body(fixed, Segment{points[0], points[2]}, slippery);
            break;
        case Pieces::Chains: world.create_body(fixed, Chain{points}, slippery); break;
        default: {
            TileMapRef map = world.tile_map(world.create_tile_map({.position = corner}));
            map.define(1, {.material = slippery});
            map.set({0, 0}, 1);
        }
    }
}

/// Walls around the square from (0, 0) to (size, size), each of one box or of as many pieces.
void add_room(World& world, Pieces pieces, int size) {
    const auto end = static_cast<float>(size);
    if (pieces == Pieces::Whole) {
        for (const AABB& wall :
             {AABB{{-1.0f, -1.0f}, {end + 1.0f, 0.0f}},
              AABB{{-1.0f, end}, {end + 1.0f, end + 1.0f}}, AABB{{-1.0f, 0.0f}, {0.0f, end}},
              AABB{{end, 0.0f}, {end + 1.0f, end}}}) {
            world.create_body({.type = BodyType::Static}, wall, slippery);
        }
        return;
    }
    if (pieces == Pieces::TileKinds) {
        TileMapRef map = world.tile_map(world.create_tile_map());
        map.define(1, {.material = slippery});
        map.define(2, {.material = slippery, .collider = {.filter = {.category = 2}}});
        for (int x = -1; x <= size; ++x) {
            for (int y = -1; y <= size; ++y) {
                const bool is_inside = x >= 0 && y >= 0 && x < size && y < size;
                if (!is_inside) map.set({x, y}, static_cast<std::uint8_t>(1 + ((x + y) & 1)));
            }
        }
        return;
    }
    for (int i = 0; i < size; ++i) {
        const auto at = static_cast<float>(i);
        add_piece(world, pieces, {at, -1.0f}, {0.0f, 1.0f});
        add_piece(world, pieces, {at, end}, {0.0f, -1.0f});
        add_piece(world, pieces, {-1.0f, at}, {1.0f, 0.0f});
        add_piece(world, pieces, {end, at}, {-1.0f, 0.0f});
    }
}

/// A room with a body in it.
struct Room {
    static constexpr int size = 8;
    static constexpr Vec2 middle{4.0f, 4.0f};

    Room(Pieces pieces, const Shape& shape, Vec2 place) {
        add_room(world, pieces, size);
        body = world.create_body({.position = place}, shape, slippery);
    }

    [[nodiscard]] Vec2 position() const { return world.body(body).position(); }
    [[nodiscard]] Vec2 velocity() const { return world.body(body).velocity(); }

    World world{{.gravity = {0.0f, 0.0f}}};
    BodyId body;
};

/// How far a body in a room of pieces gets from the one in a room of whole walls, if the same is
/// done to both in each step: change(step, velocity) is their new velocity.
template <class Change>
float most_apart(Pieces pieces, const Shape& shape, Vec2 place, int steps, Change change) {
    Room whole(Pieces::Whole, shape, place), room(pieces, shape, place);
    float most = 0.0f;
    for (int step = 0; step < steps; ++step) {
        const Vec2 velocity = change(step, whole.velocity());
        for (Room* one : {&whole, &room}) {
            one->world.body(one->body).set_velocity(velocity);
            one->world.step();
        }
        most = std::fmax(most, distance(whole.position(), room.position()));
    }
    return most;
}

/// A vector turned by a number of quarters, for which each wall of the room is the floor in turn.
Vec2 turned(Vec2 v, int quarters) {
    for (int i = 0; i < quarters; ++i) v = perpendicular(v);
    return v;
}

/// Calls test(pieces, shape, quarters) for all kinds of rooms, bodies and walls.
template <class Test>
void for_each_wall(Test test) {
    for (const Pieces pieces : kinds) {
        for (const Shape& shape : bodies) {
            for (int quarters = 0; quarters < 4; ++quarters) test(pieces, shape, quarters);
        }
    }
}

constexpr float slop = 2e-3f;                // see docs/conventions.md, Corners of boxes
constexpr int phases = test::many / 50'000;  // places along a piece: 20, or 2 without optimisation

}  // namespace

TEST_CASE("what lands on pieces, anywhere and at any speed, goes on as on one wall") {
    for_each_wall([](Pieces pieces, const Shape& shape, int quarters) {
        float most = 0.0f;
        for (const Vec2 speed :
             {Vec2{5.0f, -1.0f}, {5.0f, -5.0f}, {3.0f, -8.0f}, {10.0f, -20.0f}}) {
            for (int phase = 0; phase < phases; ++phase) {
                const float x = static_cast<float>(phase) / static_cast<float>(phases);
                const float height = 0.55f + 0.015f * static_cast<float>(7 * phase % 13);
                const Vec2 place = Room::middle + turned({x - 2.5f, height - 4.0f}, quarters);
                const Vec2 start = turned(speed, quarters);
                const auto fly = [&](int step, Vec2 velocity) {
                    return step == 0 ? start : velocity;
                };
                most = std::fmax(most, most_apart(pieces, shape, place, 12, fly));
            }
        }
        INFO("pieces ", static_cast<int>(pieces), ", radius ", shape.radius, ", turns ", quarters);
        CHECK(most < slop);
    });
}

TEST_CASE("what lands at speed on a floor of pieces of 25 cm goes on as on one floor") {
    constexpr float pitch = 0.25f;
    for (const bool is_map : {false, true}) {
        test::Random random(7);
        int slowed = 0;
        for (int i = 0; i < test::many / 2'500; ++i) {
            World world;
            if (is_map) {
                TileMapRef map = world.tile_map(world.create_tile_map({.tile_size = pitch}));
                map.define(1, {.material = slippery});
                map.define(2, {.material = slippery, .collider = {.filter = {.category = 2}}});
                for (int x = -8; x < 96; ++x) map.set({x, -1}, static_cast<TileId>(1 + (x & 1)));
            } else {
                for (int x = -8; x < 96; ++x) {
                    const float left = pitch * static_cast<float>(x);
                    world.create_body({.type = BodyType::Static},
                                      Polygon(AABB{{left, -1.0f}, {left + pitch, 0.0f}}), slippery);
                }
            }
            const Shape& shape = bodies[random.integer(0, 3)];
            const Vec2 velocity{random.uniform(4.0f, 38.0f), random.uniform(-5.0f, 0.0f)};
            const float height = outer_half_extents(shape).y + random.uniform(0.02f, 0.4f);
            const BodyId body = world.create_body(
                {.position = {random.unit(), height}, .velocity = velocity}, shape, slippery);
            for (int k = 0; k < 30; ++k) world.step();
            slowed += world.body(body).velocity().x < 0.99f * velocity.x ? 1 : 0;
        }
        CAPTURE(is_map);
        CHECK(slowed == 0);
    }
}

TEST_CASE("a small box that lands fast on a piece of a floor crosses the gap behind it at once") {
    for (const bool is_polygon : {false, true}) {
        test::Random random(7);
        int slowed = 0;
        for (int i = 0; i < test::many / 5'000; ++i) {
            World world;
            for (int x = -2; x < 8; ++x) {
                const float left = 0.5f * static_cast<float>(x);
                const AABB piece{{left, -1.0f}, {left + 0.27f, 0.0f}};
                if (is_polygon) {
                    world.create_body({.type = BodyType::Kinematic}, Polygon(piece), slippery);
                } else {
                    world.create_body({.type = BodyType::Kinematic}, piece, slippery);
                }
            }
            const Vec2 place{random.uniform(0.0f, 0.1f), 0.11f};
            const Vec2 velocity{random.uniform(15.0f, 38.0f), random.uniform(-4.0f, -2.0f)};
            const BodyId body = world.create_body({.position = place, .velocity = velocity},
                                                  Box{{0.1f, 0.1f}}, slippery);
            world.step();
            slowed += world.body(body).velocity().x < 0.99f * velocity.x ? 1 : 0;
        }
        CAPTURE(is_polygon);
        CHECK(slowed == 0);
    }
}

namespace {

/// A piece of floor from x = `from` to `to`.
void add_floor_piece(World& world, Pieces pieces, float from, float to, const Material& material) {
    const Vec2 left{from, 0.0f};
    const Vec2 right{to, 0.0f};
    const BodyDef fixed{.type = BodyType::Static};
    if (pieces == Pieces::Segments) {
        world.create_body(fixed, Segment{left, right}, material);
    } else {
        const Vec2 lower{0.8f, -1.0f};
        world.create_body(
            fixed, Polygon{left, left + lower, right - Vec2{lower.x, -lower.y}, right}, material);
    }
}

}  // namespace

TEST_CASE("what is round and lands on the joint of two pieces keeps its pace, also if it bounces") {
    test::Random random;
    int lost = 0;
    for (int i = 0; i < test::many / 20; ++i) {
        const Material material{.restitution = random.one_in(2) ? 1.0f : 0.0f, .friction = 0.0f};
        World world;
        for (const float from : {-4.0f, 0.0f}) {
            const Pieces pieces = random.one_in(2) ? Pieces::Segments : Pieces::LeaningLeft;
            add_floor_piece(world, pieces, from, from + 4.0f, material);
        }
        const Shape shape = bodies[random.integer(1, 3)];
        const Vec2 outer = outer_half_extents(shape);
        const Vec2 velocity{random.uniform(-1.0f, 1.0f) * random.log_uniform(1.0f, 20.0f),
                            -random.log_uniform(1.0f, 40.0f)};
        const Vec2 landing{random.uniform(-1.2f, 1.2f) * outer.x, outer.y};
        const Vec2 start = landing - velocity * random.uniform(0.02f, 0.2f);
        const BodyRef body = world.body(
            world.create_body({.position = start, .velocity = velocity}, shape, material));
        float change = 0.0f;
        for (int step = 0; step < 15 && abs(body.position().x) < 3.0f; ++step) {
            world.step();
            change = max(change, abs(body.velocity().x - velocity.x));
        }
        lost += change > 0.01f * (abs(velocity.x) + abs(velocity.y)) + 0.01f ? 1 : 0;
    }
    CHECK(lost == 0);
}

TEST_CASE(
    "down a slope of chains or segments that abut a body slides as down one, at any gravity") {
    for (const float gravity : {10.0f, 30.0f, 100.0f}) {
        for (const Pieces pieces : {Pieces::Chains, Pieces::Segments}) {
            for (const Shape& shape : bodies) {
                for (const float steepness : {0.1f, 0.4f, 1.0f, 1.6f}) {
                    World world({.gravity = {0.0f, -gravity}});
                    const Vec2 down = normalized(Vec2{1.0f, -steepness});
                    for (int i = 0; i < 50; ++i) {
                        const Vec2 start = down * (0.7f * static_cast<float>(i) - 1.0f);
                        const Vec2 points[] = {start + down * 0.7f, start};
                        const BodyDef fixed{.type = BodyType::Static};
                        if (pieces == Pieces::Chains)
                            world.create_body(fixed, Chain{points}, slippery);
                        else
                            world.create_body(fixed, Segment{points[0], points[1]}, slippery);
                    }
                    const Vec2 out = perpendicular(down);
                    const float height = dot(shape.half_extents, abs(out)) + shape.radius;
                    const BodyId body =
                        world.create_body({.position = out * height}, shape, slippery);
                    const float acceleration = -gravity * down.y;
                    const float seconds = min(1.0f, std::sqrt(60.0f / acceleration));
                    const int steps = static_cast<int>(60.0f * seconds);
                    for (int i = 0; i < steps; ++i) world.step();
                    const float speed = dot(world.body(body).velocity(), down);
                    INFO("gravity ", gravity, ", pieces ", static_cast<int>(pieces));
                    INFO("radius ", shape.radius, ", steepness ", steepness);
                    // a box that met the corners of pieces lost 2 % and more
                    CHECK(speed == doctest::Approx(acceleration * static_cast<float>(steps) / 60.0f)
                                       .epsilon(0.001));
                }
            }
        }
    }
}

namespace {

/// A body on a floor of pieces of 0.7 m, the first of which begins at x = `from`, under a box that
/// weighs `load` times as much.
struct LoadedFloor {
    World world;
    BodyId body;

    LoadedFloor(Pieces pieces, float from, const Shape& shape, float load, Vec2 velocity)
        : world({.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.5f}) {
        for (int i = 0; i < 40; ++i) {
            const Vec2 left{from + 0.7f * static_cast<float>(i), 0.0f};
            const Vec2 right = left + Vec2{0.7f, 0.0f};
            const Vec2 points[] = {right, left};
            const BodyDef fixed{.type = BodyType::Static};
            if (pieces == Pieces::Kinematic) {
                world.create_body({.type = BodyType::Kinematic},
                                  AABB{left - Vec2{0.0f, 1.0f}, right}, slippery);
            }
            if (pieces == Pieces::Segments)
                world.create_body(fixed, Segment{left, right}, slippery);
            if (pieces == Pieces::Chains) world.create_body(fixed, Chain{points}, slippery);
        }
        const float height = outer_half_extents(shape).y;
        body =
            world.create_body({.position = {0.0f, height}, .velocity = velocity}, shape, slippery);
        const float mass = load * world.body(body).mass();
        world.create_body(
            {.position = {0.0f, 2.0f * height + 0.3f}, .velocity = velocity, .mass = mass},
            Box{{0.3f, 0.3f}}, slippery);
    }
};

const Pieces separate_pieces[] = {Pieces::Kinematic, Pieces::Segments, Pieces::Chains};

}  // namespace

TEST_CASE("what its load presses into pieces slides over them as over one floor") {
    for (const Pieces pieces : separate_pieces) {
        for (const Shape& shape : bodies) {
            for (const float load : {3.0f, 10.0f, 20.0f}) {  // 0.5, 1.4 and 3 mm deep
                for (const float speed : {0.2f, 1.0f, 8.0f}) {
                    LoadedFloor floor(pieces, -1.0f, shape, load, {speed, 0.0f});
                    for (int i = 0; i < 150; ++i) floor.world.step();
                    INFO("pieces ", static_cast<int>(pieces), ", radius ", shape.radius);
                    INFO("load ", load, ", speed ", speed);
                    CHECK(std::fabs(floor.world.body(floor.body).velocity().x - speed) <
                          0.02f * speed);
                }
            }
        }
    }
}

TEST_CASE("what its load presses into pieces falls asleep where it is, beside any joint") {
    for (const Pieces pieces : separate_pieces) {
        for (const Shape& shape : bodies) {
            for (const float load : {20.0f, 40.0f}) {
                for (int i = -6; i <= 6; ++i) {
                    const float joint = 0.01f * static_cast<float>(i);
                    LoadedFloor floor(pieces, joint - 2.1f, shape, load, {});
                    for (int step = 0; step < 300; ++step) floor.world.step();
                    INFO("pieces ", static_cast<int>(pieces), ", radius ", shape.radius);
                    INFO("load ", load, ", joint ", joint);
                    const BodyRef body = floor.world.body(floor.body);
                    CHECK(body.is_asleep());
                    CHECK(body.position().x == 0.0f);
                }
            }
        }
    }
}

TEST_CASE("what is pressed onto pieces in each step slides over them as over one wall") {
    for_each_wall([](Pieces pieces, const Shape& shape, int quarters) {
        float most = 0.0f;
        for (const float down : {0.12f, 0.3f, 1.0f, 3.0f}) {
            for (int phase = 0; phase < phases; phase += 2) {
                const float x = static_cast<float>(phase) / static_cast<float>(phases);
                const float height = outer_half_extents(shape).y;
                const Vec2 place = Room::middle + turned({x - 2.5f, height - 4.0f}, quarters);
                const auto press = [&](int, Vec2) { return turned({2.0f, -down}, quarters); };
                most = std::fmax(most, most_apart(pieces, shape, place, 90, press));
            }
        }
        INFO("pieces ", static_cast<int>(pieces), ", radius ", shape.radius, ", turns ", quarters);
        CHECK(most < 2.0f * slop);
    });
}

TEST_CASE("a body driven about in a room of pieces goes the same way as in one of four walls") {
    for (const Pieces pieces : kinds) {
        for (const Shape& shape : bodies) {
            for (std::uint64_t seed = 1; seed <= test::many / 100'000; ++seed) {
                test::Random random(seed);
                const auto drive = [&](int step, Vec2 velocity) {
                    const Vec2 thrown{random.uniform(-12.0f, 12.0f), random.uniform(-12.0f, 12.0f)};
                    return step % 10 == 0 ? thrown : velocity;
                };
                INFO("pieces ", static_cast<int>(pieces), ", radius ", shape.radius, ", seed ",
                     seed);
                CHECK(most_apart(pieces, shape, Room::middle, 600, drive) < 0.5f * slop);
            }
        }
    }
}

TEST_CASE("what slides along a wall lands on the ledge of another piece") {
    for (const Pieces pieces : kinds) {
        if (pieces == Pieces::Segments || pieces == Pieces::Chains) continue;  // they have no ledge
        float deepest = 0.0f;
        for (const Vec2 speed : {Vec2{1.0f, -12.0f}, {3.0f, -9.0f}, {5.0f, -6.0f}, {8.0f, -3.0f}}) {
            for (int phase = 0; phase < 60; ++phase) {
                World world;
                add_piece(world, pieces, {}, {-1.0f, 0.0f});
                add_piece(world, pieces, {-0.2f, -1.0f}, {0.0f, 1.0f});
                const Vec2 start{-0.251f - 0.02f * static_cast<float>(phase % 4),
                                 0.29f + 0.01f * static_cast<float>(phase)};
                const BodyId body = world.create_body({.position = start, .velocity = speed},
                                                      Circle{0.25f}, slippery);
                for (int i = 0; i < 25; ++i) {
                    world.step();
                    const Circle ball{0.25f, world.body(body).position()};
                    const AABB ledge{{-0.2f, -1.0f}, {0.8f, 0.0f}};
                    deepest = std::fmax(deepest, collide(ball, ledge).penetration);
                }
            }
        }
        INFO("pieces ", static_cast<int>(pieces));
        CHECK(deepest < 2.5f * slop);
    }
}

TEST_CASE("a box that flies at a thin post in front of a wall stands on it") {
    for (const bool is_polygon : {false, true}) {
        for (const float width : {0.02f, 0.04f}) {
            int fallen = 0;
            for (const Vec2 speed :
                 {Vec2{-1.0f, -2.0f}, {-1.0f, -8.0f}, {-3.0f, -5.0f}, {-5.0f, -8.0f}}) {
                for (int phase = 0; phase < 80; ++phase) {
                    World world;
                    for (const AABB& piece : {AABB{{-0.1f, -0.5f}, {0.0f, 1.0f}},
                                              AABB{{-0.001f, -1.0f}, {width, -0.1f}}}) {
                        const BodyDef fixed{.type = BodyType::Static};
                        if (is_polygon) world.create_body(fixed, Polygon(piece), slippery);
                        if (!is_polygon) world.create_body(fixed, piece, slippery);
                    }
                    const Vec2 start{0.203f + 0.012f * static_cast<float>(phase % 8),
                                     0.153f + 0.01f * static_cast<float>(phase / 8)};
                    const BodyId body = world.create_body({.position = start, .velocity = speed},
                                                          Box{{0.2f, 0.25f}}, slippery);
                    for (int i = 0; i < 30; ++i) world.step();
                    const Vec2 end = world.body(body).position();
                    fallen += end.y < 0.1f && end.x < 0.197f + width ? 1 : 0;
                }
            }
            INFO("polygon ", is_polygon, ", width ", width);
            CHECK(fallen == 0);
        }
    }
}

TEST_CASE("a slippery ball at rest on a comb of thin posts stays there and falls asleep") {
    for (const float rate : {30.0f, 60.0f, 240.0f}) {
        for (const float gap : {0.01f, 0.02f, 0.03f}) {
            World world({.time_step = 1.0f / rate, .time_to_sleep = 0.5f});
            const float spacing = gap + 0.02f;
            for (int i = -20; i <= 20; ++i) {
                const float x = spacing * static_cast<float>(i);
                world.create_body({.type = BodyType::Kinematic},
                                  AABB{{x - 0.01f, -1.0f}, {x + 0.01f, 0.0f}}, slippery);
            }
            const BodyId ball =
                world.create_body({.position = {0.3f * spacing, 0.5f}}, Circle{0.5f}, slippery);
            for (int i = 0; i < static_cast<int>(5.0f * rate); ++i) world.step();
            INFO("rate ", rate, ", gap ", gap);
            CHECK(world.body(ball).is_asleep());
            CHECK(std::fabs(world.body(ball).position().x) < spacing);
        }
    }
}

}  // namespace pieces_test

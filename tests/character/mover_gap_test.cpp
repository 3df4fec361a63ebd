// SPDX-License-Identifier: MIT
// Does a mover of the size of a tile get into a tunnel, a chimney and a shaft of one tile?
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "../support/turn.hpp"

namespace mover_gap_test {

using namespace phys2d;

namespace {

using Rows = std::vector<std::string>;  // the upper one first

/// A tile at each '#', the lower left one at the origin: of a map, or a box of its own.
World world_of(const Rows& rows, bool is_map, float time_step, float tile_size = 1.0f) {
    World world({.time_step = time_step});
    if (is_map) {
        TileMapRef tiles = world.tile_map(world.create_tile_map({.tile_size = tile_size}));
        tiles.define('#');
        std::string text;
        for (const std::string& row : rows) text += row + '\n';
        tiles.load(text.c_str());
        return world;
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
        for (std::size_t column = 0; column < rows[row].size(); ++column) {
            if (rows[row][column] != '#') continue;
            const Vec2 corner{static_cast<float>(column),
                              static_cast<float>(rows.size() - 1 - row)};
            const Vec2 half{0.5f * tile_size, 0.5f * tile_size};
            world.create_body({.type = BodyType::Static, .position = corner * tile_size + half},
                              Box{half});
        }
    }
    return world;
}

Rows mirrored(Rows rows) {
    for (std::string& row : rows) std::reverse(row.begin(), row.end());
    return rows;
}

/// Moves for four seconds, falls where there is no ground, rises after two seconds if it `jumps`.
/// Returns where it gets to, as if it had gone to the right.
Vec2 end_of_way(const Rows& rows, bool is_map, bool is_mirrored, const Shape& shape, float rate,
                float speed, bool jumps) {
    const float dt = 1.0f / rate;
    World world = world_of(is_mirrored ? mirrored(rows) : rows, is_map, dt);
    const float width = static_cast<float>(rows.front().size());
    const float heading = is_mirrored ? -1.0f : 1.0f;
    Mover mover{.shape = shape, .position = {is_mirrored ? width - 1.8f : 1.8f, 3.6f}};
    Vec2 velocity;
    const int steps = static_cast<int>(4.0f * rate);
    for (int i = 0; i < steps; ++i) {
        const bool rises = jumps && 2 * i > steps;
        const float fall = mover.ground.is_grounded ? 0.0f : velocity.y - 9.81f * dt;
        velocity = move(world, mover, {heading * speed, rises ? 4.0f : fall}, dt);
    }
    return {is_mirrored ? width - mover.position.x : mover.position.x, mover.position.y};
}

/// Calls check(end) for movers of about the size of a tile, smaller than it by `spare` [m].
template <class Check>
void for_each_way(const Rows& rows, bool jumps, float spare, Check check) {
    const float half = 0.5f * (1.0f - spare);
    const Shape shapes[] = {Box{{half, half}}, Circle{half},
                            RoundedBox{{half - 0.2f, half - 0.2f}, 0.2f}};
    for (const Shape& shape : shapes) {
        for (const bool is_map : {true, false}) {
            for (const float rate : {60.0f, 144.0f}) {
                for (const bool is_mirrored : {false, true}) {
                    CAPTURE(shape.radius);
                    CAPTURE(is_map);
                    CAPTURE(rate);
                    CAPTURE(is_mirrored);
                    CAPTURE(spare);
                    check(end_of_way(rows, is_map, is_mirrored, shape, rate, 4.0f, jumps));
                }
            }
        }
    }
}

const Rows tunnel{"#########",  // floors are at y = 3
                  "#   #####",  //
                  "#       #",  //
                  "#########",  //
                  "#########",  //
                  "#########"};
const Rows chimney{"#### ####",  //
                   "#### ####",  //
                   "#    ####",  //
                   "#    ####",  //
                   "#########",  //
                   "#########",  //
                   "#########"};
const Rows shaft{"#    ####",  //
                 "#    ####",  //
                 "#### ####",  //
                 "#### ####",  //
                 "#########"};
const Rows loft{"########",  // a tunnel at the top of a shaft
                "#      #",  //
                "# ######",  //
                "# ######",  //
                "########"};
/// How far a mover gets that jumps from the bottom of the loft and presses ahead.
float end_of_jump(const Shape& shape, bool is_map, bool is_mirrored, float rate, float jump) {
    const float dt = 1.0f / rate;
    World world = world_of(is_mirrored ? mirrored(loft) : loft, is_map, dt);
    Mover mover{.shape = shape, .position = {is_mirrored ? 6.5f : 1.5f, 1.6f}};
    Vec2 velocity{0.0f, jump};
    for (int i = 0; i < static_cast<int>(2.0f * rate); ++i) {
        const float speed = is_mirrored ? -4.0f : 4.0f;
        velocity = move(world, mover, {speed, velocity.y - 9.81f * dt}, dt);
    }
    return is_mirrored ? 8.0f - mover.position.x : mover.position.x;
}
/// By how much too far one move brings a mover as wide as a shaft of tiles, which falls and rises
/// in it and presses to one side. In one wall a corner closes a hollow.
float thrown_in_shaft(const Shape& shape, float side, float rate, float press, float speed) {
    World world({.time_step = 1.0f / rate});
    TileMapRef tiles = world.tile_map(world.create_tile_map());
    tiles.define(1);
    tiles.define(2, {.shape = {{0.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 1.0f}}});
    tiles.define(3, {.shape = {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}}});
    for (int y = 0; y < 6; ++y) {
        const bool is_hollow = y == 2;
        tiles.set({-1, y}, is_hollow && side < 0.0f ? TileId{3} : TileId{1});
        tiles.set({1, y}, is_hollow && side > 0.0f ? TileId{2} : TileId{1});
    }
    Mover mover{.shape = shape, .position = {0.5f, 5.2f}};
    float too_far = 0.0f;
    for (const float way : {-1.0f, 1.0f, -1.0f}) {
        for (int i = 0; i < static_cast<int>(5.0f * rate / speed); ++i) {
            const float before = mover.position.y;
            move(world, mover, {side * press, way * speed}, 1.0f / rate);
            too_far = std::max(too_far, std::fabs(mover.position.y - before) - speed / rate);
        }
    }
    return too_far;
}

/// Where a jump takes a mover, and with which velocity, both as if `up` was not turned.
struct Jump {
    Vec2 position;
    Vec2 velocity;
};

/// A step of a jump from a floor, below a block that ends at x = `end`; all is turned by an angle.
Jump jump_to_corner(float angle, float end, float speed) {
    const test::Turn turn(angle);
    const Vec2 floor[] = {turn({9.0f, 0.0f}), turn({-9.0f, 0.0f})};
    const Vec2 block[] = {turn({-1.0f, 0.71f}), turn({end, 0.71f}), turn({end, 2.0f}),
                          turn({-1.0f, 2.0f})};
    World world({.gravity = {}});
    world.create_body({.type = BodyType::Static}, Chain{.points = floor});
    world.create_body({.type = BodyType::Static}, Chain{.points = block, .is_loop = true});
    Mover mover{.shape = Circle{0.3f}, .position = turn({0.0f, 0.3005f}), .up = turn({0.0f, 1.0f})};
    const Vec2 velocity = move(world, mover, turn({speed, 8.0f}), 1.0f / 60.0f);
    return {turn.undo(mover.position), turn.undo(velocity)};
}

constexpr Vec2 axes[] = {{1.0f, 0.0f}, {0.0f, 1.0f}, {-1.0f, 0.0f}, {0.0f, -1.0f}};
const Shape round_shapes[] = {Circle{0.5f}, Circle{0.4999f}, RoundedBox{{0.3f, 0.3f}, 0.2f}};

/// Adds a tunnel along an axis, from the origin on, beside its first wall. The second wall begins
/// there, too, if it is a door, else before.
void add_mouth(World& world, Vec2 along, float side, float width, bool is_door) {
    const Vec2 aside = perpendicular(along) * side;
    const auto add_wall = [&](float begin, float near, float far) {
        const Vec2 a = along * begin + aside * near;
        const Vec2 b = along * 9.0f + aside * far;
        world.create_body({.type = BodyType::Static}, AABB{min(a, b), max(a, b)});
    };
    add_wall(0.0f, 0.0f, -9.0f);
    add_wall(is_door ? 0.0f : -9.0f, width, 9.0f);
}

/// Moves a mover for 1.4 m along an axis, and aside; returns where it is along the axis.
float way_into_mouth(World& world, Mover mover, Vec2 along, float speed, Vec2 aside) {
    constexpr float dt = 1.0f / 60.0f;
    const int moves = static_cast<int>(1.4f / (speed * dt));
    for (int i = 0; i < moves; ++i) move(world, mover, along * speed + aside, dt);
    return dot(mover.position, along);
}

}  // namespace

TEST_CASE("a mover gets into a tunnel that is just as high as it is") {
    for (const float spare : {0.0f, 1e-4f, 4e-4f, 0.002f}) {
        for_each_way(tunnel, false, spare, [](Vec2 end) { CHECK(end.x > 7.49f); });
    }
}

TEST_CASE("a mover that jumps along a wall gets into a chimney that is just as wide as it is") {
    for (const float spare : {0.0f, 1e-4f, 4e-4f, 0.002f}) {
        for_each_way(chimney, true, spare, [](Vec2 end) { CHECK(end.y > 6.0f); });
    }
}

TEST_CASE("a mover that jumps up a shaft of its width gets into a tunnel of its height on top") {
    const Shape shapes[] = {Box{{0.5f, 0.5f}}, Circle{0.5f}, RoundedBox{{0.3f, 0.3f}, 0.2f}};
    for (const Shape& shape : shapes) {
        for (const bool is_map : {true, false}) {
            for (const bool is_mirrored : {false, true}) {
                for (const float rate : {30.0f, 60.0f, 144.0f}) {
                    for (const float jump : {7.0f, 8.3f, 9.5f, 12.0f}) {
                        CAPTURE(shape.radius);
                        CAPTURE(is_map);
                        CAPTURE(is_mirrored);
                        CAPTURE(rate);
                        CAPTURE(jump);
                        CHECK(end_of_jump(shape, is_map, is_mirrored, rate, jump) > 6.49f);
                    }
                }
            }
        }
    }
}

TEST_CASE("a mover that walks to a wall falls into a shaft there that is just as wide as it is") {
    for (const float spare : {0.0f, 1e-4f, 4e-4f, 0.002f}) {
        for_each_way(shaft, false, spare, [](Vec2 end) { CHECK(end.y < 1.6f); });
    }
}

TEST_CASE("a mover does not get into what is narrower by a millimetre") {
    for_each_way(tunnel, false, -1e-3f, [](Vec2 end) { CHECK(end.x < 4.1f); });
    for_each_way(chimney, true, -1e-3f, [](Vec2 end) { CHECK(end.y < 5.01f); });
    for_each_way(shaft, false, -1e-3f, [](Vec2 end) { CHECK(end.y > 2.9f); });
}

TEST_CASE("a round mover is not wedged between a wall and a corner that leave it too little room") {
    for (const float heading : {1.0f, -1.0f}) {
        for (const float rise : {0.5f, 1.0f, 2.0f}) {
            for (const float too_narrow : {0.25f, 0.5f, 1.0f}) {  // in skins
                CAPTURE(heading);
                CAPTURE(rise);
                CAPTURE(too_narrow);
                constexpr float dt = 1.0f / 144.0f;
                World world({.time_step = dt});
                Mover mover{.shape = Circle{0.5f}, .position = {heading * 0.499f, -1.0f}};
                const float gap = 1.0f - too_narrow * mover.skin;
                const BodyType fixed = BodyType::Static;
                world.create_body({.type = fixed, .position = {heading * (gap + 0.5f), 0.0f}},
                                  Box{{0.5f, 5.0f}});
                world.create_body({.type = fixed, .position = {heading * -0.5f, 2.5f}},
                                  Box{{0.5f, 2.5f}});
                for (int i = 0; i < 576; ++i) move(world, mover, {heading, rise}, dt);
                CHECK(mover.position.y < -0.005f);
            }
        }
    }
}

TEST_CASE("a round mover that rises, or is seen from above, gets into a mouth of its size") {
    for (const bool is_door : {false, true}) {
        for (const Shape& shape : round_shapes) {
            for (const Vec2 along : axes) {
                for (const float side : {1.0f, -1.0f}) {
                    for (const float steering : {-0.09f, -0.02f, -0.001f, 0.0f, 0.001f, 0.02f}) {
                        for (const float speed : {0.3f, 1.3f, 3.0f, 8.0f}) {
                            CAPTURE(is_door);
                            CAPTURE(shape.radius);
                            CAPTURE(along.x);
                            CAPTURE(along.y);
                            CAPTURE(side);
                            CAPTURE(steering);
                            CAPTURE(speed);
                            World world({.gravity = {}});
                            add_mouth(world, along, side, 1.0f, is_door);
                            const Vec2 across = perpendicular(along) * side;
                            const Vec2 start = along * -0.51f + across * 0.4998f;
                            const Vec2 aside = across * (steering * speed);
                            for (const Vec2 up : {Vec2{}, along}) {
                                const Mover mover{.shape = shape, .position = start, .up = up};
                                CHECK(way_into_mouth(world, mover, along, speed, aside) > 0.6f);
                            }
                        }
                    }
                }
            }
        }
    }
}

TEST_CASE("a round mover that rises, or is seen from above, is not wedged in too narrow a mouth") {
    for (const bool is_door : {false, true}) {
        for (const float too_narrow : {0.4f, 0.7f, 1.0f, 2.0f}) {  // in skins
            for (const float steering : {-0.09f, -0.02f, -0.001f, 0.0f, 0.001f, 0.02f}) {
                for (const float speed : {0.3f, 1.3f, 3.0f, 8.0f}) {
                    CAPTURE(is_door);
                    CAPTURE(too_narrow);
                    CAPTURE(steering);
                    CAPTURE(speed);
                    World world({.gravity = {}});
                    const Vec2 along = axes[0];
                    add_mouth(world, along, 1.0f, 1.0f - too_narrow * Mover{}.skin, is_door);
                    const Vec2 aside{0.0f, steering * speed};
                    for (const Vec2 up : {Vec2{}, along}) {
                        const Mover mover{
                            .shape = round_shapes[0], .position = {-0.51f, 0.4998f}, .up = up};
                        CHECK(way_into_mouth(world, mover, along, speed, aside) < -0.005f);
                    }
                }
            }
        }
    }
}

TEST_CASE("a round mover that jumps from a wall across a wider gap gets to the corner there") {
    for (const float rise : {0.1f, 0.3f, 0.5f}) {
        CAPTURE(rise);
        World world({.gravity = {}});
        world.create_body({.type = BodyType::Static}, AABB{{-1.0f, -9.0f}, {0.0f, 9.0f}});
        world.create_body({.type = BodyType::Static}, AABB{{0.7f, 0.01f}, {9.0f, 9.0f}});
        Mover mover{.shape = Circle{0.3f}, .position = {0.3005f, 0.0f}};
        const Vec2 velocity = move(world, mover, {8.0f, rise}, 1.0f / 60.0f);
        CHECK(mover.position.x > 0.399f);
        CHECK(mover.wall);
        CHECK(std::fabs(velocity.x) < 0.1f);
    }
}

TEST_CASE("a round mover jumps from a floor to a corner above it though both are turned with it") {
    for (const float angle : {0.3f, 0.52f, 1.2f, 2.5f}) {
        for (const float end : {-0.25f, -0.2f, -0.15f, -0.1f, -0.05f}) {
            for (const float speed : {-3.0f, -1.0f, 1.0f, 3.0f}) {
                CAPTURE(angle);
                CAPTURE(end);
                CAPTURE(speed);
                const Jump turned = jump_to_corner(angle, end, speed);
                const Jump upright = jump_to_corner(0.0f, end, speed);
                CHECK(length(turned.position - upright.position) < 1e-4f);
                CHECK(length(turned.velocity - upright.velocity) < 1e-2f);
            }
        }
    }
}

TEST_CASE("a mover that falls to the edge of a wider gap lands on it") {
    for (const float heading : {-1.0f, 1.0f}) {
        World world;
        world.create_body({.type = BodyType::Static, .position = {heading * 1.0f, -0.5f}},
                          Box{{0.5f, 0.5f}});
        Mover mover{.shape = Box{{0.5f, 0.5f}}, .position = {heading * 0.0003f, 1.0f}};
        for (int i = 0; i < 60; ++i) move(world, mover, {0.0f, -3.1f}, 1.0f / 60.0f);
        CHECK(mover.ground.is_grounded);
        CHECK(mover.position.y > 0.5f);
    }
}

TEST_CASE("a mover falls through a shaft of boxes as wide as it is though it presses to a side") {
    for (const float heading : {-1.0f, 1.0f}) {
        World world;
        for (int i = -12; i < 9; ++i) {
            for (const float side : {-1.0f, 1.0f}) {
                const Vec2 place{side, static_cast<float>(i)};
                world.create_body({.type = BodyType::Static, .position = place}, Box{{0.5f, 0.5f}});
            }
        }
        Mover mover{.shape = Box{{0.5f, 0.5f}}};
        for (int i = 0; i < 120; ++i) move(world, mover, {2.0f * heading, -5.0f}, 1.0f / 60.0f);
        CHECK(mover.position.y == doctest::Approx(-10.0f));
    }
}

TEST_CASE("a mover gets into a tunnel of its height however slowly it walks") {
    for (const float rate : {60.0f, 144.0f}) {
        for (const Shape& shape : {Shape{Box{{0.5f, 0.5f}}}, Shape{Circle{0.5f}}}) {
            CAPTURE(rate);
            CAPTURE(shape.radius);
            constexpr float speed = 0.05f;
            World world = world_of(tunnel, true, 1.0f / rate);
            Mover mover{.shape = shape, .position = {3.4f, 3.501f}};
            for (float t = 0.0f; t < 4.0f; t += 1.0f / rate) {
                move(world, mover, {speed, 0.0f}, 1.0f / rate);
            }
            CHECK(mover.position.x == doctest::Approx(3.4f + 4.0f * speed).epsilon(0.001));
        }
    }
}

TEST_CASE("a lift takes a mover up into a shaft of its width and down into one, however slowly") {
    for (const float rate : {60.0f, 240.0f}) {
        for (const float speed : {-2.0f, -0.5f, -0.1f, 0.1f, 0.5f, 2.0f}) {
            CAPTURE(rate);
            CAPTURE(speed);
            World world({.time_step = 1.0f / rate});
            const float way = speed * 2.0f;
            const float height = speed > 0.0f ? -0.502f : 0.502f;
            for (const float side : {-1.5f, 1.5f}) {  // the right one is a wall all the way
                const float end = side > 0.0f ? 5.0f : 0.0f;
                world.create_body({.type = BodyType::Static},
                                  speed > 0.0f ? AABB{{side - 1.0f, -end}, {side + 1.0f, 9.0f}}
                                               : AABB{{side - 1.0f, -9.0f}, {side + 1.0f, end}});
            }
            const BodyId lift =
                world.create_body({.type = BodyType::Kinematic, .position = {0.0f, height - 1.0f}},
                                  Box{{0.5f, 0.4995f}});
            Mover mover{.shape = Box{{0.5f, 0.5f}}, .position = {-0.002f, height}};
            for (int i = 0; i < 10; ++i) move(world, mover, {i < 5 ? 1.0f : 0.0f, 0.0f}, 0.002f);
            world.body(lift).set_velocity({0.0f, speed});
            for (float t = 0.0f; t < 2.0f; t += 1.0f / rate) {
                world.step();
                move(world, mover, {}, 1.0f / rate);
                REQUIRE(!mover.crush);
            }
            CHECK(mover.ground.platform == lift);
            CHECK(mover.position.y == doctest::Approx(height + way).epsilon(0.01));
        }
    }
}

TEST_CASE("a mover goes through a tunnel of its height of one-way pieces and stays on its floor") {
    const Shape shapes[] = {Box{{0.5f, 0.5f}}, Circle{0.5f}, RoundedBox{{0.3f, 0.3f}, 0.2f}};
    for (const Shape& shape : shapes) {
        for (const float rate : {30.0f, 60.0f, 144.0f}) {
            for (const float speed : {0.5f, 4.0f, 20.0f}) {
                for (const OneWay roof : {OneWay::No, OneWay::Down}) {
                    for (const float heading : {1.0f, -1.0f}) {
                        CAPTURE(shape.radius);
                        CAPTURE(rate);
                        CAPTURE(speed);
                        CAPTURE(static_cast<int>(roof));
                        CAPTURE(heading);
                        World world({.time_step = 1.0f / rate});
                        for (int i = 0; i < 40; ++i) {
                            const float x = heading * (0.5f + static_cast<float>(i));
                            const BodyDef floor{.type = BodyType::Static, .position = {x, -0.5f}};
                            world.create_body(floor, Box{{0.5f, 0.5f}}, {},
                                              {.one_way = OneWay::Up});
                            if (i < 2) continue;
                            const BodyDef ceiling{.type = BodyType::Static, .position = {x, 1.5f}};
                            world.create_body(ceiling, Box{{0.5f, 0.5f}}, {}, {.one_way = roof});
                        }
                        Mover mover{.shape = shape, .position = {heading * 1.4f, 0.501f}};
                        const float way = std::min(30.0f, 10.0f * speed);
                        const int moves = static_cast<int>(way / speed * rate);
                        for (int i = 0; i < moves; ++i) {
                            move(world, mover, {heading * speed, 0.0f}, 1.0f / rate);
                            REQUIRE(mover.ground.is_grounded);
                        }
                        CHECK(heading * mover.position.x > 1.4f + 0.97f * way);
                        CHECK(std::fabs(mover.position.y - 0.5f) < 0.001f);
                    }
                }
            }
        }
    }
}

TEST_CASE("a corner in the wall of a shaft of its width does not throw a mover along that") {
    const Shape shapes[] = {Box{{0.5f, 0.5f}}, Box{{0.5f, 0.9f}}, RoundedBox{{0.3f, 0.3f}, 0.2f}};
    for (const Shape& shape : shapes) {
        for (const float side : {-1.0f, 1.0f}) {
            for (const float rate : {30.0f, 60.0f, 144.0f}) {
                for (const float press : {-4.0f, -0.3f, 0.0f, 0.3f, 4.0f}) {
                    for (const float speed : {1.1f, 3.0f, 7.0f}) {
                        CAPTURE(shape.half_extents.y);
                        CAPTURE(side);
                        CAPTURE(rate);
                        CAPTURE(press);
                        CAPTURE(speed);
                        CHECK(thrown_in_shaft(shape, side, rate, press, speed) < 0.003f);
                    }
                }
            }
        }
    }
}

TEST_CASE("a mover goes around the corner of a shaft and a tunnel that are just as wide as it is") {
    const Rows rows{"###### ##",  //
                    "###### ##",  //
                    "#      ##",  //
                    "#########"};
    for (const float size : {1.0f, 0.8f, 0.7f, 0.3f}) {
        const float half = 0.5f * size;
        for (const Shape& shape : {Shape{Box{{half, half}}}, Shape{Circle{half}}}) {
            for (const bool is_map : {true, false}) {
                for (const float heading : {1.0f, -1.0f}) {
                    for (const float rate : {30.0f, 60.0f, 240.0f}) {
                        for (const float press : {-1.0f, 0.0f, 1.0f}) {
                            CAPTURE(size);
                            CAPTURE(shape.radius);
                            CAPTURE(is_map);
                            CAPTURE(heading);
                            CAPTURE(rate);
                            CAPTURE(press);
                            World world = world_of(heading > 0.0f ? rows : mirrored(rows), is_map,
                                                   1.0f / rate, size);
                            const float middle = (heading > 0.0f ? 6.5f : 2.5f) * size;
                            Mover mover{.shape = shape, .position = {middle, 3.3f * size}};
                            const auto go = [&](float speed, float rise, float seconds) {
                                for (int i = 0; i < static_cast<int>(seconds * rate); ++i) {
                                    move(world, mover, {heading * speed, rise}, 1.0f / rate);
                                }
                            };
                            go(press, -3.0f, 2.0f);  // down the shaft,
                            CHECK(mover.position.y < 1.51f * size);
                            go(-4.0f, 0.0f, 2.0f);  // to the end of the tunnel,
                            CHECK(heading * (middle - mover.position.x) > 4.9f * size);
                            go(4.0f, 0.0f, 2.0f);  // back,
                            go(4.0f, 3.0f, 0.5f);  // and up again
                            CHECK(mover.position.y > 2.9f * size);
                        }
                    }
                }
            }
        }
    }
}

TEST_CASE("a slope that stops a mover in a tunnel of its height leaves it no velocity") {
    for (const Shape& shape : {Shape(Box{{0.3f, 0.5f}}), Shape(Circle{0.5f})}) {
        for (const float spare : {0.0f, 0.001f, 0.01f, 0.2f}) {
            CAPTURE(shape.radius);
            CAPTURE(spare);
            World world;
            const BodyDef fixed{.type = BodyType::Static};
            world.create_body(fixed, AABB{{-5.0f, -1.0f}, {9.0f, 0.0f}});
            world.create_body(fixed, AABB{{-5.0f, 1.0f + spare}, {9.0f, 3.0f}});
            world.create_body(fixed, Polygon{{3.0f, 0.0f}, {5.0f, 0.0f}, {5.0f, 2.0f}});
            Mover mover{.shape = shape, .position = {1.0f, 0.5f}};
            Vec2 velocity{};
            for (int i = 0; i < 120; ++i) {
                const float fall = mover.ground.is_grounded ? 0.0f : velocity.y - 0.1f;
                velocity = move(world, mover, {3.0f, fall}, 1.0f / 60.0f);
            }
            CHECK(mover.position.x > 2.5f);
            CHECK(mover.position.x < 3.5f);
            CHECK(velocity == Vec2{});
        }
    }
}

}  // namespace mover_gap_test

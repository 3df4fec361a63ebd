// SPDX-License-Identifier: MIT
// Does a mover go where it is told as far as the world lets it, and know what it stands on? SCENES
// [1, 9, 10, 11]
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "support/random.hpp"

namespace mover_test {

using namespace phys2d;

namespace {

constexpr float dt = 1.0f / 60.0f;
const Shape shapes[] = {Box{{0.3f, 0.6f}}, Circle{0.4f}, Capsule{0.3f, 0.3f},
                        RoundedBox{{0.2f, 0.4f}, 0.1f}};

float feet(const Mover& mover) { return mover.position.y - outer_half_extents(mover.shape).y; }

/// A mover of a shape that stands on the ground at a place.
Mover standing(const Shape& shape, Vec2 place) {
    const float middle = outer_half_extents(shape).y + Mover{}.skin;
    return {.shape = shape, .position = place + Vec2{0.0f, middle}};
}

void add_box(World& world, const AABB& box, const ColliderDef& collider = {}) {
    world.create_body({.type = BodyType::Static, .position = center(box)}, Box{half_extents(box)},
                      {}, collider);
}

/// Rows of tiles from (0, 0): 1 full, 2 and 3 up and down at 45°, 4 and 5 up at 22.5° (two tiles),
/// 6 one-way, 7 up at 63°, the lower half.
BodyId add_tiles(World& world, const char* rows = "", float size = 1.0f) {
    const BodyId id = world.create_tile_map({.tile_size = size});
    TileMapRef map = world.tile_map(id);
    map.define('1');
    map.define('2', {.shape = Polygon{{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}}});
    map.define('3', {.shape = Polygon{{0.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 1.0f}}});
    map.define('4', {.shape = Polygon{{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 0.5f}}});
    map.define('5', {.shape = Polygon{{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}, {0.0f, 0.5f}}});
    map.define('6', {.shape = Polygon{{0.0f, 0.8f}, {1.0f, 0.8f}, {1.0f, 1.0f}, {0.0f, 1.0f}},
                     .collider = {.filter = {.category = 2}, .one_way = OneWay::Up}});
    map.define('7', {.shape = Polygon{{0.0f, 0.0f}, {0.5f, 0.0f}, {1.0f, 1.0f}, {0.0f, 1.0f}}});
    map.load(rows);
    return id;
}

/// The ground from 0 to 1000 along x, of tiles or of boxes side by side.
World long_floor(bool of_tiles) {
    World world;
    if (of_tiles) {
        const BodyId map = add_tiles(world);
        world.tile_map(map).fill({{0, -1}, {999, -1}}, '1');
    } else {
        for (int i = 0; i < 1000; ++i) {
            const float x = static_cast<float>(i);
            add_box(world, {{x, -1.0f}, {x + 1.0f, 0.0f}});
        }
    }
    world.step();  // queries are fast from then on
    return world;
}

/// Moves at a speed along x and falls where there is no ground; returns whether it was grounded
/// throughout.
bool run(World& world, Mover& mover, float speed, int moves) {
    bool is_grounded = true;
    float fall = 0.0f;
    for (int i = 0; i < moves; ++i) {
        fall = mover.ground.is_grounded ? 0.0f : fall - 9.81f * dt;
        fall = move(world, mover, {speed, fall}, dt).y;
        is_grounded = is_grounded && mover.ground.is_grounded;
    }
    return is_grounded;
}

}  // namespace

TEST_CASE("a mover runs over a thousand tiles or boxes at its own pace, both ways") {
    for (const bool of_tiles : {true, false}) {
        World world = long_floor(of_tiles);
        for (const Shape& shape : shapes) {
            for (const float speed : {0.5f, 3.7f, 20.0f, 200.0f, -0.5f, -11.0f, -200.0f}) {
                Mover mover = standing(shape, {speed > 0.0f ? 1.0f : 999.0f, 0.0f});
                const int moves =
                    static_cast<int>(std::fmin(990.0f / std::fabs(speed), 20.0f) / dt);
                const float start = mover.position.x;
                const bool is_grounded = run(world, mover, speed, moves);
                const float way = speed * dt * static_cast<float>(moves);
                INFO(of_tiles, " at ", speed);
                CHECK(is_grounded);
                CHECK(mover.position.x - start == doctest::Approx(way).epsilon(1e-3));
                CHECK(std::fabs(feet(mover) - mover.skin) < 1e-3f);
            }
        }
    }
}

TEST_CASE("a mover goes up and down slopes of tiles at its pace and stays on the ground") {
    const struct {
        const char* rows;
        float speed, start, way;  // m/s, and from a place along x by a way along the ground
    } hills[] = {{"  23\n 2113\n111111", 3.0f, 0.5f, 6.0f},
                 {"  23\n 2113\n111111", -3.0f, 5.5f, 6.0f},
                 {"    4513\n  4511113\n1111111111", 3.0f, 1.0f, 6.0f}};
    for (const auto& hill : hills) {
        World world;
        add_tiles(world, hill.rows);
        for (const Shape& shape : shapes) {
            Mover mover = standing(shape, {hill.start, 1.0f});
            run(world, mover, 0.0f, 2);
            float walked = 0.0f;
            for (int i = 0; i < static_cast<int>(hill.way / (3.0f * dt)); ++i) {
                const Vec2 before = mover.position;
                CHECK(run(world, mover, hill.speed, 1));
                walked += distance(before, mover.position);
            }
            INFO(hill.rows);
            CHECK(walked ==
                  doctest::Approx(hill.way).epsilon(0.02));  // but for where the ground bends
        }
    }
}

TEST_CASE("a mover stays on the ground over the top of a slope at any speed") {
    World world;
    world.create_body(
        {.type = BodyType::Static},
        Outline(Polygon{{-30.0f, 0.0f}, {30.0f, 0.0f}, {10.0f, 20.0f}, {-10.0f, 20.0f}}));
    add_box(world, {{-900.0f, -1.0f}, {900.0f, 0.0f}});
    for (const Shape& shape : shapes) {
        for (const float speed : {2.0f, 10.0f, 60.0f, 200.0f, 500.0f, -60.0f}) {
            Mover mover = standing(shape, {std::copysign(40.0f, -speed), 0.0f});
            run(world, mover, 0.0f, 1);
            const bool is_grounded =
                run(world, mover, speed, static_cast<int>(130.0f / std::fabs(speed * dt)));
            INFO(speed);
            CHECK(is_grounded);
            CHECK(mover.position.x * speed > 40.0f * std::fabs(speed));
        }
    }
}

TEST_CASE("walls, ceilings and slopes that are too steep stop a mover and are named") {
    World world;
    const BodyId map = add_tiles(world, "11111111\n1      1\n1      1\n1     21\n11111111");
    world.create_body({.type = BodyType::Static, .position = {3.0f, 1.0f}},
                      Outline(Polygon{{0.0f, 0.0f}, {2.0f, 0.0f}, {2.0f, 1.6f}, {0.9f, 1.6f}}));
    for (const Shape& shape : shapes) {
        Mover mover = standing(shape, {2.0f, 1.0f});
        run(world, mover, -5.0f, 60);
        CHECK(mover.position.x == doctest::Approx(1.0f + outer_half_extents(shape).x + mover.skin));
        CHECK(mover.wall.normal == Vec2{1.0f, 0.0f});
        CHECK(mover.wall.body == map);
        CHECK(move(world, mover, {-5.0f, 0.0f}, dt).x == 0.0f);
        CHECK(run(world, mover, 5.0f, 60));
        CHECK(mover.position.x < 4.0f);
        CHECK(mover.wall.body != map);
        CHECK(mover.wall.is_touched);
        CHECK(move(world, mover, {0.0f, 300.0f}, dt).y == 0.0f);
        CHECK(mover.ceiling.normal == Vec2{0.0f, -1.0f});
        CHECK_FALSE(mover.ground.is_grounded);
        CHECK(mover.position.y + outer_half_extents(shape).y == doctest::Approx(4.0f - mover.skin));
    }
}

namespace {

constexpr float gravity = 9.81f;
constexpr float steep_angles[] = {46.0f, 50.0f, 60.0f, 75.0f, 85.0f, 89.0f};

float rise_of(float degrees) { return std::tan(degrees * 3.14159265f / 180.0f); }

/// A floor that ends at 0 in a slope to one side.
World slope_beside_floor(float degrees, float side) {
    const Vec2 top{side * 200.0f / rise_of(degrees), 200.0f};
    const Vec2 floor_end{side * -50.0f, 0.0f};
    const Vec2 points[] = {side > 0.0f ? top : floor_end, {}, side > 0.0f ? floor_end : top};
    World world;
    world.create_body({.type = BodyType::Static}, Chain{{points, 3}});
    return world;
}

/// Two slopes that meet at the origin.
World notch(float left_degrees, float right_degrees) {
    const Vec2 points[] = {
        {200.0f / rise_of(right_degrees), 200.0f}, {}, {-200.0f / rise_of(left_degrees), 200.0f}};
    World world;
    world.create_body({.type = BodyType::Static}, Chain{{points, 3}});
    return world;
}

/// How high a jump goes that is moved first and slowed then [m].
float jump_height(float speed) {
    return speed * speed / (2.0f * gravity) + 0.5f * speed * dt + gravity * dt * dt;
}

}  // namespace

TEST_CASE("a mover walks up slopes of at most its largest, and no steeper ones") {
    for (const float most : {0.3f, 1.0f, 2.0f}) {
        for (const float slope : {0.9f * most, 1.1f * most}) {
            World world;
            const Vec2 hill[] = {{40.0f, 40.0f * slope}, {0.0f, 0.0f}, {-10.0f, 0.0f}};
            world.create_body({.type = BodyType::Static}, Chain{hill});
            for (const Shape& shape : shapes) {
                Mover mover = standing(shape, {-2.0f, 0.0f});
                mover.max_slope = most;
                run(world, mover, 3.0f, 120);
                INFO(slope, " of at most ", most);
                CHECK((feet(mover) > slope) == (slope < most));
            }
        }
    }
}

TEST_CASE("a mover gets up ground that is too steep as high as it jumps and slides back down") {
    constexpr float jump = 5.0f;
    for (const float degrees : steep_angles) {
        for (const Shape& shape : shapes) {
            for (const float speed : {2.0f, 4.0f, 20.0f, -2.0f, -4.0f, -20.0f}) {
                const float side = std::copysign(1.0f, speed);
                World world = slope_beside_floor(degrees, side);
                Mover mover = standing(shape, {side * -1.0f, 0.0f});
                run(world, mover, speed, 60);
                INFO(degrees, " degrees at ", speed);
                CHECK(mover.ground.is_grounded);
                CHECK(feet(mover) < 0.01f);
                Vec2 left = move(world, mover, {speed, jump}, dt);
                float highest = feet(mover);
                for (int i = 0; i < 180 && !mover.ground.is_grounded; ++i) {
                    const float before = mover.position.y;
                    const float wanted = left.y - gravity * dt;
                    left = move(world, mover, {speed, wanted}, dt);
                    highest = std::fmax(highest, feet(mover));
                    REQUIRE(left.y <= std::fmax(wanted, 0.0f) + 1e-4f);
                    if (wanted < -gravity * dt) REQUIRE(mover.position.y < before);
                }
                CHECK(highest == doctest::Approx(jump_height(jump)).epsilon(0.01));
                const float pace = gravity * dt * rise_of(degrees) * rise_of(degrees);
                const bool slides = left.y == doctest::Approx(-pace).epsilon(0.02);
                CHECK((mover.ground.is_grounded || slides));
            }
        }
    }
}

TEST_CASE("a mover that runs at a wall of boxes falls along it as freely as along one of tiles") {
    for (const Shape& shape : {shapes[0], shapes[1], shapes[2], shapes[3], Mover{}.shape}) {
        World world;
        for (int i = 0; i < 200; ++i) {
            const float top = 1.0f - static_cast<float>(i);
            add_box(world, {{0.0f, top - 1.0f}, {1.0f, top}});
        }
        Mover mover{.shape = shape, .position = {-outer_half_extents(shape).x - 0.01f, -2.0f}};
        Vec2 left{};
        for (int i = 0; i < 200; ++i) {
            const float asked = left.y - gravity * dt;
            left = move(world, mover, {5.0f, asked}, dt);
            CHECK(left.y == doctest::Approx(asked).epsilon(1e-5));
        }
    }
}

TEST_CASE("a mover that runs off a ledge at a wall of boxes falls, at any speed across any gap") {
    const Vec2 half{0.3f, 0.6f};
    for (const float gap : {0.05f, 0.1f, 0.2f, 0.35f, 0.55f}) {
        const float ledge = 1.0f + 2.0f * half.x + gap;
        World world;
        for (int y = -8; y < 6; ++y) {
            const float low = static_cast<float>(y);
            add_box(world, {{0.0f, low}, {1.0f, low + 1.0f}});
        }
        add_box(world, {{ledge, 1.0f}, {ledge + 10.0f, 2.0f}});
        world.step();
        for (float speed = 2.0f; speed < 40.0f; speed += 0.5f) {
            Mover mover{.shape = Box{half}, .position = {ledge + 3.0f, 2.0f + half.y}};
            Vec2 left{};
            int hangs = 0;
            for (int i = 0; i < 200 && mover.position.y > -4.0f; ++i) {
                const Vec2 before = mover.position;
                const bool falls = !mover.ground.is_grounded;
                left = move(world, mover, {-speed, falls ? left.y - gravity * dt : 0.0f}, dt);
                const bool stays = before.y - mover.position.y < 1e-4f;
                hangs += falls && left.y < -1.0f && stays ? 1 : 0;
            }
            CAPTURE(gap);
            CAPTURE(speed);
            CHECK(hangs == 0);
        }
    }
}

TEST_CASE("a mover jumps as high along a wall of boxes as in the air, however it is pressed on") {
    const Vec2 half{0.3f, 0.6f};
    for (int i = 0; i < 400; ++i) {
        const float floor = -0.0025f * static_cast<float>(i);
        World world;
        for (int y = -2; y < 6; ++y) {
            const float low = static_cast<float>(y);
            add_box(world, {{-1.0f, low}, {0.0f, low + 1.0f}});
        }
        add_box(world, {{0.0f, floor - 2.0f}, {10.0f, floor}});
        for (const float speed : {5.0f, 20.0f}) {
            Mover mover{.shape = Box{half}, .position = {half.x, floor + half.y}};
            Vec2 left{};
            run(world, mover, -speed, 3);
            left = move(world, mover, {-speed, 8.0f}, dt);
            while (left.y > 0.0f) {
                const float asked = left.y - gravity * dt;
                left = move(world, mover, {-speed, asked}, dt);
                CAPTURE(floor);
                CAPTURE(speed);
                CHECK(left.y == doctest::Approx(asked).epsilon(1e-5));
            }
        }
    }
}

TEST_CASE(
    "a mover rests where two slopes that are too steep meet, whichever way it is told to go") {
    for (const float left_degrees : steep_angles) {
        for (const float right_degrees : steep_angles) {
            World world = notch(left_degrees, right_degrees);
            for (const Shape& shape : shapes) {
                Mover mover{.shape = shape};
                mover.position = {50.0f / rise_of(right_degrees) - 50.0f / rise_of(left_degrees),
                                  100.0f};
                for (int i = 0; i < 900; ++i) move(world, mover, {0.0f, -20.0f}, dt);
                run(world, mover, 0.0f, 10);
                const Vec2 place = mover.position;
                Vec2 left{};
                for (const float speed : {0.0f, 4.0f, -4.0f, 20.0f, -20.0f}) {
                    for (int i = 0; i < 30; ++i) {
                        left = move(world, mover, {speed, left.y - gravity * dt}, dt);
                        INFO(left_degrees, " and ", right_degrees, " degrees at ", speed);
                        CHECK(distance(mover.position, place) < 0.02f);  // rounding, times tan 89°
                        CHECK(length(left) < 1e-3f);
                    }
                }
            }
        }
    }
}

namespace {

/// A wall to one side of the origin and an overhang that comes down to it at 45 degrees, 2.5 m up.
World corner_under_overhang(float side) {
    World world;
    world.create_body({.type = BodyType::Static, .position = {side, 0.0f}}, Box{{0.5f, 10.0f}});
    const Vec2 a{side * -2.0f, 5.0f};
    const Vec2 b{side * 0.5f, 2.5f};
    const Vec2 c{side * 0.5f, 5.0f};
    world.create_body({.type = BodyType::Static},
                      side > 0.0f ? Polygon{a, b, c} : Polygon{c, b, a});
    return world;
}

}  // namespace

TEST_CASE("a wall and an overhang leave a jump the same, whichever stops it first, and no more") {
    for (const Shape& shape : shapes) {
        for (const float speed : {3.0f, 7.0f, 15.0f}) {
            std::vector<Vec2> left[2];
            for (const float side : {1.0f, -1.0f}) {
                World world = corner_under_overhang(side);
                Mover mover{.shape = shape, .position = {side * 0.05f, 0.5f}};
                std::vector<Vec2>& all = left[side < 0.0f];
                Vec2 velocity{0.0f, 8.0f};
                for (int i = 0; i < 30; ++i) {
                    const Vec2 asked{side * speed, velocity.y - gravity * dt};
                    velocity = move(world, mover, asked, dt);
                    all.push_back({side * velocity.x, velocity.y});
                    INFO("at ", side * speed, ", asked ", asked.y, ", left ", velocity.y);
                    CHECK(length(velocity) <= length(asked) * 1.0001f);
                    if (mover.ceiling && mover.wall)
                        CHECK(velocity.y > std::fmin(asked.y, 0.0f) - 0.1f);
                }
            }
            for (std::size_t i = 0; i < 30; ++i) CHECK(distance(left[0][i], left[1][i]) < 1e-3f);
        }
    }
}

TEST_CASE("a mover climbs stairs up to its step height, and no higher ones") {
    for (const bool of_tiles : {true, false}) {
        for (const float height : {0.1f, 0.25f, 0.29f, 0.35f, 0.6f}) {
            for (const float speed : {0.5f, 4.0f, 30.0f}) {
                World world;
                const BodyId map = add_tiles(world, "", height);
                for (int i = 0; i < 40; ++i) {
                    const float x = static_cast<float>(i);
                    if (of_tiles) world.tile_map(map).fill({{6 * i, 0}, {6 * i + 5, i}}, '1');
                    if (!of_tiles)
                        add_box(world, {{6.0f * x * height, 0.0f},
                                        {6.0f * (x + 1.0f) * height, (x + 1.0f) * height}});
                }
                add_box(world, {{-5.0f, 0.0f}, {0.0f, height}});
                world.step();
                for (const Shape& shape : shapes) {
                    Mover mover = standing(shape, {height, height});
                    run(world, mover, 0.0f, 1);
                    const float way = 20.0f * height;
                    const bool is_grounded =
                        run(world, mover, speed, static_cast<int>(way / (speed * dt)));
                    const int steps = height < mover.step_height ? 3 : 0;
                    INFO(of_tiles, " ", height, " at ", speed, " half ",
                         outer_half_extents(shape).x);
                    CHECK(is_grounded);
                    CHECK(feet(mover) >= height * static_cast<float>(steps + 1));
                    CHECK(feet(mover) <= height * static_cast<float>(steps + 2) + 0.01f);
                    if (steps == 0) CHECK(feet(mover) <= height + 0.01f);
                    if (steps > 0)
                        CHECK(run(world, mover, -speed, static_cast<int>(way / (speed * dt))));
                    CHECK(std::fabs(feet(mover) - height) <
                          0.1f);  // round ones may lean on a corner
                }
            }
        }
    }
}

TEST_CASE("a mover passes kerbs of any width at any speed, both ways") {
    for (const float width : {0.02f, 0.1f, 0.7f, 4.0f}) {
        for (const float height : {0.05f, 0.1f, 0.25f}) {
            World world;
            add_box(world, {{-300.0f, -1.0f}, {300.0f, 0.0f}});
            for (float x = -195.0f; x < 200.0f; x += 10.0f)
                add_box(world, {{x - 0.5f * width, 0.0f}, {x + 0.5f * width, height}});
            world.step();
            for (const Shape& shape : shapes) {
                for (const float speed : {4.0f, 30.0f, 60.0f, 240.0f, 500.0f, -60.0f, -1000.0f}) {
                    Mover mover = standing(shape, {std::copysign(200.0f, -speed), 0.0f});
                    run(world, mover, 0.0f, 1);
                    const int moves = static_cast<int>(400.0f / std::fabs(speed * dt));
                    INFO(width, " wide, ", height, " high at ", speed);
                    CHECK(run(world, mover, speed, moves));
                    const float way = std::fabs(mover.position.x - std::copysign(200.0f, -speed));
                    const float told = std::fabs(speed * dt) * static_cast<float>(moves);
                    CHECK(way == doctest::Approx(told).epsilon(0.03));  // round ones go over bends
                }
            }
        }
    }
}

TEST_CASE("a mover that stands up under a ceiling that is too low stays there and names it") {
    for (const bool of_tiles : {false, true}) {
        World world;
        if (of_tiles) {
            add_tiles(world, "1111\n....\n1111\n");
        } else {
            add_box(world, {{-5.0f, -1.0f}, {5.0f, 0.0f}});
            add_box(world, {{-5.0f, 1.0f}, {5.0f, 2.0f}});
        }
        Mover mover = standing(Box{{0.3f, 0.45f}}, {2.0f, of_tiles ? 1.0f : 0.0f});
        run(world, mover, 0.0f, 10);
        mover.shape = Box{{0.3f, 0.7f}};
        run(world, mover, 0.0f, 1);
        const Vec2 place = mover.position;
        for (int i = 0; i < 60; ++i) {
            run(world, mover, 0.0f, 1);
            CHECK(distance(mover.position, place) < 0.001f);
            CHECK(mover.ceiling);
            CHECK(mover.ceiling.normal == Vec2{0.0f, -1.0f});
        }
    }
}

TEST_CASE("a mover that comes down onto the top of an upright segment stands there") {
    for (const Shape& shape :
         {Shape(Capsule{0.5f, 0.3f}), Shape(Circle{0.4f}), Shape(Box{{0.3f, 0.5f}})}) {
        World world;
        world.create_body({.type = BodyType::Static}, Segment{{0.0f, 0.0f}, {0.0f, 2.0f}});
        world.create_body({.type = BodyType::Static}, HalfSpace{});
        Mover mover{.shape = shape, .position = {0.0f, 4.0f}};
        Vec2 velocity{};
        for (int i = 0; i < 120; ++i) {
            const float fall = mover.ground.is_grounded ? 0.0f : velocity.y - gravity * dt;
            velocity = move(world, mover, {0.0f, fall}, dt);
        }
        CHECK(mover.ground.is_grounded);
        CHECK(mover.position.x == 0.0f);
        const float top = 2.0f + outer_half_extents(shape).y;
        CHECK(mover.position.y == doctest::Approx(top).epsilon(0.001));
    }
}

TEST_CASE("a mover stays on the ground down a step, however little of it holds it last") {
    int in_the_air = 0;
    for (const float height : {0.05f, 0.15f, 0.25f, 0.29f}) {
        World world;
        add_box(world, {{-20.0f, -1.0f}, {0.0f, 0.0f}});
        add_box(world, {{0.0f, -1.0f}, {20.0f, height}});
        for (const Shape& shape : shapes) {
            for (const float speed : {-0.08f, -0.13f, -0.3f, -1.0f, -8.0f}) {
                for (int i = 0; i < 20; ++i) {
                    Mover mover = standing(shape, {0.3f + 0.0173f * static_cast<float>(i), height});
                    run(world, mover, 0.0f, 1);
                    in_the_air += !run(world, mover, speed, static_cast<int>(-1.1f / (speed * dt)));
                    CHECK(feet(mover) < 0.001f);
                }
            }
        }
    }
    CHECK(in_the_air == 0);
}

TEST_CASE("a mover that lands and walks on down a step is on the ground after that move") {
    for (const Shape& shape : shapes) {
        for (int i = 0; i < 100; ++i) {
            World world;
            add_box(world, {{-5.0f, -1.0f}, {0.0f, 0.0f}});
            add_box(world, {{0.0f, -1.0f}, {5.0f, -0.15f}});
            Mover mover = standing(shape, {-1.0f - 0.01f * static_cast<float>(i), 1.0f});
            bool falls_freely = true;
            while (falls_freely) {
                const Vec2 start = mover.position;
                const Vec2 velocity{12.0f, -10.0f};
                move(world, mover, velocity, dt);
                falls_freely = distance(mover.position, start + velocity * dt) < 1e-4f;
                if (!falls_freely && !mover.wall) CHECK(mover.ground.is_grounded);
            }
        }
    }
}

TEST_CASE("a mover climbs no step under a ceiling that is too low") {
    for (const Shape& shape : shapes) {
        World world;
        const float height = 2.0f * outer_half_extents(shape).y;
        add_box(world, {{-5.0f, -1.0f}, {5.0f, 0.0f}});
        add_box(world, {{1.0f, 0.0f}, {5.0f, 0.25f}});
        add_box(world, {{-5.0f, height + 0.15f}, {5.0f, height + 1.0f}});
        Mover mover = standing(shape, {});
        run(world, mover, 3.0f, 60);
        CHECK(mover.position.x < 1.0f);
        CHECK(feet(mover) == doctest::Approx(mover.skin));
        CHECK(mover.wall.is_touched);
    }
}

TEST_CASE("a mover passes what is wider than it by a millimetre, and nothing narrower") {
    for (const float more : {0.001f, -0.001f}) {
        for (const Shape& shape : shapes) {
            const Vec2 outer = outer_half_extents(shape);
            World world;
            add_box(world, {{-5.0f, -1.0f}, {20.0f, 0.0f}});
            add_box(world, {{2.0f, 2.0f * outer.y + more}, {20.0f, 9.0f}});
            Mover mover = standing(shape, {});
            run(world, mover, 5.0f, 120);
            CHECK((mover.position.x > 9.0f) == (more > 0.0f));
            World pit;
            add_box(pit, {{-9.0f, -9.0f}, {-outer.x - 0.5f * more, 0.0f}});
            add_box(pit, {{outer.x + 0.5f * more, -9.0f}, {9.0f, 0.0f}});
            Mover faller = standing(shape, {0.0f, 1.0f});
            run(pit, faller, 0.0f, 60);
            CHECK((feet(faller) < -1.0f) == (more > 0.0f));
        }
    }
}

TEST_CASE("a mover that stands still stays where it is, grounded, for ten thousand moves") {
    for (const bool has_gravity : {true, false}) {
        World world;
        add_tiles(world, "  23\n 2113\n111111");
        for (const Shape& shape : shapes) {
            for (const float x : {0.4f, 1.6f, 3.0f, 3.97f}) {
                Mover mover = standing(shape, {x, 4.0f});
                run(world, mover, 0.0f, 120);
                const Vec2 place = mover.position;
                bool is_grounded = true;
                for (int i = 0; i < 10000; ++i) {
                    move(world, mover, {0.0f, has_gravity ? -9.81f * dt : 0.0f}, dt);
                    is_grounded = is_grounded && mover.ground.is_grounded;
                }
                INFO(x);
                CHECK(is_grounded);
                CHECK(distance(mover.position, place) < 1e-5f);
                CHECK(mover.ground.steps_since_landed > 10000);
            }
        }
    }
}

TEST_CASE("a mover is on the ground on the landing step, and in the air on the jump step") {
    World world = long_floor(true);
    for (const Shape& shape : shapes) {
        Mover mover = standing(shape, {50.0f, 0.0f});
        run(world, mover, 0.0f, 3);
        float rise = 5.0f;
        for (int i = 0; i < 200; ++i) {
            const float before = mover.position.y;
            const float left = move(world, mover, {3.0f, rise}, dt).y;
            const bool has_landed = mover.position.y > before + rise * dt + 1e-4f || left > rise;
            REQUIRE(mover.ground.is_grounded == has_landed);
            CHECK(mover.ground.steps_since_grounded == (has_landed ? 0 : i + 1));
            CHECK(mover.ground.steps_since_landed == 0);
            if (has_landed) break;
            rise -= 9.81f * dt;
        }
        CHECK(mover.ground.is_grounded);
        CHECK(feet(mover) == doctest::Approx(mover.skin).epsilon(1e-3));
        CHECK(move(world, mover, {}, dt) == Vec2{});
        CHECK(mover.ground.steps_since_landed == 1);
    }
}

TEST_CASE("a mover jumps off a slope while it walks up and down") {
    World world;
    add_tiles(world, "  23\n 2113\n111111");
    for (const Shape& shape : shapes) {
        for (const float speed : {-4.0f, 4.0f}) {
            Mover mover = standing(shape, {1.6f, 3.0f});
            run(world, mover, 0.0f, 60);
            const float start = mover.position.y;
            move(world, mover, {speed, 6.0f}, dt);
            CHECK_FALSE(mover.ground.is_grounded);
            CHECK(mover.position.y >= start + 6.0f * dt - 1e-4f);
        }
    }
}

TEST_CASE("a mover walks on level ground along any direction that is up") {
    for (int degrees = 0; degrees < 360; degrees += 7) {
        const float angle = static_cast<float>(degrees) * 3.14159265f / 180.0f;
        const Vec2 up{std::cos(angle), std::sin(angle)};
        const Vec2 level{up.y, -up.x};
        World world;
        const Vec2 ground[] = {level * 100.0f, level * -100.0f};
        world.create_body({.type = BodyType::Static}, Chain{ground});
        Mover mover{.shape = Circle{0.4f}, .position = up * 0.4006f, .up = up};
        move(world, mover, {}, dt);
        int in_the_air = 0, slower = 0;
        for (int i = 0; i < 120; ++i) {
            const Vec2 left = move(world, mover, level * 5.0f, dt);
            in_the_air += !mover.ground.is_grounded;
            slower += distance(left, level * 5.0f) > 1e-4f;
        }
        INFO(degrees, " degrees");
        CHECK(in_the_air == 0);
        CHECK(slower == 0);
        move(world, mover, level * 5.0f + up * 0.01f, dt);
        CHECK_FALSE(mover.ground.is_grounded);
    }
}

TEST_CASE("lifts and platforms take a mover along exactly") {
    for (const float rate : {30.0f, 60.0f, 120.0f, 240.0f}) {
        for (const bool is_told_places : {true, false}) {
            World world({.time_step = 1.0f / rate});
            const auto path = [](float t) {
                return Vec2{3.0f * std::sin(1.3f * t), 2.0f * std::sin(t)};
            };
            const BodyId lift =
                world.create_body({.type = BodyType::Kinematic}, Box{{2.0f, 0.25f}});
            Mover mover = standing(shapes[0], {0.5f, 0.25f});
            move(world, mover, {}, 1.0f / rate);
            bool is_grounded = true;
            float drift = 0.0f;
            for (int i = 1; i <= static_cast<int>(60.0f * rate); ++i) {
                const float t = static_cast<float>(i) / rate;
                if (is_told_places) world.body(lift).move_to(path(t));
                if (!is_told_places)
                    world.body(lift).set_velocity({3.9f * std::cos(1.3f * t), 2.0f * std::cos(t)});
                world.step();
                move(world, mover, {0.0f, -9.81f / rate}, 1.0f / rate);
                is_grounded =
                    is_grounded && mover.ground.is_grounded && mover.ground.platform == lift;
                const Vec2 place = mover.position - world.body(lift).position();
                drift = std::fmax(drift, distance(place, {0.5f, 0.85f + mover.skin}));
            }
            INFO(rate);
            CHECK(is_grounded);
            CHECK(drift < 1e-4f);
            const Vec2 told = world.body(lift).velocity();  // nothing where it was told a place
            CHECK((told == Vec2{} || mover.ground.platform_velocity == told));
        }
    }
}

TEST_CASE(
    "riders that are moved after the step stay in place, and lag by its way if moved before it") {
    for (const Vec2 velocity : {Vec2{5.0f, 0.0f}, {0.0f, 2.0f}, {-3.0f, 2.0f}, {3.0f, -1.0f}}) {
        for (const bool is_moved_first : {false, true}) {
            World world;
            const BodyId lift = world.create_body(
                {.type = BodyType::Kinematic, .velocity = velocity}, Box{{5.0f, 0.5f}});
            Mover mover = standing(shapes[2], {0.0f, 0.5f});
            move(world, mover, {0.0f, -1.0f}, dt);
            const Vec2 place = mover.position;
            for (int i = 0; i < 120; ++i) {
                if (is_moved_first) run(world, mover, 0.0f, 1);
                world.step();
                if (!is_moved_first) run(world, mover, 0.0f, 1);
                const Vec2 lag = is_moved_first ? velocity * dt : Vec2{};
                const Vec2 seen = mover.position - world.body(lift).position() + lag;
                REQUIRE(distance(seen, place) < 1e-4f);
            }
        }
    }
}

TEST_CASE("a jump from a platform goes on with its velocity if that is added as it leaves it") {
    for (const Vec2 pace : {Vec2{5.0f, 0.0f}, {-2.0f, 1.0f}, {3.0f, -1.0f}}) {
        World world;
        const BodyId lift =
            world.create_body({.type = BodyType::Kinematic, .velocity = pace}, Box{{5.0f, 0.5f}});
        Mover mover = standing(shapes[2], {0.0f, 0.5f});
        move(world, mover, {0.0f, -1.0f}, dt);
        world.step();
        run(world, mover, 0.0f, 1);
        REQUIRE(mover.ground.is_grounded);
        const Vec2 place = mover.position - world.body(lift).position();
        Vec2 velocity{0.0f, 6.0f};
        for (int i = 0; i < 40; ++i) {
            const Vec2 before = mover.ground.platform_velocity;
            world.step();
            velocity = move(world, mover, velocity, dt);
            if (!mover.ground.is_grounded) velocity += before;
            const Vec2 seen = mover.position - world.body(lift).position() - place;
            const auto n = static_cast<float>(i + 1);
            const float rise = dt * (6.0f * n - gravity * dt * n * (n - 1.0f) / 2.0f);
            REQUIRE(std::fabs(seen.x) < 1e-4f);
            REQUIRE(seen.y == doctest::Approx(rise).epsilon(1e-3));
            velocity.y -= gravity * dt;
        }
    }
}

TEST_CASE("a mover that lands stands still if the speed of what it lands on is subtracted then") {
    for (const Vec2 pace : {Vec2{5.0f, 0.0f}, {-2.0f, 1.0f}, {3.0f, -1.0f}}) {
        World world;
        const BodyId lift =
            world.create_body({.type = BodyType::Kinematic, .velocity = pace}, Box{{5.0f, 0.5f}});
        Mover mover = standing(shapes[2], {0.0f, 1.0f});
        Vec2 velocity = pace;
        Vec2 landed;
        for (int i = 0; i < 90; ++i) {
            world.step();
            const bool is_in_air = !mover.ground.is_grounded;
            velocity = move(world, mover, velocity - Vec2{0.0f, is_in_air ? gravity * dt : 0}, dt);
            if (!mover.ground.is_grounded) continue;
            const Vec2 seen = mover.position - world.body(lift).position();
            if (is_in_air) {
                CHECK(velocity == Vec2{pace.x, 0.0f});
                velocity.x -= mover.ground.platform_velocity.x;
                landed = seen;
            }
            REQUIRE(distance(seen, landed) < 1e-4f);
        }
        CHECK(mover.ground.is_grounded);
        CHECK(std::fabs(landed.x) < 1e-4f);
    }
}

TEST_CASE("a mover that is carried into a wall stops there, and its jump is what it is told") {
    World world;
    add_box(world, {{3.0f, 0.3f}, {4.0f, 5.0f}});
    const BodyId lift = world.create_body({.type = BodyType::Kinematic, .velocity = {6.0f, 1.0f}},
                                          Box{{9.0f, 0.25f}});
    for (const Shape& shape : shapes) {
        world.body(lift).teleport({});
        Mover mover = standing(shape, {0.0f, 0.25f});
        move(world, mover, {}, dt);
        for (int i = 0; i < 60; ++i) {
            world.step();
            move(world, mover, {}, dt);
            CHECK(mover.ground.is_grounded);
        }
        CHECK(mover.position.x == doctest::Approx(3.0f - outer_half_extents(shape).x - mover.skin));
        world.body(lift).teleport({-20.0f, 0.0f});
        mover = standing(shape, {-20.0f, 0.25f});
        move(world, mover, {}, dt);
        CHECK(move(world, mover, {1.0f, 5.0f}, dt) == Vec2{1.0f, 5.0f});
        CHECK(mover.position.x == doctest::Approx(-20.0f + dt));
        world.destroy_body(mover.ground.platform == BodyId{} ? world.create_body({}, Circle{})
                                                             : lift);
    }
    Mover mover = standing(shapes[0], {0.0f, 1.0f});
    world.body(lift).teleport({0.0f, 0.75f});
    move(world, mover, {}, dt);
    CHECK(mover.ground.platform == lift);
    world.destroy_body(lift);
    move(world, mover, {}, dt);
    CHECK_FALSE(mover.ground.is_grounded);
}

TEST_CASE("a platform that is teleported leaves a mover behind, whether it moves on or not") {
    for (const Vec2 velocity : {Vec2{}, Vec2{2.0f, 0.0f}, Vec2{3.0f, 30.0f}}) {
        for (const int steps : {0, 1, 2}) {
            World world({.gravity = {}});
            const BodyId lift = world.create_body(
                {.type = BodyType::Kinematic, .velocity = velocity}, Box{{2.0f, 0.25f}});
            Mover mover = standing(shapes[0], {0.0f, 0.25f});
            const float pace = std::fmax(dt * static_cast<float>(steps), dt);
            move(world, mover, {}, dt);
            const Vec2 place = mover.position - world.body(lift).position();
            for (int i = 0; i < 10; ++i) {
                for (int k = 0; k < steps; ++k) world.step();
                move(world, mover, {}, pace);
                REQUIRE(mover.ground.platform == lift);
            }
            CHECK(distance(mover.position - world.body(lift).position(), place) < 1e-4f);
            const Vec2 before = mover.position;
            world.body(lift).teleport({20.0f, 5.0f});
            for (int k = 0; k < steps; ++k) world.step();
            move(world, mover, {}, pace);
            INFO(velocity.x, " in ", steps, " steps");
            CHECK(mover.position == before);
            CHECK_FALSE(mover.ground.is_grounded);
        }
    }
}

TEST_CASE(
    "the velocity of a platform that is told places is its own, however often a mover moves") {
    for (const int moves : {1, 2, 3}) {
        World world;
        const BodyId lift = world.create_body({.type = BodyType::Kinematic}, Box{{90.0f, 0.25f}});
        Mover mover = standing(shapes[0], {0.0f, 0.25f});
        for (int i = 1; i < 20; ++i) {
            world.body(lift).move_to({3.0f * dt * static_cast<float>(i), 0.0f});
            world.step();
            const float part = dt / static_cast<float>(moves);
            for (int k = 0; k < moves; ++k) {
                move(world, mover, {}, part);
                CHECK(mover.ground.platform_velocity.x == doctest::Approx(3.0).epsilon(1e-3));
            }
        }
        world.step();
        move(world, mover, {}, dt);
        CHECK(mover.ground.platform_velocity == Vec2{});
    }
}

namespace {

/// A mover at the origin, a wall at 2 along x, and what comes towards both from -2; in units of
/// length of the world.
struct Press {
    World world;
    BodyId wall, press;
    Mover mover;

    Press(const Shape& shape, Vec2 along, float speed, float unit)
        : world({.gravity = {}, .length_unit = unit}) {
        const Box plate{(abs(along) * 0.5f + abs(perpendicular(along)) * 3.0f) * unit};
        wall =
            world.create_body({.type = BodyType::Static, .position = along * (2.5f * unit)}, plate);
        press = world.create_body({.type = BodyType::Kinematic,
                                   .position = along * (-2.5f * unit),
                                   .velocity = along * (speed * unit)},
                                  plate);
        mover.shape = shape;
        mover.shape.half_extents *= unit;
        mover.shape.radius *= unit;
        mover.skin *= unit;
        mover.step_height *= unit;
        mover.snap_distance *= unit;
        mover.edge_reach *= unit;
    }
};

}  // namespace

TEST_CASE("a mover that is crushed is told by what before it comes out on the far side") {
    for (const Shape& shape : shapes) {
        for (const Vec2 along : {Vec2{1.0f, 0.0f}, Vec2{-1.0f, 0.0f}, Vec2{0.0f, -1.0f}}) {
            for (const float speed : {0.3f, 1.0f, 5.0f, 20.0f}) {
                for (const float unit : {1.0f, 100.0f}) {
                    Press scene(shape, along, speed, unit);
                    Mover& mover = scene.mover;
                    const float half = dot(outer_half_extents(mover.shape), abs(along));
                    const float room = (4.0f - 2.0f * half / unit) / speed;
                    bool was_pushed = false;
                    for (int i = 0; i < static_cast<int>(room / dt) - 1; ++i) {
                        scene.world.step();
                        move(scene.world, mover, {}, dt);
                        CHECK_FALSE(mover.crush);
                        const MoverContact& stop = along.y == 0.0f ? mover.wall : mover.ceiling;
                        was_pushed = was_pushed || stop.body == scene.press;
                        if (stop.body == scene.press) CHECK(dot(stop.normal, along) > 0.99f);
                    }
                    CHECK(was_pushed);
                    const int late = static_cast<int>(0.05f / (speed * dt)) + 3;
                    for (int i = 0; i < late && !mover.crush; ++i) {
                        scene.world.step();
                        move(scene.world, mover, {}, dt);
                        CHECK(dot(mover.position, along) > 0.0f);
                    }
                    INFO(along.x, ", ", along.y, " at ", speed, " by ", unit);
                    CHECK(mover.crush.by == scene.press);
                    CHECK(mover.crush.against == scene.wall);
                    CHECK(mover.crush.depth > 0.04f * unit);
                    CHECK(mover.crush.depth < (0.06f + 2.0f * speed * dt) * unit);
                    mover.teleport({});
                    scene.world.body(scene.press).teleport(along * (-9.0f * unit));
                    move(scene.world, mover, {}, dt);
                    CHECK_FALSE(mover.crush);
                }
            }
        }
    }
}

TEST_CASE("what crushes a mover is told however small its steps are") {
    for (const float hertz : {60.0f, 240.0f}) {
        for (const float step_height : {0.0f, 0.02f, 0.1f}) {
            for (const float speed : {0.2f, 1.0f, 4.0f}) {
                World world({.gravity = {0.0f, -10.0f}, .time_step = 1.0f / hertz});
                world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}},
                                  Box{{10.0f, 1.0f}});
                const BodyId press = world.create_body({.type = BodyType::Kinematic,
                                                        .position = {0.0f, 3.0f},
                                                        .velocity = {0.0f, -speed}},
                                                       Box{{1.0f, 1.0f}});
                Mover mover{.position = {0.0f, 0.81f},
                            .step_height = step_height,
                            .snap_distance = step_height};
                while (!mover.crush && world.body(press).position().y > 2.0f) {
                    world.step();
                    (void)move(world, mover, {}, 1.0f / hertz);
                }
                CHECK(mover.crush.by == press);
                const float room = world.body(press).position().y - 1.0f;
                CHECK(room > 1.5f - 2.0f * speed / hertz);  // it is 1.6 m tall
            }
        }
    }
}

TEST_CASE("what pushes a mover takes it up a slope that it could walk") {
    for (const Shape& shape : shapes) {
        for (const float degrees : {10.0f, 25.0f, 40.0f}) {
            for (const float speed : {0.5f, 3.0f, 10.0f}) {
                World world({.gravity = {}});
                add_box(world, {{-50.0f, -2.0f}, {50.0f, 0.0f}});
                const float top = 20.0f * rise_of(degrees);
                world.create_body({.type = BodyType::Static},
                                  Polygon{{1.0f, 0.0f}, {21.0f, 0.0f}, {21.0f, top}});
                const BodyId press = world.create_body({.type = BodyType::Kinematic,
                                                        .position = {-2.0f, 15.0f},
                                                        .velocity = {speed, 0.0f}},
                                                       Box{{0.5f, 15.0f}});
                Mover mover = standing(shape, {});
                for (int i = 0; i < static_cast<int>(6.0f / (speed * dt)); ++i) {
                    world.step();
                    run(world, mover, 0.0f, 1);
                    CHECK_FALSE(mover.crush);
                }
                const float gap = mover.position.x - world.body(press).position().x - 0.5f;
                INFO(degrees, " degrees at ", speed);
                CHECK(gap > outer_half_extents(shape).x - 0.01f);
                CHECK(feet(mover) > 2.0f * rise_of(degrees));
            }
        }
    }
}

TEST_CASE("a mover is crushed at a crate once something immovable blocks that, and not before") {
    for (const Shape& shape : shapes) {
        for (const Vec2 along : {Vec2{1.0f, 0.0f}, Vec2{-1.0f, 0.0f}, Vec2{0.0f, -1.0f}}) {
            for (const bool is_ahead : {true, false}) {  // or between press and mover
                Press scene(shape, along, 1.0f, 1.0f);
                Mover& mover = scene.mover;
                const float gap = along.y == 0.0f ? 0.1f : 0.0f;  // it pushes nothing downwards
                const BodyId crate = scene.world.create_body(
                    {.position = along * (is_ahead ? 1.5f - gap : -1.4f)}, Box{{0.5f, 0.5f}});
                const float half = dot(outer_half_extents(shape), abs(along));
                const int steps = static_cast<int>((3.0f - 2.0f * half) / dt);
                for (int i = 0; i < steps - 1; ++i) {
                    scene.world.step();
                    move(scene.world, mover, {}, dt);
                    CHECK_FALSE(mover.crush);
                }
                for (int i = 0; i < 8 && !mover.crush; ++i) {
                    scene.world.step();
                    move(scene.world, mover, {}, dt);
                }

                CHECK(mover.crush);
                const bool is_in = mover.crush.by == crate || mover.crush.against == crate;
                CHECK(is_in);
            }
        }
    }
}

TEST_CASE("a lift crushes a mover against what is above") {
    World world({.gravity = {}});
    const BodyId roof =
        world.create_body({.type = BodyType::Static, .position = {0.0f, 4.0f}}, Box{{3.0f, 1.0f}});
    const BodyId lift = world.create_body({.type = BodyType::Kinematic, .velocity = {0.0f, 2.0f}},
                                          Box{{2.0f, 0.25f}});
    Mover mover = standing(shapes[0], {0.0f, 0.25f});
    move(world, mover, {}, dt);
    for (int i = 0; i < 60 && !mover.crush; ++i) {
        world.step();
        move(world, mover, {}, dt);
    }
    CHECK(mover.crush.by == lift);
    CHECK(mover.crush.against == roof);
    CHECK(mover.ceiling.body == roof);
    CHECK(world.body(lift).position().y == doctest::Approx(1.55f).epsilon(0.05));
}

TEST_CASE("what crushes a mover never gets it into static terrain") {
    test::Random random;
    for (int round = 0; round < 400; ++round) {
        World world;
        const BodyId map = add_tiles(world, "1111111\n1     1\n1     1\n12   31\n1111111");
        const Vec2 from = random.direction();
        const float speed = random.uniform(0.5f, 30.0f);
        const BodyId press =
            world.create_body({.type = BodyType::Kinematic,
                               .position = Vec2{3.5f, 2.5f} + from * 3.0f,
                               .velocity = from * -speed},
                              Box{{random.uniform(0.2f, 2.0f), random.uniform(0.2f, 2.0f)}});
        Mover mover{.shape = shapes[round % 4], .position = {random.uniform(2.5f, 4.5f), 2.3f}};
        for (int i = 0; i < 90; ++i) {
            world.step();
            run(world, mover, random.uniform(-5.0f, 5.0f), 1);
            Shape inner = translate(mover.shape, mover.position);
            (inner.radius > 0.0f ? inner.radius : inner.half_extents.x) -= 0.001f;
            if (inner.radius == 0.0f) inner.half_extents.y -= 0.001f;
            bool is_inside = false;
            world.for_each_overlap(inner, [&](BodyId id) { is_inside = is_inside || id == map; },
                                   {.except = press});
            REQUIRE_FALSE(is_inside);
        }
    }
}

TEST_CASE("a mover that slides along what presses it against a wall stays out of that") {
    for (const Shape& shape : {Shape{Circle{0.4f}}, Shape{Capsule{0.23f, 0.12f}}}) {
        const float radius = shape.radius;
        test::Random random;
        int inside = 0;
        for (int round = 0; round < test::many / 100; ++round) {
            World world({.gravity = {}});
            add_box(world, {{-0.1f, -20.0f}, {0.0f, 20.0f}});
            Mover mover{.shape = shape, .position = {radius + Mover{}.skin, 5.0f}};
            const Vec2 away = normalized({random.uniform(-1.0f, 0.0f), random.uniform(0.1f, 1.0f)});
            const Vec2 pressed = away * (radius - random.uniform(0.002f, 0.02f));
            const Vec2 corner = mover.position - Vec2{0.0f, shape.half_extents.y} - pressed;
            world.create_body({.type = BodyType::Kinematic, .position = corner + Vec2{0.5f, -0.5f}},
                              Box{{0.5f, 0.5f}});
            const Vec2 way = {random.uniform(-1.0f, 0.0f), random.uniform(-1.0f, 0.0f)};
            move(world, mover, normalized(way) * 10.0f, dt);
            inside += mover.position.x < radius - 0.001f;
        }
        CHECK(inside == 0);
    }
}

TEST_CASE("one-way platforms hold from above only, and let go of who drops through, one by one") {
    for (const bool of_tiles : {true, false}) {
        World world;
        if (of_tiles) add_tiles(world, "66666666\n        \n66666666\n        \n11111111");
        for (const float x : {0.0f, 4.0f}) {  // side by side
            if (of_tiles) continue;
            for (const float y : {3.0f, 5.0f})
                add_box(world, {{x, y - 0.2f}, {x + 4.0f, y}}, {.one_way = OneWay::Up});
            add_box(world, {{x, 0.0f}, {x + 4.0f, 1.0f}});
        }
        for (const Shape& shape : shapes) {
            Mover mover = standing(shape, {4.0f, 1.0f});
            for (float rise = 12.0f; rise > -3.0f; rise -= 9.81f * dt) {
                move(world, mover, {0.0f, rise}, dt);
                REQUIRE_FALSE((mover.ground.is_grounded && rise > -1e-3f));
                CHECK_FALSE(mover.ceiling.is_touched);
            }
            for (const float level : {5.0f, 3.0f, 1.0f}) {
                CHECK(run(world, mover, 0.0f, 90) == (level == 9.0f));
                CHECK(feet(mover) == doctest::Approx(level + mover.skin).epsilon(1e-4));
                mover.drop_through();
            }
            Mover flier{.shape = shape, .position = {-2.0f, 2.7f}};
            for (int i = 0; i < 60; ++i) move(world, flier, {6.0f, 0.0f}, dt);
            CHECK(flier.position.x == doctest::Approx(4.0f));
        }
    }
}

namespace {

/// One-way ground from -50 to 50 along x with its top at 0: planks, tiles, or a chain with a vertex
/// at each metre.
void add_one_way_ground(World& world, int kind, Vec2 velocity = {}) {
    const ColliderDef from_above{.one_way = OneWay::Up};
    const BodyDef def{.type = BodyType::Kinematic, .velocity = velocity};
    std::vector<Vec2> top;
    for (int x = 50; x >= -50; --x) top.push_back({static_cast<float>(x), 0.0f});
    if (kind == 0) {
        for (const Vec2 end : top) {
            BodyDef plank = def;
            plank.position = end + Vec2{0.5f, -0.1f};
            world.create_body(plank, Box{{0.5f, 0.1f}}, {}, from_above);
        }
    } else if (kind == 1) {
        const BodyId map = world.create_tile_map({.type = BodyType::Kinematic});
        world.tile_map(map).define(1, {.collider = from_above});
        world.tile_map(map).fill({{-50, -1}, {49, -1}}, 1);
        world.body(map).set_velocity(velocity);
    } else {
        world.create_body(def, Chain{top}, {}, from_above);
    }
}

/// How deep a mover is below one-way ground that moves, in half a second after it was to drop
/// through [m].
float dropped_way(const Shape& shape, int kind, Vec2 velocity, float start, float speed) {
    World world({.gravity = {}});
    add_one_way_ground(world, kind, velocity);
    Mover mover = standing(shape, {start, 0.0f});
    const auto steps = [&](int count) {
        float fall = 0.0f;
        for (int i = 0; i < count; ++i) {
            world.step();
            fall = mover.ground.is_grounded ? 0.0f : fall - 9.81f * dt;
            fall = move(world, mover, {speed, fall}, dt).y;
        }
    };
    move(world, mover, {}, dt);
    steps(20);
    CHECK(mover.ground.is_grounded);
    mover.drop_through();
    steps(30);
    CHECK_FALSE(mover.is_dropping);
    return velocity.y * 50.0f * dt - feet(mover);
}

}  // namespace

TEST_CASE("a mover drops through one-way ground that moves, whichever way") {
    for (int kind = 0; kind < 3; ++kind) {
        for (const Shape& shape : shapes) {
            for (const Vec2 velocity :
                 {Vec2{}, Vec2{0.0f, 0.2f}, Vec2{0.0f, -0.1f}, Vec2{0.0f, -0.2f}, Vec2{2.0f, 0.5f},
                  Vec2{-3.0f, 0.0f}, Vec2{0.0f, 6.0f}, Vec2{0.0f, -1.0f}}) {
                INFO("kind ", kind, " at ", velocity.x, ", ", velocity.y);
                CHECK(dropped_way(shape, kind, velocity, 0.2f, 0.0f) > 0.3f);
            }
        }
    }
}

TEST_CASE("a jump off a rising lift, slower than the lift, rises above it as above the ground") {
    constexpr float jump = 4.0f;
    constexpr float g = 10.0f;
    for (const float hertz : {30.0f, 60.0f, 120.0f}) {
        for (const float speed : {0.0f, 2.0f, 8.0f, 12.0f}) {
            for (const Shape& shape : shapes) {
                const float step = 1.0f / hertz;
                World world({.time_step = step});
                const BodyId lift =
                    world.create_body({.type = BodyType::Kinematic}, Box{{3.0f, 0.1f}});
                world.body(lift).set_velocity({0.0f, speed});
                Mover mover = standing(shape, {0.0f, 0.1f});
                const auto go = [&](float rise) {
                    world.step();
                    return move(world, mover, {0.0f, rise}, step).y;
                };
                for (int i = 0; i < 10; ++i) go(0.0f);
                REQUIRE(mover.ground.is_grounded);
                const float start = feet(mover) - world.body(lift).position().y;
                float rise = go(jump) + speed;
                float height = jump * step;
                for (int i = 1; i < static_cast<int>(0.3f * hertz); ++i) {
                    rise = go(rise - g * step);
                    height += (jump - g * step * static_cast<float>(i)) * step;
                }
                INFO(hertz, " Hz, lift at ", speed);
                CHECK(feet(mover) - world.body(lift).position().y - start ==
                      doctest::Approx(height).epsilon(0.002));
            }
        }
    }
}

TEST_CASE("a mover drops through a lift that sinks at any pace") {
    for (int kind = 0; kind < 3; ++kind) {
        for (const Shape& shape : shapes) {
            for (const float speed : {-1.0f, -2.4f, -3.0f, -8.0f, -20.0f, -35.0f}) {
                for (const float pace : {0.0f, 3.0f, -8.0f}) {
                    INFO("kind ", kind, " at ", speed, ", mover at ", pace);
                    CHECK(dropped_way(shape, kind, {0.0f, speed}, 0.2f, pace) > 0.3f);
                }
            }
        }
    }
}

TEST_CASE("a mover drops through a one-way slope as it walks, at any pace") {
    for (const Shape& shape : shapes) {
        for (const float slope : {0.0f, 0.1f, 0.3f, 0.6f}) {
            for (const float speed : {0.0f, 0.7f, 2.0f, 8.0f, -2.0f, -8.0f}) {
                World world;
                const Vec2 top[] = {{60.0f, -60.0f * slope}, {-60.0f, 60.0f * slope}};
                world.create_body({.type = BodyType::Static}, Chain{top}, {},
                                  {.one_way = OneWay::Up});
                Mover mover = standing(shape, {0.0f, 0.4f});
                run(world, mover, 0.0f, 60);
                const float above = mover.position.y;
                CHECK(run(world, mover, speed, 10));
                mover.drop_through();
                run(world, mover, speed, 30);
                INFO("slope ", slope, " at ", speed);
                CHECK_FALSE(mover.ground.is_grounded);
                CHECK_FALSE(mover.is_dropping);
                CHECK(mover.position.y + slope * mover.position.x < above - 0.3f);
            }
        }
    }
}

TEST_CASE("a mover drops through one-way ground beside and across its seams") {
    for (int kind = 0; kind < 3; ++kind) {
        for (const Shape& shape : shapes) {
            for (const float speed : {0.0f, 3.0f, -8.0f}) {
                for (int i = 0; i < 40; ++i) {
                    const float start = 0.025f * static_cast<float>(i);
                    INFO("kind ", kind, " from ", start, " at ", speed);
                    CHECK(dropped_way(shape, kind, {}, start, speed) > 0.3f);
                }
            }
        }
    }
}

TEST_CASE("a mover drops through one-way ground that bends, and not through a wall beside it") {
    const ColliderDef from_above{.one_way = OneWay::Up};
    for (const Shape& shape : shapes) {
        World world;
        const Vec2 top[] = {{20.0f, 10.0f}, {0.0f, 0.0f}, {-20.0f, 0.0f}};
        world.create_body({.type = BodyType::Static}, Chain{top}, {}, from_above);
        for (int i = 0; i < 60; ++i) {
            Mover mover = standing(shape, {-2.0f, 0.0f});
            run(world, mover, 5.0f, i);
            const float height = mover.position.y;
            run(world, mover, 0.0f, 2);
            for (int faces = 0; faces < 2; ++faces) {  // the one that rises, then the level one
                mover.drop_through();
                run(world, mover, 5.0f, 1);
                run(world, mover, 0.0f, 30);
            }
            INFO("after ", i, " moves");
            CHECK(mover.position.y < height - 0.3f);
        }
        World room;
        add_box(room, {{-5.0f, -1.0f}, {5.0f, 0.0f}});
        add_box(room, {{1.0f, 0.0f}, {2.0f, 5.0f}}, {.one_way = OneWay::Left});
        Mover mover = standing(shape, {});
        run(room, mover, 3.0f, 60);
        CHECK(mover.wall);
        mover.drop_through();
        run(room, mover, 3.0f, 60);
        CHECK(mover.position.x + outer_half_extents(shape).x < 1.0f);
    }
}

TEST_CASE("a mover that is put elsewhere no longer drops through") {
    World world;
    add_box(world, {{-5.0f, -0.2f}, {5.0f, 0.0f}}, {.one_way = OneWay::Up});
    Mover mover = standing(shapes[2], {});
    run(world, mover, 0.0f, 2);
    mover.drop_through();
    mover.teleport(mover.position);
    run(world, mover, 0.0f, 30);
    CHECK(mover.ground.is_grounded);
    CHECK(feet(mover) > 0.0f);
}

TEST_CASE("a mover leaves one-way ground at both ends alike, of a box, a tile or a chain") {
    const ColliderDef from_above{.one_way = OneWay::Up};
    World worlds[3];
    add_box(worlds[0], {{-0.5f, -1.0f}, {0.5f, 0.0f}}, from_above);
    const BodyId map = worlds[1].create_tile_map({.position = {-0.5f, -1.0f}});
    worlds[1].tile_map(map).define(1, {.collider = from_above});
    worlds[1].tile_map(map).set({0, 0}, 1);
    const Vec2 top[] = {{0.5f, 0.0f}, {-0.5f, 0.0f}};
    worlds[2].create_body({.type = BodyType::Static}, Chain{{top, 2}}, {}, from_above);
    for (const Shape& shape : shapes) {
        for (const float speed : {0.3f, 1.0f, 2.0f, 4.5f, 9.0f}) {
            std::vector<Vec2> path;
            for (World& world : worlds) {
                for (const float side : {1.0f, -1.0f}) {
                    Mover mover = standing(shape, {});
                    run(world, mover, 0.0f, 1);
                    for (std::size_t i = 0; i < 90; ++i) {
                        run(world, mover, side * speed, 1);
                        const Vec2 place{side * mover.position.x, mover.position.y};
                        if (path.size() <= i) path.push_back(place);
                        INFO("at ", side * speed, ", move ", i);
                        REQUIRE(distance(place, path[i]) < 1e-3f);
                    }
                }
            }
        }
    }
}

TEST_CASE("a platform that rises faster than a mover falls picks it up") {
    for (const OneWay side : {OneWay::No, OneWay::Up}) {
        for (const Shape& shape : shapes) {
            World world;
            const BodyId lift =
                world.create_body({.type = BodyType::Kinematic, .velocity = {0.0f, 40.0f}},
                                  Box{{2.0f, 0.1f}}, {}, {.one_way = side});
            Mover mover{.shape = shape, .position = {0.0f, 3.0f}};
            bool is_grounded = false;
            for (int i = 0; i < 60; ++i) {
                world.step();
                is_grounded = run(world, mover, 0.0f, 1);
            }
            CHECK(is_grounded);
            CHECK(feet(mover) - world.body(lift).position().y ==
                  doctest::Approx(0.1f + mover.skin).epsilon(1e-3));
        }
    }
}

TEST_CASE("a mover pushes light crates, hardly heavy ones, and stands on both") {
    for (const float mass : {5.0f, 2000.0f}) {
        for (const Shape& shape : shapes) {
            World world;
            add_box(world, {{-50.0f, -1.0f}, {50.0f, 0.0f}});
            const BodyId crate = world.create_body({.position = {2.0f, 0.5f}, .mass = mass},
                                                   Box{{0.5f, 0.5f}}, {.friction = 0.2f});
            Mover mover = standing(shape, {});
            for (int i = 0; i < 120; ++i) {
                run(world, mover, 3.0f, 1);
                world.step();
            }
            const float moved = world.body(crate).position().x - 2.0f;
            if (mass < 10.0f) CHECK(moved > 3.0f);
            if (mass > 10.0f) CHECK(std::fabs(moved) < 0.05f);
            CHECK(mover.position.x < world.body(crate).position().x - 0.4f);
            Mover rider = standing(shape, {world.body(crate).position().x, 1.0f});
            run(world, rider, 0.0f, 2);
            CHECK(rider.ground.platform == crate);
            for (int i = 0; i < 60; ++i) {
                world.body(crate).set_velocity({2.0f, 0.0f});
                world.step();
                CHECK(run(world, rider, 0.0f, 1));
            }
            CHECK(rider.position.x ==
                  doctest::Approx(world.body(crate).position().x).epsilon(1e-4));
        }
    }
}

namespace {

/// A crate on a long floor, which weighs `mass` and has its left side at 0.
BodyId add_crate(World& world, float mass, float friction) {
    world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{900.0f, 1.0f}},
                      {.friction = friction});
    return world.create_body({.position = {0.5f, 0.5f}, .mass = mass}, Box{{0.5f, 0.5f}},
                             {.friction = friction});
}

/// How far a crate gets in some steps in each of which a mover beside it is moved several times.
float pushed_way(const Shape& shape, float side, float mass, float friction, float speed, int steps,
                 int moves) {
    World world;
    const BodyId crate = add_crate(world, mass, friction);
    for (int i = 0; i < 30; ++i) world.step();
    Mover mover = standing(shape, {side > 0.0f ? -1.0f : 2.0f, 0.0f});
    mover.position.x += side * (0.99f - outer_half_extents(shape).x);
    const float start = world.body(crate).position().x;
    for (int i = 0; i < steps; ++i) {
        const float part = dt / static_cast<float>(moves);
        for (int k = 0; k < moves; ++k) move(world, mover, {side * speed, -9.81f * part}, part);
        world.step();
        CHECK(side * world.body(crate).velocity().x < speed * 1.001f);
    }
    return side * (world.body(crate).position().x - start);
}

}  // namespace

TEST_CASE("the push of a mover moves no crate that friction holds against its force") {
    constexpr float friction = 0.6f;
    for (const Shape& shape : shapes) {
        for (const float side : {1.0f, -1.0f}) {
            for (const float mass : {35.0f, 40.0f, 60.0f, 100.0f, 150.0f}) {
                REQUIRE(friction * mass * 9.81f > Mover{}.push_force);
                INFO(mass, " kg to ", side);
                CHECK(std::fabs(pushed_way(shape, side, mass, friction, 3.0f, 600, 1)) < 1e-3f);
                CHECK(std::fabs(pushed_way(shape, side, mass, friction, 3.0f, 600, 3)) < 1e-3f);
            }
        }
    }
}

TEST_CASE("the push of a mover is its force less friction, however many moves a step is made of") {
    constexpr int steps = 30;
    constexpr float time = steps * dt;
    for (const Shape& shape : shapes) {
        for (const float side : {1.0f, -1.0f}) {
            for (const float mass : {10.0f, 40.0f, 100.0f}) {
                for (const float friction : {0.0f, 0.1f}) {
                    const float force = Mover{}.push_force - friction * mass * 9.81f;
                    const float way = force / mass * time * (time + dt) / 2.0f;
                    INFO(mass, " kg to ", side, " with friction ", friction);
                    for (const int moves : {1, 3}) {
                        const float moved =
                            pushed_way(shape, side, mass, friction, 30.0f, steps, moves);
                        CHECK(moved == doctest::Approx(way).epsilon(0.05));
                    }
                }
            }
        }
    }
}

TEST_CASE("a mover brings a crate that nothing holds to its own speed, and no further") {
    for (const Shape& shape : shapes) {
        for (const int moves : {1, 2, 5}) {
            const float moved = pushed_way(shape, 1.0f, 1.0f, 0.0f, 3.0f, 60, moves);
            CHECK(moved == doctest::Approx(3.0f).epsilon(0.03));
        }
    }
}

TEST_CASE("a mover does not move the cart in which it stands, whichever side of that it pushes") {
    for (const Shape& shape : shapes) {
        for (const Vec2 velocity : {Vec2{3.0f, 0.0f}, Vec2{-3.0f, 0.0f}, Vec2{0.0f, 5.0f}}) {
            World world;
            world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}},
                              Box{{900.0f, 1.0f}}, {.friction = 0.0f});
            const float roof = 0.02f + 2.0f * outer_half_extents(shape).y;
            const BodyId cart = world.create_body({}, Box{{1.1f, 0.1f}, {0.0f, 0.1f}});
            world.add_collider(cart, Box{{1.1f, 0.1f}, {0.0f, roof + 0.3f}});
            world.add_collider(cart, Box{{0.1f, 0.5f * roof}, {1.0f, 0.5f * roof + 0.2f}});
            world.add_collider(cart, Box{{0.1f, 0.5f * roof}, {-1.0f, 0.5f * roof + 0.2f}});
            Mover mover = standing(shape, {0.0f, 0.2f});
            for (int i = 0; i < 120; ++i) {
                world.step();
                const bool falls = velocity.y > 0.0f && !mover.ground.is_grounded;
                move(world, mover, falls ? -velocity : velocity, dt);
            }
            CHECK(length(world.body(cart).velocity()) < 1e-3f);
            CHECK(length(world.body(cart).position()) < 1e-2f);
        }
    }
}

TEST_CASE("a mover that gathers speed pushes a crate as fast as one that has it at once") {
    constexpr float top_speed = 5.0f;
    const auto crate_speed = [](const Shape& shape, float mass, float acceleration) {
        World world;
        const BodyId crate = add_crate(world, mass, 0.3f);
        Mover mover = standing(shape, {-1.5f, 0.0f});
        float speed = 0.0f;
        for (int i = 0; i < 240; ++i) {
            world.step();
            speed = std::fmin(speed + acceleration * dt, top_speed);
            speed = move(world, mover, {speed, 0.0f}, dt).x;
        }
        return world.body(crate).velocity().x;
    };
    for (const Shape& shape : shapes) {
        for (const float mass : {1.0f, 10.0f, 30.0f}) {
            const float at_once = crate_speed(shape, mass, top_speed / dt);
            INFO(mass, " kg, ", at_once, " m/s");
            CHECK(at_once > 0.95f * top_speed);
            CHECK(crate_speed(shape, mass, 20.0f) == doctest::Approx(at_once).epsilon(1e-3));
        }
    }
}

TEST_CASE("beside a wall or a lid that moves a mover is left with the velocity of that") {
    for (const Vec2 direction : {Vec2{1.0f, 0.0f}, Vec2{-1.0f, 0.0f}, Vec2{0.0f, 1.0f}}) {
        for (const float speed : {3.0f, 0.0f, -3.0f}) {
            World world({.gravity = {}});
            Mover mover{.shape = shapes[0]};
            const BodyId wall = world.create_body(
                {.type = BodyType::Kinematic, .position = direction * 3.0f}, Box{{2.0f, 2.0f}});
            world.body(wall).set_velocity(direction * speed);
            Vec2 left{};
            for (int i = 0; i < 30; ++i) {
                world.step();
                left = move(world, mover, direction * 5.0f, dt);
            }
            INFO(direction.x, ", ", direction.y, " at ", speed);
            CHECK(left.x == doctest::Approx(direction.x * speed));
            CHECK(left.y == doctest::Approx(direction.y * speed));
            const MoverContact& stop = direction.y > 0.0f ? mover.ceiling : mover.wall;
            CHECK(stop.body == wall);
            CHECK(stop.velocity == direction * speed);
        }
    }
}

TEST_CASE("a mover tells the velocity of a wall that is moved by positions") {
    World world({.gravity = {}});
    Mover mover{.shape = shapes[0]};
    const BodyId wall = world.create_body({.type = BodyType::Kinematic, .position = {3.0f, 0.0f}},
                                          Box{{2.0f, 2.0f}});
    for (int i = 1; i <= 60; ++i) {
        world.body(wall).move_to({3.0f - 0.025f * static_cast<float>(i), 0.0f});
        world.step();
        move(world, mover, {}, dt);
    }
    CHECK(mover.wall.body == wall);
    CHECK(mover.wall.velocity.x == doctest::Approx(-0.025f / dt));
}

TEST_CASE(
    "a mover follows a wall that leans or an overhang that recedes as a wall that is upright") {
    for (const float lean : {-0.5f, -0.1f, -0.001f, 0.0f, 0.001f, 0.1f, 0.5f}) {
        World world;
        add_box(world, {{-5.0f, -1.0f}, {50.0f, 0.0f}});
        const BodyId wall = world.create_body(
            {.type = BodyType::Kinematic, .position = {1.0f, 0.0f}},
            Polygon{{0.0f, 0.0f}, {4.0f, 0.0f}, {4.0f, 3.0f}, {3.0f * lean, 3.0f}});
        world.body(wall).set_velocity({2.0f, 0.0f});
        Mover mover = standing(shapes[0], {});
        Vec2 left{};
        for (int i = 0; i < 60; ++i) {
            world.step();
            left = move(world, mover, {5.0f, 0.0f}, dt);
        }
        INFO(lean);
        CHECK(mover.wall.body == wall);
        CHECK(left.x == doctest::Approx(2.0f).epsilon(1e-3));
        CHECK(left.y == 0.0f);
    }
}

TEST_CASE("a mover in a notch that sinks, or under a gable that rises, moves as fast as that") {
    for (const Shape& shape : shapes) {
        for (const float side : {1.0f, -1.0f}) {  // which wall comes first
            for (const float down : {1.0f, -1.0f}) {
                World world;
                for (const float x : {side, -side}) {
                    const Vec2 top{3.0f * x, 6.0f * down}, foot{4.0f * x, 0.0f};
                    const BodyId wall = world.create_body(
                        {.type = BodyType::Kinematic},
                        x * down < 0.0f ? Polygon{{}, top, foot} : Polygon{{}, foot, top});
                    world.body(wall).set_velocity({0.0f, -3.0f * down});
                }
                Mover mover{.shape = shape, .position = {0.0f, 3.0f * down}};
                Vec2 velocity{};
                float sideways = 0.0f;
                for (int i = 0; i < 120; ++i) {
                    world.step();
                    velocity.y -= 10.0f * down * dt;
                    velocity = move(world, mover, velocity, dt);
                    sideways = std::fmax(sideways, std::fabs(velocity.x));
                }
                CHECK(velocity.y == doctest::Approx(-3.0f * down).epsilon(1e-3));
                CHECK(sideways < 1e-3f);
            }
        }
    }
}

TEST_CASE(
    "between two walls that move, a move in the air leaves at most twice their velocity or its "
    "own") {
    test::Random random;
    int more = 0;
    for (int round = 0; round < test::many / 500; ++round) {
        World world;
        float fastest = 0.0f;
        for (int i = 0; i < 2; ++i) {
            const float lean = random.point(2.0f).x, x = i == 0 ? -1.5f : 1.5f;
            const BodyId wall = world.create_body(
                {.type = BodyType::Kinematic, .position = {x, 0.0f}},
                Polygon{{-0.5f, -2.0f}, {0.5f, -2.0f}, {0.5f + lean, 2.0f}, {lean - 0.5f, 2.0f}});
            const Vec2 carrier = random.point(8.0f);
            world.body(wall).set_velocity(carrier);
            fastest = std::fmax(fastest, length(carrier));
        }
        Mover mover{.shape = shapes[random.bits() % 4]};
        Vec2 velocity = random.point(8.0f);
        for (int i = 0; i < 20; ++i) {
            world.step();
            const Vec2 left = move(world, mover, velocity, dt);
            const float most = 2.0f * std::fmax(fastest, length(velocity));
            if (!mover.ground.is_grounded && length(left) > most) ++more;
            velocity = left;
        }
    }
    CHECK(more == 0);
}

TEST_CASE("a mover that gathers speed pushes a crate uphill as fast as one that has it at once") {
    const auto way_of_crate = [](float acceleration) {
        constexpr float step = 1.0f / 144.0f;
        World world({.time_step = step});
        world.create_body({.type = BodyType::Static},
                          Polygon{{-50.0f, -35.0f}, {200.0f, -35.0f}, {200.0f, 140.0f}},
                          {.friction = 0.2f});
        const BodyId crate = world.create_body({.position = {2.0f, 2.3f}, .mass = 10.0f},
                                               Box{{0.5f, 0.5f}}, {.friction = 0.2f});
        Mover mover{.position = {0.0f, 0.9f}};
        float speed = 0.0f, start = 0.0f;
        for (int i = 0; i < 288; ++i) {
            world.step();
            if (i == 144) start = world.body(crate).position().x;
            const float fall = mover.ground.is_grounded ? 0.0f : -1.0f;
            speed = std::fmin(speed + acceleration * step, 4.0f);
            speed = move(world, mover, {speed, fall}, step).x;
        }
        return world.body(crate).position().x - start;
    };
    const float at_once = way_of_crate(1000.0f);
    CHECK(at_once > 3.0f);
    CHECK(way_of_crate(40.0f) == doctest::Approx(at_once).epsilon(0.05));
}

TEST_CASE("a crate that is pushed uphill stays at the mover, which goes on touching it") {
    for (const float rise : {0.02f, 0.4f, 0.95f}) {
        for (const float mass : {1.0f, 5.0f, 20.0f}) {
            World world;
            world.create_body(
                {.type = BodyType::Static},
                Polygon{{-50.0f, -50.0f * rise}, {200.0f, -50.0f * rise}, {200.0f, 200.0f * rise}},
                {.friction = 0.2f});
            const BodyId crate =
                world.create_body({.position = {2.0f, 2.5f * rise + 0.5f}, .mass = mass},
                                  Box{{0.5f, 0.5f}}, {.friction = 0.2f});
            Mover mover{.position = {0.0f, 0.5f * rise + 0.9f}, .push_force = 2000.0f};
            int untouched = 0;
            for (int i = 0; i < 240; ++i) {
                world.step();
                move(world, mover, {4.0f, mover.ground.is_grounded ? 0.0f : -1.0f}, dt);
                if (i > 60 && !mover.wall) ++untouched;
            }
            INFO("rises ", rise, ", ", mass, " kg");
            CHECK(untouched == 0);
            const float pace = 4.0f / std::sqrt(1.0f + rise * rise);
            CHECK(world.body(crate).velocity().x == doctest::Approx(pace).epsilon(0.1));
        }
    }
}

TEST_CASE("a mover that walks towards a wall on a platform stays at the wall at its velocity") {
    World world;
    add_box(world, {{2.0f, 0.0f}, {3.0f, 4.0f}});
    const BodyId platform = world.create_body(
        {.type = BodyType::Kinematic, .position = {0.0f, -0.5f}}, Box{{20.0f, 0.5f}});
    world.body(platform).set_velocity({-2.0f, 0.0f});
    Mover mover = standing(shapes[0], {0.0f, 0.0f});
    float speed = 0.0f;
    for (int i = 0; i < 120; ++i) {
        world.step();
        speed = move(world, mover, {i == 60 ? 5.0f : speed + 0.1f, 0.0f}, dt).x;
    }
    CHECK(speed == doctest::Approx(2.0f).epsilon(1e-3));
    CHECK(mover.wall);
    CHECK(mover.position.x == doctest::Approx(1.7f).epsilon(1e-3));
}

TEST_CASE(
    "a round mover that is pressed against a ledge as it falls past does not hang in the air") {
    World world;
    add_box(world, {{-3.0f, -3.0f}, {0.0f, 0.0f}});
    Mover mover{.shape = Circle{0.4f}, .step_height = 0.2f};
    mover.teleport({0.37453f, 0.14186f});
    Vec2 velocity{0.0f, -1.158f};
    for (int i = 0; i < 60; ++i) {
        const float fall = mover.ground.is_grounded ? 0.0f : velocity.y - 10.0f * dt;
        velocity = move(world, mover, {-3.355f, fall}, dt);
    }
    CHECK((mover.ground.is_grounded || mover.position.y < -1.0f));
}

TEST_CASE("a half-space has no edge") {
    for (const float x : {-1000.0f, -0.5f, 0.0f, 0.5f, 1000.0f}) {
        World world;
        world.create_body({.type = BodyType::Static}, HalfSpace{});
        Mover mover = standing(shapes[0], {x, 0.0f});
        for (int i = 0; i < 3; ++i) move(world, mover, {}, dt);
        CHECK(mover.ground.is_grounded);
        CHECK(mover.ground.distance_to_edge == mover.edge_reach);
    }
}

TEST_CASE("two movers that push a crate from both sides hold it, whichever is moved last") {
    for (const float mass : {0.25f, 1.0f, 10.0f}) {
        for (const bool left_is_last : {true, false}) {
            World world;
            const BodyId crate = add_crate(world, mass, 0.0f);
            Mover left = standing(shapes[2], {-1.5f, 0.0f});
            Mover right = standing(shapes[2], {2.5f, 0.0f});
            for (int i = 0; i < 600; ++i) {
                if (!left_is_last) run(world, left, 3.0f, 1);
                run(world, right, -3.0f, 1);
                if (left_is_last) run(world, left, 3.0f, 1);
                world.step();
            }
            CHECK(std::fabs(world.body(crate).position().x - 0.5f) < 0.01f);
        }
    }
}

TEST_CASE("what a mover can hold by its force does not move it, and is brought to rest") {
    for (const Shape& shape : shapes) {
        for (const float side : {1.0f, -1.0f}) {
            for (const Vec2 coin_def :
                 {Vec2{0.01f, 1.0f}, {0.01f, 5.0f}, {1.0f, 1.0f}, {1.0f, 3.0f}, {20.0f, 0.15f}}) {
                const float mass = coin_def.x, speed = coin_def.y;
                World world({.gravity = {}});
                Mover mover{.shape = shape};
                const BodyId coin = world.create_body(
                    {.position = {-side, 0.0f}, .velocity = {side * speed, 0.0f}, .mass = mass},
                    Circle{0.1f});
                for (int i = 0; i < static_cast<int>(3.0f / (speed * dt)); ++i) {
                    world.step();
                    move(world, mover, {}, dt);
                }
                INFO(mass, " kg at ", side * speed);
                CHECK(length(mover.position) < 1e-3f);
                CHECK(side * world.body(coin).velocity().x < 1e-3f);
                CHECK(length(world.body(coin).velocity()) <
                      0.12f * speed);  // it comes out of one step
            }
        }
    }
}

TEST_CASE("what is too heavy for a mover to hold shoves it and is braked by its force") {
    for (const Shape& shape : shapes) {
        World world({.gravity = {}});
        Mover mover{.shape = shape};
        const float half = outer_half_extents(shape).x;
        const BodyId crate = world.create_body(
            {.position = {-half - 0.5f, 0.0f}, .velocity = {5.0f, 0.0f}, .mass = 100.0f},
            Box{{0.5f, 0.5f}});
        for (int i = 1; i <= 120; ++i) {
            world.step();
            move(world, mover, {}, dt);
            const float braked = Mover{}.push_force / 100.0f * dt * static_cast<float>(i - 1);
            CHECK(world.body(crate).velocity().x == doctest::Approx(5.0f - braked).epsilon(1e-3));
            const float gap = mover.position.x - half - world.body(crate).position().x - 0.5f;
            CHECK(gap > -0.005f);
            CHECK(gap < 0.005f);
        }
    }
}

TEST_CASE("a mover that walks against what comes to it brakes that by its force, and no more") {
    constexpr int steps = 60;
    for (const Shape& shape : shapes) {
        for (const float speed : {0.5f, 3.0f}) {
            for (const float mass : {100.0f, 1000.0f}) {
                World world({.gravity = {}});
                Mover mover{.shape = shape};
                const float half = outer_half_extents(shape).x;
                const BodyId crate = world.create_body(
                    {.position = {half + 0.51f, 0.0f}, .velocity = {-5.0f, 0.0f}, .mass = mass},
                    Box{{0.5f, 0.5f}});
                for (int i = 0; i <= steps; ++i) {
                    world.step();
                    move(world, mover, {speed, 0.0f}, dt);
                }
                INFO(mass, " kg at ", speed);
                const float braked = Mover{}.push_force / mass * dt * steps;
                const float change = world.body(crate).velocity().x + 5.0f;
                CHECK(change == doctest::Approx(braked).epsilon(1e-3));
            }
        }
    }
}

TEST_CASE(
    "movers have their force once for what is between them, however many moves a step takes") {
    for (const int moves : {1, 2, 4}) {
        for (const float speed : {0.0f, 2.0f}) {
            World world({.gravity = {}});
            const BodyId crate =
                world.create_body({.velocity = {3.0f, 0.0f}, .mass = 50.0f}, Box{{0.5f, 0.5f}});
            const Shape shape = Box{{0.3f, 0.5f}};
            Mover left{.shape = shape, .position = {-1.0f, 0.0f}, .push_force = 600.0f};
            Mover right{.shape = shape, .position = {1.0f, 0.0f}, .push_force = 400.0f};
            float most_used = 0.0f;  // of the force of either
            const auto go = [&](Mover& mover, float pace) {
                const float part = static_cast<float>(moves);
                const float before = world.body(crate).force().x;
                for (int k = 0; k < moves; ++k) move(world, mover, {pace, 0.0f}, dt / part);
                const float used = std::abs(world.body(crate).force().x - before);
                most_used = std::max(most_used, used / mover.push_force);
            };
            for (int i = 0; i < 120; ++i) {
                world.step();
                go(left, 3.0f);
                go(right, -speed);
            }
            INFO(moves, " moves at ", speed);
            CHECK(most_used > 0.4f);
            CHECK(most_used < 1.001f);
        }
    }
}

TEST_CASE("a light crate lies on the head of a mover, which walks and jumps from under it") {
    for (const Shape& shape : shapes) {
        World world;
        add_box(world, {{-50.0f, -1.0f}, {50.0f, 0.0f}});
        Mover mover = standing(shape, {});
        run(world, mover, 0.0f, 2);
        const float top = 2.0f * outer_half_extents(shape).y;
        const BodyId crate =
            world.create_body({.position = {0.05f, top + 0.45f}, .mass = 5.0f}, Box{{0.4f, 0.4f}});
        for (int i = 0; i < 300; ++i) {
            world.step();
            run(world, mover, 0.0f, 1);
        }
        CHECK(std::fabs(mover.position.x) < 1e-3f);
        CHECK(world.body(crate).position().y == doctest::Approx(top + 0.4f).epsilon(0.01));
        CHECK(length(world.body(crate).velocity()) < 1e-3f);
        CHECK_FALSE(mover.crush);
        for (int i = 0; i < 90; ++i) {
            run(world, mover, 2.0f, 1);
            world.step();
        }
        CHECK(mover.position.x == doctest::Approx(3.0).epsilon(0.01));
    }
}

TEST_CASE("what falls on the head of a mover or presses on it is named as its ceiling") {
    for (const bool is_moved_first : {false, true}) {
        for (const float mass : {0.1f, 1.0f, 5.0f}) {
            World world;
            add_box(world, {{-50.0f, -1.0f}, {50.0f, 0.0f}});
            Mover mover = standing(Capsule{0.5f, 0.3f}, {});
            const BodyId crate =
                world.create_body({.position = {0.05f, 4.0f}, .mass = mass}, Box{{0.5f, 0.5f}});
            int first_told = -1, first_in = -1, told = 0;
            for (int i = 0; i < 300; ++i) {
                if (is_moved_first) run(world, mover, 0.0f, 1);
                world.step();
                if (!is_moved_first) run(world, mover, 0.0f, 1);
                const ConstBodyRef body = world.body(crate);
                const bool is_in = body.position().y - 0.5f < 1.6f;
                if (is_in && first_in < 0) first_in = i;
                if (!mover.ceiling) continue;
                if (first_told < 0) first_told = i;
                told += i >= 200 ? 1 : 0;
                CHECK(mover.ceiling.body == crate);
                CHECK(mover.ceiling.collider == first_collider(crate));
                CHECK(mover.ceiling.normal.y < -0.99f);
            }
            INFO(mass, " kg, moved first ", is_moved_first);
            CHECK(first_told == first_in + (is_moved_first ? 1 : 0));
            CHECK(told == 100);
            CHECK_FALSE(mover.wall);
            CHECK_FALSE(mover.crush);
        }
    }
}

TEST_CASE("a crate on the head of a mover on a lift remains its ceiling, however the lift moves") {
    for (const float rate : {30.0f, 60.0f, 144.0f}) {
        for (const Shape& shape : shapes) {
            World world({.time_step = 1.0f / rate});
            const BodyId lift = world.create_body(
                {.type = BodyType::Kinematic, .position = {0.0f, -0.1f}}, Box{{3.0f, 0.1f}});
            Mover mover = standing(shape, {});
            const float head = 2.0f * outer_half_extents(shape).y + mover.skin;
            const BodyId crate = world.create_body({.position = {0.0f, head + 0.3f}, .mass = 5.0f},
                                                   Box{{0.3f, 0.3f}});
            int missed = 0;
            const int second = static_cast<int>(rate);
            for (int i = 0; i < 6 * second; ++i) {
                const float time = static_cast<float>(i - second) / rate;
                const float speed = time > 0.0f ? 1.5f * std::sin(3.0f * time) : 0.0f;
                world.body(lift).set_velocity({0.0f, speed});
                world.step();
                move(world, mover, {}, 1.0f / rate);
                missed += time > 0.0f && mover.ceiling.body != crate ? 1 : 0;
            }
            INFO("at ", rate, " Hz");
            CHECK(missed == 0);
        }
    }
}

TEST_CASE("a mover on the ground does not name the crate that it carried once it has lost it") {
    World world;
    add_box(world, {{-50.0f, -1.0f}, {50.0f, 0.0f}});
    Mover mover = standing(Box{{0.3f, 0.6f}}, {});
    const BodyId crate =
        world.create_body({.position = {0.0f, 1.5f}, .mass = 5.0f}, Box{{0.3f, 0.3f}});
    for (int i = 0; i < 60; ++i) {
        world.step();
        run(world, mover, 0.0f, 1);
    }
    CHECK(mover.ceiling.body == crate);
    world.body(crate).teleport({0.0f, 1.6f});
    run(world, mover, 0.0f, 1);
    CHECK_FALSE(mover.ceiling);
}

TEST_CASE("a lid that comes down is named as the ceiling whenever it moves a mover, however slow") {
    World world;
    Mover mover{};
    const BodyId lid = world.create_body(
        {.type = BodyType::Kinematic, .position = {0.0f, 1.001f}, .velocity = {0.0f, -0.02f}},
        Box{{0.5f, 0.2f}});
    int pushed = 0;
    for (int i = 0; i < 60; ++i) {
        const float before = mover.position.y;
        world.step();
        move(world, mover, {}, dt);
        if (mover.position.y == before) continue;
        ++pushed;
        CHECK(mover.ceiling.body == lid);
    }
    CHECK(pushed > 5);
}

TEST_CASE("a mover jumps with what is light on its head, and not with what is heavy or held") {
    for (const Shape& shape : shapes) {
        for (const float mass : {0.01f, 0.3f, 10.0f}) {
            for (const bool is_held : {false, true}) {
                World world;
                add_box(world, {{-50.0f, -1.0f}, {50.0f, 0.0f}});
                Mover mover = standing(shape, {});
                run(world, mover, 0.0f, 2);
                const float top = 2.0f * outer_half_extents(shape).y;
                if (is_held) add_box(world, {{-1.0f, top + 0.81f}, {1.0f, top + 2.0f}});
                world.create_body({.position = {0.0f, top + 0.405f}, .mass = mass},
                                  Box{{0.4f, 0.4f}});
                for (int i = 0; i < 60; ++i) {
                    world.step();
                    run(world, mover, 0.0f, 1);
                }
                const float start = feet(mover);
                float highest = start;
                float speed = move(world, mover, {0.0f, 6.0f}, dt).y;
                for (int i = 0; i < 30; ++i) {
                    highest = std::fmax(highest, feet(mover));
                    world.step();
                    speed = move(world, mover, {0.0f, speed - 9.81f * dt}, dt).y;
                }
                INFO(mass, " kg, held ", is_held);
                if (mass < 1.0f && !is_held) CHECK(highest - start > 1.8f);
                if (mass < 1.0f && is_held) CHECK(highest - start < 0.11f);
                if (mass > 1.0f) CHECK(highest - start < 0.01f);
            }
        }
    }
}

TEST_CASE("a mover jumps in the air with what is light on its head, whenever it does") {
    for (const float mass : {0.01f, 0.1f}) {
        for (int falls = 1; falls < 40; ++falls) {
            World world;
            Mover mover{};
            world.create_body({.position = {0.0f, 1.21f}, .mass = mass}, Box{{0.4f, 0.4f}});
            Vec2 velocity{};
            const auto fall = [&] {
                world.step();
                velocity = move(world, mover, {0.0f, velocity.y - gravity * dt}, dt);
            };
            for (int i = 0; i < falls; ++i) fall();
            const float start = mover.position.y;
            float highest = start;
            velocity.y = 6.0f;
            for (int i = 0; i < 40; ++i) {
                fall();
                highest = std::fmax(highest, mover.position.y);
            }
            INFO(mass, " kg after ", falls, " moves");
            CHECK(highest - start > 1.7f);
        }
    }
}

TEST_CASE("a mover gets out of a crate that stands against a wall or is pushed on, however light") {
    for (const Shape& shape : shapes) {
        for (const float mass : {0.1f, 1.0f, 10.0f}) {
            for (const float speed : {0.0f, 0.005f, 0.009f, 0.1f}) {
                World world;
                const BodyId crate = add_crate(world, mass, 0.5f);
                world.create_body({.type = BodyType::Kinematic,
                                   .position = {1.5f, 0.5f},
                                   .velocity = {-speed, 0.0f}},
                                  Box{{0.5f, 0.4f}});
                Mover mover = standing(shape, {});
                const float half = outer_half_extents(shape).x;
                mover.position.x = 0.3f - half;
                for (int i = 0; i < 300; ++i) {
                    world.step();
                    run(world, mover, 0.0f, 1);
                }
                INFO(mass, " kg at ", speed);
                CHECK(mover.position.x + half < world.body(crate).position().x - 0.49f);
            }
        }
    }
}

TEST_CASE("a lift takes a mover along, whatever lies on its head or over it") {
    for (const Shape& shape : shapes) {
        for (const float mass : {0.1f, 5.0f, 15.0f, 100.0f}) {
            for (const float speed : {0.2f, 3.0f, -0.5f}) {
                World world;
                const BodyId lift = world.create_body(
                    {.type = BodyType::Kinematic, .position = {0.0f, -0.5f}}, Box{{3.0f, 0.5f}});
                Mover mover = standing(shape, {});
                run(world, mover, 0.0f, 2);
                const float height = 2.0f * outer_half_extents(shape).y;
                const BodyId crate = world.create_body(
                    {.position = {0.0f, height + 0.41f}, .mass = mass}, Box{{0.4f, 0.4f}});
                for (int i = 0; i < 120; ++i) {
                    if (i == 30) world.body(lift).set_velocity({0.0f, speed});
                    world.step();
                    run(world, mover, 0.0f, 1);
                    CHECK(feet(mover) > world.body(lift).position().y + 0.5f);
                    if (mass < 10.0f) CHECK_FALSE(mover.crush);
                }
                INFO(mass, " kg at ", speed);
                const float crate_height =
                    world.body(crate).position().y - world.body(lift).position().y - 0.9f;
                if (mass < 10.0f) CHECK(crate_height == doctest::Approx(height).epsilon(0.02));
            }
        }
    }
}

TEST_CASE("what pushes a mover has it push what is light before it") {
    for (const Shape& shape : shapes) {
        for (const float mass : {0.1f, 5.0f, 20.0f}) {
            for (const float speed : {0.2f, 1.0f, 4.0f}) {
                World world;
                const BodyId crate = add_crate(world, mass, 0.3f);
                const BodyId press = world.create_body({.type = BodyType::Kinematic,
                                                        .position = {-3.0f, 2.02f},
                                                        .velocity = {speed, 0.0f}},
                                                       Box{{0.5f, 2.0f}});
                Mover mover = standing(shape, {-1.0f, 0.0f});
                const float half = outer_half_extents(shape).x;
                for (int i = 0; i < static_cast<int>(4.0f / (speed * dt)); ++i) {
                    world.step();
                    run(world, mover, 0.0f, 1);
                    CHECK(mover.position.x - half > world.body(press).position().x + 0.5f);
                }
                INFO(mass, " kg at ", speed);
                const float gap = world.body(crate).position().x - 0.5f - mover.position.x - half;
                if (mass < 10.0f) CHECK(gap > -0.05f);
            }
        }
    }
}

TEST_CASE(
    "what falls on a mover crushes it if its force cannot stop that before it is half-way in") {
    for (const float mass : {1.0f, 3.0f, 5.0f, 25.0f, 100.0f}) {  // it holds 20 kg at rest
        for (const float height : {0.5f, 3.0f}) {
            World world;
            const BodyId floor = world.create_body(
                {.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{20.0f, 1.0f}});
            const BodyId crate = world.create_body({.position = {0.1f, 1.7f + height}},
                                                   Box{{0.5f, 0.5f}}, {.density = mass});
            Mover mover{.shape = Box{{0.3f, 0.6f}}, .position = {0.0f, 0.6005f}};
            for (int i = 0; i < 90 && !mover.crush; ++i) {
                world.step();
                move(world, mover, {}, dt);
            }
            INFO("mass ", mass, ", height ", height);
            const float slowed_by = mover.push_force / mass - 10.0f;  // [m/s²]
            const float stops_after = 10.0f * height / slowed_by;
            CHECK(mover.crush.is_crushed == (slowed_by < 0.0f || stops_after > 0.6f));
            if (!mover.crush) {
                CHECK(mover.ceiling.body == crate);
                continue;
            }
            CHECK(mover.crush.by == crate);
            CHECK(mover.crush.against == floor);
            CHECK(mover.crush.depth > 0.04f);
            CHECK(mover.crush.depth < 0.06f + 2.0f * dt * std::sqrt(20.0f * height));
        }
    }
}

TEST_CASE("a mover that is pressed against what is too heavy for it to push is crushed") {
    for (const Shape& shape : shapes) {
        for (const float mass : {0.1f, 1000.0f}) {
            for (const float speed : {0.5f, 0.0f}) {
                World world;
                const BodyId crate = add_crate(world, mass, 0.3f);
                const float half = outer_half_extents(shape).x;
                const BodyId press = world.create_body({.type = BodyType::Kinematic,
                                                        .position = {-1.0f - 2.0f * half, 2.02f},
                                                        .velocity = {speed, 0.0f}},
                                                       Box{{0.5f, 2.0f}});
                Mover mover = standing(shape, {-0.3f - half, 0.0f});
                for (int i = 0; i < 90 && !mover.crush; ++i) {
                    world.step();
                    run(world, mover, 0.0f, 1);
                }
                INFO(mass, " kg at ", speed);
                CHECK(mover.crush.is_crushed == (mass > 1.0f && speed > 0.0f));
                if (mover.crush) CHECK(mover.crush.by == press);
                if (mover.crush) CHECK(mover.crush.against == crate);
            }
        }
    }
}

TEST_CASE("a crate that is pushed along takes a mover along at its pace") {
    for (const Shape& shape : shapes) {
        for (const float mass : {0.5f, 5.0f, 50.0f}) {
            World world;
            const BodyId crate = add_crate(world, mass, 0.3f);
            world.create_body(
                {.type = BodyType::Kinematic, .position = {-1.0f, 1.01f}, .velocity = {1.0f, 0.0f}},
                Box{{0.5f, 1.0f}});
            Mover mover = standing(shape, {2.0f, 0.0f});
            for (int i = 0; i < 300; ++i) {
                const float before = mover.position.x;
                world.step();
                run(world, mover, 0.0f, 1);
                const float way = mover.position.x - before;
                if (i > 240) CHECK(way == doctest::Approx(dt).epsilon(0.05));
            }
            const float gap = mover.position.x - outer_half_extents(shape).x -
                              world.body(crate).position().x - 0.5f;
            CHECK(gap > -0.005f);
        }
    }
}

TEST_CASE("movers with bodies of their own meet each other and not themselves") {
    World world = long_floor(true);
    std::vector<Mover> movers;
    for (const float x : {5.0f, 15.0f}) {
        Mover mover = standing(shapes[0], {x, 0.0f});
        mover.filter.except = world.create_body(
            {.type = BodyType::Kinematic, .position = mover.position}, mover.shape);
        movers.push_back(mover);
    }
    for (int i = 0; i < 240; ++i) {
        for (Mover& mover : movers) {
            run(world, mover, &mover == &movers[0] ? 4.0f : -3.0f, 1);
            world.body(mover.filter.except).move_to(mover.position);
        }
        world.step();
    }
    const float gap = movers[1].position.x - movers[0].position.x - 0.6f;
    CHECK(gap > 0.0f);
    CHECK(gap < 0.1f);
    CHECK(movers[0].wall.body == movers[1].filter.except);
}

namespace {

/// A closed room of random tiles.
void fill_room(World& world, BodyId map, test::Random& random) {
    TileMapRef tiles = world.tile_map(map);
    tiles.fill({{0, 0}, {31, 19}}, '1');
    for (int y = 1; y < 19; ++y) {
        for (int x = 1; x < 31; ++x) {
            const int kind = random.integer(0, 14);
            tiles.set({x, y}, static_cast<TileId>(kind % 6 == 0 || kind > 7 ? 0 : '0' + kind));
        }
    }
}

Shape shrunk(Shape shape, float by) {
    if (shape.radius > 0.0f) shape.radius -= by;
    if (shape.radius == 0.0f) shape.half_extents -= Vec2{by, by};
    return shape;
}

}  // namespace

TEST_CASE("random moves at up to 500 m/s never end in solid tiles or beyond the walls of a room") {
    test::Random random;
    int inside = 0;
    for (int round = 0; round < test::many / 5000; ++round) {
        World world;
        const BodyId map = add_tiles(world);
        fill_room(world, map, random);
        Mover mover{.shape = shapes[round % 4]};
        for (int i = 0; i < 1000; ++i) {
            bool is_free = i % 50 != 0;
            for (int tries = 0; !is_free && tries < 100; ++tries) {
                mover.position = {random.uniform(2.0f, 30.0f), random.uniform(2.0f, 18.0f)};
                is_free = true;
                world.for_each_overlap(translate(mover.shape, mover.position),
                                       [&](BodyId) { is_free = false; });
            }
            if (!is_free) break;
            const float speed = random.one_in(3) ? 500.0f : 8.0f;
            move(world, mover, random.point(speed), dt);
            world.for_each_overlap(shrunk(translate(mover.shape, mover.position), 0.001f),
                                   [&](BodyId) { ++inside; }, {.mask = ~std::uint64_t{2}});
            REQUIRE((mover.position.x > 1.0f && mover.position.x < 31.0f &&
                     mover.position.y > 1.0f && mover.position.y < 19.0f));
        }
    }
    CHECK(inside == 0);
}

TEST_CASE(
    "a mover goes the same way in a turned world, a mirrored one and one of a hundred times the "
    "size") {
    const struct {
        Vec2 right, up;
        float scale;
    } views[] = {{{1.0f, 0.0f}, {0.0f, 1.0f}, 1.0f},  {{-1.0f, 0.0f}, {0.0f, 1.0f}, 1.0f},
                 {{0.0f, 1.0f}, {1.0f, 0.0f}, 1.0f},  {{1.0f, 0.0f}, {0.0f, -1.0f}, 1.0f},
                 {{0.0f, 1.0f}, {-1.0f, 0.0f}, 1.0f}, {{1.0f, 0.0f}, {0.0f, 1.0f}, 100.0f}};
    std::vector<Vec2> path;
    for (const auto& view : views) {
        const auto seen = [&](Vec2 v) { return (view.right * v.x + view.up * v.y) * view.scale; };
        World world({.length_unit = view.scale});
        const auto add = [&](Vec2 a, Vec2 b) {
            add_box(world, {min(seen(a), seen(b)), max(seen(a), seen(b))});
        };
        add({-20.0f, -1.0f}, {20.0f, 0.0f});
        add({2.0f, 0.0f}, {3.0f, 0.25f});
        add({6.0f, 0.0f}, {7.0f, 2.0f});
        add({-6.0f, 2.5f}, {1.0f, 3.0f});
        Mover mover{.shape = Circle{0.4f * view.scale},
                    .position = seen({0.0f, 1.0f}),
                    .up = view.up,
                    .step_height = 0.3f * view.scale,
                    .snap_distance = 0.2f * view.scale,
                    .skin = 0.0005f * view.scale,
                    .edge_reach = view.scale};
        test::Random random;
        Vec2 velocity{};
        for (std::size_t i = 0; i < 2000; ++i) {
            if (i % 40 == 0) velocity.x = random.uniform(-6.0f, 6.0f);
            velocity.y = mover.ground.is_grounded ? (random.one_in(60) ? 7.0f : 0.0f)
                                                  : velocity.y - 9.81f * dt;
            const Vec2 left = move(world, mover, seen(velocity), dt) / view.scale;
            velocity.y = dot(left, view.up);
            const Vec2 place =
                Vec2{dot(mover.position, view.right), dot(mover.position, view.up)} / view.scale;
            if (path.size() <= i) path.push_back(place);
            REQUIRE(distance(place, path[i]) <
                    2e-3f);  // a jump may begin with the gap of the skin or without
        }
    }
}

TEST_CASE("a mover whose up is turned over on the ground falls to the ceiling, however near") {
    for (const float room : {0.01f, 0.05f, 0.1f, 0.25f, 1.0f}) {
        CAPTURE(room);
        World world;
        add_box(world, {{-20.0f, -1.0f}, {20.0f, 0.0f}});
        add_box(world, {{-20.0f, 1.6f + room}, {20.0f, 3.0f + room}});
        Mover mover = standing(Capsule{0.5f, 0.3f}, {0.0f, 0.0f});
        Vec2 velocity = move(world, mover, {2.0f, 0.0f}, dt);
        REQUIRE(mover.ground.is_grounded);
        mover.up = -mover.up;
        const float height = mover.position.y;
        for (int n = 1; n <= 60; ++n) {
            const float fall = mover.ground.is_grounded ? 0.0f : velocity.y + 9.81f * dt;
            velocity = move(world, mover, {2.0f, fall}, dt);
            const auto k = static_cast<float>(n - 1);  // the first move begins at rest
            const float fallen = 0.5f * 9.81f * dt * dt * k * (k + 1.0f);
            CHECK(mover.position.y - height <= fallen + 2.0f * mover.skin);
        }
        CHECK(mover.ground.is_grounded);
        CHECK(mover.ground.normal == mover.up);
    }
}

TEST_CASE("the same moves twice end in the same bits") {
    std::uint64_t hashes[2];
    for (std::uint64_t& hash : hashes) {
        World world;
        test::Random random;
        fill_room(world, add_tiles(world), random);
        Mover mover{.position = {16.0f, 10.0f}};
        StateHash sum;
        for (int i = 0; i < 2000; ++i) {
            sum.add(move(world, mover, random.point(30.0f), dt));
            sum.add(mover.position);
        }
        hash = sum.value();
    }
    CHECK(hashes[0] == hashes[1]);
}

TEST_CASE("a move with numbers that make no sense is an error and changes nothing") {
    World world = long_floor(true);
    const float infinity = std::numeric_limits<float>::infinity();
    const Mover before = standing(shapes[2], {5.0f, 0.0f});
    const auto is_refused = [&](Mover mover, Vec2 velocity, float seconds) {
        const Mover was = mover;
        std::string sentence;
        try {
            move(world, mover, velocity, seconds);
        } catch (const Error& error) {
            sentence = error.what();
        }
        CHECK(sentence.starts_with("move: "));
        CHECK((mover.position == was.position || was.position != was.position));
        CHECK(mover.last_way == was.last_way);
    };
    is_refused(before, {infinity, 0.0f}, dt);
    is_refused(before, {0.0f, std::nanf("")}, dt);
    is_refused(before, {3e38f, 0.0f}, 1e9f);
    is_refused(before, {3e38f, 3e38f}, 1.0f);
    is_refused(before, {}, 0.0f);
    is_refused(before, {}, -dt);
    Mover mover = before;
    const auto is_refused_with = [&](auto change) {
        mover = before;
        change();
        is_refused(mover, {}, dt);
    };
    is_refused_with([&] { mover.position.x = infinity; });
    is_refused_with([&] { mover.position = {0.0f, -3e38f}; });
    is_refused_with([&] { mover.up = {0.0f, 2.0f}; });
    is_refused_with([&] { mover.max_slope = -1.0f; });
    is_refused_with([&] { mover.skin = 0.0f; });
    is_refused_with([&] { mover.step_height = -1.0f; });
    is_refused_with([&] { mover.snap_distance = std::nanf(""); });
    is_refused_with([&] { mover.push_force = -1.0f; });
    is_refused_with([&] { mover.edge_reach = infinity; });
    is_refused_with([&] { mover.step_height = 3e38f; });
    is_refused_with([&] { mover.snap_distance = 3e38f; });
    is_refused_with([&] { mover.push_force = 3e38f; });
    is_refused_with([&] { mover.edge_reach = 3e38f; });
    is_refused_with([&] { mover.shape = Circle{-1.0f}; });
    is_refused_with([&] { mover.shape = Box{{1.0f, 2e38f}}; });
    is_refused_with([&] { mover.shape = Circle{1.0f, {3e38f, 0.0f}}; });
}

TEST_CASE("the largest push adds up to a number with the largest force") {
    constexpr float most = std::numeric_limits<float>::max();
    World world({.gravity = {}});
    const BodyId crate = world.create_body({.mass = 1e30f}, Box{{0.5f, 0.5f}});
    world.body(crate).apply_force({most, 0.0f});
    Mover mover{.position = {-0.9f, 0.0f}, .push_force = 1e30f};
    move(world, mover, {1e30f, 0.0f}, dt);
    CHECK(mover.wall.body == crate);
    CHECK(world.body(crate).force().x == most);
}

TEST_CASE(
    "a move that would push a body beyond what a world takes leaves that out, and is no error") {
    test::Random random;
    int pushed = 0, left_out = 0;
    for (int i = 0; i < 1'000; ++i) {
        World world({.gravity = {}});
        const BodyId crumb = world.create_body(
            {.position = {1.0f, 0.0f}, .mass = random.log_uniform(1e-6f, 1.0f)}, Box{{0.5f, 0.5f}});
        Mover mover{.position = {0.0f, 0.0f}, .push_force = random.log_uniform(1.0f, 1e30f)};
        move(world, mover, {random.log_uniform(1.0f, 1e32f), 0.0f}, 1.0f / 256.0f);
        REQUIRE(is_finite(world.body(crumb).force()));
        (world.body(crumb).force().x > 0.0f ? pushed : left_out) += 1;
    }
    CHECK(pushed > 100);
    CHECK(left_out > 30);
}

TEST_CASE("a mover knows how far it is from the edge of its ground") {
    for (const bool of_tiles : {true, false}) {
        World world;
        if (of_tiles) add_tiles(world, "11111");
        if (!of_tiles) add_box(world, {{0.0f, 0.0f}, {2.0f, 1.0f}});
        if (!of_tiles) add_box(world, {{2.0f, 0.0f}, {5.0f, 1.0f}});
        for (const Shape& shape : shapes) {
            for (const float x : {0.1f, 0.7f, 2.5f, 4.4f, 4.95f}) {
                Mover mover = standing(shape, {x, 1.0f});
                run(world, mover, 0.0f, 3);
                CHECK(mover.ground.distance_to_edge ==
                      doctest::Approx(std::fmin(std::fmin(x, 5.0f - x), 1.0f)).epsilon(1e-3));
                const float side = x < 1.0f ? -1.0f : x > 4.0f ? 1.0f : 0.0f;
                CHECK(mover.ground.edge_direction == Vec2{side, 0.0f});
                Mover beside = mover;
                beside.shape.center = {0.3f, 0.5f};
                beside.position = mover.position - beside.shape.center;
                run(world, beside, 0.0f, 1);
                CHECK(beside.ground.distance_to_edge ==
                      doctest::Approx(mover.ground.distance_to_edge).epsilon(1e-4));
            }
        }
    }
}

TEST_CASE("a mover sees no edge of its ground at the foot of a slope nor where pieces overlap") {
    World hill;
    add_tiles(hill, "   23   \n  2113  \n11111111\n");
    World floor;
    add_box(floor, {{0.0f, 0.0f}, {3.0f, 1.0f}});
    add_box(floor, {{2.0f, 0.5f}, {8.0f, 1.0f}});
    for (World* world : {&hill, &floor}) {
        for (const Shape& shape : shapes) {
            for (const float x : {0.4f, 1.5f, 2.3f, 2.8f, 3.4f, 4.1f, 5.5f, 7.7f}) {
                Mover mover = standing(shape, {x, 4.0f});
                Vec2 velocity{};
                for (int i = 0; i < 100; ++i) {
                    velocity = move(*world, mover, {0.0f, velocity.y - 9.81f * dt}, dt);
                }
                INFO("on the floor: ", world == &floor, ", at ", mover.position.x);
                const float edge = std::fmin(mover.position.x, 8.0f - mover.position.x);
                CHECK(mover.ground.distance_to_edge ==
                      doctest::Approx(std::fmin(edge, 1.0f)).epsilon(1e-3));
            }
        }
    }
}

TEST_CASE("a round mover on the tip of two steep sides is at the edge of its ground") {
    World world;
    world.create_body({.type = BodyType::Static},
                      Polygon{{-0.5f, 0.0f}, {0.5f, 0.0f}, {0.0f, 1.0f}});
    for (const float x : {-0.2f, -0.1f, -0.02f, 0.02f, 0.1f, 0.2f}) {
        Mover mover{.shape = Circle{0.4f}, .position = {x, 1.6f}};
        run(world, mover, 0.0f, 60);
        CAPTURE(mover.position.x);
        REQUIRE(mover.ground.is_grounded);
        CHECK(mover.ground.distance_to_edge == 0.0f);
    }
}

TEST_CASE("a mover is drawn between its last two places, and not on its way to where it is put") {
    World world({.gravity = {}});
    Mover mover{.shape = Circle{0.5f}};
    move(world, mover, {6.0f, 0.0f}, 0.5f);
    CHECK(mover.interpolated_position(0.25f).x == doctest::Approx(0.75));
    mover.ground.is_grounded = true;
    mover.teleport({9.0f, 9.0f});
    CHECK(mover.interpolated_position(0.25f) == Vec2{9.0f, 9.0f});
    CHECK_FALSE(mover.ground.is_grounded);
}

TEST_CASE("a mover in a notch of steep sides is wedged, and jumps out of it") {
    for (const float rise : {1.2f, 1.7f, 4.0f}) {
        World world;
        const Vec2 notch[] = {{3.0f, 3.0f * rise}, {0.0f, 0.0f}, {-3.0f, 3.0f * rise}};
        world.create_body({.type = BodyType::Static}, Chain{notch});
        Mover mover{.position = {0.2f, 4.0f + rise}};
        Vec2 velocity{};
        int wedged = 0;
        for (int i = 0; i < 600; ++i) {
            velocity.y -= 10.0f / 60.0f;
            velocity = move(world, mover, velocity, 1.0f / 60.0f);
            if (i == 0) CHECK_FALSE(mover.ground.is_wedged);
            wedged += i >= 300 && mover.ground.is_wedged ? 1 : 0;
            CHECK_FALSE(mover.ground.is_grounded);
        }
        CHECK(wedged == 300);
        const Vec2 start = mover.position;
        move(world, mover, {0.0f, 5.0f}, 1.0f / 60.0f);
        CHECK(mover.position.y > start.y + 0.05f);
        CHECK_FALSE(mover.ground.is_wedged);
    }
}

TEST_CASE("a jump into a narrowing between a slope and a ceiling ends there") {
    const Vec2 slope[] = {{5.0f, 5.0f}, {-5.0f, -5.0f}};
    for (const Shape& shape : shapes) {
        int stopped = 0, hanging = 0;
        for (int i = 0; i < 30; ++i) {
            World world;
            world.create_body({.type = BodyType::Static}, Chain{slope});
            const float height = 2.0f * outer_half_extents(shape).y + 0.02f * static_cast<float>(i);
            add_box(world, {{-1.0f, height}, {0.0f, height + 1.0f}});
            Mover mover = standing(shape, {-1.5f, -0.5f});
            run(world, mover, 0.0f, 60);
            REQUIRE(mover.ground.is_grounded);
            Vec2 velocity{6.0f, 4.5f};
            for (int k = 0; k < 30 && (k == 0 || !mover.ground.is_grounded); ++k) {
                const Vec2 start = mover.position;
                velocity = move(world, mover, velocity, dt);
                const bool lands = mover.ground.is_grounded;
                stopped += !lands && velocity == Vec2{} ? 1 : 0;
                hanging += !lands && mover.position == start ? 1 : 0;
                velocity = {6.0f, velocity.y - 9.81f * dt};
            }
        }
        CHECK(stopped > 0);
        CHECK(hanging == 0);
    }
}

TEST_CASE("a mover is not wedged on the ground, in a shaft or on one steep slope") {
    World world;
    world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{50.0f, 1.0f}});
    for (const float x : {-0.301f, 0.301f}) {
        world.create_body(
            {.type = BodyType::Static, .position = {x + (x > 0.0f ? 1.0f : -1.0f), 20.0f}},
            Box{{1.0f, 10.0f}});
    }
    const Vec2 slope[] = {{20.0f, 0.0f}, {14.0f, 12.0f}};
    world.create_body({.type = BodyType::Static}, Chain{slope, false, true});
    for (const Vec2 start : {Vec2{0.0f, 25.0f}, {5.0f, 2.0f}, {18.0f, 8.0f}}) {
        Mover mover{.position = start};
        Vec2 velocity{};
        int wedged = 0;
        for (int i = 0; i < 200; ++i) {
            velocity.y -= 10.0f / 60.0f;
            velocity = move(world, mover, velocity, 1.0f / 60.0f);
            wedged += mover.ground.is_wedged ? 1 : 0;
        }
        CHECK(wedged == 0);
    }
}

TEST_CASE("a mover that lands across a joint of boxes keeps its speed along them") {
    test::Random random;
    for (int i = 0; i < 2'000; ++i) {
        const Shape& shape = shapes[static_cast<std::size_t>(i) % 4];
        const bool on_wall = i % 8 >= 4;
        const auto turned = [&](Vec2 v) { return on_wall ? Vec2{v.y, v.x} : v; };
        World world;
        for (int k = -3; k < 3; ++k) {
            const float x = static_cast<float>(k);
            const Vec2 low = turned({x, -1.0f});
            add_box(world, {low, low + Vec2{1.0f, 1.0f}});
        }
        const Vec2 half = turned(outer_half_extents(shape));
        const float along = random.uniform(1.0f, 8.0f);
        const float into = random.uniform(1.0f, 15.0f);
        const float gap = random.uniform(0.0006f, 0.01f);
        const float edge = random.uniform(-0.002f, 0.002f);  // where it lands, from the joint
        const float start = edge - half.x - gap * along / into;
        Mover mover{.shape = shape, .position = turned({start, half.y + gap})};
        const Vec2 left = turned(move(world, mover, turned({along, -into}), dt));
        CHECK(left.x == doctest::Approx(along).epsilon(1e-3));
        CHECK(turned(mover.position).x == doctest::Approx(start + along * dt).epsilon(1e-3));
    }
}

}  // namespace mover_test

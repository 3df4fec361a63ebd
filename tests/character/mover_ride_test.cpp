// SPDX-License-Identifier: MIT
// Do movers go on and beside moving platforms as on and beside ones at rest?
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

namespace mover_ride_test {

using namespace phys2d;

namespace {

constexpr float dt = 1.0f / 60.0f;
constexpr float gravity = 10.0f;

const Shape shapes[] = {Box{{0.3f, 0.5f}}, Circle{0.4f}, Capsule{0.2f, 0.3f}};
const Vec2 velocities[] = {{0.1f, 0.0f},  {-1.0f, 0.0f}, {1.0f, 1.0f},  {-1.0f, -1.0f},
                           {1.0f, -1.0f}, {-3.0f, 3.0f}, {0.01f, 6.0f}, {2.0f, 6.0f}};

float half_height(const Shape& shape) { return outer_half_extents(shape).y; }

/// A platform of some pieces that move at one velocity, and a mover.
struct Ride {
    World world{WorldConfig{.gravity = {0.0f, -gravity}}};
    Vec2 pace;
    BodyId platform{};
    Mover mover;

    Ride(Vec2 velocity, const Shape& shape, Vec2 place)
        : pace(velocity), mover{.shape = shape, .position = place} {}

    void add(const Box& piece) {
        platform = world.create_body({.type = BodyType::Kinematic, .velocity = pace}, piece);
    }
    [[nodiscard]] Vec2 place() const { return mover.position - world.body(platform).position(); }

    /// Moves it at a velocity relative to the platform, and returns what is left of that.
    Vec2 go(Vec2 velocity) {
        world.step();
        const bool was_grounded = mover.ground.is_grounded;
        const Vec2 left = move(world, mover, was_grounded ? velocity : velocity + pace, dt);
        return was_grounded || mover.ground.is_grounded ? left : left - pace;
    }
};

}  // namespace

TEST_CASE("a mover falls past a block beside it that moves along with it") {
    for (const Vec2 velocity : velocities) {
        for (const Shape& shape : shapes) {
            for (const float side : {-1.0f, 1.0f}) {
                CAPTURE(velocity.x);
                CAPTURE(velocity.y);
                const float beside = outer_half_extents(shape).x + 0.0006f;
                Ride ride(velocity, shape, {side * beside, 2.5f});
                ride.add(Box{{1.0f, 0.5f}, {-side, 0.5f}});
                Vec2 left{};
                for (int i = 0; i < 120; ++i) left = ride.go(left - Vec2{0.0f, gravity * dt});
                CHECK(ride.place().y < -10.0f);
            }
        }
    }
}

TEST_CASE(
    "a jump in a cab beside its wall is as high as one at rest, whichever way the cab moves") {
    for (const Vec2 velocity : velocities) {
        for (const Shape& shape : shapes) {
            for (const float side : {-1.0f, 1.0f}) {
                CAPTURE(velocity.x);
                CAPTURE(velocity.y);
                Ride ride(velocity, shape, {0.0f, half_height(shape) + 0.0005f});
                const float beside = outer_half_extents(shape).x + 0.0005f;
                ride.add(Box{{0.5f, 2.0f}, {side * (0.5f + beside), 2.0f}});
                ride.add(Box{{2.0f, 0.5f}, {0.0f, -0.5f}});
                move(ride.world, ride.mover, {0.0f, -0.1f}, dt);
                for (int i = 0; i < 10; ++i) (void)ride.go({2.0f * side, 0.0f});
                REQUIRE(ride.mover.wall);
                const float start = ride.place().y;
                (void)ride.go({2.0f * side, 6.0f});
                CHECK(ride.place().y - start == doctest::Approx(6.0f * dt).epsilon(1e-3));
            }
        }
    }
}

TEST_CASE("a mover walks over the seam of two platforms that move alike") {
    for (const Vec2 velocity : velocities) {
        for (const Shape& shape : shapes) {
            for (const float speed : {1.0f, 2.7f, 6.0f, -3.3f}) {
                CAPTURE(velocity.x);
                CAPTURE(velocity.y);
                CAPTURE(speed);
                const float start = speed > 0.0f ? -1.0f : 1.0f;
                Ride ride(velocity, shape, {start, half_height(shape) + 0.0005f});
                ride.add(Box{{2.0f, 0.5f}, {2.0f, -0.5f}});
                ride.add(Box{{2.0f, 0.5f}, {-2.0f, -0.5f}});
                move(ride.world, ride.mover, {0.0f, -0.1f}, dt);
                const int steps = static_cast<int>(2.0f / std::fabs(speed * dt));
                for (int i = 1; i <= steps; ++i) {
                    ride.go({speed, 0.0f});
                    REQUIRE(ride.mover.ground.is_grounded);
                    REQUIRE_FALSE(ride.mover.wall);
                    const float way = speed * dt * static_cast<float>(i);
                    REQUIRE(std::fabs(ride.place().x - start - way) < 1e-3f);
                }
            }
        }
    }
}

TEST_CASE("a mover stays on its platform when another one comes along at the same height") {
    for (const Shape& shape : shapes) {
        for (const float pace : {0.0f, 2.0f}) {
            for (const float place : {-0.9f, 0.0f, 0.9f}) {  // of the mover on its platform
                for (const float side : {-1.0f, 1.0f}) {
                    for (const bool is_first : {false, true}) {
                        CAPTURE(pace);
                        CAPTURE(place);
                        CAPTURE(side);
                        CAPTURE(is_first);
                        World world;
                        const auto add = [&](float x, float velocity) {
                            return world.create_body({.type = BodyType::Kinematic,
                                                      .position = {x * side, -0.5f},
                                                      .velocity = {velocity * side, 0.0f}},
                                                     Box{{1.5f, 0.5f}});
                        };
                        if (!is_first) add(3.0f, -2.0f);
                        const BodyId platform = add(-3.0f, pace);
                        if (is_first) add(3.0f, -2.0f);
                        Mover mover{
                            .shape = shape,
                            .position = {(place - 3.0f) * side, half_height(shape) + 0.0005f}};
                        (void)move(world, mover, {}, dt);
                        for (int i = 0; i < 200; ++i) {
                            world.step();
                            (void)move(world, mover, {}, dt);
                            REQUIRE(mover.ground.platform == platform);
                        }
                        const float middle = world.body(platform).position().x;
                        CHECK(std::abs(mover.position.x - middle - place * side) < 1e-4f);
                    }
                }
            }
        }
    }
}

TEST_CASE("a mover that is not moved for some steps, or twice in one, stays on its platform") {
    for (const Vec2 pace :
         {Vec2{2.0f, 0.0f}, {-10.0f, 0.0f}, {40.0f, 0.0f}, {1.0f, -3.0f}, {0.0f, 3.0f}}) {
        for (const Shape& shape : shapes) {
            for (const int pause : {0, 2, 10, 60}) {
                Ride ride(pace, shape, {0.3f, 0.2f + half_height(shape)});
                ride.add(Box{{3.0f, 0.2f}});
                for (int i = 0; i < 10; ++i) ride.go({});
                const Vec2 before = ride.place();
                for (int i = 0; i < pause; ++i) ride.world.step();
                if (pause == 0) move(ride.world, ride.mover, {}, dt);
                ride.go({});
                CAPTURE(pace.x);
                CAPTURE(pause);
                CHECK(ride.mover.ground.is_grounded);
                CHECK(distance(ride.place(), before) < 1e-3f);
            }
        }
    }
}

TEST_CASE("a hop on a lift takes as long as one on the ground, however fast it rises") {
    const auto moves_in_the_air = [](Vec2 velocity, const Shape& shape, float hop) {
        Ride ride(velocity, shape, {0.0f, half_height(shape) + 0.0005f});
        ride.add(Box{{9.0f, 0.5f}, {0.0f, -0.5f}});
        move(ride.world, ride.mover, {0.0f, -0.1f}, dt);
        Vec2 left = ride.go({0.0f, hop});
        int moves = 0;
        for (; moves < 300 && !ride.mover.ground.is_grounded; ++moves) {
            left = ride.go(left - Vec2{0.0f, gravity * dt});
        }
        return moves;
    };
    for (const Shape& shape : shapes) {
        for (const float hop : {1.0f, 2.0f, 5.0f}) {
            const int at_rest = moves_in_the_air({0.0f, 0.0f}, shape, hop);
            for (const Vec2 velocity : velocities) {
                CAPTURE(velocity.x);
                CAPTURE(velocity.y);
                CHECK(std::abs(moves_in_the_air(velocity, shape, hop) - at_rest) <= 1);
            }
        }
    }
}

TEST_CASE("a jump up a hill of a ship takes as long as one of a hill at rest") {
    const auto moves_in_the_air = [](Vec2 velocity, const Shape& shape, float speed, float jump) {
        const Vec2 hill[] = {{40.0f, 20.0f}, {0.0f, 0.0f}, {-20.0f, 0.0f}};
        Ride ride(velocity, shape, {-0.5f, half_height(shape) + 0.0005f});
        ride.platform = ride.world.create_body({.type = BodyType::Kinematic, .velocity = velocity},
                                               Chain{hill});
        move(ride.world, ride.mover, {0.0f, -0.1f}, dt);
        for (int i = 0; i < 60; ++i) (void)ride.go({speed, 0.0f});
        REQUIRE(ride.mover.ground.normal.x < 0.0f);
        Vec2 left = ride.go({speed, jump});
        int moves = 0;
        for (; moves < 300 && !ride.mover.ground.is_grounded; ++moves) {
            left = ride.go(left - Vec2{0.0f, gravity * dt});
        }
        return moves;
    };
    const Vec2 paces[] = {{-4.0f, 0.0f}, {-1.0f, 0.0f}, {3.0f, 0.0f},  {0.0f, 1.0f},
                          {0.0f, 4.0f},  {-2.0f, 2.0f}, {0.0f, -1.0f}, {0.0f, -4.0f},
                          {2.0f, -2.0f}, {-1.0f, -1.0f}};
    for (const Shape& shape : shapes) {
        for (const float speed : {2.0f, 4.0f, 6.0f}) {
            for (const float jump : {1.0f, 3.0f, 6.0f}) {
                const int at_rest = moves_in_the_air({}, shape, speed, jump);
                for (const Vec2 velocity : paces) {
                    CAPTURE(velocity.x);
                    CAPTURE(velocity.y);
                    CAPTURE(speed);
                    CAPTURE(jump);
                    const int moving = moves_in_the_air(velocity, shape, speed, jump);
                    CHECK(std::abs(moving - at_rest) <= 1);
                }
            }
        }
    }
}

TEST_CASE("a mover that falls along a wall of a ship lands beside that, wherever the ship goes") {
    for (const Vec2 velocity : velocities) {
        for (const Shape& shape : shapes) {
            for (const float side : {-1.0f, 1.0f}) {
                for (const float height : {1.0f, 1.02f, 1.04f, 1.06f, 1.08f}) {
                    CAPTURE(velocity.x);
                    CAPTURE(velocity.y);
                    CAPTURE(height);
                    Ride ride(velocity, shape, {0.0f, half_height(shape) + height});
                    const float beside = outer_half_extents(shape).x + 0.0005f;
                    ride.add(Box{{0.5f, 2.0f}, {side * (0.5f + beside), 2.0f}});
                    ride.add(Box{{2.0f, 0.5f}, {0.0f, -0.5f}});
                    Vec2 left{};
                    for (int i = 0; i < 60; ++i) {
                        const bool falls = !ride.mover.ground.is_grounded;
                        left = ride.go(falls ? left - Vec2{0.0f, gravity * dt} : Vec2{});
                    }
                    CHECK(ride.mover.ground.is_grounded);
                    CHECK(std::abs(ride.place().x) < 0.002f);
                }
            }
        }
    }
}

/// Checks that places_in(velocity, shape, speed), a way in a ship, is the same however that sails.
template <class PlacesIn>
void check_in_ships(std::initializer_list<float> speeds, PlacesIn places_in) {
    for (const Shape& shape : shapes) {
        for (const float speed : speeds) {
            const std::vector<Vec2> at_rest = places_in(Vec2{}, shape, speed);
            for (const Vec2 velocity : velocities) {
                CAPTURE(velocity.x);
                CAPTURE(velocity.y);
                CAPTURE(speed);
                const std::vector<Vec2> sailing = places_in(velocity, shape, speed);
                float furthest = 0.0f;
                for (std::size_t i = 0; i < sailing.size(); ++i)
                    furthest = std::fmax(furthest, distance(sailing[i], at_rest[i]));
                CHECK(furthest < 0.002f);
            }
        }
    }
}

TEST_CASE("a mover goes and jumps in a ship that sails as in one at rest") {
    constexpr int moves = 120;
    const auto places_in = [](Vec2 velocity, const Shape& shape, float speed) {
        Ride ride(velocity, shape, {0.0f, half_height(shape) + 0.0005f});
        ride.add(Box{{3.0f, 0.5f}, {0.0f, -0.5f}});
        ride.add(Box{{3.0f, 0.5f}, {0.0f, 2.5f}});
        ride.add(Box{{0.5f, 2.0f}, {-2.5f, 1.0f}});
        ride.add(Box{{0.5f, 2.0f}, {2.5f, 1.0f}});
        move(ride.world, ride.mover, {0.0f, -0.1f}, dt);
        std::vector<Vec2> places;
        Vec2 left{};
        for (int i = 0; i < moves; ++i) {
            const bool walks = ride.mover.ground.is_grounded;
            const float jump = i % 10 == 9 ? 6.0f : 0.0f;
            left = ride.go(walks ? Vec2{i < moves / 2 ? speed : -speed, jump}
                                 : left - Vec2{0.0f, gravity * dt});
            places.push_back(ride.place());
        }
        return places;
    };
    check_in_ships({1.0f, 4.0f, 7.0f}, places_in);
}

TEST_CASE("a mover flies under a slanted roof of a ship as under that of one at rest") {
    const auto places_in = [](Vec2 velocity, const Shape& shape, float speed) {
        Ride ride(velocity, shape, {});
        const Vec2 roof[] = {{-4.0f, 0.0f}, {3.0f, 2.5f}, {-4.0f, 2.5f}};
        ride.world.create_body({.type = BodyType::Kinematic, .velocity = velocity}, Polygon(roof));
        ride.add(Box{{0.5f, 9.0f}, {2.5f, 0.0f}});
        std::vector<Vec2> places;
        Vec2 left{speed, 7.0f};
        for (int i = 0; i < 50; ++i) {
            left = ride.go(left - Vec2{0.0f, gravity * dt});
            places.push_back(ride.place());
        }
        return places;
    };
    check_in_ships({-3.0f, 1.0f, 4.0f, 7.0f}, places_in);
}

TEST_CASE("a ceiling stops a mover beside a wall that rises as beside one at rest") {
    const auto places_beside = [](float rise, const Shape& shape, float press, bool is_wall_first) {
        World world({.gravity = {}});
        const float side = outer_half_extents(shape).x;
        const float top = half_height(shape);
        for (const bool is_wall : {is_wall_first, !is_wall_first}) {
            if (is_wall) {
                world.create_body({.type = BodyType::Kinematic, .velocity = {0.0f, rise}},
                                  AABB{{side + 0.01f, -40.0f}, {side + 1.0f, 40.0f}});
            } else {
                world.create_body({.type = BodyType::Static},
                                  AABB{{-5.0f, top + 0.4f}, {side, top + 2.0f}});
            }
        }
        Mover mover{.shape = shape};
        std::vector<Vec2> places;
        Vec2 left{0.0f, 6.0f};
        for (int i = 0; i < 40; ++i) {
            world.step();
            left = move(world, mover, {press, left.y - gravity * dt}, dt);
            places.push_back(mover.position);
        }
        return places;
    };
    for (const Shape& shape : shapes) {
        for (const float press : {0.5f, 2.0f, 5.0f}) {
            const std::vector<Vec2> at_rest = places_beside(0.0f, shape, press, true);
            for (const float rise : {-20.0f, -3.0f, 1.0f, 3.0f, 8.0f, 20.0f}) {
                for (const bool is_wall_first : {true, false}) {
                    CAPTURE(press);
                    CAPTURE(rise);
                    CAPTURE(is_wall_first);
                    const std::vector<Vec2> rising =
                        places_beside(rise, shape, press, is_wall_first);
                    float furthest = 0.0f;
                    for (std::size_t i = 0; i < rising.size(); ++i)
                        furthest = std::fmax(furthest, distance(rising[i], at_rest[i]));
                    CHECK(furthest < 0.001f);
                }
            }
        }
    }
}

TEST_CASE(
    "a lid that comes down gives a mover its velocity, also if a wall that rises carries that") {
    const auto velocity_under = [](float sinks, const Shape& shape, float press, float fall) {
        World world({.gravity = {}});
        const float side = outer_half_extents(shape).x;
        const float top = half_height(shape);
        world.create_body({.type = BodyType::Kinematic, .velocity = {0.0f, 8.0f}},
                          AABB{{side + 0.0005f, -40.0f}, {side + 1.0f, 40.0f}});
        world.create_body({.type = BodyType::Kinematic, .velocity = {0.0f, -sinks}},
                          AABB{{-5.0f, top + 0.01f}, {side, top + 2.0f}});
        Mover mover{.shape = shape};
        for (int i = 0; i < 2; ++i) {
            world.step();
            move(world, mover, {press, -fall}, dt);
        }
        world.step();
        return move(world, mover, {press, -fall}, dt).y;
    };
    for (const Shape& shape : shapes) {
        for (const float sinks : {2.0f, 6.0f, 20.0f}) {
            for (const float fall : {-3.0f, 0.0f, 1.0f}) {
                for (const float press : {-1.0f, 0.0f, 1.0f, 5.0f}) {
                    CAPTURE(sinks);
                    CAPTURE(fall);
                    CAPTURE(press);
                    CHECK(velocity_under(sinks, shape, press, fall) ==
                          doctest::Approx(-sinks).epsilon(1e-3));
                }
            }
        }
    }
}

TEST_CASE(
    "a mover hits and lands on crates beside a wall that rises or sinks as beside one at rest") {
    const auto places_beside = [](float rise, const Shape& shape, float crate, float mass) {
        World world({.gravity = {0.0f, -gravity}});
        const float side = outer_half_extents(shape).x;
        world.create_body({.type = BodyType::Kinematic, .velocity = {0.0f, rise}},
                          AABB{{side + 0.005f, -80.0f}, {side + 1.0f, 80.0f}});
        world.create_body({.type = BodyType::Static},
                          AABB{{-3.0f, crate - 1.0f}, {-0.45f, crate - 0.5f}});
        world.create_body({.position = {-0.3f, crate}, .mass = mass}, Box{{0.5f, 0.5f}});
        Mover mover{.shape = shape};
        std::vector<Vec2> places;
        Vec2 left{0.0f, 6.0f};
        for (int i = 0; i < 60; ++i) {
            world.step();
            left = move(world, mover, {2.0f, left.y - gravity * dt}, dt);
            places.push_back(mover.position);
        }
        return places;
    };
    for (const float crate : {1.6f, -1.6f}) {
        for (const float mass : {20.0f, 500.0f}) {
            for (const float rise : {-8.0f, -3.0f, 3.0f, 8.0f}) {
                CAPTURE(crate);
                CAPTURE(mass);
                CAPTURE(rise);
                const std::vector<Vec2> at_rest = places_beside(0.0f, shapes[0], crate, mass);
                const std::vector<Vec2> moving = places_beside(rise, shapes[0], crate, mass);
                float furthest = 0.0f;
                for (std::size_t i = 0; i < moving.size(); ++i)
                    furthest = std::fmax(furthest, distance(moving[i], at_rest[i]));
                CHECK(furthest < 0.01f);
            }
        }
    }
}

TEST_CASE("a mover that presses against a wall that rises or sinks flies on, up and down") {
    for (const float rise : {-8.0f, -3.0f, -1.0f, 1.0f, 3.0f, 8.0f}) {
        for (const float press : {0.5f, 3.0f}) {
            for (const float jump : {0.0f, -2.0f, 4.0f, 9.0f}) {
                for (const Shape& shape : shapes) {
                    CAPTURE(rise);
                    CAPTURE(press);
                    CAPTURE(jump);
                    const float beside = outer_half_extents(shape).x + 0.0005f;
                    Ride ride({0.0f, rise}, shape, {-1.0f - beside, 0.0f});
                    ride.add(Box{{1.0f, 99.0f}});
                    float speed = jump;
                    for (int i = 1; i <= 60; ++i) {
                        ride.world.step();
                        speed = move(ride.world, ride.mover, {press, speed - gravity * dt}, dt).y;
                        const float fall = gravity * dt * static_cast<float>(i);
                        CHECK(speed == doctest::Approx(jump - fall).epsilon(1e-3));
                    }
                }
            }
        }
    }
}

TEST_CASE("beside a wall of pieces that moves at a slant a mover falls as in free flight") {
    for (const float pace : {-4.0f, -2.0f, -0.5f, 1.0f, 3.0f}) {
        for (const float rise : {-4.0f, -1.0f, 1.0f, 4.0f}) {
            for (const float start : {0.0f, 0.17f, 0.34f, 0.51f, 0.68f, 0.85f}) {
                for (const Shape& shape : shapes) {
                    CAPTURE(pace);
                    CAPTURE(rise);
                    CAPTURE(start);
                    const float beside = outer_half_extents(shape).x + 0.0005f;
                    Ride ride({pace, rise}, shape, {-beside, start});
                    for (int i = -20; i <= 20; ++i)
                        ride.add(Box{{0.5f, 0.5f}, {0.5f, static_cast<float>(i)}});
                    float fall = 0.0f;
                    float height = start;
                    for (int i = 0; i < 45; ++i) {
                        ride.world.step();
                        fall -= gravity * dt;
                        height += fall * dt;
                        move(ride.world, ride.mover, {pace, fall}, dt);
                        CHECK(std::abs(ride.mover.position.y - height) < 0.002f);
                    }
                }
            }
        }
    }
}

TEST_CASE("movers with one-way bodies ride on each other on a lift, however that moves") {
    constexpr int riders = 3;
    World world({.gravity = {0.0f, -gravity}});
    const BodyId lift = world.create_body({.type = BodyType::Kinematic}, Box{{4.0f, 0.5f}});
    Mover movers[riders];
    for (int i = 0; i < riders; ++i) {
        const Vec2 place{0.0f, 1.001f + 1.001f * static_cast<float>(i)};
        const BodyId body = world.create_body({.type = BodyType::Kinematic, .position = place},
                                              shapes[0], {}, {.one_way = OneWay::Up});
        for (const OneWay side : {OneWay::Left, OneWay::Right}) {
            world.add_collider(body, shapes[0], {}, {.one_way = side});
        }
        movers[i] = {.shape = shapes[0], .position = place, .filter = {.except = body}};
    }
    Vec2 places[riders];
    for (int i = 0; i < 300; ++i) {
        const float time = static_cast<float>(std::max(i - 20, 0)) * dt;
        world.body(lift).move_to({std::sin(3.0f * time), std::sin(5.0f * time)});
        world.step();
        for (int k = 0; k < riders; ++k) {
            Mover& mover = movers[k];
            move(world, mover, {0.0f, mover.ground.is_grounded ? 0.0f : -1.0f}, dt);
            world.body(mover.filter.except).teleport(mover.position);
            const Vec2 place = mover.position - world.body(lift).position();
            if (i == 20) places[k] = place;
            if (i <= 20) continue;
            CHECK(mover.ground.is_grounded);
            CHECK_FALSE(mover.crush);
            CHECK(distance(place, places[k]) < 1e-4f);
        }
    }
}

}  // namespace mover_ride_test

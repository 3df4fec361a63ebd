// SPDX-License-Identifier: MIT
// Rows and walls of boxes that move, or are free to, catch nothing with their corners; outer
// corners of terrain let no box in. SCENES [1] [2] [12]
#include <cmath>
#include <initializer_list>

#include <doctest/doctest.h>
#include <phys2d/phys2d.hpp>

#include "../support/random.hpp"

namespace corner_test {

using namespace phys2d;
using test::Random;

namespace {

constexpr Material slippery{.friction = 0.0f};

enum class Floor { Resting, Rising, Sliding, Free };

/// Boxes of 0.7 m from x = -49 to 49, with their tops at y = 0 to begin with, and what they move
/// at.
Vec2 add_floor(World& world, Floor floor) {
    constexpr float half = 0.35f;
    Vec2 velocity{};
    if (floor == Floor::Rising) velocity = {0.0f, 0.5f};
    if (floor == Floor::Sliding) velocity = {-3.0f, 0.0f};
    const bool is_free = floor == Floor::Free;
    for (int i = -70; i < 70; ++i) {
        world.create_body({.type = is_free ? BodyType::Dynamic : BodyType::Kinematic,
                           .position = {2.0f * half * (static_cast<float>(i) + 0.5f), -half},
                           .velocity = velocity},
                          Box{{half, half}}, slippery);
    }
    if (is_free) {
        world.create_body({.type = BodyType::Static, .position = {0.0f, -2.0f * half - 1.0f}},
                          Box{{60.0f, 1.0f}}, slippery);
    }
    return velocity;
}

/// What slides over a floor, and what acts on it.
struct Slide {
    Floor floor;
    Shape shape;
    float speed;
    float rate = 60.0f;
    float gravity_scale = 1.0f;
    float force = 0.0f;  // downwards, per mass [m/s²]
};

struct Lost {
    float speed = 0.0f;   // the largest part of it that was lost
    float height = 0.0f;  // how far it came off the floor, up or down [m]
};

/// What it loses within 40 m, or two seconds.
Lost lost_in(const Slide& slide) {
    World world({.gravity = {0.0f, -10.0f}, .time_step = 1.0f / slide.rate});
    const Vec2 carried = add_floor(world, slide.floor);
    const float height = outer_half_extents(slide.shape).y;
    const BodyId body = world.create_body({.position = {-20.0f, height},
                                           .velocity = {slide.speed + carried.x, carried.y},
                                           .gravity_scale = slide.gravity_scale},
                                          slide.shape, slippery);
    Lost lost;
    for (int i = 1; i <= 2 * static_cast<int>(slide.rate); ++i) {
        BodyRef slider = world.body(body);
        if (slider.position().x > 20.0f) break;
        slider.apply_force({0.0f, -slide.force / slider.inverse_mass()});
        world.step();
        const float expected = height + carried.y * static_cast<float>(i) / slide.rate;
        lost.speed = std::fmax(lost.speed, 1.0f - (slider.velocity().x - carried.x) / slide.speed);
        lost.height = std::fmax(lost.height, std::fabs(slider.position().y - expected));
    }
    return lost;
}

/// How many of 600 steps a body takes to fall 30 m along a wall whose corners it overlaps.
int steps_along_wall(BodyType type, float overlap) {
    World world({.gravity = {0.0f, -10.0f}});
    for (int i = 0; i < 40; ++i) {
        const float y = -0.5f - static_cast<float>(i);
        world.create_body(
            {.type = type, .position = {-0.5f, y}, .mass = 0.0f, .gravity_scale = 0.0f},
            Box{{0.5f, 0.5f}}, slippery);
    }
    const BodyId body =
        world.create_body({.position = {0.25f - overlap, 0.25f}}, Box{{0.25f, 0.25f}}, slippery);
    int count = 0;
    for (; world.body(body).position().y > -30.0f && count < 600; ++count) world.step();
    return count;
}

enum class Solid { Map, Polygon, Chain, Boxes };

/// Fills x <= 0, y <= 0, as far as 10 m.
void add_quadrant(World& world, Solid solid) {
    const BodyDef fixed{.type = BodyType::Static};
    const Vec2 outline[] = {{0.0f, -10.0f}, {0.0f, 0.0f}, {-10.0f, 0.0f}};
    switch (solid) {
        case Solid::Map: {
            TileMapRef map = world.tile_map(world.create_tile_map());
            map.define(1);
            map.fill({{-10, -10}, {-1, -1}}, 1);
            break;
        }
        case Solid::Polygon:
            world.create_body(fixed, Polygon(AABB{{-10.0f, -10.0f}, {0.0f, 0.0f}}));
            break;
        case Solid::Chain: world.create_body(fixed, Chain{outline}); break;
        case Solid::Boxes:
            world.create_body(fixed, Box{{0.5f, 5.0f}, {-0.5f, -5.0f}});
            world.create_body(fixed, Box{{4.5f, 5.0f}, {-5.5f, -5.0f}});
            break;
    }
}

/// How deep a box of half extents `half`, whose lower left vertex flies from `vertex`, gets into
/// the quadrant within some steps [m].
float deepest(Solid solid, Vec2 half, Vec2 vertex, Vec2 velocity, int steps) {
    World world({.gravity = {}});
    add_quadrant(world, solid);
    const BodyId body =
        world.create_body({.position = vertex + half, .velocity = velocity}, Box{half});
    float depth = 0.0f;
    for (int i = 0; i < steps; ++i) {
        world.step();
        const Vec2 overlap = half - world.body(body).position();
        depth = std::fmax(depth, std::fmin(overlap.x, overlap.y));
    }
    return depth;
}

constexpr std::initializer_list<Solid> solids = {Solid::Map, Solid::Polygon, Solid::Chain,
                                                 Solid::Boxes};

}  // namespace

TEST_CASE("boxes that slide over a row of boxes that move or are free to keep their speed") {
    for (const Floor floor : {Floor::Resting, Floor::Rising, Floor::Sliding, Floor::Free}) {
        for (const float rate : {30.0f, 60.0f, 240.0f}) {
            for (const Box& box : {Box{{0.3f, 0.3f}}, Box{{1.2f, 0.2f}}}) {
                for (float speed = 0.5f; speed < 200.0f; speed *= 1.3f) {
                    CAPTURE(static_cast<int>(floor));
                    CAPTURE(rate);
                    CAPTURE(box.half_extents.x);
                    CAPTURE(speed);
                    const Lost lost = lost_in({floor, box, speed, rate});
                    CHECK(lost.speed <= 1e-4f);
                    CHECK(lost.height <= 5e-3f);
                }
            }
        }
    }
}

TEST_CASE(
    "they do so whatever presses them down, as long as it does not press them in by the slop") {
    for (const float speed : {0.5f, 4.0f, 20.0f, 100.0f}) {
        for (const Shape& shape : {Shape(Box{{0.3f, 0.3f}}), Shape(Circle{0.3f})}) {
            CAPTURE(speed);
            CAPTURE(shape.radius);
            const float most = shape.radius > 0.0f ? 2e-3f : 1e-4f;
            CHECK(lost_in({Floor::Resting, shape, speed, 60.0f, 6.0f}).speed <= most);
            CHECK(lost_in({Floor::Sliding, shape, speed, 60.0f, 0.0f, 40.0f}).speed <= most);
        }
    }
}

TEST_CASE("what is round keeps its speed over such a row, but for half a thousandth") {
    for (const Floor floor : {Floor::Resting, Floor::Rising, Floor::Sliding, Floor::Free}) {
        for (const Shape& shape : {Shape(Circle{0.3f}), Shape(Capsule{0.4f, 0.2f})}) {
            for (float speed = 0.5f; speed < 200.0f; speed *= 1.3f) {
                CAPTURE(static_cast<int>(floor));
                CAPTURE(shape.half_extents.y);
                CAPTURE(speed);
                const Lost lost = lost_in({floor, shape, speed});
                // free boxes lie at different depths below what rolls over them
                CHECK(lost.speed <= (floor == Floor::Free ? 5e-3f : 5e-4f));
                CHECK(lost.height <= 5e-3f);
            }
        }
    }
}

TEST_CASE("a ball that meets a corner bounces off the plane that touches both") {
    constexpr float radius = 0.3f;
    constexpr float speed = 7.0f;
    const Vec2 ahead{0.70710678f, -0.70710678f};
    const Vec2 left = perpendicular(ahead);
    for (float aside = -0.2f; aside <= 0.2f; aside += 0.04f) {
        World world({.gravity = {0.0f, 0.0f}});
        const Material elastic{.restitution = 1.0f, .friction = 0.0f};
        world.create_body({.type = BodyType::Kinematic, .position = {1.0f, -1.0f}},
                          Box{{1.0f, 1.0f}}, elastic);  // its corner is at 0, 0
        const BodyId ball =
            world.create_body({.position = left * aside - ahead * 3.0f, .velocity = ahead * speed},
                              Circle{radius}, elastic);
        for (int i = 0; i < 60; ++i) world.step();
        const float lean = aside / radius;
        const float against = std::sqrt(1.0f - lean * lean);
        const Vec2 normal = left * lean - ahead * against;
        const Vec2 expected = ahead * speed + normal * (2.0f * speed * against);
        CAPTURE(aside);
        // within the margin the plane is the one that touches both now, up to 2 cm ahead
        CHECK(length(world.body(ball).velocity() - expected) < 0.02f * speed);
    }
}

TEST_CASE("what falls onto a one-way box from any height lands on it") {
    for (const float rate : {30.0f, 60.0f, 240.0f}) {
        for (const float restitution : {0.0f, 0.8f}) {
            for (const Shape& shape : {Shape(Box{{0.4f, 0.4f}}), Shape(Circle{0.4f})}) {
                int fell = 0;
                for (int i = 0; i < 60; ++i) {
                    World world({.time_step = 1.0f / rate});
                    world.create_body({.type = BodyType::Kinematic}, Box{{5.0f, 0.1f}}, {},
                                      {.one_way = OneWay::Up});
                    const float y = 1.1f + 0.0871f * static_cast<float>(i);
                    const BodyId body = world.create_body({.position = {0.0f, y}}, shape,
                                                          {.restitution = restitution});
                    for (int k = 0; k < 3 * static_cast<int>(rate); ++k) world.step();
                    fell += world.body(body).position().y < 0.45f ? 1 : 0;
                }
                CAPTURE(rate);
                CAPTURE(restitution);
                CHECK(fell == 0);
            }
        }
    }
}

TEST_CASE("what falls along a wall of boxes that do not rest lands on none of them") {
    const int free_fall = static_cast<int>(60.0 * std::sqrt(2.0 * 30.25 / 10.0)) + 2;
    for (const BodyType type : {BodyType::Kinematic, BodyType::Dynamic}) {
        for (const float overlap : {-1e-4f, 0.0f, 1e-4f, 1e-3f}) {
            CAPTURE(static_cast<int>(type));
            CAPTURE(overlap);
            CHECK(steps_along_wall(type, overlap) <= free_fall);
        }
    }
    CHECK(steps_along_wall(BodyType::Kinematic, 0.02f) == 600);  // far more than the slop: it lands
}

TEST_CASE("a box stands on an edge that it overlaps by more than the slop, at any rate") {
    const auto stands = [](float size, float overlap, float rate) {
        World world({.gravity = {0.0f, -10.0f}, .time_step = 1.0f / rate});
        world.create_body({.type = BodyType::Kinematic, .position = {-1.0f, -1.0f}},
                          Box{{1.0f, 1.0f}}, slippery);
        const BodyId body =
            world.create_body({.position = {size - overlap, size}}, Box{{size, size}});
        for (int i = 0; i < static_cast<int>(rate); ++i) world.step();
        return std::fabs(world.body(body).position().y - size) < 2e-3f;
    };
    for (const float rate : {20.0f, 60.0f, 240.0f}) {
        CAPTURE(rate);
        CHECK(stands(0.25f, 3e-3f, rate));
        CHECK_FALSE(stands(0.25f, 1e-3f, rate));
    }
    for (const float size : {2e-3f, 4e-3f}) {  // of small ones it is a quarter of the half extent
        CAPTURE(size);
        CHECK(stands(size, 0.35f * size, 240.0f));
        CHECK_FALSE(stands(size, 0.15f * size, 240.0f));
    }
}

TEST_CASE("a ball that lies in a gap between two corners stays there, come to rest") {
    for (const float gap : {0.1f, 0.3f, 0.6f, 0.9f}) {
        for (const float friction : {0.0f, 0.6f}) {
            World world({.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.0f});
            for (const float side : {-1.0f, 1.0f}) {
                world.create_body(
                    {.type = BodyType::Kinematic, .position = {side * (1.0f + 0.5f * gap), -1.0f}},
                    Box{{1.0f, 1.0f}}, {.friction = friction});
            }
            const float height = std::sqrt(0.25f - 0.25f * gap * gap);
            const BodyId ball = world.create_body({.position = {0.0f, height + 0.2f}}, Circle{0.5f},
                                                  {.friction = friction});
            for (int i = 0; i < 600; ++i) world.step();
            const BodyRef lying = world.body(ball);
            INFO("gap ", gap, ", friction ", friction);
            CHECK(std::fabs(lying.position().x) < 2e-3f);
            CHECK(std::fabs(lying.position().y - height) < 0.01f);
            CHECK(length(lying.velocity()) < 1e-3f);
        }
    }
}

TEST_CASE("a box that overlaps an outer corner alike along both axes goes in no further") {
    for (const Solid solid : solids) {
        CAPTURE(static_cast<int>(solid));
        Random random(5);
        for (int i = 0; i < 500; ++i) {
            const Vec2 half{random.uniform(0.1f, 0.5f), random.uniform(0.1f, 0.5f)};
            const Vec2 overlap{random.uniform(0.0f, 0.012f), random.uniform(0.0f, 0.012f)};
            const float steepness = random.uniform(0.2f, 0.98f);
            const Vec2 direction{-steepness, -std::sqrt(1.0f - steepness * steepness)};
            const Vec2 velocity = direction * random.uniform(1.0f, 50.0f);
            CHECK(deepest(solid, half, Vec2{} - overlap, velocity, 5) < 0.013f);
        }
    }
}

TEST_CASE("a box that flies at an outer corner stops at it") {
    for (const Solid solid : solids) {
        CAPTURE(static_cast<int>(solid));
        Random random(6);
        for (int i = 0; i < 2'000; ++i) {
            const Vec2 half{random.uniform(0.1f, 0.5f), random.uniform(0.1f, 0.5f)};
            const float steepness = random.uniform(0.2f, 0.98f);
            const Vec2 direction{-steepness, -std::sqrt(1.0f - steepness * steepness)};
            const Vec2 velocity = direction * random.uniform(1.0f, 15.0f);
            const Vec2 aside{random.uniform(-0.001f, 0.001f), 0.0f};
            const float seconds = random.uniform(0.02f, 0.3f);
            const Vec2 vertex = aside - velocity * seconds;
            const int steps = static_cast<int>(seconds * 60.0f) + 3;
            CHECK(deepest(solid, half, vertex, velocity, steps) < 0.003f);
        }
    }
}

TEST_CASE("loaded boxes stay on either end of a line, however far they jut out") {
    for (const float end : {2.0f, -2.0f}) {
        const Vec2 points[] = {{end, 0.0f}, {0.0f, 0.0f}, {-end, 0.0f}};
        for (const Outline& line :
             {Outline(Segment{points[0], points[2]}), Outline(Segment{points[2], points[0]}),
              Outline(Chain{.points = points, .is_two_sided = true})}) {
            for (const float out : {-0.1f, 0.05f, 0.2f}) {
                for (const float side : {1.0f, -1.0f}) {
                    CAPTURE(out);
                    CAPTURE(side);
                    World world({.gravity = {0.0f, -10.0f}});
                    world.create_body({.type = BodyType::Static}, line);
                    const float x = side * (2.0f + out);
                    const Box box{{0.3f, 0.3f}};
                    const BodyId lower =
                        world.create_body({.position = {x, 0.3f}, .mass = 1.0f}, box);
                    world.create_body({.position = {x, 0.9f}, .mass = 30.0f}, box);
                    for (int i = 0; i < 300; ++i) world.step();
                    CHECK(std::fabs(world.body(lower).position().x - x) < 1e-3f);
                    CHECK(world.body(lower).position().y > 0.29f);
                }
            }
        }
    }
}

TEST_CASE(
    "a box that overlaps the corner of a slope comes out behind the side that it is less deep in") {
    for (const float side : {1.0f, -1.0f}) {
        const Vec2 left[] = {{-1.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 0.5f}, {-1.0f, 1.0f}};
        const Vec2 right[] = {{-1.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}, {-1.0f, 0.5f}};
        const Vec2 start{side * 1.295f, 1.1f};
        World world({.gravity = {}});
        world.create_body({.type = BodyType::Static}, Polygon(side > 0.0f ? right : left));
        const BodyId box = world.create_body({.position = start}, Box{{0.3f, 0.3f}});
        for (int i = 0; i < 60; ++i) world.step();
        CHECK(distance(world.body(box).position(), start) < 0.006f);
        Mover mover{.shape = Box{{0.3f, 0.3f}}, .position = start};
        (void)move(world, mover, {}, 1.0f / 60.0f);
        CHECK(distance(mover.position, start) < 0.006f);
    }
}

TEST_CASE("a mover that overlaps a slanted line near its end comes out across it") {
    for (const float side : {1.0f, -1.0f}) {
        const Vec2 end{side, 0.05f};
        const Vec2 start{side * 1.2152f, -0.2492f};
        World world({.gravity = {}});
        world.create_body({.type = BodyType::Static}, Segment{end, -end});
        Mover mover{.shape = Box{{0.3f, 0.3f}}, .position = start};
        (void)move(world, mover, {}, 1.0f / 60.0f);
        CHECK(distance(mover.position, start) < 0.006f);
    }
}

TEST_CASE("a slim box that is deep in the upper end of a ramp does not fall through it") {
    for (const float side : {1.0f, -1.0f}) {
        for (const float low : {0.95f, 0.5f}) {
            const Vec2 right[] = {{0.0f, 0.0f}, {2.0f, 0.0f}, {2.0f, 1.0f}, {0.0f, low}};
            const Vec2 left[] = {{0.0f, 0.0f}, {0.0f, low}, {-2.0f, 1.0f}, {-2.0f, 0.0f}};
            World world({.gravity = {0.0f, -10.0f}});
            world.create_body({.type = BodyType::Static}, Polygon(side > 0.0f ? right : left));
            const BodyId box =
                world.create_body({.position = {side * 1.97f, 1.15f}}, Box{{0.1f, 0.4f}});
            world.step();
            CHECK(world.body(box).position().y > 1.15f);
            for (int i = 0; i < 60; ++i) world.step();
            CHECK(world.body(box).position().y > 1.39f);
        }
    }
}

TEST_CASE("a box that a slope turns back beside the upper end of a wall flies over that") {
    for (const float side : {1.0f, -1.0f}) {
        for (const float gap : {0.0005f, 0.001f, 0.002f, 0.01f}) {
            for (const float height : {0.2f, 0.4f}) {
                CAPTURE(side);
                CAPTURE(gap);
                CAPTURE(height);
                World world({.gravity = {}});
                const Material elastic{.restitution = 1.0f, .friction = 0.0f};
                TileMapRef map = world.tile_map(world.create_tile_map());
                map.define(1, {.material = elastic});
                map.set({side > 0.0f ? -1 : 0, -1}, 1);
                const Vec2 foot{0.15f, height - 0.2f};
                const Vec2 top = foot + Vec2{1.0f, 1.0f};
                const Vec2 under = foot + Vec2{1.0f, 0.0f};
                const BodyDef fixed{.type = BodyType::Static};
                if (side > 0.0f) {
                    world.create_body(fixed, Polygon{foot, under, top}, elastic);
                } else {
                    const auto mirrored = [](Vec2 v) { return Vec2{-v.x, v.y}; };
                    world.create_body(
                        fixed, Polygon{mirrored(under), mirrored(foot), mirrored(top)}, elastic);
                }
                const BodyId box = world.create_body(
                    {.position = {side * (0.1f + gap), height}, .velocity = {side * 25.0f, -28.0f}},
                    Box{{0.1f, 0.075f}}, elastic);
                world.step();
                CHECK(side * world.body(box).velocity().x < -27.0f);
                CHECK(world.events().hits.size() == 1);
            }
        }
    }
}

}  // namespace corner_test

// SPDX-License-Identifier: MIT
// Is each body looked at for itself, whoever is beside it and however large the world has been?
#include <algorithm>
#include <cstddef>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "../support/random.hpp"

namespace continuity_test {

using namespace phys2d;
using namespace phys2d::detail;

TEST_CASE("who is off course is the same at every width of lanes") {
    test::Random random;
    constexpr float dt = 1.0f / 60.0f;
    constexpr float size = 0.5f;
    WorldState world{.config = {.time_step = dt}};
    for (int i = 0; i < 8; ++i) create_body(world, {}, Box{{size, size}}, {}, {});
    world.solver.make_room(8);
    int wrong = 0, off = 0;
    for (int round = 0; round < 2'000; ++round) {
        for (int i = 0; i < 8; ++i) {
            const float reach = random.one_in(3) ? 0.4f : 0.2f;  // some beyond what is surely safe
            const Vec2 way = random.point(reach), meant = random.point(reach) / dt;
            world.bodies.velocities[i] = meant;
            world.bodies.narrow.motions[i] = {0.0f, 0.0f, meant.x, meant.y};
            world.solver.state[i] = {meant.x, meant.y, way.x, way.y};
        }
        unsigned one_by_one = 0;
        for (unsigned i = 0; i < 8; ++i) one_by_one |= are_off_course<1>(world, i) << i;
        const unsigned by_four = are_off_course<4>(world, 0) | are_off_course<4>(world, 4) << 4;
        wrong += by_four == one_by_one ? 0 : 1;
        wrong += are_off_course<8>(world, 0) == one_by_one ? 0 : 1;
        off += one_by_one != 0 ? 1 : 0;
    }
    CHECK(wrong == 0);
    CHECK(off > 1'000);
}

TEST_CASE("a world that was larger looks as often as its copy") {
    World world({.gravity = {}});
    std::vector<BodyId> many;
    for (int i = 0; i < 2'000; ++i) {
        many.push_back(
            world.create_body({.position = {static_cast<float>(i), 500.0f}}, Circle{0.3f}));
    }
    world.step();
    for (const BodyId id : many) world.destroy_body(id);
    test::Random random;
    world.create_body({.type = BodyType::Static}, Segment{{-4.0f, -4.0f}, {-4.0f, 4.0f}});
    for (int i = 0; i < 60; ++i) {
        world.create_body({.position = random.point(3.5f), .velocity = random.point(200.0f)},
                          Circle{0.3f}, {.restitution = 1.0f});
    }
    World copy = world;
    for (int i = 0; i < 60; ++i) world.step(), copy.step();
    CHECK(world.state_hash() == copy.state_hash());
}

TEST_CASE("what moves on with what stops it is not looked at until no more may be") {
    WorldState world{.config = {.gravity = {}}};
    constexpr float half = 31.0f;
    const Material elastic{.restitution = 1.0f, .friction = 0.0f};
    for (const Vec2 side :
         {Vec2{1.0f, 0.0f}, Vec2{-1.0f, 0.0f}, Vec2{0.0f, 1.0f}, Vec2{0.0f, -1.0f}}) {
        create_body(world, {.type = BodyType::Static}, HalfSpace{-side, -half}, elastic, {});
    }
    test::Random random;
    for (int i = 0; i < 400; ++i) {
        const Vec2 place{3.0f * static_cast<float>(i % 20) - 28.5f,
                         3.0f * static_cast<float>(i / 20) - 28.5f};
        const Shape shape = i % 2 == 0 ? Shape(Circle{0.5f}) : Shape(Box{{0.5f, 0.5f}});
        create_body(world, {.position = place, .velocity = random.point(60.0f)}, shape, elastic,
                    {});
    }
    Alone alone;
    std::size_t looks = 0;
    std::ptrdiff_t most = 0;
    for (int i = 0; i < 60; ++i) {
        step<PHYS2D_LANES>(world, alone);
        const Array<std::int32_t>& slots = world.off_course.slots;
        looks += slots.size();
        for (const std::int32_t slot : slots) {
            most = std::max(most, std::count(slots.begin(), slots.end(), slot));
        }
    }
    CHECK(looks > 1'000);
    CHECK(most < 30);
}

TEST_CASE("a ball that rebounds is stopped by a crate that was, or replaced, a welded box") {
    for (const bool is_replaced : {false, true}) {
        CAPTURE(is_replaced);
        World world({.gravity = {0.0f, 0.0f}});
        const auto add_box = [&](Vec2 position, Vec2 half, const Material& material) {
            return world.create_body({.type = BodyType::Static, .position = position}, Box{half},
                                     material);
        };
        BodyId crate = add_box({0.0f, 9.0f}, {0.5f, 0.5f}, {});
        add_box({1.0f, 9.0f}, {0.5f, 0.5f}, {});
        add_box({5.0f, 0.0f}, {0.5f, 5.0f}, {.restitution = 1.0f});
        const BodyId ball =
            world.create_body({.position = {0.5f, 9.6f}}, Circle{0.1f}, {.restitution = 1.0f});
        world.step();  // the faces of the two boxes are found for the ball
        if (is_replaced) {
            world.destroy_body(crate);
            crate = world.create_body({}, Box{{0.1f, 2.0f}});
        } else {
            world.body(crate).set_type(BodyType::Dynamic);
            world.body(crate).teleport({0.0f, 0.0f});
            world.body(crate).set_shape(Box{{0.1f, 2.0f}});
        }
        world.body(crate).set_mass(100.0f);
        world.body(ball).teleport({2.0f, 0.5f});
        world.body(ball).set_velocity({600.0f, 0.0f});
        for (int i = 0; i < 4; ++i) world.step();
        CHECK(world.body(ball).position().x > 0.0f);
    }
}

/// How many bullets among posts are looked at in a step, and where it takes them.
struct Shooting {
    std::size_t looks;
    std::vector<Vec2> places;
};

/// The bullets ignore each other.
Shooting shoot(const std::vector<BodyDef>& bullets) {
    WorldState world{.config = {.gravity = {}}};
    const Material elastic{.restitution = 1.0f};
    for (const float x : {0.0f, 0.4f, 0.8f}) {
        create_body(world, {.type = BodyType::Static, .position = {x, 0.0f}}, Circle{0.1f}, elastic,
                    {});
    }
    std::vector<BodyId> ids;
    for (const BodyDef& bullet : bullets) {
        ids.push_back(create_body(world, bullet, Circle{0.05f}, elastic,
                                  {.filter = {.category = 2, .mask = ~2ull}}));
    }
    Alone alone;
    step<PHYS2D_LANES>(world, alone);
    Shooting result{.looks = world.off_course.slots.size(), .places = {}};
    for (const BodyId id : ids) {
        result.places.push_back(world.bodies.positions[world.bodies.slots.slot_of(id)]);
    }
    return result;
}

TEST_CASE("bullets that ignore each other are looked at as often as each would be alone") {
    test::Random random;
    std::size_t looks = 0;
    for (int round = 0; round < 20; ++round) {
        std::vector<BodyDef> bullets;
        for (int i = 0; i < 50; ++i) {
            bullets.push_back({.position = Vec2{0.4f, -0.5f} + random.point(0.3f),
                               .velocity = Vec2{0.0f, 30.0f} + random.point(3.0f)});
        }
        const Shooting together = shoot(bullets);
        std::size_t looks_alone = 0;
        for (std::size_t i = 0; i < bullets.size(); ++i) {
            const Shooting alone = shoot({bullets[i]});
            looks_alone += alone.looks;
            CHECK(together.places[i] == alone.places[0]);
        }
        CHECK(together.looks == looks_alone);
        looks += looks_alone;
    }
    CHECK(looks > 100);
}

}  // namespace continuity_test

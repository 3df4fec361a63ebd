// SPDX-License-Identifier: MIT
// Does what is changed between two steps act in the next one?
#include <cmath>
#include <type_traits>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

namespace changes_test {

using namespace phys2d;

namespace {

void run(World& world, int steps) {
    for (int i = 0; i < steps; ++i) world.step();
}

/// A box at rest on a box that has its id in `floor`.
struct Resting {
    World world{WorldConfig{.gravity = {0.0f, -10.0f}}};
    BodyId floor, box;

    Resting() {
        floor = world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}},
                                  Box{{5.0f, 1.0f}});
        box = world.create_body({.position = {0.0f, 0.5f}}, Box{{0.5f, 0.5f}});
        run(world, 60);
    }

    [[nodiscard]] bool falls_in_the_next_step() {
        world.step();
        // a step of free fall from rest: g dt
        return std::fabs(world.body(box).velocity().y + 10.0f / 60.0f) < 1e-4f;
    }
};

/// Bodies far away, so that what changes is a small part of all.
void add_others(World& world) {
    for (float x = 10.0f; x < 40.0f; x += 1.5f) {
        world.create_body({.position = {x, 50.0f}, .gravity_scale = 0.0f}, Box{{0.5f, 0.5f}});
    }
}

/// A box that sleeps on a collider which was added to a body far below.
struct OnShelf {
    World world{WorldConfig{.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.3f}};
    BodyId frame, box;
    ColliderId shelf;

    explicit OnShelf(BodyType type) {
        frame = world.create_body({.type = type, .position = {0.0f, -9.0f}}, Circle{1.0f});
        shelf = world.add_collider(frame, Box{{1.0f, 0.5f}, {0.0f, 8.5f}});
        box = world.create_body({.position = {0.0f, 0.5f}}, Box{{0.5f, 0.5f}});
        add_others(world);
        run(world, 60);
        REQUIRE(world.body(box).is_asleep());
        CHECK(world.body(box).position().y == doctest::Approx(0.5).epsilon(0.01));
    }
};

/// Level ground at height 0, of terrain.
constexpr int kinds_of_ground = 4;
ColliderId add_ground(World& world, BodyType type, int kind) {
    const auto add = [&](const Outline& outline) {
        return first_collider(world.create_body({.type = type}, outline));
    };
    switch (kind) {
        case 0: return add(HalfSpace{});
        case 1: return add(Segment{{50.0f, 0.0f}, {-50.0f, 0.0f}});
        case 2: return add(Polygon{{-50.0f, -1.0f}, {50.0f, -1.0f}, {50.0f, 0.0f}, {-50.0f, 0.0f}});
        default: break;
    }
    TileMapRef tiles =
        world.tile_map(world.create_tile_map({.type = type, .position = {-50.0f, -1.0f}}));
    const ColliderId ground = tiles.define(1);
    tiles.fill({{0, 0}, {99, 0}}, 1);
    return ground;
}

/// Whether a value that a call returned may be assigned to.
template <class Value>
constexpr bool is_assignable(Value&&) {
    return std::is_assignable_v<Value&&, std::remove_cvref_t<Value>>;
}

}  // namespace

TEST_CASE("nothing is assigned by mistake to what a body or a collider returns by value") {
    World world;
    const BodyId id = world.create_body({}, Circle{0.5f});
    const BodyRef body = world.body(id);
    CHECK_FALSE(is_assignable(body.position()));
    CHECK_FALSE(is_assignable(body.velocity()));
    CHECK_FALSE(is_assignable(body.shape()));
    CHECK_FALSE(is_assignable(body.material()));
    CHECK_FALSE(is_assignable(body.collider_def()));
    CHECK_FALSE(is_assignable(body.filter()));
    const ColliderRef collider = world.collider(world.add_collider(id, Circle{0.5f}));
    CHECK_FALSE(is_assignable(collider.shape()));
    CHECK_FALSE(is_assignable(collider.material()));
    CHECK_FALSE(is_assignable(collider.def()));
    CHECK_FALSE(is_assignable(collider.filter()));
    CHECK(is_assignable(body.interpolated_position(0.5f)));  // as any other value
}

TEST_CASE("a box falls in the step after its floor is destroyed") {
    Resting scene;
    scene.world.destroy_body(scene.floor);
    CHECK(scene.falls_in_the_next_step());
}

TEST_CASE("a box falls in the step after its floor is teleported away") {
    Resting scene;
    scene.world.body(scene.floor).teleport({0.0f, -50.0f});
    CHECK(scene.falls_in_the_next_step());
}

TEST_CASE("a box falls in the step after its floor has become smaller than the gap to it") {
    Resting scene;
    scene.world.body(scene.floor).set_shape(Box{{5.0f, 0.5f}});
    CHECK(scene.falls_in_the_next_step());
}

TEST_CASE("a box lands on a floor that is teleported, grown or made static under it") {
    for (const int change : {0, 1, 2}) {
        CAPTURE(change);
        World world({.gravity = {0.0f, -10.0f}});
        const BodyDef elsewhere{.type = change == 2 ? BodyType::Kinematic : BodyType::Static,
                                .position = {change == 0 ? 90.0f : 0.0f, -1.0f}};
        const BodyId floor = world.create_body(elsewhere, Box{{change == 1 ? 0.1f : 5.0f, 1.0f}});
        const BodyId box = world.create_body({.position = {2.0f, 1.0f}}, Box{{0.5f, 0.5f}});
        world.step();
        if (change == 0) world.body(floor).teleport({0.0f, -1.0f});
        if (change == 1) world.body(floor).set_shape(Box{{5.0f, 1.0f}});
        if (change == 2) world.body(floor).set_type(BodyType::Static);
        run(world, 60);
        CHECK(world.body(box).position().y == doctest::Approx(0.5).epsilon(0.002));
    }
}

TEST_CASE("box and floor fall side by side in the step after the floor has become dynamic") {
    Resting scene;
    scene.world.body(scene.floor).set_type(BodyType::Dynamic);
    CHECK(scene.falls_in_the_next_step());
    CHECK(scene.world.body(scene.floor).velocity().y ==
          doctest::Approx(-10.0 / 60.0).epsilon(1e-3));
}

TEST_CASE("a falling box stands still once it is static, and falls again once it is dynamic") {
    Resting scene;
    scene.world.destroy_body(scene.floor);
    run(scene.world, 10);
    const Vec2 place = scene.world.body(scene.box).position();
    scene.world.body(scene.box).set_type(BodyType::Static);
    run(scene.world, 10);
    CHECK(scene.world.body(scene.box).position() == place);
    CHECK(scene.world.body(scene.box).velocity() == Vec2{});
    scene.world.body(scene.box).set_type(BodyType::Dynamic);
    CHECK(scene.falls_in_the_next_step());
    CHECK(scene.world.body(scene.box).mass() == 1.0f);  // was kept
}

TEST_CASE("a body created in the way of another one stops it from the next step on") {
    World world({.gravity = {}});
    const BodyId ball = world.create_body({.velocity = {6.0f, 0.0f}}, Circle{0.5f});
    run(world, 5);
    world.create_body({.type = BodyType::Static, .position = {2.0f, 0.0f}}, Box{{0.5f, 5.0f}});
    run(world, 60);
    CHECK(world.body(ball).position().x == doctest::Approx(1.0).epsilon(0.005));
    CHECK(world.body(ball).velocity().x == doctest::Approx(0.0));
}

TEST_CASE("a body teleported against a wall is stopped by it in the next step") {
    World world({.gravity = {}});
    world.create_body({.type = BodyType::Static, .position = {100.0f, 0.0f}}, Box{{1.0f, 5.0f}});
    const BodyId ball = world.create_body({.velocity = {6.0f, 0.0f}}, Circle{0.5f});
    run(world, 5);
    world.body(ball).teleport({98.5f, 0.0f});
    world.step();
    CHECK(world.body(ball).velocity().x == doctest::Approx(0.0));
    CHECK(world.body(ball).position().x == doctest::Approx(98.5));
}

TEST_CASE("a heavier body answers less to the same impulse, as soon as its mass is set") {
    World world({.gravity = {}});
    const BodyId ball = world.create_body({.mass = 1.0f}, Circle{0.5f});
    world.body(ball).set_mass(4.0f);
    world.body(ball).apply_impulse({8.0f, 0.0f});
    CHECK(world.body(ball).velocity() == Vec2{2.0f, 0.0f});
    world.body(ball).set_mass(0.0f);
    world.body(ball).apply_impulse({8.0f, 0.0f});
    CHECK(world.body(ball).velocity() == Vec2{2.0f, 0.0f});
}

TEST_CASE("a body grown into its neighbour pushes it away") {
    World world({.gravity = {}});
    const BodyId a = world.create_body({}, Circle{0.5f});
    const BodyId b = world.create_body({.position = {2.0f, 0.0f}}, Circle{0.5f});
    run(world, 5);
    CHECK(world.body(b).position() == Vec2{2.0f, 0.0f});
    world.body(a).set_shape(Circle{2.0f});
    run(world, 120);
    CHECK(distance(world.body(a).position(), world.body(b).position()) > 2.49f);
}

TEST_CASE("friction and restitution act from the step after they are set") {
    Resting scene;
    const BodyId floor = scene.floor, box = scene.box;
    scene.world.body(box).set_velocity({3.0f, 0.0f});
    scene.world.body(floor).set_material({.friction = 0.0f});
    run(scene.world, 10);
    CHECK(scene.world.body(box).velocity().x == doctest::Approx(3.0).epsilon(1e-5));
    scene.world.body(floor).set_material({.restitution = 1.0f, .friction = 0.6f});
    scene.world.body(box).set_material({.restitution = 1.0f});
    scene.world.step();
    CHECK(scene.world.body(box).velocity().x == doctest::Approx(3.0 - 6.0 / 60.0).epsilon(1e-3));
    scene.world.body(box).teleport({0.0f, 1.0f});
    scene.world.body(box).set_velocity({0.0f, -4.0f});
    run(scene.world, 15);
    CHECK(scene.world.body(box).velocity().y > 2.0f);
}

TEST_CASE("the friction of terrain acts from the step after it is set, and is gone with it") {
    for (const BodyType type : {BodyType::Static, BodyType::Kinematic}) {
        for (int kind = 0; kind < kinds_of_ground; ++kind) {
            CAPTURE(kind);
            World world({.gravity = {0.0f, -10.0f}});
            const ColliderId ground = add_ground(world, type, kind);
            world.collider(ground).set_material({.friction = 0.0f});
            const BodyId box = world.create_body({.position = {0.0f, 0.5f}}, Box{{0.5f, 0.5f}});
            add_others(world);
            run(world, 60);
            world.body(box).set_velocity({3.0f, 0.0f});
            run(world, 10);
            CHECK(world.body(box).velocity().x == doctest::Approx(3.0).epsilon(1e-5));
            world.collider(ground).set_material({.friction = 0.6f});
            world.step();
            CHECK(world.body(box).velocity().x == doctest::Approx(2.9).epsilon(1e-3));
            world.body(world.collider(ground).body()).set_enabled(false);
            world.step();
            CHECK(world.body(box).velocity().x == doctest::Approx(2.9).epsilon(1e-3));
            CHECK(world.body(box).velocity().y == doctest::Approx(-10.0 / 60.0).epsilon(1e-3));
        }
    }
}

TEST_CASE("a body that is turned is touched in its new place from the next step on") {
    for (const BodyType type : {BodyType::Static, BodyType::Kinematic, BodyType::Dynamic}) {
        World world({.gravity = {}});
        const BodyId plank = world.create_body({.type = type}, Box{{1.0f, 0.25f}});
        world.add_collider(plank, Box{{0.25f, 0.25f}, {3.0f, 0.0f}});
        const BodyId beside = world.create_body({.position = {0.0f, 0.6f}}, Circle{0.3f});
        const BodyId at_end = world.create_body({.position = {0.0f, 3.0f}}, Circle{0.3f});
        add_others(world);
        run(world, 60);
        REQUIRE_FALSE(world.are_touching(plank, beside));
        world.body(plank).turn(1);
        CHECK(world.any_overlap(Circle{0.1f, {0.0f, 2.9f}}, {.except = at_end}));
        CHECK_FALSE(world.any_overlap(Circle{0.1f, {3.0f, 0.0f}}));
        world.step();
        CHECK(world.are_touching(plank, beside));
        CHECK(world.are_touching(plank, at_end));
        world.body(plank).turn(-1);
        world.step();
        CHECK_FALSE(world.are_touching(plank, beside));
        CHECK_FALSE(world.are_touching(plank, at_end));
    }
}

TEST_CASE(
    "a collider that is added wakes what leans there, unless it is a sensor, and acts at once") {
    for (const BodyType type : {BodyType::Static, BodyType::Kinematic}) {
        OnShelf scene(type);
        const Shape bump = Circle{0.3f, {0.6f, 9.2f}};
        const ColliderId felt =
            scene.world.add_collider(scene.frame, bump, {}, {.is_sensor = true});
        CHECK(scene.world.body(scene.box).is_asleep());
        scene.world.destroy_collider(felt);
        CHECK(scene.world.body(scene.box).is_asleep());
        scene.world.add_collider(scene.frame, bump);
        CHECK_FALSE(scene.world.body(scene.box).is_asleep());
        scene.world.step();
        CHECK(scene.world.body(scene.box).position().x < 0.0f);
    }
}

TEST_CASE("a collider that is changed or destroyed wakes what leans there, and acts at once") {
    for (const BodyType type : {BodyType::Static, BodyType::Kinematic}) {
        OnShelf scene(type);
        World& world = scene.world;
        const BodyRef box = world.body(scene.box);
        const BodyId beside =
            world.create_body({.position = {2.0f, -0.5f}, .gravity_scale = 0.0f}, Circle{0.3f});
        world.collider(scene.shelf).set_shape(Box{{1.0f, 0.25f}, {0.0f, 8.5f}});
        CHECK_FALSE(box.is_asleep());
        run(world, 100);
        REQUIRE(box.is_asleep());
        CHECK(box.position().y == doctest::Approx(0.25).epsilon(0.01));
        REQUIRE(world.body(beside).is_asleep());
        world.collider(scene.shelf).set_shape(Box{{2.0f, 0.25f}, {0.0f, 8.5f}});
        CHECK_FALSE(world.body(beside).is_asleep());
        world.destroy_collider(scene.shelf);
        CHECK_FALSE(box.is_asleep());
        world.step();
        CHECK(box.velocity().y == doctest::Approx(-10.0 / 60.0).epsilon(1e-3));
    }
}

TEST_CASE("queries right after a collider was destroyed find the others where they are") {
    for (const BodyType type : {BodyType::Kinematic, BodyType::Dynamic}) {
        World world({.gravity = {}});
        const BodyId first = world.create_body({.type = type}, Circle{0.3f});
        const ColliderId limb = world.add_collider(first, Circle{0.3f, {0.0f, 1.0f}});
        for (float x = 2.0f; x < 9.0f; x += 1.0f) {
            world.create_body({.type = type, .position = {x, 0.0f}}, Circle{0.3f});
        }
        run(world, 3);
        world.destroy_collider(limb);
        int found = 0;
        world.for_each_body([&](BodyId id) {
            const Circle place{0.1f, world.body(id).position()};
            world.for_each_overlap(place, [&](BodyId there) { found += there == id ? 1 : -1; });
        });
        CHECK(found == static_cast<int>(world.body_count()));
    }
}

TEST_CASE("gravity acts from the step after it is set") {
    World world({.gravity = {}});
    const BodyId ball = world.create_body({}, Circle{0.5f});
    run(world, 5);
    CHECK(world.body(ball).velocity() == Vec2{});
    world.set_gravity({6.0f, 0.0f});
    world.step();
    CHECK(world.body(ball).velocity().x == doctest::Approx(0.1).epsilon(1e-5));
}

TEST_CASE("a fast body created a step ago still meets what was there before") {
    World world({.gravity = {}});
    world.create_body({.type = BodyType::Static, .position = {10.0f, 0.0f}}, Box{{1.0f, 5.0f}});
    run(world, 3);
    const BodyId ball = world.create_body({.velocity = {50.0f, 0.0f}}, Circle{0.5f});
    run(world, 30);
    CHECK(world.body(ball).position().x < 8.6f);
}

TEST_CASE("velocities written in bulk act in the next step") {
    World world({.gravity = {}});
    for (int i = 0; i < 5; ++i) {
        world.create_body({.type = i == 2 ? BodyType::Static : BodyType::Dynamic,
                           .position = {10.0f * static_cast<float>(i), 0.0f}},
                          Circle{0.5f});
    }
    for (Vec2& velocity : world.velocities()) velocity = {0.0f, 6.0f};
    world.step();
    for (std::size_t i = 0; i < world.body_count(); ++i) {
        const double moved = world.types()[i] == BodyType::Static ? 0.0 : 0.1;
        CHECK(world.positions()[i].y == doctest::Approx(moved).epsilon(1e-5));
    }
}

namespace {

/// Bodies that touch a sensor and each other.
struct Crowd {
    World world{WorldConfig{.gravity = {0.0f, -10.0f}}};
    BodyId floor, sensor;
    static constexpr std::size_t count = 40;

    Crowd() {
        floor = world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}},
                                  Box{{50.0f, 1.0f}});
        sensor = world.create_body({.type = BodyType::Static}, Box{{50.0f, 2.0f}}, {},
                                   {.filter = {.category = 2}, .is_sensor = true});
        for (std::size_t i = 0; i < count; ++i) {
            world.create_body({.position = {static_cast<float>(i), 0.5f}}, Box{{0.5f, 0.5f}});
        }
        run(world, 30);
    }

    /// Destroys two bodies other than floor and sensor at each visit; returns how often it was
    /// called.
    template <class ForEach>
    int destroy_by_twos(ForEach for_each) {
        int visits = 0;
        for_each([&](BodyId id) {
            CHECK(world.contains(id));
            ++visits;
            if (id == floor || id == sensor) return;
            world.destroy_body(id);
            const BodyId next{id.index + 1, id.generation};
            if (world.contains(next)) world.destroy_body(next);
        });
        return visits;
    }
};

}  // namespace

TEST_CASE("visits of bodies, touching ones and visitors may destroy what they and others visit") {
    Crowd all, touching, visitors;
    CHECK(all.destroy_by_twos([&](auto visit) { all.world.for_each_body(visit); }) ==
          2 + Crowd::count / 2);
    CHECK(all.world.body_count() == 2);
    const auto of_floor = [&](auto visit) {
        touching.world.for_each_touching(touching.floor, visit);
    };
    touching.destroy_by_twos(of_floor);
    CHECK(touching.world.body_count() == 2);
    const auto of_sensor = [&](auto visit) {
        visitors.world.for_each_visitor(visitors.sensor, visit);
    };
    visitors.destroy_by_twos(of_sensor);
    CHECK(visitors.world.body_count() == 2);
}

TEST_CASE("a visit of all bodies ends though each one makes another") {
    World world;
    for (int i = 0; i < 3; ++i) world.create_body({}, Circle{0.5f});
    int visits = 0;
    world.for_each_body([&](BodyId) {
        if (++visits < 100) world.create_body({}, Circle{0.5f});
    });
    CHECK(visits == 3);
    CHECK(world.body_count() == 6);
}

TEST_CASE("visits of colliders may destroy them, and create bodies") {
    World world;
    const BodyId body = world.create_body({}, Circle{0.5f});
    for (int i = 0; i < 200; ++i) world.add_collider(body, Circle{0.1f});
    int visits = 0;
    world.for_each_collider(body, [&](ColliderId id) {
        ++visits;
        if (id != first_collider(body)) world.destroy_collider(id);
        for (int i = 0; i < 10; ++i) world.create_body({}, Circle{0.1f});
    });
    CHECK(visits == 201);
    CHECK(world.body_count() == 1 + 2'010);
    world.for_each_collider([&](ColliderId id) {
        const BodyId other{id.index, id.generation};
        if (world.contains(other)) world.destroy_body(other);
    });
    CHECK(world.body_count() == 0);
}

}  // namespace changes_test

// SPDX-License-Identifier: MIT
// What does a mover begin with, what does a copy of it hold, and which of its numbers are refused?
#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

namespace mover_state_test {

using namespace phys2d;

namespace {

constexpr float dt = 1.0f / 60.0f;

World floor_world(float unit = 1.0f) {
    World world({.gravity = {0.0f, -10.0f * unit}, .length_unit = unit});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -unit}},
                      Box{{50.0f * unit, unit}});
    return world;
}

}  // namespace

TEST_CASE("a mover that begins or is put in the air has not been on the ground just before") {
    World world = floor_world();
    const auto check_in_air = [&](Mover& mover) {
        CHECK(mover.ground.steps_since_grounded == GroundState::long_ago);
        for (int i = 0; i < 3; ++i) {
            move(world, mover, {}, dt);
            CHECK_FALSE(mover.ground.is_grounded);
            CHECK(mover.ground.steps_since_grounded == GroundState::long_ago);
        }
    };
    Mover mover{.position = {0.0f, 50.0f}};
    check_in_air(mover);
    mover.position = {0.0f, 0.801f};
    move(world, mover, {0.0f, -1.0f}, dt);
    REQUIRE(mover.ground.is_grounded);
    CHECK(mover.ground.steps_since_grounded == 0);
    mover.teleport({0.0f, 50.0f});
    check_in_air(mover);
}

TEST_CASE("a mover counts its moves since it was on the ground from its last one on it") {
    World world = floor_world();
    Mover mover{.position = {0.0f, 0.801f}};
    move(world, mover, {0.0f, -1.0f}, dt);
    REQUIRE(mover.ground.is_grounded);
    for (int i = 0; i < 4; ++i) {
        CHECK(mover.ground.steps_since_grounded == i);
        move(world, mover, {0.0f, 5.0f}, dt);
    }
}

TEST_CASE("a mover is drawn where it is until it has moved, and then on its way") {
    World world({.gravity = {}});
    Mover mover{.position = {100.0f, 50.0f}};
    CHECK(mover.interpolated_position(0.25f) == Vec2{100.0f, 50.0f});
    (void)move(world, mover, {8.0f, 0.0f}, 0.125f);
    CHECK(mover.last_way == Vec2{1.0f, 0.0f});
    CHECK(mover.interpolated_position(0.25f) == Vec2{100.25f, 50.0f});
    mover.teleport({7.0f, 7.0f});
    CHECK(mover.interpolated_position(0.25f) == Vec2{7.0f, 7.0f});
}

TEST_CASE("a mover that is teleported touches nothing any more, and is not crushed") {
    World world = floor_world();
    world.create_body({.type = BodyType::Static, .position = {1.0f, 0.8f}}, Box{{0.5f, 0.8f}});
    world.create_body({.type = BodyType::Static, .position = {-0.5f, 2.0f}}, Box{{2.0f, 0.5f}});
    const BodyId press = world.create_body({.type = BodyType::Kinematic, .position = {-1.4f, 0.8f}},
                                           Box{{0.5f, 0.4f}});
    Mover mover{.position = {0.15f, 0.801f}};
    for (int i = 0; i < 30 && !mover.crush; ++i) {
        world.body(press).set_velocity({2.0f, 0.0f});
        world.step();
        move(world, mover, {3.0f, 6.0f}, dt);
    }
    REQUIRE(mover.crush);
    REQUIRE(mover.wall);
    mover.teleport({0.0f, 50.0f});
    CHECK_FALSE(mover.crush);
    CHECK_FALSE(mover.wall);
    CHECK_FALSE(mover.ceiling);
}

TEST_CASE("a copy of a mover goes without what it has looked at, and on in the same way") {
    World world = floor_world();
    Mover mover{.position = {0.0f, 0.801f}};
    for (int i = 0; i < 5; ++i) move(world, mover, {3.0f, -1.0f}, dt);
    REQUIRE_FALSE(mover.surroundings.empty());
    Mover copy = mover;
    CHECK(copy.surroundings.empty());
    CHECK(copy.surroundings.capacity() == 0);
    for (int i = 0; i < 60; ++i) {
        const Vec2 velocity{3.0f, i == 30 ? 4.0f : -1.0f};
        CHECK(move(world, mover, velocity, dt) == move(world, copy, velocity, dt));
        CHECK(mover.position == copy.position);
        CHECK(mover.ground.distance_to_edge == copy.ground.distance_to_edge);
    }
}

TEST_CASE(
    "a move with a number that is none in what a mover keeps is an error and changes nothing") {
    World world = floor_world();
    const auto is_refused_with = [&](auto change, const char* what) {
        for (const float bad : {std::nanf(""), INFINITY}) {
            Mover mover{.position = {0.0f, 0.801f}};
            change(mover, Vec2{bad, 0.0f});
            std::string sentence;
            try {
                move(world, mover, {1.0f, 0.0f}, dt);
            } catch (const Error& error) {
                sentence = error.what();
            }
            CHECK(sentence.starts_with(std::string("move: ") + what + " is "));
            CHECK(mover.position == Vec2{0.0f, 0.801f});
        }
    };
    is_refused_with([](Mover& mover, Vec2 v) { mover.last_way = v; }, "last_way");
    is_refused_with([](Mover& mover, Vec2 v) { mover.rounding = v; }, "rounding");
    is_refused_with([](Mover& mover, Vec2 v) { mover.platform_position = v; }, "platform_position");
    is_refused_with([](Mover& mover, Vec2 v) { mover.ground.normal = v; }, "ground.normal");
}

TEST_CASE("a mover lists what it may come to alone, however many bodies have changed") {
    World world = floor_world();
    Mover mover{.position = {0.0f, 0.801f}};
    for (int i = 0; i < 500; ++i) {
        const float x = static_cast<float>(i) - 250.0f;
        const BodyId body =
            world.create_body({.type = BodyType::Kinematic, .position = {x, 20.0f}}, Circle{0.4f});
        move(world, mover, {0.0f, -1.0f}, dt);
        CHECK(mover.surroundings.size() <= 1);
        world.body(body).teleport({x, 3.0f});
    }
    move(world, mover, {0.0f, 300.0f}, dt);
    CHECK(mover.ceiling.is_touched);
}

namespace {

/// What a mover and a crate do in a world of a length unit: it runs, jumps, climbs, rides, pushes
/// and is carried.
class Course {
public:
    explicit Course(float unit) : unit_(unit), world_(floor_world(unit)) {
        add(BodyType::Static, {-5.0f, 0.1f}, {0.5f, 0.1f});
        lift_ = add(BodyType::Kinematic, {-1.0f, 0.1f}, {2.0f, 0.1f});
        crate_ = add(BodyType::Dynamic, {3.0f, 0.5f}, {0.5f, 0.5f});
    }

    /// Places in metres.
    struct Frame {
        Vec2 mover, crate;
        float distance_to_edge;
        bool rides;
    };
    Frame move_on(int frame) {
        const bool goes_up = frame % 160 < 80;
        world_.body(lift_).set_velocity({0.0f, goes_up ? unit_ : -unit_});
        const float pace = frame < 150 ? 3.0f : frame < 400 ? -3.0f : 0.0f;
        const float up = frame % 50 == 0 ? 6.0f * unit_ : 0.0f;
        const float fall = velocity_.y - 10.0f * unit_ * dt;
        world_.step();
        velocity_ = move(world_, mover_, {pace * unit_, mover_.ground.is_grounded ? up : fall}, dt);
        return {mover_.position / unit_, world_.body(crate_).position() / unit_,
                mover_.ground.distance_to_edge / unit_, mover_.ground.platform == lift_};
    }

private:
    BodyId add(BodyType type, Vec2 middle, Vec2 half) {
        return world_.create_body({.type = type, .position = middle * unit_}, Box{half * unit_},
                                  {.density = 5.0f});
    }

    float unit_;
    World world_;
    BodyId lift_{}, crate_{};
    Mover mover_ = scaled({.position = {-1.0f, 1.1f}}, unit_);
    Vec2 velocity_{};
};

}  // namespace

TEST_CASE("a mover scaled to the length unit of a world goes the same way as in metres") {
    for (const float unit : {16.0f, 100.0f, 0.01f}) {
        Course metres(1.0f), scaled_course(unit);
        float furthest = 0.0f, pushed = 0.0f, wrong_edge = 0.0f;
        int rides = 0;
        for (int frame = 0; frame < 600; ++frame) {
            const Course::Frame a = metres.move_on(frame), b = scaled_course.move_on(frame);
            furthest = max(furthest, max(distance(a.mover, b.mover), distance(a.crate, b.crate)));
            wrong_edge = max(wrong_edge, abs(a.distance_to_edge - b.distance_to_edge));
            pushed = max(pushed, a.crate.x - 3.0f);
            rides += a.rides ? 1 : 0;
        }
        INFO(unit);
        CHECK(furthest < (unit == 16.0f ? 1e-30f : 2e-3f));  // a power of two rounds nothing
        CHECK(wrong_edge < 2e-3f);
        CHECK(pushed > 0.5f);
        CHECK(rides > 20);
    }
}

TEST_CASE("scaling a mover scales all that it keeps and has found, and what is no length stays") {
    Mover mover{.position = {1.0f, 2.0f}, .max_slope = 0.5f};
    mover.ground = {
        .is_grounded = true, .platform_velocity = {1.0f, 0.0f}, .distance_to_edge = 0.5f};
    mover.wall.velocity = {3.0f, 0.0f};
    mover.ceiling.velocity = {0.0f, 4.0f};
    mover.crush.depth = 0.1f;
    mover.last_way = mover.platform_position = mover.rounding = {1.0f, 1.0f};
    mover.last_position = {1.0f, 1.0f};
    mover.last_shape = Circle{0.5f, {0.0f, 0.1f}};
    const Mover twice = scaled(mover, 2.0f);
    CHECK(twice.shape == Shape(Capsule{1.0f, 0.6f}));
    CHECK(twice.position == Vec2{2.0f, 4.0f});
    CHECK(twice.up == mover.up);
    CHECK(twice.max_slope == 0.5f);
    CHECK(twice.step_height == 0.6f);
    CHECK(twice.snap_distance == 0.4f);
    CHECK(twice.push_force == 1600.0f);
    CHECK(twice.skin == 0.001f);
    CHECK(twice.edge_reach == 2.0f);
    CHECK(twice.ground.is_grounded);
    CHECK(twice.ground.platform_velocity == Vec2{2.0f, 0.0f});
    CHECK(twice.ground.distance_to_edge == 1.0f);
    CHECK(twice.wall.velocity == Vec2{6.0f, 0.0f});
    CHECK(twice.ceiling.velocity == Vec2{0.0f, 8.0f});
    CHECK(twice.crush.depth == 0.2f);
    CHECK(twice.last_way == Vec2{2.0f, 2.0f});
    CHECK(twice.last_position == Vec2{2.0f, 2.0f});
    CHECK(twice.last_shape == Shape(Circle{1.0f, {0.0f, 0.2f}}));
    CHECK(twice.platform_position == Vec2{2.0f, 2.0f});
    CHECK(twice.rounding == Vec2{2.0f, 2.0f});
}

TEST_CASE("a length unit that makes no sense is an error") {
    for (const float bad : {0.0f, -1.0f, INFINITY, std::nanf("")}) {
        CHECK_THROWS_WITH_AS((void)scaled(Mover{}, bad), doctest::Contains("scaled: length_unit"),
                             Error);
    }
}

TEST_CASE("a mover that was saved and loaded in the midst of a game goes on with the same bits") {
    World world = floor_world();
    const BodyId lift = world.create_body({.type = BodyType::Kinematic, .position = {1.5f, 0.2f}},
                                          Box{{1.0f, 0.1f}});
    world.create_body({.position = {3.5f, 0.3f}}, Box{{0.3f, 0.3f}});
    Mover mover{.position = {0.0f, 0.9f}};
    Vec2 velocity{};
    for (int i = 0; i < 200; ++i) {
        CAPTURE(i);
        world.body(lift).set_velocity({0.0f, i % 60 < 30 ? 1.0f : -1.0f});
        world.step();
        Mover loaded{.up = {}};
        std::string bytes;
        mover.save(bytes);
        loaded.load(bytes);
        CHECK(loaded.ground.is_grounded == mover.ground.is_grounded);
        World same = world;
        const Vec2 wanted{i % 80 < 60 ? 2.0f : -2.0f, i % 70 == 0 ? 4.0f : velocity.y - 10.0f * dt};
        velocity = move(world, mover, wanted, dt);
        CHECK(move(same, loaded, wanted, dt) == velocity);
        CHECK(loaded.position == mover.position);
        std::string after;
        std::string loaded_after;
        mover.save(after);
        loaded.save(loaded_after);
        CHECK(loaded_after == after);
    }
}

TEST_CASE("bytes of a world are no mover, and change none") {
    std::string bytes;
    World().save(bytes);
    Mover mover{.position = {1.0f, 2.0f}};
    const std::string told = "load: " + std::to_string(bytes.size()) +
                             " bytes do not begin as a mover, expected what `save` has written";
    CHECK_THROWS_WITH_AS(mover.load(bytes), told.c_str(), Error);
    CHECK(mover.position == Vec2{1.0f, 2.0f});
}

}  // namespace mover_state_test

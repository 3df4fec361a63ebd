// SPDX-License-Identifier: MIT
// Is a World a value? A copy saves it, assigning the copy back rolls it back, a move takes it over.
#include <initializer_list>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <scenes/scenes.hpp>

#include "../support/random.hpp"

namespace copy_test {

using namespace phys2d;

namespace {

/// A scene in which all that a World remembers matters: contacts, impulses, bounces, damping.
World eventful_world() {
    scenes::Scene scene = scenes::pile(60);
    for (scenes::SceneBody& body : scene.bodies) body.material.restitution = 0.4f;
    World world = scenes::build(scene);
    for (const BodyId id : world.ids()) world.body(id).apply_impulse({0.5f, 0.3f}, 1.5f);
    for (const BodyId id : world.ids()) world.body(id).set_linear_damping(0.1f);
    return world;
}

void run(World& world, int steps) {
    for (int i = 0; i < steps; ++i) world.step();
}

std::vector<std::uint64_t> hashes_of(World& world, int steps) {
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < steps; ++i) {
        world.step();
        hashes.push_back(world.state_hash());
    }
    return hashes;
}

}  // namespace

TEST_CASE("a copy goes on to the same hashes as its original, at any point of a scene") {
    for (const int begin : {0, 1, 7, 60, 150}) {
        CAPTURE(begin);
        World world = eventful_world();
        run(world, begin);
        World copy = world;
        CHECK(copy.state_hash() == world.state_hash());
        CHECK(hashes_of(copy, 100) == hashes_of(world, 100));
    }
}

TEST_CASE("a copy of a world that has shrunk goes on like the original") {
    World world = scenes::build(scenes::pile(400));
    run(world, 100);
    while (world.body_count() > 10) world.destroy_body(world.ids()[world.body_count() - 1]);
    for (int i = 0; i < 3; ++i) world.create_body({.position = {0.1f, 1.0f}}, Circle{0.5f});
    world.step();
    World copy = world;  // holds exactly what is there; only a sanitizer sees reads beyond it
    CHECK(hashes_of(copy, 100) == hashes_of(world, 100));
}

TEST_CASE("a copy is a world of its own: what happens to it does not happen to the original") {
    World world = eventful_world();
    run(world, 20);
    const std::uint64_t hash = world.state_hash();
    World copy = world;
    copy.destroy_body(copy.ids()[0]);
    copy.set_gravity({5.0f, 5.0f});
    run(copy, 50);
    CHECK(world.state_hash() == hash);
    CHECK(world.config().gravity == Vec2{0.0f, -10.0f});
    CHECK(world.step_count() == 20);
}

TEST_CASE("a hundred rollbacks of 1 to 12 steps at random times end where the straight run ends") {
    World straight = eventful_world();
    World world = eventful_world();
    test::Random random;
    constexpr std::uint64_t end = 240;
    for (int i = 0; i < 100; ++i) {
        if (world.step_count() + 12 > end) break;
        const World saved = world;
        run(world, random.integer(1, 12));
        world = saved;
        run(world, random.integer(1, 2));
    }
    run(world, static_cast<int>(end - world.step_count()));
    run(straight, static_cast<int>(end));
    CHECK(world.state_hash() == straight.state_hash());
}

TEST_CASE("assigning rolls back creations, destructions and changes, and old ids are good again") {
    World world = eventful_world();
    run(world, 30);
    const BodyId victim = world.ids()[5];
    const World saved = world;
    World never_changed = world;
    world.destroy_body(victim);
    const BodyId later = world.create_body({}, Circle{0.5f});
    world.body(world.ids()[7]).set_mass(100.0f);
    run(world, 20);
    world = saved;
    CHECK(world.contains(victim));
    CHECK_FALSE(world.contains(later));
    CHECK(hashes_of(world, 60) == hashes_of(never_changed, 60));
}

TEST_CASE("a world assigned to another one replaces all of it, configuration and time included") {
    World other({.gravity = {1.0f, 2.0f}, .time_step = 0.01f, .substeps = 2});
    other.create_body({}, Circle{0.5f});
    other.set_paused(true);
    other.advance(0.5);
    World world = eventful_world();
    run(world, 10);
    other = world;
    CHECK(other.config().substeps == 4);
    CHECK(other.body_count() == world.body_count());
    CHECK_FALSE(other.is_paused());
    CHECK(hashes_of(other, 60) == hashes_of(world, 60));
}

TEST_CASE("assigning a world to itself changes nothing") {
    World world = eventful_world();
    run(world, 30);
    World copy = world;
    World& same = world;
    world = same;
    CHECK(hashes_of(world, 30) == hashes_of(copy, 30));
}

TEST_CASE("time owed to a frame, time scale and pause are copied") {
    World world = eventful_world();
    world.set_time_scale(0.5f);
    world.advance(1.3 / 60.0);
    World copy = world;
    CHECK(copy.time_scale() == 0.5f);
    for (int i = 0; i < 20; ++i) CHECK(copy.advance(0.013) == world.advance(0.013));
    CHECK(copy.step_count() == world.step_count());
    world.set_paused(true);
    CHECK(World(world).is_paused());
}

TEST_CASE("a moved world goes on like the original would have") {
    World world = eventful_world();
    run(world, 30);
    World copy = world;
    World moved = std::move(world);
    World assigned;
    assigned.create_body({}, Circle{1.0f});
    assigned = std::move(moved);
    CHECK(hashes_of(assigned, 60) == hashes_of(copy, 60));
}

TEST_CASE("a moved-from world is an empty world that works like a new one") {
    World from_construction = eventful_world();
    World from_assignment = eventful_world();
    const World one = std::move(from_construction);
    World two;
    two = std::move(from_assignment);
    for (World* left : {&from_construction, &from_assignment}) {
        World fresh;
        CHECK(left->body_count() == 0);
        CHECK(left->step_count() == 0);
        CHECK(left->config().gravity == fresh.config().gravity);
        for (World* world : {left, &fresh}) {
            world->create_body({.position = {0.0f, 5.0f}}, Circle{0.5f});
            world->advance(0.1);
        }
        CHECK(left->step_count() == fresh.step_count());
        CHECK(left->state_hash() == fresh.state_hash());
    }
}

}  // namespace copy_test

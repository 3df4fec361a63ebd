// SPDX-License-Identifier: MIT
// Is a step the same, bit for bit, on any number of threads and on any executor? SCENES [29]
#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "../../examples/scenes/scenes.hpp"
#include "../../examples/threads/thread_pool.hpp"
#include "../determinism/played_scenes.hpp"
#include "../laws/measure.hpp"

namespace threads_test {

using namespace phys2d;

namespace {

constexpr int steps = test::is_fast_build ? 120 : 20;

using Task = std::function<void(int)>;

void backwards(int count, const Task& task) {
    for (int i = count; i-- > 0;) task(i);
}

void on_threads_of_their_own(int count, const Task& task) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) threads.emplace_back([&task, i] { task(i); });
    for (std::thread& thread : threads) thread.join();
}

template <class Executor>
std::uint64_t hash_on(World world, Executor&& executor) {
    for (int i = 0; i < steps; ++i) world.step(executor);
    return world.state_hash();
}

std::uint64_t hash_alone(World world) {
    test::run(world, steps);
    return world.state_hash();
}

/// More than 64 bodies on one: most of its contacts find no colour.
World crowded_raft() {
    World world = test::world_with_floor();
    world.create_body({.position = {0.0f, 0.5f}}, Box{{60.0f, 0.5f}});
    for (int i = 0; i < 400; ++i) {
        const auto x = static_cast<float>(i % 200) * 0.5f - 50.0f;
        world.create_body({.position = {x, 1.25f + 0.5f * static_cast<float>(i / 200)}},
                          Box{{0.24f, 0.25f}});
    }
    return world;
}

/// Bodies of three colliders, of which one is a sensor.
World dumbbells() {
    World world = test::world_with_floor();
    for (int i = 0; i < 600; ++i) {
        const auto x = static_cast<float>(i % 30) * 1.5f - 22.0f;
        const BodyId body = world.create_body({.position = {x, 1.0f + static_cast<float>(i / 30)}},
                                              Circle{0.3f, {-0.35f, 0.0f}}, {.restitution = 0.3f});
        world.add_collider(body, Circle{0.3f, {0.35f, 0.1f}});
        world.add_collider(body, Circle{0.6f}, {}, {.is_sensor = true});
    }
    return world;
}

/// Large enough for loops to be cut into parts.
std::vector<World> worlds() {
    std::vector<World> result;
    result.push_back(scenes::build(scenes::pyramid(40)));
    result.push_back(scenes::build(scenes::gas(2'000)));
    result.push_back(dumbbells());
    result.push_back(scenes::build(scenes::pile(2'000)));
    result.push_back(crowded_raft());
    result.push_back(test::everything().world);
    World overlapped({.gravity = test::down, .time_to_sleep = 0.5f});
    test::add_floor(overlapped);
    for (int i = 0; i < 1'000; ++i) {
        const Vec2 place{static_cast<float>(i % 50) * 0.6f,
                         static_cast<float>(i / 50) * 0.6f + 0.5f};
        overlapped.create_body({.position = place}, Circle{0.4f});
    }
    result.push_back(overlapped);
    return result;
}

}  // namespace

TEST_CASE("1 to 16 threads give the bits of a step alone") {
    for (const World& world : worlds()) {
        const std::uint64_t expected = hash_alone(world);
        for (const unsigned thread_count : {1u, 2u, 3u, 4u, 8u, 16u}) {
            threads::ThreadPool pool(thread_count);
            CHECK(hash_on(world, pool) == expected);
        }
    }
}

TEST_CASE("executors may run their tasks in any order, on any threads") {
    for (const World& world : worlds()) {
        const std::uint64_t expected = hash_alone(world);
        CHECK(hash_on(world, backwards) == expected);
    }
    const World world = scenes::build(scenes::pyramid(40));
    World threaded = world;
    World alone = world;
    for (int i = 0; i < 5; ++i) threaded.step(on_threads_of_their_own), alone.step();
    CHECK(threaded.state_hash() == alone.state_hash());
}

TEST_CASE("several threads may query, copy and save one world at once, and read the same of it") {
    const World world = [] {
        World made = test::world_with_floor();
        TileMapRef tiles = made.tile_map(made.create_tile_map({.position = {0.0f, 5.0f}}));
        tiles.define(1);
        tiles.fill({{0, 0}, {40, 40}}, 1);
        made.create_body({.position = {-3.0f, 0.4f}}, Circle{0.5f});
        test::run(made, 10);
        return made;
    }();
    constexpr int readers = 3;
    std::vector<std::byte> saved[readers];
    float fractions[readers] = {};
    on_threads_of_their_own(readers, [&](int i) {
        world.save(saved[i]);
        const World copy = world;
        fractions[i] = world.ray_cast({-3.0f, 9.0f}, {0.0f, -20.0f}).fraction;
        CHECK(copy.state_hash() == world.state_hash());
    });
    for (int i = 1; i < readers; ++i) {
        CHECK(saved[i] == saved[0]);
        CHECK(fractions[i] == fractions[0]);
    }
}

TEST_CASE("many worlds step as each of them would") {
    std::vector<World> together;
    std::vector<World> one_by_one;
    for (int i = 0; i < 300; ++i) {
        together.push_back(scenes::build(scenes::pile(10 + i % 7)));
        one_by_one.push_back(together.back());
    }
    threads::ThreadPool pool(3);
    for (int i = 0; i < 30; ++i) {
        step_many(std::span<World>(together).first(100), pool);
        step_many(std::span<World>(together).subspan(100), pool);
        for (World& world : one_by_one) world.step();
    }
    int wrong = 0;
    for (std::size_t i = 0; i < together.size(); ++i) {
        wrong += together[i].state_hash() != one_by_one[i].state_hash() ? 1 : 0;
        wrong += together[i].stats().contacts != one_by_one[i].stats().contacts ? 1 : 0;
    }
    CHECK(wrong == 0);
    CHECK(one_by_one[0].stats().total > 0.0);
    CHECK(together[0].stats().total == 0.0);
    std::vector<World> none;
    step_many(none, pool);
}

TEST_CASE("of many worlds, those beside one that throws take their steps") {
    constexpr std::size_t broken = 512;
    std::vector<World> many(1024);  // four a task
    many[broken] = World({.mix_friction = [](float, float) -> float { throw 1; }});
    for (World& world : many) {
        world.create_body({}, Circle{0.5f});
        world.create_body({.type = BodyType::Static}, Circle{0.5f});
    }
    int thrown = 0;
    step_many(many, [&](int count, const auto& task) {
        for (int i = 0; i < count; ++i) {
            try {
                task(i);
            } catch (int) {
                ++thrown;
            }
        }
    });
    CHECK(thrown == 1);
    for (std::size_t i = 0; i < many.size(); ++i) {
        CHECK(many[i].step_count() == (i == broken ? 0 : 1));
    }
}

TEST_CASE("an exception of a mix function reaches the caller and changes nothing") {
    static bool is_angry = true;
    World world({.mix_friction = [](float a, float b) {
        if (is_angry) throw std::runtime_error("no friction today");
        return a < b ? a : b;
    }});
    world.create_body({.position = {0.0f, 1.0f}}, Box{{0.5f, 0.5f}});
    world.create_body({.position = {0.0f, 1.9f}}, Box{{0.5f, 0.5f}});
    const std::uint64_t before = world.state_hash();
    threads::ThreadPool pool(2);
    CHECK_THROWS_AS(world.step(pool), std::runtime_error);
    CHECK(world.state_hash() == before);
    is_angry = false;
    world.step(pool);
    CHECK(world.step_count() == 1);
}

}  // namespace threads_test

// SPDX-License-Identifier: MIT
// Does a world stop allocating once it has warmed up? SCENES [28]
// Every form of the global operator new is replaced, for the whole test program, by one that
// counts.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include <doctest/doctest.h>

#include <scenes/scenes.hpp>

#include "measure.hpp"
#include "support/landscape.hpp"
#include "support/movers.hpp"
#include "support/random.hpp"
#include "support/tiles.hpp"

namespace {

std::size_t allocations = 0;
std::size_t largest = 0;  // of the allocations [bytes]
int fill = 0;             // what fresh memory holds

void* counted(void* memory, std::size_t size) {
    ++allocations;
    largest = std::max(largest, size);
    return memory == nullptr ? nullptr : std::memset(memory, fill, size);
}
void* counted(std::size_t size) { return counted(std::malloc(size > 0 ? size : 1), size); }

/// A multiple of the alignment, as std::aligned_alloc wants it.
void* counted(std::size_t size, std::align_val_t alignment) {
    const auto unit = static_cast<std::size_t>(alignment);
    return counted(
        std::aligned_alloc(unit, (size + unit - 1) / unit * unit + (size == 0 ? unit : 0)), size);
}

void* or_throw(void* memory) {
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

}  // namespace

// g++ takes the free() below for a mismatch where it inlines one of a pair and not the other.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif

void* operator new(std::size_t n) { return or_throw(counted(n)); }
void* operator new[](std::size_t n) { return or_throw(counted(n)); }
void* operator new(std::size_t n, std::align_val_t a) { return or_throw(counted(n, a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return or_throw(counted(n, a)); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return counted(n); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return counted(n); }
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
    return counted(n, a);
}
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
    return counted(n, a);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t, const std::nothrow_t&) noexcept { std::free(p); }

using namespace phys2d;

namespace {

/// Allocations during `steps` steps.
std::size_t allocations_in(World& world, int steps) {
    const std::size_t before = allocations;
    test::run(world, steps);
    return allocations - before;
}

constexpr int many_steps = test::is_fast_build ? 10'000 : 1'000;

}  // namespace

TEST_CASE("the counter sees plain, array and aligned allocations") {
    const std::size_t before = allocations;
    const void* volatile seen = nullptr;  // so that no allocation can be optimised away
    const std::vector<double> plain(100);
    seen = plain.data();
    detail::Array<float> aligned;
    aligned.resize(100);
    seen = aligned.data();
    char* const array = new char[100];
    seen = array;
    delete[] array;
    CHECK(seen != nullptr);
    CHECK(allocations == before + 3);
}

TEST_CASE("a settled pyramid does not allocate in 10,000 steps") {
    World world = scenes::build(scenes::pyramid(10));
    test::run(world, 200);
    CHECK(allocations_in(world, many_steps) == 0);
}

TEST_CASE("a box of gas, whose contacts change at each step, does not allocate in 10,000 steps") {
    World world = scenes::build(scenes::gas(100));
    test::run(world, 12'000);  // until it has seen its most crowded moment, and twice that fits
    CHECK(allocations_in(world, many_steps) == 0);
}

TEST_CASE(
    "lifts, presses, belts, one-way sides, limbs and explosions do not allocate after warm-up") {
    World world({.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.5f});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -0.5f}}, Box{{9.0f, 0.5f}},
                      {.surface_velocity = {0.5f, 0.0f}});
    for (const float x : {-9.0f, 9.0f}) {
        world.create_body({.type = BodyType::Static, .position = {x, 4.0f}}, Box{{0.5f, 4.0f}});
    }
    const BodyId lift = world.create_body({.type = BodyType::Kinematic}, Box{{3.0f, 0.1f}}, {},
                                          {.one_way = OneWay::Up});
    const BodyId press = world.create_body({.type = BodyType::Kinematic, .position = {6.0f, 1.0f}},
                                           Box{{0.5f, 0.2f}});
    std::vector<BodyId> movers;
    for (int i = 0; i < 30; ++i) {
        const Vec2 place{-7.5f + 0.5f * static_cast<float>(i),
                         2.0f + 0.5f * static_cast<float>(i % 5)};
        movers.push_back(world.create_body({.position = place}, Circle{0.2f}));
        world.add_collider(movers.back(), Circle{0.3f}, {}, {.is_sensor = i % 2 == 0});
    }
    int step = 0;
    const auto play = [&](int steps) {
        const std::size_t before = allocations;
        for (const int end = step + steps; step < end; ++step) {
            const auto phase = static_cast<float>(step % 200 < 100 ? step % 200 : 200 - step % 200);
            const BodyId mover = movers[static_cast<std::size_t>(step) % movers.size()];
            world.body(lift).move_to({-4.0f + 0.02f * phase, 1.0f + 0.01f * phase});
            world.body(press).move_to({6.0f, 1.2f - 0.01f * phase});
            world.body(mover).drop_through();
            world.ignore_until_apart(mover, lift);
            if (step % 20 == 0) world.body(mover).set_velocity({1.0f, 8.0f});
            if (step % 100 == 0) world.explode({.radius = 3.0f});
            world.apply_acceleration(Box{{1.0f, 3.0f}, {3.0f, 3.0f}}, {0.0f, 12.0f});
            world.step();
        }
        return allocations - before;
    };
    play(4'000);
    CHECK(play(many_steps / 2) == 0);
}

TEST_CASE("terrain of every kind, edited and flown into, is played again without allocating") {
    test::Landscape landscape;
    World world = landscape.begin();
    const auto play = [&](int steps) {
        const std::size_t before = allocations;
        for (int i = 0; i < steps; ++i) {
            landscape.before_step(world);
            world.step();
        }
        return allocations - before;
    };
    const World start = world;
    play(many_steps / 2);
    world = start;
    CHECK(play(many_steps / 2) == 0);  // the same crowded moments again
}

namespace {

/// Three hundred bodies of all shapes in a pit of tiles of all shapes, one of which changes at each
/// step.
struct Pit {
    World world{{.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.5f}};
    BodyId map = test::add_tile_map(world).id();
    std::vector<BodyId> bodies;

    Pit() {
        test::Random random;
        TileMapRef tiles = world.tile_map(map);
        tiles.fill({{-24, -4}, {23, -1}}, test::full);
        tiles.fill({{-24, 0}, {-24, 40}}, test::full);
        tiles.fill({{23, 0}, {23, 40}}, test::full);
        for (int i = 0; i < 300; ++i) {
            const Vec2 place{random.uniform(-20.0f, 20.0f), random.uniform(8.0f, 30.0f)};
            const Shape shape = test::random_mover(random, random.uniform(0.2f, 0.6f));
            bodies.push_back(world.create_body({.position = place}, shape));
        }
    }
    void step(test::Random& random) {
        const TileCoord tile{random.integer(-22, 21), random.integer(-3, 6)};
        world.tile_map(map).set(tile, static_cast<TileId>(random.integer(0, test::tile_kinds)));
        const BodyId body = bodies[random.bits() % bodies.size()];
        if (random.one_in(5)) world.body(body).teleport({random.uniform(-20.0f, 20.0f), 30.0f});
        world.step();
    }
};

}  // namespace

TEST_CASE("a world with terrain that takes an earlier state of its own does not allocate") {
    Pit pit;
    const Vec2 hill[] = {{5.0f, 0.0f}, {0.0f, 2.0f}, {-5.0f, 0.0f}};
    pit.world.create_body({.type = BodyType::Static}, Chain{.points = {hill, 3}});
    test::Random random;
    const World start = pit.world;
    for (int i = 0; i < 100; ++i) pit.step(random);
    for (int i = 0; i < 2; ++i) pit.world = start;
    const std::size_t before = allocations;
    pit.world = start;
    CHECK(allocations == before);
}

TEST_CASE("steps among tiles that were played once are played again without allocating") {
    Pit pit;
    const World start = pit.world;
    std::uint64_t hash = 0;
    for (const bool is_warm : {false, true}) {
        pit.world = start;
        const std::size_t before = allocations;
        test::Random random;
        for (int i = 0; i < many_steps / 10; ++i) pit.step(random);
        if (is_warm) CHECK(allocations == before);
        if (is_warm) CHECK(pit.world.state_hash() == hash);
        hash = pit.world.state_hash();
    }
}

TEST_CASE("the first bodies to leave a field at rest, up to one in ten, hardly make it allocate") {
    World world({.gravity = {}});
    std::vector<BodyId> bodies;
    for (int i = 0; i < 400; ++i) {
        const Vec2 place{static_cast<float>(i % 20), static_cast<float>(i / 20)};
        bodies.push_back(world.create_body({.position = place * 3.0f}, Circle{0.5f}));
    }
    test::run(world, 2);
    const std::size_t before = allocations;
    for (std::size_t i = 0; i < bodies.size(); i += 10) {
        world.body(bodies[i]).set_velocity({0.2f, 0.0f});
        test::run(world, 1);
    }
    CHECK(allocations - before < 10);  // rows of their grid, whose number is not known before
}

TEST_CASE("forces, impulses, timed impulses and teleports do not allocate after warm-up") {
    World world = scenes::build(scenes::pile(100));
    const std::vector<BodyId> ids(world.ids().begin(), world.ids().end());
    const auto play = [&](int steps) {
        const std::size_t before = allocations;
        for (int i = 0; i < steps; ++i) {
            BodyRef body = world.body(ids[3 + static_cast<std::size_t>(i) % 100]);
            body.apply_force({0.0f, 20.0f});
            body.apply_impulse({0.1f, 0.0f});
            body.apply_impulse({0.0f, 1.0f}, 0.2f);
            body.set_velocity(body.velocity() * 0.5f);
            if (i % 50 == 0) body.teleport({0.0f, 30.0f});
            world.step();
        }
        return allocations - before;
    };
    play(5'000);  // the most crowded moment comes after 2,635
    CHECK(play(many_steps / 2) == 0);
}

TEST_CASE("bodies that come and go in equal number do not allocate after warm-up") {
    World world = test::world_with_floor();
    std::vector<BodyId> ids(20);
    const auto churn = [&](int steps) {
        const std::size_t before = allocations;
        for (int i = 0; i < steps; ++i) {
            const std::size_t next = static_cast<std::size_t>(i) % ids.size();
            if (world.contains(ids[next])) world.destroy_body(ids[next]);
            ids[next] =
                world.create_body({.position = {static_cast<float>(next), 3.0f}}, Circle{0.6f});
            world.step();
        }
        return allocations - before;
    };
    churn(2'000);
    CHECK(churn(many_steps / 2) == 0);
}

TEST_CASE("a thousand worlds of 50 bodies live side by side, and each goes its own way alone") {
    const std::size_t count = test::is_fast_build ? 1'000 : 100;
    std::vector<World> worlds;
    const auto make = [](std::size_t i) {
        World world({.gravity = {0.0f, -10.0f - 0.01f * static_cast<float>(i)}});
        test::add_floor(world);
        for (int k = 0; k < 49; ++k) {
            world.create_body({.position = {0.1f * static_cast<float>(k % 7),
                                            1.0f + 1.1f * static_cast<float>(k)}},
                              Circle{0.5f});
        }
        return world;
    };
    for (std::size_t i = 0; i < count; ++i) worlds.push_back(make(i));
    for (int step = 0; step < 20; ++step) {
        for (World& world : worlds) world.step();
    }
    for (const std::size_t i : {std::size_t{0}, count / 2, count - 1}) {
        World alone = make(i);
        test::run(alone, 20);
        CHECK(alone.state_hash() == worlds[i].state_hash());
    }
    CHECK(worlds[0].state_hash() != worlds[1].state_hash());
}

TEST_CASE("saying again and again that a sensor is one does not allocate") {
    World world;
    const BodyId sensor =
        world.create_body({.type = BodyType::Static}, Circle{0.5f}, {}, {.is_sensor = true});
    const auto say = [&] {
        for (int i = 0; i < many_steps; ++i) {
            world.body(sensor).set_filter({.mask = i % 2 == 0 ? 1u : 3u});
            world.step();
        }
    };
    say();
    const std::size_t before = allocations;
    for (int i = 0; i < 4; ++i) say();
    CHECK(allocations == before);
}

TEST_CASE("looking what is in a shape allocates for what is more than few alone") {
    World world({.gravity = {}});
    for (int i = 0; i < 70; ++i) {
        world.create_body({.position = {static_cast<float>(i), 0.0f}}, Circle{0.3f});
    }
    world.step();
    std::size_t found = 0;
    const auto allocations_within = [&](float radius) {
        found = 0;
        const std::size_t before = allocations;
        world.for_each_overlap(Circle{radius}, [&](BodyId) { ++found; });
        return allocations - before;
    };
    const std::size_t for_few = allocations_within(63.0f);
    CHECK(found == World::few_found);
    CHECK(for_few == 0);
    const std::size_t for_many = allocations_within(100.0f);
    CHECK(found == 70);
    CHECK(for_many == 1);
}

TEST_CASE("a paused world does not allocate for what it is told, however often") {
    World world({.gravity = {0.0f, -10.0f}});
    const BodyId lift = world.create_body({.type = BodyType::Kinematic}, Box{{1.0f, 0.1f}});
    const BodyId wall = world.create_body({.type = BodyType::Kinematic, .position = {9.0f, 0.0f}},
                                          Box{{1.0f, 1.0f}});
    const BodyId hero = world.create_body({.position = {0.0f, 0.6f}}, Box{{0.5f, 0.5f}});
    test::run(world, 10);
    world.set_paused(true);
    const auto play = [&] {
        for (int i = 0; i < many_steps; ++i) {
            world.body(lift).move_to({0.0f, 0.001f * static_cast<float>(i % 100)});
            world.body(wall).set_velocity({0.1f * static_cast<float>(i % 7), 0.0f});
            world.body(hero).set_collider_def({.is_sensor = i % 2 == 0});
            world.advance(1.0 / 60.0);
        }
    };
    play();
    const std::size_t before = allocations;
    for (int i = 0; i < 4; ++i) play();
    CHECK(allocations == before);
}

TEST_CASE("bullets that pass through each other take no memory for their pairs, however near") {
    constexpr std::size_t count = 3'000;
    World world({.gravity = {0.0f, 0.0f}});
    for (std::size_t i = 0; i < count; ++i) {
        world.create_body({}, Circle{i % 2 == 0 ? 0.1f : 0.01f}, {}, {.filter = {.group = -1}});
    }
    largest = 0;
    test::run(world, 2);
    CHECK(largest < 200 * count);
}

TEST_CASE("bodies that come and go in a world that is not stepped do not make it grow") {
    World world;
    const auto play = [&] {
        for (int i = 0; i < many_steps; ++i) {
            const BodyId fixed = world.create_body({.type = BodyType::Static}, Box{{0.5f, 0.5f}},
                                                   {}, {.is_sensor = i % 2 == 0});
            const BodyId body = world.create_body({}, Circle{0.5f});
            world.add_collider(body, Circle{0.3f});
            world.destroy_body(fixed);
            world.destroy_body(body);
        }
    };
    play();
    const std::size_t before = allocations;
    for (int i = 0; i < 4; ++i) play();
    CHECK(allocations == before);
}

TEST_CASE("saving into a used copy and rolling back to it hardly ever allocate") {
    World world = scenes::build(scenes::pile(100));
    const std::vector<BodyId> ids(world.ids().begin(), world.ids().end());
    World saved;
    test::Random random;
    const auto play = [&](int steps) {
        const std::size_t before = allocations;
        for (int i = 0; i < steps; ++i) {
            if (i % 8 == 0) saved = world;
            if (i % 8 == 7) world = saved;
            const auto next = static_cast<std::size_t>(random.integer(3, 102));
            world.body(ids[next]).set_velocity(
                {random.uniform(-5.0f, 5.0f), random.uniform(-5.0f, 5.0f)});
            world.step();
        }
        return allocations - before;
    };
    play(8'000);
    CHECK(play(2'000) < 10);
}

TEST_CASE(
    "a world that held a crowd and takes an empty one's state fills again without allocating") {
    World world({.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.5f});
    const World empty = world;
    World saved;
    for (const bool is_warm : {false, true}) {
        const std::size_t before = allocations;
        test::add_floor(world);
        for (int i = 0; i < 1'000; ++i) {
            const Vec2 place{static_cast<float>(i % 20), 1.0f + static_cast<float>(i / 20)};
            const BodyId body = world.create_body({.position = place}, Circle{0.45f});
            if (i % 10 == 0) world.add_collider(body, Box{{0.2f, 0.2f}, {0.0f, 0.3f}});
        }
        for (int i = 0; i < 150; ++i) {
            world.step();
            if (i == 100) saved = world;
        }
        world = saved;
        if (is_warm) CHECK(allocations == before);
        world = empty;
    }
}

TEST_CASE("the contacts that a pair filter reads do not depend on what fresh memory holds") {
    struct Seen {
        World* world;
        int contacts = 0;
    };
    const auto seen_with = [](int held) {
        fill = held;
        World world;
        Seen seen{&world};
        world = World({.time_to_sleep = 0.2f,
                       .pair_filter =
                           [](void* context, BodyId, BodyId) {
                               auto& reader = *static_cast<Seen*>(context);
                               reader.world->for_each_contact(
                                   [&](const WorldContact&) { ++reader.contacts; });
                               return true;
                           },
                       .pair_filter_context = &seen});
        world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}},
                          Box{{50.0f, 1.0f}});
        const BodyId sleeper = world.create_body({.position = {0.0f, 0.5f}}, Box{{0.5f, 0.5f}});
        for (int i = 0; i < 60; ++i) world.step();
        REQUIRE(world.body(sleeper).is_asleep());
        world.create_body({.position = {-0.3f, 1.3f}, .velocity = {0.0f, -20.0f}}, Circle{0.2f});
        for (int i = 0; i < 40; ++i) {  // near each other, but apart
            world.create_body(
                {.position = {-30.0f - 1.06f * static_cast<float>(i), 5.0f}, .gravity_scale = 0.0f},
                Circle{0.5f});
        }
        world.step();
        fill = 0;
        return seen.contacts;
    };
    const int contacts = seen_with(0);
    CHECK(seen_with(0xFF) == contacts);
    CHECK(seen_with(0x55) == contacts);
}

// SPDX-License-Identifier: MIT
// What does terrain cost? Bodies on a tile map and on one flat box, movers, rays, and edits.
// Names: terrain/<what>/<size>. Each looks at its result once it has been timed.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <benchmark/benchmark.h>

#include <phys2d/phys2d.hpp>

#include "../examples/scenes/random.hpp"

namespace {

using namespace phys2d;

/// Columns of five heights, from x = 0 on; the highest ends at y = 0.
void add_columns(TileMapRef map, int count, int height) {
    for (int x = 0; x < count; ++x) map.fill({{x, -height}, {x, -1 - 7919 * x % 5}}, 1);
}

BodyId add_map(World& world) {
    const BodyId map = world.create_tile_map();
    world.tile_map(map).define(1, {.material = {.friction = 0.3f}});
    return map;
}

/// Circles and boxes in rows of 500 above x = 0 to 1,000.
void add_bodies(World& world, int count) {
    scenes::Random random;
    for (int i = 0; i < count; ++i) {
        const float half = random.between(0.3f, 0.45f);
        const Vec2 place{5.0f + 1.98f * static_cast<float>(i % 500),
                         3.0f + 1.2f * static_cast<float>(i / 500)};
        const Shape shape = i % 2 == 0 ? Shape(Circle{half}) : Shape(Box{{half, half}});
        world.create_body({.position = place}, shape, {.friction = 0.3f});
    }
}

enum class Ground { Box, Flat, Columns };

World world_on(Ground ground, int bodies) {
    World world({.gravity = {0.0f, -10.0f}});
    if (ground == Ground::Box) {
        world.create_body({.type = BodyType::Static, .position = {500.0f, -500.0f}},
                          Box{{500.0f, 500.0f}}, {.friction = 0.3f});
    } else {
        TileMapRef map = world.tile_map(add_map(world));
        if (ground == Ground::Flat) map.fill({{0, -1000}, {999, -1}}, 1);
        if (ground == Ground::Columns) add_columns(map, 1000, 1000);
    }
    add_bodies(world, bodies);
    return world;
}

bool has_lost_one(const World& world) {
    for (std::size_t i = 0; i < world.moving_count(); ++i) {
        if (!(world.positions()[i].y > -6.0f)) return true;  // nor NaN
    }
    return false;
}

/// Steps 1 to 150, in which bodies fall and land, again and again.
void falling(benchmark::State& state, Ground ground) {
    const World start = world_on(ground, static_cast<int>(state.range(0)));
    World world = start;
    for (auto step : state) {
        world.step();
        if (world.step_count() < 150) continue;
        if (has_lost_one(world)) return state.SkipWithError("a body is lost");
        state.PauseTiming();
        world = start;
        state.ResumeTiming();
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

void settled(benchmark::State& state, Ground ground) {
    World world = world_on(ground, static_cast<int>(state.range(0)));
    for (int i = 0; i < 400; ++i) world.step();
    for (auto step : state) world.step();
    state.counters["contacts"] = world.stats().contacts;
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

/// 290,000 tiles in 7,250 columns, and a walker every seven metres.
struct TileWorld {
    World world{{.gravity = {0.0f, -10.0f}}};
    BodyId map = add_map(world);

    TileWorld() { add_columns(world.tile_map(map), 7250, 42); }

    [[nodiscard]] std::vector<Mover> movers(int count) const {
        std::vector<Mover> movers;
        for (int i = 0; i < count; ++i) {
            const float x = 3.5f + 7.0f * static_cast<float>(i);
            movers.push_back({.shape = Capsule{0.3f, 0.3f}, .position = {x, 2.0f}});
        }
        return movers;
    }
};

/// A step of the world in which every mover walks in the pit that it fell into, and turns at walls.
void movers(benchmark::State& state) {
    TileWorld tiles;
    std::vector<Mover> movers = tiles.movers(static_cast<int>(state.range(0)));
    std::vector<Vec2> velocities(movers.size(), Vec2{3.0f, 0.0f});
    const auto step = [&] {
        for (std::size_t i = 0; i < movers.size(); ++i) {
            velocities[i].y -= 10.0f / 60.0f;
            const float pace = velocities[i].x;
            velocities[i] = move(tiles.world, movers[i], velocities[i], 1.0f / 60.0f);
            velocities[i].x = movers[i].wall ? -pace : pace;
        }
        tiles.world.step();
    };
    for (int i = 0; i < 180; ++i) step();
    for (auto each : state) step();
    const auto standing = std::count_if(
        movers.begin(), movers.end(), [](const Mover& mover) { return mover.ground.is_grounded; });
    if (standing != state.range(0)) state.SkipWithError("movers do not walk");
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

/// Rays of 5 to 50 m from above the ground.
void rays(benchmark::State& state) {
    const TileWorld tiles;
    scenes::Random random;
    std::array<Vec2, 1024> from, way;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const float angle = random.between(0.0f, 6.2831853f);
        from[i] = {random.between(60.0f, 7190.0f), random.between(0.5f, 6.0f)};
        way[i] = Vec2{std::cos(angle), std::sin(angle)} * random.between(5.0f, 50.0f);
    }
    std::size_t hits = 0;
    std::size_t next = 0;
    for (auto ray : state) {
        hits += tiles.world.ray_cast(from[next], way[next]) ? 1 : 0;
        next = (next + 1) % from.size();
    }
    const double part = static_cast<double>(hits) / static_cast<double>(state.iterations());
    if (state.iterations() > 10'000 && (part < 0.4 || part > 0.7)) {
        state.SkipWithError("about half of the rays go down");
    }
    state.SetItemsProcessed(state.iterations());
}

/// A map of size x size tiles, tile by tile, in a world with bodies.
void set_tiles(benchmark::State& state) {
    const auto size = static_cast<std::int32_t>(state.range(0));
    for (auto map : state) {
        state.PauseTiming();
        World world;
        TileMapRef tiles = world.tile_map(add_map(world));
        for (int i = 0; i < 100; ++i) {
            world.create_body({.position = {3.0f * static_cast<float>(i), 600.0f}}, Circle{0.4f});
        }
        world.step();
        state.ResumeTiming();
        for (TileCoord tile{}; tile.y < size; ++tile.y) {
            for (tile.x = 0; tile.x < size; ++tile.x) tiles.set(tile, 1);
        }
        const auto all = static_cast<std::uint64_t>(size) * static_cast<std::uint64_t>(size);
        if (tiles.grid().tile_count() != all) return state.SkipWithError("tiles are missing");
    }
    state.SetItemsProcessed(state.iterations() * size * size);
}

BENCHMARK_CAPTURE(falling, flat_box, Ground::Box)
    ->Name("terrain/flat_box/falling")
    ->Arg(10'000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(falling, flat_map, Ground::Flat)
    ->Name("terrain/flat_map/falling")
    ->Arg(10'000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(falling, columns, Ground::Columns)
    ->Name("terrain/columns/falling")
    ->Arg(10'000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(settled, flat_box, Ground::Box)
    ->Name("terrain/flat_box/settled")
    ->Arg(10'000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(settled, flat_map, Ground::Flat)
    ->Name("terrain/flat_map/settled")
    ->Arg(10'000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(settled, columns, Ground::Columns)
    ->Name("terrain/columns/settled")
    ->Arg(10'000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(movers)->Name("terrain/movers")->Arg(1'000)->Unit(benchmark::kMicrosecond);
BENCHMARK(rays)->Name("terrain/ray")->Unit(benchmark::kNanosecond);
BENCHMARK(set_tiles)->Name("terrain/set")->Arg(500)->Unit(benchmark::kMillisecond);

}  // namespace

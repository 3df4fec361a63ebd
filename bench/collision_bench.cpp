// SPDX-License-Identifier: MIT
// What does a question about two shapes cost, and what the pairs of many boxes?
// Names: collision/<what>/<size>.
#include <vector>

#include <benchmark/benchmark.h>

#include "../examples/scenes/random.hpp"
#include <phys2d/collision/row_grid.hpp>
#include <phys2d/phys2d.hpp>

namespace {

using phys2d::AABB;
using phys2d::Shape;
using phys2d::Vec2;

constexpr std::size_t shape_count = 1024;

std::vector<Shape> random_shapes() {
    scenes::Random random;
    std::vector<Shape> shapes;
    for (std::size_t i = 0; i < shape_count; ++i) {
        const Vec2 center{random.between(-2.0f, 2.0f), random.between(-2.0f, 2.0f)};
        const Vec2 half{random.between(0.1f, 1.0f), random.between(0.1f, 1.0f)};
        if (i % 2 == 0) shapes.emplace_back(phys2d::Circle{half.x, center});
        if (i % 2 == 1) shapes.emplace_back(phys2d::Box{half, center});
    }
    return shapes;
}

/// Calls ask(a, b) for neighbours in a list; the answers' sum keeps the compiler honest.
template <class Ask>
void for_neighbours(benchmark::State& state, Ask ask) {
    const std::vector<Shape> shapes = random_shapes();
    for (std::size_t i = 1; i < shape_count; ++i) {
        const bool do_collide = static_cast<bool>(collide(shapes[i - 1], shapes[i]));
        if (overlaps(shapes[i - 1], shapes[i]) != do_collide)
            return state.SkipWithError("overlaps and collide differ");
    }
    for (auto pass : state) {
        float sum = 0.0f;
        for (std::size_t i = 1; i < shape_count; ++i) sum += ask(shapes[i - 1], shapes[i]);
        benchmark::DoNotOptimize(sum);
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(shape_count - 1));
}

void overlaps_shapes(benchmark::State& state) {
    for_neighbours(state,
                   [](const Shape& a, const Shape& b) { return overlaps(a, b) ? 1.0f : 0.0f; });
}

void collide_shapes(benchmark::State& state) {
    for_neighbours(state, [](const Shape& a, const Shape& b) { return collide(a, b).penetration; });
}

void grid_pairs(benchmark::State& state) {
    const auto count = static_cast<int>(state.range(0));
    const float side = phys2d::sqrt(static_cast<float>(count));
    scenes::Random random;
    std::vector<AABB> boxes;
    for (int i = 0; i < count; ++i) {
        const Vec2 corner{random.unit() * side, random.unit() * side};
        boxes.push_back({corner, corner + Vec2{0.55f, 0.55f}});
    }
    phys2d::detail::RowGrid grid;
    phys2d::detail::Array<phys2d::detail::IndexPair> pairs;
    for (auto rebuild : state) {
        pairs.clear();
        grid.build(boxes);
        grid.append_pairs(pairs);
    }
    if (2 * pairs.size() < boxes.size()) state.SkipWithError("pairs are missing");
    state.SetItemsProcessed(state.iterations() * count);
    state.counters["pairs"] = static_cast<double>(pairs.size());
}

}  // namespace

BENCHMARK(overlaps_shapes)->Name("collision/overlaps");
BENCHMARK(collide_shapes)->Name("collision/collide");
BENCHMARK(grid_pairs)->Name("collision/grid_pairs")->Arg(1000)->Arg(10000)->Arg(100000);

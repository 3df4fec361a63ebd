// SPDX-License-Identifier: MIT
// debug_draw: draws the inside of a world: `debug_draw FILE.svg`.
#include <cstdio>

#include "svg_sink.hpp"

using namespace phys2d;

namespace {

/// A pile on a lift and on a conveyor, under a one-way platform.
World make_world() {
    World world({.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.5f});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -0.5f}}, Box{{8.0f, 0.5f}});
    world.create_body({.type = BodyType::Static, .position = {4.0f, 0.15f}}, Box{{3.0f, 0.15f}},
                      {.surface_velocity = {-1.0f, 0.0f}});
    world.create_body({.type = BodyType::Static, .position = {4.0f, 2.5f}}, Box{{2.0f, 0.1f}}, {},
                      {.one_way = OneWay::Up});
    world.create_body(
        {.type = BodyType::Kinematic, .position = {-4.0f, 1.0f}, .velocity = {0.3f, 0.2f}},
        Box{{2.0f, 0.2f}});
    world.create_body({.type = BodyType::Static, .position = {0.0f, 3.0f}}, Box{{1.0f, 2.0f}}, {},
                      {.is_sensor = true});
    for (int i = 0; i < 36; ++i) {
        const auto k = static_cast<float>(i % 9);
        const Vec2 position{-5.5f + 1.35f * k, 3.5f + 1.1f * static_cast<float>(i / 9)};
        if (i % 3 == 0) world.create_body({.position = position}, Circle{0.45f});
        if (i % 3 == 1) world.create_body({.position = position}, Box{{0.4f, 0.3f}});
        if (i % 3 == 2) {
            const BodyId body = world.create_body({.position = position}, Capsule{0.3f, 0.2f});
            world.add_collider(body, Circle{0.25f, {0.4f, 0.0f}});
        }
    }
    return world;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::fprintf(stderr, "debug_draw FILE.svg\n  draws a world from inside\n");
        return 2;
    }
    World world = make_world();
    for (int i = 0; i < 110; ++i) world.step();
    svg::SvgSink sink({{-8.0f, -0.6f}, {8.0f, 7.0f}});
    debug_draw(world, sink,
               {.ranges = true,
                .islands = true,
                .velocities = true,
                .names = true,
                .metres_per_newton_second = 2.0f});
    const Vec2 origin{-7.5f, 6.5f};
    const Vec2 way{15.0f, -5.0f};
    debug_draw_ray(origin, way, world.ray_cast(origin, way), sink);
    if (sink.save(arguments[1])) return 0;
    std::fprintf(stderr, "debug_draw: %s could not be written.\n", arguments[1]);
    return 1;
}

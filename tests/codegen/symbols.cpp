// SPDX-License-Identifier: MIT
// For check_symbols.cmake, which reads the names of what this is compiled to.
#include <phys2d/phys2d.hpp>

#include <phys2d/character/probes.hpp>

using namespace phys2d;

float functions(Vec2 way) {
    const Polygon ramp{{0.0f, 0.0f}, {2.0f, 0.0f}, {2.0f, 1.0f}};
    const Shape ball = Circle{0.5f, way};
    BodyState a{.velocity = way, .inverse_mass = inverse_mass_of(mass_of(ball, 1.0f))};
    BodyState b{};
    for (const Manifold contact :
         {collide(ramp, ball), collide(ball, ball), collide(HalfSpace{}, ball)}) {
        const float push = resolve_collision(a, b, contact);
        resolve_friction(a, b, contact, push);
        correct_positions(a, b, contact);
    }
    const BoxProbes probes(way);
    return shape_cast(ball, way, ramp).fraction + ray_cast(way, a.position, ramp).fraction +
           probes.set().max_slope;
}

Vec2 world(Vec2 way) {
    World world;
    const Vec2 points[] = {{9.0f, 0.0f}, {0.0f, 1.0f}, {-9.0f, 0.0f}};
    world.create_body({.type = BodyType::Static}, Chain{points});
    world.create_body({.type = BodyType::Static}, Polygon(AABB{{-1.0f, 0.0f}, {1.0f, 1.0f}}));
    TileMapRef tiles = world.tile_map(world.create_tile_map());
    tiles.define('#');
    tiles.load("# #");
    world.create_body({.velocity = way}, Circle{0.5f});
    world.step();
    Mover mover{.position = way};
    return move(world, mover, way, 0.1f);
}

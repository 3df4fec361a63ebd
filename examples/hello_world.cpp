// SPDX-License-Identifier: MIT
// Hello world: a ball and a box fall onto the ground; prints two seconds of it.
//   g++ -std=c++20 -Iinclude examples/hello_world.cpp && ./a.out
#include <cstdio>

#include <phys2d/phys2d.hpp>

using namespace phys2d;

int main() {
    // Metres, kilograms and seconds. y points up, and a step is 1/60 s unless you say otherwise.
    World world({.gravity = {0.0f, -9.81f}});

    // A static body never moves: a slab, 100 m by 2 m, whose top is at y = 0. Two things that meet
    // bounce as the duller of them does, so the ground leaves the choice to the others.
    world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{50.0f, 1.0f}},
                      {.restitution = 1.0f});

    // A body is dynamic unless you say otherwise; its mass follows from density and area.
    const BodyId ball =
        world.create_body({.position = {-2.0f, 4.0f}}, Circle{0.5f}, {.restitution = 0.7f});
    const BodyId box = world.create_body({.position = {2.0f, 4.0f}}, Box{{0.5f, 0.5f}});

    std::printf("seconds  ball    box\n");
    for (int step = 0; step <= 120; ++step) {
        if (step % 10 == 0) {
            std::printf("%7.2f  %4.2f m  %4.2f m\n", static_cast<double>(step) / 60.0,
                        static_cast<double>(world.body(ball).position().y),
                        static_cast<double>(world.body(box).position().y));
        }
        world.step();
    }
}

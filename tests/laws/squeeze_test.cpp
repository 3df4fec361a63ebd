// SPDX-License-Identifier: MIT
// What a kinematic body squeezes against something immovable is not shot off when that ends.
#include <cmath>

#include <doctest/doctest.h>
#include <phys2d/phys2d.hpp>

namespace squeeze_test {

using namespace phys2d;

TEST_CASE("a crate that a press has squeezed stays on the floor when the press leaves") {
    float most_hop = 0.0f;
    for (const float speed : {1.0f, 2.0f, 4.0f, 8.0f}) {
        for (const float squeeze : {0.005f, 0.01f, 0.02f, 0.05f, 0.1f}) {
            World world;
            world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}},
                              Box{{10.0f, 1.0f}});
            const BodyRef crate =
                world.body(world.create_body({.position = {0.0f, 0.5f}}, Box{{0.5f, 0.5f}}));
            BodyRef press = world.body(world.create_body(
                {.type = BodyType::Kinematic, .position = {0.0f, 2.5f}}, Box{{1.0f, 0.5f}}));
            const auto drive_to = [&](float height) {
                const float way = speed * world.config().time_step;
                const float y = press.position().y;
                press.move_to({0.0f, y + clamp(height - y, -way, way)});
                world.step();
            };
            while (press.position().y > 1.5f - squeeze) drive_to(1.5f - squeeze);
            for (int i = 0; i < 20; ++i) drive_to(1.5f - squeeze);
            for (int i = 0; i < 60; ++i) {
                drive_to(4.0f);
                most_hop = std::fmax(most_hop, crate.position().y - 0.5f);
            }
        }
    }
    CHECK(most_hop < 0.12f);  // measured 0.108
}

TEST_CASE(
    "what a lift presses against the corner of a ledge is not shot off, however fine the steps") {
    for (const int substeps : {4, 16}) {
        float fastest = 0.0f;
        for (const float speed : {1.0f, 3.0f, 5.0f}) {
            for (int i = 1; i <= 20; ++i) {
                const float overlap = 0.024f * static_cast<float>(i);
                World world({.substeps = substeps});
                BodyRef lift = world.body(world.create_body(
                    {.type = BodyType::Kinematic, .position = {0.0f, -0.5f}}, Box{{1.5f, 0.5f}}));
                const BodyRef ball =
                    world.body(world.create_body({.position = {0.0f, 0.5f}}, Circle{0.5f}));
                world.create_body({.type = BodyType::Static, .position = {1.5f - overlap, 2.5f}},
                                  Box{{1.0f, 0.25f}});
                lift.set_velocity({0.0f, speed});
                while (lift.position().y < 3.5f) {
                    world.step();
                    fastest = std::fmax(fastest, ball.velocity().y - speed);
                }
            }
        }
        CAPTURE(substeps);
        CHECK(fastest < 40.0f);  // it had no room, so it is not slow either
    }
}

}  // namespace squeeze_test

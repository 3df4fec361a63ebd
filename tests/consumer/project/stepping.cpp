// SPDX-License-Identifier: MIT
// Does the step that is compiled elsewhere do what one compiled here does?
#include <phys2d/phys2d.hpp>

int main() {
    phys2d::World elsewhere({.gravity = {0.0f, -10.0f}});
    elsewhere.create_body({.type = phys2d::BodyType::Static}, phys2d::Box{{5.0f, 0.5f}});
    for (int i = 0; i < 9; ++i) {
        elsewhere.create_body(
            {.position = {0.3f * static_cast<float>(i % 3), 1.0f + 0.9f * static_cast<float>(i)}},
            phys2d::Circle{0.5f});
    }
    phys2d::World here = elsewhere;
    phys2d::World in_tasks = elsewhere;
    for (int i = 0; i < 100; ++i) {
        elsewhere.step();
        here.step<1>();  // no width of the separate step
        in_tasks.step([](int tasks, auto task) {
            for (int k = 0; k < tasks; ++k) task(k);
        });
    }
    const bool is_same = elsewhere.state_hash() == here.state_hash() &&
                         elsewhere.state_hash() == in_tasks.state_hash();
    return is_same && elsewhere.stats().contacts > 0 ? 0 : 1;
}

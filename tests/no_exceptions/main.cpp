// SPDX-License-Identifier: MIT
// What does a build with -fno-exceptions -fno-rtti do when a precondition breaks?
// The handler receives the sentence, and when it returns the program aborts. The exit status is 0
// only if both happen, in this order.
#include <phys2d/phys2d.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

bool sentence_received = false;

void receive(const char* sentence) {
    std::printf("the handler received: %s\n", sentence);
    sentence_received = std::strstr(sentence, "radius") != nullptr;
}

void leave_on_abort(int) { std::_Exit(sentence_received ? EXIT_SUCCESS : EXIT_FAILURE); }

}  // namespace

int main() {
    phys2d::World world;
    world.create_body({}, phys2d::Circle{0.5f});
    world.step();

    phys2d::set_error_handler(receive);
    std::signal(SIGABRT, leave_on_abort);
    world.create_body({}, phys2d::Circle{-1.0f});

    std::puts("a negative radius went unnoticed");
    return EXIT_FAILURE;
}

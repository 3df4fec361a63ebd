// SPDX-License-Identifier: MIT
// What did a failing test see? A picture of the world, beside the failure.
#pragma once

#include <string>

#include <debug_draw/svg_sink.hpp>
#include <doctest/doctest.h>

namespace test {

/// Draws all of a world but what is very large or far away.
inline std::string save_picture(const phys2d::World& world, int line) {
    phys2d::AABB view{{-4.0f, -3.0f}, {4.0f, 3.0f}};
    for (const phys2d::BodyId id : world.ids()) {
        const phys2d::AABB box = world.body(id).bounds();
        const bool is_handy = phys2d::length(box.min) < 100.0f && phys2d::length(box.max) < 100.0f;
        if (is_handy) view = phys2d::merge(view, phys2d::expand(box, 0.5f));
    }
    svg::SvgSink sink(view);
    phys2d::debug_draw(world, sink, {.velocities = true, .names = true});
    const std::string file = "failed_at_line_" + std::to_string(line) + ".svg";
    return sink.save(file.c_str()) ? file : "no file: " + file + " could not be written";
}

}  // namespace test

/// A CHECK that leaves a picture of a world behind if it fails.
#define CHECK_IN(world, ...)                                                                    \
    do {                                                                                        \
        if (!(__VA_ARGS__)) MESSAGE("what it saw is in ", test::save_picture(world, __LINE__)); \
        CHECK(__VA_ARGS__);                                                                     \
    } while (false)

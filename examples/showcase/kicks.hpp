// SPDX-License-Identifier: MIT
// kicks: a yard with a few hundred boxes and circles, of which a dozen are kicked once a second:
// each gets an impulse spread over a sixth of a second.
#pragma once

#include "recorder.hpp"
#include "scenes/scenes.hpp"

namespace showcase {

using phys2d::Vec2;

/// A floor 48 m wide between walls too high to be kicked over.
inline scenes::Scene yard() {
    constexpr phys2d::Material lively{.restitution = 0.4f, .friction = 0.4f};
    constexpr int columns = 30;
    constexpr int rows = 8;
    scenes::Scene scene{.name = "kicks"};
    scene.add_static({0.0f, -1.0f}, {26.0f, 1.0f}, lively);
    scene.add_static({-25.0f, 50.0f}, {1.0f, 50.0f}, lively);
    scene.add_static({25.0f, 50.0f}, {1.0f, 50.0f}, lively);
    scenes::Random random;
    for (int i = 0; i < columns * rows; ++i) {
        const int column = i % columns;
        const int row = i / columns;
        const Vec2 place{1.5f * static_cast<float>(column) + (row % 2 == 0 ? -22.0f : -21.25f),
                         1.5f * static_cast<float>(row) + 0.75f};
        const bool circle = random.unit() < 0.5f;
        const phys2d::Shape shape = scenes::mixed_shape(random, circle, 0.3f, 0.7f);
        scene.add(place, shape, lively, {random.between(-2.0f, 2.0f), 0.0f});
    }
    return scene;
}

/// Chooses who is kicked when, and how: by numbers that are the same in every run.
class Kicker {
public:
    /// To be called before each step.
    void before_step(phys2d::World& world, Recorder& recorder) {
        if (world.step_count() % steps_between == steps_between - 1) {
            for (int i = 0; i < kicks_at_a_time; ++i) kick(world, recorder);
        }
    }

private:
    static constexpr std::uint64_t steps_between = 60;
    static constexpr int kicks_at_a_time = 12;
    static constexpr float duration = 1.0f / 6.0f;  // [s]

    void kick(phys2d::World& world, Recorder& recorder) {
        const std::size_t chosen = choose_high(world);
        const float aside = random_.between(-9.0f, 9.0f);
        const float up = random_.between(9.0f, 20.0f);
        phys2d::BodyRef body = world.body(world.ids()[chosen]);
        const Vec2 impulse = Vec2{aside, up} * body.mass();
        body.apply_impulse(impulse, duration);
        recorder.add_kick(world, chosen, impulse);
    }

    /// The higher of two: a kick from below the heap would soon be lost in it.
    std::size_t choose_high(const phys2d::World& world) {
        const std::size_t one = choose(world);
        const std::size_t other = choose(world);
        return world.positions()[one].y > world.positions()[other].y ? one : other;
    }

    std::size_t choose(const phys2d::World& world) {
        const float count = static_cast<float>(world.body_count());
        std::size_t chosen = 0;
        do chosen = static_cast<std::size_t>(phys2d::mul(random_.unit(), count));
        while (world.types()[chosen] != phys2d::BodyType::Dynamic);
        return chosen;
    }

    scenes::Random random_;
};

}  // namespace showcase

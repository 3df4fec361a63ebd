// SPDX-License-Identifier: MIT
// Playground: a world in which everything is used that a game asks for, at any length unit.
#pragma once

#include <cstdint>
#include <vector>

#include <phys2d/phys2d.hpp>

namespace test {

class Playground {
public:
    /// `unit` is how long a metre is.
    explicit Playground(float unit = 1.0f) : unit_(unit) {}

    [[nodiscard]] phys2d::World begin() {
        phys2d::World world({.gravity = {0.0f, phys2d::mul(-10.0f, unit_)},
                             .length_unit = unit_,
                             .time_to_sleep = 0.5f});
        add_ground(world);
        add_platforms(world);
        for (int i = 0; i < 24; ++i) {
            const auto k = static_cast<float>(i);
            const phys2d::Vec2 place{-11.0f + k, 6.0f + 0.375f * static_cast<float>(i % 5)};
            movers_.push_back(world.create_body({.position = scaled(place)}, shape_of(i),
                                                {.restitution = i % 3 == 0 ? 0.75f : 0.0f}));
            if (i % 4 == 1) {
                world.add_collider(movers_.back(), scaled(phys2d::Circle{0.25f, {0.5f, 0.25f}}));
            }
        }
        return world;
    }

    /// What a game would do ahead of a step.
    void before_step(phys2d::World& world) const {
        const auto step = static_cast<int>(world.step_count());
        const auto phase = static_cast<float>(step % 240 < 120 ? step % 240 : 240 - step % 240);
        world.body(lift_).move_to(scaled({-6.0f + 0.03125f * phase, 1.0f + 0.015625f * phase}));
        world.body(press_).set_velocity(scaled({0.0f, step % 200 < 100 ? -1.0f : 1.0f}));
        world.apply_acceleration(scaled(phys2d::Box{{1.0f, 4.0f}, {10.0f, 4.0f}}),
                                 scaled({-2.0f, 14.0f}));
        const phys2d::BodyId mover = movers_[static_cast<std::size_t>(step) % movers_.size()];
        if (step % 7 == 0) world.body(mover).set_velocity(scaled({2.0f, 9.0f}));
        if (step % 11 == 0) world.body(mover).drop_through();
        if (step % 50 == 49) {
            world.explode(
                {.center = scaled({0.0f, 1.0f}),
                 .radius = unit_,
                 .falloff = phys2d::mul(3.0f, unit_),
                 .impulse = phys2d::mul(phys2d::mul(2.0f, unit_), phys2d::mul(unit_, unit_))});
        }
        if (step % 90 == 10) shoot(world, mover);
    }

private:
    [[nodiscard]] phys2d::Vec2 scaled(phys2d::Vec2 v) const { return v * unit_; }
    [[nodiscard]] phys2d::Shape scaled(const phys2d::Shape& shape) const {
        return phys2d::RoundedBox{scaled(shape.half_extents), phys2d::mul(shape.radius, unit_),
                                  scaled(shape.center)};
    }

    [[nodiscard]] phys2d::Shape shape_of(int i) const {
        const float size = 0.25f + 0.0625f * static_cast<float>(i % 4);
        if (i % 3 == 0) return scaled(phys2d::Circle{size});
        if (i % 3 == 1) return scaled(phys2d::Box{{size, 0.375f}});
        return scaled(phys2d::Capsule{0.25f, size});
    }

    phys2d::BodyId add_box(phys2d::World& world, phys2d::BodyType type, phys2d::Vec2 place,
                           phys2d::Vec2 half, const phys2d::Material& material = {},
                           const phys2d::ColliderDef& collider = {}) const {
        return world.create_body({.type = type, .position = scaled(place)},
                                 scaled(phys2d::Box{half}), material, collider);
    }

    void add_ground(phys2d::World& world) const {
        constexpr auto is_static = phys2d::BodyType::Static;
        add_box(world, is_static, {0.0f, -0.5f}, {14.0f, 0.5f});
        add_box(world, is_static, {-14.0f, 6.0f}, {0.5f, 7.0f});
        add_box(world, is_static, {14.0f, 6.0f}, {0.5f, 7.0f});
        add_box(world, is_static, {5.0f, 0.125f}, {3.0f, 0.125f},
                {.surface_velocity = scaled({1.5f, 0.0f})});
        add_box(world, is_static, {0.0f, 3.0f}, {1.0f, 1.0f}, {},
                {.filter = {.category = 2}, .is_sensor = true});
    }

    void add_platforms(phys2d::World& world) {
        constexpr phys2d::ColliderDef faces_up{.one_way = phys2d::OneWay::Up};
        add_box(world, phys2d::BodyType::Static, {3.0f, 2.0f}, {2.0f, 0.125f}, {}, faces_up);
        add_box(world, phys2d::BodyType::Static, {4.0f, 4.0f}, {2.0f, 0.125f}, {}, faces_up);
        lift_ = add_box(world, phys2d::BodyType::Kinematic, {-6.0f, 1.0f}, {1.5f, 0.125f}, {},
                        faces_up);
        press_ = add_box(world, phys2d::BodyType::Kinematic, {-11.0f, 2.5f}, {1.0f, 0.5f});
        add_box(world, phys2d::BodyType::Dynamic, {-11.0f, 0.5f}, {0.5f, 0.5f});
    }

    void shoot(phys2d::World& world, phys2d::BodyId shooter) const {
        const phys2d::BodyId bullet = world.create_body(
            {.position = world.body(shooter).position(), .velocity = scaled({150.0f, 3.0f})},
            scaled(phys2d::Circle{0.125f}));
        world.ignore_until_apart(shooter, bullet);
    }

    float unit_;
    phys2d::BodyId lift_{};
    phys2d::BodyId press_{};
    std::vector<phys2d::BodyId> movers_;
};

}  // namespace test

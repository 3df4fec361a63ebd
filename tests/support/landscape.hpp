// SPDX-License-Identifier: MIT
// Landscape: a world of terrain of every kind, at any length unit.
#pragma once

#include <vector>

#include <phys2d/phys2d.hpp>

namespace test {

class Landscape {
public:
    /// `unit` is how long a metre is.
    explicit Landscape(float unit = 1.0f) : unit_(unit) {}

    [[nodiscard]] phys2d::World begin() {
        phys2d::World world({.gravity = {0.0f, phys2d::mul(-10.0f, unit_)},
                             .length_unit = unit_,
                             .time_to_sleep = 0.5f});
        add_tiles(world);
        add_hills(world);
        add_ferry(world);
        for (int i = 0; i < 40; ++i) {
            const phys2d::Vec2 place{-14.0f + 0.75f * static_cast<float>(i),
                                     7.0f + 0.375f * static_cast<float>(i % 7)};
            bodies_.push_back(world.create_body({.position = place * unit_}, shape_of(i),
                                                {.restitution = i % 4 == 0 ? 0.5f : 0.0f}));
        }
        return world;
    }

    /// What a game would do ahead of a step.
    void before_step(phys2d::World& world) const {
        const auto step = static_cast<int>(world.step_count());
        const bool is_back = step % 240 >= 120;
        world.body(ferry_).set_velocity(
            phys2d::Vec2{is_back ? -1.5f : 1.5f, is_back ? -0.25f : 0.25f} * unit_);
        phys2d::TileMapRef tiles = world.tile_map(ground_);
        const phys2d::TileCoord tile{step * 7 % 16, 1 + step % 3};
        if (step % 15 == 0) tiles.set(tile, tiles.at(tile) == '#' ? 0 : '#');
        const phys2d::BodyId body = bodies_[static_cast<std::size_t>(step) % bodies_.size()];
        if (step % 9 == 0) world.body(body).set_velocity(phys2d::Vec2{3.0f, 8.0f} * unit_);
        if (step % 13 == 0) world.body(body).drop_through();
        if (step % 40 == 39) world.body(body).set_velocity(phys2d::Vec2{-900.0f, -500.0f} * unit_);
    }

private:
    [[nodiscard]] phys2d::Shape shape_of(int i) const {
        switch (i % 4) {
            case 0: return phys2d::Circle{0.25f * unit_};
            case 1: return phys2d::Box{phys2d::Vec2{0.25f, 0.375f} * unit_};
            case 2: return phys2d::RoundedBox{phys2d::Vec2{0.25f, 0.125f} * unit_, 0.125f * unit_};
            default: return phys2d::Box{phys2d::Vec2{0.875f, 0.25f} * unit_};
        }
    }

    void add_tiles(phys2d::World& world) {
        using phys2d::Polygon;
        ground_ = world.create_tile_map(
            {.position = phys2d::Vec2{-16.0f, -4.0f} * unit_, .tile_size = unit_});
        phys2d::TileMapRef tiles = world.tile_map(ground_);
        tiles.define('#');
        tiles.define('/', {.shape = Polygon{{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}}});
        tiles.define('\\', {.shape = Polygon{{0.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 1.0f}}});
        tiles.define('_',
                     {.shape = Polygon{{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 0.5f}, {0.0f, 0.5f}}});
        tiles.define('-', {.collider = {.one_way = phys2d::OneWay::Up}});
        tiles.define('>', {.material = {.surface_velocity = phys2d::Vec2{2.0f, 0.0f} * unit_}});
        tiles.define('~', {.collider = {.is_sensor = true}});
        tiles.load(
            "#                              #\n"
            "#   ----        ----           #\n"
            "#           /\\          __     #\n"
            "#     ___  /##\\   >>>>  ##  ~~ #\n"
            "#####>>>##########  ############\n");
    }

    void add_hills(phys2d::World& world) {
        std::vector<phys2d::Vec2> points;  // a zigzag with gentle turns: no sine
        for (int i = 0; i <= 64; ++i) {
            const auto along = static_cast<float>(i % 16 < 8 ? i % 16 : 16 - i % 16);
            points.push_back(phys2d::Vec2{48.0f - 0.5f * static_cast<float>(i),
                                          -4.0f + 0.03125f * along * along} *
                             unit_);
        }
        const phys2d::BodyDef fixed{.type = phys2d::BodyType::Static};
        world.create_body(fixed, phys2d::Chain{points});
        world.create_body(fixed, phys2d::HalfSpace{{0.0f, 1.0f}, -8.0f * unit_});
        world.create_body(fixed, phys2d::Segment{phys2d::Vec2{-8.0f, 4.0f} * unit_,
                                                 phys2d::Vec2{-4.0f, 3.0f} * unit_});
        world.create_body(fixed,
                          scale(phys2d::Polygon{{2.0f, 4.0f}, {5.0f, 4.5f}, {3.0f, 5.0f}}, unit_));
    }

    void add_ferry(phys2d::World& world) {
        ferry_ = world.create_tile_map({.type = phys2d::BodyType::Kinematic,
                                        .position = phys2d::Vec2{4.0f, 1.0f} * unit_,
                                        .tile_size = 0.5f * unit_});
        phys2d::TileMapRef tiles = world.tile_map(ferry_);
        tiles.define('#');
        tiles.load(
            "#      #\n"
            "########\n");
    }

    float unit_;
    phys2d::BodyId ground_{};
    phys2d::BodyId ferry_{};
    std::vector<phys2d::BodyId> bodies_;
};

}  // namespace test

// SPDX-License-Identifier: MIT
// Commotion: a world in which anything may happen ahead of a step, in random order. A value: what
// happens to a copy is what happens to its original.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <phys2d/phys2d.hpp>

#include "random.hpp"

namespace test {

class Commotion {
public:
    phys2d::World world;

    /// Pre: seed > 0.
    explicit Commotion(std::uint64_t seed) : random_(seed * Random::default_seed) {
        for (int i = 0; i < 8; ++i) (void)random_.bits();
        has_limbs_ = random_.one_in(3);
        has_tiles_ = random_.one_in(3);
        has_outlines_ = random_.one_in(3);
        has_conveyors_ = random_.one_in(3);
        has_kinematics_ = random_.one_in(2);
        has_statics_ = !random_.one_in(4);
        has_one_way_ = random_.one_in(3);
        has_sensors_ = random_.one_in(3);
        has_filters_ = random_.one_in(2);
        retypes_ = random_.one_in(3);
        half_width_ = random_.one_in(3) ? 4.0f : 12.0f;
        most_bodies_ = static_cast<std::size_t>(random_.one_in(2) ? 60 : 300);
        edits_per_step_ = random_.one_in(3) ? 6 : 1;
        steps_per_edit_ = random_.one_in(2) ? 1 : random_.integer(2, 40);
        most_speed_ = random_.one_in(3) ? 200.0f : 8.0f;
        phys2d::WorldConfig config;
        config.time_to_sleep = random_.one_in(2) ? 0.2f : 0.0f;
        world = phys2d::World(config);
        begin();
    }

    /// What happens ahead of a step.
    void before_step() {
        const auto turn = static_cast<int>(world.step_count());
        if (turn % steps_per_edit_ != 0) return;
        for (int i = random_.integer(0, edits_per_step_); i > 0; --i) edit_once();
    }

private:
    void begin() {
        using phys2d::BodyType;
        (void)world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}},
                                phys2d::Box{{half_width_ + 1.0f, 1.0f}});
        for (const float side : {-1.0f, 1.0f}) {
            (void)world.create_body(
                {.type = BodyType::Static, .position = {side * (half_width_ + 1.0f), 8.0f}},
                phys2d::Box{{1.0f, 10.0f}});
        }
        if (has_tiles_) {
            tiles_ = world.create_tile_map({.position = {-half_width_, 0.0f}});
            terrains_.push_back(tiles_);
            world.tile_map(tiles_).define('#');
            world.tile_map(tiles_).define('-', {.collider = {.one_way = phys2d::OneWay::Up}});
            world.tile_map(tiles_).define('~', {.collider = {.is_sensor = true}});
        }
        if (has_outlines_) add_outlines();
        const int count = static_cast<int>(most_bodies_) / 2;
        for (int i = 0; i < count; ++i) create();
    }

    void add_outlines() {
        const phys2d::Polygon hill{{-2.0f, 0.0f}, {2.0f, 0.0f}, {0.0f, 1.5f}};
        const phys2d::Segment plank{{-1.5f, 0.0f}, {1.5f, 0.5f}};
        const phys2d::Vec2 points[] = {{3.0f, 1.0f}, {1.0f, 0.5f}, {-1.0f, 1.0f}, {-3.0f, 2.0f}};
        const phys2d::BodyDef fixed{.type = phys2d::BodyType::Static};
        for (const phys2d::Outline& outline : {phys2d::Outline(hill), phys2d::Outline(plank),
                                               phys2d::Outline(phys2d::Chain{points})}) {
            terrains_.push_back(world.create_body(fixed, outline));
            move_terrain(terrains_.back());
        }
    }
    void move_terrain(phys2d::BodyId body) { world.body(body).teleport(any_place()); }

    [[nodiscard]] phys2d::Vec2 any_place() {
        const float x = random_.uniform(-half_width_, half_width_);
        const phys2d::Vec2 place{x, random_.uniform(0.0f, 12.0f)};
        if (!random_.one_in(4)) return place;
        return {std::floor(place.x) + 0.5f, std::floor(place.y) + 0.5f};
    }
    [[nodiscard]] phys2d::Shape any_shape() {
        const float size = random_.one_in(3) ? 0.5f : random_.uniform(0.1f, 0.6f);
        const float other = random_.uniform(0.1f, 0.6f);
        switch (random_.integer(0, 3)) {
            case 0: return phys2d::Circle{size};
            case 1: return phys2d::Box{{size, size}};
            case 2: return phys2d::Box{{size, other}};
            default: return phys2d::RoundedBox{{size, other}, 0.1f};
        }
    }
    [[nodiscard]] phys2d::BodyType any_type() {
        if (has_kinematics_ && random_.one_in(8)) return phys2d::BodyType::Kinematic;
        if (has_statics_ && random_.one_in(5)) return phys2d::BodyType::Static;
        return phys2d::BodyType::Dynamic;
    }
    [[nodiscard]] phys2d::ColliderDef any_collider(phys2d::BodyType type) {
        phys2d::ColliderDef def;
        if (has_filters_ && random_.one_in(4)) def.filter.group = random_.integer(-2, 2);
        if (has_sensors_ && random_.one_in(6)) def.is_sensor = true;
        if (has_sensors_ && random_.one_in(6)) def.sees_sensors = true;
        if (has_one_way_ && type != phys2d::BodyType::Dynamic && random_.one_in(3)) {
            def.one_way = phys2d::OneWay::Up;
        }
        def.has_events = !random_.one_in(5);
        return def;
    }
    [[nodiscard]] phys2d::Vec2 any_velocity() {
        return random_.point(random_.one_in(3) ? most_speed_ : 2.0f);
    }

    void create() {
        if (world.body_count() >= most_bodies_) return destroy();
        const phys2d::BodyType type = any_type();
        const phys2d::Vec2 place = any_place();
        phys2d::BodyDef def{.type = type, .position = place};
        if (type != phys2d::BodyType::Static) def.velocity = any_velocity();
        phys2d::Material material{.restitution = random_.one_in(4) ? random_.unit() : 0.0f,
                                  .friction = random_.unit()};
        if (has_conveyors_ && random_.one_in(4)) material.surface_velocity = random_.point(2.0f);
        const phys2d::Shape shape = any_shape();
        const phys2d::BodyId body = world.create_body(def, shape, material, any_collider(type));
        if (has_limbs_ && random_.one_in(3)) add_limb(body);
    }
    void add_limb(phys2d::BodyId body) {
        phys2d::Shape shape = any_shape();
        shape.center = random_.point(0.8f);
        const phys2d::BodyType type = world.body(body).type();
        (void)world.add_collider(body, shape, {}, any_collider(type));
    }

    [[nodiscard]] phys2d::BodyId any_body() {
        const auto last = static_cast<int>(world.body_count()) - 1;
        return world.ids()[static_cast<std::size_t>(random_.integer(0, last))];
    }
    [[nodiscard]] bool is_terrain(phys2d::BodyId body) const {
        return std::find(terrains_.begin(), terrains_.end(), body) != terrains_.end();
    }
    void destroy() {
        const phys2d::BodyId body = any_body();
        if (!is_terrain(body)) world.destroy_body(body);
    }

    void edit_once() {
        if (world.body_count() < 8) return create();
        if (has_tiles_ && random_.one_in(3)) return edit_tiles();
        const phys2d::BodyId id = any_body();
        if (is_terrain(id)) return;
        phys2d::BodyRef body = world.body(id);
        switch (random_.integer(0, 16)) {
            case 0:
            case 1:
            case 2: return create();
            case 3:
            case 4: return destroy();
            case 5: return body.teleport(any_place());
            case 6: return body.set_shape(any_shape());
            case 7: return set_velocity(body);
            case 8: return push(body);
            case 9: return body.drop_through();
            case 10: return body.set_collider_def(any_collider(body.type()));
            case 11: return retype(body);
            case 12: return change_limbs(id);
            case 13: return ignore(id);
            case 14: return body.turn(random_.integer(0, 3));
            case 15: return body.set_enabled(!body.is_enabled());
            default: return stir();
        }
    }
    void set_velocity(phys2d::BodyRef body) {
        if (body.type() != phys2d::BodyType::Static) body.set_velocity(any_velocity());
    }
    void push(phys2d::BodyRef body) {
        if (body.type() == phys2d::BodyType::Dynamic) body.apply_impulse(random_.point(2.0f), 0.1f);
        if (body.type() == phys2d::BodyType::Kinematic) {
            body.move_to(body.position() + random_.point(0.1f));
        }
    }
    void retype(phys2d::BodyRef body) {
        if (retypes_) body.set_type(any_type());
    }
    void change_limbs(phys2d::BodyId body) {
        if (!has_limbs_) return;
        phys2d::ColliderId last{};
        world.for_each_collider(body, [&](phys2d::ColliderId id) { last = id; });
        if (random_.one_in(2) || last == phys2d::first_collider(body)) return add_limb(body);
        world.destroy_collider(last);
    }
    void ignore(phys2d::BodyId body) {
        const phys2d::BodyId other = any_body();
        if (other == body) return;
        if (random_.one_in(2)) return world.ignore_until_apart(body, other);
        world.stop_ignoring(body, other);
    }
    void edit_tiles() {
        const phys2d::TileCoord tile{random_.integer(0, static_cast<int>(2.0f * half_width_) - 1),
                                     random_.integer(0, 8)};
        constexpr phys2d::TileId kinds[] = {0, 0, '#', '-', '~'};
        world.tile_map(tiles_).set(tile, kinds[random_.integer(0, 4)]);
    }
    /// What concerns many bodies at once.
    void stir() {
        switch (random_.integer(0, 6)) {
            case 0: return world.set_gravity({random_.uniform(-3.0f, 3.0f), -9.81f});
            case 1: return world.filter_again();
            case 2: return world.explode({.center = any_place(), .radius = 2.0f, .impulse = 2.0f});
            case 3: return add_many();
            case 4: return remove_many();
            case 5: return move_outline();
            default: return;
        }
    }
    void add_many() {
        for (int i = random_.integer(1, 60); i > 0; --i) create();
    }
    void remove_many() {
        for (int i = random_.integer(1, 60); i > 0 && world.body_count() > 8; --i) destroy();
    }

    void move_outline() {
        if (!has_outlines_) return;
        const std::size_t last = terrains_.size() - 1;
        move_terrain(terrains_[last - random_.bits() % 3]);
    }

    Random random_;
    phys2d::BodyId tiles_{};
    std::vector<phys2d::BodyId> terrains_;  // the outlines last
    float half_width_ = 12.0f;
    float most_speed_ = 8.0f;
    std::size_t most_bodies_ = 60;
    int edits_per_step_ = 1;
    int steps_per_edit_ = 1;
    bool has_limbs_ = false;
    bool has_tiles_ = false;
    bool has_outlines_ = false;
    bool has_conveyors_ = false;
    bool has_kinematics_ = false;
    bool has_statics_ = false;
    bool has_one_way_ = false;
    bool has_sensors_ = false;
    bool has_filters_ = false;
    bool retypes_ = false;
};

}  // namespace test

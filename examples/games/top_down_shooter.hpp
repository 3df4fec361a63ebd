// SPDX-License-Identifier: MIT
// Top-down shooter: the game without its window.
//
// Shows: steering by velocity without gravity, hits by bullets too fast to see, crates that can be
// pushed and come to rest, exploding barrels, line of sight by rays, pickups as sensors, and
// filters.
#pragma once

#include <cstdint>
#include <vector>

#include <phys2d/phys2d.hpp>

namespace games {

class Shooter {
public:
    static constexpr float width = 32.0f;   // [m]; the middle of the room is the origin
    static constexpr float height = 24.0f;  // [m]

    /// What a body is, in its user data.
    enum class Kind : std::uint64_t { Wall, Crate, Barrel, Hero, Enemy, Bullet, Medkit };

    /// What the player wants.
    struct Input {
        phys2d::Vec2 walk{};           // direction, at most of length 1
        phys2d::Vec2 aim{1.0f, 0.0f};  // direction
        bool fire = false;
    };

    Shooter() {
        add_walls();
        hero_ = add_walker({0.0f, -8.0f}, 0.4f, Kind::Hero);
        for (int i = 0; i < 24; ++i) {
            const auto k = static_cast<float>(i % 12);
            enemies_.push_back(
                add_walker({-13.0f + 2.3f * k, i < 12 ? 10.0f : 8.5f}, 0.45f, Kind::Enemy));
        }
        for (int i = 0; i < 18; ++i) {
            const auto k = static_cast<float>(i);
            add_furniture({-12.0f + 4.5f * static_cast<float>(i % 6), -4.0f + 0.45f * k},
                          i % 4 == 3 ? Kind::Barrel : Kind::Crate);
        }
        for (const float x : {-14.0f, 14.0f}) add_medkit({x, 0.0f});
    }

    void step(const Input& input) {
        world_.body(hero_).set_velocity(phys2d::clamp_length(input.walk, 1.0f) * 6.0f);
        aim_ = input.aim;
        if (input.fire && world_.step_count() >= next_shot_) shoot(input.aim);
        for (const phys2d::BodyId enemy : enemies_) chase(enemy);
        world_.step();
        for (const phys2d::ContactEvent& event : world_.events().began) {
            meet(event.a, event.b);
            meet(event.b, event.a);
        }
        for (const phys2d::SensorEvent& event : world_.events().sensor_began) heal(event);
        bury_dead();
    }

    /// Plays by itself: keeps away from enemies and shoots at the nearest one in sight.
    [[nodiscard]] Input autopilot() const {
        const phys2d::Vec2 here = world_.body(hero_).position();
        Input input{.walk = here * -0.05f, .aim = aim_};
        float nearest = 100.0f;
        for (const phys2d::BodyId enemy : enemies_) {
            const phys2d::Vec2 way = world_.body(enemy).position() - here;
            const float distance = phys2d::length(way);
            input.walk += way * (-6.0f / (1.0f + distance * distance * distance));
            if (distance >= nearest || !sees_hero(enemy)) continue;
            nearest = distance;
            input.aim = phys2d::normalized(way);
            input.fire = true;
        }
        return input;
    }

    [[nodiscard]] const phys2d::World& world() const { return world_; }
    [[nodiscard]] static Kind kind_of(phys2d::ConstBodyRef body) {
        return static_cast<Kind>(body.user_data());
    }
    [[nodiscard]] phys2d::BodyId hero() const { return hero_; }
    /// Where a shot would hit.
    [[nodiscard]] phys2d::Vec2 sight() const {
        const phys2d::Vec2 here = world_.body(hero_).position();
        const phys2d::Vec2 way = phys2d::normalized(aim_) * 50.0f;
        const phys2d::QueryHit hit = world_.ray_cast(here, way, {.mask = solid, .except = hero_});
        return hit ? hit.point : here + way;
    }
    [[nodiscard]] int health() const { return health_; }
    [[nodiscard]] int enemies_left() const { return static_cast<int>(enemies_.size()); }
    [[nodiscard]] bool is_over() const { return health_ <= 0 || enemies_.empty(); }

private:
    static constexpr std::uint64_t solid = 1;
    static constexpr std::uint64_t bullet = 2;
    static constexpr phys2d::Filter bullet_filter{.category = bullet, .mask = solid};

    phys2d::BodyId add(phys2d::BodyType type, phys2d::Vec2 position, const phys2d::Shape& shape,
                       Kind kind, const phys2d::Material& material = {},
                       const phys2d::ColliderDef& collider = {}) {
        return world_.create_body({.type = type,
                                   .position = position,
                                   .linear_damping = 4.0f,  // the friction of the floor
                                   .user_data = static_cast<std::uint64_t>(kind)},
                                  shape, material, collider);
    }

    void add_walls() {
        const auto add_wall = [&](phys2d::Vec2 position, phys2d::Vec2 half_extents) {
            add(phys2d::BodyType::Static, position, phys2d::Box{half_extents}, Kind::Wall);
        };
        for (const float side : {-1.0f, 1.0f}) {
            add_wall({side * (width / 2 + 0.5f), 0.0f}, {0.5f, height / 2 + 1.0f});
            add_wall({0.0f, side * (height / 2 + 0.5f)}, {width / 2 + 1.0f, 0.5f});
            add_wall({side * 7.0f, 5.0f}, {3.0f, 0.3f});
            add_wall({side * 10.0f, -4.0f}, {0.3f, 3.0f});
        }
    }

    phys2d::BodyId add_walker(phys2d::Vec2 position, float radius, Kind kind) {
        return add(phys2d::BodyType::Dynamic, position, phys2d::Circle{radius}, kind,
                   {.friction = 0.0f});
    }

    void add_furniture(phys2d::Vec2 position, Kind kind) {
        if (kind == Kind::Crate) {
            add(phys2d::BodyType::Dynamic, position, phys2d::Box{{0.5f, 0.5f}}, kind);
        } else {
            add(phys2d::BodyType::Dynamic, position, phys2d::Circle{0.45f}, kind);
        }
    }

    void add_medkit(phys2d::Vec2 position) {
        add(phys2d::BodyType::Static, position, phys2d::Box{{0.3f, 0.3f}}, Kind::Medkit, {},
            {.filter = {.category = bullet}, .is_sensor = true});
    }

    void shoot(phys2d::Vec2 aim) {
        const phys2d::Vec2 direction = phys2d::normalized(aim);
        if (direction == phys2d::Vec2{}) return;
        const phys2d::BodyId shot =
            add(phys2d::BodyType::Dynamic, world_.body(hero_).position(), phys2d::Circle{0.08f},
                Kind::Bullet, {.density = 5.0f}, {.filter = bullet_filter});
        world_.body(shot).set_velocity(direction * 120.0f);  // 2 m a step
        world_.body(shot).set_linear_damping(0.0f);
        world_.ignore(shot, hero_);
        next_shot_ = world_.step_count() + 8;
    }

    [[nodiscard]] bool sees_hero(phys2d::BodyId enemy) const {
        const phys2d::Vec2 from = world_.body(enemy).position();
        const phys2d::Vec2 way = world_.body(hero_).position() - from;
        return world_.ray_cast(from, way, {.mask = solid, .except = enemy}).body == hero_;
    }

    /// Straight at the hero while it is in sight, and a little to the side while it is not.
    void chase(phys2d::BodyId id) {
        phys2d::BodyRef enemy = world_.body(id);
        const phys2d::Vec2 way =
            phys2d::normalized(world_.body(hero_).position() - enemy.position());
        const bool sees = sees_hero(id);
        const phys2d::Vec2 wanted = sees ? way * 3.0f : way + phys2d::perpendicular(way) * 2.0f;
        enemy.set_velocity(phys2d::lerp(enemy.velocity(), wanted, 0.2f));
    }

    void meet(phys2d::BodyId one, phys2d::BodyId other) {
        if (!world_.contains(one) || !world_.contains(other)) return;
        const Kind kind = kind_of(world_.body(one));
        const Kind met = kind_of(world_.body(other));
        if (kind == Kind::Bullet) {
            if (met == Kind::Enemy || met == Kind::Barrel) dead_.push_back(other);
            dead_.push_back(one);
        }
        if (kind == Kind::Hero && met == Kind::Enemy) {
            health_ -= 10;
            dead_.push_back(other);
        }
    }

    void heal(const phys2d::SensorEvent& event) {
        if (event.visitor != hero_) return;
        health_ += 30;
        dead_.push_back(event.sensor);
    }

    /// Barrels take others with them: the list may grow.
    void bury_dead() {
        for (std::size_t i = 0; i < dead_.size(); ++i) {
            const phys2d::BodyId id = dead_[i];
            if (!world_.contains(id)) continue;
            if (kind_of(world_.body(id)) == Kind::Barrel) blow_up(world_.body(id).position());
            world_.destroy_body(id);
        }
        dead_.clear();
        std::erase_if(enemies_, [&](phys2d::BodyId id) { return !world_.contains(id); });
    }

    void blow_up(phys2d::Vec2 center) {
        world_.explode({.center = center, .radius = 1.0f, .falloff = 3.0f, .impulse = 15.0f});
        world_.for_each_overlap(phys2d::Circle{2.0f, center}, [&](phys2d::BodyId id) {
            const Kind kind = kind_of(world_.body(id));
            if (kind == Kind::Enemy || kind == Kind::Barrel) dead_.push_back(id);
        });
    }

    phys2d::World world_{phys2d::WorldConfig{.gravity = {0.0f, 0.0f}}};
    phys2d::BodyId hero_{};
    phys2d::Vec2 aim_{0.0f, 1.0f};
    std::vector<phys2d::BodyId> enemies_;
    std::vector<phys2d::BodyId> dead_;
    std::uint64_t next_shot_ = 0;
    int health_ = 100;
};

}  // namespace games

// SPDX-License-Identifier: MIT
// Platformer: the game without its window.
//
// Shows: a level drawn as text, a character that runs, jumps, pushes, rides and drops through,
// platforms on tracks, conveyors, sensors, slow motion, and a recorded game that ends with the same
// bits everywhere.
#pragma once

#include <vector>

#include <phys2d/phys2d.hpp>

#include "platformer/level.hpp"
#include "platformer/recording.hpp"

namespace games {

using phys2d::BodyId, phys2d::BodyType, phys2d::TileId, phys2d::Vec2, phys2d::mul;

class Platformer {
public:
    /// What the player wants.
    struct Input {
        float walk = 0.0f;  // -1 left, 1 right
        bool jump = false;  // for as long as the key is down: longer is higher
        bool down = false;  // with a jump: through a one-way platform
        bool slow = false;  // slow motion
    };

    Platformer() {
        for (const Tile& tile : tiles) {
            world_.tile_map(map_).define(static_cast<TileId>(tile.id), tile.def);
        }
        world_.tile_map(map_).load(level);
        add_things();
        for (const Track& track : tracks) {
            platforms_.push_back(add(BodyType::Kinematic, track.from, phys2d::Box{{1.48f, 0.15f}},
                                     Kind::Platform, holds_above));
        }
    }

    /// One frame of 1/60 s, which in slow motion is a part of a step.
    void step(const Input& input) {
        ++frames_;
        if (input.jump && !was_jump_) jump_wanted_ = jump_buffer;
        was_jump_ = input.jump;
        world_.set_time_scale(input.slow ? 0.25f : 1.0f);
        alpha_ = world_.advance(
            1.0 / 60.0, [&] { drive_platforms(); },
            [&] {
                for (const phys2d::SensorEvent& event : world_.events().sensor_began) meet(event);
                move_hero(input);
            });
    }

    /// Plays the recorded game.
    [[nodiscard]] Input autopilot() const {
        const auto holds = [this](char key) { return is_held(key, frames_); };
        const float walk = holds('r') ? 1.0f : (holds('l') ? -1.0f : 0.0f);
        return {walk, holds('j'), holds('d'), holds('s')};
    }

    [[nodiscard]] const phys2d::World& world() const { return world_; }
    [[nodiscard]] phys2d::ConstTileMapRef map() const { return world_.tile_map(map_); }
    [[nodiscard]] const phys2d::Mover& hero() const { return hero_; }
    [[nodiscard]] float alpha() const { return alpha_; }  // between the last two steps
    [[nodiscard]] int coins() const { return coins_; }
    [[nodiscard]] int falls() const { return falls_; }
    [[nodiscard]] bool is_over() const { return is_won_; }

private:
    static constexpr float gravity = 30.0f;     // [m/s²]
    static constexpr float run_speed = 7.0f;    // [m/s]
    static constexpr float jump_speed = 13.5f;  // [m/s]: 3 m high
    static constexpr float short_jump = 4.0f;   // what is left of it once the key is up [m/s]
    static constexpr int coyote_steps = 6;      // for which it may jump where ground has just ended
    static constexpr int jump_buffer = 8;       // steps that a jump waits for ground

    BodyId add(BodyType type, Vec2 position, const phys2d::Shape& shape, Kind kind,
               const phys2d::ColliderDef& collider) {
        return world_.create_body({.type = type, .position = position, .user_data = tag(kind)},
                                  shape, {.density = 3.5f}, collider);
    }

    /// There is air where things start.
    void add_things() {
        const phys2d::TileGrid drawn = map().grid();
        drawn.for_each_tile(drawn.bounds(), [&](phys2d::TileCoord at, TileId id) {
            for (const Thing& thing : things) {
                if (id == static_cast<TileId>(thing.id)) add_thing(thing, at);
            }
        });
    }
    void add_thing(const Thing& thing, phys2d::TileCoord at) {
        const Vec2 place = center(map().bounds(at));
        const BodyId id = add(thing.type, place, thing.shape, thing.kind, thing.collider);
        world_.tile_map(map_).set(at, 0);
        if (thing.kind != Kind::Hero) return;
        home_ = place;
        hero_.teleport(place);
        hero_.shape = thing.shape;
        hero_body_ = hero_.filter.except = id;
    }

    void drive_platforms() {
        for (std::size_t i = 0; i < platforms_.size(); ++i) {
            world_.body(platforms_[i]).move_to(tracks[i].at(world_.step_count() + 1));
        }
    }

    void move_hero(const Input& input) {
        if (hero_.position.y < 0.0f) send_home();  // out of the level
        const float dt = world_.config().time_step;
        const bool stands = hero_.ground.is_grounded;
        may_jump_ = may_jump_ || stands;
        if (stands) drift_ = 0.0f;
        const float change = mul(input.walk, run_speed) + drift_ - velocity_.x;
        const float most = mul(stands ? 90.0f : 45.0f, dt);
        velocity_.x += phys2d::clamp(change, -most, most);
        velocity_.y = stands ? 0.0f : velocity_.y - mul(gravity, dt);
        jump(input);
        const phys2d::GroundState before = hero_.ground;
        velocity_ = move(world_, hero_, velocity_, dt);
        if (before.is_grounded && !hero_.ground.is_grounded) leave(before.platform_velocity);
        world_.body(hero_body_).move_to(hero_.position);  // for sensors, and in the state's hash
    }

    void jump(const Input& input) {
        if (!may_jump_ && !input.jump) velocity_.y = phys2d::min(velocity_.y, short_jump);
        const bool is_wanted = jump_wanted_ > 0 && jump_wanted_-- > 0;
        const bool is_late = hero_.ground.steps_since_grounded > coyote_steps;
        if (!is_wanted || !may_jump_ || is_late) return;
        may_jump_ = false;
        jump_wanted_ = 0;
        if (input.down) return hero_.drop_through();
        velocity_.y = jump_speed;
    }

    /// In the air it goes on with the speed of the platform or the belt; one that sinks makes no
    /// jump lower.
    void leave(Vec2 platform) {
        drift_ += platform.x;
        velocity_ += Vec2{platform.x, phys2d::max(platform.y, 0.0f)};
    }

    void meet(const phys2d::SensorEvent& event) {
        const auto kind = static_cast<Kind>(event.sensor_user_data);
        if (kind == Kind::Spikes) send_home();
        if (kind == Kind::Flag) home_ = world_.body(event.sensor).position();
        if (kind == Kind::Goal) is_won_ = true;
        if (kind != Kind::Coin) return;
        world_.destroy_body(event.sensor);
        ++coins_;
    }

    void send_home() {
        hero_.teleport(home_);
        world_.body(hero_body_).teleport(home_);
        velocity_ = {};
        ++falls_;
    }

    phys2d::World world_{phys2d::WorldConfig{.gravity = {0.0f, -gravity}}};
    BodyId map_ = world_.create_tile_map();
    std::vector<BodyId> platforms_;
    phys2d::Mover hero_{.step_height = 0.55f};
    BodyId hero_body_{};  // follows the hero, for sensors
    Vec2 home_{};         // the last flag
    Vec2 velocity_{};     // of the hero, on a platform relative to that [m/s]
    float drift_ = 0.0f;  // what the ground gave it of that [m/s]
    float alpha_ = 1.0f;
    int frames_ = 0;
    int jump_wanted_ = 0;  // for so many steps
    bool was_jump_ = false;
    bool may_jump_ = false;
    bool is_won_ = false;
    int coins_ = 0;
    int falls_ = 0;
};

}  // namespace games

// SPDX-License-Identifier: MIT
// Breakout: the game without its window.
//
// Shows: a ball that neither loses speed nor tunnels, a kinematic paddle, destroying bodies while
// iterating over events, falling sensors, and filters.
#pragma once

#include <cstdint>
#include <vector>

#include <phys2d/phys2d.hpp>

namespace games {

class Breakout {
public:
    static constexpr float width = 16.0f;   // [m]; the middle of the floor is the origin
    static constexpr float height = 12.0f;  // [m]

    /// What a body is, in its user data.
    enum class Kind : std::uint64_t { Wall, Paddle, Ball, Brick, Prize };

    /// What the player wants.
    struct Input {
        float steer = 0.0f;  // -1 left, 1 right
        bool launch = false;
    };

    Breakout() {
        add_walls();
        add_bricks();
        paddle_ = world_.create_body({.type = phys2d::BodyType::Kinematic,
                                      .position = {0.0f, 0.6f},
                                      .user_data = tag(Kind::Paddle)},
                                     phys2d::Capsule{0.9f, 0.2f, phys2d::Axis::X}, bouncy);
        balls_.push_back(add_ball({0.0f, 1.1f}));
    }

    void step(const Input& input) {
        steer_paddle(input.steer);
        if (is_waiting_) hold_ball(input.launch);
        world_.step();
        for (const phys2d::HitEvent& hit : world_.events().hits) {
            hit_by_ball(hit.a);
            hit_by_ball(hit.b);
        }
        for (const phys2d::SensorEvent& event : world_.events().sensor_began) take(event);
        keep_speed();
        drop_lost();
    }

    /// Plays by itself: keeps the paddle under the ball that is next to come down.
    [[nodiscard]] Input autopilot() const {
        phys2d::Vec2 next{0.0f, height};
        for (const phys2d::BodyId ball : balls_) {
            const phys2d::ConstBodyRef body = world_.body(ball);
            const bool comes_first = body.velocity().y <= 0.0f && body.position().y < next.y;
            if (comes_first) next = body.position();
        }
        // off centre, so that the ball does not go up and down the same way for ever
        const float aim = (world_.step_count() / 240) % 2 == 0 ? 0.45f : -0.45f;
        const float way = next.x + aim - world_.body(paddle_).position().x;
        return {phys2d::clamp(way * 4.0f, -1.0f, 1.0f), true};
    }

    [[nodiscard]] const phys2d::World& world() const { return world_; }
    [[nodiscard]] static Kind kind_of(phys2d::ConstBodyRef body) {
        return static_cast<Kind>(body.user_data());
    }
    [[nodiscard]] int score() const { return score_; }
    [[nodiscard]] int lives() const { return lives_; }
    [[nodiscard]] int bricks_left() const { return bricks_left_; }
    [[nodiscard]] int balls() const { return static_cast<int>(balls_.size()); }
    [[nodiscard]] bool is_over() const { return lives_ == 0 || bricks_left_ == 0; }

private:
    static constexpr float ball_speed = 11.0f;    // [m/s]
    static constexpr float paddle_speed = 14.0f;  // [m/s]
    static constexpr phys2d::Material bouncy{.restitution = 1.0f, .friction = 0.0f};
    static constexpr phys2d::Filter ball_filter{.category = 2, .mask = 1};  // not each other

    [[nodiscard]] static std::uint64_t tag(Kind kind) { return static_cast<std::uint64_t>(kind); }

    void add_walls() {
        const auto add = [&](phys2d::Vec2 position, phys2d::Vec2 half_extents) {
            world_.create_body({.type = phys2d::BodyType::Static, .position = position},
                               phys2d::Box{half_extents}, bouncy);
        };
        add({-width / 2 - 0.5f, height / 2}, {0.5f, height});
        add({width / 2 + 0.5f, height / 2}, {0.5f, height});
        add({0.0f, height + 0.5f}, {width, 0.5f});
    }

    void add_bricks() {
        for (int row = 0; row < 6; ++row) {
            for (int column = 0; column < 10; ++column) {
                const phys2d::Vec2 position{-6.75f + 1.5f * static_cast<float>(column),
                                            10.8f - 0.6f * static_cast<float>(row)};
                world_.create_body({.type = phys2d::BodyType::Static,
                                    .position = position,
                                    .user_data = tag(Kind::Brick)},
                                   phys2d::Box{{0.7f, 0.25f}}, bouncy);
                ++bricks_left_;
            }
        }
    }

    phys2d::BodyId add_ball(phys2d::Vec2 position) {
        return world_.create_body({.position = position, .user_data = tag(Kind::Ball)},
                                  phys2d::Circle{0.2f}, bouncy, {.filter = ball_filter});
    }

    void steer_paddle(float steer) {
        phys2d::BodyRef paddle = world_.body(paddle_);
        constexpr float reach = width / 2 - 1.3f;
        const float way = phys2d::clamp(steer, -1.0f, 1.0f) * paddle_speed / 60.0f;
        const float x = phys2d::clamp(paddle.position().x + way, -reach, reach);
        paddle.move_to({x, paddle.position().y});
    }

    void hold_ball(bool launch) {
        phys2d::BodyRef ball = world_.body(balls_.front());
        ball.teleport(world_.body(paddle_).position() + phys2d::Vec2{0.0f, 0.5f});
        ball.set_velocity(launch ? phys2d::Vec2{3.0f, ball_speed} : phys2d::Vec2{});
        is_waiting_ = !launch;
    }

    void hit_by_ball(phys2d::BodyId id) {
        if (!world_.contains(id)) return;  // two balls at once
        phys2d::BodyRef body = world_.body(id);
        if (kind_of(body) == Kind::Paddle) aim_balls(body.position());
        if (kind_of(body) != Kind::Brick) return;
        if (bricks_left_ % 9 == 0) add_prize(body.position());
        world_.destroy_body(id);
        --bricks_left_;
        score_ += 10;
    }

    /// Where a ball meets the paddle decides where it goes.
    void aim_balls(phys2d::Vec2 paddle) {
        for (const phys2d::BodyId id : balls_) {
            phys2d::BodyRef ball = world_.body(id);
            const phys2d::Vec2 way = ball.position() - paddle;
            const bool leaves = ball.velocity().y > 0.0f && phys2d::length(way) < 1.5f;
            if (leaves) ball.set_velocity({way.x * 8.0f, ball_speed});
        }
    }

    void add_prize(phys2d::Vec2 position) {
        prizes_.push_back(world_.create_body({.type = phys2d::BodyType::Kinematic,
                                              .position = position,
                                              .velocity = {0.0f, -3.0f},
                                              .user_data = tag(Kind::Prize)},
                                             phys2d::Box{{0.3f, 0.2f}}, {}, {.is_sensor = true}));
    }

    /// A prize that the paddle catches makes two more balls.
    void take(const phys2d::SensorEvent& event) {
        if (event.visitor != paddle_ || !world_.contains(event.sensor)) return;
        const phys2d::Vec2 position = world_.body(paddle_).position();
        for (const float x : {-4.0f, 4.0f}) {
            balls_.push_back(add_ball(position + phys2d::Vec2{0.0f, 0.6f}));
            world_.body(balls_.back()).set_velocity({x, ball_speed});
        }
        world_.destroy_body(event.sensor);
        score_ += 50;
    }

    /// Arcade balls keep their speed, and never go level.
    void keep_speed() {
        if (is_waiting_) return;
        for (const phys2d::BodyId id : balls_) {
            phys2d::BodyRef ball = world_.body(id);
            phys2d::Vec2 way = ball.velocity();
            if (phys2d::abs(way.y) < 2.0f) way.y = way.y < 0.0f ? -2.0f : 2.0f;
            ball.set_velocity(phys2d::normalized(way) * ball_speed);
        }
    }

    void drop_lost() {
        const auto drop = [&](phys2d::BodyId id) {
            if (!world_.contains(id)) return true;
            const bool is_lost = world_.body(id).position().y < -1.0f;
            if (is_lost) world_.destroy_body(id);
            return is_lost;
        };
        std::erase_if(prizes_, drop);
        std::erase_if(balls_, drop);
        if (!balls_.empty()) return;
        --lives_;
        is_waiting_ = true;
        balls_.push_back(add_ball({0.0f, 1.1f}));
    }

    phys2d::World world_{phys2d::WorldConfig{.gravity = {0.0f, 0.0f}, .hit_speed = 0.0f}};
    phys2d::BodyId paddle_{};
    std::vector<phys2d::BodyId> balls_;
    std::vector<phys2d::BodyId> prizes_;
    bool is_waiting_ = true;
    int bricks_left_ = 0;
    int score_ = 0;
    int lives_ = 3;
};

}  // namespace games

// SPDX-License-Identifier: MIT
// Breakout in a window: left and right steer, space launches. `breakout --headless 600` plays it.
#include "breakout.hpp"

#include <string>

#include "app.hpp"

namespace {

using games::Breakout;

struct BreakoutLook {
    [[nodiscard]] static const char* name() { return "breakout"; }
    [[nodiscard]] static std::string title(const Breakout& game) {
        return "breakout: " + std::to_string(game.score()) + " points, " +
               std::to_string(game.lives()) + " lives, " + std::to_string(game.bricks_left()) +
               " bricks left";
    }
#ifdef WITH_SDL
    [[nodiscard]] static phys2d::AABB view() {
        return {{-Breakout::width / 2 - 0.3f, -0.2f},
                {Breakout::width / 2 + 0.3f, Breakout::height + 0.3f}};
    }
    [[nodiscard]] static Breakout::Input input(const Breakout&, const games::Canvas&) {
        return {games::axis(SDL_SCANCODE_LEFT, SDL_SCANCODE_RIGHT),
                games::axis(SDL_SCANCODE_UNKNOWN, SDL_SCANCODE_SPACE) > 0.0f};
    }
    [[nodiscard]] static SDL_Color colour(phys2d::ConstBodyRef body) {
        static constexpr SDL_Color rows[] = {{226, 88, 84, 255},  {233, 142, 70, 255},
                                             {233, 200, 88, 255}, {122, 190, 98, 255},
                                             {84, 150, 210, 255}, {150, 110, 200, 255}};
        switch (Breakout::kind_of(body)) {
            case Breakout::Kind::Wall: return {60, 66, 90, 255};
            case Breakout::Kind::Paddle: return {210, 214, 230, 255};
            case Breakout::Kind::Ball: return {255, 255, 255, 255};
            case Breakout::Kind::Prize: return {255, 120, 200, 255};
            case Breakout::Kind::Brick: break;
        }
        return rows[static_cast<int>(body.position().y / 0.6f + 0.5f) % 6];
    }
    static void draw_more(const Breakout&, const games::Canvas&) {}
#endif
};

}  // namespace

int main(int count, char** arguments) {
    return games::run<Breakout>(count, arguments, BreakoutLook{});
}

// SPDX-License-Identifier: MIT
// Top-down shooter in a window: W, A, S, D walk, the mouse aims and fires.
// `top_down_shooter --headless 600` plays by itself.
#include "top_down_shooter.hpp"

#include <string>

#include "app.hpp"

namespace {

using games::Shooter;

struct ShooterLook {
    [[nodiscard]] static const char* name() { return "top_down_shooter"; }
    [[nodiscard]] static std::string title(const Shooter& game) {
        return "top_down_shooter: health " + std::to_string(game.health()) + ", " +
               std::to_string(game.enemies_left()) + " enemies left";
    }
#ifdef WITH_SDL
    [[nodiscard]] static phys2d::AABB view() {
        const phys2d::Vec2 corner{Shooter::width / 2 + 0.5f, Shooter::height / 2 + 0.5f};
        return {-corner, corner};
    }
    [[nodiscard]] static Shooter::Input input(const Shooter& game, const games::Canvas& canvas) {
        int x = 0;
        int y = 0;
        const bool fire = (SDL_GetMouseState(&x, &y) & SDL_BUTTON_LMASK) != 0;
        const SDL_FPoint hero = canvas.place(game.world().body(game.hero()).position());
        return {{games::axis(SDL_SCANCODE_A, SDL_SCANCODE_D),
                 games::axis(SDL_SCANCODE_S, SDL_SCANCODE_W)},
                {static_cast<float>(x) - hero.x, hero.y - static_cast<float>(y)},
                fire};
    }
    [[nodiscard]] static SDL_Color colour(phys2d::ConstBodyRef body) {
        switch (Shooter::kind_of(body)) {
            case Shooter::Kind::Wall: return {70, 76, 100, 255};
            case Shooter::Kind::Crate: return {176, 132, 84, 255};
            case Shooter::Kind::Barrel: return {220, 110, 60, 255};
            case Shooter::Kind::Hero: return {96, 180, 240, 255};
            case Shooter::Kind::Enemy: return {210, 76, 92, 255};
            case Shooter::Kind::Bullet: return {255, 240, 170, 255};
            case Shooter::Kind::Medkit: return {110, 210, 130, 255};
        }
        return {};
    }
    static void draw_more(const Shooter& game, const games::Canvas& canvas) {
        canvas.segment(game.world().body(game.hero()).position(), game.sight(), {255, 90, 90, 255});
    }
#endif
};

}  // namespace

int main(int count, char** arguments) {
    return games::run<Shooter>(count, arguments, ShooterLook{});
}

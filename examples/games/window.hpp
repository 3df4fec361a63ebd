// SPDX-License-Identifier: MIT
// Window: shows worlds on the screen, with SDL2.
#pragma once

#include <SDL.h>

#include <cstdio>
#include <memory>
#include <vector>

#include <phys2d/phys2d.hpp>

namespace games {

/// The canvas, and the position of the world on it.
struct Canvas {
    SDL_Renderer* renderer;
    phys2d::AABB view;       // what is seen [m]
    float pixels_per_metre;  // the same both ways

    [[nodiscard]] SDL_FPoint place(phys2d::Vec2 point) const {
        return {(point.x - view.min.x) * pixels_per_metre,
                (view.max.y - point.y) * pixels_per_metre};
    }
    void segment(phys2d::Vec2 from, phys2d::Vec2 to, SDL_Color colour) const {
        const SDL_FPoint a = place(from);
        const SDL_FPoint b = place(to);
        SDL_SetRenderDrawColor(renderer, colour.r, colour.g, colour.b, colour.a);
        SDL_RenderDrawLineF(renderer, a.x, a.y, b.x, b.y);
    }
    /// Of convex outlines: a fan of triangles.
    void fill(phys2d::Span<const phys2d::Vec2> outline, SDL_Color colour) const {
        std::vector<SDL_Vertex> fan;
        std::vector<int> triangles;
        for (const phys2d::Vec2 point : outline) {
            const auto i = static_cast<int>(fan.size());
            fan.push_back({place(point), colour, {}});
            if (i > 1) triangles.insert(triangles.end(), {0, i - 1, i});
        }
        SDL_RenderGeometry(renderer, nullptr, fan.data(), static_cast<int>(fan.size()),
                           triangles.data(), static_cast<int>(triangles.size()));
    }
    void fill(const phys2d::Polygon& polygon, SDL_Color colour) const {
        fill(polygon.vertices(), colour);
    }
    /// Any shape is a rounded box.
    void fill(const phys2d::Shape& shape, SDL_Color colour) const {
        constexpr int points_a_corner = 9;
        constexpr float quarter = 1.57079633f;
        std::vector<phys2d::Vec2> outline;
        for (int corner = 0; corner < 4; ++corner) {
            const float side_x = corner == 0 || corner == 3 ? 1.0f : -1.0f;
            const float side_y = corner < 2 ? 1.0f : -1.0f;
            for (int i = 0; i < points_a_corner; ++i) {
                const float angle =
                    quarter * (static_cast<float>(corner) +
                               static_cast<float>(i) / static_cast<float>(points_a_corner - 1));
                const phys2d::Vec2 round{SDL_cosf(angle), SDL_sinf(angle)};
                const phys2d::Vec2 core =
                    shape.half_extents * phys2d::Vec2{side_x, side_y} + round * shape.radius;
                outline.push_back(shape.center + core);
            }
        }
        fill({outline.data(), outline.size()}, colour);
    }
};

inline Canvas canvas_of(SDL_Renderer* renderer, phys2d::AABB view, int width) {
    return {renderer, view, static_cast<float>(width) / (view.max.x - view.min.x)};
}

inline int height_of(phys2d::AABB view, int width) {
    return static_cast<int>(static_cast<float>(width) * (view.max.y - view.min.y) /
                            (view.max.x - view.min.x));
}

/// Everything, `alpha` of the way from the step before to the last one.
template <class Game, class Look>
void draw(const Game& game, const Look& look, const Canvas& canvas, float alpha) {
    SDL_SetRenderDrawColor(canvas.renderer, 16, 18, 28, 255);
    SDL_RenderClear(canvas.renderer);
    const phys2d::World& world = game.world();
    for (const phys2d::BodyId id : world.ids()) {
        const phys2d::ConstBodyRef body = world.body(id);
        canvas.fill(translate(body.shape(), body.interpolated_position(alpha)), look.colour(body));
    }
    look.draw_more(game, canvas);
}

/// Prints what SDL complains about.
inline int complain(const char* what) {
    std::fprintf(stderr, "%s: %s\n", what, SDL_GetError());
    return 1;
}

template <class Game, class Look>
int save_picture(const Game& game, const Look& look, const char* file) {
    constexpr int width = 960;
    const phys2d::AABB view = look.view();
    const std::unique_ptr<SDL_Surface, decltype(&SDL_FreeSurface)> surface(
        SDL_CreateRGBSurfaceWithFormat(0, width, height_of(view, width), 32,
                                       SDL_PIXELFORMAT_ARGB8888),
        SDL_FreeSurface);
    if (!surface) return complain("No room for a picture");
    SDL_Renderer* renderer = SDL_CreateSoftwareRenderer(surface.get());
    if (renderer == nullptr) return complain("No renderer for a picture");
    draw(game, look, canvas_of(renderer, view, width), 1.0f);
    SDL_RenderPresent(renderer);
    const bool is_saved = SDL_SaveBMP(surface.get(), file) == 0;
    SDL_DestroyRenderer(renderer);
    return is_saved ? 0 : complain("The picture could not be written");
}

/// Until the window is closed.
template <class Game, class Look>
void loop(Game& game, const Look& look, SDL_Window* window, SDL_Renderer* renderer, int width) {
    const Canvas canvas = canvas_of(renderer, look.view(), width);
    phys2d::FixedStepper stepper(1.0 / 60.0, 8);
    Uint64 last = SDL_GetPerformanceCounter();
    while (true) {
        SDL_Event event;
        while (SDL_PollEvent(&event) != 0) {
            if (event.type == SDL_QUIT) return;
        }
        const Uint64 now = SDL_GetPerformanceCounter();
        const double frame =
            static_cast<double>(now - last) / static_cast<double>(SDL_GetPerformanceFrequency());
        last = now;
        for (int steps = stepper.advance(frame); steps > 0; --steps) {
            if (!game.is_over()) game.step(look.input(game, canvas));
        }
        draw(game, look, canvas, stepper.alpha());
        SDL_SetWindowTitle(window, look.title(game).c_str());
        SDL_RenderPresent(renderer);
    }
}

template <class Game, class Look>
int play_in_window(Game& game, const Look& look) {
    constexpr int width = 960;
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return complain("No video");
    int result = 0;
    SDL_Window* window =
        SDL_CreateWindow(look.name(), SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width,
                         height_of(look.view(), width), 0);
    SDL_Renderer* renderer = SDL_CreateRenderer(window, -1, SDL_RENDERER_PRESENTVSYNC);
    if (renderer == nullptr) {
        result = complain("No window");
    } else {
        loop(game, look, window, renderer, width);
        SDL_DestroyRenderer(renderer);
    }
    SDL_DestroyWindow(window);
    SDL_Quit();
    return result;
}

/// -1, 0 or 1.
inline float axis(SDL_Scancode less, SDL_Scancode more) {
    const Uint8* keys = SDL_GetKeyboardState(nullptr);
    return static_cast<float>(keys[more]) - static_cast<float>(keys[less]);
}

}  // namespace games

// SPDX-License-Identifier: MIT
// Platformer in a window: left and right run, space jumps, down and space drop through planks,
// shift is slow motion. `platformer --headless 3600` plays the recorded game.
#include <string>

#include "app.hpp"
#include "platformer.hpp"

namespace {

using namespace phys2d;
using games::Kind, games::Platformer;

struct PlatformerLook {
    [[nodiscard]] static const char* name() { return "platformer"; }
    [[nodiscard]] static std::string title(const Platformer& game) {
        return "platformer: " + std::to_string(game.coins()) + " coins, " +
               std::to_string(game.falls()) + " falls, " +
               (game.is_over() ? "at the goal" : "on the way");
    }
#ifdef WITH_SDL
    [[nodiscard]] static AABB view() { return {{0.0f, 0.0f}, {25.0f, 13.0f}}; }
    [[nodiscard]] static Platformer::Input input(const Platformer&, const games::Canvas&) {
        const Uint8* keys = SDL_GetKeyboardState(nullptr);
        return {games::axis(SDL_SCANCODE_LEFT, SDL_SCANCODE_RIGHT), keys[SDL_SCANCODE_SPACE] != 0,
                keys[SDL_SCANCODE_DOWN] != 0, keys[SDL_SCANCODE_LSHIFT] != 0};
    }
#endif
};

#ifdef WITH_SDL
/// One picture: the view follows the hero, and tiles are polygons.
struct Picture {
    const Platformer& game;
    const games::Canvas canvas;

    /// Hills go by at a third of the pace.
    void sky() const {
        SDL_SetRenderDrawBlendMode(canvas.renderer, SDL_BLENDMODE_BLEND);
        SDL_SetRenderDrawColor(canvas.renderer, 16, 18, 28, 255);
        SDL_RenderClear(canvas.renderer);
        for (int i = 0; i < 16; ++i) {
            const Vec2 hill{static_cast<float>(5 * i), static_cast<float>(5 + i * 7 % 5)};
            const Vec2 top = hill + Vec2{canvas.view.min.x * 0.67f, 0.0f};
            canvas.fill({top - Vec2{8.0f, 9.0f}, top + Vec2{8.0f, -9.0f}, top}, {22, 25, 38, 255});
        }
    }

    static SDL_Color colour_of(std::uint64_t kind) { return games::colour_of<SDL_Color>(kind); }

    /// Where ground meets air it has an edge.
    void edges() const {
        game.world().for_each_surface(canvas.view, [&](const Surface& surface) {
            if (!surface.is_face() || surface.one_way != OneWay::No) return;
            const auto [from, to] = surface.segment();
            const Vec2 in = perpendicular(normalized(to - from)) * 0.1f;
            canvas.fill({from, to, to + in, from + in}, {112, 122, 158, 255});
        });
    }

    void terrain() const {
        const ConstTileMapRef map = game.map();
        const TileRect seen{map.tile_at(canvas.view.min), map.tile_at(canvas.view.max)};
        map.grid().for_each_tile(seen, [&](TileCoord at, TileId id) {
            const TileKindDef& tile = games::tile_of(id);
            const Vec2 corner = map.bounds(at).min;
            canvas.fill(translate(tile.shape, corner), colour_of(tile.user_data));
            if (tile.material.surface_velocity == Vec2{}) return;
            const float shift = 0.075f * static_cast<float>(game.world().step_count() % 10);
            const Polygon arrow{{shift, 0.45f}, {shift + 0.25f, 0.65f}, {shift, 0.85f}};
            canvas.fill(translate(arrow, corner), {220, 110, 60, 255});
        });
    }

    void thing(std::uint64_t kind, const Shape& shape) const {
        canvas.fill(shape, colour_of(kind));
        const Vec2 half = shape.half_extents, top = shape.center + half;
        const bool is_flag = kind == games::tag(Kind::Flag) || kind == games::tag(Kind::Goal);
        if (is_flag)
            canvas.fill({top, top - Vec2{0.0f, 0.5f}, top + Vec2{0.6f, -0.25f}}, colour_of(kind));
        const bool is_rich = kind == games::tag(Kind::Crate) || kind == games::tag(Kind::Coin);
        const RoundedBox inner{half * 0.7f, shape.radius * 0.6f, shape.center};
        if (is_rich) canvas.fill(inner, {255, 240, 190, 80});
    }

    void hero(Vec2 place) const {
        const Vec2 way = game.hero().last_way * 2.0f;
        const Vec2 eye = place + Vec2{0.0f, 0.3f} + clamp(way, {-0.08f, -0.1f}, {0.08f, 0.1f});
        thing(games::tag(Kind::Hero), translate(game.hero().shape, place));
        for (const float x : {-0.1f, 0.1f}) {
            canvas.fill(Capsule{0.06f, 0.05f, Axis::Y, eye + Vec2{x, 0.0f}}, {16, 18, 28, 255});
        }
    }
};

/// Instead of what draws the other games.
void draw(const Platformer& game, const PlatformerLook&, const games::Canvas& window, float alpha) {
    const float part = min(game.alpha() + alpha * game.world().time_scale(), 1.0f);
    const Vec2 half = half_extents(window.view);
    const Vec2 hero = game.hero().interpolated_position(part);
    const Vec2 ahead = hero * Vec2{1.0f, 0.6f} + Vec2{2.0f, 2.7f};  // jumps do not shake it
    const Vec2 middle = clamp(ahead, half + Vec2{0.0f, 0.2f}, Vec2{98.0f, 17.0f} - half);
    const AABB view{middle - half, middle + half};
    const Picture picture{game, {window.renderer, view, window.pixels_per_metre}};
    picture.sky();
    picture.terrain();
    picture.edges();
    for (const BodyId id : game.world().ids()) {
        const ConstBodyRef body = game.world().body(id);
        const bool is_plain = id != game.map().id() && id != game.hero().filter.except;
        const Shape shape = translate(body.shape(), body.interpolated_position(part));
        if (is_plain) picture.thing(body.user_data(), shape);
    }
    picture.hero(hero);
}
#endif

}  // namespace

int main(int count, char** arguments) {
    return games::run<Platformer>(count, arguments, PlatformerLook{});
}

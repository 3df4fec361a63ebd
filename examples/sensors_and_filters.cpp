// SPDX-License-Identifier: MIT
// Sensors and filters: a gate that opens with a key, a tripwire, and a ghost.
//
// A hero walks to the right, past a tripwire (a sensor), a ghost (filtered out), a gate that a rule
// of the game opens once the hero has its key, and into a wall.
#include <cstdint>
#include <cstdio>

#include <phys2d/phys2d.hpp>

using namespace phys2d;

namespace {

/// One bit a kind of thing, for the filters; the names are the bodies' user data.
enum Category : std::uint64_t { scenery = 1, person = 2, ghost = 4 };

constexpr const char* names[] = {"the wall", "the hero", "the ghost", "the tripwire", "the gate"};

/// What the game knows about its bodies; the world asks it about pairs.
struct Game {
    BodyId gate{};
    bool hero_has_key = false;

    /// A PairFilter: the gate holds everybody back until the hero has the key.
    static bool may_collide(void* context, BodyId a, BodyId b) {
        const Game& game = *static_cast<const Game*>(context);
        const bool is_gate = a == game.gate || b == game.gate;
        return !is_gate || !game.hero_has_key;
    }
};

void tell(const World& world, int step) {
    const auto say = [&](const char* what, std::uint64_t who, std::uint64_t whom) {
        std::printf("%4.1f s  %s %s %s\n", static_cast<double>(step) / 60.0, names[who], what,
                    names[whom]);
    };
    const Events events = world.events();
    for (const SensorEvent& event : events.sensor_began) {
        say("trips", event.visitor_user_data, event.sensor_user_data);
    }
    for (const SensorEvent& event : events.sensor_ended) {
        say("has left", event.visitor_user_data, event.sensor_user_data);
    }
    for (const ContactEvent& event : events.began) {
        say("walks into", event.user_data_a, event.user_data_b);
    }
    for (const ContactEvent& event : events.ended) {
        say("comes away from", event.user_data_a, event.user_data_b);
    }
}

}  // namespace

int main() {
    Game game;
    World world(
        {.gravity = {0.0f, 0.0f}, .pair_filter = &Game::may_collide, .pair_filter_context = &game});
    const auto add = [&](std::uint64_t name, float x, BodyType type, const ColliderDef& collider) {
        return world.create_body({.type = type, .position = {x, 0.0f}, .user_data = name},
                                 Box{{0.25f, 1.0f}}, {.friction = 0.0f}, collider);
    };
    add(0, 12.0f, BodyType::Static, {.filter = {.category = scenery}});
    const BodyId hero = add(1, 0.0f, BodyType::Dynamic, {.filter = {.category = person}});
    // what has no mask in common passes through
    add(2, 3.0f, BodyType::Static, {.filter = {.category = ghost, .mask = ghost}});
    // sensors stop nobody, and tell of those whose filters agree
    add(3, 5.0f, BodyType::Static, {.filter = {.mask = person}, .is_sensor = true});
    game.gate = add(4, 8.0f, BodyType::Static, {.filter = {.category = scenery}});

    for (int step = 1; step <= 480; ++step) {
        world.body(hero).set_velocity({2.0f, 0.0f});
        world.step();
        tell(world, step);
        if (step == 300) {
            std::printf("%4.1f s  the hero has found a key\n", static_cast<double>(step) / 60.0);
            game.hero_has_key = true;
            world
                .filter_again();  // the rule has changed for pairs that are near each other already
        }
    }
    std::printf("The hero stands at %.1f m.\n", static_cast<double>(world.body(hero).position().x));
    return world.body(hero).position().x > 11.0f ? 0 : 1;
}

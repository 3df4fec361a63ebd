// SPDX-License-Identifier: MIT
// Your own engine in one file: bodies in a vector, and the functions of phys2d in your own loop.
// Each step applies gravity, finds the pairs that touch, resolves them, moves all bodies, and
// corrects penetration. Returns 0 if everything has come to rest at the expected positions.
#include <cstdio>
#include <vector>

#include <phys2d/phys2d.hpp>

using namespace phys2d;

namespace {

constexpr float dt = 1.0f / 60.0f;
constexpr Vec2 gravity{0.0f, -9.81f};
constexpr int iterations = 20;  // over the contacts of a step: more make stacks stand firmer

struct Thing {
    const char* name;
    BodyState state;
    Shape shape;
};

struct Contact {
    std::size_t a;
    std::size_t b;
    Manifold manifold;
};

Thing fixed(const char* name, Vec2 position, Vec2 half_extents) {
    return {name, {.position = position}, Box{half_extents}};  // inverse mass 0: nothing moves it
}

Thing loose(const char* name, Vec2 position, const Shape& shape, Vec2 velocity = {}) {
    const Material material{.restitution = 0.2f, .friction = 0.5f};
    const float mass = mass_of(shape, material.density);
    return {name, {position, velocity, inverse_mass_of(mass), material}, shape};
}

Shape placed(const Thing& thing) { return translate(thing.shape, thing.state.position); }

/// Every pair once, the cheap question first. Many bodies want a grid here, or a World.
std::vector<Contact> find_contacts(const std::vector<Thing>& things) {
    std::vector<Contact> contacts;
    for (std::size_t a = 0; a < things.size(); ++a) {
        for (std::size_t b = a + 1; b < things.size(); ++b) {
            const Shape shape_a = placed(things[a]);
            const Shape shape_b = placed(things[b]);
            if (!overlaps(bounds(shape_a), bounds(shape_b))) continue;
            if (overlaps(shape_a, shape_b)) contacts.push_back({a, b, collide(shape_a, shape_b)});
        }
    }
    return contacts;
}

void resolve(std::vector<Thing>& things, const Contact& contact) {
    BodyState& a = things[contact.a].state;
    BodyState& b = things[contact.b].state;
    const float impulse = resolve_collision(a, b, contact.manifold);
    resolve_friction(a, b, contact.manifold, impulse);
}

void step(std::vector<Thing>& things) {
    for (Thing& thing : things) integrate_velocity(thing.state, gravity, dt);
    const std::vector<Contact> contacts = find_contacts(things);
    for (int i = 0; i < iterations; ++i) {
        for (const Contact& contact : contacts) resolve(things, contact);
    }
    for (Thing& thing : things) integrate_position(thing.state, dt);
    for (const Contact& contact : contacts) {
        BodyState& b = things[contact.b].state;
        correct_positions(things[contact.a].state, b, contact.manifold);
    }
}

/// At rest on the floor or on something else, inside the walls, and nothing deep inside another.
bool is_plausible(const std::vector<Thing>& things) {
    constexpr AABB pit{{-4.0f, 0.0f}, {4.0f, 10.0f}};
    for (const Thing& thing : things) {
        if (thing.state.inverse_mass == 0.0f) continue;
        if (!contains(expand(pit, 0.05f), bounds(placed(thing)))) return false;
        if (!(length(thing.state.velocity) < 0.05f)) return false;
    }
    for (const Contact& contact : find_contacts(things)) {
        if (!(contact.manifold.penetration < 0.05f)) return false;
    }
    return true;
}

}  // namespace

int main() {
    std::vector<Thing> things{
        fixed("floor", {0.0f, -1.0f}, {6.0f, 1.0f}),
        fixed("left wall", {-5.0f, 5.0f}, {1.0f, 5.0f}),
        fixed("right wall", {5.0f, 5.0f}, {1.0f, 5.0f}),
        loose("crate", {-2.0f, 1.0f}, Box{{0.5f, 0.5f}}),
        loose("crate on it", {-2.0f, 3.0f}, Box{{0.5f, 0.5f}}),
        loose("small crate", {-2.1f, 5.0f}, Box{{0.3f, 0.3f}}),
        loose("thrown ball", {1.0f, 4.0f}, Circle{0.5f}, {3.0f, 0.0f}),
        loose("ball", {1.1f, 6.0f}, Circle{0.4f}),
        loose("pill", {3.0f, 3.0f}, Capsule{.half_length = 0.4f, .radius = 0.3f}),
        loose("cushion", {-0.5f, 8.0f}, RoundedBox{{0.5f, 0.2f}, 0.1f}),
    };
    for (int i = 0; i < 600; ++i) step(things);

    for (const Thing& thing : things) {
        if (thing.state.inverse_mass == 0.0f) continue;
        std::printf("%-12s rests at (%5.2f, %5.2f)\n", thing.name,
                    static_cast<double>(thing.state.position.x),
                    static_cast<double>(thing.state.position.y));
    }
    if (is_plausible(things)) return 0;
    std::printf("Something still moves, has left the pit or is stuck inside another.\n");
    return 1;
}

// SPDX-License-Identifier: MIT
// What do the laws measure, and in which worlds?
// Sums are taken in double, so that what a test reports is the engine's rounding and not its own.
// SCENES numbers: gravity -10, friction 0.6, restitution 0, steps of 1/60 s.
#pragma once

#include <cmath>

#include <phys2d/phys2d.hpp>

namespace test {

/// False for builds without optimisation or with sanitizers, which cost twenty times as much.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    !(defined(__OPTIMIZE__) || defined(NDEBUG))
constexpr bool is_fast_build = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool is_fast_build = false;
#else
constexpr bool is_fast_build = true;
#endif
#else
constexpr bool is_fast_build = true;
#endif

constexpr phys2d::Vec2 down{0.0f, -10.0f};

inline void run(phys2d::World& world, int steps) {
    for (int i = 0; i < steps; ++i) world.step();
}

/// A floor 2 m thick whose top is at y 0.
inline phys2d::BodyId add_floor(phys2d::World& world, float half_width = 200.0f,
                                const phys2d::Material& material = {}) {
    return world.create_body({.type = phys2d::BodyType::Static, .position = {0.0f, -1.0f}},
                             phys2d::Box{{half_width, 1.0f}}, material);
}

inline phys2d::World world_with_floor(const phys2d::Material& material = {}) {
    phys2d::World world({.gravity = down});
    add_floor(world, 200.0f, material);
    return world;
}

inline phys2d::World weightless() { return phys2d::World({.gravity = {}}); }

/// Calls visit(position, velocity, mass) for each dynamic body.
template <class Visit>
void for_each_dynamic(const phys2d::World& world, Visit visit) {
    for (std::size_t i = 0; i < world.body_count(); ++i) {
        if (world.types()[i] != phys2d::BodyType::Dynamic) continue;
        visit(world.positions()[i], world.velocities()[i], world.body(world.ids()[i]).mass());
    }
}

inline double speed(phys2d::Vec2 v) { return std::hypot(double{v.x}, double{v.y}); }

inline double rms_speed(const phys2d::World& world) {
    double sum = 0.0;
    int count = 0;
    for_each_dynamic(world, [&](phys2d::Vec2, phys2d::Vec2 v, float) {
        sum += speed(v) * speed(v);
        ++count;
    });
    return std::sqrt(sum / count);
}

inline double fastest(const phys2d::World& world) {
    double result = 0.0;
    for_each_dynamic(
        world, [&](phys2d::Vec2, phys2d::Vec2 v, float) { result = std::fmax(result, speed(v)); });
    return result;
}

inline double highest(const phys2d::World& world) {
    double result = -HUGE_VAL;
    for_each_dynamic(world, [&](phys2d::Vec2 p, phys2d::Vec2, float) {
        result = std::fmax(result, double{p.y});
    });
    return result;
}

inline double kinetic_energy(const phys2d::World& world) {
    double sum = 0.0;
    for_each_dynamic(world, [&](phys2d::Vec2, phys2d::Vec2 v, float mass) {
        sum += 0.5 * double{mass} * speed(v) * speed(v);
    });
    return sum;
}

struct Momentum {
    double x = 0.0, y = 0.0;  ///< [kg m/s]
    double scale = 0.0;       ///< sum of m |v|: what roundings are relative to
};

inline Momentum momentum(const phys2d::World& world) {
    Momentum sum;
    for_each_dynamic(world, [&](phys2d::Vec2, phys2d::Vec2 v, float mass) {
        sum.x += double{mass} * double{v.x};
        sum.y += double{mass} * double{v.y};
        sum.scale += double{mass} * speed(v);
    });
    return sum;
}

/// Largest penetration among the contacts of the last step [m].
inline double deepest(const phys2d::World& world) {
    double result = 0.0;
    world.for_each_contact([&](const phys2d::WorldContact& contact) {
        result = std::fmax(result, double{contact.manifold.penetration});
    });
    return result;
}

inline bool all_finite(const phys2d::World& world) {
    bool finite = true;
    for_each_dynamic(world, [&](phys2d::Vec2 p, phys2d::Vec2 v, float) {
        finite = finite && phys2d::is_finite(p) && phys2d::is_finite(v);
    });
    return finite;
}

}  // namespace test

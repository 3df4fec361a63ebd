// SPDX-License-Identifier: MIT
// Do contacts obey the laws of impact: momentum kept, restitution met, energy never made, friction
// within Coulomb's bound, and penetration pushed out by inverse mass?
#include <cmath>
#include <initializer_list>

#include <doctest/doctest.h>

#include <phys2d/dynamics/impulse.hpp>

#include "../support/random.hpp"

namespace impulse_test {

using namespace phys2d;

namespace {

constexpr Manifold to_the_right{{1.0f, 0.0f}, 0.0f, {}};

/// Largest error of a velocity [m/s] after a contact of the random pairs below: a dozen roundings
/// of numbers below 64, each at most 2^-19.
constexpr double rounding = 12 * 0x1p-19;

struct Pair {
    BodyState a;
    BodyState b;
    Manifold manifold;
};

BodyState random_body(test::Random& random) {
    BodyState body;
    body.position = random.point(4.0f);
    body.velocity = random.point(8.0f);
    body.inverse_mass = random.one_in(6) ? 0.0f : random.uniform(0.1f, 4.0f);
    body.material.restitution = random.one_in(4) ? 1.0f : random.unit();
    body.material.friction = random.one_in(8) ? 0.0f : random.uniform(0.0f, 1.5f);
    return body;
}

Pair random_pair(test::Random& random) {
    const BodyState a = random_body(random);
    const BodyState b = random_body(random);
    return {a, b, {random.direction(), random.uniform(-0.5f, 0.5f), {}}};
}

double normal_speed(const Pair& pair) {
    const Vec2 n = pair.manifold.normal;
    return (double{pair.b.velocity.x} - pair.a.velocity.x) * n.x +
           (double{pair.b.velocity.y} - pair.a.velocity.y) * n.y;
}

double sliding_speed(const Pair& pair) {
    const Vec2 t = perpendicular(pair.manifold.normal);
    return (double{pair.b.velocity.x} - pair.a.velocity.x) * t.x +
           (double{pair.b.velocity.y} - pair.a.velocity.y) * t.y;
}

/// Momentum of both, multiplied by both inverse masses: infinite mass needs no special case.
double momentum(const Pair& pair, float Vec2::*axis) {
    return double{pair.a.velocity.*axis} * pair.b.inverse_mass +
           double{pair.b.velocity.*axis} * pair.a.inverse_mass;
}

double kinetic_energy(const BodyState& body) {
    const double speed_sq =
        double{body.velocity.x} * body.velocity.x + double{body.velocity.y} * body.velocity.y;
    return body.inverse_mass > 0.0f ? 0.5 * speed_sq / body.inverse_mass : 0.0;
}

double kinetic_energy(const Pair& pair) { return kinetic_energy(pair.a) + kinetic_energy(pair.b); }

bool same(const BodyState& a, const BodyState& b) {
    return a.position == b.position && a.velocity == b.velocity &&
           a.inverse_mass == b.inverse_mass && a.material == b.material;
}

bool same(const Pair& a, const Pair& b) { return same(a.a, b.a) && same(a.b, b.b); }

/// Two bodies of one restitution and friction that meet along x at 1 m/s each.
Pair head_on(float inverse_mass_a, float inverse_mass_b, Material material) {
    return {{{}, {1.0f, 0.0f}, inverse_mass_a, material},
            {{}, {-1.0f, 0.0f}, inverse_mass_b, material},
            to_the_right};
}

float resolve_collision(Pair& pair) {
    return phys2d::resolve_collision(pair.a, pair.b, pair.manifold);
}

float resolve_friction(Pair& pair, float normal_impulse) {
    return phys2d::resolve_friction(pair.a, pair.b, pair.manifold, normal_impulse);
}

void correct_positions(Pair& pair, PositionCorrection correction = {}) {
    phys2d::correct_positions(pair.a, pair.b, pair.manifold, correction);
}

constexpr Vec2 bounced_off_a_wall() {
    BodyState wall{.material = {.restitution = 1.0f}};
    BodyState ball{.velocity = {-3.0f, 2.0f}, .inverse_mass = 1.0f, .material = wall.material};
    phys2d::resolve_collision(wall, ball, to_the_right);
    return ball.velocity;
}
static_assert(bounced_off_a_wall() == Vec2{3.0f, 2.0f});

constexpr float pushed_out_of_a_wall() {
    BodyState wall, ball{.inverse_mass = 1.0f};
    constexpr Manifold deep{{1.0f, 0.0f}, 1.5f, {}};
    phys2d::correct_positions(wall, ball, deep, {.fraction = 0.5f, .slop = 0.5f});
    return ball.position.x;
}
static_assert(pushed_out_of_a_wall() == 0.5f);

}  // namespace

// ------------------------------------------------------------------------------- restitution

TEST_CASE("equal masses that meet with restitution 1 exchange their velocities") {
    Pair pair = head_on(0.5f, 0.5f, {.restitution = 1.0f});
    pair.a.velocity = {3.0f, 7.0f};
    CHECK(resolve_collision(pair) == 8.0f);  // 2 kg change by 4 m/s
    CHECK(pair.a.velocity == Vec2{-1.0f, 7.0f});
    CHECK(pair.b.velocity == Vec2{3.0f, 0.0f});
}

TEST_CASE("bodies that meet with restitution 0 go on together, as fast as their centre of mass") {
    Pair pair = head_on(1.0f, 0.25f, {});
    CHECK(resolve_collision(pair) == doctest::Approx(1.6));
    CHECK(pair.a.velocity.x == doctest::Approx(-0.6));  // (1 kg - 4 kg) m/s / 5 kg
    CHECK(pair.b.velocity.x == doctest::Approx(-0.6));
}

TEST_CASE("the smaller restitution of the two decides") {
    for (const float other : {0.25f, 0.75f, 1.0f}) {
        Pair pair = head_on(1.0f, 1.0f, {});
        pair.a.material.restitution = 0.25f;
        pair.b.material.restitution = other;
        resolve_collision(pair);
        CHECK(pair.a.velocity.x == -0.25f);
        CHECK(pair.b.velocity.x == 0.25f);
        Pair exchanged = head_on(1.0f, 1.0f, {});
        exchanged.a.material.restitution = other;
        exchanged.b.material.restitution = 0.25f;
        resolve_collision(exchanged);
        CHECK(exchanged.b.velocity.x == 0.25f);
    }
}

TEST_CASE("a body bounces off infinite mass as off a mirror, and the wall keeps its bits") {
    Pair pair = head_on(0.0f, 2.0f, {.restitution = 1.0f});
    pair.a.velocity = {0.1f, -0.3f};
    pair.b.velocity = {-3.0f, 5.0f};
    const BodyState wall = pair.a;
    CHECK(resolve_collision(pair) == doctest::Approx(3.1));
    CHECK(same(pair.a, wall));
    CHECK(pair.b.velocity.x == doctest::Approx(3.2));  // 3.1 m/s faster than the wall
    CHECK(pair.b.velocity.y == 5.0f);
}

TEST_CASE("a pair that separates, or does neither, receives no impulse") {
    Pair parting = head_on(1.0f, 1.0f, {.restitution = 1.0f});
    parting.a.velocity = {-0.1f, 3.0f};
    parting.b.velocity = {0.2f, -3.0f};
    const Pair before = parting;
    CHECK(resolve_collision(parting) == 0.0f);
    CHECK(same(parting, before));
    Pair resting = head_on(1.0f, 1.0f, {.restitution = 1.0f});
    resting.a.velocity = resting.b.velocity = {0.7f, 0.1f};
    CHECK(resolve_collision(resting) == 0.0f);
    CHECK(resting.a.velocity == Vec2{0.7f, 0.1f});
}

TEST_CASE("two infinite masses are left alone, to the last bit") {
    Pair pair = head_on(0.0f, 0.0f, {.restitution = 1.0f, .friction = 1.0f});
    pair.manifold.penetration = 5.0f;
    const Pair before = pair;
    CHECK(resolve_collision(pair) == 0.0f);
    CHECK(resolve_friction(pair, 10.0f) == 0.0f);
    correct_positions(pair);
    CHECK(same(pair, before));
}

TEST_CASE("a collision keeps momentum, and the speed of what it does not touch") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < test::many / 5; ++i) {
        const Pair before = random_pair(random);
        Pair after = before;
        resolve_collision(after);
        // 4: the largest inverse mass, by which the momentum is multiplied
        for (float Vec2::*axis : {&Vec2::x, &Vec2::y}) {
            const double change = momentum(after, axis) - momentum(before, axis);
            const bool free = before.a.inverse_mass > 0.0f && before.b.inverse_mass > 0.0f;
            if (free && std::fabs(change) > 4.0 * rounding) ++wrong;
        }
        if (std::fabs(sliding_speed(after) - sliding_speed(before)) > rounding) ++wrong;
        if (before.a.inverse_mass == 0.0f && !same(after.a, before.a)) ++wrong;
        if (before.b.inverse_mass == 0.0f && !same(after.b, before.b)) ++wrong;
        if (after.a.position != before.a.position || after.b.position != before.b.position) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("after a collision the pair separates at e times the speed at which it met") {
    test::Random random;
    int wrong = 0;
    int met = 0;
    for (int i = 0; i < test::many / 5; ++i) {
        const Pair before = random_pair(random);
        Pair after = before;
        const float impulse = resolve_collision(after);
        const bool infinite = before.a.inverse_mass + before.b.inverse_mass == 0.0f;
        const double closing = -normal_speed(before);
        if (std::fabs(closing) < rounding) continue;
        if (infinite || closing < 0.0) {
            if (impulse != 0.0f || !same(after, before)) ++wrong;
            continue;
        }
        ++met;
        const double e = std::fmin(before.a.material.restitution, before.b.material.restitution);
        if (std::fabs(normal_speed(after) - e * closing) > rounding) ++wrong;
        const double sum = double{before.a.inverse_mass} + before.b.inverse_mass;
        const double expected = (1.0 + e) * closing / sum;
        if (std::fabs(impulse - expected) > 1e-6 * expected + rounding / sum) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(met > test::many / 20);
}

TEST_CASE("a collision takes (1 - e²) / 2 of reduced mass * closing speed², and makes no energy") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < test::many / 5; ++i) {
        Pair before = random_pair(random);
        const double sum = double{before.a.inverse_mass} + before.b.inverse_mass;
        if (before.a.inverse_mass == 0.0f) before.a.velocity = {};  // a moving wall could work
        if (before.b.inverse_mass == 0.0f) before.b.velocity = {};
        Pair after = before;
        const double impulse = resolve_collision(after);
        const double e = std::fmin(before.a.material.restitution, before.b.material.restitution);
        const double closing = impulse > 0.0 ? -normal_speed(before) : 0.0;
        const double lost = sum > 0.0 ? 0.5 * (1.0 - e * e) * closing * closing / sum : 0.0;
        const double change = kinetic_energy(after) - kinetic_energy(before);
        // ten kilograms at most, times a speed, times its error, for each of the two
        const double tolerance = 2.0 * 10.0 * 16.0 * 0x1p-19;
        if (std::fabs(change + lost) > tolerance) ++wrong;
        if (change > 1e-6 * kinetic_energy(before)) ++wrong;
    }
    CHECK(wrong == 0);
}

// ---------------------------------------------------------------------------------- friction

TEST_CASE("friction stops a slide that needs less than its bound") {
    Pair pair = head_on(0.0f, 0.5f, {.friction = 0.5f});
    pair.b.velocity = {0.0f, 3.0f};
    CHECK(resolve_friction(pair, 16.0f) == -6.0f);  // 2 kg from 3 m/s to 0, of 8 N·s allowed
    CHECK(pair.b.velocity == Vec2{});
}

TEST_CASE("friction is exactly the bound where the slide needs more") {
    for (const float direction : {1.0f, -1.0f}) {
        Pair pair = head_on(0.0f, 0.5f, {.friction = 0.5f});
        pair.b.velocity = {0.0f, 8.0f * direction};
        CHECK(resolve_friction(pair, 16.0f) == -8.0f * direction);
        CHECK(pair.b.velocity == Vec2{0.0f, 4.0f * direction});
    }
}

TEST_CASE("friction is the geometric mean of both surfaces, and ice has none") {
    Pair pair = head_on(0.0f, 1.0f, {.friction = 0.25f});
    pair.a.material.friction = 1.0f;
    pair.b.velocity = {0.0f, 100.0f};
    CHECK(resolve_friction(pair, 4.0f) == -2.0f);
    pair.a.material.friction = 0.0f;
    const Pair before = pair;
    CHECK(resolve_friction(pair, 4.0f) == 0.0f);
    CHECK(same(pair, before));
}

TEST_CASE("without a normal impulse there is no friction") {
    Pair pair = head_on(1.0f, 0.5f, {.friction = 2.0f});
    pair.b.velocity = {-1.0f, 8.0f};
    const Pair before = pair;
    CHECK(resolve_friction(pair, 0.0f) == 0.0f);
    CHECK(same(pair, before));
}

TEST_CASE("friction keeps momentum, slows the slide, never reverses it, and makes no energy") {
    test::Random random;
    int wrong = 0;
    int stuck = 0;
    for (int i = 0; i < test::many / 5; ++i) {
        Pair before = random_pair(random);
        if (before.a.inverse_mass == 0.0f) before.a.velocity = {};
        if (before.b.inverse_mass == 0.0f) before.b.velocity = {};
        Pair after = before;
        resolve_friction(after, random.uniform(0.0f, 8.0f));
        const double slide = sliding_speed(before), rest = sliding_speed(after);
        if (std::fabs(rest) > std::fabs(slide) + rounding) ++wrong;
        if (slide * rest < 0.0 && std::fabs(rest) > rounding) ++wrong;
        if (std::fabs(rest) <= rounding) ++stuck;
        if (std::fabs(normal_speed(after) - normal_speed(before)) > rounding) ++wrong;
        const bool free = before.a.inverse_mass > 0.0f && before.b.inverse_mass > 0.0f;
        for (float Vec2::*axis : {&Vec2::x, &Vec2::y}) {
            const double change = momentum(after, axis) - momentum(before, axis);
            if (free && std::fabs(change) > 4.0 * rounding) ++wrong;
        }
        const double energy = kinetic_energy(before);
        if (kinetic_energy(after) > energy + 1e-6 * energy) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(stuck > test::many / 50);
    CHECK(stuck < test::many / 5 - test::many / 50);
}

TEST_CASE("friction is what sticking needs, cut to friction * normal impulse") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < test::many / 5; ++i) {
        Pair pair = random_pair(random);
        const double sum = double{pair.a.inverse_mass} + pair.b.inverse_mass;
        if (sum == 0.0) continue;
        const float normal_impulse = random.uniform(0.0f, 8.0f);
        const double friction =
            std::sqrt(double{pair.a.material.friction} * pair.b.material.friction);
        const double bound = friction * normal_impulse;
        const double sticking = -sliding_speed(pair) / sum;
        const double expected = std::fmax(-bound, std::fmin(sticking, bound));
        const double impulse = resolve_friction(pair, normal_impulse);
        if (std::fabs(impulse - expected) > 1e-6 * std::fabs(expected) + rounding / sum) ++wrong;
        if (std::fabs(impulse) > bound * (1.0 + 4 * 0x1p-24)) ++wrong;  // three roundings
    }
    CHECK(wrong == 0);
}

// ----------------------------------------------------------------------------------- position

TEST_CASE("the correction removes its fraction of what exceeds the slop") {
    for (const float fraction : {0.2f, 0.4f, 0.6f, 0.8f}) {
        for (const float slop : {0.01f, 0.05f, 0.1f}) {
            CAPTURE(fraction);
            CAPTURE(slop);
            Pair pair = head_on(1.0f, 0.25f, {});
            pair.manifold.penetration = 0.5f;
            correct_positions(pair, {fraction, slop});
            const double expected = double{fraction} * (0.5 - double{slop});
            CHECK(pair.b.position.x - pair.a.position.x == doctest::Approx(expected).epsilon(1e-6));
            CHECK(pair.b.position.y - pair.a.position.y == 0.0f);
        }
    }
}

TEST_CASE("the lighter body moves further, by inverse mass, and infinite mass not at all") {
    Pair pair = head_on(3.0f, 1.0f, {});
    pair.manifold.penetration = 1.5f;
    correct_positions(pair, {0.5f, 0.5f});
    CHECK(pair.a.position == Vec2{-0.375f, 0.0f});
    CHECK(pair.b.position == Vec2{0.125f, 0.0f});
    Pair wall = head_on(0.0f, 1.0f, {});
    wall.manifold.penetration = 1.5f;
    correct_positions(wall, {0.5f, 0.5f});
    CHECK(wall.a.position == Vec2{});
    CHECK(wall.b.position == Vec2{0.5f, 0.0f});
}

TEST_CASE("penetration within the slop, touching and distance are left alone") {
    for (const float penetration : {0.05f, 0.04f, 0.0f, -1.0f}) {
        CAPTURE(penetration);
        Pair pair = head_on(1.0f, 2.0f, {});
        pair.manifold.penetration = penetration;
        const Pair before = pair;
        correct_positions(pair, {0.8f, 0.05f});
        CHECK(same(pair, before));
    }
    Pair beyond = head_on(1.0f, 2.0f, {});
    beyond.manifold.penetration = 0.051f;
    correct_positions(beyond, {0.8f, 0.05f});
    CHECK(beyond.b.position.x > 0.0f);
}

TEST_CASE("called every frame, the correction leaves the slop and (1 - fraction)^n of the rest") {
    Pair pair = head_on(1.0f, 2.0f, {});
    for (int frame = 0; frame < 20; ++frame) {
        pair.manifold.penetration = 0.5f - (pair.b.position.x - pair.a.position.x);
        correct_positions(pair, {.fraction = 0.4f, .slop = 0.01f});
    }
    const double left = 0.5 - (double{pair.b.position.x} - pair.a.position.x);
    // 20 frames round numbers below 0.5: 2^-26 each, three times
    CHECK(left == doctest::Approx(0.01 + 0.49 * std::pow(0.6, 20)).epsilon(1e-4));
}

TEST_CASE("the default correction lies in the usual range") {
    CHECK(PositionCorrection{}.fraction >= 0.2f);
    CHECK(PositionCorrection{}.fraction <= 0.8f);
    CHECK(PositionCorrection{}.slop >= 0.01f);
    CHECK(PositionCorrection{}.slop <= 0.1f);
}

TEST_CASE("the correction goes along the normal, keeps the centre of mass and every velocity") {
    test::Random random;
    int wrong = 0;
    for (int i = 0; i < test::many / 5; ++i) {
        const Pair before = random_pair(random);
        Pair after = before;
        const float fraction = random.uniform(0.2f, 0.8f);
        const PositionCorrection correction{fraction, random.uniform(0.01f, 0.1f)};
        correct_positions(after, correction);
        if (after.a.velocity != before.a.velocity || after.b.velocity != before.b.velocity) ++wrong;
        const Vec2 moved_a = after.a.position - before.a.position;
        const Vec2 moved_b = after.b.position - before.b.position;
        const double excess = double{before.manifold.penetration} - correction.slop;
        const bool fixed = before.a.inverse_mass + before.b.inverse_mass == 0.0f;
        const double expected = fixed || excess <= 0.0 ? 0.0 : correction.fraction * excess;
        const Vec2 push = moved_b - moved_a;
        // 3e-6: positions below 8 are rounded to 2^-22, a dozen times at most
        if (std::fabs(dot(push, before.manifold.normal) - expected) > 3e-6) ++wrong;
        if (std::fabs(cross(push, before.manifold.normal)) > 3e-6f) ++wrong;
        const Vec2 drift = moved_a * before.b.inverse_mass + moved_b * before.a.inverse_mass;
        const bool free = before.a.inverse_mass > 0.0f && before.b.inverse_mass > 0.0f;
        if (free && length(drift) > 4.0f * 3e-6f) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("what sticks to a conveyor goes along with it, on either side") {
    for (const bool belt_is_a : {true, false}) {
        BodyState belt{.inverse_mass = 0.0f, .material = {.surface_velocity = {2.0f, 0.0f}}};
        BodyState crate{.position = {0.0f, 1.0f}, .inverse_mass = 0.5f};
        const Manifold contact{{0.0f, belt_is_a ? 1.0f : -1.0f}, 0.0f, {}};
        const float enough = 1e3f;
        resolve_friction(belt_is_a ? belt : crate, belt_is_a ? crate : belt, contact, enough);
        CHECK(crate.velocity == Vec2{2.0f, 0.0f});
    }
}

}  // namespace impulse_test

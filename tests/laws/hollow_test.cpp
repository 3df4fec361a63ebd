// SPDX-License-Identifier: MIT
// Is a chain that turns up solid on its surface, and nowhere else? SCENES [12]
// Below a hollow faces go on in the solid. Whoever is in the air, beside or behind a chain, must
// not notice.
#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "measure.hpp"
#include "support/loops.hpp"
#include "support/random.hpp"

namespace hollow_test {

using namespace phys2d;

namespace {

using Points = std::vector<Vec2>;

Chain chain_of(const Points& points, bool is_loop) {
    return {.points = {points.data(), points.size()}, .is_loop = is_loop};
}

double distance_to_piece(Vec2 a, Vec2 b, double x, double y) {
    const double dx = double{b.x} - double{a.x}, dy = double{b.y} - double{a.y};
    const double along = ((x - double{a.x}) * dx + (y - double{a.y}) * dy) / (dx * dx + dy * dy);
    const double t = std::clamp(along, 0.0, 1.0);
    return std::hypot(x - (double{a.x} + t * dx), y - (double{a.y} + t * dy));
}

/// Ground from right to left that rises and falls at random: gently in many pieces, or by slopes
/// and walls.
Points random_ground(test::Random& random, float steepest) {
    const bool is_fine = random.one_in(2);
    const int pieces = is_fine ? random.integer(8, 40) : random.integer(2, 6);
    const float width = is_fine ? 0.3f : 2.0f;
    float slope = random.uniform(-0.5f, 0.5f);
    Points points{{6.0f, 0.0f}};
    for (int i = 0; i < pieces; ++i) {
        const float run = random.one_in(4) ? 0.3f * width : random.uniform(0.5f, 1.0f) * width;
        slope = is_fine ? std::clamp(slope + random.uniform(-0.1f, 0.15f), -1.0f, 1.0f)
                        : random.uniform(-1.0f, 1.0f) * (random.one_in(3) ? steepest : 0.6f);
        points.push_back(points.back() + Vec2{-run, run * slope});
    }
    return points;
}

/// Ground along an arc of that many radians around the origin, from right to left, the lowest point
/// in the middle.
Points arc(int pieces, float angle, float radius) {
    Points points;
    for (int i = 0; i <= pieces; ++i) {
        const float at = angle * (0.5f - static_cast<float>(i) / static_cast<float>(pieces));
        points.push_back(Vec2{std::sin(at), -std::cos(at)} * radius);
    }
    return points;
}

/// Random ground as an open chain, or as a loop around a plate as thin as 2 cm, turned by any
/// angle.
struct Plate {
    Points points;
    bool is_loop;

    explicit Plate(test::Random& random) : is_loop(random.one_in(2)) {
        const float steepest = random.uniform(1.0f, 6.0f);
        points = random_ground(random, steepest);
        const float height = random.log_uniform(0.02f, 1.0f) * steepest;
        for (std::size_t i = points.size(); is_loop && i > 0; --i) {
            points.push_back(points[i - 1] - Vec2{0.0f, height});
        }
        const Vec2 turn = random.one_in(2) ? Vec2{1.0f, 0.0f} : random.direction();
        for (Vec2& point : points) point = turn * point.x + perpendicular(turn) * point.y;
    }

    [[nodiscard]] std::size_t pieces() const { return is_loop ? points.size() : points.size() - 1; }

    /// How far a point is from the nearest piece.
    [[nodiscard]] double distance(double x, double y) const {
        double nearest = 1e9;
        for (std::size_t i = 0; i < pieces(); ++i) {
            const Vec2 next = points[(i + 1) % points.size()];
            nearest = std::min(nearest, distance_to_piece(points[i], next, x, y));
        }
        return nearest;
    }
    [[nodiscard]] double distance(Vec2 point) const {
        return distance(double{point.x}, double{point.y});
    }

    /// A place near the plate for a circle, in the air.
    [[nodiscard]] Vec2 place_in_the_air(test::Random& random, float radius) const {
        for (;;) {
            const auto last = static_cast<int>(points.size()) - 1;
            const Vec2 vertex = points[static_cast<std::size_t>(random.integer(0, last))];
            const Vec2 place = vertex + random.point(random.log_uniform(0.05f, 3.0f));
            const bool is_solid = is_loop && test::is_within(points, place);
            if (!is_solid && distance(place) > double{radius} + 1e-3) return place;
        }
    }

    /// The fraction at which a ray meets the first piece from its front; 2 if it meets none.
    [[nodiscard]] double first_meeting(Vec2 from, Vec2 way) const {
        double first = 2.0;
        for (std::size_t i = 0; i < pieces(); ++i) {
            const Vec2 a = points[i], b = points[(i + 1) % points.size()];
            const double dx = double{b.x} - double{a.x}, dy = double{b.y} - double{a.y};
            const double px = double{a.x} - double{from.x}, py = double{a.y} - double{from.y};
            const double across = double{way.x} * dy - double{way.y} * dx;
            const double t = (px * dy - py * dx) / across;
            const double place = (px * double{way.y} - py * double{way.x}) / across;
            const bool is_met =
                across < 0.0 && t >= 0.0 && t <= 1.0 && place >= 0.0 && place <= 1.0;
            if (is_met) first = std::min(first, t);
        }
        return first;
    }
};

World world_with(const Plate& plate) {
    World world({.gravity = test::down});
    world.create_body({.type = BodyType::Static}, chain_of(plate.points, plate.is_loop));
    return world;
}

}  // namespace

TEST_CASE("a ray meets a chain where it crosses the first piece from the front, or not at all") {
    test::Random random;
    for (int i = 0; i < test::many / 1000; ++i) {
        const Plate plate(random);
        const World world = world_with(plate);
        for (int k = 0; k < 100; ++k) {
            const Vec2 from = plate.place_in_the_air(random, 0.0f);
            const Vec2 way = random.point(8.0f);
            const QueryHit hit = world.ray_cast(from, way);
            const double expected = plate.first_meeting(from, way);
            CAPTURE(i);
            CAPTURE(k);
            // Pieces of up to 12 m go on by a ten-thousandth behind others.
            CHECK(static_cast<bool>(hit) == (expected < 2.0));
            if (hit) CHECK(plate.distance(hit.point) < 1.2e-3);
            if (hit) CHECK(std::fabs(double{hit.fraction} - expected) * double{length(way)} < 1e-3);
        }
    }
}

TEST_CASE("a circle that is cast stops where it touches a piece of a chain, or not at all") {
    test::Random random;
    int hits = 0;
    for (int i = 0; i < test::many / 1000; ++i) {
        const Plate plate(random);
        const World world = world_with(plate);
        for (int k = 0; k < 100; ++k) {
            const float radius = random.uniform(0.02f, 0.8f);
            const Vec2 from = plate.place_in_the_air(random, radius);
            const Vec2 way = random.point(8.0f);
            const QueryHit hit = world.shape_cast(Circle{radius, from}, way);
            hits += hit ? 1 : 0;
            CAPTURE(i);
            CAPTURE(k);
            if (hit) CHECK(plate.distance(from + way * hit.fraction) < double{radius} + 1e-3);
        }
    }
    CHECK(hits > test::many / 50);
}

TEST_CASE("a circle that is cast at the surfaces around it meets what the world says") {
    test::Random random;
    int wrong = 0, hits = 0;
    for (int i = 0; i < test::many / 1000; ++i) {
        const Plate plate(random);
        const World world = world_with(plate);
        for (int k = 0; k < 20; ++k) {
            const float radius = random.uniform(0.02f, 0.8f);
            const Circle circle{radius, plate.place_in_the_air(random, radius)};
            const Vec2 way = random.point(8.0f);
            const AABB around = bounds(Shape(circle));
            CastHit first;
            world.for_each_surface(merge(around, translate(around, way)),
                                   [&](const Surface& surface) {
                                       const CastHit hit = surface.cast(circle, way);
                                       if (hit.fraction < first.fraction) first = hit;
                                   });
            hits += first ? 1 : 0;
            wrong += std::fabs(first.fraction - world.shape_cast(circle, way).fraction) > 1e-3f;
        }
    }
    CHECK(wrong == 0);
    CHECK(hits > test::many / 200);
}

TEST_CASE("a ball in the air around a chain falls freely until it touches a piece") {
    test::Random random;
    int met = 0;
    for (int i = 0; i < test::many / 200; ++i) {
        const Plate plate(random);
        World world = world_with(plate);
        // 0.1 m behind an open chain nobody knows whether there is air.
        const float smallest = plate.is_loop ? 0.01f : 0.1f;
        const float radius = random.log_uniform(smallest, 0.6f);
        const Vec2 start = plate.place_in_the_air(random, radius);
        const Vec2 thrown = random.point(random.one_in(2) ? 0.0f : 6.0f);
        const BodyId ball =
            world.create_body({.position = start, .velocity = thrown}, Circle{radius});
        for (int step = 1; step <= 60; ++step) {
            world.step();
            const Vec2 free = thrown + test::down * (static_cast<float>(step) / 60.0f);
            if (length(world.body(ball).velocity() - free) < 1e-3f) continue;
            CAPTURE(i);
            // What is struck off its course in the middle of a step of 0.15 m has gone on since.
            CHECK(plate.distance(world.body(ball).position()) < double{radius} + 0.05);
            ++met;
            break;
        }
    }
    CHECK(met > test::many / 1000);
}

TEST_CASE("a mover falls freely below a ramp") {
    const Points ramp{{20.0f, 0.0f}, {10.0f, 0.0f},  {0.0f, 4.0f},
                      {0.0f, 3.5f},  {10.0f, -0.5f}, {20.0f, -0.5f}};
    for (const bool is_loop : {false, true}) {
        World world;
        world.create_body({.type = BodyType::Static}, chain_of(ramp, is_loop));
        Mover mover;
        mover.shape = Circle{0.3f};
        mover.position = {3.0f, 1.2f};
        for (int step = 1; step <= 60; ++step) {
            (void)move(world, mover, {0.0f, -5.0f}, 1.0f / 60.0f);
            REQUIRE_FALSE(mover.ground.is_grounded);
        }
        CHECK(mover.position.y == doctest::Approx(-3.8));
    }
}

TEST_CASE("a small ball falls freely close below a ramp 2 cm thick") {
    const Points ramp{{20.0f, 0.0f}, {10.0f, 0.0f},   {0.0f, 4.0f},
                      {0.0f, 3.98f}, {10.0f, -0.02f}, {20.0f, -0.02f}};
    World world({.gravity = test::down});
    world.create_body({.type = BodyType::Static}, chain_of(ramp, true));
    const BodyId ball = world.create_body({.position = {9.8f, 0.03f}}, Circle{0.01f});
    test::run(world, 60);
    CHECK(world.body(ball).velocity().y == doctest::Approx(-10.0));
}

TEST_CASE("a ball that swings in a hollow of a fine chain never gains height") {
    for (const int pieces : {50, 200, 800}) {
        for (const float radius : {0.1f, 0.3f, 0.5f}) {
            const Points points = arc(pieces, 3.0f, 1.0f);
            World world({.gravity = test::down});
            world.create_body({.type = BodyType::Static}, chain_of(points, false));
            const Vec2 start = Vec2{0.48f, -0.88f} * (1.0f - radius);
            const BodyId ball =
                world.create_body({.position = start}, Circle{radius}, {.friction = 0.0f});
            float most = -1.0f;  // of what it would rise to
            for (int step = 0; step < 1000; ++step) {
                world.step();
                const float rise = 0.05f * length_sq(world.body(ball).velocity());
                most = std::fmax(most, world.body(ball).position().y + rise);
            }
            CAPTURE(pieces);
            CAPTURE(radius);
            CHECK(most - start.y < 0.005f);
        }
    }
}

TEST_CASE(
    "a ball that runs around inside a loop stays in and gains no speed in metres and pixels") {
    for (const float unit : {1.0f, 50.0f}) {
        for (const int pieces : {32, 100, 400}) {
            Points points = arc(pieces, 6.2831853f, unit);
            points.pop_back();
            World world({.gravity = {}, .length_unit = unit});
            world.create_body({.type = BodyType::Static}, chain_of(points, true));
            const BodyId ball = world.create_body(
                {.position = Vec2{0.0f, -0.89f} * unit, .velocity = Vec2{20.0f, 0.0f} * unit},
                Circle{0.1f * unit}, {.friction = 0.0f});
            float fastest = 0.0f;
            for (int step = 0; step < 600; ++step) {
                world.step();
                fastest = std::fmax(fastest, length(world.body(ball).velocity()) / unit);
            }
            CAPTURE(unit);
            CAPTURE(pieces);
            CHECK(length(world.body(ball).position()) < unit);
            CHECK(fastest < 20.01f);
        }
    }
}

TEST_CASE("a box that is pressed into a wall stays on the slope at the foot of that") {
    for (const float slope : {0.2f, 0.6f, 1.0f}) {
        for (const float load : {20.0f, 100.0f, 300.0f}) {  // of its weight
            World world{{.gravity = {0.0f, -10.0f}}};
            const Vec2 ground[] = {{0.0f, 6.0f}, {0.0f, 0.0f}, {-6.0f, -6.0f * slope}};
            world.create_body({.type = BodyType::Static}, Chain{ground}, {.friction = 0.0f});
            const BodyId box = world.create_body({.position = {-0.5f, 0.5f}}, Box{{0.5f, 0.5f}},
                                                 {.friction = 0.0f});
            for (int i = 0; i < 240; ++i) {
                world.body(box).apply_force({10.0f * load * world.body(box).mass(), 0.0f});
                world.step();
            }
            const Vec2 vertex = world.body(box).position() + Vec2{0.5f, -0.5f};
            CHECK(std::abs(vertex.y - slope * vertex.x) < 1e-3f);
        }
    }
}

}  // namespace hollow_test

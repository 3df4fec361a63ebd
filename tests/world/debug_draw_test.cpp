// SPDX-License-Identifier: MIT
// Does a drawing show what is there?
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <debug_draw/svg_sink.hpp>
#include <phys2d/world/debug_draw.hpp>

namespace debug_draw_test {

using namespace phys2d;

namespace {

/// Counts what is drawn.
struct CountingSink {
    void shape(const Shape& shape, DebugRole role) { shapes[role].push_back(shape); }
    void segment(Vec2 from, Vec2 to, DebugRole role) { segments[role].push_back(to - from); }
    void point(Vec2 point, DebugRole role) { points[role].push_back(point); }
    void text(Vec2, const char* text, DebugRole) { texts.emplace_back(text); }

    std::map<DebugRole, std::vector<Shape>> shapes;
    std::map<DebugRole, std::vector<Vec2>> segments;
    std::map<DebugRole, std::vector<Vec2>> points;
    std::vector<std::string> texts;
};

World tower() {
    World world({.gravity = {0.0f, -10.0f}});
    world.create_body({.type = BodyType::Static}, Box{{5.0f, 0.5f}});
    const BodyId box = world.create_body({.position = {0.0f, 1.0f}}, Box{{0.5f, 0.5f}});
    world.add_collider(box, Circle{0.2f, {2.0f, 0.0f}}, {}, {.is_sensor = true});
    world.create_body({.position = {0.0f, 2.0f}, .mass = 2.0f}, Box{{0.5f, 0.5f}});
    world.create_body(
        {.type = BodyType::Kinematic, .position = {9.0f, 0.0f}, .velocity = {3.0f, 0.0f}},
        Circle{0.5f});
    for (int i = 0; i < 60; ++i) world.step();
    return world;
}

}  // namespace

TEST_CASE("a drawing has each collider in its role, where it is") {
    const World world = tower();
    CountingSink sink;
    debug_draw(world, sink, {.names = true});
    CHECK(sink.shapes[DebugRole::Static].size() == 1);
    CHECK(sink.shapes[DebugRole::Dynamic].size() == 2);
    CHECK(sink.shapes[DebugRole::Sensor].size() == 1);
    REQUIRE(sink.shapes[DebugRole::Kinematic].size() == 1);
    CHECK(sink.shapes[DebugRole::Kinematic][0].center.x == doctest::Approx(12.0));
    CHECK(sink.texts == std::vector<std::string>{"0", "1", "3", "4"});
}

TEST_CASE("a drawing shows contacts, impulses, islands, velocities, bounds and ranges on request") {
    const World world = tower();
    CountingSink sink;
    debug_draw(world, sink,
               {.shapes = false,
                .bounds = true,
                .ranges = true,
                .islands = true,
                .velocities = true,
                .seconds = 0.5f,
                .metres_per_newton_second = 6.0f});
    CHECK(sink.points[DebugRole::Contact].size() == 2);
    CHECK(sink.segments[DebugRole::Normal].size() == 2);
    REQUIRE(sink.segments[DebugRole::Impulse].size() == 2);
    float heaviest = 0.0f;
    for (const Vec2 impulse : sink.segments[DebugRole::Impulse]) {
        heaviest = max(heaviest, length(impulse));
    }
    // 1 kg and 2 kg: their weight for a sixtieth of a second
    CHECK(heaviest == doctest::Approx(6.0 * 30.0 / 60.0).epsilon(0.01));
    CHECK(sink.segments[DebugRole::Island].size() == 1);
    REQUIRE(sink.segments[DebugRole::Velocity].size() >= 1);
    CHECK(sink.segments[DebugRole::Velocity].back().x == doctest::Approx(1.5));
    CHECK(sink.shapes[DebugRole::Bounds].size() == 5);
    CHECK(sink.shapes[DebugRole::Range].size() == 4);
    CHECK(sink.shapes.size() == 2);
}

TEST_CASE("a drawing shows the surface of terrain, and the edges of what is only felt") {
    World world;
    const BodyId map = world.create_tile_map();
    world.tile_map(map).define(1);
    world.tile_map(map).define(
        2, {.shape = {{0.0f, 0.0f}, {1.0f, 0.0f}, {0.5f, 0.7f}}, .collider = {.is_sensor = true}});
    world.tile_map(map).fill({{0, 0}, {1, 0}}, 1);
    world.tile_map(map).set({0, 1}, 2);
    world.tile_map(map).set({600, 0}, 2);  // beyond what is drawn
    const ColliderDef felt{.is_sensor = true};
    const BodyDef fixed{.type = BodyType::Static};
    world.create_body(fixed, Polygon{{0.0f, 5.0f}, {1.0f, 5.0f}, {0.0f, 6.0f}}, {}, felt);
    world.create_body(fixed, HalfSpace{{0.0f, 1.0f}, -9.0f}, {}, felt);
    const Vec2 ridge[] = {{5.0f, 0.0f}, {6.0f, 1.0f}, {7.0f, 0.0f}};
    world.create_body(fixed, Chain{.points = Span<const Vec2>(ridge, 3)}, {}, felt);
    CountingSink sink;
    debug_draw(world, sink);
    CHECK(sink.segments[DebugRole::Static].size() == 4);
    CHECK(sink.segments[DebugRole::Sensor].size() == 3 + 3 + 1 + 2);
    CHECK(sink.shapes.empty());
    CountingSink wide;
    debug_draw(world, wide, scaled(DebugView{}, 2.0f));  // that far it sees the last tile
    CHECK(wide.segments[DebugRole::Sensor].size() == 3 + 3 + 1 + 2 + 3);
}

TEST_CASE("a scaled view shows the same impulses as long as before, relative to what they act on") {
    const DebugView view{.metres_per_newton_second = 0.5f, .normal_length = 0.2f};
    const DebugView scaled_view = scaled(view, 100.0f);  // lengths x 100, masses x 100²
    CHECK(scaled_view.normal_length == doctest::Approx(20.0));
    CHECK(1e6f * scaled_view.metres_per_newton_second == doctest::Approx(100.0 * 0.5));
}

TEST_CASE("of an open chain a drawing shows its pieces, and not the corner at its end") {
    World world;
    const Vec2 points[] = {{2.0f, 0.0f}, {1.0f, 0.5f}, {0.0f, 0.0f}};
    world.create_body({.type = BodyType::Static}, Chain{{points, 3}});
    CountingSink sink;
    debug_draw(world, sink, {.terrain = {{-9.0f, -9.0f}, {9.0f, 9.0f}}});
    CHECK(sink.segments[DebugRole::Static].size() == 2);
}

TEST_CASE("a ray is drawn up to what it hits") {
    const World world = tower();
    CountingSink sink;
    debug_draw_ray({-5.0f, 1.0f}, {10.0f, 0.0f}, world.ray_cast({-5.0f, 1.0f}, {10.0f, 0.0f}),
                   sink);
    debug_draw_ray({-5.0f, 9.0f}, {10.0f, 0.0f}, world.ray_cast({-5.0f, 9.0f}, {10.0f, 0.0f}),
                   sink);
    REQUIRE(sink.segments[DebugRole::Ray].size() == 2);
    CHECK(sink.segments[DebugRole::Ray][0].x == doctest::Approx(4.5).epsilon(0.001));
    CHECK(sink.segments[DebugRole::Ray][1].x == 10.0f);
    CHECK(sink.points[DebugRole::Contact].size() == 1);
}

TEST_CASE("an SVG picture has the shapes in pixels, the y axis up") {
    svg::SvgSink sink({{-2.0f, -1.0f}, {2.0f, 1.0f}}, 400.0f);
    sink.shape(Circle{0.5f, {1.0f, 0.5f}}, DebugRole::Dynamic);
    sink.segment({-2.0f, -1.0f}, {2.0f, 1.0f}, DebugRole::Ray);
    const std::string picture = sink.picture();
    CHECK(picture.find(R"(width="400" height="200")") != std::string::npos);
    CHECK(picture.find(R"(<rect x="250" y="0" width="100" height="100" rx="50")") !=
          std::string::npos);
    CHECK(picture.find(R"(<line x1="0" y1="200" x2="400" y2="0")") != std::string::npos);
    CHECK(picture.find("</svg>") != std::string::npos);
}

}  // namespace debug_draw_test

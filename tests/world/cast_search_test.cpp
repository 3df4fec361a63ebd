// SPDX-License-Identifier: MIT
// Do casts through a world meet what is there: without gaps, each thing once, and at once from
// inside?
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "support/movers.hpp"
#include "support/random_polygons.hpp"
#include "support/slide.hpp"
#include "support/tiles.hpp"

namespace cast_search_test {

using namespace phys2d;

namespace {

constexpr Vec2 up{0.0f, 1.0f};

/// A map on a scale and at a place that are no binary fractions, more often than not.
TileMapRef random_map(test::Random& random, World& world) {
    const float sizes[] = {1.0f, 0.5f, 0.1f, 0.16f, 0.37f, 32.0f};
    const Vec2 places[] = {{}, {0.3f, 0.7f}, {13.7f, -5.1f}, random.point(300.0f)};
    return test::add_tile_map(
        world, {.position = places[random.bits() % 4], .tile_size = sizes[random.bits() % 6]});
}

/// A ray to the corner of a tile, from above: straight down by its angle, from a corner, or from
/// anywhere.
struct CornerRay {
    Vec2 origin, way;

    CornerRay(test::Random& random, const TileMapRef& map, TileCoord tile) {
        constexpr float straight_down = -1.57079633f;
        const float size = map.tile_size();
        const AABB bounds = map.bounds(tile);
        const Vec2 corner{bounds.min.x, bounds.max.y};
        const float height = static_cast<float>(random.integer(1, 8)) * 0.5f * size;
        switch (random.integer(0, 3)) {
            case 0:
                origin = corner + Vec2{0.0f, height};
                way = Vec2{std::cos(straight_down), std::sin(straight_down)} * (height + size);
                return;
            case 1: origin = corner + Vec2{random.uniform(-1e-5f, 1e-5f) * size, height}; break;
            case 2: origin = corner + Vec2{std::floor(height / size) * size, height}; break;
            default: origin = corner + Vec2{random.uniform(-5.0f, 5.0f) * size, height}; break;
        }
        way = (corner - origin) * 1.3f;
    }
};

QueryHit first_of_all(const World& world, Vec2 origin, Vec2 way) {
    QueryHit first;
    world.for_each_on_ray(origin, way, [&](const QueryHit& hit) {
        if (!first) first = hit;
    });
    return first;
}

bool are_same(const QueryHit& a, const QueryHit& b) {
    return a.collider == b.collider && a.fraction == b.fraction && a.normal == b.normal;
}

/// Whether some surface near a point looks a given way.
bool is_surface(const World& world, Vec2 point, Vec2 normal, float near) {
    bool any = false;
    world.for_each_surface(aabb_around(point, {near, near}), [&](const Surface& surface) {
        const auto [from, to] = surface.segment();
        const Vec2 out = -perpendicular(normalized_or(to - from, {}));
        any = any || distance(out, normal) < 1e-2f;  // rounded ends
    });
    return any;
}

int times_told(const World& world, Vec2 origin, Vec2 way) {
    int times = 0;
    world.for_each_on_ray(origin, way, [&](const QueryHit&) { ++times; });
    return times;
}

}  // namespace

TEST_CASE("rays at the seams of a floor of tiles meet its surface, on any scale and anywhere") {
    test::Random random;
    for (int i = 0; i < test::many / 5000; ++i) {
        World world;
        TileMapRef map = random_map(random, world);
        map.fill({{-50, -5}, {50, -1}}, test::full);
        const float floor = map.bounds({0, -1}).max.y;
        const float rounding = 1e-6f * (std::fabs(floor) + map.tile_size());
        for (int k = 0; k < 100; ++k) {
            const CornerRay ray(random, map, {random.integer(-30, 30), -1});
            const QueryHit hit = world.ray_cast(ray.origin, ray.way);
            CHECK(hit.normal == up);
            CHECK(std::fabs(hit.point.y - floor) <= rounding);
            CHECK(are_same(hit, first_of_all(world, ray.origin, ray.way)));
        }
    }
}

TEST_CASE("rays at rows of one-way tiles meet them from all sides, and none between two") {
    test::Random random;
    for (int i = 0; i < test::many / 5000; ++i) {
        World world;
        TileMapRef map = random_map(random, world);
        map.define(20, {.collider = {.one_way = OneWay::Up}});
        map.fill({{-50, -1}, {50, -1}}, 20);
        for (int k = 0; k < 20; ++k) {
            const CornerRay ray(random, map, {random.integer(-30, 30), -1});
            CHECK(world.ray_cast(ray.origin, ray.way).normal == up);
            CHECK(world.ray_cast(ray.origin + ray.way, -ray.way).fraction <= 1.0f);
        }
        const AABB row = map.bounds({-50, -1});
        CHECK(times_told(world, center(row) - Vec2{map.tile_size(), 0.0f},
                         {map.tile_size() * 30.5f, 0.0f}) == 1);
    }
}

TEST_CASE("the closest ray is the first of all, at a surface that is there, in any map of tiles") {
    test::Random random;
    int hits = 0;
    for (int i = 0; i < test::many / 5000; ++i) {
        World world;
        TileMapRef map = random_map(random, world);
        for (int k = random.integer(20, 120); k > 0; --k) {
            map.set({random.integer(-8, 8), random.integer(-8, 8)},
                    static_cast<TileId>(random.integer(1, test::tile_kinds)));
        }
        for (int k = 0; k < 100; ++k) {
            const CornerRay ray(random, map, {random.integer(-8, 8), random.integer(-8, 8)});
            const float sign = random.one_in(2) ? 1.0f : -1.0f;
            const Vec2 origin = sign > 0.0f ? ray.origin : ray.origin + ray.way;
            const QueryHit hit = world.ray_cast(origin, ray.way * sign);
            CHECK(are_same(hit, first_of_all(world, origin, ray.way * sign)));
            if (!hit || hit.fraction == 0.0f) continue;
            ++hits;
            CHECK(is_surface(world, hit.point, hit.normal, 0.01f * map.tile_size()));
        }
    }
    CHECK(hits > test::many / 200);
}

TEST_CASE("a ray that begins in tiles has the normal of the nearest side that is open") {
    World world;
    TileMapRef map = test::add_tile_map(world);
    map.fill({{-9, -9}, {9, -1}}, test::full);
    for (const Vec2 origin : {Vec2{0.1f, -0.4f}, {1.0f, -0.7f}, {2.0f, -1.0f}, {-0.01f, 0.0f}}) {
        const QueryHit hit = world.ray_cast(origin, {2.0f, -1.0f});
        CHECK(hit.fraction == 0.0f);
        CHECK(hit.normal == up);
        CHECK(are_same(hit, first_of_all(world, origin, {2.0f, -1.0f})));
    }
}

TEST_CASE("a convex polygon is told once at most, and has no gaps at its vertices") {
    test::Random random;
    for (int i = 0; i < test::many / 2000; ++i) {
        World world;
        const Vec2 place = random.point(50.0f);
        const Polygon polygon = test::random_polygon(random);
        world.create_body({.type = BodyType::Static, .position = place}, polygon);
        for (int k = 0; k < 20; ++k) {
            const Vec2 vertex = place + polygon.vertex(random.bits() % polygon.size());
            const Vec2 origin = place + random.point(20.0f);
            CHECK(times_told(world, origin, (vertex - origin) * 2.0f) <= 1);
            CHECK(times_told(world, vertex, random.point(10.0f)) <= 1);
            const Vec2 inside = place + polygon.vertex(0) * 0.3f + polygon.vertex(1) * 0.3f +
                                polygon.vertex(2) * 0.4f;
            CHECK(times_told(world, inside, random.point(10.0f)) == 1);
        }
    }
}

TEST_CASE("a ray at a vertex of a bent chain is told of it once") {
    test::Random random;
    for (int i = 0; i < test::many / 2000; ++i) {
        World world;
        std::vector<Vec2> points;
        for (int k = 0; k < 8; ++k) {
            points.push_back({20.0f - 5.0f * static_cast<float>(k), random.uniform(-2.0f, 2.0f)});
        }
        const Vec2 place = random.point(50.0f);
        world.create_body({.type = BodyType::Static, .position = place},
                          Chain{.points = {points.data(), points.size()}});
        for (int k = 0; k < 20; ++k) {
            const Vec2 vertex = place + points[1 + random.bits() % 6];
            const Vec2 origin =
                vertex + Vec2{random.uniform(-1.0f, 1.0f), random.uniform(5.0f, 10.0f)};
            CHECK(times_told(world, origin, (vertex - origin) * 2.0f) == 1);
            CHECK(times_told(world, vertex, {random.uniform(-1.0f, 1.0f), -3.0f}) == 1);
        }
    }
}

TEST_CASE("each collider of a body is told, and none that a visit has destroyed") {
    World world;
    std::vector<BodyId> bodies;
    for (int i = 0; i < 4; ++i) {
        const Vec2 position{4.0f * static_cast<float>(i), 0.0f};
        bodies.push_back(world.create_body({.position = position}, Box{{0.5f, 0.5f}}));
        world.add_collider(bodies.back(), Box{{0.5f, 0.5f}, {2.0f, 0.0f}});
    }
    CHECK(times_told(world, {-5.0f, 0.0f}, {30.0f, 0.0f}) == 8);
    int visits = 0;
    world.for_each_on_ray({-5.0f, 0.0f}, {30.0f, 0.0f}, [&](const QueryHit& hit) {
        ++visits;
        CHECK(world.contains(hit.collider));
        world.destroy_body(hit.body);
        if (world.contains(bodies.back())) world.destroy_body(bodies.back());
    });
    CHECK(visits == 3);
}

TEST_CASE("a shape is told of each collider on its way once, where it meets it first") {
    World world;
    const BodyId wall =
        world.create_body({.type = BodyType::Static, .position = {30.0f, 0.0f}}, Box{{1.0f, 9.0f}});
    const Vec2 hill[] = {{19.0f, 0.0f}, {17.0f, 1.0f}, {16.0f, 0.8f}, {14.0f, 0.0f}};
    const BodyId ground = world.create_body({.type = BodyType::Static}, Chain{hill});
    const BodyId crate = world.create_body({.position = {2.0f, 0.0f}}, Box{{0.5f, 0.5f}});
    const ColliderId lid = world.add_collider(crate, Box{{0.25f, 0.25f}, {0.0f, 0.75f}});
    const TileMapRef map = test::add_tile_map(world, {.position = {5.0f, -1.0f}});
    world.tile_map(map.id()).fill({{0, 0}, {1, 1}}, test::full);
    world.tile_map(map.id()).fill({{3, 0}, {3, 1}}, test::full);  // the same kind once more
    world.tile_map(map.id()).set({5, 1}, test::rising_slope);
    world.create_body({.type = BodyType::Static, .position = {12.0f, 0.0f}}, Box{{0.1f, 9.0f}}, {},
                      {.one_way = OneWay::Right});  // is met from behind
    std::vector<QueryHit> hits;
    const auto sweep = [&](Vec2 from, Vec2 way) {
        hits.clear();
        world.for_each_on_cast(Box{{0.5f, 0.5f}, from}, way,
                               [&](const QueryHit& hit) { hits.push_back(hit); });
    };
    sweep({0.0f, 0.3f}, {40.0f, 0.0f});
    REQUIRE(hits.size() == 6);
    const ColliderId met[] = {first_collider(crate),    lid,
                              map.collider(test::full), map.collider(test::rising_slope),
                              first_collider(ground),   first_collider(wall)};
    const float first_x[] = {1.5f, 1.75f, 5.0f};
    for (std::size_t i = 0; i < hits.size(); ++i) CHECK(hits[i].collider == met[i]);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(hits[i].fraction * 40.0f + 0.5f == doctest::Approx(first_x[i]));
        CHECK(hits[i].normal == Vec2{-1.0f, 0.0f});
    }
    CHECK(hits[0].fraction ==
          world.shape_cast(Box{{0.5f, 0.5f}, {0.0f, 0.3f}}, {40.0f, 0.0f}).fraction);
    sweep({30.0f, 0.0f}, {10.0f, 0.0f});  // out of the wall
    CHECK(hits.empty());
    int visits = 0;
    world.for_each_on_cast(Box{{0.5f, 0.5f}}, {40.0f, 0.0f}, [&](const QueryHit& hit) {
        ++visits;
        CHECK(world.contains(hit.collider));
        if (world.contains(crate)) world.destroy_body(crate);
    });
    CHECK(visits == 5);
}

TEST_CASE("a shape that is cast out of a polygon or a half-space meets it as such") {
    test::Random random;
    int stopped = 0, free = 0;
    for (int i = 0; i < test::many / 500; ++i) {
        World world;
        const Vec2 place = random.point(20.0f);
        const Polygon polygon = test::random_polygon(random);
        const HalfSpace space{up, random.uniform(-3.0f, 3.0f)};
        const bool is_polygon = random.one_in(2);
        world.create_body({.type = BodyType::Static, .position = place},
                          is_polygon ? Outline(polygon) : Outline(space));
        const Shape shape = translate(test::random_mover(random, random.uniform(0.05f, 1.5f)),
                                      place + random.point(4.0f));
        const Vec2 way = random.point(10.0f);
        const Manifold start = is_polygon ? collide(translate(polygon, place), shape)
                                          : collide(translate(space, place), shape);
        const CastHit expected = is_polygon ? shape_cast(shape, way, translate(polygon, place))
                                            : shape_cast(shape, way, translate(space, place));
        if (start.penetration < 0.01f || std::fabs(dot(way, start.normal)) < 0.01f) continue;
        const QueryHit hit = world.shape_cast(shape, way);
        CHECK(static_cast<bool>(hit) == static_cast<bool>(expected));
        if (hit) CHECK(hit.fraction == 0.0f);
        if (hit) CHECK(distance(hit.normal, expected.normal) < 1e-4f);
        ++(hit ? stopped : free);
    }
    CHECK(stopped > test::many / 10'000);
    CHECK(free > test::many / 10'000);
}

TEST_CASE("a shape that moves along the line of a segment meets its end") {
    for (const Segment& segment :
         {Segment{{0.0f, 0.0f}, {2.0f, 0.0f}}, Segment{{0.0f, 0.0f}, {0.0f, 2.0f}},
          Segment{{0.0f, 0.0f}, {3.0f, 4.0f}}, Segment{{0.0f, 0.0f}, {-2.0f, 2.0f}}}) {
        World world;
        world.create_body({.type = BodyType::Static}, segment);
        const Vec2 along = normalized(segment.to);
        for (const Shape& shape :
             {Shape(Circle{0.25f}), Shape(Box{{0.25f, 0.25f}}), Shape(Capsule{0.3f, 0.25f})}) {
            for (const float beside : {0.0f, 0.1f, -0.2f}) {
                for (const float sign : {1.0f, -1.0f}) {
                    const Vec2 end = sign > 0.0f ? segment.from : segment.to;
                    const Shape start = translate(
                        shape, end + perpendicular(along) * beside - along * (sign * 2.0f));
                    const Vec2 way = along * (sign * 4.0f);
                    const CastHit expected = shape_cast(start, way, Polygon(segment));
                    const QueryHit hit = world.shape_cast(start, way);
                    CAPTURE(along.x);
                    CAPTURE(shape.radius);
                    CAPTURE(beside);
                    REQUIRE(hit);
                    CHECK(hit.fraction == doctest::Approx(expected.fraction).epsilon(1e-4));
                    CHECK(distance(hit.point, expected.point) < 1e-4f);
                }
            }
        }
    }
}

TEST_CASE("a shape that lies on the end of a line slides over the end and leaves freely") {
    const Vec2 points[] = {{1.0f, 0.0f}, {0.0f, 0.0f}, {-1.0f, 0.0f}};
    for (const Outline& line :
         {Outline(Segment{points[0], points[2]}), Outline(Segment{points[2], points[0]}),
          Outline(Chain{.points = points, .is_two_sided = true})}) {
        World world;
        world.create_body({.type = BodyType::Static}, line);
        for (const Shape& shape : {Shape(Box{{0.5f, 0.3f}}), Shape(RoundedBox{{0.4f, 0.2f}, 0.1f}),
                                   Shape(Capsule{0.4f, 0.3f, Axis::X})}) {
            for (const float depth : {0.001f, 0.02f, 0.1f}) {
                for (const Vec2 side : {Vec2{1.0f, 1.0f}, Vec2{-1.0f, 1.0f}, Vec2{1.0f, -1.0f}}) {
                    CAPTURE(depth);
                    CAPTURE(side.x);
                    const Shape start = translate(shape, Vec2{1.2f, 0.3f - depth} * side);
                    CHECK_FALSE(world.shape_cast(start, Vec2{-1.0f, 0.0f} * side));
                    CHECK_FALSE(world.shape_cast(start, Vec2{1.0f, 0.0f} * side));
                    CHECK_FALSE(world.shape_cast(start, Vec2{-1.0f, 0.1f} * side));
                    const QueryHit hit = world.shape_cast(start, Vec2{-1.0f, -0.1f} * side);
                    CHECK(hit.fraction == 0.0f);
                    CHECK(hit.normal == Vec2{0.0f, side.y});
                }
            }
        }
    }
}

TEST_CASE("a rounded box around the end of a slanted line slides along it") {
    for (const float side : {1.0f, -1.0f}) {
        World world;
        const Vec2 end{0.6f * side, -0.8f};
        world.create_body({.type = BodyType::Static}, Segment{end, -end});
        const Shape box = RoundedBox{{0.14f, 0.39f}, 0.06f};
        for (const Vec2 off : {Vec2{-0.03f, -0.01f}, Vec2{0.0f, -0.02f}}) {
            CHECK_FALSE(world.shape_cast(translate(box, end + off * Vec2{side, 1.0f}), -end));
        }
    }
}

TEST_CASE("a shape that collides and slides goes on along slanted terrain, at its full pace") {
    constexpr float step = 1.0f / 60.0f;
    test::Random random;
    int late = 0;
    for (int i = 0; i < 300; ++i) {
        const Vec2 along = random.direction(), out = perpendicular(along);
        const Vec2 points[] = {along * 50.0f, along * 10.0f, along * -50.0f};
        const BodyDef ground{.type = BodyType::Static, .position = random.point(300.0f)};
        World world;
        if (i % 3 == 0) world.create_body(ground, Segment{points[0], points[2]});
        if (i % 3 == 1) world.create_body(ground, Chain{points});
        if (i % 3 == 2) {
            const Vec2 depth = out * 20.0f;
            world.create_body(ground,
                              Polygon{points[2] - depth, points[0] - depth, points[0], points[2]});
        }
        Shape moving = test::random_shape(random);
        moving.center = ground.position - along * 20.0f + out * 4.0f;
        const Vec2 start = moving.center;
        for (int k = 0; k < 300; ++k) {
            const Vec2 velocity = along * 5.0f - out * 5.0f;  // down to the ground, pressed to it
            test::slide(moving, velocity, step,
                        [&](const Shape& shape, Vec2 way) { return world.shape_cast(shape, way); });
        }
        if (dot(moving.center - start, along) < 24.5f) ++late;  // of 25
    }
    CHECK(late == 0);
}

TEST_CASE("a shape in the middle of a line or of a tile moves out of it either way") {
    const auto moves_out = [](const World& world, Vec2 middle, Vec2 way) {
        for (const Shape& shape : {Shape(Box{{0.5f, 0.75f}}), Shape(Box{{0.75f, 0.5f}}),
                                   Shape(RoundedBox{{0.25f, 0.5f}, 0.25f}), Shape(Circle{0.5f})}) {
            CHECK_FALSE(world.shape_cast(translate(shape, middle), way));
            CHECK_FALSE(world.shape_cast(translate(shape, middle), -way));
        }
    };
    const Vec2 ways[] = {{0.0f, 3.0f}, {3.0f, 0.0f}, {1.0f, 2.0f}, {-2.0f, 1.0f}};
    for (const Vec2 end : {Vec2{2.0f, 0.0f}, Vec2{0.0f, 2.0f}, Vec2{1.9f, 0.7f}}) {
        const Vec2 points[] = {end, {}, -end};
        for (const Outline& line : {Outline(Segment{points[0], points[2]}),
                                    Outline(Chain{.points = points, .is_two_sided = true})}) {
            World world;
            world.create_body({.type = BodyType::Static}, line);
            for (const Vec2 way : ways) moves_out(world, end * 0.25f, way);
        }
    }
    World world;
    TileMapRef map = test::add_tile_map(world);
    map.set({4, 2}, test::full);
    for (const Vec2 way : ways) moves_out(world, {4.5f, 2.5f}, way);
    map.set({4, 1}, test::full);
    map.set({4, 0}, test::full);
    moves_out(world, {4.5f, 1.5f}, {3.0f, 1.0f});
    map.set({5, 1}, test::full);
    CHECK(world.shape_cast(Circle{0.5f, {4.5f, 1.5f}}, {1.0f, 0.0f}).fraction == 0.0f);
    CHECK_FALSE(world.shape_cast(Circle{0.5f, {4.5f, 1.5f}}, {-1.0f, 0.0f}));
}

TEST_CASE("a shape whose middle is on ground with an inside leaves it outwards alone") {
    const Vec2 points[] = {{2.0f, 0.0f}, {-2.0f, 0.0f}};
    const Outline grounds[] = {Chain{points}, HalfSpace{{0.0f, 1.0f}, 0.0f},
                               Polygon{{-2.0f, -3.0f}, {2.0f, -3.0f}, {2.0f, 0.0f}, {-2.0f, 0.0f}}};
    for (const Outline& ground : grounds) {
        World world;
        world.create_body({.type = BodyType::Static}, ground);
        for (const Shape& shape : {Shape(Box{{0.5f, 0.75f}}), Shape(Circle{0.5f})}) {
            CHECK(world.shape_cast(shape, {0.5f, -1.0f}).fraction == 0.0f);
            CHECK_FALSE(world.shape_cast(shape, {0.5f, 1.0f}));
        }
    }
}

TEST_CASE("a shape in tiles is stopped at once on its way in, and free on its way out") {
    World world;
    TileMapRef map = test::add_tile_map(world);
    map.fill({{-20, -20}, {20, -1}}, test::full);
    map.set({0, 0}, test::rising_slope);
    for (const float y : {0.2f, 0.0f, -0.1f, -0.45f, -0.6f, -0.99f}) {
        const Circle ball{0.3f, {5.4f, y}};
        CHECK(world.shape_cast(ball, {0.1f, -1.0f}).fraction == 0.0f);
        CHECK(world.shape_cast(ball, {0.1f, -1.0f}).normal == up);
        CHECK_FALSE(world.shape_cast(ball, up));
        CHECK_FALSE(world.shape_cast(ball, {1.0f, 0.0f}));
    }
    for (const float y : {-1.1f, -2.0f, -5.0f, -7.5f}) {
        const QueryHit hit = world.shape_cast(Circle{0.3f, {5.4f, y}}, {0.0f, -1.0f});
        CHECK(hit.fraction == 0.0f);
        CHECK(hit.normal == up);
    }
    const Circle in_slope{0.05f, {0.6f, 0.4f}};
    CHECK(world.shape_cast(in_slope, {0.5f, -0.5f}).fraction == 0.0f);
    CHECK_FALSE(world.shape_cast(in_slope, {-0.5f, 0.5f}));
}

TEST_CASE("a shape that is as deep in tiles as what rests on them slides over their seams") {
    test::Random random;
    for (int i = 0; i < test::many / 2000; ++i) {
        World world;
        TileMapRef map = random_map(random, world);
        map.fill({{-50, -5}, {50, -1}}, test::full);
        const AABB tile = map.bounds({random.integer(-20, 20), -1});
        const float half = map.tile_size() * random.uniform(0.2f, 1.5f);
        const float depth = random.uniform(-1e-4f, 4e-4f) * map.tile_size();
        const Vec2 middle{tile.min.x - half + random.uniform(-1e-3f, 1e-3f) * map.tile_size(),
                          tile.max.y + half - depth};
        const Vec2 way{random.uniform(-9.0f, 9.0f) * map.tile_size(), 0.0f};
        CHECK_FALSE(world.shape_cast(Box{{half, half}, middle}, way));
        CHECK_FALSE(world.shape_cast(Circle{half, middle}, way));
    }
}

TEST_CASE("a shape meets one-way tiles on its way against their side alone, from in front of it") {
    World world;
    TileMapRef map = world.tile_map(world.create_tile_map());
    map.define(1, {.collider = {.one_way = OneWay::Up}});
    map.set({0, 0}, 1);
    for (float y = 0.5f; y < 1.48f; y += 0.05f) {
        const Circle ball{0.5f, {2.0f, y}};
        CHECK_FALSE(world.shape_cast(ball, {-4.0f, 0.4f}));
        CHECK_FALSE(world.shape_cast(ball, {-4.0f, 0.0f}));
        CHECK_FALSE(world.shape_cast(ball, {-4.0f, -0.001f}));
    }
    CHECK(world.shape_cast(Circle{0.5f, {2.0f, 2.0f}}, {-2.0f, -1.0f}));
    CHECK(world.shape_cast(Circle{0.5f, {0.5f, 1.5f}}, {0.0f, -1.0f}).fraction == 0.0f);
    CHECK_FALSE(world.shape_cast(Circle{0.5f, {0.5f, 1.4f}}, {0.0f, -1.0f}));
}

TEST_CASE("a shape that falls on the tip of one-way slopes meets it, as bodies do") {
    World world;
    TileMapRef map = test::add_tile_map(world);
    map.define('/', {.shape = {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}},
                     .collider = {.one_way = OneWay::Up}});
    map.define('`', {.shape = {{0.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 1.0f}},
                     .collider = {.one_way = OneWay::Up}});
    map.load(" /`\n");
    const float tip = map.bounds({1, 0}).max.x;
    for (const Shape& shape :
         {Shape(Box{{0.3f, 0.3f}}), Shape(Circle{0.3f}), Shape(Capsule{0.3f, 0.2f})}) {
        for (const float aside : {-0.02f, 0.0f, 0.01f}) {
            const float resting = 1.0f + outer_half_extents(shape).y;
            const Shape above = translate(shape, {tip + aside, resting + 0.02f});
            CHECK(world.shape_cast(above, {0.0f, -4.0f}));
            CHECK_FALSE(world.shape_cast(translate(above, {0.0f, -0.6f}), {0.0f, -4.0f}));
        }
    }
}

TEST_CASE("a flat ray past the end of terrain misses it far from the origin as near it") {
    for (const float away : {0.0f, 1'000.0f, 10'000.0f, 100'000.0f}) {
        CAPTURE(away);
        const Vec2 place{away, -away};
        World world;
        const BodyId map = world.create_tile_map({.position = place});
        world.tile_map(map).define(1);
        world.tile_map(map).set({0, 0}, 1);
        world.create_body({.type = BodyType::Static, .position = place + Vec2{0.0f, 4.0f}},
                          Polygon{AABB{{0.0f, 0.0f}, {1.0f, 1.0f}}});
        const Vec2 corners[] = {{1.0f, 1.0f}, {0.0f, 1.0f}};
        world.create_body({.type = BodyType::Static, .position = place + Vec2{0.0f, 8.0f}},
                          Chain{corners});
        for (const float height : {0.0f, 4.0f, 8.0f}) {
            const Vec2 way{-8.0f, -0.5f};
            const Vec2 start = place + Vec2{4.5f, height + 1.25f};  // comes down at x = 0.5
            CHECK(world.ray_cast(start, way));
            CHECK_FALSE(world.ray_cast(start - Vec2{0.625f, 0.0f}, way));  // at x = -0.125
        }
    }
}

TEST_CASE("no ray passes between the tiles of a map, however far out and large they are") {
    test::Random random;
    for (const float size : {0.3f, 0.7f, 1.0f, 1.1f, 24.1f}) {
        for (const std::int32_t first : {0, 1'000, 100'000}) {
            CAPTURE(size);
            CAPTURE(first);
            World world;
            TileMapRef map = world.tile_map(world.create_tile_map({.tile_size = size}));
            map.define(1);
            map.fill({{first, 0}, {first + 40, 1}}, 1);
            int passed = 0;
            for (int i = 0; i < test::many / 500; ++i) {
                const float seam = static_cast<float>(first + random.integer(1, 39)) * size;
                const Vec2 way{random.uniform(-4.0f, 4.0f) * size, -size};
                const Vec2 start = Vec2{seam, 2.0f * size} - way * 1.5f;
                passed += world.ray_cast(start, way * 3.0f) ? 0 : 1;
            }
            CHECK(passed == 0);
        }
    }
}

TEST_CASE("a ray along a ramp of tiles is held by what comes after the ramp, far out as well") {
    World world;
    TileMapRef map = world.tile_map(world.create_tile_map({.tile_size = 0.3f}));
    map.define(1);
    map.define(2, {.shape = {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 0.5f}, {0.0f, 0.25f}}});
    map.set({3021, 2033}, 2);
    map.set({3022, 2033}, 1);
    CHECK(world.ray_cast({906.195496f, 609.948914f}, {0.554540396f, 0.138610661f}));
}

}  // namespace cast_search_test

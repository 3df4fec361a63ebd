// SPDX-License-Identifier: MIT
// Is each impact told as a hit, once, with the point in which it was? SCENES [25]
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "support/random.hpp"

namespace hits_test {

using namespace phys2d;

namespace {

constexpr Material smooth(float restitution) {
    return {.restitution = restitution, .friction = 0.0f};
}

/// Adds a floor whose top is at y = 0, and which moves.
using AddFloor = void (*)(World& world, Vec2 velocity, const Material& material);

const AddFloor floors[] = {
    [](World& world, Vec2 velocity, const Material& material) {
        world.create_body(
            {.type = BodyType::Kinematic, .position = {0.0f, -1.0f}, .velocity = velocity},
            Box{{50.0f, 1.0f}}, material);
    },
    [](World& world, Vec2 velocity, const Material& material) {
        const Vec2 points[] = {{50.0f, 0.0f}, {-50.0f, 0.0f}};
        world.create_body({.type = BodyType::Kinematic, .velocity = velocity}, Chain{points},
                          material);
    },
    [](World& world, Vec2 velocity, const Material& material) {
        const BodyId body = world.create_tile_map({.type = BodyType::Kinematic});
        world.body(body).set_velocity(velocity);
        TileMapRef map = world.tile_map(body);
        map.define(1, {.material = material});
        map.fill({{-50, -1}, {50, -1}}, 1);
    },
};

std::vector<HitEvent> hits_in(World& world, int steps) {
    std::vector<HitEvent> hits;
    for (int i = 0; i < steps; ++i) {
        world.step();
        for (const HitEvent& hit : world.events().hits) hits.push_back(hit);
    }
    return hits;
}

}  // namespace

TEST_CASE("the point of a hit is where a ball or a box meets a floor, at rest or on its way") {
    const Vec2 velocities[] = {{0.0f, -60.0f}, {40.0f, -40.0f}, {-60.0f, -15.0f}, {12.0f, -7.0f}};
    const Vec2 floor_velocities[] = {{}, {3.0f, 0.0f}, {-2.0f, 4.0f}, {1.0f, -5.0f}};
    const Shape shapes[] = {Circle{0.25f}, Box{{0.4f, 0.25f}}, RoundedBox{{0.1f, 0.15f}, 0.1f}};
    for (const AddFloor add_floor : floors) {
        for (const float restitution : {0.0f, 0.5f, 1.0f}) {
            for (const Vec2 velocity : velocities) {
                for (const Vec2 floor_velocity : floor_velocities) {
                    for (const Shape& shape : shapes) {
                        World world({.gravity = {}});
                        add_floor(world, floor_velocity, smooth(restitution));
                        const Vec2 start{0.2f, 0.97f};
                        world.create_body({.position = start, .velocity = velocity}, shape,
                                          smooth(restitution));
                        const float time = (start.y - 0.25f) / (floor_velocity.y - velocity.y);
                        const std::vector<HitEvent> hits = hits_in(world, 40);
                        REQUIRE(!hits.empty());
                        const Vec2 met{start.x + velocity.x * time, floor_velocity.y * time};
                        const float since = std::ceil(time * 60.0f) / 60.0f - time;
                        CHECK(distance(hits[0].point, met + floor_velocity * since) < 1e-3f);
                    }
                }
            }
        }
    }
}

TEST_CASE("the point of a hit of two balls is where they meet, however they fly apart") {
    for (const float restitution : {0.0f, 0.5f, 1.0f}) {
        for (const float aside : {0.0f, 0.2f, 0.35f, 0.5f}) {
            for (const float mass : {0.05f, 1.0f, 60.0f}) {
                World world({.gravity = {}});
                world.create_body({.velocity = {90.0f, 3.0f}, .mass = 1.0f}, Circle{0.1f},
                                  smooth(restitution));
                world.create_body(
                    {.position = {10.0f, aside}, .velocity = {-20.0f, 3.0f}, .mass = mass},
                    Circle{0.5f}, smooth(restitution));
                const float ahead = std::sqrt(0.6f * 0.6f - aside * aside);
                const float time = (10.0f - ahead) / 110.0f;
                const Vec2 met = Vec2{90.0f, 3.0f} * time + Vec2{ahead, aside} * (0.1f / 0.6f);
                const std::vector<HitEvent> hits = hits_in(world, 20);
                REQUIRE(hits.size() == 1);
                CHECK(distance(hits[0].point, met) < 1e-3f);
            }
        }
    }
}

TEST_CASE("a ball that falls straight onto another is told to meet it squarely, to the bit") {
    for (const float height : {2.0f, 3.3f, 20.0f}) {
        World world;
        world.create_body({.type = BodyType::Static}, Circle{0.5f});
        world.create_body({.position = {0.0f, height}}, Circle{0.3f});
        std::vector<Vec2> normals;
        for (int i = 0; i < 200; ++i) {
            world.step();
            for (const HitEvent& hit : world.events().hits) normals.push_back(hit.normal);
            for (const ContactEvent& began : world.events().began) normals.push_back(began.normal);
        }
        REQUIRE(normals.size() == 2);
        CHECK(normals[0] == Vec2{0.0f, -1.0f});
        CHECK(normals[1] == Vec2{0.0f, -1.0f});
    }
}

TEST_CASE("what touches as it starts is hit where it touches") {
    for (const AddFloor add_floor : floors) {
        World world({.gravity = {}});
        add_floor(world, {}, smooth(1.0f));
        world.create_body({.position = {0.2f, 0.25f}, .velocity = {30.0f, -20.0f}}, Circle{0.25f},
                          smooth(1.0f));
        const std::vector<HitEvent> hits = hits_in(world, 5);
        REQUIRE(hits.size() == 1);
        CHECK(distance(hits[0].point, {0.2f, 0.0f}) < 1e-4f);
    }
}

TEST_CASE("a hit names the tile that was hit, which is at its point, also of a moving map") {
    for (const Vec2 velocity : {Vec2{}, Vec2{3.0f, -8.0f}}) {
        World world({.gravity = {}});
        const BodyId id = world.create_tile_map({.type = BodyType::Kinematic});
        world.body(id).set_velocity(velocity);
        TileMapRef map = world.tile_map(id);
        map.define(1, {.material = smooth(1.0f)});
        map.define(2,
                   {.shape = {{0.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 1.0f}}, .material = smooth(1.0f)});
        test::Random random;
        for (int x = -30; x <= 30; ++x) {
            for (int y = -30; y <= 30; ++y) {
                const bool is_border = x == -30 || x == 30 || y == -30 || y == 30;
                if (is_border || random.one_in(6)) map.set({x, y}, random.one_in(3) ? 2 : 1);
            }
        }
        for (int i = 0; i < test::many / 500; ++i) {
            const TileCoord tile{random.integer(-29, 29), random.integer(-29, 29)};
            if (map.at(tile) != 0) continue;
            const Vec2 center{static_cast<float>(tile.x) + 0.5f, static_cast<float>(tile.y) + 0.5f};
            world.create_body({.position = center, .velocity = random.point(30.0f)}, Circle{0.25f},
                              smooth(1.0f), {.filter = {.category = 2, .mask = 1}});
        }
        int hits = 0, wrong = 0;
        for (int step = 0; step < 30; ++step) {
            world.step();
            for (const HitEvent& hit : world.events().hits) {
                ++hits;
                const Vec2 behind = hit.point + hit.normal * 0.02f;
                const AABB tile = map.bounds(hit.tile);
                const bool is_there = distance(closest_point(tile, behind), behind) < 0.1f;
                const TileId kind = map.at(hit.tile);
                const bool is_hit = kind != 0 && map.collider(kind) == hit.collider_b;
                wrong += is_there && is_hit ? 0 : 1;
            }
        }
        CHECK(hits > test::many / 500);
        CHECK(wrong == 0);
    }
}

TEST_CASE(
    "a hit of a body that is deep in a map, or past the end of a side, names a tile of the side") {
    World world({.gravity = {}});
    const BodyId id = world.create_tile_map();
    TileMapRef map = world.tile_map(id);
    map.define(1);
    map.define(2);
    map.fill({{-20, -20}, {20, -2}}, 2);
    map.fill({{-20, -1}, {20, -1}}, 1);
    world.create_body({.position = {7.5f, 0.5f}, .velocity = {0.0f, -30.0f}}, Circle{6.0f});
    const std::vector<HitEvent> deep = hits_in(world, 1);
    REQUIRE(deep.size() == 1);
    CHECK(deep[0].collider_b == map.collider(1));
    CHECK(deep[0].tile == TileCoord{7, -1});
}

TEST_CASE("what hits a corner between kinds of tiles along one of its sides hits it there") {
    constexpr float tile = 0.05f;
    for (int i = 0; i <= 200; ++i) {
        World world({.gravity = {}});
        TileMapRef map = world.tile_map(world.create_tile_map({.tile_size = tile}));
        map.define(1);
        map.define(2, {.collider = {.one_way = OneWay::Down}});
        map.set({0, 0}, 1);
        map.set({0, 1}, 2);
        const Vec2 place{0.5f + static_cast<float>(i) * 0.005f, 1.5f};
        world.create_body({.position = place * tile, .velocity = Vec2{-43.5f, -30.0f} * tile},
                          Circle{0.22f * tile}, smooth(0.5f));
        for (const HitEvent& hit : hits_in(world, 5)) {
            CAPTURE(i);
            CHECK(distance(hit.point, Vec2{0.5f, 1.0f} * tile) < tile);
        }
    }
}

TEST_CASE("what leaves each other hits nothing, whether it touches or overlaps") {
    for (const AddFloor add_floor : floors) {
        for (const float depth : {0.0f, 0.001f, 0.02f}) {
            World world({.gravity = {}});
            add_floor(world, {}, smooth(0.5f));
            const Vec2 start{0.0f, 0.25f - depth};
            world.create_body({.position = start, .velocity = {0.0f, 30.0f}}, Circle{0.25f});
            CHECK(hits_in(world, 5).empty());
        }
    }
    World world({.gravity = {}});  // four pieces of a crate fly apart
    for (const Vec2 out : {Vec2{1.0f, 1.0f}, {-1.0f, 1.0f}, {1.0f, -1.0f}, {-1.0f, -1.0f}}) {
        world.create_body({.position = out * 0.25f, .velocity = out * 5.0f}, Box{{0.25f, 0.25f}});
    }
    CHECK(hits_in(world, 5).empty());
}

namespace {

/// Adds walls with their sides at x = 0 and x = 1, which look at each other.
using AddWalls = void (*)(World& world);

const AddWalls corridors[] = {
    [](World& world) {
        TileMapRef map = world.tile_map(world.create_tile_map());
        map.define(1, {.material = smooth(1.0f)});
        map.fill({{-1, -5}, {-1, 5}}, 1);
        map.fill({{1, -5}, {1, 5}}, 1);
    },
    [](World& world) {
        const Vec2 loop[] = {{0.0f, -5.0f}, {0.0f, 5.0f}, {1.0f, 5.0f}, {1.0f, -5.0f}};
        world.create_body({.type = BodyType::Static}, Chain{loop, true}, smooth(1.0f));
    },
};

/// Beginnings less ends, and how often the one or the other came out of turn.
struct Book {
    int open = 0;
    int wrong = 0;

    void keep(const Events& events) {
        for (std::size_t i = 0; i < events.ended.size(); ++i) wrong += --open != 0 ? 1 : 0;
        for (std::size_t i = 0; i < events.began.size(); ++i) wrong += ++open != 1 ? 1 : 0;
    }
};

}  // namespace

TEST_CASE("a ball between two walls of one terrain hits as often as it bounces") {
    for (const AddWalls add_walls : corridors) {
        for (const float speed : {6.0f, 15.0f, 25.0f, 29.0f, 33.0f}) {
            for (const float rise : {0.0f, 0.3f}) {
                World world({.gravity = {}});
                add_walls(world);
                const BodyId ball =
                    world.create_body({.position = {0.5f, -2.0f}, .velocity = {speed, rise}},
                                      Circle{0.2f}, smooth(1.0f));
                Book book;
                int bounces = 0, hits = 0;
                float before = speed;
                for (int i = 0; i < 600; ++i) {
                    world.step();
                    const float now = world.body(ball).velocity().x;
                    bounces += now * before < 0.0f ? 1 : 0;
                    before = now;
                    for (const HitEvent& hit : world.events().hits) {
                        ++hits;
                        CHECK(std::fabs(hit.point.x - 0.5f) == doctest::Approx(0.5f));
                        CHECK(hit.normal.x == (hit.point.x > 0.5f ? 1.0f : -1.0f));
                    }
                    book.keep(world.events());
                }
                CHECK(bounces > 90);
                CHECK(hits == bounces);
                CHECK(book.wrong == 0);
            }
        }
    }
}

TEST_CASE("a ball between two walls hits each in its turn, at any speed") {
    test::Random random;
    int bounces = 0, wrong = 0;
    for (int i = 0; i < test::many / 2'500; ++i) {
        World world({.gravity = {}});
        const float radius = random.uniform(0.2f, 0.35f);
        corridors[i % 2](world);
        world.create_body({.position = {random.uniform(0.36f, 0.64f), -2.0f},
                           .velocity = {random.uniform(10.0f, 60.0f), random.uniform(-1.0f, 1.0f)}},
                          Circle{radius}, smooth(1.0f));
        Vec2 last{};
        for (const HitEvent& hit : hits_in(world, 60)) {
            ++bounces;
            wrong += hit.normal == -last || last == Vec2{} ? 0 : 1;
            last = hit.normal;
        }
    }
    CHECK(bounces > test::many / 250);
    CHECK(wrong == 0);
}

TEST_CASE("a ball in a room whose walls are chains of several pieces hits as often as it bounces") {
    constexpr float half = 5.0f;
    constexpr int pieces = 5;  // per wall
    const Vec2 corners[] = {{-half, half}, {half, half}, {half, -half}, {-half, -half}};
    std::vector<Vec2> points;
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < pieces; ++k) {
            points.push_back(lerp(corners[i], corners[(i + 1) % 4],
                                  static_cast<float>(k) / static_cast<float>(pieces)));
        }
    }
    Chain room{points};
    room.is_loop = true;
    for (const float speed : {40.0f, 60.0f, 120.0f, 250.0f}) {
        for (const float radius : {0.05f, 0.2f, 0.467f}) {
            World world({.gravity = {}});
            world.create_body({.type = BodyType::Static}, room, smooth(1.0f));
            const BodyId ball = world.create_body(
                {.position = {1.0f, 2.0f}, .velocity = Vec2{0.35f, 0.937f} * speed}, Circle{radius},
                smooth(1.0f));
            int bounces = 0, hits = 0;
            for (int step = 0; step < 500; ++step) {
                const Vec2 before = world.body(ball).velocity();
                world.step();
                const Vec2 after = world.body(ball).velocity();
                bounces +=
                    (before.x * after.x < 0.0f ? 1 : 0) + (before.y * after.y < 0.0f ? 1 : 0);
                hits += static_cast<int>(world.events().hits.size());
            }
            CHECK(bounces > 20);
            CHECK(hits == bounces);
        }
    }
}

TEST_CASE("a ball between tiles hits one in each step in which it bounces") {
    World world({.gravity = {}});
    TileMapRef map = world.tile_map(world.create_tile_map());
    map.define(1, {.material = smooth(1.0f)});
    for (int x = -2; x <= 6; x += 2) {
        map.set({x, -1}, 1);
        map.set({x, 2}, 1);
    }
    const BodyId ball =
        world.create_body({.position = {1.35058f, 0.8589f}, .velocity = {29.5469f, 24.6167f}},
                          Circle{0.785162f}, smooth(1.0f));
    for (int i = 0; i < 4; ++i) {
        const Vec2 before = world.body(ball).velocity();
        const bool is_hit = !hits_in(world, 1).empty();
        REQUIRE(distance(world.body(ball).velocity(), before) > 20.0f);
        CHECK(is_hit);
    }
}

TEST_CASE("a wall that is hit again after a step away from it tells both hits") {
    for (const AddWalls add_walls : corridors) {
        World world({.gravity = {}});
        add_walls(world);
        const BodyId ball = world.create_body(
            {.position = {0.79f, 0.0f}, .velocity = {30.0f, 0.0f}}, Circle{0.2f}, smooth(1.0f));
        std::vector<HitEvent> hits = hits_in(world, 1);
        REQUIRE(world.body(ball).velocity().x < 0.0f);
        REQUIRE(world.body(ball).position().x < 0.7f);
        world.body(ball).set_velocity({30.0f, 0.0f});
        for (const HitEvent& hit : hits_in(world, 1)) hits.push_back(hit);
        REQUIRE(hits.size() == 2);
        CHECK(hits[0].normal == hits[1].normal);
        CHECK(hits[1].approach_speed == doctest::Approx(30.0f));
    }
}

TEST_CASE("what runs around inside a ring at 20 m/s hits nothing on its way") {
    constexpr int corners = 72;
    constexpr float radius = 10.0f;
    Vec2 ring[corners];
    for (int i = 0; i < corners; ++i) {
        const float angle = -6.2831853f * (static_cast<float>(i) + 0.5f) / corners;
        ring[i] = Vec2{std::cos(angle), std::sin(angle)} * radius;
    }
    World world({.gravity = {}});
    world.create_body({.type = BodyType::Static}, Chain{ring, true}, smooth(0.0f));
    const float height = radius * std::cos(3.1415927f / corners) - 0.5f;
    const BodyId ball =
        world.create_body({.position = {0.0f, -height}}, Circle{0.5f}, smooth(0.0f));
    float way = 0.0f;
    int hits = 0;
    for (int i = 0; i < 300; ++i) {
        const Vec2 place = world.body(ball).position();
        const Vec2 ahead = perpendicular(normalized(place));
        world.body(ball).set_velocity(ahead * 20.0f);
        world.step();
        way += distance(world.body(ball).position(), place);
        hits += static_cast<int>(world.events().hits.size());
    }
    CHECK(way > 90.0f);
    CHECK(std::fabs(length(world.body(ball).position()) - height) < 0.1f);
    CHECK(hits <= 1);
}

TEST_CASE("a lower step of a stair is hit by what has just left the one above it") {
    World world({.gravity = {}});
    TileMapRef map = world.tile_map(world.create_tile_map({.tile_size = 0.5f}));
    map.define(1, {.material = smooth(0.0f)});
    map.fill({{-9, -9}, {-1, -1}}, 1);
    map.fill({{0, -9}, {9, -2}}, 1);
    const BodyId ball = world.create_body({.position = {-0.3f, 0.21f}, .velocity = {0.0f, -5.0f}},
                                          Circle{0.2f}, smooth(0.0f));
    REQUIRE(hits_in(world, 1).size() == 1);
    world.body(ball).set_velocity({36.0f, 0.0f});
    REQUIRE(hits_in(world, 1).empty());
    world.body(ball).set_velocity({0.0f, -60.0f});
    const std::vector<HitEvent> hits = hits_in(world, 1);
    REQUIRE(hits.size() == 1);
    CHECK(distance(hits[0].point, {0.3f, -0.5f}) < 1e-3f);
}

namespace {

/// Whether a ball that touched a wall of a terrain hits the floor of the same, when it is put a
/// hair above it and falls. Spectators see to it that not all pairs are found again.
bool hits_floor_after_wall(World& world, bool is_changed) {
    for (int i = 0; i < 30; ++i) {
        world.create_body({.position = {1000.0f + 3.0f * static_cast<float>(i), 0.0f}},
                          Circle{0.3f});
    }
    const BodyId ball = world.create_body({.position = {1.3f, 4.0f}, .velocity = {-1.0f, 0.0f}},
                                          Circle{0.3f}, {.friction = 0.0f});
    for (int i = 0; i < 20; ++i) world.step();
    world.body(ball).teleport({6.0f, 1.305f});
    world.body(ball).set_velocity({0.0f, -5.0f});
    if (is_changed) world.body(ball).set_filter({});
    world.step();
    return world.events().hits.size() == 1;
}

}  // namespace

TEST_CASE(
    "a ball that is put from a wall to the floor of one terrain hits the floor, changed or not") {
    for (const bool is_changed : {false, true}) {
        CAPTURE(is_changed);
        World chains({.gravity = {}});
        constexpr Vec2 corner[] = {{20.0f, 1.0f}, {1.0f, 1.0f}, {1.0f, 8.0f}};
        chains.create_body({.type = BodyType::Static}, Chain{corner});
        CHECK(hits_floor_after_wall(chains, is_changed));
        World tiles({.gravity = {}});
        TileMapRef map = tiles.tile_map(tiles.create_tile_map());
        map.define(1);
        map.fill({{0, 0}, {12, 0}}, 1);
        map.fill({{0, 1}, {0, 8}}, 1);
        CHECK(hits_floor_after_wall(tiles, is_changed));
    }
}

TEST_CASE("a body that another one drives against a wall hits it where it is driven to") {
    test::Random random;
    const Material slippery{.restitution = 0.5f, .friction = 0.0f};
    float furthest = 0.0f;
    int hits = 0;
    for (int run = 0; run < 2'000; ++run) {
        World world({.gravity = {}});
        const BodyId wall = world.create_body({.type = BodyType::Static, .position = {1.0f, 0.0f}},
                                              Box{{1.0f, 50.0f}}, slippery);
        const Vec2 place{-0.2f - random.uniform(0.001f, 0.015f), 0.0f};
        const BodyId ball = world.create_body({.position = place}, Circle{0.2f}, slippery);
        const Vec2 behind{-0.4f - random.uniform(0.001f, 0.1f), random.uniform(-0.3f, 0.3f)};
        const Vec2 velocity{random.uniform(1.0f, 30.0f), random.uniform(-20.0f, 20.0f)};
        world.create_body({.position = place + behind, .velocity = velocity}, Circle{0.2f},
                          {.restitution = 0.5f, .friction = 0.0f, .density = 50.0f});
        world.step();
        for (const HitEvent& hit : world.events().hits) {
            if (hit.a != wall && hit.b != wall) continue;
            if (hit.a != ball && hit.b != ball) continue;
            furthest = max(furthest, abs(hit.point.y - world.body(ball).position().y));
            ++hits;
        }
    }
    CHECK(hits > 100);
    CHECK(furthest < 0.2f);  // its radius
}

}  // namespace hits_test

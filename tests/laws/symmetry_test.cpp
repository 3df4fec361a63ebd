// SPDX-License-Identifier: MIT
// Does a mirrored world go the mirrored way, and a world in other units the same way? SCENES [21]
// Rounding is symmetric, so a mirror image is exact as long as one contact acts at a time. Several
// are solved in an order that the mirror turns round, and what they agree on is only close.
// A scale by a power of two is exact whatever happens, because it changes exponents only.
#include <array>
#include <initializer_list>
#include <vector>

#include <doctest/doctest.h>

#include <scenes/scenes.hpp>

#include "../support/landscape.hpp"
#include "../support/movers.hpp"
#include "../support/playground.hpp"
#include "../support/random.hpp"
#include "../support/tiles.hpp"
#include "measure.hpp"

namespace symmetry_test {

using namespace phys2d;

namespace {

scenes::Scene mirrored(scenes::Scene scene, Vec2 mirror) {
    scene.config.gravity = scene.config.gravity * mirror;
    for (scenes::SceneBody& body : scene.bodies) {
        body.def.position = body.def.position * mirror;
        body.def.velocity = body.def.velocity * mirror;
        body.shape.center = body.shape.center * mirror;
    }
    return scene;
}

/// The same scene in units of 1/scale m. Densities stay: masses go with the square, all alike.
scenes::Scene scaled(scenes::Scene scene, float scale) {
    scene.config.length_unit = mul(scene.config.length_unit, scale);
    scene.config.gravity *= scale;
    for (scenes::SceneBody& body : scene.bodies) {
        body.def.position *= scale;
        body.def.velocity *= scale;
        body.shape.center *= scale;
        body.shape.half_extents *= scale;
        body.shape.radius = mul(body.shape.radius, scale);
    }
    return scene;
}

/// Largest distance between a body of one world and the image of its twin in the other [m].
double worst_difference(const World& image, const World& original, Vec2 factor) {
    double worst = 0.0;
    for (std::size_t i = 0; i < original.ids().size(); ++i) {
        const Vec2 twin = original.body(image.ids()[i]).position() * factor;
        worst = std::fmax(worst, test::speed(image.positions()[i] - twin));
    }
    return worst;
}

/// Whether each body of `image` is the exact image of its twin, velocities included.
bool is_image(const World& image, const World& original, Vec2 factor) {
    bool same = true;
    for (std::size_t i = 0; i < original.ids().size(); ++i) {
        const ConstBodyRef twin = original.body(image.ids()[i]);
        same = same && image.positions()[i] == twin.position() * factor &&
               image.velocities()[i] == twin.velocity() * factor;
    }
    return same;
}

std::array<std::size_t, 8> counts_of(const Events& events) {
    return {events.began.size(),   events.ended.size(),        events.hits.size(),
            events.crushed.size(), events.sensor_began.size(), events.sensor_ended.size(),
            events.woke.size(),    events.fell_asleep.size()};
}

/// Bodies that meet one thing at a time: bounces, slides on the floor, round bumps and corners.
scenes::Scene solo_runs() {
    scenes::Scene scene;
    const Material lively{.restitution = 0.6f, .friction = 0.3f};
    for (int i = 0; i < 8; ++i) {
        const float x = 40.0f * static_cast<float>(i);
        scene.add_static({x, -1.0f}, {4.0f, 1.0f}, lively);
        const Vec2 start{x - 0.7f, 3.0f + 0.3f * static_cast<float>(i)};
        const Vec2 velocity{0.37f * static_cast<float>(i), -1.0f};
        if (i % 2 == 0) scene.add(start, Circle{0.4f}, lively, velocity);
        if (i % 2 == 1) scene.add(start, Box{{0.3f, 0.4f}}, lively, velocity);
        scene.bodies.push_back(
            {{.type = BodyType::Static, .position = {x, -20.0f}}, Circle{3.0f}, lively});
        scene.add({x + 0.1f * static_cast<float>(i + 1), -15.0f}, Circle{0.5f}, lively);
    }
    return scene;
}

/// Bodies in a room, some of them driven fast among the others: many are stopped again and again in
/// one step.
scenes::Scene commotion(std::uint64_t seed) {
    scenes::Scene scene;
    scene.config.gravity = {0.0f, -10.0f};
    scene.add_static({0.0f, -1.0f}, {8.0f, 1.0f});
    scene.add_static({-7.0f, 8.0f}, {1.0f, 10.0f});
    scene.add_static({7.0f, 8.0f}, {1.0f, 10.0f});
    test::Random random(seed * test::Random::default_seed);
    for (int i = 0; i < 120; ++i) {
        const bool is_driven = i % 7 == 0;
        const Vec2 place{random.uniform(-6.0f, 6.0f), random.uniform(0.0f, 8.0f)};
        const Vec2 velocity = random.point(is_driven && i % 2 == 1 ? 120.0f : 2.0f);
        const Vec2 half{random.uniform(0.1f, 0.6f), random.uniform(0.1f, 0.6f)};
        const Shape shape = i % 2 == 1 ? Shape(Circle{half.x}) : Shape(RoundedBox{half, 0.1f});
        scene.add(place, shape, {}, velocity);
        if (is_driven) scene.bodies.back().def.type = BodyType::Kinematic;
    }
    return scene;
}

}  // namespace

TEST_CASE("mirrored in x, y or both, bodies that meet one thing at a time go the mirrored way") {
    for (const Vec2 mirror : {Vec2{-1.0f, 1.0f}, Vec2{1.0f, -1.0f}, Vec2{-1.0f, -1.0f}}) {
        World original = scenes::build(solo_runs());
        World image = scenes::build(mirrored(solo_runs(), mirror));
        bool exact = true;
        for (int i = 0; i < 400; ++i) {
            original.step();
            image.step();
            exact = exact && is_image(image, original, mirror);
        }
        CHECK(exact);
        CHECK(original.stats().contacts > 0);
    }
}

namespace {

/// Rooms of the same random tiles, one the mirror image of the other at x = 0.
struct MirroredRooms {
    static constexpr int side = 12;
    static constexpr Vec2 flip{-1.0f, 1.0f};
    World world{{.gravity = {0.0f, -10.0f}}};
    World image{{.gravity = {0.0f, -10.0f}}};
    std::vector<BodyId> bodies;  // in both

    explicit MirroredRooms(test::Random& random) {
        TileMapRef map = add_room(world, false);
        TileMapRef twin = add_room(image, true);
        for (int i = 0; i < 25; ++i) {
            const TileCoord tile{random.integer(0, side - 1), random.integer(0, side - 1)};
            const auto id = static_cast<TileId>(random.integer(1, test::tile_kinds));
            map.set(tile, id);
            twin.set({side - 1 - tile.x, tile.y}, id);
        }
    }
    /// Bodies that meet nothing but tiles.
    void throw_bodies(test::Random& random, int count) {
        for (int i = 0; i < count; ++i) {
            const Shape shape = test::random_mover(random, random.uniform(0.05f, 0.45f));
            const Vec2 place{random.uniform(-6.0f, 6.0f), random.uniform(0.0f, 12.0f)};
            const Vec2 velocity = random.direction() * random.log_uniform(1.0f, 20.0f);
            const ColliderDef apart{.filter = {.group = -1}};
            bool is_free = true;
            world.for_each_overlap(translate(shape, place), [&](BodyId) { is_free = false; });
            if (!is_free) continue;
            bodies.push_back(
                world.create_body({.position = place, .velocity = velocity}, shape, {}, apart));
            image.create_body({.position = place * flip, .velocity = velocity * flip}, shape, {},
                              apart);
        }
    }

private:
    /// The mirror image of a tile, its vertices counter-clockwise again.
    static Polygon flipped(const Polygon& tile) {
        std::array<Vec2, 8> vertices;
        const std::size_t count = tile.size();
        for (std::size_t i = 0; i < count; ++i) {
            vertices[count - 1 - i] = Vec2{1.0f, 0.0f} + tile.vertex(i) * flip;
        }
        return Polygon(Span<const Vec2>(vertices.data(), count));
    }
    static TileMapRef add_room(World& world, bool is_image) {
        TileMapRef map = world.tile_map(world.create_tile_map({.position = {-6.0f, 0.0f}}));
        for (TileId id = 1; id <= test::tile_kinds; ++id) {
            const Polygon& tile = test::tile_shapes[id];
            map.define(id, {.shape = is_image ? flipped(tile) : tile});
        }
        map.fill({{-1, -1}, {side, side}}, test::full);
        map.fill({{0, 0}, {side - 1, side - 1}}, 0);
        return map;
    }
};

}  // namespace

TEST_CASE("of bodies thrown among slopes and steps 99 in 100 go the way of their mirror images") {
    test::Random random;
    int parted = 0, all = 0;
    for (int i = 0; i < test::many / 10'000; ++i) {
        MirroredRooms rooms(random);
        rooms.throw_bodies(random, 40);
        for (int step = 0; step < 150; ++step) rooms.world.step(), rooms.image.step();
        for (const BodyId body : rooms.bodies) {
            const Vec2 twin = rooms.image.body(body).position() * MirroredRooms::flip;
            parted += distance(rooms.world.body(body).position(), twin) > 1e-3f ? 1 : 0;
            ++all;
        }
    }
    CHECK(all > test::many / 500);
    CHECK(parted <= all / 100);  // where two slopes meet the order in which they are solved counts
}

TEST_CASE("a mirrored pyramid settles into the mirrored places within the slop") {
    World original = scenes::build(scenes::pyramid(10));
    World image = scenes::build(mirrored(scenes::pyramid(10), {-1.0f, 1.0f}));
    test::run(original, 200);
    test::run(image, 200);
    CHECK(worst_difference(image, original, {-1.0f, 1.0f}) < 0.005);
}

TEST_CASE("a mirrored gas keeps the mirrored momentum and the same energy while walls are far") {
    scenes::Scene scene = scenes::gas(200);
    scene.bodies.erase(scene.bodies.begin(), scene.bodies.begin() + 4);  // the walls
    World original = scenes::build(scene);
    World image = scenes::build(mirrored(scene, {-1.0f, 1.0f}));
    test::run(original, 100);
    test::run(image, 100);
    const test::Momentum one = test::momentum(original), other = test::momentum(image);
    CHECK(std::fabs(one.x + other.x) <= 2e-6 * one.scale);  // as in the law of momentum
    CHECK(std::fabs(one.y - other.y) <= 2e-6 * one.scale);
    CHECK(test::kinetic_energy(image) ==
          doctest::Approx(test::kinetic_energy(original)).epsilon(0.01));
}

TEST_CASE("in units of 1/128 or 128 m every scene goes the same way to the last bit") {
    for (const scenes::Scene& scene : {scenes::pile(200), scenes::gas(200), scenes::pyramid(8)}) {
        for (const float scale : {1.0f / 128.0f, 128.0f}) {
            CAPTURE(scene.name);
            CAPTURE(scale);
            World original = scenes::build(scene);
            World image = scenes::build(scaled(scene, scale));
            test::run(original, 200);
            test::run(image, 200);
            CHECK(is_image(image, original, {scale, scale}));
        }
    }
}

TEST_CASE("in units of 1/128 or 128 m a world that uses everything goes the same way to the bit") {
    for (const float unit : {1.0f / 128.0f, 128.0f}) {
        CAPTURE(unit);
        test::Playground here;
        test::Playground there(unit);
        World original = here.begin();
        World image = there.begin();
        std::size_t told[8] = {};
        for (int i = 0; i < 600; ++i) {
            here.before_step(original);
            there.before_step(image);
            original.step();
            image.step();
            const std::array<std::size_t, 8> counts = counts_of(original.events());
            CHECK(counts == counts_of(image.events()));
            for (std::size_t k = 0; k < counts.size(); ++k) told[k] += counts[k];
        }
        CHECK(is_image(image, original, {unit, unit}));
        for (const std::size_t count : told) CHECK(count > 0);
    }
}

TEST_CASE("in units of 1/128 or 128 m a world of terrain goes the same way to the bit") {
    for (const float unit : {1.0f / 128.0f, 128.0f}) {
        CAPTURE(unit);
        test::Landscape here;
        test::Landscape there(unit);
        World original = here.begin();
        World image = there.begin();
        int differ = 0;
        for (int i = 0; i < 600; ++i) {
            here.before_step(original);
            there.before_step(image);
            original.step();
            image.step();
            if (counts_of(original.events()) != counts_of(image.events())) ++differ;
        }
        CHECK(is_image(image, original, {unit, unit}));
        CHECK(differ == 0);
    }
}

TEST_CASE("in units of 1/128 or 128 m bodies that are stopped over and over go the same way") {
    for (std::uint64_t seed = 1; seed <= test::many / 10'000; ++seed) {
        const scenes::Scene scene = commotion(seed);
        World original = scenes::build(scene);
        test::run(original, 8);
        for (const float unit : {1.0f / 128.0f, 128.0f}) {
            World image = scenes::build(scaled(scene, unit));
            test::run(image, 8);
            CAPTURE(seed);
            CAPTURE(unit);
            CHECK(is_image(image, original, {unit, unit}));
        }
    }
}

TEST_CASE("at 100 or 1/100 units a metre the path is the same up to scale within rounding") {
    for (const float scale : {0.01f, 100.0f}) {
        World original = scenes::build(solo_runs());
        World image = scenes::build(scaled(solo_runs(), scale));
        double worst = 0.0;
        for (int i = 0; i < 200; ++i) {
            original.step();
            image.step();
            worst = std::fmax(worst, worst_difference(image, original, {scale, scale}));
        }
        // coordinates of 300 m are rounded to 1.5e-5 m; a bounce multiplies what has come together
        CHECK(worst < 2e-2 * double{scale});
    }
}

TEST_CASE("at 100 or 1/100 units a metre a stack settles in the same places") {
    for (const float scale : {0.01f, 100.0f}) {
        World original = scenes::build(scenes::pyramid(10));
        World image = scenes::build(scaled(scenes::pyramid(10), scale));
        test::run(original, 300);
        test::run(image, 300);
        CHECK(worst_difference(image, original, {scale, scale}) < 1e-4 * double{scale});
    }
}

}  // namespace symmetry_test

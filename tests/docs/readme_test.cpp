// SPDX-License-Identifier: MIT
// Does the code in README.md compile and do what the page says?
#include <cstddef>
#include <vector>

#include <doctest/doctest.h>
#include <phys2d/phys2d.hpp>

namespace readme_test {

using namespace phys2d;

TEST_CASE("the world of the README drops a ball that bounces") {
    const double frame_seconds = 1.0 / 50.0;

    World world({.gravity = {0.0f, -9.81f}});  // 60 steps a second
    world.create_body({.type = BodyType::Static}, Box{{50.0f, 1.0f}}, {.restitution = 1.0f});
    BodyId ball =
        world.create_body({.position = {0.0f, 10.0f}}, Circle{0.5f}, {.restitution = 0.6f});

    world.step();                                // exactly one fixed step
    float alpha = world.advance(frame_seconds);  // or: the steps due in a frame
    Vec2 drawn = world.body(ball).interpolated_position(alpha);

    CHECK(world.step_count() == 2);
    CHECK(drawn.y < 10.0f);
    CHECK(drawn.y > world.body(ball).position().y);

    bool has_risen = false;
    for (int i = 0; i < 120; ++i) {
        world.step();
        has_risen = has_risen || world.body(ball).velocity().y > 7.0f;
    }
    CHECK(has_risen);  // falls 8.5 m to the slab's top and leaves it with 0.6 of 12.9 m/s
}

TEST_CASE("the functions of the README push a ball out of the ground and stop it") {
    BodyState ball{.position = {0.0f, 0.4f}, .velocity = {1.0f, -2.0f}, .inverse_mass = 1.0f};
    BodyState ground{};

    Manifold contact = collide(Circle{0.5f, {0.0f, 0.4f}}, AABB{{-5.0f, -1.0f}, {5.0f, 0.0f}});
    if (contact) {
        float push = resolve_collision(ball, ground, contact);
        resolve_friction(ball, ground, contact, push);
        correct_positions(ball, ground, contact);
    }

    CHECK(contact.normal == Vec2{0.0f, -1.0f});
    CHECK(ball.velocity.y == 0.0f);
    CHECK(ball.velocity.x == doctest::Approx(0.0));  // 0.6 * 2 N s of friction stop 1 m/s
    CHECK(ball.position.y > 0.4f);
}

TEST_CASE("the sensor and the ray of the README see what is there") {
    World world({.gravity = {0.0f, 0.0f}});
    const BodyId ball =
        world.create_body({.position = {-5.0f, 1.0f}, .velocity = {60.0f, 0.0f}}, Circle{0.5f});
    const Vec2 eye = {-5.0f, 1.0f};
    Vec2 aim;
    const auto aim_at = [&](Vec2 point) { aim = point; };

    constexpr std::uint64_t heroes = 1;
    BodyId coin =
        world.create_body({.type = BodyType::Static, .position = {3.0f, 1.0f}}, Circle{0.3f}, {},
                          {.filter = {.mask = heroes}, .is_sensor = true});
    const BodyId wall =
        world.create_body({.type = BodyType::Static, .position = {9.0f, 1.0f}}, Box{{1.0f, 1.0f}});
    for (int i = 0; i < 12; ++i) {
        world.step();
        for (const SensorEvent& event : world.events().sensor_began) {
            if (event.sensor == coin && world.contains(coin))
                world.destroy_body(coin);  // safe here
        }
    }
    if (QueryHit hit = world.ray_cast(eye, {20.0f, 0.0f}, {.except = ball})) aim_at(hit.point);

    CHECK_FALSE(world.contains(coin));
    CHECK(aim == Vec2{8.0f, 1.0f});
    CHECK(world.contains(wall));
}

namespace {

struct OneByOne {
    void operator()(int count, auto&& task) const {
        for (int i = 0; i < count; ++i) task(i);
    }
};

}  // namespace

TEST_CASE("the executor of the README gives the same bits as none") {
    World world({.gravity = {0.0f, -9.81f}});
    world.create_body({.velocity = {1.0f, 2.0f}}, Circle{0.5f});
    World other = world;
    world.step(OneByOne{});
    other.step();
    CHECK(world.state_hash() == other.state_hash());
}

TEST_CASE("the lift of the README takes a hero along, lets it drop, and its feet feel the ground") {
    World world({.gravity = {0.0f, -9.81f}});
    const BodyId ground =
        world.create_body({.type = BodyType::Static, .position = {0.0f, -5.5f}}, Box{{5.0f, 0.5f}});
    const BodyId hero = world.create_body({.position = {0.0f, 0.75f}}, Capsule{0.25f, 0.4f});

    BodyId lift = world.create_body({.type = BodyType::Kinematic}, Box{{2.0f, 0.1f}}, {},
                                    {.one_way = OneWay::Up});
    const auto path = [](float seconds) { return Vec2{seconds, seconds * seconds}; };
    for (int i = 0; i < 30; ++i) world.step();
    for (int i = 1; i <= 60; ++i) {
        const float seconds = static_cast<float>(i) / 60.0f;
        world.body(lift).move_to(path(seconds));
        world.step();
        CHECK(world.body(lift).position() == path(seconds));
        CHECK(world.body(hero).position().x == doctest::Approx(seconds).epsilon(1e-4));
        CHECK(world.body(hero).position().y ==
              doctest::Approx(seconds * seconds + 0.75).epsilon(0.01));
    }
    for (int i = 0; i < 120; ++i) world.step();
    world.body(hero).drop_through();
    world.add_collider(hero, Box{{0.2f, 0.1f}, {0.0f, -0.6f}}, {}, {.is_sensor = true});
    for (int i = 0; i < 150; ++i) world.step();
    CHECK(world.body(hero).position().y < -4.0f);
    BodyId felt;
    world.for_each_visitor(hero, [&](BodyId visitor) { felt = visitor; });
    CHECK(felt == ground);
}

TEST_CASE("the level of the README is walked on, its water felt, and its coin taken") {
    World world({.gravity = {0.0f, -9.81f}});
    const float dt = world.config().time_step;
    const double frame_seconds = 1.0 / 60.0;
    Vec2 velocity{};
    bool jump = false;

    BodyId level = world.create_tile_map();
    TileMapRef tiles = world.tile_map(level);
    tiles.define('#');
    tiles.define('/', {.shape = {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}}});
    tiles.define('~', {.collider = {.is_sensor = true}});
    tiles.load(
        "#      ~~ #\n"
        "#  /###~~##\n");
    const Vec2 hills[] = {{40.0f, 0.0f}, {30.0f, 1.0f}, {20.0f, 0.0f}};  // from right to left
    world.create_body({.type = BodyType::Static}, Chain{hills});

    Mover walker{.shape = Capsule{0.5f, 0.3f}, .position = {2.0f, 3.0f}};
    float furthest = 0.0f;
    float highest = 0.0f;
    world.create_body({.position = {7.5f, 3.0f}}, Circle{0.3f});
    const BodyId coin = world.create_body({.type = BodyType::Static, .position = {5.0f, 1.5f}},
                                          Circle{0.3f}, {}, {.is_sensor = true});
    std::size_t splashes = 0;
    for (int i = 0; i < 120; ++i) {
        float alpha = world.advance(frame_seconds, {}, [&] {  // after each step
            velocity = move(world, walker, {3.0f, velocity.y - 9.81f * dt}, dt);
            if (walker.ground.is_grounded) velocity.y = jump ? 6.0f : 0.0f;
            const auto touch = [&](BodyId body) {
                if (body == coin) world.destroy_body(coin);
            };
            world.for_each_overlap(translate(walker.shape, walker.position), touch,
                                   {.sensors = true});
        });
        CHECK(world.contains(coin) == (walker.position.x < 4.4f));
        Vec2 drawn = walker.interpolated_position(alpha);
        CHECK(distance(drawn, walker.position) < 0.2f);
        splashes += world.events().sensor_began.size();
        furthest = max(furthest, walker.position.x);
        if (walker.position.x < 7.0f) highest = walker.position.y;
    }
    CHECK(furthest > 7.0f);
    CHECK(highest == doctest::Approx(1.8).epsilon(0.01));  // on the plateau
    CHECK(splashes == 1);
}

TEST_CASE("the pixels of the README fall and are stood on as metres are") {
    World pixels({.gravity = {0.0f, -980.0f}, .length_unit = 100.0f});
    Mover knight = scaled({.shape = Capsule{0.5f, 0.3f}, .position = {2.0f, 3.0f}}, 100.0f);
    CHECK(knight.position == Vec2{200.0f, 300.0f});
    pixels.create_body({.type = BodyType::Static, .position = {0.0f, -100.0f}},
                       Box{{1000.0f, 100.0f}});
    Vec2 velocity{};
    for (int i = 0; i < 120; ++i) {
        pixels.step();
        velocity = move(pixels, knight, {0.0f, velocity.y - 980.0f / 60.0f}, 1.0f / 60.0f);
    }
    CHECK(knight.ground.is_grounded);
    CHECK(knight.position.y == doctest::Approx(80.0).epsilon(1e-3));
}

TEST_CASE("the player of the README who joins goes on as the others, and so does who rolls back") {
    World world;
    world.create_body({.type = BodyType::Static}, Box{{50.0f, 1.0f}});
    world.create_body({.position = {2.0f, 1.5f}}, Box{{0.5f, 0.5f}});
    Mover walker{.shape = Capsule{0.5f, 0.3f}, .position = {0.0f, 2.0f}};
    const auto walk = [](World& in, Mover& mover) {
        for (int i = 0; i < 60; ++i) {
            in.step();
            (void)move(in, mover, {3.0f, -1.0f}, 1.0f / 60.0f);
        }
        return in.state_hash();
    };
    (void)walk(world, walker);
    World saved = world;
    std::vector<std::byte> world_bytes, walker_bytes;  // all between the same two steps
    world.save(world_bytes);
    walker.save(walker_bytes);
    Mover before = walker;
    World joined;
    Mover guest;
    joined.load(world_bytes);
    guest.load(walker_bytes);
    const std::uint64_t hash = walk(world, walker);
    CHECK(walk(joined, guest) == hash);
    CHECK(guest.position == walker.position);
    world = saved;
    CHECK(walk(world, before) == hash);
}

}  // namespace readme_test

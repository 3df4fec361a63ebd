// SPDX-License-Identifier: MIT
// Do contacts and statistics of a step tell the truth about it?
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include <doctest/doctest.h>

#include <scenes/scenes.hpp>

#include "../support/playground.hpp"
#include "../support/random.hpp"

namespace contacts_test {

using namespace phys2d;

namespace {

void run(World& world, int steps) {
    for (int i = 0; i < steps; ++i) world.step();
}

std::vector<WorldContact> contacts_of(const World& world) {
    std::vector<WorldContact> contacts;
    world.for_each_contact([&](const WorldContact& contact) { contacts.push_back(contact); });
    return contacts;
}

/// Does to a body what may move it to another place in memory, or end its contacts; at the worst to
/// those alone which it has made itself.
void change(World& world, BodyId id, test::Random& random) {
    constexpr std::uint64_t own = 1;
    const auto any_type = [&] { return static_cast<BodyType>(random.integer(0, 2)); };
    BodyRef body = world.body(id);
    const int dice = random.integer(0, 7);
    if (dice == 0) body.wake();
    if (dice == 1) body.teleport(body.position() + Vec2{0.25f, 0.0f});
    if (dice == 2) {
        world.create_body({.type = any_type(), .position = body.position(), .user_data = own},
                          Circle{0.25f});
    }
    if (body.type() == BodyType::Dynamic && dice == 3) {
        world.add_collider(id, Circle{0.25f, {0.0f, 0.5f}});
    }
    if (body.user_data() == own && dice <= 5) body.set_type(any_type());
    if (body.user_data() == own && dice >= 6) world.destroy_body(id);
}

/// How many contacts are told of a body and not of the world, or the other way round, or of one of
/// two alone.
int count_differences(const World& world) {
    std::map<std::uint64_t, std::map<std::uint64_t, int>> count;  // of each body, by contact
    const auto add = [&](BodyId body, const WorldContact& contact, int n) {
        const auto [a, b] = std::minmax(contact.collider_a, contact.collider_b);
        count[body.index][std::uint64_t{a.index} << 32 | b.index] += n;
    };
    std::map<std::uint64_t, int> touches;  // of a in b, less those of b in a
    world.for_each_contact([&](const WorldContact& contact) {
        add(contact.a, contact, 1);
        add(contact.b, contact, 1);
    });
    world.for_each_body([&](BodyId body) {
        world.for_each_contact(body, [&](const WorldContact& it) { add(body, it, -1); });
        world.for_each_touching(body, [&](BodyId other) {
            const bool is_first = body.index < other.index;
            const std::uint64_t low = is_first ? body.index : other.index;
            touches[low << 32 | (is_first ? other : body).index] += is_first ? 1 : -1;
            if (!world.are_touching(body, other) || !world.are_touching(other, body)) {
                touches[low << 32] += 1;
            }
        });
    });
    int wrong = 0;
    for (const auto& [body, contacts] : count) {
        for (const auto& [contact, difference] : contacts) wrong += difference == 0 ? 0 : 1;
    }
    for (const auto& [pair, difference] : touches) wrong += difference == 0 ? 0 : 1;
    return wrong;
}

/// The box is as heavy as asked and has been at rest on the floor for a second.
struct Resting {
    World world{WorldConfig{.gravity = {0.0f, -10.0f}}};
    BodyId floor, box;

    explicit Resting(float mass = 3.0f) {
        box = world.create_body({.position = {0.0f, 0.5f}, .mass = mass}, Box{{0.5f, 0.5f}});
        floor = world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}},
                                  Box{{5.0f, 1.0f}});
        run(world, 60);
    }
};

}  // namespace

TEST_CASE("each contact is reported once, with the normal that points from a to b") {
    World world = scenes::build(scenes::pile(160));
    run(world, 200);
    std::map<std::uint64_t, int> seen;
    for (const WorldContact& contact : contacts_of(world)) {
        const std::uint64_t pair = std::uint64_t{contact.a.index} << 32 | contact.b.index;
        CHECK(++seen[pair] == 1);
        const Shape a = translate(world.body(contact.a).shape(), world.body(contact.a).position());
        const Shape b = translate(world.body(contact.b).shape(), world.body(contact.b).position());
        const Manifold expected = collide(a, b);
        CHECK(contact.manifold.normal == expected.normal);
        const float apart = contact.manifold.penetration - expected.penetration;
        CHECK(std::fabs(apart) <
              1e-6f);  // a wall that is welded to the floor is measured as a face
        CHECK(dot(contact.manifold.normal, b.center - a.center) > 0.0f);
        CHECK(length(contact.manifold.normal) == doctest::Approx(1.0).epsilon(1e-6));
        CHECK(contact.normal_impulse >= 0.0f);
    }
    CHECK(seen.size() > 100);
    CHECK(seen.size() == static_cast<std::size_t>(world.stats().contacts));
}

TEST_CASE("every pair of shapes that overlaps is among the contacts of a settled pile") {
    World world = scenes::build(scenes::pile(160));
    run(world, 300);
    std::map<std::uint64_t, int> reported;
    for (const WorldContact& contact : contacts_of(world)) {
        ++reported[std::uint64_t{contact.a.index} << 32 | contact.b.index];
        ++reported[std::uint64_t{contact.b.index} << 32 | contact.a.index];
    }
    int missing = 0;
    for (const BodyId a : world.ids()) {
        for (const BodyId b : world.ids()) {
            const ConstBodyRef one = world.body(a), other = world.body(b);
            if (a == b || (one.inverse_mass() == 0.0f && other.inverse_mass() == 0.0f)) continue;
            const bool touch = overlaps(translate(one.shape(), one.position()),
                                        translate(other.shape(), other.position()));
            if (touch && reported[std::uint64_t{a.index} << 32 | b.index] == 0) ++missing;
        }
    }
    CHECK(missing == 0);
}

TEST_CASE("the normal impulse of a resting box is what carries it for a step: m g dt") {
    for (const float mass : {0.01f, 1.0f, 3.0f, 500.0f}) {
        const Resting scene(mass);
        const std::vector<WorldContact> contacts = contacts_of(scene.world);
        CHECK(contacts.size() == 1);
        const WorldContact& contact = contacts.front();
        CHECK(contact.a == scene.box);
        CHECK(contact.b == scene.floor);
        CHECK(contact.manifold.normal == Vec2{0.0f, -1.0f});
        const double expected = double{mass} * 10.0 / 60.0;
        CHECK(contact.normal_impulse == doctest::Approx(expected).epsilon(1e-4));
        CHECK(contact.tangent_impulse == doctest::Approx(0.0));
    }
}

TEST_CASE("the lowest contact of a stack carries all boxes, the highest one only the last") {
    World world({.gravity = {0.0f, -10.0f}});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{5.0f, 1.0f}});
    for (int i = 0; i < 5; ++i) {
        world.create_body({.position = {0.0f, static_cast<float>(i) + 0.5f}}, Box{{0.5f, 0.5f}});
    }
    run(world, 200);
    double lowest = 0.0, highest = HUGE_VAL;
    for (const WorldContact& contact : contacts_of(world)) {
        lowest = std::fmax(lowest, double{contact.normal_impulse});
        highest = std::fmin(highest, double{contact.normal_impulse});
    }
    CHECK(lowest == doctest::Approx(5.0 * 10.0 / 60.0).epsilon(1e-3));
    CHECK(highest == doctest::Approx(1.0 * 10.0 / 60.0).epsilon(1e-3));
}

TEST_CASE("the tangent impulse on a slope holds against the pull along it") {
    World world({.gravity = {3.0f, -10.0f}});
    const BodyId box = world.create_body({.position = {0.0f, 0.5f}}, Box{{0.5f, 0.5f}});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{5.0f, 1.0f}});
    run(world, 60);
    const WorldContact contact = contacts_of(world).at(0);
    CHECK(contact.a == box);
    // the box got it along -perpendicular(0, -1) = (-1, 0)
    CHECK(perpendicular(contact.manifold.normal) == Vec2{1.0f, 0.0f});
    CHECK(contact.tangent_impulse == doctest::Approx(3.0 / 60.0).epsilon(1e-3));
}

TEST_CASE("a bounce reports its impulse: m (1 + e) v") {
    World world({.gravity = {}});
    const Material lively{.restitution = 0.5f};
    world.create_body({.velocity = {6.0f, 0.0f}, .mass = 2.0f}, Circle{0.5f}, lively);
    world.create_body({.type = BodyType::Static, .position = {3.0f, 0.0f}}, Box{{0.5f, 5.0f}},
                      lively);
    double impulse = 0.0;
    for (int i = 0; i < 60; ++i) {
        world.step();
        for (const WorldContact& contact : contacts_of(world)) {
            impulse = std::fmax(impulse, double{contact.normal_impulse});
        }
    }
    CHECK(impulse == doctest::Approx(2.0 * 1.5 * 6.0).epsilon(1e-3));
}

TEST_CASE("a resting body whose contact only was about to touch has negative penetration") {
    World world({.gravity = {}});
    world.create_body({.position = {0.0f, 0.51f}}, Circle{0.5f});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{5.0f, 1.0f}});
    world.step();
    const std::vector<WorldContact> contacts = contacts_of(world);  // within the margin of 0.02 m
    CHECK(contacts.size() == 1);
    CHECK(contacts.at(0).manifold.penetration == doctest::Approx(-0.01).epsilon(1e-4));
    CHECK(contacts.at(0).normal_impulse == 0.0f);
    CHECK_FALSE(contacts.at(0).is_touching);
}

TEST_CASE("a contact is touching from its began to its ended event, also to the one body") {
    World world;
    const BodyId box = world.create_body({.position = {0.0f, 1.0f}}, Box{{0.5f, 0.5f}});
    const BodyId floor =
        world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{5.0f, 1.0f}});
    bool is_down = false;
    int landings = 0;
    for (int i = 0; i < 120; ++i) {
        if (i == 60) world.body(box).set_velocity({0.0f, 3.0f});
        world.step();
        if (!world.events().began.empty()) is_down = true;
        if (!world.events().ended.empty()) is_down = false;
        landings += static_cast<int>(world.events().began.size());
        bool is_on_ground = false;
        world.for_each_contact(box, [&](const WorldContact& contact) {
            const bool is_below = contact.manifold.normal.y < -0.7f;
            is_on_ground = is_on_ground || (is_below && contact.is_touching);
        });
        CHECK(is_on_ground == is_down);
        CHECK(is_on_ground == world.are_touching(box, floor));
        CHECK(is_on_ground == world.is_touching(box, {0.0f, -1.0f}));
    }
    CHECK(landings == 2);
}

TEST_CASE("a body touches something on the sides that its contacts are on, within 45 degrees") {
    const Vec2 left{-2.0f, 0.0f}, right{0.5f, 0.0f}, down{0.0f, -1e-3f}, up{0.0f, 1e3f};
    World world({.time_to_sleep = 0.5f});
    const BodyId floor =
        world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{9.0f, 1.0f}});
    const Polygon ramp{{4.0f, 0.0f}, {8.0f, 0.0f}, {8.0f, 4.0f}};  // 45 degrees
    world.create_body({.type = BodyType::Static}, ramp);
    const BodyId box = world.create_body({.position = {0.0f, 0.5f}}, Box{{0.5f, 0.5f}});
    const BodyId neighbour = world.create_body({.position = {-1.0f, 0.5f}}, Box{{0.5f, 0.5f}});
    const BodyId rider = world.create_body({.position = {0.0f, 1.4f}}, Circle{0.4f});
    const BodyId on_ramp =
        world.create_body({.position = {6.0f, 2.75f}}, Circle{0.5f}, {.friction = 9.0f});
    const BodyId flying =
        world.create_body({.position = {0.0f, 9.0f}, .gravity_scale = 0.0f}, Circle{0.4f});
    const auto sides = [&](BodyId body) {
        return std::array{world.is_touching(body, left), world.is_touching(body, right),
                          world.is_touching(body, down), world.is_touching(body, up)};
    };
    const auto check = [&] {
        CHECK(sides(box) == std::array{true, false, true, true});
        CHECK(sides(neighbour) == std::array{false, true, true, false});
        CHECK(sides(rider) == std::array{false, false, true, false});
        CHECK(sides(floor) == std::array{false, false, false, true});
        CHECK(sides(on_ramp) == std::array{false, true, true, false});
        CHECK(world.is_touching(on_ramp, {1.0f, -1.0f}));
        CHECK(sides(flying) == std::array{false, false, false, false});
    };
    for (int i = 0; i < 10; ++i) {
        world.body(box).apply_force({-20.0f, 0.0f});
        world.body(neighbour).apply_force({20.0f, 0.0f});
        world.step();
    }
    check();
    run(world, 120);
    REQUIRE(world.body(box).is_asleep());
    check();
    const char* const told =
        "is_touching: the direction is (0, 0), expected a finite one that is not zero";
    CHECK_THROWS_WITH_AS((void)world.is_touching(box, {}), told, Error);
}

TEST_CASE("a body that has fallen asleep in a corner of terrain still touches both of its sides") {
    const Vec2 down{0.0f, -1.0f}, right{1.0f, 0.0f};
    const auto check = [&](World& world) {
        const BodyId box = world.create_body({.position = {2.5f, 0.5f}}, Box{{0.5f, 0.5f}});
        const auto in_corner = [&] {
            return world.is_touching(box, down) && world.is_touching(box, right);
        };
        for (int i = 0; i < 20; ++i) {
            world.body(box).apply_force({20.0f, 0.0f});
            world.step();
        }
        CHECK(in_corner());
        run(world, 120);
        REQUIRE(world.body(box).is_asleep());
        CHECK(in_corner());
        world.body(box).wake();
        CHECK(in_corner());
        world.step();
        CHECK(in_corner());
    };
    const WorldConfig config{.time_to_sleep = 0.5f};
    World of_tiles(config);
    TileMapRef map = of_tiles.tile_map(of_tiles.create_tile_map());
    map.define(1);
    map.fill({{-5, -2}, {5, -1}}, 1);
    map.fill({{3, 0}, {3, 5}}, 1);
    check(of_tiles);

    World of_chain(config);
    const Vec2 corner[] = {{3.0f, 5.0f}, {3.0f, 0.0f}, {-5.0f, 0.0f}};
    of_chain.create_body({.type = BodyType::Static}, Chain{corner});
    check(of_chain);
}

TEST_CASE("a body that has fallen asleep inside tiles still rests on the border of its tile") {
    for (const Vec2 down : {Vec2{0.0f, -1.0f}, Vec2{0.0f, 1.0f}, Vec2{1.0f, 0.0f}}) {
        CAPTURE(down.x);
        CAPTURE(down.y);
        World world({.gravity = down * 9.81f, .time_to_sleep = 0.5f});
        const BodyId level = world.create_tile_map({.position = {10.0f, 20.0f}});
        const BodyId ball = world.create_body({.position = {10.5f, 20.5f}}, Circle{0.25f});
        world.tile_map(level).define(1);
        world.tile_map(level).fill({{-3, -3}, {3, 3}}, 1);
        const auto check = [&] {
            CHECK(world.is_touching(ball, down));
            int count = 0;
            world.for_each_contact(ball, [&](const WorldContact& contact) {
                ++count;
                CHECK(contact.manifold.normal == down);
                CHECK(std::abs(contact.manifold.penetration) < 0.001f);
                const Vec2 foot = world.body(ball).position() + down * 0.25f;
                CHECK(length(contact.manifold.point - foot) < 0.001f);
            });
            CHECK(count == 1);
        };
        run(world, 29);
        REQUIRE_FALSE(world.body(ball).is_asleep());
        run(world, 60);
        REQUIRE(world.body(ball).is_asleep());
        check();
        world.body(ball).wake();
        check();
        world.step();
        check();
    }
}

TEST_CASE("a body that has fallen asleep inside welded solids still rests on the next one") {
    const Vec2 down{0.0f, -1.0f};
    const auto check = [&](auto create_wall) {
        World world({.time_to_sleep = 0.5f});
        const BodyDef floor{.type = BodyType::Static, .position = {0.0f, -1.0f}};
        world.create_body(floor, Box{{5.0f, 1.0f}});
        for (const float x : {-1.0f, 0.0f, 1.0f}) create_wall(world, x);
        const BodyId crate = world.create_body({.position = {0.1f, 0.3f}}, Box{{0.3f, 0.3f}});
        run(world, 29);
        REQUIRE_FALSE(world.body(crate).is_asleep());
        run(world, 60);
        REQUIRE(world.body(crate).is_asleep());
        CHECK(world.is_touching(crate, down));
        CHECK_FALSE(world.is_touching(crate, {1.0f, 0.0f}));
        CHECK_FALSE(world.is_touching(crate, {-1.0f, 0.0f}));
        world.for_each_contact(crate, [&](const WorldContact& contact) {
            CHECK(contact.manifold.normal == down);
            CHECK(std::abs(contact.manifold.penetration) < 0.001f);
        });
    };
    check([](World& world, float x) {
        world.create_body({.type = BodyType::Static, .position = {x, 1.0f}}, Box{{0.5f, 1.0f}});
    });
    check([](World& world, float x) {
        const Polygon wall(AABB{{-0.5f, 0.0f}, {0.5f, 2.0f}});
        world.create_body({.type = BodyType::Static, .position = {x, 0.0f}}, wall);
    });
}

TEST_CASE("a ball between a slope and the end of another one touches both") {
    World world;
    const Vec2 valley[] = {{4.0f, 6.0f}, {1.0f, 1.0f}, {0.0f, 0.0f}, {-0.4f, 0.6f}, {-5.0f, 6.0f}};
    world.create_body({.type = BodyType::Static}, Chain{valley});
    const BodyId ball =
        world.create_body({.position = {0.0f, 0.9f}}, Circle{0.6f}, {.friction = 0.0f});
    run(world, 90);
    CHECK(world.is_touching(ball, {1.0f, -1.0f}));
    CHECK(world.is_touching(ball, {-1.0f, -1.0f}));
}

TEST_CASE("a ball pressed against the corner of a step touches floor and step, on either side") {
    int missed = 0;
    for (int run = 0; run < 40; ++run) {
        const float side = run % 2 == 0 ? -1.0f : 1.0f;
        const float height = 0.25f + 0.01f * static_cast<float>(run / 2);
        World world;
        TileMapRef map = world.tile_map(world.create_tile_map({.tile_size = height}));
        map.define(1);
        map.fill({{-20, -1}, {20, -1}}, 1);
        map.set({side < 0.0f ? -1 : 0, 0}, 1);
        const BodyId ball = world.create_body({.position = {-0.6f * side, 0.5f}}, Circle{0.5f},
                                              {.friction = 0.05f});
        for (int i = 0; i < 120; ++i) {
            world.body(ball).apply_force({2.0f * side, 0.0f});
            world.step();
        }
        const Vec2 to_corner = Vec2{0.0f, height} - world.body(ball).position();
        CHECK(length(to_corner) == doctest::Approx(0.5f).epsilon(0.002));
        CHECK(world.is_touching(ball, {0.0f, -1.0f}));
        missed += world.is_touching(ball, to_corner) ? 0 : 1;
    }
    CHECK(missed == 0);
}

TEST_CASE("the contacts of one body are those of all that it is in, with normals away from it") {
    World world = scenes::build(scenes::pile(160));
    run(world, 200);
    std::size_t found = 0;
    for (const WorldContact& whole : contacts_of(world)) {
        const auto is_it = [&](const WorldContact& contact, Vec2 normal) {
            return contact.manifold.normal == normal &&
                   contact.manifold.penetration == whole.manifold.penetration &&
                   contact.normal_impulse == whole.normal_impulse &&
                   contact.tangent_impulse == whole.tangent_impulse;
        };
        world.for_each_contact(whole.a, [&](const WorldContact& contact) {
            if (contact.collider_b != whole.collider_b) return;
            CHECK((contact.a == whole.a && contact.b == whole.b));
            CHECK(is_it(contact, whole.manifold.normal));
            ++found;
        });
        world.for_each_contact(whole.b, [&](const WorldContact& contact) {
            if (contact.collider_b != whole.collider_a) return;
            CHECK((contact.a == whole.b && contact.b == whole.a));
            CHECK(contact.collider_a == whole.collider_b);
            CHECK(is_it(contact, -whole.manifold.normal));
            ++found;
        });
    }
    CHECK(found == 2 * contacts_of(world).size());
    CHECK_THROWS_AS(world.for_each_contact(BodyId{}, [](const WorldContact&) {}), Error);
    CHECK_THROWS_AS((void)world.is_touching(BodyId{}, {0.0f, -1.0f}), Error);
}

TEST_CASE(
    "what is told of one body agrees with all contacts, whatever has changed since the step") {
    test::Playground playground;
    test::Random random(7);
    World world = playground.begin();
    const auto any_body = [&] {
        const auto i = random.integer(0, static_cast<int>(world.ids().size()) - 1);
        return world.ids()[static_cast<std::size_t>(i)];
    };
    int wrong = 0, contacts = 0, woken = 0;
    for (int i = 0; i < 3'000; ++i) {
        if (i % 1'000 < 300) playground.before_step(world);
        world.step();
        if (random.integer(1, 3) == 1) {
            const BodyId id = any_body();
            woken += world.body(id).is_asleep() ? 1 : 0;
            change(world, id, random);
            contacts += static_cast<int>(contacts_of(world).size());
            wrong += count_differences(world);
        }
        if (i % 100 == 50) world = World(world);
    }
    CHECK(wrong == 0);
    CHECK(contacts > 10'000);
    CHECK(woken > 20);
}

TEST_CASE("a body that is woken as soon as it has fallen asleep has each contact once") {
    World world({.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.5f});
    const BodyId box = world.create_body({.position = {0.0f, 0.5f}}, Box{{0.5f, 0.5f}});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{5.0f, 1.0f}});
    while (!world.body(box).is_asleep()) world.step();
    CHECK(contacts_of(world).size() == 1);
    world.body(box).wake();
    CHECK(contacts_of(world).size() == 1);
    CHECK(count_differences(world) == 0);
}

TEST_CASE("what is told of one body agrees with all contacts after a step that was refused") {
    World world({.gravity = {0.0f, -10.0f}, .mix_friction = [](float a, float b) {
                     if (a + b > 90.0f) throw Error("too rough");
                     return min(a, b);
                 }});
    const BodyId box = world.create_body({.position = {0.0f, 0.5f}}, Box{{0.5f, 0.5f}});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{5.0f, 1.0f}});
    run(world, 10);
    world.create_body({.position = {2.0f, 0.5f}}, Box{{0.5f, 0.5f}}, {.friction = 100.0f});
    CHECK_THROWS_AS(world.step(), Error);
    int found = 0;
    world.for_each_contact(box, [&](const WorldContact&) { ++found; });
    CHECK(found == 1);
    CHECK(count_differences(world) == 0);
}

TEST_CASE("pairs that a refused step has found are not told of, and the next step has them") {
    World world({.gravity = {0.0f, -10.0f}, .mix_friction = [](float a, float b) {
                     if (a == 100.0f && b == 100.0f) throw Error("too rough");
                     return min(a, b);
                 }});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{50.0f, 1.0f}});
    std::vector<BodyId> boxes;
    for (int i = 0; i < 40; ++i) {
        const Vec2 place{static_cast<float>(i) - 20.0f, 0.4f};
        const float friction = i == 21 ? 100.0f : 0.5f;
        boxes.push_back(
            world.create_body({.position = place}, Box{{0.4f, 0.4f}}, {.friction = friction}));
    }
    run(world, 10);
    const BodyId late =
        world.create_body({.position = {0.5f, 1.1f}}, Box{{0.4f, 0.4f}}, {.friction = 100.0f});
    CHECK_THROWS_AS(world.step(), Error);
    for (const BodyId box : boxes) {
        int found = 0;
        world.for_each_contact(box, [&](const WorldContact&) { ++found; });
        CHECK(found == 1);  // with the floor
        CHECK_FALSE(world.are_touching(box, late));
    }
    world.destroy_body(boxes[21]);
    run(world, 30);
    CHECK(world.are_touching(boxes[20], late));
}

TEST_CASE(
    "a step that was refused leaves what is told of the bounces of bodies that were changed") {
    bool refuses = false;
    World world({.gravity = {0.0f, -10.0f},
                 .pair_filter =
                     [](void* refused, BodyId, BodyId) {
                         if (*static_cast<bool*>(refused)) throw Error("not now");
                         return true;
                     },
                 .pair_filter_context = &refuses});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{20.0f, 1.0f}},
                      {.restitution = 0.8f});
    std::vector<BodyId> balls;
    for (int i = 0; i < 32; ++i) {
        const Vec2 place{static_cast<float>(i) - 16.0f, 1.0f + 0.05f * static_cast<float>(i % 8)};
        balls.push_back(
            world.create_body({.position = place}, Circle{0.4f}, {.restitution = 0.8f}));
    }
    const auto told = [&] {
        float sum = 0.0f;
        for (const WorldContact& contact : contacts_of(world)) sum += contact.normal_impulse;
        return sum;
    };
    int bounced = 0;
    for (int step = 0; step < 60; ++step) {
        world.step();
        const float before = told();
        for (const BodyId ball : {balls[3], balls[4], balls[5], balls[6], balls[7]}) {
            world.body(ball).set_filter({});
        }
        refuses = true;
        try {
            world.step();  // if anything is near anything
        } catch (const Error&) {
            CHECK(told() == doctest::Approx(before));
            bounced += before > 1.0f ? 1 : 0;
        }
        refuses = false;
    }
    CHECK(bounced > 4);
}

TEST_CASE("a ball that only just passes the end of a chain touches it there") {
    World world;
    const Vec2 ground[] = {{2.0f, 0.0f}, {0.0f, 0.0f}};
    world.create_body({.type = BodyType::Static}, Chain{ground});
    const BodyId ball = world.create_body({.position = {-0.499f, 1.0f}}, Circle{0.5f});
    int contacts = 0;
    for (int i = 0; i < 60; ++i) {
        world.step();
        world.for_each_contact(ball, [&](const WorldContact& contact) {
            ++contacts;
            CHECK(length(contact.manifold.point) < 0.1f);  // it falls past within a step
        });
    }
    CHECK(contacts > 0);
}

TEST_CASE("no contact tells an overlap with terrain that a body has just left") {
    test::Random random;
    const Polygon table(AABB{{-1.0f, -0.5f}, {1.0f, 0.5f}});
    int apart = 0;
    for (int run = 0; run < 600; ++run) {
        World world{{.gravity = {0.0f, -100.0f}}};
        const Vec2 line[] = {{1.0f, 0.5f}, {-1.0f, 0.5f}};
        const BodyDef fixed{.type = BodyType::Static};
        switch (run % 3) {
            case 0: world.create_body(fixed, table); break;
            case 1: world.create_body(fixed, Chain{line}); break;
            default:
                const TileMapDef def{.position = {-1.0f, -0.5f}};
                TileMapRef map = world.tile_map(world.create_tile_map(def));
                map.define(1);
                map.fill({{0, 0}, {1, 0}}, 1);
        }
        const float half = random.uniform(0.05f, 0.3f);
        const Shape shape = run % 2 == 0 ? Shape(Circle{half}) : Shape(Box{{half, half}});
        const Vec2 velocity{random.uniform(-30.0f, 30.0f), random.uniform(-20.0f, 0.0f)};
        world.create_body({.position = {0.0f, 0.5f + half}, .velocity = velocity}, shape);
        for (int i = 0; i < 20; ++i) {
            world.step();
            world.for_each_contact([&](const WorldContact& contact) {
                const Vec2 place = world.body(contact.a).position();
                if (collide(table, translate(shape, place))) return;
                ++apart;
                CAPTURE(run);
                CHECK(contact.manifold.penetration <= 0.0f);
            });
        }
    }
    CHECK(apart > 100);
}

TEST_CASE("contacts at the corners of a polygon tell its overlap, in it and past it") {
    test::Random random;
    const Vec2 corners[] = {{1.0f, 0.0f}, {0.3f, 0.8f}, {-1.0f, 0.1f}, {-0.2f, -0.9f}};
    const Polygon stone(corners);
    int apart = 0, in = 0, wrong = 0, missed = 0;
    for (int run = 0; run < test::many / 100; ++run) {
        World world;
        world.create_body({.type = BodyType::Static}, stone);
        Shape shape = Box{{random.uniform(0.1f, 0.5f), random.uniform(0.1f, 0.5f)}};
        shape.radius = random.uniform(0.02f, 0.1f);
        const Vec2 from = random.direction() * random.uniform(0.8f, 2.0f);
        const Vec2 velocity = (random.point(1.0f) - from) * random.log_uniform(0.3f, 30.0f);
        if (contains(stone, from)) continue;  // the side by which it leaves may be another one
        const BodyId body = world.create_body({.position = from, .velocity = velocity}, shape);
        for (int i = 0; i < 30; ++i) {
            world.step();
            float told = -1.0f;
            world.for_each_contact([&](const WorldContact& contact) {
                told = std::fmax(told, contact.manifold.penetration);
            });
            if (told == -1.0f) continue;
            const Shape placed = translate(shape, world.body(body).position());
            const float penetration = collide(stone, placed).penetration;
            (penetration < 0.0f ? apart : in) += 1;
            wrong += penetration < 0.0f && told > 0.002f ? 1 : 0;
            missed += penetration > 0.0f && told < penetration - 0.001f ? 1 : 0;
        }
    }
    CHECK(apart > test::many / 1000);
    CHECK(in > test::many / 1000);
    CHECK(wrong == 0);
    CHECK(missed == 0);
}

TEST_CASE("contacts of destroyed bodies are not reported") {
    Resting scene;
    CHECK(contacts_of(scene.world).size() == 1);
    scene.world.destroy_body(scene.box);
    scene.world.create_body({.position = {0.0f, 0.5f}}, Circle{0.5f});  // takes index and slot
    CHECK(contacts_of(scene.world).empty());
}

TEST_CASE("contacts keep their bodies when slots move between two steps") {
    Resting scene;
    for (int i = 0; i < 3; ++i) {
        scene.world.create_body({.type = static_cast<BodyType>(i), .position = {30.0f, 30.0f}},
                                Circle{0.5f});
    }
    const std::vector<WorldContact> contacts = contacts_of(scene.world);
    CHECK(contacts.size() == 1);
    CHECK(contacts.at(0).a == scene.box);
    CHECK(contacts.at(0).b == scene.floor);
}

TEST_CASE("impulses survive when slots move: a stack stays at rest while others come and go") {
    World world({.gravity = {0.0f, -10.0f}});
    std::vector<BodyId> others;
    const auto add_other = [&](int i) {
        others.push_back(
            world.create_body({.type = static_cast<BodyType>(i % 3),
                               .position = {100.0f + 5.0f * static_cast<float>(i), 0.0f},
                               .gravity_scale = 0.0f},
                              Circle{0.5f}));
    };
    for (int i = 0; i < 20; ++i) add_other(i);
    world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{5.0f, 1.0f}});
    std::vector<BodyId> stack;
    for (int i = 0; i < 10; ++i) {
        stack.push_back(world.create_body({.position = {0.0f, static_cast<float>(i) + 0.5f}},
                                          Box{{0.5f, 0.5f}}));
    }
    run(world, 300);
    const float top = world.body(stack.back()).position().y;
    for (int i = 20; i < 60; ++i) {
        world.destroy_body(others[static_cast<std::size_t>(i - 20)]);
        add_other(i);
        world.step();
        // without its impulses a box starts to fall: g h = 0.04 m/s after a sub-step
        for (const BodyId id : stack) CHECK(length(world.body(id).velocity()) < 1e-4f);
    }
    CHECK(world.body(stack.back()).position().y == doctest::Approx(top).epsilon(1e-5));
}

TEST_CASE("destroying a body that touches nothing leaves a lone box at rest to the last bit") {
    Resting with_other, alone;
    const BodyId other = with_other.world.create_body(
        {.position = {50.0f, 0.0f}, .gravity_scale = 0.0f}, Circle{0.5f});
    run(with_other.world, 30);
    run(alone.world, 30);
    with_other.world.destroy_body(other);
    for (int i = 0; i < 30; ++i) {
        with_other.world.step();
        alone.world.step();
        CHECK(with_other.world.body(with_other.box).position() ==
              alone.world.body(alone.box).position());
        CHECK(with_other.world.body(with_other.box).velocity() ==
              alone.world.body(alone.box).velocity());
    }
}

TEST_CASE("the statistics count bodies, moving bodies, pairs, contacts and colours") {
    World world({.gravity = {0.0f, -10.0f}});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{50.0f, 1.0f}});
    world.create_body({.type = BodyType::Kinematic, .position = {20.0f, 9.0f}}, Circle{0.5f});
    for (int i = 0; i < 4; ++i) {
        world.create_body({.position = {3.0f * static_cast<float>(i), 0.5f}}, Box{{0.5f, 0.5f}});
    }
    world.create_body({.position = {0.0f, 20.0f}}, Circle{0.5f});
    world.step();
    CHECK(world.stats().bodies == 7);
    CHECK(world.stats().moving_bodies == 6);
    CHECK(world.stats().pairs == 4);
    CHECK(world.stats().contacts == 4);
    CHECK(world.stats().colours == 1);  // each box touches the floor alone: all side by side
    CHECK(world.stats().pairs_rebuilt);
}

TEST_CASE("the times of the stages are not negative and add up to the total") {
    World world = scenes::build(scenes::pile(160));
    for (int i = 0; i < 50; ++i) {
        world.step();
        const StepStats& stats = world.stats();
        const double sum = stats.apply_forces + stats.find_pairs + stats.update_contacts +
                           stats.solve + stats.finish + stats.tell_events + stats.sleep;
        CHECK(stats.apply_forces >= 0.0);
        CHECK(stats.find_pairs >= 0.0);
        CHECK(stats.update_contacts >= 0.0);
        CHECK(stats.solve >= 0.0);
        CHECK(stats.finish >= 0.0);
        CHECK(stats.sleep >= 0.0);
        CHECK(stats.total == doctest::Approx(sum).epsilon(1e-6));
    }
}

TEST_CASE("a settled scene keeps its pairs: hardly a step in a hundred finds them anew") {
    World world = scenes::build(scenes::pyramid(10));
    run(world, 200);
    int rebuilt = 0;
    for (int i = 0; i < 100; ++i) {
        world.step();
        if (world.stats().pairs_rebuilt) ++rebuilt;
    }
    CHECK(rebuilt <= 1);
}

TEST_CASE("kinematic bodies among dynamic ones do not have pairs found anew while all is at rest") {
    World world({.gravity = {}});
    for (int i = 0; i < 3'600; ++i) {
        const Vec2 place{static_cast<float>(i % 60), static_cast<float>(i / 60)};
        const BodyType type = i % 3 == 0 ? BodyType::Kinematic : BodyType::Dynamic;
        world.create_body({.type = type, .position = place}, Circle{0.25f});
    }
    run(world, 60);
    for (int i = 0; i < 20; ++i) {
        world.step();
        CHECK_FALSE(world.stats().pairs_rebuilt);
    }
}

TEST_CASE("bodies that go far for their size in a step have few pairs") {
    World world({.gravity = {}});
    test::Random random;
    const float width = 80.0f;
    for (int i = 0; i < 1'000; ++i) {
        world.create_body({.position = random.point(width), .velocity = random.point(1e3f)},
                          Circle{0.1f});
    }
    for (int i = 0; i < 10; ++i) {
        world.step();
        CHECK(world.stats().pairs < 10'000);
    }
}

TEST_CASE("visitors may take contacts by auto reference, as they take hits and surfaces") {
    World world;
    world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{9.0f, 1.0f}});
    const BodyId box = world.create_body({.position = {0.0f, 0.5f}}, Box{{0.5f, 0.5f}});
    run(world, 2);
    int contacts = 0;
    world.for_each_contact([&](auto& contact) { contacts += contact.is_touching; });
    world.for_each_contact(box, [&](auto& contact) { contacts += contact.is_touching; });
    CHECK(contacts == 2);
}

}  // namespace contacts_test

// SPDX-License-Identifier: MIT
// Who collides with whom? SCENES [26]
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "support/random.hpp"

namespace filter_test {

using namespace phys2d;

TEST_CASE("two colliders collide if each one's mask has the other's category") {
    const Filter player{.category = 1, .mask = 2 | 4};
    const Filter enemy{.category = 2, .mask = 1 | 4};
    const Filter ghost{.category = 2, .mask = 4};
    CHECK(can_collide(player, enemy));
    CHECK_FALSE(can_collide(player, player));
    CHECK_FALSE(can_collide(player, ghost));
    CHECK_FALSE(can_collide(ghost, player));
    CHECK(can_collide(Filter{}, Filter{}));
    CHECK(can_collide(Filter{.category = 1ull << 63}, Filter{.mask = 1ull << 63}));
}

TEST_CASE("a common group decides before the masks do") {
    const Filter together{.mask = 0, .group = 3};
    const Filter apart{.group = -3};
    CHECK(can_collide(together, together));
    CHECK_FALSE(can_collide(apart, apart));
    CHECK_FALSE(can_collide(together, Filter{.group = 4}));
    CHECK(can_collide(apart, Filter{.group = -4}));
}

TEST_CASE("a body's query sees whom it collides with, and not the body itself") {
    test::Random random;
    const auto any_filter = [&] {
        return Filter{.category = random.bits() % 16, .mask = random.bits() % 16};
    };
    int seen = 0;
    for (int i = 0; i < test::many / 100; ++i) {
        World world({.gravity = {0.0f, 0.0f}});
        const Filter own = any_filter(), other = any_filter();
        const BodyId hero = world.create_body({}, Circle{0.5f}, {}, {.filter = own});
        world.add_collider(hero, Circle{0.5f, {0.4f, 0.0f}});
        const QueryFilter ahead = world.body(hero).query_filter();
        CHECK_FALSE(world.any_overlap(Circle{1.0f}, ahead));
        const BodyId body = world.create_body({}, Circle{0.5f}, {}, {.filter = other});
        CHECK(world.any_overlap(Circle{1.0f}, ahead) == can_collide(own, other));
        CHECK((world.ray_cast({-2.0f, 0.0f}, {4.0f, 0.0f}, ahead).body == body) ==
              can_collide(own, other));
        seen += can_collide(own, other) ? 1 : 0;
    }
    CHECK(seen > test::many / 400);
}

TEST_CASE("300 circles in one place that ignore each other are no pairs") {
    World world({.gravity = {0.0f, -10.0f}});
    for (int i = 0; i < 300; ++i) {
        world.create_body({}, Circle{0.5f}, {}, {.filter = {.group = -1}});
    }
    for (int i = 0; i < 10; ++i) world.step();
    CHECK(world.stats().pairs == 0);
    CHECK(world.positions()[0] == world.positions()[299]);
}

TEST_CASE(
    "of many bodies in one place, those make pairs that collide, however many their filters") {
    test::Random random;
    for (const int filters : {1, 3, 63, 64, 65, 120}) {
        World world({.gravity = {0.0f, 0.0f}});
        std::vector<ColliderDef> colliders;
        std::vector<BodyType> types;
        for (int i = 0; i < filters; ++i) {
            colliders.push_back({.filter = {.category = std::uint64_t{1} << random.integer(0, 3),
                                            .mask = random.bits(),
                                            .group = random.integer(-2, 2) * random.integer(0, i)},
                                 .is_sensor = random.one_in(5)});
            types.push_back(random.one_in(4) ? BodyType::Kinematic : BodyType::Dynamic);
        }
        std::vector<std::size_t> kinds(200);
        for (std::size_t& kind : kinds) {
            kind = static_cast<std::size_t>(random.integer(0, filters - 1));
            world.create_body({.type = types[kind], .position = random.point(0.02f)},
                              Circle{random.one_in(3) ? 1.0f : 0.05f}, {}, colliders[kind]);
        }
        int pairs = 0;
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const ColliderDef& a = colliders[kinds[i]];
                const ColliderDef& b = colliders[kinds[j]];
                const bool is_dynamic =
                    types[kinds[i]] == BodyType::Dynamic || types[kinds[j]] == BodyType::Dynamic;
                const bool is_pair =
                    is_dynamic && !a.is_sensor && !b.is_sensor && can_collide(a.filter, b.filter);
                pairs += is_pair ? 1 : 0;
            }
        }
        world.step();
        CHECK(world.stats().pairs == pairs);
    }
}

TEST_CASE("a filter that changes acts on the next step though nothing moves") {
    World world({.gravity = {0.0f, 0.0f}, .time_to_sleep = 0.2f});
    const BodyId a = world.create_body({}, Circle{0.5f}, {}, {.filter = {.group = -1}});
    const BodyId b =
        world.create_body({.position = {0.6f, 0.0f}}, Circle{0.5f}, {}, {.filter = {.group = -1}});
    for (int i = 0; i < 60; ++i) world.step();
    REQUIRE(world.stats().contacts == 0);
    world.body(b).set_filter({});
    world.step();
    CHECK(world.stats().contacts == 1);
    CHECK(world.body(a).position().x < 0.0f);
    world.body(a).set_filter({.mask = 0});
    world.step();
    CHECK(world.stats().contacts == 0);
}

namespace {

struct Teams {
    World* world;
    bool at_peace;
};

bool are_at_war(void* context, BodyId a, BodyId b) {
    const Teams& teams = *static_cast<Teams*>(context);
    return !teams.at_peace || teams.world->body(a).user_data() != teams.world->body(b).user_data();
}

}  // namespace

TEST_CASE("a filter of the user's has the last word, and can change its mind") {
    Teams teams{nullptr, true};
    World world({.gravity = {0, 0}, .pair_filter = are_at_war, .pair_filter_context = &teams});
    teams.world = &world;
    for (int i = 0; i < 20; ++i) {  // others, so that not all pairs are found again anyway
        world.create_body({.position = {0.0f, 3.0f + 2.0f * static_cast<float>(i)}}, Circle{0.5f});
    }
    for (int i = 0; i < 3; ++i) {
        const auto team = static_cast<std::uint64_t>(i / 2);
        world.create_body({.position = {0.4f * static_cast<float>(i), 0.0f}, .user_data = team},
                          Circle{0.5f});
    }
    world.step();
    CHECK(world.stats().contacts == 2);  // the third with both of the others
    teams.at_peace = false;
    world.step();
    CHECK(world.stats().contacts == 2);
    world.filter_again();
    world.step();
    CHECK(world.stats().contacts == 3);
}

TEST_CASE("what a filter lets through is neither met on the way nor woken") {
    World world({.gravity = {0.0f, 0.0f}, .time_to_sleep = 0.2f});
    const BodyId sleeper = world.create_body({}, Circle{0.5f}, {}, {.filter = {.category = 2}});
    for (int i = 0; i < 60; ++i) world.step();
    REQUIRE(world.body(sleeper).is_asleep());
    const Vec2 velocity{100.0f, 0.0f};
    const BodyId bullet = world.create_body({.position = {-5.0f, 0.0f}, .velocity = velocity},
                                            Circle{0.1f}, {}, {.filter = {.mask = 1}});
    for (int i = 0; i < 10; ++i) world.step();
    CHECK(world.body(bullet).velocity() == velocity);
    CHECK(world.body(sleeper).is_asleep());
}

}  // namespace filter_test

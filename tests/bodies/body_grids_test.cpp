// SPDX-License-Identifier: MIT
// How many bodies does a query look at when others change between queries, with no step in between?
#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "../support/random.hpp"

namespace body_grids_test {

using namespace phys2d;

namespace {

/// Bodies in a row, all of them new, and how many of them a query in a box beside them looks at.
struct Row {
    detail::WorldState world{};

    explicit Row(int count) {
        for (int i = 0; i < count; ++i) {
            const float x = 3.0f * static_cast<float>(i);
            detail::create_body(world, {.type = BodyType::Kinematic, .position = {x, 0.0f}},
                                Circle{0.5f}, {}, {});
        }
    }
    void sort_at_times() { world.broad_phase.sort_news_at_times(world.bodies); }

    [[nodiscard]] int looked_at() const {
        int looks = 0;
        world.broad_phase.for_each_body_in(world.bodies, {{-9.0f, 5.0f}, {-8.0f, 6.0f}},
                                           [&](std::int32_t) { ++looks; });
        return looks;
    }
    /// In a query after each change of a body.
    [[nodiscard]] int looked_at_in_turn() {
        int looks = 0;
        for (const ColliderId id : world.bodies.ids) {
            sort_at_times();
            looks += looked_at();
            world.broad_phase.note_change(id);
        }
        return looks;
    }
};

}  // namespace

TEST_CASE("what has changed is looked at one by one until it is sorted") {
    Row row(1000);
    CHECK(row.looked_at() == 1000);
    row.sort_at_times();
    CHECK(row.looked_at() == 0);
    row.world.broad_phase.note_change(row.world.bodies.ids[0]);
    CHECK(row.looked_at() == 1);
    row.sort_at_times();
    CHECK(row.looked_at() == 1);  // few are not worth it
}

TEST_CASE("bodies that get another mass, material or filter stay in the grid for queries") {
    detail::WorldState world{};
    const BodyId body = detail::create_body(world, {}, Circle{0.5f}, {}, {});
    detail::Alone alone;
    detail::step<1>(world, alone);
    const auto looks = [&] {
        int count = 0;
        world.broad_phase.for_each_body_in(world.bodies, {{-9.0f, 5.0f}, {-8.0f, 6.0f}},
                                           [&](std::int32_t) { ++count; });
        return count;
    };
    BodyRef(world, body).set_mass(3.0f);
    BodyRef(world, body).set_material({.friction = 0.1f});
    BodyRef(world, body).set_filter({.mask = 2});
    CHECK(looks() == 0);
    BodyRef(world, body).set_mass(0.0f);  // it is in another group of slots now
    CHECK(looks() == 1);
}

TEST_CASE("four times the changes and queries in turn cost at most ten times the looks") {
    const int looks = Row(1000).looked_at_in_turn();
    CHECK(looks < 100'000);
    CHECK(Row(4000).looked_at_in_turn() < 10 * looks);
}

TEST_CASE("a body that is gone or has changed its place is found once after it was sorted") {
    Row row(200);
    row.sort_at_times();
    const BodyId moved = row.world.bodies.owners[7];
    detail::destroy_body(row.world, row.world.bodies.owners[9]);
    BodyRef(row.world, moved).teleport({-8.5f, 5.5f});
    CHECK(row.looked_at() == 1);
    row.sort_at_times();
    CHECK(row.looked_at() == 1);
    BodyRef(row.world, moved).teleport({0.0f, 0.0f});
    row.world.broad_phase.sort_news(row.world.bodies);
    CHECK(row.looked_at() == 1);
}

TEST_CASE("what wakes, goes elsewhere and falls asleep again is found once, and only there") {
    World world({.gravity = {}, .time_to_sleep = 0.1f});
    test::Random random;
    constexpr int count = 400;
    for (int i = 0; i < count; ++i) {
        world.create_body({.position = random.point(30.0f)}, Circle{0.3f}, {},
                          {.filter = {.group = -1}});  // they do not meet
    }
    for (int round = 0; round < 60; ++round) {
        for (int i = 0; i < 8; ++i) {
            world.body(world.ids()[random.integer(0, count - 1)]).teleport(random.point(30.0f));
        }
        for (int step = 0; step < 16; ++step) world.step();
        REQUIRE(world.stats().sleeping_bodies == count);

        const Circle place{8.0f, random.point(30.0f)};
        std::vector<BodyId> found, expected;
        world.for_each_overlap(place, [&](BodyId id) { found.push_back(id); });
        for (const BodyId id : world.ids()) {
            if (distance(world.body(id).position(), place.center) <= 8.3f) expected.push_back(id);
        }
        const auto is_before = [](BodyId a, BodyId b) { return a.index < b.index; };
        std::sort(found.begin(), found.end(), is_before);
        std::sort(expected.begin(), expected.end(), is_before);
        CHECK(found == expected);
    }
}

TEST_CASE(
    "explosions, accelerations and drops sort what has changed instead of looking at it all") {
    using Change = void (*)(detail::WorldState&);
    const Change changes[] = {
        [](detail::WorldState& world) {
            detail::explode(world, {.center = {-50.0f, 0.0f}});
        },
        [](detail::WorldState& world) {
            detail::accelerate(world, Circle{1.0f, {-50.0f, 0.0f}}, {1.0f, 0.0f}, {});
        },
        [](detail::WorldState& world) { BodyRef(world, world.bodies.owners[0]).drop_through(); }};
    for (const Change change : changes) {
        Row row(1000);
        REQUIRE(row.looked_at() == 1000);
        change(row.world);
        CHECK(row.looked_at() <= 1);
    }
}

}  // namespace body_grids_test

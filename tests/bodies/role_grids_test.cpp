// SPDX-License-Identifier: MIT
// Do the grids of bodies at rest know where each of them is, whatever comes, goes and changes,
// without sorting all of them each time?
#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "../support/random_bodies.hpp"

namespace role_grids_test {

using namespace phys2d;
using detail::at;

namespace {

/// Static bodies in a field of 40 m, and grids that are told of each change.
struct Field {
    detail::Bodies bodies;
    detail::RoleGrids statics{detail::GridRole::Static};
    test::Random random;

    explicit Field(int count) {
        for (int i = 0; i < count; ++i) create(BodyType::Static);
        statics.update(bodies);
    }

    void create(BodyType type) {
        const BodyDef def{.type = type, .position = random.point(20.0f)};
        const BodyId id = bodies.insert(def, {.shape = test::random_collider(random)}, 1.0f);
        note(bodies.slots.slot_of(id));
    }
    void destroy(std::int32_t slot) {
        note(slot);
        bodies.erase(slot);
    }
    void move(std::int32_t slot) {
        bodies.positions[at(slot)] = random.point(20.0f);
        note(slot);
    }
    void retype(std::int32_t slot, BodyType type) {
        note(slot);
        const ColliderId id = bodies.ids[at(slot)];
        bodies.types[at(slot)] = type;
        bodies.regroup(slot);
        note(bodies.slots.slot_of(id));
    }
    void note(std::int32_t slot) {
        if (bodies.types[at(slot)] == BodyType::Static) statics.note(bodies.ids[at(slot)].index);
    }

    void change() {
        const std::int32_t slot = random.integer(0, bodies.size() - 1);
        switch (random.integer(0, 4)) {
            case 0: create(BodyType::Static); break;
            case 1: create(BodyType::Dynamic); break;
            case 2: destroy(slot); break;
            case 3: move(slot); break;
            default: retype(slot, random.one_in(2) ? BodyType::Static : BodyType::Dynamic); break;
        }
    }

    [[nodiscard]] std::vector<std::int32_t> found(const AABB& box) const {
        std::vector<std::int32_t> slots;
        statics.for_each_overlap(bodies, box, [&](std::int32_t slot) { slots.push_back(slot); });
        std::sort(slots.begin(), slots.end());
        return slots;
    }
    /// By brute force.
    [[nodiscard]] std::vector<std::int32_t> expected(const AABB& box) const {
        std::vector<std::int32_t> slots;
        for (std::int32_t slot = bodies.ranges.static_begin; slot < bodies.size(); ++slot) {
            if (overlaps(bounds(bodies.placed_shape(slot)), box)) slots.push_back(slot);
        }
        return slots;
    }
    /// The number of bodies in each of the grids, the large and the small one.
    [[nodiscard]] std::vector<std::size_t> counts() const {
        std::vector<std::size_t> counts;
        statics.for_each_grid(
            [&](const detail::BodyGrid& grid) { counts.push_back(grid.grid().order().size()); });
        return counts;
    }
};

}  // namespace

TEST_CASE("each static body is found once where it is, after any changes") {
    Field field(200);
    int wrong = 0;
    int seen = 0;
    for (int i = 0; i < test::many / 500; ++i) {
        while (!field.random.one_in(3)) field.change();
        field.statics.update(field.bodies);
        const AABB box = aabb_around(field.random.point(20.0f), abs(field.random.point(6.0f)));
        const std::vector<std::int32_t> expected = field.expected(box);
        seen += static_cast<int>(expected.size());
        wrong += field.found(box) == expected ? 0 : 1;
    }
    CHECK(wrong == 0);
    CHECK(seen > test::many / 500);
}

TEST_CASE("a change of one body among many sorts few of them, and n changes all of them seldom") {
    Field field(10'000);
    CHECK(field.counts() == std::vector<std::size_t>{10'000, 0});
    field.move(5);
    field.statics.update(field.bodies);
    CHECK(field.counts() == std::vector<std::size_t>{10'000, 1});

    std::size_t sorted = 0;
    for (int i = 0; i < 1000; ++i) {
        field.move(field.random.integer(0, 9'999));
        field.statics.update(field.bodies);
        const std::vector<std::size_t> counts = field.counts();
        sorted += counts[1] == 0 ? counts[0] : counts[1];
    }
    CHECK(sorted < 1000 * 10'000 / 25);  // at most 400 at a time, half of them in the mean
}

}  // namespace role_grids_test

// SPDX-License-Identifier: MIT
// Are ids what keys of maps have to be?
#include <map>
#include <unordered_map>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

namespace ids_test {

using namespace phys2d;

TEST_CASE("ids are keys of ordered and of hashed maps") {
    World world;
    std::map<BodyId, int> ordered;
    std::unordered_map<BodyId, int> hashed;
    std::unordered_map<ColliderId, int> colliders;
    for (int i = 0; i < 1'000; ++i) {
        const BodyId id = world.create_body({}, Circle{0.5f});
        ordered[id] = hashed[id] = colliders[first_collider(id)] = i;
        if (i % 3 == 0) world.destroy_body(id);  // its index is used again
    }
    CHECK(ordered.size() == 1'000);
    CHECK(hashed.size() == 1'000);
    CHECK(colliders.size() == 1'000);
    int wrong = 0;
    for (const auto& [id, i] : ordered) {
        wrong += hashed.at(id) != i || colliders.at(first_collider(id)) != i ? 1 : 0;
    }
    CHECK(wrong == 0);
    CHECK(BodyId{1, 9} < BodyId{2, 1});
    CHECK(BodyId{1, 1} < BodyId{1, 2});
}

}  // namespace ids_test

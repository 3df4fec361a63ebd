// SPDX-License-Identifier: MIT
// Do ids find their slots, and only while they live?
#include <map>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/core/slot_map.hpp>

#include "../support/random.hpp"

namespace slot_map_test {

using namespace phys2d;
using detail::SlotMap;

TEST_CASE("ids find their slots through 100,000 random insertions, removals and moves") {
    test::Random random;
    SlotMap slots;
    std::map<std::uint32_t, std::pair<ColliderId, std::int32_t>> model;  // by index
    std::vector<ColliderId> dead;
    int wrong = 0;
    for (int i = 0; i < test::many / 10; ++i) {
        const int dice = random.integer(1, 10);
        if (model.empty() || dice <= 4) {
            const ColliderId id = slots.insert(i);
            if (!model.emplace(id.index, std::pair{id, i}).second) ++wrong;
            continue;
        }
        const auto first = model.lower_bound(static_cast<std::uint32_t>(random.integer(0, 500)));
        auto& [id, slot] = (first == model.end() ? model.begin() : first)->second;
        if (slots.slot_of(id) != slot) ++wrong;
        if (dice <= 6) {
            slots.relocate(id.index, slot = -7 - i);
        } else if (dice <= 9) {
            dead.push_back(id);
            slots.erase(id);
            model.erase(dead.back().index);
        }
        if (!dead.empty() && slots.slot_of(dead[random.bits() % dead.size()]) != SlotMap::no_slot) {
            ++wrong;
        }
    }
    CHECK(wrong == 0);
    CHECK(dead.size() > 1'000);
}

TEST_CASE("an id of nothing has no slot") {
    SlotMap slots;
    CHECK(slots.slot_of(ColliderId{}) == SlotMap::no_slot);
    const ColliderId id = slots.insert(5);
    CHECK(slots.slot_of(ColliderId{id.index, id.generation + 1}) == SlotMap::no_slot);
    CHECK(slots.slot_of(ColliderId{id.index + 1, id.generation}) == SlotMap::no_slot);
    CHECK(slots.slot_of(ColliderId{}) ==
          SlotMap::no_slot);  // index 0 lives, generation 0 never does
    CHECK(slots.slot_of(id) == 5);
}

TEST_CASE("indices are used again last in, first out, each time under a new generation") {
    SlotMap slots;
    const ColliderId a = slots.insert(0), b = slots.insert(1), c = slots.insert(2);
    slots.erase(a);
    slots.erase(c);
    const ColliderId again = slots.insert(7);
    CHECK(again.index == c.index);
    CHECK(again.generation == c.generation + 1);
    CHECK(slots.insert(8).index == a.index);
    CHECK(slots.insert(9).index == 3);
    CHECK(slots.slot_of(b) == 1);
}

TEST_CASE("the indices can be walked: living ones have their slots, free ones none") {
    SlotMap slots;
    const ColliderId a = slots.insert(4);
    const ColliderId b = slots.insert(6);
    slots.erase(a);
    CHECK(slots.size() == 2);
    CHECK(slots.slot_at(a.index) == SlotMap::no_slot);
    CHECK(slots.slot_at(b.index) == 6);
}

}  // namespace slot_map_test

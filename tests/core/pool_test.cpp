// SPDX-License-Identifier: MIT
// Does a Pool keep things at their places, and use free places again?
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/core/pool.hpp>

#include "../support/random.hpp"

namespace pool_test {

using namespace phys2d;
using detail::Pool;

TEST_CASE("things stay at their places through random calls, and so they do in copies") {
    struct Thing {
        std::int32_t place;
        int value;
    };
    test::Random random;
    Pool<std::vector<int>> pool;
    std::vector<Thing> things;
    std::vector<std::int32_t> free;  // the one to be used next is last
    for (int i = 0; i < test::many / 100; ++i) {
        if (things.empty() || random.one_in(2)) {
            const auto next = static_cast<std::int32_t>(things.size());
            const std::int32_t expected = free.empty() ? next : free.back();
            if (!free.empty()) free.pop_back();
            const std::int32_t place = pool.add(std::vector<int>(3, i));
            CHECK(place == expected);
            things.push_back({place, i});
        } else {
            Thing& thing = things[random.bits() % things.size()];
            pool.remove(thing.place);
            free.push_back(thing.place);
            thing = things.back();
            things.pop_back();
        }
        if (random.one_in(20)) {
            Pool<std::vector<int>> other = pool;
            (void)other.add({});
            other = pool;
            if (random.one_in(2)) pool = static_cast<Pool<std::vector<int>>&&>(other);
        }
        bool all = true;
        for (const Thing& thing : things) {
            all = all && pool[thing.place] == std::vector<int>(3, thing.value);
        }
        CHECK(all);
    }
}

}  // namespace pool_test

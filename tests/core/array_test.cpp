// SPDX-License-Identifier: MIT
// Is Array a vector of plain data: growing, copying, moving, aligned?
#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/core/array.hpp>

#include "../support/random.hpp"

namespace array_test {

using namespace phys2d;
using detail::Array;

namespace {

Array<int> counting(int count) {
    Array<int> array;
    for (int i = 0; i < count; ++i) array.push_back(i);
    return array;
}

bool equal(const Array<int>& array, const std::vector<int>& expected) {
    return std::vector<int>(array.begin(), array.end()) == expected;
}

}  // namespace

TEST_CASE("10,000 random calls leave what a std::vector has") {
    test::Random random;
    Array<int> array;
    std::vector<int> model;
    int wrong = 0;
    for (int i = 0; i < 10'000; ++i) {
        const auto size = static_cast<std::size_t>(random.integer(0, 50));
        switch (random.integer(0, 7)) {
            case 0: array.resize(size), model.resize(size); break;
            case 1: array.assign(size, i), model.assign(size, i); break;
            case 2: array.clear(), model.clear(); break;
            case 3: array.reserve(size); break;
            case 4:
                if (!model.empty()) array.pop_back(), model.pop_back();
                break;
            default: array.push_back(i), model.push_back(i); break;
        }
        if (!equal(array, model) || array.empty() != model.empty()) ++wrong;
        if (array.capacity() < array.size()) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("data starts on a cache line, whatever the element") {
    Array<char> bytes;
    Array<double> doubles;
    for (int i = 0; i < 1'000; ++i) {
        bytes.push_back('x');
        doubles.push_back(0.0);
        CHECK(reinterpret_cast<std::uintptr_t>(bytes.data()) % 64 == 0);
        CHECK(reinterpret_cast<std::uintptr_t>(doubles.data()) % 64 == 0);
    }
}

TEST_CASE("a copy is another array, also when it is assigned over a used one or itself") {
    Array<int> array = counting(20);
    Array<int> copy = array;
    Array<int> longer = counting(50), shorter = counting(3);
    longer = array;
    shorter = array;
    Array<int>& same = array;
    array = same;
    copy[0] = 99;
    CHECK(array[0] == 0);
    CHECK(array.size() == 20);
    CHECK(longer.size() == 20);
    CHECK(shorter.size() == 20);
    CHECK(shorter[19] == 19);
}

TEST_CASE("a move takes the elements along and leaves an empty array that works") {
    Array<int> array = counting(20);
    Array<int> moved = std::move(array);
    Array<int> assigned = counting(3);
    assigned = std::move(moved);
    CHECK(assigned.size() == 20);
    CHECK(array.empty());
    CHECK(moved.empty());
    moved.push_back(7);
    array.push_back(8);
    CHECK(equal(moved, {7}));
    CHECK(equal(array, {8}));
}

TEST_CASE("an element of the array itself can be pushed while it grows") {
    Array<int> array = counting(1);
    array[0] = 42;
    for (int i = 0; i < 1'000; ++i) array.push_back(array[0]);
    CHECK(array.back() == 42);
    array.assign(5'000, array[7]);
    CHECK(array.back() == 42);
}

TEST_CASE("new elements are zero") {
    Array<int> array;
    array.assign(10, 5);
    array.resize(4);
    array.resize(10);
    CHECK(equal(array, {5, 5, 5, 5, 0, 0, 0, 0, 0, 0}));
}

TEST_CASE(
    "scratch is not copied, keeps its own when it is assigned to, and doubles when it grows") {
    detail::Scratch<int> scratch;
    scratch.make_room(10);
    CHECK(scratch.size() == 20);
    scratch[3] = 7;
    scratch.make_room(20);
    CHECK(scratch[3] == 7);
    detail::Scratch<int> copy = scratch;
    CHECK(copy.empty());
    copy.make_room(1);
    copy[0] = 5;
    copy = scratch;
    CHECK(copy.size() == 2);
    CHECK(copy[0] == 5);
    const detail::Scratch<int> moved = std::move(scratch);
    CHECK(moved[3] == 7);
}

TEST_CASE("a cache is not copied, and loses what it has when it is assigned to") {
    detail::Cache<int> cache;
    cache.push_back(7);
    detail::Cache<int> copy = cache;
    CHECK(copy.empty());
    copy.push_back(5);
    const std::size_t room = copy.capacity();
    copy = cache;
    CHECK(copy.empty());
    CHECK(copy.capacity() == room);
    CHECK(cache[0] == 7);
    copy = std::move(cache);
    CHECK(copy[0] == 7);
}

TEST_CASE("room that is made by doubling the size is no larger than that") {
    detail::Scratch<int> scratch;
    Array<int> array;
    scratch.make_room(100);
    array.grow_to_hold(99);
    CHECK(scratch.capacity() == 200);
    CHECK(array.capacity() == 200);
}

TEST_CASE("what is assigned fits exactly at first, and has headroom once it has had to grow") {
    const Array<int> long_one = counting(100);
    Array<int> copy = long_one;
    CHECK(copy.capacity() == 100);
    Array<int> used = counting(10);
    used = long_one;
    CHECK(used.size() == 100);
    CHECK(used.capacity() >= 125);
    CHECK(used.capacity() <= 150);
}

}  // namespace array_test

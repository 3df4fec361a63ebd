// SPDX-License-Identifier: MIT
// Are members read as they were written, with all that they own?
#include <string>

#include <doctest/doctest.h>

#include <phys2d/core/archive.hpp>
#include <phys2d/core/pool.hpp>

namespace archive_test {

using namespace phys2d;
using namespace phys2d::detail;

namespace {

struct Pair {
    int first = 0;
    int second = 0;
};

/// One member of each sort.
struct Box {
    Array<Pair> pairs;
    Scratch<int> scratch;
    Pool<Array<float>> pool;
    const char* name = "";
    std::size_t size = 0;
    bool marks[3] = {};
    double number = 0.0;

    void list_members(auto& archive) {
        archive(*this, pairs, scratch, pool, name, size, marks, number);
    }
};

struct Whole {
    int a;
    double b;
    bool c;
};

struct Full {
    float a;
    bool b[3];
    bool c;
};

std::string bytes_of(Box& box) {
    ByteWriter counted(nullptr);
    counted.add(box);
    std::string bytes(counted.written(), '?');
    ByteWriter writer(reinterpret_cast<unsigned char*>(bytes.data()));
    writer.add(box);
    CHECK(writer.written() == bytes.size());
    return bytes;
}

void read(Box& box, const std::string& bytes) {
    ByteReader reader({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
    reader.add(box);
    reader.require_end();
}

Box filled_box() {
    Box box;
    for (int i = 0; i < 5; ++i) box.pairs.push_back({i, 10 * i});
    box.scratch.push_back(7);
    Array<float> floats;
    floats.push_back(1.5f);
    for (int i = 0; i < 3; ++i) (void)box.pool.add(floats);
    box.pool.remove(1);
    box.name = "saved";
    box.size = 1u << 31;
    box.marks[2] = true;
    box.number = -0.5;
    return box;
}

}  // namespace

TEST_CASE("what was written is read: arrays, pools and numbers, but no scratch and no pointers") {
    Box box = filled_box();
    const std::string bytes = bytes_of(box);
    Box other;
    other.name = "loaded";
    other.pairs.push_back({});
    read(other, bytes);
    REQUIRE(other.pairs.size() == 5);
    CHECK(other.pairs[4].second == 40);
    CHECK(other.scratch.empty());
    CHECK(other.pool[2][0] == 1.5f);
    CHECK(other.pool.add({}) == 1);  // the free place
    CHECK(std::string(other.name) == "loaded");
    CHECK(other.size == 1u << 31);
    CHECK(other.marks[2]);
    CHECK_FALSE(other.marks[0]);
    CHECK(other.number == -0.5);
}

TEST_CASE("a list without one of the members does not fill its class") {
    CHECK(are_all<Whole, int, double, bool>());
    CHECK_FALSE(are_all<Whole, int, double>());
    CHECK_FALSE(are_all<Whole, double, bool>());
    CHECK_FALSE(
        are_all<Box, Array<Pair>, Scratch<int>, const char*, std::size_t, bool[3], double>());
}

TEST_CASE("plain data with gaps, in the middle or at its end, is told from other") {
    CHECK_FALSE(has_gaps<Pair>());
    CHECK_FALSE(has_gaps<Full>());
#if defined(__GNUC__) && !defined(__clang__)
    CHECK(has_gaps<Whole>());
    struct Short {
        std::int32_t a;
        bool b;
    };
    CHECK(has_gaps<Short>());
#endif
}

TEST_CASE("bytes that end too early, or hold other records, are refused in words") {
    Box box = filled_box();
    const std::string bytes = bytes_of(box);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        CAPTURE(size);
        CHECK_THROWS_AS(read(box, bytes.substr(0, size)), Error);
    }
    CHECK_THROWS_AS(read(box, bytes + '?'), Error);
    CHECK_THROWS_WITH_AS(read(box, bytes.substr(0, 3)),
                         "load: at byte 0 of 3 are 8 records of 1 bytes, expected the members that "
                         "phys2d " PHYS2D_VERSION_STRING " has",
                         Error);
    std::string other = bytes;
    other[0] = 12;
    const std::string told = "load: at byte 16 of " + std::to_string(bytes.size()) +
                             " are 5 records of 12 bytes, expected the members that "
                             "phys2d " PHYS2D_VERSION_STRING " has";
    CHECK_THROWS_WITH_AS(read(box, other), told.c_str(), Error);
}

}  // namespace archive_test

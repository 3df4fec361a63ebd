// SPDX-License-Identifier: MIT
// Does the hash of a state change with any bit of it, and with nothing else?
#include <set>

#include <doctest/doctest.h>

#include <scenes/scenes.hpp>

namespace state_hash_test {

using namespace phys2d;

namespace {

float with_bit_flipped(float x, unsigned bit) {
    return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, x) ^ (1u << bit));
}

}  // namespace

TEST_CASE("the hash changes with each bit of each component of a position or a velocity") {
    World world;
    const BodyId ball =
        world.create_body({.position = {1.5f, -2.25f}, .velocity = {0.375f, 7.0f}}, Circle{0.5f});
    std::set<std::uint64_t> hashes{world.state_hash()};
    std::size_t states = 1;
    for (unsigned bit = 0; bit < 32; ++bit) {
        for (int component = 0; component < 4; ++component) {
            World other = world;
            Vec2 position = other.body(ball).position();
            Vec2 velocity = other.body(ball).velocity();
            float* const fields[] = {&position.x, &position.y, &velocity.x, &velocity.y};
            *fields[component] = with_bit_flipped(*fields[component], bit);
            if (!is_finite(position) || !is_finite(velocity)) continue;
            other.body(ball).teleport(position);
            other.velocities()[0] = velocity;
            hashes.insert(other.state_hash());
            ++states;
        }
    }
    CHECK(states > 120);
    CHECK(hashes.size() == states);
}

TEST_CASE("the hash tells -0 from 0") {
    World world;
    const BodyId ball = world.create_body({}, Circle{0.5f});
    const std::uint64_t before = world.state_hash();
    world.body(ball).set_velocity({-0.0f, 0.0f});
    CHECK(world.state_hash() != before);
}

TEST_CASE("the hash changes when a body comes, goes, or comes again at the same place") {
    World world;
    std::set<std::uint64_t> hashes{world.state_hash()};
    for (int i = 0; i < 10; ++i) {
        const BodyId ball = world.create_body({}, Circle{0.5f});
        hashes.insert(world.state_hash());  // another generation each time
        world.destroy_body(ball);
    }
    CHECK(hashes.size() == 11);
    CHECK(world.state_hash() == World().state_hash());
}

TEST_CASE("the hash goes by ids, not by slots") {
    const auto build = [](bool swap_slots) {
        World world;
        const BodyId a = world.create_body({.position = {1.0f, 0.0f}}, Circle{0.5f});
        world.create_body({.position = {2.0f, 0.0f}}, Circle{0.5f});
        if (swap_slots) {
            world.body(a).set_type(BodyType::Static);
            world.body(a).set_type(BodyType::Dynamic);
        }
        return world;
    };
    const World plain = build(false), swapped = build(true);
    CHECK(plain.ids()[0] != swapped.ids()[0]);
    CHECK(plain.state_hash() == swapped.state_hash());
}

TEST_CASE("a world in which a body in the middle was destroyed hashes like its copy") {
    World world;
    BodyId ids[5];
    for (BodyId& id : ids) id = world.create_body({.position = {1.0f, 2.0f}}, Circle{0.5f});
    for (const int i : {4, 1, 0}) {
        world.destroy_body(ids[i]);
        const World copy = world;
        CHECK(copy.state_hash() == world.state_hash());
    }
}

TEST_CASE("what order words are added in counts, and so does each of their bits") {
    StateHash one, other;
    one.add(1), one.add(2);
    other.add(2), other.add(1);
    CHECK(one.value() != other.value());
    std::set<std::uint64_t> values;
    for (int bit = 0; bit < 64; ++bit) {
        StateHash hash;
        hash.add(std::uint64_t{1} << bit);
        hash.add(7);
        values.insert(hash.value());
    }
    CHECK(values.size() == 64);
}

}  // namespace state_hash_test

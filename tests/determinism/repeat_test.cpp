// SPDX-License-Identifier: MIT
// Does every scene give equal bits when it is played again: alone, interleaved, from a copy, after
// another world lived in the same memory? SCENES [29]
#include <doctest/doctest.h>

#include "played_scenes.hpp"

using namespace phys2d;

TEST_CASE("every scene played twice at once gives equal bits after each step") {
    for (const test::PlayedScene& scene : test::played_scenes) {
        CAPTURE(scene.name);
        test::Played first = scene.begin();
        test::Played second = scene.begin();
        bool same = true;
        for (int i = 0; i < 100; ++i) {
            test::play(first, scene, 1);
            test::play(second, scene, 1);
            same = same && first.world.state_hash() == second.world.state_hash();
        }
        CHECK(same);
    }
}

TEST_CASE("a scene assigned over a used world of another scene gives equal bits") {
    for (const test::PlayedScene& scene : test::played_scenes) {
        CAPTURE(scene.name);
        test::Played used = test::played_scenes[1].begin();
        test::play(used, test::played_scenes[1], 20);
        test::Played fresh = scene.begin();
        used = scene.begin();
        test::play(fresh, scene, 60);
        test::play(used, scene, 60);
        CHECK(used.world.state_hash() == fresh.world.state_hash());
    }
}

TEST_CASE("every scene goes on from a copy made in the middle to equal bits") {
    for (const test::PlayedScene& scene : test::played_scenes) {
        CAPTURE(scene.name);
        test::Played original = scene.begin();
        test::play(original, scene, 50);
        test::Played copy = original;
        test::play(original, scene, 50);
        test::play(copy, scene, 50);
        CHECK(copy.world.state_hash() == original.world.state_hash());
    }
}

TEST_CASE("a bit changed in one position is a different state a hundred steps later") {
    for (const test::PlayedScene& scene : test::played_scenes) {
        CAPTURE(scene.name);
        test::Played original = scene.begin();
        test::Played changed = original;
        BodyRef body = changed.world.body(changed.world.ids()[0]);
        Vec2 place = body.position();
        place.x = __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, place.x) ^ 1u);
        body.teleport(place);
        test::play(original, scene, 100);
        test::play(changed, scene, 100);
        CHECK(changed.world.state_hash() != original.world.state_hash());
    }
}

// SPDX-License-Identifier: MIT
// Does every build, on every machine, at every width of lanes, compute the same bits? SCENES [29]
// The hashes below were computed once; a mismatch prints the row that belongs in the table if the
// engine has been changed on purpose. `before` is the hash of a scene before its first step: where
// that differs, the scene was built differently; where it does not, the engine ran differently.
// `saved` is the sum of the bytes that the world is saved as in the end: where that alone differs,
// a World stores something else, or in another order, so that worlds saved before are of another
// version.
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "../support/commotion.hpp"
#include "played_scenes.hpp"

using namespace phys2d;

namespace {

constexpr int steps = 300;

struct Golden {
    std::string_view scene;
    std::uint64_t before;
    std::uint64_t after;
    std::uint64_t saved;
};

constexpr Golden goldens[] = {
    {"pyramid", 0xB06D1EF843180278, 0x1AD3900318DD26F6, 0x71D8FF25D2F4BE15},
    {"pile", 0x7F4752CAEDF20EEF, 0x26B7A25D36EE6974, 0x9FFAA8709FE4242D},
    {"swarm", 0xDE660AD2DB6FDE54, 0xAA5E072AB3B9B33E, 0x586BE471AF6FF7EB},
    {"gas", 0x5760FEA3370E6C55, 0xBE9EFF1E4625C1D6, 0x58FCDF75568B7DF5},
    {"tiles", 0x87958EFDF87BF26F, 0x40615FB88DFC4E11, 0x4E3A48EBCD19D60D},
    {"churn", 0x03DAB272AD33E352, 0xDBA51C231930D78F, 0xF794C3429302D310},
    {"everything", 0xA690021AC30C6EEA, 0xBADCEBAF4AE6505F, 0x8850278CCCCDACA3},
    {"playground", 0x20A29432CC601DAC, 0x611D6213AFCC7E3E, 0x585FBFAB702FB586},
    {"landscape", 0x4FAE1A7271FAB75C, 0x4D46B17AE35D86E8, 0xDAEAE8F2575870EA},
};

/// Of worlds in which anything may happen, all of them summed up, after each of their steps.
constexpr Golden golden_commotions{"commotions", 0xCDAD5A39DFDC0199, 0xF60749C8CFB64123,
                                   0xAAEC4D2FACD9A7F8};

/// What is found in such worlds, summed up: by rays, by casts of shapes, and as the nearest body.
constexpr Golden golden_queries{"queries", 0xAC878CBDD873A6C8, 0xDB7818615E404176,
                                0xA1E05DD8528FA99E};

/// The row of the table, as source text.
std::string row_of(const Golden& golden) {
    char text[160];
    std::snprintf(text, sizeof text, "{\"%s\", 0x%016llX, 0x%016llX, 0x%016llX},",
                  golden.scene.data(), static_cast<unsigned long long>(golden.before),
                  static_cast<unsigned long long>(golden.after),
                  static_cast<unsigned long long>(golden.saved));
    return text;
}

Golden expected_of(std::string_view scene) {
    for (const Golden& golden : goldens) {
        if (golden.scene == scene) return golden;
    }
    return {scene, 0, 0, 0};
}

std::uint64_t sum_of_saved(const World& world) {
    std::string bytes;
    world.save(bytes);
    return detail::checksum(detail::contents_of(bytes));
}

Golden actual_of(const test::PlayedScene& scene) {
    test::Played played = scene.begin();
    const std::uint64_t before = played.world.state_hash();
    test::play(played, scene, steps);
    return {scene.name, before, played.world.state_hash(), sum_of_saved(played.world)};
}

void add(std::uint64_t& sum, std::uint64_t hash) { sum = sum * 31 + hash; }
void add(std::uint64_t& sum, float x) {
    add(sum, std::uint64_t{__builtin_bit_cast(std::uint32_t, x)});
}
void add(std::uint64_t& sum, Vec2 v) { add(sum, v.x), add(sum, v.y); }
void add(std::uint64_t& sum, const QueryHit& hit) {
    add(sum, std::uint64_t{hit.collider.index});
    add(sum, hit.fraction);
    add(sum, hit.normal);
    add(sum, hit.point);
}

Golden actual_of_commotions() {
    constexpr std::uint64_t worlds = 24;
    constexpr int short_run = 100;
    Golden sums{golden_commotions.scene, 0, 0, 0};
    for (std::uint64_t seed = 1; seed <= worlds; ++seed) {
        test::Commotion played(seed);
        add(sums.before, played.world.state_hash());
        for (int i = 0; i < short_run; ++i) {
            played.before_step();
            played.world.step();
            add(sums.after, played.world.state_hash());
            if (i % 4 == 3) add(sums.saved, sum_of_saved(played.world));
        }
    }
    return sums;
}

Golden actual_of_queries() {
    constexpr std::uint64_t worlds = 16;
    constexpr int short_run = 60, per_step = 4;
    std::uint64_t rays = 0, casts = 0, nearest = 0;
    for (std::uint64_t seed = 1; seed <= worlds; ++seed) {
        test::Commotion played(seed);
        test::Random random(seed);
        for (int i = 0; i < short_run * per_step; ++i) {
            if (i % per_step == 0) played.before_step(), played.world.step();
            const Vec2 from = random.point(10.0f) + Vec2{0.0f, 8.0f};
            const Vec2 way = random.point(15.0f);
            const float size = random.uniform(0.05f, 0.6f);
            const Shape shape =
                i % 2 == 0 ? Shape(Circle{size, from}) : Shape(Box{{size, 0.3f}, from});
            add(rays, played.world.ray_cast(from, way));
            add(casts, played.world.shape_cast(shape, way));
            const NearestBody found = played.world.nearest(from, 5.0f);
            add(nearest, std::uint64_t{found.collider.index});
            add(nearest, found.distance);
        }
    }
    return {golden_queries.scene, rays, casts, nearest};
}

void check_golden(std::string_view name) {
    for (const test::PlayedScene& scene : test::played_scenes) {
        if (scene.name == name) {
            CHECK(row_of(actual_of(scene)) == row_of(expected_of(name)));
        }
    }
}

}  // namespace

TEST_CASE("the table has one row for each scene") {
    CHECK(std::size(goldens) == std::size(test::played_scenes));
    for (std::size_t i = 0; i < std::size(goldens); ++i) {
        CHECK(std::string(goldens[i].scene) == test::played_scenes[i].name);
    }
}

TEST_CASE("a pyramid ends in the golden state") { check_golden("pyramid"); }

TEST_CASE("a pile ends in the golden state") { check_golden("pile"); }

TEST_CASE("a swarm ends in the golden state") { check_golden("swarm"); }

TEST_CASE("a gas ends in the golden state") { check_golden("gas"); }

TEST_CASE("bodies on tiles end in the golden state") { check_golden("tiles"); }

TEST_CASE("a tray in which bodies come and go ends in the golden state") { check_golden("churn"); }

TEST_CASE("bounces, damping, sweepers and impulses together end in the golden state") {
    check_golden("everything");
}

TEST_CASE("platforms, conveyors, lifts, presses, bullets and explosions end in the golden state") {
    check_golden("playground");
}

TEST_CASE("tiles that come and go, slopes, hills and a map that moves end in the golden state") {
    check_golden("landscape");
}

TEST_CASE("worlds in which anything may happen go through the golden states") {
    CHECK(row_of(actual_of_commotions()) == row_of(golden_commotions));
}

TEST_CASE("queries find in such worlds what the golden ones found, to the last bit") {
    CHECK(row_of(actual_of_queries()) == row_of(golden_queries));
}

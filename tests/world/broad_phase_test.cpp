// SPDX-License-Identifier: MIT
// Does the broad phase know every pair that can touch in a step, and each once, whatever bodies do?
// Held against brute force over all bodies, with the positions that the solver is about to reach.
#include <map>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/collision/overlap.hpp>
#include <phys2d/world/broad_phase.hpp>

#include "../support/random.hpp"

using namespace phys2d;
using detail::at;

namespace {

constexpr float dt = 1.0f / 60.0f;

/// Bodies that are moved by hand, as a step would between two updates.
struct Flock {
    detail::Bodies bodies;
    detail::BroadPhase broad_phase;
    detail::Contacts contacts;
    detail::Array<detail::simd::Record4> drive;
    test::Random random;

    void add(BodyType type) {
        const float size =
            random.one_in(10) ? random.uniform(1.0f, 6.0f) : random.uniform(0.1f, 0.5f);
        const BodyDef def{.type = type,
                          .position = random.point(8.0f),
                          .velocity = random.point(random.one_in(8) ? 60.0f : 3.0f)};
        const Shape shape =
            random.one_in(2) ? Shape(Circle{size}) : Shape(Box{{size, 0.5f * size}});
        bodies.insert(def, shape, {}, {}, type == BodyType::Dynamic ? 1.0f : 0.0f);
        broad_phase.forget_pairs();
        if (type == BodyType::Static) broad_phase.forget_statics();
    }

    void erase(std::int32_t slot) {
        if (bodies.types[at(slot)] == BodyType::Static) broad_phase.forget_statics();
        broad_phase.forget_pairs();
        bodies.erase(slot);
    }

    /// Returns whether all pairs were found anew.
    bool update() {
        drive.assign(at(bodies.ranges.moving_count), {0.0f, 0.0f, 1.0f, 0.0f});
        for (std::int32_t i = 0; i < bodies.ranges.moving_count; ++i) bodies.refresh_narrow(i);
        detail::Alone alone;
        const detail::PairRules rules{dt, 4, 0.1f, mix_friction, mix_restitution};
        return broad_phase.update<PHYS2D_LANES>(bodies, drive.data(), rules, contacts, alone);
    }

    void move() {
        for (std::int32_t i = 0; i < bodies.ranges.moving_count; ++i) {
            bodies.positions[at(i)] += bodies.velocities[at(i)] * dt;
            if (random.one_in(30)) bodies.velocities[at(i)] = random.point(25.0f);  // an impact
        }
        if (random.one_in(10)) {  // a teleport
            bodies.positions[at(random.integer(0, bodies.ranges.moving_count - 1))] =
                random.point(8.0f);
        }
    }

    /// Over the way of this step the boxes of a and b touch.
    [[nodiscard]] bool may_touch(std::int32_t a, std::int32_t b) const {
        const auto swept = [&](std::int32_t i) {
            const AABB box = translate(bounds(bodies.shapes[at(i)]), bodies.positions[at(i)]);
            return merge(box, translate(box, bodies.velocity(i) * dt));
        };
        return overlaps(swept(a), swept(b));
    }

    /// Pairs that are missing or there twice.
    [[nodiscard]] int wrong_pairs() const {
        std::map<std::pair<std::uint32_t, std::uint32_t>, int> known;
        for (std::size_t i = 0; i < contacts.blocks.size(); ++i) {
            for (int lane = 0; lane < detail::block_size; ++lane) {
                if (contacts.blocks[i].share_a[lane] + contacts.blocks[i].share_b[lane] == 0.0f)
                    continue;
                ++known[{contacts.pairs[i].a[lane], contacts.pairs[i].b[lane]}];
            }
        }
        int wrong = 0;
        for (const auto& [pair, count] : known) wrong += count != 1 ? 1 : 0;
        for (std::int32_t a = 0; a < bodies.ranges.dynamic_count; ++a) {
            for (std::int32_t b = a + 1; b < bodies.size(); ++b) {
                const std::pair pair{static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)};
                if (may_touch(a, b) && known.find(pair) == known.end()) ++wrong;
            }
        }
        return wrong;
    }
};

}  // namespace

TEST_CASE("no pair that can touch is missing, and none is there twice, while bodies go astray") {
    Flock flock;
    for (int i = 0; i < 150; ++i) flock.add(BodyType::Dynamic);
    for (int i = 0; i < 5; ++i) flock.add(BodyType::Kinematic);
    for (int i = 0; i < 30; ++i) flock.add(BodyType::Static);
    int wrong = 0, found_anew = 0;
    constexpr int steps = test::many / 2'500;
    for (int i = 0; i < steps; ++i) {
        found_anew += flock.update() ? 1 : 0;
        wrong += flock.wrong_pairs();
        flock.move();
        if (i % 40 == 0) flock.add(BodyType::Dynamic), flock.erase(flock.random.integer(0, 100));
    }
    CHECK(wrong == 0);
    CHECK(found_anew > 0);
    CHECK(found_anew < steps * 3 / 4);  // the rest was done by following strays
}

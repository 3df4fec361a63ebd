// SPDX-License-Identifier: MIT
// Static boxes and terrain come, go, move and change while bodies are among them: pairs that are
// kept up to date are those that would be found anew.
#include <algorithm>
#include <vector>

#include <doctest/doctest.h>
#include <phys2d/phys2d.hpp>

#include "../support/random.hpp"

namespace static_edits_test {

using namespace phys2d;

namespace {

/// Static boxes on a lattice, so that many abut and overlap, hills, and a raft of tiles, and balls
/// that fall among them and do not meet each other.
class Quarry {
public:
    World world{{.time_to_sleep = 0.2f}};

    explicit Quarry(std::uint64_t seed) : random_(seed) {
        outsider_ = world.create_tile_map({.position = {500.0f, 500.0f}});
        floor_ = world.create_body({.type = BodyType::Static, .position = {0.0f, -6.0f}},
                                   Box{{30.0f, 1.0f}});
        for (int i = 0; i < 40; ++i) add_box();
        for (int i = 0; i < 6; ++i) {
            terrains_.push_back(
                world.create_body({.type = BodyType::Static, .position = lattice_point()},
                                  Polygon{{-1.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 1.5f}}));
        }
        terrains_.push_back(world.create_tile_map({.position = lattice_point()}));
        raft_ = world.tile_map(terrains_.back()).define(1);
        world.tile_map(terrains_.back()).fill({{0, 0}, {3, 0}}, 1);
        for (int i = 0; i < 80; ++i) {
            const Vec2 place{random_.uniform(-9.0f, 9.0f), random_.uniform(3.0f, 9.0f)};
            const Vec2 velocity = random_.point(3.0f);
            const Circle ball{random_.uniform(0.1f, 0.4f)};
            world.create_body({.position = place, .velocity = velocity}, ball, {.friction = 0.3f},
                              {.filter = {.mask = 1, .group = -1}});
        }
    }

    void edit() {
        const auto any =
            static_cast<std::size_t>(random_.integer(0, static_cast<int>(boxes_.size()) - 1));
        BodyRef box = world.body(boxes_[any]);
        switch (random_.integer(0, 8)) {
            case 0: return add_box();
            case 1:
                world.destroy_body(boxes_[any]);
                boxes_.erase(boxes_.begin() + static_cast<std::ptrdiff_t>(any));
                return add_box();
            case 2: return box.teleport(lattice_point());
            case 3: return box.set_shape(random_box());
            case 4: return change_parts();
            case 5: return retype(box);
            case 6: return box.set_filter(any_filter());
            default: return edit_terrain();
        }
    }

    /// So many bodies come and go that all pairs are found anew.
    void stir() {
        std::vector<BodyId> guests;
        for (int i = 0; i < 200; ++i) {
            guests.push_back(
                world.create_body({.position = {0.0f, 100.0f + static_cast<float>(i)}}, Circle{}));
        }
        for (const BodyId guest : guests) world.destroy_body(guest);
    }

    /// The same, but in its next step all pairs are found anew.
    [[nodiscard]] World to_find_anew() const {
        World copy = world;
        (void)copy.tile_map(outsider_).define(1);
        return copy;
    }

private:
    void edit_terrain() {
        const BodyId any = terrains_[static_cast<std::size_t>(random_.integer(0, 6))];
        BodyRef terrain = world.body(any);
        switch (random_.integer(0, 3)) {
            case 0: return terrain.teleport(lattice_point());
            case 1: return terrain.set_enabled(!terrain.is_enabled());
            case 2: return retype(terrain);
            default: return filter_terrain(any);
        }
    }
    void filter_terrain(BodyId terrain) {
        const bool is_raft = terrain == terrains_.back();
        world.collider(is_raft ? raft_ : first_collider(terrain)).set_filter(any_filter());
    }
    static void retype(BodyRef body) {
        body.set_type(body.type() == BodyType::Static ? BodyType::Kinematic : BodyType::Static);
    }
    Filter any_filter() { return {.category = random_.one_in(3) ? 2u : 1u}; }

    Vec2 lattice_point() {
        return Vec2{0.5f, 0.5f} + Vec2{static_cast<float>(random_.integer(-8, 8)),
                                       static_cast<float>(random_.integer(-2, 2))};
    }
    Box random_box() {
        return {{0.5f * static_cast<float>(random_.integer(1, 3)),
                 0.5f * static_cast<float>(random_.integer(1, 3))}};
    }
    void add_box() {
        const Vec2 place = lattice_point();
        const Box box = random_box();
        boxes_.push_back(world.create_body({.type = BodyType::Static, .position = place}, box));
    }

    /// A further collider of the floor comes, or one goes.
    void change_parts() {
        if (parts_.size() == 4 || (!parts_.empty() && random_.one_in(2))) {
            world.destroy_collider(parts_.back());
            return parts_.pop_back();
        }
        Shape part = random_box();
        part.center = lattice_point() + Vec2{0.0f, 6.0f};
        parts_.push_back(world.add_collider(floor_, part));
    }

    test::Random random_;
    BodyId outsider_;
    BodyId floor_;
    std::vector<BodyId> boxes_;
    std::vector<BodyId> terrains_;   // the raft last
    ColliderId raft_;                // its kind of tile
    std::vector<ColliderId> parts_;  // of the floor
};

std::vector<WorldContact> contacts_of(const World& world) {
    std::vector<WorldContact> contacts;
    world.for_each_contact([&](const WorldContact& contact) { contacts.push_back(contact); });
    return contacts;
}

/// The number of contacts that others do not have, but for those that hardly touch, and those of
/// bodies so deep in a box that how far they look decides on their way out.
int count_missing(const std::vector<WorldContact>& contacts,
                  const std::vector<WorldContact>& others) {
    const auto is_deep = [&](const WorldContact& contact) {
        const auto hurts = [&](const WorldContact& c) {
            return c.a == contact.a && c.manifold.penetration > 0.005f;
        };
        return std::any_of(contacts.begin(), contacts.end(), hurts) ||
               std::any_of(others.begin(), others.end(), hurts);
    };
    const auto is_there = [&](const WorldContact& contact) {
        return std::any_of(others.begin(), others.end(), [&](const WorldContact& c) {
            return c.a == contact.a && c.b == contact.b &&
                   dot(c.manifold.normal, contact.manifold.normal) > 0.999f;
        });
    };
    return static_cast<int>(
        std::count_if(contacts.begin(), contacts.end(), [&](const WorldContact& contact) {
            return contact.manifold.penetration > -0.0005f && !is_deep(contact) &&
                   !is_there(contact);
        }));
}

}  // namespace

TEST_CASE(
    "among static boxes and terrain that come, go and change bodies touch what they would anew") {
    int missing = 0, rebuilt = 0, touches = 0;
    constexpr int quarries = test::many / 100'000, steps = 200;
    for (std::uint64_t seed = 1; seed <= quarries; ++seed) {
        Quarry quarry(seed);
        for (int step = 0; step < steps; ++step) {
            if (step % 3 == 0) quarry.edit();
            if (step % 30 == 0) quarry.stir();
            World anew = quarry.to_find_anew();
            anew.step();
            quarry.world.step();
            REQUIRE(anew.stats().pairs_rebuilt);
            rebuilt += quarry.world.stats().pairs_rebuilt;
            const std::vector<WorldContact> kept = contacts_of(quarry.world);
            const std::vector<WorldContact> expected = contacts_of(anew);
            touches += static_cast<int>(expected.size());
            missing += count_missing(kept, expected) + count_missing(expected, kept);
        }
    }
    // the floor inside a box, which is sought from where a body is when its pairs are found
    CHECK(missing <= touches / 10'000);
    CHECK(touches > quarries * steps * 20);
    CHECK(rebuilt < quarries * steps / 3);
}

TEST_CASE("what changes about terrain has the pairs near it found again, and no others") {
    const Polygon hill{{-1.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 1.0f}};
    for (const BodyType type : {BodyType::Static, BodyType::Kinematic}) {
        World world;
        world.create_body({.type = BodyType::Static}, HalfSpace{});
        for (int i = 0; i < 100; ++i) {
            world.create_body({.position = {3.0f + 1.5f * static_cast<float>(i), 0.5f}},
                              Box{{0.5f, 0.5f}});
        }
        const BodyId map = world.create_tile_map({.type = type, .position = {-5.0f, 0.0f}});
        const ColliderId kind = world.tile_map(map).define(1);
        world.tile_map(map).set({0, 0}, 1);
        const BodyId ramp = world.create_body({.type = type}, hill);
        const auto finds_all = [&] {
            world.step();
            return world.stats().pairs_rebuilt;
        };
        for (int i = 0; i < 60; ++i) (void)finds_all();
        world.body(ramp).set_filter({.category = 2});
        CHECK_FALSE(finds_all());
        for (const ColliderId collider : {first_collider(ramp), kind}) {
            BodyRef body = world.body(world.collider(collider).body());
            world.collider(collider).set_material({.friction = 0.1f});
            CHECK_FALSE(finds_all());
            body.teleport(body.position() + Vec2{1.0f, 0.0f});
            CHECK_FALSE(finds_all());
            body.set_enabled(false);
            CHECK_FALSE(finds_all());
            body.set_enabled(true);
            CHECK_FALSE(finds_all());
            body.set_type(BodyType::Static);
            CHECK_FALSE(finds_all());
        }
    }
}

}  // namespace static_edits_test

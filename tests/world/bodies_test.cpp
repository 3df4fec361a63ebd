// SPDX-License-Identifier: MIT
// Do bodies come, go and change at any time between steps, and keep their names and their data?
#include <map>
#include <vector>

#include <doctest/doctest.h>

#include "../support/random_shapes.hpp"
#include "bad_input.hpp"

namespace bodies_test {

using namespace phys2d;

namespace {

/// What the model of the randomised test knows about a body.
struct Expected {
    BodyDef def;
    Shape shape;
    bool is_enabled = true;
};

using Model = std::map<std::uint64_t, Expected>;

std::uint64_t key_of(BodyId id) { return std::uint64_t{id.generation} << 32 | id.index; }

BodyType random_type(test::Random& random) { return static_cast<BodyType>(random.integer(0, 2)); }

void create_one(World& world, Model& model, test::Random& random, std::uint64_t user_data) {
    const BodyDef def{.type = random_type(random),
                      .position = random.point(1e3f),
                      .velocity = random.point(5.0f),
                      .mass = random.one_in(4) ? 0.0f : random.uniform(0.1f, 9.0f),
                      .user_data = user_data};
    const Shape shape = test::random_shape(random);
    const BodyId id = world.create_body(def, shape);
    const bool is_new = model.emplace(key_of(id), Expected{def, shape}).second;
    CHECK(is_new);  // an id is never given twice
}

Model::iterator random_entry(Model& model, test::Random& random) {
    return std::next(model.begin(), random.integer(0, static_cast<int>(model.size()) - 1));
}

BodyId id_of(Model::iterator entry) {
    return {static_cast<std::uint32_t>(entry->first),
            static_cast<std::uint32_t>(entry->first >> 32)};
}

void change_one(World& world, Model& model, test::Random& random) {
    const auto entry = random_entry(model, random);
    BodyRef body = world.body(id_of(entry));
    BodyDef& def = entry->second.def;
    switch (random.integer(0, 4)) {
        case 0: body.set_type(def.type = random_type(random)); break;
        case 1: body.set_mass(def.mass = random.uniform(0.0f, 3.0f)); break;
        case 2: body.teleport(def.position = random.point(1e3f)); break;
        case 3: body.set_enabled(entry->second.is_enabled = random.one_in(2)); break;
        default: body.set_user_data(def.user_data = random.bits()); break;
    }
}

bool agrees(const World& world, BodyId id, const Expected& expected) {
    const ConstBodyRef body = world.body(id);
    return body.is_enabled() == expected.is_enabled && body.type() == expected.def.type &&
           body.position() == expected.def.position && body.mass() == expected.def.mass &&
           body.user_data() == expected.def.user_data && body.shape() == expected.shape;
}

/// The columns hold each body of the model once, and entry i of each belongs to the same body.
bool columns_agree(World& world, const Model& model) {
    bool same = world.body_count() == model.size() && world.ids().size() == model.size() &&
                world.positions().size() == model.size() &&
                world.velocities().size() == model.size() &&
                world.shapes().size() == model.size() && world.types().size() == model.size();
    std::map<std::uint64_t, int> seen;
    for (std::size_t i = 0; same && i < world.body_count(); ++i) {
        const BodyId id = world.ids()[i];
        const ConstBodyRef body = world.body(id);
        same = ++seen[key_of(id)] == 1 && model.count(key_of(id)) == 1 &&
               world.positions()[i] == body.position() &&
               world.previous_positions()[i] == body.interpolated_position(0.0f) &&
               world.velocities()[i] == body.velocity() && world.shapes()[i] == body.shape() &&
               world.types()[i] == body.type();
    }
    return same;
}

}  // namespace

TEST_CASE("10,000 random creations, destructions and changes leave what a std::map expects") {
    test::Random random;
    World world;
    Model model;
    std::vector<BodyId> dead;
    bool right = true;
    for (std::uint64_t i = 0; i < 10'000; ++i) {
        const int dice = random.integer(1, 10);
        if (model.empty() || dice <= (model.size() < 200 ? 4 : 2)) {
            create_one(world, model, random, i);
        } else if (dice <= 7) {
            change_one(world, model, random);
        } else {
            const auto entry = random_entry(model, random);
            dead.push_back(id_of(entry));
            world.destroy_body(dead.back());
            model.erase(entry);
        }
        if (!model.empty()) {
            const auto entry = random_entry(model, random);
            right = right && agrees(world, id_of(entry), entry->second);
        }
        if (i % 100 == 0) right = right && columns_agree(world, model);
        if (!dead.empty()) right = right && !world.contains(dead[i % dead.size()]);
    }
    for (auto entry = model.begin(); entry != model.end(); ++entry) {
        right = right && agrees(world, id_of(entry), entry->second);
    }
    CHECK(right);
    CHECK(columns_agree(world, model));
}

TEST_CASE("bodies created and destroyed between steps leave a world of finite numbers") {
    test::Random random;
    World world;
    world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{50.0f, 1.0f}});
    std::vector<BodyId> ids;
    bool finite = true;
    for (int i = 0; i < 1'000; ++i) {
        if (ids.size() < 60 || random.one_in(2)) {
            ids.push_back(world.create_body(
                {.type = random.one_in(9) ? random_type(random) : BodyType::Dynamic,
                 .position = random.point(8.0f) + Vec2{0.0f, 8.0f}},
                test::random_shape(random)));
        } else {
            const auto victim = static_cast<std::ptrdiff_t>(random.bits() % ids.size());
            world.destroy_body(ids[static_cast<std::size_t>(victim)]);
            ids.erase(ids.begin() + victim);
        }
        world.step();
        for (const Vec2 position : world.positions()) finite = finite && is_finite(position);
    }
    CHECK(finite);
    CHECK(world.body_count() == ids.size() + 1);
}

TEST_CASE("an index is used again, under another generation") {
    World world;
    const BodyId first = world.create_body({}, Circle{0.5f});
    world.destroy_body(first);
    const BodyId second = world.create_body({}, Circle{0.5f});
    CHECK(second.index == first.index);
    CHECK(second.generation != first.generation);
    CHECK_FALSE(world.contains(first));
    CHECK(world.contains(second));
}

TEST_CASE("a BodyRef stays good while other bodies come, go and change groups") {
    World world;
    std::vector<BodyId> others;
    for (int i = 0; i < 10; ++i) others.push_back(world.create_body({}, Circle{0.5f}));
    const BodyRef ref =
        world.body(world.create_body({.position = {7.0f, 8.0f}, .user_data = 42}, Circle{0.25f}));
    for (int i = 0; i < 100; ++i) {
        others.push_back(world.create_body(
            {.type = static_cast<BodyType>(i % 3), .position = {0.0f, 1.0f}}, Circle{0.5f}));
        world.body(others[static_cast<std::size_t>(i)])
            .set_type(static_cast<BodyType>((i + 1) % 3));
        world.destroy_body(others[static_cast<std::size_t>(i)]);
        CHECK(ref.position() == Vec2{7.0f, 8.0f});
        CHECK(ref.user_data() == 42);
        CHECK(ref.shape() == Shape(Circle{0.25f}));
    }
}

TEST_CASE("the first moving_count() entries are the colliders that are neither asleep nor static") {
    World world({.gravity = {0.0f, 0.0f}, .time_to_sleep = 0.2f});
    const auto add = [&](BodyType type, float x, Vec2 velocity, float mass) {
        return world.create_body(
            {.type = type, .position = {x, 0.0f}, .velocity = velocity, .mass = mass},
            Circle{0.5f});
    };
    const auto check = [&](std::size_t count) {
        CHECK(world.moving_count() == count);
        for (std::size_t i = 0; i < world.ids().size(); ++i) {
            const bool is_static = world.types()[i] == BodyType::Static;
            CHECK((i < count) == (!is_static && !world.body(world.ids()[i]).is_asleep()));
        }
    };
    check(0);
    add(BodyType::Static, 0.0f, {}, 1.0f);
    const BodyId sleeper = add(BodyType::Dynamic, 3.0f, {}, 1.0f);
    const BodyId runner = add(BodyType::Dynamic, 6.0f, {1.0f, 0.0f}, 1.0f);
    add(BodyType::Kinematic, -6.0f, {}, 1.0f);
    add(BodyType::Dynamic, -3.0f, {0.0f, 1.0f}, 0.0f);
    world.add_collider(runner, Circle{0.25f, {0.0f, 1.0f}});
    check(5);
    for (int i = 0; i < 60; ++i) world.step();
    REQUIRE(world.body(sleeper).is_asleep());
    check(4);
    world.body(sleeper).wake();
    check(5);
    world.body(runner).set_type(BodyType::Static);  // with its two colliders
    check(3);
    world.destroy_body(sleeper);
    check(2);
}

TEST_CASE("what a body is made from can be read back") {
    World world;
    const Material material{.restitution = 0.25f, .friction = 0.75f, .density = 2.0f};
    const BodyRef body = world.body(world.create_body({.type = BodyType::Kinematic,
                                                       .position = {1.0f, 2.0f},
                                                       .velocity = {3.0f, 4.0f},
                                                       .gravity_scale = 0.5f,
                                                       .linear_damping = 0.125f,
                                                       .can_sleep = false,
                                                       .user_data = 99},
                                                      Box{{0.5f, 1.0f}, {0.25f, 0.0f}}, material));
    CHECK(body.type() == BodyType::Kinematic);
    CHECK(body.position() == Vec2{1.0f, 2.0f});
    CHECK(body.velocity() == Vec2{3.0f, 4.0f});
    CHECK(body.gravity_scale() == 0.5f);
    CHECK(body.linear_damping() == 0.125f);
    CHECK_FALSE(body.can_sleep());
    CHECK(body.user_data() == 99);
    CHECK(body.material() == material);
    CHECK(body.mass() == 4.0f);  // 1 m by 2 m at 2 kg/m²
    CHECK(body.inverse_mass() == 0.0f);
    CHECK(body.bounds() == AABB{{0.75f, 1.0f}, {1.75f, 3.0f}});
}

TEST_CASE("colliders with a one-way side are counted, however they come, change and go") {
    test::Random random;
    detail::WorldState world;
    std::vector<BodyId> alive;
    int wrong = 0;
    const auto random_def = [&] {
        return ColliderDef{.one_way = static_cast<OneWay>(random.integer(0, 2))};
    };
    for (int i = 0; i < test::many / 100; ++i) {
        const int dice = random.integer(0, 4);
        if (alive.size() < 5 || (dice == 0 && alive.size() < 50)) {
            const BodyDef def{.type = random_type(random)};
            alive.push_back(detail::create_body(world, def, Circle{1.0f}, {}, random_def()));
            continue;
        }
        BodyId& id = alive[random.bits() % alive.size()];
        if (dice == 1) {
            (void)detail::add_collider(world, id, Circle{1.0f}, {}, random_def());
        } else if (dice == 2) {
            detail::set_collider(world, first_collider(id), random_def(), "set_collider");
        } else if (dice == 3) {
            BodyRef(world, id).set_type(random_type(random));
        } else {
            detail::destroy_body(world, id);
            id = alive.back();
            alive.pop_back();
        }
        std::int32_t count = 0;
        for (const ColliderDef& collider : world.bodies.colliders) {
            count += collider.one_way != OneWay::No ? 1 : 0;
        }
        if (world.bodies.one_way_count != count) ++wrong;
    }
    CHECK(wrong == 0);
}

}  // namespace bodies_test

// SPDX-License-Identifier: MIT
// Does a body with several colliders behave as one?
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "support/random.hpp"

namespace compound_test {

using namespace phys2d;

namespace {

World make_world(float time_to_sleep = 0.0f) {
    return World(WorldConfig{.gravity = {0.0f, -10.0f}, .time_to_sleep = time_to_sleep});
}

void run(World& world, int steps) {
    for (int i = 0; i < steps; ++i) world.step();
}

BodyId add_floor(World& world) {
    return world.create_body({.type = BodyType::Static, .position = {0.0f, -0.5f}},
                             Box{{50.0f, 0.5f}});
}

template <class Call>
std::string sentence_of(Call call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("the mass of a body is that of all its colliders unless it was given") {
    World world;
    const BodyId body = world.create_body({}, Box{{0.5f, 0.5f}}, {.density = 2.0f});
    const ColliderId limb = world.add_collider(body, Box{{1.0f, 0.5f}, {2.0f, 0.0f}});
    CHECK(world.body(body).mass() == 4.0f);
    world.collider(limb).set_shape(Box{{1.0f, 1.0f}, {2.0f, 0.0f}});
    CHECK(world.body(body).mass() == 6.0f);
    world.collider(limb).set_material({.density = 3.0f});
    CHECK(world.body(body).mass() == 14.0f);
    world.body(body).set_shape(Box{{1.0f, 0.5f}});
    CHECK(world.body(body).mass() == 16.0f);
    world.destroy_collider(limb);
    CHECK(world.body(body).mass() == 4.0f);
    world.body(body).set_mass(5.0f);
    world.add_collider(body, Circle{0.5f});
    CHECK(world.body(body).mass() == 5.0f);
    world.body(body).set_mass(mass_from_density);
    CHECK(world.body(body).mass() == doctest::Approx(4.0f + 0.785398f));
}

TEST_CASE("a limb that touches nothing leaves the path of its body as it was, to the bit") {
    test::Random random;
    World one = make_world();
    World other = make_world();
    for (World* world : {&one, &other}) {
        add_floor(*world);
        for (int i = 0; i < 60; ++i) {
            const auto k = static_cast<float>(i);
            const Vec2 place{1.5f * k - 45.0f, 1.0f + 0.05f * k};
            world->create_body({.position = place, .mass = 1.0f},
                               i % 3 == 0 ? Shape(Box{{0.4f, 0.4f}}) : Shape(Circle{0.5f}),
                               {.restitution = i % 2 == 0 ? 0.0f : 0.7f});
        }
    }
    std::vector<BodyId> bodies;
    for (const BodyId id : other.ids()) {
        if (other.body(id).type() == BodyType::Dynamic) bodies.push_back(id);
    }
    for (const BodyId id : bodies) {
        other.add_collider(id, Circle{0.3f, random.point(1.0f)}, {}, {.filter = {.mask = 0}});
    }
    for (int i = 0; i < 200; ++i) {
        one.step();
        other.step();
    }
    for (const BodyId id : bodies) {
        CHECK(one.body(id).position() == other.body(id).position());
        CHECK(one.body(id).velocity() == other.body(id).velocity());
    }
}

TEST_CASE("two half boxes side by side rest, carry and push as the whole one") {
    World world = make_world();
    add_floor(world);
    const BodyId body =
        world.create_body({.position = {0.0f, 2.0f}}, Box{{0.5f, 0.5f}, {-0.5f, 0.0f}});
    world.add_collider(body, Box{{0.5f, 0.5f}, {0.5f, 0.0f}});
    const BodyId on_it = world.create_body({.position = {0.7f, 4.0f}}, Box{{0.25f, 0.25f}});
    run(world, 240);
    CHECK(world.body(body).position().y == doctest::Approx(0.5f).epsilon(0.01));
    CHECK(std::fabs(world.body(body).position().x) < 1e-3f);
    CHECK(world.body(on_it).position().y == doctest::Approx(1.25f).epsilon(0.01));
    const BodyId bullet = world.create_body(
        {.position = {5.0f, 0.5f}, .velocity = {-20.0f, 0.0f}, .mass = 2.0f}, Circle{0.2f});
    world.ignore(bullet, add_floor(world));
    world.body(bullet).set_gravity_scale(0.0f);
    run(world, 14);
    // an inelastic impact of 2 kg on 2 kg, less friction
    CHECK(world.body(body).velocity().x < -8.0f);
    CHECK(world.body(body).velocity().x > -10.0f);
}

TEST_CASE("all colliders of a body are where the body is, whatever it is and does") {
    test::Random random;
    World world = make_world(0.4f);
    add_floor(world);
    std::vector<BodyId> bodies;
    std::vector<ColliderId> limbs;
    for (int step = 0; step < 1500; ++step) {
        const int what = random.integer(0, 30);
        if (what == 0 && bodies.size() < 40) {
            bodies.push_back(world.create_body({.type = static_cast<BodyType>(random.integer(0, 2)),
                                                .position = random.point(10.0f) + Vec2{0.0f, 10.0f},
                                                .velocity = random.point(5.0f)},
                                               Box{{0.4f, 0.3f}}));
        }
        if (bodies.empty()) continue;
        const BodyId body = bodies[static_cast<std::size_t>(
            random.integer(0, static_cast<int>(bodies.size()) - 1))];
        if (what == 1) limbs.push_back(world.add_collider(body, Circle{0.4f, random.point(1.5f)}));
        if (what == 2 && !limbs.empty()) {
            if (world.contains(limbs.back())) world.destroy_collider(limbs.back());
            limbs.pop_back();
        }
        if (what == 3) world.body(body).teleport(random.point(10.0f) + Vec2{0.0f, 10.0f});
        if (what == 4) world.body(body).set_type(static_cast<BodyType>(random.integer(0, 2)));
        if (what == 5) world.body(body).set_velocity(random.point(20.0f));
        if (what == 6 && world.body(body).type() == BodyType::Kinematic) {
            world.body(body).move_to(random.point(10.0f) + Vec2{0.0f, 10.0f});
        }
        if (what == 7) world.body(body).set_mass(random.one_in(2) ? 0.0f : mass_from_density);
        if (what == 8 && bodies.size() > 20) {
            world.destroy_body(bodies.back());
            bodies.pop_back();
        }
        world.step();
        std::size_t limb_count = 0;
        for (std::size_t i = 0; i < world.ids().size(); ++i) {
            const ConstBodyRef owner = std::as_const(world).body(world.ids()[i]);
            CHECK(world.positions()[i] == owner.position());
            CHECK(world.previous_positions()[i] == owner.interpolated_position(0.0f));
            CHECK(world.types()[i] == owner.type());
            limb_count += owner.shape() == world.shapes()[i] ? 0 : 1;
        }
        CHECK(world.body_count() + limb_count == world.ids().size());
    }
}

TEST_CASE("events name the colliders, and end for one that is taken away") {
    World world = make_world();
    const BodyId floor = add_floor(world);
    const BodyId body =
        world.create_body({.position = {0.0f, 1.0f}, .user_data = 1}, Circle{0.5f, {-1.0f, 0.0f}});
    const ColliderId limb = world.add_collider(body, Circle{0.5f, {1.0f, 0.0f}});
    CHECK(world.collider(limb).user_data() == 1);  // of the body
    world.collider(limb).set_user_data(2);
    std::map<std::uint32_t, std::uint64_t> began;
    for (int i = 0; i < 60; ++i) {
        world.step();
        for (const ContactEvent& event : world.events().began) {
            CHECK(event.a == body);
            CHECK(event.b == floor);
            CHECK(event.collider_b == first_collider(floor));
            CHECK(began.count(event.collider_a.index) == 0);
            began[event.collider_a.index] = event.user_data_a;
        }
    }
    CHECK(began.size() == 2);
    CHECK(began[first_collider(body).index] == 1);
    CHECK(began[limb.index] == 2);

    world.destroy_collider(limb);
    world.step();
    REQUIRE(world.events().ended.size() == 1);
    CHECK(world.events().ended[0].a == body);
    CHECK(world.events().ended[0].collider_a == limb);
    CHECK(world.events().ended[0].user_data_a == 2);
    CHECK(world.are_touching(body, floor));

    world.add_collider(body, Circle{0.5f, {1.0f, 0.0f}});
    run(world, 2);
    world.destroy_body(body);
    world.step();
    CHECK(world.events().ended.size() == 2);
}

TEST_CASE("beginnings and ends of contacts between colliders pair up through random changes") {
    test::Random random;
    World world = make_world(0.3f);
    add_floor(world);
    std::vector<BodyId> bodies;
    std::vector<ColliderId> limbs;
    std::map<std::pair<std::uint64_t, std::uint64_t>, int> open;
    const auto count_of = [&](const ContactEvent& event) -> int& {
        const auto key = [](ColliderId id) {
            return std::uint64_t{id.index} << 32 | std::uint64_t{id.generation};
        };
        const std::uint64_t a = key(event.collider_a);
        const std::uint64_t b = key(event.collider_b);
        return open[{a < b ? a : b, a < b ? b : a}];
    };
    const auto pick = [&](auto& list) {
        return list.begin() + random.integer(0, static_cast<int>(list.size()) - 1);
    };
    for (int step = 0; step < test::many / 250; ++step) {
        const int what = random.integer(0, 12);
        if (what < 2 && bodies.size() < 30) {
            bodies.push_back(world.create_body(
                {.position = {random.uniform(-3.0f, 3.0f), random.uniform(0.0f, 4.0f)}},
                Circle{0.4f}));
        }
        if (what == 2 && !bodies.empty()) {
            limbs.push_back(
                world.add_collider(*pick(bodies), Box{{0.3f, 0.3f}, random.point(0.7f)}));
        }
        if (what == 3 && !limbs.empty()) {
            const auto limb = pick(limbs);
            if (world.contains(*limb)) world.destroy_collider(*limb);
            limbs.erase(limb);
        }
        if (what == 4 && bodies.size() > 10) {
            const auto body = pick(bodies);
            world.destroy_body(*body);
            bodies.erase(body);
        }
        if (what == 5 && !bodies.empty())
            world.body(*pick(bodies)).set_velocity(random.point(9.0f));
        world.step();
        for (const ContactEvent& event : world.events().ended) {
            CHECK(--count_of(event) == 0);
        }
        for (const ContactEvent& event : world.events().began) {
            CHECK(event.a != event.b);
            CHECK(++count_of(event) == 1);
        }
    }
    CHECK(open.size() > 100);
    for (const BodyId id : bodies) world.destroy_body(id);
    run(world, 1);
    for (const ContactEvent& event : world.events().ended) --count_of(event);
    for (const auto& [pair, count] : open) CHECK(count == 0);
}

TEST_CASE("a sensor on a body sees the ground under it, and not the body") {
    World world = make_world();
    const BodyId floor = add_floor(world);
    const BodyId hero =
        world.create_body({.position = {0.0f, 3.0f}, .user_data = 9}, Capsule{0.3f, 0.4f});
    const ColliderId feet =
        world.add_collider(hero, Box{{0.2f, 0.1f}, {0.0f, -0.7f}}, {}, {.is_sensor = true});
    int began = 0;
    for (int i = 0; i < 120; ++i) {
        world.step();
        for (const SensorEvent& event : world.events().sensor_began) {
            ++began;
            CHECK(event.sensor == hero);
            CHECK(event.visitor == floor);
            CHECK(event.sensor_collider == feet);
            CHECK(event.sensor_user_data == 9);
        }
    }
    CHECK(began == 1);
    int seen = 0;
    world.for_each_visitor(hero, [&](BodyId visitor) { seen += visitor == floor ? 1 : 100; });
    CHECK(seen == 1);
}

TEST_CASE("a body with limbs sleeps and wakes as one") {
    World world = make_world(0.3f);
    add_floor(world);
    const BodyId body = world.create_body({.position = {0.0f, 0.5f}}, Box{{0.5f, 0.5f}});
    world.add_collider(body, Circle{0.5f, {3.0f, 0.0f}});
    int slept = 0;
    for (int i = 0; i < 90; ++i) {
        world.step();
        slept += static_cast<int>(world.events().fell_asleep.size());
    }
    CHECK(slept == 1);
    REQUIRE(world.body(body).is_asleep());
    CHECK(world.stats().moving_bodies == 0);
    world.create_body({.position = {3.0f, 3.0f}}, Circle{0.3f});
    int woke = 0;
    for (int i = 0; i < 60; ++i) {
        world.step();
        woke += static_cast<int>(world.events().woke.size());
    }
    CHECK(woke == 1);
    run(world, 200);
    REQUIRE(world.body(body).is_asleep());
    world.add_collider(body, Circle{0.2f, {0.0f, 1.0f}});
    CHECK_FALSE(world.body(body).is_asleep());
}

TEST_CASE("queries name body and collider, and leave out all of an excepted body") {
    World world;
    const BodyId body = world.create_body({}, Circle{0.5f});
    const ColliderId limb = world.add_collider(body, Circle{0.5f, {3.0f, 0.0f}});
    const QueryHit hit = world.ray_cast({3.0f, 5.0f}, {0.0f, -10.0f});
    CHECK(hit.body == body);
    CHECK(hit.collider == limb);
    CHECK_FALSE(world.ray_cast({3.0f, 5.0f}, {0.0f, -10.0f}, {.except = body}));
    CHECK(world.nearest({4.0f, 0.0f}, 5.0f).collider == limb);
    CHECK(world.nearest({4.0f, 0.0f}, 5.0f).body == body);
    CHECK(world.body(body).bounds() == AABB{{-0.5f, -0.5f}, {3.5f, 0.5f}});
    world.body(body).teleport({0.0f, 9.0f});
    CHECK(world.ray_cast({3.0f, 5.0f}, {0.0f, 10.0f}).collider == limb);
    world.explode({.center = {1.5f, 9.0f}, .radius = 5.0f, .impulse = world.body(body).mass()});
    CHECK(length(world.body(body).velocity()) == doctest::Approx(1.0f));
}

TEST_CASE("a platform of several colliders carries riders on each, and turns by quarters") {
    World world = make_world();
    const BodyId lift = world.create_body({.type = BodyType::Kinematic}, Box{{1.0f, 0.25f}});
    world.add_collider(lift, Box{{1.0f, 0.25f}, {4.0f, 1.0f}});
    const BodyId low = world.create_body({.position = {0.0f, 0.75f}}, Box{{0.5f, 0.5f}});
    const BodyId high = world.create_body({.position = {4.0f, 1.75f}}, Box{{0.5f, 0.5f}});
    run(world, 20);
    for (int i = 1; i <= 100; ++i) {
        world.body(lift).move_to({0.1f * static_cast<float>(i), 0.0f});
        world.step();
    }
    CHECK(world.body(low).position().x == doctest::Approx(10.0f).epsilon(1e-5));
    CHECK(world.body(high).position().x == doctest::Approx(14.0f).epsilon(1e-5));

    world.body(lift).turn(1);
    CHECK(world.body(lift).bounds() ==
          translate(AABB{{-1.25f, -1.0f}, {0.25f, 5.0f}}, world.body(lift).position()));
    world.body(lift).turn(-5);
    CHECK(world.body(lift).shape() == Shape(Box{{1.0f, 0.25f}}));
    world.body(lift).turn(2);
    CHECK(world.body(lift).bounds() ==
          translate(AABB{{-5.0f, -1.25f}, {1.0f, 0.25f}}, world.body(lift).position()));
}

TEST_CASE("turning a body leaves its mass as it is, to the last bit") {
    World world;
    const BodyId body = world.create_body({}, Box{{0.5f, 0.5f}});  // 1 kg
    world.add_collider(body, Box{{0.5f, 0.5f}, {1.0f, 0.0f}}, {.density = 16777216.0f});
    world.add_collider(body, Box{{0.5f, 0.5f}, {2.0f, 0.0f}});
    const float mass = world.body(body).mass();
    for (int quarters = 1; quarters < 4; ++quarters) {
        world.body(body).turn(quarters);
        CHECK(world.body(body).mass() == mass);
    }
}

TEST_CASE("a half turn wakes what is at one of its ends, and nothing on the way") {
    World world(WorldConfig{.gravity = {0.0f, 0.0f}, .time_to_sleep = 0.2f});
    const BodyId arm = world.create_body({.type = BodyType::Kinematic}, Box{{0.5f, 0.5f}});
    for (int i = 1; i <= 4; ++i) {
        world.add_collider(arm, Box{{0.5f, 0.5f}, {static_cast<float>(i), 0.0f}});
    }
    const BodyId at_start = world.create_body({.position = {4.0f, 1.0f}}, Circle{0.5f});
    const BodyId at_end = world.create_body({.position = {-4.0f, 1.0f}}, Circle{0.5f});
    const BodyId on_the_way = world.create_body({.position = {1.0f, 4.0f}}, Circle{0.5f});
    run(world, 60);
    world.body(arm).turn(2);
    CHECK_FALSE(world.body(at_start).is_asleep());
    CHECK_FALSE(world.body(at_end).is_asleep());
    CHECK(world.body(on_the_way).is_asleep());
}

TEST_CASE("a change of one collider that leaves the mass has no pairs of the others made anew") {
    detail::WorldState world{};
    const BodyId body = detail::create_body(world, {}, Box{{0.5f, 0.5f}}, {}, {});
    ColliderId limb{};
    for (int i = 1; i < 100; ++i) {
        limb = detail::add_collider(world, body, Box{{0.5f, 0.5f}, {static_cast<float>(i), 0.0f}},
                                    {}, {});
    }
    detail::Alone alone;
    detail::step<1>(world, alone);
    REQUIRE(world.bodies.renewed.empty());
    SUBCASE("a filter") { detail::set_collider(world, limb, {.filter = {.mask = 2}}, "set_def"); }
    SUBCASE("a material") { detail::set_material(world, limb, {.friction = 0.1f}); }
    SUBCASE("a shape") { detail::set_shape(world, limb, Box{{0.25f, 1.0f}}); }
    SUBCASE("one more, a sensor") {
        detail::add_collider(world, body, Circle{1.0f}, {}, {.is_sensor = true});
    }
    CHECK(world.bodies.renewed.size() == 1);
}

TEST_CASE("a body that no step has met has no pairs to be made anew with another mass") {
    detail::WorldState world{};
    const BodyId body = detail::create_body(world, {}, Box{{0.5f, 0.5f}}, {}, {});
    BodyRef(world, body).set_mass(2.0f);
    CHECK(world.bodies.renewed.empty());
    detail::Alone alone;
    detail::step<1>(world, alone);
    BodyRef(world, body).set_mass(3.0f);
    CHECK(world.bodies.renewed.size() == 1);
}

TEST_CASE("all colliders of a body have its mass, new or not, on or off") {
    detail::WorldState world{};
    const BodyId body = detail::create_body(world, {}, Box{{0.5f, 0.5f}}, {}, {});
    const detail::Bodies& bodies = world.bodies;
    detail::Alone alone;
    float mass = 1.0f;
    for (int i = 1; i <= 12; ++i) {
        const float x = static_cast<float>(i);
        detail::add_collider(world, body, Box{{0.5f, 0.5f}, {x, 0.0f}}, {}, {});
        mass += 1.0f;
        if (i % 5 == 0) BodyRef(world, body).set_mass(0.0f);
        if (i % 5 == 0) BodyRef(world, body).set_mass(mass_from_density);
        bodies.for_each_of(body, [&](std::int32_t slot) {
            CHECK(bodies.dynamics[slot].mass == mass);
            CHECK(bodies.dynamics[slot].inverse_mass ==
                  (bodies.is_enabled(slot) ? 1.0f / mass : 0.0f));
            CHECK(bodies.narrow.forms[slot].w == bodies.dynamics[slot].inverse_mass);
        });
        if (i % 2 == 0) detail::step<1>(world, alone);
        if (i % 3 == 0) BodyRef(world, body).set_enabled(i % 2 == 0);
    }
}

TEST_CASE("what cannot be done to colliders is said") {
    World world;
    const BodyId body = world.create_body({}, Circle{0.5f});
    const ColliderId limb = world.add_collider(body, Circle{0.5f});
    CHECK(sentence_of([&] { world.destroy_collider(first_collider(body)); }) ==
          "destroy_collider: collider 0 is the first of its body, expected one that was added");
    CHECK(sentence_of([&] { world.add_collider(body, Circle{-1.0f}); }) ==
          "add_collider: the shape's radius is -1, expected a finite number >= 0");
    world.destroy_collider(limb);
    CHECK(sentence_of([&] { (void)world.collider(limb); }) ==
          "collider: collider 1 of generation 1 does not exist, expected the id of a living "
          "collider");
    CHECK(world.body_count() == 1);
    CHECK(world.ids().size() == 1);
}

TEST_CASE("sensors that are added weigh nothing, and an explosion does not reach a body by them") {
    World world({.gravity = {0.0f, 0.0f}});
    const BodyId ball = world.create_body({.position = {3.0f, 0.0f}, .mass = 1.0f}, Circle{0.5f});
    world.add_collider(ball, Circle{5.0f}, {}, {.is_sensor = true});
    world.explode({.radius = 1.0f, .falloff = 2.0f, .impulse = 10.0f});
    CHECK(world.body(ball).velocity() == Vec2{2.5f, 0.0f});

    const BodyId box = world.create_body({}, Box{{0.5f, 0.5f}});
    const ColliderId eye = world.add_collider(box, Circle{5.0f}, {}, {.is_sensor = true});
    CHECK(world.body(box).mass() == 1.0f);
    world.collider(eye).set_shape(Box{{0.5f, 0.5f}});
    CHECK(world.body(box).mass() == 1.0f);
    world.collider(eye).set_def({});
    CHECK(world.body(box).mass() == 2.0f);
}

TEST_CASE("the numbers of a limb are not those of a body") {
    World world;
    const ColliderId limb = world.add_collider(world.create_body({}, Circle{0.5f}), Circle{0.5f});
    const BodyId forged{limb.index, limb.generation};
    CHECK_FALSE(world.contains(forged));
    CHECK(world.contains(limb));
    CHECK(sentence_of([&] { world.destroy_body(forged); }) ==
          "destroy_body: body 1 of generation 1 does not exist, expected the id of a living body");
}

TEST_CASE("a static body of many colliders is made dynamic with the mass of all") {
    World world;
    const BodyId body = world.create_body({.type = BodyType::Static}, Box{{0.5f, 0.5f}});
    for (int i = 1; i < 1000; ++i) {
        world.add_collider(body, Box{{0.5f, 0.5f}, {static_cast<float>(i), 0.0f}});
    }
    world.body(body).set_type(BodyType::Dynamic);
    world.step();
    CHECK(world.body(body).mass() == 1000.0f);
    CHECK(world.body(body).inverse_mass() == 0.001f);
    CHECK(world.body(body).velocity().y == doctest::Approx(-9.81 / 60.0).epsilon(0.001));
}

}  // namespace compound_test

// SPDX-License-Identifier: MIT
// Are bad values refused at the door, with a sentence, and without a trace in the world?
#include <cmath>

#include "bad_input.hpp"

namespace bad_input_test {

using namespace phys2d;
using test::check_error;
using test::infinity;
using test::not_a_number;
using test::not_finite;
using test::WitnessedWorld;

namespace {

/// How printf spells it, as the sentences do.
std::string spelled(float x) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", static_cast<double>(x));
    return text;
}

/// create_body with this definition is refused, in these words.
void check_refuses(const BodyDef& def, const Shape& shape, const Material& material,
                   std::initializer_list<std::string_view> words) {
    WitnessedWorld witness;
    witness.check_refuses([&](World& world) { world.create_body(def, shape, material); }, words);
}

constexpr Circle ball{0.5f};

}  // namespace

TEST_CASE("a NaN or infinite position is refused") {
    for (const float x : not_finite) {
        const std::string value = spelled(x);
        check_refuses({.position = {x, 0.0f}}, ball, {},
                      {"create_body", "position", value, "finite"});
        check_refuses({.position = {0.0f, x}}, ball, {},
                      {"create_body", "position", value, "finite"});
        WitnessedWorld witness;
        witness.check_refuses(
            [&](World& world) {
                world.body(witness.box).teleport({x, 1.0f});
            },
            {"teleport", "position", value, "finite"});
    }
}

TEST_CASE("a NaN or infinite velocity is refused") {
    for (const float x : not_finite) {
        const std::string value = spelled(x);
        check_refuses({.velocity = {0.0f, x}}, ball, {},
                      {"create_body", "velocity", value, "finite"});
        WitnessedWorld witness;
        witness.check_refuses(
            [&](World& world) {
                world.body(witness.box).set_velocity({x, 1.0f});
            },
            {"set_velocity", "velocity", value, "finite"});
    }
}

TEST_CASE("a NaN, infinite or negative mass is refused, but for mass_from_density") {
    for (const float mass : {not_a_number, infinity, -infinity, -0.5f, -2.0f}) {
        const std::string value = spelled(mass);
        check_refuses({.mass = mass}, ball, {}, {"create_body", "mass", value, ">= 0"});
        WitnessedWorld witness;
        witness.check_refuses([&](World& world) { world.body(witness.box).set_mass(mass); },
                              {"set_mass", "mass", value, ">= 0"});
    }
    WitnessedWorld witness;
    witness.world.body(witness.box).set_mass(mass_from_density);
    CHECK(witness.world.body(witness.box).mass() == 1.0f);
}

TEST_CASE("a mass so small that its inverse is infinite is refused") {
    check_refuses({.mass = 1e-39f}, ball, {}, {"create_body", "mass is 1e-39"});
    check_refuses({}, Circle{1e-20f}, {}, {"create_body", "mass"});
}

TEST_CASE("a mass that density makes infinite is refused") {
    check_refuses({}, Box{{1e18f, 1e18f}}, {.density = 1e6f}, {"create_body", "mass", "inf"});
}

TEST_CASE("circles of zero, negative, NaN or infinite radius are refused") {
    for (const float radius : {0.0f, -0.0f, -1.0f, not_a_number, infinity, -infinity}) {
        check_refuses({}, Circle{radius}, {}, {"create_body", "shape", "expected a finite"});
        WitnessedWorld witness;
        witness.check_refuses(
            [&](World& world) { world.body(witness.ball).set_shape(Circle{radius}); },
            {"set_shape", "shape", "expected a finite"});
    }
}

TEST_CASE("boxes, capsules and rounded boxes of zero, negative or NaN size are refused") {
    for (const float size : {0.0f, -1.0f, not_a_number, infinity}) {
        check_refuses({}, Box{{size, 0.5f}}, {}, {"create_body", "shape", "expected a finite"});
        check_refuses({}, Box{{0.5f, size}}, {}, {"create_body", "shape", "expected a finite"});
        check_refuses({}, Capsule{0.5f, size == 0.0f ? -1.0f : size}, {}, {"create_body", "shape"});
        if (size == 0.0f) continue;  // a capsule without length is a circle, a sharp box is a box
        check_refuses({}, Capsule{size, 0.5f}, {}, {"create_body", "shape", "expected a finite"});
        check_refuses({}, RoundedBox{{1.0f, 1.0f}, size}, {}, {"create_body", "radius"});
    }
}

TEST_CASE("a shape whose center is not finite is refused") {
    for (const float x : not_finite) {
        check_refuses({}, Circle{0.5f, {x, 0.0f}}, {}, {"create_body", "center", spelled(x)});
    }
}

TEST_CASE("restitution outside 0 to 1 is refused") {
    for (const float value : {-0.01f, 1.01f, not_a_number, infinity, -infinity}) {
        const Material material{.restitution = value};
        check_refuses({}, ball, material,
                      {"create_body", "restitution", spelled(value), "from 0 to 1"});
        WitnessedWorld witness;
        witness.check_refuses(
            [&](World& world) { world.body(witness.ball).set_material(material); },
            {"set_material", "restitution", spelled(value), "from 0 to 1"});
    }
}

TEST_CASE("a surface velocity that is NaN, infinite or faster than 1e30 m/s is refused") {
    for (const float value : {not_a_number, infinity, -infinity, 1.1e30f, -3e38f}) {
        check_refuses({}, ball, {.surface_velocity = {value, 0.0f}},
                      {"create_body", "surface velocity", spelled(value), "1e+30"});
        check_refuses({}, ball, {.surface_velocity = {0.0f, value}},
                      {"create_body", "surface velocity", spelled(value), "1e+30"});
    }
}

TEST_CASE("negative, NaN or infinite friction is refused") {
    for (const float value : {-0.01f, not_a_number, infinity}) {
        check_refuses({}, ball, {.friction = value},
                      {"create_body", "friction", spelled(value), "from 0 to 1e+18"});
    }
}

TEST_CASE("negative, NaN or infinite density is refused") {
    for (const float value : {-0.01f, not_a_number, infinity}) {
        check_refuses({}, ball, {.density = value},
                      {"create_body", "density", spelled(value), ">= 0"});
    }
}

TEST_CASE("a gravity scale that is not finite and a damping that is negative are refused") {
    for (const float x : not_finite) {
        check_refuses({.gravity_scale = x}, ball, {}, {"create_body", "gravity scale", spelled(x)});
        WitnessedWorld witness;
        witness.check_refuses([&](World& world) { world.body(witness.ball).set_gravity_scale(x); },
                              {"set_gravity_scale", spelled(x), "finite"});
    }
    for (const float x : {not_a_number, infinity, -0.1f}) {
        check_refuses({.linear_damping = x}, ball, {},
                      {"create_body", "linear damping", spelled(x)});
        WitnessedWorld witness;
        witness.check_refuses([&](World& world) { world.body(witness.ball).set_linear_damping(x); },
                              {"set_linear_damping", spelled(x), ">= 0"});
    }
}

TEST_CASE("an unknown body type is refused") {
    check_refuses({.type = static_cast<BodyType>(7)}, ball, {}, {"create_body", "type is 7"});
    WitnessedWorld witness;
    witness.check_refuses(
        [&](World& world) { world.body(witness.ball).set_type(static_cast<BodyType>(7)); },
        {"set_type", "7"});
}

TEST_CASE("forces and impulses that are not finite, and negative durations, are refused") {
    for (const float x : not_finite) {
        WitnessedWorld w;
        w.check_refuses(
            [&](World& world) {
                world.body(w.ball).apply_force({x, 0.0f});
            },
            {"apply_force", "force", spelled(x), "finite"});
        w.check_refuses(
            [&](World& world) {
                world.body(w.ball).apply_impulse({0.0f, x});
            },
            {"apply_impulse", "impulse", spelled(x), "finite"});
        w.check_refuses(
            [&](World& world) {
                world.body(w.ball).apply_impulse({0.0f, x}, 1.0f);
            },
            {"apply_impulse", "impulse", spelled(x), "finite"});
    }
    for (const float duration : {-0.1f, not_a_number, infinity}) {
        WitnessedWorld w;
        w.check_refuses(
            [&](World& world) {
                world.body(w.ball).apply_impulse({1.0f, 0.0f}, duration);
            },
            {"apply_impulse", "duration", spelled(duration), ">= 0"});
    }
}

TEST_CASE("every call with the id of a destroyed body is refused and names the id") {
    WitnessedWorld w;
    const std::string index = "body " + std::to_string(w.stale.index) + " ";
    const std::string generation = "generation " + std::to_string(w.stale.generation);
    w.check_refuses([&](World& world) { (void)world.body(w.stale); }, {"body", index, generation});
    w.check_refuses([&](World& world) { world.destroy_body(w.stale); },
                    {"destroy_body", index, generation, "expected the id of a living body"});
    const World& constant = w.world;
    check_error([&] { (void)constant.body(w.stale); }, {"body", index, generation});
    CHECK_FALSE(w.world.contains(w.stale));
    CHECK(w.is_unchanged());
}

TEST_CASE("ids of nothing are refused: default-made, of another generation, beyond all bodies") {
    WitnessedWorld w;
    for (const BodyId id : {BodyId{}, BodyId{w.ball.index, w.ball.generation + 1}, BodyId{99, 1},
                            BodyId{w.ball.index, 0}, BodyId{0xFFFFFFFFu, 1}}) {
        CHECK_FALSE(w.world.contains(id));
        w.check_refuses([&](World& world) { world.destroy_body(id); },
                        {"destroy_body", "body " + std::to_string(id.index) + " "});
    }
}

TEST_CASE("each reading call of a BodyRef whose body is gone is refused by its name") {
    WitnessedWorld w;
    const BodyId id = w.world.create_body({}, ball);
    const ConstBodyRef ref = w.world.body(id);
    w.world.destroy_body(id);
    const std::string generation = "generation " + std::to_string(id.generation);
    check_error([&] { (void)ref.type(); }, {"type", generation});
    check_error([&] { (void)ref.position(); }, {"position", generation});
    check_error([&] { (void)ref.velocity(); }, {"velocity", generation});
    check_error([&] { (void)ref.interpolated_position(0.5f); }, {"interpolated_position"});
    check_error([&] { (void)ref.shape(); }, {"shape", generation});
    check_error([&] { (void)ref.bounds(); }, {"bounds", generation});
    check_error([&] { (void)ref.material(); }, {"material", generation});
    check_error([&] { (void)ref.collider_def(); }, {"collider_def: body", generation});
    check_error([&] { (void)ref.filter(); }, {"filter: body", generation});
    check_error([&] { (void)ref.mass(); }, {"mass", generation});
    check_error([&] { (void)ref.inverse_mass(); }, {"inverse_mass", generation});
    check_error([&] { (void)ref.force(); }, {"force", generation});
    check_error([&] { (void)ref.is_enabled(); }, {"is_enabled", generation});
    check_error([&] { (void)ref.gravity_scale(); }, {"gravity_scale", generation});
    check_error([&] { (void)ref.linear_damping(); }, {"linear_damping", generation});
    check_error([&] { (void)ref.can_sleep(); }, {"can_sleep", generation});
    check_error([&] { (void)ref.user_data(); }, {"user_data", generation});
    CHECK(ref.id() == id);  // what it was is still known
}

TEST_CASE("each changing call of a BodyRef whose body is gone is refused by its name") {
    WitnessedWorld w;
    BodyRef ref = w.world.body(w.world.create_body({}, ball));
    w.world.destroy_body(ref.id());
    w.before = w.world;
    const std::string generation = "generation " + std::to_string(ref.id().generation);
    const auto check = [&](auto call, std::string_view name) {
        check_error(call, {name, generation});
        CHECK(w.is_unchanged());
    };
    check([&] { ref.set_velocity({}); }, "set_velocity");
    check([&] { ref.teleport({}); }, "teleport");
    check([&] { ref.apply_force({}); }, "apply_force");
    check([&] { ref.apply_impulse({}); }, "apply_impulse");
    check([&] { ref.apply_impulse({1.0f, 0.0f}, 1.0f); }, "apply_impulse");
    check([&] { ref.set_gravity_scale(1.0f); }, "set_gravity_scale");
    check([&] { ref.set_linear_damping(1.0f); }, "set_linear_damping");
    check([&] { ref.set_can_sleep(false); }, "set_can_sleep");
    check([&] { ref.set_mass(1.0f); }, "set_mass");
    check([&] { ref.set_type(BodyType::Static); }, "set_type");
    check([&] { ref.set_enabled(false); }, "set_enabled");
    check([&] { ref.set_shape(ball); }, "set_shape");
    check([&] { ref.set_material({}); }, "set_material");
    check([&] { ref.set_collider_def({}); }, "set_collider_def: body");
    check([&] { ref.set_filter({}); }, "set_filter: body");
    check([&] { ref.set_user_data(1); }, "set_user_data");
}

TEST_CASE(
    "the calls of a ColliderRef whose collider is gone or given nonsense are refused by name") {
    WitnessedWorld w;
    const ColliderId id = w.world.add_collider(w.box, ball);
    ColliderRef ref = w.world.collider(id);
    check_error([&] { ref.set_def({.one_way = static_cast<OneWay>(9)}); },
                {"set_def: one_way is 9", "OneWay"});
    check_error([&] { w.world.body(w.box).set_collider_def({.one_way = static_cast<OneWay>(9)}); },
                {"set_collider_def: one_way is 9", "OneWay"});
    w.world.destroy_collider(id);
    check_error([&] { (void)ref.def(); }, {"def: collider", "expected"});
    check_error([&] { (void)ref.filter(); }, {"filter: collider", "expected"});
    check_error([&] { ref.set_def({}); }, {"set_def: collider", "expected"});
    check_error([&] { ref.set_filter({}); }, {"set_filter: collider", "expected"});
}

TEST_CASE("boxes that are none are refused with the corners that were given") {
    const World world;
    const auto look = [&](const AABB& box, std::initializer_list<std::string_view> words) {
        check_error([&] { world.for_each_overlap(box, [](BodyId) {}); }, {"for_each_overlap"});
        check_error([&] { world.for_each_overlap(box, [](BodyId) {}); }, words);
        check_error([&] { world.for_each_surface(box, [](const Surface&) {}); },
                    {"for_each_surface"});
        check_error([&] { world.for_each_surface(box, [](const Surface&) {}); }, words);
    };
    look({{1.0f, 2.0f}, {0.0f, 3.0f}}, {"the box goes from (1, 2) to (0, 3), expected"});
    look({{-infinity, 0.0f}, {infinity, 1.0f}}, {"the box goes from (-inf, 0) to (inf, 1)"});
    look({{-3e38f, 0.0f}, {3e38f, 1.0f}}, {"the box goes from (-3e+38, 0) to (3e+38, 1)"});
}

TEST_CASE("polygons of too many vertices are refused, as are those of too few, by what they are") {
    World world;
    const Vec2 points[40] = {};
    const auto sentence_of = [&](std::size_t count) {
        return test::error_of([&] {
            world.create_body({.type = BodyType::Static}, Polygon(Span<const Vec2>(points, count)));
        });
    };
    CHECK(sentence_of(2) == "Outline: the polygon has 2 vertices, expected 3 to 12");
    CHECK(sentence_of(13) == "Outline: the polygon has 13 vertices, expected 3 to 12");
    for (const std::size_t count : {0u, 17u, 40u}) {
        CHECK(sentence_of(count) ==
              "Outline: the polygon has no vertices, or more than 16, expected 3 to 12");
    }
}

TEST_CASE("of a polygon that is not convex the vertex is named that is not where it must be") {
    World world;
    const auto sentence_of = [&](const Polygon& polygon) {
        return test::error_of([&] { world.create_body({.type = BodyType::Static}, polygon); });
    };
    const std::string order = ": convex, counter-clockwise, none repeated or in line";
    CHECK(sentence_of({{0.0f, 0.0f}, {0.0f, 1.0f}, {1.0f, 0.0f}}) ==
          "Outline: vertex 2 of the polygon is (1, 0), expected it to the left of the edge from "
          "(0, 0) to (0, 1)" +
              order);
    CHECK(sentence_of({{0.0f, 0.0f}, {1.0f, 0.0f}, {2.0f, 0.0f}, {0.0f, 1.0f}}) ==
          "Outline: vertex 2 of the polygon is (2, 0), expected it to the left of the edge from "
          "(0, 0) to (1, 0)" +
              order);
    CHECK(sentence_of({{0.0f, 0.0f}, {4.0f, 0.0f}, {1.0f, 1.0f}, {0.0f, 4.0f}}) ==
          "Outline: vertex 3 of the polygon is (0, 4), expected it to the left of the edge from "
          "(4, 0) to (1, 1)" +
              order);
    CHECK(sentence_of({{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 1.0f}}) ==
          "Outline: vertex 2 of the polygon is (1, 0), expected it to the left of the edge from "
          "(0, 0) to (1, 0)" +
              order);
    CHECK(sentence_of({{0.0f, 0.0f}, {1.0f, 0.0f}, {infinity, 1.0f}}) ==
          "Outline: a vertex of the polygon is (inf, 1), expected finite numbers");
    CHECK(world.body_count() == 0);
}

TEST_CASE("frames of negative, NaN or endless length are refused") {
    for (const double seconds : {-1e-9, -1.0, std::nan(""), HUGE_VAL, 1e10}) {
        WitnessedWorld w;
        w.check_refuses([&](World& world) { world.advance(seconds); },
                        {"advance", spelled(static_cast<float>(seconds)), "from 0 to 1e+09"});
        w.world.set_paused(true);
        check_error([&] { w.world.advance(seconds); }, {"advance"});
    }
}

TEST_CASE("a negative or not finite time scale, and a gravity that is not finite, are refused") {
    for (const float scale : {-0.1f, not_a_number, infinity}) {
        WitnessedWorld w;
        w.check_refuses([&](World& world) { world.set_time_scale(scale); },
                        {"set_time_scale", spelled(scale), ">= 0"});
    }
    for (const float x : not_finite) {
        WitnessedWorld w;
        w.check_refuses(
            [&](World& world) {
                world.set_gravity({0.0f, x});
            },
            {"set_gravity", spelled(x), "finite"});
    }
}

TEST_CASE("finite numbers that would make infinite ones are refused") {
    World world({.gravity = {}});
    const BodyId light = world.create_body({.mass = 1e-20f}, ball);
    const BodyId lift = world.create_body({.type = BodyType::Kinematic}, ball);
    const BodyId heavy = world.create_body({.mass = 1e10f}, ball);
    world.body(heavy).apply_force({3e38f, 0.0f});
    const World before = world;
    check_error(
        [&] {
            world.body(light).apply_impulse({1e20f, 0.0f}, 1.0f);
        },
        {"apply_impulse", "impulse / mass", "inf", "finite"});
    check_error(
        [&] {
            world.body(light).apply_force({1e20f, 0.0f});
        },
        {"apply_force", "forces / mass", "inf", "finite"});
    check_error(
        [&] {
            world.body(light).apply_impulse({1e20f, 0.0f});
        },
        {"apply_impulse", "velocity", "inf", "finite"});
    check_error(
        [&] {
            world.body(heavy).apply_force({3e38f, 0.0f});
        },
        {"apply_force", "sum", "inf", "finite"});
    check_error(
        [&] {
            world.body(lift).move_to({1e38f, 0.0f});
        },
        {"move_to", "velocity", "inf", "finite"});
    CHECK(world.state_hash() == before.state_hash());
    check_error([] { World tiny({.time_step = 1e-45f}); }, {"time_step", "1.4013e-45", "1e-30"});
}

TEST_CASE("explosions and regions that are none are refused, and do nothing") {
    constexpr Circle far_off{0.5f, {100.0f, 0.0f}};
    const auto check_refuses = [](auto call, std::initializer_list<std::string_view> words) {
        WitnessedWorld witness;
        witness.check_refuses(call, words);
    };
    for (const float x : not_finite) {
        const std::string value = spelled(x);
        check_refuses(
            [&](World& world) {
                world.explode({.center = {x, 0.0f}});
            },
            {"explode", "center", value, "finite"});
        check_refuses([&](World& world) { world.explode({.impulse = x}); },
                      {"explode", "impulse", value, "finite"});
        check_refuses(
            [&](World& world) {
                world.apply_acceleration(far_off, {0.0f, x});
            },
            {"apply_acceleration", "acceleration", value, "finite"});
    }
    for (const float x : {not_a_number, infinity, -1.0f}) {
        const std::string value = spelled(x);
        check_refuses([&](World& world) { world.explode({.radius = x}); },
                      {"explode", "radius", value});
        check_refuses([&](World& world) { world.explode({.falloff = x}); },
                      {"explode", "falloff", value});
        check_refuses(
            [&](World& world) {
                world.apply_acceleration(Circle{x}, {1.0f, 0.0f});
            },
            {"apply_acceleration", "radius", value});
    }
    check_refuses([](World& world) { world.explode({.radius = 0.0f, .falloff = 0.0f}); },
                  {"explode", "radius + falloff", "0"});
}

TEST_CASE("colliders that are none are refused, and terrain on a dynamic body") {
    WitnessedWorld witness;
    const auto check_refuses = [&](const Material& material, const ColliderDef& def,
                                   std::string_view value) {
        witness.check_refuses(
            [&](World& world) { world.add_collider(witness.ball, ball, material, def); },
            {"add_collider", value});
        witness.check_refuses(
            [&](World& world) { world.add_collider(witness.floor, HalfSpace{}, material, def); },
            {"add_collider", value});
    };
    check_refuses({.friction = -1.0f}, {}, "friction is -1");
    check_refuses({}, {.one_way = static_cast<OneWay>(99)}, "one_way");
    witness.check_refuses([&](World& world) { world.add_collider(witness.ball, HalfSpace{}); },
                          {"add_collider", "terrain", "expected Static"});
}

TEST_CASE("casts from or along what is not finite are refused") {
    const World world;
    const auto visit = [](const QueryHit&) {};
    for (const float x : not_finite) {
        const std::string value = spelled(x);
        const Vec2 bad{x, 0.0f};
        check_error([&] { (void)world.ray_cast(bad, {}); }, {"ray_cast", "origin", value});
        check_error([&] { (void)world.ray_cast({}, bad); }, {"ray_cast", value});
        check_error([&] { (void)world.shape_cast(ball, bad); }, {"shape_cast", value});
        check_error([&] { world.for_each_on_ray(bad, {}, visit); },
                    {"for_each_on_ray", "origin", value});
        check_error([&] { world.for_each_on_ray({}, bad, visit); }, {"for_each_on_ray", value});
        check_error([&] { world.for_each_on_cast(ball, bad, visit); }, {"for_each_on_cast", value});
    }
}

TEST_CASE("a body and itself are no two bodies that ignore each other, nor are ids of nothing") {
    WitnessedWorld witness;
    const auto check_refuses = [&](auto call, std::string_view name) {
        witness.check_refuses([&](World& world) { call(world, witness.ball, witness.ball); },
                              {name, "both are body", "expected two bodies"});
        witness.check_refuses([&](World& world) { call(world, witness.ball, witness.stale); },
                              {name});
    };
    check_refuses([](World& world, BodyId a, BodyId b) { world.ignore(a, b); }, "ignore");
    check_refuses([](World& world, BodyId a, BodyId b) { world.ignore_until_apart(a, b); },
                  "ignore_until_apart");
    check_refuses([](World& world, BodyId a, BodyId b) { world.stop_ignoring(a, b); },
                  "stop_ignoring");
}

TEST_CASE("a region that cannot accelerate one body accelerates none, and static mass has no say") {
    World world({.gravity = {}});
    const BodyId light = world.create_body({.mass = 1.0f}, ball);
    world.create_body({.type = BodyType::Static, .mass = 1e30f}, ball);
    const Circle region{5.0f};
    world.apply_acceleration(region, {1e9f, 0.0f});
    const BodyId heavy = world.create_body({.mass = 1e30f}, ball);
    check_error(
        [&] {
            world.apply_acceleration(region, {1e9f, 0.0f});
        },
        {"apply_acceleration", "acceleration * mass", "inf", "finite"});
    world.destroy_body(heavy);
    const BodyId pushed = world.create_body({.mass = 1e10f}, ball);
    world.body(pushed).apply_force({3e38f, 0.0f});
    check_error(
        [&] {
            world.apply_acceleration(region, {1e28f, 0.0f});
        },
        {"apply_acceleration", "the sum of forces", "inf", "finite"});
    world.destroy_body(pushed);
    world.step();
    CHECK(world.body(light).velocity().x == doctest::Approx(1e9 / 60.0).epsilon(1e-5));
}

TEST_CASE("a mass that makes a force too large is refused, and the body keeps the one it has") {
    World world;
    const BodyId body = world.create_body({.mass = 2.0f}, ball);
    world.body(body).apply_force({1e20f, 0.0f});
    check_error([&] { world.body(body).set_mass(1e-20f); },
                {"set_mass", "the sum of forces / mass", "inf", "finite"});
    CHECK(world.body(body).mass() == 2.0f);
}

TEST_CASE(
    "a mass that follows from densities may not get too small for a force or impulse either") {
    World world({.gravity = {}});
    const BodyId pushed = world.create_body({}, ball);
    const ColliderId most = world.add_collider(pushed, Box{{1e3f, 1e3f}});
    const BodyId shot = world.create_body({}, ball);
    world.body(pushed).apply_force({1e36f, 0.0f});
    world.body(shot).apply_impulse({1e29f, 0.0f}, 1.0f);
    const BodyId weightless = world.create_body({}, ball, {.density = 0.0f});
    world.body(weightless).apply_impulse({1e29f, 0.0f}, 1.0f);  // of infinite mass so far
    const BodyId rail = world.create_body({.type = BodyType::Kinematic, .mass = 1e-6f}, ball);
    world.body(rail).apply_impulse({1e29f, 0.0f}, 1.0f);  // of infinite mass so far
    const Circle speck{1e-3f};
    const std::uint64_t before = world.state_hash();
    check_error([&] { world.add_collider(weightless, speck); },
                {"add_collider", "impulse / mass", "finite"});
    check_error([&] { world.destroy_collider(most); },
                {"destroy_collider", "the sum of forces / mass", "finite"});
    check_error([&] { world.collider(most).set_shape(speck); },
                {"set_shape", "the sum of forces / mass", "finite"});
    check_error([&] { world.body(shot).set_shape(speck); },
                {"set_shape", "impulse / mass", "finite"});
    check_error([&] { world.body(shot).set_material({.density = 1e-6f}); },
                {"set_material", "impulse / mass", "finite"});
    check_error([&] { world.body(shot).set_mass(1e-6f); },
                {"set_mass", "impulse / mass", "finite"});
    check_error([&] { world.body(rail).set_type(BodyType::Dynamic); },
                {"set_type", "impulse / mass", "finite"});
    CHECK(world.state_hash() == before);
    for (int i = 0; i < 100; ++i) world.step();
    CHECK(is_finite(world.body(pushed).position()));
    CHECK(is_finite(world.body(shot).position()));
}

TEST_CASE("a mass is refused for the impulses on its own body alone") {
    World world({.gravity = {}});
    const BodyId heavy = world.create_body({.mass = 1e6f}, ball);
    const BodyId light = world.create_body({}, ball);
    world.body(heavy).apply_impulse({0.0f, -1e34f}, 0.1f);
    world.body(light).apply_impulse({1.0f, 0.0f}, 0.1f);
    world.body(light).set_mass(1e-3f);
    check_error([&] { world.body(heavy).set_mass(1e-3f); },
                {"set_mass", "impulse / mass", "finite"});
    for (int i = 0; i < 10; ++i) world.step();
    world.body(heavy).set_mass(1e-3f);
    CHECK(world.body(heavy).mass() == 1e-3f);
}

TEST_CASE("a body with terrain is not made dynamic, and the refusal names it") {
    World world;
    world.create_body({}, ball);
    const BodyId hill = world.create_body({.type = BodyType::Static},
                                          Polygon{{0.0f, 0.0f}, {2.0f, 0.0f}, {1.0f, 1.0f}});
    const std::string name = "body " + std::to_string(hill.index);
    check_error([&] { world.body(hill).set_type(BodyType::Dynamic); },
                {"set_type", name.c_str(), "terrain"});
    CHECK(world.body(hill).type() == BodyType::Static);
}

TEST_CASE("accelerations beyond 1e30 m/s2 are refused") {
    World world;
    const BodyId body = world.create_body({.mass = 1.0f}, ball);
    const Vec2 most{2e30f, 0.0f};
    check_error([&] { world.body(body).apply_force(most); },
                {"apply_force", "the sum of forces / mass", "2e+30", "1e+30"});
    check_error([&] { world.body(body).apply_impulse(most, 1.0f); },
                {"apply_impulse", "impulse / mass", "2e+30", "1e+30"});
    check_error([&] { world.set_gravity(most); }, {"set_gravity", "gravity", "2e+30", "1e+30"});
    check_error([&] { World heavy({.gravity = most}); }, {"World", "gravity", "1e+30"});
}

TEST_CASE("velocities beyond 1e30 m/s are refused, and those up to it stay numbers in contacts") {
    World world;
    const BodyId body = world.create_body({.position = {0.0f, 5.0f}}, ball, {.restitution = 1.0f});
    const BodyId lift = world.create_body({.type = BodyType::Kinematic}, ball);
    const std::uint64_t before = world.state_hash();
    for (const Vec2 fast : {Vec2{2e30f, 0.0f}, Vec2{0.0f, -3e38f}}) {
        check_error([&] { world.create_body({.velocity = fast}, ball); },
                    {"create_body", "velocity", "1e+30"});
        check_error([&] { world.body(body).set_velocity(fast); },
                    {"set_velocity", "velocity", "1e+30"});
        check_error([&] { world.body(body).apply_impulse(fast); },
                    {"apply_impulse", "velocity", "1e+30"});
        check_error([&] { world.body(lift).move_to(fast); }, {"move_to", "velocity", "1e+30"});
    }
    check_error(
        [&] {
            world.explode({.center = {0.0f, 4.0f}, .impulse = 3e38f});
        },
        {"explode", "velocity", "1e+30"});
    CHECK(world.state_hash() == before);
    world.create_body({.type = BodyType::Static, .position = {0.0f, -50.0f}}, Box{{50.0f, 1.0f}});
    world.body(body).set_velocity({1e30f, -1e30f});
    for (int i = 0; i < 100; ++i) world.step();
    CHECK(is_finite(world.body(body).position()));
}

TEST_CASE("gravity that a gravity scale makes infinite is refused, whichever comes last") {
    World world({.gravity = {0.0f, -10.0f}});
    const BodyId body = world.create_body({.gravity_scale = 1e20f}, ball);
    world.create_body({.type = BodyType::Static, .position = {9.0f, 0.0f}}, ball);
    const World before = world;
    check_error(
        [&] {
            world.set_gravity({0.0f, -1e20f});
        },
        {"set_gravity", "gravity * gravity scale", "-inf", "finite"});
    check_error([&] { world.body(body).set_gravity_scale(3e38f); },
                {"set_gravity_scale", "gravity * gravity scale", "-inf", "finite"});
    check_error([&] { world.create_body({.gravity_scale = -3e38f}, ball); },
                {"create_body", "gravity * gravity scale", "inf", "finite"});
    CHECK(world.config().gravity == before.config().gravity);
    CHECK(world.body(body).gravity_scale() == 1e20f);
    CHECK(world.state_hash() == before.state_hash());
    CHECK(world.body_count() == before.body_count());
}

TEST_CASE("a shape whose area is no number is refused by its size") {
    World world;
    const BodyId body = world.create_body({.type = BodyType::Static}, ball, {.density = 0.0f});
    const std::initializer_list<std::string_view> words = {"the shape is 2e+20 by 4e+20",
                                                           "expected an area"};
    const Box huge{{1e20f, 2e20f}};
    for (const float density : {0.0f, 1.0f}) {
        check_error([&] { world.create_body({}, huge, {.density = density}); }, words);
        check_error([&] { world.add_collider(body, huge, {.density = density}); }, words);
    }
    check_error([&] { world.body(body).set_shape(huge); }, words);
    CHECK(world.body(body).shape() == Shape(ball));
    CHECK(world.body_count() == 1);
    world.create_body({.mass = 1.0f}, huge);
}

TEST_CASE(
    "outlines with points beyond 1e15 m are refused with the point, and those up to it work") {
    World world;
    const auto add = [&](const auto& outline) {
        world.create_body({.type = BodyType::Static}, outline);
    };
    for (const float x : {2e15f, 3e38f, infinity, not_a_number}) {
        const Vec2 points[] = {{x, 1.0f}, {-x, 1.0f}, {0.0f, -1.0f}};
        check_error(
            [&] {
                add(Segment{points[0], points[1]});
            },
            {"Outline: the segment", spelled(x), "-1e+15 to 1e+15"});
        check_error(
            [&] {
                add(Chain{.points = {points, 3}});
            },
            {"Outline: point 0 of the chain", spelled(x), "-1e+15 to 1e+15"});
    }
    const Vec2 far_off[] = {{2e15f, 0.0f}, {0.0f, 2e15f}, {-2e15f, 0.0f}};
    check_error([&] { add(Polygon(Span<const Vec2>(far_off, 3))); },
                {"Outline: a vertex of the polygon is (2e+15, 0)", "-1e+15 to 1e+15"});
    CHECK(world.body_count() == 0);
    const Vec2 ground[] = {{1e15f, 0.0f}, {-1e15f, 0.0f}};
    add(Segment{{1e15f, -9.0f}, {-1e15f, -9.0f}});
    add(Chain{.points = {ground, 2}});
    const BodyId body = world.create_body({.position = {0.0f, 1.0f}}, ball);
    for (int i = 0; i < 100; ++i) world.step();
    CHECK(world.body(body).position().y == doctest::Approx(0.5f).epsilon(0.01));
}

TEST_CASE("the usual mistakes with outlines are told with the way out") {
    World world;
    const Polygon wedge{{0.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 1.0f}};
    check_error([&] { world.create_body({}, wedge); },
                {"create_body", "Static or Kinematic", "boxes, capsules and rounded boxes may be"});
    const Vec2 closed[] = {{0.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 1.0f}, {0.0f, 0.0f}};
    check_error(
        [&] {
            world.create_body({.type = BodyType::Static}, Chain{closed, true});
        },
        {"Outline: point 0 of the chain is (0, 0)",
         "the last one of a loop comes before the first"});
    CHECK(world.body_count() == 0);
}

}  // namespace bad_input_test

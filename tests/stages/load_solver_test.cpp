// SPDX-License-Identifier: MIT
// Are bodies loaded into the solver, and their results taken, alike, however many stand side by
// side?
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "support/random.hpp"
#include "support/step_widths.hpp"

namespace load_solver_test {

using namespace phys2d;

namespace {

constexpr WorldConfig config{.gravity = {0.3f, -10.0f}};

/// Bodies 10 m apart: every fifth is kinematic, every other one is pushed, from the `damped`-th on
/// they are slowed.
std::vector<BodyId> add_bodies(World& world, int count, int damped) {
    test::Random random;
    std::vector<BodyId> ids;
    for (int i = 0; i < count; ++i) {
        const bool is_kinematic = i % 5 == 4;
        const BodyId id =
            world.create_body({.type = is_kinematic ? BodyType::Kinematic : BodyType::Dynamic,
                               .position = {10.0f * static_cast<float>(i), 0.0f},
                               .velocity = random.point(2.0f),
                               .mass = random.uniform(0.5f, 2.0f),
                               .gravity_scale = random.uniform(-0.1f, 0.1f),
                               .linear_damping = i >= damped ? random.uniform(0.0f, 5.0f) : 0.0f},
                              Circle{0.1f, random.point(1.0f)});
        if (i % 2 == 0) world.body(id).apply_force(random.point(20.0f));
        ids.push_back(id);
    }
    return ids;
}

/// Where a body is after a step, by the sum over its sub-steps.
Vec2 place_after_step(ConstBodyRef body) {
    double x = body.position().x, y = body.position().y;
    double v_x = body.velocity().x, v_y = body.velocity().y;
    const double h = config.time_step / config.substeps;
    const bool responds = body.inverse_mass() > 0.0f;
    const double slowed = responds ? 1.0 / (1.0 + body.linear_damping() * h) : 1.0;
    const Vec2 pull = config.gravity * body.gravity_scale() + body.force() * body.inverse_mass();
    for (int i = 0; i < config.substeps; ++i) {
        if (responds) v_x = (v_x + pull.x * h) * slowed, v_y = (v_y + pull.y * h) * slowed;
        x += v_x * h, y += v_y * h;
    }
    return {static_cast<float>(x), static_cast<float>(y)};
}

}  // namespace

TEST_CASE(
    "bodies without contacts go where forces, gravity and damping take them, at any number and "
    "width") {
    for (int count = 0; count < 22; ++count) {
        for (const int damped : {0, 7, 22}) {
            World world(config);
            const std::vector<BodyId> ids = add_bodies(world, count, damped);
            std::vector<Vec2> expected;
            for (const BodyId id : ids) expected.push_back(place_after_step(world.body(id)));
            World one = world, four = world;
            world.step<8>();
            four.step<4>();
            one.step<1>();
            int wrong = 0;
            for (std::size_t i = 0; i < ids.size(); ++i) {
                const Vec2 place = world.body(ids[i]).position();
                wrong += length(place - expected[i]) < 2e-5f ? 0 : 1;
            }
            for (const World* each : {&world, &one, &four}) {
                for (std::size_t i = 0; i < ids.size(); ++i) {
                    const float start = 10.0f * static_cast<float>(i);
                    const ConstBodyRef body = each->body(ids[i]);
                    wrong += body.force() == Vec2{} ? 0 : 1;
                    wrong += body.interpolated_position(0.0f) == Vec2{start, 0.0f} ? 0 : 1;
                }
            }
            CHECK(wrong == 0);
            CHECK(world.state_hash() == one.state_hash());
            CHECK(world.state_hash() == four.state_hash());
        }
    }
}

TEST_CASE("shapes beside their bodies' middle rest where the shapes do, at any number and width") {
    for (int count = 1; count < 10; ++count) {
        World world({.gravity = {0.0f, -10.0f}});
        world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}},
                          Box{{50.0f, 1.0f}});
        std::vector<BodyId> ids;
        for (int i = 0; i < count; ++i) {
            const float up = 0.1f * static_cast<float>(i);
            ids.push_back(world.create_body({.position = {3.0f * static_cast<float>(i), 0.5f - up}},
                                            Box{{0.5f, 0.5f}, {0.2f, up}}));
        }
        World one = world;
        for (int i = 0; i < 30; ++i) world.step<8>(), one.step<1>();
        CHECK(world.state_hash() == one.state_hash());
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const float expected = 0.5f - 0.1f * static_cast<float>(i);
            CHECK(std::fabs(world.body(ids[i]).position().y - expected) < 1e-3f);
        }
    }
}

}  // namespace load_solver_test

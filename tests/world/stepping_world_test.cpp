// SPDX-License-Identifier: MIT
// Are calls into a world that is stepping refused, and does it go on as if nobody had called?
// The only code of a user that runs during a step are the mix functions.
#include "bad_input.hpp"

namespace stepping_world_test {

using namespace phys2d;

namespace {

World* stepping = nullptr;
BodyId some_body, some_map;
void (*meddle)() = nullptr;
bool is_caught = true;
std::string sentence;

/// Mixes friction as always, and meddles with the world once a step.
float meddling_friction(float a, float b) {
    void (*const call)() = meddle;
    meddle = nullptr;
    if (call != nullptr && is_caught) sentence = test::error_of(call);
    if (call != nullptr && !is_caught) call();
    return mix_friction(a, b);
}

/// A world whose pairs are found anew in the next step, with a force and a timed impulse under way.
World busy_world() {
    World world({.mix_friction = meddling_friction});
    world.create_body({.type = BodyType::Static, .position = {0.0f, -1.0f}}, Box{{50.0f, 1.0f}});
    some_body = world.create_body({.position = {0.0f, 0.6f}}, Box{{0.5f, 0.5f}});
    world.create_body({.position = {0.1f, 1.7f}}, Circle{0.5f}, {.restitution = 0.5f});
    some_map = world.create_tile_map();
    for (int i = 0; i < 10; ++i) world.step();
    world.body(some_body).apply_impulse({0.5f, 0.0f}, 0.2f);
    world.body(some_body).apply_force({3.0f, 0.0f});
    world.create_body({.position = {3.0f, 0.6f}}, Circle{0.5f});
    return world;
}

bool go_on_alike(World& world, World& copy) {
    bool same = true;
    for (int i = 0; i < 30; ++i) {
        world.step();
        copy.step();
        same = same && world.state_hash() == copy.state_hash();
    }
    return same && world.body_count() == copy.body_count();
}

ColliderRef some_collider() { return stepping->collider(first_collider(some_body)); }

/// Makes the call during a step; the mix function swallows the error, so that the step goes on.
void check_refused(void (*call)(), std::initializer_list<std::string_view> words) {
    World world = busy_world();
    World copy = world;
    stepping = &world;
    sentence.clear();
    is_caught = true;
    meddle = call;
    world.step();
    const bool was_called = meddle == nullptr;
    CHECK(was_called);
    CAPTURE(sentence);
    CHECK(test::says(sentence, words));
    CHECK(test::says(sentence, {"inside step()", "expected a call between two steps"}));
    copy.step();
    CHECK(world.state_hash() == copy.state_hash());
    CHECK(go_on_alike(world, copy));
}

}  // namespace

TEST_CASE("creating and destroying bodies during a step is refused") {
    check_refused([] { stepping->create_body({}, Circle{0.5f}); }, {"create_body"});
    check_refused([] { stepping->destroy_body(some_body); }, {"destroy_body"});
}

TEST_CASE("stepping and advancing a world that is stepping is refused") {
    check_refused([] { stepping->step(); }, {"step"});
    check_refused([] { stepping->step([](int, auto&&) {}); }, {"step"});
    check_refused([] { stepping->advance(1.0); }, {"advance"});
    check_refused([] { stepping->set_time_scale(0.5f); }, {"set_time_scale"});
    check_refused([] { stepping->set_paused(true); }, {"set_paused"});
    check_refused([] { stepping->load(std::string()); }, {"load"});
}

TEST_CASE("changing a body during a step is refused") {
    check_refused([] { stepping->body(some_body).teleport({}); }, {"teleport"});
    check_refused([] { stepping->body(some_body).set_velocity({}); }, {"set_velocity"});
    check_refused([] { stepping->body(some_body).apply_force({}); }, {"apply_force"});
    check_refused([] { stepping->body(some_body).apply_impulse({}); }, {"apply_impulse"});
    check_refused([] { stepping->body(some_body).apply_impulse({}, 1.0f); }, {"apply_impulse"});
    check_refused([] { stepping->body(some_body).set_gravity_scale(0.0f); }, {"gravity_scale"});
    check_refused([] { stepping->body(some_body).set_linear_damping(1.0f); }, {"linear_damping"});
    check_refused([] { stepping->body(some_body).set_can_sleep(false); }, {"set_can_sleep"});
    check_refused([] { stepping->body(some_body).set_mass(2.0f); }, {"set_mass"});
    check_refused([] { stepping->body(some_body).set_type(BodyType::Static); }, {"set_type"});
    check_refused([] { stepping->body(some_body).set_enabled(false); }, {"set_enabled"});
    check_refused([] { stepping->body(some_body).set_shape(Circle{1.0f}); }, {"set_shape"});
    check_refused([] { stepping->body(some_body).set_material({}); }, {"set_material"});
    check_refused([] { stepping->body(some_body).set_user_data(3); }, {"set_user_data"});
    check_refused([] { stepping->body(some_body).set_filter({}); }, {"set_filter"});
    check_refused([] { stepping->body(some_body).set_collider_def({}); }, {"set_collider_def"});
    check_refused([] { stepping->body(some_body).move_to({}); }, {"move_to"});
    check_refused([] { stepping->body(some_body).turn(1); }, {"turn"});
    check_refused([] { stepping->body(some_body).drop_through(); }, {"drop_through"});
    check_refused([] { stepping->body(some_body).wake(); }, {"wake"});
}

TEST_CASE("adding, changing and destroying colliders during a step is refused") {
    check_refused([] { stepping->add_collider(some_body, Circle{0.5f}); }, {"add_collider"});
    check_refused([] { stepping->add_collider(some_map, HalfSpace{}); }, {"add_collider"});
    check_refused([] { stepping->destroy_collider(first_collider(some_body)); },
                  {"destroy_collider"});
    check_refused([] { some_collider().set_shape(Circle{1.0f}); }, {"set_shape"});
    check_refused([] { some_collider().set_material({}); }, {"set_material"});
    check_refused([] { some_collider().set_def({}); }, {"set_def"});
    check_refused([] { some_collider().set_filter({}); }, {"set_filter"});
    check_refused([] { some_collider().set_user_data(3); }, {"set_user_data"});
}

TEST_CASE("explosions, regions, and who ignores whom, during a step are refused") {
    check_refused([] { stepping->explode({}); }, {"explode"});
    check_refused(
        [] {
            stepping->apply_acceleration(Circle{9.0f}, {1.0f, 0.0f});
        },
        {"apply_acceleration"});
    check_refused([] { stepping->ignore(some_body, some_map); }, {"ignore"});
    check_refused([] { stepping->ignore_until_apart(some_body, some_map); },
                  {"ignore_until_apart"});
    check_refused([] { stepping->stop_ignoring(some_body, some_map); }, {"stop_ignoring"});
    check_refused([] { stepping->filter_again(); }, {"filter_again"});
}

TEST_CASE("changing tiles during a step is refused, also where there is nothing to change") {
    check_refused([] { stepping->tile_map(some_map).define('#'); }, {"define"});
    check_refused([] { stepping->tile_map(some_map).set({0, 0}, 0); }, {"set"});
    check_refused([] { stepping->tile_map(some_map).load("#"); }, {"load"});
    check_refused([] { stepping->tile_map(some_map).load(""); }, {"load"});
    check_refused([] { stepping->tile_map(some_map).fill({{0, 0}, {1, 1}}, 0); }, {"fill"});
    check_refused([] { stepping->tile_map(some_map).unload({{0, 0}, {1, 1}}); }, {"unload"});
    check_refused([] { stepping->create_tile_map(); }, {"create_tile_map"});
}

TEST_CASE("moving a character during a step is refused") {
    check_refused(
        [] {
            Mover mover;
            (void)move(*stepping, mover, {}, 0.1f);
        },
        {"move:"});
}

TEST_CASE("velocities in bulk, another gravity and another origin during a step are refused") {
    check_refused([] { (void)stepping->velocities(); }, {"velocities"});
    check_refused([] { stepping->set_gravity({}); }, {"set_gravity"});
    check_refused([] { stepping->shift_origin({}); }, {"shift_origin"});
}

TEST_CASE("copying a world during its step, and assigning to it, are refused") {
    check_refused([] { const World copy = *stepping; }, {"copying a World"});
    check_refused(
        [] {
            World copy;
            copy = *stepping;
        },
        {"copying a World"});
    check_refused([] { *stepping = World(*stepping); }, {"copying a World"});
    check_refused(
        [] {
            const World other;
            *stepping = other;
        },
        {"assigning to a World"});
}

TEST_CASE("reading a world during its step is allowed") {
    World world = busy_world();
    stepping = &world;
    sentence.clear();
    is_caught = true;
    meddle = [] {
        (void)stepping->state_hash();
        (void)stepping->body(some_body).position();
        (void)stepping->contains(some_body);
        (void)static_cast<const World*>(stepping)->velocities();
    };
    world.step();
    const bool was_called = meddle == nullptr;
    CHECK(was_called);
    CHECK(sentence.empty());
}

TEST_CASE("a mix function that throws leaves the world as it was before the step") {
    World world = busy_world();
    World copy = world;
    stepping = &world;
    is_caught = false;
    meddle = [] { stepping->create_body({}, Circle{0.5f}); };
    test::check_error([&] { world.step(); }, {"create_body", "inside step()"});
    CHECK(world.state_hash() == copy.state_hash());
    CHECK(world.body_count() == copy.body_count());
    CHECK(world.step_count() == copy.step_count());
    CHECK(go_on_alike(world, copy));  // it is not locked, and no impulse was handed out twice
}

TEST_CASE("a mix function that returns no coefficient is refused, and the world is as it was") {
    static float answer;
    for (const float bad :
         {-1.0f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        World world({.mix_friction = [](float, float) { return answer; }});
        world.create_body({.type = BodyType::Static}, Box{{5.0f, 1.0f}});
        world.create_body({.position = {0.0f, 1.4f}}, Circle{0.5f}, {.friction = 0.25f});
        const World copy = world;
        answer = bad;
        test::check_error([&] { world.step(); }, {"mix_friction(", "0.25", "expected", ">= 0"});
        CHECK(world.state_hash() == copy.state_hash());
        answer = 0.5f;
        world.step();
        CHECK(world.step_count() == 1);
    }
}

TEST_CASE("a step that a mix function refuses carries no riders, and hands on nothing to limbs") {
    static float answer;
    answer = 0.5f;
    World world({.gravity = {0.0f, -10.0f}, .mix_friction = [](float, float) { return answer; }});
    const BodyId lift = world.create_body({.type = BodyType::Kinematic}, Box{{3.0f, 0.1f}});
    world.add_collider(lift, Box{{0.1f, 0.1f}, {2.9f, 0.2f}});
    const BodyId rider = world.create_body({.position = {0.0f, 0.6f}}, Box{{0.5f, 0.5f}});
    world.create_body({.position = {0.0f, 1.6f}}, Box{{0.5f, 0.5f}});
    for (int i = 0; i < 30; ++i) world.step();
    world.body(lift).set_velocity({1.0f, 2.0f});
    world.create_body({.position = {10.0f, 0.0f}}, Circle{1.0f});
    world.create_body({.position = {10.0f, 1.5f}}, Circle{1.0f});
    World copy = world;
    const Vec2 before = world.body(rider).velocity();
    answer = -1.0f;
    test::check_error([&] { world.step(); }, {"mix_friction(", "expected"});
    test::check_error([&] { world.step(); }, {"mix_friction(", "expected"});
    CHECK(world.body(rider).velocity() == before);
    CHECK(world.state_hash() == copy.state_hash());
    answer = 0.5f;
    CHECK(go_on_alike(world, copy));
    CHECK(world.body(rider).velocity().x > 0.9f);  // it was carried once the step was taken
}

}  // namespace stepping_world_test

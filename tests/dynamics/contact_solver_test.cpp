// SPDX-License-Identifier: MIT
// Does the solver give equal bits at every width of lanes, and do its shortcuts what they claim?
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/dynamics/contact_solver.hpp>
#include <phys2d/dynamics/pair_builder.hpp>

#include "../support/random.hpp"

using namespace phys2d;
using namespace phys2d::detail;

namespace {

constexpr float step_time = 1.0f / 60.0f;
constexpr ContactReach reach{0.02f, step_time, 0.06f};

bool holds_pair(const ContactBlock& block, int lane) {
    return block.share_a[lane] + block.share_b[lane] > 0.0f;
}

/// Bodies of random shape and place, many of them in contact, the last third of them static.
struct Crowd {
    static constexpr std::int32_t dynamic_count = 60;
    static constexpr std::int32_t all = 90;
    std::vector<NarrowBody> narrow;
    Contacts contacts;
    SolverBodies bodies;

    Crowd(test::Random& random, float restitution) {
        for (std::int32_t i = 0; i < all; ++i) narrow.push_back(random_body(random, i));
        PairBuilder builder;
        builder.begin({dynamic_count, dynamic_count, dynamic_count});
        for (std::int32_t a = 0; a < dynamic_count; ++a) {
            for (std::int32_t b = a + 1; b < all; ++b) {
                if (!random.one_in(3)) continue;
                builder.add(a, b, narrow.data(), 0.02f, random.unit(),
                            random.one_in(2) ? restitution : 0.0f);
            }
        }
        builder.write(contacts);
        for (ContactBlock& block : contacts.blocks) {
            for (int lane = 0; lane < block_size; ++lane) {
                if (!holds_pair(block, lane) || random.one_in(2)) continue;
                block.normal_impulse[lane] = random.unit();
                block.tangent_impulse[lane] =
                    block.normal_impulse[lane] * random.uniform(-0.5f, 0.5f);
            }
        }
        load_bodies();
    }

    static NarrowBody random_body(test::Random& random, std::int32_t slot) {
        const Vec2 place = random.point(4.0f), velocity = random.point(3.0f);
        const bool round = random.one_in(2);
        const float inverse_mass = slot < dynamic_count ? random.uniform(0.01f, 5.0f) : 0.0f;
        const float size = random.uniform(0.1f, 0.6f);
        return {{place.x, place.y, round ? 0.0f : size, round ? 0.0f : random.uniform(0.1f, 0.6f)},
                {velocity.x, velocity.y, round ? size : 0.0f, inverse_mass}};
    }

    void load_bodies() {
        bodies.make_room(dynamic_count);
        for (std::size_t i = 0; i < at(dynamic_count); ++i) {
            const simd::Record4& motion = narrow[i].motion;
            bodies.state[i] = {motion.x, motion.y, 0.0f, 0.0f};
            bodies.free_velocity[i] = {motion.x, motion.y};
            bodies.drive[i] = {0.0f, -10.0f * step_time / 4.0f, 1.0f, 0.0f};
        }
    }
};

ContactSoftness softness_of(float dt) { return contact_softness(45.0f, 7.0f, dt, 0.06f); }

template <int Width>
void update_contacts(Contacts& contacts, const NarrowBody* bodies) {
    update_blocks<Width>(contacts, 0, static_cast<std::int32_t>(contacts.blocks.size()), bodies,
                         reach);
    list_active(contacts);
}

template <class Pass>
void for_each_colour(const Contacts& contacts, Pass pass) {
    for (const ColourRange& colour : contacts.active_colours) pass(colour);
}

template <int Width>
void bias_and_relax(Crowd& crowd, const ContactSoftness& softness) {
    for_each_colour(crowd.contacts, [&](ColourRange part) {
        solve_with_bias<Width>(crowd.contacts, part, crowd.bodies, softness);
    });
    integrate_positions<Width>(crowd.bodies, softness.h, 0, Crowd::dynamic_count);
    for_each_colour(crowd.contacts,
                    [&](ColourRange part) { relax<Width>(crowd.contacts, part, crowd.bodies); });
}

template <int Width>
void warm_start(Crowd& crowd) {
    for_each_colour(crowd.contacts, [&](ColourRange part) {
        warm_start<Width>(crowd.contacts, part, crowd.bodies);
    });
}

/// A step of four sub-steps at one width.
template <int Width>
void solve_step(Crowd& crowd) {
    const ContactSoftness softness = softness_of(step_time / 4.0f);
    Contacts& contacts = crowd.contacts;
    clear_impacts(contacts);
    for_each_colour(contacts, [&](ColourRange part) {
        separate_deep_overlaps<Width>(contacts, part, crowd.bodies, 0.06f, 3.0f * step_time);
    });
    for (int i = 0; i < 4; ++i) {
        for_each_colour(contacts, [&](ColourRange part) {
            prepare_rebounds<Width>(contacts, part, crowd.bodies, softness, 1.0f);
        });
        integrate_velocities<Width>(crowd.bodies, 0, Crowd::dynamic_count);
        if (i == 0) warm_start<Width>(crowd);
        bias_and_relax<Width>(crowd, softness);
        for_each_colour(contacts, [&](ColourRange part) {
            apply_restitution<Width>(contacts, part, crowd.bodies, 0.005f);
        });
    }
}

template <class T>
bool same_bits(const Array<T>& a, const Array<T>& b, std::size_t count) {
    return std::memcmp(a.data(), b.data(), count * sizeof(T)) == 0;
}

bool same_outcome(const Crowd& a, const Crowd& b) {
    const std::size_t blocks = a.contacts.blocks.size();
    return a.contacts.contact_count == b.contacts.contact_count &&
           a.contacts.any_deep == b.contacts.any_deep &&
           same_bits(a.contacts.lanes, b.contacts.lanes, blocks) &&
           same_bits(a.contacts.active, b.contacts.active, a.contacts.active.size()) &&
           same_bits(a.contacts.blocks, b.contacts.blocks, blocks) &&
           same_bits(a.contacts.bounces, b.contacts.bounces, blocks) &&
           same_bits(a.bodies.state, b.bodies.state, at(Crowd::dynamic_count)) &&
           same_bits(a.bodies.free_velocity, b.bodies.free_velocity, at(Crowd::dynamic_count));
}

}  // namespace

TEST_CASE("contacts are found and solved to equal bits at widths 1, 4 and 8") {
    test::Random random;
    int wrong = 0, contacts_seen = 0, bounces_seen = 0;
    for (int round = 0; round < test::many / 10'000; ++round) {
        Crowd one(random, round % 2 == 0 ? 0.0f : 0.8f);
        Crowd four = one, eight = one;
        update_contacts<1>(one.contacts, one.narrow.data());
        update_contacts<4>(four.contacts, four.narrow.data());
        update_contacts<8>(eight.contacts, eight.narrow.data());
        if (!same_outcome(one, four) || !same_outcome(one, eight)) ++wrong;
        solve_step<1>(one);
        solve_step<4>(four);
        solve_step<8>(eight);
        if (!same_outcome(one, four) || !same_outcome(one, eight)) ++wrong;
        contacts_seen += one.contacts.contact_count;
        for (const BounceBlock& bounces : one.contacts.bounces) {
            for (const float impact : bounces.impact) bounces_seen += impact > 0.0f ? 1 : 0;
        }
    }
    CHECK(wrong == 0);
    CHECK(contacts_seen > test::many / 10'000);
    CHECK(bounces_seen > 0);
}

namespace {

/// The one formula and the reach, for one pair.
bool expected_in_contact(const NarrowBody& a, const NarrowBody& b) {
    using One = simd::Lanes<1>;
    const float h_x = a.place.z + b.place.z, h_y = a.place.w + b.place.w;
    const float radius = a.motion.z + b.motion.z;
    const auto gap = separate(One{b.place.x - a.place.x}, One{b.place.y - a.place.y}, One{h_x},
                              One{h_y}, One{radius});
    const Vec2 normal{gap.normal_x.value, gap.normal_y.value};
    const Vec2 closing{a.motion.x - b.motion.x, a.motion.y - b.motion.y};
    const float way =
        clamp(dot(closing, normal) * step_time, 0.0f, 0.5f * (min(h_x, h_y) + radius));
    return gap.distance.value <= way + 0.02f;
}

}  // namespace

TEST_CASE("contacts are the pairs within the margin or about to be, measured one by one") {
    test::Random random;
    Crowd crowd(random, 0.0f);
    const Contacts& contacts = crowd.contacts;
    update_contacts<PHYS2D_LANES>(crowd.contacts, crowd.narrow.data());
    int wrong = 0, count = 0;
    for (std::size_t i = 0; i < contacts.blocks.size(); ++i) {
        for (int lane = 0; lane < block_size; ++lane) {
            const bool expected = holds_pair(contacts.blocks[i], lane) &&
                                  expected_in_contact(crowd.narrow[contacts.pairs[i].a[lane]],
                                                      crowd.narrow[contacts.pairs[i].b[lane]]);
            count += expected ? 1 : 0;
            if (((contacts.lanes[i] >> lane & 1) != 0) != expected) ++wrong;
            if ((contacts.blocks[i].separation[lane] < out_of_contact) != expected) ++wrong;
        }
    }
    CHECK(wrong == 0);
    CHECK(count == contacts.contact_count);
}

TEST_CASE("boxes that stack are measured to the bits that all shapes get") {
    test::Random random;
    int stacked = 0;
    for (int i = 0; i < test::many / 100; ++i) {
        NarrowBody bodies[2];
        for (NarrowBody& body : bodies) {
            const Vec2 place = random.point(0.6f);
            body = {{place.x, place.y, random.uniform(0.1f, 0.6f), random.uniform(0.1f, 0.6f)},
                    {random.unit(), random.unit(), 0.0f, 1.0f}};
        }
        if (random.one_in(10)) bodies[1].place = bodies[0].place;  // coincident
        const std::uint32_t a = 0, b = 1;
        Touch<1> short_way;
        if (!measure_stacked_boxes<1>(&a, &b, bodies, reach, short_way)) continue;
        ++stacked;
        const Touch<1> long_way = measure<1>(&a, &b, bodies, reach);
        CHECK(short_way.in_contact.set == long_way.in_contact.set);
        CHECK(std::memcmp(&short_way.separation, &long_way.separation, 3 * sizeof(float)) == 0);
    }
    CHECK(stacked > test::many / 1'000);
}

TEST_CASE("lanes without a pair change nothing, and the shares of a contact add up to 1") {
    test::Random random;
    Crowd crowd(random, 0.5f);
    update_contacts<8>(crowd.contacts, crowd.narrow.data());
    solve_step<8>(crowd);
    for (const ContactBlock& block : crowd.contacts.blocks) {
        for (int lane = 0; lane < block_size; ++lane) {
            if (!holds_pair(block, lane)) {
                CHECK(block.normal_impulse[lane] == 0.0f);
                continue;
            }
            CHECK(block.share_a[lane] + block.share_b[lane] == doctest::Approx(1.0).epsilon(1e-6));
            CHECK(block.normal_impulse[lane] >= 0.0f);
            CHECK(std::fabs(block.tangent_impulse[lane]) <=
                  block.friction[lane] * block.normal_impulse[lane] * 1.000001f);
        }
    }
    const simd::Record4& fixed = crowd.bodies.state[at(Crowd::dynamic_count)];
    CHECK(fixed.x == 0.0f);
    CHECK(fixed.y == 0.0f);
}

TEST_CASE("warm starting a line per body equals warm starting contact by contact to rounding") {
    test::Random random;
    Crowd by_body(random, 0.0f);
    update_contacts<PHYS2D_LANES>(by_body.contacts, by_body.narrow.data());
    const ContactSoftness softness = softness_of(step_time / 4.0f);
    integrate_velocities<PHYS2D_LANES>(by_body.bodies, 0, Crowd::dynamic_count);
    warm_start<PHYS2D_LANES>(by_body);
    for (int substep = 0; substep < 4; ++substep) {
        bias_and_relax<PHYS2D_LANES>(by_body, softness);
        // the next sub-step once more, from here: free velocities, then each contact by itself
        Crowd by_contact = by_body;
        for (std::size_t i = 0; i < at(Crowd::dynamic_count); ++i) {
            simd::Record4& state = by_contact.bodies.state[i];
            state.y += by_contact.bodies.drive[i].y;
        }
        warm_start<PHYS2D_LANES>(by_contact);
        integrate_velocities<PHYS2D_LANES>(by_body.bodies, 0, Crowd::dynamic_count);
        for (std::size_t i = 0; i < at(Crowd::dynamic_count); ++i) {
            const simd::Record4 &a = by_body.bodies.state[i], &b = by_contact.bodies.state[i];
            // some 20 contacts a body, each rounded to 2^-24 of speeds around 10 m/s
            CHECK(std::fabs(a.x - b.x) < 2e-5f);
            CHECK(std::fabs(a.y - b.y) < 2e-5f);
        }
    }
}

TEST_CASE("pairs out of contact forget their impulses") {
    test::Random random;
    Crowd crowd(random, 0.0f);
    update_contacts<4>(crowd.contacts, crowd.narrow.data());
    solve_step<4>(crowd);
    for (std::size_t i = 0; i < crowd.contacts.blocks.size(); ++i) {
        for (int lane = 0; lane < block_size; ++lane) {
            if ((crowd.contacts.lanes[i] >> lane & 1) != 0) continue;
            CHECK(crowd.contacts.blocks[i].normal_impulse[lane] == 0.0f);
            CHECK(crowd.contacts.blocks[i].tangent_impulse[lane] == 0.0f);
        }
    }
}

TEST_CASE("bodies are integrated to equal bits at all widths, zeros of either sign too") {
    test::Random random;
    SolverBodies one;
    constexpr std::int32_t count = 13;  // odd: the last one shares its lanes with the fixed body
    one.make_room(20);
    for (std::size_t i = 0; i < 20; ++i) one.free_velocity[i] = {random.unit(), 1.0f};
    one.make_room(count);  // what was in the fixed body's place is gone
    for (std::size_t i = 0; i < at(count); ++i) {
        const float zero = random.one_in(2) ? -0.0f : 0.0f;
        one.state[i] = {random.uniform(-1e3f, 1e3f), zero, zero, random.uniform(-1e3f, 1e3f)};
        one.drive[i] = {random.one_in(2) ? zero : random.unit(), zero,
                        random.one_in(2) ? 1.0f : random.unit(), 0.0f};
        one.free_velocity[i] = {random.one_in(2) ? one.state[i].x : random.unit(), zero};
    }
    SolverBodies four = one, eight = one;
    const auto integrate = [&]<int Width>(SolverBodies& bodies, simd::Lanes<Width>) {
        integrate_velocities<Width>(bodies, 0, count);
        integrate_positions<Width>(bodies, 0.25f, 0, count);
    };
    integrate(one, simd::Lanes<1>{});
    integrate(four, simd::Lanes<4>{});
    integrate(eight, simd::Lanes<8>{});
    for (const SolverBodies* wide : {&four, &eight}) {
        CHECK(same_bits(one.state, wide->state, at(count + 1)));
        CHECK(same_bits(one.free_velocity, wide->free_velocity, at(count)));
    }
}

TEST_CASE("a deep overlap is halved down to the spring by moving both bodies by their shares") {
    const NarrowBody narrow[] = {{{0.0f, 0.0f, 0.5f, 0.5f}, {0.0f, 0.0f, 0.0f, 1.0f}},
                                 {{0.0f, 0.8f, 0.5f, 0.5f}, {0.0f, 0.0f, 0.0f, 3.0f}}};
    PairBuilder builder;
    builder.begin({2, 2, 2});
    builder.add(0, 1, narrow, 0.02f, 0.0f, 0.0f);
    Contacts contacts;
    builder.write(contacts);
    update_contacts<4>(contacts, narrow);
    CHECK(contacts.any_deep);
    for (const float longest : {1.0f, 0.04f}) {
        SolverBodies bodies;
        bodies.make_room(2);
        for_each_colour(contacts, [&](ColourRange part) {
            separate_deep_overlaps<4>(contacts, part, bodies, 0.06f, longest);
        });
        // 0.2 m deep, of which 0.06 m are the spring's: half of 0.14 m, at most `longest`
        const double way = std::fmin(0.07, double{longest});
        CHECK(bodies.state[0].w == doctest::Approx(-0.25 * way).epsilon(1e-5));
        CHECK(bodies.state[1].w == doctest::Approx(0.75 * way).epsilon(1e-5));
        CHECK(bodies.state[0].y == 0.0f);  // no velocity
        CHECK(bodies.state[1].y == 0.0f);
    }
}

TEST_CASE("the spring of a contact is no stiffer than a quarter of the sub-step rate") {
    const ContactSoftness limited = contact_softness(1e6f, 7.0f, 1.0f / 240.0f, 0.06f);
    const ContactSoftness quarter = contact_softness(60.0f, 7.0f, 1.0f / 240.0f, 0.06f);
    CHECK(limited.bias_rate == doctest::Approx(quarter.bias_rate).epsilon(1e-6));
    CHECK(limited.mass_scale == doctest::Approx(quarter.mass_scale).epsilon(1e-6));
}

TEST_CASE("softness follows its derivation") {
    const double h = 1.0 / 240.0, omega = 2.0 * 3.14159265358979 * 45.0;
    const double a = 2.0 * 7.0 + h * omega;
    const ContactSoftness softness = softness_of(1.0f / 240.0f);
    CHECK(softness.bias_rate == doctest::Approx(omega / a).epsilon(1e-6));
    CHECK(softness.mass_scale ==
          doctest::Approx(h * omega * a / (1 + h * omega * a)).epsilon(1e-6));
    CHECK(softness.speed_per_load == doctest::Approx(1.0 / (h * omega * a)).epsilon(1e-6));
    CHECK(softness.inverse_h == doctest::Approx(240.0).epsilon(1e-6));
}

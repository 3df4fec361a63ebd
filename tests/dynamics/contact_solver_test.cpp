// SPDX-License-Identifier: MIT
// Does the solver give equal bits at every width of lanes, and do its shortcuts what they claim?
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/dynamics/contact_solver.hpp>

#include "../support/random.hpp"

using namespace phys2d;
using namespace phys2d::detail;

namespace {

constexpr float step_time = 1.0f / 60.0f;

/// Bodies of random shape and place, many of them in contact, the last third of them static.
struct Crowd {
    static constexpr std::int32_t dynamic_count = 60;
    static constexpr std::int32_t all = 90;
    std::vector<NarrowBody> narrow;
    ContactPairs pairs;
    SolverBodies bodies;

    Crowd(test::Random& random, float restitution) {
        for (std::int32_t i = 0; i < all; ++i) narrow.push_back(random_body(random, i));
        PairBuilder builder;
        builder.begin({dynamic_count, dynamic_count});
        for (std::int32_t a = 0; a < dynamic_count; ++a) {
            for (std::int32_t b = a + 1; b < all; ++b) {
                if (!random.one_in(3)) continue;
                builder.add(a, b, random.unit(), random.one_in(2) ? restitution : 0.0f);
            }
        }
        builder.finish(pairs);
        for (std::size_t i = 0; i < at(pairs.count); ++i) {
            pairs.normal_impulse[i] = random.one_in(2) ? random.unit() : 0.0f;
            pairs.tangent_impulse[i] = pairs.normal_impulse[i] * random.uniform(-0.5f, 0.5f);
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
Contacts contacts_of(Crowd& crowd) {
    Contacts contacts;
    update_contacts<Width>(crowd.pairs, crowd.narrow.data(), {0.02f, step_time, 0.06f},
                           Crowd::dynamic_count, contacts);
    return contacts;
}

/// A step of four sub-steps at one width.
template <int Width>
void solve_step(Crowd& crowd, Contacts& contacts) {
    const ContactSoftness softness = softness_of(step_time / 4.0f);
    separate_deep_overlaps<Width>(contacts, crowd.bodies, 0.06f, 3.0f * step_time);
    for (int i = 0; i < 4; ++i) {
        prepare_rebounds<Width>(contacts, crowd.bodies, softness, 1.0f);
        integrate_velocities(crowd.bodies);
        if (i == 0) warm_start<Width>(contacts, crowd.bodies);
        solve_contacts<Pass::Bias, Width>(contacts, crowd.bodies, softness);
        integrate_positions(crowd.bodies, softness.h);
        solve_contacts<Pass::Relax, Width>(contacts, crowd.bodies, softness);
        apply_restitution<Width>(contacts, crowd.bodies, 0.005f);
    }
    store_impulses(contacts, crowd.pairs);
}

template <class T>
bool same_bits(const Array<T>& a, const Array<T>& b, std::int32_t count) {
    return std::memcmp(a.data(), b.data(), at(count) * sizeof(T)) == 0;
}

bool same_contacts(const Contacts& a, const Contacts& b) {
    const std::int32_t end = a.end;
    if (a.count != b.count || a.end != b.end || a.colours.size() != b.colours.size()) return false;
    return same_bits(a.a, b.a, end) && same_bits(a.b, b.b, end) && same_bits(a.pair, b.pair, end) &&
           same_bits(a.normal_x, b.normal_x, end) && same_bits(a.normal_y, b.normal_y, end) &&
           same_bits(a.separation, b.separation, end) && same_bits(a.share_a, b.share_a, end) &&
           same_bits(a.share_b, b.share_b, end) && same_bits(a.friction, b.friction, end) &&
           same_bits(a.normal_impulse, b.normal_impulse, end) &&
           same_bits(a.tangent_impulse, b.tangent_impulse, end) &&
           same_bits(a.restitution, b.restitution, end) && same_bits(a.impact, b.impact, end);
}

bool same_outcome(const Crowd& a, const Crowd& b) {
    return same_bits(a.bodies.state, b.bodies.state, Crowd::dynamic_count) &&
           same_bits(a.pairs.normal_impulse, b.pairs.normal_impulse, a.pairs.count) &&
           same_bits(a.pairs.tangent_impulse, b.pairs.tangent_impulse, a.pairs.count);
}

}  // namespace

TEST_CASE("contacts are found, packed and solved to equal bits at widths 1, 4 and 8") {
    test::Random random;
    int wrong = 0, contacts_seen = 0, bounces_seen = 0;
    for (int round = 0; round < test::many / 10'000; ++round) {
        Crowd one(random, round % 2 == 0 ? 0.0f : 0.8f);
        Crowd four = one, eight = one;
        Contacts contacts_1 = contacts_of<1>(one);
        Contacts contacts_4 = contacts_of<4>(four);
        Contacts contacts_8 = contacts_of<8>(eight);
        if (!same_contacts(contacts_1, contacts_4) || !same_contacts(contacts_1, contacts_8))
            ++wrong;
        solve_step<1>(one, contacts_1);
        solve_step<4>(four, contacts_4);
        solve_step<8>(eight, contacts_8);
        if (!same_contacts(contacts_1, contacts_4) || !same_contacts(contacts_1, contacts_8))
            ++wrong;
        if (!same_outcome(one, four) || !same_outcome(one, eight)) ++wrong;
        contacts_seen += contacts_1.count;
        for (std::size_t i = 0; i < at(contacts_1.end); ++i) {
            if (contacts_1.impact[i] > 0.0f) ++bounces_seen;
        }
    }
    CHECK(wrong == 0);
    CHECK(contacts_seen > test::many / 10'000);
    CHECK(bounces_seen > 0);
}

TEST_CASE("contacts are the pairs within the margin or about to be, measured one by one") {
    test::Random random;
    Crowd crowd(random, 0.0f);
    const Contacts contacts = contacts_of<PHYS2D_LANES>(crowd);
    std::vector<std::int32_t> expected, found;
    for (std::int32_t i = 0; i < crowd.pairs.count; ++i) {
        const NarrowBody& a = crowd.narrow[at(crowd.pairs.a[at(i)])];
        const NarrowBody& b = crowd.narrow[at(crowd.pairs.b[at(i)])];
        using One = simd::Lanes<1>;
        const float h_x = a.place.z + b.place.z, h_y = a.place.w + b.place.w;
        const float radius = a.motion.z + b.motion.z;
        const auto gap = separate(One{b.place.x - a.place.x}, One{b.place.y - a.place.y}, One{h_x},
                                  One{h_y}, One{radius});
        const Vec2 normal{gap.normal_x.value, gap.normal_y.value};
        const Vec2 closing{a.motion.x - b.motion.x, a.motion.y - b.motion.y};
        const float way =
            clamp(dot(closing, normal) * step_time, 0.0f, 0.5f * (min(h_x, h_y) + radius));
        if (gap.distance.value <= way + 0.02f) expected.push_back(i);
    }
    for (std::size_t i = 0; i < at(contacts.end); ++i) {
        if (contacts.pair[i] >= 0) found.push_back(contacts.pair[i]);
    }
    CHECK(found == expected);  // in the order of the pairs
    CHECK(found.size() == static_cast<std::size_t>(contacts.count));
}

TEST_CASE("the filling of a colour changes nothing, and the shares of a contact add up to 1") {
    test::Random random;
    Crowd crowd(random, 0.5f);
    Contacts contacts = contacts_of<8>(crowd);
    solve_step<8>(crowd, contacts);
    for (std::size_t i = 0; i < at(contacts.end); ++i) {
        if (contacts.pair[i] < 0) {
            CHECK(contacts.normal_impulse[i] == 0.0f);
            CHECK(contacts.a[i] == Crowd::dynamic_count);
        } else {
            CHECK(contacts.share_a[i] + contacts.share_b[i] == doctest::Approx(1.0).epsilon(1e-6));
            CHECK(contacts.normal_impulse[i] >= 0.0f);
            CHECK(std::fabs(contacts.tangent_impulse[i]) <=
                  contacts.friction[i] * contacts.normal_impulse[i] * 1.000001f);
        }
    }
    const simd::Record4& fixed = crowd.bodies.state[at(Crowd::dynamic_count)];
    CHECK(fixed.x == 0.0f);
    CHECK(fixed.y == 0.0f);
}

TEST_CASE("warm starting a line per body equals warm starting contact by contact to rounding") {
    test::Random random;
    Crowd by_body(random, 0.0f);
    Contacts contacts = contacts_of<PHYS2D_LANES>(by_body);
    const ContactSoftness softness = softness_of(step_time / 4.0f);
    integrate_velocities(by_body.bodies);
    warm_start<PHYS2D_LANES>(contacts, by_body.bodies);
    for (int substep = 0; substep < 4; ++substep) {
        solve_contacts<Pass::Bias, PHYS2D_LANES>(contacts, by_body.bodies, softness);
        integrate_positions(by_body.bodies, softness.h);
        solve_contacts<Pass::Relax, PHYS2D_LANES>(contacts, by_body.bodies, softness);
        // the next sub-step once more, from here: free velocities, then each contact by itself
        Crowd by_contact = by_body;
        for (std::size_t i = 0; i < at(Crowd::dynamic_count); ++i) {
            simd::Record4& state = by_contact.bodies.state[i];
            state.y += by_contact.bodies.drive[i].y;
        }
        warm_start<PHYS2D_LANES>(contacts, by_contact.bodies);
        integrate_velocities(by_body.bodies);
        for (std::size_t i = 0; i < at(Crowd::dynamic_count); ++i) {
            const simd::Record4 &a = by_body.bodies.state[i], &b = by_contact.bodies.state[i];
            // some 20 contacts a body, each rounded to 2^-24 of speeds around 10 m/s
            CHECK(std::fabs(a.x - b.x) < 2e-5f);
            CHECK(std::fabs(a.y - b.y) < 2e-5f);
        }
    }
}

TEST_CASE("pairs out of contact forget their impulses, those in contact keep the solved ones") {
    test::Random random;
    Crowd crowd(random, 0.0f);
    Contacts contacts = contacts_of<4>(crowd);
    solve_step<4>(crowd, contacts);
    std::vector<float> expected(at(crowd.pairs.count), 0.0f);
    for (std::size_t i = 0; i < at(contacts.end); ++i) {
        if (contacts.pair[i] >= 0) expected[at(contacts.pair[i])] = contacts.normal_impulse[i];
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK(crowd.pairs.normal_impulse[i] == expected[i]);
    }
}

TEST_CASE("a deep overlap is halved down to the spring by moving both bodies by their shares") {
    PairBuilder builder;
    builder.begin({2, 2});
    builder.add(0, 1, 0.0f, 0.0f);
    ContactPairs pairs;
    builder.finish(pairs);
    const NarrowBody narrow[] = {{{0.0f, 0.0f, 0.5f, 0.5f}, {0.0f, 0.0f, 0.0f, 1.0f}},
                                 {{0.0f, 0.8f, 0.5f, 0.5f}, {0.0f, 0.0f, 0.0f, 3.0f}}};
    Contacts contacts;
    update_contacts<4>(pairs, narrow, {0.02f, step_time, 0.06f}, 2, contacts);
    CHECK(contacts.any_deep);
    for (const float longest : {1.0f, 0.04f}) {
        SolverBodies bodies;
        bodies.make_room(2);
        separate_deep_overlaps<4>(contacts, bodies, 0.06f, longest);
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
    CHECK(softness.impulse_scale == doctest::Approx(1.0 / (1.0 + h * omega * a)).epsilon(1e-6));
    CHECK(softness.inverse_h == doctest::Approx(240.0).epsilon(1e-6));
}

// SPDX-License-Identifier: MIT
// Does the solver give equal bits at every width of lanes, and do its shortcuts what they claim?
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/dynamics/bounces.hpp>
#include <phys2d/dynamics/narrow_phase.hpp>
#include <phys2d/dynamics/pair_builder.hpp>

#include "../support/narrow_columns.hpp"
#include "../support/random.hpp"
#include "../support/widest_lanes.hpp"

namespace contact_solver_test {

using namespace phys2d;
using namespace phys2d::detail;

namespace {

constexpr float step_time = 1.0f / 60.0f;
constexpr ContactReach reach{0.02f, step_time, 0.06f, 1e-5f, 2e-3f, detail::quiet_speed};

bool holds_pair(const ContactBlock& block, int lane) {
    return block.share_a[lane] + block.share_b[lane] > 0.0f;
}

enum class Kind {
    Mixed,  ///< anything anywhere
    Boxes,  ///< boxes on a lattice with gaps and overlaps of centimetres: most face each other
    Hub,    ///< the first body touches all others: more than there are colours
};

/// What is scratch is not copied by itself.
SolverBodies copy_of(const SolverBodies& bodies) {
    SolverBodies copy = bodies;
    copy.state.resize(bodies.state.size());
    copy.drive.resize(bodies.drive.size());
    copy.free_velocity.resize(bodies.free_velocity.size());
    for (std::size_t i = 0; i < bodies.state.size(); ++i) {
        copy.state[i] = bodies.state[i];
        copy.drive[i] = bodies.drive[i];
        copy.free_velocity[i] = bodies.free_velocity[i];
    }
    return copy;
}

/// Bodies of which many are in contact, the last third of them static.
struct Crowd {
    static constexpr std::int32_t dynamic_count = 81;  // odd: the last one is beside one that rests
    static constexpr std::int32_t fixed_slot = dynamic_count + detail::spare_slots(dynamic_count);
    static constexpr std::int32_t all = 120;
    std::vector<NarrowBody> narrow;
    Contacts contacts;
    SolverBodies bodies;

    Crowd(test::Random& random, float restitution, Kind kind = Kind::Mixed) {
        for (std::int32_t i = 0; i < all; ++i) {
            narrow.push_back(kind == Kind::Boxes ? box_on_lattice(random, i)
                                                 : random_body(random, i));
        }
        if (kind == Kind::Hub)
            narrow[0].motion.x = narrow[0].motion.y = 0.0f,
            narrow[0].form.x = narrow[0].form.y = 4.0f;
        PairBuilder builder;
        builder.begin({dynamic_count, dynamic_count, dynamic_count});
        for (std::int32_t a = 0; a < dynamic_count; ++a) {
            for (std::int32_t b = a + 1; b < all; ++b) {
                const bool is_hub = kind == Kind::Hub && a == 0;
                if (kind != Kind::Boxes && !is_hub && !random.one_in(4)) continue;
                if (kind == Kind::Boxes && !are_near(narrow[at(a)], narrow[at(b)])) continue;
                const float friction = random.unit();
                builder.add(a, b, {friction, random.one_in(2) ? restitution : 0.0f});
            }
        }
        detail::Alone alone;
        builder.write<block_size>(contacts, test::columns_of(narrow), reach, detail::BodySlots(),
                                  alone);
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

    Crowd(const Crowd& other)
        : narrow(other.narrow), contacts(other.contacts), bodies(copy_of(other.bodies)) {}

    static NarrowBody box_on_lattice(test::Random& random, std::int32_t slot) {
        const Vec2 place{static_cast<float>(slot % 11), static_cast<float>(slot / 11)};
        const float inverse_mass = slot < dynamic_count ? random.uniform(0.01f, 5.0f) : 0.0f;
        const Vec2 velocity = slot < dynamic_count ? random.point(0.1f) : Vec2{};
        return {{place.x, place.y, velocity.x, velocity.y},
                {random.uniform(0.46f, 0.51f), random.uniform(0.46f, 0.51f), 0.0f, inverse_mass}};
    }

    static bool are_near(const NarrowBody& a, const NarrowBody& b) {
        return abs(a.motion.x - b.motion.x) < 1.5f && abs(a.motion.y - b.motion.y) < 1.5f;
    }

    static NarrowBody random_body(test::Random& random, std::int32_t slot) {
        const Vec2 place = random.point(4.0f);
        const Vec2 velocity = slot < dynamic_count ? random.point(3.0f) : Vec2{};
        const bool round = random.one_in(2);
        const float inverse_mass = slot < dynamic_count ? random.uniform(0.01f, 5.0f) : 0.0f;
        const float size = random.uniform(0.1f, 0.6f);
        return {{place.x, place.y, velocity.x, velocity.y},
                {round ? 0.0f : size, round ? 0.0f : random.uniform(0.1f, 0.6f),
                 round ? size : 0.0f, inverse_mass}};
    }

    void load_bodies() {
        bodies.make_room(dynamic_count);
        bodies.make_fixed(fixed_slot, contacts.blocks.size());
        for (std::size_t i = 0; i < at(dynamic_count); ++i) {
            const Vec2 velocity = velocity_of(narrow[i]);
            bodies.state[i] = {velocity.x, velocity.y, 0.0f, 0.0f};
            bodies.free_velocity[i] = velocity;
            bodies.drive[i] = {0.0f, -10.0f * step_time / 4.0f, i % 2 == 0 ? 1.0f : 0.99f, 0.0f};
        }
    }
};

ContactSoftness softness_of(float dt) { return contact_softness(44.0f, 7.0f, dt, 0.06f); }

/// The blocks [begin, end); gravity has a part in what the bodies move. What is fixed and what is
/// idle has no velocity.
template <int Width>
void update_blocks(Contacts& contacts, std::int32_t begin, std::int32_t end,
                   Span<const NarrowBody> bodies) {
    std::vector<simd::Record4> velocities;
    for (const NarrowBody& body : bodies) {
        const float gained = body.form.w > 0.0f ? -10.0f * step_time * 0.625f : 0.0f;
        velocities.push_back({body.motion.z, body.motion.w - gained, 0.0f, 0.0f});
    }
    const auto count = static_cast<std::int32_t>(bodies.size());
    velocities.resize(at(count + detail::spare_slots(count) + 1) + contacts.blocks.size());
    const detail::NarrowColumns columns = test::columns_of(bodies);
    update_blocks<Width>(contacts, begin, end, {columns.motions.data(), velocities.data()}, reach);
}

template <int Width>
void update_contacts(Contacts& contacts, Span<const NarrowBody> bodies) {
    update_blocks<Width>(contacts, 0, static_cast<std::int32_t>(contacts.blocks.size()), bodies);
    list_active(contacts);
}

/// Calls pass(part) colour after colour; the colours whole, or their blocks one by one from the
/// last.
enum class Parts { Whole, BlocksBackwards };

template <class Pass>
void for_each_colour(const Contacts& contacts, Pass pass, Parts parts = Parts::Whole) {
    for (const ColourRange& colour : contacts.active_colours) {
        if (parts == Parts::Whole || !colour.is_independent()) {
            pass(colour);
            continue;
        }
        for (std::int32_t i = colour.end - 1; i >= colour.begin; --i) {
            pass(ColourRange{i, i + 1, colour.order});
        }
    }
}

template <int Width>
void bias_and_relax(Contacts& contacts, SolverBodies& bodies, const ContactSoftness& softness,
                    Parts parts = Parts::Whole) {
    const auto bias = [&](ColourRange part) {
        solve_with_bias<Width>(contacts, part, bodies, softness, 0.1f);
    };
    const auto without = [&](ColourRange part) { relax<Width>(contacts, part, bodies); };
    for_each_colour(contacts, bias, parts);
    integrate_positions<Width>(bodies, softness.h, 0, bodies.count);
    relax_impacts<Width>(contacts, bodies);
    for_each_colour(contacts, without, parts);
}

template <int Width>
void start_warm(Contacts& contacts, SolverBodies& bodies, Parts parts = Parts::Whole) {
    const auto pass = [&](ColourRange part) { warm_start<Width>(contacts, part, bodies); };
    for_each_colour(contacts, pass, parts);
}

/// A step of four sub-steps at one width.
template <int Width>
void solve_step(Contacts& contacts, SolverBodies& bodies, Parts parts = Parts::Whole) {
    const ContactSoftness softness = softness_of(step_time / 4.0f);
    const auto separate_deep = [&](ColourRange part) {
        separate_deep_overlaps<Width>(contacts, part, bodies, 0.06f, 3.0f * step_time);
    };
    const auto prepare = [&](ColourRange part) {
        prepare_rebounds<Width>(
            contacts, part, bodies, softness,
            {.threshold = 1.0f, .touching_distance = 0.005f, .time_step = step_time});
    };
    const auto find = [&](ColourRange part) {
        find_bounces<Width>(contacts, part, bodies, 0.005f, softness.h);
    };
    for_each_colour(contacts, separate_deep, parts);
    clear_impacts(contacts);
    for (int i = 0; i < 4; ++i) {
        for_each_colour(contacts, prepare, parts);
        integrate_velocities<Width>(bodies, 0, bodies.count);
        if (i == 0) start_warm<Width>(contacts, bodies, parts);
        bias_and_relax<Width>(contacts, bodies, softness, parts);
        for_each_colour(contacts, find, parts);
        apply_bounces<Width>(contacts, bodies);
    }
}

template <int Width>
void solve_step(Crowd& crowd, Parts parts = Parts::Whole) {
    solve_step<Width>(crowd.contacts, crowd.bodies, parts);
}

template <class T>
bool same_bits(const Array<T>& a, const Array<T>& b, std::size_t count) {
    return std::memcmp(a.data(), b.data(), count * sizeof(T)) == 0;
}

template <class T>
bool same_bits(const Array<T>& a, const Array<T>& b) {
    return a.size() == b.size() && same_bits(a, b, a.size());
}

bool same_colours(const Array<ColourRange>& a, const Array<ColourRange>& b) {
    bool same = a.size() == b.size();
    for (std::size_t i = 0; same && i < a.size(); ++i) {
        same = a[i].begin == b[i].begin && a[i].end == b[i].end && a[i].order == b[i].order;
    }
    return same;
}

/// All of the contacts and of the moving bodies.
bool same_outcome(const Crowd& a, const Crowd& b) {
    return a.contacts.contact_count == b.contacts.contact_count &&
           a.contacts.any_deep == b.contacts.any_deep &&
           same_bits(a.contacts.lanes, b.contacts.lanes) &&
           same_bits(a.contacts.is_deep, b.contacts.is_deep) &&
           same_bits(a.contacts.active, b.contacts.active) &&
           same_colours(a.contacts.active_colours, b.contacts.active_colours) &&
           same_bits(a.contacts.blocks, b.contacts.blocks) &&
           same_bits(a.contacts.bounces, b.contacts.bounces) &&
           same_bits(a.bodies.state, b.bodies.state, at(Crowd::dynamic_count)) &&
           same_bits(a.bodies.free_velocity, b.bodies.free_velocity, at(Crowd::dynamic_count));
}

bool is_at_rest(const simd::Record4& state) {
    return state.x == 0.0f && state.y == 0.0f && state.z == 0.0f && state.w == 0.0f;
}

/// What the crowds of a test have put to the test.
struct Seen {
    int contacts = 0, bounces = 0, deep = 0, overflow = 0;

    void add(const Contacts& seen) {
        contacts += seen.contact_count;
        deep += seen.any_deep ? 1 : 0;
        for (const BounceBlock& block : seen.bounces) {
            for (const float impact : block.impact) bounces += impact > 0.0f ? 1 : 0;
        }
        for (const ColourRange& colour : seen.active_colours) {
            overflow += colour.is_independent() ? 0 : 1;
        }
    }
};

}  // namespace

TEST_CASE("contacts are found and solved to equal bits at widths 1, 4 and 8") {
    for (const Kind kind : {Kind::Mixed, Kind::Boxes, Kind::Hub}) {
        CAPTURE(static_cast<int>(kind));
        test::Random random;
        Seen seen;
        int wrong = 0;
        for (int round = 0; round < test::many / 10'000; ++round) {
            Crowd one(random, round % 2 == 0 ? 0.0f : 0.8f, kind);
            Crowd four = one, eight = one;
            update_contacts<1>(one.contacts, one.narrow);
            update_contacts<4>(four.contacts, four.narrow);
            update_contacts<8>(eight.contacts, eight.narrow);
            wrong += !same_outcome(one, four) || !same_outcome(one, eight);
            solve_step<1>(one);
            solve_step<4>(four);
            solve_step<8>(eight);
            wrong += !same_outcome(one, four) || !same_outcome(one, eight);
            seen.add(one.contacts);
        }
        CHECK(wrong == 0);
        CHECK(seen.contacts > test::many / 1'000);
        CHECK((seen.bounces > 0 || kind == Kind::Boxes));  // which are too slow
        CHECK((seen.deep > 0 || kind == Kind::Boxes));
        CHECK((seen.overflow > 0) == (kind == Kind::Hub));
    }
}

TEST_CASE("what flies, driven by forces or not, is met alike whatever shares its block") {
    constexpr std::int32_t count = 2 * block_size;
    test::Random random;
    int differ = 0, met = 0;
    for (int round = 0; round < test::many / 10; ++round) {
        NarrowColumns bodies;
        std::vector<simd::Record4> velocities;
        PairBuilder builder;
        builder.begin({count, count, count});
        for (std::int32_t i = 0; i < count; ++i) {
            const Vec2 place = random.point(1.5f), way = random.point(1.5f) / step_time;
            const Vec2 before = random.one_in(2) ? way : random.point(1.5f) / step_time;
            const auto half = [&] { return random.one_in(2) ? 0.0f : random.uniform(0.1f, 0.4f); };
            const bool is_box = random.one_in(3);
            bodies.motions.push_back({place.x, place.y, way.x, way.y});
            bodies.forms.push_back(is_box ? simd::Record4{0.3f, 0.2f, 0.0f, 1.0f}
                                          : simd::Record4{half(), half(), 0.2f, 1.0f});
            velocities.push_back({before.x, before.y, 0.0f, 0.0f});
            if (i >= block_size) builder.add(i - block_size, i, {});
        }
        velocities.resize(at(builder.fixed_slot() + 2));
        Contacts one;
        detail::Alone alone;
        builder.write<block_size>(one, bodies, reach, detail::BodySlots(), alone);
        Contacts eight = one;
        detail::update_blocks<1>(one, 0, 1, {bodies.motions.data(), velocities.data()}, reach);
        detail::update_blocks<8>(eight, 0, 1, {bodies.motions.data(), velocities.data()}, reach);
        differ += !same_bits(one.blocks, eight.blocks) || !same_bits(one.lanes, eight.lanes) ||
                  !same_bits(one.met_beside, eight.met_beside);
        met += std::popcount(unsigned{one.from_afar[0]});
    }
    CHECK(differ == 0);
    CHECK(met > test::many / 100);
}

TEST_CASE("the blocks of a colour may be solved in any order, to the same bits") {
    test::Random random;
    for (const Kind kind : {Kind::Mixed, Kind::Boxes, Kind::Hub}) {
        Crowd forwards(random, 0.8f, kind);
        update_contacts<8>(forwards.contacts, forwards.narrow);
        Crowd backwards = forwards;
        solve_step<8>(forwards, Parts::Whole);
        solve_step<8>(backwards, Parts::BlocksBackwards);
        CHECK(same_outcome(forwards, backwards));
    }
}

TEST_CASE("the narrow phase may take the blocks in parts, in any order") {
    test::Random random;
    Crowd whole(random, 0.0f);
    Crowd parts = whole;
    update_contacts<8>(whole.contacts, whole.narrow);
    const auto count = static_cast<std::int32_t>(parts.contacts.blocks.size());
    for (std::int32_t end = count; end > 0; end -= 3) {
        update_blocks<8>(parts.contacts, std::max(end - 3, 0), end, parts.narrow);
    }
    list_active(parts.contacts);
    CHECK(same_outcome(whole, parts));
}

namespace {

/// Near each other, or going to meet in this step.
bool expected_in_contact(const NarrowBody& a, const NarrowBody& b) {
    const Shape shape_a = shape_of(a), shape_b = shape_of(b);
    const Vec2 way = velocity_of(a) - velocity_of(b);
    return collide(shape_a, shape_b).penetration >= -0.02f ||
           shape_cast(shape_a, way * step_time, shape_b);
}

}  // namespace

TEST_CASE("contacts are the pairs within the margin or about to be, measured one by one") {
    test::Random random;
    Crowd crowd(random, 0.0f);
    const Contacts& contacts = crowd.contacts;
    for (NarrowBody& body : crowd.narrow) {  // some fly past others, some meet them
        body.motion.z *= 20.0f;
        body.motion.w *= 20.0f;
    }
    update_contacts<PHYS2D_LANES>(crowd.contacts, crowd.narrow);
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

TEST_CASE("listed are the blocks that have a contact, colour by colour, in solving order") {
    test::Random random;
    for (const Kind kind : {Kind::Mixed, Kind::Boxes, Kind::Hub}) {
        Crowd crowd(random, 0.0f, kind);
        Contacts& contacts = crowd.contacts;
        update_contacts<PHYS2D_LANES>(contacts, crowd.narrow);
        for (std::uint8_t& lanes : contacts.lanes) {
            if (random.one_in(2)) lanes = 0;  // whole colours may have none
        }
        for (std::int32_t i = contacts.colours[1].begin; i < contacts.colours[1].end; ++i) {
            contacts.lanes[at(i)] = 0;
        }
        list_active(contacts);
        std::vector<std::int32_t> active;
        std::vector<std::size_t> ends;
        std::vector<SolvingOrder> orders;
        int count = 0;
        for (const ColourRange& colour : contacts.colours) {
            const std::size_t before = active.size();
            for (std::int32_t i = colour.begin; i < colour.end; ++i) {
                if (contacts.lanes[at(i)] != 0) active.push_back(i);
                count += std::popcount(contacts.lanes[at(i)]);
            }
            if (active.size() > before)
                ends.push_back(active.size()), orders.push_back(colour.order);
        }
        CHECK(std::vector(contacts.active.begin(), contacts.active.end()) == active);
        CHECK(contacts.contact_count == count);
        REQUIRE(contacts.active_colours.size() == ends.size());
        for (std::size_t i = 0; i < ends.size(); ++i) {
            CHECK(at(contacts.active_colours[i].begin) == (i == 0 ? 0 : ends[i - 1]));
            CHECK(at(contacts.active_colours[i].end) == ends[i]);
            CHECK(contacts.active_colours[i].order == orders[i]);
        }
    }
}

TEST_CASE("sides that face each other are measured to the bits of the one formula") {
    test::Random random;
    int touching = 0, wrong = 0;
    for (int i = 0; i < test::many / 100; ++i) {
        NarrowBody bodies[2];
        for (NarrowBody& body : bodies) {
            const Vec2 place = random.point(0.6f);
            const float radius = random.one_in(2) ? random.uniform(0.1f, 0.6f) : 0.0f;
            body = {{place.x, place.y, random.unit(), random.unit()},
                    {random.uniform(0.1f, 0.6f), random.uniform(0.1f, 0.6f), radius, 1.0f}};
        }
        if (random.one_in(10)) {  // coincident
            bodies[1].motion.x = bodies[0].motion.x, bodies[1].motion.y = bodies[0].motion.y;
        }
        const auto& [a, b] = bodies;
        const auto forms =
            PairForms<1>::of_bodies(simd::load_records<1>(&a.form), simd::load_records<1>(&b.form));
        const simd::Record4 motions[] = {a.motion, b.motion};
        const std::uint32_t slots[] = {0, 1};
        const Approach<1> pair(detail::gather_relative<1>(motions, &slots[0], &slots[1]), forms,
                               reach);
        if (!pair.have_sides().set) continue;
        ++touching;
        const Touch<1> touch = touch_sides(pair, reach);
        const auto formula = separate(pair.d, pair.h, pair.radius);
        wrong += std::memcmp(&touch, &formula, sizeof formula) == 0 ? 0 : 1;
    }
    CHECK(wrong == 0);
    CHECK(touching > test::many / 1'000);
}

TEST_CASE("shares of a contact add up to 1, it does not pull, and friction has its bound") {
    test::Random random;
    Crowd crowd(random, 0.5f);
    update_contacts<8>(crowd.contacts, crowd.narrow);
    solve_step<8>(crowd);
    for (const ContactBlock& block : crowd.contacts.blocks) {
        for (int lane = 0; lane < block_size; ++lane) {
            if (!holds_pair(block, lane)) continue;
            // two quotients, each rounded
            CHECK(std::fabs(block.share_a[lane] + block.share_b[lane] - 1.0f) <= 0x1p-23f);
            CHECK(block.normal_impulse[lane] >= 0.0f);
            CHECK(std::fabs(block.tangent_impulse[lane]) <=
                  block.friction[lane] * block.normal_impulse[lane]);
        }
    }
}

namespace {

/// After a step: lanes without a pair bear nothing, and the fixed body has not moved.
template <int Width>
void check_that_nothing_moves_what_is_fixed(test::Random& random, Kind kind) {
    Crowd crowd(random, 0.5f, kind);
    update_contacts<Width>(crowd.contacts, crowd.narrow);
    solve_step<Width>(crowd);
    int wrong = 0;
    for (const ContactBlock& block : crowd.contacts.blocks) {
        for (int lane = 0; lane < block_size; ++lane) {
            if (holds_pair(block, lane)) continue;
            wrong += block.normal_impulse[lane] != 0.0f || block.tangent_impulse[lane] != 0.0f;
        }
    }
    CHECK(wrong == 0);
    CHECK(is_at_rest(crowd.bodies.state[Crowd::fixed_slot]));
}

}  // namespace

TEST_CASE("what is fixed stays where it is, and lanes without a pair bear nothing") {
    test::Random random;
    for (const Kind kind : {Kind::Mixed, Kind::Boxes, Kind::Hub}) {
        check_that_nothing_moves_what_is_fixed<1>(random, kind);
        check_that_nothing_moves_what_is_fixed<4>(random, kind);
        check_that_nothing_moves_what_is_fixed<8>(random, kind);
    }
}

TEST_CASE("warm starting a line per body equals warm starting contact by contact to rounding") {
    test::Random random;
    Crowd by_body(random, 0.0f);
    update_contacts<PHYS2D_LANES>(by_body.contacts, by_body.narrow);
    const ContactSoftness softness = softness_of(step_time / 4.0f);
    integrate_velocities<PHYS2D_LANES>(by_body.bodies, 0, Crowd::dynamic_count);
    start_warm<PHYS2D_LANES>(by_body.contacts, by_body.bodies);
    for (int substep = 0; substep < 4; ++substep) {
        bias_and_relax<PHYS2D_LANES>(by_body.contacts, by_body.bodies, softness);
        // the next sub-step once more, from here: free velocities, then each contact by itself
        Crowd by_contact = by_body;
        for (std::size_t i = 0; i < at(Crowd::dynamic_count); ++i) {
            simd::Record4& state = by_contact.bodies.state[i];
            const simd::Record4& drive = by_contact.bodies.drive[i];
            state.x = mul(state.x, drive.z) + drive.x;
            state.y = mul(state.y, drive.z) + drive.y;
        }
        start_warm<PHYS2D_LANES>(by_contact.contacts, by_contact.bodies);
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
    update_contacts<4>(crowd.contacts, crowd.narrow);
    solve_step<4>(crowd);
    for (std::size_t i = 0; i < crowd.contacts.blocks.size(); ++i) {
        for (int lane = 0; lane < block_size; ++lane) {
            if ((crowd.contacts.lanes[i] >> lane & 1) != 0) continue;
            CHECK(crowd.contacts.blocks[i].normal_impulse[lane] == 0.0f);
            CHECK(crowd.contacts.blocks[i].tangent_impulse[lane] == 0.0f);
        }
    }
}

namespace {

float either_zero(test::Random& random) { return random.one_in(2) ? -0.0f : 0.0f; }

/// Often a zero of either sign.
float number_or_zero(test::Random& random) {
    return random.one_in(3) ? either_zero(random) : random.uniform(-1e3f, 1e3f);
}

/// A solver that had more bodies before, with anything in their places.
SolverBodies used_bodies(test::Random& random, std::int32_t count) {
    SolverBodies bodies;
    bodies.make_room(40);
    const auto any = [&] {
        const float x = number_or_zero(random), y = number_or_zero(random);
        const float z = number_or_zero(random);
        return simd::Record4{x, y, z, number_or_zero(random)};
    };
    for (std::size_t i = 0; i <= 40; ++i) {
        bodies.state[i] = any();
        bodies.drive[i] = any();
        const simd::Record4 free = any();
        bodies.free_velocity[i] = random.one_in(2)  // at rest or free, contacts have done nothing
                                      ? Vec2{bodies.state[i].x, bodies.state[i].y}
                                      : Vec2{free.x, free.y};
    }
    bodies.make_room(count);
    bodies.quiet = detail::quiet_speed;
    for (std::size_t i = 0; i < at(count); ++i) {
        bodies.drive[i].z = random.one_in(2) ? 1.0f : random.unit();
        bodies.drive[i].w = 0.0f;
    }
    return bodies;
}

/// v' = (v c + g) + (v - f) + q - q, f' = v c + g, each operation rounded once; the rest stays as
/// it is.
void integrate_velocities_one_by_one(SolverBodies& bodies) {
    for (std::size_t i = 0; i < at(bodies.count); ++i) {
        simd::Record4& state = bodies.state[i];
        const simd::Record4& drive = bodies.drive[i];
        const Vec2 free{test::product_rounded_once(state.x, drive.z) + drive.x,
                        test::product_rounded_once(state.y, drive.z) + drive.y};
        const Vec2 by_contacts = Vec2{state.x, state.y} - bodies.free_velocity[i];
        state.x = free.x + by_contacts.x + bodies.quiet - bodies.quiet;
        state.y = free.y + by_contacts.y + bodies.quiet - bodies.quiet;
        bodies.free_velocity[i] = free;
    }
}

/// d' = d + v h.
void integrate_positions_one_by_one(SolverBodies& bodies, float h) {
    for (std::size_t i = 0; i < at(bodies.count); ++i) {
        simd::Record4& state = bodies.state[i];
        state.z += test::product_rounded_once(state.x, h);
        state.w += test::product_rounded_once(state.y, h);
    }
}

/// For any number of bodies, in two parts of which the second comes first.
template <class Integrate, class Expected>
int wrong_integrations(Integrate integrate, Expected integrate_one_by_one) {
    test::Random random;
    int wrong = 0;
    for (int round = 0; round < 2'000; ++round) {
        const std::int32_t count = random.integer(1, 20);
        const std::int32_t border = 4 * random.integer(0, count / 4);
        SolverBodies bodies = used_bodies(random, count);
        SolverBodies expected = copy_of(bodies);
        integrate(bodies, border, count);
        integrate(bodies, 0, border);
        integrate_one_by_one(expected);
        wrong += !same_bits(bodies.state, expected.state, at(count));
        wrong += !same_bits(bodies.free_velocity, expected.free_velocity, at(count));
        wrong += !is_at_rest(bodies.state[at(count)]);
        wrong += bodies.free_velocity[at(count)] != Vec2{};
    }
    return wrong;
}

template <int Width>
void check_integration() {
    CAPTURE(Width);
    const float h = 1.0f / 240.0f;
    const auto velocities = [](SolverBodies& bodies, std::int32_t begin, std::int32_t end) {
        integrate_velocities<Width>(bodies, begin, end);
    };
    const auto positions = [=](SolverBodies& bodies, std::int32_t begin, std::int32_t end) {
        integrate_positions<Width>(bodies, h, begin, end);
    };
    CHECK(wrong_integrations(velocities, integrate_velocities_one_by_one) == 0);
    CHECK(wrong_integrations(positions, [=](SolverBodies& bodies) {
              integrate_positions_one_by_one(bodies, h);
          }) == 0);
}

}  // namespace

TEST_CASE("bodies of any number are integrated to the bits of their formulas at every width") {
    // velocity and place keep each other's zeros of either sign, and the fixed body rests
    check_integration<1>();
    check_integration<4>();
    check_integration<8>();
    check_integration<test::widest_lanes>();
}

TEST_CASE("a deep overlap is halved down to the spring by moving both bodies by their shares") {
    const std::vector<NarrowBody> narrow = {{{0.0f, 0.0f, 0.0f, 0.0f}, {0.5f, 0.5f, 0.0f, 1.0f}},
                                            {{0.0f, 0.8f, 0.0f, 0.0f}, {0.5f, 0.5f, 0.0f, 3.0f}}};
    PairBuilder builder;
    builder.begin({2, 2, 2});
    builder.add(0, 1, {0.0f, 0.0f});
    Contacts contacts;
    detail::Alone alone;
    builder.write<block_size>(contacts, test::columns_of(narrow), reach, detail::BodySlots(),
                              alone);
    update_contacts<4>(contacts, narrow);
    CHECK(contacts.any_deep);
    for (const float longest : {1.0f, 0.04f}) {
        SolverBodies bodies;
        bodies.make_room(2);
        bodies.make_fixed(builder.fixed_slot(), contacts.blocks.size());
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

TEST_CASE("two equal balls that collide with restitution 1 exchange velocities in one impact") {
    std::vector<NarrowBody> narrow = {{{0.0f, 0.0f, 2.0f, 0.0f}, {0.0f, 0.0f, 0.5f, 1.0f}},
                                      {{1.03f, 0.0f, -2.0f, 0.0f}, {0.0f, 0.0f, 0.5f, 1.0f}}};
    PairBuilder builder;
    builder.begin({2, 2, 2});
    builder.add(0, 1, {0.0f, 1.0f});
    Contacts contacts;
    detail::Alone alone;
    builder.write<block_size>(contacts, test::columns_of(narrow), reach, detail::BodySlots(),
                              alone);
    SolverBodies bodies;
    bodies.make_room(2);
    bodies.make_fixed(builder.fixed_slot(), contacts.blocks.size());
    for (const double expected :
         {8.0, 0.0}) {  // what the closing speed of 4 m/s is turned by; then apart
        for (std::size_t i = 0; i < 2; ++i) {
            bodies.state[i] = {narrow[i].motion.z, 0.0f, 0.0f, 0.0f};
            bodies.drive[i] = {0.0f, 0.0f, 1.0f, 0.0f};
            bodies.free_velocity[i] = {narrow[i].motion.z, 0.0f};
        }
        update_contacts<4>(contacts, narrow);
        solve_step<4>(contacts, bodies);
        // velocities of a few m/s, rounded some ten times to 2^-24 of themselves
        CHECK(contacts.bounces[0].impact[0] == doctest::Approx(expected).epsilon(1e-6));
        CHECK(bodies.state[0].x == doctest::Approx(-2.0).epsilon(1e-6));
        CHECK(bodies.state[1].x == doctest::Approx(2.0).epsilon(1e-6));
        for (std::size_t i = 0; i < 2; ++i) {
            narrow[i].motion.x += bodies.state[i].z;
            narrow[i].motion.z = bodies.state[i].x;
        }
    }
}

TEST_CASE("impulses that are kept are none before they get too small to be normal numbers") {
    const std::vector<NarrowBody> narrow = {{{0.0f, 0.0f, 0.0f, 0.0f}, {0.5f, 0.5f, 0.0f, 1.0f}},
                                            {{0.0f, 1.0f, 0.0f, 0.0f}, {0.5f, 0.5f, 0.0f, 1.0f}}};
    PairBuilder builder;
    builder.begin({2, 2, 2});
    builder.add(0, 1, {});
    Contacts contacts;
    detail::Alone alone;
    builder.write<block_size>(contacts, test::columns_of(narrow), reach, detail::BodySlots(),
                              alone);
    contacts.blocks[0].normal_impulse[0] = 1.0f;
    contacts.blocks[0].tangent_impulse[0] = 1e-38f;
    update_contacts<4>(contacts, narrow);
    CHECK(contacts.blocks[0].normal_impulse[0] == 1.0f);
    CHECK(contacts.blocks[0].tangent_impulse[0] == 0.0f);
}

TEST_CASE("softness follows its derivation") {
    const double h = 1.0 / 240.0, omega = 2.0 * 3.14159265358979 * 44.0;
    const double a = 2.0 * 7.0 + h * omega;
    const ContactSoftness softness = softness_of(1.0f / 240.0f);
    CHECK(softness.bias_rate == doctest::Approx(omega / a).epsilon(1e-6));
    CHECK(softness.mass_scale ==
          doctest::Approx(h * omega * a / (1 + h * omega * a)).epsilon(1e-6));
    CHECK(softness.speed_per_load == doctest::Approx(1.0 / (h * omega * a)).epsilon(1e-6));
    CHECK(softness.inverse_h == doctest::Approx(240.0).epsilon(1e-6));
}

}  // namespace contact_solver_test

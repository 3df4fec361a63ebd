// SPDX-License-Identifier: MIT
// contact_solver: how do the contacts of a step change the velocities of the bodies?
//
// Soft Step: the step is divided into sub-steps of h seconds; each integrates velocities, warm
// starts, solves the contacts once with a bias that reduces penetration, integrates positions, and
// solves once more without the bias (relax), so that the push-out leaves no velocity behind. Before
// that, impacts are relaxed among themselves. [Catto2024, "Solver2D"]
//
// For one contact, with normal n from a to b, relative velocity v = v_b - v_a, separation s = s_0 +
// n·(Δp_b - Δp_a), and impulses divided by the reduced mass m = 1/(1/m_a + 1/m_b), so that an
// impulse λ changes v by λ n and the velocity of a body by its share of that, share_a = (1/m_a)·m:
//   apart (s > 0)   λ' = λ - (v·n + s/h)                        close the gap, but no further
//   touching        λ' = λ - μ (v·n + max(β s, -push)) - γ λ    a spring and damper, implicit in h;
//                                                               push = max(β depth, γ/μ λ): beyond
//                                                               it a contact only carries its load
//                   λ' >= λ - (v·n + sink)                      but sink no deeper than a part of
//                                                               `depth`, even at hundreds of m/s,
//                                                               and hardly at all into what is fixed
//   relax           λ' = λ - v·n                                where λ > 0
//   always          λ' >= 0,   |λ_t| <= friction · λ'
// with angular frequency ω = 2π·hertz, damping ratio ζ, a = 2ζ + hω:
//   β = ω/a,   μ = hωa/(1 + hωa),   γ = 1/(1 + hωa)             [Catto2011, "Soft Constraints"]
// Since μ + γ = 1, touching is λ' = μ (λ - v·n - max(β s, -push)), and apart the same with μ = 1.
//
// Warm starting is a line per body instead of a pass over contacts: the total effect of all
// contacts on a body in a sub-step is v_end - v_free, where v_free is its velocity before they
// acted, and they begin the next sub-step by doing the same again: v = v_free' + (v_end - v_free).
// Only the first sub-step of a step warm starts contact by contact. Impacts on what is immovable are
// left out of that: see `forget_impacts`.
#pragma once

#include <phys2d/dynamics/contact_lanes.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Spring and damper of touching contacts, and the sub-step in which they are solved.
struct ContactSoftness {
    float h;               ///< sub-step [s]
    float inverse_h;       ///< [1/s]
    float bias_rate;       ///< β [1/s]
    float mass_scale;      ///< μ
    float push_speed;      ///< fastest push-out of a contact without load [m/s]
    float speed_per_load;  ///< γ/μ: push-out speed beyond the spring, per unit of impulse
    float sink_speed;      ///< fastest approach that the spring lets pass [m/s]
    /// The same towards immovable bodies: those that hit a body from behind, one after the other,
    /// must not drive it through something thin.
    float fixed_sink_speed;
};

/// `depth` is the penetration where the spring ends [m].
[[nodiscard]] constexpr ContactSoftness contact_softness(float hertz, float damping_ratio, float h,
                                                         float depth) {
    constexpr float two_pi = 6.28318530717959f;
    const float omega = mul(two_pi, hertz);
    const float a = mul(2.0f, damping_ratio) + mul(h, omega);
    const float h_omega_a = mul(mul(h, omega), a);
    const float bias_rate = omega / a;
    return {.h = h,
            .inverse_h = 1.0f / h,
            .bias_rate = bias_rate,
            .mass_scale = h_omega_a / (1.0f + h_omega_a),
            .push_speed = mul(bias_rate, depth),
            .speed_per_load = 1.0f / h_omega_a,
            .sink_speed = mul(0.25f, depth) / h,
            .fixed_sink_speed = mul(0.002f, depth) / h};
}

/// Applies the impulses kept from the previous step.
template <int Width>
void warm_start(Contacts& contacts, ColourRange part, SolverBodies& bodies) {
    for_each_contact<Width>(contacts, part, bodies, [](const auto& contact) PHYS2D_INLINED {
        const ContactBlock& block = contact.block;
        const simd::Lanes<Width> normal = contact.load(block.normal_impulse);
        if (!any(simd::Lanes<Width>::fill(0.0f) < normal)) return;
        contact.apply(normal, contact.load(block.tangent_impulse), contact.velocity(block.a),
                      contact.velocity(block.b));
    });
}

/// Reduces overlaps deeper than `depth` by moving the bodies, which leaves no velocity behind: by a
/// fraction of the excess, at most `longest` per step [m]. The spring only handles the rest, so
/// that bodies spawned inside each other separate instead of exploding.
template <int Width>
void separate_deep_overlaps(Contacts& contacts, ColourRange part, SolverBodies& bodies, float depth,
                            float longest) {
    constexpr float share_of_excess = 0.5f;
    for_each_contact<Width>(contacts, part, bodies, [&](const auto& contact) PHYS2D_INLINED {
        using Real = simd::Lanes<Width>;
        const Real zero = Real::fill(0.0f);
        const auto a = contact.state(contact.block.a);
        const auto b = contact.state(contact.block.b);
        const Real excess = max(zero - contact.separation(a, b) - Real::fill(depth), zero);
        if (!any(zero < excess)) return;
        contact.displace(min(excess * Real::fill(share_of_excess), Real::fill(longest)), a, b);
    });
}

/// Solves friction for a normal impulse, and applies both.
template <int Width, class Body>
PHYS2D_INLINE void solve_lanes(const ContactLanes<Width>& contact, simd::Lanes<Width> normal,
                               const Body& a, const Body& b) {
    using Real = simd::Lanes<Width>;
    ContactBlock& block = contact.block;
    const Real old_normal = contact.load(block.normal_impulse);
    const Real old_tangent = contact.load(block.tangent_impulse);
    const Real limit = contact.load(block.friction) * normal;
    const Real wanted =
        old_tangent - (contact.tangent_speed(a, b) - contact.load(contact.surface.speed));
    const Real tangent = min(max(wanted, Real::fill(0.0f) - limit), limit);
    contact.store(normal, block.normal_impulse);
    contact.store(tangent, block.tangent_impulse);
    contact.apply(normal - old_normal, tangent - old_tangent, a, b);
}

/// One pass with the bias, as derived at the top of the file.
template <int Width>
void solve_with_bias(Contacts& contacts, ColourRange part, SolverBodies& bodies,
                     const ContactSoftness& softness) {
    using Real = simd::Lanes<Width>;
    const Real inverse_h = Real::fill(softness.inverse_h);
    const Real bias_rate = Real::fill(softness.bias_rate);
    const Real push_velocity = Real::fill(-softness.push_speed);
    const Real velocity_per_load = Real::fill(-softness.speed_per_load);
    const Real soft_scale = Real::fill(softness.mass_scale);
    const bool b_is_fixed = part.order == SolvingOrder::Immovable;
    const Real sink_speed =
        Real::fill(b_is_fixed ? softness.fixed_sink_speed : softness.sink_speed);
    for_each_contact<Width>(contacts, part, bodies, [&](const auto& contact) PHYS2D_INLINED {
        const Real zero = Real::fill(0.0f);
        const auto a = contact.state(contact.block.a);
        const auto b = contact.state(contact.block.b);
        const Real separation = contact.separation(a, b);
        const Real old_normal = contact.load(contact.block.normal_impulse);

        const auto apart = zero < separation;
        const Real rate = select(apart, inverse_h, bias_rate);
        const Real fastest = min(push_velocity, old_normal * velocity_per_load);
        const Real bias = max(separation * rate, fastest);
        const Real mass_scale = select(apart, Real::fill(1.0f), soft_scale);
        const Real stopped = old_normal - contact.normal_speed(a, b);
        const Real least = select(apart, zero, stopped - sink_speed);
        const Real normal = max((stopped - bias) * mass_scale, max(least, zero));
        if (!any(zero < max(normal, old_normal))) return;
        contact.pushed |= static_cast<std::uint8_t>(bits(zero < normal) << contact.lane);
        solve_lanes(contact, normal, a, b);
    });
}

/// One pass without the bias: stops bodies that the bias has brought into contact or pushed out.
/// Contacts without an impulse keep their speed for their impact.
template <class Contact>
PHYS2D_INLINE void relax_lanes(const Contact& contact) {
    using Real = typename Contact::Real;
    const Real zero = Real::fill(0.0f);
    const Real old_normal = contact.load(contact.block.normal_impulse);
    const auto acts = zero < old_normal;
    if (!any(acts)) return;
    const auto a = contact.velocity(contact.block.a);
    const auto b = contact.velocity(contact.block.b);
    const Real wanted = max(old_normal - contact.normal_speed(a, b), zero);
    solve_lanes(contact, select(acts, wanted, zero), a, b);
}
template <int Width>
void relax(Contacts& contacts, ColourRange part, SolverBodies& bodies) {
    for_each_contact<Width>(contacts, part, bodies,
                            [](const auto& contact) PHYS2D_INLINED { relax_lanes(contact); });
}

/// The speed of the impact of a contact, of which a part is stopped and the rest still to be; what
/// the forces of a sub-step add to it is none [m/s].
[[nodiscard]] inline float impact_speed(const ContactBlock& block, int lane,
                                        const SolverBodies& bodies) {
    const std::size_t a = simd::record_at(block.a[lane]);
    const std::size_t b = simd::record_at(block.b[lane]);
    const Vec2 normal{block.normal_x[lane], block.normal_y[lane]};
    const auto closing = [&](const Scratch<simd::Record4>& column) {
        return max(dot({column[a].x - column[b].x, column[a].y - column[b].y}, normal), 0.0f);
    };
    return block.normal_impulse[lane] + closing(bodies.state) - closing(bodies.drive);
}

/// Lists the contacts without restitution that have begun with an impact faster than `least`.
inline void list_struck(Contacts& contacts, const SolverBodies& bodies, float least) {
    contacts.struck.reserve(at(block_size) * contacts.blocks.capacity());
    contacts.struck.clear();
    const auto is_fresh = [](std::uint64_t pushed, std::uint64_t touched) {
        return pushed & ~touched;
    };
    const auto list_lanes = [&](std::int32_t i, unsigned fresh) {
        for_each_bit(fresh, [&](int lane) {
            const bool bounces = contacts.bounces[i].restitution[lane] > 0.0f;
            if (!bounces && impact_speed(contacts.blocks[i], lane, bodies) > least)
                contacts.struck.push_back({i, lane});
        });
    };
    for_each_block(contacts.pushed, contacts.touching, is_fresh, list_lanes);
}

/// Relaxes impacts before all contacts: what one of them lets go, the others stop in the next pass,
/// so that a body that hits two at once pushes both alike. Those that bounce are solved together
/// anyway. After `relax`, they would leave what is struck moving into what it rests on.
inline void relax_impacts(Contacts& contacts, SolverBodies& bodies, float least) {
    constexpr int passes = 4;
    list_struck(contacts, bodies, least);
    const SolverColumns columns(contacts, bodies);
    for (int i = 0; i < passes; ++i) {
        for (const LanePlace place : contacts.struck) {
            relax_lanes(ContactLanes<1>(columns, at(place.block), place.lane, true));
        }
    }
}

/// Has the next sub-step begin without what has just stopped impacts on immovable bodies, which are
/// over: between two of them a body that does not bounce would be thrown back by both.
inline void forget_impacts(Contacts& contacts, SolverBodies& bodies) {
    for (const LanePlace place : contacts.struck) {
        const ContactBlock& block = contacts.blocks[place.block];
        const int lane = place.lane;
        if (block.share_b[lane] != 0.0f) continue;
        const Vec2 normal = contacts.normal_at(place);
        const Vec2 impulse = normal * block.normal_impulse[lane] +
                             perpendicular(normal) * block.tangent_impulse[lane];
        bodies.free_velocity[simd::record_at(block.a[lane])] -= impulse * block.share_a[lane];
        contacts.clear_impulses(place);
    }
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

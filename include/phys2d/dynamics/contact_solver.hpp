// SPDX-License-Identifier: MIT
// contact_solver: how do the contacts of a step change the velocities of the bodies?
//
// Soft Step: the step is divided into sub-steps of h seconds; each integrates velocities, warm
// starts, solves the contacts with a bias that reduces penetration (once, or twice if the step is
// one sub-step), integrates positions, and solves once more without the bias (relax), so that the
// push-out leaves no velocity behind. Before that, impacts are relaxed among themselves.
// [Catto2024, "Solver2D"]
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
//                                                               and hardly into what is fixed
//   relax           λ' = λ - v·n                                where λ > 0
//   always          λ' >= 0,   |λ_t| <= friction · λ'
// with angular frequency ω = 2π·hertz, damping ratio ζ, a = 2ζ + hω:
//   β = ω/a,   μ = hωa/(1 + hωa),   γ = 1/(1 + hωa)             [Catto2011, "Soft Constraints"]
// Since μ + γ = 1, touching is λ' = μ (λ - v·n - max(β s, -push)), and apart the same with μ = 1.
//
// Warm starting is a line per body instead of a pass over contacts: the total effect of all
// contacts on a body in a sub-step is v_end - v_free, where v_free is its velocity before they
// acted, and they begin the next sub-step by doing the same again: v = v_free' + (v_end - v_free).
// Only the first sub-step of a step warm starts contact by contact. Impacts on what is immovable
// are left out of that: see `forget_impacts`.
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
    const auto apply = []<int W>(const ContactLanes<W>& contact) PHYS2D_INLINED {
        const ContactBlock& block = contact.block;
        const simd::Lanes<W> normal = contact.load(block.normal_impulse);
        if (!any(simd::Lanes<W>::fill(0.0f) < normal)) return;
        contact.apply(normal, contact.load(block.tangent_impulse), contact.velocity(block.a),
                      contact.velocity(block.b));
    };
    for_each_contact<Width>(contacts, part, bodies, apply);
}

/// Reduces overlaps deeper than `depth` by moving the bodies, which leaves no velocity behind: by a
/// fraction of the excess, at most `longest` per step [m]. The spring only handles the rest, so
/// that bodies spawned inside each other separate instead of exploding.
template <int Width>
void separate_deep_overlaps(Contacts& contacts, ColourRange part, SolverBodies& bodies, float depth,
                            float longest) {
    constexpr float share_of_excess = 0.5f;
    const auto separate = [&]<int W>(const ContactLanes<W>& contact) PHYS2D_INLINED {
        using Real = simd::Lanes<W>;
        const Real zero = Real::fill(0.0f);
        const auto a = contact.state(contact.block.a);
        const auto b = contact.state(contact.block.b);
        const Real excess = max(-contact.separation(a, b) - Real::fill(depth), zero);
        if (!any(zero < excess)) return;
        contact.displace(min(excess * Real::fill(share_of_excess), Real::fill(longest)), a, b);
    };
    for_each_contact<Width>(contacts, part, bodies, separate);
}

/// Solves friction for a normal impulse, and applies both, in some lanes.
template <int Width>
PHYS2D_INLINE void solve_lanes(const ContactLanes<Width>& contact, simd::LaneMask<Width> which,
                               simd::Lanes<Width> wanted_normal, simd::Columns2<Width> a,
                               simd::Columns2<Width> b) {
    using Real = simd::Lanes<Width>;
    ContactBlock& block = contact.block;
    const Real old_normal = contact.load(block.normal_impulse);
    const Real old_tangent = contact.load(block.tangent_impulse);
    const Real limit = contact.load(block.friction) * wanted_normal;
    const Real stopped =
        old_tangent - (contact.tangent_speed(a, b) - contact.load(contact.surface.speed));
    const Real wanted_tangent = min(max(stopped, -limit), limit);
    const Real normal = select(which, wanted_normal, old_normal);
    const Real tangent = select(which, wanted_tangent, old_tangent);
    contact.store(normal, block.normal_impulse);
    contact.store(tangent, block.tangent_impulse);
    contact.apply(normal - old_normal, tangent - old_tangent, a, b);
}

/// One pass with the bias, as derived at the top of the file. Marks the contacts with an impact:
/// those that push while their bodies come together faster than `least_impact`, or part as fast,
/// thrown by the warm start that repeats an impact.
template <int Width>
void solve_with_bias(Contacts& contacts, ColourRange part, SolverBodies& bodies,
                     const ContactSoftness& softness, float least_impact) {
    const bool b_is_fixed = part.order == SolvingOrder::Immovable;
    const float sink_speed = b_is_fixed ? softness.fixed_sink_speed : softness.sink_speed;
    const auto solve = [=]<int W>(const ContactLanes<W>& contact) PHYS2D_INLINED {
        using Real = simd::Lanes<W>;
        const Real zero = Real::fill(0.0f);
        const auto a = contact.state(contact.block.a);
        const auto b = contact.state(contact.block.b);
        const Real separation = contact.separation(a, b);
        const Real old_normal = contact.load(contact.block.normal_impulse);

        const auto apart = zero < separation;
        const Real rate =
            select(apart, Real::fill(softness.inverse_h), Real::fill(softness.bias_rate));
        const Real fastest = min(Real::fill(-softness.push_speed),
                                 old_normal * Real::fill(-softness.speed_per_load));
        const Real bias = max(separation * rate, fastest);
        const Real mass_scale = select(apart, Real::fill(1.0f), Real::fill(softness.mass_scale));
        const Real speed = contact.normal_speed(a.xy(), b.xy());
        const Real stopped = old_normal - speed;
        const Real least = select(apart, zero, stopped - Real::fill(sink_speed));
        const Real normal = max((stopped - bias) * mass_scale, max(least, zero));
        if (!any(zero < max(normal, old_normal))) return;
        const auto pushes = zero < normal;
        const auto is_fast = Real::fill(least_impact) < abs(speed);
        contact.pushed |= static_cast<std::uint8_t>(bits(pushes) << contact.lane);
        if (any(is_fast))
            contact.hit |= static_cast<std::uint8_t>(bits(pushes & is_fast) << contact.lane);
        solve_lanes(contact, simd::LaneMask<W>::all(), normal, a.xy(), b.xy());
    };
    for_each_contact<Width>(contacts, part, bodies, solve);
}

/// One pass without the bias, in some lanes: stops bodies that the bias has brought into contact or
/// pushed out. Contacts without an impulse keep their speed for their impact.
template <int Width>
PHYS2D_INLINE void relax_lanes(const ContactLanes<Width>& contact, simd::LaneMask<Width> which) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const Real old_normal = contact.load(contact.block.normal_impulse);
    const auto acts = which & (zero < old_normal);
    if (!any(acts)) return;
    const auto a = contact.velocity(contact.block.a);
    const auto b = contact.velocity(contact.block.b);
    solve_lanes(contact, acts, max(old_normal - contact.normal_speed(a, b), zero), a, b);
}
template <int Width>
void relax(Contacts& contacts, ColourRange part, SolverBodies& bodies) {
    const auto relax_all = []<int W>(const ContactLanes<W>& contact) PHYS2D_INLINED {
        const auto which = simd::LaneMask<W>::all();
        relax_lanes(contact, which);
    };
    for_each_contact<Width>(contacts, part, bodies, relax_all);
}

/// Lists the blocks with contacts that have had an impact in this step and do not bounce in this
/// sub-step, and these contacts.
inline void list_struck(Contacts& contacts) {
    contacts.struck.reserve(contacts.blocks.capacity());
    contacts.struck.clear();
    const auto list_lanes = [&](std::int32_t i, unsigned hit) {
        const BounceBlock& bounces = contacts.bounces[i];
        unsigned lanes = 0;
        for_each_bit(hit, [&](int lane) {
            const bool rebounds = bounces.restitution[lane] > 0.0f && bounces.rebound[lane] > 0.0f;
            lanes |= rebounds ? 0u : 1u << lane;
        });
        if (lanes != 0) contacts.struck.push_back({i, lanes, contacts.is_independent(i)});
    };
    for_each_block_in(contacts.hit, 0, static_cast<std::int32_t>(contacts.hit.size()), list_lanes);
}

/// Relaxes the contacts of a block that have had an impact.
template <int Width>
PHYS2D_INLINE void relax_struck(const SolverColumns& columns, const StruckBlock& struck) {
    for (int lane = 0; lane < block_size; lane += Width) {
        relax_lanes(ContactLanes<Width>(columns, at(struck.block), lane, true),
                    simd::mask_of<Width>(struck.lanes >> lane));
    }
}

/// Relaxes the contacts with impacts in this step before all contacts: what one of them lets go,
/// the others stop in the next pass, so that a body that hits two at once pushes both alike, and a
/// stack that lands is stopped as a whole. Impacts that bounce are solved together anyway. After
/// `relax`, they would leave what is struck moving into what it rests on.
template <int Width>
void relax_impacts(Contacts& contacts, SolverBodies& bodies) {
    constexpr int passes = 2;
    list_struck(contacts);
    const SolverColumns columns(contacts, bodies);
    for (int i = 0; i < passes; ++i) {
        for (const StruckBlock& struck : contacts.struck) {
            if (struck.is_independent) {
                relax_struck<Width>(columns, struck);
            } else {
                relax_struck<1>(columns, struck);
            }
        }
    }
}

/// Has the next sub-step begin without what has just stopped impacts on immovable bodies, which are
/// over: between two of them a body that does not bounce would be thrown back by both. Not so where
/// the two have touched before this step: there an impact is that of a load.
inline void forget_impacts(Contacts& contacts, SolverBodies& bodies) {
    for (const StruckBlock& struck : contacts.struck) {
        const ContactBlock& block = contacts.blocks[struck.block];
        for_each_bit(struck.lanes & ~unsigned{contacts.touching[struck.block]}, [&](int lane) {
            if (block.share_b[lane] != 0.0f) return;
            const LanePlace place{struck.block, lane};
            const Vec2 normal = contacts.normal_at(place);
            const Vec2 impulse = normal * block.normal_impulse[lane] +
                                 perpendicular(normal) * block.tangent_impulse[lane];
            bodies.free_velocity[simd::record_at(block.a[lane])] -= impulse * block.share_a[lane];
            contacts.clear_impulses(place);
        });
    }
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

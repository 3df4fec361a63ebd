// SPDX-License-Identifier: MIT
// bounces: which contacts bounce in a sub-step, and how fast do their bodies separate?
//
// Impacts are stopped like any approach. Then all that have been stopped bounce together: each
// applies the impulse that it needs to separate with its share of the impact speed. [Catto2006]
// The friction of an impact is that of its whole impulse, so it comes last.
#pragma once

#include <phys2d/dynamics/contact_solver.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Call it once per step, before all bounces.
inline void clear_impacts(Contacts& contacts) {
    contacts.bounced.reserve(at(block_size) * contacts.blocks.capacity());
    for (BounceBlock& bounces : contacts.bounces) {
        for (float& impact : bounces.impact) impact = 0.0f;
    }
}

/// See `prepare_rebounds` [s].
inline constexpr float rest_time = 0.1f;

/// Which approaches are impacts that bounce: see `prepare_rebounds`.
struct ImpactLimits {
    float threshold;          ///< slowest [m/s]
    float touching_distance;  ///< overlap of bodies that only touch [m]
    float time_step;          ///< [s]
};

/// Computes the speed with which each contact has to separate if its impact is in this sub-step.
///
/// The impact is somewhere inside the sub-step, so its speed follows from energy:
///   v² = v_0² - 2 a s, with the relative acceleration a along n.
/// Velocities of this integrator belong to the middle of the previous sub-step (v grows by h·a,
/// then moves the body: leapfrog), hence half a sub-step of acceleration is added before the impact
/// and subtracted after it. So bounces keep their energy wherever they fall in a step.
/// To come to rest, impacts slower than the threshold do not bounce. If both bodies gain less speed
/// than that in `rest_time`, the larger gain is the threshold: without acceleration nothing comes
/// to rest, and a gas keeps its energy.
/// What overlaps by more than `touching_distance` and the way of its impact in a step was inside
/// before that: where others press it in, it would bounce off them again and again, ever faster.
/// Call it before velocities are integrated.
template <int Width>
void prepare_rebounds(Contacts& contacts, ColourRange part, SolverBodies& bodies,
                      const ContactSoftness& softness, const ImpactLimits& impacts) {
    const auto prepare = [&]<int W>(const ContactLanes<W>& contact) PHYS2D_INLINED {
        using Real = simd::Lanes<W>;
        const ContactBlock& block = contact.block;
        const Real restitution = contact.load(contact.bounce.restitution);
        const Real zero = Real::fill(0.0f);
        contact.store(zero, contact.bounce.rebound);
        if (!any(zero < restitution)) return;

        const auto drive_a = simd::gather_half<W>(bodies.drive.data(), block.a + contact.lane);
        const auto drive_b = simd::gather_half<W>(bodies.drive.data(), block.b + contact.lane);
        const auto a = contact.state(block.a);
        const auto b = contact.state(block.b);
        const Real gain = contact.normal_speed(drive_a, drive_b);
        const Real half_gain = gain * Real::fill(0.5f);
        const Real speed = contact.normal_speed(a.xy(), b.xy()) + half_gain;
        const Real acceleration = gain * Real::fill(softness.inverse_h);
        const Real separation = contact.separation(a, b);
        const Real energy = speed * speed - Real::fill(2.0f) * acceleration * separation;
        const Real impact = sqrt(max(energy, zero));
        const Real strongest = sqrt(max(dot(drive_a, drive_a), dot(drive_b, drive_b)));
        const Real slowest = min(Real::fill(impacts.threshold),
                                 strongest * Real::fill(mul(softness.inverse_h, rest_time)));
        const Real deepest =
            Real::fill(impacts.touching_distance) + impact * Real::fill(impacts.time_step);
        const auto bounces =
            (speed < zero) & (slowest < impact) & (zero < restitution) & (-separation <= deepest);
        const Real rebound = max(restitution * impact - half_gain, zero);
        contact.store(select(bounces, rebound, zero), contact.bounce.rebound);
    };
    for_each_contact<Width>(contacts, part, bodies, prepare);
}

/// Clears the rebounds of all contacts except those whose impact was stopped in this sub-step of
/// `h` seconds: those that have an impulse and touch, but for a gap that the impact would have
/// closed within the sub-step. What is solved after a contact may open one, however fast.
template <int Width>
void find_bounces(Contacts& contacts, ColourRange part, SolverBodies& bodies,
                  float touching_distance, float h) {
    const auto keep_if_stopped = [&]<int W>(const ContactLanes<W>& contact) PHYS2D_INLINED {
        using Real = simd::Lanes<W>;
        const ContactBlock& block = contact.block;
        const Real zero = Real::fill(0.0f);
        const Real rebound = contact.load(contact.bounce.rebound);
        if (!any(zero < rebound)) return;

        const auto a = contact.state(block.a);
        const auto b = contact.state(block.b);
        const Real beyond = contact.separation(a, b) - Real::fill(touching_distance);
        const auto is_near =
            beyond * contact.load(contact.bounce.restitution) <= rebound * Real::fill(h);
        const auto stopped = (zero < contact.load(block.normal_impulse)) & is_near;
        contact.store(select(stopped, rebound, zero), contact.bounce.rebound);
    };
    for_each_contact<Width>(contacts, part, bodies, keep_if_stopped);
}

/// The bodies of a bouncing contact, and how an impulse along its normal changes their velocities.
struct Bouncing {
    Vec2 normal;
    float share_a, share_b;
    std::size_t a, b;  ///< indices of their solver records

    Bouncing(const ContactBlock& block, int lane)
        : normal(block.normal[lane]),
          share_a(block.share_a[lane]),
          share_b(block.share_b[lane]),
          a(simd::record_at(block.a[lane])),
          b(simd::record_at(block.b[lane])) {}

    /// Of b relative to a [m/s].
    [[nodiscard]] Vec2 velocity(const SolverBodies& bodies) const {
        const simd::Record4& state_a = bodies.state[a];
        const simd::Record4& state_b = bodies.state[b];
        return {state_b.x - state_a.x, state_b.y - state_a.y};
    }
    /// Applies an impulse at one moment, not again in later sub-steps.
    void push(Vec2 impulse, SolverBodies& bodies) const {
        const Vec2 push_a = impulse * share_a;
        const Vec2 push_b = impulse * share_b;
        simd::Record4& state_a = bodies.state[a];
        simd::Record4& state_b = bodies.state[b];
        state_a.x -= push_a.x, state_a.y -= push_a.y;
        state_b.x += push_b.x, state_b.y += push_b.y;
        add_to_free_velocities(impulse, bodies);
    }
    /// Keeps warm starting from repeating an impulse.
    void add_to_free_velocities(Vec2 impulse, SolverBodies& bodies) const {
        bodies.free_velocity[a] -= impulse * share_a;
        bodies.free_velocity[b] += impulse * share_b;
    }
};

/// The lanes of a block that bounce in this sub-step, as bits.
template <int Width>
[[nodiscard]] unsigned bouncing_lanes(const BounceBlock& bounces) {
    using Real = simd::Lanes<Width>;
    unsigned lanes = 0;
    for (int lane = 0; lane < block_size; lane += Width) {
        lanes |= bits(Real::fill(0.0f) < Real::load(bounces.rebound + lane)) << lane;
    }
    return lanes;
}

/// Lists the contacts that bounce in this sub-step, with the impulses that stopped them, and clears
/// these. Takes their friction back: which of several contacts had it depends on their order.
/// Returns the fastest rebound.
template <int Width>
float begin_bounces(Contacts& contacts, SolverBodies& bodies) {
    contacts.bounced.clear();
    float fastest = 0.0f;
    for (const std::int32_t index : contacts.active) {
        BounceBlock& bounces = contacts.bounces[index];
        ContactBlock& block = contacts.blocks[index];
        for_each_bit(bouncing_lanes<Width>(bounces), [&](int lane) {
            const Bouncing bouncing(block, lane);
            const Vec2 stopping = bouncing.normal * block.normal_impulse[lane];
            const Vec2 rubbing = perpendicular(bouncing.normal) * block.tangent_impulse[lane];
            bouncing.add_to_free_velocities(stopping + rubbing, bodies);
            bouncing.push(-rubbing, bodies);
            bounces.impact[lane] += block.normal_impulse[lane];
            contacts.bounced.push_back({{index, lane}, block.normal_impulse[lane], 0.0f});
            block.normal_impulse[lane] = block.tangent_impulse[lane] = 0.0f;
            fastest = max(fastest, bounces.rebound[lane]);
        });
    }
    return fastest;
}

/// Calls solve(bounce, bouncing), which returns by how much it has changed an impulse, for all that
/// bounce in turn, until none changes much: then their order does not matter.
void solve_bounces(Contacts& contacts, float fastest, auto solve) {
    constexpr float close_enough = 1e-5f;  // of the fastest rebound
    const std::size_t most_sweeps = 8 + 1024 / (1 + contacts.bounced.size());
    float change = fastest;
    for (std::size_t i = 0; i < most_sweeps && change > mul(close_enough, fastest); ++i) {
        change = 0.0f;
        for (Bounce& bounce : contacts.bounced) {
            const LanePlace place = bounce.place;
            const Bouncing bouncing(contacts.blocks[place.block], place.lane);
            change = max(change, abs(solve(bounce, bouncing)));
        }
    }
}

/// Applies impulses until all bouncing contacts separate with their rebounds, without pulling: a
/// body that hits two others at once is pushed by both, in any order. What a contact has stopped it
/// gives back if others separate it faster: to keep it would add energy.
inline void push_bounces(Contacts& contacts, SolverBodies& bodies, float fastest) {
    solve_bounces(contacts, fastest, [&](Bounce& bounce, const Bouncing& bouncing) {
        BounceBlock& bounces = contacts.bounces[bounce.place.block];
        const std::int32_t lane = bounce.place.lane;
        const float speed = dot(bouncing.velocity(bodies), bouncing.normal);
        const float more = max(bounces.rebound[lane] - speed, -bounce.impulse);
        bouncing.push(bouncing.normal * more, bodies);
        bounce.impulse += more;
        bounces.impact[lane] += more;
        return more;
    });
}

/// Applies the friction of all these impulses.
inline void rub_bounces(Contacts& contacts, SolverBodies& bodies, float fastest) {
    solve_bounces(contacts, fastest, [&](Bounce& bounce, const Bouncing& bouncing) {
        const LanePlace place = bounce.place;
        const float limit = mul(contacts.friction(place), bounce.impulse);
        const Vec2 tangent = perpendicular(bouncing.normal);
        const float slip = dot(bouncing.velocity(bodies), tangent) - contacts.surface_speed(place);
        const float more = clamp(bounce.rubbed - slip, -limit, limit) - bounce.rubbed;
        bouncing.push(tangent * more, bodies);
        bounce.rubbed += more;
        return more;
    });
}

/// Lets the contacts bounce whose impacts were stopped in this sub-step.
template <int Width>
void apply_bounces(Contacts& contacts, SolverBodies& bodies) {
    const float fastest = begin_bounces<Width>(contacts, bodies);
    push_bounces(contacts, bodies, fastest);
    rub_bounces(contacts, bodies, fastest);
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

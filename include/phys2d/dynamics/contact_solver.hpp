// SPDX-License-Identifier: MIT
// What do the contacts of a step do to the velocities of the bodies?
//
// Soft Step: the step is cut into sub-steps of h seconds; each integrates velocities, warm starts,
// solves the contacts once with a bias that works off penetration, integrates positions, and solves
// once more without the bias (relax), so that the push-out leaves no velocity behind.
// [Catto2024, "Solver2D"]
//
// For one contact, with normal n from a to b, relative velocity v = v_b - v_a, separation
// s = s_0 + n·(Δp_b - Δp_a), and impulses divided by the reduced mass m = 1/(1/m_a + 1/m_b), so that
// an impulse λ changes v by λ n and the velocity of a body by its share of that,
// share_a = (1/m_a)·m:
//   apart (s > 0)   λ += -(v·n + s/h)                           close the gap, but no further
//   touching        λ += -μ (v·n + max(β s, -push)) - γ λ       a spring and damper, implicit in h;
//                                                               push = max(β depth, γ/μ λ): deeper than
//                                                               that it carries its load, and no more
//   relax           λ += -v·n                                   where λ > 0 or s <= 0
//   always          λ >= 0,   |λ_t| <= friction · λ
// with angular frequency ω = 2π·hertz, damping ratio ζ, a = 2ζ + hω:
//   β = ω/a,   μ = hωa/(1 + hωa),   γ = 1/(1 + hωa)             [Catto2011, "Soft Constraints"]
//
// Warm starting is a line per body instead of a pass over contacts: all that the contacts did to a
// body in a sub-step is v_end - v_free, where v_free is its velocity before they acted, and they are
// to begin the next sub-step by doing the same again: v = v_free' + (v_end - v_free). Only the first
// sub-step of a step warm starts contact by contact.
#pragma once

#include <phys2d/dynamics/contact.hpp>
#include <phys2d/math/vec2.hpp>

namespace phys2d::detail::inline PHYS2D_ABI {

/// The bodies of the solver, one a moving body and a fixed one at the end for everything static.
struct SolverBodies {
    Array<simd::Record4> state;  ///< velocity x, y [m/s]; displacement in this step x, y [m]
    Array<simd::Record4> drive;  ///< velocity gained a sub-step x, y; damping factor; unused
    Array<Vec2> free_velocity;   ///< of this sub-step, before contacts acted
    std::int32_t count = 0;      ///< of moving bodies: the slot of the fixed one

    void make_room(std::int32_t moving_count) {
        count = moving_count;
        state.make_room(at(count) + 1);
        drive.make_room(at(count) + 1);
        free_velocity.make_room(at(count) + 1);
        state[at(count)] = {0.0f, 0.0f, 0.0f, 0.0f};
        drive[at(count)] = {0.0f, 0.0f, 1.0f, 0.0f};
    }
};

/// Spring and damper of touching contacts, and the sub-step they are solved in.
struct ContactSoftness {
    float h;              ///< sub-step [s]
    float inverse_h;      ///< [1/s]
    float bias_rate;      ///< β [1/s]
    float mass_scale;     ///< μ
    float impulse_scale;  ///< γ
    float push_speed;     ///< the fastest push-out of a contact without load [m/s]
    float
        speed_per_load;  ///< γ/μ: push-out that holds an impulse, at which the spring gives way no more
};

/// Stiffness is limited to a quarter of the sub-step rate, beyond which the spring would ring.
/// `depth` [m] is where the spring ends.
[[nodiscard]] constexpr ContactSoftness contact_softness(float hertz, float damping_ratio, float h,
                                                         float depth) {
    constexpr float two_pi = 6.28318530717959f;
    const float omega = mul(two_pi, min(hertz, 0.25f / h));
    const float a = mul(2.0f, damping_ratio) + mul(h, omega);
    const float h_omega_a = mul(mul(h, omega), a);
    const float impulse_scale = 1.0f / (1.0f + h_omega_a);
    const float bias_rate = omega / a;
    return {h,
            1.0f / h,
            bias_rate,
            mul(h_omega_a, impulse_scale),
            impulse_scale,
            mul(bias_rate, depth),
            1.0f / h_omega_a};
}

/// v = free velocity of the next sub-step + what contacts did in the last one. The first sub-step of a
/// step has none yet: its bodies start with `free_velocity` equal to the velocity.
inline void integrate_velocities(SolverBodies& bodies) {
    for (std::size_t i = 0; i < at(bodies.count); ++i) {
        simd::Record4& state = bodies.state[i];
        const simd::Record4& drive = bodies.drive[i];
        const Vec2 velocity{state.x, state.y};
        const Vec2 by_contacts = velocity - bodies.free_velocity[i];
        const Vec2 free = velocity * drive.z + Vec2{drive.x, drive.y};
        bodies.free_velocity[i] = free;
        state.x = free.x + by_contacts.x;
        state.y = free.y + by_contacts.y;
    }
}

inline void integrate_positions(SolverBodies& bodies, float h) {
    for (std::size_t i = 0; i < at(bodies.count); ++i) {
        simd::Record4& state = bodies.state[i];
        state.z += mul(state.x, h);
        state.w += mul(state.y, h);
    }
}

/// W contacts with the bodies they act on.
template <int Width>
class ContactBatch {
public:
    using Real = simd::Lanes<Width>;
    static constexpr int width = Width;

    const Contacts& contacts;
    SolverBodies& bodies;
    std::size_t first;
    simd::Columns4<Width> a, b;
    Real normal_x, normal_y;

    PHYS2D_INLINE ContactBatch(const Contacts& all, SolverBodies& solver, std::int32_t i)
        : contacts(all),
          bodies(solver),
          first(at(i)),
          a(simd::gather<Width>(solver.state.data(), &all.a[first])),
          b(simd::gather<Width>(solver.state.data(), &all.b[first])),
          normal_x(load(all.normal_x)),
          normal_y(load(all.normal_y)) {}

    PHYS2D_INLINE Real load(const Array<float>& column) const { return Real::load(&column[first]); }
    PHYS2D_INLINE Real normal_speed() const {
        return (b.x - a.x) * normal_x + (b.y - a.y) * normal_y;
    }
    PHYS2D_INLINE Real tangent_speed() const {
        return (b.y - a.y) * normal_x - (b.x - a.x) * normal_y;
    }
    PHYS2D_INLINE Real separation() const {
        return load(contacts.separation) + ((b.z - a.z) * normal_x + (b.w - a.w) * normal_y);
    }
    /// Changes the velocities by impulses, each body's by its share.
    PHYS2D_INLINE void apply(Real normal_change, Real tangent_change) {
        const Real x = normal_x * normal_change - normal_y * tangent_change;
        const Real y = normal_y * normal_change + normal_x * tangent_change;
        const Real share_a = load(contacts.share_a);
        const Real share_b = load(contacts.share_b);
        put<simd::Half::XY>(contacts.a, a.x - x * share_a, a.y - y * share_a);
        put<simd::Half::XY>(contacts.b, b.x + x * share_b, b.y + y * share_b);
    }
    /// Moves the bodies apart by a distance along the normal, each by its share.
    PHYS2D_INLINE void displace(Real distance) {
        const Real push_a = distance * load(contacts.share_a);
        const Real push_b = distance * load(contacts.share_b);
        put<simd::Half::ZW>(contacts.a, a.z - normal_x * push_a, a.w - normal_y * push_a);
        put<simd::Half::ZW>(contacts.b, b.z + normal_x * push_b, b.w + normal_y * push_b);
    }

private:
    template <simd::Half Part>
    PHYS2D_INLINE void put(const Array<std::int32_t>& slots, Real x, Real y) {
        simd::scatter<Part>(bodies.state.data(), &slots[first], x, y);
    }
};

/// Calls work(batch) for each batch of contacts: W side by side in a colour, one by one in the
/// overflow.
template <int Width, class Work>
void for_each_batch(const Contacts& contacts, SolverBodies& bodies, Work work) {
    for (const ColourRange& colour : contacts.colours) {
        if (colour.independent) {
            for (std::int32_t i = colour.begin; i < colour.end; i += Width) {
                work(ContactBatch<Width>(contacts, bodies, i));
            }
        } else {
            for (std::int32_t i = colour.begin; i < colour.end; ++i) {
                work(ContactBatch<1>(contacts, bodies, i));
            }
        }
    }
}

/// Applies the impulses kept from the step before.
template <int Width>
void warm_start(const Contacts& contacts, SolverBodies& bodies) {
    for_each_batch<Width>(contacts, bodies, [](auto batch) {
        batch.apply(batch.load(batch.contacts.normal_impulse),
                    batch.load(batch.contacts.tangent_impulse));
    });
}

/// Works off what overlaps deeper than `depth` by moving the bodies, which leaves no velocity behind: a
/// part of the excess, and at most `longest` a step. The spring only ever sees the rest, so that what
/// is spawned inside each other comes apart instead of exploding.
template <int Width>
void separate_deep_overlaps(const Contacts& contacts, SolverBodies& bodies, float depth,
                            float longest) {
    constexpr float part = 0.5f;
    for_each_batch<Width>(contacts, bodies, [&](auto batch) {
        using Real = typename decltype(batch)::Real;
        const Real zero = Real::fill(0.0f);
        const Real excess = max(zero - batch.separation() - Real::fill(depth), zero);
        if (bits(zero < excess) == 0) return;
        batch.displace(min(excess * Real::fill(part), Real::fill(longest)));
    });
}

enum class Pass { Bias, Relax };

/// One pass over all contacts, as derived in the banner. `Relax` stops what `Bias` has brought to touch
/// or pushed out, and leaves alone what is still on its way: it keeps its speed for its impact.
template <Pass Kind, int Width>
void solve_contacts(Contacts& contacts, SolverBodies& bodies, const ContactSoftness& softness) {
    for_each_batch<Width>(contacts, bodies, [&](auto batch) {
        using Real = typename decltype(batch)::Real;
        const Real zero = Real::fill(0.0f);
        const Real separation = batch.separation();
        const Real old_normal = batch.load(contacts.normal_impulse);
        const Real old_tangent = batch.load(contacts.tangent_impulse);

        Real normal = old_normal;
        if constexpr (Kind == Pass::Bias) {
            const Real one = Real::fill(1.0f);
            const auto apart = zero < separation;
            const Real close = separation * Real::fill(softness.inverse_h);
            const Real fastest = max(Real::fill(softness.push_speed),
                                     old_normal * Real::fill(softness.speed_per_load));
            const Real push = max(separation * Real::fill(softness.bias_rate), zero - fastest);
            const Real mass_scale = select(apart, one, Real::fill(softness.mass_scale));
            const Real impulse_scale = select(apart, zero, Real::fill(softness.impulse_scale));
            const Real wanted = batch.normal_speed() + select(apart, close, push);
            normal = max(old_normal - mass_scale * wanted - impulse_scale * old_normal, zero);
        } else {
            const auto acts = (zero < old_normal) | (separation <= zero);
            normal = select(acts, max(old_normal - batch.normal_speed(), zero), zero);
        }

        const Real bound = batch.load(contacts.friction) * normal;
        const Real tangent = min(max(old_tangent - batch.tangent_speed(), zero - bound), bound);

        normal.store(&contacts.normal_impulse[batch.first]);
        tangent.store(&contacts.tangent_impulse[batch.first]);
        batch.apply(normal - old_normal, tangent - old_tangent);
    });
}

/// Works out the speed with which each contact has to separate if its impact is in this sub-step.
///
/// The impact is somewhere inside, so its speed follows from energy: v² = v_0² - 2 a s, with the
/// relative acceleration a along n. Velocities of this integrator belong to the middle of the sub-step
/// before (v grows by h·a, then moves the body: leapfrog), hence half a sub-step is added going in and
/// taken off coming out. That makes bounces keep their energy however they fall into the steps. To
/// come to rest, impacts slower than `threshold` do not bounce; but where both bodies gain less than
/// that in `rest_time`, what they gain is the bound: without acceleration there is no rest to come to,
/// and gas keeps all its energy.
/// To be called before velocities are integrated.
inline constexpr float rest_time = 0.1f;  ///< [s]

template <int Width>
void prepare_rebounds(Contacts& contacts, SolverBodies& bodies, const ContactSoftness& softness,
                      float threshold) {
    for_each_batch<Width>(contacts, bodies, [&](auto batch) {
        using Real = typename decltype(batch)::Real;
        constexpr int width = decltype(batch)::width;
        const Real restitution = batch.load(contacts.restitution);
        const Real zero = Real::fill(0.0f);
        zero.store(&contacts.rebound[batch.first]);
        if (bits(zero < restitution) == 0) return;

        const auto drive_a = simd::gather<width>(bodies.drive.data(), &contacts.a[batch.first]);
        const auto drive_b = simd::gather<width>(bodies.drive.data(), &contacts.b[batch.first]);
        const Real gain =
            (drive_b.x - drive_a.x) * batch.normal_x + (drive_b.y - drive_a.y) * batch.normal_y;
        const Real half_gain = gain * Real::fill(0.5f);
        const Real speed = batch.normal_speed() + half_gain;
        const Real acceleration = gain * Real::fill(softness.inverse_h);
        const Real energy = speed * speed - Real::fill(2.0f) * acceleration * batch.separation();
        const Real impact = sqrt(max(energy, zero));
        const Real strongest = sqrt(max(drive_a.x * drive_a.x + drive_a.y * drive_a.y,
                                        drive_b.x * drive_b.x + drive_b.y * drive_b.y));
        const Real slowest =
            min(Real::fill(threshold), strongest * Real::fill(mul(softness.inverse_h, rest_time)));
        const auto bounces = (speed < zero) & (slowest < impact) & (zero < restitution);
        const Real rebound = max(restitution * impact - half_gain, zero);
        select(bounces, rebound, zero).store(&contacts.rebound[batch.first]);
    });
}

/// Lets one stopped contact bounce. Its impulse belongs to a moment, not to the sub-steps to come, so
/// it goes into the free velocities and is taken out of what warm starting repeats.
inline void bounce(Contacts& contacts, SolverBodies& bodies, std::size_t i) {
    const Vec2 normal{contacts.normal_x[i], contacts.normal_y[i]};
    const std::size_t a = at(contacts.a[i]);
    const std::size_t b = at(contacts.b[i]);
    simd::Record4& state_a = bodies.state[a];
    simd::Record4& state_b = bodies.state[b];
    const Vec2 velocity{state_b.x - state_a.x, state_b.y - state_a.y};
    const float change = contacts.rebound[i] - dot(velocity, normal);
    const float impulse = contacts.normal_impulse[i] + change;

    const Vec2 push_a = normal * -change * contacts.share_a[i];
    const Vec2 push_b = normal * change * contacts.share_b[i];
    state_a.x += push_a.x, state_a.y += push_a.y;
    state_b.x += push_b.x, state_b.y += push_b.y;
    const Vec2 whole = normal * impulse + perpendicular(normal) * contacts.tangent_impulse[i];
    bodies.free_velocity[a] -= whole * contacts.share_a[i];
    bodies.free_velocity[b] += whole * contacts.share_b[i];
    contacts.normal_impulse[i] = contacts.tangent_impulse[i] = 0.0f;
    contacts.impact[i] += impulse;
}

/// Bounces the contacts whose impact this sub-step has stopped: those that touch and approach at no
/// more than a fraction of their rebound.
template <int Width>
void apply_restitution(Contacts& contacts, SolverBodies& bodies, float touching_distance) {
    for_each_batch<Width>(contacts, bodies, [&](auto batch) {
        using Real = typename decltype(batch)::Real;
        const Real zero = Real::fill(0.0f);
        const Real rebound = batch.load(contacts.rebound);
        const auto expected = (zero < rebound) & (zero < batch.load(contacts.normal_impulse));
        if (bits(expected) == 0) return;

        const Real speed = batch.normal_speed();
        unsigned stopped = bits(expected & (zero - rebound < speed + speed) & (speed < rebound) &
                                (batch.separation() <= Real::fill(touching_distance)));
        for (; stopped != 0; stopped &= stopped - 1) {
            bounce(contacts, bodies,
                   batch.first + static_cast<unsigned>(std::countr_zero(stopped)));
        }
    });
}

}  // namespace phys2d::detail::inline PHYS2D_ABI

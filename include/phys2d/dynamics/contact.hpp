// SPDX-License-Identifier: MIT
// Which pairs are in contact in this step, and what does the solver have to know about them?
//
// `update_contacts` puts the pairs through the one formula W at a time and packs those that touch, or
// will within the step, into the columns of `Contacts`, colour by colour.
//
// Data: 32 bytes of geometry and velocity a body are read; 56 bytes a contact are written, of which the
// solver's passes read 40 and write 8. A colour starts at a multiple of 8 and is filled up with
// contacts of the solver's fixed body with itself, so that a batch of lanes is never half empty.
#pragma once

#include <cstdint>
#include <initializer_list>

#include <phys2d/collision/separation.hpp>
#include <phys2d/dynamics/contact_pairs.hpp>

namespace phys2d::detail::inline PHYS2D_ABI {

/// A body as the narrow phase sees it: half a cache line, two vector loads.
struct NarrowBody {
    simd::Record4 place;   ///< center x, y; core half extents x, y
    simd::Record4 motion;  ///< velocity x, y; radius; inverse mass
};

/// Contacts in solving order; see the banner. Impulses are divided by the reduced mass
/// 1/(1/m_a + 1/m_b), so that they are velocities and one number does for the masses: a body's share.
struct Contacts {
    Array<std::int32_t> a, b;  ///< solver slots
    Array<float> normal_x, normal_y;
    Array<float> separation;  ///< at the start of the step [m]
    Array<float> share_a, share_b;
    Array<float> friction;
    Array<float> normal_impulse, tangent_impulse;  ///< [m/s]
    Array<float> restitution;
    Array<float> rebound;      ///< speed after an impact in this sub-step, 0 for none [m/s]
    Array<float> impact;       ///< impulses of the bounces in this step [m/s]
    Array<std::int32_t> pair;  ///< where the impulses are kept; -1 in filling
    Array<ColourRange> colours;
    std::int32_t count = 0;  ///< contacts, filling excluded
    std::int32_t end = 0;    ///< of the last colour, filling included
    bool any_deep = false;   ///< some overlap by more than ContactReach::deep

    void make_room(std::size_t capacity) {
        for (Array<std::int32_t>* column : {&a, &b, &pair}) column->make_room(capacity);
        for (Array<float>* column :
             {&normal_x, &normal_y, &separation, &share_a, &share_b, &friction, &normal_impulse,
              &tangent_impulse, &restitution, &rebound, &impact}) {
            column->make_room(capacity);
        }
    }
};

/// When a pair counts as a contact.
struct ContactReach {
    float margin;  ///< always, up to this separation [m]
    float dt;      ///< and as far as it closes in this time, but for half its size [s]
    float deep;    ///< overlap beyond this is worked off by moving the bodies [m]
};

/// One batch of W pairs from `first`, of which `present` exist; appends its contacts at `to`.
template <int Width>
std::int32_t update_batch(const ContactPairs& pairs, std::int32_t first, unsigned present,
                          const NarrowBody* bodies, const ContactReach& reach, Contacts& contacts,
                          std::int32_t to) {
    using Real = simd::Lanes<Width>;
    const auto from = at(first);
    const simd::Record4* records = &bodies->place;
    const auto place_a = simd::gather<Width, 2>(records, &pairs.a[from]);
    const auto place_b = simd::gather<Width, 2>(records, &pairs.b[from]);
    const auto motion_a = simd::gather<Width, 2>(records + 1, &pairs.a[from]);
    const auto motion_b = simd::gather<Width, 2>(records + 1, &pairs.b[from]);

    const Real h_x = place_a.z + place_b.z;
    const Real h_y = place_a.w + place_b.w;
    const Real radius = motion_a.z + motion_b.z;
    const auto [separation, normal_x, normal_y] =
        separate(place_b.x - place_a.x, place_b.y - place_a.y, h_x, h_y, radius);

    const Real closing =
        (motion_a.x - motion_b.x) * normal_x + (motion_a.y - motion_b.y) * normal_y;
    const Real half_size = (min(h_x, h_y) + radius) * Real::fill(0.5f);
    const Real predicted = min(max(closing * Real::fill(reach.dt), Real::fill(0.0f)), half_size);
    const unsigned active = bits(separation <= predicted + Real::fill(reach.margin)) & present;
    if (active == 0) return to;
    contacts.any_deep |= (bits(separation < Real::fill(-reach.deep)) & present) != 0;

    const Real inverse_mass_sum = motion_a.w + motion_b.w;
    const simd::Packer<Width> packer(active);
    const auto put = [&](Array<float>& column, Real value) {
        packer.store(&column[at(to)], value);
    };
    const auto copy = [&](auto& column, const auto& source) {
        packer.copy(&column[at(to)], &source[from]);
    };
    copy(contacts.a, pairs.a);
    copy(contacts.b, pairs.solver_b);
    put(contacts.normal_x, normal_x);
    put(contacts.normal_y, normal_y);
    put(contacts.separation, separation);
    put(contacts.share_a, motion_a.w / inverse_mass_sum);
    put(contacts.share_b, motion_b.w / inverse_mass_sum);
    copy(contacts.friction, pairs.friction);
    copy(contacts.normal_impulse, pairs.normal_impulse);
    copy(contacts.tangent_impulse, pairs.tangent_impulse);
    copy(contacts.restitution, pairs.restitution);
    put(contacts.impact, Real::fill(0.0f));
    std::int32_t index[Width];
    for (int lane = 0; lane < Width; ++lane) index[lane] = first + lane;
    packer.copy(&contacts.pair[at(to)], index);
    return to + std::popcount(active);
}

/// Fills [begin, end) with contacts of the fixed body with itself, which change nothing.
inline void fill_contacts(Contacts& contacts, std::int32_t begin, std::int32_t end,
                          std::int32_t fixed_slot) {
    for (std::size_t i = at(begin); i < at(end); ++i) {
        for (Array<std::int32_t>* column : {&contacts.a, &contacts.b}) {
            (*column)[i] = fixed_slot;
        }
        for (Array<float>* column :
             {&contacts.normal_x, &contacts.normal_y, &contacts.separation, &contacts.share_a,
              &contacts.share_b, &contacts.friction, &contacts.normal_impulse,
              &contacts.tangent_impulse, &contacts.restitution, &contacts.impact}) {
            (*column)[i] = 0.0f;
        }
        contacts.pair[i] = -1;
    }
}

/// Finds the contacts of this step among the pairs. `fixed_slot` is the solver slot of everything
/// static. Pairs that are not in contact forget their impulses.
template <int Width>
void update_contacts(ContactPairs& pairs, const NarrowBody* bodies, ContactReach reach,
                     std::int32_t fixed_slot, Contacts& contacts) {
    constexpr std::int32_t batch = 8;  // the widest lanes: the layout is the same at every width
    contacts.make_room(at(pairs.count) + batch * (pairs.colours.size() + 1));
    contacts.colours.clear();
    contacts.count = 0;
    contacts.any_deep = false;
    std::int32_t to = 0;
    for (const ColourRange& colour : pairs.colours) {
        const std::int32_t begin = to;
        for (std::int32_t first = colour.begin; first < colour.end; first += Width) {
            const std::int32_t left = colour.end - first;
            const unsigned present = (1u << (left < Width ? left : Width)) - 1u;
            to = update_batch<Width>(pairs, first, present, bodies, reach, contacts, to);
        }
        if (to == begin) continue;
        contacts.count += to - begin;
        const std::int32_t full = (to + batch - 1) / batch * batch;
        fill_contacts(contacts, to, full, fixed_slot);
        contacts.colours.push_back({begin, full, colour.independent});
        to = full;
    }
    contacts.end = to;
}

/// Keeps the impulses for the next step.
inline void store_impulses(const Contacts& contacts, ContactPairs& pairs) {
    for (std::size_t i = 0; i < at(pairs.count); ++i) {
        pairs.normal_impulse[i] = 0.0f;
        pairs.tangent_impulse[i] = 0.0f;
    }
    for (std::size_t i = 0; i < at(contacts.end); ++i) {
        if (contacts.pair[i] < 0) continue;
        const std::size_t pair = at(contacts.pair[i]);
        pairs.normal_impulse[pair] = contacts.normal_impulse[i];
        pairs.tangent_impulse[pair] = contacts.tangent_impulse[i];
    }
}

}  // namespace phys2d::detail::inline PHYS2D_ABI

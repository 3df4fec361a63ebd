// SPDX-License-Identifier: MIT
// narrow_phase: which pairs are in contact in this step, how deep, and along which normal?
//
// `update_blocks` applies one formula to W pairs at a time, in place: it gathers 32 bytes of motion
// per pair, reads 24 of slots and forms from its block, and writes 20 where there is, or was, a
// contact. `list_active` then lists the blocks that have one.
#pragma once

#include <bit>
#include <cstdint>

#include <phys2d/dynamics/contacts.hpp>
#include <phys2d/dynamics/touch_terrain.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// What `update_lanes` finds, as bits of the lanes from its first one on.
struct Measured {
    unsigned in_contact;
    bool is_deep;         ///< whether any is
    unsigned met_beside;  ///< see `Contacts`
    unsigned from_afar;
};

/// Whether a block had no contact in the step before, so that it was not solved: all its lanes are
/// as `update_lanes` leaves them without a contact.
template <int Width>
PHYS2D_INLINE bool is_clear(const ContactBlock& block) {
    using Real = simd::Lanes<Width>;
    for (int lane = 0; lane < block_size; lane += Width) {
        if (!all(Real::fill(out_of_contact) <= Real::load(block.separation + lane))) return false;
    }
    return true;
}

/// W pairs of a block, from `lane` on. Clears the impulses of pairs that are not in contact.
template <int Width>
PHYS2D_INLINE Measured update_lanes(const PairBlock& pairs, const TerrainBlock& terrain,
                                    ContactBlock& block, int lane, const NarrowBodies& bodies,
                                    const ContactReach& reach) {
    using Real = simd::Lanes<Width>;
    const PairPlaces places{pairs.a + lane, pairs.b + lane, block.a + lane, block.b + lane};
    const auto forms = PairForms<Width>::load(pairs, lane);
    const auto [separation, normal, in_contact, from_beside] =
        terrain.faces == nullptr
            ? measure<Width>(places, forms, bodies, reach)
            : measure_faces<Width>(places, forms, terrain, lane, bodies, reach);
    if (!any(in_contact) && is_clear<Width>(block)) return {};
    const Real zero = Real::fill(0.0f);
    const auto exists = zero < Real::load(block.share_a + lane) + Real::load(block.share_b + lane);
    const auto active = exists & in_contact;
    select(active, normal, {zero, zero}).store(block.normal, lane);
    select(active, separation, Real::fill(out_of_contact)).store(block.separation + lane);
    const auto keep = [&](float* impulse) PHYS2D_INLINED {
        const Real quiet = Real::fill(reach.quiet);
        (select(active, Real::load(impulse), zero) + quiet - quiet).store(impulse);
    };
    keep(block.normal_impulse + lane);
    keep(block.tangent_impulse + lane);
    return {bits(active), any(active & (separation < Real::fill(-reach.deep))),
            bits(active & from_beside & (Real::fill(-reach.deep) < separation)),
            bits(active & (Real::fill(reach.margin) < separation))};
}

/// Updates the pairs of blocks [begin, end).
template <int Width>
void update_blocks(Contacts& contacts, std::int32_t begin, std::int32_t end,
                   const NarrowBodies& bodies, const ContactReach& reach) {
    for (std::size_t i = at(begin); i < at(end); ++i) {
        unsigned in_contact = 0;
        bool is_deep = false;
        unsigned met_beside = 0;
        unsigned from_afar = 0;
        const TerrainBlock terrain = contacts.terrain_block(static_cast<std::int32_t>(i));
        for (int lane = 0; lane < block_size; lane += Width) {
            const Measured some = update_lanes<Width>(contacts.pairs[i], terrain,
                                                      contacts.blocks[i], lane, bodies, reach);
            in_contact |= some.in_contact << lane;
            is_deep |= some.is_deep;
            met_beside |= some.met_beside << lane;
            from_afar |= some.from_afar << lane;
        }
        contacts.lanes[i] = static_cast<std::uint8_t>(in_contact);
        contacts.pushed[i] = contacts.hit[i] = 0;
        contacts.is_deep[i] = is_deep;
        contacts.met_beside[i] = static_cast<std::uint8_t>(met_beside);
        contacts.from_afar[i] = static_cast<std::uint8_t>(from_afar);
    }
}

/// Lists the blocks that have a contact. Call it after all of them are updated.
inline void list_active(Contacts& contacts) {
    contacts.active.reserve(contacts.blocks.capacity());
    contacts.active.resize_for_overwrite(contacts.blocks.size());
    contacts.active_colours.clear();
    contacts.contact_count = 0;
    contacts.any_deep = false;
    std::int32_t end = 0;
    for (const ColourRange& colour : contacts.colours) {
        const std::int32_t begin = end;
        for (std::int32_t i = colour.begin; i < colour.end; ++i) {
            const unsigned lanes = contacts.lanes[i];
            contacts.active[end] = i;
            end += lanes != 0 ? 1 : 0;
            contacts.contact_count += std::popcount(lanes);
            contacts.any_deep |= contacts.is_deep[i];
        }
        if (end > begin) contacts.active_colours.push_back({begin, end, colour.order});
    }
    contacts.active.resize(at(end));
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

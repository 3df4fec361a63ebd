// SPDX-License-Identifier: MIT
// Contacts: pairs of bodies near each other, in the order in which they are solved.
//
// A pair stays in its lane for as long as the bodies are near each other, and with it the impulses from
// which the next step's solving starts. Eight pairs share a block. Within a colour no moving body appears
// twice, so the pairs of a block, and all blocks of a colour, can be solved at once with the result of
// solving them one by one: graph colouring, as in Rapier and Box2D v3.
//
// Data of a pair: 40 bytes that the solver's passes read, of which they write 8; 12 for bounces, touched
// where there is restitution; 24 to know the bodies and their forms by; with terrain 48 of a face. Nothing is copied
// or packed from step to step: the narrow phase writes normal and separation into the block, and lists the blocks that
// have a contact.
// Pairs that touched when they were found come first in their colour, so that these blocks are full.
#pragma once

#include <compare>
#include <cstdint>

#include <phys2d/collision/face.hpp>
#include <phys2d/core/array.hpp>
#include <phys2d/core/bits.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

inline constexpr int block_size =
    8;  ///< pairs a block: the widest lanes; the layout is always the same

/// How bodies take part, by ranges of slots.
struct SlotRanges {
    std::int32_t dynamic_count = 0;  ///< [0, dynamic_count): respond to impulses
    std::int32_t moving_count = 0;   ///< up to here: only move
    std::int32_t static_begin = 0;   ///< up to here: asleep; the rest is static

    /// What does not move shares one slot in the solver, of infinite mass.
    [[nodiscard]] std::int32_t fixed_slot() const { return moving_count; }
    /// A place that lanes without a pair write to while other threads read that one.
    [[nodiscard]] std::int32_t idle_slot() const { return moving_count + 1; }
};

/// What solving takes. Impulses are divided by the reduced mass 1/(1/m_a + 1/m_b), so that they are
/// velocities and one number does for the masses: a body's share. Lanes without a pair have no share.
struct alignas(64) ContactBlock {
    std::uint32_t a[block_size], b[block_size];  ///< places of the bodies' records in the solver
    float normal_x[block_size], normal_y[block_size];
    float
        separation[block_size];  ///< at the start of the step [m]; `out_of_contact` for no contact
    float share_a[block_size], share_b[block_size];
    float friction[block_size];
    float normal_impulse[block_size], tangent_impulse[block_size];  ///< [m/s]
};

/// Further away than any contact.
inline constexpr float out_of_contact = 1e30f;

/// What bouncing takes.
struct BounceBlock {
    float restitution[block_size];
    float rebound[block_size];  ///< speed after an impact in this sub-step, 0 for no bounce [m/s]
    float impact[block_size];   ///< impulses of the bounces in this step [m/s]
};

/// How fast the surface of a runs along the tangent ahead of that of b, on top of what the bodies do [m/s].
struct alignas(32) SurfaceBlock {
    float speed[block_size];
};

/// Whose contact it is: slots of colliders. `a` is the lower one and always dynamic. And what does not change while
/// they are a pair, so that a step has to look at their motion alone: see PairForms.
struct PairBlock {
    std::uint32_t a[block_size], b[block_size];
    float h_x[block_size], h_y[block_size];
    float radius[block_size];
    float most_slop[block_size];
};

/// Pairs that found no colour are solved first, one by one; those with an immovable body have the last
/// word.
enum class SolvingOrder : std::uint8_t { Overflow, Dynamic, Immovable };

/// A run of blocks that share a colour.
struct ColourRange {
    std::int32_t begin = 0;
    std::int32_t end = 0;
    SolvingOrder order = SolvingOrder::Overflow;

    [[nodiscard]] bool is_independent() const { return order != SolvingOrder::Overflow; }
};

/// Where a pair is.
struct LanePlace {
    std::int32_t block;
    std::int32_t lane;

    friend constexpr auto operator<=>(const LanePlace& a, const LanePlace& b) = default;
};

/// A contact that bounces in a sub-step, and the impulse that throws it apart [m/s].
struct Bounce {
    LanePlace place;
    float impulse;
};

struct Contacts {
    Array<ContactBlock> blocks;
    Array<BounceBlock> bounces;
    Array<PairBlock> pairs;
    Array<std::uint8_t> touching;    ///< of each block: a bit a lane that did at the end of a step
    Scratch<std::uint8_t> touched;   ///< the same at the end of the step before
    Array<std::uint8_t> has_events;  ///< of each block: a bit a lane whose events are told
    Array<std::int32_t> faces_of;    ///< of each block: its place in `faces`, or `no_faces`
    Array<FaceBlock> faces;     ///< of the pairs with terrain, relative to the middle of its shape
    Array<LanePlace> specials;  ///< pairs that are looked at one by one in each step
    Array<SurfaceBlock> surfaces;  ///< of each block, if there are such pairs
    Array<ColourRange> colours;    ///< of `blocks`, in solving order
    std::int32_t pair_count = 0;
    bool any_restitution = false;

    static constexpr std::int32_t no_faces = -1;

    /// Of a pair with terrain: the face that it is about; null for any other.
    [[nodiscard]] const FaceBlock* face_block(std::int32_t block) const {
        const std::int32_t i = faces_of[at(block)];
        return i == no_faces ? nullptr : &faces[at(i)];
    }
    /// From the first body of a pair to the second; zero where they are not in contact.
    [[nodiscard]] Vec2 normal_at(LanePlace place) const {
        const ContactBlock& block = blocks[at(place.block)];
        return {block.normal_x[place.lane], block.normal_y[place.lane]};
    }
    /// The feature of the face, 0 for a pair without.
    [[nodiscard]] std::uint32_t feature(LanePlace place) const {
        const FaceBlock* block = face_block(place.block);
        return block == nullptr ? 0 : block->feature[place.lane];
    }

    // of this step:
    Array<std::uint8_t> lanes;   ///< of each block: a bit a lane that is in contact
    Array<std::uint8_t> pushed;  ///< of each block: a bit a lane that has pushed in a sub-step
    Array<bool> is_deep;         ///< of each block: whether it has an overlap that is deep
    Array<std::int32_t> active;  ///< the blocks that have one
    Array<ColourRange> active_colours;  ///< of `active`
    Scratch<Bounce> bounced;            ///< in a sub-step
    std::int32_t contact_count = 0;
    bool any_deep = false;
};

/// Of a column that has a bit a lane: whether a pair has its bit.
[[nodiscard]] inline bool has_lane(const Array<std::uint8_t>& column, LanePlace place) {
    return (column[at(place.block)] >> place.lane & 1) != 0;
}
inline void set_lane(Array<std::uint8_t>& column, LanePlace place, bool value) {
    const unsigned others = column[at(place.block)] & ~(1u << place.lane);
    column[at(place.block)] = static_cast<std::uint8_t>(others | (value ? 1u : 0u) << place.lane);
}

/// Calls visit(block, lane) for each contact of this step, in the order in which they are solved.
template <class Visit>
void for_each_contact_lane(const Contacts& contacts, Visit visit) {
    for (const std::int32_t index : contacts.active) {
        for_each_bit(contacts.lanes[at(index)], [&](int lane) { visit(index, lane); });
    }
}

/// Calls visit(place) for each lane that is marked in a column of bits, in the order in which they are solved.
template <class Visit>
void for_each_lane_in(const Contacts& contacts, const Array<std::uint8_t>& column, Visit visit) {
    for (const ColourRange& colour : contacts.colours) {
        for (std::int32_t i = colour.begin; i < colour.end; ++i) {
            for_each_bit(column[at(i)], [&](int lane) { visit(LanePlace{i, lane}); });
        }
    }
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// Contacts: pairs of bodies near each other, in solving order.
//
// A pair stays in its lane while the bodies are near each other, with the impulses from which the
// next step starts. Eight pairs share a block. Within a colour no dynamic body appears twice, so
// the pairs of a block, and all blocks of a colour, can be solved at once with the same result as
// one by one: graph colouring, as in Rapier and Box2D v3.
//
// Data of a pair: 40 bytes that the solver's passes read, of which they write 8; 12 for bounces,
// used if there is restitution; 24 for the slots of the bodies and their combined form; with
// terrain 60 of a face, and 12 of the room before it. Nothing is copied or packed from step to
// step: the narrow phase writes normal and separation into the block, and lists the blocks that
// have a contact. Pairs that bore load when they were found come first in their colour, then those
// that were near each other, so that these blocks are full.
#pragma once

#include <phys2d/collision/face.hpp>
#include <phys2d/dynamics/lane_bits.hpp>
#include <phys2d/math/lanes.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Data for solving. Impulses are divided by the reduced mass 1/(1/m_a + 1/m_b), so that they are
/// velocities and one number per body, its share, stands for the masses. Lanes without a pair have
/// share 0.
struct alignas(64) ContactBlock {
    std::uint32_t a[block_size], b[block_size];  ///< places of the bodies' solver records
    simd::VectorBlock<block_size> normal;
    float separation[block_size];  ///< at the start of the step [m]; `out_of_contact` if none
    float share_a[block_size], share_b[block_size];
    float friction[block_size];
    float normal_impulse[block_size], tangent_impulse[block_size];  ///< [m/s]
};

/// A separation larger than that of any contact [m].
inline constexpr float out_of_contact = 1e30f;

/// Data for bouncing.
struct BounceBlock {
    float restitution[block_size];
    float rebound[block_size];  ///< speed after an impact in this sub-step; 0: no bounce [m/s]
    float impact[block_size];   ///< impulses of the bounces in this step [m/s]
};

/// Tangential speed of the surface of a relative to that of b, in addition to the velocities of the
/// bodies [m/s].
struct alignas(32) SurfaceBlock {
    float speed[block_size];
};

/// The slots of the two colliders of each lane (a is always dynamic), and data that stays constant
/// while they are a pair, so that a step only reads their motion: see PairForms. A lane without a
/// pair has slot 0 twice.
struct PairBlock {
    std::uint32_t a[block_size], b[block_size];
    simd::VectorBlock<block_size> h;
    float radius[block_size];
    float most_slop[block_size];
};

/// How far from touching their faces the bodies of a block with terrain were where they were last
/// measured. Those that stay within that need not be measured again.
struct alignas(32) RoomBlock {
    simd::VectorBlock<block_size> place;  ///< from the terrain's centre to the body's there [m]
    float room[block_size];  ///< less than this, in sum, leads to no contact [m]; 0 if unknown
};

/// The faces of a block, and the room before them; null for a block without terrain.
struct TerrainBlock {
    const FaceBlock* faces = nullptr;
    RoomBlock* rooms = nullptr;
};

/// Pairs without a colour are solved first, lane by lane, and those with an immovable body last.
enum class SolvingOrder : std::uint8_t { Overflow, Dynamic, Immovable };

/// Consecutive blocks of one colour.
struct ColourRange {
    std::int32_t begin = 0;
    std::int32_t end = 0;
    SolvingOrder order = SolvingOrder::Overflow;

    /// Whether no two of its pairs share a body that moves.
    [[nodiscard]] bool is_independent() const { return order != SolvingOrder::Overflow; }
};

/// A block with impacts in a step.
struct StruckBlock {
    std::int32_t block;
    unsigned lanes;       ///< as bits
    bool is_independent;  ///< see ColourRange
};

/// A contact that bounces in a sub-step.
struct Bounce {
    LanePlace place;
    float impulse;  ///< of stopping and rebound [m/s]
    float rubbed;   ///< the impulse of friction [m/s]
};

struct Contacts {
    Array<ContactBlock> blocks;
    Array<BounceBlock> bounces;
    Array<PairBlock> pairs;
    Array<std::uint8_t> touching;  ///< per block: bit of each lane touching at the end of a step
    Scratch<std::uint8_t> touching_before;  ///< the same at the end of the step before
    Scratch<std::uint8_t> known;            ///< the same without lanes that are hit again
    Array<std::uint8_t> heirs;       ///< per block: bit of each lane touching for another side
    Array<std::uint8_t> has_events;  ///< per block: bit of each lane that reports events
    Array<std::int32_t> faces_of;    ///< per block: its index in `faces`, or `no_faces`
    Array<FaceBlock> faces;          ///< of pairs with terrain, relative to its shape's centre
    Cache<RoomBlock> rooms;          ///< of `faces`, as far as they are known
    Array<LanePlace> specials;       ///< pairs that need individual treatment in each step
    Array<SurfaceBlock> surfaces;    ///< per block, if there are such pairs
    Array<ColourRange> colours;      ///< of `blocks`, in solving order
    std::int32_t pair_count = 0;
    bool any_restitution = false;

    static constexpr std::int32_t no_faces = -1;

    /// Calls visit(column) for each column with a few bytes per block.
    void for_each_small_column(auto visit) {
        visit(lanes), visit(pushed), visit(hit), visit(is_deep), visit(met_beside);
        visit(from_afar), visit(touching), visit(heirs), visit(has_events), visit(faces_of);
    }

    /// Removes all pairs. `usual_colours`: how many to have room for.
    void clear(std::size_t usual_colours) {
        blocks.start_over();
        bounces.start_over();
        pairs.start_over();
        for_each_small_column([](auto& column) { column.start_over(); });
        faces.start_over();
        specials.start_over();
        surfaces.start_over();
        colours.clear();
        colours.reserve(usual_colours);
        active_colours.reserve(usual_colours);
    }

    /// Makes room for `count` blocks in all; new ones are to be filled.
    void make_blocks(std::size_t count) {
        blocks.resize_for_overwrite(count);
        bounces.resize_for_overwrite(count);
        pairs.resize_for_overwrite(count);
        for_each_small_column([&](auto& column) { column.resize(count); });
    }

    /// Sets the face of a lane; adds eight faces for a block without any.
    void set_face(LanePlace place, const Face& face) {
        std::int32_t& index = faces_of[place.block];
        if (index == no_faces) {
            index = static_cast<std::int32_t>(faces.size());
            faces.push_back({});
            for (int lane = 0; lane < block_size; ++lane) faces.back().set(lane, no_face);
        }
        faces[index].set(place.lane, face);
        if (at(index) < rooms.size()) rooms[index].room[place.lane] = 0.0f;  // of another face
    }

    /// See ColourRange::is_independent.
    [[nodiscard]] bool is_independent(std::int32_t block) const {
        for (const ColourRange& colour : colours) {
            if (colour.is_independent()) break;
            if (colour.begin <= block && block < colour.end) return false;
        }
        return true;
    }

    /// Whether a lane has no pair.
    [[nodiscard]] bool is_empty(LanePlace place) const {
        const ContactBlock& block = blocks[place.block];
        return block.share_a[place.lane] + block.share_b[place.lane] == 0.0f;
    }

    [[nodiscard]] TerrainBlock terrain_block(std::int32_t block) {
        const std::int32_t i = faces_of[block];
        return i == no_faces ? TerrainBlock{} : TerrainBlock{&faces[i], &rooms[i]};
    }
    /// Whether a pair is with a face of terrain, which may be gone: see `feature`.
    [[nodiscard]] bool has_face(LanePlace place) const { return faces_of[place.block] != no_faces; }
    /// That face, relative to the centre of the terrain's shape. Pre: has_face(place).
    [[nodiscard]] Face face(LanePlace place) const {
        return faces[faces_of[place.block]].face(place.lane);
    }
    /// The slots of the two colliders of a pair.
    [[nodiscard]] std::int32_t first_slot(LanePlace place) const {
        return static_cast<std::int32_t>(pairs[place.block].a[place.lane]);
    }
    [[nodiscard]] std::int32_t second_slot(LanePlace place) const {
        return static_cast<std::int32_t>(pairs[place.block].b[place.lane]);
    }
    /// From the first body of a pair to the second; zero if they are not in contact.
    [[nodiscard]] Vec2 normal_at(LanePlace place) const {
        return blocks[place.block].normal[place.lane];
    }
    /// At the start of the step [m]; `out_of_contact` if they are not.
    [[nodiscard]] float separation(LanePlace place) const {
        return blocks[place.block].separation[place.lane];
    }
    /// The feature of a pair's face; 0 for a pair without one.
    [[nodiscard]] std::uint32_t feature(LanePlace place) const {
        return has_face(place) ? faces[faces_of[place.block]].feature[place.lane] : 0;
    }
    /// The normal of the face, zero for a pair without, or whose face is gone.
    [[nodiscard]] Vec2 side(LanePlace place) const {
        return feature(place) == 0 ? Vec2{} : face(place).normal;
    }

    /// See ContactBlock.
    [[nodiscard]] float friction(LanePlace place) const {
        return blocks[place.block].friction[place.lane];
    }
    /// See SurfaceBlock.
    [[nodiscard]] float surface_speed(LanePlace place) const {
        return surfaces.empty() ? 0.0f : surfaces[place.block].speed[place.lane];
    }

    /// Makes the impulses of a pair zero.
    void clear_impulses(LanePlace place) {
        ContactBlock& block = blocks[place.block];
        block.normal_impulse[place.lane] = block.tangent_impulse[place.lane] = 0.0f;
    }

    /// Impulses of bounces in the last step [m/s].
    [[nodiscard]] float impact(LanePlace place) const {
        return bounces[place.block].impact[place.lane];
    }

    // of the current step:
    Array<std::uint8_t> lanes;   ///< per block: bit of each lane in contact
    Array<std::uint8_t> pushed;  ///< per block: bit of each lane that pushed in a sub-step
    Array<std::uint8_t> hit;     ///< per block: bit of each lane with an impact in this step
    Array<bool> is_deep;         ///< per block: whether it has a deep overlap
    /// Per block: bit of each lane whose bodies meet from beside, see `Touch`, and not deeply.
    Array<std::uint8_t> met_beside;
    Array<std::uint8_t> from_afar;      ///< per block: bit of each lane beyond the margin
    Array<std::int32_t> active;         ///< the blocks that have a contact
    Array<ColourRange> active_colours;  ///< of `active`
    Scratch<StruckBlock> struck;        ///< blocks with an impact in this step
    Scratch<Bounce> bounced;            ///< of a sub-step
    std::int32_t contact_count = 0;
    bool any_deep = false;

    void list_members(auto& archive) {
        archive(*this, blocks, bounces, pairs, touching, touching_before, known, heirs, has_events,
                faces_of, faces, rooms, specials, surfaces, colours, pair_count, any_restitution,
                lanes, pushed, hit, is_deep, met_beside, from_afar, active, active_colours, struck,
                bounced, contact_count, any_deep);
    }
};

/// What is known of a pair from one step to the next, or until it is found again.
struct PairMemory {
    std::uint32_t feature = 0;     ///< of its face of terrain, 0 for a pair without
    Vec2 side{};                   ///< the normal of that face; zero where it is not known
    float normal_impulse = 0.0f;   ///< [m/s]
    float tangent_impulse = 0.0f;  ///< [m/s]
    bool is_touching = false;
    bool is_heir = false;  ///< touches for another side: see PairList::give
    bool has_events = true;
};

[[nodiscard]] inline PairMemory memory_of(const Contacts& contacts, LanePlace place) {
    const ContactBlock& block = contacts.blocks[place.block];
    return {.feature = contacts.feature(place),
            .side = contacts.side(place),
            .normal_impulse = block.normal_impulse[place.lane],
            .tangent_impulse = block.tangent_impulse[place.lane],
            .is_touching = has_lane(contacts.touching, place),
            .is_heir = has_lane(contacts.heirs, place),
            .has_events = has_lane(contacts.has_events, place)};
}

/// Calls visit(place) for each contact of this step, in solving order.
void for_each_contact_lane(const Contacts& contacts, auto visit) {
    for (const std::int32_t index : contacts.active) {
        for_each_bit(contacts.lanes[index], [&](int lane) { visit(LanePlace{index, lane}); });
    }
}

/// Calls visit(place) for each lane whose bit is set in a column, in solving order.
void for_each_lane_in(const Contacts& contacts, const Array<std::uint8_t>& column, auto visit) {
    for (const ColourRange& colour : contacts.colours) {
        for_each_lane_in(column, colour.begin, colour.end, visit);
    }
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

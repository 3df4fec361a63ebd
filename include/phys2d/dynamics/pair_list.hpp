// SPDX-License-Identifier: MIT
// PairList: the pairs that a broad phase finds, with their data before they become contacts.
//
// A list of 100,000 pairs is read several times, so an entry has 32 bytes, and 16 for finding it.
#pragma once

#include <phys2d/collision/touch_face.hpp>
#include <phys2d/core/span.hpp>
#include <phys2d/dynamics/contacts.hpp>
#include <phys2d/dynamics/pair_links.hpp>
#include <phys2d/dynamics/touch_bodies.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Properties of a pair.
struct PairTraits {
    float friction = 0.0f;
    float restitution = 0.0f;
    bool is_special = false;  ///< needs treatment in each step: see Contacts::specials
};

class PairList {
public:
    /// Starts an empty list.
    void begin(std::int32_t dynamic_count) {
        const std::size_t usual_count = usual_pairs * at(dynamic_count);
        found_.start_over();
        found_.reserve(usual_count);
        links_.begin(dynamic_count, usual_count);
        faces_.start_over();
        any_special_ = any_restitution_ = false;
    }

    /// The number of pairs.
    [[nodiscard]] std::size_t size() const { return found_.size(); }

    /// Pre: slots differ, the lower one is dynamic.
    PHYS2D_INLINE void add(std::int32_t a, std::int32_t b, const PairTraits& traits) {
        found_.push_back_for_overwrite() = {.a = a,
                                            .b = b,
                                            .friction = traits.friction,
                                            .restitution = traits.restitution,
                                            .is_special = traits.is_special};
        any_special_ = any_special_ || traits.is_special;
        any_restitution_ = any_restitution_ || traits.restitution > 0.0f;
        links_.add(a, b);
    }

    /// The same for a body and a face of terrain; the face is relative to the centre of b's shape.
    void add_face(std::int32_t a, std::int32_t b, const Face& face, const NarrowColumns& bodies,
                  const ContactReach& reach, const PairTraits& traits) {
        const Face placed = translate(face, middle_of(bodies[b]));
        const bool is_near = touches(placed, shape_of(bodies[a]), reach.margin);
        add(a, b, traits);
        found_.back().is_near = is_near;
        found_.back().face = static_cast<std::int32_t>(faces_.size());
        faces_.push_back(face);
    }

    /// Whether the pair is in the list. Pre: a is dynamic if b is.
    [[nodiscard]] bool contains(std::int32_t a, std::int32_t b) const {
        return links_.find(a, b, [](std::int32_t) { return true; }) != PairLinks::none;
    }

    /// Sets what is known of a pair, given in either order; `no_slot` has none. A touching pair
    /// keeps the event setting with which it began. If its face of terrain is gone, another face of
    /// the same pair continues to touch instead: one with the same direction, or else any, as its
    /// heir. Returns whether the pair is in the list.
    bool give(std::int32_t i, std::int32_t j, const PairMemory& memory) {
        const std::int32_t a = smaller_of(i, j);
        const std::int32_t b = larger_of(i, j);
        if (a == SlotMap::no_slot) return false;
        if (Found* same = find_same(a, b, memory.feature)) {
            same->normal_impulse = memory.normal_impulse;
            same->tangent_impulse = memory.tangent_impulse;
            same->is_given = true;
            if (memory.is_touching) pass_on_touch(*same, memory.has_events, memory.is_heir);
            return true;
        }
        Found* const any = find_if(a, b, [](const Found&) { return true; });
        if (any != nullptr && memory.is_touching) {
            Found* const alike = find_facing(a, b, memory.side);
            const bool is_heir = alike == nullptr;
            pass_on_touch(is_heir ? *any : *alike, memory.has_events, is_heir);
        }
        return any != nullptr;
    }

    /// Copies the impulses of old pairs to the same pairs in this list. `slot_now` maps each old
    /// body slot to the current one, or `no_slot` if the body is gone. Calls lost(place) for each
    /// old touching pair that is not in the list.
    void take_impulses(const Contacts& old, Span<const std::int32_t> slot_now, auto lost) {
        links_.index_long_chains();
        for (std::size_t i = 0; i < old.blocks.size(); ++i) {
            const ContactBlock& block = old.blocks[i];
            const PairBlock& pairs = old.pairs[i];
            unsigned known = old.touching[i];
            for (int lane = 0; lane < block_size; ++lane) {
                known |= block.normal_impulse[lane] == 0.0f ? 0u : 1u << lane;
            }
            for_each_bit(known, [&](int lane) {
                const LanePlace place{static_cast<std::int32_t>(i), lane};
                const PairMemory memory = memory_of(old, place);
                const bool is_found =
                    give(slot_now[pairs.a[lane]], slot_now[pairs.b[lane]], memory);
                if (memory.is_touching && !is_found) lost(place);
            });
        }
        links_.drop_index();
    }

    void list_members(auto& archive) {
        archive(*this, found_, links_, faces_, any_special_, any_restitution_);
    }

protected:
    static constexpr std::int32_t no_face_of = -1;

    /// Two records, for gathering.
    struct alignas(32) Found {
        std::int32_t a, b;
        float friction, restitution;
        float normal_impulse = 0.0f, tangent_impulse = 0.0f;
        std::int32_t face = no_face_of;  // index in `faces_`
        std::uint8_t colour = 0;
        bool is_near : 1 = false;
        bool is_special : 1 = false;
        bool has_events : 1 = true;
        bool is_touching : 1 = false;
        bool is_heir : 1 = false;      // touches for another side of the terrain
        bool is_given : 1 = false;     // has what an old pair knew
        std::uint8_t no_bits : 2 = 0;  // so that there are no gaps
        std::uint16_t no_bytes = 0;
    };
    static_assert(sizeof(Found) == 2 * sizeof(simd::Record4));

    Array<Found> found_;
    PairLinks links_;    // indices are those of `found_`
    Array<Face> faces_;  // of the pairs with terrain
    bool any_special_ = false;
    bool any_restitution_ = false;

    /// Sets is_near for the pairs of [begin, end) that are within reach, whatever their motion.
    template <int Width>
    void note_near(std::int32_t begin, std::int32_t end, const NarrowColumns& bodies,
                   const ContactReach& reach) {
        using Real = simd::Lanes<Width>;
        for (std::int32_t i = begin; i < end; i += Width) {
            const int count = smaller_of(end - i, Width);
            std::uint32_t a[std::size_t{Width}];
            std::uint32_t b[std::size_t{Width}];
            for (int lane = 0; lane < Width; ++lane) {
                const Found& pair = found_[lane < count ? i + lane : i];
                a[lane] = static_cast<std::uint32_t>(pair.a);
                b[lane] = static_cast<std::uint32_t>(pair.b);
            }
            const auto forms = PairForms<Width>::of_slots(bodies.forms.data(), a, b);
            const Approach<Width> approach(gather_relative<Width>(bodies.motions.data(), a, b),
                                           forms, reach);
            const unsigned reached =
                bits(approach.are_facing() & (approach.at_least() < Real::fill(reach.margin)));
            for (int lane = 0; lane < count; ++lane) {
                Found& pair = found_[i + lane];
                if (pair.face == no_face_of) pair.is_near = (reached >> lane & 1u) != 0;
            }
        }
    }

private:
    static constexpr std::size_t usual_pairs = 4;  // per body; seldom more

    /// A pair of two slots for which a test is true; null if there is none. Pre: a < b.
    [[nodiscard]] Found* find_if(std::int32_t a, std::int32_t b, auto test) {
        const std::int32_t pair =
            links_.find_by_index(a, b, [&](std::int32_t i) { return test(found_[i]); });
        return pair == PairLinks::none ? nullptr : &found_[pair];
    }
    /// The pair with a feature that has no impulses yet: there may be several alike.
    [[nodiscard]] Found* find_same(std::int32_t a, std::int32_t b, std::uint32_t feature) {
        return find_if(a, b, [&](const Found& pair) {
            if (pair.face == no_face_of) return feature == 0;
            return feature != 0 && !pair.is_given && faces_[pair.face].feature == feature;
        });
    }
    /// A pair without a face, or whose face looks the way of a normal; any if that is not known.
    [[nodiscard]] Found* find_facing(std::int32_t a, std::int32_t b, Vec2 side) {
        return find_if(a, b, [&](const Found& pair) {
            return pair.face == no_face_of || side == Vec2{} ||
                   are_alike(faces_[pair.face].normal, side);
        });
    }

    /// Marks a pair as touching: for its own side, unless it is an heir.
    static void pass_on_touch(Found& pair, bool has_events, bool is_heir) {
        pair.is_heir = is_heir && (pair.is_heir || !pair.is_touching);
        pair.is_touching = true;
        pair.has_events = has_events;
    }
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

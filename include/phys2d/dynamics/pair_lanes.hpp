// SPDX-License-Identifier: MIT
// PairLanes: in which lane is each pair of a list, and what becomes of it when its bodies go, or
// get other slots?
#pragma once

#include <phys2d/core/shell_sort.hpp>
#include <phys2d/dynamics/pair_list.hpp>
#include <phys2d/dynamics/slot_ranges.hpp>
#include <phys2d/dynamics/solver_bodies.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Per moving slot: that of its body, which stands for it in the solver.
class BodySlots {
public:
    /// Without `slots`, each slot is its own body.
    explicit BodySlots(Span<const std::int32_t> slots = {}) : slots_(slots) {}

    /// The slot of a body; what does not move stands for itself.
    [[nodiscard]] std::int32_t of(std::int32_t slot) const {
        return at(slot) < slots_.size() ? slots_[slot] : slot;
    }

private:
    Span<const std::int32_t> slots_;
};

class PairLanes : public PairList {
public:
    /// Starts an empty list.
    void begin(SlotRanges ranges) {
        PairList::begin(ranges.dynamic_count);
        ranges_ = ranges;
        fixed_slot_ = ranges.moving_count + spare_slots(ranges.moving_count);
        written_ = removed_ = 0;
    }

    /// The solver's slot for everything that is fixed. Behind it there is one per block, to which
    /// its lanes without a pair write.
    [[nodiscard]] std::int32_t fixed_slot() const { return fixed_slot_; }

    /// The roles of slots when the pairs were made.
    [[nodiscard]] const SlotRanges& ranges() const { return ranges_; }

    /// Whether the solver has room for so many moving bodies without moving the fixed one.
    [[nodiscard]] bool has_room_for(std::int32_t moving_count) const {
        return moving_count <= fixed_slot_;
    }

    /// Whether most lanes have lost their pairs, and they are many.
    [[nodiscard]] bool is_hollow() const {
        constexpr std::size_t many = 512;
        return 2 * removed_ > written_ + many;
    }

    /// Prepares `follow`, and calls lost(place) for each pair of a body that is gone.
    void prepare_to_follow(const SlotMoves& moves, SlotRanges ranges, const Contacts& contacts,
                           BodySlots body_slots, auto lost) {
        list_pairs_of_gone(moves);
        list_pairs_with_immovable(moves, contacts, body_slots);
        links_.make_room(ranges.dynamic_count);
        for (const std::int32_t pair : lost_) lost(place_of(pair));
    }

    /// Follows the bodies into other slots, and removes the pairs of those that are gone.
    void follow(SlotMoves& moves, SlotRanges ranges, Contacts& contacts, BodySlots body_slots) {
        remove_lost(moves, contacts);
        for (const std::int32_t pair : shifted_) {
            links_.rename_second(pair, moves.now[links_.second_of(pair)]);
        }
        links_.follow(moves, ranges.dynamic_count);
        ranges_ = ranges;
        for (const std::int32_t pair : shifted_) write_slots(pair, contacts, body_slots);
        for (const SlotMove move : moves.moved) write_slots_of(move.to, contacts, body_slots);
        contacts.pair_count = pairs_written();
    }

    /// Writes the slots of all pairs of a dynamic body, and of what stands for them in the solver.
    void write_slots_of(std::int32_t slot, Contacts& contacts, BodySlots body_slots) {
        links_.for_each_of(slot,
                           [&](std::int32_t pair) { write_slots(pair, contacts, body_slots); });
    }

    /// Replaces the faces of terrain of a body's pairs: replace(b, face) returns the new face, or
    /// `no_face` if it is gone.
    void replace_faces(std::int32_t a, Contacts& contacts, auto replace) {
        links_.for_each_of(a, [&](std::int32_t i) {
            const Found& pair = found_[i];
            if (pair.face == no_face_of) return;
            Face& face = faces_[pair.face];
            face = replace(pair.b, face);
            if (is_written(i)) contacts.set_face(place_of(i), face);
        });
    }

    /// Whether `contacts` was written from this list, apart from pairs added since.
    [[nodiscard]] bool has_written(const Contacts& contacts) const {
        return pairs_written() == contacts.pair_count;
    }
    /// Whether a slot belonged to a dynamic body when the pairs were made; false for `no_slot`.
    [[nodiscard]] bool is_dynamic(std::int32_t slot) const { return links_.is_dynamic(slot); }

    /// Whether test(place) is true for any written lane of a dynamic body; false for other slots.
    [[nodiscard]] bool any_lane_of(std::int32_t body, auto test) const {
        return links_.any_of(body,
                             [&](std::int32_t i) { return is_written(i) && test(place_of(i)); });
    }
    /// The same for the lanes of a pair of slots. Pre: a is dynamic if b is.
    [[nodiscard]] bool any_lane_of(std::int32_t a, std::int32_t b, auto test) const {
        const auto is_sought = [&](std::int32_t i) { return is_written(i) && test(place_of(i)); };
        return links_.find(a, b, is_sought) != PairLinks::none;
    }

    void list_members(auto& archive) {
        archive(*this, static_cast<PairList&>(*this), ranges_, written_, places_, members_,
                fixed_slot_, removed_, lost_, shifted_, losers_);
    }

protected:
    [[nodiscard]] std::int32_t pairs_written() const {
        return static_cast<std::int32_t>(written_ - removed_);
    }
    [[nodiscard]] bool is_written(std::int32_t pair) const { return at(pair) < written_; }
    [[nodiscard]] LanePlace place_of(std::int32_t pair) const { return place_at(places_[pair]); }
    [[nodiscard]] static LanePlace place_at(std::int32_t lane) {
        return {lane / block_size, lane % block_size};
    }

    [[nodiscard]] std::uint32_t solver_place(std::int32_t slot, BodySlots body_slots) const {
        const bool is_fixed = !ranges_.is_moving(slot);
        return simd::place_of_record(is_fixed ? fixed_slot_ : body_slots.of(slot));
    }

    /// Makes a lane without a pair: an idle body with itself.
    void clear_lane(Contacts& contacts, std::int32_t index, int lane) const {
        ContactBlock& block = contacts.blocks[index];
        block.a[lane] = block.b[lane] = simd::place_of_record(fixed_slot_ + 1 + index);
        block.share_a[lane] = block.share_b[lane] = block.friction[lane] = 0.0f;
        block.normal_impulse[lane] = block.tangent_impulse[lane] = 0.0f;
        contacts.bounces[index].restitution[lane] = 0.0f;
    }

    static constexpr std::int32_t no_member = -1;

    SlotRanges ranges_;
    std::size_t written_ = 0;      // of `found_`
    Array<std::int32_t> places_;   // of written pairs: lane index, counted over all blocks
    Array<std::int32_t> members_;  // of lanes: the pair, or `no_member`

private:
    /// Lists the pairs of dynamic bodies that are gone, each once.
    void list_pairs_of_gone(const SlotMoves& moves) {
        lost_.clear();
        for (const std::int32_t slot : moves.gone) {
            links_.for_each_of(slot, [&](std::int32_t pair) {
                const std::int32_t first = links_.first_of(pair);
                if (first == slot || !moves.is_gone(first)) lost_.push_back(pair);
            });
        }
    }

    /// Lists the other pairs with immovable bodies that are gone or have other slots.
    void list_pairs_with_immovable(const SlotMoves& moves, const Contacts& contacts,
                                   BodySlots body_slots) {
        shifted_.clear();
        for (const ColourRange& colour : contacts.colours) {
            if (colour.order == SolvingOrder::Dynamic) continue;
            for (std::int32_t i = colour.begin; i < colour.end; ++i) {
                for (int lane = 0; lane < block_size; ++lane) {
                    list_if_shifted({i, lane}, moves, contacts, body_slots);
                }
            }
        }
    }
    void list_if_shifted(LanePlace place, const SlotMoves& moves, const Contacts& contacts,
                         BodySlots body_slots) {
        const std::int32_t pair = members_[place.block * block_size + place.lane];
        if (pair == no_member) return;
        const std::int32_t a = contacts.first_slot(place);
        const std::int32_t b = contacts.second_slot(place);
        if (is_dynamic(b) || moves.is_gone(a)) return;
        const std::uint32_t solver_b = contacts.blocks[place.block].b[place.lane];
        if (moves.now[b] == b && solver_b == solver_place(b, body_slots)) return;
        (moves.is_gone(b) ? lost_ : shifted_).push_back(pair);
    }

    /// Takes the lost pairs out of their lanes, and out of the chains of bodies that stay.
    void remove_lost(const SlotMoves& moves, Contacts& contacts) {
        if (lost_.empty()) return;
        losers_.clear();
        for (const std::int32_t pair : lost_) {
            empty_lane(contacts, place_of(pair));
            members_[places_[pair]] = no_member;
            for (const std::int32_t body : {links_.first_of(pair), links_.second_of(pair)}) {
                if (is_dynamic(body) && !moves.is_gone(body)) losers_.push_back(body);
            }
        }
        shell_sort(losers_);
        losers_.remove_repeats();
        const auto is_removed = [&](LanePlace place) { return contacts.is_empty(place); };
        for (const std::int32_t body : losers_) {
            links_.remove_if(body, [&](std::int32_t pair) { return is_removed(place_of(pair)); });
        }
        contacts.specials.remove_if(is_removed);
        removed_ += lost_.size();
    }

    void empty_lane(Contacts& contacts, LanePlace place) const {
        contacts.pairs[place.block].a[place.lane] = contacts.pairs[place.block].b[place.lane] = 0;
        clear_lane(contacts, place.block, place.lane);
        for (auto* bits : {&contacts.touching, &contacts.heirs, &contacts.has_events,
                           &contacts.lanes, &contacts.pushed, &contacts.hit}) {
            set_lane(*bits, place, false);
        }
    }

    void write_slots(std::int32_t pair, Contacts& contacts, BodySlots body_slots) {
        const LanePlace place = place_of(pair);
        const std::int32_t a = links_.first_of(pair);
        const std::int32_t b = links_.second_of(pair);
        found_[pair].a = a;
        found_[pair].b = b;
        contacts.pairs[place.block].a[place.lane] = static_cast<std::uint32_t>(a);
        contacts.pairs[place.block].b[place.lane] = static_cast<std::uint32_t>(b);
        contacts.blocks[place.block].a[place.lane] = solver_place(a, body_slots);
        contacts.blocks[place.block].b[place.lane] = solver_place(b, body_slots);
    }

    std::int32_t fixed_slot_ = 0;
    std::size_t removed_ = 0;        // of written pairs
    Scratch<std::int32_t> lost_;     // pairs to be removed
    Scratch<std::int32_t> shifted_;  // pairs whose second body is immovable and has another slot
    Scratch<std::int32_t> losers_;   // bodies that stay and lose pairs
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// PairBuilder: turns the list of pairs into blocks of contacts.
//
// Pairs that carry load get their colours first, then those that touch. Solving order: the overflow
// (pairs that found no colour, each in a block of its own), then pairs of two dynamic bodies, then
// pairs with an immovable one, which are solved last.
//
// Once each pair has its lane, the blocks are filled one by one, all lanes of a block at once.
#pragma once

#include <phys2d/core/crew.hpp>
#include <phys2d/dynamics/pair_colours.hpp>
#include <phys2d/dynamics/pair_list.hpp>
#include <phys2d/dynamics/solver_bodies.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class PairBuilder : public PairList {
public:
    /// Starts an empty list.
    void begin(SlotRanges ranges) {
        PairList::begin(ranges.dynamic_count);
        colours_.begin(ranges.dynamic_count);
        ranges_ = ranges;
        fixed_slot_ = ranges.moving_count + spare_slots(ranges.moving_count);
        written_ = removed_ = 0;
        parts_ = 0;
    }

    /// The number of appended parts. Each part has its own colours.
    [[nodiscard]] int parts() const { return parts_; }

    /// The solver's slot for everything that is fixed. Lanes without a pair write to the next one,
    /// while other threads read this one.
    [[nodiscard]] std::int32_t fixed_slot() const { return fixed_slot_; }

    /// Whether the pairs can stay: each body has its role, and the solver has room for all.
    [[nodiscard]] bool can_follow(const SlotMoves& moves, SlotRanges ranges) const {
        for (const auto [from, to] : moves.moved) {
            if (!ranges_.has_same_role(from, ranges, to)) return false;
        }
        return ranges.moving_count <= fixed_slot_ &&
               fixed_slot_ <= SolverBodies::last_fixed_slot(ranges.moving_count);
    }

    /// Prepares `follow`, and calls lost(place) for each pair of a body that is gone. `now` has the
    /// present slot per former one, -1 for those that are gone.
    template <class Lost>
    void prepare_to_follow(const SlotMoves& moves, SlotRanges ranges, const std::int32_t* now,
                           const Contacts& contacts, const std::int32_t* body_slots, Lost lost) {
        list_pairs_of_gone(moves, now);
        list_pairs_with_immovable(now, contacts, body_slots);
        links_.make_room(ranges.dynamic_count);
        colours_.make_room(ranges.dynamic_count);
        for (const std::int32_t pair : lost_) lost(place_of(pair));
    }

    /// Follows the bodies into other slots, and removes the pairs of those that are gone.
    void follow(SlotMoves& moves, SlotRanges ranges, const std::int32_t* now, Contacts& contacts,
                const std::int32_t* body_slots) {
        for (const std::int32_t pair : lost_) remove(pair, now, contacts);
        if (!lost_.empty()) {
            contacts.specials.remove_if([&](LanePlace place) { return contacts.is_empty(place); });
        }
        for (const std::int32_t pair : shifted_) {
            links_.rename_second(pair, now[links_.second_of(pair)]);
        }
        links_.follow(moves, ranges.dynamic_count);
        colours_.resize(ranges.dynamic_count);
        ranges_ = ranges;
        for (const std::int32_t pair : shifted_) write_slots(pair, contacts, body_slots);
        for (const SlotMove move : moves.moved) write_slots_of(move.to, contacts, body_slots);
        contacts.pair_count = pairs_written();
    }

    /// Writes the slots of all pairs of a dynamic body, and of what stands for them in the solver.
    void write_slots_of(std::int32_t slot, Contacts& contacts, const std::int32_t* body_slots) {
        if (!is_dynamic(slot)) return;
        links_.for_each_of(slot,
                           [&](std::int32_t pair) { write_slots(pair, contacts, body_slots); });
    }

    /// Replaces the faces of terrain of a body's pairs: replace(b, face) returns the new face, or
    /// `no_face` if it is gone.
    template <class Replace>
    void replace_faces(std::int32_t a, Contacts& contacts, Replace replace) {
        links_.for_each_of(a, [&](std::int32_t i) {
            const Found& pair = found_[i];
            if (pair.face == no_face_of) return;
            Face& face = faces_[pair.face];
            face = replace(pair.b, face);
            if (is_written(i)) contacts.set_face(place_of(i), face);
        });
    }

    /// Calls visit(place) for each written lane of a pair of slots. Pre: a is dynamic if b is.
    template <class Visit>
    void for_each_lane_of(std::int32_t a, std::int32_t b, Visit visit) const {
        (void)links_.find(a, b, [&](std::int32_t i) {
            if (is_written(i)) visit(place_of(i));
            return false;
        });
    }

    /// Calls visit(place) for each written lane of a dynamic body; does nothing for other slots.
    template <class Visit>
    void for_each_lane_of(std::int32_t body, Visit visit) const {
        (void)any_lane_of(body, [&](LanePlace place) {
            visit(place);
            return false;
        });
    }

    /// Whether `contacts` was written from this list, apart from pairs added since.
    [[nodiscard]] bool has_written(const Contacts& contacts) const {
        return pairs_written() == contacts.pair_count;
    }
    /// Whether a slot belonged to a dynamic body when the pairs were made.
    [[nodiscard]] bool is_dynamic(std::int32_t slot) const {
        return at(slot) < at(ranges_.dynamic_count);
    }

    /// Whether test(place) is true for any written lane of a dynamic body.
    template <class Test>
    [[nodiscard]] bool any_lane_of(std::int32_t body, Test test) const {
        return links_.any_of(body,
                             [&](std::int32_t i) { return is_written(i) && test(place_of(i)); });
    }

    /// Assigns colours to the pairs added since the last call and appends them in colour order; the
    /// first call after `begin` replaces the old contents. Pairs within `reach` count as touching.
    /// `body_slots` maps each moving slot to that of its body; null: each slot is its own body.
    template <int Width, class Team>
    void write(Contacts& contacts, const NarrowColumns& bodies, const ContactReach& reach,
               const std::int32_t* body_slots, Team& team) {
        if (parts_ == 0) contacts.clear(usual_colours);
        if (parts_ > 0 && written_ == found_.size()) return;
        ++parts_;
        const auto fresh = static_cast<std::int32_t>(written_);
        team.for_each_part(static_cast<std::int32_t>(found_.size()) - fresh, pairs_per_part,
                           [&](std::int32_t begin, std::int32_t end) {
                               note_near<Width>(fresh + begin, fresh + end, bodies, reach);
                           });
        sort_by_load();
        assign_colours(body_slots);
        const auto first = static_cast<std::int32_t>(contacts.blocks.size());
        lay_out(contacts);
        const auto count = static_cast<std::int32_t>(contacts.blocks.size()) - first;
        team.for_each_part(count, blocks_per_part, [&](std::int32_t begin, std::int32_t end) {
            for (std::int32_t i = begin; i < end; ++i) {
                fill_block<Width>(contacts, first + i, &members_[i * block_size],
                                  bodies.forms.data(), body_slots);
            }
        });
        contacts.any_restitution = any_restitution_;
        append_to_lists(contacts, first, bodies.forms.data());
        written_ = found_.size();
        contacts.pair_count = pairs_written();
    }

private:
    static constexpr std::size_t usual_colours = 64;  // of all parts together
    static constexpr std::int32_t no_member = -1;

    [[nodiscard]] std::int32_t pairs_written() const {
        return static_cast<std::int32_t>(written_ - removed_);
    }
    [[nodiscard]] bool is_written(std::int32_t pair) const { return at(pair) < written_; }
    [[nodiscard]] LanePlace place_of(std::int32_t pair) const {
        const std::int32_t place = places_[pair];
        return {place / block_size, place % block_size};
    }

    /// Lists the pairs of dynamic bodies that are gone, each once.
    void list_pairs_of_gone(const SlotMoves& moves, const std::int32_t* now) {
        lost_.clear();
        for (const std::int32_t slot : moves.gone) {
            if (!is_dynamic(slot)) continue;
            links_.for_each_of(slot, [&](std::int32_t pair) {
                const std::int32_t first = links_.first_of(pair);
                const std::int32_t other = first == slot ? links_.second_of(pair) : first;
                const bool has_two_turns = is_dynamic(other) && now[other] < 0;
                if (!has_two_turns || slot < other) lost_.push_back(pair);
            });
        }
    }

    /// Lists the pairs with immovable bodies that are gone or that the lanes know by other slots.
    void list_pairs_with_immovable(const std::int32_t* now, const Contacts& contacts,
                                   const std::int32_t* body_slots) {
        shifted_.clear();
        for (const ColourRange& colour : contacts.colours) {
            if (colour.order == SolvingOrder::Dynamic) continue;
            for (std::int32_t i = colour.begin; i < colour.end; ++i) {
                const PairBlock& pairs = contacts.pairs[i];
                for (int lane = 0; lane < block_size; ++lane) {
                    const auto b = static_cast<std::int32_t>(pairs.b[lane]);
                    if (is_dynamic(b) || now[pairs.a[lane]] < 0) continue;
                    const bool stays =
                        now[b] == b && contacts.blocks[i].b[lane] == solver_place(b, body_slots);
                    if (stays) continue;
                    const auto a = static_cast<std::int32_t>(pairs.a[lane]);
                    (now[b] < 0 ? lost_ : shifted_).push_back(pair_at(a, {i, lane}));
                }
            }
        }
    }

    /// The pair of a dynamic body that has a lane. Pre: there is one.
    [[nodiscard]] std::int32_t pair_at(std::int32_t body, LanePlace place) const {
        std::int32_t found = 0;
        (void)links_.any_of(body, [&](std::int32_t pair) {
            found = pair;
            return is_written(pair) && place_of(pair) == place;
        });
        return found;
    }

    void remove(std::int32_t pair, const std::int32_t* now, Contacts& contacts) {
        const std::int32_t second = links_.second_of(pair);
        if (now[links_.first_of(pair)] >= 0) links_.leave_first(pair);
        if (is_dynamic(second) && now[second] >= 0) links_.leave_second(pair);
        const LanePlace place = place_of(pair);
        contacts.pairs[place.block].a[place.lane] = contacts.pairs[place.block].b[place.lane] = 0;
        clear_lane(contacts, at(place.block), place.lane);
        set_lane(contacts.touching, place, false);
        set_lane(contacts.heirs, place, false);
        set_lane(contacts.has_events, place, false);
        ++removed_;
    }

    void write_slots(std::int32_t pair, Contacts& contacts, const std::int32_t* body_slots) {
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

    /// Sorts pairs that carry load first, then those that touch, then the rest, so that similar
    /// pairs share blocks.
    void sort_by_load() {
        const auto rank = [](const Found& pair) {
            return pair.normal_impulse > 0.0f ? 0 : (pair.is_near ? 1 : 2);
        };
        std::size_t next[4] = {};
        for (std::size_t i = written_; i < found_.size(); ++i) ++next[rank(found_[i]) + 1];
        next[2] += next[1];
        order_.reserve(found_.capacity());
        order_.resize_for_overwrite(found_.size() - written_);
        for (std::size_t i = written_; i < found_.size(); ++i) {
            order_[next[rank(found_[i])]++] = static_cast<std::int32_t>(i);
        }
    }

    [[nodiscard]] std::int32_t body_of(std::int32_t slot, const std::int32_t* body_slots) const {
        const bool is_own = body_slots == nullptr || slot >= ranges_.moving_count;
        return is_own ? slot : body_slots[slot];
    }

    /// Pairs that are added later start with fresh colours, since their blocks are separate.
    void assign_colours(const std::int32_t* body_slots) {
        for (std::size_t k = 0; written_ > 0 && k < order_.size(); ++k) {
            const Found& pair = found_[order_[k]];
            colours_.forget(body_of(pair.a, body_slots));
            if (pair.b < ranges_.dynamic_count) colours_.forget(body_of(pair.b, body_slots));
        }
        for (const std::int32_t i : order_) {
            Found& pair = found_[i];
            pair.colour = static_cast<std::uint8_t>(take_colour(pair, body_slots));
        }
    }

    std::uint32_t take_colour(const Found& pair, const std::int32_t* body_slots) {
        const std::int32_t a = body_of(pair.a, body_slots);
        if (pair.face != no_face_of) return colours_.take_face(a);
        if (pair.b >= ranges_.dynamic_count) return colours_.take_static(a);
        return colours_.take(a, body_of(pair.b, body_slots));
    }

    /// Makes the blocks, and gives each pair its lane.
    void lay_out(Contacts& contacts) {
        std::int32_t count[PairColours::count] = {};
        for (const std::int32_t i : order_) ++count[found_[i].colour];
        const auto first = static_cast<std::int32_t>(contacts.blocks.size());
        std::int32_t place[PairColours::count];
        const std::int32_t end = lay_out_colours(contacts.colours, first, count, place);
        contacts.make_blocks(at(end));
        members_.reserve(contacts.blocks.capacity() * block_size);
        members_.assign(at((end - first) * block_size), no_member);
        places_.reserve(found_.capacity());
        places_.resize_for_overwrite(found_.size());
        for (const std::int32_t i : order_) {
            const std::uint32_t colour = found_[i].colour;
            places_[i] = place[colour];
            members_[place[colour] - first * block_size] = i;
            place[colour] += colour == PairColours::overflow ? block_size : 1;
        }
    }

    /// Gives each colour its blocks, from `block` on; sets `place` to its first lane. Returns the
    /// end.
    static std::int32_t lay_out_colours(Array<ColourRange>& colours, std::int32_t block,
                                        const std::int32_t* count, std::int32_t* place) {
        for (std::uint32_t colour = 0; colour < PairColours::count; ++colour) {
            place[colour] = block * block_size;
            if (count[colour] == 0) continue;
            const bool is_sparse = colour == PairColours::overflow;
            const std::int32_t end =
                block + (is_sparse ? count[colour] : (count[colour] + block_size - 1) / block_size);
            insert_colour(colours, {block, end, PairColours::order_of(colour)});
            block = end;
        }
        return block;
    }

    static void insert_colour(Array<ColourRange>& colours, ColourRange colour) {
        colours.push_back(colour);
        for (std::size_t i = colours.size() - 1; i > 0 && colour.order < colours[i - 1].order;
             --i) {
            colours[i] = colours[i - 1];
            colours[i - 1] = colour;
        }
    }

    /// Writes the pairs of a block, which are the first ones of `members`; the lanes after them
    /// have no pair.
    template <int Width>
    void fill_block(Contacts& contacts, std::int32_t index, const std::int32_t* members,
                    const simd::Record4* forms, const std::int32_t* body_slots) {
        ContactBlock& block = contacts.blocks[index];
        PairBlock& pairs = contacts.pairs[index];
        std::uint32_t from[block_size];
        int count = 0;
        for (int lane = 0; lane < block_size; ++lane) {
            const bool is_member = members[lane] != no_member;
            const std::int32_t i = members[is_member ? lane : 0];
            const Found& pair = found_[i];
            pairs.a[lane] = is_member ? static_cast<std::uint32_t>(pair.a) : 0;
            pairs.b[lane] = is_member ? static_cast<std::uint32_t>(pair.b) : 0;
            block.a[lane] = solver_place(pair.a, body_slots);
            block.b[lane] = solver_place(pair.b, body_slots);
            from[lane] = static_cast<std::uint32_t>(i);
            count += is_member ? 1 : 0;
        }
        for (int lane = 0; lane < block_size; lane += Width) {
            fill_lanes<Width>(contacts, at(index), lane, from + lane, forms);
        }
        for (int lane = count; lane < block_size; ++lane) clear_lane(contacts, at(index), lane);
        write_flags(contacts, at(index), members, count);
    }

    template <int Width>
    void fill_lanes(Contacts& contacts, std::size_t index, int lane, const std::uint32_t* from,
                    const simd::Record4* forms) {
        using Real = simd::Lanes<Width>;
        constexpr int halves_of_pair = 4;
        const auto* records = reinterpret_cast<const simd::Record4*>(found_.data());
        const auto traits = simd::gather<Width, halves_of_pair>(records, from);
        const auto impulse = simd::gather<Width, halves_of_pair>(records + 1, from);
        PairBlock& pairs = contacts.pairs[index];
        ContactBlock& block = contacts.blocks[index];
        traits.z.store(block.friction + lane);
        impulse.x.store(block.normal_impulse + lane);
        impulse.y.store(block.tangent_impulse + lane);

        const auto form_a = gather_slots<Width>(forms, pairs.a + lane);
        const auto form_b = gather_slots<Width>(forms, pairs.b + lane);
        PairForms<Width>::of_bodies(form_a, form_b).store(pairs, lane);
        const Real sum = form_a.w + form_b.w;  // of inverse masses
        (form_a.w / sum).store(block.share_a + lane);
        (form_b.w / sum).store(block.share_b + lane);

        const Real zero = Real::fill(0.0f);
        BounceBlock& bounces = contacts.bounces[index];
        traits.w.store(bounces.restitution + lane);
        zero.store(bounces.rebound + lane);
        zero.store(bounces.impact + lane);
    }

    void write_flags(Contacts& contacts, std::size_t index, const std::int32_t* members,
                     int count) {
        unsigned touching = 0;
        unsigned heirs = 0;
        unsigned has_events = 0;
        for (int lane = 0; lane < count; ++lane) {
            const Found& pair = found_[members[lane]];
            touching |= unsigned{pair.is_touching} << lane;
            heirs |= unsigned{pair.is_heir} << lane;
            has_events |= unsigned{pair.has_events} << lane;
        }
        contacts.touching[index] = static_cast<std::uint8_t>(touching);
        contacts.heirs[index] = static_cast<std::uint8_t>(heirs);
        contacts.has_events[index] = static_cast<std::uint8_t>(has_events);
        contacts.faces_of[index] = Contacts::no_faces;
    }

    /// Appends the data that only few pairs have, for the blocks from `first` on.
    void append_to_lists(Contacts& contacts, std::int32_t first, const simd::Record4* forms) {
        if (!any_special_ && faces_.empty()) return;
        const auto end = static_cast<std::int32_t>(contacts.blocks.size());
        for (std::int32_t lane = 0; lane < (end - first) * block_size; ++lane) {
            if (members_[lane] == no_member) continue;
            const Found& pair = found_[members_[lane]];
            const LanePlace place{first + lane / block_size, lane % block_size};
            if (pair.is_special) contacts.specials.push_back(place);
            if (pair.face == no_face_of) continue;
            contacts.set_face(place, faces_[pair.face]);
            PairBlock& pairs = contacts.pairs[place.block];
            PairForms<1>::at_face(gather_slots<1>(forms, pairs.a + place.lane))
                .store(pairs, place.lane);
        }
        if (!contacts.specials.empty()) contacts.surfaces.resize(contacts.blocks.size());
    }

    /// Makes a lane without a pair: the solver's idle body with itself.
    void clear_lane(Contacts& contacts, std::size_t index, int lane) const {
        ContactBlock& block = contacts.blocks[index];
        block.a[lane] = block.b[lane] = 2 * static_cast<std::uint32_t>(fixed_slot_ + 1);
        block.share_a[lane] = block.share_b[lane] = block.friction[lane] = 0.0f;
        block.normal_impulse[lane] = block.tangent_impulse[lane] = 0.0f;
        contacts.bounces[index].restitution[lane] = 0.0f;
    }

    [[nodiscard]] std::uint32_t solver_place(std::int32_t slot,
                                             const std::int32_t* body_slots) const {
        const bool is_fixed = slot >= ranges_.moving_count;
        return 2 * static_cast<std::uint32_t>(is_fixed ? fixed_slot_ : body_of(slot, body_slots));
    }

    SlotRanges ranges_;
    PairColours colours_;
    std::int32_t fixed_slot_ = 0;
    std::size_t written_ = 0;  // of `found_`
    std::size_t removed_ = 0;  // of those
    int parts_ = 0;
    Array<std::int32_t> places_;     // of written pairs: lane index, counted over all blocks
    Scratch<std::int32_t> order_;    // of pairs to write, highest load first
    Scratch<std::int32_t> members_;  // of each lane to write: its pair, or `no_member`
    Scratch<std::int32_t> lost_;     // pairs to be removed
    Scratch<std::int32_t> shifted_;  // pairs whose second body is immovable and has another slot
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

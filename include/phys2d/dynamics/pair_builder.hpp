// SPDX-License-Identifier: MIT
// PairBuilder: turns the list of pairs into blocks of contacts.
//
// Pairs that carry load get their colours first, then those whose bodies are near each other.
// Solving order: the overflow (pairs that found no colour, so that those of a block may share
// bodies), then pairs of two dynamic bodies, then pairs with an immovable one.
//
// Once each pair has its lane, the blocks are filled one by one, all lanes of a block at once.
#pragma once

#include <utility>

#include <phys2d/core/crew.hpp>
#include <phys2d/dynamics/pair_colours.hpp>
#include <phys2d/dynamics/pair_lanes.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Ranges of bodies. The pairs of a colour come region after region: threads take blocks from both
/// ends, as they take bodies, so each mostly meets those that are in its own cache. Few bodies are
/// one region, where all pairs that carry load share blocks.
class Regions {
public:
    static constexpr std::size_t most = 16;

    explicit Regions(std::int32_t bodies) {
        const std::int32_t last = bodies > 0 ? bodies - 1 : 0;
        while (of(last) >= most) ++bits_;
        count_ = of(last) + 1;
    }
    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] std::size_t of(std::int32_t body) const { return at(body >> bits_); }

private:
    int bits_ = 12;  // of 4,096 bodies at least
    std::size_t count_;
};

class PairBuilder : public PairLanes {
public:
    /// Starts an empty list.
    void begin(SlotRanges ranges) {
        PairLanes::begin(ranges);
        colours_.begin(ranges.dynamic_count);
        parts_ = 0;
    }

    /// The number of appended parts. Each part has its own colours.
    [[nodiscard]] int parts() const { return parts_; }

    /// Assigns colours to the pairs added since the last call and appends them in colour order; the
    /// first call after `begin` replaces the old contents. Pairs within `reach` count as near.
    template <int Width, class Team>
    void write(Contacts& contacts, const NarrowColumns& bodies, const ContactReach& reach,
               BodySlots body_slots, Team& team) {
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
                fill_block<Width>(contacts, first + i, bodies.forms.data(), body_slots);
            }
        });
        contacts.any_restitution = any_restitution_;
        append_to_lists(contacts, first, bodies.forms.data());
        written_ = found_.size();
        contacts.pair_count = pairs_written();
    }

    void list_members(auto& archive) {
        archive(*this, static_cast<PairLanes&>(*this), colours_, parts_, order_);
    }

private:
    static constexpr std::size_t usual_colours = 64;  // of all parts together

    /// Sorts pairs that carry load first, then those that are near, then the rest, so that similar
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

    /// Pairs that are added later start with fresh colours, since their blocks are separate.
    void assign_colours(BodySlots body_slots) {
        colours_.resize(ranges_.dynamic_count);
        for (std::size_t k = 0; written_ > 0 && k < order_.size(); ++k) {
            const Found& pair = found_[order_[k]];
            colours_.forget(body_slots.of(pair.a));
            if (ranges_.is_dynamic(pair.b)) colours_.forget(body_slots.of(pair.b));
        }
        for (const std::int32_t i : order_) {
            Found& pair = found_[i];
            pair.colour = static_cast<std::uint8_t>(take_colour(pair, body_slots));
        }
    }

    std::uint32_t take_colour(const Found& pair, BodySlots body_slots) {
        const std::int32_t a = body_slots.of(pair.a);
        if (pair.face != no_face_of) return colours_.take_face(a);
        if (!ranges_.is_dynamic(pair.b)) return colours_.take_static(a);
        return colours_.take(a, body_slots.of(pair.b));
    }

    /// Makes the blocks, and gives each pair its lane.
    void lay_out(Contacts& contacts) {
        const Regions regions(ranges_.dynamic_count);
        std::int32_t lanes[Regions::most * PairColours::count];  // counted, then the next ones
        for (std::size_t i = 0; i < regions.count() * PairColours::count; ++i) lanes[i] = 0;
        const auto lanes_of = [&](const Found& pair) -> std::int32_t& {
            return lanes[regions.of(pair.a) * PairColours::count + pair.colour];
        };
        for (const std::int32_t i : order_) ++lanes_of(found_[i]);
        const auto first = static_cast<std::int32_t>(contacts.blocks.size());
        const std::int32_t end = lay_out_colours(contacts.colours, first, lanes, regions.count());
        contacts.make_blocks(at(end));
        members_.reserve(contacts.blocks.capacity() * block_size);
        members_.resize_for_overwrite(at(end * block_size));
        for (std::int32_t i = first * block_size; i < end * block_size; ++i)
            members_[i] = no_member;
        places_.reserve(found_.capacity());
        places_.resize_for_overwrite(found_.size());
        for (const std::int32_t i : order_) {
            std::int32_t& next = lanes_of(found_[i]);
            places_[i] = next;
            members_[next] = i;
            ++next;
        }
    }

    /// Gives each colour its blocks, from `block` on. `lanes` has the number of pairs of each
    /// region and colour, and gets the first lane of each. Returns the end.
    static std::int32_t lay_out_colours(Array<ColourRange>& colours, std::int32_t block,
                                        std::int32_t* lanes, std::size_t regions) {
        for (std::uint32_t colour = 0; colour < PairColours::count; ++colour) {
            std::int32_t lane = block * block_size;
            for (std::size_t region = 0; region < regions; ++region) {
                std::int32_t& entry = lanes[region * PairColours::count + colour];
                lane += std::exchange(entry, lane);
            }
            const std::int32_t end = (lane + block_size - 1) / block_size;
            if (end == block) continue;
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

    /// Writes the pairs of a block, which are in its first lanes; those after them have no pair.
    template <int Width>
    void fill_block(Contacts& contacts, std::int32_t index, const simd::Record4* forms,
                    BodySlots body_slots) {
        const std::int32_t* const members = &members_[index * block_size];
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
        for (int lane = count; lane < block_size; ++lane) clear_lane(contacts, index, lane);
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
        Real::fill(0.0f).store(block.separation + lane);
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
        for (std::int32_t lane = first * block_size; lane < end * block_size; ++lane) {
            if (members_[lane] == no_member) continue;
            const Found& pair = found_[members_[lane]];
            const LanePlace place = place_at(lane);
            if (pair.is_special) contacts.specials.push_back(place);
            if (pair.face == no_face_of) continue;
            contacts.set_face(place, faces_[pair.face]);
            PairBlock& pairs = contacts.pairs[place.block];
            PairForms<1>::at_face(gather_slots<1>(forms, pairs.a + place.lane))
                .store(pairs, place.lane);
        }
        if (any_special_) contacts.surfaces.resize(contacts.blocks.size());
    }

    PairColours colours_;
    int parts_ = 0;
    Scratch<std::int32_t> order_;  // of pairs to write, highest load first
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

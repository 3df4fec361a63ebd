// SPDX-License-Identifier: MIT
// PairBuilder: from the pairs that a broad phase finds to blocks of contacts.
//
// Colours are given greedily, first to the pairs that bear load or touch already: each pair gets the
// lowest colour that neither of its bodies has yet. Solving order: the overflow (pairs that found no
// colour, each in a block of its own), then pairs of two dynamic bodies, then pairs with an immovable
// one, which have the last word.
#pragma once

#include <bit>
#include <cstdint>

#include <phys2d/dynamics/contacts.hpp>
#include <phys2d/dynamics/narrow_phase.hpp>

namespace phys2d::detail::inline PHYS2D_ABI {

/// What a pair is made of.
struct PairTraits {
    float friction = 0.0f;
    float restitution = 0.0f;
    bool has_events = true;
    bool is_special = false;  ///< to be looked at in each step: see Contacts::specials
};

class PairBuilder {
public:
    /// Starts an empty list.
    void begin(SlotRanges ranges) {
        ranges_ = ranges;
        found_.start_over();
        found_.reserve(usual_pairs * at(ranges.dynamic_count));
        written_ = 0;
        parts_ = 0;
        first_of_.assign(at(ranges.dynamic_count), -1);
        colours_taken_.assign(at(ranges.dynamic_count), 0);
        static_count_.assign(at(ranges.dynamic_count), 0);
        face_count_.assign(at(ranges.dynamic_count), 0);
        faces_.start_over();
    }

    /// Bodies closer than `reach` [m] count as touching. `body_slots` has, for each moving slot, that of the
    /// body which it moves with; null: each is its own. Pre: slots differ, the lower one is dynamic.
    void add(std::int32_t a, std::int32_t b, const NarrowBody* bodies, float reach,
             const PairTraits& traits, const std::int32_t* body_slots = nullptr) {
        const auto body_of = [&](std::int32_t slot) {
            const bool is_own = body_slots == nullptr || slot >= ranges_.moving_count;
            return is_own ? slot : body_slots[slot];
        };
        const NarrowBody& body_a = bodies[at(a)];
        const NarrowBody& body_b = bodies[at(b)];
        const float inverse_mass_sum = body_a.motion.w + body_b.motion.w;
        std::int32_t& first = first_of_[at(a)];
        found_.push_back({a,
                          b,
                          body_of(a),
                          body_of(b),
                          body_a.motion.w / inverse_mass_sum,
                          body_b.motion.w / inverse_mass_sum,
                          traits,
                          0.0f,
                          0.0f,
                          first,
                          no_face_of,
                          {},
                          0,
                          body_a.motion.z + body_b.motion.z == 0.0f,
                          box_distance(body_a, body_b) < reach,
                          false,
                          false});
        first = static_cast<std::int32_t>(found_.size()) - 1;
    }

    /// The same for a body and a face of terrain; the face is relative to the middle of b's shape.
    void add_face(std::int32_t a, std::int32_t b, const Face& face, const NarrowBody* bodies,
                  float reach, const PairTraits& traits, const std::int32_t* body_slots) {
        add(a, b, bodies, reach, traits, body_slots);
        found_.back().face = static_cast<std::int32_t>(faces_.size());
        const Face placed = translate(face, middle_of(bodies[at(b)]));
        const FaceTouch<1> touch = touch_face(placed, shape_of(bodies[at(a)]), {}, reach, 0.0f);
        found_.back().is_near = touch.is_touched.set;
        faces_.push_back(face);
    }

    /// Puts new faces of terrain in the places of those that a body has: replace(b, face) gives the new one,
    /// or `no_face` where it is gone.
    template <class Replace>
    void replace_faces(std::int32_t a, Contacts& contacts, Replace replace) {
        for (std::int32_t i = first_of_[at(a)]; i >= 0; i = found_[at(i)].next) {
            const Found& pair = found_[at(i)];
            if (pair.face == no_face_of) continue;
            Face& face = faces_[at(pair.face)];
            face = replace(pair.b, face);
            if (at(i) < written_) write_face(pair, contacts);
        }
    }

    /// Whether the pair is in the list.
    [[nodiscard]] bool contains(std::int32_t a, std::int32_t b) { return find(a, b) != nullptr; }

    /// Calls visit(place) for each lane of a pair of slots that has been written. Pre: a < b.
    template <class Visit>
    void for_each_lane_of(std::int32_t a, std::int32_t b, Visit visit) const {
        for (std::int32_t i = first_of_[at(a)]; i >= 0; i = found_[at(i)].next) {
            if (found_[at(i)].b == b && at(i) < written_) visit(found_[at(i)].place);
        }
    }

    /// Gives a pair, in either order, impulses to start from, and whether it touches already. One that does
    /// goes on to be told of or not as it was when it began. Where the face of terrain with the `feature` is
    /// not there any more, another one of the same pair goes on to touch in its place. Returns whether the
    /// pair is in the list.
    bool give_impulses(std::int32_t i, std::int32_t j, std::uint32_t feature, float normal,
                       float tangent, bool is_touching, bool has_events) {
        const std::int32_t a = i < j ? i : j;
        const std::int32_t b = i < j ? j : i;
        Found* same = find(a, b, feature);
        Found* pair = same == nullptr ? find(a, b) : same;
        if (pair == nullptr) return false;
        if (same != nullptr) {
            same->normal_impulse = normal;
            same->tangent_impulse = tangent;
            same->is_given = true;
        }
        if (!is_touching) return true;
        pair->is_touching = true;
        pair->traits.has_events = has_events;
        return true;
    }

    /// Hands what old pairs that exist again know over to the new ones. `slot_now` has, for each body
    /// slot that the old pairs used, its slot now, or -1 where the body is gone. Calls lost(block, lane)
    /// for each pair that touched and is not there any more.
    template <class Lost>
    void take_impulses(const Contacts& old, const std::int32_t* slot_now, Lost lost) {
        for (std::size_t i = 0; i < old.blocks.size(); ++i) {
            const ContactBlock& block = old.blocks[i];
            const PairBlock& pairs = old.pairs[i];
            for (int lane = 0; lane < block_size; ++lane) {
                const auto index = static_cast<std::int32_t>(i);
                const bool touches = has_lane(old.touching, {index, lane});
                if (block.normal_impulse[lane] == 0.0f && !touches) continue;
                const std::int32_t a = slot_now[pairs.a[lane]];
                const std::int32_t b = slot_now[pairs.b[lane]];
                const bool is_found =
                    a >= 0 && b >= 0 &&
                    give_impulses(a, b, old.feature({index, lane}), block.normal_impulse[lane],
                                  block.tangent_impulse[lane], touches,
                                  has_lane(old.has_events, {index, lane}));
                if (touches && !is_found) lost(index, lane);
            }
        }
    }

    /// How many pairs there are.
    [[nodiscard]] std::size_t size() const { return found_.size(); }

    /// How often something was appended. Each time has colours of its own, which are never full.
    [[nodiscard]] int parts() const { return parts_; }

    /// Colours what was added since the last call and appends it in colour order; at the first call after
    /// `begin` in place of what was there.
    void write(Contacts& contacts) {
        if (parts_ == 0) clear(contacts);
        if (parts_ > 0 && written_ == found_.size()) return;
        ++parts_;
        sort_by_load();
        assign_colours();
        std::int32_t place[colour_limit];
        lay_out_colours(contacts, place);
        for (const std::int32_t i : order_) {
            Found& pair = found_[at(i)];
            pair.place = {place[pair.colour] / block_size, place[pair.colour] % block_size};
            write_pair(pair, contacts);
            if (pair.face != no_face_of) write_face(pair, contacts);
            place[pair.colour] += pair.colour == overflow ? block_size : 1;
            contacts.any_restitution |= pair.traits.restitution > 0.0f;
        }
        if (!contacts.specials.empty()) contacts.surfaces.resize(contacts.blocks.size());
        written_ = found_.size();
        contacts.pair_count = static_cast<std::int32_t>(written_);
    }

private:
    static constexpr std::size_t usual_colours = 64;  // of all parts together
    static constexpr std::size_t usual_pairs = 4;     // a body; seldom more
    static constexpr std::uint32_t overflow = 0;
    static constexpr std::uint32_t first_dynamic = 1;
    static constexpr std::uint32_t dynamic_colours = 64;
    static constexpr std::uint32_t first_static = first_dynamic + dynamic_colours;
    static constexpr std::uint32_t static_colours = 32;
    static constexpr std::uint32_t first_face = first_static + static_colours;
    static constexpr std::uint32_t face_colours = 32;
    static constexpr std::uint32_t colour_limit = first_face + face_colours;
    static constexpr std::int32_t no_face_of = -1;

    struct Found {
        std::int32_t a, b;
        std::int32_t body_a, body_b;
        float share_a, share_b;
        PairTraits traits;
        float normal_impulse, tangent_impulse;
        std::int32_t next;  // in the chain of pairs with the same a
        std::int32_t face;  // of `faces_`
        LanePlace place;    // once it is written
        std::uint8_t colour;
        bool are_boxes;
        bool is_near;
        bool is_touching;
        bool is_given;  // what the pair knew before
    };

    /// Between the boxes around two bodies [m]; negative when they overlap.
    [[nodiscard]] static float box_distance(const NarrowBody& a, const NarrowBody& b) {
        const float x = abs(a.place.x - b.place.x) - (a.place.z + b.place.z);
        const float y = abs(a.place.y - b.place.y) - (a.place.w + b.place.w);
        return max(x, y) - (a.motion.z + b.motion.z);
    }

    Found* find(std::int32_t a, std::int32_t b) {
        if (a >= ranges_.dynamic_count) return nullptr;
        std::int32_t i = first_of_[at(a)];
        while (i >= 0 && found_[at(i)].b != b) i = found_[at(i)].next;
        return i < 0 ? nullptr : &found_[at(i)];
    }
    /// The same with a feature, 0 for none; of several alike one that has not been given anything yet.
    Found* find(std::int32_t a, std::int32_t b, std::uint32_t feature) {
        if (feature == 0) return find(a, b);
        if (a >= ranges_.dynamic_count) return nullptr;
        const auto is_it = [&](const Found& pair) {
            return pair.b == b && pair.face != no_face_of && !pair.is_given &&
                   faces_[at(pair.face)].feature == feature;
        };
        std::int32_t i = first_of_[at(a)];
        while (i >= 0 && !is_it(found_[at(i)])) i = found_[at(i)].next;
        return i < 0 ? nullptr : &found_[at(i)];
    }

    static void clear(Contacts& contacts) {
        contacts.blocks.start_over();
        contacts.bounces.start_over();
        contacts.pairs.start_over();
        contacts.lanes.start_over();
        contacts.pushed.start_over();
        contacts.is_deep.start_over();
        contacts.are_boxes.start_over();
        contacts.faces_of.start_over();
        contacts.faces.start_over();
        contacts.touching.start_over();
        contacts.has_events.start_over();
        contacts.specials.start_over();
        contacts.surfaces.start_over();
        contacts.colours.clear();
        contacts.colours.reserve(usual_colours);
        contacts.active_colours.reserve(usual_colours);
        contacts.any_restitution = false;
    }

    /// Pairs that bear load come first, then those that touch, then the rest: what is solved alike shares
    /// blocks.
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

    /// Colours are new for what is added later: its runs of blocks are its own.
    void assign_colours() {
        for (const std::int32_t i : order_) {
            const Found& pair = found_[at(i)];
            colours_taken_[at(pair.body_a)] = 0;
            static_count_[at(pair.body_a)] = face_count_[at(pair.body_a)] = 0;
            if (pair.b < ranges_.dynamic_count) colours_taken_[at(pair.body_b)] = 0;
        }
        for (const std::int32_t i : order_) found_[at(i)].colour = colour_of(found_[at(i)]);
    }

    /// A pair with an immovable body only has to avoid the colours of the other one, which is counting.
    std::uint8_t colour_of(const Found& pair) {
        if (pair.face != no_face_of) {
            const std::uint32_t colour = face_count_[at(pair.body_a)]++;
            return static_cast<std::uint8_t>(colour < face_colours ? first_face + colour
                                                                   : overflow);
        }
        if (pair.b >= ranges_.dynamic_count) {
            const std::uint32_t colour = static_count_[at(pair.body_a)]++;
            return static_cast<std::uint8_t>(colour < static_colours ? first_static + colour
                                                                     : overflow);
        }
        std::uint64_t& taken_a = colours_taken_[at(pair.body_a)];
        std::uint64_t& taken_b = colours_taken_[at(pair.body_b)];
        const auto colour = static_cast<unsigned>(std::countr_one(taken_a | taken_b));
        if (colour == dynamic_colours) return overflow;
        taken_a |= std::uint64_t{1} << colour;
        taken_b |= std::uint64_t{1} << colour;
        return static_cast<std::uint8_t>(first_dynamic + colour);
    }

    /// Makes the blocks; `place` gets the first lane of each colour.
    void lay_out_colours(Contacts& contacts, std::int32_t* place) const {
        std::int32_t count[colour_limit] = {};
        for (const std::int32_t i : order_) ++count[found_[at(i)].colour];
        const auto first = static_cast<std::int32_t>(contacts.blocks.size());
        std::int32_t block = first;
        for (std::uint32_t colour = 0; colour < colour_limit; ++colour) {
            place[colour] = block * block_size;
            if (count[colour] == 0) continue;
            const std::int32_t end =
                block + (colour == overflow ? count[colour]
                                            : (count[colour] + block_size - 1) / block_size);
            insert_colour(contacts.colours, {block, end, order_of(colour)});
            block = end;
        }
        contacts.blocks.resize_for_overwrite(at(block));
        contacts.bounces.resize_for_overwrite(at(block));
        contacts.pairs.resize_for_overwrite(at(block));
        contacts.lanes.resize_for_overwrite(at(block));
        contacts.pushed.resize(at(block));
        contacts.is_deep.resize_for_overwrite(at(block));
        contacts.are_boxes.resize_for_overwrite(at(block));
        contacts.faces_of.resize_for_overwrite(at(block));
        contacts.touching.resize(at(block));
        contacts.has_events.resize(at(block));
        for (std::size_t i = at(first); i < at(block); ++i) {
            contacts.are_boxes[i] = true;
            contacts.faces_of[i] = Contacts::no_faces;
        }
        for (const ColourRange& colour : contacts.colours) {
            if (colour.begin < first) continue;
            const bool is_sparse = colour.order == SolvingOrder::Overflow;
            for (std::int32_t i = is_sparse ? colour.begin : colour.end - 1; i < colour.end; ++i) {
                clear_block(contacts, i);
            }
        }
    }

    [[nodiscard]] static SolvingOrder order_of(std::uint32_t colour) {
        if (colour == overflow) return SolvingOrder::Overflow;
        return colour < first_static ? SolvingOrder::Dynamic : SolvingOrder::Immovable;
    }

    static void insert_colour(Array<ColourRange>& colours, ColourRange colour) {
        colours.push_back(colour);
        for (std::size_t i = colours.size() - 1; i > 0 && colour.order < colours[i - 1].order;
             --i) {
            colours[i] = colours[i - 1];
            colours[i - 1] = colour;
        }
    }

    /// Lanes that stay without a pair: the solver's fixed body with itself.
    void clear_block(Contacts& contacts, std::int32_t index) const {
        ContactBlock& block = contacts.blocks[at(index)] = {};
        contacts.bounces[at(index)] = {};
        contacts.pairs[at(index)] = {};
        for (int lane = 0; lane < block_size; ++lane) {
            block.a[lane] = block.b[lane] = solver_place(ranges_.fixed_slot());
        }
    }

    [[nodiscard]] static std::uint32_t solver_place(std::int32_t slot) {
        return 2 * static_cast<std::uint32_t>(slot);
    }

    /// Its lane gets the face; a block without faces gets room for eight.
    void write_face(const Found& pair, Contacts& contacts) const {
        std::int32_t& place = contacts.faces_of[at(pair.place.block)];
        if (place == Contacts::no_faces) {
            place = static_cast<std::int32_t>(contacts.faces.size());
            contacts.faces.push_back({});
            for (int lane = 0; lane < block_size; ++lane) contacts.faces.back().set(lane, no_face);
        }
        contacts.faces[at(place)].set(pair.place.lane, faces_[at(pair.face)]);
    }

    void write_pair(const Found& pair, Contacts& contacts) const {
        const std::size_t index = at(pair.place.block);
        const int lane = pair.place.lane;
        ContactBlock& block = contacts.blocks[index];
        block.a[lane] = solver_place(pair.body_a);
        block.b[lane] =
            solver_place(pair.b < ranges_.fixed_slot() ? pair.body_b : ranges_.fixed_slot());
        block.share_a[lane] = pair.share_a;
        block.share_b[lane] = pair.share_b;
        block.friction[lane] = pair.traits.friction;
        block.normal_impulse[lane] = pair.normal_impulse;
        block.tangent_impulse[lane] = pair.tangent_impulse;
        BounceBlock& bounces = contacts.bounces[index];
        bounces.restitution[lane] = pair.traits.restitution;
        bounces.rebound[lane] = bounces.impact[lane] = 0.0f;
        contacts.pairs[index].a[lane] = static_cast<std::uint32_t>(pair.a);
        contacts.pairs[index].b[lane] = static_cast<std::uint32_t>(pair.b);
        contacts.are_boxes[index] = contacts.are_boxes[index] && pair.are_boxes;
        contacts.touching[index] |= static_cast<std::uint8_t>(int{pair.is_touching} << lane);
        contacts.has_events[index] |=
            static_cast<std::uint8_t>(int{pair.traits.has_events} << lane);
        if (pair.traits.is_special) contacts.specials.push_back(pair.place);
    }

    SlotRanges ranges_;
    Array<Found> found_;
    std::size_t written_ = 0;  // of `found_`
    int parts_ = 0;
    Array<std::int32_t> order_;           // of what is to be written, most loaded first
    Array<std::int32_t> first_of_;        // per dynamic body: its newest pair
    Array<std::uint64_t> colours_taken_;  // per dynamic body: a bit a colour
    Array<std::uint32_t> static_count_;   // per dynamic body
    Array<std::uint32_t> face_count_;     // per dynamic body
    Array<Face> faces_;                   // of the pairs with terrain
};

}  // namespace phys2d::detail::inline PHYS2D_ABI

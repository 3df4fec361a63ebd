// SPDX-License-Identifier: MIT
// ContactPairs: which bodies may touch, in the order in which they can be solved side by side.
//
// A pair lives as long as the fattened boxes of its bodies overlap and remembers the impulses of its
// last contact, so that solving starts from them. Pairs are coloured: within a colour no moving body
// appears twice, so that contacts of one colour are independent and any number of them can be solved
// at once with the same result. [Rapier; Box2D v3: graph colouring]
//
// Data: columns in colour order, 28 bytes a pair: two body slots, the solver slot of b, mixed friction
// and restitution, two impulses. Solving order: the overflow (pairs that found no colour, one by one),
// then pairs of two dynamic bodies, then pairs with an immovable one, which have the last word.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>

#include <phys2d/core/array.hpp>
#include <phys2d/dynamics/material.hpp>

namespace phys2d::detail::inline PHYS2D_ABI {

/// A run of pairs or contacts that share a colour.
struct ColourRange {
    std::int32_t begin = 0;
    std::int32_t end = 0;
    bool independent = true;  ///< false for the overflow: to be solved in order, one by one
};

/// How bodies take part: slots below `dynamic_count` respond to impulses, those below `moving_count`
/// move, the rest is static and shares the solver slot `moving_count`.
struct SlotRanges {
    std::int32_t dynamic_count = 0;
    std::int32_t moving_count = 0;
};

/// Columns in colour order.
struct ContactPairs {
    Array<std::int32_t> a;         ///< lower slot: always a dynamic body
    Array<std::int32_t> b;         ///< higher slot
    Array<std::int32_t> solver_b;  ///< where the solver keeps b
    Array<float> friction;
    Array<float> restitution;
    Array<float> normal_impulse;   ///< over reduced mass [m/s]
    Array<float> tangent_impulse;  ///< over reduced mass [m/s]
    Array<ColourRange> colours;
    std::int32_t count = 0;
    bool any_restitution = false;

    static constexpr std::size_t slack =
        8;  ///< the last batch of lanes may read so far past the end

    /// For so many pairs and the slack behind them.
    void make_room(std::size_t capacity) {
        for (Array<std::int32_t>* column : {&a, &b, &solver_b}) {
            column->make_room(capacity + slack);
        }
        for (Array<float>* column : {&friction, &restitution, &normal_impulse, &tangent_impulse}) {
            column->make_room(capacity + slack);
        }
    }
};

/// Collects the pairs of a broad phase and turns them into ContactPairs.
class PairBuilder {
public:
    /// Starts an empty list.
    void begin(SlotRanges ranges) {
        ranges_ = ranges;
        found_.clear();
        const auto dynamic_count = at(ranges.dynamic_count);
        first_of_.assign(dynamic_count, -1);
    }

    /// Pre: slots differ, and the lower one is dynamic.
    void add(std::int32_t a, std::int32_t b, float friction, float restitution) {
        std::int32_t& first = first_of_[at(a)];
        found_.push_back({a, b, friction, restitution, 0.0f, 0.0f, first, 0});
        first = static_cast<std::int32_t>(found_.size()) - 1;
    }

    /// Hands the impulses of old pairs that exist again over to the new ones. `slot_now` has, for each
    /// body slot that the old pairs used, its slot now, or -1 where the body is gone.
    void take_impulses(const ContactPairs& old, const std::int32_t* slot_now) {
        for (std::size_t i = 0; i < at(old.count); ++i) {
            if (old.normal_impulse[i] == 0.0f) continue;
            const std::int32_t a = slot_now[at(old.a[i])];
            const std::int32_t b = slot_now[at(old.b[i])];
            if (a < 0 || b < 0) continue;
            Found* pair = find(a < b ? a : b, a < b ? b : a);
            if (pair == nullptr) continue;
            pair->normal_impulse = old.normal_impulse[i];
            pair->tangent_impulse = old.tangent_impulse[i];
        }
    }

    /// Colours what was found and writes it out in colour order.
    void finish(ContactPairs& pairs) {
        assign_colours();
        std::int32_t place[colour_limit];
        lay_out_colours(pairs.colours, place);
        pairs.make_room(found_.size());
        pairs.count = static_cast<std::int32_t>(found_.size());
        for (std::size_t i = found_.size(); i < found_.size() + ContactPairs::slack; ++i) {
            pairs.a[i] = pairs.b[i] = pairs.solver_b[i] = 0;
        }
        pairs.any_restitution = false;
        for (const Found& pair : found_) {
            const auto i = at(place[pair.colour]++);
            pairs.a[i] = pair.a;
            pairs.b[i] = pair.b;
            pairs.solver_b[i] = pair.b < ranges_.moving_count ? pair.b : ranges_.moving_count;
            pairs.friction[i] = pair.friction;
            pairs.restitution[i] = pair.restitution;
            pairs.normal_impulse[i] = pair.normal_impulse;
            pairs.tangent_impulse[i] = pair.tangent_impulse;
            pairs.any_restitution |= pair.restitution > 0.0f;
        }
    }

private:
    static constexpr std::uint32_t overflow = 0;
    static constexpr std::uint32_t first_dynamic = 1;
    static constexpr std::uint32_t dynamic_colours = 64;
    static constexpr std::uint32_t first_static = first_dynamic + dynamic_colours;
    static constexpr std::uint32_t static_colours = 32;
    static constexpr std::uint32_t colour_limit = first_static + static_colours;

    struct Found {
        std::int32_t a, b;
        float friction, restitution;
        float normal_impulse, tangent_impulse;
        std::int32_t next;  // in the chain of pairs with the same a
        std::uint32_t colour;
    };

    Found* find(std::int32_t a, std::int32_t b) {
        if (a >= ranges_.dynamic_count) return nullptr;
        std::int32_t i = first_of_[at(a)];
        while (i >= 0 && found_[at(i)].b != b) {
            i = found_[at(i)].next;
        }
        return i < 0 ? nullptr : &found_[at(i)];
    }

    /// Greedy: the lowest colour that neither body has yet. A pair with an immovable body only has to
    /// avoid the colours of the other one, which is counting.
    void assign_colours() {
        const auto dynamic_count = at(ranges_.dynamic_count);
        colours_taken_.assign(dynamic_count, 0);
        static_count_.assign(dynamic_count, 0);
        for (Found& pair : found_) {
            const auto a = at(pair.a);
            if (pair.b >= ranges_.dynamic_count) {
                const std::uint32_t colour = static_count_[a]++;
                pair.colour = colour < static_colours ? first_static + colour : overflow;
                continue;
            }
            std::uint64_t& taken_a = colours_taken_[a];
            std::uint64_t& taken_b = colours_taken_[at(pair.b)];
            const int colour = std::countr_one(taken_a | taken_b);
            pair.colour = overflow;
            if (colour == dynamic_colours) continue;
            pair.colour = first_dynamic + static_cast<std::uint32_t>(colour);
            taken_a |= std::uint64_t{1} << colour;
            taken_b |= std::uint64_t{1} << colour;
        }
    }

    void lay_out_colours(Array<ColourRange>& colours, std::int32_t* place) const {
        std::int32_t count[colour_limit] = {};
        for (const Found& pair : found_) ++count[pair.colour];
        colours.clear();
        std::int32_t sum = 0;
        for (std::uint32_t colour = 0; colour < colour_limit; ++colour) {
            place[colour] = sum;
            if (count[colour] > 0) {
                colours.push_back({sum, sum + count[colour], colour != overflow});
            }
            sum += count[colour];
        }
    }

    SlotRanges ranges_;
    Array<Found> found_;
    Array<std::int32_t> first_of_;        // per dynamic body: its newest pair
    Array<std::uint64_t> colours_taken_;  // per dynamic body: a bit a colour
    Array<std::uint32_t> static_count_;   // per dynamic body
};

}  // namespace phys2d::detail::inline PHYS2D_ABI

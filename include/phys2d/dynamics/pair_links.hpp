// SPDX-License-Identifier: MIT
// PairLinks: which pair of a list is that of two given bodies?
//
// The pairs of each dynamic body form a chain, newest first, so a pair of two dynamic bodies is in
// two chains and is searched for in the shorter one: either body may touch a thousand others. A
// link is eight bytes, so a chain takes few cache lines, independent of the size of a pair. Where
// both chains are long, as in a crowd, a hash table knows the newest pair of two bodies.
#pragma once

#include <bit>
#include <cstdint>

#include <phys2d/core/function_ref.hpp>
#include <phys2d/dynamics/slot_moves.hpp>
#include <phys2d/math/scalar.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class PairLinks {
public:
    static constexpr std::int32_t none = -1;

    /// Starts an empty list. Slots below `dynamic_count` are those of dynamic bodies.
    void begin(std::int32_t dynamic_count, std::size_t usual_pairs) {
        chains_.assign(at(dynamic_count), {});
        links_.start_over();
        links_.reserve(2 * usual_pairs);
    }

    /// Lets `find_by_index` find pairs at once where chains are long, until `drop_index`. Meanwhile
    /// none may come, go, or get other slots.
    void index_long_chains() {
        std::size_t way = 0;  // to all pairs, along the chains
        for (const Chain& chain : chains_) way += at(chain.length) * at(chain.length);
        if (way <= long_chain * links_.size()) return;
        newest_.assign(std::bit_ceil(2 * links_.size()), none);
        const auto end = static_cast<std::int32_t>(links_.size());
        for (std::int32_t i = 0; i < end; i += 2) newest_[place_of(key_of_link(i))] = i;
    }
    void drop_index() { newest_.clear(); }

    /// Appends the next pair of the list. Pre: slots differ, a is dynamic.
    void add(std::int32_t a, std::int32_t b) {
        const auto link = static_cast<std::int32_t>(links_.size());
        links_.push_back({b, begin_chain(a, link)});
        links_.push_back({a, is_dynamic(b) ? begin_chain(b, link + 1) : none});
    }

    /// Whether a slot is that of a dynamic body. Slots are compared as unsigned numbers: `no_slot`
    /// is none.
    [[nodiscard]] bool is_dynamic(std::int32_t slot) const { return at(slot) < chains_.size(); }

    /// Calls visit(pair) for the index of each pair of a dynamic body, newest first; does nothing
    /// for other slots.
    void for_each_of(std::int32_t body, auto visit) const { (void)any_of(body, visiting(visit)); }

    /// Whether test(pair) is true for any pair of a dynamic body, newest first.
    [[nodiscard]] bool any_of(std::int32_t body, auto test) const {
        if (!is_dynamic(body)) return false;
        std::int32_t i = chains_[body].newest;
        while (i != none && !test(i / 2)) i = links_[i].before;
        return i != none;
    }

    /// The newest pair of two slots for which test(pair) is true; `none` if there is none.
    /// Pre: a is dynamic if b is.
    [[nodiscard]] std::int32_t find(std::int32_t a, std::int32_t b, auto test) const {
        return is_dynamic(a) ? first_on(shorter_chain(a, b), test) : none;
    }
    /// The same, at once after `index_long_chains`.
    [[nodiscard]] std::int32_t find_by_index(std::int32_t a, std::int32_t b, auto test) const {
        return newest_.empty() ? find(a, b, test) : first_on(chain_from_newest(a, b), test);
    }

    /// The slots of a pair.
    [[nodiscard]] std::int32_t first_of(std::int32_t pair) const {
        return links_[2 * pair + 1].other;
    }
    [[nodiscard]] std::int32_t second_of(std::int32_t pair) const { return links_[2 * pair].other; }

    /// Takes the pairs for which test(pair) is true out of the chain of a dynamic body.
    void remove_if(std::int32_t body, auto test) {
        Chain& chain = chains_[body];
        std::int32_t* next = &chain.newest;
        while (*next != none) {
            Link& link = links_[*next];
            if (test(*next / 2)) {
                *next = link.before;
                --chain.length;
            } else {
                next = &link.before;
            }
        }
    }

    /// Gives the second body of a pair another slot. Pre: it is not dynamic.
    void rename_second(std::int32_t pair, std::int32_t slot) { links_[2 * pair].other = slot; }

    /// Makes room for so many dynamic bodies.
    void make_room(std::int32_t dynamic_count) { chains_.reserve_twice(at(dynamic_count)); }

    /// Follows the dynamic bodies into other slots. No pair of one that is gone may be in the chain
    /// of one that is not.
    void follow(SlotMoves& moves, std::int32_t dynamic_count) {
        for (const auto [from, to] : moves.moved) {
            if (!is_dynamic(from)) continue;
            for (std::int32_t i = chains_[from].newest; i != none; i = links_[i].before) {
                links_[twin(i)].other = to;
            }
        }
        moves.apply(chains_, dynamic_count, {});
    }

    void list_members(auto& archive) { archive(*this, chains_, links_, newest_); }

private:
    struct Link {
        std::int32_t other;
        std::int32_t before;  // next in its chain, or `none`
    };
    struct Chain {
        std::int32_t newest = none;
        std::int32_t length = 0;
    };
    /// The links of a chain from one on, of which some lead to a body.
    struct Trail {
        std::int32_t link;
        std::int32_t other;
    };

    /// Links that are followed to a pair, on average, before a table of them is worth its while.
    static constexpr std::size_t long_chain = 32;

    /// Puts a link at the head of a body's chain; returns the former head.
    std::int32_t begin_chain(std::int32_t body, std::int32_t link) {
        Chain& chain = chains_[body];
        const std::int32_t before = chain.newest;
        chain = {link, chain.length + 1};
        return before;
    }

    /// The first pair on a trail that leads to the body and passes a test.
    [[nodiscard]] std::int32_t first_on(Trail trail, auto test) const {
        std::int32_t i = trail.link;
        while (i != none && !(links_[i].other == trail.other && test(i / 2))) {
            i = links_[i].before;
        }
        return i == none ? none : i / 2;
    }
    [[nodiscard]] Trail shorter_chain(std::int32_t a, std::int32_t b) const {
        const bool b_has_fewer = is_dynamic(b) && chains_[b].length < chains_[a].length;
        return b_has_fewer ? Trail{chains_[b].newest, a} : Trail{chains_[a].newest, b};
    }
    /// The chain of the first body of a pair, from the newest pair with the second one on.
    [[nodiscard]] Trail chain_from_newest(std::int32_t a, std::int32_t b) const {
        const std::int32_t link = newest_[place_of(key_of(a, b))];
        return {link, link == none ? none : links_[link].other};
    }

    /// The link of the other body of a pair.
    [[nodiscard]] static constexpr std::int32_t twin(std::int32_t link) { return link ^ 1; }

    /// Of two bodies in either order.
    [[nodiscard]] static std::uint64_t key_of(std::int32_t a, std::int32_t b) {
        return at(larger_of(a, b)) * (std::uint64_t{1} << 32) + at(smaller_of(a, b));
    }
    [[nodiscard]] std::uint64_t key_of_link(std::int32_t link) const {
        return key_of(links_[twin(link)].other, links_[link].other);
    }
    /// Where the table has two bodies, or will have them. [Knuth1998 §6.4]
    [[nodiscard]] std::size_t place_of(std::uint64_t key) const {
        constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
        const std::size_t last = newest_.size() - 1;
        auto place = static_cast<std::size_t>(key * odd >> 32) & last;
        while (newest_[place] != none && key_of_link(newest_[place]) != key) {
            place = (place + 1) & last;
        }
        return place;
    }

    Array<Chain> chains_;           // per dynamic body
    Array<Link> links_;             // two per pair: in the chains of its first and second body
    Scratch<std::int32_t> newest_;  // hash table of the first of these links; empty: use chains
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

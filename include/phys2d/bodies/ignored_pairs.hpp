// SPDX-License-Identifier: MIT
// IgnoredPairs: which bodies or colliders ignore each other, permanently or until apart?
#pragma once

#include <phys2d/core/array.hpp>
#include <phys2d/core/ids.hpp>
#include <phys2d/core/index_set.hpp>
#include <phys2d/core/partition_point.hpp>
#include <phys2d/math/vec2.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Two bodies or colliders that pass through each other.
template <class Id>
struct IgnoredPair {
    Id a;  ///< the one with the lower index
    Id b;
    bool until_apart;
    Vec2 offset{};         ///< from a to b when it began [m], where that matters
    bool is_over = false;  ///< is to be dropped
};

/// A sorted list. Pairs that are erased stay in it until the next `remove_if`, so that erasing many
/// one after the other does not move the others each time.
template <class Id>
class IgnoredPairs {
public:
    /// False also for what is erased and still in the list.
    [[nodiscard]] bool empty() const { return pairs_.empty(); }

    [[nodiscard]] bool contains(Id a, Id b) const {
        const std::size_t place = place_of(a, b);
        return is_at(place, a, b) && !pairs_[place].is_over;
    }
    /// Whether some pair may have one of these; a quick answer, true also for some that have been.
    [[nodiscard]] bool may_have(Id id) const { return members_.contains(id.index); }

    /// A pair that is already in the list is ignored for the longer of both times. `offset`: from a
    /// to b.
    void insert(Id a, Id b, bool until_apart, Vec2 offset = {}) {
        drop_forgotten();
        const std::size_t place = place_of(a, b);
        const IgnoredPair<Id> pair = a.index < b.index
                                         ? IgnoredPair<Id>{a, b, until_apart, offset}
                                         : IgnoredPair<Id>{b, a, until_apart, -offset};
        if (!is_at(place, a, b)) {
            for (const Id id : {a, b}) members_.add(id.index);
            pairs_.push_back({});
            for (std::size_t i = pairs_.size() - 1; i > place; --i) pairs_[i] = pairs_[i - 1];
            pairs_[place] = pair;
        } else if (pairs_[place].is_over) {
            pairs_[place] = pair;
        } else {
            pairs_[place].until_apart = pairs_[place].until_apart && until_apart;
        }
    }

    /// Calls visit(pair) for each.
    void for_each(auto visit) {
        drop_forgotten();
        for (const IgnoredPair<Id>& pair : pairs_) {
            if (!pair.is_over) visit(pair);
        }
    }

    /// Removes the pairs for which is_over(pair), asked while all are in the list.
    void remove_if(auto is_over) {
        drop_forgotten();
        for (IgnoredPair<Id>& pair : pairs_) pair.is_over = pair.is_over || is_over(pair);
        pairs_.remove_if([](const IgnoredPair<Id>& pair) { return pair.is_over; });
        if (pairs_.empty()) members_.clear();
    }

    /// Removes one pair; returns whether it was there.
    bool erase(Id a, Id b) {
        if (!contains(a, b)) return false;
        pairs_[place_of(a, b)].is_over = true;
        return true;
    }

    /// A body or collider is gone.
    void forget(Id id) {
        if (!pairs_.empty()) forgotten_.add(id.index);
    }

    void list_members(auto& archive) { archive(*this, pairs_, members_, forgotten_); }

private:
    /// Drops the pairs of what is gone, all at once. Until then they match no living pair, since
    /// indices that are used again have other generations.
    void drop_forgotten() {
        if (forgotten_.empty()) return;
        pairs_.remove_if([&](const IgnoredPair<Id>& pair) {
            return forgotten_.contains(pair.a.index) || forgotten_.contains(pair.b.index);
        });
        forgotten_.clear();
    }

    [[nodiscard]] static bool is_of(const IgnoredPair<Id>& pair, Id a, Id b) {
        return (pair.a == a && pair.b == b) || (pair.a == b && pair.b == a);
    }
    [[nodiscard]] bool is_at(std::size_t place, Id a, Id b) const {
        return place < pairs_.size() && is_of(pairs_[place], a, b);
    }

    [[nodiscard]] static std::uint64_t key(Id a, Id b) {
        const bool in_order = a.index < b.index;
        return std::uint64_t{in_order ? a.index : b.index} << 32 | (in_order ? b.index : a.index);
    }

    /// The index of a pair, or where it belongs: the first one whose key is not lower.
    [[nodiscard]] std::size_t place_of(Id a, Id b) const {
        return partition_point(std::size_t{0}, pairs_.size(), [&](std::size_t i) {
            return key(pairs_[i].a, pairs_[i].b) < key(a, b);
        });
    }

    Array<IgnoredPair<Id>> pairs_;  // some of what is gone
    IndexSet members_;              // who has been in a pair since there was none
    IndexSet forgotten_;            // what is gone: indices that no pair added since has
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

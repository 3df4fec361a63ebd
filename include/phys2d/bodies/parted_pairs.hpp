// SPDX-License-Identifier: MIT
// PartedPairs: a list of the pairs that stopped touching, each once.
//
// A pair with terrain has a contact for each face, but ends once. The listed pairs of each first
// body form a chain, so that finding one does not depend on how many there are.
#pragma once

#include <phys2d/bodies/events.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

struct PartedPair {
    ColliderPair pair;
    bool has_events;      ///< whether its end is an event
    std::int32_t before;  ///< 1 + the place of that before it in its chain, or 0
};

class PartedPairs {
public:
    /// Reserves memory for a number of pairs of ids with indices below `ids`.
    void make_room(std::size_t pairs, std::size_t ids) {
        pairs_.reserve(pairs);
        if (ids > newest_.size()) newest_.resize(ids);
    }

    /// Lists a pair unless it is listed already.
    void add(const ColliderPair& pair, bool has_events) {
        if (!is_listed(pair)) add_new(pair, has_events);
    }
    /// Lists a pair that is not listed yet. In a crowd a body may have thousands.
    void add_new(const ColliderPair& pair, bool has_events) {
        newest_.grow_to_hold(pair.a.index);
        std::int32_t& newest = newest_[pair.a.index];
        pairs_.push_back({pair, has_events, newest});
        newest = static_cast<std::int32_t>(pairs_.size());
    }

    /// In the order in which they were added.
    [[nodiscard]] Span<const PartedPair> all() const { return pairs_; }

    void clear() {
        for (const PartedPair& parted : pairs_) newest_[parted.pair.a.index] = 0;
        pairs_.clear();
    }

    void list_members(auto& archive) { archive(*this, pairs_, newest_); }

private:
    [[nodiscard]] bool is_listed(const ColliderPair& pair) const {
        if (pair.a.index >= newest_.size()) return false;
        std::int32_t i = newest_[pair.a.index];
        while (i != 0 && pairs_[i - 1].pair != pair) i = pairs_[i - 1].before;
        return i != 0;
    }

    Array<PartedPair> pairs_;
    Array<std::int32_t> newest_;  // per first index: 1 + the place of the last of its chain, or 0
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

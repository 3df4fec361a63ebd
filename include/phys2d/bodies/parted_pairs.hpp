// SPDX-License-Identifier: MIT
// PartedPairs: a list of the pairs that stopped touching, each once.
//
// A pair with terrain has a contact for each face, but ends once.
#pragma once

#include <phys2d/bodies/events.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

struct PartedPair {
    ColliderPair pair;
    bool has_events;  ///< whether its end is an event
};

/// The index of a record is that of the first body.
class PartedPairs : public ChainedList<PartedPair> {
public:
    /// Lists a pair unless it is listed already.
    void add(const ColliderPair& pair, bool has_events) {
        const auto is_it = [&](const PartedPair& parted) { return parted.pair == pair; };
        if (find(pair.a.index, is_it) == nullptr) add_new(pair, has_events);
    }
    /// Lists a pair that is not listed yet. In a crowd a body may have thousands.
    void add_new(const ColliderPair& pair, bool has_events) {
        ChainedList::add(pair.a.index, {pair, has_events});
    }
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

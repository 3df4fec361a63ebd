// SPDX-License-Identifier: MIT
// Disturbances: what has changed among the bodies that do not move?
// Whoever remembers something of resting bodies needs to look again only at those that were
// disturbed.
#pragma once

#include <phys2d/collision/overlap.hpp>
#include <phys2d/core/index_set.hpp>
#include <phys2d/core/span.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Boxes in which something has changed; if they are many, the last one is around the rest.
class ChangedBoxes {
public:
    void add(const AABB& box) {
        if (boxes_.size() == most) {
            boxes_[most - 1] = merge(boxes_[most - 1], box);
        } else {
            boxes_.push_back(box);
        }
    }
    void clear() { boxes_.clear(); }
    /// The world has another origin: everything is moved by `way`.
    void shift(Vec2 way) {
        for (AABB& box : boxes_) box = translate(box, way);
    }

    [[nodiscard]] bool empty() const { return boxes_.empty(); }
    /// Whether the last one may be around many.
    [[nodiscard]] bool are_many() const { return boxes_.size() == most; }
    [[nodiscard]] Span<const AABB> all() const { return boxes_; }
    [[nodiscard]] bool meet(const AABB& box) const {
        for (const AABB& changed : boxes_) {
            if (overlaps(changed, box)) return true;
        }
        return false;
    }

    void list_members(auto& archive) { archive(*this, boxes_); }

private:
    static constexpr std::size_t most = 64;

    Array<AABB> boxes_;
};

/// What has changed since it was last cleared.
struct Disturbances {
    ChangedBoxes boxes;  ///< of static colliders and terrain that have come, gone or changed
    IndexSet colliders;  ///< those, and what has fallen asleep: indices of the ids

    void clear() {
        boxes.clear();
        colliders.clear();
    }

    void list_members(auto& archive) { archive(*this, boxes, colliders); }
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

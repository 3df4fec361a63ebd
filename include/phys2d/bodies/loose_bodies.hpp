// SPDX-License-Identifier: MIT
// LooseBodies: which moving bodies have left the boxes that the grid of moving bodies knows?
// They are few, and in a grid of their own, which is filled anew whenever there are more.
#pragma once

#include <phys2d/bodies/bodies.hpp>
#include <phys2d/collision/row_grid.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class LooseBodies {
public:
    /// Makes no body loose; reserves room for `most`, of `id_count` ids.
    void start_over(std::size_t id_count, std::size_t most) {
        for (const ColliderId id : ids_) places_[id.index] = not_loose;
        ids_.clear();
        ids_.reserve(most);
        boxes_.clear();
        boxes_.reserve(most);
        grid_.reserve(most);
        grid_.build(boxes_);
        if (id_count > 0) places_.grow_to_hold(id_count - 1);
    }

    /// Makes a body loose, if it is not yet, with a box.
    void put(ColliderId id, const AABB& box) {
        places_.grow_to_hold(id.index);
        std::int32_t& place = places_[id.index];
        if (place == not_loose) {
            ids_.push_back(id);
            boxes_.push_back(box);
            place = static_cast<std::int32_t>(ids_.size());
        }
        ids_[place - 1] = id;  // one that is gone may have had the index
        boxes_[place - 1] = box;
    }

    /// Fills the grid with all of them.
    void sort() { grid_.build(boxes_); }

    [[nodiscard]] std::size_t size() const { return ids_.size(); }
    [[nodiscard]] bool contains(ColliderId id) const {
        return !ids_.empty() && places_[id.index] != not_loose;
    }
    /// Pre: it is loose.
    [[nodiscard]] const AABB& box_of(ColliderId id) const { return boxes_[places_[id.index] - 1]; }

    [[nodiscard]] const RowGrid& grid() const { return grid_; }
    /// The present slot of the body at a place in the grid; `no_slot` if it was destroyed.
    [[nodiscard]] std::int32_t slot_of(const Bodies& bodies, std::int32_t place) const {
        return bodies.slots.slot_of(ids_[place]);
    }

    void list_members(auto& archive) { archive(*this, ids_, boxes_, places_, grid_); }

private:
    static constexpr std::int32_t not_loose = 0;

    Array<ColliderId> ids_;  // some may have been destroyed since
    Array<AABB> boxes_;
    Array<std::int32_t> places_;  // per id index: 1 + its place in these, or `not_loose`
    RowGrid grid_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

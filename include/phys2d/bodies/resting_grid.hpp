// SPDX-License-Identifier: MIT
// RestingGrid: where are the bodies that do not move?
// It is rebuilt only when such a body is created, destroyed or changed, and knows them by the
// indices of their ids, which stay when slots change.
#pragma once

#include <phys2d/bodies/terrain_faces.hpp>
#include <phys2d/collision/row_grid.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class RestingGrid {
public:
    /// Makes it hold the bodies of slots [begin, end).
    void build(const Bodies& bodies, std::int32_t begin, std::int32_t end) {
        forget_all();
        for (std::int32_t slot = begin; slot < end; ++slot) add(bodies, slot);
        grid_.build(boxes_);
    }
    /// Makes it hold the bodies of some indices, as far as they exist; moving ones with their ways
    /// in the last step.
    void build(const Bodies& bodies, const IndexSet& indices) {
        forget_all();
        for (const std::uint32_t index : indices) {
            const std::int32_t slot = bodies.slots.slot_at(index);
            if (slot != SlotMap::no_slot) add(bodies, slot);
        }
        grid_.build(boxes_);
    }

    void clear() {
        forget_all();
        grid_.build(boxes_);
    }

    [[nodiscard]] bool empty() const { return index_.empty(); }
    [[nodiscard]] const RowGrid& grid() const { return grid_; }
    /// The id index of the body at a place in the grid.
    [[nodiscard]] std::int32_t index_of(std::int32_t place) const { return index_[place]; }
    /// The present slot of that body; `no_slot` if it was destroyed.
    [[nodiscard]] std::int32_t slot_of(const Bodies& bodies, std::int32_t place) const {
        return bodies.slots.slot_at(at(index_of(place)));
    }

    void list_members(auto& archive) { archive(*this, grid_, boxes_, index_); }

private:
    void forget_all() {
        boxes_.clear();
        index_.clear();
    }
    void add(const Bodies& bodies, std::int32_t slot) {
        const Vec2 position = bodies.positions[slot];
        const AABB box = box_around({position, position}, bodies.shapes[slot]);
        const bool moves = bodies.ranges.is_moving(slot);
        boxes_.push_back(moves ? box_along(box, -bodies.last_way(slot)) : box);
        index_.push_back(detail::index_of(bodies.ids[slot]));
    }

    RowGrid grid_;
    Scratch<AABB> boxes_;
    Array<std::int32_t> index_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

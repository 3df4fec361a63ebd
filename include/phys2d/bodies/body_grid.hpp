// SPDX-License-Identifier: MIT
// BodyGrid: which bodies were near a place when it was filled?
// It knows them by their ids, which stay when slots change.
#pragma once

#include <phys2d/bodies/terrain_faces.hpp>
#include <phys2d/collision/row_grid.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class BodyGrid {
public:
    /// Makes it hold the bodies of slots from `begin` on, one for each of these boxes.
    template <class Team>
    void build(const Bodies& bodies, std::int32_t begin, Span<const AABB> boxes, Team& team) {
        ids_.assign(bodies.ids.data() + begin, boxes.size());
        grid_.build(boxes, team);
    }
    /// Makes it hold the bodies of slots [begin, end) where they are.
    void build(const Bodies& bodies, std::int32_t begin, std::int32_t end) {
        boxes_.clear();
        for (std::int32_t slot = begin; slot < end; ++slot) {
            boxes_.push_back(path_of(bodies, slot));
        }
        Alone alone;
        build(bodies, begin, boxes_, alone);
    }
    /// Makes it hold the bodies of some indices, as far as they are in slots [begin, end); moving
    /// ones with their ways in the last step.
    void build(const Bodies& bodies, const IndexSet& indices, std::int32_t begin,
               std::int32_t end) {
        build(bodies, indices, begin, end,
              [&](std::int32_t slot) { return path_of(bodies, slot); });
    }
    /// The same with box_of(slot).
    void build(const Bodies& bodies, const IndexSet& indices, std::int32_t begin, std::int32_t end,
               auto box_of) {
        forget_all();
        for (const std::uint32_t index : indices) {
            const std::int32_t slot = bodies.slots.slot_at(index);
            if (slot < begin || slot >= end) continue;
            ids_.push_back(bodies.ids[slot]);
            boxes_.push_back(box_of(slot));
        }
        grid_.build(boxes_);
    }

    /// Clears, and makes room for so many.
    void start_over(std::size_t most) {
        ids_.reserve(most);
        boxes_.reserve(most);
        grid_.reserve(most);
        clear();
    }
    void clear() {
        forget_all();
        grid_.build(boxes_);
    }

    [[nodiscard]] bool empty() const { return ids_.empty(); }
    [[nodiscard]] const RowGrid& grid() const { return grid_; }
    /// The id index of the body at a place in the grid.
    [[nodiscard]] std::int32_t index_of(std::int32_t place) const {
        return detail::index_of(ids_[place]);
    }
    /// The present slot of that body; `no_slot` if it was destroyed.
    [[nodiscard]] std::int32_t slot_of(const Bodies& bodies, std::int32_t place) const {
        return bodies.slots.slot_at(at(index_of(place)));
    }

    void list_members(auto& archive) { archive(*this, grid_, boxes_, ids_); }

private:
    void forget_all() {
        boxes_.clear();
        ids_.clear();
    }
    [[nodiscard]] static AABB path_of(const Bodies& bodies, std::int32_t slot) {
        const Vec2 position = bodies.positions[slot];
        const AABB box = box_around({position, position}, bodies.shapes[slot]);
        const bool moves = bodies.ranges.is_moving(slot);
        return moves ? box_along(box, -bodies.last_way(slot)) : box;
    }

    RowGrid grid_;
    Scratch<AABB> boxes_;
    Array<ColliderId> ids_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

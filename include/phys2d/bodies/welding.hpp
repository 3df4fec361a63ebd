// SPDX-License-Identifier: MIT
// Welds: static boxes and polygons that abut or overlap behave as their union.
//
// The sides of such a solid become faces of terrain, without the parts that its neighbours cover;
// they have corners where the surface turns away and none where it continues. They are found when a
// body comes near the solid, and kept until static bodies or tiles near it change. Solids that
// touch nothing stay what they are. Tiles of static maps count as solids for their neighbours, and
// faces of such maps lose the parts that static boxes and polygons cover, whenever they are found.
#pragma once

#include <phys2d/bodies/solid_neighbours.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class Welds {
public:
    using PassTest = SolidNeighbours::PassTest;

    /// Any static colliders have changed; their ids have indices below `ids`.
    void forget(std::size_t ids, float length_unit) {
        neighbours_.begin(length_unit);
        weld_of_.assign(ids, unknown);
        forget_faces();
    }
    /// Makes room for further colliders.
    void make_room(std::size_t ids) {
        if (ids > weld_of_.size()) weld_of_.resize(ids);
    }
    /// What static colliders cover has changed in a box. Returns whether a solid has become welded
    /// or alone since it was asked for.
    [[nodiscard]] bool renew_near(const Bodies& bodies, const RoleGrids& statics, const AABB& box) {
        const float rounding = place_rounding(max(abs(box.min), abs(box.max)));
        bool any_turned = false;
        statics.for_each_overlap(
            bodies, expand(box, neighbours_.gap() + rounding), [&](std::int32_t slot) {
                std::int32_t& weld = weld_of_[index_of(bodies.ids[slot])];
                if (weld == unknown) return;
                const bool was_welded = weld != alone;
                if (weld > 0) unused_ += 1 + welds_[weld - 1].face_count();
                weld = unknown;
                any_turned = any_turned || is_welded(bodies, statics, slot) != was_welded;
            });
        if (2 * unused_ > welds_.size() + faces_.size()) drop_unused();
        return any_turned;
    }

    /// Whether a static collider is welded to others.
    [[nodiscard]] bool is_welded(const Bodies& bodies, const RoleGrids& statics,
                                 std::int32_t slot) {
        std::int32_t& weld = weld_of_[index_of(bodies.ids[slot])];
        if (weld == unknown || weld == welded) weld = find_weld(bodies, statics, slot);
        return weld != alone;
    }

    /// Calls visit(face) for each of its visible faces that overlaps `box`, both relative to its
    /// middle, for the index of its id. Pre: it is known to be welded.
    void for_each_face(std::int32_t index, const AABB& box, auto visit) {
        near_.clear();
        for_each_index(index, box, [&](std::size_t i) { near_.push_back(i); });
        shell_sort(near_);
        for (const std::size_t i : near_) visit(faces_[i]);
    }

    /// The same for a body that passes through some of the solids around it: these hide nothing.
    void for_each_face_left(const Bodies& bodies, const RoleGrids& statics, std::int32_t slot,
                            const AABB& box, PassTest passes, auto visit) {
        neighbours_.find(bodies, statics, slot, passes);
        const Weld left = add_faces(bodies, slot);
        for (std::size_t i = left.begin[0]; i < left.begin[4]; ++i) {
            if (overlaps(bounds(faces_[i]), box)) visit(faces_[i]);
        }
        faces_.resize_for_overwrite(left.begin[0]);
        places_.resize_for_overwrite(left.begin[0]);
    }

    /// Those of `for_each_face` in any order.
    void for_each_known_face(std::int32_t index, const AABB& box, auto visit) const {
        for_each_index(index, box, [&](std::size_t i) { visit(faces_[i]); });
    }
    [[nodiscard]] bool is_known(std::int32_t index) const { return weld_of_[index] > 0; }

    /// For what is not remembered.
    [[nodiscard]] SolidNeighbours& neighbours() { return neighbours_; }

    void list_members(auto& archive) {
        archive(*this, neighbours_, weld_of_, welds_, faces_, places_, unused_, extents_, near_);
    }

private:
    /// Calls visit(i) for the indices of the faces of a weld that overlap a box, relative to its
    /// middle.
    void for_each_index(std::int32_t index, const AABB& box, auto visit) const {
        const Weld& weld = welds_[weld_of_[index] - 1];
        for (std::uint32_t side = 0; side < 4; ++side) {
            const std::size_t begin = weld.begin[side];
            for_each_near({places_.data() + begin, weld.begin[side + 1] - begin},
                          extent_along(side, box), [&](std::uint32_t order) {
                              if (overlaps(bounds(faces_[begin + order]), box)) {
                                  visit(begin + order);
                              }
                          });
        }
    }

    /// Drops the faces of all welds, used or not: they are found again when needed.
    void drop_unused() {
        for (std::int32_t& weld : weld_of_) weld = weld > 0 ? welded : weld;
        forget_faces();
    }
    void forget_faces() {
        unused_ = 0;
        welds_.clear();
        faces_.clear();
        places_.clear();
    }

    // In place of 1 + the index of a weld.
    static constexpr std::int32_t unknown = 0;
    static constexpr std::int32_t alone = -1;
    static constexpr std::int32_t welded = -2;  // its faces are to be found again

    struct Weld {
        /// Where the faces of each side begin in faces_ and places_, and where the last ones end.
        std::size_t begin[5];

        [[nodiscard]] std::size_t face_count() const { return begin[4] - begin[0]; }

        void list_members(auto& archive) { archive(*this, begin); }
    };

    std::int32_t find_weld(const Bodies& bodies, const RoleGrids& statics, std::int32_t slot) {
        const auto passes_none = [](std::int32_t) { return false; };
        if (!neighbours_.can_weld(bodies, slot)) return alone;
        if (!neighbours_.find(bodies, statics, slot, passes_none)) return alone;
        welds_.push_back(add_faces(bodies, slot));
        return static_cast<std::int32_t>(welds_.size());
    }
    /// Appends what the neighbours leave of a solid.
    [[nodiscard]] Weld add_faces(const Bodies& bodies, std::int32_t slot) {
        const Solid own = neighbours_.unite(bodies, slot);
        Weld found{};
        for (std::uint32_t side = 0; side < 4; ++side) {
            found.begin[side] = faces_.size();
            extents_.clear();
            neighbours_.cut_side(bodies, slot, own, side, [&](const Face& face) {
                faces_.push_back(face);
                extents_.add(extent_along(side, bounds(face)));
            });
            extents_.sort();
            for (const SortedInterval& extent : extents_.sorted()) places_.push_back(extent);
        }
        found.begin[4] = faces_.size();
        return found;
    }

    /// Where a box is along a side of `box_normals`, in the world's direction.
    [[nodiscard]] static Interval extent_along(std::uint32_t side, const AABB& box) {
        const bool is_level = side % 2 == 0;
        return is_level ? Interval{box.min.x, box.max.x} : Interval{box.min.y, box.max.y};
    }

    SolidNeighbours neighbours_;
    Array<std::int32_t> weld_of_;  // per index of an id: see `unknown`
    Array<Weld> welds_;
    Array<Face> faces_;
    Array<SortedInterval> places_;  // of the faces of each side, along it
    std::size_t unused_ = 0;        // of welds_ and faces_
    SortedIntervals extents_;       // of the faces of a side
    Scratch<std::size_t> near_;     // faces that a body may meet
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

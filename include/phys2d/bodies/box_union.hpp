// SPDX-License-Identifier: MIT
// BoxUnion: what do boxes leave of a side of a box beside them?
//
// The same as solid_union.hpp tells of solids of any form. Boxes cover intervals of a line, in
// which they are sorted, so that the sides of a floor with thousands of pillars are found fast.
#pragma once

#include <phys2d/bodies/face_pieces.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// A side of a box, in coordinates along and across its outward direction, from the box's middle.
struct BoxSide {
    AABB box;
    Vec2 normal;

    /// The coordinate of the side along the outward direction.
    [[nodiscard]] float height() const { return dot(half_extents(box), abs(normal)); }
    /// The interval of a box along the side.
    [[nodiscard]] Interval along(const AABB& other) const {
        return extent(other, perpendicular(normal));
    }
    /// The interval of a box along the outward direction.
    [[nodiscard]] Interval outwards(const AABB& other) const { return extent(other, normal); }

private:
    [[nodiscard]] Interval extent(const AABB& other, Vec2 direction) const {
        const float from = dot(other.min - center(box), direction);
        const float to = dot(other.max - center(box), direction);
        return {min(from, to), max(from, to)};
    }
};

class BoxUnion {
public:
    /// Boxes at most `gap` apart abut [m].
    void begin(float gap) { gap_ = gap; }

    /// Calls see(piece) for each piece that other boxes leave of a face which is a side of a box,
    /// joined to them.
    void cut(const Face& face, const AABB& box, Span<const AABB> others, PieceVisitor see) {
        const BoxSide side{box, face.normal};
        const Interval whole = side.along(box);
        sort_neighbours(side, others);
        walls_.list_gaps(whole, pieces_);
        const auto joined = [&](Interval piece) { return part_of(face, whole, piece); };
        see_pieces(pieces_, gap_, face.feature, joined, see);
    }

    void list_members(auto& archive) { archive(*this, gap_, walls_, levels_, pieces_); }

private:
    /// Sorts the neighbours beside a side into those that cover it and those level with it.
    void sort_neighbours(const BoxSide& side, Span<const AABB> others) {
        const float above = side.height() + gap_;
        const float below = side.height() - gap_;
        walls_.clear();
        levels_.clear();
        for (const AABB& other : others) {
            const Interval across = side.outwards(other);
            if (across.low > above || across.high < below) continue;
            (above < across.high ? walls_ : levels_).add(side.along(other));
        }
        walls_.sort();
        levels_.sort();
    }

    /// A piece of a face, joined to the boxes beside it: to one that is level with it, unless that
    /// is covered there; at one that covers it is an inner corner.
    [[nodiscard]] Face part_of(const Face& face, Interval whole, Interval piece) const {
        const float overlap = 2.0f * gap_;
        Face part = piece_of(face, piece.low - whole.low, piece.high - piece.low);
        const float before = piece.low - gap_;
        const float after = piece.high + gap_;
        if (levels_.contains(before)) begin_without_corner(part, overlap);
        if (levels_.contains(after)) end_without_corner(part, overlap);
        if (walls_.contains(before)) begin_without_corner(part);
        if (walls_.contains(after)) end_without_corner(part);
        return part;
    }

    float gap_ = 0.0f;
    SortedIntervals walls_;   // those that cover the current side
    SortedIntervals levels_;  // those level with it
    Scratch<Gap> pieces_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

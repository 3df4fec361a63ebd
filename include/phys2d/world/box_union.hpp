// SPDX-License-Identifier: MIT
// BoxUnion: what do boxes leave of a side of a box beside them?
//
// The same as solid_union.hpp tells of solids of any form. Boxes cover intervals of a line, in which
// they are sorted, so that the sides of a floor with thousands of pillars are found fast.
#pragma once

#include <phys2d/collision/face.hpp>
#include <phys2d/world/sorted_intervals.hpp>

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
    void reserve(std::size_t count) {
        boxes_.reserve(count);
        walls_.reserve(count);
        levels_.reserve(count);
        pieces_.reserve(count);
    }

    /// Boxes at most `gap` apart abut [m].
    void clear(float gap) {
        gap_ = gap;
        boxes_.clear();
    }
    void add(const AABB& box) { boxes_.push_back(box); }
    template <class Test>
    void remove_if(Test test) {
        (void)boxes_.remove_if(test);
    }

    [[nodiscard]] const Array<AABB>& boxes() const { return boxes_; }

    /// Calls see(face) for each part of a face that they leave, joined to them. `side`: where the
    /// face is.
    template <class See>
    void cut(const Face& face, const BoxSide& side, See see) {
        constexpr std::uint32_t next_piece = 1 << 20;  // between features of pieces of a face
        const Interval whole = side.along(side.box);
        sort_neighbours(side);
        walls_.list_gaps(whole, pieces_);
        std::uint32_t feature = face.feature;
        for (const auto& [piece, order] : pieces_) {
            if (piece.high - piece.low <= gap_) continue;
            Face part = part_of(face, whole, piece);
            part.feature = feature;
            feature += next_piece;
            join_ends(piece, part);
            see(part);
        }
    }

private:
    /// Sorts the neighbours beside a side into those that cover it and those level with it.
    void sort_neighbours(const BoxSide& side) {
        const float above = side.height() + gap_;
        const float below = side.height() - gap_;
        walls_.clear();
        levels_.clear();
        for (const AABB& other : boxes_) {
            const Interval across = side.outwards(other);
            if (across.low > above || across.high < below) continue;
            (above < across.high ? walls_ : levels_).add(side.along(other));
        }
        walls_.sort();
        levels_.sort();
    }

    /// A piece of a face, which ends at an inner corner where it is cut off.
    [[nodiscard]] static Face part_of(const Face& face, Interval whole, Interval piece) {
        Face part = face;
        part.start += perpendicular(face.normal) * (piece.low - whole.low);
        part.length = piece.high - piece.low;
        part.end = part.length + (face.end - face.length);
        if (whole.low < piece.low) begin_in(part, 0.0f, 1.0f);
        if (piece.high < whole.high) end_in(part, 0.0f, 1.0f);
        return part;
    }
    /// Makes a face begin without a corner.
    static void begin_in(Face& face, float overlap, float lean) {
        face.before = face.normal;
        face.corner = CornerKind::Joined;
        face.begin = -overlap;
        face.lean_begin = lean;
    }
    static void end_in(Face& face, float overlap, float lean) {
        face.after = {};
        face.end = face.length + overlap;
        face.lean_end = lean;
    }

    /// Joins the ends of a piece of a face to the boxes beside them.
    void join_ends(Interval piece, Face& part) const {
        const float overlap = 2.0f * gap_;
        const Beyond before = beyond(piece.low - gap_);
        const Beyond after = beyond(piece.high + gap_);
        if (before == Beyond::Level) begin_in(part, overlap, -1.0f);
        if (before == Beyond::Wall) begin_in(part, 0.0f, 1.0f);
        if (after == Beyond::Level) end_in(part, overlap, -1.0f);
        if (after == Beyond::Wall) end_in(part, 0.0f, 1.0f);
    }

    enum class Beyond { Nothing, Level, Wall };

    /// What continues the current side at a coordinate along it.
    [[nodiscard]] Beyond beyond(float place) const {
        if (walls_.contains(place)) return Beyond::Wall;
        return levels_.contains(place) ? Beyond::Level : Beyond::Nothing;
    }

    float gap_ = 0.0f;
    Scratch<AABB> boxes_;
    SortedIntervals walls_;   // those that cover the current side
    SortedIntervals levels_;  // those level with it
    Scratch<Gap> pieces_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

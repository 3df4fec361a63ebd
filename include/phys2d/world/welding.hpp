// SPDX-License-Identifier: MIT
// Welds: static boxes that abut or overlap behave as their union.
//
// The sides of such a box become faces of terrain: less what its neighbours cover, with corners where the surface
// turns away and none where it goes on. They are found out when something comes near the box, and kept until a
// static body changes. Boxes that touch nothing stay boxes. Full tiles of static maps are boxes to their
// neighbours, and faces of such maps lose what static boxes cover of them.
#pragma once

#include <phys2d/world/resting_grid.hpp>

namespace phys2d::detail::inline PHYS2D_ABI {

/// What is no further apart than this counts as abutting [m at length unit 1]: far above rounding, below anything
/// seen.
inline constexpr float weld_gap = 1e-3f;

/// A side of a box, as it is seen along its outward direction.
struct BoxSide {
    AABB box;
    Vec2 normal;

    [[nodiscard]] bool is_level() const { return normal.x == 0.0f; }
    /// Where the side is, along the outward direction.
    [[nodiscard]] float height() const { return dot(half_extents(box), abs(normal)); }
    /// The interval that a box has in the direction along the side, from the middle of this one.
    [[nodiscard]] float low(const AABB& other) const { return along(other, true); }
    [[nodiscard]] float high(const AABB& other) const { return along(other, false); }
    /// The same outwards.
    [[nodiscard]] float bottom(const AABB& other) const { return outwards(other, true); }
    [[nodiscard]] float top(const AABB& other) const { return outwards(other, false); }

private:
    [[nodiscard]] float along(const AABB& other, bool lower) const {
        const Vec2 direction = perpendicular(normal);
        const float from = dot(other.min - center(box), direction);
        const float to = dot(other.max - center(box), direction);
        return lower ? min(from, to) : max(from, to);
    }
    [[nodiscard]] float outwards(const AABB& other, bool lower) const {
        const float from = dot(other.min - center(box), normal);
        const float to = dot(other.max - center(box), normal);
        return lower ? min(from, to) : max(from, to);
    }
};

class Welds {
public:
    /// Static bodies have changed; there are so many.
    void forget(std::size_t count) {
        weld_of_.assign(count, unknown);
        welds_.clear();
        welds_.reserve(64);
        faces_.clear();
        faces_.reserve(256);
        neighbours_.reserve(64);
        pieces_.reserve(64);
    }

    /// Whether the static collider at a place in the grid is a box that belongs to others.
    [[nodiscard]] bool is_welded(const Bodies& bodies, const RestingGrid& statics,
                                 std::int32_t place, float unit) {
        std::int32_t& weld = weld_of_[at(place)];
        if (weld == unknown) weld = find_weld(bodies, statics, place, mul(weld_gap, unit));
        return weld != alone;
    }
    /// What is seen of it: relative to its middle. Pre: it is welded.
    [[nodiscard]] Span<const Face> faces(std::int32_t place) const {
        const Weld& found = welds_[at(weld_of_[at(place)])];
        return {faces_.data() + found.begin, found.end - found.begin};
    }

    /// Takes what static boxes cover out of the faces of a static map near `box`, and lets them go on in theirs.
    /// `origin`: what the faces are relative to.
    void weld_to_boxes(const Bodies& bodies, const RestingGrid& statics, const AABB& box,
                       Vec2 origin, float unit, FaceList& faces) {
        const float gap = mul(weld_gap, unit);
        find_neighbours(bodies, statics, expand(box, gap), no_place, false);
        if (neighbours_.empty()) return;
        uncut_.clear();
        for (const FaceList::Entry& entry : faces.entries()) uncut_.push_back(entry);
        faces.clear();
        for (const FaceList::Entry& entry : uncut_) {
            const Filter& filter = bodies.colliders[at(entry.slot)].filter;
            const bool is_level = entry.face.normal.x == 0.0f || entry.face.normal.y == 0.0f;
            const bool is_solid = bodies.colliders[at(entry.slot)].one_way == OneWay::No;
            if (is_level && is_solid && entry.face.length > 0.0f) {
                weld_face(entry, origin, filter, gap, faces);
            } else {
                faces.add(entry.face, entry.slot);
            }
        }
    }

private:
    static constexpr std::int32_t no_place = -1;
    static constexpr std::int32_t unknown = -2;
    static constexpr std::int32_t alone = -1;
    static constexpr std::uint32_t most_pieces = 1 << 20;  // of a side

    struct Weld {
        std::size_t begin, end;  // of faces_
    };
    struct Interval {
        float low, high;
    };
    struct Neighbour {
        AABB box;
        Filter filter;
    };

    /// Whether a static collider is part of the union that a box may belong to.
    [[nodiscard]] static bool can_weld(const Bodies& bodies, std::int32_t slot) {
        const ColliderDef& collider = bodies.colliders[at(slot)];
        return is_plain(bodies, slot) && bodies.shapes[at(slot)].radius == 0.0f &&
               !collider.is_sensor && collider.one_way == OneWay::No;
    }

    /// Lists the boxes that meet `box`, but for that of `except`, and full tiles too if they are asked for.
    void find_neighbours(const Bodies& bodies, const RestingGrid& statics, const AABB& box,
                         std::int32_t except, bool with_tiles) {
        neighbours_.clear();
        statics.grid().for_each_overlap(box, [&](std::int32_t i) {
            const std::int32_t other = bodies.slots.slot_at(at(statics.index_of(i)));
            if (i == except) return;
            if (can_weld(bodies, other)) {
                neighbours_.push_back(
                    {bounds(bodies.placed_shape(at(other))), bodies.colliders[at(other)].filter});
            } else if (with_tiles && is_tile_map(bodies, other)) {
                add_full_tiles(bodies, other, box);
            }
        });
    }

    void add_full_tiles(const Bodies& bodies, std::int32_t map, const AABB& box) {
        for_each_tile(bodies, map, box, [&](const Polygon& tile, std::int32_t kind) {
            const ColliderDef& collider = bodies.colliders[at(kind)];
            const AABB around = bounds(tile);
            const bool is_full = tile == Polygon(around);
            const bool is_solid = !collider.is_sensor && collider.one_way == OneWay::No;
            if (is_full && is_solid) neighbours_.push_back({around, collider.filter});
        });
    }

    std::int32_t find_weld(const Bodies& bodies, const RestingGrid& statics, std::int32_t place,
                           float gap) {
        const std::int32_t slot = bodies.slots.slot_at(at(statics.index_of(place)));
        if (!can_weld(bodies, slot)) return alone;
        const AABB box = bounds(bodies.placed_shape(at(slot)));
        find_neighbours(bodies, statics, expand(box, gap), place, true);
        keep_alike(bodies.colliders[at(slot)].filter);
        if (neighbours_.empty()) return alone;
        const std::size_t begin = faces_.size();
        constexpr Vec2 sides[] = {{0.0f, 1.0f}, {-1.0f, 0.0f}, {0.0f, -1.0f}, {1.0f, 0.0f}};
        for (std::uint32_t i = 0; i < 4; ++i) add_side({box, sides[i]}, 1 + i * most_pieces, gap);
        welds_.push_back({begin, faces_.size()});
        return static_cast<std::int32_t>(welds_.size()) - 1;
    }

    /// Forgets the neighbours that other bodies meet.
    void keep_alike(const Filter& filter) {
        std::size_t kept = 0;
        for (const Neighbour& neighbour : neighbours_) {
            if (neighbour.filter == filter) neighbours_[kept++] = neighbour;
        }
        neighbours_.resize(kept);
    }

    /// Leaves in `pieces_` what neighbours leave of a side.
    void cut_side(const BoxSide& side, const Filter& filter, float gap) {
        const float height = side.height();
        pieces_.clear();
        pieces_.push_back({side.low(side.box), side.high(side.box)});
        for (const auto& [other, its_filter] : neighbours_) {
            const bool covers = its_filter == filter && side.bottom(other) <= height + gap &&
                                height + gap < side.top(other);
            if (covers) cut({side.low(other), side.high(other)});
        }
    }

    /// Adds what neighbours leave of a side. Its pieces have the features from `feature` on.
    void add_side(const BoxSide& side, std::uint32_t feature, float gap) {
        cut_side(side, neighbours_[0].filter, gap);
        for (const Interval& piece : pieces_) {
            if (piece.high - piece.low > gap) add_face(side, piece, feature++, gap);
        }
    }

    /// Takes an interval out of the pieces.
    void cut(Interval out) {
        const std::size_t count = pieces_.size();
        for (std::size_t i = 0; i < count; ++i) {
            const Interval piece = pieces_[i];
            if (out.high <= piece.low || piece.high <= out.low) continue;
            pieces_[i].high = max(piece.low, out.low);
            if (out.high < piece.high) pieces_.push_back({out.high, piece.high});
        }
    }

    enum class Beyond { Nothing, Level, Wall };

    /// What is next to a side at a place along it, a little further in a direction.
    [[nodiscard]] Beyond beyond(const BoxSide& side, float place, float direction,
                                float gap) const {
        const float height = side.height();
        const float there = place + mul(direction, gap);
        Beyond found = Beyond::Nothing;
        for (const auto& [other, filter] : neighbours_) {
            const bool is_there = side.low(other) <= there && there <= side.high(other);
            if (!is_there || side.bottom(other) > height + gap) continue;
            if (side.top(other) > height + gap) return Beyond::Wall;
            if (side.top(other) >= height - gap) found = Beyond::Level;
        }
        return found;
    }

    void add_face(const BoxSide& side, Interval piece, std::uint32_t feature, float gap) {
        const Vec2 along = perpendicular(side.normal);
        Face face;
        face.normal = face.before = side.normal;
        face.start = side.normal * side.height() + along * piece.low;
        face.length = face.end = piece.high - piece.low;
        face.half_thickness = side.height();
        face.feature = feature;
        const Beyond before = beyond(side, piece.low, -1.0f, gap);
        const Beyond after = beyond(side, piece.high, 1.0f, gap);
        if (before == Beyond::Level) face.begin = -2.0f * gap;
        if (after == Beyond::Level) face.end += 2.0f * gap;
        face.lean_begin = before == Beyond::Level ? 0.0f : 1.0f;
        face.lean_end = after == Beyond::Level ? 0.0f : 1.0f;
        if (before == Beyond::Nothing) face.before = -along;
        faces_.push_back(face);
    }

    /// Adds what boxes leave of a face.
    void weld_face(const FaceList::Entry& entry, Vec2 origin, const Filter& filter, float gap,
                   FaceList& faces) {
        const Face& face = entry.face;
        const Segment line = translate(segment_of(face), origin);
        const BoxSide side{bounds(line), face.normal};
        cut_side(side, filter, gap);
        const float low = side.low(side.box);
        const float high = side.high(side.box);
        std::uint32_t feature = face.feature;
        for (const Interval& piece : pieces_) {
            if (piece.high - piece.low <= gap) continue;
            Face part = face;
            part.start += perpendicular(face.normal) * (piece.low - low);
            part.length = piece.high - piece.low;
            part.feature = feature;
            feature += most_pieces;
            part.begin = piece.low > low ? 0.0f : face.begin;
            part.end = part.length + (piece.high < high ? 0.0f : face.end - face.length);
            weld_ends(side, piece, piece.low > low, piece.high < high, gap, part);
            faces.add(part, entry.slot);
        }
    }

    /// Joins the ends of a piece of a face to the boxes that are there; `is_cut` says at which it was cut off.
    void weld_ends(const BoxSide& side, Interval piece, bool is_cut_low, bool is_cut_high,
                   float gap, Face& part) const {
        const Beyond before = beyond(side, piece.low, -1.0f, gap);
        const Beyond after = beyond(side, piece.high, 1.0f, gap);
        if (before != Beyond::Nothing || is_cut_low) {
            part.before = part.normal;
            part.begin = before == Beyond::Level ? -2.0f * gap : 0.0f;
            part.lean_begin = before == Beyond::Level ? 0.0f : 1.0f;
        }
        if (after != Beyond::Nothing || is_cut_high) {
            part.end = part.length + (after == Beyond::Level ? 2.0f * gap : 0.0f);
            part.lean_end = after == Beyond::Level ? 0.0f : 1.0f;
        }
    }

    Array<std::int32_t> weld_of_;  // per place in the grid
    Array<Weld> welds_;
    Array<Face> faces_;
    Array<Neighbour> neighbours_;
    Array<Interval> pieces_;
    Array<FaceList::Entry> uncut_;
};

}  // namespace phys2d::detail::inline PHYS2D_ABI

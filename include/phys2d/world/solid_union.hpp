// SPDX-License-Identifier: MIT
// SolidUnion: what do convex solids leave of a face beside them?
//
// The surface of their union is that of each of them without the parts that others cover. A face
// that is cut off ends where another solid comes out of it, and one that ends beside a solid goes
// on around the corner between them; it is joined to what follows like the faces of a chain.
#pragma once

#include <phys2d/terrain/hollows.hpp>
#include <phys2d/world/sorted_intervals.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// An edge of a solid, along perpendicular(normal) like a face.
struct SolidEdge {
    Vec2 from{};
    Vec2 normal{};
    float length = 0.0f;  ///< [m]

    [[nodiscard]] Vec2 along() const { return perpendicular(normal); }
    [[nodiscard]] Vec2 to() const { return from + along() * length; }
    [[nodiscard]] float height(Vec2 point) const { return dot(point - from, normal); }
    [[nodiscard]] float place(Vec2 point) const { return dot(point - from, along()); }
};

[[nodiscard]] inline SolidEdge edge_of(const Polygon& solid, std::size_t i) {
    const Segment edge = solid.edge(i);
    const Vec2 normal = solid.normal(i);
    return {edge.from, normal, dot(edge.to - edge.from, perpendicular(normal))};
}

/// Whether an edge of `a` keeps two solids further apart than a distance [m].
[[nodiscard]] inline bool is_apart(const Polygon& a, const Polygon& b, float distance) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        const SolidEdge edge = edge_of(a, i);
        float lowest = std::numeric_limits<float>::max();
        for (const Vec2 vertex : b.vertices()) lowest = min(lowest, edge.height(vertex));
        if (lowest > distance) return true;
    }
    return false;
}

/// The interval of a line in which a solid contains it, in lengths of `way` from `from`; ends
/// before it begins if there is none.
[[nodiscard]] inline Interval part_within(const Polygon& solid, Vec2 from, Vec2 way) {
    constexpr float far_off = 1e30f;
    constexpr float level = 1e-6f;
    Interval part{-far_off, far_off};
    for (std::size_t i = 0; i < solid.size(); ++i) {
        const SolidEdge edge = edge_of(solid, i);
        const float height = edge.height(from);
        const float rise = dot(way, edge.normal);
        if (rise > level) part.high = min(part.high, -height / rise);
        if (rise < -level) part.low = max(part.low, -height / rise);
        if (abs(rise) <= level && height > 0.0f) part.high = -far_off;
    }
    return part;
}

class SolidUnion {
public:
    void reserve(std::size_t count) {
        solids_.reserve(count);
        bounds_.reserve(count);
        extents_.reserve(count);
        covers_.reserve(count);
        pieces_.reserve(count);
    }

    /// Solids at most `gap` apart abut [m]; faces continue at most `depth` below each other [m].
    void clear(float gap, float depth) {
        gap_ = gap;
        depth_ = depth;
        solids_.clear();
        bounds_.clear();
        extents_.clear();
    }
    void add(const Polygon& solid) {
        const AABB box = bounds(solid);
        extents_.add({box.min.x, box.max.x});
        bounds_.push_back(box);
        solids_.push_back(solid);
    }
    /// To be called when all are added.
    void sort() { extents_.sort(); }

    [[nodiscard]] bool empty() const { return solids_.empty(); }

    /// Calls see(face) for each part of a face that they leave, joined to them.
    template <class See>
    void cut(const Face& face, See see) {
        constexpr std::uint32_t next_part = 1 << 26;  // between features of parts of a face
        const SolidEdge edge{face.start, face.normal, face.length};
        list_pieces(edge);
        std::uint32_t feature = face.feature;
        for (const auto& [piece, order] : pieces_) {
            if (piece.high - piece.low <= gap_) continue;
            Face part = part_of(face, piece);
            part.feature = feature;
            feature += next_part;
            see(part);
        }
    }

private:
    static constexpr float ahead = 1.0f;  // directions along a face
    static constexpr float back = -1.0f;
    static constexpr float most_turn = 2.0f;  // see `turn_of`

    /// An edge of a solid with which a surface goes on.
    struct Continuation {
        Vec2 normal{};
        float length = 0.0f;  ///< from where it comes out of what is before it [m]; 0 for none
        std::size_t solid = 0;
    };

    void list_pieces(const SolidEdge& edge) {
        const AABB around = expand({min(edge.from, edge.to()), max(edge.from, edge.to())}, gap_);
        covers_.clear();
        for (std::size_t i = 0; i < solids_.size(); ++i) {
            if (!overlaps(around, bounds_[i])) continue;
            const Interval part = covered(edge, solids_[i]);
            if (part.low < part.high) covers_.add(part);
        }
        covers_.sort();
        covers_.list_gaps({0.0f, edge.length}, pieces_);
    }

    /// The interval of a face that a solid covers; from end to end of an edge that lies on it.
    [[nodiscard]] Interval covered(const SolidEdge& face, const Polygon& solid) const {
        for (std::size_t i = 0; i < solid.size(); ++i) {
            const SolidEdge edge = edge_of(solid, i);
            if (lies_on(edge, face)) return {face.place(edge.to()), face.place(edge.from)};
        }
        return part_within(solid, face.from + face.normal * gap_, face.along());
    }
    [[nodiscard]] bool lies_on(const SolidEdge& edge, const SolidEdge& face) const {
        return dot(edge.normal, face.normal) < -0.999f && abs(face.height(edge.from)) <= gap_ &&
               abs(face.height(edge.to())) <= gap_;
    }

    /// A piece of a face, joined to the surfaces beside it.
    [[nodiscard]] Face part_of(const Face& face, Interval piece) const {
        Face part = face;
        part.start += perpendicular(face.normal) * piece.low;
        part.length = piece.high - piece.low;
        part.end = part.length + (face.end - face.length);
        if (piece.low > 0.0f) begin_in_solid(part);
        if (piece.high < face.length) end_in_solid(part);
        join(part, back, turn_at_begin(part));
        join(part, ahead, turn_at_end(part));
        return part;
    }
    static void begin_in_solid(Face& face) {
        face.before = face.normal;
        face.corner = CornerKind::Joined;
        face.begin = 0.0f;
        face.lean_begin = lean_at(Turn::Towards, face.normal, {}, {});
    }
    static void end_in_solid(Face& face) {
        face.after = {};
        face.end = face.length;
        face.lean_end = lean_at(Turn::Towards, face.normal, {}, {});
    }

    /// By how much a surface turns away at an end of a face; 0 if it does not.
    [[nodiscard]] static float turn_at_begin(const Face& face) {
        if (face.before != face.normal) return turn_of(face.before, face.normal);
        return face.lean_begin > 0.0f ? most_turn : 0.0f;
    }
    [[nodiscard]] static float turn_at_end(const Face& face) {
        if (face.after != Vec2{}) return turn_of(face.normal, face.after);
        return face.lean_end > 0.0f ? most_turn : 0.0f;
    }
    /// Grows with the angle from one unit vector to another, counter-clockwise, from -2 to 2.
    [[nodiscard]] static float turn_of(Vec2 from, Vec2 to) {
        const float across = cross(from, to);
        if (dot(from, to) >= 0.0f) return across;
        return across < 0.0f ? -2.0f - across : 2.0f - across;
    }

    /// Joins an end of a face to the surface of a solid that turns away by less than `turn` there.
    void join(Face& face, float direction, float turn) const {
        const Vec2 end = direction == ahead ? segment_of(face).to : face.start;
        const Continuation next = continuation(end, face.normal, direction, turn);
        if (next.length == 0.0f) return;
        const float overlap = 2.0f * gap_;
        const float below = way_below(face, end, direction, next);
        if (direction == ahead) {
            (void)join_before(face, {.normal = next.normal}, overlap);
            face.end += below;
        } else {
            face.corner = CornerKind::Joined;
            (void)join_after(face, {.normal = next.normal}, overlap);
            face.begin -= below;
        }
    }

    /// The edge with which the surface goes on from an end of a face: of those that turn away by
    /// less than `turn`, the one that turns most towards the open side.
    [[nodiscard]] Continuation continuation(Vec2 end, Vec2 normal, float direction,
                                            float turn) const {
        Continuation next;
        (void)any_near(end.x, [&](std::size_t solid) {
            for (std::size_t i = 0; i < solids_[solid].size(); ++i) {
                const SolidEdge edge = edge_of(solids_[solid], i);
                const float turned = mul(direction, turn_of(normal, edge.normal));
                const float left = length_beyond(edge, end, direction);
                if (turned >= turn || left == 0.0f ||
                    begins_covered(edge, direction, left, solid)) {
                    continue;
                }
                turn = turned;
                next = {edge.normal, left, solid};
            }
            return false;
        });
        return next;
    }
    /// How much of an edge is beyond a point that it contains; 0 if it contains no such point.
    [[nodiscard]] float length_beyond(const SolidEdge& edge, Vec2 point, float direction) const {
        const float reach = 2.0f * gap_;
        if (abs(edge.height(point)) > reach) return 0.0f;
        const float place = edge.place(point);
        const float left = direction == ahead ? edge.length - place : place;
        return reach <= left && left <= edge.length + reach ? min(left, edge.length) : 0.0f;
    }
    /// Whether other solids cover an edge where the rest of it begins.
    [[nodiscard]] bool begins_covered(const SolidEdge& edge, float direction, float rest,
                                      std::size_t solid) const {
        const float left = max(rest - 8.0f * gap_, 0.5f * rest);
        const float place = direction == ahead ? edge.length - left : left;
        const Vec2 outside = edge.from + edge.along() * place + edge.normal * gap_;
        return any_near(outside.x, [&](std::size_t other) {
            return other != solid && holds(solids_[other], outside);
        });
    }
    [[nodiscard]] bool holds(const Polygon& solid, Vec2 point) const {
        for (std::size_t i = 0; i < solid.size(); ++i) {
            if (edge_of(solid, i).height(point) > 0.5f * gap_) return false;
        }
        return true;
    }

    /// Whether test(i) holds for any solid near a place.
    template <class Test>
    [[nodiscard]] bool any_near(float x, Test test) const {
        const float reach = 2.0f * gap_;
        bool any = false;
        for_each_near(extents_.sorted(), {x - reach, x + reach},
                      [&](std::uint32_t i) { any = any || test(std::size_t{i}); });
        return any;
    }

    /// How far a face goes on below the surface beside it: not beyond half the way through its
    /// solid.
    [[nodiscard]] float way_below(const Face& face, Vec2 end, float direction,
                                  const Continuation& next) const {
        if (mul(direction, cross(face.normal, next.normal)) > -straight_turn) return 0.0f;
        const Vec2 way = perpendicular(face.normal) * direction;
        const Interval within = part_within(solids_[next.solid], end, way);
        return min(reach_below(face.normal, next.normal, next.length, depth_),
                   max(0.5f * within.high, 0.0f));
    }

    float gap_ = 0.0f;
    float depth_ = 0.0f;
    Scratch<Polygon> solids_;
    Scratch<AABB> bounds_;
    SortedIntervals extents_;  // of their bounds, along x
    SortedIntervals covers_;   // of the current face
    Scratch<Gap> pieces_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

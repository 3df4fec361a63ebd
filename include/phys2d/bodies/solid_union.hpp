// SPDX-License-Identifier: MIT
// SolidUnion: what do convex solids leave of a face beside them?
//
// The surface of their union is that of each of them without the parts that others cover. A face
// that is cut off ends where another solid comes out of it, and one that ends beside a solid goes
// on around the corner between them; it is joined to what follows like the faces of a chain.
#pragma once

#include <phys2d/bodies/face_pieces.hpp>
#include <phys2d/bodies/solid.hpp>
#include <phys2d/terrain/hollows.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class SolidUnion {
public:
    /// Solids at most `gap` apart abut [m]; faces continue at most `depth` below each other [m].
    void begin(float gap, float depth) {
        gap_ = gap;
        depth_ = depth;
        clear();
    }
    void clear() {
        solids_.clear();
        bounds_.clear();
    }
    void add(const Polygon& solid) {
        bounds_.push_back(bounds(solid));
        solids_.push_back(Solid(solid));
    }
    /// To be called when all are added.
    void build_grid() { grid_.build(bounds_); }

    [[nodiscard]] bool empty() const { return solids_.empty(); }

    /// Calls see(piece) for each piece of a face that they leave, joined to them. `own`: the solid
    /// behind the face.
    void cut(const Face& face, const Solid& own, PieceVisitor see) {
        const Corners corners = corners_of(face, own);
        const float thickness = half_thickness_of(face, own);
        const auto joined = [&](Interval piece) {
            Face part = part_of(face, piece, corners);
            part.half_thickness = thickness;
            return part;
        };
        list_pieces({face.start, face.normal, face.length});
        see_pieces(pieces_, gap_, face.feature, joined, see);
    }

    void list_members(auto& archive) {
        archive(*this, gap_, depth_, solids_, bounds_, grid_, covers_, pieces_);
    }

private:
    static constexpr float ahead = 1.0f;  // directions along a face
    static constexpr float back = -1.0f;
    static constexpr float right_turn = 1.0f;  // of a box; see `turn_of`

    /// An edge of a solid with which a surface goes on. Its length is that from where it comes out
    /// of what is before it; 0 for none.
    struct Continuation : SolidEdge {
        const Solid* solid = nullptr;
    };

    /// By how much the surface turns away at the ends of a face before it is joined to others; 0 if
    /// it does not.
    struct Corners {
        float before, after;
    };
    /// Where the next edge of the same solid is bare, the surface does not go on elsewhere.
    [[nodiscard]] Corners corners_of(const Face& face, const Solid& own) {
        std::size_t i = 0;
        for (std::size_t k = 1; k < own.size(); ++k) {
            if (dot(own[k].normal, face.normal) > dot(own[i].normal, face.normal)) i = k;
        }
        const std::size_t last = own.size() - 1;
        const bool begins_bare = is_bare(own[i > 0 ? i - 1 : last], ahead);
        const bool ends_bare = is_bare(own[i < last ? i + 1 : 0], back);
        return {begins_bare ? 0.0f : turn_of(face.before, face.normal),
                ends_bare ? 0.0f : turn_at_end(face)};
    }
    /// Whether more than the gap of an edge is bare, at the end in a direction.
    [[nodiscard]] bool is_bare(const SolidEdge& edge, float direction) {
        list_pieces(edge);
        for (const auto& [piece, order] : pieces_) {
            const bool is_last = direction == ahead ? piece.high == edge.length : piece.low == 0.0f;
            if (is_last && piece.high - piece.low > gap_) return true;
        }
        return false;
    }

    /// Lists the parts of an edge that no solid covers.
    void list_pieces(const SolidEdge& edge) {
        const AABB around = expand({min(edge.from, edge.to()), max(edge.from, edge.to())}, gap_);
        covers_.clear();
        grid_.for_each_overlap(around, [&](std::int32_t i) {
            const Interval part = covered(edge, solids_[i]);
            if (part.low < part.high) covers_.add(part);
        });
        covers_.sort();
        covers_.list_gaps({0.0f, edge.length}, pieces_);
    }

    /// The interval of a face that a solid covers; from end to end of an edge that lies on it.
    [[nodiscard]] Interval covered(const SolidEdge& face, const Solid& solid) const {
        for (const SolidEdge& edge : solid) {
            if (lies_on(edge, face)) return {face.place(edge.to()), face.place(edge.from)};
        }
        return part_within(solid, face.from + face.normal * gap_, face.along());
    }
    [[nodiscard]] bool lies_on(const SolidEdge& edge, const SolidEdge& face) const {
        return dot(edge.normal, face.normal) < -0.999f && abs(face.height(edge.from)) <= gap_ &&
               abs(face.height(edge.to())) <= gap_;
    }

    /// A piece of a face, joined to the surfaces beside it.
    [[nodiscard]] Face part_of(const Face& face, Interval piece, Corners corners) const {
        Face part = piece_of(face, piece.low, piece.high - piece.low);
        const float tip = 4.0f * gap_;  // no more than that is cut off for being within the gap
        const bool begins_inside = piece.low > tip;
        const bool ends_inside = piece.high < face.length - tip;
        if (begins_inside) begin_without_corner(part);
        if (ends_inside) end_without_corner(part);
        join(part, back, begins_inside ? 0.0f : corners.before);
        join(part, ahead, ends_inside ? 0.0f : corners.after);
        return part;
    }

    [[nodiscard]] static float turn_at_end(const Face& face) {
        if (face.after != Vec2{}) return turn_of(face.normal, face.after);
        return face.lean_end > 0.0f ? right_turn : 0.0f;
    }

    /// Joins an end of a face to the surface of a solid that turns away by less than `turn` there.
    void join(Face& face, float direction, float turn) const {
        const Vec2 end = direction == ahead ? segment_of(face).to : face.start;
        const Continuation next = continuation(end, face.normal, direction, turn);
        if (next.length == 0.0f) return;
        const Vec2 way = perpendicular(face.normal) * direction;
        const float rises = dot(way, next.normal);
        if (rises > 0.0f) {
            const float beyond = dot(next.from - end, next.normal) / rises;
            const bool is_near = abs(beyond) <= 16.0f * gap_;
            if (is_near) move_end(face, direction, beyond);
            join_to(face, direction, is_near ? next.normal : face.normal);
        } else {
            const float below = way_below(face, end, way, next);
            join_to(face, direction, next.normal);
            (direction == ahead ? face.end : face.begin) += mul(direction, below);
        }
    }
    /// Moves an end of a face to where it meets the next one: their solids may be a gap apart.
    static void move_end(Face& face, float direction, float beyond) {
        if (direction == back) face.start -= perpendicular(face.normal) * beyond;
        face.length += beyond;
        face.end += beyond;
    }
    void join_to(Face& face, float direction, Vec2 next) const {
        const float overlap = 2.0f * gap_;
        if (direction == ahead) {
            (void)join_before(face, next, overlap);
        } else {
            face.corner = CornerKind::Joined;
            (void)join_after(face, next, overlap);
        }
    }

    /// The edge with which the surface goes on from an end of a face: of those that turn away by
    /// less than `turn`, the one that turns most towards the open side.
    [[nodiscard]] Continuation continuation(Vec2 end, Vec2 normal, float direction,
                                            float turn) const {
        Continuation next;
        for_each_at(end, [&](const Solid& solid) {
            for (const SolidEdge& edge : solid) {
                const float turned = mul(direction, turn_of(normal, edge.normal));
                const float left = length_beyond(edge, end, direction);
                if (turned >= turn || left == 0.0f) continue;
                turn = turned;
                next = {{edge.from, edge.normal, left}, &solid};
            }
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
    /// Calls visit(solid) for the solids whose bounds are at a place.
    void for_each_at(Vec2 place, auto visit) const {
        const float reach = 2.0f * gap_;
        grid_.for_each_overlap(aabb_around(place, {reach, reach}),
                               [&](std::int32_t i) { visit(solids_[i]); });
    }

    /// How far a face goes on below the surface beside it: by as much as edges may be apart, but
    /// not beyond half the way through its solid.
    [[nodiscard]] float way_below(const Face& face, Vec2 end, Vec2 way,
                                  const Continuation& next) const {
        if (goes_straight(face.normal, next.normal)) return 0.0f;
        const float within = max(part_within(*next.solid, end, way).high, 0.0f);
        const float reach = reach_below(face.normal, next.normal, next.length, depth_);
        return min(max(reach, 2.0f * gap_), 0.5f * within);
    }

    /// Half the thickness of the solids behind a face, where it is thinnest of three places.
    [[nodiscard]] float half_thickness_of(const Face& face, const Solid& own) const {
        const float inset = min(8.0f * gap_, 0.25f * face.length);
        float thickness = 2.0f * endless_length;
        for (const float place : {inset, 0.5f * face.length, face.length - inset}) {
            const Vec2 point = face.start + perpendicular(face.normal) * place;
            thickness = min(thickness, thickness_at(point, -face.normal, own));
        }
        return max(face.half_thickness, 0.5f * thickness);
    }
    /// The way through a solid and those that follow it.
    [[nodiscard]] float thickness_at(Vec2 point, Vec2 way, const Solid& own) const {
        constexpr int most_layers = 16;
        float thickness = part_within(own, point, way).high;
        for (int i = 0; i < most_layers; ++i) {
            const float before = thickness;
            for_each_at(point + way * before, [&](const Solid& solid) {
                const Interval within = part_within(solid, point, way);
                if (within.low <= before + gap_) thickness = max(thickness, within.high);
            });
            if (thickness == before) break;
        }
        return thickness;
    }

    float gap_ = 0.0f;
    float depth_ = 0.0f;
    Scratch<Solid> solids_;
    Scratch<AABB> bounds_;
    RowGrid grid_;            // of the bounds
    SortedIntervals covers_;  // of the current face
    Scratch<Gap> pieces_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// Face: a straight piece of the surface of terrain, solid on one side. Where does it begin and end?
//
// Terrain is not a pile of boxes, but the outer surface of their union. Each face knows its
// neighbours, so nothing catches where two meet. touch_faces.hpp says how shapes touch faces.
// At a convex corner the solid is divided along the bisector: each end of a face moves inwards by
// `lean` per metre of depth, tan(half the turn) [Ericson2005 §5.1, Voronoi regions], at most 1 like
// the axis rule; for the vertices of boxes the sides of boxes count as faces, too. At a concave
// corner both faces continue inside the solid behind each other, so that a shape pressed into one
// still touches the other.
//
// Along a face the solid is on the left: the faces of a polygon run counter-clockwise, and the
// normal is on the right.
#pragma once

#include <phys2d/math/lanes.hpp>
#include <phys2d/math/scalar.hpp>
#include <phys2d/shapes/segment.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// What is at the start of a face.
enum class CornerKind : std::uint8_t {
    Joined,     ///< the face before it, with a corner in between if their normals differ
    OpenStart,  ///< the open end where a surface begins: `before` is the normal of no face
    OpenEnd,    ///< the open end where a surface ends: `normal` is the normal of no face
};

/// A face from `start`, `length` long, along perpendicular(normal).
struct Face {
    Vec2 start{};             ///< position of its corner, if it has one
    Vec2 normal{0.0f, 1.0f};  ///< unit vector out of the solid
    Vec2 before{0.0f, 1.0f};  ///< normal of the previous face; own normal if there is no corner
    Vec2 after{};             ///< normal of the next face; zero if there is no corner
    float length = 0.0f;      ///< [m]; 0 for a corner without a face
    /// The interval along the face in which it can be touched, from `start` [m]. Where neighbours
    /// hide the face it extends beyond the ends. Empty if end < begin.
    float begin = 0.0f;
    float end = 0.0f;
    /// Inward shift of `begin` and `end` per metre of depth; a negative one counts up to the slop
    /// of boxes at corners only. Without a corner it is -1, or 0 on a slope.
    float lean_begin = -1.0f;
    float lean_end = -1.0f;
    float half_thickness = 0.0f;  ///< how deep the centre of a shape may be behind the face [m]
    std::uint32_t feature = 0;    ///< distinguishes the faces of a terrain in pairs; else 0
    CornerKind corner = CornerKind::Joined;
};

/// Length of the border of a half-space in either direction, and depth of its solid [m].
inline constexpr float endless_length = 1e17f;

/// A face with nothing known beside it: without corners.
[[nodiscard]] constexpr Face plain_face(Vec2 start, Vec2 normal, float length) {
    return {.start = start, .normal = normal, .before = normal, .length = length, .end = length};
}

/// A face that touches nothing.
inline constexpr Face no_face{.begin = 0.0f, .end = -1e30f};

/// Whether two unit vectors point the same way, within 8 degrees: faces to one side of a terrain.
[[nodiscard]] constexpr bool are_alike(Vec2 a, Vec2 b) { return dot(a, b) > 0.99f; }

/// Overlap with a face that continues this one, as a fraction of its length, or in tiles.
inline constexpr float joint_overlap = 1e-3f;

/// Eight faces in columns.
struct alignas(32) FaceBlock {
    static constexpr int size = 8;

    simd::VectorBlock<size> start, normal, before, after;
    float begin[size], end[size];
    float lean_begin[size], lean_end[size];
    float half_thickness[size];
    std::uint32_t feature[size];
    CornerKind corner[size];
    std::uint8_t no_bytes[3 * size];  // so that there are no gaps

    void set(int lane, const Face& face) {
        start.set(lane, face.start), normal.set(lane, face.normal);
        before.set(lane, face.before), after.set(lane, face.after);
        begin[lane] = face.begin, end[lane] = face.end;
        lean_begin[lane] = face.lean_begin, lean_end[lane] = face.lean_end;
        half_thickness[lane] = face.half_thickness;
        feature[lane] = face.feature;
        corner[lane] = face.corner;
    }
    /// The face of a lane, with everything that touching it needs; the length is not stored.
    [[nodiscard]] Face face(int lane) const {
        return {.start = start[lane],
                .normal = normal[lane],
                .before = before[lane],
                .after = after[lane],
                .length = 0.0f,
                .begin = begin[lane],
                .end = end[lane],
                .lean_begin = lean_begin[lane],
                .lean_end = lean_end[lane],
                .half_thickness = half_thickness[lane],
                .feature = feature[lane],
                .corner = corner[lane]};
    }
};

[[nodiscard]] constexpr Face translate(Face face, Vec2 displacement) {
    face.start += displacement;
    return face;
}
/// Scales a face about the origin.
[[nodiscard]] constexpr Face scale(Face face, float factor) {
    face.start *= factor;
    face.length = mul(face.length, factor);
    face.begin = mul(face.begin, factor);
    face.end = mul(face.end, factor);
    face.half_thickness = mul(face.half_thickness, factor);
    return face;
}

/// Whether the face is the border of a half-space.
[[nodiscard]] constexpr bool is_endless(const Face& face) { return face.begin == -endless_length; }

/// The visible part: without the parts behind its neighbours in the solid, except for a little
/// against rounding.
[[nodiscard]] constexpr Face seen_part(Face face) {
    if (is_endless(face)) return face;
    const float overlap = mul(0.1f * joint_overlap, face.length);
    face.begin = max(face.begin, -overlap);
    face.end = min(face.end, face.length + overlap);
    return face;
}

/// Whether `next` continues `direction`, to rounding.
[[nodiscard]] constexpr bool goes_straight(Vec2 direction, Vec2 next) {
    return abs(cross(direction, next)) <= 1e-5f && dot(direction, next) > 0.0f;
}

/// Whether a normal is not along an axis, so that the closest part of a box is a vertex.
[[nodiscard]] constexpr bool is_slanted(Vec2 normal) {
    return normal.x != 0.0f && normal.y != 0.0f;
}

/// How a surface turns at the end of a face: away from its open side, which makes a corner, or
/// towards it.
enum class Turn { Straight, Away, Towards };

[[nodiscard]] constexpr Turn turn_between(Vec2 normal, Vec2 next) {
    if (goes_straight(normal, next)) return Turn::Straight;
    return cross(normal, next) < 0.0f ? Turn::Towards : Turn::Away;
}

/// Grows with the angle from one unit vector to another, counter-clockwise, from -2 to 2.
[[nodiscard]] constexpr float turn_of(Vec2 from, Vec2 to) {
    const float across = cross(from, to);
    if (dot(from, to) >= 0.0f) return across;
    return across < 0.0f ? -2.0f - across : 2.0f - across;
}
/// The tangent of half the turn between two unit vectors, at most 1.
[[nodiscard]] constexpr float half_turn(Vec2 from, Vec2 to) {
    const float across = abs(cross(from, to));
    const float ahead = 1.0f + dot(from, to);
    return across < ahead ? across / ahead : 1.0f;
}

/// The next normal of a side of a box on the left of the normal of a slope.
[[nodiscard]] constexpr Vec2 axis_on_left(Vec2 normal) {
    const bool rises = mul(normal.x, normal.y) > 0.0f;
    return rises ? Vec2{0.0f, sign(normal.y)} : Vec2{sign(normal.x), 0.0f};
}
[[nodiscard]] constexpr Vec2 axis_on_right(Vec2 normal) {
    return -perpendicular(axis_on_left(normal));
}

/// The lean of a face where there is no corner.
[[nodiscard]] constexpr float lean_without_corner(Vec2 normal) {
    return is_slanted(normal) ? 0.0f : -1.0f;
}
/// The lean of a face at a turn to one with the normal `other`. If the normal `axis` of a side of a
/// box is between those of a slope and of the other face, it is that of the turn to the axis, and
/// counts up to the slop only: the vertex of a box that is deeper behind the slope does not leave
/// through the corner first.
[[nodiscard]] constexpr float lean_at(Turn turn, Vec2 normal, Vec2 other, Vec2 axis) {
    if (turn != Turn::Away) return lean_without_corner(normal);
    const bool is_way_out = mul(normal.x, other.x) >= 0.0f && mul(normal.y, other.y) >= 0.0f;
    return !is_slanted(normal) || is_way_out ? half_turn(normal, other) : -half_turn(normal, axis);
}
/// The same at the open end of a surface.
[[nodiscard]] constexpr float lean_at_open_end(Vec2 normal, Vec2 axis) {
    return is_slanted(normal) ? -half_turn(normal, axis) : -1.0f;
}

/// Makes a face begin where one with the normal `before` ends. `overlap`: how far it overlaps a
/// face that it continues.
constexpr Turn join_after(Face& face, Vec2 before, float overlap) {
    const Turn turn = turn_between(before, face.normal);
    face.lean_begin = lean_at(turn, face.normal, before, axis_on_right(face.normal));
    face.before = turn == Turn::Away ? before : face.normal;
    if (turn == Turn::Straight) face.begin = -overlap;
    return turn;
}
/// Makes a face end where one with the normal `after` begins.
constexpr Turn join_before(Face& face, Vec2 after, float overlap) {
    const Turn turn = turn_between(face.normal, after);
    face.lean_end = lean_at(turn, face.normal, after, axis_on_left(face.normal));
    face.after = turn == Turn::Away ? after : Vec2{};
    if (turn == Turn::Straight) face.end += overlap;
    return turn;
}

/// The corner at the open end of a surface whose last face has a normal.
[[nodiscard]] constexpr Face corner_at_end(Vec2 normal, Vec2 end) {
    Face corner = no_face;
    corner.start = end;
    corner.normal = perpendicular(normal);
    corner.before = normal;
    corner.corner = CornerKind::OpenEnd;
    return corner;
}
/// Makes a face begin at the open end of a surface.
constexpr void begin_open(Face& face) {
    face.before = -perpendicular(face.normal);
    face.corner = CornerKind::OpenStart;
    face.lean_begin = lean_at_open_end(face.normal, axis_on_right(face.normal));
}
/// Makes a face end at the open end of a surface.
constexpr void end_open(Face& face) {
    face.lean_end = lean_at_open_end(face.normal, axis_on_left(face.normal));
}

/// The normal at a corner that points more towards a direction. At an open end: that of the only
/// face there, or the normal across the end if that face points away.
[[nodiscard]] constexpr Vec2 side_at_corner(const Face& face, Vec2 direction) {
    const float ahead = dot(face.normal, direction);
    const float before_ahead = dot(face.before, direction);
    if (face.corner == CornerKind::OpenStart) return ahead > 0.0f ? face.normal : face.before;
    if (face.corner == CornerKind::OpenEnd) return before_ahead > 0.0f ? face.before : face.normal;
    return ahead < before_ahead ? face.before : face.normal;
}

/// The face from end to end; of an endless face, the part whose coordinates a float resolves to a
/// centimetre.
[[nodiscard]] constexpr Segment segment_of(const Face& face) {
    constexpr float far_off = 1e5f;
    const Vec2 along = perpendicular(face.normal);
    if (is_endless(face)) return {face.start - along * far_off, face.start + along * far_off};
    return {face.start, face.start + along * face.length};
}

/// The box around everything that a face touches; an endless face touches everything behind it.
[[nodiscard]] constexpr AABB bounds(const Face& face) {
    const Vec2 direction = perpendicular(face.normal);
    const Vec2 from = face.start + direction * min(face.begin, 0.0f);
    const Vec2 to = face.start + direction * max(face.end, 0.0f);
    const AABB line{min(from, to), max(from, to)};
    return is_endless(face) ? box_along(line, -face.normal * endless_length) : line;
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// Face: a straight piece of the surface of terrain, solid on one side. Where does it begin and end?
//
// Terrain is not a pile of boxes: it is the surface that is left when all that hides inside is left out. A
// face knows what comes before and after it, so that nothing catches where two of them meet. What touches it is said
// in touch_faces.hpp.
// In the solid, faces that turn away share it along the bisector: an end moves in by `lean` for each metre of
// depth, the tangent of half the turn [Ericson2005 §5.1, Voronoi regions], at most 1 like the axis rule. Where they
// turn towards each other both go on in the solid behind the other, so that what is pressed into the one still
// touches the other.
//
// Seen along a face its solid is on the left: around a polygon faces run counter-clockwise, and the normal is
// on the right.
#pragma once

#include <phys2d/math/scalar.hpp>
#include <phys2d/shapes/segment.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// What there is at the start of a face.
enum class Corner : std::uint8_t {
    Inner,  ///< the face before, or nothing
    First,  ///< the open end at which a surface begins: `before` is the normal of no face
    Last,   ///< that at which it ends: `normal` is that of no face
};

/// From `start` on `length` along perpendicular(normal).
struct Face {
    Vec2 start{};             ///< where its corner is, if it has one
    Vec2 normal{0.0f, 1.0f};  ///< unit vector out of the solid
    Vec2 before{0.0f, 1.0f};  ///< that of the face before, if there is a corner; else its own
    Vec2 after{};             ///< that of the face after, if there is a corner; else zero
    float length = 0.0f;      ///< [m]; 0 for a corner alone
    /// Where it begins and ends to touch, along it from `start` [m]: where its neighbours hide it, beyond its ends as
    /// well. Nothing touches it if end < begin.
    float begin = 0.0f;
    float end = 0.0f;
    /// How far these move in for each metre of depth.
    float lean_begin = 0.0f;
    float lean_end = 0.0f;
    float half_thickness = 0.0f;  ///< how deep the middle of a shape may be in, behind the face [m]
    std::uint32_t feature = 0;    ///< tells the faces of a terrain apart; 0 for `no_face` alone
    Corner corner = Corner::Inner;
};

/// As long as the border of a half-space is, either way, and as deep as its solid is [m].
inline constexpr float endless_length = 1e17f;

/// A face that nothing touches.
inline constexpr Face no_face{{}, {0.0f, 1.0f}, {0.0f, 1.0f}, {}, 0.0f, 0.0f, -1e30f};

/// How far a face goes on where another one continues it, in lengths of it or in tiles.
inline constexpr float joint_overlap = 1e-3f;

/// Eight faces, side by side.
struct alignas(32) FaceBlock {
    static constexpr int size = 8;

    float start_x[size], start_y[size];
    float normal_x[size], normal_y[size];
    float before_x[size], before_y[size];
    float after_x[size], after_y[size];
    float begin[size], end[size];
    float lean_begin[size], lean_end[size];
    float half_thickness[size];
    std::uint32_t feature[size];
    Corner corner[size];

    void set(int lane, const Face& face) {
        start_x[lane] = face.start.x, start_y[lane] = face.start.y;
        normal_x[lane] = face.normal.x, normal_y[lane] = face.normal.y;
        before_x[lane] = face.before.x, before_y[lane] = face.before.y;
        after_x[lane] = face.after.x, after_y[lane] = face.after.y;
        begin[lane] = face.begin, end[lane] = face.end;
        lean_begin[lane] = face.lean_begin, lean_end[lane] = face.lean_end;
        half_thickness[lane] = face.half_thickness;
        feature[lane] = face.feature;
        corner[lane] = face.corner;
    }
    /// What touching it takes; its length is not kept.
    [[nodiscard]] Face face(int lane) const {
        return {{start_x[lane], start_y[lane]},
                {normal_x[lane], normal_y[lane]},
                {before_x[lane], before_y[lane]},
                {after_x[lane], after_y[lane]},
                0.0f,
                begin[lane],
                end[lane],
                lean_begin[lane],
                lean_end[lane],
                half_thickness[lane],
                feature[lane],
                corner[lane]};
    }
};

[[nodiscard]] constexpr Face translate(Face face, Vec2 displacement) {
    face.start += displacement;
    return face;
}
/// Larger or smaller as seen from the origin.
[[nodiscard]] constexpr Face scale(Face face, float factor) {
    face.start *= factor;
    face.length = mul(face.length, factor);
    face.begin = mul(face.begin, factor);
    face.end = mul(face.end, factor);
    face.half_thickness = mul(face.half_thickness, factor);
    return face;
}

/// As far as it is seen: without what goes on in the solid behind its neighbours, but for a little against rounding.
[[nodiscard]] constexpr Face seen_part(Face face) {
    const float overlap = mul(0.1f * joint_overlap, face.length);
    face.begin = max(face.begin, -overlap);
    face.end = min(face.end, face.length + overlap);
    return face;
}

/// Whether a direction goes on in the next, but for rounding.
[[nodiscard]] constexpr bool goes_straight(Vec2 direction, Vec2 next) {
    return abs(cross(direction, next)) <= 1e-5f && dot(direction, next) > 0.0f;
}

/// Whether a normal is not along an axis, so that a vertex of a box is what comes nearest.
[[nodiscard]] constexpr bool is_slanted(Vec2 normal) {
    return normal.x != 0.0f && normal.y != 0.0f;
}

/// Where a surface turns at the end of a face: away from its open side, which makes a corner, or towards it.
enum class Turn { Straight, Away, Towards };

[[nodiscard]] constexpr Turn turn_between(Vec2 normal, Vec2 next) {
    if (goes_straight(normal, next)) return Turn::Straight;
    return cross(normal, next) < 0.0f ? Turn::Towards : Turn::Away;
}

/// How far the end of a face moves in for each metre of depth at a turn to a face with the normal `other`: the tangent
/// of half the turn, at most 1. The vertex of a box that is deepest in a slope has to be the one that comes out of the
/// other face first, or that is no way out.
[[nodiscard]] constexpr float lean_at(Turn turn, Vec2 normal, Vec2 other) {
    const bool is_way_out = mul(normal.x, other.x) >= 0.0f && mul(normal.y, other.y) >= 0.0f;
    if (turn != Turn::Away || (is_slanted(normal) && !is_way_out)) return 0.0f;
    const float across = abs(cross(normal, other));
    const float ahead = 1.0f + dot(normal, other);
    return across < ahead ? across / ahead : 1.0f;
}

/// Has a face begin where another one ends. `overlap`: how far it goes on if that one continues it.
constexpr Turn join_after(Face& face, const Face& before, float overlap) {
    const Turn turn = turn_between(before.normal, face.normal);
    face.lean_begin = lean_at(turn, face.normal, before.normal);
    face.before = turn == Turn::Away ? before.normal : face.normal;
    if (turn == Turn::Straight) face.begin = -overlap;
    return turn;
}
/// Has a face end where another one begins.
constexpr Turn join_before(Face& face, const Face& after, float overlap) {
    const Turn turn = turn_between(face.normal, after.normal);
    face.lean_end = lean_at(turn, face.normal, after.normal);
    face.after = turn == Turn::Away ? after.normal : Vec2{};
    if (turn == Turn::Straight) face.end += overlap;
    return turn;
}

/// The corner at the open end of a surface.
[[nodiscard]] constexpr Face corner_at_end(const Face& face, Vec2 end) {
    Face corner = no_face;
    corner.start = end;
    corner.normal = perpendicular(face.normal);
    corner.before = face.normal;
    corner.corner = Corner::Last;
    return corner;
}
/// Has a face begin at the open end of a surface.
constexpr void begin_open(Face& face) {
    face.before = -perpendicular(face.normal);
    face.corner = Corner::First;
}

/// The normal of the face at a corner that looks more the way of a direction. At an open end that is the one face there,
/// or the normal across it if that face does not look there.
[[nodiscard]] constexpr Vec2 side_at_corner(const Face& face, Vec2 direction) {
    const float ahead = dot(face.normal, direction);
    const float before_ahead = dot(face.before, direction);
    if (face.corner == Corner::First) return ahead > 0.0f ? face.normal : face.before;
    if (face.corner == Corner::Last) return before_ahead > 0.0f ? face.before : face.normal;
    return ahead < before_ahead ? face.before : face.normal;
}

/// Whether it is the border of a half-space.
[[nodiscard]] constexpr bool is_endless(const Face& face) { return face.begin == -endless_length; }

/// From end to end; of an endless face as much as a float can tell apart to a centimetre.
[[nodiscard]] constexpr Segment segment_of(const Face& face) {
    constexpr float far_off = 1e5f;
    const Vec2 along = perpendicular(face.normal);
    if (is_endless(face)) return {face.start - along * far_off, face.start + along * far_off};
    return {face.start, face.start + along * face.length};
}

/// The box around all that a face touches; what is anywhere behind an endless one touches it.
[[nodiscard]] constexpr AABB bounds(const Face& face) {
    const Vec2 direction = perpendicular(face.normal);
    const Vec2 from = face.start + direction * min(face.begin, 0.0f);
    const Vec2 to = face.start + direction * max(face.end, 0.0f);
    const AABB line{min(from, to), max(from, to)};
    return is_endless(face) ? merge(line, translate(line, -face.normal * endless_length)) : line;
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

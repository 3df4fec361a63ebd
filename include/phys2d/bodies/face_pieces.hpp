// SPDX-License-Identifier: MIT
// Face pieces: what is left of a face when parts of it are cut off?
#pragma once

#include <phys2d/bodies/sorted_intervals.hpp>
#include <phys2d/collision/face.hpp>
#include <phys2d/core/function_ref.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Is told of the pieces that are left of a face.
using PieceVisitor = FunctionRef<void(const Face& piece)>;

/// Makes a face begin without a corner. `overlap`: with what it continues [m].
constexpr void begin_without_corner(Face& face, float overlap = 0.0f) {
    face.before = face.normal;
    face.corner = CornerKind::Joined;
    face.begin = -overlap;
    face.lean_begin = lean_without_corner(face.normal);
}
constexpr void end_without_corner(Face& face, float overlap = 0.0f) {
    face.after = {};
    face.end = face.length + overlap;
    face.lean_end = lean_without_corner(face.normal);
}

/// A piece of a face that begins at a place along it [m], with the ends of the face.
[[nodiscard]] constexpr Face piece_of(const Face& face, float place, float length) {
    Face piece = face;
    piece.start += perpendicular(face.normal) * place;
    piece.length = length;
    piece.end = length + (face.end - face.length);
    return piece;
}

/// Calls see(piece) for what make(interval) makes of each piece of a face that is longer than `gap`
/// [m]. Each gets a feature of its own.
inline void see_pieces(Span<const Gap> pieces, float gap, std::uint32_t feature,
                       FunctionRef<Face(Interval)> make, PieceVisitor see) {
    constexpr std::uint32_t next_piece = 1 << 20;
    for (const auto& [piece, order] : pieces) {
        if (piece.high - piece.low <= gap) continue;
        Face face = make(piece);
        face.feature = feature;
        feature += next_piece;
        see(face);
    }
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

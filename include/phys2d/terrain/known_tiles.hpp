// SPDX-License-Identifier: MIT
// KnownTiles: the faces of tiles that were looked at lately, for those who look at the same tiles
// again and again, as characters do.
//
// Faces are known by what they are made from, 64-bit hashes of all tiles and of all kinds of their
// map: whoever edits the map, or shows another one, need not tell.
#pragma once

#include <phys2d/terrain/tile_surface.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class KnownTiles {
public:
    /// What the faces of some tiles depend on.
    struct Source {
        TileRect rect;
        Pinching pinching;
        float tile_size;  // [m]
        std::uint64_t tiles_hash, kinds_hash;

        friend bool operator==(const Source&, const Source&) = default;
    };
    struct KnownFace {
        Face face;
        std::uint16_t id;
    };

    /// The faces of a source, until the next call; make(add) calls add(face, id) for each if they
    /// are not known.
    [[nodiscard]] Span<const KnownFace> faces_of(const Source& source, auto make) {
        for (const Piece& piece : pieces_) {
            if (piece.source == source) return {faces_.data() + piece.begin, piece.count};
        }
        if (pieces_.size() == most_pieces) forget();
        const std::size_t begin = faces_.size();
        make([this](const Face& face, std::uint16_t id) { faces_.push_back({face, id}); });
        const std::size_t count = faces_.size() - begin;
        pieces_.push_back({source, begin, count});
        return {faces_.data() + begin, count};
    }

    void list_members(auto& archive) { archive(*this, pieces_, faces_); }

private:
    /// Walking to and fro takes two, in a corner four.
    static constexpr std::size_t most_pieces = 4;

    struct Piece {
        Source source;
        std::size_t begin, count;  // of its faces
    };

    void forget() {
        pieces_.clear();
        faces_.clear();
    }

    Scratch<Piece> pieces_;
    Scratch<KnownFace> faces_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

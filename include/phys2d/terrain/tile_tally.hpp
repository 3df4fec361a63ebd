// SPDX-License-Identifier: MIT
// TileTally: how many tiles are there, and do two grids hold the same ones?
#pragma once

#include <phys2d/terrain/tile_chunks.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The number of non-empty tiles, and a hash of all of them: the sum of one well-mixed number per
/// tile, so that each edit updates it and the order of edits does not matter.
class TileTally {
public:
    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] std::uint64_t hash() const { return hash_; }

    /// A tile that had the id `before` gets `id`.
    void change(TileCoord tile, std::uint16_t before, std::uint16_t id) {
        const std::uint64_t place =
            std::uint64_t{TileChunks::from_edge(tile.y)} << 32 | TileChunks::from_edge(tile.x);
        hash_ += mixed(place, id) - mixed(place, before);
        count_ += std::uint64_t{id != 0} - std::uint64_t{before != 0};
    }

private:
    /// The part of a tile in the hash: number `id` of the random sequence that starts at its
    /// coordinates; 0 for id 0, which is no tile. [Steele2014, SplitMix64]
    [[nodiscard]] static std::uint64_t mixed(std::uint64_t place, std::uint16_t id) {
        std::uint64_t z = place + id * 0x9E3779B97F4A7C15u;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
        z = (z ^ z >> 27) * 0x94D049BB133111EBu;
        return id == 0 ? 0 : z ^ z >> 31;
    }

    std::uint64_t count_ = 0;
    std::uint64_t hash_ = 0;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

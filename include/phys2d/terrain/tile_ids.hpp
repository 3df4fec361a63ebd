// SPDX-License-Identifier: MIT
// TileIds: which ids do the tiles of a chunk have?
//
// They are stored row by row from below, in a byte each or in two; id i of `tiles` begins at byte
// i * bytes. A chunk knows which of its rows hold tiles, so that the others are not read.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include <phys2d/core/bits.hpp>
#include <phys2d/core/span.hpp>
#include <phys2d/terrain/tile_parts.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

[[nodiscard]] inline std::uint16_t read_id(const unsigned char* tiles, std::size_t i, int bytes) {
    if (bytes == 1) return tiles[i];
    std::uint16_t id;
    std::memcpy(&id, tiles + 2 * i, 2);
    return id;
}

inline void write_id(unsigned char* tiles, std::size_t i, int bytes, std::uint16_t id) {
    if (bytes == 1) {
        tiles[i] = static_cast<unsigned char>(id);
    } else {
        std::memcpy(tiles + 2 * i, &id, 2);
    }
}

/// Whether all of `count` bytes are 0.
[[nodiscard]] inline bool are_zero(const void* data, std::int32_t count) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (; count >= 8; count -= 8, bytes += 8) {
        std::uint64_t word;
        std::memcpy(&word, bytes, sizeof word);
        if (word != 0) return false;
    }
    for (; count > 0; --count) {
        if (*bytes++ != 0) return false;
    }
    return true;
}

/// The ids of tiles in chunks. `chunk`: the number of the chunk that the tiles are in.
class TileIds {
public:
    explicit TileIds(int bytes_per_tile)
        : bytes_(bytes_per_tile), chunks_(static_cast<std::size_t>(bytes_per_tile)) {}

    [[nodiscard]] int bytes_per_tile() const { return bytes_; }
    [[nodiscard]] TileChunks& chunks() { return chunks_; }
    [[nodiscard]] const TileChunks& chunks() const { return chunks_; }
    /// The number of non-empty tiles.
    [[nodiscard]] std::uint64_t tile_count() const { return tile_count_; }
    /// A hash of all tiles: the sum of one well-mixed number per tile, so that each edit updates it
    /// and the order of edits does not matter.
    [[nodiscard]] std::uint64_t hash() const { return hash_; }

    [[nodiscard]] std::uint16_t at(std::int32_t chunk, TileCoord tile) const {
        return read_id(chunks_.tiles(chunk), place_of(tile), bytes_);
    }
    /// Sets the id of a tile, which is `before`.
    void set(std::int32_t chunk, TileCoord tile, std::uint16_t before, std::uint16_t id) {
        count(tile, before, id);
        write_id(chunks_.tiles(chunk), place_of(tile), bytes_, id);
        mark_row(chunk, tile, id != 0);
    }

    /// Sets the ids of neighbours in one row, from `first` on. Pre: at least one id.
    template <class Id>
    void set_row(std::int32_t chunk, TileCoord first, Span<const Id> ids) {
        unsigned char* tiles = bytes_of(chunk, first);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const TileCoord tile{first.x + static_cast<std::int32_t>(i), first.y};
            count(tile, read_id(tiles, i, bytes_), ids[i]);
            write_id(tiles, i, bytes_, ids[i]);
        }
        mark_row(chunk, first, ids[0] != 0);
    }

    /// Sets all ids of a part to one. O(rows that hold tiles) for 0.
    void fill(std::int32_t chunk, const TilePart& part, std::uint16_t id) {
        std::uint16_t ids[side];
        for (std::uint16_t& each : ids) each = id;
        const Span<const std::uint16_t> same(ids, detail::at(part.width));
        for (std::int32_t row = 0; row < part.height; ++row) {
            const TileCoord first{part.first.x, part.first.y + row};
            const bool may_change = id != 0 || (chunks_.rows(chunk) & row_bit(first)) != 0;
            if (may_change) set_row(chunk, first, same);
        }
    }

    /// Copies the ids of a part to rows with a distance of `stride`.
    template <class Id>
    void read(std::int32_t chunk, const TilePart& part, Id* to, std::size_t stride) const {
        const unsigned char* tiles = bytes_of(chunk, part.first);
        if (bytes_ == 1) return copy_part<1>(tiles, part, to, stride);
        copy_part<2>(tiles, part, to, stride);
    }

    /// A bit for each row of a part, from below: whether the row of the chunk holds tiles.
    [[nodiscard]] std::uint64_t rows_in(std::int32_t chunk, const TilePart& part) const {
        const std::uint64_t rows = chunks_.rows(chunk) >> (part.first.y & (side - 1));
        return rows & ~std::uint64_t{0} >> (side - part.height);
    }

    [[nodiscard]] bool is_empty(std::int32_t chunk, const TilePart& part) const {
        std::uint64_t rows = rows_in(chunk, part);
        const unsigned char* bytes = bytes_of(chunk, part.first);
        for (; rows != 0; rows >>= 1, bytes += side * bytes_) {
            if ((rows & 1) != 0 && !are_zero(bytes, part.width * bytes_)) return false;
        }
        return true;
    }

    /// Whether test(tile, id) holds for any tile of a part that is not empty.
    [[nodiscard]] bool any(std::int32_t chunk, const TilePart& part, auto& test) const {
        for (std::uint64_t rows = rows_in(chunk, part); rows != 0; rows &= rows - 1) {
            const std::int32_t y = part.first.y + std::countr_zero(rows);
            for (std::int32_t i = 0; i < part.width; ++i) {
                const TileCoord tile{part.first.x + i, y};
                const std::uint16_t id = at(chunk, tile);
                if (id != 0 && test(tile, id)) return true;
            }
        }
        return false;
    }

    void list_members(auto& archive) { archive(*this, bytes_, chunks_, tile_count_, hash_); }

private:
    static constexpr std::int32_t side = TileChunks::side;

    /// The index of a tile in its chunk.
    [[nodiscard]] static std::size_t place_of(TileCoord tile) {
        return detail::at(tile.y & (side - 1)) * detail::at(side) + detail::at(tile.x & (side - 1));
    }
    [[nodiscard]] static std::uint64_t row_bit(TileCoord tile) {
        return std::uint64_t{1} << (tile.y & (side - 1));
    }
    [[nodiscard]] unsigned char* bytes_of(std::int32_t chunk, TileCoord tile) const {
        return chunks_.tiles(chunk) + place_of(tile) * static_cast<std::size_t>(bytes_);
    }

    /// Counts a tile that had the id `before` and gets `id`.
    void count(TileCoord tile, std::uint16_t before, std::uint16_t id) {
        const std::uint64_t place =
            std::uint64_t{TileChunks::from_edge(tile.y)} << 32 | TileChunks::from_edge(tile.x);
        hash_ += part_of(place, id) - part_of(place, before);
        tile_count_ += std::uint64_t{id != 0} - std::uint64_t{before != 0};
    }
    /// The part of a tile in the hash: number `id` of the random sequence that starts at its
    /// coordinates; 0 for id 0, which is no tile. [Steele2014, SplitMix64]
    [[nodiscard]] static std::uint64_t part_of(std::uint64_t place, std::uint16_t id) {
        const std::uint64_t z = place + id * 0x9E3779B97F4A7C15u;
        return id == 0 ? 0 : mixed(z ^ z >> 30);
    }

    /// Updates whether the row of `tile` holds tiles: yes if `some`; otherwise it is searched.
    void mark_row(std::int32_t chunk, TileCoord tile, bool some) {
        const TileCoord start{tile.x & ~(side - 1), tile.y};
        some = some || !are_zero(bytes_of(chunk, start), side * bytes_);
        std::uint64_t& rows = chunks_.rows(chunk);
        rows = some ? rows | row_bit(tile) : rows & ~row_bit(tile);
    }

    template <int Bytes, class Id>
    static void copy_part(const unsigned char* tiles, const TilePart& part, Id* to,
                          std::size_t stride) {
        for (std::int32_t row = 0; row < part.height; ++row, tiles += side * Bytes, to += stride) {
            for (std::size_t i = 0; i < detail::at(part.width); ++i) {
                to[i] = static_cast<Id>(read_id(tiles, i, Bytes));
            }
        }
    }

    int bytes_;
    TileChunks chunks_;
    std::uint64_t tile_count_ = 0;
    std::uint64_t hash_ = 0;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

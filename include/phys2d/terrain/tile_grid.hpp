// SPDX-License-Identifier: MIT
// TileGrid: which tile is where?
//
// An unbounded plane of tile ids; only non-empty tiles take memory. Tiles are stored in chunks of
// 64 x 64, found through a hash table of their coordinates; a chunk knows which of its rows are
// empty, so that looking at air costs two loads. A tile takes 1 byte (or 2), everything else less
// than 2 % of a full chunk. Chunks lie in pages that never move, so growing copies nothing; chunks
// without tiles are reused. No result depends on the order in which the tiles were set.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include <phys2d/core/error.hpp>
#include <phys2d/core/span.hpp>
#include <phys2d/terrain/tile_ids.hpp>
#include <phys2d/terrain/tile_parts.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// A sparse grid of tile ids; 0 is an empty tile. Copies are deep; const calls from many threads at
/// once are fine. A call that fails because of its arguments changes nothing.
class TileGrid {
public:
    /// Ids are at most 255 with 1 byte per tile, 65,535 with 2. Other numbers are errors.
    explicit TileGrid(int bytes_per_tile = 1)
        : bytes_(checked(bytes_per_tile)), chunks_(static_cast<std::size_t>(bytes_per_tile)) {}
    TileGrid(const TileGrid&) = default;
    TileGrid& operator=(const TileGrid&) = default;
    TileGrid(TileGrid&& other) noexcept
        : bytes_(other.bytes_), chunks_(static_cast<std::size_t>(other.bytes_)) {
        swap(other);
    }
    TileGrid& operator=(TileGrid&& other) noexcept {
        TileGrid taken(static_cast<TileGrid&&>(other));
        swap(taken);
        return *this;
    }
    ~TileGrid() = default;

    [[nodiscard]] int bytes_per_tile() const { return bytes_; }
    [[nodiscard]] std::uint16_t largest_id() const { return bytes_ == 1 ? 255 : 65'535; }

    /// The id of a tile, O(1).
    [[nodiscard]] std::uint16_t at(TileCoord tile) const {
        const std::int32_t chunk = chunks_.find(tile);
        return chunk == none ? std::uint16_t{0} : id_at(chunk, tile);
    }

    /// Sets the id of a tile and returns the previous one. An id that is too large is an error.
    std::uint16_t set(TileCoord tile, std::uint16_t id) {
        require_fits(id, "set");
        std::int32_t chunk = chunks_.find(tile);
        const std::uint16_t before = chunk == none ? std::uint16_t{0} : id_at(chunk, tile);
        if (id == before) return before;
        if (chunk == none) chunk = chunks_.add(tile);
        account(tile, before, id);
        detail::write_id(chunks_.tiles(chunk), place_of(tile), bytes_, id);
        mark_row(chunk, tile, id != 0);
        if (id == 0) remove_if_empty(chunk);
        return before;
    }

    /// Sets all tiles of a rectangle to one id. O(tiles); for id 0 O(non-empty tiles).
    void fill(const TileRect& rect, std::uint16_t id);

    /// Copies the ids of a rectangle, row by row from below, each from left to right. A span with
    /// fewer than width x height elements is an error, as are bytes from a grid with 2 per tile.
    void read(const TileRect& rect, Span<std::uint16_t> out) const { read_rows(rect, out); }
    void read(const TileRect& rect, Span<std::uint8_t> out) const {
        detail::require(bytes_ == 1, "read: the grid has %d bytes a tile, expected 1", bytes_);
        read_rows(rect, out);
    }

    /// Whether all tiles of a rectangle are empty. O(1) per chunk that does not exist, and per
    /// empty row.
    [[nodiscard]] bool is_empty(const TileRect& rect) const {
        if (detail::is_in_one_chunk(rect)) {
            const std::int32_t chunk = chunks_.find(rect.min);
            return chunk == none || part_is_empty(chunk, detail::whole_part(rect));
        }
        return detail::for_each_part(chunks_, rect, [this](std::int32_t chunk, const Part& part) {
            return part_is_empty(chunk, part);
        });
    }

    /// Calls visit(tile, id) for each non-empty tile of a rectangle: by rows of chunks from below,
    /// each from left to right, and in the same order within a chunk. O(1) per chunk that does not
    /// exist, and per empty row. `visit` must not change the grid.
    template <class Visit>
    void for_each_tile(const TileRect& rect, Visit visit) const {
        (void)any_tile(rect, [&](TileCoord tile, std::uint16_t id) {
            visit(tile, id);
            return false;
        });
    }

    /// Whether test(tile, id) holds for any of them, asked in that order up to the first.
    template <class Test>
    [[nodiscard]] bool any_tile(const TileRect& rect, Test test) const {
        return !detail::for_each_part_in_order(
            chunks_, rect,
            [&](std::int32_t chunk, const Part& part) { return !any_tile_in(chunk, part, test); });
    }

    /// The rectangle without its rows below and above the ones that may hold tiles; empty if there
    /// are none. O(1) per chunk.
    [[nodiscard]] TileRect trim_rows(const TileRect& rect) const {
        using Limits = std::numeric_limits<std::int32_t>;
        TileRect trimmed{{rect.min.x, Limits::max()}, {rect.max.x, Limits::min()}};
        detail::for_each_part(chunks_, rect, [&](std::int32_t chunk, const Part& part) {
            const std::uint64_t rows = rows_in(chunk, part);
            if (rows == 0) return true;
            const std::int32_t lowest = part.first.y + std::countr_zero(rows);
            const std::int32_t highest = part.first.y + (side - 1 - std::countl_zero(rows));
            if (lowest < trimmed.min.y) trimmed.min.y = lowest;
            if (highest > trimmed.max.y) trimmed.max.y = highest;
            return true;
        });
        return trimmed;
    }

    /// Sets the tiles of a rectangle to ids that `read` has written; overwrites all of them. An id
    /// that is too large, or fewer ids than width x height, is an error.
    void load(const TileRect& rect, Span<const std::uint8_t> ids) { load_rows(rect, ids); }
    void load(const TileRect& rect, Span<const std::uint16_t> ids) { load_rows(rect, ids); }

    /// Sets all tiles of a rectangle to 0. The memory of chunks without tiles is reused for new
    /// ones. O(non-empty tiles).
    void unload(const TileRect& rect);

    /// Empties the grid and frees its memory.
    void clear() { *this = TileGrid(bytes_); }

    /// The number of non-empty tiles. O(1).
    [[nodiscard]] std::uint64_t tile_count() const { return tile_count_; }

    /// The smallest rectangle of whole chunks (64 x 64 tiles, from multiples of 64 on) that
    /// contains all tiles; empty if there are none. O(chunks).
    [[nodiscard]] TileRect bounds() const;

    /// Calls visit(part) for the parts of a rectangle that are in chunks which hold tiles: by rows
    /// of chunks from below, each from left to right. O(chunks in the rectangle, or in the grid if
    /// these are fewer; then it allocates 16 bytes per chunk). `visit` must not change the grid.
    template <class Visit>
    void for_each_chunk(const TileRect& rect, Visit visit) const {
        detail::for_each_part_in_order(chunks_, rect, [&](std::int32_t, const Part& part) {
            visit(TileRect{part.first,
                           {part.first.x + (part.width - 1), part.first.y + (part.height - 1)}});
            return true;
        });
    }
    /// The same for all chunks.
    template <class Visit>
    void for_each_chunk(Visit visit) const {
        for_each_chunk(bounds(), visit);
    }

    /// A 64-bit hash of all tiles and their ids, independent of the order in which they were set
    /// and of bytes_per_tile; 0 for an empty grid. O(1): the sum of one well-mixed number per tile,
    /// updated by every edit.
    [[nodiscard]] std::uint64_t hash() const { return hash_; }

    /// The size of the grid in memory [bytes], including memory kept for reuse.
    [[nodiscard]] std::size_t memory() const { return sizeof(*this) + chunks_.memory(); }

private:
    using Chunks = detail::TileChunks;
    static constexpr std::int32_t none = Chunks::none;
    static constexpr std::int32_t side = Chunks::side;
    using Part = detail::TilePart;

    [[nodiscard]] static int checked(int bytes_per_tile) {
        detail::require(bytes_per_tile == 1 || bytes_per_tile == 2,
                        "TileGrid: bytes_per_tile is %d, expected 1 or 2", bytes_per_tile);
        return bytes_per_tile;
    }
    void require_fits(std::uint16_t id, const char* call) const {
        detail::require(id <= largest_id(), "%s: the id is %d, expected at most %d", call, int{id},
                        int{largest_id()});
    }
    static void require_room(const TileRect& rect, std::size_t size, const char* call) {
        const auto width = static_cast<std::uint64_t>(rect.width());
        const auto height = static_cast<std::uint64_t>(rect.height());
        detail::require(width == 0 || size / width >= height,
                        "%s: the span holds %llu ids, expected at least %llu x %llu", call,
                        static_cast<unsigned long long>(size),
                        static_cast<unsigned long long>(width),
                        static_cast<unsigned long long>(height));
    }

    void swap(TileGrid& other) noexcept {
        std::swap(bytes_, other.bytes_);
        chunks_.swap(other.chunks_);
        std::swap(tile_count_, other.tile_count_);
        std::swap(hash_, other.hash_);
    }

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

    [[nodiscard]] std::uint16_t id_at(std::int32_t chunk, TileCoord tile) const {
        return detail::read_id(chunks_.tiles(chunk), place_of(tile), bytes_);
    }

    /// The part of a tile in the hash: number `id` of the random sequence that starts at its
    /// coordinates; 0 for id 0. [Steele2014, SplitMix64]
    [[nodiscard]] static std::uint64_t mixed(std::uint64_t place, std::uint16_t id) {
        std::uint64_t z = place + id * 0x9E3779B97F4A7C15u;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
        z = (z ^ z >> 27) * 0x94D049BB133111EBu;
        return id == 0 ? 0 : z ^ z >> 31;
    }

    void account(TileCoord tile, std::uint16_t before, std::uint16_t id) {
        const std::uint64_t place =
            std::uint64_t{Chunks::from_edge(tile.y)} << 32 | Chunks::from_edge(tile.x);
        if (id != 0) {
            hash_ += mixed(place, id);
            ++tile_count_;
        }
        if (before != 0) {
            hash_ -= mixed(place, before);
            --tile_count_;
        }
    }

    /// Sets the ids of `count` neighbours in one row of a chunk, from `first` on.
    void write(std::int32_t chunk, TileCoord first, const std::uint16_t* ids, std::int32_t count) {
        unsigned char* tiles = bytes_of(chunk, first);
        for (std::int32_t i = 0; i < count; ++i) {
            const auto place = static_cast<std::size_t>(i);
            account({first.x + i, first.y}, detail::read_id(tiles, place, bytes_), ids[i]);
            detail::write_id(tiles, place, bytes_, ids[i]);
        }
        mark_row(chunk, first, ids[0] != 0);
    }
    /// Updates whether the row of `tile` holds tiles: yes if `some`; otherwise it is searched.
    void mark_row(std::int32_t chunk, TileCoord tile, bool some) {
        const TileCoord start{tile.x & ~(side - 1), tile.y};
        some = some || !detail::are_zero(bytes_of(chunk, start), side * bytes_);
        std::uint64_t& rows = chunks_.rows(chunk);
        rows = some ? rows | row_bit(tile) : rows & ~row_bit(tile);
    }
    void remove_if_empty(std::int32_t chunk) {
        if (chunks_.rows(chunk) == 0) chunks_.remove(chunk);
    }

    template <class Test>
    [[nodiscard]] bool any_tile_in(std::int32_t chunk, const Part& part, Test& test) const {
        for (std::uint64_t rows = rows_in(chunk, part); rows != 0; rows &= rows - 1) {
            const std::int32_t y = part.first.y + std::countr_zero(rows);
            for (std::int32_t i = 0; i < part.width; ++i) {
                const TileCoord tile{part.first.x + i, y};
                const std::uint16_t id = id_at(chunk, tile);
                if (id != 0 && test(tile, id)) return true;
            }
        }
        return false;
    }

    /// A bit for each row of a part, from below: whether the row of the chunk holds tiles.
    [[nodiscard]] std::uint64_t rows_in(std::int32_t chunk, const Part& part) const {
        const std::uint64_t rows = chunks_.rows(chunk) >> (part.first.y & (side - 1));
        return rows & ~std::uint64_t{0} >> (side - part.height);
    }

    [[nodiscard]] bool part_is_empty(std::int32_t chunk, const Part& part) const {
        std::uint64_t rows = rows_in(chunk, part);
        const unsigned char* bytes = bytes_of(chunk, part.first);
        for (; rows != 0; rows >>= 1, bytes += side * bytes_) {
            if ((rows & 1) != 0 && !detail::are_zero(bytes, part.width * bytes_)) return false;
        }
        return true;
    }

    /// The index of a tile's id among those of a rectangle.
    [[nodiscard]] static std::size_t place_in(const TileRect& rect, TileCoord tile) {
        const std::int64_t row = std::int64_t{tile.y} - rect.min.y;
        return static_cast<std::size_t>(row * rect.width() + (std::int64_t{tile.x} - rect.min.x));
    }

    /// Copies rows of tiles to rows of ids with a distance of `stride`.
    template <int Bytes, class Id>
    static void copy_part(const unsigned char* tiles, const Part& part, Id* to,
                          std::size_t stride) {
        for (std::int32_t row = 0; row < part.height; ++row, tiles += side * Bytes, to += stride) {
            detail::copy_ids<Bytes>(tiles, detail::at(part.width), to);
        }
    }
    template <class Id>
    void read_rows(const TileRect& rect, Span<Id> out) const;
    template <class Id>
    void load_rows(const TileRect& rect, Span<const Id> ids);

    int bytes_;
    Chunks chunks_;
    std::uint64_t tile_count_ = 0;
    std::uint64_t hash_ = 0;
};

inline void TileGrid::fill(const TileRect& rect, std::uint16_t id) {
    require_fits(id, "fill");
    if (id == 0) return unload(rect);
    std::uint16_t ids[side];
    for (std::uint16_t& each : ids) each = id;
    detail::for_each_tile_part(rect, [&](const Part& part) {
        std::int32_t chunk = chunks_.find(part.first);
        if (chunk == none) chunk = chunks_.add(part.first);
        for (std::int32_t row = 0; row < part.height; ++row) {
            write(chunk, {part.first.x, part.first.y + row}, ids, part.width);
        }
        return true;
    });
}

inline void TileGrid::unload(const TileRect& rect) {
    const std::uint16_t ids[side] = {};
    detail::for_each_part(chunks_, rect, [&](std::int32_t chunk, const Part& part) {
        for (std::int32_t row = 0; row < part.height; ++row) {
            const TileCoord first{part.first.x, part.first.y + row};
            if ((chunks_.rows(chunk) & row_bit(first)) != 0) write(chunk, first, ids, part.width);
        }
        remove_if_empty(chunk);
        return true;
    });
}

template <class Id>
void TileGrid::read_rows(const TileRect& rect, Span<Id> out) const {
    require_room(rect, out.size(), "read");
    const auto stride = static_cast<std::size_t>(rect.width());
    detail::for_each_tile_part(rect, [&](const Part& part) {
        const std::int32_t chunk = chunks_.find(part.first);
        Id* to = out.data() + place_in(rect, part.first);
        if (chunk == none) {
            for (std::int32_t row = 0; row < part.height; ++row, to += stride) {
                std::memset(to, 0, detail::at(part.width) * sizeof(Id));
            }
        } else if (bytes_ == 1) {
            copy_part<1>(bytes_of(chunk, part.first), part, to, stride);
        } else {
            copy_part<2>(bytes_of(chunk, part.first), part, to, stride);
        }
        return true;
    });
}

template <class Id>
void TileGrid::load_rows(const TileRect& rect, Span<const Id> ids) {
    require_room(rect, ids.size(), "load");
    const std::size_t count = static_cast<std::size_t>(rect.width() * rect.height());
    for (std::size_t i = 0; i < count; ++i) require_fits(ids[i], "load");
    detail::for_each_tile_part(rect, [&](const Part& part) {
        std::int32_t chunk = chunks_.find(part.first);
        for (std::int32_t row = 0; row < part.height; ++row) {
            const TileCoord first{part.first.x, part.first.y + row};
            const Id* from = ids.data() + place_in(rect, first);
            std::uint16_t wide[side];
            bool any = false;
            for (std::size_t i = 0; i < detail::at(part.width); ++i) {
                wide[i] = from[i];
                any = any || from[i] != 0;
            }
            if (any && chunk == none) chunk = chunks_.add(first);
            if (chunk != none) write(chunk, first, wide, part.width);
        }
        if (chunk != none) remove_if_empty(chunk);
        return true;
    });
}

inline TileRect TileGrid::bounds() const {
    TileRect bounds{{0, 0}, {-1, -1}};
    for (std::int32_t chunk = 0; chunk < chunks_.end(); ++chunk) {
        if (chunks_.rows(chunk) == 0) continue;
        const TileCoord min = Chunks::corner_of(chunks_.key(chunk));
        const TileCoord max{min.x + (side - 1), min.y + (side - 1)};
        if (bounds.is_empty()) bounds = {min, max};
        if (min.x < bounds.min.x) bounds.min.x = min.x;
        if (min.y < bounds.min.y) bounds.min.y = min.y;
        if (max.x > bounds.max.x) bounds.max.x = max.x;
        if (max.y > bounds.max.y) bounds.max.y = max.y;
    }
    return bounds;
}

}  // namespace phys2d::inline PHYS2D_ABI

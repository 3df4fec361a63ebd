// SPDX-License-Identifier: MIT
// TileGrid: which tile is where?
//
// An unbounded plane of tile ids; only non-empty tiles take memory, in chunks of 64 x 64 (see
// tile_chunks.hpp). A chunk knows which of its rows are empty, so that looking at air costs two
// loads. A tile takes 1 byte (or 2), everything else less than 2 % of a full chunk. No result
// depends on the order in which the tiles were set.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include <phys2d/core/archive.hpp>
#include <phys2d/core/error.hpp>
#include <phys2d/core/function_ref.hpp>
#include <phys2d/core/span.hpp>
#include <phys2d/terrain/tile_ids.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// A sparse grid of tile ids; 0 is an empty tile. Copies are deep; const calls from many threads at
/// once are fine. A call that fails because of its arguments changes nothing.
class TileGrid {
public:
    /// Ids are at most 255 with 1 byte per tile, 65,535 with 2. Other numbers are errors.
    explicit TileGrid(int bytes_per_tile = 1) : ids_(checked(bytes_per_tile)) {}
    TileGrid(const TileGrid&) = default;
    TileGrid& operator=(const TileGrid&) = default;
    TileGrid(TileGrid&& other) noexcept : ids_(other.bytes_per_tile()) {
        std::swap(ids_, other.ids_);
    }
    TileGrid& operator=(TileGrid&& other) noexcept {
        TileGrid taken(static_cast<TileGrid&&>(other));
        std::swap(ids_, taken.ids_);
        return *this;
    }
    ~TileGrid() = default;

    [[nodiscard]] int bytes_per_tile() const { return ids_.bytes_per_tile(); }
    [[nodiscard]] std::uint16_t largest_id() const { return bytes_per_tile() == 1 ? 255 : 65'535; }

    /// The id of a tile, O(1).
    [[nodiscard]] std::uint16_t at(TileCoord tile) const {
        const std::int32_t chunk = chunks().find(tile);
        return chunk == none ? std::uint16_t{0} : ids_.at(chunk, tile);
    }

    /// Sets the id of a tile and returns the previous one. An id that is too large is an error.
    std::uint16_t set(TileCoord tile, std::uint16_t id) {
        require_fits(id, "set");
        std::int32_t chunk = chunks().find(tile);
        const std::uint16_t before = chunk == none ? std::uint16_t{0} : ids_.at(chunk, tile);
        if (id == before) return before;
        if (chunk == none) chunk = chunks().add(tile);
        ids_.set(chunk, tile, before, id);
        remove_if_empty(chunk);
        return before;
    }

    /// Sets all tiles of a rectangle to one id. An id that is too large is an error. O(tiles); for
    /// id 0 O(non-empty tiles).
    void fill(const TileRect& rect, std::uint16_t id);

    /// Copies the ids of a rectangle, row by row from below, each from left to right. A span with
    /// fewer than width x height elements is an error, as are bytes from a grid with 2 per tile.
    void read(const TileRect& rect, Span<std::uint16_t> out) const { read_rows(rect, out); }
    void read(const TileRect& rect, Span<std::uint8_t> out) const {
        detail::require(bytes_per_tile() == 1, "read: the grid has %d bytes a tile, expected 1",
                        bytes_per_tile());
        read_rows(rect, out);
    }

    /// Whether all tiles of a rectangle are empty. O(1) per chunk that does not exist, and per
    /// empty row.
    [[nodiscard]] bool is_empty(const TileRect& rect) const {
        return detail::for_each_part(chunks(), rect, [this](std::int32_t chunk, const Part& part) {
            return ids_.is_empty(chunk, part);
        });
    }

    /// Calls visit(tile, id) for each non-empty tile of a rectangle: by rows of chunks from below,
    /// each from left to right, and in the same order within a chunk. O(1) per chunk that does not
    /// exist, and per empty row; allocates as `for_each_chunk` does. `visit` must not change the
    /// grid.
    template <class Visit>
    void for_each_tile(const TileRect& rect, Visit visit) const {
        (void)any_tile(rect, detail::visiting(visit));
    }

    /// Whether test(tile, id) holds for any of them, asked in that order up to the first.
    template <class Test>
    [[nodiscard]] bool any_tile(const TileRect& rect, Test test) const {
        return !detail::for_each_part_in_order(
            chunks(), rect,
            [&](std::int32_t chunk, const Part& part) { return !ids_.any(chunk, part, test); });
    }

    /// The rectangle without its rows below and above the ones that may hold tiles; empty if there
    /// are none. O(1) per chunk.
    [[nodiscard]] TileRect trim_rows(const TileRect& rect) const {
        using Limits = std::numeric_limits<std::int32_t>;
        TileRect trimmed{{rect.min.x, Limits::max()}, {rect.max.x, Limits::min()}};
        detail::for_each_part(chunks(), rect, [&](std::int32_t chunk, const Part& part) {
            const std::uint64_t rows = ids_.rows_in(chunk, part);
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
    void clear() { *this = TileGrid(bytes_per_tile()); }

    /// The number of non-empty tiles. O(1).
    [[nodiscard]] std::uint64_t tile_count() const { return ids_.tile_count(); }

    /// The smallest rectangle of whole chunks (64 x 64 tiles, from multiples of 64 on) that
    /// contains all tiles; empty if there are none. O(chunks).
    [[nodiscard]] TileRect bounds() const;

    /// Calls visit(part) for the parts of a rectangle that are in chunks which hold tiles: by rows
    /// of chunks from below, each from left to right. O(chunks in the rectangle, or in the grid if
    /// these are fewer; then it sorts them, and allocates 8 bytes each). `visit` must not change
    /// the grid.
    template <class Visit>
    void for_each_chunk(const TileRect& rect, Visit visit) const {
        detail::for_each_part_in_order(chunks(), rect, [&](std::int32_t, const Part& part) {
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
    [[nodiscard]] std::uint64_t hash() const { return ids_.hash(); }

    /// The size of the grid in memory [bytes], including memory kept for reuse.
    [[nodiscard]] std::size_t memory() const { return sizeof(*this) + chunks().memory(); }

private:
    template <class Stream>
    friend class detail::Archive;
    void list_members(auto& archive) { archive(*this, ids_); }

    using Chunks = detail::TileChunks;
    using Part = detail::TilePart;
    static constexpr std::int32_t none = Chunks::none;
    static constexpr std::int32_t side = Chunks::side;

    [[nodiscard]] Chunks& chunks() { return ids_.chunks(); }
    [[nodiscard]] const Chunks& chunks() const { return ids_.chunks(); }

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

    void remove_if_empty(std::int32_t chunk) {
        if (chunks().rows(chunk) == 0) chunks().remove(chunk);
    }

    /// The index of a tile's id among those of a rectangle.
    [[nodiscard]] static std::size_t place_in(const TileRect& rect, TileCoord tile) {
        const std::int64_t row = std::int64_t{tile.y} - rect.min.y;
        return static_cast<std::size_t>(row * rect.width() + (std::int64_t{tile.x} - rect.min.x));
    }

    template <class Id>
    void read_rows(const TileRect& rect, Span<Id> out) const;
    template <class Id>
    void load_rows(const TileRect& rect, Span<const Id> ids);

    detail::TileIds ids_;
};

inline void TileGrid::fill(const TileRect& rect, std::uint16_t id) {
    require_fits(id, "fill");
    if (id == 0) return unload(rect);
    detail::for_each_tile_part(rect, [&](const Part& part) {
        std::int32_t chunk = chunks().find(part.first);
        if (chunk == none) chunk = chunks().add(part.first);
        ids_.fill(chunk, part, id);
        return true;
    });
}

inline void TileGrid::unload(const TileRect& rect) {
    detail::for_each_part(chunks(), rect, [&](std::int32_t chunk, const Part& part) {
        ids_.fill(chunk, part, 0);
        remove_if_empty(chunk);
        return true;
    });
}

template <class Id>
void TileGrid::read_rows(const TileRect& rect, Span<Id> out) const {
    require_room(rect, out.size(), "read");
    const auto stride = static_cast<std::size_t>(rect.width());
    detail::for_each_tile_part(rect, [&](const Part& part) {
        const std::int32_t chunk = chunks().find(part.first);
        Id* to = out.data() + place_in(rect, part.first);
        if (chunk == none) {
            for (std::int32_t row = 0; row < part.height; ++row, to += stride) {
                std::memset(to, 0, detail::at(part.width) * sizeof(Id));
            }
        } else {
            ids_.read(chunk, part, to, stride);
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
        std::int32_t chunk = chunks().find(part.first);
        for (std::int32_t row = 0; row < part.height; ++row) {
            const TileCoord first{part.first.x, part.first.y + row};
            const Span<const Id> from{ids.data() + place_in(rect, first), detail::at(part.width)};
            const auto bytes = part.width * static_cast<std::int32_t>(sizeof(Id));
            if (chunk == none && !detail::are_zero(from.data(), bytes)) chunk = chunks().add(first);
            if (chunk != none) ids_.set_row(chunk, first, from);
        }
        if (chunk != none) remove_if_empty(chunk);
        return true;
    });
}

inline TileRect TileGrid::bounds() const {
    TileRect bounds{{0, 0}, {-1, -1}};
    for (std::int32_t chunk = 0; chunk < chunks().end(); ++chunk) {
        if (chunks().rows(chunk) == 0) continue;
        const TileCoord min = Chunks::corner_of(chunks().key(chunk));
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

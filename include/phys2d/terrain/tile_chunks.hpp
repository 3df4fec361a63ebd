// SPDX-License-Identifier: MIT
// TileChunks: where in memory is a tile?
//
// Chunks of 64 x 64 tiles, found through a hash table of their coordinates. They lie in pages that
// never move, so growing copies nothing, and chunks without tiles are reused. No result depends on
// the order of the table.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>

#include <phys2d/core/array.hpp>
#include <phys2d/terrain/tile_coord.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Memory in blocks of equal size: one in the first page, since most maps that move are small, and
/// eight in each other one.
class BlockPages {
public:
    explicit BlockPages(std::size_t block_bytes) : block_bytes_(block_bytes) {}
    BlockPages(const BlockPages& other) : BlockPages(other.block_bytes_) { copy_from(other); }
    BlockPages& operator=(const BlockPages& other) {
        if (this == &other) return *this;
        if (block_bytes_ != other.block_bytes_) shrink_to(0);
        block_bytes_ = other.block_bytes_;
        copy_from(other);
        return *this;
    }
    BlockPages(BlockPages&& other) noexcept : block_bytes_(other.block_bytes_) {
        pages_.swap(other.pages_);
    }
    BlockPages& operator=(BlockPages&& other) noexcept {
        std::swap(block_bytes_, other.block_bytes_);
        pages_.swap(other.pages_);
        return *this;
    }
    ~BlockPages() { shrink_to(0); }

    /// Makes room for `count` blocks; new ones are zero bytes.
    void make_room(std::size_t count) {
        while (blocks_in(pages_.size()) < count) {
            const std::size_t bytes = bytes_of(pages_.size());
            pages_.reserve_twice(pages_.size() + 1);  // so that adding the page cannot throw
            pages_.push_back(static_cast<unsigned char*>(::operator new(bytes, cache_line)));
            std::memset(pages_.back(), 0, bytes);
        }
    }

    [[nodiscard]] unsigned char* block(std::size_t i) const {
        const std::size_t place = i + blocks_per_page - 1;  // as if the first page were full, too
        const std::size_t from_end = place % blocks_per_page;
        return pages_[place / blocks_per_page] + (blocks_per_page - 1 - from_end) * block_bytes_;
    }

    [[nodiscard]] std::size_t memory() const {
        return blocks_in(pages_.size()) * block_bytes_ + pages_.capacity() * sizeof(unsigned char*);
    }

    void list_members(auto& archive) {
        archive.add(block_bytes_);
        make_room(blocks_in(archive.count_of(pages_.size(), 0)));
        for (std::size_t i = 0; i < pages_.size(); ++i) archive.bytes(pages_[i], bytes_of(i));
    }

private:
    static constexpr std::size_t blocks_per_page = 8;

    [[nodiscard]] static std::size_t blocks_in(std::size_t pages) {
        return pages == 0 ? 0 : pages * blocks_per_page - (blocks_per_page - 1);
    }
    [[nodiscard]] std::size_t bytes_of(std::size_t page) const {
        return (page == 0 ? 1 : blocks_per_page) * block_bytes_;
    }

    void copy_from(const BlockPages& other) {
        shrink_to(other.pages_.size());
        make_room(blocks_in(other.pages_.size()));
        for (std::size_t i = 0; i < pages_.size(); ++i) {
            std::memcpy(pages_[i], other.pages_[i], bytes_of(i));
        }
    }
    void shrink_to(std::size_t count) {
        for (; pages_.size() > count; pages_.pop_back()) {
            ::operator delete(pages_.back(), cache_line);
        }
    }

    std::size_t block_bytes_;
    Array<unsigned char*> pages_;
};

/// The chunks that hold tiles, by number and by coordinates. The number of a chunk stays the same
/// while it exists.
class TileChunks {
public:
    static constexpr std::int32_t none = -1;
    static constexpr std::int32_t side = 64;

    explicit TileChunks(std::size_t bytes_per_tile)
        : pages_(static_cast<std::size_t>(side * side) * bytes_per_tile) {}

    /// The chunk that holds `tile`, or `none`.
    [[nodiscard]] std::int32_t find(TileCoord tile) const {
        if (table_.empty()) return none;
        const std::uint64_t key = key_of(tile);
        for (std::size_t place = home_of(key);; place = next(place)) {
            const std::int32_t chunk = table_[place];
            if (chunk == none || chunks_[chunk].key == key) return chunk;
        }
    }

    /// Adds a chunk of empty tiles that contains `tile`. Pre: there is none; a tile is set before
    /// the next call.
    std::int32_t add(TileCoord tile) {
        grow_table();
        const std::int32_t chunk = free_ == none ? end() : free_;
        if (free_ == none) {
            pages_.make_room(chunks_.size() + 1);
            chunks_.push_back({});
        } else {
            free_ = static_cast<std::int32_t>(chunks_[chunk].key) - 1;
        }
        chunks_[chunk].key = key_of(tile);
        enter(chunk);
        ++count_;
        return chunk;
    }

    /// Removes a chunk. Pre: all its tiles are empty.
    void remove(std::int32_t chunk) {
        leave_table(chunk);
        chunks_[chunk].key = at(free_ + 1);
        free_ = chunk;
        --count_;
    }

    /// The number of chunks that hold tiles.
    [[nodiscard]] std::size_t count() const { return count_; }
    /// All numbers are below this; chunks without rows are free.
    [[nodiscard]] std::int32_t end() const { return static_cast<std::int32_t>(chunks_.size()); }

    /// Bit y: whether row y holds tiles.
    [[nodiscard]] std::uint64_t& rows(std::int32_t chunk) { return chunks_[chunk].rows; }
    [[nodiscard]] std::uint64_t rows(std::int32_t chunk) const { return chunks_[chunk].rows; }
    [[nodiscard]] unsigned char* tiles(std::int32_t chunk) const { return pages_.block(at(chunk)); }

    /// A key that sorts by rows of chunks, and within a row by column.
    [[nodiscard]] static std::uint64_t key_of(TileCoord tile) {
        return std::uint64_t{from_edge(tile.y) / side} << key_bits | from_edge(tile.x) / side;
    }
    [[nodiscard]] std::uint64_t key(std::int32_t chunk) const { return chunks_[chunk].key; }
    /// The lower left tile of a chunk.
    [[nodiscard]] static TileCoord corner_of(std::uint64_t key) {
        const auto coordinate = [](std::uint64_t edges) {
            return static_cast<std::int32_t>(static_cast<std::uint32_t>(edges * side) ^
                                             0x80000000u);
        };
        return {coordinate(key & ((1u << key_bits) - 1)), coordinate(key >> key_bits)};
    }

    /// A coordinate relative to the lowest one, so that it is unsigned.
    [[nodiscard]] static constexpr std::uint32_t from_edge(std::int32_t x) {
        return static_cast<std::uint32_t>(x) ^ 0x80000000u;
    }

    [[nodiscard]] std::size_t memory() const {
        return pages_.memory() + chunks_.capacity() * sizeof(Chunk) +
               table_.capacity() * sizeof(std::int32_t);
    }

    void list_members(auto& archive) {
        archive(*this, pages_, chunks_, table_, table_shift_, count_, free_);
    }

private:
    static constexpr int key_bits = 26;  // per axis

    struct Chunk {
        std::uint64_t key;  // of a free chunk: 1 + the number of the next free one, 0 for none
        std::uint64_t rows;
    };

    [[nodiscard]] std::size_t next(std::size_t place) const {
        return (place + 1) & (table_.size() - 1);
    }
    /// The first table index tried for a key. Spreads the chunks of any filled rectangle evenly,
    /// with hardly any collisions: the multiples of 1/p and 1/p², p the plastic number
    /// (p³ = p + 1), keep their distance modulo 1.
    [[nodiscard]] std::size_t home_of(std::uint64_t key) const {
        const std::uint64_t x = key & ((1u << key_bits) - 1);
        const std::uint64_t y = key >> key_bits;
        return static_cast<std::size_t>((x * 0xC13FA9A902A6328Fu + y * 0x91E10DA5C79E7B1Du) >>
                                        table_shift_);
    }

    void enter(std::int32_t chunk) {
        std::size_t place = home_of(key(chunk));
        while (table_[place] != none) place = next(place);
        table_[place] = chunk;
    }

    /// Removes a chunk from the table and closes the gap: later entries move up, but not past their
    /// first index.
    void leave_table(std::int32_t chunk) {
        std::size_t gap = home_of(key(chunk));
        while (table_[gap] != chunk) gap = next(gap);
        const std::size_t mask = table_.size() - 1;
        for (std::size_t place = next(gap); table_[place] != none; place = next(place)) {
            const std::size_t from_home = (place - home_of(key(table_[place]))) & mask;
            if (from_home < ((place - gap) & mask)) continue;
            table_[gap] = table_[place];
            gap = place;
        }
        table_[gap] = none;
    }

    /// Keeps at least half of the table free, with one more chunk. So it has room for as many as
    /// there ever were: where it grows, none is free.
    void grow_table() {
        if (2 * (count_ + 1) <= table_.size()) return;
        const std::size_t size = table_.empty() ? 16 : 2 * table_.size();
        table_.reserve(size);
        table_.assign(size, none);
        table_shift_ = 64 - std::countr_zero(size);
        for (std::int32_t chunk = 0; chunk < end(); ++chunk) enter(chunk);
    }

    BlockPages pages_;
    Array<Chunk> chunks_;
    Array<std::int32_t> table_;  // of chunks; open addressing, linear probing [Knuth1998 §6.4]
    int table_shift_ = 0;        // leaves the bits of a table index
    std::size_t count_ = 0;
    std::int32_t free_ = none;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// tile_ids: how are the ids of tiles stored?
// In a byte each or in two, as the grid has it; id i of `tiles` begins at byte i * bytes.
#pragma once

#include <cstdint>
#include <cstring>

#include <phys2d/core/abi.hpp>

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

/// Copies `count` ids.
template <int Bytes, class Id>
void copy_ids(const unsigned char* tiles, std::size_t count, Id* to) {
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        for (std::size_t k = i; k < i + 4; ++k) to[k] = static_cast<Id>(read_id(tiles, k, Bytes));
    }
    for (; i < count; ++i) to[i] = static_cast<Id>(read_id(tiles, i, Bytes));
}

template <class Word>
[[nodiscard]] Word word_at(const unsigned char* bytes) {
    Word word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

/// Whether all of `count` bytes are 0.
[[nodiscard]] inline bool are_zero(const unsigned char* bytes, std::int32_t count) {
    for (; count >= 8; count -= 8, bytes += 8) {
        if (word_at<std::uint64_t>(bytes) != 0) return false;
    }
    if ((count & 4) != 0) {
        if (word_at<std::uint32_t>(bytes) != 0) return false;
        bytes += 4;
    }
    for (count &= 3; count > 0; --count) {
        if (*bytes++ != 0) return false;
    }
    return true;
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

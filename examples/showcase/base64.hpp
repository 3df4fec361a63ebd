// SPDX-License-Identifier: MIT
// base64: bytes as text that needs no escaping. [RFC4648 §4]
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace showcase {

/// Four characters for each three bytes; the last group is filled up with `=`.
inline std::string base64(std::span<const std::uint8_t> bytes) {
    constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t present = bytes.size() - i;
        std::uint32_t group = std::uint32_t{bytes[i]} << 16;
        if (present > 1) group |= std::uint32_t{bytes[i + 1]} << 8;
        if (present > 2) group |= std::uint32_t{bytes[i + 2]};
        text += digits[group >> 18];
        text += digits[group >> 12 & 63];
        text += present > 1 ? digits[group >> 6 & 63] : '=';
        text += present > 2 ? digits[group & 63] : '=';
    }
    return text;
}

}  // namespace showcase

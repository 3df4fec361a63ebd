// SPDX-License-Identifier: MIT
// motion: how do the paths of ten thousand bodies fit into a page of a few megabytes?
// Positions become integers in units too small to see. Most bodies rest or fly on, so the residual
// of a coordinate after linear extrapolation,
//   rest = now - (2 * last - the one before),
// is nearly always close to 0: a few bits in a Rice code, which writes a number u as u >> k ones, a
// zero, and the k low bits. k follows the mean of the last residuals of the coordinate. [Rice1979]
// `unpack_motion` in player.html decodes it.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <phys2d/shapes/aabb.hpp>

namespace showcase {

/// A position is offset + scale * (a whole number from -32767 to 32767) / 32767.
struct PackedMotion {
    phys2d::Vec2 scale;
    phys2d::Vec2 offset;
    std::vector<std::uint8_t> bytes;
};

/// Bits in a row, the most significant one of each byte first.
class BitWriter {
public:
    void put(std::uint32_t bits, int count) {
        for (int i = count - 1; i >= 0; --i) put_bit(bits >> i & 1u);
    }
    void put_rice(std::uint32_t number, int k) {
        const std::uint32_t ones = number >> k;
        if (ones >= longest) {
            put((1u << longest) - 1u, longest);
            put(number, widest);
        } else {
            put((1u << (ones + 1u)) - 2u, static_cast<int>(ones) + 1);
            put(number, k);
        }
    }
    [[nodiscard]] std::vector<std::uint8_t> take() { return std::move(bytes_); }

private:
    static constexpr int longest = 15;  ///< this many ones announce a number as it is,
    static constexpr int widest = 18;   ///< in this many bits

    void put_bit(std::uint32_t bit) {
        if (room_ == 0) {
            bytes_.push_back(0);
            room_ = 8;
        }
        bytes_.back() = static_cast<std::uint8_t>(bytes_.back() | bit << --room_);
    }

    std::vector<std::uint8_t> bytes_;
    int room_ = 0;
};

/// One coordinate of one body over all frames.
inline void pack_track(std::span<const std::int32_t> track, BitWriter& bits) {
    std::int32_t last = track[0];
    std::int32_t before = last;
    std::uint32_t mean = 0;  // in sixteenths
    bits.put(static_cast<std::uint32_t>(last), 16);
    for (const std::int32_t now : track.subspan(1)) {
        const std::int32_t rest = now - (2 * last - before);
        const auto folded = static_cast<std::uint32_t>(rest < 0 ? -2 * rest - 1 : 2 * rest);
        bits.put_rice(folded, static_cast<int>(std::bit_width(mean >> 5)));
        mean += 4 * folded - (mean >> 2);
        before = last;
        last = now;
    }
}

/// Whole numbers that are `step` [m] apart, or further where that is needed to reach everything.
inline PackedMotion choose_scale(std::span<const phys2d::Vec2> positions, float step) {
    phys2d::AABB reach{positions[0], positions[0]};
    for (const phys2d::Vec2 position : positions) reach = merge(reach, position);
    const float least = 32767.0f * step;
    return {max(half_extents(reach), {least, least}), center(reach), {}};
}

/// `positions`: frame after frame, all bodies each. Packed are body after body, x before y.
inline PackedMotion pack_motion(std::span<const phys2d::Vec2> positions, std::size_t bodies,
                                float step) {
    PackedMotion packed = choose_scale(positions, step);
    const auto steps = [](float from_offset, float scale) {
        return static_cast<std::int32_t>(std::lround(from_offset / scale * 32767.0f));
    };
    BitWriter bits;
    std::vector<std::int32_t> x(positions.size() / bodies);
    std::vector<std::int32_t> y(x.size());
    for (std::size_t body = 0; body < bodies; ++body) {
        for (std::size_t frame = 0; frame < x.size(); ++frame) {
            const phys2d::Vec2 place = positions[frame * bodies + body] - packed.offset;
            x[frame] = steps(place.x, packed.scale.x);
            y[frame] = steps(place.y, packed.scale.y);
        }
        pack_track(x, bits);
        pack_track(y, bits);
    }
    packed.bytes = bits.take();
    return packed;
}

}  // namespace showcase

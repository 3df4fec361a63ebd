// SPDX-License-Identifier: MIT
// ProbeSet: the probe points and vectors of a character in a world of tiles. BoxProbes: those of a
// box. character/probes.hpp says what they do. Lengths are in tiles.
#pragma once

#include <initializer_list>

#include <phys2d/core/error.hpp>
#include <phys2d/core/span.hpp>
#include <phys2d/math/vec2.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// A point of the character that never enters a tile.
struct SweptProbe {
    Vec2 offset{};  ///< from the position
};

/// A vector fixed to the character, from its inside to its border. It pushes the character back by
/// its length inside a tile, and does nothing if it begins in one.
struct RepellingProbe {
    Vec2 from{};  ///< from the position
    Vec2 to{};    ///< from the position
};

/// The probes of one character. The spans must outlive the set.
struct ProbeSet {
    Span<const SweptProbe> swept{};
    Span<const RepellingProbe> repelling{};
    float max_slope = 1.0f;  ///< steepest walkable slope, rise over run; 1 is 45 degrees
    /// Gap between probes and faces [tiles]; > 0, and several times the rounding of coordinates.
    /// Lower: it stands closer to what it touches, but slows down on slopes far from the origin.
    float epsilon = 0x1p-10f;
    /// Largest distance it moves down to follow ground that falls away [tiles]; 0 disables. Higher:
    /// it follows slopes at more speed. Off a step it falls, unless a slope of `max_slope` goes
    /// down as far in the same move.
    float put_down = 0.5f;
};

/// The probes of a box around the position: swept ones at the corners and along the sides,
/// repelling ones from its middle lines to the sides. A set() points into the BoxProbes.
class BoxProbes {
public:
    static constexpr std::size_t max_count = 64;  ///< of swept probes

    /// Neighbouring probes are at most `spacing` apart [tiles], and every side has one in its
    /// middle: a spacing of 1 stops whole tiles, 0.5 half tiles too. Errors: a half extent or a
    /// spacing <= 0, more than `max_count` probes.
    explicit BoxProbes(Vec2 half_extents, float spacing = 0.5f) {
        detail::require(half_extents.x > 0.0f && half_extents.y > 0.0f && spacing > 0.0f,
                        "BoxProbes: half extents (%g, %g) with spacing %g, expected numbers > 0",
                        half_extents.x, half_extents.y, spacing);
        const std::size_t columns = parts_of(half_extents.x, spacing);
        const std::size_t rows = parts_of(half_extents.y, spacing);
        detail::require(columns + rows <= max_count / 2,
                        "BoxProbes: half extents (%g, %g) take more than %d probes at a spacing of "
                        "%g, expected a wider spacing",
                        half_extents.x, half_extents.y, static_cast<int>(max_count), spacing);
        add_sides({half_extents.x, 0.0f}, {0.0f, half_extents.y}, columns, true);
        add_sides({0.0f, half_extents.y}, {half_extents.x, 0.0f}, rows, false);
    }

    [[nodiscard]] ProbeSet set() const& {
        ProbeSet probes;
        probes.swept = {swept_, swept_count_};
        probes.repelling = {repelling_, repelling_count_};
        return probes;
    }
    ProbeSet set() const&& = delete;

private:
    /// An even number, so that one probe is in the middle; `max_count` if there would be too many.
    [[nodiscard]] static std::size_t parts_of(float half_extent, float spacing) {
        if (!(half_extent / spacing < static_cast<float>(max_count))) return max_count;
        std::size_t half = 1;
        while (mul(static_cast<float>(half), spacing) < half_extent) ++half;
        return 2 * half;
    }

    /// Adds the probes of the two sides that run along `side`, at -out and +out.
    void add_sides(Vec2 side, Vec2 out, std::size_t parts, bool with_corners) {
        for (std::size_t i = 0; i <= parts; ++i) {
            const bool is_corner = i == 0 || i == parts;
            if (is_corner && !with_corners) continue;
            const float place = 2.0f * static_cast<float>(i) / static_cast<float>(parts) - 1.0f;
            for (const Vec2 there : {side * place - out, side * place + out}) {
                swept_[swept_count_++] = {there};
                if (!is_corner) repelling_[repelling_count_++] = {side * place, there};
            }
        }
    }

    SweptProbe swept_[max_count]{};
    RepellingProbe repelling_[max_count]{};
    std::size_t swept_count_ = 0;
    std::size_t repelling_count_ = 0;
};

}  // namespace phys2d::inline PHYS2D_ABI

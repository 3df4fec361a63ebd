// SPDX-License-Identifier: MIT
// Which tiles of a map does a ray meet?
//
// Most of its way is air. So it is looked at in parts: what rows hold tiles in the chunks around a part says how much
// of it has to be walked from tile to tile.
#pragma once

#include <phys2d/terrain/tile_map.hpp>
#include <phys2d/terrain/tile_walk.hpp>

namespace phys2d::detail::inline PHYS2D_ABI {

/// How long a part of a ray is [tiles]. Longer: fewer looks at chunks; shorter: less that is walked.
inline constexpr float ray_part = 32.0f;

/// A part of a way, from one fraction of it to another; none of it if end < begin.
struct WayPart {
    float begin = 0.0f;
    float end = 1.0f;

    [[nodiscard]] bool is_empty() const { return !(begin <= end); }

    /// As much of it as leads a coordinate, from `start` by `way`, between two bounds. [Ericson2005 §5.3.3]
    [[nodiscard]] WayPart between(float low, float high, float start, float way) const {
        if (way == 0.0f) return low <= start && start <= high ? *this : WayPart{1.0f, 0.0f};
        const float to_low = (low - start) / way;
        const float to_high = (high - start) / way;
        return {max(begin, min(to_low, to_high)), min(end, max(to_low, to_high))};
    }
};

/// Calls visit(tile, id) for the tiles with a kind that a ray meets in a map no further than a fraction `limit` of its
/// way, near ones first and some twice, until visit returns false. The ray is relative to the map [m].
template <class Visit>
void for_each_tile_on_ray(const TileMap& map, Vec2 from, Vec2 way, float limit, Visit visit) {
    const TileRect& extent = map.extent;
    const Vec2 start = from / map.tile_size;
    const Vec2 step = way / map.tile_size;
    const auto below = [](std::int32_t tile) { return static_cast<float>(tile) - 1.0f; };
    const auto above = [](std::int32_t tile) { return static_cast<float>(tile) + 2.0f; };
    const WayPart inside = WayPart{0.0f, limit}
                               .between(below(extent.min.x), above(extent.max.x), start.x, step.x)
                               .between(below(extent.min.y), above(extent.max.y), start.y, step.y);
    if (extent.is_empty() || inside.is_empty()) return;

    const auto look_at = [&](TileCoord tile) {
        const std::uint16_t id = map.grid.at(tile);
        return !map.is_kind(id) || visit(tile, id);
    };
    const float part_length = ray_part / max(max(abs(step.x), abs(step.y)), 1e-30f);
    for (float begin = inside.begin;;) {
        const float end = min(begin + part_length, inside.end);
        const Vec2 a = (start + step * begin) * map.tile_size;
        const Vec2 b = (start + step * end) * map.tile_size;
        const TileRect around = map.tiles_in(expand(AABB{min(a, b), max(a, b)}, map.tile_size));
        const TileRect rows = map.grid.trim_rows(around);
        const WayPart part =
            WayPart{begin, end}.between(below(rows.min.y), above(rows.max.y), start.y, step.y);
        const bool goes_on =
            rows.is_empty() || part.is_empty() ||
            for_each_tile_on_segment(start + step * part.begin, start + step * part.end, look_at);
        if (!goes_on || end <= begin || end >= inside.end) return;
        begin = end;
    }
}

}  // namespace phys2d::detail::inline PHYS2D_ABI

// SPDX-License-Identifier: MIT
// Map kinds: of which kinds are the tiles of a map in a box?
#pragma once

#include <phys2d/bodies/bodies.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// A set of tile ids.
class TileIdSet {
public:
    /// For ids below a number.
    explicit TileIdSet(std::size_t ids) : words_((ids + bits - 1) / bits) {
        for (std::size_t i = 0; i < words_; ++i) is_in_[i] = 0;
    }

    [[nodiscard]] bool contains(std::size_t id) const {
        return (is_in_[id / bits] >> id % bits & 1) != 0;
    }
    [[nodiscard]] std::size_t size() const { return size_; }
    /// Pre: the set does not contain it.
    void add(std::size_t id) {
        is_in_[id / bits] |= std::uint64_t{1} << id % bits;
        ++size_;
    }
    /// Calls visit(id) for each, in ascending order.
    void for_each(auto visit) const {
        for (std::size_t i = 0; i < words_; ++i) {
            for_each_bit(is_in_[i], [&](int bit) { visit(i * bits + at(bit)); });
        }
    }

private:
    static constexpr std::size_t bits = 64;

    std::size_t size_ = 0;
    std::size_t words_;
    std::uint64_t is_in_[65536 / bits];
};

/// Calls visit(slot), in the order of ids, for each kind of tile of a map for which is_sought(slot)
/// holds, and test(tile, id) for one of its tiles in a box. Asks of kinds first if they are fewer
/// than the tiles in it; stops looking at tiles when all kinds have been found.
inline void for_each_kind_in(const Bodies& bodies, std::int32_t map_slot, const AABB& box,
                             FunctionRef<bool(std::int32_t slot)> is_sought, TileTest test,
                             FunctionRef<void(std::int32_t slot)> visit) {
    const Terrain& terrain = bodies.terrain(map_slot);
    const AABB in_map = translate(box, -bodies.positions[map_slot]);
    const auto is_kind_sought = [&](std::size_t id) {
        return is_sought(bodies.slot_of_kind(terrain, id));
    };
    const auto find = [&](std::size_t most, FunctionRef<bool(std::uint16_t id)> may_be) {
        TileIdSet found(terrain.collider_of.size());
        (void)terrain.map.any_tile(in_map, [&](TileCoord tile, std::uint16_t id) {
            if (!found.contains(id) && may_be(id) && test(tile, id)) found.add(id);
            return found.size() == most;
        });
        found.for_each([&](std::size_t id) { visit(bodies.slot_of_kind(terrain, id)); });
    };
    const TileRect tiles = terrain.map.tiles_in(in_map);
    const double area =
        mul(static_cast<double>(tiles.width()), static_cast<double>(tiles.height()));
    if (area > static_cast<double>(terrain.map.kinds.size())) {
        TileIdSet sought(terrain.collider_of.size());
        const auto add_if_sought = [&](std::size_t id) {
            if (is_kind_sought(id)) sought.add(id);
        };
        (void)terrain.map.any_kind(visiting(add_if_sought));
        find(sought.size(), [&](std::uint16_t id) { return sought.contains(id); });
    } else {
        find(terrain.collider_of.size(), is_kind_sought);
    }
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

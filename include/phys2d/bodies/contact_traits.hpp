// SPDX-License-Identifier: MIT
// ContactTraits: the properties of a collider that decide about its contacts, side by side.
//
// Whether two near bodies make a pair, and with which coefficients, is decided hundreds of
// thousands of times when pairs are found: this is all that it reads of a collider and its
// material.
#pragma once

#include <phys2d/bodies/world_config.hpp>
#include <phys2d/dynamics/material.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

struct alignas(32) ContactTraits {
    std::uint64_t category = 0;
    std::uint64_t mask = 0;
    std::int32_t group = 0;
    float friction = 0.0f;
    float restitution = 0.0f;
    std::uint32_t marks = 0;

    static constexpr std::uint32_t sensor = 1;
    static constexpr std::uint32_t limb = 2;
    static constexpr std::uint32_t terrain = 4;
    static constexpr std::uint32_t tile_kind = 8;
    static constexpr std::uint32_t silent = 16;   ///< without events
    static constexpr std::uint32_t special = 32;  ///< one-way or with a moving surface
    static constexpr std::uint32_t one_way = 64;

    [[nodiscard]] Filter filter() const { return {category, mask, group}; }
};

[[nodiscard]] inline ContactTraits contact_traits(const ColliderDef& collider,
                                                  const Material& material, std::uint32_t marks) {
    const bool is_special = collider.one_way != OneWay::No || material.surface_velocity != Vec2{};
    if (collider.is_sensor) marks |= ContactTraits::sensor;
    if (!collider.has_events) marks |= ContactTraits::silent;
    if (is_special) marks |= ContactTraits::special;
    if (collider.one_way != OneWay::No) marks |= ContactTraits::one_way;
    return {collider.filter.category, collider.filter.mask, collider.filter.group,
            material.friction,        material.restitution, marks};
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// The level of the platformer: the meaning of its characters, its map, and the paths of its
// platforms.
#pragma once

#include <phys2d/phys2d.hpp>

namespace games {

/// What a collider is, in its user data.
enum class Kind : std::uint64_t {
    Ground,
    Belt,
    Plank,
    Spikes,
    Coin,
    Crate,
    Flag,
    Goal,
    Platform,
    Hero
};

/// Red, green and blue of each kind.
inline constexpr std::uint8_t colours[][3] = {
    {60, 66, 90},   {84, 70, 84},   {150, 110, 200}, {210, 76, 92},   {233, 200, 88},
    {176, 132, 84}, {84, 150, 210}, {110, 210, 130}, {150, 110, 200}, {96, 180, 240}};

template <class Colour>
constexpr Colour colour_of(std::uint64_t kind) {
    const auto& [red, green, blue] = colours[kind];
    return {red, green, blue, 255};
}

constexpr std::uint64_t tag(Kind kind) { return static_cast<std::uint64_t>(kind); }

// Sensors see the hero, and the hero's body nothing but sensors.
inline constexpr phys2d::ColliderDef sensor{.filter = {.category = 4, .mask = 2},
                                            .is_sensor = true};
inline constexpr phys2d::ColliderDef visitor{.filter = {.category = 2, .mask = 4}};
inline constexpr phys2d::ColliderDef holds_above{.one_way = phys2d::OneWay::Up};

/// A character that is a kind of tile.
struct Tile {
    char id;
    phys2d::TileKindDef def;
};

constexpr Tile tile(char id, Kind kind, const phys2d::Polygon& shape,
                    const phys2d::ColliderDef& collider = {}, phys2d::Vec2 belt = {}) {
    return {id, {shape, {.surface_velocity = belt}, collider, tag(kind)}};
}

inline constexpr Tile tiles[] = {
    tile('#', Kind::Ground, phys2d::full_tile()),
    tile('/', Kind::Ground, {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}}),
    tile('\\', Kind::Ground, {{0.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 1.0f}}),
    tile('(', Kind::Ground, {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 0.5f}}),
    tile(')', Kind::Ground, {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}, {0.0f, 0.5f}}),
    tile('[', Kind::Ground, {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 0.5f}, {0.0f, 1.0f}}),
    tile(']', Kind::Ground, {{0.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 0.5f}}),
    tile('_', Kind::Ground, {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 0.5f}, {0.0f, 0.5f}}),
    tile('=', Kind::Plank, {{0.0f, 0.8f}, {1.0f, 0.8f}, {1.0f, 1.0f}, {0.0f, 1.0f}}, holds_above),
    tile('>', Kind::Belt, phys2d::full_tile(), {}, {4.5f, 0.0f}),
    tile('^', Kind::Spikes, {{0.0f, 0.0f}, {1.0f, 0.0f}, {0.5f, 0.7f}}, sensor)};

/// Pre: there is one with the id.
constexpr const phys2d::TileKindDef& tile_of(phys2d::TileId id) {
    const Tile* tile = tiles;
    while (static_cast<phys2d::TileId>(tile->id) != id) ++tile;
    return tile->def;
}

/// A character that is a body where it starts.
struct Thing {
    char id;
    Kind kind;
    phys2d::BodyType type;
    phys2d::Shape shape;  // around the middle of the tile
    phys2d::ColliderDef collider{};
};

inline constexpr Thing things[] = {
    {'@', Kind::Hero, phys2d::BodyType::Kinematic, phys2d::Capsule{0.3f, 0.3f}, visitor},
    {'o', Kind::Coin, phys2d::BodyType::Static, phys2d::Circle{0.25f}, sensor},
    {'C', Kind::Crate, phys2d::BodyType::Dynamic, phys2d::Box{{0.7f, 0.7f}, {0.0f, 0.2f}}},
    {'F', Kind::Flag, phys2d::BodyType::Static, phys2d::Box{{0.05f, 0.5f}}, sensor},
    {'G', Kind::Goal, phys2d::BodyType::Static, phys2d::Box{{0.05f, 0.5f}}, sensor}};

inline constexpr const char* level =
    R"(#..............................##...............................................................##
#..............................##...............................................................##
#..............................##...............................................................##
#..............................##...............................................................##
#..............................##..........................................................o....##
#..............................##...............................................................##
#..............................##...................................................o.#[]./#\.G.##
#..............................##......................o..............................############
#............................oo##.....................................................############
#....................o..###==####......................o.................o.o........o.############
#............o.o.o..===.###..####........o............###_.............o..............############
#..........o.........o..###oo####......o...o..........#####_..........................############
#......o....()##\...===.###.......................C...#######_F.................o.....############
#..@......()#####\......###...o...F...................##########>>>>>>........#####...############
####################################..........########################........#####...############
####################################^^^^^^^^^^########################^^^^^^^^####################
##################################################################################################)";

/// The way of a moving platform, there and back.
struct Track {
    phys2d::Vec2 from, to;  // [m]
    int steps;              // from one end to the other

    /// Where it is after so many steps: it rests where it turns.
    [[nodiscard]] constexpr phys2d::Vec2 at(std::uint64_t step) const {
        const int n = static_cast<int>(step) % (2 * steps);
        const auto way = static_cast<float>(n < steps ? n : 2 * steps - n);
        const float goes = phys2d::mul(1.5f, way / static_cast<float>(steps)) - 0.25f;
        const float part = phys2d::clamp(goes, 0.0f, 1.0f);
        return lerp(from, to, phys2d::mul(phys2d::square(part), 3.0f - 2.0f * part));
    }
};

inline constexpr Track tracks[] = {{{37.5f, 2.83f}, {44.5f, 2.83f}, 150},
                                   {{84.5f, 3.83f}, {84.5f, 10.83f}, 180}};

}  // namespace games

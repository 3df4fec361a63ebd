// SPDX-License-Identifier: MIT
// Mover: the state of a character: its properties, the results of its last move, and the data that
// it keeps for the next one.
//
// It is a value beside the world, not a body in it: to save it, copy it, or `save` it as bytes. See
// character/mover.hpp for moving it.
#pragma once

#include <cstdint>

#include <phys2d/character/slope.hpp>
#include <phys2d/world/saved_bytes.hpp>
#include <phys2d/world/surface.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// The ground under a mover.
struct GroundState {
    static constexpr int long_ago = 1'000'000;  ///< moves, more than any game waits for

    bool is_grounded = false;
    /// In the air, but held by slopes that are too steep to stand on; the game should allow a jump.
    bool is_wedged = false;
    Vec2 normal{0.0f, 1.0f};   ///< of the ground; after a move in the air `up`
    BodyId platform{};         ///< body under its feet; default id in the air
    ColliderId collider{};     ///< collider of that body
    Vec2 platform_velocity{};  ///< of that body, and of its surface if it is a conveyor [m/s]
    /// Moves since it was on the ground, for coyote time; 0 on it. At most `long_ago`, the value of
    /// a new or teleported mover.
    int steps_since_grounded = long_ago;
    int steps_since_landed = 0;  ///< moves since it landed; 0 in the air
    /// Distance from its centre to the nearer edge of the ground, at most `Mover::edge_reach` [m];
    /// 0 in the air. Ground of tiles or of a chain ends at the foot of a wall, too; a box that goes
    /// on under a wall does not.
    float distance_to_edge = 0.0f;
    /// Towards that edge, a unit vector across `up`; zero if none is within `Mover::edge_reach`.
    Vec2 edge_direction{};
};

/// A wall or ceiling that a mover ran into, or that pushed it. For the tile, pass its collider and
/// the middle of the mover's side to `TileMapRef::nearest_tile`.
struct MoverContact {
    bool is_touched = false;
    Vec2 normal{};  ///< out of the surface
    BodyId body{};
    ColliderId collider{};
    Vec2 velocity{};  ///< of that body [m/s]

    constexpr explicit operator bool() const { return is_touched; }
};

/// A kinematic body presses the mover against another body; or a dynamic one presses it against one
/// that is not dynamic, and would be half-way through it before its force stops it or pushes it
/// along. Or it has no room between two or three static sides, or sides of one body, as when a tile
/// is set at its head, or when it stands up where it had to crouch. Or its centre is inside terrain
/// that does not push it out, as when more than one layer of tiles is set around it: then that body
/// is both, and the mover stays where it is. A one-way lift crushes no mover, but lets it through
/// where it has no room above.
struct MoverCrush {
    bool is_crushed = false;
    BodyId by{};       ///< the body that moves, or was set there
    BodyId against{};  ///< a body of any type
    /// Overlap that could not be resolved, > 0.04 at length unit 1; inside of terrain the smaller
    /// one of the mover's width and height [m].
    float depth = 0.0f;

    constexpr explicit operator bool() const { return is_crushed; }
};

/// Where a mover began to drop through one-way ground.
struct MoverDrop {
    BodyId body{};    ///< of the ground; default id if it does not drop
    Vec2 position{};  ///< of the mover, relative to that body [m]
    Vec2 normal{};    ///< of the ground
};

/// A force that a mover has applied to a body.
struct MoverEffort {
    BodyId body{};
    Vec2 force{};  ///< [N]
};

/// A character controller, for worlds seen from the side or, with `up` {}, from above: there all
/// that it meets is a wall, and nothing is ground, step or platform. Default lengths suit length
/// unit 1; scale them with yours (`scaled`).
/// Lengths, `max_slope` and `push_force` are from 0 to 1e30, coordinates at most that. What moves
/// pushes a crushed mover through in the end: check `crush` after each move, and hurt or `teleport`
/// the character before it comes out on the far side. Where it has no room in what is set on it, it
/// stays. One-way ground also holds a walking mover that is at most a quarter of `step_height` deep
/// in it: round ones sink into gaps between pieces.
struct Mover {
    /// Relative to the position. It may change between moves: who stands and gets one that reaches
    /// further down is raised by that, as far as there is room, if the game has not done so.
    Shape shape = Capsule{0.5f, 0.3f};
    Vec2 position{};      ///< [m]
    Vec2 up{0.0f, 1.0f};  ///< unit vector against gravity; {} if seen from above
    /// Steepest walkable slope, rise over run; 1 is 45°. Corners carry a round mover however steep
    /// it touches them.
    float max_slope = 1.0f;
    /// Height of the highest step that it climbs [m], also up a steep side that reaches no further
    /// ahead than half of its width. In one move it may climb several.
    float step_height = 0.3f;
    /// How far below its feet it still finds the ground when walking downhill [m]; `step_height` if
    /// that is larger.
    float snap_distance = 0.2f;
    /// Largest force with which it pushes and stops dynamic bodies [N]; a move shorter than the
    /// step has its part of that. A push makes up for missing speed, not for forces that act
    /// against it: from rest it moves a crate only if the game asks for more speed at once than
    /// friction takes in a step. A body that closes in faster than push_force * time_step / mass is
    /// slowed down and pushes the mover back; one whose velocity the game sets in each step forgets
    /// that: make enemies that walk into movers kinematic. Bodies that it holds, such as a crate on
    /// its head, do not sleep.
    float push_force = 200.0f;
    /// Gap that it keeps to all surfaces, at least 1e-30 [m]. It gets into tunnels and shafts that
    /// are as large as itself: it has that gap on one side of them, or none. Far from the origin
    /// make it at least twice what coordinates resolve there, 2 mm at 10 km, or it loses the ground
    /// on slopes now and then.
    float skin = 0.0005f;
    float edge_reach = 1.0f;  ///< how far `ground.distance_to_edge` looks [m]
    /// Which colliders it sees; `except`: its own kinematic body if it has one. Characters with
    /// such bodies that may stand on each other are boxes: a round one is stopped by who stands on
    /// its shoulder.
    QueryFilter filter{};

    // Results of the last move.
    GroundState ground{};
    MoverContact wall{};
    MoverContact ceiling{};  ///< a body on its head, held or falling, counts too
    MoverCrush crush{};

    /// Position to draw between the last two moves; `alpha` is the result of `World::advance`.
    /// While it is not moved after each step, as in a hit-stop, draw `position`: this would repeat
    /// the last move in every step.
    [[nodiscard]] constexpr Vec2 interpolated_position(float alpha) const {
        return lerp(position - last_way, position, alpha);
    }
    /// Moves it elsewhere at once, off the ground and away from walls and ceilings, without
    /// collision on the way and without interpolation.
    void teleport(Vec2 to) {
        position = to;
        last_way = {};
        rounding = {};
        ground = {};
        wall = {};
        ceiling = {};
        crush = {};
        lifted = {};
        drop = {};
        is_dropping = false;
    }

    /// Follows `World::shift_origin`: subtracts the new origin from its places [m, world].
    void shift_origin(Vec2 origin) {
        position -= origin;
        last_position -= origin;
        platform_position -= origin;
    }

    /// Lets it fall through the one-way ground that it stands on, and through what belongs to the
    /// same body less than the snap distance or a step below, whichever is more. On a slope or a
    /// sinking platform it starts to fall as fast as the ground falls away. Continue with the
    /// velocity that `move` returns, which has that in it: for the rest, add what of
    /// `ground.platform_velocity` from before that move is not downwards.
    void drop_through() { is_dropping = true; }

    /// Replaces the contents of a container of bytes by this mover: see World::save.
    template <class Bytes>
    void save(Bytes& bytes) const {
        detail::save("mover", *this, bytes);
    }
    /// Becomes the mover that was saved as these bytes: see World::load.
    template <class Bytes>
    void load(const Bytes& bytes) {
        Mover loaded;
        detail::load("mover", detail::contents_of(bytes), loaded);
        *this = loaded;
    }

    // Kept for the next move.
    Vec2 last_way{};                          ///< displacement in the last move [m]
    Vec2 last_position{};                     ///< after the last move [m]
    Shape last_shape{};                       ///< in the last move
    Vec2 rounding{};                          ///< part of the position lost to rounding [m]
    Vec2 platform_position{};                 ///< of the platform after the last move [m]
    std::uint64_t platform_step = 0;          ///< `World::step_count` then
    BodyId lifted{};                          ///< body above it that it has jumped against
    MoverDrop drop{};                         ///< the last one, until it has ended
    bool is_dropping = false;                 ///< until it has left the one-way ground
    detail::Scratch<Surface> surroundings{};  ///< surfaces near the last move; not copied
    detail::Scratch<MoverEffort> efforts{};   ///< of the last move; not copied
    detail::KnownTiles known_tiles{};         ///< near the last moves; not copied
};

}  // namespace phys2d::inline PHYS2D_ABI

namespace phys2d::inline PHYS2D_ABI::detail {

// What is saved of a mover.

void list_members(Mover& mover, auto& archive) {
    archive(mover, mover.shape, mover.position, mover.up, mover.max_slope, mover.step_height,
            mover.snap_distance, mover.push_force, mover.skin, mover.edge_reach, mover.filter,
            mover.ground, mover.wall, mover.ceiling, mover.crush, mover.last_way,
            mover.last_position, mover.last_shape, mover.rounding, mover.platform_position,
            mover.platform_step, mover.lifted, mover.drop, mover.is_dropping, mover.surroundings,
            mover.efforts, mover.known_tiles);
}
void list_members(QueryFilter& filter, auto& archive) {
    archive(filter, filter.category, filter.mask, filter.sensors, filter.except);
}
void list_members(GroundState& ground, auto& archive) {
    archive(ground, ground.is_grounded, ground.is_wedged, ground.normal, ground.platform,
            ground.collider, ground.platform_velocity, ground.steps_since_grounded,
            ground.steps_since_landed, ground.distance_to_edge, ground.edge_direction);
}
void list_members(MoverContact& contact, auto& archive) {
    archive(contact, contact.is_touched, contact.normal, contact.body, contact.collider,
            contact.velocity);
}
void list_members(MoverCrush& crush, auto& archive) {
    archive(crush, crush.is_crushed, crush.by, crush.against, crush.depth);
}

[[nodiscard]] constexpr Shape placed_shape(const Mover& mover) {
    return translate(mover.shape, mover.position);
}

/// How far down it looks for ground to stay on [m].
[[nodiscard]] constexpr float snap_reach(const Mover& mover) {
    return max(mover.snap_distance, mover.step_height);
}

/// How far its feet are below its position with a shape [m].
[[nodiscard]] constexpr float depth_of_feet(const Mover& mover, const Shape& shape) {
    return dot(shape.half_extents, abs(mover.up)) + shape.radius - dot(shape.center, mover.up);
}

/// Whether a surface with this normal is ground.
[[nodiscard]] constexpr bool is_ground(const Mover& mover, Vec2 normal) {
    return is_walkable(normal, mover.up, mover.max_slope);
}

/// Whether a velocity leaves the ground. Rounding may tilt a horizontal velocity upwards.
[[nodiscard]] inline bool goes_up(const Mover& mover, Vec2 velocity) {
    constexpr float rounding = 1e-5f;
    return dot(velocity, mover.up) > mul(rounding, length(velocity));
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// Mover: what a character is, what it has found in its last move, and what it keeps for the next.
//
// It is a value beside the world, not a body in it: copying it saves it. character/mover.hpp moves it.
#pragma once

#include <phys2d/world/surface.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// What a mover stands on.
struct GroundState {
    bool is_grounded = false;
    /// In the air, but sides that are too steep to stand on hold it from falling further: let it jump out of there.
    bool is_wedged = false;
    Vec2 normal{0.0f, 1.0f};       ///< of the ground
    BodyId platform{};             ///< that it stands on; names nothing in the air
    ColliderId collider{};         ///< of the platform
    Vec2 platform_velocity{};      ///< [m/s]
    int steps_since_grounded = 0;  ///< moves since it was on the ground, 0 on it: for coyote time
    int steps_since_landed = 0;    ///< moves since it came to the ground, 0 in the air
    /// From its middle to the next edge of the ground, at most `Mover::edge_reach` [m].
    float distance_to_edge = 0.0f;
};

/// What a mover has run into, or what has given it a push.
struct MoverContact {
    bool is_touched = false;
    Vec2 normal{};  ///< out of it
    BodyId body{};
    ColliderId collider{};

    constexpr explicit operator bool() const { return is_touched; }
};

/// What has left a mover without room: a kinematic body presses it against another, against something static, or
/// against what is too heavy for it to push along soon.
struct MoverCrush {
    bool is_crushed = false;
    BodyId by{};         ///< kinematic
    BodyId against{};    ///< of any type
    float depth = 0.0f;  ///< how much room is missing, more than 0.04 at length unit 1 [m]

    constexpr explicit operator bool() const { return is_crushed; }
};

/// A character. Lengths are for a world with length unit 1; scale them with yours. What crushes it goes through it in
/// the end: look at `crush` after each move, and hurt it or `teleport` it away before it is out on the far side.
struct Mover {
    Shape shape = Capsule{0.5f, 0.3f};  ///< around the position
    Vec2 position{};                    ///< [m]
    Vec2 up{0.0f, 1.0f};                ///< unit vector against gravity
    float steepest = 0.70710678f;       ///< cosine of the steepest slope that is ground: 45°
    float step_height = 0.3f;           ///< of the highest step that it climbs [m]
    /// How far the ground may fall away for it to follow; at least a step [m].
    float snap_distance = 0.2f;
    /// With which it pushes and holds dynamic bodies, at most [N]. A push makes up for speed that they lack, not for
    /// forces that act against it. What comes to it at more than push_force * time step / mass shoves it, braked. What
    /// it holds, a crate on its head for one, does not sleep.
    float push_force = 200.0f;
    float skin = 0.0005f;     ///< the gap that it keeps to everything, > 0 [m]
    float edge_reach = 1.0f;  ///< how far it looks for the edge of its ground [m]
    QueryFilter filter{};     ///< what it sees; `except` its own body if it has one

    // What the last move has found.
    GroundState ground{};
    MoverContact wall{};
    MoverContact ceiling{};
    MoverCrush crush{};

    /// Where to draw it between the last two moves; `alpha` is what `World::advance` returned.
    [[nodiscard]] constexpr Vec2 interpolated_position(float alpha) const {
        return lerp(previous_position, position, alpha);
    }
    /// Puts it somewhere else at once, off the ground; the way there is neither looked at nor drawn.
    void teleport(Vec2 to) {
        position = previous_position = to;
        rounding = {};
        ground = {};
        is_dropping = false;
    }

    /// Has it fall through the one-way ground that it stands on. Downhill and on what sinks it begins to fall as fast as
    /// the ground falls away from it; go on from the velocity that `move` returns.
    void drop_through() { is_dropping = true; }

    // What it keeps for the next move.
    Vec2 previous_position{};  ///< before the last one [m]
    Vec2 rounding{};           ///< by which the position falls short of where it is [m]
    Vec2 platform_position{};  ///< where the platform was [m]
    bool is_dropping = false;  ///< until it has left the ground that it falls through
    detail::Array<Surface> surroundings{};  ///< scratch: what it has looked at
};

}  // namespace phys2d::inline PHYS2D_ABI

namespace phys2d::inline PHYS2D_ABI::detail {

[[nodiscard]] constexpr Shape placed_shape(const Mover& mover) {
    return translate(mover.shape, mover.position);
}

/// How far it goes down to stay on the ground [m].
[[nodiscard]] constexpr float snap_reach(const Mover& mover) {
    return max(mover.snap_distance, mover.step_height);
}

/// Whether it can stand on what has a normal.
[[nodiscard]] constexpr bool is_ground(const Mover& mover, Vec2 normal) {
    constexpr float rounding = 1e-4f;
    return dot(normal, mover.up) >= mover.steepest - rounding;
}

/// Whether a velocity leaves the ground: one that is level has a part along `up` too, by rounding.
[[nodiscard]] inline bool goes_up(const Mover& mover, Vec2 velocity) {
    constexpr float rounding = 1e-5f;
    return dot(velocity, mover.up) > mul(rounding, length(velocity));
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

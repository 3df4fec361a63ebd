// SPDX-License-Identifier: MIT
// Mover: a character that goes where it is told, as far as the world lets it.
//
// It is a value beside the world, moved by one call a step: it slides along walls, climbs steps and slopes, stays on
// the ground downhill, rides platforms, pushes bodies, and knows what it stands on. What is around is asked of the
// world once; each stretch of the way is then cast exactly, so nothing is too fast and nothing catches at a seam. It
// keeps `skin` away from what it meets, so that rounding never decides whether it touches.
// [Fauerby2003, "Improved Collision detection and Response": collide and slide]
#pragma once

#include <phys2d/world/world.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// What a mover stands on.
struct GroundState {
    bool is_grounded = false;
    Vec2 normal{0.0f, 1.0f};       ///< of the ground
    BodyId platform{};             ///< that it stands on; names nothing in the air
    ColliderId collider{};         ///< of the platform
    Vec2 platform_velocity{};      ///< [m/s]
    int steps_since_grounded = 0;  ///< moves since it was on the ground, 0 on it: for coyote time
    int steps_since_landed = 0;    ///< moves since it came to the ground, 0 in the air
    /// From its middle to the next edge of the ground, at most `Mover::edge_reach` [m].
    float distance_to_edge = 0.0f;
};

/// What a mover has run into.
struct MoverContact {
    bool is_touched = false;
    Vec2 normal{};  ///< out of it
    BodyId body{};
    ColliderId collider{};

    constexpr explicit operator bool() const { return is_touched; }
};

/// A character. Lengths are for a world with length unit 1; scale them with yours.
struct Mover {
    Shape shape = Capsule{0.5f, 0.3f};  ///< around the position
    Vec2 position{};                    ///< [m]
    Vec2 up{0.0f, 1.0f};                ///< unit vector against gravity
    float steepest = 0.70710678f;       ///< cosine of the steepest slope that is ground: 45°
    float step_height = 0.3f;           ///< of the highest step that it climbs [m]
    float snap_distance =
        0.2f;                   ///< how far the ground may fall away in a move for it to follow [m]
    float push_force = 200.0f;  ///< with which it pushes dynamic bodies, at most [N]
    float skin = 0.002f;        ///< the gap that it keeps to everything [m]
    float edge_reach = 1.0f;    ///< how far it looks for the edge of its ground [m]
    QueryFilter filter{};       ///< what it sees; `except` its own body if it has one

    // What the last move has found.
    GroundState ground{};
    MoverContact wall{};
    MoverContact ceiling{};

    /// Has it fall through the one-way ground that it stands on.
    void drop_through() { dropped = ground.collider; }

    Vec2 platform_position{};               ///< where the platform was then [m]
    ColliderId dropped{};                   ///< what it falls through until it is apart from it
    detail::Array<Surface> surroundings{};  ///< scratch: what it has looked at
};

}  // namespace phys2d::inline PHYS2D_ABI

namespace phys2d::detail::inline PHYS2D_ABI {

/// One move.
class MoverStep {
public:
    MoverStep(World& world, Mover& mover, Vec2 velocity, float dt)
        : world_(world),
          mover_(mover),
          velocity_(velocity),
          dt_(dt),
          before_(mover.ground),
          surfaces_(mover.surroundings) {}

    /// Returns the velocity that is left [m/s].
    Vec2 run() {
        const Vec2 carried = platform_motion();
        const Vec2 way = velocity_ * dt_;
        look_around(abs(carried) + abs(way));
        forget_dropped();
        mover_.wall = mover_.ceiling = {};
        leave_overlaps();
        if (carried != Vec2{}) slide(carried, Pushing::Nothing);
        const bool jumps = dot(velocity_, mover_.up) > 0.0f;
        const bool walks = before_.is_grounded && !jumps;
        if (walks) {
            walk(project(way, perpendicular(mover_.up)));
        } else {
            slide(way, Pushing::Bodies);
        }
        find_ground(walks ? mover_.snap_distance + mover_.step_height : 0.0f, jumps);
        return velocity_left();
    }

private:
    enum class Pushing : bool { Nothing, Bodies };
    static constexpr int most_slides = 5;

    struct Hit {
        CastHit cast{};
        const Surface* surface = nullptr;
    };

    [[nodiscard]] Shape placed() const { return translate(mover_.shape, mover_.position); }
    [[nodiscard]] bool is_walkable(Vec2 normal) const {
        return dot(normal, mover_.up) >= mover_.steepest;
    }
    /// The normal of the ground that something has landed on; zero if it is none. A corner is as good as the flat
    /// side next to it, unless it is hit almost from the side.
    [[nodiscard]] Vec2 ground_normal(const Hit& hit) const {
        constexpr float part_of_steepest = 0.5f;
        const Vec2 flat = hit.surface->side_towards(mover_.up, hit.cast.normal);
        const float height = dot(hit.cast.normal, mover_.up);
        return is_walkable(flat) && height >= mul(part_of_steepest, mover_.steepest) ? flat
                                                                                     : Vec2{};
    }

    /// How far what it stands on has gone since the last move.
    [[nodiscard]] Vec2 platform_motion() {
        if (!before_.is_grounded || !world_.contains(before_.platform)) return {};
        return world_.body(before_.platform).position() - mover_.platform_position;
    }

    /// Lists all that it may come to in this move.
    void look_around(Vec2 reach) {
        const float more = mover_.step_height + mover_.snap_distance + 4.0f * mover_.skin;
        const Vec2 side = abs(perpendicular(mover_.up));
        const Vec2 margin = max(reach + Vec2{more, more}, side * mover_.edge_reach);
        const AABB box = bounds(placed());
        surfaces_.clear();
        world_.for_each_surface(
            {box.min - margin, box.max + margin},
            [&](const Surface& surface) { surfaces_.push_back(surface); }, mover_.filter);
    }

    /// What it fell through is ground again once it is apart from it.
    void forget_dropped() {
        if (mover_.dropped == ColliderId{}) return;
        bool any = false;
        for (const Surface& surface : surfaces_) {
            if (surface.collider != mover_.dropped) continue;
            any = any ||
                  surface.touch(placed(), 2.0f * mover_.skin).penetration > -2.0f * mover_.skin;
        }
        if (!any) mover_.dropped = {};
    }

    /// Whether a surface is in the way: one-way ones only of what comes from their side.
    [[nodiscard]] bool stops(const Surface& surface, const CastHit& hit) const {
        if (surface.one_way == OneWay::No) return true;
        const Vec2 out = direction_of(surface.one_way);
        if (surface.collider == mover_.dropped || dot(hit.normal, out) <= 0.0f) return false;
        const Shape shape = placed();
        const Vec2 lowest = shape.center + reach_towards(shape, -hit.normal);
        return dot(lowest - hit.point, hit.normal) >= -mover_.skin;
    }

    /// What it meets first on a way.
    [[nodiscard]] Hit first_hit(Vec2 way) const {
        Hit first;
        const Shape shape = placed();
        for (const Surface& surface : surfaces_) {
            const CastHit hit = surface.cast(shape, way);
            if (hit.fraction >= first.cast.fraction || !stops(surface, hit)) continue;
            first = {hit, &surface};
        }
        return first;
    }

    /// Goes along a way until it is `skin` away from what it meets; returns the part of it that is left.
    float advance(Vec2 way, const Hit& hit) {
        if (!hit.cast) {
            mover_.position += way;
            return 0.0f;
        }
        const float approach = -dot(way, hit.cast.normal);
        const float part = max(hit.cast.fraction - mover_.skin / approach, 0.0f);
        mover_.position += way * part;
        return 1.0f - part;
    }

    /// Goes along a way and on along what it meets, never back.
    void slide(Vec2 way, Pushing pushing) {
        const Vec2 wanted = way;
        Vec2 met[most_slides];
        for (int i = 0; i < most_slides && way != Vec2{}; ++i) {
            const Hit hit = first_hit(way);
            way *= advance(way, hit);
            if (!hit.cast) return;
            if (pushing == Pushing::Bodies) push(hit);
            note(hit);
            met[i] = hit.cast.normal;
            way = clipped(way, met, i + 1);
            if (dot(way, wanted) <= 0.0f) return;
        }
    }

    /// A way without what goes into the planes met; nothing if it would have to leave one for another.
    [[nodiscard]] static Vec2 clipped(Vec2 way, const Vec2* normals, int count) {
        const Vec2 newest = normals[count - 1];
        way -= newest * min(dot(way, newest), 0.0f);
        for (int i = 0; i + 1 < count; ++i) {
            if (dot(way, normals[i]) < -1e-6f) return {};
        }
        return way;
    }

    /// Goes along the ground, at the same pace on slopes, and up steps.
    void walk(Vec2 way) {
        float left = length(way);
        Vec2 ground = before_.normal;
        for (int i = 0; i < most_slides && left > 0.0f; ++i) {
            const Vec2 along = perpendicular(ground);
            const Vec2 stretch = along * (dot(along, way) < 0.0f ? -left : left);
            const Hit hit = first_hit(stretch);
            left = mul(left, advance(stretch, hit));
            if (!hit.cast || left == 0.0f) return;
            if (is_walkable(hit.cast.normal)) {
                ground = hit.cast.normal;
                continue;
            }
            push(hit);
            note(hit);
            if (!climb(normalized(way), left)) return;
            ground = mover_.up;
        }
    }

    /// Goes up a step and on in a direction; returns whether there was one. `left` is what is left of the way [m].
    bool climb(Vec2 direction, float& left) {
        const Vec2 start = mover_.position;
        const Vec2 lift = mover_.up * mover_.step_height;
        advance(lift, first_hit(lift));
        const float raised = dot(mover_.position - start, mover_.up);
        const Vec2 ahead = direction * max(left, 4.0f * mover_.skin);
        const float rest = advance(ahead, first_hit(ahead));
        const Vec2 down = mover_.up * -(raised + mover_.skin);
        const Hit landing = first_hit(down);
        advance(down, landing);
        const bool climbs = landing.cast && ground_normal(landing) != Vec2{} && rest < 1.0f &&
                            dot(mover_.position - start, mover_.up) > mover_.skin;
        if (!climbs) {
            mover_.position = start;
            return false;
        }
        mover_.wall = {};
        left = mul(left, rest);
        return true;
    }

    /// Out of what has moved into it.
    void leave_overlaps() {
        for (int i = 0; i < most_slides; ++i) {
            Manifold deepest;
            float most = 0.0f;
            for (const Surface& surface : surfaces_) {
                if (surface.one_way != OneWay::No) continue;
                const Manifold touch = surface.touch(placed(), mover_.skin);
                const float depth = touch.penetration + mover_.skin * 0.5f;
                if (depth <= most) continue;
                most = depth;
                deepest = touch;
            }
            if (most == 0.0f) return;
            mover_.position += deepest.normal * most;
        }
    }

    void note(const Hit& hit) {
        const float height = dot(hit.cast.normal, mover_.up);
        if (height >= mover_.steepest) return;
        const bool is_above = height <= -mover_.steepest;
        (is_above ? mover_.ceiling : mover_.wall) = {true, hit.cast.normal, hit.surface->body,
                                                     hit.surface->collider};
    }

    /// Gives a dynamic body in the way the pace of the mover, as far as its force goes.
    void push(const Hit& hit) {
        BodyRef body = world_.body(hit.surface->body);
        const float inverse_mass = body.inverse_mass();
        const Vec2 into = -hit.cast.normal;
        const float speed = dot(velocity_ - body.velocity(), into);
        if (inverse_mass == 0.0f || is_walkable(hit.cast.normal) || speed <= 0.0f) return;
        body.apply_impulse(into * min(speed / inverse_mass, mul(mover_.push_force, dt_)));
    }

    /// Looks for ground below, as deep as it may follow it.
    void find_ground(float snap, bool jumps) {
        const float reach = snap + 3.0f * mover_.skin;
        const Vec2 down = mover_.up * -reach;
        const Hit hit = jumps ? Hit{} : first_hit(down);
        const Vec2 normal = hit.cast ? ground_normal(hit) : Vec2{};
        GroundState& ground = mover_.ground;
        if (normal == Vec2{}) {
            ground = {};
            ground.steps_since_grounded = before_.steps_since_grounded + 1;
            return;
        }
        advance(down, hit);
        const auto& surface = *hit.surface;
        ground = {true,
                  normal,
                  surface.body,
                  surface.collider,
                  {},
                  0,
                  before_.is_grounded ? before_.steps_since_landed + 1 : 0,
                  0.0f};
        const ConstBodyRef platform = std::as_const(world_).body(surface.body);
        ground.platform_velocity = platform.velocity();
        mover_.platform_position = platform.position();
        ground.distance_to_edge = distance_to_edge(hit);
    }

    /// How far the ground reaches under the middle of the mover, to its nearer end.
    [[nodiscard]] float distance_to_edge(const Hit& ground) const {
        const Vec2 along = perpendicular(mover_.up);
        const float right = ground_reach(ground, -along);
        const float left = ground_reach(ground, along);
        return min(min(left, right), mover_.edge_reach);
    }

    /// Follows the ground from surface to surface.
    [[nodiscard]] float ground_reach(const Hit& ground, Vec2 direction) const {
        constexpr float gap_it_misses = 0.05f;  // of its width
        const Vec2 outer = outer_half_extents(mover_.shape);
        const float gap = mul(gap_it_misses, max(outer.x, outer.y));
        Vec2 end = end_of(*ground.surface, direction);
        for (bool goes_on = true; goes_on;) {
            goes_on = false;
            for (const Surface& next : surfaces_) {
                const Vec2 begins = end_of(next, -direction);
                const Vec2 ends = end_of(next, direction);
                const bool continues = distance_sq(begins, end) <= square(gap) && is_ground(next) &&
                                       dot(ends - end, direction) > gap;
                if (!continues) continue;
                end = ends;
                goes_on = true;
            }
        }
        return max(dot(end - mover_.position, direction), 0.0f);
    }
    [[nodiscard]] bool is_ground(const Surface& surface) const {
        if (!surface.is_face()) return true;
        const auto [from, to] = surface.segment();
        return is_walkable(edge_normal(edge_direction(from, to)));
    }

    /// The end of the top of a surface in a direction.
    [[nodiscard]] Vec2 end_of(const Surface& surface, Vec2 direction) const {
        if (surface.is_face()) {
            const auto [from, to] = surface.segment();
            return dot(to - from, direction) > 0.0f ? to : from;
        }
        const Shape& shape = surface.shape();
        return shape.center + reach_towards(shape, mover_.up) +
               direction * dot(shape.half_extents, abs(direction));
    }

    /// The velocity asked for, less what the ground, the walls and the ceiling have stopped.
    [[nodiscard]] Vec2 velocity_left() const {
        Vec2 velocity = velocity_;
        const auto stop = [&](Vec2 normal) {
            velocity -= normal * min(dot(velocity, normal), 0.0f);
        };
        const bool walks = mover_.ground.is_grounded;
        const Vec2 level = perpendicular(mover_.up);
        if (mover_.wall) {
            const Vec2 normal = mover_.wall.normal;
            stop(walks ? level * sign(dot(normal, level)) : normal);
        }
        if (mover_.ceiling) stop(mover_.ceiling.normal);
        if (walks) stop(mover_.up);
        return velocity;
    }

    World& world_;
    Mover& mover_;
    const Vec2 velocity_;
    const float dt_;
    const GroundState before_;
    Array<Surface>& surfaces_;
};

}  // namespace phys2d::detail::inline PHYS2D_ABI

namespace phys2d::inline PHYS2D_ABI {

/// Moves a character by velocity·dt [m/s, s] as far as the world lets it, and returns the velocity that is left: into
/// walls, ceilings and the ground it is 0. Say a velocity upwards to jump: it leaves the ground at once. On the ground
/// it walks: what of the velocity is level is its pace, uphill and downhill. Call it once for each step of the world,
/// before or after it; what it stands on takes it along exactly. It pushes dynamic bodies; what is kinematic pushes it.
/// A velocity that is not finite, dt <= 0 and a shape that is not valid are errors.
///
///   velocity = move(world, hero, {speed, hero.ground.is_grounded ? 0 : velocity.y - 9.81f * dt}, dt);
inline Vec2 move(World& world, Mover& mover, Vec2 velocity, float dt) {
    detail::require_finite(velocity, "move", "velocity");
    detail::require_finite(mover.position, "move", "position");
    detail::require_positive(dt, "move", "dt");
    detail::require_valid(mover.shape, "move");
    return detail::MoverStep(world, mover, velocity, dt).run();
}

}  // namespace phys2d::inline PHYS2D_ABI

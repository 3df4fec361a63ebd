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
        0.2f;  ///< how far the ground may fall away for it to follow; at least a step [m]
    float push_force = 200.0f;  ///< with which it pushes dynamic bodies, at most [N]
    float skin = 0.0005f;       ///< the gap that it keeps to everything, > 0 [m]
    float edge_reach = 1.0f;    ///< how far it looks for the edge of its ground [m]
    QueryFilter filter{};       ///< what it sees; `except` its own body if it has one

    // What the last move has found.
    GroundState ground{};
    MoverContact wall{};
    MoverContact ceiling{};

    /// Has it fall through the one-way ground that it stands on.
    void drop_through() { is_dropping = true; }

    // What it keeps for the next move.
    Vec2 rounding{};           ///< by which the position falls short of where it is [m]
    Vec2 platform_position{};  ///< where the platform was [m]
    bool is_dropping = false;  ///< until it has left the ground that it falls through
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
          jumps_(dot(velocity, mover.up) > 0.0f),
          surfaces_(mover.surroundings) {}

    /// Returns the velocity that is left [m/s].
    Vec2 run() {
        const Vec2 carried = platform_motion();
        const Vec2 way = velocity_ * dt_;
        look_around(abs(carried), length(way));
        mover_.wall = mover_.ceiling = {};
        if (carried != Vec2{}) slide(carried, before_.platform);
        give_way();
        leave_overlaps(false);
        leave_overlaps(true);
        const bool walks = before_.is_grounded && !jumps_;
        if (walks) {
            walk(way, before_.normal);
        } else {
            fly(way);
        }
        stand(walks ? snap_reach() : 0.0f);
        describe_ground();
        return velocity_left();
    }

private:
    static constexpr int most_slides = 5;

    struct Hit {
        CastHit cast{};
        const Surface* surface = nullptr;
        float part = 1.0f;  // of the way, that is free

        explicit operator bool() const { return surface != nullptr; }
    };

    [[nodiscard]] Shape placed() const { return translate(mover_.shape, mover_.position); }
    [[nodiscard]] float snap_reach() const { return max(mover_.snap_distance, mover_.step_height); }
    [[nodiscard]] bool is_walkable(Vec2 normal) const {
        constexpr float rounding = 1e-4f;
        return dot(normal, mover_.up) >= mover_.steepest - rounding;
    }
    /// The normal of the ground that something has landed on; zero if it is none. A corner is as good as the flat
    /// side next to it, unless what falls along it hits it almost from the side.
    [[nodiscard]] Vec2 ground_normal(const Hit& hit) const {
        if (is_walkable(hit.cast.normal)) return hit.cast.normal;
        const Vec2 flat = hit.surface->side_towards(mover_.up, hit.cast.normal);
        const float lowest = before_.is_grounded ? 0.05f : mul(0.5f, mover_.steepest);
        const bool is_ground = is_walkable(flat) && dot(hit.cast.normal, mover_.up) >= lowest;
        return is_ground ? flat : Vec2{};
    }

    /// How far what it stands on has gone since the last move.
    [[nodiscard]] Vec2 platform_motion() const {
        if (!before_.is_grounded || !world_.contains(before_.platform)) return {};
        return std::as_const(world_).body(before_.platform).position() - mover_.platform_position;
    }

    /// Lists all that it may come to in this move, but for what it falls through.
    void look_around(Vec2 carried, float way) {
        look_around(carried + Vec2{way, way});
        room_ = mul(0.5f, snap_reach());
        const float longest = longest_shift();
        if (longest == 0.0f) return;
        room_ += 2.0f * longest;
        look_around(carried + Vec2{way, way} + Vec2{room_, room_});
    }
    void look_around(Vec2 reach) {
        const float more = 1.5f * snap_reach() + 4.0f * mover_.skin;
        const Vec2 side = abs(perpendicular(mover_.up));
        const Vec2 margin = max(reach + Vec2{more, more}, side * mover_.edge_reach);
        const AABB box = bounds(placed());
        bool is_dropping = false;
        surfaces_.clear();
        world_.for_each_surface(
            {box.min - margin, box.max + margin},
            [&](const Surface& surface) {
                const bool is_dropped = mover_.is_dropping && is_underfoot(surface);
                is_dropping = is_dropping || is_dropped;
                if (!is_dropped) surfaces_.push_back(surface);
            },
            mover_.filter);
        mover_.is_dropping = is_dropping;
    }
    /// How far a body has gone in the last step.
    [[nodiscard]] Vec2 shift_of(const Surface& surface) const {
        const ConstBodyRef body = std::as_const(world_).body(surface.body);
        return body.position() - body.interpolated_position(0.0f);
    }
    [[nodiscard]] float longest_shift() const {
        float longest = 0.0f;
        BodyId last{};
        for (const Surface& surface : surfaces_) {
            if (surface.body == last) continue;
            last = surface.body;
            longest = max(longest, length(shift_of(surface)));
        }
        return longest;
    }
    /// Whether it stands on the side of a surface that holds.
    [[nodiscard]] bool is_underfoot(const Surface& surface) const {
        if (surface.one_way == OneWay::No) return false;
        const float reach = 3.0f * mover_.skin;
        const Manifold touch = surface.touch(placed(), reach);
        return abs(touch.penetration) <= reach &&
               dot(touch.normal, direction_of(surface.one_way)) > 0.0f;
    }

    /// Whether a surface stops a shape that meets it: a one-way one only what comes from in front of it.
    [[nodiscard]] bool stops(const Surface& surface, const CastHit& hit, const Shape& shape) const {
        if (surface.one_way == OneWay::No) return true;
        const Vec2 out = direction_of(surface.one_way);
        if (dot(hit.normal, out) <= 0.0f) return false;
        const Vec2 flat = surface.side_towards(out, hit.normal);
        const Vec2 lowest = shape.center + reach_towards(shape, -flat);
        const Shape& solid = surface.shape();
        const Vec2 top =
            surface.is_face() ? surface.segment().from : solid.center + reach_towards(solid, flat);
        return dot(lowest - top, flat) >= -depth_in_front();
    }
    /// How far below a one-way ground the mover may be and come from in front [m]: a round one that walks sinks into
    /// the gaps between grounds.
    [[nodiscard]] float depth_in_front() const {
        constexpr float part_of_step = 0.25f;
        const bool walks = before_.is_grounded && !jumps_;
        return walks ? max(mover_.skin, mul(part_of_step, mover_.step_height)) : mover_.skin;
    }

    /// What it comes nearer to than `skin` on a way, first; `passed` is not met.
    [[nodiscard]] Hit first_hit(Vec2 way, BodyId passed = {}) const {
        Hit first;
        if (way == Vec2{}) return first;
        const float further = 1.0f + 2.0f * mover_.skin / length(way);
        const Vec2 looked_along = way * further;
        const Shape shape = placed();
        for (const Surface& surface : surfaces_) {
            const CastHit hit = surface.cast(shape, looked_along);
            const bool is_first = hit.fraction < first.cast.fraction && surface.body != passed &&
                                  stops(surface, hit, shape);
            if (is_first) first = {hit, &surface};
        }
        if (!first) return first;
        const float gap = mover_.skin / -dot(way, first.cast.normal);
        first.part = max(mul(first.cast.fraction, further) - gap, 0.0f);
        return first.part < 1.0f ? first : Hit{};
    }

    /// What rounding takes from a step, the next one gets: slow movers far away keep their pace, and riders their place.
    void go(Vec2 way) {
        const Vec2 start = mover_.position;
        way += mover_.rounding;
        mover_.position += way;
        mover_.rounding = way - (mover_.position - start);
    }

    /// Goes along what is free of a way; returns the part that is left.
    float advance(Vec2 way, const Hit& hit) {
        go(way * hit.part);
        return 1.0f - hit.part;
    }

    /// Goes along a way and on along what it meets, never back. `passed` is not met.
    void slide(Vec2 way, BodyId passed) {
        Vec2 met[most_slides];
        const Vec2 wanted = way;
        for (int i = 0; i < most_slides && dot(way, wanted) > 0.0f; ++i) {
            const Hit hit = first_hit(way, passed);
            way *= advance(way, hit);
            if (!hit) return;
            note(hit);
            met[i] = hit.cast.normal;
            way = clipped(way, met, i + 1);
        }
    }

    /// A way without what goes into the planes met; nothing if it would have to leave one for another.
    [[nodiscard]] static Vec2 clipped(Vec2 way, const Vec2* normals, int count) {
        const Vec2 newest = normals[count - 1];
        way -= newest * min(dot(way, newest), 0.0f);
        for (int i = 0; i + 1 < count; ++i) {
            if (dot(way, normals[i]) < mul(-1e-5f, length(way))) return {};
        }
        return way;
    }

    /// Goes through the air; walks on where it lands.
    void fly(Vec2 way) {
        Vec2 met[most_slides];
        const Vec2 wanted = way;
        for (int i = 0; i < most_slides && dot(way, wanted) > 0.0f; ++i) {
            const Hit hit = first_hit(way);
            way *= advance(way, hit);
            if (!hit) return;
            const Vec2 ground = jumps_ ? Vec2{} : ground_normal(hit);
            if (ground != Vec2{}) return walk(way, ground);
            push(hit);
            note(hit);
            met[i] = hit.cast.normal;
            way = clipped(way, met, i + 1);
        }
    }

    /// Goes along the ground as far as a way is level, at the same pace on slopes, and up and down steps. It looks for
    /// the ground so often that it does not leave it where it bends.
    void walk(Vec2 way, Vec2 ground) {
        constexpr int most_parts = 32;
        const Vec2 level = project(way, perpendicular(mover_.up));
        const Vec2 direction = normalized(level);
        float left = length(level);
        const float longest = max(0.5f * snap_reach(), left / static_cast<float>(most_parts));
        for (int i = 0; i < 2 * most_parts && left > 0.0f; ++i) {
            const Vec2 along = perpendicular(ground);
            const float part = min(left, longest);
            const Vec2 stretch = along * (dot(along, direction) < 0.0f ? -part : part);
            const Hit hit = first_hit(stretch);
            left = left - part + mul(part, advance(stretch, hit));
            if (left == 0.0f) return;
            if (!hit) {
                if (!stand(snap_reach())) return slide(direction * left, {});
                ground = mover_.ground.normal;
            } else if (is_walkable(hit.cast.normal)) {
                ground = hit.cast.normal;
            } else if (climb(direction, left)) {
                ground = mover_.up;
            } else {
                push(hit);
                return note(hit);
            }
        }
    }

    /// Goes up a step and on in a direction; returns whether there was one. `left` is what is left of the way [m]; where
    /// that is too little to find a foothold it goes a little further.
    bool climb(Vec2 direction, float& left) {
        constexpr float foothold = 0.01f;  // of the radius
        const float enough = 4.0f * mover_.skin + mul(foothold, mover_.shape.radius);
        for (const float ahead : {left, max(left, enough)}) {
            const Vec2 start = mover_.position;
            if (const float gone = step_up(direction * ahead); gone > 0.0f) {
                left = max(left - gone, 0.0f);
                return true;
            }
            mover_.position = start;
        }
        return false;
    }
    /// Up, along a way, and down on ground that is higher; returns how far it has gone on the way [m], 0 if it has not.
    float step_up(Vec2 way) {
        const Vec2 start = mover_.position;
        const Shape shape = placed();
        const Vec2 lowest = shape.center + reach_towards(shape, -mover_.up);
        const Vec2 lift = mover_.up * mover_.step_height;
        advance(lift, first_hit(lift));
        const float raised = dot(mover_.position - start, mover_.up);
        const float part = 1.0f - advance(way, first_hit(way));
        const Vec2 down = mover_.up * -(raised + mover_.skin);
        const Hit landing = first_hit(down);
        advance(down, landing);
        const float height = dot(landing.cast.point - lowest, mover_.up);
        const bool stands = landing && ground_normal(landing) != Vec2{} && height <= raised &&
                            dot(mover_.position - start, mover_.up) > mover_.skin;
        return stands ? mul(part, length(way)) : 0.0f;
    }

    /// Makes way for what has run into it since the last step, as far as there is room.
    void give_way() {
        for (const Surface& surface : surfaces_) {
            const Vec2 shift = shift_of(surface);
            const bool is_still = shift == Vec2{} || surface.body == before_.platform;
            if (is_still) continue;
            const Shape shape = translate(placed(), shift);
            const CastHit hit = surface.cast(shape, -shift);
            if (!hit || !stops(surface, hit, shape)) continue;
            const float depth = mul(dot(shift, hit.normal), 1.0f - hit.fraction);
            give_way(surface, hit.normal * (depth + mover_.skin));
        }
    }
    void give_way(const Surface& surface, Vec2 way) {
        const Vec2 away = clamp_length(way, room_);
        const float left = advance(away, first_hit(away, surface.body));
        room_ = max(room_ - mul(length(away), 1.0f - left), 0.0f);
    }

    /// Out of what it overlaps: out of static things at any price, which therefore have the last word.
    void leave_overlaps(bool statics) {
        const float nearest = 0.25f * mover_.skin;
        for (int i = 0; i < most_slides; ++i) {
            Vec2 out{};
            const Surface* deepest = nullptr;
            float most = 0.0f;
            for (const Surface& surface : surfaces_) {
                if (surface.one_way != OneWay::No) continue;
                const Manifold touch = surface.touch(placed(), mover_.skin);
                const float depth = touch.penetration + nearest;
                if (depth <= most || is_static(surface) != statics) continue;
                most = depth;
                out = touch.normal * depth;
                deepest = &surface;
            }
            if (deepest == nullptr) return;
            if (statics) go(out);
            if (!statics) give_way(*deepest, out);
        }
    }
    [[nodiscard]] bool is_static(const Surface& surface) const {
        return std::as_const(world_).body(surface.body).type() == BodyType::Static;
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

    /// The ground below, if nothing else is in the way that is not as low.
    [[nodiscard]] Hit ground_below(Vec2 down) const {
        Hit ground;
        float first = CastHit::nothing;
        const Shape shape = placed();
        for (const Surface& surface : surfaces_) {
            const Hit hit{surface.cast(shape, down), &surface};
            if (!hit.cast || !stops(surface, hit.cast, shape)) continue;
            first = min(first, hit.cast.fraction);
            const bool is_next = hit.cast.fraction < ground.cast.fraction;
            if (is_next && ground_normal(hit) != Vec2{}) ground = hit;
        }
        const float skin = mover_.skin / length(down);
        if (ground.cast.fraction > first + 2.0f * skin) return {};
        ground.part = max(min(ground.cast.fraction, first) - skin, 0.0f);
        return ground;
    }

    /// Goes down to the ground if it is no deeper than `reach` [m]; returns whether it is.
    bool stand(float reach) {
        const Vec2 down = mover_.up * -(reach + 3.0f * mover_.skin);
        ground_ = jumps_ ? Hit{} : ground_below(down);
        mover_.ground.normal = ground_ ? ground_normal(ground_) : mover_.up;
        if (ground_) advance(down, ground_);
        return static_cast<bool>(ground_);
    }

    void describe_ground() {
        GroundState& ground = mover_.ground;
        if (!ground_) {
            ground = {.normal = mover_.up,
                      .steps_since_grounded = before_.steps_since_grounded + 1};
            return;
        }
        const Surface& surface = *ground_.surface;
        const ConstBodyRef platform = std::as_const(world_).body(surface.body);
        ground = {.is_grounded = true,
                  .normal = ground.normal,
                  .platform = surface.body,
                  .collider = surface.collider,
                  .platform_velocity = velocity_of(platform),
                  .steps_since_landed = before_.is_grounded ? before_.steps_since_landed + 1 : 0,
                  .distance_to_edge = distance_to_edge(ground_)};
        mover_.platform_position = platform.position();
        mover_.is_dropping = false;
    }

    /// What a platform does: it may have been told places, between which its own velocity is 0.
    [[nodiscard]] Vec2 velocity_of(const ConstBodyRef& platform) const {
        const bool is_known = before_.is_grounded && before_.platform == platform.id();
        const Vec2 moved = platform.position() - mover_.platform_position;
        const Vec2 told = platform.velocity();
        return is_known && told == Vec2{} ? moved / dt_ : told;
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
    const bool jumps_;
    float room_ = 0.0f;  // how far it may still make way [m]
    Hit ground_{};
    Array<Surface>& surfaces_;
};

inline void require_valid(const Mover& mover) {
    constexpr const char* call = "move";
    require_valid(mover.shape, call);
    require_finite(mover.position, call, "position");
    require_finite(mover.up, call, "up");
    require(abs(length_sq(mover.up) - 1.0f) < 1e-3f,
            "%s: up is (%g, %g), expected a vector of length 1", call, mover.up.x, mover.up.y);
    require(mover.steepest > 0.0f && mover.steepest <= 1.0f,
            "%s: steepest is %g, expected the cosine of an angle below 90 degrees", call,
            mover.steepest);
    require_not_negative(mover.step_height, call, "step_height");
    require_not_negative(mover.snap_distance, call, "snap_distance");
    require_not_negative(mover.push_force, call, "push_force");
    require_positive(mover.skin, call, "skin");
    require_not_negative(mover.edge_reach, call, "edge_reach");
}

}  // namespace phys2d::detail::inline PHYS2D_ABI

namespace phys2d::inline PHYS2D_ABI {

/// Moves a character by velocity·dt [m/s, s] as far as the world lets it, and returns the velocity that is left: into
/// walls, ceilings and the ground it is 0. Say a velocity upwards to jump: it leaves the ground at once. On the ground
/// it walks: what of the velocity is level is its pace, uphill and downhill. Call it once for each step of the world,
/// before or after it; what it stands on takes it along exactly. It pushes dynamic bodies; what is kinematic pushes it.
/// A velocity that is not finite, dt <= 0 and a mover whose members make no sense are errors.
///
///   velocity = move(world, hero, {speed, hero.ground.is_grounded ? 0 : velocity.y - 9.81f * dt}, dt);
inline Vec2 move(World& world, Mover& mover, Vec2 velocity, float dt) {
    detail::require_valid(mover);
    detail::require_finite(velocity, "move", "velocity");
    detail::require_positive(dt, "move", "dt");
    detail::require_finite(velocity * dt, "move", "velocity * dt");
    return detail::MoverStep(world, mover, velocity, dt).run();
}

}  // namespace phys2d::inline PHYS2D_ABI

// SPDX-License-Identifier: MIT
// MoverStep: one move of a mover.
//
// It is carried by its platform, makes way for what moves, leaves what it is in, and then goes its own way: through
// the air it slides along what it meets, on the ground it walks, and climbs what is no higher than a step.
// [Fauerby2003, "Improved Collision detection and Response": collide and slide]
#pragma once

#include <initializer_list>
#include <utility>

#include <phys2d/character/mover_force.hpp>
#include <phys2d/character/mover_ground.hpp>
#include <phys2d/character/mover_ride.hpp>
#include <phys2d/character/mover_stops.hpp>
#include <phys2d/world/crushing.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class MoverStep {
public:
    MoverStep(World& world, Mover& mover, Vec2 velocity, float dt)
        : world_(world),
          mover_(mover),
          velocity_(velocity),
          dt_(dt),
          jumps_(goes_up(mover, velocity)),
          lifted_(mover.ground.is_grounded ? BodyId{} : mover.ceiling.body),
          sight_(world, mover),
          force_(world, mover, velocity, dt) {}

    /// Returns the velocity that is left [m/s].
    Vec2 run() {
        const MoverRide ride = ride_on_platform(world_, mover_, dt_);
        const Vec2 way = velocity_ * dt_;
        const float longest = length(way);
        room_ = sight_.look_around(abs(ride.way) + Vec2{longest, longest});
        if (mover_.is_dropping)
            sight_.drop_through(ride.way, project(way, perpendicular(mover_.up)));
        walks_ = mover_.ground.is_grounded && !jumps_ && !mover_.is_dropping;
        if (walks_) sight_.walk();
        mover_.previous_position = mover_.position;  // after all that may throw
        mover_.wall = mover_.ceiling = {};
        mover_.crush = {};
        if (ride.way != Vec2{}) be_carried(ride.way);
        const Vec2 pushed = give_way_to_kinematics();
        force_.be_carried(ride.velocity + pushed / max(dt_, world_.config().time_step));
        give_way_to_dynamics();
        leave_dynamics();
        leave_overlaps(BodyType::Kinematic);
        leave_overlaps(BodyType::Static);
        if (jumps_) lift_what_is_above(project(way, mover_.up));
        if (walks_) {
            walk(way, mover_.ground.normal);
        } else {
            fly(leaves_ground() ? way + downhill(mover_, velocity_) * dt_ : way);
        }
        stand(walks_ ? snap_reach(mover_) : 0.0f);
        const Vec2 falling =
            leaves_ground() ? downhill(mover_, velocity_) + sinking(mover_, ride) : Vec2{};
        describe_ground();
        return velocity_left() + (ground_ ? Vec2{} : falling);
    }

private:
    static constexpr int most_turns = 5;

    /// What rounding takes from a step, the next one gets: slow movers far away keep their pace, and riders their place.
    void go(Vec2 way) {
        const Vec2 start = mover_.position;
        way += mover_.rounding;
        mover_.position += way;
        mover_.rounding = way - (mover_.position - start);
    }

    /// Goes along what is free of a way; returns the part that is left.
    float advance(Vec2 way, const MoverHit& hit) {
        go(way * hit.part);
        return 1.0f - hit.part;
    }

    /// Goes along a way and on along what it meets, never back.
    template <class Passes = PassesNothing>
    void slide(Vec2 way, Passes passes = {}) {
        slide_on(way, passes, [this](const MoverHit& hit, Vec2) {
            note(hit);
            return true;
        });
    }

    /// Goes with its platform, into dynamic bodies too: those do not hold it back.
    void be_carried(Vec2 way) {
        slide(way, [platform = mover_.ground.platform](const Surface& surface) {
            return surface.body == platform || surface.type == BodyType::Dynamic;
        });
    }

    /// The ground that it drops through.
    [[nodiscard]] bool leaves_ground() const { return mover_.is_dropping && !jumps_; }

    /// Goes through the air; walks on where it lands.
    void fly(Vec2 way) {
        slide_on(way, PassesNothing{}, [this](const MoverHit& hit, Vec2 left) {
            const Vec2 ground = jumps_ ? Vec2{} : sight_.ground_normal(hit);
            if (ground != Vec2{}) {
                walk(left, ground);
                return false;
            }
            run_into(hit);
            return true;
        });
    }

    /// Calls meet(hit, left) with what stops a slide and what is left of its way, until that returns false. What
    /// passes(surface) is true for does not stop it.
    template <class Passes, class Meet>
    void slide_on(Vec2 way, Passes passes, Meet meet) {
        MoverStops met;
        Vec2 wanted = way;
        for (int i = 0; i < most_turns && dot(way, wanted) > 0.0f; ++i) {
            const MoverHit hit = sight_.first_hit(way, passes);
            const float left = advance(way, hit);
            if (!hit || !meet(hit, way * left)) return;
            met.add(hit.cast.normal, mover_.position);
            wanted = not_uphill(hit.cast.normal, wanted) * left;
            way = met.left_of(wanted, mover_.position, mover_.skin);
        }
    }

    /// A vector that goes into ground that is too steep, less what of it is level: a wall is no way up.
    [[nodiscard]] Vec2 not_uphill(Vec2 normal, Vec2 v) const {
        const bool is_too_steep = dot(normal, mover_.up) > 0.0f && !is_ground(mover_, normal);
        if (!is_too_steep || dot(v, normal) >= 0.0f) return v;
        const Vec2 level = perpendicular(mover_.up);
        return stopped_by(level * sign(dot(normal, level)), v);
    }

    /// Goes along the ground as far as a way is level, at the same pace on slopes, and up and down steps. It looks for
    /// the ground so often that it does not leave it where it bends.
    void walk(Vec2 way, Vec2 ground) {
        constexpr int most_parts = 32;
        const Vec2 level = project(way, perpendicular(mover_.up));
        const Vec2 direction = normalized(level);
        float left = length(level);
        const float longest = max(0.5f * snap_reach(mover_), left / static_cast<float>(most_parts));
        for (int i = 0; i < 2 * most_parts && left > 0.0f; ++i) {
            const Vec2 along = perpendicular(ground);
            const float part = min(left, longest);
            const Vec2 stretch = along * (dot(along, direction) < 0.0f ? -part : part);
            const MoverHit hit = sight_.first_hit(stretch);
            left = left - part + mul(part, advance(stretch, hit));
            if (left == 0.0f) return;
            if (!hit) {
                if (!stand(snap_reach(mover_))) return slide(direction * left);
                ground = ground_.cast.normal;
            } else if (is_ground(mover_, hit.cast.normal)) {
                ground = hit.cast.normal;
            } else if (climb(direction, left)) {
                ground = mover_.up;
            } else {
                return run_into(hit);
            }
        }
    }

    /// Goes up a step and on in a direction; returns whether there was one. `left` is what is left of the way [m]. Its
    /// middle goes no further than the edge of the step, or it would overstep a narrow one; where that or what is left
    /// finds no foothold it goes as little as gives one.
    bool climb(Vec2 direction, float& left) {
        constexpr float foothold = 0.01f;  // of the radius
        const float enough = 4.0f * mover_.skin + mul(foothold, mover_.shape.radius);
        const float half_width = dot(outer_half_extents(mover_.shape), abs(direction));
        for (const float ahead : {min(left, half_width), enough}) {
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
        const Vec2 lowest = top_of(placed_shape(mover_), -mover_.up);
        const Vec2 lift = mover_.up * mover_.step_height;
        advance(lift, sight_.first_hit(lift));
        const float raised = dot(mover_.position - start, mover_.up);
        const float part = 1.0f - advance(way, sight_.first_hit(way));
        const Vec2 down = mover_.up * -(raised + mover_.skin);
        const MoverHit landing = sight_.first_hit(down);
        advance(down, landing);
        const float height = dot(landing.cast.point - lowest, mover_.up);
        const bool stands = landing && sight_.ground_normal(landing) != Vec2{} &&
                            height <= raised &&
                            dot(mover_.position - start, mover_.up) > mover_.skin;
        return stands ? mul(part, length(way)) : 0.0f;
    }

    /// Goes down to the ground if it is no deeper than `reach` [m]; returns whether it is.
    bool stand(float reach) {
        const Vec2 down = mover_.up * -(reach + mul(3.0f, mover_.skin));
        ground_ = jumps_ ? MoverHit{} : sight_.ground_below(down);
        if (ground_) advance(down, ground_);
        return static_cast<bool>(ground_);
    }

    /// Makes way for what is kinematic and has run into it since the last step, as far as there is room. Returns by how
    /// much [m].
    Vec2 give_way_to_kinematics() {
        const Vec2 start = mover_.position;
        for_each_that_came(BodyType::Kinematic,
                           [this](const Surface& surface, Vec2 out) { give_way(surface, out); });
        return mover_.position - start;
    }
    /// For dynamic bodies it does so as far as its force does not hold them.
    void give_way_to_dynamics() {
        for_each_that_came(BodyType::Dynamic, [this](const Surface& surface, Vec2 out) {
            const Vec2 way = force_.way_from(surface, out, 0.0f);
            if (way != Vec2{}) give_way(surface, way);
        });
    }
    /// Calls visit(surface, out) with what has run into it, but not with what it stands on.
    template <class Visit>
    void for_each_that_came(BodyType type, Visit visit) {
        if (!sight_.anything_moves()) return;
        for (const Surface& surface : mover_.surroundings) {
            if (surface.type != type || surface.body == mover_.ground.platform) continue;
            const Vec2 out = sight_.way_out_of(surface);
            if (out != Vec2{}) visit(surface, out);
        }
    }
    /// By a way, or along what stands slantwise in it. Dynamic bodies do not hold it back from one
    /// that is kinematic, and are named only if they move it.
    void give_way(const Surface& to, Vec2 way) {
        constexpr float least_part = 0.25f;  // square of the cosine of 60 degrees
        const Vec2 away = clamp_length(way, room_);
        const auto passes = [&to](const Surface& surface) {
            return surface.body == to.body ||
                   (to.type == BodyType::Kinematic && surface.type == BodyType::Dynamic);
        };
        MoverHit hit = sight_.first_hit(away, passes);
        const Vec2 pushed = to.type == BodyType::Dynamic ? way * hit.part : way;
        if (length_sq(pushed) > square(2.0f * mover_.skin)) name_stop(to, normalized(way));
        Vec2 missing = away * make_way(away, hit);
        if (!hit || missing == Vec2{}) return;
        const Vec2 along = stopped_by(hit.cast.normal, missing);
        const float part = length_sq(along) / length_sq(missing);
        if (part > least_part) {
            const Vec2 slide = clamp_length(along / part, room_);
            const MoverHit next = sight_.first_hit(slide, passes);
            missing *= make_way(slide, next);
            if (next) hit = next;
        }
        note_crush(to, missing, hit);
    }
    /// Returns the part that is left.
    float make_way(Vec2 way, const MoverHit& hit) {
        const float left = advance(way, hit);
        room_ = max(room_ - mul(length(way), 1.0f - left), 0.0f);
        return left;
    }
    /// Of a way to make way for something it has not gone `missing` [m], for what it has met.
    void note_crush(const Surface& to, Vec2 missing, const MoverHit& hit) {
        const Surface& other = *hit.surface;
        const float depth = length(missing);
        constexpr float patience = 0.25f;  // with what it pushes along [s]
        if (to.type == BodyType::Kinematic) return note_crush(to.body, other.body, depth);
        const bool is_pressed = other.type == BodyType::Kinematic &&
                                dot(sight_.shift_of(other), hit.cast.normal) > 0.0f;
        if (is_pressed && !force_.can_bring_along(to.body, -missing / depth, patience))
            note_crush(other.body, to.body, depth);
    }
    void note_crush(BodyId by, BodyId against, float depth) {
        const float least = mul(crush_depth, world_.config().length_unit);
        if (depth > max(least, mover_.crush.depth)) mover_.crush = {true, by, against, depth};
    }

    /// Out of what it overlaps: out of static things at any price, which therefore have the last word.
    void leave_overlaps(BodyType type) {
        for (int i = 0; i < most_turns; ++i) {
            const MoverOverlap deepest = sight_.deepest_overlap(type);
            if (deepest.surface == nullptr) return;
            if (type == BodyType::Static) {
                go(deepest.out);
            } else {
                give_way(*deepest.surface, deepest.out);
            }
        }
    }
    /// Out of dynamic bodies, as far as its force does not hold them.
    void leave_dynamics() {
        for (const Surface& surface : mover_.surroundings) {
            if (surface.type != BodyType::Dynamic) continue;
            const Vec2 out = sight_.overlap_with(surface);
            const Vec2 way = out == Vec2{} ? out : force_.way_from(surface, out, length(out));
            if (way != Vec2{}) give_way(surface, way);
        }
    }
    /// Takes along what its force can as it goes up, and goes past that.
    void lift_what_is_above(Vec2 way) {
        for (MoverHit hit = sight_.first_hit(way); hit; hit = sight_.first_hit(way)) {
            const BodyId body = hit.surface->body;
            const bool is_above = dot(hit.cast.normal, mover_.up) <= -mover_.steepest;
            if (!is_above || !force_.can_lift(hit, body == lifted_)) return;
            force_.push(hit);
            name_stop(*hit.surface, hit.cast.normal);
            sight_.forget(body);
        }
    }
    void run_into(const MoverHit& hit) {
        force_.push(hit);
        note(hit);
    }
    void note(const MoverHit& hit) {
        if (dot(hit.cast.normal, mover_.up) >= mover_.steepest) return;
        stops_.add(hit.cast.normal, mover_.position);
        name_stop(*hit.surface, hit.cast.normal);
    }
    /// As its wall or its ceiling, by the normal; not as either if it is ground.
    void name_stop(const Surface& surface, Vec2 normal) {
        const float height = dot(normal, mover_.up);
        if (height >= mover_.steepest) return;
        const bool is_above = height <= -mover_.steepest;
        (is_above ? mover_.ceiling : mover_.wall) = {true, normal, surface.body, surface.collider};
    }

    void describe_ground() {
        GroundState& ground = mover_.ground;
        if (!ground_) {
            ground = {.is_wedged = left_by_stops(-mover_.up) == Vec2{},
                      .normal = mover_.up,
                      .steps_since_grounded = ground.steps_since_grounded + 1};
            return;
        }
        const MoverGround found(world_, mover_, ground_);
        ground = found.state(world_.config().time_step);
        mover_.platform_position = found.platform_position();
        mover_.is_dropping = false;
    }

    /// The velocity asked for, less what the ground, the walls and the ceiling have stopped.
    [[nodiscard]] Vec2 velocity_left() const {
        const bool stands = mover_.ground.is_grounded;
        Vec2 velocity = stands ? stopped_by(mover_.up, velocity_) : velocity_;
        velocity = left_by_stops(velocity);
        return stands && dot(velocity, mover_.up) < 0.0f ? Vec2{} : velocity;
    }
    [[nodiscard]] Vec2 left_by_stops(Vec2 v) const {
        for (const MoverStops::Stop& stop : stops_) v = not_uphill(stop.normal, v);
        return stops_.left_of(v, mover_.position, mover_.skin);
    }

    World& world_;
    Mover& mover_;  // its `ground` is what it stood on before, until the move is over
    const Vec2 velocity_;
    const float dt_;
    const bool jumps_;
    const BodyId lifted_;  // above it in the air before
    bool walks_ = false;
    MoverSight sight_;
    MoverForce force_;
    MoverStops stops_{};  // walls and ceilings
    MoverHit ground_{};   // what it stands on now
    float room_ = 0.0f;   // how far it may still make way [m]
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

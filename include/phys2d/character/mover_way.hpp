// SPDX-License-Identifier: MIT
// MoverWay: how does a mover follow a translation, slide along the surfaces that it hits, and climb
// steps?
// [Fauerby2003, "Improved Collision detection and Response": collide and slide]
#pragma once

#include <limits>

#include <phys2d/character/mover_footing.hpp>
#include <phys2d/character/mover_force.hpp>
#include <phys2d/character/mover_gap.hpp>
#include <phys2d/character/mover_stops.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class MoverWay {
protected:
    MoverWay(World& world, Mover& mover, Vec2 velocity, float dt)
        : world_(world),
          mover_(mover),
          velocity_(velocity),
          dt_(dt),
          sight_(world, mover),
          force_(world, mover, velocity, dt) {}

    /// Moves the position. The part that rounding takes is added to the next move: slow movers far
    /// from the origin keep their speed, and riders their place.
    void go(Vec2 way) {
        const Vec2 start = mover_.position;
        way += mover_.rounding;
        mover_.position += way;
        mover_.rounding = way - (mover_.position - start);
    }

    /// A place to which it may go back, as if it had not moved.
    struct Start {
        Vec2 position;
        Vec2 rounding;
    };
    [[nodiscard]] Start start() const { return {mover_.position, mover_.rounding}; }
    void go_back_to(Start start) {
        mover_.position = start.position;
        mover_.rounding = start.rounding;
    }

    /// Moves by the free part of a translation; returns the fraction that is left.
    float advance(Vec2 way, const MoverHit& hit) {
        go(way * hit.part);
        return 1.0f - hit.part;
    }
    float advance(Vec2 way) { return advance(way, sight_.first_hit(way)); }

    /// The first surface that it hits during a translation, from the gap into which it slips first.
    [[nodiscard]] MoverHit slip_and_hit(Vec2 way) {
        const MoverHit hit = sight_.first_hit(way);
        return MoverGap(mover_, sight_, way, hit).slip_in() ? sight_.first_hit(way) : hit;
    }

    /// Whether nothing stops it during a translation, or it slips into a gap in which it gets on.
    [[nodiscard]] bool is_open(Vec2 way, PassTest passes = passes_nothing) {
        const MoverHit hit = sight_.first_hit(way, passes);
        return !hit || MoverGap(mover_, sight_, way, hit, passes).slip_in();
    }

    /// Moves by a translation, sliding along the surfaces that it hits, never backwards.
    void slide(Vec2 way, PassTest passes = passes_nothing) {
        const auto note_it = [this](const MoverHit& hit, Vec2) {
            note(*hit.surface, hit.cast.normal);
            return true;
        };
        slide_on(way, note_it, passes);
    }

    /// Calls meet(hit, left) with each hit of a slide and the translation left there, until it
    /// returns false. Surfaces for which passes(surface) is true do not stop it. Returns whether
    /// the surfaces leave it no direction to go on in.
    bool slide_on(Vec2 way, FunctionRef<bool(const MoverHit& hit, Vec2 left)> meet,
                  PassTest passes = passes_nothing) {
        MoverStops met;
        Vec2 wanted = way;
        for (int i = 0; i < most_turns && dot(way, wanted) > 0.0f; ++i) {
            MoverHit hit = sight_.first_hit(way, passes);
            if (MoverGap gap(mover_, sight_, way, hit, passes); gap.slip_in()) {
                way = gap.way_in();
                hit = sight_.first_hit(way, passes);
            }
            const float left = advance(way, hit);
            if (!hit || !meet(hit, way * left)) return false;
            met.add(hit.cast.normal, mover_.position);
            wanted = not_uphill(hit.cast.normal, wanted) * left;
            way = met.left_of(wanted, mover_.position, mover_.skin);
            if (way == Vec2{}) way = way_aside(hit, wanted, passes);
        }
        return way == Vec2{};
    }

    /// Climbs a step in a direction; returns whether there was one. `left` is the rest of the way
    /// [m]. The centre goes no further than the edge of the step, or it would overstep a narrow
    /// one. If that gives no foothold, it goes as far as gives one: less, or past the slanted side
    /// of the step, however slow it is.
    bool climb(Vec2 direction, float& left) {
        constexpr float foothold = 0.01f;  // of the radius
        constexpr int most_tries = 3;      // after the first
        const float enough = 4.0f * mover_.skin + mul(foothold, mover_.shape.radius);
        const float half_width = dot(outer_half_extents(mover_.shape), abs(direction));
        StepUp step = step_up(direction, min(left, half_width));
        float ahead = enough;
        for (int i = 0; i < most_tries && !step.stands; ++i) {
            step = step_up(direction, ahead);
            ahead = step.gone + step.side + enough;
            if (step.side == 0.0f || ahead > half_width) break;
        }
        if (step.stands) left = max(left - step.gone, 0.0f);
        return step.stands;
    }

    /// Removes the horizontal part of a vector into ground that is too steep to climb.
    [[nodiscard]] Vec2 not_uphill(Vec2 normal, Vec2 v) const {
        const bool is_too_steep = dot(normal, mover_.up) > 0.0f && !is_ground(mover_, normal);
        if (!is_too_steep || dot(v, normal) >= 0.0f) return v;
        const Vec2 level = perpendicular(mover_.up);
        return stopped_by(level * sign(dot(normal, level)), v);
    }

    void run_into(const MoverHit& hit, Vec2 velocity) {
        force_.push(hit, velocity);
        note(*hit.surface, hit.cast.normal);
    }
    void note(const Surface& surface, Vec2 normal) {
        if (is_ground(mover_, normal)) return;
        const Vec2 velocity = sight_.velocity_of(surface) - ground_velocity_;
        stops_.add(normal, mover_.position, velocity, slowest_of(surface, normal));
        name_stop(surface, normal);
    }
    /// Whether what comes to it lends it its velocity. On the ground it only moves the mover.
    [[nodiscard]] bool is_lent_velocities() const { return !mover_.ground.is_grounded; }
    /// The least speed at which a surface counts as receding, seen from what carries the mover
    /// [m/s]. A crate that comes is as at rest.
    [[nodiscard]] float slowest_of(const Surface& surface, Vec2 normal) const {
        if (!is_lent_velocities()) return 0.0f;
        if (surface.type != BodyType::Dynamic) return std::numeric_limits<float>::lowest();
        return min(dot(ground_velocity_, normal), 0.0f);
    }
    /// Records a surface as the wall or the ceiling, by its normal; ground is neither.
    void name_stop(const Surface& surface, Vec2 normal) {
        if (is_ground(mover_, normal)) return;
        MoverContact& stop = is_above(normal) ? mover_.ceiling : mover_.wall;
        stop = {true, normal, surface.body, surface.collider, sight_.velocity_of(surface)};
    }
    /// Whether what has a normal is a ceiling.
    [[nodiscard]] bool is_above(Vec2 normal) const { return is_ground(mover_, -normal); }

    /// What stops leave of a velocity. It follows ground that is too steep where that goes away.
    [[nodiscard]] Vec2 left_by(const MoverStops& stops, Vec2 v) const {
        for (const MoverStops::Stop& stop : stops) {
            if (stop.approach(v) <= 0.0f) continue;
            const Vec2 level = project(stop.velocity, perpendicular(mover_.up));
            const Vec2 follows = dot(level, stop.normal) < 0.0f ? level : Vec2{};
            v = not_uphill(stop.normal, v - follows) + follows;
        }
        return stops.left_of(v, mover_.position, mover_.skin);
    }

    World& world_;
    Mover& mover_;                   // until the move is over, `ground` is the one before it
    const Vec2 velocity_;            // as requested [m/s]
    const float dt_;                 // of the move [s]
    Vec2 own_velocity_ = velocity_;  // seen from what carries it [m/s]
    MoverFooting sight_;
    MoverForce force_;
    MoverStops stops_{};      // walls and ceilings
    Vec2 ground_velocity_{};  // of what carries it [m/s]

private:
    static constexpr int most_turns = 5;

    /// The way aside from where it was stopped, if that is open; else zero. A wall that it hit
    /// before may have ended by now, as one with a tunnel above it.
    [[nodiscard]] Vec2 way_aside(const MoverHit& stop, Vec2 wanted, PassTest passes) {
        const Vec2 aside = project(wanted, perpendicular(stop.cast.normal));
        return is_open(aside, passes) ? aside : Vec2{};
    }

    /// A try to climb a step.
    struct StepUp {
        float gone;   ///< how far it got [m]
        bool stands;  ///< on higher ground
        float side;   ///< where it found no ground: see `slanted_side`; else 0
    };
    /// Goes up, ahead, and down onto higher ground, further than the skin, so that rounding does
    /// not decide about it. If it cannot stand there it stays where it was.
    StepUp step_up(Vec2 direction, float ahead) {
        const Start before = start();
        const Vec2 lowest = top_of(placed_shape(mover_), -mover_.up);
        advance(mover_.up * mover_.step_height);
        const float raised = dot(mover_.position - before.position, mover_.up);
        const float missed = advance(direction * ahead);
        StepUp step{mul(1.0f - missed, ahead), false, 0.0f};
        const Vec2 down = mover_.up * -(raised + mover_.skin);
        if (const MoverHit landing = sight_.ground_below(down)) {
            advance(down, landing);
            const float height = dot(landing.cast.point - lowest, mover_.up);
            const float risen = dot(mover_.position - before.position, mover_.up);
            step.stands = height <= raised && min(risen, step.gone) > mover_.skin;
        } else if (missed == 0.0f) {
            step.side = slanted_side(direction);
        }
        if (!step.stands) go_back_to(before);
        return step;
    }
    /// How far the slanted side of a step goes on in a direction, from where a mover above it would
    /// come down on it to where it can stand on its upper end [m]; 0 if there is none.
    [[nodiscard]] float slanted_side(Vec2 direction) const {
        const MoverHit side = sight_.first_hit(mover_.up * -(mover_.step_height + mover_.skin));
        const Vec2 normal = side.cast.normal;
        if (dot(normal, direction) >= 0.0f) return 0.0f;
        const float walkable = mul(mover_.max_slope, height_of_normal(mover_.max_slope));
        const float turn = max(abs(cross(normal, mover_.up)) - walkable, 0.0f);
        const float length = dot(top_of(*side.surface, mover_.up) - side.cast.point, direction);
        return length + mul(mover_.shape.radius, turn);
    }
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

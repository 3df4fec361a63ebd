// SPDX-License-Identifier: MIT
// MoverYield: how does a mover follow its platform, make way for moving bodies, and leave overlaps?
#pragma once

#include <utility>

#include <phys2d/character/mover_drop.hpp>
#include <phys2d/character/mover_ground.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class MoverYield : public MoverDropping {
protected:
    using MoverDropping::MoverDropping;

    /// Lists all surfaces that it may reach when it moves by up to `reach` along the axes [m].
    void look_around(Vec2 reach) { room_ = sight_.look_around(reach); }

    /// Everything before its own motion: riding, making way, leaving overlaps.
    void make_way(const MoverRide& ride) {
        ground_velocity_ = ride.velocity + ride.belt;
        if (ride.way != Vec2{}) ride_along(ride.way, mover_.ground.platform);
        if (ride.belt != Vec2{}) convey(ride.belt * dt_);
        const Vec2 carried = stops_.left_of(ground_velocity_, mover_.position, mover_.skin);
        const bool may_meet = is_lent_velocities() && sight_.anything_moves();
        const Vec2 met = may_meet ? meet_in_the_air() : Vec2{};
        const Vec2 pushed = met + give_way_to_kinematics();
        force_.set_carried_velocity(carried + pushed / max(dt_, world_.config().time_step));
        give_way_to_dynamics();
        leave_dynamics();
        leave_overlaps(BodyType::Static);
        leave_overlaps(BodyType::Kinematic);
    }

    Vec2 way_left_ = velocity_ * dt_;  // in the air, less what pushes have made up for [m]

private:
    /// How often it leaves the deepest of several overlaps before it gives up.
    static constexpr int most_looks = 8;

    /// Moves with a body. What moves alike does not hold it back, nor do dynamic bodies if it is on
    /// the ground; in the air they do, and its own way may lead it away from them.
    void ride_along(Vec2 way, BodyId carrier) {
        const Vec2 start = mover_.position;
        slide(way, [this, way, carrier](const Surface& surface) {
            const bool is_pushed = mover_.ground.is_grounded && surface.type == BodyType::Dynamic;
            return surface.body == carrier || is_pushed || sight_.moves_by(surface, way);
        });
        ridden_ = mover_.position - start;
    }
    /// In the air what it meets first, seen from that, carries it, and it goes the rest of its way
    /// as if that were at rest; if it meets nothing, its whole way is free. Returns the translation
    /// by which what it meets keeps it from the rest of its way [m].
    Vec2 meet_in_the_air() {
        const MoverHit hit = sight_.first_met(way_left_);
        if (!hit) {
            ridden_ = std::exchange(way_left_, {});
            go(ridden_);
            return {};
        }
        const Vec2 shift = sight_.shift_by(*hit.surface);
        if (shift == Vec2{}) return {};
        ground_velocity_ = sight_.velocity_of(*hit.surface);
        ride_along(shift, hit.surface->body);
        stops_ = {};  // its own way may lead it away from them
        mover_.wall = mover_.ceiling = {};
        way_left_ -= ridden_;
        own_velocity_ -= ground_velocity_;
        return hit.cast.normal * max(-dot(way_left_, hit.cast.normal), 0.0f);
    }
    /// Moves with a conveyor, also into dynamic bodies.
    void convey(Vec2 way) {
        slide(way, [](const Surface& surface) { return surface.type == BodyType::Dynamic; });
    }

    /// Makes way for kinematic bodies that ran into it since the last step, as far as there is
    /// room. Returns the translation [m].
    Vec2 give_way_to_kinematics() {
        const Vec2 start = mover_.position;
        for_each_that_came(BodyType::Kinematic, [this](const Surface& surface, Vec2 out) {
            const Vec2 before = mover_.position;
            give_way(surface, out);
            if (is_lent_velocities()) note(surface, normalized(out));
            way_left_ = beyond(way_left_, mover_.position - before);
        });
        return mover_.position - start;
    }
    /// What is left of a way in the air after a push, which has already made up for some of it.
    [[nodiscard]] static Vec2 beyond(Vec2 way, Vec2 pushed) {
        const Vec2 out = normalized(pushed);
        return way - out * min(max(dot(way, out), 0.0f), length(pushed));
    }
    /// Makes way for dynamic bodies that ran into it, as far as its force does not hold them.
    void give_way_to_dynamics() {
        for_each_that_came(BodyType::Dynamic,
                           [this](const Surface& surface, Vec2 out) { hold(surface, out, 0.0f); });
    }
    /// Leaves dynamic bodies, as far as its force does not hold them.
    void leave_dynamics() {
        for (const Surface& surface : mover_.surroundings) {
            if (surface.type != BodyType::Dynamic) continue;
            const Vec2 out = sight_.overlap_with(surface);
            if (out != Vec2{}) {
                hold(surface, out, length(out));
            } else if (surface.body == last_ceiling_) {
                name_if_still_on_head(surface);
            }
        }
    }
    /// Lists the surfaces around the place where it was put, if that is far, but for those that it
    /// drops through.
    void look_there() {
        if (!sight_.has_come_far()) return;
        sight_.look_again();
        if (mover_.is_dropping)
            remove_ground({}, project(velocity_ * dt_, perpendicular(mover_.up)));
    }
    /// Leaves bodies that it overlaps: static ones through other shapes, too, so they come first.
    /// What is set on it may put it out far. Where it finds no room it stays: pieces of a floor
    /// would pass it on to each other until it was through.
    /// Between sides of one body that leave it no room it stays, too: making way for the one, it
    /// would pass the other. Two that face each other and leave it hardly any have it in one of
    /// them by part of its skin, where the next piece of that side would stop it: so it becomes
    /// smaller.
    void leave_overlaps(BodyType type) {
        const Start before = start();
        const float room = room_;
        Vec2 out{};
        BodyId by{}, against{};
        for (int i = 0; i < most_looks; ++i) {
            const MoverPush deepest = sight_.deepest_overlap(type);
            if (!deepest) return;
            out = deepest.out;
            against = by;
            by = deepest.surface->body;
            if (type == BodyType::Static) {
                go(deepest.out * part_before_faces(deepest));
                name_if_felt(*deepest.surface, deepest.out);
            } else {
                room_ = room;
                give_way(*deepest.surface, deepest.out);
            }
            look_there();
        }
        const bool is_deep = length(out) > least_crush();
        if (!is_deep && !sight_.is_held_back(normalized(out))) return;
        if (is_deep || by == against) {
            go_back_to(before);
            look_there();
        }
        const float left = length(sight_.deepest_overlap(type).out);
        if (!mover_.crush) note_crush(by, against, max(length(out), left));
        sight_.become_smaller(mover_.skin);
    }

    /// The part of a way out of a surface before it leads through a face of another body: behind a
    /// line nothing would bring it back.
    [[nodiscard]] float part_before_faces(const MoverPush& overlap) const {
        if (length(overlap.out) <= least_crush()) return 1.0f;
        const BodyId body = overlap.surface->body;
        const auto passes = [body](const Surface& surface) {
            return !surface.is_face() || surface.body == body;
        };
        return sight_.first_hit(overlap.out, passes).part;
    }

    /// Calls visit(surface, out) for each surface that ran into it, except its platform. First for
    /// that which met it first: a wall of pieces pushes it with the piece that faces it, and not
    /// with the corners of the others.
    void for_each_that_came(BodyType type,
                            FunctionRef<void(const Surface& surface, Vec2 out)> visit) {
        if (!sight_.anything_moves()) return;
        const MoverPush first = first_push(type);
        if (!first) return;
        visit(*first.surface, first.out);
        for (const Surface& surface : mover_.surroundings) {
            if (&surface == first.surface || !may_come(surface, type)) continue;
            if (const MoverPush push = sight_.push_by(surface, ridden_)) visit(surface, push.out);
        }
    }
    /// The push of the surface that met it first; none if nothing ran into it.
    [[nodiscard]] MoverPush first_push(BodyType type) const {
        MoverPush first;
        for (const Surface& surface : mover_.surroundings) {
            if (!may_come(surface, type)) continue;
            const MoverPush push = sight_.push_by(surface, ridden_);
            if (push.fraction < first.fraction) first = push;
        }
        return first;
    }
    /// Whether a surface is of a type that may have run into it; its platform has not.
    [[nodiscard]] bool may_come(const Surface& surface, BodyType type) const {
        return surface.type == type && surface.body != mover_.ground.platform;
    }
    /// Held on a platform that sinks faster and faster, a body lags behind, by no more than it
    /// falls in a step.
    void name_if_still_on_head(const Surface& surface) {
        if (!mover_.ground.is_grounded) return;
        const float height = force_.fall_in_step(surface, -mover_.up) + mover_.skin;
        name_if_above(surface, surface.cast(placed_shape(mover_), mover_.up * height).normal);
    }
    /// Makes way for a dynamic body as far as its force does not hold that. A body on its head
    /// becomes the ceiling even if it does not move the mover.
    void hold(const Surface& surface, Vec2 out, float depth) {
        name_if_above(surface, normalized(out));
        give_way(surface, force_.hold_off(surface, out, depth));
    }
    /// Moves by a translation out of the way of `to`, or along an inclined surface in between, and
    /// climbs steps before a kinematic body. Dynamic bodies do not hold it back from a kinematic
    /// one, and become wall or ceiling only if they move it or are on its head.
    void give_way(const Surface& to, Vec2 way) {
        const Vec2 away = clamp_length(way, room_);
        const auto passes = [&to](const Surface& surface) {
            return surface.body == to.body ||
                   (to.type == BodyType::Kinematic && surface.type == BodyType::Dynamic);
        };
        MoverHit hit = sight_.first_hit(away, passes);
        const Vec2 pushed = to.type == BodyType::Dynamic ? way * hit.part : way;
        name_if_above(to, normalized(way));
        name_if_felt(to, pushed);
        Vec2 missing = away * advance_in_room(away, hit);
        if (!hit) return;
        if (const MoverHit next = slide_in_room(hit.cast.normal, missing, passes)) hit = next;
        if (to.type == BodyType::Kinematic) missing -= climb_along(missing);
        note_crush(to, missing, hit, length(missing) + length(way - away));
    }
    /// Moves along a surface that has stopped it, so far that it makes up for the way that is
    /// `missing`, unless that leads too far aside. Returns what it hits then, if anything.
    MoverHit slide_in_room(Vec2 normal, Vec2& missing, PassTest passes) {
        constexpr float least_part = 0.25f;  // square of the cosine of 60 degrees
        const Vec2 along = stopped_by(normal, missing);
        const float part = length_sq(along) / length_sq(missing);
        if (!(part > least_part)) return {};  // nor what is too short to be squared
        const Vec2 slide = clamp_length(along / part, room_);
        const MoverHit hit = sight_.first_hit(slide, passes);
        missing *= advance_in_room(slide, hit);
        return hit;
    }
    /// Climbs a step that is in its way on the ground; returns the part of a translation done.
    Vec2 climb_along(Vec2 way) {
        const Vec2 direction = normalized(project(way, perpendicular(mover_.up)));
        if (direction == Vec2{} || !mover_.ground.is_grounded) return {};
        const float level = dot(way, direction);
        float left = level;
        climb(direction, left);
        return direction * (level - left);
    }
    /// Records a surface that a normal leads out of, if it is a ceiling.
    void name_if_above(const Surface& surface, Vec2 normal) {
        if (is_above(normal)) name_stop(surface, normal);
    }
    /// Records a surface that has pushed the mover by a translation, if that is not tiny.
    void name_if_felt(const Surface& surface, Vec2 pushed) {
        if (length_sq(pushed) > square(2.0f * mover_.skin)) name_stop(surface, normalized(pushed));
    }
    /// Returns the fraction that is left.
    float advance_in_room(Vec2 way, const MoverHit& hit) {
        const float left = advance(way, hit);
        room_ = max(room_ - mul(length(way), 1.0f - left), 0.0f);
        return left;
    }
    /// Records a crush: making way for `to`, it hit a surface with `missing` left to go, and is
    /// `inside` that deep [m].
    void note_crush(const Surface& to, Vec2 missing, const MoverHit& hit, float inside) {
        const Surface& other = *hit.surface;
        const float depth = length(missing);
        if (to.type == BodyType::Kinematic) return note_crush(to.body, other.body, inside);
        if (force_.can_bring_along(to.body, -missing / depth, inside)) return;
        const bool is_pressed = other.type == BodyType::Kinematic &&
                                dot(sight_.shift_of(other), hit.cast.normal) > 0.0f;
        if (is_pressed) return note_crush(other.body, to.body, depth);
        if (other.type != BodyType::Dynamic) note_crush(to.body, other.body, depth);
    }
    void note_crush(BodyId by, BodyId against, float depth) {
        if (depth > max(least_crush(), mover_.crush.depth))
            mover_.crush = {true, by, against, depth};
    }

    /// [m]
    [[nodiscard]] float least_crush() const {
        return mul(crush_depth, world_.config().length_unit);
    }

    const BodyId last_ceiling_ = mover_.ceiling.body;  // of the last move
    Vec2 ridden_{};                                    // way by what carries it in this move [m]
    float room_ = 0.0f;                                // how far it may still make way [m]
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

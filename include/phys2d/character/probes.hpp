// SPDX-License-Identifier: MIT
// Probes: character collision against a world of tiles by point probes, as functions on values for
// games with their own loop.
//
// Swept probes are points of the character. Each is traced from its old to its new position; the
// first hit stops the character `epsilon` short of the face, and the rest of the motion slides
// along it: at full speed on ground, without the component into the face at walls. Repelling probes
// push the character out of tiles that have appeared inside it, such as a closing door. Every move
// is checked with the floats that result from it, so a probe that was outside stays outside.
// Lengths are in tiles; y grows upwards. See character/trace.hpp for what a world of tiles is.
#pragma once

#include <cstdint>

#include <phys2d/character/probe_set.hpp>
#include <phys2d/character/slope.hpp>
#include <phys2d/character/trace.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// The result of `place`.
struct PlacedCharacter {
    Vec2 position{};             ///< [tiles]
    bool is_on_ground = false;   ///< on a face no steeper than `max_slope`
    bool is_at_ceiling = false;  ///< stopped by a ceiling while going up
    /// Stopped on the left by a wall or a slope that is too steep.
    bool is_at_left_wall = false;
    bool is_at_right_wall = false;     ///< the same on the right
    Vec2 ground_normal{};              ///< unit vector; zero in the air
    std::uint64_t swept_hits = 0;      ///< bit i: swept probe i stopped it (the first 64)
    std::uint64_t repelling_hits = 0;  ///< bit i: repelling probe i pushed it (the first 64)
};

/// Turns a velocity [tiles/s] or a translation [tiles] along the ground, at the same speed.
///     on ground   No steeper than `max_slope`: along the slope, uphill and downhill. Falling
///                 velocities walk at their horizontal speed, unless they are along the slope
///                 already; velocities up and away from the ground, as in a jump, are unchanged.
///     too steep   Other slopes, walls and ceilings: uphill motion stops; other motion into the
///                 face slides along it.
/// A zero normal changes nothing. Pre: `ground_normal` is a unit vector or zero; `max_slope`, rise
/// over run, is >= 0.
[[nodiscard]] constexpr Vec2 keep_pace(Vec2 velocity, Vec2 ground_normal, float max_slope = 1.0f) {
    const float away = dot(velocity, ground_normal);
    if (!detail::is_walkable(ground_normal, Vec2{0.0f, 1.0f}, max_slope)) {
        if (away >= 0.0f) return velocity;
        const bool is_uphill = ground_normal.y > 0.0f && mul(velocity.x, ground_normal.x) < 0.0f;
        const Vec2 stopped{is_uphill ? 0.0f : velocity.x, velocity.y};
        return detail::stopped_by(ground_normal, stopped);
    }
    const float speed = length(velocity);
    const float rounding = mul(1e-3f, speed);
    if (velocity.y > 0.0f && away > rounding) return velocity;
    const Vec2 along{ground_normal.y, -ground_normal.x};
    const bool falls = velocity.y < 0.0f && abs(away) > rounding;
    const float pace = falls ? abs(velocity.x) : min(abs(velocity.x / along.x), speed);
    return along * mul(pace, sign(velocity.x));
}

namespace detail {

/// The first hit of a set of swept probes, and the probe that hits.
struct SetHit {
    ProbeHit hit{};
    std::size_t probe = 0;

    constexpr explicit operator bool() const { return static_cast<bool>(hit); }
};

[[nodiscard]] constexpr std::uint64_t bit_of(std::size_t probe) {
    return probe < 64 ? std::uint64_t{1} << probe : 0;
}

/// Whether a motion is a jump: it leaves the ground, or goes up in the air.
[[nodiscard]] constexpr bool is_jump(Vec2 way, const PlacedCharacter& before) {
    if (!before.is_on_ground) return way.y > 0.0f;
    return way.y > 0.0f && dot(way, before.ground_normal) > mul(1e-3f, length(way));
}

/// How far down ground is right below a character that stands on it [tiles]. The line of a slope
/// is further down than epsilon, across which it stands.
[[nodiscard]] constexpr float right_below(const ProbeSet& set) { return 4.0f * set.epsilon; }

/// How far below a character ground that is no steeper than `max_slope` can be after a motion
/// along the ground [tiles].
[[nodiscard]] constexpr float deepest_fall(Vec2 way, const ProbeSet& set) {
    const float falls_away = mul(abs(way.x), set.max_slope) + max(way.y, 0.0f);
    return min(falls_away + right_below(set), set.put_down);
}

/// A character while it is being placed.
template <TileSource Tiles>
class Placing {
public:
    Placing(const Tiles& tiles, const ProbeSet& set, Vec2 position) : tiles_(tiles), set_(set) {
        now.position = position;
    }

    /// Moves to a target, sliding along the faces in between.
    void slide_to(Vec2 target) {
        Vec2 lifted{};
        for (int turns = 0; turns < most_turns && target != now.position; ++turns) {
            const SetHit first = first_hit(target);
            if (!first) {
                now.position = target;
                return;
            }
            note(first);
            Vec2 rest = target - now.position;
            if (go_free(rest, first.hit.free)) rest = rest * (1.0f - first.hit.free);
            const float gap = first.hit.free > 0.0f ? set_.epsilon : first.hit.gap;
            const Vec2 normal = first.hit.normal;
            // Between faces that leave no room, the gap to one would take it into the other.
            const bool has_room = dot(lifted, normal) >= 0.0f;
            const bool lifts = gap < 0.5f * set_.epsilon && has_room;
            const Vec2 lift = lifts ? normal * (set_.epsilon - gap) : Vec2{};
            target = now.position + keep_pace(rest, normal, set_.max_slope) + lift;
            lifted += lift;
        }
    }

    /// Moves as the repelling probes push, as far as the swept probes allow. Of pushes in the same
    /// direction along an axis the largest counts.
    void give_way() {
        Vec2 low{}, high{};
        for (std::size_t i = 0; i < set_.repelling.size(); ++i) {
            const Vec2 back = repel(tiles_, set_.repelling[i], now.position, set_.epsilon);
            if (back == Vec2{}) continue;
            low = min(low, back);
            high = max(high, back);
            now.repelling_hits |= bit_of(i);
        }
        const Vec2 way = low + high;
        if (way != Vec2{}) go_free(way, first_hit(now.position + way).hit.free);
    }

    /// Looks for ground right below. If several faces are found, takes the normal of the one that
    /// rises most towards `heading`.
    void feel_ground(float heading) {
        const Vec2 down{0.0f, -right_below(set_)};
        leave_ground();
        for (const SweptProbe& probe : set_.swept) {
            const Vec2 from = now.position + probe.offset;
            const ProbeHit hit = trace(tiles_, {from, from + down}, set_.epsilon);
            if (!hit || !is_ground(hit.normal)) continue;
            const bool rises = mul(hit.normal.x - now.ground_normal.x, heading) < 0.0f;
            if (!now.is_on_ground || rises) now.ground_normal = hit.normal;
            const float height = (hit.gap - set_.epsilon) / hit.normal.y;
            height_ = now.is_on_ground ? min(height_, height) : height;
            now.is_on_ground = true;
        }
    }

    void leave_ground() {
        now.is_on_ground = false;
        now.ground_normal = {};
    }

    /// Goes down to ground that has fallen away during a walk from `start`.
    void follow_ground(Vec2 start, float heading) {
        if (now.is_on_ground) return;
        const Vec2 down{0.0f, -deepest_fall(now.position - start, set_)};
        const SetHit first = first_hit(now.position + down);
        if (!first || !is_ground(first.hit.normal)) return;
        go_free(down, first.hit.free);
        feel_ground(heading);
    }

    /// Stands epsilon above the ground. Corrections below a sixteenth of epsilon are left out: most
    /// steps need no second move.
    void stand() {
        if (!now.is_on_ground || abs(height_) <= 0.0625f * set_.epsilon) return;
        slide_to(now.position - Vec2{0.0f, height_});
    }

    PlacedCharacter now{};
    bool has_met_ground = false;

private:
    static constexpr int most_turns = 8;

    [[nodiscard]] SetHit first_hit(Vec2 target) const {
        SetHit first;
        for (std::size_t i = 0; i < set_.swept.size(); ++i) {
            const Vec2 offset = set_.swept[i].offset;
            const Segment way{now.position + offset, target + offset};
            const ProbeHit hit = trace(tiles_, way, set_.epsilon);
            if (hit && (!first || hit.free < first.hit.free)) first = {hit, i};
        }
        return first;
    }

    /// Moves by `part` of a translation, or not at all if rounding brings a probe into a face;
    /// returns whether it moved.
    bool go_free(Vec2 way, float part) {
        const Vec2 target = now.position + way * part;
        if (part < 1.0f && first_hit(target)) return false;
        now.position = target;
        return true;
    }

    [[nodiscard]] bool is_ground(Vec2 normal) const {
        return is_walkable(normal, {0.0f, 1.0f}, set_.max_slope);
    }

    void note(const SetHit& first) {
        const Vec2 normal = first.hit.normal;
        now.swept_hits |= bit_of(first.probe);
        if (is_ground(normal)) {
            has_met_ground = true;
        } else if (is_ground(-normal)) {
            now.is_at_ceiling = true;
        } else {
            (normal.x > 0.0f ? now.is_at_left_wall : now.is_at_right_wall) = true;
        }
    }

    const Tiles& tiles_;
    const ProbeSet& set_;
    float height_ = 0.0f;  // above the ground, less epsilon
};

}  // namespace detail

/// The translation that moves a repelling probe out of a tile, along the probe, to `epsilon` off
/// the face [tiles]; zero if it reaches into no tile.
template <TileSource Tiles>
[[nodiscard]] Vec2 repel(const Tiles& tiles, const RepellingProbe& probe, Vec2 position,
                         float epsilon) {
    const Segment reach{position + probe.from, position + probe.to};
    const ProbeHit hit = trace(tiles, reach, epsilon);
    return hit ? hit.place - reach.to : Vec2{};
}

/// Moves a character from its old position towards the wanted one: sweeps it, slides along the
/// faces that it hits (`keep_pace`), lets the repelling probes push it, and keeps it on the ground
/// downhill. On the ground it walks along the slope even if `wanted_position` is below it: gravity
/// may stay on, and does not make it creep downhill. In a loop: move the position by velocity times
/// dt, call `place`, then set velocity.y to 0 on the ground or, going up, at a ceiling, and
/// velocity.x to 0 at a wall on that side. To walk, leave the velocity horizontal.
///
/// A swept probe that starts outside of all tiles ends outside, at any distance; one that starts
/// deeper inside than epsilon is not stopped until it is out, so a character whose probes are all
/// buried falls through the ground. Parts narrower than the distance between neighbouring probes
/// can get between them: probes up to one tile apart stop whole tiles, half a tile apart half
/// tiles; the tip of a slope enters until it is as wide as the gap. There must be a probe at every
/// corner. If a position is NaN, or 2^30 or more from 0, the character stays at its old position
/// and touches nothing. O(probes x tiles on the path).
template <TileSource Tiles>
[[nodiscard]] PlacedCharacter place(const Tiles& tiles, const ProbeSet& set, Vec2 old_position,
                                    Vec2 wanted_position) {
    detail::Placing placing(tiles, set, old_position);
    if (!detail::is_in_walks(old_position) || !detail::is_in_walks(wanted_position)) {
        return placing.now;
    }
    const Vec2 way = wanted_position - old_position;
    placing.feel_ground(way.x);
    const PlacedCharacter before = placing.now;
    const bool jumps = detail::is_jump(way, before);
    const bool walks = before.is_on_ground && !jumps;
    placing.slide_to(walks ? old_position + keep_pace(way, before.ground_normal, set.max_slope)
                           : wanted_position);
    placing.give_way();
    placing.feel_ground(way.x);
    if (jumps && !placing.has_met_ground) placing.leave_ground();
    if (walks) placing.follow_ground(old_position, way.x);
    placing.stand();
    return placing.now;
}

}  // namespace phys2d::inline PHYS2D_ABI

// SPDX-License-Identifier: MIT
// Where does a character that is nothing but a few probes end up in a world of tiles?
//
// Functions on values, for those who have their own loop. Swept probes are points of the character:
// each is traced from its old to its new place, and the first that meets a face stops them all,
// `epsilon` off it. What is left of the way goes on along the face: at its pace on ground, without
// what goes in at walls. Repelling probes push out what got in otherwise: a door that closed, a
// tile that was put there. Every move is checked as the floats that come out of it, so a probe that
// was outside stays outside. Lengths are in tiles (character/trace.hpp says what a tile world is);
// y grows upwards.
#pragma once

#include <cstdint>

#include <phys2d/character/probe_set.hpp>
#include <phys2d/character/trace.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// The answer of `place`.
struct PlacedCharacter {
    Vec2 position{};             ///< [tiles]
    bool is_on_ground = false;   ///< on something no steeper than `steepest`
    bool is_at_ceiling = false;  ///< was stopped by one on its way up
    /// Was stopped on its way to the left: by a wall or too steep a slope.
    bool is_at_left_wall = false;
    bool is_at_right_wall = false;     ///< the same to the right
    Vec2 ground_normal{};              ///< unit vector; zero in the air
    std::uint64_t swept_hits = 0;      ///< bit i: swept probe i stopped it; of the first 64
    std::uint64_t repelling_hits = 0;  ///< bit i: repelling probe i pushed; of the first 64
};

/// A walking velocity turned along the ground, at the same speed. [tiles/s], or a way [tiles]
///     on ground   Along the slope, uphill and downhill. Of what falls the horizontal speed is the
///                 pace, both ways, unless it goes along the slope as it is; what goes up and away,
///                 as a jump does, keeps all of its velocity.
///     too steep   For a slope with normal.y < steepest, a wall and a ceiling: what goes uphill is
///                 stopped, and what goes in otherwise slides along.
/// Pre: `ground_normal` is a unit vector; `steepest`, a cosine, is > 0. A zero normal changes
/// nothing.
[[nodiscard]] constexpr Vec2 keep_pace(Vec2 velocity, Vec2 ground_normal,
                                       float steepest = ProbeSet::default_steepest) {
    const float away = dot(velocity, ground_normal);
    if (ground_normal.y < steepest) {
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

/// Which probe stops a set first, and what it meets.
struct SetHit {
    ProbeHit hit{};
    std::size_t probe = 0;

    constexpr explicit operator bool() const { return static_cast<bool>(hit); }
};

[[nodiscard]] constexpr std::uint64_t bit_of(std::size_t probe) {
    return probe < 64 ? std::uint64_t{1} << probe : 0;
}

/// Whether a way leaves the ground, or is upwards in the air: a jump.
[[nodiscard]] constexpr bool is_jump(Vec2 way, const PlacedCharacter& before) {
    if (!before.is_on_ground) return way.y > 0.0f;
    return way.y > 0.0f && dot(way, before.ground_normal) > mul(1e-3f, length(way));
}

/// How far ground that is no steeper than `steepest` can fall away under a way.
[[nodiscard]] constexpr float deepest_fall(Vec2 way, const ProbeSet& set) {
    const float rise = sqrt(max(1.0f - square(set.steepest), 0.0f)) / set.steepest;
    return min(mul(abs(way.x), rise) + max(way.y, 0.0f), set.put_down);
}

/// The most either way along each axis, so that several that say the same count once.
struct Pushes {
    Vec2 low{}, high{};

    constexpr void add(Vec2 push) {
        low = min(low, push);
        high = max(high, push);
    }
    [[nodiscard]] constexpr Vec2 sum() const { return low + high; }
};

/// A character while it is being placed.
template <TileSource Tiles>
class Placing {
public:
    Placing(const Tiles& tiles, const ProbeSet& set, Vec2 position) : tiles_(tiles), set_(set) {
        now.position = position;
    }

    /// Goes to a place, and along whatever is in the way.
    void slide_to(Vec2 target) {
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
            const float lift = gap < 0.5f * set_.epsilon ? set_.epsilon - gap : 0.0f;
            target = now.position + keep_pace(rest, first.hit.normal, set_.steepest) +
                     first.hit.normal * lift;
        }
    }

    /// Gives way to the repelling probes, as far as the swept ones let it.
    void give_way() {
        Pushes push;
        for (std::size_t i = 0; i < set_.repelling.size(); ++i) {
            const Vec2 back = repel(tiles_, set_.repelling[i], now.position, set_.epsilon);
            if (back == Vec2{}) continue;
            push.add(back);
            now.repelling_hits |= bit_of(i);
        }
        if (push.sum() == Vec2{}) return;
        go_straight(push.sum());
    }

    /// Looks for ground right below. Of several faces counts the one that rises most towards
    /// `heading`.
    void feel_ground(float heading) {
        const Vec2 down{0.0f, -4.0f * set_.epsilon};
        leave_ground();
        for (const SweptProbe& probe : set_.swept) {
            const Vec2 from = now.position + probe.offset;
            const ProbeHit hit = trace(tiles_, {from, from + down}, set_.epsilon);
            if (!hit || hit.normal.y < set_.steepest) continue;
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

    /// Stands epsilon above the ground that is there, or that falls away under a walk from `start`.
    /// Less than a sixteenth of epsilon is left as it is: most steps need no second move.
    void stay_on_ground(bool walks, float heading, Vec2 start) {
        if (walks && !now.is_on_ground) go_down(deepest_fall(now.position - start, set_), heading);
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

    /// Goes a part of a way, or not at all if rounding brings a probe into a face; returns whether
    /// it went.
    bool go_free(Vec2 way, float part) {
        const Vec2 target = now.position + way * part;
        if (part < 1.0f && first_hit(target)) return false;
        now.position = target;
        return true;
    }

    /// Goes down to ground that is no more than `deepest` below, if there is any.
    void go_down(float deepest, float heading) {
        const Vec2 down{0.0f, -deepest};
        const SetHit first = first_hit(now.position + down);
        if (!first || first.hit.normal.y < set_.steepest) return;
        go_free(down, first.hit.free);
        feel_ground(heading);
    }

    void go_straight(Vec2 way) { go_free(way, first_hit(now.position + way).hit.free); }

    void note(const SetHit& first) {
        const Vec2 normal = first.hit.normal;
        now.swept_hits |= bit_of(first.probe);
        if (normal.y >= set_.steepest) {
            has_met_ground = true;
        } else if (normal.y <= -set_.steepest) {
            now.is_at_ceiling = true;
        } else {
            (normal.x > 0.0f ? now.is_at_left_wall : now.is_at_right_wall) = true;
        }
    }

    const Tiles& tiles_;
    const ProbeSet& set_;
    float height_ = 0.0f;  // above where it stands on the ground
};

}  // namespace detail

/// By how far a repelling probe reaches into a tile, out again along the probe, and to `epsilon`
/// off the face; zero if it reaches into none. [tiles]
template <TileSource Tiles>
[[nodiscard]] Vec2 repel(const Tiles& tiles, const RepellingProbe& probe, Vec2 position,
                         float epsilon) {
    const Segment reach{position + probe.from, position + probe.to};
    const ProbeHit hit = trace(tiles, reach, epsilon);
    return hit ? hit.place - reach.to : Vec2{};
}

/// Brings a character from its old position towards the wanted one: sweeps it, turning the way
/// along what it meets (`keep_pace`), lets the repelling probes push it, and keeps it on the ground
/// downhill. On the ground it walks along it, however `wanted` falls into it: gravity may be left
/// on, and lets nothing creep downhill. In a loop: move the position by velocity times dt, place,
/// then set velocity.y to 0 on the ground or, going up, at a ceiling, and velocity.x to 0 at a wall
/// on that side. To walk, leave velocity horizontal.
///
/// A swept probe that starts outside of all tiles ends outside, however long the way; one that
/// starts deeper inside than epsilon is stopped by nothing until it is out. What is narrower than
/// the distance between two neighbouring probes can get between them: up to one tile apart they
/// hold whole tiles off, half a tile half tiles; the tip of a slope gets in by as much as it is
/// narrow. There must be one at every corner. If a position is NaN, or 2^30 or more from 0, the
/// character stays where it was and touches nothing. O(probes x tiles on the way).
template <TileSource Tiles>
[[nodiscard]] PlacedCharacter place(const Tiles& tiles, const ProbeSet& set, Vec2 old_position,
                                    Vec2 wanted_position) {
    detail::Placing placing(tiles, set, old_position);
    if (!detail::is_walkable(old_position) || !detail::is_walkable(wanted_position)) {
        return placing.now;
    }
    const Vec2 way = wanted_position - old_position;
    placing.feel_ground(way.x);
    const PlacedCharacter before = placing.now;
    const bool jumps = detail::is_jump(way, before);
    const bool walks = before.is_on_ground && !jumps;
    placing.slide_to(walks ? old_position + keep_pace(way, before.ground_normal, set.steepest)
                           : wanted_position);
    placing.give_way();
    placing.feel_ground(way.x);
    if (jumps && !placing.has_met_ground) {
        placing.leave_ground();
    } else {
        placing.stay_on_ground(walks, way.x, old_position);
    }
    return placing.now;
}

}  // namespace phys2d::inline PHYS2D_ABI

// SPDX-License-Identifier: MIT
// MoverGap: does a mover get into a gap that is just as wide as it is?
//
// It keeps a skin off one side of such a gap, and so hits the other one. So it moves up to the side
// that is beside it, or to the middle between two that are alike, and becomes a little smaller.
// What is round gets further between any wall and a corner if it moves up to the wall, but must not
// be wedged in there: so it has to pass the corner as a whole.
#pragma once

#include <phys2d/character/mover_sight.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class MoverGap {
public:
    /// `hit`: the first one on its way, perhaps on a side of a gap; or none.
    MoverGap(Mover& mover, MoverSight& sight, Vec2 way, const MoverHit& hit,
             PassTest passes = passes_nothing)
        : mover_(mover),
          sight_(sight),
          passes_(passes),
          way_(way),
          hit_(hit),
          is_aslant_(passes_aslant()),
          onto_(way_along_gap()) {}

    /// Moves it to where it gets further along an axis than without; returns whether there is such
    /// a place. If not, it stays.
    [[nodiscard]] bool slip_in() {
        if (!hit_ || !is_along_axis(onto_)) return false;
        direction_ = normalized(onto_);
        ahead_ = onto_ + direction_ * mul(4.0f, mover_.skin);  // however slow it is
        const float aside_of_it = reach + 3.0f * missing;      // at most, wherever it is [skins]
        if (!fits_past(*hit_.surface, aside_of_it)) return false;
        if (is_aslant_ && fits_past(*hit_.surface, -aside_of_it)) return false;  // the gap is wider
        const float now = is_aslant_ ? 0.0f : part_ahead();
        enough_ = now + 2.0f * mover_.skin / length(ahead_);
        const float before = sight_.smaller_by();
        const float smaller = max(before, mul(missing, mover_.skin));
        const float furthest = mul(reach, mover_.skin) + smaller;
        const Vec2 aside = perpendicular(direction_) * furthest;
        sight_.become_smaller(smaller);
        if (slips_in_from(aside, smaller / furthest)) return true;
        if (slips_in_from(-aside, smaller / furthest)) return true;
        sight_.become_smaller(before);
        return false;
    }

    /// Its way from there on.
    [[nodiscard]] Vec2 way_in() const { return is_aslant_ ? onto_ : way_; }

private:
    static constexpr float reach = 1.125f;    // how near the side beside it is, in skins
    static constexpr float missing = 0.125f;  // by how much the gap may be too narrow, twice

    [[nodiscard]] static bool is_along_axis(Vec2 way) { return (way.x == 0.0f) != (way.y == 0.0f); }

    /// Whether a mouth with sides that are alike may be in a direction: neither is its ground.
    [[nodiscard]] bool may_center(Vec2 direction) const {
        const bool rises = dot(direction, mover_.up) > 0.0f && mover_.shape.radius > 0.0f;
        return rises || mover_.up == Vec2{};
    }
    /// Whether what is round, on a way that does not lead along an axis, meets a corner that is
    /// nearly beside it.
    [[nodiscard]] bool passes_aslant() const {
        constexpr float most_ahead = 0.25f;  // sine of how far ahead the corner is
        const Vec2 normal = abs(hit_.cast.normal);
        const float ahead = min(normal.x, normal.y);
        return may_center(way_) && mover_.shape.radius > 0.0f && !is_along_axis(way_) &&
               ahead > 0.0f && ahead < most_ahead;
    }
    /// The part of its way that leads along the gap. At a corner, along which it would slide out of
    /// the gap, that along the axis which the corner is beside.
    [[nodiscard]] Vec2 way_along_gap() const {
        if (is_along_axis(way_)) return way_;
        const Vec2 normal = hit_.cast.normal;
        if (!is_aslant_) return project(way_, normal);
        return abs(normal.x) < abs(normal.y) ? Vec2{way_.x, 0.0f} : Vec2{0.0f, way_.y};
    }

    /// Whether it passes a side as a whole if it is smaller by some skins, or larger if < 0.
    [[nodiscard]] bool fits_past(const Surface& side, float skins) const {
        const Shape smaller = shrunk(placed_shape(mover_), mul(skins, mover_.skin));
        return !side.cast(smaller, onto_ + direction_ * mul(2.0f, mover_.shape.radius));
    }
    [[nodiscard]] MoverHit hit_ahead() const { return sight_.first_hit(ahead_, passes_); }
    [[nodiscard]] float part_ahead() const { return hit_ahead().part; }
    [[nodiscard]] bool gets_past(const Surface& side) const {
        return fits_past(side, missing) && part_ahead() > enough_;
    }

    /// The same as `slip_in` for places aside, up to a translation. `gap`: the part of that which
    /// it keeps off a side.
    bool slips_in_from(Vec2 aside, float gap) {
        if (is_aslant_ && dot(aside, hit_.cast.normal) < 0.0f) return false;
        const Vec2 start = mover_.position;
        const bool is_beside = move_up_to_side(aside, gap);
        if (is_beside && gets_past(*hit_.surface)) return true;
        if (!is_beside) mover_.position = start + aside;
        if (may_center(direction_) && slips_between(aside)) return true;
        mover_.position = start;
        return false;
    }
    /// Moves up to what is less than a translation away, but for a part of that; returns whether
    /// anything is.
    bool move_up_to_side(Vec2 aside, float gap) {
        const float room = sight_.free_part(aside);
        if (room == 1.0f) return false;
        mover_.position += aside * max(room - gap, 0.0f);
        return true;
    }
    /// The same as `slip_in` for the middle between the side that it hit and the one that it hits
    /// after a translation.
    bool slips_between(Vec2 aside) {
        const MoverHit other = hit_ahead();
        return other && moves_between(other, aside) && fits_past(*hit_.surface, missing) &&
               gets_past(*other.surface);
    }
    /// Moves to that middle; returns whether it goes back by at most twice the translation.
    bool moves_between(const MoverHit& other, Vec2 aside) {
        const Vec2 axis = normalized(aside);
        const Vec2 sides = top_of(*hit_.surface, axis) + top_of(*other.surface, -axis);
        const float shift = dot(sides * 0.5f - placed_shape(mover_).center, axis);
        mover_.position += axis * shift;
        return abs(shift) <= 2.0f * length(aside);
    }

    Mover& mover_;
    MoverSight& sight_;
    PassTest passes_;
    const Vec2 way_;
    const MoverHit& hit_;
    const bool is_aslant_;
    const Vec2 onto_;   // its way along the gap [m]
    Vec2 direction_{};  // of that
    Vec2 ahead_{};      // how far it looks [m]
    float enough_ = 0;  // of that, to get further than without
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// MoverFooting: which of the surfaces near a mover is ground that it stands on, and how does that
// lean?
#pragma once

#include <phys2d/character/mover_sight.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class MoverFooting : public MoverSight {
public:
    using MoverSight::MoverSight;

    /// The ground below, unless a surface that is not ground is higher. Its normal is that of
    /// `ground_normal`. One-way ground that it is inside of holds it only if nothing else does.
    [[nodiscard]] MoverHit ground_below(Vec2 down) const {
        MoverHit ground, around;
        float first = CastHit::nothing;
        const Shape shape = this->shape();
        const float skin = gap() / length(down);
        for (const Surface& surface : mover_.surroundings) {
            const MoverHit hit{cast_at(surface, shape, down), &surface};
            if (!hit.cast) continue;
            const bool is_inside = surface.one_way != OneWay::No && hit.cast.fraction == 0.0f;
            if (!is_inside) first = min(first, hit.cast.fraction);
            keep_higher(is_inside ? around : ground, hit, skin);
        }
        if (around && ground.cast.fraction > touching(mover_) / length(down)) return around;
        if (!ground || ground.cast.fraction > first + 2.0f * skin) return {};
        ground.part = max(min(ground.part, first - skin), 0.0f);
        return ground;
    }

    /// The normal of the ground that a hit landed on; zero if it is not ground.
    [[nodiscard]] Vec2 ground_normal(const MoverHit& hit) const {
        const Vec2 normal = normal_underfoot(hit);
        return normal != Vec2{} && is_covered(hit) ? Vec2{} : normal;
    }

private:
    static constexpr float one_level = 0.02f;  // of the skin

    /// Of two hits from above keeps that with the higher ground, and of level ones that which is
    /// rather below, if the second one is ground, with the normal of `ground_normal` and a gap of
    /// `skin` across [of the way].
    void keep_higher(MoverHit& ground, const MoverHit& hit, float skin) const {
        const float level = mul(one_level, skin);
        const float lower_by = hit.cast.fraction - ground.cast.fraction;
        if (lower_by > level) return;
        const bool is_higher = lower_by < -level;
        if (!is_higher && !is_rather_below(hit, ground)) return;
        const Vec2 normal = ground_normal(hit);
        if (normal == Vec2{}) return;
        ground = hit;
        ground.part = max(hit.cast.fraction - skin / dot(hit.cast.normal, mover_.up), 0.0f);
        ground.cast.normal = normal;
    }
    /// Whether the first of two level hits is nearer to the centre. Where both are alike it is what
    /// the mover stands on already: what comes along at the same height does not take it over.
    [[nodiscard]] bool is_rather_below(const MoverHit& hit, const MoverHit& other) const {
        const float nearer_by = distance_aside(other) - distance_aside(hit);
        if (abs(nearer_by) > mul(one_level, mover_.skin)) return nearer_by > 0.0f;
        const ColliderId ground = mover_.ground.collider;
        return hit.surface->collider == ground && other.surface->collider != ground;
    }
    [[nodiscard]] float distance_aside(const MoverHit& hit) const {
        return abs(place_aside(mover_, hit.cast.point));
    }
    /// The normal of the walkable side that a hit landed on; zero if there is none. A corner counts
    /// as the flat side next to it, unless a falling mover hits it almost from the side, and as
    /// level if that side rises towards it: beyond the tip of a slope nothing leads further up.
    [[nodiscard]] Vec2 normal_underfoot(const MoverHit& hit) const {
        if (is_ground(mover_, hit.cast.normal)) return hit.cast.normal;
        const Vec2 flat = hit.surface->side_towards(mover_.up, hit.cast.normal);
        const bool is_on_foot = mover_.ground.is_grounded || walks();
        const float lowest = is_on_foot ? 0.0f : mul(0.5f, height_of_normal(mover_.max_slope));
        const bool is_flat = is_ground(mover_, flat) && dot(hit.cast.normal, mover_.up) >= lowest;
        if (!is_flat) return {};
        const float lean = cross(flat, mover_.up);
        const bool is_past_tip = mul(lean, cross(hit.cast.normal, mover_.up)) < 0.0f;
        return is_past_tip ? mover_.up : flat;
    }
    /// Whether a slope that is too steep to stand on goes on from where a hit landed. Of a slope of
    /// separate pieces, each lies on the top of the one below.
    [[nodiscard]] bool is_covered(const MoverHit& hit) const {
        if (is_amid_side(hit)) return false;
        const Vec2 onto = perpendicular(mover_.up) * sign(place_aside(mover_, hit.cast.point));
        const Shape point = Circle{0.0f, hit.cast.point + (mover_.up - onto) * mover_.skin};
        for (const Surface& surface : mover_.surroundings) {
            const CastHit next = cast_at(surface, point, onto * foothold());
            if (next && next.fraction > 0.0f && !is_ground(mover_, next.normal)) return true;
        }
        return false;
    }
    /// Whether a hit is on a side, and further in than a foothold from the mover's own sides: away
    /// from the ends of that. On a slope it need not be further in: a box touches that with a
    /// vertex only, right beside any wall there.
    [[nodiscard]] bool is_amid_side(const MoverHit& hit) const {
        const Vec2 normal = hit.cast.normal;
        const bool is_on_side = hit.surface->side_towards(mover_.up, normal) == normal;
        return is_on_side &&
               (is_slanted(normal) || distance_to_side(mover_, hit.cast.point) > foothold());
    }
    /// How much it needs to stand on, from one of its sides inwards [m].
    [[nodiscard]] float foothold() const { return mul(8.0f, mover_.skin); }
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

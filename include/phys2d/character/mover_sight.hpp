// SPDX-License-Identifier: MIT
// MoverSight: what is around a mover, and what of it would stop it?
//
// The world is asked once for all the surfaces that a move may come to; each stretch of the way is then cast at them
// exactly. Nothing here moves the mover. A hit leaves `skin` free in front of what it meets.
#pragma once

#include <phys2d/character/mover_state.hpp>
#include <phys2d/world/world.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// What a mover meets on a way.
struct MoverHit {
    CastHit cast{};
    const Surface* surface = nullptr;
    float part = 1.0f;  ///< of the way, that is free

    explicit operator bool() const { return surface != nullptr; }
};

/// What a mover is in, and the way out.
struct MoverOverlap {
    const Surface* surface = nullptr;
    Vec2 out{};  ///< [m]
};

/// A point of the side that faces in a direction.
[[nodiscard]] constexpr Vec2 top_of(const Shape& shape, Vec2 direction) {
    return shape.center + reach_towards(shape, direction);
}
[[nodiscard]] inline Vec2 top_of(const Surface& surface, Vec2 direction) {
    return surface.is_face() ? surface.segment().from : top_of(surface.shape(), direction);
}

class MoverSight {
public:
    /// `walks`: whether it goes along the ground. A round one that does sinks into the gaps between one-way grounds,
    /// and still comes from in front of them.
    MoverSight(const World& world, Mover& mover, bool walks) : world_(world), mover_(mover) {
        constexpr float part_of_step = 0.25f;
        if (walks) depth_in_front_ = mul(part_of_step, mover.step_height);
        depth_in_front_ = max(mover.skin, depth_in_front_);
    }

    /// Lists all that it may come to in a move that goes so far along the axes. Returns how far it may make way for
    /// what moves [m].
    float look_around(Vec2 reach) {
        list_surfaces(reach);
        const float room = mul(0.5f, snap_reach(mover_));
        const float longest = longest_shift();
        anything_moves_ = longest > 0.0f;
        if (!anything_moves_) return room;
        const float more = room + 2.0f * longest;
        list_surfaces(reach + Vec2{more, more});
        return more;
    }

    /// Whether anything around it has moved in the last step.
    [[nodiscard]] bool anything_moves() const { return anything_moves_; }

    /// What it comes nearer to than `skin` on a way, first; `passed` is not met.
    [[nodiscard]] MoverHit first_hit(Vec2 way, BodyId passed = {}) const {
        MoverHit first;
        if (way == Vec2{}) return first;
        const float further = 1.0f + 2.0f * mover_.skin / length(way);
        const Vec2 looked_along = way * further;
        const Shape shape = placed_shape(mover_);
        for (const Surface& surface : mover_.surroundings) {
            const CastHit hit = surface.cast(shape, looked_along);
            const float approach = -dot(way, hit.normal);  // rounding may make it < 0
            if (approach <= 0.0f || surface.body == passed || !stops(surface, hit, shape)) continue;
            const float part = mul(hit.fraction, further) - mover_.skin / approach;
            if (part < first.part) first = {hit, &surface, part};
        }
        first.part = max(first.part, 0.0f);
        return first;
    }

    /// The ground below, if nothing else is in the way that is not as low. Its normal is that of `ground_normal`.
    [[nodiscard]] MoverHit ground_below(Vec2 down) const {
        MoverHit ground;
        float first = CastHit::nothing;
        const Shape shape = placed_shape(mover_);
        for (const Surface& surface : mover_.surroundings) {
            const MoverHit hit{surface.cast(shape, down), &surface};
            if (!hit.cast || !stops(surface, hit.cast, shape)) continue;
            first = min(first, hit.cast.fraction);
            const bool is_next = hit.cast.fraction < ground.cast.fraction;
            if (is_next && ground_normal(hit) != Vec2{}) ground = hit;
        }
        const float skin = mover_.skin / length(down);
        if (!ground || ground.cast.fraction > first + 2.0f * skin) return {};
        ground.part = max(min(ground.cast.fraction, first) - skin, 0.0f);
        ground.cast.normal = ground_normal(ground);
        return ground;
    }

    /// The normal of the ground that something has landed on; zero if it is none. A corner is as good as the flat
    /// side next to it, unless what falls through the air hits it almost from the side.
    [[nodiscard]] Vec2 ground_normal(const MoverHit& hit) const {
        if (is_ground(mover_, hit.cast.normal)) return hit.cast.normal;
        const Vec2 flat = hit.surface->side_towards(mover_.up, hit.cast.normal);
        const float lowest = mover_.ground.is_grounded ? 0.0f : mul(0.5f, mover_.steepest);
        const bool is_flat = is_ground(mover_, flat) && dot(hit.cast.normal, mover_.up) >= lowest;
        return is_flat ? flat : Vec2{};
    }

    /// Out of what has run into it since the last step, by as far as it has; zero where that has not.
    [[nodiscard]] Vec2 way_out_of(const Surface& surface) const {
        const Vec2 shift = shift_of(surface);
        if (shift == Vec2{}) return {};
        const Shape shape = translate(placed_shape(mover_), shift);
        const CastHit hit = surface.cast(shape, -shift);
        if (!hit || !stops(surface, hit, shape)) return {};
        const float depth = mul(dot(shift, hit.normal), 1.0f - hit.fraction);
        return hit.normal * (depth + mover_.skin);
    }

    /// What it is in deepest, of what is static or of all else.
    [[nodiscard]] MoverOverlap deepest_overlap(bool statics) const {
        const float nearest = 0.25f * mover_.skin;
        MoverOverlap deepest;
        float most = 0.0f;
        const Shape shape = placed_shape(mover_);
        for (const Surface& surface : mover_.surroundings) {
            const bool is_static = surface.type == BodyType::Static;
            if (is_static != statics || surface.one_way != OneWay::No) continue;
            const Manifold touch = surface.touch(shape, mover_.skin);
            const float depth = touch.penetration + nearest;
            if (depth <= most) continue;
            most = depth;
            deepest = {&surface, touch.normal * depth};
        }
        return deepest;
    }

private:
    /// All but what it falls through.
    void list_surfaces(Vec2 reach) {
        const float more = mul(1.5f, snap_reach(mover_)) + 4.0f * mover_.skin;
        const Vec2 side = abs(perpendicular(mover_.up));
        const Vec2 margin = max(reach + Vec2{more, more}, side * mover_.edge_reach);
        const AABB box = bounds(placed_shape(mover_));
        bool is_dropping = false;
        mover_.surroundings.clear();
        world_.for_each_surface(
            {box.min - margin, box.max + margin},
            [&](const Surface& surface) {
                const bool is_dropped = mover_.is_dropping && is_underfoot(surface);
                is_dropping = is_dropping || is_dropped;
                if (!is_dropped) mover_.surroundings.push_back(surface);
            },
            mover_.filter);
        mover_.is_dropping = is_dropping;
    }

    /// How far a body has gone in the last step.
    [[nodiscard]] Vec2 shift_of(const Surface& surface) const {
        const ConstBodyRef body = world_.body(surface.body);
        return body.position() - body.interpolated_position(0.0f);
    }
    [[nodiscard]] float longest_shift() const {
        float longest = 0.0f;
        BodyId last{};
        for (const Surface& surface : mover_.surroundings) {
            if (surface.body == last) continue;
            last = surface.body;
            longest = max(longest, length(shift_of(surface)));
        }
        return longest;
    }

    /// Whether it stands on the side of a surface that holds.
    [[nodiscard]] bool is_underfoot(const Surface& surface) const {
        if (surface.one_way == OneWay::No) return false;
        const float reach = mul(3.0f, mover_.skin);
        const Manifold touch = surface.touch(placed_shape(mover_), reach);
        return abs(touch.penetration) <= reach &&
               dot(touch.normal, direction_of(surface.one_way)) > 0.0f;
    }

    /// Whether a surface stops a shape that meets it: a one-way one only what comes from in front of it.
    [[nodiscard]] bool stops(const Surface& surface, const CastHit& hit, const Shape& shape) const {
        if (surface.one_way == OneWay::No) return true;
        const Vec2 out = direction_of(surface.one_way);
        if (dot(hit.normal, out) <= 0.0f) return false;
        const Vec2 flat = surface.side_towards(out, hit.normal);
        const Vec2 height = top_of(shape, -flat) - top_of(surface, flat);
        return dot(height, flat) >= -depth_in_front_;
    }

    const World& world_;
    Mover& mover_;
    bool anything_moves_ = false;
    float depth_in_front_ = 0.0f;  // how far below one-way ground it may be and stand on it [m]
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

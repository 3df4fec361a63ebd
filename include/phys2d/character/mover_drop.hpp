// SPDX-License-Identifier: MIT
// MoverDropping: which one-way ground does a mover drop through?
#pragma once

#include <phys2d/character/mover_way.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class MoverDropping : public MoverWay {
protected:
    using MoverWay::MoverWay;

    /// Begins a drop, or goes on with one, as long as it stands on one-way ground after the
    /// translation `way`, and removes that ground; for `level` see `remove_ground`.
    void drop_through(Vec2 way, Vec2 level) {
        const GroundState& ground = mover_.ground;
        if (world_.contains(ground.platform)) {
            mover_.drop = {ground.platform, place_on(ground.platform, way), ground.normal};
        }
        mover_.is_dropping = stands_on_one_way(way);
        if (mover_.is_dropping) remove_ground(way, level);
    }

    /// Removes the one-way ground that it stands on after the translation `way`, and that to which
    /// a horizontal motion `level` could take it from there.
    void remove_ground(Vec2 way, Vec2 level) {
        mover_.surroundings.remove_if([&](const Surface& surface) {
            return is_underfoot(surface, way) || is_level_with(surface, way, level);
        });
    }

private:
    /// Its position relative to a body, after a translation.
    [[nodiscard]] Vec2 place_on(BodyId body, Vec2 way) const {
        return mover_.position + way - world_.body(body).position();
    }
    /// How far below its feet there may still be some of the ground that it drops through, which
    /// may bend [m].
    [[nodiscard]] float remaining_drop(Vec2 way) const {
        const MoverDrop& drop = mover_.drop;
        const float fallen = dot(drop.position - place_on(drop.body, way), drop.normal);
        return snap_reach(mover_) - max(fallen, 0.0f);
    }

    [[nodiscard]] bool stands_on_one_way(Vec2 way) const {
        for (const Surface& surface : mover_.surroundings) {
            if (is_underfoot(surface, way)) return true;
        }
        return false;
    }
    /// Whether a surface is one-way ground under its feet, after the translation `way` or before
    /// the surface moved.
    [[nodiscard]] bool is_underfoot(const Surface& surface, Vec2 way) const {
        if (!is_one_way_ground(surface)) return false;
        const float left = surface.body == mover_.drop.body ? remaining_drop(way) : 0.0f;
        return is_touched(surface, way, max(left, touching(mover_))) ||
               is_touched(surface, sight_.shift_of(surface), touching(mover_));
    }
    /// Whether a horizontal motion `level` after `way` could bring it to stand on a surface.
    [[nodiscard]] bool is_level_with(const Surface& surface, Vec2 way, Vec2 level) const {
        if (!is_one_way_ground(surface)) return false;
        const Vec2 out = direction_of(surface.one_way);
        const Vec2 flat = surface.side_towards(out, out);
        const Vec2 lowest = top_of(placed_shape(mover_), -flat) - top_of(surface, flat);
        const float height =
            dot(lowest, flat) + min(dot(way, flat), dot(sight_.shift_of(surface), flat));
        return height <= touching(mover_) + max(-dot(level, flat), 0.0f);
    }
    [[nodiscard]] bool is_one_way_ground(const Surface& surface) const {
        return dot(direction_of(surface.one_way), mover_.up) > 0.0f;
    }
    /// Whether a surface supports it after the translation `way`, at most `reach` below it [m].
    [[nodiscard]] bool is_touched(const Surface& surface, Vec2 way, float reach) const {
        const Shape shape = translate(placed_shape(mover_), way);
        const Manifold touch = surface.touch(shape, reach);
        return (touch.penetration <= touching(mover_) && touch.penetration >= -reach &&
                dot(touch.normal, direction_of(surface.one_way)) > 0.0f) ||
               is_below(surface, shape, reach);
    }
    /// Whether a shape that falls by `reach` [m] lands on a surface. Where ground bends, it may
    /// land on faces that it does not touch.
    [[nodiscard]] bool is_below(const Surface& surface, const Shape& shape, float reach) const {
        const Shape above = translate(shape, mover_.up * touching(mover_));
        const Vec2 down = mover_.up * -(touching(mover_) + reach);
        return static_cast<bool>(sight_.cast_at(surface, above, down));
    }
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

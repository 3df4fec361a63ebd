// SPDX-License-Identifier: MIT
// MoverSight: which surfaces are near a mover, and which of them does a motion hit?
//
// The world is queried once for all surfaces that a move may reach; each stretch of the path is
// then cast against them exactly. Nothing here moves the mover. A hit leaves a gap of `skin` to the
// surface.
#pragma once

#include <phys2d/character/mover_state.hpp>
#include <phys2d/stages/crushing.hpp>
#include <phys2d/world/world.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The first surface that a mover hits during a translation.
struct MoverHit {
    CastHit cast{};
    const Surface* surface = nullptr;
    float part = 1.0f;  ///< fraction of the translation before the hit, less `skin`

    explicit operator bool() const { return surface != nullptr; }
};

/// An overlap, and the translation that resolves it.
struct MoverOverlap {
    const Surface* surface = nullptr;
    Vec2 out{};  ///< [m]
};

/// How a surface ran into a mover during the last step.
struct MoverPush {
    const Surface* surface = nullptr;
    Vec2 out{};                         ///< translation out of it [m]
    float fraction = CastHit::nothing;  ///< of the step, when they met

    explicit operator bool() const { return surface != nullptr; }
};

/// How far a point is from the centre of a mover along perpendicular(up) [m].
[[nodiscard]] inline float place_aside(const Mover& mover, Vec2 point) {
    return dot(point - placed_shape(mover).center, perpendicular(mover.up));
}
/// How far a point is from the nearer one of a mover's two sides across its `up` [m].
[[nodiscard]] inline float distance_to_side(const Mover& mover, Vec2 point) {
    return dot(outer_half_extents(mover.shape), abs(perpendicular(mover.up))) -
           abs(place_aside(mover, point));
}

/// The translation of a body in the last step [m].
[[nodiscard]] inline Vec2 last_shift(const ConstBodyRef& body) {
    return body.position() - body.interpolated_position(0.0f);
}

/// The velocity of a body [m/s]. One that is moved by positions has none of its own between steps.
[[nodiscard]] inline Vec2 velocity_of(const ConstBodyRef& body, float time_step) {
    const Vec2 told = body.velocity();
    const bool is_told = told != Vec2{} || body.type() == BodyType::Dynamic;
    return is_told ? told : last_shift(body) / time_step;
}

/// The velocity along a surface, with a normal, of the conveyor that a collider is [m/s].
[[nodiscard]] inline Vec2 belt_velocity(const World& world, ColliderId id, Vec2 normal) {
    return project(world.collider(id).material().surface_velocity, perpendicular(normal));
}

/// Whether a surface does not stop the mover.
using PassTest = FunctionRef<bool(const Surface& surface)>;
inline constexpr auto passes_nothing = [](const Surface&) { return false; };

/// The end of a face that is further in a direction.
[[nodiscard]] constexpr Vec2 end_towards(const Segment& face, Vec2 direction) {
    return dot(face.to - face.from, direction) > 0.0f ? face.to : face.from;
}
/// A point of a shape or a surface that is as far in a direction as any.
[[nodiscard]] constexpr Vec2 top_of(const Shape& shape, Vec2 direction) {
    return shape.center + reach_towards(shape, direction);
}
[[nodiscard]] inline Vec2 top_of(const Surface& surface, Vec2 direction) {
    return surface.is_face() ? end_towards(surface.segment(), direction)
                             : top_of(surface.shape(), direction);
}

/// Surfaces closer than this, or overlapping by less, touch a mover [m].
[[nodiscard]] constexpr float touching(const Mover& mover) { return mul(3.0f, mover.skin); }

class MoverSight {
public:
    MoverSight(const World& world, Mover& mover) : world_(world), mover_(mover) {}

    /// From now on it walks in this move: it stands on corners however steep they meet it.
    void begin_to_walk() { walks_ = true; }
    [[nodiscard]] bool walks() const { return walks_; }

    /// Lists all surfaces that it may reach when it moves by up to `reach` along the axes [m].
    /// Returns how far it may make way for moving bodies [m].
    float look_around(Vec2 reach) {
        list_surfaces(reach);
        const float seen_as_crush = mul(2.0f * crush_depth, world_.config().length_unit);
        const float room = max(mul(0.5f, snap_reach(mover_)), seen_as_crush);
        const float longest = longest_shift();
        anything_moves_ = longest > 0.0f;
        if (!anything_moves_) return room;
        const float more = room + 2.0f * longest;
        list_surfaces(reach + Vec2{more, more});
        return more;
    }

    /// Whether the mover has come too far from where it listed the surfaces.
    [[nodiscard]] bool has_come_far() const {
        const float spare = mul(0.5f, snap_reach(mover_)) + 2.0f * mover_.skin;
        return distance_sq(placed_shape(mover_).center, center(listed_)) > square(spare);
    }
    /// Lists the surfaces around the place where it is, as far as at the last one.
    void look_again() { list_surfaces(reach_); }

    /// Whether all surfaces up to `distance` from a point are listed [m].
    [[nodiscard]] bool has_listed_around(Vec2 point, float distance) const {
        return contains(expand(listed_, -distance), point);
    }

    /// Whether something that does not give way touches it on the side opposite to a direction out
    /// of another surface: there is no room in that direction.
    [[nodiscard]] bool is_held_back(Vec2 out) const {
        constexpr float opposite = -0.9995f;  // cosine of 178.2 degrees
        const float reach = touching(mover_);
        const Shape shape = placed_shape(mover_);
        for (const Surface& surface : mover_.surroundings) {
            if (surface.type == BodyType::Dynamic) continue;
            const Manifold touch = surface.touch(shape, reach);
            const bool is_opposite = dot(touch.normal, out) < opposite;
            if (touch.penetration < -reach || !is_opposite) continue;
            if (stops(surface, touch.normal, shape)) return true;
        }
        return false;
    }

    /// Makes it smaller on each side for what it hits from now on [m].
    void become_smaller(float by) { smaller_by_ = by; }
    [[nodiscard]] float smaller_by() const { return smaller_by_; }
    /// The shape that hits surfaces.
    [[nodiscard]] Shape shape() const { return shrunk(placed_shape(mover_), smaller_by_); }
    /// The gap that this shape keeps to them [m].
    [[nodiscard]] float gap() const { return mover_.skin + smaller_by_; }

    /// The part of a translation in which that shape does not touch anything.
    [[nodiscard]] float free_part(Vec2 way) const {
        const Shape shape = this->shape();
        float part = 1.0f;
        for (const Surface& surface : mover_.surroundings) {
            part = min(part, cast_at(surface, shape, way).fraction);
        }
        return part;
    }

    /// Removes the surfaces of a body.
    void forget(BodyId body) {
        mover_.surroundings.remove_if(
            [body](const Surface& surface) { return surface.body == body; });
    }

    /// Whether any body near it moved in the last step.
    [[nodiscard]] bool anything_moves() const { return anything_moves_; }

    /// The translation of a surface's body in the last step [m].
    [[nodiscard]] Vec2 shift_of(const Surface& surface) const {
        return last_shift(world_.body(surface.body));
    }
    /// Whether a kinematic body moved by a translation in the last step, to within the skin.
    [[nodiscard]] bool moves_by(const Surface& surface, Vec2 way) const {
        return surface.type == BodyType::Kinematic &&
               distance_sq(shift_of(surface), way) < square(mover_.skin);
    }
    [[nodiscard]] Vec2 velocity_of(const Surface& surface) const {
        return detail::velocity_of(world_.body(surface.body), world_.config().time_step);
    }

    /// Whether a surface stops a shape that hits it: one-way surfaces stop shapes in front only.
    [[nodiscard]] bool stops(const Surface& surface, Vec2 normal, const Shape& shape) const {
        return stops(surface, normal, shape, depth_in_front());
    }
    /// The same if the shape may be as far behind a one-way side [m].
    [[nodiscard]] static bool stops(const Surface& surface, Vec2 normal, const Shape& shape,
                                    float depth) {
        if (surface.one_way == OneWay::No) return true;
        const Vec2 out = direction_of(surface.one_way);
        return blocks(out, normal) && surface.height_in_front(out, normal, shape) >= -depth;
    }

    /// How a surface stops a shape during a translation; no hit if it does not.
    [[nodiscard]] CastHit cast_at(const Surface& surface, const Shape& shape, Vec2 way) const {
        const CastHit hit = surface.cast(shape, way);
        return hit && stops(surface, hit.normal, shape) ? hit : CastHit{};
    }

    /// The first surface that comes nearer than `skin` during a translation, of those for which
    /// passes(surface) is false. Of several in one place, one that it is beside already, or that
    /// which it would reach first without its skin: the top of what is behind a wall is not ground.
    /// What it would reach later without its skin is first only if it is in front of that by then:
    /// where it lands on a floor of pieces, it is above the sides of those.
    [[nodiscard]] MoverHit first_hit(Vec2 way, PassTest passes = passes_nothing) const {
        MoverHit first;
        if (way == Vec2{}) return first;
        constexpr float one_place = 0.02f;  // of the skin
        const float distance = length(way);
        const float same_part = mul(one_place, mover_.skin) / distance;
        const Shape shape = this->shape();
        for (const Surface& surface : mover_.surroundings) {
            if (passes(surface)) continue;
            const MoverHit found = hit_on(surface, shape, way, distance);
            if (!found) continue;
            const bool is_tie = first && abs(found.part - first.part) < same_part;
            const bool is_first = is_tie ? is_before(found, first) : is_nearer(found, first, way);
            if (is_first) first = found;
        }
        return first;
    }

    /// The translation by which a surface carries what meets it: dynamic ones have forces.
    [[nodiscard]] Vec2 shift_by(const Surface& surface) const {
        return surface.type == BodyType::Kinematic ? shift_of(surface) : Vec2{};
    }
    /// The first surface that comes nearer than `skin` while it goes a way in the air during the
    /// last step, in which the kinematic bodies moved.
    [[nodiscard]] MoverHit first_met(Vec2 way) const {
        MoverHit first;
        for (const Surface& surface : mover_.surroundings) {
            const Vec2 shift = shift_by(surface);
            const Vec2 relative = way - shift;
            const float distance = length(relative);
            if (distance == 0.0f) continue;
            const Shape shape = translate(this->shape(), shift);
            const MoverHit found = hit_on(surface, shape, relative, distance);
            if (found.part < first.part) first = found;
        }
        return first;
    }

    /// How a surface ran into the mover during the last step, in which that was carried by
    /// `carried`. What comes from beside, however low, has not run into it with a one-way side.
    [[nodiscard]] MoverPush push_by(const Surface& surface, Vec2 carried) const {
        const Vec2 moved = shift_of(surface);
        const Vec2 shift = moved - carried;
        if (moved == Vec2{} || shift == Vec2{}) return {};
        const Shape shape = translate(placed_shape(mover_), shift);
        const CastHit hit = surface.cast(shape, -shift);
        if (!hit || !stops(surface, hit.normal, shape, mover_.skin)) return {};
        const float depth = mul(dot(shift, hit.normal), 1.0f - hit.fraction);
        return {&surface, hit.normal * (depth + mover_.skin), hit.fraction};
    }

    /// The translation that moves the mover out of a surface; zero if they do not overlap. One-way
    /// surfaces that move may be passing through it. A face that it is deep behind, but not without
    /// its skin, is beside it: it overlaps an end of that.
    [[nodiscard]] Vec2 overlap_with(const Surface& surface) const {
        const float nearest = 0.25f * mover_.skin;
        if (surface.one_way != OneWay::No && surface.type != BodyType::Static) return {};
        const Shape shape = placed_shape(mover_);
        const Manifold touch = surface.touch(shape, mover_.skin);
        const float depth = touch.penetration + nearest;
        if (depth <= 0.0f || !stops(surface, touch.normal, shape, mover_.skin)) return {};
        const Shape core = shrunk(shape, mover_.skin);
        const bool is_deep = touch.penetration > touching(mover_);
        if (is_deep && surface.touch(core, 0.0f).penetration <= 0.0f) return {};
        return touch.normal * depth;
    }
    /// The deepest overlap with bodies of a type.
    [[nodiscard]] MoverOverlap deepest_overlap(BodyType type) const {
        MoverOverlap deepest;
        for (const Surface& surface : mover_.surroundings) {
            if (surface.type != type) continue;
            const Vec2 out = overlap_with(surface);
            if (length_sq(out) > length_sq(deepest.out)) deepest = {&surface, out};
        }
        return deepest;
    }

private:
    /// How far below one-way ground it may be to stand on it [m]. What is round and walks sinks a
    /// little into the gaps between pieces of it.
    [[nodiscard]] float depth_in_front() const {
        constexpr float part_of_step = 0.25f;
        return walks_ ? max(mover_.skin, mul(part_of_step, mover_.step_height)) : mover_.skin;
    }

    /// How a shape comes nearer than its gap to a surface during a translation of some length.
    [[nodiscard]] MoverHit hit_on(const Surface& surface, const Shape& shape, Vec2 way,
                                  float distance) const {
        constexpr float rounding = 1e-6f;  // of the way: along a surface is not into it
        const float further = 1.0f + 2.0f * gap() / distance;
        const CastHit hit = cast_at(surface, shape, way * further);
        const float approach = -dot(way, hit.normal);
        if (approach <= mul(rounding, distance)) return {};
        const float part = max(mul(hit.fraction, further) - gap() / approach, 0.0f);
        if (part >= 1.0f) return {};
        return {hit, &surface, part};
    }
    /// Whether the first of two hits in one place stops the mover.
    [[nodiscard]] bool is_before(const MoverHit& hit, const MoverHit& other) const {
        const bool is_beside_one = is_beside(*hit.surface);
        if (is_beside_one != is_beside(*other.surface)) return is_beside_one;
        return hit.cast.fraction < other.cast.fraction;
    }
    /// The same for hits in different places on the way.
    [[nodiscard]] bool is_nearer(const MoverHit& hit, const MoverHit& other, Vec2 way) const {
        const bool is_sooner = hit.part < other.part;
        const MoverHit& sooner = is_sooner ? hit : other;
        const MoverHit& later = is_sooner ? other : hit;
        const bool is_met_first = sooner.cast.fraction <= later.cast.fraction;
        return is_sooner == (is_met_first || faces(sooner, way * sooner.part));
    }
    /// Whether the mover, moved by a translation, is in front of the surface that a hit is on.
    [[nodiscard]] bool faces(const MoverHit& hit, Vec2 moved) const {
        const Vec2 onto = hit.cast.normal * mul(-2.0f, mover_.skin);
        return static_cast<bool>(hit.surface->cast(translate(placed_shape(mover_), moved), onto));
    }
    /// Whether a surface is right in front of a side of the mover.
    [[nodiscard]] bool is_beside(const Surface& surface) const {
        const float reach = mul(2.0f, mover_.skin);
        return surface.touch(placed_shape(mover_), reach).penetration >= -reach;
    }

    void list_surfaces(Vec2 reach) {
        reach_ = reach;
        const float more = mul(1.5f, snap_reach(mover_)) + 4.0f * mover_.skin;
        const Vec2 side = abs(perpendicular(mover_.up));
        const Vec2 margin = max(reach + Vec2{more, more}, side * mover_.edge_reach);
        const AABB box = bounds(placed_shape(mover_));
        listed_ = {box.min - margin, box.max + margin};
        mover_.surroundings.clear();
        world_.for_each_surface(
            listed_,
            [&](const Surface& surface) {
                mover_.surroundings.push_back_for_overwrite() = surface;
            },
            mover_.filter);
        join_one_way_ground();
    }
    /// One-way ground of separate pieces is one ground.
    void join_one_way_ground() {
        const float slop = mul(level_slop, world_.config().length_unit);
        for (Surface& surface : mover_.surroundings) {
            if (surface.one_way == OneWay::No) continue;
            for (Surface& next : mover_.surroundings) surface.join(next, slop);
        }
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

    const World& world_;
    Mover& mover_;
    Vec2 reach_{};   // of the last list [m]
    AABB listed_{};  // around the mover then [m, world]
    bool anything_moves_ = false;
    bool walks_ = false;
    float smaller_by_ = 0.0f;  // on each side [m]
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

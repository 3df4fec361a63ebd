// SPDX-License-Identifier: MIT
// MoverSight: which of the surfaces near a mover does a motion hit, and which does it overlap?
//
// Each stretch of the path is cast against them exactly. Nothing here moves the mover. A hit leaves
// a gap of `skin` to the surface.
#pragma once

#include <phys2d/character/mover_surroundings.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The first surface that a mover hits during a translation.
struct MoverHit {
    CastHit cast{};
    const Surface* surface = nullptr;
    float part = 1.0f;  ///< fraction of the translation before the hit, less `skin`

    explicit operator bool() const { return surface != nullptr; }
};

/// A surface that overlaps a mover, or ran into it during the last step.
struct MoverPush {
    const Surface* surface = nullptr;
    Vec2 out{};                         ///< translation out of it [m]
    float fraction = CastHit::nothing;  ///< of the step, when it ran into the mover

    explicit operator bool() const { return surface != nullptr; }
};

/// Whether a surface does not stop the mover.
using PassTest = FunctionRef<bool(const Surface& surface)>;
inline constexpr auto passes_nothing = [](const Surface&) { return false; };

class MoverSight : public MoverSurroundings {
public:
    using MoverSurroundings::MoverSurroundings;

    /// From now on it walks in this move: it stands on corners however steep they meet it.
    void begin_to_walk() { walks_ = true; }
    [[nodiscard]] bool walks() const { return walks_; }

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
            if (stops(surface, touch.normal, shape, depth_in_front())) return true;
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

    /// Whether a surface stops a shape that hits it: one-way surfaces stop only shapes in front of
    /// their side, or at most `depth` behind it [m].
    [[nodiscard]] static bool stops(const Surface& surface, Vec2 normal, const Shape& shape,
                                    float depth) {
        if (surface.one_way == OneWay::No) return true;
        const Vec2 out = direction_of(surface.one_way);
        return blocks(out, normal) && surface.height_in_front(out, normal, shape) >= -depth;
    }

    /// How a surface stops a shape during a translation; no hit if it does not.
    [[nodiscard]] CastHit cast_at(const Surface& surface, const Shape& shape, Vec2 way) const {
        const CastHit hit = surface.cast(shape, way);
        return hit && stops(surface, hit.normal, shape, depth_in_front()) ? hit : CastHit{};
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
    [[nodiscard]] MoverPush deepest_overlap(BodyType type) const {
        MoverPush deepest;
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

    bool walks_ = false;
    float smaller_by_ = 0.0f;  // on each side [m]
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

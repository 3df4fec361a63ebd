// SPDX-License-Identifier: MIT
// BroadPhase: keeps the list of pairs of bodies that may touch, and knows how long it stays true.
//
// Each moving body gets a range: a box around the path of its position over the next steps, with a
// margin. Pairs are all bodies whose ranges, grown by their shapes, overlap. As long as every body
// ends its step inside its range, no pair can be missing, so a settled scene pays a comparison a body.
// Statics are in a grid of their own that only changes when they do.
#pragma once

#include <phys2d/collision/row_grid.hpp>
#include <phys2d/dynamics/contact_pairs.hpp>
#include <phys2d/dynamics/contact_solver.hpp>
#include <phys2d/world/bodies.hpp>

namespace phys2d::detail::inline PHYS2D_ABI {

/// How the pairs of one world are found and mixed.
struct PairRules {
    float dt;      ///< [s]
    int substeps;  ///< of `drive` a step
    float margin;  ///< room around a path [m]
    MixFunction mix_friction;
    MixFunction mix_restitution;
};

class BroadPhase {
public:
    /// Bodies were created, destroyed or retyped, or something else about the pairs has changed.
    void forget_pairs() { pairs_are_stale_ = true; }
    /// A static body has come, gone or moved.
    void forget_statics() { statics_are_stale_ = pairs_are_stale_ = true; }

    /// Brings `pairs` up to date if it is not; returns whether it was rebuilt. `drive` is what the
    /// solver will add to each velocity a sub-step. When a mix function throws, nothing has changed.
    template <int Width>
    bool update(const Bodies& bodies, const simd::Record4* drive, const PairRules& rules,
                ContactPairs& pairs) {
        const bool same_slots = !pairs_are_stale_;
        if (same_slots && all_stay_in_range(bodies, drive, rules)) return false;
        pairs_are_stale_ = true;  // until all of them are there again
        if (statics_are_stale_) build_statics(bodies);
        build_moving(bodies, drive, rules);
        collect_pairs<Width>(bodies, rules);
        if (!same_slots) match_slots(bodies);
        builder_.take_impulses(pairs, slot_now_.data());
        builder_.finish(pairs);
        if (!same_slots) remember_slots(bodies);
        pairs_are_stale_ = statics_are_stale_ = false;
        return true;
    }

    /// Who had a slot when the pairs were made.
    [[nodiscard]] BodyId id_in_pairs(std::int32_t slot) const { return ids_[at(slot)]; }

private:
    /// Steps for which a range is laid out ahead. More: fewer rebuilds, more pairs.
    static constexpr float steps_ahead = 3.0f;

    [[nodiscard]] static Vec2 path(const Bodies& bodies, const simd::Record4* drive,
                                   const PairRules& rules, std::size_t i) {
        const Vec2 gained = Vec2{drive[i].x, drive[i].y} * static_cast<float>(rules.substeps);
        return (bodies.velocities[i] + gained) * rules.dt;
    }

    [[nodiscard]] bool all_stay_in_range(const Bodies& bodies, const simd::Record4* drive,
                                         const PairRules& rules) const {
        bool inside = true;
        for (std::size_t i = 0; i < ranges_.size(); ++i) {
            const Vec2 begin = bodies.positions[i];
            const Vec2 end = begin + path(bodies, drive, rules, i);
            inside = inside && contains(ranges_[i], begin) && contains(ranges_[i], end);
        }
        return inside;
    }

    /// The box of a shape around a range of positions, within what a grid can hold.
    [[nodiscard]] static AABB grown(const AABB& range, const Shape& shape) {
        constexpr Vec2 furthest{1e18f, 1e18f};
        const Vec2 outer = outer_half_extents(shape);
        return {clamp(range.min + shape.center - outer, -furthest, furthest),
                clamp(range.max + shape.center + outer, -furthest, furthest)};
    }

    void build_statics(const Bodies& bodies) {
        boxes_.clear();
        static_index_.clear();
        for (std::int32_t slot = bodies.ranges.moving_count; slot < bodies.size(); ++slot) {
            const Vec2 position = bodies.positions[at(slot)];
            boxes_.push_back(grown({position, position}, bodies.shapes[at(slot)]));
            static_index_.push_back(bodies.ids[at(slot)].index);
        }
        statics_.build(boxes_);
    }

    void build_moving(const Bodies& bodies, const simd::Record4* drive, const PairRules& rules) {
        const std::size_t count = at(bodies.ranges.moving_count);
        ranges_.resize(count);
        boxes_.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            const Vec2 begin = bodies.positions[i];
            const Vec2 end = begin + path(bodies, drive, rules, i) * steps_ahead;
            ranges_[i] = expand(AABB{min(begin, end), max(begin, end)}, rules.margin);
            boxes_[i] = grown(ranges_[i], bodies.shapes[i]);
        }
        moving_.build(boxes_);
    }

    template <int Width>
    void collect_pairs(const Bodies& bodies, const PairRules& rules) {
        const std::int32_t dynamic_count = bodies.ranges.dynamic_count;
        builder_.begin(bodies.ranges);
        const auto add = [&](std::int32_t a, std::int32_t b) {
            const Material& material_a = bodies.materials[at(a)];
            const Material& material_b = bodies.materials[at(b)];
            builder_.add(a, b, rules.mix_friction(material_a.friction, material_b.friction),
                         rules.mix_restitution(material_a.restitution, material_b.restitution));
        };
        moving_.for_each_pair<Width>([&](std::int32_t i, std::int32_t j) {
            if (i < dynamic_count || j < dynamic_count) add(i < j ? i : j, i < j ? j : i);
        });
        moving_.for_each_pair_with<Width>(statics_, [&](std::int32_t i, std::int32_t fixed) {
            if (i < dynamic_count) add(i, bodies.slots.slot_at(static_index_[at(fixed)]));
        });
    }

    /// Where the bodies of the old pairs are now.
    void match_slots(const Bodies& bodies) {
        slot_now_.resize(ids_.size());
        for (std::size_t i = 0; i < ids_.size(); ++i) slot_now_[i] = bodies.slots.slot_of(ids_[i]);
    }

    void remember_slots(const Bodies& bodies) {
        ids_ = bodies.ids;
        slot_now_.resize(ids_.size());
        for (std::size_t i = 0; i < ids_.size(); ++i) slot_now_[i] = static_cast<std::int32_t>(i);
    }

    RowGrid statics_;
    RowGrid moving_;
    PairBuilder builder_;
    Array<std::uint32_t> static_index_;  // of the ids in the static grid
    Array<AABB> boxes_;
    Array<AABB> ranges_;            // per moving slot: the positions the pairs hold for
    Array<BodyId> ids_;             // per slot, when the pairs were made
    Array<std::int32_t> slot_now_;  // of those ids
    bool pairs_are_stale_ = true;
    bool statics_are_stale_ = true;
};

}  // namespace phys2d::detail::inline PHYS2D_ABI

// SPDX-License-Identifier: MIT
// Ranges: for which positions of the moving bodies are their pairs complete, and who leaves them?
//
// A range is a box around the path of a body's position over the next steps, plus a margin.
#pragma once

#include <phys2d/bodies/disturbances.hpp>
#include <phys2d/bodies/pair_rules.hpp>
#include <phys2d/bodies/terrain_faces.hpp>
#include <phys2d/core/crew.hpp>
#include <phys2d/core/marks.hpp>
#include <phys2d/dynamics/slot_moves.hpp>
#include <phys2d/math/lane_records.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

class Ranges {
public:
    /// Begins ranges of `count` moving bodies over a number of steps; each is to be renewed.
    void begin(std::size_t count, float steps_ahead) {
        steps_ahead_ = steps_ahead;
        boxes_.resize_for_overwrite(count);
        bounds_.resize_for_overwrite(count);
        listed_.reserve(count);
    }

    /// Makes room for so many bodies.
    void make_room(std::int32_t count) {
        boxes_.reserve_twice(at(count));
        bounds_.reserve_twice(at(count));
        listed_.reserve_twice(at(count));
    }

    /// Follows the moving bodies into other slots; new ones are outside of their ranges.
    void follow(SlotMoves& moves, std::int32_t count) {
        moves.apply(boxes_, count, no_box);
        moves.apply(bounds_, count, no_box);
    }

    /// Makes the range of a body begin where it is.
    void renew(const Bodies& bodies, const PairRules& rules, std::size_t slot) {
        const Vec2 begin = bodies.positions[slot];
        const Vec2 end = begin + path_ahead(bodies, rules, slot);
        const float margin = rules.margin_of(smaller_half_extent(bodies.shapes[slot]));
        boxes_[slot] = expand(AABB{min(begin, end), max(begin, end)}, margin);
        bounds_[slot] = box_around(boxes_[slot], bodies.shapes[slot]);
    }

    /// Lists the bodies that are out of their ranges, or will be after this step unless they touch
    /// something.
    template <int Width, class Team>
    void list_strays(const Bodies& bodies, const PairRules& rules, Team& team) {
        const simd::Record4* const drive = rules.drive;
        list<Width>(team, [&]<int W>(std::size_t i) {
            using Real = simd::Lanes<W>;
            const Real substeps = Real::fill(static_cast<float>(rules.substeps));
            const Real dt = Real::fill(rules.dt);
            const auto from = simd::load_pairs<W>(&bodies.positions[i].x);
            const auto velocity = simd::load_pairs<W>(&bodies.velocities[i].x);
            const auto gained = simd::load_records<W>(&drive[i]);
            const Real to_x = from.x + (velocity.x + gained.x * substeps) * dt;
            const Real to_y = from.y + (velocity.y + gained.y * substeps) * dt;
            return bits(is_outside<W>(from, boxes_[i]) | is_outside<W>({to_x, to_y}, boxes_[i]));
        });
    }

    /// Lists the bodies that a step is about to move out of their ranges, and by more than `slack`.
    /// `state` has the displacements.
    template <int Width, class Team>
    void list_outsiders(const Bodies& bodies, const simd::Record4* state, float slack, Team& team) {
        list<Width>(team, [&]<int W>(std::size_t i) {
            const auto [v_x, v_y, x, y] = simd::load_records<W>(&state[i]);
            const auto is_far = simd::Lanes<W>::fill(slack) < max(abs(x), abs(y));
            if (!any(is_far)) return 0u;
            const auto from = simd::load_pairs<W>(&bodies.positions[i].x);
            return bits(is_far & is_outside<W>({from.x + x, from.y + y}, boxes_[i]));
        });
    }

    /// Adds the dynamic bodies that may meet any of the edited boxes while they are in their
    /// ranges. Pre: the last list was of strays.
    void list_near(const ChangedBoxes& edits, const Bodies& bodies) {
        if (edits.empty()) return;
        for (std::int32_t slot = 0; slot < bodies.ranges.dynamic_count; ++slot) {
            if (edits.meet(bounds_[slot])) leaving_.add(slot);
        }
        leaving_.list(count(), listed_);
    }

    /// The world has another origin: everything is moved by `way`.
    void shift(Vec2 way) {
        for (Array<AABB>* boxes : {&boxes_, &bounds_}) {
            for (AABB& box : *boxes) box = translate(box, way);
        }
    }

    /// The slots of the last list, in ascending order.
    [[nodiscard]] const Array<std::int32_t>& listed() const { return listed_; }

    [[nodiscard]] const AABB& operator[](std::int32_t slot) const { return boxes_[slot]; }
    [[nodiscard]] Span<const AABB> all() const { return boxes_; }
    /// Around each body in its range.
    [[nodiscard]] Span<const AABB> bounds() const { return bounds_; }
    [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(boxes_.size()); }

    void list_members(auto& archive) {
        archive(*this, boxes_, bounds_, leaving_, listed_, steps_ahead_);
    }

private:
    /// The path of a body over the next steps; over fewer of them if it moves far for its size, but
    /// over at least one, and over whole ones: with a part of a step more, a range lasts no longer.
    [[nodiscard]] Vec2 path_ahead(const Bodies& bodies, const PairRules& rules,
                                  std::size_t i) const {
        constexpr float sizes_ahead = 8.0f;
        const simd::Record4& drive = rules.drive[i];
        const Vec2 gained = Vec2{drive.x, drive.y} * static_cast<float>(rules.substeps);
        const Vec2 step = (bodies.velocities[i] + gained) * rules.dt;
        const float size = smaller_half_extent(bodies.shapes[i]);
        const float furthest = mul(sizes_ahead, size + rules.margin_of(size));
        const float length = max(abs(step.x), abs(step.y));
        if (mul(length, steps_ahead_) <= furthest) return step * steps_ahead_;
        const auto most = static_cast<std::int32_t>(steps_ahead_);
        return step * static_cast<float>(floor_within(furthest / length + 0.5f, 1, most));
    }

    /// Which of W points are outside of the W ranges from `first` on.
    template <int Width>
    PHYS2D_INLINE static simd::LaneMask<Width> is_outside(const simd::Columns2<Width>& point,
                                                          const AABB& first) {
        const auto [min_x, min_y, max_x, max_y] =
            simd::load_records<Width>(reinterpret_cast<const simd::Record4*>(&first));
        return (point.x < min_x) | (point.y < min_y) | (max_x < point.x) | (max_y < point.y);
    }

    /// Lists the bodies that a test finds; see Marks.
    template <int Width, class Team>
    void list(Team& team, auto test) {
        leaving_.make_room(count());
        team.for_each_part(count(), bodies_per_part, [&](std::int32_t begin, std::int32_t end) {
            leaving_.mark<Width>(begin, end, test);
        });
        leaving_.list(count(), listed_);
    }

    Array<AABB> boxes_;   // per moving slot
    Array<AABB> bounds_;  // the same around the bodies in them
    Marks leaving_;
    Scratch<std::int32_t> listed_;
    float steps_ahead_ = 1.0f;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

// SPDX-License-Identifier: MIT
// PairRules: do two bodies near each other make a pair, and with which coefficients?
#pragma once

#include <phys2d/bodies/bodies.hpp>
#include <phys2d/bodies/ignored_pairs.hpp>
#include <phys2d/dynamics/narrow_bodies.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Decides which bodies have contacts.
struct TouchRules {
    PairFilter filter;  ///< null: none is excepted by it
    void* filter_context;
    const IgnoredPairs<BodyId>& ignored;
    const IgnoredPairs<ColliderId>& dropped_through;

    /// Whether contacts between the bodies of two slots are solved.
    [[nodiscard]] PHYS2D_INLINE bool may_touch(const Bodies& bodies, std::int32_t a,
                                               std::int32_t b) const {
        return bodies.may_touch(a, b) && (!has_exceptions() || !is_excepted(bodies, a, b));
    }

    /// Whether a body passes through another one that its filter lets it touch.
    [[nodiscard]] bool passes(const Bodies& bodies, std::int32_t a, std::int32_t b) const {
        return may_except(bodies, a) && bodies.may_touch(a, b) && is_excepted(bodies, a, b);
    }
    /// The same for any of those that search(visit) calls visit(slot) for.
    [[nodiscard]] bool passes_any(const Bodies& bodies, std::int32_t a, auto search) const {
        bool any = false;
        if (!may_except(bodies, a)) return any;
        search([&](std::int32_t b) { any = any || passes(bodies, a, b); });
        return any;
    }

private:
    [[nodiscard]] bool may_except(const Bodies& bodies, std::int32_t a) const {
        return filter != nullptr || ignored.may_have(bodies.owners[a]);
    }
    [[nodiscard]] bool has_exceptions() const {
        return filter != nullptr || !ignored.empty() || !dropped_through.empty();
    }

    [[nodiscard]] bool is_excepted(const Bodies& bodies, std::int32_t a, std::int32_t b) const {
        const BodyId id_a = bodies.owners[a];
        const BodyId id_b = bodies.owners[b];
        const bool is_ignored =
            ignored.contains(id_a, id_b) || dropped_through.contains(bodies.ids[a], bodies.ids[b]);
        return is_ignored || (filter != nullptr && !filter(filter_context, id_a, id_b));
    }
};

/// How the pairs of one world are found and mixed.
struct PairRules {
    float dt;                              ///< [s]
    int substeps;                          ///< a step
    const simd::Record4* drive = nullptr;  ///< per moving slot: see SolverBodies
    float margin;                          ///< most that is added around a path [m]
    MixFunction mix_friction;
    MixFunction mix_restitution;
    float length_unit = 1.0f;
    TouchRules touch;
    float least_margin = 0.0f;  ///< added around the path of anything, however small [m]

    /// What is added around the path of a body with this smaller half extent [m]. With the margin
    /// of a crate, a coin of 1 cm in a heap would be a pair with two hundred others.
    [[nodiscard]] float margin_of(float half_extent) const {
        return min(margin, least_margin + half_extent);
    }

    /// Within which `PairBuilder` takes pairs for near: the margin of ranges, not that of contacts.
    [[nodiscard]] ContactReach reach() const {
        return {.margin = margin, .corner_slop = mul(corner_slop, length_unit)};
    }
};

/// Mixes materials and caches the last result: most pairs of a world are alike.
class MaterialMixer {
public:
    explicit MaterialMixer(const PairRules& rules) : rules_(rules) {}

    PHYS2D_INLINE void mix(const ContactTraits& a, const ContactTraits& b) {
        const bool known = a.friction == friction_[0] && b.friction == friction_[1] &&
                           a.restitution == restitution_[0] && b.restitution == restitution_[1];
        if (known) return;
        mixed_friction_ = mixed(rules_.mix_friction, "mix_friction", a.friction, b.friction);
        mixed_restitution_ =
            mixed(rules_.mix_restitution, "mix_restitution", a.restitution, b.restitution);
        friction_[0] = a.friction, friction_[1] = b.friction;
        restitution_[0] = a.restitution, restitution_[1] = b.restitution;
    }
    [[nodiscard]] float friction() const { return mixed_friction_; }
    [[nodiscard]] float restitution() const { return mixed_restitution_; }

private:
    static float mixed(MixFunction mix, const char* name, float a, float b) {
        const float result = mix(a, b);
        require(is_finite(result) && result >= 0.0f,
                "step: %s(%g, %g) returns %g, expected a finite number >= 0", name, a, b, result);
        return result;
    }

    const PairRules& rules_;
    float friction_[2] = {-1.0f, -1.0f};  // of the last materials; none at first
    float restitution_[2] = {-1.0f, -1.0f};
    float mixed_friction_ = 0.0f;
    float mixed_restitution_ = 0.0f;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

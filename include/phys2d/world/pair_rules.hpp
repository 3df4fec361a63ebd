// SPDX-License-Identifier: MIT
// PairRules: what two bodies near each other become, and what their contact is made of.
#pragma once

#include <phys2d/dynamics/pair_builder.hpp>
#include <phys2d/world/bodies.hpp>
#include <phys2d/world/ignored_pairs.hpp>

namespace phys2d::detail::inline PHYS2D_ABI {

/// Which bodies have contacts.
struct TouchRules {
    PairFilter filter = nullptr;
    void* filter_context = nullptr;
    const IgnoredPairs* ignored = nullptr;          ///< bodies
    const IgnoredPairs* dropped_through = nullptr;  ///< colliders, by the ids of their slots

    /// Whether contacts between two bodies are solved, by slots.
    [[nodiscard]] bool may_touch(const Bodies& bodies, std::int32_t a, std::int32_t b) const {
        if (!bodies.may_touch(at(a), at(b))) return false;
        const BodyId id_a = bodies.owners[at(a)];
        const BodyId id_b = bodies.owners[at(b)];
        const bool is_ignored =
            ignored != nullptr && (ignored->contains(id_a, id_b) ||
                                   dropped_through->contains(bodies.ids[at(a)], bodies.ids[at(b)]));
        return !is_ignored && (filter == nullptr || filter(filter_context, id_a, id_b));
    }
};

/// How the pairs of one world are found and mixed.
struct PairRules {
    float dt;      ///< [s]
    int substeps;  ///< of `drive` a step
    float margin;  ///< room around a path [m]
    MixFunction mix_friction;
    MixFunction mix_restitution;
    TouchRules touch{};
};

/// Mixes materials, and remembers the last result: most pairs of a world are alike.
class MaterialMixer {
public:
    explicit MaterialMixer(const PairRules& rules) : rules_(rules) {}

    void mix(const Material& a, const Material& b) {
        const bool known = a.friction == friction_[0] && b.friction == friction_[1] &&
                           a.restitution == restitution_[0] && b.restitution == restitution_[1];
        if (known) return;
        mixed_friction_ = rules_.mix_friction(a.friction, b.friction);
        mixed_restitution_ = rules_.mix_restitution(a.restitution, b.restitution);
        friction_[0] = a.friction, friction_[1] = b.friction;
        restitution_[0] = a.restitution, restitution_[1] = b.restitution;
    }
    [[nodiscard]] float friction() const { return mixed_friction_; }
    [[nodiscard]] float restitution() const { return mixed_restitution_; }

private:
    const PairRules& rules_;
    float friction_[2] = {-1.0f, -1.0f};  // of the materials mixed last; none at first
    float restitution_[2] = {-1.0f, -1.0f};
    float mixed_friction_ = 0.0f;
    float mixed_restitution_ = 0.0f;
};

/// Adds pairs of slots, in either order, of which at least one is to be dynamic.
class PairAdder {
public:
    PairAdder(PairBuilder& builder, const Bodies& bodies, const PairRules& rules)
        : builder_(builder), bodies_(bodies), rules_(rules), mixer_(rules) {}

    void operator()(std::int32_t i, std::int32_t j) {
        const std::int32_t a = i < j ? i : j;
        const std::int32_t b = i < j ? j : i;
        if (a >= bodies_.ranges.dynamic_count) return;
        if (!rules_.touch.may_touch(bodies_, a, b)) return;
        mixer_.mix(bodies_.materials[at(a)], bodies_.materials[at(b)]);
        const ColliderDef& collider_a = bodies_.colliders[at(a)];
        const ColliderDef& collider_b = bodies_.colliders[at(b)];
        builder_.add(a, b, bodies_.narrow.data(), rules_.margin,
                     {mixer_.friction(), mixer_.restitution(),
                      collider_a.has_events && collider_b.has_events,
                      bodies_.is_special(at(a)) || bodies_.is_special(at(b))},
                     bodies_.limbs.empty() ? nullptr : bodies_.body_slots.data());
    }

private:
    PairBuilder& builder_;
    const Bodies& bodies_;
    const PairRules& rules_;
    MaterialMixer mixer_;
};

}  // namespace phys2d::detail::inline PHYS2D_ABI

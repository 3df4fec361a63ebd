// SPDX-License-Identifier: MIT
// PairRules: what two bodies near each other become, and what their contact is made of.
#pragma once

#include <phys2d/dynamics/pair_builder.hpp>
#include <phys2d/world/bodies.hpp>
#include <phys2d/world/ignored_pairs.hpp>
#include <phys2d/world/welding.hpp>

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
    float length_unit = 1.0f;
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

/// Adds pairs of slots, in either order, of which at least one is to be dynamic. A pair with terrain becomes
/// one for each face near the body.
class PairAdder {
public:
    /// `ranges`: where the moving bodies may be, per slot; `faces`: scratch.
    PairAdder(PairBuilder& builder, const Bodies& bodies, const PairRules& rules,
              const Array<AABB>& ranges, const RestingGrid& statics, Welds& welds, FaceList& faces)
        : builder_(builder),
          bodies_(bodies),
          rules_(rules),
          mixer_(rules),
          ranges_(ranges),
          statics_(statics),
          welds_(welds),
          faces_(faces) {}

    void operator()(std::int32_t i, std::int32_t j) {
        const std::int32_t a = i < j ? i : j;
        const std::int32_t b = i < j ? j : i;
        if (a >= bodies_.ranges.dynamic_count || bodies_.is_tile_kind(b)) return;
        if (bodies_.is_terrain(b)) {
            find_faces(a, b);
            add_faces(a);
        } else if (rules_.touch.may_touch(bodies_, a, b)) {
            builder_.add(a, b, bodies_.narrow.data(), rules_.margin, traits(a, b), body_slots());
        }
    }

    /// The same for a static collider by its place in the grid.
    void add_static(std::int32_t a, std::int32_t place) {
        const std::int32_t b = bodies_.slots.slot_at(at(statics_.index_of(place)));
        if (a >= bodies_.ranges.dynamic_count) return;
        if (!welds_.is_welded(bodies_, statics_, place, rules_.length_unit)) {
            (*this)(a, b);
        } else if (rules_.touch.may_touch(bodies_, a, b)) {
            find_faces_of_weld(a, b, place);
            add_faces(a);
        }
    }

    /// The same where the pair may be in the list already.
    void update_static(std::int32_t a, std::int32_t place, Contacts& contacts) {
        const std::int32_t b = bodies_.slots.slot_at(at(statics_.index_of(place)));
        if (a >= bodies_.ranges.dynamic_count) return;
        if (!welds_.is_welded(bodies_, statics_, place, rules_.length_unit)) {
            update(a, b, contacts);
        } else if (rules_.touch.may_touch(bodies_, a, b)) {
            find_faces_of_weld(a, b, place);
            replace_faces(a, contacts, [&](std::int32_t slot) { return slot == b; });
        }
    }

    /// The same for a pair that may be in the list already.
    void update(std::int32_t i, std::int32_t j, Contacts& contacts) {
        const std::int32_t a = i < j ? i : j;
        const std::int32_t b = i < j ? j : i;
        if (!bodies_.is_terrain(b)) {
            if (!builder_.contains(a, b)) (*this)(a, b);
        } else if (a < bodies_.ranges.dynamic_count) {
            find_faces(a, b);
            replace_faces(a, contacts, [&](std::int32_t slot) {
                return bodies_.terrain_of(slot) == bodies_.terrain_of(b);
            });
        }
    }

private:
    [[nodiscard]] const std::int32_t* body_slots() const {
        return bodies_.limbs.empty() ? nullptr : bodies_.body_slots.data();
    }

    [[nodiscard]] PairTraits traits(std::int32_t a, std::int32_t b) {
        mixer_.mix(bodies_.materials[at(a)], bodies_.materials[at(b)]);
        const ColliderDef& collider_a = bodies_.colliders[at(a)];
        const ColliderDef& collider_b = bodies_.colliders[at(b)];
        return {mixer_.friction(), mixer_.restitution(),
                collider_a.has_events && collider_b.has_events,
                bodies_.is_special(at(a)) || bodies_.is_special(at(b))};
    }

    /// Lists the faces that a body may meet where its range and that of the terrain let them be.
    void find_faces(std::int32_t a, std::int32_t terrain) {
        faces_.clear();
        const AABB box = expand(box_around(ranges_[at(a)], bodies_.shapes[at(a)]), rules_.margin);
        const Vec2 origin = terrain_origin(bodies_, terrain);
        const Vec2 position = bodies_.positions[at(terrain)];
        const AABB range =
            terrain < bodies_.ranges.moving_count ? ranges_[at(terrain)] : AABB{position, position};
        const AABB seen{box.min - (origin + (range.max - position)),
                        box.max - (origin + (range.min - position))};
        for_each_face(bodies_, terrain, seen, Pinching::Yes,
                      [&](const Face& face, std::int32_t slot) {
                          if (rules_.touch.may_touch(bodies_, a, slot)) faces_.add(face, slot);
                      });
        const bool is_static = terrain >= bodies_.ranges.static_begin;
        if (is_static && is_tile_map(bodies_, terrain)) {
            welds_.weld_to_boxes(bodies_, statics_, box, origin, rules_.length_unit, faces_);
        }
    }

    /// Lists what a body may meet of a welded box.
    void find_faces_of_weld(std::int32_t a, std::int32_t b, std::int32_t place) {
        faces_.clear();
        const AABB box = expand(box_around(ranges_[at(a)], bodies_.shapes[at(a)]), rules_.margin);
        const AABB seen = translate(box, -(bodies_.placed_shape(at(b)).center));
        for (const Face& face : welds_.faces(place)) {
            if (overlaps(bounds(face), seen)) faces_.add(face, b);
        }
    }

    /// Puts the faces in the list in the places of those that a body has of the same colliders, and adds the rest.
    template <class IsOfThem>
    void replace_faces(std::int32_t a, Contacts& contacts, IsOfThem is_of_them) {
        builder_.replace_faces(a, contacts, [&](std::int32_t slot, const Face& face) {
            return is_of_them(slot) ? take_face(slot, face.feature) : face;
        });
        add_faces(a);
    }

    /// The face in the list that has a feature, once; `no_face` if there is none.
    [[nodiscard]] Face take_face(std::int32_t slot, std::uint32_t feature) {
        for (FaceList::Entry& entry : faces_.entries()) {
            const bool is_it =
                !entry.is_used && entry.slot == slot && entry.face.feature == feature;
            if (!is_it) continue;
            entry.is_used = true;
            return entry.face;
        }
        return no_face;
    }

    /// Adds those that are not taken.
    void add_faces(std::int32_t a) {
        for (const FaceList::Entry& entry : faces_.entries()) {
            if (entry.is_used) continue;
            builder_.add_face(a, entry.slot, entry.face, bodies_.narrow.data(), rules_.margin,
                              traits(a, entry.slot), body_slots());
        }
    }

    PairBuilder& builder_;
    const Bodies& bodies_;
    const PairRules& rules_;
    MaterialMixer mixer_;
    const Array<AABB>& ranges_;
    const RestingGrid& statics_;
    Welds& welds_;
    FaceList& faces_;
};

}  // namespace phys2d::detail::inline PHYS2D_ABI

// SPDX-License-Identifier: MIT
// PairAdder: turns two colliders near each other into pairs of the list.
//
// Most become one pair. With terrain, or a solid that is welded to others, they become one pair for
// each of its faces near the body.
#pragma once

#include <phys2d/bodies/face_finder.hpp>
#include <phys2d/dynamics/pair_builder.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// Adds pairs of slots, in either order; pairs without a dynamic body are left out.
class PairAdder {
public:
    /// `listed`: contacts in which pairs may already be, which are not added again; null if there
    /// are none.
    PairAdder(PairBuilder& builder, const Bodies& bodies, const PairRules& rules,
              const FaceFinder& faces, Contacts* listed)
        : builder_(builder),
          bodies_(bodies),
          rules_(rules),
          mixer_(rules),
          faces_(faces),
          listed_(listed) {}

    void operator()(std::int32_t i, std::int32_t j) {
        const std::int32_t a = smaller_of(i, j);
        const std::int32_t b = larger_of(i, j);
        if (!bodies_.ranges.is_dynamic(a)) return;
        const std::uint32_t marks = bodies_.traits[b].marks;
        if ((marks & ContactTraits::tile_kind) != 0) return;
        if ((marks & ContactTraits::terrain) != 0) {
            add_faces(a, b, faces_.of_terrain(a, b));
        } else if (!is_listed(a, b) && rules_.touch.may_touch(bodies_, a, b)) {
            builder_.add(a, b, traits(a, b));
        }
    }

    /// The same for a moving and a static collider.
    void add_static(std::int32_t a, std::int32_t b) {
        if (!bodies_.ranges.is_dynamic(a)) return;
        if (!faces_.is_welded(b)) {
            (*this)(a, b);
        } else if (rules_.touch.may_touch(bodies_, a, b)) {
            add_faces(a, b, faces_.of_weld(a, b));
        }
    }

private:
    [[nodiscard]] bool is_listed(std::int32_t a, std::int32_t b) const {
        return listed_ != nullptr && builder_.contains(a, b);
    }

    [[nodiscard]] PHYS2D_INLINE PairTraits traits(std::int32_t a, std::int32_t b) {
        const ContactTraits& traits_a = bodies_.traits[a];
        const ContactTraits& traits_b = bodies_.traits[b];
        const std::uint32_t marks = traits_a.marks | traits_b.marks;
        mixer_.mix(traits_a, traits_b);
        return {mixer_.friction(), mixer_.restitution(), (marks & ContactTraits::special) != 0};
    }

    /// Adds pairs with faces of a terrain, or a welded solid. Where such a pair exists it is
    /// updated instead, and pairs with other faces of that terrain are removed.
    void add_faces(std::int32_t a, std::int32_t terrain, FaceList& faces) {
        faces.sort();
        if (listed_ != nullptr) {
            builder_.replace_faces(a, *listed_, [&](std::int32_t slot, const Face& face) {
                return is_part_of(slot, terrain) ? taken_from(faces, slot, face.feature) : face;
            });
        }
        for (const FaceList::Entry& entry : faces.entries()) {
            if (entry.is_used) continue;
            builder_.add_face(a, entry.slot, entry.face, bodies_.narrow, rules_.reach(),
                              traits(a, entry.slot));
        }
    }

    /// Whether a slot has the faces of a terrain: it is the terrain, or a kind of its tiles.
    [[nodiscard]] bool is_part_of(std::int32_t slot, std::int32_t terrain) const {
        const bool is_kind_of =
            bodies_.is_terrain(terrain) && bodies_.terrain_of(slot) == bodies_.terrain_of(terrain);
        return slot == terrain || is_kind_of;
    }

    /// The listed face with a feature, once; `no_face` if there is none.
    [[nodiscard]] static Face taken_from(FaceList& faces, std::int32_t slot,
                                         std::uint32_t feature) {
        for (FaceList::Entry& entry : faces.entries()) {
            const bool is_it =
                !entry.is_used && entry.slot == slot && entry.face.feature == feature;
            if (!is_it) continue;
            entry.is_used = true;
            return entry.face;
        }
        return no_face;
    }

    PairBuilder& builder_;
    const Bodies& bodies_;
    const PairRules& rules_;
    MaterialMixer mixer_;
    FaceFinder faces_;
    Contacts* listed_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

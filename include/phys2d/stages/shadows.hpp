// SPDX-License-Identifier: MIT
// Shadows: which contacts of a fast body would not come about, because another stops it before?
//
// Each pair is measured as if there were no other. Of two things in a row that a fast body would
// get to within one sub-step the solver may take the farther one first, and hit it through the
// nearer one. So a contact from afar ends if one that comes about before it keeps the bodies apart.
// What its bodies do then is looked at after the solver, since the nearer thing may give way.
#pragma once

#include <phys2d/core/shell_sort.hpp>
#include <phys2d/stages/encounters.hpp>
#include <phys2d/stages/special_pairs.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

/// The contact of two bodies that are further apart than the margin, seen from the one that moves
/// faster towards the other.
class FarContact {
public:
    FarContact(const WorldState& world, const Encounter& encounter)
        : world_(world), encounter_(encounter) {
        const LanePlace place = encounter.place;
        const std::int32_t a = world.contacts.first_slot(place);
        const std::int32_t b = world.contacts.second_slot(place);
        const NarrowColumns& narrow = world.bodies.narrow;
        const Vec2 normal = world.contacts.normal_at(place);
        const float by_both = dot(velocity_of(narrow[a]) + velocity_of(narrow[b]), normal);
        const bool is_first = by_both >= 0.0f || is_on_fixed(world, place);
        body_ = is_first ? a : b;
        outwards_ = is_first ? normal : -normal;
        left_ = world.contacts.separation(place) - approach_at(world, place);
    }

    /// Whether the body is stopped before. Of a body with very many pairs only some are looked at.
    [[nodiscard]] bool is_in_shadow() const {
        int looks_left = 128;
        return world_.bodies.any_of(world_.bodies.owners[body_], [&](std::int32_t part) {
            const bool has_found = world_.broad_phase.any_lane_of(
                part, [&](LanePlace place) { return --looks_left < 0 || stops(place, part); });
            return has_found && looks_left >= 0;
        });
    }

private:
    /// Whether another contact of the body comes about in the same sub-step, but before this one,
    /// and takes so much of its way that it does not get here. What lies straight ahead takes all
    /// of it, even if it gives way: it stays in between.
    [[nodiscard]] bool stops(LanePlace place, std::int32_t part) const {
        const Contacts& contacts = world_.contacts;
        if (!has_lane(contacts.lanes, place)) return false;
        const float fraction = fraction_at(world_, place, 0.0f);
        const float earlier = encounter_.fraction - fraction;
        const float substep = 1.0f / static_cast<float>(world_.config.substeps);
        if (!(earlier > 0.0f && earlier <= substep)) return false;
        const bool is_first = contacts.first_slot(place) == part;
        const ContactBlock& block = contacts.blocks[place.block];
        const Vec2 normal = contacts.normal_at(place) * (is_first ? 1.0f : -1.0f);
        const float share = (is_first ? block.share_a : block.share_b)[place.lane];
        const float taken = are_alike(normal, outwards_) ? 1.0f : share;
        const float lost = mul(taken, approach_at(world_, place));
        return left_ + mul(mul(lost, dot(normal, outwards_)), 1.0f - fraction) > 0.0f;
    }

    const WorldState& world_;
    Encounter encounter_;
    std::int32_t body_;
    Vec2 outwards_;  ///< the normal towards the other body
    float left_;     ///< separation at the end of the step, if nothing stops the bodies [m]
};

/// Ends a contact that another stops, and has its bodies looked at after the solver.
inline void end_in_shadow(WorldState& world, LanePlace place) {
    for (const std::int32_t body :
         {world.contacts.first_slot(place), world.contacts.second_slot(place)}) {
        if (world.bodies.ranges.is_dynamic(body)) {
            world.off_course.stopped_early.push_back(body);
        }
    }
    let_through(world.contacts, place);
}

/// Ends the contacts that others stop, in the order in which they would come about: what is stopped
/// stops nothing. To be called once those are judged that do not hold.
inline void end_shadowed(WorldState& world) {
    world.encounters.clear();
    world.off_course.stopped_early.clear();
    for_each_lane_in(world.contacts, world.contacts.from_afar, [&](LanePlace place) {
        if (!has_lane(world.contacts.lanes, place)) return;
        const Encounter encounter = encounter_of(world, place);
        if (FarContact(world, encounter).is_in_shadow()) world.encounters.push_back(encounter);
    });
    shell_sort(world.encounters);
    for (const Encounter& encounter : world.encounters) {
        if (FarContact(world, encounter).is_in_shadow()) end_in_shadow(world, encounter.place);
    }
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

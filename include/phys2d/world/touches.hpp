// SPDX-License-Identifier: MIT
// WorldContact: which colliders touch each other, as the last step left them?
#pragma once

#include <phys2d/stages/sleep.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// A contact of the last step, with the bodies where they are now.
struct WorldContact {
    BodyId a;
    BodyId b;
    Manifold manifold;  ///< at the current positions
    /// Impulse on b along +normal, and on a along -normal, during the step [N·s]: bounces, plus the
    /// last sub-step's impulse times the number of sub-steps. A box at rest shows its weight times
    /// time_step; an impact without a bounce, over by then, next to nothing: HitEvent has it.
    float normal_impulse = 0.0f;
    float tangent_impulse = 0.0f;  ///< the same along perpendicular(normal), without bounces [N·s]
    ColliderId collider_a;
    ColliderId collider_b;
    /// From its began to its ended event, or without events; else the two are only about to touch.
    bool is_touching = false;

    /// As `ContactEvent::seen_from`. Both impulses stay: their directions turn with the normal.
    [[nodiscard]] constexpr WorldContact seen_from(BodyId body) const {
        if (body != b) return *this;
        return {b,          a,          flipped(manifold), normal_impulse, tangent_impulse,
                collider_b, collider_a, is_touching};
    }
};

}  // namespace phys2d::inline PHYS2D_ABI

namespace phys2d::inline PHYS2D_ABI::detail {

/// Whether a face comes within `reach` of a point [m].
[[nodiscard]] inline bool comes_near(const Face& face, Vec2 point, float reach) {
    const Vec2 along = perpendicular(face.normal);
    const float place = dot(point - face.start, along);
    const float nearest = clamp(place, min(face.begin, 0.0f), max(face.end, 0.0f));
    return length(point - face.start - along * nearest) <= reach;
}

/// The deepest contact of a shape with a collider; with terrain that with those of its faces for
/// which counts(face) holds: with the faces that look to a side, if it is near any of them. Its
/// penetration is the lowest float if terrain is further away than `reach`.
[[nodiscard]] Manifold deepest_touch(const Bodies& bodies, std::int32_t slot, const Shape& shape,
                                     float reach, Vec2 side, auto counts) {
    if (bodies.has_shape(slot)) return collide(bodies.placed_shape(slot), shape);
    Manifold on_side{{}, -std::numeric_limits<float>::max()};
    Manifold deepest{{0.0f, 1.0f}, -std::numeric_limits<float>::max(), shape.center};
    for_each_touched_face(bodies, slot, shape, reach, [&](const Manifold& touch, const Face& face) {
        if (!counts(face)) return;
        const bool is_on_side = are_alike(face.normal, side);
        if (is_on_side && touch.penetration > on_side.penetration) on_side = touch;
        if (touch.penetration > deepest.penetration) deepest = touch;
    });
    return on_side.normal != Vec2{} ? on_side : deepest;
}

/// How two colliders touch at their present positions, from a to b. `at`: where their contact was
/// in the last step that solved it; `side`: the normal of the face of terrain that it was with. A
/// shape past the end of that may be on the faces that go on there; on others it has contacts of
/// their own.
[[nodiscard]] inline Manifold manifold_of(const WorldState& world, std::int32_t a, std::int32_t b,
                                          const FacePlace& at, Vec2 side) {
    const Bodies& bodies = world.bodies;
    const Shape shape = bodies.placed_shape(a);
    const float reach = 2.0f * world.contact_margin();
    const bool has_face = at.normal != Vec2{};
    if (!has_face && bodies.has_shape(b)) return collide(shape, bodies.placed_shape(b));
    if (!has_face) {
        const auto any_face = [](const Face&) { return true; };
        return flipped(deepest_touch(bodies, b, shape, reach, side, any_face));
    }
    const Vec2 normal = -at.normal;
    Face face{.start = at.start + bodies.placed_shape(b).center, .begin = at.begin, .end = at.end};
    if (side != Vec2{}) face.normal = side;
    const float height = height_above(face.start, normal, shape);
    const float past_end = distance_past_end(face, normal, shape);
    const float separation = max(height, past_end);
    const Manifold touch{-normal, -separation, touched_point(face, shape, normal, separation)};
    if (past_end <= height) return touch;
    const Vec2 end = touch.point - normal * (0.5f * separation);
    const auto goes_on = [&](const Face& other) { return comes_near(other, end, reach); };
    const Manifold beyond = flipped(deepest_touch(bodies, b, shape, reach, side, goes_on));
    return beyond.penetration > touch.penetration ? beyond : touch;
}

/// A contact as users see it. Pre: both colliders exist.
[[nodiscard]] inline WorldContact world_contact(const WorldState& world,
                                                const StoredContact& contact) {
    const Bodies& bodies = world.bodies;
    const std::int32_t a = bodies.slots.slot_of(contact.a);
    const std::int32_t b = bodies.slots.slot_of(contact.b);
    const float reduced_mass = bodies.reduced_mass(a, b);
    const auto substeps = static_cast<float>(world.config.substeps);
    return {bodies.owners[a],
            bodies.owners[b],
            manifold_of(world, a, b, contact.face, contact.memory.side),
            mul(mul(contact.memory.normal_impulse, substeps) + contact.impact, reduced_mass),
            mul(mul(contact.memory.tangent_impulse, substeps), reduced_mass),
            contact.a,
            contact.b,
            contact.memory.is_touching};
}

/// Searches the contacts of all bodies, or of one. The contacts of a moving body are found through
/// its own pairs.
class ContactSearch {
public:
    explicit ContactSearch(const WorldState& world) : world_(world) {}
    ContactSearch(const WorldState& world, BodyId body)
        : world_(world),
          body_(body),
          has_own_lanes_(!world.bodies.is_asleep(world.bodies.slots.slot_of(body)) &&
                         world.broad_phase.has_lanes_of(world.contacts, body)) {}

    /// Whether it searches only the contacts of the one body.
    [[nodiscard]] bool is_short() const { return has_own_lanes_; }

    /// Calls visit(const WorldContact&) for the contacts of the last step, then for stored contacts
    /// of sleepers; those of one body as it sees them.
    void for_each_contact(auto visit) const {
        const auto tell = [&](const WorldContact& contact) {
            const WorldContact seen = contact.seen_from(body_);
            visit(seen);
        };
        const Contacts& contacts = world_.contacts;
        for_each_lane(contacts.lanes, [&](LanePlace place) {
            const auto [a, b] = world_.broad_phase.ids_of(contacts, place);
            if (!concerns(a, b)) return;
            tell(world_contact(world_, {a, b, memory_of(contacts, place),
                                        face_place_of(contacts, place), contacts.impact(place)}));
        });
        for_each_put_away([&](const StoredContact& contact) {
            if (!concerns(contact.a, contact.b)) return;
            tell(world_contact(world_, contact));
        });
    }

    /// Calls visit(other) with the other body of each touching pair of the one body, with or
    /// without events.
    void for_each_touching(auto visit) const {
        const auto see = [&](ColliderId a, ColliderId b) {
            if (!concerns(a, b)) return;
            const BodyId owner = world_.bodies.owner_of(a);
            visit(owner == body_ ? world_.bodies.owner_of(b) : owner);
        };
        for_each_lane(world_.contacts.touching, [&](LanePlace place) {
            const auto [a, b] = world_.broad_phase.ids_of(world_.contacts, place);
            see(a, b);
        });
        for_each_put_away([&](const StoredContact& contact) {
            if (contact.memory.is_touching) see(contact.a, contact.b);
        });
        for (const PartedPair& parted : world_.broad_phase.kept_contacts().parted.all()) {
            see(parted.pair.a, parted.pair.b);
        }
    }

private:
    /// Whether both colliders exist, and one belongs to the body.
    [[nodiscard]] bool concerns(ColliderId a, ColliderId b) const {
        const Bodies& bodies = world_.bodies;
        if (!bodies.slots.contains(a) || !bodies.slots.contains(b)) return false;
        return body_ == BodyId{} || bodies.owner_of(a) == body_ || bodies.owner_of(b) == body_;
    }

    /// Calls visit(place) for each lane that is set in a column and may concern the body.
    void for_each_lane(const Array<std::uint8_t>& column, auto visit) const {
        if (!has_own_lanes_) {
            return for_each_lane_in(world_.contacts, column, visit);
        }
        world_.bodies.for_each_of(body_, [&](std::int32_t slot) {
            world_.broad_phase.for_each_lane_of(world_.bodies.ids[slot], [&](LanePlace place) {
                if (has_lane(column, place)) visit(place);
            });
        });
    }
    void for_each_put_away(auto visit) const {
        if (!has_own_lanes_) for_each_sleeping_contact(world_, visit);
        const KeptContacts& kept = world_.broad_phase.kept_contacts();
        for (const StoredContact& contact : kept.all()) visit(contact);
    }

    const WorldState& world_;
    const BodyId body_{};  // the default id: of all bodies
    const bool has_own_lanes_ = false;
};

[[nodiscard]] inline bool are_touching(const WorldState& world, BodyId a, BodyId b) {
    const ContactSearch search(world, a);
    if (!search.is_short() && ContactSearch(world, b).is_short()) return are_touching(world, b, a);
    bool touch = false;
    search.for_each_touching([&](BodyId other) { touch = touch || other == b; });
    return touch;
}

/// Whether a contact of a body has a normal, away from that, near a direction.
[[nodiscard]] inline bool is_touching(const WorldState& world, BodyId body, Vec2 direction) {
    constexpr float nearest = 0.7071f;  // cosine of 45 degrees
    bool touch = false;
    ContactSearch(world, body).for_each_contact([&](const WorldContact& contact) {
        const bool is_there = dot(contact.manifold.normal, direction) >= nearest;
        touch = touch || (contact.is_touching && is_there);
    });
    return touch;
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

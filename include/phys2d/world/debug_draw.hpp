// SPDX-License-Identifier: MIT
// debug_draw: draws shapes, contacts, velocities and broad-phase ranges into a sink of yours.
//
// A sink is a window, a picture or a log. Not part of phys2d.hpp: include it where you draw.
// Everything is in world coordinates [m].
#pragma once

#include <phys2d/world/world.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// What a mark stands for; sinks pick colours by it.
enum class DebugRole : std::uint8_t {
    Static,
    Kinematic,
    Dynamic,
    Asleep,
    Sensor,
    Bounds,    ///< the box around a collider
    Range,     ///< a body whose position stays inside needs no new pairs
    Contact,   ///< where two colliders touch
    Normal,    ///< from a contact towards its second body
    Impulse,   ///< impulse of a contact in the step
    Velocity,  ///< path of a body in the next `DebugView::seconds`
    Island,    ///< between two dynamic bodies that touch
    Ray,
    Name,
};

/// What `debug_draw` shows. For other length units than metres see `scaled`.
struct DebugView {
    bool shapes = true;
    bool bounds = false;
    bool ranges = false;  ///< ranges of the broad phase
    bool contacts = true;
    bool islands = false;
    bool velocities = false;
    bool names = false;    ///< indices of the bodies' ids
    float seconds = 0.1f;  ///< velocity vectors cover this time [s]
    /// Length of impulse vectors, which are drawn with contacts [m per N·s]; 0 hides them.
    float metres_per_newton_second = 0;
    float normal_length = 0.2f;  ///< length of normals [m]
    /// Where surfaces of terrain are drawn [m, world].
    AABB terrain{{-500.0f, -500.0f}, {500.0f, 500.0f}};
};

/// The view for a world whose length unit is so many times smaller than that of `view`.
[[nodiscard]] constexpr DebugView scaled(DebugView view, float length_unit) {
    view.metres_per_newton_second /= square(length_unit);  // impulses grow with the cube
    view.normal_length = mul(view.normal_length, length_unit);
    view.terrain = {view.terrain.min * length_unit, view.terrain.max * length_unit};
    return view;
}

/// Something to draw into. All shapes are rounded boxes: see Shape.
template <class Sink>
concept DebugSink = requires(Sink& sink, const Shape& shape, Vec2 point, const char* text,
                             DebugRole role) {
    sink.shape(shape, role);
    sink.segment(point, point, role);
    sink.point(point, role);
    sink.text(point, text, role);
};

namespace detail {

[[nodiscard]] inline DebugRole role_of(const ConstBodyRef& body, bool is_sensor) {
    if (is_sensor) return DebugRole::Sensor;
    if (body.is_asleep()) return DebugRole::Asleep;
    switch (body.type()) {
        case BodyType::Static: return DebugRole::Static;
        case BodyType::Kinematic: return DebugRole::Kinematic;
        case BodyType::Dynamic: break;
    }
    return DebugRole::Dynamic;
}

void draw_collider(const ConstColliderRef& collider, const ConstBodyRef& body, DebugSink auto& sink,
                   const DebugView& view) {
    const Shape shape = translate(collider.shape(), body.position());
    const bool is_drawn = view.shapes && !collider.is_terrain();
    if (is_drawn) sink.shape(shape, role_of(body, collider.def().is_sensor));
    if (view.bounds) sink.shape(collider.bounds(), DebugRole::Bounds);
    const bool is_first = collider.id() == first_collider(body.id());
    if (view.velocities && is_first && body.velocity() != Vec2{}) {
        sink.segment(body.position(), body.position() + body.velocity() * view.seconds,
                     DebugRole::Velocity);
    }
    if (view.names && is_first) {
        char name[16];
        std::snprintf(name, sizeof name, "%u", body.id().index);
        sink.text(body.position(), name, DebugRole::Name);
    }
}

void draw_terrain(const World& world, DebugSink auto& sink, const DebugView& view) {
    world.for_each_surface(view.terrain, [&](const Surface& surface) {
        if (!surface.is_face()) return;
        const auto [from, to] = surface.segment();
        if (from != to) sink.segment(from, to, role_of(world.body(surface.body), false));
    });
}

void draw_edges(const Polygon& polygon, DebugSink auto& sink, const DebugView&) {
    const std::size_t edges = polygon.size() > 2 ? polygon.size() : 1;  // a segment has one edge
    for (std::size_t i = 0; i < edges; ++i) {
        const auto [from, to] = polygon.edge(i);
        sink.segment(from, to, DebugRole::Sensor);
    }
}
void draw_edges(const HalfSpace& half_space, DebugSink auto& sink, const DebugView& view) {
    const Vec2 middle = center(view.terrain);
    const Vec2 reach = half_extents(view.terrain);
    const Vec2 nearest = middle - half_space.normal * signed_distance(half_space, middle);
    const Vec2 along = perpendicular(half_space.normal) * (reach.x + reach.y);
    sink.segment(nearest - along, nearest + along, DebugRole::Sensor);
}

void draw_contact(const World& world, const WorldContact& contact, DebugSink auto& sink,
                  const DebugView& view) {
    const auto [normal, penetration, point] = contact.manifold;
    if (view.contacts) {
        sink.point(point, DebugRole::Contact);
        sink.segment(point, point + normal * view.normal_length, DebugRole::Normal);
        const Vec2 impulse =
            normal * contact.normal_impulse + perpendicular(normal) * contact.tangent_impulse;
        const bool shows = view.metres_per_newton_second > 0.0f && impulse != Vec2{};
        if (shows) {
            sink.segment(point, point + impulse * view.metres_per_newton_second,
                         DebugRole::Impulse);
        }
    }
    const bool in_island =
        world.body(contact.a).inverse_mass() > 0.0f && world.body(contact.b).inverse_mass() > 0.0f;
    if (view.islands && in_island) {
        sink.segment(world.body(contact.a).position(), world.body(contact.b).position(),
                     DebugRole::Island);
    }
}

}  // namespace detail

/// Draws what `view` selects: colliders in the order of the indices of their ids, the surfaces of
/// terrain as segments (of sensors the edges), then contacts in solving order.
template <DebugSink Sink>
void debug_draw(const World& world, Sink&& sink, const DebugView& view = {}) {
    world.for_each_collider([&](ColliderId id) {
        const ConstColliderRef collider = world.collider(id);
        const ConstBodyRef body = world.body(collider.body());
        if (!body.is_enabled()) return;
        detail::draw_collider(collider, body, sink, view);
        const bool has_no_surface = collider.is_terrain() && collider.def().is_sensor;
        if (!view.shapes || !has_no_surface) return;
        collider.for_each_piece(view.terrain,
                                [&](const auto& piece) { detail::draw_edges(piece, sink, view); });
    });
    if (view.shapes) detail::draw_terrain(world, sink, view);
    if (view.ranges) {
        world.for_each_range([&](const AABB& range) { sink.shape(range, DebugRole::Range); });
    }
    if (!view.contacts && !view.islands) return;
    world.for_each_contact(
        [&](const WorldContact& contact) { detail::draw_contact(world, contact, sink, view); });
}

/// Draws a ray up to its hit, and the normal there.
template <DebugSink Sink>
void debug_draw_ray(Vec2 origin, Vec2 way, const QueryHit& hit, Sink&& sink,
                    const DebugView& view = {}) {
    sink.segment(origin, hit ? hit.point : origin + way, DebugRole::Ray);
    if (!hit) return;
    sink.point(hit.point, DebugRole::Contact);
    sink.segment(hit.point, hit.point + hit.normal * view.normal_length, DebugRole::Normal);
}

}  // namespace phys2d::inline PHYS2D_ABI

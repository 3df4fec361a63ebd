// SPDX-License-Identifier: MIT
// phys2d: 2D impulse physics of bodies that never rotate. This header includes everything except
// character/probes.hpp, another kind of character, and world/debug_draw.hpp.
//
// FUNCTIONS, for your own loop: values in, values out, constexpr.
//   Vec2                                   dot cross length normalized lerp clamp reflect ...
//   AABB Circle Box Capsule RoundedBox     shapes; all convert to Shape
//   Segment Polygon HalfSpace              immovable shapes; Polygon is convex
//   convex_hull(points) -> Polygon         around points in any order
//   translate(a, position)  bounds(a)      area and is_valid, too
//   overlaps(a, b)  contains(a, point)     yes or no
//   ray_cast  shape_cast                   first hit of a moving point or shape
//   intersect(segment, polygon)            where it enters, or leaves from inside
//   collide(a, b) -> Manifold              normal (unit, from a to b), penetration, point; of
//                                          things apart, too: with Circle{0, p} that to a point
//   BodyState                              position, velocity, inverse mass, material
//   inverse_mass_of(mass_of(a, density))   of 0, the default, nothing is pushed and nothing falls
//   integrate_velocity  integrate_position  or integrate, for both
//   resolve_collision  resolve_friction  correct_positions
//
// WORLD, for everything done:
//   World world({.gravity = {0, -9.81f}});
//   BodyId id = world.create_body({.position = {0, 10}}, Circle{0.5f}, {.restitution = 0.6f});
//   world.step();                          one step of config().time_step
//   float alpha = world.advance(seconds);  the steps due in a frame; alpha is for drawing
//   world.body(id)                         BodyRef: position() velocity() apply_force() teleport()
//   world.destroy_body(id);                using the id afterwards is an error that names it
//   world.add_collider(id, shape)          ColliderId: bodies may have several, see collider(id)
//   world.create_body({.type = BodyType::Static}, Chain{points})
//                                          terrain: also Segment Polygon HalfSpace
//   world.tile_map(world.create_tile_map({.tile_size = 1}))
//                                          TileMapRef: define(id, kind) set(tile, id) load(text)
//   velocity = move(world, mover, velocity, dt)
//                                          a character
//   world.events().began                   also ended hits crushed sensor_began ...
//   world.ray_cast(origin, translation)    queries; shape_cast for_each_overlap nearest ...
//   world.positions()                      columns over all bodies, for renderers
//   world.for_each_contact(visit)          normal, penetration and impulse of each contact
//   world.state_hash()                     64 bits; if they differ, two machines have diverged
//   World saved = world;  world = saved;   save and roll back
//   world.save(bytes);  world.load(bytes)  for files, and for players who join
//
// UNITS are metres, kilograms and seconds, y up; WorldConfig::length_unit adapts them to pixels.
// DRAWING for debugging is in phys2d/world/debug_draw.hpp, PROBES for characters in loops of your
// own are in phys2d/character/probes.hpp.
// ERRORS are phys2d::Error with a sentence, or a handler without exceptions; a call that fails
// leaves the world as it was.
// MASS 0 is infinite. Boxes stay axis-aligned. The same calls give the same bits on every
// machine, see docs/conventions.md.
#pragma once

#include <phys2d/bodies/events.hpp>
#include <phys2d/character/mover.hpp>
#include <phys2d/collision/cast.hpp>
#include <phys2d/collision/cast_polygon.hpp>
#include <phys2d/collision/collide.hpp>
#include <phys2d/collision/collide_polygon.hpp>
#include <phys2d/collision/filter.hpp>
#include <phys2d/collision/intersect.hpp>
#include <phys2d/collision/manifold.hpp>
#include <phys2d/collision/one_way.hpp>
#include <phys2d/collision/overlap.hpp>
#include <phys2d/core/error.hpp>
#include <phys2d/core/ids.hpp>
#include <phys2d/core/version.hpp>
#include <phys2d/dynamics/body_state.hpp>
#include <phys2d/dynamics/impulse.hpp>
#include <phys2d/dynamics/mass.hpp>
#include <phys2d/dynamics/material.hpp>
#include <phys2d/dynamics/timed_impulse.hpp>
#include <phys2d/math/vec2.hpp>
#include <phys2d/shapes/aabb.hpp>
#include <phys2d/shapes/convex_hull.hpp>
#include <phys2d/shapes/half_space.hpp>
#include <phys2d/shapes/polygon.hpp>
#include <phys2d/shapes/segment.hpp>
#include <phys2d/shapes/shape.hpp>
#include <phys2d/stages/fixed_stepper.hpp>
#include <phys2d/stages/step_stats.hpp>
#include <phys2d/terrain/outline.hpp>
#include <phys2d/terrain/tile_grid.hpp>
#include <phys2d/terrain/tile_walk.hpp>
#include <phys2d/world/fields.hpp>
#include <phys2d/world/queries.hpp>
#include <phys2d/world/surface.hpp>
#include <phys2d/world/tile_map_ref.hpp>
#include <phys2d/world/world.hpp>

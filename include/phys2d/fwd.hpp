// SPDX-License-Identifier: MIT
// Forward declarations, for your own headers: all the names, none of the cost. Declarations of your own would miss the
// namespace that the types are in, and name other ones.
#pragma once

#include <phys2d/core/abi.hpp>

namespace phys2d {
class Error;
}

namespace phys2d::inline PHYS2D_ABI {

struct BodyId;
struct ColliderId;
template <class T>
class Span;

struct Vec2;
struct AABB;
struct Box;
struct Capsule;
struct Circle;
struct HalfSpace;
struct Polygon;
struct RoundedBox;
struct Segment;
struct Shape;
struct Manifold;
struct CastHit;
struct Filter;

struct Material;
struct BodyState;
struct PositionCorrection;
struct TimedImpulse;

struct BodyDef;
struct ColliderDef;
struct WorldConfig;
struct StepStats;
struct ContactEvent;
struct HitEvent;
struct CrushEvent;
struct SensorEvent;
struct Events;
struct Explosion;
struct QueryFilter;
struct QueryHit;
struct NearestBody;
struct TileCoord;
struct TileRect;
struct TileKindDef;
struct TileMapDef;
class FixedStepper;
class StateHash;
class Surface;

class BodyRef;
class ConstBodyRef;
class ColliderRef;
class ConstColliderRef;
class Outline;
class TileGrid;
class TileMapRef;
class ConstTileMapRef;
class World;
struct Chain;
struct GroundState;
struct Mover;
struct MoverContact;
struct WorldContact;

}  // namespace phys2d::inline PHYS2D_ABI

// SPDX-License-Identifier: MIT
// Forward declarations for your own headers: the public types at almost no cost. Use them instead
// of declarations of your own, which would miss the inline namespace and declare other types.
#pragma once

#include <cstdint>

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
struct SegmentHit;
enum class Axis : unsigned char;
enum class OneWay : std::uint8_t;

struct Material;
struct BodyState;
struct PositionCorrection;
struct TimedImpulse;

enum class BodyType : std::uint8_t;
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
struct MoverCrush;
struct MoverDrop;
struct MoverEffort;
struct WorldContact;

struct PlacedCharacter;
struct ProbeHit;
struct ProbeSet;
struct RepellingProbe;
struct SweptProbe;
class BoxProbes;

struct DebugView;
enum class DebugRole : std::uint8_t;

}  // namespace phys2d::inline PHYS2D_ABI

// SPDX-License-Identifier: MIT
// Forward declarations, for your own headers: all the names, none of the cost.
#pragma once

#include <phys2d/core/abi.hpp>

namespace phys2d {

class Error;
struct BodyId;
struct ColliderId;
template <class T>
class Span;

struct Vec2;
struct AABB;
struct Box;
struct Capsule;
struct Circle;
struct RoundedBox;
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
class FixedStepper;
class StateHash;

inline namespace PHYS2D_ABI {
class BodyRef;
class ConstBodyRef;
class ColliderRef;
class ConstColliderRef;
class World;
struct WorldContact;
}  // namespace PHYS2D_ABI

}  // namespace phys2d

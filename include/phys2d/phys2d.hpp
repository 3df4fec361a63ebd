// SPDX-License-Identifier: MIT
// phys2d: 2D impulse physics of things that do not spin.
#pragma once

#include <phys2d/collision/collide.hpp>
#include <phys2d/collision/manifold.hpp>
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
#include <phys2d/shapes/shape.hpp>
#include <phys2d/world/fixed_stepper.hpp>
#include <phys2d/world/step_stats.hpp>
#include <phys2d/world/world.hpp>

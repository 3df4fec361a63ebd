// SPDX-License-Identifier: MIT
// Does the library compile after headers that make macros of common words? Those of <windows.h>
// with NOMINMAX, and of Xlib and X.h, are defined here as there.
#define far
#define near
#define small char
#define hyper __int64
#define interface struct
#define IN
#define OUT
#define OPTIONAL
#define CONST const
#define DELETE 0x00010000L
#define ERROR 0
#define IGNORE 0
#define INFINITE 0xFFFFFFFF
#define OPAQUE 2
#define RELATIVE 2
#define TRANSPARENT 1
#define Above 0
#define Always 2
#define Below 1
#define Bool int
#define Complex 0
#define Convex 2
#define CurrentTime 0L
#define False 0
#define None 0L
#define Opposite 4
#define Status int
#define Success 0
#define True 1
#define Unsorted 0
#include <phys2d/fwd.hpp>
#include <phys2d/phys2d.hpp>

#include <phys2d/character/probes.hpp>
#include <phys2d/world/debug_draw.hpp>

// SPDX-License-Identifier: MIT
// Does the library link when more than one translation unit includes it? This file includes all of
// it, and so do tests beside it: a function that forgot its `inline` is a link error. The forward
// declarations come first, where a wrong one meets its definition; what phys2d.hpp leaves out comes
// last.
#include <phys2d/fwd.hpp>
#include <phys2d/phys2d.hpp>

#include <phys2d/character/probes.hpp>
#include <phys2d/world/debug_draw.hpp>

// SPDX-License-Identifier: MIT
// The step, the queries and the mover, compiled once.
//
// Every source file that steps a World compiles the whole engine, which takes seconds. In a program
// with many such files define PHYS2D_SEPARATE_STEP for all of them and compile this file with the
// same options; with CMake, link phys2d::separate_step instead of phys2d::phys2d. The results have
// the same bits.
#define PHYS2D_STEP_CPP
#include <phys2d/phys2d.hpp>

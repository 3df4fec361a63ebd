// SPDX-License-Identifier: MIT
// version: the version number of phys2d; CMake reads it from here. Semantic versioning: until 1.0 a
// minor release may change the API, a patch release may not.
#pragma once

#define PHYS2D_VERSION_MAJOR 0
#define PHYS2D_VERSION_MINOR 1
#define PHYS2D_VERSION_PATCH 0
#define PHYS2D_VERSION_STRING "0.1.0"

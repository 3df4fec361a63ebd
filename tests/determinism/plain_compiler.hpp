// SPDX-License-Identifier: MIT
// Included before all else, it makes phys2d take this compiler for one without the extensions of g++ and clang, so that
// the plain C++ that such compilers get is tested, too. What knows the compiler by itself comes first.
#pragma once

#include <atomic>
#include <bit>
#include <cmath>
#include <compare>
#include <concepts>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <functional>
#include <initializer_list>
#include <limits>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#undef __GNUC__

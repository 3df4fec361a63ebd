// SPDX-License-Identifier: MIT
// Which build of the engine is this translation unit compiling?
// The World and everything under it live in `phys2d::inline PHYS2D_ABI`, so that two translation units
// built for different vector units or error policies do not share (and mix up) its symbols.
//   PHYS2D_LANES  lanes of a SIMD batch: 8, 4 or 1; chosen from the target, may be defined by hand.
//                 Every width gives the same bits.
#pragma once

#if !defined(PHYS2D_LANES)
#if !defined(__GNUC__)
#define PHYS2D_LANES 1
#elif defined(__AVX__)
#define PHYS2D_LANES 8
#else
#define PHYS2D_LANES 4
#endif
#endif

#if PHYS2D_LANES != 1 && PHYS2D_LANES != 4 && PHYS2D_LANES != 8
#error "phys2d: PHYS2D_LANES must be 1, 4 or 8"
#endif

#if defined(__AVX512F__)
#define PHYS2D_ABI_ISA avx512
#elif defined(__AVX2__)
#define PHYS2D_ABI_ISA avx2
#elif defined(__AVX__)
#define PHYS2D_ABI_ISA avx
#elif defined(__SSE4_1__)
#define PHYS2D_ABI_ISA sse4
#else
#define PHYS2D_ABI_ISA base
#endif

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define PHYS2D_EXCEPTIONS 1
#define PHYS2D_ABI_ERRORS throws
#else
#define PHYS2D_EXCEPTIONS 0
#define PHYS2D_ABI_ERRORS aborts
#endif

#define PHYS2D_ABI_JOIN(isa, lanes, errors) abi_##isa##_lanes##lanes##_##errors
#define PHYS2D_ABI_NAME(isa, lanes, errors) PHYS2D_ABI_JOIN(isa, lanes, errors)
#define PHYS2D_ABI PHYS2D_ABI_NAME(PHYS2D_ABI_ISA, PHYS2D_LANES, PHYS2D_ABI_ERRORS)

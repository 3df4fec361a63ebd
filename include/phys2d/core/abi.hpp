// SPDX-License-Identifier: MIT
// abi: which build of the engine does this translation unit compile?
// Everything is in `phys2d::inline PHYS2D_ABI`, so that translation units built by different
// compilers (whose lambdas differ in layout), for different instruction sets, lanes or error
// policies do not share (and mix up) its symbols. Only shared things are outside: `Error`, which
// may be thrown by one and caught by another, and its handler.
//   PHYS2D_LANES  lanes of a SIMD batch: 8, 4 or 1; chosen from the target, may be defined by hand.
//                 Every width gives the same bits.
#pragma once

// Whether the compiler has what g++ and clang have in common: vectors, attributes, built-ins.
#if !defined(PHYS2D_GNU_EXTENSIONS)
#if defined(__GNUC__) || defined(__clang__)  // clang-cl is no __GNUC__
#define PHYS2D_GNU_EXTENSIONS 1
#else
#define PHYS2D_GNU_EXTENSIONS 0
#endif
#endif

// Others warn of attributes that they do not know.
#if PHYS2D_GNU_EXTENSIONS
#define PHYS2D_NOINLINE [[gnu::noinline]]
#else
#define PHYS2D_NOINLINE
#endif

#if !defined(PHYS2D_LANES)
#if !PHYS2D_GNU_EXTENSIONS || (defined(__wasm__) && !defined(__wasm_simd128__))
#define PHYS2D_LANES 1
#elif defined(__AVX__)
#define PHYS2D_LANES 8
#else
#define PHYS2D_LANES 4
#endif
#endif

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 12
#error "phys2d: g++ 12 or newer is needed, or clang"
#endif

#if defined(_MSC_VER) && (defined(min) || defined(max))
#error "phys2d: define NOMINMAX before <windows.h>, whose macros min and max break names of others"
#endif

#if PHYS2D_LANES != 1 && PHYS2D_LANES != 4 && PHYS2D_LANES != 8
#error "phys2d: PHYS2D_LANES must be 1, 4 or 8"
#endif

#if defined(__clang__)
#define PHYS2D_ABI_COMPILER _clang
#elif defined(__GNUC__)
#define PHYS2D_ABI_COMPILER _gcc
#else
#define PHYS2D_ABI_COMPILER
#endif

#if defined(__AVX512VBMI2__)
#define PHYS2D_ABI_VECTORS _avx512vbmi2
#elif defined(__AVX512DQ__) && defined(__AVX512VL__)
#define PHYS2D_ABI_VECTORS _avx512
#elif defined(__AVX512F__)
#define PHYS2D_ABI_VECTORS _avx512f
#elif defined(__AVX2__)
#define PHYS2D_ABI_VECTORS _avx2
#elif defined(__AVX__)
#define PHYS2D_ABI_VECTORS _avx
#elif defined(__SSE4_2__)
#define PHYS2D_ABI_VECTORS _sse42
#elif defined(__SSE4_1__)
#define PHYS2D_ABI_VECTORS _sse41
#else
#define PHYS2D_ABI_VECTORS _base
#endif

#if defined(__FMA__)
#define PHYS2D_ABI_FMA _fma
#else
#define PHYS2D_ABI_FMA
#endif

#if defined(__BMI2__)
#define PHYS2D_ABI_BITS _bmi2
#elif defined(__BMI__)
#define PHYS2D_ABI_BITS _bmi
#else
#define PHYS2D_ABI_BITS
#endif

#if defined(__LZCNT__)
#define PHYS2D_ABI_ZEROS _lzcnt
#else
#define PHYS2D_ABI_ZEROS
#endif

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define PHYS2D_EXCEPTIONS 1
#define PHYS2D_ABI_ERRORS _throws
#else
#define PHYS2D_EXCEPTIONS 0
#define PHYS2D_ABI_ERRORS _aborts
#endif

#define PHYS2D_ABI_JOIN(compiler, vectors, fma, bits, zeros, lanes, errors) \
    abi##compiler##vectors##fma##bits##zeros##_lanes##lanes##errors
#define PHYS2D_ABI_NAME(compiler, vectors, fma, bits, zeros, lanes, errors) \
    PHYS2D_ABI_JOIN(compiler, vectors, fma, bits, zeros, lanes, errors)
#define PHYS2D_ABI                                                                            \
    PHYS2D_ABI_NAME(PHYS2D_ABI_COMPILER, PHYS2D_ABI_VECTORS, PHYS2D_ABI_FMA, PHYS2D_ABI_BITS, \
                    PHYS2D_ABI_ZEROS, PHYS2D_LANES, PHYS2D_ABI_ERRORS)

// An instance of a function template that PHYS2D_SEPARATE_STEP compiles in phys2d/step.cpp alone.
#if defined(PHYS2D_STEP_CPP)
#define PHYS2D_COMPILED_ONCE(...) template __VA_ARGS__
#elif defined(PHYS2D_SEPARATE_STEP)
#define PHYS2D_COMPILED_ONCE(...) extern template __VA_ARGS__
#else
#define PHYS2D_COMPILED_ONCE(...) static_assert(true)
#endif

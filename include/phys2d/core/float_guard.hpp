// SPDX-License-Identifier: MIT
// float_guard: how does a header keep a*b+c from becoming one fused, differently rounded operation?
// Compilers may contract a product and a sum into an FMA if the target has one, which makes two
// builds of the same game differ in the last bit and, a second later, everywhere. Therefore every
// rounded product of the engine is computed in `mul`, also those of Vec2, or in `operator*` of
// Lanes. Each of these uses
//   PHYS2D_NO_CONTRACT     as the first statement of the function; clang's switch, which
//                          survives inlining
//   PHYS2D_ROUND(product), PHYS2D_ROUND_LANES(product)
//                          right before the return; g++'s barrier: on targets with FMA an empty
//                          asm, which costs nothing. (__builtin_assoc_barrier is a copy for the
//                          auto-vectoriser, which then fuses after all, and with AVX-512 splits
//                          vectors: a step takes twice as long.)
#pragma once

#include <type_traits>

#include <phys2d/core/abi.hpp>

// Macros that reveal -ffast-math and its parts: all of them under g++, only -ffinite-math-only
// under clang; and /fp:fast.
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    defined(__NO_SIGNED_ZEROS__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(_M_FP_FAST)
#if !defined(PHYS2D_ALLOW_FAST_MATH)
#error "phys2d: fast math breaks determinism and NaN checks; define PHYS2D_ALLOW_FAST_MATH to try"
#endif
#endif

// Without SSE2, clang tells how it computes floats, but computes doubles with more bits.
#if (defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0) || \
    (defined(__i386__) && !defined(__SSE2__))
#error "phys2d: floats must be computed as floats; on 32-bit x86 add -msse2 -mfpmath=sse"
#endif

#if defined(__clang__)
#define PHYS2D_NO_CONTRACT _Pragma("clang fp contract(off)")
#else
#define PHYS2D_NO_CONTRACT
#endif

#if !defined(__GNUC__) || defined(__clang__)
#define PHYS2D_ROUND(product)
#elif defined(__AVX512F__)
#define PHYS2D_ROUND(product) asm("" : "+v"(product));
#elif defined(__FMA__) || defined(__FMA4__)
#define PHYS2D_ROUND(product) asm("" : "+x"(product));
#elif defined(__aarch64__)
#define PHYS2D_ROUND(product) asm("" : "+w"(product));
#define PHYS2D_ROUND_LANES(product) product = __builtin_assoc_barrier(product);
#elif !defined(__x86_64__) && !defined(__i386__) && __GNUC__ >= 12
#define PHYS2D_ROUND(product) product = __builtin_assoc_barrier(product);
#else
#define PHYS2D_ROUND(product)
#endif
#if !defined(PHYS2D_ROUND_LANES)  // vectors may be wider than a register
#define PHYS2D_ROUND_LANES(product) PHYS2D_ROUND(product)
#endif

namespace phys2d::inline PHYS2D_ABI::detail {

/// The product, never combined with the next operation.
template <class Scalar>
[[nodiscard]] constexpr Scalar rounded(Scalar product) {
    if (!std::is_constant_evaluated()) {
        PHYS2D_ROUND(product)
    }
    return product;
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

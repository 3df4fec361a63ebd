// SPDX-License-Identifier: MIT
// How does a header keep a*b+c from becoming one fused, differently rounded operation?
// Compilers may contract a product and a sum into an FMA where the target has one, which makes two
// builds of the same game disagree in the last bit and, a second later, everywhere. Therefore every
// product of the engine is made in one of three places (`mul`, through which Vec2 goes too, and
// `operator*` of Lanes), and each of them uses:
//   PHYS2D_NO_CONTRACT      first statement of the function; clang's switch, which survives inlining
//   PHYS2D_ROUND_LANES(ab)  g++'s barrier for vectors, free at run time
//   rounded(ab)             g++'s barrier for scalars. (__builtin_assoc_barrier would do, but for the
//                           auto-vectoriser, which takes it for a copy; so an empty asm on targets
//                           with FMA. Hot loops are written in lanes and lose nothing.)
#pragma once

#include <type_traits>

#if defined(__FAST_MATH__) && !defined(PHYS2D_ALLOW_FAST_MATH)
#error "phys2d: -ffast-math breaks determinism and NaN checks; define PHYS2D_ALLOW_FAST_MATH to try"
#endif

#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#error "phys2d: floats must be computed as floats; on 32-bit x86 add -msse2 -mfpmath=sse"
#endif

#if defined(__clang__)
#define PHYS2D_NO_CONTRACT _Pragma("clang fp contract(off)")
#define PHYS2D_ROUND_LANES(product) (product)
#elif defined(__GNUC__) && __GNUC__ >= 12
#define PHYS2D_NO_CONTRACT
#define PHYS2D_ROUND_LANES(product) __builtin_assoc_barrier(product)
#else
#define PHYS2D_NO_CONTRACT
#define PHYS2D_ROUND_LANES(product) (product)
#endif

namespace phys2d::detail {

/// The product, not to be combined with what is done to it next.
template <class Scalar>
[[nodiscard]] constexpr Scalar rounded(Scalar product) {
#if defined(__GNUC__) && !defined(__clang__)
    if (!std::is_constant_evaluated()) {
#if defined(__FMA__) || defined(__FMA4__) || defined(__AVX512F__)
        asm("" : "+x"(product));
#elif defined(__aarch64__)
        asm("" : "+w"(product));
#elif !defined(__x86_64__) && !defined(__i386__) && __GNUC__ >= 12
        product = __builtin_assoc_barrier(product);
#endif
    }
#endif
    return product;
}

}  // namespace phys2d::detail

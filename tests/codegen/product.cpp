// SPDX-License-Identifier: MIT
// For check_product.cmake, which reads what this is compiled to.
#include <phys2d/math/lanes.hpp>

extern "C" void add_product(const float* a, const float* b, float* sum) {
    using Real = phys2d::detail::simd::Lanes<8>;
    (Real::load(sum) + Real::load(a) * Real::load(b)).store(sum);
}

// SPDX-License-Identifier: MIT
// The one formula: how far apart are two rounded boxes, and along which normal?
//
// The Minkowski sum of two rounded boxes is a rounded box: half extents h = h_a + h_b, radius
// r = r_a + r_b. With d = center_b - center_a and q = |d| - h the cores are apart by max(q, 0), or
// overlap by max(q.x, q.y) < 0 along the axis of least penetration
// [Quilez, "2D distance functions"]:
//   separation = |max(q, 0)| + min(max(q.x, q.y), 0) - r
//   normal     = max(q, 0) / |max(q, 0)|, or that axis when the cores touch; signed by d
// The length is computed from the ratio of the shorter to the longer component, so that nothing is
// squared that could overflow or vanish, and the axis case falls out of the same expression.
//
// Ties have a fixed outcome: equal q takes the y axis, a zero component of d counts as positive. So
// coincident centres give the normal (0, 1), or (1, 0) if the overlap is smaller along x.
#pragma once

#include <phys2d/math/lanes.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

template <int Width>
struct Separation {
    simd::Lanes<Width> distance;  // negative when the shapes overlap
    simd::Columns2<Width> normal;
};

/// d: from a to b; h: sum of the half extents; r: sum of the radii.
template <int Width>
PHYS2D_INLINE constexpr Separation<Width> separate(simd::Columns2<Width> d, simd::Columns2<Width> h,
                                                   simd::Lanes<Width> r) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const Real one = Real::fill(1.0f);
    const simd::Columns2<Width> q = abs(d) - h;

    const auto x_leads = q.y < q.x;
    const Real leading = select(x_leads, q.x, q.y);
    const Real longer = max(leading, zero);
    const Real shorter = max(select(x_leads, q.y, q.x), zero);
    const Real ratio = shorter / select(zero < longer, longer, one);
    const Real stretch = sqrt(one + ratio * ratio);
    const Real along = one / stretch;
    const Real across = ratio / stretch;
    return {
        longer * stretch + min(leading, zero) - r,
        {select(x_leads, along, across) * sign(d.x), select(x_leads, across, along) * sign(d.y)}};
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

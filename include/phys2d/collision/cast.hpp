// SPDX-License-Identifier: MIT
// cast: when does a ray or a moving shape hit a shape?
//
// Nothing rotates, so a shape that moves past another is a point that moves past their Minkowski
// sum, a rounded box of half extents h and radius r; a ray is the path of a point. Mirrored so
// that the translation d is >= 0, the point o enters the outer box when it has entered both its
// slabs, at
//   t = max((-(h + r) - o) / d)                                           [Ericson2005 §5.3.3]
// There it either meets a face or is in front of a corner: a circle of radius r around m, which it
// meets, with u = d/|d|, after m·u - sqrt(r² - cross(u, m)²). Both are exact. Only lengths as small
// as the shapes are squared, so the translation may be of any length.
//
// Normals are those of the surface that is hit, against the motion.
// What is at NaN hits nothing, nor does what moves by NaN, but for rays that start inside: `max`
// and `min` have their arguments in the order that keeps it. Pre, for all functions: no infinite
// numbers; sizes as in collision/collide.hpp.
#pragma once

#include <phys2d/collision/collide.hpp>
#include <phys2d/collision/overlap.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// The result of a cast.
struct CastHit {
    static constexpr float nothing = 2.0f;

    float fraction = nothing;  ///< of the translation, in [0, 1]; `nothing` if there is no hit
    Vec2 normal{};             ///< unit vector out of the shape that is hit
    Vec2 point{};              ///< point of contact [m, world]

    /// True for a hit: `if (const CastHit hit = ray_cast(...)) ...`
    constexpr explicit operator bool() const { return fraction <= 1.0f; }
};

namespace detail {

/// Whether a motion along a side of a box, without approaching it, hits.
enum class Grazing : bool { Misses, Hits };

template <int Width>
struct PointCast {
    simd::Lanes<Width> fraction;  ///< of the translation
    simd::Columns2<Width> normal;
    simd::LaneMask<Width> hits;
};

/// A translation, prepared for all casts along it.
template <int Width>
struct CastWay {
    using Real = simd::Lanes<Width>;
    simd::Columns2<Width> d;
    simd::Columns2<Width> ahead;  // mirrored to be positive, and never quite 0
    Real longer, stretch;         // the length is their product
    simd::Columns2<Width> u;      // the direction, mirrored

    PHYS2D_INLINE constexpr explicit CastWay(simd::Columns2<Width> way) : d(way) {
        const Real least = Real::fill(1e-30f);
        ahead = {max(least, abs(d.x)), max(least, abs(d.y))};
        longer = max(ahead.x, ahead.y);
        const simd::Columns2<Width> v = ahead / longer;
        stretch = sqrt(dot(v, v));
        u = v / stretch;
    }
};

/// One axis of a cast, mirrored so that the point does not move backwards.
template <int Width, Grazing Graze>
struct CastAxis {
    using Real = simd::Lanes<Width>;
    Real mirror, from, way, enter, leave;

    PHYS2D_INLINE constexpr CastAxis(Real o, Real d, Real ahead, Real outer) : way(ahead) {
        const Real zero = Real::fill(0.0f);
        const Real still = Graze == Grazing::Hits ? -o : o;
        mirror = sign(select(zero < abs(d), d, still));
        from = o * mirror;
        enter = (-outer - from) / way;
        leave = (outer - from) / way;
        if constexpr (Graze == Grazing::Hits) {  // also flat boxes in line with the motion
            const auto stays_within = (abs(d) <= zero) & (abs(from) <= outer);
            leave = select(stays_within, Real::fill(1e30f), leave);
        }
    }
};

/// A point at o moves past a rounded box (h, r) at the origin. A point inside hits at fraction 0 if
/// it is nearer to the entry than to the exit of its line.
template <int Width, Grazing Graze>
PHYS2D_INLINE constexpr PointCast<Width> cast_point(simd::Columns2<Width> o,
                                                    const CastWay<Width>& way,
                                                    simd::Columns2<Width> h, simd::Lanes<Width> r) {
    using Real = simd::Lanes<Width>;
    const Real zero = Real::fill(0.0f);
    const Real one = Real::fill(1.0f);
    const CastAxis<Width, Graze> x(o.x, way.d.x, way.ahead.x, h.x + r);
    const CastAxis<Width, Graze> y(o.y, way.d.y, way.ahead.y, h.y + r);
    const auto x_leads = y.enter < x.enter;
    const Real enter = select(x_leads, x.enter, y.enter);
    const Real leave = min(y.leave, x.leave);
    const Real first = max(enter, zero);
    const auto is_in_both =
        Graze == Grazing::Hits ? enter <= leave : (x.enter < y.leave) & (y.enter < x.leave);
    const auto meets_box = is_in_both & (zero <= leave) & (enter <= one);
    if (!any(meets_box)) return {one, {zero, zero}, meets_box};

    const simd::Columns2<Width> p{
        select(x_leads & (zero < enter), -(h.x + r), x.from + x.way * first),
        select(x_leads, y.from + y.way * first,
               select(zero < enter, -(h.y + r), y.from + y.way * first))};
    const simd::Columns2<Width> m{min(max(p.x, -h.x), h.x) - p.x, min(max(p.y, -h.y), h.y) - p.y};
    const auto at_corner = meets_box & (zero < abs(m.x)) & (zero < abs(m.y)) & (zero < r);

    const simd::Columns2<Width> face{select(x_leads, -one, zero), select(x_leads, zero, -one)};
    if (!any(at_corner)) {
        return {first,
                {face.x * x.mirror, face.y * y.mirror},
                meets_box & (zero <= leave + enter) & (first <= one)};
    }

    const Real aside = cross(way.u, m);
    const Real depth_sq = r * r - aside * aside;
    const Real ahead = dot(m, way.u);
    const Real further = max(ahead - sqrt(max(depth_sq, zero)), zero);
    const Real per_r = one / select(zero < r, r, one);
    const auto normal = select(at_corner, (way.u * further - m) * per_r, face);
    const Real fraction = first + select(at_corner, further, zero) / (way.longer * way.stretch);
    // Rounding may put a start at a face inside; it counts as a hit if it is nearer to the entry.
    const Real reaches = select(at_corner, min(depth_sq, ahead), leave + enter);
    return {fraction,
            {normal.x * x.mirror, normal.y * y.mirror},
            meets_box & (zero <= reaches) & (fraction <= one)};
}

/// Closest approach of a fixed point to a moving one; `offset`: from the moving to the fixed point.
template <int Width>
struct ClosestPass {
    using Real = simd::Lanes<Width>;
    Real distance;
    simd::Columns2<Width> normal;  ///< towards the fixed point; 0 if they meet

    PHYS2D_INLINE constexpr ClosestPass(simd::Columns2<Width> offset, simd::Columns2<Width> way) {
        const Real least = Real::fill(1e-30f);
        const Real fraction = max(dot(offset, way) / max(dot(way, way), least), Real::fill(0.0f));
        const simd::Columns2<Width> away = offset - way * fraction;
        distance = sqrt(dot(away, away));
        normal = away * (Real::fill(1.0f) / max(distance, least));
    }
};

/// A unit vector to within rounding, also where a small radius at the end of a long side has made
/// it less exact.
[[nodiscard]] constexpr Vec2 renormalized(Vec2 normal) {
    constexpr float rounding = 1e-6f;
    return abs(dot(normal, normal) - 1.0f) <= rounding ? normal : normalized(normal);
}

/// The normal of what is met in line with an axis, to the bit: a way along an axis, which is never
/// quite 0 across it, leaves a trace there.
[[nodiscard]] constexpr Vec2 untilted(Vec2 normal) {
    constexpr float trace = 1e-20f;  // far more than that, and no angle
    if (abs(normal.x) < trace) return {0.0f, sign(normal.y)};
    if (abs(normal.y) < trace) return {sign(normal.x), 0.0f};
    return normal;
}

/// Whether a motion leads into a surface with this normal. One that was slid along a slanted
/// surface is off by the rounding of its products with the normal, and does not.
[[nodiscard]] constexpr bool leads_into(Vec2 way, Vec2 normal) {
    constexpr float rounding = 5e-7f;
    return -dot(way, normal) > mul(rounding, dot(abs(way), abs(normal)));
}

/// Whether a motion deepens the overlap of two shapes, where collide(other, moving) has this
/// normal. Out of a corner, where it is as far along both axes, either axis leads; out of the
/// middle, either way along the normal.
[[nodiscard]] constexpr bool deepens(const Shape& moving, Vec2 way, const Shape& other,
                                     Vec2 normal) {
    if (!leads_into(way, normal)) return false;
    const Vec2 between = moving.center - other.center;
    const Vec2 over = abs(between) - (moving.half_extents + other.half_extents);
    if (over.x != over.y || over.x > 0.0f) return dot(between, normal) > 0.0f;
    return mul(way.x, between.x) < 0.0f && mul(way.y, between.y) < 0.0f;
}

/// Casts a shape against another; either may be a point.
template <Grazing Graze>
[[nodiscard]] constexpr CastHit cast(const Shape& moving, Vec2 way, const Shape& other) {
    const PointCast<1> found = cast_point<1, Graze>(
        simd::in_lane(moving.center - other.center), CastWay<1>(simd::in_lane(way)),
        simd::in_lane(moving.half_extents + other.half_extents),
        simd::Lanes<1>{moving.radius + other.radius});
    if (!found.hits.set) return {};
    const Vec2 normal = untilted(renormalized({found.normal.x.value, found.normal.y.value}));
    const Shape there = translate(moving, way * found.fraction.value);
    return {found.fraction.value, normal, contact_point(there, other, -normal, 0.0f)};
}

}  // namespace detail

/// The first hit of a ray from `origin` to `origin + translation` with a shape. A ray that starts
/// inside hits at fraction 0, with the normal of the shortest way out. A ray along a face hits it:
/// shapes are closed. One of length zero hits what contains it.
[[nodiscard]] constexpr CastHit ray_cast(Vec2 origin, Vec2 translation, const Shape& shape) {
    const Shape point = Circle{0.0f, origin};
    if (contains(shape, origin)) return {0.0f, collide(shape, point).normal, origin};
    return detail::cast<detail::Grazing::Hits>(point, translation, shape);
}

/// The first hit of a shape that moves by `translation` with another one at rest; if both move,
/// pass the difference. Motion along the surface, to rounding, or away from it does not hit, even
/// if the two overlap at the start; motion that deepens an overlap hits at fraction 0. A
/// translation of zero hits nothing.
/// To slide: move by `fraction`, and by a millimetre along `normal`; take v - normal * dot(v,
/// normal) for the velocity v, and cast the rest. Without that distance, rounding of positions
/// lets the next piece of a floor catch what slides onto it from the one before.
[[nodiscard]] constexpr CastHit shape_cast(const Shape& moving, Vec2 translation,
                                           const Shape& other) {
    using detail::Grazing;
    if (!overlaps(other, moving)) return detail::cast<Grazing::Misses>(moving, translation, other);
    const Manifold start = collide(other, moving);
    if (!detail::deepens(moving, translation, other, start.normal)) return {};
    return {0.0f, start.normal, start.point};
}

}  // namespace phys2d::inline PHYS2D_ABI

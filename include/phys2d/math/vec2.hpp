// SPDX-License-Identifier: MIT
// Vec2: a point, a displacement, a velocity or an impulse in the plane, and the usual operations.
// Everything is constexpr and rounds the same way everywhere: sums of products (`dot`, `cross`,
// `v * s + w`) are never fused.
#pragma once

#include <phys2d/math/scalar.hpp>

namespace phys2d::inline PHYS2D_ABI {

/// Two floats. x grows to the right, y upwards; docs/conventions.md, axes, has what to do
/// if yours grows downwards.
struct Vec2 {
    float x = 0.0f;
    float y = 0.0f;

    // Not for values that are about to go: `body.velocity() += change` would change nothing.
    constexpr Vec2& operator+=(Vec2 other) &;
    constexpr Vec2& operator-=(Vec2 other) &;
    constexpr Vec2& operator*=(float factor) &;
    constexpr Vec2& operator/=(float divisor) &;

    friend constexpr bool operator==(Vec2 a, Vec2 b) = default;
};

[[nodiscard]] constexpr Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
[[nodiscard]] constexpr Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
[[nodiscard]] constexpr Vec2 operator-(Vec2 v) { return {-v.x, -v.y}; }
[[nodiscard]] constexpr Vec2 operator*(Vec2 v, float factor) {
    return {mul(v.x, factor), mul(v.y, factor)};
}
[[nodiscard]] constexpr Vec2 operator*(float factor, Vec2 v) { return v * factor; }

/// Component-wise product.
[[nodiscard]] constexpr Vec2 operator*(Vec2 a, Vec2 b) { return {mul(a.x, b.x), mul(a.y, b.y)}; }
[[nodiscard]] constexpr Vec2 operator/(Vec2 v, float divisor) {
    return {v.x / divisor, v.y / divisor};
}

constexpr Vec2& Vec2::operator+=(Vec2 other) & { return *this = *this + other; }
constexpr Vec2& Vec2::operator-=(Vec2 other) & { return *this = *this - other; }
constexpr Vec2& Vec2::operator*=(float factor) & { return *this = *this * factor; }
constexpr Vec2& Vec2::operator/=(float divisor) & { return *this = *this / divisor; }

[[nodiscard]] constexpr float dot(Vec2 a, Vec2 b) { return mul(a.x, b.x) + mul(a.y, b.y); }

/// z of the cross product: positive when b is counter-clockwise of a.
[[nodiscard]] constexpr float cross(Vec2 a, Vec2 b) { return mul(a.x, b.y) - mul(a.y, b.x); }

/// v rotated by 90 degrees, counter-clockwise.
[[nodiscard]] constexpr Vec2 perpendicular(Vec2 v) { return {-v.y, v.x}; }

[[nodiscard]] constexpr float length_sq(Vec2 v) { return dot(v, v); }

/// Length, computed without squaring v: it is infinite only where no float is as large. NaN if a
/// component is.
[[nodiscard]] constexpr float length(Vec2 v) {
    const float longer = max(abs(v.x), abs(v.y));
    const float shorter = min(abs(v.y), abs(v.x));  // NaN where `longer` has passed it over
    if (longer == 0.0f) return shorter;
    return mul(longer, sqrt(1.0f + square(shorter / longer)));
}

[[nodiscard]] constexpr float distance_sq(Vec2 a, Vec2 b) { return length_sq(b - a); }
[[nodiscard]] constexpr float distance(Vec2 a, Vec2 b) { return length(b - a); }

/// v scaled to length 1, or `fallback` for the zero vector. Pre: v is finite.
[[nodiscard]] constexpr Vec2 normalized_or(Vec2 v, Vec2 fallback) {
    const float longer = max(abs(v.x), abs(v.y));
    if (longer == 0.0f) return fallback;
    const Vec2 scaled = v / longer;
    return scaled / sqrt(length_sq(scaled));
}

/// v scaled to length 1; the zero vector stays zero.
[[nodiscard]] constexpr Vec2 normalized(Vec2 v) { return normalized_or(v, {}); }

[[nodiscard]] constexpr Vec2 min(Vec2 a, Vec2 b) { return {min(a.x, b.x), min(a.y, b.y)}; }
[[nodiscard]] constexpr Vec2 max(Vec2 a, Vec2 b) { return {max(a.x, b.x), max(a.y, b.y)}; }
[[nodiscard]] constexpr Vec2 abs(Vec2 v) { return {abs(v.x), abs(v.y)}; }

/// Component-wise clamp; `low` where v is NaN. Pre: low <= high in both.
[[nodiscard]] constexpr Vec2 clamp(Vec2 v, Vec2 low, Vec2 high) { return min(max(v, low), high); }

/// v shortened to at most `longest`, to rounding; zero if it is longer than any float.
/// Pre: longest >= 0.
[[nodiscard]] constexpr Vec2 clamp_length(Vec2 v, float longest) {
    const float current = length(v);
    return current > longest ? v * (longest / current) : v;
}

/// a at t = 0 and b at t = 1, both exactly. Pre: b - a is finite.
[[nodiscard]] constexpr Vec2 lerp(Vec2 a, Vec2 b, float t) {
    return {lerp(a.x, b.x, t), lerp(a.y, b.y, t)};
}

/// v reflected at a surface. Pre: `normal` is a unit vector.
[[nodiscard]] constexpr Vec2 reflect(Vec2 v, Vec2 normal) {
    return v - normal * (2.0f * dot(v, normal));
}

/// The part of v along `onto`; zero if `onto` is zero.
[[nodiscard]] constexpr Vec2 project(Vec2 v, Vec2 onto) {
    const Vec2 direction = normalized(onto);
    return direction * dot(v, direction);
}

/// `from` moved towards `to` by at most `step`, never past it.
/// Pre: step >= 0; to - from is finite.
[[nodiscard]] constexpr Vec2 move_towards(Vec2 from, Vec2 to, float step) {
    const Vec2 way = to - from;
    const float rest = length(way);
    return rest <= step ? to : from + way * (step / rest);
}

/// v rotated counter-clockwise by the angle with the given cosine and sine.
[[nodiscard]] constexpr Vec2 rotate(Vec2 v, float cosine, float sine) {
    return {mul(v.x, cosine) - mul(v.y, sine), mul(v.x, sine) + mul(v.y, cosine)};
}

[[nodiscard]] constexpr bool is_finite(Vec2 v) { return is_finite(v.x) && is_finite(v.y); }

namespace detail {

/// v without its component into a plane. Pre: `normal`, out of the plane, is a unit vector.
[[nodiscard]] constexpr Vec2 stopped_by(Vec2 normal, Vec2 v) {
    return v - normal * min(dot(v, normal), 0.0f);
}

}  // namespace detail

}  // namespace phys2d::inline PHYS2D_ABI

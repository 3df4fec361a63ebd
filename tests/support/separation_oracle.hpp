// SPDX-License-Identifier: MIT
// How far are two shapes apart, and along which normal? By brute force, in double.
// B is shrunk to its centre while A grows to the Minkowski sum; then the sides of that rectangle
// are walked one after the other as plain segments, and a cross product with each side tells inside
// from outside. Nothing of the engine's formula is used: no |d| - h, no clamped box, no signs.
#pragma once

#include <cmath>

#include <phys2d/collision/manifold.hpp>
#include <phys2d/shapes/shape.hpp>

namespace test {

/// A rounded box in double.
struct Rounded {
    double x, y, half_width, half_height, radius;
};

inline Rounded exact(const phys2d::Circle& circle) {
    return {circle.center.x, circle.center.y, 0.0, 0.0, circle.radius};
}

inline Rounded exact(const phys2d::AABB& box) {
    const double min_x = box.min.x, min_y = box.min.y, max_x = box.max.x, max_y = box.max.y;
    const double half_width = (max_x - min_x) / 2, half_height = (max_y - min_y) / 2;
    return {(min_x + max_x) / 2, (min_y + max_y) / 2, half_width, half_height, 0.0};
}

inline Rounded exact(const phys2d::Shape& shape) {
    return {shape.center.x, shape.center.y, shape.half_extents.x, shape.half_extents.y,
            shape.radius};
}

inline Rounded exact(phys2d::Vec2 point) { return {point.x, point.y, 0.0, 0.0, 0.0}; }

/// The largest error [m] of a separation computed in float from shapes of `random_shapes.hpp`:
/// a dozen roundings of numbers below 8, each at most 2^-22.
constexpr double rounding = 12 * 0x1p-22;

struct Truth {
    double separation;          ///< > 0 apart, < 0 overlapping
    double normal_x, normal_y;  ///< from A to B; without meaning when `clarity` is 0
    double clarity;  ///< how far the core is from a place where the normal turns or jumps [m]
};

/// The point (x, y) against the rectangle around the origin, rounded by a radius.
inline Truth separate_point(double x, double y, double half_width, double half_height,
                            double radius) {
    const double corner_x[] = {half_width, half_width, -half_width, -half_width, half_width};
    const double corner_y[] = {-half_height, half_height, half_height, -half_height, -half_height};
    bool inside = true;
    double nearest = HUGE_VAL, second = HUGE_VAL, nearest_x = 0.0, nearest_y = 0.0;
    for (int side = 0; side < 4; ++side) {
        const double side_x = corner_x[side + 1] - corner_x[side];
        const double side_y = corner_y[side + 1] - corner_y[side];
        const double way_x = x - corner_x[side], way_y = y - corner_y[side];
        if (side_x * way_y - side_y * way_x <= 0.0) inside = false;
        const double length_sq = side_x * side_x + side_y * side_y;
        double t = length_sq > 0.0 ? (way_x * side_x + way_y * side_y) / length_sq : 0.0;
        t = t < 0.0 ? 0.0 : (t > 1.0 ? 1.0 : t);
        const double to_x = t * side_x - way_x, to_y = t * side_y - way_y;
        const double distance_sq = to_x * to_x + to_y * to_y;
        if (distance_sq < nearest) {
            second = nearest;
            nearest = distance_sq;
            nearest_x = to_x;
            nearest_y = to_y;
        } else if (distance_sq < second) {
            second = distance_sq;
        }
    }
    nearest = std::sqrt(nearest);
    const double outwards = inside ? nearest : -nearest;
    const double clarity = inside ? std::sqrt(second) - nearest : nearest;
    if (nearest == 0.0) return {-radius, 0.0, 0.0, 0.0};
    return {-outwards - radius, nearest_x / outwards, nearest_y / outwards, clarity};
}

inline Truth separate(const Rounded& a, const Rounded& b) {
    return separate_point(b.x - a.x, b.y - a.y, a.half_width + b.half_width,
                          a.half_height + b.half_height, a.radius + b.radius);
}

/// From a shape's surface to a point [m]; negative inside.
inline double distance_to(const phys2d::Shape& shape, phys2d::Vec2 point) {
    return separate(exact(shape), exact(point)).separation;
}

inline bool near(phys2d::Vec2 a, phys2d::Vec2 b, float tolerance) {
    return phys2d::length(a - b) <= tolerance;
}

/// How far the normal of a float computation may be from the true one.
inline double normal_tolerance(const Truth& truth) {
    return 4e-7 + 2.0 * rounding / (truth.clarity > 0.0 ? truth.clarity : 1e-300);
}

}  // namespace test

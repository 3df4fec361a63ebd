// SPDX-License-Identifier: MIT
// How good is a state? Judged from positions and velocities alone, the same way for every engine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "engine.hpp"
#include <phys2d/collision/collide.hpp>
#include <phys2d/dynamics/mass.hpp>

namespace peers {

/// A body of the list where it is now.
struct Placed {
    const scenes::SceneBody* body;
    Motion motion;
};

struct Quality {
    std::size_t touching = 0;       ///< pairs nearer than `touching_gap`, static pairs not counted
    double penetration_mean = 0.0;  ///< of the touching pairs; one that is apart counts as 0 [m]
    double penetration_max = 0.0;   ///< [m]
    double lost = 0.0;              ///< dynamic bodies that have got through a floor or a wall
    double rms_speed = 0.0;         ///< of the dynamic bodies [m/s]
    double kinetic_energy = 0.0;    ///< [J]
};

inline constexpr float touching_gap = 0.02f;  // [m]

/// Which bodies are near each other, or near a point? Small ones are found by way of a spatial
/// hash; the few that are too large for its cells are near everything.
class Neighbours {
public:
    explicit Neighbours(const std::vector<Placed>& bodies) : bodies_(&bodies) {
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            if (is_large(bodies[i]))
                large_.push_back(i);
            else
                cells_.push_back({key_of(bodies[i].motion.position, 0, 0), i});
        }
        std::sort(cells_.begin(), cells_.end());
    }

    /// Calls visit(a, b) for each pair of bodies that may be nearer than `touching_gap`, except for
    /// pairs of large ones.
    template <class Visit>
    void for_each_pair(Visit visit) const {
        for (const Cell& cell : cells_) {
            const Placed& small = (*bodies_)[cell.body];
            for_each_near(small.motion.position, [&](const Placed& other) {
                if (is_large(other) || &other > &small) visit(small, other);
            });
        }
    }

    /// Calls visit(body) for each body that may be nearer than `touching_gap` to a small one here.
    template <class Visit>
    void for_each_near(Vec2 position, Visit visit) const {
        for (const std::size_t large : large_) visit((*bodies_)[large]);
        for (const int row : {-1, 0, 1}) visit_row(position, row, visit);
    }

private:
    struct Cell {
        std::uint64_t key;
        std::size_t body;
        friend auto operator<=>(const Cell&, const Cell&) = default;
    };

    static constexpr double farthest = 1 << 30;                              // cell
    static constexpr float largest_small = 0.5f;                             // half extent [m]
    static constexpr float cell_size = 2.0f * largest_small + touching_gap;  // [m]

    static bool is_large(const Placed& placed) {
        const Vec2 half = phys2d::outer_half_extents(placed.body->shape);
        return std::max(half.x, half.y) > largest_small;
    }

    /// Cells beside each other have keys that follow each other.
    static std::uint64_t key_of(Vec2 position, int columns, int rows) {
        const auto cell = [](float x) {
            const double index =
                std::floor(static_cast<double>(x) / static_cast<double>(cell_size));
            return std::clamp(index, 1.0 - farthest, farthest) + farthest;
        };
        return static_cast<std::uint64_t>(cell(position.y) + rows) << 32 |
               static_cast<std::uint64_t>(cell(position.x) + columns);
    }

    /// The small bodies in the three cells of a row.
    template <class Visit>
    void visit_row(Vec2 position, int row, Visit visit) const {
        const std::uint64_t last = key_of(position, 1, row);
        const Cell first{key_of(position, -1, row), 0};
        for (auto cell = std::lower_bound(cells_.begin(), cells_.end(), first);
             cell != cells_.end() && cell->key <= last; ++cell) {
            visit((*bodies_)[cell->body]);
        }
    }

    const std::vector<Placed>* bodies_;
    std::vector<std::size_t> large_;
    std::vector<Cell> cells_;
};

template <class Value>
double sum_over_dynamic(const std::vector<Placed>& bodies, Value value) {
    double sum = 0.0;
    for (const Placed& placed : bodies) {
        if (is_dynamic(*placed.body)) sum += value(placed);
    }
    return sum;
}

inline double speed_sq(const Placed& placed) {
    return static_cast<double>(phys2d::length_sq(placed.motion.velocity));
}

inline double kinetic_energy(const std::vector<Placed>& bodies) {
    return sum_over_dynamic(bodies, [](const Placed& placed) {
        const phys2d::Material& material = placed.body->material;
        const float mass = phys2d::mass_of(placed.body->shape, material.density);
        return 0.5 * static_cast<double>(mass) * speed_sq(placed);
    });
}

inline double dynamic_count(const std::vector<Placed>& bodies) {
    return sum_over_dynamic(bodies, [](const Placed&) { return 1.0; });
}

/// Pre: positions and velocities are finite.
inline Quality measure(const std::vector<Placed>& bodies, const phys2d::AABB& bounds) {
    Quality quality;
    double sum = 0.0;
    Neighbours(bodies).for_each_pair([&](const Placed& a, const Placed& b) {
        if (!is_dynamic(*a.body) && !is_dynamic(*b.body)) return;
        const float penetration = collide(translate(a.body->shape, a.motion.position),
                                          translate(b.body->shape, b.motion.position))
                                      .penetration;
        if (penetration < -touching_gap) return;
        const auto depth = static_cast<double>(std::max(penetration, 0.0f));
        ++quality.touching;
        sum += depth;
        quality.penetration_max = std::max(quality.penetration_max, depth);
    });
    if (quality.touching > 0)
        quality.penetration_mean = sum / static_cast<double>(quality.touching);
    quality.lost = sum_over_dynamic(bodies, [&](const Placed& placed) {
        return contains(bounds, placed.motion.position) ? 0.0 : 1.0;
    });
    const double count = std::max(dynamic_count(bodies), 1.0);
    quality.rms_speed = std::sqrt(sum_over_dynamic(bodies, speed_sq) / count);
    quality.kinetic_energy = kinetic_energy(bodies);
    return quality;
}

}  // namespace peers

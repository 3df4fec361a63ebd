// SPDX-License-Identifier: MIT
// What every engine must be able to do to play a scene and be timed.
// Each executable links main.cpp with one adapter, which defines `engine_name` and `make_engine`.
//
// All engines get the same terms: steps of 1/60 s on one thread, no sleep, no rotation, and the
// friction, restitution and density of the list; otherwise what the engine's authors chose.
#pragma once

#include <memory>
#include <span>
#include <string>

#include <scenes/scene.hpp>

namespace peers {

using phys2d::Vec2;

inline constexpr float time_step = 1.0f / 60.0f;  // [s]

struct Motion {
    Vec2 position;  ///< [m]
    Vec2 velocity;  ///< [m/s]
};

struct Ray {
    Vec2 origin;       ///< [m]
    Vec2 translation;  ///< to its end [m]
};

/// A world of some engine. Bodies are named by their index in the scene's list.
class Engine {
public:
    virtual ~Engine() = default;

    virtual void create(std::size_t index, const scenes::SceneBody& body) = 0;
    virtual void destroy(std::size_t index) = 0;
    /// Called once, when everything that is there from the start has been created.
    virtual void prepare() {}

    /// Timed, as `count_hits` is, and nothing else.
    virtual void step() = 0;

    /// Number of rays that hit something. The engine looks for the first body that each hits.
    [[nodiscard]] virtual std::size_t count_hits(std::span<const Ray> rays) = 0;

    [[nodiscard]] virtual Motion motion(std::size_t index) const = 0;
    virtual void set_velocity(std::size_t index, Vec2 velocity) = 0;

    /// The engine's own count, of static bodies too.
    [[nodiscard]] virtual std::size_t body_count() const = 0;
    /// Pairs that touched in the last step, by the engine's own judgement.
    [[nodiscard]] virtual std::size_t contact_count() const = 0;
};

/// Name and version.
std::string engine_name();

/// An empty world for a scene, which outlives it.
std::unique_ptr<Engine> make_engine(const scenes::Scene& scene);

/// The lists hold circles and boxes, nothing else.
inline bool is_circle(const phys2d::Shape& shape) { return shape.half_extents == Vec2{}; }

inline bool is_dynamic(const scenes::SceneBody& body) {
    return body.def.type == phys2d::BodyType::Dynamic;
}

}  // namespace peers

// SPDX-License-Identifier: MIT
// phys2d as an engine: 4 sub-steps, as by default.
#include <scenes/scenes.hpp>

#include "engine.hpp"

namespace peers {
namespace {

phys2d::WorldConfig without_sleep(phys2d::WorldConfig config) {
    config.time_to_sleep = 0.0f;
    return config;
}

class Phys2d final : public Engine {
public:
    explicit Phys2d(const scenes::Scene& scene)
        : scene_(&scene), world_(without_sleep(scene.config)), ids_(scene.bodies.size()) {
        if (has_tiles()) map_ = scenes::add_tile_map(world_, scene);
    }

    void create(std::size_t index, const scenes::SceneBody& body) override {
        if (!scene_->is_tile(index))
            ids_[index] = world_.create_body(body.def, body.shape, body.material);
    }
    void destroy(std::size_t index) override { world_.destroy_body(ids_[index]); }

    void step() override { world_.step(); }

    std::size_t count_hits(std::span<const Ray> rays) override {
        std::size_t hits = 0;
        for (const Ray& ray : rays) hits += world_.ray_cast(ray.origin, ray.translation) ? 1 : 0;
        return hits;
    }

    Motion motion(std::size_t index) const override {
        if (scene_->is_tile(index)) return {scene_->bodies[index].def.position, {}};
        const phys2d::ConstBodyRef body = world_.body(ids_[index]);
        return {body.position(), body.velocity()};
    }
    void set_velocity(std::size_t index, Vec2 velocity) override {
        world_.body(ids_[index]).set_velocity(velocity);
    }

    /// A tile counts as a body, and the map does not.
    std::size_t body_count() const override {
        if (!has_tiles()) return world_.body_count();
        return world_.body_count() - 1 + world_.tile_map(map_).grid().tile_count();
    }
    std::size_t contact_count() const override {
        return static_cast<std::size_t>(world_.stats().contacts);
    }

private:
    [[nodiscard]] bool has_tiles() const { return scene_->tiles.first < scene_->tiles.last; }

    const scenes::Scene* scene_;
    phys2d::World world_;
    phys2d::BodyId map_{};
    std::vector<phys2d::BodyId> ids_;
};

}  // namespace

std::string engine_name() { return "phys2d " PHYS2D_VERSION_STRING; }

std::unique_ptr<Engine> make_engine(const scenes::Scene& scene) {
    return std::make_unique<Phys2d>(scene);
}

}  // namespace peers

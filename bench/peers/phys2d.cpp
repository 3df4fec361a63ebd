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
        : world_(without_sleep(scene.config)), ids_(scene.bodies.size()) {}

    void create(std::size_t index, const scenes::SceneBody& body) override {
        ids_[index] = world_.create_body(body.def, body.shape, body.material);
    }
    void destroy(std::size_t index) override { world_.destroy_body(ids_[index]); }

    void step() override { world_.step(); }

    Motion motion(std::size_t index) const override {
        const phys2d::ConstBodyRef body = world_.body(ids_[index]);
        return {body.position(), body.velocity()};
    }
    void set_velocity(std::size_t index, Vec2 velocity) override {
        world_.body(ids_[index]).set_velocity(velocity);
    }

    std::size_t body_count() const override { return world_.body_count(); }
    std::size_t contact_count() const override {
        return static_cast<std::size_t>(world_.stats().contacts);
    }

private:
    phys2d::World world_;
    std::vector<phys2d::BodyId> ids_;
};

}  // namespace

std::string engine_name() { return "phys2d " PHYS2D_VERSION_STRING; }

std::unique_ptr<Engine> make_engine(const scenes::Scene& scene) {
    return std::make_unique<Phys2d>(scene);
}

}  // namespace peers

// SPDX-License-Identifier: MIT
// Box2D 2.4 as an engine: 8 velocity and 3 position iterations, as its manual suggests, its own
// defaults otherwise (continuous collision of moving against static bodies included).
#include <box2d/box2d.h>

#include "../engine.hpp"

namespace peers {
namespace {

/// What a ray meets comes in any order; with each, the ray ends there.
struct ClosestHit final : b2RayCastCallback {
    float ReportFixture(b2Fixture*, const b2Vec2&, const b2Vec2&, float fraction) override {
        is_there = true;
        return fraction;
    }

    bool is_there = false;
};

b2Vec2 to_b2(Vec2 v) { return {v.x, v.y}; }
Vec2 from_b2(const b2Vec2& v) { return {v.x, v.y}; }

class Box2d final : public Engine {
public:
    explicit Box2d(const scenes::Scene& scene)
        : world_(to_b2(scene.config.gravity)), bodies_(scene.bodies.size()) {
        world_.SetAllowSleeping(false);
    }

    void create(std::size_t index, const scenes::SceneBody& body) override {
        b2BodyDef def;
        def.type = is_dynamic(body) ? b2_dynamicBody : b2_staticBody;
        def.position = to_b2(body.def.position);
        def.linearVelocity = to_b2(body.def.velocity);
        def.fixedRotation = true;
        bodies_[index] = world_.CreateBody(&def);
        add_fixture(*bodies_[index], body);
    }
    void destroy(std::size_t index) override { world_.DestroyBody(bodies_[index]); }

    void step() override { world_.Step(time_step, 8, 3); }

    std::size_t count_hits(std::span<const Ray> rays) override {
        std::size_t hits = 0;
        for (const Ray& ray : rays) {
            ClosestHit hit;
            world_.RayCast(&hit, to_b2(ray.origin), to_b2(ray.origin + ray.translation));
            hits += hit.is_there ? 1 : 0;
        }
        return hits;
    }

    Motion motion(std::size_t index) const override {
        return {from_b2(bodies_[index]->GetPosition()),
                from_b2(bodies_[index]->GetLinearVelocity())};
    }
    void set_velocity(std::size_t index, Vec2 velocity) override {
        bodies_[index]->SetLinearVelocity(to_b2(velocity));
    }

    std::size_t body_count() const override {
        return static_cast<std::size_t>(world_.GetBodyCount());
    }
    std::size_t contact_count() const override {
        std::size_t count = 0;
        for (const b2Contact* contact = world_.GetContactList(); contact != nullptr;
             contact = contact->GetNext()) {
            if (contact->IsTouching()) ++count;
        }
        return count;
    }

private:
    static void add_fixture(b2Body& to, const scenes::SceneBody& body) {
        b2CircleShape circle;
        circle.m_radius = body.shape.radius;
        b2PolygonShape box;
        box.SetAsBox(body.shape.half_extents.x, body.shape.half_extents.y);

        b2FixtureDef def;
        def.shape = &box;
        if (is_circle(body.shape)) def.shape = &circle;
        def.density = body.material.density;
        def.friction = body.material.friction;
        def.restitution = body.material.restitution;
        to.CreateFixture(&def);
    }

    b2World world_;
    std::vector<b2Body*> bodies_;  // the world's
};

}  // namespace

std::string engine_name() { return "Box2D " BOX2D_VERSION; }

std::unique_ptr<Engine> make_engine(const scenes::Scene& scene) {
    return std::make_unique<Box2d>(scene);
}

}  // namespace peers

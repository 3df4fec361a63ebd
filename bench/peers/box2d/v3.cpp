// SPDX-License-Identifier: MIT
// Box2D 3.1 and newer as an engine: 4 sub-steps, its own defaults otherwise (continuous collision
// of moving against static bodies included).
#include <box2d/box2d.h>

#include "../engine.hpp"

namespace peers {
namespace {

b2Vec2 to_b2(Vec2 v) { return {v.x, v.y}; }

/// Box2D 3.1 has one flag, later versions a lock for each axis.
template <class BodyDef>
void lock_rotation(BodyDef& def) {
    if constexpr (requires { def.motionLocks; })
        def.motionLocks.angularZ = true;
    else
        def.fixedRotation = true;
}

class Box2d final : public Engine {
public:
    explicit Box2d(const scenes::Scene& scene) : bodies_(scene.bodies.size()) {
        b2WorldDef def = b2DefaultWorldDef();
        def.gravity = to_b2(scene.config.gravity);
        def.enableSleep = false;
        world_ = b2CreateWorld(&def);
    }
    Box2d(const Box2d&) = delete;
    Box2d& operator=(const Box2d&) = delete;
    ~Box2d() override { b2DestroyWorld(world_); }

    void create(std::size_t index, const scenes::SceneBody& body) override {
        b2BodyDef def = b2DefaultBodyDef();
        def.type = is_dynamic(body) ? b2_dynamicBody : b2_staticBody;
        def.position = {body.def.position.x, body.def.position.y};
        def.linearVelocity = to_b2(body.def.velocity);
        lock_rotation(def);
        bodies_[index] = b2CreateBody(world_, &def);
        add_shape(bodies_[index], body);
    }
    void destroy(std::size_t index) override { b2DestroyBody(bodies_[index]); }
    /// As Box2D recommends for many static bodies.
    void prepare() override { b2World_RebuildStaticTree(world_); }

    void step() override { b2World_Step(world_, time_step, 4); }

    std::size_t count_hits(std::span<const Ray> rays) override {
        std::size_t hits = 0;
        for (const Ray& ray : rays) hits += is_hit(ray) ? 1 : 0;
        return hits;
    }

    Motion motion(std::size_t index) const override {
        const auto position = b2Body_GetPosition(bodies_[index]);
        const b2Vec2 velocity = b2Body_GetLinearVelocity(bodies_[index]);
        return {{static_cast<float>(position.x), static_cast<float>(position.y)},
                {velocity.x, velocity.y}};
    }
    void set_velocity(std::size_t index, Vec2 velocity) override {
        b2Body_SetLinearVelocity(bodies_[index], to_b2(velocity));
    }

    std::size_t body_count() const override {
        return static_cast<std::size_t>(b2World_GetCounters(world_).bodyCount);
    }

    /// Two dynamic bodies both list their contact; static bodies list none.
    std::size_t contact_count() const override {
        std::size_t twice = 0;
        std::vector<b2ContactData> contacts;
        for (const b2BodyId body : bodies_) {
            if (!b2Body_IsValid(body) || b2Body_GetType(body) != b2_dynamicBody) continue;
            contacts.resize(static_cast<std::size_t>(b2Body_GetContactCapacity(body)));
            const int count =
                b2Body_GetContactData(body, contacts.data(), static_cast<int>(contacts.size()));
            for (int i = 0; i < count; ++i)
                twice += touches_static(contacts[static_cast<std::size_t>(i)]) ? 2 : 1;
        }
        return twice / 2;
    }

private:
    [[nodiscard]] bool is_hit(const Ray& ray) const {
        return b2World_CastRayClosest(world_, {ray.origin.x, ray.origin.y}, to_b2(ray.translation),
                                      b2DefaultQueryFilter())
            .hit;
    }

    static void add_shape(b2BodyId id, const scenes::SceneBody& body) {
        b2ShapeDef def = b2DefaultShapeDef();
        def.density = body.material.density;
        def.material.friction = body.material.friction;
        def.material.restitution = body.material.restitution;
        def.enableSensorEvents = false;
        def.enableContactEvents = false;
        def.enableHitEvents = false;
        if (is_circle(body.shape)) {
            const b2Circle circle{{0.0f, 0.0f}, body.shape.radius};
            b2CreateCircleShape(id, &def, &circle);
        } else {
            const b2Polygon box = b2MakeBox(body.shape.half_extents.x, body.shape.half_extents.y);
            b2CreatePolygonShape(id, &def, &box);
        }
    }

    static bool touches_static(const b2ContactData& contact) {
        return b2Body_GetType(b2Shape_GetBody(contact.shapeIdA)) == b2_staticBody ||
               b2Body_GetType(b2Shape_GetBody(contact.shapeIdB)) == b2_staticBody;
    }

    b2WorldId world_{};
    std::vector<b2BodyId> bodies_;
};

}  // namespace

std::string engine_name() { return "Box2D " BOX2D_VERSION; }

std::unique_ptr<Engine> make_engine(const scenes::Scene& scene) {
    return std::make_unique<Box2d>(scene);
}

}  // namespace peers

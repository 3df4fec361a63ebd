// SPDX-License-Identifier: MIT
// Chipmunk 7 as an engine: 10 iterations. Its lengths are pixels by default, hence the slop; its
// coefficients of a pair are products, hence the square roots.
#include <cmath>
#include <limits>

#include <chipmunk/chipmunk.h>

#include "engine.hpp"

namespace peers {
namespace {

cpVect to_cp(Vec2 v) { return cpv(static_cast<cpFloat>(v.x), static_cast<cpFloat>(v.y)); }
Vec2 from_cp(cpVect v) { return {static_cast<float>(v.x), static_cast<float>(v.y)}; }

struct Free {
    void operator()(cpSpace* space) const { cpSpaceFree(space); }
    void operator()(cpBody* body) const { cpBodyFree(body); }
    void operator()(cpShape* shape) const { cpShapeFree(shape); }
};

struct Piece {
    std::unique_ptr<cpBody, Free> body;
    std::unique_ptr<cpShape, Free> shape;
};

/// Circles of one size in a plane: what a spatial hash is made for. Elsewhere the tree is faster.
bool suits_spatial_hash(const scenes::Scene& scene) {
    return scene.config.gravity == Vec2{} && is_circle(scene.bodies.back().shape);
}

class Chipmunk final : public Engine {
public:
    explicit Chipmunk(const scenes::Scene& scene)
        : pieces_(scene.bodies.size()), space_(cpSpaceNew()) {
        cpSpaceSetGravity(space_.get(), to_cp(scene.config.gravity));
        cpSpaceSetIterations(space_.get(), 10);
        cpSpaceSetSleepTimeThreshold(space_.get(), std::numeric_limits<cpFloat>::infinity());
        cpSpaceSetCollisionSlop(space_.get(), 0.005);
        if (suits_spatial_hash(scene)) {
            const double cell = 4.0 * static_cast<double>(scene.bodies.back().shape.radius);
            cpSpaceUseSpatialHash(space_.get(), cell, 10 * static_cast<int>(pieces_.size()));
        }
    }

    void create(std::size_t index, const scenes::SceneBody& body) override {
        Piece& piece = pieces_[index];
        piece.body.reset(make_body(body));
        cpBodySetPosition(piece.body.get(), to_cp(body.def.position));
        cpBodySetVelocity(piece.body.get(), to_cp(body.def.velocity));
        piece.shape.reset(make_shape(piece.body.get(), body.shape));
        cpShapeSetFriction(piece.shape.get(), std::sqrt(body.material.friction));
        cpShapeSetElasticity(piece.shape.get(), std::sqrt(body.material.restitution));
        cpSpaceAddBody(space_.get(), piece.body.get());
        cpSpaceAddShape(space_.get(), piece.shape.get());
    }
    void destroy(std::size_t index) override {
        Piece& piece = pieces_[index];
        cpSpaceRemoveShape(space_.get(), piece.shape.get());
        cpSpaceRemoveBody(space_.get(), piece.body.get());
        piece = {};
    }

    void step() override { cpSpaceStep(space_.get(), static_cast<cpFloat>(time_step)); }

    std::size_t count_hits(std::span<const Ray> rays) override {
        std::size_t hits = 0;
        for (const Ray& ray : rays) {
            const cpShape* hit = cpSpaceSegmentQueryFirst(space_.get(), to_cp(ray.origin),
                                                          to_cp(ray.origin + ray.translation), 0.0,
                                                          CP_SHAPE_FILTER_ALL, nullptr);
            hits += hit != nullptr ? 1 : 0;
        }
        return hits;
    }

    Motion motion(std::size_t index) const override {
        const cpBody* body = pieces_[index].body.get();
        return {from_cp(cpBodyGetPosition(body)), from_cp(cpBodyGetVelocity(body))};
    }
    void set_velocity(std::size_t index, Vec2 velocity) override {
        cpBodySetVelocity(pieces_[index].body.get(), to_cp(velocity));
    }

    std::size_t body_count() const override {
        std::size_t count = 0;
        const auto add = [](cpBody*, void* sum) { ++*static_cast<std::size_t*>(sum); };
        cpSpaceEachBody(space_.get(), add, &count);
        return count;
    }

    /// Two dynamic bodies both list their contact, and so do static ones.
    std::size_t contact_count() const override {
        std::size_t twice = 0;
        const auto add = [](cpBody*, cpArbiter* arbiter, void* sum) {
            if (cpArbiterGetCount(arbiter) > 0) ++*static_cast<std::size_t*>(sum);
        };
        for (const Piece& piece : pieces_) {
            if (piece.body != nullptr) cpBodyEachArbiter(piece.body.get(), add, &twice);
        }
        return twice / 2;
    }

private:
    static cpBody* make_body(const scenes::SceneBody& body) {
        if (!is_dynamic(body)) return cpBodyNewStatic();
        const float mass = phys2d::mul(body.material.density, area(body.shape));
        return cpBodyNew(static_cast<cpFloat>(mass), std::numeric_limits<cpFloat>::infinity());
    }

    static cpShape* make_shape(cpBody* body, const phys2d::Shape& shape) {
        if (is_circle(shape)) return cpCircleShapeNew(body, shape.radius, cpvzero);
        const Vec2 size = shape.half_extents * 2.0f;
        return cpBoxShapeNew(body, size.x, size.y, 0.0);
    }

    std::vector<Piece> pieces_;
    std::unique_ptr<cpSpace, Free> space_;  // goes first, while what it holds is still there
};

}  // namespace

std::string engine_name() { return std::string("Chipmunk ") + cpVersionString; }

std::unique_ptr<Engine> make_engine(const scenes::Scene& scene) {
    return std::make_unique<Chipmunk>(scene);
}

}  // namespace peers

// SPDX-License-Identifier: MIT
// Are slopes solid to their ends and no further, to what is tall and slim as well? SCENES [12] [19]
// The oracle finds separating axes, in double.
#include <cmath>

#include <doctest/doctest.h>

#include "measure.hpp"
#include "support/polygon_oracle.hpp"
#include "support/random.hpp"

namespace slope_end_test {

using namespace phys2d;

namespace {

enum Ground { RampTile, RampPolygon, Spike, SegmentGround, TwoSidedGround, ChainGround, grounds };

/// A slope from the origin up to one side, or down from it.
struct Slope {
    int kind;
    Vec2 top;

    [[nodiscard]] bool is_line() const { return kind >= SegmentGround; }

    /// Below the slope there is a right angle, or in a spike a slimmer tip.
    [[nodiscard]] Polygon solid() const {
        if (is_line()) return Segment{top, {}};
        const Vec2 foot{kind == Spike ? 0.4f * top.x : top.x, 0.0f};
        return top.x * top.y > 0.0f ? Polygon{{}, foot, top} : Polygon{{}, top, foot};
    }

    void add_to(World& world) const {
        const BodyDef fixed{.type = BodyType::Static};
        const Vec2 right = top.x > 0.0f ? top : Vec2{};
        const Vec2 to_left = top.x > 0.0f ? -top : top;
        const Vec2 points[] = {right, right + to_left * 0.3f, right + to_left * 0.5f,
                               right + to_left};  // solid is below a chain to the left
        const Chain chain{.points = {points, 4}, .is_two_sided = kind == TwoSidedGround};
        if (kind == RampTile) {
            const Vec2 corner{top.x < 0.0f ? 1.0f : 0.0f, top.y < 0.0f ? 1.0f : 0.0f};
            TileMapRef map = world.tile_map(world.create_tile_map({.position = -corner}));
            map.define(1, {.shape = translate(solid(), corner)});
            map.set({0, 0}, 1);
        } else if (kind == TwoSidedGround || kind == ChainGround) {
            world.create_body(fixed, chain);
        } else if (kind == SegmentGround) {
            world.create_body(fixed, Segment{top, {}});
        } else {
            world.create_body(fixed, solid());
        }
    }
};

Slope random_slope(test::Random& random, int kind) {
    const float side = random.one_in(2) ? 1.0f : -1.0f;
    const float rise = random.one_in(2) ? 1.0f : -1.0f;
    return {kind, {side * random.uniform(0.2f, 1.0f), rise * random.uniform(0.2f, 1.0f)}};
}

Shape shape_near_slope(test::Random& random) {
    const float a = random.uniform(0.02f, 1.3f);
    const float b = random.uniform(0.02f, 1.3f);
    const auto shape = [&]() -> Shape {
        switch (random.integer(0, 3)) {
            case 0: return Box{{a, b}};
            case 1: return Capsule{a, 0.4f * b};
            case 2: return Capsule{a, 0.4f * b, Axis::X};
            default: return RoundedBox{{a, b}, 0.1f};
        }
    };
    return translate(shape(), random.point(2.5f));
}

bool is_touched(const World& world, const Shape& shape) {
    bool any = false;
    world.for_each_surface(bounds(shape), [&](const Surface& surface) {
        any = any || surface.touch(shape, 0.0f).penetration >= 0.0f;
    });
    return any;
}

constexpr double clear =
    2e-3;  // [m]: far more than rounding, and than faces reach beyond their ends

constexpr double pressed_in = 0.1;  ///< in half extents

/// Calls check(world, solid, shape, way, separation) for random shapes near random slopes of a
/// kind.
template <class Check>
void for_each_place(int kind, Check check) {
    test::Random random;
    for (int i = 0; i < 100; ++i) {
        World world({.gravity = {}});
        const Slope slope = random_slope(random, kind);
        slope.add_to(world);
        const test::Ring solid = test::exact(slope.solid());
        for (int k = 0; k < test::many / 400; ++k) {
            const Shape shape = shape_near_slope(random);
            check(world, solid, shape, random.point(2.0f),
                  test::separate(solid, test::exact(shape)).separation);
        }
    }
}

/// How far down a body and a mover of a shape get, straight past the upper end of a slope, in a
/// second and a half.
struct Fall {
    Vec2 body, mover;
};

Fall fall_past(const Slope& slope, const Shape& shape, float gap) {
    const float out = outer_half_extents(shape).x + gap;
    const Vec2 start{slope.top.x + std::copysign(out, slope.top.x), 4.0f};
    World world({.gravity = {0.0f, -10.0f}});
    slope.add_to(world);
    const BodyId body = world.create_body({.position = start}, shape);
    test::run(world, 90);

    World empty;
    slope.add_to(empty);
    Mover mover{.shape = shape, .position = start};
    for (int i = 1; i <= 90; ++i) {
        move(empty, mover, {0.0f, -10.0f * static_cast<float>(i) / 60.0f}, 1.0f / 60.0f);
    }
    return {world.body(body).position() - start, mover.position - start};
}

}  // namespace

TEST_CASE("what is clear of a slope does not touch it, and meets it on its way where it is") {
    for (int kind = 0; kind < grounds; ++kind) {
        int touched = 0;
        int met_too_soon = 0;
        for_each_place(kind, [&](const World& world, const test::Ring& solid, const Shape& shape,
                                 Vec2 way, double separation) {
            if (separation < clear) return;
            touched += is_touched(world, shape) ? 1 : 0;
            const QueryHit hit = world.shape_cast(shape, way);
            const Shape there = translate(shape, way * hit.fraction);
            const bool is_there = test::separate(solid, test::exact(there)).separation < clear;
            met_too_soon += hit && !is_there ? 1 : 0;
        });
        CAPTURE(kind);
        CHECK(touched == 0);
        CHECK(met_too_soon == 0);
    }
}

TEST_CASE("what overlaps a line with two sides touches it, as does what is pressed into a ramp") {
    for (int kind = 0; kind < ChainGround; ++kind) {
        int overlapping = 0;
        int missed = 0;
        for_each_place(kind, [&](const World& world, const test::Ring&, const Shape& shape, Vec2,
                                 double separation) {
            const Vec2 outer = outer_half_extents(shape);
            const bool is_line = kind >= SegmentGround;
            const double deepest = is_line ? HUGE_VAL : pressed_in * std::fmin(outer.x, outer.y);
            if (separation > -clear || separation < -deepest) return;
            ++overlapping;
            missed += is_touched(world, shape) ? 0 : 1;
        });
        CAPTURE(kind);
        CHECK(overlapping > test::many / 1000);
        CHECK(missed == 0);
    }
}

TEST_CASE("what comes to the end of a line with two sides, along it or not, meets it") {
    for (const int kind : {SegmentGround, TwoSidedGround}) {
        test::Random random;
        int hits = 0;
        for (int i = 0; i < test::many / 400; ++i) {
            World world;
            const Slope slope = random_slope(random, kind);
            slope.add_to(world);
            const Shape shape = shape_near_slope(random);
            const Vec2 end = random.one_in(2) ? slope.top : Vec2{};
            const Vec2 way = (end - shape.center) * 2.0f;
            const CastHit expected = shape_cast(shape, way, slope.solid());
            if (overlaps(slope.solid(), shape)) continue;
            ++hits;
            CAPTURE(i);
            CHECK(world.shape_cast(shape, way).fraction ==
                  doctest::Approx(expected.fraction).epsilon(1e-3));
        }
        CHECK(hits > 100);
    }
}

TEST_CASE("a tall body and a tall mover fall straight down past the end of a slope") {
    for (int kind = 0; kind < grounds; ++kind) {
        for (const float side : {-1.0f, 1.0f}) {
            for (const Shape& shape :
                 {Shape(Capsule{1.25f, 0.1f}), Shape(Box{{0.1f, 1.25f}}),
                  Shape(RoundedBox{{0.05f, 1.2f}, 0.05f}), Shape(Capsule{0.8f, 0.25f})}) {
                for (const float gap : {0.01f, 0.05f, 0.2f}) {
                    CAPTURE(kind);
                    CAPTURE(side);
                    CAPTURE(gap);
                    const Fall fall = fall_past({kind, {side, 1.0f}}, shape, gap);
                    CHECK(fall.body.x == 0.0f);
                    CHECK(fall.body.y == doctest::Approx(-11.25f).epsilon(0.02));
                    CHECK(std::fabs(fall.mover.x) < 1e-5f);
                    CHECK(fall.mover.y == doctest::Approx(-11.25f).epsilon(0.02));
                }
            }
        }
    }
}

}  // namespace slope_end_test

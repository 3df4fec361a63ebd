// SPDX-License-Identifier: MIT
// Do queries see the tiles of maps, right after each change too? SCENES [27]
// What is solid where is told by brute force: the polygons of all tiles, one by one.
#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "support/movers.hpp"
#include "support/tiles.hpp"

namespace tile_map_queries_test {

using namespace phys2d;

namespace {

/// Maps over each other, full of random tiles, and the polygons of all of them.
struct Level {
    World world{{.gravity = {}}};
    std::vector<BodyId> maps;
    struct Solid {
        Polygon polygon;
        ColliderId collider;
    };
    std::vector<Solid> solids;

    explicit Level(test::Random& random, int count = 2) {
        for (int i = 0; i < count; ++i) {
            const Vec2 position = random.one_in(2) ? Vec2{} : random.point(3.0f);
            const float size = random.one_in(2) ? 1.0f : random.uniform(0.3f, 2.0f);
            add_map(position, size);
        }
        fill(random);
    }
    /// A single map.
    Level(test::Random& random, Vec2 position, float tile_size) {
        add_map(position, tile_size);
        fill(random);
    }
    void add_map(Vec2 position, float tile_size) {
        maps.push_back(
            test::add_tile_map(world, {.position = position, .tile_size = tile_size}).id());
    }
    void fill(test::Random& random) {
        const int most = random.integer(10, 80);
        for (int i = 0; i < most; ++i) set_one(random);
        list();
    }
    void set_one(test::Random& random) {
        const TileCoord tile{random.integer(-6, 6), random.integer(-6, 6)};
        const int id = random.one_in(2) ? 1 : random.integer(0, test::tile_kinds);
        const BodyId map = maps[random.bits() % maps.size()];
        world.tile_map(map).set(tile, static_cast<TileId>(id));
    }
    void list() {
        solids.clear();
        for (const BodyId map : maps) {
            const TileMapRef ref = world.tile_map(map);
            const Vec2 position = world.body(map).position();
            for (TileCoord tile{-6, -6}; tile.y <= 6;
                 tile.x < 6 ? ++tile.x : (tile.x = -6, ++tile.y)) {
                const TileId id = ref.at(tile);
                if (id == 0) continue;
                const Vec2 corner{static_cast<float>(tile.x), static_cast<float>(tile.y)};
                const Polygon placed =
                    scale(translate(test::tile_shapes[id], corner), ref.tile_size());
                solids.push_back({translate(placed, position), ref.collider(id)});
            }
        }
    }
    void change(test::Random& random) {
        set_one(random);
        list();
    }
    [[nodiscard]] bool is_inside(Vec2 point) const {
        return std::any_of(solids.begin(), solids.end(),
                           [&](const Solid& solid) { return contains(solid.polygon, point); });
    }
    [[nodiscard]] float deepest(const Shape& shape) const {
        float depth = -1e9f;
        for (const Solid& solid : solids) {
            depth = std::fmax(depth, collide(solid.polygon, shape).penetration);
        }
        return depth;
    }
    [[nodiscard]] float first_on_ray(Vec2 origin, Vec2 way) const {
        float fraction = CastHit::nothing;
        for (const Solid& solid : solids) {
            fraction = std::fmin(fraction, ray_cast(origin, way, solid.polygon).fraction);
        }
        return fraction;
    }
    /// The fraction at which a shape, made larger by `more`, first hits a polygon.
    [[nodiscard]] float first(Shape shape, Vec2 way, float more) const {
        if (more > 0.0f) shape.radius += more;
        if (more < 0.0f && shape.radius > 0.0f)
            shape.radius += more;
        else if (more < 0.0f)
            shape.half_extents += Vec2{more, more};
        float fraction = CastHit::nothing;
        for (const Solid& solid : solids) {
            fraction = std::fmin(fraction, shape_cast(shape, way, solid.polygon).fraction);
        }
        return fraction;
    }
};

/// Calls ask(level, random) often, of levels on a lattice of whole metres.
template <class Ask>
void ask_on_lattices(Ask ask) {
    test::Random random;
    for (int i = 0; i < test::many / 1000; ++i) {
        const Level level(random, {-2.0f, 1.0f}, 1.0f);
        for (int k = 0; k < 100; ++k) ask(level, random);
    }
}
/// A point on a lattice of quarters of a metre: on borders of tiles more often than not.
Vec2 point_on_quarters(test::Random& random) {
    return Vec2{static_cast<float>(random.integer(-36, 36)),
                static_cast<float>(random.integer(-36, 36))} *
           0.25f;
}
/// Along an axis, as many quarters of a metre and `more`.
Vec2 way_on_quarters(test::Random& random, float more) {
    const float length = static_cast<float>(random.integer(-60, 60)) * 0.25f + more;
    return random.one_in(2) ? Vec2{length, 0.0f} : Vec2{0.0f, length};
}
/// Touches tiles as often as not.
Shape shape_on_quarters(test::Random& random) {
    const Vec2 center = point_on_quarters(random);
    if (random.one_in(3)) return Circle{0.25f, center};
    return random.one_in(2) ? Shape(Box{{0.25f, 0.5f}, center}) : Shape(Circle{0.0f, center});
}
std::set<std::uint32_t> indices_of_overlaps(const Level& level, const Shape& shape) {
    std::set<std::uint32_t> colliders;
    for (const Level::Solid& solid : level.solids) {
        if (phys2d::overlaps(solid.polygon, shape)) colliders.insert(solid.collider.index);
    }
    return colliders;
}

/// Anywhere about the level.
Shape shape_about_level(test::Random& random) {
    const Vec2 center = random.point(9.0f);
    return translate(test::random_mover(random, random.uniform(0.05f, 1.5f)), center);
}

}  // namespace

TEST_CASE("rays meet the first of all tiles, right after each change, and at 0 from inside one") {
    test::Random random;
    int hits = 0, inside = 0;
    for (int i = 0; i < test::many / 1000; ++i) {
        Level level(random);
        for (int k = 0; k < 100; ++k) {
            if (k % 10 == 0) level.change(random);
            const Vec2 origin = random.point(9.0f),
                       way = random.direction() * random.uniform(0.0f, 25.0f);
            const NearestBody border = level.world.nearest(origin, 1e-3f);
            if (border && std::fabs(border.distance) < 1e-4f) continue;  // rounding decides
            const QueryHit hit = level.world.ray_cast(origin, way);
            hits += hit ? 1 : 0;
            if (level.is_inside(origin)) {
                ++inside;
                CHECK(hit.fraction == 0.0f);
            }
            // a ray that only grazes a corner hits or misses as its neighbours do
            const Vec2 aside = perpendicular(normalized_or(way, {})) * 1e-4f;
            const float a = level.first_on_ray(origin + aside, way);
            const float b = level.first_on_ray(origin - aside, way);
            const float exact = level.first_on_ray(origin, way);
            const float found = hit ? hit.fraction : CastHit::nothing;
            const float rounding = 1e-5f;  // of 25 m
            const float joint =
                2e-3f / std::fmax(length(way), 1e-3f);  // faces overlap where they join
            CHECK(found >= std::min({a, b, exact}) - std::fmax(rounding, joint));
            CHECK(found <= std::max({a, b, exact}) + rounding);
        }
    }
    CHECK(hits > test::many / 50);
    CHECK(inside > test::many / 100);
}

TEST_CASE("shapes that are cast meet the first of all tiles") {
    test::Random random;
    int hits = 0;
    for (int i = 0; i < test::many / 1000; ++i) {
        Level level(random);
        for (int k = 0; k < 100; ++k) {
            if (k % 10 == 0) level.change(random);
            const Shape shape = shape_about_level(random);
            const Vec2 way = random.direction() * random.uniform(0.1f, 25.0f);
            if (level.deepest(shape) > -1e-3f) continue;  // outside to begin with
            const QueryHit hit = level.world.shape_cast(shape, way);
            hits += hit ? 1 : 0;
            const float more = level.first(shape, way, 2e-4f);
            const float less = level.first(shape, way, -2e-4f);
            const float found = hit ? hit.fraction : CastHit::nothing;
            CHECK(found >= more - 1e-5f);
            CHECK(found <= less + 1e-5f);
        }
    }
    CHECK(hits > test::many / 50);
}

TEST_CASE("overlaps and the nearest tile are those of all tiles, one by one") {
    test::Random random;
    int overlaps = 0;
    for (int i = 0; i < test::many / 1000; ++i) {
        Level level(random);
        for (int k = 0; k < 100; ++k) {
            if (k % 10 == 0) level.change(random);
            const Shape shape = shape_about_level(random);
            std::multiset<std::uint32_t> found, expected;
            std::set<std::uint32_t> found_colliders, colliders;
            level.world.for_each_overlap(shape, [&](BodyId body, ColliderId collider) {
                found.insert(body.index);
                found_colliders.insert(collider.index);
            });
            for (const Level::Solid& solid : level.solids) {
                const bool is_new = phys2d::overlaps(solid.polygon, shape) &&
                                    colliders.insert(solid.collider.index).second;
                if (is_new) expected.insert(level.world.collider(solid.collider).body().index);
            }
            CHECK(found == expected);
            CHECK(found_colliders == colliders);
            overlaps += expected.empty() ? 0 : 1;
            const float within = random.uniform(0.0f, 4.0f);
            const NearestBody nearest = level.world.nearest(shape.center, within);
            const float distance = -level.deepest(Circle{0.0f, shape.center});
            CHECK(static_cast<bool>(nearest) == (distance <= within));
            if (nearest) CHECK(nearest.distance == distance);
        }
    }
    CHECK(overlaps > test::many / 50);
}

TEST_CASE("a region that meets all kinds of a map looks at one tile of each that is asked for") {
    constexpr int kinds = 32;
    detail::WorldState world;
    const BodyId map = detail::create_tile_map(world, {});
    TileMapRef tiles(world, map);
    for (int i = 1; i <= kinds; ++i) tiles.define(static_cast<TileId>(i));
    for (int y = 0; y < 50; ++y) {
        for (int x = 0; x < 50; ++x) tiles.set({x, y}, static_cast<TileId>(1 + (x + y) % kinds));
    }
    for (const float size : {50.0f, 4.9f}) {  // more tiles than kinds, and fewer
        int asked = 0, tested = 0;
        std::vector<std::int32_t> found;
        const auto is_sought = [&](std::int32_t slot) {
            ++asked;
            return slot % 2 == 0;
        };
        const auto test = [&](TileCoord tile, std::uint16_t id) {
            ++tested;
            return tiles.at(tile) == id;
        };
        detail::for_each_kind_in(world.bodies, world.bodies.slots.slot_of(map),
                                 {{0.1f, 0.1f}, {size, size}}, is_sought, test,
                                 [&](std::int32_t slot) { found.push_back(slot); });
        std::set<std::int32_t> expected;
        for (int id = 1; id <= (size > 10.0f ? kinds : 9); ++id) {
            const ColliderId kind = tiles.collider(static_cast<TileId>(id));
            const std::int32_t slot = world.bodies.slots.slot_of(kind);
            if (slot % 2 == 0) expected.insert(slot);
        }
        CHECK(std::set<std::int32_t>(found.begin(), found.end()) == expected);
        CHECK(found.size() == expected.size());
        CHECK(tested == static_cast<int>(expected.size()));
        CHECK(asked <= kinds);
    }
    int solids = 0;
    const std::int32_t first = world.bodies.slots.slot_of(tiles.collider(TileId{1}));
    CHECK(detail::any_solid(world.bodies, first, {{0.1f, 0.1f}, {50.0f, 50.0f}},
                            [&](const auto&) { return ++solids > 0; }));
    CHECK(solids == 1);
}

TEST_CASE("a shape of any size is cast at a map in few parts, which together are all of its way") {
    detail::WorldState world;
    const BodyId map = detail::create_tile_map(world, {});
    TileMapRef tiles(world, map);
    tiles.define(1);
    tiles.fill({{0, 0}, {63, 63}}, 1);
    const std::int32_t slot = world.bodies.slots.slot_of(map);
    for (float half = 0.1f; half < 1e7f; half *= 10.0f) {
        int parts = 0;
        AABB seen{{32.0f, -2.0f * half}, {32.0f, -2.0f * half}};
        const Box below{{half, half}, {32.0f, -2.0f * half}};
        const Vec2 way{0.0f, 4.0f * half + 64.0f};
        detail::for_each_part_of_way(world.bodies, slot, below, way,
                                     [&](const AABB& box, const detail::WayPart&) {
                                         ++parts;
                                         seen = merge(seen, box);
                                         return true;
                                     });
        CAPTURE(half);
        CHECK(parts < 36);
        CHECK(contains(seen, AABB{{32.0f - half, 0.0f}, {32.0f + half, 64.0f}}));
    }
}

TEST_CASE("a cast that begins inside of tiles hits as soon as a shorter one does, and no sooner") {
    test::Random random;
    World world;
    TileMapRef map = test::add_tile_map(world);
    for (int x = -30; x < 30; ++x) {
        for (int y = -30; y < 30; ++y) map.set({x, y}, random.one_in(6) ? test::full : TileId{0});
    }
    int inside = 0, differ = 0;
    for (int i = 0; i < 50'000; ++i) {
        const Circle circle{0.3f, random.point(20.0f)};
        const Vec2 way = random.point(10.0f);
        const QueryHit whole = world.shape_cast(circle, way);
        const float longer = max(0.6f * max(abs(way.x), abs(way.y)), 1.0f);
        const QueryHit part = world.shape_cast(circle, way / longer);
        inside += map.at(map.tile_at(circle.center)) != 0 ? 1 : 0;
        const bool is_in_part = whole.fraction < 0.99f / longer;
        differ += (part || is_in_part) && abs(whole.fraction * longer - part.fraction) > 1e-3f;
    }
    CHECK(inside > 5'000);
    CHECK(differ == 0);
}

TEST_CASE("the nearest tile of a map of millions is found by looking at a few around the point") {
    detail::WorldState world;
    const BodyId map = detail::create_tile_map(world, {.tile_size = 0.5f});
    TileMapRef tiles(world, map);
    tiles.define(1);
    tiles.fill({{0, 0}, {1999, 1999}}, 1);
    tiles.fill({{990, 990}, {1010, 1010}}, 0);
    const Vec2 inside{500.1f, 500.25f};
    for (const Vec2 point : {inside, Vec2{-700.0f, 30.2f}}) {
        int looked_at = 0;
        float limit = 1e6f;
        const std::int32_t slot = world.bodies.slots.slot_of(map);
        const detail::AnyBody any;
        detail::for_each_near_solid(
            world.bodies, slot, point, {{}, any}, limit, [&](const auto& tile, std::int32_t) {
                ++looked_at;
                limit = std::fmin(limit, -collide(tile, Circle{0.0f, point}).penetration);
            });
        CHECK(limit == doctest::Approx(point == inside ? 5.1f : 700.0f));
        CHECK(looked_at < 3000);
        detail::for_each_near_solid(world.bodies, slot, point, {{.mask = 2}, any}, limit,
                                    [&](const auto&, std::int32_t) { looked_at = -1; });
        CHECK(looked_at > 0);
    }
}

TEST_CASE("tiles are closed on all sides: on a lattice, too, what touches one overlaps it") {
    int touching = 0;
    ask_on_lattices([&](const Level& level, test::Random& random) {
        const Shape shape = shape_on_quarters(random);
        std::size_t found = 0;
        level.world.for_each_overlap(shape, [&](BodyId) { ++found; });
        CHECK(found == indices_of_overlaps(level, shape).size());
        touching += level.deepest(shape) == 0.0f ? 1 : 0;
    });
    CHECK(touching > test::many / 200);
}

TEST_CASE("what touches a tile where rounding has placed it overlaps it") {
    test::Random random;
    for (int i = 0; i < test::many / 1000; ++i) {
        const Level level(random, random.point(300.0f), random.uniform(0.3f, 2.0f));
        for (const Level::Solid& solid : level.solids) {
            for (const Vec2 vertex : solid.polygon.vertices()) {
                const Shape point = Circle{0.0f, vertex};
                std::size_t found = 0;
                level.world.for_each_overlap(point, [&](BodyId) { ++found; });
                CHECK(found == indices_of_overlaps(level, point).size());
            }
        }
    }
}

TEST_CASE("rays that run along tiles, graze them or begin on their borders hit them") {
    int hits = 0, at_once = 0;
    ask_on_lattices([&](const Level& level, test::Random& random) {
        const Vec2 origin = point_on_quarters(random), way = way_on_quarters(random, 0.125f);
        const float expected = level.first_on_ray(origin, way);
        const float first = level.world.ray_cast(origin, way).fraction;
        float of_all = CastHit::nothing;
        level.world.for_each_on_ray(
            origin, way, [&](const QueryHit& hit) { of_all = std::fmin(of_all, hit.fraction); });
        const float rounding = 1e-5f;
        CHECK(std::fabs(first - expected) < rounding);
        CHECK(std::fabs(of_all - expected) < rounding);
        hits += expected <= 1.0f ? 1 : 0;
        at_once += expected == 0.0f ? 1 : 0;
    });
    CHECK(hits > test::many / 50);
    CHECK(at_once > test::many / 200);
}

TEST_CASE("a ray less than rounding outside the tiles beside its own sees what is behind them") {
    World world{{.gravity = {}}};
    TileMapRef map = test::add_tile_map(world);
    map.fill({{0, 101}, {31, 101}}, test::full);
    map.set({90, 99}, test::full);  // in another chunk
    const Vec2 from{0.5f, std::nextafter(100.0f, 0.0f)};
    CHECK(world.ray_cast(from, {100.0f, 0.0f}).fraction == doctest::Approx(0.895f));
}

TEST_CASE("a ray sees what is behind a kilometre of air, whichever way it goes") {
    for (const TileCoord tile : {TileCoord{1'000, 700}, {300, -900}, {-1'000, 0}, {-300, -900}}) {
        World world{{.gravity = {}}};
        TileMapRef map = test::add_tile_map(world);
        map.set(tile, test::full);
        map.set({-tile.x, -tile.y}, test::full);  // the map extends as far behind the ray
        const Vec2 way{static_cast<float>(tile.x), static_cast<float>(tile.y)};
        CHECK(world.ray_cast({0.5f, 0.5f}, way).fraction == doctest::Approx(1.0).epsilon(0.001));
    }
}

TEST_CASE("in the middle of a tile, as of a box, the way out is up") {
    World world{{.gravity = {}}};
    test::add_tile_map(world).set({3, 4}, test::full);
    CHECK(world.ray_cast({3.5f, 4.5f}, {}).normal == Vec2{0.0f, 1.0f});
}

TEST_CASE("a ray that begins on a border is in the tiles on both sides of it") {
    ask_on_lattices([&](const Level& level, test::Random& random) {
        const Vec2 origin = point_on_quarters(random);
        const Vec2 way = random.direction() * random.uniform(0.0f, 9.0f);
        const bool is_inside = level.is_inside(origin);
        CHECK((level.world.ray_cast(origin, way).fraction == 0.0f) == is_inside);
        float first = CastHit::nothing;
        level.world.for_each_on_ray(
            origin, way, [&](const QueryHit& hit) { first = std::fmin(first, hit.fraction); });
        CHECK((first == 0.0f) == is_inside);
    });
}

TEST_CASE("shapes that are cast as far as a tile, or begin as they touch it, hit it") {
    for (const Vec2 out : {Vec2{1.0f, 0.0f}, {-1.0f, 0.0f}, {0.0f, 1.0f}, {0.0f, -1.0f}}) {
        for (const Shape& shape : {Shape(Box{{0.5f, 0.5f}}), Shape(Circle{0.5f})}) {
            World world;
            TileMapRef map = test::add_tile_map(world);
            map.set({0, 0}, test::full);
            const Shape touching = translate(shape, Vec2{0.5f, 0.5f} + out);
            CHECK(world.shape_cast(translate(touching, out * 2.0f), out * -2.0f).fraction == 1.0f);
            CHECK(world.shape_cast(touching, out * -2.0f).fraction == 0.0f);
            CHECK_FALSE(world.shape_cast(touching, perpendicular(out)));
            CHECK_FALSE(world.shape_cast(touching, out));
        }
    }
}

TEST_CASE("shapes that are cast right at a corner of a tile hit it, and none that slides past it") {
    World world;
    TileMapRef map = test::add_tile_map(world);
    map.set({0, 0}, test::full);
    const Vec2 touching{1.5f, -0.5f};  // corner to corner
    for (const Vec2 way : {Vec2{-2.5f, 2.5f}, {-1.7f, 2.9f}, {-3.0f, 1.0f}, {-5.0f, 0.1f}}) {
        for (int i = -60; i <= 60; ++i) {
            const Vec2 beside{1e-6f * static_cast<float>(i), 0.0f};
            const Box box{{0.5f, 0.5f}, touching - way * 0.4f + beside};
            const float expected = shape_cast(box, way, full_tile()).fraction;
            CHECK(std::fabs(world.shape_cast(box, way).fraction - expected) < 1e-3f);
        }
    }
    for (const Vec2 out : {Vec2{1.0f, 0.0f}, {0.0f, -1.0f}}) {
        const Vec2 along{out.y, out.x};
        for (const Vec2 way : {along * 3.0f, along * -3.0f, out + along, out - along}) {
            const Vec2 start = touching - way * 0.5f;
            CHECK_FALSE(world.shape_cast(Box{{0.5f, 0.5f}, start}, way));
        }
    }
}

TEST_CASE("a tile shows what its like around it do not cover") {
    for (TileId id = 1; id <= test::tile_kinds; ++id) {
        World world;
        test::add_tile_map(world).fill({{-1, -1}, {1, 1}}, id);
        const Polygon& tile = test::tile_shapes[id];
        for (std::size_t i = 0; i < tile.size(); ++i) {
            const auto [from, to] = tile.edge(i);
            const Vec2 middle = (from + to) * 0.5f, normal = tile.normal(i);
            const bool is_upright = normal.y == 0.0f;
            const bool reaches_over = id == test::half_tile || id == test::gentle_slope;
            const bool is_covered = id == test::full || (reaches_over && is_upright);
            bool is_shown = false;
            const auto look_at = [&](const Surface& surface) {
                const auto [start, end] = surface.segment();
                const bool is_on_it = std::abs(dot(middle - start, normal)) < 1e-5f;
                const Vec2 along = normalized(end - start);
                const bool looks_out = dot(perpendicular(along), normal) < -0.9f;
                const float place = dot(middle - start, along);
                is_shown = is_shown ||
                           (is_on_it && looks_out && place > 0.0f && place < distance(start, end));
            };
            world.for_each_surface({{0.1f, 0.1f}, {0.9f, 0.9f}}, look_at);
            CAPTURE(id);
            CAPTURE(i);
            CHECK(is_shown == !is_covered);
        }
    }
}

TEST_CASE("rays meet one-way tiles from all sides, first or among all on their way") {
    World world;
    TileMapRef map = world.tile_map(world.create_tile_map());
    map.define(1, {.collider = {.one_way = OneWay::Up}});
    map.set({0, 0}, 1);
    const Vec2 middle{0.5f, 0.5f};
    for (const Vec2 from : {Vec2{0.5f, 3.0f}, {0.5f, -2.0f}, {-2.0f, 0.5f}, {3.0f, 0.5f}}) {
        const Vec2 way = (middle - from) * 0.9f;
        const QueryHit first = world.ray_cast(from, way);
        CHECK(first);
        int hits = 0;
        world.for_each_on_ray(from, way, [&](const QueryHit& hit) {
            ++hits;
            CHECK(hit.fraction == first.fraction);
            CHECK(hit.normal == first.normal);
        });
        CHECK(hits == 1);
    }
}

TEST_CASE("a ray makes the sides of those tiles alone that it may hit") {
    detail::WorldState world{};
    const BodyId body = detail::create_tile_map(world, {});
    TileMapRef map(world, body);
    map.define(1);
    map.define(2, {.collider = {.is_sensor = true}});
    map.fill({{0, 0}, {9, 0}}, 2);
    map.fill({{10, 0}, {12, 0}}, 1);
    const detail::Bodies& bodies = world.bodies;
    const std::int32_t water =
        bodies.slots.slot_of(bodies.terrain(bodies.slots.slot_of(body)).collider_of[2]);
    const auto sides = [&](bool sees_water) {
        int tiles = 0, count = 0;
        const float limit = 1.0f;
        detail::for_each_tile_on_ray(
            bodies, bodies.slots.slot_of(body), {{-1.0f, 0.5f}, {15.0f, 0.0f}, 0.0f}, limit,
            [&](std::int32_t kind) { return sees_water || kind != water; },
            [&](const AABB&) { ++tiles; },
            [&](const detail::Face&, std::int32_t kind) { count += kind == water ? 1 : 0; });
        CHECK(tiles >= 13);
        return count;
    };
    CHECK(sides(true) > 0);
    CHECK(sides(false) == 0);
}

}  // namespace tile_map_queries_test

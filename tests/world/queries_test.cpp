// SPDX-License-Identifier: MIT
// Do queries find exactly what looking at every body finds, at any moment? SCENES [27]
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "support/random.hpp"
#include "support/random_bodies.hpp"

namespace queries_test {

using namespace phys2d;

namespace {

/// A world in which bodies of all kinds and sizes come, go, move and fall asleep.
class Room {
public:
    explicit Room(std::uint64_t seed) : random(seed * test::Random::default_seed) {
        for (int i = 0; i < 150; ++i) add();
    }

    void change() {
        change_by_hand();
        if (random.one_in(2)) world.step();
    }
    void change_by_hand() {
        const BodyId id = world.ids()[random.bits() % world.body_count()];
        switch (random.integer(0, 6)) {
            case 0: world.body(id).teleport(random.point(12.0f)); break;
            case 1: world.body(id).set_type(static_cast<BodyType>(random.integer(0, 2))); break;
            case 2: world.body(id).set_shape(test::random_collider(random)); break;
            case 3:
                world.destroy_body(id);
                add();
                add();
                world.destroy_body(world.ids()[0]);
                break;
            case 4: world.body(id).set_enabled(!world.body(id).is_enabled()); break;
            default: break;
        }
    }

    /// The bodies a filter lets see, with their shapes where they are.
    template <class Visit>
    void for_each_seen(const QueryFilter& filter, Visit visit) const {
        for (const BodyId id : world.ids()) {
            const ConstBodyRef body = world.body(id);
            if (!body.is_enabled()) continue;
            if (body.collider_def().is_sensor && !filter.sensors) continue;
            if ((body.filter().category & filter.mask) == 0) continue;
            visit(translate(body.shape(), body.position()));
        }
    }

    test::Random random;
    World world{{.gravity = {0.0f, -10.0f}, .time_to_sleep = 0.3f}};

private:
    void add() {
        world.create_body(
            {.type = static_cast<BodyType>(random.integer(0, 2)),
             .position = random.point(12.0f),
             .velocity = random.point(10.0f)},
            test::random_collider(random), {},
            {.filter = {.category = 1u << random.integer(0, 1)}, .is_sensor = random.one_in(10)});
    }
};

struct Question {
    Vec2 origin, way;
    Shape shape;
    QueryFilter filter;

    explicit Question(test::Random& random)
        : origin(random.point(14.0f)),
          way(random.point(random.one_in(3) ? 100.0f : 8.0f)),
          shape(test::random_collider(random)),
          filter{.mask = random.bits() % 4, .sensors = random.one_in(2)} {
        if (random.one_in(8)) way.x = 0.0f;
        if (random.one_in(8)) way.y = 0.0f;
        shape.center = origin;
    }
};

int wrong_casts(const Room& room, const Question& ask) {
    float ray = CastHit::nothing, cast = CastHit::nothing;
    room.for_each_seen(ask.filter, [&](const Shape& shape) {
        ray = min(ray, ray_cast(ask.origin, ask.way, shape).fraction);
        cast = min(cast, shape_cast(ask.shape, ask.way, shape).fraction);
    });
    const QueryHit hit = room.world.ray_cast(ask.origin, ask.way, ask.filter);
    const QueryHit met = room.world.shape_cast(ask.shape, ask.way, ask.filter);
    return (hit.fraction != ray ? 1 : 0) + (met.fraction != cast ? 1 : 0);
}

int wrong_lists(const Room& room, const Question& ask) {
    int overlapping = 0, on_ray = 0, on_cast = 0, wrong = 0;
    room.for_each_seen(ask.filter, [&](const Shape& shape) {
        overlapping += overlaps(shape, ask.shape) ? 1 : 0;
        on_ray += ray_cast(ask.origin, ask.way, shape) ? 1 : 0;
        on_cast += shape_cast(ask.shape, ask.way, shape) ? 1 : 0;
    });
    wrong += room.world.any_overlap(ask.shape, ask.filter) == (overlapping > 0) ? 0 : 1;
    room.world.for_each_overlap(
        ask.shape, [&](BodyId) { --overlapping; }, ask.filter);
    const auto take_in_order = [&wrong](int& count) {
        return [&wrong, &count, last = 0.0f](const QueryHit& hit) mutable {
            --count;
            wrong += hit.fraction < last ? 1 : 0;
            last = hit.fraction;
        };
    };
    room.world.for_each_on_ray(ask.origin, ask.way, take_in_order(on_ray), ask.filter);
    room.world.for_each_on_cast(ask.shape, ask.way, take_in_order(on_cast), ask.filter);
    return wrong + (overlapping != 0 ? 1 : 0) + (on_ray != 0 ? 1 : 0) + (on_cast != 0 ? 1 : 0);
}

bool is_nearest_right(const Room& room, const Question& ask, float within) {
    float nearest = within;
    bool any = false;
    const Shape point = Circle{0.0f, ask.origin};
    room.for_each_seen(ask.filter, [&](const Shape& shape) {
        const float distance = -collide(shape, point).penetration;
        any = any || distance <= within;
        nearest = min(nearest, distance);
    });
    const NearestBody found = room.world.nearest(ask.origin, within, ask.filter);
    constexpr float none = std::numeric_limits<float>::infinity();
    return static_cast<bool>(found) == any && found.distance == (any ? nearest : none);
}

/// Whether the nearest point is on a surface, along the normal from it, inside as outside.
bool is_on_surface(const Room& room, const Question& ask) {
    constexpr float rounding = 1e-4f;
    const NearestBody found = room.world.nearest(ask.origin, 20.0f, ask.filter);
    if (!found) return true;
    const Shape point = Circle{0.0f, found.point};
    float off = std::numeric_limits<float>::infinity();
    room.for_each_seen(ask.filter, [&](const Shape& shape) {
        off = min(off, std::fabs(collide(shape, point).penetration));
    });
    const Vec2 way = ask.origin - found.point;
    return off < rounding && length(way - found.normal * found.distance) < rounding;
}

struct WrongAnswers {
    int casts = 0, lists = 0, nearest = 0, points = 0;

    void count(Room& room, int questions) {
        for (int i = 0; i < questions; ++i) {
            const Question ask(room.random);
            casts += wrong_casts(room, ask);
            lists += wrong_lists(room, ask);
            nearest += is_nearest_right(room, ask, i % 2 == 0 ? 20.0f : 0.5f) ? 0 : 1;
            points += is_on_surface(room, ask) ? 0 : 1;
        }
    }
    void check() const {
        CHECK(casts == 0);
        CHECK(lists == 0);
        CHECK(nearest == 0);
        CHECK(points == 0);
    }
};

}  // namespace

TEST_CASE("queries find what looking at every body finds, right after any change") {
    WrongAnswers wrong;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Room room(seed);
        for (int change = 0; change < test::many / 10'000; ++change) {
            room.change();
            wrong.count(room, 200);
        }
    }
    wrong.check();
}

TEST_CASE("queries find what looking at every body finds while changes are sorted by the way") {
    WrongAnswers wrong;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        Room room(seed);
        for (int change = 0; change < test::many / 1'000; ++change) {
            room.change_by_hand();
            if (room.random.one_in(50)) room.world.step();
            if (room.random.one_in(2)) room.world.index_changes();
            wrong.count(room, 10);
        }
    }
    wrong.check();
}

TEST_CASE("rays of kilometres at any angle, shallow ones too, miss nothing") {
    test::Random random;
    World world;
    for (int i = 0; i < 3000; ++i) {
        const Vec2 place{random.uniform(-10'000.0f, 10'000.0f), random.uniform(-50.0f, 50.0f)};
        const Vec2 half{random.uniform(0.05f, 3.0f), random.uniform(0.05f, 3.0f)};
        world.create_body(
            {.type = i % 3 == 0 ? BodyType::Dynamic : BodyType::Static, .position = place},
            i % 2 == 0 ? Shape(Box{half}) : Shape(Circle{half.x}));
    }
    world.step();
    int hits = 0;
    for (int i = 0; i < test::many / 1000; ++i) {
        const Vec2 origin{random.uniform(-9'000.0f, 9'000.0f), random.uniform(-60.0f, 60.0f)};
        const float slope = random.one_in(4) ? 0.0f : random.uniform(-0.02f, 0.02f);
        const Vec2 way =
            Vec2{random.one_in(2) ? 1.0f : -1.0f, slope} * random.uniform(10.0f, 9'000.0f);
        float nearest = CastHit::nothing;
        for (std::size_t k = 0; k < world.ids().size(); ++k) {
            const Shape shape = translate(world.shapes()[k], std::as_const(world).positions()[k]);
            nearest = min(nearest, ray_cast(origin, way, shape).fraction);
        }
        CHECK(world.ray_cast(origin, way).fraction == nearest);
        hits += nearest <= 1.0f ? 1 : 0;
    }
    CHECK(hits > test::many / 4000);
}

TEST_CASE("rays of kilometres at the vertices of polygons and loops do not get in") {
    test::Random random;
    int missed = 0;
    for (int i = 0; i < 600; ++i) {
        const auto corners = static_cast<std::size_t>(random.integer(3, 7));
        const float turn = random.uniform(0.0f, 6.28f);
        std::vector<Vec2> vertices;
        for (std::size_t k = 0; k < corners; ++k) {
            const float angle =
                turn + 6.2831853f * static_cast<float>(k) / static_cast<float>(corners);
            vertices.push_back({10.0f * std::cos(angle), 10.0f * std::sin(angle)});
        }
        World world({.gravity = {}});
        const BodyDef body{.type = BodyType::Static, .position = random.point(100.0f)};
        if (i % 2 == 0) world.create_body(body, Polygon{vertices});
        if (i % 2 == 1) world.create_body(body, Chain{vertices, true});
        for (int ray = 0; ray < 40; ++ray) {
            const Vec2 vertex = vertices[static_cast<std::size_t>(ray) % corners];
            const Vec2 outwards = normalized(vertex + random.point(2.0f));
            const Vec2 away = outwards * std::pow(10.0f, random.uniform(1.0f, 4.0f));
            const Vec2 origin = body.position + vertex + away;
            missed +=
                world.ray_cast(origin, body.position + vertex - origin - outwards * 8.0f) ? 0 : 1;
        }
    }
    CHECK(missed == 0);
}

TEST_CASE("rays and casts meet what is so small or far away that its bounds are a point") {
    constexpr float far_off = 1e5f;
    const auto place = [](int i) {
        const float x = far_off + 2.0f * static_cast<float>(i);
        return Vec2{x, x};
    };
    for (const bool beside_large : {false, true}) {
        CAPTURE(beside_large);
        World world({.gravity = {}});
        for (int i = 0; i < 20; ++i)
            world.create_body({.type = BodyType::Static, .position = place(i)}, Circle{1e-3f});
        if (beside_large)
            world.create_body({.type = BodyType::Static, .position = {far_off + 500.0f, far_off}},
                              Box{{1.0f, 1.0f}});
        world.step();
        int rays = 0, casts = 0;
        for (int i = 0; i < 20; ++i) {
            for (const Vec2 from : {Vec2{-1.0f, 0.0f}, Vec2{0.0f, 2.0f}, Vec2{1.0f, -1.0f}}) {
                rays += world.ray_cast(place(i) + from, from * -2.0f) ? 1 : 0;
                casts += world.shape_cast(Circle{0.5f, place(i) + from}, from * -2.0f) ? 1 : 0;
            }
        }
        CHECK(rays == 60);
        CHECK(casts == 60);
    }
}

TEST_CASE("rays meet segments and chains that they run along, and are told of each once") {
    test::Random random;
    int along = 0;
    const auto lattice_point = [&](int most) {
        return Vec2{static_cast<float>(random.integer(-most, most)),
                    static_cast<float>(random.integer(-most, most))};
    };
    const Vec2 ways[] = {{1.0f, 0.0f}, {0.0f, 1.0f}, {1.0f, 1.0f}, {1.0f, -1.0f}};
    for (int i = 0; i < test::many / 100; ++i) {
        Vec2 points[] = {lattice_point(3), {}, {}};
        for (int k = 1; k < 3; ++k) {
            points[k] = points[k - 1] + ways[random.bits() % 4] * (random.one_in(2) ? 1.0f : -2.0f);
        }
        const bool is_chain = random.one_in(2) && points[2] != points[0];
        World world;
        world.create_body({.type = BodyType::Static},
                          is_chain ? Outline(Chain{.points = {points, 3}, .is_two_sided = true})
                                   : Outline(Segment{points[0], points[1]}));
        const Vec2 origin = lattice_point(6);
        const Vec2 way = ways[random.bits() % 4] * (random.one_in(2) ? 7.5f : -7.5f);
        CastHit expected = ray_cast(origin, way, Polygon(Segment{points[0], points[1]}));
        if (is_chain) {
            const CastHit other = ray_cast(origin, way, Polygon(Segment{points[1], points[2]}));
            if (other.fraction < expected.fraction) expected = other;
        }
        const QueryHit first = world.ray_cast(origin, way);
        const float rounding = 1e-6f;
        CHECK(std::fabs(first.fraction - expected.fraction) < rounding);
        int told_there = 0, told = 0;
        world.for_each_on_ray(origin, way, [&](const QueryHit& hit) {
            ++told;
            told_there += hit.fraction == first.fraction ? 1 : 0;
        });
        CHECK(told_there == (expected ? 1 : 0));
        const Vec2 line = points[1] - points[0];
        const bool is_exact = line.x == 0.0f || line.y == 0.0f;  // no rounding at its ends
        if (!is_chain && is_exact) CHECK(told == (expected ? 1 : 0));
        along += expected && expected.normal == -normalized(way) ? 1 : 0;
    }
    CHECK(along > test::many / 4000);
}

TEST_CASE("a ray along a chain with one side is stopped at its end") {
    for (const float side : {1.0f, -1.0f}) {
        World world;
        const Vec2 points[] = {{2.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 0.0f}};
        world.create_body({.type = BodyType::Static}, Chain{.points = {points, 3}});
        const QueryHit hit = world.ray_cast({1.0f - 2.0f * side, 0.0f}, {4.0f * side, 0.0f});
        CHECK(hit.fraction == 0.25f);
        CHECK(hit.normal == Vec2{-side, 0.0f});
    }
}

TEST_CASE("a ray tells what it met first, where, and the way out") {
    World world;
    const BodyId wall =
        world.create_body({.type = BodyType::Static, .position = {5.0f, 0.0f}}, Box{{1.0f, 1.0f}});
    const BodyId ball = world.create_body({.position = {8.0f, 0.0f}}, Circle{0.5f});
    const QueryHit hit = world.ray_cast({0.0f, 0.25f}, {10.0f, 0.0f});
    REQUIRE(hit);
    CHECK(hit.body == wall);
    CHECK(hit.fraction == doctest::Approx(0.4f));
    CHECK(hit.normal == Vec2{-1.0f, 0.0f});
    CHECK(hit.point == Vec2{4.0f, 0.25f});
    CHECK(world.ray_cast({0.0f, 0.25f}, {10.0f, 0.0f}, {.except = wall}).body == ball);
    CHECK_FALSE(world.ray_cast({0.0f, 0.25f}, {-10.0f, 0.0f}));
}

TEST_CASE("of two bodies met at once the one with the lower index is named, wherever in memory") {
    for (const bool swapped : {false, true}) {
        World world;
        const BodyType types[] = {BodyType::Static, BodyType::Dynamic};
        const BodyId first = world.create_body({.type = types[swapped ? 1 : 0]}, Circle{0.5f});
        world.create_body({.type = types[swapped ? 0 : 1]}, Circle{0.5f});
        CHECK(world.ray_cast({-5.0f, 0.0f}, {10.0f, 0.0f}).body == first);
        CHECK(world.nearest({-5.0f, 0.0f}, 10.0f).body == first);
    }
}

TEST_CASE("steps have the same bits whether what has changed was indexed or not") {
    Room room(3);
    for (int round = 0; round < 100; ++round) {
        for (int i = 0; i < 2; ++i) room.change_by_hand();
        World indexed = room.world;
        for (int i = 0; i < 20; ++i) indexed.index_changes();
        for (int i = 0; i < 3; ++i) {
            room.world.step();
            indexed.step();
            REQUIRE(indexed.state_hash() == room.world.state_hash());
        }
    }
}

TEST_CASE("queries in the middle of a step are refused in words") {
    using Query = void (*)(World&);
    const Query queries[] = {
        [](World& world) { world.index_changes(); },
        [](World& world) {
            (void)world.ray_cast({}, {1.0f, 0.0f});
        },
        [](World& world) {
            (void)world.shape_cast(Circle{1.0f}, {1.0f, 0.0f});
        },
        [](World& world) {
            world.for_each_on_ray({}, {1.0f, 0.0f}, [](const auto&) {});
        },
        [](World& world) {
            world.for_each_on_cast(Circle{1.0f}, {1.0f, 0.0f}, [](const auto&) {});
        },
        [](World& world) { world.for_each_overlap(Circle{1.0f}, [](BodyId) {}); },
        [](World& world) { (void)world.any_overlap(Circle{1.0f}); },
        [](World& world) { (void)world.nearest({}, 1.0f); },
        [](World& world) {
            world.for_each_surface({{0.0f, 0.0f}, {1.0f, 1.0f}}, [](const auto&) {});
        }};
    for (const Query query : queries) {
        struct Asked {
            World* world;
            Query query;
        } asked{nullptr, query};
        World world({.pair_filter =
                         [](void* context, BodyId, BodyId) {
                             const auto& [where, ask] = *static_cast<Asked*>(context);
                             ask(*where);
                             return true;
                         },
                     .pair_filter_context = &asked});
        asked.world = &world;
        world.create_body({}, Circle{1.0f});
        world.create_body({}, Circle{1.0f});
        CHECK_THROWS_WITH_AS(
            world.step(), doctest::Contains("the world is inside step(), expected a call"), Error);
    }
}

TEST_CASE("nonsense is refused in words") {
    const World world;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    CHECK_THROWS_AS((void)world.ray_cast({nan, 0.0f}, {1.0f, 0.0f}), Error);
    CHECK_THROWS_AS((void)world.shape_cast(Circle{-1.0f}, {1.0f, 0.0f}), Error);
    CHECK_THROWS_AS((void)world.nearest({0.0f, 0.0f}, -1.0f), Error);
    const auto ignore = [](const auto&) {};
    CHECK_THROWS_AS(world.for_each_on_cast(Circle{0.0f}, {1.0f, 0.0f}, ignore), Error);
    CHECK_THROWS_AS(world.for_each_on_cast(Circle{1.0f}, {nan, 0.0f}, ignore), Error);
    CHECK_THROWS_AS(world.for_each_overlap(Circle{-1.0f}, ignore), Error);
    CHECK_THROWS_AS((void)world.any_overlap(Circle{-1.0f}), Error);
    CHECK_THROWS_AS((void)world.any_overlap(AABB{{1.0f, 0.0f}, {-1.0f, 1.0f}}), Error);
    CHECK_THROWS_AS(world.for_each_overlap(Circle{1.0f, {nan, 0.0f}}, ignore), Error);
    CHECK_THROWS_AS(world.for_each_surface({{1.0f, 0.0f}, {-1.0f, 1.0f}}, ignore), Error);
    std::string sentence;
    try {
        (void)world.ray_cast({0.0f, 0.0f}, {0.0f, nan});
    } catch (const Error& error) {
        sentence = error.what();
    }
    CHECK(sentence == "ray_cast: the translation is (0, nan), expected finite numbers");
    CHECK_FALSE(world.ray_cast({0.0f, 0.0f}, {1.0f, 0.0f}));  // of an empty world
}

TEST_CASE("what an overlap visits may be destroyed, and others with it, and new ones created") {
    World world({.gravity = {}, .time_to_sleep = 0.1f});
    for (int i = 0; i < 40; ++i) {
        world.create_body({.position = {static_cast<float>(i % 8), static_cast<float>(i / 8)}},
                          Circle{0.4f});
    }
    for (int i = 0; i < 20; ++i) world.step();  // all asleep: waking one moves others in memory
    const std::vector<BodyId> all(world.ids().begin(), world.ids().end());
    int visited = 0;
    world.for_each_overlap(AABB{{-1.0f, -1.0f}, {8.0f, 5.0f}}, [&](BodyId id) {
        ++visited;
        CHECK(world.contains(id));
        world.destroy_body(id);
        for (const BodyId other : all) {
            if (!world.contains(other)) continue;
            world.destroy_body(other);
            break;
        }
        world.create_body({.position = {3.0f, 3.0f}}, Circle{0.4f});
    });
    CHECK(visited == 20);
    CHECK(world.body_count() == 20);
}

namespace {

bool throws_now = false;

float throwing_mix(float a, float b) {
    if (throws_now) throw std::runtime_error("mix");
    return a < b ? a : b;
}

}  // namespace

TEST_CASE("queries are exact after a step that a mix function threw out of, in a first one too") {
    test::Random random;
    int wrong = 0;
    for (int round = 0; round < 20; ++round) {
        World world({.gravity = {}, .mix_restitution = throwing_mix});
        const auto crowd = [&] {
            for (int i = 0; i < 30; ++i) {
                const float unit = static_cast<float>(i);
                world.create_body({.position = {0.5f * unit, random.uniform(0.0f, 0.1f)},
                                   .velocity = random.point(3.0f)},
                                  Circle{0.3f});
            }
        };
        crowd();
        for (int step = 0; step < 6; ++step) {
            throws_now = step % 2 == 0;
            try {
                world.step();
            } catch (const std::runtime_error&) {}
            for (const BodyId id : world.ids()) {
                const Vec2 place = world.body(id).position();
                const auto is_it = [&](BodyId other) { return other == id; };
                wrong += world.any_overlap(Circle{0.0f, place}, {}, is_it) ? 0 : 1;
            }
            if (step == 2) world.destroy_body(world.ids()[3]);
            if (step == 3) crowd();
        }
    }
    throws_now = false;
    CHECK(wrong == 0);
}

TEST_CASE("what a query's test does not accept is to the query as if it were switched off") {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Room room(seed);
        World& world = room.world;
        const BodyId map = world.create_tile_map({.position = {-6.0f, -9.0f}});
        world.tile_map(map).define(1);
        for (int i = 0; i < 30; ++i) {
            const TileCoord tile{room.random.integer(0, 12), room.random.integer(0, 12)};
            world.tile_map(map).set(tile, 1);
        }
        const Vec2 hill[] = {{9.0f, 2.0f}, {0.0f, 4.0f}, {-9.0f, 3.0f}};
        world.create_body({.type = BodyType::Static}, Chain{.points = hill});
        for (int i = 0; i < 3; ++i) world.step();
        World without = world;
        std::vector<BodyId> ids(world.ids().begin(), world.ids().end());
        for (const BodyId id : ids) {
            if (id.index % 2 == seed % 2) without.body(id).set_enabled(false);
        }
        const auto accepts = [&](BodyId id) { return id.index % 2 != seed % 2; };
        int different = 0;
        for (int i = 0; i < test::many / 100; ++i) {
            const Vec2 from = room.random.point(12.0f);
            const Vec2 way = room.random.point(20.0f);
            const Circle ball{room.random.uniform(0.01f, 1.0f), from};
            const auto is_same = [&](const QueryHit& a, const QueryHit& b) {
                return a.collider == b.collider && a.fraction == b.fraction && a.normal == b.normal;
            };
            const NearestBody near = world.nearest(from, 5.0f, {}, accepts);
            const NearestBody other = without.nearest(from, 5.0f);
            different +=
                !is_same(world.ray_cast(from, way, {}, accepts), without.ray_cast(from, way)) ||
                !is_same(world.shape_cast(ball, way, {}, accepts), without.shape_cast(ball, way)) ||
                near.collider != other.collider || near.distance != other.distance ||
                world.any_overlap(ball, {}, accepts) != without.any_overlap(ball);
        }
        CHECK(different == 0);
    }
}

TEST_CASE("each body is visited once, however many colliders it has") {
    World world;
    const BodyId a = world.create_body({}, Circle{0.5f});
    const BodyId b = world.create_body({.type = BodyType::Static}, Circle{0.5f});
    for (int i = 0; i < 3; ++i) world.add_collider(a, Circle{0.1f});
    std::vector<BodyId> visited;
    world.for_each_body([&](BodyId id) { visited.push_back(id); });
    CHECK(visited == std::vector<BodyId>{a, b});
}

TEST_CASE("surfaces of terrain are flush to a length that scales with the unit") {
    for (const float unit : {0.01f, 1.0f, 100.0f}) {
        CAPTURE(unit);
        World world({.length_unit = unit});
        world.create_body({.type = BodyType::Static}, Segment{{-unit, 0.0f}, {0.0f, 0.0f}});
        const auto touches = [&](float over) {
            bool any = false;
            const Box box{{0.5f * unit, 0.5f * unit},
                          {(0.5f - over) * unit, 0.499999f * unit}};  // its side over the left end
            world.for_each_surface(aabb_around({}, {2.0f * unit, 2.0f * unit}),
                                   [&](const Surface& surface) {
                                       if (!surface.is_face()) return;
                                       const Manifold touch = surface.touch(box, 0.001f * unit);
                                       any = any || touch.normal.y > 0.9f;
                                   });
            return any;
        };
        CHECK(touches(2e-5f));
        CHECK_FALSE(touches(5e-6f));
    }
}

TEST_CASE("of bodies that are equally near, the one with the lowest index is the nearest") {
    for (const float first : {-1.0f, 1.0f}) {
        World world({.gravity = {}});
        const BodyId one = world.create_body({.position = {first, 0.0f}}, Circle{0.5f});
        world.create_body({.position = {-first, 0.0f}}, Circle{0.5f});
        world.create_body({.position = {0.0f, 1.0f}}, Circle{0.5f});
        CHECK(world.nearest({}, 10.0f).body == one);
        world.step();
        CHECK(world.nearest({}, 10.0f).body == one);
    }
}

TEST_CASE("the pieces of terrain in a box are those that overlap it, in a box of any size all") {
    World world;
    const BodyDef fixed{.type = BodyType::Static};
    const Vec2 hill[] = {{2.0f, 0.0f}, {1.0f, 1.0f}, {0.0f, 0.0f}};
    const BodyId map = world.create_tile_map({.position = {0.0f, -1.0f}});
    TileMapRef tiles = world.tile_map(map);
    const ColliderId slopes = tiles.define('/', {.shape = {{0, 0}, {1, 0}, {1, 1}}});
    tiles.load("//");
    const auto pieces = [&](ColliderId terrain, const AABB& box) {
        int count = 0;
        world.collider(terrain).for_each_piece(box, [&](auto&) { ++count; });
        return count;
    };
    const ColliderId chain = first_collider(world.create_body(fixed, Chain{hill}));
    const ColliderId triangle = first_collider(world.create_body(fixed, Polygon(hill)));
    const ColliderId ground = first_collider(world.create_body(fixed, HalfSpace{}));
    const AABB above{{0.1f, 1.1f}, {1.9f, 2.0f}}, beside{{0.1f, 0.8f}, {0.5f, 0.9f}};
    const AABB top{{0.9f, 0.9f}, {1.1f, 2.0f}}, corner{{0.1f, -0.4f}, {0.3f, -0.1f}};
    for (const ColliderId terrain : {chain, triangle, ground, slopes}) {
        CHECK(pieces(terrain, above) == 0);
        CHECK(pieces(terrain, beside) == 0);
    }
    CHECK(pieces(chain, top) == 2);
    CHECK(pieces(triangle, top) == 1);
    CHECK(pieces(slopes, corner) == 0);
    CHECK(pieces(ground, corner) == 1);
    for (const float size : {1e2f, 1e7f, 1e9f, 1e15f}) {
        const AABB all{{-size, -size}, {size, size}};
        CHECK(pieces(chain, all) == 2);
        CHECK(pieces(triangle, all) == 1);
        CHECK(pieces(slopes, all) == 2);
        CHECK(pieces(first_collider(map), all) == 5);  // with one bottom
    }
}

TEST_CASE("a segment or a piece of a chain is all there, however long it is") {
    const Vec2 points[] = {{150'000.0f, 0.0f}, {0.0f, 0.0f}};
    for (const bool is_chain : {false, true}) {
        World world({.gravity = {}, .length_unit = 100.0f});
        world.create_body({.type = BodyType::Static}, is_chain
                                                          ? Outline(Chain{.points = points})
                                                          : Outline(Segment{points[0], points[1]}));
        for (const float x : {1000.0f, 49'000.0f, 51'000.0f, 149'000.0f}) {
            const BodyId sensor =
                world.create_body({.type = BodyType::Kinematic, .position = {x, 0.0f}},
                                  Box{{50.0f, 50.0f}}, {}, {.is_sensor = true});
            world.step();
            int visitors = 0, overlaps = 0;
            world.for_each_visitor(sensor, [&](BodyId) { ++visitors; });
            world.for_each_overlap(Circle{10.0f, {x, 0.0f}}, [&](BodyId) { ++overlaps; });
            CHECK(visitors == 1);
            CHECK(overlaps == 1);
            CHECK(world.nearest({x, 5.0f}, 20.0f));
            CHECK(world.ray_cast({x, 0.0f}, {1.0f, 0.0f}).fraction == 0.0f);
        }
    }
}

TEST_CASE("a polygon with short edges is all there, however far out it is") {
    const Polygon polygon{{-1.0f, 0.0f},    {-0.7f, -0.7f},  {0.0f, -1.0f},      {0.7f, -0.7f},
                          {1.0f, -0.0001f}, {1.0f, 0.0002f}, {0.9998f, 0.0008f}, {0.7f, 0.7f},
                          {0.0f, 1.0f},     {-0.7f, 0.7f}};
    test::Random random;
    int overlaps = 0, visitors = 0, near = 0, rays = 0;
    constexpr int count = 1000;
    for (int i = 0; i < count; ++i) {
        const Vec2 place = random.point(16'000.0f);
        World world({.gravity = {}});
        const BodyDef ground{.type = BodyType::Static, .position = place};
        const BodyId body = world.create_body(ground, polygon);
        const Vec2 inside = place + random.point(0.4f);
        const Shape box = Box{{0.5f, 0.3f}};
        const BodyDef feeler{.type = BodyType::Kinematic, .position = inside};
        const BodyId sensor = world.create_body(feeler, box, {}, {.is_sensor = true});
        world.step();
        world.for_each_overlap(translate(box, inside), [&](BodyId) { ++overlaps; });
        world.for_each_visitor(sensor, [&](BodyId) { ++visitors; });
        const Manifold truth = collide(polygon, Circle{0.0f, inside - place});
        const NearestBody nearest = world.nearest(inside, 1.0f);
        near += nearest.body == body && std::fabs(nearest.distance + truth.penetration) < 0.01f;
        rays += world.ray_cast(inside, {3.0f, 0.0f}).fraction == 0.0f;
    }
    CHECK(overlaps == count);
    CHECK(visitors == count);
    CHECK(near == count);
    CHECK(rays == count);
}

TEST_CASE("what has just fallen asleep is looked for in a grid, and found once") {
    detail::WorldState world{.config = {.gravity = {}, .time_to_sleep = 0.1f}};
    constexpr int count = 300;
    for (int i = 0; i < count; ++i) {
        const BodyDef def{.position = {2.0f * static_cast<float>(i), 0.0f}};
        (void)detail::create_body(world, def, Circle{0.5f}, {}, {});
    }
    detail::Alone alone;
    for (int i = 0; i < 60 && world.events.fell_asleep.empty(); ++i) {
        world.events.clear();
        detail::step<PHYS2D_LANES>(world, alone);
    }
    CHECK(world.bodies.sleeping_count() == count);
    const auto visited_in = [](const detail::WorldState& state, const AABB& box) {
        int visited = 0;
        state.broad_phase.for_each_body_in(state.bodies, box, [&](std::int32_t) { ++visited; });
        return visited;
    };
    CHECK(visited_in(world, {{-1e3f, -1e3f}, {1e3f, 1e3f}}) == count);
    CHECK(visited_in(world, {{10.0f, 0.0f}, {12.0f, 0.0f}}) == 2);
    const detail::WorldState copy = world;
    detail::wake_all(world);
    CHECK(visited_in(world, {{-1e3f, -1e3f}, {1e3f, 1e3f}}) == count);
    CHECK(visited_in(copy, {{10.0f, 0.0f}, {12.0f, 0.0f}}) == 2);
}

TEST_CASE("the nearest body is the same however far away it might be") {
    test::Random random;
    for (int round = 0; round < 8; ++round) {
        World world{{.gravity = {}}};
        if (round % 2 == 1) {
            world.create_body({.type = BodyType::Static, .position = {0.0f, -30.0f}}, HalfSpace{});
        }
        std::vector<Vec2> corners;
        for (int i = 0; i < 200; ++i) corners.push_back({static_cast<float>(-i), -25.0f});
        if (round % 4 > 1) world.create_body({.type = BodyType::Static}, Chain{corners});
        for (int i = 0; i < 100; ++i) {
            const float radius = random.log_uniform(1e-3f, 3.0f);
            world.create_body({.position = random.point(20.0f)}, Circle{radius});
        }
        if (round > 3) world.step();
        for (int i = 0; i < test::many / 2000; ++i) {
            const Vec2 point = random.point(random.one_in(3) ? 100.0f : 30.0f);
            const NearestBody nearest = world.nearest(point, 150.0f);
            REQUIRE(nearest);
            for (const float within : {max(nearest.distance, 0.0f) + 1e-3f, 1e3f, 1e9f}) {
                const NearestBody again = world.nearest(point, within);
                CHECK(again.body == nearest.body);
                CHECK(again.distance == nearest.distance);
                CHECK(again.normal == nearest.normal);
            }
        }
    }
}

}  // namespace queries_test

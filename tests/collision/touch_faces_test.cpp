// SPDX-License-Identifier: MIT
// Do eight shapes touch eight faces as each would on its own, those that they lie on from above,
// and none that they have room before, or of which plane and ends tell that they may not?
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/phys2d.hpp>

#include "support/random.hpp"
#include "support/random_polygons.hpp"

namespace touch_faces_test {

using namespace phys2d;
using detail::Face;

namespace {

constexpr int width = 8;
constexpr float margin = 0.02f;
constexpr float flush = 1e-5f;
constexpr float by_forces = 0.003f;  // the translation along an axis, at most

Vec2 random_normal(test::Random& random) {
    const Vec2 axes[] = {{1.0f, 0.0f}, {0.0f, 1.0f}, {-1.0f, 0.0f}, {0.0f, -1.0f}};
    if (random.one_in(2)) return axes[random.bits() % 4];
    return normalized_or(random.point(1.0f), {0.0f, 1.0f});
}

/// A face between two others, or at an open end, around the origin.
Face random_face(test::Random& random) {
    Face face;
    face.start = random.point(0.5f);
    face.normal = random_normal(random);
    face.before = face.normal;
    face.length = face.end = random.uniform(0.1f, 1.0f);
    face.half_thickness = random.uniform(0.0f, 0.5f);
    const Vec2 before = random_normal(random), after = random_normal(random);
    random.one_in(3) ? begin_open(face) : (void)join_after(face, before, 0.001f);
    random.one_in(3) ? end_open(face) : (void)join_before(face, after, 0.001f);
    return face;
}

/// A shape and its motion in a step, with and without forces.
struct MovingShape {
    Vec2 center, half_extents;
    float radius;
    Vec2 way, free_way;

    explicit MovingShape(test::Random& random)
        : center(random.point(1.0f)),
          radius(random.one_in(2) ? random.uniform(0.01f, 0.4f) : 0.0f),
          way(random.one_in(3) ? Vec2{} : random.point(random.one_in(2) ? 0.01f : 1.0f)),
          free_way(random.one_in(2) ? way : way + random.point(by_forces)) {
        const bool is_circle = radius > 0.0f && random.one_in(2);
        if (!is_circle) half_extents = {random.uniform(0.01f, 0.4f), random.uniform(0.01f, 0.4f)};
    }

    /// Puts it on a face, with a side at an end of that.
    void put_at_end(const Face& face, test::Random& random) {
        const Vec2 along = perpendicular(face.normal);
        const Vec2 outer = half_extents + Vec2{radius, radius};
        const float end = random.one_in(2) ? -dot(half_extents, abs(along))
                                           : face.end + dot(half_extents, abs(along));
        center = face.start + along * end + face.normal * dot(outer, abs(face.normal)) +
                 random.point(0.003f);
    }
};

/// Shapes and faces in columns.
template <int Width>
detail::NearFace<Width> near_faces(const MovingShape* shapes, const Face* faces) {
    using Real = detail::simd::Lanes<Width>;
    const auto column = [&](auto value) {
        float values[Width];
        for (int i = 0; i < Width; ++i) values[i] = value(shapes[i], faces[i]);
        return Real::load(values);
    };
    constexpr float slop = 0.002f;
    const auto columns = [&](auto vector) -> detail::simd::Columns2<Width> {
        return {column([&](const MovingShape& s, const Face& f) { return vector(s, f).x; }),
                column([&](const MovingShape& s, const Face& f) { return vector(s, f).y; })};
    };
    return {.center = columns([](auto& s, auto& f) { return s.center - f.start; }),
            .half_extents = columns([](auto& s, auto&) { return s.half_extents; }),
            .r = column([](auto& s, auto&) { return s.radius; }),
            .way = columns([](auto& s, auto&) { return s.way; }),
            .free_way = columns([](auto& s, auto&) { return s.free_way; }),
            .slop = Real::fill(slop),
            .flush = Real::fill(flush)};
}

/// What is asked of touch_faces, for one lane.
struct Answer {
    bool is_touched, from_beside, lies;
    float separation, normal_x, normal_y, room, over_plane;
};

template <int Width>
void answer(const MovingShape* shapes, const Face* faces, Answer* answers) {
    using Real = detail::simd::Lanes<Width>;
    detail::FaceBlock block;
    for (int i = 0; i < width; ++i) block.set(i, faces[i % Width]);
    const auto lanes = detail::FaceLanes<Width>::load(block, 0);
    const auto shape = near_faces<Width>(shapes, faces);
    const auto touch = detail::touch_faces<Width>(lanes, shape, margin);
    float separation[Width], normal_x[Width], normal_y[Width], room[Width], over_plane[Width];
    detail::room_before_faces<Width>(lanes, shape).store(room);
    detail::separation_from_planes<Width>(lanes, shape).store(over_plane);
    const auto drift = abs(shape.way.x) + abs(shape.way.y) + Real::fill(2.0f * by_forces);
    const unsigned lying = bits(detail::lie_on_faces<Width>(lanes, shape, margin, drift));
    touch.separation.store(separation);
    touch.normal.x.store(normal_x);
    touch.normal.y.store(normal_y);
    for (int i = 0; i < Width; ++i) {
        const auto in = [i](unsigned mask) { return (mask >> i & 1u) != 0; };
        answers[i] = {in(bits(touch.is_touched)),
                      in(bits(touch.from_beside)),
                      in(lying),
                      separation[i],
                      normal_x[i],
                      normal_y[i],
                      room[i],
                      over_plane[i]};
    }
}

}  // namespace

TEST_CASE("eight faces are touched as each is alone") {
    test::Random random;
    int touched = 0, differ = 0;
    for (int run = 0; run < test::many / 10; ++run) {
        std::vector<Face> faces;
        std::vector<MovingShape> shapes;
        for (int i = 0; i < width; ++i) {
            faces.push_back(random_face(random));
            shapes.emplace_back(random);
            if (random.one_in(2)) shapes.back().put_at_end(faces.back(), random);
        }
        Answer together[width], alone[width];
        answer<width>(shapes.data(), faces.data(), together);
        for (int i = 0; i < width; ++i) answer<1>(shapes.data() + i, faces.data() + i, alone + i);
        for (int i = 0; i < width; ++i) {
            const Answer &a = together[i], &b = alone[i];
            touched += b.is_touched ? 1 : 0;
            const bool is_same = a.separation == b.separation && a.normal_x == b.normal_x &&
                                 a.normal_y == b.normal_y && a.from_beside == b.from_beside;
            if (a.is_touched != b.is_touched || (a.is_touched && !is_same)) ++differ;
            if (a.room != b.room) ++differ;
        }
    }
    CHECK(differ == 0);
    CHECK(touched > test::many / 20);
}

TEST_CASE("a shape that moves by less than the room before a face does not touch it") {
    test::Random random;
    int wrong = 0, left_alone = 0, pressed = 0;
    for (int run = 0; run < test::many / 4; ++run) {
        const Face face = random_face(random);
        MovingShape shape(random);
        if (random.one_in(2)) shape.put_at_end(face, random);
        Answer asked;
        answer<1>(&shape, &face, &asked);
        const float room = asked.room - margin - 2.0f * flush;
        if (room <= 0.0f) continue;

        const float share = random.unit();
        const auto less_than = [&](float length) {
            const Vec2 way = random.direction();
            return way * (0.999f * length / (std::abs(way.x) + std::abs(way.y)));
        };
        shape.center += less_than(room * share);
        shape.way = shape.free_way = less_than(room * (1.0f - share));
        if (random.one_in(2)) shape.free_way = random.point(0.01f);
        answer<1>(&shape, &face, &asked);
        wrong += asked.is_touched ? 1 : 0;
        ++left_alone;
        shape.way = random.point(3.0f * room);
        answer<1>(&shape, &face, &asked);
        pressed += asked.is_touched ? 1 : 0;
    }
    CHECK(wrong == 0);
    CHECK(left_alone > test::many / 20);
    CHECK(pressed > test::many / 400);
}

TEST_CASE("a shape that may not touch a face, as far as plane and ends tell, does not") {
    test::Random random;
    int touched = 0, spared = 0, missed = 0;
    for (int run = 0; run < 2 * test::many; ++run) {
        const Face face = random_face(random);
        MovingShape moving(random);
        if (random.one_in(2)) moving.put_at_end(face, random);
        const Shape shape = RoundedBox{moving.half_extents, moving.radius, moving.center};
        const float reach = random.one_in(2) ? margin : 0.0f;
        const bool is_spared = !detail::may_touch(face, shape, moving.way, reach, flush);
        const auto touch = detail::touch_near_face(face, shape, moving.way, reach, flush);
        spared += is_spared ? 1 : 0;
        touched += touch.is_touched.set ? 1 : 0;
        missed += is_spared && touch.is_touched.set ? 1 : 0;
    }
    CHECK(missed == 0);
    CHECK(touched > test::many / 10);
    CHECK(spared > test::many / 2);
}

TEST_CASE("a shape that lies on a face touches its plane, and not from beside") {
    test::Random random;
    int wrong = 0, lying = 0, lying_boxes = 0;
    for (int run = 0; run < test::many / 4; ++run) {
        const Face face = random_face(random);
        MovingShape shape(random);
        shape.put_at_end(face, random);
        shape.center += perpendicular(face.normal) * random.uniform(0.0f, face.length);
        if (random.one_in(2)) shape.center -= face.normal * random.uniform(0.0f, 0.4f);
        Answer told;
        answer<1>(&shape, &face, &told);
        if (!told.lies) continue;
        ++lying;
        lying_boxes += shape.radius == 0.0f ? 1 : 0;
        const Vec2 normal{told.normal_x, told.normal_y};
        const bool is_on_plane = normal == face.normal && told.separation == told.over_plane;
        if (!told.is_touched || told.from_beside || !is_on_plane) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(lying > test::many / 50);
    CHECK(lying_boxes > test::many / 500);
}

TEST_CASE("nothing is less than 0 thick behind a face, slivers with rounded vertices included") {
    test::Random random;
    int negative = 0;
    for (int run = 0; run < test::many / 4; ++run) {
        const Vec2 flatness = random.direction();
        const float thin = random.uniform(0.9996f, 0.9999f);
        const Polygon sliver =
            test::random_hull(random, random.integer(3, 12), [=](test::Random& source) {
                const Vec2 point = source.direction();
                return point - flatness * (thin * dot(point, flatness));
            });
        for (std::size_t i = 0; i < sliver.size(); ++i) {
            negative += detail::half_thickness(sliver, i) < 0.0f ? 1 : 0;
        }
    }
    CHECK(negative == 0);
}

}  // namespace touch_faces_test

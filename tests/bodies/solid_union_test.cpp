// SPDX-License-Identifier: MIT
// Are the faces that a union of solids leaves the parts of its surface, and joined to what is
// beside them?
#include <cmath>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <phys2d/phys2d.hpp>

#include "../support/random.hpp"

namespace solid_union_test {

using namespace phys2d;
using detail::Face;

namespace {

constexpr float gap = detail::weld_gap;
constexpr float near = 12.0f * gap;  // what is that near an end or another surface is not judged

using Polygons = std::vector<Polygon>;

/// A convex polygon around a place: a few of the points of a circle.
Polygon random_polygon(test::Random& random, Vec2 middle) {
    std::vector<Vec2> points;
    float angle = random.uniform(0.0f, 1.0f);
    while (angle < 6.2f && points.size() < Polygon::max_vertices) {
        points.push_back(middle + Vec2{std::cos(angle), std::sin(angle)} * 1.0f);
        angle += random.uniform(0.5f, 1.8f);
    }
    return Polygon(Span<const Vec2>(points.data(), points.size()));
}

/// A piece on the other side of an edge, of which it shares a part.
Polygon beside(test::Random& random, const Polygon& other) {
    const auto i = static_cast<std::size_t>(random.integer(0, static_cast<int>(other.size()) - 1));
    const Segment edge = other.edge(i);
    const Vec2 along = edge.to - edge.from;
    const Vec2 from =
        random.one_in(2) ? edge.from : edge.from + along * random.uniform(-0.3f, 0.6f);
    const Vec2 to = random.one_in(2) ? edge.to : edge.from + along * random.uniform(0.7f, 1.4f);
    const Vec2 out = other.normal(i) * random.uniform(0.2f, 1.0f);
    return {to, from, from + out + along * random.uniform(-0.3f, 0.3f), to + out};
}

/// How far a point is outside of a solid, along the normal of the edge that is furthest from it.
float height_outside(const Polygon& solid, Vec2 point) {
    float most = -1e9f;
    for (std::size_t i = 0; i < solid.size(); ++i) {
        most = std::fmax(most, dot(point - solid.vertex(i), solid.normal(i)));
    }
    return most;
}
bool is_inside(const Polygons& solids, Vec2 point) {
    for (const Polygon& solid : solids) {
        if (height_outside(solid, point) < 0.0f) return true;
    }
    return false;
}
/// Whether a point is not near the surface of any solid but the first.
bool is_clear(const Polygons& solids, Vec2 point) {
    for (std::size_t i = 1; i < solids.size(); ++i) {
        if (std::fabs(height_outside(solids[i], point)) < 0.5f * near) return false;
    }
    return true;
}

/// What the others leave of the faces of the first of some solids.
std::vector<Face> faces_left(const Polygons& solids) {
    detail::SolidUnion others;
    others.begin(gap, 0.1f);
    for (std::size_t i = 1; i < solids.size(); ++i) others.add(solids[i]);
    others.build_grid();
    const Outline outline(solids[0]);
    std::vector<Face> faces;
    for (const Face& own : outline.faces()) {
        others.cut(translate(own, center(outline.bounds())), detail::Solid(solids[0]),
                   [&](const Face& face) { faces.push_back(face); });
    }
    return faces;
}

/// The first of some solids among the others.
struct Union {
    explicit Union(test::Random& random) {
        do {
            solids = {random_polygon(random, {})};
        } while (!is_valid(solids[0]));
        const int count = random.integer(1, 5);
        while (static_cast<int>(solids.size()) <= count) {
            const Polygon other = random.one_in(3) ? random_polygon(random, random.point(1.2f))
                                                   : beside(random, solids[0]);
            if (is_valid(other)) solids.push_back(other);
        }
        faces = faces_left(solids);
    }

    [[nodiscard]] int faces_at(Vec2 point, Vec2 normal) const {
        int count = 0;
        for (const Face& face : faces) {
            const float place = dot(point - face.start, perpendicular(face.normal));
            const bool is_there = 0.0f <= place && place <= face.length;
            if (dot(face.normal, normal) > 0.9999f && is_there) ++count;
        }
        return count;
    }

    Polygons solids;
    std::vector<Face> faces;
};

}  // namespace

TEST_CASE(
    "a point of an edge is on a face if it is outside of all other solids, and else on none") {
    test::Random random;
    int wrong = 0;
    int hidden = 0;
    for (int i = 0; i < test::many / 200; ++i) {
        const Union made(random);
        const Polygon& first = made.solids[0];
        for (std::size_t k = 0; k < first.size(); ++k) {
            const Segment edge = first.edge(k);
            const Vec2 point = edge.from + (edge.to - edge.from) * random.uniform(0.05f, 0.95f);
            const Vec2 outside = point + first.normal(k) * near;
            if (!is_clear(made.solids, outside)) continue;
            const bool is_hidden = is_inside(made.solids, outside);
            const bool touches = !is_clear(made.solids, point) && !is_hidden;
            if (touches) continue;
            hidden += is_hidden ? 1 : 0;
            wrong += made.faces_at(point, first.normal(k)) != (is_hidden ? 0 : 1) ? 1 : 0;
        }
    }
    CHECK(wrong == 0);
    CHECK(hidden > test::many / 1000);
}

TEST_CASE("where nearly level pieces meet with a step, no face goes far beyond its piece") {
    const Polygon left{{-2.0f, -1.0f}, {0.0f, -1.0f}, {0.0f, 0.0f}, {-2.0f, 0.0f}};
    const Polygon right{{0.0f, -1.0f}, {2.0f, -1.0f}, {2.0f, -0.0028f}, {0.0f, -0.0008f}};
    for (const auto& [own, other] : {std::pair{left, right}, std::pair{right, left}}) {
        const AABB around = expand(bounds(own), 20.0f * gap);
        const std::vector<Face> faces = faces_left({own, other});
        CHECK(faces.size() == 3);
        for (const Face& face : faces) {
            CHECK(contains(around, segment_of(face).from));
            CHECK(contains(around, segment_of(face).to));
        }
    }
}

TEST_CASE("a floor goes on below a ramp that stands beside it, but not out of that") {
    const Polygon floor{{-2.0f, -1.0f}, {0.0f, -1.0f}, {0.0f, 0.0f}, {-2.0f, 0.0f}};
    const Polygon plate{{0.0f, -0.05f}, {2.0f, 0.55f}, {2.0f, 0.6f}, {0.0f, 0.0f}};
    const float way_out = 0.05f / 0.3f;  // along the floor, below the plate
    for (const Face& face : faces_left({floor, plate})) {
        if (face.normal.y <= 0.0f) continue;
        CHECK(-face.begin > 0.3f * way_out);
        CHECK(-face.begin < 0.51f * way_out);
    }
}

}  // namespace solid_union_test

// SPDX-License-Identifier: MIT
// Are the faces of welded boxes and maps those of the plain rule, which holds each piece of a side
// against each neighbour, bit for bit and in its order?
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include <doctest/doctest.h>
#include <phys2d/phys2d.hpp>

#include "../support/intervals.hpp"
#include "../support/random.hpp"

namespace welding_test {

using namespace phys2d;
using detail::at;
using detail::BoxSide;
using detail::Face;
using detail::Interval;

namespace {

constexpr float gap = detail::weld_gap;
constexpr Vec2 box_normals[] = {{0.0f, 1.0f}, {-1.0f, 0.0f}, {0.0f, -1.0f}, {1.0f, 0.0f}};

using Boxes = std::vector<AABB>;
using Faces = std::vector<Face>;

/// Statics of a few sizes whose sides are on few lines: they abut, overlap, meet in T-junctions and
/// leave gaps. Some are off by about as much as counts as abutting. In some layouts a long box has
/// dozens of neighbours.
void add_boxes(detail::WorldState& world, test::Random& random) {
    const auto add = [&](Vec2 low, Vec2 size) {
        detail::create_body(world, {.type = BodyType::Static, .position = low + size * 0.5f},
                            Box{size * 0.5f}, {}, {});
    };
    const bool has_floor = random.one_in(2);
    if (has_floor) add({-20.0f, -1.0f}, {40.0f, 1.0f});
    for (int i = random.integer(1, has_floor ? 60 : 20); i > 0; --i) {
        const float reach = has_floor ? 20.0f : 3.0f;
        const Vec2 low{0.5f * static_cast<float>(random.integer(-int(2 * reach), int(2 * reach))),
                       has_floor ? 0.0f : 0.5f * static_cast<float>(random.integer(-4, 4))};
        const Vec2 size{0.5f * static_cast<float>(random.integer(1, random.one_in(5) ? 9 : 3)),
                        0.5f * static_cast<float>(random.integer(1, 3))};
        add(random.one_in(4) ? low + random.point(2.5f * gap) : low, size);
    }
}

BodyId add_map(detail::WorldState& world, test::Random& random) {
    const BodyId id =
        detail::create_tile_map(world, {.position = random.point(1.0f), .tile_size = 0.5f});
    TileMapRef map(world, id);
    map.define(1, {});
    for (const std::int32_t end : {-1, 1}) map.set({8 * end, 4 * end}, 1);
    for (int i = 0; i < 40; ++i) map.set({random.integer(-8, 8), random.integer(-4, 4)}, 1);
    return id;
}

using PassTest = detail::SolidNeighbours::PassTest;

const auto passes_none = [](std::int32_t) { return false; };
const auto passes_every_third = [](std::int32_t slot) { return slot % 3 == 0; };

/// The boxes near one, in the order in which the grid has them, and tiles where they are.
Boxes neighbours_of(const detail::Bodies& bodies, const detail::RoleGrids& statics, const AABB& box,
                    std::int32_t except, PassTest passes) {
    Boxes boxes;
    statics.for_each_overlap(bodies, box, [&](std::int32_t slot) {
        if (slot == except || passes(slot)) return;
        if (bodies.has_shape(slot)) {
            boxes.push_back(bounds(bodies.placed_shape(slot)));
        } else if (bodies.is_tile_map(slot)) {
            detail::for_each_tile(
                bodies, slot, box, [](std::int32_t) { return true; },
                [&](const Polygon& tile, std::int32_t) { boxes.push_back(bounds(tile)); });
        }
    });
    return boxes;
}

enum class Beyond { Nothing, Level, Wall };

Beyond beyond(const BoxSide& side, float place, const Boxes& neighbours) {
    Beyond found = Beyond::Nothing;
    for (const AABB& other : neighbours) {
        const Interval along = side.along(other);
        const Interval across = side.outwards(other);
        const bool is_there = along.low <= place && place <= along.high;
        if (!is_there || across.low > side.height() + gap) continue;
        if (across.high > side.height() + gap) return Beyond::Wall;
        if (across.high >= side.height() - gap) found = Beyond::Level;
    }
    return found;
}

std::vector<Interval> pieces_of(const BoxSide& side, Interval whole, const Boxes& neighbours) {
    std::vector<Interval> pieces{whole};
    for (const AABB& other : neighbours) {
        const Interval across = side.outwards(other);
        const float above = side.height() + gap;
        if (across.low > above || across.high <= above) continue;
        test::cut(pieces, side.along(other));
    }
    std::erase_if(pieces, [](const Interval& piece) { return piece.high - piece.low <= gap; });
    return pieces;
}

void begin_at(Face& face, Beyond before) {
    if (before == Beyond::Nothing) return;
    face.before = face.normal;
    face.corner = detail::CornerKind::Joined;
    face.begin = before == Beyond::Level ? -2.0f * gap : -0.0f;
    face.lean_begin = -1.0f;
}

void end_at(Face& face, Beyond after) {
    if (after == Beyond::Nothing) return;
    face.after = {};
    face.end = after == Beyond::Level ? face.length + 2.0f * gap : face.length;
    face.lean_end = -1.0f;
}

/// What neighbours leave of a face on a side, joined to them.
Faces welded(const Face& face, const BoxSide& side, const Boxes& neighbours) {
    Faces faces;
    const Interval whole = side.along(side.box);
    for (const Interval& piece : pieces_of(side, whole, neighbours)) {
        Face part = face;
        part.start += perpendicular(face.normal) * (piece.low - whole.low);
        part.length = piece.high - piece.low;
        part.end = part.length + (face.end - face.length);
        part.feature = face.feature + (static_cast<std::uint32_t>(faces.size()) << 20);
        if (whole.low < piece.low) begin_at(part, Beyond::Wall);
        if (piece.high < whole.high) end_at(part, Beyond::Wall);
        begin_at(part, beyond(side, piece.low - gap, neighbours));
        end_at(part, beyond(side, piece.high + gap, neighbours));
        faces.push_back(part);
    }
    return faces;
}

/// The faces of a box: of one side after the other.
Faces welded(const AABB& box, const Boxes& neighbours) {
    Faces faces;
    for (std::uint32_t i = 0; i < 4; ++i) {
        const BoxSide side{box, box_normals[i]};
        const Interval whole = side.along(box);
        Face face;
        face.normal = side.normal;
        face.start = side.normal * side.height() + perpendicular(side.normal) * whole.low;
        face.length = face.end = whole.high - whole.low;
        face.half_thickness = side.height();
        face.feature = 1 + i;
        detail::begin_open(face);
        face.lean_begin = face.lean_end = 1.0f;
        const Faces parts = welded(face, side, neighbours);
        faces.insert(faces.end(), parts.begin(), parts.end());
    }
    return faces;
}

bool has_same_bits(const Face& a, const Face& b) {
    return std::memcmp(&a, &b, offsetof(Face, corner)) == 0 && a.corner == b.corner;
}
bool have_same_bits(const Faces& a, const Faces& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), has_same_bits);
}

Faces met_by(const AABB& box, Faces faces) {
    std::erase_if(faces, [&](const Face& face) { return !overlaps(bounds(face), box); });
    return faces;
}

/// A layout, and its welds by the plain rule.
struct Layout {
    detail::WorldState world;
    detail::RoleGrids statics{detail::GridRole::Static};
    detail::Welds welds;

    explicit Layout(test::Random& random) {
        add_boxes(world, random);
        for (int i = random.integer(0, 2); i > 0; --i) add_map(world, random);
        statics.update(world.bodies);
        welds.forget(world.bodies.slots.size(), 1.0f);
    }

    [[nodiscard]] std::int32_t begin() const { return world.bodies.ranges.static_begin; }
    [[nodiscard]] std::int32_t end() const { return world.bodies.size(); }
    [[nodiscard]] bool is_box(std::int32_t slot) const { return world.bodies.has_shape(slot); }
    [[nodiscard]] Faces faces(std::int32_t slot, const AABB& box) {
        Faces faces;
        if (!welds.is_welded(world.bodies, statics, slot)) return faces;
        welds.for_each_face(detail::index_of(world.bodies.ids[slot]), box,
                            [&](const Face& face) { faces.push_back(face); });
        return faces;
    }
    [[nodiscard]] Faces faces_left(std::int32_t slot, const AABB& box, PassTest passes) {
        Faces faces;
        welds.for_each_face_left(world.bodies, statics, slot, box, passes,
                                 [&](const Face& face) { faces.push_back(face); });
        return faces;
    }
    [[nodiscard]] Boxes neighbours(std::int32_t slot, PassTest passes) const {
        const AABB box = bounds(world.bodies.placed_shape(slot));
        return neighbours_of(world.bodies, statics, expand(box, gap), slot, passes);
    }
    [[nodiscard]] Faces expected(std::int32_t slot) const {
        const Boxes around = neighbours(slot, passes_none);
        return around.empty() ? Faces{} : welded(bounds(world.bodies.placed_shape(slot)), around);
    }
};

/// Changes a tile within the extent of a map; returns what that may concern.
AABB edit(detail::WorldState& world, std::int32_t slot, test::Random& random) {
    const TileCoord tile{random.integer(-7, 7), random.integer(-3, 3)};
    TileMapRef map(world, world.bodies.owners[at(slot)]);
    map.set(tile, map.at(tile) == 0 ? 1 : 0);
    return expand(map.bounds(tile), map.tile_size());
}

Faces faces_in(detail::FaceList& list) {
    Faces faces;
    for (const auto& entry : list.entries()) faces.push_back(entry.face);
    return faces;
}

}  // namespace

TEST_CASE("the faces of welded boxes are those of the plain rule, bit for bit and in its order") {
    test::Random random;
    int seen = 0;
    int wrong = 0;
    for (int i = 0; i < test::many / 1000; ++i) {
        Layout layout(random);
        for (std::int32_t slot = layout.begin(); slot < layout.end(); ++slot) {
            if (!layout.is_box(slot)) continue;
            const Faces expected = layout.expected(slot);
            seen += static_cast<int>(expected.size());
            const AABB all = aabb_around({}, {1e6f, 1e6f});
            wrong += have_same_bits(layout.faces(slot, all), expected) ? 0 : 1;
            const AABB box = aabb_around(random.point(4.0f), abs(random.point(2.0f)));
            wrong += have_same_bits(layout.faces(slot, box), met_by(box, expected)) ? 0 : 1;
        }
    }
    CHECK(wrong == 0);
    CHECK(seen > test::many / 100);
}

TEST_CASE("what a body passes through hides no face of the welded boxes beside it") {
    test::Random random;
    int wrong = 0;
    int changed = 0;
    const AABB all = aabb_around({}, {1e6f, 1e6f});
    for (int i = 0; i < test::many / 1000; ++i) {
        Layout layout(random);
        for (std::int32_t slot = layout.begin(); slot < layout.end(); ++slot) {
            if (!layout.is_box(slot)) continue;
            const Faces before = layout.faces(slot, all);
            const Faces expected = welded(bounds(layout.world.bodies.placed_shape(slot)),
                                          layout.neighbours(slot, passes_every_third));
            const Faces left = layout.faces_left(slot, all, passes_every_third);
            wrong += have_same_bits(left, expected) ? 0 : 1;
            wrong += have_same_bits(layout.faces(slot, all), before) ? 0 : 1;  // for all others
            changed += have_same_bits(left, before) ? 0 : 1;
        }
    }
    CHECK(wrong == 0);
    CHECK(changed > test::many / 1000);
}

TEST_CASE("the faces of static maps are cut by boxes and other maps as by the plain rule") {
    test::Random random;
    detail::FaceList faces;
    detail::FaceList expected;
    int wrong = 0;
    int cut = 0;
    for (int i = 0; i < test::many / 1000; ++i) {
        Layout layout(random);
        const detail::Bodies& bodies = layout.world.bodies;
        for (std::int32_t slot = layout.begin(); slot < layout.end(); ++slot) {
            if (!bodies.is_tile_map(slot)) continue;
            const bool passes_some = random.one_in(2);
            const auto passes = [&](std::int32_t other) {
                return passes_some && passes_every_third(other);
            };
            const AABB box = aabb_around(random.point(4.0f), abs(random.point(4.0f)));
            const Vec2 origin = detail::terrain_origin(bodies, slot);
            const Boxes neighbours =
                neighbours_of(bodies, layout.statics, expand(box, gap), slot, passes);
            if (neighbours.empty()) continue;
            ++cut;
            faces.clear();
            expected.clear();
            detail::for_each_face(
                bodies, slot, translate(box, -origin), detail::Pinching::Yes,
                [&](const Face& face, std::int32_t kind) { faces.add(face, kind); });
            for (const auto& [face, kind, order, is_used] : faces.entries()) {
                const AABB line = bounds(translate(segment_of(face), origin));
                Faces parts = welded(face, {line, face.normal}, neighbours);
                if (face.length == 0.0f) parts = {face};
                for (const Face& part : parts) expected.add(part, kind);
            }
            layout.welds.neighbours().cut_map(bodies, layout.statics, slot, box, passes, faces);
            wrong += have_same_bits(faces_in(faces), faces_in(expected)) ? 0 : 1;
        }
    }
    CHECK(wrong == 0);
    CHECK(cut > test::many / 4000);
}

TEST_CASE("edits of tiles change the faces of the welded boxes near them as by the plain rule") {
    test::Random random;
    int wrong = 0;
    int changed = 0;
    const AABB all = aabb_around({}, {1e6f, 1e6f});
    for (int i = 0; i < test::many / 10'000; ++i) {
        Layout layout(random);
        std::vector<Faces> before(at(layout.end()));
        for (int k = 0; k < 20; ++k) {
            const std::int32_t map = random.integer(layout.begin(), layout.end() - 1);
            if (!layout.world.bodies.is_tile_map(map)) continue;
            (void)layout.welds.renew_near(layout.world.bodies, layout.statics,
                                          edit(layout.world, map, random));
            for (std::int32_t slot = layout.begin(); slot < layout.end(); ++slot) {
                if (!layout.is_box(slot)) continue;
                const Faces faces = layout.faces(slot, all);
                wrong += have_same_bits(faces, layout.expected(slot)) ? 0 : 1;
                changed += have_same_bits(faces, before[at(slot)]) ? 0 : 1;
                before[at(slot)] = faces;
            }
        }
    }
    CHECK(wrong == 0);
    CHECK(changed > test::many / 10'000);
}

TEST_CASE("edits far away leave the welds of boxes as they are") {
    detail::WorldState world;
    for (int i = 0; i < 2; ++i) {
        detail::create_body(world, {.type = BodyType::Static, .position = {float(i), 0.0f}},
                            Box{{0.5f, 0.5f}}, {}, {});
    }
    detail::RoleGrids statics(detail::GridRole::Static);
    statics.update(world.bodies);
    detail::Welds welds;
    welds.forget(2, 1.0f);
    const auto is_welded = [&] { return welds.is_welded(world.bodies, statics, 0); };
    CHECK(is_welded());
    world.bodies.colliders[1].is_sensor = true;  // untold, so that a weld which is found anew shows
    const auto turns_at = [&](const AABB& box) {
        return welds.renew_near(world.bodies, statics, box);
    };
    CHECK_FALSE(turns_at({{100.0f, -1.0f}, {101.0f, 1.0f}}));
    CHECK(is_welded());
    CHECK_FALSE(turns_at({{-1.0f, -1.0f}, {-0.6f, 1.0f}}));
    CHECK(is_welded());
    CHECK(turns_at({{-1.0f, -1.0f}, {-0.5f - 0.5f * gap, 1.0f}}));
    CHECK(!is_welded());
}

namespace {

/// Whether the first of two static colliders, each of any form, is welded to the other.
template <class First, class Second>
bool is_first_welded(const First& first, const Second& second, Vec2 place) {
    detail::WorldState world;
    const BodyDef fixed{.type = BodyType::Static, .position = place};
    detail::create_body(world, fixed, first, {}, {});
    detail::create_body(world, fixed, second, {}, {});
    detail::RoleGrids statics(detail::GridRole::Static);
    statics.update(world.bodies);
    detail::Welds welds;
    welds.forget(2, 1.0f);
    return welds.is_welded(world.bodies, statics, 0);
}

/// A square whose upper side falls, with its lower left corner at (x, 0).
Polygon block_at(float x) { return {{x, 0.0f}, {x + 1.0f, 0.0f}, {x + 1.0f, 1.0f}, {x, 1.5f}}; }

}  // namespace

TEST_CASE("polygons are welded up to where coordinates do not resolve the gap") {
    CHECK(is_first_welded(block_at(0.0f), block_at(1.0f), {}));
    CHECK(is_first_welded(block_at(0.0f), block_at(1.0f), {1e4f, 0.0f}));
    CHECK(!is_first_welded(block_at(0.0f), block_at(1.0f), {3e4f, 0.0f}));
}

TEST_CASE("what only has bounds in common is not welded") {
    const Polygon triangle{{0.2f, 0.0f}, {2.0f, 0.0f}, {2.0f, 1.8f}};
    const Shape box(AABB{{0.0f, 0.5f}, {0.6f, 1.0f}});
    CHECK(!is_first_welded(box, triangle, {}));
    CHECK(!is_first_welded(triangle, box, {}));
    CHECK(!is_first_welded(triangle, Polygon{{0.0f, 0.5f}, {0.6f, 0.5f}, {0.0f, 2.0f}}, {}));
    CHECK(is_first_welded(box, Polygon{{0.2f, 0.0f}, {2.0f, 0.5f}, {0.2f, 1.8f}}, {}));
}

}  // namespace welding_test

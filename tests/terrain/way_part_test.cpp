// SPDX-License-Identifier: MIT
// Is a part of a way inside a box where its points are, and do its pieces cover it without a gap?
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/terrain/way_part.hpp>

#include "../support/random.hpp"

namespace way_part_test {

using namespace phys2d;
using detail::WayPart;

namespace {

std::vector<WayPart> pieces_of(const WayPart& part, float length) {
    std::vector<WayPart> pieces;
    part.for_each_piece({1.0f, 0.0f}, length, [&](const WayPart& piece) {
        pieces.push_back(piece);
        return true;
    });
    return pieces;
}

}  // namespace

TEST_CASE("a point of a way is in the part inside a box if and only if it is in the box") {
    test::Random random;
    const auto whole = [&] { return static_cast<float>(random.integer(-8, 8)); };
    int wrong = 0;
    for (int i = 0; i < test::many / 10; ++i) {
        const Vec2 corner{whole(), whole()};
        const AABB box{corner, corner + Vec2{1.0f + random.unit(), 1.0f + random.unit()} * 3.0f};
        const Vec2 start{whole(), whole()};
        const Vec2 way{2.0f * whole(), 2.0f * whole()};
        const WayPart inside = WayPart{}.inside(box, start, way);
        for (int eighth = 0; eighth <= 8; ++eighth) {
            const float t = static_cast<float>(eighth) / 8.0f;
            const bool is_in_part = inside.begin <= t && t <= inside.end;
            const Vec2 point = start + way * t;
            // Fractions are rounded: points within rounding of a side may be either.
            const bool is_in = contains(expand(box, -1e-4f), point);
            const bool is_out = !contains(expand(box, 1e-4f), point);
            if (is_in_part ? is_out : is_in) ++wrong;
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("pieces of a way follow one another from its begin to its end") {
    test::Random random;
    for (int i = 0; i < 1000; ++i) {
        const float begin = random.unit();
        const WayPart part{begin, begin + random.unit()};
        const float length = random.log_uniform(0.01f, 10.0f);
        const std::vector<WayPart> pieces = pieces_of(part, length);
        REQUIRE_FALSE(pieces.empty());
        CHECK(pieces.front().begin == part.begin);
        CHECK(pieces.back().end == part.end);
        for (std::size_t at = 0; at < pieces.size(); ++at) {
            CHECK(pieces[at].end - pieces[at].begin <= length + 1e-6f);
            if (at > 0) CHECK(pieces[at].begin == pieces[at - 1].end);
        }
    }
}

TEST_CASE("an empty way has no pieces, a point one, and no length makes endlessly many") {
    CHECK(pieces_of({1.0f, 0.0f}, 0.1f).empty());
    CHECK(pieces_of({0.5f, 0.5f}, 0.1f).size() == 1);
    CHECK(pieces_of({}, 0.0f).size() == 1);
    CHECK(pieces_of({0.5f, 1.0f}, 1e-20f).size() == 1);
    CHECK(pieces_of({}, std::numeric_limits<float>::infinity()).size() == 1);
}

TEST_CASE("pieces end when nobody wants more of them") {
    int seen = 0;
    WayPart{}.for_each_piece({1.0f, 0.0f}, 0.1f, [&](const WayPart&) { return ++seen < 3; });
    CHECK(seen == 3);
}

}  // namespace way_part_test

// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <phys2d/core/span.hpp>

namespace span_test {

TEST_CASE("a Span begins with its first value and ends with its last, which can be written") {
    int values[] = {1, 2, 3};
    const phys2d::Span<int> span(values);
    CHECK(&span.front() == &values[0]);
    CHECK(&span.back() == &values[2]);
    span.back() = 4;
    CHECK(values[2] == 4);
}

}  // namespace span_test

// SPDX-License-Identifier: MIT
// Is a broken precondition one sentence, formatted, and kept whole?
#include <cstring>
#include <string>

#include <doctest/doctest.h>

#include <phys2d/core/error.hpp>

namespace error_test {

using namespace phys2d;

TEST_CASE("an error formats its sentence like printf") {
    const Error error("%s: radius is %g, expected %d", "call", -0.5, 7);
    CHECK(std::string(error.what()) == "call: radius is -0.5, expected 7");
}

TEST_CASE("a sentence that is too long is cut, not overrun") {
    const std::string longer(1'000, 'x');
    const Error error("%s", longer.c_str());
    CHECK(std::strlen(error.what()) == Error::max_length);
}

TEST_CASE("an error is a std::exception, and its copies say the same") {
    try {
        throw Error("body %u", 3u);
    } catch (const std::exception& error) {
        CHECK(std::string(error.what()) == "body 3");
    }
    const Error first("one"), copy = first;
    CHECK(std::string(copy.what()) == "one");
}

TEST_CASE("a precondition that holds says nothing, one that does not throws") {
    CHECK_NOTHROW(detail::require(true, "never %d", 1));
    CHECK_THROWS_AS(detail::require(false, "value is %d", 1), Error);
}

TEST_CASE("the error handler can be replaced, and null brings the default back") {
    const ErrorHandler mine = [](const char*) {};
    const ErrorHandler standard = set_error_handler(mine);
    CHECK((standard != nullptr));
    CHECK((set_error_handler(nullptr) == mine));
    CHECK((set_error_handler(standard) == standard));
}

}  // namespace error_test

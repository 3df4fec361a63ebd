// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <phys2d/core/function_ref.hpp>

namespace function_ref_test {

using phys2d::detail::FunctionRef;

namespace {

int call_twice(FunctionRef<int(int)> function) { return function(1) + function(2); }

/// Neither copied nor moved.
struct Adder {
    explicit Adder(int first) : sum(first) {}
    Adder(const Adder&) = delete;
    Adder& operator=(const Adder&) = delete;

    int operator()(int x) const { return sum += x; }

    mutable int sum;
};

}  // namespace

TEST_CASE("a FunctionRef calls the callable that it was made of, and does not copy it") {
    const Adder adder(10);
    CHECK(call_twice(adder) == 11 + 13);
    CHECK(adder.sum == 13);
    int calls = 0;
    CHECK(call_twice([&](int x) { return ++calls, 10 * x; }) == 30);
    CHECK(calls == 2);
}

TEST_CASE("a FunctionRef hands on references, drops results and converts them") {
    const auto increment = [](int& x) { return ++x; };
    const FunctionRef<void(int&)> ignored = increment;
    const FunctionRef<double(int&)> converted = increment;
    int x = 0;
    ignored(x);
    CHECK(converted(x) == 2.0);
    CHECK(x == 2);
}

TEST_CASE("visiting hands on what a search finds, and never ends it") {
    int sum = 0;
    const auto add = [&](int a, int b) { sum += a * b; };
    const auto test = phys2d::detail::visiting(add);
    CHECK_FALSE(test(2, 3));
    CHECK_FALSE(test(4, 5));
    CHECK(sum == 26);
}

}  // namespace function_ref_test

// SPDX-License-Identifier: MIT
// Does a crew do every part of every loop once, whoever comes, comes late, or does not come?
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <phys2d/core/array.hpp>
#include <phys2d/core/crew.hpp>

namespace crew_test {

using namespace phys2d;
using detail::Crew;

namespace {

using Task = std::function<void(int)>;
using Executor = std::function<void(int, const Task&)>;

void one_after_the_other(int count, const Task& task) {
    for (int i = 0; i < count; ++i) task(i);
}

Executor on_threads(int thread_count) {
    return [thread_count](int count, const Task& task) {
        std::atomic<int> next = 0;
        std::vector<std::thread> threads;
        for (int t = 0; t < thread_count; ++t) {
            threads.emplace_back([&] {
                for (int i = next.fetch_add(1); i < count; i = next.fetch_add(1)) task(i);
            });
        }
        for (std::thread& thread : threads) thread.join();
    };
}

void lead_on(const Executor& executor, const std::function<void(Crew&)>& lead) {
    Crew crew;
    executor(Crew::tasks, [&](int) { crew.join(lead); });
}

/// How often each index of [0, count) was part of a loop, and whether borders were multiples of
/// `grain`.
bool does_each_once(Crew& crew, std::int32_t count, std::int32_t grain) {
    std::vector<std::atomic<int>> visits(detail::at(count));
    std::atomic<bool> is_aligned = true;
    crew.for_each_part(count, grain, [&](std::int32_t begin, std::int32_t end) {
        if (begin % grain != 0 || (end % grain != 0 && end != count)) is_aligned = false;
        for (std::int32_t i = begin; i < end; ++i) ++visits[detail::at(i)];
    });
    for (const std::atomic<int>& visit : visits) {
        if (visit != 1) return false;
    }
    return is_aligned;
}

}  // namespace

TEST_CASE("every index is done once, in parts that begin and end at multiples of the grain") {
    std::vector<Executor> executors{one_after_the_other};
    for (const int thread_count : {1, 2, 3, 8}) executors.push_back(on_threads(thread_count));
    for (const Executor& executor : executors) {
        int wrong = 0;
        lead_on(executor, [&](Crew& crew) {
            for (const std::int32_t count : {0, 1, 2, 63, 64, 65, 1'000, 4'096}) {
                for (const std::int32_t grain : {1, 2, 16, 64, 5'000}) {
                    if (!does_each_once(crew, count, grain)) ++wrong;
                }
            }
        });
        CHECK(wrong == 0);
    }
}

TEST_CASE("thousands of short loops in a row see what the loops before have written") {
    std::vector<int> before(1'000, 0);
    std::vector<int> after(1'000, 0);
    lead_on(on_threads(4), [&](Crew& crew) {
        for (int round = 0; round < 2'000; ++round) {
            crew.for_each_part(1'000, 16, [&](std::int32_t begin, std::int32_t end) {
                for (std::int32_t i = begin; i < end; ++i) {  // of somebody else's part
                    after[detail::at(i)] = before[detail::at(999 - i)] + 1;
                }
            });
            before.swap(after);
        }
    });
    CHECK(before == std::vector<int>(1'000, 2'000));
}

TEST_CASE("the first task leads, and the others return when it is done") {
    int leads = 0;
    int returned = 0;
    Crew crew;
    one_after_the_other(Crew::tasks, [&](int) {
        crew.join([&](Crew&) { ++leads; });
        ++returned;
    });
    CHECK(leads == 1);
    CHECK(returned == Crew::tasks);
}

TEST_CASE("a part that throws ends its thread's work, and nobody waits for it") {
    for (int round = 0; round < 300; ++round) {
        Crew crew;
        std::atomic<int> thrown = 0;
        on_threads(4)(Crew::tasks, [&](int) {
            try {
                crew.join([&](Crew& led) {
                    led.for_each_part(100, 1, [&](std::int32_t begin, std::int32_t end) {
                        std::this_thread::yield();  // so that others come, too
                        if (begin <= round % 100 && round % 100 < end) throw round;
                    });
                });
            } catch (int) {
                ++thrown;
            }
        });
        CHECK(thrown == 1);
    }
}

}  // namespace crew_test

// SPDX-License-Identifier: MIT
// Crew: divides loops among the threads of an executor.
//
// An executor runs a number of tasks and waits for them; the number of threads, and whether tasks
// run at once or one after the other, is its choice. The first task that arrives leads: it does the
// whole work, and divides its loops into parts. The others help: they take parts of the current
// loop while there are any. Parts do not touch each other's data, so the result does not depend on
// who does what; and no task waits for one that has not started. Helpers that find nothing to do
// for a while return, so a crew larger than the machine does no harm.
//
// One word holds the parts that nobody has taken yet, [front, back). The leader takes parts from
// the front and helpers from the back, by compare-and-exchange: with two threads, each processes
// the same bodies in loop after loop, in its own cache. They take fewer towards the end, to finish
// together.
#pragma once

#include <cstdint>

#include <phys2d/core/abi.hpp>

#if !PHYS2D_GNU_EXTENSIONS
#include <atomic>
#endif

namespace phys2d::inline PHYS2D_ABI::detail {

/// An integer shared by threads. (<atomic> would cost an includer a fifth of all of phys2d.)
class Shared {
public:
#if PHYS2D_GNU_EXTENSIONS
    [[nodiscard]] std::uint64_t load() const { return __atomic_load_n(&value_, __ATOMIC_ACQUIRE); }
    void store(std::uint64_t value) { __atomic_store_n(&value_, value, __ATOMIC_RELEASE); }
    std::uint64_t fetch_add(std::uint64_t more) {
        return __atomic_fetch_add(&value_, more, __ATOMIC_ACQ_REL);
    }
    bool compare_exchange(std::uint64_t expected, std::uint64_t desired) {
        return __atomic_compare_exchange_n(&value_, &expected, desired, false, __ATOMIC_ACQ_REL,
                                           __ATOMIC_ACQUIRE);
    }

private:
    std::uint64_t value_ = 0;
#else
    [[nodiscard]] std::uint64_t load() const { return value_.load(std::memory_order_acquire); }
    void store(std::uint64_t value) { value_.store(value, std::memory_order_release); }
    std::uint64_t fetch_add(std::uint64_t more) { return value_.fetch_add(more); }
    bool compare_exchange(std::uint64_t expected, std::uint64_t desired) {
        return value_.compare_exchange_strong(expected, desired);
    }

private:
    std::atomic<std::uint64_t> value_ = 0;
#endif
};

/// Tells the processor that this is a waiting loop.
inline void relax_processor() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) && PHYS2D_GNU_EXTENSIONS
    asm volatile("yield");
#endif
}

/// Bodies, pairs and blocks per part: at least a quarter of a microsecond of work. Of bodies a
/// multiple of 64, for data with one bit per body.
inline constexpr std::int32_t bodies_per_part = 256;
inline constexpr std::int32_t pairs_per_part = 256;
inline constexpr std::int32_t blocks_per_part = 16;

/// A crew of one: loops are not divided.
struct Alone {
    void for_each_part(std::int32_t count, std::int32_t, auto work) { work(0, count); }
};

class Crew {
public:
    /// Tasks to request from an executor: enough for any machine, and for helpers to come back
    /// after a pause.
    static constexpr int tasks = 128;

    /// The work of each task: the first one leads, the others help. Calls lead(crew).
    void join(auto lead) {
        if (arrivals_.fetch_add(1) > 0) return help();
        const Closing closing{*this};
        lead(*this);
    }

    /// Calls work(begin, end) for parts of [0, count) whose borders are multiples of `grain`;
    /// returns when all are done. For the leader. Parts run at the same time and must not touch
    /// each other's data. If one throws, which only running out of memory does, its thread leaves
    /// the crew, and the others go on without what that part has not done.
    template <class Work>
    void for_each_part(std::int32_t count, std::int32_t grain, Work work) {
        if (count <= grain) {
            if (count > 0) work(0, count);
            return;
        }
        work_ = &work;
        run_ = [](void* context, std::int32_t begin, std::int32_t end) {
            (*static_cast<Work*>(context))(begin, end);
        };
        count_ = count;
        grain_ = grain;
        const Parts all{0, static_cast<std::uint32_t>((count - 1) / grain + 1)};
        done_.store(0);
        left_.store(all.word());
        const Waiting waiting{*this, all.back};
        while (take(End::Front)) {}
    }

private:
    static constexpr int patience = 10'000;  // polls before an idle helper returns

    enum class End { Front, Back };

    struct Parts {
        std::uint32_t front, back;

        [[nodiscard]] static Parts of(std::uint64_t word) {
            return {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word)};
        }
        [[nodiscard]] std::uint64_t word() const { return std::uint64_t{front} << 32 | back; }
    };
    static constexpr std::uint64_t closed = ~std::uint64_t{0};  // no parts will follow

    struct Closing {
        Crew& crew;
        ~Closing() { crew.left_.store(closed); }
    };

    /// Waits for the parts that have been taken, also if the leader's own one throws.
    struct Waiting {
        Crew& crew;
        std::uint32_t count;  // of parts

        ~Waiting() {
            std::uint64_t word = crew.left_.load();
            while (!crew.left_.compare_exchange(word, 0)) word = crew.left_.load();
            const Parts rest = Parts::of(word);
            const std::uint64_t taken = count - (rest.back - rest.front);
            while (crew.done_.load() != taken) relax_processor();
        }
    };

    /// Counts parts when they are done, also if they throw.
    struct Counting {
        Crew& crew;
        std::uint32_t count;

        ~Counting() { crew.done_.fetch_add(count); }
    };

    void help() {
        helpers_.fetch_add(1);
        for (int idle = 0; idle < patience && left_.load() != closed; ++idle) {
            while (take(End::Back)) idle = 0;
            relax_processor();
        }
        helpers_.fetch_add(~std::uint64_t{0});
    }

    /// Takes some of the remaining parts and runs them. The loop stays until they are done.
    bool take(End end) {
        const std::uint64_t word = left_.load();
        Parts rest = Parts::of(word);
        Parts taken = rest;
        if (rest.front >= rest.back) return false;
        const std::uint64_t fair = (rest.back - rest.front) / (2 * (helpers_.load() + 1));
        const auto share = static_cast<std::uint32_t>(fair > 0 ? fair : 1);
        if (end == End::Front) rest.front = taken.back = rest.front + share;
        if (end == End::Back) rest.back = taken.front = rest.back - share;
        if (!left_.compare_exchange(word, rest.word()))
            return true;  // another thread was faster: try again
        const std::int32_t stop = static_cast<std::int32_t>(taken.back) * grain_;
        const Counting counting{*this, taken.back - taken.front};
        run_(work_, static_cast<std::int32_t>(taken.front) * grain_, stop < count_ ? stop : count_);
        return true;
    }

    alignas(64) Shared left_;
    alignas(64) Shared done_;
    alignas(64) Shared arrivals_;
    Shared helpers_;
    void* work_ = nullptr;
    void (*run_)(void*, std::int32_t, std::int32_t) = nullptr;
    std::int32_t count_ = 0;
    std::int32_t grain_ = 0;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

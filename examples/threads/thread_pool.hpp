// SPDX-License-Identifier: MIT
// ThreadPool: a phys2d executor on plain std::threads: world.step(pool). Called with a number of
// tasks and a function, it runs the function for each task and returns when all are done. The
// calling thread takes part. Between calls the workers poll for a moment before they sleep, so that
// consecutive steps find them awake. The exception of a task reaches the caller; if several tasks
// throw, the first one does.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace threads {

class ThreadPool {
public:
    /// On so many threads, the calling one among them.
    explicit ThreadPool(unsigned thread_count) {
        for (unsigned i = 1; i < thread_count; ++i) workers_.emplace_back([this] { serve(); });
    }
    ~ThreadPool() {
        announce([this] { is_closing_ = true; });
        for (std::thread& worker : workers_) worker.join();
    }
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    /// Calls task(i) for each i in [0, count). For one caller at a time.
    template <class Task>
    void operator()(int count, Task&& task) {
        announce([&] {
            task_ = [&task](int i) { task(i); };
            count_ = count;
            next_ = 0;
            error_ = nullptr;
        });
        work();
        std::unique_lock lock(mutex_);
        wait_until_idle(lock);
        if (error_) std::rethrow_exception(error_);
    }

private:
    static constexpr int looks_before_sleep = 2'000;

    /// Changes what the workers are to do, and wakes them.
    template <class Change>
    void announce(Change change) {
        {
            std::unique_lock lock(mutex_);
            wait_until_idle(lock);  // a worker may have come late to the last round
            change();
            round_.fetch_add(1, std::memory_order_release);
        }
        wake_up_.notify_all();
    }

    void wait_until_idle(std::unique_lock<std::mutex>& lock) {
        all_idle_.wait(lock, [this] { return busy_ == 0; });
    }

    void serve() {
        for (unsigned seen = 0;;) {
            for (int i = 0;
                 i < looks_before_sleep && round_.load(std::memory_order_acquire) == seen; ++i) {
                std::this_thread::yield();
            }
            {
                std::unique_lock lock(mutex_);
                wake_up_.wait(lock, [&] { return round_.load() != seen; });
                seen = round_.load();
                if (is_closing_) return;
                ++busy_;
            }
            work();
            const std::lock_guard lock(mutex_);
            if (--busy_ == 0) all_idle_.notify_one();
        }
    }

    void work() {
        for (int i = next_.fetch_add(1); i < count_; i = next_.fetch_add(1)) {
            try {
                task_(i);
            } catch (...) {
                const std::lock_guard lock(mutex_);
                if (!error_) error_ = std::current_exception();
            }
        }
    }

    std::mutex mutex_;
    std::condition_variable wake_up_;
    std::condition_variable all_idle_;
    std::atomic<unsigned> round_ = 0;  // of work, counted
    std::function<void(int)> task_;
    int count_ = 0;
    std::atomic<int> next_ = 0;
    int busy_ = 0;  // workers that are in work()
    std::exception_ptr error_;
    bool is_closing_ = false;
    std::vector<std::thread> workers_;
};

}  // namespace threads

// SPDX-License-Identifier: MIT
// TbbExecutor: a phys2d executor on the threads of oneTBB: world.step(TbbExecutor{}).
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace threads {

struct TbbExecutor {
    template <class Task>
    void operator()(int count, Task&& task) const {
        tbb::parallel_for(
            0, count, [&](int i) { task(i); }, tbb::simple_partitioner{});
    }
};

}  // namespace threads

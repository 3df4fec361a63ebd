// SPDX-License-Identifier: MIT
// BackwardTeam: does the parts of a loop one by one, the last one first. They are small, so that
// there are some.
#pragma once

#include <algorithm>
#include <cstdint>

namespace test {

struct BackwardTeam {
    template <class Work>
    void for_each_part(std::int32_t count, std::int32_t grain, Work work) {
        const std::int32_t size = std::min(grain, 64);
        for (std::int32_t end = (count + size - 1) / size * size; end > 0; end -= size) {
            work(end - size, std::min(end, count));
        }
    }
};

}  // namespace test

// SPDX-License-Identifier: MIT
// shell_sort: sorts in place, at a fraction of what <algorithm> costs its includers. Not stable.
// Gaps of [Ciura2001]; from 701 on each is 2.25 times the one before.
#pragma once

#include <cstddef>
#include <initializer_list>

#include <phys2d/core/array.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

template <class T>
[[nodiscard]] bool is_in_order(const Array<T>& values, auto before) {
    for (std::size_t i = 1; i < values.size(); ++i) {
        if (before(values[i], values[i - 1])) return false;
    }
    return true;
}

template <class T>
void shell_sort(Array<T>& values, auto before) {
    if (is_in_order(values, before)) return;
    for (const std::size_t gap :
         {17961u, 7983u, 3548u, 1577u, 701u, 301u, 132u, 57u, 23u, 10u, 4u, 1u}) {
        for (std::size_t i = gap; i < values.size(); ++i) {
            const T value = values[i];
            std::size_t place = i;
            for (; place >= gap && before(value, values[place - gap]); place -= gap) {
                values[place] = values[place - gap];
            }
            if (place != i) values[place] = value;
        }
    }
}
/// In ascending order.
template <class T>
void shell_sort(Array<T>& values) {
    shell_sort(values, [](const T& a, const T& b) { return a < b; });
}

}  // namespace phys2d::inline PHYS2D_ABI::detail

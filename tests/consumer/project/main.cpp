// SPDX-License-Identifier: MIT
#include <phys2d/phys2d.hpp>

int main() {
    const phys2d::Circle left{1.0f, {0.0f, 0.0f}};
    const phys2d::Circle right{1.0f, {1.5f, 0.0f}};
    return phys2d::overlaps(left, right) ? 0 : 1;
}

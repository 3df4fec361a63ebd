// SPDX-License-Identifier: MIT
// Bodies of the narrow phase as a world stores them.
#pragma once

#include <phys2d/core/span.hpp>
#include <phys2d/dynamics/narrow_bodies.hpp>

namespace test {

inline phys2d::detail::NarrowColumns columns_of(
    phys2d::Span<const phys2d::detail::NarrowBody> bodies) {
    phys2d::detail::NarrowColumns columns;
    for (const phys2d::detail::NarrowBody& body : bodies) {
        columns.motions.push_back(body.motion);
        columns.forms.push_back(body.form);
    }
    return columns;
}

}  // namespace test

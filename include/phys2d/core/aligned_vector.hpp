// SPDX-License-Identifier: MIT
// AlignedVector: std::vector whose data starts on a cache line, so that batches of lanes never
// straddle two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include <phys2d/core/abi.hpp>

namespace phys2d::detail::inline PHYS2D_ABI {

template <class T>
struct CacheLineAllocator {
    using value_type = T;
    static constexpr std::align_val_t alignment{64};

    CacheLineAllocator() = default;
    template <class U>
    CacheLineAllocator(const CacheLineAllocator<U>&) {}

    T* allocate(std::size_t count) {
        return static_cast<T*>(::operator new(count * sizeof(T), alignment));
    }
    void deallocate(T* data, std::size_t) { ::operator delete(data, alignment); }

    friend bool operator==(const CacheLineAllocator&, const CacheLineAllocator&) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

/// Grows to at least `count`, at once to twice that, so that a world which has warmed up stops
/// allocating. Contents are not kept when it grows.
template <class T>
void grow_scratch(AlignedVector<T>& data, std::size_t count) {
    if (count > data.size()) data.assign(2 * count, T{});
}

/// Slots and counts are 32-bit and signed; containers want std::size_t.
constexpr std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

}  // namespace phys2d::detail::inline PHYS2D_ABI

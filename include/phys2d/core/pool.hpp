// SPDX-License-Identifier: MIT
// Pool: a few large things with places that stay, copied with all that they hold.
// For what `Array` cannot hold because it owns memory itself.
#pragma once

#include <cstdint>

#include <phys2d/core/array.hpp>

namespace phys2d::detail::inline PHYS2D_ABI {

template <class T>
class Pool {
public:
    Pool() = default;
    Pool(const Pool& other) {
        for (const T* item : other.items_)
            items_.push_back(item == nullptr ? nullptr : new T(*item));
    }
    Pool(Pool&& other) noexcept { items_.swap(other.items_); }
    Pool& operator=(const Pool& other) {
        if (this != &other) {
            Pool copy(other);
            items_.swap(copy.items_);
        }
        return *this;
    }
    Pool& operator=(Pool&& other) noexcept {
        items_.swap(other.items_);
        return *this;
    }
    ~Pool() {
        for (T* item : items_) delete item;
    }

    /// Returns the place of a copy, the lowest that is free.
    std::int32_t add(const T& item) {
        std::size_t place = 0;
        while (place < items_.size() && items_[place] != nullptr) ++place;
        if (place == items_.size()) items_.push_back(nullptr);
        items_[place] = new T(item);
        return static_cast<std::int32_t>(place);
    }
    void remove(std::int32_t place) {
        delete items_[at(place)];
        items_[at(place)] = nullptr;
    }

    [[nodiscard]] T& operator[](std::int32_t place) { return *items_[at(place)]; }
    [[nodiscard]] const T& operator[](std::int32_t place) const { return *items_[at(place)]; }

private:
    Array<T*> items_;  // null where a place is free
};

}  // namespace phys2d::detail::inline PHYS2D_ABI

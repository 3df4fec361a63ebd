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
        for (const Place& place : other.places_) {
            places_.push_back({place.item == nullptr ? nullptr : new T(*place.item)});
        }
    }
    Pool(Pool&& other) noexcept { places_.swap(other.places_); }
    Pool& operator=(const Pool& other) {
        if (this != &other) {
            Pool copy(other);
            places_.swap(copy.places_);
        }
        return *this;
    }
    Pool& operator=(Pool&& other) noexcept {
        places_.swap(other.places_);
        return *this;
    }
    ~Pool() {
        for (const Place& place : places_) delete place.item;
    }

    /// Returns the place of a copy, the lowest that is free.
    std::int32_t add(const T& item) {
        std::size_t place = 0;
        while (place < places_.size() && places_[place].item != nullptr) ++place;
        if (place == places_.size()) places_.push_back({nullptr});
        places_[place].item = new T(item);
        return static_cast<std::int32_t>(place);
    }
    void remove(std::int32_t place) {
        delete places_[at(place)].item;
        places_[at(place)].item = nullptr;
    }

    [[nodiscard]] T& operator[](std::int32_t place) { return *places_[at(place)].item; }
    [[nodiscard]] const T& operator[](std::int32_t place) const { return *places_[at(place)].item; }

private:
    struct Place {
        T* item;  // null where it is free
    };
    Array<Place> places_;
};

}  // namespace phys2d::detail::inline PHYS2D_ABI

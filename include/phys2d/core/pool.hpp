// SPDX-License-Identifier: MIT
// Pool: a few large objects with fixed indices, copied deeply. For types that `Array` cannot hold
// because they own memory themselves.
#pragma once

#include <cstdint>

#include <phys2d/core/array.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

template <class T>
class Pool {
public:
    Pool() = default;
    Pool(const Pool& other) : Pool() { *this = other; }
    Pool(Pool&& other) noexcept { places_.swap(other.places_); }
    /// Assigns object by object, which reuses their memory. If that throws, some old ones remain.
    Pool& operator=(const Pool& other) {
        if (this == &other) return *this;
        for (std::size_t i = other.places_.size(); i < places_.size(); ++i) delete places_[i].item;
        places_.resize(other.places_.size());
        for (std::size_t i = 0; i < places_.size(); ++i)
            assign(places_[i].item, other.places_[i].item);
        return *this;
    }
    Pool& operator=(Pool&& other) noexcept {
        places_.swap(other.places_);
        return *this;
    }
    ~Pool() {
        for (const Place& place : places_) delete place.item;
    }

    /// Adds a copy and returns its index, the lowest free one.
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
    static void assign(T*& item, const T* other) {
        if (other == nullptr) {
            delete item;
            item = nullptr;
        } else if (item == nullptr) {
            item = new T(*other);
        } else {
            *item = *other;
        }
    }

    struct Place {
        T* item = nullptr;  // null if the place is free
    };
    Array<Place> places_;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail

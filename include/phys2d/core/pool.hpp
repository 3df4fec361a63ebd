// SPDX-License-Identifier: MIT
// Pool: a few large objects with fixed indices, copied deeply. For types that `Array` cannot hold
// because they own memory themselves.
#pragma once

#include <cstdint>
#include <utility>

#include <phys2d/core/array.hpp>

namespace phys2d::inline PHYS2D_ABI::detail {

template <class T>
class Pool {
public:
    Pool() = default;
    Pool(const Pool& other) : Pool() { *this = other; }
    Pool(Pool&& other) noexcept { swap(other); }
    /// Assigns object by object, which reuses their memory. If that throws, some old ones remain.
    Pool& operator=(const Pool& other) {
        if (this == &other) return *this;
        for (std::size_t i = other.places_.size(); i < places_.size(); ++i) delete places_[i].item;
        places_.resize(other.places_.size());
        first_free_ = none;
        for (std::size_t i = 0; i < places_.size(); ++i)
            assign(places_[i].item, other.places_[i].item);
        for (std::size_t i = 0; i < places_.size(); ++i)
            places_[i].next_free = other.places_[i].next_free;
        first_free_ = other.first_free_;
        return *this;
    }
    Pool& operator=(Pool&& other) noexcept {
        swap(other);
        return *this;
    }
    ~Pool() {
        for (const Place& place : places_) delete place.item;
    }

    /// Adds a copy and returns its index: the one that became free last, or a new one.
    std::int32_t add(const T& item) {
        if (first_free_ == none) {
            places_.push_back({nullptr, none});
            first_free_ = static_cast<std::int32_t>(places_.size()) - 1;
        }
        const std::int32_t place = first_free_;
        places_[place].item = new T(item);
        first_free_ = places_[place].next_free;
        return place;
    }
    void remove(std::int32_t place) {
        delete places_[place].item;
        places_[place] = {nullptr, first_free_};
        first_free_ = place;
    }

    [[nodiscard]] T& operator[](std::int32_t place) { return *places_[place].item; }
    [[nodiscard]] const T& operator[](std::int32_t place) const { return *places_[place].item; }

    void list_members(auto& archive) {
        const std::size_t count = archive.count_of(places_.size(), 0);
        if (count != places_.size()) places_.resize(count);
        for (Place& place : places_) {
            bool is_used = place.item != nullptr;
            archive.add(is_used);
            if (is_used && place.item == nullptr) place.item = new T();
            if (is_used) archive.add(*place.item);
            archive.add(place.next_free);
        }
        archive.add(first_free_);
    }

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

    void swap(Pool& other) noexcept {
        places_.swap(other.places_);
        std::swap(first_free_, other.first_free_);
    }

    static constexpr std::int32_t none = -1;

    struct Place {
        T* item;                 // null if the place is free
        std::int32_t next_free;  // or `none`
    };
    Array<Place> places_;
    std::int32_t first_free_ = none;
};

}  // namespace phys2d::inline PHYS2D_ABI::detail
